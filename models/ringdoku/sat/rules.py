"""Any primitive as clauses, and clauses for cages that nearly cover some houses.

Of a sum of different cells each set of digits with the right sum has a selector, of which one is true. A variable for
each digit says whether one of the cells holds it: a set implies the values of these variables, a digit that is held
implies a set with it, and no cell that differs from all of them holds it too. For other cells a decision diagram counts
the partial sums (Abío, Nieuwenhuis, Oliveras, Rodríguez-Carbonell and Mayer-Eichberger, "A new look at BDDs for
pseudo-Boolean constraints", JAIR 45, 2012)."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, reduce
from itertools import accumulate, chain, combinations, product
from operator import or_
from typing import TypeAlias, assert_never

from ringdoku.deduction.propagation import digit_sets
from ringdoku.domain import AllDifferent, Allowed, Count, Diagram, Linear, OneOf, Primitive, Relation, diagram, is_cage
from ringdoku.sat.clauses import FEW_SUBSETS, RuleClauses, encode_count, encode_diagram, encode_relation

Covered: TypeAlias = tuple[list[int], list[tuple[int, ...]], list[int], list[int]]
"""Indices of disjoint units, cages mostly inside, innies, outies."""

MOST_TERMS = 8
"""Hard killers take fewest conflicts with 10, and least time with 8."""


def encode(primitives: Iterable[Primitive], clauses: RuleClauses) -> None:
    """The clauses of every primitive. Raises `DimensionError` if they take too much memory, `TimeLimitError` at the
    deadline of `clauses`."""
    for primitive in primitives:
        match primitive:
            case Allowed(cell, digits):
                for digit, literal in clauses.candidates(cell).items():
                    if digit not in digits:
                        clauses.add([-literal])
            case AllDifferent(cells):
                _different(cells, clauses)
            case Linear():
                _sum(primitive, clauses)
            case Relation(first, second, pairs):
                encode_relation(first, second, pairs, clauses)
            case Count(candidates, least, greatest):
                literals = [clauses.any_of(group) for group in _alternatives(candidates, clauses)]
                encode_count(literals, least, greatest, clauses)
            case Diagram():
                encode_diagram(primitive, clauses)
            case OneOf():
                _one_of(primitive, clauses)
            case _:
                assert_never(primitive)
        clauses.refuse_excess(primitive.name)


def _alternatives(candidates: Iterable[tuple[int, int]], clauses: RuleClauses) -> list[list[int]]:
    """The literals in groups of one digit in cells that differ, of which one at most is true; where these are not half
    as many, each alone."""
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


def _different(cells: Iterable[int], clauses: RuleClauses) -> None:
    for first, second in combinations(cells, 2):
        theirs = clauses.candidates(second)
        for digit, literal in clauses.candidates(first).items():
            if digit in theirs:
                clauses.add([-literal, -theirs[digit]])


def _one_of(rule: OneOf, clauses: RuleClauses) -> None:
    """At least one of the cases has a true selector, which implies the case's primitives. A case that is equivalent to
    a literal uses it as selector. If only one other case is left, it needs no selector: it holds if all literals are
    false."""
    literals = [_literal(case, clauses) for case in rule.cases]
    others = [case for case, literal in zip(rule.cases, literals, strict=True) if literal is None]
    stated = [literal for literal in literals if literal is not None]
    if len(others) == 1:
        with clauses.when(*(-literal for literal in stated)):
            encode(others[0], clauses)
        return
    fresh = iter(clauses.pool.reserve(len(others)))
    selectors = [next(fresh) if literal is None else literal for literal in literals]
    clauses.add(selectors)
    for case, literal, selector in zip(rule.cases, literals, selectors, strict=True):
        if literal is None:
            with clauses.when(selector):
                encode(case, clauses)
    if others:
        _supports(rule, selectors, clauses)


def _literal(case: Sequence[Primitive], clauses: RuleClauses) -> int | None:
    """The literal that is true exactly when the case holds; None if there is none."""
    if len(case) == 1 and isinstance(case[0], Allowed):
        candidates, digits = clauses.candidates(case[0].cell), case[0].digits
        inside = [literal for digit, literal in candidates.items() if digit in digits]
        outside = [literal for digit, literal in candidates.items() if digit not in digits]
        if len(inside) == 1 and outside:
            return inside[0]
        if len(outside) == 1 and inside:
            return -outside[0]
    return None


def _supports(rule: OneOf, selectors: Sequence[int], clauses: RuleClauses) -> None:
    """Where every case limits the digits of a cell, each digit in it implies a case that allows it."""
    allowed: list[dict[int, frozenset[int]]] = []
    for case in rule.cases:
        found: dict[int, frozenset[int]] = {}
        for primitive in case:
            if isinstance(primitive, Allowed):
                found[primitive.cell] = found.get(primitive.cell, primitive.digits) & primitive.digits
        allowed.append(found)
    for cell in set(allowed[0]).intersection(*allowed[1:]) if allowed else ():
        for digit, literal in clauses.candidates(cell).items():
            having = [selector for selector, found in zip(selectors, allowed, strict=True) if digit in found[cell]]
            if len(having) < len(selectors):
                clauses.add([-literal, *having])


def _sum(linear: Linear, clauses: RuleClauses) -> None:
    """Σ coefficient·digit = total."""
    total = linear.total
    match linear.cells, linear.coefficients:
        case ((), ()):
            if total:
                clauses.add([])
        case ((cell,), (factor,)):
            for digit, literal in clauses.candidates(cell).items():
                if factor * digit != total:
                    clauses.add([-literal])
        case ((first, second), (factor, other)):
            every = product(clauses.candidates(first), clauses.candidates(second))
            pairs = {(a, b) for a, b in every if factor * a + other * b == total}
            encode_relation(first, second, pairs, clauses)
        case (cells, _):
            if is_cage(linear, clauses.peers):
                sets = digit_sets(len(cells), _union(cells, clauses), clauses.least, total)
                if sets is not None:
                    _encode_sets(cells, sets, clauses)
                    return
            grouped = _grouped(linear, clauses)
            if grouped.cells:
                digits = tuple(tuple(clauses.candidates(cell)) for cell in grouped.cells)
                encode_diagram(partial_sums(grouped, digits), clauses)
            elif grouped.total:
                clauses.add([])


def _union(cells: Sequence[int], clauses: RuleClauses) -> int:
    """The digits of all cells as a mask."""
    return reduce(or_, (1 << digit - clauses.least for cell in cells for digit in clauses.candidates(cell)), 0)


def _encode_sets(cells: tuple[int, ...], sets: tuple[int, ...], clauses: RuleClauses) -> list[int]:
    """One selector for each set if there are several. The cells hold the selected set. What follows from a set is known
    long before its digits have their places: a digit that all possible sets contain is gone from the cells that differ
    from all of `cells`."""
    if not sets:
        clauses.add([])
        return []
    made = [*clauses.pool.reserve(len(sets))] if len(sets) > 1 else []
    if made:
        clauses.add(made)
        # two sets exclude each other anyway, but these clauses propagate it at once
        for first, second in combinations(made, 2) if len(made) <= FEW_SUBSETS else ():
            clauses.add([-first, -second])
    peers = frozenset.intersection(*map(clauses.peers, cells))
    for digit in dict.fromkeys(digit for cell in cells for digit in clauses.candidates(cell)):
        inside = [bool(mask >> digit - clauses.least & 1) for mask in sets]
        _encode_digit(clauses.holding(digit, cells), clauses.holding(digit, peers), inside, made, clauses)
    return made


def _encode_digit(
    literals: list[int], others: list[int], inside: list[bool], made: list[int], clauses: RuleClauses
) -> None:
    """A digit is in the sets that are `inside`; these are its literals in their cells, and in cells that differ."""
    if not any(inside):
        for literal in literals:
            clauses.add([-literal])
    elif all(inside):
        clauses.add(literals)
        for other in others:
            clauses.add([-other])
    else:
        held = clauses.any_of(literals)
        for selector, has in zip(made, inside, strict=True):
            clauses.add([-selector, held if has else -held])
        clauses.add([-held, *(selector for selector, has in zip(made, inside, strict=True) if has)])
        clauses.add([held, *(selector for selector, has in zip(made, inside, strict=True) if not has)])
        for other in others if len(literals) > 1 else ():
            clauses.add([-held, -other])


def _grouped(linear: Linear, clauses: RuleClauses) -> Linear:
    """The same sum with one term for each group of different cells. A group's sum follows from its set of digits."""
    left = list(zip(linear.cells, linear.coefficients, strict=True))
    cells: list[int] = []
    factors: list[int] = []
    rest = linear.total
    while left:
        group = max((_differing(start, left, clauses) for start in range(len(left))), key=len)
        members = tuple(cell for cell, _ in group)
        left = [term for term in left if term not in group]
        # of two, sets of digits propagate no more than the cells one after the other
        sums = _sums_of(members, clauses) if len(group) > 2 else {}
        if not sums:
            cells += members
            factors += [factor for _, factor in group]
        elif len(sums) == 1:
            rest -= group[0][1] * next(iter(sums))
        else:
            cells.append(clauses.number(sums))
            factors.append(group[0][1])
    return Linear(tuple(cells), tuple(factors), rest, linear.name)


