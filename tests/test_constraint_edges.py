"""Constraints at the edges of what makes sense: cells that are listed twice, no houses at all, sums out of reach."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import product

import pytest

from ringdoku import Grid, Objective, Puzzle, Ruleset, UsageError, bound, check, maximise, solutions
from ringdoku.constraints.pairs import Successive
from ringdoku.constraints.registry import CONSTRAINTS, read_constraint
from ringdoku.constraints.sums import EqualSums, Killer
from ringdoku.deduction.propagation import propagate
from ringdoku.domain.board import Board
from ringdoku.domain.constraint import Constraint
from ringdoku.domain.primitives import Allowed, Relation, related
from ringdoku.services.certifying import certify, claim_of_best, verify

FOUR = Board.square(4)


RETURNING = ("r1c1 r1c1", "r1c1 r1c2 r1c1", "r1c1 r1c2 r1c2 r1c3 r1c1", "r1c2 r1c1 r1c3 r1c2 r1c1")
SMALL = (Board(1, 3, 1, 4), Board(1, 3, 0, 2))
OF_LINES = [name for name, kind in CONSTRAINTS.items() if ":" in kind.example and "{" not in kind.example]


def returning(name: str, board: Board) -> Iterator[Puzzle]:
    """The constraint with several numbers, on each line that returns to a cell, where that makes sense."""
    head, cells = CONSTRAINTS[name].example.split(":")
    heads = [head, *(f"{name} {number}" for number in (0, 2, 3, 5) if any(map(str.isdigit, head)))]
    for line, numbers in product(RETURNING, dict.fromkeys(heads)):
        # several lines, or single cells before the line
        for first in ("r1c1", line):
            groups = [first] * cells.count("|") + [line]
            with suppress(UsageError):
                rule = read_constraint(f"{numbers}: {' | '.join(groups)}", board)
                yield Puzzle(Ruleset(board, (rule,)), Grid.blank(board))


@pytest.mark.parametrize("name", OF_LINES)
def test_lines_that_return_to_a_cell_mean_what_they_say(name: str) -> None:
    for board in SMALL:
        every = [Grid(digits, board) for digits in product(board.digits, repeat=3)]
        for puzzle in dict.fromkeys(returning(name, board)):
            kept = {grid for grid in every if not check(puzzle, grid)}
            for backend in ("search", "cadical195"):
                found = list(solutions(puzzle, backend))
                assert len(found) == len(kept), (backend, puzzle)
                assert set(found) == kept, (backend, puzzle)


@pytest.mark.parametrize("rule", ["extra-region: r1c1 r1c1", "rellik 2: r1c1 r1c1", "thermometer: r1c1 r1c2 r1c1"])
def test_a_case_with_a_house_that_returns_to_a_cell_never_holds(rule: str) -> None:
    board = SMALL[0]
    either = read_constraint(f"either: {{ {rule} }} {{ odd: r1c1 }}", board)
    for backend in ("search", "cadical195", "cpsat"):
        found = set(solutions(Puzzle(Ruleset(board, (either,)), Grid.blank(board)), backend))
        assert {grid.digits for grid in found} == set(product((1, 3), board.digits, board.digits))


@pytest.mark.parametrize(
    ("text", "best"),
    [
        ("modular 2: r1c1 r1c2 r1c1", 11),
        ("modular 3: r1c1 r1c2 r1c1", None),
        ("every-pair 1,1 1,2 2,1: r1c2 r1c1 r1c1", 7),
        ("whisper 2: r1c1 r1c1 r1c2", None),
        ("zipper: r1c1 r1c2 r1c1", 10),
        ("slow-thermometer: r1c1 r1c2 r1c1", 12),
    ],
)
def test_lines_that_return_to_a_cell_are_proved(text: str, best: int | None) -> None:
    puzzle = Puzzle(Ruleset(SMALL[0], (read_constraint(text, SMALL[0]),)), Grid.blank(SMALL[0]))
    objective = Objective((1, 1, 1))
    result = maximise(puzzle, objective)
    assert result.score == best
    bounded = bound(puzzle, objective)
    assert bounded is None or best is None or bounded.value >= best
    proved = claim_of_best([result], 1, objective.sense)
    assert proved
    certificate = certify(puzzle, *proved, objective)
    assert len(verify(puzzle, certificate.proof, certificate.claim, objective)) == (best is not None)


def test_a_relation_is_between_two_cells() -> None:
    with pytest.raises(ValueError, match="two different cells"):
        Relation(3, 3, frozenset({(1, 1)}))
    assert related(3, 3, frozenset({(1, 1), (1, 2)})) == Allowed(3, frozenset({1}))


def test_a_sandwich_has_one_crust_of_each_sort() -> None:
    board = Board(1, 3, 1, 3)
    puzzle = Puzzle(Ruleset(board, (read_constraint("sandwich 2: r1c1-r1c3", board),)), Grid.blank(board))
    assert {grid.digits for grid in solutions(puzzle)} == {(1, 2, 3), (3, 2, 1)}
    assert check(puzzle, Grid((1, 2, 1), board))


def test_rules_without_houses_narrow_candidates() -> None:
    puzzle = Puzzle(Ruleset(FOUR, (read_constraint("sum 8: r1c1 r1c2", FOUR),)), Grid.blank(FOUR))
    candidates = propagate(puzzle)
    assert candidates is not None
    assert candidates.sum(axis=1).tolist() == [1, 1, *[4] * 14]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("equality-cage: r1c1 r1c1", "a cage has each cell once"),
        ("same-digits: r1c1 r1c1 | r2c1 r2c2", "a group of cells that hold the same digits has each cell once"),
        ("counting-circles: r1c1 r1c1", "a cell has one circle at most"),
        ("weighted-sum 0 1001 -1001: r1c1 r1c2", "a factor is between -1000 and 1000, not 1001"),
        ("arrow: r1c1-r1c4 | r2c1", "the number in an arrow's circle has one to three cells, not 4"),
        ("rellik 999999999: r1c1 r1c2", "digits of 2 cells have a sum of at most 8, not 999999999"),
        ("sum-line 13: r1c1-r1c3", "digits of 3 cells have a sum of at most 12, not 13"),
        ("product 7: r1c1 r1c2", "2 digits from 1 to 4 have no such product"),
        ("either: { " * 21 + "odd: r1c1" + " }" * 21, "cases are nested more than 20 deep"),
    ],
)
def test_rules_that_make_no_sense_are_refused(text: str, complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        read_constraint(text, FOUR)


@pytest.mark.parametrize("rule", [Killer(8, ()), Successive(frozenset(), (0, 1)), EqualSums(((0, 1), ()))])
def test_rules_in_python_lack_nothing_either(rule: Constraint) -> None:
    with pytest.raises(UsageError, match=r"(cells|pairs of digits) are missing"):
        Ruleset(FOUR, (rule,))


@pytest.mark.parametrize("text", ["extra-region: r1c1 r2c2 r1c1", "thermometer: r1c1 r1c2 r1c1", "rellik 5: r1c1 r1c1"])
def test_a_house_has_each_cell_once(text: str) -> None:
    with pytest.raises(UsageError, match="has r1c1 twice"):
        Ruleset(FOUR, (read_constraint(text, FOUR),))


def test_what_is_too_large_to_be_stated_is_refused_in_seconds() -> None:
    nine, large = Board.square(9), Board.square(25)
    with pytest.raises(UsageError, match="a sum of 300 is too large for a loop of 36 cells"):
        read_constraint(f"sum-loop 300: {' '.join(nine.cell_name(cell) for cell in range(36))}", nine)
    circles = read_constraint(f"counting-circles: {' '.join(large.cell_name(cell) for cell in range(200))}", large)
    assert len(list(circles.primitives(large))) == 25
    with pytest.raises(UsageError, match="anti-taxicab is for boards of up to 25x25"):
        read_constraint("anti-taxicab", Board.square(36))
    cage = read_constraint(f"equality-cage: {' '.join(large.cell_name(cell) for cell in range(200))}", large)
    assert len(list(cage.primitives(large))) == 2


def test_a_diagram_has_a_limit() -> None:
    large = Board.square(16)
    rule = read_constraint("count-distinct: r9c9 | r1c1-r1c16", large)
    with pytest.raises(UsageError, match="the different digits of r9c9 is too large: a diagram of its 17 cells"):
        list(rule.primitives(large))
