"""The SAT solvers of PySAT. One solver stays live for each of a few small rulesets, and each puzzle becomes assumptions
on it. Clauses against solutions that were found hold while a guard, a variable of their own, is assumed.

Most rules besides rows, columns and boxes come with one puzzle, and loading the houses takes longer than solving it. So
such a puzzle is first a guest of a live solver that has the houses: its rules join that one behind a guard. If it
turns out to be hard it gets a solver of its own, with the smaller formula that propagation of its clues leaves.

The formula of a blank 16×16 takes 0.1 s to load, and the open part of one puzzle mostly a tenth of that. So the solver
of a board above 9×9 first holds the clues of the first puzzle, and none as soon as there is another.

Larger puzzles have a formula and a solver of their own. So has any puzzle in an encoding of the caller's choice, unless
the caller wants a live solver and the encoding does without the clues.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import TypeAlias

from ringdoku.domain.errors import TimeLimitError
from ringdoku.domain.grid import Grid
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.result import Result, Status
from ringdoku.domain.ruleset import Ruleset
from ringdoku.limits import Deadline, apart
from ringdoku.lowering.cnf import PuzzleCnf, clauses_behind, lower_by_size, lower_to_cnf
from ringdoku.memory import without_collection
from ringdoku.sat import Cnf
from ringdoku.sat.options import TEXTBOOK, EncodingOptions
from ringdoku.solvers.base import Phase, Run
from ringdoku.solvers.host import MOST_LIVE, LiveSolvers, PuzzleHost, Room
from ringdoku.solvers.registry import LARGEST_LIVE_ORDER, QUICK_ORDER
from ringdoku.solvers.sat_solver import (
    MOST_CONFLICTS,
    SLOW_CANDIDATES,
    adding,
    loaded,
    settings_for_rules,
    solve_in_turns,
    steady,
)

LEAST_SHARE_OF_CLUES = 0.2
"""From here on the open part of a classic puzzle has at most a fifth of the clauses of the blank one."""

CONFLICTS_OF_GUESTS = 2000
"""Then it pays to load a formula, which takes about as long as so many conflicts."""

SOLUTIONS_OF_GUESTS = 1000
"""They are excluded once more where a guest moves to a solver of its own."""

VISITS = 3
"""Then the rules are likely to come with many puzzles, for which a solver of their own is better."""

ROOM_FOR_GUESTS = Room(guards=130, each=2, variables=1000)
"""65 guests that enumerate, each with a guard for its rules and one for its solutions. A variable takes every later
puzzle 0.1 µs."""

ROOM_FOR_PUZZLES = Room(guards=501)
"""Enumerations. Each leaves clauses behind, which slow the next ones down."""

ROOM_FOR_ONE = Room(guards=1)
"""An enumeration, in a solver that does not stay."""


class PySat:
    """One of PySAT's solvers, by its PySAT name.

    With `live` a solver stays for later puzzles in an `encoding` too, unless that is presolved, which needs the clues.
    """

    def __init__(self, solver_name: str, encoding: EncodingOptions | None = None, live: bool = False) -> None:
        self.solver_name = solver_name
        self.encoding = encoding
        self._stays = encoding is None or (live and not encoding.presolve)
        self._live = LiveSolvers()
        self._hosts = LiveSolvers()
        # rulesets that came before, and may come with many puzzles
        self._met: deque[Ruleset] = deque(maxlen=MOST_LIVE)

    def solve(self, puzzle: Puzzle, run: Run) -> Result:
        size = puzzle.board.cell_count * puzzle.order
        if size > SLOW_CANDIDATES and self.solver_name.startswith("cadical"):
            return apart(lambda: self._solve(puzzle, run), run.deadline)
        return self._solve(puzzle, run)

    def _solve(self, puzzle: Puzzle, run: Run) -> Result:
        answer, grid = None, None
        for way, conflicts in self._ways(puzzle, run):
            with way as (ready, assumptions):
                answer = solve_in_turns(ready.solver, assumptions, run.deadline, conflicts)
                grid = ready.decode(ready.solver.get_model()) if answer else None
            if answer is not None:
                break
        status = {True: Status.SATISFIABLE, False: Status.INFEASIBLE, None: Status.UNKNOWN}[answer]
        return Result(status, grid, statistics=run.effort.statistics())

    def refute(self, puzzle: Puzzle, run: Run) -> Result:
        # a solver of its own: under assumptions some proofs end in an empty clause that does not follow
        try:
            formula = lower_to_cnf(puzzle, deadline=run.deadline)
            with loaded(self.solver_name, formula.cnf, run.deadline, with_proof=True) as solver:
                answer = solve_in_turns(solver, [], run.deadline)
                if answer:
                    return Result(Status.SATISFIABLE, formula.decode(solver.get_model()))
                if answer is False:
                    steps = solver.get_proof()
                    if steps[-1:] != ["0"]:
                        # some solvers do not write the empty clause
                        steps.append("0")
                    return Result(Status.INFEASIBLE, proof=tuple(steps))
        except TimeLimitError:
            pass
        return Result(Status.UNKNOWN)

    def enumerate(self, puzzle: Puzzle, run: Run, conflicts: int = MOST_CONFLICTS) -> Iterator[Grid]:
        """Raises `TimeLimitError` also where one solution takes more than so many conflicts."""
        found: list[Grid] = []
        for way, most in self._ways(puzzle, run):
            with way as (ready, assumptions):
                limit = SOLUTIONS_OF_GUESTS if most < MOST_CONFLICTS else None
                if (yield from self._each(ready, assumptions, found, limit, run.deadline, min(most, conflicts))):
                    return
            if conflicts <= most:
                break
        raise TimeLimitError

    def _each(
        self,
        ready: PuzzleHost,
        assumptions: list[int],
        found: list[Grid],
        limit: int | None,
        deadline: Deadline,
        conflicts: int,
    ) -> Generator[Grid, None, bool]:
        """Every solution besides those `found` before. Up to a `limit` of so many it adds to them. True: these are all;
        False: one took too long, or there are more."""
        solver, digits = ready.solver, ready.formula.digits
        # the clauses against solutions hold as long as this variable is assumed
        blocking = ready.guard()
        given = {-literal for literal in assumptions}
        try:
            for clause in digits.clauses_against(found):
                solver.add_clause([-blocking, *clause])
            while limit is None or len(found) < limit:
                answer = solve_in_turns(solver, [*assumptions, blocking], deadline, conflicts)
                if not answer:
                    return answer is False
                grid = ready.decode(solver.get_model())
                yield grid
                if limit is not None:
                    found.append(grid)
                another = digits.clause_against(grid)
                if another is None or given.issuperset(another):
                    return True
                solver.add_clause([-blocking, *(literal for literal in another if literal not in given)])
        finally:
            ready.leave(blocking)
        return False

    def _ways(self, puzzle: Puzzle, run: Run) -> Iterator[tuple[_Way, int]]:
        """How to ask about a puzzle, one way after the other, each with the most conflicts that it may take."""
        ruleset = puzzle.ruleset
        # guests have no triads and no innies
        hosts = self._stays and not (self.encoding and (self.encoding.triads or self.encoding.innies))
        if hosts and puzzle.order <= LARGEST_LIVE_ORDER and ruleset.common and self._met.count(ruleset) < VISITS:
            self._met.append(ruleset)
            yield self._as_guest(puzzle, ruleset.common, run), CONFLICTS_OF_GUESTS
        yield self._ready(puzzle, run), MOST_CONFLICTS

    @contextmanager
    def _as_guest(self, puzzle: Puzzle, common: Ruleset, run: Run) -> Iterator[tuple[PuzzleHost, list[int]]]:
        """In a solver of the common part of its rules. It adds its other rules, and takes them back at the end."""
        run.effort.enter(Phase.BUILD)
        blank = Puzzle(common, Grid.blank(puzzle.board))
        host = self._hosts.get(blank) or self._hosts.keep(self._loaded(blank, run, ROOM_FOR_GUESTS))
        run.effort.enter(Phase.BUILD)
        guard, pool = host.guard(), host.pool()
        first = pool.count
        with without_collection():
            clauses = clauses_behind(guard, puzzle, common, host.formula.digits.literals, pool, run.deadline)
            run.effort.enter(Phase.LOAD)
            adding(host.solver)(clauses)
        try:
            with self._counting(host, run) as ready:
                yield ready, [guard]
        finally:
            run.effort.facts["variables"] += pool.count - first
            run.effort.facts["clauses"] += len(clauses)
            host.leave(guard, pool.count - first)
            if host.is_full:
                self._hosts.drop(host)

    @contextmanager
    def _ready(self, puzzle: Puzzle, run: Run) -> Iterator[tuple[PuzzleHost, list[int]]]:
        """Where the solver stays, the frame of this function keeps it alive, whoever drops it meanwhile."""
        run.effort.enter(Phase.BUILD)
        if self._stays and puzzle.order <= LARGEST_LIVE_ORDER:
            with self._counting(self._live_for(puzzle, run), run) as ready:
                yield ready, ready.assumptions(puzzle)
            return
        formula = self._formula(puzzle, run.deadline)
        run.effort.enter(Phase.LOAD)
        with (
            loaded(self.solver_name, formula.cnf, run.deadline, self._settings(puzzle, formula.cnf)) as solver,
            self._counting(PuzzleHost(solver, formula, puzzle, ROOM_FOR_ONE), run) as ready,
        ):
            yield ready, ready.assumptions(puzzle)

    @contextmanager
    def _counting(self, ready: PuzzleHost, run: Run) -> Iterator[PuzzleHost]:
        """Solving begins; at its end the effort gets what the solver has counted since."""
        # takes no time where the solver had the formula
        run.effort.enter(Phase.LOAD)
        run.effort.enter(Phase.SOLVE)
        facts, cnf, before = run.effort.facts, ready.formula.cnf, ready.solver.accum_stats()
        try:
            yield ready
        finally:
            stays = ready in self._live or ready in self._hosts
            facts |= {"live": int(stays), "variables": cnf.num_vars, "clauses": cnf.num_clauses}
            if after := ready.solver.accum_stats():
                facts |= {name: facts.get(name, 0) + after[name] - before[name] for name in after}

    def _live_for(self, puzzle: Puzzle, run: Run) -> PuzzleHost:
        """The solver that holds the ruleset, and none of the clues but such as the puzzle has."""
        if live := self._live.get(puzzle):
            return live
        # most rules besides classic ones come with one puzzle, and most large puzzles alone: clues make them smaller
        often = self._live.knows(puzzle.ruleset) or (puzzle.ruleset.classic_box and not self._is_small(puzzle))
        held = Grid.blank(puzzle.board) if often else puzzle.clues
        return self._live.keep(self._loaded(Puzzle(puzzle.ruleset, held), run, ROOM_FOR_PUZZLES))

    def _is_small(self, puzzle: Puzzle) -> bool:
        """Whether the clues of a classic puzzle leave a small part of a formula that takes long to load."""
        few = puzzle.clues.filled_count < puzzle.board.cell_count * LEAST_SHARE_OF_CLUES
        return self.encoding is None and puzzle.order > QUICK_ORDER and not few

    def _loaded(self, held: Puzzle, run: Run, room: Room) -> PuzzleHost:
        formula = self._formula(held, run.deadline)
        run.effort.enter(Phase.LOAD)
        solver = loaded(self.solver_name, formula.cnf, run.deadline, self._settings(held, formula.cnf))
        return PuzzleHost(solver, formula, held, room)

    def _settings(self, puzzle: Puzzle, cnf: Cnf) -> Mapping[str, int] | None:
        if puzzle.ruleset.rest:
            return settings_for_rules(self.solver_name, puzzle.ruleset)
        return steady(self.solver_name, cnf) if puzzle.order > LARGEST_LIVE_ORDER else None

    def _formula(self, puzzle: Puzzle, deadline: Deadline) -> PuzzleCnf:
        if self.encoding is None and not (puzzle.order <= QUICK_ORDER and puzzle.ruleset.classic_box):
            formula = lower_by_size(puzzle, deadline)
            return formula.rules_first() if puzzle.ruleset.rest else formula
        return lower_to_cnf(puzzle, self.encoding or TEXTBOOK, deadline)


_Way: TypeAlias = AbstractContextManager[tuple[PuzzleHost, list[int]]]
"""A solver that is ready for a puzzle, and what to assume."""
