"""Every named constraint by its name in our text form, in one table, and the reader of the text form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from difflib import get_close_matches
from functools import lru_cache
from itertools import pairwise
from types import ModuleType
from typing import Any

from ringdoku.constraints import digits, lines, logic, outside, pairs, places, ranks, regions, sums, unknown
from ringdoku.domain import constraint as base
from ringdoku.domain.board import Board
from ringdoku.domain.constraint import Constraint, refuse_constraint
from ringdoku.domain.errors import RuleError, UsageError


def _in(module: ModuleType) -> Iterator[type[Constraint]]:
    for value in vars(module).values():
        if isinstance(value, type) and issubclass(value, Constraint) and "text" in vars(value):
            yield value


CONSTRAINTS: Mapping[str, type[Constraint]] = {
    found.text: found
    for module in (base, regions, sums, lines, pairs, digits, outside, ranks, places, logic, unknown)
    for found in _in(module)
}
"""Every named constraint by its name."""

ALIASES: Mapping[str, str] = {
    "anti consecutive": "non-consecutive",
    "arrow sum": "arrow",
    "between line": "between",
    "black dot": "ratio 2",
    "black kropki": "ratio 2",
    "box": "boxes",
    "cage": "killer",
    "chaos": "unknown-regions",
    "clones": "clone",
    "consecutive pair": "difference 1",
    "disjoint set": "disjoint-groups",
    "disjoint": "disjoint-groups",
    "dutch whisper": "whisper 4",
    "entropic line": "entropic",
    "entropy line": "entropic",
    "even cell": "even",
    "extra cage": "extra-region",
    "german whisper": "whisper 5",
    "greater than": "greater",
    "hyper sudoku": "windoku",
    "inequality": "greater",
    "irregular": "regions",
    "jigsaw": "regions",
    "killer cage": "killer",
    "king": "anti-king",
    "king's move": "anti-king",
    "knight": "anti-knight",
    "knight's move": "anti-knight",
    "kropki black": "ratio 2",
    "kropki white": "difference 1",
    "lockout line": "lockout",
    "main diagonal": "diagonal-down",
    "modular line": "modular",
    "no repeats": "extra-region",
    "no touching": "anti-king",
    "odd cell": "odd",
    "palindrome line": "palindrome",
    "quad": "contains",
    "quadruple": "contains",
    "renban line": "renban",
    "row indexer": "indexer",
    "sandwich sum": "sandwich",
    "slow thermo": "slow-thermometer",
    "sudoku x": "diagonal",
    "taxicab": "anti-taxicab",
    "thermo": "thermometer",
    "v": "pair-sum 5",
    "whisper line": "whisper",
    "white dot": "difference 1",
    "white kropki": "difference 1",
    "window": "windoku",
    "x": "pair-sum 10",
    "x sudoku": "diagonal",
    "zipper line": "zipper",
}
"""What people and other programs call constraints: the name here, and the numbers that are meant where none are
given. Case, plurals, hyphens and spaces make no difference, here and in names."""

NEAR: Mapping[str, tuple[str, ...]] = {
    "kropki": ("kropki white", "kropki black"),
    "region sum line": ("equal-sums",),
    "segmented sum": ("equal-sums",),
    "xv": ("x", "v"),
}
"""Names that say too little to be a constraint, and those that they may stand for."""

DEEPEST = 20
"""The deepest nesting of cases."""

_HEAD = re.compile(r"[A-Za-z]+(?:'s)?(?:[-_ \t]+[A-Za-z]+(?:'s)?)*(?![A-Za-z0-9])")
_WORD = re.compile("[a-z]+")
_UNTELLING = {"no", "with", "x", "v", "sudoku"}
"""Words of names that begin titles too."""
_NUMBER = re.compile(r"[-+]?[0-9]{1,9}")
_CELL = re.compile(r"[rR]([0-9]{1,4})[cC]([0-9]{1,4})")
_LONGEST_PROBLEM = 300
_LONGEST_NAME = 40


def read_constraint(text: str, board: Board) -> Constraint:
    """The constraint of a line of our text form, as `killer 15: r1c1 r1c2`; a straight run may be written `r1c1-r1c4`.

    Raises `RuleError`, which says what is wrong with the text.
    """
    name, rest = named(text)
    kind = CONSTRAINTS.get(name)
    if kind is None:
        raise unknown_rule(text)
    numbers, colon, tail = rest.partition(":")
    try:
        values = _Fields(kind, numbers, tail.strip() if colon else None, board).values()
        made = kind(**values)
        refuse_constraint(made, board)
    except UsageError as error:
        problem = str(error)
        if len(problem) > _LONGEST_PROBLEM:
            problem = f"{problem[:_LONGEST_PROBLEM]}…"
        raise RuleError(text, problem, f"a line such as {kind.example!r}") from None
    return made


def named(text: str) -> tuple[str, str]:
    """The name of the constraint that a line begins with, and the rest of the line; "" where it begins with none.

    `German Whispers: r1c1-r1c3` is `whisper` and ` 5: r1c1-r1c3`.
    """
    text = text.lstrip(" \t")
    found = _HEAD.match(text)
    words = list(_WORD.finditer(found.group().lower())) if found else []
    # `2 x 3` may follow a name, other words do not
    for count in [len(words), *(count for count in range(len(words)) if words[count].group() == "x")]:
        meant = _meaning().get("".join(_singular(word.group()) for word in words[:count]))
        if meant is not None:
            name, _, numbers = meant.partition(" ")
            rest = text[words[count - 1].end() :]
            given = rest.partition(":")[0].strip()
            return name, rest if given or not numbers else f" {numbers}{rest}"
    return "", text


def begins_with_name(text: str) -> bool:
    """Whether a line begins with a name of a constraint, or with one word of one."""
    found = _HEAD.match(text)
    if not found:
        return False
    first = _WORD.findall(found.group().lower())[0]
    return (first not in _UNTELLING and _singular(first) in _words()) or named(text)[0] not in ("", "pair-sum")


def aliases_of(name: str) -> list[str]:
    """What a constraint is called besides its name."""
    return [alias for alias, meant in ALIASES.items() if meant.partition(" ")[0] == name]


def _singular(word: str) -> str:
    return word.removesuffix("s") if len(word) > 1 else word


@lru_cache(maxsize=1)
def _meaning() -> Mapping[str, str]:
    """Names and aliases without hyphens, spaces and plurals, and what they stand for."""
    meanings = {**ALIASES, **{name: name for name in CONSTRAINTS}}
    return {"".join(map(_singular, _WORD.findall(name))): meant for name, meant in meanings.items()}


@lru_cache(maxsize=1)
def _words() -> frozenset[str]:
    """The words of all names."""
    words = (word for name in (*CONSTRAINTS, *ALIASES, *NEAR) for word in _WORD.findall(name))
    return frozenset(_singular(word) for word in words if word not in _UNTELLING)


def unknown_rule(text: str) -> RuleError:
    """The error for a line that does not begin with the name of a constraint; it names the nearest."""
    found = _HEAD.match(text)
    name = (found.group() if found else text.partition(":")[0].strip())[:_LONGEST_NAME]
    words = {_singular(word) for word in _WORD.findall(name.lower())} - _UNTELLING
    known = (*CONSTRAINTS, *ALIASES)
    vague = [meant for vague, names in NEAR.items() if words >= set(_WORD.findall(vague)) for meant in names]
    near = [other for other in known if words & set(map(_singular, _WORD.findall(other)))]
    near += get_close_matches(name.lower(), known, 3)
    # one name for each constraint
    near = list({ALIASES.get(other, other).partition(" ")[0]: other for other in reversed(near)}.values())[::-1]
    expected = " or ".join(map(repr, (vague or near)[:3]))
    return RuleError(text, f"no constraint is called {name!r}", expected or "one that `ringdoku constraints` lists")


class _Fields:
    """Takes the values of a constraint's fields from the numbers before the colon and the cells after it."""

    def __init__(self, kind: type[Constraint], numbers: str, cells: str | None, board: Board) -> None:
        self._kind = kind
        self._board = board
        joiner = kind.joiner.strip()
        self._words = (re.sub(f"[{joiner}{joiner.upper()}×]", " ", numbers) if joiner else numbers).split()
        self._parts = [] if not cells else [part.strip() for part in cells.split("|")]

    def values(self) -> dict[str, Any]:
        wanted = fields(self._kind)  # type: ignore[arg-type]  # every constraint is a dataclass
        values = {field.name: self._value(str(field.type)) for field in wanted}
        if self._words:
            raise UsageError(f"{self._words[0]!r} is one number too many")
        if self._parts:
            raise UsageError(f"{self._parts[0]!r} is one group of cells too many")
        return values

    def _value(self, kind: str) -> Any:
        match kind:
            case "int":
                if not self._words:
                    raise UsageError("a number is missing")
                return self._number(self._words.pop(0))
            case "int | None":
                return self._number(self._words.pop(0)) if self._words else None
            case "Digits":
                taken = [word for word in self._words if "," not in word]
                self._words = [word for word in self._words if "," in word]
                return tuple(map(self._number, taken))
            case "Pairs" | "Edges":
                taken, self._words = self._words, []
                return frozenset(self._tuple(word, 2 if kind == "Pairs" else 3) for word in taken)
            case "Cell":
                cells = self._cells(self._part())
                if len(cells) != 1:
                    raise UsageError(f"one cell is expected, not {len(cells)}")
                return cells[0]
            case "Cells":
                return self._cells(self._parts.pop(0)) if self._parts else ()
            case "Groups":
                taken, self._parts = self._parts, []
                return self._regions(taken) if self._are_letters(taken) else tuple(map(self._cells, taken))
            case "Cases":
                text, self._parts = " | ".join(self._parts), []
                return tuple(
                    tuple(read_constraint(rule, self._board) for rule in _split(case, ";") if rule.strip())
                    for case in _cases(text)
                )
        raise TypeError(f"a field of the type {kind} has no text")

    def _number(self, word: str) -> int:
        if not _NUMBER.fullmatch(word):
            raise UsageError(f"{word!r} is not a whole number")
        return int(word)

    def _tuple(self, word: str, size: int) -> tuple[int, ...]:
        numbers = tuple(map(self._number, word.split(",")))
        if len(numbers) != size:
            raise UsageError(f"{word!r} is not {size} numbers with commas")
        return numbers

    def _part(self) -> str:
        if not self._parts:
            raise UsageError("cells are missing")
        return self._parts.pop(0)

    def _cells(self, part: str) -> tuple[int, ...]:
        return tuple(cell for word in part.replace(",", " ").split() for cell in self._run(word))

    def _run(self, word: str) -> list[int]:
        """The cells of `r1c1`, of a run `r1c1-r1c4-r3c4`, or the extra cell of that name."""
        if (cell := self._board.named(word)) is not None:
            return [cell]
        corners = [self._place(corner) for corner in word.split("-")]
        cells = [corners[0]]
        for (row, column), (down, right) in pairwise(corners):
            length = max(abs(down - row), abs(right - column))
            if length == 0 or (down - row) % length or (right - column) % length:
                raise UsageError(f"{word!r} is not a straight run")
            step = ((down - row) // length, (right - column) // length)
            cells += [(row + step[0] * place, column + step[1] * place) for place in range(1, length + 1)]
        return [self._board.cell(row, column) for row, column in cells]

    def _place(self, word: str) -> tuple[int, int]:
        found = _CELL.fullmatch(word)
        if not found:
            raise UsageError(f"{word!r} is not a cell, such as r1c1")
        row, column = int(found[1]) - 1, int(found[2]) - 1
        if self._board.at(row, column) is None:
            raise UsageError(f"{word!r} is not on a board of {self._board.rows}x{self._board.columns}")
        return row, column

    def _are_letters(self, parts: list[str]) -> bool:
        """Whether regions are a letter for each cell, rows apart by spaces or not. Raises `UsageError`."""
        if self._kind.text != "regions" or len(parts) != 1 or _CELL.search(parts[0]):
            return False
        letters = "".join(parts[0].replace("/", " ").split())
        if len(letters) != self._board.grid_count:
            raise UsageError(f"{len(letters)} letters do not name the regions of {self._board.grid_count} cells")
        return True

    def _regions(self, parts: list[str]) -> tuple[tuple[int, ...], ...]:
        found: dict[str, list[int]] = {}
        for cell, letter in enumerate("".join(parts[0].replace("/", " ").split())):
            found.setdefault(letter, []).append(cell)
        return tuple(tuple(cells) for letter, cells in found.items() if letter != ".")


def _split(text: str, separator: str) -> list[str]:
    """The parts of a text between separators outside of braces."""
    parts, depth, start = [], 0, 0
    for place, character in enumerate(text):
        depth += (character == "{") - (character == "}")
        if character == separator and depth == 0:
            parts.append(text[start:place])
            start = place + 1
    return [*parts, text[start:]]


def _cases(text: str) -> list[str]:
    """The text in each pair of outer braces. Raises `UsageError` for text outside of braces, and for a single brace."""
    found, depth, start = [], 0, 0
    for place, character in enumerate(text):
        if depth == 0 and character not in "{ \t":
            break
        depth += (character == "{") - (character == "}")
        if depth == 1 and character == "{":
            start = place + 1
        elif depth > DEEPEST:
            raise UsageError(f"cases are nested more than {DEEPEST} deep")
        elif depth == 0 and character == "}":
            found.append(text[start:place])
    else:
        if depth == 0:
            return found
    raise UsageError("cases are written { … } { … }, with ; between constraints")
