"""Plain lines: what they are, that answers together are those one by one, and the search on arrays behind them."""

import re
from collections.abc import Iterator
from io import BytesIO
from itertools import islice
from pathlib import Path
from random import Random

import numpy as np
import pytest
from conftest import SCRIPT, Run, running
from puzzles import GEOMETRIES, NO_SOLUTION, ONE_SOLUTION, keep_clues, mixed_puzzles, random_puzzle, random_solution

from ringdoku import Grid, Puzzle, Ruleset, Session, Status, check, classic
from ringdoku.deduction.many import only_solutions
from ringdoku.domain.checker import are_solutions
from ringdoku.services.lines import lines_of, only_solutions_of, plain_lines, running_counts, solve_lines

NINE = classic(9)
FOUR = b"1...............\n"
CROSSED = "410863720060000400702510000000000200073002010049105867007050138904001000000700000"
"""Without a solution: singles of different units fill all cells, but put one digit twice in a row."""


@pytest.mark.parametrize(
    ("raw", "box", "count"),
    [
        (FOUR * 3, None, 3),
        (FOUR + b"0000000000000001", None, 2),
        (FOUR.replace(b"\n", b"  \r\n") * 2, None, 2),
        (f"{ONE_SOLUTION}\n{NO_SOLUTION}\n".encode(), None, 2),
        (b"1" + b"." * 35 + b"\n", (2, 3), 1),
        (b"1" + b"." * 35 + b"\n", None, None),
        (b"2\r\n" + FOUR * 2 + b"\n \nEnd\n", None, 2),
        (FOUR * 2 + b"0", None, 2),
        (b"Quizzes,solutions\n" + (FOUR[:-1] + b",1234341221434321\n") * 2, None, 2),
        (FOUR[:-1] + b",1234341221434312\n", None, None),
        (b"3\n" + FOUR * 2, None, None),
        (b"0\n" + FOUR, None, None),
        (FOUR + b"\n" + FOUR, None, None),
        (b"# two\n" + FOUR, None, None),
        (FOUR + b"0..............1\n", None, None),
        (FOUR + b"5...............\n", None, None),
        (FOUR + b"-" * 16 + b"\n" + FOUR, None, None),
        (FOUR + b"-" * 16, None, None),
        (FOUR + b"." * 81 + b"\n", None, None),
        (b"." * 256, None, None),
        (b"", None, None),
    ],
)
def test_what_is_plain_is_taken_and_the_rest_left(raw: bytes, box: tuple[int, int] | None, count: int | None) -> None:
    stream = BytesIO(raw)
    lines = plain_lines(stream, box)
    assert (None if lines is None else len(lines)) == count
    assert stream.read() == (b"" if count else raw)


def test_answers_together_are_those_one_by_one() -> None:
    some = ["".join(map(str, each.clues.digits)) for each in mixed_puzzles(40) if each.order == 9]
    some += [ONE_SOLUTION, NO_SOLUTION, CROSSED, "11" + "0" * 79] * 5
    lines = plain_lines(BytesIO("\n".join(some).encode()))
    assert lines is not None
    session, alone = Session(), Session()
    for part in lines.batches(10):
        numbers = [alone.count_solutions(part.puzzle(index), 2) for index in range(len(part))]
        found = only_solutions_of(part, session)[1].tolist()
        assert all(number == 1 for number, is_only in zip(numbers, found, strict=True) if is_only)
        solved = solve_lines(None, part, session)
        answers = [one for each in solved for one in (each.split() if isinstance(each, str) else [each])]
        for index, answer in enumerate(answers):
            result = alone.solve(part.puzzle(index))
            if result.grid is None:
                assert isinstance(answer, tuple)
                assert (answer[0], answer[1].status) == (index, result.status)
            elif numbers[index] == 1:
                assert answer == "".join(map(str, result.grid.digits))
    assert alone.solve(lines.puzzle(len(lines) - 1)).status is Status.INFEASIBLE


def test_arrays_count_all_solutions() -> None:
    assert (lines_of(np.zeros((3, 2, 8), int)), lines_of(["2\n1" + "." * 15, "." * 16])) == (None, None)
    random = Random(5)
    for ruleset, clues in ((classic(4), 2), (classic(6, (2, 3)), 9), (NINE, 26), (NINE, 27), (NINE, 28)):
        puzzle = keep_clues(ruleset, random_solution(ruleset, random.randrange(99)), clues, random)
        session, counts = Session(), [0, *running_counts(puzzle)]
        assert counts == sorted(counts)
        assert counts[-1] == session.count_solutions(puzzle) == Session("cadical195").count_solutions(puzzle)
        assert (session.ground == "a refutation by arrays") == (counts[-1] >= 100)


UNLIKE = re.compile(r"plain:\d+|remarked:\d+|\"backend\".*")
"""What says where a puzzle stood, and who answered it."""


