"""How the cells of a grid are written: characters of an alphabet, decimal numbers, and marks of a blank.

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

Numbers are in ASCII digits. A mark that is repeated (`__`) is one blank.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import isqrt
from typing import TypeAlias

from ringdoku.domain.board import Board
from ringdoku.domain.errors import UsageError
from ringdoku.domain.ruleset import Ruleset

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


def decode(
    cells: Sequence[str], touching: bool, board: Board, ruleset: Ruleset | None, zero_before: bool
) -> tuple[tuple[int, ...], Alphabet]:
    """The digits of the cells of a grid, and their alphabet; `touching`: each is one character.

    `0` is refused where it may be a blank or a digit; for that all units of `ruleset` are looked at. Raises
    `BadCellError`.
    """
    if not board.is_plain:
        return _decode_on(board, cells, touching)
    digits: tuple[int, ...]
    alphabet: Alphabet
    # an empty cell of a sheet is a blank without a mark
    marked = [cell or "." for cell in cells]
    if touching:
        digits, alphabet = decode_symbols("".join(marked), board.order, zero_before)
    else:
        digits, alphabet = decode_numbers(marked, board.order, zero_before)
    _refuse_two_marks(cells, alphabet, board.order)
    if ruleset and not zero_before:
        _refuse_second_zero(marked, digits, alphabet, ruleset)
    return digits, alphabet


def _decode_on(board: Board, cells: Sequence[str], touching: bool) -> tuple[tuple[int, ...], Alphabet]:
    """The cells of a board that is not n×n with 1..n: numbers, or one character each."""
    try:
        symbols = symbols_on(board) if touching else ""
    except UsageError:
        found = f"one character a cell on a board of {board}"
        raise BadCellError(0, found, "numbers, separated by spaces") from None
    names = {str(digit): digit for digit in board.digits}
    for alphabet in (symbols.lower(), symbols):
        names |= dict(zip(alphabet, board.digits, strict=False))
    for index, cell in enumerate(cells):
        if cell not in names and not is_blank(cell):
            zero = "" if 0 in board.digits else "0 "
            expected = f"{board.least}-{board.greatest} or a blank ({zero}. _ * ? -)"
            raise BadCellError(index, quoted(cell), expected)
    return tuple(names.get(cell, board.blank) for cell in cells), symbols


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


def _refuse_second_zero(tokens: Sequence[str], digits: Sequence[int], alphabet: Alphabet, ruleset: Ruleset) -> None:
    """Raises `BadCellError` if `0` was read as a digit but stands twice in a unit, since it may be a blank too."""
    if not starts_at_zero(alphabet) or 0 not in digits:
        return
    for unit in ruleset.units:
        zeros = [cell for cell in unit.cells if digits[cell] == 1]
        if len(zeros) > 1:
            found = f"a second 0 in {unit.name}, and '{tokens[digits.index(0)]}' for blanks"
            expected = f"one 0 in each unit if it is a digit of 0-{alphabet[-1]}, or one mark for every blank"
            raise BadCellError(zeros[1], found, expected)


def _refuse_two_marks(tokens: Sequence[str], alphabet: Alphabet, order: int) -> None:
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
