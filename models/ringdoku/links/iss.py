"""Puzzles as text and links of sigh's Interactive Sudoku Solver, such as `.Cage~10~R1C1~R1C2.~R3C3_5`.

`.` stands before each token, `~` between its name and its arguments. Tokens between `.Or`, `.And` or `.Replicate` and
`.End` are a group. Blank lines separate parts, each of tokens or of one of the plain forms; `#` begins a comment.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, groupby, pairwise
from math import isqrt
from typing import NamedTuple, TypeAlias
from urllib.parse import parse_qs, urlsplit

from ringdoku.constraints import digits, lines, outside, pairs, regions, sums
from ringdoku.constraints.digits import AllowedDigits
from ringdoku.constraints.logic import Either, Language
from ringdoku.constraints.registry import CONSTRAINTS
from ringdoku.constraints.unknown import Alike, Connected, Run, UnknownRegions
from ringdoku.domain.board import Board
from ringdoku.domain.constraint import Boxes, Cells, Constraint, Digits, Lines, Pairs, refuse_constraint
from ringdoku.domain.errors import LinkError, UsageError
from ringdoku.domain.grid import Grid
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.ruleset import Ruleset
from ringdoku.links import plain
from ringdoku.links.regex import automaton_of

MOST_TOKENS = 20_000
"""The most tokens, counted as often as groups repeat them."""

MOST_CELLS = 1000
"""The most cells, those of the grid and the extra ones."""

DEEPEST = 20
"""The deepest nesting of groups."""

Words: TypeAlias = Sequence[str]


def is_iss(text: str) -> bool:
    """Whether a text starts with a token, unlike a line of letters and dots."""
    found = re.match(r"\.+\s*(?:([A-Za-z]+)\s*([.~]?)|~\s*[A-Za-z0-9]+_)", text)
    return bool(found and (found[1] is None or found[2] == "~" or (len(found[1]) > 1 and found[1] in NAMES)))


def read_iss(text: str) -> Puzzle:
    """The puzzle of a text or link. Raises `LinkError`, which names the token that is wrong or not supported."""
    nodes: list[Node] = []
    puzzles: list[Puzzle] = []
    for part in _parts_of(text.strip()):
        puzzle = _plain(part)
        if puzzle is None:
            nodes += _nodes_of(part, 1 + sum(1 for _ in _tokens_of(nodes)))
        else:
            puzzles.append(puzzle)
            nodes += _as_tokens(puzzle.ruleset)
    if not nodes:
        raise LinkError("there is no puzzle in the text")
    builder = _Builder(IssBoard(list(_tokens_of(nodes))))
    for puzzle in puzzles:
        builder.add_puzzle(puzzle)
    builder.add(nodes)
    return builder.puzzle()


def _plain(part: str) -> Puzzle | None:
    """The puzzle of a part in a plain form; None for tokens."""
    squeezed = "".join(part.split())
    if plain.is_short_killer(squeezed):
        return plain.read_short_killer(squeezed)
    if plain.is_sumocue(squeezed):
        return plain.read_sumocue(squeezed)
    if squeezed.startswith("="):
        return plain.read_givens(squeezed[1:])
    for reader in (plain.read_jigsaw, plain.read_givens, plain.read_numbers, plain.read_candidates):
        with suppress(LinkError):
            if len(squeezed) > 1:
                return reader(part)
    return None


def _as_tokens(ruleset: Ruleset) -> Iterator[Token]:
    """The tokens about the board that a plain part stands for."""
    yield Token(0, "Shape", (f"{ruleset.board.rows}x{ruleset.board.columns}",))
    for constraint in ruleset.constraints:
        if isinstance(constraint, regions.Regions):
            every = zip("ABCDEFGHIJKLMNOP", constraint.regions, strict=False)
            letters = sorted((cell, letter) for letter, cells in every for cell in cells)
            yield Token(0, "Jigsaw", ("".join(letter for _, letter in letters),))
            yield Token(0, "NoBoxes", ())


# tokens


@dataclass(frozen=True)
class Token:
    """A name with arguments. `number` counts all tokens of a text from 1."""

    number: int
    name: str
    arguments: tuple[str, ...]

    def __str__(self) -> str:
        text = "~".join((f".{self.name}", *self.arguments))
        return f"token {self.number}, {text if len(text) <= 40 else text[:39] + '…'}"


class Group(NamedTuple):
    """Tokens between one that opens a group and its `.End`."""

    token: Token
    nodes: tuple[Node, ...]


Node: TypeAlias = Token | Group


def _parts_of(text: str) -> list[str]:
    """The parts that blank lines separate, without comments; of a link those of the text after `?q=`."""
    if re.match(r"https?://", text):
        asked = parse_qs(urlsplit(text).query).get("q")
        if not asked:
            raise LinkError("the link has no ?q= with a puzzle")
        text = asked[0]
    without_comments = re.sub(r"^#.*$", "", text, flags=re.MULTILINE)
    return [part for part in re.split(r"\n\s*\n", without_comments) if part.strip()]


def _nodes_of(text: str, first: int) -> tuple[Node, ...]:
    """The tokens and groups of a part; `first` is the number of its first token."""
    start, *words = "".join(text.split()).split(".")
    if start:
        raise LinkError(f"an ISS text starts with '.', not with {start[:40]!r}")
    opened: list[tuple[Token | None, list[Node]]] = [(None, [])]
    for number, word in enumerate(words, first):
        name, *arguments = word.split("~")
        token = Token(number, name, tuple(arguments))
        if name == "End":
            opener, nodes = opened.pop()
            if opener is None:
                raise LinkError(f"{token}: there is no group to end")
            opened[-1][1].append(Group(opener, tuple(nodes)))
        elif name in GROUPS:
            if len(opened) > DEEPEST:
                raise LinkError(f"{token}: more than {DEEPEST} groups are nested")
            opened.append((token, []))
        else:
            opened[-1][1].append(token)
    opener, nodes = opened.pop()
    if opener is not None:
        raise LinkError(f"{opener}: the group has no .End")
    return tuple(nodes)


def _tokens_of(nodes: Iterable[Node]) -> Iterator[Token]:
    """All tokens in order, those that open a group too."""
    for node in nodes:
        if isinstance(node, Group):
            yield node.token
            yield from _tokens_of(node.nodes)
        else:
            yield node


@contextmanager
def _naming(token: Token) -> Iterator[None]:
    """Errors inside this context name the token."""
    try:
        yield
    except UsageError as error:
        raise error if str(error).startswith("token ") else LinkError(f"{token}: {error}") from None


# the board

LABELS, STEPS, JOINS, MARKS = "CC", "steps", "join", "mark"
"""Groups of extra cells for regions that are not given. Texts may name only the first group."""

ABOUT_THE_BOARD = frozenset({"Shape", "RegionSize", "NoBoxes", "Jigsaw", "FullRankTies", "Var"})
"""Tokens that `IssBoard` reads. Chaos construction and doppelgängers add cells in addition to rules."""

_SIDES = "123456789abcdefg"
_CELL = re.compile(f"[rR]([{_SIDES}A-G])[cC]([{_SIDES}A-G])")
_SHAPE = re.compile(r"([0-9]{1,2})x([0-9]{1,2})(?:~(?:(?:([01])-)?([0-9]{1,2}))?)?(?:~(Raw|Sudoku))?")
_ASIDE = ((0, -1), (0, 1), (-1, 0), (1, 0))


class CellGroup(NamedTuple):
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


class IssBoard:
    """The board that tokens describe: its shape, its regions, its extra cells and the names of all cells.

    `box` is the height and width of boxes, None if no boxes of the size fit; boxes are regions if `has_boxes`. The
    first of `groups` is the grid. `connected` are the digits whose cells are connected. `pairs` has for two labels the
    extra cell that holds whether they are alike; `alike` adds to it. Raises `LinkError`.
    """

    def __init__(self, tokens: Sequence[Token]) -> None:
        once = _once(tokens)
        shape, self.raw = _shape(once.get("Shape"))
        rows, columns = shape.rows, shape.columns
        sized = once.get("RegionSize")
        self.region_size = number_of("".join(sized.arguments), sized) if sized else max(rows, columns)
        if sized and not 1 <= self.region_size <= shape.grid_count:
            raise LinkError(f"{sized}: no region has {self.region_size} cells")
        self.groups = _groups(tokens, shape)
        self.board = replace(shape, extra=tuple(name for group in self.groups[1:] for name in group.names))
        self.box = None if self.raw else box_of(rows, columns, self.region_size)
        self.has_boxes = not self.raw and "NoBoxes" not in once
        self.pieces = _pieces(once["Jigsaw"], shape, self.region_size) if "Jigsaw" in once else ()
        ties = once.get("FullRankTies")
        self.ties = "~".join(ties.arguments) if ties else "only-unclued"
        if self.ties not in ("none", "only-unclued", "any"):
            raise LinkError(f"{ties}: ties are none, only-unclued or any")
        self.connected = _connected_digits(tokens)
        self.pairs: dict[tuple[int, int], int] = {}
        if any(group.prefix == LABELS for group in self.groups):
            labels = self.group(LABELS).cells
            every = zip(shape.neighbours(), self.group(JOINS).cells, strict=True)
            self.pairs = {(labels[one], labels[other]): join for (one, other), join in every}

    @property
    def whole(self) -> Board:
        """The board with all extra cells that tokens need."""
        names = tuple(f"alike{number}" for number, _ in enumerate(self.added, 1))
        return replace(self.board, extra=(*self.board.extra, *names))

    @property
    def added(self) -> list[Constraint]:
        """The constraints of the cells that `alike` added."""
        found = self.pairs.items()
        return [Alike(cell, one, other) for (one, other), cell in found if cell >= self.board.cell_count]

    def alike(self, one: int, other: int) -> int:
        """The extra cell that holds whether two labels are alike."""
        return self.pairs.setdefault((min(one, other), max(one, other)), self.board.cell_count + len(self.added))

    @property
    def base(self) -> Iterator[Constraint]:
        """The default rules, and the pieces of a jigsaw."""
        if not self.raw:
            yield Lines()
        if self.has_boxes and self.box:
            yield Boxes(*self.box)
        if self.pieces:
            yield regions.Regions(self.pieces)

    @cached_property
    def boxes(self) -> tuple[Cells, ...]:
        """The boxes that are regions."""
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
            for step in _ASIDE
            for other in self.ray(one, *step)[1:2]
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

    def line(self, name: str) -> Cells:
        """A row from the left, such as R1, or a column from the top, such as C1."""
        found = re.fullmatch("([RC])([0-9]{1,2})", name)
        row_wise = bool(found and found[1] == "R")
        number = int(found[2]) - 1 if found else -1
        if not 0 <= number < (self.board.rows if row_wise else self.board.columns):
            raise LinkError(f"{name!r} is not a row or column of a board of {self.board}")
        grid, columns = self.groups[0].cells, self.board.columns
        return tuple(grid[number * columns : (number + 1) * columns] if row_wise else grid[number::columns])


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


def _once(tokens: Iterable[Token]) -> dict[str, Token]:
    """The tokens about the board by their names; others of the same name must be equal."""
    found: dict[str, Token] = {}
    for token in tokens:
        if token.name in ABOUT_THE_BOARD - {"Var"}:
            before = found.setdefault(token.name, token)
            if before.arguments != token.arguments:
                raise LinkError(f"{token}: this contradicts {before}")
    return found


def _connected_digits(tokens: Iterable[Token]) -> Digits:
    values = ("".join(token.arguments[1:2]) for token in tokens if token.name == "ConnectedValues")
    return tuple(dict.fromkeys(int(value) for value in values if re.fullmatch("[0-9]{1,2}", value)))


def _groups(tokens: Sequence[Token], board: Board) -> list[CellGroup]:
    """The grid and the groups of extra cells."""
    found = [CellGroup("", range(board.grid_count), board.columns)]
    for prefix, count, columns in _extra_cells(tokens, board):
        start = found[-1].cells.stop
        if any(group.prefix == prefix for group in found):
            raise LinkError(f"the extra cells {prefix} are there twice")
        if start + count > MOST_CELLS:
            raise LinkError(f"there are more than {MOST_CELLS} cells, with the extra ones")
        found.append(CellGroup(prefix, range(start, start + count), columns))
    return found


def _variables(token: Token, board: Board) -> tuple[str, int, int]:
    prefix, _, size = (*token.arguments, "", "", "")[:3]
    if not re.fullmatch("[A-Z]{1,20}", prefix):
        raise LinkError(f"{token}: the names of extra cells are capital letters")
    found = re.fullmatch(r"(?:([0-9]{1,3})x)?([0-9]{1,3})", size or "1")
    if found is None or 0 in (rows := int(found[1] or 1), columns := int(found[2])):
        raise LinkError(f"{token}: the size of a group of extra cells is a number, or as 9x9")
    return "V" + prefix, rows * columns, columns if found[1] else board.columns


def _extra_cells(tokens: Sequence[Token], board: Board) -> Iterator[tuple[str, int, int]]:
    """The prefix of the names of each group, the number of its cells, and the cells in a row."""
    yield from (_variables(token, board) for token in tokens if token.name == "Var")
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


# codes in base64

_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


def _numbers_of(code: str) -> Iterator[int]:
    """The numbers of a set, ascending. Each character has 6 of them, the smallest in its lowest bit."""
    for place, character in enumerate(code):
        bits = _ALPHABET.find(character)
        if bits < 0:
            raise LinkError(f"{character!r} is not a character of a code of letters, digits, - and _")
        yield from (6 * place + bit for bit in range(6) if bits >> bit & 1)


def _pairs_of(code: str, board: Board) -> Pairs:
    """The pairs (first digit, second digit) of a relation: number first·n + second, digits counted from 0."""
    found = [divmod(number, board.order) for number in _numbers_of(code)]
    if any(first >= board.order for first, _ in found):
        raise LinkError(f"the relation has a pair of digits beyond {board.order}·{board.order}")
    return frozenset((board.least + first, board.least + second) for first, second in found)


def _bytes(code: str) -> bytes:
    """What is in base64 without padding, in the URL's alphabet."""
    try:
        return base64.b64decode(code + "=" * (-len(code) % 4), altchars=b"-_", validate=True)
    except (ValueError, binascii.Error):
        raise LinkError(f"{code[:20]!r} is not base64") from None


