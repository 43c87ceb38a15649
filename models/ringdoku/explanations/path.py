"""Solving a puzzle step by step: `Walk` always takes a step with the fewest truths that it finds, and of these the
easiest technique. It finds all steps of one truth; for two to six see `ringdoku.explanations.search`. If it finds none,
it assumes a candidate that leads to a contradiction: a *case split*, see `ringdoku.explanations.cases`."""

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
    from ringdoku.explanations.cases import CaseSplits


class Outcome(Enum):
    """How an explanation ends."""

    SOLVED = "solved"
    """Every cell has its digit."""
    CONTRADICTION = "contradiction"
    """A truth has nothing left, so there is no solution."""
    STUCK = "stuck"
    """There is no further step of the kinds that were asked for."""
    LIMIT = "limit"
    """The time limit came first."""

    __repr__ = named


@dataclass(frozen=True)
class Effort:
    """The steps to look for: of at most `truths` truths, 0 for singles only; and case splits if `cases`. `known` are
    solutions, whose candidates cannot be refuted and are not tried. `proof` is the time in seconds for a proof that a
    step has the fewest truths, 0 for no proof. `unique`: steps may rely on there being only one solution."""

    truths: int = MOST_TRUTHS
    cases: bool = True
    known: tuple[Grid, ...] = ()
    deadline: Deadline = NEVER
    proof: float = 0
    unique: bool = False


def start_of(puzzle: Puzzle) -> Candidates:
    """The candidates that the clues leave, before any step. Raises `DimensionError` above `LARGEST_ORDER`."""
    if puzzle.order > LARGEST_ORDER:
        raise DimensionError(f"explanations are for orders up to {LARGEST_ORDER}, not {puzzle.order}")
    graph = graph_of(puzzle.ruleset)
    return graph.candidates(graph.left_by_clues(puzzle))


