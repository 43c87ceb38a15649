"""The halves into which two processes divide a question, so that neither does the other's work.

Both choose the same candidate, one that propagation finds to matter much whether it is true or false (M. Heule,
O. Kullmann, S. Wieringa and A. Biere, "Cube and conquer: guiding CDCL SAT solvers by lookaheads", HVC 2011). One
process looks for solutions that have it, the other for those without. Whoever has refuted its half tells, and then both
divide what is left, which is the other's half.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ringdoku.limits import Deadline
from ringdoku.sat import Cnf
from ringdoku.sat.formula import Literals
from ringdoku.solvers.base import Run
from ringdoku.solvers.lp_sat.knowledge import Knowledge
from ringdoku.solvers.lp_sat.question import Manner, Problem, Question
from ringdoku.solvers.sat_solver import loaded

FIRST_CONFLICTS = 4000
"""Before the first division: by then the other process has begun."""
CONFLICTS = 1000
"""Before each further one, so that small rests are not divided."""
MOST_TRIED = 60
"""Candidates that are tried to find one, those of the cells with the fewest first."""
LOOKAHEAD = "glucose4"
"""A solver of PySAT that propagates, as CaDiCaL 1.5.3 does not."""


class HalvedQuestion(Question):
    """A question for better solutions that another process asks too; the two divide the work. `positive` in one of
    them. It is no guest of a host."""

    def __init__(
        self, problem: Problem, target: int, manner: Manner, run: Run, known: Knowledge, positive: bool
    ) -> None:
        self._known = known
        self._positive = positive
        self._halves: Halves | None = None
        super().__init__(problem, target, manner, run)

    def close(self) -> None:
        super().close()
        if self._halves is not None:
            self._halves.close()
            self._halves = None

    def _loaded(self, formula: Cnf, problem: Problem, manner: Manner) -> Any:
        self._halves = Halves(formula, self._literals, self._known, self._positive, self._deadline)
        return super()._loaded(formula, problem, manner)

    def _assumptions(self) -> Sequence[int]:
        assert self._halves
        self._solver.append_formula([[literal] for literal in self._halves.news()])
        return self._halves.assumed()

    def _was_whole(self) -> bool:
        assert self._halves
        if not self._halves.assumed():
            return True
        self._solver.add_clause([self._halves.refuted()])
        return False

    def _spend(self, conflicts: int) -> None:
        assert self._halves
        self._halves.spend(conflicts)


class Halves:
    """The halves of a formula with `literals` (cells, digits), each a variable of its own or 0 for a candidate that
    there is not. `positive`: this process takes those in which the candidate is true. What is refuted is shared through
    `known`."""

    def __init__(self, cnf: Cnf, literals: Literals, known: Knowledge, positive: bool, deadline: Deadline) -> None:
        self._cnf = cnf
        self._literals = literals
        self._known = known
        # not those that the formula decides
        self._open = (literals > 0) & (np.count_nonzero(literals, axis=1) > 1)[:, None]
        self._heard = 0
        self._sign = 1 if positive else -1
        self._deadline = deadline
        self._solver: Any = None
        self._half: int | None = None
        self._conflicts_left = FIRST_CONFLICTS

    def assumed(self) -> tuple[int, ...]:
        """The literal that holds in the half of this process; none while the question is not divided."""
        return () if self._half is None else (self._half,)

    def news(self) -> list[int]:
        """Literals of all better solutions, which others have proved since this was last asked for."""
        candidates = self._known.proved[self._heard :]
        self._heard += len(candidates)
        literals = self._literals.reshape(-1)
        # a candidate that has no literal is false
        proved = [int(np.sign(each) * literals[abs(each) - 1]) for each in candidates]
        proved = [literal for literal in proved if literal]
        for literal in proved:
            self._decide(literal)
        return proved

    def refuted(self) -> int:
        """The half of this process has no better solution; the literal that all of them have."""
        assert self._half is not None
        literal = -self._half
        candidate = int(np.flatnonzero(self._literals.reshape(-1) == abs(literal))[0]) + 1
        self._known.prove(candidate if literal > 0 else -candidate)
        self._decide(literal)
        return literal

    def spend(self, conflicts: int) -> None:
        """Divide what has taken long."""
        self._conflicts_left -= conflicts
        if self._half is None and self._conflicts_left <= 0:
            candidate = self._dividing()
            self._half = None if candidate is None else candidate * self._sign

    def close(self) -> None:
        if self._solver is not None:
            self._solver.delete()
            self._solver = None

    @property
    def _lookahead(self) -> Any:
        if self._solver is None:
            self._solver = loaded(LOOKAHEAD, self._cnf, self._deadline)
        return self._solver

    def _decide(self, literal: int) -> None:
        self._half, self._conflicts_left = None, CONFLICTS
        self._fix(literal)

    def _fix(self, literal: int) -> None:
        """Every better solution has this literal."""
        _, assigned = self._lookahead.propagate(assumptions=[literal])
        self._open[np.isin(self._literals, np.abs([literal, *assigned]))] = False
        self._lookahead.add_clause([literal])

    def _dividing(self) -> int | None:
        """The candidate that, true as well as false, decides the most others; None if there is none left."""
        best, best_value = None, 0
        for literal in self._to_try():
            can_be_true, if_true = self._lookahead.propagate(assumptions=[literal])
            can_be_false, if_false = self._lookahead.propagate(assumptions=[-literal])
            if not can_be_true or not can_be_false:
                self._fix(literal if can_be_true else -literal)
            elif (value := len(if_true) * len(if_false)) > best_value:
                best, best_value = literal, value
        return best

    def _to_try(self) -> list[int]:
        """Candidates that are open, those of the cells with the fewest first."""
        counts = np.count_nonzero(self._open, axis=1)
        cells = np.argsort(counts, kind="stable")[np.count_nonzero(counts == 0) :]
        tried: list[int] = []
        for cell in cells.tolist():
            tried += self._literals[cell, self._open[cell]].tolist()
            if len(tried) >= MOST_TRIED:
                break
        return tried
