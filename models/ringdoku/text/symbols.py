"""Read cells: characters of an alphabet, decimal numbers in ASCII digits, and marks of a blank.

`0` is a blank unless the digits start at it (see `alphabets`). A mark that is repeated (`__`) is one blank.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import isqrt

from ringdoku.domain.ruleset import Ruleset
from ringdoku.text.alphabets import (
    BLANKS,
    MAX_SYMBOLS,
    Alphabet,
    cells_expected,
    folds_case,
    numbers_from_zero,
    starts_at_zero,
    symbols_from_zero,
    symbols_in,
    zero_is_digit,
)

_WRONG = 255
_MOST_DIGITS = 9
_SHOWN = 40


class BadCellError(Exception):
    """Cell `index` cannot be read, because of the character at `offset` from its start."""

    def __init__(self, index: int, found: str, expected: str, offset: int = 0) -> None:
        super().__init__(found)
        self.index = index
        self.found = found
        self.expected = expected
        self.offset = offset


def decode_symbols(text: str, order: int, zero_before: bool = False) -> tuple[tuple[int, ...], str]:
    """The digits of a text with one character a cell, and its alphabet.

    `zero_before`: an earlier puzzle's digits started at `0`. Raises `BadCellError`; order ≤ 61.
    """
    raw = text.encode("ascii", "replace")
    alphabet = symbols_in(raw, order, zero_before)
    digits = raw.translate(_table(alphabet))
    if _WRONG in digits or not text.isascii():
        for index, character in enumerate(text):
            if digits[index] == _WRONG or not (character.isascii() or character in BLANKS):
                raise BadCellError(index, describe(character), cells_expected(alphabet, order))
    return tuple(digits), alphabet


def decode_numbers(tokens: Sequence[str], order: int, zero_before: bool = False) -> tuple[tuple[int, ...], Alphabet]:
    """The digits of separate cells, and their alphabet. Raises `BadCellError`.

    If every cell is one character and some are letters, they are symbols, not numbers.
    """
    table = _numbers(order)
    try:
        digits = tuple([table[token] for token in tokens])
    except KeyError:
        if 9 < order <= MAX_SYMBOLS and all(len(token) == 1 for token in tokens):
            return decode_symbols("".join(tokens), order, zero_before)
        digits = tuple(_number(token, index, order) for index, token in enumerate(tokens))
    if max(digits) < order and (zero_before or 0 in digits):
        blank = [cell for cell, digit in enumerate(digits) if not digit]
        zeros = [cell for cell in blank if not tokens[cell].strip("0")]
        if zero_is_digit(zeros, len(zeros) < len(blank), order, zero_before, may_be_full=False):
            marks = set(blank).difference(zeros)
            digits = tuple(0 if cell in marks else digit + 1 for cell, digit in enumerate(digits))
            return digits, numbers_from_zero(order)
    return digits, ""


def decode_as(tokens: Sequence[str], alphabet: Alphabet, order: int) -> tuple[int, ...]:
    """The digits of cells that are written in a known alphabet. Raises `BadCellError`."""
    names = alphabet or tuple(map(str, range(1, order + 1)))
    table = {name: digit for digit, name in enumerate(names, 1)}
    digits: list[int] = []
    for index, token in enumerate(tokens):
        if token not in table and not is_blank(token):
            found = describe(token) if len(token) == 1 else f"'{token}'"
            raise BadCellError(index, found, cells_expected(alphabet, order))
        digits.append(table.get(token, 0))
    return tuple(digits)


def refuse_second_zero(tokens: Sequence[str], digits: Sequence[int], alphabet: Alphabet, ruleset: Ruleset) -> None:
    """Raises `BadCellError` if `0` was read as a digit but stands twice in a unit, since it may be a blank too."""
    if not starts_at_zero(alphabet) or 0 not in digits:
        return
    for unit in ruleset.units:
        zeros = [cell for cell in unit.cells if digits[cell] == 1]
        if len(zeros) > 1:
            found = f"a second 0 in {unit.name}, and '{tokens[digits.index(0)]}' for blanks"
            expected = f"one 0 in each unit if it is a digit of 0-{alphabet[-1]}, or one mark for every blank"
            raise BadCellError(zeros[1], found, expected)


def refuse_two_marks(tokens: Sequence[str], alphabet: Alphabet, order: int) -> None:
    """Raises `BadCellError` if `0` was read as a blank beside another mark for blanks, since it may be a digit too."""
    if starts_at_zero(alphabet) or "0" not in tokens:
        return
    mark = next((token for token in tokens if token not in ("", "0") and is_blank(token)), None)
    if mark is not None:
        last = symbols_from_zero(order)[-1] if alphabet else order - 1
        found = f"0 beside {describe(mark) if len(mark) == 1 else repr(mark)} for blanks"
        expected = f"one mark for every blank, or digits 0-{last} where 0 is a digit"
        raise BadCellError(tokens.index("0"), found, expected)


def refuse_unprintable(text: str) -> None:
    """Raises `BadCellError` for a character that cannot be seen, such as a zero-width space."""
    for index, character in enumerate(text):
        if not character.isprintable():
            raise BadCellError(index, describe(character), "characters that can be seen")


def is_blank(token: str) -> bool:
    """Whether a separate cell is a blank: spaces, or one mark, once or repeated."""
    bare = token.strip(" \t")
    return not bare or (bare[0] in BLANKS + "0" and bare == bare[0] * len(bare))


def are_glued(tokens: Sequence[str]) -> bool:
    """Whether words are groups of one-character cells: some are longer than a number in a row of so many cells."""
    count = len(tokens)
    if max(map(len, tokens)) <= len(str(count)):
        return False
    # `__` is one blank, but `___ ___ ___` can only be nine blanks
    return any(token.strip("_") for token in tokens) or (is_square(sum(map(len, tokens))) and not is_square(count))


def is_square(number: int) -> bool:
    return isqrt(number) ** 2 == number


def describe(character: str) -> str:
    """A character in an error message: printable ASCII as it is, anything else with its code and name."""
    if " " <= character <= "~":
        return f"'{character}'"
    # its tables are large, and only errors need them
    import unicodedata

    name = unicodedata.name(character, "control character" if unicodedata.category(character) == "Cc" else "")
    shown = f"'{character}' " if character.isprintable() else ""
    return f"{shown}{f'U+{ord(character):04X} {name}'.strip()}"


def quoted(text: str) -> str:
    """The beginning of a text, for an error message: one character as `describe` has it."""
    if len(text) == 1:
        return describe(text)
    shown = "".join(character if character.isprintable() else "?" for character in text[:_SHOWN])
    return f"'{shown}{'…' if len(text) > _SHOWN else ''}'"


def _number(token: str, index: int, order: int) -> int:
    if is_blank(token):
        return 0
    expected = cells_expected("", order)
    for offset, character in enumerate(token):
        if not "0" <= character <= "9":
            raise BadCellError(index, describe(character), expected, offset)
    if len(token) > _MOST_DIGITS:
        raise BadCellError(index, f"a number of {len(token)} digits", expected)
    if int(token) > order:
        raise BadCellError(index, f"'{token}'", expected)
    return int(token)


@lru_cache(maxsize=64)
def _table(alphabet: str) -> bytes:
    table = bytearray([_WRONG]) * 256
    for mark in b"0._*?-":
        table[mark] = 0
    for digit, symbol in enumerate(alphabet, 1):
        if folds_case(alphabet):
            table[ord(symbol.lower())] = digit
        table[ord(symbol)] = digit
    return bytes(table)


@lru_cache(maxsize=16)
def _numbers(order: int) -> dict[str, int]:
    blanks = {mark * width: 0 for mark in BLANKS + "0" for width in range(1, 5)}
    return blanks | {str(digit): digit for digit in range(1, order + 1)}
