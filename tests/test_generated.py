"""A few puzzles of each kind that `benchmarks/generated.py` makes by the hundred."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks"))

generated = pytest.importorskip("generated", reason="benchmarks/ is not beside the tests")


@pytest.mark.parametrize("kind", generated.KINDS)
def test_puzzles_have_the_wished_number_of_solutions_by_two_ways(kind: str) -> None:
    assert generated.verified(generated.KINDS[kind], 2, 3)[0] == 2
