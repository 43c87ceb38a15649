"""What MiniZinc prints (The MiniZinc Handbook, "The MiniZinc command line tool"): each solution closed by ten hyphens,
`==========` when the search is complete, `=====UNSATISFIABLE=====` and its like.

A solution is numbers in reading order: bare as the exported model prints them, or the values of `grid` and `extra` in
the output modes dzn and json. Lines that begin with `%` are comments; of these only `% objective = N` is read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ringdoku.answers.text import Kept, SolverOutput, room_for, shown
from ringdoku.domain.result import Status

SOLUTION_END = "----------"
COMPLETE = "=========="
WIDTH = 40
"""A digit takes at most so many characters: JSON may have each on an indented line."""
_STATUSES = {
    "=====UNSATISFIABLE=====": Status.INFEASIBLE,
    "=====UNKNOWN=====": Status.UNKNOWN,
}
_ERRORS = ("=====ERROR=====", "=====UNBOUNDED=====", "=====UNSATorUNBOUNDED=====")
_OBJECTIVE = re.compile(r"(?:%\s*objective\s*=|_objective\s*=|\"_objective\"\s*:)\s*(-?[0-9]{1,30})")
_GRID, _EXTRA = (
    re.compile(rf"\"?\b{name}\"?\s*[=:][^\[=:;]*(\[[^;\]}}]*(?:\][\s,]*\[[^;\]}}]*)*)") for name in ("grid", "extra")
)
_NUMBERS = re.compile(r"(?:\s*-?[0-9]{1,6}(?!\S))+\s*")


@dataclass(frozen=True)
class MiniZincAnswer:
    """`numbers` are those of the last solution, None where there is none. Optimal: the search was complete."""

    status: Status
    numbers: Sequence[int] | None = None
    objective: int | None = None


def read_minizinc(output: SolverOutput, cells: int) -> MiniZincAnswer:
    """The last solution of a model with so many cells.

    Raises `InputError` for an empty or unfinished text, an error, what is no solution, or one that is too long.
    """
    solution: str | None = None
    room = room_for(cells, WIDTH)
    started = Kept(output, room)
    status: Status | None = None
    for number, line in output.lines(room):
        if line == SOLUTION_END:
            solution, status = started.text, Status.SATISFIABLE
            started.clear()
        elif line == COMPLETE:
            status = Status.OPTIMAL
        elif line in _STATUSES:
            status = _STATUSES[line]
        elif line in _ERRORS:
            raise output.error(number, shown(line), "a solution")
        elif not line.startswith("%") or _OBJECTIVE.match(line):
            started.add(number, line)
    # time limits and statistics leave comments behind the last solution
    if any(not line.startswith("%") for _, line in started.lines):
        raise output.error(0, "a solution without the line of hyphens that closes it", "MiniZinc's output, complete")
    if status is None or (solution is None and status is Status.OPTIMAL):
        raise output.error(0, "no solution and no status", "MiniZinc's output")
    if solution is None:
        return MiniZincAnswer(status)
    found = _OBJECTIVE.search(solution)
    return MiniZincAnswer(status, _numbers(output, solution), int(found[1]) if found else None)


def _numbers(output: SolverOutput, text: str) -> list[int]:
    assigned = _GRID.search(text)
    if assigned:
        extra = _EXTRA.search(text)
        text = re.sub(r"[^-0-9]+", " ", f"{assigned[1]} {extra[1] if extra else ''}")
    else:
        text = "\n".join(line for line in text.split("\n") if not line.startswith("%"))
    if not _NUMBERS.fullmatch(text):
        raise output.error(0, f"a solution {shown(text)}", "rows of digits, or a value for `grid`")
    return list(map(int, text.split()))
