"""Read the puzzles of an input one after another; the format of the first is that of all. `read` is the entry point."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from io import BytesIO
from itertools import chain, count, islice, takewhile
from math import isqrt, prod
from typing import Any, BinaryIO, NamedTuple, TypeVar
from warnings import warn

from ringdoku.domain import Grid, InputError, Place, Puzzle, Ruleset, UsageError, classic, write_constraint
from ringdoku.domain.checker import check
from ringdoku.domain.errors import expect, listed, refuse, shortened, whole_numbers
from ringdoku.domain.marks import Stroke
from ringdoku.text.between import Preamble, Rules, count_text, is_count, option_lines, rule_in, size_at, take_preamble
from ringdoku.text.cells import BLANKS, quoted
from ringdoku.text.formats import JIGSAW, Box, Entry, Item, Note, Shape, is_line, read_line
from ringdoku.text.layout import layout_named, puzzle_text
from ringdoku.text.lines import LOOK_AHEAD, Line, Lines, Source, holds_puzzle
from ringdoku.text.records import is_record, read_record, record_in
from ringdoku.text.rows import is_drawing, is_packed, read_rows

T = TypeVar("T")


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
    """What the caller knows about an input, and how it is to be read.

    - `format` is a name of `FORMATS`; without one it is detected.
    - `box` = (height, width) is needed if the order is not a square number and no drawing shows the boxes.
    - `verify`: a wrong solution beside a puzzle is an error.
    - `rules` are lines of our text form that are added to those of every puzzle.
    - `ignore`: puzzles are read even if some of their rules are not understood.
    - `note` is called for text that is not used.
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
    source = stream if isinstance(stream, Source) else Source(stream)
    reader = _Reader(source, file, options)
    return _with_notes_reported(reader.items() if options.format else reader.items_or_paste(source), options.note)


def _with_notes_reported(items: Iterable[Item], note: Callable[[Place, str], None]) -> Iterator[Entry | InputError]:
    """The puzzles and errors; notes, and one for each rules text that is not understood, go to `note`."""
    for item in items:
        if isinstance(item, Note):
            note(item.place, item.text)
            continue
        if isinstance(item, Entry) and item.about:
            from ringdoku.links.rules_text import UNREMARKABLE, unstated

            mentioned, text = list(unstated(item.about, ())), quoted(" ".join(item.about.split()))
            if not all(kinds for _, kinds in mentioned) or not (mentioned or UNREMARKABLE.search(item.about)):
                note(item.place, f"the rules text {text} is not understood; only rules beside it count")
        yield item


def parse_one(text: str, box: Box = None) -> Puzzle:
    """The only puzzle in a text. Raises `InputError` for none, several or a malformed one, `UsageError` for no text."""
    expect(text, str, "what is parsed")
    first, *others = islice(_entries(text, box), 2)
    if others:
        raise InputError(others[0].place, "a second puzzle", "one only")
    return first.puzzle


def read_puzzles(text: str | bytes, box: Box = None) -> Iterator[Puzzle]:
    """Yields the puzzles in a text of any format. Raises `InputError` for a malformed puzzle and for a text without
    any, `UsageError` if `text` is neither str nor bytes."""
    refuse(not isinstance(text, (str, bytes)), f"puzzles are read from a text, not from {type(text).__name__}")
    for entry in _entries(text, box):
        yield entry.puzzle


def _entries(text: str | bytes, box: Box) -> Iterator[Entry]:
    """Yields the puzzles in a text, and warns of text that is not used. Raises `InputError` as `read_puzzles` does."""
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    options = ReadOptions(box=box, note=lambda place, text: warn(f"{place}: {text}", stacklevel=5))
    return or_raise(read(BytesIO(data), "<text>", options))


def or_raise(items: Iterable[T | InputError]) -> Iterator[T]:
    """Yields the items up to the first error, which is raised."""
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
    """The format of the puzzle that starts at the next line."""
    return next(form for form in FORMATS.values() if form.recognises(lines, shape))


