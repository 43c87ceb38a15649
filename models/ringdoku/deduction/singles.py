"""Naked and hidden singles one after the other, each with the candidates that it removed: the steps of a derivation.

`ringdoku.deduction.propagation` finds the same candidates many times faster, without the steps.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ringdoku.domain import Allowed, Puzzle
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


def singles(puzzle: Puzzle, deadline: Deadline = NEVER) -> tuple[list[set[int]], list[Single]] | None:
    """The remaining candidates of each cell, and the steps to them; None for a contradiction.

    The derivation starts from the clues and the digits that the rules allow in each cell, and uses units only. Raises
    `TimeLimitError` at the deadline.
    """
    board, ruleset, candidates = puzzle.board, puzzle.ruleset, _allowed(puzzle)
    units = [unit.cells for unit in ruleset.units]
    found = [Single(cell, clue, None, ()) for cell, clue in enumerate(puzzle.clues.digits) if clue > board.blank]
    steps: dict[int, Single] = {}
    while True:
        for single in found:
            deadline.check()
            if single.digit not in candidates[single.cell]:
                return None
            if single.cell not in steps:
                steps[single.cell] = _placed(single, candidates, [units[u] for u in ruleset.units_of[single.cell]])
        held = (set().union(*(candidates[cell] for cell in cells)) for cells in units)
        if not all(candidates) or not all(map(set(board.digits).issubset, held)):
            return None
        found = [single for single in _singles(candidates, units) if single.cell not in steps]
        if not found:
            return candidates, list(steps.values())


def _allowed(puzzle: Puzzle) -> list[set[int]]:
    """For each cell the digits that the rules allow in it, whatever the others hold."""
    candidates = [set(puzzle.board.digits) for _ in range(puzzle.board.cell_count)]
    for primitive in puzzle.ruleset.rest:
        if isinstance(primitive, Allowed):
            candidates[primitive.cell] &= primitive.digits
    return candidates


def _placed(single: Single, candidates: list[set[int]], units: Sequence[Sequence[int]]) -> Single:
    """The step with the candidates that it removes, which are gone then. `units` are those of its cell."""
    peers = {peer for cells in units for peer in cells if peer != single.cell}
    removed = [(single.cell, other) for other in candidates[single.cell] if other != single.digit]
    removed += [(peer, single.digit) for peer in peers if single.digit in candidates[peer]]
    for cell, gone in removed:
        candidates[cell].remove(gone)
    return replace(single, removed=tuple(removed))


def _singles(candidates: Sequence[set[int]], units: Sequence[Sequence[int]]) -> Iterator[Single]:
    """Cells with one candidate, and digits with one cell in a unit."""
    for cell, digits in enumerate(candidates):
        if len(digits) == 1:
            yield Single(cell, min(digits), None, ())
    for unit, cells in enumerate(units):
        several: set[int] = set()
        only: dict[int, int] = {}
        for cell in cells:
            several.update(only.keys() & candidates[cell])
            only.update(dict.fromkeys(candidates[cell], cell))
        for digit in only.keys() - several:
            yield Single(only[digit], digit, unit, ())
