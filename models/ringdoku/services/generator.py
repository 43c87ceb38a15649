"""Makes puzzles to a spec: number of clues, symmetry or pattern, one solution, several or none, rules and constraints.

Equal specs and seeds give equal puzzles with the same versions of Python and the solver. The first ones are the same
for any count, unless a time limit cuts one short. They are no uniform sample: random removal favours few clues.

If the spec asks for a level, each puzzle is made as any other and then rated. One of another level is dropped. One that
is too hard may get clues back; then it has a minimal set of clues among those that the allowed steps can solve.

To get a solution, a solver completes random diagonal boxes, and a random symmetry hides the solver's preferences. Clues
are assumptions on an incremental solver. One call asks whether a group of clues can go. If it can, every group outside
the unsatisfiable core goes too: a minimal 9×9 puzzle takes 37 calls, not 81. `make` is the entry point.
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
"""Not `auto`: if that came to mean another backend, the puzzles of a seed would change."""
COMPLETED_ORDER = 36
"""The largest order of classic puzzles whose random boxes a solver completes in a moment."""
DENSE_TRIES = 10
"""Constraints get denser over so many tries. If the spec asks for a level, they then start thin again."""


def make(spec: Spec, seed: int = 0, time_limit: float | None = None) -> Iterator[Generated]:
    """Endless puzzles; the time limit (seconds) is for each. Raises `RingdokuError` if rules and clues have none."""
    generator = _Generator(spec)
    for number in count():
        random, deadline = Random(f"{seed} {number}"), Deadline.asked(time_limit)
        if time_limit is None or spec.ruleset.order <= COMPLETED_ORDER:
            yield generator.make(random, deadline)
            continue
        # a solver checks no clock while it takes in millions of clauses, or answers one hard question
        try:
            yield run_in_process(partial(generator.make, random, deadline), deadline)
        except TimeLimitError:
            yield Generated(None, remark="the time limit passed after 1 attempt")


class _Generator:
    """Makes puzzles to one spec, with one incremental solver for all puzzles of the same rules."""

    def __init__(self, spec: Spec) -> None:
        self._spec, self._session = spec, Session(BACKEND)
        groups, kept = orbits(spec.ruleset.board, spec.symmetry), set(spec.kept.filled if spec.kept else ())
        self._groups = [group for group in groups if kept.isdisjoint(group)]
        # all cells of a group with a clue that stays are clues
        self._fixed_cells = {cell for group in groups if not kept.isdisjoint(group) for cell in group}
        self._kinds = [kind for kind in spec.kinds if kind != REGIONS]
        self._solver: RulesSolver | None = None
        self._blocked = 0

    def make(self, random: Random, deadline: Deadline) -> Generated:
        self._random, self._deadline = random, deadline
        # of the puzzles that were dropped because their number of clues is not as asked
        self._clue_counts: list[int] = []
        self._wrong_levels = Counter[str]()
        done, why = 0, "no success"
        try:
            for done in range(1, self._spec.tries + 1):
                # dense constraints make easy puzzles
                dense = (done - 1) % DENSE_TRIES + 1 if self._spec.level_span else min(done, DENSE_TRIES)
                if made := self._attempt(dense / DENSE_TRIES, patient=done > 30):
                    return made
        except TimeLimitError:
            why = "the time limit passed"
        why += f" after {counted(done, 'attempt')}"
        if self._clue_counts:
            least, most = self._spec.clues or (0, 0)
            nearest = min(self._clue_counts, key=lambda clues: max(least - clues, clues - most))
            why += f"; the nearest had {counted(nearest, 'clue')}"
        if self._wrong_levels:
            levels = sorted(self._wrong_levels, key=(*LEVELS, "harder").index)
            why += f"; levels: {', '.join(f'{self._wrong_levels[level]} {level}' for level in levels)}"
        return Generated(None, remark=why)

    def _attempt(self, density: float, patient: bool) -> Generated | None:
        """One try at a puzzle; None if the constraints, clues or level cannot be as asked."""
        spec, random = self._spec, self._random
        solver, solution = self._solver_and_solution()
        if solution is None:
            # other random regions may have a solution
            if REGIONS in spec.kinds:
                return None
            raise RingdokuError("the rules, with the clues that stay, have no solution")
        ruleset, placing = solver.ruleset, Placing(solution, random, density)
        placed = list(chain.from_iterable(PLACED[kind](placing) for kind in self._kinds))
        if self._kinds:
            solver = RulesSolver(ruleset, placed, self._deadline)
        target = random.randint(*spec.clues) if spec.clues else 0
        several = spec.solutions is Solutions.MANY
        # start from a minimal set: without one of its groups there is a second solution
        clues = self._reduced_clues(solver, solution, 0 if several else target)
        if clues is None:
            return None
        if spec.minimal and placed:
            # drop constraints that the clues do not need
            rules, beside = [[rule] for rule in solver.rules], solver.clues(solution, clues)
            placed = [placed[index] for index in minimal_groups(solver, solution, rules, self._random, beside) or ()]
        if several:
            chosen = self._shared_clues(solver, solution, clues, target)
        else:
            chosen = self._extended_clues(clues, target, self._groups)
        if chosen is None:
            return None
        puzzle = Puzzle(ruleset.extended(*placed), solution.only(chosen))
        if spec.solutions is Solutions.NONE:
            return self._unsolvable(solver, puzzle)
        if span := spec.level_span:
            return self._of_asked_level(puzzle, solution, span, patient)
        return Generated(puzzle, None if several else solution)

    def _solver_and_solution(self) -> tuple[RulesSolver, Grid | None]:
        """A solver with the rules, and a random solution or that of the spec; None if there is none."""
        ruleset, random = self._spec.ruleset, self._random
        if REGIONS in self._spec.kinds:
            others = [rule for rule in ruleset.constraints if not isinstance(rule, Boxes)]
            ruleset = Ruleset(ruleset.board, (*others, random_regions(ruleset.board, random)))
            self._solver = None
        # retracted blocking clauses still slow a solver down
        if self._solver is None or self._blocked >= 1000:
            self._solver, self._blocked = RulesSolver(ruleset, (), self._deadline), 0
        self._blocked += 1
        self._solver.deadline = self._deadline
        if self._spec.solution:
            return self._solver, self._spec.solution
        if not self._fixed_cells and ruleset.classic_box and ruleset.order <= COMPLETED_ORDER:
            return self._solver, random_solution(ruleset, random, self._session)
        kept = self._solver.clues(self._spec.kept, self._spec.kept.filled) if self._spec.kept else ()
        return self._solver, random_solution_of(self._solver, random, kept)

    def _reduced_clues(self, solver: RulesSolver, solution: Grid, enough: int) -> set[int] | None:
        """The cells of the clues that remain after removing groups while one solution is left: at most `enough`, or a
        minimal set. None if the clues of the pattern, or the constraints alone, leave several solutions."""
        spec = self._spec
        given = frozenset[int]() if spec.clues and spec.clues[1] == 0 else spec.pattern
        groups = self._groups if given is None else []
        stay = self._fixed_cells.union(given or ())
        literals = [solver.clues(solution, group) for group in groups]
        fixed = [*solver.rules, *solver.clues(solution, sorted(stay))]
        enough = max(0, enough - len(self._fixed_cells))
        kept = minimal_groups(solver, solution, literals, self._random, fixed, spec.minimal, enough)
        return None if kept is None else stay.union(cell for index in kept for cell in groups[index])

    def _shared_clues(self, solver: RulesSolver, solution: Grid, clues: set[int], target: int) -> set[int] | None:
        """Clues that another solution has too: `clues` without one group, and more; None if too few or too many."""
        groups = [group for group in self._groups if clues.issuperset(group)]
        if not groups:
            return None
        fewer = clues.difference(self._random.choice(groups))
        other = solver.excluding((solution,))
        # without a group of a minimal set there is a second solution
        assert solver.is_satisfiable([other, *solver.clues(solution, sorted(fewer))])
        second = solver.solution()
        solver.retract(other)
        if self._spec.clues and len(fewer) > target:
            fewer = set()
        shared = [group for group in self._groups if solution.at(group) == second.at(group)]
        return self._extended_clues(fewer, target, shared)

    def _extended_clues(self, clues: set[int], target: int, allowed: Sequence[tuple[int, ...]]) -> set[int] | None:
        """The clues and more groups of those allowed, up to the target; None if there are not as many as asked."""
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
        self._clue_counts.append(len(chosen))
        return None

    def _unsolvable(self, solver: RulesSolver, puzzle: Puzzle) -> Generated | None:
        """The puzzle with one clue changed: no solution, though no two clues conflict. None if there is none such."""
        digits, clues = puzzle.clues.digits, puzzle.clues.filled
        changes = [(cell, digit) for cell in clues for digit in puzzle.board.digits if digit != digits[cell]]
        for cell, digit in self._random.sample(changes, len(changes)):
            changed = Puzzle(puzzle.ruleset, puzzle.clues.put(cell, digit))
            broken = next(repeats(changed, changed.clues), None)
            if not broken and not solver.is_satisfiable(solver.clues(changed.clues, clues)):
                return Generated(changed)
        self._clue_counts.append(len(clues))
        return None

    def _of_asked_level(self, puzzle: Puzzle, solution: Grid, span: tuple[str, str], patient: bool) -> Generated | None:
        """The puzzle, perhaps with more clues, if it has a level in `span` and the technique; otherwise None."""
        spec, (least, most) = self._spec, map(LEVELS.index, span)
        level, names = self._level(puzzle, solution, most)
        # a path that assumes one solution does not show that fewer clues have one
        keeps_clues = spec.minimal or spec.clues or spec.pattern is not None or spec.technique in UNIQUENESS
        # to put clues back takes longer than another try, unless steps have one truth, which are found at once
        if level is None and not keeps_clues and (patient or most <= 1):
            puzzle = self._easier(puzzle, solution, most)
            level, names = self._level(puzzle, solution, most)
        if level is not None and level >= least and spec.technique in (None, *names):
            return Generated(puzzle, solution)
        self._wrong_levels["harder" if level is None else LEVELS[level]] += 1
        return None

    def _easier(self, puzzle: Puzzle, solution: Grid, most: int) -> Puzzle:
        """A puzzle no harder than `most` whose set of clues is minimal: without any group it would be harder."""
        clues = set(puzzle.clues.filled)
        # the clues of the puzzle first
        groups = self._random.sample(self._groups, len(self._groups))
        groups.sort(key=lambda group: not clues.issuperset(group))
        known = sum(map(clues.issuperset, groups))

        def with_clues(chosen: Sequence[tuple[int, ...]]) -> Puzzle:
            return Puzzle(puzzle.ruleset, solution.only(self._fixed_cells.union(*chosen)))

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
        """The index in `LEVELS` of a puzzle with only this solution, None if above `most`; and the names of its steps.
        Raises `TimeLimitError` at the deadline."""
        is_unique = self._spec.technique in UNIQUENESS
        effort = Effort(min(most, MOST_TRUTHS), False, (solution,), self._deadline, unique=is_unique)
        walk = Walk(puzzle, effort, start_of(puzzle))
        steps = list(walk)
        names = {step.name for step in steps}
        if walk.outcome is Outcome.SOLVED:
            return max((step.size for step in steps if step.removed and not step.placed), default=0), names
        return len(LEVELS) - 1 if most > MOST_TRUTHS else None, names


def random_solution(ruleset: Ruleset, random: Random, session: Session | None = None) -> Grid:
    """A random full grid of classic rules."""
    height, width = ruleset.require_classic("the generator")
    digits, names = list(Grid.blank(ruleset.order).digits), range(1, ruleset.order + 1)
    # diagonal boxes, which share no rows or columns, without the last: on 4x4 two of them can contradict each other
    for place in range(max(1, min(height, width) - 1)):
        box = ruleset.houses[2 * ruleset.order + place * height + place]
        for cell, digit in zip(box.cells, random.sample(names, ruleset.order), strict=True):
            digits[cell] = digit
    found = (session or Session(BACKEND)).solve(Puzzle(ruleset, Grid(tuple(digits)))).grid
    if found is None:
        raise RingdokuError(f"no solution of {ruleset} was found")
    return shuffled(ruleset, found, random)


def random_solution_of(solver: RulesSolver, random: Random, fixed: Sequence[int] = ()) -> Grid | None:
    """A solution with the literals `fixed` and as many random digits as are easily possible; None if there is none."""
    board, assumed = solver.ruleset.board, list(fixed)
    if not solver.is_satisfiable(assumed):
        return None
    found = solver.solution()
    for cell in random.sample(range(board.grid_count), min(board.grid_count, 2 * board.order)):
        digit = random.choice(board.digits)
        trial = solver.literals[cell][digit - board.least]
        if found.digits[cell] != digit:
            if not solver.solve([*assumed, trial], conflicts=50):
                continue
            found = solver.solution()
        assumed.append(trial)
    return found


def shuffled(ruleset: Ruleset, solution: Grid, random: Random) -> Grid:
    """The solution with digits, bands, stacks, and the rows and columns within them permuted at random."""
    n = ruleset.order
    names = random.sample(range(1, n + 1), n)
    orders = list[list[int]]()
    for group in ruleset.require_classic("shuffling"):
        # the rows of a band, and the columns of a stack, stay together
        starts = random.sample(range(0, n, group), n // group)
        orders.append([start + offset for start in starts for offset in random.sample(range(group), group)])
    rows, columns = orders
    return Grid(tuple(names[solution.digits[row * n + column] - 1] for row in rows for column in columns))


def minimal_groups(
    solver: RulesSolver,
    solution: Grid,
    groups: Sequence[Sequence[int]],
    random: Random,
    fixed: Sequence[int] = (),
    patient: bool = True,
    enough: int = 0,
) -> tuple[int, ...] | None:
    """The indices of a minimal set of groups of literals that leaves one solution, ascending: a minimal unsatisfiable
    subset with the solution excluded, found by deletion. None if even all groups leave a second solution.

    Groups are deleted in random order, beside the literals `fixed`, until at most `enough` literals of groups are left.
    Unless `patient`, a call that reaches a conflict limit, after a second or so, counts as if it had found a second
    solution; no clock decides, so the answer is always the same. Raises `TimeLimitError` at the deadline of `solver`.
    """
    other = solver.excluding((solution,))
    kept = set(range(len(groups)))
    order = random.sample(range(len(groups)), len(groups))
    # cores favour the literals that were assumed first: a random order spreads them over the grid
    spread = order[::-1]

    def is_unique(left: set[int]) -> bool:
        assumed = [other, *fixed, *(literal for index in spread if index in left for literal in groups[index])]
        if patient:
            return not solver.is_satisfiable(assumed)
        answer = solver.solve(assumed, conflicts=20_000)
        solver.deadline.check()
        return answer is False

    try:
        if not is_unique(kept):
            return None
        for index in order:
            if sum(len(groups[left]) for left in kept) <= enough:
                break
            if index in kept and is_unique(kept - {index}):
                core = solver.core()
                kept = {left for left in kept - {index} if not core.isdisjoint(groups[left])}
    finally:
        solver.retract(other)
    return tuple(sorted(kept))
