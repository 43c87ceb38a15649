"""Named techniques: each is the name of a kind of small truth set. The first row that fits names a step."""

from collections.abc import Callable, Collection, Iterable, Mapping, Set
from itertools import chain, combinations
from typing import NamedTuple

from ringdoku.domain import Ruleset
from ringdoku.explanations.inferences import (
    Candidates,
    CellTruth,
    HouseTruth,
    Inference,
    RuleTruth,
    UniqueTruth,
    UnitTruth,
    ways_of,
)


class Pattern:
    """The features of a step by which techniques are recognised. `ways` has the candidates that satisfy each truth, and
    `in_lines` the numbers of ways of truths about rows and columns. `parallel` is `row` or `column` if all truths are
    about such lines. `kind` is that of the first truth's unit, such as `box`, or empty."""

    def __init__(
        self, ruleset: Ruleset, candidates: Candidates, step: Inference, blank: Set[int] = frozenset()
    ) -> None:
        self.ruleset, self.candidates, self.step, self.size, self.blank = ruleset, candidates, step, step.size, blank
        self.first = step.truths[0]
        self.ways = [ways_of(truth, ruleset, candidates) for truth in step.truths]
        self.all_ways = list(chain.from_iterable(self.ways))
        self.two_ways_each = all(len(ways) == 2 for ways in self.ways)
        self.cells = [truth.cell for truth in step.truths if isinstance(truth, CellTruth)]
        self.unit_truths = [truth for truth in step.truths if isinstance(truth, UnitTruth)]
        self.only_cells, only_units = (len(each) == self.size for each in (self.cells, self.unit_truths))
        self.one_digit = only_units and len({truth.digit for truth in self.unit_truths}) == 1
        self.one_unit = only_units and len({truth.unit for truth in self.unit_truths}) == 1
        kinds = [ruleset.units[truth.unit].name.removeprefix("the ").partition(" ")[0] for truth in self.unit_truths]
        lines = [truth for truth, kind in zip(self.unit_truths, kinds, strict=True) if kind in ("row", "column")]
        self.kind = "".join(kinds[:1])
        self.in_lines = [len(ways_of(truth, ruleset, candidates)) for truth in lines]
        self.parallel = kinds[0] if lines == self.unit_truths and len(set(kinds)) == 1 else ""

    @property
    def link_count(self) -> int:
        """The number of links that cover the ways of a subset or a fish: digits of cells, cells of digits, or lines."""
        if self.only_cells:
            return len({digit for _, digit in self.all_ways})
        if self.one_unit:
            return len({cell for cell, _ in self.all_ways})
        return len({self._crossing_line(cell) for cell, _ in self.all_ways})

    def _crossing_line(self, cell: int) -> int:
        return divmod(cell, self.ruleset.board.columns)[self.parallel == "row"]

    @property
    def is_finned(self) -> bool:
        """Whether as many crossing lines as truths have all ways but fins in a box, and what is removed in that box."""
        ways, removed = ([cell for cell, _ in found] for found in (self.all_ways, self.step.removed))
        for lines in combinations({*map(self._crossing_line, ways)}, self.size):
            fins = [cell for cell in ways if self._crossing_line(cell) not in lines]
            if self.share_unit(fins + removed) and {*map(self._crossing_line, removed)} <= {*lines}:
                return True
        return False

    @property
    def is_last(self) -> bool:
        """Whether the unit of a single truth has only one blank cell."""
        return bool(self.unit_truths) and len(self.blank & {*self.ruleset.units[self.unit_truths[0].unit].cells}) == 1

    @property
    def in_second_unit(self) -> bool:
        """Whether the ways of a single truth and all removed candidates lie in a second unit."""
        return bool(self.unit_truths) and self.share_unit(cell for cell, _ in (*self.all_ways, *self.step.removed))

    def share_unit(self, cells: Iterable[int]) -> bool:
        wanted = set(cells)
        return any(wanted.issubset(unit.cells) for unit in self.ruleset.units)

    @property
    def is_grouped(self) -> bool:
        """Whether each truth has two ways, or two groups of ways, each the places of a digit in another unit."""
        units = self.ruleset.units
        for truth, ways in zip(self.step.truths, self.ways, strict=True):
            others = [unit for unit in units if isinstance(truth, UnitTruth) and unit != units[truth.unit]]
            groups = {frozenset(way for way in ways if way[0] in unit.cells) for unit in others}
            if len(ways) != 2 and not any(one | other == {*ways} for one, other in combinations(groups, 2)):
                return False
        return True

    @property
    def is_als_xz(self) -> bool:
        """Whether the cells are two sets that `_is_xz`."""
        sets = (some for size in range(1, len(self.cells)) for some in combinations(self.cells, size))
        return self.only_cells and any(self._is_xz(one, {*self.cells}.difference(one)) for one in sets)

    def _is_xz(self, *both: Collection[int]) -> bool:
        """Whether two sets of cells are each in one unit, with one digit more than cells, and share all removed digits
        and another one, whose cells are in one unit."""
        digits = [{digit for cell in cells for digit in self.candidates[cell]} for cells in both]
        shared, removed = set.intersection(*digits), {digit for _, digit in self.step.removed}
        places = ([cell for cell in self.cells if digit in self.candidates[cell]] for digit in shared - removed)
        locked = all(len(some) == len(cells) + 1 for some, cells in zip(digits, both, strict=True))
        return locked and removed <= shared and all(map(self.share_unit, both)) and any(map(self.share_unit, places))

    @property
    def is_sue_de_coq(self) -> bool:
        """Whether cells in two units have as many digits as cells, each digit with all of its cells in one unit."""
        cells = {digit: [cell for cell, other in self.all_ways if other == digit] for _, digit in self.all_ways}
        units = [{*self.cells}.intersection(unit.cells) for unit in self.ruleset.units]
        in_two = any(one | other == {*self.cells} for one, other in combinations(units, 2))
        return self.only_cells and len(cells) == self.size and in_two and all(map(self.share_unit, cells.values()))

    @property
    def is_w_wing(self) -> bool:
        pairs = {self.candidates[cell] for cell in self.cells}
        return len(self.cells) == 2 and len(self.unit_truths) == 1 and [*map(len, pairs)] == [2]


