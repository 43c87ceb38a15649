"""How a cell is written: one character of an alphabet, or a decimal number; and the marks of a blank.

One character a cell, order n; the alphabet is chosen for each puzzle by what stands in it:

- n ≤ 9: `1`..n;
- n ≤ 35: `1-9A-Z`, lower case the same;
- n = 16: `0-9A-F` when `0`, another mark of a blank and no letter after F stand in it, or one `0` in each row and
  nothing else that is no symbol;
- 9 < n ≤ 26: else `A`.. when letters stand in the puzzle and no digit 1-9 does (16×16: `A-P`);
- 36 ≤ n ≤ 61: `1-9A-Za-z`, upper case before lower case; at 36 that is `1-9A-Za`, and no other lower case.

`0` is a blank in all but one of them. A number is ASCII digits only; `0` and repeated marks (`__`) are blanks.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import isqrt

from ringdoku.domain.board import Board
from ringdoku.domain.errors import UsageError

DIGITS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
HEXADECIMAL = "0123456789ABCDEF"
BLANKS = "._*?-·"
"""Marks of a blank besides 0; the middle dot is what drawings for the terminal use."""

MAX_SYMBOLS = len(DIGITS)
"""Largest order that can be written with one character a cell."""

_LARGEST_FOLDED = len(DIGITS) - len(LETTERS)
"""Largest order that needs no lower case, which then is the same as upper case."""

_SHOWN = "0 . _ * ? -"
_WRONG = 255
_CLUES = frozenset(b"123456789")
_LETTERS = frozenset(LETTERS.encode())
_AFTER_F = frozenset(b"GHIJKLMNOPQRSTUVWXYZ")
_MARKS = frozenset(b"._*?-")
_MOST_DIGITS = 9


class BadCellError(Exception):
    """Cell `index` cannot be read, because of what stands `offset` characters after its start."""

    def __init__(self, index: int, found: str, expected: str, offset: int = 0) -> None:
        super().__init__(found)
        self.index = index
        self.found = found
        self.expected = expected
        self.offset = offset


def decode_symbols(text: str, order: int, alphabet: str = "") -> tuple[tuple[int, ...], str]:
    """The digits of a text with one character a cell, and its alphabet when none is given.

    Raises `BadCellError`; order ≤ 61.
    """
    raw = text.encode("ascii", "replace")
    alphabet = alphabet or _alphabet(raw, order)
    digits = raw.translate(_table(alphabet, order))
    if _WRONG in digits or not text.isascii():
        for index, character in enumerate(text):
            if digits[index] == _WRONG or not (character.isascii() or character in BLANKS):
                raise BadCellError(index, describe(character), f"{_ranges(alphabet)} or a blank ({_SHOWN})")
    return tuple(digits), alphabet


def decode_numbers(tokens: Sequence[str], order: int) -> tuple[tuple[int, ...], str]:
    """The digits of cells written apart, and their alphabet, "" for decimal numbers. Raises `BadCellError`.

    Where every cell is one character wide and letters stand among them, they are symbols, not numbers.
    """
    table = _numbers(order)
    try:
        return tuple([table[token] for token in tokens]), ""
    except KeyError:
        if 9 < order <= MAX_SYMBOLS and all(len(token) == 1 for token in tokens):
            return decode_symbols("".join(tokens), order)
        return tuple(_number(token, index, order) for index, token in enumerate(tokens)), ""


def refuse_unprintable(text: str) -> None:
    """Raises `BadCellError` for a character that cannot be seen, such as a zero-width space."""
    for index, character in enumerate(text):
        if not character.isprintable():
            raise BadCellError(index, describe(character), "characters that can be seen")


def is_blank(token: str) -> bool:
    """Whether a cell written apart is a blank: spaces, or one mark, once or repeated."""
    bare = token.strip(" \t")
    return not bare or (bare[0] in BLANKS + "0" and bare == bare[0] * len(bare))


def are_glued(tokens: Sequence[str]) -> bool:
    """Whether tokens are runs of one-character cells: some are wider than any number of an order of so many tokens."""
    count = len(tokens)
    if max(map(len, tokens)) <= len(str(count)):
        return False
    # `__` is one blank, but `___ ___ ___` can only be nine
    return any(token.strip("_") for token in tokens) or (is_square(sum(map(len, tokens))) and not is_square(count))


def symbols_of(order: int) -> str:
    """The alphabet that grids of an order are written in unless they came in another; raises `UsageError`."""
    if order > MAX_SYMBOLS:
        raise UsageError(f"order {order} is above {MAX_SYMBOLS}, the largest that has one character for each digit")
    return DIGITS[:order]


def symbols_on(board: Board) -> str:
    """The same for any board: 0-9 as they are, A for 10."""
    if board.is_plain:
        return symbols_of(board.order)
    if board.least < 0 or board.digits[-1] > MAX_SYMBOLS:
        raise UsageError(f"a board of {board} has no one character for each digit; `spaced` writes numbers")
    return f"0{DIGITS}"[board.least : board.digits[-1] + 1]


def is_square(number: int) -> bool:
    return isqrt(number) ** 2 == number


def describe(character: str) -> str:
    """A character in an error message: printable ASCII as it is, anything else with its code and name."""
    if " " <= character <= "~":
        return f"'{character}'"
    # the tables are large, and needed on errors only
    import unicodedata

    name = unicodedata.name(character, "control character" if unicodedata.category(character) == "Cc" else "")
    shown = f"'{character}' " if character.isprintable() else ""
    return f"{shown}{f'U+{ord(character):04X} {name}'.strip()}"


def _number(token: str, index: int, order: int) -> int:
    if is_blank(token):
        return 0
    expected = f"{'1' if order == 1 else f'1-{order}'} or a blank ({_SHOWN})"
    for offset, character in enumerate(token):
        if not "0" <= character <= "9":
            raise BadCellError(index, describe(character), expected, offset)
    if len(token) > _MOST_DIGITS:
        raise BadCellError(index, f"a number of {len(token)} digits", expected)
    if int(token) > order:
        raise BadCellError(index, f"'{token}'", expected)
    return int(token)


def _alphabet(raw: bytes, order: int) -> str:
    if order <= 9 or order > _LARGEST_FOLDED:
        return DIGITS[:order]
    present = set(raw.upper())
    if order == len(HEXADECIMAL) and 0x30 in present and not present & _AFTER_F:
        rows = [raw[start : start + order] for start in range(0, len(raw), order)]
        if present & _MARKS or all(row.count(0x30) == 1 for row in rows):
            return HEXADECIMAL
    if order <= len(LETTERS) and present & _LETTERS and not present & _CLUES:
        return LETTERS[:order]
    return DIGITS[:order]


@lru_cache(maxsize=64)
def _table(alphabet: str, order: int) -> bytes:
    table = bytearray([_WRONG]) * 256
    for mark in b"0._*?-":
        table[mark] = 0
    for digit, symbol in enumerate(alphabet, 1):
        if order <= _LARGEST_FOLDED:
            table[ord(symbol.lower())] = digit
        table[ord(symbol)] = digit
    return bytes(table)


@lru_cache(maxsize=16)
def _numbers(order: int) -> dict[str, int]:
    blanks = {mark * width: 0 for mark in BLANKS + "0" for width in range(1, 5)}
    return blanks | {str(digit): digit for digit in range(1, order + 1)}


def _ranges(alphabet: str) -> str:
    """`1-9 or A-G` for the alphabet that runs from 1 to G."""
    runs: list[str] = []
    for symbol in alphabet:
        if runs and ord(symbol) == ord(runs[-1][-1]) + 1:
            runs[-1] = runs[-1][0] + symbol
        else:
            runs.append(symbol)
    return ", ".join(run if len(run) == 1 else f"{run[0]}-{run[1]}" for run in runs)
