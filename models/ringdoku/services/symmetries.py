"""Symmetries of clues: which cells go together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from ringdoku.domain.board import Board
from ringdoku.domain.errors import UsageError

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
