"""An explanation: its steps in sentences and pictures, where they lead, and how hard they are. A puzzle is rated by the
number of truths that its steps take. The scale is our own; no other program uses it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, reduce, total_ordering
from itertools import permutations
from operator import or_

from ringdoku.domain import Constraint, Grid, Puzzle, Ruleset, TimeLimitError, counted
from ringdoku.domain.checker import repeats
from ringdoku.domain.showing import Shown
from ringdoku.drawing.views import View
from ringdoku.explanations.checker import after, check_step
from ringdoku.explanations.graph import graph_of
from ringdoku.explanations.inferences import Candidate, Candidates, Inference, RuleTruth, Truth, ways_of
from ringdoku.explanations.path import Effort, Outcome, Walk, start_of
from ringdoku.explanations.search import MOST_TRUTHS
from ringdoku.explanations.techniques import SINGLES, SPLITS, TECHNIQUES, hardness
from ringdoku.explanations.wording import Words, wrapped
from ringdoku.limits import NEVER

LEVELS = ("singles", *map(str, range(1, MOST_TRUTHS + 1)), "cases")
"""The levels of puzzles, easiest first: singles are enough; the truths of the hardest step; a case split."""

LEVEL_WORDS = {
    "easy": LEVELS[:1],
    "medium": LEVELS[1:2],
    "hard": LEVELS[2:4],
    "fiendish": LEVELS[4:-1],
    "diabolical": LEVELS[-1:],
}
"""The words for the levels."""
HINTS = ("where", "technique", "cells", "step")
"""The levels of hints, from the vaguest to the whole step."""


@dataclass(frozen=True)
class Step(Inference, Shown):
    """An inference with the `grid` and the `candidates` before it. `number` counts from 1. `earlier` has, for each
    truth, the candidates that earlier steps removed by it."""

    puzzle: Puzzle = field(kw_only=True)
    grid: Grid = field(kw_only=True)
    candidates: Candidates = field(kw_only=True)
    number: int = field(kw_only=True)
    earlier: Mapping[Truth, int] = field(kw_only=True, repr=False, compare=False, default_factory=dict)

    @cached_property
    def rules(self) -> tuple[RuleTruth, ...]:
        """The other rules that the step relies on: those that ruled out candidates of its truths which no unit
        excludes; and of rules by which cells differ, such as cages and anti-knight, those that it needs."""
        ruleset, graph = self.puzzle.ruleset, graph_of(self.puzzle.ruleset)
        alive, relevant = graph.alive(self.candidates), graph.premises(self) | graph.union(self.removed)
        links = {RuleTruth(each): bits for each in ruleset.special if (bits := self._linked_by(each)) is not None}
        others = _without(ruleset, *(rule.constraint for rule in (*links, *(each.truth for each in graph.rules))))
        by_units = reduce(or_, map(graph_of(others).unit_conflicts.__getitem__, graph.filled(self.grid)), 0)
        excluded = {rule: gone | self.earlier.get(rule, 0) for rule, gone in graph.ruled_out(self.grid, alive).items()}
        for rule, bits in links.items():
            by_others = reduce(or_, (of_other for other, of_other in links.items() if other != rule), 0)
            excluded[rule] = excluded.get(rule, 0) | bits & ~by_others
        return tuple(
            rule
            for rule in dict.fromkeys(map(RuleTruth, ruleset.constraints))
            if (gone := excluded.get(rule)) is not None
            and rule not in self.truths
            # a rule that only makes cells differ is none of the graph's
            and ((graph.bits_of(rule) or graph.all) | gone) & relevant
            and not _follows_without(self.puzzle, self, rule, alive | gone & ~by_units)
        )

    def _linked_by(self, rule: Constraint) -> int | None:
        """The candidates that a digit of the grid excludes in houses of a rule, if it has some smaller than units."""
        board, digits, graph = self.puzzle.board, self.grid.digits, graph_of(self.puzzle.ruleset)
        houses = [house.cells for house in rule.houses(board) if len(house.cells) < board.order]
        pairs = (pair for cells in houses for pair in permutations(cells, 2))
        filled = [(other, digits[cell]) for cell, other in pairs if digits[cell] != board.blank]
        return graph.union(filled) if houses else None

    def sentences(self, symbols: Sequence[str] = ()) -> list[str]:
        """What follows and why; lines of a case are indented. `symbols` as in `Words`."""
        words = Words(self.puzzle, symbols)
        if not (self.removed or self.placed) and (repeat := next(repeats(self.puzzle, self.grid), None)):
            return [f"There is no solution: {repeat.sentence(words.digit)}."]
        *lines, last = words.lines(self.candidates, self)
        return [*lines, f"{last.removesuffix('.')}{words.resting_on(self.rules)}."]

    def lines(self, symbols: Sequence[str] = ()) -> list[str]:
        """The step in sentences, with its number and its name."""
        first, *others = self.sentences(symbols)
        heading = Words(self.puzzle, symbols).heading(self)
        return [f"{self.number}. {first if heading == 'contradiction' else f'{heading}: {first}'}", *others]

    def hints(self, symbols: Sequence[str] = (), last: str = HINTS[-1]) -> dict[str, str]:
        """The text of each of the `HINTS`, up to the `last`."""
        words = Words(self.puzzle, symbols)
        texts = (words.where(self), words.heading(self), words.which(self), "\n".join(self.sentences(symbols)))
        return dict(zip(HINTS[: HINTS.index(last) + 1], texts, strict=False))

    def __str__(self) -> str:
        return "\n".join(wrapped(self.lines()))

    @property
    def ways(self) -> frozenset[Candidate]:
        """The candidates that satisfy its truths; for a case split, those of the truth that fails."""
        last = self.case.end if self.case else self
        return frozenset(way for truth in last.truths for way in ways_of(truth, self.puzzle.ruleset, self.candidates))

    @property
    def after(self) -> tuple[Grid, Candidates]:
        return self.grid.put(*self.placed) if self.placed else self.grid, after(self.candidates, self)

    def cells(self, blank: str, symbols: Sequence[str] = ()) -> list[str]:
        """The texts of the cells: a digit, or the candidates where the step needs them. `12-3` loses 3, `=5` gets 5."""
        name, removed = Words(self.puzzle, symbols).digit, set(self.removed)
        looked_at = {cell for cell, _ in self.ways | removed}
        texts = []
        for cell, digits in enumerate(self.candidates[: self.puzzle.board.grid_count]):
            if self.placed and cell == self.placed[0]:
                texts.append(f"={name(self.placed[1])}")
            elif cell in looked_at and not (self.placed and len(digits) > 1):
                kept = "".join(name(digit) for digit in sorted(digits) if (cell, digit) not in removed)
                lost = "".join(name(digit) for place, digit in self.removed if place == cell)
                texts.append(f"{kept}-{lost}" if lost else kept)
            else:
                texts.append(blank if self.grid.digits[cell] == self.grid.board.blank else name(self.grid.digits[cell]))
        return texts

    def view(self, symbols: Sequence[str] = ()) -> View:
        """The step's picture: the cells of its truths lit, discs on their candidates, and removed ones struck out."""
        graph, truths = graph_of(self.puzzle.ruleset), self.case.end.truths if self.case else self.truths
        lit = {cell for truth in truths for cell, _ in graph.candidates_in(graph.bits_of(truth))}
        return View(
            self.puzzle,
            self.grid,
            symbols=symbols,
            candidates=self.candidates,
            lit=lit,
            basis=self.ways.difference(self.removed, [self.placed]),
            removed=self.removed,
            placed=self.placed,
            caption="\n".join(self.lines(symbols)),
            alarm="" if self.removed or self.placed else "no solution",
            title=f"step {self.number}",
        )


