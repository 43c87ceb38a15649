"""Ask one backend many questions. It stays loaded between them, and every answer is checked before it is returned."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from ringdoku.backends.base import Ability, Backend, Progress, Run
from ringdoku.backends.registry import EXTERNAL, Entry, find
from ringdoku.domain.checker import check, check_result
from ringdoku.domain.errors import BackendError, DisagreementError, TimeLimitError, UsageError
from ringdoku.domain.grid import Grid
from ringdoku.domain.objective import Objective, ring_weights
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.result import Result, Status
from ringdoku.limits import Deadline


class Session:
    """`backend` is a name of `BACKENDS`, or `auto` for the fastest backend for each question.

    Raises `UsageError` for an unknown name and `MissingPackageError` when a package is missing, both at the first
    question. Only one thread may use a session at a time. A copy starts without the loaded solvers.

    `jobs` is the number of processes of `solve_many` and `maximise_many`, None for one a core as soon as that pays.
    Statuses and scores are the same for any number; where a puzzle has several solutions, the one that is found may
    differ.
    """

    def __init__(self, backend: str = "auto", seed: int = 0, jobs: int | None = 1) -> None:
        self.backend = backend
        self.seed = seed
        self.jobs = jobs
        self._live: dict[str, Backend] = {}

    def __getstate__(self) -> dict[str, object]:
        return vars(self) | {"_live": {}}

    def solve(self, puzzle: Puzzle, time_limit: float | None = None) -> Result:
        """Any one solution. `time_limit` in seconds, None for none."""
        entry, backend = self._open(Ability.SATISFY, puzzle)
        run = self._run(time_limit)
        result = check_result(puzzle, _timed(entry.name, lambda: backend.solve(puzzle, run)))
        return replace(result, word_of=entry.word_of) if result.status is Status.INFEASIBLE else result

    def optimise(
        self,
        puzzle: Puzzle,
        objective: Objective,
        time_limit: float | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> Result:
        """A solution of best score, proved, or at the time limit the best found with a proved bound."""
        # the time limit does not include loading a package
        entry, backend = self._open(Ability.OPTIMISE, puzzle)
        objective.fits(puzzle.board)
        run = self._run(time_limit, on_progress)
        return check_result(puzzle, _timed(entry.name, lambda: backend.optimise(puzzle, objective, run)), objective)

    def best_solutions(
        self,
        puzzle: Puzzle,
        objective: Objective,
        count: int,
        time_limit: float | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> Iterator[Result]:
        """See `ringdoku.best_solutions`. `count` ≥ 1; the time limit is for all of them together."""
        require_count(count)
        if count == 1:
            yield self.optimise(puzzle, objective, time_limit, on_progress)
            return
        objective.fits(puzzle.board)
        entry, backend = self._open(Ability.OPTIMISE, puzzle)
        before: list[Grid] = []
        results = backend.ranked(puzzle, objective, self._run(time_limit, on_progress))
        for rank in range(1, count + 1):
            result = _timed(entry.name, lambda: next(results))
            if result.status is Status.INFEASIBLE and before:
                return
            _require_next(result, before, objective)
            yield check_result(puzzle, replace(result, rank=rank), objective)
            if result.status is not Status.OPTIMAL or result.grid is None:
                return
            before.append(result.grid)

    def solve_many(self, puzzles: Iterable[Puzzle], time_limit: float | None = None) -> Iterator[Result]:
        """`ringdoku.solve_many`, which says more."""
        return self._many(puzzles, lambda puzzle: partial(Session.solve, puzzle=puzzle, time_limit=time_limit))

    def maximise_many(
        self, puzzles: Iterable[Puzzle], objective: Objective | None = None, time_limit: float | None = None
    ) -> Iterator[Result]:
        """`ringdoku.maximise_many`, which says more."""

        def question(puzzle: Puzzle) -> Callable[[Session], Result]:
            own = objective or ring_weights(puzzle.board)
            return partial(Session.optimise, puzzle=puzzle, objective=own, time_limit=time_limit)

        return self._many(puzzles, question)

    def _many(
        self, puzzles: Iterable[Puzzle], question: Callable[[Puzzle], Callable[[Session], Result]]
    ) -> Iterator[Result]:
        # subprocesses, which single questions do without
        from ringdoku.services.crew import Crew

        crew = Crew(
            self,
            here=lambda item: question(item[1])(self),
            there=lambda item: question(item[1]),
            lost=_lost,
            jobs=self.jobs,
            on_death=lambda item, why: warnings.warn(f"puzzle {item[0]}: {why}", stacklevel=2),
        )
        return (result for _, result in crew.answers(enumerate(puzzles, 1)))

    def refute(self, puzzle: Puzzle, time_limit: float | None = None) -> Result:
        """See `ringdoku.refute`."""
        # imports numpy, which nothing else here needs
        from ringdoku.cnf.refutation import faults_of_proof
        from ringdoku.lowering.cnf import lower_to_cnf

        entry, backend = self._open(Ability.PROOF, puzzle)
        run = self._run(time_limit)
        result = check_result(puzzle, _timed(entry.name, lambda: backend.refute(puzzle, run)))
        if result.status is Status.INFEASIBLE and (faults := faults_of_proof(lower_to_cnf(puzzle).cnf, result.proof)):
            # a wrong proof by a user's program is not a bug of this library
            error = BackendError if entry.name.startswith(EXTERNAL) else DisagreementError
            raise error(f"backend {entry.name} gave a wrong proof: {'; '.join(faults)}")
        return result

    def enumerate(self, puzzle: Puzzle, time_limit: float | None = None) -> Iterator[Grid]:
        """Every solution once, each checked. Raises `TimeLimitError` when the limit comes first.

        If `word_of` is not empty, only that program's word says that there are no more.
        """
        entry, backend = self._open(Ability.ENUMERATE, puzzle)
        for grid in backend.enumerate(puzzle, self._run(time_limit)):
            if violations := check(puzzle, grid):
                problems = "; ".join(map(str, violations))
                raise DisagreementError(f"backend {entry.name} gave a wrong answer: {problems}")
            yield grid

    @property
    def word_of(self) -> str:
        """The command line of a `cmd:` backend without a proof, whose "no (other) solution" is not checked. Empty for
        all other backends."""
        return find(self.backend).word_of

    def _open(self, ability: Ability, puzzle: Puzzle) -> tuple[Entry, Backend]:
        entry = find(self.backend, ability, order=puzzle.order)
        if entry.name not in self._live:
            self._live[entry.name] = entry.open()
        return entry, self._live[entry.name]

    def _run(self, time_limit: float | None, on_progress: Callable[[Progress], None] | None = None) -> Run:
        return Run(Deadline.asked(time_limit), self.seed, on_progress)


def _lost(item: tuple[int, Puzzle], why: str) -> Result:
    raise BackendError(f"puzzle {item[0]}: {why}, for the second time")


def require_count(count: int) -> None:
    """Raises `UsageError` for a number of solutions below 1."""
    if count < 1:
        raise UsageError(f"a number of solutions is at least 1, not {count}")


def _require_next(result: Result, before: Sequence[Grid], objective: Objective) -> None:
    """Raises `DisagreementError` for a solution that came before, and for one that is better than the last."""
    if result.grid is None or not before:
        return
    size = result.grid.board.grid_count
    if result.grid.digits[:size] in {grid.digits[:size] for grid in before}:
        raise DisagreementError(f"backend {result.backend} gave a solution that was excluded")
    score, best = result.score, objective.score(before[-1])
    if score is not None and objective.sense.better(score, best):
        raise DisagreementError(f"backend {result.backend} found the score {score} when {best} was proved best")


def _timed(name: str, question: Callable[[], Result]) -> Result:
    start = time.perf_counter()
    try:
        result = question()
    except TimeLimitError:
        # before anything was found, for example while a formula was built
        result = Result(Status.UNKNOWN)
    return replace(result, backend=name, seconds=time.perf_counter() - start)
