"""Naked and hidden singles one after the other, each with the candidates that it removed: the steps of a derivation.

`ringdoku.deduction.masks` finds the same candidates many times faster, without the steps.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from ringdoku.domain.primitives import Allowed
from ringdoku.domain.puzzle import Puzzle
from ringdoku.limits import NEVER, Deadline


@dataclass(frozen=True)
class Single:
    """`digit` must be in `cell`, which removes the candidates `removed`, as (cell, digit).

    The reason: it has no other cell in the unit of index `hidden_in`. With None, it is a clue, or the cell has no other
    candidate.
    """

    cell: int
    digit: int
    hidden_in: int | None
    removed: tuple[tuple[int, int], ...]


def singles(
    puzzle: Puzzle, units: Sequence[Sequence[int]], deadline: Deadline = NEVER
) -> tuple[list[set[int]], list[Single]] | None:
    """The remaining candidates of each cell, and the steps to them; None for a contradiction.

    The derivation starts from the clues and the digits that the rules allow in each cell, and uses units only. Raises
    `TimeLimitError` at the deadline.
    """
    found = _Derivation(puzzle, units)
    for cell, clue in enumerate(puzzle.clues.digits):
        if clue != puzzle.board.blank:
            found.waiting.append((cell, clue, None))
    consistent = all(found.check_cell(cell) for cell in range(len(found.candidates))) and all(
        found.check_place(unit, digit) for unit in range(len(units)) for digit in puzzle.board.digits
    )
    while consistent and found.waiting:
        deadline.check()
        consistent = found.place(*found.waiting.popleft())
    return (found.candidates, found.steps) if consistent else None


class _Derivation:
    """The candidates of each cell, the number of cells for each digit of a unit, and singles that wait to be placed."""

    def __init__(self, puzzle: Puzzle, units: Sequence[Sequence[int]]) -> None:
        self.candidates = [set(puzzle.board.digits) for _ in range(puzzle.board.cell_count)]
        for primitive in puzzle.ruleset.rest:
            if isinstance(primitive, Allowed):
                self.candidates[primitive.cell] &= primitive.digits
        self.units = units
        self.units_of: list[list[int]] = [[] for _ in self.candidates]
        for unit, cells in enumerate(units):
            for cell in cells:
                self.units_of[cell].append(unit)
        self.places = [
            {digit: sum(digit in self.candidates[cell] for cell in cells) for digit in puzzle.board.digits}
            for cells in units
        ]
        self.waiting: deque[tuple[int, int, int | None]] = deque()
        self.placed: set[int] = set()
        self.steps: list[Single] = []

    def check_cell(self, cell: int) -> bool:
        """False for a cell without a candidate; one with a single candidate waits."""
        digits = self.candidates[cell]
        if len(digits) == 1:
            self.waiting.append((cell, min(digits), None))
        return bool(digits)

    def check_place(self, unit: int, digit: int) -> bool:
        """False for a digit without a cell in a unit; one with a single cell waits."""
        count = self.places[unit][digit]
        if count == 1:
            last = next(cell for cell in self.units[unit] if digit in self.candidates[cell])
            self.waiting.append((last, digit, unit))
        return count > 0

    def place(self, cell: int, digit: int, hidden_in: int | None) -> bool:
        """False for a contradiction."""
        if digit not in self.candidates[cell]:
            return False
        if cell in self.placed:
            return True
        self.placed.add(cell)
        peers = (peer for unit in self.units_of[cell] for peer in self.units[unit])
        removed = {(cell, other) for other in self.candidates[cell]}
        removed |= {(peer, digit) for peer in peers if digit in self.candidates[peer]}
        removed.remove((cell, digit))
        for peer, gone in sorted(removed):
            self.candidates[peer].remove(gone)
            if not self.check_cell(peer):
                return False
            for unit in self.units_of[peer]:
                self.places[unit][gone] -= 1
                if not self.check_place(unit, gone):
                    return False
        self.steps.append(Single(cell, digit, hidden_in, tuple(removed)))
        return True
