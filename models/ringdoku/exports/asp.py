"""Answer set programming (Gebser, Kaminski, Kaufmann and Schaub, "Answer Set Solving in Practice"): facts of the
puzzle, then rules, in the language of gringo and clingo. `holds(R,C,D)` says that the cell in row R and column C,
counted from 1, holds D; extra cells are row 0. Solvers print `Answer: 1`, the atoms that hold, and a status."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import BinaryIO

from ringdoku.domain import AllDifferent, Board, Linear, Sense, UsageError, gains_of, is_by_cell
from ringdoku.exports.answers import FOREIGN, STATUS_NAMES, STATUSES, Reading, SolverOutput, grid_of_places
from ringdoku.exports.base import Metadata, ModelObjective, Request, encoded, wrapped
from ringdoku.sat.clauses import RuleClauses
from ringdoku.sat.formula import VarPool
from ringdoku.sat.rules import encode

LARGEST = 2**31 - 1
"""Numbers of clingo have 32 bits."""

_HOLDS = re.compile(r"holds\(([0-9]{1,4}),([0-9]{1,4}),(-?[0-9]{1,4})\)")
_VALUE = re.compile(r"Optimization\s*:\s*(-?[0-9]{1,30})")


def write(request: Request, stream: BinaryIO) -> None:
    if goal := request.goal:
        if sum(map(abs, goal.coefficients)) * request.puzzle.board.largest > LARGEST:
            raise UsageError("the weights are too large: sums of them would not fit the 32 bits of clingo")
        # clingo prints the number that it minimises
        goal = replace(goal, factor=goal.factor if goal.objective.sense is Sense.MINIMISE else -goal.factor)
    metadata = replace(request, goal=goal).metadata("the atoms holds(ROW,COLUMN,DIGIT), counted from 1", "")
    stream.writelines(encoded(metadata.lines("% "), _lines(request)))


def _lines(request: Request) -> Iterator[str]:
    puzzle, board = request.puzzle, request.puzzle.board
    houses = [primitive for primitive, _ in request.statements if isinstance(primitive, AllDifferent)]
    yield "#defined clue/3. #defined house/3. #defined complete/1. #defined weight/3. #defined gain/4."
    yield f"digit({board.least}..{board.digits[-1]})."
    yield from wrapped(f"cell({_place(cell, board)})." for cell in range(board.cell_count))
    yield from wrapped(f"clue({_place(cell, board)},{puzzle.clues.digits[cell]})." for cell in puzzle.clues.filled)
    for number, house in enumerate(houses, 1):
        yield f"% {house.name}" if house.name else "% different digits"
        yield from wrapped(f"house({number},{_place(cell, board)})." for cell in house.cells)
        if len(house.cells) == board.order:
            yield f" complete({number})."
    yield "% a digit in each cell, none twice in a house, each in a house with as many cells"
    yield "1 { holds(R,C,D) : digit(D) } 1 :- cell(R,C)."
    yield ":- clue(R,C,D), not holds(R,C,D)."
    yield ":- house(H,_,_), digit(D), 2 { holds(R,C,D) : house(H,R,C) }."
    yield ":- complete(H), digit(D), not 1 { holds(R,C,D) : house(H,R,C) }."
    yield from _other_rules(request, board)
    if request.goal is not None:
        yield from _objective(request.goal, board)
    yield "#show holds/3."


def _other_rules(request: Request, board: Board) -> Iterator[str]:
    """The rules besides houses: sums as sums, others as clauses, with the atoms `aux` for new variables."""
    count, ruleset = board.cell_count * board.order, request.puzzle.ruleset
    pool = VarPool(count)
    literals = [range(first, first + board.order) for first in range(1, count + 1, board.order)]
    for primitive, _ in request.statements:
        match primitive:
            case AllDifferent():
                continue
            case Linear(cells, factors, total) if sum(map(abs, factors)) * board.largest + abs(total) <= LARGEST:
                terms = enumerate(zip(cells, factors, strict=True))
                parts = [f"{factor}*D,{n} : holds({_place(cell, board)},D)" for n, (cell, factor) in terms]
                yield f"% {primitive.name}"
                yield f":- {total} != #sum {{ {'; '.join(parts)} }}."
            case _:
                clauses = RuleClauses(literals, board.least, ruleset.peers, pool)
                encode([primitive], clauses)
                yield f"% {primitive.name}"
                for clause in clauses.lists():
                    conditions = (f"{'not ' * (lit > 0)}{_atom(abs(lit), board)}" for lit in clause)
                    yield f":- {', '.join(conditions)}."
    if pool.num_vars > count:
        yield f"{{ aux({count + 1}..{pool.num_vars}) }}."


def _objective(goal: ModelObjective, board: Board) -> Iterator[str]:
    if is_by_cell(goal.coefficients, board):
        weights = enumerate(goal.coefficients)
        yield from wrapped(f"weight({_place(cell, board)},{weight})." for cell, weight in weights if weight)
        yield f"#{goal.verb} {{ W*D,R,C : holds(R,C,D), weight(R,C,W) }}."
        return
    rows = enumerate(gains_of(goal.coefficients, board))
    candidates = ((cell, digit, gain) for cell, row in rows for digit, gain in zip(board.digits, row, strict=True))
    yield from wrapped(f"gain({_place(cell, board)},{digit},{gain})." for cell, digit, gain in candidates if gain)
    yield f"#{goal.verb} {{ G,R,C,D : holds(R,C,D), gain(R,C,D,G) }}."


def _place(cell: int, board: Board) -> str:
    if cell >= board.grid_count:
        return f"0,{cell - board.grid_count + 1}"
    return f"{cell // board.columns + 1},{cell % board.columns + 1}"


def _atom(variable: int, board: Board) -> str:
    cell, column = divmod(variable - 1, board.order)
    return f"holds({_place(cell, board)},{board.least + column})" if cell < board.cell_count else f"aux({variable})"


def read(metadata: Metadata, output: SolverOutput) -> Reading:
    """The atoms of the last answer. Raises `InputError` without a known status, and for an unknown digit or cell."""
    board, status, value = metadata.puzzle.board, None, None
    cells = {_place(cell, board): cell for cell in range(board.cell_count)}
    for number, line in output.lines():
        if line in STATUSES:
            status = STATUSES[line]
        elif line.startswith("Answer:"):
            output.drop()
        elif match := _VALUE.fullmatch(line):
            value = int(match[1])
        elif line.startswith("holds("):
            output.keep(number, line)
    if status is None:
        raise output.error(0, "no status", f"{STATUS_NAMES}, as clingo prints it")
    places = []
    for number, line in output.kept:
        for row, column, digit in _HOLDS.findall(line):
            if (cell := cells.get(f"{row},{column}")) is None:
                raise output.error(number, f"holds({row},{column},{digit})", FOREIGN)
            places.append((number, cell, int(digit)))
    return Reading(status, grid_of_places(metadata, places, output) if places else None, value)
