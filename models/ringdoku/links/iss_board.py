"""The board of an ISS text: its shape, its regions, its extra cells and the names of all cells."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import isqrt

from ringdoku.constraints.regions import Regions
from ringdoku.constraints.unknown import Alike
from ringdoku.domain.board import Board
from ringdoku.domain.constraint import Boxes, Cells, Constraint, Lines
from ringdoku.domain.errors import LinkError
from ringdoku.links.iss_text import Token

MOST_CELLS = 1000
"""The most cells, those of the grid and the extra ones."""

LABELS, STEPS, JOINS, MARKS = "CC", "steps", "join", "mark"
"""Groups of extra cells for regions that are not given. Texts may name only the first group."""

ABOUT_THE_BOARD = frozenset({"Shape", "RegionSize", "NoBoxes", "Jigsaw", "FullRankTies", "Var"})
"""Tokens that `IssBoard.of_tokens` reads. Chaos construction and doppelgängers add cells in addition to rules."""

_SIDES = "123456789abcdefg"
_CELL = re.compile(f"[rR]([{_SIDES}A-G])[cC]([{_SIDES}A-G])")
_SHAPE = re.compile(r"([0-9]{1,2})x([0-9]{1,2})(?:~(?:(?:([01])-)?([0-9]{1,2}))?)?(?:~(Raw|Sudoku))?")
_VARIABLES = re.compile(r"(?:([0-9]{1,3})x)?([0-9]{1,3})")


@dataclass(frozen=True)
class CellGroup:
    """Cells in rows of `columns`, of which the last may be shorter: the grid, or extra cells with a common prefix."""

    prefix: str
    cells: range
    columns: int

    def place(self, cell: int) -> tuple[int, int]:
        """Row and column of a cell."""
        return divmod(cell - self.cells.start, self.columns)

    def at(self, row: int, column: int) -> int | None:
        """The cell there, None outside."""
        index = row * self.columns + column
        return self.cells[index] if row >= 0 <= column < self.columns and index < len(self.cells) else None

    @property
    def names(self) -> tuple[str, ...]:
        count = len(self.cells)
        return (self.prefix,) if count == 1 else tuple(f"{self.prefix}{number}" for number in range(1, count + 1))


@dataclass(frozen=True)
class IssBoard:
    """`box` is the height and width of boxes, None if no boxes of the size fit. Boxes are regions if `has_boxes`.

    The first of `groups` is the grid.
    """

    board: Board
    raw: bool
    region_size: int
    box: tuple[int, int] | None
    has_boxes: bool
    pieces: tuple[Cells, ...]
    ties: str
    groups: tuple[CellGroup, ...]
    connected: tuple[int, ...]
    """Digits whose cells are connected."""
    pairs: dict[tuple[int, int], int]
    """For two labels, the extra cell that holds whether they are alike. New extra cells are added to the board."""

    @staticmethod
    def of_tokens(tokens: Sequence[Token]) -> IssBoard:
        """The board that the tokens describe. Raises `LinkError`."""
        once: dict[str, Token] = {}
        for token in tokens:
            if token.name in ABOUT_THE_BOARD - {"Var"}:
                before = once.setdefault(token.name, token)
                if before.arguments != token.arguments:
                    raise LinkError(f"{token}: this contradicts {before}")
        shape, raw = _shape(once.get("Shape"))
        size = max(shape.rows, shape.columns)
        if sized := once.get("RegionSize"):
            size = number_of("".join(sized.arguments), sized)
            if not 1 <= size <= shape.grid_count:
                raise LinkError(f"{sized}: no region has {size} cells")
        groups = [CellGroup("", range(shape.grid_count), shape.columns)]
        for prefix, count, columns in _extra_cells(tokens, shape):
            start = groups[-1].cells.stop
            if any(group.prefix == prefix for group in groups):
                raise LinkError(f"the extra cells {prefix} are there twice")
            if start + count > MOST_CELLS:
                raise LinkError(f"there are more than {MOST_CELLS} cells, with the extra ones")
            groups.append(CellGroup(prefix, range(start, start + count), columns))
        extra = tuple(name for group in groups[1:] for name in group.names)
        board = Board(shape.rows, shape.columns, shape.least, shape.greatest, extra)
        ties = once.get("FullRankTies")
        box = None if raw else box_of(board.rows, board.columns, size)
        pieces = _pieces(once["Jigsaw"], board, size) if "Jigsaw" in once else ()
        named = "~".join(ties.arguments) if ties else "only-unclued"
        if named not in ("none", "only-unclued", "any"):
            raise LinkError(f"{ties}: ties are none, only-unclued or any")
        has_boxes = not raw and "NoBoxes" not in once
        values = ("".join(token.arguments[1:2]) for token in tokens if token.name == "ConnectedValues")
        connected = tuple(dict.fromkeys(int(value) for value in values if re.fullmatch("[0-9]{1,2}", value)))
        found = IssBoard(board, raw, size, box, has_boxes, pieces, named, tuple(groups), connected, {})
        if any(group.prefix == LABELS for group in groups):
            labels = found.group(LABELS).cells
            every = zip(shape.neighbours(), found.group(JOINS).cells, strict=True)
            found.pairs.update({(labels[one], labels[other]): join for (one, other), join in every})
        return found

    @property
    def whole(self) -> Board:
        """The board with all extra cells that tokens need."""
        added = sum(join >= self.board.cell_count for join in self.pairs.values())
        names = tuple(f"alike{number}" for number in range(1, added + 1))
        return replace(self.board, extra=(*self.board.extra, *names))

    @property
    def added(self) -> Iterator[Constraint]:
        """The constraints of the added cells."""
        for (one, other), cell in self.pairs.items():
            if cell >= self.board.cell_count:
                yield Alike(cell, one, other)

    def alike(self, one: int, other: int) -> int:
        """The extra cell that holds whether two labels are alike."""
        free = self.board.cell_count + sum(cell >= self.board.cell_count for cell in self.pairs.values())
        return self.pairs.setdefault((min(one, other), max(one, other)), free)

    @property
    def base(self) -> Iterator[Constraint]:
        """The default rules, and the pieces of a jigsaw."""
        if not self.raw:
            yield Lines()
        if self.has_boxes and self.box:
            yield Boxes(*self.box)
        if self.pieces:
            yield Regions(self.pieces)

    @property
    def boxes(self) -> tuple[Cells, ...]:
        """The pieces that are regions."""
        if not (self.has_boxes and self.box):
            return ()
        return tuple(house.cells for house in Boxes(*self.box).houses(self.board))

    def find(self, name: str) -> int | None:
        """The cell of that name, if there is one."""
        if name in self.board.extra and name[0].isupper():
            return self.board.grid_count + self.board.extra.index(name)
        found = _CELL.fullmatch(name)
        return self.board.at(*(_SIDES.index(side.lower()) for side in found.groups())) if found else None

    def cell(self, name: str) -> int:
        """Raises `LinkError` for a name that no cell has."""
        cell = self.find(name)
        if cell is None:
            raise LinkError(f"{name!r} is not a cell of a board of {self.board}")
        return cell

    def cells(self, names: Iterable[str]) -> Cells:
        """Raises `LinkError` when there are none, and for a name that no cell has."""
        found = tuple(map(self.cell, names))
        if not found:
            raise LinkError("there are no cells")
        return found

    def name(self, cell: int) -> str:
        """The name of a cell in ISS texts."""
        if cell >= self.board.grid_count:
            return self.board.cell_name(cell)
        row, column = divmod(cell, self.board.columns)
        return f"R{_SIDES[row]}C{_SIDES[column]}"

    def group_of(self, cell: int) -> CellGroup:
        """The group that the cell is in."""
        return next(group for group in self.groups if cell in group.cells)

    def group(self, prefix: str) -> CellGroup:
        """Raises `LinkError` for a prefix that no group has; the grid's is empty."""
        for group in self.groups:
            if group.prefix == prefix:
                return group
        raise LinkError(f"there are no cells {prefix!r}")

    def around(self, cell: int) -> list[int]:
        """The cells that share an edge with it."""
        group = self.group_of(cell)
        row, column = group.place(cell)
        found = (group.at(row + down, column + right) for down, right in ((0, -1), (0, 1), (-1, 0), (1, 0)))
        return [other for other in found if other is not None]

    def ray(self, cell: int, down: int, right: int) -> list[int]:
        """The cell and those after it in a direction, up to the border; only the cell itself if there is no
        direction."""
        group = self.group_of(cell)
        row, column = group.place(cell)
        found: list[int] = []
        while (following := group.at(row, column)) is not None and following not in found:
            found.append(following)
            row, column = row + down, column + right
        return found

    def neighbours(self, cells: Sequence[int]) -> list[tuple[int, int]]:
        """Every two of the cells that share an edge, the earlier one first. Raises `LinkError` when there are none."""
        found = [
            (one, other)
            for place, one in enumerate(cells)
            for other in self.around(one)
            if other in cells[place + 1 :] and one not in cells[:place]
        ]
        if not found:
            raise LinkError("no two of the cells are neighbours")
        return found

    def shifted(self, cell: int, origin: int, target: int) -> int:
        """The cell moved from the origin to the target. Raises `LinkError` if it is off the board."""
        group = self.group_of(origin)
        if cell not in group.cells or target not in group.cells:
            raise LinkError(f"{self.name(cell)} is not in one group of cells with {self.name(origin)}")
        places = zip(group.place(cell), group.place(origin), group.place(target), strict=True)
        found = group.at(*(own - old + new for own, old, new in places))
        if found is None:
            raise LinkError(f"{self.name(cell)} would be shifted off the board")
        return found


