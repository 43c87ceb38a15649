"""Propagators: each removes candidates that a primitive excludes. Houses are handled by `propagation`.

Candidates are bit masks, a Python integer for each cell: bit i is the digit least + i. A propagator narrows the masks
of its cells and never removes a digit that some solution has there.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import TypeAlias, assert_never

from ringdoku.deduction.sums import digit_sets
from ringdoku.domain.primitives import AllDifferent, Allowed, Count, Diagram, Linear, OneOf, Primitive, Relation
from ringdoku.domain.ruleset import Ruleset, is_cage
from ringdoku.limits import NEVER, Deadline

Masks: TypeAlias = list[int]

MOST_KEPT = 2**12
"""Masks of which a relation's image is kept."""

BETWEEN_CHECKS = 64
"""Propagators called, or houses searched for singles, between two looks at the deadline."""

Narrow: TypeAlias = Callable[[Masks], bool]
"""Narrow the masks in place. False for a contradiction; the masks are then undefined."""


@dataclass(frozen=True, eq=False)
class Propagator:
    """A primitive's cells, and the function that narrows them."""

    cells: tuple[int, ...]
    narrow: Narrow


class Propagators:
    """The propagators of a ruleset's primitives without its houses, or of `some` primitives."""

    def __init__(self, ruleset: Ruleset, some: Iterable[Primitive] | None = None) -> None:
        least, order = ruleset.board.least, ruleset.order
        made = _Maker(least, order, ruleset.peers)
        self.all = [made.propagator(primitive) for primitive in (ruleset.rest if some is None else some)]

    @cached_property
    def of_cell(self) -> dict[int, list[Propagator]]:
        """The propagators that depend on a cell."""
        found: dict[int, list[Propagator]] = {}
        for propagator in self.all:
            for cell in set(propagator.cells):
                found.setdefault(cell, []).append(propagator)
        return found

    def settle(self, masks: Masks, waiting: Iterable[Propagator], deadline: Deadline = NEVER) -> set[int] | None:
        """Narrow until nothing changes; the cells that were narrowed, None for a contradiction.

        Raises `TimeLimitError` at the deadline.
        """
        changed: set[int] = set()
        queue = deque(dict.fromkeys(waiting))
        queued = set(queue)
        narrowed = 0
        while queue:
            if narrowed % BETWEEN_CHECKS == 0:
                deadline.check()
            narrowed += 1
            propagator = queue.popleft()
            queued.remove(propagator)
            before = [masks[cell] for cell in propagator.cells]
            if not propagator.narrow(masks):
                return None
            for cell, mask in zip(propagator.cells, before, strict=True):
                if masks[cell] != mask:
                    if not masks[cell]:
                        return None
                    changed.add(cell)
                    following = [other for other in self.of_cell[cell] if other not in queued]
                    queue += following
                    queued.update(following)
        return changed


@lru_cache(maxsize=16)
def propagators(ruleset: Ruleset) -> Propagators:
    """Made once for each ruleset."""
    return Propagators(ruleset)


