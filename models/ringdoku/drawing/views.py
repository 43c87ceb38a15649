"""`View`: what a picture of a puzzle shows, as data; and the sentence that describes a result."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ringdoku.domain import Grid, Objective, Puzzle, Result, Status, expect, refuse
from ringdoku.domain.showing import Shown


@dataclass(frozen=True)
class View(Shown):
    """What a picture of a puzzle shows. Notebooks draw it. Raises `UsageError` for fields of wrong types.

    - `grid`: the digits, None for the clues. Found digits look different from clues, and digits that stand twice in a
      house are red.
    - `objective`: cells are shaded by their weights.
    - `symbols`: the text of each digit of the board, ascending; numbers if empty.
    - `candidates`: the small digits of each cell; cells with a digit do not show theirs.
    - `lit`: the cells that a step looks at; with the candidates that are its `basis`, are `removed`, or `placed`.
    - `heading` in bold, `caption`, and `alarm` in red: sentences below the board. `title` names the picture for those
      who do not see it.
    - `words`: whether the rules stand below, by name, and in full those that the marks do not show.
    - `link`: the address that opens when the picture is clicked.
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
        grid = expect(puzzle.clues if self.grid is None else self.grid, Grid, "the grid of a view")
        refuse(grid.board != puzzle.board, f"the grid of a view has a board of {puzzle.board}, not of {grid.board}")
        if self.objective is not None:
            expect(self.objective, Objective, "the objective of a view").fits(puzzle.board)

    def __str__(self) -> str:
        """The digits as text, and below them caption and alarm."""
        return "\n".join(part for part in (str(self.grid or self.puzzle), self.caption, self.alarm) if part)


def sentence_of(result: Result) -> str:
    """A sentence about a result besides its grid, empty if there is nothing to say; it names who is to be trusted."""
    bound = "" if result.bound is None else f", bound {result.bound}"
    sentence = {
        Status.SATISFIABLE: "",
        Status.OPTIMAL: f"score {result.score}, {'the best' if result.rank == 1 else f'number {result.rank}'}",
        Status.FEASIBLE: f"score {result.score}{bound}, not proved best",
        Status.INFEASIBLE: "no solution",
        Status.UNKNOWN: f"unknown{bound}, nothing found",
    }[result.status]
    return sentence + (f", by the word of {result.word_of}" if result.word_of else "")
