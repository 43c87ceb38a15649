"""Puzzles to a spec: so many clues, a symmetry or a pattern, one solution, several or none, rules and constraints.

Equal specifications and seeds give equal puzzles with the same versions of Python and the solver. The first ones are
the same for any count, unless a time limit cuts one short. They are no uniform sample: taking clues away in random
order favours puzzles with few clues.

Where a level is asked for, a puzzle is made as any other, and rated. One of another level is thrown away. One that is
too hard may get clues back; those that are left are then as few as the steps that are allowed need to solve it.
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
from ringdoku.services.generate import BACKEND, COMPLETED_ORDER, random_solution
from ringdoku.services.placing import PLACED, REGIONS, Placing, random_regions
from ringdoku.services.removing import needed, random_solution_of
from ringdoku.services.session import Session
from ringdoku.services.spec import HARDER, Generated, Solutions, Spec
from ringdoku.services.symmetries import orbits

if TYPE_CHECKING:
    from ringdoku.solvers.rules_solver import RulesSolver

MOST_SOLUTIONS_HELD = 1000
"""Clauses against solutions that are not used any more slow a solver down, so it is replaced."""

DENSE_TRIES = 10
"""After so many tries constraints are placed as thickly as they can be; where a level is asked for, they are then
placed thinly again."""

HARD_TRIES = 30
"""After so many tries clues are put back into puzzles that are too hard. Before, it takes longer than the next try,
unless only steps of one truth are allowed, which are found at once."""


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
        done = 0
        try:
            for done in range(1, self._spec.tries + 1):
                # thickly placed constraints make easy puzzles
                dense = (done - 1) % DENSE_TRIES + 1 if self._spec.levels else min(done, DENSE_TRIES)
                found: Generated | str | int | None = self._try(random, deadline, dense / DENSE_TRIES)
                if isinstance(found, Generated) and self._spec.levels:
                    found = self._levelled(found, *self._spec.levels, random, deadline, patient=done > HARD_TRIES)
                if isinstance(found, str):
                    missed[found] += 1
                elif isinstance(found, Generated):
                    return replace(found, tries=done, missed=missed)
                elif found is not None:
                    nearest = found if nearest is None else self._nearer(nearest, found)
        except TimeLimitError:
            return Generated(None, tries=done, nearest=nearest, timed_out=True, missed=missed)
        return Generated(None, tries=done, nearest=nearest, missed=missed)

    def _nearer(self, one: int, other: int) -> int:
        least, most = self._spec.least or 0, self._spec.most
        return min(one, other, key=lambda clues: max(least - clues, clues - (clues if most is None else most)))

    def _try(self, random: Random, deadline: Deadline, density: float) -> Generated | int | None:
        """A puzzle, or the number of clues of one that has too many; None where there is nothing to speak of."""
        from ringdoku.solvers.rules_solver import RulesSolver  # loads NumPy and PySAT

        ruleset, live, solution = self._solved(random, deadline)
        if solution is None:
            return None
        placing = Placing(solution, random, density)
        kinds = [kind for kind in self._spec.kinds if kind != REGIONS]
        placed: list[Constraint] = [constraint for kind in kinds for constraint in PLACED[kind](placing)]
        if kinds:
            live = RulesSolver(ruleset, placed, deadline)
        if self._spec.pattern is not None:
            return self._fill_pattern(ruleset, live, placed, solution)
        least, most = self._spec.least, self._spec.most
        target = None if least is None or most is None else random.randint(least, most)
        # a second solution takes a clue that is needed
        enough = target if self._spec.solutions is not Solutions.MANY else None
        if (clues := self._few_clues(live, solution, random, enough or 0)) is None:
            return None
        if self._spec.minimal and placed:
            placed = _needed_beside(clues, live, solution, placed, random)
        if self._spec.solutions is Solutions.MANY:
            return self._with_many(ruleset, live, solution, clues, target, random)
        chosen = self._enough(clues, range(len(self._groups)), target, random)
        if chosen is None:
            return len(clues)
        puzzle = Puzzle(ruleset.extended(*placed) if placed else ruleset, solution.only(chosen))
        if self._spec.solutions is Solutions.NONE:
            return self._without(live, puzzle, random)
        return Generated(puzzle, solution)

    def _levelled(
        self, made: Generated, easiest: str, hardest: str, random: Random, deadline: Deadline, patient: bool
    ) -> Generated | str:
        """The puzzle, perhaps with more clues, if it has one of the levels; otherwise its level or `HARDER`."""
        puzzle, solution = made.puzzle, made.solution
        assert puzzle is not None
        assert solution is not None
        most = LEVELS.index(hardest)
        level = _level(puzzle, solution, most, deadline)
        fixed = self._spec.minimal or self._spec.most is not None or self._spec.pattern is not None
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
        placed; None where the constraints alone would have to do, and do not."""
        if self._spec.most == 0:
            return None if needed(live, solution, (), (), live.rules, patient=False) is None else set()
        literals = [live.clues(solution, group) for group in self._groups]
        order = random.sample(range(len(literals)), len(literals))
        kept = needed(live, solution, literals, order, live.rules, self._spec.minimal, enough)
        # clues in all cells leave no other solution
        assert kept is not None
        return {cell for index in kept for cell in self._groups[index]}

    def _enough(self, clues: set[int], allowed: Sequence[int], target: int | None, random: Random) -> set[int] | None:
        """These cells and more groups of those allowed, up to the target; None if there are not as many as asked."""
        least, most = self._spec.least, self._spec.most
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
    ) -> Generated | int | None:
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
        return len(fewer) if chosen is None else Generated(Puzzle(ruleset, solution.only(chosen)), solution)

    def _without(self, live: RulesSolver, puzzle: Puzzle, random: Random) -> Generated | int | None:
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
                return Generated(changed)
        return puzzle.clues.filled_count

    def _fill_pattern(
        self, ruleset: Ruleset, live: RulesSolver, placed: Sequence[Constraint], solution: Grid
    ) -> Generated | None:
        """The solution's digits in the cells of the pattern, if they leave no second solution."""
        cells = sorted(self._spec.pattern or ())
        if needed(live, solution, (), (), [*live.rules, *live.clues(solution, cells)], patient=False) is None:
            return None
        return Generated(Puzzle(ruleset.extended(*placed) if placed else ruleset, solution.only(set(cells))), solution)


def _needed_beside(
    clues: set[int], live: RulesSolver, solution: Grid, placed: Sequence[Constraint], random: Random
) -> list[Constraint]:
    """Constraints none of which can be left out beside these clues."""
    rules = [[rule] for rule in live.rules]
    fixed = live.clues(solution, clues)
    kept = needed(live, solution, rules, random.sample(range(len(rules)), len(rules)), fixed)
    assert kept is not None
    return [placed[index] for index in kept]


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
