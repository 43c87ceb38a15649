"""`Session` asks one loaded backend many questions and checks every answer; `shared_answers` uses other processes."""

import os
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import replace
from functools import lru_cache, partial
from io import BytesIO
from itertools import chain, islice
from threading import local
from typing import Any, TypeAlias, TypeVar

from ringdoku.domain import BackendError, DisagreementError, InputError, Place, Puzzle, TimeLimitError, WorkerDiedError
from ringdoku.domain.checker import check_result
from ringdoku.domain.errors import UsageError, counted, listed, numbered_errors, refuse, whole_number, whole_numbers
from ringdoku.domain.grid import Grid
from ringdoku.domain.objective import Objective, Sense, ring_weights
from ringdoku.domain.result import Result, Status
from ringdoku.limits import Deadline, without_collection
from ringdoku.services.lines import ARRAYS, ORDERS, answers_to_lines, lines_of, running_counts
from ringdoku.solvers.registry import Ability, Backend, Entry, Progress, Run, find, refutation_by
from ringdoku.text import or_raise, parse_one, read_stated

Answer = TypeVar("Answer")
Item = TypeVar("Item")
PuzzleLike: TypeAlias = Puzzle | str | Iterable[Iterable[int]]
GridLike: TypeAlias = Grid | str | Iterable[Iterable[int]]
ObjectiveLike: TypeAlias = Objective | Iterable[Iterable[Any]]

COUNTED_BY_SOLVER = 100
"""A solver counts so many solutions. If there are more, the search on arrays counts all in a tenth of the time."""


