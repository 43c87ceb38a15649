"""Encodings of the digit of a cell, one of its k candidates, by Booleans, and the way back from an assignment to a
grid. The docstring of an encoding has the numbers of its variables and clauses for a cell."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ringdoku.deduction.propagation import Candidates
from ringdoku.domain import Board, Grid, Ruleset
from ringdoku.sat.formula import FormulaBuilder, Literals, by_size, code_literals, code_width, implies, implies_any


@dataclass(frozen=True)
class DigitEncoding:
    """`encode(cells, k, builder)` returns a (cells, k) array: the literal of "holds its i-th candidate". `exclusive`:
    no two of a cell's literals can both be true, without any further clauses."""

    encode: Callable[[int, int, FormulaBuilder], Literals]
    exclusive: bool
    reference: str


def direct(cells: int, size: int, builder: FormulaBuilder) -> Literals:
    """Direct encoding (de Kleer, IJCAI 1989): variable x[c,d] means that cell c holds digit d. k variables, 0 clauses.
    Without presolve x[row,column,d] = (row·n + column)·n + d."""
    return builder.take(cells, size)


def order(cells: int, size: int, builder: FormulaBuilder) -> Literals:
    """Order encoding (Crawford and Baker, AAAI 1994; Tamura, Taga, Kitagawa and Banbara, Constraints 14, 2009).
    Variable o[c,i] means that cell c holds a digit above its i-th candidate; "holds the i-th" is o[c,i−1] ∧ ¬o[c,i], a
    literal at both ends and a defined variable between. 2k−3 variables, 4(k−2) clauses for k ≥ 2; 1 and 1 for k = 1."""
    if size < 2:
        return _literals_of_cubes(builder.take(cells, size, 0), builder)
    above = builder.take(cells, size - 1)
    # a digit above a candidate is above every smaller candidate
    builder.add(implies(above[:, 1:], above[:, :-1]))
    between = np.stack((above[:, :-1], -above[:, 1:]), axis=-1)
    return np.concatenate((-above[:, :1], _literals_of_cubes(between, builder), above[:, -1:]), axis=1)


def log(cells: int, size: int, builder: FormulaBuilder) -> Literals:
    """Log encoding (Iwama and Miyazaki, IFIP 1994; Walsh, CP 2000): the bits of cell c are the index of its candidate.
    With w = ⌈log₂ k⌉ bits "holds the i-th candidate" is a cube of w literals, with a variable defined for it unless w =
    1: w + k variables, k(w+1) clauses; 1 and 0 for k = 2."""
    return _literals_of_cubes(code_literals(builder.take(cells, code_width(size)), size), builder)


def _literals_of_cubes(cubes: Literals, builder: FormulaBuilder) -> Literals:
    """For (m, k, w) cubes, conjunctions of w literals, an (m, k) array of literals, each true just when its cube is. A
    cube of one literal is that literal; any other gets a new variable. The empty cube is true."""
    count, size, width = cubes.shape
    if width == 1:
        return cubes[:, :, 0]
    literals = builder.take(count, size)
    builder.add(implies(literals[:, :, None], cubes))
    # all literals of a cube imply its own
    builder.add(np.concatenate((-cubes, literals[:, :, None]), axis=2).reshape(-1, width + 1))
    return literals


TRIADS_REFERENCE = "tdoku, Dillon 2019"
DIGITS: Mapping[str, DigitEncoding] = {
    "direct": DigitEncoding(direct, False, "de Kleer 1989"),
    "order": DigitEncoding(order, True, "Crawford, Baker 1994; Tamura et al. 2009"),
    "log": DigitEncoding(log, True, "Iwama, Miyazaki 1994; Walsh 2000"),
}


def literals_of(candidates: Candidates, encoding: DigitEncoding, builder: FormulaBuilder) -> Literals:
    """(cells, digits): the literal of each candidate, 0 where there is none."""
    literals = np.zeros(candidates.shape, dtype=np.int32)
    for cells, ranks in by_size(np.where(candidates, np.arange(1, candidates.shape[1] + 1, dtype=np.int32), 0)):
        literals[cells[:, None], ranks - 1] = encoding.encode(len(cells), ranks.shape[1], builder)
    return literals


