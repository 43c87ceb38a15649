"""DIMACS CNF for SAT solvers, and weighted CNF for MaxSAT solvers, whose costs are distances to the best score."""

from dataclasses import replace
from typing import BinaryIO

import numpy as np

from ringdoku.domain import Grid, Puzzle
from ringdoku.exports.answers import read_numbered
from ringdoku.exports.base import Metadata, Request, numbers_of, wrapped
from ringdoku.lowering.cnf import PuzzleCnf, lower_to_cnf, lower_to_wcnf
from ringdoku.sat.formula import Cnf, Wcnf, write_dimacs, write_wcnf


def write(request: Request, stream: BinaryIO) -> None:
    puzzle, encoding, goal = request.puzzle, request.encoding, request.goal
    if goal is None:
        lowered = lower_to_cnf(puzzle, encoding)
        lowered = _with_numbering(lowered, request.numbering) if request.numbering else lowered
        wcnf = Wcnf(lowered.cnf, np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.int64))
    else:
        sense = goal.objective.sense
        lowered, wcnf, best = lower_to_wcnf(puzzle, goal.coefficients, sense, encoding)
        # Σ coefficients·digit = sign·(best − cost)
        factor = -goal.factor * sense.sign
        goal = replace(goal, constant=goal.constant - factor * best, factor=factor)
    metadata = Metadata(request.format_name, puzzle, goal, wcnf.hard.num_vars, lowered.digits.literals)
    if request.format_name == "wcnf":
        write_wcnf(wcnf, stream, metadata.lines())
        return
    cnf = lowered.cnf
    if request.part:
        # the clues come last, each a clause of one literal and a 0
        rules = len(cnf.literals) - 2 * puzzle.clues.filled_count
        if request.part == "rules":
            metadata = replace(metadata, puzzle=Puzzle(puzzle.ruleset, Grid.blank(puzzle.board)))
        cnf = Cnf(cnf.num_vars, cnf.literals[:rules] if request.part == "rules" else cnf.literals[rules:])
    shown = np.unique(np.abs(lowered.digits.literals[: puzzle.board.grid_count]))
    comments = [*metadata.lines()]
    if request.part != "clues" and np.count_nonzero(shown) < cnf.num_vars:
        # for model counters, as other variables may have several values for one grid (Model Counting Competition 2021)
        comments += [f"p show{line} 0" for line in wrapped(map(str, shown[shown > 0].tolist()), 80)]
    write_dimacs(cnf, stream, comments)


def _with_numbering(lowered: PuzzleCnf, numbering: str) -> PuzzleCnf:
    """The formula with these numbers for candidates; variables that rules need come after, from 1000 for rcd."""
    numbers, literals = numbers_of(lowered.digits.board, numbering), lowered.digits.literals
    new = np.zeros(lowered.cnf.num_vars + 1, dtype=np.int32)
    new[literals[literals != 0]] = numbers[literals != 0]
    others = np.flatnonzero(new == 0)[1:]
    new[others] = numbers.max() + 1 + np.arange(len(others))
    body = lowered.cnf.literals
    renumbered = Cnf(int(new.max()), np.sign(body) * new[np.abs(body)])
    return PuzzleCnf(renumbered, replace(lowered.digits, literals=new[literals]))


read = read_numbered
