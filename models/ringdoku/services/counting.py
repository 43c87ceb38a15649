"""Facts about all solutions of a puzzle without listing them: `count_exactly` by the model counter Ganak, of an extra
package, `sample_solutions` with equal chances, `estimate_count`, and `candidates`, the digits of each cell.

S. Sharma, S. Roy, M. Soos and K. S. Meel, "GANAK: A scalable probabilistic exact model counter", IJCAI 2019.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement, islice, pairwise
from math import factorial
from operator import mul
from random import Random
from statistics import mean, stdev

from ringdoku.deduction.propagation import masks_of, propagators
from ringdoku.domain import Grid, Puzzle, Result, Status, refuse, whole_number
from ringdoku.domain.checker import check_result
from ringdoku.limits import Deadline, run_in_process
from ringdoku.services.session import PuzzleLike, Session, as_puzzle, require_count
from ringdoku.solvers.registry import of_extra

BACKEND = "minisat22"
"""Its phases can be set, and it is faster than others on many easy questions."""


def count_exactly(puzzle: PuzzleLike, time_limit: float | None = None) -> int:
    """The number of solutions, by Ganak, which counts the assignments to the candidates of open cells.

    If the only rules are houses, the digits that no clue has are interchangeable. Then only the solutions with them in
    ascending order in one unit are counted (symmetry breaking): 39,168 of the 28,200,960 blank 6×6 grids. Ganak runs in
    a process of its own, which the limit (seconds) and Ctrl-C end. Raises `TimeLimitError` at the limit,
    `MissingPackageError` without pyganak.
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
    interchangeable = _interchangeable_digits(puzzle)
    rows = [literals[cell] for cell in puzzle.ruleset.units[0].cells] if interchangeable else []
    for digit, following in pairwise(interchangeable):
        # symmetry breaking: each digit stands before the next one
        for row, later in combinations_with_replacement(rows, 2):
            one, other = row[following - puzzle.board.least], later[digit - puzzle.board.least]
            if one and other:
                clauses.append([-one, -other])

    asking = os.getpid()

    def count() -> int:
        if os.getpid() != asking:
            # Ganak prints counts of 0
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        counter = Counter()
        counter.new_vars(formula.cnf.num_vars)
        counter.add_clauses(clauses)
        # projected counting: two solutions are the same if their grids are, whatever extra cells hold
        of_grid = literals[: puzzle.board.grid_count]
        counter.set_sampling_set(sorted({abs(literal) for row in of_grid for literal in row if literal}))
        return int(counter.count())

    return factorial(len(interchangeable)) * run_in_process(count, deadline)


def _interchangeable_digits(puzzle: Puzzle) -> list[int]:
    """The digits that no clue and no rule distinguishes: exchanging them maps solutions to solutions."""
    if not puzzle.ruleset.units or puzzle.ruleset.rest:
        return []
    return [digit for digit in puzzle.board.digits if digit not in puzzle.clues.digits]


