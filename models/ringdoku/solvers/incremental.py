"""One of PySAT's solvers, asked again and again about one formula.

`solve` asks under *assumptions*, literals that hold for this one question. A *selector* is a variable of our own that
stands for a group of clauses: they hold while it is assumed, and never again once it is retracted. Every question has a
limit on conflicts and looks at the deadline, and Ctrl-C is a KeyboardInterrupt after which the solver is still usable.
"""

import threading
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from tempfile import TemporaryFile
from typing import Any, Self

import pysolvers
from pysat._utils import MainThread  # noqa: TID253 - this module itself is loaded on use
from pysat.solvers import Solver  # noqa: TID253

from ringdoku.domain import Constraint, Grid, Puzzle, Ruleset, TimeLimitError
from ringdoku.limits import NEVER, Deadline, interrupts_held, run_interruptibly, without_collection
from ringdoku.lowering.cnf import PuzzleCnf, lower_to_cnf
from ringdoku.sat.clauses import RuleClauses
from ringdoku.sat.formula import Cnf, VarPool
from ringdoku.sat.rules import encode

MOST_CONFLICTS = 2**30
"""No limit on conflicts."""

SLICE = 500
"""Conflicts of one call, a millisecond or two on 9×9, 0.1 s on 25×25. The clock and Ctrl-C are checked between calls,
and CaDiCaL goes on where it was."""

SMALL = 20_000
"""With up to this many variables, a first call of `SLICE` conflicts is too short for a thread of its own."""

MOST_SELECTORS = 501
"""The most selectors of a solver that stays: a question assigns all variables ever used, enumerations leave clauses."""


