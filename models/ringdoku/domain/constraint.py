"""Named constraints: their base class, their text form, and the two constraints of classic sudoku."""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, ClassVar, NamedTuple, TypeAlias

from ringdoku.domain.board import Board
from ringdoku.domain.errors import DimensionError, UsageError
from ringdoku.domain.marks import Mark, Outline
from ringdoku.domain.numbers import counted, whole_numbers

if TYPE_CHECKING:
    from ringdoku.domain.grid import Grid
    from ringdoku.domain.primitives import Primitive


# The types of a constraint's fields, besides `int` and `int | None`. The text form depends on these names.
Cell: TypeAlias = int
Cells: TypeAlias = tuple[int, ...]
Groups: TypeAlias = tuple[Cells, ...]
Digits: TypeAlias = tuple[int, ...]
Pairs: TypeAlias = frozenset[tuple[int, int]]
Edges: TypeAlias = frozenset[tuple[int, int, int]]
Cases: TypeAlias = "tuple[tuple[Constraint, ...], ...]"


class House(NamedTuple):
    """Cells in which no digit stands twice, with the name people use for them."""

    name: str
    cells: tuple[int, ...]


class Constraint(ABC):
    """A subclass is a frozen dataclass whose fields are the constraint's parameters: numbers, cells, sets of cells.

    `houses` and `holds` together are its meaning, in plain Python; the checker uses nothing else. Solvers get an
    `AllDifferent` for each house, and `primitives`. `text` is its name in our text form, `summary` says in one sentence
    what it demands, and `example` shows how it is written.
    """

    text: ClassVar[str]
    summary: ClassVar[str]
    example: ClassVar[str]
    joiner: ClassVar[str] = " "
    """The separator of the numbers before the colon."""
    optional: ClassVar[tuple[str, ...]] = ()
    """Fields that may be left out and are then empty: cells, groups of cells, or digits."""

    def refuse(self, board: Board) -> None:  # noqa: B027  most accept any
        """Raise `UsageError` for parameters that make no sense on this board. Cells are known to be on it. Others call
        `refuse_constraint`."""

    def houses(self, board: Board) -> Iterable[House]:  # noqa: ARG002  most have none
        """The sets of cells in which no digit may stand twice."""
        return ()

    def holds(self, grid: Grid) -> bool:  # noqa: ARG002  for some the houses are all
        """Whether a full grid satisfies what the constraint demands besides its houses."""
        return True

    def primitives(self, board: Board) -> Iterable[Primitive]:  # noqa: ARG002  for some the houses are all
        """`holds` for solvers: a full grid without repeats in the houses satisfies these exactly when `holds` is
        true."""
        return ()

    def marks(self, board: Board) -> Iterable[Mark]:  # noqa: ARG002  some rules cannot be seen
        """How it is drawn; nothing for a rule that is only written in words."""
        return ()


_CALLED = {
    "Cells": "cells",
    "Groups": "cells",
    "Cases": "cases",
    "Digits": "numbers",
    "Pairs": "pairs",
    "Edges": "edges",
}
"""What users call the values of a field, by its type."""


def refuse_constraint(constraint: Constraint, board: Board) -> None:
    """Raise `UsageError` for a constraint that makes no sense on this board, or lacks what may not be left out."""
    for field in fields(constraint):  # type: ignore[arg-type]  # every constraint is a dataclass
        value = getattr(constraint, field.name)
        empty = value == () or value == frozenset() or (field.type == "Groups" and not all(value))
        if empty and field.name not in constraint.optional:
            raise UsageError(f"{_CALLED[str(field.type)]} are missing")
    constraint.refuse(board)


def write_constraint(constraint: Constraint, board: Board) -> str:
    """A constraint in our text form: its name, its numbers, a colon and its cells, as in `killer 15: r1c1 r1c2`."""
    before: list[str] = []
    after: list[str] = []
    for field in fields(constraint):  # type: ignore[arg-type]  # every constraint is a dataclass
        value = getattr(constraint, field.name)
        match field.type:
            case "int":
                before.append(str(value))
            case "int | None":
                before += [] if value is None else [str(value)]
            case "Digits":
                before += map(str, value)
            case "Pairs" | "Edges":
                before += (",".join(map(str, numbers)) for numbers in sorted(value))
            case "Cell":
                after.append(board.cell_name(value))
            case "Cells":
                after += [" ".join(map(board.cell_name, value))] if value else []
            case "Groups":
                after += (" ".join(map(board.cell_name, group)) for group in value)
            case "Cases":
                cases = ("; ".join(write_constraint(rule, board) for rule in case) for case in value)
                after.append(" ".join(f"{{ {case} }}" for case in cases))
            case other:
                raise TypeError(f"{type(constraint).__name__}.{field.name} is of the type {other}, which has no text")
    head = f"{constraint.text} {constraint.joiner.join(before)}".rstrip()
    return f"{head}: {' | '.join(after)}" if after else head


@dataclass(frozen=True)
class Lines(Constraint):
    """Every row and every column holds no digit twice."""

    text = "lines"
    summary = "no digit twice in a row or a column"
    example = "lines"

    def houses(self, board: Board) -> Iterator[House]:
        rows, columns = board.rows, board.columns
        for row in range(rows):
            yield House(f"row {row + 1}", tuple(range(row * columns, (row + 1) * columns)))
        for column in range(columns):
            yield House(f"column {column + 1}", tuple(range(column, rows * columns, columns)))


@dataclass(frozen=True)
class Boxes(Constraint):
    """Boxes of `height` rows × `width` columns fill the grid, and none holds a digit twice."""

    height: int
    width: int

    text = "boxes"
    summary = "no digit twice in a box of this many rows and columns"
    example = "boxes 2x2"
    joiner = "x"

    def __post_init__(self) -> None:
        height, width = whole_numbers((self.height, self.width), "box sides")
        object.__setattr__(self, "height", height)
        object.__setattr__(self, "width", width)
        if height < 1 or width < 1:
            raise DimensionError(f"a box has at least one row and column, not {height}x{width}")

    def refuse(self, board: Board) -> None:
        if board.rows % self.height or board.columns % self.width:
            raise DimensionError(f"boxes of {self.height}x{self.width} do not fill {board}")
        if self.height * self.width > board.order:
            cells = counted(self.height * self.width, "cell")
            raise DimensionError(f"a box of {self.height}x{self.width} has {cells}, not {board.order}")

    def houses(self, board: Board) -> Iterator[House]:
        # from left to right, then down
        number = 0
        for top in range(0, board.rows, self.height):
            for left in range(0, board.columns, self.width):
                number += 1
                rows, columns = range(top, top + self.height), range(left, left + self.width)
                yield House(f"box {number}", tuple(row * board.columns + column for row in rows for column in columns))

    def marks(self, board: Board) -> Iterator[Mark]:
        return (Outline(house.cells, dashed=False) for house in self.houses(board))
