"""Sums of digits.

If all cells differ, each set of digits with the right sum has a selector. Exactly one selector is true. A variable for
each digit says whether one of the cells holds it: a set implies the values of these variables, a digit that is held
implies a set with it, and no cell that differs from all of them holds it too. For other cells a decision diagram counts
the partial sums (Abío, Nieuwenhuis, Oliveras, Rodríguez-Carbonell and Mayer-Eichberger, "A new look at BDDs for
pseudo-Boolean constraints", JAIR 45, 2012)."""

from __future__ import annotations

from functools import lru_cache
from itertools import accumulate, combinations

from ringdoku.deduction.sums import digit_sets
from ringdoku.domain.primitives import Diagram, Linear, diagram
from ringdoku.domain.ruleset import is_cage
from ringdoku.sat.rules import diagram as diagrams
from ringdoku.sat.rules import relation
from ringdoku.sat.rules.clauses import RuleClauses

FEW_SETS = 40
SMALLEST_GROUP = 3
"""The fewest different cells for which sets of digits propagate more than the cells one after the other."""


def encode(linear: Linear, clauses: RuleClauses) -> None:
    """least ≤ Σ coefficient·digit ≤ greatest."""
    digits = tuple(tuple(digit for digit, _ in clauses.candidates(cell)) for cell in linear.cells)
    low, high = linear.least, linear.greatest

    def fits(total: int) -> bool:
        return (low is None or low <= total) and (high is None or total <= high)

    match linear.cells, linear.coefficients:
        case ((), ()):
            if not fits(0):
                clauses.add([])
        case ((cell,), (factor,)):
            for digit, literal in clauses.candidates(cell):
                if not fits(factor * digit):
                    clauses.add([-literal])
        case ((first, second), (factor, other)):
            pairs = {(a, b) for a in digits[0] for b in digits[1] if fits(factor * a + other * b)}
            relation.encode(first, second, pairs, clauses)
        case (cells, factors):
            if is_cage(linear, clauses.peers):
                every = 0
                for mask in (_mask(cell_digits, clauses.least) for cell_digits in digits):
                    every |= mask
                sets = digit_sets(len(cells), every, clauses.least, low, high, factors[0])
                if sets is not None:
                    _encode_sets(cells, sets, clauses)
                    return
            grouped = _grouped(linear, clauses)
            digits = tuple(tuple(digit for digit, _ in clauses.candidates(cell)) for cell in grouped.cells)
            diagrams.encode(partial_sums(grouped, digits), clauses)


def _mask(digits: tuple[int, ...], least: int) -> int:
    return sum(1 << digit - least for digit in digits)


def _encode_sets(cells: tuple[int, ...], sets: tuple[int, ...], clauses: RuleClauses) -> list[int | None]:
    """One selector for each set, None if there is only one set. The cells hold the selected set.

    What follows from a set is known long before its digits have their places: a digit that all possible sets contain is
    gone from the cells that differ from all of `cells`.
    """
    if not sets:
        clauses.add([])
        return []
    # a single set needs no selector
    made = clauses.variables(len(sets)) if len(sets) > 1 else []
    if made:
        clauses.add(made)
        # two sets exclude each other anyway, but these clauses propagate it at once
        for first, second in combinations(made, 2) if len(made) <= FEW_SETS else ():
            clauses.add([-first, -second])
    selectors: list[int | None] = [*made] or [None]
    members: dict[int, list[int]] = {}
    for cell in cells:
        for digit, literal in clauses.candidates(cell):
            members.setdefault(digit, []).append(literal)
    peers = [dict(clauses.candidates(peer)) for peer in frozenset.intersection(*map(clauses.peers, cells))]
    for digit, literals in members.items():
        bit = digit - clauses.least
        having = [selector for selector, mask in zip(selectors, sets, strict=True) if mask >> bit & 1]
        others = [literals_of_peer[digit] for literals_of_peer in peers if digit in literals_of_peer]
        if not having:
            for literal in literals:
                clauses.add([-literal])
        elif len(having) == len(sets):
            clauses.add(literals)
            for other in others:
                clauses.add([-other])
        else:
            held = clauses.any_of(literals)
            for selector, mask in zip(made, sets, strict=True):
                clauses.add([-selector, held if mask >> bit & 1 else -held])
            clauses.add([-held, *(selector for selector in made if selector in having)])
            clauses.add([held, *(selector for selector in made if selector not in having)])
            for other in others if len(literals) > 1 else ():
                clauses.add([-held, -other])
    return selectors


