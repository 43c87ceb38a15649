"""What a puzzle with one solution needs of its clues and rules for it, and what one with several needs besides.

A second solution shows clues and rules of which at least one is needed: those that it does not keep, an *unavoidable
set*. What is enough has something of each of them (G. McGuire, B. Tugemann and G. Civario, "There is no 16-clue
Sudoku", Experimental Mathematics 23, 2014).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from random import Random
from typing import NamedTuple

from ringdoku.domain import Constraint, Grid, Puzzle, Ruleset, TimeLimitError, counted
from ringdoku.explanations.small_sets import SOLVER, Parts, PuzzleParts
from ringdoku.limits import Deadline
from ringdoku.services.explaining import parts_of
from ringdoku.services.generate import random_solution_of
from ringdoku.services.placing import PLACED, Placing
from ringdoku.services.spec import Generated, Spec
from ringdoku.solvers.incremental import IncrementalSolver, RulesSolver


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
        enough, smallest = parts.core(second), True
        if enough is None:
            return None
        spare = parts.spare(enough, second)
        try:
            enough = parts.smallest(len(enough) - 1, second) or enough
        except TimeLimitError:
            smallest = False
    return Needs(parts.puzzle_of(spare), parts.puzzle_of(enough), smallest)


MOST_TRIED = 1000
"""Solutions of which the clues to add are looked for."""


def fixed(puzzle: Puzzle, kinds: Sequence[str] = (), seed: int = 0, time_limit: float | None = None) -> Generated:
    """The puzzle with the fewest clues more that leave one solution; or constraints, of those that are laid over a
    solution, which have the `kinds`. `remark` says what was added, and of what it is proved that no fewer do; at the
    time limit (seconds) the answer is not `complete`. Raises `UsageError` for kinds that cannot be laid."""
    Spec(puzzle.ruleset, kinds=tuple(kinds), kept=puzzle.clues)
    proof, complete, tried, chosen = "no fewer do", True, 0, list[int]()
    best: _Offer | None = None
    try:
        for tried, offer in enumerate(_offers(puzzle, kinds, Random(f"{seed}"), Deadline.asked(time_limit)), 1):
            if best is None and (found := offer.parts.core(offer.assumed)) is not None:
                best, chosen = offer, found
            if best and (smaller := offer.parts.smallest(len(chosen) - 1, offer.assumed)) is not None:
                best, chosen = offer, smaller
            if best and (len(chosen) < 2 or kinds):
                break
            if tried == MOST_TRIED:
                proof = f"no fewer do for the {tried} solutions that were tried"
                break
    except TimeLimitError:
        proof, complete = "not proved fewest", False
    if best is None:
        several = "there is no solution" if not tried else "what was laid leaves several solutions"
        return Generated(None, missing=several if complete else "the time limit passed")
    laid = " of those that were laid" if kinds and complete else ""
    return best.made(puzzle, chosen, proof + laid, complete)


class _Offer(NamedTuple):
    """What may be added so that a solution is the only one: `parts` of a solver, each with its cell or its constraint
    in `named`, and what is `assumed` of all other solutions."""

    solution: Grid
    parts: Parts
    named: Mapping[int, int | Constraint]
    assumed: Sequence[int]

    def made(self, puzzle: Puzzle, chosen: Sequence[int], proof: str, complete: bool) -> Generated:
        added = [self.named[part] for part in chosen]
        cells = {one for one in added if isinstance(one, int)}
        rules = tuple(one for one in added if isinstance(one, Constraint))
        names = chain(*parts_of(Puzzle(Ruleset(puzzle.board, rules), self.solution.only(cells))))
        remark = f"{counted(len(added), 'constraint' if rules else 'clue')} added, {proof}: {'; '.join(names)}"
        clues = self.solution.only(cells.union(puzzle.clues.filled))
        remark = remark if added else "it has one solution as it is"
        return Generated(Puzzle(puzzle.ruleset.extended(*rules), clues), self.solution, "", remark, complete)


def _offers(puzzle: Puzzle, kinds: Sequence[str], random: Random, deadline: Deadline) -> Iterator[_Offer]:
    """For one solution after the other, as different as they easily are."""
    live = RulesSolver(puzzle.ruleset, (), deadline)
    clues, others = live.clues(puzzle.clues, puzzle.clues.filled), list[int]()
    blank = [cell for cell in range(puzzle.board.grid_count) if cell not in puzzle.clues.filled]
    while solution := random_solution_of(live, random, [*clues, *others]):
        others.append(live.excluding((solution,)))
        if not kinds:
            literals = live.clues(solution, blank)
            named = dict(zip(literals, blank, strict=True))
            yield _Offer(solution, Parts(live, literals), named, [*clues, others[-1]])
            continue
        laid = list(chain.from_iterable(PLACED[kind](Placing(solution, random, 1.0)) for kind in kinds))
        solver = RulesSolver(puzzle.ruleset, laid, deadline)
        with solver:
            rules = dict(zip(solver.rules, laid, strict=True))
            yield _Offer(solution, Parts(solver, solver.rules), rules, [*clues, solver.excluding((solution,))])


def neighbours(
    puzzle: Puzzle, solution: Grid, removed: int, added: int, seed: int = 0, time_limit: float | None = None
) -> Iterator[Generated]:
    """Each puzzle with one solution, this one, that has all clues of the puzzle but `removed` ones, and `added` others,
    in random order. Raises `TimeLimitError` at the limit (seconds, for all)."""
    random, deadline = Random(f"{seed}"), Deadline.asked(time_limit)
    given = puzzle.clues.filled
    blank = [cell for cell in range(puzzle.board.grid_count) if cell not in given]
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
    deadline, given = Deadline.asked(time_limit), puzzle.clues.filled
    blank = [cell for cell in range(puzzle.board.grid_count) if cell not in given]
    live = RulesSolver(puzzle.ruleset, (), deadline)
    parts = Parts(live, live.clues(solution, blank))
    assumed = [live.excluding((solution,)), *live.clues(solution, given)]
    with IncrementalSolver(SOLVER, deadline=deadline) as known:
        cells = {part: (cell, known.selector()) for part, cell in zip(parts.parts, blank, strict=True)}
        while known.is_satisfiable():
            model = set(known.model())
            chosen = parts.core(assumed, [part for part in parts.parts if cells[part][1] in model])
            if chosen is None:
                known.add([[cells[part][1] for part in parts.correction(assumed)[1]]])
                continue
            clues = {cells[part][0] for part in chosen}.union(given)
            yield Generated(Puzzle(puzzle.ruleset, solution.only(clues)), solution)
            if not chosen:
                return
            known.add([[-cells[part][1] for part in chosen]])
