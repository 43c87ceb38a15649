"""One suite for every backend: it can do what the registry says, and all of them answer alike."""

from functools import cache
from itertools import islice

import pytest
from backend_template import Template
from puzzles import NO_SOLUTION, ONE_SOLUTION, P1074, mixed_puzzles, objectives, puzzle, random_puzzle, searched_puzzle

from ringdoku import Grid, Objective, Puzzle, Result, Ruleset, Session, Status, UsageError, check, ring_weights, solve
from ringdoku.constraints.registry import read_constraint
from ringdoku.domain import Board, Boxes, DisagreementError, Lines, TimeLimitError, classic
from ringdoku.limits import Deadline
from ringdoku.solvers.registry import BACKENDS, Ability, Progress, Run, find
from ringdoku.solvers.search import Search

LEAST_CLUES = 30
"""Of 9×9 puzzles with an objective, so that every backend proves the best in a moment."""


def able(ability: Ability) -> list[str]:
    return [entry.name for entry in BACKENDS.values() if ability in entry.abilities]


@pytest.fixture(params=list(BACKENDS))
def session(request: pytest.FixtureRequest) -> Session:
    return Session(request.param)


@cache
def statuses() -> list[Status]:
    session = Session("search")
    return [session.solve(each).status for each in mixed_puzzles()]


def pairs() -> list[tuple[Puzzle, Objective]]:
    """Most of the puzzles, with each kind of objective in turn."""
    every = ((each, objective) for each in mixed_puzzles(LEAST_CLUES) for objective in objectives(each.ruleset, each))
    return [*every][3::4]


@cache
def best_results(name: str) -> list[Result]:
    session = Session(name)
    return [session.maximise(each, objective) for each, objective in pairs()]


def test_solves_puzzles_of_any_size_and_proves_that_there_is_no_solution(session: Session) -> None:
    assert min(statuses().count(status) for status in (Status.SATISFIABLE, Status.INFEASIBLE)) >= 10
    assert [session.solve(each).status for each in mixed_puzzles()] == statuses()
    assert session.solve(puzzle(ONE_SOLUTION)).status is Status.SATISFIABLE
    assert session.solve(puzzle(NO_SOLUTION)).status is Status.INFEASIBLE
    assert session.solve(Puzzle.blank(1)).status is Status.SATISFIABLE
    for order, clues in ((16, 120), (25, 350)):
        large = random_puzzle(classic(order), clues, seed=order)
        assert session.solve(large).status is Status.SATISFIABLE
    solution = session.solve(puzzle(ONE_SOLUTION)).grid
    assert solution is not None
    assert session.solve(Puzzle(puzzle(ONE_SOLUTION).ruleset, solution)).grid == solution
    for rows in ([[1, 1, 0, 0]], [[1, 0, 0, 0], [0, 1, 0, 0]], [[1, 2, 0, 0], [0, 0, 3, 0], [0, 0, 4, 0]]):
        contradictory = Puzzle.of_rows(rows + [[0] * 4] * (4 - len(rows)))
        assert session.solve(contradictory).status is Status.INFEASIBLE


@pytest.mark.parametrize("name", able(Ability.OPTIMISE))
def test_optimisers_prove_the_same_best_scores_and_their_progress_closes_in_on_them(name: str) -> None:
    results = best_results(name)
    assert [result.score for result in results] == [result.score for result in best_results("lp-sat")]
    assert {result.status for result in results} == {Status.OPTIMAL, Status.INFEASIBLE}
    blank = Puzzle.blank(4)
    weights = (*range(10**9, 10**9 - 15, -1), -(10**9))
    best = max(Objective(weights).score(grid) for grid in Session("search").solutions(blank))
    assert Session(name).maximise(blank, Objective(weights)).score == best
    sample = puzzle(next(iter(P1074)))
    heard: list[Progress] = []
    result = Session(name).maximise(sample, ring_weights(sample.board), on_progress=heard.append)
    scores = [progress.score for progress in heard if progress.score is not None]
    bounds = [progress.bound for progress in heard if progress.bound is not None]
    assert scores == sorted(scores)
    assert scores[-1] == result.score
    assert bounds == sorted(bounds, reverse=True)
    assert min(bounds) >= result.score
    for progress in heard:
        grid = progress.grid
        assert (ring_weights(sample.board).score(grid) if grid and not check(sample, grid) else None) == progress.score
    Session(name).maximise(puzzle("1000003002000004"), on_progress=heard.append)
    assert heard[-1].score == 250


