"""Find the puzzles of an input, one after another. The first of them shows the format of all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from io import BytesIO
from typing import BinaryIO, NamedTuple, TypeAlias, cast

from ringdoku.domain.checker import check, sentence
from ringdoku.domain.errors import InputError, Place, UsageError
from ringdoku.domain.numbers import counted
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.ruleset import classic
from ringdoku.text.alphabets import starts_at_zero
from ringdoku.text.base import Block, Box, Entry, Format, ReadOne
from ringdoku.text.batch import Batch
from ringdoku.text.between import Kind, is_telling, kind_of, name_of, next_content, title_of
from ringdoku.text.counts import FirstLine, Promise, take_count, take_first, take_size
from ringdoku.text.line import LineReader
from ringdoku.text.lines import Line, Lines
from ringdoku.text.pastes import PASTES, Paste
from ringdoku.text.pasting import MAX_PASTE, Head, ReadText, read_paste, stream_paste
from ringdoku.text.registry import FORMATS, find_format
from ringdoku.text.rows import SingleCellError
from ringdoku.text.rules import Rules, option_lines, refuse_below
from ringdoku.text.shared import begins_shared, read_shared
from ringdoku.text.source import Source
from ringdoku.text.symbols import quoted
from ringdoku.text.titles import is_above_puzzle, is_below_all, is_text, no_puzzle

Item: TypeAlias = Entry | Batch | InputError
"""What is read: puzzles one by one or many at once, and what is malformed."""


@dataclass(frozen=True)
class ReadOptions:
    """What is known of an input, and asked of its reader; `read` says what each means."""

    format: str | None = None
    box: Box = None
    verify: bool = True
    rules: Sequence[str] | None = None
    ignore: bool = False
    first_line: str | None = None
    note: Callable[[Place, str], None] = lambda _place, _message: None
    """Is told of text that is passed over."""


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
) -> Iterator[Entry | InputError]:
    """Yields the puzzles of a stream one by one, and an error with its place for each malformed one.

    It reads no further ahead than detecting the format needs, so memory does not grow with the input. After an error it
    goes on with the next puzzle. `format` is a name of `FORMATS`. `box` = (height, width) is needed if the order is not
    a square number and no drawing shows the boxes. With `verify` a wrong solution beside a puzzle is an error too.
    `rules` are lines of our text form that are added to those of every puzzle. Links and texts of other programs are
    read too; with `ignore` also those that are not understood in full.
    `first_line` says what the first line is: `order`, `count` or `none`, as in `FirstLine`.
    Raises `UsageError` for an unknown format, rule or kind of first line, `DimensionError` for an impossible box.
    """
    options = ReadOptions(format, box, verify, rules, ignore, first_line)
    # no batches come from a stream that does not ask for them
    items = read_source(stream, file, options)  # type: ignore[arg-type]
    return cast("Iterator[Entry | InputError]", items)


def read_source(source: Source, file: str, options: ReadOptions = AS_THEY_ARE) -> Iterator[Item]:
    """As `read`, from a source that may ask for puzzles on lines of one kind `together`."""
    if box := options.box:
        classic(box[0] * box[1], box)
    if options.first_line not in (None, *(kind.value for kind in FirstLine)):
        kinds = ", ".join(kind.value for kind in FirstLine)
        raise UsageError(f"the first line is {kinds}, not {options.first_line!r}")
    paste = PASTES.get(options.format or "")
    chosen = find_format(options.format) if options.format and not paste else None
    added = option_lines(options.rules or ())

    def again(text: BinaryIO) -> Iterator[Item]:
        lines = Lines(text, file)
        lines.first_line = options.first_line
        lines.note = options.note
        return _read_any(lines, chosen, added, options)

    # all of them ask for what both kinds of stream have
    stream = cast("BinaryIO", source)
    if paste:
        return _read_as(paste, stream, file, cast("ReadText", again))
    if chosen:
        return again(stream)
    return _read_or_paste(stream, file, again)


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


def _read_any(lines: Lines, chosen: Format | None, added: tuple[str, ...], options: ReadOptions) -> Iterator[Item]:
    # nothing is read before the first puzzle is asked for: it may not have been sent yet
    if chosen is None and begins_shared(lines):
        yield from read_shared(lines, added, options.ignore)
    else:
        yield from _read(lines, chosen, added, options.box, options.verify)


def _read_or_paste(stream: BinaryIO, file: str, again: Callable[[BinaryIO], Iterator[Item]]) -> Iterator[Item]:
    """What the formats read; what paste grammars read if the first thing that these find is an error."""
    head = Head(stream)
    items = again(head)  # type: ignore[arg-type]  # the reader asks for lines alone
    first = next(items, None)
    if isinstance(first, InputError):
        parts, complete = head.whole()
        text = cast("ReadText", again)
        pasted = read_paste(b"".join(parts), file, text) if complete else stream_paste(parts, head, file, text)
        if isinstance(pasted, InputError):
            yield pasted
            return
        if pasted is not None:
            yield from pasted
            return
    head.forget()
    if first is not None:
        yield first
        yield from items


def _read_as(paste: Paste, stream: BinaryIO, file: str, again: ReadText) -> Iterator[Entry | InputError]:
    raw = stream.read(MAX_PASTE + 1)
    if len(raw) > MAX_PASTE:
        yield InputError(Place(file), f"more than {MAX_PASTE} bytes to read as {paste.name}", "less")
        return
    pasted = read_paste(raw, file, again, paste)
    if isinstance(pasted, InputError):
        yield pasted
    elif pasted is not None:
        yield from pasted


class Gap(NamedTuple):
    """What came before the next puzzle. `ended`: there is no next puzzle."""

    name: str
    blank: bool
    fault: InputError | None
    ended: bool
    rules: tuple[Line, ...] = ()


def _read(lines: Lines, chosen: Format | None, added: tuple[str, ...], box: Box, verify: bool) -> Iterator[Item]:
    form: Format | None = None
    read_one: ReadOne | None = None
    promise: Promise | None = None
    asked = FirstLine(lines.first_line) if lines.first_line else None
    has_none = asked is FirstLine.NONE
    asked = None if has_none else asked
    alphabets = _Alphabets(lines)
    found = faults = order = 0
    name = ""
    none = rules = Rules((), added, lines.file)
    lines.single_cells = chosen is not None or box == (1, 1)
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
        is_row = has_none and not (found or faults)
        first = form is None and promise is None and not is_row
        try:
            if asked and shape.board is None:
                said, asked = asked, None
                promise = take_first(lines, said)
                continue
            if first and shape.board is None and (promise := take_count(lines)):
                continue
        except InputError as error:
            faults += 1
            yield error
            continue
        if shape.board is None and not is_row and (size := take_size(lines, may_be_count=first)):
            if promise and promise.count == size:
                # the first number was a size too
                promise = None
            continue
        lines.begun = bool(promise or found or faults)
        if shape.board is None and (form is None or read_one is None or form.is_heading(lines)):
            form = form or chosen or detect(lines, shape.box)
            read_one = form.open(lines, box)
            continue
        as_usual = not (promise or name or rules.texts or shape.board) and shape.box == box
        if as_usual and isinstance(read_one, LineReader) and (batch := read_one.batch(lines, lines.together)):
            found, order = found + len(batch), batch.ruleset.order
            alphabets.learn_batch(batch)
            lines.after_grid = lines.number
            yield batch
            continue
        found += 1
        if promise and found == promise.count + 1:
            yield InputError(lines.place(), "a further puzzle", str(promise))
        place = lines.place(0)
        item: Entry | InputError
        try:
            own = read_one if form is None or shape.box == box else form.open(lines, shape.box)
            block = rules.read(lines, own, shape)
            _refuse_zero(block, place)
            alphabets.learn(block, place)
            if verify:
                _verify(block, place)
            # puzzles of one line each are printed without blank lines between them
            apart = gap.blank and found > 1 and block.layout.row_end
            layout = replace(block.layout, gap=True) if apart else block.layout
            item = Entry(block.puzzle, layout, place, block.solution, block.name or name)
            order = block.puzzle.order
        except InputError as error:
            item = error
            if isinstance(error, SingleCellError) and not order:
                # it shows no format
                form = read_one = None
        yield item
        name, rules = "", none
    if gap.fault:
        yield gap.fault
    if left := rules.and_more(gap.rules).lines:
        faults += 1
        yield rules.alone(left[0])
    if promise and found < promise.count:
        yield InputError(lines.place(), f"the end of the input after {found}", promise.broken(found, order))
    elif not (found or faults or gap.fault):
        yield InputError(lines.place(), "the end of the input", "a puzzle")


class _Alphabets:
    """What the puzzles of an input show of the way digits are written, for those that do not show it."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self._assumed: dict[int, Place] = {}
        """For each order the first puzzle with neither `0` nor symbol n: it was read with digits from 1."""

    def learn(self, block: Block, place: Place) -> None:
        """Raises `InputError` when digits start at `0` here, but an earlier puzzle was read as if they did not."""
        order, layout = block.puzzle.order, block.layout
        if not block.puzzle.board.is_plain:
            # its rules say which digits it has
            return
        if starts_at_zero(layout.symbols):
            self._lines.zero_order = order
            if before := self._assumed.pop(order, None):
                expected = f"digits from 1, as line {before.line} was read; a puzzle with a 0 has to come before it"
                raise InputError(place, "digits from 0", expected)
        elif layout.blank.startswith("0") or layout.format == "json" or order in block.puzzle.clues.digits:
            if self._lines.zero_order == order:
                self._lines.zero_order = 0
        else:
            self._assumed.setdefault(order, place)

    def learn_batch(self, batch: Batch) -> None:
        """As `learn`; none of its puzzles starts at `0`."""
        if batch.ruleset.order not in self._assumed and (place := batch.undecided()):
            self._assumed[batch.ruleset.order] = place


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


