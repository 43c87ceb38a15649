"""The console script `ringdoku`: its commands in one table, and how it starts and ends."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

import typer

from ringdoku_cli.commands.backends import backends
from ringdoku_cli.commands.check import check
from ringdoku_cli.commands.compare import compare_backends
from ringdoku_cli.commands.decode import decode
from ringdoku_cli.commands.encodings import encodings
from ringdoku_cli.commands.export import export
from ringdoku_cli.commands.maximise import maximise
from ringdoku_cli.commands.plot import plot
from ringdoku_cli.commands.solve import solve
from ringdoku_cli.exits import Exit
from ringdoku_cli.guard import guarded, outcome


@dataclass(frozen=True)
class Command:
    """A command: its name, its function, an example for its help, and other names that it answers to."""

    name: str
    function: Callable[..., Exit]
    example: str
    aliases: tuple[str, ...] = ()

    @property
    def help(self) -> str:
        """The function's docstring with each paragraph on one line, for typer to wrap."""
        paragraphs = (self.function.__doc__ or "").split("\n\n")
        return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


COMMANDS = (
    Command("solve", solve, "ringdoku solve puzzles.txt --output solutions.txt"),
    Command("maximise", maximise, "ringdoku maximise target.txt --grid", ("maximize",)),
    Command("check", check, "ringdoku check puzzles.txt --solution solutions.txt"),
    Command("compare", compare_backends, "ringdoku compare puzzles.txt --backends minisat22,cpsat --report report"),
    Command("plot", plot, "ringdoku plot results.json --output cactus.svg"),
    Command("export", export, "ringdoku export target.txt --to wcnf -o target.wcnf"),
    Command("decode", decode, "ringdoku decode target.wcnf answer.txt"),
    Command("backends", backends, "ringdoku backends"),
    Command("encodings", encodings, "ringdoku encodings --order 16"),
)
"""Every command; a new one is a file in `commands` and a row here."""

app = typer.Typer(
    help="Sudoku as a mathematical model: solve puzzles of any order, and find the best ring score with a proof.",
    epilog="Example: ringdoku solve puzzles.txt",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        from ringdoku import __version__

        typer.echo(f"ringdoku {__version__}")
        raise typer.Exit


@app.callback()
def _common(
    _version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    pass


for _command in COMMANDS:
    for _name in (_command.name, *_command.aliases):
        app.command(_name, help=_command.help, epilog=f"Example: {_command.example}", hidden=_name != _command.name)(
            guarded(_command.function)
        )


def main() -> None:
    """Run the command line and exit with its code."""
    # what a command raises ends in `guarded`; this is for typer's own output, such as help
    sys.exit(outcome(lambda: app(prog_name="ringdoku")))
