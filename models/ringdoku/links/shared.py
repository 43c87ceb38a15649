"""The contents of a link or a file of another program, and helpers for its readers."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import groupby
from types import MappingProxyType
from typing import Any

from ringdoku.constraints.digits import AllowedDigits, Odd
from ringdoku.constraints.pairs import Difference, PairSum, Ratio
from ringdoku.constraints.regions import Regions
from ringdoku.constraints.registry import CONSTRAINTS
from ringdoku.domain import (
    Allowed,
    Board,
    Boxes,
    Cells,
    Constraint,
    Grid,
    Lines,
    Puzzle,
    Ruleset,
    UsageError,
    box_shapes,
    write_constraint,
)
from ringdoku.links.compression import refuse_length


@dataclass(frozen=True)
class ImportedPuzzle:
    """A puzzle as somebody shared it.

    `rules` is the rules text of its setter, `solution` the solution in the file. `unknown` has a sentence for each key,
    drawn element or value that was not understood, or that states a rule which we do not enforce. If there are any,
    `puzzle` is not the whole puzzle.
    """

    puzzle: Puzzle
    title: str = ""
    author: str = ""
    rules: str = ""
    solution: Grid | None = None
    unknown: tuple[str, ...] = ()


def kinds_named(names: str) -> frozenset[type[Constraint]]:
    """The constraints with these names in our text form."""
    return frozenset(CONSTRAINTS[name] for name in names.split())


class Draft:
    """A puzzle while it is being read. Its methods raise `UsageError` with the place for values that make no sense."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.constraints: list[Constraint] = [Lines()]
        self.clues: dict[int, int] = {}
        self.title = self.author = self.rules = ""
        self.solution: Grid | None = None
        self._unknown: dict[str, None] = {}

    def add(self, where: str, constraint: Constraint) -> None:
        """Add a rule. `where` is its place in the file, for the error if the rule makes no sense on the board."""
        try:
            Ruleset(self.board, (constraint,))
        except UsageError as error:
            raise UsageError(f"{where}: {error}") from None
        self.constraints.append(constraint)

    def warn(self, sentence: str) -> None:
        """Note something that was not understood. Equal sentences are noted once."""
        self._unknown[sentence] = None

    def warn_keys(self, record: Mapping[str, object], known: frozenset[str], where: str = "") -> None:
        """Note each key that is not known and has a value."""
        for key, value in record.items():
            if value and key not in known:
                self.warn(f"the key {shown(key)}{where} is unknown")

    def clue(self, where: str, cell: int, digit: int) -> None:
        """A given digit."""
        if digit not in self.board.digits:
            raise UsageError(f"{where}: {shown(digit)} is not a digit of a board of {self.board}")
        self.clues[cell] = digit

    def add_regions(self, groups: Iterable[Cells]) -> None:
        """The regions of the board, as boxes if they are boxes. Each must have a cell for each digit."""
        regions = tuple(sorted(tuple(sorted(group)) for group in groups))
        for region in regions:
            if len(region) != self.board.order:
                name = self.board.cell_name(region[0])
                raise UsageError(f"the region of {name} has {len(region)} cells, not {self.board.order}")
        boxes = default_boxes(self.board)
        if boxes and regions == tuple(sorted(house.cells for house in boxes.houses(self.board))):
            # boxes of one row are the rows
            self.constraints += [boxes] if boxes.height > 1 else []
        elif regions:
            self.add("regions", Regions(regions))

    def shared(self) -> ImportedPuzzle:
        """The puzzle that was read."""
        clues = [self.clues.get(cell, self.board.blank) for cell in range(self.board.cell_count)]
        puzzle = Puzzle(Ruleset(self.board, tuple(self.constraints)), Grid(tuple(clues), self.board))
        title, author, rules = map(plain, (self.title, self.author, self.rules))
        return ImportedPuzzle(puzzle, title, author, rules, self.solution, tuple(self._unknown))


def default_boxes(board: Board) -> Boxes | None:
    """The default boxes of other programs: their height is the greatest divisor up to the square root."""
    return Boxes(*box_shapes(board.order)[0]) if board.is_plain else None


def connected(board: Board, are_joined: Callable[[int, int], bool]) -> list[Cells]:
    """The largest sets of cells that are connected by neighbours which are joined."""
    group_of = {cell: {cell} for cell in range(board.cell_count)}
    for one, other in board.neighbours():
        if are_joined(one, other) and group_of[one] is not group_of[other]:
            group_of[one] |= group_of[other]
            group_of.update(dict.fromkeys(group_of[other], group_of[one]))
    return list(dict.fromkeys(tuple(sorted(group)) for group in group_of.values()))


def near(board: Board, cell: int) -> list[int]:
    """The neighbours of a cell."""
    return [other for pair in board.neighbours() if cell in pair for other in pair if other != cell]


def seen_from(board: Board, row: int, column: int, down: int, right: int) -> Cells:
    """The cells in a direction from a place beside the board; none from a place inside."""
    cells: list[int] = []
    if board.at(row, column) is None and (down or right):
        while (cell := board.at(row := row + down, column := column + right)) is not None:
            cells.append(cell)
    return tuple(cells)


def load_json(text: str, long_names: Mapping[str, str] = MappingProxyType({}), what: str = "JSON") -> dict[str, Any]:
    """The JSON object in a text, with long names for short ones. Raises `UsageError` for anything else."""
    refuse_length(text)
    try:
        found = json.loads(
            text, object_pairs_hook=lambda fields: {long_names.get(key, key): one for key, one in fields}
        )
    except json.JSONDecodeError as error:
        raise UsageError(f"character {error.pos + 1} of the {what}: {error.msg}") from None
    except (RecursionError, ValueError):
        raise UsageError(f"the {what} is nested too deeply, or a number in it is too long") from None
    if not isinstance(found, dict):
        raise UsageError(f"the {what} is {shown(found)}, not an object")
    return found