SHAPES: Mapping[str, Callable[[Pattern], bool]] = {
    "full house": lambda p: bool(p.step.placed) and p.is_last,
    "hidden single in a box": lambda p: bool(p.step.placed) and p.kind in ("box", "region"),
    "hidden single in a line": lambda p: bool(p.step.placed and p.in_lines),
    "hidden single in a rule": lambda p: bool(p.step.placed and p.unit_truths),
    "naked single": lambda p: bool(p.step.placed),
    "rule": lambda p: isinstance(p.first, RuleTruth),
    "unique rectangle": lambda p: isinstance(p.first, UniqueTruth) and len(p.first.pattern) == 8,
    "BUG+1": lambda p: isinstance(p.first, UniqueTruth),
    "pointing": lambda p: p.kind not in ("row", "column", "diagonal") and p.in_second_unit,
    "claiming": lambda p: p.in_second_unit,
    "innies and outies": lambda p: isinstance(p.first, HouseTruth),
    "naked subset": lambda p: p.only_cells and p.link_count == p.size and p.share_unit(p.cells),
    "hidden subset": lambda p: p.one_unit and p.link_count == p.size,
    "fish": lambda p: p.one_digit and bool(p.parallel) and p.link_count <= p.size,
    "finned fish": lambda p: p.one_digit and bool(p.parallel) and not p.two_ways_each and p.is_finned,
    "skyscraper": lambda p: p.one_digit and bool(p.parallel) and p.two_ways_each,
    "kite": lambda p: p.one_digit and len(p.in_lines) == 2 and p.two_ways_each,
    "X-chain": lambda p: p.one_digit and p.two_ways_each,
    "empty rectangle": lambda p: p.one_digit and p.in_lines == [2],
    "XY-Wing": lambda p: p.only_cells and p.two_ways_each and p.link_count == 3,
    "XYZ-Wing": lambda p: p.only_cells and sorted(map(len, p.ways)) == [2, 2, 3] and p.link_count == 3,
    "W-Wing": lambda p: p.is_w_wing,
    "XY-chain": lambda p: p.only_cells and p.two_ways_each,
    # truths about rules have no ways, so that they fit none of these
    "chain": lambda p: p.two_ways_each,
    "grouped chain": lambda p: p.is_grouped,
    "Sue de Coq": lambda p: p.is_sue_de_coq,
    "ALS-XZ": lambda p: p.is_als_xz,
}
"""The shapes of steps, by which techniques are told apart; the first technique that fits names a step."""


class Technique(NamedTuple):
    """`size` is the number of truths of the step, `shape` a name in `SHAPES`, and `summary` says what it looks like."""

    name: str
    size: int
    shape: str
    summary: str