def _grouped(linear: Linear, clauses: RuleClauses) -> Linear:
    """The same sum with one term for each group of different cells. A group's sum follows from its set of digits."""
    left = list(zip(linear.cells, linear.coefficients, strict=True))
    cells: list[int] = []
    factors: list[int] = []
    while left:
        group = max((_differing(start, left, clauses) for start in range(len(left))), key=len)
        members = tuple(cell for cell, _ in group)
        left = [term for term in left if term not in group]
        total = _sum_of(members, clauses) if len(group) >= SMALLEST_GROUP else None
        if total is None:
            cells += members
            factors += [factor for _, factor in group]
        else:
            cells.append(total)
            factors.append(group[0][1])
    return Linear(tuple(cells), tuple(factors), linear.least, linear.greatest, linear.name)


def _differing(start: int, terms: list[tuple[int, int]], clauses: RuleClauses) -> list[tuple[int, int]]:
    """Terms from a place on that have the same factor and whose cells all differ."""
    group = [terms[start]]
    for cell, factor in terms[start + 1 :]:
        if factor == group[0][1] and all(other in clauses.peers(cell) for other, _ in group):
            group.append((cell, factor))
    return group


def _sum_of(cells: tuple[int, ...], clauses: RuleClauses) -> int | None:
    """An artificial cell for the sum of different cells; None if there are too many sets of digits."""
    every = 0
    for cell in cells:
        for digit, _ in clauses.candidates(cell):
            every |= 1 << digit - clauses.least
    sets = digit_sets(len(cells), every, clauses.least, None, None)
    if sets is None or len(sets) < 2:
        return None
    selectors = _encode_sets(cells, sets, clauses)
    of_sums: dict[int, list[int]] = {}
    for selector, mask in zip(selectors, sets, strict=True):
        assert selector is not None, "there are several sets"
        total = sum(bit + clauses.least for bit in range(mask.bit_length()) if mask >> bit & 1)
        of_sums.setdefault(total, []).append(selector)
    return clauses.number({total: clauses.any_of(chosen) for total, chosen in of_sums.items()})


@lru_cache(maxsize=4096)
def partial_sums(linear: Linear, digits: tuple[tuple[int, ...], ...]) -> Diagram:
    """The diagram of the sums of the cells so far, negative coefficients first, for cells with these digits."""
    order = sorted(
        range(len(linear.cells)), key=lambda place: (linear.coefficients[place] > 0, -abs(linear.coefficients[place]))
    )
    factors = [linear.coefficients[place] for place in order]
    of_cells = [digits[place] for place in order]
    cells = [linear.cells[place] for place in order]
    if not all(of_cells):
        return Diagram(tuple(cells), tuple(() for _ in cells), linear.name)
    ends = [(min(f * d for d in ds), max(f * d for d in ds)) for f, ds in zip(factors, of_cells, strict=True)]
    # the least and the greatest sum that the cells after each place can add
    lows = list(accumulate((low for low, _ in reversed(ends)), initial=0))[::-1][1:]
    highs = list(accumulate((high for _, high in reversed(ends)), initial=0))[::-1][1:]
    least, greatest = linear.least, linear.greatest

    def step(total: int, place: int, digit: int) -> int | None:
        total += factors[place] * digit
        if (greatest is not None and total + lows[place] > greatest) or (
            least is not None and total + highs[place] < least
        ):
            return None
        return total

    def accepts(total: int) -> bool:
        return (least is None or total >= least) and (greatest is None or total <= greatest)

    return diagram(cells, of_cells, 0, step, accepts, linear.name)
