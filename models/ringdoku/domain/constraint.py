"""Named constraints: their base class, their text form, and the two constraints of classic sudoku."""

from __future__ import annotations

import re
from abc import ABC
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, NamedTuple, TypeAlias, get_type_hints

from ringdoku.domain.board import Board
from ringdoku.domain.errors import DimensionError, UsageError
from ringdoku.domain.marks import Mark, Outline, Shade
from ringdoku.domain.numbers import counted, whole_numbers
from ringdoku.domain.primitives import Diagram, Primitive, State, diagram

if TYPE_CHECKING:
    from ringdoku.domain.grid import Grid


# the types of a constraint's fields, besides `int` and `int | None`; each has an entry in `CODECS`
Cell: TypeAlias = Annotated[int, "cell"]
Cells: TypeAlias = Annotated[tuple[int, ...], "cells"]
Groups: TypeAlias = Annotated[tuple[tuple[int, ...], ...], "groups"]
Digits: TypeAlias = Annotated[tuple[int, ...], "digits"]
Pairs: TypeAlias = Annotated[frozenset[tuple[int, int]], "pairs"]
Edges: TypeAlias = Annotated[frozenset[tuple[int, int, int]], "edges"]
Cases: TypeAlias = Annotated[tuple[tuple[Any, ...], ...], "cases"]


class House(NamedTuple):
    """Cells in which no digit stands twice, with the name people use for them."""

    name: str
    cells: tuple[int, ...]


class Constraint(ABC):
    """A subclass is a frozen dataclass whose fields are the constraint's parameters: numbers, cells, sets of cells.

    `houses` and `holds` together are its meaning, in plain Python; the checker uses nothing else. Solvers get an
    `AllDifferent` for each house, and `primitives`. `text` is its name in our text form, `summary` says in one sentence
    what it demands, and `example` shows how it is written.
    """

    text: ClassVar[str]
    summary: ClassVar[str]
    example: ClassVar[str]
    joiner: ClassVar[str] = " "
    """The separator of the numbers before the colon."""
    listed: ClassVar[bool] = True
    """Whether people write it. Others only say what programs state, with extra cells or as automata."""
    optional: ClassVar[tuple[str, ...]] = ()
    """Fields that may be left out and are then empty: cells, groups of cells, or digits."""

    def refuse(self, board: Board) -> None:  # noqa: B027  most accept any
        """Raise `UsageError` for parameters that make no sense on this board. Cells are known to be on it. Others call
        `refuse_constraint`."""

    def houses(self, board: Board) -> Iterable[House]:  # noqa: ARG002  most have none
        """The sets of cells in which no digit may stand twice."""
        return ()

    def holds(self, grid: Grid) -> bool:  # noqa: ARG002  for some the houses are all
        """Whether a full grid satisfies what the constraint demands besides its houses."""
        return True

    def primitives(self, board: Board) -> Iterable[Primitive]:  # noqa: ARG002  for some the houses are all
        """`holds` for solvers: a full grid without repeats in the houses satisfies these exactly when `holds` is
        true."""
        return ()

    def marks(self, board: Board) -> Iterable[Mark]:  # noqa: ARG002  some rules cannot be seen
        """How it is drawn; nothing for a rule that is only written in words."""
        return ()


class OfCells(Constraint):
    """A constraint with a field `cells`. `called` is what messages and rows call it, `{}` its name in the text form.

    Where it is drawn by nothing else, the cells have the colour `shade`.
    """

    cells: Cells

    called: ClassVar[str] = "{}"
    shade: ClassVar[str] = ""

    def name(self, board: Board) -> str:
        """Its name in messages and rows, such as `the cage at r1c1`."""
        return f"the {self.called.format(self.text)} at {board.cell_name(self.cells[0])}"

    def refuse_repeats(self, problem: str) -> None:
        """Raise `UsageError` with the problem if a cell is listed twice."""
        if len(set(self.cells)) < len(self.cells):
            raise UsageError(problem)

    def diagram(
        self, board: Board, start: State, step: Callable[[State, int, int], State | None], ends: Callable[[State], bool]
    ) -> Diagram:
        """The diagram of an automaton that reads the cells."""
        return diagram(self.cells, [board.digits] * len(self.cells), start, step, ends, self.name(board))

    def marks(self, board: Board) -> Iterable[Mark]:  # noqa: ARG002
        return (Shade(self.cells, self.shade),) if self.shade else ()


def refuse_constraint(constraint: Constraint, board: Board) -> None:
    """Raise `UsageError` for a constraint that makes no sense on this board, or lacks what may not be left out."""
    for name, codec in codecs_of(type(constraint)).items():
        value = getattr(constraint, name)
        empty = value in ((), frozenset()) or (codec is CODECS[Groups] and not all(value))
        if empty and name not in constraint.optional:
            raise UsageError(f"{codec.called} are missing")
    constraint.refuse(board)


