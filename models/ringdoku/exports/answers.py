"""Reads what solvers write, line by line; errors name the line. Literals of SAT, MaxSAT and pseudo-Boolean solvers:

- `s STATUS`, literals on one or several `v` lines, or one 0 or 1 for each variable, `o COST`, `c` comments (SAT
  competition output requirements; MaxSAT Evaluation; Pseudo-Boolean Competition, with literals `x1 -x2`);
- `SAT` or `UNSAT` and then literals, as MiniSat writes to its second file; `SATISFIABLE` alone, as it prints.

Other lines are skipped, since many programs print more than the formats allow.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from typing import BinaryIO

import numpy as np

from ringdoku.domain import Grid, InputError, Place, Status, counted
from ringdoku.exports.base import Metadata, shown
from ringdoku.limits import NEVER, PORTION, Deadline

WIDTH = 60
"""The most characters of a value, with blanks: `(digit_NAME (- 100))`, perhaps on an indented line."""

FOREIGN = "an answer to this model; is it truncated, or another's?"
"""What messages say was expected instead of an output that does not belong to the model."""
MOST_LINES = 1_000_000
"""The most lines of a program's output besides its answer."""
ENOUGH = "no more than an answer to this model needs"
"""What messages say was expected instead of a longer output."""

NUMBER = r"(-?[0-9]{1,30}(?:\.[0-9]{0,30})?(?:[eE][-+]?[0-9]{1,3})?)"
"""A number in decimal notation."""

STATUSES = {
    "SATISFIABLE": Status.SATISFIABLE,
    "SAT": Status.SATISFIABLE,
    "OPTIMUM FOUND": Status.OPTIMAL,
    "UNSATISFIABLE": Status.INFEASIBLE,
    "UNSAT": Status.INFEASIBLE,
    "UNKNOWN": Status.UNKNOWN,
    "INDETERMINATE": Status.UNKNOWN,
    "INDET": Status.UNKNOWN,
}
STATUS_NAMES = "SATISFIABLE, OPTIMUM FOUND, UNSATISFIABLE or UNKNOWN"
_LITERALS = re.compile(r"(?:[\s,\[\]]*[-~]?x?[0-9]{1,10}(?![^\s,\[\]]))*[\s,\[\]]*")
_LIST = re.compile(rf"(?=\[){_LITERALS.pattern}")
_MARKS = str.maketrans("~,[]", "-   ", "x")
"""Lists of literals as other programs write them."""
_COST = re.compile(r"o\s+(-?[0-9]{1,30})")
_ANSI_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True)
class Reading:
    """A solver's answer: status, grid, and value of the objective, None if it gave none."""

    status: Status
    grid: Grid | None = None
    value: int | None = None


class SolverOutput:
    """What a solver wrote, read once. `name` says in messages where it came from. A reader keeps the lines that it
    needs, within the room that so many `values` take."""

    def __init__(self, written: bytes | BinaryIO, name: str, values: int, deadline: Deadline = NEVER) -> None:
        self._stream = BytesIO(written) if isinstance(written, bytes) else written
        self._deadline = deadline
        self._room = PORTION + values * WIDTH
        self.name = name
        self.kept: list[tuple[int, str]] = []
        """The lines kept so far, with their numbers."""
        self._size = 0

    def lines(self) -> Iterator[tuple[int, str]]:
        """Each line that is not blank, stripped and without colours, with its number from 1. Raises `InputError` for a
        line that is too long, `TimeLimitError` at the deadline. Bytes outside ASCII, as in comments, become U+FFFD."""
        number = 0
        while line := self._stream.readline(self._room + 1):
            self._deadline.check()
            number += 1
            if number > MOST_LINES + self._room:
                raise self.error(number, f"more than {number - 1} lines", ENOUGH)
            if len(line) > self._room:
                raise self.error(number, f"a line of more than {self._room} bytes", ENOUGH)
            if stripped := _ANSI_COLOUR.sub("", line.removeprefix(b"\xef\xbb\xbf").decode("ascii", "replace")).strip():
                yield number, stripped

    def keep(self, number: int, text: str, anew: bool = False) -> None:
        """Keep a line, with `anew` instead of those before. Raises `InputError` if there is no room for it."""
        if anew:
            self.drop()
        self._size += len(text) + 1
        if self._size > self._room:
            raise self.error(number, f"values of more than {self._room} characters", ENOUGH)
        self.kept.append((number, text))

    def drop(self) -> None:
        """Forget the lines kept so far, as a better answer follows."""
        self.kept, self._size = [], 0

    @property
    def text(self) -> str:
        """The lines kept so far, as one text."""
        return "\n".join(line for _, line in self.kept)

    def error(self, line: int, found: str, expected: str) -> InputError:
        """The error for what is wrong with a line, or with the whole output where `line` is 0."""
        return InputError(Place(self.name, line), found, expected)


def exact_value(value: float) -> int | None:
    """A reported objective value as an integer; None for more digits than solvers print exactly, which are ten."""
    return round(value) if abs(value) <= 1e9 else None


@dataclass(frozen=True)
class LiteralAnswer:
    """`assignment` has the value of each variable that was listed; `cost` is the last one reported."""

    status: Status
    assignment: dict[int, bool] = field(default_factory=dict)
    cost: int | None = None


