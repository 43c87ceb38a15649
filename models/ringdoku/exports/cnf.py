"""DIMACS CNF for SAT solvers, and weighted CNF for MaxSAT solvers, in which the cost of violated soft clauses is the
distance to the best score."""

from dataclasses import replace
from typing import BinaryIO

import numpy as np

from ringdoku.domain import Board, Primitive
from ringdoku.exports.answers import read_numbered
from ringdoku.exports.base import Request
from ringdoku.exports.metadata import Metadata
from ringdoku.lowering.cnf import lower_to_nonempty_cnf, lower_to_wcnf
from ringdoku.sat.formula import Wcnf, write_dimacs, write_wcnf


def state(primitive: Primitive, board: Board) -> None:
    """Nothing is refused, since every primitive has clauses."""


def write(request: Request, stream: BinaryIO) -> None:
    lowered, goal = lower_to_nonempty_cnf(request.puzzle, request.encoding), request.goal
    wcnf = Wcnf(lowered.cnf, np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.int64))
    if goal is not None:
        sense = goal.objective.sense
        weighted = lower_to_wcnf(request.puzzle, goal.coefficients, sense, lowered.options)
        wcnf, lowered = weighted.wcnf, weighted.puzzle_cnf
        # Σ coefficients·digit = sign·(best − cost)
        factor = -goal.factor * sense.sign
        goal = replace(goal, constant=goal.constant - factor * weighted.best, factor=factor)
    digits, num_vars = lowered.digits, wcnf.hard.num_vars
    about = Metadata(request.format_name, request.puzzle, goal, digits.known, num_vars, digits.literals)
    if request.format_name == "cnf":
        write_dimacs(lowered.cnf, stream, about.lines())
    else:
        write_wcnf(wcnf, stream, about.lines())


read = read_numbered
