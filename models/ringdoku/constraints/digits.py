"""Which digits cells hold, and how often."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from typing import ClassVar

from ringdoku.domain import Board, Cell, Cells, Constraint, Digits, Grid, Groups, OfCells, Puzzle, Ruleset
from ringdoku.domain.errors import ImpossibleError, UsageError, refuse
from ringdoku.domain.marks import GREY, Cage, Disc, Mark, Note, Shade
from ringdoku.domain.primitives import Allowed, Count, OneOf, Primitive, diagram, grouped, occurrences, sets_with_sum

MOST_SETS = 40
"""The most sets of digits in circles for which a choice between them still helps solvers; 9×9 has at most 23."""


def squares(board: Board) -> Iterator[Cells]:
    """The squares of four cells, each row by row."""
    return (board.block(row, column, 2, 2) for row, column in product(range(board.rows - 1), range(board.columns - 1)))


def _refuse_others(digits: Digits, board: Board) -> None:
    """Raises `UsageError` for a digit that the board does not have."""
    for digit in digits:
        refuse(digit not in board.digits, f"{digit} is not a digit of a {board} board")


class AllowedDigits(Constraint):
    """Each of the cells holds one of the digits."""

    digits: Digits
    cells: Cells

    example = "allowed 1 2 3: r1c1 r1c2"

    def refuse(self, board: Board) -> None:
        _refuse_others(self.digits, board)

    def holds(self, grid: Grid) -> bool:
        return set(grid.at(self.cells)) <= set(self.digits)

    def primitives(self, board: Board) -> Iterator[Primitive]:  # noqa: ARG002
        return (Allowed(cell, frozenset(self.digits)) for cell in self.cells)

    def marks(self, board: Board) -> Iterator[Mark]:  # noqa: ARG002
        comma = "" if all(0 <= digit < 10 for digit in self.digits) else ","
        yield Note(self.cells, comma.join(map(str, self.digits)))


def puzzle_of_candidates(ruleset: Ruleset, candidates: Sequence[tuple[int, ...]]) -> Puzzle:
    """The puzzle in which each cell of the grid, row after row, holds one of its candidates; one alone is a clue."""
    board = ruleset.board
    clues = [digits[0] if len(digits) == 1 else board.blank for digits in candidates]
    cells_of = grouped((digits, cell) for cell, digits in enumerate(candidates) if 1 < len(digits) < board.order)
    allowed = (AllowedDigits(digits, tuple(cells)) for digits, cells in cells_of.items())
    return Puzzle(ruleset.extended(*allowed), Grid((*clues, *[board.blank] * len(board.extra)), board))


class Odd(OfCells):
    """The cells hold odd digits."""

    cells: Cells

    example = "odd: r1c1 r1c2"
    circles = (Disc((), GREY, GREY, 0.7),)
    remainder: ClassVar[int] = 1

    def holds(self, grid: Grid) -> bool:
        return all(digit % 2 == self.remainder for digit in grid.at(self.cells))

    def primitives(self, board: Board) -> Iterator[Primitive]:
        digits = frozenset(digit for digit in board.digits if digit % 2 == self.remainder)
        return (Allowed(cell, digits) for cell in self.cells)


class Even(Odd):
    """The cells hold even digits."""

    example = "even: r1c1 r1c2"
    circles = (Disc((), GREY, GREY, 0.7, square=True),)
    remainder = 0


class Contains(OfCells):
    """Each digit stands in the cells at least as often as it is listed, as in a quadruple."""

    digits: Digits
    cells: Cells

    example = "contains 1 2: r1c1 r1c2 r2c1 r2c2"
    exact: ClassVar[bool] = False

    def refuse(self, board: Board) -> None:
        _refuse_others(self.digits, board)
        if len(self.digits) > len(self.cells) and not self.exact:
            raise ImpossibleError(f"{len(self.digits)} digits do not fit into {len(self.cells)} cells")

    def holds(self, grid: Grid) -> bool:
        found, listed = Counter(grid.at(dict.fromkeys(self.cells))), Counter(self.digits)
        if self.exact:
            return all(found[digit] == count for digit, count in listed.items())
        return listed <= found

    def primitives(self, board: Board) -> Iterator[Primitive]:
        name = f"the {'exact digits' if self.exact else 'digits'} in {board.cell_name(self.cells[0])}"
        for digit, count in Counter(self.digits).items():
            yield occurrences(self.cells, (digit,), count, count if self.exact else len(self.cells), f"{name} {digit}")

    def marks(self, board: Board) -> Iterator[Mark]:
        text = " ".join(map(str, self.digits))
        if not self.exact and tuple(sorted(self.cells)) in squares(board):
            yield Disc(self.cells, "#ffffff", "#000000", 0.6, text)
        else:
            yield Cage(self.cells, text)


class ContainsExactly(Contains):
    """Each listed digit stands in the cells exactly as often as it is listed.

    Other digits may stand there too. If a digit is listed too often, there is no solution.
    """

    example = "contains-exactly 1 1 2: r1c1 r1c2 r2c1 r2c2"
    exact = True


class CountingCircles(OfCells):
    """A digit that the cells hold stands in exactly as many of them as its value."""

    cells: Cells

    example = "counting-circles: r1c1 r1c2 r2c1"
    once = "a cell has one circle at most"
    circles = (Disc((), "none", "#a0a0a0", 0.8),)

    def holds(self, grid: Grid) -> bool:
        return all(digit == count for digit, count in Counter(grid.at(self.cells)).items())

    def primitives(self, board: Board) -> Iterator[Primitive]:
        count = len(self.cells)
        # the digits that occur add up to the number of circles
        found = sets_with_sum(board.digits, count, count, MOST_SETS)
        sets = [(), tuple(range(1, count + 1))] if found is None else found
        for digit in board.digits:
            name = f"the circles with {digit}"
            numbers = sorted({digit * (digit in each) for each in sets})
            cases = [(occurrences(self.cells, (digit,), number, number, name),) for number in numbers]
            yield from cases[0] if len(cases) == 1 else [OneOf(tuple(cases), name)]
        if found is not None:
            # redundant, for propagation
            allowed = [tuple(Allowed(cell, frozenset(each)) for cell in self.cells) for each in sets]
            yield from allowed[0] if len(allowed) == 1 else [OneOf(tuple(allowed), "the digits in circles")]


class CountDistinct(Constraint):
    """The first cell says how many different digits the others hold."""

    cell: Cell
    cells: Cells

    example = "count-distinct: r1c1 | r1c2 r1c3 r2c2"

    def holds(self, grid: Grid) -> bool:
        return len(set(grid.at(self.cells))) == grid.digits[self.cell]

    def primitives(self, board: Board) -> Iterator[Primitive]:
        # the digits so far, as a mask
        def step(seen: int, place: int, digit: int) -> int | None:
            if place == len(self.cells):
                return 0 if seen.bit_count() == digit else None
            return seen | 1 << digit - board.least

        cells = (*self.cells, self.cell)
        name = f"the different digits of {board.cell_name(self.cell)}"
        yield diagram(cells, [board.digits] * len(cells), 0, step, lambda _: True, name)

    def marks(self, board: Board) -> Iterator[Mark]:  # noqa: ARG002
        yield Shade(self.cells, "#e8f4d9")
        yield Disc((self.cell,), "#ffffff", "#7a9a3a", 0.8)


class EqualityCage(OfCells):
    """As many odd digits as even ones, and as many low ones as high ones.

    The middle digit is neither low nor high.
    """

    cells: Cells

    example = "equality-cage: r1c1 r1c2 r2c1 r2c2"
    called = "equality cage"
    once = "a cage has each cell once"
    caption = "="

    def _balances(self, board: Board) -> tuple[dict[int, int], dict[int, int]]:
        """Two values of each digit, which sum to 0 over the cage: 1 for odd, −1 for even; 1 for low, −1 for high."""
        parities = {digit: 1 if digit % 2 else -1 for digit in board.digits}
        halves = {digit: 2 * (digit - board.least) + 1 - board.order for digit in board.digits}
        return parities, {digit: (half < 0) - (half > 0) for digit, half in halves.items()}

    def holds(self, grid: Grid) -> bool:
        return not any(sum(map(kinds.__getitem__, grid.at(self.cells))) for kinds in self._balances(grid.board))

    def primitives(self, board: Board) -> Iterator[Primitive]:
        for kinds in self._balances(board):

            def step(balance: int, place: int, digit: int, kinds: dict[int, int] = kinds) -> int | None:
                balance += kinds[digit]
                return balance if abs(balance) < len(self.cells) - place else None

            yield self.diagram(board, 0, step, lambda balance: balance == 0)


class GlobalEntropy(Constraint):
    """Every 2x2 square has a low, a middle and a high digit."""

    example = "global-entropy"

    def refuse(self, board: Board) -> None:
        refuse(board.order % 3, f"{board.order} digits cannot be cut into low, middle and high ones")

    def kinds(self, board: Board) -> list[range]:
        """The digits of each of the three kinds."""
        third = board.order // 3
        return [board.digits[start : start + third] for start in range(0, board.order, third)]

    def holds(self, grid: Grid) -> bool:
        kinds = self.kinds(grid.board)
        return all(any(digit in kind for digit in grid.at(square)) for square in squares(grid.board) for kind in kinds)

    def primitives(self, board: Board) -> Iterator[Primitive]:
        for square, kind in product(squares(board), self.kinds(board)):
            yield occurrences(square, kind, 1, 4, f"{self.text} at {board.cell_name(square[0])} {kind[0]}")


class GlobalMod(GlobalEntropy):
    """Every 2x2 square has a digit of each remainder modulo 3."""

    example = "global-mod"

    def refuse(self, board: Board) -> None:
        refuse(board.order < 3, "fewer than 3 digits do not have all remainders modulo 3")

    def kinds(self, board: Board) -> list[range]:
        return [board.digits[(remainder - board.least) % 3 :: 3] for remainder in range(3)]


class Flatmates(Constraint):
    """Every middle digit has the least digit above it or the greatest below it: on 9x9, 5 with 1 or 9."""

    example = "dutch-flatmates"

    def _mates(self, cell: int, board: Board) -> list[tuple[int, int]]:
        """The candidates (cell, digit) of which one is true if the cell holds the middle digit."""
        row, column = divmod(cell, board.columns)
        places = ((board.at(row - 1, column), board.least), (board.at(row + 1, column), board.digits[-1]))
        return [(mate, digit) for mate, digit in places if mate is not None]

    def holds(self, grid: Grid) -> bool:
        middle = grid.board.least + grid.board.order // 2
        return all(
            digit != middle or any(grid.digits[mate] == wanted for mate, wanted in self._mates(cell, grid.board))
            for cell, digit in enumerate(grid.digits[: grid.board.grid_count])
        )

    def primitives(self, board: Board) -> Iterator[Primitive]:
        middle = board.least + board.order // 2
        for cell in range(board.grid_count):
            others = [(cell, digit) for digit in board.digits if digit != middle]
            candidates = (*others, *self._mates(cell, board))
            yield Count(candidates, 1, len(candidates), f"the flatmates of {board.cell_name(cell)}")


class SameDigits(Constraint):
    """Groups of cells that hold the same digits, each equally often."""

    groups: Groups

    example = "same-digits: r1c1 r1c2 | r3c1 r3c2"

    def refuse(self, board: Board) -> None:  # noqa: ARG002
        refuse(len(self.groups) < 2, "what hold the same digits are several groups, with | between them")
        refuse(len(set(map(len, self.groups))) > 1, "groups that hold the same digits have the same number of cells")
        if any(len(set(group)) < len(group) for group in self.groups):
            raise UsageError("a group of cells that hold the same digits has each cell once")

    def holds(self, grid: Grid) -> bool:
        return len({tuple(sorted(grid.at(group))) for group in self.groups}) == 1

    def primitives(self, board: Board) -> Iterator[Primitive]:
        first, *others = self.groups
        for number, group in enumerate(others, 2):
            # cells that are in both groups count on both sides
            sides = [cell for cell in first if cell not in group], [cell for cell in group if cell not in first]
            for digit in board.digits if sides[0] else ():
                name = f"the same digits in group {number}: {digit}"
                counts = range(len(sides[0]) + 1)
                cases = (tuple(occurrences(tuple(side), (digit,), n, n, name) for side in sides) for n in counts)
                yield OneOf(tuple(cases), name)

    def marks(self, board: Board) -> Iterator[Mark]:  # noqa: ARG002
        return (Shade(group, "#e6e6fa") for group in self.groups)
