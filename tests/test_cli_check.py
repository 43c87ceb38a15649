"""`ringdoku check`: verdicts on puzzles, filled grids and uniqueness."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from texts import FIXTURES

Run = Callable[..., subprocess.CompletedProcess[str]]

LINE = "1.....1...4....."
SOLVED = "1234341221434321"
BEST = "3124243113424213"
"""The best grid of a blank 4×4 board, whose score is 254."""
CLUE_CHANGED = "2143341212344321"


def test_solutions_from_a_second_file(ringdoku_here: Run, tmp_path: Path) -> None:
    (tmp_path / "puzzles").write_text(f"{LINE}\n" * 3)
    (tmp_path / "solutions").write_text(f"{SOLVED}\n{CLUE_CHANGED}\n1.{SOLVED[2:]}\n")
    done = ringdoku_here("check", "puzzles", "--solution", "solutions", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "puzzles:1: right solution, score 250",
        "puzzles:2: wrong solution, score 250",
        "  r1c1 is 2, but the clue is 1",
        "  r3c3 is 3, but the clue is 4",
        "puzzles:3: wrong solution",
        "  r1c2 is blank",
    ]


@pytest.mark.parametrize("solutions", [1, 3])
def test_as_many_solutions_as_puzzles(ringdoku_here: Run, tmp_path: Path, solutions: int) -> None:
    (tmp_path / "puzzles").write_text(f"{LINE}\n" * 2)
    (tmp_path / "solutions").write_text(f"{SOLVED}\n" * solutions)
    done = ringdoku_here("check", "puzzles", "--solution", "solutions", cwd=tmp_path)
    assert done.returncode == 2
    assert "solutions holds" in done.stderr


def test_a_solution_column_is_judged_not_refused(ringdoku_here: Run) -> None:
    done = ringdoku_here("check", input=f"puzzle,solution\n{LINE},{SOLVED}\n{LINE},{CLUE_CHANGED}\n")
    assert (done.returncode, done.stderr) == (1, "")
    assert "wrong solution" in done.stdout


def test_solved_output_passes_its_check(ringdoku_here: Run, tmp_path: Path) -> None:
    (tmp_path / "puzzles").write_text(f"{LINE}\n{'.' * 16}\n")
    assert ringdoku_here("solve", "puzzles", "-o", "solutions", cwd=tmp_path).returncode == 0
    done = ringdoku_here("check", "puzzles", "--solution", "solutions", cwd=tmp_path)
    assert (done.returncode, done.stdout.count("right solution")) == (0, 2)


@pytest.mark.parametrize("symbols", ["123456789ABCDEFG", "ABCDEFGHIJKLMNOP", "0123456789ABCDEF"])
def test_solved_output_in_letters_passes_its_check(ringdoku_here: Run, tmp_path: Path, symbols: str) -> None:
    rows = [symbols[shift:] + symbols[:shift] for start in range(4) for shift in range(start, 16, 4)]
    board = "board 16x16 digits 0-15\n" if "0" in symbols else ""
    (tmp_path / "puzzle").write_text(board + "\n".join(rows).replace(symbols[7], "."))
    assert ringdoku_here("solve", "puzzle", "-o", "solution", cwd=tmp_path).returncode == 0
    assert (tmp_path / "solution").read_text().split() == rows
    done = ringdoku_here("check", "puzzle", "--solution", "solution", cwd=tmp_path)
    assert (done.returncode, done.stdout.count("right solution")) == (0, 1)


PUZZLES = f"{LINE}\n11..............\n{'.' * 16}\n123....4........\n"


@pytest.mark.parametrize("command", [["solve"], ["maximise", "--grid"], ["maximise", "--output-format", "json"]])
def test_what_other_commands_write_is_understood(ringdoku_here: Run, tmp_path: Path, command: list[str]) -> None:
    (tmp_path / "puzzles").write_text(PUZZLES)
    ringdoku_here(*command, "puzzles", "-o", "answers", cwd=tmp_path)
    done = ringdoku_here("check", "puzzles", "--solution", "answers", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (3, "")
    verdicts = [line for line in done.stdout.splitlines() if line.startswith("puzzles")]
    assert "right solution" in verdicts[0]
    assert verdicts[1] == "puzzles:2: contradictory clues, no solution claimed"
    assert "right solution" in verdicts[2]
    assert verdicts[3] == "puzzles:4: well-formed, 4 clues, no solution claimed"


SECOND = "2143432112343412"


@pytest.mark.parametrize(
    ("answers", "code", "verdict"),
    [
        (f"250\n{SOLVED}\n250\n{SECOND}\n", 0, "right solution, score 250"),
        (f"251\n{SOLVED}\n250\n{SECOND}\n", 1, "wrong solution, score 250\n  the score is 250, not 251"),
        (f"2\n{SOLVED}\n{SECOND}\n", 0, "right solution, score 250"),
        ("unknown\n" * 2, 3, "well-formed, 0 clues, no answer claimed"),
        ("-1\n" * 2, 3, "well-formed, 0 clues, no solution claimed"),
        ('{"grid": null, "status": "unknown"}\n' * 2, 3, "well-formed, 0 clues, no answer claimed"),
        (f"-1\n250\n{SOLVED}\n", 3, "well-formed, 0 clues, no solution claimed"),
        (f"250\n{SOLVED}\nno solution\n", 3, "right solution, score 250"),
    ],
)
@pytest.mark.parametrize("rows", [False, True])
def test_claims(ringdoku_here: Run, tmp_path: Path, answers: str, code: int, verdict: str, rows: bool) -> None:
    for line in (SOLVED, SECOND) if rows else ():
        answers = answers.replace(line, "\n".join(line[start : start + 4] for start in (0, 4, 8, 12)))
    (tmp_path / "answers").write_text(answers)
    done = ringdoku_here("check", "--solution", tmp_path / "answers", input=f"{'.' * 16}\n" * 2)
    assert (done.returncode, done.stderr) == (code, "")
    assert done.stdout.startswith(f"<stdin>:1: {verdict}\n")


@pytest.mark.parametrize(
    ("answers", "code", "verdicts"),
    [
        ("254\n-1\n", 0, ["score 254 claimed, the best", "no solution claimed, the best"]),
        (f"254\n{BEST}\n-1\n", 0, ["right solution, score 254, the best", "no solution claimed, the best"]),
        (
            "251\n250\n",
            1,
            [
                "score 251 claimed, not the best",
                "  answers:1: the best score is 254, not 251",
                "score 250 claimed, not the best",
                "  answers:2: there is no solution",
            ],
        ),
        (
            f"-1\n250\n{SOLVED}\n",
            1,
            ["no solution claimed, not the best", "  answers:1: there is a solution with the score 254"],
        ),
        (f"{SOLVED}\nno solution\n", 1, ["right solution, score 250, not the best"]),
        ("unknown\n-1\n", 3, ["no answer claimed", "no solution claimed, the best"]),
    ],
)
def test_whether_an_answer_is_the_best(
    ringdoku_here: Run, tmp_path: Path, answers: str, code: int, verdicts: list[str]
) -> None:
    (tmp_path / "answers").write_text(answers)
    puzzles = f"{'.' * 16}\n11{'.' * 14}\n"
    done = ringdoku_here("check", "--best", "--solution", "answers", input=puzzles, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (code, "")
    lines = done.stdout.splitlines()
    for verdict in verdicts:
        assert any(line.endswith(verdict) for line in lines), (verdict, lines)


def test_lowest_scores_and_time_limits(ringdoku_here: Run, tmp_path: Path) -> None:
    (tmp_path / "answers").write_text("246\n")
    ask = ("check", "--best", "--minimise", "--solution", tmp_path / "answers")
    assert ringdoku_here(*ask, input="." * 16).stdout.endswith("score 246 claimed, the best\n")
    done = ringdoku_here("check", "--best", "--time-limit", "1e-9", "--solution", tmp_path / "answers", input="." * 81)
    assert (done.returncode, done.stdout[-16:]) == (3, "not proved best\n")


def test_best_says_when_there_is_nothing_to_check(ringdoku_here: Run) -> None:
    # whose best score takes minutes, and is not asked for
    done = ringdoku_here("check", "--best", "--rule", "anti-knight", input="." * 81)
    said = "<stdin>:1: well-formed, 0 clues, 1 constraint, no answer to check\n"
    assert (done.returncode, done.stdout) == (3, said)
    # a filled grid is its own answer
    assert ringdoku_here("check", "--best", input="1234341221434321").returncode in (0, 1)


def test_scores_alone_are_not_checked_without_being_asked(ringdoku_here: Run, tmp_path: Path) -> None:
    (tmp_path / "answers").write_text("2829\n")
    done = ringdoku_here("check", FIXTURES / "p1074-1.in", "--solution", tmp_path / "answers")
    assert done.returncode == 3
    assert done.stdout.endswith("score 2829 claimed\n")
    assert ringdoku_here("check", FIXTURES / "p1074-1.in", "--best", "--solution", tmp_path / "answers").returncode == 0


def test_uniqueness_judges_that_there_is_no_solution(ringdoku_here: Run, tmp_path: Path) -> None:
    (tmp_path / "answers").write_text("no solution\n")
    done = ringdoku_here("check", "--unique", "--solution", tmp_path / "answers", input=f"{SOLVED[:-1]}.\n")
    assert done.returncode == 1
    assert done.stdout.endswith("no solution claimed, exactly one solution\n")


def test_other_weights(ringdoku_here: Run, tmp_path: Path) -> None:
    (tmp_path / "weights").write_text("1 -1 0 0\n" + "0 0 0 0\n" * 3)
    done = ringdoku_here("check", "--weights", "weights", input=f"{SOLVED}\n", cwd=tmp_path)
    assert done.stdout == "<stdin>:1: right solution, score -1\n"


def test_json(ringdoku_here: Run) -> None:
    done = ringdoku_here("check", "--output-format", "json", "--unique", input=f"{SOLVED}\n{LINE}\n")
    right, many = map(json.loads, done.stdout.splitlines())
    assert right == {
        "name": "",
        "author": "",
        "about": "",
        "place": "<stdin>:1",
        "good": True,
        "verdict": "right solution, score 250, exactly one solution",
        "clues": 16,
        "constraints": 0,
        "faults": [],
        "score": 250,
        "best": None,
        "solutions": "exactly one solution",
        "word_of": None,
    }
    assert (many["good"], many["solutions"]) == (False, "more than one solution")


def test_solutions_cannot_be_paired_past_a_malformed_puzzle(ringdoku_here: Run, tmp_path: Path) -> None:
    (tmp_path / "solutions").write_text(f"{SOLVED}\n")
    done = ringdoku_here("check", "--keep-going", "--solution", tmp_path / "solutions", input=f"{LINE}\n")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--keep-going cannot go with --solution" in done.stderr


def test_several_inputs_and_their_answers_in_order(ringdoku_here: Run, tmp_path: Path) -> None:
    for name, text in (("a.in", "1234341221434321\n"), ("b.in", "1...............\n"), ("out", "3\n4\n")):
        (tmp_path / name).write_text(text)
    done = ringdoku_here("check", "*.in", "--unique", cwd=tmp_path)
    assert done.returncode == 1
    assert [line.partition(":")[0] for line in done.stdout.splitlines()] == ["a.in", "b.in"]
    done = ringdoku_here("check", "a.in", "b.in", "--solution", "out", "--best", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stdout.index("a.in:1") < done.stdout.index("b.in:1")
