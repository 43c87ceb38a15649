"""What is to be measured: the task, the puzzles, the contenders, and the order of the runs."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Iterator
from dataclasses import asdict, dataclass, replace
from random import Random
from typing import Any

from ringdoku.compare.contenders import OWN_ENCODING, Contender, Task
from ringdoku.compare.json_fields import read, shown
from ringdoku.domain.board import Board
from ringdoku.domain.errors import UsageError
from ringdoku.domain.grid import Grid
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.ruleset import Ruleset, classic
from ringdoku.limits import Deadline


@dataclass(frozen=True)
class Instance:
    """A puzzle and a name for it, unique in a plan."""

    name: str
    puzzle: Puzzle

    def to_json(self) -> dict[str, Any]:
        """A classic puzzle has the key box, others have board and rules, in our text form."""
        ruleset = self.puzzle.ruleset
        if ruleset.classic_box:
            rules: dict[str, Any] = {"box": "{}x{}".format(*ruleset.classic_box)}
        else:
            # the constraints take long to load, and classic puzzles do without
            from ringdoku.constraints.text import write_board, write_rules

            rules = {"board": write_board(ruleset.board), "rules": write_rules(ruleset)}
        clues = self.puzzle.clues
        about = {"clues": clues.filled_count, "puzzle": grid_text(clues)}
        return {"name": self.name, "order": ruleset.order, **rules, **about}

    @staticmethod
    def from_json(record: object) -> Instance:
        """Raises `ValueError` or a `RingdokuError` for a record of another shape."""
        if not isinstance(record, dict):
            raise ValueError(f"{shown(record)} is not a puzzle")
        name, clues = (read(str, record.get(key), key) for key in ("name", "puzzle"))
        if "board" in record:
            ruleset = _ruleset(read(str, record["board"], "board"), record.get("rules", []))
        else:
            box = re.fullmatch(r"([0-9]{1,4})x([0-9]{1,4})", read(str, record.get("box"), "box"))
            if not box:
                raise ValueError(f"box is {shown(record['box'])}, not HEIGHTxWIDTH")
            ruleset = classic(int(box[1]) * int(box[2]), (int(box[1]), int(box[2])))
        return Instance(name, Puzzle(ruleset, grid_of(clues, ruleset.board)))


def _ruleset(board: str, rules: object) -> Ruleset:
    from ringdoku.constraints.text import boxes_in, plain_rules, read_board, with_rules

    lines = read(tuple[str, ...], rules, "rules")
    return with_rules(plain_rules(read_board(board), boxes_in(lines)), lines)


@dataclass(frozen=True)
class Plan:
    """`time_limit` is in seconds for each run, `memory_limit` in MiB for each process, None for no limit.

    A warm plan keeps one process and solver for all instances of a contender and repeat; otherwise each run has a
    process of its own. Raises `UsageError` for an empty plan, names that are not unique, or limits out of range.
    """

    task: Task
    instances: tuple[Instance, ...]
    contenders: tuple[Contender, ...]
    repeats: int = 1
    time_limit: float = 60.0
    memory_limit: int | None = None
    seed: int = 0
    warm: bool = False
    sources: tuple[str, ...] = ()
    """The command-line arguments that name the puzzles, for a command that repeats the comparison."""

    def __post_init__(self) -> None:
        if not self.instances:
            raise UsageError("there is no puzzle to compare on")
        if not self.contenders:
            raise UsageError("there is no backend to compare")
        if len({instance.name for instance in self.instances}) < len(self.instances):
            raise UsageError("two puzzles have the same name")
        if len(set(self.contenders)) < len(self.contenders):
            raise UsageError("a backend is named twice")
        if self.repeats < 1:
            raise UsageError(f"repeats are at least 1, not {self.repeats}")
        Deadline.asked(self.time_limit)
        if self.memory_limit is not None and self.memory_limit < 1:
            raise UsageError(f"a memory limit is at least 1 MiB, not {self.memory_limit}")

    @property
    def size(self) -> int:
        """The number of its measurements."""
        return len(self.instances) * len(self.contenders) * self.repeats

    def batches(self, done: Collection[tuple[str, str, str, int]] = ()) -> Iterator[Batch]:
        """The runs that are not `done` (keys of measurements), repeat after repeat, each repeat shuffled by the seed.

        So the runs of a contender are spread over the whole time, and a slow minute of the machine hits all alike.
        """
        for repeat in range(self.repeats):
            random = Random(f"{self.seed} {repeat}")
            # in a warm run all contenders meet the instances in the same order
            groups = [tuple(random.sample(self.instances, len(self.instances)))] if self.warm else None
            runs = [(who, group) for group in groups or zip(self.instances, strict=True) for who in self.contenders]
            for who, group in random.sample(runs, len(runs)):
                left = [one for one in group if (one.name, who.backend, who.encoding, repeat) not in done]
                if left:
                    yield Batch(replace(self, instances=tuple(left), contenders=(who,)), who, repeat)

    def to_json(self) -> dict[str, Any]:
        return {
            "task": self.task.value,
            "repeats": self.repeats,
            "time_limit": self.time_limit,
            "memory_limit": self.memory_limit,
            "seed": self.seed,
            "warm": self.warm,
            "sources": list(self.sources),
            "contenders": list(map(asdict, self.contenders)),
            "instances": [instance.to_json() for instance in self.instances],
        }


@dataclass(frozen=True)
class Batch:
    """What one process works on: the puzzles of a part of a plan, one, or in a warm run many, one after the other."""

    plan: Plan
    contender: Contender
    repeat: int


def command_line(plan: Plan) -> str:
    """The command that carries the plan out again: its sources, and every option written out."""
    options = ["--task", plan.task.value, "--time-limit", f"{plan.time_limit:g}", "--seed", str(plan.seed)]
    options += ["--repeat", str(plan.repeats)]
    options += [] if plan.memory_limit is None else ["--memory-limit", str(plan.memory_limit)]
    options += ["--warm"] if plan.warm else []
    for backend in dict.fromkeys(one.backend for one in plan.contenders):
        options += ["--backends", backend]
    encoded = {one.backend for one in plan.contenders if one.encoding}
    for encoding in dict.fromkeys(one.encoding for one in plan.contenders if one.backend in encoded):
        options += ["--encodings", encoding or OWN_ENCODING]
    return shlex.join(["ringdoku", "compare", *plan.sources, *options])


def grid_text(grid: Grid) -> str:
    """One line for n×n with 1..n up to order 9, else rows of numbers, and extra cells below; `.` for blank.

    Every reader of puzzles understands both.
    """
    board = grid.board
    names = ["." if digit == board.blank else str(digit) for digit in grid.digits]
    if board.is_plain and board.order <= 9:
        return "".join(names)
    return "\n".join(" ".join(row) for row in (*board.in_rows(names), board.beside(names).values()) if row)


def grid_of(text: str, board: Board | None = None) -> Grid:
    """The inverse of `grid_text`; without a board it is n×n with 1..n. Raises `ValueError` or `DimensionError`."""
    marks = list(text) if " " not in text and (board is None or board.is_plain) else text.split()
    if not text.isascii() or not all(mark == "." or mark.removeprefix("-").isdigit() for mark in marks):
        raise ValueError(f"{shown(text)} is not a grid of numbers and dots")
    blank = board.blank if board else 0
    return Grid(tuple(blank if mark == "." else int(mark) for mark in marks), board)  # type: ignore[arg-type]
