"""Any primitive as clauses, and redundant clauses for cages that nearly cover some houses and for sums of sums.

For a sum of cells that all differ, as in a cage, each set of digits with that sum has a selector, and one selector is
true. A variable for each digit says whether one of the cells holds it: a selector implies the values of these
variables, a digit that is held implies a selected set with it, and no common peer of the cells holds it too. Any other
sum is a decision diagram of partial sums (Abío, Nieuwenhuis, Oliveras, Rodríguez-Carbonell and Mayer-Eichberger, "A new
look at BDDs for pseudo-Boolean constraints", JAIR 45, 2012)."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, reduce
from itertools import accumulate, chain, combinations, count, product
from operator import or_
from typing import assert_never

from ringdoku.deduction.propagation import digit_sets
from ringdoku.domain import AllDifferent, Allowed, Count, Diagram, Linear, OneOf, Primitive, Relation, diagram, is_cage
from ringdoku.domain.primitives import grouped
from ringdoku.sat.clauses import FEW_SUBSETS, RuleClauses, encode_count, encode_diagram, encode_relation

MOST_TERMS = 8
"""The most cages, innies and outies together. Hard killers take fewest conflicts with 10, and least time with 8."""

MOST_COMBINED, MOST_REPEATING, MOST_LEFT_OF_COMBINED = 4, 14, 16
"""Of sums with repeating digits: how many are combined, among how many at most, with how many cells outside houses."""


def encode(primitives: Iterable[Primitive], clauses: RuleClauses) -> None:
    """Add the clauses of every primitive. Raises as `RuleClauses.check_limits`."""
    for primitive in primitives:
        match primitive:
            case Allowed(cell, digits):
                for digit, literal in clauses.candidates(cell).items():
                    if digit not in digits:
                        clauses.add([-literal])
            case AllDifferent(cells):
                _encode_all_different(cells, clauses)
            case Linear():
                _encode_sum(primitive, clauses)
            case Relation(first, second, pairs):
                encode_relation(first, second, pairs, clauses)
            case Count(candidates, least, greatest):
                literals = [clauses.any_of(group) for group in _exclusive_groups(candidates, clauses)]
                encode_count(literals, least, greatest, clauses)
            case Diagram():
                encode_diagram(primitive, clauses)
            case OneOf():
                _encode_one_of(primitive, clauses)
            case _:
                assert_never(primitive)
        clauses.check_limits(primitive.name)


def _exclusive_groups(candidates: Iterable[tuple[int, int]], clauses: RuleClauses) -> list[list[int]]:
    """The literals of the candidates, in groups of which at most one is true: a digit in cells that all differ. If that
    does not halve their number, each is a group by itself."""
    found: list[int] = []
    groups: list[tuple[int, list[int], list[int]]] = []
    for cell, digit in candidates:
        if literal := clauses.literals[cell][digit - clauses.least]:
            found.append(literal)
            peers = clauses.peers(cell)
            for other, cells, literals in groups:
                if other == digit and peers.issuperset(cells):
                    cells.append(cell)
                    literals.append(literal)
                    break
            else:
                groups.append((digit, [cell], [literal]))
    if 2 * len(groups) > len(found):
        return [[literal] for literal in found]
    return [literals for _, _, literals in groups]


def _encode_all_different(cells: Iterable[int], clauses: RuleClauses) -> None:
    for first, second in combinations(cells, 2):
        others = clauses.candidates(second)
        for digit, literal in clauses.candidates(first).items():
            if digit in others:
                clauses.add([-literal, -others[digit]])


def _encode_one_of(rule: OneOf, clauses: RuleClauses) -> None:
    """At least one of the cases has a true selector, which implies the case's primitives. A case that is equivalent to
    a literal uses it as selector. If only one other case is left, it needs none: it holds if all literals are false."""
    literals = [_equivalent_literal(case, clauses) for case in rule.cases]
    others = [case for case, literal in zip(rule.cases, literals, strict=True) if literal is None]
    if len(others) == 1:
        with clauses.when(*(-literal for literal in literals if literal is not None)):
            encode(others[0], clauses)
        return
    new = iter(clauses.pool.reserve(len(others)))
    selectors = [next(new) if literal is None else literal for literal in literals]
    clauses.add(selectors)
    for case, literal, selector in zip(rule.cases, literals, selectors, strict=True):
        if literal is None:
            with clauses.when(selector):
                encode(case, clauses)
    if others:
        _encode_supports_of_cases(rule, selectors, clauses)


def _equivalent_literal(case: Sequence[Primitive], clauses: RuleClauses) -> int | None:
    """The literal that is true exactly when the case holds; None if no single literal is."""
    if len(case) == 1 and isinstance(case[0], Allowed):
        candidates, digits = clauses.candidates(case[0].cell), case[0].digits
        inside = [literal for digit, literal in candidates.items() if digit in digits]
        outside = [literal for digit, literal in candidates.items() if digit not in digits]
        if len(inside) == 1 and outside:
            return inside[0]
        if len(outside) == 1 and inside:
            return -outside[0]
    return None


def _encode_supports_of_cases(rule: OneOf, selectors: Sequence[int], clauses: RuleClauses) -> None:
    """Where every case restricts a cell, each of its digits implies the selector of a case that allows the digit."""
    allowed: list[dict[int, frozenset[int]]] = []
    for case in rule.cases:
        digits_of: dict[int, frozenset[int]] = {}
        for primitive in case:
            if isinstance(primitive, Allowed):
                digits_of[primitive.cell] = digits_of.get(primitive.cell, primitive.digits) & primitive.digits
        allowed.append(digits_of)
    for cell in set(allowed[0]).intersection(*allowed[1:]) if allowed else ():
        for digit, literal in clauses.candidates(cell).items():
            supports = [selector for selector, digits in zip(selectors, allowed, strict=True) if digit in digits[cell]]
            if len(supports) < len(selectors):
                clauses.add([-literal, *supports])


def _encode_sum(linear: Linear, clauses: RuleClauses) -> None:
    """Σ coefficient·digit = total."""
    total = linear.total
    match linear.cells, linear.coefficients:
        case ((cell,), (factor,)):
            for digit, literal in clauses.candidates(cell).items():
                if factor * digit != total:
                    clauses.add([-literal])
        case ((first, second), (factor, other)):
            both = product(clauses.candidates(first), clauses.candidates(second))
            encode_relation(first, second, {(a, b) for a, b in both if factor * a + other * b == total}, clauses)
        case (cells, _):
            if is_cage(linear, clauses.peers):
                sets = digit_sets(len(cells), _digits_of(cells, clauses), clauses.least, total)
                if sets is not None:
                    _encode_sets(cells, sets, clauses)
                    return
            grouped = _grouped_sum(linear, clauses)
            if grouped.cells:
                digits = tuple(tuple(clauses.candidates(cell)) for cell in grouped.cells)
                encode_diagram(partial_sum_diagram(grouped, digits), clauses)
            elif grouped.total:
                clauses.add([])


def _digits_of(cells: Sequence[int], clauses: RuleClauses) -> int:
    """The digits that any of the cells can hold, as a mask."""
    return reduce(or_, (1 << digit - clauses.least for cell in cells for digit in clauses.candidates(cell)), 0)


def _encode_sets(cells: tuple[int, ...], sets: tuple[int, ...], clauses: RuleClauses) -> list[int]:
    """The cells hold one of the sets of digits. Returns the selector of each set, or none if there is only one set.
    What follows from a set propagates before its digits have their places: a digit that all possible sets contain is
    ruled out in the common peers of the cells."""
    if not sets:
        clauses.add([])
        return []
    selectors = [*clauses.pool.reserve(len(sets))] if len(sets) > 1 else []
    if selectors:
        clauses.add(selectors)
        # two sets exclude each other anyway, but these clauses propagate it at once
        for first, second in combinations(selectors, 2) if len(selectors) <= FEW_SUBSETS else ():
            clauses.add([-first, -second])
    peers = frozenset.intersection(*map(clauses.peers, cells))
    for digit in dict.fromkeys(digit for cell in cells for digit in clauses.candidates(cell)):
        is_in_set = [bool(mask >> digit - clauses.least & 1) for mask in sets]
        literals, of_peers = clauses.literals_of_digit(digit, cells), clauses.literals_of_digit(digit, peers)
        _encode_digit(literals, of_peers, is_in_set, selectors, clauses)
    return selectors


def _encode_digit(
    literals: list[int], of_peers: list[int], is_in_set: list[bool], selectors: list[int], clauses: RuleClauses
) -> None:
    """The clauses for one digit of the sets, with its literals in the cells, and in the peers of all of them."""
    if not any(is_in_set):
        for literal in literals:
            clauses.add([-literal])
    elif all(is_in_set):
        clauses.add(literals)
        for other in of_peers:
            clauses.add([-other])
    else:
        held = clauses.any_of(literals)
        for selector, has in zip(selectors, is_in_set, strict=True):
            clauses.add([-selector, held if has else -held])
        clauses.add([-held, *(selector for selector, has in zip(selectors, is_in_set, strict=True) if has)])
        clauses.add([held, *(selector for selector, has in zip(selectors, is_in_set, strict=True) if not has)])
        for other in of_peers if len(literals) > 1 else ():
            clauses.add([-held, -other])


def _grouped_sum(linear: Linear, clauses: RuleClauses) -> Linear:
    """An equivalent sum with one term for each group of cells that all differ: an artificial cell for the group's sum,
    which follows from its set of digits."""
    left = list(zip(linear.cells, linear.coefficients, strict=True))
    cells: list[int] = []
    factors: list[int] = []
    rest = linear.total
    while left:
        group = max((_group_from(start, left, clauses) for start in range(len(left))), key=len)
        members = tuple(cell for cell, _ in group)
        left = [term for term in left if term not in group]
        # for two cells, sets of digits propagate no more than the cells one after the other
        sums = _literals_of_sums(members, clauses) if len(group) > 2 else {}
        if not sums:
            cells += members
            factors += [factor for _, factor in group]
        elif len(sums) == 1:
            rest -= group[0][1] * next(iter(sums))
        else:
            cells.append(clauses.add_artificial_cell(sums))
            factors.append(group[0][1])
    return Linear(tuple(cells), tuple(factors), rest, linear.name)


def _group_from(start: int, terms: list[tuple[int, int]], clauses: RuleClauses) -> list[tuple[int, int]]:
    """The term at `start` and later terms that have the same factor and cells that all differ."""
    group = [terms[start]]
    for cell, factor in terms[start + 1 :]:
        if factor == group[0][1] and all(other in clauses.peers(cell) for other, _ in group):
            group.append((cell, factor))
    return group


def _literals_of_sums(cells: tuple[int, ...], clauses: RuleClauses) -> dict[int, int]:
    """A literal for each sum that cells which all differ may have, or 0 for the only sum, as that of a unit. Empty if
    there are too many sets of digits."""
    sets = digit_sets(len(cells), _digits_of(cells, clauses), clauses.least)
    if not sets:
        return {}
    selectors = _encode_sets(cells, sets, clauses) or [0]
    totals = (sum(bit + clauses.least for bit in range(mask.bit_length()) if mask >> bit & 1) for mask in sets)
    return {total: clauses.any_of(literals) for total, literals in grouped(zip(totals, selectors, strict=True)).items()}


@lru_cache(maxsize=4096)
def partial_sum_diagram(linear: Linear, digits: tuple[tuple[int, ...], ...]) -> Diagram:
    """The diagram whose states are partial sums, negative coefficients first, for cells with these digits."""
    terms = zip(linear.cells, linear.coefficients, digits, strict=True)
    cells, factors, of_cells = zip(*sorted(terms, key=lambda term: (term[1] > 0, -abs(term[1]))), strict=True)
    if not all(of_cells):
        return Diagram(cells, tuple(() for _ in cells), linear.name)
    ends = [(min(f * d for d in ds), max(f * d for d in ds)) for f, ds in zip(factors, of_cells, strict=True)]
    # the least and the greatest sum that the cells after each place can add
    lows = list(accumulate((low for low, _ in reversed(ends)), initial=0))[::-1][1:]
    highs = list(accumulate((high for _, high in reversed(ends)), initial=0))[::-1][1:]

    def step(total: int, place: int, digit: int) -> int | None:
        total += factors[place] * digit
        return total if lows[place] <= linear.total - total <= highs[place] else None

    return diagram(cells, of_cells, 0, step, lambda total: total == linear.total, linear.name)


def encode_innies(primitives: Iterable[Primitive], units: Sequence[Sequence[int]], clauses: RuleClauses) -> None:
    """Redundant clauses that count each digit in cages that nearly cover some of the `units`. Propagation in one cage
    or house after the other finds these facts late or not at all.

    Cells in which cages and houses differ are called innies and outies, and solvers of killers compare sums with them.
    A digit is in m disjoint units m times, and at most once in a cage. So of the cages that are mostly inside, the
    innies (cells of other cages, or of none) and the outies (cells of those cages outside):

        cages that hold it + innies that are it − outies that are it = m
    """
    cages, taken = list[tuple[int, ...]](), set[int]()
    sums = (rule.cells for rule in primitives if isinstance(rule, Linear) and is_cage(rule, clauses.peers))
    for cells in sorted(sums, key=len, reverse=True):
        # of cages that overlap, only the largest
        if len(cells) > 1 and taken.isdisjoint(cells):
            taken.update(cells)
            cages.append(cells)
    for house_count, inside, innies, outies in _nearly_covered(cages, units):
        cells = (*innies, *outies, *chain.from_iterable(inside))
        for digit in sorted({digit for cell in cells for digit in clauses.candidates(cell)}):
            in_cages = (clauses.literals_of_digit(digit, cage) for cage in inside)
            terms = [clauses.any_of(literals) for literals in in_cages if literals]
            terms += clauses.literals_of_digit(digit, innies)
            negated = [-literal for literal in clauses.literals_of_digit(digit, outies)]
            number = house_count + len(negated)
            # so few terms need no further variables
            encode_count([*terms, *negated], number, number, clauses, few=100)


def _nearly_covered(
    cages: Sequence[tuple[int, ...]], units: Sequence[Sequence[int]], taken: int = 0, area: frozenset[int] = frozenset()
) -> Iterator[tuple[int, list[tuple[int, ...]], list[int], list[int]]]:
    """For every set of disjoint units that cages nearly cover, with up to `MOST_TERMS` cages, innies and outies: how
    many units, the cages mostly inside, the innies, the outies. It has the `taken` units of the `area` and others."""
    for place, unit in enumerate(units):
        if not area.isdisjoint(unit):
            continue
        wider = area.union(unit)
        touched = [cage for cage in cages if not wider.isdisjoint(cage)]
        # each cage and each uncaged cell is at least one term, and more houses touch no fewer
        if len(touched) + len(wider.difference(*touched)) > MOST_TERMS:
            continue
        mostly = [cage for cage in touched if 2 * len(wider.intersection(cage)) >= len(cage)]
        covered = set(chain.from_iterable(mostly))
        innies, outies = sorted(wider - covered), sorted(covered - wider)
        if mostly and len(mostly) + len(innies) + len(outies) <= MOST_TERMS:
            yield taken + 1, mostly, innies, outies
        yield from _nearly_covered(cages, units[place + 1 :], taken + 1, wider)


def encode_combined_sums(primitives: Iterable[Primitive], units: Sequence[Sequence[int]], clauses: RuleClauses) -> None:
    """Redundant clauses for what `combined_sums` leave, where its total is at most a quarter of its range from the
    least or the greatest one. Others exclude too little."""
    of_unit = sum(range(clauses.least, clauses.least + len(clauses.literals[0])))
    for sums, houses, left in combined_sums(primitives, units, clauses.peers):
        total = sum(each.total for each in sums) - of_unit * len(houses)
        products = [[factor * digit for digit in clauses.candidates(cell)] for cell, factor in left.items()]
        least, greatest = sum(map(min, products)), sum(map(max, products))
        if 4 * min(total - least, greatest - total) <= greatest - least:
            encode([Linear(tuple(left), tuple(left.values()), total, "a sum of sums")], clauses)


def repeating_sums(primitives: Iterable[Primitive], peers: Callable[[int], frozenset[int]]) -> list[Linear]:
    """The sums in which some digits may be equal; none if there are too many to combine."""
    sums = (rule for rule in primitives if isinstance(rule, Linear) and set(rule.coefficients) == {1})
    repeating = [rule for rule in sums if not is_cage(rule, peers)]
    return repeating if len(repeating) <= MOST_REPEATING else []


def combined_sums(
    primitives: Iterable[Primitive], units: Sequence[Sequence[int]], peers: Callable[[int], frozenset[int]]
) -> Iterator[tuple[tuple[Linear, ...], list[int], dict[int, int]]]:
    """Every combination of disjoint `repeating_sums` that some `units` mostly cover. Yields the sums, the indices of
    the units, and the factor of each cell that is left in the sums minus the units."""
    repeating = repeating_sums(primitives, peers)
    for size in range(1, MOST_COMBINED + 1):
        for sums in combinations(repeating, size):
            left = Counter(chain.from_iterable(each.cells for each in sums))
            houses = _take_covered(left, units) if max(left.values()) == 1 else []
            if houses and sum(map(abs, left.values())) <= MOST_LEFT_OF_COMBINED:
                yield sums, houses, {cell: factor for cell, factor in left.items() if factor}


def _take_covered(left: Counter[int], units: Sequence[Sequence[int]]) -> list[int]:
    """Subtracts units from the counts of cells, greedily, while few cells are left, and returns their indices."""
    taken = list[int]()
    while True:
        gains = (sum(1 if left[cell] > 0 else -1 for cell in unit) for unit in units)
        gain, house = max(zip(gains, count()), default=(0, 0))
        if gain <= 0:
            return taken
        taken.append(house)
        left.subtract(units[house])
