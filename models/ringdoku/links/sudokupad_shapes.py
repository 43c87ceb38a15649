"""The meaning of SudokuPad's drawings. They are read as the shapes that its converter draws for rules of f-puzzles.

A shape is read only if the rules text names its rule. All other shapes are unknown.
"""

from __future__ import annotations

import math
from collections import Counter

from ringdoku.constraints import digits, lines, outside, pairs, regions, sums
from ringdoku.domain.constraint import Cells
from ringdoku.domain.errors import UsageError
from ringdoku.links.clones import read_clones
from ringdoku.links.shading import doubt_shading
from ringdoku.links.shared import integer, says_nothing, shown
from ringdoku.links.sudokupad_drawing import Drawing, Shape, sign

GREY, BLACK, WHITE, ARROW, DIAGONAL = "#cfcfcf", "#000000", "#ffffff", "#a1a1a1", "#34bbe6"
_EXTRA_REGION = "rgba(207,207,207,0.95)"
_EXTREME = "#cccccc"


def read_drawing(drawing: Drawing) -> None:
    """Add the rules that the drawing states, and note the other shapes."""
    for read in _READERS:
        read(drawing)
    texts = dict.fromkeys(shape.text for shape in drawing.shapes if shape.text)
    if texts:
        drawing.draft.doubt(f"texts are drawn, without a type: {shown(' '.join(texts))[1:-1]}")
    for look, count in Counter(_look(shape) for shape in drawing.shapes if not shape.text).items():
        drawing.draft.doubt(f"{look} {'is' if count == 1 else f'and {count - 1} more are'} drawn, without a type")
    for cells in drawing.cages:
        drawing.draft.doubt(f"the cage at {drawing.draft.board.cell_name(cells[0])} has no sum and is not explained")


def _look(shape: Shape) -> str:
    kind = shape.kind if not shape.is_around_a_point else "circle" if shape.rounded else "square"
    colour = shown(shape.fill or shape.border or "none")[1:-1]
    return f"{'an' if kind == 'arrow' else 'a'} {kind} of the colour {colour}"


# lines


def _read_thermometers(drawing: Drawing) -> None:
    def is_bulb(shape: Shape) -> bool:
        return shape.looks("underlay", 0.85, GREY, GREY)

    bulbs = {drawing.around(shape) for shape in drawing.shapes if is_bulb(shape)} - {()}
    found = drawing.take(lambda s: s.runs("line", 21, GREY) and drawing.path(s)[:1] in bulbs)
    starts = {drawing.path(line)[:1] for line in found}
    drawing.take(lambda s: is_bulb(s) and drawing.around(s) in starts)
    for line in drawing.named("thermometers", found):
        path = drawing.path(line)
        if len(set(path)) < len(path):
            raise UsageError(f"the thermometer at {drawing.draft.board.cell_name(path[0])} comes back to a cell")
        drawing.add("thermometer", lines.Thermometer(path))


def _read_palindromes(drawing: Drawing) -> None:
    found = drawing.take(lambda s: s.runs("line", 16, GREY) and len(drawing.path(s)) > 1)
    for line in drawing.named("palindromes", found):
        drawing.add("palindrome", lines.Palindrome(drawing.path(line)))


def _read_between(drawing: Drawing) -> None:
    def is_end(shape: Shape) -> bool:
        return shape.looks("overlay", 0.8, WHITE, GREY) and not shape.text

    ends = {drawing.around(shape) for shape in drawing.shapes if is_end(shape)} - {()}

    def is_line(shape: Shape) -> bool:
        path = drawing.path(shape) if shape.runs("line", 2, GREY) else ()
        return len(path) > 1 and path[0] != path[-1] and {path[:1], path[-1:]} <= ends

    found = drawing.take(is_line)
    used = {end for line in found for path in (drawing.path(line),) for end in (path[:1], path[-1:])}
    drawing.take(lambda s: is_end(s) and drawing.around(s) in used)
    for line in drawing.named("between lines", found):
        drawing.add("between line", lines.Between(drawing.path(line)))


def _read_diagonals(drawing: Drawing) -> None:
    rows, columns = float(drawing.draft.board.rows), float(drawing.draft.board.columns)
    up, down = {(0.0, columns), (rows, 0.0)}, {(0.0, 0.0), (rows, columns)}
    found = drawing.take(lambda s: s.runs("line", 2, DIAGONAL) and set(s.points) in (up, down))
    for line in drawing.named("diagonals", found):
        drawing.add("diagonal", regions.DiagonalUp() if set(line.points) == up else regions.DiagonalDown())


# arrows, and clues outside the board


