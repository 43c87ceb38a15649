"""Collects the clauses of rules (`RuleClauses`), and encodes relations, counts and diagrams as clauses."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import TypeAlias

from ringdoku.domain import DimensionError
from ringdoku.domain.primitives import Diagram, Layer, renumbered
from ringdoku.limits import NEVER, Deadline
from ringdoku.sat.formula import VarPool

MOST_LITERALS = 1 << 25
"""The most literals in the clauses of all rules: as Python lists they take about two gigabytes."""

FEW_SUBSETS = 40
"""Up to this many clauses, a bound is a clause for each subset: that needs no variables, and propagates at once."""

Support: TypeAlias = tuple[int, tuple[int, ...]]
"""A digit of one cell, and the digits of the other cell that support it."""


@dataclass
class RuleClauses:
    """The clauses of rules so far. `literals[cell][digit − least]` is the literal of "the cell holds the digit", 0
    where it cannot. `peers(cell)` are the cells that share a house with it."""

    literals: Sequence[Sequence[int]]
    least: int
    peers: Callable[[int], frozenset[int]]
    pool: VarPool
    deadline: Deadline = NEVER
    _clauses: list[list[int]] = field(default_factory=list)
    _num_checked_clauses: int = 0
    _num_checked_literals: int = 0
    _negated_conditions: list[int] = field(default_factory=list)
    _artificial_cells: list[dict[int, int]] = field(default_factory=list)
    _disjunctions: dict[tuple[int, ...], int] = field(default_factory=dict)

    def add(self, clause: list[int]) -> None:
        """Add a clause. Inside `when` it holds only if the literals there are true."""
        self._clauses.append(self._negated_conditions + clause)

    def check_limits(self, rule: str) -> None:
        """Raise `DimensionError`, with the last rule, for too many clauses; `TimeLimitError` at the deadline."""
        self.deadline.check()
        self._num_checked_literals += sum(map(len, self._clauses[self._num_checked_clauses :]))
        self._num_checked_clauses = len(self._clauses)
        if self._num_checked_literals > MOST_LITERALS:
            size = f"more than {MOST_LITERALS} literals"
            raise DimensionError(f"{rule or 'a rule'} is too large: with it the clauses of the rules have {size}")

    def any_of(self, literals: Sequence[int]) -> int:
        """A literal equivalent to the disjunction of `literals`: the only one, or a new variable."""
        if len(literals) == 1:
            return literals[0]
        # a definition that was made inside `when` holds only under its conditions
        key = (*self._negated_conditions, 0, *sorted(literals))
        if key not in self._disjunctions:
            (defined,) = self.pool.reserve(1)
            self.add([-defined, *literals])
            for literal in literals:
                self.add([-literal, defined])
            self._disjunctions[key] = defined
        return self._disjunctions[key]

    @contextmanager
    def when(self, *literals: int) -> Iterator[None]:
        """Clauses that are added inside this context hold only if the literals are true."""
        before = len(self._negated_conditions)
        self._negated_conditions += [-literal for literal in literals]
        yield
        del self._negated_conditions[before:]

    def candidates(self, cell: int) -> dict[int, int]:
        """The literal of each digit that the cell can hold, or of each value of an artificial cell."""
        if cell >= len(self.literals):
            return self._artificial_cells[cell - len(self.literals)]
        return {digit: literal for digit, literal in enumerate(self.literals[cell], self.least) if literal}

    def literals_of_digit(self, digit: int, cells: Iterable[int]) -> list[int]:
        """The literals of a digit in the cells that can hold it."""
        return [literal for literal in (self.literals[cell][digit - self.least] for cell in cells) if literal]

    def add_artificial_cell(self, literals: dict[int, int]) -> int:
        """The index of a new artificial cell for a number such as a sum: value → literal, exactly one of them true."""
        self._artificial_cells.append(literals)
        return len(self.literals) + len(self._artificial_cells) - 1

    def lists(self) -> list[list[int]]:
        """All clauses, shorter ones first."""
        return sorted(self._clauses, key=len)


def encode_relation(first: int, second: int, pairs: Iterable[tuple[int, int]], clauses: RuleClauses) -> None:
    """The digits of the cells are one of the pairs. Conflicts are binary clauses (Walsh, "SAT v CSP", CP 2000); the
    supports of a digit make unit propagation arc consistent (Gent, "Arc consistency in SAT", ECAI 2002)."""
    left, right = clauses.candidates(first), clauses.candidates(second)
    conflicts, forwards, backwards = _conflicts_and_supports(frozenset(pairs), tuple(left), tuple(right))
    for a, b in conflicts:
        clauses.add([-left[a], -right[b]])
    for a, others in forwards:
        clauses.add([-left[a], *[right[b] for b in others]])
    for b, others in backwards:
        clauses.add([-right[b], *[left[a] for a in others]])


@lru_cache(maxsize=4096)
def _conflicts_and_supports(
    pairs: frozenset[tuple[int, int]], left: tuple[int, ...], right: tuple[int, ...]
) -> tuple[list[tuple[int, int]], list[Support], list[Support]]:
    """The conflicts and the supports in both directions that need a clause, for digits that the cells can hold. Each
    cell holds exactly one digit. So if only one digit supports a digit, its conflicts need no clauses; and if it
    conflicts with only one digit, its supports need none."""
    forwards = [(a, tuple(b for b in right if (a, b) in pairs)) for a in left]
    backwards = [(b, tuple(a for a in left if (a, b) in pairs)) for b in right]
    several = [b for b, others in backwards if len(others) > 1]
    conflicts = [(a, b) for a, others in forwards if len(others) > 1 for b in several if (a, b) not in pairs]

    def without_redundant(supports: list[Support], size: int) -> list[Support]:
        return [(digit, others) for digit, others in supports if len(others) <= 1 or len(others) < size - 1]

    return conflicts, without_redundant(forwards, len(right)), without_redundant(backwards, len(left))


def encode_count(
    literals: Sequence[int], least: int, greatest: int, clauses: RuleClauses, few: int = FEW_SUBSETS
) -> None:
    """At least `least` and at most `greatest` of the literals are true. Each bound is a clause for each subset, if
    those are at most `few`, else a counter that is a decision diagram over literals (Sinz, CP 2005; Eén and Sörensson,
    "Translating pseudo-Boolean constraints into SAT", JSAT 2, 2006)."""
    if least > 0:
        _at_least(literals, least, clauses, few)
    if greatest < len(literals):
        _at_least([-literal for literal in literals], len(literals) - greatest, clauses, few)


def _at_least(literals: Sequence[int], least: int, clauses: RuleClauses, few: int) -> None:
    """At least `least` ≥ 1 literals are true."""
    count = len(literals)
    size = max(count - least + 1, 0)
    if comb(count, size) <= few:
        # only least − 1 literals are outside such a subset, so one inside is true; none is inside the empty one
        for subset in combinations(literals, size):
            clauses.add(list(subset))
        return
    # enough[k]: at least k of the literals so far are true; with fewer than the lowest k the bound is out of reach
    enough: dict[int, int] = {}
    for place, literal in enumerate(literals):
        lowest, following = max(1, least - (count - place - 1)), dict[int, int]()
        for k in range(lowest, min(place + 1, least) + 1):
            # at least k now implies: k before, or k − 1 before and this literal
            (following[k],) = clauses.pool.reserve(1)
            without = [-following[k], *([enough[k]] if k in enough else [])]
            clauses.add([*without, literal])
            if k > 1:
                clauses.add([*without, enough[k - 1]])
        enough = following
    clauses.add([enough[least]])


def encode_diagram(diagram: Diagram, clauses: RuleClauses) -> None:
    """The digits of the cells are the labels of a path through a decision diagram, with a variable for each state that
    a prefix of the line can reach (Quimper and Walsh, "Global grammar constraints", CP 2006; Abío, Gange,
    Mayer-Eichberger and Stuckey, "On CNF encodings of decision diagrams", CPAIOR 2016).

    Forwards: a state and a digit imply the next state, or exclude each other where there is no edge. Backwards: a state
    implies one of the digits that lead to it; a state and a digit imply one of the states before it; a digit implies
    one of the states that allow it.
    """
    layers = _pruned_layers(diagram, clauses)
    if not all(layers):
        clauses.add([])
        return
    # states on every path, the start and the only one of a layer, are 0 and need no variable; every last state accepts
    states: Sequence[int] = [0]
    for place, (cell, layer) in enumerate(zip(diagram.cells, layers, strict=True), 1):
        clauses.check_limits(diagram.name)
        count = 1 + max(after for _, _, after in layer)
        following = clauses.pool.reserve(count) if count > 1 and place < len(layers) else [0] * count
        _add_forward_clauses(clauses.candidates(cell), layer, states, following, clauses)
        _add_backward_clauses(clauses.candidates(cell), layer, states, following, clauses)
        states = following


def _pruned_layers(diagram: Diagram, clauses: RuleClauses) -> tuple[Layer, ...]:
    """The layers without the edges that the candidates rule out, renumbered; one is empty if no path is left."""
    layers: list[Layer] = []
    alive: set[int] | None = None
    for cell, layer in zip(reversed(diagram.cells), reversed(diagram.layers), strict=True):
        digits = clauses.candidates(cell)
        layers.append(tuple(edge for edge in layer if edge[1] in digits and (alive is None or edge[2] in alive)))
        alive = {state for state, _, _ in layers[-1]}
    return renumbered(reversed(layers))


def _add_forward_clauses(
    literals: dict[int, int], layer: Layer, states: Sequence[int], following: Sequence[int], clauses: RuleClauses
) -> None:
    edges_of: defaultdict[int, dict[int, int]] = defaultdict(dict)
    for state, digit, after in layer:
        edges_of[state][digit] = following[after]
    for state, variable in enumerate(states):
        before = [-variable] if variable else []
        edges = edges_of[state]
        for digit, literal in literals.items():
            if digit not in edges:
                clauses.add([*before, -literal])
            elif edges[digit]:
                clauses.add([*before, -literal, edges[digit]])
        if before and len(edges) < len(literals):
            clauses.add([*before, *(literals[digit] for digit in edges)])


def _add_backward_clauses(
    literals: dict[int, int], layer: Layer, states: Sequence[int], following: Sequence[int], clauses: RuleClauses
) -> None:
    by_digit: defaultdict[int, list[int]] = defaultdict(list)
    by_next: defaultdict[int, dict[int, list[int]]] = defaultdict(dict)
    for state, digit, after in layer:
        by_digit[digit].append(states[state])
        by_next[after].setdefault(digit, []).append(states[state])
    # a clause with a state that every path reaches holds anyway
    for digit, literal in literals.items():
        if 0 not in by_digit[digit]:
            clauses.add([-literal, *by_digit[digit]])
    for after, variable in enumerate(following):
        if variable:
            clauses.add([-variable, *(literals[digit] for digit in by_next[after])])
            for digit, members in by_next[after].items():
                if 0 not in members:
                    clauses.add([-variable, -literals[digit], *members])
