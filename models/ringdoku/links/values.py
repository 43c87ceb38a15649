"""Check and convert the values in files of other programs. `where` is the place of a value in error messages."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from ringdoku.domain import Board, Grid, UsageError, shortened


def load_json(text: str, what: str = "JSON", long_names: Mapping[str, str] = MappingProxyType({})) -> Any:
    """The JSON in a text, with short keys replaced by long ones. Raises `UsageError` for malformed JSON."""
    try:
        return json.loads(text, object_pairs_hook=lambda all_: {long_names.get(key, key): one for key, one in all_})
    except json.JSONDecodeError as error:
        raise UsageError(f"character {error.pos + 1} of the {what}: {error.msg}") from None
    except (RecursionError, ValueError):
        raise UsageError(f"the {what} is nested too deeply, or a number in it is too long") from None


def integer(value: object) -> int | None:
    """The integer that a value is or spells, None for anything else."""
    match value:
        case str() if re.fullmatch("-?[0-9]{1,9}", value.strip()):
            return int(value)
        case int() | float() if not isinstance(value, bool) and -(10**9) < value < 10**9 and value == int(value):
            return int(value)
    return None


def has_no_value(value: object) -> bool:
    """Whether the value of a clue is missing, blank or `?`."""
    return value is None or (isinstance(value, str) and value.strip() in ("", "?", "_"))


def items(value: object, where: str) -> Sequence[Any]:
    """The value if it is a list, an empty one for null. Raises `UsageError` for anything else."""
    if value is None:
        return ()
    if not isinstance(value, list):
        raise UsageError(f"{where} is {shown(value)}, not a list")
    return value


def record(value: object, where: str) -> dict[str, Any]:
    """The value if it is an object. Raises `UsageError` for anything else."""
    if not isinstance(value, dict):
        raise UsageError(f"{where} is {shown(value)}, not an object")
    return value


def entries(key: str, value: object) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yields the objects in a list, each after its place, such as `arrow 2`. Raises `UsageError` for other values."""
    for number, entry in enumerate(items(value, key), 1):
        where = f"{key} {number}"
        yield where, record(entry, where)


def as_integer(value: object, where: str) -> int:
    """The value as `integer` reads it. Raises `UsageError` if it is not an integer."""
    number = integer(value)
    if number is None:
        raise UsageError(f"{where}: {shown(value)} is not a whole number")
    return number


def text_of(value: object) -> str:
    """The text of a string, or of a list of strings as lines; empty for anything else."""
    if isinstance(value, list):
        return "\n".join(line for line in value if isinstance(line, str))
    return value if isinstance(value, str) else ""


def full_grid(solution: object, board: Board) -> Grid | None:
    """The grid of a solution, which is a list or a text; A to G are 10 to 16. None if a cell has no digit."""
    symbols = solution.split(",") if isinstance(solution, str) and "," in solution else solution
    if not isinstance(symbols, (str, list)):
        return None
    letters = {letter: number for number, letter in enumerate("ABCDEFG", 10)}
    digits = [letters.get(s.upper(), integer(s)) if isinstance(s, str) else integer(s) for s in symbols]
    found = tuple(digit for digit in digits if digit is not None and digit in board.digits)
    return Grid(found, board) if len(found) == len(digits) == board.cell_count else None


def shown(value: object) -> str:
    """A value as text for a message: in ASCII, at most 40 characters."""
    return shortened(ascii(value), 40)


def printable(text: str) -> str:
    """The text without lone surrogates and control characters, which cannot be printed, except line ends."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join("".join(c if c.isprintable() else " " for c in line).rstrip() for line in lines).strip()