class IncrementalSolver:
    """The solver `name` of PySAT, with the clauses of `formula`. Its memory is freed with the object, or at once by
    `close` and at the end of a `with`.

    `settings` are CaDiCaL's own; `with_proof` makes CaDiCaL 1.9.5 write a proof, for one question without assumptions.
    `deadline` may be replaced between questions. Raises `TimeLimitError` at it: millions of clauses take seconds.
    """

    @without_collection()
    def __init__(
        self,
        name: str,
        formula: Cnf | None = None,
        deadline: Deadline = NEVER,
        *,
        settings: Mapping[str, int] | None = None,
        with_proof: bool = False,
    ) -> None:
        self.deadline = deadline
        self.solver: Any = Solver(name=name)
        # at the interpreter's end PySAT's own clean-up comes too late, and warns; Ctrl-C in it would free memory twice
        self.close = weakref.finalize(self, interrupts_held()(self.solver.delete))
        self.pool = VarPool(formula.num_vars if formula else 0)
        """Hands out new variables that stay."""
        # CaDiCaL checks nothing but its limit on conflicts
        self._can_be_interrupted = not type(self.solver.solver).__name__.startswith("Cadical")
        # saves a wrapper for each of millions of clauses, for CaDiCaL two
        self._add_clause: Callable[[Sequence[int]], object] = self.solver.solver.add_clause
        if not self._can_be_interrupted:
            add = getattr(pysolvers, f"{type(self.solver.solver).__name__.lower()}_add_cl")
            self._add_clause = partial(add, self.solver.solver.cadical)
        if settings:
            self.solver.configure(settings)
        if with_proof:
            # PySAT's own tracing begins before an option can be set
            self.solver.configure({"lrat": 1, "binary": 0})
            inner = self.solver.solver
            inner.prfile = TemporaryFile()  # noqa: SIM115 - PySAT closes it with the solver
            inner.prfp = pysolvers.cadical195_tracepr(inner.cadical, inner.prfile)
        for portion in formula.portions() if formula else ():
            deadline.check()
            self.add(portion)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def add(self, clauses: Iterable[Sequence[int]], selector: int = 0) -> None:
        """Add clauses that hold always, or while the selector is assumed."""
        if selector:
            clauses = ([-selector, *clause] for clause in clauses)
        # generators that are closed at the interpreter's end come after the memory of the solver is freed
        if self.close.alive:
            deque(map(self._add_clause, clauses), maxlen=0)

    def selector(self) -> int:
        """A new selector, without clauses yet."""
        (variable,) = self.pool.reserve(1)
        return variable

    def retract(self, selector: int) -> None:
        """Switch off the clauses of the selector for ever."""
        self.add([[-selector]])

    def prefer(self, literals: Sequence[int]) -> None:
        """Set the phases of variables: the solver decides for these literals first."""
        self.solver.set_phases(literals)

    def solve(self, assumptions: Sequence[int] = (), conflicts: int = MOST_CONFLICTS) -> bool | None:
        """Whether the formula is satisfiable under the assumptions; None when the deadline or the limit on `conflicts`
        came first. The search does not depend on the clock."""
        answer: bool | None
        if not self._can_be_interrupted:
            while conflicts > 0 and not self.deadline.expired:
                answer = self._solve_once(assumptions, min(conflicts, SLICE))
                if answer is not None:
                    return answer
                conflicts -= SLICE
            return None
        # one long call, stopped by another thread: solvers of the MiniSat family begin their restarts anew in each call
        if self.deadline.expired:
            return None
        if self.solver.nof_vars() <= SMALL:
            # most calls take less time than starting a thread
            answer = self._solve_once(assumptions, min(conflicts, SLICE))
            if answer is not None or conflicts <= SLICE:
                return answer
        self.solver.conf_budget(conflicts)
        try:
            ask = partial(self.solver.solve_limited, assumptions, expect_interrupt=True)
            answer = run_interruptibly(ask, self.solver.interrupt, self.deadline)
        finally:
            self.solver.clear_interrupt()
        return answer

    def is_satisfiable(self, assumptions: Sequence[int] = ()) -> bool:
        """As `solve`, without a limit on conflicts. Raises `TimeLimitError` at the deadline."""
        answer = self.solve(assumptions)
        if answer is None:
            raise TimeLimitError
        return answer

    def propagate(self, assumptions: Sequence[int]) -> tuple[bool, list[int]]:
        """Whether unit propagation of the assumptions meets no conflict, and what it makes true; nothing is learned."""
        with python_handles_signals():
            found: tuple[bool, list[int]] = self.solver.propagate(assumptions)
        return found

    def assignment(self) -> list[int]:
        """The satisfying assignment of the last question, a literal for each variable in their order."""
        found: list[int] = self.solver.get_model()
        return found

    def core(self) -> set[int]:
        """Assumptions that suffice for the last answer "unsatisfiable", not always a minimal set."""
        return set(self.solver.get_core() or ())

    def proof(self) -> list[tuple[list[int], list[int]]]:
        """The proof that the last question has no solution, as in LRAT (Cruz-Filipe, Heule, Hunt, Kaufmann and
        Schneider-Kamp, CADE 2017): the needed clauses, the empty one last, each with its hints, the clauses from which
        it follows by unit propagation, in this order. A hint k > 0 is the k-th clause that the solver was given, also
        by a propagator, and −k is the k-th clause of the proof."""
        inner = self.solver.solver
        pysolvers.flushpr(inner.prfp)
        inner.prfile.seek(0)
        lines = {}
        for line in inner.prfile:
            number, first, *_ = line.split(maxsplit=2)
            if first != b"d":
                lines[int(number)] = line
        last = max(lines, default=0)  # none for a formula with an empty clause
        needed, steps = {last}, list[tuple[int, list[int], list[int]]]()
        for number in range(last, 0, -1):
            if number in needed and number in lines:
                words = list(map(int, lines[number].split()))
                end = words.index(0)
                steps.append((number, words[1:end], words[end + 1 : -1]))
                needed.update(steps[-1][2])
        given = (number for number in range(1, last) if number not in lines)
        places = {number: place for place, number in enumerate(given, 1)}
        places |= {number: -place for place, (number, _, _) in enumerate(reversed(steps), 1)}
        return [(clause, [places[number] for number in hints]) for _, clause, hints in reversed(steps)]

    def statistics(self) -> Mapping[str, int]:
        """The conflicts, decisions, propagations and restarts since the solver was made."""
        return self.solver.accum_stats() or {}

    def _solve_once(self, assumptions: Sequence[int], conflicts: int) -> bool | None:
        self.solver.conf_budget(conflicts)
        with python_handles_signals():
            answer: bool | None = self.solver.solve_limited(assumptions=assumptions)
        return answer


