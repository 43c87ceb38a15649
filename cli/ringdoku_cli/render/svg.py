"""Answers as pictures: one SVG element for each grid. A single one is a complete file; several belong in a web page."""

from __future__ import annotations

from ringdoku.domain.objective import Objective
from ringdoku.domain.result import Result
from ringdoku.formats import Entry
from ringdoku.formats.svg import draw_svg


def render_svg(entry: Entry, result: Result, objective: Objective | None = None) -> str:
    """The grid, or the clues alone where there is none; shaded by the objective's weights."""
    puzzle = entry.puzzle
    return draw_svg(puzzle.geometry, puzzle.clues, result.grid or puzzle.clues, objective) + "\n"
