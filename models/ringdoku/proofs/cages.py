"""Cages by the sets of digits that they may hold, for proofs of killers: hard ones have a tenth of the steps so.

The helpers of `proofs.rules.Cage` say which digits a cage holds, and which set these are. That the digits are so many,
and have the sum, are lines `pol`; that they are one of the sets is derived case by case.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from ringdoku.proofs.checker import Propagation, Row
from ringdoku.proofs.proof import Proof
from ringdoku.proofs.rules import Cage, clause_row, variable_of
from ringdoku.proofs.sums import DerivedSums, polish_of


def rows_of_cages(found: DerivedSums, proof: Proof) -> Iterator[Row]:
    """Adds to the proof what a solver needs to know of each cage, and says it."""
    board = found.stated.puzzle.board
    for cage in found.stated.rules.cages:
        # of each digit: if it is held, a cell has it; and the other way
        some = [cage.first + 2 * place for place in range(board.order)]
        every = list[int]()
        houses = [(cells, first) for cells, first in found.houses if cells.issuperset(cage.cells)]
        for place, digit in enumerate(board.digits):
            every.append(_one(cage, place, *houses[0], found, proof))
            for cells, first in houses:
                others = [variable_of(board, cell, digit) for cell in sorted(cells.difference(cage.cells))]
                signs = (1, -1) if len(cells) == board.order else (1,)
                for sign in signs if others else ():
                    own = some[place] if sign > 0 else every[place]
                    proof.sum(polish_of([found.priced(first + place, sign), (own, 1)]))
                    yield Row.of(dict.fromkeys([cage.held[place], *others], -sign), -sign)
        for least, greatest, sign in ((every, some, -1), (some, every, 1)):
            of_cells = [found.priced(cell, sign) for cell in cage.cells]
            proof.sum(polish_of([*((number, 1) for number in least), *of_cells]))
            parts = [((least if d > 0 else greatest)[place], abs(d)) for place, d in enumerate(board.digits) if d]
            proof.sum(polish_of([*parts, found.priced(found.places[frozenset(cage.cells)], sign)]))
        variables = [0, *cage.held, *cage.chosen]
        for clause in _clauses(cage.sets, len(cage.cells), cage.total, board.least, board.order):
            literals = [variables[literal] if literal > 0 else -variables[-literal] for literal in clause]
            proof.clause(literals)
            yield clause_row(literals)


def _one(cage: Cage, place: int, cells: frozenset[int], first: int, found: DerivedSums, proof: Proof) -> int:
    """The number of "a digit is held as often as cells have it": at most one has it in a house, and so often as there
    are cells would it be held; that is divided and rounded."""
    board, size = found.stated.puzzle.board, len(cage.cells)
    outside = (variable_of(board, cell, board.digits[place]) for cell in sorted(cells.difference(cage.cells)))
    most, _ = found.priced(first + place, 1)
    not_negative = "".join(f" x{variable} +" for variable in outside)
    proof.sum(f"{most}{not_negative} {size - 1} * {cage.first + 2 * place + 1} + {size} d")
    return proof.constraints


@lru_cache(maxsize=256)
def _clauses(sets: tuple[int, ...], size: int, total: int, least: int, order: int) -> Sequence[Sequence[int]]:
    """Each follows by unit propagation from those before it, from the number and the sum of the digits, and from what
    the helpers mean. Variables are the digits, 1 to the order, then the sets."""
    digits, chosen = range(1, order + 1), range(order + 1, order + 1 + len(sets))
    inside = [[digit for digit in digits if mask >> digit - 1 & 1] for mask in sets]
    known, found = Propagation(chosen.stop - 1), list[Sequence[int]]()
    for sign in (1, -1):
        known.add(Row.of(dict.fromkeys(digits, sign), sign * size))
        known.add(Row.of({digit: sign * (digit - 1 + least) for digit in digits}, sign * total))
    for variable, members in zip(chosen, inside, strict=True):
        known.add(Row.of({**dict.fromkeys(members, 1), variable: -size}, 0))
        known.add(Row.of({**dict.fromkeys(members, -1), variable: 1}, 1 - size))

    def add(clause: Sequence[int]) -> None:
        found.append(clause)
        known.add(clause_row(clause))

    def split(decided: list[int]) -> None:
        """One of the sets is chosen where these literals are true."""
        clause = [*(-literal for literal in decided), *chosen]
        if not known.implies(clause):
            following = order - len(decided)
            split([*decided, following])
            if not known.implies(clause):
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
