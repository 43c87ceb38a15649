"""Best ring scores of blank boards by placements: `python benchmarks/placements.py anti-knight [RULE...]`.

Where every rule looks at each digit alone (anti-knight, diagonals, extra regions), a solution is a choice of one
*placement* for each digit, the n cells that it stands in, such that each cell is in one of them. The linear program
over placements (Dantzig and Wolfe, "Decomposition principle for linear programs", 1960) is sharper than that over
candidates: its prices are those of cells, and of a digit the best of its placements. In exact arithmetic they prove a
bound, and the placements whose cost is within the slack are few enough for a solver.

This is an experiment: `ringdoku maximise` does not go this way. It prints the number of placements, the bound, and the
best score with the seconds of the clock; that no score is better is CP-SAT's word.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence

import numpy as np
from ortools.linear_solver import pywraplp  # noqa: TID253 - a script, not the library
from ortools.sat.python import cp_model  # noqa: TID253

from ringdoku import Grid, Objective, Puzzle, Ruleset, ring_weights
from ringdoku.constraints.registry import with_rules
from ringdoku.domain import classic
from ringdoku.domain.checker import check

DENOMINATOR = 64
"""Of the exact prices."""


def placements(ruleset: Ruleset) -> np.ndarray:
    """(count, n): the cells, one in each row, that a digit can stand in."""
    n = ruleset.order
    if ruleset.rest:
        sys.exit("some rule looks at several digits")
    seen = [1 << cell | sum(1 << other for other in ruleset.peers(cell)) for cell in range(n * n)]

    def below(row: int, taken: int) -> Iterator[tuple[int, ...]]:
        if row == n:
            yield ()
            return
        for cell in range(row * n, row * n + n):
            if not taken >> cell & 1:
                yield from ((cell, *others) for others in below(row + 1, taken | seen[cell]))

    return np.array([*below(0, 0)], dtype=np.int64)


def prices(found: np.ndarray, gains: np.ndarray) -> tuple[int, np.ndarray]:
    """A bound times `DENOMINATOR`, and (digits, count) what each placement falls short of its prices."""
    digits, cells = gains.shape[0], gains.shape[1]
    solver = pywraplp.Solver.CreateSolver("PDLP")
    rows = [solver.Constraint(1, 1) for _ in range(cells + digits)]
    solver.Objective().SetMaximization()
    for digit in range(digits):
        for cells_of in found.tolist():
            variable = solver.NumVar(0, 1, "")
            for row in (*cells_of, cells + digit):
                rows[row].SetCoefficient(variable, 1)
            solver.Objective().SetCoefficient(variable, float(gains[digit, cells_of].sum()))
    solver.Solve()
    of_cells = np.rint([DENOMINATOR * row.dual_value() for row in rows[:cells]]).astype(np.int64)
    worth = (DENOMINATOR * gains - of_cells)[:, found].sum(axis=2)
    best = worth.max(axis=1)
    return int(of_cells.sum() + best.sum()), best[:, None] - worth


def reached(found: np.ndarray, gains: np.ndarray, kept: np.ndarray, target: int) -> list[int] | None:
    """The digits of the cells of a solution that scores at least `target`, from the placements that are `kept`."""
    model, at = cp_model.CpModel(), [list[cp_model.IntVar]() for _ in range(gains.shape[1])]
    chosen = [[(model.new_bool_var(""), place) for place in np.flatnonzero(row).tolist()] for row in kept]
    for each in chosen:
        model.add_exactly_one([variable for variable, _ in each])
        for variable, place in each:
            for cell in found[place].tolist():
                at[cell].append(variable)
    for variables in at:
        model.add_exactly_one(variables)
    scores = [
        int(gains[digit, found[place]].sum()) * variable
        for digit, each in enumerate(chosen)
        for variable, place in each
    ]
    model.add(sum(scores) >= target)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 2
    if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    digits = [0] * gains.shape[1]
    for digit, each in enumerate(chosen, 1):
        for variable, place in each:
            for cell in found[place].tolist() if solver.value(variable) else ():
                digits[cell] = digit
    return digits


def main(rules: Sequence[str]) -> None:
    start = time.perf_counter()
    ruleset = with_rules(classic(9), rules)
    objective: Objective = ring_weights(ruleset.board)
    found = placements(ruleset)
    gains = np.outer(np.arange(1, 10), objective.weights)
    bound, costs = prices(found, gains)
    target = bound // DENOMINATOR
    seconds = time.perf_counter() - start
    print(
        f"{' '.join(rules)}: {len(found)} placements of a digit, the bound is {target} after {seconds:.1f} s",
        flush=True,
    )
    while (digits := reached(found, gains, costs <= bound - DENOMINATOR * target, target)) is None:
        print(f"no solution scores {target}: {time.perf_counter() - start:.1f} s", flush=True)
        target -= 1
    puzzle, grid = Puzzle(ruleset, Grid.blank(ruleset.board)), Grid(tuple(digits))
    assert check(puzzle, grid, objective, target) == []
    print(f"the best score is {target}: {time.perf_counter() - start:.1f} s\n{grid}")


if __name__ == "__main__":
    main(sys.argv[1:])
