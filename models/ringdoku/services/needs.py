"""Small sets of clues and rules: those that conflict, what a puzzle with one solution needs for it, and what one with
several needs besides.

Of an assignment that satisfies as much as it can, the rest is a *correction set*: each set that conflicts has something
of it. A smallest set that hits all correction sets known so far is the next to be asked about (A. Ignatiev, A. Previti,
M. Liffiton and J. Marques-Silva, "Smallest MUS extraction with minimal hitting set dualization", CP 2015).

A second solution shows clues and rules of which at least one is needed: those that it does not keep, an *unavoidable
set*. What is enough has something of each of them (G. McGuire, B. Tugemann and G. Civario, "There is no 16-clue
Sudoku", Experimental Mathematics 23, 2014).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, combinations
from random import Random
from typing import Any, TypeAlias

from pysat.examples.hitman import Hitman  # noqa: TID253 - this module itself is loaded on use

from ringdoku.domain import Boxes, Constraint, Grid, Lines, Puzzle, Ruleset, TimeLimitError, counted
from ringdoku.explanations.wording import parts_of
from ringdoku.limits import Deadline
from ringdoku.services.generator import random_solution_of
from ringdoku.services.placing import PLACED, Placing
from ringdoku.services.spec import Generated, Spec
from ringdoku.solvers.incremental import IncrementalSolver, RulesSolver, python_handles_signals

SOLVER = "minisat22"

MOST_CONFLICTS = 5000
"""Of a call inside RC2, between two looks at the clock: less than a second."""


class Parts:
    """A solver and literals that may be assumed, the `parts`, of which some conflict."""

    def __init__(self, solver: IncrementalSolver, parts: Sequence[int]) -> None:
        self.solver = solver
        # assignments that satisfy as many parts as they can
        self.solver.prefer(parts)
        self.parts = list(parts)
        self._corrections: list[tuple[set[int], list[int]]] = []

    def core(self, assumed: Sequence[int] = (), among: Sequence[int] | None = None) -> list[int] | None:
        """Parts, of those `among`, that conflict with the literals assumed, of which none can be left out; None when
        all do not."""
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
        """A smallest set of at most `most` parts that conflict with the literals assumed; None: there is none."""
        # an assignment with these literals says the same of them again
        known = [correction for true, correction in self._corrections if true.issuperset(assumed)]
        with Hitman(bootstrap_with=known, solver=SOLVER, htype="sorted") as hitting:
            hitting.oracle._call_oracle = partial(_asked, hitting.oracle.oracle, self.solver.deadline)
            while True:
                self.solver.deadline.check()
                chosen: list[int] = hitting.get() if known else []
                if chosen is None or len(chosen) > most:
                    return None
                if not self.solver.is_satisfiable([*assumed, *chosen]):
                    return chosen
                true, correction = self.correction(assumed)
                self._corrections.append((true, correction))
                if not correction:
                    return None
                known = [correction]
                hitting.hit(correction)

    def fewest(self, assumed: Sequence[int] = (), proof: Deadline | None = None) -> tuple[list[int], bool] | None:
        """Parts that conflict with the literals assumed, the fewest if that is proved in time, and whether it is; None
        when all do not. `proof` is an earlier deadline for the proof."""
        found = self.core(assumed)
        if found is None:
            return None
        self.solver.deadline = proof or self.solver.deadline
        try:
            return self.smallest(len(found) - 1, assumed) or found, True
        except TimeLimitError:
            return found, False

    def correction(self, assumed: Sequence[int]) -> tuple[set[int], list[int]]:
        """The solver's last assignment, after it satisfies all parts that it can, and the parts that it does not."""
        true = set(self.solver.model())
        satisfied = [part for part in self.parts if part in true]
        for part in self.parts:
            if part not in true and self.solver.is_satisfiable([*assumed, *satisfied, part]):
                true = set(self.solver.model())
                satisfied = [part for part in self.parts if part in true]
        return true, [part for part in self.parts if part not in true]


def _asked(solver: Any, deadline: Deadline, assumptions: Sequence[int] = (), **_: object) -> bool:
    """What RC2 asks its solver; by itself it looks at no clock. Raises `TimeLimitError`."""
    answer: bool | None = None
    while answer is None:
        deadline.check()
        solver.conf_budget(MOST_CONFLICTS)
        with python_handles_signals():
            answer = solver.solve_limited(assumptions=assumptions)
    return answer


