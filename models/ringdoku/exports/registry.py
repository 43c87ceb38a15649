"""Every format that a model can be exported to, in one table. A format's module is loaded on use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, BinaryIO

from ringdoku.answers.text import SolverOutput
from ringdoku.domain.errors import UsageError

if TYPE_CHECKING:
    from ringdoku.domain.board import Board
    from ringdoku.domain.constraint import Constraint
    from ringdoku.domain.primitives import Primitive
    from ringdoku.exports.about import About
    from ringdoku.exports.base import Reading, Request


@dataclass(frozen=True)
class ExportFormat:
    """A file format for models.

    `has_objective`: it can state an objective. `takes_encoding`: all encoding options apply to it. `has_binary`:
    there is a binary form beside the text. The module of the same name has `write(request, stream)`; `read(about,
    model, output)`, which reads a solver's answer; and `state(primitive, board)`, the statement of a primitive, which
    raises `stating.UnsayableError` if the format cannot state it.
    """

    name: str
    summary: str
    solvers: str
    has_objective: bool = True
    takes_encoding: bool = False
    has_binary: bool = False

    def write(self, request: Request, stream: BinaryIO) -> None:
        """Raises `UnsupportedRuleError` for a rule that the format cannot state, before anything is written."""
        import_module(f"ringdoku.exports.{self.name}").write(request, stream)

    def read(self, about: About, model: bytes, output: SolverOutput) -> Reading:
        reading: Reading = import_module(f"ringdoku.exports.{self.name}").read(about, model, output)
        return reading

    def state(self, primitive: Primitive, board: Board) -> object:
        return import_module(f"ringdoku.exports.{self.name}").state(primitive, board)


EXPORTS: Mapping[str, ExportFormat] = {
    row.name: row
    for row in (
        ExportFormat(
            "cnf",
            "DIMACS CNF, for SAT solvers",
            "minisat, cadical, kissat, cryptominisat5, clasp",
            has_objective=False,
            takes_encoding=True,
        ),
        ExportFormat(
            "wcnf",
            "weighted CNF, for MaxSAT solvers since 2022",
            "PySAT's rc2.py, EvalMaxSAT, MaxHS, UWrMaxSat",
            takes_encoding=True,
        ),
        ExportFormat("opb", "pseudo-Boolean competition format", "clasp, minisat+, RoundingSat, Sat4j"),
        ExportFormat("lp", "CPLEX LP, integer programming for people", "HiGHS, SCIP, CBC, GLPK, Gurobi, CPLEX"),
        ExportFormat("mps", "free MPS, integer programming for programs", "HiGHS, SCIP, CBC, GLPK, Gurobi, CPLEX"),
        ExportFormat(
            "mzn", "MiniZinc with alldifferent, table and regular", "minizinc with Gecode, Chuffed or OR-tools"
        ),
        ExportFormat("cpsat", "protocol buffer of OR-tools CP-SAT", "CP-SAT in any language", has_binary=True),
        ExportFormat("smt2", "SMT-LIB 2 with distinct", "z3; without an objective also cvc5 and Yices"),
        ExportFormat("xcsp3", "XCSP3 core, XML for constraint solvers", "ACE, Choco, Sat4j"),
    )
}
"""Every format by its name."""


def find_export(name: str) -> ExportFormat:
    """Raises `UsageError` for a name that does not exist."""
    if name not in EXPORTS:
        raise UsageError(f"no model format is called {name!r}; there are: {', '.join(EXPORTS)}")
    return EXPORTS[name]


def can_state(format_name: str, constraint: Constraint, board: Board) -> bool:
    """Whether the format of this name can state a constraint on a board, with any other constraints.

    Raises `UsageError` for a name that does not exist.
    """
    from ringdoku.exports.stating import UnsayableError, primitives_of

    form = find_export(format_name)
    try:
        for primitive in primitives_of(constraint, board):
            form.state(primitive, board)
    except UnsayableError:
        return False
    return True
