"""A puzzle step by step: always a step of the fewest truths that is found, and of these the easiest technique. One
truth: all steps are found. Two to six: see `ringdoku.explanations.search`. Where none is found, a candidate is assumed,
and the steps from there lead to a contradiction (`Case`): a *case split*."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import reduce
from itertools import islice
from operator import or_

from ringdoku.domain import DimensionError, DisagreementError, Grid, Puzzle, TimeLimitError
from ringdoku.domain.showing import named
from ringdoku.explanations.checker import after, check_step
from ringdoku.explanations.graph import LARGEST_ORDER, CandidateGraph, graph_of, members
from ringdoku.explanations.inferences import Candidates, Case, Inference, Truth
from ringdoku.explanations.search import MOST_TRUTHS, Search
from ringdoku.explanations.techniques import hardness, name_of
from ringdoku.limits import NEVER, Deadline


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
    """Which steps are looked for: of at most `truths` truths, 0 for singles only; and case splits or none. `known` are
    solutions: no candidate of one is ever refuted, so it is not tried. `proof` is how many seconds the proof may take
    that a step has the fewest truths, 0 for no proof."""

    truths: int = MOST_TRUTHS
    cases: bool = True
    known: tuple[Grid, ...] = ()
    deadline: Deadline = NEVER
    proof: float = 0


def start_of(puzzle: Puzzle) -> Candidates:
    """What the clues leave for each cell, before any step. Raises `DimensionError` above `LARGEST_ORDER`."""
    if puzzle.order > LARGEST_ORDER:
        raise DimensionError(f"explanations are for orders up to {LARGEST_ORDER}, not {puzzle.order}")
    graph = graph_of(puzzle.ruleset)
    return graph.candidates(graph.given(puzzle))


class Walk:
    """An iterator over the steps; `outcome` is how they ended, STUCK until then. Raises `TimeLimitError` at the
    deadline, `DisagreementError` for a step that fails its check."""

    def __init__(self, puzzle: Puzzle, effort: Effort, start: Candidates, inside: frozenset[int] | None = None) -> None:
        """`inside`: the cells that have their digit, for steps inside a case."""
        self._puzzle, self._effort, self._is_inside = puzzle, effort, inside is not None
        self._graph = graph = graph_of(puzzle.ruleset)
        self._alive = graph.alive(start)
        clues = enumerate(puzzle.clues.digits)
        self._placed = set(inside or (cell for cell, clue in clues if start[cell] == {clue}))
        self._possible = graph.union((c, d) for grid in effort.known for c, d in enumerate(grid.digits))
        # of puzzles that need one, each state would take a second to search in full
        self._split = False
        self.outcome = Outcome.STUCK

    def __iter__(self) -> Iterator[Inference]:
        graph = self._graph
        while not self._is_solved():
            self._effort.deadline.check()
            step = self._next()
            if step is None:
                return
            yield step
            if not step.removed and not step.placed:
                self.outcome = Outcome.CONTRADICTION
                return
            self._alive &= ~graph.union(step.removed)
            # a rule may take the digit of a cell away
            self._placed -= {cell for cell, _ in step.removed if not self._alive & graph.cell_bits[cell]}
            self._placed |= {step.placed[0]} if step.placed else set()
        self.outcome = Outcome.SOLVED

    def _is_solved(self) -> bool:
        """Digits in all cells keep all links, and yet not all rules."""
        graph = self._graph
        is_full = len(self._placed) == graph.cells and not graph.impossible
        return is_full and not any(rule.excludes(self._alive) for rule in graph.rules)

    def _next(self) -> Inference | None:
        found = self._of_one() or self._of_more() or (self._cases() if self._effort.cases else None)
        if found is None:
            return None
        candidates, look = self._graph.candidates(self._alive), self._effort.deadline.check
        if self._effort.proof and not self._is_inside and not found.cases:
            found = self._proved(found, candidates)
        found = replace(found, name=name_of(self._puzzle.ruleset, candidates, found))
        # inside a case each step is checked with the case
        if not self._is_inside and (faults := check_step(self._puzzle, candidates, found, look)):
            raise DisagreementError(f"a step does not follow: {'; '.join(faults)}")
        return found

    def _proved(self, step: Inference, candidates: Candidates) -> Inference:
        """The step, or one of fewer truths, and whether it is proved that there is none of fewer."""
        # loads a SAT solver
        from ringdoku.explanations.small_sets import smaller_step

        # all steps of one truth were looked for; of two, where there are no rules
        complete = 1 if self._graph.rules else 2
        deadline = self._effort.deadline.within(self._effort.proof)
        try:
            while step.size > complete:
                smaller = smaller_step(self._puzzle, candidates, step.size, deadline, self._possible)
                if smaller is None:
                    break
                step = smaller
        except TimeLimitError:
            self._effort.deadline.check()
            return replace(step, smallest=False)
        return replace(step, smallest=True)

    def _of_one(self) -> Inference | None:
        """A truth that has nothing left, a single, a rule's own conclusion, or locked candidates."""
        graph, alive = self._graph, self._alive
        single = self._single()
        if single or not self._effort.truths:
            return single
        if graph.impossible:
            return Inference((graph.impossible[0],), ())
        for rule in graph.rules:
            if gone := rule.excludes(alive):
                return Inference((rule.truth,), graph.listed(gone))
        for truth, bits in zip(graph.truths, graph.bits, strict=True):
            if gone := graph.common(bits & alive, alive):
                return Inference((truth,), graph.listed(gone))
        return None

    def _single(self) -> Inference | None:
        """A truth that has nothing left, or one candidate: a full house, else that of a unit, else that of a cell."""
        graph, alive, ruleset = self._graph, self._alive, self._puzzle.ruleset
        first: tuple[int, int] | None = None
        for truth, bits in enumerate(graph.bits):
            left = bits & alive
            if not left:
                return Inference((graph.truths[truth],), ())
            index = left.bit_length() - 1
            cell = index // graph.order
            if left & (left - 1) or cell in self._placed:
                continue
            first = first or (truth, index)
            full = (self._placed.union((cell,)) >= {*ruleset.units[unit].cells} for unit in ruleset.units_of[cell])
            if truth >= graph.first_cell and any(full):
                first = truth, index
                break
        if first is None:
            return None
        truth, index = first
        removed = graph.listed(graph.conflicts[index] & alive)
        return Inference((graph.truths[truth],), removed, graph.candidate(index))

    def _of_more(self) -> Inference | None:
        """A step of the fewest truths, two or more."""
        if self._effort.truths < 2:
            return None
        search = Search(self._graph, self._alive, self._effort.deadline.check, self._possible, self._effort.truths)
        for size in range(2, self._effort.truths + 1):
            for truths, gone in search.sums(size):
                return Inference(truths, self._graph.listed(gone))
            for sets in search.kinds(size, branching=not self._split):
                if step := self._easiest(search, sets):
                    return step
        return None

    def _easiest(self, search: Search, found: Iterator[tuple[int, ...]]) -> Inference | None:
        graph, candidates = self._graph, self._graph.candidates(self._alive)
        steps: list[Inference] = []
        # among some tens of one size there is an easy one
        for chosen in islice(found, 40):
            refuted, truths = search.refuted(chosen), tuple(graph.truths[truth] for truth in chosen)
            if refuted == self._alive:
                # they contradict each other without any assumption
                return Inference(truths, ())
            step = Inference(truths, graph.listed(refuted))
            steps.append(replace(step, name=name_of(self._puzzle.ruleset, candidates, step)))
        return min(steps, key=lambda step: (*hardness(step), -len(step.removed)), default=None)

    def _cases(self) -> Inference | None:
        """A candidate that more steps refute, those of the smallest truths first."""
        graph, alive = self._graph, self._alive
        ways = {truth: bits & alive for truth, bits in enumerate(graph.bits) if (bits & alive).bit_count() > 1}
        tried: dict[int, Truth] = {}
        for truth in sorted(ways, key=lambda truth: ways[truth].bit_count()):
            for index in members(ways[truth] & ~self._possible):
                tried.setdefault(index, graph.truths[truth])
        search = Search(graph, alive, self._effort.deadline.check)
        # single truths end most cases, which is quickly seen, but for rules; for a few candidates two at a time are
        # tried before cases lie inside cases
        ending = (
            index
            for index in tried
            if graph.rules or search.levels(search.conflicts[index], len(graph.conflicts))[1] is not None
        )
        for indices, effort in (
            (ending, replace(self._effort, truths=1, cases=False)),
            (islice(tried, 20), replace(self._effort, truths=2, cases=False)),
            (tried, replace(self._effort, truths=1)),
        ):
            for index in indices:
                self._effort.deadline.check()
                if case := self._refutation(index, effort):
                    self._split = True
                    return Inference((tried[index],), (graph.candidate(index),), cases=(case,))
        return None

    def _refutation(self, index: int, effort: Effort) -> Case | None:
        graph = self._graph
        left = graph.candidates(self._alive & ~graph.conflicts[index])
        # no solution is known of what is assumed to be false
        inner = Walk(self._puzzle, replace(effort, known=()), left, frozenset(self._placed | {index // graph.order}))
        steps = list(inner)
        if inner.outcome is not Outcome.CONTRADICTION:
            return None
        end = steps.pop()
        return Case(graph.candidate(index), trimmed(graph, left, steps, end), end)


def trimmed(
    graph: CandidateGraph, start: Candidates, steps: Sequence[Inference], end: Inference
) -> tuple[Inference, ...]:
    """The steps on which `end` depends, named anew: among fewer steps a full house may be none. The backward pass over
    a way to a contradiction of I. Bleukx, J. Devriendt, E. Gamba, B. Bogaerts and T. Guns, "Simplifying step-wise
    explanation sequences", CP 2023."""
    needed = _uses(graph, end)
    kept: list[Inference] = []
    for step in reversed(steps):
        if graph.union(step.removed) & needed:
            kept.append(step)
            needed |= _uses(graph, step)
    return _named(graph, start, reversed(kept))


def _named(graph: CandidateGraph, left: Candidates, steps: Iterable[Inference]) -> tuple[Inference, ...]:
    """The steps, and those of their cases, with the names that they have from these candidates on."""
    found = []
    for step in steps:
        cases = tuple(
            replace(case, inferences=_named(graph, graph.assumed(left, case.assumed), case.inferences))
            for case in step.cases
        )
        removed = tuple((cell, digit) for cell, digit in step.removed if digit in left[cell])
        step = replace(step, removed=removed, cases=cases)
        found.append(replace(step, name=name_of(graph.ruleset, left, step)))
        left = after(left, step)
    return tuple(found)


def _uses(graph: CandidateGraph, step: Inference) -> int:
    """Candidates whose absence a step may rest on: all that would satisfy its truths."""
    inner = [_uses(graph, one) for case in step.cases for one in (*case.inferences, case.end)]
    return reduce(or_, inner or map(graph.about, step.truths))
