"""How the cells of a grid are written: characters of an alphabet, decimal numbers, and marks of a blank.

With one character a cell, order n, the symbols are

- n ≤ 9: `1`..n;
- n ≤ 35: `1-9A-Z`, or lower case throughout; either is read in both cases;
- 9 < n ≤ 26: `A`.. instead when letters stand in the puzzle and no digit 1-9 does (16×16: `A-P`);
- 36 ≤ n ≤ 61: `1-9A-Za-z`, upper case before lower case; at 36 that is `1-9A-Za`, and no other lower case.

`0` is a blank, or a digit where the rules state a board with it. Where it stands beside another mark of a blank it may
be either, which is an error. Numbers are in ASCII digits. A mark that is repeated (`__`) is one blank.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import isqrt
from typing import TypeAlias

from ringdoku.domain import Board, UsageError, shortened

Alphabet: TypeAlias = str
"""The characters of the digits of a board, ascending; empty for decimal numbers."""
DIGITS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
BLANKS = "._*?-·"
"""Marks of a blank besides 0; drawings for the terminal have the middle dot. `pastes.OTHER_MARKS` are further signs,
which only the paste readers take for blanks."""
MAX_SYMBOLS = len(DIGITS)
"""Largest order that can be written with one character a cell."""
TOKEN = re.compile(r"[^ \t,]+")
"""One cell, or several that touch."""
EMPTY_CELL = re.compile(r",[ \t]*,|\t *\t")
"""Nothing between two separators, as in a spreadsheet."""


@dataclass(eq=False)
class BadCellError(Exception):
    """Cell `index` cannot be read, because of the character at `offset` from its start."""

    index: int
    found: str
    expected: str
    offset: int = 0


def symbols_on(board: Board) -> Alphabet:
    """The usual alphabet of a board: 0-9 for these digits, `A` for 10. Raises `UsageError` if there is none."""
    if board.is_plain and board.order > MAX_SYMBOLS:
        largest = f"{MAX_SYMBOLS}, the largest that has one character for each digit"
        raise UsageError(f"order {board.order} is above {largest}")
    if board.least < 0 or board.digits[-1] > MAX_SYMBOLS:
        raise UsageError(f"a board of {board} has no one character for each digit; `spaced` writes numbers")
    return f"0{DIGITS}"[board.least : board.digits[-1] + 1]


def names_on(board: Board) -> Sequence[str]:
    """The text of each digit, ascending: the usual alphabet, numbers where there is none."""
    try:
        return symbols_on(board)
    except UsageError:
        return [str(digit) for digit in board.digits]


def decode(cells: Sequence[str], touching: bool, board: Board) -> tuple[tuple[int, ...], Alphabet]:
    """The digits of the cells of a grid, and their alphabet; `touching`: each cell is one character.

    Separate cells of one character each are symbols too if some of them are letters. Raises `BadCellError`.
    """
    alphabet = ""
    order = board.order
    letters = 9 < order <= MAX_SYMBOLS and all(len(cell) < 2 for cell in cells) and any(map(str.isalpha, cells))
    if touching or (letters and board.is_plain):
        try:
            alphabet = symbols_on(board)
        except UsageError:
            found = f"one character a cell on a board of {board}"
            raise BadCellError(0, found, "numbers, separated by spaces") from None
        if board.is_plain and 9 < order <= len(LETTERS) and not set("123456789").intersection(cells):
            alphabet = LETTERS[:order] if any(map(str.isalpha, cells)) else alphabet
    is_lower = any(map(str.islower, cells)) and not any(map(str.isupper, cells))
    return decode_as(cells, alphabet, board), alphabet.lower() if is_lower and alphabet.isupper() else alphabet


def decode_as(cells: Sequence[str], alphabet: Alphabet, board: Board) -> tuple[int, ...]:
    """The digits of cells that are written in a known alphabet. Raises `BadCellError`."""
    names = _digit_of_text(alphabet, board)
    digits = tuple([_digit_in(cell, index, names, alphabet, board) for index, cell in enumerate(cells)])
    if "0" in cells and board.is_plain:
        _refuse_ambiguous_zero(cells, digits, alphabet, board)
    return digits


def _refuse_ambiguous_zero(cells: Sequence[str], digits: Sequence[int], alphabet: Alphabet, board: Board) -> None:
    """Raises `BadCellError` if `0` may be a digit: beside another mark, or once in each row of a grid of letters."""
    first, order = cells.index("0"), board.order
    marks = {cell for cell, digit in zip(cells, digits, strict=True) if digit == 0 and cell.strip("0")}
    full = len(alphabet) > 9 and order not in digits and cells.count("0") == digits.count(0) == order
    if marks:
        mark = min(marks)
        found = f"0 beside {describe(mark) if len(mark) == 1 else repr(mark)} for blanks"
    elif full and len({cell // order for cell, text in enumerate(cells) if text == "0"}) == order:
        found = "0 once in every row"
    else:
        return
    expected = f"one mark for every blank, or a line such as: board {order}x{order} digits 0-{order - 1}"
    raise BadCellError(first, found, expected)


@lru_cache(maxsize=64)
def _digit_of_text(alphabet: Alphabet, board: Board) -> Mapping[str, int]:
    """The digit that each usual text of a cell stands for."""
    names = dict.fromkeys([mark * width for mark in BLANKS for width in range(1, 5)] + ["", "0"], board.blank)
    folded = (alphabet.lower(), alphabet.upper())
    for written in (*(folded if alphabet in folded else ()), alphabet or [str(digit) for digit in board.digits]):
        names |= dict(zip(written, board.digits, strict=False))
    return names


def _digit_in(cell: str, index: int, names: Mapping[str, int], alphabet: Alphabet, board: Board) -> int:
    if cell in names:
        return names[cell]
    if (bare := cell.lstrip("0") or "0") in names and bare.isdecimal():
        return names[bare]
    if is_blank(cell):
        return board.blank
    expected = cells_expected(alphabet, board)
    for offset, character in enumerate(cell):
        if not "0" <= character <= "9":
            raise BadCellError(index, describe(character), expected, offset)
    raise BadCellError(index, quoted(cell) if len(cell) < 10 else f"a number of {len(cell)} digits", expected)


def candidates_in(cells: Sequence[str], board: Board) -> list[tuple[int, ...]] | None:
    """The candidates of each cell, if every cell lists its own in ascending order and at least two cells have several;
    else None. Numbers have commas between them. Several digits in only one cell are a mistyped clue."""
    for names in (names_on(board), *([LETTERS[: board.order]] if 9 < board.order <= len(LETTERS) else [])):
        digit_of = dict(zip(names, board.digits, strict=True))
        words = [cell.split(",") if isinstance(names, list) else cell for cell in cells]
        found = [tuple(digit_of.get(word, board.blank) for word in cell) for cell in words]
        ascending = all(board.blank not in digits and list(digits) == sorted(set(digits)) for digits in found)
        if ascending and sum(len(digits) > 1 for digits in found) > 1:
            return found
    return None


def cells_expected(alphabet: Alphabet, board: Board) -> str:
    """What a cell may hold, for messages: `1-9, A-G or a blank (0 . _ * ? -)`."""
    shown = f"{board.least}-{board.greatest}" if board.order > 1 else str(board.least)
    if alphabet and board.is_plain:
        runs = [[symbol for symbol in alphabet if kind(symbol)] for kind in (str.isdigit, str.isupper, str.islower)]
        shown = ", ".join(run[0] if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs if run)
    return f"{shown} or a blank ({'' if 0 in board.digits else '0 '}. _ * ? -)"


def is_blank(token: str) -> bool:
    """Whether a separate cell is a blank: spaces, or one mark, once or repeated."""
    bare = token.strip(" \t")
    return not bare or (bare[0] in BLANKS + "0" and bare == bare[0] * len(bare))


def are_touching(tokens: Sequence[str]) -> bool:
    """Whether words are groups of one-character cells: some are longer than any number in a row of that many cells."""
    count = len(tokens)
    if max(map(len, tokens)) <= len(str(count)):
        return False
    # `__` is one blank, but `___ ___ ___` can only be nine blanks, and `____` four
    is_row = is_square(sum(map(len, tokens))) and (count == 1 or not is_square(count))
    return is_row or any(token.strip("_") for token in tokens)


def is_square(number: int) -> bool:
    return isqrt(number) ** 2 == number


def describe(character: str) -> str:
    """A character in an error message: printable ASCII as it is, anything else with its code and name."""
    if " " <= character <= "~":
        return f"'{character}'"
    name = unicodedata.name(character, "control character" if unicodedata.category(character) == "Cc" else "")
    shown = f"'{character}' " if character.isprintable() else ""
    return f"{shown}{f'U+{ord(character):04X} {name}'.strip()}"


def quoted(text: str) -> str:
    """The beginning of a text, for an error message: one character as `describe` has it."""
    if len(text) == 1:
        return describe(text)
    shown = "".join(character if character.isprintable() else "?" for character in text[:41])
    return f"'{shortened(shown, 40)}'"
