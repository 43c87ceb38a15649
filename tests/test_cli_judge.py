"""`ringdoku judge`: right is accepted whatever its white space, anything else is not, each with its exit code."""

import sys
from pathlib import Path

import pytest
from conftest import FIXTURES, Run
from texts import LINE, SOLVED

JURY = (("the best score is", "the answer of the jury is"), ("there is no solution", "the answer of the jury is -1"))
BLANK = "................"
FIRST, SECOND = "1234341221434321", "2143432112343412"
NONE = "11.............."


def judged(
    run: Run, folder: Path, puzzles: str, output: str, *options: str, answer: str | None = None
) -> tuple[int, str]:
    (folder / "in").write_text(puzzles)
    (folder / "out").write_text(output)
    (folder / "ans").write_text(answer or "")
    done = run("judge", "in", "out", *([] if answer is None else ["ans"]), *options, cwd=folder)
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    return done.returncode, done.stderr.rstrip("\n")


@pytest.mark.parametrize(
    ("output", "code", "message"),
    [
        (f"{FIRST}\n-1\n", 0, "ok 2 puzzles"),
        (f"{SECOND} \t\r\n\n -1", 0, "ok 2 puzzles"),
        ("\n".join(FIRST) + "\n-1\n\n", 0, "ok 2 puzzles"),
        (f"-1\n{FIRST}\n", 1, "wrong answer out:1: puzzle 1: there is a solution"),
        (f"\n{FIRST[:-1]}2\n-1\n", 1, "wrong answer out:2: puzzle 1: row 4 has 2 in r4c3, r4c4"),
        (f"{FIRST}\n{FIRST}\n", 1, "wrong answer out:2: puzzle 2: r1c2 is 2, but the clue is 1"),
        (FIRST, 2, "wrong output format out:1: found the end, expected 16 digits, not 0"),
        (f"{FIRST}5\n-1", 2, "wrong output format out:1: found '12343412214343215', expected a digit of the puzzle"),
        (
            f"{FIRST}1\n-1",
            2,
            "wrong output format out:1: found '12343412214343211', expected white space after the last digit",
        ),
        (f"{FIRST}\n-1\n-1\n", 2, "wrong output format out:3: found '-1', expected the end"),
        ("no solution\n", 2, "wrong output format out:1: found 'no', expected a digit of the puzzle"),
        ("", 2, "wrong output format out:1: found the end, expected 16 digits, not 0"),
    ],
)
def test_solutions(ringdoku_here: Run, tmp_path: Path, output: str, code: int, message: str) -> None:
    puzzles = f"{BLANK}\n{NONE}\n"
    assert judged(ringdoku_here, tmp_path, puzzles, output) == (code, message)
    kattis = judged(ringdoku_here, tmp_path, puzzles, output, "--style", "kattis")
    assert kattis == (42 if code == 0 else 43, message)


@pytest.mark.parametrize(
    ("output", "code", "message"),
    [
        ("254\n-1\n", 0, "ok 2 puzzles"),
        ("254 -1", 0, "ok 2 puzzles"),
        ("253\n-1\n", 1, "wrong answer out:1: puzzle 1: the best score is 254, not 253"),
        ("254\n0\n", 1, "wrong answer out:2: puzzle 2: there is no solution, not 0"),
        ("0254\n-1\n", 2, "wrong output format out:1: found '0254', expected a score, or -1 for no solution"),
        ("254.0\n", 2, "wrong output format out:1: found '254.0', expected a score, or -1 for no solution"),
        ("２５４\n", 2, "wrong output format out:1: found '２５４', expected a score, or -1 for no solution"),
    ],
)
def test_best_scores(ringdoku_here: Run, tmp_path: Path, output: str, code: int, message: str) -> None:
    for answer in (None, "254\n-1\n"):
        found = judged(ringdoku_here, tmp_path, f"{BLANK}\n{NONE}\n", output, "--task", "maximise", answer=answer)
        said = message
        for own, of_jury in JURY if answer else ():
            said = said.replace(own, of_jury)
        assert found == (code, said)


@pytest.mark.parametrize(
    ("puzzles", "answer", "message"),
    [
        ("x\n", None, "FAIL in:1"),
        (f"{BLANK}\n", "-1\n", "FAIL out:1: puzzle 1: the output has a solution where the answer of the jury has none"),
        (f"{BLANK}\n", "12\n", "FAIL ans:2: found the end"),
        (f"{BLANK}\n", f"{FIRST}\n{FIRST}\n", "FAIL ans:2: found '1234341221434321', expected the end"),
    ],
)
def test_a_wrong_test(ringdoku_here: Run, tmp_path: Path, puzzles: str, answer: str | None, message: str) -> None:
    for style in ("testlib", "kattis"):
        code, said = judged(ringdoku_here, tmp_path, puzzles, f"{FIRST}\n", "--style", style, answer=answer)
        assert (code, said[: len(message)]) == (3, message)


