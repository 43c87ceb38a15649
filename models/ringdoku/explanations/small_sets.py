"""Smallest unsatisfiable subsets: of clues and rules that conflict, and of truths that refute a candidate.

What a maximal satisfiable subset leaves out is a *correction set*: every unsatisfiable subset has an element of it.
So a smallest hitting set of the correction sets known so far is the next subset to test (A. Ignatiev, A. Previti, M.
Liffiton and J. Marques-Silva, "Smallest MUS extraction with minimal hitting set dualization", CP 2015; for steps E.
Gamba, B. Bogaerts and T. Guns, "Efficiently explaining CSPs with unsatisfiable subset optimization", JAIR 78, 2023).
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

from pysat.examples.hitman import Hitman  # noqa: TID253 - this module itself is loaded on use

from ringdoku.domain import Boxes, Lines, Puzzle, Ruleset, TimeLimitError
from ringdoku.explanations.graph import graph_of, members
from ringdoku.explanations.inferences import Candidates, CellTruth, Inference, Truth, UnitTruth
from ringdoku.explanations.search import Search
from ringdoku.limits import Deadline
from ringdoku.sat.clauses import RuleClauses
from ringdoku.sat.formula import VarPool
from ringdoku.sat.rules import encode
from ringdoku.solvers.incremental import IncrementalSolver, RulesSolver, python_handles_signals

SOLVER = "minisat22"
MOST_CONFLICTS = 5000
"""Conflicts of a solver call inside RC2 before it checks the deadline again: less than a second."""


class Parts:
    """A solver and its `parts`: literals that may be assumed, of which some may conflict."""

    def __init__(self, solver: IncrementalSolver, parts: Sequence[int]) -> None:
        self.solver = solver
        # makes the solver look for assignments that satisfy many parts
        self.solver.prefer(parts)
        self.parts = list(parts)
        self._corrections: list[tuple[set[int], list[int]]] = []

    def core(self, assumed: Sequence[int] = (), among: Sequence[int] | None = None) -> list[int] | None:
        """A minimal unsatisfiable subset of the parts `among`, with the literals assumed; None if there is none."""
        found = self._conflicting(self.parts if among is None else among, assumed)
        for part in list(found or ()):
            if found and part in found:
                found = self._conflicting([other for other in found if other != part], assumed) or found
        return found

    def _conflicting(self, parts: Sequence[int], assumed: Sequence[int]) -> list[int] | None:
        if self.solver.is_satisfiable([*assumed, *parts]):
            return None
        found = self.solver.core()
        return [part for part in parts if part in found]

    def smallest(self, most: int, assumed: Sequence[int] = ()) -> list[int] | None:
        """A smallest unsatisfiable subset of at most `most` parts, with the literals assumed; None if there is none."""
        # an assignment in which these literals are true gives a correction set here too
        known = [correction for true, correction in self._corrections if true.issuperset(assumed)]
        with Hitman(bootstrap_with=known, solver=SOLVER, htype="sorted") as hitting:
            hitting.oracle._call_oracle = partial(_solve_interruptibly, hitting.oracle.oracle, self.solver.deadline)
            while True:
                self.solver.deadline.check()
                # none hits an empty set
                chosen: list[int] | None = hitting.get()
                if chosen is None or len(chosen) > most:
                    return None
                if not self.solver.is_satisfiable([*assumed, *chosen]):
                    return chosen
                self._corrections.append(self.correction(assumed))
                hitting.hit(self._corrections[-1][1])

    def correction(self, assumed: Sequence[int]) -> tuple[set[int], list[int]]:
        """The solver's last assignment, extended to satisfy a maximal set of parts, and the parts that are left out."""
        true = set(self.solver.assignment())
        for part in self.parts:
            satisfied = [other for other in self.parts if other in true]
            if part not in true and self.solver.is_satisfiable([*assumed, *satisfied, part]):
                true = set(self.solver.assignment())
        return true, [part for part in self.parts if part not in true]


def _solve_interruptibly(solver: Any, deadline: Deadline, assumptions: Sequence[int] = (), **_: object) -> bool:
    """Solves for RC2, which does not check deadlines itself. Raises `TimeLimitError`."""
    answer: bool | None = None
    while answer is None:
        deadline.check()
        solver.conf_budget(MOST_CONFLICTS)
        with python_handles_signals():
            answer = solver.solve_limited(assumptions=assumptions)
    return answer


