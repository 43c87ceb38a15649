"""Puzzles, grids and results in notebooks and terminals: what `ringdoku.domain.showing` asks for."""

from __future__ import annotations

from math import isqrt
from typing import TYPE_CHECKING

from ringdoku.domain.checker import repeats
from ringdoku.domain.constraint import Boxes, Constraint, Lines
from ringdoku.domain.grid import Grid
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.result import Result
from ringdoku.domain.ruleset import Ruleset
from ringdoku.domain.showing import drawing_of, picture_of

if TYPE_CHECKING:
    from rich.text import Text

    from ringdoku.drawing.views import View


@picture_of.register(Puzzle)
def _picture_of_puzzle(puzzle: Puzzle) -> str:
    from ringdoku.drawing.views import View

    return svg_of(View(puzzle))


@picture_of.register(Grid)
def _picture_of_grid(grid: Grid) -> str:
    from ringdoku.drawing.views import View

    return svg_of(View(_around(grid), grid, title="Grid"))


@picture_of.register(Result)
def _picture_of_result(result: Result) -> str:
    from ringdoku.drawing.views import sentences_of, view_of_result

    if result.grid is not None:
        return svg_of(view_of_result(_around(result.grid), result, title=str(result).splitlines()[0]))
    return sentence_svg("".join(sentences_of(result)))


@drawing_of.register(Puzzle)
def _drawing_of_puzzle(puzzle: Puzzle) -> Text:
    return drawn(puzzle, puzzle.clues)


@drawing_of.register(Grid)
def _drawing_of_grid(grid: Grid) -> Text:
    return drawn(_around(grid), grid)


@drawing_of.register(Result)
def _drawing_of_result(result: Result) -> Text:
    from rich.text import Text

    text = Text(str(result).splitlines()[0])
    return text if result.grid is None else Text("\n").join((text, drawn(_around(result.grid), result.grid)))


def svg_of(view: View) -> str:
    """A view as one SVG element."""
    from ringdoku.drawing.drawer import scene_of
    from ringdoku.drawing.svg import to_svg

    return to_svg(scene_of(view))


def sentence_svg(text: str) -> str:
    """A sentence alone, in red."""
    from ringdoku.drawing.drawer import LETTER, MARGIN, WRONG
    from ringdoku.drawing.shapes import Scene
    from ringdoku.drawing.shapes import Text as Words
    from ringdoku.drawing.svg import to_svg

    size = 14
    shapes = (Words(MARGIN, size + MARGIN / 2, text, size, WRONG, bold=True, anchor="start"),)
    return to_svg(Scene(len(text) * size * LETTER + 4 * MARGIN, size + 2 * MARGIN, shapes, text))


def drawn(puzzle: Puzzle, grid: Grid) -> Text:
    """The drawing of `ringdoku solve` on a terminal: borders, bold clues, coloured digits, rules in words."""
    from rich.text import Text

    from ringdoku.drawing.terminal import UNICODE, numbers, puzzle_lines, words_below

    lines = [*puzzle_lines(puzzle, grid, [numbers(puzzle.board)], UNICODE, colours=True)]
    return Text.from_ansi("\n".join([*lines, *words_below(puzzle, grid, UNICODE)]))


def _around(grid: Grid) -> Puzzle:
    """A blank puzzle for a grid without rules: rows and columns, and square boxes, as far as the grid does not break
    them."""
    board, kept = grid.board, list[Constraint]()
    side = isqrt(board.order)
    if max(board.rows, board.columns) <= board.order:
        square = side * side == board.order == board.rows == board.columns
        for rule in (Lines(), *([Boxes(side, side)] if square else [])):
            if not any(repeats(Puzzle(Ruleset(board, (rule,)), grid), grid)):
                kept.append(rule)
    return Puzzle(Ruleset(board, tuple(kept)), Grid.blank(board))