def number_of(word: str, what: object) -> int:
    """A whole number of at most nine digits. Raises `LinkError`, which names `what`."""
    if not re.fullmatch(r"-?[0-9]{1,9}", word):
        raise LinkError(f"{what}: {word!r} is not a whole number")
    return int(word)


def box_of(rows: int, columns: int, size: int) -> tuple[int, int] | None:
    """Height and width of the squarest boxes of this many cells that fill the board, flat ones before tall ones."""
    for small in range(isqrt(size), 1, -1):
        large = size // small
        if size % small == 0:
            for height, width in ((small, large), (large, small)):
                if rows % height == 0 and columns % width == 0:
                    return height, width
    return None


def _shape(token: Token | None) -> tuple[Board, bool]:
    """The board without extra cells, and whether it is raw, without default rules."""
    text = "~".join(token.arguments) if token else ""
    found = _SHAPE.fullmatch(text or "9x9")
    if found is None:
        raise LinkError(f"{token}: a shape is written 9x9, 9x9~0-8, or 9x9~9~Raw")
    rows, columns, least, greatest, kind = found.groups()
    board = Board(int(rows), int(columns), int(least or 1), int(greatest) if greatest else None)
    if max(board.rows, board.columns, board.order) > len(_SIDES):
        raise LinkError(f"{token}: sides and numbers of digits are at most {len(_SIDES)}")
    if kind != "Raw" and board.order < max(board.rows, board.columns):
        raise LinkError(f"{token}: {board.order} digits are too few for {board.rows} rows and {board.columns} columns")
    return board, kind == "Raw"


