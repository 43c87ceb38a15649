"""MiniZinc (Nethercote, Stuckey, Becket, Brand, Duck and Tack, CP 2007): a model that runs as it is. It prints each
solution closed by ten hyphens, `==========` when the search is complete, `=====UNSATISFIABLE=====` and its like (The
MiniZinc Handbook, "The MiniZinc command line tool"). A solution is numbers in reading order. Lines that begin with `%`
are comments; of these only `% objective = N` is read."""

import re
from collections.abc import Iterator, Sequence
from typing import BinaryIO

from ringdoku.domain import AllDifferent, Diagram, Grid, Primitive, Relation, Status
from ringdoku.exports.answers import Reading, SolverOutput, grid_of_numbers
from ringdoku.exports.base import Metadata, Request, encoded, require_64_bits, shown, wrapped
from ringdoku.exports.formulas import ConditionWriter, runs

_STATUSES = {"=====UNSATISFIABLE=====": Status.INFEASIBLE, "=====UNKNOWN=====": Status.UNKNOWN}
# as the model prints them, and in MiniZinc's output modes dzn and json
_OBJECTIVE = re.compile(r"(?:%\s*objective\s*=|_objective\s*=|\"_objective\"\s*:)\s*(-?[0-9]{1,30})")
_GRID, _EXTRA = (
    re.compile(rf"\"?\b{name}\"?\s*[=:][^\[=:;]*(\[[^;\]}}]*(?:\][\s,]*\[[^;\]}}]*)*)") for name in ("grid", "extra")
)
_NUMBERS = re.compile(r"(?:\s*-?[0-9]{1,6}(?!\S))+\s*")


def write(request: Request, stream: BinaryIO) -> None:
    metadata = request.metadata("grid[row, column], counted from 1", ", and extra[number], counted from 1")
    stream.writelines(encoded(metadata.lines("% "), _lines(request)))


def _lines(request: Request) -> Iterator[str]:
    board, goal, words = request.puzzle.board, request.goal, MiniZinc(request.puzzle.board)
    rows, columns, digits = board.rows, board.columns, f"{board.least}..{board.digits[-1]}"
    used = {name for _, text in request.statements for name in ("table", "regular") if f"{name}(" in text}
    yield from (f'include "{name}.mzn";' for name in sorted(used | {"alldifferent"}))
    yield f"array[1..{rows}, 1..{columns}] of var {digits}: grid;"
    if board.extra:
        yield f"array[1..{len(board.extra)}] of var {digits}: extra; % {', '.join(board.extra)}"
    clues = request.puzzle.clues
    yield from (f"constraint {words.cell(cell)} = {clues.digits[cell]};" for cell in clues.filled)
    for primitive, text in request.statements:
        yield f"constraint {text}; % {primitive.name}" if primitive.name else f"constraint {text};"
    if goal is None:
        yield "solve satisfy;"
    else:
        yield "var int: objective = sum(["
        yield from wrapped(f"{factor} * {number}," for factor, number in words.score(goal.coefficients))
        yield "]);"
        yield f"solve {goal.verb} objective;"
        score = f"{goal.constant} + {goal.factor} * objective"
        yield f'output ["% objective = \\(objective)\\n% score = \\({score})\\n"];'
    yield f'output [join(" ", [show(grid[row, column]) | column in 1..{columns}]) ++ "\\n" | row in 1..{rows}];'
    if board.extra:
        yield 'output [join(" ", [show(digit) | digit in extra]) ++ "\\n"];'


