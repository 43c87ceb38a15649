"""The model of a certificate: a puzzle and a claim as 0-1 sums, made by plain code, so that anybody can make it again.

Variable x(c·n + i + 1) says that cell c holds the i-th of the n digits, c and i counted from 0. The constraints are:
each cell has one digit; each unit, a house of n cells, has each digit once; the rows of the other rules; the clues; and
for a claim about solutions that score so much, that they do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from ringdoku.domain.constraint import write_constraint
from ringdoku.domain.errors import UsageError
from ringdoku.domain.grid import Grid
from ringdoku.domain.objective import Objective
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.rows import has_rows, rows_beside_units
from ringdoku.proofs.claims import Claim

Terms = Sequence[tuple[int, int]]
"""(factor, variable), each variable once."""


@dataclass(frozen=True)
class Line:
    """Σ factor·variable ≥ `least`, or = where `exact`."""

    terms: Terms
    least: int
    exact: bool

    def __str__(self) -> str:
        terms = " ".join([f"{factor:+d} x{var}" for factor, var in self.terms])
        return f"{terms} {'=' if self.exact else '>='} {self.least} ;"


@dataclass(frozen=True)
class CertificateModel:
    """`claim` says whether there is an objective, and what is preserved.

    Raises `UsageError` for a rule without rows, `DimensionError` for weights of another size.
    """

    puzzle: Puzzle
    objective: Objective
    claim: Claim

    def __post_init__(self) -> None:
        self.objective.fits(self.puzzle.board)
        board = self.puzzle.board
        for constraint in self.puzzle.ruleset.constraints:
            if not all(map(has_rows, constraint.primitives(board))):
                rule = write_constraint(constraint, board)
                raise UsageError(
                    f"a certificate cannot state the rule {rule!r}, which is no set of sums over candidates"
                )
        if self.claim.count and board.extra:
            raise UsageError("certificates of how many solutions there are are for boards without extra cells")

    @property
    def variables(self) -> int:
        """How many there are."""
        return self.puzzle.board.cell_count * self.puzzle.order

    def variable(self, cell: int, digit: int) -> int:
        """Its number, from 1."""
        return cell * self.puzzle.order + digit - self.puzzle.board.least + 1

    def chosen(self, grid: Grid) -> list[int]:
        """The variables that are 1, one a cell."""
        return [self.variable(cell, digit) for cell, digit in enumerate(grid.digits)]

    def grid(self, chosen: Iterable[int]) -> Grid:
        """The way back, for variables that are one a cell."""
        board = self.puzzle.board
        return Grid(tuple(board.least + (var - 1) % board.order for var in sorted(chosen)), board)

    @cached_property
    def gains(self) -> Terms:
        """What to maximise: the score, negative where it is minimised."""
        weights, digits = self.objective.upwards().weights, self.puzzle.board.digits
        gains = (
            (weight * digit, self.variable(cell, digit)) for cell, weight in enumerate(weights) for digit in digits
        )
        return [(gain, var) for gain, var in gains if gain]

    @cached_property
    def rules(self) -> list[Line | None]:
        """The cells, then each unit with each digit, then the other rows; None for a row that says nothing."""
        board = self.puzzle.board
        sets = [[(cell, digit) for digit in board.digits] for cell in range(board.cell_count)]
        sets += [[(cell, digit) for cell in unit.cells] for unit in self.puzzle.ruleset.units for digit in board.digits]
        lines: list[Line | None] = [Line([(1, self.variable(*pair)) for pair in pairs], 1, True) for pairs in sets]
        for row in rows_beside_units(self.puzzle.ruleset):
            sign = 1 if row.exact else -1
            terms = [(sign * factor, self.variable(cell, digit)) for cell, digit, factor in row.terms if factor]
            if terms:
                lines.append(Line(terms, sign * row.total, row.exact))
            else:
                # nothing is 0 or less than it; programs do not read a sum without terms
                holds = row.total == 0 or (row.total > 0 and not row.exact)
                lines.append(None if holds else Line([(1, 1)], 2, False))
        return lines

    @cached_property
    def constraints(self) -> list[Line]:
        """All, in the order of their numbers."""
        board, clues = self.puzzle.board, self.puzzle.clues.digits
        lines = [line for line in self.rules if line]
        lines += [Line([(1, self.variable(c, d))], 1, False) for c, d in enumerate(clues) if d != board.blank]
        if self.claim.count is not None and self.claim.score is not None:
            least = self.objective.sense.sign * self.claim.score
            # where no cell counts every score is 0
            lines.append(Line(self.gains, least, False) if self.gains else Line([(1, 1)], 2 if least > 0 else 0, False))
        return lines

    @cached_property
    def count(self) -> int:
        """How many constraints there are, an equality being two."""
        return sum(1 + line.exact for line in self.constraints)

    @cached_property
    def numbers(self) -> list[tuple[int, int]]:
        """For each of `rules` the numbers of its ≥ and its ≤, 0 where there is none. A row that says at most, which the
        format turns round, has the second alone."""
        found, number = [], 1
        for line in self.rules:
            if line is None:
                found.append((0, 0))
            elif line.exact:
                found.append((number, number + 1))
                number += 2
            else:
                found.append((0, number))
                number += 1
        return found

    def lines(self) -> Iterator[str]:
        """The OPB file."""
        yield f"* #variable= {self.variables} #constraint= {len(self.constraints)}"
        if self.claim.count:
            yield f"preserved: {' '.join([f'x{var}' for var in range(1, self.variables + 1)])} ;"
        if self.claim.count is None:
            yield " ".join(["min:", *[f"{-gain:+d} x{var}" for gain, var in self.gains], ";"])
        yield from map(str, self.constraints)
