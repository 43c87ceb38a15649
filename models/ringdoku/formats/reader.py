"""Reading an input: finds the puzzles in it, one after another, in one format found out from the first of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from typing import BinaryIO, NamedTuple

from ringdoku.domain.checker import check
from ringdoku.domain.errors import InputError, Place
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.ruleset import classic
from ringdoku.formats.base import Block, Box, Entry, Format, ReadOne
from ringdoku.formats.between import Kind, kind_of, name_of, next_content, without_comment
from ringdoku.formats.lines import Line, Lines
from ringdoku.formats.registry import FORMATS, find_format
from ringdoku.formats.rows import counted
from ringdoku.formats.rules import Rules, option_lines, refuse_below
from ringdoku.formats.titles import is_above_puzzle, is_text, no_puzzle

_COUNT = re.compile(r"[0-9]{1,15}")
"""Shorter than any puzzle on a line but the smallest."""
_MOST_DIGITS = 7
_BLANKS = re.compile("[ \t]+")


def read(
    stream: BinaryIO,
    file: str = "<stdin>",
    format: str | None = None,  # noqa: A002  the word that users know
    box: Box = None,
    verify: bool = True,
    rules: Sequence[str] = (),
) -> Iterator[Entry | InputError]:
    """The puzzles of a stream as they come, and what is malformed in their midst, with its place.

    Nothing is read further ahead than the format's detection needs, so memory does not grow with the input. After an
    error reading goes on at the next puzzle. `format` is a name of `FORMATS`; `box` = (height, width) is needed where
    the order is no square number and no drawing shows the boxes. With `verify` a solution that came with a puzzle and
    does not solve it is an error too. `rules` are lines of our text form that are added to those of every puzzle.
    Raises `UsageError` for an unknown format or rule, `DimensionError` for an impossible box.
    """
    if box:
        classic(box[0] * box[1], box)
    return _read(Lines(stream, file), find_format(format) if format else None, box, verify, option_lines(rules))


def parse_one(text: str, box: Box = None) -> Puzzle:
    """The one puzzle in a text. Raises `InputError` when there is none or more than one, or it is malformed."""
    entries = read(BytesIO(text.encode("utf-8", "surrogatepass")), "<text>", None, box)
    first = next(entries)
    if isinstance(first, InputError):
        raise first
    second = next(entries, None)
    if isinstance(second, Entry):
        raise InputError(second.place, "a second puzzle", "one only")
    if second is not None:
        raise second
    return first.puzzle


class Gap(NamedTuple):
    """What stood before the next puzzle. `ended`: there is none."""

    name: str
    blank: bool
    fault: InputError | None
    ended: bool
    rules: tuple[Line, ...] = ()


@dataclass(frozen=True)
class _Promise:
    """A count line."""

    count: int
    line: int

    def __str__(self) -> str:
        return f"{counted(self.count, 'puzzle')}, as line {self.line} says"


def _read(
    lines: Lines, chosen: Format | None, box: Box, verify: bool, added: tuple[str, ...]
) -> Iterator[Entry | InputError]:
    form: Format | None = None
    read_one: ReadOne | None = None
    promise: _Promise | None = None
    found = faults = order = 0
    name = ""
    none = rules = Rules((), added, lines.file)
    while not (gap := skip(lines)).ended:
        if order > 1 and _is_closing(lines):
            break
        name = gap.name or name
        rules = rules.and_more(gap.rules)
        if gap.fault:
            faults += 1
            yield gap.fault
            continue
        shape = rules.shape(box, lines)
        if form is None and promise is None and shape.board is None:
            try:
                promise = _promise(lines)
            except InputError as error:
                faults += 1
                yield error
                continue
            if promise:
                continue
        if shape.board is None and (form is None or read_one is None or form.is_heading(lines)):
            form = form or chosen or detect(lines, shape.box)
            read_one = form.open(lines, box)
            continue
        found += 1
        if promise and found == promise.count + 1:
            yield InputError(lines.place(), "a further puzzle", str(promise))
        place = lines.place(0)
        item: Entry | InputError
        try:
            own = read_one if form is None or shape.box == box else form.open(lines, shape.box)
            block = rules.read(lines, own, shape)
            if verify:
                _verify(block, place)
            # puzzles of one line each are one beneath the other, whatever stood between them
            apart = gap.blank and found > 1 and block.layout.row_end
            layout = replace(block.layout, gap=True) if apart else block.layout
            item = Entry(block.puzzle, layout, place, block.solution, block.name or name)
            order = block.puzzle.order
        except InputError as error:
            item = error
        yield item
        name, rules = "", none
    if gap.fault:
        yield gap.fault
    if left := rules.and_more(gap.rules).lines:
        faults += 1
        yield InputError(Place(lines.file, left[0].number, 1), "a rule", "a grid below it")
    if promise and found < promise.count:
        yield InputError(lines.place(), f"the end of the input after {found}", str(promise))
    elif not (found or faults or gap.fault):
        yield InputError(lines.place(), "the end of the input", "a puzzle")


def _is_closing(lines: Lines) -> bool:
    """Whether the input ends with a lone 0, which some judges put there; alone it would be a puzzle of order 1."""
    line = lines.peek()
    return line is not None and line.text.strip(" \t") == "0" and next_content(lines, 0) is None


def _verify(block: Block, place: Place) -> None:
    if block.solution is not None and (violations := check(block.puzzle, block.solution)):
        where = Place(place.file, place.line, block.solution_column)
        raise InputError(where, f"a wrong solution: {violations[0]}", "one of this puzzle")


def skip(lines: Lines, until: Callable[[str], bool] = lambda _: False) -> Gap:
    """Takes all lines up to the next puzzle, or up to one of which `until` holds."""
    name, blank, fault = "", False, None
    rules: list[Line] = []
    while line := lines.peek():
        kind = kind_of(line.text)
        if kind not in (Kind.RULE, Kind.COMMENT, Kind.CONTENT):
            fault = fault or refuse_below(lines, rules)
        match kind:
            case Kind.CONTENT if until(line.text) or not is_text(lines):
                return Gap(name, blank, fault, False, tuple(rules))
            case Kind.CONTENT if not is_above_puzzle(lines):
                fault = fault or line.fault or no_puzzle(lines)
                lines.take()
                return Gap(name, blank, fault, False, tuple(rules))
            case Kind.END:
                break
            case Kind.BLANK:
                blank = True
            case Kind.HEADER:
                name = name_of(line.text) or name
            case Kind.RULE:
                # what is wrong with it is wrong with its puzzle
                rules.append(line)
                lines.take()
                continue
            case Kind.SECTION if "puzzle" not in line.text.lower():
                _skip_section(lines)
        fault = fault or line.fault
        lines.take()
    fault = fault or refuse_below(lines, rules)
    return Gap(name, blank, fault, True, tuple(rules))


def _skip_section(lines: Lines) -> None:
    """Takes lines until a section, or nothing, comes after the one taken last."""
    while (following := lines.peek(1)) and kind_of(following.text) is not Kind.SECTION:
        lines.take()


def _promise(lines: Lines) -> _Promise | None:
    """Takes the next line when it is a count: one number, and what follows is not of the same shape.

    Two equally long lines of digits are rows. One-character lines are puzzles of order 1, unless the first is above 1.
    Raises `InputError` for a count beyond all use.
    """
    line = lines.peek()
    assert line is not None
    text = without_comment(line.text).strip(" \t")
    if not _COUNT.fullmatch(text):
        return None
    content = next_content(lines, 0)
    following = _BLANKS.sub("", without_comment(content[1].text)) if content else ""
    if not following or (len(following) == len(text) and (len(text) > 1 or text in "01")):
        return None
    place = lines.place()
    lines.take()
    if len(text) > _MOST_DIGITS:
        expected = f"a count of at most {_MOST_DIGITS} digits, or a row as long as the next"
        raise InputError(place, f"a number of {len(text)} digits", expected)
    return _Promise(int(text), line.number)


def detect(lines: Lines, box: Box) -> Format:
    """The format of the puzzle that starts at the next line."""
    return next(entry for entry in FORMATS.values() if entry.recognises(lines, box))
