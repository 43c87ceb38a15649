"""Canonical forms of classic puzzles, by which one finds out whether puzzles are the same but for symmetries."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby, islice
from math import factorial, prod

from ringdoku.domain import Grid, Puzzle, UsageError
from ringdoku.services.session import PuzzleLike, as_puzzle

TOGETHER = 100
"""Puzzles that are worked on together, about fifteen times as fast as one by one."""


@dataclass(frozen=True)
class Canonical:
    """The canonical `form` of a puzzle, its number of `automorphisms`, and how the puzzle becomes the form.

    If `transposed`, rows become columns first. Then row i of the form is row `rows[i]`, column j is column
    `columns[j]`, counted from 0, and the digit d becomes `digits[d - 1]`.
    """

    form: Puzzle
    automorphisms: int
    transposed: bool
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    digits: tuple[int, ...]

    def moved(self, grid: Grid) -> Grid:
        """What becomes of another grid, such as the solution."""
        rows = tuple(zip(*grid.rows, strict=True)) if self.transposed else grid.rows
        digits = (0, *self.digits)
        return Grid(tuple(digits[rows[row][column]] for row in self.rows for column in self.columns), grid.board)


def canonical(puzzle: PuzzleLike) -> Canonical:
    """The row-minlex form: of all puzzles that differ from this one by the order of digits, bands, rows of a band,
    stacks and columns of a stack and, where boxes are square, by transposition, the first as n² digits, 0 for blank.

    Puzzles with equal forms are isomorphic. Raises `UsageError` for other than classic rules, and for a large puzzle
    with so many symmetries that they do not fit into the memory.
    """
    found = next(canonical_many([puzzle]))
    if found is None:
        raise UsageError("the puzzle has too many symmetries for its canonical form")
    return found


def canonical_many(puzzles: Iterable[PuzzleLike]) -> Iterator[Canonical | None]:
    """`canonical` for each puzzle, in order, None for one with too many symmetries; a thousand 9×9 take a second."""
    for ruleset, group in groupby(map(as_puzzle, puzzles), lambda puzzle: puzzle.ruleset):
        box = ruleset.require_classic("a canonical form")
        while some := list(islice(group, TOGETHER)):
            yield from _forms(some, box)


def _forms(puzzles: list[Puzzle], box: tuple[int, int]) -> Iterator[Canonical | None]:
    # this imports numpy
    from ringdoku.services.minlex import Search

    found, half = Search([puzzle.clues.digits for puzzle in puzzles], box).run(), len(puzzles) // 2
    if found is not None:
        yield from (_canonical(*each) for each in zip(puzzles, *found, strict=True))
    elif half:
        yield from _forms(puzzles[:half], box)
        yield from _forms(puzzles[half:], box)
    else:
        yield None


def _canonical(puzzle: Puzzle, count: int, side: int, rows: list[int], places: list[int]) -> Canonical:
    """From one of the transformations that are left, and their number."""
    board, every = puzzle.board, tuple(puzzle.board.digits)
    columns = tuple(sorted(range(board.order), key=places.__getitem__))
    moved = Canonical(puzzle, count, bool(side), tuple(rows), columns, every).moved(puzzle.clues)
    order = [digit for digit in dict.fromkeys((*moved.digits, *every)) if digit]
    digits = tuple(order.index(digit) + 1 for digit in every)
    form = Puzzle(puzzle.ruleset, Grid(tuple((0, *digits)[digit] for digit in moved.digits), board))
    # columns with one place, and digits without clues, are left in any order
    alike = (*Counter(places).values(), len(set(every) - set(moved.digits)))
    return Canonical(form, count * prod(map(factorial, alike)), bool(side), tuple(rows), columns, digits)
