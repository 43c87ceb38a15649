"""The rules of a board in one live SAT solver, asked again and again which clues, and which more rules, leave what.

Clues are literals that are assumed, so an answer "no solution" comes with those of them that it rests on.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Sequence

from ringdoku.domain.constraint import Constraint
from ringdoku.domain.errors import TimeLimitError
from ringdoku.domain.grid import Grid
from ringdoku.domain.primitives import AllDifferent
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.ruleset import Ruleset
from ringdoku.limits import Deadline
from ringdoku.lowering.cnf import lower_to_cnf
from ringdoku.sat import ClauseSink, Cnf, VarPool
from ringdoku.sat.rules.clauses import RuleClauses
from ringdoku.sat.rules.encoder import encode
from ringdoku.solvers.sat_solver import limited, loaded, solve_in_turns

BACKEND = "cadical153"
"""The fastest to make minimal puzzles: 3.4 ms each at 9×9, MiniSat 2.2 5.2 ms, Glucose 3 6.1 ms."""

FEW_CONFLICTS = 50
TURN_CONFLICTS = 1000
TURNS = 20
"""A second or so."""


class LiveRules:
    """`optional` constraints hold while their literals, `rules`, are assumed; those of `ruleset` hold always."""

    def __init__(self, ruleset: Ruleset, optional: Sequence[Constraint] = (), deadline: Deadline | None = None) -> None:
        self.ruleset = ruleset
        self.deadline = deadline or Deadline()
        # without presolve the literal of the d-th digit of cell c is c·n + d
        formula = lower_to_cnf(Puzzle(ruleset, Grid.blank(ruleset.board)), deadline=self.deadline)
        pool = VarPool(formula.cnf.num_vars)
        literals = formula.digits.literals.tolist()
        self._solver = loaded(BACKEND, formula.cnf, self.deadline)
        weakref.finalize(self, self._solver.delete)
        self.rules = tuple(self._guarded(constraint, literals, pool) for constraint in optional)
        self._count = pool.count

    def _guarded(self, constraint: Constraint, literals: Sequence[Sequence[int]], pool: VarPool) -> int:
        """Adds the clauses of a constraint; returns the literal under which they hold."""
        board = self.ruleset.board
        (guard,) = pool.reserve(1)
        # the guard makes the houses of the constraint hold too
        clauses = RuleClauses(literals, board.least, self.ruleset.extended(constraint).peers, pool)
        with clauses.when(guard):
            encode((AllDifferent(house.cells) for house in constraint.houses(board)), clauses)
            encode(constraint.primitives(board), clauses)
        sink = ClauseSink(self.deadline)
        clauses.pour(sink)
        added: Cnf = sink.formula(pool)
        for clause in added.clauses():
            self._solver.add_clause(clause)
        return guard

    def literal(self, cell: int, digit: int) -> int:
        """The literal of "the cell holds the digit"."""
        board = self.ruleset.board
        return cell * board.order + digit - board.least + 1

    def clues(self, grid: Grid, cells: Iterable[int]) -> list[int]:
        """The literals of these cells' digits."""
        return [self.literal(cell, grid.digits[cell]) for cell in cells]

    def is_possible(self, assumed: Sequence[int]) -> bool:
        """Whether there is a solution under these literals. Raises `TimeLimitError` at the deadline."""
        answer = solve_in_turns(self._solver, assumed, self.deadline)
        if answer is None:
            raise TimeLimitError
        return answer

    def is_impossible(self, assumed: Sequence[int], patient: bool = True) -> bool:
        """Whether it is proved that there is no solution, unless `patient` within `TURNS` of `TURN_CONFLICTS`."""
        if patient:
            return not self.is_possible(assumed)
        for _ in range(TURNS):
            # in turns, between which Ctrl-C and the deadline are seen
            answer = limited(self._solver, assumed, TURN_CONFLICTS, self.deadline)
            self.deadline.check()
            if answer is not None:
                return not answer
        return False

    def is_easily_possible(self, assumed: Sequence[int]) -> bool:
        """Whether a solution is found within a few conflicts, whatever time they take."""
        return limited(self._solver, assumed, FEW_CONFLICTS, self.deadline) is True

    def solution(self) -> Grid:
        """The one that the last question found."""
        board = self.ruleset.board
        n, least = board.order, board.least
        model: list[int] = self._solver.get_model()
        return Grid(tuple([(lit - 1) % n + least for lit in model[: board.cell_count * n] if lit > 0]), board)

    def reason(self) -> set[int]:
        """Literals of those that the last question assumed, which alone leave no solution."""
        return set(self._solver.get_core() or ())

    def excluding(self, grid: Grid) -> int:
        """A literal that forbids this solution while it is assumed."""
        self._count += 1
        self._solver.add_clause([-self._count, *(-lit for lit in self.clues(grid, range(grid.board.grid_count)))])
        return self._count

    def forget(self, literal: int) -> None:
        """What `excluding` returned is not used any more."""
        self._solver.add_clause([-literal])
