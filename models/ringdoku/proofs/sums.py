"""Sums that follow from those of a puzzle, each by one line `pol` of the proof, so that unit propagation finds more.

Unit propagation looks at one sum at a time. It does not see that a cell has one digit, nor that several sums and the
houses that they mostly cover leave a sum to few cells. With the sets of digits of cages, `cage_rows`, proofs of hard
killers are ten times shorter still.
"""

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from ringdoku.domain.rows import rows_beside_units
from ringdoku.limits import Deadline
from ringdoku.proofs.checker import Propagation, Row
from ringdoku.proofs.proof import Proof, Steps, Terms, contradiction
from ringdoku.proofs.refuting import clauses_of
from ringdoku.proofs.rules import Cage, clause_row, variable_of
from ringdoku.sat.rules import combined_sums


@dataclass(frozen=True)
class DerivedSums:
    """The sums of the rules, and sums that follow from them. Those that are derived are added to the proof."""

    proof: Proof

    def numbered_rows(self) -> Iterator[tuple[int, Row]]:
        """The rows of rules other than cells and units, sums as budgets, each with its number in the proof."""
        model = self.proof.model
        of_units = 2 * model.rules.unit_line_count
        for number, whole in enumerate(model.rows[of_units : model.rules.row_count], of_units + 1):
            if number in model.rules.unneeded:
                continue
            row, self.proof.because[number] = model.rules.simplified(whole)
            cells = {(abs(literal) - 1) // model.puzzle.order for literal in row.literals}
            # a count of single digits is stronger as it is
            is_sum = len(cells) < len(row.literals) and max(map(abs, row.literals)) <= model.candidate_count
            if is_sum and clauses_of(row) is None:
                yield from self._budget_rows([(number, 1)])
            else:
                yield number, row

    @cached_property
    def sum_indices(self) -> dict[frozenset[int], int]:
        """For each sum of digits, by its cells, the index in `proofs.rules.Rules.row_numbers`."""
        return {
            frozenset(cell for cell, _, _ in row.terms): self.proof.model.rules.unit_line_count + index
            for index, row in enumerate(rows_beside_units(self.proof.model.puzzle.ruleset))
            if row.exact and all(digit == factor for _, digit, factor in row.terms)
        }

    def term(self, index: int, price: int) -> tuple[int, int]:
        """A term for `Proof.sum`: the constraint's ≤ row if its price is positive, else its ≥ row, times |price|."""
        return self.proof.model.rules.row_numbers[index][price > 0], abs(price)

    def _weighted_sum(self, terms: Terms) -> tuple[dict[int, int], int]:
        """The weighted sum of some rows: the factors of its variables, and its lower bound."""
        total, least = dict[int, int](), 0
        for number, times in terms:
            factors, at_least = self.proof.model.rows[number - 1].as_sum()
            for var, factor in factors.items():
                total[var] = total.get(var, 0) + times * factor
            least += times * at_least
        return {var: factor for var, factor in total.items() if factor}, least

    def _budget_rows(self, terms: Terms) -> Iterator[tuple[int, Row]]:
        """Derives a weighted sum Σ a·x ≥ b of constraints as a budget: each cell pays its largest factor m, which gives
        Σ (m − a)·x ≤ Σ m − b. If some cells have equal factors and must differ, a second budget uses that. Of k such
        cells each pays the k-th largest factor, and each larger factor is paid once, by its digit in their house."""
        order, (factors, _) = self.proof.model.puzzle.order, self._weighted_sum(terms)
        cells_with: dict[tuple[int, ...], set[int]] = {}
        for cell in sorted({(var - 1) // order for var in factors}):
            cell_factors = tuple(factors.get(cell * order + digit, 0) for digit in range(1, order + 1))
            cells_with.setdefault(cell_factors, set()).add(cell)
        separate, grouped = list[tuple[int, int]](), list[tuple[int, int]]()  # (index in `Rules.row_numbers`, price)
        for cell_factors, cells in cells_with.items():
            separate += ((cell, max(cell_factors)) for cell in cells)
            for group, first in self._groups_in_houses(cells):
                least = sorted(cell_factors, reverse=True)[len(group) - 1]
                grouped += ((cell, least) for cell in group)
                grouped += ((first + place, f - least) for place, f in enumerate(cell_factors) if f > least)
        for prices in (separate, grouped) if sorted(separate) != sorted(grouped) else (separate,):
            with_prices = [*terms, *(self.term(index, price) for index, price in prices if price)]
            number = self.proof.sum(with_prices) if len(with_prices) > 1 else with_prices[0][0]
            yield number, Row.of(*self._weighted_sum(with_prices))

    @cached_property
    def houses(self) -> list[tuple[frozenset[int], int]]:
        """The cells of each house, and the index in `Rules.row_numbers` of its first digit."""
        ruleset = self.proof.model.puzzle.ruleset
        smaller = [house for house in ruleset.houses if 1 < len(house.cells) < ruleset.order]
        first, order = ruleset.board.cell_count, ruleset.order
        return [(frozenset(each.cells), first + order * k) for k, each in enumerate((*ruleset.units, *smaller))]

    def rows_of_full_houses(self, facts: Container[int]) -> Iterator[tuple[int, Row]]:
        """Derives that each digit has a cell in houses of fewer cells than digits where the facts leave as many digits
        as cells: each cell has a digit, and each other digit at most one cell."""
        board = self.proof.model.puzzle.board
        for cells, first in self.houses[len(self.proof.model.puzzle.ruleset.units) :]:
            variables = [[variable_of(board, cell, digit) for cell in cells] for digit in board.digits]
            left = [first + place for place, each in enumerate(variables) if not all(-var in facts for var in each)]
            for index in left if len(left) == len(cells) else ():
                terms = [self.term(cell, -1) for cell in cells]
                terms += (self.term(other, 1) for other in left if other != index)
                yield self.proof.sum(terms), Row.of(*self._weighted_sum(terms))

    def _groups_in_houses(self, cells: set[int]) -> Iterator[tuple[set[int], int]]:
        """The cells, grouped by a house that they share, and the index of its first digit (unused for one cell)."""
        # there may be hundreds of houses, so a single cell does not look for one
        while len(cells) > 1:
            house, first = max(self.houses, key=lambda each: len(cells & each[0]), default=(frozenset(), 0))
            group = set(cells & house) or {min(cells)}
            cells = cells - group
            yield group, first
        if cells:
            yield cells, 0

    def combined_rows(self, deadline: Deadline) -> Iterator[tuple[int, Row]]:
        """Derives budgets from `combined_sums`, sums minus houses that they mostly cover: lower, then upper ones."""
        ruleset, board = self.proof.model.puzzle.ruleset, self.proof.model.puzzle.board
        for sums, houses, _ in combined_sums(ruleset.rest, [unit.cells for unit in ruleset.units], ruleset.peers):
            deadline.check()
            for sign in (1, -1):
                terms = [self.term(self.sum_indices[frozenset(each.cells)], sign) for each in sums]
                for first in (board.cell_count + house * board.order for house in houses):
                    terms += (self.term(first + place, -sign * d) for place, d in enumerate(board.digits) if d)
                yield from self._budget_rows(terms)


def cage_rows(derived: DerivedSums) -> Iterator[tuple[int, Row]]:
    """Derives rows about the helpers of each `proofs.rules.Cage`, which a solver needs, and yields them with numbers.
    How many digits a cage holds, and their sum, are lines `pol`; that these are one of its sets takes a case split."""
    proof, board = derived.proof, derived.proof.model.puzzle.board
    for cage in proof.model.rules.cages:
        houses = [(cells, first) for cells, first in derived.houses if cells.issuperset(cage.cells)]
        # for each digit, with x for its candidates in the cage: the numbers of Σ x ≥ helper, and of helper ≥ Σ x
        upper, lower = [cage.first_row + 2 * place for place in range(board.order)], list[int]()
        for place in range(board.order):
            lower.append(_derive_lower_bound(cage, place, *houses[0], derived))
            for cells, first in houses:
                yield from _house_rows(cage, place, (upper[place], lower[place]), cells, first, derived)
        numbers = list[int]()
        for least, greatest, sign in ((lower, upper, -1), (upper, lower, 1)):
            of_cells = [derived.term(cell, sign) for cell in cage.cells]
            numbers.append(proof.sum([*((number, 1) for number in least), *of_cells]))
            terms = [((least if d > 0 else greatest)[place], abs(d)) for place, d in enumerate(board.digits) if d]
            numbers.append(proof.sum([*terms, derived.term(derived.sum_indices[frozenset(cage.cells)], sign)]))
        variables, first_set_row = [0, *cage.digit_helpers, *cage.set_helpers], cage.first_row + 2 * board.order
        numbers += range(first_set_row, first_set_row + 2 * len(cage.sets))
        for clause, hints in _set_clauses(cage.sets, len(cage.cells), cage.total, board.least, board.order):
            literals = [variables[literal] if literal > 0 else -variables[-literal] for literal in clause]
            numbers.append(proof.clause(literals, [numbers[hint] for hint in hints]))
            yield numbers[-1], clause_row(literals)


def _derive_lower_bound(cage: Cage, place: int, house: frozenset[int], first: int, derived: DerivedSums) -> int:
    """Derives helper ≥ Σ x for a digit, with x for its candidates in a cage of k cells, and returns its number. To
    the model's k·helper ≥ Σ x it adds (k − 1)·(Σ x ≤ 1) of a house around the cage; the result is divided by k."""
    board, size = derived.proof.model.puzzle.board, len(cage.cells)
    outside = (variable_of(board, cell, board.digits[place]) for cell in sorted(house.difference(cage.cells)))
    not_negative = [word for variable in outside for word in (f"x{variable}", str(size - 1), "*", "+")]
    terms = [(derived.term(first + place, 1)[0], size - 1), (cage.first_row + 2 * place + 1, 1)]
    return derived.proof.sum(terms, *not_negative, str(size), "d")


def _house_rows(
    cage: Cage, place: int, bounds: tuple[int, int], house: frozenset[int], first: int, derived: DerivedSums
) -> Iterator[tuple[int, Row]]:
    """Derives that a digit is held by the cage or by at most one other cell of a house around it; in a unit, by exactly
    one. `bounds` are the numbers of Σ x ≥ helper and of helper ≥ Σ x for the digit."""
    board = derived.proof.model.puzzle.board
    others = [variable_of(board, cell, board.digits[place]) for cell in sorted(house.difference(cage.cells))]
    signs = (1, -1) if len(house) == board.order else (1,)
    for sign in signs if others else ():
        number = derived.proof.sum([derived.term(first + place, sign), (bounds[sign < 0], 1)])
        yield number, Row.of(dict.fromkeys([cage.digit_helpers[place], *others], -sign), -sign)


@lru_cache(maxsize=256)
def _set_clauses(sets: tuple[int, ...], size: int, total: int, least: int, order: int) -> Steps:
    """Clauses which say that the digits of a cage are one of the `sets`. Variables 1 to `order` stand for the digits,
    and those that follow for the sets. Hints count from 0: the number and the sum of the digits as lower bounds, then
    as upper bounds; the two rows of each set's helper; then the clauses themselves."""
    digits, set_variables = range(1, order + 1), range(order + 1, order + 1 + len(sets))
    digits_of = [[digit for digit in digits if mask >> digit - 1 & 1] for mask in sets]
    rows, steps = list[Row](), Steps()
    for sign in (1, -1):
        rows.append(Row.of(dict.fromkeys(digits, sign), sign * size))
        rows.append(Row.of({digit: sign * (digit - 1 + least) for digit in digits}, sign * total))
    for variable, members in zip(set_variables, digits_of, strict=True):
        rows.append(Row.of({**dict.fromkeys(members, 1), variable: -size}, 0))
        rows.append(Row.of({**dict.fromkeys(members, -1), variable: 1}, 1 - size))
    known = Propagation(dict(enumerate(rows)))

    def derive(clause: Sequence[int]) -> bool:
        """Adds the clause if it follows by unit propagation, and returns whether it does."""
        hints = [number for number, _ in contradiction(known, clause, range(len(rows)))]
        if hints:
            known.add(len(known.rows), clause_row(clause))
            steps.append((clause, hints))
        return bool(hints)

    def branch(decided: list[int]) -> None:
        """Derives that one of the sets is chosen if the `decided` literals are true."""
        clause = [*(-literal for literal in decided), *set_variables]
        if not derive(clause):
            digit = order - len(decided)
            branch([*decided, digit])
            if not derive(clause):
                branch([*decided, -digit])
                derive(clause)

    branch([])
    for variable, members in zip(set_variables, digits_of, strict=True):
        for digit in digits:
            if digit not in members:
                derive([-variable, -digit])
    for digit in digits:
        set_count = sum(digit in members for members in digits_of)
        if set_count in (0, len(sets)):
            derive([digit if set_count else -digit])
    return steps
