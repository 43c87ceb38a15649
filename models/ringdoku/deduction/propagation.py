"""Propagators: each removes candidates that a primitive excludes; and their propagation until nothing changes.

Candidates are bit masks here, a Python integer for each cell: bit i is the digit least + i. A propagator narrows the
masks of its cells and never removes a digit that some solution has there. `propagate` returns arrays.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from itertools import combinations, islice
from math import comb
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, assert_never

from ringdoku.domain import Board, Primitive, Puzzle, Ruleset, is_cage
from ringdoku.domain.primitives import AllDifferent, Allowed, Count, Diagram, Linear, OneOf, Relation, scope_of
from ringdoku.limits import NEVER, Deadline, without_collection

Masks: TypeAlias = list[int]

# loaded on use, so that a union with it has to be in quotes
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Candidates: TypeAlias = "NDArray[np.bool_]"
"""(cells, digits): whether cell c may hold digit d, at [c, d − least]."""

MOST_SETS = 400
"""With more sets of digits that have a sum, other methods are better."""

MOST_TRIED = 20_000
"""Sets of digits; of 16 digits there are 12,870 of one size at most."""


class Propagator(NamedTuple):
    """The cells of a primitive, and the function that narrows their masks in place. It returns the cells that lost
    candidates, or None for a contradiction; the masks are then undefined."""

    cells: tuple[int, ...]
    narrow: Callable[[Masks], list[int] | None]


class Propagators:
    """The propagators of some primitives of a ruleset."""

    def __init__(self, ruleset: Ruleset, primitives: Sequence[Primitive]) -> None:
        self._every = [propagator(primitive, ruleset.board, ruleset.peers) for primitive in primitives]
        self._quick = {number for number, each in enumerate(primitives) if isinstance(each, AllDifferent)}
        # for each cell the numbers of those that it is in
        self._of_cell: list[list[int]] = [[] for _ in range(ruleset.board.cell_count)]
        for number, each in enumerate(self._every):
            for cell in each.cells:
                self._of_cell[cell].append(number)

    def settle(self, masks: Masks, changed: Iterable[int] | None = None, deadline: Deadline = NEVER) -> bool:
        """Narrow the masks until nothing changes; False for a contradiction. `changed` are the cells that lost
        candidates since the last call; None for the first. Raises `TimeLimitError` at the deadline."""
        waiting = set(range(len(self._every))) if changed is None else self._around(changed)
        while waiting:
            # the others wait for houses, with which some variants take a third of the time
            batch, narrowed = waiting & self._quick or waiting, list[int]()
            for number in batch:
                deadline.check()
                found = self._every[number].narrow(masks)
                if found is None:
                    return False
                narrowed += found
            waiting = (waiting - batch) | self._around(narrowed)
        return True

    def _around(self, cells: Iterable[int]) -> set[int]:
        """The numbers of the propagators of these cells."""
        return {number for cell in cells for number in self._of_cell[cell]}


@lru_cache(maxsize=16)
def propagators(ruleset: Ruleset) -> Propagators:
    """Those of all rules, made once for each ruleset."""
    return Propagators(ruleset, ruleset.primitives)


def masks_of(puzzle: Puzzle) -> Masks:
    """What the clues leave: a bit for the clue of a cell, every bit for a blank."""
    blank, least, every = puzzle.board.blank, puzzle.board.least, (1 << puzzle.order) - 1
    return [every if clue == blank else 1 << clue - least for clue in puzzle.clues.digits]


@without_collection()
def propagate(puzzle: Puzzle, within: "Candidates | None" = None, deadline: Deadline = NEVER) -> "Candidates | None":
    """The candidates that are left, (cells, digits); None when they contradict each other, so there is no solution.
    Every solution (every one `within` these candidates) is kept. If a cell has one candidate, its peers do not have
    that digit. Raises `TimeLimitError` at the deadline."""
    import numpy as np

    # hundreds of thousands of rules take seconds to state, and as long again to prepare; both is done once
    deadline.check()
    masks, order = masks_of(puzzle), puzzle.order
    if within is not None:
        packed = np.packbits(within, axis=1, bitorder="little")
        masks = [mask & int.from_bytes(row.tobytes(), "little") for mask, row in zip(masks, packed, strict=True)]
    if not all(masks) or not propagators(puzzle.ruleset).settle(masks, None, deadline):
        return None
    width = -(-order // 8)
    raw = np.frombuffer(b"".join([mask.to_bytes(width, "little") for mask in masks]), dtype=np.uint8)
    return np.unpackbits(raw.reshape(-1, width), axis=1, count=order, bitorder="little").astype(bool)


def undecided(ruleset: Ruleset, candidates: Candidates) -> list[Primitive]:
    """The primitives besides houses that still matter after propagation has left these candidates: the others hold."""
    decided = (candidates.sum(axis=1) == 1).tolist()
    return [rule for rule in ruleset.rest if not all(decided[cell] for cell in scope_of(rule))]


def propagator(primitive: Primitive, board: Board, peers: Callable[[int], frozenset[int]]) -> Propagator:
    """The propagator of a primitive; every two `peers` differ."""
    cells = tuple(dict.fromkeys(scope_of(primitive)))
    # narrows the masks, and returns False for a contradiction
    keeps: Callable[[Masks], bool]
    match primitive:
        case AllDifferent():
            return Propagator(cells, _house(cells, board.order))
        case Allowed(cell, digits):
            mask = sum(1 << digit - board.least for digit in digits if digit in board.digits)
            keeps = partial(_keep, cell=cell, kept=mask)
        case Linear():
            keeps = _linear(primitive, board, is_cage(primitive, peers))
        case Relation():
            keeps = _relation(primitive, board)
        case Count():
            keeps = _count(primitive, board)
        case Diagram():
            keeps = _diagram(primitive, board)
        case OneOf(cases):
            keeps = _one_of(cells, [[propagator(part, board, peers) for part in case] for case in cases])
        case _:
            assert_never(primitive)

    def narrow(masks: Masks) -> list[int] | None:
        before = [masks[cell] for cell in cells]
        if not keeps(masks):
            return None
        return [cell for cell, mask in zip(cells, before, strict=True) if masks[cell] != mask]

    return Propagator(cells, narrow)


def _house(cells: tuple[int, ...], order: int) -> Callable[[Masks], list[int] | None]:
    """A cell with one candidate holds it, and the other cells do not (naked single). Where there are as many cells as
    digits, a digit with one cell is there (hidden single)."""
    every = (1 << order) - 1

    def narrow(masks: Masks) -> list[int] | None:
        once = twice = placed = 0
        for cell in cells:
            mask = masks[cell]
            twice |= once & mask
            once |= mask
            if not mask & (mask - 1):
                if placed & mask:
                    return None
                placed |= mask
        hidden = 0
        if len(cells) == order:
            if once != every:
                return None
            hidden = once & ~twice & ~placed
        narrowed: list[int] = []
        if not hidden and not twice & placed:
            return narrowed
        for cell in cells:
            mask = masks[cell]
            if mask & (mask - 1):
                left = mask & hidden or mask & ~placed
                if not left or (mask & hidden and left & (left - 1)):
                    return None
                if left != mask:
                    masks[cell] = left
                    narrowed.append(cell)
        return narrowed

    return narrow


def _keep(masks: Masks, cell: int, kept: int) -> bool:
    masks[cell] &= kept
    return bool(masks[cell])


def _linear(rule: Linear, board: Board, distinct: bool) -> Callable[[Masks], bool]:
    """Reachable sums are bits of an integer, counted from the smallest sum, forwards and backwards over the cells."""
    cells, digits = rule.cells, board.digits
    smallest = [min(factor * digits[0], factor * digits[-1]) for factor in rule.coefficients]
    # for each cell (mask of a digit, what it adds to the smallest term)
    steps = [
        [(1 << bit, factor * digit - base) for bit, digit in enumerate(digits)]
        for factor, base in zip(rule.coefficients, smallest, strict=True)
    ]
    wanted = rule.total - sum(smallest)

    def keeps(masks: Masks) -> bool:
        if distinct and not _keep_sets(masks, rule, board):
            return False
        reached = [1]
        for cell, moves in zip(cells, steps, strict=True):
            mask, before, after = masks[cell], reached[-1], 0
            for bit, move in moves:
                if mask & bit:
                    after |= before << move
            reached.append(after)
        if wanted < 0 or not reached[-1] >> wanted & 1:
            return False
        target = 1 << wanted
        for cell, moves, before in zip(reversed(cells), reversed(steps), reversed(reached[:-1]), strict=True):
            mask, kept, needed = masks[cell], 0, 0
            for bit, move in moves:
                if mask & bit and (fitting := target >> move & before):
                    kept |= bit
                    needed |= fitting
            masks[cell], target = kept, needed
        return True

    return keeps


def _keep_sets(masks: Masks, rule: Linear, board: Board) -> bool:
    """For cells that all differ: keep only digits of sets with the sum. Digits in all such sets must have a cell."""
    union = 0
    for cell in rule.cells:
        union |= masks[cell]
    sets = digit_sets(len(rule.cells), union, board.least, rule.total)
    if not sets:
        return sets is None
    some, every = 0, union
    for found in sets:
        some |= found
        every &= found
    for cell in rule.cells:
        masks[cell] &= some
    while every:
        bit = every & -every
        every ^= bit
        places = [cell for cell in rule.cells if masks[cell] & bit]
        if not places:
            return False
        if len(places) == 1:
            masks[places[0]] = bit
    return True


@lru_cache(maxsize=1 << 14)
def digit_sets(size: int, digits: int, least: int, total: int | None = None) -> tuple[int, ...] | None:
    """Every set of `size` of the digits in a mask (bit 0 for `least`), as masks; with a total, those that have the sum.
    None for more than `MOST_SETS`, and where more than `MOST_TRIED` would have to be tried."""
    members = [bit for bit in range(digits.bit_length()) if digits >> bit & 1]
    if comb(len(members), size) > MOST_TRIED:
        return None
    every = combinations(members, size)
    wanted = every if total is None else (bits for bits in every if sum(bits) == total - size * least)
    found = tuple([sum([1 << bit for bit in bits]) for bits in islice(wanted, MOST_SETS + 1)])
    return found if len(found) <= MOST_SETS else None


def _relation(rule: Relation, board: Board) -> Callable[[Masks], bool]:
    first, second = rule.first, rule.second
    forwards, backwards = _images(rule.pairs, board.least, board.order)

    def keeps(masks: Masks) -> bool:
        masks[first] &= backwards(masks[second])
        return _keep(masks, second, forwards(masks[first]))

    return keeps


@lru_cache(maxsize=256)
def _images(
    pairs: frozenset[tuple[int, int]], least: int, order: int
) -> tuple[Callable[[int], int], Callable[[int], int]]:
    """For a mask of one cell the digits of the other that go with some digit of it: of the first cell, of the
    second."""
    inside = [(a - least, b - least) for a, b in pairs if 0 <= a - least < order and 0 <= b - least < order]

    def image(of_pairs: Iterable[tuple[int, int]]) -> Callable[[int], int]:
        of_digit = [0] * order
        for one, other in of_pairs:
            of_digit[one] |= 1 << other

        @lru_cache(maxsize=1 << 12)
        def found(mask: int) -> int:
            others = 0
            for bit, image in enumerate(of_digit):
                if mask >> bit & 1:
                    others |= image
            return others

        return found

    return image(inside), image((b, a) for a, b in inside)


def _count(rule: Count, board: Board) -> Callable[[Masks], bool]:
    members = [(cell, 1 << digit - board.least) for cell, digit in rule.candidates]

    def keeps(masks: Masks) -> bool:
        certain = sum(masks[cell] == bit for cell, bit in members)
        # what open cells may hold of the candidates: a cell holds at most one of several digits
        possible: dict[int, int] = {}
        for cell, bit in members:
            if masks[cell] & bit and masks[cell] != bit:
                possible[cell] = possible.get(cell, 0) | bit
        if certain > rule.greatest or certain + len(possible) < rule.least:
            return False
        if certain == rule.greatest:
            return all(_keep(masks, cell, ~bits) for cell, bits in possible.items())
        if certain + len(possible) == rule.least:
            return all(_keep(masks, cell, bits) for cell, bits in possible.items())
        return True

    return keeps


def _diagram(rule: Diagram, board: Board) -> Callable[[Masks], bool]:
    """States on a path from the start are bits of an integer, and so are those on a path to the end."""
    layers = [[(state, 1 << digit - board.least, after) for state, digit, after in layer] for layer in rule.layers]

    def keeps(masks: Masks) -> bool:
        alive = [1]
        for cell, layer in zip(rule.cells, layers, strict=True):
            mask, before, after = masks[cell], alive[-1], 0
            for state, bit, following in layer:
                if mask & bit and before >> state & 1:
                    after |= 1 << following
            alive.append(after)
        needed = alive.pop()
        for cell, layer, before in zip(reversed(rule.cells), reversed(layers), reversed(alive), strict=True):
            mask, kept, reached = masks[cell], 0, 0
            for state, bit, following in layer:
                if mask & bit and before >> state & 1 and needed >> following & 1:
                    kept |= bit
                    reached |= 1 << state
            masks[cell], needed = kept, reached
        return bool(needed)

    return keeps


def _one_of(cells: tuple[int, ...], cases: Sequence[Sequence[Propagator]]) -> Callable[[Masks], bool]:
    """What some case leaves."""

    def keeps(masks: Masks) -> bool:
        before = [masks[cell] for cell in cells]
        union = [0] * len(cells)
        alive = False
        for case in cases:
            if all(part.narrow(masks) is not None for part in case):
                alive = True
                union = [mask | masks[cell] for mask, cell in zip(union, cells, strict=True)]
            for cell, mask in zip(cells, before, strict=True):
                masks[cell] = mask
            if union == before:
                return True
        for cell, mask in zip(cells, union, strict=True):
            masks[cell] = mask
        return alive

    return keeps
