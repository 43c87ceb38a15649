"""`Backend`, the contract of solvers that stay loaded between questions; `BACKENDS`, all of them by name; and `find`.

Nothing here imports a solver package; `BACKENDS[name].open()` does.
"""

import re
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from enum import Enum
from importlib import import_module
from typing import TYPE_CHECKING

from ringdoku.domain import Grid, Objective, Puzzle, Result, Status, expect
from ringdoku.domain.errors import MissingPackageError, TimeLimitError, UsageError, perhaps, refuse
from ringdoku.exports import EXPORTS
from ringdoku.limits import Deadline, interrupts_held, run_in_process

if TYPE_CHECKING:
    from ringdoku.sat.options import EncodingOptions  # imports numpy


class Ability(Enum):
    """Something that a backend can do, for which it has a method."""

    SATISFY = "satisfy"
    """Finds a solution or proves that there is none."""
    OPTIMISE = "optimise"
    """Finds a best solution and proves that it is best."""
    ENUMERATE = "enumerate"
    """Finds every solution once."""


@dataclass(frozen=True)
class Progress:
    """The best score found so far with its grid, and the proved bound; None if there is none yet."""

    seconds: float
    score: int | None
    bound: int | None
    grid: Grid | None = None


class Phase(Enum):
    """A part of the work on one question. If a backend does not enter a phase, its time counts for the one before."""

    BUILD = "build"
    """Making the model: propagation of the clues, variables, clauses, constraints."""
    LOAD = "load"
    """Handing the model to the solver, or writing the file that a program reads."""
    SOLVE = "solve"
    """The solver's work, and the way back to a grid."""


class Effort:
    """What one question costs, recorded by the backend while it works: the seconds of each phase, and `facts`.

    `facts` has sizes of the model and what the solver counts, and `live`: 1 if the solver that answers was made to stay
    for later puzzles, 0 if it was made for this one. `ground` is what the proof rests on, as in `Result`, if that
    differs between answers of the backend.
    """

    def __init__(self) -> None:
        self.facts: defaultdict[str, int | float] = defaultdict(int)
        self.ground = ""
        self._seconds: dict[Phase, float] = {}
        self._phase: Phase | None = None
        self._since = 0.0

    def enter(self, phase: Phase) -> None:
        """The time from now on belongs to this phase, until another one is entered."""
        now = time.perf_counter()
        if self._phase is not None:
            self._seconds[self._phase] = self._seconds.get(self._phase, 0.0) + now - self._since
        self._phase, self._since = phase, now

    def statistics(self) -> Mapping[str, int | float]:
        """The facts, and `build_seconds`, `load_seconds`, `solve_seconds` up to now of the phases that were entered."""
        if self._phase is not None:
            self.enter(self._phase)
        return {f"{phase.value}_seconds": seconds for phase, seconds in self._seconds.items()} | dict(self.facts)


@dataclass(frozen=True)
class Run:
    """The settings of one question: when to stop, the random seed, and the function that receives progress. When
    optimising, the solutions in `excluding` do not count. The backend writes down in `effort` what the question costs.
    `start` is the time of the question on the monotonic clock."""

    deadline: Deadline = field(default_factory=Deadline)
    seed: int = 0
    on_progress: Callable[[Progress], None] | None = None
    excluding: tuple[Grid, ...] = ()
    effort: Effort = field(default_factory=Effort)
    start: float = field(default_factory=time.monotonic)

    def report(self, score: int | None, bound: int | None, grid: Grid | None) -> None:
        """Call `on_progress`, if there is one."""
        if self.on_progress is not None:
            self.on_progress(Progress(time.monotonic() - self.start, score, bound, grid))

    def ask(self, puzzle: Puzzle, ask: Callable[["Run"], Result], checks_limits: bool) -> Result:
        """The answer of `ask`. If the puzzle is so large that a solver which does not always check limits may take
        seconds, the answer comes, with its statistics, from a process of its own. That reports no progress, and ends
        early only at the deadline or by Ctrl-C."""
        if checks_limits or puzzle.board.cell_count * puzzle.order <= SLOW_CANDIDATES:
            return ask(self)
        run = replace(self, deadline=Deadline(self.deadline.remaining()), on_progress=None)
        return run_in_process(lambda: replace(ask(run), statistics=run.effort.statistics()), self.deadline)


