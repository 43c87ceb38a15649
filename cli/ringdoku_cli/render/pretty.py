"""Drawings of grids with their boxes. Clues look different from found digits; a best grid has colours for weights."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TextIO

from ringdoku.domain.objective import Objective
from ringdoku.domain.result import Result, Status
from ringdoku.domain.ruleset import Ruleset
from ringdoku.formats import Entry
from ringdoku.formats.alphabets import MAX_SYMBOLS, Alphabet, one_character
from ringdoku.formats.claims import NO_SOLUTION
from ringdoku_cli.messages import printable
from ringdoku_cli.render import UNKNOWN, by_word
from ringdoku_cli.render.terminal import terminal_width

# Colours of the 256-colour palette. The colour of found digits can be read on black and on white; on the heat map both
# text and background are set, so that the terminal's own colours do not matter.
BOLD = "1"
FOUND = "38;5;32"
HEAT_CLUE = "1;38;5;16"
HEAT_FOUND = "38;5;18"
HEAT = (230, 228, 221, 215, 209, 203)
CLUE_MARK = "'"


@dataclass(frozen=True)
class Rules:
    """The characters of the drawing: blank cell, bar, line, and the joints of the top, a middle and the bottom line."""

    blank: str
    bar: str
    line: str
    top: str
    middle: str
    bottom: str


UNICODE = Rules("·", "│", "─", "┌┬┐", "├┼┤", "└┴┘")
ASCII = Rules(".", "|", "-", "+++", "+++", "+++")


@dataclass(frozen=True)
class Pretty:
    """Without colours a mark follows each clue, and a legend explains the mark.

    `room` is the width of the terminal, None elsewhere.
    """

    colours: bool
    rules: Rules
    room: int | None

    @staticmethod
    def for_stream(stream: TextIO) -> Pretty:
        """Colours on a terminal, unless NO_COLOR is set; FORCE_COLOR asks for them elsewhere."""
        wanted = bool(os.environ.get("FORCE_COLOR")) or (stream.isatty() and os.environ.get("TERM") != "dumb")
        rules = UNICODE if _can_draw(stream) else ASCII
        return Pretty(wanted and not os.environ.get("NO_COLOR"), rules, terminal_width(stream))

    def __call__(self, entry: Entry, result: Result, objective: Objective | None = None) -> str:
        heading = printable(entry.name or str(entry.place))
        lines = [_styled(heading, BOLD) if self.colours else heading]
        lines += self._board(entry, result, objective)
        lines.append(_summary(result) + self._legend(entry))
        return "\n".join(lines) + "\n\n"

    def _board(self, entry: Entry, result: Result, objective: Objective | None) -> Iterator[str]:
        ruleset = entry.puzzle.ruleset
        n = ruleset.board.columns
        height, width = ruleset.box or (ruleset.board.rows, n)
        clues = entry.puzzle.clues.digits
        digits = result.grid.digits if result.grid else clues
        heat = _heat(objective.weights) if objective and self.colours else None
        names, margin = self._digits(ruleset, entry.layout.symbols)
        wide = len(names[0])
        shown = (self.rules.blank.rjust(wide), *names)
        cells = [
            self._cell(margin + shown[digit], bool(clue), heat[cell] if heat else None)
            for cell, (digit, clue) in enumerate(zip(digits, clues, strict=True))
        ]
        line = self.rules.line * (width * (len(margin) + wide + 1))
        for row in range(n):
            if row % height == 0:
                yield _joined(self.rules.middle if row else self.rules.top, [line] * height)
            boxes = ("".join(cells[start : start + width]) for start in range(row * n, (row + 1) * n, width))
            yield _joined(self.rules.bar * 3, boxes)
        yield _joined(self.rules.bottom, [line] * height)

    def _digits(self, ruleset: Ruleset, symbols: Alphabet) -> tuple[Sequence[str], str]:
        """How each digit is written, as in the input if it has `symbols`, and what stands before it in a cell.

        If that is too wide for the terminal: one symbol for each digit; if still too wide, without a space before it.
        """
        n = ruleset.order
        columns = ruleset.board.columns
        bars = columns // (ruleset.box[1] if ruleset.box else columns) + 1
        written = symbols or [str(digit) for digit in range(1, n + 1)]
        wide = max(map(len, written))
        looks: list[tuple[Sequence[str], str]] = [([name.rjust(wide) for name in written], " ")]
        if n <= MAX_SYMBOLS:
            looks += [(one_character(symbols, n), margin) for margin in (" ", "")]

        def fits(names: Sequence[str], margin: str) -> bool:
            width = columns * (len(margin) + len(names[0]) + 1) + bars
            return self.room is None or width <= self.room

        return next((look for look in looks if fits(*look)), looks[0])

    def _legend(self, entry: Entry) -> str:
        return "" if self.colours or not entry.puzzle.clues.filled_count else f"; {CLUE_MARK} marks a clue"

    def _cell(self, digit: str, clue: bool, paper: int | None) -> str:
        if not self.colours:
            return f"{digit}{CLUE_MARK if clue else ' '}"
        if paper is None:
            return _styled(f"{digit} ", BOLD if clue else FOUND)
        return _styled(f"{digit} ", f"{HEAT_CLUE if clue else HEAT_FOUND};48;5;{paper}")


def _joined(joints: str, parts: Iterable[str]) -> str:
    return joints[0] + joints[1].join(parts) + joints[2]


def _summary(result: Result) -> str:
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


def _duration(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms" if seconds < 0.1 else f"{seconds:.2f} s"


def _heat(weights: Sequence[int]) -> list[int]:
    """A colour of `HEAT` for each weight, the hottest for the largest."""
    low, high = min(weights), max(weights)
    span = max(1, high - low)
    steps = len(HEAT) - 1
    return [HEAT[(2 * steps * (weight - low) + span) // (2 * span)] for weight in weights]


def _styled(text: str, codes: str) -> str:
    return f"\x1b[{codes}m{text}\x1b[0m"


def _can_draw(stream: TextIO) -> bool:
    try:
        "·│─┌┬┐├┼┤└┴┘".encode(stream.encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
