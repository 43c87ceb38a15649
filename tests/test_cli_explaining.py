"""`ringdoku explain` and `ringdoku rate`."""

from __future__ import annotations

import json
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from ringdoku.explanations.techniques import TECHNIQUES

Run = Callable[..., subprocess.CompletedProcess[str]]

SMALL = "12..341221.34.21"
BLANK = "." * 16
HARD = "600030000080409050000002900000600042090050003005007000800000701103900400000000800"
LEVELS = ["where", "technique", "cells", "step"]


@pytest.mark.parametrize(
    ("asked", "line", "code", "said"),
    [
        ("", SMALL, 0, "<stdin>:1:\n1. full house (1 truth): r1c4 is 4: the last cell of column 4.\n"),
        ("", SMALL, 0, "\nsolved; 1 truth (full house); steps: 4 of 1\n\n"),
        ("--only singles", HARD, 0, "no step of this kind is left; "),
        ("--draw --rule 'killer 3: r1c1 r1c2'", BLANK, 1, "12-34"),
        ("--rule 'no boxes'", BLANK, 1, "solutions differ in at least 16 cells: "),
        ("--rule 'no boxes'", BLANK, 1, "there are too many to say which clues would decide"),
        ("", "1.1.............", 1, "  r1c1 = 1, r1c3 = 1\n"),
        ("", "1.1.............", 1, "1. row 1 has 1 in r1c1, r1c3.\n"),
        ("", "..34..1221434321", 0, "solved; "),
        ("", "..343412..434321", 1, "no step is left; 4 cells open\nmore than one solution; two of them:\n"),
        ("", "..343412..434321", 1, "solutions differ in 4 cells: r1c1 r1c2 r3c1 r3c2\n"),
        ("", "..343412..434321", 1, "one more clue would decide: r1c1 = 1 or r1c1 = 2"),
        ("--score", SMALL, 0, "all together: no score is above "),
    ],
)
def test_what_is_explained(ringdoku_here: Run, asked: str, line: str, code: int, said: str) -> None:
    done = ringdoku_here("explain", *shlex.split(asked), input=f"{line}\n")
    assert (done.returncode, said in done.stdout) == (code, True)


@pytest.mark.parametrize("level", LEVELS)
def test_a_hint_says_as_much_as_was_asked_for(ringdoku_here: Run, level: str) -> None:
    told, is_all = LEVELS[: LEVELS.index(level) + 1], level == "step"
    done = ringdoku_here("explain", "--next", level, input=f"{HARD}\n")
    lines = done.stdout.splitlines()[1:-1]
    assert [line.partition(":")[0] for line in lines[: len(told)]] == told
    assert [len(lines) > len(told), "r1c3 is 9" in done.stdout, "=9" in done.stdout] == [is_all] * 3
    record = json.loads(ringdoku_here("explain", "--json", "--next", level, input=f"{HARD}\n").stdout)
    assert (len(record["steps"]), list(record["hint"])) == (is_all, told)


def test_json_has_every_step_conflicts_and_prices(ringdoku_here: Run) -> None:
    hard, none, prices = (
        json.loads(ringdoku_here("explain", "--json", *asked, input=f"{line}\n").stdout)
        for asked, line in (([], HARD), ([], "12....3...4....."), (["--score"], SMALL))
    )
    assert hard["outcome"] == "solved"
    assert hard["rating"]["truths"] == max(step["size"] for step in hard["steps"]) == 4
    assert sum(hard["rating"]["steps"].values()) == len(hard["steps"])
    assert hard["steps"][0]["truths"] == [{"unit": "box 1", "digit": 9}]
    assert hard["steps"][0]["placed"] == ["r1c3", 9]
    assert (none["outcome"], none["conflict"]["smallest"]) == ("contradiction", True)
    assert none["steps"][-1]["text"][0].startswith("There is no solution: ")
    found = prices["prices"]
    total = sum(found["cells"]) + sum(map(sum, found["units"].values()))
    assert total // found["denominator"] == found["bound"] == found["score"]


EVERY = ["1...", ".2..", "1..4", "...4", *["1234"] * 12]


@pytest.mark.parametrize(
    ("marks", "asked", "code", "said"),
    [
        ("123.341221.34.21", [], 0, "solved; "),
        ("124.341221.34.21", [], 1, "<stdin>:1:\nr1c3 is wrong: its digit is 3.\n\n"),
        ("124.341221.34.21", ["--next", "where"], 1, "<stdin>:1:\nr1c3 is wrong: look at it again.\n\n"),
        # one of two marks of a cell, as n³ characters, is the missing digit
        ("".join(EVERY), [], 1, "r1c3 is wrong: its digit is 3."),
        ("".join(EVERY).replace("1..4", "..34"), [], 0, "solved"),
        ("." * 81, [], 2, "do not fit"),
    ],
)
def test_wrong_marks_come_first(
    ringdoku_here: Run, tmp_path: Path, marks: str, asked: list[str], code: int, said: str
) -> None:
    (tmp_path / "marks.txt").write_text(f"{marks}\n")
    done = ringdoku_here("explain", "--marks", tmp_path / "marks.txt", *asked, input=f"{SMALL}\n")
    assert (done.returncode, said in done.stdout + done.stderr) == (code, True)
    # a digit that the player has needs no step
    assert "r1c3 is 3" not in done.stdout or marks[2] != "3"


def test_ratings(ringdoku_here: Run) -> None:
    done = ringdoku_here("rate", input=f"{SMALL}\n1.1.............\n{BLANK}\n")
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "<stdin>:1: 1 truth (full house); steps: 4 of 1",
        "<stdin>:2: no solution",
        "<stdin>:3: more than one solution",
    ]
    assert json.loads(ringdoku_here("rate", "--json", input=f"{SMALL}\n").stdout) == {
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
