"""What solvers write, read line by line; errors name the line. Literals of SAT, MaxSAT and pseudo-Boolean solvers:

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
"""A value takes at most so many characters, blanks included: `(digit_NAME (- 100))`, perhaps on an indented line."""

FOREIGN = "an answer to this model; is it truncated, or another's?"
MOST_LINES = 1_000_000
"""Of a program's output besides its answer."""
ENOUGH = "no more than an answer to this model needs"
"""What messages say was expected if an output does not belong to the model, or is too long."""

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
    needs, at most as much as `values` values take."""

    def __init__(self, written: bytes | BinaryIO, name: str, values: int, deadline: Deadline = NEVER) -> None:
        self._stream = BytesIO(written) if isinstance(written, bytes) else written
        self._deadline = deadline
        self._room = PORTION + values * WIDTH
        self.name = name
        self.kept: list[tuple[int, str]] = []
        """Lines with their numbers."""
        self._size = 0

    def lines(self) -> Iterator[tuple[int, str]]:
        """Each line that is not blank, stripped and without colours, with its number from 1. Raises `InputError` for a
        line that is too long, `TimeLimitError` at the deadline. Bytes outside ASCII become U+FFFD: solvers print them
        only in comments."""
        number = 0
        while line := self._stream.readline(self._room + 1):
            self._deadline.check()
            number += 1
            if number > MOST_LINES + self._room:
                raise self.error(number, f"more than {number - 1} lines", ENOUGH)
            if len(line) > self._room:
                raise self.error(number, f"a line of more than {self._room} bytes", ENOUGH)
            text = line.removeprefix(b"\xef\xbb\xbf").decode("ascii", "replace")
            if stripped := _ANSI_COLOUR.sub("", text).strip():
                yield number, stripped

    def keep(self, number: int, text: str, anew: bool = False) -> None:
        """`anew`: nothing before counts. Raises `InputError` when that is more than there is room for."""
        if anew:
            self.drop()
        self._size += len(text) + 1
        if self._size > self._room:
            raise self.error(number, f"values of more than {self._room} characters", ENOUGH)
        self.kept.append((number, text))

    def drop(self) -> None:
        """Keep nothing so far, as a better answer follows."""
        self.kept, self._size = [], 0

    @property
    def text(self) -> str:
        """The lines that are kept."""
        return "\n".join(line for _, line in self.kept)

    def error(self, line: int, found: str, expected: str) -> InputError:
        """What is wrong with a line, or with the whole where `line` is 0."""
        return InputError(Place(self.name, line), found, expected)


def comparable(value: float) -> int | None:
    """A reported value of the objective as a whole number, None if that is not exact: solvers print ten digits."""
    return round(value) if abs(value) <= 1e9 else None


@dataclass(frozen=True)
class LiteralAnswer:
    """`assignment` has the value of each variable that was listed; `cost` is the last one reported."""

    status: Status
    assignment: dict[int, bool] = field(default_factory=dict)
    cost: int | None = None


def read_literals(output: SolverOutput, num_vars: int, alone: bool = False) -> LiteralAnswer:
    """The answer for a formula over variables 1..num_vars; `alone`: literals may stand without a status. Raises
    `InputError` for an empty text, no status, an unknown status, two statuses that differ, junk among the values, more
    values than the variables need, a variable out of range, or one that is both true and false."""
    status, cost, has_new_cost, is_bare, found = None, None, False, alone, ""
    for number, line in output.lines():
        head, _, rest = line.partition(" ")
        if head == "s":
            status = _status(output, number, rest.strip(), status)
        elif is_bare and _LITERALS.fullmatch(line):
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
            found = found or f"{shown(line)} in line {number}"
    if status is None:
        found = found or ("values without a status" if output.kept else "nothing")
        raise output.error(0, found, "the output of a solver, with a line such as `s SATISFIABLE`")
    return LiteralAnswer(status, _assignment(output, num_vars), cost)


def _status(output: SolverOutput, number: int, said: str, before: Status | None) -> Status:
    if said not in STATUSES:
        raise output.error(number, f"status {shown(said)}", STATUS_NAMES)
    if before not in (None, STATUSES[said]):
        raise output.error(number, f"status {shown(said)}", f"{before.value}, as an earlier line says")
    return STATUSES[said]


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


def read_numbered(about: Metadata, output: SolverOutput, alone: bool = False) -> Reading:
    """The reading of an answer to a model whose variables have numbers. Raises `InputError` when the assignment gives a
    cell two digits, and when it leaves out a variable of a candidate, unless it may be a list of true ones `alone`."""
    answer = read_literals(output, about.num_vars, alone)
    if not answer.assignment or about.literals is None:
        return Reading(answer.status, None, answer.cost)
    literals = about.literals

    def places() -> Iterator[tuple[int, int, int]]:
        for cell, column in np.argwhere(literals).tolist():
            literal = int(literals[cell, column])
            value = answer.assignment.get(abs(literal), False if alone else None)
            if value is None:
                raise output.error(0, f"an assignment without variable {abs(literal)}", FOREIGN)
            if value == (literal > 0):
                yield 0, cell, about.puzzle.board.least + column

    return Reading(answer.status, grid_of_places(about, places(), output), answer.cost)


def grid_of_places(about: Metadata, places: Iterable[tuple[int, int, int]], output: SolverOutput) -> Grid:
    """The grid of (line, cell, digit). Raises `InputError` for a digit that the board lacks, or a second in a cell."""
    board = about.puzzle.board
    digits = [board.blank] * board.cell_count
    for number, cell, digit in places:
        if digit not in board.digits:
            raise output.error(number, f"digit {digit}", f"{board.least}..{board.digits[-1]}")
        if digits[cell] != board.blank:
            raise output.error(number, f"{digits[cell]} and {digit} in {board.cell_name(cell)}", FOREIGN)
        digits[cell] = digit
    return Grid(tuple(digits), board)


def grid_of_numbers(about: Metadata, numbers: Sequence[int], output: SolverOutput) -> Grid:
    """The grid of digits in the order of the cells. Raises `InputError` for a wrong number of digits, or one that the
    board does not have."""
    board = about.puzzle.board
    if len(numbers) != board.cell_count:
        expected = f"{board.cell_count}; the output is truncated, or another model's"
        raise output.error(0, counted(len(numbers), "digit"), expected)
    return grid_of_places(about, ((0, cell, number) for cell, number in enumerate(numbers)), output)
