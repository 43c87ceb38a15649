"""`ringdoku judge`: a checker for contest systems. `Tokens` reads what a program printed, `_verdict` judges it."""

import re
import time
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, BinaryIO, TypeAlias

from ringdoku import Grid, InputError, Place, RingdokuError, Session, TimeLimitError
from ringdoku.domain import counted, refuse
from ringdoku.domain.checker import check
from ringdoku.limits import Deadline
from ringdoku.services.session import with_extra_digits
from ringdoku.text import Entry
from ringdoku_cli.answering import Progress
from ringdoku_cli.exits import Exit, printable, show
from ringdoku_cli.inputs import answers_beside, files_of, input_name, open_binary
from ringdoku_cli.options import Reading, Scores, Weights, argument, choice, option
from ringdoku_cli.outputs import open_output

MOST_BYTES = 1 << 28
"""The limit for an output or an answer, more than any set of puzzles needs."""

TASK_HELP = "solve: any solution of each puzzle. maximise: the best score of each, as in P1074."
RUN_HELP = "Run PROGRAM on each test, the puzzles on its standard input, and print a verdict and a time for each."
LIMIT_HELP = "The time limit for each puzzle; with --run, that of PROGRAM for each test, and none for our own answers."
NO_SOLUTION = "-1"
Test: TypeAlias = list[tuple[Entry, Callable[[], Grid | int | None]]]
"""The puzzles of a test, each with a function that returns a solution or the best score, None for no solution."""

RIGHT, WRONG, MALFORMED, FAILED = "ok", "wrong answer", "wrong output format", "FAIL"
"""The verdicts, in testlib's words."""
LATE, CRASHED, FLOODED = "time limit exceeded", "run-time error", "too much output"
"""More verdicts, for a program that --run runs."""

STYLES = {
    "testlib": {RIGHT: Exit.OK, WRONG: Exit.NEGATIVE, MALFORMED: Exit.USAGE, FAILED: Exit.UNKNOWN},
    "kattis": {RIGHT: Exit.ACCEPTED, WRONG: Exit.REJECTED, MALFORMED: Exit.REJECTED, FAILED: Exit.UNKNOWN},
}
"""The styles of contest systems: the exit code of each verdict."""


class Verdict(Exception):  # noqa: N818  it is no error
    """A verdict other than right, and a text that says where and why."""


class Tokens:
    """The tokens that a program or the jury printed, which white space separates. `fault` is the verdict if they do not
    have the form that the task asks for."""

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
        for self._line, line in enumerate(data.removeprefix(BOM_UTF8).split(b"\n"), 1):
            # as for testlib, any other white space is part of a token, which is then wrong
            for token in re.findall(rb"[^ \t\r]+", line):
                yield token.decode("utf-8", "backslashreplace")

    def advance(self) -> None:
        """Go to the next token, which is empty at the end."""
        self._token = next(self._tokens, "")

    @property
    def place(self) -> str:
        return f"{self._name}:{self._line}"

    def _expect(self, condition: object, expected: str) -> None:
        """Raises `Verdict` about the current token unless the condition holds."""
        found = printable(f"'{self._token[:20]}'") if self._token else "the end"
        if not condition:
            raise Verdict(self._fault, f"{self.place}: found {found}, expected {expected}")

    def number(self) -> int:
        """An integer as programs print it."""
        self._expect(re.fullmatch("0|-?[1-9][0-9]{0,15}", self._token), f"a score, or {NO_SOLUTION} for no solution")
        value = int(self._token)
        self.advance()
        return value

    def solution(self, entry: Entry, number: int) -> Grid | None:
        """n² digits as the puzzle writes them; those of one character need no white space between them. None for -1.
        Raises `Verdict`, which states the `number` of the puzzle, if they are not a solution of it."""
        if self._token == NO_SOLUTION:
            self.advance()
            return None
        place, board, name = self.place, entry.puzzle.board, partial(entry.layout.name, entry.puzzle.board)
        values = {name(digit): digit for digit in board.digits}
        digits: list[int] = []
        scores = "; --task maximise judges scores" if re.fullmatch("[0-9]+", self._token) else ""
        while len(digits) < board.grid_count:
            hint = scores if len(digits) < board.columns else ""
            self._expect(self._token, f"{board.grid_count} digits, not {len(digits)}{hint}")
            for text in self._token if max(map(len, values)) == 1 else [self._token]:
                self._expect(text in values, f"a digit of the puzzle{'' if digits else hint}")
                self._expect(len(digits) < board.grid_count, "white space after the last digit")
                digits.append(values[text])
            self.advance()
        grid = with_extra_digits(Grid(tuple(digits), board), entry.puzzle)
        if violations := check(entry.puzzle, grid):
            verdict = WRONG if self._fault == MALFORMED else self._fault
            raise Verdict(verdict, f"{place}: puzzle {number}: {violations[0].sentence(name)}")
        return grid

    def require_end(self) -> None:
        """Raises `Verdict` if more tokens follow."""
        self._expect(not self._token, "the end")