class _Reader:
    """Reads one puzzle after another. It remembers the format, the declared number of puzzles and the last order."""

    def __init__(self, source: Source, file: str, options: ReadOptions) -> None:
        self._lines = Lines(source, file)
        self._options = options
        self._format = FORMATS[options.format] if options.format else None
        self._declared = self._declared_line = self._found = self._faults = self._order = 0
        self._above = Preamble()
        self._last: Entry | None = None
        self._rules = Rules([], option_lines(options.rules or ()), file)

    def items(self) -> Iterator[Item]:
        """Yields the puzzles, errors and notes of the whole input."""
        lines = self._lines
        while True:
            above = self._above = take_preamble(lines, self._is_at_link, self._above)
            self._rules.lines = above.rules
            # these end the input, as some judges write it
            is_end = lines.peek().bare in ("0", "0 0", "-1", "-1 -1") and lines.next_content()[1].is_end
            if above.at_end or (self._order > 1 and is_end):
                break
            yield from above.notes
            if above.fault:
                self._faults += 1
                yield above.fault
                continue
            shape = self._rules.shape(self._options.box, lines.place(0))
            if shape.board is None and self._take_count_or_size():
                continue
            is_link = self._is_at_link(lines.peek().text)
            self._found += 1
            place, of_answer = lines.place(), False
            try:
                entry = self._take_puzzle(shape, is_link)
                if not (of_answer := self._is_answer(entry)):
                    if self._declared and self._found == self._declared + 1:
                        yield InputError(place, "a further puzzle", count_text(self._declared, self._declared_line))
                    yield from () if is_link else self._warnings(entry)
                    self._last = entry
                    yield entry
            except InputError as error:
                yield error
            self._found -= of_answer
            # further grids below one heading are answers too
            self._above = Preamble(of_answer=of_answer)
        yield from self._notes_at_end()

    def items_or_paste(self, source: Source) -> Iterator[Item]:
        """`items`, or those of the paste readers if it begins with an error and they succeed."""
        items, first_items, pasted = self.items(), list[Item](), list[Item]()
        for item in items:
            first_items.append(item)
            if not isinstance(item, Note):
                break
        if isinstance(first_items[-1], InputError) and (raw := source.whole()) is not None:
            # most inputs do without the paste readers
            from ringdoku.text.pastes import read_paste

            file, options = self._lines.file, self._options
            pasted = read_paste(raw, file, lambda text: _Reader(Source(BytesIO(text)), file, options).items())
        source.keeps_start = False
        yield from pasted or chain(first_items, items)

    def _is_at_link(self, text: str) -> bool:
        """Whether the next line, with this text, begins a link or another program's text; below a grid only a link."""
        lines, text = self._lines, text.strip(" \t")
        if self._options.format or lines.peek().fault or (self._format and "//" not in text) or _is_of_grid(text):
            return False
        from ringdoku.links import is_link

        # an object that is complete on its line needs no further one; nor is looked further after a puzzle or an error
        is_part = text[0] == "{" and not self._found and not record_in(text)
        text = _text_to_end(map(lines.peek, count())) if is_part else text
        if not is_link(text):
            return False
        if is_link(text, is_source=True):
            return True
        # an address that no program's reader knows says where the puzzle above or below it is from
        has_more_below = lines.number > 1 or not (lines.peek(1).is_end or "//" in lines.peek(1).text)
        return not (self._format or (not self._found and has_more_below))

    def _take_count_or_size(self) -> bool:
        """Whether the next line is the number of puzzles or the size of the next one; such a line is taken."""
        lines, text = self._lines, self._lines.peek().bare
        is_first = not self._found and not self._declared and text.isdecimal()
        number = (int(text) if is_count(lines, self._options.box) else 0) if is_first else size_at(lines)
        if is_first and number:
            self._declared, self._declared_line = number, lines.number
        elif self._declared == number:
            # the first number was a size too
            self._declared = 0
        if number:
            lines.take()
        return number > 0

    def _take_puzzle(self, shape: Shape, is_link: bool) -> Entry:
        """Takes the lines of the next puzzle and returns it. Raises `InputError`."""
        lines, place = self._lines, self._lines.place(0)
        try:
            entry = self._take_link() if is_link else self._take_grid(shape)
        except InputError as error:
            raise shape.fault or error from None
        finally:
            lines.after_grid = lines.number
        if shape.fault:
            raise shape.fault
        puzzle = self._rules.applied_to(entry.puzzle, place)
        if entry.solution is not None:
            self._require_solution(replace(entry, puzzle=puzzle), entry.solution, place)
        # puzzles of one line each are printed without blank lines between them
        is_apart = self._above.has_blank and self._found > 1 and "\n" in entry.layout.template
        self._order = puzzle.order
        layout = replace(entry.layout, gap=True) if is_apart else entry.layout
        # those of the puzzle itself come first
        fields: dict[str, Any] = {key: value for key, value in self._above.fields.items() if not getattr(entry, key)}
        if self._above.rules_text:
            texts = filter(None, (entry.about, "\n".join(self._above.rules_text.values())))
            fields |= {"about": "\n".join(texts), "may_lack_rules": True}
            self._require_stated(puzzle)
        return replace(entry, puzzle=puzzle, layout=layout, **fields)

    def _is_answer(self, entry: Entry) -> bool:
        """Whether a full grid below a word such as `solution` is one of the puzzle above. Raises `InputError`."""
        last, grid = self._last, entry.puzzle.clues
        if not (last and self._above.of_answer and grid.is_full) or last.puzzle.clues.is_full:
            return False
        self._require_solution(last, grid, entry.place)
        return True

    def _require_solution(self, entry: Entry, grid: Grid, place: Place) -> None:
        """Raises `InputError` if the grid at that place does not solve the puzzle, if that is to be checked."""
        if self._options.verify and not entry.may_lack_rules and (wrong := check(entry.puzzle, grid)):
            name = partial(entry.layout.name, entry.puzzle.board)
            raise InputError(place, f"a wrong solution: {wrong[0].sentence(name)}", "one of this puzzle")

    def _take_grid(self, shape: Shape) -> Entry:
        """Takes the lines of a grid, whose format later ones have too. Raises `InputError`."""
        form = detect(self._lines, shape) if shape.board or not self._format else self._format
        entry = form.read(self._lines, shape)
        self._format = self._format if shape.board or shape.fault else form
        is_ruler = form.name == "line" and (blank := entry.layout.blank) in "-_*" and not entry.puzzle.clues.filled
        if is_ruler and self._last and self._last.layout.blank != blank:
            raise InputError(entry.place, f"a line of {blank!r} beside other marks for blanks", "a puzzle")
        if _is_of_regions(entry.puzzle):
            raise InputError(entry.place, "the regions of a jigsaw", JIGSAW)
        return entry

    def _take_link(self) -> Entry:
        """Takes a link, a packed puzzle, a killer, a jigsaw or a list of candidates, each on one line; or a text for
        ISS, or the JSON of f-puzzles and SudokuPad, which go on to the end of the input. Raises `InputError`."""
        from ringdoku.links import read_link

        place, text = self._lines.place(0), self._lines.take().text.strip(" \t")
        if _OF_SEVERAL_LINES.match(text):
            text = "\n".join([text, _text_to_end(iter(self._lines.take, None))])
        try:
            imported = read_link(text)
        except UsageError as error:
            raise InputError(place, str(error), "a puzzle that is stated in full") from None
        if imported.unknown and not self._options.ignore:
            from ringdoku.links.rules_text import unknown_beside

            if unknown := unknown_beside(self._rules.applied_to(imported.puzzle, place).ruleset.constraints, imported):
                found = f"a puzzle with more than is understood ({'; '.join(unknown)})"
                expected = "rules that are all known; --rule adds one, --ignore answers the puzzle without those"
                raise InputError(place, found, expected)
        name, author = (" ".join(words.split()) for words in (imported.title, imported.author))
        # with further rules, the solution in the file may be wrong; with rules ignored it stays right
        solution = None if self._rules.texts else imported.solution
        digits = imported.puzzle.board.digits
        form = "packed" if digits[0] >= 0 and digits[-1] < 10 else "spaced"
        layout = replace(layout_named(form, imported.puzzle.ruleset), blank=".")
        return Entry(imported.puzzle, layout, place, solution, name, author, imported.rules, may_lack_rules=True)

    def _warnings(self, entry: Entry) -> Iterator[Item]:
        """Notes for a title that names a rule which no line states, and for areas and lines that look misplaced."""
        above = self._above
        stated = self._rules.texts or (entry.layout.format == "json" and entry.puzzle.ruleset.special)
        name = re.sub("[0-9]+", "1", entry.name)
        is_numbered = any(re.match("(?i:puzzle|sudoku)", line.bare) for line in above.headers)
        is_title = above.titles or is_numbered or entry.name != above.fields.get("name")
        if is_title and re.search(r"[^\W\d_]", name) and not stated and (rule := rule_in(name)):
            place = Place(self._lines.file, above.titles[0].number if above.titles else entry.place.line, 1)
            yield Note(place, f"the title {quoted(entry.name)} names the rule {rule!r}, which no line states")
        yield from (Note(entry.place, sentence) for sentence in _misplaced(entry.puzzle.ruleset))

    def _require_stated(self, puzzle: Puzzle) -> None:
        """Raises `InputError` if the rules text mentions a rule that no line states."""
        from ringdoku.links.rules_text import unstated

        for number, text in self._above.rules_text.items() if not self._options.ignore else ():
            for what, kinds in unstated(text, puzzle.ruleset.constraints):
                if kinds:
                    found = f"{shortened(f'Rules: {text}', 60)!r} (no line states {what})"
                    expected = f"a line such as {kinds[0].example!r} too; --ignore answers the puzzle without it"
                    raise InputError(Place(self._lines.file, number, 1), found, expected)

    def _notes_at_end(self) -> Iterator[Item]:
        """Notes and errors for the end of the input."""
        lines, declared, above = self._lines, self._declared, self._above
        yield from above.notes
        if any(lines.peek(ahead).text for ahead in takewhile(lines.is_read, range(1, LOOK_AHEAD))):
            yield Note(lines.place(), "what stands below `end` is not read")
        if above.fault and above.at_end:
            yield above.fault
        if above.rules:
            yield self._rules.stray_error(lines)
        if self._found < declared:
            if self._found == 1 and declared in (self._order, isqrt(self._order)):
                place = Place(lines.file, self._declared_line)
                yield Note(place, f"{declared} is taken for the size of the puzzle, not for the number of puzzles")
            else:
                expected = count_text(declared, self._declared_line)
                yield InputError(lines.place(), f"the end of the input after {self._found}", expected)
        elif not (self._found or self._faults or above.rules or above.fault):
            yield InputError(lines.place(), "the end of the input", "a puzzle")


