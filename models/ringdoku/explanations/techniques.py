"""Named techniques: each is the name of a kind of small truth set. The first row that fits names a step."""

from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from typing import NamedTuple

from ringdoku.domain import House, Ruleset
from ringdoku.explanations.inferences import Candidates, CellTruth, HouseTruth, Inference, RuleTruth, UnitTruth, ways_of


class Pattern:
    """What techniques look at: the truths of a step, and in `ways` the candidates that satisfy each of them. `in_lines`
    is how many ways truths about rows and columns have, and `parallel` is `row` or `column` where all truths are about
    such lines."""

    def __init__(self, ruleset: Ruleset, candidates: Candidates, step: Inference) -> None:
        self.ruleset, self.candidates, self.step, self.size = ruleset, candidates, step, step.size
        self.first = step.truths[0]
        self.ways = [ways_of(truth, ruleset, candidates) for truth in step.truths]
        self.all_ways = list(chain.from_iterable(self.ways))
        self.pairs = all(len(ways) == 2 for ways in self.ways)
        self.cells = [truth.cell for truth in step.truths if isinstance(truth, CellTruth)]
        self.places = [truth for truth in step.truths if isinstance(truth, UnitTruth)]
        self.all_cells, all_places = (len(each) == self.size for each in (self.cells, self.places))
        self.one_digit = all_places and len({truth.digit for truth in self.places}) == 1
        self.one_unit = all_places and len({truth.unit for truth in self.places}) == 1
        kinds = [ruleset.units[truth.unit].name.partition(" ")[0] for truth in self.places]
        lines = [truth for truth, kind in zip(self.places, kinds, strict=True) if kind in ("row", "column")]
        self.in_lines = [len(ways_of(truth, ruleset, candidates)) for truth in lines]
        self.parallel = kinds[0] if lines == self.places and len(set(kinds)) == 1 else ""

    @property
    def covers(self) -> int:
        """In how many links the candidates of subsets and fish lie: digits of cells, cells of digits, or lines."""
        if self.all_cells:
            return len({digit for _, digit in self.all_ways})
        if self.one_unit:
            return len({cell for cell, _ in self.all_ways})
        columns = self.ruleset.board.columns
        return len({cell % columns if self.parallel == "row" else cell // columns for cell, _ in self.all_ways})

    @property
    def full(self) -> list[House]:
        """The units of which the cell is the last one."""
        units = (unit for unit in self.ruleset.units if self.cells[0] in unit.cells)
        return [unit for unit in units if all(len(self.candidates[cell]) == 1 for cell in unit.cells)]

    @property
    def in_second_unit(self) -> bool:
        """Whether the places of the one truth and all that is removed lie in a second unit."""
        return bool(self.places) and self.share_unit(cell for cell, _ in (*self.all_ways, *self.step.removed))

    def share_unit(self, cells: Iterable[int]) -> bool:
        wanted = set(cells)
        return any(wanted.issubset(unit.cells) for unit in self.ruleset.units)

    @property
    def is_w_wing(self) -> bool:
        if len(self.cells) != 2 or len(self.places) != 1:
            return False
        one, other = (self.candidates[cell] for cell in self.cells)
        return one == other and len(one) == 2 and self.places[0].digit in one


SHAPES: Mapping[str, Callable[[Pattern], bool]] = {
    "full house": lambda step: bool(step.step.placed and step.cells and step.full),
    "hidden single in a box": lambda step: bool(step.step.placed and step.places) and not step.in_lines,
    "hidden single in a line": lambda step: bool(step.step.placed and step.in_lines),
    "naked single": lambda step: bool(step.step.placed),
    "rule": lambda step: isinstance(step.first, RuleTruth),
    "pointing": lambda step: not step.in_lines and step.in_second_unit,
    "claiming": lambda step: bool(step.in_lines) and step.in_second_unit,
    "innies and outies": lambda step: isinstance(step.first, HouseTruth),
    "naked subset": lambda step: step.all_cells and step.covers == step.size and step.share_unit(step.cells),
    "hidden subset": lambda step: step.one_unit and step.covers == step.size,
    "fish": lambda step: step.one_digit and bool(step.parallel) and step.covers <= step.size,
    "finned fish": lambda step: step.one_digit and bool(step.parallel) and not step.pairs,
    "skyscraper": lambda step: step.one_digit and bool(step.parallel) and step.pairs,
    "kite": lambda step: step.one_digit and len(step.in_lines) == 2 and step.pairs,
    "X-chain": lambda step: step.one_digit and step.pairs,
    "empty rectangle": lambda step: step.one_digit and step.in_lines == [2],
    "XY-Wing": lambda step: step.all_cells and step.pairs and step.covers == 3,
    "XYZ-Wing": lambda step: step.all_cells and sorted(map(len, step.ways)) == [2, 2, 3] and step.covers == 3,
    "W-Wing": lambda step: step.is_w_wing,
    "XY-chain": lambda step: step.all_cells and step.pairs,
    # other truths have no ways
    "chain": lambda step: step.pairs,
}
"""What the truths of a step look like."""


class Technique(NamedTuple):
    """`size` is how many truths the step has, `shape` which of `SHAPES` they have, `summary` a sentence."""

    name: str
    size: int
    shape: str
    summary: str


_SUMS = "the sums of a house and of {} leave a sum for few cells"

TECHNIQUES: Mapping[str, Technique] = {
    row[0]: Technique(*row)
    for row in (
        ("full house", 1, "full house", "the last cell of a unit"),
        ("hidden single in a box", 1, "hidden single in a box", "a digit has one place left in a box"),
        ("hidden single in a line", 1, "hidden single in a line", "a digit has one place left in a row or column"),
        ("naked single", 1, "naked single", "a cell has one digit left"),
        ("rule", 1, "rule", "a cage, a line or another rule alone rules digits out"),
        ("pointing", 1, "pointing", "the places of a digit in a box are in one line: no other place there"),
        ("claiming", 1, "claiming", "the places of a digit in a line are in one box: no other place there"),
        ("innies and outies of 2", 2, "innies and outies", _SUMS.format("1 cage")),
        ("naked pair", 2, "naked subset", "two cells of a unit have two digits"),
        ("X-Wing", 2, "fish", "the places of a digit in two lines are in two crossing lines"),
        ("hidden pair", 2, "hidden subset", "two digits have two cells in a unit"),
        ("skyscraper", 2, "skyscraper", "two parallel lines with two places for a digit each"),
        ("two-string kite", 2, "kite", "a row and a column with two places for a digit each"),
        ("turbot fish", 2, "X-chain", "two units with two places for a digit each"),
        ("empty rectangle", 2, "empty rectangle", "a box, and a line with two places for a digit"),
        ("finned X-Wing", 2, "finned fish", "an X-Wing but for a few places in one box"),
        ("innies and outies of 3", 3, "innies and outies", _SUMS.format("2 cages")),
        ("naked triple", 3, "naked subset", "three cells of a unit have three digits"),
        ("swordfish", 3, "fish", "the places of a digit in three lines are in three crossing lines"),
        ("hidden triple", 3, "hidden subset", "three digits have three cells in a unit"),
        ("XY-Wing", 3, "XY-Wing", "three cells with two of three digits each"),
        ("XYZ-Wing", 3, "XYZ-Wing", "a cell with three digits, and two with two of them"),
        ("W-Wing", 3, "W-Wing", "two cells with the same two digits, and a unit with places for one of them"),
        ("finned swordfish", 3, "finned fish", "a swordfish but for a few places in one box"),
        ("X-chain of 3", 3, "X-chain", "units with two places for a digit"),
        ("chain of 3", 3, "chain", "three truths with two candidates each"),
        ("innies and outies of 4", 4, "innies and outies", _SUMS.format("3 cages")),
        ("naked quad", 4, "naked subset", "four cells of a unit have four digits"),
        ("jellyfish", 4, "fish", "the places of a digit in four lines are in four crossing lines"),
        ("hidden quad", 4, "hidden subset", "four digits have four cells in a unit"),
        ("X-chain of 4", 4, "X-chain", "units with two places for a digit"),
        ("XY-chain of 4", 4, "XY-chain", "cells with two digits each"),
        ("chain of 4", 4, "chain", "four truths with two candidates each"),
        ("innies and outies of 5", 5, "innies and outies", _SUMS.format("4 cages")),
        ("chain of 5", 5, "chain", "five truths with two candidates each"),
        ("innies and outies of 6", 6, "innies and outies", _SUMS.format("5 cages")),
        ("chain of 6", 6, "chain", "six truths with two candidates each"),
    )
}
"""Every technique, easiest first; help and ratings follow from it."""

SINGLES = 4
"""So many techniques at the beginning of the table place a digit."""


def name_of(ruleset: Ruleset, candidates: Candidates, step: Inference) -> str:
    """The name of a step; empty where no technique fits."""
    if step.cases or not (step.removed or step.placed):
        return ""
    pattern = Pattern(ruleset, candidates, step)
    return next((row.name for row in TECHNIQUES.values() if row.size == step.size and SHAPES[row.shape](pattern)), "")


def hardness(step: Inference) -> tuple[int, int, int]:
    """By which steps are ordered, easiest first: how deep cases lie in cases, truths, then the place of the technique
    in the table; a step without a name comes after the named ones of its size."""
    return step.depth, step.size, [*TECHNIQUES, step.name].index(step.name)
