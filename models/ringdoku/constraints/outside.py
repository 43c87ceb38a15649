"""Clues outside the grid, each for a line of cells, the first next to it; ranks, and digits that name places."""

from collections.abc import Iterator
from itertools import combinations
from operator import eq, ge, le, ne

from ringdoku.domain import Board, Cell, Cells, Constraint, Grid, House, Lines, OfCells, UsageError, refuse
from ringdoku.domain.constraint import Pairs
from ringdoku.domain.marks import Mark, Note, Outside, Shade
from ringdoku.domain.primitives import Allowed, OneOf, Primitive, Relation, pairs_of, related, weighted_sum


class Clue(OfCells):
    """A number before a line of cells."""

    number: int
    cells: Cells

    called = "{} clue"
    # a single cell is a mistake: the rest of the line was forgotten
    fewest = 2

    def marks(self, board: Board) -> Iterator[Mark]:  # noqa: ARG002
        yield Outside(self.cells, str(self.number))


class Skyscraper(Clue):
    """From the first cell on, as many digits as the number says are greater than all before them, and than 0."""

    example = "skyscraper 3: r1c1-r1c4"

    def holds(self, grid: Grid) -> bool:
        digits = (0, *grid.at(self.cells))
        return sum(digit > max(digits[:place]) for place, digit in enumerate(digits) if place) == self.number

    def primitives(self, board: Board) -> Iterator[Primitive]:
        def step(state: tuple[int, int], _: int, digit: int) -> tuple[int, int] | None:
            seen, highest = state
            if digit <= highest:
                return state
            return (seen + 1, digit) if seen < self.number else None

        yield self.diagram(board, (0, 0), step, lambda state: state[0] == self.number)


class HiddenSkyscraper(Clue):
    """The number is the first digit that is hidden by a greater one before it."""

    example = "hidden-skyscraper 3: r1c1-r1c4"

    def holds(self, grid: Grid) -> bool:
        digits = grid.at(self.cells)
        hidden = (digit for place, digit in enumerate(digits) if place and digit < max(digits[:place]))
        return next(hidden, None) == self.number

    def primitives(self, board: Board) -> Iterator[Primitive]:
        # the state is the highest digit so far, or found
        found = board.digits[-1] + 1

        def step(highest: int, _: int, digit: int) -> int | None:
            if highest == found:
                return found
            if digit >= highest:
                return digit
            return found if digit == self.number else None

        yield self.diagram(board, board.blank, step, lambda state: state == found)


def _fillings(cells: Cells, low: int, high: int, total: int, name: str) -> Iterator[tuple[Primitive, ...]]:
    """The cases in which one cell holds `low`, one `high`, and the digits between these two cells have the total;
    all other cells hold digits between low and high."""
    crust, inside = frozenset((low, high)), frozenset(range(low + 1, high))
    for start, end in combinations(range(len(cells)), 2):
        crusts, between = (cells[start], cells[end]), cells[start + 1 : end]
        others = dict.fromkeys((*cells[:start], *between, *cells[end + 1 :]))
        # the number of cells in between must allow the total
        if others.keys().isdisjoint(crusts) and (low + 1) * len(between) <= total <= (high - 1) * len(between):
            yield (
                *(Allowed(cell, crust) for cell in crusts),
                *(Allowed(cell, inside) for cell in others),
                related(*crusts, frozenset(((low, high), (high, low))), name),
                weighted_sum(((cell, 1) for cell in between), total, name),
            )


class Sandwich(Clue):
    """The digits between the least and the greatest digit of the line, 1 and 9 of nine digits, have the sum."""

    example = "sandwich 5: r1c1-r1c4"

    def holds(self, grid: Grid) -> bool:
        digits, ends = grid.at(self.cells), [grid.board.least, grid.board.digits[-1]]
        crusts = [place for place, digit in enumerate(digits) if digit in ends]
        if sorted(digits[place] for place in crusts) != ends:
            return False
        return sum(digits[crusts[0] + 1 : crusts[1]]) == self.number

    def primitives(self, board: Board) -> Iterator[Primitive]:
        name = self.name(board)
        yield OneOf(tuple(_fillings(self.cells, board.least, board.digits[-1], self.number, name)), name)


