"""The options that several commands share, as dataclasses; names and choices come from the library's registries."""

import re
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, ClassVar, TextIO

import typer

from ringdoku import BACKENDS, DimensionError, InputError, Objective, Puzzle, Sense, Session, UsageError, ring_weights
from ringdoku.domain import Place, perhaps, refuse
from ringdoku.limits import Deadline
from ringdoku.solvers.registry import find
from ringdoku.text import FORMATS, Entry, ReadOptions, read_weights
from ringdoku_cli.inputs import Puzzles, files_of, input_name, open_binary
from ringdoku_cli.outputs import INPUT, NUMBER, RANK, open_output
from ringdoku_cli.render import FIELDS, NAMED_TEMPLATES, OUTPUT_FORMATS, TEXT_FORMATS


def option(names: str, help: str, check: Callable[[Any], object] | None = None, **more: Any) -> Any:  # noqa: A002
    """An option: `names` has its flags and then the placeholder of its value. A `UsageError` of `check` becomes an
    error about this option; a text that `check` returns replaces the value."""
    flags = [name for name in names.split() if name.startswith("-")]
    placeholder = names.split()[len(flags) :]

    def callback(value: Any) -> Any:
        try:
            empty = {"FILE": "the name of the file", "TEXT": "the text"}.get("".join(placeholder))
            refuse(empty and value == "", f"{empty} is empty")
            checked = check(value) if check else value
        except UsageError as error:
            raise typer.BadParameter(str(error)) from None
        return checked if isinstance(checked, str) else value

    return typer.Option(*flags, metavar=placeholder[0] if placeholder else None, help=help, callback=callback, **more)


def argument(name: str, help: str) -> Any:  # noqa: A002  typer's word
    """An argument without a flag."""
    return typer.Argument(metavar=name, show_default=False, help=help)


def choice(flag: str, names: Iterable[str], help: str, check: Callable[[Any], object] | None = None) -> Any:  # noqa: A002
    """An option that takes one of `names`, in upper or lower case, or what `check` accepts. Shells complete it."""
    by_lower_case = {name.lower(): name for name in names}

    def find_name(name: str | None) -> str | None:
        if name is None or name.lower() in by_lower_case:
            return name and by_lower_case[name.lower()]
        known = by_lower_case.values()
        raise UsageError(f"there is no {name!r}{perhaps(name, known)}; there are: {', '.join(known)}")

    def completions(incomplete: str) -> list[str]:
        return [name for name in by_lower_case.values() if name.lower().startswith(incomplete.lower())]

    return option(f"{flag} NAME", help, check or find_name, autocompletion=completions)


def parse_pair(
    text: str | None, expected: str, separator: str = "-", is_span: bool = False, least: int = 1
) -> tuple[int, int] | None:
    """Two numbers of at least `least` with `separator`, a regular expression, between them. A span must not fall, and
    one number is both its ends. Raises `UsageError`, whose message begins with `expected`."""
    if text is None:
        return None
    found = re.fullmatch(rf"([0-9]{{1,7}})(?:{separator}([0-9]{{1,7}})){'?' if is_span else ''}", text)
    first, last = (int(found[1]), int(found[2] or found[1])) if found else (0, -1)
    refuse(not found or min(first, last) < least or (is_span and first > last), f"{expected}, not {text!r}")
    return first, last


def parse_box(text: str | None) -> tuple[int, int] | None:
    """`2x3` is (2, 3): height, width. Raises `UsageError`."""
    return parse_pair(text, "--box is HEIGHTxWIDTH, for example 2x3", "[xX×]")


def parse_clues(text: str | None) -> tuple[int, int] | None:
    """`24-30` is (24, 30). Raises `UsageError`."""
    return parse_pair(text, "--clues is a number or a span such as 24-30", r"(?:-|\.\.)", is_span=True, least=0)