class Backend:
    """One solver, loaded once and used for many questions. A subclass defines `enumerate`, from which `solve` follows;
    or `optimise` or `ranked`, from which all follow; or `solve` alone. Only the methods of its abilities are called.

    Every method stops soon after the deadline; while it builds a model it may raise `TimeLimitError` instead. It lets
    KeyboardInterrupt through and leaves signal handlers intact. Results have status, grid, score and bound; the
    services add name, seconds and statistics.
    """

    def solve(self, puzzle: Puzzle, run: Run) -> Result:
        """Any solution: satisfiable, infeasible, or unknown at the deadline."""
        return first_of(self.enumerate(puzzle, run))

    def optimise(self, puzzle: Puzzle, objective: Objective, run: Run) -> Result:
        """A best solution that is not excluded, as optimal, or infeasible; at the deadline feasible or unknown."""
        return next(self.ranked(puzzle, objective, run))

    def ranked(self, puzzle: Puzzle, objective: Objective, run: Run) -> Iterator[Result]:
        """The best solutions, each optimal among those that did not come before it, then infeasible; at the deadline
        the last is feasible or unknown."""
        while True:
            result = self.optimise(puzzle, objective, run)
            yield result
            if result.status is not Status.OPTIMAL or result.grid is None:
                return
            run = replace(run, excluding=(*run.excluding, result.grid))

    def enumerate(self, puzzle: Puzzle, run: Run) -> Iterator[Grid]:
        """Every solution once, in any order; those that differ only in extra cells are the same. Raises
        `TimeLimitError` at the deadline."""
        for result in self.ranked(puzzle, Objective((0,) * puzzle.board.grid_count), run):
            if result.grid is not None:
                yield result.grid
            if not result.status.is_final:
                raise TimeLimitError


def first_of(grids: Iterator[Grid]) -> Result:
    """The answer of `solve`, from an enumeration."""
    try:
        grid = next(grids, None)
    except TimeLimitError:
        return Result(Status.UNKNOWN)
    return Result(Status.INFEASIBLE if grid is None else Status.SATISFIABLE, grid)


def best_of(grid: Grid | None, score: int | None, bound: int | None, is_final: bool) -> Result:
    """The answer of `optimise` with the best solution found; if it is final, none is better, or there is none."""
    if is_final:
        return Result(Status.INFEASIBLE if grid is None else Status.OPTIMAL, grid, score, score)
    return Result(Status.UNKNOWN if grid is None else Status.FEASIBLE, grid, score, bound)


CPSAT_WORD = "the word of CP-SAT"
"""CP-SAT writes no proof, and 9.15 is said to have proved a wrong optimum (google/or-tools, issue 5293)."""


def refutation_by(solver: str) -> str:
    """The ground of an answer, as in `Result`, if a SAT solver or a search proved it."""
    return f"a refutation by {solver}"


ORTOOLS, PYSAT = "ortools", "python-sat"
"""Distributions on PyPI."""


