"""A board and its rules, and a puzzle, which has clues too. Contradictory clues are a puzzle without a solution."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from importlib import import_module
from math import isqrt

from ringdoku.domain.board import Board
from ringdoku.domain.constraint import Boxes, Constraint, House, Lines, fitted
from ringdoku.domain.errors import DimensionError, UsageError, counted, expect, listed, refuse, whole_numbers
from ringdoku.domain.grid import Grid
from ringdoku.domain.primitives import AllDifferent, Allowed, Linear, Primitive, scope_of
from ringdoku.domain.showing import Shown


@dataclass(frozen=True)
class Ruleset:
    """A board and its named constraints, in the order in which they were given. It is hashable and serves as the key of
    every cache. Raises `DimensionError` or `UsageError` for a constraint that makes no sense on the board."""

    board: Board
    constraints: tuple[Constraint, ...]

    def __post_init__(self) -> None:
        expect(self.board, Board, "the board of a ruleset")
        constraints = tuple(fitted(constraint, self.board) for constraint in listed(self.constraints, "constraints"))
        object.__setattr__(self, "constraints", constraints)
        for house in self.houses:
            if len(house.cells) > self.board.order:
                cells = counted(len(house.cells), "cell")
                digits = counted(self.board.order, "digit")
                raise DimensionError(f"{house.name} has {cells} for only {digits}")
            if len(set(house.cells)) < len(house.cells):
                twice = next(cell for cell in house.cells if house.cells.count(cell) > 1)
                raise DimensionError(f"{house.name} has {self.board.cell_name(twice)} twice")

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[object, ...]:
        # the cached properties are large; all copies in a process share one object
        return _shared_ruleset, (self.board, self.constraints)

    @cached_property
    def _hash(self) -> int:
        return hash((self.board, self.constraints))

    @property
    def order(self) -> int:
        """How many digits there are: n for 1..n."""
        return self.board.order

    @cached_property
    def box(self) -> tuple[int, int] | None:
        """Height and width of the boxes, None where the rules have none."""
        return next(((rule.height, rule.width) for rule in self.constraints if isinstance(rule, Boxes)), None)

    @cached_property
    def classic_box(self) -> tuple[int, int] | None:
        """The box shape when these are the rules of classic sudoku and no others, else None."""
        match self.constraints:
            case (Lines(), Boxes(height, width)) if self.board.is_plain and height * width == self.order:
                return height, width
        return None

    @property
    def special(self) -> tuple[Constraint, ...]:
        """The constraints besides rows, columns and boxes."""
        return tuple(constraint for constraint in self.constraints if not isinstance(constraint, Lines | Boxes))

    @cached_property
    def common(self) -> "Ruleset | None":
        """The rows, columns and boxes alone, which many puzzles share. None for boards without rows and columns, with
        extra cells, and where there are no other rules."""
        shared = tuple(constraint for constraint in self.constraints if isinstance(constraint, Lines | Boxes))
        if self.board.extra or Lines() not in shared or shared == self.constraints:
            return None
        return _shared_ruleset(self.board, shared)

    def require_classic(self, who: str) -> tuple[int, int]:
        """`classic_box`. Raises `UsageError`, which says that `who` needs classic rules, for any others."""
        if self.classic_box is None:
            raise UsageError(f"{who} is for the rules of classic sudoku alone, not for {self}")
        return self.classic_box

    @cached_property
    def houses(self) -> tuple[House, ...]:
        """Every set of cells in which no digit stands twice, each with its name; a set may come twice."""
        return tuple(house for constraint in self.constraints for house in constraint.houses(self.board))

    @cached_property
    def units(self) -> tuple[House, ...]:
        """The houses with as many cells as there are digits, which hold every digit once. No two share a name: a house
        that two rules have, such as a diagonal, is listed once, and other cells of the same name get a number."""
        found: dict[str, House] = {}
        for house in self.houses:
            if len(house.cells) == self.board.order:
                names = (house.name, *(f"{house.name} ({number})" for number in range(2, len(found) + 2)))
                name = next(name for name in names if name not in found or found[name].cells == house.cells)
                found[name] = House(name, house.cells)
        return tuple(found.values())

    @cached_property
    def rest(self) -> tuple[Primitive, ...]:
        """The primitives of all rules besides the clues and the houses."""
        return tuple(part for constraint in self.constraints for part in primitives_of(constraint, self.board))

    @cached_property
    def primitives(self) -> tuple[Primitive, ...]:
        """The primitives of all rules besides the clues: an `AllDifferent` for each house, then the rest."""
        return (*(AllDifferent(house.cells, house.name) for house in self.houses if len(house.cells) > 1), *self.rest)

    @cached_property
    def allowed(self) -> Mapping[int, frozenset[int]]:
        """The digits that cells may hold by constraints on single cells alone, such as candidates and odd cells."""
        found: dict[int, frozenset[int]] = {}
        for constraint in self.constraints:
            parts = primitives_of(constraint, self.board)
            alone = [part for part in parts if isinstance(part, Allowed)]
            for part in alone if len(alone) == len(parts) else ():
                found[part.cell] = found.get(part.cell, part.digits) & part.digits
        return found

    @cached_property
    def units_of(self) -> tuple[tuple[int, ...], ...]:
        """For each cell, the indices in `units` of the units that it is in."""
        return self.board.indices_at(house.cells for house in self.units)

    @cached_property
    def peers(self) -> Callable[[int], frozenset[int]]:
        """The other cells that share a house with a cell. Raises `IndexError` off the board."""
        houses_of = self.board.indices_at(house.cells for house in self.houses)

        # found on demand: on the largest boards those of all cells would fill the memory
        @cache
        def peers(cell: int) -> frozenset[int]:
            self.board.cell_name(cell)
            houses = (self.houses[index].cells for index in houses_of[cell])
            return frozenset(peer for cells in houses for peer in cells if peer != cell)

        return peers

    def extended(self, *constraints: Constraint) -> "Ruleset":
        """These rules and the given ones."""
        return Ruleset(self.board, (*self.constraints, *constraints)) if constraints else self

    def __str__(self) -> str:
        if self.classic_box:
            return f"{self.board} with {self.classic_box[0]}x{self.classic_box[1]} boxes"
        return f"{self.board} with {', '.join({rule.text: rule for rule in self.constraints}) or 'no rules'}"


@lru_cache(maxsize=256)
def primitives_of(constraint: Constraint, board: Board) -> tuple[Primitive, ...]:
    """The primitives of a constraint, made once for rulesets that share it. Raises `UsageError` for anything else."""
    parts = tuple(listed(constraint.primitives(board), f"the primitives of {constraint.text}"))
    strange = [part for part in parts if not isinstance(part, Primitive)]
    refuse(strange, f"the primitives of {constraint.text} are of ringdoku.domain.primitives, not {strange}")
    # our own are tested, and there may be thousands
    foreign = () if type(constraint).__module__.startswith("ringdoku.") else parts
    off = {cell for part in foreign for cell in scope_of(part)}.difference(range(board.cell_count))
    refuse(off, f"the primitives of {constraint.text} are of the cells of {board}, not {sorted(off)}")
    return parts


def is_cage(rule: Linear, peers: Callable[[int], frozenset[int]]) -> bool:
    """Whether a sum is a cage: all coefficients are 1, and every two cells are `peers`, so that all digits differ."""
    is_plain = set(rule.coefficients) == {1}
    return is_plain and all(peers(cell).issuperset(rule.cells[:place]) for place, cell in enumerate(rule.cells))


def classic(order: int, box: tuple[int, int] | None = None) -> Ruleset:
    """The rules of n×n with digits 1..n; square boxes unless `box` = (height, width) is given. Raises `DimensionError`
    for an order that is not a square number when no box is given, and for a box that does not have n cells."""
    order = Board.square(order).order
    if box is None:
        side = isqrt(order)
        if side * side != order:
            shapes = " or ".join(f"{height}x{width}" for height, width in box_shapes(order))
            why = f"order {order} is not a square number, so its box shape must be given"
            raise DimensionError(f"{why}, for example {shapes}")
        box = (side, side)
    sides = whole_numbers(box, "the height and width of a box")
    if len(sides) != 2:
        raise DimensionError(f"a box is a height and a width, not {box!r}")
    boxes = Boxes(*sides)
    if boxes.height * boxes.width != order:
        cells = counted(boxes.height * boxes.width, "cell")
        raise DimensionError(f"a box of {boxes.height}x{boxes.width} has {cells}, not {order}")
    return _shared_ruleset(Board.square(order), (Lines(), boxes))


def plain_rules(board: Board, box: tuple[int, int] | tuple[()] | None = None) -> Ruleset:
    """Rows, columns and boxes of a shape. () means no boxes, None square boxes, or none on a rectangle. Raises
    `UsageError`, also for None on a board of n×n if n is not a square number."""
    if box is None:
        box = classic(board.columns).classic_box if board.rows == board.columns else ()
    return _shared_ruleset(board, (Lines(), Boxes(*box)) if box else (Lines(),))


def box_shapes(order: int) -> list[tuple[int, int]]:
    """Every (height, width) with height·width = order, the squarest first and flat ones before tall ones."""
    shapes = [(height, order // height) for height in range(1, order + 1) if order % height == 0]
    return sorted(shapes, key=lambda shape: (abs(shape[0] - shape[1]), shape[0]))


# houses are costly for large orders, so equal rulesets share one object
@lru_cache(maxsize=64)
def _shared_ruleset(board: Board, constraints: tuple[Constraint, ...]) -> Ruleset:
    return Ruleset(board, constraints)


@dataclass(frozen=True, repr=False)
class Puzzle(Shown):
    """Rules, and clues on the same board. Raises `DimensionError` when the boards differ."""

    ruleset: Ruleset
    clues: Grid

    def __post_init__(self) -> None:
        if not isinstance(self.ruleset, Ruleset) or not isinstance(self.clues, Grid):
            raise UsageError("a Puzzle has a Ruleset and a Grid; texts are for ringdoku.parse, rows for Puzzle.of_rows")
        if self.clues.board != self.ruleset.board:
            raise DimensionError(f"clues of a {self.clues.board} board do not fit one of {self.ruleset.board}")

    @property
    def board(self) -> Board:
        """The cells and digits."""
        return self.ruleset.board

    @property
    def order(self) -> int:
        """How many digits there are: n for 1..n."""
        return self.ruleset.board.order

    def __repr__(self) -> str:
        if self.ruleset.classic_box in ((2, 2), (3, 3)):
            return f"parse('{''.join('.' if clue == 0 else str(clue) for clue in self.clues.digits)}')"
        return f"Puzzle({self.ruleset!r}, {self.clues!r})"

    def __str__(self) -> str:
        """The lines of the rules, and below them the clues with borders around the boxes: text that is read again.
        Raises `UsageError` for boxes of two shapes, for which there is no text."""
        text: str = import_module("ringdoku.text").write_puzzles([self], "boxed")
        return text.rstrip("\n")

    def with_rules(self, *rules: str | Constraint) -> "Puzzle":
        """The puzzle with further rules: lines of the text form, such as `thermometer: r1c1-r1c3` or `no boxes`, and
        constraints. Raises `UsageError` for a rule that cannot be read, or makes no sense on the board."""
        if not rules:
            return self
        # the text form knows all constraints, which the domain does not
        read = import_module("ringdoku.constraints.registry").with_rules
        ruleset = read(self.ruleset, *(rule for rule in rules if isinstance(rule, str)))
        return Puzzle(ruleset.extended(*(rule for rule in rules if not isinstance(rule, str))), self.clues)

    @staticmethod
    def of_rows(
        rows: Iterable[Iterable[int]], box: tuple[int, int] | None = None, rules: Iterable[str | Constraint] = ()
    ) -> "Puzzle":
        """A puzzle from n rows of n digits; `box` = (height, width) is needed unless n is a square number or a line
        of `rules`, which are as in `with_rules`, says which boxes there are."""
        clues, rules, boxes = Grid.of_rows(rows), list(listed(rules, "rules")), None
        if texts := [rule for rule in rules if isinstance(rule, str)]:
            _, boxes = import_module("ringdoku.constraints.registry").shape_in(texts)
        ruleset = plain_rules(clues.board, ()) if boxes == () else classic(clues.order, box or boxes)
        return Puzzle(ruleset, clues).with_rules(*rules)

    @staticmethod
    def blank(order: int, box: tuple[int, int] | None = None) -> "Puzzle":
        """A classic puzzle without clues; `box` = (height, width) is needed unless the order is a square number."""
        ruleset = classic(order, box)
        return Puzzle(ruleset, Grid.blank(ruleset.board))


def pattern_solution(ruleset: Ruleset) -> Grid:
    """A solution of classic rules: each row is the one before, shifted by a box width, and by one more in each band."""
    n, (height, width) = ruleset.order, ruleset.require_classic("a pattern grid")
    return Grid(tuple((r % height * width + r // height + c) % n + 1 for r in range(n) for c in range(n)))