class Lunchbox(Clue):
    """The cells differ, and the digits between the least and the greatest of them have the sum."""

    example = "lunchbox 5: r1c1-r1c4"
    differ = True

    def refuse(self, board: Board) -> None:
        if not 2 <= len(self.cells) <= board.order:
            raise UsageError(f"a lunchbox has between 2 and {board.order} cells, not {len(self.cells)}")

    def holds(self, grid: Grid) -> bool:
        digits = grid.at(self.cells)
        start, end = sorted((digits.index(min(digits)), digits.index(max(digits))))
        return sum(digits[start + 1 : end]) == self.number

    def primitives(self, board: Board) -> Iterator[Primitive]:
        name = self.name(board)
        ends = ((low, high) for low, high in combinations(board.digits, 2) if high - low >= len(self.cells) - 1)
        yield OneOf(tuple(case for pair in ends for case in _fillings(self.cells, *pair, self.number, name)), name)

    def marks(self, board: Board) -> Iterator[Mark]:  # noqa: ARG002
        yield Shade(self.cells, "#ffe9d6")
        yield Note(self.cells[:1], str(self.number))


class XSum(Clue):
    """The first X digits have the sum, where X is the first digit."""

    example = "x-sum 8: r1c1-r1c4"

    def holds(self, grid: Grid) -> bool:
        digits = grid.at(self.cells)
        return 0 <= digits[0] <= len(digits) and sum(digits[: digits[0]]) == self.number

    def primitives(self, board: Board) -> Iterator[Primitive]:
        name, cases = self.name(board), list[tuple[Primitive, ...]]()
        for first in board.digits:
            if 0 <= first <= len(self.cells):
                total = weighted_sum(((cell, 1) for cell in self.cells[:first]), self.number, name)
                cases.append((Allowed(self.cells[0], frozenset((first,))), total))
        yield OneOf(tuple(cases), name)


class AtPlace(OfCells):
    """The number stands on the line at the place, counted from 1, that the cell `first` names."""

    number: int

    def holds(self, grid: Grid) -> bool:
        place = grid.digits[self.first]
        return 1 <= place <= len(self.cells) and grid.digits[self.cells[place - 1]] == self.number

    def primitives(self, board: Board) -> Iterator[Primitive]:
        places = [digit for digit in board.digits if 1 <= digit <= len(self.cells)]
        yield Allowed(self.first, frozenset(places))
        for place in places:
            # the cell names another place, or the number is there
            pairs = frozenset((a, b) for a in board.digits for b in board.digits if a != place or b == self.number)
            yield related(self.first, self.cells[place - 1], pairs, self.name(board))


class NumberedRoom(AtPlace, Clue):
    """The number is the digit at the place that the first digit names."""

    example = "numbered-room 3: r1c1-r1c4"


# rows and columns read as numbers, in both directions: 4n readings of a grid of n×n


def readings_by_side(board: Board) -> list[list[Cells]]:
    """The cells of all rows from the left and from the right, and of all columns from the top and from the bottom."""
    lines = [house.cells for house in Lines().houses(board)]
    rows, columns = lines[: board.rows], lines[board.rows :]
    return [rows, [row[::-1] for row in rows], columns, [column[::-1] for column in columns]]


def _require_full_square(constraint: Constraint, board: Board) -> None:
    if not board.rows == board.columns == board.order:
        raise UsageError(f"{constraint.text} is for boards of n×n with n digits, not for {board}")


