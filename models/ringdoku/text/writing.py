"""Many puzzles as text, and many puzzles from one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from io import BytesIO
from math import isqrt

from ringdoku.domain.errors import InputError, UsageError
from ringdoku.domain.puzzle import Puzzle
from ringdoku.text.base import Box
from ringdoku.text.layout import Layout
from ringdoku.text.reader import read
from ringdoku.text.registry import layout_named


def read_puzzles(text: str | bytes, box: Box = None) -> Iterator[Puzzle]:
    """The puzzles in a text of any format, one after the other.

    Raises `InputError` at the first that is malformed, and where there is none; `UsageError` for what is no text.
    """
    if not isinstance(text, (str, bytes)):
        raise UsageError(f"puzzles are read from a text, not from {type(text).__name__}")
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    for item in read(BytesIO(data), "<text>", None, box):
        if isinstance(item, InputError):
            raise item
        yield item.puzzle


def write_puzzles(puzzles: Iterable[Puzzle], format: str = "line") -> str:  # noqa: A002  the word that users know
    """The puzzles as text that is read again, in a format of `ringdoku.text.FORMATS`.

    Raises `UsageError` for an unknown format, for an order that is too large for it, and for what is no `Puzzle`.
    """
    texts: list[str] = []
    accepted = "puzzles are a list of Puzzle, which parse makes of a text"
    if not isinstance(puzzles, Iterable):
        raise UsageError(f"{accepted}, not {type(puzzles).__name__}")
    for puzzle in puzzles:
        if not isinstance(puzzle, Puzzle):
            raise UsageError(f"{accepted}, not of {type(puzzle).__name__}")
        text = puzzle_text(puzzle, layout_named(format, puzzle.ruleset))
        texts.append(f"\n{text}" if texts and text.count("\n") > 1 else text)
    return "".join(texts)


def puzzle_text(puzzle: Puzzle, layout: Layout) -> str:
    """One puzzle with the lines of its rules above it, which JSON has inside."""
    ruleset = puzzle.ruleset
    lines = []
    if layout.format != "json" and (not ruleset.classic_box or ruleset.box != _square(ruleset.order)):
        # 30 ms that classic puzzles have no need of
        from ringdoku.constraints.text import write_board, write_rules

        lines += [] if ruleset.board.is_plain else [f"board {write_board(ruleset.board)}"]
        lines += write_rules(ruleset)
    return "\n".join([*lines, layout.render(puzzle.clues, ruleset)]) + "\n"


def _square(order: int) -> tuple[int, int]:
    return isqrt(order), isqrt(order)