class MiniZinc(ConditionWriter):
    """Writes expressions of MiniZinc."""

    grid, extra = "grid[{0}, {1}]", "extra[{0}]"

    def state(self, primitive: Primitive) -> str:
        """A global constraint if there is one. Raises `UnsupportedConstraintError` for large numbers."""
        match primitive:
            case AllDifferent(cells):
                return self.different([self.cell(cell) for cell in cells])
            case Relation(first, second, pairs) if pairs:
                rows = " | ".join(f"{digit}, {other}" for digit, other in sorted(pairs))
                return f"table([{self.cell(first)}, {self.cell(second)}], [| {rows} |])"
            case Diagram(_, layers) if layers and all(layers):
                return self._regular(primitive)
            case _:
                return self.condition(primitive)

    def _regular(self, diagram: Diagram) -> str:
        """An automaton whose states and symbols, the digits, are counted from 1."""
        board, (edges, end) = self.board, diagram.automaton()
        table = [[0] * board.order for _ in range(end + 1)]
        for state, digit, after in edges:
            table[state][digit - board.least] = after + 1
        offset = f" - {board.blank}" if board.blank else ""
        cells = ", ".join(f"{self.cell(cell)}{offset}" for cell in diagram.cells)
        rows = " | ".join(", ".join(map(str, row)) for row in table)
        return f"regular([{cells}], {end + 1}, {board.order}, [| {rows} |], 1, {{{end + 1}}})"

    def holds(self, cell: str, digits: Sequence[int]) -> str:
        first, last = digits[0], digits[-1]
        if first == last:
            return f"{cell} = {first}"
        if len(runs(digits)) == 1:
            return f"{cell} in {first}..{last}"
        return f"{cell} in {{{', '.join(map(str, digits))}}}"

    def joined(self, word: str, parts: Sequence[str]) -> str:
        sign = " /\\ " if word == "and" else " \\/ "
        return f"({sign.join(parts)})"

    def different(self, cells: Sequence[str]) -> str:
        return f"alldifferent([{', '.join(cells)}])"

    def as_number(self, condition: str) -> str:
        return f"bool2int({condition})"

    def between(self, terms: Sequence[tuple[int, str]], least: int | None, greatest: int | None) -> str:
        require_64_bits([factor for factor, _ in terms], (least, greatest), self.board)
        total = " + ".join(number if factor == 1 else f"{factor} * {number}" for factor, number in terms)
        if least == greatest:
            return f"{total} = {least}"
        if least is None:
            return f"{total} <= {greatest}"
        return f"{total} >= {least}" if greatest is None else f"{total} in {least}..{greatest}"

    def with_definitions(self, layers: Sequence[Sequence[tuple[str, str]]], condition: str) -> str:
        named = [f"var bool: {name} = {part}" for layer in layers for name, part in layer]
        return f"(let {{ {'; '.join(named)} }} in {condition})"


state = MiniZinc.statement_of


def read(metadata: Metadata, output: SolverOutput) -> Reading:
    """The last grid that MiniZinc wrote; it is optimal where the search was complete. Raises `InputError` for an empty
    or unfinished text, an error, and a solution that is too long or not numbers."""
    solution: str | None = None
    status: Status | None = None
    for number, line in output.lines():
        if line == "----------":
            solution, status = output.text, Status.SATISFIABLE
            output.drop()
        elif line == "==========":
            status = Status.OPTIMAL
        elif line in _STATUSES:
            status = _STATUSES[line]
        elif line.startswith("====="):
            raise output.error(number, shown(line), "a solution")
        elif not line.startswith("%") or _OBJECTIVE.match(line):
            output.keep(number, line)
    # time limits and statistics leave comments behind the last solution
    if any(not line.startswith("%") for _, line in output.kept):
        raise output.error(0, "a solution without the line of hyphens that closes it", "MiniZinc's output, complete")
    if status is None or (solution is None and status is Status.OPTIMAL):
        raise output.error(0, "no solution and no status", "MiniZinc's output")
    if solution is None:
        return Reading(status)
    value = _OBJECTIVE.search(solution)
    return Reading(status, _grid(metadata, solution, output), int(value[1]) if value else None)


def _grid(metadata: Metadata, solution: str, output: SolverOutput) -> Grid:
    numbers = re.sub("(?m)^%.*", "", solution)
    if assigned := _GRID.search(solution):
        extra = _EXTRA.search(solution)
        numbers = re.sub(r"[^-0-9]+", " ", f"{assigned[1]} {extra[1] if extra else ''}")
    if not _NUMBERS.fullmatch(numbers):
        raise output.error(0, f"a solution {shown(numbers)}", "rows of digits, or a value for `grid`")
    return grid_of_numbers(metadata, list(map(int, numbers.split())), output)
