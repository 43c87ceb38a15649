"""Formulas in conjunctive normal form, plain (`Cnf`) and weighted (`Wcnf`); `FormulaBuilder`, which collects clauses;
the shapes of clauses that encodings share; and the files. Encodings add whole batches: an (m, k) array is m clauses of
k literals each, so that clauses need not become Python objects on the way to a file or a solver."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, groupby
from math import prod
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ringdoku.domain import DimensionError
from ringdoku.limits import NEVER, PORTION, Deadline

Literals = NDArray[np.int32]

MAX_VAR = 2**31 - 2
"""The greatest variable: solvers hold a literal in 32 bits, and some truncate silently above this."""

MAX_CLAUSES = 1 << 28
"""The most clauses: of two literals each, they take three gigabytes. Larger formulas need another encoding."""


@dataclass(frozen=True)
class Cnf:
    """`literals` is the body of a DIMACS file: each clause followed by a 0; variables are 1..num_vars."""

    num_vars: int
    literals: Literals

    @staticmethod
    def of(num_vars: int, clauses: Iterable[Sequence[int]]) -> "Cnf":
        """The formula of clauses that are lists."""
        return Cnf(num_vars, np.array([literal for clause in clauses for literal in (*clause, 0)], dtype=np.int32))

    @cached_property
    def num_clauses(self) -> int:
        return int(np.count_nonzero(self.literals == 0))

    def portions(self) -> Iterator[list[list[int]]]:
        """Every clause once as a list, for solver packages; some clauses at a time, shorter ones first."""
        ends = np.flatnonzero(self.literals == 0)
        lengths = np.diff(ends, prepend=-1) - 1
        for length in distinct_values(lengths).tolist():
            starts = ends[lengths == length] - length
            for first in range(0, len(starts), PORTION):
                yield self.literals[starts[first : first + PORTION, None] + np.arange(length)].tolist()

    def clauses(self) -> Iterator[list[int]]:
        """Every clause once as a list, shorter ones first."""
        return chain.from_iterable(self.portions())


@dataclass(frozen=True)
class Wcnf:
    """Weighted partial MaxSAT: hard clauses must hold; a soft clause that does not hold costs its weight. `soft` has
    the layout of a `Cnf`: each clause is followed by a 0. Each soft clause has a positive weight. An assignment of
    `hard`'s variables that satisfies `hard` costs the sum of the weights of violated soft clauses."""

    hard: Cnf
    soft: Literals
    weights: NDArray[np.int64]

    def soft_clauses(self) -> Iterator[tuple[list[int], int]]:
        """Each soft clause with its weight, in order."""
        literals, start = self.soft.tolist(), 0
        for end, weight in zip(np.flatnonzero(self.soft == 0).tolist(), self.weights.tolist(), strict=True):
            yield literals[start:end], weight
            start = end + 1


