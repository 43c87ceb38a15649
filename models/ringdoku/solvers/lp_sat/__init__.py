"""The backend `lp-sat`: linear programming proves a bound, then a SAT solver decides whether a solution reaches it.

Puzzles as people set them have few solutions, which are enumerated before anything else, on a solver that stays. For
other puzzles these searches take turns, in this order. All of them maximise.

1. The linear program, solved once, gives prices, and exact prices a bound (`ringdoku.duality`).
2. On large symmetric boards a symmetric solution that reaches the bound is asked for, which is far easier to find.
3. The cheapest candidates alone, as few as a solution needs. That proves nothing, but where weights are random nothing
   else finds scores near the bound. With weights near to each other the descent soon finds these too.
4. The descent (UNSAT–SAT search): is the bound reached? Mostly it is, and the work is done. Otherwise the bound is
   lowered, and the next target is a stride below it. The stride doubles while targets are refuted easily, but goes at
   most half-way to the best score, or just above that if the stride is longer than the gap. The formula limits the sum
   of the reduced costs of candidates by a budget (`question`).
5. The ascent (SAT–UNSAT search): more than the best so far, until that is refuted, without a budget. It proves the best
   of puzzles with few solutions: those with other rules than houses, and large ones that are nearly determined; these
   begin with it. For others it looks for any solution, if there is none after the descent and CP-SAT.
6. CP-SAT on the surviving candidates, given the bound and the best grid: strong where the gap is large. It writes no
   proof, so the ascent then has half as long to refute a better score too; no limit if the caller wants to be sure.
7. CP-SAT by placements of digits, once: it proves the best of blank boards with a few rules that look at each digit
   alone, such as anti-knight.

Turns are measured in conflicts of a solver. A search without an answer in its turn continues in the next round with
twice as many: none starves another, and the total is within a constant factor of what the best of them takes. Only the
time limit looks at a clock, so that a seed gives the same search on every machine.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from ringdoku.deduction.propagation import Candidates, propagate
from ringdoku.domain import Grid, Puzzle, Result, Status, TimeLimitError, pattern_solution
from ringdoku.domain.objective import Objective, gains_of, is_by_cell
from ringdoku.duality.prices import exact_prices, half_turn, incidence
from ringdoku.duality.projection import projected
from ringdoku.duality.relaxation import Relaxation, relax, require_size
from ringdoku.limits import interrupts_held
from ringdoku.solvers.incremental import MOST_CONFLICTS, PuzzleSolver
from ringdoku.solvers.lp_sat.question import PRICES, Problem, Question
from ringdoku.solvers.pysat import PySat
from ringdoku.solvers.registry import (
    CPSAT_WORD,
    LARGEST_LIVE_ORDER,
    QUICK_ORDER,
    Backend,
    Phase,
    Run,
    best_of,
    has_few_clues,
    refutation_by,
)

if TYPE_CHECKING:
    from ringdoku.lowering.cpsat import BooleanCpSat

FIRST_CONFLICTS = 12_000
"""The limit of the first round, for each target of the descent and each step of an ascent before it; and for each of
the few solutions: a second at most. With 2,000 the blank 49×49 takes longer. Where weights are near to each other, as
those of rings, it is twice as high: hard 25×25 then take 0.9 times as long, but random weights up to 1000 longer."""
CPSAT_CONFLICTS = 64_000
"""The limit from which CP-SAT takes turns where weights are near to each other: without it in earlier rounds hard 16×16
take 0.8 times as long. With random weights it is the best search from the first round on."""
EASIER = 8
"""The factor on conflicts for questions easier than the descent's: ascent, symmetry, and CP-SAT with digit weights."""
ASCENT_SOLVER, DESCENT_SOLVER, LARGE_SOLVER = "cadical195", "glucose4", "minisat22"
LARGE = 10_000
"""With more candidates only MiniSat was seen to find the solutions of blank grids, and CP-SAT takes too long."""
CONFLICTS_A_UNIT = 10_000
"""How many conflicts count as one of CP-SAT's units of work, which take up to a second each."""


