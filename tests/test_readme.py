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

from ringdoku import Board, UsageError
from ringdoku.backends.registry import BACKENDS
from ringdoku.constraints.registry import CONSTRAINTS
from ringdoku.constraints.text import plain_rules, with_rules
from ringdoku.encodings.at_most_one.registry import AT_MOST_ONE
from ringdoku.exports.registry import EXPORTS
from ringdoku.formats import FORMATS
from ringdoku_cli.app import COMMANDS

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONSTRAINTS_PAGE = (ROOT / "docs/constraints.md").read_text(encoding="utf-8")
LIBRARY_PAGE = (ROOT / "docs/library.md").read_text(encoding="utf-8")
PROOFS_PAGE = (ROOT / "docs/proofs.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```console\n(.*?)```", README + CONSTRAINTS_PAGE + PROOFS_PAGE, re.DOTALL)
PYTHON = re.findall(r"```python\n(.*?)```", README + LIBRARY_PAGE, re.DOTALL)


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


def constraints_table() -> str:
    rows = ((f"`{kind.text}`", kind.summary) for kind in CONSTRAINTS.values())
    return table(("constraint", "what it demands"), rows)


@pytest.mark.parametrize("expected", [formats_table, backends_table, exports_table, encodings_table, constraints_table])
def test_a_table_is_the_registrys(expected: Callable[[], str]) -> None:
    assert expected() in README, f"the README should have:\n{expected()}"


def test_the_table_of_the_text_form_is_the_registrys() -> None:
    rows = ((f"`{kind.text}`", kind.summary, f"`{kind.example}`") for kind in CONSTRAINTS.values())
    expected = table(("constraint", "what it demands", "example"), rows)
    assert expected in CONSTRAINTS_PAGE, f"docs/constraints.md should have:\n{expected}"


@pytest.mark.parametrize("name", CONSTRAINTS)
def test_an_example_of_a_constraint_can_be_read(name: str) -> None:
    # some are for six digits, some for boxes as large as there are digits
    boards = (Board.square(6), Board.square(4))
    assert any(_fits(CONSTRAINTS[name].example, board) for board in boards)


def _fits(example: str, board: Board) -> bool:
    try:
        return bool(with_rules(plain_rules(board, ()), [example]).primitives)
    except UsageError:
        return False


@pytest.mark.parametrize("command", [command.name for command in COMMANDS])
def test_every_command_is_shown(command: str) -> None:
    assert f"ringdoku {command}" in README


@pytest.mark.parametrize(("command", "name"), [("maximise", "target"), ("solve", "rules")])
def test_a_picture_is_what_the_program_draws(
    command: str, name: str, folder: Path, ringdoku: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    drawn = ringdoku(command, f"fixtures/{name}.in", "--output-format", "svg", cwd=folder)
    assert drawn.stdout == (ROOT / f"fixtures/{name}.svg").read_text(encoding="utf-8")
