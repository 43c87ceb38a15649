"""`ringdoku list`, and tables on terminals of any width: no line is longer, and no word or number is broken."""

import json
import sys
from dataclasses import replace
from importlib.metadata import version
from io import StringIO
from typing import Any

import pytest
from comparing import measured_results
from conftest import Run

from ringdoku import Puzzle
from ringdoku.compare.plan import Contender, Outcome
from ringdoku.compare.summary import Results
from ringdoku.constraints.registry import LISTED
from ringdoku.exports import EXPORTS
from ringdoku.lowering.cnf import lower_to_cnf
from ringdoku.sat.at_most_one import AT_MOST_ONE
from ringdoku.sat.digits import DIGITS
from ringdoku.sat.options import ClauseSet, EncodingOptions
from ringdoku.solvers.registry import BACKENDS, Ability
from ringdoku_cli.app import main
from ringdoku_cli.commands.compare import render_summary
from ringdoku_cli.commands.export import CLAUSE_SETS


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def words(lines: list[str]) -> set[str]:
    return {word.strip(":;,.") for line in lines for word in line.split()}


def records(run: Run, *arguments: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in run("list", *arguments, "--output-format", "json").stdout.splitlines()]


def test_backends_and_constraints_are_the_registries(ringdoku_here: Run) -> None:
    found = records(ringdoku_here, "backends")
    assert [record["name"] for record in found] == list(BACKENDS)
    for record in found:
        assert set(record["abilities"]) == {ability.value for ability in BACKENDS[record["name"]].abilities}
        assert all(package["version"] == version(package["name"]) for package in record["packages"])
    head, *rows = ringdoku_here("list", "backends").stdout.splitlines()
    assert head.split()[1 : 1 + len(Ability)] == [ability.value for ability in Ability]
    assert [row.split()[0] for row in rows[: len(BACKENDS)]] == list(BACKENDS)
    found = records(ringdoku_here, "constraints")
    assert [record["name"] for record in found] == list(LISTED)
    listed = ringdoku_here("list", "constraints").stdout
    for record in found:
        assert f"\n{record['example']}\n" in f"\n{listed}"
        assert record["summary"] in " ".join(listed.split())
    assert max(map(len, listed.splitlines())) <= 80
    of = {record["name"]: record for record in found}
    assert of["killer"]["read_from"] == ["f-puzzles", "SudokuPad", "Penpa+", "ISS", "sudokuwiki.org", "plain text"]
    assert (of["full-rank"]["read_from"], of["slow-thermometer"]["read_from"]) == (["ISS"], ["f-puzzles"])
    able = [name for name, form in EXPORTS.items() if not form.houses_alone]
    assert all(record["exports"] == able for record in found)
    for what, name in (("backends", "cpsat"), ("encodings", "log"), ("constraints", "killer")):
        assert [record["name"] for record in records(ringdoku_here, what, name)] == [name]
        assert name in ringdoku_here("list", what, name).stdout


def test_encodings_have_a_row_for_every_choice_with_the_size_of_its_formula(ringdoku_here: Run) -> None:
    found = records(ringdoku_here, "encodings", "--order", "6", "--box", "2x3")
    rows = {row["name"]: (row["variables"], row["clauses"]) for row in found}
    assert {each.value for each in ClauseSet} == set(CLAUSE_SETS)
    assert set(rows) == {*CLAUSE_SETS, *DIGITS, *AT_MOST_ONE, "triads", "innies"}
    for name, options in (
        ("product", EncodingOptions(at_most_one="product")),
        ("log", EncodingOptions(digits="log")),
        ("triads", EncodingOptions(triads=True)),
    ):
        cnf = lower_to_cnf(Puzzle.blank(6, (2, 3)), options).cnf
        assert rows[name] == (cnf.num_vars, cnf.num_clauses)
    assert "729    11988  folklore" in ringdoku_here("list", "encodings").stdout


def results_of_many() -> Results:
    """Everything that a table of results can show: repeats, failures, a long name, build times, a warm run."""
    results = measured_results()
    name = "cmd:/opt/solvers/bin/solver --quiet --seed 12345"
    runs = [replace(one, repeat=repeat, build_seconds=0.00012) for one in results.measurements for repeat in range(2)]
    crashed = replace(runs[0], backend=name, outcome=Outcome.CRASHED, grid=None, score=None, bound=None)
    plan = replace(results.plan, contenders=(*results.plan.contenders, Contender(name)), repeats=2, warm=True)
    return replace(results, plan=plan, measurements=(*runs, crashed))


def test_the_table_of_a_comparison_fits_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    found = results_of_many()
    all_words = words(render_summary(found, StringIO()).splitlines())
    for columns in (*range(29, 120, 3), 260):
        monkeypatch.setenv("COLUMNS", str(columns))
        lines = render_summary(found, Terminal()).splitlines()
        assert max(map(len, lines)) <= columns
        assert words(lines) == all_words


@pytest.mark.parametrize("columns", [40, 80])
@pytest.mark.parametrize("command", ["backends", "encodings"])
def test_lists_fit_a_terminal(monkeypatch: pytest.MonkeyPatch, ringdoku_here: Run, command: str, columns: int) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr(sys, "argv", ["ringdoku", "list", command])
    monkeypatch.setattr(sys, "stdout", terminal := Terminal())
    main()
    lines = terminal.getvalue().splitlines()
    assert max(map(len, lines)) <= columns
    for record in records(ringdoku_here, command):
        texts = [str(value) for value in record.values() if isinstance(value, str | int) and value is not True]
        assert words(texts) <= words(lines)
        # whatever the width, each row begins with the name
        assert command == "encodings" or any(line.startswith(record["name"]) for line in lines)
