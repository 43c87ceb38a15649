"""Export a puzzle as a model file for other solvers, and decode their answers to grids.

>>> import io
>>> from ringdoku import Puzzle, ring_weights
>>> from ringdoku.exports import decode, export
>>> puzzle = Puzzle.of_rows([[1, 0, 0, 4], [0, 0, 0, 0], [0, 0, 0, 0], [4, 3, 2, 1]])
>>> file = io.BytesIO()
>>> export(puzzle, "opb", file, ring_weights(puzzle.board))
>>> answer = b"s UNSATISFIABLE"  # what a solver wrote
>>> decode(file.getvalue(), answer).result.status.value
'infeasible'

`EXPORTS` lists the formats, with their modules, which are loaded on use. To read first: `base`, which describes the
comments of every model file, `answers`, and a short format such as `smt2`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, BinaryIO

from ringdoku.domain import Board, Constraint, Objective, Puzzle, Result, Status, write_constraint
from ringdoku.domain.checker import check
from ringdoku.domain.errors import InputError, Place, UsageError, expect, perhaps, refuse

if TYPE_CHECKING:
    # these import numpy, which a list of formats does not need
    from ringdoku.exports.answers import Reading, SolverOutput
    from ringdoku.exports.base import Metadata
    from ringdoku.sat.options import EncodingOptions


@dataclass(frozen=True)
class ExportFormat:
    """A file format for models, written and read by a module of `ringdoku.exports`. `has_objective`: it can state an
    objective. `takes_encoding`: all encoding options apply to it. `houses_alone`: it states no other rules."""

    name: str
    summary: str
    solvers: str
    module_name: str
    has_objective: bool = True
    takes_encoding: bool = False
    houses_alone: bool = False

    @property
    def module(self) -> Any:
        """The module, with `write(request, stream)`; `read(metadata, output)`, which reads a solver's answer; and maybe
        `state(primitive, board)`, the statement of a primitive, which raises `base.UnsupportedConstraintError` for what
        the format cannot state."""
        return import_module(f"ringdoku.exports.{self.module_name}")


WORD_OF_SOLVER = "the word of the solver"
"""The ground of a proof that `decode` reads, as in `Result`."""
_CP = "minizinc with Gecode, Chuffed or OR-tools"
_MIP = "HiGHS, SCIP, CBC, GLPK, Gurobi, CPLEX"
_SAT = "minisat, cadical, kissat, cryptominisat5, clasp"
_MAXSAT = "PySAT's rc2.py, EvalMaxSAT, MaxHS, UWrMaxSat"
EXPORTS: Mapping[str, ExportFormat] = {
    row.name: row
    for row in (
        ExportFormat("cnf", "DIMACS CNF, for SAT solvers", _SAT, "cnf", has_objective=False, takes_encoding=True),
        ExportFormat("wcnf", "weighted CNF, for MaxSAT solvers since 2022", _MAXSAT, "cnf", takes_encoding=True),
        ExportFormat("opb", "pseudo-Boolean competition format", "clasp, minisat+, RoundingSat, Sat4j", "rows"),
        ExportFormat("lp", "CPLEX LP, integer programming for people", _MIP, "rows"),
        ExportFormat("mps", "free MPS, integer programming for programs", _MIP, "rows"),
        ExportFormat("mzn", "MiniZinc with alldifferent, table and regular", _CP, "mzn"),
        ExportFormat("cpsat", "protocol buffer of OR-tools CP-SAT", "CP-SAT in any language", "cpsat"),
        ExportFormat("smt2", "SMT-LIB 2 with distinct", "z3; without an objective also cvc5 and Yices", "smt2"),
        ExportFormat("xcsp3", "XCSP3 core, XML for constraint solvers", "ACE, Choco, Sat4j", "xcsp3"),
        ExportFormat("asp", "answer set program: facts, then rules", "clingo, gringo with clasp", "asp"),
        ExportFormat("dlx", "exact cover, a line for each candidate", "Knuth's dlx1", "dlx", False, houses_alone=True),
    )
}
"""Every format by its name."""


PRESOLVING = ("cnf", "wcnf", "opb", "lp", "mps", "dlx")
"""The formats whose variables are candidates, of which presolve leaves some out."""
NUMBERINGS, PARTS = ("plain", "rcd"), ("rules", "clues")
"""How formulas may number candidates (`base.numbers_of`); and the two parts in which a formula may be written."""
SYNONYMS = {"clingo": "asp", "exact-cover": "dlx", "dimacs": "cnf", "sat": "cnf", "maxsat": "wcnf", "minizinc": "mzn"}
SYNONYMS |= {"smtlib": "smt2", "smt": "smt2"}
"""Other names that people use for formats, for hints."""


def find_export(name: str, others: Iterable[str] = ()) -> ExportFormat:
    """The format of this name. Raises `UsageError` for an unknown name; `others` are names that the message adds."""
    expect(name, str, "the name of a format")
    if name not in EXPORTS:
        known = (*EXPORTS, *others)
        near = f" (perhaps {SYNONYMS[name]!r})" if name in SYNONYMS else perhaps(name, known)
        raise UsageError(f"no format is called {name!r}{near}; there are: {', '.join(known)}")
    return EXPORTS[name]


def can_state(format_name: str, constraint: Constraint, board: Board) -> bool:
    """Whether the format of this name can state a constraint on a board, with any other constraints. Raises
    `UsageError` for a name that does not exist."""
    from ringdoku.exports.base import UnsupportedConstraintError, statements

    try:
        statements(constraint, board, find_export(format_name).module)
    except UnsupportedConstraintError:
        return False
    return True


def export(
    puzzle: Puzzle,
    format_name: str,
    stream: BinaryIO,
    objective: Objective | None = None,
    *,
    projected: bool = True,
    encoding: "EncodingOptions | None" = None,
    numbering: str = "",
    part: str = "",
) -> None:
    """Write the model of `puzzle` in the format of this name of `EXPORTS`. `objective` None asks for any solution. If
    `projected`, an equal objective on fewer cells is written. `encoding` None is the textbook's encoding with presolve.
    A cnf model in which a variable is a candidate may have the numbers of a `numbering`, and one without presolve may
    be written in `part`s. Raises `UsageError` for an option that the format does not have, or a rule that it cannot
    state, before anything is written, `DimensionError` for an objective of another size."""
    from ringdoku.exports.base import ModelObjective, Request, UnsupportedConstraintError, statements
    from ringdoku.sat.options import PRESOLVED, TEXTBOOK

    expect(puzzle, Puzzle, "what is exported")
    takes_bytes = hasattr(stream, "write") and not hasattr(stream, "encoding")
    refuse(not takes_bytes, f"a model is written to a stream of bytes, such as BytesIO(), not {type(stream).__name__}")
    form = find_export(format_name)
    encoding = encoding or PRESOLVED
    if objective is not None:
        expect(objective, Objective, "an objective")
        objective.fits(puzzle.board)
        _require_ability(form, "objective", "has_objective")
    if encoding not in (PRESOLVED, TEXTBOOK):
        _require_ability(form, "CNF encoding", "takes_encoding")
    if numbering and (form.name, encoding.digits) != ("cnf", "direct"):
        raise UsageError(f"the names {numbering} are for cnf models with direct digits")
    refuse(part not in ("", *PARTS), f"no part is called {part!r}; there are: {', '.join(PARTS)}")
    if part and (form.name != "cnf" or encoding.presolve):
        raise UsageError("rules and clues are apart in cnf models without presolve alone")
    goal = None if objective is None else ModelObjective.of(puzzle, objective, projected)
    board, module, statements_of_rules = puzzle.board, form.module, []
    for constraint in puzzle.ruleset.constraints:
        try:
            statements_of_rules += statements(constraint, board, module)
        except UnsupportedConstraintError as error:
            able = ", ".join(name for name in EXPORTS if can_state(name, constraint, board))
            rule, can = write_constraint(constraint, board), f"formats that can: {able}" if able else "no format can"
            raise UsageError(f"format {form.name} cannot state the rule {rule!r}: {error}; {can}") from None
    module.write(Request(form.name, puzzle, statements_of_rules, goal, encoding, numbering, part), stream)


def _require_ability(form: ExportFormat, what: str, ability: str) -> None:
    if not getattr(form, ability):
        able = ", ".join(other.name for other in EXPORTS.values() if getattr(other, ability))
        raise UsageError(f"format {form.name} has no {what}; those that have: {able}")


@dataclass(frozen=True)
class Decoded:
    """The puzzle and objective of the model, and the answer as a result of `solve` or `maximise`. The grid and the
    score are checked. For "infeasible" and "optimal" there is only the solver's word."""

    puzzle: Puzzle
    objective: Objective | None
    result: Result


