"""OR-tools CP-SAT. It solves in a thread of its own, so that the waiting main thread can handle Ctrl-C."""

import atexit
import threading
import time
from collections.abc import Generator, Iterator
from contextlib import closing, suppress
from functools import partial
from math import floor, inf, isfinite
from queue import Empty, Queue
from typing import Any, TypeAlias

from ortools.sat.python import cp_model  # noqa: TID253 - this module itself is loaded on use

from ringdoku.domain import BackendError, DimensionError, Grid, Objective, Puzzle, Result, Sense, TimeLimitError
from ringdoku.limits import LOOK_SECONDS, interrupts_held
from ringdoku.lowering.cpsat import BooleanCpSat, PuzzleCpSat, lower_to_boolean_cpsat, lower_to_cpsat
from ringdoku.solvers.registry import Backend, Phase, Run, best_of, first_of

Lowered: TypeAlias = BooleanCpSat | PuzzleCpSat
"""A model for CP-SAT, with the map back to grids and scores."""

MOST_CANDIDATES = 1_500_000
"""The most candidates of open cells. With more, presolve takes gigabytes, and minutes in which it ignores limits."""


class CpSat(Backend):
    """CP-SAT on a model with a Boolean for each candidate, or with an integer for each cell."""

    def __init__(self, is_boolean: bool) -> None:
        self._is_boolean = is_boolean

    def _lower(self, puzzle: Puzzle, objective: Objective | None, run: Run) -> Lowered:
        """The model of a puzzle. Raises `DimensionError` if it is too large for the solver."""
        run.effort.enter(Phase.BUILD)
        candidates = (puzzle.board.cell_count - puzzle.clues.filled_count) * puzzle.order
        if candidates > MOST_CANDIDATES:
            found = f"the model for CP-SAT would have {candidates} candidates"
            raise DimensionError(f"{found}, more than the limit of {MOST_CANDIDATES}")
        if self._is_boolean:
            return lower_to_boolean_cpsat(puzzle, objective, deadline=run.deadline)
        weights, sense = (objective.weights, objective.sense) if objective else ((), Sense.MAXIMISE)
        return lower_to_cpsat(puzzle, weights, sense, run.deadline)

    def solve(self, puzzle: Puzzle, run: Run) -> Result:
        return run.ask(puzzle, lambda run: first_of(self._one_by_one(puzzle, run)), self._is_boolean)

    def optimise(self, puzzle: Puzzle, objective: Objective, run: Run) -> Result:
        # with integers, presolve ignores limits
        return run.ask(puzzle, partial(self._optimise, puzzle, objective), self._is_boolean)

    def _optimise(self, puzzle: Puzzle, objective: Objective, run: Run) -> Result:
        lowered = self._lower(puzzle, objective, run)
        lowered.exclude(run.excluding)
        search = CpSatSearch(lowered, run)
        grid, score, bound = None, None, None
        with closing(search.events()) as events:
            for event in events:
                if isinstance(event, Grid):
                    grid, score = event, objective.score(event)
                else:
                    bound = _integer_bound(event, objective, lowered)
                run.report(score, bound, grid)
        return best_of(grid, score, bound, search.complete)

    def enumerate(self, puzzle: Puzzle, run: Run) -> Iterator[Grid]:
        if puzzle.ruleset.rest or puzzle.board.extra:
            # variables of rules may have so many values for one grid that an enumeration would repeat it for ever
            yield from self._one_by_one(puzzle, run)
            return
        search = CpSatSearch(self._lower(puzzle, None, run), run)
        search.solver.parameters.enumerate_all_solutions = True
        yield from search.solutions()
        if not search.complete:
            raise TimeLimitError

    def _one_by_one(self, puzzle: Puzzle, run: Run) -> Iterator[Grid]:
        """Each solution by a new search that excludes the solutions before it."""
        lowered = self._lower(puzzle, None, run)
        search = CpSatSearch(lowered, run)
        # without an objective the solver stops at the first
        while found := list(search.solutions()):
            yield found[-1]
            lowered.exclude(found[-1:])
            search = CpSatSearch(lowered, run)
        if not search.complete:
            raise TimeLimitError


