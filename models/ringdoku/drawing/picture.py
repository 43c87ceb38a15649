"""The contents of a picture, for SVG and text alike: marks, clues outside the grid, and rules in words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from ringdoku.domain.board import Board
from ringdoku.domain.constraint import Constraint, Lines, write_constraint
from ringdoku.domain.grid import Grid
from ringdoku.domain.marks import Mark, Note, Outline, Outside, Shade, Stroke
from ringdoku.domain.ruleset import Ruleset

_BORDERS = ("boxes", "regions")
"""Constraints that the borders of every picture show."""

_PLACE = re.compile("r([0-9]+)c([0-9]+)")
_SHORTEST_RUN = 3
_LONGEST = 200
"""The most characters of a rule in words."""
_MOST_EXTRA = 20


class Clue(NamedTuple):
    """Text outside the grid: row −1 is above the first row, and so on. `level` counts places from the grid, from 0.

    `towards` is the (row, column) that an arrow points at, None for no arrow.
    """

    row: int
    column: int
    level: int
    text: str
    towards: tuple[int, int] | None


@dataclass(frozen=True)
class Picture:
    """The marks of the rules, in their order."""

    ruleset: Ruleset

    @cached_property
    def drawn(self) -> tuple[tuple[Constraint, tuple[Mark, ...]], ...]:
        """Each constraint with its marks; without marks if one of them is for an extra cell, which is not drawn."""
        board = self.ruleset.board
        found = []
        for constraint in self.ruleset.constraints:
            marks = tuple(constraint.marks(board))
            beside = any(cell >= board.grid_count for mark in marks for cell in cells_of(mark))
            found.append((constraint, () if beside else marks))
        return tuple(found)

    @cached_property
    def marks(self) -> tuple[Mark, ...]:
        return tuple(mark for _, marks in self.drawn for mark in marks)

    @cached_property
    def regions(self) -> tuple[tuple[int, ...], ...]:
        """Boxes and regions: sets of cells with a thick border. If they do not cover the grid, the whole grid too."""
        board = self.ruleset.board
        regions = [mark.cells for mark in self.marks if isinstance(mark, Outline) and not mark.dashed]
        if len({cell for region in regions for cell in region}) < board.grid_count:
            regions.append(tuple(range(board.grid_count)))
        return tuple(regions)

    @cached_property
    def clues(self) -> tuple[Clue, ...]:
        """The marks outside the grid. Marks at one place are ordered away from the grid."""
        levels: Counter[tuple[int, int]] = Counter()
        found = []
        for mark in self.marks:
            if isinstance(mark, Outside) and (place := outside(mark, self.ruleset.board)):
                row, column = place
                found.append(Clue(row, column, levels[place], mark.text, _first(mark, self.ruleset.board)))
                levels[place] += 1
        return tuple(found)

    @cached_property
    def depths(self) -> Mapping[str, int]:
        """How many clues stand one behind the other at most on each side of the grid."""
        board, depths = self.ruleset.board, {"left": 0, "top": 0, "right": 0, "bottom": 0}
        for clue in self.clues:
            for side, there in (
                ("left", clue.column < 0),
                ("top", clue.row < 0),
                ("right", clue.column >= board.columns),
                ("bottom", clue.row >= board.rows),
            ):
                depths[side] = max(depths[side], there and clue.level + 1)
        return depths

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """Small text in cells, with that of clues outside whose line does not start at the border."""
        board = self.ruleset.board
        inside = (mark for mark in self.marks if isinstance(mark, Outside) and not outside(mark, board))
        return (
            *(mark for mark in self.marks if isinstance(mark, Note)),
            *(Note(mark.cells[0], mark.text) for mark in inside),
        )

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The rules in words: the full rule if its marks do not show everything, else its name, with numbers that are
        not drawn."""
        lines = [] if any(isinstance(rule, Lines) for rule in self.ruleset.constraints) else ["no lines"]
        # all numbers outside the grid look alike, except those with arrows
        alike = {type(constraint) for constraint, marks in self.drawn if _has_numbers(marks)}
        for constraint, marks in self.drawn:
            if isinstance(constraint, Lines) or (marks and constraint.text in _BORDERS):
                continue
            text = in_words(constraint, self.ruleset.board)
            is_told = not all(isinstance(mark, Shade) for mark in marks)
            if is_told and not (type(constraint) in alike and len(alike) > 1):
                text = constraint.text if any(map(_text_of, marks)) else text.partition(":")[0]
            lines.append(text)
        return tuple(dict.fromkeys(lines))


