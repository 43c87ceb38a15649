"""Puzzles from a seed: random solutions, then random clues of them kept, or as few as keep the solution unique.

Equal arguments give equal puzzles with the same versions of Python and the solver. The solutions are no uniform
sample: a solver completes random diagonal boxes, and a random symmetry hides its habits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from ringdoku.domain.errors import RingdokuError, UsageError
from ringdoku.domain.geometry import Geometry
from ringdoku.domain.grid import Grid
from ringdoku.domain.puzzle import Puzzle
from ringdoku.services.session import Session

MAX_COUNT = 1_000_000
BACKEND = "minisat22"
"""Named, since `auto` may come to mean another, and other puzzles."""

COMPLETED_ORDER = 36
"""Up to here a solver completes random boxes; larger solutions are a shuffled pattern."""


@dataclass(frozen=True)
class Recipe:
    """`count` puzzles of one geometry; each has so many clues, drawn from `least`..`most`, or minimal clues.

    A minimal puzzle has one solution, and several as soon as any clue is taken away.
    """

    count: int
    geometry: Geometry
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
        geometry = Geometry.of_order(int(order[0]), (int(box[1]), int(box[2])) if box else None)
        least = int(span[1]) if span else 0
        most = int(span[2] or span[1]) if span else 0
        if not 1 <= int(head) <= MAX_COUNT or not 0 <= least <= most <= geometry.cell_count:
            raise UsageError(f"{expected}; counts from 1 to {MAX_COUNT}, clues from 0 to {geometry.cell_count}")
        return Recipe(int(head), geometry, least, most, clues == "minimal")


def generate(recipe: Recipe, seed: int = 0) -> Iterator[Puzzle]:
    """The puzzles of a recipe, each with a solution; the first ones are the same for any count."""
    session = Session(BACKEND)
    for number in range(recipe.count):
        random = Random(f"{seed} {number}")
        solution = random_solution(recipe.geometry, random, session)
        if recipe.minimal:
            yield minimal_puzzle(recipe.geometry, solution, random, session)
        else:
            yield keep_clues(recipe.geometry, solution, random.randint(recipe.least, recipe.most), random)


def random_solution(geometry: Geometry, random: Random, session: Session | None = None) -> Grid:
    """A full grid that breaks no rule."""
    if geometry.order > COMPLETED_ORDER:
        return shuffled(geometry, pattern_solution(geometry), random)
    digits = list(Grid.blank(geometry.order).digits)
    # boxes that share neither rows nor columns, but for one: on 4x4 two opposite boxes can exclude each other
    for place in range(max(1, min(geometry.box_height, geometry.box_width) - 1)):
        box = geometry.boxes[place * geometry.box_height + place]
        for cell, digit in zip(box.cells, _permutation(geometry.order, random), strict=True):
            digits[cell] = digit
    found = (session or Session(BACKEND)).solve(Puzzle(geometry, Grid(tuple(digits)))).grid
    if found is None:
        raise RingdokuError(f"no solution of {geometry} was found")
    return shuffled(geometry, found, random)


def pattern_solution(geometry: Geometry) -> Grid:
    """Row after row shifted by a box width, and by one more in each band: a solution of any geometry."""
    n, height, width = geometry.order, geometry.box_height, geometry.box_width
    return Grid(tuple((r % height * width + r // height + c) % n + 1 for r in range(n) for c in range(n)))


def shuffled(geometry: Geometry, solution: Grid, random: Random) -> Grid:
    """The solution with digits renamed, bands, stacks, and the rows and columns in them permuted."""
    n = geometry.order
    names = _permutation(n, random)
    rows = _lines(n, geometry.box_height, random)
    columns = _lines(n, geometry.box_width, random)
    return Grid(tuple(names[solution.digits[row * n + column] - 1] for row in rows for column in columns))


def keep_clues(geometry: Geometry, solution: Grid, count: int, random: Random) -> Puzzle:
    """`count` digits of the solution, in random cells."""
    kept = set(random.sample(range(geometry.cell_count), count))
    return Puzzle(geometry, Grid(tuple(d if cell in kept else 0 for cell, d in enumerate(solution.digits))))


def minimal_puzzle(geometry: Geometry, solution: Grid, random: Random, session: Session | None = None) -> Puzzle:
    """Clues of the solution from which none can be taken away without a second solution appearing.

    Asks a solver up to n − 1 questions for each of n² cells.
    """
    session = session or Session(BACKEND)
    digits = list(solution.digits)
    for cell in random.sample(range(geometry.cell_count), geometry.cell_count):
        clue = digits[cell]
        # as the puzzle has one solution with this clue, a second one without it differs in this very cell
        for other in set(range(1, geometry.order + 1)) - {clue}:
            digits[cell] = other
            if session.solve(Puzzle(geometry, Grid(tuple(digits)))).grid is not None:
                digits[cell] = clue
                break
        else:
            digits[cell] = 0
    return Puzzle(geometry, Grid(tuple(digits)))


def _permutation(order: int, random: Random) -> list[int]:
    return random.sample(range(1, order + 1), order)


def _lines(order: int, group: int, random: Random) -> list[int]:
    """Rows or columns in an order that keeps the groups of `group` together."""
    starts = random.sample(range(0, order, group), order // group)
    return [start + offset for start in starts for offset in random.sample(range(group), group)]