@dataclass(frozen=True)
class DigitLiterals:
    """`literals[c, d − least]`, a (cells, digits) array: the literal of "cell c holds d", 0 where there is none."""

    board: Board
    literals: Literals

    def blocking_clause(self, grid: Grid) -> list[int] | None:
        """The clause that excludes `grid`, as only assignments of this grid violate it; None if there are none."""
        # two solutions are the same if their grids are, whatever extra cells hold
        size = self.board.grid_count
        clause: list[int] = (-self.literals[np.arange(size), np.array(grid.digits[:size]) - self.board.least]).tolist()
        return clause if all(clause) else None

    def blocking_clauses(self, grids: Iterable[Grid]) -> Iterator[list[int]]:
        """`blocking_clause` of each grid that has one."""
        return (clause for clause in map(self.blocking_clause, grids) if clause is not None)

    @cached_property
    def _candidates(self) -> tuple[Literals, Literals, Literals]:
        """Cell, digit and literal of each candidate."""
        cells, digits = np.nonzero(self.literals)
        return cells.astype(np.int32), digits.astype(np.int32) + self.board.least, self.literals[cells, digits]

    def decode(self, assignment: Iterable[int]) -> Grid:
        """The grid of a satisfying assignment, given as literals. Literals of other variables are ignored."""
        cells, digits, literals = self._candidates
        # most literals are negative: dropping them before numpy sees them saves most of the time
        true = np.array([lit for lit in assignment if lit > 0], dtype=np.int64)
        is_set = np.zeros(int(np.abs(literals).max(initial=0)) + 1, dtype=bool)
        is_set[true[true < len(is_set)]] = True
        is_true = is_set[np.abs(literals)] == (literals > 0)
        grid = np.full(self.board.cell_count, self.board.blank, dtype=np.int32)
        grid[cells[is_true]] = digits[is_true]
        return Grid(tuple(grid.tolist()), self.board)


def triads(ruleset: Ruleset, literals: Literals, builder: FormulaBuilder) -> list[Literals]:
    """Redundant variables for the cells that a box shares with a row or a column, as in the solver tdoku (T. Dillon,
    2019): t[box, line, d] means that one of those cells holds d. Returns the sets of which exactly one is true, each
    element an (m, k) array, a set a row, 0 for "impossible"; a row of zeros is a digit already placed.

    Of the triads of a line, and of those of one direction in a box, exactly one has d. For boxes of h×w and no
    presolve: n²h variables with n²h(w+1) clauses for rows if w > 1; the same with h and w swapped for columns; and 2n²
    sets of h and of w literals.
    """
    n, (height, width) = ruleset.order, ruleset.require_classic("the triad encoding")
    # axes: band, row in band, stack, column in stack, digit
    cells = literals.reshape(width, height, height, width, n)
    rows = _triads(cells.transpose(0, 1, 2, 4, 3), builder)  # band, row, stack, digit
    columns = _triads(cells.transpose(0, 2, 3, 4, 1), builder)  # band, stack, column, digit
    return [
        rows.transpose(0, 1, 3, 2).reshape(-1, height),
        rows.transpose(0, 2, 3, 1).reshape(-1, height),
        columns.transpose(1, 2, 3, 0).reshape(-1, width),
        columns.transpose(0, 1, 3, 2).reshape(-1, width),
    ]


def _triads(cells: Literals, builder: FormulaBuilder) -> Literals:
    """For each set of literals on the last axis a literal for "one of them is true": 0 for an empty set, the literal of
    a set of one, else a new variable."""
    sets = cells.reshape(-1, cells.shape[-1])
    sizes = np.count_nonzero(sets, axis=1)
    # at most one literal is not 0 where the size is 1
    triad = np.where(sizes == 1, sets.sum(axis=1), 0).astype(np.int32)
    for rows, batch in by_size(np.where(sizes[:, None] > 1, sets, 0)):
        triad[rows] = defined = builder.take(len(batch))
        builder.add(implies(batch, defined[:, None]))
        builder.add(implies_any(defined, batch))
    return triad.reshape(cells.shape[:-1])
