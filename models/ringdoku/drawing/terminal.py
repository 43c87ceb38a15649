"""A puzzle drawn with characters: borders for regions, letters for cages, clues around the grid, and words for other
rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from string import ascii_letters
from typing import NamedTuple

from ringdoku.domain.board import Board
from ringdoku.domain.constraint import Constraint, Lines
from ringdoku.domain.grid import Grid
from ringdoku.domain.marks import Outline, Outside
from ringdoku.domain.objective import Objective
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.ruleset import Ruleset
from ringdoku.drawing.borders import Borders
from ringdoku.drawing.picture import Picture, extra_digits, in_words, outside

_UP, _RIGHT, _DOWN, _LEFT = 1, 2, 4, 8

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
class Characters:
    """The mark of a blank cell, and a joint for each set of its arms: 1 up, 2 right, 4 down, 8 left."""

    blank: str
    joints: str

    @property
    def bar(self) -> str:
        return self.joints[_UP | _DOWN]

    @property
    def line(self) -> str:
        return self.joints[_LEFT | _RIGHT]


UNICODE = Characters("·", " ╵╶└╷│┌├╴┘─┴┐┤┬┼")
ASCII = Characters(".", " |-+||++-+-+++++")


@dataclass(frozen=True)
class Frame:
    """The parts of a picture that characters can show, apart from the digits."""

    picture: Picture
    characters: Characters

    @cached_property
    def letters(self) -> list[str]:
        """The letter of the cage of each cell of the grid, a space for none; all are empty if there are no cages."""
        letters = [""] * self.picture.ruleset.board.grid_count
        for letter, _, mark in self._cages:
            for cell in mark.cells:
                letters[cell] = letter
        return [letter or " " for letter in letters] if self._cages else letters

    @cached_property
    def _cages(self) -> list[tuple[str, Constraint, Outline]]:
        """The cages with their letters, until no letters are left. A cell is in at most one of them."""
        cages: list[tuple[str, Constraint, Outline]] = []
        taken: set[int] = set()
        for constraint, marks in self.picture.drawn:
            match marks:
                case (Outline(cells, dashed=True) as mark,) if len(cages) < len(ascii_letters):
                    if taken.isdisjoint(cells):
                        cages.append((ascii_letters[len(cages)], constraint, mark))
                        taken.update(cells)
        return cages

    @cached_property
    def _clues(self) -> dict[tuple[int, int], str]:
        """The texts around the grid by row and column: those without arrows, if they are of one kind, are short, and
        each has a row or column of its own; else none."""
        board = self.picture.ruleset.board
        drawn = [(constraint, mark) for constraint, marks in self.picture.drawn for mark in marks]
        numbers = [(rule, mark) for rule, mark in drawn if isinstance(mark, Outside) and not mark.arrow]
        found = {outside(mark, board): mark.text for _, mark in numbers}
        beside = {
            place: text
            for place, text in found.items()
            if place and (0 <= place[0] < board.rows or 0 <= place[1] < board.columns) and len(text) <= 2
        }
        return beside if len(beside) == len(numbers) and len({type(rule) for rule, _ in numbers}) == 1 else {}

    @property
    def words(self) -> list[str]:
        """A line for each rule that borders, letters and clues do not show."""
        ruleset = self.picture.ruleset
        lines = [] if any(isinstance(rule, Lines) for rule in ruleset.constraints) else ["no lines"]
        cages: dict[str, list[str]] = {}
        shown: set[int] = set()
        for letter, constraint, mark in self._cages:
            cages.setdefault(constraint.text, []).append(f"{letter} {mark.text}".strip())
            shown.add(id(constraint))
        lines += [f"{name}: {', '.join(found)}" for name, found in cages.items()]
        for constraint, marks in self.picture.drawn:
            around = self._clues and any(isinstance(mark, Outside) and not mark.arrow for mark in marks)
            borders = any(isinstance(mark, Outline) and not mark.dashed for mark in marks)
            if around:
                lines.append(f"{constraint.text}: around the grid")
            elif not (borders or id(constraint) in shown or isinstance(constraint, Lines)):
                lines.append(in_words(constraint, ruleset.board))
        return list(dict.fromkeys(lines))

    @cached_property
    def _slots(self) -> tuple[list[bool], list[bool]]:
        """Whether there is a border anywhere above each row and left of each column, and at the ends."""
        board, borders = self.picture.ruleset.board, self._borders
        rows, columns = range(board.rows), range(board.columns)
        return (
            [any(borders.below(row - 1, column) for column in columns) for row in range(board.rows + 1)],
            [any(borders.right_of(row, column - 1) for row in rows) for column in range(board.columns + 1)],
        )

    @cached_property
    def _borders(self) -> Borders:
        return Borders(self.picture.ruleset.board, self.picture.regions)

    def width(self, wide: int) -> int:
        """The width of the drawing for a given width of cells."""
        left, right = self._around
        return left + self.picture.ruleset.board.columns * wide + sum(self._slots[1]) + right

    @cached_property
    def _around(self) -> tuple[int, int]:
        """The width of the clues left and right of the grid."""
        columns = self.picture.ruleset.board.columns
        left = [len(text) + 1 for (_, column), text in self._clues.items() if column < 0]
        right = [len(text) + 1 for (_, column), text in self._clues.items() if column >= columns]
        return max(left, default=0), max(right, default=0)

    def lines(self, cells: Sequence[Sequence[str]], wide: int) -> Iterator[str]:
        """The drawing with the given lines of text in the cells: equally many in each, all of the same width."""
        board, borders = self.picture.ruleset.board, self._borders
        left, _ = self._around
        between, before = self._slots
        yield from self._clue_line(-1, wide)
        for row in range(board.rows + 1):
            if between[row]:
                line = ""
                for column in range(board.columns + 1):
                    if before[column]:
                        arms = _UP * borders.right_of(row - 1, column - 1) | _DOWN * borders.right_of(row, column - 1)
                        arms |= _LEFT * borders.below(row - 1, column - 1) | _RIGHT * borders.below(row - 1, column)
                        line += self.characters.joints[arms]
                    if column < board.columns:
                        line += (self.characters.line if borders.below(row - 1, column) else " ") * wide
                yield " " * left + line
            if row < board.rows:
                inside = cells[row * board.columns : (row + 1) * board.columns]
                bars = [
                    self._bar(borders.right_of(row, place - 1)) if before[place] else "" for place in range(len(inside))
                ]
                for number, parts in enumerate(zip(*inside, strict=True)):
                    line = "".join(bar + part for bar, part in zip(bars, parts, strict=True))
                    is_middle = number == (len(inside[0]) - 1) // 2
                    clue = self._clues.get((row, board.columns), "") if is_middle else ""
                    ended = f"{line}{self._bar(True)} {clue}".rstrip(" ")
                    before_it = self._clues.get((row, -1), "") if is_middle else ""
                    yield f"{before_it:>{left - 1}} {ended}" if left else ended
        yield from self._clue_line(board.rows, wide)

    def _bar(self, drawn: bool) -> str:
        return self.characters.bar if drawn else " "

    def _clue_line(self, row: int, wide: int) -> Iterator[str]:
        """The clues above or below the grid, if there are any, over the digits of their columns."""
        columns = range(self.picture.ruleset.board.columns)
        texts = [self._clues.get((row, column), "") for column in columns]
        if any(texts):
            # a digit is followed by the mark of a clue and the letter of a cage
            after = 1 + len(self.letters[0])
            cells = (text.rjust(wide - after).ljust(wide) for text in texts)
            line = "".join(" " * self._slots[1][column] + cell for column, cell in zip(columns, cells, strict=True))
            yield (" " * self._around[0] + line).rstrip(" ")


@lru_cache(maxsize=16)
def frame_of(ruleset: Ruleset, characters: Characters) -> Frame:
    """The frame that puzzles of the same rules share."""
    return Frame(Picture(ruleset), characters)


class Names(NamedTuple):
    """How each digit is written, all equally wide, and what stands before it in a cell."""

    digits: Sequence[str]
    margin: str = " "


def numbers(board: Board) -> Names:
    """The digits as numbers."""
    wide = max(len(str(board.digits[0])), len(str(board.digits[-1])))
    return Names([str(digit).rjust(wide) for digit in board.digits])


def puzzle_lines(
    puzzle: Puzzle,
    grid: Grid,
    names: Sequence[Names],
    characters: Characters,
    colours: bool,
    objective: Objective | None = None,
    room: int | None = None,
) -> Iterator[str]:
    """A grid with its borders, without the words below.

    Of the `names` those are taken that are first to fit the `room`, the width of a terminal, or the first of all.
    Clues are bold in `colours`, else marked; with an objective the cells then have colours too.
    """
    board, clues = puzzle.board, puzzle.clues.digits
    frame = frame_of(puzzle.ruleset, characters)
    heat = _heat(objective.weights) if objective and colours else None

    def wide(look: Names) -> int:
        """A digit with what stands before it, the mark of a clue, and the letter of a cage."""
        return len(look.margin) + len(look.digits[0]) + 1 + len(frame.letters[0])

    look = next((look for look in names if room is None or frame.width(wide(look)) <= room), names[0])
    shown = (characters.blank.rjust(len(look.digits[0])), *look.digits)
    cells = []
    for cell, letter in enumerate(frame.letters):
        text, is_clue = look.margin + shown[grid.digits[cell] - board.blank], clues[cell] != board.blank
        if not colours:
            cells.append([f"{text}{CLUE_MARK if is_clue else ' '}{letter}"])
            continue
        paper = f";48;5;{heat[cell]}" if heat else ""
        ink = (HEAT_CLUE if is_clue else HEAT_FOUND) if heat else BOLD if is_clue else FOUND
        beside = styled(letter, f"{HEAT_FOUND}{paper}" if heat else FAINT) if letter else ""
        cells.append([styled(f"{text} ", f"{ink}{paper}") + beside])
    yield from frame.lines(cells, wide(look))


def boxed_lines(frame: Frame, texts: Sequence[str]) -> Iterator[str]:
    """The drawing with one text in each cell, in columns as wide as the longest."""
    wide = max(map(len, texts))
    cells = [[f" {text.ljust(wide)} {letter}"] for text, letter in zip(texts, frame.letters, strict=False)]
    yield from frame.lines(cells, wide + 2 + len(frame.letters[0]))


def words_below(puzzle: Puzzle, grid: Grid, characters: Characters) -> list[str]:
    """What the drawing does not show: rules, and the digits of extra cells."""
    extra = extra_digits(grid)
    return [*frame_of(puzzle.ruleset, characters).words, *([", ".join(extra)] if extra else [])]


def styled(text: str, codes: str) -> str:
    """The text between codes that switch a style of the terminal on and off."""
    return f"\x1b[{codes}m{text}\x1b[0m"


def _heat(weights: Sequence[int]) -> list[int]:
    """A colour of `HEAT` for each weight, the hottest for the largest."""
    low, high = min(weights), max(weights)
    span = max(1, high - low)
    steps = len(HEAT) - 1
    return [HEAT[(2 * steps * (weight - low) + span) // (2 * span)] for weight in weights]
