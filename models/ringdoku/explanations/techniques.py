"""Named techniques: each is the name of a kind of small truth set. The first row that fits names a step."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ringdoku.domain.numbers import counted
from ringdoku.domain.ruleset import Ruleset
from ringdoku.explanations.field import is_line
from ringdoku.explanations.inferences import (
    Candidate,
    Candidates,
    CellTruth,
    HouseTruth,
    Inference,
    RuleTruth,
    Truth,
    UnitTruth,
)


class Pattern:
    """What techniques look at: the truths of a step, and the candidates that satisfy each of them."""

    def __init__(self, ruleset: Ruleset, candidates: Candidates, step: Inference) -> None:
        self.ruleset = ruleset
        self.candidates = candidates
        self.step = step
        self.truths = step.truths

    def ways(self, truth: Truth) -> tuple[Candidate, ...]:
        """The candidates that satisfy a truth of a cell or a unit."""
        match truth:
            case CellTruth(cell):
                return tuple((cell, digit) for digit in sorted(self.candidates[cell]))
            case UnitTruth(unit, digit):
                cells = self.ruleset.units[unit].cells
                return tuple((cell, digit) for cell in cells if digit in self.candidates[cell])
        return ()

    @cached_property
    def cells(self) -> tuple[int, ...]:
        """The cells of the cell truths."""
        return tuple(truth.cell for truth in self.truths if isinstance(truth, CellTruth))

    @cached_property
    def places(self) -> tuple[UnitTruth, ...]:
        """The unit truths."""
        return tuple(truth for truth in self.truths if isinstance(truth, UnitTruth))

    def unit_name(self, truth: UnitTruth) -> str:
        return self.ruleset.units[truth.unit].name

    @cached_property
    def all_cells(self) -> bool:
        return len(self.cells) == len(self.truths)

    @cached_property
    def one_digit(self) -> bool:
        """Whether all truths are about the places of one digit."""
        return len(self.places) == len(self.truths) and len({truth.digit for truth in self.places}) == 1

    @cached_property
    def one_unit(self) -> bool:
        """Whether all truths are about the places of digits in one unit."""
        return len(self.places) == len(self.truths) and len({truth.unit for truth in self.places}) == 1

    @cached_property
    def parallel(self) -> str:
        """`row` or `column` where all truths are about such lines, else nothing."""
        kinds = {self.unit_name(truth).partition(" ")[0] for truth in self.places}
        return kinds.pop() if len(kinds) == 1 and kinds <= {"row", "column"} else ""

    @cached_property
    def lines(self) -> int:
        """How many truths are about rows and columns."""
        return sum(is_line(self.unit_name(truth)) for truth in self.places)

    @cached_property
    def covers(self) -> int:
        """In how many links the candidates of subsets and fish lie: digits of cells, cells of digits, or lines."""
        ways = [way for truth in self.truths for way in self.ways(truth)]
        if self.all_cells:
            return len({digit for _, digit in ways})
        if self.one_unit:
            return len({cell for cell, _ in ways})
        columns = self.ruleset.board.columns
        return len({cell % columns if self.parallel == "row" else cell // columns for cell, _ in ways})

    @cached_property
    def pairs(self) -> bool:
        """Whether every truth has two candidates."""
        return all(len(self.ways(truth)) == 2 for truth in self.truths)

    def share_unit(self, cells: Sequence[int]) -> bool:
        return any(set(cells) <= set(unit.cells) for unit in self.ruleset.units)

    @cached_property
    def removed_in_unit(self) -> bool:
        """Whether the places of the one truth and all that is removed lie in a second unit."""
        (truth,) = self.truths
        cells = {cell for cell, _ in (*self.ways(truth), *self.step.removed)}
        return any(cells <= set(unit.cells) for unit in self.ruleset.units)


@dataclass(frozen=True)
class Technique:
    """A name, how many truths the step has, what they look like, and the technique in a sentence."""

    name: str
    size: int
    fits: Callable[[Pattern], bool]
    summary: str


def _full_house(pattern: Pattern) -> bool:
    (truth,), step = pattern.truths, pattern.step
    if not isinstance(truth, CellTruth) or not step.placed:
        return False
    others = (unit.cells for unit in pattern.ruleset.units if truth.cell in unit.cells)
    return any(all(len(pattern.candidates[cell]) == 1 for cell in cells) for cells in others)


def _hidden_single(line: bool) -> Callable[[Pattern], bool]:
    return lambda pattern: bool(pattern.step.placed and pattern.places) and pattern.lines == line


def _subset(size: int, hidden: bool) -> Callable[[Pattern], bool]:
    def fits(pattern: Pattern) -> bool:
        if hidden:
            return pattern.one_unit and pattern.covers == size
        return pattern.all_cells and pattern.covers == size and pattern.share_unit(pattern.cells)

    return fits


def _fish(size: int, finned: bool) -> Callable[[Pattern], bool]:
    def fits(pattern: Pattern) -> bool:
        return pattern.one_digit and bool(pattern.parallel) and (pattern.covers > size) == finned

    return fits


def _skyscraper(pattern: Pattern) -> bool:
    return pattern.one_digit and bool(pattern.parallel) and pattern.pairs


def _kite(pattern: Pattern) -> bool:
    return pattern.one_digit and pattern.lines == 2 and not pattern.parallel and pattern.pairs


def _turbot(pattern: Pattern) -> bool:
    return pattern.one_digit and pattern.pairs


def _empty_rectangle(pattern: Pattern) -> bool:
    if not pattern.one_digit or pattern.lines != 1:
        return False
    return all(len(pattern.ways(truth)) == 2 for truth in pattern.places if is_line(pattern.unit_name(truth)))


def _xy_wing(pattern: Pattern) -> bool:
    return pattern.all_cells and pattern.pairs and pattern.covers == 3


def _xyz_wing(pattern: Pattern) -> bool:
    sizes = sorted(len(pattern.ways(truth)) for truth in pattern.truths)
    return pattern.all_cells and sizes == [2, 2, 3] and pattern.covers == 3


def _w_wing(pattern: Pattern) -> bool:
    if len(pattern.cells) != 2 or len(pattern.places) != 1:
        return False
    one, other = (pattern.candidates[cell] for cell in pattern.cells)
    return one == other and len(one) == 2 and pattern.places[0].digit in one


def _chain(pattern: Pattern) -> bool:
    return pattern.pairs and not any(isinstance(truth, (RuleTruth, HouseTruth)) for truth in pattern.truths)


def _house_sum(size: int) -> Technique:
    cages = counted(size - 1, "cage")
    return Technique(
        f"innies and outies of {size}",
        size,
        lambda pattern: isinstance(pattern.truths[0], HouseTruth),
        f"the sums of a house and of {cages} leave a sum for few cells",
    )


TECHNIQUES: Mapping[str, Technique] = {
    row.name: row
    for row in (
        Technique("full house", 1, _full_house, "the last cell of a unit"),
        Technique("hidden single in a box", 1, _hidden_single(False), "a digit has one place left in a box"),
        Technique("hidden single in a line", 1, _hidden_single(True), "a digit has one place left in a row or column"),
        Technique("naked single", 1, lambda pattern: bool(pattern.step.placed), "a cell has one digit left"),
        Technique(
            "rule",
            1,
            lambda pattern: isinstance(pattern.truths[0], RuleTruth),
            "a cage, a line or another rule alone rules digits out",
        ),
        Technique(
            "pointing",
            1,
            lambda pattern: bool(pattern.places) and not pattern.lines and pattern.removed_in_unit,
            "the places of a digit in a box are in one line: no other place there",
        ),
        Technique(
            "claiming",
            1,
            lambda pattern: pattern.lines == 1 and pattern.removed_in_unit,
            "the places of a digit in a line are in one box: no other place there",
        ),
        _house_sum(2),
        Technique("naked pair", 2, _subset(2, False), "two cells of a unit have two digits"),
        Technique("X-Wing", 2, _fish(2, False), "the places of a digit in two lines are in two crossing lines"),
        Technique("hidden pair", 2, _subset(2, True), "two digits have two cells in a unit"),
        Technique("skyscraper", 2, _skyscraper, "two parallel lines with two places for a digit each"),
        Technique("two-string kite", 2, _kite, "a row and a column with two places for a digit each"),
        Technique("turbot fish", 2, _turbot, "two units with two places for a digit each"),
        Technique("empty rectangle", 2, _empty_rectangle, "a box, and a line with two places for a digit"),
        Technique("finned X-Wing", 2, _fish(2, True), "an X-Wing but for a few places in one box"),
        _house_sum(3),
        Technique("naked triple", 3, _subset(3, False), "three cells of a unit have three digits"),
        Technique("swordfish", 3, _fish(3, False), "the places of a digit in three lines are in three crossing lines"),
        Technique("hidden triple", 3, _subset(3, True), "three digits have three cells in a unit"),
        Technique("XY-Wing", 3, _xy_wing, "three cells with two of three digits each"),
        Technique("XYZ-Wing", 3, _xyz_wing, "a cell with three digits, and two with two of them"),
        Technique("W-Wing", 3, _w_wing, "two cells with the same two digits, and a unit with places for one of them"),
        Technique(
            "finned swordfish",
            3,
            lambda pattern: _fish(3, True)(pattern) and not pattern.pairs,
            "a swordfish but for a few places in one box",
        ),
        Technique(
            "X-chain of 3", 3, lambda pattern: pattern.one_digit and pattern.pairs, "units with two places for a digit"
        ),
        Technique("chain of 3", 3, _chain, "three truths with two candidates each"),
        _house_sum(4),
        Technique("naked quad", 4, _subset(4, False), "four cells of a unit have four digits"),
        Technique("jellyfish", 4, _fish(4, False), "the places of a digit in four lines are in four crossing lines"),
        Technique("hidden quad", 4, _subset(4, True), "four digits have four cells in a unit"),
        Technique(
            "X-chain of 4", 4, lambda pattern: pattern.one_digit and pattern.pairs, "units with two places for a digit"
        ),
        Technique(
            "XY-chain of 4", 4, lambda pattern: pattern.all_cells and pattern.pairs, "cells with two digits each"
        ),
        Technique("chain of 4", 4, _chain, "four truths with two candidates each"),
        _house_sum(5),
        Technique("chain of 5", 5, _chain, "five truths with two candidates each"),
        _house_sum(6),
        Technique("chain of 6", 6, _chain, "six truths with two candidates each"),
    )
}
"""Every technique, easiest first; help and ratings follow from it."""

SINGLES = 4
"""So many techniques at the beginning of the table place a digit."""

_ORDER = {name: place for place, name in enumerate(TECHNIQUES)}


def name_of(ruleset: Ruleset, candidates: Candidates, step: Inference) -> str:
    """The name of a step; empty where no technique fits."""
    if step.cases or not (step.removed or step.placed):
        return ""
    pattern = Pattern(ruleset, candidates, step)
    return next((row.name for row in TECHNIQUES.values() if row.size == step.size and row.fits(pattern)), "")


def hardness(step: Inference) -> tuple[int, int]:
    """By which steps are ordered, easiest first: truths, then the place of the technique in the table; a step without
    a name comes after the named ones of its size, and a case split after all."""
    if step.cases:
        return CASES, len(TECHNIQUES)
    return step.size, _ORDER.get(step.name, len(TECHNIQUES))


CASES = 99
"""What `hardness` has for the truths of a case split, which have no useful number."""
