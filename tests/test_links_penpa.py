from __future__ import annotations

from typing import Any

import pytest
from links import deflate, penpa_link, written

from ringdoku import Session, UsageError
from ringdoku.links import PROGRAMS, read_link

# rows of points have 8 for a board of 4x4, whose first cell is point 18
STRIDE, FIRST, COUNT = 8, 18, 64


def cell(row: int, column: int) -> int:
    return FIRST + (row - 1) * STRIDE + column - 1


def edge(*corners: tuple[int, int]) -> str:
    """An edge between corners, which are counted from (0, 0), the top left one of the board."""
    return ",".join(str(COUNT + 9 + row * STRIDE + column) for row, column in corners)


CROSS = {edge((step, 2), (step + 1, 2)): 2 for step in range(4)} | {edge((2, s), (2, s + 1)): 21 for s in range(4)}


def test_a_puzzle_with_boxes_is_solved() -> None:
    clues = {str(cell(1, 1)): ["1", 1, "1"], str(cell(2, 3)): ["1", 1, "1"], str(cell(3, 2)): ["1", 1, "10"]}
    clues |= {str(cell(1, 2)): ["2", 1, "1"], str(cell(1, 3)): ["3", 1, "1"]}
    clues |= {str(cell(2, 1)): ["3", 1, "1"], str(cell(3, 1)): ["2", 1, "1"]}
    link = penpa_link(
        {"number": clues, "lineE": CROSS}, title="Puzzle, zipped", rules="Rules,\nA = B", solution="1234341221434321"
    )
    shared = read_link(link)
    assert (shared.title, shared.author, shared.rules, shared.unknown) == ("Puzzle, zipped", "A", "Rules,\nA = B", ())
    assert shared.puzzle.ruleset.box == (2, 2)
    (grid,) = Session("cadical195").solutions(shared.puzzle)
    assert grid == shared.solution


MARKS: list[tuple[str, dict[str, Any], list[str]]] = [
    (
        "Each main diagonal contains each digit once.",
        {
            "lineE": {edge((s, s), (s + 1, s + 1)): 12 for s in range(4)}
            | {edge((s, 4 - s), (s + 1, 3 - s)): 12 for s in range(4)}
        },
        ["diagonal-down", "diagonal-up"],
    ),
    (
        "Digits in cages have the sum given.",
        {
            "killercages": [[cell(1, 1), cell(1, 2)], [cell(2, 1)]],
            "numberS": {str(4 * COUNT + 4 * cell(1, 1)): ["3", 1]},
        },
        ["killer 3: r1c1 r1c2", "killer: r2c1"],
    ),
    (
        "Thermometers rise from the bulb. Digits on arrows sum to the circle.",
        {"thermo": [[cell(1, 1), cell(1, 2)]], "arrows": [[cell(4, 1), cell(3, 1), cell(2, 1)]]},
        ["thermometer: r1c1 r1c2", "arrow: r4c1 | r3c1 r2c1"],
    ),
    (
        "White dots are consecutive, black dots are in a ratio of 2.",
        {
            "symbol": {
                str(2 * COUNT + cell(1, 1)): [8, "circle_SS", 1],
                str(3 * COUNT + cell(1, 1)): [2, "circle_SS", 1],
            }
        },
        ["difference 1: r1c1 r2c1", "ratio 2: r1c1 r1c2"],
    ),
    ("X sums to 10, V to 5.", {"number": {str(3 * COUNT + cell(1, 1)): ["V", 1, "6"]}}, ["pair-sum 5: r1c1 r1c2"]),
    (
        "Circles are odd, squares even.",
        {"symbol": {str(cell(1, 1)): [3, "circle_L", 1], str(cell(1, 2)): [3, "square_L", 1]}},
        ["odd: r1c1", "even: r1c2"],
    ),
]


@pytest.mark.parametrize(("rules", "layer", "expected"), MARKS, ids=[case[0] for case in MARKS])
def test_marks_are_read_when_the_rules_name_them(rules: str, layer: dict[str, Any], expected: list[str]) -> None:
    shared = read_link(penpa_link(layer, rules=rules))
    assert shared.unknown == ()
    assert written(shared) == expected
    shared = read_link(penpa_link(layer, rules="Normal rules apply."))
    assert shared.unknown
    assert written(shared) == []


