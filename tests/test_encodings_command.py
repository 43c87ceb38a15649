"""`ringdoku encodings`: a row for every choice, with the size of its formula."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable

from ringdoku import Puzzle
from ringdoku.lowering.cnf import lower_to_cnf
from ringdoku.sat.at_most_one import AT_MOST_ONE
from ringdoku.sat.digits import DIGITS
from ringdoku.sat.options import ClauseSet, EncodingOptions

Run = Callable[..., subprocess.CompletedProcess[str]]


def test_every_choice_has_a_row(ringdoku_here: Run) -> None:
    ran = ringdoku_here("encodings")
    assert ran.returncode == 0
    for name in (*(clauses.value for clauses in ClauseSet), *DIGITS, *AT_MOST_ONE, "triads", "innies"):
        assert f" {name} " in ran.stdout
    assert "pairwise" in ran.stdout
    assert "729    11988  folklore" in ran.stdout


def test_the_sizes_are_those_of_the_formula(ringdoku_here: Run) -> None:
    ran = ringdoku_here("encodings", "--order", "6", "--box", "2x3", "--json")
    rows = {(row["choice"], row["name"]): row for row in map(json.loads, ran.stdout.splitlines())}
    for key, options in (
        (("at most one", "product"), EncodingOptions(at_most_one="product")),
        (("digits", "log"), EncodingOptions(digits="log")),
        (("triads", "triads"), EncodingOptions(triads=True)),
    ):
        cnf = lower_to_cnf(Puzzle.blank(6, (2, 3)), options).cnf
        assert (rows[key]["variables"], rows[key]["clauses"]) == (cnf.num_vars, cnf.num_clauses)


def test_an_order_without_square_boxes_needs_a_box(ringdoku_here: Run) -> None:
    ran = ringdoku_here("encodings", "--order", "6")
    assert ran.returncode == 2
    assert "--box 2x3" in ran.stderr
