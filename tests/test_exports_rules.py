"""Exported models of puzzles with any rules: in every format the solutions that the checker accepts, and no others."""

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from random import Random

import numpy as np
import pytest
from modelling import (
    HIGHS,
    OF_FORMATS,
    accepted,
    clasp_solutions,
    clingo_solutions,
    cnf_solutions,
    cover_solutions,
    cpsat_answers,
    cpsat_solutions,
    expected,
    exported,
    minizinc_solutions,
    smt2_accepts,
    xcsp3_accepts,
)

import ringdoku
from ringdoku import Grid, Objective, Puzzle, Result, Ruleset, Sense, Status, UsageError, ring_weights, solutions, solve
from ringdoku.constraints.registry import CONSTRAINTS, read_constraint, with_rules
from ringdoku.domain import Board, Constraint, Linear, Primitive, plain_rules, write_constraint
from ringdoku.domain.errors import InputError
from ringdoku.domain.primitives import scope_of
from ringdoku.exports import EXPORTS, can_state, decode
from ringdoku.exports.base import read_metadata
from ringdoku.sat.options import PRESOLVED, TEXTBOOK, ClauseSet, EncodingOptions

FOUR, SIX = Board.square(4), Board.square(6)
EXTRA = Board(2, 3, -1, 2, ("A", "b_2"))
"""Digits below zero, no square, extra cells."""
RULES = (
    "killer 2: r1c1 r1c2 A",
    "either: { odd: b_2; greater: r1c1 b_2 } { sum 0: b_2 r1c1 r2c2 }",
    "skyscraper 2: b_2 r1c3 r2c3",
    "language 1 0,-1,0 0,0,0 0,1,1 0,2,1 1,-1,0 1,2,1: r1c3 r2c3 r2c3 A",
    "contains 1: r1c1 r2c2 r1c3 A",
    "difference 1: r1c2 r2c2",
)
MIXED = Puzzle(
    Ruleset(EXTRA, tuple(read_constraint(text, EXTRA) for text in RULES)), Grid((-2, -2, 1, -2, -2, 2, 2, -2), EXTRA)
)

CORNERS = "r1c1-r1c9-r9c9-r9c1-r2c1"
LONG = Puzzle(with_rules(plain_rules(Board.square(9)), f"between: {CORNERS}", f"odd: {CORNERS}"), Grid.blank(9))
"""Rules that take several lines."""
BELOW = Puzzle(Ruleset(Board(1, 2, -3, -1), ()), Grid((-4, -2), Board(1, 2, -3, -1)))
"""A board whose text has two hyphens, as no comment of XML may."""

known = cache(expected)
LABELS, STEPS, JOINS = (" ".join(f"{name}{number}" for number in range(4)) for name in ("label", "steps", "join"))
REGIONS = Board(2, 2, 1, 3, tuple(f"{LABELS} {STEPS} {JOINS}".split()))
OF_EXTRA_CELLS = {
    "unknown-regions": f"unknown-regions 2: r1c1-r1c2 r2c1-r2c2 | {LABELS} | {STEPS} | {JOINS}",
    "connected-digits": f"connected-digits 1 2: r1c1-r1c2 r2c1-r2c2 | {STEPS} | {JOINS}",
}
"""Rules whose examples are too long to be whole, on a board that has the cells."""


def example(name: str) -> tuple[Board, Constraint]:
    """A constraint as its help shows it, on a board of order 4, or 6 where digits are cut into thirds."""
    if name in OF_EXTRA_CELLS:
        return REGIONS, read_constraint(OF_EXTRA_CELLS[name], REGIONS)
    board = SIX if name in ("entropic", "global-entropy") else FOUR
    return board, read_constraint(CONSTRAINTS[name].example, board)


def nearly_solved(ruleset: Ruleset, seed: str, free: int = 3) -> Puzzle:
    """A solution in which a few cells that the rules speak of are blank, so that every way to fill them is tried."""
    solution = solve(Puzzle(ruleset, Grid.blank(ruleset.board))).grid
    assert solution is not None
    spoken = {cell for house in ruleset.houses for cell in house.cells}
    spoken |= {cell for rule in ruleset.rest for cell in scope_of(rule)}
    blanked = Random(seed).sample(sorted(spoken), min(free, len(spoken)))
    digits = (ruleset.board.blank if cell in blanked else digit for cell, digit in enumerate(solution.digits))
    return Puzzle(ruleset, Grid(tuple(digits), ruleset.board))


