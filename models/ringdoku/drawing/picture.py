"""What a picture of a ruleset shows, in SVG and in text alike: marks, clues outside the grid, and rules in words."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise, repeat
from math import inf
from typing import NamedTuple

from ringdoku.domain import Board, Boxes, Constraint, Grid, Lines, Ruleset, counted, shortened, write_constraint
from ringdoku.domain.board import PLACE
from ringdoku.domain.marks import Border, Cage, Mark, Note, Outside, Shade


class Clue(NamedTuple):
    """A text outside the grid; row −1 is above the first row. `level` is its distance from the grid in places, from 0.
    `towards` is the (row, column) that an arrow points at, None for no arrow."""

    row: int
    column: int
    level: int
    text: str
    towards: tuple[int, int] | None


class Picture:
    """What the rules of a ruleset draw.

    - `drawn`: each constraint with its marks; with none if one of them has an extra cell, since these are not drawn.
    - `marks`: all marks, in the order of the rules; `cages`: the cages among them.
    - `regions`: the sets of cells with a thick border, boxes and regions. If they leave cells out, the whole grid too.
    - `clues`: the texts outside the grid. Those at one place are ordered away from the grid.
    - `notes`: small texts in cells, also of outside clues whose line does not start at the border.
    - `depths`: the largest number of clues one behind the other: to the left, above, to the right, and below.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset, board = ruleset, ruleset.board
        self.drawn = [(constraint, _drawable_marks(constraint, board)) for constraint in ruleset.constraints]
        self.marks = [mark for _, marks in self.drawn for mark in marks]
        self.cages = [mark for mark in self.marks if isinstance(mark, Cage)]
        self.regions = [mark.cells for mark in self.marks if isinstance(mark, Border)]
        if len({cell for region in self.regions for cell in region}) < board.grid_count:
            self.regions.append(tuple(range(board.grid_count)))
        self.clues, self.depths, levels = list[Clue](), [0] * 4, Counter[tuple[int, int]]()
        self.notes = [mark for mark in self.marks if isinstance(mark, Note)]
        for mark in (mark for mark in self.marks if isinstance(mark, Outside)):
            if (place := _clue_place(mark, board)) is None:
                self.notes.append(Note(mark.cells[:1], mark.text))
                continue
            row, column = place
            towards = divmod(mark.cells[0], board.columns) if mark.arrow else None
            self.clues.append(Clue(row, column, levels[place], mark.text, towards))
            levels[place] += 1
            sides = (column < 0, row < 0, column >= board.columns, row >= board.rows)
            self.depths = [max(deep, levels[place] * there) for deep, there in zip(self.depths, sides, strict=True)]

    def basics(self, symbols: Sequence[str]) -> str:
        """A sentence: which digits there are, and where none stands twice, as in rows, columns and bordered regions."""
        digits, kinds = symbols or self.ruleset.board.digits, {Lines: ("a row", "a column"), Boxes: ("a box",)}
        borders = [type(constraint) for constraint, marks in self.drawn if is_border(constraint, marks)]
        *places, last = dict.fromkeys(place for kind in borders for place in kinds.get(kind, ("a region",))) or [""]
        twice = f", none twice in {', '.join(places)}{' or ' if places else ''}{last}" if last else ""
        return f"Digits {digits[0]} to {digits[-1]}{twice}."

    @property
    def digits(self) -> list[str]:
        """The digits in words, if they are others than from 1 to the length of the longer side."""
        board = self.ruleset.board
        is_usual = (board.least, board.greatest) == (1, max(board.rows, board.columns))
        return [] if is_usual else [f"digits {board.least}-{board.greatest}"]

    def words(self) -> dict[str, Constraint | None]:
        """The rules in words, with their constraints: in full if the marks do not show everything, else the names."""
        rules: dict[str, Constraint | None] = {}
        if Lines() not in self.ruleset.constraints:
            rules["no lines"] = None
        # numbers outside the grid look alike, whatever the constraint's type, and marks of one type whatever the number
        numbered_types = {type(constraint) for constraint, marks in self.drawn if has_numbers(marks)}
        caged = Counter(type(rule) for rule, marks in self.drawn if any(isinstance(mark, Cage) for mark in marks))
        # cages too, so that those of the most frequent type alone need no words
        alike = {kind for kind, _ in caged.most_common()[1:]} | (numbered_types if len(numbered_types) > 1 else set())
        texts = list(map(in_words, self.ruleset.constraints, repeat(self.ruleset.board)))
        heads = {text.partition(":")[0]: type(rule) for text, (rule, _) in zip(texts, self.drawn, strict=True)}
        head_counts, tangled = Counter(heads.values()), self.ruleset.board.tangled(cage.cells for cage in self.cages)
        for text, (constraint, marks) in zip(texts, self.drawn, strict=True):
            if is_border(constraint, marks):
                continue
            # a picture does not show which cells a shade has, or a cage that is in parts or crosses others
            shows_cells = not all(isinstance(mark, Shade) or mark.cells in tangled for mark in marks)
            if shows_cells and type(constraint) not in alike:
                has_text = any(getattr(mark, "text", "") for mark in marks)
                head = constraint.text if has_text else text.partition(":")[0]
                text = head if has_text or head_counts[type(constraint)] == 1 else text
            rules.setdefault(text, constraint)
        return rules

    @property
    def sentences(self) -> list[str]:
        """The rules of `words` as sentences that say what each kind demands: after a bare name, or once in brackets."""
        sentences, explained = list[str](), set[type[Constraint]]()
        for words, constraint in self.words().items():
            text = words
            if constraint and ":" not in words:
                text = f"{words.replace('-', ' ')}: {constraint.summary}."
            elif constraint and type(constraint) not in explained:
                text = f"{words} ({constraint.summary})"
                explained.add(type(constraint))
            sentences.append(text[:1].upper() + text[1:])
        return sentences


