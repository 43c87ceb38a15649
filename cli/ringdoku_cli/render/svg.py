"""Answers as pictures: an SVG element each, which several of make a part of a web page and one makes a file."""

from __future__ import annotations

from ringdoku.domain.objective import Objective
from ringdoku.domain.result import Result
from ringdoku.formats import Entry
from ringdoku.formats.svg import draw_svg


def render_svg(entry: Entry, result: Result, objective: Objective | None = None) -> str:
    """The grid, or the clues alone where there is none; shaded by the objective's weights."""
    puzzle = entry.puzzle
    grid = result.grid or puzzle.clues
    return draw_svg(puzzle.geometry, puzzle.clues, grid, objective, entry.layout.symbols) + "\n"
