"""Puzzle → CNF, in any of the encodings; puzzle and objective → weighted CNF. Clause sets: I. Lynce and J. Ouaknine,
"Sudoku as a SAT problem", AIMath 2006 (minimal and extended); G. Kwon and H. Jain, "Optimized CNF encoding for Sudoku
puzzles", LPAR 2006 (efficient)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ringdoku.deduction.propagation import Candidates, propagate, undecided
from ringdoku.domain import AllDifferent, House, Puzzle, Ruleset, Sense, UsageError, gains_of, grouped
from ringdoku.limits import NEVER, Deadline, without_collection
from ringdoku.sat.at_most_one import AT_MOST_ONE, AtMostOne, pairwise
from ringdoku.sat.clauses import RuleClauses
from ringdoku.sat.digits import DIGITS, DigitLiterals, literals_of, triads
from ringdoku.sat.formula import Cnf, FormulaBuilder, Literals, VarPool, Wcnf, by_size
from ringdoku.sat.options import TEXTBOOK, ClauseSet, EncodingOptions
from ringdoku.sat.rules import encode as encode_rules
from ringdoku.sat.rules import encode_combined_sums, encode_innies

MAX_ENTRIES = 2**22
"""The most literals or clauses that are encoded at a time, so that each portion needs little memory and time."""

MOST_PAIRS = 500_000
"""Up to this estimated number of clauses, pairwise saves more time in search than it takes to load."""


@dataclass(frozen=True)
class PuzzleCnf:
    """A formula whose satisfying assignments are a puzzle's solutions, and the map back to grids."""

    cnf: Cnf
    digits: DigitLiterals


def lower_to_cnf(puzzle: Puzzle, options: EncodingOptions | None = TEXTBOOK, deadline: Deadline = NEVER) -> PuzzleCnf:
    """The formula of a puzzle: clauses for cells, rules, and triads if asked for, then a unit clause for each clue
    unless presolved. With presolve, only the candidates that propagation leaves have variables. If propagation finds a
    contradiction, so does the formula, with one variable: some programs refuse a formula without any. Raises
    `TimeLimitError` at the deadline.

    Without options, the formula is presolved, in the encoding that is fastest for its size: pairwise while it is small,
    bimander above (36×36 with 42 % clues: 0.5 and 8 s; blank 25×25: 0.5 and 0.2 s; `benchmarks/large_grids.py
    --encodings`). Minimal and efficient clause sets time out where extended takes under a second; triads, order and log
    cost more than they save."""
    board, builder = puzzle.board, FormulaBuilder(deadline)
    candidates: Candidates | None = np.ones((board.cell_count, board.order), dtype=bool)
    if options is None or options.presolve:
        candidates = propagate(puzzle, deadline=deadline)
    if candidates is None:
        none = np.zeros((board.cell_count, board.order), dtype=np.int32)
        return PuzzleCnf(Cnf.of(1, ([1], [-1])), DigitLiterals(board, none))
    if options is None:
        at_most_one = at_most_one_for(candidates, MOST_PAIRS)
        options = EncodingOptions(at_most_one=at_most_one, innies=bool(puzzle.ruleset.rest), presolve=True)
    digits = encode_candidates(puzzle, candidates, options, builder)
    if not options.presolve:
        clues = np.array(puzzle.clues.digits, dtype=np.int64)
        given = np.flatnonzero(clues != board.blank)
        builder.add(digits.literals[given, clues[given] - board.least].reshape(-1, 1))
    return PuzzleCnf(builder.formula(), digits)


def at_most_one_for(candidates: Candidates, most: int) -> str:
    """The at-most-one encoding for the candidates: pairwise up to `most` clauses at the average size, or bimander."""
    counts = np.count_nonzero(candidates, axis=1)
    open_counts = counts[counts > 1]
    # a candidate conflicts with four times `mean − 1` others: in its cell, row, column and box; each pair counts twice
    pairs = int(2 * open_counts.sum() * (open_counts.mean() - 1)) if len(open_counts) else 0
    return "pairwise" if pairs <= most else "bimander"