def _differing(start: int, terms: list[tuple[int, int]], clauses: RuleClauses) -> list[tuple[int, int]]:
    """Terms from a place on that have the same factor and whose cells all differ."""
    group = [terms[start]]
    for cell, factor in terms[start + 1 :]:
        if factor == group[0][1] and all(other in clauses.peers(cell) for other, _ in group):
            group.append((cell, factor))
    return group


def _sums_of(cells: tuple[int, ...], clauses: RuleClauses) -> dict[int, int]:
    """A literal for each sum that different cells may have, 0 for the only one, as that of a unit; none if there are
    too many sets of digits."""
    sets = digit_sets(len(cells), _union(cells, clauses), clauses.least)
    if not sets:
        return {}
    selectors = _encode_sets(cells, sets, clauses) or [0]
    of_sums: dict[int, list[int]] = {}
    for selector, mask in zip(selectors, sets, strict=True):
        total = sum(bit + clauses.least for bit in range(mask.bit_length()) if mask >> bit & 1)
        of_sums.setdefault(total, []).append(selector)
    return {total: clauses.any_of(chosen) for total, chosen in of_sums.items()}


@lru_cache(maxsize=4096)
def partial_sums(linear: Linear, digits: tuple[tuple[int, ...], ...]) -> Diagram:
    """The diagram of the sums of the cells so far, negative coefficients first, for cells with these digits."""
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
    """How often a digit is in cages that nearly cover some of the `units`: clauses that follow from the others, but
    which clauses of one cage or house after the other find late or not at all.

    Cells in which cages and houses differ are called innies and outies, and solvers of killers compare sums with them.
    A digit is in m disjoint units m times, and at most once in a cage. So of the cages that are mostly inside, the
    innies (cells of other cages, or of none) and the outies (cells of those cages outside):

        cages that hold it + innies that are it − outies that are it = m
    """
    cages = list(cages_of(primitives, clauses.peers))
    for houses, inside, innies, outies in nearly_covered(cages, units):
        every = (*innies, *outies, *chain.from_iterable(inside))
        for digit in sorted({digit for cell in every for digit in clauses.candidates(cell)}):
            held = (clauses.holding(digit, cage) for cage in inside)
            terms = [clauses.any_of(literals) for literals in held if literals]
            terms += clauses.holding(digit, innies)
            without = [-literal for literal in clauses.holding(digit, outies)]
            number = len(houses) + len(without)
            # so few terms need no further variables
            encode_count([*terms, *without], number, number, clauses, few=100)