def skip(lines: Lines, until: Callable[[str], bool] = lambda _: False) -> Gap:
    """Takes all lines up to the next puzzle, or up to a line for which `until` is true."""
    header, blank, fault = "", False, None
    titles = _Titles()
    rules: list[Line] = []
    ended = True
    while line := lines.peek():
        kind = kind_of(line.text)
        if kind not in (Kind.RULE, Kind.COMMENT, Kind.CONTENT):
            fault = fault or refuse_below(lines, rules)
        match kind:
            case Kind.CONTENT if until(line.text) or not is_text(lines):
                ended = False
                break
            case Kind.CONTENT if lines.after_grid and is_below_all(lines):
                while line := lines.take():
                    titles.add(line)
                break
            case Kind.CONTENT if not is_above_puzzle(lines):
                fault = fault or line.fault or no_puzzle(lines)
                lines.take()
                ended = False
                break
            case Kind.CONTENT if is_telling(line.text):
                rules.append(line)
            case Kind.CONTENT:
                titles.add(line)
            case Kind.END:
                break
            case Kind.BLANK:
                blank = True
            case Kind.HEADER:
                header = name_of(line.text) or header
            case Kind.RULE:
                # what is wrong with it is wrong with its puzzle
                rules.append(line)
                lines.take()
                continue
            case Kind.SECTION if "puzzle" not in line.text.lower():
                _skip_section(lines)
        fault = fault or line.fault
        lines.take()
    if ended:
        fault = fault or refuse_below(lines, rules)
    return Gap(titles.name(lines, header, ended), blank, fault, ended, tuple(rules))


