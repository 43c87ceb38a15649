"""How boxed grids are drawn: like their input if that was regular, otherwise with `|`, `-` and `+`."""

from __future__ import annotations

from dataclasses import replace

from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.ruleset import Ruleset
from ringdoku.text.alphabets import Alphabet
from ringdoku.text.layout import Drawing, Layout
from ringdoku.text.rows import Rows


def drawn_layout(ruleset: Ruleset, symbols: Alphabet = "") -> Layout:
    """Separate cells as wide as the widest digit; a blank is `.`, or `_` repeated to that width."""
    board = ruleset.board
    width = max(map(len, symbols or (str(board.least), str(board.greatest))))
    down, across = ruleset.box or (board.rows, board.columns)
    dashes = "-" * (across * (width + 1) + 1)
    rule = f"+{'+'.join([dashes] * (board.columns // across))}+"
    drawing = Drawing(across, down, rule, rule, rule, "| ", " | ", " |")
    return Layout("boxed", symbols, "." if width == 1 else "_" * width, " ", width=width, drawing=drawing, gap=True)


def layout_like(
    puzzle: Puzzle, rows: Rows, symbols: Alphabet, blank: str, ends: tuple[str | None, str | None], bars: list[int]
) -> Layout:
    """The layout that draws the puzzle as its input did; the usual drawing if there is no such layout.

    `ends` are the border lines above and below the grid; `bars` has the number of cells before each bar of a row.
    """
    plain = drawn_layout(puzzle.ruleset, symbols)
    layout = replace(plain, blank=blank or plain.blank, gap=False)
    text = rows.lines[0].text
    stops = [match.end() for match in rows.cells.pattern.finditer(text)]
    across = bars[0] if bars else rows.order
    if rows.cells.symbols:
        separator, width = "", 1
    else:
        separator, width = " ", stops[1] - stops[0] - 1 if across > 1 else layout.width
    if width < 1 or stops[0] < width:
        return replace(plain, gap=False)
    inside = {before: rule for before, rule in rows.rules if before}
    middle = next(iter(inside.values()), None)
    drawing = Drawing(
        across,
        min(inside, default=rows.order),
        ends[0],
        middle,
        ends[1],
        text[: stops[0] - width],
        text[stops[across - 1] : stops[across] - width] if bars else "",
        text[stops[-1] :],
    )
    layout = replace(layout, separator=separator, width=width, drawing=drawing)
    source = [] if ends[0] is None else [ends[0]]
    for number, line in enumerate(rows.lines):
        source += [inside[number]] if number in inside else []
        source.append(line.text)
    source += [] if ends[1] is None else [ends[1]]
    drawn = layout.render(puzzle.clues, puzzle.ruleset)
    return layout if drawn == "\n".join(source) else replace(plain, gap=False)
