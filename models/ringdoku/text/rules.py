"""Lines of rules beside grids: what they say of the grid's shape, and its rules."""

from collections.abc import Iterable
from dataclasses import dataclass

from ringdoku.domain import InputError, Place, Puzzle, RuleError, UsageError
from ringdoku.text.formats import Box, Shape
from ringdoku.text.lines import Kind, Line, Lines, without_comment


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

    def and_more(self, lines: Iterable[Line]) -> "Rules":
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
    if not lines.is_file:
        return []
    count = lines.count(Kind.RULE, Kind.COMMENT, Kind.BLANK)
    if lines.peek(count).kind is not Kind.END:
        count = lines.count(Kind.RULE, Kind.COMMENT)
        if lines.peek(count).kind is Kind.CONTENT:
            return []
    if not any(lines.peek(ahead).kind is Kind.RULE for ahead in range(count)):
        return []
    return [line for line in [lines.take() for _ in range(count)] if line.kind is Kind.RULE]
