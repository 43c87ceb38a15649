"""`ringdoku judge`: a checker for contest systems."""

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Annotated

from ringdoku import Grid, Result, RingdokuError, Sense, Session, TimeLimitError, ring_weights
from ringdoku.domain.checker import check
from ringdoku.domain.numbers import counted
from ringdoku.text import Entry
from ringdoku_cli import options
from ringdoku_cli.exits import Exit, printable
from ringdoku_cli.inputs import input_name, open_binary, weights_from
from ringdoku_cli.options import argument, choice, refuse

MOST_BYTES = 1 << 28
"""Of an output or an answer: more than any set of puzzles needs."""

TASKS = ("solve", "maximise")
TASK_HELP = "solve: any solution of each puzzle. maximise: the best score of each, as in P1074."
NO_SOLUTION = "-1"

RIGHT, WRONG, MALFORMED, FAILED = "ok", "wrong answer", "wrong output format", "FAIL"
"""The verdicts, in testlib's words."""

STYLES = {
    "testlib": {RIGHT: Exit.OK, WRONG: Exit.NEGATIVE, MALFORMED: Exit.USAGE, FAILED: Exit.UNKNOWN},
    "kattis": {RIGHT: Exit.ACCEPTED, WRONG: Exit.REJECTED, MALFORMED: Exit.REJECTED, FAILED: Exit.UNKNOWN},
}
"""What contest systems want to hear, by name: the exit code of each verdict."""


class Verdict(Exception):  # noqa: N818  it is no error
    """A verdict other than right, and a text that says where and why."""


class Tokens:
    """What a program or the jury printed, without white space, token by token; `fault` is the verdict where it is not
    in the form that the task asks for."""

    def __init__(self, path: str, fault: str) -> None:
        self._name, self._fault = input_name(path), fault
        with open_binary(path) as stream:
            data = stream.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise Verdict(fault, f"{self._name} is longer than {MOST_BYTES} bytes")
        self._tokens = self._read(data)
        self.advance()

    def _read(self, data: bytes) -> Iterator[str]:
        for self._line, line in enumerate(data.split(b"\n"), 1):
            # other white space than that of ASCII is part of a token, and wrong
            for token in line.split():
                yield token.decode("ascii", "backslashreplace")

    def advance(self) -> None:
        """On to the next token, which is empty at the end."""
        self._token = next(self._tokens, "")

    @property
    def place(self) -> str:
        return f"{self._name}:{self._line}"

    def _expected(self, what: str) -> Verdict:
        found = printable(repr(self._token[:20])) if self._token else "the end"
        return Verdict(self._fault, f"{self.place}: found {found}, expected {what}")

    def number(self) -> int:
        """An integer as programs print it."""
        if not re.fullmatch("0|-?[1-9][0-9]{0,15}", self._token):
            raise self._expected(f"a score, or {NO_SOLUTION} for no solution")
        value = int(self._token)
        self.advance()
        return value

    def grid(self, entry: Entry) -> Grid | None:
        """n² digits as the puzzle writes them; white space between those of one character does not matter. None for -1
        in their place."""
        if self._token == NO_SOLUTION:
            self.advance()
            return None
        board = entry.puzzle.board
        values = {entry.layout.name(board, digit): digit for digit in board.digits}
        digits: list[int] = []
        while len(digits) < board.grid_count:
            if not self._token:
                raise self._expected(f"{board.grid_count} digits, not {len(digits)}")
            for name in self._token if entry.layout.symbols else [self._token]:
                if name not in values:
                    raise self._expected("a digit of the puzzle")
                if len(digits) == board.grid_count:
                    raise self._expected("white space after the last digit")
                digits.append(values[name])
            self.advance()
        return Grid(tuple(digits), board)

    def require_end(self) -> None:
        """Raises `Verdict` where there is more."""
        if self._token:
            raise self._expected("the end")


def judge(
    source: Annotated[str, argument("INPUT", "The puzzles of the test.")],
    output: Annotated[str, argument("OUTPUT", "What the program printed; - is standard input.")],
    reading: options.Reading,
    answer: Annotated[str | None, argument("[ANSWER]", "The scores of the jury, in place of our own.")] = None,
    style: Annotated[str, choice("--style", "style", STYLES, f"Whose exit codes: {', '.join(STYLES)}.")] = "testlib",
    task: Annotated[str, choice("--task", "task", TASKS, TASK_HELP)] = "solve",
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
    word = RIGHT
    try:
        refuse([source, output, answer, weights].count("-") > 1, "only one of the inputs can come from standard input")
        given, session = weights_from(weights, Sense.MAXIMISE) if weights else None, Session()

        def ask(entry: Entry) -> Result:
            if task == "solve":
                found = session.solve(entry.puzzle, time_limit)
            else:
                found = session.maximise(entry.puzzle, given or ring_weights(entry.puzzle.board), time_limit)
            if not found.status.is_final:
                raise TimeLimitError
            return found

        judged, count = _judge_solution if task == "solve" else _judge_score, 0
        with reading.open(source) as puzzles:
            jury, printed = Tokens(answer, FAILED) if answer else None, Tokens(output, MALFORMED)
            for count, entry in enumerate(puzzles, 1):
                judged(entry, printed, jury, ask, f"{printed.place}: puzzle {count}")
            for tokens in filter(None, (printed, jury)):
                tokens.require_end()
        text = counted(count, "puzzle")
    except Verdict as verdict:
        word, text = verdict.args
    except RingdokuError as error:
        word, text = FAILED, str(error)
    if sys.stderr is not None:
        with suppress(OSError):
            sys.stderr.write(f"{word} {printable(text)}\n")
    return STYLES[style][word]


def _judge_score(
    entry: Entry, printed: Tokens, jury: Tokens | None, ask: Callable[[Entry], Result], place: str
) -> None:
    score = jury.number() if jury else ask(entry).score
    best = int(NO_SOLUTION) if score is None else score
    if (found := printed.number()) != best:
        raise Verdict(WRONG, f"{place}: the best score is {best}, not {found}")


def _judge_solution(
    entry: Entry, printed: Tokens, jury: Tokens | None, ask: Callable[[Entry], Result], place: str
) -> None:
    grid = printed.grid(entry)
    if grid is None:
        if (jury.grid(entry) if jury else ask(entry).grid) is not None:
            raise Verdict(WRONG, f"{place}: there is a solution")
        return
    if violations := check(entry.puzzle, grid):
        name = partial(entry.layout.name, entry.puzzle.board)
        raise Verdict(WRONG, f"{place}: {violations[0].sentence(name)}")
    if jury and jury.grid(entry) is None:
        raise Verdict(FAILED, f"{place}: the output has a solution where the answer of the jury has none")
