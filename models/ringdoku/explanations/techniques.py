"""Named techniques: each is the name of a kind of small truth set. The first row that fits names a step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from ringdoku.domain.numbers import counted
from ringdoku.domain.ruleset import Ruleset
from ringdoku.explanations.graph import is_line
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

    def share_unit(self, cells: Iterable[int]) -> bool:
        wanted = set(cells)
        return any(wanted <= set(unit.cells) for unit in self.ruleset.units)

    # what techniques are

    def full_house(self) -> bool:
        (truth,) = self.truths
        if not isinstance(truth, CellTruth) or not self.step.placed:
            return False
        others = (unit.cells for unit in self.ruleset.units if truth.cell in unit.cells)
        return any(all(len(self.candidates[cell]) == 1 for cell in cells) for cells in others)

    def hidden_single_in_a_box(self) -> bool:
        return bool(self.step.placed and self.places) and not self.lines

    def hidden_single_in_a_line(self) -> bool:
        return bool(self.step.placed and self.places) and self.lines == 1

    def naked_single(self) -> bool:
        return bool(self.step.placed)

    def rule(self) -> bool:
        return isinstance(self.truths[0], RuleTruth)

    def pointing(self) -> bool:
        return bool(self.places) and not self.lines and self._in_second_unit()

    def claiming(self) -> bool:
        return self.lines == 1 and self._in_second_unit()

    def _in_second_unit(self) -> bool:
        """Whether the places of the one truth and all that is removed lie in a second unit."""
        (truth,) = self.truths
        return self.share_unit(cell for cell, _ in (*self.ways(truth), *self.step.removed))

    def innies_and_outies(self) -> bool:
        return isinstance(self.truths[0], HouseTruth)

    def naked_subset(self) -> bool:
        return self.all_cells and self.covers == self.step.size and self.share_unit(self.cells)

    def hidden_subset(self) -> bool:
        return self.one_unit and self.covers == self.step.size

    def fish(self) -> bool:
        return self.one_digit and bool(self.parallel) and self.covers <= self.step.size

    def finned_fish(self) -> bool:
        return self.one_digit and bool(self.parallel) and self.covers > self.step.size

    def finned_swordfish(self) -> bool:
        return self.finned_fish() and not self.pairs

    def x_chain(self) -> bool:
        return self.one_digit and self.pairs

    def skyscraper(self) -> bool:
        return self.x_chain() and bool(self.parallel)

    def kite(self) -> bool:
        return self.x_chain() and self.lines == 2 and not self.parallel

    def empty_rectangle(self) -> bool:
        if not self.one_digit or self.lines != 1:
            return False
        return all(len(self.ways(truth)) == 2 for truth in self.places if is_line(self.unit_name(truth)))

    def xy_wing(self) -> bool:
        return self.xy_chain() and self.covers == 3

    def xyz_wing(self) -> bool:
        sizes = sorted(len(self.ways(truth)) for truth in self.truths)
        return self.all_cells and sizes == [2, 2, 3] and self.covers == 3

    def w_wing(self) -> bool:
        if len(self.cells) != 2 or len(self.places) != 1:
            return False
        one, other = (self.candidates[cell] for cell in self.cells)
        return one == other and len(one) == 2 and self.places[0].digit in one

    def xy_chain(self) -> bool:
        return self.all_cells and self.pairs

    def chain(self) -> bool:
        return self.pairs and not any(isinstance(truth, (RuleTruth, HouseTruth)) for truth in self.truths)


@dataclass(frozen=True)
class Technique:
    """A name, how many truths the step has, what they look like, and the technique in a sentence."""

    name: str
    size: int
    fits: Callable[[Pattern], bool]
    summary: str


def _house_sum(size: int) -> tuple[str, int, Callable[[Pattern], bool], str]:
    sums = f"the sums of a house and of {counted(size - 1, 'cage')} leave a sum for few cells"
    return f"innies and outies of {size}", size, Pattern.innies_and_outies, sums


TECHNIQUES: Mapping[str, Technique] = {
    row[0]: Technique(*row)
    for row in (
        ("full house", 1, Pattern.full_house, "the last cell of a unit"),
        ("hidden single in a box", 1, Pattern.hidden_single_in_a_box, "a digit has one place left in a box"),
        (
            "hidden single in a line",
            1,
            Pattern.hidden_single_in_a_line,
            "a digit has one place left in a row or column",
        ),
        ("naked single", 1, Pattern.naked_single, "a cell has one digit left"),
        ("rule", 1, Pattern.rule, "a cage, a line or another rule alone rules digits out"),
        ("pointing", 1, Pattern.pointing, "the places of a digit in a box are in one line: no other place there"),
        ("claiming", 1, Pattern.claiming, "the places of a digit in a line are in one box: no other place there"),
        _house_sum(2),
        ("naked pair", 2, Pattern.naked_subset, "two cells of a unit have two digits"),
        ("X-Wing", 2, Pattern.fish, "the places of a digit in two lines are in two crossing lines"),
        ("hidden pair", 2, Pattern.hidden_subset, "two digits have two cells in a unit"),
        ("skyscraper", 2, Pattern.skyscraper, "two parallel lines with two places for a digit each"),
        ("two-string kite", 2, Pattern.kite, "a row and a column with two places for a digit each"),
        ("turbot fish", 2, Pattern.x_chain, "two units with two places for a digit each"),
        ("empty rectangle", 2, Pattern.empty_rectangle, "a box, and a line with two places for a digit"),
        ("finned X-Wing", 2, Pattern.finned_fish, "an X-Wing but for a few places in one box"),
        _house_sum(3),
        ("naked triple", 3, Pattern.naked_subset, "three cells of a unit have three digits"),
        ("swordfish", 3, Pattern.fish, "the places of a digit in three lines are in three crossing lines"),
        ("hidden triple", 3, Pattern.hidden_subset, "three digits have three cells in a unit"),
        ("XY-Wing", 3, Pattern.xy_wing, "three cells with two of three digits each"),
        ("XYZ-Wing", 3, Pattern.xyz_wing, "a cell with three digits, and two with two of them"),
        ("W-Wing", 3, Pattern.w_wing, "two cells with the same two digits, and a unit with places for one of them"),
        ("finned swordfish", 3, Pattern.finned_swordfish, "a swordfish but for a few places in one box"),
        ("X-chain of 3", 3, Pattern.x_chain, "units with two places for a digit"),
        ("chain of 3", 3, Pattern.chain, "three truths with two candidates each"),
        _house_sum(4),
        ("naked quad", 4, Pattern.naked_subset, "four cells of a unit have four digits"),
        ("jellyfish", 4, Pattern.fish, "the places of a digit in four lines are in four crossing lines"),
        ("hidden quad", 4, Pattern.hidden_subset, "four digits have four cells in a unit"),
        ("X-chain of 4", 4, Pattern.x_chain, "units with two places for a digit"),
        ("XY-chain of 4", 4, Pattern.xy_chain, "cells with two digits each"),
        ("chain of 4", 4, Pattern.chain, "four truths with two candidates each"),
        _house_sum(5),
        ("chain of 5", 5, Pattern.chain, "five truths with two candidates each"),
        _house_sum(6),
        ("chain of 6", 6, Pattern.chain, "six truths with two candidates each"),
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
