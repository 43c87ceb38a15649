"""Any primitive as clauses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import assert_never

from ringdoku.domain.primitives import AllDifferent, Allowed, Count, Diagram, Linear, OneOf, Primitive, Relation
from ringdoku.sat.clauses import RuleClauses, encode_count, encode_diagram, encode_relation
from ringdoku.sat.sums import encode_sum


def encode(primitives: Iterable[Primitive], clauses: RuleClauses) -> None:
    """The clauses of every primitive.

    Raises `DimensionError` if they take too much memory, `TimeLimitError` at the deadline of `clauses`.
    """
    for primitive in primitives:
        match primitive:
            case Allowed(cell, digits):
                for digit, literal in clauses.candidates(cell):
                    if digit not in digits:
                        clauses.add([-literal])
            case AllDifferent(cells):
                _different(cells, clauses)
            case Linear():
                encode_sum(primitive, clauses)
            case Relation(first, second, pairs):
                encode_relation(first, second, pairs, clauses)
            case Count(candidates, least, greatest):
                literals = [clauses.literals[cell][digit - clauses.least] for cell, digit in candidates]
                encode_count([literal for literal in literals if literal], least, greatest, clauses)
            case Diagram():
                encode_diagram(primitive, clauses)
            case OneOf():
                _one_of(primitive, clauses)
            case _:
                assert_never(primitive)
        clauses.refuse_excess("" if isinstance(primitive, Allowed) else primitive.name)


def _different(cells: Iterable[int], clauses: RuleClauses) -> None:
    for first, second in combinations(cells, 2):
        theirs = dict(clauses.candidates(second))
        for digit, literal in clauses.candidates(first):
            if digit in theirs:
                clauses.add([-literal, -theirs[digit]])


def _one_of(rule: OneOf, clauses: RuleClauses) -> None:
    """At least one of the cases has a true selector, which implies the case's primitives.

    A case that is equivalent to a literal uses it as selector. If only one other case is left, it needs no selector: it
    holds if all literals are false.
    """
    literals = [_literal(case, clauses) for case in rule.cases]
    others = [case for case, literal in zip(rule.cases, literals, strict=True) if literal is None]
    stated = [literal for literal in literals if literal is not None]
    if len(others) == 1:
        with clauses.when(*(-literal for literal in stated)):
            encode(others[0], clauses)
        return
    fresh = iter(clauses.variables(len(others)))
    selectors = [next(fresh) if literal is None else literal for literal in literals]
    clauses.add(selectors)
    for case, literal, selector in zip(rule.cases, literals, selectors, strict=True):
        if literal is None:
            with clauses.when(selector):
                encode(case, clauses)
    if others:
        _supports(rule, selectors, clauses)


def _literal(case: Sequence[Primitive], clauses: RuleClauses) -> int | None:
    """The literal that is true exactly when the case holds; None if there is none."""
    match case:
        case [Allowed(cell, digits)]:
            candidates = list(clauses.candidates(cell))
            inside = [literal for digit, literal in candidates if digit in digits]
            outside = [literal for digit, literal in candidates if digit not in digits]
            if len(inside) == 1 and outside:
                return inside[0]
            if len(outside) == 1 and inside:
                return -outside[0]
    return None


def _supports(rule: OneOf, selectors: Sequence[int], clauses: RuleClauses) -> None:
    """Where every case limits the digits of a cell, each digit in it implies a case that allows it."""
    allowed: list[dict[int, frozenset[int]]] = []
    for case in rule.cases:
        found: dict[int, frozenset[int]] = {}
        for primitive in case:
            if isinstance(primitive, Allowed):
                found[primitive.cell] = found.get(primitive.cell, primitive.digits) & primitive.digits
        allowed.append(found)
    for cell in set(allowed[0]).intersection(*allowed[1:]) if allowed else ():
        for digit, literal in clauses.candidates(cell):
            having = [selector for selector, found in zip(selectors, allowed, strict=True) if digit in found[cell]]
            if len(having) < len(selectors):
                clauses.add([-literal, *having])