class PuzzleParts(Parts):
    """The clues of a puzzle and its rules, besides rows, columns and boxes, as parts. Raises `TimeLimitError`."""

    solver: RulesSolver

    def __init__(self, puzzle: Puzzle, deadline: Deadline) -> None:
        self._puzzle, rules = puzzle, puzzle.ruleset.constraints
        self._others = [index for index, rule in enumerate(rules) if not isinstance(rule, (Lines, Boxes))]
        basis = tuple(rule for rule in rules if isinstance(rule, (Lines, Boxes)))
        solver = RulesSolver(Ruleset(puzzle.board, basis), [rules[index] for index in self._others], deadline)
        given = puzzle.clues.filled
        self._clues = dict(zip(solver.clues(puzzle.clues, given), given, strict=True))
        super().__init__(solver, [*self._clues, *solver.rules])

    def puzzle_of(self, parts: Sequence[int]) -> Puzzle:
        """The puzzle with these parts alone, and with rows, columns and boxes."""
        rules, pairs = self._puzzle.ruleset.constraints, zip(self._others, self.solver.rules, strict=True)
        left_out = {index for index, part in pairs if part not in parts}
        kept = tuple(rule for index, rule in enumerate(rules) if index not in left_out)
        clues = self._puzzle.clues.only({self._clues[part] for part in parts if part in self._clues})
        return Puzzle(Ruleset(self._puzzle.board, kept), clues)


def smallest_conflict(puzzle: Puzzle, proof: Deadline, deadline: Deadline) -> tuple[Puzzle, bool] | None:
    """A puzzle of clues and rules, besides rows, columns and boxes, that has no solution, and has one without any of
    these; and whether it is proved that none has fewer, which it is not when `proof` comes first. None: there is a
    solution. Raises `TimeLimitError` when `deadline` comes before there is either."""
    parts = PuzzleParts(puzzle, deadline)
    with parts.solver:
        found = parts.fewest((), proof)
    return found and (parts.puzzle_of(found[0]), found[1])


@dataclass(frozen=True)
class Needs:
    """What a puzzle needs for its one solution, besides rows, columns and boxes: each clue and rule of `spare` can go
    alone; those of `enough` leave one solution, and none of them can go; `smallest`: it is proved that no fewer do."""

    spare: Puzzle
    enough: Puzzle
    smallest: bool


def needs(puzzle: Puzzle, time_limit: float | None = None) -> Needs | None:
    """What the puzzle needs; None unless it has just one solution. At the time limit (seconds) the least that was found
    is not proved smallest. Raises `TimeLimitError` where nothing was found by then."""
    parts = PuzzleParts(puzzle, Deadline.asked(time_limit))
    with parts.solver:
        if not parts.solver.is_satisfiable(parts.parts):
            return None
        second = [parts.solver.excluding((parts.solver.solution(),))]
        without = {part: [other for other in parts.parts if other != part] for part in parts.parts}
        spare = [part for part, rest in without.items() if not parts.solver.is_satisfiable([*second, *rest])]
        found = parts.fewest(second)
    return found and Needs(parts.puzzle_of(spare), parts.puzzle_of(found[0]), found[1])


Addition: TypeAlias = int | Constraint
"""A cell that gets a clue, or a constraint."""

MOST_TRIED = 1000
"""Solutions of which the clues to add are looked for."""


def fixed(puzzle: Puzzle, kinds: Sequence[str] = (), seed: int = 0, time_limit: float | None = None) -> Generated:
    """The puzzle with the fewest clues more that leave one solution; or constraints, of those that are laid over a
    solution, which have the `kinds`. `remark` says what was added, and of what it is proved that no fewer do; at the
    time limit (seconds) the answer is not `complete`. Raises `UsageError` for kinds that cannot be laid."""
    Spec(puzzle.ruleset, kinds=tuple(kinds), kept=puzzle.clues)
    proof = f"no fewer do{' of those that were laid' * bool(kinds)}"
    missing, complete = "there is no solution", True
    best: tuple[Grid, list[Addition]] | None = None
    try:
        live = RulesSolver(puzzle.ruleset, (), Deadline.asked(time_limit))
        for tried, (solution, added) in enumerate(_offers(live, puzzle, kinds, Random(f"{seed}")), 1):
            missing = "what was laid leaves several solutions"
            parts, second = Parts(live, list(added)), live.clues(puzzle.clues, puzzle.clues.filled)
            second.append(live.excluding((solution,)))
            if best is None and (found := parts.core(second)) is not None:
                best = solution, [added[part] for part in found]
            if best and (found := parts.smallest(len(best[1]) - 1, second)) is not None:
                best = solution, [added[part] for part in found]
            if best and (kinds or len(best[1]) < 2):
                break
            if tried == MOST_TRIED:
                proof = f"no fewer do for the {tried} solutions that were tried"
                break
    except TimeLimitError:
        proof, missing, complete = "not proved fewest", "the time limit passed", False
    if best is None:
        return Generated(None, missing=missing)
    return _with(puzzle, *best, proof, complete)


