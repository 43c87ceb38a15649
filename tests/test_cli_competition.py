"""`solve --competition`, read back by a reader of SAT Competition output that knows nothing of the writer."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from modelling import formula_of
from puzzles import NO_SOLUTION

from ringdoku.sat.drat import faults_of_proof

Run = Callable[..., subprocess.CompletedProcess[str]]


def read_competition(text: str) -> tuple[str, list[int]]:
    """The `s` line's answer and the `v` lines' literals without the closing 0; asserts the format's rules."""
    answers: list[str] = []
    values: list[str] = []
    for line in text.splitlines():
        assert len(line) < 80
        kind, _, rest = line.partition(" ")
        assert kind in ("c", "s", "v")
        if kind == "s":
            assert not values
            answers.append(rest)
        elif kind == "v":
            values += rest.split()
    assert len(answers) == 1
    literals = [int(value) for value in values]
    if literals:
        assert literals[-1] == 0
        assert 0 not in literals[:-1]
    return answers[0], literals[:-1]


@pytest.mark.parametrize(("text", "box", "n"), [("1.....1...4.....", (2, 2), 4), ("......\n" * 6, (2, 3), 6)])
def test_the_values_are_a_solution_of_the_textbook_formula(
    ringdoku_here: Run, text: str, box: tuple[int, int], n: int
) -> None:
    done = ringdoku_here("solve", "--competition", "--box", f"{box[0]}x{box[1]}", input=f"{text}\n")
    answer, literals = read_competition(done.stdout)
    assert (done.returncode, answer) == (10, "SATISFIABLE")
    assert sorted(map(abs, literals)) == list(range(1, n**3 + 1))
    true = {literal for literal in literals if literal > 0}
    digits = {
        (row, column): [digit for digit in range(1, n + 1) if (row * n + column) * n + digit in true]
        for row in range(n)
        for column in range(n)
    }
    assert all(len(held) == 1 for held in digits.values())
    groups: dict[tuple[str, int, int], set[int]] = {}
    for (row, column), (digit,) in digits.items():
        for unit in (("row", row, 0), ("column", column, 0), ("box", row // box[0], column // box[1])):
            groups.setdefault(unit, set()).add(digit)
    assert len(groups) == 3 * n
    assert all(len(found) == n for found in groups.values())
    for place, mark in enumerate(text.replace("\n", "")):
        if mark != ".":
            assert digits[divmod(place, n)] == [int(mark)]


def test_no_solution_exits_20_without_values(ringdoku_here: Run) -> None:
    done = ringdoku_here("solve", "--competition", input="11..............\n")
    assert (done.returncode, read_competition(done.stdout)) == (20, ("UNSATISFIABLE", []))


def test_a_time_limit_exits_0_as_unknown(ringdoku_here: Run) -> None:
    blank = "\n".join([" ".join(["."] * 36)] * 36)
    done = ringdoku_here("solve", "--competition", "--backend", "search", "--time-limit", "0.001", input=blank)
    assert (done.returncode, read_competition(done.stdout)) == (0, ("UNKNOWN", []))


@pytest.mark.parametrize("arguments", [[], ["--output-format", "json"]])
def test_it_is_for_one_puzzle_and_one_format(ringdoku_here: Run, arguments: list[str]) -> None:
    puzzles = "1...............\n" * (1 if arguments else 2)
    done = ringdoku_here("solve", "--competition", *arguments, input=puzzles)
    assert (done.returncode, done.stdout) == (2, "")
    assert "--competition" in done.stderr


def test_a_malformed_puzzle_that_was_passed_over_is_not_forgotten(ringdoku_here: Run) -> None:
    done = ringdoku_here("solve", "--competition", "--keep-going", input="1234341221434321\n1...\n")
    assert done.returncode == 2
    assert "\ns SATISFIABLE\n" in done.stdout


def test_a_proof_is_about_the_formula_that_export_writes(ringdoku_here: Run, tmp_path: Path) -> None:
    (tmp_path / "p").write_text(f"{NO_SOLUTION}\n")
    solved = ringdoku_here("solve", "p", "--proof", "p.drat", cwd=tmp_path)
    assert (solved.returncode, solved.stdout, solved.stderr) == (1, "no solution\n", "")
    ringdoku_here("export", "p", "--to", "cnf", "--no-presolve", "-o", "p.cnf", cwd=tmp_path)
    formula = formula_of((tmp_path / "p.cnf").read_bytes())
    assert faults_of_proof(formula, (tmp_path / "p.drat").read_text().splitlines()) == []
    again = ringdoku_here("solve", "p", "--proof", "p.drat", cwd=tmp_path)
    assert (again.returncode, again.stdout) == (2, "")
    forced = ringdoku_here("solve", "p", "--proof", "p.drat", "--force", "--competition", cwd=tmp_path)
    assert forced.returncode == 20


def test_no_proof_is_written_where_there_is_a_solution(ringdoku_here: Run, tmp_path: Path) -> None:
    done = ringdoku_here("solve", "--proof", tmp_path / "p.drat", input="1234341221434321\n")
    assert (done.returncode, done.stdout) == (0, "1234341221434321\n")
    assert "no proof was written: a solution was found" in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("path", ["p", "out", "-", ""])
def test_a_proof_is_a_file_of_its_own(ringdoku_here: Run, tmp_path: Path, path: str) -> None:
    (tmp_path / "p").write_text(f"{NO_SOLUTION}\n")
    done = ringdoku_here("solve", "p", "-o", "./out", "--proof", path, "--force", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "--proof needs a file of its own" in done.stderr
    assert (tmp_path / "p").read_text() == f"{NO_SOLUTION}\n"
