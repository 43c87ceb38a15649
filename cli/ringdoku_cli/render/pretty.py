"""Drawings of grids with their boxes. Clues look different from found digits; a best grid has colours for weights."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TextIO

from ringdoku.domain.objective import Objective
from ringdoku.domain.result import Result, Status
from ringdoku.domain.ruleset import Ruleset
from ringdoku.drawing.picture import Picture, extra_digits
from ringdoku.drawing.terminal import ASCII, UNICODE, Characters, Sheet
from ringdoku.formats import Entry
from ringdoku.formats.alphabets import MAX_SYMBOLS, Alphabet, one_character
from ringdoku.formats.stated import NO_SOLUTION
from ringdoku_cli.messages import printable
from ringdoku_cli.render import UNKNOWN, by_word
from ringdoku_cli.render.table import wrapped
from ringdoku_cli.render.terminal import terminal_width

# Colours of the 256-colour palette. The colour of found digits can be read on black and on white; on the heat map both
# text and background are set, so that the terminal's own colours do not matter.
BOLD = "1"
FAINT = "2"
FOUND = "38;5;32"
HEAT_CLUE = "1;38;5;16"
HEAT_FOUND = "38;5;18"
HEAT = (230, 228, 221, 215, 209, 203)
CLUE_MARK = "'"


@dataclass(frozen=True)
class Pretty:
    """Without colours a mark follows each clue, and a legend explains the mark.

    `room` is the width of the terminal, None elsewhere.
    """

    colours: bool
    characters: Characters
    room: int | None

    @staticmethod
    def for_stream(stream: TextIO) -> Pretty:
        return Pretty(wants_colours(stream), characters_for(stream), terminal_width(stream))

    def __call__(self, entry: Entry, result: Result, objective: Objective | None = None) -> str:
        heading = printable(entry.name or str(entry.place))
        lines = [styled(heading, BOLD) if self.colours else heading]
        lines += self._board(entry, result, objective)
        lines.append(_summary(result) + self._legend(entry))
        return "\n".join(lines) + "\n\n"

    def _board(self, entry: Entry, result: Result, objective: Objective | None) -> Iterator[str]:
        puzzle = entry.puzzle
        board, clues = puzzle.board, puzzle.clues.digits
        grid = result.grid or puzzle.clues
        sheet = _sheet(puzzle.ruleset, self.characters)
        heat = _heat(objective.weights) if objective and self.colours else None
        names, margin = self._digits(sheet, entry.layout.symbols)
        wide = len(names[0])
        shown = (self.characters.blank.rjust(wide), *names)
        cells = [
            self._cell(
                margin + shown[grid.digits[cell] - board.blank],
                clues[cell] != board.blank,
                heat[cell] if heat else None,
                letter,
            )
            for cell, letter in enumerate(sheet.letters)
        ]
        yield from sheet.lines([[cell] for cell in cells], _width(margin, names, sheet))
        extra = extra_digits(grid)
        for line in (*sheet.words, *([", ".join(extra)] if extra else [])):
            yield from wrapped(printable(line), self.room, "  ")

    def _digits(self, sheet: Sheet, symbols: Alphabet) -> tuple[Sequence[str], str]:
        """How each digit is written, as in the input if it has `symbols`, and what stands before it in a cell.

        If that is too wide for the terminal: one symbol for each digit; if still too wide, without a space before it.
        """
        board = sheet.picture.ruleset.board
        written = symbols or [str(digit) for digit in board.digits]
        wide = max(map(len, written))
        looks: list[tuple[Sequence[str], str]] = [([name.rjust(wide) for name in written], " ")]
        if board.least >= 0 and board.digits[-1] <= MAX_SYMBOLS:
            looks += [(one_character(symbols, board), margin) for margin in (" ", "")]

        def fits(names: Sequence[str], margin: str) -> bool:
            return self.room is None or sheet.width(_width(margin, names, sheet)) <= self.room

        return next((look for look in looks if fits(*look)), looks[0])

    def _legend(self, entry: Entry) -> str:
        return "" if self.colours or not entry.puzzle.clues.filled_count else f"; {CLUE_MARK} marks a clue"

    def _cell(self, digit: str, clue: bool, paper: int | None, letter: str) -> str:
        if not self.colours:
            return f"{digit}{CLUE_MARK if clue else ' '}{letter}"
        if paper is None:
            return styled(f"{digit} ", BOLD if clue else FOUND) + (styled(letter, FAINT) if letter else "")
        heated = f"{HEAT_CLUE if clue else HEAT_FOUND};48;5;{paper}"
        return styled(f"{digit} ", heated) + (styled(letter, f"{HEAT_FOUND};48;5;{paper}") if letter else "")


# puzzles of the same rules share it
@lru_cache(maxsize=16)
def _sheet(ruleset: Ruleset, characters: Characters) -> Sheet:
    return Sheet(Picture(ruleset), characters)


def _width(margin: str, names: Sequence[str], sheet: Sheet) -> int:
    """How wide a cell is: a digit with what stands before it, the mark of a clue, and the letter of a cage."""
    return len(margin) + len(names[0]) + 1 + len(sheet.letters[0])


def _summary(result: Result) -> str:
    if not result.backend:
        return _decoded(result)
    by = f"by {result.backend} in {_duration(result.seconds)}"
    bound = "" if result.bound is None else f", bound {result.bound}"
    match result.status:
        case Status.SATISFIABLE:
            return f"solved {by}"
        case Status.OPTIMAL:
            proved = "best" if result.rank == 1 else f"number {result.rank}"
            return f"score {result.score}, proved {proved} {by}"
        case Status.FEASIBLE:
            return f"score {result.score}{bound}, not proved best {by}"
        case Status.INFEASIBLE:
            if result.word_of:
                return f"{NO_SOLUTION}{by_word(result.word_of)} in {_duration(result.seconds)}"
            return f"{NO_SOLUTION}, proved {by}"
        case Status.UNKNOWN:
            return f"{UNKNOWN}{bound}, nothing found {by}"


def _decoded(result: Result) -> str:
    """The summary of an answer to an exported model, whose grid was checked: the rest is what its solver says."""
    match result.status:
        case Status.SATISFIABLE:
            return "solved"
        case Status.OPTIMAL:
            return f"score {result.score}, best{by_word('the solver')}"
        case Status.FEASIBLE:
            return f"score {result.score}, not proved best"
        case Status.INFEASIBLE:
            return f"{NO_SOLUTION}{by_word('the solver')}"
        case Status.UNKNOWN:
            return f"{UNKNOWN}, nothing found"


def _duration(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms" if seconds < 0.1 else f"{seconds:.2f} s"


def _heat(weights: Sequence[int]) -> list[int]:
    """A colour of `HEAT` for each weight, the hottest for the largest."""
    low, high = min(weights), max(weights)
    span = max(1, high - low)
    steps = len(HEAT) - 1
    return [HEAT[(2 * steps * (weight - low) + span) // (2 * span)] for weight in weights]


def styled(text: str, codes: str) -> str:
    return f"\x1b[{codes}m{text}\x1b[0m"


def wants_colours(stream: TextIO) -> bool:
    """Colours on a terminal, unless NO_COLOR is set; FORCE_COLOR asks for them elsewhere."""
    wanted = bool(os.environ.get("FORCE_COLOR")) or (stream.isatty() and os.environ.get("TERM") != "dumb")
    return wanted and not os.environ.get("NO_COLOR")


def characters_for(stream: TextIO) -> Characters:
    """Those that the encoding of the stream has."""
    return UNICODE if _can_draw(stream) else ASCII


def _can_draw(stream: TextIO) -> bool:
    try:
        "·│─┌┬┐├┼┤└┴┘".encode(stream.encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