@dataclass(frozen=True)
class Lines(Constraint):
    """Every row and every column holds no digit twice."""

    text = "lines"
    summary = "no digit twice in a row or a column"
    example = "lines"

    def houses(self, board: Board) -> Iterator[House]:
        rows, columns = board.rows, board.columns
        for row in range(rows):
            yield House(f"row {row + 1}", tuple(range(row * columns, (row + 1) * columns)))
        for column in range(columns):
            yield House(f"column {column + 1}", tuple(range(column, rows * columns, columns)))


@dataclass(frozen=True)
class Boxes(Constraint):
    """Boxes of `height` rows × `width` columns fill the grid, and none holds a digit twice."""

    height: int
    width: int

    text = "boxes"
    summary = "no digit twice in a box of this many rows and columns"
    example = "boxes 2x2"
    joiner = "x"

    def __post_init__(self) -> None:
        height, width = whole_numbers((self.height, self.width), "box sides")
        object.__setattr__(self, "height", height)
        object.__setattr__(self, "width", width)
        if height < 1 or width < 1:
            raise DimensionError(f"a box has at least one row and column, not {height}x{width}")

    def refuse(self, board: Board) -> None:
        if board.rows % self.height or board.columns % self.width:
            raise DimensionError(f"boxes of {self.height}x{self.width} do not fill {board}")
        if self.height * self.width > board.order:
            cells = counted(self.height * self.width, "cell")
            raise DimensionError(f"a box of {self.height}x{self.width} has {cells}, not {board.order}")

    def houses(self, board: Board) -> Iterator[House]:
        # from left to right, then down
        number = 0
        for top in range(0, board.rows, self.height):
            for left in range(0, board.columns, self.width):
                number += 1
                rows, columns = range(top, top + self.height), range(left, left + self.width)
                yield House(f"box {number}", tuple(row * board.columns + column for row in rows for column in columns))

    def marks(self, board: Board) -> Iterator[Mark]:
        return (Outline(house.cells, dashed=False) for house in self.houses(board))


# the text form


def write_constraint(constraint: Constraint, board: Board) -> str:
    """A constraint in our text form: its name, its numbers, a colon and its cells, as in `killer 15: r1c1 r1c2`."""
    numbers: list[str] = []
    parts: list[str] = []
    for name, codec in codecs_of(type(constraint)).items():
        (numbers if codec.is_number else parts).extend(codec.write(getattr(constraint, name), board))
    head = f"{constraint.text} {constraint.joiner.join(numbers)}".rstrip()
    return f"{head}: {' | '.join(parts)}" if parts else head


def read_fields(
    kind: type[Constraint], numbers: str, cells: str, board: Board, read_rule: Callable[[str], Constraint]
) -> dict[str, Any]:
    """The fields of a constraint from the text before the colon and the text after it. `read_rule` reads the rules in
    braces. Raises `UsageError`."""
    joiner = kind.joiner.strip()
    words = (re.sub(f"[{joiner}{joiner.upper()}×]", " ", numbers) if joiner else numbers).split()
    line = Line(board, words, [part.strip() for part in cells.split("|")] if cells else [], read_rule)
    values = {name: codec.read(line) for name, codec in codecs_of(kind).items()}
    if line.words:
        raise UsageError(f"{line.words[0]!r} is one number too many")
    if line.parts:
        raise UsageError(f"{line.parts[0]!r} is one group of cells too many")
    return values


class Codec(NamedTuple):
    """How the values of a type stand in a line: what people call them, whether they stand before the colon, the words
    or the parts between bars that they are, and how these are taken from a line."""

    called: str
    is_number: bool
    write: Callable[[Any, Board], Iterable[str]]
    read: Callable[[Line], Any]


