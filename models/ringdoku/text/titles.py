"""Titles: free text above a puzzle, such as `My sudoku`, `No. 5` or `=== Level 5 ===`, and words below the last one.

The next content shows whether a line is a title or a row in letters. Only lines with few marks and no long word count
as text, so that a damaged puzzle is not skipped unless hardly anything is left of it.
"""

from __future__ import annotations

import re

from ringdoku.domain.errors import InputError
from ringdoku.text.between import LOOK_AHEAD, Kind, kind_of, next_content, without_comment
from ringdoku.text.columns import SHORTEST, header_of
from ringdoku.text.lines import Lines
from ringdoku.text.symbols import is_square, quoted

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


def is_text(lines: Lines, ahead: int = 0) -> bool:
    """Whether a line consists of words and is not part of a puzzle."""
    line = lines.peek(ahead)
    if line is None or not _is_wordy(line.text) or _is_like_puzzle(line.text) or header_of(lines, ahead):
        return False
    text = without_comment(line.text)
    following = next_content(lines, ahead)
    return following is None or not _may_be_rows(text, without_comment(following[1].text))


def is_above_puzzle(lines: Lines) -> bool:
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


def is_below_all(lines: Lines) -> bool:
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


def no_puzzle(lines: Lines) -> InputError:
    """The error for the next line, a text without a puzzle below it."""
    line = lines.peek()
    return InputError(lines.place(), quoted(line.text.strip(" \t")) if line else "nothing", "a puzzle")


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
