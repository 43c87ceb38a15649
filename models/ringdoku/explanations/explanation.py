"""An explanation: its steps in sentences and pictures, where they lead, and how hard they are. How hard a puzzle is, is
how many truths its steps take. The scale is our own, and no other program's."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, reduce, total_ordering
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

LEVELS = ("singles", *map(str, range(1, MOST_TRUTHS + 1)), "cases")
"""The levels of puzzles, easiest first: singles are enough; so many truths of the hardest step; a case split."""

LEVEL_WORDS = {
    "easy": LEVELS[:1],
    "medium": LEVELS[1:2],
    "hard": LEVELS[2:4],
    "fiendish": LEVELS[4:-1],
    "diabolical": LEVELS[-1:],
}
"""The same in words."""
HINTS = ("where", "technique", "cells", "step")
"""The levels of hints, from the least to all."""


@dataclass(frozen=True)
class Step(Inference, Shown):
    """An inference from the `grid` and the `candidates` before it; `number` counts from 1, and `told` has what earlier
    steps of a truth ruled out."""

    puzzle: Puzzle = field(kw_only=True)
    grid: Grid = field(kw_only=True)
    candidates: Candidates = field(kw_only=True)
    number: int = field(kw_only=True)
    told: Mapping[Truth, int] = field(kw_only=True, repr=False, compare=False, default_factory=dict)

    @cached_property
    def rules(self) -> tuple[RuleTruth, ...]:
        """Those that ruled out candidates which would satisfy its truths, and which no digit of a unit excludes; and
        those of two cells each, such as knight's moves, without which it does not follow."""
        ruleset, graph = self.puzzle.ruleset, graph_of(self.puzzle.ruleset)
        alive, uses = graph.alive(self.candidates), graph.uses(self) | graph.union(self.removed)
        pairs = [each for each in ruleset.special if {len(house.cells) for house in each.houses(ruleset.board)} == {2}]
        without = [*pairs, *(rule.truth.constraint for rule in graph.rules)]
        seen, excluded = self._excluded(*without), self._excluded()
        told = {RuleTruth(each): excluded & ~self._excluded(each) for each in pairs}
        told |= {rule: gone | self.told.get(rule, 0) for rule, gone in graph.ruled_out(self.grid, alive).items()}
        return tuple(
            rule
            for rule, gone in told.items()
            if rule not in self.truths
            and (rule.constraint in pairs or (graph.about(rule) | gone) & uses)
            and not _follows(self.puzzle, self, rule, alive | gone & ~seen)
        )

    def _excluded(self, *without: Constraint) -> int:
        """What the digits of the grid exclude by links, without those of some rules."""
        graph = graph_of(_less(self.puzzle.ruleset, *without))
        return reduce(or_, map(graph.seen.__getitem__, graph.filled(self.grid)), 0)

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
        """What each of the `HINTS` says, up to the `last`."""
        words = Words(self.puzzle, symbols)
        told = (words.where(self), words.heading(self), words.which(self), "\n".join(self.sentences(symbols)))
        return dict(zip(HINTS[: HINTS.index(last) + 1], told, strict=False))

    def __str__(self) -> str:
        return "\n".join(wrapped(self.lines()))

    @property
    def ways(self) -> frozenset[Candidate]:
        """The candidates that its truths leave; of a case split, those of the truth that fails."""
        last = self.cases[0].end if self.cases else self
        return frozenset(way for truth in last.truths for way in ways_of(truth, self.puzzle.ruleset, self.candidates))

    @property
    def after(self) -> tuple[Grid, Candidates]:
        grid = self.grid.put(*self.placed) if self.placed else self.grid
        return grid, after(self.candidates, self)

    def cells(self, blank: str, symbols: Sequence[str] = ()) -> list[str]:
        """Texts of the cells: a digit, or where the step looks candidates; `12-3` loses the 3, `=5` gets the 5."""
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
        """Its picture: cells of its truths lit, discs for the candidates that they leave, those that go struck out."""
        graph, truths = graph_of(self.puzzle.ruleset), self.cases[0].end.truths if self.cases else self.truths
        lit = {cell for truth in truths for cell, _ in graph.listed(graph.about(truth))}
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
    """Each inference where it is taken, from the candidates `start`."""
    graph, grid, left, told = graph_of(puzzle.ruleset), puzzle.clues, start, dict[Truth, int]()
    for number, inference in enumerate(inferences, 1):
        step = Step(**vars(inference), puzzle=puzzle, grid=grid, candidates=left, number=number, told=told)
        yield step
        told = {**told, step.truths[0]: told.get(step.truths[0], 0) | graph.union(step.removed)}
        grid, left = step.after


