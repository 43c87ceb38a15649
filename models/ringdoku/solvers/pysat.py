"""The SAT solvers of PySAT. There are three ways to ask one of them about a puzzle:

*With assumptions*: the rules stay in an incremental solver, and clues are assumptions. This is for classic puzzles up
to 9×9 or with few clues, and for other rules that come again and again.

*With a selector*: most rules besides rows, columns and boxes come with one puzzle, and to load the houses takes longer
than to solve it. So the puzzle's own rules are added to a solver that has the houses, and hold while a selector is
assumed. A puzzle that turns out to be hard is asked about once more, alone.

*Alone*: the puzzle has a solver of its own, whose formula is small after propagation of the clues. This is for large
puzzles, and for an encoding of the caller's choice, unless the caller wants a solver that stays.
"""

from collections import deque
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import partial
from typing import TypeAlias

from ringdoku.domain import Allowed, Grid, Linear, Puzzle, Result, Ruleset, Status, TimeLimitError, is_cage
from ringdoku.limits import without_collection
from ringdoku.lowering.cnf import added_clauses, lower_to_cnf
from ringdoku.sat.options import TEXTBOOK, EncodingOptions
from ringdoku.solvers.incremental import MOST_CONFLICTS, PuzzleSolver
from ringdoku.solvers.registry import LARGEST_LIVE_ORDER, QUICK_ORDER, Backend, Phase, Run, has_few_clues

MOST_KEPT = 8
"""Rulesets whose solvers stay, of each of the two kinds."""

SELECTOR_CONFLICTS = 2000
"""The most conflicts and solutions with a selector. A formula for the puzzle alone takes about as long to load."""


_Attempt: TypeAlias = tuple[PuzzleSolver, list[int], int]
"""A solver that is ready for a puzzle, the assumptions, and a limit on conflicts."""