class CpSatSearch(cp_model.CpSolverSolutionCallback):
    """One run of the solver, of at most `units` of its deterministic time. `complete` is true when it has ended with
    nothing left to find or prove. The solver copies the model when it begins, so loading is a part of solving."""

    def __init__(self, lowered: Lowered, run: Run, units: float = inf) -> None:
        super().__init__()
        run.effort.enter(Phase.SOLVE)
        self._effort = run.effort
        self.complete = self._ended = False
        # solutions, bounds, an error, and None at the end; if many wait to be read, the solver waits too
        self._events: Queue[Grid | float | Exception | None] = Queue(64)
        self.solver = cp_model.CpSolver()
        # the parameter is a signed number of 32 bits
        self.solver.parameters.random_seed = run.seed % 2**31
        self.solver.parameters.linearization_level = lowered.linearization_level
        self.solver.parameters.max_deterministic_time = units
        # more workers are slower on two cores, are not deterministic, and silently lose solutions of an enumeration
        self.solver.parameters.num_workers = 1
        # a SIGINT caught by the solver in this thread aborts the process
        self.solver.parameters.catch_sigint_signal = False
        self.solver.best_bound_callback = self._events.put
        self._lowered = lowered
        self._deadline = run.deadline
        self._thread = threading.Thread(target=self._solve, daemon=True)

    def events(self) -> Generator[Grid | float, None, None]:
        """Solutions and bounds as they are found. Leaving early, by Ctrl-C or otherwise, stops the solver."""
        # if nobody reads to the end, the interpreter must not exit while the solver runs
        atexit.register(self._stop)
        self._thread.start()
        try:
            while True:
                try:
                    event = self._events.get(timeout=self._deadline.remaining())
                except Empty:
                    if self._deadline.expired:
                        # the solver's last events are still to come
                        self.solver.stop_search()
                        time.sleep(LOOK_SECONDS)
                    continue
                if event is None:
                    return
                if isinstance(event, Exception):
                    raise event
                yield event
        finally:
            self._stop()
            facts = self._effort.facts
            facts |= {"live": 0, "variables": len(self._lowered.model.proto.variables)}
            if self._ended:
                facts["conflicts"] += self.solver.num_conflicts
                facts["decisions"] += self.solver.num_branches
                facts["propagations"] += self.solver.response_proto.num_integer_propagations
            atexit.unregister(self._stop)

    def solutions(self) -> Iterator[Grid]:
        """The solutions among the events."""
        with closing(self.events()) as events:
            yield from (event for event in events if isinstance(event, Grid))

    def on_solution_callback(self) -> None:
        self._events.put(self._lowered.decode(self.value))

    # after a second Ctrl-C in `join` Python 3.11 would take the thread for ended while it is in the solver
    @interrupts_held()
    def _stop(self) -> None:
        while self._thread.is_alive():
            # a request to stop is lost before the solver has started, and a full queue delays it
            self.solver.stop_search()
            with suppress(Empty):
                self._events.get_nowait()
            self._thread.join(LOOK_SECONDS)

    def _solve(self) -> None:
        try:
            remaining = self._deadline.remaining()
            if remaining is not None:
                self.solver.parameters.max_time_in_seconds = remaining
            status: Any = self.solver.solve(self._lowered.model, self)
            self._ended = True
            if status == cp_model.MODEL_INVALID:
                raise BackendError(f"CP-SAT refuses the model: {self._lowered.model.validate()}")
            self.complete = status in (cp_model.OPTIMAL, cp_model.INFEASIBLE)
        except Exception as error:
            self._events.put(error)
        self._events.put(None)


def _integer_bound(bound: float, objective: Objective, lowered: Lowered) -> int | None:
    """The integer bound on the score that follows from the solver's, which has rounding errors; None if infinite."""
    if not isfinite(bound):
        return None
    sign = objective.sense.sign
    return lowered.projection.score(sign * floor(sign * bound + 1e-6 + 1e-12 * abs(bound)))
