"""`ringdoku explain` and `ringdoku rate`."""

import json
from pathlib import Path

import pytest
from conftest import Run

from ringdoku.explanations.techniques import TECHNIQUES

SMALL = "12..341221.34.21"
HARD = "600030000080409050000002900000600042090050003005007000800000701103900400000000800"
JSON = ("--output-format", "json")
LEVELS = ["where", "technique", "cells", "step"]


@pytest.mark.parametrize("level", LEVELS)
def test_a_hint_says_as_much_as_was_asked_for(ringdoku_here: Run, level: str) -> None:
    told, is_all = LEVELS[: LEVELS.index(level) + 1], level == "step"
    done = ringdoku_here("explain", "--next", level, input=f"{HARD}\n")
    first, *lines, last = done.stdout.splitlines()
    assert (first, last) == ("<stdin>:1:", "")
    assert [line.partition(":")[0] for line in lines[: len(told)]] == told
    assert [len(lines) > len(told), "r1c3 is 9" in done.stdout, "=9" in done.stdout] == [is_all] * 3
    record = json.loads(ringdoku_here("explain", *JSON, "--next", level, input=f"{HARD}\n").stdout)
    assert (len(record["steps"]), list(record["hint"])) == (is_all, told)


def test_json_has_every_step_conflicts_and_prices(ringdoku_here: Run) -> None:
    hard, none, prices = (
        json.loads(ringdoku_here("explain", *JSON, *asked, input=f"{line}\n").stdout)
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


def test_ratings_and_digits_that_the_player_has(ringdoku_here: Run, tmp_path: Path) -> None:
    assert json.loads(ringdoku_here("rate", *JSON, input=f"{SMALL}\n").stdout) == {
        "name": "",
        "place": "<stdin>:1",
        "outcome": "solved",
        "level": "singles",
        "truths": 1,
        "technique": "full house",
        "steps": {"1": 4},
        "splits": {},
        "word": "easy",
        "trial_depth": 0,
    }
    listed = ringdoku_here("rate", "--techniques").stdout.splitlines()
    assert listed == [f"{row.size} {row.name}: {row.summary}" for row in TECHNIQUES.values()]
    (tmp_path / "marks.txt").write_text(SMALL.replace("12..", "123."))
    for asked, count in (([], 4), (["--marks", tmp_path / "marks.txt"], 3)):
        found = json.loads(ringdoku_here("explain", *JSON, *asked, input=f"{SMALL}\n").stdout)
        assert (len(found["steps"]), found["outcome"]) == (count, "solved")