class _Automaton(NamedTuple):
    """States 0 to `starts` - 1 begin. `edges` are (state, symbol, next state), symbols from 0; symbol n, one more than
    there are digits, stands between segments of a line."""

    starts: int
    ends: frozenset[int]
    edges: tuple[tuple[int, int, int], ...]


def _automaton_of(code: str) -> _Automaton:
    """A stream of bits, the highest of each byte first: 2 bits for the format, 4 for the width of a state's number less
    1, 4 for the number of symbols less 1; then, in that width, how many states it may start in and how many further
    ones it may end in; a bit for each start that says whether it is an end, the last start first; and in format 0 4
    bits for the width of a count of edges. States are numbered from 0, starts before ends. Each state has, in format 0,
    a count, and so many times a symbol and the next state; in format 1 a bit for each symbol, the last one first, and
    for each that is set, from the first on, the next state.
    """
    bits = "".join(f"{byte:08b}" for byte in _bytes(code))
    if not bits:
        return _Automaton(1, frozenset(), ())
    at = 0

    def take(count: int) -> int:
        nonlocal at
        if at + count > len(bits):
            raise LinkError("the automaton ends too early")
        at += count
        return int(bits[at - count : at] or "0", 2)

    kind = take(2)
    if kind not in (0, 1):
        raise LinkError(f"the automaton is of format {kind}, which is unknown")
    width, symbols = take(4) + 1, take(4) + 1
    starts, further = take(width), take(width)
    both = take(starts)
    ends = {state for state in range(starts) if both >> state & 1} | set(range(starts, starts + further))
    count_width = symbols if kind == 1 else take(4)
    edges: list[tuple[int, int, int]] = []
    state = 0
    while count_width and len(bits) - at >= count_width:
        having = take(count_width)
        if kind == 1:
            edges += ((state, symbol, take(width)) for symbol in range(symbols) if having >> symbol & 1)
        else:
            edges += ((state, take((symbols - 1).bit_length()), take(width)) for _ in range(having))
        state += 1
    return _Automaton(starts, frozenset(ends), tuple(edges))


