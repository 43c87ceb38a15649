"""The contents of a picture, for SVG and text alike: marks, clues outside the grid, and rules in words."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import inf
from typing import NamedTuple

from ringdoku.domain import Board, Boxes, Constraint, Grid, Lines, Ruleset, shortened, write_constraint
from ringdoku.domain.marks import Border, Mark, Note, Outside, Shade

_PLACE = re.compile("r([0-9]+)c([0-9]+)")


class Clue(NamedTuple):
    """Text outside the grid: row −1 is above the first row, and so on. `level` counts places from the grid, from 0.
    `towards` is the (row, column) that an arrow points at, None for no arrow."""

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
        board, found = self.ruleset.board, []
        for constraint in self.ruleset.constraints:
            marks = tuple(constraint.marks(board))
            beside = any(cell >= board.grid_count for mark in marks for cell in mark.cells)
            found.append((constraint, () if beside else marks))
        return tuple(found)

    @cached_property
    def marks(self) -> tuple[Mark, ...]:
        return tuple(mark for _, marks in self.drawn for mark in marks)

    @cached_property
    def regions(self) -> tuple[tuple[int, ...], ...]:
        """Boxes and regions: sets of cells with a thick border. If they do not cover the grid, the whole grid too."""
        board = self.ruleset.board
        regions = [mark.cells for mark in self.marks if isinstance(mark, Border)]
        if len({cell for region in regions for cell in region}) < board.grid_count:
            regions.append(tuple(range(board.grid_count)))
        return tuple(regions)

    @cached_property
    def clues(self) -> tuple[Clue, ...]:
        """The marks outside the grid. Marks at one place are ordered away from the grid."""
        levels: Counter[tuple[int, int]] = Counter()
        found = []
        for mark in self.marks:
            if isinstance(mark, Outside) and (place := _outside(mark, self.ruleset.board)):
                row, column = place
                towards = divmod(mark.cells[0], self.ruleset.board.columns) if mark.arrow else None
                found.append(Clue(row, column, levels[place], mark.text, towards))
                levels[place] += 1
        return tuple(found)

    @cached_property
    def depths(self) -> list[int]:
        """How many clues stand one behind the other at most to the left of the grid, above, to its right, and below."""
        board, depths = self.ruleset.board, [0] * 4
        for clue in self.clues:
            sides = (clue.column < 0, clue.row < 0, clue.column >= board.columns, clue.row >= board.rows)
            depths = [max(depth, (clue.level + 1) * is_there) for depth, is_there in zip(depths, sides, strict=True)]
        return depths

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """Small text in cells, with that of clues outside whose line does not start at the border."""
        board = self.ruleset.board
        inside = (mark for mark in self.marks if isinstance(mark, Outside) and not _outside(mark, board))
        notes = (mark for mark in self.marks if isinstance(mark, Note))
        return *notes, *(Note(mark.cells[:1], mark.text) for mark in inside)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The rules in words: in full if the marks do not show everything, else the names."""
        return tuple(self._told)

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """The same with what each bare name demands."""
        told = (
            f"{words.replace('-', ' ')}: {constraint.summary}." if constraint and ":" not in words else words
            for words, constraint in self._told.items()
        )
        return tuple(words[:1].upper() + words[1:] for words in told)

    def basics(self, symbols: Sequence[str]) -> str:
        """A sentence about the digits, and where none stands twice: rows, columns, and what has a thick border."""
        digits, kinds = symbols or self.ruleset.board.digits, {Lines: ("a row", "a column"), Boxes: ("a box",)}
        borders = [type(constraint) for constraint, marks in self.drawn if is_border(constraint, marks)]
        *places, last = dict.fromkeys(place for kind in borders for place in kinds.get(kind, ("a region",))) or [""]
        twice = f", none twice in {', '.join(places)}{' or ' if places else ''}{last}" if last else ""
        return f"Digits {digits[0]} to {digits[-1]}{twice}."

    @cached_property
    def _told(self) -> dict[str, Constraint | None]:
        lines: dict[str, Constraint | None] = {}
        if not any(isinstance(rule, Lines) for rule in self.ruleset.constraints):
            lines["no lines"] = None
        # all numbers outside the grid look alike, except those with arrows
        alike = {type(constraint) for constraint, marks in self.drawn if has_numbers(marks)}
        for constraint, marks in self.drawn:
            if is_border(constraint, marks):
                continue
            text = in_words(constraint, self.ruleset.board)
            is_told = not all(isinstance(mark, Shade) for mark in marks)
            if is_told and not (type(constraint) in alike and len(alike) > 1):
                has_text = any(getattr(mark, "text", "") for mark in marks)
                text = constraint.text if has_text else text.partition(":")[0]
            lines.setdefault(text, constraint)
        return lines


def has_numbers(marks: Iterable[Mark]) -> bool:
    """Whether there are numbers outside the grid without arrows."""
    return any(isinstance(mark, Outside) and not mark.arrow for mark in marks)


def is_border(constraint: Constraint, marks: Iterable[Mark]) -> bool:
    """Whether the borders of the picture say it all."""
    return isinstance(constraint, Lines) or any(isinstance(mark, Border) for mark in marks)


def _outside(mark: Outside, board: Board) -> tuple[int, int] | None:
    """Row and column of the place next to the first cell, on the side away from the second, or for a single cell
    towards its nearest border; None if it is in the grid."""
    row, column = divmod(mark.cells[0], board.columns)
    if len(mark.cells) > 1:
        other_row, other_column = divmod(mark.cells[1], board.columns)
        down = (other_row > row) - (other_row < row)
        right = (other_column > column) - (other_column < column)
    else:
        ways = {(1, 0): row, (-1, 0): board.rows - 1 - row, (0, 1): column, (0, -1): board.columns - 1 - column}
        down, right = min(ways, key=lambda way: ways[way])
    place = row - down, column - right
    return None if board.at(*place) is not None else place


def in_words(constraint: Constraint, board: Board) -> str:
    """A constraint in our text form, with runs of cells abbreviated, and cut off if very long."""
    return shortened(with_runs(write_constraint(constraint, board)), 200)


def extra_digits(grid: Grid) -> list[str]:
    """The digits of the extra cells that have one; the number of extra cells if there are many."""
    board = grid.board
    if len(board.extra) > 20:
        return [f"{len(board.extra)} extra cells, whose digits JSON has"]
    return [f"{name} = {digit}" for name, digit in board.beside(grid.digits).items() if digit != board.blank]


def with_runs(text: str) -> str:
    """A line of our text form with straight runs of cells abbreviated: `r1c1-r1c4` for `r1c1 r1c2 r1c3 r1c4`."""
    words, short, start = text.split(" "), list[str](), 0
    places = [complex(*map(int, found.groups())) if (found := _PLACE.fullmatch(word)) else inf for word in words]
    # from each place to the next, nothing where they are not neighbours
    steps = [step if abs(step := other - one) < 2 else 0 for one, other in pairwise(places)]
    while start < len(words):
        end = start + 1
        while end < len(words) and steps[end - 1] and steps[end - 1] == steps[start]:
            end += 1
        short += [f"{words[start]}-{words[end - 1]}"] if end - start > 2 else words[start:end]
        start = end
    return " ".join(short)
