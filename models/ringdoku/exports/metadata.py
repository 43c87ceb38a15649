"""The comments of an exported file, which turn a solver's answer into a grid. Every key starts a line, and its further
lines are indented; other keys are for people only. For classic sudoku:

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

For other rules the board and the rules, in our text form, replace the boxes; a long rule continues on lines that are
indented further:

    board: 6x6 (rows x columns), digits 0 to 5, extra cells A B
    rules:
      lines
      killer 7: r1c1 r1c2 A
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from itertools import islice
from textwrap import wrap

import numpy as np

from ringdoku.constraints.registry import read_constraint
from ringdoku.domain import Board, Constraint, Grid, Puzzle, Ruleset, classic, counted, write_constraint
from ringdoku.domain.errors import InputError, Place, RuleError, UsageError
from ringdoku.domain.objective import MAX_WEIGHT, Objective, Sense, gains_of, is_by_cell
from ringdoku.exports.base import ModelObjective, Request, less_blank, shown
from ringdoku.lowering.cnf import nothing_known
from ringdoku.sat.formula import Literals

WIDTH = 120
"""The longest line of a rule: programs limit the length of lines, even in comments."""

OF_DIGITS = "the weights of the digits, a row of them for each cell"
"""What the objective sums up where it has more than one weight a cell."""

_MARK = re.compile(r"(.*?)ringdoku model: ([a-z0-9-]+)")
_KEY = re.compile(r"([a-z][a-z ]*):(?: (.*))?")
_VALUES = {
    "boxes": (r"([0-9]{1,4})x([0-9]{1,4}) .*", "HEIGHTxWIDTH"),
    "board": (
        r"([0-9]{1,4})x([0-9]{1,4}) \(rows x columns\), "
        r"digits (-?[0-9]{1,4}) to (-?[0-9]{1,4})(?:, extra cells (.+))?",
        "ROWSxCOLUMNS (rows x columns), digits LEAST to GREATEST",
    ),
    "objective": (r"(maximise|minimise)( .*)?", "maximise or minimise"),
    "score": (r"(-?[0-9]{1,40}) \+ (-?[0-9]{1,40}) \* value(?:,.*)?", "CONSTANT + FACTOR * value"),
}
"""What stands behind a key: its pattern, and how messages describe it."""
_CELL = re.compile(r"([A-Za-z]\w*)((?: -?[0-9]{1,4}=-?[0-9]{1,10})+)", re.ASCII)
_NUMBER = re.compile(r"-?[0-9]{1,10}")


@dataclass(frozen=True)
class Metadata:
    """`literals[c, d − least]` is the literal of "cell c holds d", 0 if there is none; None if the variables have names
    or are numbers, which `rule` explains. `known` (cells,) has the digits that follow from the clues and that the model
    leaves out, and the board's blank for other cells.
    """

    format_name: str
    puzzle: Puzzle
    score: ModelObjective | None
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
            sense, weights = self.score.objective.sense.value, self.score.objective.weights
            by_cell = is_by_cell(weights, board)
            rows = board.in_rows(weights) if by_cell else gains_of(weights, board)[: board.grid_count]
            yield f"objective: {sense} the sum of {'weight * digit' if by_cell else OF_DIGITS}"
            yield "weights:"
            yield from (f"  {' '.join(map(str, row))}" for row in rows)
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


def metadata_of_numbers(request: Request, rule: str, extra: str) -> Metadata:
    """The comments of a model with a variable for every cell, which `rule` explains, and `extra` for a board with extra
    cells. No cell is left out as known."""
    puzzle = request.puzzle
    rule += extra if puzzle.board.extra else ""
    return Metadata(request.format_name, puzzle, request.goal, nothing_known(puzzle.board), rule=rule)


def _in_order(board: Board) -> Literals:
    """The literals (cells, digits) of the direct encoding without presolve."""
    return np.arange(1, board.cell_count * board.order + 1, dtype=np.int32).reshape(board.cell_count, board.order)


def _rule_of_order(board: Board) -> str:
    """The text that explains them, for boards without extra cells."""
    return (
        f"(row*{board.columns} + column)*{board.order} + digit{less_blank(board)} says that the cell holds digit; "
        f"row, column from 0, digit from {board.least}"
    )


def _rows(numbers: Sequence[int], board: Board) -> Iterator[str]:
    """The rows of the grid, then the extra cells, if there are any, on a line of their own."""
    words = ["." if number == board.blank else str(number) for number in numbers]
    beside = words[board.grid_count :]
    for row in (*board.in_rows(words), *([beside] if beside else [])):
        yield "  " + " ".join(row)


def read_metadata(model: bytes, name: str) -> Metadata:
    """What the comments of a file say. Raises `InputError` if they are missing or make no sense."""
    header = _Header(model, name)
    try:
        return header.metadata()
    except RuleError as error:
        raise header.error(f"{error.shown} ({error.problem})", error.expected) from None
    except UsageError as error:
        raise header.error(str(error), "a puzzle that can be") from None


class _Header:
    """The keys of a header, each with its line number, its own text and the lines under it. `line` is the one that was
    read last."""

    def __init__(self, model: bytes, name: str) -> None:
        self.name = name
        self.line = 0
        self.keys: dict[str, tuple[int, str, list[str]]] = {}
        # the file may have hundreds of megabytes, and only its beginning matters
        lines = enumerate((line.decode("ascii", "replace").rstrip() for line in BytesIO(model)), 1)
        # some formats have other lines before it
        marks = (_MARK.fullmatch(line) for _, line in islice(lines, 20))
        mark = next(filter(None, marks), None)
        if mark is None:
            raise self.error("no `ringdoku model:` in its first comments", "a file that `ringdoku export` wrote")
        prefix, self.format_name = mark.groups()
        under: list[str] = []
        for number, line in lines:
            text = line.removeprefix(prefix)
            key = _KEY.fullmatch(text)
            if not line.startswith(prefix) or not (key or text.startswith("  ")):
                break
            if key:
                under = []
                self.keys[key[1]] = number, key[2] or "", under
            else:
                under.append(text[2:])

    def error(self, found: str, expected: str) -> InputError:
        return InputError(Place(self.name, self.line), found, expected)

    def metadata(self) -> Metadata:
        if "board" in self.keys:
            *numbers, extra = self._values("board")
            rows, columns, least, greatest = map(int, numbers)
            board = Board(rows, columns, least, greatest, tuple(extra.split()))
            # checked before the rules, of which there may be many on a board that does not fit the clues
            clues = self._digits("clues", board)
            rules = list(self._rules(board))
            self._key("rules")
            puzzle = Puzzle(Ruleset(board, tuple(rules)), clues)
        else:
            height, width = map(int, self._values("boxes"))
            ruleset = classic(height * width, (height, width))
            puzzle = Puzzle(ruleset, self._digits("clues", ruleset.board))
        board = puzzle.board
        known = self._digits("known", board) if "known" in self.keys else Grid.blank(board)
        score = self._score(board) if "objective" in self.keys else None
        rule, under = self._key("variables")
        literals = _in_order(board) if rule == _rule_of_order(board) else None
        if rule.startswith("digit=literal"):
            literals = self._literals(under, board)
        return Metadata(self.format_name, puzzle, score, np.array(known.digits, np.int32), literals, rule)

    def _rules(self, board: Board) -> Iterator[Constraint]:
        _, under = self._key("rules")
        texts: dict[int, str] = {}
        for number, text in enumerate(under, self.line + 1):
            if text.startswith(" ") and texts:
                texts[max(texts)] += f" {text.strip()}"
            else:
                texts[number] = text
        for self.line, text in texts.items():
            yield read_constraint(text, board)

    def _score(self, board: Board) -> ModelObjective:
        sense, what = self._values("objective")
        sizes = [board.order] * board.grid_count if what.endswith(OF_DIGITS) else [board.columns] * board.rows
        weights = self._numbers("weights", sizes, range(-MAX_WEIGHT, MAX_WEIGHT + 1), 0)
        constant, factor = map(int, self._values("score"))
        return ModelObjective(Objective(tuple(weights), Sense(sense)), constant, factor)

    def _literals(self, under: Sequence[str], board: Board) -> Literals:
        literals = np.zeros((board.cell_count, board.order), dtype=np.int32)
        for text in under:
            self.line += 1
            found = _CELL.fullmatch(text.strip())
            cell = board.named(found[1]) if found else None
            if found is None or cell is None:
                raise self.error(shown(text.strip()), f"a cell of {board} and digit=literal")
            for pair in found[2].split():
                digit, literal = map(int, pair.split("="))
                if digit not in board.digits or not 0 < abs(literal) < 2**31:
                    raise self.error(pair, f"a digit {board.least}..{board.digits[-1]} and a literal")
                literals[cell, digit - board.least] = literal
        return literals

    def _digits(self, key: str, board: Board) -> Grid:
        sizes = [board.columns] * board.rows + [len(board.extra)] * bool(board.extra)
        return Grid(tuple(self._numbers(key, sizes, range(board.blank, board.digits[-1] + 1), board.blank)), board)

    def _numbers(self, key: str, sizes: Sequence[int], allowed: range, blank: int) -> list[int]:
        """Rows of so many numbers each, `.` being the blank."""
        _, under = self._key(key)
        if len(under) != len(sizes):
            raise self.error(f"{counted(len(under), 'row')} of {key}", f"{counted(len(sizes), 'row')} of {sizes[0]}")
        numbers = []
        for text, size in zip(under, sizes, strict=True):
            self.line += 1
            row = text.split()
            if len(row) != size:
                raise self.error(f"a row of {len(row)} {key}", f"a row of {size}")
            for word in row:
                value = blank if word == "." else int(word) if _NUMBER.fullmatch(word) else None
                if value is None or value not in allowed:
                    raise self.error(shown(word), f"a number from {allowed[0]} to {allowed[-1]}")
                numbers.append(value)
        return numbers

    def _key(self, key: str) -> tuple[str, list[str]]:
        """The text of a key, and the lines under it."""
        if key not in self.keys:
            self.line = 0
            raise self.error(f"no `{key}:` in its comments", "the comments that `ringdoku export` wrote, complete")
        self.line, text, under = self.keys[key]
        return text, under

    def _values(self, key: str) -> list[str]:
        """The parts of the text of a key."""
        text, _ = self._key(key)
        pattern, expected = _VALUES[key]
        if not (found := re.fullmatch(pattern, text)):
            raise self.error(shown(text), expected)
        return list(found.groups(""))
