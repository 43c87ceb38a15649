"""A `Plan` of what is measured: the task, the puzzles, the contenders and the order of runs; and a `Measurement`."""

import json
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import asdict, dataclass, field, fields, replace
from enum import StrEnum
from random import Random
from typing import TYPE_CHECKING, Any

from ringdoku.domain import Board, Grid, Puzzle, UsageError, refuse
from ringdoku.domain.showing import named
from ringdoku.limits import Deadline
from ringdoku.solvers.registry import BACKENDS, EXTERNAL, Ability, Progress, find
from ringdoku.text.layout import Layout, puzzle_text

if TYPE_CHECKING:
    from ringdoku.sat.options import EncodingOptions

ALL = "all"


class Task(StrEnum):
    """The question that is asked about each puzzle."""

    SOLVE = "solve"
    """Any one solution."""
    MAXIMISE = "maximise"
    """A solution of best ring-weighted score."""
    UNIQUE = "unique"
    """Up to two solutions, to decide whether there is exactly one."""

    __repr__ = named


ABILITIES = {Task.SOLVE: Ability.SATISFY, Task.MAXIMISE: Ability.OPTIMISE, Task.UNIQUE: Ability.ENUMERATE}
"""What a backend must be able to do for a task."""


@dataclass(frozen=True)
class Contender:
    """A backend and the name of its encoding, empty for the backend's default."""

    backend: str
    encoding: str = ""

    @property
    def name(self) -> str:
        return f"{self.backend}/{self.encoding}" if self.encoding else self.backend


@dataclass(frozen=True)
class Instance:
    """A puzzle and a name for it, unique in a plan."""

    name: str
    puzzle: Puzzle


@dataclass(frozen=True)
class Plan:
    """All runs of a comparison. `time_limit` is in seconds for each run, `memory_limit` in MiB for each process, None
    for no limit. A warm plan keeps one process and solver for all instances of a contender and repeat; otherwise each
    run has a process of its own. Raises `UsageError` for an empty plan, repeated names, or limits out of range."""

    task: Task
    instances: tuple[Instance, ...]
    contenders: tuple[Contender, ...]
    repeats: int = 1
    time_limit: float = 60.0
    memory_limit: int | None = None
    seed: int = 0
    warm: bool = False
    command: str = field(default="", compare=False)
    """The command line that repeats the comparison."""

    def __post_init__(self) -> None:
        limit = self.memory_limit
        refuse(not self.instances, "there is no puzzle to compare on")
        refuse(not self.contenders, "there is no backend to compare")
        refuse(len({one.name for one in self.instances}) < len(self.instances), "two puzzles have the same name")
        refuse(len(set(self.contenders)) < len(self.contenders), "a backend is named twice")
        refuse(self.repeats < 1, f"repeats are at least 1, not {self.repeats}")
        refuse(limit is not None and limit < 1, f"a memory limit is at least 1 MiB, not {limit}")
        Deadline.asked(self.time_limit)

    @property
    def size(self) -> int:
        """How many measurements it has when it is complete."""
        return len(self.instances) * len(self.contenders) * self.repeats

    def batches(self, done: Collection[tuple[str, str, str, int]] = ()) -> "Iterator[tuple[Plan, int]]":
        """The runs that are not `done` (keys of measurements), as one batch for each process: a part of the plan with
        one contender and one puzzle, or in a warm plan many, and the number of the repeat. They come repeat after
        repeat, each shuffled by the seed. So the runs of a contender are spread over the whole time, and a slow minute
        of the machine affects all contenders alike."""
        for repeat in range(self.repeats):
            random = Random(f"{self.seed} {repeat}")
            # in a warm run all contenders meet the instances in the same order
            groups = [tuple(random.sample(self.instances, len(self.instances)))] if self.warm else None
            runs = [(who, group) for group in groups or zip(self.instances, strict=True) for who in self.contenders]
            for who, group in random.sample(runs, len(runs)):
                left = tuple(one for one in group if (one.name, who.backend, who.encoding, repeat) not in done)
                if left:
                    yield replace(self, instances=left, contenders=(who,)), repeat

    def to_json(self) -> dict[str, Any]:
        """The plan as a JSON object, in which puzzles are as in the layout `json`."""
        texts = {one.name: puzzle_text(one.puzzle, Layout("json")) for one in self.instances}
        instances = [{"name": name, "puzzle": json.loads(text)} for name, text in texts.items()]
        return vars(self) | {"contenders": list(map(asdict, self.contenders)), "instances": instances}


