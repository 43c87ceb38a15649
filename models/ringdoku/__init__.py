"""Sudoku as a mathematical model: solve, maximise with a proof, count, export, compare.

A puzzle is a `Puzzle`, a text in nearly any form, or rows of digits, such as a NumPy array:

>>> import ringdoku
>>> puzzle = ringdoku.parse("1...\\n.2..\\n....\\n...3\\n")

Functions ask one question each. Every grid and score is checked before you get it:

>>> ringdoku.solve(puzzle).status.value
'satisfiable'
>>> ringdoku.solve("1...\\n.1..\\n....\\n....\\n").status.value
'infeasible'
>>> best = ringdoku.maximise(puzzle)
>>> best.score, best.bound, best.status.value
(250, 250, 'optimal')
>>> ringdoku.count_solutions(puzzle)
6
>>> ringdoku.candidates(puzzle)[1]
(3, 4)
>>> best.grid[0, 0], len(best.grid), sum(map(sum, best.grid))
(1, 4, 40)

A `Session` has the functions as methods and keeps its solver between many puzzles. `ringdoku.exports` writes models for
other solvers, `ringdoku.compare` measures them; `classic`, `Ruleset` and `ringdoku.constraints` are for other rules.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, zip_longest
from typing import TYPE_CHECKING

from ringdoku.domain import checker
from ringdoku.domain.board import Board as Board
from ringdoku.domain.checker import Violation as Violation
from ringdoku.domain.errors import BackendError as BackendError
from ringdoku.domain.errors import DimensionError as DimensionError
from ringdoku.domain.errors import DisagreementError as DisagreementError
from ringdoku.domain.errors import InputError as InputError
from ringdoku.domain.errors import MalformedError as MalformedError
from ringdoku.domain.errors import MissingPackageError as MissingPackageError
from ringdoku.domain.errors import Place as Place
from ringdoku.domain.errors import RefutedError as RefutedError
from ringdoku.domain.errors import RingdokuError as RingdokuError
from ringdoku.domain.errors import TimeLimitError as TimeLimitError
from ringdoku.domain.errors import UsageError as UsageError
from ringdoku.domain.errors import expect, listed, whole_numbers
from ringdoku.domain.grid import Grid as Grid
from ringdoku.domain.objective import Objective as Objective
from ringdoku.domain.objective import Sense as Sense
from ringdoku.domain.objective import ring_weights as ring_weights
from ringdoku.domain.result import Result as Result
from ringdoku.domain.result import Status as Status
from ringdoku.domain.ruleset import Puzzle as Puzzle
from ringdoku.domain.ruleset import Ruleset as Ruleset
from ringdoku.domain.ruleset import classic as classic
from ringdoku.duality.bound import Bound as Bound
from ringdoku.duality.bound import check_bound as check_bound
from ringdoku.explanations.explanation import Explanation as Explanation
from ringdoku.explanations.explanation import Rating as Rating
from ringdoku.explanations.explanation import Step as Step
from ringdoku.explanations.inferences import Case as Case
from ringdoku.explanations.inferences import CellTruth as CellTruth
from ringdoku.explanations.inferences import HouseTruth as HouseTruth
from ringdoku.explanations.inferences import Inference as Inference
from ringdoku.explanations.inferences import RuleTruth as RuleTruth
from ringdoku.explanations.inferences import UnitTruth as UnitTruth
from ringdoku.explanations.path import Outcome as Outcome
from ringdoku.limits import Deadline, interrupts_held
from ringdoku.proofs.model import Claim as Claim
from ringdoku.proofs.verifying import verify as verify
from ringdoku.services.canonical import Canonical as Canonical
from ringdoku.services.canonical import canonical as canonical
from ringdoku.services.canonical import canonical_many as canonical_many
from ringdoku.services.counting import candidates as candidates
from ringdoku.services.counting import count_exactly as count_exactly
from ringdoku.services.counting import estimate_count as estimate_count
from ringdoku.services.counting import sample_solutions as sample_solutions
from ringdoku.services.explaining import bound as bound
from ringdoku.services.explaining import explain as explain
from ringdoku.services.explaining import rate as rate
from ringdoku.services.explaining import why_best as why_best
from ringdoku.services.explaining import why_none as why_none
from ringdoku.services.explaining import why_several as why_several
from ringdoku.services.lines import lines_of
from ringdoku.services.session import GridLike, ObjectiveLike, PuzzleLike, as_grid, as_objective, as_puzzle
from ringdoku.services.session import Session as Session
from ringdoku.solvers.registry import BACKENDS as BACKENDS
from ringdoku.solvers.registry import Progress as Progress
from ringdoku.text import parse_one
from ringdoku.text import read_puzzles as read_puzzles
from ringdoku.text import write_puzzles as write_puzzles

if TYPE_CHECKING:
    from ringdoku.proofs.certificate import Certificate

__version__ = "0.2.0"


def solve(puzzle: PuzzleLike, backend: str = "auto", time_limit: float | None = None, seed: int = 0) -> Result:
    """Any one solution of `puzzle`, checked.

    `time_limit` in seconds; status satisfiable, infeasible, or unknown at the limit. If a `cmd:` program says
    infeasible and writes no proof, `word_of` of the result names the program. `seed` is for CP-SAT, which `lp-sat` asks
    too. For many puzzles a `Session` is much faster, since it keeps its solver. Raises `UsageError` for an unknown
    backend.
    """
    return Session(backend, seed).solve(puzzle, time_limit)


def maximise(
    puzzle: PuzzleLike,
    objective: ObjectiveLike | None = None,
    backend: str = "auto",
    time_limit: float | None = None,
    seed: int = 0,
    on_progress: Callable[[Progress], None] | None = None,
) -> Result:
    """A solution of best score, proved and checked. The objective None means the ring weights.

    The objective's own sense decides: one that minimises is minimised. Status optimal or infeasible; at the time limit
    (seconds) feasible with the best grid and bound so far, or unknown. `on_progress` is called with each better score
    and its grid, checked, or bound. Raises what `solve` raises, and `DimensionError` for weights of another order.
    """
    return Session(backend, seed).maximise(puzzle, objective, time_limit, on_progress)


def solve_many(
    puzzles: Iterable[PuzzleLike],
    backend: str = "auto",
    time_limit: float | None = None,
    seed: int = 0,
    jobs: int | None = None,
    cluster: str | None = None,
) -> Iterator[Result]:
    """`solve` for each puzzle, in order, as the answers come; the time limit is for each.

    `jobs` is the number of processes, None for one a core as soon as that pays. Statuses do not depend on it; with 1
    the same puzzles and seed give the same solutions. `cluster` is the address of a dask.distributed scheduler whose
    workers answer instead. Raises as `solve` does, at the puzzle's turn, `BackendError` when its process dies, and
    `UsageError` when the cluster cannot be reached or has no worker.
    """
    return Session(backend, seed, jobs, cluster).solve_many(puzzles, time_limit)


def maximise_many(
    puzzles: Iterable[PuzzleLike],
    objective: ObjectiveLike | None = None,
    backend: str = "auto",
    time_limit: float | None = None,
    seed: int = 0,
    jobs: int | None = None,
    cluster: str | None = None,
) -> Iterator[Result]:
    """`maximise` for each puzzle, in order, as the answers come; everything else as in `solve_many`. The objective is
    the ring weights of each board when None."""
    return Session(backend, seed, jobs, cluster).maximise_many(puzzles, objective, time_limit)


def minimise(
    puzzle: PuzzleLike,
    objective: ObjectiveLike | None = None,
    backend: str = "auto",
    time_limit: float | None = None,
    seed: int = 0,
    on_progress: Callable[[Progress], None] | None = None,
) -> Result:
    """The opposite of `maximise`: a solution of lowest score for the objective's weights."""
    return Session(backend, seed).minimise(puzzle, objective, time_limit, on_progress)


