"""What XCSP3 solvers print (XCSP3 Competition): `s STATUS`, and `v` lines with an `<instantiation>` in XML."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ringdoku.answers.literals import STATUSES
from ringdoku.answers.text import Kept, SolverOutput, room_for, shown
from ringdoku.domain.result import Status

_START = re.compile(r"(?=<instantiation)")
_INSTANTIATION = re.compile(r"<instantiation([^<>]*)>(.*?)</instantiation>", re.DOTALL)
_COST = re.compile(r"cost\s*=\s*['\"](-?[0-9]{1,30})['\"]")
_LIST = re.compile(r"<list>([^<]*)</list>")
_VALUES = re.compile(r"<values>((?:\s*-?[0-9]{1,6}(?![^\s<]))+)\s*</values>")

WIDTH = 40
"""A name and a value take at most so many characters."""


@dataclass(frozen=True)
class Xcsp3Answer:
    """`values` are those of the last instantiation, in the order of `variables`; None where there is none."""

    status: Status
    variables: str = ""
    values: Sequence[int] | None = None
    cost: int | None = None


def read_xcsp3(output: SolverOutput, cells: int) -> Xcsp3Answer:
    """The answer to a model with so many cells.

    Raises `InputError` without a known status, and for an instantiation that is not a list of numbers or is too long.
    """
    room = room_for(cells, WIDTH)
    said: str | None = None
    last: re.Match[str] | None = None
    started = Kept(output, room)
    for number, line in output.lines(room):
        if line.startswith("s "):
            said = said or line[2:].strip()
        elif not line.startswith(("c ", "o ", "d ")):
            for part in _START.split(line.removeprefix("v ")):
                if part.startswith("<instantiation"):
                    started.clear()
                elif not started.lines:
                    continue
                started.add(number, part)
                if "</instantiation>" in part:
                    last = _INSTANTIATION.search(started.text) or last
                    started.clear()
    status = STATUSES.get(said) if said else None
    if status is None:
        found = f"status {shown(said)}" if said else "no status"
        raise output.error(0, found, "SATISFIABLE, OPTIMUM FOUND, UNSATISFIABLE or UNKNOWN")
    if last is None:
        return Xcsp3Answer(status)
    attributes, body = last.groups()
    variables, values, cost = _LIST.search(body), _VALUES.search(body), _COST.search(attributes)
    if not variables or not values:
        raise output.error(0, f"an instantiation {shown(body)}", "a <list> of variables and <values> that are numbers")
    numbers = list(map(int, values[1].split()))
    return Xcsp3Answer(status, variables[1].strip(), numbers, int(cost[1]) if cost else None)
