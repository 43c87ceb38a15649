"""A primitive as one formula over the digits of cells, for formats that have Booleans and sums."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Sequence
from itertools import combinations
from typing import assert_never

from ringdoku.domain.board import Board
from ringdoku.domain.primitives import AllDifferent, Allowed, Count, Diagram, Linear, OneOf, Primitive, Relation

TRUE, FALSE = "true", "false"
"""The constant formulas. They are never part of another formula."""


class Words(ABC):
    """How a format writes formulas. A formula is a text, or `TRUE` or `FALSE`."""

    def __init__(self, board: Board) -> None:
        self.board = board

    @abstractmethod
    def cell(self, cell: int) -> str:
        """The variable of a cell."""

    @abstractmethod
    def member(self, cell: int, digits: Sequence[int]) -> str:
        """The cell holds one of these ascending digits, which are at least one and not all."""

    @abstractmethod
    def both(self, parts: Sequence[str]) -> str:
        """All of at least two formulas hold."""

    @abstractmethod
    def either(self, parts: Sequence[str]) -> str:
        """At least one of at least two formulas holds."""

    @abstractmethod
    def unequal(self, first: str, second: str) -> str:
        """Two variables differ."""

    @abstractmethod
    def number(self, formula: str) -> str:
        """1 where the formula holds, else 0."""

    @abstractmethod
    def sum_between(self, terms: Sequence[tuple[int, str]], least: int | None, greatest: int | None) -> str:
        """least ≤ Σ coefficient·term ≤ greatest, None for no limit but not both; there is at least one term."""

    def holds(self, cell: int, digits: Collection[int]) -> str:
        """The cell holds one of these digits."""
        present = [digit for digit in self.board.digits if digit in digits]
        return FALSE if not present else TRUE if len(present) == self.board.order else self.member(cell, present)

    def every(self, formulas: Iterable[str]) -> str:
        """All of the formulas hold."""
        parts = [part for part in dict.fromkeys(formulas) if part != TRUE]
        if FALSE in parts:
            return FALSE
        return self.both(parts) if len(parts) > 1 else parts[0] if parts else TRUE

    def some(self, formulas: Iterable[str]) -> str:
        """At least one of the formulas holds."""
        parts = [part for part in dict.fromkeys(formulas) if part != FALSE]
        if TRUE in parts:
            return TRUE
        return self.either(parts) if len(parts) > 1 else parts[0] if parts else FALSE

    def different(self, cells: Sequence[int]) -> str:
        """No two of the cells hold the same digit."""
        return self.every(self.unequal(self.cell(one), self.cell(other)) for one, other in combinations(cells, 2))

    def between(self, terms: Sequence[tuple[int, str]], least: int | None, greatest: int | None) -> str:
        """least ≤ Σ coefficient·term ≤ greatest, None for no limit."""
        if least is greatest is None:
            return TRUE
        if least is not None and greatest is not None and least > greatest:
            return FALSE
        if not terms:
            return TRUE if (least is None or least <= 0) and (greatest is None or greatest >= 0) else FALSE
        return self.sum_between(terms, least, greatest)


class NamingWords(Words):
    """Those of a format that has names for formulas. In others a part that is used twice is written twice."""

    @abstractmethod
    def where(self, layers: Sequence[dict[str, str]], formula: str) -> str:
        """A formula with names for parts. The parts of a layer use names of the layers before it."""


def formula(primitive: Primitive, words: Words) -> str:
    """The formula of a primitive."""
    match primitive:
        case Allowed(cell, digits):
            return words.holds(cell, digits)
        case AllDifferent(cells):
            return words.different(cells)
        case Linear(cells, coefficients, least, greatest):
            return words.between(list(zip(coefficients, map(words.cell, cells), strict=True)), least, greatest)
        case Relation(first, second):
            return words.some(
                words.every((words.holds(first, digits), words.holds(second, others)))
                for digits, others in supports(primitive)
            )
        case Count():
            return _count(primitive, words)
        case Diagram():
            return _diagram(primitive, words)
        case OneOf(cases):
            return words.some(words.every(formula(part, words) for part in case) for case in cases)
        case _:
            assert_never(primitive)


def supports(relation: Relation) -> list[tuple[list[int], frozenset[int]]]:
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


def _count(count: Count, words: Words) -> str:
    parts = [words.holds(cell, digits) for cell, digits in counted(count).items()]
    certain = parts.count(TRUE)
    parts = [part for part in parts if part not in (TRUE, FALSE)]
    least, greatest = count.least - certain, count.greatest - certain
    if greatest < max(least, 0) or least > len(parts):
        return FALSE
    if least == 1 and greatest >= len(parts):
        return words.some(parts)
    limits = (least if least > 0 else None, greatest if greatest < len(parts) else None)
    return words.between([(1, words.number(part)) for part in parts], *limits)


def _diagram(diagram: Diagram, words: Words) -> str:
    """Backwards from the end: for each state, the formula for the cells that follow."""
    if not diagram.layers or not all(diagram.layers):
        return FALSE if diagram.cells else TRUE
    demands = {after: TRUE for _, _, after in diagram.layers[-1]}
    layers: list[dict[str, str]] = []
    for place in range(len(diagram.cells) - 1, -1, -1):
        digits: dict[int, dict[int, list[int]]] = {}
        for state, digit, after in diagram.layers[place]:
            digits.setdefault(state, {}).setdefault(after, []).append(digit)
        cell = diagram.cells[place]
        found = {
            state: words.some(words.every((words.holds(cell, some), demands[after])) for after, some in edges.items())
            for state, edges in digits.items()
        }
        if isinstance(words, NamingWords) and place:
            # a name for each, so that a state that is reached twice is written once
            named = {f"after_{place}_{state}": text for state, text in found.items() if text not in (TRUE, FALSE)}
            layers.append(named)
            found = {
                state: text if text in (TRUE, FALSE) else f"after_{place}_{state}" for state, text in found.items()
            }
        demands = found
    return words.where(layers, demands[0]) if isinstance(words, NamingWords) and any(layers) else demands[0]
