"""A relation of two cells: its conflicts as binary clauses (Walsh, "SAT v CSP", CP 2000), and the digits of the other
cell that support a digit (Gent, "Arc consistency in SAT", ECAI 2002), so that unit propagation is arc consistent.
"""

from __future__ import annotations

from collections.abc import Collection

from ringdoku.encodings.rules.clauses import RuleClauses


def encode(first: int, second: int, pairs: Collection[tuple[int, int]], clauses: RuleClauses) -> None:
    """The digits of the cells are one of the pairs.

    Each cell holds exactly one digit. So if only one digit supports a digit, its conflicts need no clauses; and if it
    conflicts with only one digit, its supports need none.
    """
    left, right = list(clauses.candidates(first)), list(clauses.candidates(second))
    supports = {a: [b for b, _ in right if (a, b) in pairs] for a, _ in left}
    supported = {b: [a for a, _ in left if (a, b) in pairs] for b, _ in right}
    for a, literal in left:
        if len(supports[a]) > 1:
            for b, other in right:
                if len(supported[b]) > 1 and (a, b) not in pairs:
                    clauses.add([-literal, -other])
    for ones, others, found in ((left, right, supports), (right, left, supported)):
        literals = dict(others)
        for digit, literal in ones:
            if len(found[digit]) <= 1 or len(found[digit]) < len(others) - 1:
                clauses.add([-literal, *(literals[other] for other in found[digit])])
