"""Random constraints that hold in a given solution: cages, lines, dots, clues outside; and random jigsaw regions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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

LONGEST_DIAGONAL = 4
"""Sums of longer diagonals say little, and take solvers long."""
SWAPS = 5
"""Of cells between regions, for each region; forty times as many are tried."""


@dataclass(frozen=True)
class Placing:
    """The solution that constraints are placed over, and how thickly: `density` 0..1."""

    solution: Grid
    random: Random
    density: float

    @property
    def board(self) -> Board:
        return self.solution.board

    @property
    def share(self) -> float:
        """Of all constraints of a kind, as thick as the density."""
        return 0.3 + 0.7 * self.density

    def around(self, cell: int, moves: Sequence[tuple[int, int]]) -> list[int]:
        """The cells that the moves lead to, in random order."""
        row, column = divmod(cell, self.board.columns)
        found = [self.board.at(row + down, column + right) for down, right in moves]
        cells = [other for other in found if other is not None]
        return self.random.sample(cells, len(cells))

    def cells(self) -> list[int]:
        """Every cell in random order."""
        return self.random.sample(range(self.board.grid_count), self.board.grid_count)

    def some(self, constraints: Iterable[Constraint | None]) -> Iterator[Constraint]:
        """A share of them."""
        found = [constraint for constraint in constraints if constraint is not None]
        count = max(1, round(len(found) * self.share))
        return iter(self.random.sample(found, min(count, len(found))))

    def lines(self, may_follow: Callable[[tuple[int, ...], int], bool]) -> Iterator[tuple[int, ...]]:
        """Lines of 3 to 7 cells, without common cells. `may_follow` says of the digits of a line and a further digit
        whether the line can be extended by it."""
        free = set(range(self.board.grid_count))
        wanted = round(self.board.grid_count * (0.3 + 0.5 * self.density))
        for start in self.cells():
            if self.board.grid_count - len(free) >= wanted:
                return
            if start not in free:
                continue
            line, longest = [start], self.random.randint(3, 7)
            while len(line) < longest and (cell := self.next(line, free, may_follow)) is not None:
                line.append(cell)
            if len(line) > 2:
                free -= set(line)
                yield tuple(line)

    def next(self, line: list[int], free: set[int], may_follow: Callable[[tuple[int, ...], int], bool]) -> int | None:
        """A free cell beside the end of the line whose digit may follow."""
        held, digits = self.solution.at(line), self.solution.digits
        ahead = (cell for cell in self.around(line[-1], KING) if cell in free and cell not in line)
        return next((cell for cell in ahead if may_follow(held, digits[cell])), None)


Place: TypeAlias = Callable[[Placing], Iterable[Constraint]]
"""Constraints of one kind that hold in the solution."""


def _killer(placing: Placing) -> Iterator[Constraint]:
    """Cages of up to five cells over all cells; the denser, the smaller."""
    largest = max(2, round(5 - 3 * placing.density))
    digits, free = placing.solution.digits, set(range(placing.board.grid_count))
    for start in placing.cells():
        if start not in free:
            continue
        cage = [start]
        size = placing.random.randint(2, largest)
        while len(cage) < size:
            held = placing.solution.at(cage)
            beside = [cell for member in cage for cell in placing.around(member, ROOK)]
            following = next((cell for cell in beside if cell in free and digits[cell] not in held), None)
            if following is None:
                break
            cage.append(following)
        free -= set(cage)
        if len(cage) > 1:
            yield Killer(sum(placing.solution.at(cage)), tuple(sorted(cage)))


def _arrow(placing: Placing) -> Iterator[Constraint]:
    """A circle and a shaft of two to four cells."""
    digits, free = placing.solution.digits, set(range(placing.board.grid_count))
    for circle in placing.cells():
        if circle not in free or placing.random.random() > placing.share:
            continue
        shaft = [circle]
        while (left := digits[circle] - sum(placing.solution.at(shaft[1:]))) > 0:
            cell = placing.next(shaft, free, lambda held, digit: 0 < digit <= held[0] - sum(held[1:]))
            if cell is None:
                break
            shaft.append(cell)
        if left == 0 and len(shaft) > 2:
            free -= set(shaft)
            yield Arrow((circle,), tuple(shaft[1:]))


def _pairs(make: Callable[[int, int, int, int], Constraint | None]) -> Place:
    """What `make` says of two neighbours: of their cells and their digits."""

    def found(placing: Placing) -> Iterator[Constraint]:
        digits = placing.solution.digits
        return placing.some(make(one, other, digits[one], digits[other]) for one, other in placing.board.neighbours())

    return found


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
            places = ((row + step * down, column + step * right) for step in range(LONGEST_DIAGONAL + 1))
            cells = [cell for place in places if (cell := board.at(*place)) is not None]
            if board.at(row - down, column - right) is None and 2 < len(cells) <= LONGEST_DIAGONAL:
                found.append(LittleKiller(sum(placing.solution.at(cells)), tuple(cells)))
    return placing.some(found)


def _sandwich(placing: Placing) -> Iterator[Constraint]:
    board, found = placing.board, list[Constraint]()
    rows = board.in_rows(range(board.grid_count))
    for cells in (*rows, *zip(*rows, strict=True)):
        held = placing.solution.at(cells)
        crusts = [place for place, digit in enumerate(held) if digit in (board.least, board.digits[-1])]
        if len(crusts) == 2:
            found.append(Sandwich(sum(held[crusts[0] + 1 : crusts[1]]), tuple(cells)))
    return placing.some(found)


def _parity(kind: type[Odd] | type[Even], rest: int) -> Place:
    def found(placing: Placing) -> Iterator[Constraint]:
        cells = [cell for cell in placing.cells() if placing.solution.digits[cell] % 2 == rest]
        return (kind((cell,)) for cell in sorted(cells[: max(1, round(len(cells) * placing.share))]))

    return found


PLACED: Mapping[str, Place] = MappingProxyType(
    {
        "killer": _killer,
        "arrow": _arrow,
        "thermometer": lambda placing: map(Thermometer, placing.lines(lambda held, digit: digit > held[-1])),
        "whisper": _whisper,
        "renban": lambda placing: map(Renban, placing.lines(_connects)),
        "palindrome": lambda placing: map(Palindrome, placing.lines(_mirrors)),
        "difference": _pairs(lambda one, other, a, b: Difference((one, other), 1) if abs(a - b) == 1 else None),
        "ratio": _pairs(lambda one, other, a, b: Ratio((one, other), 2) if 2 * min(a, b) == max(a, b) != 0 else None),
        "pair-sum": _pairs(lambda one, other, a, b: PairSum((one, other), a + b) if a + b in (5, 10) else None),
        "greater": _pairs(
            lambda one, other, a, b: Greater((one, other) if a > b else (other, one)) if a != b else None
        ),
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
    swapped = (_swap(region, placing) for _ in range(40 * SWAPS * n))
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
    before = region.copy()
    region[one] = other
    returned = [
        cell
        for cell in range(len(region))
        if region[cell] == other and cell != one and any(region[near] == mine for near in placing.around(cell, ROOK))
    ]
    if returned:
        region[placing.random.choice(returned)] = mine
        if _is_connected(region, mine, placing) and _is_connected(region, other, placing):
            return True
    region[:] = before
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