class FullRank(Clue):
    """The number is the rank of the line among all rows and columns, which repeat no digit, read both ways; no ties."""

    example = "full-rank 5: r1c1-r1c4"
    may_tie = False

    def refuse(self, board: Board) -> None:
        _require_full_square(self, board)
        refuse(not 1 <= self.number <= 4 * board.order, f"a rank is between 1 and {4 * board.order}, not {self.number}")
        refuse(not any(self.cells in side for side in readings_by_side(board)), "the cells are no whole row or column")

    def houses(self, board: Board) -> Iterator[House]:
        # the readings from one side start with different digits, so each digit starts four readings
        lines = list(Lines().houses(board))
        yield from (lines[0], lines[board.rows - 1], lines[board.rows], lines[-1])

    def holds(self, grid: Grid) -> bool:
        own = grid.at(self.cells)
        others = [grid.at(cells) for side in readings_by_side(grid.board) for cells in side if cells != self.cells]
        return sum(other < own for other in others) == self.number - 1 and (self.may_tie or own not in others)

    def primitives(self, board: Board) -> Iterator[Primitive]:
        first = board.digits[(self.number - 1) // 4]
        below = (self.number - 1) % 4
        yield Allowed(self.cells[0], frozenset((first,)))
        # from each other side one reading starts with that digit: this many of the three are less
        others = [side for side in readings_by_side(board) if self.cells not in side]
        at_least, at_most = (pairs_of(board.digits, order) for order in (ge, le))
        cases = []
        for chosen in combinations(range(3), below):
            case: list[Primitive] = []
            for number, side in enumerate(others):
                allowed, at_end = (at_most, False) if number in chosen else (at_least, self.may_tie)
                for cells in side:
                    order = self._comparison(board, cells, allowed, at_end)
                    if cells[0] == self.cells[0]:
                        case += order
                    else:
                        starts_otherwise = Allowed(cells[0], frozenset(board.digits) - {first})
                        case.append(OneOf(((starts_otherwise,), order), self.name(board)))
            cases.append(tuple(case))
        yield OneOf(tuple(cases), self.name(board))

    def _comparison(self, board: Board, cells: Cells, allowed: Pairs, may_tie: bool) -> tuple[Primitive, ...]:
        """The primitives that behind the first cells the first digits that differ have the relation `allowed`."""
        differ, name = pairs_of(board.digits, ne), self.name(board)
        after: tuple[Primitive, ...] = () if may_tie else (OneOf((), name),)
        for other, own in reversed([*zip(cells, self.cells, strict=True)][1:]):
            if other != own:
                decided = OneOf(((Relation(other, own, differ, name),), after), name)
                after = (Relation(other, own, allowed, name), decided)
        return after


class FullRankWithTies(FullRank):
    """As full-rank, but other rows and columns may be equal to the line; they share the smallest rank."""

    example = "full-rank-with-ties 5: r1c1-r1c4"
    may_tie = True


class NoTies(Constraint):
    """No two rows or columns, read in both directions, are equal."""

    example = "no-ties"

    def refuse(self, board: Board) -> None:
        _require_full_square(self, board)

    def holds(self, grid: Grid) -> bool:
        readings = [grid.at(cells) for side in readings_by_side(grid.board) for cells in side]
        return len(set(readings)) == len(readings)

    def primitives(self, board: Board) -> Iterator[Primitive]:
        readings, differ = [cells for side in readings_by_side(board) for cells in side], pairs_of(board.digits, ne)
        for one, other in combinations(readings, 2):
            # if two readings differ, so do both in the other direction
            if sorted((one, other)) <= sorted((one[::-1], other[::-1])):
                name = f"the readings from {board.cell_name(one[0])} and {board.cell_name(other[0])}"
                pairs = [pair for pair in zip(one, other, strict=True) if pair[0] != pair[1]]
                yield OneOf(tuple((Relation(*pair, differ, name),) for pair in pairs), name)


# digits that name places


class Indexer(AtPlace):
    """The line holds the number at the place that the first cell names, counted from 1."""

    cell: Cell
    cells: Cells

    example = "indexer 2: r1c2 | r1c1-r1c4"

    @property
    def first(self) -> int:
        return self.cell

    def marks(self, board: Board) -> Iterator[Mark]:  # noqa: ARG002
        yield Shade((self.cell,), "#cfe8cf")


class ValueIndexing(Constraint):
    """The first cell's digit stands on the line at the place that the second cell names, counted from 1."""

    value: Cell
    place: Cell
    cells: Cells

    example = "value-indexing: r1c1 | r2c1 | r2c2-r2c4"

    def holds(self, grid: Grid) -> bool:
        return Indexer(grid.digits[self.value], self.place, self.cells).holds(grid)

    def primitives(self, board: Board) -> Iterator[Primitive]:
        name = f"the value indexing at {board.cell_name(self.value)}"
        equal = pairs_of(board.digits, eq)
        places = [place for place in board.digits if 1 <= place <= len(self.cells)]
        same = [related(self.value, self.cells[place - 1], equal, name) for place in places]
        here = [Allowed(self.place, frozenset((place,))) for place in places]
        yield OneOf(tuple(zip(here, same, strict=True)), name)

    def marks(self, board: Board) -> Iterator[Mark]:  # noqa: ARG002
        yield Shade((self.value, self.place), "#cfe8cf")
