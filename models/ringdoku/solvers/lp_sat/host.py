"""A solver that holds the rules of a small board and stays, so that the formula of a question is short: the candidates
that are gone, and the budget. To load the rules anew takes longer than to answer.

Classic puzzles share the formula of the blank board. For others it is that of the puzzle, whose best and worst scores
are often both asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ringdoku.deduction.propagation import Candidates
from ringdoku.domain.grid import Grid
from ringdoku.domain.puzzle import Puzzle
from ringdoku.limits import Deadline
from ringdoku.lowering.cnf import encode_candidates, nothing_known
from ringdoku.sat import ClauseSink, Cnf, VarPool
from ringdoku.sat.digits import DigitLiterals
from ringdoku.sat.options import EncodingOptions
from ringdoku.solvers.host import Host, Room
from ringdoku.solvers.sat_solver import adding, loaded

LARGEST_ORDER = 9
"""Above, questions search longer, and better in a formula of the surviving candidates alone."""
ROOM = Room(guards=128, variables=4000)


class Hosts:
    """One solver of each name, for the board or the puzzle that was asked about last."""

    def __init__(self) -> None:
        self._hosts: dict[str, QuestionHost] = {}

    def find(self, solver_name: str, puzzle: Puzzle, candidates: Candidates, deadline: Deadline) -> QuestionHost | None:
        """A host without a guest, for questions about some of the candidates of the puzzle; None for boards that have
        none, and while it has one."""
        if puzzle.order > LARGEST_ORDER:
            return None
        if puzzle.ruleset.classic_box:
            puzzle, candidates = Puzzle(puzzle.ruleset, Grid.blank(puzzle.board)), np.ones_like(candidates)
        host = self._hosts.get(solver_name)
        if host is not None and host.has_guest:
            return None
        if host is None or host.is_full or host.puzzle != puzzle:
            host = self._hosts[solver_name] = QuestionHost(solver_name, puzzle, candidates, deadline)
        return host


class QuestionHost(Host):
    """The formula of a puzzle, with one question at a time for a guest."""

    def __init__(self, solver_name: str, puzzle: Puzzle, candidates: Candidates, deadline: Deadline) -> None:
        self.puzzle = puzzle
        self.has_guest = False
        pool, sink = VarPool(), ClauseSink(deadline)
        known = nothing_known(puzzle.board)
        self._digits = encode_candidates(puzzle, candidates, known, EncodingOptions(), pool, sink)
        super().__init__(loaded(solver_name, sink.formula(pool), deadline), pool.count, ROOM)

    def digits(self, survivors: Candidates) -> DigitLiterals:
        """The literals of these candidates."""
        literals = np.where(survivors, self._digits.literals, 0).astype(np.int32)
        return DigitLiterals(self._digits.board, literals, self._digits.known)

    def guest(self, survivors: Candidates, formula: Cnf) -> Guest:
        """No other candidates than these, and the clauses of the formula. `Guest.delete` makes room for the next."""
        guard = self.guard()
        self.has_guest = True
        literals = self._digits.literals
        decided = (np.count_nonzero(survivors, axis=1) == 1)[:, None]
        # the others of a decided cell follow
        known: list[int] = literals[survivors & decided].tolist()
        gone: list[int] = (-literals[(literals > 0) & ~survivors & ~decided]).tolist()
        clauses = [[-guard, literal] for literal in known + gone]
        clauses += [[-guard, *clause] for clause in formula.clauses()]
        adding(self.solver)(clauses)
        return Guest(self, guard, formula.num_vars - self.pool().count)

    def leave(self, guard: int, variables: int = 0) -> None:
        super().leave(guard, variables)
        self.has_guest = False


class Guest:
    """The host's solver for one question that has so many variables, with the methods of PySAT's solvers that questions
    use."""

    def __init__(self, host: QuestionHost, guard: int, variables: int) -> None:
        self._host = host
        self._guard = guard
        self._variables = variables
        # what tells which solver it is
        self.solver = host.solver.solver

    def __getattr__(self, name: str) -> Any:
        return getattr(self._host.solver, name)

    def add_clause(self, clause: Sequence[int]) -> None:
        self._host.solver.add_clause([-self._guard, *clause])

    def append_formula(self, clauses: Iterable[Sequence[int]]) -> None:
        for clause in clauses:
            self.add_clause(clause)

    def solve_limited(self, assumptions: Sequence[int] = (), expect_interrupt: bool = False) -> bool | None:
        answer: bool | None = self._host.solver.solve_limited([self._guard, *assumptions], expect_interrupt)
        return answer

    def delete(self) -> None:
        self._host.leave(self._guard, self._variables)
