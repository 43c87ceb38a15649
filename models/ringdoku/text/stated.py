"""Read answers as programs print them: grids, scores above them, words in place of a grid; and matrices of weights."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

from ringdoku.domain import MAX_ORDER, Board, Grid, InputError, Place, counted
from ringdoku.text.between import take_preamble
from ringdoku.text.cells import TOKEN, BadCellError, decode_as, quoted
from ringdoku.text.formats import Box, Entry, Shape
from ringdoku.text.lines import Lines, Source
from ringdoku.text.reader import detect
from ringdoku.text.records import record_in

NO_SOLUTION = "no solution"
BY_THE_WORD_OF = ", by the word of "
"""Stands between "no solution" and the name of the program that claims it, if nobody checked the claim."""
UNKNOWN = "unknown"
_NUMBER = re.compile("-?[0-9]{1,15}")
_INTEGER = re.compile(r"[-+]?[0-9]{1,9}")


@dataclass(frozen=True)
class StatedAnswer:
    """An answer to one puzzle: a grid, a score, both or neither, and whether it claims that there is no solution."""

    place: Place
    entry: Entry | None = None
    score: int | None = None
    infeasible: bool = False
    is_minus_one: bool = False
    """The answer is -1, which means no solution, or is the best score."""


def answer_in_alphabet(entry: Entry, other: Entry) -> Grid:
    """The answer that `other` gives to the puzzle of `entry`, its solution or else its grid, with symbols read in the
    puzzle's alphabet. Grids in numbers stay unchanged. Raises `InputError` for a symbol not in the alphabet."""
    answer, alphabet, written = other.solution or other.puzzle.clues, entry.layout.symbols, other.layout.symbols
    if alphabet == written or len(alphabet) != len(written) or not answer.board.is_plain:
        return answer
    names = (other.layout.blank[:1] or ".", *written)
    try:
        return Grid(decode_as([names[digit] for digit in answer.digits], alphabet, answer.board), answer.board)
    except BadCellError as error:
        cell = other.puzzle.board.cell_name(error.index)
        raise InputError(other.place, f"{error.found} in {cell}", f"{error.expected}, as in {entry.place}") from None


def read_stated(
    stream: BinaryIO,
    file: str = "<stdin>",
    box: Box = None,
    board_of: Callable[[], Board | None] = lambda: None,
    below_0: bool = True,
) -> Iterator[StatedAnswer | InputError]:
    """Yields the answers of a stream one by one, and an error for each malformed one.

    `board_of` returns the board of the next answer's puzzle: one that is not n×n with 1..n must be known beforehand.

    A number alone above a grid is its score; where no grid follows it is the whole answer. `no solution`, `unknown`,
    JSON whose grid is null, and -1 without a grid are the answer to one puzzle each; so is -1 above a grid where no
    score may be negative (`below_0`).
    """
    lines, form = Lines(Source(stream), file), None
    score: int | None = None
    while not (preamble := take_preamble(lines, _is_without_grid)).at_end:
        if preamble.fault:
            yield preamble.fault
            continue
        place, record, board = lines.place(0), record_in(lines.peek().text), board_of()
        above, score = score, None
        try:
            if above is None and (answer := _take_without_grid(lines, record, below_0)):
                yield answer
            elif (number := _number_at(lines, 0, board)) is not None:
                lines.take()
                if _no_grid_follows(lines, -1, board):
                    yield StatedAnswer(place, score=number)
                else:
                    score = number
            else:
                # rules are of no importance here, so boxes need not be known
                shape = Shape(None if board and board.is_plain else board, box or ())
                now = detect(lines, shape) if shape.board or form is None else form
                form = form if shape.board else now
                stated = record.get("score")
                yield StatedAnswer(place, now.read(lines, shape), stated if type(stated) is int else above)
        except InputError as error:
            yield error
    if preamble.fault:
        yield preamble.fault


def _is_without_grid(text: str) -> bool:
    said = text.strip(" \t").lower()
    return said in (NO_SOLUTION, UNKNOWN) or said.startswith(NO_SOLUTION + BY_THE_WORD_OF)


def _take_without_grid(lines: Lines, record: dict[str, Any], below_0: bool) -> StatedAnswer | None:
    """The answer on the next line, which is taken, if that is an answer without a grid; else None."""
    text = lines.peek().bare
    said = _is_without_grid(text)
    is_minus_one = text == "-1" and (not below_0 or _no_grid_follows(lines, 0))
    infeasible = is_minus_one or (said and text.lower() != UNKNOWN) or record.get("status") == "infeasible"
    if not (said or is_minus_one or record.get("grid", ()) is None):
        return None
    place = lines.place(0)
    lines.take()
    return StatedAnswer(place, infeasible=infeasible, is_minus_one=is_minus_one)


def _no_grid_follows(lines: Lines, ahead: int, board: Board | None = None) -> bool:
    """Whether the content after a line is a score, an answer without a grid, or the end of the input."""
    ahead, following = lines.next_content(ahead)
    return following.is_end or _is_without_grid(following.text) or _number_at(lines, ahead, board) is not None


def _number_at(lines: Lines, ahead: int, board: Board | None) -> int | None:
    """The number that is alone on a line; None if it may be a grid or the first row of one."""
    text = lines.peek(ahead).bare
    if not _NUMBER.fullmatch(text) or (board and not board.is_plain and len(text) == board.grid_count):
        return None
    _, following = lines.next_content(ahead)
    width = 1 if following.is_end else following.width
    fits = width == len(text) and (board is None or board.columns == width)
    # a score has one line more below it: a grid of its width, and not a row less
    fits = fits and [lines.peek(ahead + width + more).width == width for more in (0, 1)] != [True, False]
    return None if fits and text.isdigit() and int(max(text)) <= width else int(text)


def read_weights(stream: BinaryIO, file: str = "<weights>") -> tuple[tuple[int, ...], ...]:
    """The rows of a matrix of weights: a line of integers for each row of the grid, or for each cell, separated by
    spaces, tabs or commas; `#` starts a comment. Weights have at most nine digits. Raises `InputError`."""
    lines = Lines(Source(stream), file)
    rows: list[tuple[int, ...]] = []
    while not (line := lines.take_sound()).is_end:
        tokens = list(TOKEN.finditer(line.text.partition("#")[0]))
        if not tokens:
            continue
        for token in tokens:
            if not _INTEGER.fullmatch(token[0]):
                place = Place(file, line.number, token.start() + 1)
                raise InputError(place, quoted(token[0]), "an integer of at most nine digits")
        order = len(rows[0]) if rows else min(len(tokens), MAX_ORDER)
        if len(tokens) != order:
            column = tokens[order].start() + 1 if len(tokens) > order else len(line.text) + 1
            raise InputError(Place(file, line.number, column), counted(len(tokens), "weight"), f"{order} in each row")
        if len(rows) == (most := max(MAX_ORDER, order * order)):
            raise InputError(Place(file, line.number, 1), f"row {most + 1}", f"at most {most} rows")
        rows.append(tuple(int(token[0]) for token in tokens))
    if not rows:
        raise InputError(lines.place(), "the end of the input after 0 rows", "rows of weights")
    return tuple(rows)