def steps_of(puzzle: Puzzle, start: Candidates, inferences: Iterable[Inference]) -> Iterator[Step]:
    """The inferences as steps, each with the grid and candidates before it; the first from the candidates `start`."""
    graph, grid, left, earlier = graph_of(puzzle.ruleset), puzzle.clues, start, dict[Truth, int]()
    for number, inference in enumerate(inferences, 1):
        step = Step(**vars(inference), puzzle=puzzle, grid=grid, candidates=left, number=number, earlier=earlier)
        yield step
        earlier = {**earlier, step.truths[0]: earlier.get(step.truths[0], 0) | graph.union(step.removed)}
        grid, left = step.after


def _follows_without(puzzle: Puzzle, step: Inference, omitted: RuleTruth, alive: int) -> bool:
    """Whether a step follows without a rule. If another rule alone makes the step, propagation decides as when it was
    found, since such a rule can often be satisfied in too many ways to check them all."""
    graph, fewer, first = graph_of(puzzle.ruleset), _without(puzzle.ruleset, omitted.constraint), step.truths[0]
    if step.size > 1 or not isinstance(first, RuleTruth):
        return not check_step(Puzzle(fewer, puzzle.clues), graph.candidates(alive), step)
    rule = next(rule for rule in graph.rules if rule.truth == first)
    wanted = graph.union(step.removed) or rule.bits & alive
    return not wanted & ~rule.excludes(alive) or not wanted & ~graph_of(fewer).refuted_by(rule, alive, NEVER.check)


@lru_cache(maxsize=256)
def _without(ruleset: Ruleset, *omitted: Constraint) -> Ruleset:
    """The ruleset without some constraints; unchanged if one of these makes units."""
    fewer = Ruleset(ruleset.board, tuple(rule for rule in ruleset.constraints if rule not in omitted))
    return fewer if len(fewer.units) == len(ruleset.units) else ruleset


