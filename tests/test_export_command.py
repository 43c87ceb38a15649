"""`ringdoku export` and `ringdoku decode` as commands: files, options, exit codes."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from conftest import FIXTURES, Run
from typer.testing import CliRunner

from ringdoku.exports import EXPORTS
from ringdoku.exports.base import read_metadata
from ringdoku.links import read_link
from ringdoku_cli.app import application

FOUR = "1...\n....\n....\n...2\n"
SOLUTION = "1 3 2 4\n2 4 1 3\n3 2 4 1\n4 1 3 2\n"


@pytest.mark.parametrize("name", ["cnf", "opb"])
def test_standard_output_and_a_file_are_the_same(name: str, ringdoku: Run, tmp_path: Path) -> None:
    file = tmp_path / "model"
    printed = ringdoku("export", "--to", name, input=FOUR)
    assert (printed.returncode, printed.stderr) == (0, "")
    assert ringdoku("export", "--to", name, "-o", file, input=FOUR).stdout == ""
    assert file.read_text() == printed.stdout


def test_weights_from_a_file(ringdoku_here: Run, tmp_path: Path) -> None:
    weights = tmp_path / "weights.txt"
    weights.write_text("1 0 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 -5\n")
    done = ringdoku_here("export", "--to", "lp", "--objective", weights, "--minimise", "--plain-objective", input=FOUR)
    score = read_metadata(done.stdout.encode(), "").score
    assert score is not None
    assert (score.objective.weights[0], score.objective.weights[-1], score.objective.sense.value) == (1, -5, "minimise")


@pytest.fixture
def opb(ringdoku_here: Run, tmp_path: Path) -> Path:
    file = tmp_path / "p.opb"
    assert ringdoku_here("export", "--to", "opb", "--no-presolve", "-o", file, input=FOUR).returncode == 0
    return file


def pseudo_boolean(solution: str) -> str:
    held = [int(digit) for digit in solution.split()]
    variables = (
        f"{'' if digit == own else '-'}x{4 * cell + digit}" for cell, own in enumerate(held) for digit in range(1, 5)
    )
    return f"v {' '.join(variables)}\n"


@pytest.mark.parametrize(
    ("answer", "code", "printed", "message"),
    [
        (f"s OPTIMUM FOUND\n{pseudo_boolean(SOLUTION)}", 0, f"251\n{SOLUTION}", ""),
        (f"s SATISFIABLE\n{pseudo_boolean(SOLUTION)}", 3, f"251\n{SOLUTION}", "251 is not proved best"),
        ("s UNSATISFIABLE\n", 0, "-1\n", ""),
        ("s UNKNOWN\n", 3, "unknown\n", ""),
        ("s SATISFIABLE\nv x1\n", 2, "", "an assignment without variable 2"),
        ("", 2, "", "<stdin>: found nothing"),
    ],
)
def test_decode_as_maximise(answer: str, code: int, printed: str, message: str, opb: Path, ringdoku_here: Run) -> None:
    done = ringdoku_here("decode", opb, "-", input=answer)
    assert (done.returncode, done.stdout) == (code, printed)
    assert message in done.stderr


def test_decode_as_solve_answers_in_any_layout_and_as_a_drawing(opb: Path, ringdoku_here: Run, tmp_path: Path) -> None:
    (tmp_path / "answer").write_text(f"s OPTIMUM FOUND\n{pseudo_boolean(SOLUTION)}")
    done = ringdoku_here("decode", opb, "answer", "--output-format", "line", "-o", "grid", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "")
    assert (tmp_path / "grid").read_text() == "251\n1324241332414132\n"
    assert ringdoku_here("export", "--to", "cnf", "-o", tmp_path / "p.cnf", input=FOUR).returncode == 0
    done = ringdoku_here("decode", tmp_path / "p.cnf", "-", input="UNSAT\n")
    said = "ringdoku: <stdin>: that there is no solution is the word of the solver\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "no solution\n", said)
    model, drawing = tmp_path / "model.cnf", tmp_path / "drawing"
    ringdoku_here("export", FIXTURES / "b4279.in", "--to", "cnf", "--no-presolve", "-o", model)
    answer = ringdoku_here("solve", FIXTURES / "b4279.in", "--output-format", "competition").stdout
    for text, ending in {answer: "solved", "s UNSATISFIABLE\n": "no solution, by the word of the solver"}.items():
        drawn = ringdoku_here("decode", model, "-", "--output-format", "pretty", input=text).stdout
        assert drawn.endswith(f"┘\n{ending}; ' marks a clue\n\n")
        drawing.write_text(drawn)
        assert ringdoku_here("check", drawing).returncode == 0


def test_help_lists_every_format_in_80_columns() -> None:
    environment = {"COLUMNS": "80", "NO_COLOR": "1"}
    text = CliRunner(env=environment).invoke(application(), ["export", "--help"]).output
    lines = [" ".join(line.strip("│ ").split()) for line in text.splitlines()]
    shown = list(pairwise(lines))
    for form in EXPORTS.values():
        assert (f"{form.name} {form.summary}", form.solvers) in shown


def test_textbooks_numbers_and_answers_to_formulas_of_ones_own(ringdoku_here: Run, tmp_path: Path) -> None:
    (tmp_path / "four.txt").write_text(FOUR)
    ask = ("export", "four.txt", "--to", "cnf", "--names", "rcd", "-o")
    for more in (["whole.cnf"], ["part.cnf", "--split"], ["ladder.cnf", "--at-most-one", "ladder"]):
        assert ringdoku_here(*ask, *more, cwd=tmp_path).returncode == 0
    whole, rules, clues, ladder = (
        re.sub("(?m)^c.*\n", "", (tmp_path / f"{name}.cnf").read_text()).splitlines()
        for name in ("whole", "part-rules", "part-clues", "ladder")
    )
    assert whole[1:] == rules[1:] + clues[1:]
    assert (clues, whole[0].split()[2]) == (["p cnf 444 2", "111 0", "442 0"], "444")
    assert [number for number in range(440, 447) if f" {number} " in " ".join(ladder)] == [441, 442, 443, 444, 445, 446]
    true = [f"{place // 4 + 1}{place % 4 + 1}{digit}" for place, digit in enumerate(SOLUTION.split())]
    plain = [str(4 * place + int(digit)) for place, digit in enumerate(SOLUTION.split())]
    for names, numbers in (("rcd", true), ("plain", plain)):
        for answer in (" ".join(numbers), f"[{', '.join(numbers)}, -999]", f"s SATISFIABLE\nv {' '.join(numbers)} 0\n"):
            done = ringdoku_here("decode", "four.txt", "-", "--names", names, input=answer, cwd=tmp_path)
            assert (done.returncode, done.stdout, done.stderr) == (0, SOLUTION, "")
        done = ringdoku_here("decode", "four.txt", "-", "--names", names, input=numbers[0], cwd=tmp_path)
        assert (done.returncode, "r1c2 is blank" in done.stderr) == (2, True)


def test_links_are_written(ringdoku_here: Run, tmp_path: Path) -> None:
    text = f"Title: One\nAuthor: Ann\nkiller 5: r1c2 r1c3\n{FOUR}"
    only = f"Rules: Killer, on two lines:\nRules: see r1c1.\n{text}\n".replace("\n....", "\n3...", 1)
    for name in ("fpuzzles", "sudokupad", "penpa"):
        done = ringdoku_here("export", "--to", name, input=text)
        assert (done.returncode, done.stderr) == (0, "")
        shared = read_link(done.stdout)
        assert (shared.title, shared.author, len(shared.puzzle.ruleset.constraints)) == ("One", "Ann", 3)
        assert shared.rules == "Killer: the digits differ and have the sum, if one is given."
        assert shared.solution is None
        # from a text, and from the link to it
        link = ringdoku_here("export", "--to", name, input=only).stdout
        again = ringdoku_here("export", "--to", name, input=link)
        shared = read_link(again.stdout)
        assert (again.stdout, shared.rules) == (link, "Killer, on two lines:\nsee r1c1.")
        assert shared.solution is not None
    assert ringdoku_here("export", "--to", "iss", "--objective", "ring", input=FOUR).stderr.endswith("no encoding\n")
    file = tmp_path / "diagonal.ISS"
    assert ringdoku_here("export", "--rule", "diagonal", "-o", file, input=FOUR).returncode == 0
    assert ".Diagonal~-1.Diagonal~1." in file.read_text()


def test_several_puzzles_become_a_file_each(ringdoku_here: Run, tmp_path: Path) -> None:
    two = f"{FOUR}\n{FOUR[::-1].lstrip()}\n"
    for options in ((), ("-o", "one.cnf")):
        done = ringdoku_here("export", "--to", "cnf", *options, input=two, cwd=tmp_path)
        assert (done.returncode, done.stdout, list(tmp_path.iterdir())) == (2, "", [])
        assert "-o 'model-{number}' names a file for each" in done.stderr
    done = ringdoku_here("export", "--to", "opb", "-o", "p-{number}.opb", input=two, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    corners = [read_metadata((tmp_path / f"p-{n}.opb").read_bytes(), "").puzzle.clues.digits[0] for n in (1, 2)]
    assert corners == [1, 2]
    for name in ("one", "two"):
        (tmp_path / f"{name}.in").write_text("12.3............\n")
    ask = ("export", "one.in", "two.in", "--to", "cnf", "-o", "models/{input}.cnf")
    assert ringdoku_here(*ask, cwd=tmp_path).returncode == 0
    assert sorted(path.name for path in (tmp_path / "models").iterdir()) == ["one.cnf", "two.cnf"]
