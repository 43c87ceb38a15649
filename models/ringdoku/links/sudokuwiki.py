"""Puzzles packed as sudokuwiki.org's solver takes them, such as `J9B` and three characters for each cell.

A letter says which rules there are, a digit the order; each cell is a number in base 36. Its lowest ten bits have the
clue: the digit, to which killers add 9, or 2^n + 17 for a blank. In killers follow six bits with the sum, in the first
cell of a cage, and the cage's colour, which differs from those beside it; the jigsaw's region is above them.
"""

import re

from ringdoku.constraints.regions import DiagonalDown, Diagonals, DiagonalUp, DisjointGroups, Regions, Windoku
from ringdoku.constraints.sums import Killer
from ringdoku.domain import Board, Boxes, Constraint, LinkError, UsageError
from ringdoku.links.shared import Draft, ImportedPuzzle, connected, default_boxes, kinds_named, stated

STATES = kinds_named("lines boxes regions diagonal diagonal-down diagonal-up windoku disjoint-groups killer")
"""The constraints that a text can state."""

_WIDTHS = {"S": 2, "X": 2, "W": 2, "C": 2, "J": 3, "L": 4, "M": 5}
"""The characters of a cell for each letter."""
_RULES: dict[str, tuple[Constraint, ...]] = {
    "X": (DiagonalDown(), DiagonalUp()),
    "W": (Windoku(3, 3),),
    "C": (DisjointGroups(3, 3),),
}
_TEXT = re.compile(r"(?:https?://(?:www\.)?sudokuwiki\.org/\S*[?&]bd=)?([SXWCJLM])([69])B([0-9A-Za-z]+)")


def is_sudokuwiki(text: str) -> bool:
    """Whether a text, or the `bd` field of a link, has a letter, an order and as many characters as they ask for."""
    found = _TEXT.fullmatch(text)
    return bool(found and len(found[3]) == int(found[2]) ** 2 * _WIDTHS[found[1]])


def read_sudokuwiki(text: str) -> ImportedPuzzle:
    """What `is_sudokuwiki` recognises. Raises `LinkError` for digits and notes of a solver, which are no clues."""
    found = _TEXT.fullmatch(text)
    assert found is not None
    letter, n, width = found[1], int(found[2]), _WIDTHS[found[1]]
    if n == 6 and letter != "S":
        raise LinkError(f"{found[0][:3]} is not supported; of 6x6, S6B is")
    draft = Draft(Board.square(n))
    values = [int(found[3][start : start + width], 36) for start in range(0, n * n * width, width)]
    for cell, value in enumerate(values):
        clue = (value & 1023) - 9 * (letter in "LM")
        if 1 <= clue <= n:
            draft.clues[cell] = clue
        elif value & 1023 != 2**n + 17:
            raise LinkError(f"{draft.board.cell_name(cell)} has notes or a digit that is no clue")
    shift = {"J": 10, "M": 19}.get(letter)
    boxes = default_boxes(draft.board)
    assert boxes is not None
    groups: dict[int, list[int]] = {}
    for cell, value in enumerate(values if shift else ()):
        groups.setdefault(value >> (shift or 0), []).append(cell)
    draft.add_regions(
        [tuple(group) for group in groups.values()] or [house.cells for house in boxes.houses(draft.board)]
    )
    draft.constraints += _RULES.get(letter, ())
    if letter in "LM":
        colours = [value >> 16 & (7 if letter == "M" else 31) for value in values]
        for cells in connected(draft.board, lambda one, other: colours[one] == colours[other]):
            total = values[cells[0]] >> 10 & 63
            if total or len(cells) > 1:
                draft.add(f"the cage at {draft.board.cell_name(cells[0])}", Killer(total or None, cells))
    return draft.shared()


def write_sudokuwiki(shared: ImportedPuzzle) -> str:
    """The packed text; for a classic puzzle the site's address with it.

    Raises `UsageError` for another board than 9x9 and classic 6x6, and for the first rule that a text cannot state.
    """
    board = shared.puzzle.board
    if not board.is_plain or board.order not in (6, 9):
        raise UsageError(f"sudokuwiki.org has boards of 6x6 and 9x9 with digits from 1, not {board}")
    text = stated("sudokuwiki.org", shared, _written, read_sudokuwiki)
    return f"https://www.sudokuwiki.org/sudoku.htm?bd={text}" if text.startswith("S9B") else text


def _written(shared: ImportedPuzzle) -> str:
    puzzle, board, n = shared.puzzle, shared.puzzle.board, shared.puzzle.order
    rules = puzzle.ruleset.constraints
    kinds = {type(rule) for rule in rules}
    letter = "S"
    for kind, mark in ((Diagonals, "X"), (Windoku, "W"), (DisjointGroups, "C"), (Regions, "J"), (Killer, "L")):
        if any(issubclass(one, kind) for one in kinds):
            letter = "M" if (letter, mark) == ("J", "L") else mark
    values = [clue + 9 * (letter in "LM") if clue else 2**n + 17 for clue in puzzle.clues.digits]
    if letter in "JM":
        for rule in rules:
            for number, house in enumerate(rule.houses(board) if isinstance(rule, Regions | Boxes) else ()):
                for cell in house.cells:
                    values[cell] += number << (10 if letter == "J" else 19)
    if letter in "LM":
        cages = [rule for rule in rules if isinstance(rule, Killer)]
        cage_of = {cell: cage.cells for cage in cages for cell in cage.cells}
        every = dict.fromkeys(cage_of.get(cell, (cell,)) for cell in range(n * n))
        colour: dict[int, int] = {}
        for cells in every:
            beside = {colour.get(a + b - c) for a, b in board.neighbours() for c in (a, b) if c in cells}
            free = next(number for number in range(n * n) if number not in beside)
            colour |= dict.fromkeys(cells, free)
        for cage in cages:
            values[min(cage.cells)] += (cage.total or 0) << 10
        values = [value + (colour[cell] << 16) for cell, value in enumerate(values)]
    return f"{letter}{n}B" + "".join(_in_base_36(value, _WIDTHS[letter]) for value in values)


def _in_base_36(value: int, width: int) -> str:
    return "".join("0123456789abcdefghijklmnopqrstuvwxyz"[value // 36**place % 36] for place in reversed(range(width)))
