"""What exported models mean, for tests: the solutions of each format, by a solver or by evaluating the text.

SMT-LIB and XCSP3 have no solver among the packages of tests, so their constraints are evaluated on given grids.
"""

import io
import operator
import re
import shlex
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from functools import reduce
from itertools import product
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
from conftest import FIXTURES
from ortools.sat.python import cp_model  # noqa: TID253 - models are solved with it
from pysat.solvers import Solver  # noqa: TID253 - formulas are solved with it

from ringdoku import Board, Grid, Objective, Puzzle, check
from ringdoku.exports import decode, export
from ringdoku.exports.base import read_metadata
from ringdoku.lowering.cnf import PuzzleCnf
from ringdoku.sat.formula import Cnf
from ringdoku.sat.options import EncodingOptions

OF_FORMATS = (FIXTURES / "programs.txt").read_text().replace("PYTHON", shlex.quote(sys.executable)).splitlines()
"""Programs for models in other formats; the last one is always there."""

NOTHING = Grid.blank(Board.square(1))
Accepts = Callable[[Grid], bool]
HIGHS = """
import sys
import highspy
for file in sys.argv[1:]:
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    assert solver.readModel(file) == highspy.HighsStatus.kOk
    solver.run()
    solver.writeSolution(file + ".answer", 0)
"""
"""A program that solves models by HiGHS; the answer to each is in a file beside it."""


def exported(puzzle: Puzzle, name: str, objective: Objective | None = None, **options: bool | EncodingOptions) -> bytes:
    stream = io.BytesIO()
    export(puzzle, name, stream, objective, **options)  # type: ignore[arg-type]
    return stream.getvalue()


def all_grids(formula: PuzzleCnf, clues: Grid | None = None) -> Iterator[Grid]:
    """Every grid that a satisfying assignment decodes to, once; `clues` are assumed on top."""
    literals = formula.digits.literals
    given_digits = [int(literals[cell, digit - 1]) for cell, digit in enumerate(clues.digits) if digit] if clues else []
    with Solver(name="minisat22", bootstrap_with=formula.cnf.clauses()) as solver:
        while solver.solve(assumptions=given_digits):
            grid = formula.digits.decode(solver.get_model())
            yield grid
            solver.append_formula(formula.digits.blocking_clauses((grid,)))


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


def cpsat_answers(model: bytes) -> Iterator[bytes]:
    """What CP-SAT answers to a `cpsat` model; then to the same without the grids that it found."""
    parsed, solver = cp_model.CpModel(), cp_model.CpSolver()
    assert parsed.proto.parse_text_format(model.decode())
    solver.parameters.num_workers = 1
    while solver.solve(parsed) == cp_model.OPTIMAL:
        answer = str(solver.response_proto).encode()
        yield answer
        digits = decode(model, answer).result.grid.digits  # type: ignore[union-attr]  # checked by decode
        cells = [parsed.get_int_var_from_proto_index(cell) for cell in range(len(digits))]
        parsed.add_forbidden_assignments(cells, [digits])


def cpsat_solutions(model: bytes) -> set[Grid]:
    """Of a `cpsat` model, by CP-SAT."""
    found = [decode(model, answer).result.grid for answer in cpsat_answers(model)]
    assert len(set(found)) == len(found)
    return {grid for grid in found if grid is not None}


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


def clingo_solutions(model: bytes) -> set[Grid]:
    """Of an `asp` model, by clingo."""
    asked = ["clingo", "-n", "0", "--project=show", "-"]
    done = subprocess.run(asked, input=model, capture_output=True, timeout=60, check=False)
    assert b"error" not in done.stderr, done.stderr
    answers = re.split(rb"(?m)^Answer: .*$", done.stdout)[1:]
    assert answers or b"UNSATISFIABLE" in done.stdout
    return {decode(model, b"Answer: 1" + answer + b"\nSATISFIABLE").result.grid or NOTHING for answer in answers}


