"""Placements of digits, where every rule looks at each digit alone, as anti-knight, diagonals and extra regions do.

A placement is the cells that a digit has in a solution: one in each row. A solution is one placement for each digit, so
that each cell is in one of them. The linear program over placements is that over candidates after Dantzig and Wolfe
("Decomposition principle for linear programs", 1960), and sharper: its prices are those of cells, and for a digit what
its best placement gains beyond them. A blank 9×9 has 46,656 placements of a digit, under anti-knight 3,176.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ringdoku.deduction.propagation import Candidates
from ringdoku.domain import Ruleset
from ringdoku.duality.prices import SAFE, Ints, Prices
from ringdoku.duality.relaxation import cover_prices
from ringdoku.limits import Deadline
from ringdoku.sat.formula import FormulaBuilder, Literals

MOST = 6_000
"""Placements of a digit; with more the linear program takes longer than it saves."""
DENOMINATOR = 1024
"""Of prices."""


@dataclass(frozen=True, eq=False)
class Placements:
    """For each digit its placements (count, n), as cells, and what each costs (count,): by how much it falls short of
    its prices. In `prices` candidates cost nothing."""

    cells: tuple[Ints, ...]
    costs: tuple[Ints, ...]
    prices: Prices

    def state(self, slack: int, unit: int, literals: Literals, builder: FormulaBuilder) -> list[list[tuple[int, int]]]:
        """Adds a variable for each placement that costs at most `slack` and whose candidates have `literals` (cells,
        n); of each digit one is true. Returns for each digit its variables with their costs in units."""
        groups: list[list[tuple[int, int]]] = []
        for digit, (cells, costs) in enumerate(zip(self.cells, self.costs, strict=True)):
            kept = (costs <= slack) & (literals[cells, digit] > 0).all(axis=1)
            variables = builder.reserve(int(kept.sum()))
            having: dict[int, list[int]] = {literal: [] for literal in literals[:, digit].tolist() if literal}
            for variable, held in zip(variables, literals[cells[kept], digit].tolist(), strict=True):
                for literal in held:
                    having[literal].append(variable)
            builder.add_lists([-variable, literal] for literal, each in having.items() for variable in each)
            builder.add_lists([-literal, *each] for literal, each in having.items())
            groups.append(list(zip(variables, (costs[kept] // unit).tolist(), strict=True)))
        return groups


def placements(ruleset: Ruleset, candidates: Candidates, gains: Ints, deadline: Deadline) -> Placements | None:
    """Those of candidates (cells, n), priced for gains (cells, n), of rules with rows whose houses are all they ask.
    None where a digit has more than `MOST`, a cell has none, or gains are too large for exact sums. Raises
    `TimeLimitError`."""
    found: list[Ints] = []
    if float(np.abs(gains).max()) * DENOMINATOR * gains.size > SAFE:
        return None
    for digit in range(ruleset.order):
        deadline.check()
        allowed = frozenset(np.flatnonzero(candidates[:, digit]).tolist())
        found.append(np.array(_placements(ruleset, allowed), dtype=np.int64).reshape(-1, ruleset.order))
        if not 0 < len(found[-1]) <= MOST:
            return None
    members = np.concatenate([np.c_[cells, np.full(len(cells), len(gains) + d)] for d, cells in enumerate(found)])
    if len(np.unique(members)) < len(gains) + ruleset.order:
        return None
    worth = [gains[cells, digit].sum(axis=1) for digit, cells in enumerate(found)]
    prices = cover_prices(members, np.concatenate(worth), deadline)[: len(gains)] * DENOMINATOR
    of_cells: Ints = np.rint(prices).astype(np.int64)
    beyond = [DENOMINATOR * each - of_cells[cells].sum(axis=1) for each, cells in zip(worth, found, strict=True)]
    costs = tuple(each.max() - each for each in beyond)
    bound = sum(of_cells.tolist()) + sum(int(each.max()) for each in beyond)
    free = np.zeros_like(gains)
    return Placements(tuple(found), costs, Prices(DENOMINATOR, of_cells, free[:0], of_cells[:0], free, bound))


def _placements(ruleset: Ruleset, allowed: frozenset[int]) -> list[list[int]]:
    """Cells of which each unit has one and no house two, for at most `MOST` and one more; the first units are rows."""
    units = [frozenset(unit.cells) for unit in ruleset.units]

    def below(chosen: list[int], left: frozenset[int]) -> Iterator[list[int]]:
        if len(chosen) == ruleset.order:
            yield chosen
            return
        for cell in units[len(chosen)] & left:
            yield from below([*chosen, cell], left - ruleset.peers(cell))

    found: list[list[int]] = []
    for cells in below([], allowed):
        if all(unit.intersection(cells) for unit in units):
            found.append(cells)
        if len(found) > MOST:
            break
    return found
