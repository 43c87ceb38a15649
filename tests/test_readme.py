"""The README is true: its examples give what it says, its tables are the registries', every command is in it."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from conftest import SCRIPT, plain_environment

from ringdoku.backends.registry import BACKENDS
from ringdoku.encodings.at_most_one.registry import AT_MOST_ONE
from ringdoku.exports.registry import EXPORTS
from ringdoku.formats import FORMATS
from ringdoku_cli.app import COMMANDS

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```console\n(.*?)```", README, re.DOTALL)
PYTHON = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder with the fixtures in it, where a reader of the README would be."""
    shutil.copytree(ROOT / "fixtures", tmp_path / "fixtures")
    return tmp_path


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_prints_what_the_readme_shows(example: str, folder: Path) -> None:
    shown, printed = [], []
    for command, output in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", example, re.MULTILINE):
        run = subprocess.run(
            ["bash", "-c", command],
            cwd=folder,
            env=plain_environment() | {"PATH": f"{SCRIPT.parent}:{plain_environment()['PATH']}"},
            capture_output=True,
            encoding="utf-8",
            timeout=60,
            check=False,
        )
        shown.append((command, output))
        printed.append((command, run.stdout + run.stderr))
    assert printed
    assert printed == shown


@pytest.mark.parametrize("program", PYTHON)
def test_a_python_example_runs_and_holds(program: str, folder: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, capture_output=True, encoding="utf-8", timeout=60, check=False
    )
    expected = "".join(f"{line}\n" for line in re.findall(r"# → (.*)", program))
    assert (run.stdout, run.stderr) == (expected, "")
    assert expected


def table(heading: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    lines = [list(heading), ["---"] * len(list(heading)), *map(list, rows)]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |" for cells in lines)


def formats_table() -> str:
    return table(("format", "what it is"), ((f"`{row.name}`", row.summary) for row in FORMATS.values()))


def backends_table() -> str:
    rows = (
        (f"`{row.name}`", row.summary, ", ".join(sorted(ability.value for ability in row.abilities)))
        for row in BACKENDS.values()
    )
    return table(("backend", "what it is", "can"), rows)


def exports_table() -> str:
    rows = ((f"`{row.name}`", row.summary, row.solvers) for row in EXPORTS.values())
    return table(("format", "what it is", "solvers that read it"), rows)


def encodings_table() -> str:
    rows = ((f"`{row.name}`", row.reference) for row in AT_MOST_ONE.values())
    return table(("at most one", "paper"), rows)


@pytest.mark.parametrize("expected", [formats_table, backends_table, exports_table, encodings_table])
def test_a_table_is_the_registrys(expected: Callable[[], str]) -> None:
    assert expected() in README, f"the README should have:\n{expected()}"


@pytest.mark.parametrize("command", [command.name for command in COMMANDS])
def test_every_command_is_shown(command: str) -> None:
    assert f"ringdoku {command}" in README


def test_the_picture_is_what_the_program_draws(
    folder: Path, ringdoku: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    drawn = ringdoku("maximise", "fixtures/target.in", "--output-format", "svg", cwd=folder)
    assert drawn.stdout == (ROOT / "fixtures/target.svg").read_text(encoding="utf-8")
