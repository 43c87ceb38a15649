"""Primitives as conditions, for formats that have Booleans and sums. `ConditionWriter` translates every primitive; a
format defines how its expressions are written."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Sequence
from itertools import groupby
from typing import Any, ClassVar, assert_never

from ringdoku.domain import Board, gains_of, grouped, is_by_cell
from ringdoku.domain.primitives import AllDifferent, Allowed, Count, Diagram, Linear, OneOf, Primitive, Relation

TRUE, FALSE = "true", "false"
"""The conditions that always and that never hold."""


class ConditionWriter(ABC):
    """Writes primitives as conditions of a format. Only `condition` returns `TRUE` or `FALSE`, and none takes them."""

    grid: ClassVar[str]
    """The name of the variable in a row and a column of the grid, with {0} and {1} for them."""
    extra: ClassVar[str]
    """The name of an extra cell's variable, with {0} for its number and {1} for its name."""
    first: ClassVar[int] = 1
    """The number of the first row, column and extra cell."""

    def __init__(self, board: Board) -> None:
        self.board = board

    def cell(self, cell: int) -> str:
        """The variable of a cell."""
        board = self.board
        if cell >= board.grid_count:
            return self.extra.format(cell - board.grid_count + self.first, board.cell_name(cell))
        return self.grid.format(cell // board.columns + self.first, cell % board.columns + self.first)

    @abstractmethod
    def holds(self, cell: str, digits: Sequence[int]) -> str:
        """The condition that the cell holds one of these ascending digits, at least one and not all."""

    @abstractmethod
    def joined(self, word: str, parts: Sequence[str]) -> str:
        """The conjunction of two or more conditions if the word is `and`, their disjunction if it is `or`."""

    @abstractmethod
    def different(self, cells: Sequence[str]) -> str:
        """The condition that the digits of two or more cells all differ."""

    def as_number(self, condition: str) -> str:
        """The number 1 where the condition holds, else 0."""
        return condition

    @abstractmethod
    def between(self, terms: Sequence[tuple[int, str]], least: int | None, greatest: int | None) -> str:
        """The condition least ≤ Σ factor·number ≤ greatest, where None is no limit, but one is given. There is at least
        one term (factor, number); numbers are cells and what `as_number` returns."""

    @abstractmethod
    def with_definitions(self, layers: Sequence[Sequence[tuple[str, str]]], condition: str) -> str:
        """The condition after definitions (name, condition) of its parts, which use names of the layers before."""

    @classmethod
    def statement_of(cls, primitive: Primitive, board: Board) -> Any:
        """The statement of a primitive on a board: the function `state` of a format's module."""
        return cls(board).state(primitive)

    def state(self, primitive: Primitive) -> Any:
        """The statement of a primitive: a condition, unless the format has something better."""
        return self.condition(primitive)

    def condition(self, primitive: Primitive) -> str:
        """The condition that the primitive states."""
        match primitive:
            case Allowed(cell, digits):
                return self._holds(cell, digits)
            case AllDifferent(cells):
                return self.different([self.cell(cell) for cell in cells]) if len(cells) > 1 else TRUE
            case Linear((), (), total):
                return FALSE if total else TRUE
            case Linear(cells, factors, total):
                terms = [(factor, self.cell(cell)) for factor, cell in zip(factors, cells, strict=True)]
                return self.between(terms, total, total)
            case Relation():
                return self._relation(primitive)
            case Count():
                return self._count(primitive)
            case Diagram():
                return self._diagram(primitive)
            case OneOf(cases):
                return self._dnf(map(self.condition, case) for case in cases)
            case _:
                assert_never(primitive)

    def score(self, weights: Sequence[int]) -> list[tuple[int, str]]:
        """The terms (factor, number) of the score with the weights of an `Objective`; at least one."""
        board = self.board
        if is_by_cell(weights, board):
            terms = [(weight, self.cell(cell)) for cell, weight in enumerate(weights) if weight]
        else:
            rows = enumerate(gains_of(weights, board))
            every = ((gain, cell, digit) for cell, row in rows for gain, digit in zip(row, board.digits, strict=True))
            terms = [(gain, self.as_number(self._holds(cell, [digit]))) for gain, cell, digit in every if gain]
        return terms or [(0, self.cell(0))]

    def _holds(self, cell: int, digits: Collection[int]) -> str:
        present = [digit for digit in self.board.digits if digit in digits]
        if len(present) in (0, self.board.order):
            return TRUE if present else FALSE
        return self.holds(self.cell(cell), present)

    def _joined(self, word: str, conditions: Iterable[str]) -> str:
        neutral, decisive = (TRUE, FALSE) if word == "and" else (FALSE, TRUE)
        parts = [part for part in dict.fromkeys(conditions) if part != neutral]
        if not parts or decisive in parts:
            return decisive if parts else neutral
        return parts[0] if len(parts) == 1 else self.joined(word, parts)

    def _dnf(self, cases: Iterable[Iterable[str]]) -> str:
        """The disjunction of the conjunctions of conditions."""
        return self._joined("or", (self._joined("and", case) for case in cases))

    def _relation(self, relation: Relation) -> str:
        # digits of the first cell that allow the same digits of the second are grouped
        supports = grouped((tuple(others), digit) for digit, others in grouped(sorted(relation.pairs)).items())
        first, second = relation.first, relation.second
        return self._dnf((self._holds(first, own), self._holds(second, others)) for others, own in supports.items())

    def _count(self, count: Count) -> str:
        parts = [self._holds(cell, digits) for cell, digits in grouped(count.candidates).items()]
        certain = parts.count(TRUE)
        parts = [part for part in parts if part not in (TRUE, FALSE)]
        least, greatest = count.least - certain, count.greatest - certain
        if greatest < max(least, 0) or least > len(parts):
            return FALSE
        if least == 1 and greatest >= len(parts):
            return self._joined("or", parts)
        limits = (least if least > 0 else None, greatest if greatest < len(parts) else None)
        return TRUE if limits == (None, None) else self.between([(1, self.as_number(part)) for part in parts], *limits)

    def _diagram(self, diagram: Diagram) -> str:
        """The condition on the cells after the start. For each state, from the end backwards, it is the condition on
        the cells that follow, which has a name, so that a state that is reached twice is written once."""
        if not diagram.layers or not all(diagram.layers):
            return FALSE if diagram.cells else TRUE
        conditions = {after: TRUE for _, _, after in diagram.layers[-1]}
        layers: list[list[tuple[str, str]]] = []
        for place in range(len(diagram.cells) - 1, -1, -1):
            earlier, layer = {}, []
            edges_of = grouped((state, (after, digit)) for state, digit, after in diagram.layers[place])
            for state, edges in edges_of.items():
                digits_to, cell = grouped(edges).items(), diagram.cells[place]
                condition = self._dnf((self._holds(cell, digits), conditions[after]) for after, digits in digits_to)
                if place and condition not in (TRUE, FALSE):
                    name = f"after_{place}_{state}"
                    layer.append((name, condition))
                    condition = name
                earlier[state] = condition
            layers += [layer] if layer else []
            conditions = earlier
        return self.with_definitions(layers, conditions[0]) if layers else conditions[0]


def runs(digits: Sequence[int]) -> list[tuple[int, int]]:
    """The first and the last digit of each run of consecutive digits, which ascend."""
    found = [list(run) for _, run in groupby(enumerate(digits), key=lambda pair: pair[1] - pair[0])]
    return [(run[0][1], run[-1][1]) for run in found]
