"""Named constraints: their base class, their text form, and the two constraints of classic sudoku."""

import re
import sys
from abc import ABC
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, fields, replace
from functools import cache
from itertools import pairwise, product
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, NamedTuple, TypeAlias, dataclass_transform

from ringdoku.domain.board import PLACE, Board
from ringdoku.domain.errors import DimensionError, UsageError, expect, listed, refuse, whole_number, whole_numbers
from ringdoku.domain.marks import Border, Cage, Disc, Mark, Shade, Stroke
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


@dataclass_transform(frozen_default=True)
class Constraint(ABC):
    """Every subclass becomes a frozen dataclass whose fields are its parameters: numbers, cells, sets of cells.

    The first paragraph of its docstring says what it demands, and `example` shows how it is written. `houses` and
    `holds` are its meaning; the checker uses nothing else. Solvers get `AllDifferent` for each house, and `primitives`.
    """

    example: ClassVar[str]
    text: ClassVar[str]
    """Its name in our text form: the first word of the example; without one, that of the class."""
    summary: ClassVar[str]
    """What it demands, as a part of a sentence."""
    joiner: ClassVar[str] = " "
    """The separator of the numbers before the colon."""
    listed: ClassVar[bool] = True
    """Whether people write it. Others only express what other programs state, with extra cells or as automata."""
    optional: ClassVar[tuple[str, ...]] = ()
    """Fields that may be left out and are then empty: cells, groups of cells, or digits."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True)(cls)
        if "text" not in vars(cls):
            words = "-".join(re.findall("[A-Z]*[^A-Z]+|[A-Z]+", cls.__name__)).lower()
            cls.text = re.split("[ :]", cls.example)[0] if "example" in vars(cls) else words
        first = " ".join((cls.__doc__ or cls.__name__).partition("\n\n")[0].split()).removesuffix(".")
        cls.summary = first[0].lower() + first[1:]
        is_checked = cls.holds is not Constraint.holds or cls.primitives is Constraint.primitives
        refuse(not is_checked, f"{cls.__name__} has `primitives` and no `holds`, so that no answer could be checked")

    def refuse(self, board: Board) -> None:  # noqa: B027  most accept any
        """Raise `UsageError` for parameters that make no sense on this board; `fitted` has checked the cells."""

    def houses(self, board: Board) -> Iterable[House]:  # noqa: ARG002  most have none
        """The sets of cells in which no digit may stand twice."""
        return ()

    def holds(self, grid: "Grid") -> bool:  # noqa: ARG002  for some the houses are all
        """Whether a full grid satisfies what the constraint demands besides its houses."""
        return True

    def primitives(self, board: Board) -> Iterable[Primitive]:  # noqa: ARG002  for some the houses are all
        """The constraint for solvers: a full grid without repeats in the houses satisfies all iff `holds` is true."""
        return ()

    def marks(self, board: Board) -> Iterable[Mark]:  # noqa: ARG002  some rules cannot be seen
        """How it is drawn; nothing for a rule that is only written in words."""
        return ()


class OfCells(Constraint):
    """A constraint with a field `cells`. It is drawn by those attributes below that are not empty."""

    if TYPE_CHECKING:
        # a field of each subclass, which may come after others
        @property
        def cells(self) -> Cells: ...

    called: ClassVar[str] = "{}"
    """Its noun in messages and names of rows; `{}` stands for its name in the text form."""
    once: ClassVar[str] = ""
    """The message if a cell is listed twice; empty where that is allowed."""
    fewest: ClassVar[int] = 0
    """The least number of cells; 0 where one is enough."""
    differ: ClassVar[bool] = False
    """Whether the cells are a house."""
    shade: ClassVar[str] = ""
    """The colour of the cells."""
    stroke: ClassVar[tuple[str, float]] = ("", 0)
    """The colour and thickness of a line through the cells."""
    circles: ClassVar[tuple[Disc, ...]] = ()
    """Circles whose `cells` are places on the line; without any, there is a circle in each cell."""
    caption: ClassVar[str | None] = None
    """The text of a dashed cage around the cells, with fields in braces."""

    @property
    def first(self) -> int:
        """The cell that is a part of its name."""
        return self.cells[0]

    def name(self, board: Board) -> str:
        """Its name in messages and rows, such as `the cage at r1c1`."""
        return f"the {self.called.format(self.text)} at {board.cell_name(self.first)}"

    def houses(self, board: Board) -> Iterable[House]:
        return (House(self.name(board), self.cells),) if self.differ else ()

    def refuse(self, board: Board) -> None:  # noqa: ARG002
        refuse(len(self.cells) < self.fewest, f"a {self.called.format(self.text)} has at least {self.fewest} cells")
        refuse(self.once and len(set(self.cells)) < len(self.cells), self.once)

    def diagram(
        self, board: Board, start: State, step: Callable[[State, int, int], State | None], ends: Callable[[State], bool]
    ) -> Diagram:
        """The diagram of an automaton that reads the cells."""
        return diagram(self.cells, [board.digits] * len(self.cells), start, step, ends, self.name(board))

    def marks(self, board: Board) -> Iterator[Mark]:  # noqa: ARG002
        if self.shade:
            yield Shade(self.cells, self.shade)
        if self.stroke[0]:
            yield Stroke(self.cells, *self.stroke)
        for disc in self.circles:
            for place in disc.cells or range(len(self.cells)):
                yield replace(disc, cells=(self.cells[place],))
        if self.caption is not None:
            known = {name: "" if value is None else value for name, value in vars(self).items()}
            yield Cage(self.cells, text=self.caption.format(**known))


def fitted(constraint: Constraint, board: Board) -> Constraint:
    """The constraint with values that fit the board: names of cells become indices. Raises `UsageError` for a value of
    another type, a cell that is not on the board, an empty field unless that is optional, and what makes no sense."""
    expect(constraint, Constraint, "a rule")
    kind, changed = type(constraint), dict[str, Any]()
    refuse(fault := _fault_of(kind), f"{kind.__name__} {fault}")
    for name, codec in codecs_of(kind).items():
        given = getattr(constraint, name)
        try:
            value = codec.fit(board, given)
        except UsageError as error:
            raise UsageError(f"{name} of {constraint.text}: {error}") from None
        empty = value in ((), frozenset()) or (codec is CODECS[Groups] and not all(value))
        refuse(empty and name not in constraint.optional, f"{codec.called} are missing")
        # an index that NumPy counted is equal to Python's, but overflows
        if repr(value) != repr(given):
            changed[name] = value
    # rulesets compare faster where they share constraints; unlike `replace`, a copy runs no `__post_init__` again
    constraint = copy(constraint) if changed else constraint
    for name, value in changed.items():
        object.__setattr__(constraint, name, value)
    constraint.refuse(board)
    return constraint


@cache
def _fault_of(kind: type[Constraint]) -> str:
    """What a class lacks, perhaps as a method is misspelt, so that it demands nothing or solvers do not know; or ""."""
    own = {name for each in kind.__mro__ if each not in (Constraint, OfCells) for name in vars(each)}
    if "holds" in own and "primitives" not in own:
        return "has `holds`, but no `primitives`, by which solvers know what it demands"
    is_silent = own.isdisjoint(("holds", "houses", "differ", "marks", "shade", "stroke", "circles", "caption"))
    return "demands nothing: it has neither `holds` nor `houses`" if is_silent else ""


class Lines(Constraint):
    """No digit twice in a row or a column."""

    example = "lines"

    def houses(self, board: Board) -> Iterator[House]:
        rows, columns = board.rows, board.columns
        for row in range(rows):
            yield House(f"row {row + 1}", tuple(range(row * columns, (row + 1) * columns)))
        for column in range(columns):
            yield House(f"column {column + 1}", tuple(range(column, rows * columns, columns)))


class OfBoxes(Constraint):
    """A constraint of boxes of this many rows and columns, which mostly fill the grid."""

    height: int
    width: int

    joiner = "x"

    def refuse(self, board: Board) -> None:
        if self.height < 1 or self.width < 1 or board.rows % self.height or board.columns % self.width:
            raise DimensionError(f"boxes of {self.height}x{self.width} do not fill {board}")


class Boxes(OfBoxes):
    """No digit twice in a box of this many rows and columns.

    Boxes fill the grid, from left to right, then down.
    """

    example = "boxes 2x2"

    def houses(self, board: Board) -> Iterator[House]:
        tops, lefts = range(0, board.rows, self.height), range(0, board.columns, self.width)
        for number, (top, left) in enumerate(product(tops, lefts), 1):
            yield House(f"box {number}", board.block(top, left, self.height, self.width))

    def marks(self, board: Board) -> Iterator[Mark]:
        return (Border(house.cells) for house in self.houses(board))


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
    """The fields of a constraint from the texts before and after its colon; `read_rule` reads rules in braces."""
    joiner = kind.joiner.strip()
    words = (re.sub(f"[{joiner}{joiner.upper()}×]", " ", numbers) if joiner else numbers).split()
    line = _Line(board, words, [part.strip() for part in cells.split("|")] if cells else [], read_rule)
    values = {name: codec.read(line) for name, codec in codecs_of(kind).items()}
    if line.words:
        colon = ", or a colon is missing before it" if line.words[0][0].isalpha() else ""
        raise UsageError(f"{line.words[0]!r} is one number too many{colon}")
    if line.parts:
        raise UsageError(f"{line.parts[0]!r} is one group of cells too many")
    return values


class Codec(NamedTuple):
    """How the values of a type stand in a line. `called` is their noun in messages; numbers stand before the colon;
    `write` returns the words, or the parts between bars, of a value; `read` takes these from a line. `fit` returns the
    value for what a caller gives, such as the name of a cell; it raises `UsageError`."""

    called: str
    is_number: bool
    write: Callable[[Any, Board], Iterable[str]]
    read: "Callable[[_Line], Any]"
    fit: Callable[[Board, Any], Any]


@dataclass
class _Line:
    """The unread rest of a line: words before the colon, parts between bars after it."""

    board: Board
    words: list[str]
    parts: list[str]
    read_rule: Callable[[str], Constraint]

    def number(self) -> int:
        refuse(not self.words, "a number is missing")
        return _number(self.words.pop(0))

    def digits(self) -> tuple[int, ...]:
        taken = [word for word in self.words if "," not in word]
        self.words = [word for word in self.words if "," in word]
        return tuple(map(_number, taken))

    def tuples(self, size: int) -> frozenset[tuple[int, ...]]:
        """Numbers with commas between them, such as 1,2."""
        taken, self.words = self.words, []
        found = {word: tuple(map(_number, word.split(","))) for word in taken}
        for word, numbers in found.items():
            refuse(len(numbers) != size, f"{word!r} is not {size} numbers with commas")
        return frozenset(found.values())

    def cell(self) -> int:
        if len(cells := self.cells()) != 1:
            raise UsageError(f"one cell is expected, not {len(cells)}" if cells else "cells are missing")
        return cells[0]

    def cells(self) -> tuple[int, ...]:
        part = self.parts.pop(0) if self.parts else ""
        # arrows and spaces around the dash of a run are read too
        words = re.sub(r"\s*(?:-+>?|→|–)\s*", "-", part).replace(",", " ").split()
        return tuple(cell for word in words for cell in self._cells_of_run(word))

    def groups(self) -> tuple[tuple[int, ...], ...]:
        """Cells between bars, or a letter for each cell of the grid; a dot is in no group."""
        only = self.parts[0].split() if len(self.parts) == 1 else []
        if not only or PLACE.search(self.parts[0]) or self.board.named(only[0]) is not None:
            return tuple(self.cells() for _ in self.parts.copy())
        letters = "".join("".join(only).split("/"))
        self.parts.clear()
        if len(letters) != self.board.grid_count:
            raise UsageError(f"{len(letters)} letters do not name the regions of {self.board.grid_count} cells")
        names = dict.fromkeys(letters.replace(".", ""))
        return tuple(tuple(cell for cell, letter in enumerate(letters) if letter == name) for name in names)

    def cases(self) -> tuple[tuple[Constraint, ...], ...]:
        text, self.parts = " | ".join(self.parts), []
        return tuple(tuple(self.read_rule(rule) for rule in case if rule.strip()) for case in _rules_in_braces(text))

    def _cells_of_run(self, word: str) -> list[int]:
        """The cells of `r1c1`, of a run `r1c1-r1c4-r3c4`, or the extra cell of that name."""
        if (cell := self.board.named(word)) is not None:
            return [cell]
        corners = [self._row_and_column(corner) for corner in word.split("-")]
        cells = [self.board.cell(*corners[0])]
        for (row, column), (down, right) in pairwise(corners):
            length = max(abs(down - row), abs(right - column))
            refuse(length == 0 or (down - row) % length or (right - column) % length, f"{word!r} is not a straight run")
            step = ((down - row) * self.board.columns + right - column) // length
            cells += [cells[-1] + step * place for place in range(1, length + 1)]
        return cells

    def _row_and_column(self, word: str) -> tuple[int, int]:
        cell, board = self.board.named(word), self.board
        if cell is None or cell >= board.grid_count:
            expected = f"on a board of {board.rows}x{board.columns}" if PLACE.fullmatch(word) else "a cell, as r1c1"
            raise UsageError(f"{word!r} is not {expected}")
        return divmod(cell, board.columns)


_NUMBER = re.compile(r"[-+]?[0-9]{1,9}")


def _number(word: str) -> int:
    colon = "; a colon is missing before it" if PLACE.match(word) else ""
    refuse(not _NUMBER.fullmatch(word), f"{word!r} is not a whole number{colon}")
    return int(word)


def _rules_in_braces(text: str) -> list[list[str]]:
    """The rules of `{ rule; rule } { rule }`. Raises `UsageError` for text outside, and for an unmatched brace."""
    cases, depth, expected = list[list[str]](), 0, "cases are written { … } { … }, with ; between constraints"
    for part in re.split("([{;}])", text):
        depth -= part == "}"
        if depth == 0 and part == "{":
            cases.append([""])
        elif depth == 1 and part == ";":
            cases[-1].append("")
        elif depth > 0:
            cases[-1][-1] += part
        else:
            refuse(depth < 0 or part.strip(" \t}"), expected)
        depth += part == "{"
        refuse(depth > 20, "cases are nested more than 20 deep")
    refuse(depth, expected)
    return cases


def _write_groups(groups: Iterable[Iterable[int]], board: Board) -> list[str]:
    return [" ".join(map(board.cell_name, group)) for group in groups]


def _write_tuples(tuples: Iterable[tuple[int, ...]], board: Board) -> list[str]:  # noqa: ARG001
    return [",".join(map(str, numbers)) for numbers in sorted(tuples)]


def _write_cases(cases: Iterable[Iterable[Constraint]], board: Board) -> list[str]:
    texts = ("; ".join(write_constraint(rule, board) for rule in case) for case in cases)
    return [" ".join(f"{{ {text} }}" for text in texts)]


def _fit_number(_: Board, value: Any) -> int:
    return whole_number(value, "numbers")


def _fit_numbers(_: Board, values: Any) -> tuple[int, ...]:
    return whole_numbers(values, "numbers")


def _fit_each(
    what: str, fit: Callable[[Board, Any], Any], container: Callable[[Iterable[Any]], Any] = tuple
) -> Callable[[Board, Any], Any]:
    """A function that applies `fit` to each value of a list, which messages call `what`."""
    return lambda board, values: container(fit(board, value) for value in listed(values, what))


_FIT_TUPLES = _fit_each("rows of numbers", _fit_numbers, frozenset)
_FIT_CELLS = _fit_each("cells", Board.given)

CODECS: Mapping[object, Codec] = {
    int: Codec("number", True, lambda number, _: [str(number)], _Line.number, _fit_number),
    int | None: Codec(
        "number or nothing",
        True,
        lambda number, _: [] if number is None else [str(number)],
        lambda line: line.number() if line.words else None,
        lambda board, value: None if value is None else _fit_number(board, value),
    ),
    Digits: Codec("numbers", True, lambda digits, _: map(str, digits), _Line.digits, _fit_numbers),
    Pairs: Codec("pairs of digits", True, _write_tuples, lambda line: line.tuples(2), _FIT_TUPLES),
    Edges: Codec("edges state,digit,state", True, _write_tuples, lambda line: line.tuples(3), _FIT_TUPLES),
    Cell: Codec("cell", False, lambda cell, board: [board.cell_name(cell)], _Line.cell, Board.given),
    Cells: Codec(
        "cells", False, lambda cells, board: _write_groups([cells] if cells else [], board), _Line.cells, _FIT_CELLS
    ),
    Groups: Codec("sets of cells", False, _write_groups, _Line.groups, _fit_each("sets of cells", _FIT_CELLS)),
    Cases: Codec(
        "cases",
        False,
        _write_cases,
        _Line.cases,
        _fit_each("cases", _fit_each("constraints", lambda b, rule: fitted(rule, b))),
    ),
}
"""The types that a constraint's fields may have."""


@cache
def codecs_of(kind: type[Constraint]) -> dict[str, Codec]:
    """The codec of each field of a constraint, by the field's name; fields that have no text are left out. A field that
    is called cell or cells, or ends in _cell or _cells, has the type `Cell` or `Cells`, whatever its annotation."""
    # in another process a class of the user's script has no module to look names up in
    known = {**getattr(sys.modules.get(kind.__module__), "__dict__", {}), **globals()}
    codecs = {}
    for field in fields(kind):  # type: ignore[arg-type]  # a dataclass
        annotation = {"cell": Cell, "cells": Cells}.get(field.name.rpartition("_")[2], field.type)
        with suppress(NameError):
            field_type = eval(annotation, known) if isinstance(annotation, str) else annotation
            if field_type in CODECS:
                codecs[field.name] = CODECS[field_type]
    return codecs