def has_candidates_alone(model: bytes) -> bool:
    """Whether an `opb` model has no variables but those of candidates, so that a grid is one assignment."""
    literals = read_metadata(model, "model").literals
    return literals is not None and int(model.split()[2]) == np.count_nonzero(literals)


def assert_formats_have(grids: set[Grid], puzzle: Puzzle, *encodings: EncodingOptions) -> None:
    for encoding in encodings or (PRESOLVED,):
        assert cnf_solutions(exported(puzzle, "cnf", encoding=encoding)) == grids
    assert accepted(puzzle, smt2_accepts(exported(puzzle, "smt2"))) == grids
    assert accepted(puzzle, xcsp3_accepts(exported(puzzle, "xcsp3"))) == grids
    assert cpsat_solutions(exported(puzzle, "cpsat")) == grids
    if shutil.which("clingo"):
        assert clingo_solutions(exported(puzzle, "asp")) == grids


@pytest.mark.parametrize("name", CONSTRAINTS)
def test_every_format_has_the_solutions_of_a_constraint(name: str, tmp_path: Path) -> None:
    board, constraint = example(name)
    puzzle = nearly_solved(Ruleset(board, (constraint,)), name)
    grids = expected(puzzle)
    assert_formats_have(grids, puzzle)
    opb = exported(puzzle, "opb")
    if shutil.which("clasp") and has_candidates_alone(opb):
        assert clasp_solutions(opb, tmp_path) == grids


RETURNING = (
    "modular 3: r1c1 r1c2 r1c1",
    "modular 2: r1c1 r1c2 r1c3 r1c2",
    "entropic: r1c1 r1c2 r1c3 r1c2",
    "sum 7: r1c1 r1c2 r1c1",
    "weighted-sum 2 1 2 -1: r1c1 r1c2 r1c1",
    "arrow: r1c3 | r1c2 r1c1 r1c2",
    "equal-sums: r1c1 r1c2 | r1c2 r1c3",
    "palindrome: r1c2 r1c3 r1c2 r1c1 r1c2",
    "whisper 2: r1c1 r1c2 r1c1",
    "x-sum 5: r1c1 r1c2 r1c1",
    "contains 1 1: r1c1 r1c2 r1c1",
)
"""Rules whose terms meet: lines that return to a cell."""


@pytest.mark.parametrize("text", RETURNING)
def test_every_format_adds_up_terms_that_meet(text: str, tmp_path: Path) -> None:
    board = Board(1, 3, 1, 6)
    puzzle = Puzzle(Ruleset(board, (read_constraint(text, board),)), Grid.blank(board))
    grids = expected(puzzle)
    assert_formats_have(grids, puzzle, TEXTBOOK)
    places = re.findall(r"^ (x\w+ \w+) -?\d+$", exported(puzzle, "mps", encoding=TEXTBOOK).decode(), re.MULTILINE)
    assert len(set(places)) == len(places) > 0
    if find_spec("highspy"):
        every = [*product(objectives(board), ("lp", "mps"))]
        models = {
            f"{number}.{name}": exported(puzzle, name, objective, encoding=TEXTBOOK)
            for number, (objective, name) in enumerate(every)
        }
        scores = [best(puzzle, objective) for objective, _ in every]
        assert [result.score for result in highs(models, tmp_path)] == scores


def highs(models: dict[str, bytes], folder: Path) -> list[Result]:
    """What HiGHS answers to models; each has a name that ends with its format."""
    files = [folder / name for name in models]
    for file in files:
        file.write_bytes(models[file.name])
    subprocess.run([sys.executable, "-c", HIGHS, *files], check=True, timeout=60)
    return [decode(file.read_bytes(), Path(f"{file}.answer").read_bytes()).result for file in files]


@pytest.fixture(scope="module")
def groups() -> list[Puzzle]:
    """All constraints in few puzzles, each as many as go together, and puzzles without a solution."""
    found: list[list[Constraint]] = [[]]
    for name in CONSTRAINTS:
        board, constraint = example(name)
        if board is FOUR:
            more = [*found[-1], constraint]
            if len(more) > 8 or solve(Puzzle(Ruleset(board, tuple(more)), Grid.blank(board))).grid is None:
                more = [constraint]
                found.append(more)
            found[-1] = more
    thirds = tuple(constraint for board, constraint in map(example, CONSTRAINTS) if board is SIX)
    rulesets = [*(Ruleset(FOUR, tuple(group)) for group in found), Ruleset(SIX, thirds)]
    puzzles = [nearly_solved(ruleset, "groups") for ruleset in rulesets]
    impossible = ("sum 7: r1c1 r1c1", "weighted-sum 1 1 -1: r1c1 r1c1", "sandwich 99: r1c1-r1c4")
    return [*puzzles, *(Puzzle(Ruleset(FOUR, (read_constraint(text, FOUR),)), puzzles[0].clues) for text in impossible)]


