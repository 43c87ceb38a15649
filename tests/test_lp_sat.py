"""The optimiser lp-sat: true answers where the linear program, singles or SAT alone settle it, on large grids, and at
its edges: hardly any time, odd boards, odd weights."""

import re
import subprocess
import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest
from puzzles import NO_SOLUTION, ONE_SOLUTION, RELAXED, puzzle, random_puzzle, random_solution

from ringdoku import DimensionError, Grid, Objective, Puzzle, Sense, Session, Status, maximise, ring_weights, solutions
from ringdoku.constraints.registry import read_constraint, with_rules
from ringdoku.deduction.propagation import propagate
from ringdoku.domain import Board, classic, gains_of
from ringdoku.duality.prices import exact_prices, incidence
from ringdoku.duality.relaxation import relax
from ringdoku.limits import NEVER
from ringdoku.lowering.cnf import lower_to_cnf
from ringdoku.lowering.cpsat import lower_to_placements
from ringdoku.solvers.cpsat import CpSatSearch
from ringdoku.solvers.incremental import PuzzleSolver
from ringdoku.solvers.lp_sat.question import Problem, Question
from ringdoku.solvers.registry import BACKENDS, Ability, Progress, Run

AGREE = Path(__file__).parents[1] / "benchmarks" / "agree.py"
OPTIMISERS = [name for name, entry in BACKENDS.items() if Ability.OPTIMISE in entry.abilities]


def problem(each: Puzzle, objective: Objective) -> Problem:
    """With the prices of the linear program."""
    candidates = propagate(each)
    assert candidates is not None
    gains = np.array(gains_of(objective.weights, each.board), dtype=np.int64)
    relaxation = relax(incidence(each.ruleset), candidates, gains)
    return Problem(each, gains, candidates, relaxation.prices, relaxation.values)


def relaxed(each: Puzzle) -> bool | None:
    """Whether the linear program has a solution; None when singles alone find a contradiction."""
    candidates = propagate(each)
    if candidates is None:
        return None
    gains = np.arange(candidates.size, dtype=np.int64).reshape(candidates.shape)
    return not relax(incidence(each.ruleset), candidates, gains).is_infeasible


@pytest.mark.parametrize("backend", OPTIMISERS)
@pytest.mark.parametrize(("line", "has_relaxed"), [("11" + "0" * 79, None), (NO_SOLUTION, False), (RELAXED, True)])
def test_no_solution_however_it_shows(backend: str, line: str, has_relaxed: bool | None) -> None:
    each = puzzle(line)
    assert relaxed(each) is has_relaxed
    for sense in Sense:
        result = Session(backend).maximise(each, ring_weights(each.board, sense))
        assert (result.status, result.grid, result.score) == (Status.INFEASIBLE, None, None)
        assert result.ground in {BACKENDS[backend].ground, "propagation", "a refutation by cadical195"}


@pytest.mark.parametrize("sense", Sense)
def test_a_large_blank_grid_has_a_solution_and_a_bound_at_the_limit(sense: Sense) -> None:
    puzzle = Puzzle.blank(30, (5, 6))
    random = Random("large")
    weights = tuple(random.randint(-9, 9) for _ in range(900))
    result = Session("lp-sat").maximise(puzzle, Objective(weights, sense), 0.7)
    assert result.grid is not None
    assert result.score is not None
    assert result.bound is not None
    assert not sense.better(result.score, result.bound)


@pytest.mark.parametrize("with_budget", [False, True])
@pytest.mark.parametrize("weight", [9, 10**9])
def test_questions_tell_exactly_which_scores_are_reached(with_budget: bool, weight: int) -> None:
    each, random = random_puzzle(classic(6, (2, 3)), 10, seed="questions"), Random("questions")
    objective = Objective(tuple(random.randint(-weight, weight) for _ in range(36)))
    scores = sorted(map(objective.score, Session("search").solutions(each)))
    asked = problem(each, objective)

    def answer(target: int) -> bool | None:
        question = Question(asked, target, "glucose4", Run(), with_budget=with_budget)
        answer = question.ask(100_000)
        question.close()
        assert answer == (question.best is not None and objective.score(question.best) >= target)
        return answer

    assert not answer(scores[-1] + 1)
    assert all(map(answer, [-(10**14), *random.sample(scores, min(6, len(scores))), scores[0], scores[-1]]))