class Session:
    """The functions of `ringdoku` as methods, with one backend that stays loaded between questions.

    `backend` is a name of `BACKENDS`, or `auto` for the fastest backend for each question. A puzzle is a `Puzzle`, a
    text, or rows of digits; an objective an `Objective` or rows of weights, None for the ring weights. Time limits are
    in seconds, None for none. Each method raises what the function of its name raises.

    The first question raises `UsageError` for an unknown backend. Each thread loads its own solvers, and an iterator of
    solutions belongs to the thread that began it. A copy in another process starts without solvers, and stays there.

    `jobs` is the number of processes that share many puzzles, None for one a core as soon as that pays. Statuses and
    scores are the same for any number; where a puzzle has several solutions, the one that is found may differ.
    `cluster` is the address of a dask.distributed scheduler whose workers answer the puzzles of `solve_many`,
    `maximise_many` and `count_many` instead.
    """

    def __init__(self, backend: str = "auto", seed: int = 0, jobs: int | None = 1, cluster: str | None = None) -> None:
        seed, jobs = whole_number(seed, "seeds"), None if jobs is None else require_count(jobs, "jobs")
        conflict = cluster is not None and (jobs or 1) > 1
        refuse(conflict, "a cluster decides itself how many jobs there are; leave jobs out")
        self.backend, self.seed, self.jobs, self.cluster = backend, seed, jobs, cluster
        self.ground = self.answered_by = ""
        self._loaded = local()

    def __reduce__(self) -> tuple[object, ...]:
        return _copied, (os.getpid(), self.backend, self.seed, self.jobs, self.cluster)

    def solve(self, puzzle: PuzzleLike, time_limit: float | None = None) -> Result:
        """`ringdoku.solve`: any one solution."""
        puzzle = as_puzzle(puzzle)
        entry, backend, run = self._open(Ability.SATISFY, puzzle, time_limit)
        return check_result(puzzle, _timed_result(entry, run, backend.solve, puzzle, run))

    def maximise(
        self,
        puzzle: PuzzleLike,
        objective: ObjectiveLike | None = None,
        time_limit: float | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> Result:
        """`ringdoku.maximise`: a solution of best score, or at the time limit the best so far and a bound."""
        with closing(self.best_solutions(puzzle, 1, objective, time_limit, on_progress)) as found:
            return next(found)

    def minimise(
        self,
        puzzle: PuzzleLike,
        objective: ObjectiveLike | None = None,
        time_limit: float | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> Result:
        """`ringdoku.minimise`: a solution of lowest score for the objective's weights."""
        puzzle = as_puzzle(puzzle)
        lowest = replace(as_objective(objective, puzzle), sense=Sense.MINIMISE)
        return self.maximise(puzzle, lowest, time_limit, on_progress)

    maximize = maximise
    minimize = minimise

    def best_solutions(
        self,
        puzzle: PuzzleLike,
        count: int,
        objective: ObjectiveLike | None = None,
        time_limit: float | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> Generator[Result, None, None]:
        """`ringdoku.best_solutions`: the `count` ≥ 1 best ones in order; the time limit is for all of them together."""
        count = require_count(count)
        puzzle = as_puzzle(puzzle)
        weights = as_objective(objective, puzzle)
        entry, backend, run = self._open(Ability.OPTIMISE, puzzle, time_limit, weights, on_progress)
        earlier: list[Result] = []
        results = backend.ranked(puzzle, weights, run)
        for rank in range(1, count + 1):
            result = replace(_timed_result(entry, run, next, results), rank=rank)
            if result.status is Status.INFEASIBLE and earlier:
                return
            if result.grid in [other.grid for other in earlier]:
                raise DisagreementError(f"backend {result.backend} gave a solution that was excluded")
            score, best = result.score, earlier[-1].score if earlier else None
            if score is not None and best is not None and weights.sense.better(score, best):
                raise DisagreementError(f"backend {result.backend} found {score} when {best} was proved best")
            yield check_result(puzzle, result, weights)
            if result.status is not Status.OPTIMAL:
                return
            earlier.append(result)

    def first_best(
        self,
        puzzle: PuzzleLike,
        objective: ObjectiveLike | None = None,
        time_limit: float | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> Result:
        """`ringdoku.first_best`: of the solutions of best score the first one, row by row."""
        puzzle, deadline, start = as_puzzle(puzzle), Deadline.asked(time_limit), time.perf_counter()
        weights = as_objective(objective, puzzle)
        best = self.maximise(puzzle, weights, time_limit, on_progress)
        if best.grid is None or best.status is not Status.OPTIMAL:
            return best
        clues, digits, grounds = puzzle.clues, best.grid.digits, {best.ground}
        for cell in clues.open:
            # is there a best grid with the same digits before this cell, and a smaller one here?
            for digit in range(puzzle.board.least, digits[cell]):
                restricted, left = replace(puzzle, clues=clues.put(cell, digit)), deadline.remaining()
                found = self.maximise(restricted, weights, left) if left != 0 else Result(Status.UNKNOWN)
                if not found.status.is_final:
                    return replace(best, status=Status.FEASIBLE, seconds=time.perf_counter() - start, ground="")
                grounds.add(found.ground)
                if found.grid and found.score == best.score:
                    best, digits = found, found.grid.digits
                    break
            clues = clues.put(cell, digits[cell])
        return replace(best, seconds=time.perf_counter() - start, ground="; ".join(sorted(grounds)))

    def solve_many(self, puzzles: Iterable[PuzzleLike], time_limit: float | None = None) -> Iterator[Result]:
        """`ringdoku.solve_many`, which says more."""

        def of_unique(grid: Grid, seconds: float) -> Result:
            return Result(Status.SATISFIABLE, grid, backend=ARRAYS, seconds=seconds, ground="the grid")

        return self._many(puzzles, Session.solve, time_limit, of_unique)

    def count_many(
        self, puzzles: Iterable[PuzzleLike], at_most: int | None = 2, time_limit: float | None = None
    ) -> Iterator[int | None]:
        """`ringdoku.count_many`, which says more."""
        at_most = None if at_most is None else require_count(at_most)
        return self._many(puzzles, partial(count_or_none, at_most=at_most), time_limit, lambda *_: 1)

    def maximise_many(
        self, puzzles: Iterable[PuzzleLike], objective: ObjectiveLike | None = None, time_limit: float | None = None
    ) -> Iterator[Result]:
        """`ringdoku.maximise_many`, which says more."""
        # an iterator of rows is read once
        return self._many(puzzles, partial(Session.maximise, objective=_objective_or_none(objective)), time_limit)

    def _many(
        self,
        puzzles: Iterable[PuzzleLike],
        method: Callable[..., Answer],
        time_limit: float | None,
        of_unique: Callable[[Grid, float], Answer] | None = None,
    ) -> Iterator[Answer]:
        """What `method` returns for each puzzle; with `of_unique`, plain ones go in batches: see `answers_to_lines`."""
        # also for puzzles that need no solver
        Deadline.asked(time_limit)
        method = partial(method, time_limit=time_limit)
        lines = lines_of(puzzles) if self.backend == "auto" and of_unique else None
        questions: Iterator[Callable[[Session], Any]]
        if of_unique and lines:
            questions = (partial(answers_to_lines, method, of_unique, batch) for batch in lines.batches())
        else:
            questions = (partial(method, puzzle=puzzle) for puzzle in as_puzzles(puzzles))
        shared = shared_answers(self, questions, lambda question: question(self), lambda question: question)
        for number, (_, answer) in enumerate(shared, 1):
            try:
                found = answer()
            except WorkerDiedError as error:
                raise BackendError(str(error) if lines else f"puzzle {number}: {error}") from None
            yield from found if lines else [found]

    def solutions(self, puzzle: PuzzleLike, time_limit: float | None = None) -> Generator[Grid, None, None]:
        """`ringdoku.solutions`: every solution once, each checked. Raises `TimeLimitError` when the limit comes first.

        After the last one, `ground` says why there are no more, as in `Result`. `answered_by` names the backend.
        """
        puzzle = as_puzzle(puzzle)
        entry, backend, run = self._open(Ability.ENUMERATE, puzzle, time_limit)
        self.ground, self.answered_by = "", entry.name
        for grid in backend.enumerate(puzzle, run):
            check_result(puzzle, Result(Status.SATISFIABLE, grid, backend=entry.name))
            yield grid
        self.ground = run.effort.ground or entry.ground

    def count_solutions(self, puzzle: PuzzleLike, at_most: int | None = None, time_limit: float | None = None) -> int:
        """`ringdoku.count_solutions`: how many there are, counted no further than `at_most` ≥ 1."""
        at_most = None if at_most is None else require_count(at_most)
        known = 0
        for known in self.counts(puzzle, time_limit):
            if at_most is not None and known >= at_most:
                return at_most
        return known

    def counts(self, puzzle: PuzzleLike, time_limit: float | None = None) -> Iterator[int]:
        """How many solutions are known so far. The last number counts all, and then `ground` says why there are no
        more. Raises what `solutions` raises."""
        puzzle, deadline, known = as_puzzle(puzzle), Deadline.asked(time_limit), 0
        is_plain = self.backend == "auto" and puzzle.ruleset.classic_box and puzzle.order in ORDERS
        with closing(self.solutions(puzzle, time_limit)) as grids:
            for known, _ in enumerate(islice(grids, COUNTED_BY_SOLVER if is_plain else None), 1):
                yield known
        if known == COUNTED_BY_SOLVER and is_plain:
            self.answered_by = ARRAYS
            for found in running_counts(puzzle):
                deadline.check()
                known = max(known, found)
                yield known
            self.ground = refutation_by(ARRAYS)

    # rules become primitives here: many small objects that stay
    @without_collection()
    def _open(
        self,
        ability: Ability,
        puzzle: Puzzle,
        time_limit: float | None,
        objective: Objective | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> tuple[Entry, Backend, Run]:
        """A backend's entry, the loaded backend, its run. Choosing takes from the time limit, loading does not."""
        deadline = Deadline.asked(time_limit)
        entry = find(self.backend, ability, puzzle=puzzle)
        left = deadline.remaining()
        # the backends of this thread
        loaded: dict[str, Backend] = vars(self._loaded)
        if entry.name not in loaded:
            loaded[entry.name] = entry.open()

        def check_progress(progress: Progress) -> None:
            if progress.grid is not None:
                found = Result(Status.FEASIBLE, progress.grid, progress.score, backend=entry.name)
                check_result(puzzle, found, objective)
            if on_progress:
                on_progress(progress)

        return entry, loaded[entry.name], Run(Deadline(left), self.seed, check_progress if on_progress else None)


def count_or_none(session: Session, puzzle: Puzzle, at_most: int | None, time_limit: float | None) -> int | None:
    """As `Session.count_solutions`, with None at the time limit."""
    with suppress(TimeLimitError):
        return session.count_solutions(puzzle, at_most, time_limit)
    return None


def require_count(count: int, what: str = "solutions") -> int:
    """The number of `what` as an `int`. Raises `UsageError` unless it is a whole number and at least 1."""
    number = whole_number(count, f"numbers of {what}")
    refuse(number < 1, f"a number of {what} is at least 1, not {count}")
    return number


def _timed_result(entry: Entry, run: Run, question: Callable[..., Result], *arguments: Any) -> Result:
    start = time.perf_counter()
    try:
        result = question(*arguments)
    except TimeLimitError:
        # before anything was found, for example while a formula was built
        result = Result(Status.UNKNOWN)
    seconds, proof = time.perf_counter() - start, run.effort.ground or entry.ground
    ground = {Status.SATISFIABLE: "the grid", Status.OPTIMAL: proof, Status.INFEASIBLE: proof}.get(result.status, "")
    # a solver in a process of its own puts its statistics into the result
    statistics = {**run.effort.statistics(), **result.statistics}
    return replace(result, backend=entry.name, seconds=seconds, statistics=statistics, ground=ground)


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def shared_answers(
    session: Session,
    items: Iterable[Item],
    run_locally: Callable[[Item], Answer],
    task: Callable[[Item], Callable[[Session], Answer]],
    ready: Callable[[], bool] = lambda: True,
) -> Iterator[tuple[Item, Callable[[], Answer]]]:
    """Each item, in order, with a function that returns its answer or raises its error.

    The workers of the session's cluster share them, or as many processes as it has `jobs`; where it has None, one a
    core as soon as that pays. `run_locally` answers the first items in this process, since most inputs are done before
    another one has started. `task` returns a question to a session, which can be pickled. While the next item is not
    `ready`, no answer waits for it. An error in reading `items` is raised after the answers to the items before it.
    """
    failures = list[Exception]()
    items = _until_failure(items, failures)
    processes = session.jobs or cores()
    # starting another process takes about as long
    end = time.monotonic() + (0.3 if session.jobs is None else 0)
    for item in items if session.cluster is None else ():
        can_share = processes > 1 and time.monotonic() >= end and ready()
        if following := list(islice(items, 1 if can_share else 0)):
            items = chain((item, *following), items)
            break
        yield item, partial(run_locally, item)
    if first := list(islice(items, 1)):
        # this loads asyncio, which most inputs do without
        from ringdoku.services.pool import Cluster, Processes, answers

        with closing(Processes(processes) if session.cluster is None else Cluster(session.cluster)) as pool:
            yield from answers(pool, lambda item: partial(task(item), session), chain(first, items), ready)
    if failures:
        raise failures[0]


def _until_failure(items: Iterable[Item], failures: list[Exception]) -> Iterator[Item]:
    try:
        yield from items
    except Exception as error:
        failures.append(error)


_kept = lru_cache(maxsize=2)(Session)


def _copied(process: int, *settings: Any) -> Session:
    """A new session; in a worker process the one that it keeps for later questions."""
    return (Session if process == os.getpid() else _kept)(*settings)


def as_puzzle(puzzle: PuzzleLike) -> Puzzle:
    """The puzzle itself; the only one in a text; the classic puzzle of n rows of n digits, 0 for a blank.

    Raises `InputError` for a text that holds no puzzle, `UsageError` for anything else.
    """
    if isinstance(puzzle, Puzzle):
        return puzzle
    if isinstance(puzzle, str):
        return parse_one(puzzle)
    return Puzzle.of_rows(_rows(puzzle, "a puzzle is a Puzzle, a text, or rows of digits, such as a NumPy array"))


def as_puzzles(puzzles: Iterable[PuzzleLike]) -> Iterator[Puzzle]:
    """Each as `as_puzzle` has it. Errors say which one is wrong, counted from 1; its text is called `<puzzle 3>`."""
    for number, puzzle in enumerate(listed(puzzles, "puzzles"), 1):
        with numbered_errors(number):
            found = as_puzzle(puzzle)
        yield found


def with_extra_digits(grid: Grid, puzzle: Puzzle) -> Grid:
    """The grid with any digits of extra cells that go with it, if it has none: text has no place for them."""
    blank, shown = puzzle.board.blank, puzzle.board.grid_count
    is_open = blank in grid.digits[shown:] and blank not in grid.digits[:shown]
    return (Session().solve(Puzzle(puzzle.ruleset, grid)).grid if is_open else None) or grid


def as_grid(grid: GridLike, puzzle: Puzzle) -> tuple[Grid, int | None]:
    """A grid and the score stated above it, None for none. The grid is `grid` itself, the only one in a text, or that
    of rows of digits, on the puzzle's board or n rows of n digits.

    Raises `InputError` for a text that does not hold one grid, `UsageError` for anything else.
    """
    if isinstance(grid, Grid):
        return grid, None
    if isinstance(grid, str):
        stream = BytesIO(grid.encode("utf-8", "surrogatepass"))
        answers = list(or_raise(read_stated(stream, "<grid>", puzzle.ruleset.box, lambda: puzzle.board)))
        if len(answers) == 1 and (entry := answers[0].entry):
            return with_extra_digits(entry.puzzle.clues, puzzle), answers[0].score
        grids = sum(answer.entry is not None for answer in answers)
        raise InputError(Place("<grid>"), f"{counted(len(answers), 'answer')}, {counted(grids, 'grid')}", "one grid")
    rows = _rows(grid, "a grid is a Grid, a text, or rows of digits, such as a NumPy array")
    board = puzzle.board
    digits = [whole_numbers(row, "digits") for row in rows]
    if [len(row) for row in digits] == [board.columns] * board.rows:
        return with_extra_digits(Grid(tuple(digit for row in digits for digit in row), board), puzzle), None
    return Grid.of_rows(digits), None


def as_objective(objective: ObjectiveLike | None, puzzle: Puzzle) -> Objective:
    """The objective itself, that of rows of weights, or the ring weights for None; it has the size of the puzzle.

    Raises `UsageError` for anything else, `DimensionError` for another size.
    """
    found = _objective_or_none(objective) or ring_weights(puzzle.board)
    found.fits(puzzle.board)
    return found


def _objective_or_none(objective: ObjectiveLike | None) -> Objective | None:
    if objective is None or isinstance(objective, Objective):
        return objective
    accepted = "an objective is an Objective, or rows of weights, such as a NumPy array"
    return Objective.of_rows(_rows(objective, accepted))


def _rows(value: Any, accepted: str) -> list[list[Any]]:
    """The rows of `value` as lists. Raises `UsageError`, which says what is `accepted`, if it is no rows."""
    try:
        return [list(listed(row, "the numbers of a row", ordered=True)) for row in listed(value, "rows", ordered=True)]
    except UsageError as error:
        raise UsageError(f"{accepted}: {error}") from None
