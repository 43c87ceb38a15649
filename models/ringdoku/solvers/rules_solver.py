"""The rules of a board in one incremental solver, asked which clues, and which further rules, leave what."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ringdoku.domain.constraint import Constraint
from ringdoku.domain.grid import Grid
from ringdoku.domain.primitives import AllDifferent
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.ruleset import Ruleset
from ringdoku.limits import NEVER, Deadline
from ringdoku.lowering.cnf import lower_to_cnf
from ringdoku.sat.clauses import RuleClauses
from ringdoku.sat.rules import encode
from ringdoku.solvers.incremental import IncrementalSolver

BACKEND = "cadical153"
"""The fastest to make minimal puzzles: 3.4 ms each at 9×9, MiniSat 2.2 5.2 ms, Glucose 3 6.1 ms."""


class RulesSolver(IncrementalSolver):
    """The rules of `ruleset` hold always; each of the `optional` constraints holds while its selector, in `rules`, is
    assumed. Clues are literals to assume, so `core` names those that the answer "no solution" rests on."""

    def __init__(self, ruleset: Ruleset, optional: Sequence[Constraint] = (), deadline: Deadline = NEVER) -> None:
        self.ruleset = ruleset
        # without presolve the literal of the d-th digit of cell c is c·n + d
        formula = lower_to_cnf(Puzzle(ruleset, Grid.blank(ruleset.board)), deadline=deadline)
        super().__init__(BACKEND, formula.cnf, deadline)
        literals = formula.digits.literals.tolist()
        self.rules = tuple(self._optional(constraint, literals) for constraint in optional)

    def _optional(self, constraint: Constraint, literals: Sequence[Sequence[int]]) -> int:
        board, selector = self.ruleset.board, self.selector()
        # the selector makes the houses of the constraint hold too
        clauses = RuleClauses(literals, board.least, self.ruleset.extended(constraint).peers, self.pool)
        with clauses.when(selector):
            encode((AllDifferent(house.cells) for house in constraint.houses(board)), clauses)
            encode(constraint.primitives(board), clauses)
        self.add(clauses.lists())
        return selector

    def literal(self, cell: int, digit: int) -> int:
        """The literal of "the cell holds the digit"."""
        board = self.ruleset.board
        return cell * board.order + digit - board.least + 1

    def clues(self, grid: Grid, cells: Iterable[int]) -> list[int]:
        """The literals of these cells' digits."""
        return [self.literal(cell, grid.digits[cell]) for cell in cells]

    def solution(self) -> Grid:
        """The one that the last question found."""
        board = self.ruleset.board
        n, least = board.order, board.least
        candidates = self.model()[: board.cell_count * n]
        return Grid(tuple([(lit - 1) % n + least for lit in candidates if lit > 0]), board)

    def excluding(self, grid: Grid) -> int:
        """A selector that forbids this solution."""
        selector = self.selector()
        self.add([[-literal for literal in self.clues(grid, range(grid.board.grid_count))]], selector)
        return selector
