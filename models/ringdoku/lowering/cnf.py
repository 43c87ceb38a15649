"""Puzzle → CNF in the direct encoding.

Clause sets: I. Lynce and J. Ouaknine, "Sudoku as a SAT problem", AIMath 2006 (minimal and extended);
G. Kwon and H. Jain, "Optimized CNF encoding for Sudoku puzzles", LPAR 2006 (efficient).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

import numpy as np

from ringdoku.cnf import ClauseSink, Cnf, VarPool
from ringdoku.cnf.formula import Literals
from ringdoku.domain.grid import Grid
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.rules import AllDifferent
from ringdoku.encodings.at_most_one import AT_MOST_ONE
from ringdoku.encodings.digits.direct import Direct


class ClauseSet(Enum):
    """How much of "each exactly once" is written down; every set has the same solutions."""

    MINIMAL = "minimal"
    """Each cell holds a digit; each unit has each digit at most once."""
    EFFICIENT = "efficient"
    """Minimal, and each cell holds at most one digit."""
    EXTENDED = "extended"
    """Efficient, and each unit has each digit at least once."""


@dataclass(frozen=True)
class PuzzleCnf:
    """A formula whose satisfying assignments are a puzzle's solutions, and the way back."""

    cnf: Cnf
    digits: Direct

    def decode(self, assignment: Iterable[int]) -> Grid:
        """The solution that a satisfying assignment (a list of literals) stands for."""
        return self.digits.decode(assignment)


def lower_to_cnf(
    puzzle: Puzzle, clause_set: ClauseSet = ClauseSet.EXTENDED, at_most_one: str = "pairwise"
) -> PuzzleCnf:
    """Clauses for cells, rules, then one unit clause a clue."""
    pool, sink = VarPool(), ClauseSink()
    digits = Direct.of_candidates(np.ones((puzzle.order**2, puzzle.order), dtype=bool), pool)
    encode_cells(digits.literals, clause_set, at_most_one, pool, sink)
    encode_all_different(puzzle, digits.literals, clause_set, at_most_one, pool, sink)
    clues = np.array(puzzle.clues.digits, dtype=np.int64)
    given = np.flatnonzero(clues)
    sink.add(digits.literals[given, clues[given] - 1].reshape(-1, 1))
    return PuzzleCnf(sink.formula(pool), digits)


def encode_cells(
    literals: Literals, clause_set: ClauseSet, at_most_one: str, pool: VarPool, sink: ClauseSink
) -> None:
    """`literals` (cells, digits): each cell holds at least one digit and, unless minimal, at most one."""
    sink.add(literals)
    if clause_set is not ClauseSet.MINIMAL:
        AT_MOST_ONE[at_most_one](literals, pool, sink)


def encode_all_different(
    puzzle: Puzzle, literals: Literals, clause_set: ClauseSet, at_most_one: str, pool: VarPool, sink: ClauseSink
) -> None:
    """Each digit at most once in every `AllDifferent`, and in an extended set at least once where it has n cells."""
    cells_by_size: defaultdict[int, list[tuple[int, ...]]] = defaultdict(list)
    for rule in puzzle.rules:
        match rule:
            case AllDifferent(cells):
                cells_by_size[len(cells)].append(cells)
    for size, cells_of_rules in cells_by_size.items():
        # (rules, cells, digits) → one set of `size` literals for each rule and digit
        sets = literals[np.array(cells_of_rules)].swapaxes(1, 2).reshape(-1, size)
        if clause_set is ClauseSet.EXTENDED and size == puzzle.order:
            sink.add(sets)
        AT_MOST_ONE[at_most_one](sets, pool, sink)
