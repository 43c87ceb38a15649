"""`ringdoku judge`: a checker for contest systems."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Annotated

import typer

from ringdoku.domain.checker import check, sentence
from ringdoku.domain.errors import RingdokuError, TimeLimitError, UsageError
from ringdoku.domain.grid import Grid
from ringdoku.domain.numbers import counted
from ringdoku.domain.objective import Objective, Sense, ring_weights
from ringdoku.domain.result import Status
from ringdoku.services import Session
from ringdoku.text import Entry
from ringdoku_cli import options
from ringdoku_cli.exits import Exit
from ringdoku_cli.inputs import input_name, open_binary, weights_from
from ringdoku_cli.messages import printable

MOST_BYTES = 1 << 28
"""Of an output or an answer: more than any set of puzzles needs."""

TASKS = ("solve", "maximise")
NO_SOLUTION = "-1"
_NUMBER = re.compile("0|-?[1-9][0-9]{0,15}")


class Wrong(Exception):  # noqa: N818  a verdict, not an error
    """The output is wrong; the text says where and why."""


class Malformed(Exception):  # noqa: N818  a verdict, not an error
    """The output is not in the form that the task asks for."""


@dataclass(frozen=True)
class Style:
    """What a contest system wants to hear: its exit codes, and the words of testlib, in which others are told too."""

    accepted: Exit
    wrong: Exit
    malformed: Exit
    failed: Exit


STYLES = {
    "testlib": Style(Exit.OK, Exit.NEGATIVE, Exit.USAGE, Exit.UNKNOWN),
    "kattis": Style(Exit.ACCEPTED, Exit.REJECTED, Exit.REJECTED, Exit.UNKNOWN),
}
"""By name. testlib: 0 right, 1 wrong, 2 malformed, 3 the checker failed; Kattis: 42 right, 43 wrong, others failed."""


class Tokens:
    """What a program printed, without white space, token by token."""

    def __init__(self, path: str) -> None:
        with open_binary(path) as stream:
            data = stream.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise Malformed(f"{input_name(path)} is longer than {MOST_BYTES} bytes")
        # other white space than that of ASCII is part of a token, and wrong
        self._found = re.finditer(rb"[^ \t\r\n\v\f]+", data)
        self._data = data
        self._name = input_name(path)
        self._token = ""
        self._line = 1
        self._end = 0
        self.advance()

    def advance(self) -> None:
        """On to the next token, which is empty at the end."""
        found = next(self._found, None)
        start = found.start() if found else len(self._data)
        self._line += self._data.count(b"\n", self._end, start)
        self._end = start
        self._token = found[0].decode("ascii", "backslashreplace") if found else ""

    @property
    def place(self) -> str:
        return f"{self._name}:{self._line}"

    @property
    def shown(self) -> str:
        """The token as messages show it."""
        return printable(repr(self._token[:20])) if self._token else "the end"

    def number(self) -> int:
        """An integer as programs print it; raises `Malformed` for anything else."""
        if not _NUMBER.fullmatch(self._token):
            raise Malformed(f"{self.place}: found {self.shown}, expected a score, or {NO_SOLUTION} for no solution")
        value = int(self._token)
        self.advance()
        return value

    def says_none(self) -> bool:
        """Takes -1, if that is next, and says whether it was."""
        if self._token != NO_SOLUTION:
            return False
        self.advance()
        return True

    def grid(self, entry: Entry) -> Grid:
        """n² digits as the puzzle writes them; white space between those of one character does not matter."""
        board, symbols = entry.puzzle.board, entry.layout.symbols
        values = {entry.layout.name(board, digit): digit for digit in board.digits}
        digits: list[int] = []
        while len(digits) < board.grid_count:
            if not self._token:
                raise Malformed(f"{self.place}: found the end, expected {board.grid_count} digits, not {len(digits)}")
            for name in self._token if symbols else [self._token]:
                digit = values.get(name)
                if digit is None or len(digits) == board.grid_count:
                    expected = "a digit of the puzzle" if digit is None else "white space after the last digit"
                    raise Malformed(f"{self.place}: found {self.shown}, expected {expected}")
                digits.append(digit)
            self.advance()
        return Grid(tuple(digits), board)

    def require_end(self) -> None:
        if self._token:
            raise Malformed(f"{self.place}: found {self.shown}, expected the end")


def judge(
    source: Annotated[str, typer.Argument(metavar="INPUT", show_default=False, help="The puzzles of the test.")],
    output: Annotated[
        str,
        typer.Argument(metavar="OUTPUT", show_default=False, help="What the program printed; - is standard input."),
    ],
    reading: options.Reading,
    answer: Annotated[
        str | None,
        typer.Argument(metavar="[ANSWER]", show_default=False, help="The scores of the jury, in place of our own."),
    ] = None,
    style: Annotated[
        str, options.choice("--style", "style", STYLES, f"Whose exit codes: {', '.join(STYLES)}.")
    ] = "testlib",
    task: Annotated[
        str,
        options.choice(
            "--task",
            "task",
            TASKS,
            "solve: any solution of each puzzle. maximise: the best score of each, as in P1074.",
        ),
    ] = "solve",
    weights: options.Weights = None,
    time_limit: options.TimeLimit = None,
) -> Exit:
    """Judge the output of a program on a test.

    It judges as the checkers of contest systems do. White space does not matter, everything else does. For the task
    solve the output has a grid for each puzzle, any right one, or -1 for one without a solution; for maximise a
    score for each, or -1. Without ANSWER the right scores, and whether there is a solution, are found out and
    proved here. With ANSWER the scores are compared with its own; for the task solve it says with -1 which puzzles
    have no solution.

    Exit status of the style testlib: 0 right, 1 wrong, 2 malformed output, 3 the test itself is at fault; of the style
    kattis: 42 right, 43 wrong or malformed, 3 the test itself is at fault. A message on standard error says why.
    """
    codes = STYLES[style]
    try:
        if [source, output, answer, weights].count("-") > 1:
            raise UsageError("only one of the inputs can come from standard input")
        given = weights_from(weights, Sense.MAXIMISE) if weights else None
        with reading.open(source) as puzzles:
            key = _Key(answer, given, time_limit)
            printed, count = Tokens(output), 0
            for count, entry in enumerate(puzzles, 1):
                place = f"{printed.place}: puzzle {count}"
                if task == "solve":
                    _judge_solution(entry, printed, key, place)
                elif (best := key.best_score(entry)) != (found := printed.number()):
                    raise Wrong(f"{place}: the best score is {best}, not {found}")
            printed.require_end()
            key.require_end()
    except Wrong as verdict:
        return _tell(codes.wrong, f"wrong answer {verdict}")
    except Malformed as verdict:
        return _tell(codes.malformed, f"wrong output format {verdict}")
    except RingdokuError as error:
        return _tell(codes.failed, f"FAIL {error}")
    return _tell(codes.accepted, f"ok {counted(count, 'puzzle')}")


class _Key:
    """The right answers: those of the jury's file, or else our own. What is wrong with the file is a `UsageError`."""

    def __init__(self, path: str | None, weights: Objective | None, time_limit: float | None) -> None:
        self._session = Session()
        self._weights = weights
        self._time_limit = time_limit
        with _at_fault():
            self._tokens = Tokens(path) if path else None

    def best_score(self, entry: Entry) -> int:
        """-1 for a puzzle without a solution. Raises `TimeLimitError`."""
        if self._tokens:
            with _at_fault():
                return self._tokens.number()
        objective = self._weights or ring_weights(entry.puzzle.board)
        result = self._session.maximise(entry.puzzle, objective, self._time_limit)
        if not result.status.is_final:
            raise TimeLimitError
        return int(NO_SOLUTION) if result.score is None else result.score

    def has_solution(self, entry: Entry, certain: bool) -> bool:
        """Whether the file, or else our own search, has a solution; it is not asked if one is known for `certain`."""
        if self._tokens:
            with _at_fault():
                if self._tokens.says_none():
                    return False
                self._tokens.grid(entry)
                return True
        if certain:
            return True
        result = self._session.solve(entry.puzzle, self._time_limit)
        if not result.status.is_final:
            raise TimeLimitError
        return result.status is Status.SATISFIABLE

    def require_end(self) -> None:
        if self._tokens:
            with _at_fault():
                self._tokens.require_end()


@contextmanager
def _at_fault() -> Iterator[None]:
    try:
        yield
    except Malformed as fault:
        raise UsageError(str(fault)) from None


def _judge_solution(entry: Entry, printed: Tokens, key: _Key, place: str) -> None:
    if printed.says_none():
        if key.has_solution(entry, certain=False):
            raise Wrong(f"{place}: there is a solution")
        return
    grid = printed.grid(entry)
    name = partial(entry.layout.name, entry.puzzle.board)
    if violations := check(entry.puzzle, grid):
        raise Wrong(f"{place}: {sentence(violations[0], name)}")
    if not key.has_solution(entry, certain=True):
        raise UsageError(f"{place}: the output has a solution where the answer of the jury has none")


def _tell(code: Exit, message: str) -> Exit:
    if sys.stderr is not None:
        with suppress(OSError):
            sys.stderr.write(f"{printable(message)}\n")
    return code
