"""Puzzles that others shared as links: RINGDOKU_VARIANTS names a folder with `variants.jsonl` and `untyped.jsonl`.

An object a line: `format`, the link as `text`, and the `solution`, digits or letters from A.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from ringdoku import Session, count_solutions
from ringdoku.links import read_link

FOLDER = os.environ.get("RINGDOKU_VARIANTS")


def _lines(name: str) -> list[dict[str, Any]]:
    if not FOLDER:
        return []
    every = map(json.loads, (Path(FOLDER).resolve() / name).read_text("utf-8").splitlines())
    return [line for line in every if line["format"] in ("fpuzzles", "sudokupad", "penpa")]


STATED, UNSTATED = _lines("variants.jsonl"), _lines("untyped.jsonl")
needs_folder = pytest.mark.skipif(not FOLDER, reason="RINGDOKU_VARIANTS names no folder of puzzles")


@needs_folder
@pytest.mark.parametrize("line", STATED, ids=lambda line: str(line["id"]))
def test_a_puzzle_that_is_stated_has_the_known_solution_and_no_other(line: dict[str, Any]) -> None:
    shared = read_link(line["text"])
    assert shared.unknown == ()
    letters = not str(line["solution"]).isdigit()
    solution = tuple(ord(digit) - ord("A") + 1 if letters else int(digit) for digit in line["solution"])
    grid = Session("cadical195").solve(shared.puzzle).grid
    assert grid is not None
    assert grid.digits == solution
    assert count_solutions(shared.puzzle, 2) == 1


@needs_folder
@pytest.mark.parametrize("line", UNSTATED, ids=lambda line: str(line["id"]))
def test_a_puzzle_that_is_not_stated_is_never_taken_for_whole(line: dict[str, Any]) -> None:
    shared = read_link(line["text"])
    assert shared.unknown or count_solutions(shared.puzzle, 2) == 2
