"""MiniZinc (Nethercote, Stuckey, Becket, Brand, Duck and Tack, CP 2007): a model that runs as it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import BinaryIO, assert_never

from ringdoku.answers.minizinc import read_minizinc
from ringdoku.answers.text import SolverOutput
from ringdoku.domain.board import Board
from ringdoku.domain.primitives import AllDifferent, Allowed, Count, Diagram, Linear, OneOf, Primitive, Relation
from ringdoku.exports.about import About, about_lines
from ringdoku.exports.base import Reading, Request, encoded
from ringdoku.exports.formulas import NamingWords, formula, runs
from ringdoku.exports.goal import Goal
from ringdoku.exports.grids import about_numbers, grid_of_numbers
from ringdoku.exports.stating import require_64_bits, statements


def write(request: Request, stream: BinaryIO) -> None:
    rule = "grid[row, column], counted from 1"
    if request.puzzle.board.extra:
        rule += ", and extra[number], counted from 1"
    model = list(_lines(request))
    stream.writelines(encoded(about_lines(about_numbers("mzn", request, rule)), "% "))
    stream.writelines(encoded(model))


def _lines(request: Request) -> Iterator[str]:
    board = request.puzzle.board
    stated = list(statements("mzn", request.puzzle.ruleset, state))
    used = {"alldifferent"} | {name for _, text in stated for name in ("table", "regular") if f"{name}(" in text}
    yield from (f'include "{name}.mzn";' for name in sorted(used))
    yield from _cells(request.puzzle.clues.digits, board)
    for primitive, text in stated:
        name = "" if isinstance(primitive, Allowed) else primitive.name
        yield f"constraint {text}; % {name}" if name else f"constraint {text};"
    rows, columns = _sides(board)
    if request.goal is None:
        yield "solve satisfy;"
    else:
        yield from _objective(request.goal, board)
    indices = f"row, column in {rows}" if rows == columns else f"row in {rows}, column in {columns}"
    last = columns.removeprefix("1..")
    yield f'output ["\\(grid[row, column])" ++ if column < {last} then " " else "\\n" endif | {indices}];'
    if board.extra:
        yield f'output ["\\(extra[cell]) " | cell in 1..{len(board.extra)}] ++ ["\\n"];'


def _sides(board: Board) -> tuple[str, str]:
    return ("1..n", "1..n") if board.is_plain else ("1..rows", "1..columns")


def _cells(clues: Sequence[int], board: Board) -> Iterator[str]:
    rows, columns = _sides(board)
    if board.is_plain:
        digits, possible, given = "1..n", "0..n", "row, column in 1..n where clues[row, column] > 0"
        yield f"int: n = {board.order};"
    else:
        digits, possible = f"{board.least}..{board.digits[-1]}", f"{board.blank}..{board.digits[-1]}"
        given = f"row in {rows}, column in {columns} where clues[row, column] != {board.blank}"
        yield f"int: rows = {board.rows};"
        yield f"int: columns = {board.columns};"
    yield f"% {board.blank} is a blank"
    yield f"array[{rows}, {columns}] of {possible}: clues = {_matrix(clues[: board.grid_count], board.columns)};"
    yield f"array[{rows}, {columns}] of var {digits}: grid;"
    yield f"constraint forall({given})(grid[row, column] = clues[row, column]);"
    if board.extra:
        yield f"% {', '.join(board.extra)}"
        yield f"array[1..{len(board.extra)}] of var {digits}: extra;"
        for number, clue in enumerate(clues[board.grid_count :], 1):
            if clue != board.blank:
                yield f"constraint extra[{number}] = {clue};"


def _objective(goal: Goal, board: Board) -> Iterator[str]:
    rows, columns = _sides(board)
    indices = f"row, column in {rows}" if rows == columns else f"row in {rows}, column in {columns}"
    yield f"array[{rows}, {columns}] of int: coefficients = {_matrix(goal.coefficients, board.columns)};"
    yield f"var int: objective = sum({indices} where coefficients[row, column] != 0)"
    yield "  (coefficients[row, column] * grid[row, column]);"
    yield f"solve {goal.verb} objective;"
    score = f"{goal.constant} + {goal.step} * objective"
    yield f'output ["% objective = \\(objective)\\n% score = \\({score})\\n"];'


def _matrix(numbers: Sequence[int], columns: int) -> str:
    rows = (", ".join(map(str, numbers[start : start + columns])) for start in range(0, len(numbers), columns))
    return "[| " + "\n  | ".join(rows) + " |]"


def state(primitive: Primitive, board: Board) -> str:
    """An expression for any primitive, a global constraint if there is one. Raises `UnsayableError` for large
    numbers."""
    words = _Expressions(board)
    match primitive:
        case AllDifferent(cells):
            return words.different(cells)
        case Relation(first, second, pairs) if pairs:
            rows = " | ".join(f"{digit}, {other}" for digit, other in sorted(pairs))
            return f"table([{words.cell(first)}, {words.cell(second)}], [| {rows} |])"
        case Diagram(_, layers) if layers and all(layers):
            return _regular(primitive, words)
        case Allowed() | Linear() | Relation() | Count() | Diagram() | OneOf():
            return formula(primitive, words)
        case _:
            assert_never(primitive)


def _regular(diagram: Diagram, words: _Expressions) -> str:
    """An automaton whose states are those of all layers; its symbols are the digits, counted from 1."""
    board = words.board
    starts, count = [], 0
    for layer in diagram.layers:
        starts.append(count + 1)
        count += 1 + max(state for state, _, _ in layer)
    # all final states are one
    end = count + 1
    table = [[0] * board.order for _ in range(end)]
    for start, layer, following in zip(starts, diagram.layers, [*starts[1:], None], strict=True):
        for state, digit, after in layer:
            table[start + state - 1][digit - board.least] = end if following is None else following + after
    shift = "" if not board.blank else f" - {board.blank}" if board.blank > 0 else f" + {-board.blank}"
    cells = ", ".join(f"{words.cell(cell)}{shift}" for cell in diagram.cells)
    rows = " | ".join(", ".join(map(str, row)) for row in table)
    return f"regular([{cells}], {end}, {board.order}, [| {rows} |], 1, {{{end}}})"


class _Expressions(NamingWords):
    def cell(self, cell: int) -> str:
        if cell >= self.board.grid_count:
            return f"extra[{cell - self.board.grid_count + 1}]"
        row, column = divmod(cell, self.board.columns)
        return f"grid[{row + 1}, {column + 1}]"

    def member(self, cell: int, digits: Sequence[int]) -> str:
        match runs(digits):
            case [(first, last)]:
                return f"{self.cell(cell)} = {first}" if first == last else f"{self.cell(cell)} in {first}..{last}"
            case _:
                return f"{self.cell(cell)} in {{{', '.join(map(str, digits))}}}"

    def both(self, parts: Sequence[str]) -> str:
        return "(" + " /\\ ".join(parts) + ")"

    def either(self, parts: Sequence[str]) -> str:
        return "(" + " \\/ ".join(parts) + ")"

    def unequal(self, first: str, second: str) -> str:
        return f"{first} != {second}"

    def different(self, cells: Sequence[int]) -> str:
        return f"alldifferent([{', '.join(map(self.cell, cells))}])"

    def number(self, formula: str) -> str:
        return f"bool2int({formula})"

    def sum_between(self, terms: Sequence[tuple[int, str]], least: int | None, greatest: int | None) -> str:
        require_64_bits([factor for factor, _ in terms], (least, greatest), self.board)
        total = " + ".join(term if factor == 1 else f"{factor} * {term}" for factor, term in terms)
        if least == greatest:
            return f"{total} = {least}"
        if least is None:
            return f"{total} <= {greatest}"
        return f"{total} >= {least}" if greatest is None else f"{total} in {least}..{greatest}"

    def where(self, layers: Sequence[dict[str, str]], formula: str) -> str:
        defined = "; ".join(f"var bool: {name} = {text}" for layer in layers for name, text in layer.items())
        return f"(let {{ {defined} }} in {formula})"


def read(about: About, _model: bytes, output: SolverOutput) -> Reading:
    """The last grid that MiniZinc wrote."""
    answer = read_minizinc(output, about.puzzle.board.cell_count)
    grid = grid_of_numbers(about, answer.numbers, output) if answer.numbers is not None else None
    return Reading(answer.status, grid, answer.objective)
