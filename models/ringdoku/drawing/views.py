"""What a picture of a puzzle shows, and sentences for it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ringdoku.domain import Grid, Objective, Puzzle, Result, Status, expect
from ringdoku.domain.showing import Shown


@dataclass(frozen=True)
class View(Shown):
    """What a picture of a puzzle shows. Notebooks draw it. Raises `UsageError` for things of other types.

    - `grid`: digits, the clues if there are none; those that are no clues look different, and those that stand twice
      in a house are red.
    - `objective`: cells are shaded by their weights.
    - `symbols`: the text of each digit of the board, ascending; without it they are numbers.
    - `candidates`: for each cell its small digits; those of cells with a digit are left out.
    - `lit`: cells that a step looks at; the candidates that are its `basis`, are `removed` or `placed`.
    - `heading` in bold, `caption`, and in red `alarm`: sentences below the board. `title` names the picture for those
      who do not see it.
    - `words`: below them, names of the rules, and in full those that the marks do not show.
    - `link`: the address that the picture leads to.
    """

    puzzle: Puzzle
    grid: Grid | None = None
    objective: Objective | None = None
    symbols: Sequence[str] = ()
    candidates: Sequence[Collection[int]] = ()
    lit: Collection[int] = ()
    basis: Collection[tuple[int, int]] = ()
    removed: Collection[tuple[int, int]] = ()
    placed: tuple[int, int] | None = None
    caption: str = ""
    alarm: str = ""
    title: str = ""
    heading: str = ""
    words: bool = True
    link: str = ""

    def __post_init__(self) -> None:
        puzzle = expect(self.puzzle, Puzzle, "the puzzle of a view")
        expect(puzzle.clues if self.grid is None else self.grid, Grid, "the grid of a view")
        if self.objective is not None:
            expect(self.objective, Objective, "the objective of a view").fits(puzzle.board)

    def __str__(self) -> str:
        """The digits as text, and the sentences below."""
        return "\n".join(part for part in (str(self.grid or self.puzzle), self.caption, self.alarm) if part)


def sentence_of(result: Result) -> str:
    """What a result says besides its grid, none where that is all; and on whose word alone it rests, if it does."""
    bound = "" if result.bound is None else f", bound {result.bound}"
    found = {
        Status.SATISFIABLE: "",
        Status.OPTIMAL: f"score {result.score}, {'the best' if result.rank == 1 else f'number {result.rank}'}",
        Status.FEASIBLE: f"score {result.score}{bound}, not proved best",
        Status.INFEASIBLE: "no solution",
        Status.UNKNOWN: f"unknown{bound}, nothing found",
    }[result.status]
    return found + (f", by the word of {result.word_of}" if result.word_of else "")
