"""What all solutions of a puzzle have, without finding each: true candidates, about their number, and their number by
the model counter Ganak, of an extra package.

S. Sharma, S. Roy, M. Soos and K. S. Meel, "GANAK: A scalable probabilistic exact model counter", IJCAI 2019.
"""

import os
from dataclasses import dataclass
from itertools import combinations_with_replacement, pairwise
from math import factorial
from random import Random
from statistics import mean, stdev

from ringdoku.deduction.rules import propagators
from ringdoku.domain import Result, Status, UsageError
from ringdoku.domain.checker import check_result
from ringdoku.limits import Deadline, apart
from ringdoku.services.session import PuzzleLike, as_puzzle
from ringdoku.solvers.registry import of_extra

BACKEND = "minisat22"
"""Its phases can be set, and it answers many easy questions faster than others."""


def count_exactly(puzzle: PuzzleLike, time_limit: float | None = None) -> int:
    """The number of solutions, by Ganak, which counts the assignments to the candidates of open cells.

    Where the rules are houses alone, digits that no clue has can be exchanged, so they are counted in one order of
    theirs in a unit: 39,168 of the 28,200,960 blank 6×6 grids. Ganak runs in a process of its own, which the limit
    (seconds) and Ctrl-C end. Raises `TimeLimitError` at the limit, `MissingPackageError` without pyganak.
    """
    from ringdoku.lowering.cnf import lower_to_cnf
    from ringdoku.sat.options import PRESOLVED

    with of_extra("count", "an exact count"):
        from pyganak import Counter
    puzzle, deadline = as_puzzle(puzzle), Deadline.asked(time_limit)
    formula = lower_to_cnf(puzzle, PRESOLVED, deadline)
    literals: list[list[int]] = formula.digits.literals.tolist()
    clauses = list(map(list, formula.cnf.clauses()))
    if not all(clauses):
        return 0
    copies = 1
    has_houses_alone = puzzle.ruleset.units and not puzzle.ruleset.rest
    free = [digit for digit in puzzle.board.digits if digit not in puzzle.clues.digits]
    if has_houses_alone and free:
        copies = factorial(len(free))
        rows = [literals[cell] for cell in puzzle.ruleset.units[0].cells]
        for digit, following in pairwise(free):
            # the place of a digit is before that of the next one
            for row, later in combinations_with_replacement(rows, 2):
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


@dataclass(frozen=True)
class Estimate:
    """About how many solutions there are, and an interval that has their number with a probability of about 95 %. If
    all were found, the three are their number, and `is_exact`."""

    count: float
    low: float
    high: float
    is_exact: bool


RUNS, WIDTH, STUDENT = 16, 100, 2.131
"""Independent runs, how many nodes of a level each keeps, and the 97.5 % point of Student's t for 16 runs."""


def estimate_count(puzzle: PuzzleLike, time_limit: float | None = None, seed: int = 0) -> Estimate:
    """About how many solutions there are, by stochastic enumeration (R. Vaisman and D. P. Kroese, "Stochastic
    enumeration method for counting trees", 2017).

    Of each level of the search tree some nodes at random stand for all. What a run finds is right on average, and the
    runs differ by a few per cent, up to a quarter on a blank 9×9. Of 60 seeds on a puzzle with 780 solutions 54
    intervals held the number. Raises `TimeLimitError` at the limit (seconds), and
    `UsageError` for a board with extra cells.
    """
    puzzle, deadline, random = as_puzzle(puzzle), Deadline.asked(time_limit), Random(seed)
    board, rules = puzzle.board, propagators(puzzle.ruleset, with_rules=True)
    if board.extra:
        raise UsageError("a board with extra cells may have a grid in several ways, so there is no estimate")
    root = [(1 << board.order) - 1 if clue == board.blank else 1 << clue - board.least for clue in puzzle.clues.digits]
    if not rules.settle(root, None, deadline):
        return Estimate(0, 0, 0, True)
    found = []
    for _ in range(RUNS):
        level, share, total = [root], 1.0, 0.0
        while level:
            below = []
            for masks in level:
                cells = [cell for cell, mask in enumerate(masks) if mask & (mask - 1)]
                if not cells:
                    total += share
                    continue
                cell = min(cells, key=lambda cell: masks[cell].bit_count())
                for digit in (1 << bit for bit in range(board.order) if masks[cell] >> bit & 1):
                    child = [*masks[:cell], digit, *masks[cell + 1 :]]
                    if rules.settle(child, [cell], deadline):
                        below.append(child)
            # each node that is kept stands for so many
            share *= max(1.0, len(below) / WIDTH)
            level = random.sample(below, min(WIDTH, len(below)))
        found.append(total)
        if share == 1:
            return Estimate(total, total, total, True)
    error = STUDENT * stdev(found) / RUNS**0.5
    return Estimate(mean(found), max(0.0, mean(found) - error), mean(found) + error, False)


def candidates(puzzle: PuzzleLike, time_limit: float | None = None) -> tuple[tuple[int, ...], ...] | None:
    """For each cell the digits that it has in some solution, ascending; None when there is no solution.

    Each is in a solution that was found and checked; that no other digit is possible, the solver proved. A solution
    shows a candidate in every cell, and each question asks for one with a candidate that was not seen yet, so there are
    few: 9 or 10 for a blank 9×9 grid. Raises `TimeLimitError` at the limit (seconds).
    """
    from ringdoku.lowering.cnf import lower_by_size
    from ringdoku.solvers.incremental import IncrementalSolver

    puzzle = as_puzzle(puzzle)
    deadline = Deadline.asked(time_limit)
    formula = lower_by_size(puzzle, deadline)
    board, rows = puzzle.board, formula.digits.literals.tolist()
    unseen = {literal for row in rows for literal in row if literal}
    seen: list[set[int]] = [set() for _ in range(board.cell_count)]
    with IncrementalSolver(BACKEND, formula.cnf, deadline) as solver:
        while True:
            # it then tries each of them first
            solver.prefer(sorted(unseen))
            if not solver.is_satisfiable():
                break
            grid = formula.decode(solver.model())
            check_result(puzzle, Result(Status.SATISFIABLE, grid, backend=BACKEND))
            for cell, digit in enumerate(grid.digits):
                seen[cell].add(digit)
                unseen.discard(rows[cell][digit - board.least])
            if not unseen:
                break
            solver.add([sorted(unseen)])
    return tuple(tuple(sorted(digits)) for digits in seen) if seen[0] else None