def _drawable_marks(constraint: Constraint, board: Board) -> tuple[Mark, ...]:
    marks = tuple(constraint.marks(board))
    return () if any(cell >= board.grid_count for mark in marks for cell in mark.cells) else marks


def has_numbers(marks: Iterable[Mark]) -> bool:
    """Whether any mark is a number outside the grid without an arrow."""
    return any(isinstance(mark, Outside) and not mark.arrow for mark in marks)


def is_border(constraint: Constraint, marks: Iterable[Mark]) -> bool:
    """Whether the borders of the picture show the constraint completely."""
    return isinstance(constraint, Lines) or any(isinstance(mark, Border) for mark in marks)


def _clue_place(mark: Outside, board: Board) -> tuple[int, int] | None:
    """The (row, column) of a clue: next to its first cell, on the side away from the second, or for a single cell
    towards the nearest border; None if that is in the grid."""
    row, column = divmod(mark.cells[0], board.columns)
    if len(mark.cells) > 1:
        other_row, other_column = divmod(mark.cells[1], board.columns)
        down = (other_row > row) - (other_row < row)
        right = (other_column > column) - (other_column < column)
    else:
        distances = {(1, 0): row, (-1, 0): board.rows - 1 - row, (0, 1): column, (0, -1): board.columns - 1 - column}
        down, right = min(distances, key=lambda direction: distances[direction])
    place = row - down, column - right
    return None if board.at(*place) is not None else place


def in_words(constraint: Constraint, board: Board) -> str:
    """A constraint in our text form, with runs of cells abbreviated, and cut off if very long."""
    return shortened(with_runs(write_constraint(constraint, board)), 200)


def extra_digits(grid: Grid) -> list[str]:
    """Texts for the digits of the extra cells that have one; the number of extra cells if there are many."""
    board = grid.board
    if len(board.extra) > 20:
        return [f"{counted(len(board.extra), 'extra cell')}; JSON output has the digits"]
    return [f"{name} = {digit}" for name, digit in board.beside(grid.digits).items() if digit != board.blank]


def with_runs(text: str) -> str:
    """A line of our text form with straight runs of cells abbreviated: `r1c1-r1c4` for `r1c1 r1c2 r1c3 r1c4`."""
    words, short, start = text.split(" "), list[str](), 0
    places = [complex(*map(int, found.groups())) if (found := PLACE.fullmatch(word)) else inf for word in words]
    # from each place to the next, 0 if they are not neighbours
    steps = [step if abs(step := other - one) < 2 else 0 for one, other in pairwise(places)]
    while start < len(words):
        end = start + 1
        while end < len(words) and steps[end - 1] and steps[end - 1] == steps[start]:
            end += 1
        short += [f"{words[start]}-{words[end - 1]}"] if end - start > 2 else words[start:end]
        start = end
    return " ".join(short)
