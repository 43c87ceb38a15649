"""What exported models mean, for tests: the solutions of each format, by a solver or by evaluating the text.

SMT-LIB and XCSP3 have no solver among the packages of tests, so their constraints are evaluated on given grids.
"""

from __future__ import annotations

import io
import operator
import re
import subprocess
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from functools import reduce
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
from ortools.sat.python import cp_model  # noqa: TID253 - models are solved with it
from pysat.solvers import Solver  # noqa: TID253 - formulas are solved with it

from ringdoku import Grid, Objective, Puzzle, check
from ringdoku.exports import decode, export
from ringdoku.exports.metadata import read_metadata
from ringdoku.sat import Cnf
from ringdoku.sat.options import EncodingOptions

Accepts = Callable[[Grid], bool]


def exported(puzzle: Puzzle, name: str, objective: Objective | None = None, **options: bool | EncodingOptions) -> bytes:
    stream = io.BytesIO()
    export(puzzle, name, stream, objective, **options)  # type: ignore[arg-type]
    return stream.getvalue()


def formula_of(model: bytes) -> Cnf:
    """The formula of a `cnf` model."""
    header, _, clauses = re.sub(rb"(?m)^c.*\n", b"", model).partition(b"\n")
    return Cnf(int(header.split()[2]), np.array(clauses.split(), dtype=np.int32))


def candidates(puzzle: Puzzle) -> Iterator[Grid]:
    """Every way to fill the blanks."""
    board = puzzle.board
    digits = [board.digits if clue == board.blank else (clue,) for clue in puzzle.clues.digits]
    return (Grid(filled, board) for filled in product(*digits))


def expected(puzzle: Puzzle) -> set[Grid]:
    """The solutions, by the checker alone."""
    return {grid for grid in candidates(puzzle) if not check(puzzle, grid)}


def accepted(puzzle: Puzzle, accepts: Accepts) -> set[Grid]:
    """The grids that a model accepts."""
    return {grid for grid in candidates(puzzle) if accepts(grid)}


def cnf_solutions(model: bytes) -> set[Grid]:
    """Of a `cnf` model, by a SAT solver."""
    literals = read_metadata(model, "model").literals
    assert literals is not None
    meant = [abs(literal) for literal in literals.reshape(-1).tolist() if literal]
    found = set()
    with Solver("cadical195", bootstrap_with=formula_of(model).clauses()) as solver:
        while solver.solve():
            assignment = solver.get_model()
            grid = decode(model, f"s SATISFIABLE\nv {' '.join(map(str, assignment))} 0\n".encode()).result.grid
            assert grid is not None
            assert grid not in found
            found.add(grid)
            values = {abs(literal): literal for literal in assignment}
            solver.add_clause([-values[variable] for variable in meant])
    return found


def cpsat_answer(model: bytes) -> bytes:
    """What CP-SAT answers to a `cpsat` model."""
    parsed, solver = cp_model.CpModel(), cp_model.CpSolver()
    assert parsed.proto.parse_text_format(model.decode())
    solver.parameters.num_workers = 1
    solver.solve(parsed)
    return str(solver.response_proto).encode()


def cpsat_solutions(model: bytes) -> set[Grid]:
    """Of a `cpsat` model, by CP-SAT, one after the other: other variables may have several values for one grid."""
    parsed, solver = cp_model.CpModel(), cp_model.CpSolver()
    assert parsed.proto.parse_text_format(model.decode())
    solver.parameters.num_workers = 1
    found = set()
    while solver.solve(parsed) == cp_model.OPTIMAL:
        grid = decode(model, str(solver.response_proto).encode()).result.grid
        assert grid is not None
        assert grid not in found
        found.add(grid)
        cells = [parsed.get_int_var_from_proto_index(cell) for cell in range(len(grid.digits))]
        parsed.add_forbidden_assignments(cells, [grid.digits])
    return found


def clasp_solutions(model: bytes, folder: Path) -> set[Grid]:
    """Of an `opb` model, by clasp."""
    file = folder / "model.opb"
    file.write_bytes(model)
    done = subprocess.run(["clasp", "-n", "0", "-q0", file], capture_output=True, text=True, timeout=60, check=False)
    assert "ERROR" not in done.stdout + done.stderr, done.stderr
    answers = re.split(r"^c Answer: .*$", done.stdout, flags=re.MULTILINE)[1:]
    grids = [
        decode(model, b"s SATISFIABLE\n" + "\n".join(re.findall(r"^v .*", answer, re.MULTILINE)).encode())
        for answer in answers
    ]
    return {decoded.result.grid for decoded in grids if decoded.result.grid is not None}


