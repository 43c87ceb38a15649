"""What stands between puzzles: blank lines, comments, headers, rules, and free text, such as `My sudoku`, `No. 5` or
`=== Level 5 ===` above a puzzle, and words below the last one.

The next content shows whether a line is a title or a row in letters. Only lines with few marks and no long word count
as text, so that a damaged puzzle is not skipped unless hardly anything is left of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from ringdoku.domain.errors import InputError, Place
from ringdoku.domain.numbers import counted
from ringdoku.text.between import (
    LOOK_AHEAD,
    Kind,
    is_telling,
    kind_of,
    name_of,
    next_content,
    title_of,
    without_comment,
)
from ringdoku.text.cells import is_square, quoted
from ringdoku.text.line import SHORTEST, header_of
from ringdoku.text.lines import Line, Lines

_MARKS = r"0-9._*?·\-"
_MARK = re.compile(f"[{_MARKS}]")
_FOREIGN = re.compile(rf"[^ \t{_MARKS},;|+='\u2500-\u257f]")
_WORD = re.compile(r"""(?<![^ \t"'(=/])[^\W\d_]{3,}(?![^ \t"'):;,.!?=/])""")
_LOWER = re.compile(r"(?<![^\W_])[^\W\d_]*[a-zà-ÿ]{2}[^\W\d_]*(?![^\W_])")
_LONG = re.compile(r"[^ \t]{25}")
_TOKEN = re.compile(r"[^ \t,]+")
_OF_A_GRID = re.compile(r"\||^[ \t]*\{|,[ \t]*,|\t *\t")
"""A border, a JSON object, an empty cell."""
_FEW_MARKS = 4
_MOST_MARKS = 12
"""Enough for a date and a number, but fewer than any puzzle on one line has cells."""
_FEWEST_LETTERS = 10
"""Width of the smallest grid in letters."""


@dataclass
class Gap:
    """What came before the next puzzle. `ended`: there is no next puzzle."""

    name: str = ""
    blank: bool = False
    fault: InputError | None = None
    ended: bool = False
    rules: list[Line] = field(default_factory=list)


def skip(lines: Lines, until: Callable[[str], bool] = lambda _: False) -> Gap:
    """Takes all lines up to the next puzzle, or up to a line for which `until` is true."""
    gap = Gap()
    titles = _Titles()
    while (line := lines.peek()) and not until(line.text):
        kind = kind_of(line.text)
        if kind not in (Kind.RULE, Kind.COMMENT, Kind.CONTENT):
            gap.fault = gap.fault or _rule_below(lines, gap.rules)
        gap.ended = kind is Kind.END
        if gap.ended or (kind is Kind.CONTENT and not _take_text(line, lines, gap, titles)):
            break
        if kind is not Kind.CONTENT:
            _take(line, kind, lines, gap)
    gap.ended = gap.ended or line is None
    if gap.ended:
        gap.fault = gap.fault or _rule_below(lines, gap.rules)
    gap.name = titles.name(lines, gap.name, gap.ended)
    return gap


def _take(line: Line, kind: Kind, lines: Lines, gap: Gap) -> None:
    """Takes the next line, which is not content, and what belongs to it."""
    if kind is Kind.RULE:
        # what is wrong with it is wrong with its puzzle
        gap.rules.append(line)
    else:
        gap.fault = gap.fault or line.fault
    if kind is Kind.BLANK:
        gap.blank = True
        lines.take_blank()
        return
    lines.take()
    if kind is Kind.HEADER:
        gap.name = name_of(line.text) or gap.name
    elif kind is Kind.SECTION and "puzzle" not in line.text.lower():
        # up to the line before the next section
        while (following := lines.peek()) and kind_of(following.text) is not Kind.SECTION:
            lines.take()


def _take_text(line: Line, lines: Lines, gap: Gap, titles: _Titles) -> bool:
    """Takes the next line, or all lines up to the end, if they are text; false where a puzzle or the end comes next, or
    no puzzle comes below."""
    if not is_text(lines):
        return False
    if lines.after_grid and _is_below_all(lines):
        gap.ended = True
        while text := lines.take():
            titles.add(text)
        return False
    if not _is_above_puzzle(lines):
        found = quoted(line.text.strip(" \t"))
        gap.fault = gap.fault or line.fault or InputError(lines.place(), found, "a puzzle")
        lines.take()
        return False
    lines.take()
    if is_telling(line.text):
        gap.rules.append(line)
    else:
        gap.fault = gap.fault or line.fault
        titles.add(line)
    return True


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


def _rule_below(lines: Lines, rules: list[Line]) -> InputError | None:
    """The error for rules, of which the last was taken last, that stand directly below a grid and above none."""
    if not rules or rules[0].number != lines.after_grid:
        return None
    place = Place(lines.file, rules[0].number, 1)
    rules.clear()
    return InputError(place, "a rule below a grid", "it above the grid; below, it is read from files alone")


def is_text(lines: Lines, ahead: int = 0) -> bool:
    """Whether a line consists of words and is not part of a puzzle."""
    line = lines.peek(ahead)
    if line is None or not _is_wordy(line.text) or _is_like_puzzle(line.text) or header_of(lines, ahead):
        return False
    text = without_comment(line.text)
    following = next_content(lines, ahead)
    return following is None or not _may_be_rows(text, without_comment(following[1].text))


def _is_above_puzzle(lines: Lines) -> bool:
    """Whether a puzzle may follow the next line: content that is not text.

    Continues where the last call for an earlier line stopped, so that each line of a long text is read once.
    """
    number = lines.place().line
    following = next_content(lines, max(0, lines.text_until - number))
    while following and is_text(lines, following[0]):
        text, following = following[0], next_content(lines, following[0])
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
        kind = kind_of(line.text)
        if line.fault or kind is Kind.RULE:
            return False
        if kind is not Kind.CONTENT:
            continue
        if not is_text(lines, ahead) or not (_LOWER.search(line.text) or not _MARK.search(line.text)):
            return False
    return False


def _is_wordy(line: str) -> bool:
    text = without_comment(line)
    # a `#` may also stand in a column before a puzzle
    if not _FOREIGN.search(text) or _OF_A_GRID.search(text) or _LONG.search(line):
        return False
    return len(_MARK.findall(line)) <= (_MOST_MARKS if _WORD.search(text) else _FEW_MARKS)


def _is_like_puzzle(line: str) -> bool:
    """Whether the line is one word that is as long as a puzzle."""
    word = line.strip(" \t")
    return len(word) >= SHORTEST and is_square(len(word)) and " " not in word


def _may_be_rows(text: str, following: str) -> bool:
    """Whether two lines have the same number of cells, in groups or separate."""
    widths, others = ([len(token) for token in _TOKEN.findall(line)] for line in (text, following))
    if not _MARK.search(text) and (1 < sum(widths) < _FEWEST_LETTERS or not any(map(str.isalpha, following))):
        # a row of letters alone is as wide as its alphabet
        return False
    return widths == others or (len(widths) == len(others) > 1 and not _WORD.search(text))