def test_larger_orders_the_samples_and_a_time_limit(ringdoku_here: Run, tmp_path: Path) -> None:
    assert ringdoku_here("judge", FIXTURES / "b4279.in", FIXTURES / "b4279.out").returncode == 0
    for sample in ("p1074-1", "p1074-2"):
        ask = ("judge", FIXTURES / f"{sample}.in", FIXTURES / f"{sample}.out", "--task", "maximise")
        assert ringdoku_here(*ask).returncode == 0
    rows = " ".join(SOLVED)
    assert judged(ringdoku_here, tmp_path, LINE, rows) == (0, "ok 1 puzzle")
    spaced = "1 . . . . . . . . . . .\n" + ". . . . . . . . . . . .\n" * 11
    solved = ringdoku_here("solve", "--box", "3x4", input=spaced).stdout
    assert judged(ringdoku_here, tmp_path, spaced, solved.replace("\n", " "), "--box", "3x4") == (0, "ok 1 puzzle")
    found = judged(ringdoku_here, tmp_path, "." * 81, "2800\n", "--task", "maximise", "--time-limit", "1e-9")
    assert found == (3, "FAIL the time limit passed before the answer was complete")


@pytest.mark.parametrize("arguments", [(), ("in",), ("in", "out", "--style", "x"), ("in", "out", "--weights", "none")])
def test_wrong_usage_is_no_fault_of_the_program(ringdoku_here: Run, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    done = ringdoku_here("judge", *arguments, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (3, "", 1)


@pytest.mark.parametrize(
    ("corner", "claims", "verdict"),
    [
        (-1, "-1\n-1\n", "ok 2 puzzles"),
        (-5, "-5\n-1\n", "ok 2 puzzles"),
        (-5, "-1\n-1\n", "wrong answer claims:1: puzzle 1: the best score is -5, not -1"),
    ],
)
def test_a_score_of_minus_one(ringdoku_here: Run, tmp_path: Path, corner: int, claims: str, verdict: str) -> None:
    """The first puzzle, which is filled, has as best score the weight of the corner, the second has no solution."""
    (tmp_path / "weights").write_text(f"{corner} 0 0 0\n" + "0 0 0 0\n" * 3)
    (tmp_path / "puzzles").write_text(f"{FIRST}\n{NONE}\n")
    (tmp_path / "claims").write_text(claims)
    given = ("puzzles", "--weights", "weights")
    done = ringdoku_here("maximise", *given, "--template", "{score} {solvable}", cwd=tmp_path)
    assert done.stdout == f"{corner} Yes\n-1 No\n"
    done = ringdoku_here("check", *given, "--best", "--solution", "claims", cwd=tmp_path)
    assert ("score -1 claimed, not the best" in done.stdout) is (verdict != "ok 2 puzzles")
    assert done.stdout.endswith("2: contradictory clues, no solution claimed, the best\n")
    done = ringdoku_here("judge", "puzzles", "claims", "--task", "maximise", *given[1:], cwd=tmp_path)
    assert done.stderr == f"{verdict}\n"


PROGRAM = """import sys, time
first = sys.stdin.read(1)
time.sleep(60 * (first == "2"))
while first == "4":
    print("4" * 10**7)
print({"1": -1, ".": 254}[first])
"""


def test_a_program_is_run_test_by_test(ringdoku_here: Run, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    starts = {"1.in": ".", "2.in": "11", "10.in": "3", "11.in": "2", "9.in": ".", "12.in": "4", "13": "."}
    for name, start in starts.items():
        (tmp_path / name).write_text(f"{start:.<16}\n")
    for name, score in (("9.ans", 253), ("13.a", 254)):
        (tmp_path / name).write_text(f"{score}\n")
    ask = ("judge", ".", "--run", f"{sys.executable} program.py", "--task", "maximise")
    done = ringdoku_here(*ask, "--time-limit", "4", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (1, "")
    assert [line.split(" s  ")[-1] for line in done.stdout.splitlines()] == [
        "ok                   1 puzzle",
        "ok                   1 puzzle",
        "wrong answer         output:1: puzzle 1: the answer of the jury is 253, not 254",
        "run-time error       ended with exit code 1: KeyError: '3'",
        "time limit exceeded",
        "too much output      output: found more, expected at most 268435456 bytes",
        "ok                   1 puzzle",
        "3 of 7 ok, 1 wrong answer, 1 run-time error, 1 time limit exceeded, 1 too much output",
    ]
    (tmp_path / "9.out").write_text("254\n")
    for command in (ask, ("check", ".", "--best")):
        done = ringdoku_here(*command, cwd=tmp_path)
        assert done.stderr == "ringdoku: error: 9.out and 9.ans are different answers to 9.in; keep one\n"
    for refused in (("1.in", "out", "--run", "x"), (".", "--run", "no-such"), ("-", "--run", "x")):
        assert ringdoku_here("judge", *refused, cwd=tmp_path).returncode == 3


@pytest.mark.parametrize(("row", "code"), [("1324", 0), ("3124", 1)])
def test_any_digits_of_extra_cells_go_with_a_right_grid(
    ringdoku_here: Run, tmp_path: Path, row: str, code: int
) -> None:
    (tmp_path / "in").write_text("board 4x4 extra a\nallowed 1 2: a\ndifference 1: r1c1 a\n1...\n..3.\n.1..\n...2\n")
    (tmp_path / "out").write_text(f"{row}\n4231\n2143\n3412\n")
    assert ringdoku_here("judge", "in", "out", cwd=tmp_path).returncode == code
