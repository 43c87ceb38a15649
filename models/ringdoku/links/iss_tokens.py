"""The meaning of each ISS token about lines and sets of cells: one function for each, by its name in `ABOUT_CELLS`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import TypeAlias

from ringdoku.constraints import digits, lines, logic, outside, pairs, places, regions, sums
from ringdoku.domain.constraint import Cells, Constraint, Digits
from ringdoku.domain.errors import LinkError
from ringdoku.links.iss_board import IssBoard, number_of
from ringdoku.links.iss_codes import Automaton, pairs_of, text_of
from ringdoku.links.regex import automaton_of

Words: TypeAlias = Sequence[str]
Meaning: TypeAlias = Callable[[IssBoard, Words], Iterable[Constraint]]

BREAK = "-"
"""Separates the parts of a list of cells."""


def line(kind: Callable[[Cells], Constraint]) -> Meaning:
    """A token that has only cells."""
    return lambda board, words: [kind(board.cells(words))]


def numbered(kind: Callable[[int, Cells], Constraint]) -> Meaning:
    """A token with a number before its cells."""
    return lambda board, words: [kind(_number(words), board.cells(words[1:]))]


def dotted(kind: Callable[[Cells], Constraint]) -> Meaning:
    """A token for every two neighbours among its cells."""
    return lambda board, words: [kind(pair) for pair in board.neighbours(board.cells(words))]


def _number(words: Words) -> int:
    return number_of(words[0] if words else "", "the number before the cells")


def _digits(words: Iterable[str]) -> Digits:
    return tuple(number_of(word, "the digits") for word in words)


def parts(words: Words, separator: str) -> list[list[str]]:
    """The words between separators."""
    return [list(part) for is_break, part in groupby(words, separator.__eq__) if not is_break]


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


def _arrow(board: IssBoard, words: Words) -> Iterator[Constraint]:
    yield sums.Arrow(board.cells(words[:1]), board.cells(words[1:]))


def _pill_arrow(board: IssBoard, words: Words) -> Iterator[Constraint]:
    size, cells = _number(words), board.cells(words[1:])
    if size not in (2, 3) or len(cells) <= size:
        raise LinkError("a pill has 2 or 3 cells, and an arrow after them")
    pill = tuple(sorted(cells[:size]))
    for one, other in pairwise(pill):
        group = board.group_of(one)
        row, column = group.place(one)
        if other not in (group.at(row, column + 1), group.at(row + 1, column), group.at(row + 1, column + 1)):
            raise LinkError("the cells of a pill follow each other to the right, down, or down to the right")
    yield sums.Arrow(pill, cells[size:])
    tens = [digit for digit in board.board.digits if digit < 10]
    if len(tens) < board.board.order:
        yield digits.AllowedDigits(tuple(tens), pill[1:])


def _equal_sums(board: IssBoard, words: Words) -> Iterator[Constraint]:
    yield sums.EqualSums(tuple(board.cells(part) for part in parts(words, BREAK)))


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


def _lockout(board: IssBoard, words: Words) -> Iterator[Constraint]:
    yield lines.Lockout(board.cells(words[1:]), _number(words))


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
    def meaning(board: IssBoard, words: Words) -> Iterator[Constraint]:
        yield kind(_digits(words[0].split("_") if words else ()), board.cells(words[1:]))

    return meaning


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
        yield digits.AllowedDigits(tuple(digit for digit in board.board.digits if digit not in absent), cells)


def _same_values(board: IssBoard, words: Words) -> Iterator[Constraint]:
    count, cells = _number(words), board.cells(words[1:])
    if count < 1 or len(cells) % count:
        raise LinkError(f"{len(cells)} cells cannot be cut into {count} sets of one size")
    size = len(cells) // count
    sets = tuple(cells[start : start + size] for start in range(0, len(cells), size))
    yield pairs.Clone(sets) if size == 1 else digits.SameDigits(sets)


def _indexing(board: IssBoard, words: Words) -> Iterator[Constraint]:
    by_row = words[:1] == ["R"]
    if words[:1] not in (["R"], ["C"]):
        raise LinkError("indexing is by rows, R, or by columns, C")
    for cell in board.cells(words[1:]):
        group = board.groups[0]
        if cell not in group.cells:
            raise LinkError("extra cells have no row or column")
        row, column = group.place(cell)
        if by_row:
            line = tuple(range(column, board.board.grid_count, board.board.columns))
        else:
            line = tuple(range(row * board.board.columns, (row + 1) * board.board.columns))
        yield places.Indexer(1 + (row if by_row else column), cell, line)


def _value_indexing(board: IssBoard, words: Words) -> Iterator[Constraint]:
    value, place, *line = board.cells(words)
    if not line:
        raise LinkError("value indexing has at least three cells")
    yield places.ValueIndexing(value, place, tuple(line))


def _count_distinct(board: IssBoard, words: Words) -> Iterator[Constraint]:
    (first,) = board.cells(words[:1])
    yield digits.CountDistinct(first, board.cells(words[1:]))


def _equality_cage(board: IssBoard, words: Words) -> Iterator[Constraint]:
    cells = board.cells(words)
    yield regions.ExtraRegion(cells)
    yield digits.EqualityCage(cells)


def _relation(kind: Callable[[frozenset[tuple[int, int]], Cells], Constraint], legacy: bool = False) -> Meaning:
    def meaning(board: IssBoard, words: Words) -> Iterator[Constraint]:
        code = words[0] if words else ""
        # older texts have - for _ and _ for -
        allowed = pairs_of(code.translate({45: 95, 95: 45}) if legacy else code, board.board)
        if kind is pairs.EveryPair and any((b, a) not in allowed for a, b in allowed):
            raise LinkError("a relation of every two cells is the same in both directions")
        for cells in _named(words[1:]):
            yield kind(allowed, board.cells(cells))

    return meaning


def _named(words: Words) -> Iterator[list[str]]:
    """Groups of cells. An empty word or a name, which starts with `_`, separates them."""
    for is_name, group in groupby(words, lambda word: not word or word[0] == "_"):
        if not is_name:
            yield list(group)


def _regex(board: IssBoard, words: Words) -> Iterator[Constraint]:
    ends, edges = automaton_of("".join(text_of(words[0] if words else "").split()), board.board.digits)
    for cells in parts(words[1:], ""):
        yield logic.Language(ends, edges, board.cells(cells))


def _automaton(board: IssBoard, words: Words) -> Iterator[Constraint]:
    automaton = Automaton.of_code(words[0] if words else "")
    for cells in _named(words[1:]):
        yield automaton.language([board.cells(part) for part in parts(cells, BREAK)], board.board)


def _no_constraint(board: IssBoard, words: Words) -> Iterable[Constraint]:
    """The search order does not change the solutions."""
    board.cells(words[1:])
    return ()


ABOUT_CELLS: Mapping[str, Meaning] = {
    "AllDifferent": line(regions.ExtraRegion),
    "Arrow": _arrow,
    "Between": line(lines.Between),
    "Binary": _relation(pairs.Successive, legacy=True),
    "BinaryX": _relation(pairs.EveryPair, legacy=True),
    "BlackDot": dotted(lambda cells: pairs.Ratio(cells, 2)),
    "Cage": _cage,
    "ContainAtLeast": _contains(digits.Contains),
    "ContainExact": _contains(digits.ContainsExactly),
    "CountDistinct": _count_distinct,
    "CountingCircles": line(digits.CountingCircles),
    "DoubleArrow": line(sums.DoubleArrow),
    "Entropic": line(lines.Entropic),
    "EqualSum": _equal_sums,
    "EqualityCage": _equality_cage,
    "GreaterThan": dotted(pairs.Greater),
    "Indexing": _indexing,
    "Lockout": _lockout,
    "LookAndSay": _look_and_say,
    "Lunchbox": numbered(outside.Lunchbox),
    "Modular": _modular,
    "NFA": _automaton,
    "Pair": _relation(pairs.Successive),
    "PairX": _relation(pairs.EveryPair),
    "Palindrome": line(lines.Palindrome),
    "PillArrow": _pill_arrow,
    "Quad": _quadruple,
    "Regex": _regex,
    "RegionSumLine": _region_sums,
    "RellikCage": numbered(sums.Rellik),
    "Renban": line(lines.Renban),
    "SameValues": _same_values,
    "SearchPriority": _no_constraint,
    "Sum": _sum,
    "SumLine": _sum_line,
    "Thermo": line(lines.Thermometer),
    "V": dotted(lambda cells: pairs.PairSum(cells, 5)),
    "ValueIndexing": _value_indexing,
    "Whisper": _whisper,
    "WhiteDot": dotted(lambda cells: pairs.Difference(cells, 1)),
    "X": dotted(lambda cells: pairs.PairSum(cells, 10)),
    "Zipper": line(sums.Zipper),
}

CODED = frozenset({"Binary", "BinaryX", "NFA", "Pair", "PairX", "Regex"})
"""Tokens whose first argument is a code, even if it looks like a cell."""
