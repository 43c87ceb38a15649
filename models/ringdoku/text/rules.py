"""Lines of our text form beside grids: directly above one, or directly below one in a file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ringdoku.domain.errors import InputError, Place, RuleError, UsageError
from ringdoku.domain.puzzle import Puzzle
from ringdoku.text.base import Block, Box, Format, Shape
from ringdoku.text.between import Kind, kind_of, without_comment
from ringdoku.text.lines import Line, Lines

_DIGITS_AND_BLANKS = frozenset("0123456789._*?")
_MOST_BELOW = 10_000
"""Lines below a grid that are looked through for the end of its rules."""


@dataclass(frozen=True)
class Rules:
    """The lines of the text form for one puzzle: those beside its grid, then those `added` to every puzzle."""

    lines: tuple[Line, ...]
    added: tuple[str, ...]
    file: str

    def and_more(self, lines: Sequence[Line]) -> Rules:
        return replace(self, lines=(*self.lines, *lines)) if lines else self

    @cached_property
    def texts(self) -> tuple[str, ...]:
        return (*(_bare(line) for line in self.lines), *self.added)

    def shape(self, box: Box, lines: Lines) -> Shape:
        """What they say of the grid that comes next; `box` was asked for otherwise."""
        if not self.texts:
            return Shape(None, box)
        place = lines.place(0)
        from ringdoku.constraints.text import board_in, boxes_in

        try:
            board, own = board_in(self.texts), boxes_in(self.texts)
        except RuleError as error:
            return Shape(None, box, self._input_error(error, place))
        if box and own and box != own:
            found = f"boxes of {own[0]}x{own[1]} in the rules"
            return Shape(board, box, InputError(place, found, f"{box[0]}x{box[1]}, as requested"))
        return Shape(board, box if own is None else own)

    def read(self, lines: Lines, form: Format, shape: Shape) -> Block:
        """Takes the next grid and the rules below it. Raises `InputError`."""
        place = lines.place(0)
        try:
            block = form.read(lines, shape)
        except InputError as error:
            raise shape.fault or error from None
        finally:
            below = _take_below(lines)
            lines.after_grid = lines.number
        if shape.fault:
            raise shape.fault
        return replace(block, puzzle=self.and_more(below).on(block.puzzle, place))

    def on(self, puzzle: Puzzle, place: Place) -> Puzzle:
        """The puzzle at that place with these rules. Raises `InputError`, which names the option for a line of it."""
        for line in self.lines:
            if line.fault:
                raise line.fault
        if not self.texts:
            return puzzle
        from ringdoku.constraints.text import with_rules

        try:
            ruleset = with_rules(puzzle.ruleset, self.texts)
        except RuleError as error:
            raise self._input_error(error, place) from None
        except UsageError as error:
            raise InputError(place, f"rules that do not go together ({error})", "others") from None
        return Puzzle(ruleset, puzzle.clues)

    def alone(self, line: Line) -> InputError:
        """The error for a line without a grid below it."""
        from ringdoku.constraints.text import check_names

        try:
            check_names([_bare(line)])
        except RuleError as error:
            return Rules((line,), (), self.file)._input_error(error, Place(self.file, line.number))
        return InputError(Place(self.file, line.number, 1), "a rule", "a grid below it")

    def _input_error(self, error: RuleError, place: Place) -> InputError:
        """The same with the place of the line, or that of the puzzle for a line of an option."""
        for line in self.lines:
            if _bare(line) == error.text:
                column = line.text.find(error.text) + 1
                where = Place(self.file, line.number, column)
                return InputError(where, f"{error.shown} ({error.problem})", error.expected)
        return InputError(place, f"a puzzle for which --rule {error.shown} is wrong ({error.problem})", error.expected)


def _bare(line: Line) -> str:
    return without_comment(line.text).strip(" \t")


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


def _take_below(lines: Lines) -> list[Line]:
    """Takes the rules directly below the grid that was taken last, unless another grid stands directly below them, and
    rules with nothing but blank lines around them at the end of the input.

    Takes nothing where the input is not a file: whoever writes to a pipe may wait for the answer to the grid.
    """
    following = lines.peek() if lines.is_file else None
    if following is None or following.text[:1] in _DIGITS_AND_BLANKS:
        # nothing, or the next grid, as a rule
        return []
    kinds: list[Kind] = []
    while len(kinds) < _MOST_BELOW and (line := lines.peek(len(kinds))):
        kinds.append(kind_of(line.text))
        if kinds[-1] not in (Kind.RULE, Kind.COMMENT, Kind.BLANK):
            break
    if Kind.RULE not in kinds:
        return []
    if kinds[-1] in (Kind.RULE, Kind.COMMENT, Kind.BLANK) and len(kinds) < _MOST_BELOW:
        count = len(kinds)
    else:
        count = next(place for place, kind in enumerate(kinds) if kind not in (Kind.RULE, Kind.COMMENT))
        if Kind.RULE not in kinds[:count] or kinds[count] is Kind.CONTENT:
            return []
    taken = [line for _ in range(count) if (line := lines.take())]
    return [line for line in taken if kind_of(line.text) is Kind.RULE]
