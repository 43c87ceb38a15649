"""Checks whether a step follows, by trying all ways to satisfy its truths. A step is sound if its truths cannot all be
satisfied with one of the removed candidates, or without the placed one. The check does not depend on how steps are
found: it imports only the domain, and the form of steps."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from functools import lru_cache
from itertools import chain
from typing import TypeAlias

from ringdoku.domain import AllDifferent, Board, Constraint, Linear, Puzzle, Relation, Ruleset, is_cage
from ringdoku.domain.primitives import Allowed, Count, Diagram, OneOf, Primitive, scope_of
from ringdoku.explanations.inferences import (
    Candidate,
    Candidates,
    Case,
    CellTruth,
    HouseTruth,
    Inference,
    RuleTruth,
    Truth,
    UniqueTruth,
    UnitTruth,
    ways_of,
)

Check: TypeAlias = Callable[[], object]
"""Called again and again; may raise an error at a deadline."""
MOST_SUMS = 20_000
"""The most partial sums of a rule (sets of digits in a cage); with more, the cells are tried one by one."""


def check_step(puzzle: Puzzle, candidates: Candidates, step: Inference, check: Check = lambda: None) -> list[str]:
    """The faults of a step, a sentence each; empty if it follows from `candidates`."""
    if step.case:
        return list(_faults_of_case(puzzle, candidates, step, step.case, check))
    return list(_faults(puzzle, candidates, step, check))


def _faults(puzzle: Puzzle, candidates: Candidates, step: Inference, check: Check) -> Iterator[str]:
    name, search, placed = puzzle.board.cell_name, _Search(puzzle.ruleset, step.truths, check), candidates
    if not all(is_exchangeable(puzzle, truth) for truth in step.truths if isinstance(truth, UniqueTruth)):
        yield "the digits of the pattern cannot be exchanged"
    if step.placed:
        cell, digit = step.placed
        placed = _after_digit(puzzle.ruleset, candidates, step.placed)
        if digit not in candidates[cell]:
            yield f"{name(cell)} cannot hold {digit}"
        elif search.succeeds((*candidates[:cell], candidates[cell] - {digit}, *candidates[cell + 1 :])):
            yield f"the truths do not demand {digit} in {name(cell)}"
    for removed in step.removed:
        cell, digit = removed
        if digit not in candidates[cell]:
            yield f"{digit} was no candidate of {name(cell)}"
        elif digit in placed[cell] and search.succeeds(_after_digit(puzzle.ruleset, candidates, removed), {removed}):
            yield f"the truths leave {digit} in {name(cell)}"
    if not step.removed and not step.placed and search.succeeds(candidates):
        yield "the truths do not contradict each other"


def is_exchangeable(puzzle: Puzzle, truth: UniqueTruth) -> bool:
    """Whether a solution with digits of the pattern in all its cells implies a second one, with the other digits: each
    digit is in two cells of every unit or in none, and no clue and no other rule concerns the cells."""
    ruleset, cells = puzzle.ruleset, set(truth.cells)
    counts = [[digit for cell, digit in truth.pattern if cell in house.cells] for house in ruleset.houses]
    return (
        all(count == 2 for count in Counter(cell for cell, _ in truth.pattern).values())
        and all(count == 2 for digits in counts for count in Counter(digits).values())
        and all(puzzle.clues.digits[cell] == puzzle.board.blank for cell in cells)
        and cells.isdisjoint(chain(ruleset.allowed, *map(scope_of, ruleset.rest)))
    )


def _faults_of_case(puzzle: Puzzle, candidates: Candidates, step: Inference, case: Case, check: Check) -> Iterator[str]:
    left = _after_digit(puzzle.ruleset, candidates, case.assumed)
    for inner in case.inferences:
        yield from check_step(puzzle, left, inner, check)
        left = after(left, inner)
    yield from check_step(puzzle, left, case.end, check)
    if case.end.removed or case.end.placed:
        cell, digit = case.assumed
        yield f"{digit} in {puzzle.board.cell_name(cell)} was not shown to be impossible"
    if {*step.removed} != {case.assumed}:
        yield "other candidates are removed than those that were assumed"


def after(candidates: Candidates, step: Inference) -> Candidates:
    """The candidates that a step leaves."""
    left = [*candidates]
    for cell, digit in step.removed:
        left[cell] = left[cell] - {digit}
    if step.placed:
        cell, digit = step.placed
        left[cell] = left[cell] & {digit}
    return tuple(left)


def _after_digit(ruleset: Ruleset, candidates: Candidates, assumed: Candidate) -> Candidates:
    """The candidates that are left when a cell holds a digit."""
    cell, digit = assumed
    left = [*candidates]
    left[cell] = left[cell] & {digit}
    for peer in ruleset.peers(cell):
        left[peer] = left[peer] - {digit}
    for peer, pairs in _relations(ruleset).get(cell, ()):
        left[peer] = frozenset(other for other in left[peer] if (digit, other) in pairs)
    return tuple(left)


@lru_cache(maxsize=16)
def _relations(ruleset: Ruleset) -> Mapping[int, list[tuple[int, frozenset[tuple[int, int]]]]]:
    """For each cell the other cells of its relations, and the pairs of digits that they may have together."""
    found = defaultdict[int, list[tuple[int, frozenset[tuple[int, int]]]]](list)
    for rule in ruleset.rest:
        if isinstance(rule, Relation):
            found[rule.first].append((rule.second, rule.pairs))
            found[rule.second].append((rule.first, frozenset((b, a) for a, b in rule.pairs)))
    return found


class _Search:
    """A search for candidates that do not exclude each other and that satisfy some truths."""

    def __init__(self, ruleset: Ruleset, truths: Sequence[Truth], check: Check) -> None:
        self._ruleset = ruleset
        self._check = check
        self._plain = [truth for truth in truths if isinstance(truth, (CellTruth, UnitTruth, UniqueTruth))]
        rules = [truth for truth in truths if isinstance(truth, RuleTruth)]
        self._parts = [part for truth in rules for part in truth.constraint.primitives(ruleset.board)]
        if any(isinstance(truth, HouseTruth) for truth in truths):
            # the step uses only their combined sum, which is weaker than the house and the cages themselves
            leftover = leftover_sum(ruleset, truths)
            self._plain, self._parts = [], [leftover] if leftover else []
        self._cages = {part for part in self._parts if isinstance(part, Linear) and is_cage(part, ruleset.peers)}
        self._cells = dict.fromkeys(cell for part in self._parts for cell in scope_of(part))

    def succeeds(self, left: Candidates, chosen: Set[Candidate] = frozenset()) -> bool:
        """Whether the truths can be satisfied with the candidates that are left, of which some are chosen already."""
        if not all(self._may_hold(part, left) for part in self._parts):
            return False
        ways = [found for truth in self._plain if chosen.isdisjoint(found := ways_of(truth, self._ruleset, left))]
        if not ways:
            taken = {cell for cell, _ in chosen}
            ways = [[(cell, digit) for digit in sorted(left[cell])] for cell in self._cells if cell not in taken]
        for candidate in min(ways, key=len) if ways else ():
            self._check()
            if self.succeeds(_after_digit(self._ruleset, left, candidate), chosen | {candidate}):
                return True
        return not ways

    def _may_hold(self, primitive: Primitive, left: Candidates) -> bool:
        """Whether a rule may hold with the digits left: never wrongly false, and exact if each cell has one."""
        match primitive:
            case Linear():
                return self._sum_may_hold(primitive, left)
            case AllDifferent(cells):
                known = [left[cell] for cell in cells if len(left[cell]) == 1]
                return len(set(known)) == len(known)
            case Allowed(cell, digits):
                return not left[cell].isdisjoint(digits)
            case Relation(first, second, pairs):
                return any(a in left[first] and b in left[second] for a, b in pairs)
            case Count():
                certain = sum(left[cell] == {digit} for cell, digit in primitive.candidates)
                possible = {cell for cell, digit in primitive.candidates if digit in left[cell]}
                return certain <= primitive.greatest and len(possible) >= primitive.least
            case Diagram():
                states = {0}
                for cell, layer in zip(primitive.cells, primitive.layers, strict=True):
                    states = {following for state, digit, following in layer if state in states and digit in left[cell]}
                return bool(states)
            case OneOf(cases):
                return any(all(self._may_hold(part, left) for part in case) for case in cases)

    def _sum_may_hold(self, rule: Linear, left: Candidates) -> bool:
        """The same for a sum. In a cage no digit is used twice."""
        bits = {digit: int(rule in self._cages) << place for place, digit in enumerate(self._ruleset.board.digits)}
        # (the sum of the cells so far, and in a cage the mask of their digits)
        ways = {(0, 0)}
        for cell, factor in zip(rule.cells, rule.coefficients, strict=True):
            ways = {(s + factor * d, taken | bits[d]) for s, taken in ways for d in left[cell] if not taken & bits[d]}
            if len(ways) > MOST_SUMS:
                return True
        return any(total == rule.total for total, _ in ways)


def cage_of(constraint: Constraint, board: Board) -> Linear | None:
    """The sum that a constraint consists of, with each cell counted once; None for other constraints."""
    match tuple(constraint.primitives(board)):
        case (Linear(_, coefficients) as cage,) if set(coefficients) == {1}:
            return cage
    return None


def leftover_sum(ruleset: Ruleset, truths: Sequence[Truth]) -> Linear | None:
    """The sum that a house minus disjoint cages leaves (innies and outies); None for other truths. The digits of a
    house have a known sum, and so have those of a cage. The difference is that of the cells of the house outside the
    cages, minus the cells of the cages outside the house."""
    house, *rules = truths
    if not isinstance(house, HouseTruth) or not rules:
        return None
    factors = dict.fromkeys(sorted(ruleset.units[house.unit].cells), 1)
    total = sum(ruleset.board.digits)
    seen: set[int] = set()
    for rule in rules:
        cage = cage_of(rule.constraint, ruleset.board) if isinstance(rule, RuleTruth) else None
        if cage is None or not seen.isdisjoint(cage.cells):
            return None
        seen.update(cage.cells)
        total -= cage.total
        for cell in cage.cells:
            factors[cell] = factors.get(cell, 0) - 1
    left = {cell: factor for cell, factor in factors.items() if factor}
    if (sum(left.values()), total) < (0, 0):
        left, total = {cell: -factor for cell, factor in left.items()}, -total
    # cells that are added come before those that are subtracted
    cells = sorted(left, key=lambda cell: left[cell] < 0)
    return Linear(tuple(cells), tuple(left[cell] for cell in cells), total)
