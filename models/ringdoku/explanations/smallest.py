"""Proof that no set of fewer truths refutes any candidate of a position, or a set that does.

A set of truths refutes a candidate when no assignment satisfies them with it. Of an assignment that satisfies as many
truths as it can, the rest is a *correction set*: each set that refutes a candidate of the assignment has one of these
truths. So sets of at most k truths are tried that hit all correction sets known so far, and a SAT solver says which
refute, or gives another assignment, whose correction set holds for all of its candidates (E. Gamba, B. Bogaerts and T.
Guns, "Efficiently explaining CSPs with unsatisfiable subset optimization", JAIR 78, 2023).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ringdoku.domain.puzzle import Puzzle
from ringdoku.explanations.field import field, members
from ringdoku.explanations.inferences import Candidates, Inference, Truth
from ringdoku.explanations.search import Search
from ringdoku.limits import Deadline

SOLVER = "minisat22"


def smaller_step(
    puzzle: Puzzle, candidates: Candidates, size: int, deadline: Deadline, hopeless: int = 0
) -> Inference | None:
    """A step of fewer than `size` truths of cells, units and rules, not named; None when it is proved that there is
    none. Candidates of the set `hopeless` are in a solution. Raises `TimeLimitError` at the deadline."""
    question = _Question(puzzle, candidates, deadline)
    try:
        for candidate in members(question.search.candidates & ~hopeless):
            if (chosen := question.refuting(candidate, size - 1)) is not None:
                return question.step(candidate, chosen)
        return None
    finally:
        question.close()


class _Question:
    """A live solver with a variable for each candidate that is left, and one to assume for each open truth."""

    def __init__(self, puzzle: Puzzle, candidates: Candidates, deadline: Deadline) -> None:
        from ringdoku.sat import ClauseSink, VarPool
        from ringdoku.sat.clauses import RuleClauses
        from ringdoku.sat.rules import encode
        from ringdoku.solvers.sat_solver import loaded

        self._made = made = field(puzzle.ruleset)
        self._deadline = deadline
        alive = made.union((cell, digit) for cell, digits in enumerate(candidates) for digit in digits)
        self._alive = alive
        self.search = Search(made, alive, deadline.check)
        board, pool = puzzle.board, VarPool()
        variables = pool.take(board.cell_count, board.order).tolist()
        literals = [
            [var if alive >> cell * board.order + place & 1 else 0 for place, var in enumerate(row)]
            for cell, row in enumerate(variables)
        ]
        self._clauses = clauses = RuleClauses(literals, board.least, puzzle.ruleset.peers, pool)
        for index in members(alive):
            for other in members(made.conflicts[index] & alive >> index + 1 << index + 1):
                clauses.add([-index - 1, -other - 1])
        self._truths: list[Truth] = []
        self._selectors: list[int] = []
        for truth in self.search.open:
            self._guarded(made.truths[truth], [self.search.bits[truth]])
        for rule in made.rules:
            # a rule is about digits, so that its cells have some
            cells = [made.cell_bits[cell] & alive for cell in rule.cells]
            selector = self._guarded(rule.truth, cells)
            with clauses.when(selector):
                encode(rule.constraint.primitives(board), clauses)
        sink = ClauseSink(deadline)
        clauses.pour(sink)
        self._solver: Any = loaded(SOLVER, sink.formula(pool), deadline)
        # it tries to satisfy as many truths as it can
        self._solver.set_phases(self._selectors)
        self._corrections: list[tuple[int, int]] = []

    def _guarded(self, truth: Truth, sets: Sequence[int]) -> int:
        """A variable under which each set has a true candidate."""
        (selector,) = self._clauses.variables(1)
        for bits in sets:
            self._clauses.add([-selector, *(index + 1 for index in members(bits))])
        self._truths.append(truth)
        self._selectors.append(selector)
        return selector

    def close(self) -> None:
        self._solver.delete()

    def refuting(self, candidate: int, most: int, chosen: int = 0, tried: int = 0) -> int | None:
        """At most `most` truths beside the chosen ones, none of those that were tried, that refute a candidate with
        them; None: there are none. Sets of truths have a bit for the place of each in `_truths`."""
        self._deadline.check()
        missed = [
            correction & ~tried
            for true, correction in self._corrections
            if true >> candidate & 1 and not correction & chosen
        ]
        if not missed:
            if not self._satisfies(candidate, chosen):
                return chosen
            missed = [self._grown(candidate) & ~tried]
        if not most:
            return None
        for truth in members(min(missed, key=int.bit_count)):
            found = self.refuting(candidate, most - 1, chosen | 1 << truth, tried)
            if found is not None:
                return found
            tried |= 1 << truth
        return None

    def _satisfies(self, candidate: int, chosen: int) -> bool:
        self._deadline.check()
        return bool(self._solver.solve(assumptions=[candidate + 1, *(self._selectors[t] for t in members(chosen))]))

    def _grown(self, candidate: int) -> int:
        """The correction set of the solver's last assignment, after it satisfies all that it can; kept for later."""
        satisfied = self._satisfied()
        for truth in range(len(self._truths)):
            if not satisfied >> truth & 1 and self._satisfies(candidate, satisfied | 1 << truth):
                satisfied |= self._satisfied()
        # the last question may have had no answer
        self._satisfies(candidate, satisfied)
        correction = (1 << len(self._truths)) - 1 & ~satisfied
        true = 0
        for literal in self._solver.get_model()[: self._made.size]:
            if literal > 0:
                true |= 1 << literal - 1
        self._corrections.append((true, correction))
        return correction

    def _satisfied(self) -> int:
        model = self._solver.get_model()
        return sum(1 << place for place, selector in enumerate(self._selectors) if model[selector - 1] > 0)

    def step(self, candidate: int, chosen: int) -> Inference:
        """What the chosen truths refute."""
        made, gone = self._made, 1 << candidate
        plain = [made.truths.index(truth) for truth in self._chosen(chosen) if truth in made.bits_of]  # type: ignore[arg-type]
        if len(plain) == chosen.bit_count():
            gone = self.search.refuted(plain) & self._alive
        return Inference(self._chosen(chosen), made.listed(gone))

    def _chosen(self, chosen: int) -> tuple[Truth, ...]:
        return tuple(self._truths[place] for place in members(chosen))
