"""The console script `ringdoku`: its commands in one table, and how it starts and ends."""

import inspect
import os
import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, is_dataclass
from importlib import import_module
from inspect import Parameter
from typing import Annotated, Any, get_type_hints

import typer
from typer.models import OptionInfo

from ringdoku_cli.exits import Exit, outcome, require_room

ANSWER, DRAW, MAKE = "Answer", "Explain and draw", "Make"
MODELS, LISTS = "Models and solvers", "Lists"
"""Panels of the list of commands."""


@dataclass(frozen=True)
class Command:
    """A command: its name, its panel in the list, the first paragraph of its help, which its function's docstring goes
    on with, the arguments of an example, other names, and the exit code of wrong arguments and unreadable files."""

    name: str
    panel: str
    summary: str
    arguments: str
    aliases: tuple[str, ...] = ()
    fault: Exit = Exit.USAGE

    @property
    def example(self) -> str:
        return f"ringdoku {self.name} {self.arguments}"

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
        """Each paragraph on one line, for typer to wrap."""
        paragraphs = (self.summary, *(self.function.__doc__ or "").split("\n\n"))
        return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


COMMANDS = (
    Command("solve", ANSWER, "Find one solution of each puzzle.", "puzzles.txt --output solutions.txt"),
    Command("maximise", ANSWER, "Find the best score of each puzzle, and prove it.", "target.txt", ("maximize",)),
    Command("count", ANSWER, "Count the solutions of each puzzle.", "puzzles.txt --at-most 1000"),
    Command("candidates", ANSWER, "Print the digits that each cell has in some solution.", "puzzles.txt --counts"),
    Command("canonical", ANSWER, "Print each puzzle's canonical form, or drop isomorphic puzzles.", "puzzles.txt"),
    Command("check", ANSWER, "Check puzzles and filled grids.", "puzzles.txt --solution solutions.txt"),
    # its own faults end with 3: 2 would say that the output is malformed
    Command("judge", ANSWER, "Judge the output of a program on a test.", "test.in output.txt", fault=Exit.UNKNOWN),
    Command("explain", DRAW, "Explain each puzzle step by step, or what is wrong with it.", "puzzle.txt --next cells"),
    Command("rate", DRAW, "Rate how hard each puzzle is, by the steps that it takes.", "puzzles.txt"),
    Command("draw", DRAW, "Draw each puzzle, or many on sheets to print.", "puzzles.txt --sheet 3x2 -o sheet.pdf"),
    Command("page", DRAW, "Open a page in the browser to play, solve and explain.", "puzzle.txt"),
    Command("generate", MAKE, "Generate puzzles, or a set of tests for a judge.", "--count 10 --level 2-3 --seed 1"),
    Command(
        "export", MODELS, "Write a puzzle as a model for solvers, or as a link.", "target.txt --to wcnf -o target.wcnf"
    ),
    Command("decode", MODELS, "Turn a solver's answer to an exported model into the grid.", "target.wcnf answer.txt"),
    Command("verify", MODELS, "Verify a certificate: what it proves, or where it is wrong.", "target.txt target.pbp"),
    Command("compare", MODELS, "Measure backends and encodings, or draw saved results.", "puzzles.txt --report report"),
    Command("list", LISTS, "List the backends, the encodings or the constraints.", "encodings --order 16"),
)
"""Every command; a new one is a file in `commands` and a row here."""

INSTEAD = {
    "plot": "ringdoku compare FILE",
    "backends": "ringdoku list backends",
    "encodings": "ringdoku list encodings",
    "constraints": "ringdoku list constraints",
    "unique": "ringdoku check --unique",
    "minimise": "ringdoku maximise --minimise",
    "minimize": "ringdoku maximise --minimise",
    "bound": "ringdoku maximise --bound-only",
    "play": "ringdoku page",
    "encode": "ringdoku export",
    "--json": "--output-format json",
    "--proof": "--certificate NAME --format drat",
    "--veripb": "--format veripb-1.2",
    "--competition": "--output-format competition",
    "--output-to": "-o 'DIR/{input}.out'",
    "--suffix": "-o 'DIR/{input}.out'",
    "--generate": "ringdoku generate --count N | ringdoku compare -",
    "--legacy": "--to wcnf, in the format of 2022",
    "--binary": "--to cpsat, a text that protobuf's text_format.Parse reads",
}
"""What does the job of commands and options that there are not, or no more."""