class LpSat(Backend):
    """Enumerates a few solutions on a solver that stays, in case there are no others; then runs a `_Search`. If it is
    `sure`, no proof rests on CP-SAT."""

    def __init__(self, sure: bool = False) -> None:
        self._sat, self._descent_sat, self._sure = PySat("cadical195"), PySat(DESCENT_SOLVER), sure

    def ranked(self, puzzle: Puzzle, objective: Objective, run: Run) -> Iterator[Result]:
        run.effort.enter(Phase.BUILD)
        require_size(puzzle.order)
        few, are_all = self._few_solutions(puzzle, run)
        if are_all:
            run.effort.ground = refutation_by(self._sat.solver_name)
            run.effort.facts["solutions"] = len(few)
            for grid in sorted(few, key=objective.score, reverse=objective.sense.sign > 0):
                score = objective.score(grid)
                run.report(score, score, grid)
                yield Result(Status.OPTIMAL, grid, score, score)
            yield Result(Status.INFEASIBLE)
            return
        # the questions are asked on formulas of their own
        run.effort.facts.clear()
        run.effort.facts |= {"live": 0, "questions": 0, "conflicts": 0}
        run.effort.enter(Phase.BUILD)
        try:
            candidates = propagate(puzzle, deadline=run.deadline)
        except TimeLimitError:
            # a weak bound is better than none
            candidates = np.ones((puzzle.board.cell_count, puzzle.order), dtype=bool)
        if candidates is None:
            run.effort.ground = "propagation"
            yield Result(Status.INFEASIBLE)
            return
        search = _Search(puzzle, objective, candidates, run, self._descent_sat, self._sure)
        for grid in few:
            search.add_solution(grid)
        yield from search.ranked()

    def _few_solutions(self, puzzle: Puzzle, run: Run) -> tuple[list[Grid], bool]:
        """A few solutions, and whether these are all; none where there will be many."""
        if has_few_clues(puzzle) or puzzle.order > LARGEST_LIVE_ORDER or puzzle.ruleset.rest:
            # with other rules the ascent looks for any solution first, and goes on with the same solver
            return [], False
        found: list[Grid] = []
        with suppress(TimeLimitError):
            found += islice(self._sat.enumerate(puzzle, run, FIRST_CONFLICTS), 3)
            return found, len(found) < 3
        return found, False