def test_a_wrong_grid_on_the_way_is_an_error_and_never_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    def optimise(_: Search, puzzle: Puzzle, objective: Objective, run: Run) -> Result:
        ones = Grid((1,) * 16, puzzle.board)
        run.report(objective.score(ones), None, ones)
        return Result(Status.UNKNOWN)

    monkeypatch.setattr(Search, "optimise", optimise)
    heard: list[Progress] = []
    with pytest.raises(DisagreementError, match="backend search gave a wrong answer"):
        Session("search").maximise(Puzzle.blank(4), on_progress=heard.append)
    assert not heard


@cache
def few_solutions(each: Puzzle, most: int = 300) -> list[Grid] | None:
    """All of them unless there are more than `most`."""
    solutions = [*islice(Session("search").solutions(each), most + 1)]
    return solutions if len(solutions) <= most else None


@pytest.mark.parametrize("name", able(Ability.OPTIMISE))
@pytest.mark.parametrize(("line", "best"), P1074.items())
def test_contest_samples(name: str, line: str, best: int) -> None:
    sample = puzzle(line)
    result = Session(name).maximise(sample, ring_weights(sample.board))
    assert (result.status, result.score, result.bound) == (Status.OPTIMAL, best, best)


@pytest.mark.parametrize("name", able(Ability.ENUMERATE))
def test_an_enumeration_is_complete_or_stops_at_its_time_limit_and_can_be_left(name: str) -> None:
    grids = list(Session(name).solutions(Puzzle.blank(4)))
    assert len(grids) == len(set(grids)) == 288
    session = Session(name)
    assert next(session.solutions(Puzzle.blank(9))).is_full
    assert len(list(session.solutions(Puzzle.of_rows([[1, 2, 3, 4], *[[0] * 4] * 3])))) == 12
    with pytest.raises(TimeLimitError):
        list(Session(name).solutions(Puzzle.blank(9), time_limit=0.1))


@pytest.mark.parametrize("name", able(Ability.ENUMERATE))
def test_enumerates_what_a_puzzle_allows(name: str) -> None:
    session = Session(name)
    assert list(session.solutions(puzzle(NO_SOLUTION))) == []
    assert len(list(session.solutions(puzzle(ONE_SOLUTION)))) == 1
    for each in list(mixed_puzzles())[4:24:3]:
        solutions = few_solutions(each)
        if solutions is not None:
            assert set(session.solutions(each)) == set(solutions)


@pytest.mark.parametrize("name", BACKENDS)
def test_an_inability_is_told(name: str) -> None:
    blank = Puzzle.blank(4)
    abilities = BACKENDS[name].abilities
    if Ability.OPTIMISE not in abilities:
        with pytest.raises(UsageError, match=f"{name} lacks the ability optimise; those with it: .*cpsat"):
            Session(name).maximise(blank, ring_weights(blank.board))
    if Ability.ENUMERATE not in abilities:
        with pytest.raises(UsageError, match=f"{name} lacks the ability enumerate; those with it: .*search"):
            next(Session(name).solutions(blank))
    assert find(name, *abilities).name == name


def test_results_say_who_answered_and_what_it_cost_with_seeds_of_any_size(session: Session) -> None:
    result: Result = session.solve(puzzle(ONE_SOLUTION))
    assert result.backend == session.backend
    assert result.seconds > 0
    assert all(isinstance(value, (int, float)) for value in result.statistics.values())
    assert len(result.statistics) > 0
    assert Session(session.backend, seed=10**20).solve(puzzle(ONE_SOLUTION)).status is Status.SATISFIABLE


