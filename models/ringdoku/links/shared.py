"""`ImportedPuzzle`, the contents of a link or file of another program; `Draft`, which readers fill; and helpers."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain, groupby
from typing import TypeAlias, TypeVar

from ringdoku.constraints import digits, pairs, regions, sums
from ringdoku.constraints.registry import CONSTRAINTS
from ringdoku.domain import Allowed, Board, Boxes, Cells, Grid, Lines, Puzzle, Ruleset, UsageError, box_shapes, refuse
from ringdoku.domain.checker import check
from ringdoku.domain.constraint import Constraint, write_constraint
from ringdoku.domain.primitives import grouped
from ringdoku.links.values import printable, shown

T = TypeVar("T")
Writer: TypeAlias = "Callable[[ImportedPuzzle], str]"
Reader: TypeAlias = "Callable[[str], ImportedPuzzle]"


@dataclass(frozen=True)
class ImportedPuzzle:
    """The contents of a link or file. `rules` is the rules text of the setter, `solution` the solution in the file.
    `unknown` has a sentence for each key, drawn element or value that was not understood, or that states a rule which
    we do not enforce. If there are any, `puzzle` is not the whole puzzle."""

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

    def note_unknown(self, sentence: str) -> None:
        """Note, once, that something was not understood. `text.reader` refuses such a puzzle without --ignore."""
        self._unknown[sentence] = None

    def note_keys(self, record: Mapping[str, object], known: frozenset[str], where: str = "") -> None:
        """Note each key that is not known and has a value."""
        for key, value in record.items():
            if value and key not in known:
                self.note_unknown(f"the key {shown(key)}{where} is unknown")

    def clue(self, where: str, cell: int, digit: int) -> None:
        """Set the given digit of a cell."""
        refuse(digit not in self.board.digits, f"{where}: {shown(digit)} is not a digit of a board of {self.board}")
        self.clues[cell] = digit

    def add_regions(self, groups: Iterable[Cells]) -> None:
        """Add the regions of the board, as `Boxes` if that is what they are. Each must have a cell for each digit."""
        found = tuple(sorted(tuple(sorted(group)) for group in groups))
        for region in found:
            name, size = self.board.cell_name(region[0]), len(region)
            refuse(size != self.board.order, f"the region of {name} has {size} cells, not {self.board.order}")
        boxes = usual_boxes(self.board)
        if self.board.is_plain and found == tuple(sorted(house.cells for house in boxes.houses(self.board))):
            # boxes of one row are the rows
            self.constraints += [boxes] if boxes.height > 1 else []
        elif found:
            self.add("regions", regions.Regions(found))

    def imported(self) -> ImportedPuzzle:
        """The puzzle that was read."""
        clues = [self.clues.get(cell, self.board.blank) for cell in range(self.board.cell_count)]
        puzzle = Puzzle(Ruleset(self.board, tuple(self.constraints)), Grid(tuple(clues), self.board))
        if self.solution and (faults := check(puzzle, self.solution)):
            self.note_unknown(f"the solution in the file breaks the rules as they are understood: {faults[0]}")
        title, author, rules = map(printable, (self.title, self.author, self.rules))
        return ImportedPuzzle(puzzle, title, author, rules, self.solution, tuple(self._unknown))


def usual_boxes(board: Board) -> Boxes:
    """The squarest boxes of the board, flat rather than tall, which other programs use by default."""
    return Boxes(*box_shapes(board.order)[0])


def components(board: Board, joined: Iterable[tuple[int, int]]) -> list[Cells]:
    """The connected components of the cells of a board, where the pairs in `joined` are edges."""
    group_of = {cell: {cell} for cell in range(board.cell_count)}
    for one, other in joined:
        if group_of[one] is not group_of[other]:
            group_of[one] |= group_of[other]
            group_of.update(dict.fromkeys(group_of[other], group_of[one]))
    return list(dict.fromkeys(tuple(sorted(group)) for group in group_of.values()))


def cells_by(keys: Iterable[T]) -> dict[T, Cells]:
    """The cells with each key; `keys` has the key of each cell in turn."""
    return {key: tuple(cells) for key, cells in grouped((key, cell) for cell, key in enumerate(keys)).items()}


def seen_from(board: Board, row: int, column: int, down: int, right: int) -> Cells:
    """The cells on the board in a direction from a place beside it; none for a place on the board."""
    cells: list[int] = []
    if board.at(row, column) is None:
        while (cell := board.at(row := row + down, column := column + right)) is not None:
            cells.append(cell)
    return tuple(cells)


def cut_by_group(path: Iterable[int], groups: Sequence[Cells]) -> tuple[Cells, ...]:
    """The maximal parts of a path that stay in one group of cells."""
    group_of = {cell: number for number, group in enumerate(groups) for cell in group}
    return tuple(tuple(visit) for _, visit in groupby(path, group_of.get))


def as_path(cells: Iterable[int]) -> Cells:
    """The cells of a path without immediate repeats."""
    return tuple(cell for cell, _ in groupby(cells))


def checked_text(name: str, imported: ImportedPuzzle, write: Writer, read: Reader) -> str:
    """The text that `write` makes of a puzzle, after checking that `read` returns the same puzzle. Raises `UsageError`
    for the first rule that is lost, alone or beside those before it; `name` is that of the program."""
    puzzle, rules, text = imported.puzzle, imported.puzzle.ruleset.constraints, write(imported)
    refuse(Lines() not in rules, f"{name} has no boards where digits repeat in rows and columns")
    if is_read_back(text, puzzle, read):
        return text
    alone = (((rule,), "") for rule in rules)
    for some, beside in chain(alone, ((rules[:count], " beside the others") for count in range(2, len(rules) + 1))):
        part = Puzzle(Ruleset(puzzle.board, some), Grid.blank(puzzle.board))
        if not _meaning(part) <= _meaning_of_text(write(replace(imported, puzzle=part)), read):
            raise UsageError(f"{name} cannot state the rule {write_constraint(some[-1], puzzle.board)!r}{beside}")
    again = read(text).puzzle.ruleset.constraints
    added = (write_constraint(rule, puzzle.board) for rule in again if rule not in rules)
    raise UsageError(f"{name} has no puzzles without {' and '.join(added)}")


def is_read_back(text: str, puzzle: Puzzle, read: Reader) -> bool:
    """Whether `read` returns this puzzle, or an equivalent one, for a text."""
    return _meaning_of_text(text, read) == _meaning(puzzle)


def _meaning_of_text(text: str, read: Reader) -> set[object]:
    """The meaning of the puzzle in a text; empty if `read` refuses it."""
    with suppress(UsageError):
        return _meaning(read(text).puzzle)
    return set()


def _meaning(puzzle: Puzzle) -> set[object]:
    """Clues, houses and rules as a set that is equal for equivalent puzzles. Rows and columns are left out."""
    found: set[object] = {pair for pair in enumerate(puzzle.clues.digits) if pair[1]}
    for rule in puzzle.ruleset.constraints:
        found |= {frozenset(house.cells) for house in (() if isinstance(rule, Lines) else rule.houses(puzzle.board))}
        if isinstance(rule, pairs.Difference | pairs.Ratio | pairs.PairSum | sums.Killer):
            rule = replace(rule, cells=tuple(sorted(rule.cells)))
        allowed = {(one, one.cell) for one in rule.primitives(puzzle.board) if isinstance(one, Allowed)}
        is_given_by_cells = isinstance(rule, (digits.Odd, digits.AllowedDigits))
        found |= allowed if is_given_by_cells else {rule} if [*rule.primitives(puzzle.board)] else set()
    return found