@pytest.mark.parametrize("with_budget", [False, True])
@pytest.mark.parametrize("rule", ["", "extra region: r1c1 r2c3 r3c2"])
def test_a_solution_whose_costs_are_just_the_budget_is_found(with_budget: bool, rule: str) -> None:
    """With whole prices, as no linear program gives them, sums of costs meet what a target allows."""
    board, refused = Board.square(4), 0
    rules = (read_constraint(rule, board),) if rule else ()
    for seed in range(12 if with_budget else 30):
        each = Puzzle(classic(4).extended(*rules), random_puzzle(classic(4), seed % 4, seed=f"whole {seed}").clues)
        random, candidates = Random(seed), propagate(each)
        objective = Objective(tuple(random.randint(-2, 2) for _ in range(16)))
        scores = set(map(objective.score, Session("search").solutions(each)))
        if candidates is None or not scores:
            continue
        units, gains = incidence(each.ruleset), np.array(gains_of(objective.weights, each.board), dtype=np.int64)
        of_units = np.array([[random.randint(-1, 1) for _ in range(4)] for _ in units.units], dtype=np.float64)
        of_rows = np.array([random.randint(0, 2) for _ in units.rows], dtype=np.float64)
        prices = exact_prices(units, candidates, gains, of_units, of_rows, denominator=1)
        asked = Problem(each, gains, candidates, prices, candidates.astype(np.float64))
        best = max(scores)
        for lowest in (best, best - 3, best - 6):
            question = Question(asked, lowest, "glucose4", Run(), with_budget=with_budget)
            for target in range(lowest, best + 2):
                question.raise_to(target)
                assert question.ask(10_000) == (target <= best)
            refused += question.lazy_constraints
            question.close()
    assert refused or with_budget


def test_questions_to_a_solver_that_stays_leave_nothing_behind() -> None:
    random, formula = Random("guests"), lower_to_cnf(Puzzle.blank(6, (2, 3)))
    rules = PuzzleSolver("glucose4", formula)
    for number in range(8):
        each = random_puzzle(classic(6, (2, 3)), 8 + number % 5, seed=f"guests {number}")
        objective = Objective(tuple(random.randint(-9, 9) for _ in range(36)))
        grids = sorted(Session("search").solutions(each), key=objective.score)
        asked = problem(each, objective)
        least, best = objective.score(grids[0]), objective.score(grids[-1])
        for target, excluding in [(best, []), (best + 1, []), (least, grids), (least, grids[1:])]:
            question = Question(asked, target, "glucose4", Run(excluding=(*excluding,)), rules, with_budget=True)
            expected = target <= best and len(excluding) < len(grids)
            assert question.ask(100_000) == expected
            if expected and excluding:
                assert question.best == grids[0]
            question.close()


def test_a_budget_lets_fewer_wrong_solutions_through() -> None:
    each, random = random_puzzle(classic(9), 24, seed="b2"), Random(2)
    asked = problem(each, Objective(tuple(random.randint(-9, 9) for _ in range(81))))

    def refusals(with_budget: bool) -> int:
        # the best score is 968, and the bound 986
        question = Question(asked, 969, "minisat22", run := Run(), with_budget=with_budget)
        assert question.ask(100_000) is False
        question.close()
        assert run.effort.facts["conflicts"] > 0
        return question.lazy_constraints

    assert refusals(True) < refusals(False)


