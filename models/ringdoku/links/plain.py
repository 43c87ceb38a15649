"""Plain texts of one puzzle: the region letters of a jigsaw, perhaps after its clues; the candidates of each cell; and
killers in one line of text, 9×9 with 3×3 boxes. White space is skipped.

The short form of killers (forum.enjoysudoku.com, "Understandable snarfable killer cages") has 81 characters: `< > ^ v`
and the diagonal `` ` `` (up left), `'` (up right), `,` (down left), `.` (down right) point to another cell of the cage,
and the cell that they lead to has the sum, `0`-`9`, then `A`-`Z` for 10-35 and `a`-`j` for 36-45. SumoCue's form is
`3x3:`, a `d` for diagonals or nothing, `:k:` and 81 numbers, 256·sum + cage, where a sum of 0 is not a cage.

All readers raise `UsageError`.
"""

import re
from collections import Counter
from math import isqrt
from string import ascii_lowercase, ascii_uppercase

from ringdoku.constraints import digits, regions, sums
from ringdoku.domain import Board, Constraint, Grid, Lines, Puzzle, Ruleset, UsageError, classic, refuse
from ringdoku.links.shared import cells_by, kinds_named, usual_boxes

STATES = kinds_named("allowed boxes diagonal-down diagonal-up killer lines regions")
"""The constraints that a plain text can state."""

_STEPS = {"<": (0, -1), ">": (0, 1), "^": (-1, 0), "v": (1, 0), "`": (-1, -1), "'": (-1, 1), ",": (1, -1), ".": (1, 1)}
_SUMS = f"0123456789{ascii_uppercase}{ascii_lowercase[:10]}"
_BOARD = Board.square(9)


def is_jigsaw(text: str) -> bool:
    """Whether a text has a letter for the region of each cell, perhaps after the clues and a space. If equal letters
    are not connected, they are the digits of a full grid instead."""
    letters = _clues_and_letters(text)[1]
    order = isqrt(len(letters))
    if len(letters) != order**2 or not 4 <= order <= 16 or not letters.isalnum():
        return False
    linked = sum(letters[one] == letters[other] for one, other in Board.square(order).neighbours())
    # a connected region of n cells has at least n − 1 pairs of neighbours
    return set(Counter(letters).values()) == {order} and linked >= order * (order - 1)


def _clues_and_letters(text: str) -> tuple[str, str]:
    """The halves of a text of 2·n² characters, perhaps in two words of one length; dots and the text if it is other."""
    words = text.split()
    whole = "".join(words) if len(words) == 2 and len(words[0]) == len(words[1]) else text
    half = isqrt(len(whole) // 2) ** 2
    return (whole[:half], whole[half:]) if len(whole) == 2 * half else ("." * len(whole), whole)


def is_candidates(text: str) -> bool:
    """Whether a text without white space has n characters for each cell: the k-th is k or a dot, not all are dots."""
    order = next((order for order in range(3, 10) if order**3 == len(text)), 0)
    cells = [text[start : start + order] for start in range(0, len(text), order or 1)]
    return bool(order) and all(
        cell.strip(".") and all(character in (".", str(place)) for place, character in enumerate(cell, 1))
        for cell in cells
    )


def read_jigsaw(text: str) -> Puzzle:
    """The puzzle of a text that `is_jigsaw` recognises. Clues are 1-9, or letters above 9×9; other signs are blanks."""
    clues, letters = _clues_and_letters(text)
    board = Board.square(isqrt(len(letters)))
    rules = Ruleset(board, (Lines(), regions.Regions(tuple(cells_by(letters).values()))))
    symbols = ("123456789" if board.order < 10 else ascii_uppercase)[: board.order]
    blanks = sorted(set(clues) - set(symbols))
    refuse(len(blanks) > 1, f"clues are {symbols[0]}-{symbols[-1]} and one mark of a blank, not {' '.join(blanks)}")
    return Puzzle(rules, Grid(tuple(symbols.find(character) + 1 for character in clues), board))


def read_candidates(text: str) -> Puzzle:
    """The puzzle of a text that `is_candidates` recognises."""
    board = Board.square(round(len(text) ** (1 / 3)))
    order = board.order
    cells = (text[start : start + order].replace(".", "") for start in range(0, len(text), order))
    # boxes of one row are the rows
    boxes = usual_boxes(board)
    houses = Ruleset(board, (Lines(), *([boxes] if boxes.height > 1 else [])))
    return digits.puzzle_of_candidates(houses, [tuple(map(int, cell)) for cell in cells])


def is_short_killer(text: str) -> bool:
    """Whether a text without white space can be a killer: 81 characters, of which at least one is a pointer."""
    return bool(re.fullmatch("[0-9A-Za-jv<>^`',.]{81}", text) and re.search("[<v>^`',]", text))


def read_short_killer(text: str) -> Puzzle:
    """What `is_short_killer` recognises, as a puzzle. Pointers lead from each cell to one with the sum of its cage."""
    cages: dict[int, list[int]] = {}
    for start in range(_BOARD.cell_count):
        path = [start]
        while text[path[-1]] in _STEPS:
            (row, column), (down, right) = divmod(path[-1], 9), _STEPS[text[path[-1]]]
            following = _BOARD.at(row + down, column + right)
            if following is None or following in path:
                where = "off the board" if following is None else "round in a circle"
                raise UsageError(f"the cage at {_BOARD.cell_name(start)} leads {where}")
            path.append(following)
        cages.setdefault(path[-1], []).append(start)
    killers = (sums.Killer(_SUMS.index(text[root]) or None, tuple(cells)) for root, cells in cages.items())
    return Puzzle(classic(9).extended(*killers), Grid.blank(_BOARD))


def read_sumocue(text: str) -> Puzzle:
    """The puzzle of a SumoCue text, in which the cells with the same number are a cage."""
    found = re.fullmatch("3x3:(d?):k:(.*?):?", "".join(text.split()))
    numbers = found[2].split(":") if found else []
    if found is None or len(numbers) != _BOARD.cell_count:
        raise UsageError(f"a SumoCue text is 3x3::k: and 81 numbers, not {len(numbers)} numbers after {text[:8]!r}")
    for cell, number in enumerate(numbers):
        if not re.fullmatch("[0-9]{1,6}", number):
            raise UsageError(f"the number of {_BOARD.cell_name(cell)} is {number!r}, which is not a number")
    groups = cells_by(divmod(int(number), 256) for number in numbers)
    cages = {(total, cage): cells for (total, cage), cells in groups.items() if total}
    total_of: dict[int, int] = {}
    for total, cage in cages:
        first = total_of.setdefault(cage, total)
        refuse(first != total, f"a cage has two sums, {first} and {total}")
    lines: tuple[Constraint, ...] = (regions.DiagonalUp(), regions.DiagonalDown()) if found[1] else ()
    killers = (sums.Killer(total, cells) for (total, _), cells in cages.items())
    return Puzzle(classic(9).extended(*lines, *killers), Grid.blank(_BOARD))
