"""Plain texts of one puzzle: n² characters, a jigsaw's letters with or without clues before them, the candidates of
each cell, grids of numbers, and killers in one line of text, 9×9 with 3×3 boxes. White space is skipped.

The short form of killers (forum.enjoysudoku.com, "Understandable snarfable killer cages") has 81 characters: `< > ^ v`
and the diagonal `` ` `` (up left), `'` (up right), `,` (down left), `.` (down right) point to another cell of the cage,
and the cell that they lead to has the sum, `0`-`9`, then `A`-`Z` for 10-35 and `a`-`j` for 36-45. SumoCue's form is
`3x3:`, a `d` for diagonals or nothing, `:k:` and 81 numbers, 256·sum + cage, where a sum of 0 is not a cage.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from math import isqrt

from ringdoku.constraints.digits import AllowedDigits
from ringdoku.constraints.regions import DiagonalDown, DiagonalUp, Regions
from ringdoku.constraints.sums import Killer
from ringdoku.domain.board import Board
from ringdoku.domain.constraint import Boxes, Constraint, Lines
from ringdoku.domain.errors import LinkError
from ringdoku.domain.grid import Grid
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.ruleset import Ruleset, box_shapes, classic

LARGEST = 16

STATES: frozenset[type[Constraint]] = frozenset(
    {AllowedDigits, Boxes, DiagonalDown, DiagonalUp, Killer, Lines, Regions}
)
"""The constraints that a plain text can state."""

_STEPS = {"<": (0, -1), ">": (0, 1), "^": (-1, 0), "v": (1, 0), "`": (-1, -1), "'": (-1, 1), ",": (1, -1), ".": (1, 1)}
_SUMS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghij"
_BOARD = Board.square(9)


def is_jigsaw(text: str) -> bool:
    """Whether a text has a letter for the region of each cell, perhaps after as many clues and a space.

    Letters may also be the digits of a full grid. Then equal letters are not connected.
    """
    words = text.split()
    if len(words) == 2 and len(words[0]) == len(words[1]):
        text = "".join(words)
    size = len(text) if _is_square(len(text)) else len(text) // 2
    order = isqrt(size)
    if not (4 <= order <= LARGEST and order * order == size and len(text) in (size, 2 * size)):
        return False
    letters = text[-size:]
    if not letters.isalnum() or set(Counter(letters).values()) != {order}:
        return False
    board = Board.square(order)
    linked = sum(letters[one] == letters[other] for one, other in board.neighbours())
    # a connected region of n cells has at least n − 1 pairs of neighbours
    return linked >= order * (order - 1)


def is_candidates(text: str) -> bool:
    """Whether a text without white space has n characters for each cell, the k-th of them a dot or k, and at least one
    digit."""
    order = next((order for order in range(3, 10) if order**3 == len(text)), 0)
    cells = [text[start : start + order] for start in range(0, len(text), order or 1)]
    return bool(order) and all(
        cell.strip(".") and all(character in (".", str(place)) for place, character in enumerate(cell, 1))
        for cell in cells
    )


def read_givens(text: str) -> Puzzle:
    """n² characters, digits 1-9 up to 9×9 and letters from A on above; one other character is a blank."""
    text = _squeezed(text)
    board = _square(len(text), "characters")
    return Puzzle(_classic(board), _clues(text, board))


def read_jigsaw(text: str) -> Puzzle:
    """n² characters as in `read_givens` and a letter for the region of each cell, or only the letters."""
    text = _squeezed(text)
    if not _is_square(len(text)) or isqrt(len(text)) > LARGEST:
        board = _square(len(text) // 2 if len(text) % 2 == 0 else len(text), "clues and as many letters")
        return Puzzle(_jigsaw(text[board.grid_count :], board), _clues(text[: board.grid_count], board))
    board = _square(len(text), "letters")
    return Puzzle(_jigsaw(text, board), Grid.blank(board))


def read_candidates(text: str) -> Puzzle:
    """n³ characters: for each cell n of them, its candidates, and dots for other digits."""
    text = _squeezed(text)
    order = next((order for order in range(2, 10) if order**3 == len(text)), None)
    if order is None:
        raise LinkError(f"candidates are n³ characters with n from 2 to 9, not {len(text)}")
    board = Board.square(order)
    clues = [board.blank] * board.grid_count
    cells_of: dict[tuple[int, ...], list[int]] = {}
    for cell in range(board.grid_count):
        found = text[cell * order : (cell + 1) * order].replace(".", "")
        digits = tuple(sorted(int(digit) if digit in "123456789" else 0 for digit in found))
        if not digits or len(set(digits)) < len(digits) or not set(digits) <= set(board.digits):
            raise LinkError(f"the candidates of {board.cell_name(cell)} are digits from 1 to {order}, not {found!r}")
        if len(digits) == 1:
            clues[cell] = digits[0]
        elif len(digits) < order:
            cells_of.setdefault(digits, []).append(cell)
    allowed = (AllowedDigits(digits, tuple(cells)) for digits, cells in cells_of.items())
    return Puzzle(_classic(board).extended(*allowed), Grid(tuple(clues), board))


def read_numbers(text: str) -> Puzzle:
    """n² decimal numbers, or dots for blanks, with spaces and lines of `|`, `_` and `-` around them."""
    numbers = re.findall(r"[.]|[0-9]+", text)
    board = _square(len(numbers), "numbers")
    if re.search(r"[^0-9\s.|_-]", text) or any(len(number) > 2 for number in numbers):
        raise LinkError("a grid of numbers has digits, dots, spaces and | _ - alone")
    clues = tuple(0 if number == "." else int(number) for number in numbers)
    return Puzzle(_classic(board), Grid(clues, board))


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _is_square(count: int) -> bool:
    return isqrt(count) ** 2 == count


def _square(count: int, what: str) -> Board:
    order = isqrt(count)
    if order * order != count or not 1 <= order <= LARGEST:
        raise LinkError(f"there are {count} {what}, which fill no square of up to {LARGEST}x{LARGEST}")
    return Board.square(order)


def _classic(board: Board) -> Ruleset:
    """Rows and columns, and the squarest boxes unless these are rows."""
    height, width = box_shapes(board.order)[0]
    boxes = [Boxes(height, width)] if height > 1 else []
    return Ruleset(board, (Lines(), *boxes))


def _jigsaw(letters: str, board: Board) -> Ruleset:
    counts = Counter(letters)
    wrong = next((letter for letter, count in counts.items() if count != board.order), None)
    if wrong is not None:
        raise LinkError(f"each of the {board.order} regions has {board.order} cells, but {wrong!r} has {counts[wrong]}")
    regions: dict[str, list[int]] = {}
    for cell, letter in enumerate(letters):
        regions.setdefault(letter, []).append(cell)
    found: tuple[Constraint, ...] = (Lines(), Regions(tuple(map(tuple, regions.values()))))
    return Ruleset(board, found)


def _clues(text: str, board: Board) -> Grid:
    symbols = "123456789" if board.order < 10 else "ABCDEFGHIJKLMNOP"
    digits = tuple(symbols[: board.order].find(character) + 1 for character in text)
    blanks = sorted({character for character, digit in zip(text, digits, strict=True) if not digit})
    if len(blanks) > 1:
        last = symbols[board.order - 1]
        raise LinkError(f"clues are {symbols[0]}-{last} and one mark of a blank, but there are {' '.join(blanks)}")
    return Grid(digits, board)


# killers


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
    return _killers(Killer(_SUMS.index(text[root]) or None, tuple(cells)) for root, cells in cages.items())


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
    return _killers((*lines, *(Killer(total, tuple(cells)) for (_, total), cells in cages.items())))


def _killers(constraints: Iterable[Constraint]) -> Puzzle:
    return Puzzle(classic(9).extended(*constraints), Grid.blank(_BOARD))
