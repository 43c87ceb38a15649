"""DIMACS CNF for SAT solvers, and weighted CNF for MaxSAT solvers, in which the cost of violated soft clauses is the
distance to the best score."""

from dataclasses import replace
from typing import BinaryIO

import numpy as np

from ringdoku.domain import Board, Primitive
from ringdoku.exports.answers import read_numbered
from ringdoku.exports.base import Request
from ringdoku.exports.metadata import Metadata
from ringdoku.lowering.cnf import lower_to_cnf, lower_to_wcnf
from ringdoku.sat.formula import Wcnf, write_dimacs, write_wcnf


def state(primitive: Primitive, board: Board) -> None:
    """Nothing is refused, since every primitive has clauses."""


def write(request: Request, stream: BinaryIO) -> None:
    puzzle, encoding, goal = request.puzzle, request.encoding, request.goal
    if goal is None:
        lowered = lower_to_cnf(puzzle, encoding)
        wcnf = Wcnf(lowered.cnf, np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.int64))
    else:
        sense = goal.objective.sense
        weighted = lower_to_wcnf(puzzle, goal.coefficients, sense, encoding)
        wcnf, lowered = weighted.wcnf, weighted.puzzle_cnf
        # Σ coefficients·digit = sign·(best − cost)
        factor = -goal.factor * sense.sign
        goal = replace(goal, constant=goal.constant - factor * weighted.best, factor=factor)
    about = Metadata(request.format_name, puzzle, goal, wcnf.hard.num_vars, lowered.digits.literals)
    if request.format_name == "cnf":
        write_dimacs(lowered.cnf, stream, about.lines())
    else:
        write_wcnf(wcnf, stream, about.lines())


read = read_numbered
