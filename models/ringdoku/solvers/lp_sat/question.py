"""A question to a SAT solver: is there a solution that scores at least T?

The formula has the candidates whose reduced costs allow a score of T, and a budget on the sum of these costs, rounded
down to a few levels. A solution within this budget may still score less than T. It is then excluded by a lazy
constraint, a clause of the few most expensive candidates that alone exceed the exact budget. T can be raised, so that
what the solver learned serves higher targets too.
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
"""The most pairwise clauses, as estimated. They make searches fastest; ten million take about 2 GB."""

PRICES = "prices in exact arithmetic"
"""The ground of an answer that needs no solver."""

COARSE, FINE = 8, 24
"""Levels of a budget: on small boards a fine one costs more time than it saves; on others it halves the conflicts."""

Node: TypeAlias = Mapping[int, int]
"""Reachable total of costs → its variable, ascending."""


@dataclass(frozen=True, eq=False)
class Problem:
    """What questions are about: a puzzle, the `gains` (cells, digits) whose sum is to be maximised, the `candidates`
    that propagation left, the `prices` of the linear program, and its `fractional` solution (cells, digits), which
    solvers try first. Candidates with a reduced cost above `most_cost` are left out."""

    puzzle: Puzzle
    gains: Ints
    candidates: Candidates
    prices: Prices
    fractional: Floats
    most_cost: int = LARGEST_EXACT

    def survivors(self, target: int, deadline: Deadline) -> "Candidates | None":
        """The candidates that solutions with a score of at least `target` may use; None if there are no solutions."""
        left = self.prices.survivors(self.candidates, target) & (self.prices.reduced_costs <= self.most_cost)
        # if nothing is left out, they are propagated already
        return self.candidates if (left == self.candidates).all() else propagate(self.puzzle, left, deadline)


class Question:
    """A question with its solver, which stays between turns, so that what it learned is not lost. `close` frees it, or
    takes the question's clauses from a solver that it shares. A solver of its own is also freed with the question.

    With `shared_solver`, a solver of a blank board, the question adds its clauses there, with a selector: to load the
    rules of a small board takes longer than most questions. With `representatives`, as in `prices.half_turn`, only
    symmetric solutions are looked for, and a refutation says nothing of others. Only a question `with_budget` has
    clauses for sums of costs. Solutions that the run excludes do not count. Building it may raise `TimeLimitError`.
    """

    @without_collection()
    def __init__(
        self,
        problem: Problem,
        target: int,
        solver_name: str,
        run: Run,
        shared_solver: PuzzleSolver | None = None,
        with_budget: bool = False,
        representatives: Ints | None = None,
    ) -> None:
        self.target = target
        self.ground = PRICES
        self.lazy_constraints = 0
        self.best: Grid | None = None
        self._prices = problem.prices
        self._deadline, self._effort = run.deadline, run.effort
        self._effort.enter(Phase.BUILD)
        self._effort.facts["questions"] += 1
        self._solver: IncrementalSolver | None = None
        self._shared_solver = shared_solver
        survivors = problem.survivors(target, run.deadline) if self._slack >= 0 else None
        if survivors is None:
            return
        puzzle = problem.puzzle
        builder = FormulaBuilder(run.deadline, shared_solver.local_pool().num_vars if shared_solver else 0)
        if shared_solver:
            digits = shared_solver.formula.digits
            literals: Literals = np.where(survivors, digits.literals, 0).astype(np.int32)
            self._digits = DigitLiterals(puzzle.board, literals)
        else:
            options = EncodingOptions(at_most_one=at_most_one_for(survivors, MOST_PAIRS))
            self._digits = encode_candidates(puzzle, survivors, options, builder, representatives)
        self._literals = self._digits.literals
        self._gain_of = self._by_variable(problem.gains)
        self._cost_of = self._by_variable(self._prices.reduced_costs)
        self._unit = 1
        self._totals: Node = {}
        if with_budget:
            # costs are rounded down to whole units: a weaker budget, never a wrong one
            self._unit = min(max(-(-self._slack // (COARSE if shared_solver else FINE)), 1), LARGEST_EXACT)
            self._totals = within_budget(self._cost_groups(puzzle, survivors), self._slack // self._unit, builder)
        formula = builder.formula()
        self._effort.enter(Phase.LOAD)
        self._selector, self.ground = 0, refutation_by(solver_name)
        if shared_solver:
            self._solver, self._selector = shared_solver, shared_solver.selector()
            decided = (np.count_nonzero(survivors, axis=1) == 1)[:, None]
            placed: list[int] = digits.literals[survivors & decided].tolist()
            # the other candidates of a decided cell follow
            excluded: list[int] = (-digits.literals[~survivors & ~decided]).tolist()
            self._solver.add(([literal] for literal in placed + excluded), self._selector)
            self._solver.add(formula.clauses(), self._selector)
        else:
            settings = settings_for(puzzle, solver_name)
            self._solver = IncrementalSolver(solver_name, formula, run.deadline, settings=settings)
        for grid in run.excluding:
            self.exclude(grid)
        # the solver first tries what the fractional solution favours
        has_variable = self._literals > 0
        variables = self._literals[has_variable]
        self._solver.prefer(np.where(problem.fractional[has_variable] > 0.5, variables, -variables).tolist())

    def raise_to(self, target: int) -> None:
        """Ask for this score from now on, and never again for less."""
        self.target = target
        if self._solver is None or self._slack < 0:
            return
        # the least total above the budget is implied by all others
        excess = [-variable for total, variable in self._totals.items() if total > self._slack // self._unit][:1]
        expensive = self._literals[(self._literals > 0) & ~self._prices.survivors(self._literals > 0, target)]
        self._solver.add(([literal] for literal in (*(-expensive).tolist(), *excess)), self._selector)

    def exclude(self, grid: Grid) -> None:
        """Forbid a solution from now on."""
        if self._solver is not None:
            self._solver.add(self._digits.blocking_clauses((grid,)), self._selector)

    def ask(self, conflicts: int) -> bool | None:
        """Whether there is a solution that reaches the target; None when the limit on conflicts, or the run's deadline,
        came first. `best` is the best solution found, even if it scores less."""
        self.best, best_score, spent = None, 0, 0
        if self._solver is None or self._slack < 0:
            return False
        self._effort.enter(Phase.SOLVE)
        solver, assumed = self._solver, [self._selector] if self._selector else []
        before = solver.statistics()["conflicts"]
        while spent < conflicts and not self._deadline.expired:
            satisfiable = solver.solve(assumed, conflicts - spent)
            after = solver.statistics()["conflicts"]
            # a solution that scores too little takes about as long as a conflict
            spent += max(after - before, 1)
            self._effort.facts["conflicts"] += after - before
            before = after
            if satisfiable is False:
                return False
            if satisfiable:
                # an assignment has the variables in their order; a grid takes longer to make than to score
                chosen = [literal for literal in solver.assignment()[: len(self._gain_of) - 1] if literal > 0]
                score = sum(map(self._gain_of.__getitem__, chosen))
                if self.best is None or score > best_score:
                    self.best, best_score = self._digits.decode(chosen), score
                if score >= self.target:
                    return True
                self._add_lazy_constraint(chosen)
        return None

    def close(self) -> None:
        if self._solver is not None and self._shared_solver:
            self._solver.retract(self._selector)
        self._solver = None

    @property
    def _slack(self) -> int:
        """The exact budget: the most that the reduced costs of a solution may add up to."""
        return self._prices.slack(self.target)

    def _by_variable(self, numbers: Ints) -> list[int]:
        """For each variable the sum of the numbers (cells, digits) of its candidates."""
        sums = np.zeros(int(self._literals.max(initial=0)) + 1, dtype=np.int64)
        np.add.at(sums, self._literals, np.where(self._literals > 0, numbers, 0))
        found: list[int] = sums.tolist()
        return found

    def _cost_groups(self, puzzle: Puzzle, survivors: Candidates) -> list[list[tuple[int, int]]]:
        """For each cell its literals with their costs in units, as `within_budget` takes them."""
        costs = np.where(survivors, self._prices.reduced_costs, 0) // self._unit
        # partial sums over neighbours, the cells of a box, help the solver more than others
        by_box = np.argsort(incidence(puzzle.ruleset).units_of.max(axis=1), kind="stable")
        return [
            [(int(self._literals[cell, digit]), int(costs[cell, digit])) for digit in np.flatnonzero(survivors[cell])]
            for cell in by_box.tolist()
            if costs[cell].any()
        ]

    def _add_lazy_constraint(self, chosen: Sequence[int]) -> None:
        """Forbid the fewest of the chosen candidates whose costs alone exceed the slack; else only this grid."""
        assert self._solver is not None
        self.lazy_constraints += 1
        by_cost = sorted(chosen, key=self._cost_of.__getitem__, reverse=True)
        totals = enumerate(accumulate(map(self._cost_of.__getitem__, by_cost)), 1)
        enough = next((count for count, total in totals if total > self._slack), None)
        if enough is None:
            self.exclude(self._digits.decode(chosen))
        else:
            self._solver.add([[-literal for literal in by_cost[:enough]]], self._selector)


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
        """left ≥ a ∧ right ≥ b → total ≥ a + b; a conflict if a + b exceeds the budget."""
        node = node_of({*left, *right, *(a + b for a in left for b in right)})
        clauses.extend((-variable, node[cost]) for side in (left, right) for cost, variable in side.items())
        for (cost, variable), (other, other_variable) in product(left.items(), right.items()):
            implied = (node[cost + other],) if cost + other in node else ()
            clauses.append((-variable, -other_variable, *implied))
        return node

    nodes: list[Node] = []
    for group in groups:
        leaf = node_of({cost for _, cost in group})
        clauses.extend((-literal, leaf[cost]) if cost in leaf else (-literal,) for literal, cost in group if cost)
        nodes += [leaf] if leaf else []
    while len(nodes) > 1:
        nodes = [*map(parent, nodes[::2], nodes[1::2]), *nodes[len(nodes) // 2 * 2 :]]
    builder.add_lists(clauses)
    return next(iter(nodes), {})
