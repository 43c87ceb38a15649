"""Every combination of encodings: as many solutions as there are, exact sizes, and decode undoes encode."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pysat.solvers import Solver  # noqa: TID253 - the tests have it

from ringdoku import Grid, Puzzle, UsageError, check, solutions
from ringdoku.domain.board import Board
from ringdoku.domain.ruleset import classic
from ringdoku.lowering.cnf import PuzzleCnf, lower_to_cnf
from ringdoku.sat import ClauseSink, VarPool
from ringdoku.sat.at_most_one import AT_MOST_ONE
from ringdoku.sat.digits import DIGITS, DigitLiterals
from ringdoku.sat.options import TEXTBOOK, ClauseSet, EncodingOptions, formula_size

COMBINATIONS = [EncodingOptions(*choice) for choice in product(ClauseSet, DIGITS, AT_MOST_ONE, (False, True))]
# each digit encoding with each clause set, and every other choice once
SOME = [
    *(EncodingOptions(clauses, digits) for clauses, digits in product(ClauseSet, DIGITS)),
    *(EncodingOptions(digits=digits, triads=True) for digits in DIGITS),
    *(EncodingOptions(at_most_one=name) for name in AT_MOST_ONE),
]


def name_of(options: EncodingOptions) -> str:
    return f"{options.clause_set.value}-{options.digits}-{options.at_most_one}{'-triads' * options.triads}"


def all_grids(formula: PuzzleCnf, clues: Grid | None = None) -> Iterator[Grid]:
    """Every grid that a satisfying assignment decodes to, once; `clues` are assumed on top."""
    literals = formula.digits.literals
    given_digits = [int(literals[cell, digit - 1]) for cell, digit in enumerate(clues.digits) if digit] if clues else []
    with Solver(name="minisat22", bootstrap_with=formula.cnf.clauses()) as solver:
        while solver.solve(assumptions=given_digits):
            grid = formula.decode(solver.get_model())
            yield grid
            another = [-int(literals[cell, digit - 1]) for cell, digit in enumerate(grid.digits)]
            solver.add_clause([lit for lit in another if lit])


@pytest.mark.parametrize("options", COMBINATIONS, ids=name_of)
def test_the_empty_4x4_has_288_solutions(options: EncodingOptions) -> None:
    puzzle = Puzzle.blank(4)
    # relabelling makes any first row 1234, which leaves a 24th of them; all of them for a few
    clues = None if options in SOME else Grid((1, 2, 3, 4, *[0] * 12))
    grids = list(all_grids(lower_to_cnf(puzzle, options), clues))
    assert len(set(grids)) == len(grids) == (288 // 24 if clues else 288)
    assert not any(check(puzzle, grid) for grid in grids)


@pytest.mark.parametrize("options", SOME, ids=name_of)
def test_the_6x6_has_28200960_solutions(options: EncodingOptions) -> None:
    # Relabelling fixes the first box (6! ways), a swap of columns the rest of row 1 (3!), swaps of rows 3-4, 5-6
    # and of the two bands make column 1 ascend in each and from one to the other (2!³): 816 grids are left.
    formula = lower_to_cnf(Puzzle.blank(6, (2, 3)), options)
    counted = 0
    for last, band in ((3, (5, 6)), (5, (3, 6)), (6, (3, 5))):
        rows = [[1, 2, 3, 4, 5, 6], [4, 5, 6, 0, 0, 0], *([first, 0, 0, 0, 0, 0] for first in (2, last, *band))]
        counted += sum(1 for _ in all_grids(formula, Grid.of_rows(rows)))
    assert counted * 720 * 6 * 8 == 28_200_960


@given(seed=st.integers(0, 2**32), options=st.sampled_from(COMBINATIONS), presolve=st.booleans())
def test_the_same_solutions_as_search(seed: int, options: EncodingOptions, presolve: bool) -> None:
    puzzle = random_clues(seed)
    formula = lower_to_cnf(puzzle, EncodingOptions(**{**vars(options), "presolve": presolve}))
    assert set(all_grids(formula)) == set(solutions(puzzle, backend="search"))


@pytest.mark.parametrize("seed", range(3))
def test_the_same_solutions_as_cpsat(seed: int) -> None:
    puzzle = random_clues(seed)
    expected = set(solutions(puzzle, backend="cpsat"))
    for digits, at_most_one in product(DIGITS, ("pairwise", "product")):
        options = EncodingOptions(digits=digits, at_most_one=at_most_one, presolve=True)
        assert set(all_grids(lower_to_cnf(puzzle, options))) == expected


def random_clues(seed: int) -> Puzzle:
    """A 4×4, 6×6 or 9×9 puzzle that keeps enough clues of a solution to have few others, one clue maybe spoilt."""
    random = np.random.default_rng(seed)
    order, box, blanks = [(4, (2, 2), 12), (6, (3, 2), 18), (9, (3, 3), 45)][random.integers(3)]
    height, width = box
    line = np.arange(order)
    rows = (width * (line[:, None] % height) + line[:, None] // height + line) % order + 1
    digits = random.permutation(np.arange(1, order + 1))[rows - 1].reshape(-1)
    digits[random.choice(order * order, blanks, replace=False)] = 0
    if random.integers(4) == 0:
        digits[random.integers(order * order)] = random.integers(1, order + 1)
    return Puzzle(classic(order, box), Grid(tuple(digits.tolist())))


@pytest.mark.parametrize("options", COMBINATIONS, ids=name_of)
def test_formula_sizes_are_exact(options: EncodingOptions) -> None:
    for ruleset in (
        classic(1 * 1, (1, 1)),
        classic(1 * 2, (1, 2)),
        classic(2 * 1, (2, 1)),
        classic(2 * 3, (2, 3)),
        classic(3 * 3, (3, 3)),
    ):
        cnf = lower_to_cnf(Puzzle(ruleset, Grid.blank(ruleset.order)), options).cnf
        assert (cnf.num_vars, cnf.num_clauses) == formula_size(ruleset, options)


def test_formula_sizes_that_are_known() -> None:
    # minimal and extended as Lynce and Ouaknine give them
    assert formula_size(classic(3 * 3, (3, 3)), EncodingOptions(ClauseSet.MINIMAL)) == (729, 8829)
    assert formula_size(classic(3 * 3, (3, 3)), EncodingOptions(ClauseSet.EFFICIENT)) == (729, 11745)
    assert formula_size(classic(3 * 3, (3, 3)), TEXTBOOK) == (729, 11988)
    assert formula_size(classic(6 * 6, (6, 6)), TEXTBOOK) == (46656, 3271104)


def test_the_textbook_formula_is_numbered_by_row_column_and_digit() -> None:
    puzzle = Puzzle.of_rows([[0, 2, 0, 0], [0] * 4, [0] * 4, [0] * 4])
    formula = lower_to_cnf(puzzle)
    assert formula.digits.literals.reshape(-1).tolist() == list(range(1, 65))
    assert formula.cnf.literals[-2:].tolist() == [6, 0]


@pytest.mark.parametrize("digits", DIGITS)
@given(data=st.data())
def test_decode_undoes_encode(digits: str, data: st.DataObject) -> None:
    size = 3
    row = st.lists(st.booleans(), min_size=size, max_size=size).filter(any)
    candidates = np.array(data.draw(st.lists(row, min_size=size**2, max_size=size**2)))
    pool, sink = VarPool(), ClauseSink()
    known = np.zeros(size**2, dtype=np.int32)
    known[data.draw(st.lists(st.integers(0, size**2 - 1)))] = 2
    made = DigitLiterals.of_candidates(Board.square(size), candidates, known, DIGITS[digits], pool, sink)
    wanted = [
        int(known[cell]) or data.draw(st.sampled_from((np.flatnonzero(open_digits) + 1).tolist()))
        for cell, open_digits in enumerate(candidates)
    ]
    with Solver(name="minisat22", bootstrap_with=sink.formula(pool).clauses()) as solver:
        chosen = [int(made.literals[cell, digit - 1]) for cell, digit in enumerate(wanted)]
        others = [-lit for cell in range(size**2) for lit in made.literals[cell].tolist() if lit]
        assumptions = [lit for lit in chosen if lit] + [lit for lit in others if -lit not in chosen]
        assert solver.solve(assumptions=assumptions)
        assert made.decode(solver.get_model()) == Grid(tuple(wanted))


def test_unknown_names_are_refused() -> None:
    with pytest.raises(UsageError, match="no at-most-one encoding is called 'twowise'; there are: pairwise, ladder"):
        EncodingOptions(at_most_one="twowise")
    with pytest.raises(UsageError, match="no digit encoding is called 'unary'; there are: direct, order, log"):
        EncodingOptions(digits="unary")
