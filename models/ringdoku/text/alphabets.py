"""How the digits of a puzzle are written: the alphabets, and which of them a text is in.

With one character a cell, order n, the symbols are

- n ≤ 9: `1`..n;
- n ≤ 35: `1-9A-Z`, lower case the same;
- 9 < n ≤ 26: `A`.. instead when letters stand in the puzzle and no digit 1-9 does (16×16: `A-P`);
- 36 ≤ n ≤ 61: `1-9A-Za-z`, upper case before lower case; at 36 that is `1-9A-Za`, and no other lower case.

Symbols and decimal numbers may also start at `0` (9×9: `0-8`, 16×16: `0-9A-F`, or the numbers 0 to 15). Otherwise `0`
is a blank. It is a digit where there is no symbol n and

- another mark of a blank stands in the puzzle too, with at most n times `0`: more of them can only be blanks; or
- it is the only blank, 9 < n, each cell is one character, and each row has it once: then the grid is full; or
- there is neither `0` nor another sign, and an earlier puzzle of the input has shown that its digits start at `0`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

from ringdoku.domain.board import Board
from ringdoku.domain.errors import UsageError

Alphabet: TypeAlias = Sequence[str]
"""The text of each digit of a board, ascending; empty for the decimal numbers. A `str` if each is one character."""

DIGITS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
BLANKS = "._*?-·"
"""Marks of a blank besides 0; drawings for the terminal have the middle dot."""

MAX_SYMBOLS = len(DIGITS)
"""Largest order that can be written with one character a cell."""

_MARKS = b"._*?-"
_CLUES = frozenset(b"123456789")
_UPPER = frozenset(LETTERS.encode())
_LOWER = frozenset(LETTERS.lower().encode())


def symbols_of(order: int) -> str:
    """The usual alphabet of an order. Raises `UsageError` if it has too few symbols."""
    if order > MAX_SYMBOLS:
        raise UsageError(f"order {order} is above {MAX_SYMBOLS}, the largest that has one character for each digit")
    return DIGITS[:order]


def symbols_from_zero(order: int) -> str:
    """The alphabet that starts at `0`: `0-8` for order 9, `0-9A-F` for order 16."""
    return f"0{symbols_of(order)[:-1]}"


def numbers_from_zero(order: int) -> Alphabet:
    """The decimal numbers 0..n − 1."""
    return symbols_from_zero(order) if order <= 10 else tuple(map(str, range(order)))


def symbols_on(board: Board) -> str:
    """The usual alphabet of a board: 0-9 for these digits, `A` for 10. Raises `UsageError` if there is none."""
    if board.is_plain:
        return symbols_of(board.order)
    if board.least < 0 or board.digits[-1] > MAX_SYMBOLS:
        raise UsageError(f"a board of {board} has no one character for each digit; `spaced` writes numbers")
    return f"0{DIGITS}"[board.least : board.digits[-1] + 1]


def one_character(alphabet: Alphabet, board: Board) -> str:
    """The alphabet itself, or for numbers the symbols that start where they do. Raises `UsageError`."""
    if isinstance(alphabet, str) and alphabet:
        return alphabet
    return symbols_from_zero(board.order) if starts_at_zero(alphabet) else symbols_on(board)


def starts_at_zero(alphabet: Alphabet) -> bool:
    return bool(alphabet) and alphabet[0] == "0"


def folds_case(alphabet: str) -> bool:
    """Whether lower case is the same as upper case."""
    return alphabet.isupper() or alphabet.isdigit()


def symbols_in(raw: bytes, order: int, zero_before: bool) -> str:
    """The alphabet that a text of n² ASCII characters is in; `zero_before`: an earlier puzzle's started at `0`."""
    from_zero = symbols_from_zero(order)
    if (zero_before or b"0" in raw) and _fits(raw, from_zero):
        zeros = [cell for cell, character in enumerate(raw) if character == ord("0")]
        if zero_is_digit(zeros, any(mark in raw for mark in _MARKS), order, zero_before, order > 9):
            return from_zero
    if 9 < order <= len(LETTERS):
        present = set(raw.upper())
        if present & _UPPER and not present & _CLUES:
            return LETTERS[:order]
    return DIGITS[:order]


def zero_is_digit(zeros: Sequence[int], marks: bool, order: int, zero_before: bool, may_be_full: bool) -> bool:
    """Whether a puzzle without a symbol n starts at `0`. `zeros`: its cells with `0`; `marks`: it has other blanks."""
    if not zeros:
        return zero_before
    if marks:
        return len(zeros) <= order
    rows = {cell // order for cell in zeros}
    return (may_be_full or zero_before) and len(zeros) == len(rows) == order


def cells_expected(alphabet: Alphabet, order: int) -> str:
    """What a cell may hold, for messages: `1-9, A-G or a blank (0 . _ * ? -)`."""
    if isinstance(alphabet, str) and alphabet:
        runs: list[list[str]] = []
        for symbol in alphabet:
            if runs and ord(symbol) == ord(runs[-1][-1]) + 1:
                runs[-1].append(symbol)
            else:
                runs.append([symbol])
        shown = ", ".join(run[0] if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)
    else:
        first = 0 if alphabet else 1
        shown = str(first) if order == 1 else f"{first}-{first + order - 1}"
    return f"{shown} or a blank ({'' if starts_at_zero(alphabet) else '0 '}. _ * ? -)"


@lru_cache(maxsize=64)
def _known(alphabet: str) -> bytes:
    """Every character of a text in an alphabet."""
    return f"{alphabet}{alphabet.lower() if folds_case(alphabet) else ''}".encode() + b"0" + _MARKS


def _fits(raw: bytes, alphabet: str) -> bool:
    if raw.translate(None, _known(alphabet)):
        return False
    # 36 symbols from 0 need no lower case, those from 1 do
    return len(alphabet) < 36 or not folds_case(alphabet) or not (_UPPER & set(raw) and _LOWER & set(raw))