FORMATS_HELP = (
    f"The format of grids: {', '.join(OUTPUT_FORMATS)}. Default: the one that the name of --output ends in; "
    "pretty on a terminal; otherwise same, which is the format of the input."
)
INPUT_HELP = f"The format of the puzzles, where it should not be detected: {', '.join(FORMATS)}."
RULES_HELP = "Add a rule, such as diagonal or 'killer 15: r1c1 r1c2', or drop one: 'no boxes'. It can be repeated."
_FIELD_NAMES = ", ".join(FIELDS).replace("score", "score (of maximise)")
TEMPLATE_HELP = f"Answers as a text with {_FIELD_NAMES} in braces and \\n for a line, or {', '.join(NAMED_TEMPLATES)}."
IGNORE_HELP = "Answer a link or a file of another program without what is not understood of it."
KEEP_GOING_HELP = "Report malformed puzzles and go on; the exit status is still 2."
SOURCES_HELP = "Files of puzzles, folders of them, a link, or a puzzle itself; - (the default) is standard input."
OUTPUT_HELP = (
    f"Write to FILE, which appears when complete; with {NUMBER} or, but for draw, {INPUT} in its name a file for each."
)
JOBS_HELP = "How many processes answer; by default one a core as soon as that pays. 1 repeats the same grids."
BACKEND_HELP = "The backend that solves; `ringdoku list backends` lists them."
MARKS_HELP = "What a player has: a grid with more digits, or n³ characters, n a cell: digit d or a dot at place d."
CLUSTER_HELP = "Answer on the workers of this dask scheduler, for example tcp://host:8786."

TextFormat = Annotated[str | None, choice("--output-format", TEXT_FORMATS, "The format of answers: text, json.")]
OutputFormat = Annotated[str | None, choice("--output-format", OUTPUT_FORMATS, FORMATS_HELP)]
WEIGHTS_HELP = "n rows of n integers instead of the ring weights 6 + ring; or a row for each cell, one for each digit."
Weights = Annotated[str | None, option("--weights FILE", WEIGHTS_HELP)]
TimeLimit = Annotated[float | None, option("--time-limit SECONDS", "The time limit for each puzzle.", Deadline.asked)]
AT_MOST_HELP = "Stop after so many solutions, and find out if there are more."
AtMost = Annotated[int | None, option("--at-most N", AT_MOST_HELP, min=1)]
SEED_HELP = "The random seed of CP-SAT, which lp-sat asks too; of estimates and samples."
Seed = Annotated[int, option("--seed NUMBER", SEED_HELP, min=0)]
Box = Annotated[str | None, option("--box HxW", "Box height and width, for example 2x3; square boxes do not need it.")]
Rules = Annotated[list[str] | None, option("--rule RULE", RULES_HELP)]
Template = Annotated[str | None, option("--template TEXT", TEMPLATE_HELP)]
Force = Annotated[bool, option("--force", "Let output files replace existing files.")]
Marks = Annotated[str | None, option("--marks FILE", MARKS_HELP)]
Cluster = Annotated[str | None, option("--cluster ADDRESS", CLUSTER_HELP)]
Minimise = Annotated[bool, option("--minimise --minimize", "The best score is the lowest.")]


class Panel:
    """Options that the help shows together, below those of the command itself."""

    title: ClassVar[str]

    def __init_subclass__(cls, title: str = "") -> None:
        cls.title = title or cls.title


@dataclass(frozen=True)
class Reading(Panel, title="Input"):
    """How puzzles are read."""

    input_format: Annotated[str | None, choice("--input-format", FORMATS, INPUT_HELP)] = None
    box: Box = None
    rules: Rules = None
    ignore: Annotated[bool, option("--ignore", IGNORE_HELP)] = False

    @cached_property
    def cached_bytes(self) -> dict[str, bytes]:
        """By its name, the content of an input that was read before, since a pipe can be read only once."""
        return {}

    def open(self, *paths: str, keep_going: bool = False, verify: bool = True) -> Puzzles:
        """The puzzles of some inputs. Raises `UsageError`."""
        how = ReadOptions(self.input_format, parse_box(self.box), verify, self.rules, self.ignore)
        return Puzzles(paths, how, keep_going, self.cached_bytes)

    def single_puzzle(self, path: str, remedy: str, verify: bool = True) -> Entry:
        """The only puzzle of an input. Raises `UsageError`, whose message ends with `remedy`, if there are more."""
        with self.open(path, verify=verify) as puzzles:
            puzzles.require_one(remedy)
            return next(iter(puzzles))

    def require_one_standard_input(self, *inputs: str | None) -> None:
        """Raises `UsageError` if more than one of the inputs is standard input."""
        refuse(inputs.count("-") > 1, "only one of the inputs can come from standard input")

    def read_marks(self, path: str) -> Puzzle:
        """The position of a player: digits as clues, marks as rules."""
        return Reading(rules=["no boxes"]).single_puzzle(path, "--marks are one", verify=False).puzzle