def best_solutions(
    puzzle: PuzzleLike,
    count: int,
    objective: ObjectiveLike | None = None,
    backend: str = "auto",
    time_limit: float | None = None,
    seed: int = 0,
    on_progress: Callable[[Progress], None] | None = None,
) -> Iterator[Result]:
    """The `count` best solutions, best first, each yielded as soon as it is proved to be the next; fewer if there are
    no more. They are different, but may have equal scores.

    The first is the answer of `maximise`, infeasible for a puzzle without a solution. At the time limit (seconds, for
    all together) the last one is feasible, which means not proved to be the next, or unknown. Raises what `maximise`
    raises.
    """
    return Session(backend, seed).best_solutions(puzzle, count, objective, time_limit, on_progress)


def first_best(
    puzzle: PuzzleLike,
    objective: ObjectiveLike | None = None,
    backend: str = "auto",
    time_limit: float | None = None,
    seed: int = 0,
    on_progress: Callable[[Progress], None] | None = None,
) -> Result:
    """As `maximise`, and of all best solutions the first one: that with the least digits, compared row by row. At the
    time limit it is feasible; where its bound is its score, it is best, and only not proved to be the first."""
    return Session(backend, seed).first_best(puzzle, objective, time_limit, on_progress)


def solutions(
    puzzle: PuzzleLike, backend: str = "auto", time_limit: float | None = None, seed: int = 0
) -> Iterator[Grid]:
    """Every solution of `puzzle` once, checked, as soon as it is found. Raises `TimeLimitError` at the limit."""
    return Session(backend, seed).solutions(puzzle, time_limit)


def count_solutions(
    puzzle: PuzzleLike, at_most: int | None = None, backend: str = "auto", time_limit: float | None = None
) -> int:
    """The number of solutions, counted one by one up to `at_most` ≥ 1. With 2, the answer says whether a solution is
    unique. Raises `UsageError` for an `at_most` below 1, `TimeLimitError` when the limit comes before the count is
    complete."""
    return Session(backend).count_solutions(puzzle, at_most, time_limit)


