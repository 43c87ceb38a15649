"""The literals of cells and digits, and the way back from an assignment to a grid, for every digit encoding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ringdoku.deduction.propagation import Candidates
from ringdoku.domain.board import Board
from ringdoku.domain.grid import Grid
from ringdoku.sat import ClauseSink, VarPool
from ringdoku.sat.digits.registry import DigitEncoding
from ringdoku.sat.formula import Literals, occurring

FEW = 5000
"""Literals up to which a table of them is worth its making."""


@dataclass(frozen=True)
class DigitLiterals:
    """`literals[c, d − least]`, a (cells, digits) array: the literal of "cell c holds d", 0 where there is none.

    `known` (cells,) has the digit of each cell that is decided and has no literals, and the board's blank for the
    others.
    """

    board: Board
    literals: Literals
    known: Literals

    @staticmethod
    def of_candidates(
        board: Board, candidates: Candidates, known: Literals, encoding: DigitEncoding, pool: VarPool, sink: ClauseSink
    ) -> DigitLiterals:
        """Literals for the candidates of every cell that is not `known`."""
        literals = np.zeros(candidates.shape, dtype=np.int32)
        opened = np.where(known >= board.least, 0, np.count_nonzero(candidates, axis=1))
        for size in occurring(opened[opened > 0]):
            cells = np.flatnonzero(opened == size)
            digits = np.nonzero(candidates[cells])[1].reshape(-1, size)
            literals[cells[:, None], digits] = encoding.encode(len(cells), int(size), pool, sink)
        return DigitLiterals(board, literals, known)

    def clause_against(self, grid: Grid) -> list[int] | None:
        """A clause that exactly the assignments of `grid` violate; None if no assignment gives this grid."""
        digits = np.array(grid.digits)
        is_open = self.known == self.board.blank
        # two solutions are the same if their grids are, whatever extra cells hold
        is_open[self.board.grid_count :] = False
        in_grid = np.arange(len(digits)) < self.board.grid_count
        literals = self.literals[np.flatnonzero(is_open), digits[is_open] - self.board.least]
        if (self.known != digits)[in_grid & ~is_open].any() or not literals.all():
            return None
        clause: list[int] = (-literals).tolist()
        return clause

    def clauses_against(self, grids: Iterable[Grid]) -> Iterator[list[int]]:
        """`clause_against` of each grid that has one."""
        return (clause for clause in map(self.clause_against, grids) if clause is not None)

    @cached_property
    def _meaning(self) -> tuple[Literals, NDArray[np.bool_], Literals, Literals]:
        # variable, sign, cell and digit of each literal
        cells, digits = np.nonzero(self.literals)
        literals = self.literals[cells, digits]
        return np.abs(literals), literals > 0, cells.astype(np.int32), digits.astype(np.int32) + self.board.least

    @cached_property
    def _places(self) -> dict[int, tuple[int, int]] | None:
        """Cell and digit of each literal, quicker than arrays where there are few; None unless each is a variable of
        its own."""
        variables, positive, cells, digits = self._meaning
        if len(variables) > FEW or not positive.all():
            return None
        places = dict(zip(variables.tolist(), zip(cells.tolist(), digits.tolist(), strict=True), strict=True))
        return places if len(places) == len(variables) else None

    def decode(self, assignment: Iterable[int]) -> Grid:
        """The grid of a satisfying assignment, given as literals. Literals of other variables are ignored."""
        if (places := self._places) is not None:
            digit_of = self.known.tolist()
            for literal in assignment:
                if literal > 0 and literal in places:
                    cell, digit = places[literal]
                    digit_of[cell] = digit
            return Grid(tuple(digit_of), self.board)
        variables, positive, cells, digits = self._meaning
        # most literals are negative: dropping them before numpy sees them saves most of the time
        true = np.array([lit for lit in assignment if lit > 0], dtype=np.int64)
        holds = np.zeros(int(variables.max(initial=0)) + 1, dtype=bool)
        holds[true[true < len(holds)]] = True
        stands = holds[variables] == positive
        grid = self.known.copy()
        grid[cells[stands]] = digits[stands]
        return Grid(tuple(grid.tolist()), self.board)