def cages_of(primitives: Iterable[Primitive], peers: Callable[[int], frozenset[int]]) -> Iterator[tuple[int, ...]]:
    """The cells of sums of different digits, larger ones first. Of those that overlap, only the first."""
    cages = (rule.cells for rule in primitives if isinstance(rule, Linear) and is_cage(rule, peers))
    taken: set[int] = set()
    for cells in sorted(cages, key=len, reverse=True):
        if len(cells) > 1 and taken.isdisjoint(cells):
            taken.update(cells)
            yield cells


def nearly_covered(cages: Sequence[tuple[int, ...]], units: Sequence[Sequence[int]]) -> Iterator[Covered]:
    """What cages nearly cover, of the last three up to `MOST_TERMS` together."""
    caged = frozenset(chain.from_iterable(cages))

    def extend(first: int, houses: list[int], area: frozenset[int]) -> Iterator[Covered]:
        for place in range(first, len(units)):
            if not area.isdisjoint(units[place]):
                continue
            wider = area.union(units[place])
            touched = [cage for cage in cages if not wider.isdisjoint(cage)]
            # each is a term at least, and more houses touch no fewer
            if len(touched) + len(wider - caged) > MOST_TERMS:
                continue
            mostly = [cage for cage in touched if 2 * len(wider.intersection(cage)) >= len(cage)]
            covered = set(chain.from_iterable(mostly))
            innies, outies = sorted(wider - covered), sorted(covered - wider)
            if mostly and len(mostly) + len(innies) + len(outies) <= MOST_TERMS:
                yield [*houses, place], mostly, innies, outies
            yield from extend(place + 1, [*houses, place], wider)

    yield from extend(0, [], frozenset())
