"""The output format of the SAT Competition: `c`, `s` and `v` lines over the textbook formula's variables."""

from __future__ import annotations

from collections.abc import Iterator

from ringdoku.domain.grid import Grid
from ringdoku.domain.objective import Objective
from ringdoku.domain.result import Result, Status
from ringdoku.text import Entry
from ringdoku_cli.messages import printable

LINE_LENGTH = 78
_ANSWERS = {Status.SATISFIABLE: "SATISFIABLE", Status.INFEASIBLE: "UNSATISFIABLE"}


def render_competition(entry: Entry, result: Result, _objective: Objective | None = None) -> str:
    """The answer to one puzzle."""
    return "".join(_lines(entry, result))


def _lines(entry: Entry, result: Result) -> Iterator[str]:
    """Ended lines; variable cell·n + place, cells from 0, says that the cell holds the digit at the place, from 1."""
    board = entry.puzzle.board
    n, from_one = board.order, 1 - board.least
    digit = f"digit {'+' if from_one > 0 else '-'} {abs(from_one)}" if from_one else "digit"
    yield f"c {printable(str(entry.place))} {printable(entry.name)}".rstrip() + "\n"
    yield f"c backend {result.backend}, {result.seconds:.6f} s\n"
    yield "c a variable is true when its cell holds its digit; row and column are from 0\n"
    yield f"c variable = (row*{board.columns} + column)*{n} + {digit}\n"
    if result.word_of:
        yield f"c no proof was checked: the answer is the word of {printable(result.word_of)}\n"
    yield f"s {_ANSWERS.get(result.status, 'UNKNOWN')}\n"
    if result.grid is not None:
        yield from _value_lines(result.grid)


def _value_lines(grid: Grid) -> Iterator[str]:
    line = "v"
    for literal in _literals(grid):
        word = f" {literal}"
        if len(line) + len(word) > LINE_LENGTH:
            yield line + "\n"
            line = "v"
        line += word
    yield line + "\n"


def _literals(grid: Grid) -> Iterator[int]:
    n = grid.order
    for cell, held in enumerate(grid.digits):
        for place, digit in enumerate(grid.board.digits, 1):
            var = cell * n + place
            yield var if digit == held else -var
    yield 0
