"""Sums of digits. Cells that differ: a selector for each set of digits that has the sum, exactly one of them; a
digit in a cell implies a set that has it, and a set that each of its digits stands in a cell. Other cells: a
decision diagram of the partial sums (Abío, Nieuwenhuis, Oliveras, Rodríguez-Carbonell and Mayer-Eichberger, "A new
look at BDDs for pseudo-Boolean constraints", JAIR 45, 2012)."""

from __future__ import annotations

from functools import lru_cache
from itertools import accumulate, combinations

from ringdoku.deduction.sums import digit_sets
from ringdoku.domain.primitives import Diagram, Linear, diagram
from ringdoku.encodings.rules import diagram as diagrams
from ringdoku.encodings.rules import relation
from ringdoku.encodings.rules.clauses import RuleClauses


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
            if len(set(factors)) == 1 and clauses.are_different(cells):
                every = 0
                for mask in (_mask(cell_digits, clauses.least) for cell_digits in digits):
                    every |= mask
                sets = digit_sets(len(cells), every, clauses.least, low, high, factors[0])
                if sets is not None:
                    _encode_sets(cells, sets, clauses)
                    return
            diagrams.encode(partial_sums(linear, digits), clauses)


def _mask(digits: tuple[int, ...], least: int) -> int:
    return sum(1 << digit - least for digit in digits)


def _encode_sets(cells: tuple[int, ...], sets: tuple[int, ...], clauses: RuleClauses) -> None:
    if not sets:
        clauses.add([])
        return
    # a single set needs no selector
    made = clauses.variables(len(sets)) if len(sets) > 1 else []
    if made:
        clauses.add(made)
        for first, second in combinations(made, 2):
            clauses.add([-first, -second])
    selectors: list[int | None] = [*made] or [None]
    width = max(sets).bit_length()
    columns: list[list[int]] = [[] for _ in range(max(width, len(clauses.literals[cells[0]])))]
    for cell in cells:
        for digit, literal in clauses.candidates(cell):
            columns[digit - clauses.least].append(literal)
    for bit, literals in enumerate(columns):
        having = [selector for selector, mask in zip(selectors, sets, strict=True) if mask >> bit & 1]
        if len(having) < len(sets):
            # a digit in a cell: one of the sets that have it
            for literal in literals:
                clauses.add([-literal, *(selector for selector in having if selector)])
        for selector in having:
            clauses.add([*([-selector] if selector else []), *literals])


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
    # what the cells after each place can add
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