def smaller_step(
    puzzle: Puzzle, candidates: Candidates, size: int, deadline: Deadline, possible: int = 0
) -> Inference | None:
    """A step of fewer than `size` truths of cells, units and rules, without a name; None if it is proved that there is
    none. Candidates of the set `possible` are in a solution. Raises `TimeLimitError` at the deadline."""
    graph = graph_of(puzzle.ruleset)
    search = Search(graph, graph.alive(candidates), deadline.check)
    clauses, truths = clauses_of_truths(puzzle, search, deadline)
    with IncrementalSolver(SOLVER, deadline=deadline) as solver:
        solver.add(clauses.lists())
        parts = Parts(solver, list(truths))
        for candidate in members(search.candidates & ~possible):
            if (chosen := parts.smallest(size - 1, [candidate + 1])) is not None:
                found = tuple(truths[part] for part in chosen)
                plain = [graph.truths.index(truth) for truth in found if isinstance(truth, (CellTruth, UnitTruth))]
                gone = search.refuted(plain) if len(plain) == len(found) else 1 << candidate
                return Inference(found, graph.candidates_in(gone))
    return None


def clauses_of_truths(puzzle: Puzzle, search: Search, deadline: Deadline) -> tuple[RuleClauses, dict[int, Truth]]:
    """Clauses for the links, with variable c + 1 for candidate c; and the open truths by their selectors."""
    graph, alive, board, pool = search.graph, search.alive, puzzle.board, VarPool()
    variables = pool.take(board.cell_count, board.order).tolist()
    literals = [[var if alive >> var - 1 & 1 else 0 for var in row] for row in variables]
    clauses = RuleClauses(literals, board.least, puzzle.ruleset.peers, pool, deadline)
    for index in members(alive):
        for other in members(graph.conflicts[index] & alive >> index + 1 << index + 1):
            clauses.add([-index - 1, -other - 1])
    truths: dict[int, Truth] = {}
    for truth in search.bits:
        (selector,) = pool.reserve(1)
        truths[selector] = graph.truths[truth]
        with clauses.when(selector):
            clauses.add([index + 1 for index in members(search.bits[truth])])
    for rule in graph.rules:
        (selector,) = pool.reserve(1)
        truths[selector] = rule.truth
        with clauses.when(selector):
            # the clauses of a rule require that its cells have digits
            for cell in rule.cells:
                clauses.add([index + 1 for index in members(graph.cell_bits[cell] & alive)])
            encode(rule.truth.constraint.primitives(board), clauses)
    return clauses, truths


class PuzzleParts(Parts):
    """The clues of a puzzle, and its rules except rows, columns and boxes, as parts. Raises `TimeLimitError`."""

    solver: RulesSolver

    def __init__(self, puzzle: Puzzle, deadline: Deadline) -> None:
        rules, self._grid, given = puzzle.ruleset, puzzle.clues, puzzle.clues.filled
        basis = tuple(rule for rule in rules.constraints if isinstance(rule, (Lines, Boxes)))
        solver = RulesSolver(Ruleset(puzzle.board, basis), rules.special, deadline)
        self._rules = dict(zip(solver.rules, rules.special, strict=True))
        self._clues = dict(zip(solver.clues(puzzle.clues, given), given, strict=True))
        super().__init__(solver, [*self._clues, *self._rules])

    def puzzle_of(self, parts: Sequence[int]) -> Puzzle:
        """The puzzle with only these parts, and rows, columns and boxes."""
        rules = (rule for part, rule in self._rules.items() if part in parts)
        clues = self._grid.only({cell for part, cell in self._clues.items() if part in parts})
        return Puzzle(self.solver.ruleset.extended(*rules), clues)


def smallest_conflict(puzzle: Puzzle, proof: Deadline, deadline: Deadline) -> tuple[Puzzle, bool] | None:
    """A puzzle without a solution that has one without any one of its clues, or rules besides rows, columns and boxes;
    and whether it is proved that none has fewer, False if `proof` comes first. None if the puzzle has a solution.
    Raises `TimeLimitError` if `deadline` comes before either is known."""
    parts = PuzzleParts(puzzle, deadline)
    with parts.solver:
        found, proved = parts.core(), True
        if found is None:
            return None
        parts.solver.deadline = proof
        try:
            found = parts.smallest(len(found) - 1) or found
        except TimeLimitError:
            proved = False
    return parts.puzzle_of(found), proved
