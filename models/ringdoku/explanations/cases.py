"""Case splits: a candidate is assumed, and what follows at once, singles and what each rule alone rules out, leads to a
contradiction. Where that is not enough, candidates that fail in this way inside the case are ruled out there, one after
the other: a nested case split. This is trial and error of depth 1 and 2 as in D. Berthier, "Pattern-Based Constraint
Satisfaction and Logic Puzzles", 2012."""

from collections.abc import Sequence
from functools import reduce
from heapq import heappop, heappush
from itertools import count, islice
from operator import or_

from ringdoku.domain import Puzzle
from ringdoku.explanations.graph import CandidateGraph, graph_of, members
from ringdoku.explanations.inferences import Case, Inference, Truth
from ringdoku.explanations.search import Search
from ringdoku.explanations.small_sets import SOLVER, clauses_of_truths
from ringdoku.limits import Deadline
from ringdoku.solvers.incremental import IncrementalSolver

ENOUGH = 12
"""With so many candidates that are known to fail in nested cases, no others are looked for."""
MOST_TOLD = 16
"""Candidates of one state whose truths are counted, to take the one with the fewest."""


class Branch:
    """What follows where some of the candidates `alive` are gone, and `left`, what that leaves. Steps that rest on few
    others come first, so that a contradiction has a short story."""

    def __init__(self, graph: CandidateGraph, alive: int, gone: int) -> None:
        self._graph, self._alive, self.left = graph, alive, alive
        self._steps: list[Inference] = []
        # of candidates that died here, and of the end, a bit for each step that it rests on
        self._because: dict[int, int] = {}
        self.end: tuple[int, Truth] | None = None
        self._waiting: list[tuple[int, int, int, Truth, int]] = []
        self._order = count()
        self._seen = [rule.bits & alive for rule in graph.rules]
        self._kill(gone, 0)
        self._follow()

    def split(self, assumed: int) -> Inference | None:
        """What rules out the candidate that was assumed: the steps to the contradiction; None where there is none."""
        if self.end is None:
            return None
        because, truth = self.end
        steps = tuple(self._steps[number] for number in members(because))
        case = Case(self._graph.candidate(assumed), steps, Inference((truth,), ()))
        truths = tuple(truth for step in (*steps, case.end) for truth in step.truths)
        return Inference(truths, (case.assumed,), cases=(case,))

    def rule_out(self, index: int, split: Inference) -> None:
        """Take a step that rules a candidate out, and see what follows."""
        self._take(split, self._rests_on(self._graph.uses(split)), 1 << index)
        self._follow()

    def _follow(self) -> None:
        while True:
            while self._waiting and (self.end is None or self._waiting[0][0] + 1 < self.end[0].bit_count()):
                _, _, because, truth, index = heappop(self._waiting)
                gone = self._graph.conflicts[index] & self.left
                if gone and self.left >> index & 1:
                    step = Inference((truth,), self._graph.listed(gone), self._graph.candidate(index))
                    self._take(step, because, gone)
            if self.end or not self._rule_follows():
                return

    def _rule_follows(self) -> bool:
        for number, rule in enumerate(self._graph.rules):
            here = rule.bits & self.left
            if here == self._seen[number]:
                continue
            self._seen[number] = here
            if gone := rule.excludes(self.left):
                because = self._rests_on(rule.bits)
                if gone == here:
                    self.end = because, rule.truth
                else:
                    self._take(Inference((rule.truth,), self._graph.listed(gone)), because, gone)
                return True
        return False

    def _take(self, step: Inference, because: int, gone: int) -> None:
        self._steps.append(step)
        self._kill(gone, because | 1 << len(self._steps) - 1)

    def _kill(self, gone: int, because: int) -> None:
        graph = self._graph
        for index in members(gone & self.left):
            self.left &= ~(1 << index)
            self._because[index] = because
            for number in graph.truths_of[index]:
                bits = graph.bits[number] & self.left
                if bits & (bits - 1):
                    continue
                truth, reasons = graph.truths[number], self._rests_on(graph.bits[number])
                if bits:
                    single = reasons.bit_count(), next(self._order), reasons, truth, bits.bit_length() - 1
                    heappush(self._waiting, single)
                elif self.end is None or reasons.bit_count() < self.end[0].bit_count():
                    self.end = reasons, truth

    def _rests_on(self, bits: int) -> int:
        """The steps by which candidates of a set died here."""
        return reduce(or_, (self._because[index] for index in members(bits & self._alive & ~self.left)), 0)


