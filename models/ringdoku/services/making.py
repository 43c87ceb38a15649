"""Puzzles to a wish: so many clues, a symmetry or a pattern, one solution, several or none, rules and constraints.

Equal wishes and seeds give equal puzzles with the same versions of Python and the solver, and the first ones are the
same for any count, unless a time limit cuts one short. They are no uniform sample: taking clues away in random order
favours puzzles with few clues.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count
from random import Random
from typing import TYPE_CHECKING

from ringdoku.domain.checker import repeats
from ringdoku.domain.constraint import Boxes, Constraint
from ringdoku.domain.errors import TimeLimitError
from ringdoku.domain.grid import Grid
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.ruleset import Ruleset
from ringdoku.limits import Deadline
from ringdoku.services.digging import dig, random_solution_of
from ringdoku.services.generate import BACKEND, COMPLETED_ORDER, random_solution
from ringdoku.services.laying import LAID, REGIONS, Canvas, random_regions
from ringdoku.services.session import Session
from ringdoku.services.symmetries import orbits
from ringdoku.services.wishes import Made, Solutions, Wish

if TYPE_CHECKING:
    from ringdoku.backends.live import LiveRules

MOST_SOLUTIONS_HELD = 1000
"""Clauses against solutions that are not used any more slow a solver down, so it is replaced."""

DENSE_TRIES = 10
"""After so many tries constraints are laid as thickly as they can be."""


def make(wish: Wish, seed: int = 0, time_limit: float | None = None) -> Iterator[Made]:
    """Puzzle after puzzle, without an end. The time limit (seconds) is for each."""
    Deadline.asked(time_limit)
    workshop = _Workshop(wish)
    for number in count():
        yield workshop.make(Random(f"{seed} {number}"), Deadline.asked(time_limit))


class _Workshop:
    """Makes puzzles to one wish, with a solver that stays for puzzles of the same rules."""

    def __init__(self, wish: Wish) -> None:
        self._wish = wish
        self._session = Session(BACKEND)
        self._groups = orbits(wish.ruleset.board, wish.symmetry)
        self._live: LiveRules | None = None
        self._used = 0

    def make(self, random: Random, deadline: Deadline) -> Made:
        nearest: int | None = None
        done = 0
        try:
            for done in range(1, self._wish.tries + 1):
                found = self._try(random, deadline, min(1.0, done / DENSE_TRIES))
                if isinstance(found, Made):
                    return replace(found, tries=done)
                if found is not None:
                    nearest = found if nearest is None else self._nearer(nearest, found)
        except TimeLimitError:
            return Made(None, tries=done, nearest=nearest, timed_out=True)
        return Made(None, tries=done, nearest=nearest)

    def _nearer(self, one: int, other: int) -> int:
        least, most = self._wish.least or 0, self._wish.most
        return min(one, other, key=lambda clues: max(least - clues, clues - (clues if most is None else most)))

    def _try(self, random: Random, deadline: Deadline, density: float) -> Made | int | None:
        """A puzzle, or the number of clues of one that has too many; None where there is nothing to speak of."""
        from ringdoku.backends.live import LiveRules  # loads NumPy and PySAT

        ruleset, live, solution = self._solved(random, deadline)
        if solution is None:
            return None
        kinds = [kind for kind in self._wish.kinds if kind != REGIONS]
        laid: list[Constraint] = []
        if kinds:
            canvas = Canvas(solution, random, density)
            laid = [constraint for kind in kinds for constraint in LAID[kind](canvas)]
            live = LiveRules(ruleset, laid, deadline)
        if self._wish.pattern is not None:
            return self._fill_pattern(ruleset, live, laid, solution)
        least, most = self._wish.least, self._wish.most
        target = None if least is None or most is None else random.randint(least, most)
        # a second solution takes a clue that is needed
        enough = target if self._wish.solutions is not Solutions.MANY else None
        if (clues := self._few_clues(live, solution, random, enough or 0)) is None:
            return None
        if self._wish.minimal and laid:
            rules = [[rule] for rule in live.rules]
            fixed = live.clues(solution, clues)
            kept = dig(live, solution, rules, random.sample(range(len(rules)), len(rules)), fixed)
            assert kept is not None
            laid = [laid[index] for index in kept]
        if self._wish.solutions is Solutions.MANY:
            return self._with_many(ruleset, live, solution, clues, target, random)
        chosen = self._enough(clues, range(len(self._groups)), target, random)
        if chosen is None:
            return len(clues)
        puzzle = Puzzle(ruleset.extended(*laid) if laid else ruleset, solution.only(chosen))
        if self._wish.solutions is Solutions.NONE:
            return self._without(live, puzzle, random)
        return Made(puzzle, solution)

    def _solved(self, random: Random, deadline: Deadline) -> tuple[Ruleset, LiveRules, Grid | None]:
        """Rules, a live solver that holds them, and a random solution, None where there is none."""
        from ringdoku.backends.live import LiveRules  # loads NumPy and PySAT

        ruleset = self._wish.ruleset
        if REGIONS in self._wish.kinds:
            others = [rule for rule in ruleset.constraints if not isinstance(rule, Boxes)]
            ruleset = Ruleset(ruleset.board, (*others, random_regions(ruleset.board, random)))
            live = LiveRules(ruleset, (), deadline)
            return ruleset, live, random_solution_of(live, random)
        if self._live is None or self._used >= MOST_SOLUTIONS_HELD:
            self._live, self._used = LiveRules(ruleset, (), deadline), 0
        self._used += 1
        self._live.deadline = deadline
        if ruleset.classic_box and ruleset.order <= COMPLETED_ORDER:
            return ruleset, self._live, random_solution(ruleset, random, self._session)
        return ruleset, self._live, random_solution_of(self._live, random)

    def _few_clues(self, live: LiveRules, solution: Grid, random: Random, enough: int) -> set[int] | None:
        """The cells of clues, `enough` or so few that no group can be left out, beside the constraints that were laid;
        None where the constraints alone would have to do, and do not."""
        if self._wish.most == 0:
            return None if dig(live, solution, (), (), live.rules, patient=False) is None else set()
        literals = [live.clues(solution, group) for group in self._groups]
        order = random.sample(range(len(literals)), len(literals))
        kept = dig(live, solution, literals, order, live.rules, self._wish.minimal, enough)
        # clues in all cells leave no other solution
        assert kept is not None
        return {cell for index in kept for cell in self._groups[index]}

    def _enough(self, clues: set[int], allowed: Sequence[int], target: int | None, random: Random) -> set[int] | None:
        """These cells and more groups of those allowed, up to the target; None if there are not as many as wished."""
        least, most = self._wish.least, self._wish.most
        if target is None or least is None or most is None:
            return clues
        chosen = set(clues)
        for index in random.sample(list(allowed), len(allowed)):
            more = set(self._groups[index]) - chosen
            if len(chosen) + len(more) <= target:
                chosen |= more
        return chosen if least <= len(chosen) <= most else None

    def _with_many(
        self, ruleset: Ruleset, live: LiveRules, solution: Grid, clues: set[int], target: int | None, random: Random
    ) -> Made | int | None:
        """Clues that the solution and another one have in common: those that are left when a group that was needed is
        left out, and others."""
        needed = [group for group in self._groups if clues.issuperset(group)]
        if not needed:
            return None
        fewer = clues.difference(random.choice(needed))
        other = live.excluding(solution)
        # without a group of a minimal set there is a second solution
        assert live.is_possible([other, *live.clues(solution, sorted(fewer))])
        second = live.solution()
        live.forget(other)
        common = [
            index
            for index, group in enumerate(self._groups)
            if all(solution.digits[cell] == second.digits[cell] for cell in group)
        ]
        if target is not None and len(fewer) > target:
            fewer = set()
        chosen = self._enough(fewer, common, target, random)
        return len(fewer) if chosen is None else Made(Puzzle(ruleset, solution.only(chosen)), solution)

    def _without(self, live: LiveRules, puzzle: Puzzle, random: Random) -> Made | int | None:
        """The puzzle with one clue changed, so that there is no solution, and no rule that clues alone break."""
        board, digits = puzzle.board, puzzle.clues.digits
        changes = [
            (cell, digit)
            for cell, clue in enumerate(digits)
            if clue != board.blank
            for digit in board.digits
            if digit != clue
        ]
        for cell, digit in random.sample(changes, len(changes)):
            changed = Puzzle(puzzle.ruleset, Grid((*digits[:cell], digit, *digits[cell + 1 :]), board))
            if next(repeats(changed, changed.clues), None) is None and not live.is_possible(
                live.clues(
                    changed.clues, [place for place, clue in enumerate(changed.clues.digits) if clue != board.blank]
                )
            ):
                return Made(changed)
        return puzzle.clues.filled_count

    def _fill_pattern(
        self, ruleset: Ruleset, live: LiveRules, laid: Sequence[Constraint], solution: Grid
    ) -> Made | None:
        """The solution's digits in the cells of the pattern, if they leave no second solution."""
        cells = sorted(self._wish.pattern or ())
        if dig(live, solution, (), (), [*live.rules, *live.clues(solution, cells)], patient=False) is None:
            return None
        return Made(Puzzle(ruleset.extended(*laid) if laid else ruleset, solution.only(set(cells))), solution)
