"""XCSP3 (Boussemart, Lecoutre, Audemard and Piette, "XCSP3: an integrated format for benchmarking combinatorial
constrained problems"), its core only: integer variables; allDifferent, sum, extension, count, mdd and instantiation; a
formula (intension) for a primitive without such a constraint, such as a choice of cases; and a sum to optimise.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import BinaryIO, assert_never
from xml.sax.saxutils import quoteattr

from ringdoku.answers.text import SolverOutput, shown
from ringdoku.answers.xcsp3 import read_xcsp3
from ringdoku.domain.board import Board
from ringdoku.domain.primitives import AllDifferent, Allowed, Count, Diagram, Linear, OneOf, Primitive, Relation
from ringdoku.exports.about import About, about_lines
from ringdoku.exports.base import Reading, Request, encoded
from ringdoku.exports.formulas import FALSE, TRUE, Words, counted, formula
from ringdoku.exports.goal import Goal
from ringdoku.exports.grids import about_numbers, grid_of_numbers
from ringdoku.exports.stating import UnsayableError, require_64_bits, statements

LONGEST = 10**6
"""The most characters of a formula. Its parts have no names, so it may become very long."""


def write(request: Request, stream: BinaryIO) -> None:
    rule = "grid[row][column], counted from 0"
    if request.puzzle.board.extra:
        rule += ", and extra[number], counted from 0"
    model = list(_lines(request))
    stream.writelines(encoded(["<!--", *about_lines(about_numbers("xcsp3", request, rule)), "-->"]))
    stream.writelines(encoded(model))


def _lines(request: Request) -> Iterator[str]:
    puzzle, board = request.puzzle, request.puzzle.board
    clues = [(cell, digit) for cell, digit in enumerate(puzzle.clues.digits) if digit != board.blank]
    digits = f"{board.least}..{board.digits[-1]}"
    yield f'<instance format="XCSP3" type="{"CSP" if request.goal is None else "COP"}">'
    yield "  <variables>"
    yield f'    <array id="grid" size="[{board.rows}][{board.columns}]"> {digits} </array>'
    if board.extra:
        names = quoteattr(" ".join(board.extra))
        yield f'    <array id="extra" note={names} size="[{len(board.extra)}]"> {digits} </array>'
    yield "  </variables>"
    yield "  <constraints>"
    for _, statement in statements("xcsp3", puzzle.ruleset, state):
        yield from statement
    if clues:
        yield "    <instantiation>"
        yield f"      <list> {_variables((cell for cell, _ in clues), board)} </list>"
        yield f"      <values> {' '.join(str(digit) for _, digit in clues)} </values>"
        yield "    </instantiation>"
    yield "  </constraints>"
    if request.goal is not None:
        yield from _objective(request.goal, board)
    yield "</instance>"


def state(primitive: Primitive, board: Board) -> list[str]:
    """The lines of the constraint for a primitive, none if it always holds. Raises `UnsayableError` for numbers that
    are too large, and for a formula that would be longer than `LONGEST`.
    """
    match primitive:
        case AllDifferent(cells, name):
            return [f"    <allDifferent note={quoteattr(name)}> {_variables(cells, board)} </allDifferent>"]
        case Allowed(cell, digits) if digits:
            return [f"    <extension> {_list([cell], board)} <supports> {_numbers(digits)} </supports> </extension>"]
        case Linear(cells, coefficients, least, greatest, name) if cells and _is_range(least, greatest):
            require_64_bits(coefficients, (least, greatest), board)
            factors = f"<coeffs> {' '.join(map(str, coefficients))} </coeffs>"
            return _constraint("sum", name, _list(cells, board), factors, _condition(least, greatest))
        case Relation(first, second, pairs, name) if every := _pairs(board) & pairs:
            others = _pairs(board) - pairs
            # whichever are fewer
            kind, listed = ("supports", every) if len(every) <= len(others) else ("conflicts", others)
            tuples = "".join(f"({digit},{other})" for digit, other in sorted(listed))
            table = f"<{kind}> {tuples} </{kind}>"
            return _constraint("extension", name, _list([first, second], board), table) if listed else []
        case Count(_, least, greatest, name) if least <= greatest and _has_same_digits(primitive):
            found = counted(primitive)
            values = f"<values> {_numbers(next(iter(found.values())))} </values>"
            return _constraint("count", name, _list(found, board), values, _condition(least, greatest))
        case Diagram(cells, layers, name) if layers and all(layers) and len(set(cells)) == len(cells):
            transitions = f"<transitions> {_transitions(primitive)} </transitions>"
            return _constraint("mdd", name, _list(cells, board), transitions)
        case Allowed() | Linear() | Relation() | Count() | Diagram() | OneOf():
            return _intension(formula(primitive, _Functions(board)), primitive, board)
        case _:
            assert_never(primitive)


def _constraint(kind: str, name: str, *parts: str) -> list[str]:
    return [f"    <{kind} note={quoteattr(name)}>", *(f"      {part}" for part in parts), f"    </{kind}>"]


def _intension(text: str, primitive: Primitive, board: Board) -> list[str]:
    if text == TRUE:
        return []
    if text == FALSE:
        text = f"lt({_variable(0, board)},{board.least})"
    note = "" if isinstance(primitive, Allowed) else f" note={quoteattr(primitive.name)}"
    return [f"    <intension{note}> {text} </intension>"]


def _is_range(least: int | None, greatest: int | None) -> bool:
    """Whether there is a limit, and whether some number is within both limits."""
    return least != greatest if None in (least, greatest) else (least or 0) <= (greatest or 0)


def _pairs(board: Board) -> frozenset[tuple[int, int]]:
    return frozenset(product(board.digits, board.digits))


def _has_same_digits(count: Count) -> bool:
    """Whether the same digits count in every cell."""
    return len({frozenset(digits) for digits in counted(count).values()}) == 1


def _condition(least: int | None, greatest: int | None) -> str:
    if least == greatest:
        return f"<condition> (eq,{least}) </condition>"
    if least is None:
        return f"<condition> (le,{greatest}) </condition>"
    return f"<condition> {f'(ge,{least})' if greatest is None else f'(in,{least}..{greatest})'} </condition>"


def _transitions(diagram: Diagram) -> str:
    last = len(diagram.cells) - 1
    return "".join(
        # all final states are one
        f"(n{place}_{state},{digit},n{place + 1}_{0 if place == last else after})"
        for place, layer in enumerate(diagram.layers)
        for state, digit, after in layer
    )


class _Functions(Words):
    def cell(self, cell: int) -> str:
        return _variable(cell, self.board)

    def member(self, cell: int, digits: Sequence[int]) -> str:
        name = self.cell(cell)
        return f"eq({name},{digits[0]})" if len(digits) == 1 else f"in({name},set({','.join(map(str, digits))}))"

    def both(self, parts: Sequence[str]) -> str:
        return self._function("and", parts)

    def either(self, parts: Sequence[str]) -> str:
        return self._function("or", parts)

    def unequal(self, first: str, second: str) -> str:
        return f"ne({first},{second})"

    def number(self, formula: str) -> str:
        # a truth value counts as 0 or 1
        return formula

    def sum_between(self, terms: Sequence[tuple[int, str]], least: int | None, greatest: int | None) -> str:
        require_64_bits([factor for factor, _ in terms], (least, greatest), self.board)
        words = [term if factor == 1 else f"mul({factor},{term})" for factor, term in terms]
        total = self._function("add", words) if len(words) > 1 else words[0]
        if least == greatest:
            return f"eq({total},{least})"
        limits = [] if least is None else [f"ge({total},{least})"]
        limits += [] if greatest is None else [f"le({total},{greatest})"]
        return self.every(limits)

    def _function(self, name: str, parts: Sequence[str]) -> str:
        if sum(map(len, parts)) > LONGEST:
            raise UnsayableError(f"it takes a formula of more than {LONGEST} characters")
        return f"{name}({','.join(parts)})"


def _objective(goal: Goal, board: Board) -> Iterator[str]:
    cells = [cell for cell, coefficient in enumerate(goal.coefficients) if coefficient] or [0]
    yield "  <objectives>"
    yield f'    <{goal.verb} type="sum">'
    yield f"      {_list(cells, board)}"
    yield f"      <coeffs> {' '.join(str(goal.coefficients[cell]) for cell in cells)} </coeffs>"
    yield f"    </{goal.verb}>"
    yield "  </objectives>"


def _list(cells: Iterable[int], board: Board) -> str:
    return f"<list> {_variables(cells, board)} </list>"


def _variables(cells: Iterable[int], board: Board) -> str:
    return " ".join(_variable(cell, board) for cell in cells)


def _variable(cell: int, board: Board) -> str:
    if cell >= board.grid_count:
        return f"extra[{cell - board.grid_count}]"
    return f"grid[{cell // board.columns}][{cell % board.columns}]"


def _numbers(digits: Iterable[int]) -> str:
    return " ".join(map(str, sorted(digits)))


def read(about: About, _model: bytes, output: SolverOutput) -> Reading:
    """The instantiation in a solver's `v` lines."""
    answer = read_xcsp3(output, about.puzzle.board.cell_count)
    if answer.values is None:
        return Reading(answer.status)
    # the names that solvers print for the arrays, in the order of the cells
    expected = "grid[][] extra[]" if about.puzzle.board.extra else "grid[][]"
    if answer.variables != expected:
        raise output.error(0, f"values of {shown(answer.variables)}", f"those of {expected}")
    return Reading(answer.status, grid_of_numbers(about, answer.values, output), answer.cost)