class _Titles:
    """The lines of free text between two puzzles: the first is the title of the lower one unless a header names it."""

    def __init__(self) -> None:
        self._first: list[Line] = []
        self._count = 0

    def add(self, line: Line) -> None:
        if title_of(line.text):
            self._count += 1
            self._first = [*self._first, line][:2]

    def name(self, lines: Lines, header: str, ended: bool) -> str:
        """The name of the puzzle below. What is passed over is noted."""
        used = bool(self._first) and not header and not ended
        name = title_of(self._first[0].text) if used else header
        if over := self._first[used:]:
            more = f" and {counted(self._count - used - 1, 'more line')}" if self._count - used > 1 else ""
            why = "below the last puzzle" if ended else f"the title is {quoted(name)}"
            lines.note(
                Place(lines.file, over[0].number), f"the text {quoted(title_of(over[0].text))}{more} is not used: {why}"
            )
        return name


def _skip_section(lines: Lines) -> None:
    """Takes lines until the next but one starts a section, or the input ends."""
    while (following := lines.peek(1)) and kind_of(following.text) is not Kind.SECTION:
        lines.take()


def detect(lines: Lines, box: Box) -> Format:
    """The format of the puzzle that starts at the next line."""
    return next(entry for entry in FORMATS.values() if entry.recognises(lines, box))
