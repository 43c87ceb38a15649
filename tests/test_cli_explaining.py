"""`ringdoku explain` and `ringdoku rate`."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from ringdoku.explanations.techniques import TECHNIQUES

Run = Callable[..., subprocess.CompletedProcess[str]]

SMALL = "12..341221.34.21"
HARD = "600030000080409050000002900000600042090050003005007000800000701103900400000000800"


def test_the_steps_of_a_small_puzzle(ringdoku_here: Run) -> None:
    done = ringdoku_here("explain", input=f"{SMALL}\n")
    assert (done.returncode, done.stderr) == (0, "")
    first, *steps, last, blank = done.stdout.splitlines()
    assert (first, blank) == ("<stdin>:1:", "")
    assert steps[0] == "1. full house (1 truth): r1c4 is 4: the last cell of column 4."
    assert last == "solved; 1 truth (full house); steps: 4 of 1"


def test_a_hint_as_json_says_no_more_than_was_asked_for(ringdoku_here: Run) -> None:
    done = [
        json.loads(ringdoku_here("explain", "--json", "--next", level, input=f"{SMALL}\n").stdout)
        for level in ("where", "step")
    ]
    assert [len(found["steps"]) for found in done] == [0, 1]
    assert [list(found["hint"]) for found in done] == [["where"], ["where", "technique", "cells", "step"]]


@pytest.mark.parametrize(("level", "told"), [("where", 1), ("technique", 2), ("cells", 3), ("step", 4)])
def test_a_hint_says_as_much_as_was_asked_for(ringdoku_here: Run, level: str, told: int) -> None:
    done = ringdoku_here("explain", "--next", level, input=f"{HARD}\n")
    lines = done.stdout.splitlines()[1:-1]
    assert [line.partition(":")[0] for line in lines[:told]] == ["where", "technique", "cells", "step"][:told]
    assert (len(lines) > told) == (level == "step")
    assert ("r1c3 is 9" in done.stdout) == (level == "step")
    assert ("=9" in done.stdout) == (level == "step")


def test_singles_alone_give_up(ringdoku_here: Run) -> None:
    done = ringdoku_here("explain", "--only", "singles", input=f"{HARD}\n")
    assert done.returncode == 0
    assert "no step of this kind is left; " in done.stdout
    assert "chain" not in done.stdout


def test_json_has_every_step(ringdoku_here: Run) -> None:
    done = ringdoku_here("explain", "--json", input=f"{HARD}\n")
    record = json.loads(done.stdout)
    assert record["outcome"] == "solved"
    assert record["rating"]["truths"] == max(step["size"] for step in record["steps"]) == 4
    assert sum(record["rating"]["steps"].values()) == len(record["steps"])
    assert record["steps"][0]["truths"] == [{"unit": "box 1", "digit": 9}]
    assert record["steps"][0]["placed"] == ["r1c3", 9]


def test_drawings_show_what_goes(ringdoku_here: Run) -> None:
    done = ringdoku_here("explain", "--draw", "--rule", "killer 3: r1c1 r1c2", input="................\n")
    assert "12-34" in done.stdout
    assert "more than one solution; two of them:" in done.stdout
    assert done.returncode == 1


def test_no_solution_is_a_conflict_of_few_clues(ringdoku_here: Run) -> None:
    done = ringdoku_here("explain", input="1.1.............\n")
    assert done.returncode == 1
    assert "  r1c1 = 1, r1c3 = 1\n" in done.stdout
    assert "1. row 1 has 1 in r1c1, r1c3.\n" in done.stdout
    record = json.loads(ringdoku_here("explain", "--json", input="12....3...4.....\n").stdout)
    assert record["outcome"] == "contradiction"
    assert record["conflict"]["smallest"] is True
    assert record["steps"][-1]["text"][0].startswith("There is no solution: ")


def test_two_solutions_and_what_would_decide(ringdoku_here: Run) -> None:
    record = json.loads(ringdoku_here("explain", "--json", input="..34341221434321\n").stdout)
    assert record["outcome"] == "solved"
    done = ringdoku_here("explain", input="..34..1221434321\n")
    assert done.returncode == 0
    done = ringdoku_here("explain", input="..343412..434321\n")
    assert done.returncode == 1
    assert "one more clue would decide: r1c1 = 1 or r1c1 = 2" in done.stdout
    assert "no step is left; 4 cells open\n" in done.stdout
    assert "solutions differ in 4 cells: r1c1 r1c2 r3c1 r3c2\n" in done.stdout
    many = ringdoku_here("explain", "--rule", "no boxes", input="................\n")
    assert "solutions differ in at least 16 cells: " in many.stdout
    assert "there are too many to say which clues would decide" in many.stdout


def test_wrong_marks_come_first(ringdoku_here: Run, tmp_path: Path) -> None:
    marks = tmp_path / "marks.txt"
    marks.write_text("123.341221.34.21\n")
    done = ringdoku_here("explain", "--marks", marks, input=f"{SMALL}\n")
    assert done.returncode == 0
    assert "solved; " in done.stdout
    marks.write_text("124.341221.34.21\n")
    done = ringdoku_here("explain", "--marks", marks, input=f"{SMALL}\n")
    assert (done.returncode, done.stdout) == (1, "<stdin>:1:\nr1c3 is wrong: its digit is 3.\n\n")
    done = ringdoku_here("explain", "--marks", marks, "--next", "where", input=f"{SMALL}\n")
    assert done.stdout == "<stdin>:1:\nr1c3 is wrong: look at it again.\n\n"
    # a digit that the player has needs no step
    marks.write_text("12..341221.34321\n")
    done = ringdoku_here("explain", "--marks", marks, input=f"{SMALL}\n")
    assert "r4c2 is" not in done.stdout
    assert "solved" in done.stdout
    # one of two marks of a cell, as n³ characters, is the missing digit
    every = ["1...", ".2..", "1..4", "...4", *("1234" for _ in range(12))]
    marks.write_text("".join(every) + "\n")
    done = ringdoku_here("explain", "--marks", marks, input=f"{SMALL}\n")
    assert "r1c3 is wrong: its digit is 3." in done.stdout
    every[2] = "..34"
    marks.write_text("".join(every) + "\n")
    assert "solved" in ringdoku_here("explain", "--marks", marks, input=f"{SMALL}\n").stdout
    marks.write_text("." * 81 + "\n")
    done = ringdoku_here("explain", "--marks", marks, input=f"{SMALL}\n")
    assert done.returncode == 2
    assert "do not fit" in done.stderr


def test_the_prices_of_a_best_score(ringdoku_here: Run) -> None:
    done = ringdoku_here("explain", "--score", input=f"{SMALL}\n")
    assert done.returncode == 0
    assert "all together: no score is above " in done.stdout
    assert "The best score is " in done.stdout
    prices = json.loads(ringdoku_here("explain", "--score", "--json", input=f"{SMALL}\n").stdout)["prices"]
    total = sum(prices["cells"]) + sum(map(sum, prices["units"].values()))
    assert total // prices["denominator"] == prices["bound"] == prices["score"]
    assert ringdoku_here("explain", "--score", "--draw", input=f"{SMALL}\n").returncode == 2


def test_ratings(ringdoku_here: Run) -> None:
    done = ringdoku_here("rate", input=f"{SMALL}\n1.1.............\n................\n")
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "<stdin>:1: 1 truth (full house); steps: 4 of 1",
        "<stdin>:2: no solution",
        "<stdin>:3: more than one solution",
    ]
    record = json.loads(ringdoku_here("rate", "--json", input=f"{SMALL}\n").stdout)
    assert record == {
        "name": "",
        "place": "<stdin>:1",
        "outcome": "solved",
        "level": "singles",
        "truths": 1,
        "technique": "full house",
        "steps": {"1": 4},
    }
    listed = ringdoku_here("rate", "--techniques").stdout.splitlines()
    assert listed == [f"{row.size} {row.name}: {row.summary}" for row in TECHNIQUES.values()]


def test_a_time_limit_ends_it(ringdoku_here: Run) -> None:
    line = "100007090030020008009600500005300900010080002600004000300000010040000007007000300"
    done = ringdoku_here("rate", "--time-limit", "0.5", input=f"{line}\n")
    assert (done.returncode, done.stdout) == (3, "<stdin>:1: unknown\n")