def count_many(
    puzzles: Iterable[PuzzleLike],
    at_most: int | None = 2,
    backend: str = "auto",
    time_limit: float | None = None,
    jobs: int | None = None,
) -> Iterator[int | None]:
    """`count_solutions` for each puzzle, in order, as the answers come; None where the time limit, which is for each,
    came first. Everything else as in `solve_many`."""
    return Session(backend, jobs=jobs).count_many(puzzles, at_most, time_limit)


def check(
    puzzle: PuzzleLike, grid: GridLike, objective: ObjectiveLike | None = None, claimed_score: int | None = None
) -> list[Violation]:
    """All that is wrong with `grid` as a solution of `puzzle`; empty when it is one.

    The grid is a `Grid`, a text, or rows of digits, such as a NumPy array. A `claimed_score` must equal the score under
    `objective` (ring weights when None), computed in integers. A score that stands above a grid as text is its claimed
    score. Raises `InputError` for a text that holds no grid, `UsageError` for anything else, `DimensionError` for
    weights of another size and digits that the board does not have.
    """
    puzzle = as_puzzle(puzzle)
    grid, stated = as_grid(grid, puzzle)
    score = stated if claimed_score is None else whole_numbers((claimed_score,), "scores")[0]
    return checker.check(puzzle, grid, as_objective(objective, puzzle), score)


def check_many(puzzles: Iterable[PuzzleLike], grids: Iterable[GridLike]) -> Iterator[list[Violation]]:
    """`check` for each puzzle and its grid, in order. Raises `UsageError` where there are more of one than of the
    other, at the end of the shorter, and as `check` does."""
    asked, given = lines_of(puzzles), lines_of(grids)
    right: Iterator[object] = iter(())
    if asked and given and asked.ruleset == given.ruleset and len(asked) == len(given):
        box, both = asked.ruleset.require_classic("lines"), zip(asked.parts(), given.parts(), strict=True)
        right = chain.from_iterable(checker.are_solutions(one.digits, other.digits, box) for one, other in both)
    for puzzle, grid in zip_longest(listed(puzzles, "puzzles"), listed(grids, "grids")):
        if puzzle is None or grid is None:
            raise UsageError(f"there are more {'puzzles' if grid is None else 'grids'} than there are of the others")
        yield [] if next(right, False) else check(puzzle, grid)


def generate(
    rules: Ruleset | int = 9,
    clues: int | tuple[int, int] | None = None,
    minimal: bool = False,
    symmetry: str = "none",
    kinds: Sequence[str] = (),
    level: str | tuple[str, str] | None = None,
    seed: int = 0,
    time_limit: float | None = None,
) -> Puzzle:
    """A puzzle with exactly one solution, proved; the same for the same seed.

    `rules` are a ruleset, or the order of a classic one. `clues` is their number, or the fewest and the most; without
    it none can be left out, nor of `minimal` puzzles any constraint. `symmetry`, `kinds` of constraints that are placed
    over the solution, and `level`, one or the easiest and the hardest, are as for `ringdoku generate`. Raises
    `UsageError` for wishes that contradict each other, `RingdokuError` where no such puzzle was found, which may be
    after the time limit (seconds).
    """
    # these load a solver and all constraints
    from ringdoku.services.generator import make
    from ringdoku.services.spec import Spec

    ruleset = rules if isinstance(rules, Ruleset) else classic(rules)
    span = (clues, clues) if isinstance(clues, int) else clues
    levels = (level, level) if isinstance(level, str) else level
    spec = Spec(ruleset, span, minimal, symmetry, kinds=tuple(kinds), levels=levels)
    made = next(make(spec, seed, time_limit))
    if made.puzzle is None:
        raise RingdokuError(f"no such puzzle was found: {made.missing}")
    return made.puzzle


def certify(
    puzzle: PuzzleLike,
    claim: Claim,
    grids: Iterable[Grid] = (),
    objective: ObjectiveLike | None = None,
    time_limit: float | None = None,
    form: str = "3.0",
) -> "Certificate":
    """A model and a proof of what is known to be true of a puzzle; our own checkers accepted them.

    `grids` are all solutions that the claim counts, or one of best score. `form` is a version of VeriPB's format, 3.0
    or 1.2, or `drat` for a formula and a DRAT proof. Raises `TimeLimitError`, `DisagreementError` for a false claim,
    `UsageError` for other grids, and where 1.2 is to count solutions of a board with extra cells.
    """
    # these load numpy and a solver
    with interrupts_held():
        from ringdoku.proofs.certificate import certified
    puzzle, solutions = as_puzzle(puzzle), list(listed(grids, "solutions"))
    expect(claim, Claim, "a claim")
    for grid in solutions:
        expect(grid, Grid, "a solution")
    if claim.count is None and len(solutions) != 1:
        raise UsageError(f"the best score is certified with one solution that has it, not {len(solutions)}")
    return certified(puzzle, as_objective(objective, puzzle), claim, solutions, form, Deadline.asked(time_limit))


parse = parse_one
maximize = maximise
minimize = minimise