def read_literals(output: SolverOutput, num_vars: int, is_bare: bool = False) -> LiteralAnswer:
    """The answer for a formula over variables 1..num_vars. A list of Python needs no status, nor if `is_bare` do other
    literals. Raises `InputError` for an empty text, no status, an unknown status, two statuses that differ, junk among
    the values, more values than the variables need, a variable out of range, or one that is both true and false."""
    status, cost, has_new_cost, unexpected = None, None, False, ""
    for number, line in output.lines():
        head, _, rest = line.partition(" ")
        if head == "s":
            status = _status(output, number, rest.strip(), status)
        elif (_LITERALS if is_bare else _LIST).fullmatch(line):
            output.keep(number, line)
            status = status or Status.SATISFIABLE
        elif line in STATUSES and status is None:
            # as MiniSat writes it, with the literals below
            status = STATUSES[line]
            is_bare = status is Status.SATISFIABLE
        elif head == "o":
            cost, has_new_cost = _cost(output, number, line), True
        elif head == "v":
            # the values after a new cost are those of a better answer
            output.keep(number, rest, anew=has_new_cost)
            has_new_cost = False
        elif head not in ("c", "d"):
            unexpected = unexpected or f"{shown(line)} in line {number}"
    if status is None:
        unexpected = unexpected or ("values without a status" if output.kept else "nothing")
        raise output.error(0, unexpected, "the output of a solver, with a line such as `s SATISFIABLE`")
    return LiteralAnswer(status, _assignment(output, num_vars), cost)


def _status(output: SolverOutput, number: int, name: str, before: Status | None) -> Status:
    if name not in STATUSES:
        raise output.error(number, f"status {shown(name)}", STATUS_NAMES)
    if before not in (None, STATUSES[name]):
        raise output.error(number, f"status {shown(name)}", f"{before.value}, as an earlier line says")
    return STATUSES[name]


def _cost(output: SolverOutput, number: int, line: str) -> int:
    if not (reported := _COST.fullmatch(line)):
        raise output.error(number, shown(line), "o and an integer")
    return int(reported[1])


def _assignment(output: SolverOutput, num_vars: int) -> dict[int, bool]:
    bits = output.text.replace("\n", "").replace(" ", "")
    if len(bits) == num_vars and not bits.strip("01"):
        return {var: bit == "1" for var, bit in enumerate(bits, 1)}
    assignment: dict[int, bool] = {}
    for number, line in output.kept:
        if not _LITERALS.fullmatch(line):
            raise output.error(number, shown(line), "literals")
        for lit in filter(None, map(int, line.translate(_MARKS).split())):
            var = abs(lit)
            if var > num_vars:
                raise output.error(number, f"variable {var}", f"one of the formula's {num_vars}")
            if assignment.setdefault(var, lit > 0) is not (lit > 0):
                raise output.error(number, f"variable {var} both true and false", "one value")
    return assignment


def read_numbered(metadata: Metadata, output: SolverOutput, is_bare: bool = False) -> Reading:
    """The reading of an answer to a model whose variables have numbers. If `is_bare`, it may be a list of the true ones
    alone. Raises `InputError` when a cell has two digits, and otherwise when a candidate's variable is left out."""
    answer = read_literals(output, metadata.num_vars, is_bare)
    if not answer.assignment or metadata.literals is None:
        return Reading(answer.status, None, answer.cost)
    literals = metadata.literals

    def places() -> Iterator[tuple[int, int, int]]:
        for cell, column in np.argwhere(literals).tolist():
            literal = int(literals[cell, column])
            value = answer.assignment.get(abs(literal), False if is_bare else None)
            if value is None:
                raise output.error(0, f"an assignment without variable {abs(literal)}", FOREIGN)
            if value == (literal > 0):
                yield 0, cell, metadata.puzzle.board.least + column

    return Reading(answer.status, grid_of_places(metadata, places(), output), answer.cost)


def grid_of_places(metadata: Metadata, places: Iterable[tuple[int, int, int]], output: SolverOutput) -> Grid:
    """The grid of places (line, cell, digit). Raises `InputError` for an unknown digit, and for two in a cell."""
    board = metadata.puzzle.board
    digits = [board.blank] * board.cell_count
    for number, cell, digit in places:
        if digit not in board.digits:
            raise output.error(number, f"digit {digit}", f"{board.least}..{board.digits[-1]}")
        if digits[cell] != board.blank:
            raise output.error(number, f"{digits[cell]} and {digit} in {board.cell_name(cell)}", FOREIGN)
        digits[cell] = digit
    return Grid(tuple(digits), board)


def grid_of_numbers(metadata: Metadata, numbers: Sequence[int], output: SolverOutput) -> Grid:
    """The grid of digits in the order of the cells. Raises `InputError` for too many, too few, or unknown digits."""
    board = metadata.puzzle.board
    if len(numbers) != board.cell_count:
        expected = f"{board.cell_count}; the output is truncated, or another model's"
        raise output.error(0, counted(len(numbers), "digit"), expected)
    return grid_of_places(metadata, ((0, cell, number) for cell, number in enumerate(numbers)), output)
