"""Why there is no solution: a smallest set of clues and rules that conflict.

A SAT solver says which sets conflict, and each set that does not is grown to a greatest one; a smallest set that hits
the rest of each of those is the next to be asked about (A. Ignatiev, A. Previti, M. Liffiton and J. Marques-Silva,
"Smallest MUS extraction with minimal hitting set dualization", CP 2015).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ringdoku.domain.constraint import Boxes, Constraint, Lines
from ringdoku.domain.errors import TimeLimitError
from ringdoku.domain.grid import Grid
from ringdoku.domain.primitives import AllDifferent
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.ruleset import Ruleset
from ringdoku.limits import Deadline

SOLVER = "minisat22"


@dataclass(frozen=True)
class Conflict:
    """`puzzle` has no solution, and has one without any of its clues or of the `rules` besides rows, columns and boxes;
    `smallest`: no such puzzle has fewer clues and rules, proved."""

    puzzle: Puzzle
    rules: tuple[Constraint, ...]
    smallest: bool


def smallest_conflict(puzzle: Puzzle, proof: Deadline, deadline: Deadline) -> Conflict | None:
    """A smallest conflict; one of which no part can be left out when `proof` comes first. None: there is a solution.

    Raises `TimeLimitError` when `deadline` comes before there is either.
    """
    question = _Question(puzzle, deadline)
    try:
        core = question.core(list(question.parts), deadline)
        if core is None:
            return None
        # without what it does not need
        for part in list(core):
            if part in core:
                smaller = question.core([other for other in core if other != part], deadline)
                core = core if smaller is None else smaller
        try:
            least = question.smallest(len(core), proof)
        except TimeLimitError:
            least = None
        return question.conflict(least or core, least is not None)
    finally:
        question.close()


class _Question:
    """A live solver for the rules, with a literal to assume for each part: a clue, or a rule that may be left out."""

    def __init__(self, puzzle: Puzzle, deadline: Deadline) -> None:
        from ringdoku.sat import ClauseSink, VarPool
        from ringdoku.sat.clauses import RuleClauses
        from ringdoku.sat.rules import encode
        from ringdoku.solvers.sat_solver import loaded

        self._puzzle = puzzle
        board, ruleset, pool = puzzle.board, puzzle.ruleset, VarPool()
        literals = pool.take(board.cell_count, board.order).tolist()
        clauses = RuleClauses(literals, board.least, ruleset.peers, pool)
        self.parts: dict[int, tuple[int, int] | Constraint] = {}
        for cell, digit in enumerate(puzzle.clues.digits):
            if digit != board.blank:
                self.parts[literals[cell][digit - board.least]] = (cell, digit)
        for row in literals:
            clauses.add(list(row))
            for place, literal in enumerate(row):
                for other in row[:place]:
                    clauses.add([-literal, -other])
        for constraint in dict.fromkeys(ruleset.constraints):
            houses = [AllDifferent(house.cells) for house in constraint.houses(board)]
            every = [house.cells for house in constraint.houses(board) if len(house.cells) == board.order]
            guard = []
            if not isinstance(constraint, (Lines, Boxes)):
                (selector,) = clauses.variables(1)
                self.parts[selector] = constraint
                guard.append(selector)
            with clauses.when(*guard):
                encode((*houses, *constraint.primitives(board)), clauses)
                for cells in every:
                    for digit in range(board.order):
                        clauses.add([literals[cell][digit] for cell in cells])
        sink = ClauseSink(deadline)
        clauses.pour(sink)
        self._solver: Any = loaded(SOLVER, sink.formula(pool), deadline)
        # solutions that keep as many parts as they can
        self._solver.set_phases(list(self.parts))

    def close(self) -> None:
        self._solver.delete()

    def core(self, parts: Sequence[int], deadline: Deadline) -> list[int] | None:
        """Some of the parts that conflict, in their order; None when they do not."""
        if self._satisfies(parts, deadline):
            return None
        found = set(self._solver.get_core() or ())
        return [part for part in parts if part in found]

    def smallest(self, known: int, deadline: Deadline) -> list[int]:
        """A conflict of the fewest parts, proved; nothing where it has as many as are `known`."""
        from pysat.examples.hitman import Hitman

        with Hitman(solver=SOLVER, htype="sorted") as hitting:
            found: list[int] = []
            while True:
                if len(found) >= known:
                    return []
                if self._satisfies(found, deadline):
                    grown = self._grown(deadline)
                    hitting.hit([part for part in self.parts if part not in grown])
                else:
                    return found
                found = hitting.get() or []

    def _satisfies(self, parts: Sequence[int], deadline: Deadline) -> bool:
        from ringdoku.solvers.sat_solver import solve_in_turns

        answer = solve_in_turns(self._solver, parts, deadline)
        if answer is None:
            raise TimeLimitError
        return answer

    def _grown(self, deadline: Deadline) -> set[int]:
        """The parts that hold in the solver's last solution, and as many more as there can be."""
        true = set(self._solver.get_model() or ())
        grown = [part for part in self.parts if part in true]
        for part in self.parts:
            if part not in true and self._satisfies([*grown, part], deadline):
                grown.append(part)
        return set(grown)

    def conflict(self, parts: Sequence[int], smallest: bool) -> Conflict:
        board = self._puzzle.board
        kept = [self.parts[part] for part in parts]
        clues = dict(part for part in kept if isinstance(part, tuple))
        rules = tuple(part for part in kept if not isinstance(part, tuple))
        constraints = [
            rule for rule in self._puzzle.ruleset.constraints if isinstance(rule, (Lines, Boxes)) or rule in rules
        ]
        grid = Grid(tuple(clues.get(cell, board.blank) for cell in range(board.cell_count)), board)
        return Conflict(Puzzle(Ruleset(board, tuple(constraints)), grid), rules, smallest)
