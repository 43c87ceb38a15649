"""The truths and links of a ruleset as sets of candidates, which are integers with a bit for each candidate."""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, lru_cache, reduce
from itertools import product
from operator import or_

from ringdoku.deduction.propagation import Propagators
from ringdoku.domain import AllDifferent, Constraint, Grid, Puzzle, Relation, Ruleset
from ringdoku.domain.primitives import scope_of
from ringdoku.domain.ruleset import primitives_of
from ringdoku.explanations.inferences import (
    Candidate,
    Candidates,
    CellTruth,
    HouseTruth,
    Inference,
    RuleTruth,
    Truth,
    UnitTruth,
    ways_of,
)

LARGEST_ORDER = 25
"""The largest boards with explanations. These are for people, and nobody reads one of a larger board."""


class CandidateGraph:
    """The candidate of a cell and a digit is the bit cell · order + digit − least. `truths` has those of units, boxes
    before lines, digit by digit, then those of cells. `bits[t]` has the candidates that satisfy truth t, and
    `conflicts[c]` those that candidate c excludes. `rules` say more than links; those `impossible` cannot hold."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        board, self.order, self.least = ruleset.board, ruleset.order, ruleset.board.least
        self.cells = board.cell_count
        self.all = (1 << self.cells * self.order) - 1
        self.cell_bits = [((1 << self.order) - 1) << cell * self.order for cell in range(self.cells)]
        self._blank = (frozenset(board.digits),) * self.cells
        units = range(len(ruleset.units))
        self.units = sorted(units, key=lambda unit: ruleset.units[unit].name.startswith(("row ", "column ")))
        self.truths: list[CellTruth | UnitTruth] = [
            *(UnitTruth(unit, digit) for unit in self.units for digit in board.digits),
            *map(CellTruth, range(self.cells)),
        ]
        self.first_cell_truth = len(self.truths) - self.cells
        self.bits = list(map(self.bits_of, self.truths))
        peers = ruleset.peers
        # the candidates that each one excludes by units; and by all links
        self.unit_conflicts = [
            self.union((peer, digit) for peer in peers(cell)) | self.cell_bits[cell] & ~self.union([(cell, digit)])
            for cell in range(self.cells)
            for digit in board.digits
        ]
        self.conflicts = [*self.unit_conflicts]
        for relation in (rule for rule in ruleset.rest if isinstance(rule, Relation)):
            for one, other in set(product(board.digits, repeat=2)) - relation.pairs:
                a, b = self.index((relation.first, one)), self.index((relation.second, other))
                self.conflicts[a] |= 1 << b
                self.conflicts[b] |= 1 << a
        rules = [_Rule(ruleset, constraint) for constraint in dict.fromkeys(ruleset.constraints)]
        self.rules = [rule for rule in rules if rule.cells]
        # such as a rule that wants a 9 on a board with digits up to 4
        self.impossible = [rule.truth for rule in rules if not rule.cells and not rule.propagators.propagate([])]

    def bits_of(self, truth: Truth) -> int:
        """The candidates, dead or alive, that satisfy a truth; for a house or a rule all candidates of its cells."""
        match truth:
            case HouseTruth(unit):
                return reduce(or_, (self.cell_bits[cell] for cell in self.ruleset.units[unit].cells))
            case RuleTruth():
                return next((rule.bits for rule in self.rules if rule.truth == truth), 0)
            case _:
                return self.union(ways_of(truth, self.ruleset, self._blank))

    def premises(self, step: Inference) -> int:
        """The candidates whose absence a step may rely on: all that would satisfy its truths."""
        return reduce(or_, map(self.bits_of, step.truths))

    @cached_property
    def truths_of(self) -> list[list[int]]:
        """For each candidate the indices of the truths that it satisfies."""
        found: list[list[int]] = [[] for _ in self.conflicts]
        for truth, bits in enumerate(self.bits):
            for index in members(bits):
                found[index].append(truth)
        return found

    def index(self, candidate: Candidate) -> int:
        cell, digit = candidate
        return cell * self.order + digit - self.least

    def union(self, candidates: Iterable[Candidate]) -> int:
        return reduce(or_, (1 << self.index(candidate) for candidate in candidates), 0)

    def candidate(self, index: int) -> Candidate:
        cell, digit = divmod(index, self.order)
        return cell, digit + self.least

    def candidates_in(self, bits: int) -> tuple[Candidate, ...]:
        """The candidates of a set, cell by cell."""
        return tuple(map(self.candidate, members(bits)))

    def candidates(self, alive: int) -> Candidates:
        """A set of candidates as the digits that are left for each cell."""
        return tuple(
            frozenset(self.least + bit for bit in members((alive & bits) >> cell * self.order))
            for cell, bits in enumerate(self.cell_bits)
        )

    def alive(self, candidates: Candidates) -> int:
        return self.union((cell, digit) for cell, digits in enumerate(candidates) for digit in digits)

    def filled(self, grid: Grid) -> list[int]:
        """The candidates that are the digits of a grid."""
        return [self.index(each) for each in enumerate(grid.digits) if each[1] != grid.board.blank]

    def left_by_clues(self, puzzle: Puzzle) -> int:
        """The candidates that the clues leave, and rules which only restrict the digits of a cell. What other rules
        exclude in a cell, such as at the ends of a thermometer, takes a step."""
        alive = self.all
        for cell, digits in self.ruleset.allowed.items():
            alive &= ~self.cell_bits[cell] | self.union((cell, digit) for digit in digits)
        for index in self.filled(puzzle.clues):
            alive &= ~self.conflicts[index]
            if not alive >> index & 1:
                # two clues that exclude each other leave their cells without candidates
                alive &= ~self.cell_bits[index // self.order]
        return alive

    def ruled_out(self, grid: Grid, after: int) -> dict[RuleTruth, int]:
        """For each rule the candidates that it alone rules out, given the digits of a grid, and that `after` lacks."""
        alive = self.all
        for index in self.filled(grid):
            alive &= ~self.cell_bits[index // self.order] | 1 << index
        return {rule.truth: rule.excludes(alive) & ~after for rule in self.rules}

    def refuted_by(self, rule: "_Rule", alive: int, check: Callable[[], object]) -> int:
        """The candidates, also outside its cells, with any of which a rule cannot hold. `check` comes before each."""
        here = alive & rule.bits
        near = reduce(or_, map(self.conflicts.__getitem__, members(here)), here) & alive
        return sum(1 << c for c in members(near) if check() or rule.excludes(left := here & ~self.conflicts[c]) == left)

    def excluded_by(self, bits: int, alive: int) -> int:
        """The candidates of `alive` that every candidate in `bits` excludes."""
        found = alive
        while bits and found:
            low = bits & -bits
            found &= self.conflicts[low.bit_length() - 1]
            bits ^= low
        return found


class _Rule:
    """A named constraint that says more than links, and what it rules out."""

    def __init__(self, ruleset: Ruleset, constraint: Constraint) -> None:
        self.truth, self._order, self._all_digits = RuleTruth(constraint), ruleset.order, (1 << ruleset.order) - 1
        parts = [*primitives_of(constraint, ruleset.board)]
        self.cells = tuple(dict.fromkeys(cell for part in parts for cell in scope_of(part)))
        shared = (tuple({*unit.cells}.intersection(self.cells)) for unit in ruleset.units)
        parts += [AllDifferent(cells) for cells in shared if len(cells) > 1]
        self.propagators = Propagators(ruleset, parts)
        self.bits = reduce(or_, (self._all_digits << cell * self._order for cell in self.cells), 0)

    def excludes(self, alive: int) -> int:
        """The candidates that the rule rules out in its cells: all of them for a contradiction."""
        masks = [alive >> cell * self._order & self._all_digits for cell in range(max(self.cells) + 1)]
        left = 0
        if all(masks[cell] for cell in self.cells) and self.propagators.propagate(masks):
            left = reduce(or_, (masks[cell] << cell * self._order for cell in self.cells))
        return alive & self.bits & ~left


def members(bits: int) -> Iterator[int]:
    """The indices of the bits that are set, ascending."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


@lru_cache(maxsize=16)
def graph_of(ruleset: Ruleset) -> CandidateGraph:
    """The graph of a ruleset, made once and then cached."""
    return CandidateGraph(ruleset)
