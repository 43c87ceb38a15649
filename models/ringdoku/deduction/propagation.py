"""Propagators, each of which removes candidates that a primitive excludes, and their propagation to a fixpoint.

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

Narrowed: TypeAlias = list[int] | None
"""The cells that lost candidates, or None for a contradiction; the masks are then undefined."""

# loaded on use, so that a union with it has to be in quotes
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Candidates: TypeAlias = "NDArray[np.bool_]"
"""(cells, digits): whether cell c may hold digit d, at [c, d − least]."""

MOST_SETS = 400
"""With more sets of digits than this for a sum, other methods are better."""

MOST_TRIED = 20_000
"""The most sets of digits to look through; 16 digits have at most 12,870 of one size."""


class Propagator(NamedTuple):
    """The cells of a primitive, and the function that narrows their masks in place."""

    cells: tuple[int, ...]
    narrow: Callable[[Masks], Narrowed]


class Propagators:
    """The propagators of some primitives of a ruleset."""

    def __init__(self, ruleset: Ruleset, primitives: Sequence[Primitive]) -> None:
        self._propagators = [propagator(primitive, ruleset.board, ruleset.peers) for primitive in primitives]
        self._houses = {number for number, each in enumerate(primitives) if isinstance(each, AllDifferent)}
        # for each cell the numbers of its propagators
        self._numbers_at = ruleset.board.indices_at(each.cells for each in self._propagators)

    def propagate(self, masks: Masks, changed: Iterable[int] | None = None, deadline: Deadline = NEVER) -> bool:
        """Narrow the masks to a fixpoint; False for a contradiction. `changed` are the cells that lost candidates since
        the last call, or None for the first call. Raises `TimeLimitError` at the deadline."""
        waiting = set(range(len(self._propagators))) if changed is None else self._numbers_of(changed)
        while waiting:
            # houses go first, with which some variants take a third of the time
            batch, changed_now = waiting & self._houses or waiting, list[int]()
            for number in batch:
                deadline.check()
                narrowed = self._propagators[number].narrow(masks)
                if narrowed is None:
                    return False
                changed_now += narrowed
            waiting = (waiting - batch) | self._numbers_of(changed_now)
        return True

    def _numbers_of(self, cells: Iterable[int]) -> set[int]:
        """The numbers of the propagators of these cells."""
        return set[int]().union(*map(self._numbers_at.__getitem__, cells))


@lru_cache(maxsize=16)
def propagators(ruleset: Ruleset) -> Propagators:
    """The propagators of all rules of a ruleset, made once and then cached."""
    return Propagators(ruleset, ruleset.primitives)


def masks_of(puzzle: Puzzle) -> Masks:
    """The masks that the clues leave: one bit for a clue, all bits for a blank."""
    blank, least, every = puzzle.board.blank, puzzle.board.least, (1 << puzzle.order) - 1
    return [every if clue == blank else 1 << clue - least for clue in puzzle.clues.digits]


@without_collection()
def propagate(puzzle: Puzzle, within: "Candidates | None" = None, deadline: Deadline = NEVER) -> "Candidates | None":
    """The candidates that are left, (cells, digits); None for a contradiction, which means no solution. Every digit
    of a solution (of one `within` these candidates, if given) is left. If a cell has one candidate, its peers do not
    have that digit. Raises `TimeLimitError` at the deadline."""
    import numpy as np

    # making hundreds of thousands of rules takes seconds, and their propagators as long again; both is done once
    deadline.check()
    masks, order = masks_of(puzzle), puzzle.order
    if within is not None:
        packed = np.packbits(within, axis=1, bitorder="little")
        masks = [mask & int.from_bytes(row.tobytes(), "little") for mask, row in zip(masks, packed, strict=True)]
    if not all(masks) or not propagators(puzzle.ruleset).propagate(masks, None, deadline):
        return None
    width = -(-order // 8)
    raw = np.frombuffer(b"".join([mask.to_bytes(width, "little") for mask in masks]), dtype=np.uint8)
    return np.unpackbits(raw.reshape(-1, width), axis=1, count=order, bitorder="little").astype(bool)


def undecided(ruleset: Ruleset, candidates: Candidates) -> list[Primitive]:
    """The primitives besides houses that may still be broken with the candidates that propagation left."""
    decided = (candidates.sum(axis=1) == 1).tolist()
    scopes = ((rule, scope_of(rule)) for rule in ruleset.rest)
    return [rule for rule, cells in scopes if not cells or not all(decided[cell] for cell in cells)]


def propagator(primitive: Primitive, board: Board, peers: Callable[[int], frozenset[int]]) -> Propagator:
    """The propagator of a primitive. `peers` returns the cells that must differ from a cell."""
    cells = tuple(dict.fromkeys(scope_of(primitive)))
    # narrows the masks in place, and returns False for a contradiction
    filter_masks: Callable[[Masks], bool]
    match primitive:
        case AllDifferent():
            return _house_propagator(cells, board.order)
        case Allowed(cell, digits):
            mask = sum(1 << digit - board.least for digit in digits if digit in board.digits)
            filter_masks = partial(_restrict, cell=cell, allowed=mask)
        case Linear():
            filter_masks = _linear_filter(primitive, board, is_cage(primitive, peers))
        case Relation():
            filter_masks = _relation_filter(primitive, board)
        case Count():
            filter_masks = _count_filter(primitive, board)
        case Diagram():
            filter_masks = _diagram_filter(primitive, board)
        case OneOf(cases):
            filter_masks = _cases_filter(cells, cases, partial(propagator, board=board, peers=peers))
        case _:
            assert_never(primitive)

    def narrow(masks: Masks) -> Narrowed:
        before = [masks[cell] for cell in cells]
        if not filter_masks(masks):
            return None
        return [cell for cell, mask in zip(cells, before, strict=True) if masks[cell] != mask]

    return Propagator(cells, narrow)


def _house_propagator(cells: tuple[int, ...], order: int) -> Propagator:
    """Narrows a house by singles: the candidate of a cell that has only one is removed from the other cells (naked
    single); with as many cells as digits, a digit that has only one cell is placed there (hidden single)."""
    every = (1 << order) - 1

    def narrow(masks: Masks) -> Narrowed:
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

    return Propagator(cells, narrow)


def _restrict(masks: Masks, cell: int, allowed: int) -> bool:
    masks[cell] &= allowed
    return bool(masks[cell])


def _linear_filter(rule: Linear, board: Board, distinct: bool) -> Callable[[Masks], bool]:
    """Filters by reachable partial sums, forwards and backwards over the cells: bit i is the smallest sum plus i."""
    cells, digits = rule.cells, board.digits
    smallest = {factor: min(factor * digits[0], factor * digits[-1]) for factor in rule.coefficients}
    # for each factor, (mask of a digit, by how much its term exceeds the smallest term)
    moves_of = {
        factor: [(1 << bit, factor * digit - base) for bit, digit in enumerate(digits)]
        for factor, base in smallest.items()
    }
    steps = [moves_of[factor] for factor in rule.coefficients]
    wanted = rule.total - sum(map(smallest.__getitem__, rule.coefficients))

    def filter_masks(masks: Masks) -> bool:
        if distinct and not _restrict_to_sets(masks, rule, board):
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

    return filter_masks


def _restrict_to_sets(masks: Masks, rule: Linear, board: Board) -> bool:
    """For cells that all differ: removes digits that no set with the sum has; a digit of all such sets needs a cell."""
    union = 0
    for cell in rule.cells:
        union |= masks[cell]
    sets = digit_sets(len(rule.cells), union, board.least, rule.total)
    if not sets:
        return sets is None
    possible, required = 0, union
    for digits in sets:
        possible |= digits
        required &= digits
    for cell in rule.cells:
        masks[cell] &= possible
    while required:
        bit = required & -required
        required ^= bit
        places = [cell for cell in rule.cells if masks[cell] & bit]
        if not places:
            return False
        if len(places) == 1:
            masks[places[0]] = bit
    return True


@lru_cache(maxsize=1 << 14)
def digit_sets(size: int, digits: int, least: int, total: int | None = None) -> tuple[int, ...] | None:
    """The sets of `size` of the digits in a mask (bit 0 for `least`), as masks; with a total, only those with that sum.
    None if there are more than `MOST_SETS`, or if more than `MOST_TRIED` would have to be looked through."""
    members = [bit for bit in range(digits.bit_length()) if digits >> bit & 1]
    if comb(len(members), size) > MOST_TRIED:
        return None
    subsets = combinations(members, size)
    wanted = subsets if total is None else (bits for bits in subsets if sum(bits) == total - size * least)
    sets = tuple([sum([1 << bit for bit in bits]) for bits in islice(wanted, MOST_SETS + 1)])
    return sets if len(sets) <= MOST_SETS else None


def _relation_filter(rule: Relation, board: Board) -> Callable[[Masks], bool]:
    first, second = rule.first, rule.second
    forwards, backwards = _supported_digits(rule.pairs, board.least, board.order)

    def filter_masks(masks: Masks) -> bool:
        masks[first] &= backwards(masks[second])
        return _restrict(masks, second, forwards(masks[first]))

    return filter_masks


@lru_cache(maxsize=256)
def _supported_digits(
    pairs: frozenset[tuple[int, int]], least: int, order: int
) -> tuple[Callable[[int], int], Callable[[int], int]]:
    """Two functions: from a mask of the first cell to the digits of the second that it supports, and the other way."""
    inside = [(a - least, b - least) for a, b in pairs if 0 <= a - least < order and 0 <= b - least < order]

    def support(pairs: Iterable[tuple[int, int]]) -> Callable[[int], int]:
        supported_by = [0] * order
        for one, other in pairs:
            supported_by[one] |= 1 << other

        @lru_cache(maxsize=1 << 12)
        def supported(mask: int) -> int:
            digits = 0
            for bit, others in enumerate(supported_by):
                if mask >> bit & 1:
                    digits |= others
            return digits

        return supported

    return support(inside), support((b, a) for a, b in inside)


def _count_filter(rule: Count, board: Board) -> Callable[[Masks], bool]:
    members = [(cell, 1 << digit - board.least) for cell, digit in rule.candidates]

    def filter_masks(masks: Masks) -> bool:
        certain = sum(masks[cell] == bit for cell, bit in members)
        # the candidates of open cells: a cell with several of them still counts once at most
        possible: dict[int, int] = {}
        for cell, bit in members:
            if masks[cell] & bit and masks[cell] != bit:
                possible[cell] = possible.get(cell, 0) | bit
        if certain > rule.greatest or certain + len(possible) < rule.least:
            return False
        if certain == rule.greatest:
            return all(_restrict(masks, cell, ~bits) for cell, bits in possible.items())
        if certain + len(possible) == rule.least:
            return all(_restrict(masks, cell, bits) for cell, bits in possible.items())
        return True

    return filter_masks


def _diagram_filter(rule: Diagram, board: Board) -> Callable[[Masks], bool]:
    """Filters by the states on paths from start to end of the diagram; a set of states is an integer with bits."""
    layers = [[(state, 1 << digit - board.least, after) for state, digit, after in layer] for layer in rule.layers]

    def filter_masks(masks: Masks) -> bool:
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

    return filter_masks


def _cases_filter(
    cells: tuple[int, ...], cases: Sequence[Sequence[Primitive]], propagator_of: Callable[[Primitive], Propagator]
) -> Callable[[Masks], bool]:
    """Filters by the union of what the cases leave."""
    # made when a case is first tried, since most cases of comparisons never are
    made: dict[int, list[Propagator]] = {}

    def filter_masks(masks: Masks) -> bool:
        before = [masks[cell] for cell in cells]
        union = [0] * len(cells)
        alive = False
        for number, case in enumerate(cases):
            if number not in made:
                made[number] = list(map(propagator_of, case))
            if all(part.narrow(masks) is not None for part in made[number]):
                alive = True
                union = [mask | masks[cell] for mask, cell in zip(union, cells, strict=True)]
            for cell, mask in zip(cells, before, strict=True):
                masks[cell] = mask
            if alive and union == before:
                return True
        for cell, mask in zip(cells, union, strict=True):
            masks[cell] = mask
        return alive

    return filter_masks
