"""Constraints made of other constraints, and automata that accept the digits of a line."""

from collections.abc import Iterable, Iterator
from functools import cache

from ringdoku.domain import AllDifferent, Board, Diagram, Grid, OneOf, Primitive, grouped
from ringdoku.domain.constraint import Cases, Cells, Constraint, Digits, Edges, OfCells


class Either(Constraint):
    """All constraints of at least one case hold; a case is in braces, and ; separates its constraints."""

    cases: Cases

    example = "either: { killer 3: r1c1 r1c2; odd: r2c2 } { even: r1c1 }"

    def holds(self, grid: Grid) -> bool:
        return any(all(_satisfies(grid, constraint) for constraint in case) for case in self.cases)

    def primitives(self, board: Board) -> Iterator[Primitive]:
        yield OneOf(tuple(tuple(primitives_with_houses(case, board)) for case in self.cases), "either")


def with_nested(rules: Iterable[Constraint]) -> Iterator[Constraint]:
    """Yields the constraints, and those nested in the cases of `Either`."""
    for rule in rules:
        yield rule
        for case in rule.cases if isinstance(rule, Either) else ():
            yield from with_nested(case)


def _satisfies(grid: Grid, constraint: Constraint) -> bool:
    houses = constraint.houses(grid.board)
    return constraint.holds(grid) and all(len(set(grid.at(house.cells))) == len(house.cells) for house in houses)


def primitives_with_houses(case: Iterable[Constraint], board: Board) -> Iterator[Primitive]:
    """The primitives of constraints, with an `AllDifferent` for each of their houses."""
    for constraint in case:
        for house in constraint.houses(board):
            # a house with a cell twice has no solution
            has_repeat = len(set(house.cells)) < len(house.cells)
            yield OneOf((), house.name) if has_repeat else AllDifferent(house.cells, house.name)
        yield from constraint.primitives(board)


class Language(OfCells):
    """An automaton accepts the digits: its end states, then its edges state,digit,state; it starts in state 0.

    A state may have several edges for a digit.
    """

    ends: Digits
    edges: Edges
    cells: Cells

    example = "language 1 0,1,1 0,2,1 1,3,1 1,4,1: r1c1-r1c3"
    listed = False
    shade = "#e3f2fd"

    def holds(self, grid: Grid) -> bool:
        states = {0}
        for digit in grid.at(self.cells):
            states = {after for state, label, after in self.edges if label == digit and state in states}
        return not states.isdisjoint(self.ends)

    def primitives(self, board: Board) -> Iterator[Diagram]:
        following = grouped(((state, digit), after) for state, digit, after in self.edges)

        @cache
        def step(states: frozenset[int], digit: int) -> frozenset[int] | None:
            return frozenset().union(*(following.get((state, digit), ()) for state in states)) or None

        def accepts(states: frozenset[int]) -> bool:
            return not states.isdisjoint(self.ends)

        yield self.diagram(board, frozenset((0,)), lambda states, _, digit: step(states, digit), accepts)


def language_of(diagram: Diagram) -> Language:
    """The constraint that the digits of the cells are those of a path through the diagram."""
    edges, end = diagram.automaton() if any(diagram.layers) else ([], 0)
    return Language((end,), frozenset(edges), diagram.cells)
