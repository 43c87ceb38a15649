"""One question to a SAT solver: is there a solution that scores at least T?

The formula holds the candidates that the prices leave at T, and a budget on their reduced costs, rounded down to a few
levels. A row "at most one" that has a price costs that price when none of its candidates is chosen. Rounding makes the
budget weaker, never wrong: a solution that slips through is worth less than T, and is refused by a clause that names
the few dear candidates which alone break the exact budget.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from itertools import accumulate
from math import inf
from operator import itemgetter
from typing import Any

import numpy as np

from ringdoku.backends.base import Phase, Run
from ringdoku.backends.lp_sat.halves import Halves
from ringdoku.backends.lp_sat.host import Host
from ringdoku.backends.lp_sat.knowledge import Knowledge
from ringdoku.backends.sat_solver import FIRST_CONFLICTS, MOST_CONFLICTS, can_be_interrupted, limited, loaded, steady
from ringdoku.cnf import ClauseSink, VarPool
from ringdoku.deduction.propagation import Candidates, propagate
from ringdoku.domain.grid import Grid
from ringdoku.domain.objective import Objective
from ringdoku.domain.puzzle import Puzzle
from ringdoku.duality.incidence import Floats, Incidence, Ints, incidence
from ringdoku.duality.prices import LARGEST_COST, Prices
from ringdoku.encodings.budget import Node, within_budget
from ringdoku.encodings.options import EncodingOptions
from ringdoku.lowering.cnf import encode_candidates, nothing_known
from ringdoku.lowering.defaults import at_most_one_for, estimated_pairs
from ringdoku.memory import without_collection

NOISE = 100
"""A slack below 1/100 of a point is rounding of the linear program: a budget on it would be large and useless."""

MOST_PAIRS = 10**7
"""Pairwise clauses, as estimated, which search best while there is memory for them: ten million take about 2 GB."""


class Answer(Enum):
    """What is known about a question."""

    FOUND = "found"
    """A solution with at least the target score."""
    REFUTED = "refuted"
    """No solution has the target score."""
    OPEN = "open"
    """The turn was over first."""


class Question:
    """A solver kept between turns, so that what it learned is not lost; `close` frees its memory.

    `objective` maximises, `levels` is how finely the budget is written, 0 for not at all. With `repeated`, as in
    `duality.symmetry.half_turn`, only symmetric solutions are looked for, and a refutation says nothing of others.
    Solutions that the run excludes do not count. With `shared`, which needs a formula of its own, another process asks
    for better solutions too, and the two divide the work as in `halves`; `positive` in one of them. Raises
    `TimeLimitError` when the deadline comes while it is built.
    """

    @without_collection()
    def __init__(
        self,
        puzzle: Puzzle,
        objective: Objective,
        candidates: Candidates,
        prices: Prices | None,
        target: int,
        run: Run,
        solver_name: str,
        likely: Floats,
        levels: int,
        repeated: Ints | None = None,
        host: Host | None = None,
        shared: Knowledge | None = None,
        positive: bool = True,
    ) -> None:
        self.target = self._lowest = target
        self.levels = levels
        self.conflicts = 0
        self.refusals = 0
        self.best: Grid | None = None
        self._best_score = 0
        self._deadline = run.deadline
        self._prices = prices
        # the reduced cost of each variable, made for the first refusal
        self._costs: list[int] | None = None
        self._solver: Any = None
        self._halves: Halves | None = None
        # since `aim`: what is assumed, and a variable for each target, which guards clauses that hold from there up
        self._assumed: tuple[int, ...] = ()
        self._guards: dict[int, int] = {}
        survivors: Candidates | None = candidates
        if prices is not None:
            left = prices.survivors(candidates, target)
            # where all are left they are propagated already
            survivors = candidates if (left == candidates).all() else propagate(puzzle, left, run.deadline)
        self._refuted = survivors is None
        if survivors is None:
            return
        pool, sink = host.pool() if host else VarPool(), ClauseSink(run.deadline)
        # sums over neighbours, the cells of a box, mean more to the solver than any others
        self._neighbours_first = np.argsort(incidence(puzzle).units_of.max(axis=1), kind="stable")
        if host:
            self._digits = host.digits(survivors)
        else:
            known, pairs = nothing_known(puzzle.board), estimated_pairs(survivors) // (1 if repeated is None else 2)
            options = EncodingOptions(at_most_one=at_most_one_for(pairs, MOST_PAIRS))
            self._digits = encode_candidates(puzzle, survivors, known, options, pool, sink, repeated)
        self._literals = self._digits.literals
        weights = (*objective.weights, *[0] * (puzzle.board.cell_count - puzzle.board.grid_count))
        self._worth = self._by_variable(np.multiply.outer(weights, puzzle.board.digits))
        # a level is so much of the slack, rounded up
        self._unit = 1 if prices is None or not levels else max(-(-prices.slack(target) // levels), 1)
        self._incidence = incidence(puzzle)
        self._rows = self._priced_rows(self._incidence)
        self._root = self._budget(survivors, pool, sink)
        formula = sink.formula(pool)
        self._spare = formula.num_vars
        run.effort.enter(Phase.LOAD)
        if host:
            self._solver = host.guest(survivors, formula)
        else:
            # a budget, or other rules than houses, take longer with these
            settings = steady(solver_name, formula) if not levels and not puzzle.ruleset.rest else None
            self._solver = loaded(solver_name, formula, run.deadline, settings)
        self._turn = MOST_CONFLICTS if can_be_interrupted(self._solver) else FIRST_CONFLICTS
        if shared is not None:
            self._halves = Halves(formula, self._literals, shared, positive, run.deadline)
        self._solver.append_formula(self._digits.clauses_against(run.excluding))
        self._try_first(likely)

    def ask(self, conflicts: int, refusals: float = inf) -> Answer:
        """Search on for about so many conflicts, until so many solutions were refused, or until the run's deadline."""
        spent, refusals = 0, self.refusals + refusals
        before = 0 if self._refuted else self._solver.accum_stats()["conflicts"]
        while not self._refuted and spent < conflicts and not self._deadline.expired:
            if self._halves:
                self._solver.append_formula([[literal] for literal in self._halves.news()])
            assumed = self._halves.assumed() if self._halves else self._assumed
            satisfiable = limited(self._solver, assumed, min(conflicts - spent, self._turn), self._deadline)
            after = self._solver.accum_stats()["conflicts"]
            used, before = max(after - before, 1), after
            spent += used
            self.conflicts += used
            if self._halves and satisfiable is not False:
                self._halves.spend(used)
            if self._halves and satisfiable is False and assumed:
                self._solver.add_clause([self._halves.refuted()])
            elif satisfiable is False:
                self._refuted = True
            elif satisfiable:
                # a model has the variables in their order, and a grid takes longer to make than to score
                chosen = [literal for literal in self._solver.get_model()[: len(self._worth) - 1] if literal > 0]
                score = sum(map(self._worth.__getitem__, chosen))
                if self.best is None or score > self._best_score:
                    self.best, self._best_score = self._digits.decode(chosen), score
                if score >= self.target:
                    return Answer.FOUND
                self._refuse(chosen)
                if self.refusals >= refusals:
                    break
        return Answer.REFUTED if self._refuted else Answer.OPEN

    def exclude(self, grid: Grid) -> None:
        """A solution that does not count from now on."""
        self.best = None
        self._solver.append_formula(self._digits.clauses_against((grid,)))

    def raise_target(self, target: int) -> bool:
        """Ask for more in the same solver; False when its budget is too coarse by now, or no prices tell scores."""
        self.target = target
        if self._prices is None:
            return False
        if self._refuted:
            return True
        slack = self._prices.slack(target)
        if slack < 0:
            self._refuted = True
            return True
        dear = self._literals[(self._literals > 0) & (self._prices.reduced_costs > min(slack, LARGEST_COST))]
        for variable in dear.tolist():
            self._solver.add_clause([-variable])
        for price, members in self._rows:
            if price > slack:
                self._solver.add_clause(members)
        budget = slack // self._unit
        for total, variable in self._root.items():
            if total > budget:
                self._solver.add_clause([-variable])
        return 3 * budget >= self.levels

    def aim(self, target: int) -> bool:
        """Ask for another score in the same solver, higher or lower; False for less than the formula was made for.

        The budget of that score is assumed, and clauses against solutions hold from the score up that refused them, so
        all that was learned stays valid. Not for questions with a host, whose variables these would be.
        """
        if target < self._lowest:
            return False
        self.target = target
        if self._solver is None:
            return True
        assert self._prices is not None, "without prices there is no budget"
        self._refuted = False
        budget = self._prices.slack(target) // self._unit
        beyond = next((variable for total, variable in self._root.items() if total > budget), None)
        if target not in self._guards:
            self._guards[target] = self._spare = self._spare + 1
        # what is worth too little for a target is so for higher ones too
        guards = [guard for other, guard in self._guards.items() if other <= target]
        self._assumed = (*guards, *([] if beyond is None else [-beyond]))
        return True

    def learn(self, prices: Prices, likely: Floats) -> None:
        """Go on with other prices and another fractional solution; for a question without a budget."""
        self._prices, self._costs = prices, None
        if self._solver is not None:
            self._rows = self._priced_rows(self._incidence)
            self._try_first(likely)
            self.raise_target(self.target)

    def _try_first(self, likely: Floats) -> None:
        """Let the solver first try what the fractional solution favours."""
        there = self._literals > 0
        variables = self._literals[there]
        self._solver.set_phases(np.where(likely[there] > 0.5, variables, -variables).tolist())

    def close(self) -> None:
        if self._solver is not None:
            self._solver.delete()
            self._solver = None
        if self._halves is not None:
            self._halves.close()
            self._halves = None

    def _budget(self, survivors: Candidates, pool: VarPool, sink: ClauseSink) -> Node:
        """The budget on reduced costs in units of a level, cells of a box next to each other."""
        if self._prices is None or not self.levels:
            return {}
        slack = self._prices.slack(self.target)
        if slack * NOISE <= self._prices.denominator or self._unit > LARGEST_COST:
            return {}
        costs = np.where(survivors, self._prices.reduced_costs, 0) // self._unit
        groups = []
        dear: Ints = np.count_nonzero(costs, axis=1)
        for cell in self._neighbours_first[dear[self._neighbours_first] > 0].tolist():
            digits = np.flatnonzero(survivors[cell])
            groups.append(list(zip(self._literals[cell, digits].tolist(), costs[cell, digits].tolist(), strict=True)))
        for price, members in self._rows:
            if price // self._unit:
                # a variable that is true at least when none of the row's candidates is
                (unused,) = pool.reserve(1)
                sink.add([*members, unused])
                groups.append([(unused, price // self._unit)])
        return within_budget(groups, slack // self._unit, pool, sink)

    def _refuse(self, chosen: Sequence[int]) -> None:
        """The dearest choices and unused rows, whose costs alone are beyond the exact slack, cannot come together.

        Rows of other kinds may cost something too; where it takes those, the grid alone is refused.
        """
        self.refusals += 1
        assert self._prices is not None, "without prices every solution reaches the target"
        if self._costs is None:
            self._costs = self._by_variable(self._prices.reduced_costs)
        # (cost, the literals one of which is true where it does not arise); Python's integers, as sums may be large
        parts = [(cost, [-variable]) for variable in chosen if (cost := self._costs[variable])]
        if self._rows:
            true = set(chosen)
            parts += [(price, members) for price, members in self._rows if true.isdisjoint(members)]
        parts.sort(key=itemgetter(0), reverse=True)
        slack, totals = self._prices.slack(self.target), accumulate(cost for cost, _ in parts)
        enough = next((count for count, total in enumerate(totals, 1) if total > slack), None)
        guard = [-self._guards[self.target]] if self._guards else []
        if enough is None:
            for clause in self._digits.clauses_against((self._digits.decode(chosen),)):
                self._solver.add_clause([*guard, *clause])
        else:
            self._solver.add_clause([*guard, *(literal for _, literals in parts[:enough] for literal in literals)])

    def _by_variable(self, numbers: Ints) -> list[int]:
        """The sum of an array's numbers over the candidates of each variable, 0 for variables that are of none."""
        sums = [0] * (int(self._literals.max(initial=0)) + 1)
        there = self._literals > 0
        for variable, number in zip(self._literals[there].tolist(), numbers[there].tolist(), strict=True):
            sums[variable] += number
        return sums

    def _priced_rows(self, units: Incidence) -> list[tuple[int, list[int]]]:
        """The price and the literals of each row "at most one" that has a price."""
        if self._prices is None or not len(self._prices.row_prices):
            return []
        literals, least = self._literals, int(units.digits[0])
        found = []
        for row, price in zip(units.rows, self._prices.row_prices.tolist(), strict=True):
            if price > 0 and not row.exact and row.total == 1 and all(factor == 1 for _, _, factor in row.terms):
                members = [int(literals[cell, digit - least]) for cell, digit, _ in row.terms]
                found.append((price, [literal for literal in members if literal]))
        return found
