"""Formulas and encodings: truth tables, exact sizes, all solutions, and files that PySAT reads back."""

import io
from dataclasses import replace
from itertools import islice, product
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from modelling import all_grids
from puzzles import GEOMETRIES, P1074, objectives, puzzle, random_puzzle, random_solution
from pysat.formula import CNF, WCNF  # noqa: TID253 - the tests have it
from pysat.solvers import Solver  # noqa: TID253 - the tests have it

from ringdoku import Grid, Objective, Puzzle, Ruleset, Sense, Session, UsageError, check, parse, ring_weights, solutions
from ringdoku.constraints.sums import Sum
from ringdoku.domain import DimensionError, classic
from ringdoku.duality.projection import projected
from ringdoku.limits import PORTION
from ringdoku.lowering.cnf import lower_to_cnf, lower_to_wcnf
from ringdoku.lowering.cpsat import lower_to_cpsat
from ringdoku.sat.at_most_one import AT_MOST_ONE
from ringdoku.sat.digits import DIGITS
from ringdoku.sat.formula import MAX_VAR, Cnf, FormulaBuilder, VarPool, Wcnf, write_dimacs, write_wcnf
from ringdoku.sat.options import PRESOLVED, TEXTBOOK, ClauseSet, EncodingOptions
from ringdoku.services.placing import PLACED, Placing
from ringdoku.solvers.lp_sat.question import within_budget

few = st.sampled_from([-3, -2, -1, 1, 2, 3])
many = st.integers(1, MAX_VAR).flatmap(lambda var: st.sampled_from([var, -var]))


def solver_of(builder: FormulaBuilder) -> Solver:
    return Solver(name="minisat22", bootstrap_with=builder.formula().clauses())


@given(st.lists(st.integers(0, 4).flatmap(lambda k: st.lists(st.lists(few, min_size=k, max_size=k), min_size=1))))
def test_every_clause_is_returned_once_shorter_ones_first(batches: list[list[list[int]]]) -> None:
    builder, one_by_one = FormulaBuilder(taken=3), FormulaBuilder(taken=3)
    for batch in batches:
        builder.add(batch)
    cnf, expected = builder.formula(), [clause for batch in batches for clause in batch]
    one_by_one.add_lists(expected)
    assert list(cnf.clauses()) == sorted(expected, key=len) == list(one_by_one.formula().clauses())
    assert cnf.num_clauses == len(expected)
    assert cnf.literals.tolist() == Cnf.of(3, expected).literals.tolist()


def written(formula: Cnf | Wcnf, *comments: str) -> str:
    stream = io.BytesIO()
    if isinstance(formula, Cnf):
        write_dimacs(formula, stream, comments)
    else:
        write_wcnf(formula, stream, comments)
    return stream.getvalue().decode()


def soft(hard: Cnf, clauses: list[list[int]], *weights: int) -> Wcnf:
    return Wcnf(hard, Cnf.of(0, clauses).literals, np.array(weights, dtype=np.int64))


def test_small_formulas_are_text_and_variables_handed_out_once_in_order() -> None:
    formula = Cnf.of(12, [[1, -2], [-1, 12], [3], []])
    assert written(formula, "a puzzle", "") == "c a puzzle\nc\np cnf 12 4\n1 -2 0\n-1 12 0\n3 0\n0\n"
    weighted = written(soft(formula, [[-1], [2, 3]], 5, 12), "a")
    assert weighted == "c a\nh 1 -2 0\nh -1 12 0\nh 3 0\nh 0\n5 -1 0\n12 2 3 0\n"
    pool = VarPool(5)
    assert pool.take(2, 3).tolist() == [[6, 7, 8], [9, 10, 11]]
    assert pool.take(0).tolist() == []
    pool = VarPool(MAX_VAR - 1)
    assert pool.take(1).tolist() == [MAX_VAR]
    with pytest.raises(DimensionError, match="more than 2147483646 variables"):
        pool.take(1)


