"""The output format of the SAT Competition: `c`, `s` and `v` lines over the textbook formula's variables."""

from __future__ import annotations

from collections.abc import Iterator

from ringdoku.domain.grid import Grid
from ringdoku.domain.result import Result, Status
from ringdoku.formats import Entry
from ringdoku_cli.messages import printable

LINE_LENGTH = 78
_ANSWERS = {Status.SATISFIABLE: "SATISFIABLE", Status.INFEASIBLE: "UNSATISFIABLE"}


def competition_lines(entry: Entry, result: Result) -> Iterator[str]:
    """Lines with their ends. Variable (row·n + column)·n + digit, with rows and columns from 0, is true when the cell
    holds the digit."""
    n = entry.puzzle.order
    yield f"c {printable(str(entry.place))} {printable(entry.name)}".rstrip() + "\n"
    yield f"c backend {result.backend}, {result.seconds:.6f} s\n"
    yield "c a variable is true when its cell holds its digit; row and column are from 0\n"
    yield f"c variable = (row*{n} + column)*{n} + digit\n"
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
        for digit in range(1, n + 1):
            var = cell * n + digit
            yield var if digit == held else -var
    yield 0
