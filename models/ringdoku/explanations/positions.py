"""A step where it is taken: the digits placed before it, the candidates that are left, and its sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ringdoku.domain.grid import Grid
from ringdoku.domain.puzzle import Puzzle
from ringdoku.drawing.picture import cells_of
from ringdoku.drawing.views import Focus, View
from ringdoku.explanations.checker import after
from ringdoku.explanations.steps import Candidates, CellTruth, RuleTruth, Step, UnitTruth
from ringdoku.explanations.techniques import Pattern
from ringdoku.explanations.wording import Words


@dataclass(frozen=True)
class Position:
    """`step`, the one of this `number` from 1, with the `grid` and the `candidates` before it."""

    puzzle: Puzzle
    grid: Grid
    candidates: Candidates
    step: Step
    number: int

    def lines(self, symbols: Sequence[str] = ()) -> list[str]:
        """The step in sentences, with its number and its name; those of a case are indented."""
        least = self.puzzle.board.least
        words = Words(self.puzzle, (lambda digit: symbols[digit - least]) if symbols else str)
        first, *others = words.lines(self.candidates, self.step)
        heading = words.heading(self.step)
        return [
            f"{self.number}. {first}" if heading == "contradiction" else f"{self.number}. {heading}: {first}",
            *others,
        ]

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def view(self, symbols: Sequence[str] = ()) -> View:
        """Its picture: the cells of its truths are lit, the candidates that they leave have a disc, those that go are
        struck out."""
        step, ruleset, board = self.step, self.puzzle.ruleset, self.puzzle.board
        lit: set[int] = set()
        for truth in step.truths:
            match truth:
                case CellTruth(cell):
                    lit.add(cell)
                case UnitTruth(unit, _):
                    lit.update(ruleset.units[unit].cells)
                case RuleTruth(constraint):
                    lit.update(cell for mark in constraint.marks(board) for cell in cells_of(mark))
        pattern = Pattern(ruleset, self.candidates, step)
        ways = {way for truth in step.truths for way in pattern.ways(truth)}
        basis = ways.difference(step.removed, [step.placed])
        return View(
            self.puzzle,
            self.grid,
            symbols=symbols,
            candidates=self.candidates,
            focus=Focus(lit, basis, step.removed, step.placed),
            caption="\n".join(self.lines(symbols)),
            alarm="" if step.removed or step.placed else "no solution",
            title=f"step {self.number}",
        )


def positions(puzzle: Puzzle, start: Candidates, steps: Sequence[Step]) -> Iterator[Position]:
    """Each step where it is taken, from the candidates `start`."""
    digits, left = [*puzzle.clues.digits], start
    for number, step in enumerate(steps, 1):
        yield Position(puzzle, Grid(tuple(digits), puzzle.board), left, step, number)
        left = after(left, step)
        if step.placed:
            cell, digit = step.placed
            digits[cell] = digit
