"""The few kinds of rule that every solver, export and bound handles; named constraints are made of them.

Each is a condition on cells (indices) and digits (values, from the board's least to its greatest). Every `match` on
primitives is exhaustive, so that the type checker reports a kind that was forgotten.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice, product, zip_longest
from typing import ClassVar, TypeAlias, TypeVar

from ringdoku.domain.errors import DimensionError, whole_numbers


def _require_different(values: Sequence[object], what: str) -> None:
    if len(set(values)) < len(values):
        raise ValueError(f"the {what} are different, not {values}")


@dataclass(frozen=True)
class Allowed:
    """The cell holds one of the digits. If there are none, there is no solution."""

    cell: int
    digits: frozenset[int]
    name: ClassVar[str] = ""


@dataclass(frozen=True)
class AllDifferent:
    """The cells hold different digits. If there are as many cells as digits, they hold every digit once. Raises
    `ValueError` for a cell that is listed twice: no digits are right for it."""

    cells: tuple[int, ...]
    name: str = ""

    def __post_init__(self) -> None:
        _require_different(self.cells, "cells of a house")


@dataclass(frozen=True)
class Linear:
    """Σ coefficient·digit = total, of different cells, no coefficient 0; `weighted_sum` makes one of any terms. Raises
    `UsageError` unless all are whole, `ValueError` for a cell that is listed twice or a coefficient that is missing."""

    cells: tuple[int, ...]
    coefficients: tuple[int, ...]
    total: int
    name: str = ""

    def __post_init__(self) -> None:
        whole_numbers((*self.cells, *self.coefficients, self.total), "the numbers of a sum")
        _require_different(self.cells, "cells of a sum")
        if len(self.cells) != len(self.coefficients):
            raise ValueError(f"{len(self.cells)} cells of a sum have {len(self.coefficients)} coefficients")


@dataclass(frozen=True)
class Relation:
    """The digits of two different cells are one of the pairs (digit of `first`, digit of `second`). Raises `ValueError`
    for one cell, whose relation with itself is `Allowed`: `related` makes either."""

    first: int
    second: int
    pairs: frozenset[tuple[int, int]]
    name: str = ""

    def __post_init__(self) -> None:
        if self.first == self.second:
            raise ValueError(f"a relation is between two different cells, not between {self.first} and itself")


@dataclass(frozen=True)
class Count:
    """Of the candidates (cell, digit), `least` to `greatest` are true. Raises `ValueError` for one listed twice."""

    candidates: tuple[tuple[int, int], ...]
    least: int
    greatest: int
    name: str = ""

    def __post_init__(self) -> None:
        _require_different(self.candidates, "candidates of a count")


Layer: TypeAlias = tuple[tuple[int, int, int], ...]
"""The edges of a decision diagram for one cell: (state, digit, next state)."""


@dataclass(frozen=True)
class Diagram:
    """The digits of the cells, one after the other, are the labels of a path through a decision diagram.

    `layers[i]` holds the edges (state, digit, next state) of the i-th cell; states are numbered from 0 in each layer,
    paths start in state 0, and every state lies on a path from start to end. From a state there is at most one edge for
    a digit, so that a solution has one path. A cell may occur twice. If no layer has edges, there is no solution.
    Automata, counters and tables over a line are diagrams (Bryant, IEEE TC 35, 1986; Andersen and others, CP 2007).
    """

    cells: tuple[int, ...]
    layers: tuple[Layer, ...]
    name: str = ""

    def automaton(self) -> tuple[list[tuple[int, int, int]], int]:
        """The edges of an equivalent automaton, with states numbered from 0 across all layers, and its only final
        state, the greatest number. Every layer must have an edge."""
        start, edges = 0, list[tuple[int, int, int]]()
        for layer, following in zip_longest(self.layers, self.layers[1:]):
            after = start + 1 + max(state for state, _, _ in layer)
            edges += [(start + state, digit, after + to * (following is not None)) for state, digit, to in layer]
            start = after
        return edges, start


@dataclass(frozen=True)
class OneOf:
    """All primitives of at least one of the cases hold."""

    cases: "tuple[tuple[Primitive, ...], ...]"
    name: str = ""

    @cached_property
    def cells(self) -> tuple[int, ...]:
        """The cells of all cases, each once."""
        return tuple(dict.fromkeys([cell for case in self.cases for part in case for cell in scope_of(part)]))


Primitive: TypeAlias = Allowed | AllDifferent | Linear | Relation | Count | Diagram | OneOf

MOST_EDGES = 500_000
"""The most edges of a diagram while it is built, a second or two; diagrams of shared puzzles have at most 20,000."""

State = TypeVar("State", bound=Hashable)
Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


def scope_of(primitive: Primitive) -> Sequence[int]:
    """The cells of a primitive in its order; a cell may occur more than once."""
    match primitive:
        case Allowed(cell):
            return (cell,)
        case Relation(first, second):
            return first, second
        case Count(candidates):
            return [cell for cell, _ in candidates]
    return primitive.cells


def related(first: int, second: int, pairs: frozenset[tuple[int, int]], name: str = "") -> Relation | Allowed:
    """The digits of two cells are one of the pairs; a line that returns to a cell relates it to itself."""
    if first == second:
        return Allowed(first, frozenset(one for one, other in pairs if one == other))
    return Relation(first, second, frozenset(pairs), name)


def weighted_sum(terms: Iterable[tuple[int, int]], total: int, name: str) -> Linear:
    """Σ factor·digit = total over terms (cell, factor), in which a cell may repeat."""
    factors = Counter[int]()
    for cell, factor in terms:
        factors[cell] += factor
    used = {cell: factor for cell, factor in factors.items() if factor}
    return Linear(tuple(used), tuple(used.values()), total, name)


def occurrences(cells: Iterable[int], digits: Iterable[int], least: int, greatest: int, name: str) -> Count:
    """At least `least` and at most `greatest` of the cells hold one of the digits; a cell that repeats counts once."""
    return Count(tuple(product(dict.fromkeys(cells), digits)), least, greatest, name)


def grouped(pairs: Iterable[tuple[Key, Value]]) -> dict[Key, list[Value]]:
    """For each key of the pairs its values, in their order."""
    found: dict[Key, list[Value]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


@lru_cache(maxsize=64)
def pairs_of(digits: Sequence[int], allows: Callable[..., object], *numbers: object) -> frozenset[tuple[int, int]]:
    """The pairs of `digits` for which `allows`, called with them and the `numbers`, is true."""
    return frozenset((one, other) for one, other in product(digits, repeat=2) if allows(one, other, *numbers))


def sets_with_sum(digits: Sequence[int], total: int, most: int, most_sets: int) -> list[tuple[int, ...]] | None:
    """Every set of up to `most` of the ascending digits, 0 left out, with this sum; None if there are too many."""
    sets = list(islice(_sets_with_sum(digits, total, most), most_sets + 1))
    return sets if len(sets) <= most_sets else None


def _sets_with_sum(digits: Sequence[int], total: int, most: int) -> Iterator[tuple[int, ...]]:
    if total == 0:
        yield ()
    elif most and total <= sum(digits[-most:]):
        for place, digit in enumerate(digits):
            if 0 < digit <= total:
                yield from ((digit, *others) for others in _sets_with_sum(digits[place + 1 :], total - digit, most - 1))


def diagram(
    cells: Sequence[int],
    digits_of: Sequence[Iterable[int]],
    start: State,
    step: Callable[[State, int, int], State | None],
    accepts: Callable[[State], bool],
    name: str = "",
) -> Diagram:
    """The diagram of an automaton: `step(state, place, digit)` reads a digit at a place of the line.

    `step` returns the next state, or None if the digit is not allowed. `digits_of` has the digits that each cell may
    hold. States that lead to no accepting end are left out, and states with the same future are merged. Raises
    `DimensionError` for more than `MOST_EDGES`.
    """
    count = 0
    reached: list[dict[State, int]] = [{start: 0}]
    edges: list[list[tuple[int, int, int]]] = []
    for place in range(len(cells)):
        following: dict[State, int] = {}
        layer = []
        for state, number in reached[-1].items():
            for digit in digits_of[place]:
                after = step(state, place, digit)
                if after is not None:
                    layer.append((number, digit, following.setdefault(after, len(following))))
            if count + len(layer) > MOST_EDGES:
                raise DimensionError(
                    f"{name or 'an automaton'} is too large: a diagram of its {len(cells)} cells has more than "
                    f"{MOST_EDGES} edges"
                )
        count += len(layer)
        reached.append(following)
        edges.append(layer)
    layers = _minimal_layers(edges, [number for end, number in reached[-1].items() if accepts(end)])
    return Diagram(tuple(cells), renumbered(layers), name)


def renumbered(layers: Iterable[Iterable[tuple[int, int, int]]]) -> tuple[Layer, ...]:
    """The layers without the edges that no path from the start reaches, with states numbered as they are reached."""
    numbers, reached = {0: 0}, list[Layer]()
    for layer in layers:
        later: dict[int, int] = {}
        edges = (edge for edge in layer if edge[0] in numbers)
        reached.append(tuple((numbers[one], digit, later.setdefault(to, len(later))) for one, digit, to in edges))
        numbers = later
    return tuple(reached)


def _minimal_layers(
    layers: Sequence[Sequence[tuple[int, int, int]]], accepted: Iterable[int]
) -> list[list[tuple[int, int, int]]]:
    """The minimal layers, made from the end backwards: states with the same future are merged, dead ones left out."""
    classes = dict.fromkeys(accepted, 0)
    found: list[list[tuple[int, int, int]]] = []
    for layer in reversed(layers):
        futures = grouped((number, (digit, classes[target])) for number, digit, target in layer if target in classes)
        # the start is the only state of its layer, so it keeps the number 0
        by_future: dict[tuple[tuple[int, int], ...], int] = {}
        classes = {
            number: by_future.setdefault(tuple(sorted(future)), len(by_future)) for number, future in futures.items()
        }
        found.append([(number, *edge) for future, number in by_future.items() for edge in future])
    return found[::-1]