def minizinc_solutions(model: bytes, folder: Path) -> set[Grid]:
    """Of an `mzn` model, by MiniZinc."""
    file = folder / "model.mzn"
    file.write_bytes(model)
    done = subprocess.run(["minizinc", "-a", file], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    *answers, end = done.stdout.split("----------\n")
    assert end.strip() in ("==========", "=====UNSATISFIABLE=====")
    grids = [decode(model, f"{answer}----------\n".encode()).result.grid for answer in answers]
    return {grid for grid in grids if grid is not None}


def smt2_accepts(model: bytes) -> Accepts:
    """Whether every assertion of an `smt2` model holds for a grid."""
    tokens = re.findall(r"[()]|[^\s()]+", re.sub(r";.*", "", model.decode()))
    names, assertions = [], []
    for command in _expressions(iter(tokens)):
        match command:
            case ["declare-const", name, "Int"]:
                names.append(name)
            case ["assert", term]:
                assertions.append(term)

    def accepts(grid: Grid) -> bool:
        values: dict[str, Any] = dict(zip(names, grid.digits, strict=True))
        return all(_smt_value(term, values) for term in assertions)

    return accepts


def _expressions(tokens: Iterator[str]) -> list[Any]:
    found: list[Any] = []
    for token in tokens:
        if token == ")":
            break
        found.append(_expressions(tokens) if token == "(" else token)
    return found


def _chained(relation: Callable[[Any, Any], bool]) -> Callable[..., bool]:
    return lambda *values: all(relation(one, other) for one, other in pairwise(values))


_SMT: dict[str, Callable[..., Any]] = {
    "and": lambda *values: all(values),
    "or": lambda *values: any(values),
    "distinct": lambda *values: len(set(values)) == len(values),
    "=": _chained(operator.eq),
    "<=": _chained(operator.le),
    "+": lambda *values: sum(values),
    "*": operator.mul,
    "-": operator.neg,
    "ite": lambda condition, one, other: one if condition else other,
}


def _smt_value(term: Any, values: dict[str, Any]) -> Any:
    match term:
        case ["let", bindings, body]:
            return _smt_value(body, values | {name: _smt_value(bound, values) for name, bound in bindings})
        case [function, *arguments]:
            return _SMT[function](*(_smt_value(argument, values) for argument in arguments))
        case "true" | "false":
            return term == "true"
        case _:
            return values[term] if term in values else int(term)


def xcsp3_accepts(model: bytes) -> Accepts:
    """Whether every constraint of an `xcsp3` model holds for a grid."""
    root = ET.fromstring(model)
    names: list[str] = []
    for array in root.findall("variables/array"):
        sizes = [range(int(size)) for size in re.findall(r"\[(\d+)\]", array.attrib["size"])]
        names += (array.attrib["id"] + "".join(f"[{index}]" for index in place) for place in product(*sizes))
    held = [_xcsp3_constraint(element) for element in root.findall("constraints/*")]

    def accepts(grid: Grid) -> bool:
        values = dict(zip(names, grid.digits, strict=True))
        return all(holds(values) for holds in held)

    return accepts


def _xcsp3_constraint(element: ET.Element) -> Callable[[dict[str, int]], bool]:
    variables = (element.findtext("list") or element.text or "").split()

    def at(values: dict[str, int]) -> tuple[int, ...]:
        return tuple(values[name] for name in variables)

    def numbers(tag: str) -> list[int]:
        return list(map(int, (element.findtext(tag) or "").split()))

    match element.tag:
        case "allDifferent":
            return lambda values: len(set(at(values))) == len(variables)
        case "instantiation":
            return lambda values: list(at(values)) == numbers("values")
        case "sum":
            test = _condition(element)
            return lambda values: test(sum(map(operator.mul, numbers("coeffs"), at(values))))
        case "count":
            test = _condition(element)
            return lambda values: test(sum(value in numbers("values") for value in at(values)))
        case "extension":
            kind = "supports" if element.find("supports") is not None else "conflicts"
            text = element.findtext(kind) or ""
            rows = {tuple(map(int, row.split(","))) for row in re.findall(r"\(([^)]*)\)", text)}
            rows = rows or {(int(value),) for value in text.split()}
            return lambda values: (at(values) in rows) == (kind == "supports")
        case "mdd":
            edges = re.findall(r"\((\w+),(-?\d+),(\w+)\)", element.findtext("transitions") or "")
            following = {(state, int(digit)): after for state, digit, after in edges}
            assert len(following) == len(edges)
            sinks = {after for *_, after in edges} - {state for state, *_ in edges}
            assert len(sinks) == 1
            start = edges[0][0]
            return lambda values: (
                reduce(lambda state, digit: following.get((state, digit), ""), at(values), start) in sinks
            )
        case "intension":
            expression = re.sub(
                r"\b(and|or|in|set)\(", r"\1_(", re.sub(r"((?:grid|extra)(?:\[\d+\])+)", r"v['\1']", element.text or "")
            )
            code = compile(expression.strip(), "intension", "eval")
            return lambda values: bool(eval(code, {"v": values, **_XCSP3}))
        case tag:
            raise AssertionError(tag)


_XCSP3: dict[str, Callable[..., Any]] = {
    "and_": lambda *values: all(values),
    "or_": lambda *values: any(values),
    "in_": lambda value, members: value in members,
    "set_": lambda *values: set(values),
    "add": lambda *values: sum(values),
    "mul": operator.mul,
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "ge": operator.ge,
}


def _condition(element: ET.Element) -> Callable[[int], bool]:
    text = element.findtext("condition") or ""
    found = re.fullmatch(r"\((\w+),(-?\d+)(?:\.\.(-?\d+))?\)", text.strip())
    assert found, text
    first, last = int(found[2]), int(found[3] or found[2])
    tests: dict[str, Callable[[int], bool]] = {
        "eq": lambda value: value == first,
        "le": lambda value: value <= first,
        "ge": lambda value: value >= first,
        "in": lambda value: first <= value <= last,
    }
    return tests[found[1]]
