"""Smallest sets of truths that refute a candidate. Sets of candidates are integers with a bit for each. A *branch* is
the set of what is dead after some candidates were assumed; a set of truths refutes a candidate when every way to
satisfy them from its branch ends."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property, lru_cache, reduce
from itertools import combinations, product
from operator import and_, mul, or_

from ringdoku.domain import Linear, Ruleset
from ringdoku.explanations.checker import cage_of, difference
from ringdoku.explanations.graph import CandidateGraph, members
from ringdoku.explanations.inferences import HouseTruth, RuleTruth, Truth

MOST_TRUTHS = 6
"""Of a step that is no case split."""
MOST_CELLS = 3
"""Cells that house sums leave a sum for; more of them say little."""
MOST_NODES = 10_000
"""Sets that `chains` looks at for one size: only with many long chains there are more."""


class Search:
    """One state of the candidates, in which every truth has some left. `check` is called now and then, and may raise.
    Candidates of the set `possible` are in a solution, and not looked at. No set has more than `most` truths."""

    def __init__(
        self, graph: CandidateGraph, alive: int, check: Callable[[], None], possible: int = 0, most: int = MOST_TRUTHS
    ) -> None:
        self.graph, self.alive, self._check, self._most = graph, alive, check, most
        # truths with the same candidates are one, and a digit that excludes nothing any more is placed
        first: dict[int, int] = {}
        for truth, bits in enumerate(graph.bits):
            first.setdefault(bits & alive, truth)
        self.bits = {truth: left for left, truth in first.items() if left & (left - 1) or graph.common(left, alive)}
        self.candidates = reduce(or_, self.bits.values(), 0)
        self.conflicts = {candidate: graph.conflicts[candidate] & alive for candidate in members(self.candidates)}
        # the open truths that lose something when a candidate is true; and what may be dead after some truths
        self.touched, self.levels = cache(self._touched), cache(self._levels)
        self._nodes = 0
        self._wanted = list(members(self.candidates & ~possible))

    def kinds(self, size: int) -> Iterator[Iterator[tuple[int, ...]]]:
        """The sets of `size` truths that may refute something, kind by kind, easier kinds first; each set once."""
        self._nodes = 0
        yield _distinct(self.locked(size))
        yield _distinct(truths for candidate in self._wanted for truths in self.chains(candidate, size))

    def sums(self, size: int) -> Iterator[tuple[tuple[Truth, ...], int]]:
        """Innies and outies: a house and `size` - 1 cages, and what they refute; nothing for a contradiction."""
        graph, alive = self.graph, self.alive
        for truths, stated in (each for each in house_sums(graph.ruleset) if len(each[0]) == size):
            kept, cells = 0, [graph.cell_bits[cell] & alive for cell in stated.cells]
            for ways in product(*map(members, cells)):
                digits = (graph.candidate(index)[1] for index in ways)
                if sum(map(mul, stated.coefficients, digits)) == stated.total and not any(
                    graph.conflicts[one] >> other & 1 for one, other in combinations(ways, 2)
                ):
                    kept |= reduce(or_, (1 << index for index in ways))
            if gone := reduce(or_, cells) & ~kept:
                yield truths, gone if kept else 0

    def _touched(self, candidate: int) -> list[int]:
        lost = self.conflicts[candidate]
        return [truth for truth, bits in self.bits.items() if bits & lost and not bits >> candidate & 1]

    def refuted(self, truths: Sequence[int]) -> int:
        """All candidates that a set of truths refutes, everything for truths that contradict each other."""
        branches = [0]
        for bits in sorted((self.graph.bits[truth] & self.alive for truth in truths), key=int.bit_count):
            branches = [branch | self.conflicts[c] for branch in branches for c in members(bits & ~branch)]
        return reduce(and_, branches, self.alive)

    def locked(self, size: int) -> Iterator[tuple[int, ...]]:
        """Sets of `size` truths with all their candidates in as many links, such as three cells with three digits, or
        a digit's places in two rows and the same two columns; the links' other candidates are refuted."""
        for rows in (rows for rows in self._families if len(rows) > size):
            small = [(truth, links) for truth, links in rows if links.bit_count() <= size]
            for chosen in combinations(small, size):
                if reduce(or_, (links for _, links in chosen)).bit_count() == size:
                    truths = tuple(truth for truth, _ in chosen)
                    if self.refuted(truths) & self.candidates:
                        yield truths

    @cached_property
    def _families(self) -> list[list[tuple[int, int]]]:
        """Truths with several candidates that may be locked together, each with a bit for every link of these: the
        cells of a unit by digit, its digits by cell, and a digit in rows and columns by the lines that cross them."""
        graph, order, columns = self.graph, self.graph.order, self.graph.ruleset.board.columns
        units = graph.ruleset.units
        # the truths of a unit stand one after the other
        first = {unit: place * order for place, unit in enumerate(graph.units)}
        families: list[tuple[Iterable[int], Callable[[int], int]]] = []
        for unit in graph.units:
            families.append((map(graph.first_cell.__add__, units[unit].cells), lambda index: index % order))
            families.append((range(first[unit], first[unit] + order), lambda index: index // order))
        rows, lines = ([u for u in sorted(first) if units[u].name.startswith(kind)] for kind in ("row ", "column "))
        for digit in range(order):
            families.append(([first[row] + digit for row in rows], lambda index: index // order % columns))
            families.append(([first[line] + digit for line in lines], lambda index: index // order // columns))
        found = []
        for truths, link in families:
            links = ((one, {link(index) for index in members(graph.bits[one] & self.alive)}) for one in truths)
            found.append([(one, sum(1 << place for place in each)) for one, each in links if len(each) > 1])
        return found

    def _levels(self, candidate: int) -> tuple[list[int], int | None]:
        """What may be dead after 0, 1, … truths on each way in a candidate's branch; and a lower bound on the size of a
        chain that ends it, None where that is too large: the maximum heuristic of planning (B. Bonet and H. Geffner,
        Artificial Intelligence 129, 2001), by which most candidates are never searched."""
        self._check()
        dead = new = self.conflicts[candidate]
        found = [dead]
        for size in range(1, self._most + 1):
            for bits in self.bits.values():
                # a truth that lost nothing excludes nothing more: alone, it did so in an easier step
                if not bits & new:
                    continue
                left = bits & ~found[-1]
                if not left:
                    return found, size
                dead |= self.graph.common(left, self.alive & ~dead)
            new = dead & ~found[-1]
            if not new:
                break
            found.append(dead)
        return found, None

    def chains(self, candidate: int, size: int) -> Iterator[tuple[int, ...]]:
        """Chains of `size` truths that end a candidate's branch: one truth after the other leaves only candidates that
        exclude a common one, until a truth has none left. The search goes back from that truth."""
        dead, (levels, least) = self.conflicts[candidate], self.levels(candidate)
        if least is None or least > size:
            return
        levels = [*levels, *[levels[-1]] * (size - len(levels))]
        for last, bits in self.bits.items():
            if not bits & ~levels[size - 1]:
                yield from self._back(dead, levels, (last,), bits & ~dead, 0, size - 1)

    def _back(
        self, dead: int, levels: list[int], chosen: tuple[int, ...], goals: int, settled: int, spare: int
    ) -> Iterator[tuple[int, ...]]:
        """Goals are candidates that have to die, settled ones do if the other goals do."""
        self._check()
        self._nodes += 1
        if self._nodes > MOST_NODES:
            return
        closed = self._closure(dead, chosen)
        if closed is None:
            yield chosen
            return
        goals &= ~closed
        hardest = goals & ~settled
        if not hardest:
            return
        # the goal that is hardest to reach
        for level in levels:
            hardest = hardest & ~level or hardest
        hardest &= -hardest
        excluding = self.conflicts[hardest.bit_length() - 1]
        for truth in self.touched(hardest.bit_length() - 1):
            is_new = truth not in chosen
            left = self.bits[truth] & ~closed
            rest = left & ~excluding
            # a truth that was chosen is used once more where that helps
            if rest & ~levels[spare - is_new] or not (spare if is_new else rest != left):
                continue
            following = (*chosen, truth) if is_new else chosen
            yield from self._back(dead, levels, following, goals | rest, settled | hardest, spare - is_new)

    def _closure(self, dead: int, truths: Sequence[int]) -> int | None:
        """What is dead after these truths were used as often as they help; None when one has nothing left."""
        before = -1
        while dead != before:
            before = dead
            for truth in truths:
                left = self.bits[truth] & ~dead
                if not left:
                    return None
                dead |= self.graph.common(left, self.alive & ~dead)
        return dead


def _distinct(found: Iterable[tuple[int, ...]]) -> Iterator[tuple[int, ...]]:
    seen: set[tuple[int, ...]] = set()
    for truths in map(tuple, map(sorted, found)):
        if truths not in seen:
            seen.add(truths)
            yield truths


@lru_cache(maxsize=16)
def house_sums(ruleset: Ruleset) -> list[tuple[tuple[Truth, ...], Linear]]:
    """Innies and outies: the truths and what they state of 1 to `MOST_CELLS` cells, the fewest truths first."""
    cages = [(c, set(cage.cells)) for c in dict.fromkeys(ruleset.constraints) if (cage := cage_of(c, ruleset.board))]
    found: dict[tuple[Truth, ...], Linear] = {}
    for index, unit in enumerate(ruleset.units):
        house = set(unit.cells)
        for chosen in (
            [constraint for constraint, cage in cages if cage <= house],
            # and those with more cells inside than outside
            [constraint for constraint, cage in cages if 2 * len(cage & house) > len(cage)],
        ):
            truths: tuple[Truth, ...] = (HouseTruth(index), *map(RuleTruth, chosen))
            stated = difference(ruleset, truths)
            if stated is not None and 0 < len(stated.cells) <= MOST_CELLS:
                found.setdefault(truths, stated)
    return sorted(found.items(), key=lambda item: len(item[0]))
