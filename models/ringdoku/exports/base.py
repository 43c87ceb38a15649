"""What the formats share: the `Request` for a file, the objective of a model, rules as statements, lines of text, and
the comments of an exported file, by which a solver's answer becomes a grid (`Metadata`). These are a line that names
the format, one that explains the variables to people, and one JSON object, in lines of at most 100 characters:

    ringdoku model: opb
    variables: their numbers are in literals, a row for each cell, with a column for each digit; 0 is none
     {"puzzle": {"grid": [[1, 0, 0, 3], …]}, "objective": {"sense": "maximise", "weights": [6, 6, …],
     "constant": 2745, "factor": 1}, "num_vars": 42, "literals": [[1, 0, 0], [2, 3, 0], …]}

`puzzle` is what `text.records` reads. The score of a solution is constant + factor·value, for the value that a solver
optimises. The other keys are as in `Metadata`, and left out where there is nothing to say.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import chain, islice, takewhile
from typing import Any

import numpy as np

from ringdoku.constraints.logic import primitives_with_houses
from ringdoku.domain import LARGEST_EXACT, Board, Constraint, Objective, Puzzle, Sense, whole_number, whole_numbers
from ringdoku.domain.errors import InputError, Place, RingdokuError, UsageError, refuse, rows_of_numbers, shortened
from ringdoku.domain.primitives import Linear, Primitive
from ringdoku.duality.projection import projected
from ringdoku.sat.formula import Literals
from ringdoku.sat.options import EncodingOptions
from ringdoku.text import parse_one
from ringdoku.text.layout import Layout


@dataclass(frozen=True)
class ModelObjective:
    """score = constant + factor·value, exactly, for the value that a solver minimises or maximises. That is Σ
    coefficient·digit over the cells of the grid, unless a format states another value. Files have no coefficients."""

    objective: Objective
    constant: int
    factor: int
    coefficients: tuple[int, ...] = ()

    @staticmethod
    def of(puzzle: Puzzle, objective: Objective, on_fewer_cells: bool) -> "ModelObjective":
        """The objective itself, or an equal one on fewer cells. Raises `UsageError` if sums need more than 64 bits."""
        made = ModelObjective(objective, 0, 1, objective.weights)
        if on_fewer_cells:
            projection = projected(puzzle, objective)
            made = ModelObjective(objective, projection.constant, projection.step, projection.coefficients)
        if sum(map(abs, made.coefficients)) * puzzle.board.largest >= LARGEST_EXACT:
            raise UsageError("the weights are too large: sums of them would not fit the 64 bits of other programs")
        return made

    @property
    def verb(self) -> str:
        """`maximize` or `minimize`, as the formats write it."""
        return self.objective.sense.value.replace("ise", "ize")


@dataclass(frozen=True)
class Request:
    """What to write: a puzzle, in a format; the statements of its rules in that format; its goal (None without an
    objective); and the encoding. A formula may have a numbering of `numbers_of`, and be one of `PARTS`."""

    format_name: str
    puzzle: Puzzle
    statements: Sequence[tuple[Primitive, Any]]
    goal: ModelObjective | None
    encoding: EncodingOptions
    numbering: str = ""
    part: str = ""

    def metadata(self, variables: str, extra: str) -> "Metadata":
        """The comments of a model with a variable for every cell: `variables` explains these, `extra` extra cells."""
        board = self.puzzle.board
        variables += extra if board.extra else ""
        return Metadata(self.format_name, self.puzzle, self.goal, board.cell_count, None, variables)


def numbers_of(board: Board, numbering: str) -> Literals:
    """An array (cells, digits) of the variables as textbooks number them: `plain` from 1 without gaps, cell after cell,
    or `rcd`, 100·row + 10·column + digit. Raises `UsageError` for a board that has no such numbers."""
    if numbering == "plain":
        return np.arange(1, board.cell_count * board.order + 1, dtype=np.int32).reshape(-1, board.order)
    refuse(numbering != "rcd", f"no names are called {numbering!r}; there are: plain, rcd")
    if max(board.rows, board.columns, board.digits[-1]) > 9 or board.least < 1 or board.extra:
        raise UsageError(f"the names rcd are for boards of up to 9x9 with digits from 1, not for {board}")
    rows, columns = np.divmod(np.arange(board.cell_count, dtype=np.int32), board.columns)
    first: Literals = 100 * rows + 10 * columns + 110
    return first[:, None] + np.array(board.digits, dtype=np.int32)


class UnsupportedConstraintError(Exception):
    """A primitive that a format cannot state; the text is the reason."""


def statements(constraint: Constraint, board: Board, module: Any) -> list[tuple[Primitive, object]]:
    """Every primitive of a constraint, its houses first, with its statement in the format of a module. Raises
    `UnsupportedConstraintError`."""
    state = getattr(module, "state", lambda *_: None)
    return [(primitive, state(primitive, board)) for primitive in primitives_with_houses([constraint], board)]


def require_64_bits(coefficients: Iterable[int], limits: Iterable[int | None], board: Board) -> None:
    """Raise `UnsupportedConstraintError` for a sum of digits that may overflow in other programs."""
    if sum(map(abs, coefficients)) * board.largest + sum(abs(limit or 0) for limit in limits) >= LARGEST_EXACT:
        raise UnsupportedConstraintError("its numbers do not fit the 64 bits of programs that read the format")


def require_64_bit_sums(primitive: Primitive, board: Board) -> None:
    """`require_64_bits` for a primitive, in formats in which only a `Linear` may have large numbers."""
    if isinstance(primitive, Linear):
        require_64_bits(primitive.coefficients, (primitive.total,), board)


def wrapped(words: Iterable[str], width: int = 78) -> Iterator[str]:
    """The words on indented lines of at most `width` characters, longer only for one word: readers limit lines."""
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > width:
            yield line
            line = ""
        line = f"{line} {word}" if line else f" {word}"
    if line:
        yield line


def encoded(*parts: Iterable[str]) -> Iterator[bytes]:
    """The lines of the parts of a file as bytes."""
    return (f"{line}\n".encode("ascii") for line in chain(*parts))


def shown(text: str) -> str:
    """The first 40 characters of a text, quoted, for messages."""
    return repr(shortened(text, 40))


_MARK = "ringdoku model: "


@dataclass(frozen=True)
class Metadata:
    """What the comments of a model say. `literals[c, d − least]` is the literal of "cell c holds d", 0 if there is
    none; None if variables have names or are integers. `variables` explains them to people."""

    format_name: str
    puzzle: Puzzle
    score: ModelObjective | None
    num_vars: int
    literals: Literals | None = None
    variables: str = "their numbers are in literals, a row for each cell, with a column for each digit; 0 is none"

    def lines(self, mark: str = "") -> Iterator[str]:
        """The lines of the comments, each after a comment mark."""
        about: dict[str, Any] = {"puzzle": json.loads(Layout("json").render(self.puzzle.clues, self.puzzle.ruleset))}
        if self.score is not None:
            wanted, score = self.score.objective, {"constant": self.score.constant, "factor": self.score.factor}
            about["objective"] = {"sense": wanted.sense.value, "weights": wanted.weights, **score}
        about["num_vars"] = self.num_vars
        if self.literals is not None:
            about["literals"] = self.literals.tolist()
        # programs limit the length of lines, even in comments, whose marks have two characters
        words = wrapped(json.dumps(about).split(" "), 98)
        return (f"{mark}{line}" for line in (f"{_MARK}{self.format_name}", f"variables: {self.variables}", *words))


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


def _metadata(format_name: str, comments: dict[str, Any], most: int) -> Metadata:
    """Raises errors of many kinds for an object of another shape, or with more than so many variables."""
    puzzle = parse_one(json.dumps(comments["puzzle"]))
    board, score, literals = puzzle.board, None, None
    if "objective" in comments:
        wanted = comments["objective"]
        objective = Objective(tuple(wanted["weights"]), Sense(wanted["sense"]))
        objective.fits(board)
        constant, factor = whole_numbers((wanted["constant"], wanted["factor"]), "numbers")
        score = ModelObjective(objective, constant, factor)
    if "literals" in comments:
        numbers = chain.from_iterable(rows_of_numbers(comments["literals"], "literals"))
        literals = np.fromiter(numbers, np.int32).reshape(board.cell_count, board.order)
    num_vars = whole_number(comments["num_vars"], "numbers of variables")
    if not 0 <= num_vars <= most:
        raise ValueError(f"{shortened(str(num_vars), 20)} variables")
    return Metadata(format_name, puzzle, score, num_vars, literals)
