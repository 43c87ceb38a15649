"""Rules as data: what a solution must satisfy, apart from any way of solving.

A new rule is one frozen dataclass here, its check in `checker`, and one function for each target in `lowering`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from ringdoku.domain.geometry import Geometry


@dataclass(frozen=True)
class AllDifferent:
    """The cells hold different digits. Over n cells of an n×n grid they therefore hold every digit once."""

    cells: tuple[int, ...]
    name: str = ""


Rule: TypeAlias = AllDifferent


def sudoku_rules(geometry: Geometry) -> tuple[Rule, ...]:
    """Rows, columns and boxes each all different."""
    return tuple(AllDifferent(unit.cells, unit.name) for unit in geometry.units)
