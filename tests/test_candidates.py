"""True candidates: exactly the digits of all solutions, in every form they are printed in."""

import json
from collections import Counter
from itertools import islice

import pytest
from conftest import Run
from puzzles import NO_SOLUTION, ONE_SOLUTION, P1074, puzzle, random_puzzle

import ringdoku
from ringdoku import Puzzle, TimeLimitError, classic, ring_weights

FOUR = "1..............."


def by_enumeration(asked: Puzzle) -> Counter[tuple[int, int]]:
    return Counter(place for grid in ringdoku.solutions(asked) for place in enumerate(grid.digits))


@pytest.mark.parametrize(
    "asked",
    [
        *(puzzle(FOUR.replace(".", "0")), puzzle(list(P1074)[1]), puzzle(ONE_SOLUTION), Puzzle.blank(1)),
        *map(ringdoku.parse, ("board 2x5\n1....\n....1\n", "killer 3: r1c1 r1c2\ndiagonal\n....\n....\n....\n...4\n")),
    ],
)
def test_candidates_are_the_digits_of_all_solutions(asked: Puzzle) -> None:
    found = ringdoku.candidates(asked)
    assert found is not None
    assert {(cell, digit) for cell, digits in enumerate(found) for digit in digits} == set(by_enumeration(asked))


def test_the_last_candidate_is_looked_for_and_without_a_solution_there_are_none() -> None:
    assert ringdoku.candidates(puzzle(NO_SOLUTION)) is None
    assert ringdoku.candidates(puzzle("11" + "0" * 14)) is None
    with pytest.raises(TimeLimitError):
        ringdoku.candidates(Puzzle.blank(16), time_limit=1e-9)
    # several solutions, most of which differ in a few cells: often one candidate alone is left to look for
    asked = [random_puzzle(classic(9), count, seed=seed) for count in (30, 32) for seed in range(12)]
    for each in asked:
        places = {place for grid in islice(ringdoku.solutions(each), 2000) for place in enumerate(grid.digits)}
        found = ringdoku.candidates(each)
        assert found is not None
        assert {(cell, digit) for cell, digits in enumerate(found) for digit in digits} >= places


def test_what_is_printed(ringdoku_here: Run) -> None:
    done = ringdoku_here("candidates", input=f"{FOUR}\n")
    assert done.returncode == 0
    assert done.stdout.splitlines()[:3] == [
        "+------------+------------+",
        "| 1     234  | 234   234  |",
        "| 234   234  | 1234  1234 |",
    ]
    assert ringdoku_here("candidates", "--output-format", "pretty", input=FOUR).stdout.startswith("┌────────────┬────")
    # the other commands read both as the same puzzle
    assert ringdoku_here("count", input=done.stdout).stdout == "72\n"
    line = ringdoku_here("candidates", "--output-format", "line", input=FOUR).stdout
    assert len(line) == 65
    assert ringdoku_here("count", input=line).stdout == "72\n"


def test_counts_and_best_scores(ringdoku_here: Run) -> None:
    done = ringdoku_here("candidates", "--counts", "--score", "--output-format", "json", input=FOUR)
    record = json.loads(done.stdout)
    asked = puzzle(FOUR.replace(".", "0"))
    objective, counts = ring_weights(asked.board), by_enumeration(asked)
    best: dict[tuple[int, int], int] = {}
    for grid in ringdoku.solutions(asked):
        for place in enumerate(grid.digits):
            best[place] = max(best.get(place, 0), objective.score(grid))
    for cell, digits in enumerate(record["candidates"]):
        assert record["solutions"][cell] == [counts[cell, digit] for digit in digits]
        assert record["best"][cell] == [best[cell, digit] for digit in digits]
    assert record["exact"] is True
    done = ringdoku_here("candidates", "--counts", "--at-most", "5", input=FOUR)
    assert (done.returncode, done.stdout.splitlines()[1]) == (3, "r1c1      1        >=5")
    lowest = ringdoku_here("candidates", "--score", "--minimise", input=FOUR).stdout.splitlines()[1].split()
    assert lowest == ["r1c1", "1", str(min(map(objective.score, ringdoku.solutions(asked))))]
