"""The best solutions in order: those that plain enumeration gives, each once, and no more than there are."""

import json
from collections.abc import Iterator
from functools import cache
from itertools import chain

import pytest
from conftest import Run
from puzzles import NO_SOLUTION, ONE_SOLUTION, mixed_puzzles, objectives, puzzle, random_puzzle

import ringdoku
from ringdoku import Grid, Objective, Puzzle, Session, Status, UsageError, classic, ring_weights
from ringdoku.solvers.registry import BACKENDS, Ability

OPTIMISERS = [entry.name for entry in BACKENDS.values() if Ability.OPTIMISE in entry.abilities]
SOLUTION = "1234341221434321"


@cache
def few_solutions() -> list[tuple[Puzzle, list[Grid]]]:
    """Puzzles with 1 to 20 solutions, and all of them."""
    session = Session("cadical195")
    found = [(each, list(session.solutions(each))) for each in mixed_puzzles(32) if each.clues.filled_count > 6]
    return [(each, solutions) for each, solutions in found if 1 <= len(solutions) <= 20]


def cases(most: int) -> Iterator[tuple[Puzzle, Objective, list[Grid]]]:
    """Some of them with an objective each, those with several solutions first."""
    chosen = sorted(few_solutions(), key=lambda case: len(case[1]) == 1)[:most]
    for number, (each, solutions) in enumerate(chosen):
        yield each, list(objectives(each.ruleset, number))[number % 3], solutions


@pytest.mark.parametrize("name", OPTIMISERS)
def test_they_are_those_of_plain_enumeration(name: str) -> None:
    assert sum(len(solutions) > 4 for _, _, solutions in cases(4)) >= 3
    session = Session(name)
    for each, objective, solutions in cases(4):
        expected = sorted(map(objective.score, solutions), reverse=objective.sense.sign > 0)
        for count in (3, len(solutions) + 2):
            results = list(session.best_solutions(each, count, objective))
            ranked = [(score, score, rank) for rank, score in enumerate(expected[:count], 1)]
            assert [(result.score, result.bound, result.rank) for result in results] == ranked
            assert {result.status for result in results} == {Status.OPTIMAL}
            assert len({result.grid for result in results} & {*solutions}) == len(results)


@pytest.mark.parametrize("name", OPTIMISERS)
def test_each_grid_comes_once_and_nothing_comes_after_the_last(name: str) -> None:
    results = list(Session(name).best_solutions(Puzzle.blank(4), 12, Objective((3,) * 16)))
    assert [result.score for result in results] == [3 * 40] * 12
    assert len({result.grid for result in results}) == 12
    full = Puzzle(classic(4), Grid(tuple(map(int, SOLUTION))))
    for each in (puzzle(ONE_SOLUTION), full, Puzzle.blank(1)):
        objective = ring_weights(each.board)
        assert [result.status for result in Session(name).best_solutions(each, 3, objective)] == [Status.OPTIMAL]
    for line in (NO_SOLUTION, "11" + "0" * 14):
        results = list(ringdoku.best_solutions(puzzle(line), 3, backend=name))
        assert [(result.status, result.grid) for result in results] == [(Status.INFEASIBLE, None)]
    # each of the four grids has two digits for the extra cell that is free
    each = ringdoku.parse("board 2x2 extra a b\nno boxes\nno lines\nsum 3: a r1c1\n..\n11\n")
    results = list(ringdoku.best_solutions(each, 10, Objective((1, 2, 3, 4)), backend=name))
    assert [result.score for result in results] == [13, 12, 11, 10]
    assert [result.status for result in results] == [Status.OPTIMAL] * 4


def test_the_best_hundred_come_in_order_and_at_the_time_limit_the_last_is_not_proved() -> None:
    hard = random_puzzle(classic(25), 200, seed=1)
    *before, last = ringdoku.best_solutions(hard, 5, time_limit=0.3)
    assert (before, last.bound is None, last.status in (Status.FEASIBLE, Status.UNKNOWN)) == ([], False, True)
    for count in (0, -1):
        with pytest.raises(UsageError, match="a number of solutions is at least 1"):
            list(ringdoku.best_solutions(Puzzle.blank(4), count))
    objective = Objective(tuple(range(-8, 8)))
    results = ringdoku.best_solutions(Puzzle.blank(4), 100, objective)
    expected = sorted(map(objective.score, ringdoku.solutions(Puzzle.blank(4))), reverse=True)
    assert [result.score for result in results] == expected[:100]


def test_the_command_writes_a_block_or_lines_of_json_for_each_puzzle(ringdoku_here: Run) -> None:
    text = f"1.....1...4.....\n11{'.' * 14}\n{SOLUTION}\n"
    done = ringdoku_here("maximise", "--top", "3", input=text)
    assert (done.returncode, done.stdout) == (0, "252\n251\n250\n\n-1\n\n250\n")
    drawn = ringdoku_here("maximise", "--top", "2", "--grid", "--output-format", "line", input=text)
    lines = [block.splitlines() for block in drawn.stdout.split("\n\n")]
    assert [block[::2] for block in lines] == [["252", "251"], ["-1"], ["250"]]
    assert lines[2][1] == SOLUTION
    done = ringdoku_here("maximise", "--top", "2", "--output-format", "json", input="1.....1...4.....\n" * 2)
    assert [json.loads(line)["score"] for line in done.stdout.splitlines()] == [252, 251] * 2
    done = ringdoku_here("maximise", "--top", "2", "--output-format", "pretty", input="1.....1...4.....\n")
    assert all(said in done.stdout for said in ("score 252, the best (", "score 251, number 2 ("))


def test_what_is_not_proved_next_is_left_out(ringdoku_here: Run) -> None:
    # 2¹² scores and more are worth the same: the limit comes in the middle
    blank = "\n".join([" ".join(["."] * 9)] * 9)
    done = ringdoku_here("maximise", "--top", "100000", "--time-limit", "1", input=blank)
    scores = done.stdout.split()
    assert done.returncode == 3
    assert set(scores) <= {"2906"}
    assert f"{len(scores)} of 100000 are proved, " in done.stderr


def test_the_first_of_the_best_is_that_of_all_solutions(ringdoku_here: Run) -> None:
    for each in (Puzzle.blank(4), Puzzle.blank(4).with_rules("diagonal")):
        grids = list(ringdoku.solutions(each))
        for objective in chain.from_iterable(objectives(each.ruleset, seed) for seed in range(5)):
            ranks = [(-objective.sense.sign * objective.score(grid), grid.digits) for grid in grids]
            result = ringdoku.first_best(each, objective)
            assert (result.status, result.grid and result.grid.digits) == (Status.OPTIMAL, min(ranks)[1])
    assert ringdoku.first_best(Puzzle.blank(16), time_limit=2).status is Status.FEASIBLE
    done = ringdoku_here("maximise", "--first", input="11..............\n................\n")
    assert done.stdout == "-1\n254\n3124243113424213\n"
