"""A grid as an SVG picture: clues upright and dark, found digits blue, cells shaded by their weight."""

from __future__ import annotations

from collections.abc import Sequence

from ringdoku.domain.grid import Grid
from ringdoku.domain.objective import Objective
from ringdoku.domain.ruleset import Ruleset
from ringdoku.formats.alphabets import Alphabet

CELL = 40
"""Side of a cell in pixels."""
MARGIN = 4

LIGHTEST, DARKEST = (255, 250, 235), (246, 178, 107)


def draw_svg(
    ruleset: Ruleset, clues: Grid, grid: Grid, objective: Objective | None = None, symbols: Alphabet = ""
) -> str:
    """`grid` as one SVG element: `clues` differ from other digits, an objective shades the cells, blanks stay empty."""
    n = ruleset.order
    names = symbols or [str(digit) for digit in range(1, n + 1)]
    side = n * CELL + 2 * MARGIN
    colours = _shades(objective.weights) if objective else ["#ffffff"] * (n * n)
    # wide numbers are set smaller, so that they stay inside their cells
    font_size = CELL * (0.55 if n < 10 else 0.45 if n < 100 else 0.35)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}" width="{side}" height="{side}"'
        f' font-family="Helvetica, Arial, sans-serif" font-size="{font_size:g}" text-anchor="middle">',
        f'<rect width="{side}" height="{side}" fill="#ffffff"/>',
    ]
    for cell, (clue, digit) in enumerate(zip(clues.digits, grid.digits, strict=True)):
        row, column = divmod(cell, n)
        x, y = MARGIN + column * CELL, MARGIN + row * CELL
        lines.append(f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{colours[cell]}" stroke="#999999"/>')
        if digit:
            ink = 'fill="#111111" font-weight="bold"' if clue else 'fill="#1f4e9e"'
            lines.append(
                f'<text x="{x + CELL / 2:g}" y="{y + CELL / 2 + font_size * 0.36:g}" {ink}>{names[digit - 1]}</text>'
            )
    height, width = ruleset.box or (n, n)
    for top in range(0, n, height):
        for left in range(0, n, width):
            lines.append(
                f'<rect x="{MARGIN + left * CELL}" y="{MARGIN + top * CELL}" width="{width * CELL}"'
                f' height="{height * CELL}" fill="none" stroke="#111111" stroke-width="2.5"/>'
            )
    return "\n".join([*lines, "</svg>"])


def _shades(weights: Sequence[int]) -> list[str]:
    """A colour for each weight, from the lightest for the least to the darkest for the greatest."""
    least, span = min(weights), (max(weights) - min(weights)) or 1
    return [
        "#"
        + "".join(
            f"{round(light + (dark - light) * (weight - least) / span):02x}"
            for light, dark in zip(LIGHTEST, DARKEST, strict=True)
        )
        for weight in weights
    ]
