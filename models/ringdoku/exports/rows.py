"""The 0-1 model as OPB (Roussel and Manquinho, "Input/output format and solver requirements for the competitions of
pseudo-Boolean solvers"), LP (IBM ILOG CPLEX file format reference) and free MPS, and the solution files of LP and MIP
solvers: HiGHS, SCIP, CBC, Gurobi, GLPK.

OPB and MPS cannot maximise, or not for every program. So they always minimise; an objective to maximise is negated, and
the comments say so (`factor`). A solution file has a line for each variable, `name value`, with a number before it or
remarks after it, or a row of HiGHS's table; variables that are 0 may be left out. A line of another kind says how the
search ended; Gurobi writes none. A file without names, as `glpsol --write` makes it, is refused.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import gcd, inf
from typing import BinaryIO

import numpy as np

from ringdoku.deduction.propagation import propagate
from ringdoku.domain import Primitive, Puzzle, Ruleset, Status, gains_of
from ringdoku.domain.rows import has_rows, rows_of
from ringdoku.exports.answers import NUMBER, Reading, SolverOutput, exact_value, grid_of_places, read_numbered
from ringdoku.exports.base import Metadata, Request, encoded, require_64_bit_sums, shown, wrapped
from ringdoku.sat.clauses import RuleClauses
from ringdoku.sat.digits import DIGITS, DigitLiterals, literals_of
from ringdoku.sat.formula import FormulaBuilder, Literals, VarPool
from ringdoku.sat.rules import encode

_NAME = re.compile(r"x_(?:([1-9][0-9]{0,3})_([1-9][0-9]{0,3})|([A-Za-z]\w*))_(m?)([0-9]{1,4})", re.ASCII)
_VALUE = re.compile(rf"(?:[0-9]+\s+)?(?P<name>[A-Za-z]\w*)\s+(?:\*\s+)?(?P<value>{NUMBER})(?:\s.*)?", re.ASCII)
_COLUMN = re.compile(rf"[0-9]+\s+[0-9]+\s+[0-9]+\s+(?P<value>{NUMBER})\s+Integer\s+(?P<name>\w+)", re.ASCII)
_STATUS = re.compile(rf"(?:solution status|Model status|Status):\s*(.+)|([A-Z][a-z ]+) - objective value {NUMBER}.*")
_OBJECTIVE = re.compile(rf"(?:# )?Objective(?: value)?\s*(?:[:=]\s*)?(?:[a-z]+ = )?{NUMBER}(?:\s.*)?", re.IGNORECASE)
_NAMELESS = re.compile(r"s (?:bas|ipt|mip) .*")
_STOPPED = re.compile(
    r"infeasible or unbounded|limit|stopped|interrupt|reached|undefined|unknown|not set|non-optimal|\bfeasible"
)

state = require_64_bit_sums
"""Every primitive is written as sums, or as clauses, which are sums too."""


@dataclass(frozen=True)
class Sum:
    """Σ coefficient·variable = `total` where `exactly`, else ≤ `total`; `terms` are (coefficient, variable), at least
    one. No two names are equal. A name has letters, digits and underscores and begins with a letter other than `e`,
    which readers of the LP format take for an exponent."""

    name: str
    terms: tuple[tuple[int, int], ...]
    total: int
    exactly: bool


@dataclass(frozen=True)
class LinearPuzzle:
    """The 0-1 model of a puzzle. `digits` has a variable for each candidate, numbered from 1 without gaps. Further
    variables, which some rules need, come after them."""

    digits: DigitLiterals
    sums: tuple[Sum, ...]
    num_vars: int

    def places(self) -> list[tuple[int, int, int]]:
        """(variable, cell, digit) in the order of the variables."""
        least, literals = self.digits.board.least, np.ndenumerate(self.digits.literals)
        return sorted((int(variable), cell, least + column) for (cell, column), variable in literals if variable)


def lower_to_linear(puzzle: Puzzle, presolve: bool) -> LinearPuzzle:
    """The 0-1 model: a sum for each cell, for each house and digit, for each clue, and the rows of the other rules. A
    variable says that a cell holds a digit (Bartlett, Chartier, Langville and Rankin, "An integer programming model for
    the Sudoku problem", Journal of Online Mathematics and its Applications 8, 2008). With `presolve` only the
    candidates that propagation leaves have variables; all have them if it finds a contradiction. Rules without rows
    become clauses, which are written as sums."""
    board, ruleset, builder = puzzle.board, puzzle.ruleset, FormulaBuilder()
    candidates = propagate(puzzle) if presolve else None
    if candidates is None:
        candidates = np.ones((board.cell_count, board.order), dtype=bool)
    digits = DigitLiterals(board, literals_of(candidates, DIGITS["direct"], builder))
    name, literals = board.cell_name, digits.literals
    sums = [
        _sum_of_one(name(cell) if cell < board.grid_count else f"cell_{name(cell)}", row[row != 0].tolist(), True)
        for cell, row in enumerate(literals)
    ]
    for number, house in enumerate(ruleset.houses, 1):
        label = "_".join([f"house{number}", *re.findall(r"\w+", house.name, re.ASCII)])
        for digit, members in zip(board.digits, literals[list(house.cells)].T, strict=True):
            if present := members[members != 0].tolist():
                minus = "m" if digit < 0 else ""
                sums.append(_sum_of_one(f"{label}_digit_{minus}{abs(digit)}", present, len(house.cells) == board.order))
    for number, primitive in enumerate(ruleset.rest, 1):
        sums += _rule_sums(f"rule_{number}", primitive, ruleset, literals, builder)
    for cell in puzzle.clues.filled:
        literal = int(literals[cell, puzzle.clues.digits[cell] - board.least])
        sums.append(_sum_of_one(f"clue_{name(cell)}", [literal], True))
    return LinearPuzzle(digits, tuple(sums), builder.num_vars)


def _sum_of_one(name: str, variables: list[int], exactly: bool) -> Sum:
    return Sum(name, tuple((1, variable) for variable in variables), 1, exactly)


def _rule_sums(name: str, primitive: Primitive, ruleset: Ruleset, literals: Literals, pool: VarPool) -> Iterator[Sum]:
    """The sums for a primitive: its rows, divided by common factors, or its clauses where it has no rows."""
    board = ruleset.board
    if not has_rows(primitive):
        yield from _clause_sums(name, primitive, ruleset, literals, pool)
    for number, row in enumerate(rows_of(primitive, board), 1):
        # a variable that several terms share stands once, since not every program adds them up
        factors: Counter[int] = Counter()
        for cell, digit, factor in row.terms:
            factors[int(literals[cell, digit - board.least])] += factor
        terms = tuple((factor, variable) for variable, factor in factors.items() if variable and factor)
        # to divide makes "at most" tighter; and clasp 3.3.5 accepts 2 x = 3 as satisfiable
        divisor = gcd(*(factor for factor, _ in terms)) or 1
        # without terms the sum is 0
        fails = bool(row.total % divisor if terms else row.total) if row.exact else not terms and row.total < 0
        if fails:
            yield _unsatisfiable_sum(f"{name}_{number}")
        elif terms:
            divided = tuple((factor // divisor, variable) for factor, variable in terms)
            yield Sum(f"{name}_{number}", divided, row.total // divisor, row.exact)


def _clause_sums(name: str, primitive: Primitive, ruleset: Ruleset, literals: Literals, pool: VarPool) -> Iterator[Sum]:
    clauses = RuleClauses(literals.tolist(), ruleset.board.least, ruleset.peers, pool)
    encode([primitive], clauses)
    for number, clause in enumerate(clauses.lists(), 1):
        # at least one true literal: Σ of the positive − Σ of the negated variables ≥ 1 − number of negated ones
        present = set(clause)
        terms = tuple((-1, lit) if lit > 0 else (1, -lit) for lit in sorted(present, key=abs))
        if not terms:
            yield _unsatisfiable_sum(f"{name}_{number}")
        elif not any(-lit in present for lit in present):
            yield Sum(f"{name}_{number}", terms, sum(lit < 0 for lit in present) - 1, False)


def _unsatisfiable_sum(name: str) -> Sum:
    """A sum that no assignment satisfies. It has a term, since programs refuse sums without terms."""
    return Sum(name, ((1, 1),), -1, False)


def write(request: Request, stream: BinaryIO) -> None:
    board, name, goal = request.puzzle.board, request.format_name, request.goal
    linear, objective = lower_to_linear(request.puzzle, request.encoding.presolve), dict[int, int]()
    if goal is not None:
        sign, gains = 1 if name == "lp" else -goal.objective.sense.sign, gains_of(goal.coefficients, board)
        terms = ((var, sign * gains[cell][digit - board.least]) for var, cell, digit in linear.places())
        objective = {var: gain for var, gain in terms if gain}
        goal = replace(goal, factor=sign * goal.factor)
    if name == "opb":
        # the competitions require the counts in the first line
        stream.writelines(encoded([f"* #variable= {linear.num_vars} #constraint= {len(linear.sums)}"]))
        mark, literals, variables = "* ", linear.digits.literals, Metadata.variables
        lines = _opb(linear, objective if goal else None)
    else:
        extra = ", x_NAME_DIGIT that of an extra cell" if board.extra else ""
        minus = "; a digit m1 is -1" if board.least < 0 else ""
        literals = None
        variables = f"x_ROW_COLUMN_DIGIT, counted from 1, is 1 when the cell holds the digit{extra}{minus}"
        # the variables of rules that need their own come last
        names = ["", *(_name(request, cell, digit) for _, cell, digit in linear.places())]
        names += [f"y_{number}" for number in range(1, linear.num_vars - len(names) + 2)]
        if name == "lp":
            mark, lines = "\\ ", _lp(linear, goal.verb if goal else "minimize", objective, names)
        else:
            mark, lines = "* ", _mps(linear, objective, names)
    metadata = Metadata(name, request.puzzle, goal, linear.num_vars, literals, variables)
    stream.writelines(encoded(metadata.lines(mark), lines))


def _name(request: Request, cell: int, digit: int) -> str:
    board = request.puzzle.board
    row, column = divmod(cell, board.columns)
    place = f"{row + 1}_{column + 1}" if cell < board.grid_count else board.cell_name(cell)
    return f"x_{place}_{digit}" if digit >= 0 else f"x_{place}_m{-digit}"


def _opb(linear: LinearPuzzle, objective: dict[int, int] | None) -> Iterator[str]:
    if objective is not None:
        yield " ".join(["min:", *(f"{factor:+d} x{var}" for var, factor in objective.items()), ";"])
    for row in linear.sums:
        sign, relation = (1, f"= {row.total} ;") if row.exactly else (-1, f">= {-row.total} ;")
        yield " ".join([*(f"{sign * factor:+d} x{var}" for factor, var in row.terms), relation])


def _lp(linear: LinearPuzzle, verb: str, objective: dict[int, int], names: list[str]) -> Iterator[str]:
    yield verb.capitalize()
    yield " score:"
    # an objective must not be empty
    yield from wrapped(f"{factor:+d} {names[var]}" for var, factor in (objective or {1: 0}).items())
    yield "Subject To"
    for row in linear.sums:
        yield f" {row.name}:"
        terms = [f"{ {1: '+', -1: '-'}.get(factor, f'{factor:+d}') } {names[var]}" for factor, var in row.terms]
        yield from wrapped([*terms, f"{'=' if row.exactly else '<='} {row.total}"])
    yield "Binary"
    yield from wrapped(names[1:])
    yield "End"


def _mps(linear: LinearPuzzle, objective: dict[int, int], names: list[str]) -> Iterator[str]:
    rows_of = {var: [f"score {factor}"] for var, factor in objective.items()}
    for row in linear.sums:
        for factor, var in row.terms:
            rows_of.setdefault(var, []).append(f"{row.name} {factor}")
    yield from ("NAME ringdoku", "ROWS", " N score")
    yield from (f" {'E' if row.exactly else 'L'} {row.name}" for row in linear.sums)
    yield from ("COLUMNS", " MARKER 'MARKER' 'INTORG'")
    for var, name in enumerate(names[1:], 1):
        yield from (f" {name} {part}" for part in rows_of.get(var, ()))
    yield from (" MARKER 'MARKER' 'INTEND'", "RHS")
    yield from (f" RHS {row.name} {row.total}" for row in linear.sums if row.total)
    yield "BOUNDS"
    yield from (f" BV BOUND {name}" for name in names[1:])
    yield "ENDATA"


def read(metadata: Metadata, output: SolverOutput) -> Reading:
    """The grid in the `v` lines of a pseudo-Boolean solver, or in the solution file of an LP or MIP solver. Raises
    `InputError` when there are neither values nor a status, for a variable that the model does not have, a value that
    is neither 0 nor 1, and two values of a variable."""
    if metadata.format_name == "opb":
        return read_numbered(metadata, output)
    status: Status | None = None
    objective = inf
    lines = output.lines()
    for number, line in lines:
        if line.startswith("# Dual"):
            break
        if line == "Model status":
            status = _status(output, *next(lines, (number, "nothing")))
        elif match := _STATUS.fullmatch(line):
            status, objective = _status(output, number, match[1] or match[2]), float(match[3] or objective)
        elif match := _OBJECTIVE.fullmatch(line):
            objective = float(match[1])
        elif _NAMELESS.fullmatch(line):
            raise output.error(number, shown(line), "lines with names: glpsol -o FILE, HiGHS write_solution_style=0")
        elif (match := _VALUE.fullmatch(line) or _COLUMN.fullmatch(line)) and _NAME.fullmatch(match["name"]):
            output.keep(number, f"{match['name']} {match['value']}")
    return _reading(status, objective, metadata, output)


def _reading(status: Status | None, objective: float, metadata: Metadata, output: SolverOutput) -> Reading:
    if status is None and not output.kept:
        raise output.error(0, "neither a status nor values", "the solution file of an LP or MIP solver")
    if status is None or (status is Status.UNKNOWN and output.kept):
        status = Status.FEASIBLE
    if status is Status.INFEASIBLE or not output.kept:
        return Reading(status)
    return Reading(status, grid_of_places(metadata, _true_candidates(metadata, output), output), exact_value(objective))


def _status(output: SolverOutput, number: int, phrase: str) -> Status:
    words = phrase.lower()
    if _STOPPED.search(words):
        return Status.UNKNOWN
    if "infeasible" in words or "empty" in words:
        return Status.INFEASIBLE
    if not re.match(r"(?:integer )?optimal", words):
        raise output.error(number, shown(phrase), "a status that a puzzle can have")
    return Status.OPTIMAL


def _true_candidates(metadata: Metadata, output: SolverOutput) -> Iterator[tuple[int, int, int]]:
    """(line, cell, digit) of the variables that are 1 among those that are kept."""
    board, values = metadata.puzzle.board, dict[str, int]()
    for number, line in output.kept:
        name, text = line.split()
        found, value = _NAME.fullmatch(name), float(text)
        assert found
        row, column, extra, minus, number_text = found.groups()
        cell, digit = board.named(extra or f"r{row}c{column}"), -int(number_text) if minus else int(number_text)
        if cell is None or digit not in board.digits:
            raise output.error(number, f"variable {name}", "one of the model's")
        # solvers stop within 1e-5 or less by default
        if min(abs(value), abs(value - 1)) > 1e-4:
            raise output.error(number, f"{name} = {value:g}", "0 or 1")
        if name in values and values[name] != round(value):
            raise output.error(number, f"a second value for {name}", "one")
        if round(value) and name not in values:
            yield number, cell, digit
        values[name] = round(value)
