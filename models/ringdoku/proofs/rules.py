"""The rules of a puzzle as 0-1 sums.

A rule that is no sum over candidates, such as a decision diagram, gets auxiliary variables, *helpers*. A `Helper`
defines each by earlier variables. So the digits determine all helpers, and the solutions of the sums are those of the
puzzle. A cage has helpers for proofs: one for each digit that it may hold, and one for each set of digits.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations, filterfalse, product
from math import comb

from ringdoku.domain import Board, Diagram, Linear, OneOf, Primitive, Ruleset, is_cage, refuse, rows
from ringdoku.proofs.checker import Row

Terms = Sequence[tuple[int, int]]
"""(factor, variable), each variable once."""
MOST_SETS = 40
"""A cage with more sets of digits than this gets no helpers; most cages have fewer."""
MOST_STATES = 60_000
"""A rule whose diagram has more states gets no certificate; the model of one takes 20 KB."""
MOST_TRIED = 10_000
"""With more ways to choose as many digits as a cage has cells, its sets are not listed, and it gets no helpers."""


@dataclass(frozen=True)
class Line:
    """The constraint Σ factor·variable ≥ `least`, or = with two names; `names` has a name for each of its `rows`."""

    terms: Terms
    least: int
    names: Sequence[str]

    @cached_property
    def rows(self) -> list[Row]:
        """The ≥ row, and for an equality also the ≤ row."""
        row = Row.of({var: factor for factor, var in self.terms}, self.least)
        most = Row(tuple([-literal for literal in row.literals]), row.factors, sum(row.factors) - row.least)
        return [row, most] if len(self.names) > 1 else [row]

    @cached_property
    def text(self) -> str:
        terms = " ".join([f"{factor:+d} x{var}" for factor, var in self.terms])
        return f"{terms} {'=' if len(self.names) > 1 else '>='} {self.least} ;"


@dataclass(frozen=True)
class Helper:
    """Defines a variable for the rule `name`: 1 just when Σ factor·product ≥ `least`, products of earlier variables."""

    products: Sequence[tuple[int, Sequence[int]]]
    least: int
    name: str

    def is_one(self, true: set[int]) -> bool:
        """Whether the variable is 1 when `true` are the variables before it that are 1."""
        return sum([factor for factor, variables in self.products if true.issuperset(variables)]) >= self.least


@dataclass(frozen=True)
class Cage:
    """A sum of cells in one house. `sets` are the sets of digits with this sum, as masks. A digit's helper is 1 if the
    cage holds the digit, and a set's helper if it holds the set. Each helper has two rows, "if it is 1" and "if it is
    0", in this order and numbered from `first_row`."""

    cells: tuple[int, ...]
    total: int
    sets: tuple[int, ...]
    digit_helpers: tuple[int, ...]
    set_helpers: tuple[int, ...]
    first_row: int


def clause_row(literals: Iterable[int]) -> Row:
    """The row "at least one of these literals is true". No literal may be repeated."""
    clause = tuple(literals)
    return Row(clause, (1,) * len(clause), 1)


def variable_of(board: Board, cell: int, digit: int) -> int:
    """The variable of a candidate, numbered from 1."""
    return cell * board.order + digit - board.least + 1