class Splits:
    """The case splits of one puzzle, state after state: candidates only die."""

    def __init__(self, puzzle: Puzzle, alive: int, deadline: Deadline) -> None:
        self._graph, self._alive, self._deadline = graph_of(puzzle.ruleset), alive, deadline
        clauses, truths = clauses_of_truths(puzzle, Search(self._graph, alive, deadline.check), deadline)
        # over truths and links, unit propagation is just what singles do
        self._solver = IncrementalSolver(SOLVER, deadline=deadline)
        self._solver.add([*clauses.lists(), *([truth] for truth in truths)])
        self._now(alive)
        # of candidates that fail in a case of some depth, what is ruled out inside
        self._known: dict[tuple[int, int], list[int]] = {}

    def best(self, alive: int, possible: int) -> Inference | None:
        """A case split with few truths for what it brings; None where only candidates of `possible` are open."""
        graph = self._graph
        self._now(alive)
        wanted = [index for index in self._open if not possible >> index & 1]
        for depth in range(1, graph.cells + 1) if wanted else ():
            found = (self._split(alive, (), index, depth, inside) for index, inside in self._failing(wanted, depth))
            told = list(islice(filter(None, found), MOST_TOLD))
            if not told and graph.rules:
                # the solver may see less of rules than what they rule out
                told = list(islice(filter(None, (self._split(alive, (), index, depth) for index in wanted)), 1))
            if told:
                best = min(told, key=lambda split: split.size - self._brings(split))
                return best if best.size > 1 else Inference(best.truths, best.removed)
        return None

    def _brings(self, split: Inference) -> int:
        """How much follows from it by singles, which is worth some more truths."""
        _, true = self._solver.propagate([-self._graph.index(candidate) - 1 for candidate in split.removed])
        return len(true)

    def trial_depth(self) -> int:
        """The depth of trial and error that it takes to the only solution: 0 where singles are enough, else that of the
        deepest case that is needed, with singles alone in all of them. For rules that are links."""
        graph, deepest, gone = self._graph, 0, 0
        while True:
            self._now(Branch(graph, graph.all, graph.all & ~self._alive | gone).left)
            if not self._open:
                return deepest
            for depth in count(1):
                failing = (1 << index for index in self._open if self._length([index + 1], depth))
                # deeper cases take long, and singles may follow
                if gone := reduce(or_, islice(failing, None if depth == 1 else 1), 0):
                    break
            deepest = max(deepest, depth)

    def _now(self, alive: int) -> None:
        """Go on to a state in which more candidates are dead."""
        self._solver.add([-index - 1] for index in members(self._alive & ~alive))
        self._alive = alive
        self._open = [index for index in members(alive) if self._graph.conflicts[index] & alive]

    def _failing(self, wanted: Sequence[int], depth: int) -> list[tuple[int, list[int]]]:
        """Candidates that fail in cases of this depth, and what is ruled out inside, the shortest stories first."""
        found = {index: self._known[index, depth] for index in wanted if (index, depth) in self._known}
        for index in wanted if depth == 1 or len(found) < ENOUGH else ():
            if (inside := self._inside([index + 1], depth)) is not None:
                found[index] = self._known[index, depth] = self._needed([index + 1], inside)
        sizes = {}
        for index, inside in found.items():
            gone = [-other - 1 for other in inside]
            parts = (self._length([index + 1, *gone[:place], -each], depth) for place, each in enumerate(gone))
            sizes[index] = sum(parts, self._length([index + 1, *gone], depth))
        return sorted(found.items(), key=lambda each: sizes[each[0]])

    def _length(self, literals: Sequence[int], depth: int = 1) -> int:
        """How much follows until singles contradict each other, in cases of this depth; 0 where they do not."""
        holds, true = self._solver.propagate(literals)
        return len(true) if not holds or (depth > 1 and self._inside(literals, depth) is not None) else 0

    def _inside(self, literals: Sequence[int], depth: int) -> list[int] | None:
        """The candidates to rule out one after the other, each in a case of less depth, until singles contradict each
        other, those of short stories first; None where they do not."""
        found: list[int] = []
        while True:
            self._deadline.check()
            holds, true = self._solver.propagate(literals)
            if not holds:
                return found
            settled = {abs(literal) - 1 for literal in true}
            rest = [index for index in self._open if index not in settled] if depth > 1 else []
            lengths = {index: self._length([*literals, index + 1], depth - 1) for index in rest}
            new = sorted(filter(lengths.__getitem__, rest), key=lengths.__getitem__)
            if not new:
                return None
            found += new
            literals = [*literals, *(-index - 1 for index in new)]

    def _needed(self, literals: Sequence[int], inside: Sequence[int]) -> list[int]:
        """Those of the candidates ruled out inside without which the case does not end."""
        needed = set(self._minimal(literals, inside))
        for place, index in reversed(list(enumerate(inside))):
            if index in needed:
                before = [other for other in inside[:place] if other not in needed]
                gone = (-other - 1 for other in inside[:place] if other in needed)
                needed.update(self._minimal([*literals, index + 1, *gone], before))
        return [index for index in inside if index in needed]

    def _minimal(self, literals: Sequence[int], options: Sequence[int]) -> list[int]:
        """Options of which none can be left out, so that singles contradict each other where these are ruled out, or
        all of them where they do not (U. Junker, "QuickXplain", AAAI 2004)."""
        if not options or self._length(literals):
            return []
        if len(options) == 1:
            return list(options)
        first, second = options[: len(options) // 2], options[len(options) // 2 :]
        late = self._minimal([*literals, *(-index - 1 for index in first)], second)
        return [*self._minimal([*literals, *(-index - 1 for index in late)], first), *late]

    def _split(
        self, alive: int, outer: Sequence[int], assumed: int, depth: int, inside: Sequence[int] | None = None
    ) -> Inference | None:
        """The case of a candidate in a branch where the literals `outer` hold, no deeper than `depth`; None where it
        does not end. `inside` is what is ruled out there, all that can be if it is None."""
        self._deadline.check()
        graph, literals = self._graph, [*outer, assumed + 1]
        branch = Branch(graph, alive, graph.conflicts[assumed])
        for index in self._open if inside is None else self._needed(literals, inside):
            if depth == 1 or branch.end:
                break
            if branch.left >> index & 1:
                deeper = None if inside is None else self._inside([*literals, index + 1], depth - 1)
                if split := self._split(branch.left, literals, index, depth - 1, deeper):
                    branch.rule_out(index, split)
                    literals.append(-index - 1)
        return branch.split(assumed)