def test_regions_of_other_shapes_and_boards_without_them() -> None:
    assert written(read_link(penpa_link({}))) == []
    assert read_link(penpa_link({})).puzzle.ruleset.box is None
    columns = {edge((row, column), (row + 1, column)): 2 for row in range(4) for column in range(1, 4)}
    (rule,) = written(read_link(penpa_link({"lineE": columns})))
    assert rule.startswith("regions: r1c1 r2c1 r3c1 r4c1 |")
    with pytest.raises(UsageError, match="the Penpa\\+ link: the region of r1c1 has 8 cells, not 4"):
        read_link(penpa_link({"lineE": {edge((2, s), (2, s + 1)): 2 for s in range(4)}}))


def test_letters_in_a_margin_name_rows_for_an_answer() -> None:
    # with a margin rows of points have 9; the first cell is at 30
    label = {"number": {"29": ["A", 1, "1"]}, "symbol": {"29": [5, "arrow_Short", 1]}}
    assert read_link(penpa_link(label, margin=1)).unknown == ()
    assert read_link(penpa_link({"number": {"29": ["7", 1, "1"]}}, margin=1)).unknown
    assert read_link(penpa_link(label, margin=1, rules="Letters outside are sums.")).unknown


@pytest.mark.parametrize(
    "layer",
    [
        {"line": {"18,19": 3}},
        {"polygon": [[1, 2]]},
        {"lineE": {edge((0, 1), (1, 1)): 3}},
        {"lineE": {edge((0, 0), (1, 1)): 12}},
        {"number": {"18": ["1 2", 1, "7"]}},
        {"number": {"x": ["1", 1, "1"]}},
        {"numberS": {str(4 * COUNT + 4 * FIRST): ["3", 1]}},
        {"symbol": {"18": [1, "star", 1]}},
        {"surface": {"18": 1}},
    ],
)
def test_what_is_not_understood_is_named(layer: dict[str, Any]) -> None:
    shared = read_link(penpa_link(layer, rules="Grey cells and diagonals once."))
    assert len(shared.unknown) == 1
    assert written(shared) == []


def test_a_square_of_numbers_is_a_sudoku_only_when_it_says_so() -> None:
    assert read_link(penpa_link({}, kind="square")).unknown
    assert not read_link(penpa_link({}, kind="square", title="Some Sudoku")).unknown


@pytest.mark.parametrize(
    ("link", "message"),
    [
        (penpa_link({"thermo": [[1, 2]]}), "thermo 1 leaves the board or has a cell twice"),
        (penpa_link({"number": {"18": ["5", 1, "1"]}}), "r1c1: 5 is not a digit of a board of 4x4"),
        (penpa_link({"lineE": [1]}), "lineE is [1], not an object"),
        (f"m=solve&p={deflate('hex,9,9')}", "the file has 1 lines, not 6 or more"),
        (f"m=solve&p={deflate('hex,9,9' + 6 * chr(10))}", "the grid is of the type 'hex', not square or sudoku"),
        (f"m=solve&p={deflate('square,4,4' + 5 * chr(10) + '[18,2]')}", "the cells are no square of up to 32x32"),
        (penpa_link({})[:-8], "the link's data"),
        ("m=solve&p=*", "the link's data is not base64"),
        ("https://swaroopg92.github.io/penpa-edit/", "there is no puzzle in the address"),
    ],
)
def test_what_makes_no_sense_is_refused(link: str, message: str) -> None:
    with pytest.raises(UsageError) as error:
        read_link(link)
    assert str(error.value).startswith(f"the Penpa+ link: {message}")


def test_what_a_program_can_state_is_listed() -> None:
    tried = {rule.split(":")[0].split()[0] for *_, rules in MARKS for rule in rules}
    assert {kind.text for kind in PROGRAMS["Penpa+"]} == tried | {"lines", "boxes", "regions"}
