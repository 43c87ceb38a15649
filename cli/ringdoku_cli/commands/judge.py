"""`ringdoku judge`: a checker for contest systems."""

import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Annotated, BinaryIO

from ringdoku import Grid, InputError, Place, Result, RingdokuError, Session, TimeLimitError, UsageError
from ringdoku.domain import counted, refuse
from ringdoku.domain.checker import check
from ringdoku.limits import Deadline
from ringdoku.text import Entry
from ringdoku_cli.exits import Exit, printable, show
from ringdoku_cli.inputs import answers_beside, files_of, input_name, open_binary
from ringdoku_cli.options import Reading, Scores, Weights, argument, choice, option, seconds
from ringdoku_cli.outputs import open_output

MOST_BYTES = 1 << 28
"""Of an output or an answer: more than any set of puzzles needs."""

TASKS = ("solve", "maximise")
TASK_HELP = "solve: any solution of each puzzle. maximise: the best score of each, as in P1074."
RUN_HELP = "Run PROGRAM on each test, the puzzles on its standard input, and print a verdict and a time for each."
LIMIT_HELP = "The time limit for each puzzle; with --run, that of PROGRAM for each test."
NO_SOLUTION = "-1"

RIGHT, WRONG, MALFORMED, FAILED = "ok", "wrong answer", "wrong output format", "FAIL"
"""The verdicts, in testlib's words."""
LATE, CRASHED, FLOODED = "time limit exceeded", "run-time error", "too much output"
"""Further ones, on a program that --run runs."""

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

    def __init__(self, name: str, data: bytes, fault: str) -> None:
        self._name, self._fault = name, fault
        if len(data) > MOST_BYTES:
            raise Verdict(fault, f"{self._name} is longer than {MOST_BYTES} bytes")
        self._tokens = self._read(data)
        self.advance()

    @classmethod
    def of_file(cls, path: str, fault: str) -> "Tokens":
        with open_binary(path) as stream:
            return cls(input_name(path), stream.read(MOST_BYTES + 1), fault)

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

    def _expect(self, is_so: object, what: str) -> None:
        """Raises `Verdict` where the token is something else."""
        found = printable(repr(self._token[:20])) if self._token else "the end"
        if not is_so:
            raise Verdict(self._fault, f"{self.place}: found {found}, expected {what}")

    def number(self) -> int:
        """An integer as programs print it."""
        is_score = re.fullmatch("0|-?[1-9][0-9]{0,15}", self._token)
        self._expect(is_score, f"a score, or {NO_SOLUTION} for no solution")
        value = int(self._token)
        self.advance()
        return value

    def grid(self, entry: Entry) -> Grid | None:
        """n² digits as the puzzle writes them, those of one character with or without white space; None for -1."""
        if self._token == NO_SOLUTION:
            self.advance()
            return None
        board = entry.puzzle.board
        values = {entry.layout.name(board, digit): digit for digit in board.digits}
        digits: list[int] = []
        while len(digits) < board.grid_count:
            self._expect(self._token, f"{board.grid_count} digits, not {len(digits)}")
            for name in self._token if entry.layout.symbols else [self._token]:
                hint = "; --task maximise judges scores" if self._token.isdecimal() and not digits else ""
                self._expect(name in values, f"a digit of the puzzle{hint}")
                self._expect(len(digits) < board.grid_count, "white space after the last digit")
                digits.append(values[name])
            self.advance()
        return Grid(tuple(digits), board)

    def require_end(self) -> None:
        """Raises `Verdict` where there is more."""
        self._expect(not self._token, "the end")


@dataclass(frozen=True)
class Asked:
    """What is asked of programs, and who hears the verdict."""

    task: Annotated[str, choice("--task", TASKS, TASK_HELP)] = "solve"
    style: Annotated[str, choice("--style", STYLES, f"Whose exit codes: {', '.join(STYLES)}.")] = "testlib"
    weights: Weights = None
    run: Annotated[str | None, option("--run PROGRAM", RUN_HELP)] = None
    time_limit: Annotated[float | None, seconds(LIMIT_HELP)] = None

    def best(self, scores: Scores, entry: Entry) -> Result:
        """Our own answer, proved. Raises `TimeLimitError`."""
        limit = None if self.run else self.time_limit
        ask = Session().solve if self.task == "solve" else partial(Session().maximise, objective=scores.of(entry))
        found = ask(entry.puzzle, time_limit=limit)
        if not found.status.is_final:
            raise TimeLimitError
        return found