def _language(automaton: _Automaton, segments: Sequence[Cells], board: Board) -> Language:
    """The automaton accepts the digits of the segments, with symbol n between them."""
    n = board.order
    moves: dict[int, list[tuple[int, int]]] = {}
    breaks: dict[int, list[int]] = {}
    for state, symbol, after in automaton.edges:
        if symbol < n:
            moves.setdefault(state, []).append((board.least + symbol, after))
        elif symbol == n and len(segments) > 1:
            breaks.setdefault(state, []).append(after)
        else:
            raise LinkError(f"the automaton has more symbols than there are digits, {n}")
    if len(segments) != 1:
        return _over_breaks(automaton, segments, moves, breaks)
    # state 0 represents all starts
    starts = set(range(automaton.starts))
    edges = {(state + 1, digit, after + 1) for state in moves for digit, after in moves[state]}
    edges |= {(0, digit, after) for state, digit, after in edges if state - 1 in starts}
    ends = {end + 1 for end in automaton.ends} | ({0} if automaton.ends & starts else set())
    return Language(tuple(sorted(ends)), frozenset(edges), segments[0])


def _over_breaks(
    automaton: _Automaton,
    segments: Sequence[Cells],
    moves: Mapping[int, list[tuple[int, int]]],
    breaks: Mapping[int, list[int]],
) -> Language:
    """An automaton with states of its own for each cell, so that a break between segments needs no symbol."""
    cells = tuple(cell for segment in segments for cell in segment)
    over_break = {
        state: [(digit, after) for digit, target in leaving for after in breaks.get(target, ())]
        for state, leaving in moves.items()
    }
    breaks_after = set(accumulate(map(len, segments[:-1])))
    numbers: dict[tuple[int, int], int] = {}
    edges: set[tuple[int, int, int]] = set()
    here = set(range(automaton.starts))
    for place in range(1, len(cells) + 1):
        leaving = over_break if place in breaks_after else moves
        steps = [(state, digit, after) for state in here for digit, after in leaving.get(state, ())]
        for state, digit, after in steps:
            # before the first cell all starts are state 0
            before = numbers.setdefault((place - 1, state), len(numbers) + 1) if place > 1 else 0
            edges.add((before, digit, numbers.setdefault((place, after), len(numbers) + 1)))
        here = {after for _, _, after in steps}
    ends = {numbers.get((len(cells), end), 0) for end in here & automaton.ends}
    return Language(tuple(sorted(ends)), frozenset(edges), cells)


