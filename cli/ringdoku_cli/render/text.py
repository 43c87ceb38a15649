"""Answers as contest judges compare them: the grid in a text layout, the score on a line of its own."""

from __future__ import annotations

from ringdoku.domain.objective import Objective
from ringdoku.domain.result import Result, Status
from ringdoku.text import Entry, layout_named
from ringdoku.text.stated import BY_THE_WORD_OF, NO_SOLUTION, UNKNOWN
from ringdoku_cli.messages import printable

INFEASIBLE_SCORE = "-1"
"""Printed as the score of a puzzle without a solution, as in NOIP 2009 "target sudoku" (Luogu P1074)."""


class Text:
    """Renders in `layout`, a name of `ringdoku.text.OUTPUTS`; with an objective the score comes first.

    Blank lines separate the answers where they separate the puzzles.
    """

    def __init__(self, layout: str) -> None:
        self._layout = layout
        self._first = True

    def __call__(self, entry: Entry, result: Result, objective: Objective | None = None) -> str:
        ruleset = entry.puzzle.ruleset
        layout = layout_named(self._layout, ruleset, entry.layout)
        gap = "\n" if layout.gap and not self._first else ""
        self._first = False
        if result.grid is None:
            return gap + (score_line(result) if objective else _without_grid(result))
        return f"{gap}{score_line(result) if objective else ''}{layout.render(result.grid, ruleset)}\n"


def render_score(_entry: Entry, result: Result, _objective: Objective | None = None) -> str:
    """The score alone."""
    return score_line(result)


def render_bound(_entry: Entry, result: Result, _objective: Objective | None = None) -> str:
    """The bound alone, whatever is known of solutions."""
    return f"{result.bound}\n" if result.bound is not None else score_line(result)


def score_line(result: Result) -> str:
    if result.score is not None:
        return f"{result.score}\n"
    return f"{INFEASIBLE_SCORE if result.status is Status.INFEASIBLE else UNKNOWN}\n"


def _without_grid(result: Result) -> str:
    return f"{NO_SOLUTION}{by_word(result.word_of)}\n" if result.status is Status.INFEASIBLE else f"{UNKNOWN}\n"


def by_word(word_of: str) -> str:
    """What to write after a statement that rests on the word of a program; empty where there is none."""
    return f"{BY_THE_WORD_OF}{printable(word_of)}" if word_of else ""
