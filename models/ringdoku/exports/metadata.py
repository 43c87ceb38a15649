"""The comments of an exported file, which turn a solver's answer into a grid: a line that names the format, one that
says what the variables are, for people, and one JSON object, in lines of at most `WIDTH` characters:

    ringdoku model: opb
    variables: their numbers are in literals, a row for each cell, with a column for each digit; 0 is none
     {"puzzle": {"grid": [[1, null, null, 3], …]}, "objective": {"sense": "maximise", "weights": [6, 6, …],
     "constant": 2745, "factor": 1}, "num_vars": 42, "literals": [[1, 0, 0], [2, 3, 0], …]}

`puzzle` is what `text.records` reads. The score of a solution is constant + factor·value, for the value that a solver
optimises. The other keys are as in `Metadata`, and left out where there is nothing to say.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from itertools import chain, islice, takewhile
from typing import Any

import numpy as np

from ringdoku.domain import Puzzle
from ringdoku.domain.errors import InputError, Place, RingdokuError, shortened
from ringdoku.domain.numbers import rows_of_numbers, whole_numbers
from ringdoku.domain.objective import Objective, Sense
from ringdoku.exports.base import ModelObjective, Request, wrapped
from ringdoku.sat.formula import Literals
from ringdoku.text import parse_one
from ringdoku.text.layout import Layout

WIDTH = 100
"""Programs limit the length of lines, even in comments."""

NUMBERED = "their numbers are in literals, a row for each cell, with a column for each digit; 0 is none"
"""What the variables are in a model that has no names for them."""

_MARK = "ringdoku model: "


@dataclass(frozen=True)
class Metadata:
    """`literals[c, d − least]` is the literal of "cell c holds d", 0 if there is none; None if the
    variables have names or are numbers. `variables` says for people what they are.
    """

    format_name: str
    puzzle: Puzzle
    score: ModelObjective | None
    num_vars: int
    literals: Literals | None = None
    variables: str = NUMBERED

    def lines(self) -> Iterator[str]:
        """The text of the comments, without comment marks."""
        about: dict[str, Any] = {"puzzle": json.loads(Layout("json").render(self.puzzle.clues, self.puzzle.ruleset))}
        if self.score is not None:
            wanted, score = self.score.objective, {"constant": self.score.constant, "factor": self.score.factor}
            about["objective"] = {"sense": wanted.sense.value, "weights": wanted.weights, **score}
        about["num_vars"] = self.num_vars
        if self.literals is not None:
            about["literals"] = self.literals.tolist()
        yield f"{_MARK}{self.format_name}"
        yield f"variables: {self.variables}"
        # comment marks have two characters
        yield from wrapped(json.dumps(about).split(" "), WIDTH - 2)


def metadata_of_numbers(request: Request, variables: str, extra: str) -> Metadata:
    """The comments of a model with a variable for every cell, which `variables` explains, and `extra` for a board with
    extra cells."""
    puzzle, board = request.puzzle, request.puzzle.board
    variables += extra if board.extra else ""
    return Metadata(request.format_name, puzzle, request.goal, board.cell_count, None, variables)


def read_metadata(model: bytes, name: str) -> Metadata:
    """What the comments of a file say. Raises `InputError` if they are missing or make no sense."""
    # the file may have hundreds of megabytes, and only its beginning matters
    lines = (line.decode("ascii", "replace").rstrip("\r\n") for line in BytesIO(model))
    expected = "a file that `ringdoku export` wrote"
    # some formats have other lines before it
    marks = ((number, *line.partition(_MARK)) for number, line in enumerate(islice(lines, 20), 1))
    number, prefix, mark, format_name = next((each for each in marks if each[2]), (0, "", "", ""))
    if not mark:
        raise InputError(Place(name), "no `ringdoku model:` in its first comments", expected)
    # what the variables are, for people
    next(lines, "")
    text = "".join(line.removeprefix(prefix) for line in takewhile(lambda line: line.startswith(f"{prefix} "), lines))
    try:
        return _metadata(format_name, json.loads(text), len(model))
    except (ValueError, LookupError, TypeError, ArithmeticError, RecursionError, RingdokuError) as error:
        found = f"comments that make no sense ({shortened(str(error), 200)})"
        raise InputError(Place(name, number + 2), found, f"those of {expected}, complete") from None


def _metadata(format_name: str, about: dict[str, Any], most: int) -> Metadata:
    """Raises errors of many kinds for an object of another shape, or with more than so many variables."""
    puzzle = parse_one(json.dumps(about["puzzle"]))
    board, score, literals = puzzle.board, None, None
    if "objective" in about:
        wanted = about["objective"]
        objective = Objective(tuple(wanted["weights"]), Sense(wanted["sense"]))
        objective.fits(board)
        constant, factor = whole_numbers((wanted["constant"], wanted["factor"]), "numbers")
        score = ModelObjective(objective, constant, factor)
    if "literals" in about:
        numbers = chain.from_iterable(rows_of_numbers(about["literals"], "literals"))
        literals = np.fromiter(numbers, np.int32).reshape(board.cell_count, board.order)
    (num_vars,) = whole_numbers((about["num_vars"],), "numbers of variables")
    if not 0 <= num_vars <= most:
        raise ValueError(f"{shortened(str(num_vars), 20)} variables")
    return Metadata(format_name, puzzle, score, num_vars, literals)
