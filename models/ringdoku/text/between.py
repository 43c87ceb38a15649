"""Read what stands between grids: rules, titles, counts and sizes, and free text below the last puzzle.

The next content shows whether a line is a title or a row in letters. Only lines with few marks and no long word count
as text, so that a damaged puzzle is not skipped unless hardly anything is left of it.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import lru_cache
from itertools import chain

from ringdoku.domain import InputError, Place, Puzzle, RuleError, UsageError, counted
from ringdoku.text.cells import EMPTY_CELL, TOKEN, are_touching, is_square, quoted
from ringdoku.text.formats import Box, Note, Shape
from ringdoku.text.lines import LOOK_AHEAD, SHORTEST, Kind, Line, Lines, header_field, looks_like_rule, without_comment

_MARK = re.compile(r"[0-9._*?·\-]")
_FOREIGN = re.compile(r"[^ \t0-9._*?·\-,;|+='\u2500-\u257f]")
_WORD = re.compile(r"""(?<![^ \t"'(=/])[^\W\d_]{3,}(?![^ \t"'):;,.!?=/])""")
_LOWER = re.compile(r"(?<![^\W_])[^\W\d_]*[a-zà-ÿ]{2}[^\W\d_]*(?![^\W_])")
_LONG = re.compile(r"[^ \t\u3000-\u9fff\uac00-\ud7af]{25}")
_BOLD = re.compile(r"\*\*(?=[^*]*[^\W\d_]{4})[^*]+\*\*")
_CODE = re.compile(r"\w\(|;$")
"""A call, or the end of a statement."""
_NO_CELL = re.compile(r"[ \u3000-\u9fff\uac00-\ud7af]")
"""Between the words of a title, or its letters in Chinese, Japanese and Korean."""
_OF_A_GRID = re.compile(rf"\||^[ \t]*\{{|{EMPTY_CELL.pattern}")
"""A border, a JSON object, an empty cell."""
_NOT_PUZZLE = re.compile("^(?!.*puzzle)", re.IGNORECASE)
_WITHOUT_PUZZLES = re.compile("state|mark|candidate|solution|note", re.IGNORECASE)
"""Names of sections that are passed over: above the first grid, where code of forums is left to pastes, and below."""
ANSWER = re.compile("solution|answer|output|(?<!un)solved|expected|lösung|答案|输出|輸出", re.IGNORECASE)
"""A word for solutions, in headings and names of lists."""
_NUMBERS = re.compile("[0-9]{1,3}[.)]"), re.compile("-?[0-9]+")
"""What stands alone above a grid, its number; and below a heading of answers, a score."""
_FEW_MARKS, _MOST_MARKS = 4, 12
"""Enough for a number, and for a date and a number beside words; more may be a damaged puzzle on one line."""
_SIGNS = " \t=-*~_/\\|<>[]`'\""
"""Signs around titles that do not belong to them."""


@dataclass
class Preamble:
    """What stands above the next puzzle. `fields`: its name and author; `rules_text`: its rules in words, by line
    numbers. `at_end`: there is no next puzzle; `of_answer`: some line has a word for solutions."""

    fields: dict[str, str] = field(default_factory=dict)
    rules_text: dict[int, str] = field(default_factory=dict)
    has_blank: bool = False
    fault: InputError | None = None
    at_end: bool = False
    of_answer: bool = False
    notes: list[Note] = field(default_factory=list)
    rules: list[Line] = field(default_factory=list)
    headers: list[Line] = field(default_factory=list)
    titles: list[Line] = field(default_factory=list)
    """Lines of free text: the first is the title of the puzzle below unless a header names it."""


def take_preamble(lines: Lines, until: Callable[[str], bool], before: Preamble | None = None) -> Preamble:
    """Takes all lines up to the next puzzle, or up to a line for which `until` is true, and returns what they say, with
    the fields and rules of `before` if no puzzle was taken since."""
    preamble = replace(before, fault=None, notes=[], headers=[], titles=[]) if before else Preamble()
    while not (preamble.at_end or until((line := lines.peek()).text)):
        if line.kind is Kind.RULE:
            # its faults are reported with the puzzle below
            preamble.rules.append(lines.take())
        elif line.kind is not Kind.CONTENT:
            _take_non_content(line, lines, preamble)
        elif line.number == lines.after_grid and _is_separator(lines):
            lines.take()
        elif _NUMBERS[preamble.of_answer].fullmatch(line.bare) and len(lines.peek(1).bare) != len(line.bare):
            lines.take()
            preamble.titles = preamble.titles * (not preamble.of_answer)
        elif len(preamble.titles) == LOOK_AHEAD or not is_free_text(lines):
            break
        elif looks_like_rule(line.text):
            preamble.rules.append(lines.take())
        else:
            preamble.fault = preamble.fault or line.fault
            preamble.titles.append(lines.take())
            preamble.of_answer |= bool(ANSWER.search(line.text))
    _name_puzzle(lines, preamble)
    return preamble


def _is_separator(lines: Lines) -> bool:
    """Whether the next line, directly below a grid, has only `=`, or only a few `-`, and not as many as a row below."""
    bare = lines.peek().bare
    return not bare.strip("=") or (not bare.strip("-") and len(lines.peek(1).bare) != len(bare) < SHORTEST)


def _take_non_content(line: Line, lines: Lines, preamble: Preamble) -> None:
    """Takes the next line, which is not content, and the lines of a section that it opens."""
    if line.kind is not Kind.COMMENT and preamble.rules and preamble.rules[0].number == lines.after_grid:
        preamble.fault = preamble.fault or Rules(preamble.rules, (), lines.file).stray_error(lines)
        preamble.rules.clear()
    if line.kind is Kind.END:
        preamble.at_end = True
        return
    lines.take()
    preamble.fault = preamble.fault or line.fault
    preamble.has_blank = preamble.has_blank or line.kind is Kind.BLANK
    if line.kind is Kind.HEADER:
        what, text = header_field(line.text)
        preamble.of_answer |= bool(ANSWER.search(line.text))
        preamble.headers += [line] * bool(what)
        if what == "about":
            preamble.rules_text[line.number] = text
        elif what and text:
            if preamble.fields.get(what, text) != text:
                unused = f"{quoted(preamble.fields[what])} is not used: the {what} is {quoted(text)}"
                preamble.notes.append(Note(Place(lines.file, line.number), unused))
            preamble.fields[what] = text
    elif line.kind is Kind.SECTION and (_WITHOUT_PUZZLES if lines.after_grid else _NOT_PUZZLE).search(line.text):
        while not (following := lines.peek()).is_end and following.kind is not Kind.SECTION:
            lines.take()


def _name_puzzle(lines: Lines, preamble: Preamble) -> None:
    """Names the puzzle below by its title. Other text is noted; text without a puzzle is an error."""
    if stray := _stray_line(lines, preamble):
        place = Place(lines.file, stray.number, 1)
        preamble.fault = preamble.fault or InputError(place, quoted(stray.text.strip(" \t")), "a puzzle")
        return
    # a title has a letter or a digit
    texts = [*preamble.headers, *preamble.titles] if preamble.at_end and lines.after_grid else preamble.titles
    titles = [(line.number, text) for line in texts if any(map(str.isalnum, text := line.bare.strip(_SIGNS)))]
    if titles and "name" not in preamble.fields and not preamble.at_end:
        preamble.fields["name"] = titles.pop(0)[1]
    if titles:
        number, text = titles[0]
        more = f" and {counted(len(titles) - 1, 'more line')}" if len(titles) > 1 else ""
        why = "below the last puzzle" if preamble.at_end else f"the title is {quoted(preamble.fields['name'])}"
        preamble.notes.append(Note(Place(lines.file, number), f"the text {quoted(text)}{more} is not used: {why}"))


@lru_cache(maxsize=256)
def rule_in(title: str) -> str:
    """The first constraint that a title names, among those that need no cells unless the title names cells, or is as
    `Killer Sudoku`. For one word such as `diagnal` the nearest name; for a sentence a rule in it; "" for none."""
    from ringdoku.constraints.registry import ALIASES, CONSTRAINTS, split_name
    from ringdoku.links.rules_text import unstated

    for word in re.findall("[A-Za-z-]{3,}", title):
        name, variant = split_name(word)[0], rf"\b{word} sudoku|sudoku {word}\W*\d*$"
        without_cells = name not in ("", "lines", "boxes") and ":" not in CONSTRAINTS[name].example
        if without_cells or (name and (looks_like_rule(title) or re.search(variant, title, re.IGNORECASE))):
            return name
    single = re.fullmatch("(?!(?i:sudoku))([A-Za-z-]+)[ 0-9x-]*", title)
    near = get_close_matches(single[1].lower(), (*CONSTRAINTS, *ALIASES, "board"), 1, 0.8) if single else []
    is_sentence = title.count(" ") > 2 or not re.search("[A-Za-z]", title)
    return next(chain(near, (kinds[0].text for _, kinds in unstated(title, ()) if kinds and is_sentence)), "")


def _stray_line(lines: Lines, preamble: Preamble) -> Line | None:
    """The first line of text without a puzzle above or below it, of regions, or of what may be left of a puzzle."""
    words = [re.sub("[ \t,|]+", "", line.bare) for line in preamble.titles]
    if len(words) > 3 and all(word.isalpha() and len(word) == len(words) for word in words):
        return preamble.titles[0]
    if len(preamble.titles) == LOOK_AHEAD or (preamble.at_end and not lines.after_grid):
        return next(iter(preamble.titles), None)
    damaged = (line for line in preamble.titles if _MARK.search(line.text) and not _LOWER.search(line.text))
    return next(damaged, None) if preamble.at_end else None


def is_free_text(lines: Lines) -> bool:
    """Whether the next line consists of words and is not part of a puzzle."""
    line = lines.peek().text
    text, word = without_comment(line), line.strip(" \t")
    # a `#` may also stand in a column before a puzzle
    if not _FOREIGN.search(text) or _OF_A_GRID.search(text):
        return False
    as_long_as_a_puzzle = len(word) >= SHORTEST and is_square(len(word)) and not _NO_CELL.search(word)
    if (as_long_as_a_puzzle or _LONG.search(line)) and not _CODE.search(text):
        return False
    if len(_MARK.findall(_BOLD.sub("", line))) > (_MOST_MARKS if _WORD.search(text) else _FEW_MARKS):
        return False
    return not _may_be_rows(text, without_comment(lines.next_content()[1].text))


def _may_be_rows(text: str, following: str) -> bool:
    """Whether two lines have the same number of cells, in groups or separate."""
    widths, others = ([len(token) for token in TOKEN.findall(line)] for line in (text, following))
    if not _MARK.search(text) and (1 < sum(widths) < 10 or not any(map(str.isalpha, following))):
        # a row of letters alone is as wide as its alphabet, and no grid of fewer than 10 digits is in letters
        return False
    return widths == others or (len(widths) == len(others) > 1 and not _WORD.search(text))


# counts and sizes

_SIZE = re.compile(r"([0-9]{1,15})(?:[ \t,]+([0-9]{1,4}))?")
_BORDER = re.compile(r"[ \t]*(?:-*\+|[*|\u2500-\u257f])[-+=|* \t\u2500-\u257f]*")
_CELL = re.compile(r"[^ \t,|\u2500-\u257f]+")


def count_text(count: int, line: int) -> str:
    """The declared number of puzzles as error messages have it: `3 puzzles, as line 1 says`."""
    return f"{counted(count, 'puzzle')}, as line {line} says"


def is_count(lines: Lines, box: Box) -> bool:
    """Whether the next line, the first of the input, is the number of puzzles: a number above a line of another length.
    Two equally long lines of digits are rows, and so are a 0 and a 1 if boxes of 1x1 are requested; but 1000 is a count
    above whole 4×4 grids, and a number above a line of one character if that is a size."""
    text = lines.peek().bare
    if not _size_on(lines.peek()):
        return False
    ahead, content = lines.next_content()
    below = content.width
    if below == 1 and box != (1, 1):
        return size_at(lines, ahead) > 0
    if below == len(text) == 4:
        start = ahead if lines.peek(1).kind is Kind.BLANK else 1
        places = range(start, start + int(text) * below + 1)
        rows = next((n for n in places if not lines.is_read(n) or lines.peek(n).width != below), 0) - start
        return rows > 0 and rows % below == 0
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
    """The match of one number or two on a line that is not a row of empty cells."""
    return None if "\t\t\t" in line.text else _SIZE.fullmatch(line.bare)


def _width_below(lines: Lines, ahead: int) -> int:
    """The number of cells in the first row below a line; 0 if there is no row."""
    ahead, content = lines.next_content(ahead)
    while _BORDER.fullmatch(content.text):
        ahead, content = lines.next_content(ahead)
    cells = _CELL.findall(without_comment(content.text))
    return sum(map(len, cells)) if cells and are_touching(cells) else len(cells)


# rules: the shape that their lines state, and the puzzle with them


def option_lines(texts: Iterable[str]) -> tuple[str, ...]:
    """The lines of the rules that an option adds to the input, without comments and blank lines.

    Raises `UsageError` for a line that does not begin with the name of a constraint.
    """
    lines: tuple[str, ...] = ()
    for text in texts:
        lines += tuple(filter(None, [without_comment(line).strip(" \t") for line in text.splitlines()])) or ("",)
    if lines:
        from ringdoku.constraints.registry import shape_in

        try:
            shape_in(lines)
        except RuleError as error:
            raise UsageError(f"--rule {error}") from None
    return lines


@dataclass
class Rules:
    """The lines of the text form for one puzzle: those beside its grid, then those `added` to every puzzle."""

    lines: list[Line]
    added: tuple[str, ...]
    file: str

    @property
    def texts(self) -> tuple[str, ...]:
        return (*(line.bare for line in self.lines), *self.added)

    def shape(self, box: Box, place: Place) -> Shape:
        """The board and boxes that they state for the grid at that place; `box` is what an option requests."""
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

    def applied_to(self, puzzle: Puzzle, place: Place) -> Puzzle:
        """The puzzle at that place with these rules. Raises `InputError`, which names the option if that is wrong."""
        for line in self.lines:
            if line.fault:
                raise line.fault
        if not self.texts:
            return puzzle
        from ringdoku.constraints.registry import with_rules

        try:
            return Puzzle(with_rules(puzzle.ruleset, *self.texts), puzzle.clues)
        except RuleError as error:
            raise self._input_error(error, place) from None

    def stray_error(self, lines: Lines) -> InputError:
        """The error for rules that have no grid below them."""
        place = Place(self.file, self.lines[0].number, 1)
        above, below = ("a rule", "a grid below it"), ("a rule below a grid", "it above the grid")
        first = Rules(self.lines[:1], (), self.file).shape(None, place)
        return first.fault or InputError(place, *(below if lines.after_grid else above))

    def _input_error(self, error: RuleError, place: Place) -> InputError:
        """The error at the place of its line, or at the puzzle's place if the line is one of the option."""
        for line in self.lines:
            if line.bare == error.text:
                where = Place(self.file, line.number, line.text.find(error.text) + 1)
                is_title = re.search("[A-Z]", error.text) and not re.search("[0-9:]", error.text)
                title = f", or {f'Title: {error.text}'!r}" if is_title else ""
                return InputError(where, f"{error.shown} ({error.problem})", error.expected + title)
        return InputError(place, f"a puzzle for which --rule {error.shown} is wrong ({error.problem})", error.expected)