@pytest.mark.skipif(not shutil.which("minizinc"), reason="the program minizinc is not installed")
def test_minizinc_finds_the_solutions(groups: list[Puzzle], tmp_path: Path) -> None:
    for puzzle in (*groups, MIXED):
        assert minizinc_solutions(exported(puzzle, "mzn"), tmp_path) == known(puzzle)


def test_every_format_has_the_solutions_of_other_boards_and_says_at_least_and_just() -> None:
    grids = expected(MIXED)
    assert len(grids) == 12
    others = EncodingOptions(ClauseSet.EFFICIENT, "order", "product"), EncodingOptions(digits="log")
    assert_formats_have(grids, MIXED, TEXTBOOK, *others)
    board = Board(1, 3)
    for name, wanted in (("contains", {2, 3}), ("contains-exactly", {2})):
        rule = read_constraint(f"{name} 1 1: r1c1-r1c3", board)
        every = (Grid(digits, board) for digits in product(board.digits, repeat=3))
        kept = {grid for grid in every if grid.digits.count(1) in wanted}
        assert_formats_have(kept, Puzzle(Ruleset(board, (rule,)), Grid.blank(board)))


@pytest.mark.parametrize("rule", ["", "diagonal", "extra-region: r1c1 r2c2 r4c3", "allowed 2 3: r1c3 r3c1", "no boxes"])
def test_an_exact_cover_has_the_solutions_of_houses(rule: str) -> None:
    puzzle = ringdoku.parse(f"{rule}\n1...\n..4.\n....\n....\n")
    for encoding in (PRESOLVED, TEXTBOOK):
        assert cover_solutions(exported(puzzle, "dlx", encoding=encoding)) == set(solutions(puzzle)) != set()
    assert cover_solutions(exported(CONTRADICTORY, "dlx")) == set()


def best(puzzle: Puzzle, objective: Objective) -> int | None:
    scores = [objective.score(grid) for grid in known(puzzle)]
    return (max if objective.sense is Sense.MAXIMISE else min)(scores) if scores else None


def objectives(board: Board) -> Iterator[Objective]:
    weights = Random("weights").choices(range(-9, 10), k=board.grid_count * board.order)
    yield from (Objective(tuple(weights[: board.grid_count]), sense) for sense in Sense)
    yield Objective(tuple(weights))


def test_highs_finds_the_best_scores(groups: list[Puzzle], tmp_path: Path) -> None:
    if not find_spec("highspy"):
        pytest.skip("the package highspy is not installed")
    models, scores = {}, []
    for number, puzzle in enumerate((*groups, MIXED)):
        for place, objective in enumerate(objectives(puzzle.board), number):
            name = ("lp", "mps")[place % 2]
            models[f"{number} {place}.{name}"] = exported(puzzle, name, objective, projected=bool(number % 2))
            scores.append(best(puzzle, objective))
    results = highs(models, tmp_path)
    assert [result.score for result in results] == scores
    assert {result.status for result in results} == {Status.OPTIMAL, Status.INFEASIBLE}


@pytest.mark.parametrize("program", OF_FORMATS)
def test_programs_find_best_scores(program: str, groups: list[Puzzle]) -> None:
    if not shutil.which(shlex.split(program)[0]):
        pytest.skip(f"the program {shlex.split(program)[0]} is not installed")
    asked = [(puzzle, objective) for puzzle in (*groups, MIXED) for objective in objectives(puzzle.board)]
    # starting some of them takes most of the time; a step of four takes each kind of objective in turn
    for puzzle, objective in asked[::4] if program.startswith(("clasp", "clingo")) else asked[3:6] + asked[-3:]:
        assert ringdoku.maximise(puzzle, objective, backend=f"cmd:{program}").score == best(puzzle, objective)


