"""A puzzle step by step: always a step of the fewest truths that is found, and of these the easiest technique. One
truth: all steps are found. Two to six: see `ringdoku.explanations.search`. Where none is found, a candidate is assumed,
and what follows from there leads to a contradiction: a *case split*, see `ringdoku.explanations.cases`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from itertools import combinations, islice, product
from typing import TYPE_CHECKING

from ringdoku.domain import DimensionError, DisagreementError, Grid, Puzzle, TimeLimitError
from ringdoku.domain.showing import named
from ringdoku.explanations.checker import after, check_step, is_exchangeable
from ringdoku.explanations.graph import LARGEST_ORDER, CandidateGraph, graph_of
from ringdoku.explanations.inferences import Candidates, Inference, RuleTruth, UniqueTruth, UnitTruth
from ringdoku.explanations.search import MOST_TRUTHS, Search
from ringdoku.explanations.techniques import hardness, name_of
from ringdoku.limits import NEVER, Deadline

if TYPE_CHECKING:
    from ringdoku.explanations.cases import Splits


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
    that a step has the fewest truths, 0 for no proof. `unique`: that there is one solution may be a reason."""

    truths: int = MOST_TRUTHS
    cases: bool = True
    known: tuple[Grid, ...] = ()
    deadline: Deadline = NEVER
    proof: float = 0
    unique: bool = False


def start_of(puzzle: Puzzle) -> Candidates:
    """What the clues leave for each cell, before any step. Raises `DimensionError` above `LARGEST_ORDER`."""
    if puzzle.order > LARGEST_ORDER:
        raise DimensionError(f"explanations are for orders up to {LARGEST_ORDER}, not {puzzle.order}")
    graph = graph_of(puzzle.ruleset)
    return graph.candidates(graph.given(puzzle))


