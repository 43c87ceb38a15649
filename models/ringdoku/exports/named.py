"""The 0-1 model with names, which the LP and the MPS format both write, and the way back from a solution."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from ringdoku.answers.text import SolverOutput
from ringdoku.answers.values import ValueAnswer, read_values
from ringdoku.domain.grid import Grid
from ringdoku.exports.about import About, about_lines, named
from ringdoku.exports.base import Reading, Request, model_note, score_formula, terms
from ringdoku.exports.stating import require, require_64_bit_sums
from ringdoku.lowering.linear import LinearPuzzle, lower_to_linear

_NAME = re.compile(r"x_(?:([1-9][0-9]{0,3})_([1-9][0-9]{0,3})|([A-Za-z]\w*))_(m?)([0-9]{1,4})", re.ASCII)
_NAME_IN_FILE = re.compile(rb"\b(?:x_\w+_m?[0-9]+|y_[0-9]+)\b")
_COMMENT = re.compile(rb"^[\\*].*", re.MULTILINE)

state = require_64_bit_sums
"""Every primitive is written as rows, or as clauses that are rows."""


@dataclass(frozen=True)
class NamedModel:
    """A lowered request; `sign` is −1 if the objective is negated."""

    request: Request
    linear: LinearPuzzle
    sign: int

    @staticmethod
    def of(format_name: str, request: Request, sign: int = 1) -> NamedModel:
        """Raises `UnsupportedRuleError`."""
        require(format_name, request.puzzle.ruleset, state)
        return NamedModel(request, lower_to_linear(request.puzzle, request.encoding.presolve), sign)

    @cached_property
    def names(self) -> list[str]:
        """The name of each variable, by its number; there is no variable 0."""
        board = self.request.puzzle.board
        width, names = board.columns, [""]
        for _, cell, digit in self.linear.places():
            place = f"{cell // width + 1}_{cell % width + 1}" if cell < board.grid_count else board.cell_name(cell)
            names.append(f"x_{place}_{digit}" if digit >= 0 else f"x_{place}_m{-digit}")
        # the variables of rules that need their own
        return [*names, *(f"y_{number}" for number in range(1, self.linear.num_vars - len(names) + 2))]

    @cached_property
    def objective(self) -> dict[int, int]:
        """The coefficient of each variable in the objective."""
        if self.request.goal is None:
            return {}
        return {term.variable: self.sign * term.coefficient for term in terms(self.request.goal, self.linear.places())}

    def about(self, format_name: str) -> Iterator[str]:
        known, board = self.linear.digits.known, self.request.puzzle.board
        score = score_formula(self.request.goal, known.tolist(), board.blank, self.sign)
        notes = {"model": model_note(self.linear)}
        return about_lines(About(format_name, self.request.puzzle, score, known, rule=named(board), notes=notes))


def read(about: About, model: bytes, output: SolverOutput) -> Reading:
    """The grid in the solution file of an LP or MIP solver."""
    most = about.puzzle.board.cell_count * about.puzzle.order
    answer = read_values(output, _NAME, most, lambda: _columns(model))
    return Reading(answer.status, _grid(about, answer, output) if answer.values else None, answer.objective)


def _columns(model: bytes) -> list[str]:
    """The names of the variables in the order of their first use in the file."""
    return list(dict.fromkeys(name[0].decode() for name in _NAME_IN_FILE.finditer(_COMMENT.sub(b"", model))))


def _grid(about: About, answer: ValueAnswer, output: SolverOutput) -> Grid:
    board = about.puzzle.board
    digits = about.known.tolist()
    for name, (line, value) in answer.values.items():
        found = _NAME.fullmatch(name)
        if not found:
            # a variable of a rule, which only a file without names lists
            continue
        row, column, extra, minus, number = found.groups()
        digit = -int(number) if minus else int(number)
        cell = board.at(int(row) - 1, int(column) - 1) if row else board.named(extra)
        if cell is None or digit not in board.digits or about.known[cell] != board.blank:
            raise output.error(line, f"variable {name}", "one of the model's")
        if value not in (0, 1):
            raise output.error(line, f"{name} = {value}", "0 or 1")
        if value:
            if digits[cell] != board.blank:
                raise output.error(line, f"{name} = 1, a second digit for {board.cell_name(cell)}", "one")
            digits[cell] = digit
    return Grid(tuple(digits), board)
