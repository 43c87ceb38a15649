"""XCSP3 (Boussemart, Lecoutre, Audemard and Piette, "XCSP3: an integrated format for benchmarking combinatorial
constrained problems"), its core only: integer variables; allDifferent, sum, extension, count, mdd and instantiation; a
formula (intension) for a primitive without such a constraint, such as a choice of cases; and a sum to optimise. Solvers
print (XCSP3 Competition) `s STATUS`, and `v` lines with an `<instantiation>` in XML.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations, product
from typing import BinaryIO
from xml.sax.saxutils import quoteattr

from ringdoku.domain.primitives import AllDifferent, Count, Diagram, Linear, Primitive, Relation, grouped
from ringdoku.exports.answers import STATUS_NAMES, STATUSES, Reading, SolverOutput, grid_of_numbers
from ringdoku.exports.base import Metadata, Request, UnsupportedConstraintError, encoded, require_64_bits, shown
from ringdoku.exports.formulas import FALSE, TRUE, ConditionWriter

LONGEST = 10**6
"""The most characters of a formula. Its parts have no names, so it may become very long."""

_NAME = re.compile(r"after_[0-9]+_[0-9]+")
_INSTANTIATION = re.compile(r".*<instantiation([^<>]*)>(.*?)</instantiation>", re.DOTALL)
_COST = re.compile(r"cost\s*=\s*['\"](-?[0-9]{1,30})['\"]")
_LIST = re.compile(r"<list>([^<]*)</list>")
_VALUES = re.compile(r"<values>((?:\s*-?[0-9]{1,6}(?![^\s<]))+)\s*</values>")


def write(request: Request, stream: BinaryIO) -> None:
    metadata = request.metadata("grid[row][column], counted from 0", ", and extra[number], counted from 0")
    # XML comments may not have two hyphens in a row; JSON can escape one
    comments = (line.replace("--", r"-\u002d") for line in metadata.lines())
    stream.writelines(encoded(["<!--", *comments, "-->", *_lines(request)]))


def _lines(request: Request) -> Iterator[str]:
    puzzle, board, goal = request.puzzle, request.puzzle.board, request.goal
    clues = puzzle.clues.filled
    digits = f"{board.least}..{board.digits[-1]}"
    yield f'<instance format="XCSP3" type="{"CSP" if goal is None else "COP"}">'
    yield "  <variables>"
    yield f'    <array id="grid" size="[{board.rows}][{board.columns}]"> {digits} </array>'
    if board.extra:
        names = quoteattr(" ".join(board.extra))
        yield f'    <array id="extra" note={names} size="[{len(board.extra)}]"> {digits} </array>'
    yield "  </variables>"
    yield "  <constraints>"
    for _, statement in request.statements:
        yield from statement
    if clues:
        yield "    <instantiation>"
        yield f"      {Xcsp3(board).list_of(clues)}"
        yield f"      <values> {' '.join(map(str, puzzle.clues.at(clues)))} </values>"
        yield "    </instantiation>"
    yield "  </constraints>"
    if goal is not None:
        terms = Xcsp3(board).score(goal.coefficients)
        yield "  <objectives>"
        yield f'    <{goal.verb} type="sum">'
        yield f"      <list> {' '.join(number for _, number in terms)} </list>"
        yield f"      <coeffs> {' '.join(str(factor) for factor, _ in terms)} </coeffs>"
        yield f"    </{goal.verb}>"
        yield "  </objectives>"
    yield "</instance>"


class Xcsp3(ConditionWriter):
    """Writes constraints, or functions of a formula."""

    grid, extra, first = "grid[{0}][{1}]", "extra[{0}]", 0

    def state(self, primitive: Primitive) -> list[str]:
        """The lines of the constraint for a primitive, none if it always holds. Raises `UnsupportedConstraintError` for
        numbers that are too large, and for a formula longer than `LONGEST`."""
        board = self.board
        match primitive:
            case AllDifferent(cells, name):
                variables = " ".join(map(self.cell, cells))
                return [f"    <allDifferent note={quoteattr(name)}> {variables} </allDifferent>"]
            case Linear(cells, coefficients, total, name) if cells:
                require_64_bits(coefficients, (total,), board)
                factors = f"<coeffs> {' '.join(map(str, coefficients))} </coeffs>"
                return _constraint("sum", name, self.list_of(cells), factors, _condition(total, total))
            case Relation(first, second, pairs, name) if every := pairs.intersection(product(board.digits, repeat=2)):
                table = "".join(f"({digit},{other})" for digit, other in sorted(every))
                return _constraint("extension", name, self.list_of([first, second]), f"<supports> {table} </supports>")
            case Count(_, least, greatest, name) if least <= greatest and _has_same_digits(primitive):
                found = grouped(primitive.candidates)
                values = f"<values> {' '.join(map(str, sorted(next(iter(found.values())))))} </values>"
                return _constraint("count", name, self.list_of(found), values, _condition(least, greatest))
            case Diagram(cells, layers, name) if layers and all(layers) and len(set(cells)) == len(cells):
                steps = "".join(f"(n{state},{digit},n{after})" for state, digit, after in primitive.automaton()[0])
                return _constraint("mdd", name, self.list_of(cells), f"<transitions> {steps} </transitions>")
            case _:
                return self._intension(primitive)

    def _intension(self, primitive: Primitive) -> list[str]:
        condition = self.condition(primitive)
        if condition == TRUE:
            return []
        text = f"lt({self.cell(0)},{self.board.least})" if condition == FALSE else condition
        note = f" note={quoteattr(primitive.name)}" if primitive.name else ""
        return [f"    <intension{note}> {text} </intension>"]

    def list_of(self, cells: Iterable[int]) -> str:
        """The variables of cells as a `<list>`."""
        return f"<list> {' '.join(map(self.cell, cells))} </list>"

    def holds(self, cell: str, digits: Sequence[int]) -> str:
        listed = ",".join(map(str, digits))
        return f"eq({cell},{listed})" if len(digits) == 1 else f"in({cell},set({listed}))"

    def joined(self, word: str, parts: Sequence[str]) -> str:
        if sum(map(len, parts)) > LONGEST:
            raise UnsupportedConstraintError(f"it takes a formula of more than {LONGEST} characters")
        return f"{word}({','.join(parts)})" if len(parts) > 1 else parts[0]

    def different(self, cells: Sequence[str]) -> str:
        return self.joined("and", [f"ne({one},{other})" for one, other in combinations(cells, 2)])

    def between(self, terms: Sequence[tuple[int, str]], least: int | None, greatest: int | None) -> str:
        require_64_bits([factor for factor, _ in terms], (least, greatest), self.board)
        # a truth value counts as 0 or 1
        total = self.joined("add", [number if factor == 1 else f"mul({factor},{number})" for factor, number in terms])
        if least == greatest:
            return f"eq({total},{least})"
        limits = [] if least is None else [f"ge({total},{least})"]
        limits += [] if greatest is None else [f"le({total},{greatest})"]
        return self.joined("and", limits)

    def with_definitions(self, layers: Sequence[Sequence[tuple[str, str]]], condition: str) -> str:
        # XCSP3 has no names for conditions, so each name is replaced by its condition
        texts: dict[str, str] = {}
        for name, part in (*chain.from_iterable(layers), ("", condition)):
            texts[name] = self.joined("and", [_NAME.sub(lambda found: texts[found[0]], part)])
        return texts[""]


state = Xcsp3.statement_of


def _constraint(kind: str, name: str, *parts: str) -> list[str]:
    return [f"    <{kind} note={quoteattr(name)}>", *(f"      {part}" for part in parts), f"    </{kind}>"]


def _has_same_digits(count: Count) -> bool:
    """Whether the same digits count in every cell."""
    return len({frozenset(digits) for digits in grouped(count.candidates).values()}) == 1


def _condition(least: int, greatest: int) -> str:
    condition = f"eq,{least}" if least == greatest else f"in,{least}..{greatest}"
    return f"<condition> ({condition}) </condition>"


def read(metadata: Metadata, output: SolverOutput) -> Reading:
    """The last instantiation in a solver's `v` lines. Raises `InputError` without a known status, and for an
    instantiation that is not a list of numbers or is too long."""
    status_name, last = _last_instantiation(output)
    status = STATUSES.get(status_name) if status_name else None
    if status is None:
        raise output.error(0, f"status {shown(status_name)}" if status_name else "no status", STATUS_NAMES)
    if last is None:
        return Reading(status)
    attributes, body = last.groups()
    variables, values, cost = _LIST.search(body), _VALUES.search(body), _COST.search(attributes)
    if not variables or not values:
        raise output.error(0, f"an instantiation {shown(body)}", "a <list> of variables and <values> that are numbers")
    # the names that solvers print for the arrays, in the order of the cells, or those of the cells
    board = metadata.puzzle.board
    expected = "grid[][] extra[]" if board.extra else "grid[][]"
    if variables[1].strip() not in (expected, " ".join(map(Xcsp3(board).cell, range(board.cell_count)))):
        raise output.error(0, f"values of {shown(variables[1].strip())}", f"those of {expected}")
    grid = grid_of_numbers(metadata, list(map(int, values[1].split())), output)
    return Reading(status, grid, int(cost[1]) if cost else None)


def _last_instantiation(output: SolverOutput) -> tuple[str | None, re.Match[str] | None]:
    """The status, and the attributes and the text of the last instantiation that is whole."""
    status_name: str | None = None
    last: re.Match[str] | None = None
    for number, line in output.lines():
        if line.startswith("s "):
            status_name = status_name or line[2:].strip()
        elif not line.startswith(("c ", "o ", "d ")):
            if "<instantiation" in line:
                output.drop()
            elif not output.kept:
                continue
            output.keep(number, line.removeprefix("v "))
            if "</instantiation>" in line:
                last = _INSTANTIATION.match(output.text) or last
                output.drop()
    return status_name, last
