"""Killer sudoku in one line of text, 9×9 with 3×3 boxes.

The short form (forum.enjoysudoku.com, "Understandable snarfable killer cages") has 81 characters: `< > ^ v` and the
diagonal `` ` `` (up left), `'` (up right), `,` (down left), `.` (down right) point to another cell of the cage, and the
cell that they lead to has the sum, `0`-`9`, then `A`-`Z` for 10-35 and `a`-`j` for 36-45. SumoCue's form is `3x3:`, a
`d` for diagonals or nothing, `:k:` and 81 numbers, 256·sum + cage, where a sum of 0 is not a cage.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ringdoku.constraints.regions import DiagonalDown, DiagonalUp
from ringdoku.constraints.sums import Killer
from ringdoku.domain.board import Board
from ringdoku.domain.constraint import Constraint
from ringdoku.domain.errors import LinkError
from ringdoku.domain.grid import Grid
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.ruleset import classic

_STEPS = {"<": (0, -1), ">": (0, 1), "^": (-1, 0), "v": (1, 0), "`": (-1, -1), "'": (-1, 1), ",": (1, -1), ".": (1, 1)}
_SUMS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghij"
_BOARD = Board.square(9)


def is_short_killer(text: str) -> bool:
    """Whether a text without white space can be a killer: 81 characters, of which at least one is a pointer."""
    return bool(re.fullmatch("[0-9A-Za-jv<>^`',.]{81}", text) and re.search("[<v>^`',]", text))


def is_sumocue(text: str) -> bool:
    """Whether a text without white space starts like a SumoCue text."""
    return bool(re.match("3x3:d?:k:", text))


def read_short_killer(text: str) -> Puzzle:
    """Raises `LinkError`."""
    text = "".join(text.split())
    if not is_short_killer(text):
        raise LinkError(f"a killer text has 81 characters 0-9 A-Z a-j < > ^ v ` ' , . and not {text[:90]!r}")
    cages: dict[int, list[int]] = {}
    for cell in range(_BOARD.cell_count):
        cages.setdefault(_root(text, cell), []).append(cell)
    return _puzzle(Killer(_SUMS.index(text[root]) or None, tuple(cells)) for root, cells in cages.items())


def _root(text: str, start: int) -> int:
    """The cell with the sum that a cell's pointers lead to."""
    cell, passed = start, 0
    while text[cell] in _STEPS:
        row, column = divmod(cell, 9)
        down, right = _STEPS[text[cell]]
        following = _BOARD.at(row + down, column + right)
        passed += 1
        if following is None or passed > _BOARD.cell_count:
            where = "off the board" if following is None else "round in a circle"
            raise LinkError(f"the cage at {_BOARD.cell_name(start)} leads {where}")
        cell = following
    return cell


def read_sumocue(text: str) -> Puzzle:
    """Raises `LinkError`."""
    text = "".join(text.split())
    shape, diagonals, kind, *numbers = (*text.split(":"), "", "")
    numbers = numbers[:-2] if numbers[-3:-2] != [""] else numbers[:-3]
    if (shape, kind) != ("3x3", "k") or diagonals not in ("", "d") or len(numbers) != _BOARD.cell_count:
        raise LinkError(f"a SumoCue text is 3x3::k: and 81 numbers, not {len(numbers)} numbers after {text[:8]!r}")
    cages: dict[tuple[int, int], list[int]] = {}
    for cell, number in enumerate(numbers):
        if not re.fullmatch("[0-9]{1,6}", number):
            raise LinkError(f"the number of {_BOARD.cell_name(cell)} is {number!r}, which is not a number")
        total, cage = divmod(int(number), 256)
        if total:
            cages.setdefault((cage, total), []).append(cell)
    both = [total for cage, total in cages if any(other == cage and total != sum_ for other, sum_ in cages)]
    if both:
        raise LinkError(f"a cage has two sums, {both[0]} and {both[1]}")
    lines: tuple[Constraint, ...] = (DiagonalUp(), DiagonalDown()) if diagonals else ()
    return _puzzle((*lines, *(Killer(total, tuple(cells)) for (_, total), cells in cages.items())))


def _puzzle(constraints: Iterable[Constraint]) -> Puzzle:
    return Puzzle(classic(9).extended(*constraints), Grid.blank(_BOARD))
