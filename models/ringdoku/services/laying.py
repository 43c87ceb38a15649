"""Random constraints that hold in a given solution: cages, lines, dots, clues outside; and random jigsaw regions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from types import MappingProxyType

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
LONGEST_LINE = 7
LONGEST_DIAGONAL = 4
"""Sums of longer diagonals say little, and take solvers long."""
SWAPS = 5
"""Of cells between regions, for each region."""
PATIENCE = 200
"""Swaps that are tried, for each region."""


@dataclass(frozen=True)
class Canvas:
    """The solution that constraints are laid over, and how thickly: `density` 0..1."""

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

    def lines(self, may_follow: Callable[[tuple[int, ...], int], bool], shortest: int) -> Iterator[tuple[int, ...]]:
        """Lines without common cells. `may_follow` says of the digits of a line and a further digit whether the line
        can be extended by it."""
        digits, free = self.solution.digits, set(range(self.board.grid_count))
        wanted = round(self.board.grid_count * (0.3 + 0.5 * self.density))
        covered = 0
        for start in self.cells():
            if covered >= wanted:
                return
            if start not in free:
                continue
            line, longest = [start], self.random.randint(shortest, LONGEST_LINE)
            while len(line) < longest:
                held = self.solution.at(line)
                ahead = (cell for cell in self.around(line[-1], KING) if cell in free and cell not in line)
                following = next((cell for cell in ahead if may_follow(held, digits[cell])), None)
                if following is None:
                    break
                line.append(following)
            if len(line) >= shortest:
                free -= set(line)
                covered += len(line)
                yield tuple(line)


def _killer(canvas: Canvas) -> Iterator[Constraint]:
    """Cages over all cells; the denser, the smaller."""
    largest = max(2, round(LARGEST_CAGE - (LARGEST_CAGE - 2) * canvas.density))
    digits, free = canvas.solution.digits, set(range(canvas.board.grid_count))
    for start in canvas.cells():
        if start not in free:
            continue
        cage = [start]
        size = canvas.random.randint(2, largest)
        while len(cage) < size:
            ahead = [
                cell
                for member in cage
                for cell in canvas.around(member, ROOK)
                if cell in free and cell not in cage and digits[cell] not in canvas.solution.at(cage)
            ]
            if not ahead:
                break
            cage.append(ahead[0])
        free -= set(cage)
        if len(cage) > 1:
            yield Killer(sum(canvas.solution.at(cage)), tuple(sorted(cage)))


def _arrow(canvas: Canvas) -> Iterator[Constraint]:
    """A circle and a shaft of two to four cells."""
    digits, free = canvas.solution.digits, set(range(canvas.board.grid_count))
    for circle in canvas.cells():
        if circle not in free or canvas.random.random() > 0.3 + 0.7 * canvas.density:
            continue
        total, shaft = digits[circle], [circle]
        while total > 0:
            ahead = (
                cell
                for cell in canvas.around(shaft[-1], KING)
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


def _pairs(canvas: Canvas, make: Callable[[int, int], Constraint | None]) -> Iterator[Constraint]:
    found = [make(first, second) for first, second in canvas.board.neighbours()]
    return canvas.some([constraint for constraint in found if constraint is not None])


def _difference(canvas: Canvas) -> Iterator[Constraint]:
    digits = canvas.solution.digits
    return _pairs(canvas, lambda a, b: Difference((a, b), 1) if abs(digits[a] - digits[b]) == 1 else None)


def _ratio(canvas: Canvas) -> Iterator[Constraint]:
    digits = canvas.solution.digits
    return _pairs(
        canvas,
        lambda a, b: (
            Ratio((a, b), 2) if digits[a] and 2 * min(digits[a], digits[b]) == max(digits[a], digits[b]) else None
        ),
    )


def _pair_sum(canvas: Canvas) -> Iterator[Constraint]:
    digits = canvas.solution.digits
    return _pairs(
        canvas, lambda a, b: PairSum((a, b), digits[a] + digits[b]) if digits[a] + digits[b] in (5, 10) else None
    )


def _greater(canvas: Canvas) -> Iterator[Constraint]:
    digits = canvas.solution.digits
    return _pairs(
        canvas,
        lambda a, b: None if digits[a] == digits[b] else Greater((a, b) if digits[a] > digits[b] else (b, a)),
    )


def _thermometer(canvas: Canvas) -> Iterator[Constraint]:
    return map(Thermometer, canvas.lines(lambda held, digit: digit > held[-1], 3))


def _whisper(canvas: Canvas) -> Iterator[Constraint]:
    least = -(-canvas.board.order // 2)
    return (Whisper(line, least) for line in canvas.lines(lambda held, digit: abs(digit - held[-1]) >= least, 3))


def _renban(canvas: Canvas) -> Iterator[Constraint]:
    def connects(held: tuple[int, ...], digit: int) -> bool:
        return digit not in held and max(*held, digit) - min(*held, digit) == len(held)

    return map(Renban, canvas.lines(connects, 3))


def _palindrome(canvas: Canvas) -> Iterator[Constraint]:
    """Lines of three or four cells."""

    def mirrors(held: tuple[int, ...], digit: int) -> bool:
        if len(held) == 1:
            return True
        return len(held) == 2 and digit == held[0]

    lines = canvas.lines(mirrors, 3)
    return map(Palindrome, lines)


def _little_killer(canvas: Canvas) -> Iterator[Constraint]:
    """Diagonals of three cells or a few more, as seen from the edges."""
    board, found = canvas.board, list[Constraint]()
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
                found.append(LittleKiller(sum(canvas.solution.at(cells)), tuple(cells)))
    return canvas.some(found)


def _sandwich(canvas: Canvas) -> Iterator[Constraint]:
    board, found = canvas.board, list[Constraint]()
    rows = [tuple(range(row * board.columns, (row + 1) * board.columns)) for row in range(board.rows)]
    columns = [tuple(range(column, board.grid_count, board.columns)) for column in range(board.columns)]
    for cells in rows + columns:
        held = canvas.solution.at(cells)
        crusts = [place for place, digit in enumerate(held) if digit in (board.least, board.digits[-1])]
        if len(crusts) == 2:
            found.append(Sandwich(sum(held[crusts[0] + 1 : crusts[1]]), cells))
    return canvas.some(found)


def _parity(canvas: Canvas, kind: type[Odd] | type[Even], rest: int) -> Iterator[Constraint]:
    cells = [cell for cell in canvas.cells() if canvas.solution.digits[cell] % 2 == rest]
    kept = cells[: max(1, round(len(cells) * (0.3 + 0.7 * canvas.density)))]
    yield from (kind((cell,)) for cell in sorted(kept))


LAID: Mapping[str, Callable[[Canvas], Iterator[Constraint]]] = MappingProxyType(
    {
        "killer": _killer,
        "arrow": _arrow,
        "thermometer": _thermometer,
        "whisper": _whisper,
        "renban": _renban,
        "palindrome": _palindrome,
        "difference": _difference,
        "ratio": _ratio,
        "pair-sum": _pair_sum,
        "greater": _greater,
        "little-killer": _little_killer,
        "sandwich": _sandwich,
        "odd": lambda canvas: _parity(canvas, Odd, 1),
        "even": lambda canvas: _parity(canvas, Even, 0),
    }
)
"""The constraints that can be laid over a solution, by their names in the text form."""

REGIONS = "regions"
"""The constraint that is made before there is a solution."""


def random_regions(board: Board, random: Random) -> Regions:
    """Connected regions of n cells each on a board of n×n: boxes, as square as can be, whose cells were swapped."""
    n = board.order
    canvas = Canvas(Grid.blank(board), random, 0)
    height, width = box_shapes(n)[0]
    region = [cell // n // height * height + cell % n // width for cell in range(board.grid_count)]
    swapped = (_swap(region, canvas) for _ in range(PATIENCE * n))
    next(islice(filter(None, swapped), SWAPS * n, None), None)
    cells = [tuple(cell for cell in range(board.grid_count) if region[cell] == number) for number in range(n)]
    return Regions(tuple(sorted(cells)))


def _swap(region: list[int], canvas: Canvas) -> bool:
    """Gives a random cell to a region beside it, and one of that region's in return, if both stay connected."""
    one = canvas.random.randrange(len(region))
    mine = region[one]
    other = next((region[cell] for cell in canvas.around(one, ROOK) if region[cell] != mine), None)
    if other is None:
        return False
    region[one] = other
    returned = [
        cell
        for cell in range(len(region))
        if region[cell] == other and cell != one and any(region[near] == mine for near in canvas.around(cell, ROOK))
    ]
    if returned:
        back = canvas.random.choice(returned)
        region[back] = mine
        if _is_connected(region, mine, canvas) and _is_connected(region, other, canvas):
            return True
        region[back] = other
    region[one] = mine
    return False


def _is_connected(region: Sequence[int], number: int, canvas: Canvas) -> bool:
    cells = {cell for cell, of in enumerate(region) if of == number}
    reached = [min(cells)]
    cells -= set(reached)
    while reached:
        near = set(canvas.around(reached.pop(), ROOK)) & cells
        reached += sorted(near)
        cells -= near
    return not cells
