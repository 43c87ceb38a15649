"""Solutions counted without finding each: by the model counter Ganak, of an extra package.

S. Sharma, S. Roy, M. Soos and K. S. Meel, "GANAK: A scalable probabilistic exact model counter", IJCAI 2019.
"""

from __future__ import annotations

import os
from itertools import pairwise
from math import factorial

from ringdoku.domain.puzzle import Puzzle
from ringdoku.limits import Deadline, apart
from ringdoku.services.accepting import PuzzleLike, as_puzzle
from ringdoku.solvers.registry import GANAK, NUMPY, naming_what_is_missing


def count_exactly(puzzle: PuzzleLike, time_limit: float | None = None) -> int:
    """The number of solutions, by Ganak, which counts the assignments to the candidates of open cells.

    Where the rules are houses alone, digits that no clue has can be exchanged, so they are counted in one order of
    theirs in a unit: 39,168 of the 28,200,960 blank 6×6 grids. Ganak runs in a process of its own, which the limit
    (seconds) and Ctrl-C end. Raises `TimeLimitError` at the limit, `MissingPackageError` without pyganak.
    """
    with naming_what_is_missing("an exact count", NUMPY, GANAK):
        from pyganak import Counter

        from ringdoku.lowering.cnf import lower_to_cnf
        from ringdoku.sat.options import PRESOLVED
    puzzle, deadline = as_puzzle(puzzle), Deadline.asked(time_limit)
    formula = lower_to_cnf(puzzle, PRESOLVED, deadline)
    literals: list[list[int]] = formula.digits.literals.tolist()
    clauses = list(map(list, formula.cnf.clauses()))
    if not all(clauses):
        return 0
    if not formula.cnf.num_vars:
        return 1
    copies = 1
    if free := interchangeable(puzzle):
        copies = factorial(len(free))
        rows = [literals[cell] for cell in puzzle.ruleset.units[0].cells]
        for digit, following in pairwise(free):
            # the place of a digit is before that of the next one
            for place, row in enumerate(rows):
                for later in rows[place:]:
                    one, other = row[following - puzzle.board.least], later[digit - puzzle.board.least]
                    if one and other:
                        clauses.append([-one, -other])

    parent = os.getpid()

    def count() -> int:
        if os.getpid() != parent:
            # it prints counts of 0
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        counter = Counter()
        counter.new_vars(formula.cnf.num_vars)
        counter.add_clauses(clauses)
        counter.set_sampling_set(sorted({abs(literal) for row in literals for literal in row if literal}))
        return int(counter.count())

    return copies * apart(count, deadline)


def interchangeable(puzzle: Puzzle) -> list[int]:
    """Digits of which two can be exchanged in any solution, ascending; none where that is not known."""
    if puzzle.ruleset.rest or not puzzle.ruleset.units:
        return []
    return [digit for digit in puzzle.board.digits if digit not in puzzle.clues.digits]
