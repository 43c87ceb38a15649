"""Find the puzzles of an input, one after another. The first of them shows the format of all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from io import BytesIO
from types import MappingProxyType
from typing import BinaryIO, TypeAlias

from ringdoku.domain.checker import check, sentence
from ringdoku.domain.errors import InputError, Place, UsageError
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.ruleset import classic
from ringdoku.text.base import Block, Box, Entry, Format, Shape
from ringdoku.text.between import next_content
from ringdoku.text.cells import starts_at_zero
from ringdoku.text.counts import FirstLine, Promise, take_count, take_first, take_size
from ringdoku.text.json_lines import is_record, read_record
from ringdoku.text.layout import layout_named, puzzle_text
from ringdoku.text.line import header_of, is_line, read_line
from ringdoku.text.lines import Lines
from ringdoku.text.pastes import MAX_PASTE, PASTES, read_paste, rewritten_lines
from ringdoku.text.rows import SingleCellError, is_drawing, is_packed, is_spaced, read_rows
from ringdoku.text.rules import Rules, option_lines
from ringdoku.text.shared import begins_shared, read_shared
from ringdoku.text.source import Source
from ringdoku.text.titles import Gap, skip

FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        form.name: form
        for form in (
            Format("json", "one object a line, with the key grid", is_record, read_record),
            Format("boxed", "a drawing with | - + as borders", is_drawing, partial(read_rows, "boxed")),
            Format("line", "n² characters on one line; also CSV with such columns", is_line, read_line),
            Format("packed", "n lines of n characters", is_packed, partial(read_rows, "packed")),
            Format(
                "spaced",
                "n lines of n numbers, separated by spaces, tabs or commas",
                is_spaced,
                partial(read_rows, "spaced"),
            ),
        )
    }
)
"""Input formats by name, in the order in which they are tried; the last one recognises every text."""

Note: TypeAlias = Callable[[Place, str], None]
"""Is told of text that is passed over."""

Item: TypeAlias = Entry | InputError
"""What is read: puzzles, and what is malformed."""


@dataclass(frozen=True)
class ReadOptions:
    """What is known of an input, and asked of its reader.

    - `format` is a name of `FORMATS` or `PASTES`; without one it is found out.
    - `box` = (height, width) is needed if the order is not a square number and no drawing shows the boxes.
    - `verify`: a wrong solution beside a puzzle is an error.
    - `rules` are lines of our text form that are added to those of every puzzle.
    - `ignore`: links and texts of other programs are read even if they are not understood in full.
    - `first_line` says what the first line is: `order`, `count` or `none`, as in `FirstLine`.
    - `note` is told of text that is passed over.
    """

    format: str | None = None
    box: Box = None
    verify: bool = True
    rules: Sequence[str] | None = None
    ignore: bool = False
    first_line: str | None = None
    note: Callable[[Place, str], None] = lambda _place, _message: None


AS_THEY_ARE = ReadOptions()


def read(
    stream: BinaryIO,
    file: str = "<stdin>",
    format: str | None = None,  # noqa: A002  the word that users know
    box: Box = None,
    verify: bool = True,
    rules: Sequence[str] = (),
    ignore: bool = False,
    first_line: str | None = None,
) -> Iterator[Item]:
    """Yields the puzzles of a stream one by one, and an error with its place for each malformed one.

    It reads no further ahead than detecting the format needs, so memory does not grow with the input. After an error it
    goes on with the next puzzle. `ReadOptions` says what the other values mean.
    Raises `UsageError` for an unknown format, rule or kind of first line, `DimensionError` for an impossible box.
    """
    options = ReadOptions(format, box, verify, rules, ignore, first_line)
    return read_source(Source(stream), file, options)


def read_source(source: Source, file: str, options: ReadOptions = AS_THEY_ARE) -> Iterator[Item]:
    """As `read`, with options in one object."""
    if box := options.box:
        classic(box[0] * box[1], box)
    if options.first_line not in (None, *(kind.value for kind in FirstLine)):
        kinds = ", ".join(kind.value for kind in FirstLine)
        raise UsageError(f"the first line is {kinds}, not {options.first_line!r}")
    paste = PASTES.get(options.format or "")
    if options.format and not paste and options.format not in FORMATS:
        raise UsageError(f"there is no format {options.format!r}; there are {', '.join((*FORMATS, *PASTES))}")
    added = option_lines(options.rules or ())
    if options.format and not paste:
        return _read(source, file, added, options)
    return _read_or_paste(source, file, added, replace(options, format=None), options.format)


def parse_one(text: str, box: Box = None) -> Puzzle:
    """The only puzzle in a text. Raises `InputError` if there is none or more than one, or if it is malformed."""
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


def read_puzzles(text: str | bytes, box: Box = None) -> Iterator[Puzzle]:
    """The puzzles in a text of any format, one after the other.

    Raises `InputError` at the first that is malformed, and where there is none; `UsageError` for what is no text.
    """
    if not isinstance(text, (str, bytes)):
        raise UsageError(f"puzzles are read from a text, not from {type(text).__name__}")
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    for item in read(BytesIO(data), "<text>", None, box):
        if isinstance(item, InputError):
            raise item
        yield item.puzzle


def write_puzzles(puzzles: Iterable[Puzzle], format: str = "line") -> str:  # noqa: A002  the word that users know
    """The puzzles as text that is read again, in a format of `ringdoku.text.FORMATS`.

    Raises `UsageError` for an unknown format, for an order that is too large for it, and for what is no `Puzzle`.
    """
    texts: list[str] = []
    accepted = "puzzles are a list of Puzzle, which parse makes of a text"
    if not isinstance(puzzles, Iterable):
        raise UsageError(f"{accepted}, not {type(puzzles).__name__}")
    for puzzle in puzzles:
        if not isinstance(puzzle, Puzzle):
            raise UsageError(f"{accepted}, not of {type(puzzle).__name__}")
        text = puzzle_text(puzzle, layout_named(format, puzzle.ruleset))
        texts.append(f"\n{text}" if texts and text.count("\n") > 1 else text)
    return "".join(texts)


def detect(lines: Lines, shape: Shape) -> Format:
    """The format of the puzzle that starts at the next line."""
    return next(form for form in FORMATS.values() if form.recognises(lines, shape))


def _read(source: Source, file: str, added: tuple[str, ...], options: ReadOptions) -> Iterator[Item]:
    # nothing is read before the first puzzle is asked for: it may not have been sent yet
    lines = Lines(source, file)
    lines.note = options.note
    if options.format is None and begins_shared(lines):
        yield from read_shared(lines, added, options.ignore)
    else:
        yield from _Reader(lines, added, options).items()


def _read_or_paste(
    source: Source, file: str, added: tuple[str, ...], options: ReadOptions, paste: str | None
) -> Iterator[Item]:
    """What the formats read; what paste grammars read if the first thing that these find is an error, or one is
    chosen."""

    early: list[tuple[Place, str]] = []
    decided = False

    def note(place: Place, message: str) -> None:
        if decided:
            options.note(place, message)
        else:
            early.append((place, message))

    def again(text: BinaryIO, note: Note) -> Iterator[Item]:
        return _read(Source(text), file, added, replace(options, note=note))

    source.keep(MAX_PASTE)
    items = _read(source, file, added, replace(options, note=note))
    first = None if paste else next(items, None)
    if (isinstance(first, InputError) or paste) and source.rewind():
        source.hold(MAX_PASTE + 1)
        raw = bytes(source.held)
        pasted: Iterable[Item] | None = None
        if len(raw) <= MAX_PASTE:
            pasted = read_paste(raw, file, again, options.note, paste)
        elif paste:
            pasted = [InputError(Place(file), f"more than {MAX_PASTE} bytes to read as {paste}", "less")]
        elif rewritten := rewritten_lines(raw, source, file, again):
            source.keep(0)
            pasted = again(rewritten, options.note)
        if pasted is not None:
            yield from pasted
            return
        # the error comes again
        early.clear()
        items = _read(source, file, added, replace(options, note=note))
        first = next(items, None)
    source.keep(0)
    for place, message in early:
        options.note(place, message)
    decided = True
    if first is not None:
        yield first
        yield from items


class _Reader:
    """Reads puzzle after puzzle, and remembers what those before have shown."""

    def __init__(self, lines: Lines, added: tuple[str, ...], options: ReadOptions) -> None:
        self._lines = lines
        self._options = options
        self._chosen = FORMATS[options.format] if options.format else None
        self._form: Format | None = None
        self._promise: Promise | None = None
        self._first = FirstLine(options.first_line) if options.first_line else None
        self._found = self._faults = self._order = 0
        self._name = ""
        self._none = self._rules = Rules((), added, lines.file)
        self._assumed: dict[int, Place] = {}
        """For each order the first puzzle with neither `0` nor symbol n: it was read with digits from 1."""
        lines.single_cells = options.format is not None or options.box == (1, 1)

    def items(self) -> Iterator[Item]:
        """All that is found, up to the end of the input."""
        lines = self._lines
        while not (gap := skip(lines)).ended and not (self._order > 1 and _is_closing(lines)):
            self._name = gap.name or self._name
            self._rules = self._rules.and_more(gap.rules)
            if gap.fault:
                self._faults += 1
                yield gap.fault
                continue
            shape = self._rules.shape(self._options.box, lines)
            try:
                if shape.board is None and self._take_heading():
                    continue
            except InputError as error:
                self._faults += 1
                yield error
                continue
            self._found += 1
            if self._promise and self._found == self._promise.count + 1:
                yield InputError(lines.place(), "a further puzzle", str(self._promise))
            try:
                yield self._entry(gap, shape)
            except InputError as error:
                if isinstance(error, SingleCellError) and not self._order:
                    # it shows no format
                    self._form = None
                yield error
            self._name, self._rules = "", self._none
        yield from self._missing(gap)

    def _take_heading(self) -> bool:
        """Takes the next line if it is a number of puzzles, the size of the next one, or the names of columns. Raises
        `InputError`."""
        lines, asked = self._lines, self._first
        if asked is not FirstLine.NONE or self._found or self._faults:
            first = self._form is None and self._promise is None
            if asked and asked is not FirstLine.NONE:
                self._first = None
                self._promise = take_first(lines, asked)
                return True
            if first and (promise := take_count(lines)):
                self._promise = promise
                return True
            if size := take_size(lines, may_be_count=first):
                if self._promise and self._promise.count == size:
                    # the first number was a size too
                    self._promise = None
                return True
        if (self._form or self._chosen) in (None, FORMATS["line"]) and (columns := header_of(lines)):
            self._form = FORMATS["line"]
            lines.columns = columns
            lines.take()
            return True
        return False

    def _entry(self, gap: Gap, shape: Shape) -> Entry:
        """Takes the next puzzle. Raises `InputError`."""
        lines = self._lines
        form = self._form or self._chosen or detect(lines, shape)
        if shape.board:
            form = detect(lines, shape)
        else:
            self._form = form
        place = lines.place(0)
        block = self._rules.read(lines, form, shape)
        _refuse_zero(block, place)
        self._learn(block, place)
        if self._options.verify:
            _verify(block, place)
        # puzzles of one line each are printed without blank lines between them
        apart = gap.blank and self._found > 1 and block.layout.row_end
        layout = replace(block.layout, gap=True) if apart else block.layout
        self._order = block.puzzle.order
        return Entry(block.puzzle, layout, place, block.solution, block.name or self._name)

    def _learn(self, block: Block, place: Place) -> None:
        """Raises `InputError` when digits start at `0` here, but an earlier puzzle was read as if they did not."""
        order, layout, lines = block.puzzle.order, block.layout, self._lines
        if not block.puzzle.board.is_plain:
            # its rules say which digits it has
            return
        if starts_at_zero(layout.symbols):
            lines.zero_order = order
            if before := self._assumed.pop(order, None):
                expected = f"digits from 1, as line {before.line} was read; a puzzle with a 0 has to come before it"
                raise InputError(place, "digits from 0", expected)
        elif layout.blank.startswith("0") or layout.format == "json" or order in block.puzzle.clues.digits:
            if lines.zero_order == order:
                lines.zero_order = 0
        else:
            self._assumed.setdefault(order, place)

    def _missing(self, gap: Gap) -> Iterator[InputError]:
        """What is wrong at the end of the input."""
        lines = self._lines
        if gap.fault and gap.ended:
            yield gap.fault
        if left := self._rules.and_more(gap.rules).lines:
            yield self._rules.alone(left[0])
        if self._promise and self._found < self._promise.count:
            expected = self._promise.broken(self._found, self._order)
            yield InputError(lines.place(), f"the end of the input after {self._found}", expected)
        elif not (self._found or self._faults or left or gap.fault):
            yield InputError(lines.place(), "the end of the input", "a puzzle")


def _is_closing(lines: Lines) -> bool:
    """Whether the next line is a 0 that ends the input, as some judges write it."""
    line = lines.peek()
    return line is not None and line.text.strip(" \t") == "0" and next_content(lines, 0) is None


def _refuse_zero(block: Block, place: Place) -> None:
    """Digits written from 0 are names of 1..n, which is nothing that rules about their values could mean."""
    puzzle, symbols = block.puzzle, block.layout.symbols
    if puzzle.board.is_plain and symbols[:1] and symbols[0] == "0" and not puzzle.ruleset.classic_box:
        found = "digits written from 0 beside rules"
        expected = f"a line such as: board {puzzle.order}x{puzzle.order} digits 0-{puzzle.order - 1}"
        raise InputError(place, found, expected)


def _verify(block: Block, place: Place) -> None:
    if block.solution is not None and (violations := check(block.puzzle, block.solution)):
        where = Place(place.file, place.line, block.solution_column)
        name = partial(block.layout.name, block.puzzle.board)
        raise InputError(where, f"a wrong solution: {sentence(violations[0], name)}", "one of this puzzle")
