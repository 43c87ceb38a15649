"""The rules of a puzzle as index arrays for linear programming, the symmetries of the square that keep them, and prices
as exact integers over a common denominator: the bound that they prove, and the candidates that they delete.

All arithmetic on prices is on integers. The linear program only proposes β, so its rounding errors can make a bound
weaker but never wrong: α is chosen here so that every reduced cost is ≥ 0. Deleting by reduced costs goes back to
Dantzig, Fulkerson and Johnson, "Solution of a large-scale traveling-salesman problem", 1954.

Averaging an optimal solution of a linear program over its symmetries gives an optimal solution that is constant on
orbits, so one cell and one unit of each orbit are enough (Bödi, Herr and Joswig, "Algorithms for highly symmetric
linear and integer programs", Mathematical Programming 137, 2013).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache, reduce
from itertools import product
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ringdoku.deduction.propagation import Candidates
from ringdoku.domain import LARGEST_EXACT, Lines, Ruleset
from ringdoku.domain.rows import Row, rows_beside_units

Ints: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]

SAFE = 2**60
"""An upper limit on every sum of prices, so that 64-bit arithmetic is exact."""

DENOMINATORS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 128, 256, 1024, 4096)
"""The denominators to try, in this order, so that prices are short numbers. On 9×9 one of 8 to 128 mostly suffices."""
SWEEPS = 3
"""Of coordinate descent; if the prices are near the best, the third one finds nothing more to improve."""


@dataclass(frozen=True, eq=False)
class Incidence:
    """The cells of each unit, the units of each cell, and the rows of all other rules.

    `units` (units, n) has the cell indices of each unit. `units_of` (cells, k) has the unit indices of each cell,
    padded with `len(units)`. If `has_lines`, the first n units are the rows of the grid, and the next n its columns.
    `rows` are the rows of all other rules, made on first use; `totals` and `exact` have a value for each.
    """

    ruleset: Ruleset
    units: Ints
    units_of: Ints
    has_lines: bool

    @property
    def rows(self) -> tuple[Row, ...]:
        return rows_beside_units(self.ruleset)

    @cached_property
    def terms(self) -> Ints:
        """(3, terms): the row of each term, its candidate = cell·n + digit − least, and its coefficient."""
        n, least = self.ruleset.order, self.ruleset.board.least
        numbered = ((index, *term) for index, row in enumerate(self.rows) for term in row.terms)
        terms = [(index, cell * n + digit - least, factor) for index, cell, digit, factor in numbered]
        return np.array(terms, dtype=np.int64).reshape(-1, 3).T

    @cached_property
    def totals(self) -> Ints:
        return np.array([row.total for row in self.rows], dtype=np.int64)

    @cached_property
    def exact(self) -> NDArray[np.bool_]:
        return np.array([row.exact for row in self.rows], dtype=bool)

    def sums_at_cells(self, of_units: NDArray[Any]) -> NDArray[Any]:
        """For values of shape (units, …): for each cell the sum over its units, of shape (cells, …)."""
        padded = np.concatenate((of_units, np.zeros((1, *of_units.shape[1:]), dtype=of_units.dtype)))
        return reduce(np.add, (padded[column] for column in self.units_of.T))

    def sums_at_candidates(self, of_rows: NDArray[Any]) -> NDArray[Any]:
        """For a value of each row, Σ coefficient·value at each candidate, (cells, n)."""
        rows, candidates, coefficients = self.terms
        total = np.zeros(len(self.units_of) * self.ruleset.order, dtype=of_rows.dtype)
        np.add.at(total, candidates, coefficients * of_rows[rows])
        return total.reshape(-1, self.ruleset.order)


@lru_cache(maxsize=8)
def incidence(ruleset: Ruleset) -> Incidence:
    """The units and the other rows of a ruleset. Rules without rows are left out; bounds are still valid."""
    board, n = ruleset.board, ruleset.order
    units = [unit.cells for unit in ruleset.units]
    widest = max((len(found) for found in ruleset.units_of), default=0) or 1
    padded = [[*found, *[len(units)] * (widest - len(found))] for found in ruleset.units_of]
    lines = [house.cells for house in Lines().houses(board)]
    return Incidence(
        ruleset,
        np.array(units, dtype=np.int64).reshape(-1, n),
        np.array(padded, dtype=np.int64),
        board.is_plain and units[: 2 * n] == lines,
    )


def orbits(incidence: Incidence, candidates: Candidates, gains: Ints) -> tuple[Ints, Ints]:
    """For every cell, and for every unit, the least index in its orbit under those of the square's 8 symmetries that
    keep units, candidates and gains."""
    cells = np.arange(len(candidates), dtype=np.int64)
    units = np.arange(len(incidence.units), dtype=np.int64)
    if not incidence.has_lines or incidence.rows:
        return cells, units
    names = {unit.tobytes(): index for index, unit in enumerate(np.sort(incidence.units, axis=1))}
    square = cells.reshape(incidence.ruleset.order, -1)
    # the image of every cell under each symmetry but the first, which changes nothing
    for image in [np.rot90(each, turns).reshape(-1) for each in (square, square.T) for turns in range(4)][1:]:
        if (gains[image] != gains).any() or (candidates[image] != candidates).any():
            continue
        moved = np.array([names.get(unit.tobytes(), -1) for unit in np.sort(image[incidence.units], axis=1)])
        # with boxes of one row or column some units are equal, and then their images are ambiguous
        if moved.min() >= 0 and len(set(moved.tolist())) == len(moved):
            cells = np.minimum(cells, image)
            units = np.minimum(units, moved)
    return cells, units


def half_turn(ruleset: Ruleset, candidates: Candidates, gains: Ints) -> Ints | None:
    """For each cell, the cell whose digit it repeats in a solution that a half turn does not change; free cells repeat
    themselves. Such a solution need not exist, but if it does, it is far easier to find than any other. None when a
    half turn changes candidates or gains. If the order is odd, the middle row, column and box are their own images, and
    no digit may stand twice in them, so the middle band and the middle stack of boxes are free."""
    if ruleset.classic_box is None:
        return None
    n, (height, width) = ruleset.order, ruleset.classic_box
    cells = np.arange(n * n, dtype=np.int64)
    image = cells[::-1]
    if (gains[image] != gains).any() or (candidates[image] != candidates).any():
        return None
    repeated = np.minimum(cells, image)
    if n % 2:
        middle_band = cells // n // height == width // 2
        middle_stack = cells % n // width == height // 2
        repeated = np.where(middle_band | middle_stack, cells, repeated)
    return repeated


@dataclass(frozen=True, eq=False)
class Prices:
    """Multiples of 1/`denominator`: `cell_prices` α (cells,), `unit_prices` β (units, n), `row_prices` γ (rows,) or
    (0,) where rows have none, `reduced_costs` r (cells, n). `bound` = Σα + Σβ + Σ total·γ, a Python integer. Reduced
    costs are meaningful for candidates only."""

    denominator: int
    cell_prices: Ints
    unit_prices: Ints
    row_prices: Ints
    reduced_costs: Ints
    bound: int

    @property
    def best_score(self) -> int:
        """The highest score that the prices leave possible."""
        return self.bound // self.denominator

    def slack(self, target: int) -> int:
        """The largest sum of reduced costs of a solution that scores at least `target`; there is none if negative."""
        return self.bound - self.denominator * target

    def survivors(self, candidates: Candidates, target: int) -> Candidates:
        """The candidates that may be in a solution which scores at least `target`."""
        return candidates & (self.reduced_costs <= min(self.slack(target), LARGEST_EXACT))


def rounded_prices(prices: Prices, incidence: Incidence, candidates: Candidates, gains: Ints) -> Prices:
    """These prices rounded to the first of the `DENOMINATORS` with which they still prove the same best score; or
    unchanged if there is none. Whole prices that prove less are also tried after coordinate descent."""
    of_units, of_rows = prices.unit_prices / prices.denominator, prices.row_prices / prices.denominator

    def attempts() -> Iterator[Prices]:
        for denominator in DENOMINATORS:
            yield (rounded := exact_prices(incidence, candidates, gains, of_units, of_rows, denominator))
            if denominator == 1:
                yield _coordinate_descent(rounded, incidence, candidates, gains)

    return next((attempt for attempt in attempts() if attempt.best_score == prices.best_score), prices)


def _coordinate_descent(prices: Prices, incidence: Incidence, candidates: Candidates, gains: Ints) -> Prices:
    """Whole prices after coordinate descent: changes of one unit price by 1 that improve the bound."""
    of_units = prices.unit_prices.copy()
    costs = np.where(candidates, prices.reduced_costs - prices.cell_prices[:, None], SAFE)
    for _, unit, digit, step in product(range(SWEEPS), range(len(of_units)), range(incidence.ruleset.order), (1, -1)):
        cells = incidence.units[unit]
        before = costs[cells]
        after = before.copy()
        after[:, digit] += step
        if (after.min(axis=1) - before.min(axis=1)).sum() > step:
            costs[cells] = after
            of_units[unit, digit] += step
    return exact_prices(incidence, candidates, gains, of_units.astype(float), prices.row_prices.astype(float), 1)


def exact_prices(
    incidence: Incidence,
    candidates: Candidates,
    gains: Ints,
    unit_prices: Floats,
    row_prices: Floats,
    denominator: int | None = None,
) -> Prices:
    """Round unit and row prices, and choose the least cell prices that make every candidate's reduced cost ≥ 0. Every
    cell needs a candidate. If `row_prices` is empty, the rows, which take long to make, are not made. If prices are too
    large for exact arithmetic, they are all set to 0, which proves a weak bound. A `denominator` with which sums would
    be too large is replaced by a smaller one."""
    term_count = incidence.units_of.shape[1] + 2
    largest, largest_gain = 0.0, float(np.abs(gains).max(initial=0))
    if len(row_prices):
        # the price of a row with "at most" must not be negative
        row_prices = np.where(incidence.exact, row_prices, np.maximum(row_prices, 0.0))
        rows, places, coefficients = incidence.terms
        largest = float(np.bincount(places, np.abs(coefficients * row_prices[rows])).max(initial=0.0))
    size = max(float(np.abs(unit_prices).max(initial=0.0)), largest, largest_gain, 1.0)
    if not size * term_count < SAFE:
        unit_prices, row_prices = np.zeros_like(unit_prices), np.zeros_like(row_prices)
        size = max(largest_gain, 1.0)
    largest_denominator = 2 ** min(24, int(np.log2(SAFE / (size * term_count))))
    denominator = min(denominator or largest_denominator, largest_denominator)
    rounded = np.rint(unit_prices * denominator).astype(np.int64)
    of_rows = np.rint(row_prices * denominator).astype(np.int64)
    costs = incidence.sums_at_cells(rounded) - denominator * gains
    if len(of_rows):
        costs += incidence.sums_at_candidates(of_rows)
    totals = incidence.totals.tolist() if len(of_rows) else []
    cell_prices = -np.where(candidates, costs, np.iinfo(np.int64).max).min(axis=1)
    bound = sum(cell_prices.tolist()) + sum(map(sum, rounded.tolist()))
    bound += sum(total * price for total, price in zip(totals, of_rows.tolist(), strict=True))
    return Prices(denominator, cell_prices, rounded, of_rows, costs + cell_prices[:, None], bound)
