"""Puzzles from a seed: random solutions, of which random clues are kept, or as few as make the solution unique.

Equal arguments give equal puzzles with the same versions of Python and the solver. The solutions are not a uniform
sample: a solver completes random diagonal boxes, and a random symmetry is applied to hide the solver's preferences.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from ringdoku.domain.errors import RingdokuError, UsageError
from ringdoku.domain.grid import Grid
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.ruleset import Ruleset, classic
from ringdoku.services.removing import needed
from ringdoku.services.session import Session

if TYPE_CHECKING:
    from ringdoku.solvers.rules_solver import RulesSolver

MAX_COUNT = 1_000_000
BACKEND = "minisat22"
"""Not `auto`, since its meaning may change, and with it the puzzles."""

COMPLETED_ORDER = 36
"""Up to this order a solver completes random boxes. Larger solutions are a shuffled pattern with traded digits."""


@dataclass(frozen=True)
class Recipe:
    """`count` puzzles of one ruleset. The number of clues is drawn from `least`..`most`, or the clues are minimal.

    A minimal puzzle has one solution, but several if any clue is removed.
    """

    count: int
    ruleset: Ruleset
    least: int = 0
    most: int = 0
    minimal: bool = False

    @staticmethod
    def parse(text: str) -> Recipe:
        """`N:clues=17..30,order=9,box=3x3`: clues also a single number or `minimal`. Raises `UsageError`."""
        expected = f"a recipe is COUNT:clues=17..30,order=9 or COUNT:clues=minimal, not {text!r}"
        head, _, tail = text.partition(":")
        settings = dict(part.split("=", 1) for part in tail.split(",") if "=" in part)
        if (
            not re.fullmatch(r"[0-9]{1,7}", head)
            or len(settings) != (tail.count(",") + 1 if tail else 0)
            or set(settings) - {"clues", "order", "box"}
        ):
            raise UsageError(expected)
        clues = settings.get("clues", "24..30")
        span = re.fullmatch(r"([0-9]{1,7})(?:\.\.([0-9]{1,7}))?", clues)
        order = re.fullmatch(r"[0-9]{1,4}", settings.get("order", "9"))
        box = re.fullmatch(r"([0-9]{1,4})x([0-9]{1,4})", settings["box"]) if "box" in settings else None
        if (span is None and clues != "minimal") or order is None or ("box" in settings and box is None):
            raise UsageError(expected)
        ruleset = classic(int(order[0]), (int(box[1]), int(box[2])) if box else None)
        least = int(span[1]) if span else 0
        most = int(span[2] or span[1]) if span else 0
        if not 1 <= int(head) <= MAX_COUNT or not 0 <= least <= most <= ruleset.board.cell_count:
            raise UsageError(f"{expected}; counts from 1 to {MAX_COUNT}, clues from 0 to {ruleset.board.cell_count}")
        return Recipe(int(head), ruleset, least, most, clues == "minimal")


def generate(recipe: Recipe, seed: int = 0) -> Iterator[Puzzle]:
    """The puzzles of a recipe, each with a solution; the first ones are the same for any count."""
    from ringdoku.solvers.rules_solver import RulesSolver  # loads NumPy and PySAT

    session, live = Session(BACKEND), RulesSolver(recipe.ruleset) if recipe.minimal else None
    for number in range(recipe.count):
        random = Random(f"{seed} {number}")
        solution = random_solution(recipe.ruleset, random, session)
        if live:
            yield minimal_puzzle(live, solution, random)
        else:
            yield keep_clues(recipe.ruleset, solution, random.randint(recipe.least, recipe.most), random)


def random_solution(ruleset: Ruleset, random: Random, session: Session | None = None) -> Grid:
    """A full grid that breaks no rule."""
    if ruleset.order > COMPLETED_ORDER:
        return shuffled(ruleset, traded(ruleset, pattern_solution(ruleset), random), random)
    height, width = ruleset.require_classic("the generator")
    digits = list(Grid.blank(ruleset.order).digits)
    # boxes that share neither rows nor columns, without the last: on 4x4 two opposite boxes can contradict each other
    for place in range(max(1, min(height, width) - 1)):
        box = ruleset.houses[2 * ruleset.order + place * height + place]
        for cell, digit in zip(box.cells, _permutation(ruleset.order, random), strict=True):
            digits[cell] = digit
    found = (session or Session(BACKEND)).solve(Puzzle(ruleset, Grid(tuple(digits)))).grid
    if found is None:
        raise RingdokuError(f"no solution of {ruleset} was found")
    return shuffled(ruleset, found, random)


def pattern_solution(ruleset: Ruleset) -> Grid:
    """Each row is the one before, shifted by a box width, and by one more in each band: a solution of any classic
    ruleset."""
    n, (height, width) = ruleset.order, ruleset.require_classic("a pattern grid")
    return Grid(tuple((r % height * width + r // height + c) % n + 1 for r in range(n) for c in range(n)))


def traded(ruleset: Ruleset, solution: Grid, random: Random) -> Grid:
    """The solution after two rows of each band traded their digits in some columns, as few as leave all rows whole."""
    rows = [list(row) for row in solution.rows]
    height, _ = ruleset.require_classic("trading digits")
    # a band of one row has nobody to trade with
    for band in range(0, ruleset.order, height) if height > 1 else ():
        one, other = random.sample(rows[band : band + height], 2)
        columns = [random.randrange(ruleset.order)]
        while (column := one.index(other[columns[-1]])) != columns[0]:
            columns.append(column)
        for column in columns:
            one[column], other[column] = other[column], one[column]
    return Grid.of_rows(rows)


def shuffled(ruleset: Ruleset, solution: Grid, random: Random) -> Grid:
    """The solution with digits renamed, bands, stacks, and the rows and columns in them permuted."""
    n = ruleset.order
    names = _permutation(n, random)
    height, width = ruleset.require_classic("shuffling")
    rows = _lines(n, height, random)
    columns = _lines(n, width, random)
    return Grid(tuple(names[solution.digits[row * n + column] - 1] for row in rows for column in columns))


def keep_clues(ruleset: Ruleset, solution: Grid, count: int, random: Random) -> Puzzle:
    """`count` digits of the solution, in random cells."""
    kept = set(random.sample(range(ruleset.board.cell_count), count))
    return Puzzle(ruleset, solution.only(kept))


def minimal_puzzle(live: RulesSolver, solution: Grid, random: Random) -> Puzzle:
    """Clues of the solution from which none can be taken away without a second solution appearing."""
    cells = range(live.ruleset.board.cell_count)
    kept = needed(live, solution, [live.clues(solution, [cell]) for cell in cells], random.sample(cells, len(cells)))
    assert kept is not None
    return Puzzle(live.ruleset, solution.only(set(kept)))


def _permutation(order: int, random: Random) -> list[int]:
    return random.sample(range(1, order + 1), order)


def _lines(order: int, group: int, random: Random) -> list[int]:
    """Rows or columns in an order that keeps the groups of `group` together."""
    starts = random.sample(range(0, order, group), order // group)
    return [start + offset for start in starts for offset in random.sample(range(group), group)]
