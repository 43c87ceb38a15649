"""What the readers of all formats share, then the reader of puzzles on one line: n² characters, also among fields."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import isqrt
from typing import NamedTuple, TypeAlias

from ringdoku.domain import Board, Grid, InputError, Place, Puzzle, Ruleset, UsageError, box_shapes, plain_rules
from ringdoku.domain.errors import counted
from ringdoku.text.cells import BLANKS, DIGITS, MAX_SYMBOLS, BadCellError, decode, decode_as, describe, is_square
from ringdoku.text.layout import Layout, layout_named
from ringdoku.text.lines import SHORTEST, Kind, Lines, mostly_marks

Box: TypeAlias = tuple[int, int] | tuple[()] | None
"""The box shape (height, width) that the caller asks for; None if the reader has to find it out, () for no boxes."""


class Shape(NamedTuple):
    """What is known before a grid is read: its board, if the lines above state one, and its boxes.

    `fault` is the error in the lines that state them.
    """

    board: Board | None
    box: Box
    fault: InputError | None = None


@dataclass(frozen=True)
class Entry:
    """One puzzle of an input: its layout, the place where it starts, and what came with it: the solution, the name,
    the author, and the author's text of rules, `about`. `may_lack_rules`: that text may state more rules."""

    puzzle: Puzzle
    layout: Layout
    place: Place
    solution: Grid | None = None
    name: str = ""
    author: str = ""
    about: str = ""
    may_lack_rules: bool = False


@dataclass(frozen=True)
class Note:
    """A remark on the input: which part of it is not used, or what a number is taken for."""

    place: Place
    text: str


JIGSAW = "one line: clues, a space, a letter for each cell"
"""How the regions of a jigsaw are written, as errors say."""
Item: TypeAlias = Entry | InputError | Note
"""What a reader yields: a puzzle, an error for a malformed one, or a note."""


def ruleset_of(board: Board | int, box: Box, place: Place) -> Ruleset:
    """The rules of rows, columns and boxes on a board, or on the n×n board of an order; no boxes if `box` is ().

    Raises `InputError` if `box` does not fit, or is None and the order is not a square number.
    """
    if isinstance(board, Board):
        try:
            return plain_rules(board, box)
        except UsageError as error:
            expected = "boxes that it can have, or the line `no boxes`"
            raise InputError(place, f"a board of {board} ({error})", expected) from None
    if box and box[0] * box[1] != board:
        raise InputError(place, f"order {board}", f"order {box[0] * box[1]}, for boxes of {box[0]}x{box[1]}")
    if box is None and not is_square(board):
        shapes = " or ".join(f"{height}x{width}" for height, width in box_shapes(board)[:2])
        expected = f"a box shape, for example --box {shapes}"
        raise InputError(place, f"order {board}, which is not a square number", expected)
    return plain_rules(Board.square(board), box)


# n² characters on one line

_WORDS = re.compile(r"""[^\s,;:|"'=()<>{}&?/`]+""")
_FIRST = re.compile(r"""[^ \t,;"|│]+""")
_SOLVED_DIGIT = re.compile(r"\+[1-9]")
"""In libraries of HoDoKu `+5` is a digit that was set while solving, not a clue."""
_REMOVED = re.compile(r"\s*(?::[^:]*){3}:([1-9]{3}(?: [1-9]{3})*):")
"""The candidates that are removed, digit, row and column, behind the puzzle in such a library."""
_LEAST_AMONG_WORDS = 81
"""The fewest characters of a puzzle among other words, unless a comma, semicolon or tab separates them."""


class _Field(NamedTuple):
    """A part of a line, and the column where it starts, from 1."""

    text: str
    column: int


def _is_puzzle(word: str) -> bool:
    """Whether a word is n² cells of one character each, with at most one kind of blank, and with blanks if n > 9."""
    order = isqrt(len(word))
    blanks = {sign for sign in word if sign in f"0{BLANKS}~" or (sign in "xX" and order < 10)}
    known = blanks.union(DIGITS[:order], DIGITS[:order].lower(), "ABCDEFGHIJKLMNOPQRSTUVWXYZ" if order > 9 else "")
    return order * order == len(word) and len(blanks) < 2 and known.issuperset(word) and (order < 10 or bool(blanks))


def _is_full(word: str) -> bool:
    return word.isalnum() and "0" not in word


