"""What each ISS token about the whole puzzle means, by its name in `ABOUT_ALL`, and each clue outside, in `OUTSIDE`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from ringdoku.constraints import digits, outside, pairs, ranks, regions, sums
from ringdoku.constraints.logic import Either
from ringdoku.domain.constraint import Cells, Constraint
from ringdoku.domain.errors import LinkError
from ringdoku.links.iss_board import IssBoard, number_of
from ringdoku.links.iss_tokens import Meaning, Words

_LINE = re.compile("([RC])([0-9]{1,2})")


def _line(board: IssBoard, name: str) -> Cells:
    """A row from the left or a column from the top, by its number."""
    found = _LINE.fullmatch(name)
    rows, columns = board.board.rows, board.board.columns
    count = 0 if not found else rows if found[1] == "R" else columns
    number = int(found[2]) - 1 if found else -1
    if not found or not 0 <= number < count:
        raise LinkError(f"{name!r} is not a row or column of a board of {board.board}")
    grid = range(rows * columns)
    return tuple(grid[number * columns : (number + 1) * columns] if found[1] == "R" else grid[number::columns])


def _two_sided(kind: Callable[[int, Cells], Constraint], least: int = 1) -> Meaning:
    """A clue at either end of a line, or at both; an empty word is not a clue."""

    def meaning(board: IssBoard, words: Words) -> Iterator[Constraint]:
        name, before, after, *_ = (*words, "", "", "")
        cells = _line(board, name)
        for word, seen in ((before, cells), (after, cells[::-1])):
            if word:
                number = number_of(word, "the clue")
                if number < least:
                    raise LinkError(f"a clue is at least {least}, not {number}")
                yield kind(number, seen)

    return meaning


def _full_rank(board: IssBoard, words: Words) -> Iterable[Constraint]:
    return _two_sided(ranks.FullRankWithTies if board.ties == "any" else ranks.FullRank)(board, words)


def _sandwich(board: IssBoard, words: Words) -> Iterator[Constraint]:
    number, cells = number_of(words[0] if words else "", "the clue"), _line(board, "".join(words[1:2]))
    # if rows lack digits, the crusts are the least and the greatest digit of the line
    yield (outside.Sandwich if len(cells) == board.board.order else outside.Lunchbox)(number, cells)


def _little_killer(board: IssBoard, words: Words) -> Iterator[Constraint]:
    total = number_of(words[0] if words else "", "the clue")
    (first,) = board.cells(words[1:2])
    diagonals = _diagonals(board)
    if first not in diagonals:
        raise LinkError(f"no little killer starts at {words[1]}")
    yield sums.LittleKiller(total, diagonals[first])


def _diagonals(board: IssBoard) -> Mapping[int, Cells]:
    """The diagonals from the cells of the border, each once."""
    rows, columns, grid = board.board.rows, board.board.columns, board.groups[0]
    starts = [(row, 0, 1, 1) for row in range(rows - 1)]
    starts += [(row, columns - 1, -1, -1) for row in range(1, rows - 1)]
    starts += [(0, column, 1, -1) for column in range(1, columns)]
    starts += [(rows - 1, column, -1, 1) for column in range(1, columns - 1)]
    found: dict[int, Cells] = {}
    seen = set()
    for row, column, down, right in starts:
        steps = (grid.at(row + down * step, column + right * step) for step in range(max(rows, columns)))
        cells = tuple(cell for cell in steps if cell is not None)
        if len(cells) > 1 and frozenset(cells) not in seen:
            seen.add(frozenset(cells))
            found[cells[0]] = cells
    return found


def _always(kind: Callable[[], Constraint]) -> Meaning:
    """A token without arguments."""

    def meaning(board: IssBoard, words: Words) -> Iterator[Constraint]:  # noqa: ARG001
        if any(words):
            raise LinkError("it takes no arguments")
        yield kind()

    return meaning


def _for_nine(kind: Callable[[], Constraint], least: int | None = 1) -> Meaning:
    """A token for boards with nine digits only."""

    def meaning(board: IssBoard, words: Words) -> Iterator[Constraint]:  # noqa: ARG001
        if board.board.order != 9 or least not in (None, board.board.least):
            raise LinkError(f"this is for the digits 1-9, not for a board of {board.board}")
        yield kind()

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
    rows, columns = board.board.rows, board.board.columns
    every = [*board.pieces, *(_line(board, f"R{row + 1}") for row in range(rows))]
    every += [*(_line(board, f"C{column + 1}") for column in range(columns)), *board.boxes]
    size = max(map(len, every))
    largest = tuple(region for region in every if len(region) == size)
    if size != board.board.order and len(largest) > 1:
        yield digits.SameDigits(largest)


ABOUT_ALL: Mapping[str, Meaning] = {
    "AntiConsecutive": _always(lambda: pairs.NonConsecutive(())),
    "AntiKing": _always(regions.AntiKing),
    "AntiKnight": _always(regions.AntiKnight),
    "AntiTaxicab": _taxicab,
    "Diagonal": _diagonal,
    "DisjointSets": _with_box(regions.DisjointGroups),
    "DutchFlatmates": _for_nine(digits.Flatmates),
    "FullRankTies": lambda board, _: [ranks.NoTies()] if board.ties == "none" else [],
    "GlobalEntropy": _for_nine(digits.GlobalEntropy),
    "GlobalMod": _for_nine(digits.GlobalMod, least=None),
    "RegionSameValues": _region_same_values,
    "Windoku": _with_box(regions.Windoku),
}

OUTSIDE: Mapping[str, Meaning] = {
    "FullRank": _full_rank,
    "HiddenSkyscraper": _two_sided(outside.HiddenSkyscraper, least=0),
    "LittleKiller": _little_killer,
    "NumberedRoom": _two_sided(outside.NumberedRoom, least=0),
    "Sandwich": _sandwich,
    "Skyscraper": _two_sided(outside.Skyscraper),
    "XSum": _two_sided(outside.XSum),
}

NOT_RAW = frozenset({*OUTSIDE, *ABOUT_ALL, "Indexing"}) - {
    "AntiConsecutive",
    "AntiTaxicab",
    "DutchFlatmates",
    "GlobalEntropy",
    "GlobalMod",
}
"""Tokens that need rows and columns."""


def unmarked(name: str, found: Sequence[Constraint]) -> Iterator[Constraint]:
    """The rules that neighbours have no such ratio, difference or sum unless a constraint of the text marks them."""
    kinds = (pairs.Difference, pairs.Ratio) if name == "StrictKropki" else (pairs.PairSum,)
    if any(isinstance(constraint, kinds) for constraint in _inside(found)):
        raise LinkError("this is not defined where marks stand in an Or")
    exempt = tuple(dict.fromkeys(constraint.cells for constraint in found if isinstance(constraint, kinds)))
    if name == "StrictKropki":
        yield pairs.NoDifference(exempt, (1,))
        yield pairs.NoRatio(exempt, (2,))
    else:
        yield pairs.NoPairSum(exempt, (5, 10))


def _inside(constraints: Iterable[Constraint]) -> Iterator[Constraint]:
    """Constraints inside the cases of others."""
    for constraint in constraints:
        if isinstance(constraint, Either):
            for case in constraint.cases:
                yield from case
                yield from _inside(case)