def decode(
    model: bytes, answer: bytes | BinaryIO, model_name: str = "<model>", answer_name: str = "<answer>"
) -> Decoded:
    """The checked grid of a solver's `answer` to an exported `model`; the names appear in messages. The `answer` is
    read line by line, and only as much of it as an answer to this model can need is kept. Raises `InputError` when
    `model` was not exported by this library, or when `answer` is truncated, belongs to another model, is not the output
    of a solver, or has a grid that breaks a rule or an objective value that does not match the grid."""
    from ringdoku.exports.answers import SolverOutput
    from ringdoku.exports.base import read_metadata, shown

    expect(model, bytes, "a model")
    metadata = read_metadata(model.removeprefix(b"\xef\xbb\xbf"), model_name)
    if metadata.format_name not in EXPORTS:
        found = f"a model of format {shown(metadata.format_name)}"
        raise InputError(Place(model_name), found, f"one of {', '.join(EXPORTS)}")
    output = SolverOutput(answer, answer_name, metadata.num_vars)
    return _checked_answer(metadata, EXPORTS[metadata.format_name].module.read(metadata, output), output)


def decode_numbers(puzzle: Puzzle, answer: bytes | BinaryIO, numbering: str, answer_name: str = "<answer>") -> Decoded:
    """The checked grid of an answer to a formula of your own for `puzzle`, in which the variables of candidates have
    the numbers of `numbering`: a solver's output, or its true literals. Raises `InputError` as `decode` does."""
    from ringdoku.exports.answers import SolverOutput, read_numbered
    from ringdoku.exports.base import Metadata, numbers_of

    expect(puzzle, Puzzle, "the puzzle of an answer")
    literals = numbers_of(puzzle.board, numbering)
    # with room for variables of its own besides those of candidates
    metadata = Metadata("cnf", puzzle, None, max(10**6, 2 * int(literals.max())), literals)
    output = SolverOutput(answer, answer_name, metadata.num_vars)
    return _checked_answer(metadata, read_numbered(metadata, output, is_bare=True), output)