@dataclass
class Line:
    """What is left of a line while it is read: words before the colon, parts between bars after it."""

    board: Board
    words: list[str]
    parts: list[str]
    read_rule: Callable[[str], Constraint]

    def number(self) -> int:
        if not self.words:
            raise UsageError("a number is missing")
        return _number(self.words.pop(0))

    def digits(self) -> tuple[int, ...]:
        taken = [word for word in self.words if "," not in word]
        self.words = [word for word in self.words if "," in word]
        return tuple(map(_number, taken))

    def tuples(self, size: int) -> frozenset[tuple[int, ...]]:
        """Numbers with commas between them, such as 1,2."""
        taken, self.words = self.words, []
        found = [tuple(map(_number, word.split(","))) for word in taken]
        for word, numbers in zip(taken, found, strict=True):
            if len(numbers) != size:
                raise UsageError(f"{word!r} is not {size} numbers with commas")
        return frozenset(found)

    def cell(self) -> int:
        if not self.parts:
            raise UsageError("cells are missing")
        cells = self.cells()
        if len(cells) != 1:
            raise UsageError(f"one cell is expected, not {len(cells)}")
        return cells[0]

    def cells(self) -> tuple[int, ...]:
        part = self.parts.pop(0) if self.parts else ""
        return tuple(cell for word in part.replace(",", " ").split() for cell in self._run(word))

    def groups(self) -> tuple[tuple[int, ...], ...]:
        if (
            len(self.parts) == 1
            and not _CELL.search(self.parts[0])
            and self.board.named(self.parts[0].split()[0]) is None
        ):
            return self._letters("".join(self.parts.pop().replace("/", " ").split()))
        return tuple(self.cells() for _ in self.parts.copy())

    def cases(self) -> tuple[tuple[Constraint, ...], ...]:
        text, self.parts = " | ".join(self.parts), []
        split = ([rule for rule in _split(case) if rule.strip()] for case in _in_braces(text))
        return tuple(tuple(map(self.read_rule, rules)) for rules in split)

    def _run(self, word: str) -> list[int]:
        """The cells of `r1c1`, of a run `r1c1-r1c4-r3c4`, or the extra cell of that name."""
        if (cell := self.board.named(word)) is not None:
            return [cell]
        corners = [self._place(corner) for corner in word.split("-")]
        cells = [corners[0]]
        for (row, column), (down, right) in pairwise(corners):
            length = max(abs(down - row), abs(right - column))
            if length == 0 or (down - row) % length or (right - column) % length:
                raise UsageError(f"{word!r} is not a straight run")
            step = ((down - row) // length, (right - column) // length)
            cells += [(row + step[0] * place, column + step[1] * place) for place in range(1, length + 1)]
        return [self.board.cell(row, column) for row, column in cells]

    def _place(self, word: str) -> tuple[int, int]:
        found = _CELL.fullmatch(word)
        if not found:
            raise UsageError(f"{word!r} is not a cell, such as r1c1")
        row, column = int(found[1]) - 1, int(found[2]) - 1
        if self.board.at(row, column) is None:
            raise UsageError(f"{word!r} is not on a board of {self.board.rows}x{self.board.columns}")
        return row, column

    def _letters(self, letters: str) -> tuple[tuple[int, ...], ...]:
        """Groups given by a letter for each cell of the grid; a dot is in none."""
        if len(letters) != self.board.grid_count:
            raise UsageError(f"{len(letters)} letters do not name the regions of {self.board.grid_count} cells")
        found: dict[str, list[int]] = {}
        for cell, letter in enumerate(letters):
            found.setdefault(letter, []).append(cell)
        return tuple(tuple(cells) for letter, cells in found.items() if letter != ".")


DEEPEST = 20
"""The deepest nesting of cases."""

_NUMBER = re.compile(r"[-+]?[0-9]{1,9}")
_CELL = re.compile(r"[rR]([0-9]{1,4})[cC]([0-9]{1,4})")


def _number(word: str) -> int:
    if not _NUMBER.fullmatch(word):
        raise UsageError(f"{word!r} is not a whole number")
    return int(word)


def _cell_names(cells: Iterable[int], board: Board) -> str:
    return " ".join(map(board.cell_name, cells))


def _write_tuples(tuples: Iterable[tuple[int, ...]], board: Board) -> list[str]:  # noqa: ARG001
    return [",".join(map(str, numbers)) for numbers in sorted(tuples)]


def _write_cases(cases: Iterable[Iterable[Constraint]], board: Board) -> list[str]:
    texts = ("; ".join(write_constraint(rule, board) for rule in case) for case in cases)
    return [" ".join(f"{{ {text} }}" for text in texts)]


CODECS: Mapping[object, Codec] = {
    int: Codec("number", True, lambda number, _: [str(number)], Line.number),
    int | None: Codec(
        "number or nothing",
        True,
        lambda number, _: [] if number is None else [str(number)],
        lambda line: line.number() if line.words else None,
    ),
    Digits: Codec("numbers", True, lambda digits, _: map(str, digits), Line.digits),
    Pairs: Codec("pairs of digits", True, _write_tuples, lambda line: line.tuples(2)),
    Edges: Codec("edges state,digit,state", True, _write_tuples, lambda line: line.tuples(3)),
    Cell: Codec("cell", False, lambda cell, board: [board.cell_name(cell)], Line.cell),
    Cells: Codec("cells", False, lambda cells, board: [_cell_names(cells, board)] if cells else [], Line.cells),
    Groups: Codec(
        "sets of cells", False, lambda groups, board: [_cell_names(group, board) for group in groups], Line.groups
    ),
    Cases: Codec("cases", False, _write_cases, Line.cases),
}
"""The types that a constraint's fields may have."""


def _without_text(*_: object) -> Any:
    raise TypeError("a constraint with a field of another type has no text")


_NO_TEXT = Codec("values", False, _without_text, _without_text)


@cache
def codecs_of(kind: type[Constraint]) -> dict[str, Codec]:
    """The fields of a constraint by their names."""
    types = get_type_hints(kind, include_extras=True)
    return {field.name: CODECS.get(types[field.name], _NO_TEXT) for field in fields(kind)}  # type: ignore[arg-type]  # a dataclass


def _split(text: str) -> list[str]:
    """The parts of a text between semicolons outside of braces."""
    parts, depth, start = [], 0, 0
    for place, character in enumerate(text):
        depth += (character == "{") - (character == "}")
        if character == ";" and depth == 0:
            parts.append(text[start:place])
            start = place + 1
    return [*parts, text[start:]]


def _in_braces(text: str) -> list[str]:
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
