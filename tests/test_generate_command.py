"""`ringdoku generate` as a user runs it: the same seed gives the same bytes, and what cannot be had is said."""

from __future__ import annotations

import json
import shlex
import subprocess
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def test_a_pattern_says_where_clues_are(ringdoku_here: Run, tmp_path: Path) -> None:
    pattern = tmp_path / "pattern.txt"
    ask = ("generate", "--order", "4", "--pattern", pattern)
    pattern.write_text("XX..\n..X.\n.X..\n..XX\n")
    done = ringdoku_here(*ask, "--count", "3", "--seed", "2")
    assert done.returncode == 0
    for line in done.stdout.split():
        assert [cell for cell, digit in enumerate(line) if digit != "."] == [0, 1, 6, 9, 14, 15]
    pattern.write_text("X...\n...\n")
    done = ringdoku_here(*ask)
    message = f"ringdoku: error: {pattern}:2: found 3 characters, expected 4, one for each cell\n"
    assert (done.returncode, done.stderr) == (2, message)


def test_the_same_seed_gives_the_same_bytes(ringdoku_here: Run) -> None:
    ask = ("generate", "--clues", "24-30", "--symmetry", "half-turn", "--seed", "7")
    first = ringdoku_here(*ask, "--count", "4").stdout
    assert first == ringdoku_here(*ask, "--count", "4").stdout
    assert first.startswith(ringdoku_here(*ask, "--count", "2").stdout)
    assert first != ringdoku_here(*ask[:-1], "8", "--count", "4").stdout
    assert len(set(first.split())) == 4


@pytest.mark.parametrize(
    "asked",
    [
        *(f"--order 6 --box 3x2 --lay killer --output-format {name}" for name in ("line", "packed", "boxed", "json")),
        "--rule 'no boxes' --order 5 --output-format packed",
    ],
)
def test_what_is_written_is_read_again(ringdoku_here: Run, asked: str) -> None:
    text = ringdoku_here("generate", *shlex.split(asked), "--count", "2").stdout
    done = ringdoku_here("check", "--unique", input=text)
    assert (done.returncode, done.stdout.count("exactly one solution")) == (0, 2)


def test_json_has_the_solution_and_other_boards_their_rules(ringdoku_here: Run) -> None:
    done = ringdoku_here("generate", "--rule", "board 3x4", "--output-format", "json")
    record: dict[str, Any] = json.loads(done.stdout)
    assert (record["board"], record["name"]) == ("3x4", "seed 0 number 1")
    pairs = zip(chain(*record["grid"]), chain(*record["solution"]), strict=True)
    assert all(clue in (None, 0, digit) for clue, digit in pairs)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--clues", "3", "--tries", "4"), "not to be had after 4 beginnings; the nearest had 4 clues"),
        (("--level", "4-cases", "--tries", "3"), "not to be had after 3 beginnings; levels: 3 singles"),
        (("--time-limit", "1e-9"), "the time limit passed after 1 beginning"),
    ],
)
def test_what_is_out_of_reach_is_said(ringdoku_here: Run, arguments: tuple[str, ...], message: str) -> None:
    done = ringdoku_here("generate", "--order", "4", *arguments)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == f"ringdoku: puzzle 1 was not found: {message}\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--clues", "9-3"), "clues are from 0 to 81, the fewer first, not 9-3"),
        (("--clues", "x"), "--clues is a number or a span such as 24-30, not 'x'"),
        (("--clues", "24", "--minimal"), "ask for a number or for minimal"),
        (("--order", "6"), "its box shape must be given"),
        (("--lay", "kiler"), "'kiler' cannot be laid; there are: killer, arrow"),
        (("--rule", "kiler"), "no constraint is called 'kiler'"),
        (("--solutions", "0", "--lay", "killer"), "go with one solution only"),
        (("--level", "hard"), "no level is called 'hard'; there are: singles, 1, 2, 3, 4, 5, 6, cases"),
        (("--level", "singles-"), "--level is a level or a span such as 2-3, not 'singles-'"),
        (("--level", "3-1"), "levels are from the easier to the harder one, not 3-1"),
        (("--level", "1", "--solutions", "2+"), "levels are for puzzles with one solution"),
        (("--level", "1", "--order", "36"), "levels are for orders up to 25, not 36"),
        (("--symmetry", "half"), "no symmetry is called 'half'"),
        (("--symmetry", "diagonal", "--rule", "board 2x3"), "the symmetry diagonal is for square boards, not for 2x3"),
        (("--pattern", "nowhere.txt"), "cannot read nowhere.txt"),
        (("--clues", "90"), "clues are from 0 to 81, the fewer first, not 90"),
        (("--lay", "regions", "--clues", "0"), "one solution needs at least 8 clues, not 0"),
        (("--judge", "P1074"), "--judge needs --out"),
        (("--judge", "P1074", "--out", "x", "--minimal"), "--judge goes with --count"),
        (("--out", "x"), "--out and --layout go with --judge"),
        (("--judge", "P1"), "no task is called 'P1'; there are: P1074, solve"),
    ],
)
def test_wishes_that_make_no_sense_are_refused(ringdoku_here: Run, arguments: tuple[str, ...], message: str) -> None:
    done = ringdoku_here("generate", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in " ".join(done.stderr.split())
