"""Which clues and rules a puzzle with one solution needs, which to add to one with several, and puzzles close to one.

The clues and rules that a second solution breaks are an *unavoidable set*: at least one of them is needed. A set of
clues and rules leaves one solution if and only if it hits every unavoidable set (G. McGuire, B. Tugemann and
G. Civario, "There is no 16-clue Sudoku", Experimental Mathematics 23, 2014).
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import chain, combinations
from operator import and_
from random import Random
from typing import TypeAlias

from ringdoku.domain import Constraint, Grid, Puzzle, Ruleset, TimeLimitError, counted, refuse
from ringdoku.explanations.small_sets import SOLVER, Parts, PuzzleParts
from ringdoku.limits import Deadline
from ringdoku.services.explaining import part_texts
from ringdoku.services.generator import random_solution_of
from ringdoku.services.placing import PLACED, REGIONS, Placing
from ringdoku.services.spec import Generated, Spec
from ringdoku.solvers.incremental import IncrementalSolver, RulesSolver


@dataclass(frozen=True)
class Needs:
    """What a puzzle needs for its one solution, besides rows, columns and boxes: each clue and rule of `spare` can be
    left out alone; for those of `undecided` this is not known yet; those of `enough` leave one solution, and if
    `smallest`, it is proved that no fewer do."""

    spare: Puzzle
    undecided: Puzzle
    enough: Puzzle
    smallest: bool


def needs(puzzle: Puzzle, time_limit: float | None = None) -> Iterator[Needs]:
    """What a puzzle with one solution needs, as more and more becomes known; nothing for a puzzle with none or several.
    Raises `TimeLimitError` at the limit (seconds)."""
    parts = PuzzleParts(puzzle, Deadline.asked(time_limit))
    solver, every = parts.solver, parts.parts
    with solver:
        if not solver.is_satisfiable(every):
            return
        blocking = [solver.excluding((solver.solution(),))]
        enough, undecided, spare = list(every), list(every), set[int]()

        def known(smallest: bool = False) -> Needs:
            puzzle_of = parts.puzzle_of
            return Needs(puzzle_of(sorted(spare)), puzzle_of(undecided), puzzle_of(enough), smallest)

        if solver.is_satisfiable([*blocking, *enough]):
            return
        while True:
            # everything outside the core can be left out alone
            core = solver.core()
            spare |= {part for part in every if part not in core}
            enough = min(enough, [part for part in every if part in core], key=len)
            undecided = [part for part in undecided if part not in spare]
            yield known()
            while undecided and solver.is_satisfiable([*blocking, *(part for part in every if part != undecided[0])]):
                del undecided[0]
                yield known()
            if not undecided:
                break
        needed = [part for part in every if part not in spare]
        fewest = parts.core([*blocking, *needed], list(spare)) or []
        enough = [*needed, *fewest]
        yield known()
        fewer = parts.smallest(len(fewest) - 1, [*blocking, *needed])
        enough = enough if fewer is None else [*needed, *fewer]
        yield known(smallest=True)


Addition: TypeAlias = int | Constraint
"""A cell that gets a clue, or a constraint."""


def made_unique(puzzle: Puzzle, kinds: Sequence[str] = (), seed: int = 0, time_limit: float | None = None) -> Generated:
    """The puzzle with the fewest added clues that leave one solution; or constraints of the `kinds`, chosen from those
    laid over a solution. `remark` says what was added, and how far it is proved that no fewer do; at the time limit
    (seconds) the answer is not `complete`. Raises `UsageError` for kinds that cannot be laid."""
    Spec(puzzle.ruleset, kinds=tuple(kinds), kept=puzzle.clues)
    refuse(REGIONS in kinds, "regions come before the solution, and cannot be laid over a given one")
    proof = f"no fewer do{' of those that were laid' * bool(kinds)}"
    failure, complete = "there is no solution", True
    best: tuple[Grid, list[Addition]] | None = None
    try:
        solver = RulesSolver(puzzle.ruleset, (), Deadline.asked(time_limit))
        for tried, (solution, added) in enumerate(_possible_additions(solver, puzzle, kinds, Random(f"{seed}")), 1):
            failure = "what was laid leaves several solutions"
            parts, assumed = Parts(solver, list(added)), solver.clues(puzzle.clues, puzzle.clues.filled)
            assumed.append(solver.excluding((solution,)))
            if best is None and (found := parts.core(assumed)) is not None:
                best = solution, [added[part] for part in found]
            if best and (found := parts.smallest(len(best[1]) - 1, assumed)) is not None:
                best = solution, [added[part] for part in found]
            if best and (kinds or len(best[1]) < 2):
                break
            if tried == 1000:
                proof = f"no fewer do for the {tried} solutions that were tried"
                break
    except TimeLimitError:
        proof, failure, complete = "not proved fewest", "the time limit passed", False
    if best is None:
        return Generated(None, remark=failure)
    return _puzzle_with(puzzle, *best, proof, complete)


def _possible_additions(
    solver: RulesSolver, puzzle: Puzzle, kinds: Sequence[str], random: Random
) -> Iterator[tuple[Grid, Mapping[int, Addition]]]:
    """Random solutions, each once, and for each what may be added to make it the only one, by literal."""
    seen, given, blank = solver.selector(), puzzle.clues.filled, puzzle.clues.open
    while solution := random_solution_of(solver, random, [seen, *solver.clues(puzzle.clues, given)]):
        solver.add(solver.formula.digits.blocking_clauses((solution,)), seen)
        laid = [rule for kind in kinds for rule in PLACED[kind](Placing(solution, random, 1.0))]
        if kinds:
            yield solution, {solver.optional(rule): rule for rule in laid}
        else:
            yield solution, dict(zip(solver.clues(solution, blank), blank, strict=True))


def _puzzle_with(puzzle: Puzzle, solution: Grid, added: Sequence[Addition], proof: str, complete: bool) -> Generated:
    """The puzzle with what was added: clues from the solution, or constraints."""
    cells = {addition for addition in added if isinstance(addition, int)}
    rules = tuple(addition for addition in added if isinstance(addition, Constraint))
    names = chain(*part_texts(Puzzle(Ruleset(puzzle.board, rules), solution.only(cells))))
    remark = f"{counted(len(added), 'constraint' if rules else 'clue')} added, {proof}: {'; '.join(names)}"
    made = Puzzle(puzzle.ruleset.extended(*rules), solution.only(cells.union(puzzle.clues.filled)))
    return Generated(made, solution, remark if added else "it has one solution as it is", complete)


def neighbours(
    puzzle: Puzzle, removed: int, added: int, seed: int = 0, time_limit: float | None = None
) -> Iterator[Generated]:
    """All puzzles with one solution that come from this one by removing `removed` clues and then adding `added` other
    clues, also with other digits in the cells of removed ones; in random order. Their solutions may differ from that of
    this puzzle. Raises `TimeLimitError` at the limit (seconds, for all)."""
    random, given, cells = Random(f"{seed}"), puzzle.clues.filled, range(puzzle.board.cell_count)
    solver = RulesSolver(puzzle.ruleset, (), Deadline.asked(time_limit))
    cell_of = {literal: cell for cell in range(puzzle.board.grid_count) for literal in solver.literals[cell] if literal}
    seen, known = solver.selector(), list[Grid]()
    # for each literal a bit mask of the known solutions in which it is true
    solutions_with = defaultdict[int, int](int)

    def known_with(literals: Sequence[int], least: int) -> int:
        """A bit mask of the known solutions with these clues: at least so many of them, unless there are fewer."""
        while (found := reduce(and_, map(solutions_with.__getitem__, literals), -1)).bit_count() < least:
            if not solver.is_satisfiable([seen, *literals]):
                break
            solver.add(solver.formula.digits.blocking_clauses((solution := solver.solution(),)), seen)
            for literal in solver.clues(solution, cells):
                solutions_with[literal] |= 1 << len(known)
            known.append(solution)
        return found

    for removed_cells in combinations(random.sample(given, len(given)), removed):
        kept_cells = set(given).difference(removed_cells)
        kept, taken = solver.clues(puzzle.clues, kept_cells), solver.clues(puzzle.clues, removed_cells)
        others = [literal for literal, cell in cell_of.items() if cell not in kept_cells and literal not in taken]
        possible = [literal for literal in random.sample(others, len(others)) if known_with([*kept, literal], 1)]
        for added_literals in combinations(possible, added):
            solver.deadline.check()
            if (found := known_with([*kept, *added_literals], 2)).bit_count() == 1:
                solution = known[found.bit_length() - 1]
                made = solution.only(kept_cells.union(cell_of[literal] for literal in added_literals))
                yield Generated(Puzzle(puzzle.ruleset, made), solution)


def minimal_puzzles(puzzle: Puzzle, solution: Grid, time_limit: float | None = None) -> Iterator[Generated]:
    """Every puzzle with the clues of this one and a minimal set of others from the solution: without any of these there
    is a second solution. Raises `TimeLimitError` at the limit (seconds, for all).

    The algorithm is MARCO: a second solver proposes sets of clues that are neither supersets of a known minimal set nor
    subsets of a known set that is too small (M. Liffiton, A. Previti, A. Malik
    and J. Marques-Silva, "Fast, flexible MUS enumeration", Constraints 21, 2016)."""
    deadline, given, blank = Deadline.asked(time_limit), puzzle.clues.filled, puzzle.clues.open
    solver = RulesSolver(puzzle.ruleset, (), deadline)
    parts = Parts(solver, solver.clues(solution, blank))
    assumed = [solver.excluding((solution,)), *solver.clues(solution, given)]
    cells = dict(zip(parts.parts, blank, strict=True))
    with IncrementalSolver(SOLVER, deadline=deadline) as known:
        # a cell has a clue if its variable is true
        while known.is_satisfiable():
            proposed = set(known.assignment())
            chosen = parts.core(assumed, [part for part, cell in cells.items() if cell + 1 in proposed])
            if chosen is None:
                known.add([[cells[part] + 1 for part in parts.correction(assumed)[1]]])
                continue
            made = solution.only({*given, *(cells[part] for part in chosen)})
            yield Generated(Puzzle(puzzle.ruleset, made), solution)
            if not chosen:
                return
            known.add([[-cells[part] - 1 for part in chosen]])
