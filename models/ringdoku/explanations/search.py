"""Smallest sets of truths that refute a candidate.

Sets of candidates are integers with a bit for each. A *branch* is the set of what is dead after some candidates were
assumed; a set of truths refutes a candidate when every way to satisfy them from its branch ends.

- `locked`: k truths whose candidates all lie in k links, such as three cells with three digits, or a digit's places in
  two rows and the same two columns. The links' other candidates are refuted.
- `chains`: refutations of one candidate in which one truth after the other leaves only candidates that exclude a common
  one, until a truth has none left. The search goes back from that truth. Before it, `Levels` bounds the size from below
  (the maximum heuristic of planning: B. Bonet and H. Geffner, Artificial Intelligence 129, 2001), so that most
  candidates are never searched. All such sets of a given size are found.
- `branches`: a truth is satisfied in either of two ways, and the others are a chain in each of the two branches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import combinations

from ringdoku.explanations.graph import CandidateGraph, members
from ringdoku.explanations.house_sums import house_sums
from ringdoku.explanations.inferences import Truth, UnitTruth

MOST_TRUTHS = 6
"""Of a step that is no case split."""

LARGEST_LOCKED = 4
"""Truths of locked sets: of five in a unit of nine cells, the four others are one too."""

LARGEST_BRANCHES = 4
"""Truths of a step in which one is satisfied in two ways; larger ones would take too long."""

MOST_NODES = 10_000
"""Sets that `chains` looks at for one size: only with many long chains there are more."""

MOST_WORLDS = 90
"""Candidates of one state for which `branches` is asked; of sets larger than three, a third of them."""


class Search:
    """One state of the candidates, in which every truth has some left.

    `check` is called now and then, and may raise. Candidates of the set `possible` are in a solution, and not looked
    at. No set has more than `most` truths.
    """

    def __init__(
        self, graph: CandidateGraph, alive: int, check: Callable[[], None], possible: int = 0, most: int = MOST_TRUTHS
    ) -> None:
        self.graph = graph
        self.alive = alive
        self._check = check
        self._most = most
        self.open: list[int] = []
        self.bits: dict[int, int] = {}
        # truths that refute something alone; steps of one truth normally come first, and then there are none
        self.refuting: set[int] = set()
        seen: set[int] = set()
        for truth, bits in enumerate(graph.bits):
            left = bits & alive
            # truths with the same candidates are one
            if left in seen:
                continue
            if graph.common(left) & alive:
                self.refuting.add(truth)
            elif not left & (left - 1):
                continue
            seen.add(left)
            self.open.append(truth)
            self.bits[truth] = left
        self.candidates = 0
        for left in self.bits.values():
            self.candidates |= left
        self.conflicts: dict[int, int] = {c: graph.conflicts[c] & alive for c in members(self.candidates)}
        self.touching = {c: [t for t in graph.touching[c] if t in self.bits] for c in self.conflicts}
        self._touched: dict[int, list[int]] = {}
        self._nodes = 0
        self._wanted = list(members(self.candidates & ~possible))

    @cached_property
    def _levels(self) -> dict[int, tuple[list[int], int | None]]:
        """Of each candidate that may be refuted."""
        return {candidate: self.levels(self.conflicts[candidate], self._most) for candidate in self._wanted}

    def kinds(self, size: int, branching: bool = True) -> Iterator[Iterator[tuple[int, ...]]]:
        """The sets of `size` truths that may refute something, kind by kind, easier kinds first; each set once."""
        self._nodes = 0
        if size <= LARGEST_LOCKED:
            yield _distinct(self.locked(size))
        yield _distinct(
            truths
            for candidate, (levels, least) in self._levels.items()
            if least is not None and least <= size
            for truths in self.chains(self.conflicts[candidate], size, levels)
        )
        if branching and 2 < size <= LARGEST_BRANCHES:
            most = MOST_WORLDS if size == 3 else MOST_WORLDS // 3
            yield _distinct(truths for candidate in self._wanted[:most] for truths in self.branches(candidate, size))

    def sums(self, size: int) -> Iterator[tuple[tuple[Truth, ...], int]]:
        """A house and `size` - 1 cages, and what they refute of few cells: innies and outies; nothing where they
        contradict each other."""
        for truths, stated in house_sums(self.graph.ruleset):
            if len(truths) != size:
                continue
            kept = every = 0
            for ways in self._ways_of(stated.cells, stated.coefficients, stated.greatest or 0, self.alive):
                kept |= ways
            for cell in stated.cells:
                every |= self.graph.cell_bits[cell]
            if gone := every & self.alive & ~kept:
                yield truths, gone if kept else 0

    def _ways_of(self, cells: Sequence[int], factors: Sequence[int], total: int, alive: int) -> Iterator[int]:
        """The sets of candidates, one a cell, that exclude no other and have the weighted sum."""
        graph = self.graph
        if not cells:
            if total == 0:
                yield 0
            return
        for index in members(graph.cell_bits[cells[0]] & alive):
            left = total - factors[0] * graph.candidate(index)[1]
            for rest in self._ways_of(cells[1:], factors[1:], left, alive & ~graph.conflicts[index]):
                yield rest | 1 << index

    def touched(self, candidate: int) -> list[int]:
        """The open truths that lose something when a candidate is true."""
        found = self._touched.get(candidate)
        if found is None:
            lost = self.conflicts[candidate]
            own = self.touching[candidate]
            found = [truth for truth in self.open if self.bits[truth] & lost and truth not in own]
            self._touched[candidate] = found
        return found

    def common(self, bits: int) -> int:
        """What every candidate of a set excludes."""
        found, conflicts = self.alive, self.conflicts
        while bits and found:
            low = bits & -bits
            found &= conflicts[low.bit_length() - 1]
            bits ^= low
        return found

    def refuted(self, truths: Sequence[int]) -> int:
        """All candidates that a set of truths refutes, everything for truths that contradict each other."""
        branches = [0]
        for bits in sorted((self.graph.bits[truth] & self.alive for truth in truths), key=int.bit_count):
            branches = [branch | self.conflicts[c] for branch in branches for c in members(bits & ~branch)]
            if not branches:
                return self.alive
        found = branches[0]
        for branch in branches:
            found &= branch
        return found

    def locked(self, size: int) -> Iterator[tuple[int, ...]]:
        """Sets of `size` truths with candidates in as many links, and other candidates in those."""
        graph, order = self.graph, self.graph.order
        units = graph.ruleset.units
        by_digit = {(t.unit, t.digit): index for index, t in enumerate(graph.truths) if isinstance(t, UnitTruth)}
        for unit in dict.fromkeys(t.unit for t in graph.truths if isinstance(t, UnitTruth)):
            cells = units[unit].cells
            naked, hidden = [], []
            for cell in cells:
                left = self.alive >> cell * order & (1 << order) - 1
                if left & (left - 1):
                    naked.append((graph.first_cell + cell, left))
            yield from self._covered(naked, size)
            for digit in graph.ruleset.board.digits:
                truth = by_digit[unit, digit]
                places = sum(1 << k for k, cell in enumerate(cells) if self.alive & graph.bit((cell, digit)))
                if places & (places - 1):
                    hidden.append((truth, places))
            yield from self._covered(hidden, size)
        for digit in graph.ruleset.board.digits:
            for bases, covers in self._lines():
                rows = []
                for unit in bases:
                    held = (cell for cell in units[unit].cells if self.alive & graph.bit((cell, digit)))
                    places = sum(1 << covers[cell] for cell in held)
                    if places & (places - 1):
                        rows.append((by_digit[unit, digit], places))
                yield from self._covered(rows, size)

    def _lines(self) -> Iterator[tuple[list[int], dict[int, int]]]:
        """The rows with the column of each cell, and the columns with the row, where they are units."""
        board, units = self.graph.ruleset.board, self.graph.ruleset.units
        cells = range(board.grid_count)
        rows = [index for index, unit in enumerate(units) if unit.name.startswith("row ")]
        columns = [index for index, unit in enumerate(units) if unit.name.startswith("column ")]
        yield rows, {cell: cell % board.columns for cell in cells}
        yield columns, {cell: cell // board.columns for cell in cells}

    def _covered(self, rows: Sequence[tuple[int, int]], size: int) -> Iterator[tuple[int, ...]]:
        """`size` of the (truth, set of links) whose union has `size` links."""
        small = [(truth, links) for truth, links in rows if links.bit_count() <= size]
        if len(rows) <= size:
            return
        for chosen in combinations(small, size):
            union = 0
            for _, links in chosen:
                union |= links
            if union.bit_count() == size:
                truths = tuple(truth for truth, _ in chosen)
                if self.refuted(truths) & self.candidates:
                    yield truths

    def levels(self, dead: int, depth: int) -> tuple[list[int], int | None]:
        """What may be dead after 0, 1, … truths on each way in a branch; and a lower bound on the size of a chain that
        ends it, None for more than `depth`."""
        self._check()
        found = [dead]
        before = {truth: bits for truth, bits in self.bits.items() if truth not in self.refuting}
        for size in range(1, depth + 1):
            new = dead
            for truth, bits in self.bits.items():
                left = bits & ~dead
                if left == before.get(truth):
                    continue
                if not left:
                    return found, size
                before[truth] = left
                new |= self.common(left)
            if new == dead:
                return found, None
            dead = new
            found.append(dead)
        return found, None

    def chains(self, dead: int, size: int, levels: list[int]) -> Iterator[tuple[int, ...]]:
        """Chains of `size` truths that end a branch, from its `levels`."""
        levels = [*levels, *[levels[-1]] * (size - len(levels))]
        for last in self.open:
            bits = self.bits[last]
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
        waiting = goals & ~settled
        if not waiting:
            return
        # the goal that is hardest to reach
        goal_bit = waiting
        for level in levels:
            harder = goal_bit & ~level
            if not harder:
                break
            goal_bit = harder
        goal_bit &= -goal_bit
        goal = goal_bit.bit_length() - 1
        excluding = self.conflicts[goal]
        settled |= goal_bit
        for truth in self.touched(goal):
            bits = self.bits[truth]
            if truth in chosen:
                rest = bits & ~excluding & ~closed
                if not rest & ~levels[spare] and rest != bits & ~closed:
                    yield from self._back(dead, levels, chosen, goals | rest, settled, spare)
            elif spare:
                rest = bits & ~excluding & ~closed
                if not rest & ~levels[spare - 1]:
                    yield from self._back(dead, levels, (*chosen, truth), goals | rest, settled, spare - 1)

    def _closure(self, dead: int, truths: Sequence[int]) -> int | None:
        """What is dead after these truths have been used one by one, as often as they help; None when one has
        nothing left."""
        waiting = list(truths)
        while waiting:
            before = dead
            for truth in waiting:
                left = self.bits[truth] & ~dead
                if not left:
                    return None
                if left != self.bits[truth] or truth in self.refuting:
                    dead |= self.common(left)
            if dead == before:
                return dead
        return dead

    def branches(self, candidate: int, size: int) -> Iterator[tuple[int, ...]]:
        """Sets of `size` truths that refute a candidate, of which one loses ways by it and has two left, and the others
        are a chain in either case."""
        dead = self.conflicts[candidate]
        for first in self.touched(candidate):
            ways = self.bits[first] & ~dead
            if ways.bit_count() != 2:
                continue
            self._check()
            one, other = (dead | self.conflicts[c] for c in members(ways))
            if self.levels(other, size - 1)[1] is None:
                continue
            levels, least = self.levels(one, size - 1)
            if least is None:
                continue
            for truths in self.chains(one, size - 1, levels):
                if first not in truths and self._closure(other, truths) is None:
                    yield (first, *truths)


def _distinct(found: Iterable[tuple[int, ...]]) -> Iterator[tuple[int, ...]]:
    """Each set once, in order."""
    seen: set[tuple[int, ...]] = set()
    for truths in found:
        ordered = tuple(sorted(truths))
        if ordered not in seen:
            seen.add(ordered)
            yield ordered
