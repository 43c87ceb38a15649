"""Sums that follow from those of a puzzle, each by one line `pol` of the proof, so that unit propagation sees more.

Unit propagation looks at one sum at a time. It cannot use that the cells of a sum differ, nor that cages which nearly
cover some houses leave a sum to the other cells. Solvers of killers use both; without these sums proofs of hard ones
are a hundred times as long. Hard ones have a tenth of the steps once more with the sets of digits that cages may hold.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain, combinations, count

from ringdoku.domain.rows import rows_beside_units
from ringdoku.limits import Deadline
from ringdoku.proofs.checker import Propagation, Row
from ringdoku.proofs.proof import Proof, Steps, Terms, contradiction
from ringdoku.proofs.refuting import clauses_of
from ringdoku.proofs.rules import Cage, clause_row, variable_of
from ringdoku.sat.rules import cages_of, nearly_covered

MOST_LEFT = 4
"""Cells of a sum that cages leave; longer ones take more time than they save."""
MOST_TOGETHER, MOST_MIXED, MOST_LEFT_OF_MIXED = 4, 14, 16
"""Of sums whose cells may be equal, so many side by side, among so many, where so many cells are left."""
Prices = list[tuple[int, int]]
"""(place in `proofs.rules.Rules.numbers`, price)."""


@dataclass(frozen=True)
class DerivedSums:
    """The sums of the model of a proof, and those that follow, which the proof gets."""

    proof: Proof

    @cached_property
    def rows(self) -> list[Row]:
        """Of the rules: all constraints before the clues."""
        return [row for line in self.proof.stated.rules.lines for row in line.rows]

    def every(self) -> Iterator[tuple[int, Row]]:
        """Each with its number in the proof."""
        # those of cells and units are clauses
        of_units = 2 * self.proof.stated.rules.units
        for number, row in enumerate(self.rows[of_units:], of_units + 1):
            if clauses_of(row) is None and max(map(abs, row.literals)) <= self.proof.stated.candidates:
                yield from self._compared([(number, 1)])
            else:
                yield number, row
        for prices in self._differences():
            yield from self._compared([self.priced(*price) for price in prices])

    @cached_property
    def places(self) -> dict[frozenset[int], int]:
        """Of the sums of digits of some cells, the places in `proofs.rules.Rules.numbers`."""
        return {
            frozenset(cell for cell, _, _ in row.terms): self.proof.stated.rules.units + place
            for place, row in enumerate(rows_beside_units(self.proof.stated.puzzle.ruleset))
            if row.exact and all(digit == factor for _, digit, factor in row.terms)
        }

    def priced(self, place: int, price: int) -> tuple[int, int]:
        """The number of a constraint, that of its ≤ for a positive price and of its ≥ for others, and how often."""
        return self.proof.stated.rules.numbers[place][price > 0], abs(price)

    def _sum(self, terms: Terms) -> tuple[dict[int, int], int]:
        """Of constraints, each so often: the factors of variables, and what they are at least."""
        total, least = dict[int, int](), 0
        for number, times in terms:
            factors, at_least = self.rows[number - 1].plain()
            for var, factor in factors.items():
                total[var] = total.get(var, 0) + times * factor
            least += times * at_least
        return {var: factor for var, factor in total.items() if factor}, least

    def _compared(self, terms: Terms) -> Iterator[tuple[int, Row]]:
        """A sum of constraints Σ a·x ≥ b, where each cell pays its largest factor m, so that it is Σ (m − a)·x ≤
        Σ m − b; and the same for cells that differ and have equal factors. Of k such cells each pays the k-th largest
        factor, and each larger one is paid once, by its digit in their house."""
        order, most, (factors, _) = self.proof.stated.puzzle.order, self.proof.stated.candidates, self._sum(terms)
        alike: dict[tuple[int, ...], set[int]] = {}
        for cell in sorted({(var - 1) // order for var in factors if var <= most}):
            of_cell = tuple(factors.get(cell * order + digit, 0) for digit in range(1, order + 1))
            alike.setdefault(of_cell, set()).add(cell)
        alone, together = Prices(), Prices()
        for of_cell, cells in alike.items():
            alone += ((cell, max(of_cell)) for cell in cells)
            for group, first in self._groups(cells):
                least = sorted(of_cell, reverse=True)[len(group) - 1]
                together += ((cell, least) for cell in group)
                together += ((first + place, factor - least) for place, factor in enumerate(of_cell) if factor > least)
        for prices in (alone, together) if sorted(alone) != sorted(together) else (alone,):
            every = [*terms, *(self.priced(*price) for price in prices if price[1])]
            number = self.proof.sum(every) if len(every) > 1 else every[0][0]
            yield number, Row.of(*self._sum(every))

    @cached_property
    def houses(self) -> list[tuple[frozenset[int], int]]:
        """The cells of each, and the place of its first digit."""
        ruleset = self.proof.stated.puzzle.ruleset
        smaller = [house for house in ruleset.houses if 1 < len(house.cells) < ruleset.order]
        first, order = ruleset.board.cell_count, ruleset.order
        return [(frozenset(each.cells), first + order * k) for k, each in enumerate((*ruleset.units, *smaller))]

    def _groups(self, cells: set[int]) -> Iterator[tuple[set[int], int]]:
        """The cells in groups that differ, and the place of the first digit of their house."""
        # one alone needs no house, of which there may be hundreds
        while len(cells) > 1:
            house, first = max(self.houses, key=lambda house: len(cells & house[0]), default=(frozenset(), 0))
            group = set(cells & house) or {min(cells)}
            cells = cells - group
            yield group, first
        if cells:
            yield cells, 0

    def _differences(self) -> Iterator[Prices]:
        """What sums leave of houses that they nearly cover, as sums of at least and of at most."""
        ruleset, found = self.proof.stated.puzzle.ruleset, set()
        units = [unit.cells for unit in ruleset.units]
        for houses, inside, innies, outies in nearly_covered(list(cages_of(ruleset.rest, ruleset.peers)), units):
            left = (*innies, -1, *outies)
            if 1 < len(left) <= MOST_LEFT + 1 and left not in found:
                found.add(left)
                yield from self._less(houses, map(frozenset, inside))

    @cached_property
    def mixed(self) -> list[frozenset[int]]:
        """The cells of sums in which some may be equal; none where there are too many of these."""
        peers = self.proof.stated.puzzle.ruleset.peers
        mixed = [cells for cells in self.places if any(cells - peers(cell) - {cell} for cell in cells)]
        return mixed if len(mixed) <= MOST_MIXED else []

    def side_by_side(self, deadline: Deadline) -> Iterator[tuple[int, Row]]:
        """Such sums together, less the houses that they mostly cover, which the proof gets."""
        units = [unit.cells for unit in self.proof.stated.puzzle.ruleset.units]
        for size in range(1, MOST_TOGETHER + 1):
            for sums in combinations(self.mixed, size):
                deadline.check()
                if covered := self._mostly_covered(sums, units):
                    for prices in self._less(covered, sums):
                        yield from self._compared([self.priced(*price) for price in prices])

    def _less(self, houses: Sequence[int], sums: Iterable[frozenset[int]]) -> Iterator[Prices]:
        """Sums less houses, as a sum of at least and as one of at most."""
        ruleset, every = self.proof.stated.puzzle.ruleset, [self.places[cells] for cells in sums]
        for sign in (1, -1):
            prices = [(place, sign) for place in every]
            for house in houses:
                at = ruleset.board.cell_count + house * ruleset.order
                prices += ((at + place, -sign * digit) for place, digit in enumerate(ruleset.board.digits) if digit)
            yield prices

    @staticmethod
    def _mostly_covered(sums: Sequence[frozenset[int]], units: Sequence[Sequence[int]]) -> list[int]:
        """The houses that leave the fewest cells of sums that have none in common, taken one by one; none where
        many are left."""
        left, houses = Counter(chain.from_iterable(sums)), list[int]()
        if max(left.values()) > 1:
            return houses
        while True:
            gains = (sum(1 if left[cell] > 0 else -1 for cell in unit) for unit in units)
            gain, house = max(zip(gains, count()), default=(0, 0))
            if gain <= 0:
                return houses if sum(map(abs, left.values())) <= MOST_LEFT_OF_MIXED else []
            houses.append(house)
            left.subtract(units[house])


def rows_of_cages(found: DerivedSums) -> Iterator[tuple[int, Row]]:
    """Adds to the proof what a solver needs to know of each cage, and says it. The helpers of `proofs.rules.Cage` say
    which digits a cage holds, and which set these are. That the digits are so many, and have the sum, are lines `pol`;
    that they are one of the sets is derived case by case."""
    proof, board = found.proof, found.proof.stated.puzzle.board
    for cage in found.proof.stated.rules.cages:
        # of each digit: if it is held, a cell has it; and the other way
        some = [cage.first + 2 * place for place in range(board.order)]
        every = list[int]()
        houses = [(cells, first) for cells, first in found.houses if cells.issuperset(cage.cells)]
        for place, digit in enumerate(board.digits):
            every.append(_one(cage, place, *houses[0], found))
            for cells, first in houses:
                others = [variable_of(board, cell, digit) for cell in sorted(cells.difference(cage.cells))]
                signs = (1, -1) if len(cells) == board.order else (1,)
                for sign in signs if others else ():
                    own = some[place] if sign > 0 else every[place]
                    number = proof.sum([found.priced(first + place, sign), (own, 1)])
                    yield number, Row.of(dict.fromkeys([cage.held[place], *others], -sign), -sign)
        numbers = list[int]()
        for least, greatest, sign in ((every, some, -1), (some, every, 1)):
            of_cells = [found.priced(cell, sign) for cell in cage.cells]
            numbers.append(proof.sum([*((number, 1) for number in least), *of_cells]))
            parts = [((least if d > 0 else greatest)[place], abs(d)) for place, d in enumerate(board.digits) if d]
            numbers.append(proof.sum([*parts, found.priced(found.places[frozenset(cage.cells)], sign)]))
        variables, of_sets = [0, *cage.held, *cage.chosen], cage.first + 2 * board.order
        numbers += range(of_sets, of_sets + 2 * len(cage.sets))
        for clause, because in _clauses(cage.sets, len(cage.cells), cage.total, board.least, board.order):
            literals = [variables[literal] if literal > 0 else -variables[-literal] for literal in clause]
            numbers.append(proof.clause(literals, [numbers[place] for place in because]))
            yield numbers[-1], clause_row(literals)


def _one(cage: Cage, place: int, cells: frozenset[int], first: int, found: DerivedSums) -> int:
    """The number of "a digit is held as often as cells have it": at most one has it in a house, and so often as there
    are cells would it be held; that is divided and rounded."""
    board, size = found.proof.stated.puzzle.board, len(cage.cells)
    outside = (variable_of(board, cell, board.digits[place]) for cell in sorted(cells.difference(cage.cells)))
    not_negative = [word for variable in outside for word in (f"x{variable}", str(size - 1), "*", "+")]
    terms = [(found.priced(first + place, 1)[0], size - 1), (cage.first + 2 * place + 1, 1)]
    return found.proof.sum(terms, *not_negative, str(size), "d")


@lru_cache(maxsize=256)
def _clauses(sets: tuple[int, ...], size: int, total: int, least: int, order: int) -> Steps:
    """Clauses, each with what it follows from, counted from 0: the number and the sum of the digits, first for "at
    least", then for "at most"; the two rows of each helper of a set; and the clauses. Variables are the digits, 1 to
    the order, then the sets."""
    digits, chosen = range(1, order + 1), range(order + 1, order + 1 + len(sets))
    inside = [[digit for digit in digits if mask >> digit - 1 & 1] for mask in sets]
    rows, found = list[Row](), Steps()
    for sign in (1, -1):
        rows.append(Row.of(dict.fromkeys(digits, sign), sign * size))
        rows.append(Row.of({digit: sign * (digit - 1 + least) for digit in digits}, sign * total))
    for variable, members in zip(chosen, inside, strict=True):
        rows.append(Row.of({**dict.fromkeys(members, 1), variable: -size}, 0))
        rows.append(Row.of({**dict.fromkeys(members, -1), variable: 1}, 1 - size))
    known = Propagation(dict(enumerate(rows)))

    def add(clause: Sequence[int]) -> bool:
        """Whether it follows."""
        because = [number for number, _ in contradiction(known, clause, range(len(rows)))]
        if because:
            known.add(len(known.rows), clause_row(clause))
            found.append((clause, because))
        return bool(because)

    def split(decided: list[int]) -> None:
        """One of the sets is chosen where these literals are true."""
        clause = [*(-literal for literal in decided), *chosen]
        if not add(clause):
            following = order - len(decided)
            split([*decided, following])
            if not add(clause):
                split([*decided, -following])
                add(clause)

    split([])
    for variable, members in zip(chosen, inside, strict=True):
        for digit in digits:
            if digit not in members:
                add([-variable, -digit])
    for digit in digits:
        having = sum(digit in members for members in inside)
        if having in (0, len(sets)):
            add([digit if having else -digit])
    return found
