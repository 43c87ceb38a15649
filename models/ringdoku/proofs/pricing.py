"""Prices as one line of a proof: the bound, what it fixes, and the budget for the search at once.

With f the score, and prices α, β, γ over the denominator D, take D·(f ≥ t) and each constraint times its price, ≤ where
the price is positive and ≥ where it is negative. Their sum is Σ r·x ≤ U − D·t: the reduced costs r of what a solution
chooses fit the *budget*.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ringdoku.deduction.propagation import Candidates
from ringdoku.domain.objective import Objective
from ringdoku.domain.puzzle import Puzzle
from ringdoku.duality.incidence import Ints, incidence
from ringdoku.duality.prices import Prices, exact_prices
from ringdoku.duality.relaxation import relax
from ringdoku.limits import Deadline
from ringdoku.proofs.checker import Row

DENOMINATORS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 128, 256, 1024, 4096)
"""Tried in turn, so that numbers are short: 8 to 128 will do on 9×9."""
LOSS = 8
"""Rounding may widen a budget by 1/8 of a point."""


@dataclass(frozen=True)
class Pricing:
    """`prices` of a puzzle, that bound the scores which are at least `target`; `candidates` are what they left."""

    prices: Prices
    target: int
    candidates: Candidates

    @property
    def budget(self) -> int:
        """What the reduced costs of a solution may sum to; negative: there is none."""
        return self.prices.slack(self.target)

    def words(self, score: int, numbers: Sequence[tuple[int, int]]) -> str:
        """The sum, in reverse Polish notation: `score` is the number of the constraint f ≥ target, `numbers` are those
        of `proofs.model.Rules`."""
        prices = self.prices
        every = [*prices.cell_prices.tolist(), *prices.unit_prices.reshape(-1).tolist(), *prices.row_prices.tolist()]
        words = [f"{score}{_times(prices.denominator)}"]
        for price, (least, most) in zip(every, numbers, strict=True):
            if price and (least or most):
                words.append(f"{most if price > 0 else least}{_times(abs(price))} +")
        return " ".join(words)

    def row(self) -> Row:
        """The budget on the candidates, as Σ r·(1 − x) ≥ Σ r − budget."""
        places = np.flatnonzero(self.candidates.reshape(-1) & (self.prices.reduced_costs.reshape(-1) > 0))
        costs: list[int] = self.prices.reduced_costs.reshape(-1)[places].tolist()
        return Row(tuple((-1 - places).tolist()), tuple(costs), sum(costs) - self.budget)


def _times(factor: int) -> str:
    return "" if factor == 1 else f" {factor} *"


def pricing(
    puzzle: Puzzle, objective: Objective, candidates: Candidates, target: int, deadline: Deadline
) -> Iterator[Pricing]:
    """Prices for the solutions whose score is `target` or more; `objective` maximises.

    What a solution leaves of an inequality costs it nothing. So where inequalities have prices, the budget says less
    than the score does, and others follow in which they have none: a solution fits just when it scores the target.
    """
    units = incidence(puzzle)
    weights: Ints = np.array(objective.of_cells(puzzle.board), dtype=np.int64)
    best = relax(units, candidates, weights, deadline).prices
    slack = best.slack(target)
    of_units = best.unit_prices / best.denominator
    of_rows = best.row_prices / best.denominator
    chosen = best
    for denominator in DENOMINATORS:
        rounded = exact_prices(units, candidates, weights, of_units, of_rows, denominator)
        # slack/D of both, compared in integers
        widened = rounded.slack(target) * best.denominator - slack * rounded.denominator
        narrow = slack >= 0 and LOSS * widened <= best.denominator * rounded.denominator
        if rounded.slack(target) < 0 or (narrow and rounded.best_score == best.best_score):
            chosen = rounded
            break
    yield Pricing(chosen, target, chosen.survivors(candidates, target))
    if chosen.slack(target) >= 0 and chosen.row_prices[~units.exact].any():
        exact = exact_prices(units, candidates, weights, of_units, of_rows * units.exact, chosen.denominator)
        yield Pricing(exact, target, exact.survivors(candidates, target))
