"""The SAT solvers of PySAT. One solver stays live for each of a few small rulesets, and each puzzle becomes assumptions
on it. Clauses against solutions that were found hold while a selector, a variable of their own, is assumed.

Most rules besides rows, columns and boxes come with one puzzle, and loading the houses takes longer than solving it. So
such a puzzle is first a guest of a live solver that has the houses: its rules join that one behind a selector. If it
turns out to be hard it gets a solver of its own, with the smaller formula that propagation of its clues leaves.

The formula of a blank 16×16 takes 0.1 s to load, and the open part of one puzzle mostly a tenth of that. So the solver
of a board above 9×9 first holds the clues of the first puzzle, and none as soon as there is another.

Larger puzzles have a formula and a solver of their own. So has any puzzle in an encoding of the caller's choice, unless
the caller wants a live solver and the encoding does without the clues.
"""

from __future__ import annotations

import weakref
from collections import deque
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from ringdoku.backends.base import Phase, Run
from ringdoku.backends.registry import LARGEST_LIVE_ORDER, QUICK_ORDER
from ringdoku.backends.sat_solver import (
    MOST_CONFLICTS,
    SLOW_CANDIDATES,
    adding,
    loaded,
    settings_for_rules,
    solve_in_turns,
    steady,
)
from ringdoku.cnf import Cnf, VarPool
from ringdoku.domain.errors import TimeLimitError
from ringdoku.domain.grid import Grid
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.result import Result, Status
from ringdoku.domain.ruleset import Ruleset
from ringdoku.encodings.options import TEXTBOOK, EncodingOptions
from ringdoku.limits import Deadline, apart
from ringdoku.lowering.cnf import PuzzleCnf, clauses_behind, lower_to_cnf
from ringdoku.lowering.defaults import lower_by_size
from ringdoku.memory import without_collection

MOST_LIVE = 8
"""Rulesets whose solvers stay."""

MOST_LIVE_CLAUSES = 10**6
"""Those with more clauses do not stay: they take some hundred megabytes each."""

LEAST_SHARE_OF_CLUES = 0.2
"""From here on the open part of a classic puzzle has at most a fifth of the clauses of the blank one."""

CONFLICTS_OF_GUESTS = 2000
"""Then it pays to load a formula, which takes about as long as so many conflicts."""

SOLUTIONS_OF_GUESTS = 1000
"""They are excluded once more where a guest moves to a solver of its own."""

VISITS = 3
"""Then the rules are likely to come with many puzzles, for which a solver of their own is better."""

VARIABLES_OF_GUESTS = 1000
"""A host that has had so many more does not stay: it would give each of them a value for every later puzzle, 0.1 µs
each."""

SELECTORS_OF_GUESTS = 128
"""A host is made anew after half as many guests, for the same reason."""

MOST_SELECTORS = 500
"""Enumerations with one live solver. Each leaves a variable and clauses behind, which slow the next ones down."""


class PySat:
    """One of PySAT's solvers, by its PySAT name.

    With `live` a solver stays for later puzzles in an `encoding` too, unless that is presolved, which needs the clues.
    """

    def __init__(self, solver_name: str, encoding: EncodingOptions | None = None, live: bool = False) -> None:
        self.solver_name = solver_name
        self.encoding = encoding
        self._stays = encoding is None or (live and not encoding.presolve)
        self._live = _LiveSolvers(MOST_SELECTORS)
        self._hosts = _LiveSolvers(SELECTORS_OF_GUESTS)
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
        ready: _Loaded,
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
        blocking = ready.selector()
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
            solver.add_clause([-blocking])
        return False

    def _ways(self, puzzle: Puzzle, run: Run) -> Iterator[tuple[_Way, int]]:
        """How to ask about a puzzle, one way after the other, each with the most conflicts that it may take."""
        ruleset = puzzle.ruleset
        # triads are for classic rules alone, so the own formula refuses what is asked
        hosts = self._stays and not (self.encoding and self.encoding.triads)
        if hosts and puzzle.order <= LARGEST_LIVE_ORDER and ruleset.common and self._met.count(ruleset) < VISITS:
            self._met.append(ruleset)
            yield self._as_guest(puzzle, ruleset.common, run), CONFLICTS_OF_GUESTS
        yield self._ready(puzzle, run), MOST_CONFLICTS

    @contextmanager
    def _as_guest(self, puzzle: Puzzle, common: Ruleset, run: Run) -> Iterator[tuple[_Loaded, list[int]]]:
        """In a solver of the common part of its rules. It adds its other rules, and takes them back at the end."""
        run.effort.enter(Phase.BUILD)
        blank = Puzzle(common, Grid.blank(puzzle.board))
        host = self._hosts.get(blank) or self._hosts.keep(self._loaded(blank, run))
        run.effort.enter(Phase.BUILD)
        guard, first = host.selector(), host.formula.cnf.num_vars + SELECTORS_OF_GUESTS + 2
        pool = VarPool(first)
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
            # later guests use the same variables: every clause that has one, learnt or not, has a guard too
            host.solver.add_clause([-guard])
            if pool.count - first > VARIABLES_OF_GUESTS:
                self._hosts.drop(host)

    @contextmanager
    def _ready(self, puzzle: Puzzle, run: Run) -> Iterator[tuple[_Loaded, list[int]]]:
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
            self._counting(_Loaded(formula, solver, puzzle), run) as ready,
        ):
            yield ready, ready.assumptions(puzzle)

    @contextmanager
    def _counting(self, ready: _Loaded, run: Run) -> Iterator[_Loaded]:
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

    def _live_for(self, puzzle: Puzzle, run: Run) -> _Loaded:
        """The solver that holds the ruleset, and none of the clues but such as the puzzle has."""
        if live := self._live.get(puzzle):
            return live
        # most rules besides classic ones come with one puzzle, and most large puzzles alone: clues make them smaller
        often = self._live.knows(puzzle.ruleset) or (puzzle.ruleset.classic_box and not self._is_small(puzzle))
        held = Grid.blank(puzzle.board) if often else puzzle.clues
        return self._live.keep(self._loaded(Puzzle(puzzle.ruleset, held), run))

    def _is_small(self, puzzle: Puzzle) -> bool:
        """Whether the clues of a classic puzzle leave a small part of a formula that takes long to load."""
        few = puzzle.clues.filled_count < puzzle.board.cell_count * LEAST_SHARE_OF_CLUES
        return self.encoding is None and puzzle.order > QUICK_ORDER and not few

    def _loaded(self, held: Puzzle, run: Run) -> _Loaded:
        formula = self._formula(held, run.deadline)
        run.effort.enter(Phase.LOAD)
        solver = loaded(self.solver_name, formula.cnf, run.deadline, self._settings(held, formula.cnf))
        live = _Loaded(formula, solver, held)
        # at the interpreter's end PySAT's own clearing up comes too late, and complains
        weakref.finalize(live, live.solver.delete)
        return live

    def _settings(self, puzzle: Puzzle, cnf: Cnf) -> Mapping[str, int] | None:
        if puzzle.ruleset.rest:
            return settings_for_rules(self.solver_name, puzzle.ruleset)
        return steady(self.solver_name, cnf) if puzzle.order > LARGEST_LIVE_ORDER else None

    def _formula(self, puzzle: Puzzle, deadline: Deadline) -> PuzzleCnf:
        if self.encoding is None and not (puzzle.order <= QUICK_ORDER and puzzle.ruleset.classic_box):
            formula = lower_by_size(puzzle, deadline)
            return formula.rules_first() if puzzle.ruleset.rest else formula
        return lower_to_cnf(puzzle, self.encoding or TEXTBOOK, deadline)


