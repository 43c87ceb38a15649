"""The question from below: is there more than the best so far?

Its first form is "any solution", its refutation is the proof. It has no budget at first: nearly determined puzzles need
none, and it would slow them down. Where too many solutions slip through it gets one, step by step a finer one.
"""

from __future__ import annotations

from functools import partial
from math import inf
from typing import TYPE_CHECKING

from ringdoku.solvers.lp_sat.above import FINE, MANY_REFUSALS, MOST_LEVELS
from ringdoku.solvers.lp_sat.halves import HalvedQuestion
from ringdoku.solvers.lp_sat.question import Answer, Manner, Problem, Question
from ringdoku.solvers.sat_solver import SLOW_WITH_BUDGETS

if TYPE_CHECKING:
    from ringdoku.solvers.lp_sat.search import Search

FEW_CANDIDATES = 3000
"""With up to so many the puzzle is nearly determined, and may have few more solutions."""
FEW = 10
CONFLICTS_FOR_FEW = 10_000
"""To find a few solutions then takes as long as the linear program."""
CONFLICTS_FOR_ONE = 2000
MANY_REFUSALS_OF_RULES = 300
"""In place of `MANY_REFUSALS` with other rules than houses, whose formulas take longer to make."""
MANY_REFUSALS_OF_PLAIN = 300
"""Then a puzzle is not nearly determined, and a step to the next better solution takes seconds."""


class Below:
    """The question of one search, and how finely its budget is written: 0 `levels` for no budget."""

    def __init__(self, search: Search, levels: int = 0) -> None:
        self._search = search
        self.levels = levels
        self._question: Question | None = None

    def ask(self, conflicts: int, solver_name: str) -> None:
        """More than the best, step by step, until refuted or open, or until a plain question lets too many through.

        The solver is for a new question; one that was asked before keeps its own.
        """
        search = self._search
        plain = solver_name in SLOW_WITH_BUDGETS and not search.puzzle.ruleset.rest
        # nearly determined puzzles may have few more solutions
        at_most = MANY_REFUSALS_OF_PLAIN + 1 if plain and search.size > FEW_CANDIDATES else inf
        while not search.is_over:
            target = search.known.least_wanted
            if search.above.asks_for(target):
                return
            question = self._at(target) or self._renewed(target, solver_name)
            answer = search.ask(question, conflicts, at_most)
            if answer is Answer.REFUTED:
                search.known.nothing_better()
            elif answer is Answer.OPEN or (plain and question.refusals > MANY_REFUSALS_OF_PLAIN):
                if question.refusals <= self._many_refusals or self.levels >= MOST_LEVELS:
                    return
                self.levels = max(FINE, 2 * self.levels)
                self.close()
                if solver_name in SLOW_WITH_BUDGETS:
                    return

    def ask_for_few(self, solver_name: str, positive: bool) -> None:
        """Whether there are but a few solutions, and which of them is best. Another process of a race asks the same,
        and `positive` in one of them."""
        search, spent, solutions = self._search, 0, 0
        kind = partial(HalvedQuestion, known=search.known, positive=positive) if search.is_shared else Question
        self._question = question = search.asked(kind, search.known.least_wanted, Manner(solver_name))
        while not search.is_over and spent < CONFLICTS_FOR_FEW and solutions + question.refusals <= FEW:
            answer = search.ask(question, CONFLICTS_FOR_ONE)
            spent += CONFLICTS_FOR_ONE
            if answer is Answer.FOUND:
                solutions += 1
                question.raise_target(search.known.least_wanted)
            elif answer is Answer.REFUTED:
                search.known.nothing_better()

    def learn(self, problem: Problem) -> None:
        """Go on with what is known by now; before there is a budget."""
        if self._question is not None:
            self._question.learn(problem)

    def close(self) -> None:
        if self._question is not None:
            self._question.close()
            self._question = None

    def _at(self, target: int) -> Question | None:
        """The question that was asked before, for this target; None if a new one has to be made."""
        question = self._question
        if question is None or question.target > target:
            return None
        return question if question.target == target or question.raise_target(target) else None

    def _renewed(self, target: int, solver_name: str) -> Question:
        self.close()
        self._question = self._search.asked(
            Question, target, Manner(solver_name, self.levels, hosts=self._search.hosts)
        )
        return self._question

    @property
    def _many_refusals(self) -> float:
        """So many solutions slipped through that a finer budget is worth a new formula."""
        if not self._search.puzzle.ruleset.rest:
            return MANY_REFUSALS
        return MANY_REFUSALS_OF_RULES if self._search.relaxation else inf
