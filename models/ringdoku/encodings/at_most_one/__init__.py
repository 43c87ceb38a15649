"""At-most-one encodings, one file each.

Each takes `sets`, an (m, k) array: m sets of k literals, of each of which at most one may be true.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from ringdoku.cnf import ClauseSink, VarPool
from ringdoku.cnf.formula import Literals
from ringdoku.encodings.at_most_one.pairwise import pairwise

AtMostOne: TypeAlias = Callable[[Literals, VarPool, ClauseSink], None]

AT_MOST_ONE: Mapping[str, AtMostOne] = {"pairwise": pairwise}
"""Every at-most-one encoding by its name."""