@pytest.mark.parametrize("name", EXPORTS)
def test_a_file_says_its_puzzle_and_objective(name: str, groups: list[Puzzle]) -> None:
    houses = (BLANK, ONE, SOLVED, CONTRADICTORY)
    for number, puzzle in enumerate(houses if EXPORTS[name].houses_alone else (*groups, LONG, MIXED, BELOW, *houses)):
        every = (None, *objectives(puzzle.board)) if EXPORTS[name].has_objective else (None,)
        for objective in every if puzzle in (LONG, MIXED) else [every[number % len(every)]]:
            data = exported(puzzle, name, objective, encoding=PRESOLVED)
            about = read_metadata(data, "model")
            found = about.format_name, about.puzzle, about.score and about.score.objective
            assert found == (name, puzzle, objective)
            assert data.isascii()
            assert data.endswith(b"\n")
            assert b"\r" not in data
            assert max(map(len, data.split(b"}\n")[0].splitlines())) <= 150
            # the names of integer programs are different and plain
            rows = re.findall(r"^ (\S+):$", data.decode(), re.MULTILINE) if name == "lp" else []
            assert len(set(rows)) == len(rows)
            assert all(re.fullmatch(r"[a-df-z][A-Za-z0-9_]*", row) for row in rows)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("2x3 digits", "2x2000 digits", "a side of a board has between 1 and 1024 cells, not 2000"),
        ("-1-2 extra", "2--1 extra", "a board has between 1 and 1024 digits, not -2"),
        ("extra A b_2", "extra A A", "the names of extra cells are different, not A A"),
        ("extra A b_2", "extra A", "found the extra cell 'b_2', expected those of the board: A"),
        ("skyscraper 2:", "skycraper 2:", "(no constraint is called 'skycraper'), expected 'skyscraper'"),
        ("killer 2: r1c1", "killer 2: r3c1", "('r3c1' is not on a board of 2x3)"),
        ("killer 2:", "either: " + "{ either: " * 3000, "(cases are nested more than 20 deep)"),
    ],
)
def test_wrong_headers_are_refused(old: str, new: str, complaint: str) -> None:
    model = exported(MIXED, "mzn").decode()
    assert old in model
    with pytest.raises(InputError) as caught:
        decode(model.replace(old, new, 1).encode(), b"=====UNSATISFIABLE=====", "model")
    assert str(caught.value).startswith("model:3: found comments that make no sense (")
    assert complaint in str(caught.value)


class Huge(Constraint):
    """A rule as nobody has it: two digits are equal, told by a sum with large factors."""

    def holds(self, grid: Grid) -> bool:
        return grid.digits[0] == grid.digits[1]

    def primitives(self, board: Board) -> Iterable[Primitive]:  # noqa: ARG002
        yield Linear((0, 1), (2**60, -(2**60)), 0, "the huge sum")


@pytest.mark.parametrize("name", EXPORTS)
def test_rules_that_a_format_cannot_state_are_refused_by_name(name: str) -> None:
    board = Board(1, 12)
    long = read_constraint("either: { skyscraper 5: r1c1-r1c12 } { odd: r1c1 }", board)
    most = [form for form in EXPORTS if form not in ("xcsp3", "dlx")]
    for constraint, able, reason in (
        (Huge(), ["cnf", "wcnf", "smt2", "asp"], "its numbers do not fit the 64 bits of programs that read the format"),
        (long, most, "it takes a formula of more than 1000000 characters"),
    ):
        reason = "an exact cover has cells, houses and allowed digits alone" if EXPORTS[name].houses_alone else reason
        assert can_state(name, constraint, board) is (name in able)
        puzzle = Puzzle(Ruleset(board, (constraint,)), Grid.blank(board))
        if name not in able:
            rule, can = write_constraint(constraint, board), ", ".join(able)
            said = f"format {name} cannot state the rule {rule!r}: {reason}; formats that can: {can}"
            with pytest.raises(UsageError, match=f"^{re.escape(said)}$"):
                exported(puzzle, name)
        elif constraint is long:
            assert exported(puzzle, name)


def test_rows_variables_and_the_minimal_clause_set_are_as_they_are_stated() -> None:
    board = Board(1, 2, 0, 2)
    for text, row in (
        ("sum 4: r1c1 r1c1 r1c2 r1c2", "+1 x2 +2 x3 +1 x5 +2 x6 = 2 ;"),
        ("sum 3: r1c1 r1c1", "-1 x1 >= 1 ;"),
    ):
        puzzle = Puzzle(Ruleset(board, (read_constraint(text, board),)), Grid.blank(board))
        assert exported(puzzle, "opb", encoding=TEXTBOOK).decode().splitlines()[-1] == row
    board = Board(2, 3, 0, 3)
    textbook = exported(Puzzle(Ruleset(board, ()), Grid.blank(board)), "cnf", encoding=TEXTBOOK)
    literals = read_metadata(textbook, "model").literals
    assert literals is not None
    assert literals.tolist() == np.arange(1, 25).reshape(6, 4).tolist()
    rules = tuple(read_constraint(text, FOUR) for text in ("lines", "killer 5: r1c1 r1c2", "x-sum 3: r2c1-r2c4"))
    puzzle = nearly_solved(Ruleset(FOUR, rules), "minimal", 5)
    encoding = EncodingOptions(ClauseSet.MINIMAL)
    assert cnf_solutions(exported(puzzle, "cnf", encoding=encoding)) == expected(puzzle)


