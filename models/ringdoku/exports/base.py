"""The request for an export, the reading of an answer, and helpers that the formats share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ringdoku.domain.grid import Grid
from ringdoku.domain.objective import Sense
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.result import Status
from ringdoku.exports.goal import Goal, ScoreFormula
from ringdoku.lowering.linear import LinearPuzzle
from ringdoku.sat.options import PRESOLVED, EncodingOptions

FOREIGN = "an answer to this model; is it truncated, or another's?"
"""What messages say was expected if an output does not belong to the model."""


@dataclass(frozen=True)
class Request:
    """What to write: a puzzle, its goal (None without objective), the encoding, and the form.

    `binary` asks for the binary form of a format that has two.
    """

    puzzle: Puzzle
    goal: Goal | None = None
    encoding: EncodingOptions = PRESOLVED
    binary: bool = False


@dataclass(frozen=True)
class Reading:
    """A solver's answer: status, grid, and value of the objective, None if it gave none."""

    status: Status
    grid: Grid | None = None
    value: int | None = None


@dataclass(frozen=True)
class Term:
    """One summand of an objective over 0-1 variables."""

    coefficient: int
    variable: int
    cell: int
    digit: int


def terms(goal: Goal, places: Iterable[tuple[int, int, int]]) -> Iterator[Term]:
    """coefficient·digit for each variable (variable, cell, digit) of a cell with a coefficient. Extra cells have
    none."""
    for variable, cell, digit in places:
        if cell < len(goal.coefficients) and (coefficient := goal.coefficients[cell] * digit):
            yield Term(coefficient, variable, cell, digit)


def score_formula(goal: Goal | None, known: Sequence[int], blank: int, sign: int = 1) -> ScoreFormula | None:
    """The score as a function of `sign`·Σ coefficients·digit over the cells that are `blank` in `known`."""
    if goal is None:
        return None
    constant = goal.constant + goal.step * goal.known_part(known, blank)
    return ScoreFormula(goal.objective, constant, sign * goal.step)


def model_note(linear: LinearPuzzle) -> str:
    """A description of the 0-1 model for people."""
    return f"0-1 sums, {'textbook' if linear.digits.literals.all() else 'presolved'}"


def lowering_sign(goal: Goal) -> int:
    """The factor for the objective in formats that can only minimise."""
    return 1 if goal.objective.sense is Sense.MINIMISE else -1


def wrapped(words: Iterable[str], width: int = 78) -> Iterator[str]:
    """The words on indented lines of at most `width` characters, since readers limit lines. Longer words have lines of
    their own."""
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > width:
            yield line
            line = ""
        line = f"{line} {word}" if line else f" {word}"
    if line:
        yield line


def encoded(lines: Iterable[str], prefix: str = "") -> Iterator[bytes]:
    """The lines as bytes, each after `prefix`, in large portions."""
    batch: list[str] = []
    for line in lines:
        batch.append(f"{prefix}{line}\n")
        if len(batch) == 4096:
            yield "".join(batch).encode("ascii")
            batch.clear()
    yield "".join(batch).encode("ascii")