@without_collection()
def encode_candidates(
    puzzle: Puzzle,
    candidates: Candidates,
    options: EncodingOptions,
    builder: FormulaBuilder,
    representatives: NDArray[np.int64] | None = None,
) -> DigitLiterals:
    """Add the clauses for cells, rules and triads to `builder`, and return the literals of the candidates. These are
    all candidates, or those that propagation left, so that rules about decided cells need no clauses. `representatives`
    (cells,) has for each cell the one whose digit it must repeat, itself if free. The formula then has only the
    solutions with that symmetry, which the candidates must have too."""
    ruleset, board = puzzle.ruleset, puzzle.board
    if options.clause_set is ClauseSet.MINIMAL and not all(ruleset.units_of):
        suited = "rules in which every cell is in a unit, such as a row of as many cells as there are digits"
        raise UsageError(f"the minimal clause set is for {suited}, not for {ruleset}")
    # each candidate is in at least one clause; checked first, as the literals alone could fill the memory
    builder.require_room_for(int(np.count_nonzero(candidates)))
    encoding = DIGITS[options.digits]
    own = np.arange(board.cell_count)
    cells = own if representatives is None else representatives
    digits = DigitLiterals(board, literals_of(candidates & (cells == own)[:, None], encoding, builder)[cells])
    extended = options.clause_set is ClauseSet.EXTENDED
    sets = _SetEncoder(AT_MOST_ONE[options.at_most_one], builder, representatives is not None, extended)
    # a minimal formula has no "at most one" for cells: with houses alone it follows, or any of the digits is right
    is_needed = bool(ruleset.rest) or options.clause_set is not ClauseSet.MINIMAL
    sets.encode(digits.literals, at_least=True, at_most=is_needed and not encoding.exclusive)
    # propagation left the digit of a decided cell in no other cell of its houses
    is_open = np.count_nonzero(digits.literals, axis=1, keepdims=True) > 1
    sets.encode_houses(ruleset, np.where(is_open, digits.literals, 0))
    if rules := ruleset.rest if candidates.all() else undecided(ruleset, candidates):
        clauses = RuleClauses(digits.literals.tolist(), board.least, ruleset.peers, builder, builder.deadline)
        encode_rules(rules, clauses)
        if options.innies:
            units = [unit.cells for unit in ruleset.units]
            encode_innies(rules, units, clauses)
            encode_combined_sums(rules, units, clauses)
        builder.add_lists(clauses.lists())
    if options.triads:
        for of_triads in triads(ruleset, digits.literals, builder):
            sets.encode(of_triads, at_least=extended, at_most=True)
    return digits


def added_clauses(
    puzzle: Puzzle, common: Ruleset, literals: Literals, pool: VarPool, deadline: Deadline
) -> list[list[int]]:
    """The clauses that a puzzle adds to a formula of the `common` part of its rules, which has all `literals` (cells,
    digits): clues, what propagation finds, and the other rules. Raises `TimeLimitError` at the deadline."""
    candidates = propagate(puzzle, deadline=deadline)
    if candidates is None:
        return [[]]
    ruleset, common_houses = puzzle.ruleset, {house.cells for house in common.houses}
    decided = np.count_nonzero(candidates, axis=1) == 1
    excluded = literals[~candidates & ~decided[:, None]]
    clauses = RuleClauses(np.where(candidates, literals, 0).tolist(), puzzle.board.least, ruleset.peers, pool, deadline)
    for literal in (*literals[candidates & decided[:, None]].tolist(), *(-excluded).tolist()):
        clauses.add([literal])
    # all is said already of common houses with as many cells as digits
    unsaid = (h.cells for h in ruleset.houses if h.cells not in common_houses or len(h.cells) < ruleset.order)
    houses = [cells for cells in unsaid if not decided[[*cells]].all()]
    encode_rules((AllDifferent(cells) for cells in houses if cells not in common_houses), clauses)
    for cells in houses:
        digits = np.flatnonzero(candidates[[*cells]].any(axis=0)) + puzzle.board.least
        for digit in digits.tolist() if len(digits) == len(cells) else ():
            clauses.add(clauses.literals_of_digit(digit, cells))
    encode_rules(undecided(ruleset, candidates), clauses)
    return clauses.lists()


