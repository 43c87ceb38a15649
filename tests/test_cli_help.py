"""Help, version, the table of backends, and what starting up costs."""

import json
import os
import subprocess
import sys
from functools import cache

import pytest
from conftest import FIXTURES, Extra, Run
from typer import Typer
from typer.main import get_group
from typer.testing import CliRunner

from ringdoku import __version__
from ringdoku_cli.app import COMMANDS, COMPLETING, application

HEAVY = {"numpy", "ortools", "pandas", "pysat", "matplotlib"}
COMMANDS_PAGE = (FIXTURES.parent / "docs/commands.md").read_text(encoding="utf-8")
WIDE = {"COLUMNS": "200", "NO_COLOR": "1"}


@cache
def everything() -> Typer:
    """The command line with all commands."""
    return application()


@cache
def help_of(*command: str) -> str:
    return CliRunner(env=WIDE).invoke(everything(), [*command, "--help"]).output


def ran(*command_lines: list[str], environment: Extra = None, whole: bool = False) -> tuple[str, set[str]]:
    """What one process prints that runs them all, each with success, and the packages in its memory then: the `whole`
    names of modules, or those of the top level."""
    code = (
        "import json, sys\n"
        "from ringdoku_cli.app import main\n"
        "for line in json.loads(sys.argv[1]):\n"
        "    sys.argv = ['ringdoku', *line]\n"
        "    assert not main()\n"
        "print('\\n' + ' '.join(sys.modules))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, json.dumps(command_lines)],
        input=".234341221434321\n",
        env=os.environ | (environment or {}),
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=True,
    )
    *lines, packages = done.stdout.splitlines()
    return "\n".join(lines), {name if whole else name.partition(".")[0] for name in packages.split()}


def test_help_lists_and_a_check_are_printed_in_ascii_too_and_load_nothing_heavy() -> None:
    helps = [[command.name, "-h"] for command in COMMANDS]
    ascii_only = {"PYTHONIOENCODING": "ascii", **WIDE}
    text, packages = ran(["--help"], ["--version"], *helps, ["check"], environment=ascii_only)
    assert text.isascii()
    assert all(f"Usage: ringdoku {command.name} " in text for command in COMMANDS)
    # a sign of multiplication
    assert "\\xd7" in text
    assert {"ringdoku_cli", "ringdoku", "typer"} <= packages
    assert not packages & HEAVY
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    text, _ = ran(["list", "constraints"], ["list", "backends"], environment=plain)
    assert text.isascii()
    assert "\\xd7" in text


def test_solving_imports_what_it_needs() -> None:
    assert not ran(["solve", "--backend", "search"])[1] & {"ortools", "pysat", "pandas", "rich"}
    assert not ran(["solve"], whole=True)[1] & {"ringdoku.explanations", "ringdoku.links", "ringdoku.compare", "pandas"}


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: str(command.name))
def test_every_command_is_listed_and_has_an_example_of_itself(command: object) -> None:
    (row,) = [row for row in COMMANDS if row is command]
    assert row.name in help_of()
    text = help_of(row.name)
    assert f"Example: {row.example}" in text
    assert row.example.startswith(f"ringdoku {row.name}")
    assert COMMANDS_PAGE.count(f"ringdoku {row.name}") > 1, "docs/commands.md should have a row and a section"
    made = get_group(application([row])).commands[row.name]
    assert not [option.name for option in made.params if not getattr(option, "help", "")], "these have no help"
    for alias in row.aliases:
        assert f"Example: {row.example}" in help_of(alias)


def test_no_arguments_print_the_list_of_commands_which_loads_none(ringdoku: Run) -> None:
    assert CliRunner(env=WIDE).invoke(application(summaries_only=True), ["--help"]).output == help_of()
    assert "ringdoku_cli.commands.solve" not in ran(["--help"], whole=True)[1]
    done = ringdoku()
    assert (done.returncode, done.stderr) == (2, "")
    assert "Usage: ringdoku" in done.stdout
    assert ringdoku("--version").stdout == f"ringdoku {__version__}\n"


def test_every_help_fits_80_columns_without_a_break_in_a_word() -> None:
    def words(text: str) -> set[str]:
        return {word for word in text.split() if set(word) - set("│─╭╮╰╯")}

    for command in (None, *COMMANDS):
        app = application([command] if command else COMMANDS, summaries_only=not command)
        wide, narrow = (
            CliRunner(env=WIDE | {"COLUMNS": columns}).invoke(app, [*([command.name] if command else []), "--help"])
            for columns in ("300", "80")
        )
        assert max(map(len, narrow.output.splitlines())) <= 80
        assert words(narrow.output) == words(wide.output)


def test_completion_offers_backends(ringdoku: Run) -> None:
    asked = {COMPLETING: "complete_bash", "COMP_WORDS": "ringdoku solve --backend minis", "COMP_CWORD": "3"}
    assert ringdoku(env=asked).stdout.split() == ["minisat22", "minisat-gh"]
