"""A puzzle or its solution as an SVG picture: clues dark, found digits blue, cells shaded by their weight."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from html import escape
from math import hypot

from ringdoku.domain.grid import Grid
from ringdoku.domain.marks import Disc, Outline, Shade, Stroke
from ringdoku.domain.objective import Objective
from ringdoku.domain.ruleset import Ruleset
from ringdoku.drawing.outlines import Point, outlines
from ringdoku.drawing.picture import Clue, Picture, extra_digits

CELL = 40
"""Side of a cell in pixels."""
MARGIN = 4
OUTSIDE = 28
"""Width in pixels of a place for a clue outside the grid."""

LIGHTEST, DARKEST = (255, 250, 235), (246, 178, 107)
DARK, FOUND, SMALL = "#111111", "#1f4e9e", "#333333"
_INSET = 0.08
_SMALL_SIZE = 10
_WORDS_SIZE, _LINE = 11, 15
_LETTER = 0.58
"""Width of a letter, as a fraction of the font size."""
_MOST_LINES = 40
_KEPT_SPACE = "\0"


def draw_svg(
    ruleset: Ruleset, clues: Grid, grid: Grid, objective: Objective | None = None, symbols: Sequence[str] = ()
) -> str:
    """`grid` as one SVG element: `clues` differ from other digits, an objective shades the cells, blanks stay empty.

    `symbols` is the text of each digit of the board, ascending; without it they are numbers.

    Everything that the rules' marks show is drawn; the other rules are listed below the grid.
    """
    return _Drawing(Picture(ruleset), objective, symbols).draw(clues, grid)


class _Drawing:
    """Writes the elements from the bottom layer to the top."""

    def __init__(self, picture: Picture, objective: Objective | None, symbols: Sequence[str]) -> None:
        board = picture.ruleset.board
        self._picture, self._board = picture, board
        self._names = symbols or [str(digit) for digit in board.digits]
        self._colours = _shades(objective.weights) if objective else ["#ffffff"] * board.grid_count
        depths = dict.fromkeys(("top", "bottom", "left", "right"), 0)
        for clue in picture.clues:
            for side, there in (
                ("top", clue.row < 0),
                ("bottom", clue.row >= board.rows),
                ("left", clue.column < 0),
                ("right", clue.column >= board.columns),
            ):
                depths[side] = max(depths[side], there and clue.level + 1)
        self._left, self._top = (MARGIN + OUTSIDE * depths[side] for side in ("left", "top"))
        self._width = self._left + board.columns * CELL + OUTSIDE * depths["right"] + MARGIN
        self._bottom = self._top + board.rows * CELL + OUTSIDE * depths["bottom"] + MARGIN
        # wide numbers are smaller, so that they fit their cells
        letters = max(len(str(board.digits[0])), len(str(board.digits[-1])))
        self._font_size = CELL * (0.55 if letters == 1 else 0.45 if letters == 2 else 0.35)

    def draw(self, clues: Grid, grid: Grid) -> str:
        words = self._words(grid)
        height = self._bottom + (_LINE * len(words) + MARGIN if words else 0)
        lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self._width} {height}" width="{self._width}"'
            f' height="{height}" font-family="Helvetica, Arial, sans-serif" font-size="{self._font_size:g}"'
            ' text-anchor="middle">',
            f'<rect width="{self._width}" height="{height}" fill="#ffffff"/>',
        ]
        below = self._below_digits()
        digits: list[str] = []
        for cell in range(self._board.grid_count):
            row, column = divmod(cell, self._board.columns)
            x, y = self._left + column * CELL, self._top + row * CELL
            fill = self._colours[cell]
            lines.append(f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{fill}" stroke="#999999"/>')
            if (digit := grid.digits[cell]) != self._board.blank:
                name = escape(self._names[digit - self._board.least])
                is_clue = clues.digits[cell] != self._board.blank
                ink = f'fill="{DARK}" font-weight="bold"' if is_clue else f'fill="{FOUND}"'
                middle = f'x="{x + CELL / 2:g}" y="{y + CELL / 2 + self._font_size * 0.36:g}"'
                (digits if below else lines).append(f"<text {middle} {ink}>{name}</text>")
        lines += below + digits + [self._border(region) for region in self._picture.regions]
        lines += [self._disc(mark) for mark in self._picture.marks if isinstance(mark, Disc) and not _in_cells(mark)]
        for clue in self._picture.clues:
            lines += self._clue(clue)
        lines += [
            f'<text x="{MARGIN}" y="{self._bottom + _LINE * number - 3}" font-size="{_WORDS_SIZE}" text-anchor="start"'
            f' fill="{SMALL}">{escape(line)}</text>'
            for number, line in enumerate(words, 1)
        ]
        return "\n".join([*lines, "</svg>"])

    def _below_digits(self) -> list[str]:
        marks, lines = self._picture.marks, []
        for mark in marks:
            if isinstance(mark, Shade):
                lines += [self._shade(cell, mark.colour) for cell in mark.cells]
        lines += [self._stroke(mark) for mark in marks if isinstance(mark, Stroke)]
        lines += [self._disc(mark) for mark in marks if isinstance(mark, Disc) and _in_cells(mark)]
        for mark in marks:
            if isinstance(mark, Outline) and mark.dashed:
                lines += self._cage(mark)
        for note in self._picture.notes:
            y, x = self._middle(note.cell)
            lines.append(self._text(x, y + CELL * 0.43, note.text, min(_SMALL_SIZE, self._fitting(note.text, CELL))))
        return lines

    def _at(self, place: Point) -> Point:
        """Rows and columns as pixels down and to the right."""
        return self._top + place[0] * CELL, self._left + place[1] * CELL

    def _middle(self, cell: int) -> Point:
        row, column = divmod(cell, self._board.columns)
        return self._at((row + 0.5, column + 0.5))

    def _shade(self, cell: int, colour: str) -> str:
        y, x = self._middle(cell)
        side = CELL - 1
        return (
            f'<rect x="{x - side / 2:g}" y="{y - side / 2:g}" width="{side}" height="{side}" fill="{colour}"'
            ' fill-opacity="0.7"/>'
        )

    def _stroke(self, mark: Stroke) -> str:
        points = [self._middle(cell) for cell in mark.cells]
        if mark.whole and len(points) > 1:
            # continue to the corners of the grid
            points[0], points[-1] = _beyond(points[1], points[0]), _beyond(points[-2], points[-1])
        if len(points) == 1:
            points *= 2
        path = "M" + " L".join(f"{x:g} {y:g}" for y, x in points)
        if mark.head:
            path += _head(points[-2], points[-1], CELL * 0.22)
        return (
            f'<path d="{path}" fill="none" stroke="{mark.colour}" stroke-width="{max(1.0, mark.thickness * CELL):g}"'
            ' stroke-linecap="round" stroke-linejoin="round"/>'
        )

    def _disc(self, mark: Disc) -> str:
        points = [self._middle(cell) for cell in mark.cells]
        look = f'fill="{mark.fill}" stroke="{mark.outline}"'
        size = mark.size * CELL
        if mark.pill:
            path = "M" + " L".join(f"{x:g} {y:g}" for y, x in points)
            ends = 'fill="none" stroke-linecap="round" stroke-linejoin="round"'
            return (
                f'<path d="{path}" stroke="{mark.outline}" stroke-width="{size:g}" {ends}/>'
                f'<path d="{path}" stroke="{mark.fill}" stroke-width="{size - 4:g}" {ends}/>'
            )
        y, x = (sum(point[axis] for point in points) / len(points) for axis in (0, 1))
        if mark.square:
            shape = f'<rect x="{x - size / 2:g}" y="{y - size / 2:g}" width="{size:g}" height="{size:g}" {look}/>'
        else:
            shape = f'<circle cx="{x:g}" cy="{y:g}" r="{size / 2:g}" {look}/>'
        if not mark.text:
            return shape
        font_size = min(self._fitting(mark.text, size * 0.9), 14)
        ink = "#ffffff" if mark.fill == "#000000" else DARK
        return shape + self._text(x, y + font_size * 0.36, mark.text, font_size, ink)

    def _cage(self, mark: Outline) -> list[str]:
        path = " ".join(
            "M" + " L".join(f"{x:g} {y:g}" for y, x in map(self._at, corners)) + " Z"
            for corners in outlines(mark.cells, self._board, _INSET)
        )
        lines = [f'<path d="{path}" fill="none" stroke="{DARK}" stroke-dasharray="3 2"/>']
        if mark.text:
            first = min(mark.cells)
            y, x = self._middle(first)
            left, top = x - CELL / 2 + 1.5, y - CELL / 2 + 1.5
            width, fill = len(mark.text) * _SMALL_SIZE * _LETTER + 2, self._colours[first]
            lines += [
                f'<rect x="{left:g}" y="{top:g}" width="{width:g}" height="{_SMALL_SIZE}" fill="{fill}"/>',
                f'<text x="{left + 1:g}" y="{top + _SMALL_SIZE * 0.85:g}" font-size="{_SMALL_SIZE}" text-anchor="start"'
                f' fill="{DARK}">{escape(mark.text)}</text>',
            ]
        return lines

    def _border(self, cells: Sequence[int]) -> str:
        look = f'fill="none" stroke="{DARK}" stroke-width="2.5"'
        lines = list(outlines(cells, self._board))
        if len(lines) == 1 and len(lines[0]) == 4:
            (top, left), (bottom, right) = self._at(min(lines[0])), self._at(max(lines[0]))
            return f'<rect x="{left:g}" y="{top:g}" width="{right - left:g}" height="{bottom - top:g}" {look}/>'
        path = " ".join("M" + " L".join(f"{x:g} {y:g}" for y, x in map(self._at, line)) + " Z" for line in lines)
        return f'<path d="{path}" {look}/>'

    def _clue(self, clue: Clue) -> list[str]:
        y, x = (
            start - OUTSIDE * (clue.level + 0.5)
            if place < 0
            else start + count * CELL + OUTSIDE * (clue.level + 0.5)
            if place >= count
            else start + (place + 0.5) * CELL
            for place, start, count in (
                (clue.row, self._top, self._board.rows),
                (clue.column, self._left, self._board.columns),
            )
        )
        size = min(14, self._fitting(clue.text, OUTSIDE))
        if clue.towards is None:
            return [self._text(x, y + size * 0.36, clue.text, size)]
        row, column = clue.towards
        # the corner or the side of the first cell that is nearest
        down, right = (row > clue.row) - (row < clue.row), (column > clue.column) - (column < clue.column)
        tip = self._at((row + 0.5 - 0.5 * down, column + 0.5 - 0.5 * right))
        length = hypot(tip[0] - y, tip[1] - x)
        tail, tip = ((y + (tip[0] - y) * part / length, x + (tip[1] - x) * part / length) for part in (4, length - 3))
        shaft = f"M{tail[1]:g} {tail[0]:g} L{tip[1]:g} {tip[0]:g}"
        return [
            self._text(x - 6 * right, y - 6 * down + size * 0.36, clue.text, size),
            f'<path d="{shaft}{_head(tail, tip, 5)}" fill="none" stroke="{DARK}"/>',
        ]

    def _text(self, x: float, y: float, text: str, size: float, ink: str = DARK) -> str:
        return f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{ink}">{escape(text)}</text>'

    def _fitting(self, text: str, room: float) -> float:
        """The font size at which a text fits the room, at most two thirds of it."""
        return min(room * 0.66, room / (_LETTER * len(text)))

    def _words(self, grid: Grid) -> list[str]:
        """The lines below the grid: the rules in words, wrapped, and the digits of extra cells."""
        words = [*self._picture.words, *extra_digits(grid)]
        room = int((self._width - 2 * MARGIN) / (_WORDS_SIZE * _LETTER))
        # short rules stay on one line
        words = [word.replace(" ", _KEPT_SPACE) if len(word) < room // 2 else word for word in words]
        lines = [
            line.replace(_KEPT_SPACE, " ") for line in textwrap.wrap("; ".join(words), room, break_on_hyphens=False)
        ]
        if len(lines) > _MOST_LINES:
            lines = [*lines[:_MOST_LINES], f"… {len(lines) - _MOST_LINES} more lines"]
        return lines


def _in_cells(mark: Disc) -> bool:
    """Whether a disc is inside of cells, under their digits, and not on an edge or a corner."""
    return mark.pill or len(mark.cells) == 1


def _beyond(inner: Point, end: Point) -> Point:
    return end[0] + (end[0] - inner[0]) / 2, end[1] + (end[1] - inner[1]) / 2


def _head(tail: Point, tip: Point, size: float) -> str:
    """The two strokes of an arrow's head."""
    length = hypot(tip[0] - tail[0], tip[1] - tail[1]) or 1
    down, right = (tip[0] - tail[0]) / length * size, (tip[1] - tail[1]) / length * size
    one, other = (tip[0] - down + right, tip[1] - right - down), (tip[0] - down - right, tip[1] - right + down)
    return f" M{one[1]:g} {one[0]:g} L{tip[1]:g} {tip[0]:g} L{other[1]:g} {other[0]:g}"


def _shades(weights: Sequence[int]) -> list[str]:
    """A colour for each weight: the least is lightest, the greatest darkest."""
    least, span = min(weights), (max(weights) - min(weights)) or 1
    return [
        "#"
        + "".join(
            f"{round(light + (dark - light) * (weight - least) / span):02x}"
            for light, dark in zip(LIGHTEST, DARKEST, strict=True)
        )
        for weight in weights
    ]
