"""What a certificate proves of a puzzle, and its model: 0-1 sums, made by plain code that anybody can repeat.

Variable x(c·n + i + 1) says that cell c holds the i-th of the n digits, c and i from 0. Each cell has one digit; each
unit, a house of n cells, has each digit once; then come the other rules, the clues, and for a claim about solutions
that score so much, that they do.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from ringdoku.domain import Grid, Objective, Puzzle, Result, Sense, Status, gains_of
from ringdoku.domain.errors import UsageError, counted, expect, refuse, whole_numbers
from ringdoku.proofs.rules import Line, Rules, Terms, rules_of, variable_of

_TEXT = re.compile(
    r"no solution|unique|best (?P<best>-?\d{1,30})|count (?P<count>\d{1,9})( from (?P<from>-?\d{1,30}))?"
)
FORMS = "'no solution', 'unique', 'count N', 'best SCORE', or 'count N from SCORE'"


@dataclass(frozen=True)
class Claim:
    """Just `count` solutions score `score` or better, or exist where `score` is None; without count: it is the best."""

    count: int | None
    score: int | None = None

    def __post_init__(self) -> None:
        given = tuple(number for number in (self.count, self.score) if number is not None)
        whole_numbers(given, "the numbers of a claim")
        refuse(not given or (self.count or 0) < 0, f"a claim has a count from 0 or a score, not {given}")

    @staticmethod
    def parse(text: str) -> "Claim":
        """From one of `FORMS`. Raises `UsageError`."""
        expect(text, str, "a claim")
        found = _TEXT.fullmatch(text.strip()) if text.isascii() else None
        if found is None:
            raise UsageError(f"a claim is {FORMS}, not {text!r}")
        if found["best"]:
            return Claim(None, int(found["best"]))
        if found["count"]:
            return Claim(int(found["count"]), int(found["from"]) if found["from"] else None)
        return Claim(1 if text.strip() == "unique" else 0)

    def __str__(self) -> str:
        """As `parse` reads it."""
        if self.count is None:
            return f"best {self.score}"
        if self.score is not None:
            return f"count {self.count} from {self.score}"
        return {0: "no solution", 1: "unique"}.get(self.count, f"count {self.count}")

    def sentence(self, sense: Sense = Sense.MAXIMISE) -> str:
        most, more = ("highest", "more") if sense is Sense.MAXIMISE else ("lowest", "less")
        if self.count is None:
            return f"the {most} score is {self.score}"
        found = f"exactly {counted(self.count, 'solution')}" if self.count else "no solution"
        if self.score is None:
            return f"there is {found}" if self.count < 2 else f"there are {found}"
        return f"{found} {'scores' if self.count < 2 else 'score'} {self.score} or {more}"


def claim_of_best(results: Sequence[Result], count: int, sense: Sense) -> tuple[Claim, list[Grid]] | None:
    """What the `count` best solutions show, and the grids for `certify`; None where not all of them were proved.

    With s the last score of several: just those of them that are better than s are. Of those that score s there may be
    more. Fewer than `count` are all solutions that there are.
    """
    found = [(result.score, result.grid) for result in results if result.score is not None and result.grid is not None]
    if not all(result.status in (Status.OPTIMAL, Status.INFEASIBLE) for result in results):
        return None
    if len(found) < count:
        return Claim(len(found)), [grid for _, grid in found]
    last = found[-1][0]
    if count == 1:
        return Claim(None, last), [found[0][1]]
    better = [grid for score, grid in found if score != last]
    return Claim(len(better), last + sense.sign), better


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
        """All, in the order of their numbers."""
        board, clues = self.puzzle.board, self.puzzle.clues.digits
        lines = [*self.rules.lines]
        lines += [Line([(1, variable_of(board, c, d))], 1, False) for c, d in enumerate(clues) if d != board.blank]
        if self.claim.count is not None and self.claim.score is not None:
            least = self.objective.sense.sign * self.claim.score
            # where no cell counts every score is 0
            lines.append(Line(self.gains, least, False) if self.gains else Line([(1, 1)], 2 if least > 0 else 0, False))
        return lines

    @property
    def size(self) -> int:
        """How many constraints there are, an equality as two."""
        return sum([1 + line.exact for line in self.constraints])

    def lines(self) -> Iterator[str]:
        """The OPB file."""
        yield f"* #variable= {self.variables} #constraint= {len(self.constraints)}"
        if self.claim.count:
            yield " ".join(["preserved:", *[f"x{var}" for var in range(1, self.preserved + 1)], ";"])
        if self.claim.count is None:
            yield " ".join(["min:", *[f"{-gain:+d} x{var}" for gain, var in self.gains], ";"])
        yield from (line.text for line in self.constraints)
