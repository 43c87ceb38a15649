"""A puzzle step by step: always a step of the fewest truths that is found, and of these the easiest technique.

One truth: all steps are found. Two to six: see `ringdoku.explanations.search` for which sets are found. Where none is,
a candidate is assumed and the steps from there lead to a contradiction (`Case`): a *case split*, which is told as such.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from ringdoku.domain.errors import DimensionError, DisagreementError, TimeLimitError
from ringdoku.domain.grid import Grid
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.showing import Shown, named
from ringdoku.explanations.checker import check_step
from ringdoku.explanations.field import LARGEST_ORDER, field, members
from ringdoku.explanations.house_sums import house_sums
from ringdoku.explanations.inferences import Candidates, Case, Inference, Truth
from ringdoku.explanations.search import MOST_WORLDS, Search
from ringdoku.explanations.techniques import hardness, name_of
from ringdoku.explanations.trimming import trimmed
from ringdoku.limits import NEVER, Deadline

if TYPE_CHECKING:
    from ringdoku.drawing.views import View
    from ringdoku.explanations.steps import Step

MOST_TRUTHS = 6
"""Of a step that is no case split."""

LARGEST_BRANCHES = 4
"""Truths of a step in which one is satisfied in two ways; larger ones would take too long. After a case split none is
looked for."""

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
class Explanation(Shown):
    """What follows from the candidates `start`, and how that ends. It iterates over its `steps`, and has their length.

    Its text has all of them, and its picture what they lead to.
    """

    puzzle: Puzzle
    start: Candidates
    inferences: tuple[Inference, ...]
    outcome: Outcome

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """Each inference with the digits and candidates before it, which draws itself."""
        # the drawing, which most do without
        from ringdoku.explanations.steps import steps_of

        return tuple(steps_of(self.puzzle, self.start, self.inferences))

    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps)

    def __len__(self) -> int:
        return len(self.inferences)

    def __getitem__(self, index: int) -> Step:
        return self.steps[index]

    def __bool__(self) -> bool:
        return True

    def __str__(self) -> str:
        return "\n".join(map(str, (*self.steps, self._end.caption or self._end.alarm)))

    @cached_property
    def _end(self) -> View:
        from ringdoku.explanations.steps import end_of

        return end_of(self)

    def svg(self) -> str:
        return self._end.svg()

    def __rich__(self) -> object:
        from rich.text import Text

        return Text(str(self))


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


def explain_steps(puzzle: Puzzle, effort: Effort, start: Candidates | None = None) -> Explanation:
    """All steps, each checked. At the deadline the steps so far. Raises as `start_of`."""
    begun = start_of(puzzle) if start is None else start
    found: list[Inference] = []
    outcome = Outcome.LIMIT
    try:
        walk = Walk(puzzle, effort, begun)
        found.extend(walk)
        outcome = walk.outcome
    except TimeLimitError:
        pass
    return Explanation(puzzle, begun, tuple(found), outcome)


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
        self._alive = made.union((cell, digit) for cell, digits in enumerate(start) for digit in digits)
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
        from ringdoku.explanations.smallest import smaller_step

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
        single: tuple[int, int] | None = None
        for truth, bits in enumerate(made.bits):
            left = bits & alive
            if not left:
                return Inference((made.truths[truth],), ())
            if left & (left - 1):
                continue
            index = left.bit_length() - 1
            if index // made.order not in self._placed and (single is None or truth >= made.first_cell):
                if truth >= made.first_cell and self._is_full_house(index // made.order):
                    single = truth, index
                    break
                single = single or (truth, index)
        if single:
            truth, index = single
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
        search = Search(self._field, self._alive, self._effort.deadline.check)
        wanted = list(members(search.candidates & ~self._hopeless))
        bounds = {c: search.levels(search.conflicts[c], self._effort.truths) for c in wanted}
        for size in range(2, self._effort.truths + 1):
            search.nodes = 0
            if step := self._of_sums(size):
                return step
            branching = size <= LARGEST_BRANCHES and not self._split
            for ways in KINDS[: 3 if branching else 2]:
                if step := self._easiest(search, ways(search, size, bounds)):
                    return step
        return None

    def _of_sums(self, size: int) -> Inference | None:
        """What a house and `size` - 1 cages leave for few cells: innies and outies."""
        made, alive = self._field, self._alive
        for truths, stated in house_sums(self._puzzle.ruleset):
            if len(truths) != size:
                continue
            kept = 0
            for ways in self._ways_of(stated.cells, stated.coefficients, stated.greatest or 0, alive):
                kept |= ways
            every = 0
            for cell in stated.cells:
                every |= made.cell_bits[cell]
            if gone := every & alive & ~kept:
                # no way at all: the truths contradict each other
                return Inference(truths, made.listed(gone) if kept else ())
        return None

    def _ways_of(self, cells: Sequence[int], factors: Sequence[int], total: int, alive: int) -> Iterator[int]:
        """The sets of candidates, one a cell, that exclude no other and have the weighted sum."""
        made = self._field
        if not cells:
            if total == 0:
                yield 0
            return
        for index in members(made.cell_bits[cells[0]] & alive):
            digit = made.candidate(index)[1]
            for rest in self._ways_of(
                cells[1:], factors[1:], total - factors[0] * digit, alive & ~made.conflicts[index]
            ):
                yield rest | 1 << index

    def _easiest(self, search: Search, found: Iterator[tuple[int, ...]]) -> Inference | None:
        made, candidates = self._field, self._field.candidates(self._alive)
        best: tuple[tuple[int, int, int], Inference] | None = None
        seen: set[frozenset[int]] = set()
        for truths in found:
            if frozenset(truths) in seen:
                continue
            seen.add(frozenset(truths))
            ordered = tuple(sorted(truths))
            refuted = search.refuted(ordered)
            step = Inference(tuple(made.truths[truth] for truth in ordered), made.listed(refuted & self._alive))
            if refuted == self._alive:
                # they contradict each other without any assumption
                return replace(step, removed=())
            step = replace(step, name=name_of(self._puzzle.ruleset, candidates, step))
            key = (*hardness(step), -len(step.removed))
            if best is None or key < best[0]:
                best = key, step
            if len(seen) >= MOST_COMPARED:
                break
        return best[1] if best else None

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


Bounds = dict[int, tuple[list[int], int | None]]


def _locked(search: Search, size: int, _bounds: Bounds) -> Iterator[tuple[int, ...]]:
    if size == 1:
        return ((truth,) for truth in search.loose)
    return search.locked(size) if size <= 4 else iter(())


def _chains(search: Search, size: int, bounds: Bounds) -> Iterator[tuple[int, ...]]:
    for candidate, (levels, least) in bounds.items():
        if least is not None and least <= size:
            yield from search.chains(search.conflicts[candidate], size, levels)


def _branches(search: Search, size: int, bounds: Bounds) -> Iterator[tuple[int, ...]]:
    if size > 2:
        for candidate in islice(bounds, MOST_WORLDS if size == 3 else MOST_WORLDS // 3):
            yield from search.branches(candidate, size)


KINDS = (_locked, _chains, _branches)
"""Kinds of steps, as functions that yield sets of truths of one size which may refute something; easier kinds first."""