@total_ordering
@dataclass(frozen=True)
class Rating:
    """The number of `truths` of the hardest step, and its `technique`, empty if it has no name. `steps` counts steps by
    their truths, `splits` counts case splits by their depth, and `outcome` is how the steps ended. `trial_depth` is the
    depth of trial and error (see `cases`), None if nobody asked, or if rules say more than that cells differ. Ratings
    are ordered, the easiest first."""

    truths: int
    technique: str
    steps: Mapping[int, int] = field(hash=False)
    outcome: Outcome
    splits: Mapping[int, int] = field(hash=False, default_factory=dict)
    trial_depth: int | None = None

    @property
    def key(self) -> tuple[object, ...]:
        """The key that orders ratings: those that the time limit ended come last; then by the depth of nested cases,
        the truths of the hardest step, its technique's place in the table, the numbers of case splits, and those of
        other steps of several truths, the largest first."""
        splits, steps = sorted(self.splits.items(), reverse=True), sorted(self.steps.items(), reverse=True)
        hardest = max(self.splits, default=0), self.truths, [*TECHNIQUES, self.technique].index(self.technique)
        return self.outcome is Outcome.LIMIT, *hardest, splits, [each for each in steps if each[0] > 1]

    @property
    def level(self) -> str:
        """One of `LEVELS`, or how the steps ended if they did not reach the solution."""
        if self.outcome is not Outcome.SOLVED or self.splits:
            return LEVELS[-1] if self.outcome is Outcome.SOLVED else self.outcome.value
        return LEVELS[0] if not self.truths or self.technique in SINGLES else str(self.truths)

    @property
    def word(self) -> str:
        """One of `LEVEL_WORDS`, or "nothing to do", or how the steps ended."""
        if not self.truths or self.outcome is not Outcome.SOLVED:
            return "nothing to do" if self.outcome is Outcome.SOLVED else self.outcome.value
        return next(word for word, levels in LEVEL_WORDS.items() if self.level in levels)

    @property
    def record(self) -> dict[str, object]:
        """For JSON."""
        names = ("level", "word", "truths", "technique", "trial_depth")
        counts = {name: dict(sorted(getattr(self, name).items())) for name in ("steps", "splits")}
        return {**{name: getattr(self, name) for name in names}, **counts}

    def __lt__(self, other: "Rating") -> bool:
        return self.key < other.key

    def __str__(self) -> str:
        if not self.truths:
            return self.word
        hardest = counted(self.truths, "truth") + (f" ({self.technique})" if self.technique else "")
        counts = [f"{count} of {size}" for size, count in sorted(self.steps.items())]
        counts += [counted(count, SPLITS[min(deep, 2)]) for deep, count in sorted(self.splits.items())]
        depth = "" if self.trial_depth is None else f"; trial and error of depth {self.trial_depth}"
        return f"{self.word}: {hardest}; steps: {', '.join(counts)}{depth}"


@dataclass(frozen=True)
class Explanation(Shown):
    """The steps from the candidates `start`, and their outcome. Iterating over it gives its `steps`. Its text has all
    steps, and its picture shows where they lead."""

    puzzle: Puzzle
    start: Candidates
    inferences: tuple[Inference, ...]
    outcome: Outcome

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The inferences as steps, each with the digits and candidates before it; a step can draw itself."""
        return tuple(steps_of(self.puzzle, self.start, self.inferences))

    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps)

    def __len__(self) -> int:
        return len(self.inferences)

    def __getitem__(self, index: int) -> Step:
        return self.steps[index]

    def __bool__(self) -> bool:
        return True

    @property
    def end(self) -> tuple[Grid, Candidates]:
        return self.steps[-1].after if self.steps else (self.puzzle.clues, self.start)

    @cached_property
    def rating(self) -> Rating:
        """The rating of the steps, without a last one that states a contradiction."""
        steps = [step for step in self.inferences if step.removed or step.placed]
        if not steps:
            return Rating(0, "", {}, self.outcome)
        hardest = max(steps, key=hardness)
        small = Counter(step.size for step in steps if not step.case)
        splits = Counter(step.depth for step in steps if step.case)
        return Rating(hardest.size, hardest.name, small, self.outcome, splits)

    def __str__(self) -> str:
        return "\n".join(map(str, (*self.steps, self.ending() or "no solution")))

    def ending(self, kind: str = "") -> str:
        """How the steps end, if only some `kind` was looked for; empty for a contradiction, which is the last step."""
        return {
            Outcome.SOLVED: f"solved; {self.rating}",
            Outcome.STUCK: f"no step{kind} is left; {counted(sum(len(some) > 1 for some in self.end[1]), 'cell')} open",
            Outcome.LIMIT: "unknown: the time limit came first",
        }.get(self.outcome, "")

    def view(self) -> View:
        """Where the steps lead: the digits and the candidates that are left, and how they end."""
        (grid, left), ending = self.end, self.ending()
        alarm = "" if ending else "no solution"
        return View(self.puzzle, grid, candidates=left, caption=ending, alarm=alarm, title="explanation")


def explain_steps(puzzle: Puzzle, effort: Effort, start: Candidates | None = None) -> Explanation:
    """All steps, each of them checked, or those found before the deadline. Raises what `start_of` raises."""
    first = start_of(puzzle) if start is None else start
    walk, steps = Walk(puzzle, effort, first), list[Inference]()
    try:
        steps.extend(walk)
    except TimeLimitError:
        walk.outcome = Outcome.LIMIT
    return Explanation(puzzle, first, tuple(steps), walk.outcome)