def _read_arrows(drawing: Drawing) -> None:
    def circle(shape: Shape) -> Cells:
        """The cells that a circle, or a longer pill, encloses."""
        if (shape.kind, shape.fill, shape.border, shape.rounded) != ("overlay", WHITE, ARROW, True) or shape.text:
            return ()
        row, column = shape.points[0]
        height, width = shape.height + 0.25, shape.width + 0.25
        if not all(math.isclose(side, round(side)) and 1 <= side <= 4 for side in (height, width)):
            return ()
        top, left, at = round(row - height / 2), round(column - width / 2), drawing.draft.board.at
        places = [at(r, c) for r in range(top, top + round(height)) for c in range(left, left + round(width))]
        return () if None in places else tuple(cell for cell in places if cell is not None)

    circles = {circle(shape) for shape in drawing.shapes} - {()}

    def start(shape: Shape) -> list[Cells]:
        path = drawing.path(shape) if shape.runs("arrow", 5, ARROW) else ()
        return [cells for cells in circles if path[0] in cells] if len(path) > 1 else []

    # an arrow within two circles would be one of either
    found = drawing.take(lambda s: len(start(s)) == 1)
    used = {cells for arrow in found for cells in start(arrow)}
    drawing.take(lambda s: circle(s) in used)
    for arrow in drawing.named("arrows", found):
        drawing.add("arrow", sums.Arrow(start(arrow)[0], drawing.path(arrow)[1:]))


def _is_text(shape: Shape) -> bool:
    return shape.looks("overlay", 0.25, WHITE, WHITE, rounded=False) and bool(shape.text)


def _read_little_killers(drawing: Drawing) -> None:
    def seen(shape: Shape) -> Cells:
        (row, column), (below, right) = shape.points
        down, over = sign(below - row), sign(right - column)
        return drawing.beside(row, column, down, over) if down and over else ()

    def place(shape: Shape) -> tuple[int, int]:
        row, column = shape.points[0]
        return math.floor(row), math.floor(column)

    texts = {place(shape): shape.text for shape in drawing.shapes if _is_text(shape)}
    found = drawing.take(
        lambda s: s.runs("arrow", 2, BLACK) and len(s.points) == 2 and bool(seen(s)) and place(s) in texts
    )
    used = {place(arrow) for arrow in found}
    drawing.take(lambda s: _is_text(s) and place(s) in used)
    for arrow in drawing.named("little killers", found):
        text, cells = texts[place(arrow)], seen(arrow)
        total = integer(text)
        if total:
            drawing.draft.bounded("the little killer", total, len(cells), len(cells) * drawing.draft.board.order)
            drawing.add("little killer", sums.LittleKiller(total, cells))
        elif not says_nothing(text):
            drawing.draft.doubt(f"the little killer {shown(text)} is not a number")


def _read_sandwiches(drawing: Drawing) -> None:
    board = drawing.draft.board

    def seen(shape: Shape) -> Cells:
        row, column = shape.points[0]
        down, right = (row < 0) - (row > board.rows), (column < 0) - (column > board.columns)
        return () if down and right else drawing.beside(row, column, down, right)

    found = drawing.take(lambda s: _is_text(s) and integer(s.text) is not None and bool(seen(s)))
    for clue in drawing.named("sandwiches", found):
        total = drawing.draft.bounded("the sandwich", integer(clue.text) or 0, 0, sum(board.digits[1:-1]))
        drawing.add("sandwich", outside.Sandwich(total, seen(clue)))


# marks on edges, on corners and in cells


def _read_dots(drawing: Drawing) -> None:
    for what, colour, usual in (("white dots", WHITE, 1), ("black dots", BLACK, 2)):
        found = drawing.take(
            lambda s, colour=colour: (
                s.looks("overlay", 0.3, colour, BLACK)  # type: ignore[misc]
                and len(drawing.around(s)) == 2
                and (integer(s.text) is not None or says_nothing(s.text))
            )
        )
        # a number in a dot explains it
        numbered = [dot for dot in found if integer(dot.text) is not None]
        known = drawing.named(what, [dot for dot in found if dot not in numbered])
        for dot in (*known, *drawing.named(f"{what} with numbers", numbered)):
            number, cells = integer(dot.text), drawing.around(dot)
            number = usual if number is None else number
            drawing.draft.bounded("the dot", number, 0 if colour == WHITE else 1, drawing.draft.board.order)
            drawing.add("dot", pairs.Difference(cells, number) if colour == WHITE else pairs.Ratio(cells, number))


def _read_xv(drawing: Drawing) -> None:
    found = drawing.take(lambda s: _is_text(s) and s.text in ("X", "V", "x", "v") and len(drawing.around(s)) == 2)
    for mark in drawing.named("X and V", found):
        drawing.add("X or V", pairs.PairSum(drawing.around(mark), 10 if mark.text in ("X", "x") else 5))


def _read_quadruples(drawing: Drawing) -> None:
    def wanted(shape: Shape) -> tuple[int, ...]:
        numbers = [integer(word) for word in shape.text.split()]
        return () if None in numbers else tuple(number for number in numbers if number is not None)

    found = drawing.take(
        lambda s: s.looks("overlay", 0.7, WHITE, BLACK) and len(drawing.around(s)) == 4 and bool(wanted(s))
    )
    for circle in drawing.named("quadruples", found):
        for number in wanted(circle):
            drawing.draft.bounded("the quadruple", number, 1, drawing.draft.board.order)
        drawing.add("quadruple", digits.Contains(wanted(circle), drawing.around(circle)))