# what tokens mean

Meaning: TypeAlias = Callable[[IssBoard, Words], Iterable[Constraint]]

BREAK = "-"
"""Separates the parts of a list of cells."""


def _of_cells(kind: Callable[[Cells], Constraint]) -> Meaning:
    """A token that has only cells."""
    return lambda board, words: [kind(board.cells(words))]


def _numbered(kind: Callable[[int, Cells], Constraint]) -> Meaning:
    """A token with a number before its cells."""
    return lambda board, words: [kind(_number(words), board.cells(words[1:]))]


def _after(count: int, kind: Callable[..., Constraint]) -> Meaning:
    """A token with so many single cells before a line."""
    return lambda board, words: [kind(*board.cells(words[:count]), board.cells(words[count:]))]


def _dotted(kind: Callable[[Cells], Constraint]) -> Meaning:
    """A token for every two neighbours among its cells."""
    return lambda board, words: [kind(pair) for pair in board.neighbours(board.cells(words))]


def _number(words: Words) -> int:
    return number_of(words[0] if words else "", "the number before the cells")


def _digits(words: Iterable[str]) -> Digits:
    return tuple(number_of(word, "the digits") for word in words)


def _parts(words: Words, separates: Callable[[str], bool]) -> list[list[str]]:
    """The words between those that separate."""
    return [list(part) for is_break, part in groupby(words, separates) if not is_break]


def _is_name(word: str) -> bool:
    """Whether an empty word or a name, which starts with `_`, separates groups of cells."""
    return not word or word[0] == "_"


def _cage(board: IssBoard, words: Words) -> Iterator[Constraint]:
    total = number_of(words[0], "the sum") if words and words[0] else 0
    yield sums.Killer(total or None, board.cells(words[1:]))


def _sum(board: IssBoard, words: Words) -> Iterator[Constraint]:
    first, *factors = words[0].split("_") if words else [""]
    total, cells = number_of(first, "the sum"), board.cells(words[1:])
    if not factors:
        yield sums.Sum(total, cells)
    elif factors[0] == "=" and len(factors) == len(cells) + 1:
        yield sums.WeightedSum(total, tuple(number_of(factor, "a factor") for factor in factors[1:]), cells)
    else:
        raise LinkError(f"a sum with factors is written 0_=_1_2, a factor for each of the {len(cells)} cells")


def _pill_arrow(board: IssBoard, words: Words) -> Iterator[Constraint]:
    size, cells = _number(words), board.cells(words[1:])
    if size not in (2, 3) or len(cells) <= size:
        raise LinkError("a pill has 2 or 3 cells, and an arrow after them")
    pill = tuple(sorted(cells[:size]))
    for one, other in pairwise(pill):
        if not any(other in board.ray(one, *step)[1:2] for step in ((0, 1), (1, 0), (1, 1))):
            raise LinkError("the cells of a pill follow each other to the right, down, or down to the right")
    yield sums.Arrow(pill, cells[size:])
    tens = [digit for digit in board.board.digits if digit < 10]
    if len(tens) < board.board.order:
        yield AllowedDigits(tuple(tens), pill[1:])


def _equal_sums(board: IssBoard, words: Words) -> Iterator[Constraint]:
    yield sums.EqualSums(tuple(board.cells(part) for part in _parts(words, BREAK.__eq__)))


def _region_sums(board: IssBoard, words: Words) -> Iterator[Constraint]:
    region_of = {cell: number for number, region in enumerate(board.boxes or board.pieces) for cell in region}
    if region_of:
        visits = tuple(tuple(visit) for _, visit in groupby(board.cells(words), region_of.get))
        yield sums.EqualSums(visits)


def _sum_line(board: IssBoard, words: Words) -> Iterator[Constraint]:
    is_loop = words[-1:] == ["LOOP"]
    kind = sums.SumLoop if is_loop else sums.SumLine
    yield kind(_number(words), board.cells(words[1 : len(words) - is_loop]))


def _whisper(board: IssBoard, words: Words) -> Iterator[Constraint]:
    # the difference of German whispers may be left out
    if words and not words[0].lstrip("-").isdecimal():
        words = ["5", *words]
    yield lines.Whisper(board.cells(words[1:]), _number(words))


def _modular(board: IssBoard, words: Words) -> Iterator[Constraint]:
    modulus, cells = _number(words), board.cells(words[1:])
    if modulus != 1:
        # modulo 1 all remainders are equal
        yield lines.Modular(cells, modulus)


def _quadruple(board: IssBoard, words: Words) -> Iterator[Constraint]:
    (first,) = board.cells(words[:1])
    group = board.group_of(first)
    row, column = group.place(first)
    square = [group.at(row + down, column + right) for down in (0, 1) for right in (0, 1)]
    cells = tuple(cell for cell in square if cell is not None)
    if len(cells) < 4:
        raise LinkError(f"{words[0]} is not a top left cell of a 2x2 square")
    yield digits.Contains(_digits(words[1:]), cells)


def _contains(kind: Callable[[Digits, Cells], Constraint]) -> Meaning:
    return lambda board, words: [kind(_digits(words[0].split("_") if words else ()), board.cells(words[1:]))]


