"""The comments of an exported file: the puzzle, the objective, and the meaning of the variables.

They are enough to turn a solver's answer into a grid. For classic sudoku:

    ringdoku model: cnf
    boxes: 3x3 (height x width)
    clues:
      . . 3 …
    objective: maximise the sum of weight * digit
    weights:
      6 6 6 …
    score: 2745 + 1 * value, value: what is optimised
    known:
      1 . 3 …
    variables: digit=literal for each cell that is not known
      r1c2 4=1 5=2 …

Every key starts a line, and its further lines are indented. Other keys are for people only. For other rules the board
and the rules, in our text form, replace the boxes; a long rule continues on lines that are indented further:

    board: 6x6 (rows x columns), digits 0 to 5, extra cells A B
    rules:
      lines
      killer 7: r1c1 r1c2 A
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from itertools import islice
from textwrap import wrap
from typing import TypeVar

import numpy as np

from ringdoku.constraints.registry import read_constraint
from ringdoku.domain.board import Board
from ringdoku.domain.constraint import Constraint, write_constraint
from ringdoku.domain.errors import InputError, Place, RuleError, UsageError
from ringdoku.domain.grid import Grid
from ringdoku.domain.numbers import counted
from ringdoku.domain.objective import MAX_WEIGHT, Objective, Sense
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.ruleset import Ruleset, classic
from ringdoku.exports.base import ScoreFormula
from ringdoku.exports.output import shown
from ringdoku.sat.formula import Literals

WIDTH = 120
"""The longest line of a rule: programs limit the length of lines, even in comments."""
FIRST_LINES = 20
"""The first comment is within this many lines."""

_MARK = re.compile(r"(.*?)ringdoku model: ([a-z0-9]+)")
_KEY = re.compile(r"([a-z][a-z ]*):(?: (.*))?")
_SCORE = re.compile(r"(-?[0-9]{1,40}) \+ (-?[0-9]{1,40}) \* value(?:,.*)?")
_BOXES = re.compile(r"([0-9]{1,4})x([0-9]{1,4}) .*")
_BOARD = re.compile(
    r"([0-9]{1,4})x([0-9]{1,4}) \(rows x columns\), digits (-?[0-9]{1,4}) to (-?[0-9]{1,4})(?:, extra cells (.+))?"
)
_CELL = re.compile(r"([A-Za-z]\w*)((?: -?[0-9]{1,4}=-?[0-9]{1,10})+)", re.ASCII)
_NUMBER = re.compile(r"-?[0-9]{1,10}")

Made = TypeVar("Made")


@dataclass(frozen=True)
class Metadata:
    """`literals[c, d − least]` is the literal of "cell c holds d", 0 if there is none; None if the variables have names
    or are numbers, which `rule` explains. `known` (cells,) has the digits that follow from the clues and that the model
    leaves out, and the board's blank for other cells.
    """

    format_name: str
    puzzle: Puzzle
    score: ScoreFormula | None
    known: Literals
    literals: Literals | None = None
    rule: str = ""
    notes: Mapping[str, str] = field(default_factory=dict)

    def lines(self) -> Iterator[str]:
        """The text of the comments, without comment marks."""
        puzzle, board = self.puzzle, self.puzzle.board
        yield f"ringdoku model: {self.format_name}"
        if puzzle.ruleset.classic_box:
            height, width = puzzle.ruleset.classic_box
            yield f"boxes: {height}x{width} (height x width)"
        else:
            extra = f", extra cells {' '.join(board.extra)}" if board.extra else ""
            digits = f"digits {board.least} to {board.digits[-1]}"
            yield f"board: {board.rows}x{board.columns} (rows x columns), {digits}{extra}"
            yield "rules:"
            for constraint in puzzle.ruleset.constraints:
                text = write_constraint(constraint, board)
                lines = wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)
                yield from (f"  {'  ' * (number > 0)}{line}" for number, line in enumerate(lines))
        yield "clues:"
        yield from _rows(puzzle.clues.digits, board)
        for key, text in self.notes.items():
            yield f"{key}: {text}"
        if self.score is not None:
            yield f"objective: {self.score.objective.sense.value} the sum of weight * digit"
            yield "weights:"
            yield from _rows(self.score.objective.weights, board, blanks=False)
            yield f"score: {self.score.constant} + {self.score.factor} * value, value: what is optimised"
        if (self.known != board.blank).any():
            yield "known:"
            yield from _rows(self.known.tolist(), board)
        if self.literals is None:
            yield f"variables: {self.rule}"
        elif not board.extra and np.array_equal(self.literals, _in_order(board)):
            yield f"variables: {_rule_of_order(board)}"
        else:
            yield "variables: digit=literal for each cell that is not known"
            for cell, row in enumerate(self.literals.tolist()):
                if any(row):
                    meant = " ".join(f"{digit}={literal}" for digit, literal in enumerate(row, board.least) if literal)
                    yield f"  {board.cell_name(cell)} {meant}"


def _in_order(board: Board) -> Literals:
    """The literals (cells, digits) of the direct encoding without presolve."""
    return np.arange(1, board.cell_count * board.order + 1, dtype=np.int32).reshape(board.cell_count, board.order)


def _rule_of_order(board: Board) -> str:
    """The text that explains them, for boards without extra cells."""
    shift = "" if not board.blank else f" - {board.blank}" if board.blank > 0 else f" + {-board.blank}"
    return (
        f"(row*{board.columns} + column)*{board.order} + digit{shift} says that the cell holds digit; "
        f"row, column from 0, digit from {board.least}"
    )


def _rows(numbers: Sequence[int], board: Board, blanks: bool = True) -> Iterator[str]:
    """The rows of the grid, then the extra cells, if there are any, on a line of their own."""
    words = ["." if blanks and number == board.blank else str(number) for number in numbers]
    starts = range(0, board.grid_count, board.columns)
    yield from ("  " + " ".join(words[start : start + board.columns]) for start in starts)
    if words[board.grid_count :]:
        yield "  " + " ".join(words[board.grid_count :])


def read_metadata(model: bytes, name: str) -> Metadata:
    """What the comments of a file say. Raises `InputError` if they are missing or make no sense."""
    return _Reader(model, name).metadata()


class _Reader:
    """The keys of a header, each with its line number, its own text and the lines under it."""

    def __init__(self, model: bytes, name: str) -> None:
        self.name = name
        self.keys: dict[str, tuple[int, str, list[str]]] = {}
        # the file may have hundreds of megabytes, and only its beginning matters
        lines = enumerate((line.decode("ascii", "replace").rstrip() for line in BytesIO(model)), 1)
        marks = (_MARK.fullmatch(line) for _, line in islice(lines, FIRST_LINES))
        mark = next(filter(None, marks), None)
        if mark is None:
            raise self._error(0, "no `ringdoku model:` in its first comments", "a file that `ringdoku export` wrote")
        self.format_name = mark[2]
        self._read(lines, mark[1])

    def _read(self, lines: Iterable[tuple[int, str]], prefix: str) -> None:
        under: list[str] = []
        for number, line in lines:
            text = line.removeprefix(prefix)
            if not line.startswith(prefix):
                return
            if text.startswith("  "):
                under.append(text[2:])
            elif key := _KEY.fullmatch(text):
                under = []
                self.keys[key[1]] = number, key[2] or "", under
            else:
                return

    def metadata(self) -> Metadata:
        puzzle = self._puzzle()
        board = puzzle.board
        known = self._digits("known", board) if "known" in self.keys else Grid.blank(board)
        rule, literals = self._variables(board)
        score = self._score(board) if "objective" in self.keys else None
        return Metadata(self.format_name, puzzle, score, np.array(known.digits, np.int32), literals, rule)

    def _puzzle(self) -> Puzzle:
        if "board" not in self.keys:
            line, found = self._match("boxes", _BOXES, "HEIGHTxWIDTH")
            height, width = int(found[1]), int(found[2])
            ruleset = self._made(line, "boxes that can be", lambda: classic(height * width, (height, width)))
            return Puzzle(ruleset, self._digits("clues", ruleset.board))
        line, found = self._match("board", _BOARD, "ROWSxCOLUMNS (rows x columns), digits LEAST to GREATEST")
        rows, columns, least, greatest = map(int, found.groups()[:4])
        extra = tuple((found[5] or "").split())
        board = self._made(line, "a board that can be", lambda: Board(rows, columns, least, greatest, extra))
        # checked before the rules, of which there may be many on a board that does not fit the clues
        clues = self._digits("clues", board)
        line, _, _ = self._key("rules")
        constraints = tuple(self._constraints(board))
        return self._made(line, "rules that go together", lambda: Puzzle(Ruleset(board, constraints), clues))

    def _constraints(self, board: Board) -> Iterator[Constraint]:
        line, _, under = self._key("rules")
        texts: list[tuple[int, str]] = []
        for number, text in enumerate(under, line + 1):
            if text.startswith(" ") and texts:
                first, start = texts.pop()
                texts.append((first, f"{start} {text.strip()}"))
            else:
                texts.append((number, text))
        for number, text in texts:
            try:
                yield read_constraint(text, board)
            except RuleError as error:
                raise self._error(number, f"{error.shown} ({error.problem})", error.expected) from None

    def _score(self, board: Board) -> ScoreFormula:
        line, text, _ = self._key("objective")
        senses = [sense for sense in Sense if text.split(" ", 1)[0] == sense.value]
        if not senses:
            raise self._error(line, shown(text), "maximise or minimise")
        weights = self._numbers("weights", [board.columns] * board.rows, -MAX_WEIGHT, MAX_WEIGHT, 0)
        _, found = self._match("score", _SCORE, "CONSTANT + FACTOR * value")
        return ScoreFormula(Objective(tuple(weights), senses[0]), int(found[1]), int(found[2]))

    def _variables(self, board: Board) -> tuple[str, Literals | None]:
        line, rule, under = self._key("variables")
        if rule == _rule_of_order(board):
            return rule, _in_order(board)
        if not rule.startswith("digit=literal"):
            return rule, None
        literals = np.zeros((board.cell_count, board.order), dtype=np.int32)
        for number, text in enumerate(under, line + 1):
            found = _CELL.fullmatch(text.strip())
            cell = board.named(found[1]) if found else None
            if found is None or cell is None:
                raise self._error(number, shown(text.strip()), f"a cell of {board} and digit=literal")
            for pair in found[2].split():
                digit, literal = map(int, pair.split("="))
                if digit not in board.digits or not 0 < abs(literal) < 2**31:
                    raise self._error(number, pair, f"a digit {board.least}..{board.digits[-1]} and a literal")
                literals[cell, digit - board.least] = literal
        return rule, literals

    def _digits(self, key: str, board: Board) -> Grid:
        rows = [board.columns] * board.rows + [len(board.extra)] * bool(board.extra)
        return Grid(tuple(self._numbers(key, rows, board.blank, board.digits[-1], board.blank)), board)

    def _numbers(self, key: str, sizes: Sequence[int], least: int, most: int, blank: int) -> list[int]:
        """Rows of so many numbers each, `.` being the blank."""
        line, _, under = self._key(key)
        rows = [text.split() for text in under]
        if len(rows) != len(sizes):
            found = f"{counted(len(rows), 'row')} of {key}"
            raise self._error(line, found, f"{counted(len(sizes), 'row')} of {sizes[0]}")
        for number, (row, size) in enumerate(zip(rows, sizes, strict=True), line + 1):
            if len(row) != size:
                raise self._error(number, f"a row of {len(row)} {key}", f"a row of {size}")
        numbers = []
        for number, row in enumerate(rows, line + 1):
            for word in row:
                value = blank if word == "." else int(word) if _NUMBER.fullmatch(word) else None
                if value is None or not least <= value <= most:
                    raise self._error(number, shown(word), f"a number from {least} to {most}")
                numbers.append(value)
        return numbers

    def _key(self, key: str) -> tuple[int, str, list[str]]:
        if key not in self.keys:
            raise self._error(0, f"no `{key}:` in its comments", "the comments that `ringdoku export` wrote, complete")
        return self.keys[key]

    def _match(self, key: str, pattern: re.Pattern[str], expected: str) -> tuple[int, re.Match[str]]:
        """The line of a key, and its text as a pattern has it."""
        line, text, _ = self._key(key)
        if not (found := pattern.fullmatch(text)):
            raise self._error(line, shown(text), expected)
        return line, found

    def _made(self, line: int, expected: str, make: Callable[[], Made]) -> Made:
        try:
            return make()
        except UsageError as error:
            raise self._error(line, str(error), expected) from None

    def _error(self, line: int, found: str, expected: str) -> InputError:
        return InputError(Place(self.name, line), found, expected)
