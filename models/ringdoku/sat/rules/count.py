"""How many of some candidates are true: a counter that is a decision diagram over literals (Sinz, CP 2005; Eén and
Sörensson, "Translating pseudo-Boolean constraints into SAT", JSAT 2, 2006); if there are only a few subsets, a clause
for each.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb

from ringdoku.sat.rules.clauses import RuleClauses

FEW = 40
"""Up to this many clauses, every subset is written: that needs no variables, and propagates at once."""


def encode(literals: Sequence[int], least: int, greatest: int, clauses: RuleClauses, few: int = FEW) -> None:
    """At least `least` and at most `greatest` of the literals are true. Either takes up to `few` clauses without new
    variables."""
    count = len(literals)
    if least > count or greatest < 0:
        clauses.add([])
        return
    if least > 0:
        _at_least(literals, least, clauses, few)
    if greatest < count:
        _at_least([-literal for literal in literals], count - greatest, clauses, few)


def _at_least(literals: Sequence[int], least: int, clauses: RuleClauses, few: int) -> None:
    count = len(literals)
    if comb(count, count - least + 1) <= few:
        # only least − 1 literals are outside such a subset, so one inside is true
        for subset in combinations(literals, count - least + 1):
            clauses.add(list(subset))
        return
    # enough[k]: at least k of the literals so far
    enough: list[int | None] = [None, *([0] * least)]
    for place, literal in enumerate(literals):
        following: list[int | None] = [None]
        for k in range(1, least + 1):
            if k > place + 1:
                following.append(0)
                continue
            variable = clauses.variables(1)[0]
            following.append(variable)
            # at least k now: k before, or k − 1 before and this literal
            before, fewer = enough[k], enough[k - 1]
            clauses.add([-variable, *([before] if before else []), literal])
            if fewer is not None:
                clauses.add([-variable, *([before] if before else []), *([fewer] if fewer else [])])
        enough = following
    last = enough[least]
    assert last, "there are at least `least` literals"
    clauses.add([last])
