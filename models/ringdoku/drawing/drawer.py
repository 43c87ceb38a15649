"""Turns a `View` into a `Scene`: clues dark, found digits blue, candidates small, and the marks of the constraints."""

import textwrap
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import chain, pairwise
from math import hypot, isqrt
from typing import TypeGuard
from unicodedata import east_asian_width

from ringdoku.domain import Board
from ringdoku.domain.checker import repeats
from ringdoku.domain.marks import Cage, Disc, Mark, Shade, Stroke
from ringdoku.drawing.picture import Clue, Picture, extra_digits
from ringdoku.drawing.shapes import XY, Circle, Polyline, Rect, Scene, Shape, Text
from ringdoku.drawing.views import View

CELL = 40
"""Side of a cell in pixels."""
MARGIN = 4
OUTSIDE = 28
"""Side in pixels of the place of a clue outside the grid."""

PAPER = "#ffffff"
LIGHTEST, DARKEST = (255, 250, 235), (246, 178, 107)
"""The background colours of the least and the greatest weight in full grids."""
WHITE, TINT = (255, 255, 255), (252, 228, 204)
"""The same in grids with blank cells, where somebody writes: tints of less than 10 % grey."""
DARK, FOUND, SMALL, WRONG, THIN = "#111111", "#1f4e9e", "#333333", "#b3261e", "#999999"
LIT, BASIS, PLACED = "#fff3b0", "#1f4e9e", "#1b7837"
"""Colours of a step: its cells, the candidates that it rests on, and the digit that it places."""
_SMALL_SIZE, WORDS_SIZE, _LINE, _MOST_LINES = 10, 11, 15 / 11, 40
LETTER = 0.58
"""Width of a letter, as a fraction of the font size."""

Point = tuple[float, float]
"""Row and column, in cells from the top left corner of the grid."""


def scene_of(view: View, thin: float = 1, thick: float = 2.5, big: bool = False, heading: float = WORDS_SIZE) -> Scene:
    """The picture of a view; `thin` lines of cells, `thick` ones of regions and a `heading` in pixels; `big` digits."""
    return _Drawer(view, thin, thick, big, heading).scene()


def extent(picture: Picture) -> tuple[int, int, int, int]:
    """Left and top of the grid, and width and height of the picture without the words below, in pixels."""
    board = picture.ruleset.board
    left, top, right, bottom = (MARGIN + OUTSIDE * depth for depth in picture.depths)
    return left, top, left + board.columns * CELL + right, top + board.rows * CELL + bottom


