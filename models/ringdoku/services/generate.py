"""Random solutions from a seed, and the clues of one that leave no second solution.

Equal arguments give equal puzzles with the same versions of Python and the solver. The solutions are not a uniform
sample: a solver completes random diagonal boxes, and a random symmetry is applied to hide the solver's preferences.

Clues are assumptions on an incremental solver. One question asks whether a group can go; if it can, the solver names
the clues that its answer rests on, and every group without any of them goes too: a minimal 9×9 puzzle takes 37
questions, not 81.
"""

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING

from ringdoku.domain import Grid, Puzzle, RingdokuError, Ruleset
from ringdoku.services.session import Session

if TYPE_CHECKING:
    from ringdoku.solvers.incremental import RulesSolver

BACKEND = "minisat22"
"""Not `auto`, since its meaning may change, and with it the puzzles."""

FEW_CONFLICTS = 50
"""For one more random digit of a random solution."""

IMPATIENT_CONFLICTS = 20_000
"""A second or so."""


def random_solution(ruleset: Ruleset, random: Random, session: Session | None = None) -> Grid:
    """A full grid that breaks no classic rule."""
    height, width = ruleset.require_classic("the generator")
    digits, names = list(Grid.blank(ruleset.order).digits), range(1, ruleset.order + 1)
    # boxes that share neither rows nor columns, without the last: on 4x4 two opposite boxes can contradict each other
    for place in range(max(1, min(height, width) - 1)):
        box = ruleset.houses[2 * ruleset.order + place * height + place]
        for cell, digit in zip(box.cells, random.sample(names, ruleset.order), strict=True):
            digits[cell] = digit
    found = (session or Session(BACKEND)).solve(Puzzle(ruleset, Grid(tuple(digits)))).grid
    if found is None:
        raise RingdokuError(f"no solution of {ruleset} was found")
    return shuffled(ruleset, found, random)


def random_solution_of(live: "RulesSolver", random: Random, fixed: Sequence[int] = ()) -> Grid | None:
    """A solution of any rules under which the literals `fixed` hold, with random digits in random cells as far as they
    easily allow; None: there is none."""
    board, assumed = live.ruleset.board, list(fixed)
    if not live.is_satisfiable(assumed):
        return None
    found = live.solution()
    for cell in random.sample(range(board.grid_count), min(board.grid_count, 2 * board.order)):
        digit = random.choice(board.digits)
        trial = live.literal(cell, digit)
        if found.digits[cell] != digit:
            if not live.solve([*assumed, trial], FEW_CONFLICTS):
                continue
            found = live.solution()
        assumed.append(trial)
    return found


def shuffled(ruleset: Ruleset, solution: Grid, random: Random) -> Grid:
    """The solution with digits renamed, bands, stacks, and the rows and columns in them permuted."""
    n = ruleset.order
    names = random.sample(range(1, n + 1), n)
    rows, columns = (_lines(n, group, random) for group in ruleset.require_classic("shuffling"))
    return Grid(tuple(names[solution.digits[row * n + column] - 1] for row in rows for column in columns))


def _lines(order: int, group: int, random: Random) -> list[int]:
    """Rows or columns in an order that keeps the groups of `group` together."""
    starts = random.sample(range(0, order, group), order // group)
    return [start + offset for start in starts for offset in random.sample(range(group), group)]


def needed(
    live: "RulesSolver",
    solution: Grid,
    groups: Sequence[Sequence[int]],
    random: Random,
    fixed: Sequence[int] = (),
    patient: bool = True,
    enough: int = 0,
) -> tuple[int, ...] | None:
    """The indices of groups of literals none of which can go without a second solution appearing, ascending.

    They are tried in random order, while the literals `fixed` are always assumed. None:
    even all groups together leave a second solution. Unless `patient`, a question that takes more than a second or so
    counts as one that found a second solution, by the number of conflicts, so that the answer is always the same.
    It stops early when no more than `enough` literals of groups are left. Raises `TimeLimitError` at the deadline of
    `live`.
    """
    other = live.excluding((solution,))
    kept = set(range(len(groups)))
    order = random.sample(range(len(groups)), len(groups))
    # solvers name rather the literals that they were given first: in a random order these are spread over the grid
    spread = order[::-1]

    def is_unique(left: set[int]) -> bool:
        assumed = [other, *fixed, *(literal for index in spread if index in left for literal in groups[index])]
        if patient:
            return not live.is_satisfiable(assumed)
        answer = live.solve(assumed, IMPATIENT_CONFLICTS)
        live.deadline.check()
        return answer is False

    try:
        if not is_unique(kept):
            return None
        for index in order:
            if sum(len(groups[left]) for left in kept) <= enough:
                break
            if index in kept and is_unique(kept - {index}):
                reason = live.core()
                kept = {left for left in kept - {index} if not reason.isdisjoint(groups[left])}
    finally:
        live.retract(other)
    return tuple(sorted(kept))
