"""The model of a certificate: 0-1 sums, made by plain code that anybody can repeat.

Variable x(c·n + i + 1) says that cell c holds the i-th of the n digits, c and i from 0. The constraints come in this
order: each cell has one digit; each unit, a house of n cells, has each digit once; the other rules; the clues; and if
the claim counts the solutions from some score, that score as a lower limit.
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
    """The 0-1 sums of a puzzle and a claim. Raises `DimensionError` if the weights do not fit the board."""

    puzzle: Puzzle
    objective: Objective
    claim: Claim

    def __post_init__(self) -> None:
        self.objective.fits(self.puzzle.board)

    @cached_property
    def rules(self) -> Rules:
        return rules_of(self.puzzle.ruleset)

    @property
    def candidate_count(self) -> int:
        return self.puzzle.board.cell_count * self.puzzle.order

    @property
    def variable_count(self) -> int:
        return self.candidate_count + len(self.rules.helpers)

    def blocking_clause(self, candidates: Iterable[int]) -> list[int]:
        """The clause that excludes a grid, by the digits of the grid alone, without extra cells."""
        return [-var for var in candidates if var <= self.preserved_count]

    def with_helpers(self, candidates: Iterable[int]) -> set[int]:
        """All variables that are 1, helpers included, where these candidates are."""
        true = set(candidates)
        for variable, helper in enumerate(self.rules.helpers, self.candidate_count + 1):
            if helper.is_one(true):
                true.add(variable)
        return true

    def grid(self, true: Iterable[int]) -> Grid:
        """The grid in which these variables are 1: one candidate for each cell, and any helpers."""
        board, candidates = self.puzzle.board, sorted(var for var in true if var <= self.candidate_count)
        return Grid(tuple(board.least + (var - 1) % board.order for var in candidates), board)

    @property
    def preserved_count(self) -> int:
        """The number of variables by which two solutions can differ. They come first, and belong to the cells of the
        grid; two solutions that differ in extra cells only are counted as one."""
        return self.puzzle.board.grid_count * self.puzzle.order

    @cached_property
    def gains(self) -> Terms:
        """The objective to maximise: the score, or its negative if the score is minimised."""
        rows = gains_of(self.objective.upwards().weights, self.puzzle.board)
        return [(gain, variable) for variable, gain in enumerate(chain.from_iterable(rows), 1) if gain]

    @cached_property
    def constraints(self) -> list[Line]:
        """All constraints, in their order in the OPB file."""
        lines, board, clues = [*self.rules.lines], self.puzzle.board, self.puzzle.clues
        for cell in clues.filled:
            name = f"the clue {board.cell_name(cell)} is {clues.digits[cell]}"
            lines.append(Line([(1, variable_of(board, cell, clues.digits[cell]))], 1, [name]))
        if self.claim.count is not None and self.claim.score is not None:
            least, name = self.objective.sense.sign * self.claim.score, f"the score is {self.claim.score} or better"
            # if no cell has a weight, every score is 0
            terms, least = (self.gains, least) if self.gains else ([(1, 1)], 2 if least > 0 else 0)
            lines.append(Line(terms, least, [name]))
        return lines

    @cached_property
    def rows(self) -> list[Row]:
        """The same with each equality as two rows, so that the row of constraint k is `rows[k − 1]`."""
        return [row for line in self.constraints for row in line.rows]

    def lines(self) -> Iterator[str]:
        """The lines of the OPB file."""
        yield f"* #variable= {self.variable_count} #constraint= {len(self.constraints)}"
        if self.claim.count:
            yield " ".join(["preserved:", *[f"x{var}" for var in range(1, self.preserved_count + 1)], ";"])
        if self.claim.count is None:
            yield " ".join(["min:", *[f"{-gain:+d} x{var}" for gain, var in self.gains], ";"])
        yield from (line.text for line in self.constraints)