def _follows(puzzle: Puzzle, step: Inference, without: RuleTruth, alive: int) -> bool:
    """Whether a step follows without a rule. That of another rule alone is looked at as it was found: all ways to keep
    one are often too many."""
    graph, less, first = graph_of(puzzle.ruleset), _less(puzzle.ruleset, without.constraint), step.truths[0]
    if step.size > 1 or not isinstance(first, RuleTruth):
        return not check_step(Puzzle(less, puzzle.clues), graph.candidates(alive), step)
    rule = next(rule for rule in graph.rules if rule.truth == first)
    wanted = graph.union(step.removed) or rule.bits & alive
    return not wanted & ~rule.excludes(alive) or not wanted & ~graph_of(less).refuted_by(rule, alive)


@lru_cache(maxsize=256)
def _less(ruleset: Ruleset, *without: Constraint) -> Ruleset:
    """The rules without some, but those that make units."""
    less = Ruleset(ruleset.board, tuple(each for each in ruleset.constraints if each not in without))
    return less if len(less.units) == len(ruleset.units) else ruleset


@total_ordering
@dataclass(frozen=True)
class Rating:
    """`truths` of the hardest step; its `technique`, empty where it has no name; `steps` says how many steps have how
    many truths, and `splits` how many case splits have cases how deep in cases; `outcome` is how the steps ended.
    `trial_depth` is the depth of trial and error (see `cases`), None where it was not asked, or where rules say more
    than that cells differ. Ratings are ordered, the easiest first."""

    truths: int
    technique: str
    steps: Mapping[int, int] = field(hash=False)
    outcome: Outcome
    splits: Mapping[int, int] = field(hash=False, default_factory=dict)
    trial_depth: int | None = None

    @property
    def key(self) -> tuple[object, ...]:
        """By which ratings are ordered: those that the time limit ended last; how deep cases lie in cases; the truths
        of the hardest step; its technique's place in the table; how many case splits there are; and how many other
        steps of several truths, the largest first."""
        splits, steps = sorted(self.splits.items(), reverse=True), sorted(self.steps.items(), reverse=True)
        hardest = max(self.splits, default=0), self.truths, [*TECHNIQUES, self.technique].index(self.technique)
        return self.outcome is Outcome.LIMIT, *hardest, splits, [each for each in steps if each[0] > 1]

    @property
    def level(self) -> str:
        """One of `LEVELS`, or how the steps ended where that is not the solution."""
        if self.outcome is not Outcome.SOLVED or self.splits:
            return LEVELS[-1] if self.outcome is Outcome.SOLVED else self.outcome.value
        return LEVELS[0] if not self.truths or self.technique in SINGLES else str(self.truths)

    @property
    def word(self) -> str:
        """One of `LEVEL_WORDS`, that there is nothing to do, or how the steps ended."""
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
    """What follows from the candidates `start`, and how that ends. It iterates over its `steps`, and has their length.
    Its text has all of them, and its picture what they lead to."""

    puzzle: Puzzle
    start: Candidates
    inferences: tuple[Inference, ...]
    outcome: Outcome

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """Each inference with the digits and candidates before it, which draws itself."""
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
        """How hard the steps are, those that end nothing left out."""
        steps = [step for step in self.inferences if step.removed or step.placed]
        if not steps:
            return Rating(0, "", {}, self.outcome)
        hardest = max(steps, key=hardness)
        small = Counter(step.size for step in steps if not step.cases)
        splits = Counter(step.depth for step in steps if step.cases)
        return Rating(hardest.size, hardest.name, small, self.outcome, splits)

    def __str__(self) -> str:
        return "\n".join(map(str, (*self.steps, self.ending() or "no solution")))

    def ending(self, kind: str = "") -> str:
        """How the steps end, of which only some `kind` was looked for; empty for a contradiction, the last of them."""
        return {
            Outcome.SOLVED: f"solved; {self.rating}",
            Outcome.STUCK: f"no step{kind} is left; {counted(sum(len(some) > 1 for some in self.end[1]), 'cell')} open",
            Outcome.LIMIT: "unknown: the time limit came first",
        }.get(self.outcome, "")

    def view(self) -> View:
        """What the steps lead to: the digits and the candidates that are left, and how they end."""
        (grid, left), ending = self.end, self.ending()
        alarm = "" if ending else "no solution"
        return View(self.puzzle, grid, candidates=left, caption=ending, alarm=alarm, title="explanation")


def explain_steps(puzzle: Puzzle, effort: Effort, start: Candidates | None = None) -> Explanation:
    """All steps, each checked. At the deadline the steps so far. Raises as `start_of`."""
    begun = start_of(puzzle) if start is None else start
    walk, found = Walk(puzzle, effort, begun), list[Inference]()
    try:
        found.extend(walk)
    except TimeLimitError:
        walk.outcome = Outcome.LIMIT
    return Explanation(puzzle, begun, tuple(found), walk.outcome)
