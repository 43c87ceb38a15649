"""DIMACS CNF (DIMACS Challenge 1993; SAT Competition rules) and weighted CNF (MaxSAT Evaluations since 2022: `h` before
a hard clause and a weight before a soft one), written fast and in portions, so that memory does not grow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO

import numpy as np

from ringdoku.limits import PORTION
from ringdoku.sat.formula import Cnf, Literals, Wcnf


def write_dimacs(cnf: Cnf, stream: BinaryIO, comments: Iterable[str] = ()) -> None:
    """Comments, the header, and one clause on each line."""
    stream.writelines(_comment(comment) for comment in comments)
    stream.write(b"p cnf %d %d\n" % (cnf.num_vars, cnf.num_clauses))
    stream.writelines(_clause_text(cnf.literals))


def write_wcnf(wcnf: Wcnf, stream: BinaryIO, comments: Iterable[str] = ()) -> None:
    """Comments, and one clause on each line, the hard ones first."""
    stream.writelines(_comment(comment) for comment in comments)
    at_start = True
    for text in _clause_text(wcnf.hard.literals):
        # a portion may end in the middle of a clause
        lines = text.replace(b"\n", b"\nh ").removesuffix(b"h ")
        stream.write(b"h " + lines if at_start else lines)
        at_start = text.endswith(b"\n")
    for clause, weight in wcnf.soft_clauses():
        stream.write(b"%d %b0\n" % (weight, b"".join(b"%d " % literal for literal in clause)))


def _comment(text: str) -> bytes:
    return f"c {text}".rstrip().encode() + b"\n"


def _clause_text(literals: Literals) -> Iterator[bytes]:
    """The text of literals, each clause on a line, in portions that may end within a line."""
    for start in range(0, len(literals), PORTION):
        yield _text(literals[start : start + PORTION])


def _text(literals: Literals) -> bytes:
    rest = np.abs(literals)
    width = len(str(int(rest.max(initial=0))))
    # for each literal a row of characters: sign, digits, blank or line end; 0 for none
    characters = np.zeros((width + 2, len(literals)), dtype=np.uint8)
    characters[0, literals < 0] = ord("-")
    for place in range(width, 0, -1):
        quotient = rest // 10
        characters[place] = np.where((rest > 0) | (place == width), rest - quotient * 10 + ord("0"), 0)
        rest = quotient
    characters[-1] = np.where(literals == 0, ord("\n"), ord(" "))
    return characters.T.tobytes().translate(None, b"\0")
