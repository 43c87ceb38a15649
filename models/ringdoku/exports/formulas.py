"""A primitive as one formula over the digits of cells, for formats that have Booleans and sums. A formula is data, and
each format writes it in its own words."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeAlias, TypeVar, assert_never

from ringdoku.domain.board import Board
from ringdoku.domain.primitives import AllDifferent, Allowed, Count, Diagram, Linear, OneOf, Primitive, Relation


@dataclass(frozen=True)
class Holds:
    """The cell holds one of these ascending digits, which are at least one and not all."""

    cell: int
    digits: tuple[int, ...]


@dataclass(frozen=True)
class All:
    """All parts hold. There are none, which is true, or at least two, which are neither true nor false."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True)
class Some:
    """At least one part holds. There are none, which is false, or at least two, which are neither true nor false."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True)
class Different:
    """The digits of these cells, at least two, all differ."""

    cells: tuple[int, ...]


@dataclass(frozen=True)
class Between:
    """least ≤ Σ coefficient·term ≤ greatest, where None is no limit, but one is given. A term, of which there is at
    least one, is the digit of a cell, or 1 where a formula holds and else 0."""

    terms: tuple[tuple[int, int | Formula], ...]
    least: int | None
    greatest: int | None


@dataclass(frozen=True)
class Named:
    """The formula of this name."""

    name: str


@dataclass(frozen=True)
class Where:
    """The formula, with names for parts. The parts of a layer use names of the layers before it."""

    layers: tuple[tuple[tuple[str, Formula], ...], ...]
    formula: Formula


Formula: TypeAlias = Holds | All | Some | Different | Between | Named | Where

TRUE, FALSE = All(()), Some(())

Key = TypeVar("Key")
Value = TypeVar("Value")


def formula(primitive: Primitive, board: Board) -> Formula:
    """The formula of a primitive."""
    match primitive:
        case Allowed(cell, digits):
            return _holds(cell, digits, board)
        case AllDifferent(cells):
            return Different(cells) if len(cells) > 1 else TRUE
        case Linear(cells, coefficients, least, greatest):
            return _between(list(zip(coefficients, cells, strict=True)), least, greatest)
        case Relation(first, second, pairs):
            # digits of the first cell that allow the same digits of the second go together
            supports = grouped((tuple(others), digit) for digit, others in grouped(sorted(pairs)).items())
            return _joined(
                Some,
                (
                    _joined(All, (_holds(first, digits, board), _holds(second, others, board)))
                    for others, digits in supports.items()
                ),
            )
        case Count():
            return _count(primitive, board)
        case Diagram():
            return _diagram(primitive, board)
        case OneOf(cases):
            return _joined(Some, (_joined(All, (formula(part, board) for part in case)) for case in cases))
        case _:
            assert_never(primitive)


def _holds(cell: int, digits: Collection[int], board: Board) -> Formula:
    present = tuple(digit for digit in board.digits if digit in digits)
    return FALSE if not present else TRUE if len(present) == board.order else Holds(cell, present)


def _joined(kind: type[All] | type[Some], formulas: Iterable[Formula]) -> Formula:
    neutral, decisive = (TRUE, FALSE) if kind is All else (FALSE, TRUE)
    parts = tuple(part for part in dict.fromkeys(formulas) if part != neutral)
    if decisive in parts:
        return decisive
    return parts[0] if len(parts) == 1 else kind(parts)


def _between(terms: Sequence[tuple[int, int | Formula]], least: int | None, greatest: int | None) -> Formula:
    if least is greatest is None:
        return TRUE
    if least is not None and greatest is not None and least > greatest:
        return FALSE
    if not terms:
        return TRUE if (least is None or least <= 0) and (greatest is None or greatest >= 0) else FALSE
    return Between(tuple(terms), least, greatest)


def grouped(pairs: Iterable[tuple[Key, Value]]) -> dict[Key, list[Value]]:
    """The second parts of the pairs that have the same first part."""
    found: dict[Key, list[Value]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


def runs(digits: Sequence[int]) -> list[tuple[int, int]]:
    """Ascending digits as runs of consecutive ones: the first and the last digit of each run."""
    found = [list(run) for _, run in groupby(enumerate(digits), key=lambda pair: pair[1] - pair[0])]
    return [(run[0][1], run[-1][1]) for run in found]


def _count(count: Count, board: Board) -> Formula:
    parts = [_holds(cell, digits, board) for cell, digits in grouped(count.candidates).items()]
    certain = parts.count(TRUE)
    parts = [part for part in parts if part not in (TRUE, FALSE)]
    least, greatest = count.least - certain, count.greatest - certain
    if greatest < max(least, 0) or least > len(parts):
        return FALSE
    if least == 1 and greatest >= len(parts):
        return _joined(Some, parts)
    limits = (least if least > 0 else None, greatest if greatest < len(parts) else None)
    return _between([(1, part) for part in parts], *limits)


def _diagram(diagram: Diagram, board: Board) -> Formula:
    """Backwards from the end: for each state, the formula for the cells that follow. It has a name, so that a state
    that is reached twice is written once."""
    if not diagram.layers or not all(diagram.layers):
        return FALSE if diagram.cells else TRUE
    demands: dict[int, Formula] = {after: TRUE for _, _, after in diagram.layers[-1]}
    layers: list[tuple[tuple[str, Formula], ...]] = []
    for place in range(len(diagram.cells) - 1, -1, -1):
        found = {}
        for state, edges in grouped((state, (after, digit)) for state, digit, after in diagram.layers[place]).items():
            ways = ((_holds(diagram.cells[place], some, board), demands[to]) for to, some in grouped(edges).items())
            found[state] = _joined(Some, (_joined(All, way) for way in ways))
        if place:
            names = {state: f"after_{place}_{state}" for state, made in found.items() if made not in (TRUE, FALSE)}
            layers.append(tuple((name, found[state]) for state, name in names.items()))
            found |= {state: Named(name) for state, name in names.items()}
        demands = found
    return Where(tuple(layers), demands[0]) if any(layers) else demands[0]
