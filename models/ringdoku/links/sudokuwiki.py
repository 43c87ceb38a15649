"""Puzzles packed as sudokuwiki.org's solver takes them, such as `J9B` and three characters for each cell.

A letter says which rules there are, a digit the order; each cell is a number in base 36. Its lowest ten bits have the
clue: the digit, to which killers add 9, or 2^n + 17 for a blank. In killers follow six bits with the sum, in the first
cell of a cage, and the cage's colour, which differs from those beside it; the jigsaw's region is above them.
"""

import re
import string
from collections.abc import Iterable
from itertools import chain
from typing import NamedTuple

from ringdoku.constraints import regions, sums
from ringdoku.domain import Board, Boxes, Constraint, UsageError, refuse
from ringdoku.links.shared import Draft, ImportedPuzzle, cells_by, checked_text, components, kinds_named

STATES = kinds_named("lines boxes regions diagonal diagonal-down diagonal-up windoku disjoint-groups killer")
"""The constraints that a text can state."""


class _Layout(NamedTuple):
    """The meaning of a letter: `width` characters for a cell, the kinds of rules that need the letter, the rules
    that it states, the lowest bit of a cell's region number, and the number of colours of cages."""

    width: int
    kinds: tuple[type[Constraint], ...] = ()
    rules: tuple[Constraint, ...] = ()
    region: int = 0
    colours: int = 0


_LAYOUTS = {
    "S": _Layout(2),
    "X": _Layout(2, (regions.Diagonals,), (regions.DiagonalDown(), regions.DiagonalUp())),
    "W": _Layout(2, (regions.Windoku,), (regions.Windoku(3, 3),)),
    "C": _Layout(2, (regions.DisjointGroups,), (regions.DisjointGroups(3, 3),)),
    "J": _Layout(3, (regions.Regions,), region=10),
    "L": _Layout(4, (sums.Killer,), colours=32),
    "M": _Layout(5, (regions.Regions, sums.Killer), region=19, colours=8),
}
"""The layout of each letter. The last letter whose kinds of rules the puzzle has is written."""
_TEXT = re.compile(r"(?:https?://(?:www\.)?sudokuwiki\.org/\S*[?&]bd=)?([SXWCJLM])([69])B([0-9A-Za-z]+)")


def is_sudokuwiki(text: str) -> bool:
    """Whether a text, or the `bd` field of a link, has a letter, an order and the number of characters for these."""
    found = _TEXT.fullmatch(text)
    return bool(found and len(found[3]) == int(found[2]) ** 2 * _LAYOUTS[found[1]].width)


def read_sudokuwiki(text: str) -> ImportedPuzzle:
    """The puzzle of a text that `is_sudokuwiki` recognises. Raises `UsageError` for a solver's digits and notes."""
    found = _TEXT.fullmatch(text)
    assert found is not None
    layout, n = _LAYOUTS[found[1]], int(found[2])
    refuse(n == 6 and found[1] != "S", f"{found[0][:3]} is not supported; of 6x6, S6B is")
    draft = Draft(Board.square(n))
    values = [int(found[3][start : start + layout.width], 36) for start in range(0, len(found[3]), layout.width)]
    for cell, value in enumerate(values):
        clue = (value & 1023) - 9 * bool(layout.colours)
        if 1 <= clue <= n:
            draft.clues[cell] = clue
        elif value & 1023 != 2**n + 17:
            raise UsageError(f"{draft.board.cell_name(cell)} has notes or a digit that is no clue")
    if layout.region:
        draft.add_regions(cells_by(value >> layout.region for value in values).values())
    else:
        draft.constraints.append(Boxes(n // 3, 3))
    draft.constraints += layout.rules
    if layout.colours:
        _read_cages(draft, values, layout.colours)
    return draft.imported()


def _read_cages(draft: Draft, values: list[int], colour_count: int) -> None:
    colours = [value >> 16 & colour_count - 1 for value in values]
    alike = ((one, other) for one, other in draft.board.neighbours() if colours[one] == colours[other])
    for cells in components(draft.board, alike):
        total = values[cells[0]] >> 10 & 63
        if total or len(cells) > 1:
            draft.add(f"the cage at {draft.board.cell_name(cells[0])}", sums.Killer(total or None, cells))


def write_sudokuwiki(imported: ImportedPuzzle) -> str:
    """The packed text; for a classic puzzle the site's address with it. Raises `UsageError` for another board than 9x9
    and classic 6x6, and for the first rule that a text cannot state."""
    board = imported.puzzle.board
    if not board.is_plain or board.order not in (6, 9):
        raise UsageError(f"sudokuwiki.org has boards of 6x6 and 9x9 with digits from 1 and no extra cells, not {board}")
    text = checked_text("sudokuwiki.org", imported, _text_of, read_sudokuwiki)
    return f"https://www.sudokuwiki.org/sudoku.htm?bd={text}" if text.startswith("S9B") else text


def _text_of(imported: ImportedPuzzle) -> str:
    board, rules, n = imported.puzzle.board, imported.puzzle.ruleset.constraints, imported.puzzle.order
    kinds = frozenset(kind for rule in rules for kind in type(rule).__mro__)
    letter = [letter for letter, layout in _LAYOUTS.items() if kinds.issuperset(layout.kinds)][-1]
    layout = _LAYOUTS[letter]
    values = [clue + 9 * bool(layout.colours) if clue else 2**n + 17 for clue in imported.puzzle.clues.digits]
    if layout.region:
        houses = (rule.houses(board) for rule in rules if isinstance(rule, regions.Regions | Boxes))
        for number, house in enumerate(chain(*houses)):
            for cell in house.cells:
                values[cell] += number << layout.region
    if layout.colours:
        added = _cage_bits(board, [rule for rule in rules if isinstance(rule, sums.Killer)])
        values = [value + added[cell] for cell, value in enumerate(values)]
    marks, places = string.digits + string.ascii_lowercase, range(layout.width - 1, -1, -1)
    return f"{letter}{n}B" + "".join(marks[value // 36**place % 36] for value in values for place in places)


def _cage_bits(board: Board, cages: Iterable[sums.Killer]) -> dict[int, int]:
    """The bits of each cell for cages: the sum in a cage's first cell, and the least colour not used beside it."""
    cage_of = {cell: cage for cage in cages for cell in cage.cells}
    colours: dict[int, int] = {}
    for cells in dict.fromkeys(cage_of[cell].cells if cell in cage_of else (cell,) for cell in range(board.cell_count)):
        used = {colours.get(other) for cell in cells for other in board.around(cell)}
        colours |= dict.fromkeys(cells, next(colour for colour in range(board.cell_count) if colour not in used))
    found = {cell: colour << 16 for cell, colour in colours.items()}
    for cage in cages:
        found[min(cage.cells)] += (cage.total or 0) << 10
    return found
