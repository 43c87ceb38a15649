"""Writes a set of tests for a judge: inputs and answers in the layout of a contest system, and a table of the tests."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from ringdoku import __version__
from ringdoku.domain.errors import UsageError
from ringdoku.domain.grid import Grid

if TYPE_CHECKING:
    from ringdoku.services.judge_sets import Test  # loads numpy and a solver

LAYOUTS = ("flat", "problem")
"""flat: 1.in, 1.out, …, as Luogu and Hydro take them; problem: problem.yaml and data/secret, as Kattis does."""

NAMES = {"P1074": "Target sudoku", "solve": "Sudoku"}
TABLE = "tests.md"
DATE = (1980, 1, 1, 0, 0, 0)
"""Of all files in an archive, so that the same tests are the same bytes."""

_VALIDATOR = """#!/bin/sh
# input, answer and feedback folder are arguments, the output comes on standard input
exec ringdoku judge "$1" - "$2" --style kattis
"""


def files_of(task: str, tests: Sequence[Test], layout: str, seed: int) -> Iterator[tuple[str, str]]:
    """The name and the text of each file."""
    digits = len(str(len(tests)))
    for number, test in enumerate(tests, 1):
        name = str(number) if layout == "flat" else f"data/secret/{number:0{digits}}"
        yield f"{name}.in", _rows(test.puzzle.clues, task)
        yield f"{name}.{'out' if layout == 'flat' else 'ans'}", _answer(test, task)
    if layout == "problem":
        yield "data/sample/1.in", _rows(tests[0].puzzle.clues, task)
        yield "data/sample/1.ans", _answer(tests[0], task)
        custom = "validation: custom\n" if task == "solve" else ""
        yield "problem.yaml", f"problem_format_version: legacy\nname: {NAMES[task]}\n{custom}"
        if custom:
            yield "output_validators/ringdoku/build", "#!/bin/sh\nexit 0\n"
            yield "output_validators/ringdoku/run", _VALIDATOR
    yield TABLE, table(task, tests, seed)


def table(task: str, tests: Sequence[Test], seed: int) -> str:
    """What each test is for, in Markdown."""
    from ringdoku.services.judge_sets import MOST_NODES, MOST_SOLUTIONS

    heads = ("test", "clues", "solutions", "best score", "best grids", "nodes by rows", "nodes by fewest", "for")
    lines = [
        f"{NAMES[task]}: {len(tests)} tests, seed {seed}, ringdoku {__version__}.",
        "",
        "Every best score was proved by a solver and by looking at all solutions. Nodes are the digits that a plain "
        "search tries until it has seen them all, row by row or in the cell with the fewest candidates; "
        f"{MOST_NODES} are {MOST_NODES} or more. No test has more than {MOST_SOLUTIONS} solutions.",
        "",
    ]
    rows = [heads, ["---"] * len(heads)]
    for number, test in enumerate(tests, 1):
        facts = test.facts
        score = "-1" if facts.score is None else str(facts.score)
        numbers = (number, test.puzzle.clues.filled_count, facts.solutions, score, facts.best)
        rows.append([*map(str, (*numbers, facts.row_nodes, facts.fewest_nodes)), test.purpose])
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def write_files(path: str, files: Sequence[tuple[str, str]], force: bool) -> None:
    """Into a folder, which is made, or into an archive if the path ends in `.zip`: all of them or, where they cannot be
    written, none. Raises `UsageError`."""
    target = Path(path)
    if target.exists() and target.suffix == ".zip" and not force:
        raise UsageError(f"{path} exists; --force replaces it")
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        if target.suffix == ".zip":
            _write_archive(part, files)
            part.replace(target)
        else:
            _write_folder(part, files)
            for name, _ in files:
                (target / name).parent.mkdir(parents=True, exist_ok=True)
                (part / name).replace(target / name)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror or error}") from None
    finally:
        part.unlink(missing_ok=True) if part.is_file() else shutil.rmtree(part, ignore_errors=True)


def _write_archive(path: Path, files: Sequence[tuple[str, str]]) -> None:
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for name, text in files:
            info = ZipInfo(name, DATE)
            info.external_attr = _mode(text) << 16
            info.compress_type = ZIP_DEFLATED
            archive.writestr(info, text)


def _write_folder(path: Path, files: Sequence[tuple[str, str]]) -> None:
    for name, text in files:
        file = path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="\n")
        file.chmod(_mode(text))


def require_free(path: str, force: bool) -> None:
    """Raises `UsageError` for an archive that exists, or a folder that is not empty, unless it may be replaced."""
    target = Path(path)
    if not path or (target.exists() and not force and (target.is_file() or any(target.iterdir()))):
        raise UsageError(
            f"{path} exists and is not empty; --force writes there all the same" if path else "--out is empty"
        )


def _mode(text: str) -> int:
    return 0o755 if text.startswith("#!") else 0o644


def _rows(grid: Grid, task: str) -> str:
    separator = " " if task == "P1074" else ""
    return "".join(separator.join(map(str, row)) + "\n" for row in grid.rows)


def _answer(test: Test, task: str) -> str:
    if test.facts.grid is None or test.facts.score is None:
        return "-1\n"
    return f"{test.facts.score}\n" if task == "P1074" else _rows(test.facts.grid, task)