def _has_numbers(marks: Iterable[Mark]) -> bool:
    """Whether there are numbers outside the grid without arrows."""
    return any(isinstance(mark, Outside) and not mark.arrow for mark in marks)


def cells_of(mark: Mark) -> tuple[int, ...]:
    """The cells of a mark."""
    return (mark.cell,) if isinstance(mark, Note) else mark.cells


def outside(mark: Outside, board: Board) -> tuple[int, int] | None:
    """Row and column of the place next to the first cell, on the side away from the second; None if it is in the
    grid."""
    row, column = divmod(mark.cells[0], board.columns)
    down, right = _direction(mark, board)
    place = row - down, column - right
    return None if board.at(*place) is not None else place


def _direction(mark: Outside, board: Board) -> tuple[int, int]:
    """The direction from the first cell to the second; for a single cell, into the grid from its nearest border."""
    row, column = divmod(mark.cells[0], board.columns)
    if len(mark.cells) > 1:
        down, right = (
            there - here for there, here in zip(divmod(mark.cells[1], board.columns), (row, column), strict=True)
        )
        return (down > 0) - (down < 0), (right > 0) - (right < 0)
    ways = {(1, 0): row, (-1, 0): board.rows - 1 - row, (0, 1): column, (0, -1): board.columns - 1 - column}
    return min(ways, key=lambda way: ways[way])


def _first(mark: Outside, board: Board) -> tuple[int, int] | None:
    return divmod(mark.cells[0], board.columns) if mark.arrow else None


def _text_of(mark: Mark) -> str:
    return "" if isinstance(mark, (Stroke, Shade)) else mark.text


def in_words(constraint: Constraint, board: Board) -> str:
    """A constraint in our text form, with runs of cells abbreviated, and cut off if very long."""
    text = with_runs(write_constraint(constraint, board))
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def extra_digits(grid: Grid) -> list[str]:
    """The digits of the extra cells that have one; the number of extra cells if there are many."""
    board = grid.board
    if len(board.extra) > _MOST_EXTRA:
        return [f"{len(board.extra)} extra cells, whose digits JSON has"]
    return [f"{name} = {digit}" for name, digit in board.beside(grid.digits).items() if digit != board.blank]


def with_runs(text: str) -> str:
    """A line of our text form with straight runs of cells abbreviated: `r1c1-r1c4` for `r1c1 r1c2 r1c3 r1c4`."""
    words: list[str] = []
    run: list[tuple[int, int]] = []

    def end() -> None:
        if len(run) < _SHORTEST_RUN:
            words.extend(f"r{row}c{column}" for row, column in run)
        else:
            words.append("-".join(f"r{row}c{column}" for row, column in (run[0], run[-1])))
        run.clear()

    for word in text.split(" "):
        found = _PLACE.fullmatch(word)
        place = (int(found[1]), int(found[2])) if found else (0, 0)
        if run and not (found and _goes_on(run, place)):
            end()
        if found:
            run.append(place)
        else:
            words.append(word)
    end()
    return " ".join(words)


def _goes_on(run: list[tuple[int, int]], place: tuple[int, int]) -> bool:
    step = place[0] - run[-1][0], place[1] - run[-1][1]
    first = (run[1][0] - run[0][0], run[1][1] - run[0][1]) if len(run) > 1 else step
    return step == first and max(map(abs, step)) == 1