def distinct_values(numbers: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
    """The distinct values of small numbers ≥ 0, ascending, as `np.unique`, which loads masked arrays for 20 ms."""
    return np.flatnonzero(np.bincount(numbers))


class VarPool:
    """Hands out variables 1, 2, 3, …, so far `num_vars`; raises `DimensionError` above `MAX_VAR`."""

    def __init__(self, taken: int = 0) -> None:
        self.num_vars = taken

    def take(self, *shape: int) -> Literals:
        """New variables in an array of this shape, numbered in its reading order."""
        new = self.reserve(prod(shape))
        return np.arange(new.start, new.stop, dtype=np.int32).reshape(shape)

    def reserve(self, size: int) -> range:
        """`size` new variables."""
        if self.num_vars + size > MAX_VAR:
            raise DimensionError(f"the formula needs more than {MAX_VAR} variables")
        self.num_vars += size
        return range(self.num_vars - size + 1, self.num_vars + 1)


class FormulaBuilder(VarPool):
    """Hands out variables and collects clauses. Raises `TimeLimitError` for a batch after the deadline."""

    def __init__(self, deadline: Deadline = NEVER, taken: int = 0) -> None:
        super().__init__(taken)
        self.deadline = deadline
        self._parts: list[Literals] = []
        self.num_clauses = 0

    def require_room_for(self, clauses: int) -> None:
        """Raise `DimensionError`, before memory runs out, if so many more clauses would exceed `MAX_CLAUSES`."""
        if self.num_clauses + clauses > MAX_CLAUSES:
            remedy = "give more clues with presolve, or choose another at-most-one encoding"
            raise DimensionError(f"the formula needs more than {MAX_CLAUSES} clauses; {remedy}")

    def add(self, clauses: ArrayLike) -> None:
        """Add an (m, k) array of m clauses with k literals each; one clause may be given as a plain list."""
        self.deadline.check()
        batch = np.atleast_2d(np.asarray(clauses, dtype=np.int32))
        self.num_clauses += len(batch)
        self._parts.append(np.concatenate((batch, np.zeros((len(batch), 1), np.int32)), axis=1).reshape(-1))

    def add_lists(self, clauses: Iterable[Sequence[int]]) -> None:
        """Add clauses of any lengths, shorter ones first, those of one length as one batch."""
        for _, batch in groupby(sorted(clauses, key=len), len):
            self.add(list(batch))

    def formula(self) -> Cnf:
        """The formula of all collected clauses."""
        return Cnf(self.num_vars, np.concatenate([np.zeros(0, dtype=np.int32), *self._parts]))


def implies(left: Literals, right: Literals) -> Literals:
    """left → right, as (m, 2); arrays of literals broadcast against each other."""
    return np.stack(np.broadcast_arrays(-left, right), axis=-1).reshape(-1, 2)


def implies_any(left: Literals, right: Literals) -> Literals:
    """left → right₁ ∨ … ∨ right_k for `left` (m,) and `right` (m, k)."""
    return np.concatenate((-left[:, None], right), axis=1)


def code_width(count: int) -> int:
    """⌈log₂ count⌉, the number of bits that distinguish `count` things; 0 if `count` is 0."""
    return max(count - 1, 0).bit_length()


def code_literals(bits: Literals, count: int) -> Literals:
    """(m, count, w) literals from m rows of w bits. The i-th w literals of a row are all true if its bits encode i."""
    spelled = np.arange(count)[:, None] >> np.arange(bits.shape[1]) & 1
    return np.where(spelled == 1, bits[:, None, :], -bits[:, None, :]).astype(np.int32)


def by_size(padded: Literals) -> Iterator[tuple[NDArray[np.int64], Literals]]:
    """Group the rows of an (m, k) array, sets of literals padded with 0, by size. For each size k′ ≥ 1, smaller ones
    first, yields the indices of its m′ rows, and their sets as an (m′, k′) array, in their order."""
    sizes = np.count_nonzero(padded, axis=1)
    for size in filter(None, distinct_values(sizes).tolist()):
        rows = np.flatnonzero(sizes == size)
        sets = padded[rows]
        yield rows, sets[sets != 0].reshape(-1, size)


def write_dimacs(cnf: Cnf, stream: BinaryIO, comments: Iterable[str] = ()) -> None:
    """DIMACS (DIMACS Challenge 1993): comments, the header, and one clause on each line."""
    stream.writelines(_comment(comment) for comment in comments)
    stream.write(b"p cnf %d %d\n" % (cnf.num_vars, cnf.num_clauses))
    stream.writelines(_clause_text(cnf.literals))


def write_wcnf(wcnf: Wcnf, stream: BinaryIO, comments: Iterable[str] = ()) -> None:
    """Comments, then a clause on each line: `h` and a hard one, a weight and a soft one (MaxSAT Evaluation 2022)."""
    stream.writelines(_comment(comment) for comment in comments)
    if wcnf.hard.num_clauses:
        stream.write(b"h ")
        stream.writelines(text.replace(b"\n", b"\nh ") for text in _clause_text(wcnf.hard.literals[:-1]))
        stream.write(b"0\n")
    for clause, weight in wcnf.soft_clauses():
        stream.write(b"%d %b0\n" % (weight, b"".join(b"%d " % literal for literal in clause)))


def _comment(text: str) -> bytes:
    return f"c {text}".rstrip().encode() + b"\n"


def _clause_text(literals: Literals) -> Iterator[bytes]:
    """The text of literals, each clause on a line, in portions that may end within a line."""
    for start in range(0, len(literals), PORTION):
        portion = literals[start : start + PORTION]
        rest = np.abs(portion)
        width = len(str(int(rest.max(initial=0))))
        # for each literal a row of characters: sign, digits, blank or line end; 0 for none
        characters = np.zeros((width + 2, len(portion)), dtype=np.uint8)
        characters[0, portion < 0] = ord("-")
        for place in range(width, 0, -1):
            quotient = rest // 10
            characters[place] = np.where((rest > 0) | (place == width), rest - quotient * 10 + ord("0"), 0)
            rest = quotient
        characters[-1] = np.where(portion == 0, ord("\n"), ord(" "))
        yield characters.T.tobytes().translate(None, b"\0")