def sample_solutions(
    puzzle: PuzzleLike, count: int, time_limit: float | None = None, seed: int = 0, most_listed: int = 50_000
) -> list[Grid]:
    """`count` random solutions, each drawn uniformly from all, so that one may come twice; none if there is none.

    Up to `most_listed` solutions are all found and drawn from. Of more, the digits of one cell after another are drawn
    with probabilities from Ganak's counts until so few are left, and then interchangeable digits are permuted at
    random. Grids are checked; that they are uniform rests on Ganak. Equal seeds give equal grids. Raises as
    `count_exactly`, and `UsageError` for a `count` below 1.
    """
    count, most_listed = require_count(count), require_count(most_listed, "listed solutions")
    puzzle, deadline, session = as_puzzle(puzzle), Deadline.asked(time_limit), Session()
    random = Random(whole_number(seed, "seeds"))
    listed = list(islice(session.solutions(puzzle, deadline.left()), most_listed + 1))
    total = len(listed) if len(listed) <= most_listed else count_exactly(puzzle, deadline.left())
    drawn: list[Grid] = []
    # nodes of the search: a puzzle, its number of solutions, and how many of them to draw
    waiting = [(puzzle, total, count)] if total else []
    while waiting:
        node, total, wanted = waiting.pop()
        if total <= most_listed:
            of_part = listed if node is puzzle else list(session.solutions(node, deadline.left()))
            drawn += random.choices(of_part, k=wanted)
            continue
        interchangeable, masks, least = _interchangeable_digits(node), masks_of(node), node.board.least
        propagators(node.ruleset).propagate(masks, None, deadline)
        cells = [cell for cell in node.clues.open if masks[cell].bit_count() > 1]
        cell = min(cells, key=lambda cell: masks[cell].bit_count())
        # the first of the interchangeable digits stands for all of them
        digits = [d for d in node.board.digits if masks[cell] >> d - least & 1 and d not in interchangeable[1:]]
        copies = [len(interchangeable) if digit in interchangeable else 1 for digit in digits]
        branches = [Puzzle(node.ruleset, node.clues.put(cell, digit)) for digit in digits]
        totals = [count_exactly(branch, deadline.left()) for branch in branches[:-1]]
        totals.append((total - sum(map(mul, totals, copies))) // copies[-1])
        chosen = random.choices(range(len(branches)), list(map(mul, totals, copies)), k=wanted)
        waiting += [(branches[i], totals[i], chosen.count(i)) for i in sorted(set(chosen))]
    interchangeable = _interchangeable_digits(puzzle)
    for place, grid in enumerate(drawn):
        renamed = dict(zip(interchangeable, random.sample(interchangeable, len(interchangeable)), strict=True))
        drawn[place] = Grid(tuple(renamed.get(digit, digit) for digit in grid.digits), puzzle.board)
        check_result(puzzle, Result(Status.SATISFIABLE, drawn[place], backend="sampling"))
    random.shuffle(drawn)
    return drawn


@dataclass(frozen=True)
class Estimate:
    """An estimate of the number of solutions, with a confidence interval of about 95 %. If all were found, it
    `is_exact`, and all three are their number."""

    count: float
    low: float
    high: float
    is_exact: bool


RUNS, WIDTH = 16, 100
"""The number of independent runs, and of nodes that each keeps on a level."""
STUDENT_T = (12.71, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131)
"""The 97.5 % quantiles of Student's t, for 2 runs and more."""


def estimate_count(puzzle: PuzzleLike, time_limit: float | None = None, seed: int = 0) -> Estimate:
    """An estimate of the number of solutions, by stochastic enumeration (R. Vaisman and D. P. Kroese, "Stochastic
    enumeration method for counting trees", 2017).

    On each level of the search tree some random nodes stand for all. The estimate of a run is unbiased, and runs differ
    by a few per cent, up to a quarter on a blank 9×9. For a puzzle with 780 solutions the intervals of 54 of 60 seeds
    contained the number. Raises `TimeLimitError` at the limit (seconds), `UsageError` for a board with extra cells.
    """
    *_, last = estimates(puzzle, time_limit, seed)
    return last


def estimates(puzzle: PuzzleLike, time_limit: float | None = None, seed: int = 0) -> Iterator[Estimate]:
    """The estimates after 2 runs, after 3, and so on; or only the exact number. Raises as `estimate_count`."""
    puzzle, deadline, random = as_puzzle(puzzle), Deadline.asked(time_limit), Random(whole_number(seed, "seeds"))
    board, rules = puzzle.board, propagators(puzzle.ruleset)
    refuse(board.extra, "a board with extra cells may have a grid in several ways, so there is no estimate")
    root, found = masks_of(puzzle), list[float]()
    roots = [root] if rules.propagate(root, None, deadline) else []
    for _ in range(RUNS):
        level, share, total = roots, 1.0, 0.0
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
                    if rules.propagate(child, [cell], deadline):
                        below.append(child)
            # each node that is kept represents so many
            share *= max(1.0, len(below) / WIDTH)
            level = random.sample(below, min(WIDTH, len(below)))
        found.append(total)
        if share == 1:
            yield Estimate(total, total, total, True)
            return
        if len(found) > 1:
            error = STUDENT_T[len(found) - 2] * stdev(found) / len(found) ** 0.5
            yield Estimate(mean(found), max(0.0, mean(found) - error), mean(found) + error, False)


def candidates(puzzle: PuzzleLike, time_limit: float | None = None) -> tuple[tuple[int, ...], ...] | None:
    """For each cell the digits that it has in some solution, ascending; None when there is no solution.

    Each digit is in a solution that was found and checked; the solver proved that no other is possible. Each call
    asks for a solution with a digit that was not seen yet, and one solution shows many, so there are few calls: 9 or 10
    for a blank 9×9 grid. Raises `TimeLimitError` at the limit (seconds).
    """
    from ringdoku.lowering.cnf import lower_to_cnf
    from ringdoku.solvers.incremental import PuzzleSolver

    puzzle, deadline = as_puzzle(puzzle), Deadline.asked(time_limit)
    found: list[tuple[int, ...]] = []
    with PuzzleSolver(BACKEND, lower_to_cnf(puzzle, None, deadline), deadline) as solver:
        unseen = {literal for row in solver.literals for literal in row if literal}
        while unseen:
            # the next solution has one of them, and the solver tries each first
            solver.add([sorted(unseen)])
            solver.prefer(sorted(unseen))
            if not solver.is_satisfiable():
                break
            grid = solver.solution()
            check_result(puzzle, Result(Status.SATISFIABLE, grid, backend=BACKEND))
            found.append(grid.digits)
            unseen.difference_update(solver.clues(grid, range(puzzle.board.cell_count)))
    return tuple(tuple(sorted(set(digits))) for digits in zip(*found, strict=True)) or None
