"""DIMACS CNF (DIMACS Challenge 1993; SAT Competition rules), read strictly but not pedantically, written fast.

Accepted: clauses over several lines or several in one line, comment lines anywhere, CRLF, any blanks, SATLIB's `%`
trailer. Refused with the line: wrong counts, literals out of range, a last clause without its 0, anything else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import BinaryIO

import numpy as np

from ringdoku.domain.errors import InputError, Place
from ringdoku.domain.numbers import counted
from ringdoku.sat.formula import MAX_VAR, Cnf, Literals

PORTION = 1 << 18
"""Literals turned into text at a time: fast enough, in a few megabytes of memory."""

_SPECIAL_LINE = re.compile(rb"^[ \t]*([cp%])([^\n]*)", re.MULTILINE)
_HEADER = re.compile(rb"p[ \t]+cnf[ \t]+([0-9]{1,10})[ \t]+([0-9]{1,18})[ \t\r]*")
_TRAILER = re.compile(rb"%\s*(?:0\s*)?")
_WORD = re.compile(rb"[^ \t\r\n]+")
_LITERAL = re.compile(rb"-?[0-9]+")
_ALPHABET = b"0123456789- \t\r\n"


@dataclass(frozen=True)
class Dimacs:
    """A formula and the comment lines of its file, without the `c` and the blank at their beginnings."""

    cnf: Cnf
    comments: tuple[str, ...]


def read_dimacs(data: bytes, file: str = "<dimacs>") -> Dimacs:
    """The formula in `data`. An `InputError` names it `file`."""
    body = bytearray(data)
    comments: list[str] = []
    header: re.Match[bytes] | None = None
    for line in _SPECIAL_LINE.finditer(data):
        kind = line[1]
        if kind == b"c":
            comments.append(line[2].decode(errors="replace").removeprefix(" ").rstrip())
        elif kind == b"p":
            header = _header(data, line, header, file)
        else:
            if not _TRAILER.fullmatch(data, line.start(1)):
                raise _error(data, line.start(1), file, "more after the % line", "at most a 0")
            del body[line.start() :]
            break
        body[line.start() : line.end()] = b" " * (line.end() - line.start())
    if header is None:
        raise InputError(Place(file), "no header", "a line 'p cnf VARIABLES CLAUSES'")
    first = _WORD.search(body)
    if first and first.start() < header.start():
        raise _error(data, first.start(), file, f"{_shown(first[0])} before the header", "'p cnf VARIABLES CLAUSES'")
    num_vars = int(header[1])
    literals = _literals(data, bytes(body), num_vars, file)
    if len(literals) and literals[-1]:
        raise _error(data, len(data), file, "the end inside a clause", "a 0 after the last clause")
    cnf = Cnf(num_vars, literals)
    if cnf.num_clauses != int(header[2]):
        raise _error(
            data, header.start(), file, counted(cnf.num_clauses, "clause"), f"{int(header[2])} as the header says"
        )
    return Dimacs(cnf, tuple(comments))


def write_dimacs(cnf: Cnf, stream: BinaryIO, comments: Iterable[str] = ()) -> None:
    """Writes comments, header and one clause on each line. It works in portions, so memory does not grow."""
    for comment in comments:
        stream.write(f"c {comment}".rstrip().encode() + b"\n")
    stream.write(b"p cnf %d %d\n" % (cnf.num_vars, cnf.num_clauses))
    for text in clause_text(cnf.literals):
        stream.write(text)


def clause_text(literals: Literals) -> Iterator[bytes]:
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


def _header(data: bytes, line: re.Match[bytes], before: re.Match[bytes] | None, file: str) -> re.Match[bytes]:
    header = _HEADER.fullmatch(data, line.start(1), line.end())
    if before:
        raise _error(data, line.start(1), file, "a second header", "one")
    if header is None:
        raise _error(data, line.start(1), file, _shown(line[0].strip()), "'p cnf VARIABLES CLAUSES'")
    if int(header[1]) > MAX_VAR:
        raise _error(data, line.start(1), file, f"{int(header[1])} variables", f"at most {MAX_VAR}")
    return header


def _literals(data: bytes, body: bytes, num_vars: int, file: str) -> Literals:
    """All numbers of `body`, which is `data` with blanks in place of everything but clauses."""
    if body.translate(None, _ALPHABET) or _has_stray_minus(body):
        word = next(word for word in _WORD.finditer(body) if not _LITERAL.fullmatch(word[0]))
        raise _error(data, word.start(), file, _shown(word[0]), "a literal")
    # numbers beyond 64 bits become the largest one, which is out of range too
    wide = np.fromstring(body, dtype=np.int64, sep=" ") if body.strip() else np.zeros(0, dtype=np.int64)
    beyond = np.flatnonzero((wide > num_vars) | (wide < -num_vars))
    if len(beyond):
        word = next(islice(_WORD.finditer(body), int(beyond[0]), None))
        raise _error(data, word.start(), file, f"literal {_shown(word[0])}", f"−{num_vars}..{num_vars}")
    return wide.astype(np.int32)


def _has_stray_minus(body: bytes) -> bool:
    """Whether there is a minus sign that does not begin a number."""
    characters = np.frombuffer(b" %b " % body, dtype=np.uint8)
    signs = characters == ord("-")
    return bool(np.any(signs[1:] & (characters[:-1] > ord(" "))) or np.any(signs[:-1] & (characters[1:] < ord("0"))))


def _shown(word: bytes) -> str:
    return repr(word[:40].decode(errors="replace"))


def _error(data: bytes, offset: int, file: str, found: str, expected: str) -> InputError:
    line = data.count(b"\n", 0, offset) + 1
    return InputError(Place(file, line, offset - data.rfind(b"\n", 0, offset)), found, expected)
