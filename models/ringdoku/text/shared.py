"""Links, constraint strings and files of other programs among the inputs: `ringdoku.links` reads them.

A link, a packed puzzle, a killer, a jigsaw or a list of candidates stands on a line of its own, and there may be
several. A text for ISS, and the JSON of f-puzzles and SudokuPad, go on to the end of the input.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from string import ascii_uppercase

from ringdoku.domain.errors import InputError, UsageError
from ringdoku.domain.puzzle import Puzzle
from ringdoku.text.base import Entry
from ringdoku.text.layout import Layout
from ringdoku.text.lines import Line, Lines
from ringdoku.text.rules import Rules

_MOST_BLANK = 64
"""Blank lines that are looked past for the first link."""

_PLAIN = {*(2 * order**2 + space for order in range(4, 17) for space in (0, 1)), *(order**3 for order in range(3, 10))}
"""Lengths of jigsaws with clues and of lists of candidates."""

_DIGITS = 10
"""From this order on grids are written in numbers."""


def begins_shared(lines: Lines) -> bool:
    """Whether what comes next is a link or a text of another program."""
    ahead = 0
    while (line := lines.peek(ahead)) and not line.text.strip(" \t") and ahead < _MOST_BLANK:
        ahead += 1
    if line is None or line.fault:
        return False
    text = line.text.strip(" \t")
    # most inputs are told apart by their first character, without loading the readers
    if not text or text[0].isdigit() or set(text) <= set("._*?-0 \t|+"):
        return (text.startswith(("3x3:", "2x3:")) and _is_link(text)) or _is_plain(text)
    return _is_link(_whole(lines) if text.startswith("{") and not _is_object(text) else text)


def read_shared(lines: Lines, rules: Sequence[str], ignore: bool) -> Iterator[Entry | InputError]:
    """The puzzles of such an input. `rules` are added to each; `ignore` accepts one that was not understood in full."""
    while line := lines.peek():
        if not line.text.strip(" \t"):
            lines.take()
            continue
        place = lines.place(0)
        text = line.text.strip(" \t")
        if text.startswith(("{", ".", "#")) and not _is_plain(text):
            text = _whole(lines)
            while lines.take():
                pass
        else:
            lines.take()
        if line.fault:
            yield line.fault
            continue
        from ringdoku.links import read_link

        try:
            shared = read_link(text)
            puzzle = Rules((), tuple(rules), lines.file).on(shared.puzzle, place)
        except InputError as error:
            yield error
            continue
        except UsageError as error:
            yield InputError(place, str(error), "a puzzle that is stated in full")
            continue
        if shared.unknown and not ignore:
            found = f"a puzzle with more than is understood ({'; '.join(shared.unknown)})"
            yield InputError(place, found, "rules that are all known; --ignore answers the puzzle without those")
            continue
        about = " ".join(shared.rules.split())
        name, author = " ".join(shared.title.split()), " ".join(shared.author.split())
        # the solution that came with it is one of all its rules, so of these too unless rules were added
        solution = None if rules else shared.solution
        yield Entry(puzzle, _layout(puzzle, _is_plain(text)), place, solution, name, author, about, shared=True)


def _layout(puzzle: Puzzle, plain: bool) -> Layout:
    board = puzzle.board
    if board.least >= 0 and board.digits[-1] < _DIGITS:
        return Layout("packed", "".join(map(str, board.digits)), ".")
    if plain:  # a large jigsaw has letters for its digits
        return Layout("packed", ascii_uppercase[: board.order], ".")
    return Layout("spaced", blank=".", separator=" ")


def _whole(lines: Lines) -> str:
    """All that is left, which stays there."""
    found: list[Line] = []
    while line := lines.peek(len(found)):
        found.append(line)
    return "\n".join(line.text for line in found)


def _is_object(text: str) -> bool:
    """Whether a line is a whole JSON object, so that no further one is needed to tell what it is."""
    import json

    try:
        return isinstance(json.loads(text), dict)
    except (RecursionError, ValueError):
        return False


def _is_plain(text: str) -> bool:
    if len(text) not in _PLAIN:
        return False
    from ringdoku.links.plain import is_candidates, is_jigsaw

    return is_jigsaw(text) or is_candidates(text)


def _is_link(text: str) -> bool:
    from ringdoku.links import is_link

    return is_link(text)
