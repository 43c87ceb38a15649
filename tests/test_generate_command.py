"""`ringdoku generate` as a user runs it: the same seed gives the same bytes, and what cannot be had is said."""

import json
import shlex
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from conftest import Run


def test_a_pattern_says_where_clues_are(ringdoku_here: Run, tmp_path: Path) -> None:
    pattern = tmp_path / "pattern.txt"
    ask = ("generate", "--order", "4", "--pattern", pattern)
    for marks in ("XX..\n..X.\n.X..\n..XX\n", "XX....X..X....XX\n"):
        pattern.write_text(marks)
        done = ringdoku_here(*ask, "--count", "3", "--seed", "2")
        assert done.returncode == 0
        for line in done.stdout.split():
            assert [cell for cell, digit in enumerate(line) if digit != "."] == [0, 1, 6, 9, 14, 15]


@pytest.mark.parametrize(
    "asked",
    [
        *(
            f"--order 6 --box 3x2 --lay killer --output-format {name}"
            for name in ("line", "packed", "boxed", "json", "penpa", "iss")
        ),
        "--rule 'no boxes' --order 5 --output-format packed",
        "--order 3 --box 1x3",
        "--order 2 --box 2x1 --output-format packed",
    ],
)
def test_what_is_written_is_read_again(ringdoku_here: Run, tmp_path: Path, asked: str) -> None:
    text = ringdoku_here("generate", *shlex.split(asked), "--count", "2").stdout
    done = ringdoku_here("check", "--unique", input=text)
    assert (done.returncode, done.stdout.count("exactly one solution")) == (0, 2)
    (tmp_path / "best").write_text(ringdoku_here("maximise", "--grid", input=text).stdout)
    done = ringdoku_here("check", "--best", "--solution", tmp_path / "best", input=text)
    assert (done.returncode, done.stdout.count(", the best")) == (0, 2)


def test_the_same_seed_gives_the_same_bytes_and_json_has_the_solution(ringdoku_here: Run) -> None:
    done = ringdoku_here("generate", "--rule", "board 3x4", "--output-format", "json")
    record: dict[str, Any] = json.loads(done.stdout)
    assert (record["board"], record["name"]) == ("3x4", "seed 0 number 1")
    pairs = zip(chain(*record["grid"]), chain(*record["solution"]), strict=True)
    assert all(clue in (None, 0, digit) for clue, digit in pairs)
    ask = ("generate", "--clues", "24-30", "--symmetry", "half-turn", "--seed", "7")
    first = ringdoku_here(*ask, "--count", "4").stdout
    assert first == ringdoku_here(*ask, "--count", "4").stdout
    assert first.startswith(ringdoku_here(*ask, "--count", "2").stdout)
    assert first != ringdoku_here(*ask[:-1], "8", "--count", "4").stdout
    assert len(set(first.split())) == 4
