"""A relation of two cells: its conflicts as binary clauses (Walsh, "SAT v CSP", CP 2000), and the digits of the other
cell that support a digit (Gent, "Arc consistency in SAT", ECAI 2002), so that unit propagation is arc consistent.
"""

from __future__ import annotations

from collections.abc import Collection

from ringdoku.encodings.rules.clauses import RuleClauses


def encode(first: int, second: int, pairs: Collection[tuple[int, int]], clauses: RuleClauses) -> None:
    """The digits of the cells are one of the pairs."""
    left, right = list(clauses.candidates(first)), list(clauses.candidates(second))
    for digit, literal in left:
        supports = []
        for other, other_literal in right:
            if (digit, other) in pairs:
                supports.append(other_literal)
            else:
                clauses.add([-literal, -other_literal])
        if len(supports) < len(right):
            clauses.add([-literal, *supports])
    for other, other_literal in right:
        supports = [literal for digit, literal in left if (digit, other) in pairs]
        if len(supports) < len(left):
            clauses.add([-other_literal, *supports])
