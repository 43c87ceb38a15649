"""`ringdoku list`: what the registries hold, in JSON and on terminals of any width."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from typing import Any

import pytest

from ringdoku import Puzzle
from ringdoku.constraints.registry import LISTED
from ringdoku.exports import EXPORTS
from ringdoku.lowering.cnf import lower_to_cnf
from ringdoku.sat.at_most_one import AT_MOST_ONE
from ringdoku.sat.digits import DIGITS
from ringdoku.sat.options import ClauseSet, EncodingOptions
from ringdoku.solvers.base import Ability
from ringdoku.solvers.registry import BACKENDS

Run = Callable[..., subprocess.CompletedProcess[str]]


def records(run: Run, *arguments: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in run("list", *arguments, "--json").stdout.splitlines()]


def test_backends_are_the_registry(ringdoku_here: Run) -> None:
    found = records(ringdoku_here, "backends")
    assert [record["name"] for record in found] == list(BACKENDS)
    for record in found:
        assert set(record["abilities"]) == {ability.value for ability in BACKENDS[record["name"]].abilities}
        for package in record["packages"]:
            assert package["install"].startswith("pip install")
            assert record["installed"] is (package["version"] is not None)
    head, *rows = ringdoku_here("list", "backends").stdout.splitlines()
    assert head.split()[1 : 1 + len(Ability)] == [ability.value for ability in Ability]
    assert [row.split()[0] for row in rows[: len(BACKENDS)]] == list(BACKENDS)


def test_encodings_have_a_row_for_every_choice_with_the_size_of_its_formula(ringdoku_here: Run) -> None:
    listed = ringdoku_here("list", "encodings").stdout
    for name in (*(clauses.value for clauses in ClauseSet), *DIGITS, *AT_MOST_ONE, "triads", "innies"):
        assert f" {name} " in listed
    assert "729    11988  folklore" in listed
    rows = {
        (row["choice"], row["name"]): row for row in records(ringdoku_here, "encodings", "--order", "6", "--box", "2x3")
    }
    for key, options in (
        (("at most one", "product"), EncodingOptions(at_most_one="product")),
        (("digits", "log"), EncodingOptions(digits="log")),
        (("triads", "triads"), EncodingOptions(triads=True)),
    ):
        cnf = lower_to_cnf(Puzzle.blank(6, (2, 3)), options).cnf
        assert (rows[key]["variables"], rows[key]["clauses"]) == (cnf.num_vars, cnf.num_clauses)


def test_constraints_are_the_registry(ringdoku_here: Run) -> None:
    found = records(ringdoku_here, "constraints")
    assert [record["name"] for record in found] == list(LISTED)
    listed = ringdoku_here("list", "constraints").stdout
    for record in found:
        assert f"\n{record['example']}\n" in listed
        assert record["summary"] in " ".join(listed.split())
    assert max(map(len, listed.splitlines())) <= 80
    of = {record["name"]: record for record in found}
    assert of["killer"]["read_from"] == ["f-puzzles", "SudokuPad", "Penpa+", "ISS", "plain text"]
    assert (of["full-rank"]["read_from"], of["slow-thermometer"]["read_from"]) == (["ISS"], ["f-puzzles"])
    assert all(record["exports"] == list(EXPORTS) for record in found)


@pytest.mark.parametrize(("what", "name"), [("backends", "cpsat"), ("encodings", "log"), ("constraints", "killer")])
def test_one_of_them(ringdoku_here: Run, what: str, name: str) -> None:
    (record,) = records(ringdoku_here, what, name)
    assert record["name"] == name
    assert name in ringdoku_here("list", what, name).stdout
