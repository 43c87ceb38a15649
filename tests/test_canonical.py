"""Canonical forms: published ones, one for all transformations, and the least of all at 4×4."""

from collections import Counter
from itertools import permutations, product
from math import factorial
from random import Random

import pytest
from conftest import FIXTURES, Run
from puzzles import random_puzzle

from ringdoku import DimensionError, Grid, Puzzle, canonical, canonical_many, classic, parse

PUBLISHED = [line.split() for line in (FIXTURES / "canonical.txt").read_text().splitlines() if line[0] != "#"]


@pytest.mark.parametrize(("asked", "form", "automorphisms"), PUBLISHED)
def test_forms_and_automorphisms_are_the_published_ones(asked: str, form: str, automorphisms: str) -> None:
    found = canonical(asked)
    assert (found.form, str(found.automorphisms)) == (parse(form), automorphisms)
    assert found.moved(parse(asked).clues) == found.form.clues
    with pytest.raises(DimensionError, match="the grid 4x4"):
        found.moved(Grid.blank(4))


def moved(asked: Puzzle, random: Random) -> Puzzle:
    n, (height, width), rows = asked.order, asked.ruleset.require_classic("a test"), asked.clues.rows
    rows = random.choice([rows, tuple(zip(*rows, strict=True))]) if height == width else rows
    digits, lines = [0, *random.sample(range(1, n + 1), n)], list[list[int]]()
    for group in (height, width):
        starts = random.sample(range(0, n, group), n // group)
        lines.append([start + each for start in starts for each in random.sample(range(group), group)])
    return Puzzle(asked.ruleset, Grid(tuple(digits[rows[row][column]] for row in lines[0] for column in lines[1])))


@pytest.mark.parametrize("box", [(2, 2), (1, 4), (2, 3), (3, 2), (2, 4), (3, 3), (3, 4), (4, 4)])
def test_transformations_have_one_form_and_others_another(box: tuple[int, int]) -> None:
    ruleset, random = classic(box[0] * box[1], box), Random(f"{box}")
    asked = [random_puzzle(ruleset, ruleset.order**2 * part // 12, part, part % 2) for part in (3, 4, 5, 6, 9, 12)]
    found = [canonical_many(moved(puzzle, random) for puzzle in asked) for _ in range(3)]
    forms = {tuple((each.form, each.automorphisms) for each in some if each) for some in found}
    assert [len(set(each)) for each in forms] == [len(asked)]


@pytest.mark.parametrize("clues", range(17))
def test_at_4x4_the_form_is_the_least_of_all_transformations(clues: int) -> None:
    asked, forms = random_puzzle(classic(4), clues, clues, wrong=clues % 3), Counter[tuple[int, ...]]()
    orders = [order for order in permutations(range(4)) if order[0] // 2 == order[1] // 2]
    for rows, down, across in product((asked.clues.rows, tuple(zip(*asked.clues.rows, strict=True))), orders, orders):
        cells = [rows[row][column] for row in down for column in across]
        forms[tuple(map([0, *dict.fromkeys(filter(None, cells))].index, cells))] += 1
    found, least = canonical(asked), min(forms)
    assert (found.form.clues.digits, found.automorphisms) == (least, forms[least] * factorial(4 - max(least)))


def test_other_rules_are_refused_and_a_limit_is_unknown(ringdoku_here: Run) -> None:
    symmetric, blank = random_puzzle(classic(25), 625, 0), "." * 81
    done = ringdoku_here("canonical", input=f"{symmetric}\n")
    assert (done.returncode, done.stdout) == (3, "unknown\n")
    done = ringdoku_here("canonical", input=f"{blank}\ndiagonal\n{blank}\n")
    assert (done.returncode, done.stdout) == (2, f"{blank}\n")
    assert "<stdin>:3: found 9x9 with lines, boxes, diagonal, expected the rules of classic sudoku" in done.stderr