class Outcome(StrEnum):
    """How a run ended: a status of the library, or the reason why there is none."""

    SATISFIABLE = "satisfiable"
    """A solution was found; the task does not ask for the best one."""
    OPTIMAL = "optimal"
    """A best solution was found and proved."""
    INFEASIBLE = "infeasible"
    """Proved: there is no solution."""
    FEASIBLE = "feasible"
    """At the time limit: a solution, not proved best."""
    UNKNOWN = "unknown"
    """At the time limit: nothing was found."""
    TIMEOUT = "timeout"
    """The process did not stop at the time limit and was killed."""
    MEMOUT = "memout"
    """The process was killed at the memory limit, or the system refused it more memory."""
    WRONG = "wrong"
    """The backend refused its solver's answer as wrong; `stderr` says why."""
    CRASHED = "crashed"
    """The process or the solver failed; `stderr` has the end of what it printed."""

    __repr__ = named

    @property
    def is_final(self) -> bool:
        """Whether the question was answered."""
        return self in (Outcome.SATISFIABLE, Outcome.OPTIMAL, Outcome.INFEASIBLE)


@dataclass(frozen=True)
class Measurement:
    """The result and the cost of one run. `seconds` is wall-clock time, the sum of `build_seconds`, `load_seconds` and
    `solve_seconds`; `cpu_seconds` is processor time, with that of programs that were started. A value that is not known
    is None. So is a phase that the backend does not measure separately, which `solve_seconds` includes. `memory` is the
    peak of the process in MiB; in warm runs many puzzles share a process, and it is the peak so far."""

    instance: str
    """Name of the puzzle, unique in a plan."""
    task: str
    """solve, maximise or unique."""
    backend: str
    encoding: str
    """Name of the encoding; empty for a backend that takes none."""
    repeat: int
    """0, 1, … below the plan's repeats."""
    outcome: Outcome
    score: int | None = None
    bound: int | None = None
    solutions: int | None = None
    """For the task unique: how many solutions were found, 0, 1 or 2 (2 stands for "several")."""
    grid: str | None = None
    """The solution, in the layout of the instance's text."""
    second_grid: str | None = None
    """For the task unique: another solution."""
    import_seconds: float | None = None
    """Importing the solver's package; not a part of `seconds`."""
    build_seconds: float | None = None
    """Making the model."""
    load_seconds: float | None = None
    """Handing it to the solver."""
    solve_seconds: float | None = None
    seconds: float | None = None
    cpu_seconds: float | None = None
    live: bool | None = None
    """Whether the solver that answered stays for later puzzles, and was not made for this one."""
    memory: float | None = None
    conflicts: int | None = None
    decisions: int | None = None
    propagations: int | None = None
    variables: int | None = None
    clauses: int | None = None
    machine: str = ""
    """The processor of the machine that the run was on."""
    stderr: str = ""
    """The end of what the process wrote to stderr, when it failed."""
    trajectory: tuple[Progress, ...] = ()
    """For the task maximise: best score and bound over time, in JSON a list of [seconds, score, bound]."""

    @property
    def contender(self) -> str:
        """Backend and encoding in one word."""
        return Contender(self.backend, self.encoding).name

    @property
    def key(self) -> tuple[str, str, str, int]:
        """Instance, backend, encoding and repeat, which identify a run of a plan."""
        return self.instance, self.backend, self.encoding, self.repeat

    def to_json(self) -> dict[str, Any]:
        """A flat object of the fields that are known."""
        known = {each.name: value for each in fields(self) if (value := getattr(self, each.name)) != each.default}
        if self.trajectory:
            known["trajectory"] = [[step.seconds, step.score, step.bound] for step in self.trajectory]
        return known


