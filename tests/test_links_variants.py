"""Puzzles that others shared: RINGDOKU_VARIANTS names a folder with `variants.jsonl`, `untyped.jsonl` and `many.jsonl`.

An object a line: `format`, the link or text as `text`, the `solution`, digits or letters from A, and how many there are
as `count`, where 2 is two or more but in `many.jsonl`.
"""

import json
import os
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import Any

import pytest

from ringdoku import Session, TimeLimitError, UsageError, count_solutions
from ringdoku.links import LINKS, read_link

FOLDER = os.environ.get("RINGDOKU_VARIANTS")

SHARED = ("fpuzzles", "sudokupad", "penpa")
TEXTS = ("iss", "iss-text", "killer-short", "killer-sumocue")


def _lines(name: str, formats: tuple[str, ...]) -> list[dict[str, Any]]:
    if not FOLDER:
        return []
    every = map(json.loads, (Path(FOLDER).resolve() / name).read_text("utf-8").splitlines())
    return [line for line in every if line["format"] in formats]


def _digits(solution: str) -> tuple[int, ...]:
    return tuple(int(digit) if digit.isdigit() else ord(digit) - ord("A") + 1 for digit in solution)


STATED, UNSTATED = _lines("variants.jsonl", SHARED), _lines("untyped.jsonl", SHARED)
WORDED, MANY = _lines("variants.jsonl", TEXTS), _lines("many.jsonl", TEXTS)
pytestmark = pytest.mark.skipif(not FOLDER, reason="RINGDOKU_VARIANTS names no folder of puzzles")


@pytest.mark.parametrize("line", STATED, ids=lambda line: str(line["id"]))
def test_a_puzzle_that_is_stated_has_the_known_solution_and_no_other(line: dict[str, Any]) -> None:
    shared = read_link(line["text"])
    assert shared.unknown == ()
    if line["format"] == "fpuzzles":
        again = read_link(LINKS["fpuzzles"](shared))
        assert replace(again, puzzle=shared.puzzle) == shared
        shared = again
    shared = read_link(LINKS["iss"](shared))
    grids = islice(Session("cadical195").solutions(shared.puzzle), 2)
    assert [grid.digits for grid in grids] == [_digits(line["solution"])]


@pytest.mark.parametrize("line", UNSTATED, ids=lambda line: str(line["id"]))
def test_a_puzzle_that_is_not_stated_is_never_taken_for_whole(line: dict[str, Any]) -> None:
    shared = read_link(line["text"])
    assert shared.unknown or count_solutions(shared.puzzle, 2) == 2


@pytest.mark.parametrize("form", TEXTS)
def test_texts_have_the_known_solution_and_no_other(form: str) -> None:
    """Some of them, half a second each, since a few are hard for every solver: benchmarks/variants.py has all."""
    lines = [line for line in WORDED if line["format"] == form]
    lines = lines[:: 1 + len(lines) // 12]
    refused, unknown, wrong = [], [], []
    for line in lines:
        try:
            puzzle = read_link(line["text"]).puzzle
            solutions = Session("cadical195").solutions(puzzle, time_limit=0.5)
            grids = [tuple(chain(*grid.rows)) for grid in islice(solutions, 2)]
        except UsageError as error:
            refused.append((line["id"], str(error)))
        except TimeLimitError:
            unknown.append(line["id"])
        else:
            if len(grids) != line["count"] or (line["count"] == 1 and grids != [_digits(line["solution"])]):
                wrong.append(line["id"])
    assert wrong == []
    assert len(refused) <= 1, refused
    assert len(unknown) < len(lines)


@pytest.mark.parametrize("line", MANY[::6], ids=lambda line: str(line["id"]))
def test_every_solution_of_a_text_is_found(line: dict[str, Any]) -> None:
    assert count_solutions(read_link(line["text"]).puzzle, 10_000) == line["count"]