@dataclass(frozen=True)
class Inputs(Reading):
    """The inputs of a command that takes many puzzles, and how they are read."""

    sources: Annotated[list[str] | None, argument("[INPUT]...", SOURCES_HELP)] = None
    keep_going: Annotated[bool, option("--keep-going", KEEP_GOING_HELP)] = False

    @cached_property
    def files(self) -> list[str]:
        """The names of all inputs, with the files of folders in place of these."""
        return files_of(self.sources)

    def puzzles(self, verify: bool = True) -> Puzzles:
        """The puzzles of all inputs. Raises `UsageError`."""
        return self.open(*self.files, keep_going=self.keep_going, verify=verify)


@dataclass(frozen=True)
class Output(Panel, title="Output"):
    """Where answers go."""

    output: Annotated[str | None, option("--output -o FILE", OUTPUT_HELP)] = None
    force: Force = False

    def __post_init__(self) -> None:
        """Raises `UsageError` for a misspelt field: all answers would go to one file."""
        for field in re.findall("{[^{}]*}", Path(self.output or "").name):
            refuse(field not in (NUMBER, RANK, INPUT), f"-o has no field {field}, but {NUMBER}, {RANK} and {INPUT}")

    def open(self) -> AbstractContextManager[TextIO]:
        """The stream for a command with a single output. Raises `UsageError` for a name with fields."""
        fields = [field for field in (NUMBER, INPUT) if field in (self.output or "")]
        refuse(fields, f"all of it goes to one file; leave {' '.join(fields)} out of its name")
        return open_output(self.output, self.force)


@dataclass(frozen=True)
class Work(Panel, title="Solving"):
    """The time limit, and the processes that answer."""

    time_limit: TimeLimit = None
    jobs: Annotated[int | None, option("--jobs N", JOBS_HELP, min=1, max=256, show_default=False)] = None
    cluster: Cluster = None


@dataclass(frozen=True)
class Solver(Work):
    """The same, with a backend of the user's choice."""

    backend: Annotated[str, choice("--backend", ("auto", *BACKENDS), BACKEND_HELP, find)] = "auto"
    seed: Seed = 0

    def session(self, alone: bool = False, **options: object) -> Session:
        """A session with these options, without other processes if it works `alone`, or if one of the other `options`
        is set, which need one puzzle at a time. Raises `UsageError`, also for those with --jobs or --cluster."""
        session = Session(self.backend, self.seed, self.jobs, self.cluster)
        flag = next((name for name, value in options.items() if value), None)
        several = "--cluster" if self.cluster else "--jobs" if (self.jobs or 1) > 1 else ""
        refuse(flag and several, f"--{flag} follows one puzzle at a time; leave {several} out")
        return Session(self.backend, self.seed, 1, self.cluster) if flag or alone else session


@dataclass(frozen=True)
class Scores:
    """The weights of the score, and whether the highest or the lowest is the best."""

    weights: Weights = None
    minimise: Minimise = False

    @property
    def sense(self) -> Sense:
        return Sense.MINIMISE if self.minimise else Sense.MAXIMISE

    @cached_property
    def from_file(self) -> Objective | None:
        """The objective with the weights of the file; None without a file."""
        if self.weights is None:
            return None
        with open_binary(self.weights) as stream:
            return Objective.of_rows(read_weights(stream, input_name(self.weights)), self.sense)

    def objective_of(self, entry: Entry) -> Objective:
        """The weights of the file, else the ring weights. Raises `InputError` if those do not fit the board."""
        board = entry.puzzle.board
        if self.weights is None or self.from_file is None:
            return ring_weights(board, self.sense)
        try:
            self.from_file.fits(board)
        except DimensionError:
            expected = f"{board.rows}x{board.columns}, the size of {entry.place}"
            raise InputError(Place(input_name(self.weights)), f"{self.from_file.size} weights", expected) from None
        return self.from_file
