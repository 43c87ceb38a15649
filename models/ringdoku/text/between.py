"""What stands between grids: rules, titles, counts and sizes, and free text below the last puzzle.

The next content shows whether a line is a title or a row in letters. Only lines with few marks and no long word count
as text, so that a damaged puzzle is not skipped unless hardly anything is left of it.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from ringdoku.domain import InputError, Place, Puzzle, RuleError, UsageError, counted
from ringdoku.text.cells import EMPTY_CELL, TOKEN, are_glued, is_square, quoted
from ringdoku.text.formats import Box, Note, Shape
from ringdoku.text.lines import LOOK_AHEAD, SHORTEST, Kind, Line, Lines, is_telling, said_in, without_comment

_MARK = re.compile(r"[0-9._*?·\-]")
_FOREIGN = re.compile(r"[^ \t0-9._*?·\-,;|+='\u2500-\u257f]")
_WORD = re.compile(r"""(?<![^ \t"'(=/])[^\W\d_]{3,}(?![^ \t"'):;,.!?=/])""")
_LOWER = re.compile(r"(?<![^\W_])[^\W\d_]*[a-zà-ÿ]{2}[^\W\d_]*(?![^\W_])")
_LONG = re.compile(r"[^ \t\u3000-\u9fff\uac00-\ud7af]{25}")
_NO_CELL = re.compile(r"[ \u3000-\u9fff\uac00-\ud7af]")
"""Between the words of a title, or its letters in Chinese, Japanese and Korean."""
_OF_A_GRID = re.compile(rf"\||^[ \t]*\{{|{EMPTY_CELL.pattern}")
"""A border, a JSON object, an empty cell."""
_FEW_MARKS, _MOST_MARKS = 4, 12
"""Enough for a number, and for a date and a number beside words; more may be a damaged puzzle on one line."""
_SIGNS = " \t=-*~_/\\|<>[]`'\""
"""What stands around titles."""


@dataclass
class Gap:
    """What came before the next puzzle. `said`: its name and author; `words`: its rules in words, with the numbers of
    their lines. `ended`: there is no next puzzle."""

    said: dict[str, str] = field(default_factory=dict)
    words: dict[int, str] = field(default_factory=dict)
    blank: bool = False
    fault: InputError | None = None
    ended: bool = False
    notes: list[Note] = field(default_factory=list)
    rules: list[Line] = field(default_factory=list)
    headers: list[Line] = field(default_factory=list)
    titles: list[Line] = field(default_factory=list)
    """Lines of free text: the first is the title of the puzzle below unless a header names it."""


def skip(lines: Lines, until: Callable[[str], bool] = lambda _: False) -> Gap:
    """Takes all lines up to the next puzzle, or up to a line for which `until` is true."""
    gap = Gap()
    while not (gap.ended or until((line := lines.peek()).text)):
        if line.kind is Kind.RULE:
            # what is wrong with it is wrong with its puzzle
            gap.rules.append(lines.take())
        elif line.kind is not Kind.CONTENT:
            _take_other(line, lines, gap)
        elif len(gap.titles) == LOOK_AHEAD or not is_text(lines):
            break
        elif is_telling(line.text):
            gap.rules.append(lines.take())
        else:
            gap.fault = gap.fault or line.fault
            gap.titles.append(lines.take())
    _name(lines, gap)
    return gap


def _take_other(line: Line, lines: Lines, gap: Gap) -> None:
    """Takes the next line, which is not content, and what belongs to it."""
    if line.kind is not Kind.COMMENT and gap.rules and gap.rules[0].number == lines.after_grid:
        gap.fault = gap.fault or Rules(tuple(gap.rules), (), lines.file).alone(lines)
        gap.rules.clear()
    if line.kind is Kind.END:
        gap.ended = True
        return
    lines.take()
    gap.fault = gap.fault or line.fault
    gap.blank = gap.blank or line.kind is Kind.BLANK
    if line.kind is Kind.HEADER:
        what, text = said_in(line.text)
        gap.headers += [line] * bool(what)
        if what == "about":
            gap.words[line.number] = text
        elif what and text:
            if gap.said.get(what, text) != text:
                why = f"the {what} is {quoted(text)}"
                gap.notes.append(Note(Place(lines.file, line.number), f"{quoted(gap.said[what])} is not used: {why}"))
            gap.said[what] = text
    elif line.kind is Kind.SECTION and "puzzle" not in line.text.lower():
        while not (following := lines.peek()).is_end and following.kind is not Kind.SECTION:
            lines.take()


def _name(lines: Lines, gap: Gap) -> None:
    """Names the puzzle below. Text that is passed over is noted; without a puzzle it is an error."""
    if lost := _lost(lines, gap):
        place = Place(lines.file, lost.number, 1)
        gap.fault = gap.fault or InputError(place, quoted(lost.text.strip(" \t")), "a puzzle")
        return
    # signs alone say nothing
    texts = [*gap.headers, *gap.titles] if gap.ended and lines.after_grid else gap.titles
    titles = [(line.number, text) for line in texts if any(map(str.isalnum, text := line.bare.strip(_SIGNS)))]
    if titles and "name" not in gap.said and not gap.ended:
        gap.said["name"] = titles.pop(0)[1]
    if titles:
        number, text = titles[0]
        more = f" and {counted(len(titles) - 1, 'more line')}" if len(titles) > 1 else ""
        why = "below the last puzzle" if gap.ended else f"the title is {quoted(gap.said['name'])}"
        gap.notes.append(Note(Place(lines.file, number), f"the text {quoted(text)}{more} is not used: {why}"))


@lru_cache(maxsize=256)
def rule_in(title: str) -> str:
    """The first name in a title of a rule that needs no cells, such as `diagonal`, or of any if there are cells; what a
    title of one word is near to, such as `diagnal`; "" for none."""
    from difflib import get_close_matches

    if not re.search("[A-Za-z]", title):
        from ringdoku.links.rules_text import unstated

        return next((kinds[0].text for _, kinds in unstated(title, ()) if kinds), "")
    from ringdoku.constraints.registry import ALIASES, CONSTRAINTS, named

    for word in re.findall("[A-Za-z-]+", title):
        name = named(word)[0]
        if name not in ("", "lines", "boxes") and (":" not in CONSTRAINTS[name].example or is_telling(title)):
            return name
    alone = re.fullmatch("([A-Za-z-]+)[ 0-9x-]*", title)
    near = get_close_matches(alone[1].lower(), (*CONSTRAINTS, *ALIASES, "board"), 1, 0.8) if alone else []
    return near[0] if near else ""


def _lost(lines: Lines, gap: Gap) -> Line | None:
    """The first line of text without a puzzle above or below it, or one that may be what is left of a puzzle."""
    if len(gap.titles) == LOOK_AHEAD or (gap.ended and not lines.after_grid):
        return next(iter(gap.titles), None)
    damaged = (line for line in gap.titles if _MARK.search(line.text) and not _LOWER.search(line.text))
    return next(damaged, None) if gap.ended else None


def is_text(lines: Lines) -> bool:
    """Whether the next line consists of words and is not part of a puzzle."""
    line = lines.peek().text
    text, word = without_comment(line), line.strip(" \t")
    # a `#` may also stand in a column before a puzzle
    if not _FOREIGN.search(text) or _OF_A_GRID.search(text) or _LONG.search(line):
        return False
    as_long_as_a_puzzle = len(word) >= SHORTEST and is_square(len(word)) and not _NO_CELL.search(word)
    if as_long_as_a_puzzle or len(_MARK.findall(line)) > (_MOST_MARKS if _WORD.search(text) else _FEW_MARKS):
        return False
    _, following = lines.next_content()
    return following.is_end or not _may_be_rows(text, without_comment(following.text))


def _may_be_rows(text: str, following: str) -> bool:
    """Whether two lines have the same number of cells, in groups or separate."""
    widths, others = ([len(token) for token in TOKEN.findall(line)] for line in (text, following))
    if not _MARK.search(text) and (1 < sum(widths) < 10 or not any(map(str.isalpha, following))):
        # a row of letters alone is as wide as its alphabet, and no grid of fewer than 10 digits is in letters
        return False
    return widths == others or (len(widths) == len(others) > 1 and not _WORD.search(text))


# counts and sizes

_SIZE = re.compile(r"([0-9]{1,15})(?:[ \t,]+([0-9]{1,4}))?")
_BORDER = re.compile(r"[ \t]*[+*|\u2500-\u257f][-+=|* \t\u2500-\u257f]*")
_CELL = re.compile(r"[^ \t,|\u2500-\u257f]+")


def declared(count: int, line: int) -> str:
    """How many puzzles there are, by the number on a line."""
    return f"{counted(count, 'puzzle')}, as line {line} says"


def is_count(lines: Lines, box: Box) -> bool:
    """Whether the next line is the number of puzzles, where it is the first line: a number above something of another
    length. Two equally long lines of digits are rows; so are a 0 and a 1 where single cells were asked for. A number
    above a line of one character is a count if that is a size."""
    text = lines.peek().bare
    if not _size_on(lines.peek()):
        return False
    ahead, content = lines.next_content()
    below = len(re.sub("[ \t]+", "", content.bare))
    if below == 1 and box != (1, 1):
        return size_at(lines, ahead) > 0
    return below > 0 and (below != len(text) or (len(text) == 1 and text not in "01"))


def size_at(lines: Lines, ahead: int = 0) -> int:
    """The first number of a line that is the size of the puzzle below: the order, the side of square boxes, the numbers
    of rows and columns (`9 9`), or the shape of a box (`3 3`). 0 for another line."""
    found = _size_on(lines.peek(ahead))
    if not found:
        return 0
    size = [int(number) for number in found.groups() if number]
    width = _width_below(lines, ahead)
    fits = width == size[0] == size[-1] or (min(size) > 1 and width == size[0] * size[-1])
    return size[0] if fits and width > len(found[0]) else 0


def _size_on(line: Line) -> re.Match[str] | None:
    """One number or two on a line that is no row of empty cells."""
    return None if "\t\t\t" in line.text else _SIZE.fullmatch(line.bare)


def _width_below(lines: Lines, ahead: int) -> int:
    """Cells of the first row below a line, 0 when there is none."""
    ahead, content = lines.next_content(ahead)
    while _BORDER.fullmatch(content.text):
        ahead, content = lines.next_content(ahead)
    cells = _CELL.findall(without_comment(content.text))
    return sum(map(len, cells)) if cells and are_glued(cells) else len(cells)


# rules: what lines of them say of the shape of their grid, and the puzzle that they make of it


def option_lines(texts: Iterable[str]) -> tuple[str, ...]:
    """The lines of what was given as rules besides the input, without comments.

    Raises `UsageError` for one that begins with no name.
    """
    lines: tuple[str, ...] = ()
    for text in texts:
        bare = [without_comment(line).strip(" \t") for line in text.splitlines()]
        lines += tuple(filter(None, bare)) or ("",)
    if lines:
        from ringdoku.constraints.registry import shape_in

        try:
            shape_in(lines)
        except RuleError as error:
            raise UsageError(f"--rule {error}") from None
    return lines


@dataclass(frozen=True)
class Rules:
    """The lines of the text form for one puzzle: those beside its grid, then those `added` to every puzzle."""

    lines: tuple[Line, ...]
    added: tuple[str, ...]
    file: str

    def and_more(self, lines: Iterable[Line]) -> "Rules":
        return Rules((*self.lines, *lines), self.added, self.file)

    @property
    def texts(self) -> tuple[str, ...]:
        return (*(line.bare for line in self.lines), *self.added)

    def shape(self, box: Box, place: Place) -> Shape:
        """What they say of the grid that comes next, at that place; `box` was asked for otherwise."""
        if not self.texts:
            return Shape(None, box)
        from ringdoku.constraints.registry import shape_in

        try:
            board, own = shape_in(self.texts)
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
        from ringdoku.constraints.registry import with_rules

        try:
            return Puzzle(with_rules(puzzle.ruleset, self.texts), puzzle.clues)
        except RuleError as error:
            raise self._input_error(error, place) from None
        except UsageError as error:
            raise InputError(place, f"rules that do not go together ({error})", "others") from None

    def alone(self, lines: Lines) -> InputError:
        """The error for these lines of a text without a grid below them."""
        place = Place(self.file, self.lines[0].number, 1)
        above, below = ("a rule", "a grid below it"), ("a rule below a grid", "it above the grid")
        first = Rules(self.lines[:1], (), self.file).shape(None, place)
        return first.fault or InputError(place, *(below if lines.after_grid else above))

    def _input_error(self, error: RuleError, place: Place) -> InputError:
        """The same with the place of the line, or that of the puzzle for a line of an option."""
        for line in self.lines:
            if line.bare == error.text:
                where = Place(self.file, line.number, line.text.find(error.text) + 1)
                is_title = re.search("[A-Z]", error.text) and not re.search("[0-9:]", error.text)
                title = f", or {f'Title: {error.text}'!r}" if is_title else ""
                return InputError(where, f"{error.shown} ({error.problem})", error.expected + title)
        return InputError(place, f"a puzzle for which --rule {error.shown} is wrong ({error.problem})", error.expected)
