"""Draws a puzzle in characters: borders for regions, letters for cages, clues around it, words for other rules."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from string import ascii_letters
from typing import NamedTuple

from ringdoku.domain import Constraint, Grid, Lines, Objective, Puzzle, Ruleset
from ringdoku.domain.marks import Cage, Outside
from ringdoku.drawing.picture import Picture, has_numbers, in_words, is_border

# Colours of the 256-colour palette. The colour of found digits can be read on black and on white; on the heat map both
# text and background are set, so that the terminal's own colours do not matter.
BOLD = "1"
FAINT = "2"
FOUND = "38;5;32"
HEAT_CLUE = "1;38;5;16"
HEAT_FOUND = "38;5;18"
HEAT = (230, 228, 221, 215, 209, 203)
CLUE_MARK = "'"
_UP, _RIGHT, _DOWN, _LEFT = 1, 2, 4, 8

Place = tuple[int, int]
"""Row and column; outside the grid, −1 or the number of rows or columns."""


class Characters(NamedTuple):
    """The mark of a blank cell, and the joint of lines for each bit mask of arms: 1 up, 2 right, 4 down, 8 left."""

    blank: str
    joints: str


UNICODE = Characters("·", " ╵╶└╷│┌├╴┘─┴┐┤┬┼")
ASCII = Characters(".", " |-+||++-+-+++++")


class Frame:
    """The drawing of a ruleset in characters, without digits. `letters` has the letter of its cage for each cell of the
    grid, a space for none; all are empty if there are no cages. `words` has a line for each rule that is not drawn."""

    def __init__(self, ruleset: Ruleset, characters: Characters) -> None:
        self._picture, self._board, self.characters = Picture(ruleset), ruleset.board, characters
        self._cages = self._cages_by_letter()
        letters = {cell: letter for letter, (_, mark) in self._cages.items() for cell in mark.cells}
        self.letters = [letters.get(cell, " " if letters else "") for cell in range(self._board.grid_count)]
        self._clues = self._clues_around()
        self._left = max((len(text) + 1 for (_, column), text in self._clues.items() if column < 0), default=0)
        # the numbers of the regions of each place in the grid
        self._regions = defaultdict[Place, list[int]](list)
        for number, region in enumerate(self._picture.regions):
            for cell in region:
                self._regions[divmod(cell, self._board.columns)].append(number)
        self.words = list(dict.fromkeys(self._rules_in_words()))

    def _cages_by_letter(self) -> dict[str, tuple[Constraint, Cage]]:
        """Disjoint cages by letter, as long as there are letters."""
        cages, taken = dict[str, tuple[Constraint, Cage]](), set[int]()
        for constraint, marks in self._picture.drawn:
            mark = marks[0] if len(marks) == 1 and len(cages) < len(ascii_letters) else None
            if isinstance(mark, Cage) and taken.isdisjoint(mark.cells):
                cages[ascii_letters[len(cages)]] = constraint, mark
                taken.update(mark.cells)
        return cages

    def _clues_around(self) -> dict[Place, str]:
        """The clues without arrows if they are of one kind and short, each beside a row or column; else none."""
        board, picture = self._board, self._picture
        kinds = {type(constraint) for constraint, marks in picture.drawn if has_numbers(marks)}
        count = sum(isinstance(mark, Outside) and not mark.arrow for mark in picture.marks)
        beside = {
            (clue.row, clue.column): clue.text
            for clue in picture.clues
            if clue.towards is None and (0 <= clue.row < board.rows or 0 <= clue.column < board.columns)
        }
        is_short = all(len(text) <= 2 for text in beside.values())
        return beside if len(beside) == count and len(kinds) == 1 and is_short else {}

    def _rules_in_words(self) -> Iterator[str]:
        if Lines() not in self._picture.ruleset.constraints:
            yield "no lines"
        cages: dict[str, list[str]] = {}
        for letter, (constraint, mark) in self._cages.items():
            cages.setdefault(constraint.text, []).append(f"{letter} {mark.text}".strip())
        yield from (f"{name}: {', '.join(found)}" for name, found in cages.items())
        shown = {id(constraint) for constraint, _ in self._cages.values()}
        for constraint, marks in self._picture.drawn:
            if self._clues and has_numbers(marks):
                yield f"{constraint.text}: around the grid"
            elif id(constraint) not in shown and not is_border(constraint, marks):
                yield in_words(constraint, self._board)

    def _has_border(self, one: Place, other: Place) -> bool:
        """Whether there is a border between two places; those outside the grid are one region."""
        return self._regions.get(one) != self._regions.get(other)

    def lines(self, cells: Sequence[str], width: int) -> Iterator[str]:
        """The drawing with these texts in the cells, all `width` characters wide."""
        board, joints, texts = self._board, self.characters.joints, iter(cells)
        # a digit is followed by the mark of a clue and the letter of a cage
        after = 1 + len(self.letters[0])
        # lines: the clue to the left, and joints and cells in turn; walls: the columns of joints that have a wall
        lines, walls = list[tuple[str, list[str]]](), set[int]()
        for row in range(-1, board.rows + 1):
            border, line, has_edge = list[str](), list[str](), False
            for column in range(board.columns + 1):
                here, left, above, beyond = (row, column), (row, column - 1), (row - 1, column), (row - 1, column - 1)
                wall, edge = self._has_border(left, here), self._has_border(above, here)
                arms = _UP * self._has_border(beyond, above) | _LEFT * self._has_border(beyond, left)
                border += joints[arms | _DOWN * wall | _RIGHT * edge], joints[(_LEFT | _RIGHT) * edge] * width
                clue = self._clues.get(here, "").rjust(width - after).ljust(width)
                line += joints[(_UP | _DOWN) * wall], next(texts) if here in self._regions else clue
                walls |= {column} if wall else set()
                has_edge |= edge
            # the clue to the right of the row
            line[-1] = f" {self._clues.get((row, board.columns), '')}"
            lines += [("", border[:-1])] * has_edge + [(self._clues.get((row, -1), ""), line)]
        for first, line in lines:
            parts = (part for place, part in enumerate(line) if place % 2 or place // 2 in walls)
            whole = (f"{first:>{self._left - 1}} " if self._left else "") + "".join(parts)
            if whole.strip(" "):
                yield whole.rstrip(" ")


def puzzle_lines(
    frame: Frame, puzzle: Puzzle, grid: Grid, symbols: Sequence[str], colours: bool, objective: Objective | None = None
) -> Iterator[str]:
    """A grid with its borders, without the words below. `symbols` has the text of each digit of the board, ascending;
    if empty, they are numbers. With `colours` clues are bold and weights coloured; without, clues are marked."""
    board, clues = puzzle.board, puzzle.clues.digits
    heat = _heat_colours(objective.of_cells(board)) if objective and colours else None
    names = (frame.characters.blank, *(symbols or map(str, board.digits)))
    width = max(map(len, names))
    cells = []
    for cell, letter in enumerate(frame.letters):
        text, is_clue = f" {names[grid.digits[cell] - board.blank]:>{width}}", clues[cell] != board.blank
        if not colours:
            cells.append(f"{text}{CLUE_MARK if is_clue else ' '}{letter}")
            continue
        paper = f";48;5;{heat[cell]}" if heat else ""
        ink = (HEAT_CLUE if is_clue else HEAT_FOUND) if heat else BOLD if is_clue else FOUND
        lettered = styled(letter, f"{HEAT_FOUND}{paper}" if heat else FAINT) if letter else ""
        cells.append(styled(f"{text} ", f"{ink}{paper}") + lettered)
    # a space, the digit, the mark of a clue, and the letter of a cage
    yield from frame.lines(cells, 1 + width + 1 + len(frame.letters[0]))


def boxed_lines(frame: Frame, texts: Sequence[str]) -> Iterator[str]:
    """A drawing with one text in each cell, in columns as wide as the longest."""
    width = max(map(len, texts))
    cells = [f" {text.ljust(width)} {letter}" for text, letter in zip(texts, frame.letters, strict=False)]
    yield from frame.lines(cells, width + 2 + len(frame.letters[0]))


def styled(text: str, codes: str) -> str:
    """The text between codes that switch a style of the terminal on and off."""
    return f"\x1b[{codes}m{text}\x1b[0m"


def _heat_colours(weights: Sequence[int]) -> list[int]:
    """A colour of `HEAT` for each weight, the hottest for the largest."""
    low, high, steps = min(weights), max(weights), len(HEAT) - 1
    span = max(1, high - low)
    return [HEAT[(2 * steps * (weight - low) + span) // (2 * span)] for weight in weights]