def _offers(
    live: RulesSolver, puzzle: Puzzle, kinds: Sequence[str], random: Random
) -> Iterator[tuple[Grid, Mapping[int, Addition]]]:
    """One solution after the other, as different as they easily are, and what may be added for it, by its literal."""
    seen, given, blank = live.selector(), puzzle.clues.filled, puzzle.clues.open
    while solution := random_solution_of(live, random, [seen, *live.clues(puzzle.clues, given)]):
        live.add(live.formula.digits.clauses_against((solution,)), seen)
        laid = [rule for kind in kinds for rule in PLACED[kind](Placing(solution, random, 1.0))]
        if kinds:
            yield solution, {live.optional(rule): rule for rule in laid}
        else:
            yield solution, dict(zip(live.clues(solution, blank), blank, strict=True))


def _with(puzzle: Puzzle, solution: Grid, added: Sequence[Addition], proof: str, complete: bool) -> Generated:
    """The puzzle with the clues of some cells, or with some constraints."""
    cells = {one for one in added if isinstance(one, int)}
    rules = tuple(one for one in added if isinstance(one, Constraint))
    names = chain(*parts_of(Puzzle(Ruleset(puzzle.board, rules), solution.only(cells))))
    remark = f"{counted(len(added), 'constraint' if rules else 'clue')} added, {proof}: {'; '.join(names)}"
    made = Puzzle(puzzle.ruleset.extended(*rules), solution.only(cells.union(puzzle.clues.filled)))
    return Generated(made, solution, "", remark if added else "it has one solution as it is", complete)


def neighbours(
    puzzle: Puzzle, solution: Grid, removed: int, added: int, seed: int = 0, time_limit: float | None = None
) -> Iterator[Generated]:
    """Each puzzle with one solution, this one, that has all clues of the puzzle but `removed` ones, and `added` others,
    in random order. Raises `TimeLimitError` at the limit (seconds, for all)."""
    random, deadline = Random(f"{seed}"), Deadline.asked(time_limit)
    given, blank = puzzle.clues.filled, puzzle.clues.open
    live = RulesSolver(puzzle.ruleset, (), deadline)
    second = live.excluding((solution,))
    for gone in combinations(random.sample(given, len(given)), removed):
        kept = set(given).difference(gone)
        # cells in which second solutions differ
        unavoidable: list[set[int]] = []
        for new in combinations(random.sample(blank, len(blank)), added):
            deadline.check()
            if any(cells.isdisjoint(new) for cells in unavoidable):
                continue
            if live.is_satisfiable([second, *live.clues(solution, [*kept, *new])]):
                other = live.solution().digits
                unavoidable.append({cell for cell in blank if other[cell] != solution.digits[cell]})
            else:
                yield Generated(Puzzle(puzzle.ruleset, solution.only(kept.union(new))), solution)


def minimal_puzzles(puzzle: Puzzle, solution: Grid, time_limit: float | None = None) -> Iterator[Generated]:
    """Every puzzle that has the clues of this one, and of others of the solution just as many that none of those can
    go. Raises `TimeLimitError` at the limit (seconds, for all).

    Sets of clues are asked for that are neither enough nor too few by what is known (M. Liffiton, A. Previti, A. Malik
    and J. Marques-Silva, "Fast, flexible MUS enumeration", Constraints 21, 2016)."""
    deadline, given, blank = Deadline.asked(time_limit), puzzle.clues.filled, puzzle.clues.open
    live = RulesSolver(puzzle.ruleset, (), deadline)
    parts = Parts(live, live.clues(solution, blank))
    assumed = [live.excluding((solution,)), *live.clues(solution, given)]
    cells = dict(zip(parts.parts, blank, strict=True))
    with IncrementalSolver(SOLVER, deadline=deadline) as known:
        # the variable of a cell says that it has a clue
        while known.is_satisfiable():
            clues = set(known.model())
            chosen = parts.core(assumed, [part for part, cell in cells.items() if cell + 1 in clues])
            if chosen is None:
                known.add([[cells[part] + 1 for part in parts.correction(assumed)[1]]])
                continue
            made = solution.only({*given, *(cells[part] for part in chosen)})
            yield Generated(Puzzle(puzzle.ruleset, made), solution)
            if not chosen:
                return
            known.add([[-cells[part] - 1 for part in chosen]])