def _read_parities(drawing: Drawing) -> None:
    for what, kind, rounded in (("odd cells", digits.Odd, True), ("even cells", digits.Even, False)):
        found = drawing.take(
            lambda s, rounded=rounded: (
                s.looks("underlay", 0.7, GREY, GREY, rounded=rounded)  # type: ignore[misc]
                and len(drawing.around(s)) == 1
            )
        )
        if known := drawing.named(what, found):
            drawing.add(what, kind(tuple(dict.fromkeys(cell for shape in known for cell in drawing.around(shape)))))


def _read_counting_circles(drawing: Drawing) -> None:
    """Circles in cells that are all alike: what else they might be, the other readers have taken."""

    def is_circle(shape: Shape) -> bool:
        large = shape.is_around_a_point and shape.rounded and 0.6 <= shape.width == shape.height <= 1
        return large and len(drawing.around(shape)) == 1 and not shape.text

    alike = {(s.kind, s.fill, s.border, s.width) for s in drawing.shapes if is_circle(s)}
    found = drawing.take(is_circle) if len(alike) == 1 else []
    if known := drawing.named("counting circles", found):
        circles = tuple(sorted({cell for shape in known for cell in drawing.around(shape)}))
        drawing.add("counting circles", digits.CountingCircles(circles))


# whole cells


def _fills_cell(drawing: Drawing, shape: Shape, fill: str, border: str = "") -> bool:
    square = shape.looks("underlay", 1, fill, border, rounded=False) and not shape.text
    return square and len(drawing.around(shape)) == 1


def _read_extra_regions(drawing: Drawing) -> None:
    def is_grey(shape: Shape) -> bool:
        return _fills_cell(drawing, shape, _EXTRA_REGION)

    grey = {drawing.around(shape)[0] for shape in drawing.shapes if is_grey(shape)}
    found = [cells for cells in drawing.cages if set(cells) <= grey]
    inside = {cell for cells in found for cell in cells}
    drawing.take(lambda s: is_grey(s) and drawing.around(s)[0] in inside)
    drawing.cages = [cells for cells in drawing.cages if cells not in found]
    for cells in drawing.named("extra regions", found):
        drawing.add("extra region", regions.ExtraRegion(cells))


def _read_clones(drawing: Drawing) -> None:
    found = drawing.named("clones", drawing.take(lambda s: _fills_cell(drawing, s, GREY, GREY)))
    clones = read_clones(drawing.draft, [drawing.around(shape)[0] for shape in found])
    if clones is None:
        drawing.draft.doubt(f"{len(found)} grey cells look like clones, but which of them are equal is not clear")
    for clone in clones or ():
        drawing.add("clone", clone)


def _read_extremes(drawing: Drawing) -> None:
    """Grey cells with an angle towards each neighbour of another sort, its tip towards the cell for a minimum."""
    board = drawing.draft.board
    near = [set[int]() for _ in range(board.cell_count)]
    for one, other in board.neighbours():
        near[one].add(other)
        near[other].add(one)

    def is_grey(shape: Shape) -> bool:
        return _fills_cell(drawing, shape, _EXTREME)

    grey = {drawing.around(shape)[0] for shape in drawing.shapes if is_grey(shape)}
    # the angles of a cell, each by whether its tip points outwards
    angles: dict[int, set[bool]] = {}

    def is_angle(shape: Shape) -> bool:
        if not shape.runs("line", 1, BLACK) or len(shape.points) != 3:
            return False
        arm, tip, _ = shape.points
        cell = board.at(math.floor(tip[0]), math.floor(tip[1]))
        if cell is None or cell not in grey:
            return False
        tip_far, arm_far = (max(abs(part % 1 - 0.5) for part in point) for point in (tip, arm))
        angles.setdefault(cell, set()).add(tip_far > arm_far)
        return True

    drawing.take(is_angle)
    # a cell among its like has no angles, and says nothing
    known = {cell for cell in grey if len(angles.get(cell, ())) == 1 or (cell not in angles and near[cell] <= grey)}
    found = drawing.take(lambda s: is_grey(s) and drawing.around(s)[0] in known)
    if drawing.named("minimums and maximums", found):
        for cell, outwards in ((cell, next(iter(angles[cell]))) for cell in sorted(known & angles.keys())):
            alike = tuple(sorted(other for other in near[cell] & known if angles.get(other, {outwards}) == {outwards}))
            drawing.add("minimum or maximum", (pairs.Maximum if outwards else pairs.Minimum)(cell, alike))


def _read_shading(drawing: Drawing) -> None:
    colours: dict[str, set[int]] = {}
    for shape in drawing.take(lambda s: bool(s.fill) and _fills_cell(drawing, s, s.fill)):
        colours.setdefault(shape.fill, set()).update(drawing.around(shape))
    doubt_shading(drawing.draft, colours)


_READERS = (
    _read_thermometers,
    _read_palindromes,
    _read_between,
    _read_diagonals,
    _read_arrows,
    _read_little_killers,
    _read_sandwiches,
    _read_dots,
    _read_xv,
    _read_quadruples,
    _read_parities,
    _read_counting_circles,
    _read_extra_regions,
    _read_extremes,
    _read_clones,
    _read_shading,
)
