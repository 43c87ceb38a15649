"""How often a digit is in cages that nearly cover some houses: clauses that follow from the others.

Cells in which cages and houses differ are called innies and outies, and solvers of killers compare sums with them. The
same can be counted for each digit. It is in m disjoint houses m times, and at most once in a cage. So of the cages that
are mostly inside, the innies (cells of other cages, or of none) and the outies (cells of those cages outside), with
"the cage holds the digit" as in `linear`:

    cages that hold it + innies that are it − outies that are it = m

Clauses of one cage or house after the other find this late or not at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from operator import or_

from ringdoku.domain.primitives import Linear, Primitive
from ringdoku.domain.ruleset import is_cage
from ringdoku.sat.rules import count
from ringdoku.sat.rules.clauses import RuleClauses

REFERENCE = "this project"

MOST_TERMS = 8
"""Hard killers take fewest conflicts with 10, and least time with 8."""

MOST_CLAUSES = 100
"""Every count of so few terms is written without further variables."""


def encode(primitives: Iterable[Primitive], units: Sequence[Sequence[int]], clauses: RuleClauses) -> None:
    """The counts of all digits for cages among the primitives, and `units`: houses that hold every digit."""
    cages = list(_cages(primitives, clauses))
    for houses, inside, innies, outies in _nearly_covered(cages, units):
        of_cells = [dict(clauses.candidates(cell)) for cell in innies]
        of_outies = [dict(clauses.candidates(cell)) for cell in outies]
        of_cages = [[dict(clauses.candidates(cell)) for cell in cage] for cage in inside]
        digits = {digit for cells in (of_cells, of_outies, *of_cages) for cell in cells for digit in cell}
        for digit in sorted(digits):
            held = [[cell[digit] for cell in cage if digit in cell] for cage in of_cages]
            terms = [clauses.any_of(literals) for literals in held if literals]
            terms += [cell[digit] for cell in of_cells if digit in cell]
            without = [-cell[digit] for cell in of_outies if digit in cell]
            number = houses + len(without)
            count.encode([*terms, *without], number, number, clauses, MOST_CLAUSES)


def _cages(primitives: Iterable[Primitive], clauses: RuleClauses) -> Iterator[tuple[int, ...]]:
    """The cells of sums of different digits, larger ones first. Of those that overlap, only the first."""
    cages = (rule.cells for rule in primitives if isinstance(rule, Linear) and is_cage(rule, clauses.peers))
    taken: set[int] = set()
    for cells in sorted(cages, key=len, reverse=True):
        if len(cells) > 1 and taken.isdisjoint(cells):
            taken.update(cells)
            yield cells


def _nearly_covered(
    cages: Sequence[tuple[int, ...]], units: Sequence[Sequence[int]]
) -> Iterator[tuple[int, list[tuple[int, ...]], list[int], list[int]]]:
    """(number of houses, cages mostly inside, innies, outies) for disjoint houses, up to `MOST_TERMS` together."""
    masks, areas = [_mask(cage) for cage in cages], [_mask(unit) for unit in units]
    caged = reduce(or_, masks, 0)

    def extend(first: int, houses: int, area: int) -> Iterator[tuple[int, list[tuple[int, ...]], list[int], list[int]]]:
        for place in range(first, len(areas)):
            if areas[place] & area:
                continue
            wider = area | areas[place]
            touched = [number for number, mask in enumerate(masks) if mask & wider]
            # each is a term at least, and more houses touch no fewer
            if len(touched) + (wider & ~caged).bit_count() > MOST_TERMS:
                continue
            mostly = [number for number in touched if 2 * (masks[number] & wider).bit_count() >= len(cages[number])]
            covered = reduce(or_, (masks[number] for number in mostly), 0)
            innies, outies = _cells(wider & ~covered), _cells(covered & ~wider)
            if mostly and len(mostly) + len(innies) + len(outies) <= MOST_TERMS:
                yield houses + 1, [cages[number] for number in mostly], innies, outies
            yield from extend(place + 1, houses + 1, wider)

    yield from extend(0, 0, 0)


def _mask(cells: Iterable[int]) -> int:
    return sum(1 << cell for cell in cells)


def _cells(mask: int) -> list[int]:
    return [cell for cell in range(mask.bit_length()) if mask >> cell & 1]
