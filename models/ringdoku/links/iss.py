"""Puzzles as text and links of sigh's Interactive Sudoku Solver, such as `.Cage~10~R1C1~R1C2.~R3C3_5`.

`.` stands before each token, `~` between its name and its arguments. Tokens between `.Or`, `.And` or `.Replicate` and
`.End` are a group; `#` begins a comment.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from itertools import accumulate, chain, groupby, pairwise, product
from string import ascii_lowercase, ascii_uppercase
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

from ringdoku.constraints import digits, lines, outside, pairs, regions, sums
from ringdoku.constraints.logic import Either, Language, language_of, with_nested
from ringdoku.constraints.unknown import Connected, OneRegion, UnknownRegions
from ringdoku.domain import Board, Grid, Puzzle, Ruleset, UsageError, box_shapes, primitives, refuse, shortened
from ringdoku.domain.constraint import Boxes, Cells, Constraint, Digits, Lines, codecs_of, fitted
from ringdoku.domain.errors import ImpossibleError
from ringdoku.links.automata import automaton_of, ignores_names, language_of_segments, unpack
from ringdoku.links.compression import from_base64
from ringdoku.links.shared import cells_by, cut_by_group, kinds_named
from ringdoku.links.values import as_integer

MOST_TOKENS = 20_000
"""The most tokens of a text; a token in a group counts as often as the group repeats it."""


def is_iss(text: str) -> bool:
    """Whether a text starts with a token, unlike a line of letters and dots."""
    found = re.match(r"\.+\s*(?:([A-Za-z]+)\s*([.~]?)|~\s*[A-Za-z0-9]+_)", text)
    return bool(found and (found[1] is None or found[2] == "~" or (len(found[1]) > 1 and found[1] in NAMES)))


@dataclass(frozen=True)
class Token:
    """A name with arguments; `inside` are the tokens of a group, up to `.End`; `number` counts all from 1."""

    number: int
    name: str
    arguments: tuple[str, ...]
    inside: "tuple[Token, ...]" = ()

    def __str__(self) -> str:
        return f"token {self.number}, {shortened('~'.join((f'.{self.name}', *self.arguments)), 40)}"


def _tokens_of(text: str) -> list[Token]:
    """The tokens of a text without white space, nested in their groups."""
    start, *words = text.split(".")
    refuse(start, f"an ISS text starts with '.', not with {start[:40]!r}; clues are written .~R1C1_5~R1C2_3")
    opened: list[tuple[Token, list[Token]]] = [(Token(0, "", ()), [])]
    for number, word in enumerate(words, 1):
        name, *arguments = word.split("~")
        token = Token(number, name, tuple(arguments))
        if name == "End":
            refuse(len(opened) == 1, f"{token}: there is no group to end")
            opener, inside = opened.pop()
            opened[-1][1].append(replace(opener, inside=tuple(inside)))
        elif name in GROUPS:
            refuse(len(opened) > 50, f"{token}: more than 50 groups are nested")
            opened.append((token, []))
        else:
            opened[-1][1].append(token)
    opener, found = opened.pop()
    refuse(opened, f"{opener}: the group has no .End")
    return found


@contextmanager
def _errors_naming(token: Token) -> Iterator[None]:
    """Errors inside this context name the token."""
    try:
        yield
    except UsageError as error:
        raise error if str(error).startswith("token ") else type(error)(f"{token}: {error}") from None


LABELS, STEPS, JOINS = "CC", "steps", "join"
"""Groups of extra cells for regions that are not given. Texts may name only the first group."""

_SIDES = "123456789abcdefg"
_SHAPE = re.compile(r"([0-9]{1,2})x([0-9]{1,2})(?:~(?:(?:([01])-)?([0-9]{1,2}))?)?(?:~(Raw|Sudoku))?")
_ORTHOGONAL = ((0, -1), (0, 1), (-1, 0), (1, 0))


class IssBoard:
    """The board that tokens outside groups describe: its shape, regions, extra cells and the names of all cells.

    - `base`: the default rules and the regions of a jigsaw, whose cells are `pieces`;
    - `box`: height and width of the boxes, None if none of the size fit; `boxes`: their cells, if they are regions;
    - `lines`: rows from the left, such as R1, and columns from the top, such as C1;
    - `main`: the prefix of the cells of the grid, empty unless the text has a grid of one cell and extra cells: then
      the puzzle is in these, and that one cell is beside it;
    - `groups`: the cells by the prefix of their names, empty for R1C1 and others like it;
    - `places`: prefix, row and column of each cell; `at`: the cell at each place; `names`: the name of each cell;
    - `equality_cells`: for two labels the extra cell that says whether they are equal; `added`: the rules of new ones;
    - `moves`: while copies are read, the origin of each and the rows and columns by which it is moved;
    - `connected`: digits of `_few_connected`; `flags`: of regions, by prefix and values; `count`: of tokens read.
    """

    def __init__(self, tokens: Sequence[Token]) -> None:
        once = {token.name: token for token in tokens}
        shape, self.raw = _shape(once.get("Shape", Token(0, "", ())))
        few = (_few_connected(token.arguments, shape) for token in tokens if token.name == "ConnectedValues")
        self.connected = tuple(dict.fromkeys(digit for digit, _ in filter(None, few)))
        shape, self.main = (shape, "") if self.connected else _main_group(tokens, shape)
        self.raw |= bool(self.main)
        rows, columns = shape.rows, shape.columns
        size = once.get("RegionSize", Token(0, "", (str(max(rows, columns)),)))
        self.region_size = as_integer("".join(size.arguments), str(size))
        refuse(not 1 <= self.region_size <= shape.grid_count, f"{size}: no region has {self.region_size} cells")
        self._lay_out(tokens, shape)
        self.box = None if self.raw else box_of(rows, columns, self.region_size)
        boxes = [Boxes(*self.box)] if self.box and "NoBoxes" not in once else []
        self.boxes = [house.cells for kind in boxes for house in kind.houses(shape)]
        # houses are named "row 1" and "column 1"
        self.lines = {house.name[0].upper() + house.name.split()[1]: house.cells for house in Lines().houses(shape)}
        self.pieces = _pieces(once.get("Jigsaw"), shape, self.region_size)
        jigsaw = [regions.Regions(self.pieces)] if self.pieces else []
        self.base: list[Constraint] = [*([] if self.raw else [Lines()]), *boxes, *jigsaw]
        ties = once.get("FullRankTies", Token(0, "", ("only-unclued",)))
        self.ties = "~".join(ties.arguments)
        refuse(self.ties not in ("none", "only-unclued", "any"), f"{ties}: ties are none, only-unclued or any")
        self.flags: dict[str, dict[Digits, Cells]] = {}
        self.added: list[Constraint] = []
        self.moves: list[tuple[int, int, int]] = []
        self.equality_cells: dict[tuple[int, int], int] = {}
        self.count = 0
        if LABELS in self.groups:
            labels, joins = self.groups[LABELS], self.groups[JOINS]
            neighbours = ((labels[one], labels[other]) for one, other in shape.neighbours())
            self.equality_cells = dict(zip(neighbours, joins, strict=True))

    def _lay_out(self, tokens: Sequence[Token], board: Board) -> None:
        """Name and place the cells of the grid, and the extra cells that tokens need."""
        self.groups: dict[str, Cells] = {}
        self.places: list[tuple[str, int, int]] = []
        self.names: list[str] = []
        extra = [group for group in _extra_cells(tokens, board, self.connected) if group[0] != self.main]
        extra += [("", 1, 1)] if self.main else []
        for prefix, count, across in ((self.main, board.grid_count, board.columns), *extra):
            refuse(prefix in self.groups, f"the extra cells {prefix} are there twice")
            start = len(self.places)
            refuse(start + count > 1000, "there are more than 1000 cells, with the extra ones")
            self.groups[prefix] = tuple(range(start, start + count))
            self.places += [(prefix, *divmod(index, across)) for index in range(count)]
            if prefix:
                self.names += [f"{prefix}{number}" for number in range(1, count + 1)] if count > 1 else [prefix]
            else:
                sides = product(_SIDES[: count // across], _SIDES[:across])
                self.names += [f"R{row}C{column}" for row, column in sides]
        beside = (name.replace("R1C1", "grid") for name in self.names[board.grid_count :])
        self.board = replace(board, extra=tuple(beside))
        self.at = {place: cell for cell, place in enumerate(self.places)}
        # names of grid cells are read in small letters too; extra cells whose names are in small letters are internal
        known = ((cell, name) for cell, name in enumerate(self.names) if name[0].isupper())
        self._named = {name if self.places[cell][0] else name.lower(): cell for cell, name in known}

    def equality_cell(self, one: int, other: int) -> int:
        """The extra cell that says whether two labels are equal. It is added if there is none."""
        pair = min(one, other), max(one, other)
        if pair not in self.equality_cells:
            (cell,) = self.add_cells([f"alike{len(self.added) + 1}"])
            self.equality_cells[pair], (no, yes) = cell, self.board.digits[:2]
            alike, unlike = pairs.Clone((pair[:1], pair[1:])), regions.ExtraRegion(pair)
            cases = ((digits.AllowedDigits((said,), (cell,)), rule) for said, rule in ((yes, alike), (no, unlike)))
            self.added.append(Either(tuple(cases)))
        return self.equality_cells[pair]

    def add_cells(self, names: Iterable[str]) -> Cells:
        """New extra cells with these names."""
        start = self.board.cell_count
        self.board = replace(self.board, extra=(*self.board.extra, *names))
        return tuple(range(start, self.board.cell_count))

    def cell(self, name: str) -> int:
        """The cell with that name, moved by `moves`. Raises `UsageError` for an unknown name."""
        cell = self._named.get(name, self._named.get(name.lower()))
        if cell is None:
            raise UsageError(f"{name!r} is not a cell of a board of {self.board}")
        for origin, down, right in self.moves:
            prefix, row, column = self.places[cell]
            known, apart = self.names[cell], prefix != self.places[origin][0]
            refuse(apart, f"{known} is not in one group of cells with {self.names[origin]}")
            cell = self.at.get((prefix, row + down, column + right))
            if cell is None:
                raise UsageError(f"{known} would be shifted off the board")
        return cell

    def group(self, prefix: str) -> Cells:
        """The cells whose names have the prefix. Raises `UsageError` for an unknown prefix."""
        by = ", which ChaosConstruction adds" if prefix == LABELS else ""
        refuse(prefix not in self.groups, f"there are no cells {prefix!r}{by}")
        return self.groups[prefix]

    def ray(self, cell: int, down: int, right: int) -> list[int]:
        """The cell and those after it in a direction, up to the border; only itself if there is no direction."""
        prefix, row, column = self.places[cell]
        found: list[int] = []
        while (following := self.at.get((prefix, row, column))) is not None and following not in found:
            found.append(following)
            row, column = row + down, column + right
        return found

    def line(self, name: str) -> Cells:
        """The cells of a row or column. Raises `UsageError` for an unknown name."""
        refuse(name not in self.lines, f"{name!r} is not a row or column of a board of {self.board}")
        return self.lines[name]


def box_of(rows: int, columns: int, size: int) -> tuple[int, int] | None:
    """Height and width of the squarest boxes of this many cells that fill the board, flat ones before tall ones."""
    shapes = (shape for shape in box_shapes(size) if min(shape) > 1)
    return next(((height, width) for height, width in shapes if rows % height == 0 and columns % width == 0), None)


def _shape(token: Token) -> tuple[Board, bool]:
    """The board without extra cells, and whether it is raw, without default rules."""
    found = _SHAPE.fullmatch("~".join(token.arguments) or "9x9")
    if found is None:
        raise UsageError(f"{token}: a shape is written 9x9, 9x9~0-8, or 9x9~9~Raw")
    rows, columns, least, greatest, kind = found.groups()
    board = Board(int(rows), int(columns), int(least or 1), int(greatest) if greatest else None)
    too_large = max(board.rows, board.columns, board.order) > len(_SIDES)
    refuse(too_large, f"{token}: sides and numbers of digits are at most {len(_SIDES)}")
    too_few = kind != "Raw" and board.order < max(board.rows, board.columns)
    refuse(too_few, f"{token}: {board.order} digits are too few for {board.rows} rows and {board.columns} columns")
    return board, kind == "Raw"


def _variable_cells(token: Token, board: Board) -> tuple[str, int, int]:
    prefix, _, size = (*token.arguments, "", "", "")[:3]
    refuse(not re.fullmatch("[A-Z]{1,20}", prefix), f"{token}: the names of extra cells are capital letters")
    found = re.fullmatch(r"(?:([0-9]{1,3})x)?([0-9]{1,3})", size or "1")
    if found is None or 0 in (rows := int(found[1] or 1), columns := int(found[2])):
        raise UsageError(f"{token}: the size of a group of extra cells is a number, or as 9x9")
    return "V" + prefix, rows * columns, columns if found[1] else board.columns


def _main_group(tokens: Sequence[Token], board: Board) -> tuple[Board, str]:
    """The largest group of extra cells as board, and its prefix, if the grid has one cell; else the board itself."""
    groups = [_variable_cells(token, board) for token in tokens if token.name == "Var"]
    if board.grid_count > 1 or not groups or "ChaosConstruction" in (token.name for token in tokens):
        return board, ""
    prefix, count, across = max(groups, key=lambda group: group[1])
    return replace(board, rows=count // across, columns=across), prefix


def _extra_cells(tokens: Sequence[Token], board: Board, connected: Digits) -> Iterator[tuple[str, int, int]]:
    """The prefix of the names of each group, the number of its cells, and the cells in a row."""
    yield from (_variable_cells(token, board) for token in tokens if token.name == "Var")
    names = {token.name for token in tokens}
    columns, count = board.columns, board.grid_count
    if "Doppelganger" in names:
        yield "DGR", columns, columns
        yield "DGC", board.rows, columns
        if box := box_of(board.rows, columns, max(board.rows, columns)):
            yield "DGB", box[0] * box[1], box[1]
    is_chaos = "ChaosConstruction" in names
    refuse(connected and is_chaos, "chaos construction with connected values is not supported")
    if connected or is_chaos:
        yield STEPS, count, columns
        yield JOINS, len(list(board.neighbours())), columns
    if is_chaos:
        yield LABELS, count, columns


def _few_connected(arguments: Sequence[str], board: Board) -> tuple[int, int] | None:
    """The digit and the number of connected cells in the grid, if a digit can say how far each is from the first."""
    found = re.fullmatch("~([0-9]{1,2})~([0-9]{1,2})", "~".join(arguments))
    return (int(found[1]), int(found[2])) if found and 1 <= int(found[2]) <= board.order else None


def _pieces(token: Token | None, board: Board, size: int) -> tuple[Cells, ...]:
    """The pieces of a jigsaw, given by a letter for each cell. One letter with another number of cells is no piece."""
    letters = token.arguments[-1] if token and token.arguments else ""
    wrong = token and len(letters) != board.grid_count
    refuse(wrong, f"{token}: a jigsaw has {board.grid_count} letters, not {len(letters)}")
    found = [*cells_by(letters).values()]
    others = [cells for cells in found if len(cells) != size]
    if len(others) > 1:
        raise UsageError(f"{token}: regions have {len(others[0])} and {len(others[1])} cells, not {size}")
    return tuple(cells for cells in found if len(cells) == size) if len(found) > 1 else ()


@dataclass
class Arguments:
    """The arguments of a token that are left; methods take the first, or raise `UsageError`. `named`: taken cells."""

    iss: IssBoard
    words: list[str]
    named: list[int] = field(default_factory=list)

    def word(self) -> str:
        """The next argument, empty if there is none."""
        return self.words.pop(0) if self.words else ""

    def number(self, what: str = "the number before the cells") -> int:
        """The next argument as a number."""
        return as_integer(self.word(), what)

    def digits(self, words: Iterable[str] | None = None) -> Digits:
        """The next argument, numbers with `_` between them, or these words."""
        if words is None:
            words = self.word().split("_") if self.words else ()
        return tuple(as_integer(word, "the digits") for word in words)

    def cell(self) -> int:
        """The next argument as a cell."""
        self.named.append(self.iss.cell(self.word()))
        return self.named[-1]

    def cells(self) -> Cells:
        """The remaining arguments as cells, at least one."""
        refuse(not self.words, "there are no cells")
        return tuple(self.cell() for _ in self.words.copy())

    def groups(self, separator: str) -> "Iterator[Arguments]":
        """The remaining arguments, cut at those that match the separator: `-`, empty words, or names such as `_x`."""
        parts = groupby(self.words, re.compile(separator).fullmatch)
        return (Arguments(self.iss, list(part), self.named) for is_break, part in parts if not is_break)

    def lists(self) -> list[Cells]:
        """The remaining arguments as lists of cells, separated by `-`."""
        return [part.cells() for part in self.groups("-")]

    def neighbours(self) -> list[tuple[int, int]]:
        """The pairs of remaining cells that share an edge, the earlier cell first; at least one pair."""
        cells = self.cells()
        found = [
            (one, other)
            for place, one in enumerate(cells)
            for step in _ORTHOGONAL
            for other in self.iss.ray(one, *step)[1:2]
            if other in cells[place + 1 :] and one not in cells[:place]
        ]
        refuse(not found, "no two of the cells are neighbours")
        return found


def _sum(a: Arguments) -> Iterator[Constraint]:
    first, *factors = a.word().split("_")
    total, cells = as_integer(first, "the sum"), a.cells()
    if not factors:
        yield sums.Sum(total, cells)
    elif factors[0] == "=" and len(factors) == len(cells) + 1:
        yield sums.WeightedSum(total, tuple(as_integer(factor, "a factor") for factor in factors[1:]), cells)
    else:
        raise UsageError(f"a sum with factors is written 0_=_1_2, a factor for each of the {len(cells)} cells")


def _pill_arrow(a: Arguments) -> Iterator[Constraint]:
    size, cells = a.number(), a.cells()
    refuse(size not in (2, 3) or len(cells) <= size, "a pill has 2 or 3 cells, and an arrow after them")
    pill = tuple(sorted(cells[:size]))
    for one, other in pairwise(pill):
        follows = any(other in a.iss.ray(one, *step)[1:2] for step in ((0, 1), (1, 0), (1, 1)))
        refuse(not follows, "the cells of a pill follow each other to the right, down, or down to the right")
    yield sums.Arrow(pill, cells[size:])
    if a.iss.board.digits[-1] > 9:
        yield digits.AllowedDigits(tuple(digit for digit in a.iss.board.digits if digit < 10), pill[1:])


def _sum_line(a: Arguments) -> Iterator[Constraint]:
    total, kind = a.number(), sums.SumLine
    if a.words[-1:] == ["LOOP"]:
        a.words.pop()
        kind = sums.SumLoop
    yield kind(total, a.cells())


def _whisper(a: Arguments) -> Iterator[Constraint]:
    # the difference of German whispers may be left out
    difference = a.number() if a.words and a.words[0].lstrip("-").isdecimal() else 5
    yield lines.Whisper(a.cells(), difference)


def _quadruple(a: Arguments) -> Iterator[Constraint]:
    first = a.cell()
    prefix, row, column = a.iss.places[first]
    square = [(prefix, row + down, column + right) for down in (0, 1) for right in (0, 1)]
    cells = tuple(a.iss.at[place] for place in square if place in a.iss.at)
    refuse(len(cells) < 4, f"{a.iss.names[first]} is not a top left cell of a 2x2 square")
    yield digits.Contains(a.digits(a.words), cells)


def _look_and_say(a: Arguments) -> Iterator[Constraint]:
    clue, cells = a.word(), a.cells()
    numbers = a.digits(clue)
    refuse(not numbers or len(numbers) % 2, f"a look-and-say clue is pairs of a count and a digit, not {clue!r}")
    counts = list(zip(numbers[::2], numbers[1::2], strict=True))
    refuse(len({*numbers[1::2]}) < len(counts), f"the look-and-say clue {clue} counts a digit twice")
    present = tuple(digit for count, digit in counts for _ in range(count))
    absent = {digit for count, digit in counts if not count}
    if present:
        yield digits.ContainsExactly(present, cells)
    if absent:
        yield digits.AllowedDigits(tuple(digit for digit in a.iss.board.digits if digit not in absent), cells)


def _same_values(a: Arguments) -> Iterator[Constraint]:
    count, cells = a.number(), a.cells()
    refuse(count < 1 or len(cells) % count, f"{len(cells)} cells cannot be cut into {count} sets of one size")
    size = len(cells) // count
    sets = tuple(cells[start : start + size] for start in range(0, len(cells), size))
    # a single set says nothing
    if count > 1:
        yield pairs.Clone(sets) if size == 1 else digits.SameDigits(sets)


def _indexing(a: Arguments) -> Iterator[Constraint]:
    by = a.word()
    refuse(by not in ("R", "C", "column"), "indexing is by rows, R, or by columns, C")
    for cell in a.cells():
        refuse(cell >= a.iss.board.grid_count, "extra cells have no row or column")
        _, row, column = a.iss.places[cell]
        line = a.iss.line(f"C{column + 1}" if by == "R" else f"R{row + 1}")
        yield outside.Indexer(line.index(cell) + 1, cell, line)


def _relation(
    a: Arguments, kind: type[pairs.Successive | pairs.EveryPair], older: bool = False
) -> Iterator[Constraint]:
    """The code has the pairs (first digit, second digit): number first·n + second, from 0; older texts swap - and _."""
    board, code = a.iss.board, a.word()
    code = code.translate({45: 95, 95: 45}) if older else code
    found = [divmod(number, board.order) for number in _decoded_set(code)]
    is_beyond = any(first >= board.order for first, _ in found)
    refuse(is_beyond, f"the relation has a pair of digits beyond {board.order}·{board.order}")
    allowed = frozenset((board.least + first, board.least + second) for first, second in found)
    is_oblique = kind is pairs.EveryPair and any((b, a) not in allowed for a, b in allowed)
    refuse(is_oblique, "a relation of every two cells is the same in both directions")
    for group in a.groups("(_.*)?"):
        yield kind(allowed, group.cells())


ALPHABET = f"{ascii_uppercase}{ascii_lowercase}0123456789-_"


def _decoded_set(code: str) -> Iterator[int]:
    """The numbers of a set, ascending. Each character has 6 of them, the smallest in its lowest bit."""
    for place, character in enumerate(code):
        bits = ALPHABET.find(character)
        refuse(bits < 0, f"{character!r} is not a character of a code of letters, digits, - and _")
        yield from (6 * place + bit for bit in range(6) if bits >> bit & 1)


def _regex(a: Arguments) -> Iterator[Constraint]:
    ends, edges = automaton_of("".join("".join(map(chr, from_base64(a.word()))).split()), a.iss.board.digits)
    for group in a.groups(""):
        yield Language(ends, edges, group.cells())


def _nfa(a: Arguments) -> Iterator[Constraint]:
    ends, edges = unpack(a.word())
    for group in a.groups("(_.*)?"):
        # empty segments count
        counts = accumulate(word != "-" for word in group.words)
        breaks = [count for count, word in zip(counts, group.words, strict=True) if word == "-"]
        group.words = [word for word in group.words if word != "-"]
        rule = language_of_segments(ends, edges, group.cells(), breaks, a.iss.board)
        labels = {*a.iss.groups.get(LABELS, ())} & {*rule.cells}
        refuse(labels and not ignores_names(rule, labels, a.iss.board), NUMBERED)
        yield rule


def _givens(a: Arguments) -> Iterator[digits.AllowedDigits]:
    for word in a.words:
        name, *rest = word.split("_")
        allowed = {as_integer(digit, word) for digit in rest}
        refuse(not allowed or not allowed <= set(a.iss.board.digits), f"{word}: digits of {a.iss.board} are expected")
        a.named.append(a.iss.cell(name))
        yield digits.AllowedDigits(tuple(sorted(allowed)), (a.named[-1],))


def _search_priority(a: Arguments) -> tuple[()]:
    """No constraints, since an order of search does not change the solutions; its arguments are only checked."""
    a.word()
    a.cells()
    return ()


def _clues_at_ends(a: Arguments, kind: Callable[[int, Cells], Constraint], least: int = 1) -> Iterator[Constraint]:
    """The clues at the two ends of a line; an empty word is no clue."""
    cells = a.iss.line(a.word())
    for seen in (cells, cells[::-1]):
        if word := a.word():
            number = as_integer(word, "the clue")
            refuse(number < least, f"a clue is at least {least}, not {number}")
            yield kind(number, seen)


def _sandwich(a: Arguments) -> Iterator[Constraint]:
    number, cells = a.number("the clue"), a.iss.line(a.word())
    # if rows lack digits, the crusts are the least and the greatest digit of the line
    yield (outside.Sandwich if len(cells) == a.iss.board.order else outside.Lunchbox)(number, cells)


def _little_killer(a: Arguments) -> Iterator[Constraint]:
    """The first cell names a diagonal: from the left side down, from the right side up, from the top down to the left,
    from the bottom up to the right. A diagonal that would have two names has the first."""
    total, first = a.number("the clue"), a.cell()
    _, row, column = a.iss.places[first]
    bottom, side = a.iss.board.rows - 1, a.iss.board.columns - 1
    ways = (
        ((1, 1), column == 0 and row < bottom),
        ((1, -1), row == 0),
        ((-1, -1), column == side and row < min(bottom, column)),
        ((-1, 1), row == bottom and 0 < column < side),
    )
    step = next((step for step, fits in ways if fits and first < a.iss.board.grid_count), (0, 0))
    cells = a.iss.ray(first, *step)
    refuse(len(cells) < 2, f"no little killer starts at {a.iss.names[first]}")
    yield sums.LittleKiller(total, tuple(cells))


def _diagonal(a: Arguments) -> list[Constraint]:
    name = a.word()
    refuse(name not in ("1", "-1"), "a diagonal is 1, from bottom left, or -1, from top left")
    return [regions.DiagonalUp() if name == "1" else regions.DiagonalDown()]


def _region_same_values(a: Arguments) -> Iterator[Constraint]:
    """The largest among all rows, columns and regions hold the same digits."""
    areas = [*a.iss.pieces, *a.iss.lines.values(), *a.iss.boxes]
    size = max(map(len, areas))
    largest = tuple(region for region in areas if len(region) == size)
    if size != a.iss.board.order and len(largest) > 1:
        yield digits.SameDigits(largest)


# regions that are not given, connected digits and doppelgängers need extra cells


def _label(iss: IssBoard, cell: int) -> int:
    """The label of a cell, which is the extra cell with the number of its region; a label is its own label."""
    labels = iss.group(LABELS)
    if cell < iss.board.grid_count:
        return labels[cell]
    refuse(cell not in labels, f"{iss.names[cell]} is in no region")
    return cell


def _counter(a: Arguments) -> tuple[int, int]:
    """The cell that counts, which is the next argument, and the offset that is added to its digit."""
    cell, offset = a.cell(), as_integer(a.word() or "0", "the offset")
    refuse(offset not in (0, 1), f"an offset is 0 or 1, not {offset}")
    return cell, offset


def _alike_count(iss: IssBoard, offset: int, cell: int, arms: Iterable[Iterable[tuple[int, int]]]) -> Constraint:
    """The rule that the cell's digit plus `offset` is 1 more than the number of pairs of equal labels, where each arm
    counts the pairs before its first unequal one."""
    answers = [[iss.equality_cell(*pair) for pair in arm] for arm in arms]
    cells, (no, yes) = (*chain(*answers), cell), iss.board.digits[:2]
    starts = {*accumulate(map(len, answers), initial=0)}

    def step(state: tuple[int, bool], place: int, digit: int) -> tuple[int, bool] | None:
        count, goes_on = state
        if place == len(cells) - 1:
            return (0, True) if count == digit + offset else None
        goes_on = (goes_on or place in starts) and digit == yes
        return count + goes_on, goes_on

    choices = [*[(no, yes)] * (len(cells) - 1), iss.board.digits]
    return language_of(primitives.diagram(cells, choices, (1, True), step, lambda _: True))


def _chaos_arrow(a: Arguments) -> Iterator[Constraint]:
    cell, offset = _counter(a)
    lists = a.lists() or [tuple(a.iss.ray(cell, *step)) for step in _ORTHOGONAL]
    arms = [[_label(a.iss, member) for member in cells] for cells in lists]
    refuse(len({arm[0] for arm in arms}) > 1, "all arms start with the same cell")
    yield _alike_count(a.iss, offset, cell, map(pairwise, arms))


def _chaos_count(a: Arguments) -> Iterator[Constraint]:
    """The cell counts those of the cells that are in the region of the first; without cells, of it and those around."""
    iss = a.iss
    cell, offset = _counter(a)
    rays = (iss.ray(cell, down, right) for down in (-1, 0, 1) for right in (-1, 0, 1))
    cells = a.cells() if a.words else (cell, *(ray[1] for ray in rays if ray[1:]))
    first, *others = (_label(iss, member) for member in cells)
    # the first cell counts as often as it is named
    yield _alike_count(iss, offset - others.count(first), cell, [[(first, one)] for one in others if one != first])


def _doppelgangers(a: Arguments) -> Iterator[Constraint]:
    """Each row, column and box has all digits together with an extra cell for its missing digit. That digit is not 0,
    and differs between any two rows, columns or boxes, and between the three that meet in a 0."""
    board, houses = a.iss.board, list(a.iss.lines.values())
    size = board.rows
    wrong = board.columns != size or (board.least, board.order) != (0, size + 1)
    refuse(wrong, f"doppelgängers are for boards of n×n with the digits 0-n, not for {board}")
    no_zero = tuple(board.digits)[1:]
    lacking: dict[int, Cells] = dict.fromkeys(range(size * size), ())
    for prefix, groups in (("DGC", houses[:size]), ("DGR", houses[size:]), ("DGB", a.iss.boxes)):
        if groups:
            extra = a.iss.group(prefix)
            yield regions.ExtraRegion(extra)
            yield digits.AllowedDigits(no_zero, extra)
            for group, cell in zip(groups, extra, strict=True):
                yield regions.ExtraRegion((*group, cell))
                for member in group:
                    lacking[member] = (*lacking[member], cell)
    for member, cells in lacking.items():
        yield Either(((digits.AllowedDigits(no_zero, (member,)),), (regions.ExtraRegion(cells),)))


def _connected(a: Arguments) -> Iterator[Constraint]:
    iss, few = a.iss, _few_connected(a.words, a.iss.board)
    prefix, values, size = a.word(), a.digits(), a.word()
    cells, (_, yes) = iss.group(prefix), iss.board.digits[:2]
    refuse(not values or not {*values} <= {*iss.board.digits}, "connected values are digits of the board")
    if few:
        yield digits.ContainsExactly(values * few[1], cells)
        # the same for each digit, and stated once
        yield Connected(iss.connected, *map(iss.group, ("", STEPS, JOINS)))
        return
    refuse(iss.board.cell_count + len(cells) > 1000, "there are more than 1000 cells, with the extra ones")
    inside = iss.add_cells(f"inside{iss.board.cell_count + place}" for place in range(len(cells)))
    columns = 1 + max(iss.places[cell][2] for cell in cells)
    yield OneRegion(columns, values, cells, inside)
    for others, beside in iss.flags.setdefault(prefix, {}).items():
        if {*values}.isdisjoint(others) and len(cells) % columns == 0 < len(cells) - columns:
            yield Either((tuple(_uncrossed(iss, columns, inside, beside)),))
    iss.flags[prefix][values] = inside
    if size:
        count = as_integer(size, "the number of cells")
        refuse(not 1 <= count <= len(cells), f"a region has 1 to {len(cells)} cells")
        yield digits.ContainsExactly((yes,) * count, inside)


def _uncrossed(iss: IssBoard, columns: int, one: Cells, other: Cells) -> Iterator[Constraint]:
    """Redundant rules for propagation, of two regions without a common cell, given by their flags: in no square of four
    cells has each of them a diagonal, and along the border they alternate at most twice."""
    no, yes = iss.board.digits[:2]
    for first, second, third, fourth in digits.squares(Board(len(one) // columns, columns)):
        for left, right in ((one, other), (other, one)):
            corners = (left[first], left[fourth], right[second], right[third])
            yield Either(tuple((digits.AllowedDigits((no,), (flag,)),) for flag in corners))
    top, *sides, bottom = (range(start, start + columns) for start in range(0, len(one), columns))
    border = [*top, *(row[-1] for row in sides), *reversed(bottom), *(row[0] for row in reversed(sides))]

    def step(state: tuple[int, int], place: int, digit: int) -> tuple[int, int] | None:
        latest, changes = state
        if digit == no or latest == place % 2:
            return state
        return (place % 2, changes + 1) if changes < 3 else None

    flags = [flags[place] for place in border for flags in (one, other)]
    yield language_of(primitives.diagram(flags, [(no, yes)] * len(flags), (-1, 0), step, lambda _: True))


GROUPS = ("Or", "And", "Replicate")
UNMARKED: Mapping[str, tuple[tuple[type[pairs.Pair], ...], Callable[[tuple[Cells, ...]], list[Constraint]]]] = {
    "StrictKropki": (
        (pairs.Difference, pairs.Ratio),
        lambda exempt: [pairs.NoDifference(exempt, (1,)), pairs.NoRatio(exempt, (2,))],
    ),
    "StrictXV": ((pairs.PairSum,), lambda exempt: [pairs.NoPairSum(exempt, (5, 10))]),
}
"""Tokens by which neighbours without a mark do not have its relation: the marks, and the rules for other neighbours."""


RULED, SQUARE, FROM_ONE = "boards that are not raw", "square boards that are not raw", "digits from 1"
NINE, TO_NINE, LATIN = "nine digits", "the digits 1-9", "boards of n×n with n digits that are not raw"
NEEDS: Mapping[str, Callable[[IssBoard], bool]] = {
    "": lambda _: True,
    RULED: lambda iss: not iss.raw,
    SQUARE: lambda iss: not iss.raw and iss.board.rows == iss.board.columns,
    LATIN: lambda iss: not iss.raw and iss.board.rows == iss.board.columns == iss.board.order,
    FROM_ONE: lambda iss: iss.board.least == 1,
    NINE: lambda iss: iss.board.order == 9,
    TO_NINE: lambda iss: list(iss.board.digits) == list(range(1, 10)),
}
"""The kinds of boards that tokens may require; "" is any."""
NO_CELLS, LATER_CELLS, ALL_CELLS, ANY_CELLS = "no", "too", "only", "any"
"""Where a token may name labels: nowhere, as later cells, behind its first, as all its cells, or anywhere, if its
reader refuses what depends on how regions are numbered."""
NUMBERED = "regions are not numbered in any order that a token may go by"


class Kind(NamedTuple):
    """How a token is read, the boards that it `needs`, where it may stand, and the constraints that it `writes`."""

    read: Callable[[Arguments], Iterable[Constraint]]
    needs: str = ""
    in_groups: bool = True
    labels: str = NO_CELLS
    writes: tuple[type[Constraint], ...] = ()


def _with_fields(kind: type[Constraint], labels: str = NO_CELLS) -> Kind:
    """A token whose arguments are the fields of a constraint, numbers before cells."""
    fields = sorted(codecs_of(kind).items(), key=lambda field: not field[1].is_number)

    def read(a: Arguments) -> Iterator[Constraint]:
        readers: dict[str, Callable[[], Any]] = {
            "number": a.number,
            "number or nothing": lambda: as_integer(a.word() or "0", "the sum") or None,
            "numbers": a.digits,
            "cell": a.cell,
            "cells": a.cells,
            "sets of cells": lambda: tuple(a.lists()),
        }
        yield kind(**{name: readers[codec.called]() for name, codec in fields})

    return Kind(read, labels=labels, writes=(kind,))


def _switch(kind: type[Constraint], needs: str, *fields: object) -> Kind:
    """A token without arguments, which states one constraint."""

    def read(a: Arguments) -> Iterator[Constraint]:
        refuse(any(a.words), "it takes no arguments")
        yield kind(*fields)

    return Kind(read, needs, in_groups=False, writes=(kind,))


def _of_box(kind: type[regions.DisjointGroups | regions.Windoku], needs: str) -> Kind:
    return Kind(lambda a: [kind(*a.iss.box)] if a.iss.box else [], needs, in_groups=False, writes=(kind,))


def _at_both_ends(kind: type[outside.Clue], least: int = 1) -> Kind:
    return Kind(lambda a: _clues_at_ends(a, kind, least), RULED, writes=(kind,))


_LINES = (lines.Between, lines.Lockout, lines.Palindrome, lines.Renban)
KINDS: Mapping[str, Kind] = {
    # `IssBoard` reads these
    **dict.fromkeys(("Shape", "RegionSize", "NoBoxes", "Jigsaw", "Var"), Kind(lambda _: (), in_groups=False)),
    # tokens that are called as their constraints
    **{kind.__name__: _with_fields(kind) for kind in (digits.CountingCircles, sums.DoubleArrow, sums.Zipper, *_LINES)},
    **{kind.__name__: _switch(kind, RULED) for kind in (regions.AntiKing, regions.AntiKnight)},
    **{kind.__name__: _at_both_ends(kind, 0) for kind in (outside.HiddenSkyscraper, outside.NumberedRoom)},
    **{kind.__name__: _at_both_ends(kind) for kind in (outside.Skyscraper, outside.XSum)},
    "": Kind(_givens),
    "AllDifferent": _with_fields(regions.ExtraRegion, labels=ALL_CELLS),
    "AntiConsecutive": _switch(pairs.NonConsecutive, "", ()),
    "AntiTaxicab": _switch(pairs.AntiTaxicab, FROM_ONE),
    "Arrow": Kind(lambda a: [sums.Arrow((a.cell(),), a.cells())], writes=(sums.Arrow,)),
    "Binary": Kind(lambda a: _relation(a, pairs.Successive, older=True)),
    "BinaryX": Kind(lambda a: _relation(a, pairs.EveryPair, older=True)),
    "BlackDot": Kind(lambda a: [pairs.Ratio(pair, 2) for pair in a.neighbours()], writes=(pairs.Ratio,)),
    "Cage": _with_fields(sums.Killer),
    "ChaosArrow": Kind(_chaos_arrow, in_groups=False, labels=LATER_CELLS),
    "ChaosConstruction": Kind(
        lambda a: [UnknownRegions(a.iss.region_size, *map(a.iss.group, ("", LABELS, STEPS, JOINS)))], in_groups=False
    ),
    "ChaosCount": Kind(_chaos_count, in_groups=False, labels=LATER_CELLS),
    "ConnectedValues": Kind(_connected, in_groups=False),
    "ContainAtLeast": _with_fields(digits.Contains),
    "ContainExact": _with_fields(digits.ContainsExactly),
    "CountDistinct": _with_fields(digits.CountDistinct, labels=LATER_CELLS),
    "Diagonal": Kind(_diagonal, RULED, in_groups=False, writes=(regions.DiagonalDown, regions.DiagonalUp)),
    "DisjointSets": _of_box(regions.DisjointGroups, SQUARE),
    "Doppelganger": Kind(_doppelgangers, in_groups=False),
    "DutchFlatmates": _switch(digits.Flatmates, TO_NINE),
    "Entropic": _with_fields(lines.Entropic)._replace(needs=TO_NINE),
    "EqualSum": _with_fields(sums.EqualSums),
    "EqualityCage": Kind(
        lambda a: [regions.ExtraRegion(cells := a.cells()), digits.EqualityCage(cells)], writes=(digits.EqualityCage,)
    ),
    "FullRank": Kind(
        lambda a: _clues_at_ends(a, outside.FullRankWithTies if a.iss.ties == "any" else outside.FullRank),
        RULED,
        writes=(outside.FullRank, outside.FullRankWithTies),
    ),
    "FullRankTies": Kind(lambda a: [outside.NoTies()] if a.iss.ties == "none" else [], RULED, in_groups=False),
    "GlobalEntropy": _switch(digits.GlobalEntropy, TO_NINE),
    "GlobalMod": _switch(digits.GlobalMod, NINE),
    "GreaterThan": Kind(lambda a: map(pairs.Greater, a.neighbours()), writes=(pairs.Greater,)),
    "Indexing": Kind(_indexing, RULED, writes=(outside.Indexer,)),
    "LittleKiller": Kind(_little_killer, RULED, writes=(sums.LittleKiller,)),
    "LookAndSay": Kind(_look_and_say),
    "Lunchbox": _with_fields(outside.Lunchbox),
    "Modular": _with_fields(lines.Modular),
    "NFA": Kind(_nfa, labels=ANY_CELLS, writes=(Language,)),
    "Pair": Kind(lambda a: _relation(a, pairs.Successive), writes=(pairs.Successive,)),
    "PairX": Kind(lambda a: _relation(a, pairs.EveryPair), writes=(pairs.EveryPair,)),
    "PillArrow": Kind(_pill_arrow, writes=(sums.Arrow,)),
    "Quad": Kind(_quadruple, writes=(digits.Contains,)),
    "Regex": Kind(_regex),
    "RegionSameValues": Kind(_region_same_values, RULED, in_groups=False),
    "RegionSumLine": Kind(
        lambda a: [sums.EqualSums(cut)] if len(cut := cut_by_group(a.cells(), a.iss.boxes or a.iss.pieces)) > 1 else []
    ),
    "RellikCage": _with_fields(sums.Rellik),
    "SameValues": Kind(_same_values, labels=ALL_CELLS, writes=(pairs.Clone, digits.SameDigits)),
    "Sandwich": Kind(_sandwich, RULED, writes=(outside.Sandwich, outside.Lunchbox)),
    "SearchPriority": Kind(_search_priority),
    "Sum": Kind(_sum, writes=(sums.Sum, sums.WeightedSum)),
    "SumLine": Kind(_sum_line, writes=(sums.SumLine, sums.SumLoop)),
    "Thermo": _with_fields(lines.Thermometer),
    "ValueIndexing": _with_fields(outside.ValueIndexing),
    "V": Kind(lambda a: [pairs.PairSum(pair, 5) for pair in a.neighbours()], writes=(pairs.PairSum,)),
    "Whisper": Kind(_whisper, writes=(lines.Whisper,)),
    "WhiteDot": Kind(lambda a: [pairs.Difference(pair, 1) for pair in a.neighbours()], writes=(pairs.Difference,)),
    "Windoku": _of_box(regions.Windoku, LATIN),
    "X": Kind(lambda a: [pairs.PairSum(pair, 10) for pair in a.neighbours()], writes=(pairs.PairSum,)),
}
IN_GROUPS = frozenset({*GROUPS, *(name for name, kind in KINDS.items() if kind.in_groups)})
NAMES = frozenset({*KINDS, *UNMARKED, *GROUPS} - {""})
STATES = frozenset(chain.from_iterable(kind.writes for kind in KINDS.values())) | kinds_named(
    "lines boxes regions diagonal allowed no-ratio no-difference no-pair-sum no-ties either unknown-regions "
    "connected-digits one-region"
)
"""The constraints that a text can state."""


def read_iss(text: str) -> Puzzle:
    """The puzzle of a text, or of a link with it behind `?q=`. Raises `UsageError` with the token that is not read."""
    text = text.strip()
    if re.match(r"https?://", text):
        (text,) = parse_qs(urlsplit(text).query).get("q", [""])[:1]
        refuse(not text, "the link has no ?q= with a puzzle")
    tokens = _tokens_of("".join(re.sub(r"^#.*$", "", text, flags=re.MULTILINE).split()))
    refuse(not tokens, "there is no puzzle in the text")
    iss = IssBoard(tokens)
    givens: list[Constraint] = []
    constraints: list[Constraint] = []
    for token in tokens:
        if token.name not in UNMARKED:
            (constraints if token.name else givens).extend(_constraints_of(token, iss))
    found, blank = [*iss.base, *constraints, *iss.added], iss.board.blank
    for token in tokens:
        if token.name in UNMARKED:
            with _errors_naming(token):
                found += rules_of_unmarked(token.name, constraints)
    clues = [blank] * iss.board.cell_count
    cells_of: dict[Digits, list[int]] = {}
    for given in givens:
        match given:
            case digits.AllowedDigits((digit,), (cell,)) if clues[cell] in (blank, digit):
                clues[cell] = digit
            case digits.AllowedDigits(allowed, (cell,)):
                cells_of.setdefault(allowed, []).append(cell)
    found += (digits.AllowedDigits(allowed, tuple(cells)) for allowed, cells in cells_of.items())
    return Puzzle(Ruleset(iss.board, tuple(dict.fromkeys(found))), Grid(tuple(clues), iss.board))


def _constraints_of(token: Token, iss: IssBoard) -> list[Constraint]:
    """The constraints that a token or a group states."""
    iss.count += 1
    refuse(iss.count > MOST_TOKENS, f"{token}: there are more than {MOST_TOKENS} tokens, with those that groups repeat")
    with _errors_naming(token):
        return _constraints_of_group(token, iss) if token.name in GROUPS else rules_of_token(token, iss)


def _constraints_of_group(group: Token, iss: IssBoard) -> list[Constraint]:
    """The constraints of a group: one `Either` for `.Or`, those of its tokens for `.And`, for `.Replicate` those of all
    copies, which are moved from the origin to each target."""
    for token in group.inside:
        refuse(token.name not in IN_GROUPS, f"{token}: this cannot stand in a group")
    if group.name == "Or":
        cases = list[tuple[Constraint, ...]]()
        for token in group.inside:
            with suppress(ImpossibleError):
                cases.append(tuple(_constraints_of(token, iss)))
        refuse(not cases, f"{group}: no digits fulfil any case")
        return [Either(tuple(cases))]
    moves, copies = iss.moves, [iss.moves]
    if group.name == "Replicate":
        code, name, *_ = (*group.arguments, "", "R1C1")
        iss.moves = []
        origin = iss.cell(name or "R1C1")
        prefix, top, left = iss.places[origin]
        targets = [origin + number for number in _decoded_set(code)]
        refuse(targets and targets[-1] not in iss.groups[prefix], "the last copy would be off the board")
        places = (iss.places[target] for target in targets)
        copies = [[*moves, (origin, row - top, column - left)] for _, row, column in places]
    found: list[Constraint] = []
    for copy in copies:
        iss.moves = copy
        found += (constraint for token in group.inside for constraint in _constraints_of(token, iss))
    iss.moves = moves
    return found


def rules_of_token(token: Token, iss: IssBoard) -> list[Constraint]:
    """The constraints that a token which is not a group states. Raises `UsageError`."""
    refuse(token.name not in KINDS, "this token is unknown or not supported")
    kind = KINDS[token.name]
    raw = "raw " if iss.raw else ""
    refuse(not NEEDS[kind.needs](iss), f"this is for {kind.needs}, not for a {raw}board of {iss.board}")
    arguments = Arguments(iss, list(token.arguments))
    found = list(kind.read(arguments))
    labels = [cell in iss.groups.get(LABELS, ()) for cell in arguments.named]
    every = labels if False in labels else []
    wrong = {NO_CELLS: labels, LATER_CELLS: labels[:1], ALL_CELLS: every, ANY_CELLS: []}
    refuse(True in wrong[kind.labels], NUMBERED)
    return [fitted(constraint, iss.board) for constraint in found]


def rules_of_unmarked(name: str, constraints: Sequence[Constraint]) -> list[Constraint]:
    """The rules of a token of `UNMARKED`, given the other constraints. Raises `UsageError` if a mark is in an `Or`."""
    kinds, meaning = UNMARKED[name]
    marks = [rule for rule in constraints if isinstance(rule, kinds)]
    is_open = sum(isinstance(rule, kinds) for rule in with_nested(constraints)) > len(marks)
    refuse(is_open, "this is not defined where marks stand in an Or")
    # differences and ratios with a number are no dots
    return meaning(tuple(dict.fromkeys(rule.cells for rule in marks if rule.label() in ("", "X", "V"))))
