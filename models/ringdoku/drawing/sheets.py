"""Lays out puzzles on pages of paper, a line under each, and their solutions if they are wanted.

Lengths are in millimetres.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from ringdoku.domain import UsageError
from ringdoku.drawing.drawer import CELL, DARK, LETTER, SMALL, WORDS_SIZE, extent, scene_of
from ringdoku.drawing.picture import Picture
from ringdoku.drawing.shapes import Inset, Scene, Shape, Text
from ringdoku.drawing.views import View

PAPERS: Mapping[str, tuple[float, float]] = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height of a sheet by name, upright."""

GAP = 6.0
"""The distance between puzzles."""
FOOT = 42.0
"""The height of the row of solutions at the foot of a page."""
ANSWERS = (4, 3)
"""Rows and columns of an upright page of small solutions."""
_THIN, _THICK = 0.22, 0.6

SOLUTIONS = ("none", "end", "foot", "pages")
"""Where solutions stand: nowhere; small, twelve a page, after the puzzles; small and upside down at the foot of each
page; as large as the puzzles, on pages after them."""


@dataclass(frozen=True)
class Item:
    """A puzzle for a page, the line under it, and its solution, an item of its own."""

    view: View
    caption: str = ""
    solution: "Item | None" = None


@dataclass(frozen=True)
class PrintedSheet:
    """`rows` × `columns` puzzles on each page of a paper, in landscape format if there are more columns than rows.
    `big`: large digits, bold candidates and captions."""

    rows: int
    columns: int
    paper: str = "a4"
    margin: float = 15.0
    big: bool = False
    solutions: str = "none"

    def pages(self, items: Sequence[Item]) -> list[Scene]:
        """The pages in order. Raises `UsageError` if there is no room for so many puzzles."""
        width, height = PAPERS[self.paper] if self.rows >= self.columns else PAPERS[self.paper][::-1]
        pages = self._pages(items, width, height)
        if self.solutions in ("end", "pages"):
            twelve = ANSWERS if width < height else ANSWERS[::-1]
            rows, columns = twelve if self.solutions == "end" else (self.rows, self.columns)
            small = replace(self, rows=rows, columns=columns, big=False, solutions="none")
            pages += small._pages(_solutions_of(items), width, height, "Solutions")
        if len(pages) > 1:
            for number, page in enumerate(pages, 1):
                text = Text(width / 2, height - max(self.margin / 2, 4), f"{number} / {len(pages)}", 3.2, SMALL)
                pages[number - 1] = replace(page, shapes=(*page.shapes, text), title=f"{page.title} {number}")
        return pages

    @property
    def _font(self) -> float:
        return 6.0 if self.big else 4.0

    def _pages(self, items: Sequence[Item], width: float, height: float, heading: str = "") -> list[Scene]:
        """The pages of the items. A last page with only one takes more from the page before, if that has three."""
        size, longest = self.rows * self.columns, _longest_caption(items)
        starts = list(range(0, len(items), size))
        if len(items) % size == 1 and len(starts) > 1:
            starts[-1] = starts[-2] + (size + 2) // 2
        parts = (items[start:end] for start, end in pairwise([*starts, len(items)]))
        return [self._page(part, width, height, longest, heading) for part in parts]

    def _page(self, items: Sequence[Item], width: float, height: float, longest: int, heading: str) -> Scene:
        inner, top = width - 2 * self.margin, self.margin + (10 if heading else 0)
        bottom = self.margin + (FOOT + GAP if self.solutions == "foot" else 0)
        area = self._puzzle_grid(items, inner, height - top - bottom, longest)
        shapes: list[Shape] = [Inset(area, self.margin, top)]
        if heading:
            shapes.append(Text(self.margin, self.margin + 5, heading, 5, DARK, bold=True, anchor="start"))
        answers = _solutions_of(items)
        if self.solutions == "foot" and answers:
            strip = replace(self, rows=1, columns=max(len(answers), 3), big=False, solutions="none")
            foot = strip._puzzle_grid(answers, inner, FOOT, _longest_caption(answers))
            # a scale of -1 turns it upside down
            shapes.append(Inset(foot, self.margin + inner, height - self.margin, -1))
        read = "; ".join(item.caption for item in items)
        return Scene(width, height, tuple(shapes), heading or "Sudokus", read, "mm")

    def _puzzle_grid(self, items: Sequence[Item], width: float, height: float, longest: int) -> Scene:
        """The puzzles in rows and columns; the lines under them have a font in which `longest` characters fit."""
        # the room of a puzzle without the line under it
        wide = (width - GAP * (self.columns - 1)) / self.columns
        high = (height - GAP * (self.rows - 1)) / self.rows - self._font * 1.6
        font = min(self._font, wide / (LETTER * longest))
        if min(wide, high) < 10:
            raise UsageError(f"{self.rows}x{self.columns} puzzles with these margins leave no room on {self.paper}")
        shapes: list[Shape] = []
        for place, item in enumerate(items):
            row, column = divmod(place, self.columns)
            x, y = column * (wide + GAP), row * (high + self._font * 1.6 + GAP)
            _, _, across, down = extent(Picture(item.view.puzzle.ruleset))
            # four fifths of the size of the line under it, within limits
            heading = min(max(WORDS_SIZE, self._font * 0.8 * max(across / wide, down / high)), 24)
            size = scene_of(item.view, heading=heading)
            scale = min(wide / size.width, high / size.height, 20 / CELL)
            picture = scene_of(item.view, min(_THIN / scale, 1.5), min(_THICK / scale, 4), self.big, heading)
            shapes.append(Inset(picture, x + (wide - picture.width * scale) / 2, y, scale))
            if item.caption:
                base = y + picture.height * scale + self._font
                shapes.append(Text(x + wide / 2, base, item.caption, font, DARK, bold=self.big))
        return Scene(width, height, tuple(shapes), "", unit="mm")


def _longest_caption(items: Sequence[Item]) -> int:
    return max([1, *(len(item.caption) for item in items)])


def _solutions_of(items: Sequence[Item]) -> list[Item]:
    return [item.solution for item in items if item.solution]
