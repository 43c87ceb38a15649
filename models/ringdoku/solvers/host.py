"""Solvers that hold a formula and stay, for one question after the other.

A question may add clauses of its own. Each has the negation of a guard, a variable that no other question has: the
clause holds while the guard is assumed, and never again once the question is over.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ringdoku.domain.grid import Grid
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.ruleset import Ruleset
from ringdoku.lowering.cnf import PuzzleCnf
from ringdoku.sat import VarPool

MOST_LIVE = 8
"""Rulesets whose solvers stay."""

MOST_LIVE_CLAUSES = 10**6
"""Those with more clauses do not stay: they take some hundred megabytes each."""


@dataclass(frozen=True)
class Room:
    """What a host takes until it is made anew, since every variable that was used slows later questions down, which
    give each a value: so many `guards`, up to `each` for one question, and `variables` of one guest."""

    guards: int
    each: int = 1
    variables: int = 0


class Host:
    """A solver whose formula has so many `variables`. After them come the guards, then what guests have: questions with
    variables of their own, the same for all guests, as each clause that has one, learned or not, has a guard too."""

    def __init__(self, solver: Any, variables: int, room: Room) -> None:
        self.solver = solver
        self._room = room
        self._used = variables
        self._last_guard = variables + room.guards
        self._is_crowded = False
        # at the interpreter's end PySAT's own clearing up comes too late, and complains
        weakref.finalize(self, solver.delete)

    @property
    def is_full(self) -> bool:
        """Whether it takes no further question."""
        return self._is_crowded or self._used + self._room.each > self._last_guard

    def guard(self) -> int:
        """A variable for clauses that hold while it is assumed."""
        self._used += 1
        return self._used

    def pool(self) -> VarPool:
        """For the variables of a guest."""
        return VarPool(self._last_guard)

    def leave(self, guard: int, variables: int = 0) -> None:
        """The clauses behind this guard hold never again. A guest has had so many variables."""
        self.solver.add_clause([-guard])
        self._is_crowded |= variables > self._room.variables


class PuzzleHost(Host):
    """A formula in a solver, for puzzles with the rules and at least the clues of `held`."""

    def __init__(self, solver: Any, formula: PuzzleCnf, held: Puzzle, room: Room) -> None:
        super().__init__(solver, formula.cnf.num_vars, room)
        self.formula = formula
        self.held = held

    def fits(self, puzzle: Puzzle) -> bool:
        """Whether the puzzle has all clues of the formula."""
        blank, clues = self.held.board.blank, self.held.clues.digits
        return clues.count(blank) == len(clues) or all(
            mine in (blank, clue) for mine, clue in zip(clues, puzzle.clues.digits, strict=True)
        )

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


class LiveSolvers:
    """The solvers that stay, of the rulesets that were used last, each until it is full."""

    def __init__(self) -> None:
        # the last used one comes last
        self._kept: dict[Ruleset, PuzzleHost] = {}

    def __contains__(self, live: PuzzleHost) -> bool:
        return self._kept.get(live.held.ruleset) is live

    def knows(self, ruleset: Ruleset) -> bool:
        """Whether a solver of these rules stays."""
        return ruleset in self._kept

    def get(self, puzzle: Puzzle) -> PuzzleHost | None:
        """A solver of the puzzle's rules, with none of the clues but such as it has."""
        live = self._kept.get(puzzle.ruleset)
        return self.keep(live) if live is not None and live.fits(puzzle) and not live.is_full else None

    def keep(self, live: PuzzleHost) -> PuzzleHost:
        """The same, which stays if it is not too large."""
        self._kept.pop(live.held.ruleset, None)
        if live.formula.cnf.num_clauses <= MOST_LIVE_CLAUSES:
            while len(self._kept) >= MOST_LIVE:
                del self._kept[next(iter(self._kept))]
            self._kept[live.held.ruleset] = live
        return live

    def drop(self, live: PuzzleHost) -> None:
        """It does not stay."""
        if live in self:
            del self._kept[live.held.ruleset]
