"""A step where it is taken: the digits placed before it, the candidates that are left, and its sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ringdoku.domain.grid import Grid
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.showing import Shown, drawing_of, picture_of
from ringdoku.drawing.picture import Picture, cells_of
from ringdoku.drawing.showing import svg_of
from ringdoku.drawing.terminal import UNICODE, Sheet, boxed_lines
from ringdoku.drawing.views import Focus, View
from ringdoku.explanations.checker import after
from ringdoku.explanations.path import Explanation, Outcome
from ringdoku.explanations.rating import rate_steps
from ringdoku.explanations.steps import Candidates, CellTruth, HouseTruth, RuleTruth, Step, UnitTruth
from ringdoku.explanations.techniques import Pattern
from ringdoku.explanations.wording import Words

if TYPE_CHECKING:
    from rich.text import Text


@dataclass(frozen=True)
class Position(Shown):
    """`step`, the one of this `number` from 1, with the `grid` and the `candidates` before it."""

    puzzle: Puzzle
    grid: Grid
    candidates: Candidates
    step: Step
    number: int

    def words(self, symbols: Sequence[str] = ()) -> Words:
        """What makes sentences of it; `symbols` is the text of each digit, ascending, numbers if there are none."""
        least = self.puzzle.board.least
        return Words(self.puzzle, (lambda digit: symbols[digit - least]) if symbols else str)

    def lines(self, symbols: Sequence[str] = ()) -> list[str]:
        """The step in sentences, with its number and its name; those of a case are indented."""
        words = self.words(symbols)
        first, *others = words.lines(self.candidates, self.step)
        heading = words.heading(self.step)
        return [
            f"{self.number}. {first}" if heading == "contradiction" else f"{self.number}. {heading}: {first}",
            *others,
        ]

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def cells(self, blank: str, symbols: Sequence[str] = ()) -> list[str]:
        """A text for each cell of a drawing: its digit, and the candidates where the step looks: `12-3` loses the 3,
        `=5` gets the 5."""
        step, left, name = self.step, self.candidates, self.words(symbols).digit
        gone: dict[int, list[int]] = {}
        for cell, digit in step.removed:
            gone.setdefault(cell, []).append(digit)
        pattern = Pattern(self.puzzle.ruleset, left, step)
        looked_at = {cell for truth in step.truths for cell, _ in pattern.ways(truth)} | set(gone)
        texts = []
        for cell in range(self.puzzle.board.grid_count):
            if step.placed and cell == step.placed[0]:
                texts.append(f"={name(step.placed[1])}")
            elif cell in looked_at and not (step.placed and len(left[cell]) > 1):
                kept = "".join(name(digit) for digit in sorted(left[cell] - set(gone.get(cell, ()))))
                lost = "".join(map(name, gone.get(cell, ())))
                texts.append(f"{kept}-{lost}" if lost else kept)
            else:
                texts.append("".join(map(name, left[cell])) if len(left[cell]) == 1 else blank)
        return texts

    def view(self, symbols: Sequence[str] = ()) -> View:
        """Its picture: the cells of its truths are lit, the candidates that they leave have a disc, those that go are
        struck out."""
        step, ruleset, board = self.step, self.puzzle.ruleset, self.puzzle.board
        lit: set[int] = set()
        for truth in step.truths:
            match truth:
                case CellTruth(cell):
                    lit.add(cell)
                case UnitTruth(unit) | HouseTruth(unit):
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


def end_of(explanation: Explanation) -> View:
    """What the steps lead to: the digits and the candidates that are left, and how they end."""
    rating = rate_steps(explanation)
    grid, left = explanation.puzzle.clues, explanation.start
    if explanation.steps:
        last = explanation.positions[-1]
        grid, left = last.grid, after(last.candidates, last.step)
        if last.step.placed:
            cell, digit = last.step.placed
            grid = Grid((*grid.digits[:cell], digit, *grid.digits[cell + 1 :]), grid.board)
    sentence = {
        Outcome.SOLVED: f"solved; {rating}",
        Outcome.STUCK: f"no step is left; {rating}",
        Outcome.LIMIT: f"the time limit came first; {rating}",
        Outcome.CONTRADICTION: "",
    }[explanation.outcome]
    alarm = "" if sentence else "no solution"
    return View(explanation.puzzle, grid, candidates=left, caption=sentence, alarm=alarm, title="explanation")


@picture_of.register(Position)
def _picture_of_position(position: Position) -> str:
    return svg_of(position.view())


@drawing_of.register(Position)
def _drawing_of_position(position: Position) -> Text:
    from rich.text import Text

    sheet = Sheet(Picture(position.puzzle.ruleset), UNICODE)
    return Text("\n".join([*boxed_lines(sheet, position.cells(UNICODE.blank)), str(position)]))
