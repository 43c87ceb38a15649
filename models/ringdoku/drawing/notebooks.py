"""Pictures of puzzles, grids, results and views, for notebooks; `ringdoku.domain.showing` loads this module."""

from math import isqrt
from os import PathLike
from pathlib import Path
from typing import Any

from ringdoku.domain import Boxes, Constraint, Grid, Lines, Puzzle, Result, Ruleset, refusing
from ringdoku.domain.checker import repeats
from ringdoku.drawing.drawer import LETTER, MARGIN, WRONG, scene_of
from ringdoku.drawing.files import check_picture, picture_file, to_svg
from ringdoku.drawing.shapes import Scene, Text
from ringdoku.drawing.views import View, sentence_of


def svg_of(thing: Any) -> str:
    """The picture of a thing as one SVG element, which is a complete file."""
    return to_svg(_scene(thing))


def save(thing: Any, path: str | PathLike[str]) -> None:
    """Write the picture to a file: see `Shown.save`."""
    file = Path(path)
    check_picture(file.name)
    picture = picture_file([_scene(thing)], file.suffix[1:].lower())
    with refusing(f"cannot write {file}"):
        file.write_bytes(picture)


def _scene(thing: Any) -> Scene:
    """The picture of a puzzle, grid, result, view, or another thing with one; a result without a grid is red text."""
    match thing:
        case Puzzle():
            return scene_of(View(thing))
        case Grid():
            return scene_of(View(_blank_puzzle_for(thing), thing, title="Grid"))
        case Result(grid=Grid() as grid):
            title = str(thing).splitlines()[0]
            return scene_of(View(_blank_puzzle_for(grid), grid, caption=sentence_of(thing), title=title))
        case Result():
            said, size = sentence_of(thing), 14
            words = Text(MARGIN, size + MARGIN / 2, said, size, WRONG, bold=True, anchor="start")
            return Scene(len(said) * size * LETTER + 4 * MARGIN, size + 2 * MARGIN, (words,), said)
    return scene_of(thing if isinstance(thing, View) else thing.view())


def _blank_puzzle_for(grid: Grid) -> Puzzle:
    """A blank puzzle to show a grid in: with rows and columns, and with square boxes, unless the grid breaks these."""
    board, rules = grid.board, list[Constraint]()
    side = isqrt(board.order)
    if max(board.rows, board.columns) <= board.order:
        rules.append(Lines())
    if side * side == board.order == board.rows == board.columns:
        rules.append(Boxes(side, side))
    kept = tuple(rule for rule in rules if not any(repeats(Puzzle(Ruleset(board, (rule,)), grid), grid)))
    return Puzzle(Ruleset(board, kept), Grid.blank(board))
