"""MiniZinc (Nethercote, Stuckey, Becket, Brand, Duck and Tack, CP 2007): a model that runs as it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import BinaryIO

from ringdoku.answers.minizinc import read_minizinc
from ringdoku.answers.text import SolverOutput
from ringdoku.domain.constraint import House
from ringdoku.exports.about import About, about_lines
from ringdoku.exports.base import Reading, Request, encoded
from ringdoku.exports.goal import Goal
from ringdoku.exports.grids import about_numbers, grid_of_numbers


def write(request: Request, stream: BinaryIO) -> None:
    about = about_numbers("mzn", request, "grid[row, column], counted from 1")
    stream.writelines(encoded(about_lines(about), "% "))
    stream.writelines(encoded(_lines(request)))


def _lines(request: Request) -> Iterator[str]:
    puzzle, n = request.puzzle, request.puzzle.order
    yield 'include "alldifferent.mzn";'
    yield f"int: n = {n};"
    yield "% 0 is a blank"
    yield f"array[1..n, 1..n] of 0..n: clues = {_matrix(puzzle.clues.digits, n)};"
    yield "array[1..n, 1..n] of var 1..n: grid;"
    yield "constraint forall(row, column in 1..n where clues[row, column] > 0)(grid[row, column] = clues[row, column]);"
    for rule in puzzle.ruleset.houses:
        yield _constraint(rule, n)
    if request.goal is None:
        yield "solve satisfy;"
    else:
        yield from _objective(request.goal, n)
    yield 'output ["\\(grid[row, column])" ++ if column < n then " " else "\\n" endif | row, column in 1..n];'


def _constraint(rule: House, order: int) -> str:
    members = ", ".join(f"grid[{cell // order + 1}, {cell % order + 1}]" for cell in rule.cells)
    return f"constraint alldifferent([{members}]); % {rule.name}"


def _objective(goal: Goal, order: int) -> Iterator[str]:
    yield f"array[1..n, 1..n] of int: coefficients = {_matrix(goal.coefficients, order)};"
    yield "var int: objective = sum(row, column in 1..n where coefficients[row, column] != 0)"
    yield "  (coefficients[row, column] * grid[row, column]);"
    yield f"solve {goal.verb} objective;"
    score = f"{goal.constant} + {goal.step} * objective"
    yield f'output ["% objective = \\(objective)\\n% score = \\({score})\\n"];'


def _matrix(numbers: Sequence[int], order: int) -> str:
    rows = (", ".join(map(str, numbers[start : start + order])) for start in range(0, len(numbers), order))
    return "[| " + "\n  | ".join(rows) + " |]"


def read(about: About, _model: bytes, output: SolverOutput) -> Reading:
    """The last grid that MiniZinc wrote."""
    answer = read_minizinc(output, about.puzzle.board.cell_count)
    grid = grid_of_numbers(about, answer.numbers, output) if answer.numbers is not None else None
    return Reading(answer.status, grid, answer.objective)