def contenders(task: Task, backends: Iterable[str] = (ALL,), encodings: Iterable[str] = ()) -> tuple[Contender, ...]:
    """A contender for each backend, or for each of the encodings if the backend takes some. `all` stands for every
    backend that can do the task. An encoding is a name that `parse_encoding` reads, or `own` for the backend's default.
    Raises `UsageError` for an unknown name or a backend without the ability, `BackendError` for a missing program."""
    able = [name for name, entry in BACKENDS.items() if ABILITIES[task] in entry.abilities]
    entries = [find(each, ABILITIES[task]) for name in backends for each in (able if name == ALL else [name])]
    for entry in entries:
        if entry.name.startswith(EXTERNAL):
            # reports what is not installed now, and not once for each run
            entry.open()
    wanted = ["" if name == "own" else name for name in encodings] or [""]
    for encoding in wanted:
        parse_encoding(encoding)
    every = (Contender(entry.name, each) for entry in entries for each in (wanted if entry.is_encoded else [""]))
    return tuple(dict.fromkeys(every))


def split_names(text: str, known: Collection[str] = (*BACKENDS, ALL)) -> list[str]:
    """The names in a list with commas, without empty ones. A command line after `cmd:` may have commas itself; only one
    before `cmd:` or a name that is `known` ends it."""
    names = rf"(?=\s*(?:{EXTERNAL}|(?:{'|'.join(map(re.escape, known))})\s*(?:,|$)))" if EXTERNAL in text else ""
    return [name for name in map(str.strip, re.split(f",{names}", text)) if name]


def parse_encoding(name: str) -> "EncodingOptions | None":
    """The options for a name such as `minimal+order+product+triads+innies+presolve`: at most one word for each choice,
    joined by +, in any order. A choice without a word is the textbook's: extended, direct, pairwise, no triads, no
    innies, no presolve. None for "". Raises `UsageError`."""
    if not name:
        return None
    from ringdoku.sat.at_most_one import AT_MOST_ONE
    from ringdoku.sat.digits import DIGITS
    from ringdoku.sat.options import ClauseSet, EncodingOptions

    choices: dict[str, tuple[str, object]] = {
        **{member.value: ("clause_set", member) for member in ClauseSet},
        **{known: ("digits", known) for known in DIGITS},
        **{known: ("at_most_one", known) for known in AT_MOST_ONE},
        **{known: (known, True) for known in ("triads", "innies", "presolve")},
    }
    chosen: dict[str, object] = {}
    for word in name.split("+"):
        refuse(word not in choices, f"no encoding is called {word!r}; join with +: {', '.join(choices)}")
        field, value = choices[word]
        if field in chosen:
            others = [other for other, (known, _) in choices.items() if known == field]
            raise UsageError(f"encoding {name!r} chooses twice between {', '.join(others)}")
        chosen[field] = value
    return EncodingOptions(**chosen)  # type: ignore[arg-type]  # the choices are its fields


def grid_text(grid: Grid) -> str:
    """A grid as text: one line for n×n with 1..n up to order 9, else rows of numbers and extra cells; `.` for blank."""
    board = grid.board
    names = ["." if digit == board.blank else str(digit) for digit in grid.digits]
    if board.is_plain and board.order <= 9:
        return "".join(names)
    return "\n".join(" ".join(row) for row in (*board.in_rows(names), board.beside(names).values()) if row)


def grid_of(text: str, board: Board) -> Grid:
    """The inverse of `grid_text`. Raises `ValueError` or `UsageError`."""
    marks = text.split() if len(text) > board.cell_count else text
    return Grid(tuple(board.blank if mark == "." else int(mark) for mark in marks), board)