def _look_and_say(board: IssBoard, words: Words) -> Iterator[Constraint]:
    clue, cells = words[0] if words else "", board.cells(words[1:])
    said = _digits(clue)
    if not said or len(said) % 2:
        raise LinkError(f"a look-and-say clue is pairs of a count and a digit, not {clue!r}")
    counts = list(zip(said[::2], said[1::2], strict=True))
    if len({digit for _, digit in counts}) < len(counts):
        raise LinkError(f"the look-and-say clue {clue} counts a digit twice")
    present = tuple(digit for count, digit in counts for _ in range(count))
    absent = {digit for count, digit in counts if not count}
    if present:
        yield digits.ContainsExactly(present, cells)
    if absent:
        yield AllowedDigits(tuple(digit for digit in board.board.digits if digit not in absent), cells)


def _same_values(board: IssBoard, words: Words) -> Iterator[Constraint]:
    count, cells = _number(words), board.cells(words[1:])
    if count < 1 or len(cells) % count:
        raise LinkError(f"{len(cells)} cells cannot be cut into {count} sets of one size")
    size = len(cells) // count
    sets = tuple(cells[start : start + size] for start in range(0, len(cells), size))
    yield pairs.Clone(sets) if size == 1 else digits.SameDigits(sets)


def _indexing(board: IssBoard, words: Words) -> Iterator[Constraint]:
    if words[:1] not in (["R"], ["C"]):
        raise LinkError("indexing is by rows, R, or by columns, C")
    for cell in board.cells(words[1:]):
        if cell >= board.board.grid_count:
            raise LinkError("extra cells have no row or column")
        row, column = board.groups[0].place(cell)
        number, line = (row + 1, f"C{column + 1}") if words[0] == "R" else (column + 1, f"R{row + 1}")
        yield outside.Indexer(number, cell, board.line(line))


def _equality_cage(board: IssBoard, words: Words) -> Iterator[Constraint]:
    cells = board.cells(words)
    yield regions.ExtraRegion(cells)
    yield digits.EqualityCage(cells)


def _relation(kind: Callable[[Pairs, Cells], Constraint], legacy: bool = False) -> Meaning:
    def meaning(board: IssBoard, words: Words) -> Iterator[Constraint]:
        code = words[0] if words else ""
        # older texts have - for _ and _ for -
        allowed = _pairs_of(code.translate({45: 95, 95: 45}) if legacy else code, board.board)
        if kind is pairs.EveryPair and any((b, a) not in allowed for a, b in allowed):
            raise LinkError("a relation of every two cells is the same in both directions")
        for cells in _parts(words[1:], _is_name):
            yield kind(allowed, board.cells(cells))

    return meaning


def _regex(board: IssBoard, words: Words) -> Iterator[Constraint]:
    pattern = "".join(map(chr, _bytes(words[0] if words else "")))
    ends, edges = automaton_of("".join(pattern.split()), board.board.digits)
    for cells in _parts(words[1:], "".__eq__):
        yield Language(ends, edges, board.cells(cells))


def _nfa(board: IssBoard, words: Words) -> Iterator[Constraint]:
    automaton = _automaton_of(words[0] if words else "")
    for cells in _parts(words[1:], _is_name):
        yield _language(automaton, [board.cells(part) for part in _parts(cells, BREAK.__eq__)], board.board)


def _no_constraint(board: IssBoard, words: Words) -> Iterable[Constraint]:
    """The search order does not change the solutions."""
    board.cells(words[1:])
    return ()


ABOUT_CELLS: Mapping[str, Meaning] = {
    "AllDifferent": _of_cells(regions.ExtraRegion),
    "Arrow": _after(1, lambda circle, shaft: sums.Arrow((circle,), shaft)),
    "Between": _of_cells(lines.Between),
    "Binary": _relation(pairs.Successive, legacy=True),
    "BinaryX": _relation(pairs.EveryPair, legacy=True),
    "BlackDot": _dotted(lambda cells: pairs.Ratio(cells, 2)),
    "Cage": _cage,
    "ContainAtLeast": _contains(digits.Contains),
    "ContainExact": _contains(digits.ContainsExactly),
    "CountDistinct": _after(1, digits.CountDistinct),
    "CountingCircles": _of_cells(digits.CountingCircles),
    "DoubleArrow": _of_cells(sums.DoubleArrow),
    "Entropic": _of_cells(lines.Entropic),
    "EqualSum": _equal_sums,
    "EqualityCage": _equality_cage,
    "GreaterThan": _dotted(pairs.Greater),
    "Indexing": _indexing,
    "Lockout": _numbered(lambda difference, cells: lines.Lockout(cells, difference)),
    "LookAndSay": _look_and_say,
    "Lunchbox": _numbered(outside.Lunchbox),
    "Modular": _modular,
    "NFA": _nfa,
    "Pair": _relation(pairs.Successive),
    "PairX": _relation(pairs.EveryPair),
    "Palindrome": _of_cells(lines.Palindrome),
    "PillArrow": _pill_arrow,
    "Quad": _quadruple,
    "Regex": _regex,
    "RegionSumLine": _region_sums,
    "RellikCage": _numbered(sums.Rellik),
    "Renban": _of_cells(lines.Renban),
    "SameValues": _same_values,
    "SearchPriority": _no_constraint,
    "Sum": _sum,
    "SumLine": _sum_line,
    "Thermo": _of_cells(lines.Thermometer),
    "V": _dotted(lambda cells: pairs.PairSum(cells, 5)),
    "ValueIndexing": _after(2, outside.ValueIndexing),
    "Whisper": _whisper,
    "WhiteDot": _dotted(lambda cells: pairs.Difference(cells, 1)),
    "X": _dotted(lambda cells: pairs.PairSum(cells, 10)),
    "Zipper": _of_cells(sums.Zipper),
}
"""Tokens about lines and sets of cells."""

CODED = frozenset({"Binary", "BinaryX", "NFA", "Pair", "PairX", "Regex"})
"""Tokens whose first argument is a code, even if it looks like a cell."""


def _two_sided(kind: Callable[[int, Cells], Constraint], least: int = 1) -> Meaning:
    """A clue at either end of a line, or at both; an empty word is not a clue."""

    def meaning(board: IssBoard, words: Words) -> Iterator[Constraint]:
        name, before, after, *_ = (*words, "", "", "")
        cells = board.line(name)
        for word, seen in ((before, cells), (after, cells[::-1])):
            if word:
                number = number_of(word, "the clue")
                if number < least:
                    raise LinkError(f"a clue is at least {least}, not {number}")
                yield kind(number, seen)

    return meaning