_FAMILIES = (
    ("full house", "1", "full house", "the last cell of a unit"),
    ("hidden single in a box", "1", "hidden single in a box", "a digit has one place left in a box"),
    ("hidden single in a line", "1", "hidden single in a line", "a digit has one place left in a row or column"),
    ("hidden single in a rule", "1", "hidden single in a rule", "a digit has one place left in a cage or a line"),
    ("naked single", "1", "naked single", "a cell has one digit left"),
    ("rule", "1", "rule", "a cage, a line or another rule alone rules digits out"),
    ("pointing", "1", "pointing", "the places of a digit in a box are in one line: no other place there"),
    ("claiming", "1", "claiming", "the places of a digit in a line are in one box: no other place there"),
    ("unique rectangle", "1", "unique rectangle", "else two digits could change places in four cells of two boxes"),
    ("BUG+1", "1", "BUG+1", "else all open cells had two digits, and all could change"),
    ("innies and outies of {}", "23456", "innies and outies", "a house and cages leave a sum for few cells"),
    ("naked pair", "2", "naked subset", "two cells of a unit have two digits"),
    ("naked triple", "3", "naked subset", "three cells of a unit have three digits"),
    ("naked quad", "4", "naked subset", "four cells of a unit have four digits"),
    ("X-Wing", "2", "fish", "the places of a digit in two lines are in two crossing lines"),
    ("swordfish", "3", "fish", "the places of a digit in three lines are in three crossing lines"),
    ("jellyfish", "4", "fish", "the places of a digit in four lines are in four crossing lines"),
    ("hidden pair", "2", "hidden subset", "two digits have two cells in a unit"),
    ("hidden triple", "3", "hidden subset", "three digits have three cells in a unit"),
    ("hidden quad", "4", "hidden subset", "four digits have four cells in a unit"),
    ("skyscraper", "2", "skyscraper", "two parallel lines with two places for a digit each"),
    ("two-string kite", "2", "kite", "a row and a column with two places for a digit each"),
    ("turbot fish", "2", "X-chain", "two units with two places for a digit each"),
    ("empty rectangle", "2", "empty rectangle", "a box, and a line with two places for a digit"),
    ("finned X-Wing", "2", "finned fish", "an X-Wing but for a few places in one box"),
    ("XY-Wing", "3", "XY-Wing", "three cells with two of three digits each"),
    ("XYZ-Wing", "3", "XYZ-Wing", "a cell with three digits, and two with two of them"),
    ("W-Wing", "3", "W-Wing", "two cells with the same two digits, and a unit with places for one of them"),
    ("finned swordfish", "3", "finned fish", "a swordfish but for a few places in one box"),
    ("X-chain of {}", "3456", "X-chain", "units with two places for a digit"),
    ("XY-chain of {}", "456", "XY-chain", "cells with two digits each"),
    ("chain of {}", "3456", "chain", "truths with two candidates each"),
    ("grouped chain of {}", "23456", "grouped chain", "a chain with places of a digit in two units for two candidates"),
    ("Sue de Coq of {}", "456", "Sue de Coq", "cells of a box and a line have as many digits, each in one unit"),
    ("ALS-XZ of {}", "3456", "ALS-XZ", "two sets of cells, each in a unit and with one digit more than cells"),
)

TECHNIQUES: Mapping[str, Technique] = {
    name.format(size): Technique(name.format(size), int(size), shape, summary)
    for size in "123456"
    for name, sizes, shape, summary in _FAMILIES
    if size in sizes
}
"""Every technique, easiest first; help and ratings follow from it."""
UNIQUENESS = ("unique rectangle", "BUG+1")
"""Techniques that assume that there is only one solution."""
SPLITS = ("", "case split", "nested case split")
"""The names of steps by the depth of nested cases; steps without a case are named by techniques."""
SINGLES = tuple(TECHNIQUES)[:5]
"""The techniques that place a digit."""


def name_of(ruleset: Ruleset, candidates: Candidates, step: Inference, blank: Set[int] = frozenset()) -> str:
    """The name of a step, empty if no technique fits. `blank` are the cells without a digit yet."""
    if step.case or not (step.removed or step.placed):
        return SPLITS[min(step.depth, 2)]
    pattern = Pattern(ruleset, candidates, step, blank)
    cells, digits = ({way[part] for way in pattern.all_ways if part or not pattern.one_digit} for part in (0, 1))
    # a removed candidate that only a rule links to the pattern, such as a whisper
    is_linked = not step.placed and any(cell not in cells and digit not in digits for cell, digit in step.removed)
    fitting = (row.name for row in TECHNIQUES.values() if row.size == step.size and SHAPES[row.shape](pattern))
    return "" if pattern.all_ways and is_linked else next(fitting, "")


def hardness(step: Inference) -> tuple[int, int, int]:
    """The key that orders steps, easiest first: the depth of nested cases, the number of truths, and the technique's
    place in the table. A step without a name comes after the named ones of its size."""
    return step.depth, step.size, [*TECHNIQUES, step.name].index(step.name)
