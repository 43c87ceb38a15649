"""One measurement: what one backend did with one puzzle in one run. In JSON it is a flat object of these fields."""

from __future__ import annotations

from dataclasses import astuple, dataclass, fields
from enum import Enum
from typing import Any, ClassVar

from ringdoku.compare.plan import Contender
from ringdoku.domain.showing import named
from ringdoku.solvers.registry import Progress


class Outcome(Enum):
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
    """Of one question: `seconds`, the sum of `build_seconds`, `load_seconds` and `solve_seconds`, of wall-clock time;
    `cpu_seconds` of the processor, with those of the programs that were started. A value that is not known is None. A
    phase that the backend does not tell apart is None too, and `solve_seconds` includes it.

    `memory` is the peak of its process in MiB; in warm runs many puzzles share one, and it is the peak so far.
    """

    GONE: ClassVar = ("process_seconds", "process_cpu_seconds")
    """Fields of older files."""

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
    """On a cluster: the processor of the machine that the run was on."""
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
        """The record, without the fields that are not known."""
        known = {field.name: getattr(self, field.name) for field in fields(self)}
        record = {field.name: known[field.name] for field in fields(self) if known[field.name] != field.default}
        steps = {"trajectory": [list(astuple(step)) for step in self.trajectory]} if self.trajectory else {}
        return record | steps | {"outcome": self.outcome.value}
