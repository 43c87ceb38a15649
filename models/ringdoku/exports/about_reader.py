"""Read the comments of an exported file, which `about` describes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from itertools import islice

import numpy as np

from ringdoku.answers.text import shown
from ringdoku.constraints.registry import read_constraint
from ringdoku.domain.board import Board
from ringdoku.domain.constraint import Constraint
from ringdoku.domain.errors import InputError, Place, RuleError, UsageError
from ringdoku.domain.grid import Grid
from ringdoku.domain.numbers import counted
from ringdoku.domain.objective import MAX_WEIGHT, Objective, Sense
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.ruleset import Ruleset, classic
from ringdoku.exports.about import About, in_order, regular
from ringdoku.exports.goal import ScoreFormula
from ringdoku.sat.formula import Literals

_MARK = re.compile(r"(.*?)ringdoku model: ([a-z0-9]+)")
_KEY = re.compile(r"([a-z][a-z ]*):(?: (.*))?")
_SCORE = re.compile(r"(-?[0-9]{1,40}) \+ (-?[0-9]{1,40}) \* value(?:,.*)?")
_BOXES = re.compile(r"([0-9]{1,4})x([0-9]{1,4}) .*")
_BOARD = re.compile(
    r"([0-9]{1,4})x([0-9]{1,4}) \(rows x columns\), digits (-?[0-9]{1,4}) to (-?[0-9]{1,4})(?:, extra cells (.+))?"
)
_CELL = re.compile(r"(?:r([0-9]{1,4})c([0-9]{1,4})|([A-Za-z]\w*))((?: -?[0-9]{1,4}=-?[0-9]{1,10})+)", re.ASCII)
_NUMBER = re.compile(r"-?[0-9]{1,10}")
FIRST_LINES = 20
"""The first comment is within this many lines."""


def read_about(model: bytes, name: str) -> About:
    """What the comments of a file say. Raises `InputError` if they are missing or make no sense."""
    return _Reader(model, name).about()


class _Reader:
    """The keys of a header, each with its line number, its own text and the lines under it."""

    def __init__(self, model: bytes, name: str) -> None:
        self.name = name
        self.format_name = ""
        self.keys: dict[str, tuple[int, str, list[str]]] = {}
        # the file may have hundreds of megabytes, and only its beginning matters
        lines = enumerate((line.decode("ascii", "replace").rstrip() for line in BytesIO(model)), 1)
        for _, line in islice(lines, FIRST_LINES):
            if mark := _MARK.fullmatch(line):
                self.format_name = mark[2]
                self._read(lines, mark[1])
                return
        raise self._error(0, "no `ringdoku model:` in its first comments", "a file that `ringdoku export` wrote")

    def _read(self, lines: Iterable[tuple[int, str]], prefix: str) -> None:
        under: list[str] = []
        for number, line in lines:
            if not line.startswith(prefix):
                return
            text = line.removeprefix(prefix)
            if text.startswith("  "):
                under.append(text[2:])
            elif key := _KEY.fullmatch(text):
                under = []
                self.keys[key[1]] = number, key[2] or "", under
            else:
                return

    def about(self) -> About:
        puzzle = self._puzzle()
        known = self._digits("known", puzzle.board) if "known" in self.keys else Grid.blank(puzzle.board)
        rule, literals = self._variables(puzzle.board)
        return About(self.format_name, puzzle, self._score(puzzle), np.array(known.digits, np.int32), literals, rule)

    def _puzzle(self) -> Puzzle:
        if "board" not in self.keys:
            ruleset = self._classic()
            return Puzzle(ruleset, self._digits("clues", ruleset.board))
        board = self._board()
        # checked before the rules, of which there may be many on a board that does not fit the clues
        clues = self._digits("clues", board)
        line, _, _ = self._key("rules")
        constraints = tuple(self._constraints(board))
        try:
            return Puzzle(Ruleset(board, constraints), clues)
        except UsageError as error:
            raise self._error(line, str(error), "rules that go together") from None

    def _classic(self) -> Ruleset:
        line, text, _ = self._key("boxes")
        boxes = _BOXES.fullmatch(text)
        if not boxes:
            raise self._error(line, shown(text), "HEIGHTxWIDTH")
        try:
            return classic(int(boxes[1]) * int(boxes[2]), (int(boxes[1]), int(boxes[2])))
        except UsageError as error:
            raise self._error(line, str(error), "boxes that can be") from None

    def _board(self) -> Board:
        line, text, _ = self._key("board")
        found = _BOARD.fullmatch(text)
        if not found:
            raise self._error(line, shown(text), "ROWSxCOLUMNS (rows x columns), digits LEAST to GREATEST")
        rows, columns, least, greatest = map(int, found.groups()[:4])
        try:
            return Board(rows, columns, least, greatest, tuple((found[5] or "").split()))
        except UsageError as error:
            raise self._error(line, str(error), "a board that can be") from None

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

    def _score(self, puzzle: Puzzle) -> ScoreFormula | None:
        if "objective" not in self.keys:
            return None
        line, text, _ = self._key("objective")
        senses = [sense for sense in Sense if text.split(" ", 1)[0] == sense.value]
        if not senses:
            raise self._error(line, shown(text), "maximise or minimise")
        board = puzzle.board
        weights = self._numbers("weights", [board.columns] * board.rows, -MAX_WEIGHT, MAX_WEIGHT, 0)
        line, text, _ = self._key("score")
        found = _SCORE.fullmatch(text)
        if not found:
            raise self._error(line, shown(text), "CONSTANT + FACTOR * value")
        return ScoreFormula(Objective(tuple(weights), senses[0]), int(found[1]), int(found[2]))

    def _variables(self, board: Board) -> tuple[str, Literals | None]:
        line, rule, under = self._key("variables")
        if rule == regular(board):
            return rule, in_order(board)
        if not rule.startswith("digit=literal"):
            return rule, None
        literals = np.zeros((board.cell_count, board.order), dtype=np.int32)
        for number, text in enumerate(under, line + 1):
            found = _CELL.fullmatch(text.strip())
            cell = self._cell(found[1], found[2], found[3], board) if found else None
            if found is None or cell is None:
                raise self._error(number, shown(text.strip()), f"a cell of {board} and digit=literal")
            for pair in found[4].split():
                digit, literal = map(int, pair.split("="))
                if digit not in board.digits or not 0 < abs(literal) < 2**31:
                    raise self._error(number, pair, f"a digit {board.least}..{board.digits[-1]} and a literal")
                literals[cell, digit - board.least] = literal
        return rule, literals

    def _cell(self, row: str | None, column: str | None, name: str | None, board: Board) -> int | None:
        if row is not None and column is not None:
            return board.at(int(row) - 1, int(column) - 1)
        return board.named(name or "")

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

    def _error(self, line: int, found: str, expected: str) -> InputError:
        return InputError(Place(self.name, line), found, expected)
