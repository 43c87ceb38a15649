"""Regions that are not given, and connected digits. Other cells, mostly extra ones, describe them: labels number the
regions, steps are distances inside a region, joins say whether neighbours are in one region. The board's least digit
means 0 steps, or no; the next digit means 1 step, or yes."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from operator import eq, ne

from ringdoku.domain import Board, Cells, Constraint, Digits, Grid, House, Primitive, UsageError, refuse
from ringdoku.domain.primitives import Allowed, Diagram, Layer, OneOf, diagram, occurrences, pairs_of, related


def _neighbour_places(cells: Cells, board: Board) -> list[tuple[int, int]]:
    """The pairs of neighbours among the cells, by their places in the list, in the board's order of neighbours."""
    places = {cell: place for place, cell in enumerate(cells)}
    return [(places[one], places[other]) for one, other in board.neighbours() if one in places and other in places]


def _are_connected(
    labels: Sequence[int], numbers: Iterable[int], cells: Cells, steps: Cells, joins: Cells, grid: Grid
) -> bool:
    """Whether for each of the numbers the cells with this label are connected, `steps` has their distances from the
    first of them, 0 for cells with another label, and `joins` says which neighbours have the same label."""
    least, edges = grid.board.least, _neighbour_places(cells, grid.board)
    counted = dict.fromkeys(range(len(cells)), 0)
    for number in numbers:
        left = {place for place, label in enumerate(labels) if label == number}
        reached, count = {*sorted(left)[:1]}, 0
        while reached:
            counted |= dict.fromkeys(reached, count)
            left -= reached
            reached = {place for edge in edges if reached & {*edge} for place in edge if place in left}
            count += 1
        if left:
            return False
    joined = tuple(least + (labels[one] == labels[other]) for one, other in edges)
    return grid.at(joins) == joined and grid.at(steps) == tuple(least + count for count in counted.values())


def _flag(cell: int, yes: bool, board: Board) -> Allowed:
    """The primitive that the cell holds yes; or that it holds no, which is also step 0."""
    return Allowed(cell, frozenset((board.least + yes,)))


def _relation_of(one: int, other: int, allows: Callable[[int, int], bool], board: Board, name: str) -> Primitive:
    return related(one, other, pairs_of(board.digits, allows), name)


def _equality_primitives(cell: int, one: int, other: int, board: Board) -> Iterator[Primitive]:
    """The primitives by which the first cell says whether the others hold the same digit."""
    name = f"{board.cell_name(one)} and {board.cell_name(other)} alike"
    yield Allowed(cell, frozenset((board.least, board.least + 1)))
    for answer, allows in ((False, eq), (True, ne)):
        yield OneOf(((_flag(cell, answer, board),), (_relation_of(one, other, allows, board, name),)), name)


def _step_primitives(steps: Cells, joins: Cells, edges: Sequence[tuple[int, int]], board: Board) -> Iterator[Primitive]:
    """The primitives that make steps distances: those of neighbours in one region differ by at most 1, and each cell
    except the first has a neighbour with one step less. A join says whether its edge is inside a region."""
    names = [f"the steps {board.cell_name(cell)}" for cell in steps]
    nearer: list[list[tuple[Primitive, ...]]] = [[] for _ in steps]
    for join, edge in zip(joins, edges, strict=True):
        one, other = edge
        name = f"{names[one]} and {board.cell_name(steps[other])}"
        near = _relation_of(steps[one], steps[other], lambda a, b: abs(a - b) <= 1, board, name)
        yield OneOf(((_flag(join, False, board),), (near,)), name)
        for place in edge:
            after = _relation_of(steps[place], steps[sum(edge) - place], lambda a, b: a == b + 1, board, names[place])
            nearer[place].append((_flag(join, True, board), after))
    for cell, name, cases in zip(steps, names, nearer, strict=True):
        yield OneOf(((_flag(cell, False, board),), *cases), name)


def _require_extra_cells(board: Board, cells: Cells, joins: Cells, *others: Cells) -> None:
    """Raises `UsageError` unless each list of `others` has as many cells, each edge a join, and no cell is repeated."""
    count, edges = len(cells), len(_neighbour_places(cells, board))
    if any(len(part) != count for part in others) or len(joins) != edges or board.order < 2:
        raise UsageError(f"there are {count} steps and {edges} joins")
    listed = [cell for part in (cells, joins, *others) for cell in part]
    refuse(len(set(listed)) < len(listed), "a cell is listed twice")