def _misplaced(ruleset: Ruleset) -> Iterator[str]:
    """Sentences that name the areas and lines which look misplaced."""
    board, marks = ruleset.board, [(rule, mark) for rule in ruleset.special for mark in rule.marks(ruleset.board)]
    # each kind by itself: a cage may cross the borders of regions
    kinds = ({mark.cells: rule for rule, mark in marks if rule.text == text} for text in ("killer", "regions"))
    apart = (areas[cells] for areas in kinds for cells in board.tangled(areas))
    jumping = (rule for rule, mark in marks if isinstance(mark, Stroke) and board.jumps(mark.cells))
    for what, rules in (("areas whose cells are apart, or that cross others", apart), ("lines that jump", jumping)):
        if texts := "; ".join(dict.fromkeys(write_constraint(rule, board) for rule in rules)):
            yield f"{what}: {shortened(texts, 200)}"


def _is_of_regions(puzzle: Puzzle) -> bool:
    """Whether the grid has the number of a region in each cell; if all regions are houses, it is a wrong answer."""
    corner, *others = digits = puzzle.clues.digits
    # a corner is in one region with a cell beside it
    if corner not in (*others[:1], *others[puzzle.board.columns - 1 :][:1]) or digits.count(corner) != puzzle.order:
        return False
    from ringdoku.links.plain import is_jigsaw

    alike = sum(len({digits[cell] for cell in house.cells}) == 1 for house in puzzle.ruleset.houses)
    return alike < puzzle.order and is_jigsaw("".join(chr(ord("A") + digit) for digit in digits))