class _Drawer:
    """Collects shapes from the bottom layer to the top."""

    def __init__(self, view: View, thin: float, thick: float, big: bool, heading: float) -> None:
        puzzle, board = view.puzzle, view.puzzle.board
        self._view, self._picture, self._board = view, Picture(puzzle.ruleset), board
        self._thin, self._thick, self._big, self._heading = thin, thick, big, heading
        self._grid = view.grid or puzzle.clues
        self._digit_texts = view.symbols or [str(digit) for digit in board.digits]
        repeat = next(repeats(puzzle, puzzle.clues), None)
        self._alarm = f"no solution: {repeat.sentence(self._digit_text)}" if repeat else view.alarm
        ends = (LIGHTEST, DARKEST) if self._grid.is_full else (WHITE, TINT)
        self._colours = _shades(view.objective.of_cells(board), *ends) if view.objective else [PAPER] * board.grid_count
        self._left, self._top, self._width, self._bottom = extent(self._picture)
        rules = [*self._picture.digits, *self._picture.words()] if view.words else []
        self._words = [*rules, *extra_digits(self._grid)]
        self._label_cells = {min(cage.cells) for cage in self._picture.cages if cage.text}
        self._widest_digit = LETTER * max(map(len, self._digit_texts))

    def scene(self) -> Scene:
        shapes = [*self._cells(), *self._marks(), *self._digits()]
        for region in self._picture.regions:
            lines = tuple(tuple(map(self._xy, line)) for line in outlines(region, self._board))
            shapes.append(Polyline(lines, DARK, self._thick, closed=True))
        for mark in self._picture.marks:
            shapes += self._disc(mark) if _is_on_border(mark) else ()
        for clue in self._picture.clues:
            shapes += self._clue(clue)
        height: float = self._bottom
        for line, ink, bold in (below := self._lines_below()):
            size = self._heading if bold else WORDS_SIZE
            height += size * _LINE
            shapes.append(Text(MARGIN, height - size * 3 / 11, line, size, ink, bold, anchor="start"))
        title, margin = self._view.title or f"Sudoku {self._view.puzzle.ruleset}", MARGIN if below else 0
        return Scene(self._width, height + margin, tuple(shapes), title, self._description(), link=self._view.link)

    def _description(self) -> str:
        """The picture in words: the digits row by row, the rules, and what stands below."""
        board, view, parts = self._board, self._view, []
        # nobody listens to the digits of larger boards
        if max(board.rows, board.columns) <= 25:
            names = ["blank", *self._digit_texts]
            for number, row in enumerate(self._grid.rows, 1):
                parts.append(f"row {number}: " + " ".join(names[digit - board.blank] for digit in row))
        parts += [view.heading, *self._words, view.caption, self._alarm]
        return "; ".join(filter(None, parts))

    def _cells(self) -> Iterator[Shape]:
        for cell, colour in enumerate(self._colours):
            x, y = self._xy(divmod(cell, self._board.columns))
            yield Rect(x, y, CELL, CELL, colour, THIN, self._thin)
        for cell in sorted(self._view.lit):
            if cell < self._board.grid_count:
                yield self._shade(cell, LIT)

    def _marks(self) -> Iterator[Shape]:
        """The marks below the digits."""
        marks = self._picture.marks
        yield from (self._shade(cell, mark.colour) for mark in marks if isinstance(mark, Shade) for cell in mark.cells)
        discs = [mark for mark in marks if isinstance(mark, Disc) and not _is_on_border(mark)]
        yield from chain.from_iterable(self._disc(disc) for disc in discs if disc.pill)
        yield from self._strokes()
        stroked = Counter(cell for mark in marks if isinstance(mark, Stroke) for cell in mark.cells)
        for disc in sorted((disc for disc in discs if not disc.pill), key=lambda disc: disc.fill == PAPER):
            # a circle over lines of other rules hides none of them, nor a bulb
            is_over = disc.fill == PAPER and stroked[disc.cells[0]] > 1
            yield from self._disc(replace(disc, fill="none") if is_over else disc)
        for cage in self._picture.cages:
            yield from self._cage(cage)
        for note in self._picture.notes:
            size = min(_SMALL_SIZE, _fitting_size(note.text, CELL))
            yield from (Text(x, y + CELL * 0.43, note.text, size, DARK) for x, y in map(self._middle, note.cells))

    def _digits(self) -> Iterator[Shape]:
        board, puzzle, placed = self._board, self._view.puzzle, self._view.placed
        twice = [board.named(name) for repeat in repeats(puzzle, self._grid) for name in repeat.cells]
        # wide numbers are smaller, so that they fit their cells
        size = CELL * min(0.72 if self._big else 0.55, 0.9 / self._widest_digit)
        for cell, digit in enumerate(self._grid.digits[: board.grid_count]):
            x, y = self._middle(cell)
            if digit != board.blank:
                is_clue = puzzle.clues.digits[cell] != board.blank
                ink = WRONG if cell in twice else DARK if is_clue else FOUND
                yield _centred_text(x, y, self._digit_text(digit), size, ink, is_clue)
            elif placed and placed[0] == cell:
                yield Circle(x, y, CELL * 0.4, "none", PLACED, 2)
                yield _centred_text(x, y, self._digit_text(placed[1]), size, PLACED, True)
            elif self._view.candidates:
                yield from self._candidates(cell, self._view.candidates[cell])

    def _digit_text(self, digit: int) -> str:
        return self._digit_texts[digit - self._board.least]

    def _candidates(self, cell: int, candidates: Collection[int]) -> Iterator[Shape]:
        """The small digits of a cell, each at its own place."""
        view, order = self._view, self._board.order
        across = isqrt(order - 1) + 1
        down = -(-order // across)
        # inside the dashes of a cage, and below its text
        side, top = (0.1, 0.27) if self._picture.cages else (0.04, 0.04)
        width, height = CELL * (1 - 2 * side) / across, CELL * (1 - top - side) / down
        size, least = min(height * 0.95, width * 0.95 / self._widest_digit), min(width, height)
        middle_x, middle_y = self._middle(cell)
        for digit in candidates:
            row, column = divmod(digit - self._board.least, across)
            x = middle_x + width * (column - (across - 1) / 2)
            y = middle_y - CELL / 2 + CELL * top + height * (row + 0.5)
            ink, reach = SMALL, least * 0.45
            if (cell, digit) in view.basis:
                yield Circle(x, y, least * 0.52, BASIS)
                ink = PAPER
            elif (cell, digit) in view.removed:
                ink = WRONG
            yield _centred_text(x, y, self._digit_text(digit), size, ink, self._big or ink != SMALL)
            if (cell, digit) in view.removed:
                yield Polyline((((x - reach, y + reach), (x + reach, y - reach)),), WRONG, 1.5)

    def _xy(self, place: Point) -> XY:
        return self._left + place[1] * CELL, self._top + place[0] * CELL

    def _middle(self, cell: int) -> XY:
        row, column = divmod(cell, self._board.columns)
        return self._xy((row + 0.5, column + 0.5))

    def _shade(self, cell: int, colour: str) -> Rect:
        (x, y), side = self._middle(cell), CELL - 1
        return Rect(x - side / 2, y - side / 2, side, side, colour, opacity=0.7)

    def _strokes(self) -> Iterator[Polyline]:
        """The lines, the thickest first. One that crosses a line of another constraint has white edges there; one that
        runs along a line of another colour is narrower."""
        drawn = enumerate(self._picture.drawn)
        lines = [(mark, rule) for rule, (_, marks) in drawn for mark in marks if isinstance(mark, Stroke)]
        lines_at: dict[XY, list[tuple[Stroke, int]]] = defaultdict(list)
        for mark, rule in sorted(lines, key=lambda line: -line[0].thickness):
            path = self._path(mark)
            others_at = [{other for other, owner in lines_at[place] if owner != rule} for place in path]
            parallel = {other for others in others_at for other in others if _cell_pairs(mark) & _cell_pairs(other)}
            is_hiding = any(other.colour != mark.colour and other.thickness < 2 * mark.thickness for other in parallel)
            thickness = mark.thickness / 2 if is_hiding else mark.thickness
            for index, (x, y) in enumerate(path[1:-1]):
                if others_at[index + 1] - parallel:
                    # two pixels wider on each side, and it ends before the borders of cells
                    bridge = ((x + 0.9 * (right - x), y + 0.9 * (down - y)) for right, down in path[index : index + 3])
                    yield Polyline((tuple(bridge),), PAPER, thickness * CELL + 4)
            yield self._stroke(replace(mark, thickness=thickness))
            for place in path:
                lines_at[place].append((mark, rule))

    def _path(self, mark: Stroke) -> list[XY]:
        """The middles of its cells and the points halfway between; none for a diagonal of the whole grid."""
        middles = [] if mark.whole else list(map(self._middle, mark.cells))
        path = middles[:1]
        for (x, y), (right, down) in pairwise(middles):
            path += [((x + right) / 2, (y + down) / 2), (right, down)]
        return path

    def _stroke(self, mark: Stroke) -> Polyline:
        points = [self._middle(cell) for cell in mark.cells]
        if len(points) == 1:
            points *= 2
        elif mark.whole:
            # continue to the corners of the grid
            points[0], points[-1] = _extended(points[1], points[0]), _extended(points[-2], points[-1])
        head = [_arrow_head(points[-2], points[-1], CELL * 0.22)] if mark.head else []
        return Polyline((tuple(points), *head), mark.colour, max(1.0, mark.thickness * CELL), is_round=True)

    def _disc(self, mark: Disc) -> Iterator[Shape]:
        points = [self._middle(cell) for cell in mark.cells]
        size = mark.size * CELL
        if mark.cells[0] in self._label_cells and len(mark.cells) == 1:
            # does not cover the text of a cage
            size = min(size, 0.56 * CELL)
        if mark.pill:
            yield Polyline((tuple(points),), mark.outline, size, is_round=True)
            yield Polyline((tuple(points),), mark.fill, size - 4, is_round=True)
            return
        x, y = (sum(point[axis] for point in points) / len(points) for axis in (0, 1))
        if mark.square:
            yield Rect(x - size / 2, y - size / 2, size, size, mark.fill, mark.outline)
        else:
            yield Circle(x, y, size / 2, mark.fill, mark.outline)
        # three or four digits in two rows
        rows = textwrap.wrap(mark.text, max(4, len(mark.text) // 2 + 1), break_long_words=False)
        font = min(_fitting_size(max(rows, key=len, default=" "), size * (1.1 - 0.2 * len(rows))), 14)
        for number, row in enumerate(rows):
            base = y + font * (number - (len(rows) - 1) / 2)
            yield _centred_text(x, base, row, font, PAPER if mark.fill == "#000000" else DARK)

    def _cage(self, mark: Cage) -> Iterator[Shape]:
        lines = [tuple(map(self._xy, line)) for line in outlines(mark.cells, self._board, inset=0.08)]
        # cages that begin in one cell share its corner
        if label := " ".join(cage.text for cage in self._picture.cages if min(cage.cells) == min(mark.cells)).strip():
            # the text stands at the first corner, the top left one, where the line is open
            (left, top), *corners = lines.pop(0)
            right = min(left + len(label) * _SMALL_SIZE * LETTER + 1, corners[0][0])
            yield Polyline((((right, top), *corners, (left, top + 8.3)),), DARK, dashed=True)
            yield Text(left - 0.7, top + 6.8, label, _SMALL_SIZE, DARK, anchor="start")
        if lines:
            yield Polyline(tuple(lines), DARK, closed=True, dashed=True)

    def _clue(self, clue: Clue) -> Iterator[Shape]:
        away, board = OUTSIDE * (clue.level + 0.5), self._board
        y, x = (
            start - away if place < 0 else start + min(place + 0.5, count) * CELL + (away if place >= count else 0)
            for place, start, count in ((clue.row, self._top, board.rows), (clue.column, self._left, board.columns))
        )
        size = min(14, _fitting_size(clue.text, OUTSIDE))
        if clue.towards is None:
            yield _centred_text(x, y, clue.text, size, DARK)
            return
        row, column = clue.towards
        # the corner or the side of the first cell that is nearest
        down, right = (row > clue.row) - (row < clue.row), (column > clue.column) - (column < clue.column)
        tip = self._xy((row + 0.5 - 0.5 * down, column + 0.5 - 0.5 * right))
        length = hypot(tip[0] - x, tip[1] - y)
        tail, tip = ((x + (tip[0] - x) * part / length, y + (tip[1] - y) * part / length) for part in (4, length - 3))
        yield _centred_text(x - 6 * right, y - 6 * down, clue.text, size, DARK)
        yield Polyline(((tail, tip), _arrow_head(tail, tip, 5)), DARK)

    def _lines_below(self) -> list[tuple[str, str, bool]]:
        """The lines of text below the board, with colour and whether bold: sentences, rules, digits of extra cells."""
        letters = (self._width - 2 * MARGIN) / LETTER
        room, bold_room = int(letters / WORDS_SIZE), int(letters / self._heading * 0.92)
        # short rules stay on one line
        words = [word.replace(" ", "\u00a0") if len(word) < room // 2 else word for word in self._words]
        lines = list[tuple[str, str, bool]]()
        for text, ink in ((self._view.heading, DARK), (self._alarm, WRONG)):
            lines += [(line, ink, True) for line in _wrapped(text, bold_room)]
        for part in self._view.caption.splitlines():
            indent = part[: len(part) - len(part.lstrip())]
            lines += [(f"{indent}{line}", DARK, False) for line in _wrapped(part.strip(), room - len(indent))]
        lines += [(line, SMALL, False) for line in _wrapped("; ".join(words), room)]
        if len(lines) > _MOST_LINES + 1:
            lines = [*lines[:_MOST_LINES], (f"… {len(lines) - _MOST_LINES} more lines", SMALL, False)]
        return lines


def _wrapped(text: str, room: int) -> list[str]:
    """The text in lines of at most `room` letters; full-width letters count twice."""
    spread = "".join(f"{letter}\0" if east_asian_width(letter) in "FW" else letter for letter in text)
    return [line.replace("\0", "") for line in textwrap.wrap(spread, room, break_on_hyphens=False)]


def _is_on_border(mark: Mark) -> TypeGuard[Disc]:
    """Whether the mark is a disc on an edge or a corner of cells; such discs cover digits."""
    return isinstance(mark, Disc) and len(mark.cells) > 1 and not mark.pill


def _cell_pairs(mark: Stroke) -> set[frozenset[int]]:
    return set(map(frozenset, pairwise(mark.cells)))


def _centred_text(x: float, y: float, text: str, size: float, ink: str, bold: bool = False) -> Text:
    return Text(x, y + size * 0.36, text, size, ink, bold)


def _fitting_size(text: str, room: float) -> float:
    """The font size at which a text fits into `room` pixels, at most two thirds of them."""
    return min(room * 0.66, room / (LETTER * len(text)))


def _extended(inner: XY, end: XY) -> XY:
    return end[0] + (end[0] - inner[0]) / 2, end[1] + (end[1] - inner[1]) / 2


def _arrow_head(tail: XY, tip: XY, size: float) -> tuple[XY, ...]:
    length = hypot(tip[0] - tail[0], tip[1] - tail[1]) or 1
    right, down = (tip[0] - tail[0]) / length * size, (tip[1] - tail[1]) / length * size
    return (tip[0] - right - down, tip[1] - down + right), tip, (tip[0] - right + down, tip[1] - down - right)


def _shades(weights: Sequence[int], lightest: Sequence[int], darkest: Sequence[int]) -> list[str]:
    """A colour for each weight, from `lightest` for the least to `darkest` for the greatest."""
    least, span = min(weights), (max(weights) - min(weights)) or 1
    ends = list(zip(lightest, darkest, strict=True))
    mixed = ([light + (dark - light) * (weight - least) / span for light, dark in ends] for weight in weights)
    return ["#" + "".join(f"{round(part):02x}" for part in parts) for parts in mixed]


def outlines(cells: Collection[int], board: Board, inset: float = 0) -> Iterator[list[Point]]:
    """The border of the cells as closed lines, each a list of corners, clockwise outside and counter-clockwise around
    holes. They are `inset` (a fraction of a cell's side) inside the border, and apart where cells meet in a corner."""
    within = set(cells)
    # places and steps are row + column·i, so that a step times −i is the step to its right
    edges: dict[tuple[complex, complex], None] = {}
    for cell in sorted(within):
        row, column = divmod(cell, board.columns)
        for down, right, step in ((0, 0, 1j), (0, 1, 1), (1, 1, -1j), (1, 0, -1)):
            # the cell is to the right of each step
            if board.at(row - int(step.imag), column + int(step.real)) not in within:
                edges[complex(row + down, column + right), step] = None
    while edges:
        loop, (place, step) = list[tuple[complex, complex]](), next(iter(edges))
        while (place, step) not in loop[:1]:
            loop.append((place, step))
            place += step
            # where two cells touch at a corner, follow the same cell
            step = next(turn for turn in (step * -1j, step, step * 1j) if (place, turn) in edges)
        corners = []
        for (_, before), (place, step) in zip([loop[-1], *loop], loop, strict=False):
            del edges[place, step]
            if step != before:
                corner = place + inset * -1j * (step + before)
                corners.append((corner.real, corner.imag))
        yield corners