class _Search:
    """The search for the best solutions of a puzzle, with the `candidates` that propagation left. Scores are those of
    the equivalent objective that maximises: `lower` is the score of `best`, the best of the solutions `found`, and
    `upper` is the proved bound. `descent_sat` keeps solvers for later puzzles."""

    def __init__(
        self, puzzle: Puzzle, objective: Objective, candidates: Candidates, run: Run, descent_sat: PySat, sure: bool
    ) -> None:
        self._puzzle, self._run, self._descent_sat, self._sure = puzzle, run, descent_sat, sure
        self._sign, self._objective = objective.sense.sign, objective.upwards()
        self._gains = np.array(gains_of(self._objective.weights, puzzle.board), dtype=np.int64)
        self._is_by_cell = is_by_cell(self._objective.weights, puzzle.board)
        self._projection = projected(puzzle, self._objective)
        self._found: list[Grid] = []
        self._best: Grid | None = None
        self._lower: int | None = None
        self._is_infeasible = False
        self._size = int(np.count_nonzero(candidates))
        self._has_rules = bool(puzzle.ruleset.rest)
        self._may_use_placements = puzzle.order <= QUICK_ORDER and not (self._has_rules or puzzle.ruleset.classic_box)
        self._ascent_proves = self._has_rules or (puzzle.order > LARGEST_LIVE_ORDER and self._size <= LARGE)
        # first prices without the linear program, so that a bound is known while that is solved
        unit_prices = np.array(self._projection.unit_prices, dtype=float).reshape(-1, puzzle.order)
        prices = exact_prices(incidence(puzzle.ruleset), candidates, self._gains, unit_prices, np.zeros(0))
        self._problem = Problem(puzzle, self._gains, candidates, prices, (prices.reduced_costs == 0).astype(float))
        self._relaxation: Relaxation | None = None
        self._upper, run.effort.ground = self._projection.at_most(prices.best_score), PRICES
        self._half_turn = half_turn(puzzle.ruleset, candidates, self._gains) if self._size > LARGE else None
        self._symmetric: Question | None = None
        self._ascent: Question | None = None
        self._descent: Question | None = None
        self._descent_solver = LARGE_SOLVER if self._size > LARGE else DESCENT_SOLVER
        # in proportion to the weights: huge weights have huge gaps, which take no more steps than small ones
        self._widest_step = int(np.ptp(self._gains, axis=0).max()) // max(puzzle.board.largest, 1)
        self._least_stride = max(self._widest_step // 8, self._projection.step)
        self._stride = 0
        self._has_near_weights = self._least_stride == self._projection.step
        self._report()

    def ranked(self) -> Iterator[Result]:
        """The solutions, each proved to be the next, then infeasible. At the deadline the last one is not proved."""
        try:
            is_blank = self._puzzle.ruleset.classic_box and not self._puzzle.clues.filled_count
            if self._size > LARGE and is_blank and self._is_by_cell:
                self.add_solution(self._pattern_grid())
            while True:
                self._take_turns()
                yield best_of(self._best, self._score, self._sign * self._upper, self._is_proved)
                if self._best is None or not self._is_proved:
                    return
                self._exclude(self._best)
        finally:
            if self._descent is not None:
                self._descent.close()

    def _pattern_grid(self) -> Grid:
        """A solution of the blank puzzle whose largest digits are where the weights are (rearrangement inequality). The
        ring scores of 25×25 to 100×100 come within 3 % of their bounds."""
        places = np.array(pattern_solution(self._puzzle.ruleset).digits) - 1
        digits = np.empty(self._puzzle.order, dtype=np.int64)
        digits[np.argsort(np.bincount(places, self._objective.weights), kind="stable")] = self._puzzle.board.digits
        return Grid(tuple(digits[places].tolist()))

    def add_solution(self, grid: Grid) -> None:
        """Record a solution, unless the run excludes it."""
        if grid.rows in {excluded.rows for excluded in self._run.excluding}:
            return
        self._found.append(grid)
        score = self._objective.score(grid)
        if self._lower is None or score > self._lower:
            self._lower, self._best = score, grid
            self._report()

    def _exclude(self, best: Grid) -> None:
        """Exclude the best solution, and go on to the best of the others."""
        self._run = replace(self._run, excluding=(*self._run.excluding, best))
        found = {grid.rows: grid for grid in self._found if grid.rows != best.rows}
        self._found, self._lower, self._best = [], None, None
        for grid in found.values():
            self.add_solution(grid)
        if self._descent is not None:
            self._descent.exclude(best)
        # the ascent asked for more than the best; it begins again
        self._symmetric = self._ascent = self._half_turn = None

    def _report(self) -> None:
        self._run.report(self._score, self._sign * self._upper, self._best)

    @property
    def _score(self) -> int | None:
        """The score of the best solution, for the objective that was asked for."""
        return None if self._lower is None else self._sign * self._lower

    @property
    def _is_proved(self) -> bool:
        return self._is_infeasible or (self._lower is not None and self._lower >= self._upper)

    @property
    def _is_over(self) -> bool:
        """Whether all is proved, or the time is up."""
        return self._is_proved or self._run.deadline.expired

    @property
    def _least_above_best(self) -> int:
        """One step above the best score; without a solution, a target that every solution reaches."""
        if self._lower is not None:
            return self._lower + self._projection.step
        return self._projection.at_most(-sum(np.abs(self._gains).max(axis=1).tolist()))

    def _take_turns(self) -> None:
        """Let the searches take turns until the best is proved, or the deadline."""
        conflicts = 2 * FIRST_CONFLICTS if self._has_near_weights else FIRST_CONFLICTS
        # the limit may come while a question is built; what is known stays
        with suppress(TimeLimitError):
            if self._ascent_proves:
                self._ascend(conflicts)
            self._relax()
            while not self._is_over:
                self._search_symmetric(conflicts * EASIER)
                if not (self._ascent_proves or self._has_near_weights):
                    self._search_cheapest(conflicts)
                self._descend(conflicts)
                if self._ascent_proves:
                    self._ascend(conflicts * EASIER)
                # weights of digits leave wide gaps
                self._search_by_cpsat(conflicts * (1 if self._is_by_cell else EASIER))
                if self._lower is None and self._size <= LARGE and not self._ascent_proves:
                    self._ascend(conflicts * EASIER)
                self._search_placements(conflicts)
                conflicts *= 2

    def _search_cheapest(self, conflicts: int) -> None:
        """Look for better solutions among the cheapest candidates alone, while the best is far from the bound. How few
        candidates suffice is found by bisection, to a hundredth of all."""
        prices, candidates = self._problem.prices, self._problem.candidates
        costs = np.sort(prices.reduced_costs[prices.survivors(candidates, self._least_above_best)])
        few, enough = 0, len(costs)
        while enough - few > len(costs) // 100 + 1 and self._upper - self._least_above_best > self._widest_step:
            middle = (few + enough) // 2
            cheap = replace(self._problem, most_cost=int(costs[middle]))
            suffices = self._ask(Question(cheap, self._least_above_best, LARGE_SOLVER, self._run), conflicts)
            few, enough = (few, middle) if suffices else (middle, enough)

    def _relax(self) -> None:
        """Solve the linear program, once, for prices and a bound."""
        if self._relaxation is not None or self._is_over:
            return
        is_rough = self._puzzle.order <= QUICK_ORDER or self._has_rules
        candidates, deadline = self._problem.candidates, self._run.deadline
        relaxation = relax(incidence(self._puzzle.ruleset), candidates, self._gains, deadline, is_rough)
        self._relaxation = relaxation
        self._problem = replace(self._problem, prices=relaxation.prices, fractional=relaxation.values)
        self._upper = min(self._upper, self._projection.at_most(relaxation.prices.best_score))
        self._report()
        # it begins again, with fewer candidates
        self._ascent = None

    def _ask(self, question: Question, conflicts: int) -> bool | None:
        """As `Question.ask`; records the solution that it finds."""
        answer = question.ask(conflicts)
        if question.best is not None:
            self.add_solution(question.best)
        return answer

    def _record_refuted(self, target: int, ground: str) -> None:
        """No solution scores `target` or more: lower the bound, or note that the best is proved or there is none."""
        self._run.effort.ground = ground
        if target > self._least_above_best:
            self._upper = min(self._upper, self._projection.at_most(target - self._projection.step))
        elif self._lower is None:
            self._is_infeasible = True
        else:
            self._upper = self._lower
        self._report()

    def _ascend(self, conflicts: int) -> None:
        """Look for more than the best until refuted or open; only once where the ascent is not to prove the best."""
        while not self._is_over:
            target = self._least_above_best
            if self._ascent is None:
                self._ascent = Question(self._problem, target, ASCENT_SOLVER, self._run)
            self._ascent.raise_to(target)
            answer = self._ask(self._ascent, conflicts)
            if answer is False:
                self._record_refuted(target, self._ascent.ground)
            elif answer is None or not self._ascent_proves:
                return

    def _search_symmetric(self, conflicts: int) -> None:
        """Look for a solution that reaches the bound and has half-turn symmetry, until there is none."""
        if (half_turn := self._half_turn) is None or self._is_over:
            return
        if self._symmetric is None:
            self._symmetric = Question(self._problem, self._upper, LARGE_SOLVER, self._run, representatives=half_turn)
        if self._ask(self._symmetric, conflicts) is False:
            self._symmetric = self._half_turn = None

    def _descend(self, conflicts: int) -> None:
        """Ask for the bound, then for targets below it, until one stays open."""
        if self._relaxation and self._relaxation.is_infeasible and self._lower is None:
            # then there is mostly no solution, which no bound shows
            self._ascend(conflicts)
        while not self._is_over:
            target, question = self._next_target, self._descent
            if question is not None and target < question.target:
                # a question can be raised, not lowered
                question.close()
                question = None
            if question is None:
                with_budget, shared = not self._has_rules, self._shared_solver()
                question = Question(self._problem, target, self._descent_solver, self._run, shared, with_budget)
                self._descent = question
            question.raise_to(target)
            before = self._run.effort.facts["conflicts"]
            answer = self._ask(question, conflicts)
            if self._ascent_proves:
                # few solutions leave a gap that refuting one target after another does not close
                conflicts -= int(self._run.effort.facts["conflicts"] - before)
            if answer is False:
                self._record_refuted(target, question.ground)
                self._stride = max(2 * self._stride, self._least_stride)
            elif answer:
                self._stride //= 2
            else:
                self._stride = 0
                return

    @property
    def _next_target(self) -> int:
        """A stride below the bound, at most half-way to the best score, or just above that if the stride is longer."""
        stride, gap = self._stride, self._upper - self._least_above_best
        if stride < gap:
            stride = min(stride, gap // 2)
        return max(self._projection.at_most(self._upper - stride), self._least_above_best)

    def _shared_solver(self) -> PuzzleSolver | None:
        """The solver of a small blank board, which stays. None for larger boards: their searches are long, and faster
        with a formula of the surviving candidates alone."""
        ruleset = self._puzzle.ruleset
        if self._puzzle.order > QUICK_ORDER or not ruleset.classic_box:
            return None
        return self._descent_sat.solver_that_stays(ruleset, self._run)

    def _search_by_cpsat(self, conflicts: int) -> None:
        """Let CP-SAT look for the best and its proof, for as long as SAT solvers take for about so many conflicts."""
        if self._size > LARGE or (self._has_near_weights and conflicts < CPSAT_CONFLICTS) or self._is_over:
            return
        self._run.effort.enter(Phase.BUILD)
        survivors = self._problem.survivors(self._least_above_best, self._run.deadline)
        if survivors is None:
            self._record_refuted(self._least_above_best, PRICES)
            return
        # 0.3 s to load, so only where it pays
        with interrupts_held():
            from ringdoku.lowering.cpsat import lower_to_boolean_cpsat

        lowered = lower_to_boolean_cpsat(self._puzzle, self._objective, survivors)
        # with the better bounds of the search its proof was seen to take several times as long
        lowered.at_most(self._problem.prices.best_score)
        self._run_cpsat(lowered, conflicts, conflicts // 2)

    def _search_placements(self, conflicts: int) -> None:
        """Let CP-SAT look once with a variable for each placement of a digit; most puzzles have too many."""
        if self._is_over or not self._may_use_placements:
            return
        self._may_use_placements = False
        with interrupts_held():
            from ringdoku.lowering.cpsat import lower_to_placements

        self._run.effort.enter(Phase.BUILD)
        candidates, deadline = self._problem.candidates, self._run.deadline
        lowered = lower_to_placements(self._puzzle, self._objective, candidates, deadline)
        if lowered is not None:
            self._run_cpsat(lowered, conflicts * EASIER // 2, conflicts)

    def _run_cpsat(self, lowered: "BooleanCpSat", conflicts: int, ascent_conflicts: int) -> None:
        """Solve a model by CP-SAT. What it proves, the ascent tries to prove too, within limits of its own."""
        from ringdoku.solvers.cpsat import CpSatSearch

        lowered.exclude(self._run.excluding)
        search = CpSatSearch(lowered, Run(self._run.deadline, self._run.seed), conflicts / CONFLICTS_A_UNIT)
        self._run.effort.enter(Phase.SOLVE)
        for grid in search.solutions():
            self.add_solution(grid)
        if search.complete:
            self._ascend(MOST_CONFLICTS if self._sure else ascent_conflicts)
        if search.complete and not (self._sure or self._is_over):
            self._record_refuted(self._least_above_best, CPSAT_WORD)
