"""A step: an inference where it is taken, with the digits placed before it and the candidates that are left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ringdoku.domain.grid import Grid
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.showing import Shown
from ringdoku.explanations.checker import after
from ringdoku.explanations.inferences import (
    Candidate,
    Candidates,
    CellTruth,
    HouseTruth,
    Inference,
    RuleTruth,
    UnitTruth,
)
from ringdoku.explanations.path import Explanation, Outcome
from ringdoku.explanations.rating import rate_steps
from ringdoku.explanations.techniques import Pattern
from ringdoku.explanations.wording import Words

if TYPE_CHECKING:
    from ringdoku.drawing.views import View


@dataclass(frozen=True)
class Step(Inference, Shown):
    """An inference from the `grid` and the `candidates` before it; `number` counts from 1."""

    puzzle: Puzzle = field(kw_only=True)
    grid: Grid = field(kw_only=True)
    candidates: Candidates = field(kw_only=True)
    number: int = field(kw_only=True)

    def words(self, symbols: Sequence[str] = ()) -> Words:
        """What makes sentences of it; `symbols` is the text of each digit, ascending, numbers if there are none."""
        least = self.puzzle.board.least
        return Words(self.puzzle, (lambda digit: symbols[digit - least]) if symbols else str)

    def lines(self, symbols: Sequence[str] = ()) -> list[str]:
        """The step in sentences, with its number and its name; those of a case are indented."""
        words = self.words(symbols)
        first, *others = words.lines(self.candidates, self)
        heading = words.heading(self)
        return [
            f"{self.number}. {first}" if heading == "contradiction" else f"{self.number}. {heading}: {first}",
            *others,
        ]

    def __str__(self) -> str:
        return "\n".join(self.lines())

    @property
    def ways(self) -> frozenset[Candidate]:
        """The candidates that its truths leave."""
        pattern = Pattern(self.puzzle.ruleset, self.candidates, self)
        return frozenset(way for truth in self.truths for way in pattern.ways(truth))

    def cells(self, blank: str, symbols: Sequence[str] = ()) -> list[str]:
        """A text for each cell of a drawing: its digit, and the candidates where the step looks: `12-3` loses the 3,
        `=5` gets the 5."""
        left, name = self.candidates, self.words(symbols).digit
        gone: dict[int, list[int]] = {}
        for cell, digit in self.removed:
            gone.setdefault(cell, []).append(digit)
        looked_at = {cell for cell, _ in self.ways} | set(gone)
        texts = []
        for cell in range(self.puzzle.board.grid_count):
            if self.placed and cell == self.placed[0]:
                texts.append(f"={name(self.placed[1])}")
            elif cell in looked_at and not (self.placed and len(left[cell]) > 1):
                kept = "".join(name(digit) for digit in sorted(left[cell] - set(gone.get(cell, ()))))
                lost = "".join(map(name, gone.get(cell, ())))
                texts.append(f"{kept}-{lost}" if lost else kept)
            else:
                texts.append("".join(map(name, left[cell])) if len(left[cell]) == 1 else blank)
        return texts

    def view(self, symbols: Sequence[str] = ()) -> View:
        """Its picture: the cells of its truths are lit, the candidates that they leave have a disc, those that go are
        struck out."""
        # the drawing, which most do without
        from ringdoku.drawing.picture import cells_of
        from ringdoku.drawing.views import Focus, View

        ruleset, board = self.puzzle.ruleset, self.puzzle.board
        lit: set[int] = set()
        for truth in self.truths:
            match truth:
                case CellTruth(cell):
                    lit.add(cell)
                case UnitTruth(unit) | HouseTruth(unit):
                    lit.update(ruleset.units[unit].cells)
                case RuleTruth(constraint):
                    lit.update(cell for mark in constraint.marks(board) for cell in cells_of(mark))
        basis = self.ways.difference(self.removed, [self.placed])
        return View(
            self.puzzle,
            self.grid,
            symbols=symbols,
            candidates=self.candidates,
            focus=Focus(lit, basis, self.removed, self.placed),
            caption="\n".join(self.lines(symbols)),
            alarm="" if self.removed or self.placed else "no solution",
            title=f"step {self.number}",
        )

    def svg(self) -> str:
        return self.view().svg()

    def __rich__(self) -> object:
        from rich.text import Text

        from ringdoku.drawing.terminal import UNICODE, boxed_lines, sheet_of

        lines = boxed_lines(sheet_of(self.puzzle.ruleset, UNICODE), self.cells(UNICODE.blank))
        return Text("\n".join([*lines, str(self)]))


def steps_of(puzzle: Puzzle, start: Candidates, inferences: Sequence[Inference]) -> Iterator[Step]:
    """Each inference where it is taken, from the candidates `start`."""
    digits, left = [*puzzle.clues.digits], start
    for number, made in enumerate(inferences, 1):
        grid = Grid(tuple(digits), puzzle.board)
        yield Step(**vars(made), puzzle=puzzle, grid=grid, candidates=left, number=number)
        left = after(left, made)
        if made.placed:
            cell, digit = made.placed
            digits[cell] = digit


def end_of(explanation: Explanation) -> View:
    """What the steps lead to: the digits and the candidates that are left, and how they end."""
    from ringdoku.drawing.views import View

    rating = rate_steps(explanation)
    grid, left = explanation.puzzle.clues, explanation.start
    if explanation.steps:
        last = explanation.steps[-1]
        grid, left = last.grid, after(last.candidates, last)
        if last.placed:
            cell, digit = last.placed
            grid = Grid((*grid.digits[:cell], digit, *grid.digits[cell + 1 :]), grid.board)
    sentence = {
        Outcome.SOLVED: f"solved; {rating}",
        Outcome.STUCK: f"no step is left; {rating}",
        Outcome.LIMIT: f"the time limit came first; {rating}",
        Outcome.CONTRADICTION: "",
    }[explanation.outcome]
    alarm = "" if sentence else "no solution"
    return View(explanation.puzzle, grid, candidates=left, caption=sentence, alarm=alarm, title="explanation")
