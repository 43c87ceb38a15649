"""CP-SAT on the candidates that survive, given the bound and the best grid: strong where the gap is large."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ringdoku.deduction.propagation import propagate
from ringdoku.domain.grid import Grid
from ringdoku.limits import interrupts_held
from ringdoku.solvers.base import Phase, Run

if TYPE_CHECKING:
    from ringdoku.solvers.lp_sat.search import Search

FROM_CONFLICTS = 8000
"""Shorter rounds do not pay for loading CP-SAT."""
MOST_CANDIDATES = 8000
CONFLICTS_A_UNIT = 10_000
"""Its share of a round, in its own units of work, which take about a second each."""
SHARE_OF_HOUSES = 8
"""On boards with more houses than the classic ones it gets so many times the work: it proves the best score of the
blank 9×9 with diagonals in 2 s, for which the questions take a minute."""


def ask_cpsat(search: Search, conflicts: int) -> None:
    """The best score and the proof, as long as SAT solvers take for about so many conflicts; nothing where that is too
    little."""
    if conflicts < FROM_CONFLICTS or search.size > MOST_CANDIDATES or search.is_over:
        return
    units = conflicts / CONFLICTS_A_UNIT
    # 0.3 s to load, so only where it pays
    with interrupts_held():
        from ringdoku.lowering.cpsat import lower_to_boolean_cpsat
        from ringdoku.solvers.cpsat import CpSatSearch

    least = search.known.least_wanted
    search.run.effort.enter(Phase.BUILD)
    survivors = propagate(search.puzzle, search.prices.survivors(search.candidates, least), search.run.deadline)
    if survivors is None:
        search.run.effort.enter(Phase.SOLVE)
        search.known.nothing_better()
        return
    ruleset = search.puzzle.ruleset
    if not ruleset.classic_box and not ruleset.rest:
        # only houses: the wish for a better score misleads it, its own way down from the bound is faster
        lowered = lower_to_boolean_cpsat(search.puzzle, search.objective, search.candidates)
        lowered.between(None, search.known.upper)
        units *= SHARE_OF_HOUSES
    else:
        lowered = lower_to_boolean_cpsat(search.puzzle, search.objective, survivors)
        lowered.between(None if search.known.lower is None else least, search.known.upper)
        if search.known.best is not None:
            lowered.suggest(search.known.best)
    lowered.exclude(search.run.excluding)
    solving = CpSatSearch(lowered, Run(search.run.deadline, search.run.seed))
    solving.solver.parameters.max_deterministic_time = units
    search.run.effort.enter(Phase.SOLVE)
    for event in solving.events():
        if isinstance(event, Grid):
            search.known.offer(event)
    if solving.complete:
        search.known.nothing_better()