def fields_of(text: str, size: int | None = None) -> tuple[_Field, _Field | None, str] | None:
    """The puzzle of a line, its solution and its name; None if there is no word of n² characters, or of `size`
    characters if it is given, or if it is unclear which word is the puzzle.

    The puzzle is the first word, or the one that has n² digits and marks. Another word of its length is its solution.
    """
    data, _, comment = (text, "", "") if '"' in text else text.partition("#")
    first = _FIRST.search(data)
    length = len(first[0]) if first else 0
    found: tuple[_Field, _Field | None, str] | None = None
    if length == size or (not size and length >= SHORTEST and is_square(length)):
        found = _puzzle_in_first_word(data)
    elif not size and len(data) > SHORTEST and "[" not in data and data.count("{") < 2:
        found = _only_puzzle_among_words(_without_solved(data))
    return found and (found[0], found[1], comment.strip(' \t;,"') or found[2])


_RULE_OF_PROGRAM = re.compile(
    r"""["']?\b(?:(rules)["']?\s*[=:]\s*[\[("']"""
    r"""|(?:type|variant|constraints?)["']?\s*[=:]\s*[\[(]?["']([a-z_ -]{4,30})["'])"""
    r"""|(?:["']([a-z_ -]{4,30})["']|(?:^|[(,{&?])\s*([a-z_-]{4,30}))"""
    r"""\s*[=:]\s*(?:true|[1-9]|[\[{("'](?!\s*[\]})"']))""",
    re.IGNORECASE,
)


def states_rule(text: str) -> bool:
    """Whether a text of a program has rules, or the name of one as a key or an argument with a value, or as a type."""
    from ringdoku.constraints.registry import split_name

    words = ("".join(found).lower().replace("_", "-") for found in _RULE_OF_PROGRAM.findall(text))
    return any(word == "rules" or split_name(word)[0] not in ("", "lines", "boxes") for word in words)


def _without_solved(text: str) -> str:
    return _SOLVED_DIGIT.sub(".", text) if text.lstrip().startswith(":") else text


def _puzzle_in_first_word(data: str) -> tuple[_Field, _Field | None, str]:
    """The first word as puzzle, the next word as its solution if it is as long, and the rest of the line as name."""
    puzzle, *others = [_Field(word[0], word.start() + 1) for word in _FIRST.finditer(data)]
    solution = others[0] if others and len(others[0].text) == len(puzzle.text) else None
    rest = data[(solution or puzzle).column - 1 + len(puzzle.text) :]
    if solution and _is_full(puzzle.text) and not _is_full(solution.text):
        puzzle, solution = solution, puzzle
    # numbers after a comma, such as ratings, are no name
    is_name = not rest.lstrip(' \t"').startswith(",") or re.search(r"[^\W\d_]{3}", rest)
    return puzzle, solution, rest.strip(' \t;,"') if is_name else ""


def _only_puzzle_among_words(data: str) -> tuple[_Field, _Field | None, str] | None:
    """The only puzzle among other words, its solution, and these words as name; None if one of them is long."""
    words = [_Field(word[0], word.start() + 1) for word in _WORDS.finditer(data)]
    least = SHORTEST if re.search("[,;\t]", data) else _LEAST_AMONG_WORDS
    found = [word for word in words if len(word.text) >= least and _is_puzzle(word.text)]
    others = [word.text for word in words if word not in found]
    if not 1 <= len(found) <= 2:
        return None
    puzzle, *solutions = sorted(found, key=lambda word: _is_full(word.text))
    size = len(puzzle.text)
    unfit = [one for one in solutions if len(one.text) != size or not _is_full(one.text)]
    if unfit or any(2 * len(word) > size for word in others):
        return None
    # keys of records and parts of addresses are not names
    name = "" if re.search("[{<]|//", data) else " ".join(others)
    dots = str.maketrans("xX~" if size <= _LEAST_AMONG_WORDS else "~~~", "...")
    return _Field(puzzle.text.translate(dots), puzzle.column), solutions[0] if solutions else None, name


def is_line(lines: Lines, shape: Shape) -> bool:
    """Whether the next line has a whole puzzle."""
    line = lines.peek()
    text = line.text.strip(" \t")
    fields = fields_of(text, shape.board.grid_count if shape.board else None)
    word = fields[0].text if fields else ""
    if shape.board:
        return len(word) > shape.board.columns
    if not word:
        # a word that is too long for a row, or a puzzle that is cut short above longer ones
        near = (line, lines.peek(1)) if len(text) > 1 and not re.search(r"[ \t,|]", text) else ()
        return any(len(one.text) > MAX_SYMBOLS for one in near)
    if shape.box:
        return isqrt(len(word)) == shape.box[0] * shape.box[1]
    return len(word) > MAX_SYMBOLS or not _are_rows(lines, len(word), isqrt(len(word)))


