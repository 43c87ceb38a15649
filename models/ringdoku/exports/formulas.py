"""A primitive as one formula over the digits of cells, for formats that have Booleans and sums. A formula is data, and
each format writes it in its own words."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias, assert_never

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


def formula(primitive: Primitive, board: Board) -> Formula:
    """The formula of a primitive."""
    match primitive:
        case Allowed(cell, digits):
            return _holds(cell, digits, board)
        case AllDifferent(cells):
            return Different(cells) if len(cells) > 1 else TRUE
        case Linear(cells, coefficients, least, greatest):
            return _between(list(zip(coefficients, cells, strict=True)), least, greatest)
        case Relation(first, second):
            return _some(
                _all((_holds(first, digits, board), _holds(second, others, board)))
                for digits, others in _supports(primitive)
            )
        case Count():
            return _count(primitive, board)
        case Diagram():
            return _diagram(primitive, board)
        case OneOf(cases):
            return _some(_all(formula(part, board) for part in case) for case in cases)
        case _:
            assert_never(primitive)


def _holds(cell: int, digits: Collection[int], board: Board) -> Formula:
    present = tuple(digit for digit in board.digits if digit in digits)
    return FALSE if not present else TRUE if len(present) == board.order else Holds(cell, present)


def _all(formulas: Iterable[Formula]) -> Formula:
    parts = tuple(part for part in dict.fromkeys(formulas) if part != TRUE)
    if FALSE in parts:
        return FALSE
    return parts[0] if len(parts) == 1 else All(parts)


def _some(formulas: Iterable[Formula]) -> Formula:
    parts = tuple(part for part in dict.fromkeys(formulas) if part != FALSE)
    if TRUE in parts:
        return TRUE
    return parts[0] if len(parts) == 1 else Some(parts)


def _between(terms: Sequence[tuple[int, int | Formula]], least: int | None, greatest: int | None) -> Formula:
    if least is greatest is None:
        return TRUE
    if least is not None and greatest is not None and least > greatest:
        return FALSE
    if not terms:
        return TRUE if (least is None or least <= 0) and (greatest is None or greatest >= 0) else FALSE
    return Between(tuple(terms), least, greatest)


def _supports(relation: Relation) -> list[tuple[list[int], frozenset[int]]]:
    """Groups of digits of the first cell that allow the same digits of the second, with those digits."""
    others: dict[int, set[int]] = {}
    for digit, other in sorted(relation.pairs):
        others.setdefault(digit, set()).add(other)
    found: dict[frozenset[int], list[int]] = {}
    for digit, allowed in others.items():
        found.setdefault(frozenset(allowed), []).append(digit)
    return [(digits, allowed) for allowed, digits in found.items()]


def runs(digits: Sequence[int]) -> list[tuple[int, int]]:
    """Ascending digits as runs of consecutive ones: the first and the last digit of each run."""
    found: list[tuple[int, int]] = []
    for digit in digits:
        if found and found[-1][1] == digit - 1:
            found[-1] = found[-1][0], digit
        else:
            found.append((digit, digit))
    return found


def counted(count: Count) -> dict[int, set[int]]:
    """The digits that count, for each cell. Of the candidates of a cell at most one is true."""
    found: dict[int, set[int]] = {}
    for cell, digit in count.candidates:
        found.setdefault(cell, set()).add(digit)
    return found


def _count(count: Count, board: Board) -> Formula:
    parts = [_holds(cell, digits, board) for cell, digits in counted(count).items()]
    certain = parts.count(TRUE)
    parts = [part for part in parts if part not in (TRUE, FALSE)]
    least, greatest = count.least - certain, count.greatest - certain
    if greatest < max(least, 0) or least > len(parts):
        return FALSE
    if least == 1 and greatest >= len(parts):
        return _some(parts)
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
        digits: dict[int, dict[int, list[int]]] = {}
        for state, digit, after in diagram.layers[place]:
            digits.setdefault(state, {}).setdefault(after, []).append(digit)
        cell = diagram.cells[place]
        found = {
            state: _some(_all((_holds(cell, some, board), demands[after])) for after, some in edges.items())
            for state, edges in digits.items()
        }
        if place:
            names = {state: f"after_{place}_{state}" for state, made in found.items() if made not in (TRUE, FALSE)}
            layers.append(tuple((name, found[state]) for state, name in names.items()))
            found |= {state: Named(name) for state, name in names.items()}
        demands = found
    return Where(tuple(layers), demands[0]) if any(layers) else demands[0]
