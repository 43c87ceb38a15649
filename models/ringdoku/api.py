"""The functions of the library: each asks one question, by a `Session` of its own."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, zip_longest
from typing import TYPE_CHECKING

from ringdoku.domain import Grid, Puzzle, Result, RingdokuError, Ruleset, UsageError, checker, classic
from ringdoku.domain.checker import Violation
from ringdoku.domain.errors import expect, listed, numbered_errors, refuse, whole_number
from ringdoku.limits import Deadline, interrupts_held
from ringdoku.proofs.claim import Claim
from ringdoku.services.lines import lines_of
from ringdoku.services.session import GridLike, ObjectiveLike, PuzzleLike, Session, as_grid, as_objective, as_puzzle
from ringdoku.solvers.registry import Progress
from ringdoku.text import parse_one

if TYPE_CHECKING:
    from ringdoku.proofs.certificate import Certificate


def solve(puzzle: PuzzleLike, backend: str = "auto", time_limit: float | None = None, seed: int = 0) -> Result:
    """Any one solution of `puzzle`, checked.

    `time_limit` in seconds; status satisfiable, infeasible, or unknown at the limit. If a `cmd:` program says
    infeasible and writes no proof, `word_of` of the result names the program. `seed` is for CP-SAT, which `lp-sat` asks
    too. For many puzzles a `Session`, which keeps its solver, is much faster. Raises `UsageError` for a wrong backend.
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
    all together) the last one is feasible, that is not proved to be the next, or unknown. Raises as `maximise` does.
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
    """As `maximise`, but of all best solutions the lexicographically first, compared row by row. At the time limit it
    is feasible; if its bound then equals its score, it is a best one, only not proved to be the first."""
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
    unique. Raises `UsageError` for an `at_most` below 1, `TimeLimitError` if the limit comes first."""
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
    `objective` (ring weights when None), computed in integers; without it, a score above the grid in a text is the
    claimed one. Raises `InputError` for a text that holds no grid, `UsageError` for anything else, `DimensionError` for
    weights of another size and digits that the board does not have.
    """
    puzzle = as_puzzle(puzzle)
    grid, stated = as_grid(grid, puzzle)
    score = stated if claimed_score is None else whole_number(claimed_score, "scores")
    return checker.check(puzzle, grid, as_objective(objective, puzzle), score)


def check_many(puzzles: Iterable[PuzzleLike], grids: Iterable[GridLike]) -> Iterator[list[Violation]]:
    """`check` for each puzzle and its grid, in order. Raises `UsageError` at the end of the shorter input if there are
    more puzzles than grids, or the reverse, and otherwise as `check` does, with the number of the pair, from 1."""
    lines, grid_lines = lines_of(puzzles), lines_of(grids)
    are_right: Iterator[object] = iter(())
    if lines and grid_lines and lines.ruleset == grid_lines.ruleset and len(lines) == len(grid_lines):
        box, pairs = lines.ruleset.require_classic("lines"), zip(lines.batches(), grid_lines.batches(), strict=True)
        are_right = chain.from_iterable(checker.are_solutions(clues.digits, full.digits, box) for clues, full in pairs)
    for number, (puzzle, grid) in enumerate(zip_longest(listed(puzzles, "puzzles"), listed(grids, "grids")), 1):
        if puzzle is None or grid is None:
            raise UsageError(f"there are more {'puzzles than grids' if grid is None else 'grids than puzzles'}")
        violations = list[Violation]()
        if not next(are_right, False):
            with numbered_errors(number):
                violations = check(puzzle, grid)
        yield violations


def generate(
    rules: Ruleset | int = 9,
    clues: int | tuple[int, int] | None = None,
    minimal: bool = False,
    symmetry: str = "none",
    kinds: Sequence[str] = (),
    level: str | int | tuple[str | int, str | int] | None = None,
    seed: int = 0,
    time_limit: float | None = None,
) -> Puzzle:
    """A puzzle with exactly one solution, proved; the same for the same seed.

    `rules` are a ruleset, or the order of a classic one. `clues` is their number, or the fewest and the most; without
    it no clue, or no group of a `symmetry`, can be left out, and in a `minimal` puzzle no placed constraint either.
    `symmetry`, `kinds` of constraints that are placed over the solution, and `level`, such as `2` or `2-3`, or the
    easiest and the hardest, are as for `ringdoku generate`. Raises `UsageError` for settings that contradict each
    other, `RingdokuError` if no such puzzle was found, for example within the time limit (seconds).
    """
    # these load a solver and all constraints
    from ringdoku.services.generator import make
    from ringdoku.services.spec import Spec, span_of_levels

    ruleset = rules if isinstance(rules, Ruleset) else classic(rules)
    asked = clues if isinstance(clues, Sequence) else (clues,)
    refuse(len(asked) not in (1, 2), f"clues are one number or two, from and to, not {clues!r}")
    span = None if clues is None else (whole_number(asked[0], "clues"), whole_number(asked[-1], "clues"))
    given = level if isinstance(level, (tuple, list)) else (level,)
    levels = None if level is None else span_of_levels("-".join(map(str, given)))
    spec = Spec(ruleset, span, minimal, symmetry, kinds=tuple(listed(kinds, "kinds")), levels=levels)
    made = next(make(spec, whole_number(seed, "seeds"), time_limit))
    if made.puzzle is None:
        raise RingdokuError(f"no such puzzle was found: {made.remark}")
    return made.puzzle


def certify(
    puzzle: PuzzleLike,
    claim: Claim,
    grids: Iterable[Grid] = (),
    objective: ObjectiveLike | None = None,
    time_limit: float | None = None,
    form: str = "3.0",
) -> "Certificate":
    """A model of a puzzle and a proof of a claim that is known to be true of it; our own checkers accepted them.

    `grids` are all solutions that the claim counts, or one of best score. `form` is a version of VeriPB's format, 3.0
    or 1.2, or `drat` for a formula and a DRAT proof. Raises `TimeLimitError`, `DisagreementError` for a false claim,
    `UsageError` for other grids, and where 1.2 is to count solutions of a board with extra cells.
    """
    # these load numpy and a solver
    with interrupts_held():
        from ringdoku.proofs.certificate import make_certificate
    puzzle, solutions = as_puzzle(puzzle), [expect(grid, Grid, "a solution") for grid in listed(grids, "solutions")]
    expect(claim, Claim, "a claim")
    wanted = 1 if claim.count is None else claim.count
    refuse(len(solutions) != wanted, f"{claim} is certified with so many solutions: {wanted}, not {len(solutions)}")
    refuse(len(set(solutions)) < wanted, "a solution is given twice")
    return make_certificate(puzzle, as_objective(objective, puzzle), claim, solutions, form, Deadline.asked(time_limit))


parse = parse_one
maximize = maximise
minimize = minimise
