"""The options that several commands have; names and choices come from the library's registries."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, ClassVar, TextIO

import typer

from ringdoku.domain.board import MAX_ORDER, Board
from ringdoku.domain.errors import DimensionError, UsageError
from ringdoku.domain.objective import Objective, Sense, ring_weights
from ringdoku.domain.ruleset import Ruleset, box_shapes, classic
from ringdoku.limits import Deadline
from ringdoku.services import Session
from ringdoku.services.certifying import DRAT
from ringdoku.solvers.registry import BACKENDS, find
from ringdoku.text import FORMATS, ReadOptions
from ringdoku_cli.inputs import Puzzles, files_of, weights_from
from ringdoku_cli.outputs import INPUT, NUMBER, Answers, Writer, open_output
from ringdoku_cli.render import OUTPUT_FORMATS
from ringdoku_cli.template import FIELDS, READY

CERTIFICATE_FORMATS = {"veripb": "3.0", "veripb-1.2": "1.2", "drat": DRAT}
"""What `--format` may be, and what `services.certifying` calls it."""


def parse_box(text: str | None) -> tuple[int, int] | None:
    """`2x3` is (2, 3): height, width. Raises `UsageError`."""
    if text is None:
        return None
    found = re.fullmatch(r"([1-9][0-9]{0,3})[xX×]([1-9][0-9]{0,3})", text)
    if not found:
        raise UsageError(f"--box is HEIGHTxWIDTH, for example 2x3, not {text!r}")
    return int(found[1]), int(found[2])


def classic_rules(order: int, box: tuple[int, int] | None) -> Ruleset:
    """The classic rules. Raises `DimensionError`, which names the option where a box shape is missing."""
    try:
        return classic(order, box)
    except DimensionError as error:
        if box is None and order in range(1, MAX_ORDER + 1):
            shapes = " or ".join(f"{height}x{width}" for height, width in box_shapes(order))
            raise DimensionError(
                f"order {order} is not a square number, so its box shape must be given, for example --box {shapes}"
            ) from error
        raise


def choice(flag: str, what: str, names: Iterable[str], help: str) -> Any:  # noqa: A002  typer's word
    """An option that takes one of `names`, completes them, and lists them when it gets anything else."""
    known = tuple(names)

    def check(name: str | None) -> str | None:
        if name is not None and name not in known:
            raise typer.BadParameter(f"no {what} is called {name!r}; there are: {', '.join(known)}")
        return name

    return typer.Option(flag, metavar="NAME", help=help, callback=check, autocompletion=_completing(known))


def _completing(names: tuple[str, ...]) -> Callable[[str], list[str]]:
    return lambda incomplete: [name for name in names if name.startswith(incomplete)]


def _known_backend(name: str) -> str:
    try:
        find(name)
    except UsageError as error:
        raise typer.BadParameter(str(error)) from None
    return name


def _positive(seconds: float | None) -> float | None:
    try:
        Deadline.asked(seconds)
    except UsageError as error:
        raise typer.BadParameter(str(error)) from None
    return seconds


FORMATS_HELP = (
    f"The format of grids: {', '.join(OUTPUT_FORMATS)}. Default: the one that the name of --output ends in; "
    "pretty on a terminal; otherwise same, which is the format of the input."
)
OutputFormat = Annotated[str | None, choice("--output-format", "output format", OUTPUT_FORMATS, FORMATS_HELP)]
InputFormat = Annotated[
    str | None,
    choice(
        "--input-format",
        "input format",
        FORMATS,
        f"The format of the puzzles, where it should not be detected: {', '.join(FORMATS)}.",
    ),
]
Weights = Annotated[
    str | None,
    typer.Option("--weights", metavar="FILE", help="n rows of n integers instead of the ring weights 6 + ring."),
]
TimeLimit = Annotated[
    float | None,
    typer.Option("--time-limit", metavar="SECONDS", help="The time limit for each puzzle.", callback=_positive),
]
AtMost = Annotated[
    int | None,
    typer.Option("--at-most", min=1, metavar="N", help="Stop after so many solutions, and find out if there are more."),
]
Seed = Annotated[
    int,
    typer.Option("--seed", min=0, metavar="NUMBER", help="The random seed, of cpsat and of lp-sat on large boards."),
]
Box = Annotated[
    str | None,
    typer.Option("--box", metavar="HxW", help="Box height and width, for example 2x3; square boxes do not need it."),
]
Rules = Annotated[
    list[str] | None,
    typer.Option(
        "--rule",
        metavar="RULE",
        help="Add a rule to each puzzle, such as diagonal or 'killer 15: r1c1 r1c2', or drop one: 'no boxes'. "
        "`ringdoku list constraints` lists them. The option can be repeated.",
    ),
]
KeepGoing = Annotated[
    bool, typer.Option("--keep-going", help="Report malformed puzzles and go on; the exit status is still 2.")
]
Template = Annotated[
    str | None,
    typer.Option(
        "--template",
        metavar="TEXT",
        help=f"Write each answer as a text with fields in braces: {', '.join(FIELDS)}; \\n ends a line. Or a name: "
        f"{', '.join(READY)}.",
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Let output files replace existing files.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object a line for each puzzle.")]


@dataclass(frozen=True)
class Reading:
    """How puzzles are read."""

    PANEL: ClassVar[str] = "Input"

    input_format: InputFormat = None
    box: Box = None
    rules: Rules = None
    ignore: Annotated[
        bool,
        typer.Option(
            "--ignore",
            help="Accept a link or a file of another program that is not understood in full, and answer the puzzle "
            "without what is not.",
        ),
    ] = False

    @property
    def shape(self) -> tuple[int, int] | None:
        """Height and width of the boxes."""
        return parse_box(self.box)

    def open(self, paths: str | Sequence[str], keep_going: bool = False, verify: bool = True) -> Puzzles:
        """The puzzles of some inputs. Raises `UsageError`."""
        how = ReadOptions(self.input_format, self.shape, verify, self.rules, self.ignore)
        return Puzzles(paths, how, keep_going)


@dataclass(frozen=True)
class Inputs(Reading):
    """The inputs, and how puzzles are read."""

    sources: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[INPUT]...",
            show_default=False,
            help="Files of puzzles, folders of them, a link, or a puzzle itself; - (the default) is standard input.",
        ),
    ] = None
    keep_going: KeepGoing = False

    @cached_property
    def files(self) -> list[str]:
        """All inputs, with those in folders."""
        return files_of(self.sources)

    def puzzles(self, verify: bool = True) -> Puzzles:
        """The puzzles of all inputs. Raises `UsageError`."""
        return self.open(self.files, self.keep_going, verify)

    def require_one_standard_input(self, *others: str | None) -> None:
        """Raises `UsageError` where standard input is asked for twice."""
        if [*self.files, *others].count("-") > 1:
            raise UsageError("only one of the inputs can come from standard input")


@dataclass(frozen=True)
class Output:
    """Where answers go."""

    PANEL: ClassVar[str] = "Output"

    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help=f"Write to FILE, which appears when it is complete; - is standard output. With {NUMBER} in its name "
            f"each puzzle has a file of its own, with {INPUT} each input.",
        ),
    ] = None
    force: Force = False

    def answers(self, writer_on: Callable[[TextIO], Writer]) -> Answers:
        """What writes the answers; `writer_on` makes what turns them into text for a stream."""
        return Answers(self.output, self.force, writer_on)

    def open(self, useless_in_part: bool = False) -> AbstractContextManager[TextIO]:
        """The stream of one output."""
        return open_output(self.output, self.force, useless_in_part)


@dataclass(frozen=True)
class Work:
    """Who answers, and how long."""

    PANEL: ClassVar[str] = "Solving"

    time_limit: TimeLimit = None
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs",
            min=1,
            metavar="N",
            show_default=False,
            help="Answer N puzzles at a time, in processes of their own, or a hard one by N ways at a time. Default: "
            "one a core, once the input takes longer than starting them. With 1 the same input and seed give the same "
            "solutions.",
        ),
    ] = None
    cluster: Annotated[
        str | None,
        typer.Option(
            "--cluster",
            metavar="ADDRESS",
            help="Have the puzzles answered by the workers of this dask scheduler, for example tcp://host:8786.",
        ),
    ] = None

    def session(self) -> Session:
        """Raises `UsageError`."""
        return Session(jobs=self.jobs, cluster=self.cluster)

    def require_alone(self, **asked: object) -> bool:
        """Whether an option that follows one puzzle at a time was given. Raises `UsageError` beside others that ask
        for several at a time."""
        for flag, value in asked.items():
            if value:
                if self.cluster is not None or (self.jobs and self.jobs > 1):
                    several = "--jobs" if self.cluster is None else "--cluster"
                    raise UsageError(f"--{flag} follows one puzzle at a time; leave {several} out")
                return True
        return False


@dataclass(frozen=True)
class Solver(Work):
    """Who answers, with a backend of the user's choice."""

    backend: Annotated[
        str,
        typer.Option(
            "--backend",
            metavar="NAME",
            help="The backend that solves; `ringdoku list backends` lists them.",
            callback=_known_backend,
            autocompletion=_completing(("auto", *BACKENDS)),
        ),
    ] = "auto"
    seed: Seed = 0

    def session(self) -> Session:
        """Raises `UsageError`."""
        return Session(self.backend, self.seed, self.jobs, self.cluster)


