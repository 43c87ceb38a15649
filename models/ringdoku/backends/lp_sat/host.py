"""A solver that holds the rules of a small board and stays, so that the formula of a question is short: the candidates
that are gone, and the budget. To load the rules anew takes longer than to answer.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ringdoku.backends.sat_solver import adding, loaded
from ringdoku.cnf import Cnf, VarPool
from ringdoku.deduction.propagation import Candidates
from ringdoku.domain.grid import Grid
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.ruleset import Ruleset
from ringdoku.encodings.digits.literals import DigitLiterals
from ringdoku.limits import Deadline
from ringdoku.lowering.cnf import lower_to_cnf

LARGEST_ORDER = 9
"""Above, questions search longer, and better in a formula of the surviving candidates alone."""
GUESTS = 128
"""Then a host is made anew: each guest leaves a variable behind, and maybe what the solver learned from it."""
MOST_VARIABLES = 4000
"""So many of one guest's own stay for all later ones, whose every solution gives each a value; then it is made anew."""


class Hosts:
    """One solver of each name, for the board that was asked about last."""

    def __init__(self) -> None:
        self._hosts: dict[str, Host] = {}

    def find(self, solver_name: str, ruleset: Ruleset, deadline: Deadline) -> Host | None:
        """A host without a guest; None for boards that have none, and while it has one."""
        if ruleset.order > LARGEST_ORDER or not ruleset.classic_box:
            return None
        host = self._hosts.get(solver_name)
        if host is not None and host.has_guest:
            return None
        if host is None or host.is_full or host.ruleset != ruleset:
            host = self._hosts[solver_name] = Host(solver_name, ruleset, deadline)
        return host


class Host:
    """The formula of a blank board, and one question after the other. A guest's clauses hold while its guard, a
    variable of its own, is assumed; all other variables are used again, as each clause that has one has a guard too."""

    def __init__(self, solver_name: str, ruleset: Ruleset, deadline: Deadline) -> None:
        self.ruleset = ruleset
        self.has_guest = False
        formula = lower_to_cnf(Puzzle(ruleset, Grid.blank(ruleset.board)), deadline=deadline)
        self._digits = formula.digits
        self._solver = loaded(solver_name, formula.cnf, deadline)
        weakref.finalize(self, self._solver.delete)
        self._guards = iter(range(formula.cnf.num_vars + 1, formula.cnf.num_vars + GUESTS + 1))
        self._last_guard = formula.cnf.num_vars + GUESTS
        self.is_full = False

    def digits(self, survivors: Candidates) -> DigitLiterals:
        """The literals of these candidates."""
        literals = np.where(survivors, self._digits.literals, 0).astype(np.int32)
        return DigitLiterals(self._digits.board, literals, self._digits.known)

    def pool(self) -> VarPool:
        """For the variables that a guest has besides."""
        return VarPool(self._last_guard)

    def guest(self, survivors: Candidates, formula: Cnf) -> Guest:
        """No other candidates than these, and the clauses of the formula. `Guest.delete` makes room for the next."""
        guard = next(self._guards)
        self.has_guest = True
        self.is_full = guard == self._last_guard or formula.num_vars - self._last_guard > MOST_VARIABLES
        decided = np.count_nonzero(survivors, axis=1) == 1
        literals = self._digits.literals
        # the others of a decided cell follow
        known: list[int] = literals[survivors & decided[:, None]].tolist()
        gone: list[int] = (-literals[~survivors & ~decided[:, None]]).tolist()
        clauses = [[-guard, literal] for literal in known + gone]
        clauses += [[-guard, *clause] for clause in formula.clauses()]
        adding(self._solver)(clauses)
        return Guest(self, self._solver, guard)


class Guest:
    """The host's solver for one question, with the methods of PySAT's solvers that questions use."""

    def __init__(self, host: Host, solver: Any, guard: int) -> None:
        self._host = host
        self._inner = solver
        self._guard = guard
        # what tells which solver it is
        self.solver = solver.solver

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def add_clause(self, clause: Sequence[int]) -> None:
        self._inner.add_clause([-self._guard, *clause])

    def append_formula(self, clauses: Iterable[Sequence[int]]) -> None:
        for clause in clauses:
            self.add_clause(clause)

    def solve_limited(self, assumptions: Sequence[int] = (), expect_interrupt: bool = False) -> bool | None:
        answer: bool | None = self._inner.solve_limited([self._guard, *assumptions], expect_interrupt)
        return answer

    def delete(self) -> None:
        self._inner.add_clause([-self._guard])
        self._host.has_guest = False
