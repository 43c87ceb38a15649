"""What stands between grids: rules, titles, counts and sizes, and free text below the last puzzle.

The next content shows whether a line is a title or a row in letters. Only lines with few marks and no long word count
as text, so that a damaged puzzle is not skipped unless hardly anything is left of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from math import isqrt

from ringdoku.domain.errors import InputError, Place, RuleError, UsageError
from ringdoku.domain.numbers import counted
from ringdoku.domain.puzzle import Puzzle
from ringdoku.text.cells import are_glued, is_square, quoted
from ringdoku.text.formats import Box, Note, Shape
from ringdoku.text.lines import LOOK_AHEAD, SHORTEST, Kind, Line, Lines, is_telling, name_of, without_comment

# rules

_DIGITS_AND_BLANKS = frozenset("0123456789._*?")


def option_lines(texts: Iterable[str]) -> tuple[str, ...]:
    """The lines of what was given as rules besides the input, without comments.

    Raises `UsageError` for one that begins with no name.
    """
    lines: tuple[str, ...] = ()
    for text in texts:
        bare = [without_comment(line).strip(" \t") for line in text.splitlines()]
        lines += tuple(filter(None, bare)) or ("",)
    if lines:
        from ringdoku.constraints.text import check_names

        try:
            check_names(lines)
        except RuleError as error:
            raise UsageError(f"--rule {error}") from None
    return lines


@dataclass(frozen=True)
class Rules:
    """The lines of the text form for one puzzle: those beside its grid, then those `added` to every puzzle."""

    lines: tuple[Line, ...]
    added: tuple[str, ...]
    file: str

    def and_more(self, lines: Iterable[Line]) -> Rules:
        return Rules((*self.lines, *lines), self.added, self.file)

    @property
    def texts(self) -> tuple[str, ...]:
        return (*(line.bare for line in self.lines), *self.added)

    def shape(self, box: Box, place: Place) -> Shape:
        """What they say of the grid that comes next, at that place; `box` was asked for otherwise."""
        if not self.texts:
            return Shape(None, box)
        from ringdoku.constraints.text import board_in, boxes_in

        try:
            board, own = board_in(self.texts), boxes_in(self.texts)
        except RuleError as error:
            return Shape(None, box, self._input_error(error, place))
        if box and own and box != own:
            found = f"boxes of {own[0]}x{own[1]} in the rules"
            return Shape(board, box, InputError(place, found, f"{box[0]}x{box[1]}, as requested"))
        return Shape(board, box if own is None else own)

    def on(self, puzzle: Puzzle, place: Place) -> Puzzle:
        """The puzzle at that place with these rules. Raises `InputError`, which names the option for a line of it."""
        for line in self.lines:
            if line.fault:
                raise line.fault
        if not self.texts:
            return puzzle
        from ringdoku.constraints.text import with_rules

        try:
            return Puzzle(with_rules(puzzle.ruleset, self.texts), puzzle.clues)
        except RuleError as error:
            raise self._input_error(error, place) from None
        except UsageError as error:
            raise InputError(place, f"rules that do not go together ({error})", "others") from None

    def alone(self) -> InputError:
        """The error for these lines without a grid below them."""
        from ringdoku.constraints.text import check_names

        place = Place(self.file, self.lines[0].number, 1)
        try:
            check_names([self.lines[0].bare])
        except RuleError as error:
            return self._input_error(error, place)
        return InputError(place, "a rule", "a grid below it")

    def _input_error(self, error: RuleError, place: Place) -> InputError:
        """The same with the place of the line, or that of the puzzle for a line of an option."""
        for line in self.lines:
            if line.bare == error.text:
                where = Place(self.file, line.number, line.text.find(error.text) + 1)
                return InputError(where, f"{error.shown} ({error.problem})", error.expected)
        return InputError(place, f"a puzzle for which --rule {error.shown} is wrong ({error.problem})", error.expected)


def take_rules_below(lines: Lines) -> list[Line]:
    """Takes the rules directly below the grid that was taken last, unless another grid stands directly below them, and
    rules with nothing but blank lines around them at the end of the input.

    Takes nothing where the input is not a file: whoever writes to a pipe may wait for the answer to the grid.
    """
    following = lines.peek() if lines.is_file else None
    if following is None or following.text[:1] in _DIGITS_AND_BLANKS:
        # nothing, or the next grid, as a rule
        return []
    kinds: list[Kind] = []
    beside, around = (Kind.RULE, Kind.COMMENT), (Kind.RULE, Kind.COMMENT, Kind.BLANK)
    while line := lines.peek(len(kinds)):
        kinds.append(line.kind)
        if kinds[-1] not in around:
            break
    count = len(kinds)
    if kinds[-1] not in around:
        count = next(place for place, kind in enumerate(kinds) if kind not in beside)
        if kinds[count] is Kind.CONTENT:
            return []
    if Kind.RULE not in kinds[:count]:
        return []
    taken = [line for _ in range(count) if (line := lines.take())]
    return [line for line in taken if line.kind is Kind.RULE]


# titles

_MARK = re.compile(r"[0-9._*?·\-]")
_FOREIGN = re.compile(r"[^ \t0-9._*?·\-,;|+='\u2500-\u257f]")
_WORD = re.compile(r"""(?<![^ \t"'(=/])[^\W\d_]{3,}(?![^ \t"'):;,.!?=/])""")
_LOWER = re.compile(r"(?<![^\W_])[^\W\d_]*[a-zà-ÿ]{2}[^\W\d_]*(?![^\W_])")
_LONG = re.compile(r"[^ \t]{25}")
_TOKEN = re.compile(r"[^ \t,]+")
_OF_A_GRID = re.compile(r"\||^[ \t]*\{|,[ \t]*,|\t *\t")
"""A border, a JSON object, an empty cell."""
_FEW_MARKS = 4
_MOST_MARKS = 12
"""Enough for a date and a number, but fewer than any puzzle on one line has cells."""
_SIGNS = " \t=-*~_/\\|<>[]`'\""
"""What stands around titles."""


@dataclass
class Gap:
    """What came before the next puzzle. `ended`: there is no next puzzle."""

    name: str = ""
    blank: bool = False
    fault: InputError | None = None
    notes: list[Note] = field(default_factory=list)
    ended: bool = False
    rules: list[Line] = field(default_factory=list)
    titles: list[Line] = field(default_factory=list)
    """Two lines of free text at most: the first is the title of the puzzle below unless a header names it."""
    count: int = 0
    """How many such lines there are."""


def skip(lines: Lines, until: Callable[[str], bool] = lambda _: False) -> Gap:
    """Takes all lines up to the next puzzle, or up to a line for which `until` is true."""
    gap = Gap()
    while not gap.ended and (line := lines.peek()) and not until(line.text):
        if line.kind not in (Kind.RULE, Kind.COMMENT, Kind.CONTENT):
            _refuse_rules_below(lines, gap)
        if line.kind is Kind.END:
            gap.ended = True
        elif line.kind is not Kind.CONTENT:
            _take(line, lines, gap)
        elif not _take_text(line, lines, gap):
            break
    if gap.ended or lines.peek() is None:
        gap.ended = True
        _refuse_rules_below(lines, gap)
    _name(lines, gap)
    return gap


def _take(line: Line, lines: Lines, gap: Gap) -> None:
    """Takes the next line, which is not content, and what belongs to it."""
    lines.take()
    if line.kind is Kind.RULE:
        # what is wrong with it is wrong with its puzzle
        gap.rules.append(line)
        return
    gap.fault = gap.fault or line.fault
    gap.blank = gap.blank or line.kind is Kind.BLANK
    if line.kind is Kind.HEADER:
        gap.name = name_of(line.text) or gap.name
    elif line.kind is Kind.SECTION and "puzzle" not in line.text.lower():
        # up to the line before the next section
        while (following := lines.peek()) and following.kind is not Kind.SECTION:
            lines.take()


def _take_text(line: Line, lines: Lines, gap: Gap) -> bool:
    """Takes the next line, or all lines up to the end, if they are text; false where a puzzle comes next."""
    if not is_text(lines):
        return False
    if lines.after_grid and _is_below_all(lines):
        gap.ended = True
        while text := lines.take():
            _add_title(text, gap)
        return True
    lines.take()
    if not _is_above_puzzle(lines):
        gap.fault = gap.fault or line.fault
        place = Place(lines.file, line.number, 1)
        gap.fault = gap.fault or InputError(place, quoted(line.text.strip(" \t")), "a puzzle")
        return False
    if is_telling(line.text):
        gap.rules.append(line)
    else:
        gap.fault = gap.fault or line.fault
        _add_title(line, gap)
    return True


def _title_of(line: Line) -> str:
    """What a title says, without the signs around it; "" for signs alone."""
    bare = line.bare.strip(_SIGNS)
    return bare if any(map(str.isalnum, bare)) else ""


def _add_title(line: Line, gap: Gap) -> None:
    if _title_of(line):
        gap.count += 1
        gap.titles = [*gap.titles, line][:2]


def _name(lines: Lines, gap: Gap) -> None:
    """Names the puzzle below. Text that is passed over is noted."""
    used = bool(gap.titles) and not gap.name and not gap.ended
    gap.name = _title_of(gap.titles[0]) if used else gap.name
    if over := gap.titles[used:]:
        more = f" and {counted(gap.count - used - 1, 'more line')}" if gap.count - used > 1 else ""
        why = "below the last puzzle" if gap.ended else f"the title is {quoted(gap.name)}"
        text = quoted(_title_of(over[0]))
        gap.notes.append(Note(Place(lines.file, over[0].number), f"the text {text}{more} is not used: {why}"))


def _refuse_rules_below(lines: Lines, gap: Gap) -> None:
    """Says what is wrong with rules, of which the last was taken last, directly below a grid and above none."""
    if gap.rules and gap.rules[0].number == lines.after_grid:
        place = Place(lines.file, gap.rules[0].number, 1)
        expected = "it above the grid; below, it is read from files alone"
        gap.fault = gap.fault or InputError(place, "a rule below a grid", expected)
        gap.rules.clear()


def is_text(lines: Lines, ahead: int = 0) -> bool:
    """Whether a line consists of words and is not part of a puzzle."""
    line = lines.peek(ahead)
    if line is None or not _is_wordy(line.text):
        return False
    word = line.text.strip(" \t")
    if len(word) >= SHORTEST and is_square(len(word)) and " " not in word:
        # as long as a puzzle
        return False
    following = lines.next_content(ahead)
    return following is None or not _may_be_rows(without_comment(line.text), without_comment(following[1].text))


def _is_above_puzzle(lines: Lines) -> bool:
    """Whether a puzzle may follow: content that is not text.

    Continues where the last call for an earlier line stopped, so that each line of a long text is read once.
    """
    number = lines.number
    following = lines.next_content(max(0, lines.text_until - number) - 1)
    while following and is_text(lines, following[0]):
        text, following = following[0], lines.next_content(following[0])
        # what follows a line decides whether it is text
        if following:
            lines.text_until = number + text
    return following is not None


def _is_below_all(lines: Lines) -> bool:
    """Whether the next line and all after it are words, or signs without digits and marks, as under a forum post."""
    for ahead in range(LOOK_AHEAD):
        line = lines.peek(ahead)
        if line is None:
            return True
        if line.fault or line.kind is Kind.RULE:
            return False
        wordy = _LOWER.search(line.text) or not _MARK.search(line.text)
        if line.kind is Kind.CONTENT and not (wordy and is_text(lines, ahead)):
            return False
    return False


def _is_wordy(line: str) -> bool:
    text = without_comment(line)
    # a `#` may also stand in a column before a puzzle
    if not _FOREIGN.search(text) or _OF_A_GRID.search(text) or _LONG.search(line):
        return False
    return len(_MARK.findall(line)) <= (_MOST_MARKS if _WORD.search(text) else _FEW_MARKS)


def _may_be_rows(text: str, following: str) -> bool:
    """Whether two lines have the same number of cells, in groups or separate."""
    widths, others = ([len(token) for token in _TOKEN.findall(line)] for line in (text, following))
    if not _MARK.search(text) and (1 < sum(widths) < 10 or not any(map(str.isalpha, following))):
        # a row of letters alone is as wide as its alphabet, and no grid of fewer than 10 digits is in letters
        return False
    return widths == others or (len(widths) == len(others) > 1 and not _WORD.search(text))


# counts and sizes

_SIZE = re.compile(r"([0-9]{1,15})(?:[ \t,]+([0-9]{1,4}))?")
_BORDER = re.compile(r"[ \t]*[+*|\u2500-\u257f][-+=|* \t\u2500-\u257f]*")
_CELL = re.compile(r"[^ \t,|\u2500-\u257f]+")


@dataclass(frozen=True)
class Count:
    """A line with the number of puzzles."""

    number: int
    line: int

    def __str__(self) -> str:
        return f"{counted(self.number, 'puzzle')}, as line {self.line} says"

    def is_size_of(self, order: int) -> bool:
        """Whether the number may as well be the size of one puzzle."""
        return self.number in (order, isqrt(order))


def take_number(lines: Lines, may_be_count: bool, box: Box) -> Count | int | None:
    """Takes the next line if it is a number of puzzles, or the size of the next one, of which the first number is
    returned.

    A size is the order, the side of square boxes, the numbers of rows and columns (`9 9`), or the shape of a box
    (`3 3`). A count is one number above something of another length, `may_be_count` where it is the first line. Two
    equally long lines of digits are rows; so are a 0 and a 1 where single cells were asked for.
    """
    line = lines.peek()
    text = line.bare if line and "\t\t\t" not in line.text else ""
    number = _SIZE.fullmatch(text)
    content = lines.next_content(0) if number else None
    below = re.sub("[ \t]+", "", without_comment(content[1].text)) if content else ""
    if not number or not content or not below:
        return None
    if may_be_count and not number[2]:
        if len(below) == 1 and box != (1, 1):
            # it may be the size of the first puzzle
            if not _size_at(lines, content[0]):
                return None
        elif len(below) == len(text) and (len(text) > 1 or text in "01"):
            return None
        lines.take()
        return Count(int(number[1]), lines.number - 1)
    size = _size_at(lines, 0)
    if size:
        lines.take()
    return size or None


def _size_at(lines: Lines, ahead: int) -> int:
    """The first number of a line, if the numbers fit the width of the rows below it; else 0."""
    line = lines.peek(ahead)
    text = line.bare if line else ""
    found = _SIZE.fullmatch(text)
    if not found:
        return 0
    size = [int(number) for number in found.groups() if number]
    width = _width_below(lines, ahead)
    fits = width == size[0] == size[-1] or (min(size) > 1 and width == size[0] * size[-1])
    return size[0] if fits and width > len(text) else 0


def _width_below(lines: Lines, ahead: int) -> int:
    """Cells of the first row below a line, 0 when there is none."""
    content = lines.next_content(ahead)
    while content and _BORDER.fullmatch(content[1].text):
        content = lines.next_content(content[0])
    cells = _CELL.findall(without_comment(content[1].text)) if content else []
    if not cells:
        return 0
    return sum(map(len, cells)) if are_glued(cells) else len(cells)