class UnknownRegions(Constraint):
    """The cells form connected regions of that size without repeats; other cells describe the regions.

    `labels`: for each cell the number of its region; regions are numbered from the least digit on, in the order of
    their first cells. `steps`: for each cell the steps inside its region from the region's first cell. `joins`: for
    each two neighbours whether they are in one region, in the order of the upper or left cell, right before below.
    """

    size: int
    cells: Cells
    labels: Cells
    steps: Cells
    joins: Cells

    example = "unknown-regions 2: r1c1 r1c2 | r2c1 r3c2 | r4c3 r4c4 | r3c3"
    listed = False
    optional = ("joins",)

    def refuse(self, board: Board) -> None:
        count = len(self.cells)
        if not 1 <= self.size <= board.order or count % self.size:
            raise UsageError(f"{count} cells do not fall into regions of {self.size} with the digits of {board}")
        if count // self.size > board.order:
            raise UsageError(f"{count // self.size} regions cannot be numbered with {board.order} digits")
        _require_extra_cells(board, self.cells, self.joins, self.labels, self.steps)

    def _numbers(self, board: Board) -> range:
        return board.digits[: len(self.cells) // self.size]

    def houses(self, board: Board) -> Iterator[House]:
        for one, other in self._pairs(board, near=False):
            yield House("cells far apart", (self.labels[one], self.labels[other]))

    def _pairs(self, board: Board, near: bool) -> Iterator[tuple[int, int]]:
        """The pairs of cells, by their places in the list, that may be in one region; or that are too far apart."""
        where = [divmod(cell, board.columns) for cell in self.cells]
        for (one, (up, left)), (other, (down, right)) in combinations(enumerate(where), 2):
            if (abs(up - down) + abs(left - right) < self.size) is near:
                yield one, other

    def holds(self, grid: Grid) -> bool:
        labels, numbers = grid.at(self.labels), self._numbers(grid.board)
        sizes, held = Counter(labels), {*zip(labels, grid.at(self.cells), strict=True)}
        if list(sizes) != list(numbers) or {*sizes.values()} != {self.size} or len(held) < len(labels):
            return False
        return _are_connected(labels, numbers, self.cells, self.steps, self.joins, grid)

    def primitives(self, board: Board) -> Iterator[Primitive]:
        edges = _neighbour_places(self.cells, board)
        around: list[set[int]] = [set() for _ in self.cells]
        for join, (one, other) in zip(self.joins, edges, strict=True):
            yield from _equality_primitives(join, self.labels[one], self.labels[other], board)
            around[one].add(join)
            around[other].add(join)
        yield self._label_order(board)
        yield from _step_primitives(self.steps, self.joins, edges, board)
        # redundant, for propagation: no region is complete with one cell, or with two, if its size is larger
        for joins in around if self.size > 1 else ():
            yield OneOf(tuple((_flag(join, True, board),) for join in sorted(joins)), "a region has two cells")
        for join, (one, other) in zip(self.joins, edges, strict=True) if self.size > 2 else ():
            cases = [_flag(more, True, board) for more in sorted((around[one] | around[other]) - {join})]
            yield OneOf(tuple((case,) for case in (_flag(join, False, board), *cases)), "a region has three cells")
        for number in self._numbers(board):
            yield occurrences(self.labels, (number,), self.size, len(self.labels), f"the cells of region {number}")
        for one, other in self._pairs(board, near=True):
            name = f"the regions of {board.cell_name(self.cells[one])} and {board.cell_name(self.cells[other])}"
            two = (_relation_of(of[one], of[other], ne, board, name) for of in (self.labels, self.cells))
            yield OneOf(tuple((differ,) for differ in two), name)

    def _label_order(self, board: Board) -> Diagram:
        """The diagram by which the first cell of each label has step 0, others more, and labels begin in order."""
        count = len(self._numbers(board))

        def step(state: tuple[int, bool], place: int, digit: int) -> tuple[int, bool] | None:
            seen, first = state
            number = digit - board.least
            if place % 2:
                return (seen, False) if first == (number == 0) else None
            if number > seen or number >= count:
                return None
            return seen + (number == seen), number == seen

        cells = [cell for pair in zip(self.labels, self.steps, strict=True) for cell in pair]
        every, all_seen = [board.digits] * len(cells), (count, False)
        return diagram(cells, every, (0, False), step, lambda state: state == all_seen, "the numbers of regions")


class Connected(Constraint):
    """For each of the digits, the cells that hold it are connected; other cells describe how.

    `steps`: for each cell the steps over cells with its digit from the first of these, no steps for other digits.
    `joins`: for each two neighbours whether they hold the same digit, by the upper or left cell, right before below.
    """

    values: Digits
    cells: Cells
    steps: Cells
    joins: Cells

    example = "connected-digits 1: r1c1 r1c2 | r4c3 r4c4 | r3c3"
    listed = False
    optional = ("joins",)

    def refuse(self, board: Board) -> None:
        _require_extra_cells(board, self.cells, self.joins, self.steps)

    def holds(self, grid: Grid) -> bool:
        return _are_connected(grid.at(self.cells), self.values, self.cells, self.steps, self.joins, grid)

    def primitives(self, board: Board) -> Iterator[Primitive]:
        edges = _neighbour_places(self.cells, board)
        for join, (one, other) in zip(self.joins, edges, strict=True):
            yield from _equality_primitives(join, self.cells[one], self.cells[other], board)
        for value in self.values:
            yield self._first_step(value, board)
        for cell, steps in zip(self.cells, self.steps, strict=True):
            name = f"the steps {board.cell_name(steps)}"
            yield _relation_of(cell, steps, lambda a, b: a in self.values or b == board.least, board, name)
        yield from _step_primitives(self.steps, self.joins, edges, board)

    def _first_step(self, value: int, board: Board) -> Diagram:
        """The diagram by which the first cell with the digit has step 0, and every other cell with it has more."""

        def step(state: tuple[bool, bool | None], place: int, digit: int) -> tuple[bool, bool | None] | None:
            seen, first = state
            if place % 2:
                return (seen, None) if first in (None, digit == board.least) else None
            return (True, not seen) if digit == value else (seen, None)

        cells = [cell for pair in zip(self.cells, self.steps, strict=True) for cell in pair]
        start: tuple[bool, bool | None] = (False, None)
        return diagram(cells, [board.digits] * len(cells), start, step, lambda _: True, f"the first {value}")


class OneRegion(Constraint):
    """The cells that hold one of the digits form one connected region, not empty; flags say which cells are inside.
    The cells are given row by row, `columns` in each row, the last of which may be shorter."""

    columns: int
    values: Digits
    cells: Cells
    flags: Cells

    example = "one-region 2 1 3: r1c1 r1c2 r2c1 r2c2 | r3c3 r3c4 r4c3 r4c4"
    listed = False

    def refuse(self, board: Board) -> None:
        wrong = self.columns < 1 or len(self.flags) != len(self.cells) or board.order < 2
        refuse(wrong, f"there are {len(self.cells)} cells, {len(self.flags)} flags and {self.columns} columns")

    def holds(self, grid: Grid) -> bool:
        inside = [digit in self.values for digit in grid.at(self.cells)]
        places = [place for place, is_inside in enumerate(inside) if is_inside]
        rows = -(-len(inside) // self.columns)
        flags = tuple(grid.board.least + is_inside for is_inside in inside)
        return bool(places) and Board(rows, self.columns).are_connected(places) and grid.at(self.flags) == flags

    def primitives(self, board: Board) -> Iterator[Primitive]:
        for cell, flag in zip(self.cells, self.flags, strict=True):
            name = f"{board.cell_name(flag)} of {board.cell_name(cell)}"
            yield _relation_of(cell, flag, lambda a, b: b == board.least + (a in self.values), board, name)
        yield Diagram(self.flags, _layers_of_region(self.columns, len(self.cells), board.digits[:2]), self.text)


@lru_cache(maxsize=4)
def _layers_of_region(columns: int, count: int, choices: range) -> tuple[Layer, ...]:
    """The layers of the diagram by which flags, the first of the choices outside, are those of one connected region."""

    def step(state: tuple[Cells, bool], place: int, digit: int) -> tuple[Cells, bool] | None:
        """Of the row that ends before a cell: for each cell the number of the latest cell that is known to be connected
        to it, from 1, or 0 outside; and whether the region is complete."""
        (above, *others), is_complete = state
        if digit == choices[0]:
            if above and above not in others:
                return None if any(others) else ((*others, 0), True)
            return (*others, 0), is_complete
        beside = {above, others[-1] if place % columns else 0} - {0}
        after = (*(place + 1 if part in beside else part for part in others), place + 1)
        return None if is_complete else (after, False)

    start, every = ((0,) * columns, False), [choices] * count
    return diagram(range(count), every, start, step, lambda state: len({*state[0], 0}) == 2 or state[1]).layers