class PySat(Backend):
    """One of PySAT's solvers, by its PySAT name. With `live` a solver stays for later puzzles even in a given
    `encoding`, unless that is presolved, which needs the clues."""

    def __init__(self, solver_name: str, encoding: EncodingOptions | None = None, live: bool = False) -> None:
        self.solver_name = solver_name
        self.encoding = encoding
        self._live = live and encoding is not None and not encoding.presolve
        # solvers of whole rulesets, and solvers of houses to which puzzles add rules; the last used one comes last
        self._ruleset_solvers: dict[Ruleset, PuzzleSolver] = {}
        self._house_solvers: dict[Ruleset, PuzzleSolver] = {}
        self._recent_rulesets: deque[Ruleset] = deque(maxlen=MOST_KEPT)

    def solve(self, puzzle: Puzzle, run: Run) -> Result:
        return run.ask(puzzle, partial(self._solve, puzzle), not self.solver_name.startswith("cadical"))

    def _solve(self, puzzle: Puzzle, run: Run) -> Result:
        with closing(self._attempts(puzzle, run)) as attempts:
            for solver, assumptions, conflicts in attempts:
                answer = solver.solve(assumptions, conflicts)
                if answer is not None:
                    return Result(Status.SATISFIABLE, solver.solution()) if answer else Result(Status.INFEASIBLE)
        return Result(Status.UNKNOWN)

    def enumerate(self, puzzle: Puzzle, run: Run, conflicts: int = MOST_CONFLICTS) -> Iterator[Grid]:
        """Raises `TimeLimitError` also where one solution takes more than `conflicts`."""
        found: list[Grid] = []
        with closing(self._attempts(puzzle, run)) as attempts:
            for solver, assumptions, most in attempts:
                if (yield from self._enumerate_others(solver, assumptions, found, most, min(most, conflicts))):
                    return
                if conflicts <= most:
                    break
        raise TimeLimitError

    def _enumerate_others(
        self, solver: PuzzleSolver, assumptions: Sequence[int], found: list[Grid], most: int, conflicts: int
    ) -> Generator[Grid, None, bool]:
        """Yield every solution besides those `found` before, until there are `most` with these. Returns whether these
        are all; otherwise one took more than `conflicts`, or there are more. If a later attempt may follow (`most` is a
        limit), the solutions are added to `found`."""
        deadline, negated = solver.deadline, {-literal for literal in assumptions}
        selector = solver.excluding(found)
        try:
            while len(found) < most:
                # other questions may have come between
                solver.deadline = deadline
                answer = solver.solve([*assumptions, selector], conflicts)
                if not answer:
                    return answer is False
                grid = solver.solution()
                yield grid
                if most < MOST_CONFLICTS:
                    found.append(grid)
                blocking = solver.formula.digits.blocking_clause(grid)
                if blocking is None or negated.issuperset(blocking):
                    return True
                solver.add([[literal for literal in blocking if literal not in negated]], selector)
        finally:
            solver.retract(selector)
        return False

    def _attempts(self, puzzle: Puzzle, run: Run) -> Generator[_Attempt, None, None]:
        """Ways to ask about a puzzle, each for when those before reached their limits."""
        ruleset, fits = puzzle.ruleset, puzzle.order <= LARGEST_LIVE_ORDER
        # with few clues the puzzle's own formula is not much smaller; seeds of the generator rest on this choice
        pays_to_stay = (puzzle.order <= QUICK_ORDER or has_few_clues(puzzle)) and ruleset.classic_box is not None
        if not ruleset.classic_box:
            # rules that came three times among the last eight are likely to come again
            pays_to_stay = ruleset in self._ruleset_solvers or self._recent_rulesets.count(ruleset) >= 3
            self._recent_rulesets.append(ruleset)
        if fits and (self._live or (self.encoding is None and pays_to_stay)):
            solver = self.solver_that_stays(ruleset, run)
            with _counted_solving(solver, run, stays=True):
                literals = solver.clues(puzzle.clues, puzzle.clues.filled)
                # a clue that the rules exclude has no literal: two that cannot both be true stand for it
                yield solver, literals if all(literals) else [1, -1], MOST_CONFLICTS
            return
        if fits and self.encoding is None and ruleset.common:
            yield from self._attempt_with_selector(puzzle, ruleset.common, run)
        with self._new_solver(puzzle, run) as solver, _counted_solving(solver, run, stays=False):
            yield solver, [], MOST_CONFLICTS

    def _attempt_with_selector(self, puzzle: Puzzle, common: Ruleset, run: Run) -> Iterator[_Attempt]:
        """One attempt on a solver of the `common` rules, to which the puzzle's own are added with a selector."""
        solver = self.solver_that_stays(common, run, for_more_rules=True)
        selector, pool = solver.selector(), solver.local_pool()
        first = pool.num_vars
        with without_collection():
            clauses = added_clauses(puzzle, common, solver.formula.digits.literals, pool, run.deadline)
            run.effort.enter(Phase.LOAD)
            solver.add(clauses, selector)
            count = len(clauses)
            # before Python looks for cycles again, in time proportional to the number of lists
            del clauses
        try:
            with _counted_solving(solver, run, stays=True):
                yield solver, [selector], SELECTOR_CONFLICTS
        finally:
            run.effort.facts["variables"] += pool.num_vars - first
            run.effort.facts["clauses"] += count
            solver.retract(selector)

    def solver_that_stays(self, ruleset: Ruleset, run: Run, for_more_rules: bool = False) -> PuzzleSolver:
        """The solver that holds the blank puzzle of the rules, made anew if it is full or missing; there is another one
        to which puzzles add more rules."""
        run.effort.enter(Phase.BUILD)
        solvers = self._house_solvers if for_more_rules else self._ruleset_solvers
        solver = solvers.pop(ruleset, None)
        if solver is None or solver.is_full:
            solver = self._new_solver(Puzzle(ruleset, Grid.blank(ruleset.board)), run)
        while len(solvers) >= MOST_KEPT:
            del solvers[next(iter(solvers))]
        solvers[ruleset] = solver
        solver.deadline = run.deadline
        run.effort.enter(Phase.BUILD)
        return solver

    def _new_solver(self, puzzle: Puzzle, run: Run) -> PuzzleSolver:
        run.effort.enter(Phase.BUILD)
        default = TEXTBOOK if puzzle.order <= QUICK_ORDER and puzzle.ruleset.classic_box else None
        formula = lower_to_cnf(puzzle, self.encoding or default, run.deadline)
        run.effort.enter(Phase.LOAD)
        return PuzzleSolver(self.solver_name, formula, run.deadline, settings_for(puzzle, self.solver_name))


@contextmanager
def _counted_solving(solver: PuzzleSolver, run: Run, stays: bool) -> Iterator[None]:
    """Enter the phase of solving; at the end of the context add what the solver has counted in it to the effort."""
    run.effort.enter(Phase.LOAD)
    run.effort.enter(Phase.SOLVE)
    cnf, before = solver.formula.cnf, solver.statistics()
    try:
        yield
    finally:
        run.effort.facts |= {"live": int(stays), "variables": cnf.num_vars, "clauses": cnf.num_clauses}
        for name, count in solver.statistics().items():
            run.effort.facts[name] += count - before[name]


def settings_for(puzzle: Puzzle, solver_name: str) -> Mapping[str, int]:
    """The settings of a solver for a puzzle. In its stable mode CaDiCaL 1.9.5 takes two thirds of the time for nearly
    determined 25×25 puzzles, and a fifth to a half for eight of ten hard killers, but longer for other rules. The other
    settings save killers a tenth."""
    rest, peers = puzzle.ruleset.rest, puzzle.ruleset.peers
    cages = all(isinstance(rule, Allowed) or (isinstance(rule, Linear) and is_cage(rule, peers)) for rule in rest)
    if solver_name != "cadical195" or not cages:
        return {}
    if rest:
        return {"stabilizeonly": 1, "chrono": 0, "probe": 0, "walk": 0, "vivify": 0}
    return {"stabilizeonly": 1} if puzzle.order > LARGEST_LIVE_ORDER else {}
