"""Random constraints that hold in a given solution: cages, lines, dots, clues outside; and random jigsaw regions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from types import MappingProxyType
from typing import TypeAlias

from ringdoku.constraints.digits import Even, Odd
from ringdoku.constraints.lines import Palindrome, Renban, Thermometer, Whisper
from ringdoku.constraints.outside import Sandwich
from ringdoku.constraints.pairs import Difference, Greater, PairSum, Ratio
from ringdoku.constraints.regions import Regions
from ringdoku.constraints.sums import Arrow, Killer, LittleKiller
from ringdoku.domain.board import Board
from ringdoku.domain.constraint import Constraint
from ringdoku.domain.grid import Grid
from ringdoku.domain.ruleset import box_shapes

KING = tuple((down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0))
ROOK = ((-1, 0), (0, -1), (0, 1), (1, 0))

LARGEST_CAGE = 5
SHORTEST_LINE, LONGEST_LINE = 3, 7
LONGEST_DIAGONAL = 4
"""Sums of longer diagonals say little, and take solvers long."""
SWAPS = 5
"""Of cells between regions, for each region."""
PATIENCE = 200
"""Swaps that are tried, for each region."""


@dataclass(frozen=True)
class Placing:
    """The solution that constraints are placed over, and how thickly: `density` 0..1."""

    solution: Grid
    random: Random
    density: float

    @property
    def board(self) -> Board:
        return self.solution.board

    def around(self, cell: int, moves: Sequence[tuple[int, int]]) -> list[int]:
        """The cells that the moves lead to, in random order."""
        row, column = divmod(cell, self.board.columns)
        found = [self.board.at(row + down, column + right) for down, right in moves]
        cells = [other for other in found if other is not None]
        return self.random.sample(cells, len(cells))

    def cells(self) -> list[int]:
        """Every cell in random order."""
        return self.random.sample(range(self.board.grid_count), self.board.grid_count)

    def some(self, constraints: Sequence[Constraint]) -> Iterator[Constraint]:
        """A share of them, as thick as the density."""
        count = max(1, round(len(constraints) * (0.3 + 0.7 * self.density)))
        return iter(self.random.sample(constraints, min(count, len(constraints))))

    def lines(self, may_follow: Callable[[tuple[int, ...], int], bool]) -> Iterator[tuple[int, ...]]:
        """Lines of three cells or more, without common cells. `may_follow` says of the digits of a line and a further
        digit whether the line can be extended by it."""
        digits, free = self.solution.digits, set(range(self.board.grid_count))
        wanted = round(self.board.grid_count * (0.3 + 0.5 * self.density))
        covered = 0
        for start in self.cells():
            if covered >= wanted:
                return
            if start not in free:
                continue
            line, longest = [start], self.random.randint(SHORTEST_LINE, LONGEST_LINE)
            while len(line) < longest:
                held = self.solution.at(line)
                ahead = (cell for cell in self.around(line[-1], KING) if cell in free and cell not in line)
                following = next((cell for cell in ahead if may_follow(held, digits[cell])), None)
                if following is None:
                    break
                line.append(following)
            if len(line) >= SHORTEST_LINE:
                free -= set(line)
                covered += len(line)
                yield tuple(line)


Place: TypeAlias = Callable[[Placing], Iterator[Constraint]]
"""Constraints of one kind that hold in the solution."""


def _killer(placing: Placing) -> Iterator[Constraint]:
    """Cages over all cells; the denser, the smaller."""
    largest = max(2, round(LARGEST_CAGE - (LARGEST_CAGE - 2) * placing.density))
    digits, free = placing.solution.digits, set(range(placing.board.grid_count))
    for start in placing.cells():
        if start not in free:
            continue
        cage = [start]
        size = placing.random.randint(2, largest)
        while len(cage) < size:
            ahead = [
                cell
                for member in cage
                for cell in placing.around(member, ROOK)
                if cell in free and cell not in cage and digits[cell] not in placing.solution.at(cage)
            ]
            if not ahead:
                break
            cage.append(ahead[0])
        free -= set(cage)
        if len(cage) > 1:
            yield Killer(sum(placing.solution.at(cage)), tuple(sorted(cage)))


def _arrow(placing: Placing) -> Iterator[Constraint]:
    """A circle and a shaft of two to four cells."""
    digits, free = placing.solution.digits, set(range(placing.board.grid_count))
    for circle in placing.cells():
        if circle not in free or placing.random.random() > 0.3 + 0.7 * placing.density:
            continue
        total, shaft = digits[circle], [circle]
        while total > 0:
            ahead = (
                cell
                for cell in placing.around(shaft[-1], KING)
                if cell in free and cell not in shaft and 0 < digits[cell] <= total
            )
            following = next(ahead, None)
            if following is None:
                break
            shaft.append(following)
            total -= digits[following]
        if total == 0 and len(shaft) > 2:
            free -= set(shaft)
            yield Arrow((circle,), tuple(shaft[1:]))


def _pairs(make: Callable[[int, int, int, int], Constraint | None]) -> Place:
    """What `make` says of two neighbours: of their cells and their digits."""

    def found(placing: Placing) -> Iterator[Constraint]:
        digits = placing.solution.digits
        pairs = (make(one, other, digits[one], digits[other]) for one, other in placing.board.neighbours())
        return placing.some([constraint for constraint in pairs if constraint is not None])

    return found


def _difference(one: int, other: int, a: int, b: int) -> Constraint | None:
    return Difference((one, other), 1) if abs(a - b) == 1 else None


def _ratio(one: int, other: int, a: int, b: int) -> Constraint | None:
    return Ratio((one, other), 2) if a and 2 * min(a, b) == max(a, b) else None


def _pair_sum(one: int, other: int, a: int, b: int) -> Constraint | None:
    return PairSum((one, other), a + b) if a + b in (5, 10) else None


def _greater(one: int, other: int, a: int, b: int) -> Constraint | None:
    return None if a == b else Greater((one, other) if a > b else (other, one))


def _whisper(placing: Placing) -> Iterator[Constraint]:
    least = -(-placing.board.order // 2)
    return (Whisper(line, least) for line in placing.lines(lambda held, digit: abs(digit - held[-1]) >= least))


def _connects(held: tuple[int, ...], digit: int) -> bool:
    return digit not in held and max(*held, digit) - min(*held, digit) == len(held)


def _mirrors(held: tuple[int, ...], digit: int) -> bool:
    return len(held) == 1 or (len(held) == 2 and digit == held[0])


def _little_killer(placing: Placing) -> Iterator[Constraint]:
    """Diagonals of three cells or a few more, as seen from the edges."""
    board, found = placing.board, list[Constraint]()
    for start in range(board.grid_count):
        row, column = divmod(start, board.columns)
        for down, right in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            if board.at(row - down, column - right) is not None:
                continue
            cells = []
            place = (row, column)
            while (cell := board.at(*place)) is not None:
                cells.append(cell)
                place = place[0] + down, place[1] + right
            if 2 < len(cells) <= LONGEST_DIAGONAL:
                found.append(LittleKiller(sum(placing.solution.at(cells)), tuple(cells)))
    return placing.some(found)


def _sandwich(placing: Placing) -> Iterator[Constraint]:
    board, found = placing.board, list[Constraint]()
    rows = [tuple(range(row * board.columns, (row + 1) * board.columns)) for row in range(board.rows)]
    columns = [tuple(range(column, board.grid_count, board.columns)) for column in range(board.columns)]
    for cells in rows + columns:
        held = placing.solution.at(cells)
        crusts = [place for place, digit in enumerate(held) if digit in (board.least, board.digits[-1])]
        if len(crusts) == 2:
            found.append(Sandwich(sum(held[crusts[0] + 1 : crusts[1]]), cells))
    return placing.some(found)


def _parity(kind: type[Odd] | type[Even], rest: int) -> Place:
    def found(placing: Placing) -> Iterator[Constraint]:
        cells = [cell for cell in placing.cells() if placing.solution.digits[cell] % 2 == rest]
        kept = cells[: max(1, round(len(cells) * (0.3 + 0.7 * placing.density)))]
        yield from (kind((cell,)) for cell in sorted(kept))

    return found


PLACED: Mapping[str, Place] = MappingProxyType(
    {
        "killer": _killer,
        "arrow": _arrow,
        "thermometer": lambda placing: map(Thermometer, placing.lines(lambda held, digit: digit > held[-1])),
        "whisper": _whisper,
        "renban": lambda placing: map(Renban, placing.lines(_connects)),
        "palindrome": lambda placing: map(Palindrome, placing.lines(_mirrors)),
        "difference": _pairs(_difference),
        "ratio": _pairs(_ratio),
        "pair-sum": _pairs(_pair_sum),
        "greater": _pairs(_greater),
        "little-killer": _little_killer,
        "sandwich": _sandwich,
        "odd": _parity(Odd, 1),
        "even": _parity(Even, 0),
    }
)
"""The constraints that can be placed over a solution, by their names in the text form."""

REGIONS = "regions"
"""The constraint that is made before there is a solution."""


def random_regions(board: Board, random: Random) -> Regions:
    """Connected regions of n cells each on a board of n×n: boxes, as square as can be, whose cells were swapped."""
    n = board.order
    placing = Placing(Grid.blank(board), random, 0)
    height, width = box_shapes(n)[0]
    region = [cell // n // height * height + cell % n // width for cell in range(board.grid_count)]
    swapped = (_swap(region, placing) for _ in range(PATIENCE * n))
    next(islice(filter(None, swapped), SWAPS * n, None), None)
    cells = [tuple(cell for cell in range(board.grid_count) if region[cell] == number) for number in range(n)]
    return Regions(tuple(sorted(cells)))


def _swap(region: list[int], placing: Placing) -> bool:
    """Gives a random cell to a region beside it, and one of that region's in return, if both stay connected."""
    one = placing.random.randrange(len(region))
    mine = region[one]
    other = next((region[cell] for cell in placing.around(one, ROOK) if region[cell] != mine), None)
    if other is None:
        return False
    region[one] = other
    returned = [
        cell
        for cell in range(len(region))
        if region[cell] == other and cell != one and any(region[near] == mine for near in placing.around(cell, ROOK))
    ]
    if returned:
        back = placing.random.choice(returned)
        region[back] = mine
        if _is_connected(region, mine, placing) and _is_connected(region, other, placing):
            return True
        region[back] = other
    region[one] = mine
    return False


def _is_connected(region: Sequence[int], number: int, placing: Placing) -> bool:
    cells = {cell for cell, of in enumerate(region) if of == number}
    reached = [min(cells)]
    cells -= set(reached)
    while reached:
        near = set(placing.around(reached.pop(), ROOK)) & cells
        reached += sorted(near)
        cells -= near
    return not cells
