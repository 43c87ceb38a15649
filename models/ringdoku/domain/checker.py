"""Checks whether a grid solves a puzzle, by the meaning of named constraints, not by the primitives that solvers get.
It imports only the domain, so it shares no code with solvers. A classic grid of order n takes O(n²)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ringdoku.domain.constraint import write_constraint
from ringdoku.domain.errors import DisagreementError
from ringdoku.domain.grid import Grid
from ringdoku.domain.objective import Objective, ring_weights
from ringdoku.domain.result import Result, Status
from ringdoku.domain.ruleset import Puzzle

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Violation:
    """A reason why a grid is no solution: a sentence in parts, with numbers for digits; the cells of a repeat."""

    parts: tuple[str | int, ...]
    cells: tuple[str, ...] = ()

    def sentence(self, name: Callable[[int], str] = str) -> str:
        """The sentence; `name` writes the digits."""
        return "".join(name(part) if isinstance(part, int) else part for part in self.parts)

    __str__ = sentence


def check(
    puzzle: Puzzle, grid: Grid, objective: Objective | None = None, claimed_score: int | None = None
) -> list[Violation]:
    """All reasons why `grid` is no solution of `puzzle`; empty when it is one. A `claimed_score` must equal the score
    under `objective` (ring weights when None), in integers. Raises `DimensionError` for weights of another size."""
    if grid.board != puzzle.board:
        return [Violation((f"the grid is {grid.board}, the puzzle {puzzle.board}",))]
    name, blank = puzzle.board.cell_name, puzzle.board.blank
    violations = [Violation((f"{name(cell)} is blank",)) for cell, digit in enumerate(grid.digits) if digit == blank]
    violations += [
        Violation((f"{name(cell)} is ", digit, ", but the clue is ", clue))
        for cell, (clue, digit) in enumerate(zip(puzzle.clues.digits, grid.digits, strict=True))
        if blank not in (clue, digit) and clue != digit
    ]
    violations += repeats(puzzle, grid)
    if grid.is_full:
        violations += [
            Violation((f"{write_constraint(constraint, puzzle.board)} does not hold",))
            for constraint in puzzle.ruleset.constraints
            if not constraint.holds(grid)
        ]
    if claimed_score is not None:
        score = (objective or ring_weights(puzzle.board)).score(grid)
        if score != claimed_score:
            violations.append(Violation((f"the score is {score}, not {claimed_score}",)))
    return violations


def repeats(puzzle: Puzzle, grid: Grid) -> Iterator[Violation]:
    """A violation for each digit that is repeated in a house of `grid`, which may have blanks."""
    digits, blank = grid.digits, puzzle.board.blank
    for house in puzzle.ruleset.houses:
        found = [digits[cell] for cell in house.cells if digits[cell] != blank]
        for digit in dict.fromkeys(found) if len(set(found)) < len(found) else ():
            if found.count(digit) > 1:
                cells = tuple(puzzle.board.cell_name(cell) for cell in house.cells if digits[cell] == digit)
                yield Violation((f"{house.name} has ", digit, f" in {', '.join(cells)}"), cells)


def check_result(puzzle: Puzzle, result: Result, objective: Objective | None = None) -> Result:
    """Return `result` if it is consistent; raise `DisagreementError` if the backend's answer is wrong. Consistent
    means: there is a grid exactly for the statuses that promise one, the grid breaks no rule, the score is right, bound
    = score when optimal, and the score does not pass the bound."""
    has_grid = result.status in (Status.SATISFIABLE, Status.OPTIMAL, Status.FEASIBLE)
    score, bound = result.score, result.bound
    problems: list[str] = []
    if has_grid != (result.grid is not None):
        problems.append(f"status {result.status.value} with{'out' if has_grid else ''} a grid")
    if result.grid is not None:
        problems += map(str, check(puzzle, result.grid, objective, score))
    if (score is not None) != (objective is not None and result.grid is not None):
        problems.append("no score" if score is None else f"a score of {score} without a grid or an objective")
    if result.status is Status.OPTIMAL and bound != score:
        problems.append(f"optimal, but the bound is {bound} and the score {score}")
    if objective and score is not None and bound is not None and objective.sense.better(score, bound):
        problems.append(f"the score {score} is beyond the bound {bound}")
    if problems:
        raise DisagreementError(f"backend {result.backend} gave a wrong answer: {'; '.join(problems)}")
    return result


def are_solutions(clues: NDArray[np.uint8], grids: NDArray[np.uint8], box: tuple[int, int]) -> NDArray[np.bool_]:
    """Whether each grid is a classic solution: N booleans for N × n² clues 0..n and as many digits, n ≤ 63. Each row,
    column and box of height × width `box` has every digit, and each clue is kept."""
    # only checks of many grids at once need it
    import numpy as np

    height, width = box
    n = height * width
    keeps_clues = ((clues == 0) | (clues == grids)).all(axis=1)
    in_range = ((grids >= 1) & (grids <= n)).all(axis=1)
    # n cells have n different digits where they have every digit
    sets = (np.uint64(1) << grids.astype(np.uint64)).reshape(-1, n, n)
    bands = sets.reshape(-1, n // height, height, n // width, width)
    all_digits = np.uint64((1 << n + 1) - 2)
    units = (
        np.bitwise_or.reduce(sets, axis=2),
        np.bitwise_or.reduce(sets, axis=1),
        np.bitwise_or.reduce(bands, axis=(2, 4)).reshape(-1, n),
    )
    complete = [(unit == all_digits).all(axis=1) for unit in units]
    found: NDArray[np.bool_] = keeps_clues & in_range & np.logical_and.reduce(complete)
    return found