class _LiveSolvers:
    """The solvers that stay, of the rulesets that were used last, each until it has handed out so many selectors."""

    def __init__(self, selectors: int) -> None:
        self._selectors = selectors
        # the last used one comes last
        self._kept: dict[Ruleset, _Loaded] = {}

    def __contains__(self, live: _Loaded) -> bool:
        return self._kept.get(live.held.ruleset) is live

    def knows(self, ruleset: Ruleset) -> bool:
        """Whether a solver of these rules stays."""
        return ruleset in self._kept

    def get(self, puzzle: Puzzle) -> _Loaded | None:
        """A solver of the puzzle's rules, with none of the clues but such as it has."""
        live = self._kept.get(puzzle.ruleset)
        if live is None or not live.fits(puzzle) or live.selectors > self._selectors:
            return None
        return self.keep(live)

    def keep(self, live: _Loaded) -> _Loaded:
        """The same, which stays if it is not too large."""
        self._kept.pop(live.held.ruleset, None)
        if live.formula.cnf.num_clauses <= MOST_LIVE_CLAUSES:
            while len(self._kept) >= MOST_LIVE:
                del self._kept[next(iter(self._kept))]
            self._kept[live.held.ruleset] = live
        return live

    def drop(self, live: _Loaded) -> None:
        """It does not stay."""
        if live in self:
            del self._kept[live.held.ruleset]


@dataclass(eq=False)
class _Loaded:
    """A formula in a solver, for puzzles with the rules and at least the clues of `held`. It counts the selectors that
    it hands out."""

    formula: PuzzleCnf
    solver: Any
    held: Puzzle
    selectors: int = 0

    def fits(self, puzzle: Puzzle) -> bool:
        """Whether the puzzle has all clues of the formula."""
        blank, clues = self.held.board.blank, self.held.clues.digits
        return clues.count(blank) == len(clues) or all(
            mine in (blank, clue) for mine, clue in zip(clues, puzzle.clues.digits, strict=True)
        )

    def selector(self) -> int:
        """A variable that the formula does not have."""
        self.selectors += 1
        return self.formula.cnf.num_vars + self.selectors

    def assumptions(self, puzzle: Puzzle) -> list[int]:
        """Literals that make the formula the puzzle's: its clues."""
        held, clues = self.held.clues.digits, puzzle.clues.digits
        if clues == held:
            return []
        rows, known, blank, least = self._rows, self._known, puzzle.board.blank, puzzle.board.least
        literals = [
            rows[cell][clue - least] for cell, clue in enumerate(clues) if clue not in (blank, held[cell], known[cell])
        ]
        # a clue that the rules exclude has no literal: two that cannot both be true stand for it
        return literals if all(literals) else [1, -1]

    def decode(self, literals: Sequence[int]) -> Grid:
        """The grid of an assignment. Where every candidate has a variable, in their order, without any arrays."""
        board = self.held.board
        n, count = board.order, board.cell_count * board.order
        if not self._in_order:
            return self.formula.decode(literals)
        return Grid(tuple([(literal - 1) % n + board.least for literal in literals[:count] if literal > 0]), board)

    @cached_property
    def _in_order(self) -> bool:
        literals = self.formula.digits.literals
        return np.array_equal(literals, np.arange(1, literals.size + 1).reshape(literals.shape))

    @cached_property
    def _rows(self) -> list[list[int]]:
        rows: list[list[int]] = self.formula.digits.literals.tolist()
        return rows

    @cached_property
    def _known(self) -> list[int]:
        known: list[int] = self.formula.digits.known.tolist()
        return known


_Way: TypeAlias = AbstractContextManager[tuple[_Loaded, list[int]]]
"""A solver that is ready for a puzzle, and what to assume."""
