"""What a puzzle with one solution needs of its clues and rules for it, and what one with several needs besides.

A second solution shows clues and rules of which at least one is needed: those that it does not keep, an *unavoidable
set*. What is enough has something of each of them (G. McGuire, B. Tugemann and G. Civario, "There is no 16-clue
Sudoku", Experimental Mathematics 23, 2014).
"""

from dataclasses import dataclass

from ringdoku.domain import Puzzle, TimeLimitError
from ringdoku.explanations.small_sets import PuzzleParts
from ringdoku.limits import Deadline


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
    with parts.solver as solver:
        if not solver.is_satisfiable(parts.parts):
            return None
        second = [parts.solver.excluding(parts.solver.solution())]
        enough, smallest = parts.core(second), True
        if enough is None:
            return None
        spare = parts.spare(enough, second)
        try:
            enough = parts.smallest(len(enough) - 1, second) or enough
        except TimeLimitError:
            smallest = False
    return Needs(parts.puzzle_of(spare), parts.puzzle_of(enough), smallest)
