"""Answers as contest judges compare them: the grid in a text layout, the score alone on a line."""

from __future__ import annotations

from dataclasses import dataclass

from ringdoku.domain.objective import Objective
from ringdoku.domain.result import Result, Status
from ringdoku.formats import Entry, layout_named
from ringdoku_cli.render import NO_SOLUTION, UNKNOWN

INFEASIBLE_SCORE = "-1"
"""What stands for the score of a puzzle without a solution: NOIP 2009 "target sudoku", Luogu P1074."""


@dataclass(frozen=True)
class Text:
    """Renders in `layout`, a name of `ringdoku.formats.OUTPUTS`; with an objective the score comes first."""

    layout: str

    def __call__(self, entry: Entry, result: Result, objective: Objective | None = None) -> str:
        if result.grid is None:
            return score_line(result) if objective else f"{_without_grid(result.status)}\n"
        geometry = entry.puzzle.geometry
        grid = layout_named(self.layout, geometry, entry.layout).render(result.grid, geometry)
        return score_line(result) + grid if objective else grid


def render_score(_entry: Entry, result: Result, _objective: Objective | None = None) -> str:
    """The score alone."""
    return score_line(result)


def score_line(result: Result) -> str:
    if result.score is not None:
        return f"{result.score}\n"
    return f"{INFEASIBLE_SCORE if result.status is Status.INFEASIBLE else UNKNOWN}\n"


def _without_grid(status: Status) -> str:
    return NO_SOLUTION if status is Status.INFEASIBLE else UNKNOWN