class Walk:
    """Iterates over the steps. `outcome` is STUCK until they end, and then how they ended. Raises `TimeLimitError` at
    the deadline, and `DisagreementError` if a step fails its check."""

    def __init__(self, puzzle: Puzzle, effort: Effort, start: Candidates) -> None:
        self._puzzle, self._effort = puzzle, effort
        self._graph = graph = graph_of(puzzle.ruleset)
        self._alive = graph.alive(start)
        self._placed = {cell for cell, clue in enumerate(puzzle.clues.digits) if start[cell] == {clue}}
        self._possible = graph.union((c, d) for grid in effort.known for c, d in enumerate(grid.digits))
        # for rules from which nothing followed, the candidates in their cells at that time
        self._barren: dict[RuleTruth, int] = {}
        self.outcome = Outcome.STUCK

    def __iter__(self) -> Iterator[Inference]:
        graph = self._graph
        while not self._is_solved():
            self._effort.deadline.check()
            step = self._next_step()
            if step is None:
                return
            yield step
            if not step.removed and not step.placed:
                self.outcome = Outcome.CONTRADICTION
                return
            self._alive &= ~graph.union(step.removed)
            # a rule may remove the digit of a cell that has one
            self._placed -= {cell for cell, _ in step.removed if not self._alive & graph.cell_bits[cell]}
            self._placed |= {step.placed[0]} if step.placed else set()
        self.outcome = Outcome.SOLVED

    def _is_solved(self) -> bool:
        """Whether all cells have digits, of the only solution those of the grid, for which extra cells may stay open;
        and all rules hold: digits that keep all links may still break a rule."""
        graph = self._graph
        if len(self._effort.known) == 1 and self._placed.issuperset(range(self._puzzle.board.grid_count)):
            return True
        is_full = len(self._placed) == graph.cells and not graph.impossible
        return is_full and not any(rule.excludes(self._alive) for rule in graph.rules)

    def _next_step(self) -> Inference | None:
        step = next(self._steps(), None)
        if step is None:
            return None
        candidates = self._graph.candidates(self._alive)
        if self._effort.proof and step.depth < 2:
            step = self._smallest(step, candidates)
        blank = set(range(self._graph.cells)) - self._placed
        step = replace(step, name=name_of(self._puzzle.ruleset, candidates, step, blank))
        if faults := check_step(self._puzzle, candidates, step, self._effort.deadline.check):
            raise DisagreementError(f"a step does not follow: {'; '.join(faults)}")
        return step

    def _smallest(self, step: Inference, candidates: Candidates) -> Inference:
        """The step or one of fewer truths, which says whether it is proved that none has fewer still."""
        # loads a SAT solver
        from ringdoku.explanations.small_sets import smaller_step

        # the search was complete for steps of one truth, and without rules for steps of two
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

    def _steps(self) -> Iterator[Inference]:
        """Steps that can be taken now, roughly the easiest first. Each is looked for only when it is asked for."""
        yield from self._singles()
        if self._effort.truths:
            yield from self._steps_of_one_truth()
        if self._effort.unique:
            yield from self._uniqueness_steps()
        yield from self._steps_of_more_truths()
        if self._effort.cases and (split := self._splits.best(self._alive, self._possible)):
            yield split

    def _singles(self) -> Iterator[Inference]:
        """Truths that have no candidate left, then those with one: full houses, then units, then cells."""
        graph, alive, units = self._graph, self._alive, self._puzzle.ruleset.units
        pairs = [(truth, bits & alive) for truth, bits in zip(graph.truths, graph.bits, strict=True)]
        yield from (Inference((truth,), ()) for truth, left in pairs if not left)
        singles = [(truth, left.bit_length() - 1) for truth, left in pairs if not left & (left - 1)]
        singles = [(truth, index) for truth, index in singles if index // graph.order not in self._placed]
        # units that have one blank cell
        last = {number for number, unit in enumerate(units) if singles and len({*unit.cells} - self._placed) == 1}
        singles.sort(key=lambda single: not (isinstance(single[0], UnitTruth) and single[0].unit in last))
        for truth, index in singles:
            yield Inference((truth,), graph.candidates_in(graph.conflicts[index] & alive), graph.candidate(index))

    def _steps_of_one_truth(self) -> Iterator[Inference]:
        """Steps by a rule alone, and locked candidates."""
        graph, alive = self._graph, self._alive
        yield from (Inference((truth,), ()) for truth in graph.impossible)
        for rule in graph.rules:
            if gone := rule.excludes(alive):
                yield Inference((rule.truth,), graph.candidates_in(gone) if rule.bits & alive & ~gone else ())
        for truth, bits in zip(graph.truths, graph.bits, strict=True):
            if gone := graph.excluded_by(bits & alive, alive):
                yield Inference((truth,), graph.candidates_in(gone))
        for rule in (each for each in graph.rules if self._barren.get(each.truth) != each.bits & alive):
            if gone := graph.refuted_by(rule, alive, self._effort.deadline.check):
                yield Inference((rule.truth,), graph.candidates_in(gone) if rule.bits & alive & ~gone else ())
            else:
                self._barren[rule.truth] = rule.bits & alive

    def _uniqueness_steps(self) -> Iterator[Inference]:
        """Steps that follow if there is only one solution."""
        graph, alive = self._graph, self._alive
        for truth in self._deadly_patterns():
            ways = graph.bits_of(truth) & alive
            gone = graph.excluded_by(ways, alive) if ways else 0
            # a removed candidate of a known solution would mean that there are several solutions
            if gone and not gone & self._possible and is_exchangeable(self._puzzle, truth):
                yield Inference((truth,), graph.candidates_in(gone))

    def _deadly_patterns(self) -> Iterator[UniqueTruth]:
        """Corners of rectangles that share two digits; and all open cells, if one has three digits, the others two."""
        board, left = self._puzzle.board, self._graph.candidates(self._alive)
        rows, columns = (combinations(range(size), 2) for size in (board.rows, board.columns))
        for lines in product(rows, columns):
            cells = [row * board.columns + column for row, column in product(*lines)]
            for pair in combinations(sorted(frozenset.intersection(*(left[cell] for cell in cells))), 2):
                yield UniqueTruth(tuple(product(cells, pair)))
        several = {cell: digits for cell, digits in enumerate(left) if len(digits) > 1}
        if sorted(map(len, several.values()))[-2:] == [2, 3]:
            every = [(cell, digit) for cell, digits in several.items() for digit in sorted(digits)]
            for extra in (candidate for candidate in every if len(several[candidate[0]]) == 3):
                yield UniqueTruth(tuple(candidate for candidate in every if candidate != extra))

    def _steps_of_more_truths(self) -> Iterator[Inference]:
        """Steps of two truths or more, the fewest first."""
        search = Search(self._graph, self._alive, self._effort.deadline.check, self._possible, self._effort.truths)
        for size in range(2, self._effort.truths + 1):
            yield from (Inference(truths, self._graph.candidates_in(gone)) for truths, gone in search.sums(size))
            yield from filter(None, (self._easiest(search, sets) for sets in search.kinds(size)))

    def _easiest(self, search: Search, sets: Iterator[tuple[int, ...]]) -> Inference | None:
        graph, candidates = self._graph, self._graph.candidates(self._alive)
        steps: list[Inference] = []
        # a few dozen sets of one size include an easy one
        for indices in islice(sets, 40):
            refuted, truths = search.refuted(indices), tuple(graph.truths[index] for index in indices)
            if refuted == self._alive:
                # they contradict each other without any assumption
                return Inference(truths, ())
            step = Inference(truths, graph.candidates_in(refuted))
            steps.append(replace(step, name=name_of(self._puzzle.ruleset, candidates, step)))
        return min(steps, key=lambda step: (*hardness(step), -len(step.removed)), default=None)

    @cached_property
    def _splits(self) -> "CaseSplits":
        # loads a SAT solver
        from ringdoku.explanations.cases import CaseSplits

        return CaseSplits(self._puzzle, self._alive, self._effort.deadline)


def needed_steps(graph: CandidateGraph, start: Candidates, steps: Sequence[Inference]) -> tuple[Inference, ...]:
    """The last step and those on which it depends. They are named again, since with fewer steps a full house may be a
    plain single. This is the backward pass of I. Bleukx, J. Devriendt, E. Gamba, B. Bogaerts and T. Guns, "Simplifying
    step-wise explanation sequences", CP 2023."""
    *others, end = steps
    needed, kept = graph.premises(end), list[Inference]()
    for step in reversed(others):
        if graph.union(step.removed) & needed:
            kept.append(step)
            needed |= graph.premises(step)
    found, left = [], start
    placed_by_steps = {step.placed[0] for step in others if step.placed}
    for step in reversed(kept):
        step = replace(step, removed=tuple((cell, digit) for cell, digit in step.removed if digit in left[cell]))
        blank = placed_by_steps.union(cell for cell, digits in enumerate(left) if len(digits) > 1)
        found.append(replace(step, name=name_of(graph.ruleset, left, step, blank)))
        left = after(left, step)
        placed_by_steps -= {step.placed[0]} if step.placed else set()
    return (*found, end)
