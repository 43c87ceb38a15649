"""The SAT solvers of PySAT. There are three ways to ask one of them about a puzzle:

*Kept*: the rules stay in an incremental solver, and clues are assumptions. So are classic puzzles up to 9×9, or
with few clues, asked about, and others when their rules come again and again.

*Guest*: most rules besides rows, columns and boxes come with one puzzle, and loading the houses takes longer than
solving it. So the puzzle's own rules join a solver that has the houses, behind a selector. If it turns out to be hard,
it is asked about alone.

*Alone*: propagation of the clues leaves a small formula, in a solver of its own. So are large puzzles asked about, and
those in an encoding of the caller's choice, unless the caller wants a solver that stays.
"""

from collections import deque
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from itertools import count
from typing import TypeAlias

from ringdoku.domain import Allowed, Grid, Linear, Puzzle, Result, Ruleset, Status, TimeLimitError, is_cage
from ringdoku.limits import interrupts_held, without_collection
from ringdoku.lowering.cnf import lower_to_cnf, selected_clauses
from ringdoku.sat.options import TEXTBOOK, EncodingOptions
from ringdoku.solvers.incremental import MOST_CONFLICTS, PuzzleSolver
from ringdoku.solvers.registry import (
    CPSAT_WORD,
    LARGEST_LIVE_ORDER,
    QUICK_ORDER,
    SLOW_CANDIDATES,
    Backend,
    Phase,
    Run,
    has_few_clues,
    refutation_by,
)

MOST_KEPT = 8
"""Rulesets whose solvers stay."""

MOST_SELECTORS = 501
"""Of a solver that stays. Enumerations leave clauses behind, which slow the next ones down."""

MOST_LOCAL = 1000
"""Variables of a guest. A variable takes every later puzzle 0.1 µs, so after a larger guest the solver goes."""

GUEST_CONFLICTS = 2000
"""And the most solutions of a guest. Then it pays to load a formula, which takes about as long as so many conflicts."""

FIRST_CONFLICTS = 120_000
"""Of the portfolio, for each solution. The hardest killers known need up to 80,000, in about six seconds."""

FIRST_UNITS = 10.0
"""The portfolio's first turn of CP-SAT; a unit takes about a second."""


_Way: TypeAlias = tuple[PuzzleSolver, list[int], int]
"""A solver that is ready for a puzzle, what to assume, and the most conflicts that it may take."""


class PySat(Backend):
    """One of PySAT's solvers, by its PySAT name. With `live` a solver stays for later puzzles in an `encoding` too,
    unless that is presolved, which needs the clues."""

    def __init__(self, solver_name: str, encoding: EncodingOptions | None = None, live: bool = False) -> None:
        self.solver_name = solver_name
        self.encoding = encoding
        self._live = live and encoding is not None and not encoding.presolve
        # those of whole rulesets, and those of houses that have guests; the last used one comes last
        self._kept: dict[Ruleset, PuzzleSolver] = {}
        self._hosts: dict[Ruleset, PuzzleSolver] = {}
        # rulesets that came before
        self._met: deque[Ruleset] = deque(maxlen=MOST_KEPT)

    def solve(self, puzzle: Puzzle, run: Run) -> Result:
        size = puzzle.board.cell_count * puzzle.order
        if size > SLOW_CANDIDATES and self.solver_name.startswith("cadical"):
            return run.ask_in_process(partial(self._solve, puzzle))
        return self._solve(puzzle, run)

    def _solve(self, puzzle: Puzzle, run: Run) -> Result:
        with closing(self._ways(puzzle, run)) as ways:
            for solver, assumptions, conflicts in ways:
                answer = solver.solve(assumptions, conflicts)
                if answer is not None:
                    return Result(Status.SATISFIABLE, solver.solution()) if answer else Result(Status.INFEASIBLE)
        return Result(Status.UNKNOWN)

    def enumerate(self, puzzle: Puzzle, run: Run, conflicts: int = MOST_CONFLICTS) -> Iterator[Grid]:
        """Raises `TimeLimitError` also where one solution takes more than so many conflicts."""
        found: list[Grid] = []
        with closing(self._ways(puzzle, run)) as ways:
            for solver, assumptions, most in ways:
                if (yield from self._each(solver, assumptions, found, most, min(most, conflicts))):
                    return
                if conflicts <= most:
                    break
        raise TimeLimitError

    def _each(
        self, solver: PuzzleSolver, assumptions: Sequence[int], found: list[Grid], most: int, conflicts: int
    ) -> Generator[Grid, None, bool]:
        """Every solution besides those `found` before. Of a guest, at most so many, which are added to them. True:
        these are all; False: one took too long, or there are more."""
        deadline, given = solver.deadline, {-literal for literal in assumptions}
        excluding = solver.excluding(found)
        try:
            while len(found) < most:
                # other questions may have come between
                solver.deadline = deadline
                answer = solver.solve([*assumptions, excluding], conflicts)
                if not answer:
                    return answer is False
                grid = solver.solution()
                yield grid
                if most < MOST_CONFLICTS:
                    found.append(grid)
                another = solver.formula.digits.blocking_clause(grid)
                if another is None or given.issuperset(another):
                    return True
                solver.add([[literal for literal in another if literal not in given]], excluding)
        finally:
            solver.retract(excluding)
        return False

    def _ways(self, puzzle: Puzzle, run: Run) -> Generator[_Way, None, None]:
        """How to ask about a puzzle, one way after the other."""
        ruleset, fits = puzzle.ruleset, puzzle.order <= LARGEST_LIVE_ORDER
        # with few clues the puzzle's own formula is not much smaller; seeds of the generator rest on this choice
        few = puzzle.order <= QUICK_ORDER or has_few_clues(puzzle)
        often = few and ruleset.classic_box is not None
        if not ruleset.classic_box:
            # then they are likely to come with many puzzles, for which a solver of their own is better
            often = ruleset in self._kept or self._met.count(ruleset) >= 3
            self._met.append(ruleset)
        if fits and (self._live or (self.encoding is None and often)):
            solver = self._keeping(self._kept, ruleset, run)
            with _counting(solver, run, stays=True):
                literals = solver.clues(puzzle.clues, puzzle.clues.filled)
                # a clue that the rules exclude has no literal: two that cannot both be true stand for it
                yield solver, literals if all(literals) else [1, -1], MOST_CONFLICTS
            return
        if fits and self.encoding is None and ruleset.common:
            yield from self._as_guest(puzzle, ruleset.common, run)
        with self._load(puzzle, run) as solver, _counting(solver, run, stays=False):
            yield solver, [], MOST_CONFLICTS

    def _as_guest(self, puzzle: Puzzle, common: Ruleset, run: Run) -> Iterator[_Way]:
        host = self._keeping(self._hosts, common, run)
        selector, pool = host.selector(), host.local_pool()
        first = pool.count
        with without_collection():
            clauses = selected_clauses(selector, puzzle, common, host.formula.digits.literals, pool, run.deadline)
            run.effort.enter(Phase.LOAD)
            host.add(clauses)
            count = len(clauses)
            # before Python looks for cycles again, which takes as long as there are lists
            del clauses
        try:
            with _counting(host, run, stays=True):
                yield host, [selector], GUEST_CONFLICTS
        finally:
            run.effort.facts["variables"] += pool.count - first
            run.effort.facts["clauses"] += count
            host.retract(selector)
            if pool.count - first > MOST_LOCAL and self._hosts.get(common) is host:
                del self._hosts[common]

    def _keeping(self, kept: dict[Ruleset, PuzzleSolver], ruleset: Ruleset, run: Run) -> PuzzleSolver:
        """The solver that holds the blank puzzle of these rules, and stays until it is full."""
        run.effort.enter(Phase.BUILD)
        solver = kept.pop(ruleset, None)
        if solver is None or solver.is_full:
            solver = self._load(Puzzle(ruleset, Grid.blank(ruleset.board)), run)
        while len(kept) >= MOST_KEPT:
            del kept[next(iter(kept))]
        kept[ruleset] = solver
        solver.deadline = run.deadline
        run.effort.enter(Phase.BUILD)
        return solver

    def _load(self, puzzle: Puzzle, run: Run) -> PuzzleSolver:
        run.effort.enter(Phase.BUILD)
        own = TEXTBOOK if puzzle.order <= QUICK_ORDER and puzzle.ruleset.classic_box else None
        formula = lower_to_cnf(puzzle, self.encoding or own, run.deadline)
        run.effort.enter(Phase.LOAD)
        settings = settings_for(puzzle, self.solver_name)
        return PuzzleSolver(self.solver_name, formula, run.deadline, settings, MOST_SELECTORS)