class Rules:
    """The constraints of a ruleset, with which each of its models begins: first those of cells, then of units, then the
    other rows, then the rules that need helpers, then the helpers of cages.

    The first `unit_line_count` of the `lines` belong to cells and units. `row_numbers` has a pair for each cell, for
    each digit of each unit, and for each other row: the numbers of its ≥ row and its ≤ row, or 0 if it has none. The
    variables of the `helpers` follow those of the candidates. Without its `unneeded` rows the `simplified` others still
    say the rule: these say that a condition which holds is 1, so that the digits determine the helpers (Plaisted and
    Greenbaum, "A structure-preserving clause form translation", JSC 2, 1986).
    """

    def __init__(self, ruleset: Ruleset) -> None:
        self.lines: list[Line] = []
        self.helpers: list[Helper] = []
        self.unneeded = set[int]()
        # for each condition of a case: the variable of the case, and the number of the row "the case implies it"
        self._cases: dict[int, tuple[int, int]] = {}
        self._conjunctions: dict[tuple[Primitive, ...], int] = {}
        self.row_numbers: list[tuple[int, int]] = []
        self._ruleset, self._board = ruleset, ruleset.board
        self._houses = [set(house.cells) for house in ruleset.houses]
        # the name of the rule being stated, and the number of rows so far
        self._name, self.row_count = "", 0
        board = ruleset.board
        for name, cell in ((board.cell_name(cell), cell) for cell in range(board.cell_count)):
            terms = [(1, variable_of(board, cell, digit)) for digit in board.digits]
            self.row_numbers.append(self._add(terms, 1, f"{name} has a digit", f"{name} has only one digit"))
        for unit, digit in product(ruleset.units, board.digits):
            terms = [(1, variable_of(board, cell, digit)) for cell in unit.cells]
            names = f"{unit.name} has a {digit}", f"{unit.name} has only one {digit}"
            self.row_numbers.append(self._add(terms, 1, *names))
        self.unit_line_count = len(self.lines)
        self.row_numbers += map(self._add_row, rows.rows_beside_units(ruleset))
        for primitive in filterfalse(rows.has_rows, ruleset.rest):
            self._name, self._conjunctions = primitive.name, {}
            for variable in self._conditions(primitive):
                self._add_clause([variable])
        sums = (rule for rule in ruleset.rest if isinstance(rule, Linear))
        self.cages = [self._add_cage(rule, sets) for rule in sums if (sets := self._digit_sets(rule))]

    def _add(self, terms: Terms, least: int, *names: str) -> tuple[int, int]:
        """Adds Σ factor·variable ≥ `least`, or = if two names are given. Returns the numbers of the two rows of an
        equality, or 0 and the number of the only row."""
        self.lines.append(Line(terms, least, names))
        self.row_count += len(names)
        return (self.row_count - 1) * (len(names) > 1), self.row_count

    def _add_row(self, row: rows.Row) -> tuple[int, int]:
        """Adds a linear row of the domain. Returns the numbers of its ≥ row and its ≤ row, 0 for none."""
        # an "at most" is negated, since the format has only = and >=
        sign, board = 1 if row.exact else -1, self._board
        if terms := [(sign * factor, variable_of(board, cell, digit)) for cell, digit, factor in row.terms if factor]:
            return self._add(terms, sign * row.total, *[row.name] * (1 + row.exact))
        if row.total == 0 or (row.total > 0 and not row.exact):
            # a sum without terms that always holds
            return 0, 0
        # a contradiction: a sum without terms that cannot hold, which other programs would not read as it is
        return self._add([(1, 1)], 2, row.name)

    def _digit_sets(self, rule: Linear) -> tuple[int, ...]:
        """The sets of digits with the sum of a cage inside a house, as masks; none if there are too many."""
        size, board = len(rule.cells), self._board
        in_house = is_cage(rule, self._ruleset.peers) and any(map(set(rule.cells).issubset, self._houses))
        if size < 2 or not in_house or comb(board.order, size) > MOST_TRIED:
            return ()
        # not taken from the encodings: what checks a certificate shares no code with what solves
        with_sum = (s for s in combinations(range(board.order), size) if sum(s) + size * board.least == rule.total)
        masks = tuple(sum([1 << place for place in places]) for places in with_sum)
        return masks if len(masks) <= MOST_SETS else ()

    def _add_cage(self, rule: Linear, sets: tuple[int, ...]) -> Cage:
        """Adds the helpers of a cage."""
        board, digit_helpers, set_helpers, first_row = self._board, list[int](), list[int](), self.row_count + 1
        for digit in board.digits:
            self._name = f"{rule.name} (holds {digit})"
            digit_helpers.append(self._threshold([(1, variable_of(board, cell, digit)) for cell in rule.cells], 1))
        for mask in sets:
            places = [place for place in range(board.order) if mask >> place & 1]
            self._name = f"{rule.name} ({' '.join([str(board.least + place) for place in places])})"
            set_helpers.append(self._threshold([(1, digit_helpers[place]) for place in places], len(places)))
        self._name = rule.name
        # conflicts of hard killers are three times as many without these
        self.unneeded.difference_update(range(first_row, self.row_count + 1))
        return Cage(rule.cells, rule.total, sets, tuple(digit_helpers), tuple(set_helpers), first_row)

    def _conditions(self, primitive: Primitive) -> list[int]:
        """Variables that are all 1 if and only if the rule holds."""
        match primitive:
            case Diagram():
                return [self._path(primitive)]
            case OneOf(cases):
                return [self._threshold([(1, helper) for helper in dict.fromkeys(map(self._conjunction, cases))], 1)]
            case Linear() if sets := self._digit_sets(primitive):
                return [self._threshold([(1, helper) for helper in self._add_cage(primitive, sets).set_helpers], 1)]
        found = []
        for row in rows.rows_of(primitive, self._board):
            terms = [(factor, variable_of(self._board, cell, digit)) for cell, digit, factor in row.terms]
            found.append(self._threshold([(-factor, variable) for factor, variable in terms], -row.total))
            if row.exact:
                found.append(self._threshold(terms, row.total))
        return found

    def _conjunction(self, case: tuple[Primitive, ...]) -> int:
        """A variable that is 1 if and only if all rules of a case hold, one for equal cases, as of full ranks."""
        if case not in self._conjunctions:
            found = [variable for primitive in case for variable in self._conditions(primitive)]
            if len(found) != 1:
                helper = self._threshold([(1, variable) for variable in found], len(found))
                self._cases |= dict.fromkeys(found, (helper, self.row_count - 1))
                found = [helper]
            self._conjunctions[case] = found[0]
        return self._conjunctions[case]

    def simplified(self, row: Row) -> tuple[Row, list[int]]:
        """The row with a whole case for a condition that it implies, and the numbers of the rows which say so."""
        literals, numbers = list(row.literals), list[int]()
        for place, literal in enumerate(literals):
            while -literal in self._cases:
                case, number = self._cases[-literal]
                literals[place] = literal = -case
                numbers.insert(0, number)
        return Row(tuple(literals), row.factors, row.least) if numbers else row, numbers

    def _threshold(self, terms: Terms, least: int) -> int:
        """A new helper that is 1 if and only if Σ factor·variable ≥ `least`."""
        helper = self._add_helper([(factor, (variable,)) for factor, variable in terms], least)
        low, high = (sum([factor for factor, _ in terms if factor * sign > 0]) for sign in (-1, 1))
        if least > low:
            self._add([*terms, (low - least, helper)], low, self._name)
        if least <= high:
            negated = [(-factor, variable) for factor, variable in terms]
            self.unneeded.add(self.row_count + 1)
            self._add([*negated, (high - least + 1, helper)], 1 - least, self._name)
        return helper

    def _path(self, diagram: Diagram) -> int:
        """A new helper: whether the digits label a path. After each cell exactly one state is true; the last one is
        "outside", for digits without an edge, and stays. The variable 0 stands for the start, which is always true."""
        count = sum([1 + max(layer)[0] for layer in diagram.layers if layer])
        refuse(count > MOST_STATES, f"{diagram.name} has {count} states, too many for a certificate")
        states = [0]
        for cell, layer in zip(diagram.cells, diagram.layers, strict=True):
            edges = {(state, digit): after for state, digit, after in layer}
            outside = 1 + max(edges.values(), default=0)
            # for each state after the cell, the conjunctions that lead to it: a state before, and a digit
            ways: list[list[list[int]]] = [[] for _ in range(outside + 1)]
            for number, state in enumerate(states):
                if state and number == len(states) - 1:
                    # outside before the cell, and behind it
                    ways[outside].append([state])
                    continue
                for digit in self._board.digits:
                    candidate = variable_of(self._board, cell, digit)
                    ways[edges.get((number, digit), outside)].append([state, candidate] if state else [candidate])
            states = [self._add_helper([(1, way) for way in of_state], 1) for of_state in ways]
            self._add([(1, state) for state in states], 1, self._name, self._name)
            for state, of_state in zip(states, ways, strict=True):
                for way in of_state:
                    self._add_clause([*(-variable for variable in way), state])
                # unit propagation would miss this: a state needs a previous state and a digit that lead to it
                for place in (0, -1):
                    self._add_clause([*dict.fromkeys(way[place] for way in of_state), -state])
        return states[0] or self._threshold([], 0)

    def _add_helper(self, products: Sequence[tuple[int, Sequence[int]]], least: int) -> int:
        self.helpers.append(Helper(products, least, self._name))
        return self._board.cell_count * self._board.order + len(self.helpers)

    def _add_clause(self, literals: Sequence[int]) -> None:
        self._add([(1 if x > 0 else -1, abs(x)) for x in literals], 1 - sum(x < 0 for x in literals), self._name)


@lru_cache(maxsize=4)
def rules_of(ruleset: Ruleset) -> Rules:
    """The constraints of a ruleset, made once and then cached."""
    return Rules(ruleset)
