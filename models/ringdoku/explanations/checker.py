"""Does a step follow? Tries all ways to satisfy its truths; knows nothing of how steps are found.

A step is sound when there is no way to satisfy all of its truths at once with one of the removed candidates, or without
the placed one. Imports the domain and the form of steps alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import assert_never

from ringdoku.domain.board import Board
from ringdoku.domain.primitives import AllDifferent, Allowed, Count, Diagram, Linear, OneOf, Primitive, Relation
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.ruleset import Ruleset
from ringdoku.explanations.house_sums import difference
from ringdoku.explanations.inferences import (
    Candidate,
    Candidates,
    CellTruth,
    HouseTruth,
    Inference,
    RuleTruth,
    Truth,
    UnitTruth,
)

MOST_TRIED = 1_000_000
"""Candidates tried for one step; beyond, it counts as not shown to follow."""


def check_step(
    puzzle: Puzzle, candidates: Candidates, step: Inference, look: Callable[[], object] = lambda: None
) -> list[str]:
    """What is wrong with a step, a sentence each; empty when it follows from `candidates`.

    `look` is called again and again, and may raise an error at a deadline.
    """
    return list(_faults(puzzle, candidates, step, look))


def _faults(puzzle: Puzzle, candidates: Candidates, step: Inference, look: Callable[[], object]) -> Iterator[str]:
    name = puzzle.board.cell_name
    if step.cases:
        yield from _faults_of_cases(puzzle, candidates, step, look)
        return
    search = _Search(puzzle.ruleset, candidates, look)
    if step.placed:
        cell, digit = step.placed
        without = [*candidates]
        without[cell] = candidates[cell] - {digit}
        if digit not in candidates[cell]:
            yield f"{name(cell)} cannot hold {digit}"
        elif _Search(puzzle.ruleset, without, look).satisfies(step.truths):
            yield f"the truths do not demand {digit} in {name(cell)}"
    for cell, digit in step.removed:
        if digit not in candidates[cell]:
            yield f"{digit} was no candidate of {name(cell)}"
        elif not (step.placed and search.excludes(step.placed, (cell, digit))) and search.satisfies(
            step.truths, (cell, digit)
        ):
            yield f"the truths leave {digit} in {name(cell)}"
    if not step.removed and not step.placed and search.satisfies(step.truths):
        yield "the truths do not contradict each other"


def _faults_of_cases(
    puzzle: Puzzle, candidates: Candidates, step: Inference, look: Callable[[], object]
) -> Iterator[str]:
    name = puzzle.board.cell_name
    search = _Search(puzzle.ruleset, candidates, look)
    for case in step.cases:
        left = search.assumed(*case.assumed)
        for inner in case.inferences:
            yield from _faults(puzzle, left, inner, look)
            left = after(left, inner)
        yield from _faults(puzzle, left, case.end, look)
        if case.end.removed or case.end.placed:
            cell, digit = case.assumed
            yield f"{digit} in {name(cell)} was not shown to be impossible"
    if {case.assumed for case in step.cases} != set(step.removed):
        yield "other candidates are removed than those that were assumed"


def after(candidates: Candidates, step: Inference) -> Candidates:
    """What a step leaves of the candidates."""
    left = [*candidates]
    for cell, digit in step.removed:
        left[cell] = left[cell] - {digit}
    if step.placed:
        cell, digit = step.placed
        left[cell] = left[cell] & {digit}
    return tuple(left)


class _Search:
    """All ways to choose candidates that do not exclude each other."""

    def __init__(
        self, ruleset: Ruleset, candidates: Sequence[frozenset[int]], look: Callable[[], object] = lambda: None
    ) -> None:
        self._ruleset = ruleset
        self._look = look
        self._candidates = tuple(candidates)
        self._tried = 0

    def assumed(self, cell: int, digit: int) -> Candidates:
        """The candidates that a digit leaves."""
        left = [*self._candidates]
        left[cell] = left[cell] & {digit}
        for peer in self._ruleset.peers(cell):
            if digit in left[peer]:
                left[peer] = left[peer] - {digit}
        for peer, pairs in _relations(self._ruleset).get(cell, {}).items():
            left[peer] = frozenset(other for other in left[peer] if (digit, other) in pairs)
        return tuple(left)

    def excludes(self, one: Candidate, other: Candidate) -> bool:
        """Whether two candidates exclude each other."""
        (cell, digit), (peer, second) = one, other
        if cell == peer:
            return digit != second
        if digit == second and peer in self._ruleset.peers(cell):
            return True
        pairs = _relations(self._ruleset).get(cell, {}).get(peer)
        return pairs is not None and (digit, second) not in pairs

    def satisfies(self, truths: Sequence[Truth], assumed: Candidate | None = None) -> bool:
        """Whether there is a way to satisfy all of the truths, with the candidate assumed if there is one."""
        self._tried = 0
        left = self._candidates if assumed is None else self.assumed(*assumed)
        if any(isinstance(truth, HouseTruth) for truth in truths):
            return self._keeps_difference(truths, left, assumed)
        chosen = {} if assumed is None else {assumed[0]: assumed[1]}
        rules = [_holding(truth, self._ruleset.board) for truth in truths if isinstance(truth, RuleTruth)]
        cells = tuple(
            dict.fromkeys(
                cell for truth in truths if isinstance(truth, RuleTruth) for cell in cells_of(truth, self._ruleset)
            )
        )
        plain = tuple(truth for truth in truths if isinstance(truth, (CellTruth, UnitTruth)))
        return self._extend(left, chosen, plain, cells, rules)

    def _keeps_difference(
        self, truths: Sequence[Truth], left: Sequence[frozenset[int]], assumed: Candidate | None
    ) -> bool:
        """Whether there is a way to satisfy what a house and cages state together, which is less than each of them."""
        stated = difference(self._ruleset, truths)
        if stated is None:
            return True
        chosen = {} if assumed is None else {assumed[0]: assumed[1]}
        return self._extend(left, chosen, (), stated.cells, [partial(_may_hold, stated)])

    def _extend(
        self,
        left: Sequence[frozenset[int]],
        chosen: dict[int, int],
        plain: tuple[CellTruth | UnitTruth, ...],
        cells: tuple[int, ...],
        rules: Sequence[Callable[[Mapping[int, int], Sequence[frozenset[int]]], bool]],
    ) -> bool:
        if not all(holds(chosen, left) for holds in rules):
            return False
        best: list[Candidate] | None = None
        for truth in plain:
            ways = self._ways(truth, left)
            if any(chosen.get(cell) == digit for cell, digit in ways):
                continue
            if best is None or len(ways) < len(best):
                best = ways
        if best is None:
            open_cells = [cell for cell in cells if cell not in chosen]
            if not open_cells:
                return True
            cell = min(open_cells, key=lambda cell: len(left[cell]))
            best = [(cell, digit) for digit in sorted(left[cell])]
        for cell, digit in best:
            self._tried += 1
            self._look()
            if self._tried > MOST_TRIED:
                return True
            narrowed = _Search(self._ruleset, left).assumed(cell, digit)
            if self._extend(narrowed, {**chosen, cell: digit}, plain, cells, rules):
                return True
        return False

    def _ways(self, truth: CellTruth | UnitTruth, left: Sequence[frozenset[int]]) -> list[Candidate]:
        if isinstance(truth, CellTruth):
            return [(truth.cell, digit) for digit in sorted(left[truth.cell])]
        cells = self._ruleset.units[truth.unit].cells
        return [(cell, truth.digit) for cell in cells if truth.digit in left[cell]]


@lru_cache(maxsize=16)
def _relations(ruleset: Ruleset) -> dict[int, dict[int, frozenset[tuple[int, int]]]]:
    """For each cell of a relation the other cells, and the pairs of digits that they may have together."""
    found: dict[int, dict[int, frozenset[tuple[int, int]]]] = {}
    for primitive in ruleset.rest:
        if isinstance(primitive, Relation):
            turned = frozenset((b, a) for a, b in primitive.pairs)
            for one, other, pairs in (
                (primitive.first, primitive.second, primitive.pairs),
                (primitive.second, primitive.first, turned),
            ):
                known = found.setdefault(one, {})
                known[other] = known[other] & pairs if other in known else pairs
    return found


def cells_of(truth: RuleTruth, ruleset: Ruleset) -> tuple[int, ...]:
    """The cells that a rule speaks of."""
    found = [cell for primitive in truth.constraint.primitives(ruleset.board) for cell in _cells(primitive)]
    return tuple(dict.fromkeys(found))


def _cells(primitive: Primitive) -> tuple[int, ...]:
    match primitive:
        case Allowed(cell):
            return (cell,)
        case AllDifferent(cells) | Linear(cells) | Diagram(cells):
            return cells
        case Relation(first, second):
            return first, second
        case Count(candidates):
            return tuple(cell for cell, _ in candidates)
        case OneOf(cases):
            return tuple(cell for case in cases for part in case for cell in _cells(part))
        case _:
            assert_never(primitive)


def _holding(truth: RuleTruth, board: Board) -> Callable[[Mapping[int, int], Sequence[frozenset[int]]], bool]:
    """A function that says whether the digits chosen so far, and what is left for other cells, may keep a rule."""
    parts = tuple(truth.constraint.primitives(board))
    return lambda chosen, left: all(_may_hold(part, chosen, left) for part in parts)


def _may_hold(primitive: Primitive, chosen: Mapping[int, int], left: Sequence[frozenset[int]]) -> bool:
    """Never false where the digits can be completed; exact where all cells have their digit."""

    def digits(cell: int) -> frozenset[int]:
        return frozenset((chosen[cell],)) if cell in chosen else left[cell]

    match primitive:
        case Allowed(cell, allowed):
            return not digits(cell).isdisjoint(allowed)
        case AllDifferent(cells):
            found = [chosen[cell] for cell in cells if cell in chosen]
            return len(set(found)) == len(found)
        case Linear(cells, coefficients, least, greatest):
            low = high = 0
            for cell, factor in zip(cells, coefficients, strict=True):
                terms = [factor * digit for digit in digits(cell)]
                if not terms:
                    return False
                low, high = low + min(terms), high + max(terms)
            return (greatest is None or low <= greatest) and (least is None or high >= least)
        case Relation(first, second, pairs):
            return any((a, b) in pairs for a in digits(first) for b in digits(second))
        case Count(candidates, least, greatest):
            certain = sum(chosen.get(cell) == digit for cell, digit in candidates)
            possible = {cell for cell, digit in candidates if digit in digits(cell)}
            return certain <= greatest and len(possible) >= least
        case Diagram(cells, layers):
            states = {0}
            for cell, layer in zip(cells, layers, strict=True):
                states = {after for state, digit, after in layer if state in states and digit in digits(cell)}
            return bool(states)
        case OneOf(cases):
            return any(all(_may_hold(part, chosen, left) for part in case) for case in cases)
        case _:
            assert_never(primitive)
