"""Case splits: a candidate is assumed, and propagation (singles, and what each rule alone rules out) leads to a
contradiction. If it does not, candidates that fail in this way inside the case are ruled out there, one after the
other: a nested case split. This is trial and error of depth 1 and 2 as in D. Berthier, "Pattern-Based Constraint
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
"""Once so many candidates are known to fail in nested cases, no others are looked for."""
MOST_COMPARED = 16
"""The most case splits of one state that are compared, to take the one with the fewest truths."""


class Branch:
    """The consequences of removing the candidates `gone` from those `alive`. `left` are the candidates that remain.
    Steps that depend on few others come first, so that the way to a contradiction is short."""

    def __init__(self, graph: CandidateGraph, alive: int, gone: int) -> None:
        self._graph, self._alive, self.left = graph, alive, alive
        self._steps: list[Inference] = []
        # for each candidate removed here, as for the end, a bit for every step on which it depends
        self._reasons: dict[int, int] = {}
        self.end: tuple[int, Truth] | None = None
        self._waiting: list[tuple[int, int, int, Truth, int]] = []
        self._order = count()
        self._remove(gone, 0)
        self._propagate()

    def case_split(self, assumed: int) -> Inference | None:
        """The case split that rules out the assumed candidate; None if the branch has no contradiction."""
        if self.end is None:
            return None
        because, truth = self.end
        steps = tuple(self._steps[number] for number in members(because))
        case = Case(self._graph.candidate(assumed), steps, Inference((truth,), ()))
        truths = tuple(truth for step in (*steps, case.end) for truth in step.truths)
        return Inference(truths, (case.assumed,), case=case)

    def rule_out(self, index: int, split: Inference) -> None:
        """Adds a case split that rules a candidate out, and propagates."""
        self._add_step(split, self._reasons_of(self._graph.premises(split)), 1 << index)
        self._propagate()

    def _propagate(self) -> None:
        while True:
            while self._waiting and (self.end is None or self._waiting[0][0] + 1 < self.end[0].bit_count()):
                _, _, because, truth, index = heappop(self._waiting)
                gone = self._graph.conflicts[index] & self.left
                if gone and self.left >> index & 1:
                    step = Inference((truth,), self._graph.candidates_in(gone), self._graph.candidate(index))
                    self._add_step(step, because, gone)
            if self.end or not self._propagate_rule():
                return

    def _propagate_rule(self) -> bool:
        for rule in self._graph.rules:
            if gone := rule.excludes(self.left):
                because = self._reasons_of(rule.bits)
                if gone == rule.bits & self.left:
                    self.end = because, rule.truth
                else:
                    self._add_step(Inference((rule.truth,), self._graph.candidates_in(gone)), because, gone)
                return True
        return False

    def _add_step(self, step: Inference, because: int, gone: int) -> None:
        self._steps.append(step)
        self._remove(gone, because | 1 << len(self._steps) - 1)

    def _remove(self, gone: int, because: int) -> None:
        graph = self._graph
        for index in members(gone & self.left):
            self.left &= ~(1 << index)
            self._reasons[index] = because
            for number in graph.truths_of[index]:
                bits = graph.bits[number] & self.left
                if bits & (bits - 1):
                    continue
                truth, reasons = graph.truths[number], self._reasons_of(graph.bits[number])
                if bits:
                    single = reasons.bit_count(), next(self._order), reasons, truth, bits.bit_length() - 1
                    heappush(self._waiting, single)
                elif self.end is None or reasons.bit_count() < self.end[0].bit_count():
                    self.end = reasons, truth

    def _reasons_of(self, bits: int) -> int:
        """The steps by which candidates of a set were removed here, as bits."""
        return reduce(or_, (self._reasons[index] for index in members(bits & self._alive & ~self.left)), 0)


class CaseSplits:
    """Finds case splits of one puzzle, state after state. Each state has a subset of the candidates before."""

    def __init__(self, puzzle: Puzzle, alive: int, deadline: Deadline) -> None:
        self._graph, self._alive, self._deadline = graph_of(puzzle.ruleset), alive, deadline
        self._in_grid = puzzle.order * puzzle.board.grid_count
        clauses, truths = clauses_of_truths(puzzle, Search(self._graph, alive, deadline.check), deadline)
        # over truths and links, unit propagation does exactly what singles do
        self._solver = IncrementalSolver(SOLVER, deadline=deadline)
        self._solver.add([*clauses.lists(), *([truth] for truth in truths)])
        # (candidate, depth of its case) → the candidates that are ruled out inside
        self._known: dict[tuple[int, int], list[int]] = {}

    def best(self, alive: int, possible: int) -> Inference | None:
        """A case split with few truths for what it gains; None if only candidates of `possible` are open."""
        graph = self._graph
        self._advance_to(alive)
        # extra cells may have several digits in the only solution
        wanted = [index for index in self._open if index < self._in_grid and not possible >> index & 1]
        for depth in range(1, graph.cells + 1) if wanted else ():
            failures = self._failures(wanted, depth)
            found = (self._case_split(alive, (), index, depth, inside) for index, inside in failures)
            splits = list(islice(filter(None, found), MOST_COMPARED))
            if not splits and graph.rules:
                # the rules may exclude more than unit propagation of their clauses does
                splits = list(islice(filter(None, (self._case_split(alive, (), index, depth) for index in wanted)), 1))
            if splits:
                best = min(splits, key=lambda split: split.size - self._gain(split))
                return best if best.size > 1 else Inference(best.truths, best.removed)
        return None

    def _gain(self, split: Inference) -> int:
        """The number of literals that follow from a case split by singles, which make up for as many truths."""
        _, true = self._solver.propagate([-self._graph.index(candidate) - 1 for candidate in split.removed])
        return len(true)

    def trial_depth(self) -> int:
        """The depth of trial and error that the only solution takes: 0 if singles are enough, else the depth of the
        deepest case that is needed, with singles alone in all cases. Only for rules that are links."""
        graph, deepest, gone = self._graph, 0, 0
        while True:
            self._advance_to(Branch(graph, graph.all, graph.all & ~self._alive | gone).left)
            if not self._open:
                return deepest
            for depth in count(1):
                failing = (1 << index for index in self._open if self._proof_length([index + 1], depth))
                # deeper cases take long, so that singles are tried again after each
                if gone := reduce(or_, islice(failing, None if depth == 1 else 1), 0):
                    break
            deepest = max(deepest, depth)

    def _advance_to(self, alive: int) -> None:
        """Moves on to a state in which fewer candidates are alive."""
        self._solver.add([-index - 1] for index in members(self._alive & ~alive))
        self._alive = alive
        self._open = [index for index in members(alive) if self._graph.conflicts[index] & alive]

    def _failures(self, wanted: Sequence[int], depth: int) -> list[tuple[int, list[int]]]:
        """Candidates that fail in cases of this depth, with what is ruled out inside, the shortest proofs first."""
        found = {index: self._known[index, depth] for index in wanted if (index, depth) in self._known}
        for index in wanted if depth == 1 or len(found) < ENOUGH else ():
            if (inside := self._nested_eliminations([index + 1], depth)) is not None:
                found[index] = self._known[index, depth] = self._needed_eliminations([index + 1], inside)
        sizes = {}
        for index, inside in found.items():
            gone = [-other - 1 for other in inside]
            parts = (self._proof_length([index + 1, *gone[:k], -other], depth) for k, other in enumerate(gone))
            sizes[index] = sum(parts, self._proof_length([index + 1, *gone], depth))
        return sorted(found.items(), key=lambda each: sizes[each[0]])

    def _proof_length(self, literals: Sequence[int], depth: int = 1) -> int:
        """The number of literals that follow until a contradiction, in cases of this depth; 0 if there is none."""
        holds, true = self._solver.propagate(literals)
        return len(true) if not holds or (depth > 1 and self._nested_eliminations(literals, depth) is not None) else 0

    def _nested_eliminations(self, literals: Sequence[int], depth: int) -> list[int] | None:
        """The candidates to rule out one after the other, each in a case of less depth, until propagation reaches a
        contradiction, those with short proofs first; None if it reaches none."""
        found: list[int] = []
        while True:
            self._deadline.check()
            holds, true = self._solver.propagate(literals)
            if not holds:
                return found
            settled = {abs(literal) - 1 for literal in true}
            rest = [index for index in self._open if index not in settled] if depth > 1 else []
            lengths = {index: self._proof_length([*literals, index + 1], depth - 1) for index in rest}
            new = sorted(filter(lengths.__getitem__, rest), key=lengths.__getitem__)
            if not new:
                return None
            found += new
            literals = [*literals, *(-index - 1 for index in new)]

    def _needed_eliminations(self, literals: Sequence[int], inside: Sequence[int]) -> list[int]:
        """Those of the candidates ruled out inside which the contradiction of the case needs."""
        needed = set(self._minimal_subset(literals, inside))
        for place, index in reversed(list(enumerate(inside))):
            if index in needed:
                before = [other for other in inside[:place] if other not in needed]
                gone = (-other - 1 for other in inside[:place] if other in needed)
                needed.update(self._minimal_subset([*literals, index + 1, *gone], before))
        return [index for index in inside if index in needed]

    def _minimal_subset(self, literals: Sequence[int], options: Sequence[int]) -> list[int]:
        """A minimal subset of the options that leads to a contradiction if it is ruled out, or all options if these do
        not. Late ones are left out first."""
        needed = list(options)
        for index in reversed(options):
            others = [other for other in needed if other != index]
            if self._proof_length([*literals, *(-other - 1 for other in others)]):
                needed = others
        return needed

    def _case_split(
        self, alive: int, outer: Sequence[int], assumed: int, depth: int, inside: Sequence[int] | None = None
    ) -> Inference | None:
        """The case split on a candidate in a branch where the literals `outer` hold, no deeper than `depth`; None if it
        reaches no contradiction. `inside` are the candidates to rule out there; None for all that can be."""
        self._deadline.check()
        graph, literals = self._graph, [*outer, assumed + 1]
        branch = Branch(graph, alive, graph.conflicts[assumed])
        for index in self._open if inside is None else self._needed_eliminations(literals, inside):
            if depth == 1 or branch.end:
                break
            if branch.left >> index & 1:
                deeper = None if inside is None else self._nested_eliminations([*literals, index + 1], depth - 1)
                if split := self._case_split(branch.left, literals, index, depth - 1, deeper):
                    branch.rule_out(index, split)
                    literals.append(-index - 1)
        return branch.case_split(assumed)
