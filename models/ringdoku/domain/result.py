"""The answer of a backend: `Result` and its `Status`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from ringdoku.domain.grid import Grid
from ringdoku.domain.showing import Shown, named


def word_in(ground: str) -> str:
    """Whose word alone is among the grounds of an answer, where it stands last; empty if there is none."""
    return ground.partition("the word of ")[2]


class Status(StrEnum):
    """How far the question was answered. A status equals its value: `Status.OPTIMAL == "optimal"`."""

    SATISFIABLE = "satisfiable"
    """A solution was found; there was no objective."""
    OPTIMAL = "optimal"
    """A solution was found, and proved to be best: bound = score."""
    FEASIBLE = "feasible"
    """A solution was found, not proved to be best."""
    INFEASIBLE = "infeasible"
    """There is no solution: a solver proved it, or a program says so and `word_of` names the program."""
    UNKNOWN = "unknown"
    """A limit was reached before anything was found or proved."""

    __repr__ = named

    @property
    def is_final(self) -> bool:
        """Whether more time cannot change the answer."""
        return self in (Status.SATISFIABLE, Status.OPTIMAL, Status.INFEASIBLE)


@dataclass(frozen=True)
class Result(Shown):
    """One answer. There is a `grid` for satisfiable, optimal and feasible, and with an objective a `score`.

    `bound` is a proved limit on the score: an upper one when maximising, a lower one when minimising; None when nothing
    was proved. `seconds` is wall-clock time. `statistics` holds what the solver counts (conflicts, decisions, …). Among
    several best solutions `rank` counts from 1; status and bound then refer to all but those of lower rank.

    `ground` says what a final answer rests on: "the grid" (satisfiable), "prices in exact arithmetic", "propagation",
    "a refutation by …" (a SAT solver or a search, by its name), or "the word of …" (CP-SAT, or a program). `word_of` is
    the one whose word it is, of a user's program its command line; empty where an answer is proved.
    """

    status: Status
    grid: Grid | None = None
    score: int | None = None
    bound: int | None = None
    backend: str = ""
    seconds: float = 0.0
    statistics: Mapping[str, int | float] = field(default_factory=dict, hash=False)
    rank: int = 1
    ground: str = ""

    @property
    def word_of(self) -> str:
        """Who gave no proof that there is no solution, or none that is better."""
        return word_in(self.ground)

    @property
    def solved(self) -> bool:
        """Whether there is a solution, best or not."""
        return self.grid is not None

    def to_dict(self) -> dict[str, Any]:
        """Plain data, which JSON can hold: the grid as its rows, None for what is not known."""
        rows = None if self.grid is None else [list(row) for row in self.grid.rows]
        plain = {"status": self.status.value, "grid": rows, "statistics": dict(self.statistics)}
        return {**vars(self), **plain, "word_of": self.word_of}

    def __str__(self) -> str:
        """Status, score, bound and seconds, and below them the grid."""
        parts = [self.status.value]
        parts += [] if self.score is None else [f"score {self.score}"]
        parts += [] if self.bound is None else [f"bound {self.bound}"]
        parts += [f"by the word of {self.word_of}"] if self.word_of else []
        parts.append(f"{self.seconds:.3f} s")
        return "\n".join([", ".join(parts), *([] if self.grid is None else [str(self.grid)])])