def _are_rows(lines: Lines, length: int, order: int) -> bool:
    """Whether this line and those below it are rows of one grid, and not puzzles of `order`.

    They are rows if two lines have a symbol that is too high for `order`; one alone may be damaged. They are also rows
    if there are as many lines as each has characters, and either `order` has no square boxes, or there are no further
    lines, and one has two such symbols of a grid of that size, or no others, or the others have no clues.
    """
    blanks = set(f"0{BLANKS}")
    low = blanks.union(DIGITS[:order])
    high, has_clues = list[set[str]](), False
    for ahead in range(length):
        line = lines.peek(ahead)
        text = line.bare
        if line.kind is not Kind.CONTENT or len(text) != length:
            return False
        if symbols := {*text} - low:
            high.append(symbols)
        elif not blanks.issuperset(text):
            has_clues = True
        if len(high) > 1:
            return True
    proper = [symbols.intersection(DIGITS[:length]) for symbols in high]
    is_one = not has_clues or any(len(some) > 1 or some == all_ for some, all_ in zip(proper, high, strict=True))
    return not is_square(order) or (is_one and lines.peek(length).kind is not Kind.CONTENT)


def read_line(lines: Lines, shape: Shape) -> Entry:
    """Takes one line. Raises `InputError`."""
    place = lines.place(0)
    line = lines.take_sound()
    fields = fields_of(line.text, shape.board.grid_count if shape.board else None)
    field, solution, name = fields or (_Field(line.bare, line.text.find(line.bare) + 1), None, "")
    at = replace(place, column=field.column)
    ruleset = ruleset_of(shape.board, shape.box, at) if shape.board else _ruleset_of_line(field.text, at, shape.box)
    board, answer, word = ruleset.board, None, field
    try:
        digits, symbols = decode(field.text, True, board)
        if solution:
            word = solution
            answer = Grid(decode_as(solution.text, symbols, board), board)
    except BadCellError as error:
        raise InputError(replace(place, column=word.column + error.index), error.found, error.expected) from None
    if not solution and (short := _short_solution(_without_solved(line.text), field)):
        end = short.column + min(len(short.text), len(field.text))
        found = f"a solution of {counted(len(short.text), 'character')}"
        raise InputError(replace(place, column=end), found, str(len(field.text)))
    if further := [word for word in _FIRST.finditer(line.text) if len(word[0]) == len(field.text)][2:]:
        raise InputError(replace(place, column=further[0].start() + 1), "a third grid", "a puzzle and its solution")
    blank = field.text[digits.index(board.blank)] if board.blank in digits else "."
    layout = replace(layout_named("line", ruleset), symbols=symbols, blank=blank)
    puzzle = Puzzle(ruleset, Grid(digits, board))
    if removed := _REMOVED.match(line.text):
        puzzle = _without_candidates(puzzle, removed[1].split(), place)
    return Entry(puzzle, layout, place, answer, name)


def _without_candidates(puzzle: Puzzle, removed: Iterable[str], place: Place) -> Puzzle:
    """The puzzle without these candidates, each three digits: digit, row, column. Raises `InputError`."""
    from ringdoku.constraints.digits import puzzle_of_candidates

    board = puzzle.board
    left = [{*board.digits} if clue == board.blank else {clue} for clue in puzzle.clues.digits]
    for digit, row, column in (map(int, each) for each in removed):
        left[board.columns * (row - 1) + column - 1].discard(digit)
    if set() in left:
        raise InputError(place, f"no candidate left in {board.cell_name(left.index(set()))}", "one in each cell")
    return puzzle_of_candidates(puzzle.ruleset, [tuple(sorted(digits)) for digits in left])


def _short_solution(text: str, puzzle: _Field) -> _Field | None:
    """Another word of a line that is nearly as long as the puzzle, of digits and marks; None if there is none."""
    length = len(puzzle.text)
    for word in _FIRST.finditer(text.partition("#")[0], puzzle.column - 1 + length):
        if 2 * len(word[0]) > length and (mostly_marks(word[0]) or len(word[0]) > 2 * SHORTEST):
            return _Field(word[0], word.start() + 1)
    return None


def _ruleset_of_line(text: str, place: Place, box: Box) -> Ruleset:
    """The rules of a puzzle of n² characters at that place. Raises `InputError` for another number of characters."""
    length, order = len(text), isqrt(len(text))
    if not re.search("[ \t]", text) and order * order == length and (1 if box else 2) <= order <= MAX_SYMBOLS:
        return ruleset_of(order, box, place)
    for index, character in enumerate(text):
        if not (character.isprintable() or character == "\t"):
            hidden = replace(place, column=place.column + index)
            raise InputError(hidden, describe(character), "characters that can be seen")
    expected = "n² of them: 16, 81, 256, …"
    if length > MAX_SYMBOLS**2:
        expected = f"at most {MAX_SYMBOLS**2}, for order {MAX_SYMBOLS}; larger orders are written in numbers"
    raise InputError(replace(place, column=place.column + length), counted(length, "character"), expected)