@given(st.lists(st.lists(many, min_size=1)))
def test_reading_returns_what_was_written(clauses: list[list[int]]) -> None:
    cnf = Cnf.of(MAX_VAR, clauses)
    assert CNF(from_string=written(cnf)).clauses == clauses
    read = WCNF(from_string=written(soft(cnf, [[3]], 2**63 - 3)))
    assert (read.hard, read.soft, read.wght) == (clauses, [[3]], [2**63 - 3])


@pytest.mark.parametrize("clauses", [1, PORTION // 3, PORTION // 3 + 1])
def test_formulas_of_several_portions(clauses: int) -> None:
    cnf = Cnf.of(2, [[1, -2]] * clauses)
    assert written(cnf) == f"p cnf 2 {clauses}\n" + "1 -2 0\n" * clauses
    assert written(soft(cnf, [])) == "h 1 -2 0\n" * clauses
    assert list(cnf.clauses()) == [[1, -2]] * clauses


SIZES = {
    "pairwise": [(0, 0), (0, 0), (0, 1), (0, 3), (0, 6), (0, 10), (0, 36), (0, 45), (0, 300), (0, 4950)],
    "ladder": [(0, 0), (0, 0), (1, 2), (2, 5), (3, 8), (4, 11), (8, 23), (9, 26), (24, 71), (99, 296)],
    "bitwise": [(0, 0), (0, 0), (1, 2), (2, 6), (2, 8), (3, 15), (4, 36), (4, 40), (5, 125), (7, 700)],
    "commander": [(0, 0), (0, 0), (0, 1), (0, 3), (2, 10), (2, 12), (3, 24), (6, 33), (12, 82), (52, 350)],
    "product": [(0, 0), (0, 0), (0, 1), (0, 3), (0, 6), (5, 14), (6, 24), (7, 29), (20, 78), (34, 258)],
    "bimander": [(0, 0), (0, 0), (0, 1), (1, 4), (1, 6), (2, 12), (3, 31), (3, 35), (4, 112), (6, 650)],
}
"""New variables and clauses for a set of 0, 1, 2, 3, 4, 5, 9, 10, 25 and 100 literals, as the papers have them."""


@pytest.mark.parametrize("size", range(9))
@pytest.mark.parametrize("name", AT_MOST_ONE)
def test_at_most_one_by_the_truth_table(name: str, size: int) -> None:
    builder = FormulaBuilder()
    # literals of both signs: an encoding must not take them for variables
    literals = builder.take(1, size) * np.where(np.arange(size) % 3 == 1, -1, 1).astype(np.int32)
    AT_MOST_ONE[name].encode(literals, builder)
    row = literals[0].tolist()
    with solver_of(builder) as solver:
        for values in product((False, True), repeat=size):
            chosen = [lit if value else -lit for lit, value in zip(row, values, strict=True)]
            assert solver.solve(assumptions=chosen) == (sum(values) <= 1)
        for lit in row:
            _, implied = solver.propagate(assumptions=[lit])
            assert {-other for other in row if other != lit} <= set(implied)


@pytest.mark.parametrize("name", AT_MOST_ONE)
def test_at_most_one_has_the_size_of_its_paper_and_sets_share_no_new_variable(name: str) -> None:
    for size, (variables, clauses) in zip((0, 1, 2, 3, 4, 5, 9, 10, 25, 100), SIZES[name], strict=True):
        builder = FormulaBuilder()
        AT_MOST_ONE[name].encode(builder.take(3, size), builder)
        assert (variables, clauses) == AT_MOST_ONE[name].size(size)
        assert (builder.num_vars, builder.num_clauses) == (3 * (size + variables), 3 * clauses)
    builder = FormulaBuilder()
    sets = builder.take(4, 6)
    AT_MOST_ONE[name].encode(sets, builder)
    with solver_of(builder) as solver:
        for chosen in product(range(6), repeat=4):
            assert solver.solve(assumptions=[int(sets[row, column]) for row, column in enumerate(chosen)])


BUDGETS = {
    "no group": [],
    "one group": [(0, 2, 5)],
    "all free": [(0, 0), (0,)],
    "pairs": [(0, 1), (2, 3)],
    "equal totals": [(0, 1, 2), (1, 0), (2, 1)],
    "no free choice": [(3, 1), (2, 4), (1,)],
    "gaps": [(0, 7), (0, 11), (0, 13), (1, 2)],
    "five groups": [(0, 1), (0, 2), (0, 4), (0, 8), (3, 0)],
    "drawn": [tuple(Random(f"budget {group}").choices(range(7), k=3)) for group in range(4)],
}


@pytest.mark.parametrize("costs", BUDGETS.values(), ids=BUDGETS)
def test_exactly_the_choices_within_a_budget_satisfy_it(costs: list[tuple[int, ...]]) -> None:
    for budget in range(sum(map(max, costs)) + 2):
        builder = FormulaBuilder()
        signs = (1 if number % 2 else -1 for number in range(99))
        groups = [[(next(signs) * builder.reserve(1)[0], cost) for cost in group] for group in costs]
        root = within_budget(groups, budget, builder)
        assert list(root) == sorted(root)
        assert all(0 < total <= budget for total in root)
        choices = []
        for chosen in product(*groups):
            picked = {lit for lit, _ in chosen}
            literals = [lit if lit in picked else -lit for group in groups for lit, _ in group]
            choices.append((literals, sum(cost for _, cost in chosen)))
        with solver_of(builder) as solver:
            # tightened step by step, as a target rises
            for tighter in range(budget, -1, -1):
                solver.append_formula([[-variable] for total, variable in root.items() if total > tighter])
                for literals, total in choices:
                    assert solver.solve(assumptions=literals) == (total <= tighter)


COMBINATIONS = [EncodingOptions(*choice) for choice in product(ClauseSet, DIGITS, AT_MOST_ONE, (False, True))]
# each digit encoding with each clause set, and every other choice once
SOME = [
    *(EncodingOptions(clauses, digits) for clauses, digits in product(ClauseSet, DIGITS)),
    *(EncodingOptions(digits=digits, triads=True) for digits in DIGITS),
    *(EncodingOptions(at_most_one=name) for name in AT_MOST_ONE),
]


def name_of(options: EncodingOptions) -> str:
    return f"{options.clause_set.value}-{options.digits}-{options.at_most_one}{'-triads' * options.triads}"


@pytest.mark.parametrize("options", COMBINATIONS, ids=name_of)
def test_the_empty_4x4_has_288_solutions(options: EncodingOptions) -> None:
    puzzle = Puzzle.blank(4)
    # relabelling makes any first row 1234, which leaves a 24th of them; all of them for a few
    clues = None if options in SOME else Grid((1, 2, 3, 4, *[0] * 12))
    grids = list(all_grids(lower_to_cnf(puzzle, options), clues))
    assert len(set(grids)) == len(grids) == (288 // 24 if clues else 288)
    assert not any(check(puzzle, grid) for grid in grids)


@given(
    seed=st.integers(0, 2**32),
    ruleset=st.sampled_from(GEOMETRIES),
    wrong=st.booleans(),
    options=st.sampled_from(COMBINATIONS),
    presolve=st.booleans(),
)
def test_search_agrees(seed: int, ruleset: Ruleset, wrong: bool, options: EncodingOptions, presolve: bool) -> None:
    # few enough clues for several solutions
    puzzle = random_puzzle(ruleset, {4: 4, 6: 14, 9: 32}[ruleset.order], seed, wrong)
    formula = lower_to_cnf(puzzle, replace(options, presolve=presolve))
    assert set(all_grids(formula)) == set(solutions(puzzle, backend="search"))


@pytest.mark.parametrize(
    ("options", "sizes"),
    [
        # minimal and extended as Lynce and Ouaknine give them
        (EncodingOptions(ClauseSet.MINIMAL), [(8, 16), (216, 1656), (729, 8829)]),
        (EncodingOptions(ClauseSet.EFFICIENT), [(8, 20), (216, 2196), (729, 11745)]),
        (TEXTBOOK, [(8, 32), (216, 2304), (729, 11988)]),
        (EncodingOptions(digits="order"), [(4, 28), (324, 2340), (1215, 11340)]),
        (EncodingOptions(digits="log"), [(4, 28), (324, 2628), (1053, 12717)]),
        (EncodingOptions(triads=True), [(12, 68), (396, 3348), (1215, 15228)]),
    ],
)
def test_formulas_have_the_sizes_of_their_papers(options: EncodingOptions, sizes: list[tuple[int, int]]) -> None:
    for box, size in zip(((1, 2), (2, 3), (3, 3)), sizes, strict=True):
        cnf = lower_to_cnf(Puzzle.blank(box[0] * box[1], box), options).cnf
        assert (cnf.num_vars, cnf.num_clauses) == size


def test_the_textbook_formula_is_numbered_in_order_and_unknown_encodings_are_refused() -> None:
    with pytest.raises(UsageError, match="no at-most-one encoding is called 'twowise'; there are: pairwise, ladder"):
        EncodingOptions(at_most_one="twowise")
    with pytest.raises(UsageError, match="no digit encoding is called 'unary'; there are: direct, order, log"):
        EncodingOptions(digits="unary")
    formula = lower_to_cnf(Puzzle.of_rows([[0, 2, 0, 0], [0] * 4, [0] * 4, [0] * 4]))
    assert formula.digits.literals.reshape(-1).tolist() == list(range(1, 65))
    assert formula.cnf.literals[-2:].tolist() == [6, 0]


@pytest.mark.parametrize("ruleset", [*GEOMETRIES, classic(16), classic(1)], ids=str)
def test_a_projection_has_the_scores_of_the_objective(ruleset: Ruleset) -> None:
    puzzle, found = Puzzle(ruleset, Grid.blank(ruleset.order)), [random_solution(ruleset, seed) for seed in range(5)]
    for objective in objectives(ruleset, seed=7):
        projection = projected(puzzle, objective)
        inner = Objective(projection.coefficients)
        assert [projection.score(inner.score(grid)) for grid in found] == list(map(objective.score, found))
        assert projection.step * sum(map(abs, inner.weights)) <= sum(map(abs, objective.weights))


def test_the_ring_weights_become_17_cells_and_the_model_is_the_textbooks() -> None:
    blank = Puzzle.blank(9)
    projection = projected(blank, ring_weights(blank.board))
    used = [abs(coefficient) for coefficient in projection.coefficients if coefficient]
    assert (len(used), sum(used), projection.constant, projection.step) == (17, 21, 2745, 1)
    sample = puzzle(next(iter(P1074)))
    objective = next(objectives(sample.ruleset, seed=1))
    model = lower_to_cpsat(sample, objective.weights, objective.sense).model.proto
    domains = [list(variable.domain) for variable in model.variables]
    assert domains == [[clue or 1, clue or 9] for clue in sample.clues.digits]
    assert [variable.name for variable in model.variables][:2] == ["r1c1", "r1c2"]
    assert all(constraint.has_all_diff() for constraint in model.constraints)
    assert len(model.constraints) == 27
    assert sorted(map(abs, model.objective.coeffs)) == sorted(map(abs, objective.weights))


@pytest.mark.parametrize("options", [TEXTBOOK, PRESOLVED, EncodingOptions(digits="order")])
@pytest.mark.parametrize("sense", Sense)
def test_what_an_assignment_costs_is_what_its_score_lacks(options: EncodingOptions, sense: Sense) -> None:
    random = Random(3)
    for ruleset in GEOMETRIES:
        weights = [random.randint(-9, 9) for _ in range(ruleset.board.cell_count)]
        each = random_puzzle(ruleset, ruleset.board.cell_count // 3, seed=3)
        lowered, wcnf, best = lower_to_wcnf(each, weights, sense, options)
        literals = lowered.digits.literals
        for solution in islice(Session("search").solutions(each), 20):
            true = {int(literals[cell, digit - 1]) for cell, digit in enumerate(solution.digits)}
            cost = sum(weight for clause, weight in wcnf.soft_clauses() if true.isdisjoint(clause))
            assert sense.sign * (best - cost) == Objective(tuple(weights)).score(solution)


def test_a_cell_with_weight_has_a_soft_clause_for_each_worse_digit() -> None:
    _, wcnf, best = lower_to_wcnf(Puzzle.blank(4), [3, *[0] * 14, -2], Sense.MAXIMISE)
    high, low = [([4], 3), ([4, 3], 3), ([4, 3, 2], 3)], [([61], 2), ([61, 62], 2), ([61, 62, 63], 2)]
    assert sorted(wcnf.soft_clauses()) == [*high, *low]
    assert best == 3 * 4 - 2 * 1
    ruleset = classic(9)
    solution = random_solution(ruleset, seed=2)
    weights = ring_weights(ruleset.board)
    _, wcnf, best = lower_to_wcnf(Puzzle(ruleset, solution), weights.weights, weights.sense, PRESOLVED)
    assert (len(wcnf.weights), weights.sense.sign * best) == (0, weights.score(solution))


WITH_INNIES = EncodingOptions(innies=True)


def killer(seed: int, order: int = 6, box: tuple[int, int] = (2, 3)) -> Puzzle:
    """A blank board of random cages with the sums of one solution."""
    random, blank = Random(seed), Puzzle.blank(order, box)
    solution = random_solution(blank.ruleset, seed)
    return Puzzle(blank.ruleset.extended(*PLACED["killer"](Placing(solution, random, 0))), blank.clues)


def little_killer(seed: int) -> Puzzle:
    ruleset, starts = classic(6, (2, 3)), ((0, 36, 7), (1, 30, 7), (2, 24, 7), (6, 35, 7), (5, 31, 5), (4, 25, 5))
    solution = random_solution(ruleset, seed)
    sums = (Sum(sum(solution.at(range(*each))), tuple(range(*each))) for each in starts)
    return Puzzle(ruleset.extended(*sums), solution.only(range(0, 36, 4)))


@pytest.mark.parametrize("puzzle", [*map(killer, range(6)), *map(little_killer, (9, 16, 28, 37))])
def test_the_solutions_stay_the_same_with_innies(puzzle: Puzzle) -> None:
    without, with_innies = lower_to_cnf(puzzle), lower_to_cnf(puzzle, WITH_INNIES)
    assert with_innies.cnf.num_clauses > without.cnf.num_clauses
    expected = set(Session().solutions(puzzle))
    for formula in (with_innies, lower_to_cnf(puzzle, None)):
        assert set(all_grids(formula)) == expected


def test_a_digit_that_two_cages_lack_is_in_the_third() -> None:
    # rows 1 and 2 hold every digit twice: in three cages, each at most once, and in r2c6
    cages = "killer 14: r1c1 r1c2 r2c1 r2c2\nkiller 14: r1c3 r1c4 r2c3 r2c4\nkiller 13: r1c5 r1c6 r2c5\n"
    puzzle = parse(cages + "......\n" * 6, box=(2, 3))
    for options, follows in ((EncodingOptions(), False), (WITH_INNIES, True)):
        formula = lower_to_cnf(puzzle, options)
        ones = formula.digits.literals[:, 0].tolist()
        with Solver("glucose4", bootstrap_with=formula.cnf.clauses()) as solver:
            holds, implied = solver.propagate([-ones[cell] for cell in (0, 1, 6, 7, 4, 5, 10)])
        assert holds
        assert (ones[11] in implied) is follows
