"""Sets of tests for contest judges: puzzles that catch wrong or slow programs, with proved answers.

The clue counts are those of NOIP 2009 "target sudoku" (Luogu P1074): 40 % of the tests have at least 30 clues, 80 % at
least 26, all at least 24; on smaller boards as many in proportion. Only tests for slow programs have more than
`MOST_SOLUTIONS` solutions, so that a program can look at all of the others.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from operator import mul
from random import Random
from typing import Any

from ringdoku.domain import Board, Grid, Lines, Objective, Puzzle, Ruleset, classic, is_by_cell, ring_weights
from ringdoku.domain.checker import repeats
from ringdoku.domain.errors import DisagreementError, RingdokuError, UsageError, refuse
from ringdoku.limits import NEVER, Deadline
from ringdoku.services.generator import make, random_solution, random_solution_of
from ringdoku.services.session import Session
from ringdoku.services.spec import Solutions, Spec
from ringdoku.solvers.incremental import RulesSolver

MOST_SOLUTIONS = 1000
MOST_NODES = 250_000
"""The node limit of a plain search, several seconds in PyPy."""
MOST_TRIED = 40 * MOST_NODES
"""The node limit of all plain searches for one test, a quarter of a minute; the longest of twenty sets took half."""
HARD = 100
"""How many times as many nodes a hard test takes by rows as by fewest candidates."""
ORDERS = range(4, 10)
"""Larger boards are beyond plain searches."""
SPANS = ((0.4, 30, 36), (0.8, 26, 29), (1.0, 24, 25))
"""(share, least, most): tests up to this share of the set have so many clues, of 81 cells."""


@dataclass(frozen=True)
class Task:
    """What programs have to do: a name of `JUDGES`, the rules, and the objective whose best score P1074 asks for.
    Raises `UsageError` for rules other than which cells differ, weights of digits, and orders outside `ORDERS`."""

    name: str
    ruleset: Ruleset = field(default_factory=lambda: classic(9))
    weights: Objective | None = None

    def __post_init__(self) -> None:
        board = self.ruleset.board
        other = [rule.text for rule in self.ruleset.constraints if [*rule.primitives(board)]]
        if not board.is_plain or self.ruleset.order not in ORDERS:
            raise UsageError(f"tests for judges are of order {ORDERS[0]} to {ORDERS[-1]}, not on a board of {board}")
        if other:
            raise UsageError(f"tests for judges have rules that say which cells differ; {other[0]} says more")
        refuse(Lines() not in self.ruleset.constraints, "tests for judges have no digit twice in a row or a column")
        if self.weights:
            self.weights.fits(board)
            refuse(not is_by_cell(self.weights.weights, board), "tests for judges have one weight for each cell")

    @property
    def objective(self) -> Objective:
        return self.weights or ring_weights(self.ruleset.board)

    def clues(self, of_81: int) -> int:
        """The number of clues on this board in proportion to that of 81 cells."""
        return round(of_81 * self.ruleset.board.cell_count / 81)


@dataclass(frozen=True)
class Test:
    """A puzzle, its purpose in a sentence, and its proved answers: the best score and one best grid, None if there is
    no solution; the numbers of all and of best solutions; and how many nodes a `plain_search` takes and the score of
    the solution that it finds first, by rows and by fewest candidates."""

    task: Task
    puzzle: Puzzle
    purpose: str
    score: int | None
    grid: Grid | None
    solutions: int
    best: int
    by_rows: tuple[int, int | None]
    by_fewest: tuple[int, int | None]


@dataclass(frozen=True)
class Purpose:
    """The purpose of a test in a `sentence`, and how to make tests that serve it, for which `holds` is true.

    Candidates come from the generator by `settings` of a `Spec`; or, with `cells`, they have random clues in these
    cells of the board, at least so many as the range `at_least` (of 81). A test has up to `most_solutions`, and plain
    searches stop at `most_nodes`. A `large` purpose is only for classic tests of order 9.
    """

    sentence: str
    holds: Callable[[Test], object] = bool
    settings: Mapping[str, Any] = field(default_factory=dict)
    cells: Callable[[Board], Sequence[int]] | None = None
    at_least: tuple[int, int] = (0, 0)
    most_solutions: int = MOST_SOLUTIONS
    most_nodes: int = MOST_NODES
    large: bool = False

    def candidates(
        self, task: Task, solution: Callable[[Random], Grid | None], random: Random, span: tuple[int, int]
    ) -> Iterator[Puzzle]:
        """Random puzzles that may be such tests, with numbers of clues in the span (of 81), no two contradictory."""
        least, most = map(task.clues, span)
        if task.ruleset.classic_box and not self.cells:
            if "symmetry" in self.settings:
                most += most % 2
            spec = Spec(task.ruleset, (least, most), **self.settings)
            yield from filter(None, (next(make(spec, random.getrandbits(60))).puzzle for _ in range(3000)))
            return
        low, high = map(task.clues, self.at_least)
        # a solution of other rules takes up to a second to find, so it serves a hundred times
        solutions, times = (3000, 1) if task.ruleset.classic_box else (10, 100)
        for _ in range(solutions):
            if (grid := solution(random)) is None:
                raise RingdokuError(f"there is no solution of {task.ruleset}")
            for _ in range(times):
                count = random.randint(max(least, low), max(most, high))
                cells = random.sample((self.cells or _all)(grid.board), count)
                clues = grid.only(set(cells))
                if self.settings.get("solutions") is Solutions.NONE:
                    clues = clues.put(cells[0], random.choice(grid.board.digits))
                puzzle = Puzzle(task.ruleset, clues)
                if not any(repeats(puzzle, clues)):
                    yield puzzle


def _all(board: Board) -> Sequence[int]:
    return range(board.cell_count)


def _lower_cells(board: Board) -> Sequence[int]:
    return range(board.rows // 3 * board.columns, board.cell_count)


_UNIQUE = Purpose("one solution", lambda test: test.solutions == 1)
_MANY = Purpose("several solutions", lambda test: test.solutions > 1, {"solutions": Solutions.MANY})
_NONE = Purpose(
    "no solution, and no two clues contradict each other",
    lambda test: test.solutions == 0,
    {"solutions": Solutions.NONE},
)
_SYMMETRIC = Purpose("one solution, clues symmetric by a half turn", _UNIQUE.holds, {"symmetry": "half-turn"})
_HARD = Purpose(
    f"row order searches more than {HARD} times as long as fewest candidates first",
    lambda test: test.by_rows[0] > HARD * test.by_fewest[0],
    large=True,
)
_LAST = Purpose("no clue in the first third: row order begins with blank rows", cells=_lower_cells, at_least=(30, 36))
_MIDDLE = Purpose(
    "no clue on the border",
    cells=lambda board: [cell for cell in range(board.cell_count) if board.ring(cell) > 0],
    at_least=(28, 33),
    large=True,
)
_TIES = Purpose("several grids have the best score", lambda test: test.best > 1, cells=_all)
_LATER = Purpose(
    "the solution that plain searches find first is not the best",
    lambda test: test.solutions > 1 and test.score not in (test.by_rows[1], test.by_fewest[1]),
    cells=_all,
)
_LONG = Purpose(
    "thousands of solutions: plain searches take too long",
    lambda test: test.by_fewest[0] >= MOST_NODES,
    cells=_lower_cells,
    at_least=(28, 30),
    most_solutions=10**6,
    most_nodes=4 * MOST_NODES,
    large=True,
)
_SLOW = Purpose(
    "row order takes too long",
    lambda test: test.by_rows[0] >= 3 * MOST_NODES,
    cells=_lower_cells,
    at_least=(30, 34),
    most_nodes=3 * MOST_NODES,
    large=True,
)

JUDGES: Mapping[str, tuple[Purpose, ...]] = {
    "P1074": (_UNIQUE, _MANY, _NONE, _LATER, _TIES, _LAST, _HARD, _MIDDLE, _SYMMETRIC, _LONG),
    "solve": (_UNIQUE, _HARD, _NONE, _MANY, _LAST, _SYMMETRIC, _MIDDLE, _SLOW),
}
"""The purposes that tests take in turn, the last test the last: P1074 asks for the best score, solve for a solution."""


def judge_set(
    task: Task, count: int, seed: int = 0, deadline: Deadline = NEVER, note: Callable[[str], object] = lambda _: None
) -> Iterator[Test]:
    """`count` tests for a task, those with most clues first. The same seed gives the same tests. If no test is found
    for a purpose, `note` is told, and the next purpose has its turn. Raises `RingdokuError` if there is none for any,
    and `TimeLimitError` at the deadline."""
    session, ruleset = Session(), task.ruleset
    is_large = ruleset.order == 9 and bool(ruleset.classic_box)
    purposes = [purpose for purpose in JUDGES[task.name] if is_large or not purpose.large]
    solution: Callable[[Random], Grid | None] = partial(random_solution, ruleset, session=session)
    if not ruleset.classic_box:
        solution = partial(random_solution_of, RulesSolver(ruleset, (), deadline))
        # the generator's symmetries are for classic rules
        purposes.remove(_SYMMETRIC)
    missed = set[tuple[str, int]]()
    for number in range(count):
        span = next((low, high) for share, low, high in SPANS if number < share * count)
        first, least = -1 if number == count - 1 > 0 else number % len(purposes), task.clues(span[0])
        for purpose in purposes[first:] + purposes[:first]:
            if (purpose.sentence, least) in missed:
                continue
            puzzles = purpose.candidates(task, solution, Random(f"{task.name} {seed} {number}"), span)
            if test := _first_test(task, puzzles, purpose, session, deadline):
                yield test
                break
            missed.add((purpose.sentence, least))
            note(f"left out, as there is no test with {least} clues or more: {purpose.sentence}")
        else:
            raise RingdokuError(f"no test with at least {least} clues was found")


def _first_test(
    task: Task, puzzles: Iterator[Puzzle], purpose: Purpose, session: Session, deadline: Deadline
) -> Test | None:
    """The test of the first puzzle that serves the purpose; None after `MOST_TRIED` nodes. Its score is checked."""
    tried, most = 0, purpose.most_nodes
    for puzzle in puzzles:
        if tried > MOST_TRIED:
            break
        deadline.check()
        nodes, found = by_fewest = plain_search(puzzle, True, purpose.most_solutions + 1, most)
        tried += nodes
        if len(found) > purpose.most_solutions or nodes >= most:
            continue
        scores = [sum(map(mul, task.objective.weights, digits)) for digits in found]
        best = max(scores, default=None)
        if task.name == "solve":
            searches = [plain_search(puzzle, fewest, 1, most) for fewest in (False, True)]
        else:
            searches = [plain_search(puzzle, False, len(found) + 1), by_fewest]
        tried += sum(nodes for nodes, _ in searches)
        firsts = [(nodes, task.objective.score(Grid(grids[0])) if grids else None) for nodes, grids in searches]
        test = Test(task, puzzle, purpose.sentence, best, None, len(scores), scores.count(best), *firsts)
        # the score -1 would say that there is no solution
        if best == -1 or not purpose.holds(test):
            continue
        result = session.maximise(puzzle, task.objective, time_limit=deadline.left())
        deadline.check()
        if result.score != best:
            raise DisagreementError(f"the best score is {result.score} by a solver, but all solutions say {best}")
        return replace(test, grid=result.grid)
    return None


def plain_search(
    puzzle: Puzzle, fewest: bool, most_solutions: int, most_nodes: int = MOST_NODES
) -> tuple[int, list[tuple[int, ...]]]:
    """The number of nodes of a backtracking search without propagation, and the solutions that it finds. It goes by
    rows, or to the cell with the `fewest` candidates, and stops after `most_solutions` or `most_nodes`, which are
    digits that it tries. No two clues may contradict each other."""
    digits, all_digits = list(puzzle.clues.digits), (1 << puzzle.order) - 1
    houses = [set(house.cells) for house in puzzle.ruleset.houses]
    houses_of = [[number for number, cells in enumerate(houses) if cell in cells] for cell in range(len(digits))]
    # a bit mask of the digits in each house
    used, nodes, found = [0] * len(houses), 0, list[tuple[int, ...]]()

    def flip(cell: int, mask: int) -> None:
        for house in houses_of[cell]:
            used[house] ^= mask

    def free(cell: int) -> int:
        taken = 0
        for house in houses_of[cell]:
            taken |= used[house]
        return all_digits & ~taken

    def fill(blank: list[int]) -> None:
        nonlocal nodes
        if not blank:
            found.append(tuple(digits))
            return
        cell = min(blank, key=lambda cell: free(cell).bit_count()) if fewest else blank[0]
        rest = [other for other in blank if other != cell]
        left = free(cell)
        while left and nodes < most_nodes and len(found) < most_solutions:
            nodes += 1
            mask = left & -left
            left ^= mask
            digits[cell] = mask.bit_length()
            flip(cell, mask)
            fill(rest)
            flip(cell, mask)

    for cell in [cell for cell, digit in enumerate(digits) if digit]:
        flip(cell, 1 << digits[cell] - 1)
    fill([cell for cell, digit in enumerate(digits) if not digit])
    return nodes, found
