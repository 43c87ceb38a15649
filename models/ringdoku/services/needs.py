"""What a puzzle with one solution needs of its clues and rules for it, and what one with several needs besides.

A second solution shows clues and rules of which at least one is needed: those that it does not keep, an *unavoidable
set*. What is enough has something of each of them (G. McGuire, B. Tugemann and G. Civario, "There is no 16-clue
Sudoku", Experimental Mathematics 23, 2014).
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import chain, combinations
from operator import and_
from random import Random
from typing import TypeAlias

from ringdoku.domain import Constraint, Grid, Puzzle, Ruleset, TimeLimitError, counted
from ringdoku.explanations.small_sets import SOLVER, Parts, PuzzleParts
from ringdoku.limits import Deadline
from ringdoku.services.explaining import parts_of
from ringdoku.services.generator import random_solution_of
from ringdoku.services.placing import PLACED, Placing
from ringdoku.services.spec import Generated, Spec
from ringdoku.solvers.incremental import IncrementalSolver, RulesSolver


@dataclass(frozen=True)
class Needs:
    """What a puzzle needs for its one solution, besides rows, columns and boxes: each clue and rule of `spare` can go
    alone, and of those of `undecided` it is not known; those of `enough` leave one solution; `smallest`: it is proved
    that no fewer do."""

    spare: Puzzle
    undecided: Puzzle
    enough: Puzzle
    smallest: bool


def needs(puzzle: Puzzle, time_limit: float | None = None) -> Iterator[Needs]:
    """What a puzzle with one solution needs, as more and more is known. Raises `TimeLimitError` at the limit (s)."""
    parts = PuzzleParts(puzzle, Deadline.asked(time_limit))
    with parts.solver:
        if not parts.solver.is_satisfiable(parts.parts):
            return
        second = [parts.solver.excluding((parts.solver.solution(),))]
        enough, undecided, spare = list(parts.parts), list(parts.parts), set[int]()

        def known(smallest: bool = False) -> Needs:
            of = parts.puzzle_of
            return Needs(of(sorted(spare)), of(undecided), of(enough), smallest)

        if parts.solver.is_satisfiable([*second, *enough]):
            return
        while True:
            # what a refutation does not rest on can go
            rest = parts.solver.core()
            spare |= {part for part in parts.parts if part not in rest}
            enough = min(enough, [part for part in parts.parts if part in rest], key=len)
            undecided = [part for part in undecided if part not in spare]
            yield known()
            while undecided and parts.solver.is_satisfiable(
                [*second, *(part for part in parts.parts if part != undecided[0])]
            ):
                del undecided[0]
                yield known()
            if not undecided:
                break
        needed = [part for part in parts.parts if part not in spare]
        fewest = parts.core([*second, *needed], list(spare)) or []
        enough = [*needed, *fewest]
        yield known()
        fewer = parts.smallest(len(fewest) - 1, [*second, *needed])
        enough = enough if fewer is None else [*needed, *fewer]
        yield known(smallest=True)


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
        return Generated(None, remark=missing)
    return _with(puzzle, *best, proof, complete)


def _offers(
    live: RulesSolver, puzzle: Puzzle, kinds: Sequence[str], random: Random
) -> Iterator[tuple[Grid, Mapping[int, Addition]]]:
    """One solution after the other, as different as they easily are, and what may be added for it, by its literal."""
    seen, given, blank = live.selector(), puzzle.clues.filled, puzzle.clues.open
    while solution := random_solution_of(live, random, [seen, *live.clues(puzzle.clues, given)]):
        live.add(live.formula.digits.blocking_clauses((solution,)), seen)
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
    return Generated(made, solution, remark if added else "it has one solution as it is", complete)


def neighbours(
    puzzle: Puzzle, removed: int, added: int, seed: int = 0, time_limit: float | None = None
) -> Iterator[Generated]:
    """Each puzzle with one solution, of its own, that has all clues of the puzzle but `removed` ones, and `added` other
    clues, which may stand in the cells of removed ones; in random order. Raises `TimeLimitError` at the limit (seconds,
    for all)."""
    random, given, cells = Random(f"{seed}"), puzzle.clues.filled, range(puzzle.board.cell_count)
    live = RulesSolver(puzzle.ruleset, (), Deadline.asked(time_limit))
    cell_of = {literal: cell for cell in cells[: puzzle.board.grid_count] for literal in live.literals[cell] if literal}
    seen, known = live.selector(), list[Grid]()
    # for each literal the solutions known to have it, as bits
    having = defaultdict[int, int](int)

    def known_with(literals: Sequence[int], least: int) -> int:
        """The solutions known to have these clues, at least so many of them unless there are fewer."""
        while (found := reduce(and_, map(having.__getitem__, literals), -1)).bit_count() < least:
            if not live.is_satisfiable([seen, *literals]):
                break
            live.add(live.formula.digits.blocking_clauses((solution := live.solution(),)), seen)
            for literal in live.clues(solution, cells):
                having[literal] |= 1 << len(known)
            known.append(solution)
        return found

    for gone in combinations(random.sample(given, len(given)), removed):
        left = set(given).difference(gone)
        kept, taken = live.clues(puzzle.clues, left), live.clues(puzzle.clues, gone)
        others = [one for one, cell in cell_of.items() if cell not in left and one not in taken]
        possible = [one for one in random.sample(others, len(others)) if known_with([*kept, one], 1)]
        for new in combinations(possible, added):
            live.deadline.check()
            if (found := known_with([*kept, *new], 2)).bit_count() == 1:
                solution = known[found.bit_length() - 1]
                made = solution.only(left.union(cell_of[one] for one in new))
                yield Generated(Puzzle(puzzle.ruleset, made), solution)


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
            clues = set(known.assignment())
            chosen = parts.core(assumed, [part for part, cell in cells.items() if cell + 1 in clues])
            if chosen is None:
                known.add([[cells[part] + 1 for part in parts.correction(assumed)[1]]])
                continue
            made = solution.only({*given, *(cells[part] for part in chosen)})
            yield Generated(Puzzle(puzzle.ruleset, made), solution)
            if not chosen:
                return
            known.add([[-cells[part] - 1 for part in chosen]])
