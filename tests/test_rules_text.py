"""The text form of rules: every constraint goes round, what is wrong is said, and titles are no rules."""

from __future__ import annotations

from random import Random

import pytest

from ringdoku import Board, Ruleset, UsageError
from ringdoku.constraints.registry import CONSTRAINTS, read_constraint
from ringdoku.constraints.text import (
    board_in,
    boxes_in,
    is_rule,
    plain_rules,
    read_board,
    with_rules,
    write_board,
    write_rules,
)
from ringdoku.domain.constraint import write_constraint
from ringdoku.domain.errors import RuleError

SIX = Board.square(6)
JIGSAW = "regions: aabb aabb ccdd ccdd"


@pytest.mark.parametrize("name", CONSTRAINTS)
def test_every_constraint_is_written_as_it_is_read(name: str) -> None:
    # ranks are those of whole lines
    board = Board.square(4) if name in ("full-rank", "full-rank-with-ties") else SIX
    made = read_constraint(CONSTRAINTS[name].example, board)
    assert type(made) is CONSTRAINTS[name]
    assert read_constraint(write_constraint(made, board), board) == made
    assert is_rule(CONSTRAINTS[name].example)


@pytest.mark.parametrize(
    ("board", "lines"),
    [
        ("4x4", []),
        ("6x6", ["boxes 2x3"]),
        ("6x6 digits 0-5", ["boxes 3x2", "diagonal"]),
        ("4x4", ["no boxes"]),
        ("4x4", ["no lines"]),
        ("4x4", ["no lines", "no boxes", "killer 3: r1c1 r1c2"]),
        ("9x9 digits 0-8", ["anti-knight"]),
        ("4x7 digits 0-6", ["thermometer: r1c1 r1c2"]),
        ("4x4", ["regions: r1c1 r1c2 | r2c1 r2c2"]),
        ("4x4", ["boxes 2x2", "regions: r1c1 r1c2 | r2c1 r2c2"]),
        ("2x2 digits -1-1 extra a b", ["no boxes", "sum 0: a r1c1 b"]),
    ],
)
def test_rules_are_written_as_they_are_read(board: str, lines: list[str]) -> None:
    where = read_board(board)
    rules = with_rules(plain_rules(where, boxes_in(lines)), lines)
    assert (write_board(where), write_rules(rules)) == (board, lines)


@pytest.mark.parametrize(
    ("lines", "names"),
    [
        (["lines", "boxes 2x2"], ["lines", "boxes"]),
        (["boxes 1x4"], ["lines", "boxes"]),
        (["no boxes", "boxes 1x4"], ["lines", "boxes"]),
        (["diagonal", "Diagonal"], ["lines", "boxes", "diagonal"]),
        ([JIGSAW], ["lines", "regions"]),
        ([JIGSAW, "boxes 2x2"], ["lines", "boxes", "regions"]),
        (["board 4x4", "no lines"], ["boxes"]),
    ],
)
def test_lines_change_the_rules_before_them(lines: list[str], names: list[str]) -> None:
    rules = with_rules(plain_rules(Board.square(4)), lines)
    assert [type(rule).text for rule in rules.constraints] == names


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("kiler 3: r1c1 r1c2", "no constraint is called 'kiler'; expected 'killer'"),
        ("xyzzy", "expected one that `ringdoku list constraints` lists"),
        ("killer 3", "cells are missing"),
        ("killer x: r1c1", "'x' is not a whole number"),
        ("killer 99: r1c1 r1c2", "a sum from 3 to 7, not 99"),
        ("killer 3: r1c1 r1c9", "'r1c9' is not on a board of 4x4"),
        ("killer 3: r1c1 r1c2 | r1c3", "one group of cells too many"),
        ("killer: r1c1 r1c2 r1c3 r1c4 r2c1", "has 5 cells for only 4 digits"),
        ("thermometer: r1c1-r2c3", "'r1c1-r2c3' is not a straight run"),
        ("arrow: r1c1", "cells are missing"),
        ("equal-sums: r1c1 | | r1c2", "cells are missing"),
        ("allowed: r1c1", "numbers are missing"),
        ("pairs: r1c1 r1c2", "pairs of digits are missing"),
        ("pairs 1,2,3: r1c1 r1c2", "'1,2,3' is not 2 numbers with commas"),
        ("regions: aabb", "4 letters do not name the regions of 16 cells"),
        ("boxes 3x3", "boxes of 3x3 do not fill 4x4"),
        ("diagonal 3", "'3' is one number too many"),
        ("either: { odd: r1c1", "cases are written"),
        ("either: " + "{ either: " * 5000, "nested more than 20 deep"),
        ("no diagonal", "expected 'no boxes' or 'no lines'"),
        ("no boxes 3x3", "expected 'no boxes' or 'no lines'"),
        ("board 9x9", "the puzzle has a board of 4x4"),
        ("board four", "this is not a board; expected a line such as 'board 4x7 digits 0-6'"),
        ("board 4x0", "a side of a board has between 1 and 1024 cells, not 0"),
        ("board 4x4 extra a a", "two extra cells have the same name"),
    ],
)
def test_a_line_that_is_wrong_says_why(line: str, problem: str) -> None:
    with pytest.raises(RuleError) as error:
        with_rules(plain_rules(Board.square(4)), [line])
    assert problem in str(error.value)
    assert len(str(error.value)) < 500


def test_two_boards_are_one_too_many() -> None:
    with pytest.raises(RuleError, match="there is a board of 4x4 too"):
        board_in(["board 4x4", "board 5x5"])


def test_a_board_says_its_boxes_unless_they_are_square() -> None:
    assert plain_rules(read_board("9x9 digits 0-8")).box == (3, 3)
    assert plain_rules(read_board("4x7")).box is None
    with pytest.raises(UsageError, match="6 is not a square number"):
        plain_rules(SIX)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        *(
            (line, True)
            for line in ("killer 15", "Killer Sudoku", "diagonals", "Even more", "sum of sums", "board six")
        ),
        *((line, True) for line in ("Killer 15: r1c1 r1c2", "KILLER R1C1", "Diagonal", "Boxes 2x3", "No Boxes")),
        *((line, True) for line in ("no lines", "no killer", "kiler 15: r1c1 r1c2", "Windoku", "x-sudoku", "a: b")),
        *((line, False) for line in ("board 12", "Board 12", "X", "V for", "see below:")),
        *((line, False) for line in ("No. 5", "no 5", "no solution", "Grid 01", "ABC DEF", "1 2 3", "")),
    ],
)
def test_titles_are_no_rules(line: str, expected: bool) -> None:
    assert is_rule(line) is expected


def test_damaged_lines_are_refused_or_read_but_never_crash() -> None:
    random = Random(1)
    board = Board.square(4)
    for example in (kind.example for kind in CONSTRAINTS.values()):
        for _ in range(30):
            place, end = sorted(random.sample(range(len(example) + 1), 2))
            damaged = example[:place] + random.choice(("", "r1c1", "|", ":", "-3", " ", "{", "9")) + example[end:]
            try:
                rules = with_rules(plain_rules(board), [damaged])
            except RuleError:
                continue
            assert isinstance(rules, Ruleset)
            assert rules.primitives
            assert with_rules(plain_rules(board, boxes_in(write_rules(rules))), write_rules(rules)) == rules
