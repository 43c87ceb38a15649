"""A puzzle step by step: always a step of the fewest truths that is found, and of these the easiest technique.

One truth: all steps are found. Two to six: see `ringdoku.explanations.search` for which sets are found. Where none is,
a candidate is assumed and the steps from there lead to a contradiction (`Case`): a *case split*, which is told as such.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import islice

from ringdoku.domain.errors import DimensionError, DisagreementError, TimeLimitError
from ringdoku.domain.grid import Grid
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.showing import named
from ringdoku.explanations.checker import after, cells_of, check_step
from ringdoku.explanations.field import LARGEST_ORDER, Field, field, members
from ringdoku.explanations.inferences import Candidates, Case, HouseTruth, Inference, RuleTruth, Truth
from ringdoku.explanations.search import MOST_TRUTHS, Search
from ringdoku.explanations.techniques import hardness, name_of
from ringdoku.limits import NEVER, Deadline

MOST_COMPARED = 40
"""Sets of truths of one size among which the easiest is chosen."""

INSIDE_CASES = 2
"""Truths that a step inside a case may have, where no chain of single truths ends the case."""

MOST_CASES = 20
"""Candidates that are tried with such steps before cases lie inside cases."""


class Outcome(Enum):
    """How an explanation ends."""

    SOLVED = "solved"
    """Every cell has its digit."""
    CONTRADICTION = "contradiction"
    """A truth has nothing left, so there is no solution."""
    STUCK = "stuck"
    """No step of the kinds that were asked for is left."""
    LIMIT = "limit"
    """The time limit came first."""

    __repr__ = named


@dataclass(frozen=True)
class Effort:
    """Which steps are looked for: of at most `truths` truths, 0 for singles only; and case splits or none.

    `known` are solutions: no candidate of one is ever refuted, so it is not tried. `proof` is how many seconds the
    proof may take that a step has the fewest truths, 0 for no proof.
    """

    truths: int = MOST_TRUTHS
    cases: bool = True
    known: tuple[Grid, ...] = ()
    deadline: Deadline = NEVER
    proof: float = 0


def start_of(puzzle: Puzzle) -> Candidates:
    """What the clues leave for each cell, before any step. Raises `DimensionError` above `LARGEST_ORDER`."""
    if puzzle.order > LARGEST_ORDER:
        raise DimensionError(f"explanations are for orders up to {LARGEST_ORDER}, not {puzzle.order}")
    made = field(puzzle.ruleset)
    return made.candidates(made.given(puzzle))


class Walk:
    """An iterator over the steps; `outcome` is how they ended, STUCK until then.

    Raises `TimeLimitError` at the deadline, `DisagreementError` for a step that fails its check.
    """

    def __init__(self, puzzle: Puzzle, effort: Effort, start: Candidates, depth: int = 0) -> None:
        self._puzzle = puzzle
        self._effort = effort
        self._field = field(puzzle.ruleset)
        self._depth = depth
        made = self._field
        self._alive = made.alive(start)
        self._placed = {
            cell
            for cell, clue in enumerate(puzzle.clues.digits)
            if clue != puzzle.board.blank and start[cell] == {clue}
        }
        self._hopeless = made.union((c, d) for grid in effort.known for c, d in enumerate(grid.digits))
        # of puzzles that need one, each state would take a second to search in full
        self._split = False
        self.outcome = Outcome.STUCK

    def __iter__(self) -> Iterator[Inference]:
        made = self._field
        while len(self._placed) < made.cells or self._breaks_a_rule():
            self._effort.deadline.check()
            step = self._next()
            if step is None:
                return
            if not step.removed and not step.placed:
                yield step
                self.outcome = Outcome.CONTRADICTION
                return
            self._alive &= ~made.union(step.removed)
            # a rule may take the digit of a cell away
            self._placed -= {cell for cell, _ in step.removed if not self._alive & made.cell_bits[cell]}
            if step.placed:
                self._placed.add(step.placed[0])
            yield step
        self.outcome = Outcome.SOLVED

    def _breaks_a_rule(self) -> bool:
        """Whether the digits, one in each cell, keep all links and yet not all rules."""
        return bool(self._field.impossible) or any(rule.excludes(self._alive) for rule in self._field.rules)

    def _next(self) -> Inference | None:
        """The next step, named and checked, None where there is none."""
        found = self._of_one() or self._of_more() or (self._cases() if self._effort.cases else None)
        if found is None:
            return None
        candidates = self._field.candidates(self._alive)
        if self._effort.proof and not self._depth and not found.cases:
            found = self._proved(found, candidates)
        named = replace(found, name=name_of(self._puzzle.ruleset, candidates, found))
        # inside a case each step is checked with the case
        look = self._effort.deadline.check
        if not self._depth and (faults := check_step(self._puzzle, candidates, named, look)):
            raise DisagreementError(f"a step does not follow: {'; '.join(faults)}")
        return named

    def _proved(self, step: Inference, candidates: Candidates) -> Inference:
        """The step, or one of fewer truths, and whether it is proved that there is none of fewer."""
        # loads a SAT solver
        from ringdoku.explanations.small_sets import smaller_step

        # all steps of one truth were looked for; of two, where there are no rules
        complete = 1 if self._field.rules else 2
        deadline = self._effort.deadline.within(self._effort.proof)
        try:
            while step.size > complete:
                smaller = smaller_step(self._puzzle, candidates, step.size, deadline, self._hopeless)
                if smaller is None:
                    break
                step = smaller
        except TimeLimitError:
            self._effort.deadline.check()
            return replace(step, smallest=False)
        return replace(step, smallest=True)

    def _of_one(self) -> Inference | None:
        """A truth that has nothing left, a single, a rule's own conclusion, or locked candidates."""
        made, alive = self._field, self._alive
        if single := self._single():
            truth, index = single
            if index is None:
                return Inference((made.truths[truth],), ())
            removed = made.listed(made.conflicts[index] & alive)
            return Inference((made.truths[truth],), removed, made.candidate(index))
        if not self._effort.truths:
            return None
        if made.impossible:
            return Inference((made.impossible[0],), ())
        for rule in made.rules:
            if gone := rule.excludes(alive):
                return Inference((rule.truth,), made.listed(gone))
        for truth, bits in enumerate(made.bits):
            if gone := made.common(bits & alive) & alive:
                return Inference((made.truths[truth],), made.listed(gone))
        return None

    def _single(self) -> tuple[int, int | None] | None:
        """A truth and the one candidate that it has left: a full house, else one of a unit, else one of a cell. Before
        those a truth that has none left."""
        made, found = self._field, list[tuple[int, int]]()
        for truth, bits in enumerate(made.bits):
            left = bits & self._alive
            if not left:
                return truth, None
            index = left.bit_length() - 1
            if not left & (left - 1) and index // made.order not in self._placed:
                if truth >= made.first_cell and self._is_full_house(index // made.order):
                    return truth, index
                found.append((truth, index))
        return found[0] if found else None

    def _is_full_house(self, cell: int) -> bool:
        units = self._puzzle.ruleset.units
        return any(
            all(other in self._placed for other in units[unit].cells if other != cell)
            for unit in self._puzzle.ruleset.units_of[cell]
        )

    def _of_more(self) -> Inference | None:
        """A step of the fewest truths, two or more."""
        if self._effort.truths < 2:
            return None
        search = Search(self._field, self._alive, self._effort.deadline.check, self._hopeless, self._effort.truths)
        for size in range(2, self._effort.truths + 1):
            for truths_of_sum, gone in search.sums(size):
                return Inference(truths_of_sum, self._field.listed(gone))
            for sets in search.kinds(size, branching=not self._split):
                if step := self._easiest(search, sets):
                    return step
        return None

    def _easiest(self, search: Search, found: Iterator[tuple[int, ...]]) -> Inference | None:
        made, candidates = self._field, self._field.candidates(self._alive)
        steps: list[tuple[tuple[int, int, int], Inference]] = []
        for ordered in islice(found, MOST_COMPARED):
            refuted = search.refuted(ordered)
            step = Inference(tuple(made.truths[truth] for truth in ordered), made.listed(refuted & self._alive))
            if refuted == self._alive:
                # they contradict each other without any assumption
                return replace(step, removed=())
            step = replace(step, name=name_of(self._puzzle.ruleset, candidates, step))
            steps.append(((*hardness(step), -len(step.removed)), step))
        return min(steps, key=lambda found: found[0])[1] if steps else None

    def _cases(self) -> Inference | None:
        """A candidate that more steps refute, those of the smallest truths first."""
        made, alive = self._field, self._alive
        open_truths = [
            (left.bit_count(), truth) for truth, bits in enumerate(made.bits) if (left := bits & alive).bit_count() > 1
        ]
        tried: dict[int, Truth] = {}
        for _, truth in sorted(open_truths):
            for index in members(made.bits[truth] & alive & ~self._hopeless):
                tried.setdefault(index, made.truths[truth])
        search = Search(made, alive, self._effort.deadline.check)
        simple = replace(self._effort, truths=1, cases=False)
        # what single truths do is quickly seen, but for rules
        ending = (
            index for index in tried if made.rules or search.levels(search.conflicts[index], made.size)[1] is not None
        )
        richer = replace(self._effort, truths=INSIDE_CASES, cases=False)
        nested = replace(self._effort, truths=1)
        for indices, effort in (
            (ending, simple),
            (islice(tried, MOST_CASES), richer),
            (iter(tried), nested),
        ):
            for index in indices:
                self._effort.deadline.check()
                if case := self._refutation(index, effort):
                    self._split = True
                    return Inference((tried[index],), (made.candidate(index),), cases=(case,))
        return None

    def _refutation(self, index: int, effort: Effort) -> Case | None:
        made = self._field
        left = made.candidates(self._alive & ~made.conflicts[index])
        # no solution is known of what is assumed to be false
        inner = Walk(self._puzzle, replace(effort, known=()), left, self._depth + 1)
        inner._placed = self._placed | {index // made.order}
        steps = list(inner)
        if inner.outcome is not Outcome.CONTRADICTION:
            return None
        end = steps.pop()
        return Case(made.candidate(index), trimmed(made, left, steps, end), end)


def trimmed(made: Field, start: Candidates, steps: Sequence[Inference], end: Inference) -> tuple[Inference, ...]:
    """The steps on which `end` depends, named anew: among fewer steps a full house may be none.

    The backward pass over a way to a contradiction of I. Bleukx, J. Devriendt, E. Gamba, B. Bogaerts and T. Guns,
    "Simplifying step-wise explanation sequences", CP 2023.
    """
    needed = _uses(made, end)
    kept: list[Inference] = []
    for step in reversed(steps):
        if made.union(step.removed) & needed:
            kept.append(step)
            needed |= _uses(made, step)
    kept.reverse()
    named, left = [], start
    for step in kept:
        removed = tuple((cell, digit) for cell, digit in step.removed if digit in left[cell])
        step = replace(step, removed=removed)
        named.append(replace(step, name=name_of(made.ruleset, left, step)))
        left = after(left, step)
    return tuple(named)


def _uses(made: Field, step: Inference) -> int:
    """Candidates whose absence a step may rest on: all that would satisfy its truths."""
    used = 0
    for case in step.cases:
        used |= _uses(made, case.end)
        for inner in case.inferences:
            used |= _uses(made, inner)
    if step.cases:
        return used
    for truth in step.truths:
        if isinstance(truth, RuleTruth):
            for cell in cells_of(truth, made.ruleset):
                used |= made.cell_bits[cell]
        elif isinstance(truth, HouseTruth):
            for cell in made.ruleset.units[truth.unit].cells:
                used |= made.cell_bits[cell]
        else:
            used |= made.bits_of[truth]
    return used
