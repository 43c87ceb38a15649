"""Find the puzzles of an input, one after another. The first of them shows the format of all."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from io import BytesIO
from itertools import chain, count, islice, takewhile
from math import isqrt, prod
from typing import Any, BinaryIO, NamedTuple, TypeVar
from warnings import warn

from ringdoku.domain import InputError, Place, Puzzle, UsageError, classic, write_constraint
from ringdoku.domain.checker import check
from ringdoku.domain.errors import expect, listed, refuse, shortened, whole_numbers
from ringdoku.text.between import Gap, Rules, declared, is_count, option_lines, rule_in, size_at, skip
from ringdoku.text.cells import BLANKS, quoted
from ringdoku.text.formats import Box, Entry, Item, Note, Shape, is_line, read_line
from ringdoku.text.layout import layout_named, puzzle_text
from ringdoku.text.lines import LOOK_AHEAD, Kind, Lines, Source, holds_puzzle
from ringdoku.text.records import is_record, read_record, record_in
from ringdoku.text.rows import is_drawing, is_packed, read_rows

Good = TypeVar("Good")


class Format(NamedTuple):
    """One way to write puzzles.

    - `recognises`: is the puzzle that starts at the next line in this format? It looks ahead as little as it can.
    - `read` takes the lines of that puzzle. It raises `InputError` for a malformed one, after taking the lines that
      seem to belong to it, at least one.
    """

    name: str
    summary: str
    recognises: Callable[[Lines, Shape], bool]
    read: Callable[[Lines, Shape], Entry]


_SPACED = "n lines of n numbers, separated by spaces, tabs or commas"
FORMATS: Mapping[str, Format] = {
    form.name: form
    for form in (
        Format("json", "one object a line, with the key grid", is_record, read_record),
        Format("boxed", "a drawing with | - + as borders", is_drawing, partial(read_rows, "boxed")),
        Format("line", "n² characters on one line, also among other fields, as in CSV", is_line, read_line),
        Format("packed", "n lines of n characters", is_packed, partial(read_rows, "packed")),
        Format("spaced", _SPACED, lambda _lines, _shape: True, partial(read_rows, "spaced")),
    )
}
"""Input formats by name, in the order in which they are tried; the last one recognises every text."""


@dataclass(frozen=True)
class ReadOptions:
    """What is known of an input, and asked of its reader.

    - `format` is a name of `FORMATS`; without one it is found out.
    - `box` = (height, width) is needed if the order is not a square number and no drawing shows the boxes.
    - `verify`: a wrong solution beside a puzzle is an error.
    - `rules` are lines of our text form that are added to those of every puzzle.
    - `ignore`: puzzles are read even if they are not understood in full.
    - `note` is told of text that is passed over.
    """

    format: str | None = None
    box: Box = None
    verify: bool = True
    rules: Sequence[str] | None = None
    ignore: bool = False
    note: Callable[[Place, str], None] = lambda _place, _message: None


def read(
    stream: BinaryIO | Source, file: str = "<stdin>", options: ReadOptions | None = None
) -> Iterator[Entry | InputError]:
    """Yields the puzzles of a stream one by one, and an error with its place for each malformed one.

    It reads no further ahead than detecting the format needs, so memory does not grow with the input. After an error it
    goes on with the next puzzle.
    Raises `UsageError` for an unknown format or rule, `DimensionError` for an impossible box.
    """
    options = options or ReadOptions()
    if options.box:
        classic(prod(whole_numbers(options.box, "the height and width of a box")), options.box)
    if options.format and options.format not in FORMATS:
        raise UsageError(f"there is no format {options.format!r}; there are {', '.join(FORMATS)}")
    added = option_lines(options.rules or ())
    source = stream if isinstance(stream, Source) else Source(stream)
    items = _read if options.format else _read_or_paste
    return _noted(items(source, file, added, options), options.note)


def _noted(items: Iterable[Item], note: Callable[[Place, str], None]) -> Iterator[Entry | InputError]:
    for item in items:
        if isinstance(item, Note):
            note(item.place, item.text)
            continue
        if isinstance(item, Entry) and item.about:
            from ringdoku.links.rules_text import ENGLISH, unstated

            if not (ENGLISH.search(item.about) or any(unstated(item.about, ()))):
                note(item.place, f"the rules text {quoted(item.about)} is not understood; only rules beside it count")
        yield item


def parse_one(text: str, box: Box = None) -> Puzzle:
    """The only puzzle in a text. Raises `InputError` for none, several or a malformed one, `UsageError` for no text."""
    expect(text, str, "what is parsed")
    first, *others = islice(_entries(text, box), 2)
    if others:
        raise InputError(others[0].place, "a second puzzle", "one only")
    return first.puzzle


def read_puzzles(text: str | bytes, box: Box = None) -> Iterator[Puzzle]:
    """The puzzles in a text of any format, one after the other.

    Raises `InputError` at the first that is malformed, and where there is none; `UsageError` for what is no text.
    """
    refuse(not isinstance(text, (str, bytes)), f"puzzles are read from a text, not from {type(text).__name__}")
    for entry in _entries(text, box):
        yield entry.puzzle


def _entries(text: str | bytes, box: Box) -> Iterator[Entry]:
    """All of a text, with a warning for what is passed over. Raises `InputError` at the first that is malformed, and
    where there is none."""
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    options = ReadOptions(box=box, note=lambda place, text: warn(f"{place}: {text}", stacklevel=5))
    return or_raise(read(BytesIO(data), "<text>", options))


def or_raise(items: Iterable[Good | InputError]) -> Iterator[Good]:
    """What was read. The first error among it is raised."""
    for item in items:
        if isinstance(item, InputError):
            raise item
        yield item


def write_puzzles(puzzles: Iterable[Puzzle], format: str = "line") -> str:  # noqa: A002  the word that users know
    """The puzzles as text that is read again, in a format of `ringdoku.text.FORMATS`.

    Raises `UsageError` for an unknown format, for an order that is too large for it, and for what is no `Puzzle`.
    """
    texts: list[str] = []
    for puzzle in listed(puzzles, "puzzles"):
        expect(puzzle, Puzzle, "what is written")
        text = puzzle_text(puzzle, layout_named(format, puzzle.ruleset))
        texts.append(f"\n{text}" if texts and text.count("\n") > 1 else text)
    return "".join(texts)


def detect(lines: Lines, shape: Shape) -> Format:
    return next(form for form in FORMATS.values() if form.recognises(lines, shape))


def _read(source: Source, file: str, added: tuple[str, ...], options: ReadOptions) -> Iterator[Item]:
    # nothing is read before the first puzzle is asked for: it may not have been sent yet
    lines = Lines(source, file)
    if options.format is None and _begins_shared(lines):
        yield from _read_shared(lines, added, options.ignore)
    else:
        yield from _Reader(lines, added, options).items()


def _read_or_paste(source: Source, file: str, added: tuple[str, ...], options: ReadOptions) -> Iterator[Item]:
    """What the formats read; what paste readers make of the text if the first thing that these find is an error."""
    source.keeps = True
    items = _read(source, file, added, options)
    begun: list[Item] = []
    for item in items:
        begun.append(item)
        if not isinstance(item, Note):
            break
    pasted: list[Item] = []
    if isinstance(begun[-1], InputError) and (raw := source.whole()) is not None:
        # most inputs do without it
        from ringdoku.text.pastes import read_paste

        pasted = read_paste(raw, file, lambda text: _read(Source(BytesIO(text)), file, added, options))
    source.keeps = False
    yield from pasted or chain(begun, items)


class _Reader:
    """Reads puzzle after puzzle, and remembers what those before have shown."""

    def __init__(self, lines: Lines, added: tuple[str, ...], options: ReadOptions) -> None:
        self._lines = lines
        self._options = options
        self._form = FORMATS[options.format] if options.format else None
        self._count = self._count_line = self._found = self._faults = self._order = 0
        self._said: dict[str, Any] = {}
        self._words: dict[int, str] = {}
        self._none = self._rules = Rules((), added, lines.file)

    def items(self) -> Iterator[Item]:
        lines = self._lines
        while not (gap := skip(lines)).ended:
            if self._order > 1 and lines.peek().bare == "0" and lines.next_content()[1].is_end:
                # a 0 ends the input, as some judges write it
                break
            self._said |= gap.said
            self._words |= gap.words
            yield from gap.notes
            self._rules = self._rules.and_more(gap.rules)
            if gap.fault:
                self._faults += 1
                yield gap.fault
                continue
            shape = self._rules.shape(self._options.box, lines.place(0))
            if shape.board is None and self._take_number():
                continue
            self._found += 1
            if self._count and self._found == self._count + 1:
                yield InputError(lines.place(), "a further puzzle", declared(self._count, self._count_line))
            try:
                entry = self._entry(gap, shape)
                yield from self._slips(gap, entry)
                yield entry
            except InputError as error:
                yield error
            self._said, self._words, self._rules = {}, {}, self._none
        yield from self._missing(gap)

    def _take_number(self) -> bool:
        """Takes the next line if it is a number of puzzles, or the size of the next one."""
        lines, text = self._lines, self._lines.peek().bare
        is_first = not self._found and not self._count and text.isdecimal()
        number = (int(text) if is_count(lines, self._options.box) else 0) if is_first else size_at(lines)
        if is_first and number:
            self._count, self._count_line = number, lines.number
        elif self._count == number:
            # the first number was a size too
            self._count = 0
        if number:
            lines.take()
        return number > 0

    def _entry(self, gap: Gap, shape: Shape) -> Entry:
        """Takes the next puzzle. Raises `InputError`."""
        lines = self._lines
        form = detect(lines, shape) if shape.board or not self._form else self._form
        place = lines.place(0)
        try:
            entry = form.read(lines, shape)
        except InputError as error:
            raise shape.fault or error from None
        finally:
            lines.after_grid = lines.number
        if shape.fault:
            raise shape.fault
        if not shape.board:
            self._form = form
        puzzle = self._rules.on(entry.puzzle, place)
        if self._options.verify and entry.solution is not None and (wrong := check(puzzle, entry.solution)):
            name = partial(entry.layout.name, puzzle.board)
            raise InputError(place, f"a wrong solution: {wrong[0].sentence(name)}", "one of this puzzle")
        # puzzles of one line each are printed without blank lines between them
        apart = gap.blank and self._found > 1 and "\n" in entry.layout.template
        self._order = puzzle.order
        layout = replace(entry.layout, gap=True) if apart else entry.layout
        said = self._said | ({"name": entry.name} if entry.name else {})
        if self._words:
            said |= {"about": "\n".join(self._words.values()), "shared": True}
            self._require_stated(puzzle)
        return replace(entry, puzzle=puzzle, layout=layout, **said)

    def _slips(self, gap: Gap, entry: Entry) -> Iterator[Item]:
        """Notes of a title that names a rule, with any numbers, which no line states, and of cages that look odd."""
        stated = self._rules.texts or (entry.layout.format == "json" and entry.puzzle.ruleset.special)
        name, is_title = re.sub("[0-9]+", "1", entry.name), gap.titles or entry.name != self._said.get("name")
        if is_title and re.search(r"[^\W\d_]", name) and not stated and (rule := rule_in(name)):
            place = Place(self._lines.file, gap.titles[0].number if gap.titles else entry.place.line, 1)
            yield Note(place, f"the title {quoted(entry.name)} names the rule {rule!r}, which no line states")
        rules, board = entry.puzzle.ruleset.special, entry.puzzle.board
        cages = {mark.cells: rule for rule in rules if rule.text == "killer" for mark in rule.marks(board)}
        if told := "; ".join(write_constraint(cages[cells], board) for cells in board.tangled(cages)):
            yield Note(entry.place, f"cages whose cells are apart, or that cross others: {shortened(told, 200)}")

    def _require_stated(self, puzzle: Puzzle) -> None:
        """Raises `InputError` where words speak of a rule that no line states."""
        from ringdoku.links.rules_text import unstated

        for number, text in self._words.items() if not self._options.ignore else ():
            for what, kinds in unstated(text, puzzle.ruleset.constraints):
                if kinds:
                    found = f"{shortened(f'Rules: {text}', 60)!r} (no line states {what})"
                    expected = f"a line such as {kinds[0].example!r} too; --ignore answers the puzzle without it"
                    raise InputError(Place(self._lines.file, number, 1), found, expected)

    def _missing(self, gap: Gap) -> Iterator[Item]:
        """What is wrong at the end of the input."""
        lines, most = self._lines, self._count
        yield from gap.notes
        if lines.is_cut:
            yield Note(lines.place(), "what stands below `end` is not read")
        if gap.fault and gap.ended:
            yield gap.fault
        left = self._rules.and_more(gap.rules)
        if left.lines:
            yield left.alone(lines)
        if self._found < most:
            if self._found == 1 and most in (self._order, isqrt(self._order)):
                place = Place(lines.file, self._count_line)
                yield Note(place, f"{most} is taken for the size of the puzzle, not for the number of puzzles")
            else:
                expected = declared(most, self._count_line)
                yield InputError(lines.place(), f"the end of the input after {self._found}", expected)
        elif not (self._found or self._faults or left.lines or gap.fault):
            yield InputError(lines.place(), "the end of the input", "a puzzle")


# links and files of other programs, which `ringdoku.links` reads

_PLAIN = {*(2 * order**2 + space for order in range(4, 17) for space in (0, 1)), *(order**3 for order in range(3, 10))}
"""Lengths of jigsaws with clues and of lists of candidates."""
_LARGE = re.compile("[0-9A-Z]{400,}")
"""Digits of a puzzle in letters; packed text has small letters too."""
_TO_THE_END = re.compile(r"[{#]|\.{1,3}[A-Z~]")
"""How JSON and the texts for ISS begin, which have several lines."""


def _begins_shared(lines: Lines) -> bool:
    """Whether what comes next is a link or a text of another program."""
    near = map(lines.peek, range(LOOK_AHEAD))
    line = next((line for line in near if line.kind is not Kind.BLANK), lines.peek())
    text = line.text.strip(" \t")
    # most inputs are told apart by their characters, without loading the readers
    usual = not text or text[0].isdigit() or set(text) <= {*BLANKS, *"0123456789 \t|+"} or _LARGE.fullmatch(text)
    if line.fault or (usual and len(text) not in _PLAIN and not text.startswith(("3x3:", "2x3:"))):
        return False
    if "//" in text and holds_puzzle(text) and "Interactive-Sudoku-Solver" not in text:
        # an address with the digits in it
        return False
    from ringdoku.links import is_link

    # no further line is needed to tell what a whole object is
    return is_link(_whole(lines) if text[0] == "{" and not record_in(text) else text)


def _read_shared(lines: Lines, rules: tuple[str, ...], ignore: bool) -> Iterator[Item]:
    """The puzzles of such an input. A link, a packed puzzle, a killer, a jigsaw or a list of candidates stands on one
    line, and there may be several. A text for ISS, and the JSON of f-puzzles and SudokuPad, go on to the end.

    `rules` are added to each; `ignore` accepts one that was not understood in full.
    """
    while not (line := lines.peek()).is_end:
        place, text = lines.place(0), line.text.strip(" \t")
        if _TO_THE_END.match(text):
            text = _whole(lines)
            while not lines.take().is_end:
                pass
        else:
            lines.take()
        try:
            if text:
                yield line.fault or _shared(text, place, Rules((), rules, lines.file), ignore)
        except InputError as error:
            yield error


def _shared(text: str, place: Place, rules: Rules, ignore: bool) -> Entry:
    """The puzzle of a link or a text. Raises `InputError`."""
    from ringdoku.links import read_link

    try:
        shared = read_link(text)
    except UsageError as error:
        raise InputError(place, str(error), "a puzzle that is stated in full") from None
    puzzle = rules.on(shared.puzzle, place)
    if shared.unknown and not ignore:
        found = f"a puzzle with more than is understood ({'; '.join(shared.unknown)})"
        raise InputError(place, found, "rules that are all known; --ignore answers the puzzle without those")
    name, author = (" ".join(words.split()) for words in (shared.title, shared.author))
    # the solution that came with it is one of all its rules, so of these too unless rules were added
    solution = None if rules.added else shared.solution
    digits = puzzle.board.digits
    form = "packed" if digits[0] >= 0 and digits[-1] < 10 else "spaced"
    layout = replace(layout_named(form, puzzle.ruleset), blank=".")
    return Entry(puzzle, layout, place, solution, name, author, shared.rules, shared=True)


def _whole(lines: Lines) -> str:
    """All that is left, which stays there."""
    return "\n".join(line.text for line in takewhile(lambda line: not line.is_end, map(lines.peek, count())))
