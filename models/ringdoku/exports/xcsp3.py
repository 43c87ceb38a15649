"""XCSP3 (Boussemart, Lecoutre, Audemard and Piette, "XCSP3: an integrated format for benchmarking combinatorial
constrained problems"), in its core: a matrix of integer variables, allDifferent, instantiation, and a sum to optimise.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from ringdoku.answers.text import SolverOutput, shown
from ringdoku.answers.xcsp3 import read_xcsp3
from ringdoku.domain.constraint import House
from ringdoku.exports.about import About, about_lines
from ringdoku.exports.base import Reading, Request, encoded
from ringdoku.exports.goal import Goal
from ringdoku.exports.grids import about_numbers, grid_of_numbers

ALL_CELLS = "grid[][]"
"""How solvers name the matrix in reading order."""


def write(request: Request, stream: BinaryIO) -> None:
    about = about_numbers("xcsp3", request, "grid[row][column], counted from 0")
    stream.writelines(encoded(["<!--", *about_lines(about), "-->"]))
    stream.writelines(encoded(_lines(request)))


def _lines(request: Request) -> Iterator[str]:
    puzzle, n = request.puzzle, request.puzzle.order
    clues = [(cell, digit) for cell, digit in enumerate(puzzle.clues.digits) if digit]
    yield f'<instance format="XCSP3" type="{"CSP" if request.goal is None else "COP"}">'
    yield "  <variables>"
    yield f'    <array id="grid" size="[{n}][{n}]"> 1..{n} </array>'
    yield "  </variables>"
    yield "  <constraints>"
    for rule in puzzle.ruleset.houses:
        yield _constraint(rule, n)
    if clues:
        yield "    <instantiation>"
        yield f"      <list> {_variables((cell for cell, _ in clues), n)} </list>"
        yield f"      <values> {' '.join(str(digit) for _, digit in clues)} </values>"
        yield "    </instantiation>"
    yield "  </constraints>"
    if request.goal is not None:
        yield from _objective(request.goal, n)
    yield "</instance>"


def _constraint(rule: House, order: int) -> str:
    return f'    <allDifferent note="{rule.name}"> {_variables(rule.cells, order)} </allDifferent>'


def _objective(goal: Goal, order: int) -> Iterator[str]:
    cells = [cell for cell, coefficient in enumerate(goal.coefficients) if coefficient] or [0]
    yield "  <objectives>"
    yield f'    <{goal.verb} type="sum">'
    yield f"      <list> {_variables(cells, order)} </list>"
    yield f"      <coeffs> {' '.join(str(goal.coefficients[cell]) for cell in cells)} </coeffs>"
    yield f"    </{goal.verb}>"
    yield "  </objectives>"


def _variables(cells: Iterable[int], order: int) -> str:
    return " ".join(f"grid[{cell // order}][{cell % order}]" for cell in cells)


def read(about: About, _model: bytes, output: SolverOutput) -> Reading:
    """The instantiation in a solver's `v` lines."""
    answer = read_xcsp3(output, about.puzzle.board.cell_count)
    if answer.values is None:
        return Reading(answer.status)
    if answer.variables != ALL_CELLS:
        raise output.error(0, f"values of {shown(answer.variables)}", f"those of {ALL_CELLS}")
    return Reading(answer.status, grid_of_numbers(about, answer.values, output), answer.cost)
