"""The options that several commands have; names and choices come from the library's registries."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Annotated, Any

import typer

from ringdoku.domain.board import MAX_ORDER
from ringdoku.domain.errors import DimensionError, UsageError
from ringdoku.domain.ruleset import Ruleset, box_shapes, classic
from ringdoku.limits import Deadline
from ringdoku.proofs.steps import VERSIONS
from ringdoku.solvers.registry import BACKENDS, find
from ringdoku.text import FORMATS, PASTES, FirstLine
from ringdoku_cli.render import OUTPUT_FORMATS
from ringdoku_cli.template import FIELDS, READY

NUMBER = "{number}"
RANK = "{rank}"
INPUT = "{input}"
"""In the name of an output, a puzzle's number from 1, the place of a grid among the best ones from 1, and the name of
the input without folder and suffix."""

CERTIFICATE_FORMATS = ("veripb", "drat")

COMMON = "Common options"
"""The panel of the help text for shared options, below those of the command itself."""


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


def choice(flag: str, what: str, names: Iterable[str], help: str, own: bool = False) -> Any:  # noqa: A002  typer's word
    """An option that takes one of `names`, completes them, and lists them when it gets anything else; shared by several
    commands unless it is their `own`."""
    known = tuple(names)

    def check(name: str | None) -> str | None:
        if name is not None and name not in known:
            raise typer.BadParameter(f"no {what} is called {name!r}; there are: {', '.join(known)}")
        return name

    make = typer.Option if own else _common
    return make(flag, metavar="NAME", help=help, callback=check, autocompletion=_completing(known))


def _completing(names: tuple[str, ...]) -> Callable[[str], list[str]]:
    return lambda incomplete: [name for name in names if name.startswith(incomplete)]


def _known_backend(name: str) -> str:
    try:
        find(name)
    except UsageError as error:
        raise typer.BadParameter(str(error)) from None
    return name


def _common(*flags: str, **settings: Any) -> Any:
    return typer.Option(*flags, rich_help_panel=COMMON, **settings)


def _positive(seconds: float | None) -> float | None:
    try:
        Deadline.asked(seconds)
    except UsageError as error:
        raise typer.BadParameter(str(error)) from None
    return seconds


Source = Annotated[
    str,
    typer.Argument(
        metavar="INPUT",
        show_default=False,
        help="A file of puzzles, or a link to one; - (the default) is standard input.",
    ),
]
Sources = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[INPUT]...",
        show_default=False,
        help="Files of puzzles, folders of them, a link, or a puzzle itself; - (the default) is standard input.",
    ),
]
InputFormat = Annotated[
    str | None,
    choice(
        "--input-format",
        "input format",
        (*FORMATS, *PASTES),
        f"The format of the puzzles, where it should not be detected: {', '.join(FORMATS)}; or that of a paste: "
        f"{', '.join(PASTES)}.",
    ),
]
FirstLineIs = Annotated[
    str | None,
    choice(
        "--first-line",
        "kind of first line",
        tuple(kind.value for kind in FirstLine),
        "What the first line of the input is, where it may be two things: order (of the puzzle below it, or of its "
        "boxes), count (of puzzles) or none (a row).",
    ),
]
OutputFormat = Annotated[
    str | None,
    choice(
        "--output-format",
        "output format",
        OUTPUT_FORMATS,
        f"The format of grids: {', '.join(OUTPUT_FORMATS)}. Default: the one that the name of --output ends in; "
        "pretty on a terminal; otherwise same, which is the format of the input.",
    ),
]
BackendName = Annotated[
    str,
    _common(
        "--backend",
        metavar="NAME",
        help="The backend that solves; `ringdoku backends` lists them.",
        callback=_known_backend,
        autocompletion=_completing(("auto", *BACKENDS)),
    ),
]
Weights = Annotated[
    str | None,
    typer.Option("--weights", metavar="FILE", help="n rows of n integers instead of the ring weights 6 + ring."),
]
TimeLimit = Annotated[
    float | None,
    _common("--time-limit", metavar="SECONDS", help="The time limit for each puzzle.", callback=_positive),
]
AtMost = Annotated[
    int | None,
    typer.Option("--at-most", min=1, metavar="N", help="Stop after so many solutions, and find out if there are more."),
]
Seed = Annotated[
    int,
    _common(
        "--seed",
        min=0,
        metavar="NUMBER",
        help="The random seed of cpsat, and of lp-sat on large blank boards.",
    ),
]
Jobs = Annotated[
    int | None,
    _common(
        "--jobs",
        min=1,
        metavar="N",
        show_default=False,
        help="Answer N puzzles at a time, in processes of their own, or a hard one by N ways at a time. Default: one a "
        "core, once the input takes longer than starting them. With 1 the same input and seed give the same solutions.",
    ),
]
Cluster = Annotated[
    str | None,
    _common(
        "--cluster",
        metavar="ADDRESS",
        help="Have the puzzles answered by the workers of this dask scheduler, for example tcp://host:8786.",
    ),
]
Box = Annotated[
    str | None,
    _common("--box", metavar="HxW", help="Box height and width, for example 2x3; square boxes do not need it."),
]
Rules = Annotated[
    list[str] | None,
    _common(
        "--rule",
        metavar="RULE",
        help="Add a rule to each puzzle, such as diagonal or 'killer 15: r1c1 r1c2', or drop one: 'no boxes'. "
        "`ringdoku constraints` lists them. The option can be repeated.",
    ),
]
Ignore = Annotated[
    bool,
    _common(
        "--ignore",
        help="Accept a link or a file of another program that is not understood in full, and answer the puzzle without "
        "what is not.",
    ),
]
KeepGoing = Annotated[
    bool, _common("--keep-going", help="Report malformed puzzles and go on; the exit status is still 2.")
]
OutputFile = Annotated[
    str | None,
    _common(
        "--output", "-o", metavar="FILE", help="Write to FILE, which appears when it is complete; - is standard output."
    ),
]
AnswerFile = Annotated[
    str | None,
    _common(
        "--output",
        "-o",
        metavar="FILE",
        help=f"Write to FILE, which appears when it is complete; - is standard output. With {NUMBER} in its name, each "
        "puzzle has a file of its own.",
    ),
]
Certificate = Annotated[
    str | None,
    _common(
        "--certificate",
        metavar="NAME",
        help="Write a certificate of what is proved, NAME.opb and NAME.pbp, which VeriPB and `ringdoku verify` check. "
        f"With {NUMBER} in NAME, each puzzle has a pair of its own.",
    ),
]
CertificateFormat = Annotated[
    str,
    choice(
        "--format",
        "format of certificates",
        CERTIFICATE_FORMATS,
        f"The format of certificates: {', '.join(CERTIFICATE_FORMATS)}; drat writes NAME.cnf and NAME.drat.",
    ),
]
VeriPBVersion = Annotated[
    str,
    choice(
        "--veripb",
        "version of VeriPB's format",
        VERSIONS,
        f"The version of VeriPB's format: {', '.join(VERSIONS)}. The second is for VeriPB of 2022.",
    ),
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
OutputTo = Annotated[
    str | None,
    _common("--output-to", metavar="DIR", help="Write the answers to each input to a file of its name in this folder."),
]
Suffix = Annotated[
    str | None,
    _common("--suffix", metavar=".EXT", help="With --output-to: the suffix of the files, .out if not given."),
]
Force = Annotated[bool, _common("--force", help="Let --output and --certificate replace existing files.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object a line for each puzzle.")]