@dataclass(frozen=True)
class Options:
    """The task of the programs, how they are run, and whose exit codes are returned."""

    task: Annotated[str, choice("--task", ("solve", "maximise"), TASK_HELP)] = "solve"
    style: Annotated[str, choice("--style", STYLES, f"Whose exit codes: {', '.join(STYLES)}.")] = "testlib"
    weights: Weights = None
    run: Annotated[str | None, option("--run PROGRAM", RUN_HELP)] = None
    time_limit: Annotated[float | None, option("--time-limit SECONDS", LIMIT_HELP, Deadline.asked)] = None

    def own_answer(self, scores: Scores, entry: Entry) -> Grid | int | None:
        """Our own, proved answer: a solution or the best score, None for no solution. Raises `TimeLimitError`."""
        limit = None if self.run else self.time_limit
        maximise = partial(Session().maximise, objective=scores.objective_of(entry))
        found = (Session().solve if self.task == "solve" else maximise)(entry.puzzle, time_limit=limit)
        if not found.status.is_final:
            raise TimeLimitError
        return found.grid if self.task == "solve" else found.score


def judge(
    source: Annotated[str, argument("INPUT", "The puzzles of the test; with --run all tests of a folder.")],
    reading: Reading,
    options: Options,
    output: Annotated[str | None, argument("[OUTPUT]", "What the program printed; - is standard input.")] = None,
    answer: Annotated[str | None, argument("[ANSWER]", "The scores of the jury, in place of our own.")] = None,
) -> Exit:
    """It judges as the checkers of contest systems do. White space does not matter, everything else does. For the task
    solve the output has a grid for each puzzle, any right one, or -1 for one without a solution; for maximise a score
    for each, or -1. Without ANSWER the right scores, and whether there is a solution, are found out and proved here.
    With ANSWER the scores are compared with its own; for the task solve it says with -1 which puzzles have no solution.

    --run runs a program on each N.in of a folder, with N.out or N.ans as ANSWER where there is one, or on each N with
    N.a as in Polygon's packages, and prints a verdict and the seconds for each.

    Exit status of the style testlib: 0 right, 1 wrong, 2 malformed output, 3 the test itself is at fault; of the style
    kattis: 42 right, 43 wrong or malformed, 3 the test itself is at fault. A message on standard error says why.
    """
    if options.run:
        refuse(output or answer, "--run finds answers beside the tests; leave OUTPUT and ANSWER out")
        return STYLES[options.style][_verdict_on_all(options.run, source, reading, options)]

    def read() -> Test:
        refuse(output is None, "missing argument 'OUTPUT', or --run PROGRAM")
        reading.require_one_standard_input(source, output, answer, options.weights)
        return _read_test(source, reading, options, answer)

    word, text = _verdict(read, options, partial(Tokens.of_file, output or "", MALFORMED), bool(answer))
    show(f"{word} {printable(text)}\n")
    return STYLES[options.style][word]