class _Maker:
    def __init__(self, least: int, order: int, peers: Callable[[int], frozenset[int]]) -> None:
        self._least = least
        self._order = order
        self._peers = peers

    def propagator(self, primitive: Primitive) -> Propagator:
        match primitive:
            case Allowed(cell, digits):
                return Propagator((cell,), _allowed(cell, self._mask(digits)))
            case AllDifferent(cells):
                return Propagator(cells, _different(cells))
            case Linear(cells):
                return Propagator(cells, self._linear(primitive))
            case Relation(first, second):
                return Propagator((first, second), self._relation(primitive))
            case Count(candidates):
                return Propagator(tuple(dict.fromkeys(cell for cell, _ in candidates)), self._count(primitive))
            case Diagram(cells):
                return Propagator(tuple(dict.fromkeys(cells)), self._diagram(primitive))
            case OneOf(cases):
                inner = [[self.propagator(part) for part in case] for case in cases]
                cells = tuple(dict.fromkeys(cell for case in inner for part in case for cell in part.cells))
                return Propagator(cells, _one_of(cells, inner))
            case _:
                assert_never(primitive)

    def _mask(self, digits: Iterable[int]) -> int:
        return sum(1 << digit - self._least for digit in digits if 0 <= digit - self._least < self._order)

    def _sums(self, rule: Linear) -> tuple[list[list[tuple[int, int]]], int]:
        """For each cell (mask of a digit, what it adds), and a mask of the sums that are wanted. Sums are bit positions
        ≥ 0: every term is counted from its smallest value."""
        least = self._least
        smallest = [min(factor * least, factor * (least + self._order - 1)) for factor in rule.coefficients]
        shift = sum(smallest)
        span = sum(abs(factor) for factor in rule.coefficients) * (self._order - 1)
        low = 0 if rule.least is None else max(0, rule.least - shift)
        high = span if rule.greatest is None else min(span, rule.greatest - shift)
        wanted = ((1 << high - low + 1) - 1) << low if low <= high else 0
        steps = [
            [(1 << bit, factor * (least + bit) - base) for bit in range(self._order)]
            for factor, base in zip(rule.coefficients, smallest, strict=True)
        ]
        return steps, wanted

    def _linear(self, rule: Linear) -> Narrow:
        cells, least, distinct = rule.cells, self._least, is_cage(rule, self._peers)
        steps, wanted = self._sums(rule)

        def narrow(masks: Masks) -> bool:
            if distinct and not _narrow_sets(masks, cells, least, rule):
                return False
            reached = [1]
            for cell, moves in zip(cells, steps, strict=True):
                mask, before, after = masks[cell], reached[-1], 0
                for bit, move in moves:
                    if mask & bit:
                        after |= before << move
                reached.append(after)
            target = reached[-1] & wanted
            if not target:
                return False
            for place in range(len(cells) - 1, -1, -1):
                mask, before, kept, needed = masks[cells[place]], reached[place], 0, 0
                for bit, move in steps[place]:
                    if mask & bit and (fitting := target >> move & before):
                        kept |= bit
                        needed |= fitting
                masks[cells[place]] = kept
                target = needed
            return True

        return narrow

    def _relation(self, rule: Relation) -> Narrow:
        first, second = rule.first, rule.second
        forwards, backwards = _images(rule.pairs, self._least, self._order)

        def narrow(masks: Masks) -> bool:
            masks[first] &= backwards(masks[second])
            masks[second] &= forwards(masks[first])
            return bool(masks[first])

        return narrow

    def _count(self, rule: Count) -> Narrow:
        members = [(cell, 1 << digit - self._least) for cell, digit in rule.candidates]

        def narrow(masks: Masks) -> bool:
            possible = [(cell, bit) for cell, bit in members if masks[cell] & bit]
            certain = sum(masks[cell] == bit for cell, bit in possible)
            # a cell holds at most one of several digits
            open_cells = {cell for cell, bit in possible if masks[cell] != bit}
            if certain > rule.greatest or certain + len(open_cells) < rule.least:
                return False
            if certain == rule.greatest:
                for cell, bit in possible:
                    if masks[cell] != bit:
                        masks[cell] &= ~bit
                        if not masks[cell]:
                            return False
            elif certain + len(open_cells) == rule.least:
                for cell in open_cells:
                    masks[cell] &= sum(bit for other, bit in possible if other == cell)
            return True

        return narrow

    def _diagram(self, rule: Diagram) -> Narrow:
        layers = [[(state, 1 << digit - self._least, after) for state, digit, after in layer] for layer in rule.layers]
        cells = rule.cells

        def narrow(masks: Masks) -> bool:
            alive = [1]
            for cell, layer in zip(cells, layers, strict=True):
                mask, before, after = masks[cell], alive[-1], 0
                for state, bit, following in layer:
                    if mask & bit and before >> state & 1:
                        after |= 1 << following
                alive.append(after)
            needed = alive[-1]
            if not needed:
                return False
            for place in range(len(cells) - 1, -1, -1):
                mask, before, kept, reached = masks[cells[place]], alive[place], 0, 0
                for state, bit, following in layers[place]:
                    if mask & bit and before >> state & 1 and needed >> following & 1:
                        kept |= bit
                        reached |= 1 << state
                masks[cells[place]] = kept
                needed = reached
            return True

        return narrow


def _image(of_digit: Sequence[int], mask: int) -> int:
    """For a mask of one cell the digits of the other that go with some digit of it."""
    found = 0
    for bit, others in enumerate(of_digit):
        if mask >> bit & 1:
            found |= others
    return found


@lru_cache(maxsize=256)
def _images(
    pairs: frozenset[tuple[int, int]], least: int, order: int
) -> tuple[Callable[[int], int], Callable[[int], int]]:
    """From the first cell to the second, and back."""
    forwards, backwards = [0] * order, [0] * order
    for one, other in pairs:
        if 0 <= one - least < order and 0 <= other - least < order:
            forwards[one - least] |= 1 << other - least
            backwards[other - least] |= 1 << one - least
    keeping = lru_cache(maxsize=MOST_KEPT)
    return keeping(partial(_image, forwards)), keeping(partial(_image, backwards))


def _narrow_sets(masks: Masks, cells: tuple[int, ...], least: int, rule: Linear) -> bool:
    """For cells that all differ: keep only digits of sets with the sum. Digits in all such sets must have a cell."""
    union = 0
    for cell in cells:
        union |= masks[cell]
    sets = digit_sets(len(cells), union, least, rule.least, rule.greatest, rule.coefficients[0])
    if sets is None:
        return True
    if not sets:
        return False
    some, every = 0, union
    for found in sets:
        some |= found
        every &= found
    if some != union:
        for cell in cells:
            masks[cell] &= some
    while every:
        bit = every & -every
        every ^= bit
        places = [cell for cell in cells if masks[cell] & bit]
        if not places:
            return False
        if len(places) == 1:
            masks[places[0]] = bit
    return True


def _allowed(cell: int, allowed: int) -> Narrow:
    def narrow(masks: Masks) -> bool:
        masks[cell] &= allowed
        return bool(masks[cell])

    return narrow


def _different(cells: tuple[int, ...]) -> Narrow:
    def narrow(masks: Masks) -> bool:
        for cell in cells:
            mask = masks[cell]
            if not mask & (mask - 1):
                for other in cells:
                    if other != cell:
                        masks[other] &= ~mask
        return True

    return narrow


def _one_of(cells: tuple[int, ...], cases: Sequence[Sequence[Propagator]]) -> Narrow:
    def narrow(masks: Masks) -> bool:
        before = [masks[cell] for cell in cells]
        union = [0] * len(cells)
        alive = False
        for case in cases:
            if all(part.narrow(masks) and all(masks[cell] for cell in part.cells) for part in case):
                alive = True
                union = [mask | masks[cell] for mask, cell in zip(union, cells, strict=True)]
            for cell, mask in zip(cells, before, strict=True):
                masks[cell] = mask
            if union == before:
                return True
        for cell, mask in zip(cells, union, strict=True):
            masks[cell] = mask
        return alive

    return narrow