def _full_rank(board: IssBoard, words: Words) -> Iterable[Constraint]:
    return _two_sided(outside.FullRankWithTies if board.ties == "any" else outside.FullRank)(board, words)


def _sandwich(board: IssBoard, words: Words) -> Iterator[Constraint]:
    number, cells = number_of(words[0] if words else "", "the clue"), board.line("".join(words[1:2]))
    # if rows lack digits, the crusts are the least and the greatest digit of the line
    yield (outside.Sandwich if len(cells) == board.board.order else outside.Lunchbox)(number, cells)


def _little_killer(board: IssBoard, words: Words) -> Iterator[Constraint]:
    """The first cell names a diagonal: from the left side down, from the right side up, from the top down to the left,
    from the bottom up to the right. A diagonal that would have two names has the first."""
    total = number_of(words[0] if words else "", "the clue")
    (first,) = board.cells(words[1:2])
    row, column = board.group_of(first).place(first)
    bottom, side = board.board.rows - 1, board.board.columns - 1
    cells: list[int] = []
    if first < board.board.grid_count:
        if column == 0 and row < bottom:
            cells = board.ray(first, 1, 1)
        elif row == 0:
            cells = board.ray(first, 1, -1)
        elif column == side and row < bottom and row - column < 0:
            cells = board.ray(first, -1, -1)
        elif row == bottom and 0 < column < side and row + column > bottom:
            cells = board.ray(first, -1, 1)
    if len(cells) < 2:
        raise LinkError(f"no little killer starts at {words[1]}")
    yield sums.LittleKiller(total, tuple(cells))


ABOUT_LINES: Mapping[str, Meaning] = {
    "FullRank": _full_rank,
    "HiddenSkyscraper": _two_sided(outside.HiddenSkyscraper, least=0),
    "LittleKiller": _little_killer,
    "NumberedRoom": _two_sided(outside.NumberedRoom, least=0),
    "Sandwich": _sandwich,
    "Skyscraper": _two_sided(outside.Skyscraper),
    "XSum": _two_sided(outside.XSum),
}
"""Clues outside of the grid."""


def _always(constraint: Constraint) -> Meaning:
    """A token without arguments."""

    def meaning(board: IssBoard, words: Words) -> Iterator[Constraint]:  # noqa: ARG001
        if any(words):
            raise LinkError("it takes no arguments")
        yield constraint

    return meaning


def _for_nine(constraint: Constraint, least: int | None = 1) -> Meaning:
    """A token for boards with nine digits only."""

    def meaning(board: IssBoard, words: Words) -> Iterator[Constraint]:  # noqa: ARG001
        if board.board.order != 9 or least not in (None, board.board.least):
            raise LinkError(f"this is for the digits 1-9, not for a board of {board.board}")
        yield constraint

    return meaning


def _diagonal(board: IssBoard, words: Words) -> Iterator[Constraint]:  # noqa: ARG001
    if words[:1] not in (["1"], ["-1"]):
        raise LinkError("a diagonal is 1, from bottom left, or -1, from top left")
    yield regions.DiagonalUp() if words[0] == "1" else regions.DiagonalDown()


def _with_box(kind: Callable[[int, int], Constraint]) -> Meaning:
    def meaning(board: IssBoard, words: Words) -> Iterator[Constraint]:  # noqa: ARG001
        if board.board.rows != board.board.columns:
            raise LinkError(f"this is for square boards, not for {board.board}")
        if board.box:
            yield kind(*board.box)

    return meaning


def _taxicab(board: IssBoard, words: Words) -> Iterator[Constraint]:  # noqa: ARG001
    if board.board.least != 1:
        raise LinkError(f"this is for digits from 1, not for a board of {board.board}")
    yield pairs.AntiTaxicab()


def _region_same_values(board: IssBoard, words: Words) -> Iterator[Constraint]:  # noqa: ARG001
    """The largest of all rows, columns and regions have the same digits."""
    every = [*board.pieces, *(board.line(f"R{row + 1}") for row in range(board.board.rows))]
    every += [*(board.line(f"C{column + 1}") for column in range(board.board.columns)), *board.boxes]
    size = max(map(len, every))
    largest = tuple(region for region in every if len(region) == size)
    if size != board.board.order and len(largest) > 1:
        yield digits.SameDigits(largest)


ABOUT_ALL: Mapping[str, Meaning] = {
    "AntiConsecutive": _always(pairs.NonConsecutive(())),
    "AntiKing": _always(regions.AntiKing()),
    "AntiKnight": _always(regions.AntiKnight()),
    "AntiTaxicab": _taxicab,
    "Diagonal": _diagonal,
    "DisjointSets": _with_box(regions.DisjointGroups),
    "DutchFlatmates": _for_nine(digits.Flatmates()),
    "FullRankTies": lambda board, _: [outside.NoTies()] if board.ties == "none" else [],
    "GlobalEntropy": _for_nine(digits.GlobalEntropy()),
    "GlobalMod": _for_nine(digits.GlobalMod(), least=None),
    "RegionSameValues": _region_same_values,
    "Windoku": _with_box(regions.Windoku),
}
"""Tokens about the whole puzzle."""

NOT_RAW = frozenset({*ABOUT_LINES, *ABOUT_ALL, "Indexing"}) - {
    "AntiConsecutive",
    "AntiTaxicab",
    "DutchFlatmates",
    "GlobalEntropy",
    "GlobalMod",
}
"""Tokens that need rows and columns."""


# regions that are not given, connected digits and doppelgängers need extra cells


def _chaos_construction(board: IssBoard, words: Words) -> Iterator[Constraint]:  # noqa: ARG001
    groups = (tuple(board.group(prefix).cells) for prefix in ("", LABELS, STEPS, JOINS, MARKS))
    yield UnknownRegions(board.region_size, *groups)


