"""What XCSP3 solvers print (XCSP3 Competition): `s STATUS`, and `v` lines with an `<instantiation>` in XML."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ringdoku.answers.literals import ANSI_COLOUR, STATUSES
from ringdoku.answers.text import SolverOutput, shown
from ringdoku.domain.result import Status

_STATUS = re.compile(r"^s (.+)$", re.MULTILINE)
_INSTANTIATION = re.compile(r"<instantiation([^<>]*)>((?:(?!<instantiation).)*?)</instantiation>", re.DOTALL)
_COST = re.compile(r"cost\s*=\s*['\"](-?[0-9]{1,30})['\"]")
_LIST = re.compile(r"<list>([^<]*)</list>")
_VALUES = re.compile(r"<values>((?:\s*[0-9]{1,6}(?![^\s<]))+)\s*</values>")


@dataclass(frozen=True)
class Xcsp3Answer:
    """`values` are those of the last instantiation, in the order of `variables`; None where there is none."""

    status: Status
    variables: str = ""
    values: Sequence[int] | None = None
    cost: int | None = None


def read_xcsp3(output: SolverOutput) -> Xcsp3Answer:
    """Raises `InputError` without a known status, and for an instantiation that is no list of numbers."""
    text = ANSI_COLOUR.sub("", output.text).replace("\r", "")
    said = _STATUS.search(text)
    status = STATUSES.get(said[1].strip()) if said else None
    if status is None:
        found = f"status {shown(said[1])}" if said else "no status"
        raise output.error(0, found, "SATISFIABLE, OPTIMUM FOUND, UNSATISFIABLE or UNKNOWN")
    instantiations = _INSTANTIATION.findall(re.sub(r"^v ", "", text, flags=re.MULTILINE))
    if not instantiations:
        return Xcsp3Answer(status)
    attributes, body = instantiations[-1]
    variables, values, cost = _LIST.search(body), _VALUES.search(body), _COST.search(attributes)
    if not variables or not values:
        raise output.error(0, f"an instantiation {shown(body)}", "a <list> of variables and <values> that are numbers")
    numbers = list(map(int, values[1].split()))
    return Xcsp3Answer(status, variables[1].strip(), numbers, int(cost[1]) if cost else None)
