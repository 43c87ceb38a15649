"""The model of a certificate: 0-1 sums, made by plain code that anybody can repeat.

Variable x(c·n + i + 1) says that cell c holds the i-th of the n digits, c and i from 0. Each cell has one digit; each
unit, a house of n cells, has each digit once; then come the other rules, the clues, and for a claim about solutions
that score so much, that they do.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from ringdoku.domain import Grid, Objective, Puzzle, gains_of
from ringdoku.proofs.checker import Row
from ringdoku.proofs.claim import Claim
from ringdoku.proofs.rules import Line, Rules, Terms, rules_of, variable_of


@dataclass(frozen=True)
class CertificateModel:
    """The 0-1 sums of a puzzle and a claim. Raises `DimensionError` for weights of another size."""

    puzzle: Puzzle
    objective: Objective
    claim: Claim

    def __post_init__(self) -> None:
        self.objective.fits(self.puzzle.board)

    @cached_property
    def rules(self) -> Rules:
        return rules_of(self.puzzle.ruleset)

    @property
    def candidates(self) -> int:
        return self.puzzle.board.cell_count * self.puzzle.order

    @property
    def variables(self) -> int:
        return self.candidates + len(self.rules.helpers)

    def chosen(self, grid: Grid) -> list[int]:
        """The variables that are 1, one a cell."""
        return [variable_of(self.puzzle.board, cell, digit) for cell, digit in enumerate(grid.digits)]

    def against(self, chosen: Iterable[int]) -> list[int]:
        """The clause that excludes a grid, by its digits alone."""
        return [-var for var in chosen if var <= self.preserved]

    def completed(self, chosen: Iterable[int]) -> set[int]:
        """With the helpers that are 1."""
        found = set(chosen)
        for variable, helper in enumerate(self.rules.helpers, self.candidates + 1):
            if helper.is_one(found):
                found.add(variable)
        return found

    def grid(self, chosen: Iterable[int]) -> Grid:
        """The way back, for variables that are one a cell, and helpers."""
        board, found = self.puzzle.board, sorted(var for var in chosen if var <= self.candidates)
        return Grid(tuple(board.least + (var - 1) % board.order for var in found), board)

    @property
    def preserved(self) -> int:
        """How many variables come first by which solutions differ: those of the cells of the grid."""
        return self.puzzle.board.grid_count * self.puzzle.order

    @cached_property
    def gains(self) -> Terms:
        """What to maximise: the score, negative where it is minimised."""
        rows = gains_of(self.objective.upwards().weights, self.puzzle.board)
        return [(gain, variable) for variable, gain in enumerate(chain.from_iterable(rows), 1) if gain]

    @cached_property
    def constraints(self) -> list[Line]:
        """All, in their order in the file."""
        lines, board, clues = [*self.rules.lines], self.puzzle.board, self.puzzle.clues
        for cell in clues.filled:
            name = f"the clue {board.cell_name(cell)} is {clues.digits[cell]}"
            lines.append(Line([(1, variable_of(board, cell, clues.digits[cell]))], 1, False, [name]))
        if self.claim.count is not None and self.claim.score is not None:
            least, name = self.objective.sense.sign * self.claim.score, f"the score is {self.claim.score} or better"
            # where no cell counts every score is 0
            terms, least = (self.gains, least) if self.gains else ([(1, 1)], 2 if least > 0 else 0)
            lines.append(Line(terms, least, False, [name]))
        return lines

    @cached_property
    def rows(self) -> list[Row]:
        """The same, an equality as two, so that the row of constraint k is `rows[k − 1]`."""
        return [row for line in self.constraints for row in line.rows]

    def lines(self) -> Iterator[str]:
        """The OPB file."""
        yield f"* #variable= {self.variables} #constraint= {len(self.constraints)}"
        if self.claim.count:
            yield " ".join(["preserved:", *[f"x{var}" for var in range(1, self.preserved + 1)], ";"])
        if self.claim.count is None:
            yield " ".join(["min:", *[f"{-gain:+d} x{var}" for gain, var in self.gains], ";"])
        yield from (line.text for line in self.constraints)
