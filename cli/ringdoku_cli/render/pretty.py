"""Drawings of grids with their boxes. Clues look different from found digits; a best grid has colours for weights."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TextIO

from ringdoku import Board, Objective, Result
from ringdoku.drawing import terminal
from ringdoku.drawing.terminal import ASCII, UNICODE, Characters
from ringdoku.drawing.views import sentence_of
from ringdoku.text import Entry
from ringdoku.text.cells import MAX_SYMBOLS, Alphabet, symbols_on
from ringdoku_cli.exits import printable
from ringdoku_cli.render.table import terminal_width, wrapped


@dataclass(frozen=True)
class Pretty:
    """Without colours a mark follows each clue, and a legend explains the mark.

    `room` is the width of the terminal, None elsewhere.
    """

    colours: bool
    characters: Characters
    room: int | None

    @staticmethod
    def for_stream(stream: TextIO) -> "Pretty":
        return Pretty(wants_colours(stream), characters_for(stream), terminal_width(stream))

    def __call__(self, entry: Entry, result: Result, objective: Objective | None = None) -> str:
        puzzle, heading = entry.puzzle, printable(entry.name or str(entry.place))
        grid, names = result.grid or puzzle.clues, list(_names(puzzle.board, entry.layout.symbols))
        lines = [terminal.styled(heading, terminal.BOLD) if self.colours else heading]
        lines += terminal.puzzle_lines(puzzle, grid, names, self.characters, self.colours, objective, self.room)
        for line in terminal.words_below(puzzle, grid, self.characters):
            lines += wrapped(printable(line), self.room, "  ")
        legend = "" if self.colours or not puzzle.clues.filled_count else f"; {terminal.CLUE_MARK} marks a clue"
        return "\n".join([*lines, f"{_summary(result)}{legend}\n\n"])


def _names(board: Board, symbols: Alphabet) -> Iterator[Sequence[str]]:
    """How digits may be written, the widest way first: as in the input if it has `symbols`; one symbol for each digit;
    that without a space before it."""
    wide = max(map(len, symbols), default=0)
    yield [f" {name:>{wide}}" for name in symbols] or terminal.numbers(board)
    if board.least >= 0 and board.digits[-1] <= MAX_SYMBOLS:
        yield [f" {name}" for name in symbols or symbols_on(board)]
        yield symbols or symbols_on(board)


def _summary(result: Result) -> str:
    """What was found. Without a backend it is the answer to an exported model."""
    seconds = f"{result.seconds * 1000:.1f} ms" if result.seconds < 0.1 else f"{result.seconds:.2f} s"
    took = f" ({result.backend}, {seconds})" if result.backend else ""
    return printable(f"{sentence_of(result) or 'solved'}{took}")


def wants_colours(stream: TextIO) -> bool:
    """Colours on a terminal, unless NO_COLOR is set; FORCE_COLOR asks for them elsewhere."""
    wanted = bool(os.environ.get("FORCE_COLOR")) or (stream.isatty() and os.environ.get("TERM") != "dumb")
    return wanted and not os.environ.get("NO_COLOR")


def characters_for(stream: TextIO) -> Characters:
    """Those that the encoding of the stream has."""
    try:
        "".join(UNICODE).encode(stream.encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return ASCII
    return UNICODE
