"""SAT Competition output, read back by a reader that knows nothing of the writer; DRAT; and options renamed."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from modelling import formula_of
from puzzles import NO_SOLUTION

from ringdoku.sat.drat import faults_of_proof

COMPETITION = ("--output-format", "competition")

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
    done = ringdoku_here("solve", *COMPETITION, "--box", f"{box[0]}x{box[1]}", input=f"{text}\n")
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
    held = {(row, column, digit) for (row, column), (digit,) in digits.items()}
    assert len({(row, digit) for row, _, digit in held}) == n * n
    assert len({(column, digit) for _, column, digit in held}) == n * n
    assert len({(row // box[0], column // box[1], digit) for row, column, digit in held}) == n * n
    for place, mark in enumerate(text.replace("\n", "")):
        if mark != ".":
            assert digits[divmod(place, n)] == [int(mark)]


@pytest.mark.parametrize(
    ("options", "text", "code", "answer"),
    [
        ((), "11..............\n", 20, "UNSATISFIABLE"),
        (("--backend", "search", "--time-limit", "0.001"), "\n".join([" ".join(["."] * 36)] * 36), 0, "UNKNOWN"),
        # a malformed puzzle that was passed over is not forgotten
        (("--keep-going",), "1234341221434321\n1...\n", 2, "SATISFIABLE"),
    ],
)
def test_the_exit_code_says_what_the_answer_is(
    ringdoku_here: Run, options: tuple[str, ...], text: str, code: int, answer: str
) -> None:
    done = ringdoku_here("solve", *COMPETITION, *options, input=text)
    found, literals = read_competition(done.stdout)
    assert (done.returncode, found, bool(literals)) == (code, answer, answer == "SATISFIABLE")


def test_it_is_for_one_puzzle(ringdoku_here: Run) -> None:
    done = ringdoku_here("solve", *COMPETITION, input="1...............\n" * 2)
    assert (done.returncode, done.stdout) == (2, "")
    assert "--output-format competition is for one" in done.stderr


def test_a_drat_certificate_is_about_the_formula_that_export_writes(ringdoku_here: Run, tmp_path: Path) -> None:
    (tmp_path / "p").write_text(f"{NO_SOLUTION}\n")
    ask = ("solve", "p", "--certificate", "none", "--format", "drat")
    solved = ringdoku_here(*ask, cwd=tmp_path)
    assert (solved.returncode, solved.stdout, solved.stderr) == (1, "no solution\n", "")
    ringdoku_here("export", "p", "--to", "cnf", "--no-presolve", "-o", "p.cnf", cwd=tmp_path)
    formula = formula_of((tmp_path / "p.cnf").read_bytes())
    assert faults_of_proof(formula, (tmp_path / "none.drat").read_text().splitlines()) == []
    again = ringdoku_here(*ask, cwd=tmp_path)
    assert (again.returncode, again.stdout) == (2, "")
    assert ringdoku_here(*ask, "--force", *COMPETITION, cwd=tmp_path).returncode == 20


def test_no_certificate_is_written_where_there_is_a_solution(ringdoku_here: Run, tmp_path: Path) -> None:
    done = ringdoku_here("solve", "--certificate", tmp_path / "p", input="1234341221434321\n")
    assert (done.returncode, done.stdout) == (0, "1234341221434321\n")
    assert "no certificate: a solution was found" in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["p", "out", ""])
def test_a_certificate_has_files_of_its_own(ringdoku_here: Run, tmp_path: Path, name: str) -> None:
    (tmp_path / "p.drat").write_text(f"{NO_SOLUTION}\n")
    ask = ("solve", "p.drat", "-o", "./out.cnf", "--certificate", name, "--format", "drat", "--force")
    done = ringdoku_here(*ask, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert ("--certificate needs a file of its own" in done.stderr) is bool(name)
    assert (tmp_path / "p.drat").read_text() == f"{NO_SOLUTION}\n"