COMPLETING = "_RINGDOKU_COMPLETE"
"""The environment variable that a shell sets when it asks for completions."""

HELP = ("--help", "-h")


def application(commands: Iterable[Command] = COMMANDS, listed: bool = False) -> typer.Typer:
    """The command line with these commands; with `listed`, for a list of commands, none is loaded."""
    app = typer.Typer(
        help="Sudoku as a mathematical model: solved, counted, maximised with a proof.",
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
                rich_help_panel=command.panel,
            )((lambda: None) if listed else typed(command))
    return app


def typed(command: Command) -> Callable[..., None]:
    """The command's function as typer wants it: with an option for each field of the dataclasses that it takes, and
    with its other parameters. It raises `typer.Exit` with the exit code. A field is annotated as a parameter of typer
    is. The help shows the options of a `Panel` together."""
    hints = get_type_hints(command.function, include_extras=True)
    groups: dict[str, Any] = {name: hint for name, hint in hints.items() if is_dataclass(hint)}
    parameters: list[Parameter] = []
    for name, parameter in inspect.signature(command.function).parameters.items():
        one = parameter.replace(kind=Parameter.KEYWORD_ONLY, annotation=hints[name])
        parameters += _options_of(groups[name]) if name in groups else [one]

    def run(**given: Any) -> None:
        def answer() -> Exit:
            require_room()
            for name, group in groups.items():
                given[name] = group(**{field.name: given.pop(field.name) for field in fields(group)})
            return command.function(**given)

        raise typer.Exit(int(outcome(answer, command.fault)))

    # typer reads both
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


def _options_of(group: type[Any]) -> list[Parameter]:
    hints = get_type_hints(group, include_extras=True)
    for hint in hints.values():
        for option in getattr(hint, "__metadata__", ()):
            if isinstance(option, OptionInfo):
                # of a `Panel`
                option.rich_help_panel = getattr(group, "title", None)
    return [
        Parameter(field.name, Parameter.KEYWORD_ONLY, default=field.default, annotation=hints[field.name])
        for field in fields(group)
    ]


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


def main() -> Exit:
    """Run the command line; its exit code."""
    if reconfigure := getattr(sys.stdout, "reconfigure", None):
        # the same bytes on every system; what the encoding lacks, that of a terminal for example, is escaped
        reconfigure(newline="\n", errors="backslashreplace")
    # loading and describing the other commands would take longer than many an answer
    asked = [command for command in COMMANDS if sys.argv[1:] and sys.argv[1] in command.names]
    listed = sys.argv[1:] in ([], ["--version"], *([flag] for flag in HELP)) and COMPLETING not in os.environ
    # errors of a command end in `typed`; this is for loading it, and for typer's own output, such as help
    fault = asked[0].fault if asked else Exit.USAGE
    return outcome(lambda: _run(application(asked or COMMANDS, listed)), fault)


def _run(app: typer.Typer) -> Exit:
    """The exit code of the command; what is wrong with the arguments is said in one line."""
    try:
        return Exit(app(prog_name="ringdoku", standalone_mode=False) or 0)
    except Exception as error:
        # typer has no public class for all of these
        message = getattr(error, "format_message", None)
        if message is None:
            raise
        # the list of commands does without it
        from ringdoku import UsageError

        is_unknown = hasattr(error, "possibilities")
        wanted = getattr(error, "option_name", "") if is_unknown else "".join(sys.argv[1:2])
        if wanted in INSTEAD:
            raise UsageError(f"there is no {wanted!r}; use: {INSTEAD[wanted]}") from None
        if sys.argv[1:]:
            text = re.sub("is not a valid (int range|int|float)", "is not a number of this kind", message())
            raise UsageError(text[:1].lower() + text[1:].rstrip(".")) from None
        # without arguments the help was printed
        return Exit.USAGE