def _label(board: IssBoard, name: str) -> int:
    """The extra cell with the region of a cell of the grid. The name is its own or that of the cell."""
    cell, labels = board.cell(name), board.group(LABELS).cells
    if cell in board.groups[0].cells:
        return labels[cell]
    if cell not in labels:
        raise LinkError(f"{name} is in no region")
    return cell


def _control(board: IssBoard, words: Words) -> tuple[int, int]:
    """The number that is added to the digit of the first cell, and that cell."""
    (cell,) = board.cells(words[:1])
    more = number_of(words[1], "the offset") if len(words) > 1 and words[1] else 0
    if more not in (0, 1):
        raise LinkError(f"an offset is 0 or 1, not {more}")
    return more, cell


def _run(more: int, cell: int, arms: Sequence[Cells]) -> Constraint:
    return Run(more, cell, tuple(arms)) if arms else AllowedDigits((1 - more,), (cell,))


def _chaos_arrow(board: IssBoard, words: Words) -> Iterator[Constraint]:
    more, cell = _control(board, words)
    arms = [[_label(board, name) for name in part] for part in _parts(words[2:], BREAK.__eq__)]
    if not arms:
        arms = [[_label(board, board.name(member)) for member in board.ray(cell, *step)] for step in _ASIDE]
    if len({arm[0] for arm in arms}) > 1:
        raise LinkError("all arms start with the same cell")
    yield _run(more, cell, [tuple(board.alike(*pair) for pair in pairwise(arm)) for arm in arms if len(arm) > 1])


def _chaos_count(board: IssBoard, words: Words) -> Iterator[Constraint]:
    more, cell = _control(board, words)
    names = words[2:]
    if not names:
        rays = (board.ray(cell, down, right) for down in (-1, 0, 1) for right in (-1, 0, 1))
        names = [board.name(member) for member in (cell, *(ray[1] for ray in rays if len(ray) > 1))]
    first, *others = (_label(board, name) for name in names)
    # the first cell counts as often as it is named
    yield _run(more - others.count(first), cell, [(board.alike(first, other),) for other in others if other != first])


def _doppelgangers(board: IssBoard, words: Words) -> Iterator[Constraint]:  # noqa: ARG001
    """Each row, column and box has all digits together with an extra cell for its missing digit. That digit is not 0,
    and differs between any two rows, columns or boxes, and between the three that meet in a 0."""
    inside = board.board
    size = inside.rows
    if inside.columns != size or (inside.least, inside.order) != (0, size + 1):
        raise LinkError(f"doppelgängers are for boards of n×n with the digits 0-n, not for {inside}")
    every_row, every_column = ([board.line(f"{kind}{number}") for number in range(1, size + 1)] for kind in "RC")
    no_zero = tuple(inside.digits)[1:]
    lacking: dict[int, Cells] = dict.fromkeys(range(size * size), ())
    for prefix, groups in (("DGC", every_row), ("DGR", every_column), ("DGB", board.boxes)):
        if groups:
            extra = tuple(board.group(prefix).cells)
            yield regions.ExtraRegion(extra)
            yield AllowedDigits(no_zero, extra)
            for group, cell in zip(groups, extra, strict=True):
                yield regions.ExtraRegion((*group, cell))
                for member in group:
                    lacking[member] = (*lacking[member], cell)
    for member, cells in lacking.items():
        yield Either(((AllowedDigits(no_zero, (member,)),), (regions.ExtraRegion(cells),)))


def _connected(board: IssBoard, words: Words) -> Iterator[Constraint]:
    prefix, values, size = (*words, "", "", "")[:3]
    if prefix or "_" in values or not size:
        raise LinkError("connected values are supported for one digit in the grid, with their number")
    digit, count = number_of(values, "the digit"), number_of(size, "the number of cells")
    if not 1 <= count <= board.board.order or digit not in board.board.digits:
        raise LinkError(f"connected values are supported for 1 to {board.board.order} cells with a digit")
    grid, steps, joins = (tuple(board.group(prefix).cells) for prefix in ("", STEPS, JOINS))
    yield digits.ContainsExactly((digit,) * count, grid)
    if digit == board.connected[0]:
        yield Connected(board.connected, grid, steps, joins)


OF_EXTRA_CELLS: Mapping[str, Meaning] = {
    "ChaosArrow": _chaos_arrow,
    "ChaosConstruction": _chaos_construction,
    "ChaosCount": _chaos_count,
    "ConnectedValues": _connected,
    "Doppelganger": _doppelgangers,
}

ONLY_LABELS = frozenset({"AllDifferent", "SameValues"})
OF_LABELS = frozenset({"ChaosArrow", "ChaosCount", "CountDistinct"}) | ONLY_LABELS
"""Tokens that may name labels, some of them only labels. Others would depend on the numbering of regions."""


# all tokens

GROUPS = ("Or", "And", "Replicate")
UNMARKED: Mapping[str, tuple[tuple[type[pairs.Pair], ...], Callable[[tuple[Cells, ...]], list[Constraint]]]] = {
    "StrictKropki": (
        (pairs.Difference, pairs.Ratio),
        lambda exempt: [pairs.NoDifference(exempt, (1,)), pairs.NoRatio(exempt, (2,))],
    ),
    "StrictXV": ((pairs.PairSum,), lambda exempt: [pairs.NoPairSum(exempt, (5, 10))]),
}
"""Tokens that exclude what marks show where there is no mark: the marks, and the rules for all other neighbours."""

MEANINGS: Mapping[str, Meaning] = {**ABOUT_CELLS, **ABOUT_LINES, **ABOUT_ALL, **OF_EXTRA_CELLS}
NAMES = frozenset({*MEANINGS, *UNMARKED, *ABOUT_THE_BOARD, *GROUPS})
IN_GROUPS = frozenset({"", *ABOUT_CELLS, *ABOUT_LINES})
"""Tokens that may be in a group. Others are for the whole puzzle."""

STATES: frozenset[type[Constraint]] = frozenset(CONSTRAINTS.values()) - {
    *(digits.Odd, digits.Even, lines.Nabner, lines.ParityLine, lines.SlowThermometer),
    *(pairs.Maximum, pairs.Minimum, regions.Diagonals, sums.Product),
}
"""The constraints that a text can state."""


