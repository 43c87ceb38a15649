"""A matrix of weights: a line of integers for each row, separated by spaces, tabs or commas; `#` starts a comment."""

from __future__ import annotations

import re
from typing import BinaryIO

from ringdoku.domain.board import MAX_ORDER
from ringdoku.domain.errors import InputError, Place
from ringdoku.domain.numbers import counted
from ringdoku.text.cells import describe
from ringdoku.text.lines import Lines
from ringdoku.text.source import Source

_TOKEN = re.compile(r"[^ \t,]+")
_INTEGER = re.compile(r"[-+]?[0-9]{1,9}")


def read_weights(stream: BinaryIO, file: str = "<weights>") -> tuple[tuple[int, ...], ...]:
    """The rows of weights, each of at most nine digits, negative ones too. Raises `InputError`."""
    lines = Lines(Source(stream), file)
    rows: list[tuple[int, ...]] = []
    while line := lines.take():
        if line.fault:
            raise line.fault
        tokens = list(_TOKEN.finditer(line.text.partition("#")[0]))
        if not tokens:
            continue
        order = len(rows[0]) if rows else min(len(tokens), MAX_ORDER)
        if len(tokens) != order:
            column = tokens[order].start() + 1 if len(tokens) > order else len(line.text) + 1
            raise InputError(Place(file, line.number, column), counted(len(tokens), "weight"), f"{order} in each row")
        if len(rows) == MAX_ORDER:
            raise InputError(Place(file, line.number, 1), f"row {MAX_ORDER + 1}", f"at most {MAX_ORDER} rows")
        rows.append(tuple(_weight(token, file, line.number) for token in tokens))
    if not rows:
        raise InputError(lines.place(), "the end of the input after 0 rows", "rows of weights")
    return tuple(rows)


def _weight(token: re.Match[str], file: str, number: int) -> int:
    text = token.group()
    if _INTEGER.fullmatch(text):
        return int(text)
    wrong = next((offset for offset, character in enumerate(text) if character not in "-+0123456789"), None)
    place = Place(file, number, token.start() + 1 + (wrong or 0))
    if wrong is not None:
        raise InputError(place, describe(text[wrong]), "integers")
    raise InputError(place, f"'{text[:20]}'", "an integer of at most nine digits")