def test_decided_cells_count_in_what_scores_can_occur() -> None:
    """Open cells of a wide step, decided ones off it: with a wrong residue the proved score is none that occurs."""
    off_step = 0
    for number in range(60):
        each = random_puzzle(classic(4), 4 + number % 3, seed=f"residue {number}")
        candidates = propagate(each)
        assert candidates is not None
        random = Random(number)
        decided = np.count_nonzero(candidates, axis=1) == 1
        weights = tuple(random.randint(-20, 20) if fixed else 10 * random.randint(-2, 2) for fixed in decided.tolist())
        objective = Objective(weights, random.choice(list(Sense)))
        scores = set(map(objective.score, Session("search").solutions(each)))
        best = max(scores) if objective.sense is Sense.MAXIMISE else min(scores)
        result = Session("lp-sat").maximise(each, objective)
        assert (result.status, result.score, result.bound) == (Status.OPTIMAL, best, best)
        off_step += len(scores) > 1 and any(score % 10 for score in scores)
    assert off_step > 10


@pytest.mark.skipif(not AGREE.exists(), reason="benchmarks/ is not beside the tests")
def test_all_ways_agree_on_a_sample() -> None:
    command = [sys.executable, str(AGREE), "6", "--seed", "11", "--limit", "0.1"]
    ended = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=120, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert ended.stdout.startswith("6 puzzles, no disagreement; answers: lp-sat")


@pytest.mark.skipif(not AGREE.exists(), reason="benchmarks/ is not beside the tests")
def test_a_question_passes_through_few_files_and_calls() -> None:
    command, most = [sys.executable, str(AGREE.with_name("way.py"))], {"solve": (12, 9), "maximise": (20, 12)}
    printed = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=60, check=True).stdout
    ways = re.findall(r"^(\w+), .*: (\d+) files, (\d+) calls", printed, re.MULTILINE)
    assert len(ways) == 4
    assert [way for way in ways if int(way[1]) > most[way[0]][0] or int(way[2]) > most[way[0]][1]] == []


@pytest.mark.parametrize("order", [400, 1024])
def test_what_is_too_large_is_refused_and_not_begun(order: int) -> None:
    with pytest.raises(DimensionError):
        maximise(Puzzle.blank(order), backend="lp-sat")


def test_best_scores_under_rules() -> None:
    text = (
        "thermometer: r1c1 r2c2 r3c3\nkiller 11: r1c3 r1c4 r2c4\narrow: r6c6 | r6c5 r5c5\nsum 14: r2c5 r3c4 r4c3 r5c2"
    )
    board = Board.square(6)
    rules = [read_constraint(line, board) for line in text.splitlines()]
    each = Puzzle(classic(6, (2, 3)).extended(*rules), Grid.blank(board))
    for sense in Sense:
        objective = ring_weights(board, sense)
        best = maximise(each, objective)
        assert (best.status, best.score) == (Status.OPTIMAL, maximise(each, objective, "cpsat").score)
        following = [result.score for result in Session().best_solutions(each, 2, objective)]
        assert following[0] == best.score
        assert following == sorted(following, key=lambda score: -sense.sign * (score or 0))


@pytest.mark.parametrize("rule", ["anti-king", "diagonal", "extra-region: r1c1 r2c3 r3c2"])
def test_placements_of_digits_have_the_best_scores_too(rule: str) -> None:
    blank = Puzzle(with_rules(classic(6, (2, 3)), rule), Grid.blank(Board.square(6)))
    each = Puzzle(blank.ruleset, Grid(next(solutions(blank)).digits[:9] + (0,) * 27))
    objective = Objective(tuple(Random(rule).choices(range(-9, 10), k=36)))
    candidates = problem(each, objective).candidates
    lowered = lower_to_placements(each, objective, candidates, NEVER)
    assert lowered is not None
    for best in sorted(map(objective.score, solutions(each)), reverse=True)[:3]:
        found = list(CpSatSearch(lowered, Run()).solutions())
        assert objective.score(found[-1]) == best
        lowered.exclude(found[-1:])
    assert lower_to_placements(each.with_rules("killer 3: r1c1 r1c2"), objective, candidates, NEVER) is None


BOARDS = tuple(classic(h * w, (h, w)) for h, w in ((1, 1), (2, 2), (1, 5), (5, 1), (2, 3), (3, 3)))

