"""The search for small sets of truths that refute a candidate. Sets of candidates are integers with a bit for each. A
*branch* is the set of candidates that are dead after some were assumed; a set of truths refutes a candidate if every
way to satisfy the truths in its branch ends in a contradiction."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property, lru_cache, reduce
from itertools import combinations, product
from operator import and_, mul, or_

from ringdoku.domain import Linear, Ruleset
from ringdoku.explanations.checker import cage_of, leftover_sum
from ringdoku.explanations.graph import CandidateGraph, members
from ringdoku.explanations.inferences import HouseTruth, RuleTruth, Truth

MOST_TRUTHS = 6
"""The most truths of a step that is no case split."""
MOST_CELLS = 3
"""The most cells for which a house and cages leave a sum; a sum of more cells excludes little."""
MOST_NODES = 10_000
"""The most sets of one size that `chains` looks at; there are more only if there are many long chains."""


class Search:
    """A search in one state of the candidates, in which every truth has some left. `check` is called now and then, and
    may raise. Candidates of the set `possible` are in a solution and not tried. No set has more than `most` truths."""

    def __init__(
        self, graph: CandidateGraph, alive: int, check: Callable[[], None], possible: int = 0, most: int = MOST_TRUTHS
    ) -> None:
        self.graph, self.alive, self._check, self._most = graph, alive, check, most
        # of truths with the same candidates only one counts, and none whose only candidate excludes nothing any more
        first: dict[int, int] = {}
        for truth, bits in enumerate(graph.bits):
            first.setdefault(bits & alive, truth)
        self.bits = {t: left for left, t in first.items() if left & (left - 1) or graph.excluded_by(left, alive)}
        self.candidates = reduce(or_, self.bits.values(), 0)
        self.conflicts = {candidate: graph.conflicts[candidate] & alive for candidate in members(self.candidates)}
        self.affected, self.levels = cache(self._affected), cache(self._levels)
        self._nodes = 0
        self._wanted = list(members(self.candidates & ~possible))

    def kinds(self, size: int) -> Iterator[Iterator[tuple[int, ...]]]:
        """Sets of `size` truths that may refute something, an iterator for each kind, the easiest first."""
        self._nodes = 0
        yield _distinct(self.locked(size))
        yield _distinct(truths for candidate in self._wanted for truths in self.chains(candidate, size))

    def sums(self, size: int) -> Iterator[tuple[tuple[Truth, ...], int]]:
        """Innies and outies: a house with `size` − 1 cages, and what they refute; 0 for a contradiction."""
        graph, alive = self.graph, self.alive
        for truths, leftover in (each for each in house_sums(graph.ruleset) if len(each[0]) == size):
            kept, cells = 0, [graph.cell_bits[cell] & alive for cell in leftover.cells]
            for ways in product(*map(members, cells)):
                digits = (graph.candidate(index)[1] for index in ways)
                if sum(map(mul, leftover.coefficients, digits)) == leftover.total and not any(
                    graph.conflicts[one] >> other & 1 for one, other in combinations(ways, 2)
                ):
                    kept |= reduce(or_, (1 << index for index in ways))
            if gone := reduce(or_, cells) & ~kept:
                yield truths, gone if kept else 0

    def _affected(self, candidate: int) -> list[int]:
        """The open truths that lose a candidate when this one is true."""
        lost = self.conflicts[candidate]
        return [truth for truth, bits in self.bits.items() if bits & lost and not bits >> candidate & 1]

    def refuted(self, truths: Sequence[int]) -> int:
        """All candidates that a set of truths refutes; all that are alive if the truths contradict each other."""
        branches = [0]
        for bits in sorted((self.graph.bits[truth] & self.alive for truth in truths), key=int.bit_count):
            branches = [branch | self.conflicts[c] for branch in branches for c in members(bits & ~branch)]
        return reduce(and_, branches, self.alive)

    def locked(self, size: int) -> Iterator[tuple[int, ...]]:
        """Sets of `size` truths whose candidates lie in as many links, such as three cells with three digits, or the
        places of a digit in two rows and the same two columns; they refute the links' other candidates."""
        for family in (family for family in self._families if len(family) > size):
            for chosen in combinations([(truth, links) for truth, links in family if links.bit_count() <= size], size):
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
        # the truths of a unit are consecutive
        first = {unit: place * order for place, unit in enumerate(graph.units)}
        families: list[tuple[Iterable[int], Callable[[int], int]]] = []
        for unit in graph.units:
            families.append((map(graph.first_cell_truth.__add__, units[unit].cells), lambda index: index % order))
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
        """Supersets of what chains of 0, 1, … truths kill in a candidate's branch; and a lower bound on the size of one
        that ends it, None if that is too large. This maximum heuristic of planning (B. Bonet and H. Geffner, Artificial
        Intelligence 129, 2001) avoids the search for most candidates."""
        self._check()
        dead = new = self.conflicts[candidate]
        found = [dead]
        for size in range(1, self._most + 1):
            for bits in self.bits.values():
                # a truth that has lost nothing excludes nothing new: what it excludes alone was an easier step
                if not bits & new:
                    continue
                left = bits & ~found[-1]
                if not left:
                    return found, size
                dead |= self.graph.excluded_by(left, self.alive & ~dead)
            new = dead & ~found[-1]
            if not new:
                break
            found.append(dead)
        return found, None

    def chains(self, candidate: int, size: int) -> Iterator[tuple[int, ...]]:
        """Chains of `size` truths that end a candidate's branch: in turn each truth has only candidates left that
        exclude a common one, and the last has none left. The search goes backwards from the last."""
        dead, (levels, least) = self.conflicts[candidate], self.levels(candidate)
        if least is None or least > size:
            return
        levels = [*levels, *[levels[-1]] * (size - len(levels))]
        for last, bits in self.bits.items():
            if not bits & ~levels[size - 1]:
                yield from self._extend(dead, levels, (last,), bits & ~dead, 0, size - 1)

    def _extend(
        self, dead: int, levels: list[int], chosen: tuple[int, ...], goals: int, settled: int, spare: int
    ) -> Iterator[tuple[int, ...]]:
        """Adds up to `spare` truths in front of a chain. The `goals` must become dead, so that the chosen truths have
        nothing left; those `settled` do if the other goals do. `levels[k]` has all that k truths can kill."""
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
        for truth in self.affected(hardest.bit_length() - 1):
            is_new = truth not in chosen
            left = self.bits[truth] & ~closed
            rest = left & ~excluding
            # a chosen truth may be used again if that helps
            is_useful = spare > 0 if is_new else rest != left
            if rest & ~levels[spare - is_new] or not is_useful:
                continue
            following = (*chosen, truth) if is_new else chosen
            yield from self._extend(dead, levels, following, goals | rest, settled | hardest, spare - is_new)

    def _closure(self, dead: int, truths: Sequence[int]) -> int | None:
        """What is dead once these truths are propagated to a fixpoint; None if one of them has nothing left."""
        before = -1
        while dead != before:
            before = dead
            for truth in truths:
                left = self.bits[truth] & ~dead
                if not left:
                    return None
                dead |= self.graph.excluded_by(left, self.alive & ~dead)
        return dead


def _distinct(found: Iterable[tuple[int, ...]]) -> Iterator[tuple[int, ...]]:
    seen: set[tuple[int, ...]] = set()
    for truths in map(tuple, map(sorted, found)):
        if truths not in seen:
            seen.add(truths)
            yield truths


@lru_cache(maxsize=16)
def house_sums(ruleset: Ruleset) -> list[tuple[tuple[Truth, ...], Linear]]:
    """Innies and outies: truths and the sum that they leave for 1 to `MOST_CELLS` cells, fewest truths first."""
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
            leftover = leftover_sum(ruleset, truths)
            if leftover is not None and 0 < len(leftover.cells) <= MOST_CELLS:
                found.setdefault(truths, leftover)
    return sorted(found.items(), key=lambda item: len(item[0]))
