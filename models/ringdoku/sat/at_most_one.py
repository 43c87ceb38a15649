"""Every at-most-one encoding by its name. Each takes an (m, k) array: m sets of k literals, all encoded at once; its
docstring has the numbers of its new variables and clauses for a set of k literals."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import isqrt

import numpy as np

from ringdoku.sat.formula import FormulaBuilder, Literals, code_literals, code_width, implies, implies_any


@dataclass(frozen=True)
class AtMostOne:
    """`encode(sets, builder)` says that at most one literal of each set is true."""

    encode: Callable[[Literals, FormulaBuilder], None]
    reference: str

    @lru_cache(maxsize=1024)  # noqa: B019 - the encodings live as long as the program
    def size(self, count: int) -> tuple[int, int]:
        """The numbers of new variables and clauses for a set of `count` literals."""
        builder = FormulaBuilder()
        self.encode(builder.take(1, count), builder)
        return builder.num_vars - count, builder.num_clauses


def pairwise(sets: Literals, builder: FormulaBuilder) -> None:
    """Pairwise (folklore; "binomial" in Frisch and Giannaros, ModRef 2010): 0 variables, k(k−1)/2 clauses."""
    first, second = np.triu_indices(sets.shape[1], 1)
    # no two literals of a set are both true
    builder.add(implies(sets[:, first], -sets[:, second]))


def ladder(sets: Literals, builder: FormulaBuilder) -> None:
    """Ladder (Gent and Nightingale, ModRef 2004), the sequential counter with bound 1 (Sinz, CP 2005): k−1 variables,
    3k−4 clauses for k ≥ 2. The two papers' clauses differ only in the sign of the new variables."""
    count, size = sets.shape
    if size < 2:
        return
    seen = builder.take(count, size - 1)
    # seen i: one of the first i literals is true
    builder.add(implies(sets[:, :-1], seen))
    builder.add(implies(seen[:, :-1], seen[:, 1:]))
    # then no later one is true
    builder.add(implies(seen, -sets[:, 1:]))


def bitwise(sets: Literals, builder: FormulaBuilder) -> None:
    """Bitwise, also called binary (Frisch, Peugniez, Doggett and Nightingale, JAR 35, 2005): ⌈log₂ k⌉ variables,
    k·⌈log₂ k⌉ clauses."""
    count, size = sets.shape
    bits = builder.take(count, code_width(size))
    # the i-th literal implies that the bits encode i, and they encode one number only
    builder.add(implies(sets[:, :, None], code_literals(bits, size)))


def commander(sets: Literals, builder: FormulaBuilder) -> None:
    """Commander (Klieber and Kwon, CFV 2007), groups of 3 consecutive literals, recursive. V(k) = 0 variables and C(k)
    = k(k−1)/2 clauses for k ≤ 3; above, with g = ⌈k/3⌉ groups and r = k mod 3, V(k) = g + V(g) and C(k) = 7·⌊k/3⌋ + (0,
    2, 4)[r] + C(g)."""
    group = 3
    count, size = sets.shape
    if size <= group:
        pairwise(sets, builder)
        return
    full, rest = divmod(size, group)
    commanders = builder.take(count, full + (rest > 0))
    _encode_groups(sets[:, : size - rest].reshape(-1, group), commanders[:, :full].reshape(-1), builder)
    if rest:
        _encode_groups(sets[:, size - rest :], np.ascontiguousarray(commanders[:, full]), builder)
    # at most one commander
    commander(commanders, builder)


def _encode_groups(groups: Literals, commanders: Literals, builder: FormulaBuilder) -> None:
    """For (m, k) groups and their (m,) commanders: at most one of a group is true; commander ↔ one of its group."""
    pairwise(groups, builder)
    builder.add(implies(groups, commanders[:, None]))
    builder.add(implies_any(commanders, groups))


def product(sets: Literals, builder: FormulaBuilder) -> None:
    """Product, 2-product (Chen, ModRef 2010), recursive. V(k) = 0 variables and C(k) = k(k−1)/2 clauses for k ≤ 4;
    above, with p = ⌈√k⌉ rows and q = ⌈k/p⌉ columns, V(k) = p + q + V(p) + V(q) and C(k) = 2k + C(p) + C(q)."""
    count, size = sets.shape
    if size <= 4:
        pairwise(sets, builder)
        return
    height = isqrt(size - 1) + 1
    rows, columns = builder.take(count, height), builder.take(count, -(-size // height))
    row, column = np.divmod(np.arange(size), columns.shape[1])
    # a true literal makes its row and its column of a table true; at most one of each is
    builder.add(implies(sets, rows[:, row]))
    builder.add(implies(sets, columns[:, column]))
    product(rows, builder)
    product(columns, builder)


def bimander(sets: Literals, builder: FormulaBuilder) -> None:
    """Bimander (Nguyen and Mai, SoICT 2015), g = ⌈k/2⌉ groups of 2 consecutive literals: ⌈log₂ g⌉ variables,
    ⌊k/2⌋ + k·⌈log₂ g⌉ clauses."""
    count, size = sets.shape
    groups = -(-size // 2)
    bits = builder.take(count, code_width(groups))
    # at most one of a group
    builder.add(implies(sets[:, : size - 1 : 2], -sets[:, 1::2]))
    # every literal of a group implies that the bits are the group's number
    builder.add(implies(sets[:, :, None], code_literals(bits, groups)[:, np.arange(size) // 2]))


AT_MOST_ONE: Mapping[str, AtMostOne] = {
    "pairwise": AtMostOne(pairwise, "folklore"),
    "ladder": AtMostOne(ladder, "Gent, Nightingale 2004; Sinz 2005"),
    "bitwise": AtMostOne(bitwise, "Frisch, Peugniez et al. 2005"),
    "commander": AtMostOne(commander, "Klieber, Kwon 2007"),
    "product": AtMostOne(product, "Chen 2010"),
    "bimander": AtMostOne(bimander, "Nguyen, Mai 2015"),
}