def _read_test(source: str, reading: Reading, options: Options, answer: str | None) -> Test:
    """The puzzles of a test with their answers. Raises `Verdict` or `RingdokuError` for faults, also of the jury's."""
    refuse(options.weights and options.task == "solve", "--weights goes with --task maximise")
    scores = Scores(options.weights)
    with reading.open(source) as puzzles:
        entries = list(puzzles)
    for entry in entries:
        scores.objective_of(entry)
    if answer is None:
        return [(entry, partial(options.own_answer, scores, entry)) for entry in entries]
    jury = Tokens.of_file(answer, FAILED)
    solves = options.task == "solve"
    answers = [jury.solution(entry, number) if solves else jury.number() for number, entry in enumerate(entries, 1)]
    jury.require_end()
    return [(entry, partial(answers.__getitem__, index)) for index, entry in enumerate(entries)]


def _verdict(read: Callable[[], Test], options: Options, run: Callable[[], Tokens], of_jury: bool) -> tuple[str, str]:
    """The verdict on what a program printed for a test, and a text that says where and why."""
    try:
        test, tokens = read(), run()
        for count, (entry, correct) in enumerate(test, 1):
            place = f"{tokens.place}: puzzle {count}"
            if options.task == "solve":
                grid = tokens.solution(entry, count)
                if grid is None and correct() is not None:
                    raise Verdict(WRONG, f"{place}: there is a solution")
                if grid is not None and of_jury and correct() is None:
                    raise Verdict(FAILED, f"{place}: the output has a solution where the answer of the jury has none")
            elif (found := tokens.number()) != (best := int(NO_SOLUTION) if (score := correct()) is None else score):
                right = f"the {'answer of the jury' if of_jury else 'best score'} is {best}"
                raise Verdict(WRONG, f"{place}: {'there is no solution' if score is None else right}, not {found}")
        tokens.require_end()
    except Verdict as verdict:
        word, text = verdict.args
        return word, text
    except RingdokuError as error:
        return FAILED, str(error)
    return RIGHT, counted(len(test), "puzzle")


def _verdict_on_all(program: str, source: str, reading: Reading, options: Options) -> str:
    """Run the program on each test, print a line for each, and return the verdict on all of them."""
    # imports the package of a solver, which is not needed to compare scores with those of a jury
    from ringdoku.solvers.external import words_of

    files, arguments, verdicts = files_of([source]), words_of(program), Counter[str]()
    answers = answers_beside(files)
    ends = {".in", *(Path(test).suffix for test in answers)}
    tests = [file for file in files if Path(file).suffix in ends or file == source != "-"]
    refuse(not tests, f"{source} holds no test N.in, and no N with an N.a")
    width = max(map(len, tests))
    with open_output(None, False) as table:
        for test in tests:
            answer, times = answers.get(test), list[float]()
            read = partial(_read_test, test, reading, options, answer)
            with Progress(table, test):
                word, text = _verdict(read, options, partial(_run, arguments, test, options, times), bool(answer))
            verdicts[word] += 1
            table.write(f"{test:{width}}  {sum(times):8.3f} s  {word:19}  {printable(text)}".rstrip() + "\n")
            table.flush()
        others = "".join(f", {count} {word}" for word, count in verdicts.items() if word != RIGHT)
        table.write(f"{verdicts[RIGHT]} of {len(tests)} {RIGHT}{others}\n")
    return FAILED if verdicts[FAILED] else RIGHT if verdicts[RIGHT] == len(tests) else WRONG


def _run(arguments: Sequence[str], test: str, options: Options, times: list[float]) -> Tokens:
    """The output of the program for a test; appends its seconds to `times`. Raises `Verdict` if it fails."""
    from ringdoku.solvers.external import run_program

    start = time.perf_counter()
    try:
        with open_binary(test) as stream:
            code, data, ending = run_program(arguments, Deadline.asked(options.time_limit), _read_output, stream)
    except TimeLimitError:
        raise Verdict(LATE, "") from None
    finally:
        times.append(time.perf_counter() - start)
    if isinstance(data, InputError):
        raise Verdict(FLOODED, str(data))
    if code:
        raise Verdict(CRASHED, ending)
    return Tokens("output", data, MALFORMED)


def _read_output(stream: BinaryIO) -> bytes | InputError:
    """All that a program prints, or an error if that is too much; the program is then stopped."""
    data = stream.read(MOST_BYTES + 1)
    return data if len(data) <= MOST_BYTES else InputError(Place("output"), "more", f"at most {MOST_BYTES} bytes")
