"""Symmetries of clues: which cells go together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from ringdoku.domain.board import Board
from ringdoku.domain.errors import UsageError

Move: TypeAlias = Callable[[int, int, int, int], tuple[int, int]]
"""A (row, column) and the last of each, all from 0; and where a symmetry takes it."""


def _half_turn(row: int, column: int, last_row: int, last_column: int) -> tuple[int, int]:
    return last_row - row, last_column - column


def _quarter_turn(row: int, column: int, last_row: int, _: int) -> tuple[int, int]:
    return column, last_row - row


def _mirror(row: int, column: int, _: int, last_column: int) -> tuple[int, int]:
    return row, last_column - column


def _diagonal(row: int, column: int, _: int, __: int) -> tuple[int, int]:
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


def orbits(board: Board, symmetry: str) -> list[tuple[int, ...]]:
    """The cells of the grid in groups that a symmetry keeps together. Raises `UsageError` for an unknown name, and on a
    rectangle for a symmetry of squares."""
    if symmetry not in SYMMETRIES:
        raise UsageError(f"no symmetry is called {symmetry!r}; there are: {', '.join(SYMMETRIES)}")
    moves = SYMMETRIES[symmetry]
    if board.rows != board.columns and not {_quarter_turn, _diagonal}.isdisjoint(moves):
        raise UsageError(f"the symmetry {symmetry} is for square boards, not for {board}")
    found: dict[int, tuple[int, ...]] = {}
    for start in range(board.grid_count):
        orbit = [start]
        for cell in orbit:
            place = (*divmod(cell, board.columns), board.rows - 1, board.columns - 1)
            orbit += (other for move in moves if (other := board.cell(*move(*place))) not in orbit)
        found.setdefault(min(orbit), tuple(sorted(orbit)))
    return list(found.values())
