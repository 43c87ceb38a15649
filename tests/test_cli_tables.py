"""Tables on terminals of any width: no line is longer, and no word or number is broken."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from io import StringIO

import pytest
from comparing import measured_results

from ringdoku.compare.contenders import Contender
from ringdoku.compare.measurement import Outcome
from ringdoku.compare.summary import Results
from ringdoku.solvers.registry import BACKENDS
from ringdoku_cli.app import main
from ringdoku_cli.commands.compare import render_summary
from ringdoku_cli.render.table import table_lines

Run = Callable[..., "subprocess.CompletedProcess[str]"]

HEADS = ("name", "count", "seconds", "remark")
ROWS = (
    ("a name of words", "12", "0.000123", "one remark"),
    ("short", "1234567", "12.35", "another, longer remark; of words"),
)


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def words(lines: list[str]) -> set[str]:
    return {word.strip(":;,.") for line in lines for word in line.split()}


@pytest.mark.parametrize("room", range(18, 80))
def test_a_table_is_as_wide_as_there_is_room_and_breaks_no_word(room: int) -> None:
    lines = table_lines(HEADS, ROWS, room, ("count", "seconds"), below=("remark",), spare=("count",))
    assert max(map(len, lines)) <= room
    left_out = {"12", "1234567"} if any("wider" in line for line in lines) else set()
    assert words([" ".join(row) for row in ROWS]) - left_out <= words(lines)


def test_without_a_terminal_nothing_is_moved_or_left_out() -> None:
    wide = ("x" * 300, *ROWS[0][1:])
    head, line = table_lines(HEADS, [wide], None, below=("remark",), spare=("count",))
    assert head.split() == list(HEADS)
    assert line.endswith("one remark")


def results_of_many() -> Results:
    """Everything that a table of results can show: repeats, failures, a long name, build times, a warm run."""
    results = measured_results()
    name = "cmd:/opt/solvers/bin/solver --quiet --seed 12345"
    runs = [replace(one, repeat=repeat, build_seconds=0.00012) for one in results.measurements for repeat in range(2)]
    crashed = replace(runs[0], backend=name, outcome=Outcome.CRASHED, grid=None, score=None, bound=None)
    plan = replace(results.plan, contenders=(*results.plan.contenders, Contender(name)), repeats=2, warm=True)
    return replace(results, plan=plan, measurements=(*runs, crashed))


@pytest.mark.parametrize("columns", [260, 115, 80, 60, 40])
def test_the_table_of_a_comparison_fits_a_terminal(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    all_words = words(render_summary(results_of_many(), StringIO()).splitlines())
    monkeypatch.setenv("COLUMNS", str(columns))
    *lines, last = render_summary(results_of_many(), Terminal()).splitlines()
    assert max(map(len, [*lines, last])) <= columns
    assert {"cmd:/opt/solvers/bin/solver", "12345", "minisat22", "2/2", "0/1", "crashed", "PAR-2"} <= words(lines)
    if columns == 260:
        assert words([*lines, last]) == all_words
    else:
        assert words(lines) <= all_words | words(["A wider terminal also shows"])


@pytest.mark.parametrize("columns", [40, 60, 80, 300])
@pytest.mark.parametrize("command", ["backends", "encodings"])
def test_the_lists_fit_a_terminal(
    monkeypatch: pytest.MonkeyPatch, ringdoku_here: Run, command: str, columns: int
) -> None:
    records = list(map(json.loads, ringdoku_here("list", command, "--json").stdout.splitlines()))
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr(sys, "argv", ["ringdoku", "list", command])
    monkeypatch.setattr(sys, "stdout", terminal := Terminal())
    with pytest.raises(SystemExit):
        main()
    lines = terminal.getvalue().splitlines()
    assert max(map(len, lines)) <= columns
    for record in records:
        texts = [str(value) for value in record.values() if isinstance(value, str | int) and value is not True]
        assert words(texts) <= words(lines)
    if command == "backends":
        # whatever the width, each row begins with the name of a backend
        starts = [line.split()[0] for line in lines if line.split(" ", 1)[0] in BACKENDS]
        assert list(dict.fromkeys(starts)) == list(BACKENDS)
