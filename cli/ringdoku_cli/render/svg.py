"""Answers as pictures: one SVG element for each grid, which is a complete file."""

from __future__ import annotations

from ringdoku.domain.objective import Objective
from ringdoku.domain.result import Result
from ringdoku.drawing.svg import draw_svg
from ringdoku.formats import Entry


def render_svg(entry: Entry, result: Result, objective: Objective | None = None) -> str:
    """The grid, or the clues alone where there is none; shaded by the objective's weights."""
    puzzle = entry.puzzle
    grid = result.grid or puzzle.clues
    return draw_svg(puzzle.ruleset, puzzle.clues, grid, objective, entry.layout.symbols) + "\n"
