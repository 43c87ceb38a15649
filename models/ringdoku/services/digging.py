"""Clues taken away from a solution as long as no second solution appears, in groups that keep a symmetry.

Clues are assumptions on a live solver. One question asks whether a group can go; if it can, the solver names the clues
that its answer rests on, and every group without any of them goes too: a minimal 9×9 puzzle takes 37 questions, not 81.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from ringdoku.domain.board import Board
from ringdoku.domain.errors import UsageError
from ringdoku.domain.grid import Grid

if TYPE_CHECKING:
    from ringdoku.backends.live import LiveRules

Move: TypeAlias = Callable[[int, int, Board], tuple[int, int]]
"""A (row, column) and where a symmetry takes it, rows and columns counted from 0."""


def _half_turn(row: int, column: int, board: Board) -> tuple[int, int]:
    return board.rows - 1 - row, board.columns - 1 - column


def _quarter_turn(row: int, column: int, board: Board) -> tuple[int, int]:
    return column, board.rows - 1 - row


def _mirror(row: int, column: int, board: Board) -> tuple[int, int]:
    return row, board.columns - 1 - column


def _diagonal(row: int, column: int, _: Board) -> tuple[int, int]:
    return column, row


SYMMETRIES: Mapping[str, tuple[Move, ...]] = MappingProxyType(
    {
        "none": (),
        "half-turn": (_half_turn,),
        "quarter-turn": (_quarter_turn,),
        "mirror": (_mirror,),
        "diagonal": (_diagonal,),
        "full": (_quarter_turn, _mirror),
    }
)
"""The symmetries of clues by name, each by moves that make all of it."""

_OF_SQUARES = (_quarter_turn, _diagonal)


def orbits(board: Board, symmetry: str) -> list[tuple[int, ...]]:
    """The cells of the grid in groups that a symmetry keeps together. Raises `UsageError` for an unknown name, and on a
    rectangle for a symmetry of squares."""
    if symmetry not in SYMMETRIES:
        raise UsageError(f"no symmetry is called {symmetry!r}; there are: {', '.join(SYMMETRIES)}")
    moves = SYMMETRIES[symmetry]
    if board.rows != board.columns and any(move in _OF_SQUARES for move in moves):
        raise UsageError(f"the symmetry {symmetry} is for square boards, not for {board}")
    seen: set[int] = set()
    found = []
    for start in range(board.grid_count):
        if start in seen:
            continue
        orbit, fresh = [start], [start]
        seen.add(start)
        while fresh:
            row, column = divmod(fresh.pop(), board.columns)
            for move in moves:
                cell = board.cell(*move(row, column, board))
                if cell not in seen:
                    seen.add(cell)
                    orbit.append(cell)
                    fresh.append(cell)
        found.append(tuple(sorted(orbit)))
    return found


def dig(
    live: LiveRules,
    solution: Grid,
    groups: Sequence[Sequence[int]],
    order: Sequence[int],
    fixed: Sequence[int] = (),
    patient: bool = True,
) -> tuple[int, ...] | None:
    """The indices of groups of literals none of which can go without a second solution appearing, ascending.

    They are tried in the given order, which has each of them once, while the literals `fixed` are always assumed. None:
    even all groups together leave a second solution. Unless `patient`, a question that takes more than a second or so
    counts as one that found a second solution, by the number of conflicts, so that the answer is always the same.
    Raises `TimeLimitError` at the deadline of `live`.
    """
    other = live.excluding(solution)
    kept = set(range(len(groups)))

    # solvers name rather the literals that they were given first: in a random order these are spread over the grid
    spread = list(reversed(order))

    def is_unique(left: set[int]) -> bool:
        assumed = [other, *fixed, *(literal for index in spread if index in left for literal in groups[index])]
        return live.is_impossible(assumed, patient)

    def named(left: set[int]) -> set[int]:
        reason = live.reason()
        return {index for index in left if any(literal in reason for literal in groups[index])}

    try:
        if not is_unique(kept):
            return None
        for index in order:
            if index in kept and is_unique(kept - {index}):
                kept = named(kept - {index})
    finally:
        live.forget(other)
    return tuple(sorted(kept))


def random_solution_of(live: LiveRules, random: Random) -> Grid | None:
    """A solution of the rules, with random digits in random cells as far as they easily allow; None: there is none.

    It is no uniform sample.
    """
    board = live.ruleset.board
    if not live.is_possible([]):
        return None
    found = live.solution()
    assumed: list[int] = []
    for cell in random.sample(range(board.grid_count), min(board.grid_count, 2 * board.order)):
        digit = random.choice(board.digits)
        trial = live.literal(cell, digit)
        if found.digits[cell] != digit:
            if not live.is_easily_possible([*assumed, trial]):
                continue
            found = live.solution()
        assumed.append(trial)
    return found
