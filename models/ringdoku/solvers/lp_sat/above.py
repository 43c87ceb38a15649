"""The questions from the bound downwards: is it reached, and if not, what is?

Each refuted target lowers the bound. The next one is lower by a stride that doubles each time, but at most half-way to
what is known. Once a target stays open, one solver descends step by step, with a budget that serves many targets: what
it learns for one helps with the next.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ringdoku.solvers.lp_sat.question import Answer, Descent, Manner, Question
from ringdoku.solvers.registry import QUICK_ORDER

if TYPE_CHECKING:
    from ringdoku.solvers.lp_sat.search import Search

SOLVERS = ("glucose4", "minisat22")
"""They take turns; the first one descends."""
STRIDES_A_WEIGHT = 8
"""After the first refutation targets fall by at least such a part of the range of weights: huge ones have huge gaps."""
COARSE, FINE = 8, 24
"""Levels of budgets: cheapest for the first question, fastest for hard ones."""
MOST_LEVELS = 48
"""Clauses grow with the square: 400 levels were millions of them, which cost more than refusing what slips through."""
MANY_REFUSALS = 30
"""So many solutions slipped through that a finer budget is worth a new formula."""
DEPTH = 6
"""Steps below the bound for which the budget of a descent serves, four levels for each."""
EASY = 500
"""Conflicts up to which a refutation was so easy that the next target may be further away."""


class Above:
    """The questions of one search. `weight_range` is the greatest weight less the least."""

    def __init__(self, search: Search, weight_range: int, may_descend: bool) -> None:
        self._search = search
        self._step = search.known.reachable.step
        self._stride = self._step
        self._least_stride = weight_range // STRIDES_A_WEIGHT // self._step * self._step
        self._levels = COARSE
        self._may_descend = may_descend
        self.descends = False
        # one for each solver, all with the same target
        self._questions: dict[str, Question] = {}
        self._descent: Descent | None = None

    def ask(self, conflicts: int, solver_name: str) -> None:
        """Until a target stays open for so many conflicts, or a solution settles it. A descent has its own solver."""
        while not self._search.is_over and not self.descends:
            if self._is_open(conflicts, solver_name):
                return
        if self.descends:
            self.forget()
            self._descend(conflicts)

    def asks_for(self, score: int) -> bool:
        """Whether a question is open that this score would answer."""
        return any(question.target <= score for question in self._questions.values())

    def forget(self) -> None:
        """What was asked before the descent; the solvers are made anew when they are needed."""
        for question in self._questions.values():
            question.close()
        self._questions.clear()

    def close(self) -> None:
        self.forget()
        if self._descent is not None:
            self._descent.close()
            self._descent = None

    def _is_open(self, conflicts: int, solver_name: str) -> bool:
        """Ask for one target; whether that is all for this turn."""
        search = self._search
        target = search.known.target(self._stride - self._step)
        if any(question.target != target for question in self._questions.values()):
            self.forget()
        if solver_name not in self._questions:
            manner = Manner(solver_name, self._levels, hosts=search.hosts)
            self._questions[solver_name] = search.asked(Question, target, manner)
        question = self._questions[solver_name]
        answer = search.ask(question, conflicts)
        if answer is Answer.REFUTED:
            self._lower(target)
            self._stride = max(2 * self._stride, self._least_stride)
            if search.puzzle.order > QUICK_ORDER:
                # a small board takes longer to write the levels than to search without them
                self._levels = max(self._levels, FINE)
        elif answer is Answer.OPEN and self._may_descend and self._levels > COARSE:
            self.descends, self._stride = True, self._step
        elif answer is Answer.OPEN:
            if question.refusals <= MANY_REFUSALS or self._levels >= MOST_LEVELS:
                return True
            self._levels *= 2
            self.forget()
        return False

    def _descend(self, conflicts: int) -> None:
        search, least = self._search, max(self._least_stride, self._step)
        while not search.is_over:
            target = search.known.target(self._stride - self._step)
            question = self._descent
            if question is None or not question.aim(target):
                if question is not None:
                    question.close()
                lowest = max(search.known.upper - DEPTH * least, search.known.least_wanted)
                question = search.asked(Descent, min(lowest, target), Manner(SOLVERS[0], FINE))
                question.aim(target)
                self._descent = question
            before = question.conflicts
            answer = search.ask(question, conflicts)
            if answer is Answer.REFUTED:
                self._lower(target)
                self._stride = 2 * self._stride if question.conflicts - before <= EASY else least
            elif answer is Answer.OPEN and self._stride > least:
                # a target nearer to the bound is easier to refute
                self._stride = least
            elif answer is Answer.OPEN:
                return

    def _lower(self, target: int) -> None:
        """No solution has the target score."""
        if target <= self._search.known.least_wanted:
            self._search.known.nothing_better()
        else:
            self._search.known.lower_bound_to(target - self._step)
