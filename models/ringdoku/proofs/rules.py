"""The rules of a puzzle as 0-1 sums.

A rule that is no sum over candidates, as a diagram or a choice, has further variables, *helpers*. Each is 1 just when
its `Helper` says so of variables before it: so the digits decide all, and a solution of the sums is one of the puzzle.
A cage has helpers too, for the digits that it holds and for the sets that these may be: proofs name them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations, filterfalse, product
from math import comb

from ringdoku.domain import Board, Diagram, Linear, OneOf, Primitive, Ruleset, is_cage, rows
from ringdoku.proofs.checker import Row

Terms = Sequence[tuple[int, int]]
"""(factor, variable), each variable once."""
MOST_SETS = 40
"""Of a cage with helpers; most cages have fewer."""
MOST_TRIED = 10_000
"""Sets of so many digits as a cage has cells."""


@dataclass(frozen=True)
class Line:
    """Σ factor·variable ≥ `least`, or = where `exact`; `names` say of each of its rows what it is."""

    terms: Terms
    least: int
    exact: bool
    names: Sequence[str]

    @cached_property
    def rows(self) -> list[Row]:
        """≥, and for an equality ≤."""
        row = Row.of({var: factor for factor, var in self.terms}, self.least)
        most = Row(tuple([-literal for literal in row.literals]), row.factors, sum(row.factors) - row.least)
        return [row, most] if self.exact else [row]

    @cached_property
    def text(self) -> str:
        terms = " ".join([f"{factor:+d} x{var}" for factor, var in self.terms])
        return f"{terms} {'=' if self.exact else '>='} {self.least} ;"


@dataclass(frozen=True)
class Helper:
    """The variable is 1 just when Σ factor·product ≥ `least`, for products of variables; `name` is that of its rule."""

    products: Sequence[tuple[int, Sequence[int]]]
    least: int
    name: str

    def is_one(self, chosen: set[int]) -> bool:
        """Where the variables before it that are 1 are `chosen`."""
        return sum([factor for factor, variables in self.products if chosen.issuperset(variables)]) >= self.least


@dataclass(frozen=True)
class Cage:
    """A sum of cells that are in one house. `held` are the helpers of all digits, 1 for those that it holds, and
    `chosen` those of `sets`, masks of digits with its sum. `first` is the number of the first helper's first row: each
    has two, "if it is 1" and "if it is 0"."""

    cells: tuple[int, ...]
    total: int
    sets: tuple[int, ...]
    held: tuple[int, ...]
    chosen: tuple[int, ...]
    first: int


def clause_row(literals: Iterable[int]) -> Row:
    """At least one of them, each once, is true."""
    each = tuple(literals)
    return Row(each, (1,) * len(each), 1)


def variable_of(board: Board, cell: int, digit: int) -> int:
    """The number, from 1, of the variable of a candidate."""
    return cell * board.order + digit - board.least + 1


class Rules:
    """What models with the same rules begin with: the cells, then the units, then the other rows, then the rules with
    helpers, then the helpers of cages.

    `units` is how many of the `lines` are of cells and units. `numbers` has for each cell, each unit with each digit,
    and each other row the numbers of its ≥ and its ≤, 0 for none. The variables of the `helpers` come after those of
    the candidates.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        self.lines: list[Line] = []
        self.helpers: list[Helper] = []
        self.numbers: list[tuple[int, int]] = []
        self._ruleset, self._board = ruleset, ruleset.board
        self._houses = [set(house.cells) for house in ruleset.houses]
        # that of the rule that is written; and how many rows there are
        self._name, self._count = "", 0
        board = ruleset.board
        for name, cell in ((board.cell_name(cell), cell) for cell in range(board.cell_count)):
            terms = [(1, variable_of(board, cell, digit)) for digit in board.digits]
            self.numbers.append(self._add(terms, 1, f"{name} has a digit", f"{name} has only one digit"))
        for unit, digit in product(ruleset.units, board.digits):
            terms = [(1, variable_of(board, cell, digit)) for cell in unit.cells]
            self.numbers.append(self._add(terms, 1, f"{unit.name} has a {digit}", f"{unit.name} has only one {digit}"))
        self.units = len(self.lines)
        self.numbers += map(self._row, rows.rows_beside_units(ruleset))
        for primitive in filterfalse(rows.has_rows, ruleset.rest):
            self._name = primitive.name
            for variable in self._conditions(primitive):
                self._clause([variable])
        sums = (rule for rule in ruleset.rest if isinstance(rule, Linear))
        self.cages = [self._cage(rule, sets) for rule in sums if (sets := self._sets_of(rule))]

    def _add(self, terms: Terms, least: int, *names: str) -> tuple[int, int]:
        """Σ factor·variable ≥ `least`, or = where both rows have a name. The numbers of the last two rows, of a row
        alone 0 and its own."""
        self.lines.append(Line(terms, least, len(names) > 1, names))
        self._count += len(names)
        return (self._count - 1) * (len(names) > 1), self._count

    def _row(self, row: rows.Row) -> tuple[int, int]:
        """The numbers of its ≥ and its ≤, 0 for none."""
        # at most, turned round, as the format has only = and >=
        sign, board = 1 if row.exact else -1, self._board
        if terms := [(sign * factor, variable_of(board, cell, digit)) for cell, digit, factor in row.terms if factor]:
            return self._add(terms, sign * row.total, *[row.name] * (1 + row.exact))
        if row.total == 0 or (row.total > 0 and not row.exact):
            # it always holds
            return 0, 0
        # programs do not read a sum without terms, and one that cannot be has none
        return self._add([(1, 1)], 2, row.name)

    def _sets_of(self, rule: Linear) -> tuple[int, ...]:
        """The sets of digits that have the sum of a cage of several cells, as masks; none where there are too many, or
        it is no cage in a house."""
        size, board = len(rule.cells), self._board
        in_house = is_cage(rule, self._ruleset.peers) and any(map(set(rule.cells).issubset, self._houses))
        if size < 2 or not in_house or comb(board.order, size) > MOST_TRIED:
            return ()
        # not those of the encodings: what checks a certificate shares nothing with what solves
        every = combinations(range(board.order), size)
        having = [places for places in every if sum(places) + size * board.least == rule.total]
        found = tuple(sum([1 << place for place in places]) for places in having)
        return found if len(found) <= MOST_SETS else ()

    def _cage(self, rule: Linear, sets: tuple[int, ...]) -> Cage:
        """Helpers for a cage."""
        board, held, chosen, first = self._board, list[int](), list[int](), self._count + 1
        for digit in board.digits:
            self._name = f"{rule.name} (holds {digit})"
            held.append(self._enough([(1, variable_of(board, cell, digit)) for cell in rule.cells], 1))
        for mask in sets:
            places = [place for place in range(board.order) if mask >> place & 1]
            self._name = f"{rule.name} ({' '.join([str(board.least + place) for place in places])})"
            chosen.append(self._enough([(1, held[place]) for place in places], len(places)))
        self._name = rule.name
        return Cage(rule.cells, rule.total, sets, tuple(held), tuple(chosen), first)

    def _conditions(self, primitive: Primitive) -> list[int]:
        """Variables that are all 1 just when the rule holds."""
        match primitive:
            case Diagram():
                return [self._path(primitive)]
            case OneOf(cases):
                return [self._enough([(1, self._all(case)) for case in cases], 1)]
            case Linear() if sets := self._sets_of(primitive):
                return [self._enough([(1, chosen) for chosen in self._cage(primitive, sets).chosen], 1)]
        found = []
        for row in rows.rows_of(primitive, self._board):
            terms = [(factor, variable_of(self._board, cell, digit)) for cell, digit, factor in row.terms]
            found.append(self._enough([(-factor, variable) for factor, variable in terms], -row.total))
            if row.exact:
                found.append(self._enough(terms, row.total))
        return found

    def _all(self, case: Iterable[Primitive]) -> int:
        """1 just when all rules of a case hold."""
        found = [variable for primitive in case for variable in self._conditions(primitive)]
        return found[0] if len(found) == 1 else self._enough([(1, variable) for variable in found], len(found))

    def _enough(self, terms: Terms, least: int) -> int:
        """1 just when Σ factor·variable ≥ `least`."""
        helper = self._helper([(factor, (variable,)) for factor, variable in terms], least)
        low, high = (sum([factor for factor, _ in terms if factor * sign > 0]) for sign in (-1, 1))
        if least > low:
            self._add([*terms, (low - least, helper)], low, self._name)
        if least <= high:
            negated = [(-factor, variable) for factor, variable in terms]
            self._add([*negated, (high - least + 1, helper)], 1 - least, self._name)
        return helper

    def _path(self, diagram: Diagram) -> int:
        """1 just when the digits label a path. After each cell there is one state; the last one is that of no edge."""
        before = [0]
        for cell, layer in zip(diagram.cells, diagram.layers, strict=True):
            edges = {(state, digit): after for state, digit, after in layer}
            lost = 1 + max(edges.values(), default=0)
            ways: list[list[list[int]]] = [[] for _ in range(lost + 1)]
            for number, state in enumerate(before):
                if 0 < number == len(before) - 1:
                    ways[lost].append([state])
                    continue
                for digit in self._board.digits:
                    # the start is certain
                    way = [state, variable_of(self._board, cell, digit)][not state :]
                    ways[edges.get((number, digit), lost)].append(way)
            before = [self._helper([(1, way) for way in of_state], 1) for of_state in ways]
            self._add([(1, state) for state in before], 1, self._name, self._name)
            for state, of_state in zip(before, ways, strict=True):
                for way in of_state:
                    self._clause([*(-variable for variable in way), state])
                # propagation does not find this by itself: a state has one before it, and a digit that leads to it
                for place in (0, -1):
                    self._clause([*dict.fromkeys(way[place] for way in of_state), -state])
        return before[0] or self._enough([], 0)

    def _helper(self, products: Sequence[tuple[int, Sequence[int]]], least: int) -> int:
        self.helpers.append(Helper(products, least, self._name))
        return self._board.cell_count * self._board.order + len(self.helpers)

    def _clause(self, literals: Sequence[int]) -> None:
        self._add([(1 if x > 0 else -1, abs(x)) for x in literals], 1 - sum(x < 0 for x in literals), self._name)


@lru_cache(maxsize=4)
def rules_of(ruleset: Ruleset) -> Rules:
    """Made once for each ruleset."""
    return Rules(ruleset)
