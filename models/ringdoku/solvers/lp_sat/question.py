"""A question to a SAT solver: is there a solution that scores at least T?

The formula holds the candidates that the prices leave at T, and a budget on their costs, rounded down to a few levels.
A solution that slips through is worth less than T, and is refused by a clause that names the few dear candidates which
alone break the exact budget. T can be raised, so that what the solver learned serves higher targets too.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise, product
from typing import TypeAlias

import numpy as np

from ringdoku.deduction.propagation import Candidates, propagate
from ringdoku.domain import LARGEST_EXACT, Grid, Puzzle
from ringdoku.duality.prices import Floats, Ints, Prices, incidence
from ringdoku.limits import Deadline, without_collection
from ringdoku.lowering.cnf import at_most_one_for, encode_candidates
from ringdoku.sat.digits import DigitLiterals
from ringdoku.sat.formula import FormulaBuilder, Literals
from ringdoku.sat.options import EncodingOptions
from ringdoku.solvers.incremental import IncrementalSolver, PuzzleSolver
from ringdoku.solvers.pysat import settings_for
from ringdoku.solvers.registry import Phase, Run, refutation_by

MOST_PAIRS = 10**7
"""Pairwise clauses, as estimated, which search best while there is memory for them: ten million take about 2 GB."""

PRICES = "prices in exact arithmetic"
"""The ground of an answer that needs no solver."""

COARSE, FINE = 8, 24
"""Levels of a budget: on small boards a finer one takes longer to write than it saves, on others half as many conflicts
are worth it."""

Node: TypeAlias = Mapping[int, int]
"""Reachable total of costs → its variable, ascending."""


@dataclass(frozen=True, eq=False)
class Problem:
    """What questions are about: a puzzle, the `gains` (cells, digits) whose sum is to be maximised, the `candidates`
    that propagation left, and what linear programming says of them: `prices`, and `likely` (cells, digits), its
    fractional solution, which solvers try first. Solutions have no candidate that costs more than `dearest`."""

    puzzle: Puzzle
    gains: Ints
    candidates: Candidates
    prices: Prices
    likely: Floats
    dearest: int = LARGEST_EXACT

    def survivors(self, target: int, deadline: Deadline) -> "Candidates | None":
        """The candidates that solutions with a score of at least `target` may use; None if there are no solutions."""
        left = self.prices.survivors(self.candidates, target) & (self.prices.reduced_costs <= self.dearest)
        # these are propagated already
        return self.candidates if (left == self.candidates).all() else propagate(self.puzzle, left, deadline)


class Question:
    """A solver that is kept between turns, so that what it learned is not lost; `close` frees its memory.

    With `rules`, a solver of a blank board that stays, the question joins it, behind a selector: to load the rules of a
    small board takes longer than most questions. With `representatives`, as in `prices.half_turn`, only symmetric
    solutions are looked for, and a refutation says nothing of others. Only a question `with_budget` has clauses for
    sums of costs. Solutions that the run excludes do not count. Raises `TimeLimitError` when the deadline comes while
    it is built.
    """

    @without_collection()
    def __init__(
        self,
        problem: Problem,
        target: int,
        solver_name: str,
        run: Run,
        rules: PuzzleSolver | None = None,
        with_budget: bool = False,
        representatives: Ints | None = None,
    ) -> None:
        self.target = target
        self.ground = PRICES
        self.refusals = 0
        self.best: Grid | None = None
        self._prices = problem.prices
        self._deadline, self._effort = run.deadline, run.effort
        self._effort.enter(Phase.BUILD)
        self._effort.facts["questions"] += 1
        self._solver: IncrementalSolver | None = None
        self._rules = rules
        survivors = problem.survivors(target, run.deadline) if self._slack >= 0 else None
        if survivors is None:
            return
        puzzle = problem.puzzle
        builder = FormulaBuilder(run.deadline, rules.local_pool().count if rules else 0)
        if rules:
            digits = rules.formula.digits
            literals: Literals = np.where(survivors, digits.literals, 0).astype(np.int32)
            self._digits = DigitLiterals(puzzle.board, literals)
        else:
            options = EncodingOptions(at_most_one=at_most_one_for(survivors, MOST_PAIRS))
            self._digits = encode_candidates(puzzle, survivors, options, builder, representatives)
        self._literals = self._digits.literals
        self._worth = self._of_variables(problem.gains)
        self._costs = self._of_variables(self._prices.reduced_costs)
        self._unit = 1
        self._totals: Node = {}
        if with_budget:
            # rounded down to whole units: a weaker budget, never a wrong one
            self._unit = min(max(-(-self._slack // (COARSE if rules else FINE)), 1), LARGEST_EXACT)
            self._totals = within_budget(self._cost_groups(puzzle, survivors), self._slack // self._unit, builder)
        formula = builder.formula()
        self._effort.enter(Phase.LOAD)
        self._own, self.ground = 0, refutation_by(solver_name)
        if rules:
            self._solver, self._own = rules, rules.selector()
            decided = (np.count_nonzero(survivors, axis=1) == 1)[:, None]
            placed: list[int] = digits.literals[survivors & decided].tolist()
            # the others of a decided cell follow
            gone: list[int] = (-digits.literals[~survivors & ~decided]).tolist()
            self._solver.add(([literal] for literal in placed + gone), self._own)
            self._solver.add(formula.clauses(), self._own)
        else:
            settings = settings_for(puzzle, solver_name)
            self._solver = IncrementalSolver(solver_name, formula, run.deadline, settings=settings)
        for grid in run.excluding:
            self.exclude(grid)
        # the solver first tries what the fractional solution favours
        there = self._literals > 0
        variables = self._literals[there]
        self._solver.prefer(np.where(problem.likely[there] > 0.5, variables, -variables).tolist())

    def raise_to(self, target: int) -> None:
        """Ask for this score from now on, and never again for less."""
        self.target = target
        if self._solver is None or self._slack < 0:
            return
        # the least total beyond the budget is implied by all others
        beyond = [-variable for total, variable in self._totals.items() if total > self._slack // self._unit][:1]
        dear = self._literals[(self._literals > 0) & ~self._prices.survivors(self._literals > 0, target)]
        self._solver.add(([literal] for literal in (*(-dear).tolist(), *beyond)), self._own)

    def exclude(self, grid: Grid) -> None:
        """A solution that does not count from now on."""
        if self._solver is not None:
            self._solver.add(self._digits.blocking_clauses((grid,)), self._own)

    def ask(self, conflicts: int) -> bool | None:
        """Whether there is such a solution, None when so many conflicts, or the run's deadline, came first. `best` is
        the best solution that this found, also where it scores less."""
        self.best, best_score, spent = None, 0, 0
        if self._solver is None or self._slack < 0:
            return False
        self._effort.enter(Phase.SOLVE)
        solver, assumed = self._solver, [self._own] if self._own else []
        before = solver.statistics()["conflicts"]
        while spent < conflicts and not self._deadline.expired:
            satisfiable = solver.solve(assumed, conflicts - spent)
            after = solver.statistics()["conflicts"]
            # a solution that slips through takes about as long as a conflict
            spent += max(after - before, 1)
            self._effort.facts["conflicts"] += after - before
            before = after
            if satisfiable is False:
                return False
            if satisfiable:
                # a model has the variables in their order, and a grid takes longer to make than to score
                chosen = [literal for literal in solver.model()[: len(self._worth) - 1] if literal > 0]
                score = sum(map(self._worth.__getitem__, chosen))
                if self.best is None or score > best_score:
                    self.best, best_score = self._digits.decode(chosen), score
                if score >= self.target:
                    return True
                self._refuse(chosen)
        return None

    def close(self) -> None:
        if self._solver is not None and self._rules:
            self._solver.retract(self._own)
        elif self._solver is not None:
            self._solver.close()
        self._solver = None

    @property
    def _slack(self) -> int:
        return self._prices.slack(self.target)

    def _of_variables(self, numbers: Ints) -> list[int]:
        """The sum of the numbers (cells, digits) over the candidates of each variable."""
        sums = np.zeros(int(self._literals.max(initial=0)) + 1, dtype=np.int64)
        np.add.at(sums, self._literals, np.where(self._literals > 0, numbers, 0))
        found: list[int] = sums.tolist()
        return found

    def _cost_groups(self, puzzle: Puzzle, survivors: Candidates) -> list[list[tuple[int, int]]]:
        """For each cell its literals with their costs in units, for `within_budget`."""
        costs = np.where(survivors, self._prices.reduced_costs, 0) // self._unit
        # sums over neighbours, the cells of a box, mean more to the solver than any others
        neighbours_first = np.argsort(incidence(puzzle.ruleset).units_of.max(axis=1), kind="stable")
        return [
            [(int(self._literals[cell, digit]), int(costs[cell, digit])) for digit in np.flatnonzero(survivors[cell])]
            for cell in neighbours_first.tolist()
            if costs[cell].any()
        ]

    def _refuse(self, chosen: Sequence[int]) -> None:
        """The dearest choices, whose costs alone are beyond the slack, cannot come together; where those of all are
        within it, only this grid is forbidden."""
        assert self._solver is not None
        self.refusals += 1
        dearest = sorted(chosen, key=self._costs.__getitem__, reverse=True)
        totals = enumerate(accumulate(map(self._costs.__getitem__, dearest)), 1)
        enough = next((count for count, total in totals if total > self._slack), None)
        if enough is None:
            self.exclude(self._digits.decode(chosen))
        else:
            self._solver.add([[-literal for literal in dearest[:enough]]], self._own)


def within_budget(groups: Sequence[Sequence[tuple[int, int]]], budget: int, builder: FormulaBuilder) -> Node:
    """Σ cost ≤ budget, for `groups` of (literal, cost ≥ 0) in each of which exactly one literal is true, such as the
    candidates of a cell: a generalized totalizer (Joshi, Martins and Manquinho, CP 2015). A node has one variable for
    each total that its leaves can reach, true if the total is at least that. To tighten the budget later, make larger
    totals of the returned root false."""
    clauses: list[tuple[int, ...]] = []

    def node_of(totals: set[int]) -> Node:
        """A variable for each total; a larger one implies the next smaller one."""
        ascending = sorted(total for total in totals if 0 < total <= budget)
        variables = builder.reserve(len(ascending))
        clauses.extend((-larger, smaller) for smaller, larger in pairwise(variables))
        return dict(zip(ascending, variables, strict=True))

    def parent(left: Node, right: Node) -> Node:
        """left ≥ a ∧ right ≥ b → total ≥ a + b; a conflict if a + b is beyond the budget."""
        node = node_of({*left, *right, *(a + b for a in left for b in right)})
        clauses.extend((-variable, node[cost]) for side in (left, right) for cost, variable in side.items())
        for (cost, variable), (other, other_variable) in product(left.items(), right.items()):
            implied = (node[cost + other],) if cost + other in node else ()
            clauses.append((-variable, -other_variable, *implied))
        return node

    leaves: list[Node] = []
    for group in groups:
        leaf = node_of({cost for _, cost in group})
        clauses.extend((-literal, leaf[cost]) if cost in leaf else (-literal,) for literal, cost in group if cost)
        leaves.append(leaf)
    nodes = list(filter(None, leaves))
    while len(nodes) > 1:
        nodes = [*map(parent, nodes[::2], nodes[1::2]), *nodes[len(nodes) // 2 * 2 :]]
    builder.add_lists(clauses)
    return next(iter(nodes), {})