class Walk:
    """An iterator over the steps; `outcome` is how they ended, STUCK until then. Raises `TimeLimitError` at the
    deadline, `DisagreementError` for a step that fails its check."""

    def __init__(self, puzzle: Puzzle, effort: Effort, start: Candidates) -> None:
        self._puzzle, self._effort = puzzle, effort
        self._graph = graph = graph_of(puzzle.ruleset)
        self._alive = graph.alive(start)
        clues = enumerate(puzzle.clues.digits)
        self._placed = {cell for cell, clue in clues if start[cell] == {clue}}
        self._possible = graph.union((c, d) for grid in effort.known for c, d in enumerate(grid.digits))
        # what is left in the cells of rules that rule out nothing
        self._barren: dict[RuleTruth, int] = {}
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
        found = next(self._found(), None)
        if found is None:
            return None
        candidates, look = self._graph.candidates(self._alive), self._effort.deadline.check
        if self._effort.proof and found.depth < 2:
            found = self._proved(found, candidates)
        blank = set(range(self._graph.cells)) - self._placed
        found = replace(found, name=name_of(self._puzzle.ruleset, candidates, found, blank))
        if faults := check_step(self._puzzle, candidates, found, look):
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

    def _found(self) -> Iterator[Inference]:
        """Steps that can be taken now, the easiest first, each looked for when it is asked for."""
        yield from self._singles()
        if self._effort.truths:
            yield from self._of_one()
        if self._effort.unique:
            yield from self._of_patterns()
        yield from self._of_more()
        if self._effort.cases and (split := self._splits.best(self._alive, self._possible)):
            yield split

    def _singles(self) -> Iterator[Inference]:
        """Truths that have nothing left, or one candidate: full houses, then units, then cells."""
        graph, alive, units = self._graph, self._alive, self._puzzle.ruleset.units
        lefts = [(truth, bits & alive) for truth, bits in zip(graph.truths, graph.bits, strict=True)]
        yield from (Inference((truth,), ()) for truth, left in lefts if not left)
        singles = [(truth, left.bit_length() - 1) for truth, left in lefts if not left & (left - 1)]
        singles = [(truth, index) for truth, index in singles if index // graph.order not in self._placed]
        # units that have one blank cell
        last = {number for number, unit in enumerate(units) if singles and len({*unit.cells} - self._placed) == 1}
        singles.sort(key=lambda single: not (isinstance(single[0], UnitTruth) and single[0].unit in last))
        for truth, index in singles:
            yield Inference((truth,), graph.listed(graph.conflicts[index] & alive), graph.candidate(index))

    def _of_one(self) -> Iterator[Inference]:
        """What a rule alone rules out, and locked candidates."""
        graph, alive = self._graph, self._alive
        yield from (Inference((truth,), ()) for truth in graph.impossible)
        for rule in graph.rules:
            if gone := rule.excludes(alive):
                yield Inference((rule.truth,), graph.listed(gone) if rule.bits & alive & ~gone else ())
        for truth, bits in zip(graph.truths, graph.bits, strict=True):
            if gone := graph.common(bits & alive, alive):
                yield Inference((truth,), graph.listed(gone))
        for rule in (each for each in graph.rules if self._barren.get(each.truth) != each.bits & alive):
            if gone := graph.refuted_by(rule, alive):
                yield Inference((rule.truth,), graph.listed(gone) if rule.bits & alive & ~gone else ())
            else:
                self._barren[rule.truth] = rule.bits & alive

    def _of_patterns(self) -> Iterator[Inference]:
        """What follows from it alone that there is one solution."""
        graph, alive = self._graph, self._alive
        for truth in self._patterns():
            ways = graph.about(truth) & alive
            gone = graph.common(ways, alive) if ways else 0
            # of a known solution only where there is another one
            if gone and not gone & self._possible and is_exchangeable(self._puzzle, truth):
                yield Inference((truth,), graph.listed(gone))

    def _patterns(self) -> Iterator[UniqueTruth]:
        """Corners of rectangles with two digits in common; and all open cells, of which one has three digits."""
        board, left = self._puzzle.board, self._graph.candidates(self._alive)
        rows, columns = (combinations(range(size), 2) for size in (board.rows, board.columns))
        for lines in product(rows, columns):
            cells = [row * board.columns + column for row, column in product(*lines)]
            for pair in combinations(sorted(frozenset.intersection(*(left[cell] for cell in cells))), 2):
                yield UniqueTruth(tuple(product(cells, pair)))
        several = {cell: digits for cell, digits in enumerate(left) if len(digits) > 1}
        sizes = sorted(map(len, several.values()))
        if sizes[-2:] == [2, 3]:
            every = [(cell, digit) for cell, digits in several.items() for digit in sorted(digits)]
            for extra in (candidate for candidate in every if len(several[candidate[0]]) == 3):
                yield UniqueTruth(tuple(candidate for candidate in every if candidate != extra))

    def _of_more(self) -> Iterator[Inference]:
        """Steps of two truths or more, the fewest first."""
        search = Search(self._graph, self._alive, self._effort.deadline.check, self._possible, self._effort.truths)
        for size in range(2, self._effort.truths + 1):
            yield from (Inference(truths, self._graph.listed(gone)) for truths, gone in search.sums(size))
            yield from filter(None, (self._easiest(search, sets) for sets in search.kinds(size)))

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

    @cached_property
    def _splits(self) -> "Splits":
        # loads a SAT solver
        from ringdoku.explanations.cases import Splits

        return Splits(self._puzzle, self._alive, self._effort.deadline)


def trimmed(graph: CandidateGraph, start: Candidates, steps: Sequence[Inference]) -> tuple[Inference, ...]:
    """The last step and those on which it depends, named anew: among fewer steps a full house may be none. The backward
    pass over a way to a contradiction of I. Bleukx, J. Devriendt, E. Gamba, B. Bogaerts and T. Guns, "Simplifying
    step-wise explanation sequences", CP 2023."""
    *others, end = steps
    needed, kept = graph.uses(end), list[Inference]()
    for step in reversed(others):
        if graph.union(step.removed) & needed:
            kept.append(step)
            needed |= graph.uses(step)
    found, left = [], start
    placed_by_steps = {step.placed[0] for step in others if step.placed}
    for step in reversed(kept):
        step = replace(step, removed=tuple((cell, digit) for cell, digit in step.removed if digit in left[cell]))
        blank = placed_by_steps.union(cell for cell, digits in enumerate(left) if len(digits) > 1)
        found.append(replace(step, name=name_of(graph.ruleset, left, step, blank)))
        left = after(left, step)
        placed_by_steps -= {step.placed[0]} if step.placed else set()
    return (*found, end)