@contextmanager
def of_extra(extra: str, user: str) -> Iterator[None]:
    """Around imports that `user` needs from an extra. Raises `MissingPackageError` if it is not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise MissingPackageError(f"{error.name}, which {user} needs,", f"pip install 'ringdoku[{extra}]'") from None


@dataclass(frozen=True)
class Entry:
    """A backend that can be chosen by name. `adapter` is "module.Class" in this package; the module imports the solver,
    and the class gets the `arguments` and, with `is_encoded`, an encoding and whether the solver is to stay in it.
    `word_of` is the command line of a program whose "unsatisfiable" is not checked; empty for all others."""

    name: str
    summary: str
    abilities: frozenset[Ability]
    packages: tuple[str, ...]
    adapter: str
    arguments: tuple[object, ...] = ()
    is_encoded: bool = False
    word_of: str = ""

    @property
    def ground(self) -> str:
        """What its proofs rest on, as in `Result`."""
        if self.name.startswith("cpsat"):
            return CPSAT_WORD
        return f"the word of {self.word_of}" if self.word_of else refutation_by(self.name)

    def open(self, encoding: "EncodingOptions | None" = None, live: bool = False) -> Backend:
        """The loaded backend. With `live` its solver stays for later puzzles even in a given encoding, where it can.
        Raises `UsageError` when an encoding is given to a backend that takes none."""
        refuse(encoding is not None and not self.is_encoded, f"backend {self.name} takes no encoding")
        module_name, kind = self.adapter.split(".")
        with interrupts_held():
            module = import_module(f"ringdoku.solvers.{module_name}")
        arguments = self.arguments if encoding is None else (*self.arguments, encoding, live)
        backend: Backend = getattr(module, kind)(*arguments)
        return backend

    def load(self) -> None:
        """Import everything that the backend may need, so that no question waits for it."""
        self.open()
        if ORTOOLS in self.packages:
            # some load it only where a puzzle is hard
            with suppress(ImportError):
                BACKENDS["cpsat"].open()


_ENUMERATING = frozenset({Ability.SATISFY, Ability.ENUMERATE})
_OPTIMISING = frozenset({Ability.SATISFY, Ability.OPTIMISE})
_COMPLETE = _ENUMERATING | _OPTIMISING

# Left out of PySAT's solvers: kissat404 ignores assumptions, lingeling exits with status 0 when memory is out,
# maplesat crashes on an empty formula and writes wrong proofs.
_PYSAT_SOLVERS = {
    "cadical103": "CaDiCaL 1.0.3",
    "cadical153": "CaDiCaL 1.5.3",
    "cadical195": "CaDiCaL 1.9.5",
    "cadical300": "CaDiCaL 3.0.0",
    "gluecard3": "Gluecard 3, Glucose 3 with native cardinality constraints",
    "gluecard4": "Gluecard 4, Glucose 4.1 with native cardinality constraints",
    "glucose3": "Glucose 3.0",
    "glucose4": "Glucose 4.1",
    "glucose42": "Glucose 4.2.1",
    "maplechrono": "MapleLCMDistChronoBT",
    "maplecm": "MapleCM",
    "mergesat3": "MergeSat 3",
    "minicard": "MiniCard 1.2, MiniSat with native cardinality constraints",
    "minisat22": "MiniSat 2.2",
    "minisat-gh": "MiniSat, GitHub version",
}

_LP_SAT = (_OPTIMISING, (ORTOOLS, PYSAT), "lp_sat.LpSat")
_CPSAT = (_COMPLETE, (ORTOOLS,), "cpsat.CpSat")
_ENTRIES = (
    Entry("lp-sat", "linear programming for a bound, SAT whether it is reached, CP-SAT for what stays open", *_LP_SAT),
    Entry("lp-sat-sure", "as lp-sat, but what CP-SAT alone says is proved by SAT too", *_LP_SAT, (True,)),
    Entry("cpsat", "OR-tools CP-SAT, a Boolean for each candidate", *_CPSAT, (True,)),
    Entry("cpsat-alldifferent", "OR-tools CP-SAT, an integer for each cell and AllDifferent", *_CPSAT, (False,)),
    Entry("rc2", "RC2, core-guided MaxSAT of PySAT", _OPTIMISING, (PYSAT,), "rc2.Rc2"),
    Entry("search", "depth-first search on bit masks with branch and bound", _COMPLETE, (), "search.Search"),
    *(
        Entry(name, f"{summary}, of PySAT", _ENUMERATING, (PYSAT,), "pysat.PySat", (name,), is_encoded=True)
        for name, summary in _PYSAT_SOLVERS.items()
    ),
)

BACKENDS: Mapping[str, Entry] = {entry.name: entry for entry in _ENTRIES}
"""Every backend by its name."""

DEFAULT_TO_SOLVE = "cadical195"
"""The fastest on 9×9: 0.17 ms for a puzzle of 17 clues and 1.3 ms for a hard one; MiniSat 2.2 takes 0.22 and 1.9 ms. It
finds the solutions of all 25×25 puzzles that were tried, mostly in seconds."""
DEFAULT_TO_SOLVE_BLANK = "minisat22"
"""Above 16×16 with clues in less than a tenth of the cells. The blank 49×49 takes it 4 s, and CaDiCaL minutes."""
LARGEST_LIVE_ORDER = 16
"""Above this order, solvers do not stay: blank puzzles have over 10⁶ clauses, and clues satisfy most of them."""
SLOW_CANDIDATES = 250_000
"""Candidates of all cells, as of 64×64. With more, CaDiCaL and CP-SAT take seconds between checks of a limit."""
DEFAULT_TO_OPTIMISE = "lp-sat"
"""The only one that proves blank grids above 16×16, and the fastest on nearly all others."""

QUICK_ORDER = 9
"""Up to this order, solving a classic puzzle takes milliseconds."""


def has_few_clues(puzzle: Puzzle) -> bool:
    """Whether fewer than a fifth of the cells have clues, so that there are many solutions: with one solution, 17 are
    known on 9×9, and larger shares on larger boards."""
    return 5 * puzzle.clues.filled_count < puzzle.board.cell_count


EXTERNAL = "cmd:"
"""The name of a backend may be this prefix and the command line of a program."""
PROOF_FILE = "{proof}"
"""In such a command line: the file for the program's proof."""


