"""Puzzles to a spec: so many clues, a symmetry or a pattern, one solution, several or none, rules and constraints.

Equal specs and seeds give equal puzzles with the same versions of Python and the solver. The first ones are the same
for any count, unless a time limit cuts one short. They are no uniform sample: taking clues away in random order favours
puzzles with few clues.

Where a level is asked for, a puzzle is made as any other, and rated. One of another level is thrown away. One that is
too hard may get clues back; those that are left are then as few as the steps that are allowed need to solve it.

A solver completes random diagonal boxes, and a random symmetry is applied to hide the solver's preferences. Clues are
assumptions on an incremental solver. One question asks whether a group can go; if it can, the solver names the clues
that its answer rests on, and every group without any of them goes too: a minimal 9×9 puzzle takes 37 questions, not 81.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, count
from random import Random

from ringdoku.domain import Boxes, Grid, Puzzle, RingdokuError, Ruleset, TimeLimitError, counted
from ringdoku.domain.checker import repeats
from ringdoku.explanations.explanation import LEVELS
from ringdoku.explanations.path import Effort, Outcome, Walk, start_of
from ringdoku.explanations.search import MOST_TRUTHS
from ringdoku.explanations.techniques import UNIQUENESS
from ringdoku.limits import Deadline, run_in_process
from ringdoku.services.placing import PLACED, REGIONS, Placing, random_regions
from ringdoku.services.session import Session
from ringdoku.services.spec import Generated, Solutions, Spec, orbits
from ringdoku.solvers.incremental import RulesSolver

BACKEND = "minisat22"
"""Not `auto`, since its meaning may change, and with it the puzzles."""
FEW_CONFLICTS = 50
"""For one more random digit of a random solution."""
IMPATIENT_CONFLICTS = 20_000
"""A second or so."""
COMPLETED_ORDER = 36
"""Up to this order a solver completes random boxes of classic puzzles in a moment."""
MOST_SOLUTIONS_HELD = 1000
"""Clauses against solutions that are not used any more slow a solver down, so it is replaced."""
DENSE_TRIES = 10
"""After so many tries constraints are placed as thickly as can be; where a level is asked for, then thinly again."""
HARD_TRIES = 30
"""After so many tries clues are put back into puzzles that are too hard. Before, it takes longer than the next try,
unless only steps of one truth are allowed, which are found at once."""


def make(spec: Spec, seed: int = 0, time_limit: float | None = None) -> Iterator[Generated]:
    """Puzzle after puzzle, without an end. The time limit (seconds) is for each. Raises `RingdokuError` where the
    rules, with the clues that stay, have no solution."""
    generator = _Generator(spec)
    for number in count():
        random, deadline = Random(f"{seed} {number}"), Deadline.asked(time_limit)
        if time_limit is None or spec.ruleset.order <= COMPLETED_ORDER:
            yield generator.make(random, deadline)
            continue
        # solvers look at no clock while they take in millions of clauses, or answer one hard question
        try:
            yield run_in_process(partial(generator.make, random, deadline), deadline)
        except TimeLimitError:
            yield Generated(None, remark="the time limit passed after 1 beginning")


class _Generator:
    """Makes puzzles to one spec, with a solver that stays for puzzles of the same rules."""

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self._session = Session(BACKEND)
        groups, kept = orbits(spec.ruleset.board, spec.symmetry), set(spec.kept.filled if spec.kept else ())
        self._groups = [group for group in groups if kept.isdisjoint(group)]
        # the others of their groups are clues too
        self._kept = {cell for group in groups if not kept.isdisjoint(group) for cell in group}
        self._kinds = [kind for kind in spec.kinds if kind != REGIONS]
        self._live: RulesSolver | None = None
        self._used = 0

    def make(self, random: Random, deadline: Deadline) -> Generated:
        self._random, self._deadline = random, deadline
        # the numbers of clues of puzzles that have others than asked for
        self._near: list[int] = []
        self._missed = Counter[str]()
        done, why = 0, "not to be had"
        try:
            for done in range(1, self._spec.tries + 1):
                # thickly placed constraints make easy puzzles
                dense = (done - 1) % DENSE_TRIES + 1 if self._spec.level_span else min(done, DENSE_TRIES)
                made = self._try(dense / DENSE_TRIES)
                if made and self._spec.level_span:
                    made = self._levelled(made, self._spec.level_span, patient=done > HARD_TRIES)
                if made:
                    return made
        except TimeLimitError:
            why = "the time limit passed"
        why += f" after {counted(done, 'beginning')}"
        if self._near:
            least, most = self._spec.clues or (0, 0)
            nearest = min(self._near, key=lambda clues: max(least - clues, clues - most))
            why += f"; the nearest had {counted(nearest, 'clue')}"
        if self._missed:
            levels = sorted(self._missed, key=(*LEVELS, "harder").index)
            why += f"; levels: {', '.join(f'{self._missed[level]} {level}' for level in levels)}"
        return Generated(None, remark=why)

    def _try(self, density: float) -> Generated | None:
        """None where constraints or clues do not do."""
        spec, random = self._spec, self._random
        live, solution = self._solved()
        if solution is None:
            # other random regions may have one
            if REGIONS in spec.kinds:
                return None
            raise RingdokuError("the rules, with the clues that stay, have no solution")
        ruleset, placing = live.ruleset, Placing(solution, random, density)
        placed = list(chain.from_iterable(PLACED[kind](placing) for kind in self._kinds))
        if self._kinds:
            live = RulesSolver(ruleset, placed, self._deadline)
        target = random.randint(*spec.clues) if spec.clues else 0
        several = spec.solutions is Solutions.MANY
        # a second solution takes a clue that is needed
        clues = self._few_clues(live, solution, 0 if several else target)
        if clues is None:
            return None
        if spec.minimal and placed:
            # none of these can be left out beside the clues
            rules, beside = [[rule] for rule in live.rules], live.clues(solution, clues)
            placed = [placed[index] for index in needed(live, solution, rules, self._random, beside) or ()]
        if several:
            chosen = self._with_another(live, solution, clues, target)
        else:
            chosen = self._filled_up(clues, target, self._groups)
        if chosen is None:
            return None
        puzzle = Puzzle(ruleset.extended(*placed), solution.only(chosen))
        return self._without(live, puzzle) if spec.solutions is Solutions.NONE else Generated(puzzle, solution)

    def _solved(self) -> tuple[RulesSolver, Grid | None]:
        """A live solver that holds the rules, and a random solution, None where there is none."""
        ruleset, random = self._spec.ruleset, self._random
        if REGIONS in self._spec.kinds:
            others = [rule for rule in ruleset.constraints if not isinstance(rule, Boxes)]
            ruleset = Ruleset(ruleset.board, (*others, random_regions(ruleset.board, random)))
            self._live = None
        if self._live is None or self._used >= MOST_SOLUTIONS_HELD:
            self._live, self._used = RulesSolver(ruleset, (), self._deadline), 0
        self._used += 1
        self._live.deadline = self._deadline
        if self._spec.solution:
            return self._live, self._spec.solution
        if not self._kept and ruleset.classic_box and ruleset.order <= COMPLETED_ORDER:
            return self._live, random_solution(ruleset, random, self._session)
        kept = self._live.clues(self._spec.kept, self._spec.kept.filled) if self._spec.kept else ()
        return self._live, random_solution_of(self._live, random, kept)

    def _few_clues(self, live: RulesSolver, solution: Grid, enough: int) -> set[int] | None:
        """The cells of clues, `enough` or so few that no group can be left out, beside the constraints that were
        placed; None where those of the pattern, or the constraints alone, would have to do, and do not."""
        spec = self._spec
        given = frozenset[int]() if spec.clues and spec.clues[1] == 0 else spec.pattern
        groups = self._groups if given is None else []
        stay = self._kept.union(given or ())
        literals = [live.clues(solution, group) for group in groups]
        fixed = [*live.rules, *live.clues(solution, sorted(stay))]
        kept = needed(live, solution, literals, self._random, fixed, spec.minimal, max(0, enough - len(self._kept)))
        return None if kept is None else stay.union(cell for index in kept for cell in groups[index])

    def _with_another(self, live: RulesSolver, solution: Grid, clues: set[int], target: int) -> set[int] | None:
        """Clues that the solution shares with another one: the needed ones but for one group, and others."""
        groups = [group for group in self._groups if clues.issuperset(group)]
        if not groups:
            return None
        fewer = clues.difference(self._random.choice(groups))
        other = live.excluding((solution,))
        # without a group of a minimal set there is a second solution
        assert live.is_satisfiable([other, *live.clues(solution, sorted(fewer))])
        second = live.solution()
        live.retract(other)
        if self._spec.clues and len(fewer) > target:
            fewer = set()
        shared = [group for group in self._groups if solution.at(group) == second.at(group)]
        return self._filled_up(fewer, target, shared)

    def _filled_up(self, clues: set[int], target: int, allowed: Sequence[tuple[int, ...]]) -> set[int] | None:
        """These cells and more groups of those allowed, up to the target; None if there are not as many as asked."""
        if self._spec.clues is None:
            return clues
        chosen = set(clues)
        for group in self._random.sample(allowed, len(allowed)):
            more = set(group) - chosen
            if len(chosen) + len(more) <= target:
                chosen |= more
        least, most = self._spec.clues
        if least <= len(chosen) <= most:
            return chosen
        self._near.append(len(clues))
        return None

    def _without(self, live: RulesSolver, puzzle: Puzzle) -> Generated | None:
        """The puzzle with one clue changed, so that there is no solution, and no rule that clues alone break."""
        digits, clues = puzzle.clues.digits, puzzle.clues.filled
        changes = [(cell, digit) for cell in clues for digit in puzzle.board.digits if digit != digits[cell]]
        for cell, digit in self._random.sample(changes, len(changes)):
            changed = Puzzle(puzzle.ruleset, puzzle.clues.put(cell, digit))
            broken = next(repeats(changed, changed.clues), None)
            if not broken and not live.is_satisfiable(live.clues(changed.clues, clues)):
                return Generated(changed)
        self._near.append(len(clues))
        return None

    def _levelled(self, made: Generated, span: tuple[str, str], patient: bool) -> Generated | None:
        """The puzzle, perhaps with more clues, if it has one of the levels."""
        puzzle, solution = made.puzzle, made.solution
        assert puzzle is not None
        assert solution is not None
        spec, (least, most) = self._spec, map(LEVELS.index, span)
        level, names = self._level(puzzle, solution, most)
        # steps that rest on it that there is one solution do not show it of fewer clues
        fixed = spec.minimal or spec.clues or spec.pattern is not None or spec.technique in UNIQUENESS
        if level is None and not fixed and (patient or most <= 1):
            puzzle = self._easier(puzzle, solution, most)
            level, names = self._level(puzzle, solution, most)
        if level is not None and level >= least and spec.technique in (None, *names):
            return Generated(puzzle, solution)
        self._missed["harder" if level is None else LEVELS[level]] += 1
        return None

    def _easier(self, puzzle: Puzzle, solution: Grid, most: int) -> Puzzle:
        """The puzzle with other groups of clues, of which none can be left out: it would be harder than `most`."""
        clues = set(puzzle.clues.filled)
        # those of the puzzle first
        groups = self._random.sample(self._groups, len(self._groups))
        groups.sort(key=lambda group: not clues.issuperset(group))
        known = sum(map(clues.issuperset, groups))

        def with_clues(chosen: Sequence[tuple[int, ...]]) -> Puzzle:
            return Puzzle(puzzle.ruleset, solution.only(self._kept.union(*chosen)))

        def is_easy(chosen: Sequence[tuple[int, ...]]) -> bool:
            return self._level(with_clues(chosen), solution, most)[0] is not None

        # more clues never make a puzzle harder
        counts = range(known, len(groups))
        kept = groups[: known + bisect_left(counts, True, key=lambda count: is_easy(groups[:count]))]
        for group in kept[:-1]:
            fewer = [other for other in kept if other != group]
            if is_easy(fewer):
                kept = fewer
        return with_clues(kept)

    def _level(self, puzzle: Puzzle, solution: Grid, most: int) -> tuple[int | None, set[str]]:
        """The place in `LEVELS` of a puzzle with just this solution, None where it is above `most`; and the names of
        its steps. Raises `TimeLimitError` at the deadline."""
        is_unique = self._spec.technique in UNIQUENESS
        effort = Effort(min(most, MOST_TRUTHS), False, (solution,), self._deadline, unique=is_unique)
        walk = Walk(puzzle, effort, start_of(puzzle))
        steps = list(walk)
        names = {step.name for step in steps}
        if walk.outcome is Outcome.SOLVED:
            return max((step.size for step in steps if step.removed and not step.placed), default=0), names
        return len(LEVELS) - 1 if most > MOST_TRUTHS else None, names


def random_solution(ruleset: Ruleset, random: Random, session: Session | None = None) -> Grid:
    """A full grid that breaks no classic rule."""
    height, width = ruleset.require_classic("the generator")
    digits, names = list(Grid.blank(ruleset.order).digits), range(1, ruleset.order + 1)
    # boxes that share neither rows nor columns, without the last: on 4x4 two opposite boxes can contradict each other
    for place in range(max(1, min(height, width) - 1)):
        box = ruleset.houses[2 * ruleset.order + place * height + place]
        for cell, digit in zip(box.cells, random.sample(names, ruleset.order), strict=True):
            digits[cell] = digit
    found = (session or Session(BACKEND)).solve(Puzzle(ruleset, Grid(tuple(digits)))).grid
    if found is None:
        raise RingdokuError(f"no solution of {ruleset} was found")
    return shuffled(ruleset, found, random)


def random_solution_of(live: RulesSolver, random: Random, fixed: Sequence[int] = ()) -> Grid | None:
    """A solution of any rules with the literals `fixed`, and random digits as far as they easily allow; None: none."""
    board, assumed = live.ruleset.board, list(fixed)
    if not live.is_satisfiable(assumed):
        return None
    found = live.solution()
    for cell in random.sample(range(board.grid_count), min(board.grid_count, 2 * board.order)):
        digit = random.choice(board.digits)
        trial = live.literals[cell][digit - board.least]
        if found.digits[cell] != digit:
            if not live.solve([*assumed, trial], FEW_CONFLICTS):
                continue
            found = live.solution()
        assumed.append(trial)
    return found


def shuffled(ruleset: Ruleset, solution: Grid, random: Random) -> Grid:
    """The solution with digits renamed, bands, stacks, and the rows and columns in them permuted."""
    n = ruleset.order
    names = random.sample(range(1, n + 1), n)
    rows, columns = (_lines(n, group, random) for group in ruleset.require_classic("shuffling"))
    return Grid(tuple(names[solution.digits[row * n + column] - 1] for row in rows for column in columns))


def _lines(order: int, group: int, random: Random) -> list[int]:
    """Rows or columns in an order that keeps the groups of `group` together."""
    starts = random.sample(range(0, order, group), order // group)
    return [start + offset for start in starts for offset in random.sample(range(group), group)]


def needed(
    live: RulesSolver,
    solution: Grid,
    groups: Sequence[Sequence[int]],
    random: Random,
    fixed: Sequence[int] = (),
    patient: bool = True,
    enough: int = 0,
) -> tuple[int, ...] | None:
    """The indices of groups of literals none of which can go without a second solution, ascending; None: all leave one.

    They are tried in random order, with the literals `fixed`, until no more than `enough` literals of groups are left.
    Unless `patient`, a question that takes more than a second or so counts as one that found a second solution, by the
    number of conflicts, so that the answer is always the same. Raises `TimeLimitError` at the deadline of `live`.
    """
    other = live.excluding((solution,))
    kept = set(range(len(groups)))
    order = random.sample(range(len(groups)), len(groups))
    # solvers name rather the literals that they were given first: in a random order these are spread over the grid
    spread = order[::-1]

    def is_unique(left: set[int]) -> bool:
        assumed = [other, *fixed, *(literal for index in spread if index in left for literal in groups[index])]
        if patient:
            return not live.is_satisfiable(assumed)
        answer = live.solve(assumed, IMPATIENT_CONFLICTS)
        live.deadline.check()
        return answer is False

    try:
        if not is_unique(kept):
            return None
        for index in order:
            if sum(len(groups[left]) for left in kept) <= enough:
                break
            if index in kept and is_unique(kept - {index}):
                reason = live.core()
                kept = {left for left in kept - {index} if not reason.isdisjoint(groups[left])}
    finally:
        live.retract(other)
    return tuple(sorted(kept))
