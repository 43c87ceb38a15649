"""A question to a SAT solver: is there a solution that scores at least T?

The formula holds the candidates that the prices leave at the lowest T that will be asked for, and a budget on their
costs, rounded down to a few levels. A higher T is assumed, so that what the solver learns for one serves the others. A
solution that slips through is worth less than T, and is refused by a clause that names the few dear candidates which
alone break the exact budget.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np

from ringdoku.deduction.propagation import Candidates, propagate
from ringdoku.domain.grid import Grid
from ringdoku.domain.objective import Objective
from ringdoku.domain.puzzle import Puzzle
from ringdoku.duality.incidence import Floats, Ints
from ringdoku.duality.prices import Prices
from ringdoku.limits import Deadline
from ringdoku.lowering.cnf import at_most_one_for, encode_candidates, nothing_known
from ringdoku.memory import without_collection
from ringdoku.sat import ClauseSink, VarPool
from ringdoku.sat.digits import DigitLiterals
from ringdoku.sat.options import EncodingOptions
from ringdoku.solvers.base import Phase, Run
from ringdoku.solvers.incremental import IncrementalSolver
from ringdoku.solvers.lp_sat.costs import Budget, Costs, by_variable
from ringdoku.solvers.pysat import STEADY
from ringdoku.solvers.registry import LARGEST_LIVE_ORDER

MOST_PAIRS = 10**7
"""Pairwise clauses, as estimated, which search best while there is memory for them: ten million take about 2 GB."""

MOST_QUESTIONS = 128
"""In a solver that stays; each leaves variables behind, which slow the next ones down."""

REFUSAL = 2
"""Conflicts that a solution which slips through counts for: it takes about as long."""


class Answer(Enum):
    """What is known about a question."""

    FOUND = "found"
    """A solution with at least the target score."""
    REFUTED = "refuted"
    """No solution has the target score."""
    OPEN = "open"
    """The conflicts were spent first."""


@dataclass(frozen=True, eq=False)
class Problem:
    """What questions are about: a puzzle, an `objective` that maximises, the `candidates` that propagation left, and
    what linear programming says of them: `prices`, and `likely` (cells, digits), its fractional solution, which solvers
    try first."""

    puzzle: Puzzle
    objective: Objective
    candidates: Candidates
    prices: Prices
    likely: Floats


class Rules:
    """An incremental solver that holds the rules of a small board and stays: to load them anew takes longer than to
    answer. Classic puzzles share that of the blank board. For others it is that of the puzzle, whose best and worst
    scores are often both asked for."""

    def __init__(self, solver_name: str, puzzle: Puzzle, candidates: Candidates, deadline: Deadline) -> None:
        self.puzzle = puzzle
        pool, sink = VarPool(), ClauseSink(deadline)
        known = nothing_known(puzzle.board)
        self.digits = encode_candidates(puzzle, candidates, known, EncodingOptions(), pool, sink)
        self.solver = IncrementalSolver(solver_name, sink.formula(pool), deadline, capacity=MOST_QUESTIONS)

    @staticmethod
    def of(kept: dict[str, Rules], solver_name: str, problem: Problem, deadline: Deadline) -> Rules:
        """One of those that are kept, by the names of their solvers, or a new one."""
        puzzle, candidates = problem.puzzle, problem.candidates
        if puzzle.ruleset.classic_box:
            puzzle, candidates = Puzzle(puzzle.ruleset, Grid.blank(puzzle.board)), np.ones_like(candidates)
        rules = kept.get(solver_name)
        if rules is None or rules.solver.is_full or rules.puzzle != puzzle:
            rules = kept[solver_name] = Rules(solver_name, puzzle, candidates, deadline)
        rules.solver.deadline = deadline
        return rules


class Question:
    """A solver that is kept between turns, so that what it learned is not lost; `close` frees its memory.

    `levels` say how finely the budget is written, 0 for not at all. With `rules` the question joins their solver,
    behind a selector. With `repeated`, as in `duality.symmetry.half_turn`, only symmetric solutions are looked for, and
    a refutation says nothing of others. Solutions that the run excludes do not count. Raises `TimeLimitError` when the
    deadline comes while it is built.
    """

    @without_collection()
    def __init__(
        self,
        problem: Problem,
        lowest: int,
        solver_name: str,
        run: Run,
        levels: int = 0,
        rules: Rules | None = None,
        repeated: Ints | None = None,
    ) -> None:
        self.target = self.lowest = lowest
        self.conflicts = 0
        self.refusals = 0
        self.best: Grid | None = None
        self._best_score = 0
        self._deadline = run.deadline
        self._solver: IncrementalSolver | None = None
        self._rules = rules
        # targets that were asked for, with their selectors
        self._selectors: dict[int, int] = {}
        self._assumed: list[int] = []
        survivors = _survivors(problem, lowest, run)
        if survivors is None:
            return
        sink = ClauseSink(run.deadline)
        if rules:
            self._pool = rules.solver.local_pool()
            literals = np.where(survivors, rules.digits.literals, 0).astype(np.int32)
            self._digits = DigitLiterals(rules.digits.board, literals, rules.digits.known)
        else:
            self._pool = VarPool()
            most = MOST_PAIRS * (1 if repeated is None else 2)
            options = EncodingOptions(at_most_one=at_most_one_for(survivors, most))
            known = nothing_known(problem.puzzle.board)
            self._digits = encode_candidates(problem.puzzle, survivors, known, options, self._pool, sink, repeated)
        self._literals, board = self._digits.literals, problem.puzzle.board
        self._worth = by_variable(self._literals, np.multiply.outer(problem.objective.of_cells(board), board.digits))
        self._costs = Costs(problem.prices, problem.puzzle, self._literals)
        self._budget: Budget = self._costs.budget(lowest, levels, survivors, self._pool, sink)
        formula = sink.formula(self._pool)
        run.effort.enter(Phase.LOAD)
        self._own = 0
        if rules:
            self._solver, self._own = rules.solver, rules.solver.selector()
            self._assumed = [self._own]
            self._solver.add(_only(survivors, rules.digits), self._own)
            self._solver.add(formula.clauses(), self._own)
        else:
            plain = solver_name == "cadical195" and not levels and not problem.puzzle.ruleset.rest
            settings = STEADY if plain and problem.puzzle.order > LARGEST_LIVE_ORDER else None
            self._solver = IncrementalSolver(solver_name, formula, run.deadline, settings=settings)
        self._solver.add(self._digits.clauses_against(run.excluding), self._own)
        self._prefer(problem.likely)

    def aim(self, target: int, for_good: bool = False) -> None:
        """Ask for this score, from `lowest` up, from now on; with `for_good` for none below it any more, so that the
        solver can simplify what it has."""
        self.target = target
        if self._solver is None:
            return
        slack = self._costs.slack(target)
        if target not in self._selectors and slack >= 0:
            selector = self._own if for_good else self._pool.reserve(1)[0]
            self._selectors[target] = selector
            self._add(self._costs.clauses(slack))
        if not for_good:
            # what is worth too little for a target is so for higher ones too
            selectors = [selector for other, selector in self._selectors.items() if other <= target]
            self._assumed = [literal for literal in (self._own, *selectors) if literal]
        # the least total beyond the budget is implied by all others
        beyond = [[-variable] for variable in self._budget.beyond(slack)[:1]]
        if for_good:
            self._add(beyond)
        else:
            self._assumed += [literal for (literal,) in beyond]

    def ask(self, conflicts: int) -> Answer:
        """Search on for about so many conflicts, or until the run's deadline."""
        if self._solver is None or self._costs.slack(self.target) < 0:
            return Answer.REFUTED
        solver, spent = self._solver, 0
        before = solver.statistics()["conflicts"]
        while spent < conflicts and not self._deadline.expired:
            satisfiable = solver.solve(self._assumed, conflicts - spent)
            after = solver.statistics()["conflicts"]
            used, before = max(after - before, 1), after
            spent += used
            self.conflicts += used
            if satisfiable is False:
                return Answer.REFUTED
            if satisfiable:
                # a model has the variables in their order, and a grid takes longer to make than to score
                chosen = [literal for literal in solver.model()[: len(self._worth) - 1] if literal > 0]
                score = sum(map(self._worth.__getitem__, chosen))
                if self.best is None or score > self._best_score:
                    self.best, self._best_score = self._digits.decode(chosen), score
                if score >= self.target:
                    return Answer.FOUND
                self._refuse(chosen)
                spent += REFUSAL
        return Answer.OPEN

    def exclude(self, grid: Grid) -> None:
        """A solution that does not count from now on."""
        self.best = None
        if self._solver is not None:
            self._solver.add(self._digits.clauses_against((grid,)), self._own)

    def learn(self, problem: Problem) -> None:
        """Go on with other prices and another fractional solution; for a question without a budget."""
        if self._solver is not None:
            self._costs = Costs(problem.prices, problem.puzzle, self._literals)
            self._prefer(problem.likely)
            self._selectors.pop(self.target, None)
            self.aim(self.target, for_good=True)

    def close(self) -> None:
        if self._solver is not None and self._rules:
            self._solver.retract(self._own)
        elif self._solver is not None:
            self._solver.close()
        self._solver = None

    def _add(self, clauses: Iterable[Sequence[int]]) -> None:
        """Clauses about the target."""
        assert self._solver is not None
        selector = self._selectors.get(self.target, self._own)
        if selector not in (0, self._own):
            clauses = ([-selector, *clause] for clause in clauses)
        self._solver.add(clauses, self._own)

    def _refuse(self, chosen: Sequence[int]) -> None:
        """Forbid the costs of a solution that slipped through; where they are within the slack, its grid alone."""
        self.refusals += 1
        clause = self._costs.clause_against(chosen, self._costs.slack(self.target))
        self._add(self._digits.clauses_against((self._digits.decode(chosen),)) if clause is None else (clause,))

    def _prefer(self, likely: Floats) -> None:
        """Let the solver first try what the fractional solution favours."""
        there = self._literals > 0
        variables = self._literals[there]
        assert self._solver is not None
        self._solver.prefer(np.where(likely[there] > 0.5, variables, -variables).tolist())


def _survivors(problem: Problem, target: int, run: Run) -> Candidates | None:
    """The candidates that a solution which scores at least `target` may use; None where there is no such solution."""
    left = problem.prices.survivors(problem.candidates, target)
    if (left == problem.candidates).all():
        # they are propagated already
        return problem.candidates
    return propagate(problem.puzzle, left, run.deadline)


def _only(survivors: Candidates, digits: DigitLiterals) -> list[list[int]]:
    """No other candidates than these."""
    literals = digits.literals
    decided = (np.count_nonzero(survivors, axis=1) == 1)[:, None]
    # the others of a decided cell follow
    known: list[int] = literals[survivors & decided].tolist()
    gone: list[int] = (-literals[(literals > 0) & ~survivors & ~decided]).tolist()
    return [[literal] for literal in known + gone]