WEIGHTS = {
    "all equal": lambda _: 7,
    "all zero": lambda _: 0,
    "all huge": lambda _: 10**9,
    "huge of both signs": lambda cell: (-1) ** (cell * cell // 3) * 10**9,
    "negative": lambda cell: -1 - cell * 37 % 50,
    "one cell": lambda cell: int(cell == 0),
}


@pytest.fixture(scope="module")
def session() -> Session:
    return Session("lp-sat")


@pytest.mark.parametrize("kind", WEIGHTS)
@pytest.mark.parametrize("sense", Sense)
def test_any_weights_on_full_contradictory_and_other_boards(session: Session, kind: str, sense: Sense) -> None:
    search = Session("search")
    for ruleset in BOARDS:
        n = ruleset.board.cell_count
        objective = Objective(tuple(map(WEIGHTS[kind], range(n))), sense)
        full = random_solution(ruleset, kind)
        result = session.maximise(Puzzle(ruleset, full), objective)
        assert (result.status, result.grid) == (Status.OPTIMAL, full)
        if n > 1:
            contradictory = Puzzle(ruleset, Grid((1, 1) + (0,) * (n - 2)))
            assert session.maximise(contradictory, objective).status is Status.INFEASIBLE
        between = random_puzzle(ruleset, n * 2 // 5, kind)
        assert session.maximise(between, objective).score == search.maximise(between, objective).score
        if len({*objective.weights}) == 1:
            best = session.maximise(Puzzle(ruleset, Grid.blank(ruleset.board)), objective)
            assert (best.status, best.score) == (Status.OPTIMAL, objective.weights[0] * n * (ruleset.order + 1) // 2)


@pytest.mark.parametrize("limit", [0.0001, 0.05])
def test_hardly_any_time_gives_what_is_known(session: Session, limit: float) -> None:
    for order in (4, 9, 16):
        ruleset = classic(order)
        for clues in (0, ruleset.board.cell_count // 4, ruleset.board.cell_count // 2):
            each = random_puzzle(ruleset, clues, seed=clues)
            weights = tuple(Random(f"{clues}").choices(range(-99, 100), k=ruleset.board.cell_count))
            for objective in (ring_weights(ruleset.board), Objective(weights, Sense.MINIMISE)):
                witness = objective.score(random_solution(ruleset, seed=clues) if not clues else next(solutions(each)))
                result = session.maximise(each, objective, limit)
                assert result.status in (Status.OPTIMAL, Status.FEASIBLE, Status.UNKNOWN)
                assert result.bound is not None
                assert not objective.sense.better(witness, result.bound)


def test_clues_hold_if_the_limit_comes_before_anything_follows_from_them(session: Session) -> None:
    each = Puzzle(classic(25), Grid((7,) + (0,) * 624))
    assert session.maximise(each, ring_weights(each.board), 1e-4).status is Status.UNKNOWN


def test_weights_that_are_far_apart_soon_get_a_score_near_the_bound(session: Session) -> None:
    weights = Objective(tuple(Random(16).choices(range(1000), k=256)))

    def hear(progress: Progress) -> None:
        if progress.score is not None and progress.bound is not None and 100 * progress.score > 99 * progress.bound:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        session.maximise(Puzzle.blank(16), weights, 30, hear)


def test_one_solution_whatever_it_is_worth_and_at_the_limit_a_bound_that_is_not_reached(session: Session) -> None:
    each = puzzle(ONE_SOLUTION)
    lowest, highest = (session.maximise(each, ring_weights(each.board, sense)) for sense in Sense)
    assert lowest.grid == highest.grid == next(solutions(each))
    hard = random_puzzle(classic(25), 200, seed=1)
    heard: list[Progress] = []
    result = session.maximise(hard, ring_weights(hard.board), 0.8, heard.append)
    assert result.status is not Status.OPTIMAL
    assert result.bound is not None
    assert result.bound == heard[-1].bound
    assert result.score == heard[-1].score
    assert result.score is None or result.score < result.bound
