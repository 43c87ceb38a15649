"""The console script `ringdoku`: `COMMANDS` is the table of its commands, and `main` runs the command line."""

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

from ringdoku_cli.exits import Exit, exit_code_of, require_memory

ANSWER, DRAW, MAKE = "Answer", "Explain and draw", "Make"
MODELS, LISTS = "Models and solvers", "Lists"
"""The panels of the list of commands in the help."""


@dataclass(frozen=True)
class Command:
    """A command: its name, its panel in the help, the first paragraph of its help (the docstring of its function is the
    rest), the arguments of an example, other names, and the exit code for wrong arguments and unreadable files."""

    name: str
    panel: str
    summary: str
    arguments: str
    aliases: tuple[str, ...] = ()
    error_exit: Exit = Exit.USAGE

    @property
    def example(self) -> str:
        return f"ringdoku {self.name} {self.arguments}"

    @property
    def names(self) -> tuple[str, ...]:
        return self.name, *self.aliases

    @property
    def function(self) -> Callable[..., Exit]:
        """The function with the command's name, from the module of that name, which is imported on this call."""
        function: Callable[..., Exit] = getattr(import_module(f"ringdoku_cli.commands.{self.name}"), self.name)
        return function

    @property
    def help(self) -> str:
        """The help text, each paragraph on one line, for typer to wrap."""
        paragraphs = (self.summary, *(self.function.__doc__ or "").split("\n\n"))
        return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


COMMANDS = (
    Command("solve", ANSWER, "Find one solution of each puzzle.", "puzzles.txt --output solutions.txt"),
    Command("maximise", ANSWER, "Find the best score of each puzzle, and prove it.", "target.txt", ("maximize",)),
    Command("count", ANSWER, "Count the solutions of each puzzle.", "puzzles.txt --at-most 1000"),
    Command("candidates", ANSWER, "Print the digits that each cell has in some solution.", "puzzles.txt --counts"),
    Command("canonical", ANSWER, "Print each puzzle's canonical form, or drop isomorphic puzzles.", "puzzles.txt"),
    Command("check", ANSWER, "Check puzzles and filled grids.", "puzzles.txt --solution solutions.txt"),
    # wrong usage ends with 3: 2 would say that the judged output is malformed
    Command("judge", ANSWER, "Judge the output of a program on a test.", "test.in output.txt", error_exit=Exit.UNKNOWN),
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

REPLACEMENTS = {
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
"""What to use instead of commands and options that were removed, or that other programs have."""

COMPLETING = "_RINGDOKU_COMPLETE"
"""The environment variable that a shell sets when it asks for completions."""

HELP = ("--help", "-h")


def application(commands: Iterable[Command] = COMMANDS, summaries_only: bool = False) -> typer.Typer:
    """The command line with these commands; `summaries_only`: only to list them, so their modules are not imported."""
    app = typer.Typer(
        help="Sudoku as a mathematical model: solved, counted, maximised with a proof.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        # commands inherit it
        context_settings={"help_option_names": list(HELP)},
    )
    app.callback()(_version_option)
    for command in commands:
        for name in command.names:
            app.command(
                name,
                help=command.summary if summaries_only else command.help,
                epilog=f"Example: {command.example}",
                hidden=name != command.name,
                rich_help_panel=command.panel,
            )((lambda: None) if summaries_only else typer_function(command))
    return app


def typer_function(command: Command) -> Callable[..., None]:
    """The command's function as typer wants it: each parameter that is a dataclass is replaced by one option for each
    field, annotated as a parameter of typer is. The function raises `typer.Exit` with the exit code. The help shows the
    options of a `Panel` together."""
    hints = get_type_hints(command.function, include_extras=True)
    groups: dict[str, Any] = {name: hint for name, hint in hints.items() if is_dataclass(hint)}
    parameters: list[Parameter] = []
    for name, parameter in inspect.signature(command.function).parameters.items():
        own = parameter.replace(kind=Parameter.KEYWORD_ONLY, annotation=hints[name])
        parameters += _options_of(groups[name]) if name in groups else [own]

    def run(**values: Any) -> None:
        def call() -> Exit:
            require_memory()
            for name, group in groups.items():
                values[name] = group(**{field.name: values.pop(field.name) for field in fields(group)})
            return command.function(**values)

        raise typer.Exit(int(exit_code_of(call, command.error_exit)))

    # typer reads both attributes
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


def _options_of(group: type[Any]) -> list[Parameter]:
    hints = get_type_hints(group, include_extras=True)
    for hint in hints.values():
        for option in getattr(hint, "__metadata__", ()):
            if isinstance(option, OptionInfo):
                # the title of a `Panel`; other groups have none
                option.rich_help_panel = getattr(group, "title", None)
    kind = Parameter.KEYWORD_ONLY
    return [Parameter(field.name, kind, default=field.default, annotation=hints[field.name]) for field in fields(group)]


def _show_version(wanted: bool) -> None:
    if wanted:
        from ringdoku import __version__

        typer.echo(f"ringdoku {__version__}")
        raise typer.Exit


def _version_option(
    _version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    pass


def main() -> Exit:
    """Run the command line and return its exit code."""
    if reconfigure := getattr(sys.stdout, "reconfigure", None):
        # the same bytes on every system; characters that the encoding lacks, say of a terminal, are escaped
        reconfigure(newline="\n", errors="backslashreplace")
    # only the command that is called is loaded: all of them would take longer than many an answer
    called = [command for command in COMMANDS if sys.argv[1:] and sys.argv[1] in command.names]
    summaries_only = sys.argv[1:] in ([], ["--version"], *([flag] for flag in HELP)) and COMPLETING not in os.environ
    # `typer_function` handles errors of a command; here only loading it and typer's own output, such as help, can fail
    error_exit = called[0].error_exit if called else Exit.USAGE
    return exit_code_of(lambda: _run(application(called or COMMANDS, summaries_only)), error_exit)


def _run(app: typer.Typer) -> Exit:
    """Run the command and return its exit code. Raises `UsageError` with one line for wrong arguments."""
    try:
        return Exit(app(prog_name="ringdoku", standalone_mode=False) or 0)
    except Exception as error:
        # typer has no public class for all of these
        message = getattr(error, "format_message", None)
        if message is None:
            raise
        # imported here, since the list of commands does not need it
        from ringdoku import UsageError

        wanted = getattr(error, "option_name", "") if hasattr(error, "possibilities") else "".join(sys.argv[1:2])
        if wanted in REPLACEMENTS:
            raise UsageError(f"there is no {wanted!r}; use: {REPLACEMENTS[wanted]}") from None
        if sys.argv[1:]:
            text = re.sub("is not a valid (int range|int|float)", "is not a number of this kind", message())
            raise UsageError(text[:1].lower() + text[1:].rstrip(".")) from None
        # without arguments the help was printed
        return Exit.USAGE
