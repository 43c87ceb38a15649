"""Proof files as solvers write them, read step by step: DRAT as text or binary, and FRAT as text.

- DRAT as text has a line for each step, `1 -2 0` or `d 1 -2 0`.
- Binary has a byte `a` or `d`, each literal as the number 2·|literal| + (literal < 0) in groups of seven bits, the
  lowest first, and a byte 0 at the end of the step (README of DRAT-trim, M. Heule).
- FRAT, of CryptoMiniSat, has `a ID 1 -2 0` and `d ID 1 -2 0`, perhaps hints behind, and lines about the formula and the
  end, which are skipped (Baek, Carneiro and Heule, "A flexible proof format for SAT solver-elaborator communication",
  TACAS 2021).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import BinaryIO

from ringdoku.domain.errors import InputError, Place, TimeLimitError
from ringdoku.sat.formula import MAX_VAR

PORTION = 1 << 16
LONGEST = 1 << 24
"""A step has at most so many bytes: those of a clause with a million literals."""

_ADD, _DELETE = b"ad"
_FRAT = ("o", "a", "f")
_SKIPPED = ("", "c", "o", "f")


def drat_steps(stream: BinaryIO, name: str = "<proof>", expired: Callable[[], bool] = lambda: False) -> Iterator[str]:
    """The steps of a file as lines of DRAT, without comments.

    Raises `InputError` for a file that cannot be a proof, `TimeLimitError` once `expired` is true.
    """
    # every binary step ends with a byte 0, which no text has
    read = _binary_steps if b"\0" in stream.read(PORTION) else _text_steps
    stream.seek(0)
    return read(stream, name, expired)


def _text_steps(stream: BinaryIO, name: str, expired: Callable[[], bool]) -> Iterator[str]:
    number, has_ids = 0, False
    while line := stream.readline(LONGEST + 1):
        if expired():
            raise TimeLimitError
        number += 1
        if len(line) > LONGEST:
            raise InputError(Place(name, number), f"a line of more than {LONGEST} bytes", "a clause")
        step = line.decode("ascii", "replace").strip()
        kind = step[:1]
        has_ids = has_ids or kind in _FRAT
        if kind not in _SKIPPED:
            yield _without_id(step) if has_ids else step


def _without_id(step: str) -> str:
    kind, _, *words = [*step.split(), ""]
    end = words.index("0") + 1 if "0" in words else len(words)
    return " ".join([*(["d"] if kind == "d" else []), *words[:end]])


def _binary_steps(stream: BinaryIO, name: str, expired: Callable[[], bool]) -> Iterator[str]:
    # a loop over bytes: what checks the steps takes longer
    kind, literals, code, shift = 0, list[int](), 0, 0
    number = 1
    while portion := stream.read(PORTION):
        if expired():
            raise TimeLimitError
        for byte in portion:
            if not kind:
                if byte not in (_ADD, _DELETE):
                    raise InputError(Place(name), f"byte {byte} at the start of step {number}", "a or d")
                kind = byte
            elif byte >= 128:
                code |= (byte - 128) << shift
                shift += 7
                if shift > 28:
                    raise InputError(Place(name), f"a literal of more than 32 bits in step {number}", "one of 32")
            elif byte or shift:
                code |= byte << shift
                literal = -(code >> 1) if code & 1 else code >> 1
                if not 0 < abs(literal) <= MAX_VAR or len(literals) * 4 > LONGEST:
                    raise InputError(Place(name), f"literal {literal} in step {number}", "one of a clause")
                literals.append(literal)
                code = shift = 0
            else:
                yield f"{'d ' if kind == _DELETE else ''}{' '.join(map(str, [*literals, 0]))}"
                kind, literals = 0, []
                number += 1
    if kind:
        raise InputError(Place(name), f"the end inside step {number}", "a 0 after each step; is the file whole?")