def _checked_answer(metadata: "Metadata", reading: "Reading", output: "SolverOutput") -> Decoded:
    """The answer as a result; raises `InputError` if its grid or score is wrong."""
    from ringdoku.duality.projection import projected
    from ringdoku.exports.answers import FOREIGN

    objective, grid, status = metadata.score.objective if metadata.score else None, reading.grid, reading.status
    if status is Status.INFEASIBLE or (status is Status.UNKNOWN and grid is None):
        ground = WORD_OF_SOLVER if status is Status.INFEASIBLE else ""
        return Decoded(metadata.puzzle, objective, Result(status, ground=ground))
    if grid is None:
        raise output.error(0, f"status {status.value} without an assignment", FOREIGN)
    if violations := check(metadata.puzzle, grid):
        raise output.error(0, f"no solution ({violations[0]})", FOREIGN)
    if metadata.score is None:
        return Decoded(metadata.puzzle, None, Result(Status.SATISFIABLE, grid, ground="the grid"))
    score = metadata.score.objective.score(grid)
    if reading.value is not None and metadata.score.constant + metadata.score.factor * reading.value != score:
        raise output.error(0, f"objective value {reading.value} with a grid that scores {score}", FOREIGN)
    result = Result(Status.FEASIBLE, grid, score)
    # without a coefficient all solutions have the same score, and solvers say only that there is one
    if status is Status.OPTIMAL or not any(projected(metadata.puzzle, metadata.score.objective).coefficients):
        result = Result(Status.OPTIMAL, grid, score, bound=score, ground=WORD_OF_SOLVER)
    return Decoded(metadata.puzzle, objective, result)