def test_a_long_file_of_plain_lines_is_answered_as_line_by_line(ringdoku_here: Run, tmp_path: Path) -> None:
    some = ["".join(map(str, each.clues.digits)) for each in mixed_puzzles(40) if each.order == 9]
    text = "\n".join([*some, ONE_SOLUTION, NO_SOLUTION, "11" + "0" * 79] * 5)
    (tmp_path / "plain").write_text(f"{len(text.split())}\n{text}\n\nend\n")
    (tmp_path / "remarked").write_text(f"# not plain\n{text}")
    for command in (
        ("solve", "--backend", "cadical195"),
        ("solve", "--backend", "cadical195", "--output-format", "line", "--time-limit", "20"),
        ("check", "--unique"),
        ("count", "--at-most", "2"),
        ("count", "--at-most", "2", "--output-format", "json"),
    ):
        plain, remarked = (ringdoku_here(*command, "--jobs", "1", file, cwd=tmp_path) for file in ("plain", "remarked"))
        assert plain.returncode == remarked.returncode
        for one, other in zip(plain.stdout.splitlines(), remarked.stdout.splitlines(), strict=True):
            assert UNLIKE.sub("", one) == UNLIKE.sub("", other)
        assert len(plain.stdout.splitlines()) >= text.count("\n") + 1
        assert plain.stderr.count("contradict") == remarked.stderr.count("contradict")
    assert ringdoku_here("solve", "plain", "-o", "{number}", cwd=tmp_path).returncode == 1
    assert len(list(tmp_path.iterdir())) == text.count("\n") + 3


def test_a_pipe_is_answered_as_a_file_if_its_writer_does_not_make_us_wait(ringdoku: Run) -> None:
    asked = ("check", "--unique", "--output-format", "json")
    answers = ringdoku(*asked, input=f"{ONE_SOLUTION}\n" * 60).stdout.splitlines()
    assert len(answers) == 60
    assert all("by arrays" in answer for answer in answers)
    with running(SCRIPT, *asked) as (process, put, out, _):
        put.write(f"{ONE_SOLUTION}\n" * 60)
        put.flush()
        assert "by arrays" not in "".join(out.readline() for _ in range(60))
        put.close()
        assert process.wait(30) == 0


def mutants(puzzle: Puzzle, solution: Grid, random: Random) -> Iterator[tuple[int, ...]]:
    """The solution, and grids that are nearly the same."""
    digits, n = solution.digits, solution.order
    yield digits
    for _ in range(20):
        cell, other = random.sample(range(n * n), 2)
        row, another = cell // n * n, other // n * n
        changed, turned, swapped, blank = (list(digits) for _ in range(4))
        changed[cell] = random.randint(1, n)
        turned[cell], turned[other] = digits[other], digits[cell]
        # each row, and with luck each column or box, stays complete
        swapped[row : row + n], swapped[another : another + n] = digits[another : another + n], digits[row : row + n]
        blank[cell] = 0
        # a solution, but of another puzzle
        names = random.sample(range(1, n + 1), n)
        yield from map(tuple, (changed, turned, swapped, blank, [names[digit - 1] for digit in digits]))
    latin = tuple((row + column) % n + 1 for row in range(n) for column in range(n))
    yield from (latin, (1,) * n * n, puzzle.clues.digits)


@pytest.mark.parametrize("ruleset", GEOMETRIES, ids=str)
def test_the_checker_of_arrays_says_what_the_checker_says(ruleset: Ruleset) -> None:
    random, box = Random(7), ruleset.require_classic("arrays")
    clues, grids, right = [], [], []
    for seed in range(8):
        solution = random_solution(ruleset, seed=seed)
        given = random.sample(range(len(solution.digits)), random.randint(0, len(solution.digits) // 2))
        puzzle = Puzzle(ruleset, solution.only(given))
        for digits in mutants(puzzle, solution, random):
            clues.append(puzzle.clues.digits)
            grids.append(digits)
            right.append(not check(puzzle, Grid(digits, ruleset.board)))
    assert are_solutions(np.array(clues, np.uint8), np.array(grids, np.uint8), box).tolist() == right
    assert 30 < sum(right) < len(right) / 2
    # what no grid can hold
    beyond = np.array([grids[0]], np.uint8)
    beyond[0, 0] += ruleset.order
    assert not are_solutions(np.zeros_like(beyond), beyond, box).any()


@pytest.mark.parametrize("ruleset", GEOMETRIES, ids=str)
def test_arrays_find_only_solutions_whatever_stands_beside_them(ruleset: Ruleset) -> None:
    box, size = ruleset.require_classic("arrays"), ruleset.board.cell_count
    some = [random_puzzle(ruleset, count, seed=count, wrong=count % 3 % 2) for count in range(2, size, size // 16)]
    session = Session()
    solutions = [list(islice(session.solutions(puzzle), 2)) for puzzle in some]
    clues = np.array([puzzle.clues.digits for puzzle in some], np.uint8)
    grids, found = only_solutions(clues, box)
    for grid, is_found, all_of in zip(grids, found, solutions, strict=True):
        assert not is_found or [tuple(grid.tolist())] == [each.digits for each in all_of]
    assert found.sum() >= 3
    for index in range(len(some)):
        alone, is_found = only_solutions(clues[index : index + 1], box)
        assert is_found == found[index : index + 1]
        assert not is_found or (alone == grids[index]).all()


def test_a_search_that_was_cut_off_has_found_no_only_solution() -> None:
    # with so many clues some searches end after one of several solutions
    some = [random_puzzle(NINE, count, seed=seed) for count in (29, 30, 31, 32, 33) for seed in range(40)]
    clues = np.array([puzzle.clues.digits for puzzle in some], np.uint8)
    _, found = only_solutions(clues, (3, 3))
    session = Session()
    assert {session.count_solutions(some[index], at_most=2) for index in np.flatnonzero(found)} == {1}