@dataclass(frozen=True)
class _SetEncoder:
    """Adds the clauses for "at least one" and "at most one" of sets of literals. `distinct`: equal sets, in any order,
    are encoded once. `extended`: houses in which as many digits as cells are left have each at least once."""

    at_most_one: AtMostOne
    builder: FormulaBuilder
    distinct: bool
    extended: bool

    def encode(self, sets: Literals, at_least: bool, at_most: bool) -> None:
        """At least one or at most one literal is true, or both, in each row of `sets`, padded with 0."""
        for _, batch in by_size(np.unique(np.sort(sets, axis=1), axis=0) if self.distinct else sets):
            if at_least:
                self.builder.add(batch)
            if at_most:
                _, clauses = self.at_most_one.size(batch.shape[1])
                self.builder.require_room_for(len(batch) * clauses)
                for portion in _portions(batch, max(1, clauses)):
                    self.at_most_one.encode(portion, self.builder)

    def encode_houses(self, ruleset: Ruleset, literals: Literals) -> None:
        """Each digit at most once in every house; extended, at least once where as many digits as cells are left."""
        cells_by_size = grouped((len(house.cells), house.cells) for house in ruleset.houses)
        # a pair of cells that shares several houses is encoded once; the textbook's formula has such pairs twice
        by_pairs = self.at_most_one.encode is pairwise and not ruleset.classic_box
        if by_pairs:
            for portion in _portions(_peer_pairs(ruleset.houses), ruleset.order):
                first, second = literals[portion[:, 0]], literals[portion[:, 1]]
                both = (first != 0) & (second != 0)
                self.builder.add(-np.stack((first[both], second[both]), axis=1))
        for size, cells in cells_by_size.items():
            for portion in _portions(np.array(cells), size * ruleset.order):
                # (houses, cells, digits) → one set of `size` literals for each house and digit
                sets = literals[portion].swapaxes(1, 2)
                digits_left, cells_left = (np.count_nonzero(sets.any(axis=axis), axis=1) for axis in (2, 1))
                is_full = self.extended & (digits_left == cells_left)
                for at_least, part in ((True, sets[is_full]), (False, sets[~is_full])):
                    self.encode(part.reshape(-1, size), at_least, not by_pairs)


@lru_cache(maxsize=4)
def _peer_pairs(houses: tuple[House, ...]) -> Literals:
    """(m, 2): the pairs of cells that share a house."""
    pairs = {pair for house in houses for pair in combinations(sorted(house.cells), 2)}
    return np.array(sorted(pairs), dtype=np.int32).reshape(-1, 2)


def _portions(rows: Literals, entries: int) -> Iterator[Literals]:
    """The rows in portions with at most `MAX_ENTRIES` entries each, where a row has `entries`."""
    step = max(1, MAX_ENTRIES // entries)
    for start in range(0, len(rows), step):
        yield rows[start : start + step]


def lower_to_wcnf(
    puzzle: Puzzle,
    weights: Sequence[int],
    sense: Sense,
    options: EncodingOptions = TEXTBOOK,
    deadline: Deadline = NEVER,
) -> tuple[PuzzleCnf, Wcnf, int]:
    """The weighted formula of a puzzle: the clauses of `lower_to_cnf` are hard; the score of the weights, as an
    `Objective` has them, is soft. Returns both formulas, and sign·score if every cell had its best candidate, which
    would cost 0; an assignment has the score sign·(that − cost).

    For each k, a cell has a soft clause "the digit is the k-th best candidate or better", which costs the difference
    between the gains of the k-th and the next worse candidate. The violated clauses of a cell then cost the difference
    between the best candidate and the digit, with few different weights.
    """
    lowered = lower_to_cnf(puzzle, options, deadline)
    board, digits = puzzle.board, lowered.digits
    gains = np.array(gains_of(weights, board), dtype=np.int64) * sense.sign
    best, builder, costs = 0, FormulaBuilder(deadline), [np.zeros(0, dtype=np.int64)]
    for cells, literals in by_size(np.where(gains.any(axis=1, keepdims=True), digits.literals, 0)):
        worth = gains[cells][digits.literals[cells] != 0].reshape(literals.shape)
        # the best candidate comes first
        order = np.argsort(-worth, axis=1, kind="stable")
        literals, worth = np.take_along_axis(literals, order, axis=1), np.take_along_axis(worth, order, axis=1)
        best += sum(worth[:, 0].tolist())
        for k in range(1, literals.shape[1]):
            better = worth[:, k - 1] > worth[:, k]
            builder.add(literals[better, :k])
            costs.append((worth[:, k - 1] - worth[:, k])[better])
    return lowered, Wcnf(lowered.cnf, builder.formula().literals, np.concatenate(costs)), best