@contextmanager
def python_handles_signals() -> Iterator[None]:
    """Around calls of PySAT's solvers: makes Ctrl-C a KeyboardInterrupt after the call. PySAT itself jumps out of the
    solver, which leaves it broken and SIGINT blocked, and raises an exception of its own. It does this in the main
    thread only, so that here it is made to believe that this is another thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    check = MainThread.check
    MainThread.check = staticmethod(bool)
    try:
        yield
    finally:
        MainThread.check = check


class PuzzleSolver(IncrementalSolver):
    """A solver that holds the `formula` of a puzzle, mostly of a blank one: then clues are literals to assume, and
    `core` has the clues that suffice for "no solution"."""

    def __init__(
        self, name: str, formula: PuzzleCnf, deadline: Deadline = NEVER, settings: Mapping[str, int] | None = None
    ) -> None:
        super().__init__(name, formula.cnf, deadline, settings=settings)
        self.formula, self.board = formula, formula.digits.board
        self._last_selector = formula.cnf.num_vars + MOST_SELECTORS
        self.literals: list[list[int]] = formula.digits.literals.tolist()
        """For each cell the literal of each digit from the least on, 0 where it cannot hold it."""

    def clues(self, grid: Grid, cells: Iterable[int]) -> list[int]:
        """The literals of these cells' digits."""
        rows, digits, least = self.literals, grid.digits, self.board.least
        return [rows[cell][digits[cell] - least] for cell in cells]

    def local_pool(self) -> VarPool:
        """A pool of variables for the clauses of one selector. All selectors share these variables: each clause with
        one of them, learned or not, has the negation of its selector."""
        return VarPool(self._last_selector)

    @property
    def is_full(self) -> bool:
        """Whether two more selectors would exceed `MOST_SELECTORS`."""
        return self.pool.num_vars + 2 > self._last_selector

    def solution(self) -> Grid:
        """The solution that the last question found."""
        # an assignment has the variables in their order
        return self.formula.digits.decode(self.assignment()[: self.formula.cnf.num_vars])

    def excluding(self, grids: Iterable[Grid]) -> int:
        """A selector that forbids these solutions."""
        selector = self.selector()
        self.add(self.formula.digits.blocking_clauses(grids), selector)
        return selector


TO_GENERATE = "cadical153"
"""The fastest solver to make minimal puzzles: 3.4 ms each at 9×9, MiniSat 2.2 5.2 ms, Glucose 3 6.1 ms."""


class RulesSolver(PuzzleSolver):
    """Has the rules of `ruleset`, and each `optional` constraint while its selector, in `rules`, is assumed."""

    def __init__(self, ruleset: Ruleset, optional: Sequence[Constraint] = (), deadline: Deadline = NEVER) -> None:
        self.ruleset = ruleset
        blank = Puzzle(ruleset, Grid.blank(ruleset.board))
        super().__init__(TO_GENERATE, lower_to_cnf(blank, deadline=deadline), deadline)
        self.rules = tuple(self.optional(constraint) for constraint in optional)

    def optional(self, constraint: Constraint) -> int:
        """Add a constraint, and return its selector."""
        board, selector = self.board, self.selector()
        # the selector makes the houses of the constraint hold too
        clauses = RuleClauses(self.literals, board.least, self.ruleset.extended(constraint).peers, self.pool)
        encode(Ruleset(board, (constraint,)).primitives, clauses)
        self.add(clauses.lists(), selector)
        return selector
