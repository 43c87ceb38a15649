"""Answers as programs print them: grids, with or without their scores above them, and words in place of a grid."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, BinaryIO

from ringdoku.domain.board import Board
from ringdoku.domain.errors import InputError, Place
from ringdoku.text.base import Block, Box, Entry, Format, Shape
from ringdoku.text.between import next_content, without_comment
from ringdoku.text.json_lines import parse_record
from ringdoku.text.line import header_of
from ringdoku.text.lines import Lines
from ringdoku.text.reader import detect
from ringdoku.text.source import Source
from ringdoku.text.titles import skip

NO_SOLUTION = "no solution"
BY_THE_WORD_OF = ", by the word of "
"""After "no solution", before the program that says so, where nobody checked it."""
UNKNOWN = "unknown"
_INFEASIBLE_SCORE = "-1"
_NUMBER = re.compile("-?[0-9]{1,15}")
_BLANKS = re.compile("[ \t]+")


@dataclass(frozen=True)
class StatedAnswer:
    """An answer to one puzzle: a grid, with a score if there is one; or a score alone; or neither, and whether no
    solution is stated."""

    place: Place
    entry: Entry | None = None
    score: int | None = None
    infeasible: bool = False
    is_minus_one: bool = False
    """It says -1, which is the score of a puzzle that has no solution, and of one whose best score that is."""


def read_stated(
    stream: BinaryIO, file: str = "<stdin>", box: Box = None, board_of: Callable[[], Board | None] = lambda: None
) -> Iterator[StatedAnswer | InputError]:
    """Yields the answers of a stream one by one, and an error for each malformed one.

    `board_of` returns the board of the puzzle that the next answer is for: a board that is not n×n with 1..n must be
    known before its grid is read.

    A number alone above a grid is its score; where no grid follows it is the whole answer. Above the first grid it is a
    count of answers if the second grid has no number, or if it is 1 and there is no second grid. `no solution`,
    `unknown`, JSON whose grid is null, and -1 without a grid are the answer to one puzzle each.
    """
    answers = _Answers(Lines(Source(stream), file), box, board_of)
    while not (gap := skip(answers.lines, _says_none)).ended:
        if gap.fault:
            yield gap.fault
            continue
        try:
            if answer := answers.take():
                yield answer
        except InputError as error:
            answers.score = None
            yield error
    if gap.fault:
        yield gap.fault


class _Answers:
    """What was read of answers: the format of their grids, the score above the next one, and how many grids."""

    def __init__(self, lines: Lines, box: Box, board_of: Callable[[], Board | None]) -> None:
        self.lines = lines
        self.score: int | None = None
        # rules are of no importance here, so boxes need not be known
        self._box = box or ()
        self._board_of = board_of
        self._form: Format | None = None
        self._found = 0

    def take(self) -> StatedAnswer | None:
        """Takes what comes next; None for a score above a grid, and for the names of columns. Raises `InputError`."""
        lines, place = self.lines, self.lines.place(0)
        record = _record(lines)
        if self.score is None and (answer := _without_grid(lines, record)):
            return answer
        board = self._board_of()
        columns = board.columns if board else None
        if board and board.is_plain:
            board = None
        number = _number_at(lines, 0, columns)
        if number is not None and not (board and len(_bare(lines, 0)) == board.grid_count):
            lines.take()
            if _starts_answer(lines, -1, columns):
                return StatedAnswer(place, score=number)
            self.score = number
            return None
        if board is None and (header := header_of(lines)):
            lines.columns = header
            lines.take()
            return None
        return self._grid(record, board, place)

    def _grid(self, record: Mapping[str, Any], board: Board | None, place: Place) -> StatedAnswer:
        shape = Shape(board, self._box)
        form = detect(self.lines, shape) if board or self._form is None else self._form
        self._form = self._form if board else form
        block = form.read(self.lines, shape)
        _require_extra(block, place)
        self._found += 1
        if self._found == 1 and self.score is not None and _is_count(self.score, self.lines):
            self.score = None
        stated = record.get("score")
        entry = Entry(block.puzzle, block.layout, place, block.solution, block.name)
        answer = StatedAnswer(place, entry, stated if type(stated) is int else self.score)
        self.score = None
        return answer


def _require_extra(block: Block, place: Place) -> None:
    board, digits = block.puzzle.board, block.puzzle.clues.digits
    if board.blank in board.beside(digits).values():
        raise InputError(place, f"no digits of the cells {' '.join(board.extra)}", "JSON, which has them under extra")


def _says_none(text: str) -> bool:
    said = text.strip(" \t").lower()
    return said in (NO_SOLUTION, UNKNOWN) or said.startswith(NO_SOLUTION + BY_THE_WORD_OF)


def _without_grid(lines: Lines, record: Mapping[str, Any]) -> StatedAnswer | None:
    """Takes the next line when it stands for an answer without a grid."""
    text = _bare(lines, 0)
    said = _says_none(text)
    infeasible = (said and text.lower() != UNKNOWN) or (text == _INFEASIBLE_SCORE and _starts_answer(lines, 0))
    null = "grid" in record and record["grid"] is None
    if not said and not infeasible and not null:
        return None
    place = lines.place(0)
    lines.take()
    stated_none = infeasible or record.get("status") == "infeasible"
    return StatedAnswer(place, infeasible=stated_none, is_minus_one=text == _INFEASIBLE_SCORE)


def _starts_answer(lines: Lines, ahead: int, columns: int | None = None) -> bool:
    """Whether the content after a line is a score or an answer without a grid, or there is none."""
    following = next_content(lines, ahead)
    return following is None or _says_none(following[1].text) or _number_at(lines, following[0], columns) is not None


def _number_at(lines: Lines, ahead: int, columns: int | None = None) -> int | None:
    """The number that is alone on a line; None if it may be the first row of a grid, which has so many columns if that
    is known."""
    text = _bare(lines, ahead)
    if not _NUMBER.fullmatch(text):
        return None
    following = next_content(lines, ahead)
    width = len(_BLANKS.sub("", without_comment(following[1].text))) if following else 1
    is_row = width == len(text) and columns in (None, width) and text.isdigit() and int(max(text)) <= width
    return None if is_row else int(text)


def _is_count(number: int, lines: Lines) -> bool:
    """Whether the number above the first grid counts the answers: no number follows, or it is 1 and nothing does."""
    return number == 1 if next_content(lines, -1) is None else not _starts_answer(lines, -1)


def _bare(lines: Lines, ahead: int) -> str:
    line = lines.peek(ahead)
    return without_comment(line.text).strip(" \t") if line else ""


def _record(lines: Lines) -> dict[str, Any]:
    """The JSON object on the next line; empty if there is none."""
    line = lines.peek()
    if line is None or line.fault or not line.text.startswith("{"):
        return {}
    with suppress(InputError):
        return parse_record(line.text, lines.place())
    return {}
