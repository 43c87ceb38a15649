"""Puzzles to a spec: so many clues, a symmetry or a pattern, one solution, several or none, rules and constraints.

Equal specs and seeds give equal puzzles with the same versions of Python and the solver. The first ones are the same
for any count, unless a time limit cuts one short. They are no uniform sample: taking clues away in random order favours
puzzles with few clues.

Where a level is asked for, a puzzle is made as any other, and rated. One of another level is thrown away. One that is
too hard may get clues back; those that are left are then as few as the steps that are allowed need to solve it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import count, islice
from random import Random
from typing import TYPE_CHECKING

from ringdoku.domain.checker import repeats
from ringdoku.domain.constraint import Boxes, Constraint
from ringdoku.domain.errors import TimeLimitError, UsageError
from ringdoku.domain.grid import Grid
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.ruleset import Ruleset, classic
from ringdoku.explanations.explanation import LEVELS
from ringdoku.explanations.path import Effort, Outcome, Walk, start_of
from ringdoku.explanations.search import MOST_TRUTHS
from ringdoku.limits import Deadline, apart
from ringdoku.services.generate import (
    BACKEND,
    COMPLETED_ORDER,
    needed,
    random_puzzles,
    random_solution,
    random_solution_of,
)
from ringdoku.services.placing import PLACED, REGIONS, Placing, random_regions
from ringdoku.services.session import Session
from ringdoku.services.spec import HARDER, Generated, Solutions, Spec, orbits

if TYPE_CHECKING:
    from ringdoku.solvers.incremental import RulesSolver

MOST_SOLUTIONS_HELD = 1000
"""Clauses against solutions that are not used any more slow a solver down, so it is replaced."""

DENSE_TRIES = 10
"""After so many tries constraints are placed as thickly as they can be; where a level is asked for, they are then
placed thinly again."""

HARD_TRIES = 30
"""After so many tries clues are put back into puzzles that are too hard. Before, it takes longer than the next try,
unless only steps of one truth are allowed, which are found at once."""

RECIPE = {
    "clues": r"([0-9]{1,7})(?:\.\.([0-9]{1,7}))?|minimal",
    "order": r"([0-9]{1,4})",
    "box": r"([0-9]{1,4})x([0-9]{1,4})",
}
"""The parts of a recipe."""


def puzzles_of(recipe: str, seed: int = 0) -> Iterator[Puzzle]:
    """The puzzles of `N:clues=17..30,order=9,box=3x3`; clues are also a single number, or `minimal`. Unless minimal, a
    puzzle has any number of solutions. Raises `UsageError`."""
    head, _, tail = recipe.partition(":")
    parts = [part.partition("=") for part in tail.split(",")] if tail else []
    found = {name: re.fullmatch(RECIPE[name], value) for name, _, value in parts if name in RECIPE}
    if not re.fullmatch("0*[1-9][0-9]{0,6}", head) or len(found) < len(parts) or not all(found.values()):
        raise UsageError(f"a recipe is COUNT:clues=17..30,order=9 or COUNT:clues=minimal, not {recipe!r}")
    values = {name: match and match.groups() for name, match in found.items()}
    (order,), box, clues = values.get("order") or ("9",), values.get("box"), values.get("clues") or ("24", "30")
    ruleset = classic(int(order), (int(box[0]), int(box[1])) if box else None)
    if clues[0] is None:
        made = islice(make(Spec(ruleset, minimal=True), seed), int(head))
        return (each.puzzle for each in made if each.puzzle)
    spec = Spec(ruleset, int(clues[0]), int(clues[1] or clues[0]))
    return random_puzzles(ruleset, *(spec.span or (0, 0)), int(head), seed)


def make(spec: Spec, seed: int = 0, time_limit: float | None = None) -> Iterator[Generated]:
    """Puzzle after puzzle, without an end. The time limit (seconds) is for each."""
    Deadline.asked(time_limit)
    generator = _Generator(spec)
    for number in count():
        random, deadline = Random(f"{seed} {number}"), Deadline.asked(time_limit)
        if time_limit is None or spec.ruleset.order <= COMPLETED_ORDER:
            yield generator.make(random, deadline)
            continue
        # solvers look at no clock while they take in millions of clauses, or answer one hard question
        try:
            yield apart(partial(generator.make, random, deadline), deadline)
        except TimeLimitError:
            yield Generated(None, tries=1, timed_out=True)


class _Generator:
    """Makes puzzles to one spec, with a solver that stays for puzzles of the same rules."""

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self._session = Session(BACKEND)
        self._groups = orbits(spec.ruleset.board, spec.symmetry)
        self._live: RulesSolver | None = None
        self._used = 0

    def make(self, random: Random, deadline: Deadline) -> Generated:
        nearest: int | None = None
        missed = Counter[str]()
        done, timed_out = 0, False
        try:
            for done in range(1, self._spec.tries + 1):
                # thickly placed constraints make easy puzzles
                dense = (done - 1) % DENSE_TRIES + 1 if self._spec.levels else min(done, DENSE_TRIES)
                found: Generated | str | int | None = self._try(random, deadline, dense / DENSE_TRIES)
                if isinstance(found, Generated) and self._spec.levels:
                    found = self._levelled(found, *self._spec.levels, random, deadline, patient=done > HARD_TRIES)
                match found:
                    case Generated():
                        return replace(found, tries=done, missed=missed)
                    case str():
                        missed[found] += 1
                    case int():
                        nearest = found if nearest is None else min(nearest, found, key=self._distance)
        except TimeLimitError:
            timed_out = True
        return Generated(None, None, done, nearest, timed_out, missed=missed)

    def _distance(self, clues: int) -> int:
        """From the span of the spec."""
        least, most = self._spec.span or (0, clues)
        return max(least - clues, clues - most)

    def _try(self, random: Random, deadline: Deadline, density: float) -> Generated | int | None:
        """A puzzle, or the number of clues of one that has too many; None where there is nothing to speak of."""
        from ringdoku.solvers.incremental import RulesSolver  # loads NumPy and PySAT

        spec = self._spec
        ruleset, live, solution = self._solved(random, deadline)
        if solution is None:
            return None
        placing = Placing(solution, random, density)
        kinds = [kind for kind in spec.kinds if kind != REGIONS]
        placed = [constraint for kind in kinds for constraint in PLACED[kind](placing)]
        if kinds:
            live = RulesSolver(ruleset, placed, deadline)
        target = random.randint(*spec.span) if spec.span else None
        # a second solution takes a clue that is needed
        enough = target or 0 if spec.solutions is not Solutions.MANY else 0
        if (clues := self._few_clues(live, solution, random, enough)) is None:
            return None
        if spec.minimal and placed:
            placed = _needed_beside(clues, live, solution, placed, random)
        if spec.solutions is Solutions.MANY:
            return self._with_many(ruleset, live, solution, clues, target, random)
        chosen = self._enough(clues, range(len(self._groups)), target, random)
        if chosen is None:
            return len(clues)
        puzzle = Puzzle(ruleset.extended(*placed) if placed else ruleset, solution.only(chosen))
        return _without(live, puzzle, random) if spec.solutions is Solutions.NONE else Generated(puzzle, solution)

    def _solved(self, random: Random, deadline: Deadline) -> tuple[Ruleset, RulesSolver, Grid | None]:
        """Rules, a live solver that holds them, and a random solution, None where there is none."""
        from ringdoku.solvers.incremental import RulesSolver  # loads NumPy and PySAT

        ruleset = self._spec.ruleset
        if REGIONS in self._spec.kinds:
            others = [rule for rule in ruleset.constraints if not isinstance(rule, Boxes)]
            ruleset = Ruleset(ruleset.board, (*others, random_regions(ruleset.board, random)))
            live = RulesSolver(ruleset, (), deadline)
            return ruleset, live, random_solution_of(live, random)
        if self._live is None or self._used >= MOST_SOLUTIONS_HELD:
            self._live, self._used = RulesSolver(ruleset, (), deadline), 0
        self._used += 1
        self._live.deadline = deadline
        if ruleset.classic_box and ruleset.order <= COMPLETED_ORDER:
            return ruleset, self._live, random_solution(ruleset, random, self._session)
        return ruleset, self._live, random_solution_of(self._live, random)

    def _few_clues(self, live: RulesSolver, solution: Grid, random: Random, enough: int) -> set[int] | None:
        """The cells of clues, `enough` or so few that no group can be left out, beside the constraints that were
        placed; None where those of the pattern, or the constraints alone, would have to do, and do not."""
        given = frozenset[int]() if self._spec.most == 0 else self._spec.pattern
        if given is not None:
            fixed = [*live.rules, *live.clues(solution, sorted(given))]
            return None if needed(live, solution, (), (), fixed, patient=False) is None else set(given)
        literals = [live.clues(solution, group) for group in self._groups]
        order = random.sample(range(len(literals)), len(literals))
        kept = needed(live, solution, literals, order, live.rules, self._spec.minimal, enough)
        # clues in all cells leave no other solution
        assert kept is not None
        return {cell for index in kept for cell in self._groups[index]}

    def _enough(self, clues: set[int], allowed: Sequence[int], target: int | None, random: Random) -> set[int] | None:
        """These cells and more groups of those allowed, up to the target; None if there are not as many as asked."""
        if target is None or self._spec.span is None:
            return clues
        chosen = set(clues)
        for index in random.sample(allowed, len(allowed)):
            more = set(self._groups[index]) - chosen
            if len(chosen) + len(more) <= target:
                chosen |= more
        least, most = self._spec.span
        return chosen if least <= len(chosen) <= most else None

    def _with_many(
        self, ruleset: Ruleset, live: RulesSolver, solution: Grid, clues: set[int], target: int | None, random: Random
    ) -> Generated | int | None:
        """Clues that the solution and another one have in common: those that are left when a group that was needed is
        left out, and others."""
        groups = [group for group in self._groups if clues.issuperset(group)]
        if not groups:
            return None
        fewer = clues.difference(random.choice(groups))
        other = live.excluding(solution)
        # without a group of a minimal set there is a second solution
        assert live.is_satisfiable([other, *live.clues(solution, sorted(fewer))])
        second = live.solution()
        live.retract(other)
        common = [index for index, group in enumerate(self._groups) if solution.at(group) == second.at(group)]
        if target is not None and len(fewer) > target:
            fewer = set()
        chosen = self._enough(fewer, common, target, random)
        return len(fewer) if chosen is None else Generated(Puzzle(ruleset, solution.only(chosen)), solution)

    def _levelled(
        self, made: Generated, easiest: str, hardest: str, random: Random, deadline: Deadline, patient: bool
    ) -> Generated | str:
        """The puzzle, perhaps with more clues, if it has one of the levels; otherwise its level or `HARDER`."""
        puzzle, solution = made.puzzle, made.solution
        assert puzzle is not None
        assert solution is not None
        most = LEVELS.index(hardest)
        level = _level(puzzle, solution, most, deadline)
        fixed = self._spec.minimal or self._spec.span or self._spec.pattern is not None
        if level is None and not fixed and (patient or most <= 1):
            puzzle = self._easier(puzzle, solution, most, random, deadline)
            level = _level(puzzle, solution, most, deadline)
        if level is None:
            return HARDER
        if level < LEVELS.index(easiest):
            return LEVELS[level]
        return replace(made, puzzle=puzzle, level=LEVELS[level])

    def _easier(self, puzzle: Puzzle, solution: Grid, most: int, random: Random, deadline: Deadline) -> Puzzle:
        """The puzzle with other groups of clues, of which none can be left out: it would be harder than `most`."""
        clues = set(_filled(puzzle.clues))
        # those of the puzzle first
        groups = sorted(random.sample(self._groups, len(self._groups)), key=lambda group: not clues.issuperset(group))
        known = sum(map(clues.issuperset, groups))

        def with_clues(chosen: Sequence[tuple[int, ...]]) -> Puzzle:
            return Puzzle(puzzle.ruleset, solution.only({cell for group in chosen for cell in group}))

        def is_easy(chosen: Sequence[tuple[int, ...]]) -> bool:
            return _level(with_clues(chosen), solution, most, deadline) is not None

        # more clues never make a puzzle harder
        counts = range(known, len(groups))
        kept = groups[: known + bisect_left(counts, True, key=lambda count: is_easy(groups[:count]))]
        for group in kept[:-1]:
            fewer = [other for other in kept if other != group]
            if is_easy(fewer):
                kept = fewer
        return with_clues(kept)


def _filled(grid: Grid) -> list[int]:
    return [cell for cell, digit in enumerate(grid.digits) if digit != grid.board.blank]


def _needed_beside(
    clues: set[int], live: RulesSolver, solution: Grid, placed: Sequence[Constraint], random: Random
) -> list[Constraint]:
    """Constraints none of which can be left out beside these clues."""
    rules = [[rule] for rule in live.rules]
    kept = needed(live, solution, rules, random.sample(range(len(rules)), len(rules)), live.clues(solution, clues))
    assert kept is not None
    return [placed[index] for index in kept]


def _without(live: RulesSolver, puzzle: Puzzle, random: Random) -> Generated | int:
    """The puzzle with one clue changed, so that there is no solution, and no rule that clues alone break; or how many
    clues it has."""
    board, digits, clues = puzzle.board, puzzle.clues.digits, _filled(puzzle.clues)
    changes = [(cell, digit) for cell in clues for digit in board.digits if digit != digits[cell]]
    for cell, digit in random.sample(changes, len(changes)):
        changed = Puzzle(puzzle.ruleset, Grid((*digits[:cell], digit, *digits[cell + 1 :]), board))
        broken = next(repeats(changed, changed.clues), None) is not None
        if not broken and not live.is_satisfiable(live.clues(changed.clues, clues)):
            return Generated(changed)
    return len(clues)


def _level(puzzle: Puzzle, solution: Grid, most: int, deadline: Deadline) -> int | None:
    """The place in `LEVELS` of a puzzle with just this solution; None where it is above `most`. Raises
    `TimeLimitError` at the deadline."""
    walk = Walk(puzzle, Effort(min(most, MOST_TRUTHS), False, (solution,), deadline), start_of(puzzle))
    level = max((step.size for step in walk if step.removed and not step.placed), default=0)
    if walk.outcome is Outcome.SOLVED:
        return level
    return len(LEVELS) - 1 if most > MOST_TRUTHS else None