def _entry_of_program(name: str) -> Entry:
    """The entry of `cmd:…`. Raises `UsageError` for braces that name no file, and for files of two formats."""
    command = name.removeprefix(EXTERNAL)
    files = {f"{{{form}}}": form for form in EXPORTS}
    known = (*files, "{out}", PROOF_FILE)
    # `${name}` is a variable of a shell
    for file in re.findall(r"(?<!\$)\{[a-z]\w*\}", command):
        if file not in known:
            raise UsageError(f"{name} names no file by {file}{perhaps(file, known)}; there are: {', '.join(known)}")
    models = [form for file, form in files.items() if file in command]
    if len(models) > 1:
        raise UsageError(f"{name} names files of two formats, {models[0]} and {models[1]}; a program reads one")
    summary = f"the program {command}"
    if models and models != ["cnf"]:
        abilities = _COMPLETE if EXPORTS[models[0]].has_objective else frozenset({Ability.SATISFY})
        return Entry(name, summary, abilities, (), "external.ModelProgram", (command, *models), word_of=command)
    word_of = "" if PROOF_FILE in command else command
    return Entry(name, summary, _ENUMERATING, (), "external.SatProgram", (command,), True, word_of)


def find(name: str, *needed: Ability, puzzle: Puzzle | None = None) -> Entry:
    """The entry of a name. `auto` is the default for the ability and the puzzle, for a classic 9×9 if there is none;
    `cmd:…` is a program. Raises `UsageError` for a name that does not exist or a backend without a needed ability."""
    expect(name, str, "the name of a backend")
    if name == "auto":
        name = DEFAULT_TO_OPTIMISE if Ability.OPTIMISE in needed else _default_to_solve(puzzle)
    entry = _entry_of_program(name) if name.startswith(EXTERNAL) else BACKENDS.get(name)
    if entry is None:
        names = f"auto, {', '.join(sorted(BACKENDS))}"
        raise UsageError(f"no backend is called {name!r}{perhaps(name, BACKENDS)}; there are: {names}")
    for ability in needed:
        if ability not in entry.abilities:
            able = sorted(other.name for other in BACKENDS.values() if ability in other.abilities)
            if ability is Ability.OPTIMISE:
                able.append("and programs for models with an objective, as in 'cmd:clasp {opb}'")
            raise UsageError(f"backend {name} lacks the ability {ability.value}; those with it: {', '.join(able)}")
    return entry


def _default_to_solve(puzzle: Puzzle | None) -> str:
    """The backend that `auto` is for any solution of the puzzle."""
    if puzzle is None or puzzle.ruleset.rest:
        return DEFAULT_TO_SOLVE
    few = puzzle.order > LARGEST_LIVE_ORDER and puzzle.clues.filled_count * 10 < puzzle.board.cell_count
    return DEFAULT_TO_SOLVE_BLANK if few else DEFAULT_TO_SOLVE
