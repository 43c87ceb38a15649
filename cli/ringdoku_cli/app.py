"""The console script `ringdoku`: its commands in one table, and how it starts and ends."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from typing import Annotated

import typer

from ringdoku.domain.errors import UsageError
from ringdoku_cli.command import command as with_groups
from ringdoku_cli.exits import Exit
from ringdoku_cli.guard import guarded, outcome


@dataclass(frozen=True)
class Command:
    """A command: its name, the first paragraph of its help, an example, and its aliases."""

    name: str
    summary: str
    example: str
    aliases: tuple[str, ...] = ()
    fault: Exit = Exit.USAGE
    """The exit code of wrong arguments and of files that cannot be read."""

    @property
    def names(self) -> tuple[str, ...]:
        return self.name, *self.aliases

    @property
    def function(self) -> Callable[..., Exit]:
        """The function with the command's name, from the module of that name, which is loaded now."""
        function: Callable[..., Exit] = getattr(import_module(f"ringdoku_cli.commands.{self.name}"), self.name)
        return function

    @property
    def help(self) -> str:
        """The function's docstring with each paragraph on one line, for typer to wrap."""
        paragraphs = (self.function.__doc__ or "").split("\n\n")
        return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


COMMANDS = (
    Command(
        "solve",
        "Find one solution of each puzzle.",
        "ringdoku solve puzzles.txt --output solutions.txt",
    ),
    Command(
        "maximise",
        "Find the best score of each puzzle, and prove it.",
        "ringdoku maximise target.txt --grid",
        ("maximize",),
    ),
    Command(
        "count",
        "Count the solutions of each puzzle.",
        "ringdoku count puzzles.txt --at-most 1000",
    ),
    Command(
        "candidates",
        "Print the digits that each cell has in some solution.",
        "ringdoku candidates puzzles.txt --counts",
    ),
    Command(
        "draw",
        "Draw each puzzle: alone, with its solution, candidates or steps, or many on sheets to print.",
        "ringdoku draw puzzles.txt --sheet 3x2 --answers end -o sheet.pdf",
    ),
    Command(
        "explain",
        "Explain each puzzle step by step: the solution, or why there is none or more than one.",
        "ringdoku explain puzzle.txt --next technique",
    ),
    Command(
        "page",
        "Open a page in the browser to play, solve, maximise and explain a puzzle.",
        "ringdoku page puzzle.txt",
    ),
    Command(
        "rate",
        "Rate how hard each puzzle is, by the steps that it takes.",
        "ringdoku rate puzzles.txt",
    ),
    Command(
        "check",
        "Check puzzles and filled grids.",
        "ringdoku check puzzles.txt --solution solutions.txt",
    ),
    Command(
        "judge",
        "Judge the output of a program on a test, as the checkers of contest systems do.",
        "ringdoku judge test.in output.txt --task maximise",
        # 2 is for malformed output; 3 says that the judge failed
        fault=Exit.UNKNOWN,
    ),
    Command(
        "generate",
        "Generate puzzles.",
        "ringdoku generate --count 10 --symmetry half-turn --seed 1",
    ),
    Command(
        "verify",
        "Verify a certificate, whoever made it: what it proves of a puzzle, or where it is wrong.",
        "ringdoku verify target.txt target.pbp",
    ),
    Command(
        "compare",
        "Measure backends and encodings on the same puzzles, and check their answers against each other.",
        "ringdoku compare puzzles.txt --backends minisat22,cpsat --report report",
    ),
    Command(
        "plot",
        "Draw saved results as a plot or a page, or print their table.",
        "ringdoku plot results.json --output cactus.svg",
    ),
    Command(
        "export",
        "Write a puzzle as a model for SAT, MaxSAT, integer, constraint or SMT solvers.",
        "ringdoku export target.txt --to wcnf -o target.wcnf",
    ),
    Command(
        "decode",
        "Turn a solver's answer to an exported model into the grid.",
        "ringdoku decode target.wcnf answer.txt",
    ),
    Command(
        "backends",
        "List the backends: what each can do, the version of its package, or how to install it.",
        "ringdoku backends",
    ),
    Command(
        "constraints",
        "List the constraints: an example of each, what it demands, who else writes it, and which exports can say it.",
        "ringdoku constraints",
    ),
    Command(
        "encodings",
        "List the encodings: clause sets, digits, at-most-one, triads, and innies.",
        "ringdoku encodings --order 16",
    ),
)
"""Every command; a new one is a file in `commands` and a row here."""


RENAMED = {
    "--proof": "--certificate NAME --format drat",
    "--veripb": "--format veripb-1.2",
    "--competition": "--output-format competition",
    "--output-to": "-o 'DIR/{input}.out'",
    "--suffix": "-o 'DIR/{input}.out'",
}
"""Commands and options that have another name now."""

COMPLETING = "_RINGDOKU_COMPLETE"
"""The environment variable that a shell sets when it asks for completions."""

HELP = ("--help", "-h")

TYPES = {"int range": "a whole number", "int": "a whole number", "float": "a number"}
"""What typer calls the values of options, and what we call them."""


def application(commands: Iterable[Command] = COMMANDS, listed: bool = False) -> typer.Typer:
    """The command line with these commands; with `listed`, for a list of commands, none is loaded."""
    app = typer.Typer(
        help="Sudoku as a mathematical model: solve puzzles of any order, and find the best ring score with a proof.",
        epilog="Example: ringdoku solve puzzles.txt",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        # commands inherit it
        context_settings={"help_option_names": list(HELP)},
    )
    app.callback()(_common)
    for command in commands:
        for name in command.names:
            app.command(
                name,
                help=command.summary if listed else command.help,
                epilog=f"Example: {command.example}",
                hidden=name != command.name,
            )(_nothing if listed else guarded(with_groups(command.function), command.fault))
    return app


def _nothing() -> None:
    pass


def _show_version(wanted: bool) -> None:
    if wanted:
        from ringdoku import __version__

        typer.echo(f"ringdoku {__version__}")
        raise typer.Exit


def _common(
    _version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run the command line and exit with its code."""
    _print_any_character()
    # loading and describing the other commands would take longer than many an answer
    asked = [command for command in COMMANDS if sys.argv[1:] and sys.argv[1] in command.names]
    listed = sys.argv[1:] in ([], ["--version"], *([flag] for flag in HELP)) and COMPLETING not in os.environ
    # errors of a command end in `guarded`; this is for loading it, and for typer's own output, such as help
    fault = asked[0].fault if asked else Exit.USAGE
    sys.exit(outcome(lambda: _run(application(asked or COMMANDS, listed)), fault))


def _run(app: typer.Typer) -> Exit:
    """The exit code of the command; what is wrong with the arguments is said in one line."""
    try:
        return Exit(app(prog_name="ringdoku", standalone_mode=False) or 0)
    except Exception as error:
        # typer has no public class for all of these
        message = getattr(error, "format_message", None)
        if message is None:
            raise
        for old, new in RENAMED.items():
            if old in (getattr(error, "option_name", None), *sys.argv[1:2]):
                raise UsageError(f"{old} is now {new}") from None
        if text := message() if sys.argv[1:] else "":
            raise UsageError(_plain(text)) from None
        # without arguments the help was printed
        return Exit.USAGE


def _plain(message: str) -> str:
    """A message of typer as we write them."""
    for theirs, ours in TYPES.items():
        message = message.replace(f"is not a valid {theirs}", f"is not {ours}")
    return message[:1].lower() + message[1:].rstrip(".")


def _print_any_character() -> None:
    """Characters that the encoding of standard output lacks, ASCII for example, become backslash escapes."""
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")