def cover_solutions(model: bytes) -> set[Grid]:
    """Of a `dlx` model, by Algorithm X on sets."""
    header, *lines = [line.split() for line in model.decode().splitlines() if line[:1] != "|"]
    primary = set(header[: header.index("|") if "|" in header else None])

    def covers(items: set[str], options: list[frozenset[str]]) -> Iterator[str]:
        if not items:
            yield ""
            return
        item = min(items, key=lambda one: sum(one in option for option in options))
        for option in (option for option in options if item in option):
            for rest in covers(items - option, [other for other in options if not other & option]):
                yield f"{' '.join(option)}\n{rest}"

    covered = covers(primary, list(map(frozenset, lines)))
    return {decode(model, answer.encode()).result.grid or NOTHING for answer in covered}


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
    tokens = iter(re.findall(r"[()]|[^\s()]+", re.sub(r";.*", "", model.decode())))
    commands = _expressions(tokens)
    names = [command[1] for command in commands if command[0] == "declare-const"]
    assertions = [command[1] for command in commands if command[0] == "assert"]
    return lambda grid: all(_smt_value(term, dict(zip(names, grid.digits, strict=True))) for term in assertions)


def _expressions(tokens: Iterator[str]) -> list[Any]:
    found: list[Any] = []
    while (token := next(tokens, ")")) != ")":
        found.append(_expressions(tokens) if token == "(" else token)
    return found


_SMT: dict[str, Callable[..., Any]] = {
    "and": lambda *values: all(values),
    "or": lambda *values: any(values),
    "distinct": lambda *values: len(set(values)) == len(values),
    "=": lambda *values: len(set(values)) == 1,
    "<=": lambda *values: list(values) == sorted(values),
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
    return lambda grid: all(holds(dict(zip(names, grid.digits, strict=True))) for holds in held)


def _xcsp3_constraint(element: ET.Element) -> Callable[[dict[str, int]], bool]:
    """On the values of all variables."""
    texts = {child.tag: (child.text or "").strip() for child in element}
    variables = (texts.get("list") or element.text or "").split()
    if element.tag == "intension":
        return _xcsp3_expression(element.text or "")
    numbers = {tag: list(map(int, texts.get(tag, "").split())) for tag in ("values", "coeffs")}
    rows = {tuple(map(int, row.split(","))) for row in re.findall(r"\(?([-\d,]+)\)?", texts.get("supports", ""))}
    rows |= {tuple(map(int, row.split(","))) for row in re.findall(r"\(?([-\d,]+)\)?", texts.get("conflicts", ""))}
    low, high = _xcsp3_limits(texts.get("condition", "(eq,0)"))
    edges = re.findall(r"\((\w+),(-?\d+),(\w+)\)", texts.get("transitions", ""))
    following = {(state, int(digit)): after for state, digit, after in edges}
    sinks = {after for *_, after in edges} - {state for state, *_ in edges}
    assert len(following) == len(edges)
    assert len(sinks) == (element.tag == "mdd")
    tests: dict[str, Callable[[tuple[int, ...]], bool]] = {
        "allDifferent": lambda at: len(set(at)) == len(at),
        "instantiation": lambda at: list(at) == numbers["values"],
        "sum": lambda at: low <= sum(map(operator.mul, numbers["coeffs"], at)) <= high,
        "count": lambda at: low <= sum(value in numbers["values"] for value in at) <= high,
        "extension": lambda at: (at in rows) == ("supports" in texts),
        "mdd": lambda at: reduce(lambda state, digit: following.get((state, digit), ""), at, edges[0][0]) in sinks,
    }
    return lambda values: tests[element.tag](tuple(values[name] for name in variables))


def _xcsp3_limits(condition: str) -> tuple[float, float]:
    found = re.fullmatch(r"\((\w+),(-?\d+)(?:\.\.(-?\d+))?\)", condition)
    assert found, condition
    first, last = int(found[2]), int(found[3] or found[2])
    return {"eq": (first, first), "le": (-inf, first), "ge": (first, inf), "in": (first, last)}[found[1]]


def _xcsp3_expression(text: str) -> Callable[[dict[str, int]], bool]:
    text = re.sub(r"((?:grid|extra)(?:\[\d+\])+)", r"v['\1']", text)
    code = compile(re.sub(r"\b(and|or|in|set)\(", r"\1_(", text).strip(), "intension", "eval")
    return lambda values: bool(eval(code, {"v": values, **_XCSP3}))


_XCSP3: dict[str, Callable[..., Any]] = {
    "and_": lambda *values: all(values),
    "or_": lambda *values: any(values),
    "in_": lambda value, members: value in members,
    "set_": lambda *values: set(values),
    "add": lambda *values: sum(values),
    **{name: getattr(operator, name) for name in ("mul", "eq", "ne", "lt", "le", "ge")},
}