_NUMBER = re.compile(r"-?[0-9]{1,9}")


def integer(value: object) -> int | None:
    """The integer that a value is or that its text is, None for anything else."""
    match value:
        case str() if _NUMBER.fullmatch(value.strip()):
            return int(value)
        case int() | float() if not isinstance(value, bool) and -(10**9) < value < 10**9 and value == int(value):
            return int(value)
    return None


def says_nothing(value: object) -> bool:
    """Whether a clue has no value."""
    return value is None or (isinstance(value, str) and value.strip() in ("", "?", "_"))


def items(value: object, where: str) -> Sequence[Any]:
    """A list, empty for null. Raises `UsageError`."""
    if value is None:
        return ()
    if not isinstance(value, list):
        raise UsageError(f"{where} is {shown(value)}, not a list")
    return value


def record(value: object, where: str) -> dict[str, Any]:
    """An object. Raises `UsageError`."""
    if not isinstance(value, dict):
        raise UsageError(f"{where} is {shown(value)}, not an object")
    return value


def entries(key: str, value: object) -> Iterator[tuple[str, dict[str, Any]]]:
    """The objects in a list, each with its place: `arrow 2`. Raises `UsageError`."""
    for number, entry in enumerate(items(value, key), 1):
        where = f"{key} {number}"
        yield where, record(entry, where)


def whole(value: object, where: str) -> int:
    """`integer`, or `UsageError`."""
    number = integer(value)
    if number is None:
        raise UsageError(f"{where}: {shown(value)} is not a whole number")
    return number


def text_of(value: object) -> str:
    """A title or another text: a string, several as lines, else nothing."""
    if isinstance(value, list):
        return "\n".join(line for line in value if isinstance(line, str))
    return value if isinstance(value, str) else ""


def full_grid(solution: object, board: Board) -> Grid | None:
    """The grid of a solution, a list or a text, None unless it has a digit for each cell; A to G stand for 10 to 16."""
    symbols = solution.split(",") if isinstance(solution, str) and "," in solution else solution
    if not isinstance(symbols, (str, list)):
        return None
    letters = {letter: number for number, letter in enumerate("ABCDEFG", 10)}
    digits = [letters.get(s.upper(), integer(s)) if isinstance(s, str) else integer(s) for s in symbols]
    found = tuple(digit for digit in digits if digit is not None and digit in board.digits)
    return Grid(found, board) if len(found) == len(digits) == board.cell_count else None


def visits(path: Iterable[int], regions: Sequence[Cells]) -> tuple[Cells, ...]:
    """The parts of a path, each in one region."""
    region_of = {cell: number for number, region in enumerate(regions) for cell in region}
    return tuple(tuple(visit) for _, visit in groupby(path, region_of.get))


def straight(cells: Iterable[int]) -> Cells:
    """A path without immediate repeats of a cell."""
    return tuple(cell for cell, _ in groupby(cells))


def stated(
    program: str, shared: ImportedPuzzle, write: Callable[[ImportedPuzzle], str], read: Callable[[str], ImportedPuzzle]
) -> str:
    """What a function writes for a puzzle, if it is read as the same puzzle.

    Raises `UsageError` for the first rule that is not read again.
    """
    puzzle, text = shared.puzzle, write(shared)
    if Lines() not in puzzle.ruleset.constraints:
        raise UsageError(f"{program} has no boards where digits repeat in rows and columns")
    if _read_again(text, read) != _meaning(puzzle):
        for rule in puzzle.ruleset.constraints:
            alone = Puzzle(Ruleset(puzzle.board, (rule,)), Grid.blank(puzzle.board))
            if not _meaning(alone) <= _read_again(write(replace(shared, puzzle=alone)), read):
                raise UsageError(f"{program} cannot state the rule {write_constraint(rule, puzzle.board)!r}")
        raise UsageError(f"{program} cannot state these rules together")
    return text


def _read_again(text: str, read: Callable[[str], ImportedPuzzle]) -> set[object]:
    """The meaning of what is read, nothing for what is refused."""
    with suppress(UsageError):
        return _meaning(read(text).puzzle)
    return set()


def _meaning(puzzle: Puzzle) -> set[object]:
    """Clues, houses and rules, however they are put together. Rows and columns go without saying."""
    found: set[object] = {pair for pair in enumerate(puzzle.clues.digits) if pair[1]}
    for rule in puzzle.ruleset.constraints:
        houses = () if isinstance(rule, Lines) else rule.houses(puzzle.board)
        found |= {frozenset(house.cells) for house in houses}
        if isinstance(rule, Difference | Ratio | PairSum):
            rule = replace(rule, cells=tuple(sorted(rule.cells)))
        allowed = {(one, one.cell) for one in rule.primitives(puzzle.board) if isinstance(one, Allowed)}
        is_given_by_cells = isinstance(rule, (Odd, AllowedDigits))
        found |= allowed if is_given_by_cells else {rule} if [*rule.primitives(puzzle.board)] else set()
    return found


def shown(value: object) -> str:
    """A value for a message: in ASCII, and short."""
    text = ascii(value)
    return text if len(text) <= 40 else f"{text[:40]}…"


def plain(text: str) -> str:
    """A text that can be printed anywhere: without lone surrogates, and without control characters except line ends."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join("".join(c if c.isprintable() else " " for c in line).rstrip() for line in lines).strip()