@pytest.mark.parametrize("free", [True, False])
def test_solutions_that_differ_in_extra_cells_alone_are_one(session: Session, free: bool) -> None:
    board = Board(4, 4, extra=("VA1", "VA2"))
    rules = () if free else tuple(read_constraint(rule, board) for rule in ("killer 5: r1c1 VA1", "odd: VA2"))
    clues = Grid((1, 2, *[0] * 8, 2, *[0] * 7), board)
    puzzle = Puzzle(Ruleset(board, (Lines(), Boxes(2, 2), *rules)), clues)
    plain = Puzzle(classic(4), Grid(clues.digits[:16]))
    known = {grid.digits for grid in Session("search").solutions(plain)}
    abilities = find(session.backend, Ability.SATISFY).abilities
    if Ability.ENUMERATE in abilities:
        assert sorted(grid.digits[:16] for grid in session.solutions(puzzle)) == sorted(known)
    if Ability.OPTIMISE in abilities:
        results = list(session.best_solutions(puzzle, 2 * len(known), ring_weights(board)))
        assert sorted(result.grid.digits[:16] for result in results if result.grid) == sorted(known)


PYSAT_SOLVERS = [entry.name for entry in BACKENDS.values() if entry.is_encoded]


@pytest.mark.parametrize("name", PYSAT_SOLVERS)
def test_a_solver_stays_for_puzzles_with_the_same_rules(name: str) -> None:
    """Clues come and go, contradict the rules, and come back; what is live or forgotten makes no difference."""
    session, search = Session(name), Session("search")
    board = Board.square(4)
    diagonal = Ruleset(board, (Lines(), Boxes(2, 2), read_constraint("diagonal", board)))
    fixed = read_constraint("killer 1: r1c1", board)
    for ruleset in (diagonal, diagonal.extended(fixed)):
        for clues in ("1003", "1", "0", "2", "12340012", "1003", "1230400000000004"):
            each = Puzzle(ruleset, Grid(tuple(map(int, clues.ljust(16, "0"))), board))
            known = set(search.solutions(each))
            assert (session.solve(each).grid in known) if known else session.solve(each).grid is None
            assert sorted(grid.digits for grid in session.solutions(each)) == sorted(grid.digits for grid in known)


def test_large_puzzles_are_loaded_alone_and_searched_alike_whatever_the_clock_says() -> None:
    session = Session("cadical195")
    first, blank = (session.solve(each) for each in (random_puzzle(classic(16), 130, 1), Puzzle.blank(16)))
    assert first.statistics["clauses"] < blank.statistics["clauses"] / 10
    hard = searched_puzzle(25, 250, seed=5)
    for name in ("cadical195", "glucose4"):
        one, other = (Session(name).solve(hard, limit).statistics["conflicts"] for limit in (None, 50))
        assert one == other > 20


def test_enumerations_that_overlap_do_not_disturb_each_other() -> None:
    session = Session("cadical195")
    open_ones = [session.solutions(Puzzle.blank(4)) for _ in range(3)]
    first = [next(grids) for grids in open_ones]
    for box in ((1, 5), (2, 3), (3, 2), (1, 7), (2, 4), (4, 2), (3, 3), (2, 5), (5, 2)):
        # more rulesets than stay loaded
        assert next(session.solutions(Puzzle.blank(box[0] * box[1], box))).is_full
        assert len(list(session.solutions(Puzzle.of_rows([[1, 2, 3, 4], *[[0] * 4] * 3])))) == 12
    for grid, rest in zip(first, open_ones, strict=True):
        assert len({grid, *rest}) == 288


def test_the_template_keeps_the_contract_and_names_mean_the_backends_they_say() -> None:
    template = Template()
    wrong = Puzzle.of_rows([[1, 2, 0, 0], [0, 0, 3, 0], [0, 0, 4, 0], [0] * 4])
    for each in (Puzzle.blank(4), wrong, *(random_puzzle(classic(4), clues, seed=clues) for clues in (2, 5, 9))):
        grids = list(template.enumerate(each, Run()))
        assert len(set(grids)) == len(grids)
        assert set(grids) == set(Session("search").solutions(each))
        assert template.solve(each, Run()).status is (Status.SATISFIABLE if grids else Status.INFEASIBLE)
    assert template.solve(Puzzle.blank(16), Run(Deadline(0.05))).status is Status.UNKNOWN
    counts = {
        name: solve(Puzzle.blank(9), backend=name).statistics["variables"] for name in ("cpsat", "cpsat-alldifferent")
    }
    assert counts == {"cpsat": 729, "cpsat-alldifferent": 81}
    with pytest.raises(
        UsageError, match=r"no backend is called 'glucose5' \(perhaps 'glucose4' .*\); there are: auto, .*glucose4"
    ):
        Session("glucose5").solve(Puzzle.blank(4))
