"""Clues taken away from a solution as long as no second solution appears, in groups that keep a symmetry.

Clues are assumptions on a live solver. One question asks whether a group can go; if it can, the solver names the clues
that its answer rests on, and every group without any of them goes too: a minimal 9×9 puzzle takes 37 questions, not 81.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING

from ringdoku.domain.grid import Grid

if TYPE_CHECKING:
    from ringdoku.solvers.rules_solver import RulesSolver

FEW_CONFLICTS = 50
"""For one more random digit of a random solution."""

IMPATIENT_CONFLICTS = 20_000
"""A second or so."""


def needed(
    live: RulesSolver,
    solution: Grid,
    groups: Sequence[Sequence[int]],
    order: Sequence[int],
    fixed: Sequence[int] = (),
    patient: bool = True,
    enough: int = 0,
) -> tuple[int, ...] | None:
    """The indices of groups of literals none of which can go without a second solution appearing, ascending.

    They are tried in the given order, which has each of them once, while the literals `fixed` are always assumed. None:
    even all groups together leave a second solution. Unless `patient`, a question that takes more than a second or so
    counts as one that found a second solution, by the number of conflicts, so that the answer is always the same.
    It stops early when no more than `enough` literals of groups are left. Raises `TimeLimitError` at the deadline of
    `live`.
    """
    other = live.excluding(solution)
    kept = set(range(len(groups)))

    # solvers name rather the literals that they were given first: in a random order these are spread over the grid
    spread = list(reversed(order))

    def is_unique(left: set[int]) -> bool:
        assumed = [other, *fixed, *(literal for index in spread if index in left for literal in groups[index])]
        if patient:
            return not live.is_satisfiable(assumed)
        answer = live.solve(assumed, IMPATIENT_CONFLICTS)
        live.deadline.check()
        return answer is False

    def named(left: set[int]) -> set[int]:
        reason = live.core()
        return {index for index in left if any(literal in reason for literal in groups[index])}

    try:
        if not is_unique(kept):
            return None
        for index in order:
            if sum(len(groups[left]) for left in kept) <= enough:
                break
            if index in kept and is_unique(kept - {index}):
                kept = named(kept - {index})
    finally:
        live.retract(other)
    return tuple(sorted(kept))


def random_solution_of(live: RulesSolver, random: Random) -> Grid | None:
    """A solution of the rules, with random digits in random cells as far as they easily allow; None: there is none.

    It is no uniform sample.
    """
    board = live.ruleset.board
    if not live.is_satisfiable([]):
        return None
    found = live.solution()
    assumed: list[int] = []
    for cell in random.sample(range(board.grid_count), min(board.grid_count, 2 * board.order)):
        digit = random.choice(board.digits)
        trial = live.literal(cell, digit)
        if found.digits[cell] != digit:
            if not live.solve([*assumed, trial], FEW_CONFLICTS):
                continue
            found = live.solution()
        assumed.append(trial)
    return found