def judge(
    source: Annotated[str, argument("INPUT", "The puzzles of the test; with --run all tests of a folder.")],
    reading: Reading,
    asked: Asked,
    output: Annotated[str | None, argument("[OUTPUT]", "What the program printed; - is standard input.")] = None,
    answer: Annotated[str | None, argument("[ANSWER]", "The scores of the jury, in place of our own.")] = None,
) -> Exit:
    """It judges as the checkers of contest systems do. White space does not matter, everything else does. For the task
    solve the output has a grid for each puzzle, any right one, or -1 for one without a solution; for maximise a score
    for each, or -1. Without ANSWER the right scores, and whether there is a solution, are found out and proved here.
    With ANSWER the scores are compared with its own; for the task solve it says with -1 which puzzles have no solution.

    --run runs a program on each N.in of a folder, with N.out or N.ans as ANSWER where there is one, and prints a
    verdict and the seconds for each.

    Exit status of the style testlib: 0 right, 1 wrong, 2 malformed output, 3 the test itself is at fault; of the style
    kattis: 42 right, 43 wrong or malformed, 3 the test itself is at fault. A message on standard error says why.
    """
    if asked.run:
        refuse(output or answer, "--run finds answers beside the tests; leave OUTPUT and ANSWER out")
        return STYLES[asked.style][_run_on_all(asked.run, source, reading, asked)]

    def printed() -> Tokens:
        if output is None:
            raise UsageError("missing argument 'OUTPUT', or --run PROGRAM")
        reading.require_one_standard_input(source, output, answer, asked.weights)
        return Tokens.of_file(output, MALFORMED)

    word, text = _judged(source, reading, asked, printed, answer)
    show(f"{word} {printable(text)}\n")
    return STYLES[asked.style][word]


def _judged(
    source: str, reading: Reading, asked: Asked, output: Callable[[], Tokens], answer: str | None
) -> tuple[str, str]:
    """The verdict on what a program printed for a test, and a text that says where and why."""
    count = 0
    try:
        printed = output()
        scores = Scores(asked.weights)
        with reading.open(source) as puzzles:
            jury = Tokens.of_file(answer, FAILED) if answer else None
            for count, entry in enumerate(puzzles, 1):
                ask, place = partial(asked.best, scores, entry), f"{printed.place}: puzzle {count}"
                if asked.task == "solve":
                    _judge_solution(entry, printed, jury, ask, place)
                    continue
                scores.of(entry)
                score = jury.number() if jury else ask().score
                best = int(NO_SOLUTION) if score is None else score
                if (found := printed.number()) != best:
                    if jury:
                        # what is wrong with its file comes first
                        for _ in puzzles:
                            jury.number()
                        jury.require_end()
                    known = f"the {'answer of the jury' if jury else 'best score'} is {best}"
                    right = known if jury or score is not None else "there is no solution"
                    raise Verdict(WRONG, f"{place}: {right}, not {found}")
            for tokens in filter(None, (printed, jury)):
                tokens.require_end()
    except Verdict as verdict:
        word, text = verdict.args
        return word, text
    except RingdokuError as error:
        return FAILED, str(error)
    return RIGHT, counted(count, "puzzle")


def _run_on_all(program: str, source: str, reading: Reading, asked: Asked) -> str:
    """Runs the program on each test, and prints a line for each. Returns the verdict on all."""
    # a solver's package, which verdicts on scores of a jury do without
    from ringdoku.solvers.external import run_program, words_of

    tests = [file for file in files_of([source]) if file.endswith(".in") or file == source != "-"]
    refuse(not tests, f"{source} holds no test N.in")
    answers, verdicts, width = answers_beside(tests), Counter[str](), max(map(len, tests))
    arguments = words_of(program)
    with open_output(None, False) as table:
        for test in tests:
            start = time.perf_counter()
            try:
                with open_binary(test) as stream:
                    code, data, ending = run_program(arguments, Deadline.asked(asked.time_limit), _read, stream)
            except TimeLimitError:
                code, data, ending = None, b"", ""
            took = time.perf_counter() - start
            word, text = (CRASHED, ending) if code else (LATE, "")
            if isinstance(data, InputError):
                word, text = FLOODED, str(data)
            elif code == 0:
                printed = partial(Tokens, "output", data, MALFORMED)
                word, text = _judged(test, reading, asked, printed, answers.get(test))
            verdicts[word] += 1
            table.write(f"{test:{width}}  {took:8.3f} s  {word:19}  {printable(text)}".rstrip() + "\n")
            table.flush()
        table.write(f"{verdicts[RIGHT]} of {len(tests)} {RIGHT}\n")
    return FAILED if verdicts[FAILED] else RIGHT if verdicts[RIGHT] == len(tests) else WRONG


def _read(stream: BinaryIO) -> bytes | InputError:
    """All that a program prints; an error, upon which it is stopped, where that is too much."""
    data = stream.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        return InputError(Place("output"), "more", f"at most {MOST_BYTES} bytes")
    return data


def _judge_solution(entry: Entry, printed: Tokens, jury: Tokens | None, ask: Callable[[], Result], place: str) -> None:
    grid = printed.grid(entry)
    if grid is None:
        if (jury.grid(entry) if jury else ask().grid) is not None:
            raise Verdict(WRONG, f"{place}: there is a solution")
        return
    if violations := check(entry.puzzle, grid):
        name = partial(entry.layout.name, entry.puzzle.board)
        raise Verdict(WRONG, f"{place}: {violations[0].sentence(name)}")
    if jury and jury.grid(entry) is None:
        raise Verdict(FAILED, f"{place}: the output has a solution where the answer of the jury has none")