# links and files of other programs, which `ringdoku.links` reads

_SIZES = {*(2 * order**2 + space for order in range(4, 17) for space in (0, 1)), *(order**3 for order in range(3, 10))}
"""Lengths of jigsaws with clues and of lists of candidates."""
_OF_SEVERAL_LINES = re.compile(r"[{#]|\.{1,3}[A-Z~]")
"""The beginning of JSON and of texts for ISS, which may have several lines."""


def _is_of_grid(text: str) -> bool:
    """Whether the characters of a line show that it is none of another program, without loading the readers of links:
    those of most inputs do. A killer that begins with a sum has pointers, and packed text has small letters."""
    if "//" in text and holds_puzzle(text) and "Interactive-Sudoku-Solver" not in text:
        return True
    is_pointer_free = text[:1].isdigit() and {*"<>^v`'"}.isdisjoint(text)
    is_of_marks = set(text) <= {*BLANKS, *"0123456789 \t|+"} or re.fullmatch("[0-9A-Z]{400,}", text)
    return bool(is_pointer_free or is_of_marks) and len(text) not in _SIZES and not text.startswith(("3x3:", "2x3:"))


def _text_to_end(lines: Iterable[Line]) -> str:
    """The lines up to the end of the input as one text."""
    return "\n".join(line.text for line in takewhile(lambda line: not line.is_end, lines))