class _Builder:
    def __init__(self, board: IssBoard) -> None:
        self._board = board
        self._constraints: list[Constraint] = []
        self._given: dict[int, list[set[int]]] = {}
        self._unmarked: list[Token] = []
        self._count = 0

    def puzzle(self) -> Puzzle:
        """The constraints so far, with the default rules."""
        board = self._board.whole
        found = [*self._board.base, *self._constraints, *self._board.added]
        for token in self._unmarked:
            kinds, rules = UNMARKED[token.name]
            if any(isinstance(constraint, kinds) for constraint in _inside(self._constraints)):
                raise LinkError(f"{token}: this is not defined where marks stand in an Or")
            marks = [constraint.cells for constraint in self._constraints if isinstance(constraint, kinds)]
            found += rules(tuple(dict.fromkeys(marks)))
        clues = [board.blank] * board.cell_count
        cells_of: dict[tuple[int, ...], list[int]] = {}
        for cell, given in self._given.items():
            left = set.intersection(*given)
            if len(left) == 1:
                clues[cell] = min(left)
                continue
            # if none is left, contradictory candidates state that
            for allowed in [left] if left else given:
                cells_of.setdefault(tuple(sorted(allowed)), []).append(cell)
        found += (AllowedDigits(allowed, tuple(cells)) for allowed, cells in cells_of.items())
        return Puzzle(Ruleset(board, tuple(dict.fromkeys(found))), Grid(tuple(clues), board))

    def add_puzzle(self, puzzle: Puzzle) -> None:
        """The clues of a part, and its rules except those of the board."""
        for cell, clue in enumerate(puzzle.clues.digits):
            if clue != puzzle.board.blank:
                self._given.setdefault(cell, []).append({clue})
        rules = puzzle.ruleset.constraints
        self._constraints += (rule for rule in rules if not isinstance(rule, Lines | Boxes | regions.Regions))

    def add(self, nodes: Sequence[Node]) -> None:
        """Tokens and groups at the top level."""
        for node in nodes:
            if isinstance(node, Token) and not node.name:
                with _naming(node):
                    for cell, allowed in self._givens(node):
                        self._given.setdefault(cell, []).append(allowed)
            elif isinstance(node, Token) and node.name in UNMARKED:
                self._unmarked.append(node)
            else:
                self._constraints += self._meaning(node)

    def _givens(self, token: Token) -> Iterator[tuple[int, set[int]]]:
        for word in token.arguments:
            name, *rest = word.split("_")
            allowed = {number_of(digit, word) for digit in rest}
            if not allowed or not allowed <= set(self._board.board.digits):
                raise LinkError(f"{word}: digits of {self._board.board} are expected")
            if self._board.group_of(self._board.cell(name)).prefix == LABELS:
                raise LinkError(f"{word}: regions are not numbered in any order that a clue may go by")
            yield self._board.cell(name), allowed

    def _meaning(self, node: Node) -> list[Constraint]:
        """The constraints of a token or a group."""
        token = node.token if isinstance(node, Group) else node
        self._count += 1
        if self._count > MOST_TOKENS:
            raise LinkError(f"{token}: there are more than {MOST_TOKENS} tokens, with those that groups repeat")
        with _naming(token):
            return self._of_token(node) if isinstance(node, Token) else self._of_group(node)

    def _of_group(self, group: Group) -> list[Constraint]:
        for node in group.nodes:
            if isinstance(node, Token) and node.name not in IN_GROUPS:
                raise LinkError(f"{node}: this cannot stand in a group")
        if group.token.name == "Or":
            return [Either(tuple(tuple(self._meaning(node)) for node in group.nodes))]
        nodes: Iterable[Node] = group.nodes
        if group.token.name == "Replicate":
            targets, name, *_ = (*group.token.arguments, "", "R1C1")
            origin = self._board.cell(name or "R1C1")
            copies = [origin + number for number in _numbers_of(targets)]
            if copies and copies[-1] not in self._board.group_of(origin).cells:
                raise LinkError("the last copy would be off the board")
            nodes = (self._shifted(node, origin, target) for target in copies for node in group.nodes)
        return [constraint for node in nodes for constraint in self._meaning(node)]

    def _shifted(self, node: Node, origin: int, target: int) -> Node:
        """The same constraint with all cells moved from the origin to the target."""
        if isinstance(node, Group):
            return Group(node.token, tuple(self._shifted(inner, origin, target) for inner in node.nodes))
        words = list(node.arguments)
        with _naming(node):
            for place in range(1 if node.name in CODED else 0, len(words)):
                name, mark, rest = words[place].partition("_")
                cell = self._board.find(name)
                if cell is not None:
                    words[place] = self._board.name(self._board.shifted(cell, origin, target)) + mark + rest
        return Token(node.number, node.name, tuple(words))

    def _of_token(self, token: Token) -> list[Constraint]:
        name = token.name
        if name in ABOUT_THE_BOARD and name not in ABOUT_ALL:
            return []
        if not name:
            return [AllowedDigits(tuple(sorted(allowed)), (cell,)) for cell, allowed in self._givens(token)]
        if self._board.raw and name in NOT_RAW:
            raise LinkError("this makes no sense on a raw board")
        if name not in MEANINGS:
            raise LinkError("this token is unknown or not supported")
        named = [cell for cell in map(self._board.find, token.arguments) if cell is not None]
        labels = {self._board.group_of(cell).prefix == LABELS for cell in named}
        if True in labels and (name not in OF_LABELS or (False in labels and name in ONLY_LABELS)):
            raise LinkError("regions are not numbered in any order that a token may go by")
        found = list(MEANINGS[name](self._board, list(token.arguments)))
        for constraint in found:
            refuse_constraint(constraint, self._board.board)
        return found


def _inside(constraints: Iterable[Constraint]) -> Iterator[Constraint]:
    """Constraints inside the cases of others."""
    for constraint in constraints:
        if isinstance(constraint, Either):
            for case in constraint.cases:
                yield from case
                yield from _inside(case)
