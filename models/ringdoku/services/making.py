"""Puzzles to a wish: so many clues, a symmetry or a pattern, one solution, several or none, rules and constraints.

Equal wishes and seeds give equal puzzles with the same versions of Python and the solver, and the first ones are the
same for any count, unless a time limit cuts one short. They are no uniform sample: taking clues away in random order
favours puzzles with few clues.

A puzzle of a wished level is made as any other, and rated. One of another level is thrown away. One that is too hard
may get clues back; those that are left are then as few as the steps that are allowed need to solve it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import count
from random import Random
from typing import TYPE_CHECKING

from ringdoku.domain.checker import repeats
from ringdoku.domain.constraint import Boxes, Constraint
from ringdoku.domain.errors import TimeLimitError
from ringdoku.domain.grid import Grid
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.ruleset import Ruleset
from ringdoku.explanations.explanation import LEVELS
from ringdoku.explanations.path import Effort, Outcome, Walk, start_of
from ringdoku.explanations.search import MOST_TRUTHS
from ringdoku.limits import Deadline, apart
from ringdoku.services.digging import dig, random_solution_of
from ringdoku.services.generate import BACKEND, COMPLETED_ORDER, random_solution
from ringdoku.services.laying import LAID, REGIONS, Canvas, random_regions
from ringdoku.services.session import Session
from ringdoku.services.symmetries import orbits
from ringdoku.services.wishes import HARDER, Made, Solutions, Wish

if TYPE_CHECKING:
    from ringdoku.solvers.rules_solver import RulesSolver

MOST_SOLUTIONS_HELD = 1000
"""Clauses against solutions that are not used any more slow a solver down, so it is replaced."""

DENSE_TRIES = 10
"""After so many tries constraints are laid as thickly as they can be; where a level is wished for, they are then laid
thinly again."""

HARD_TRIES = 30
"""After so many tries clues are put back into puzzles that are too hard. Before, it takes longer than the next try,
unless only steps of one truth are allowed, which are found at once."""


def make(wish: Wish, seed: int = 0, time_limit: float | None = None) -> Iterator[Made]:
    """Puzzle after puzzle, without an end. The time limit (seconds) is for each."""
    Deadline.asked(time_limit)
    workshop = _Workshop(wish)
    for number in count():
        random, deadline = Random(f"{seed} {number}"), Deadline.asked(time_limit)
        if time_limit is None or wish.ruleset.order <= COMPLETED_ORDER:
            yield workshop.make(random, deadline)
            continue
        # solvers look at no clock while they take in millions of clauses, or answer one hard question
        try:
            yield apart(partial(workshop.make, random, deadline), deadline)
        except TimeLimitError:
            yield Made(None, tries=1, timed_out=True)


class _Workshop:
    """Makes puzzles to one wish, with a solver that stays for puzzles of the same rules."""

    def __init__(self, wish: Wish) -> None:
        self._wish = wish
        self._session = Session(BACKEND)
        self._groups = orbits(wish.ruleset.board, wish.symmetry)
        self._live: RulesSolver | None = None
        self._used = 0

    def make(self, random: Random, deadline: Deadline) -> Made:
        nearest: int | None = None
        missed = Counter[str]()
        done = 0
        try:
            for done in range(1, self._wish.tries + 1):
                # thickly laid constraints make easy puzzles
                dense = (done - 1) % DENSE_TRIES + 1 if self._wish.levels else min(done, DENSE_TRIES)
                found: Made | str | int | None = self._try(random, deadline, dense / DENSE_TRIES)
                if isinstance(found, Made) and self._wish.levels:
                    found = self._levelled(found, *self._wish.levels, random, deadline, patient=done > HARD_TRIES)
                if isinstance(found, str):
                    missed[found] += 1
                elif isinstance(found, Made):
                    return replace(found, tries=done, missed=missed)
                elif found is not None:
                    nearest = found if nearest is None else self._nearer(nearest, found)
        except TimeLimitError:
            return Made(None, tries=done, nearest=nearest, timed_out=True, missed=missed)
        return Made(None, tries=done, nearest=nearest, missed=missed)

    def _nearer(self, one: int, other: int) -> int:
        least, most = self._wish.least or 0, self._wish.most
        return min(one, other, key=lambda clues: max(least - clues, clues - (clues if most is None else most)))

    def _try(self, random: Random, deadline: Deadline, density: float) -> Made | int | None:
        """A puzzle, or the number of clues of one that has too many; None where there is nothing to speak of."""
        from ringdoku.solvers.rules_solver import RulesSolver  # loads NumPy and PySAT

        ruleset, live, solution = self._solved(random, deadline)
        if solution is None:
            return None
        kinds = [kind for kind in self._wish.kinds if kind != REGIONS]
        laid: list[Constraint] = []
        if kinds:
            canvas = Canvas(solution, random, density)
            laid = [constraint for kind in kinds for constraint in LAID[kind](canvas)]
            live = RulesSolver(ruleset, laid, deadline)
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

    def _levelled(
        self, made: Made, easiest: str, hardest: str, random: Random, deadline: Deadline, patient: bool
    ) -> Made | str:
        """The puzzle, perhaps with more clues, if it has one of the levels; otherwise its level or `HARDER`."""
        puzzle, solution = made.puzzle, made.solution
        assert puzzle is not None
        assert solution is not None
        most = LEVELS.index(hardest)
        level = _level(puzzle, solution, most, deadline)
        fixed = self._wish.minimal or self._wish.most is not None or self._wish.pattern is not None
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
        blank = puzzle.board.blank
        clues = {cell for cell, clue in enumerate(puzzle.clues.digits) if clue != blank}
        groups = random.sample(self._groups, len(self._groups))
        # those of the puzzle first
        groups.sort(key=lambda group: not clues.issuperset(group))
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

    def _solved(self, random: Random, deadline: Deadline) -> tuple[Ruleset, RulesSolver, Grid | None]:
        """Rules, a live solver that holds them, and a random solution, None where there is none."""
        from ringdoku.solvers.rules_solver import RulesSolver  # loads NumPy and PySAT

        ruleset = self._wish.ruleset
        if REGIONS in self._wish.kinds:
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
        self, ruleset: Ruleset, live: RulesSolver, solution: Grid, clues: set[int], target: int | None, random: Random
    ) -> Made | int | None:
        """Clues that the solution and another one have in common: those that are left when a group that was needed is
        left out, and others."""
        needed = [group for group in self._groups if clues.issuperset(group)]
        if not needed:
            return None
        fewer = clues.difference(random.choice(needed))
        other = live.excluding(solution)
        # without a group of a minimal set there is a second solution
        assert live.is_satisfiable([other, *live.clues(solution, sorted(fewer))])
        second = live.solution()
        live.retract(other)
        common = [
            index
            for index, group in enumerate(self._groups)
            if all(solution.digits[cell] == second.digits[cell] for cell in group)
        ]
        if target is not None and len(fewer) > target:
            fewer = set()
        chosen = self._enough(fewer, common, target, random)
        return len(fewer) if chosen is None else Made(Puzzle(ruleset, solution.only(chosen)), solution)

    def _without(self, live: RulesSolver, puzzle: Puzzle, random: Random) -> Made | int | None:
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
            if next(repeats(changed, changed.clues), None) is None and not live.is_satisfiable(
                live.clues(
                    changed.clues, [place for place, clue in enumerate(changed.clues.digits) if clue != board.blank]
                )
            ):
                return Made(changed)
        return puzzle.clues.filled_count

    def _fill_pattern(
        self, ruleset: Ruleset, live: RulesSolver, laid: Sequence[Constraint], solution: Grid
    ) -> Made | None:
        """The solution's digits in the cells of the pattern, if they leave no second solution."""
        cells = sorted(self._wish.pattern or ())
        if dig(live, solution, (), (), [*live.rules, *live.clues(solution, cells)], patient=False) is None:
            return None
        return Made(Puzzle(ruleset.extended(*laid) if laid else ruleset, solution.only(set(cells))), solution)


def _level(puzzle: Puzzle, solution: Grid, most: int, deadline: Deadline) -> int | None:
    """The place in `LEVELS` of a puzzle with just this solution; None where it is above `most`. Raises
    `TimeLimitError` at the deadline."""
    walk = Walk(puzzle, Effort(min(most, MOST_TRUTHS), False, (solution,), deadline), start_of(puzzle))
    level = 0
    for step in walk:
        level = max(level, step.size if step.removed and not step.placed else 0)
    if walk.outcome is Outcome.SOLVED:
        return level
    return len(LEVELS) - 1 if most > MOST_TRUTHS else None
