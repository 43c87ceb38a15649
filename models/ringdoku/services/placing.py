"""Random constraints that hold in a given solution: cages, lines, dots, clues outside; and random jigsaw regions."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, permutations
from random import Random
from typing import TypeAlias

from ringdoku.constraints.digits import Even, Odd
from ringdoku.constraints.lines import Palindrome, Renban, Thermometer, Whisper
from ringdoku.constraints.outside import Sandwich
from ringdoku.constraints.pairs import Difference, Greater, PairSum, Ratio
from ringdoku.constraints.regions import Regions
from ringdoku.constraints.sums import Arrow, Killer, LittleKiller
from ringdoku.domain import Board, Constraint, Grid, Lines, box_shapes
from ringdoku.domain.board import KING, ROOK

Fits: TypeAlias = Callable[[tuple[int, ...]], bool]
"""A test whether a line or a cage may have these digits."""


@dataclass(frozen=True)
class Placing:
    """The solution that constraints are placed over, a random source, and the `density` of constraints, 0..1."""

    solution: Grid
    random: Random
    density: float

    @property
    def board(self) -> Board:
        return self.solution.board

    @property
    def share(self) -> float:
        """The share of all possible constraints of a kind that is placed, 0.3..1."""
        return 0.3 + 0.7 * self.density

    def around(self, cell: int, moves: Sequence[tuple[int, int]] = ROOK) -> list[int]:
        """The cells that the moves lead to, in random order."""
        cells = self.board.around(cell, moves)
        return self.random.sample(cells, len(cells))

    def cells(self) -> list[int]:
        """Every cell in random order."""
        return self.random.sample(range(self.board.grid_count), self.board.grid_count)

    def sample(self, constraints: Iterable[Constraint]) -> list[Constraint]:
        """A random `share` of those constraints that hold, at least one if any does."""
        found = [constraint for constraint in constraints if constraint.holds(self.solution)]
        return self.random.sample(found, min(max(1, round(len(found) * self.share)), len(found)))

    def grown_group(
        self, start: int, size: int, free: set[int], fits: Fits, is_done: Fits = lambda _: False, cage: bool = False
    ) -> list[int]:
        """The start and more free cells, up to `size` or until `is_done`, whose digits fit after each addition. A line
        grows from its last cell in any of eight directions, a cage from any of its cells across an edge."""
        group = [start]
        while len(group) < size and not is_done(self.solution.at(group)):
            moves, ends = (ROOK, group) if cage else (KING, group[-1:])
            beside = [cell for end in ends for cell in self.around(end, moves) if cell in free]
            new = (cell for cell in beside if cell not in group and fits(self.solution.at([*group, cell])))
            if (cell := next(new, None)) is None:
                break
            group.append(cell)
        return group

    def lines(self, fits: Fits) -> Iterator[tuple[int, ...]]:
        """Disjoint lines of 3 to 7 cells whose digits fit, those of each prefix too."""
        free = set(range(self.board.grid_count))
        wanted = round(self.board.grid_count * (0.3 + 0.5 * self.density))
        for start in self.cells():
            if self.board.grid_count - len(free) >= wanted:
                return
            if start in free:
                line = self.grown_group(start, self.random.randint(3, 7), free, fits)
                if len(line) > 2:
                    free -= set(line)
                    yield tuple(line)


def _killer(placing: Placing) -> Iterator[Constraint]:
    """Cages of up to five cells that cover nearly all cells; with more density they are smaller."""
    largest = max(2, round(5 - 3 * placing.density))
    free = set(range(placing.board.grid_count))
    for start in placing.cells():
        if start in free:
            size = placing.random.randint(2, largest)
            cage = placing.grown_group(start, size, free, lambda digits: digits[-1] not in digits[:-1], cage=True)
            free -= set(cage)
            if len(cage) > 1:
                yield Killer(sum(placing.solution.at(cage)), tuple(sorted(cage)))


def _arrow(placing: Placing) -> Iterator[Constraint]:
    """Arrows: a circle and a shaft of two or more cells."""
    free = set(range(placing.board.grid_count))
    for circle in placing.cells():
        if circle in free and placing.random.random() <= placing.share:
            line = placing.grown_group(
                circle,
                placing.board.grid_count,
                free,
                lambda digits: digits[-1] > 0 and sum(digits[1:]) <= digits[0],
                is_done=lambda digits: sum(digits[1:]) >= digits[0],
            )
            if len(line) > 2 and sum(placing.solution.at(line[1:])) == placing.solution.digits[circle]:
                free -= set(line)
                yield Arrow((circle,), tuple(line[1:]))


def _whisper(placing: Placing) -> Iterator[Constraint]:
    least = -(-placing.board.order // 2)
    return (Whisper(line, least) for line in placing.lines(lambda digits: abs(digits[-1] - digits[-2]) >= least))


def _little_killer(placing: Placing) -> Iterator[Constraint]:
    """Whole diagonals of 3 or 4 cells, with their sums; those of longer ones say little, and take solvers long."""
    board = placing.board
    for start in range(board.grid_count):
        row, column = divmod(start, board.columns)
        # down from its upper end, so that each diagonal comes once
        for right in (1, -1):
            places = (board.at(row + step, column + step * right) for step in range(5))
            cells = tuple(cell for cell in places if cell is not None)
            if board.at(row - 1, column - right) is None and len(cells) in (3, 4):
                yield LittleKiller(sum(placing.solution.at(cells)), cells)


def _sandwich(placing: Placing) -> Iterator[Constraint]:
    board = placing.board
    for house in Lines().houses(board):
        held = placing.solution.at(house.cells)
        crusts = [place for place, digit in enumerate(held) if digit in (board.least, board.digits[-1])]
        if len(crusts) == 2:
            yield Sandwich(sum(held[crusts[0] + 1 : crusts[1]]), house.cells)


def _parity_cells(kind: type[Odd] | type[Even], placing: Placing) -> Iterator[Constraint]:
    """A random share of the cells of one parity."""
    cells = [cell for cell in placing.cells() if kind((cell,)).holds(placing.solution)]
    return (kind((cell,)) for cell in sorted(cells[: max(1, round(len(cells) * placing.share))]))


PLACED: Mapping[str, Callable[[Placing], Iterable[Constraint]]] = {
    "killer": _killer,
    "arrow": _arrow,
    "thermometer": lambda p: map(Thermometer, p.lines(lambda digits: digits[-1] > digits[-2])),
    "whisper": _whisper,
    "renban": lambda p: map(
        Renban, p.lines(lambda digits: max(digits) - min(digits) == len(set(digits)) - 1 == len(digits) - 1)
    ),
    "palindrome": lambda p: map(
        Palindrome, p.lines(lambda digits: len(digits) == 2 or (len(digits) == 3 and digits[0] == digits[2]))
    ),
    "difference": lambda p: p.sample(Difference(pair, 1) for pair in p.board.neighbours()),
    # not between digits below 1
    "ratio": lambda p: p.sample(Ratio(pair, 2) for pair in p.board.neighbours() if max(p.solution.at(pair)) > 0),
    "pair-sum": lambda p: p.sample(PairSum(pair, total) for pair in p.board.neighbours() for total in (5, 10)),
    "greater": lambda p: p.sample(Greater(pair) for two in p.board.neighbours() for pair in permutations(two)),
    "little-killer": lambda p: p.sample(_little_killer(p)),
    "sandwich": lambda p: p.sample(_sandwich(p)),
    "odd": lambda p: _parity_cells(Odd, p),
    "even": lambda p: _parity_cells(Even, p),
}
"""For each kind of constraint, by its name in the text form, the function that places some over a solution."""
REGIONS = "regions"
"""The kind of constraint that is made before there is a solution."""


def random_regions(board: Board, random: Random) -> Regions:
    """Connected regions of n cells each on a board of n×n: boxes, as square as can be, after 5n + 1 swaps of cells;
    fewer if so many of 200n tries do not succeed."""
    n = board.order
    placing = Placing(Grid.blank(board), random, 0)
    height, width = box_shapes(n)[0]
    region = [cell // n // height * height + cell % n // width for cell in range(board.grid_count)]
    next(islice(filter(None, (_swap(region, placing) for _ in range(200 * n))), 5 * n, None), None)
    return Regions(tuple(sorted(tuple(_cells_of(region, number)) for number in range(n))))


def _cells_of(region: Sequence[int], number: int) -> list[int]:
    return [cell for cell, owner in enumerate(region) if owner == number]


def _swap(region: list[int], placing: Placing) -> bool:
    """Swaps a random cell with one of a neighbouring region if both regions stay connected. Returns whether it did."""
    cell = placing.random.randrange(len(region))
    mine = region[cell]
    neighbour = next((region[cell] for cell in placing.around(cell, ROOK) if region[cell] != mine), None)
    if neighbour is None:
        return False
    theirs, before = _cells_of(region, neighbour), region.copy()
    region[cell] = neighbour
    returned = [back for back in theirs if any(region[near] == mine for near in placing.around(back, ROOK))]
    if returned:
        region[placing.random.choice(returned)] = mine
        if all(placing.board.are_connected(_cells_of(region, number), placing.around) for number in (mine, neighbour)):
            return True
    region[:] = before
    return False