def _extra_cells(tokens: Sequence[Token], board: Board) -> Iterator[tuple[str, int, int]]:
    """The prefix of the names of each group, the number of its cells, and the cells in a row."""
    for token in tokens:
        if token.name != "Var":
            continue
        prefix, _, size = (*token.arguments, "", "", "")[:3]
        if not re.fullmatch("[A-Z]{1,20}", prefix):
            raise LinkError(f"{token}: the names of extra cells are capital letters")
        found = _VARIABLES.fullmatch(size or "1")
        if found is None or 0 in (rows := int(found[1] or 1), columns := int(found[2])):
            raise LinkError(f"{token}: the size of a group of extra cells is a number, or as 9x9")
        yield "V" + prefix, rows * columns, columns if found[1] else board.columns
    names = {token.name for token in tokens}
    if "Doppelganger" in names:
        box = box_of(board.rows, board.columns, max(board.rows, board.columns))
        yield "DGR", board.columns, board.columns
        yield "DGC", board.rows, board.columns
        if box:
            yield "DGB", box[0] * box[1], box[1]
    if names >= {"ChaosConstruction", "ConnectedValues"}:
        raise LinkError("chaos construction with connected values is not supported")
    if names & {"ChaosConstruction", "ConnectedValues"}:
        yield STEPS, board.grid_count, board.columns
        yield JOINS, len(list(board.neighbours())), board.columns
    if "ChaosConstruction" in names:
        yield LABELS, board.grid_count, board.columns
        yield MARKS, board.grid_count if board.columns == board.order else 0, board.columns


def _pieces(token: Token, board: Board, size: int) -> tuple[Cells, ...]:
    """The pieces of a jigsaw, given by a letter for each cell. One letter may have another number of cells and is then
    not a piece."""
    letters = token.arguments[-1] if token.arguments else ""
    if len(letters) != board.grid_count:
        raise LinkError(f"{token}: a jigsaw has {board.grid_count} letters, not {len(letters)}")
    found: dict[str, list[int]] = {}
    for cell, letter in enumerate(letters):
        found.setdefault(letter, []).append(cell)
    if len(found) == 1:
        return ()
    others = [cells for cells in found.values() if len(cells) != size]
    if len(others) > 1:
        raise LinkError(f"{token}: regions have {len(others[0])} and {len(others[1])} cells, not {size}")
    return tuple(tuple(cells) for cells in found.values() if len(cells) == size)