@contextmanager
def _counting(solver: PuzzleSolver, run: Run, stays: bool) -> Iterator[None]:
    """Solving begins; at its end the effort gets what the solver has counted since."""
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
    """CaDiCaL 1.9.5 takes two thirds of the time in its stable mode for nearly determined 25×25 puzzles, and a fifth to
    a half for eight of ten hard killers, but longer for other rules. What else is off saves killers a tenth."""
    rest, peers = puzzle.ruleset.rest, puzzle.ruleset.peers
    cages = all(isinstance(rule, Allowed) or (isinstance(rule, Linear) and is_cage(rule, peers)) for rule in rest)
    if solver_name != "cadical195" or not cages:
        return {}
    if rest:
        return {"stabilizeonly": 1, "chrono": 0, "probe": 0, "walk": 0, "vivify": 0}
    return {"stabilizeonly": 1} if puzzle.order > LARGEST_LIVE_ORDER else {}


class Portfolio(Backend):
    """For puzzles with other rules than houses: CaDiCaL on a live solver, in turns with CP-SAT where there are sums and
    that takes long.

    The turns have limits of their own, conflicts and CP-SAT's units of work, which double from round to round. So the
    search is the same on every machine, and takes a small number of times as long as the better of the two alone.
    """

    def __init__(self) -> None:
        self._sat = PySat("cadical195")

    def enumerate(self, puzzle: Puzzle, run: Run) -> Iterator[Grid]:
        run.effort.ground = ground = refutation_by(self._sat.solver_name)
        if not any(isinstance(primitive, Linear) for primitive in puzzle.ruleset.rest):
            # linear programming is no help without sums
            yield from self._sat.enumerate(puzzle, run)
            return
        found = set()
        for doubled in count():
            by_sat = self._sat.enumerate(puzzle, run, FIRST_CONFLICTS << doubled)
            by_cpsat = _ask_cpsat(puzzle, run, FIRST_UNITS * 2**doubled)
            for grids, run.effort.ground in ((by_sat, ground), (by_cpsat, CPSAT_WORD)):
                # the time limit, or that of the turn
                with suppress(TimeLimitError):
                    for grid in grids:
                        if grid.rows not in found:
                            found.add(grid.rows)
                            yield grid
                    return
                run.deadline.check()


def _ask_cpsat(puzzle: Puzzle, run: Run, units: float) -> Iterator[Grid]:
    # takes 0.3 s to load
    with interrupts_held():
        from ringdoku.solvers.cpsat import CpSat

    yield from CpSat(is_boolean=True).enumerate(puzzle, run, units)
