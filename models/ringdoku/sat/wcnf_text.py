"""WCNF files: the format of the MaxSAT Evaluations since 2022, `h` before a hard clause and a weight before a soft one,
and the older one with a header `p wcnf VARIABLES CLAUSES TOP`, in which a clause of weight TOP is hard.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from io import BytesIO
from typing import BinaryIO

import numpy as np

from ringdoku.domain.errors import InputError, Place
from ringdoku.domain.numbers import counted
from ringdoku.sat.dimacs import clause_text
from ringdoku.sat.formula import MAX_VAR, Cnf
from ringdoku.sat.wcnf import Wcnf

_CLAUSE = re.compile(rb"(h|[1-9][0-9]{0,18})((?:[ \t]+-?[1-9][0-9]{0,9})*)[ \t]+0")
_HEADER = re.compile(rb"p[ \t]+wcnf[ \t]+([0-9]{1,10})[ \t]+([0-9]{1,18})[ \t]+([1-9][0-9]{0,18})")
LARGEST_COST = 2**63 - 2
"""Most that all soft clauses may cost together. One more, the TOP of the older header, still fits in 64 bits."""


def write_wcnf(wcnf: Wcnf, stream: BinaryIO, comments: Iterable[str] = (), legacy: bool = False) -> None:
    """Writes comments, the header if `legacy`, and one clause on each line."""
    for comment in comments:
        stream.write(f"c {comment}".rstrip().encode() + b"\n")
    hard = b"%d " % wcnf.top if legacy else b"h "
    if legacy:
        count = wcnf.hard.num_clauses + len(wcnf.weights)
        stream.write(b"p wcnf %d %d %d\n" % (wcnf.num_vars, count, wcnf.top))
    at_start = True
    for text in clause_text(wcnf.hard.literals):
        # a portion may end in the middle of a clause
        body = (hard if at_start else b"") + text.replace(b"\n", b"\n" + hard)
        at_start = text.endswith(b"\n")
        stream.write(body.removesuffix(hard) if at_start else body)
    for clause, weight in wcnf.soft_clauses():
        stream.write(b"%d %b0\n" % (weight, b"".join(b"%d " % literal for literal in clause)))


def read_wcnf(data: bytes, file: str = "<wcnf>") -> Wcnf:
    """The formula of a file with one clause a line, in either format. Raises `InputError` with the line."""
    header: re.Match[bytes] | None = None
    hard: list[bytes] = []
    soft: list[bytes] = []
    weights: list[int] = []
    cost = 0
    for number, line in enumerate(BytesIO(data), 1):
        text = line.strip(b" \t\r\n")
        if not text or text.startswith(b"c"):
            continue
        clause = _CLAUSE.fullmatch(text)
        if clause is None:
            if header is not None or hard or soft or not (header := _HEADER.fullmatch(text)):
                raise InputError(Place(file, number), repr(text[:40].decode(errors="replace")), "a weighted clause")
        elif clause[1] == b"h" or (header is not None and int(clause[1]) >= int(header[3])):
            hard.append(clause[2])
        else:
            soft.append(clause[2])
            weights.append(int(clause[1]))
            cost += weights[-1]
            if cost > LARGEST_COST:
                raise InputError(Place(file, number), f"weights of {cost} together", f"at most {LARGEST_COST}")
    if header is not None and int(header[2]) != len(hard) + len(soft):
        raise InputError(Place(file), counted(len(hard) + len(soft), "clause"), f"{int(header[2])} as the header says")
    hard_literals, soft_literals = (
        np.array(b" 0 ".join([*clauses, b""]).split(), dtype=np.int64) for clauses in (hard, soft)
    )
    largest = max(int(np.abs(literals).max(initial=0)) for literals in (hard_literals, soft_literals))
    num_vars = min(int(header[1]) if header is not None else largest, MAX_VAR)
    if largest > num_vars:
        raise InputError(Place(file), f"variable {largest}", f"at most {num_vars}")
    return Wcnf(
        Cnf(num_vars, hard_literals.astype(np.int32)),
        soft_literals.astype(np.int32),
        np.array(weights, dtype=np.int64),
    )