BLANK = Puzzle.of_rows([[1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 2]])
ROWED = Puzzle.of_rows([[0] * 6, [1, 2, 3, 4, 5, 6], [0] * 6, [0] * 6, [0] * 6, [0] * 6], box=(2, 3))
ONE = Puzzle.blank(1)
SOLVED = Puzzle.of_rows([[1, 2, 3, 4], [3, 4, 1, 2], [2, 1, 4, 3], [4, 3, 2, 1]])
CONTRADICTORY = Puzzle.of_rows([[1, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]])
SIGNED = Objective.of_rows([[5, -3, 0, 2], [0, 0, 7, -1], [1, 1, 1, 1], [-9, 0, 0, 4]], Sense.MINIMISE)


def coefficients(puzzle: Puzzle, objective: Objective, projected: bool) -> list[int]:
    """Those of the cells in a MiniZinc model."""
    text = exported(puzzle, "mzn", objective, projected=projected).decode().partition("objective = sum(")[2]
    terms = {(row, column): int(factor) for factor, row, column in re.findall(r"(\S+) \* grid\[(\d+), (\d+)\]", text)}
    sides = [[str(side + 1) for side in range(puzzle.order)]] * 2
    return [terms.get((row, column), 0) for row, column in product(*sides)]


def test_an_equal_objective_on_few_cells_is_written_and_cpsat_has_the_best_score() -> None:
    nine = Puzzle.blank(9)
    assert sum(map(abs, coefficients(nine, ring_weights(nine.board), True))) <= 21
    for objective in (SIGNED, Objective((10**9,) * 16)):
        assert coefficients(BLANK, objective, False) == list(objective.weights)
    of_digits = Objective(tuple(Random("digits").choices(range(-9, 10), k=64)), Sense.MINIMISE)
    for objective in (SIGNED, of_digits):
        data = exported(BLANK, "cpsat", objective)
        result = decode(data, next(cpsat_answers(data))).result
        best = min(objective.score(grid) for grid in set(solutions(BLANK, "search")))
        assert (result.status, result.score) == (Status.OPTIMAL, best)


def test_presolve_leaves_out_the_candidates_that_propagation_excludes() -> None:
    rules = tuple(read_constraint(text, FOUR) for text in ("lines", "killer 3: r1c1 r1c2", "even: r1c1"))
    puzzle = Puzzle(Ruleset(FOUR, rules), Grid.of_rows([[0, 0, 3, 0], [3, 4, 2, 0], [0, 0, 0, 0], [4, 3, 0, 0]]))
    for encoding, variables in ((PRESOLVED, 16), (TEXTBOOK, 64)):
        assert exported(puzzle, "opb", encoding=encoding).startswith(b"* #variable= %d " % variables)


@pytest.mark.parametrize(
    ("name", "options", "complaint"),
    [
        ("cnf", {"objective": ring_weights(EXTRA)}, "format cnf has no objective; those that have: wcnf, opb"),
        ("cnf", {"encoding": EncodingOptions(triads=True)}, "the triad encoding is for the rules of classic sudoku al"),
        ("cnf", {"encoding": EncodingOptions(ClauseSet.MINIMAL)}, "the minimal clause set is for rules in which every"),
        ("lp", {"encoding": EncodingOptions(digits="order")}, "format lp has no CNF encoding; those that have: cnf"),
        ("doc", {}, "no format is called 'doc'; there are: cnf"),
        ("cnf", {"numbering": "foo"}, "no names are called 'foo'; there are: plain, rcd"),
        ("cnf", {"part": "foo", "encoding": TEXTBOOK}, "no part is called 'foo'; there are: rules, clues"),
        ("opb", {"objective": ring_weights(ROWED.board)}, "36 weights"),
    ],
)
def test_what_a_format_does_not_have_is_refused(name: str, options: dict[str, object], complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        exported(MIXED, name, **options)  # type: ignore[arg-type]