@dataclass(frozen=True)
class Scores:
    """What is a score, and which one is best."""

    weights: Weights = None
    minimise: Annotated[bool, typer.Option("--minimise", "--minimize", help="The best score is the lowest.")] = False

    @property
    def sense(self) -> Sense:
        return Sense.MINIMISE if self.minimise else Sense.MAXIMISE

    @cached_property
    def given(self) -> Objective | None:
        """Those of the file, None where there is none."""
        return weights_from(self.weights, self.sense) if self.weights else None

    def on(self, board: Board) -> Objective:
        """The weights of the file, else those of the rings."""
        return self.given or ring_weights(board, self.sense)


@dataclass(frozen=True)
class Certified:
    """Certificates of the answers."""

    PANEL: ClassVar[str] = "Certificates"

    certificate: Annotated[
        str | None,
        typer.Option(
            "--certificate",
            metavar="NAME",
            help="Write a certificate of what is proved, NAME.opb and NAME.pbp, which VeriPB and `ringdoku verify` "
            f"check. With {NUMBER} in NAME, each puzzle has a pair of its own.",
        ),
    ] = None
    certificate_format: Annotated[
        str,
        choice(
            "--format",
            "format of certificates",
            CERTIFICATE_FORMATS,
            f"The format of certificates: {', '.join(CERTIFICATE_FORMATS)}. veripb is VeriPB 3.0; veripb-1.2 is for "
            "VeriPB of 2022; drat writes NAME.cnf and NAME.drat.",
        ),
    ] = "veripb"
