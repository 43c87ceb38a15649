from __future__ import annotations

import json
from typing import Any

import pytest
from links import compress, sudokupad, sudokupad_link, written, zipped

from ringdoku import UsageError
from ringdoku.links import PROGRAMS, ImportedPuzzle, read_link
from ringdoku.links.sudokupad import load_zipped

GREY = "#CFCFCF"


def read(**keys: Any) -> ImportedPuzzle:
    return read_link(sudokupad_link(sudokupad(**keys)))


def rules(text: str) -> dict[str, str]:
    return {"value": f"rules: {text}"}


def disc(row: float, column: float, size: float, fill: str, border: str | None, **more: Any) -> dict[str, Any]:
    look = {"backgroundColor": fill, "rounded": True} | ({"borderColor": border} if border else {})
    return {"center": [row, column], "width": size, "height": size} | look | more


def line(colour: str, thickness: float, *points: list[float]) -> dict[str, Any]:
    return {"color": colour, "thickness": thickness, "wayPoints": list(points)}


def text_at(row: float, column: float, text: object) -> dict[str, Any]:
    return disc(row, column, 0.25, "#FFFFFF", "#FFFFFF", rounded=False, text=text)


SHAPES: list[tuple[str, str, dict[str, Any], list[str]]] = [
    (
        "a thermometer with corners",
        "Digits on thermometers increase (not necessarily consecutively) from the bulb.",
        {
            "lines": [line(GREY, 21, [0.5, 0.5], [0.5, 2.5], [1.5, 3.5])],
            "underlays": [disc(0.5, 0.5, 0.85, GREY, GREY)],
        },
        ["thermometer: r1c1 r1c2 r1c3 r2c4"],
    ),
    (
        "a palindrome",
        "A grey line is a palindrome.",
        {"lines": [line(GREY, 16, [0.5, 0.5], [0.5, 2.5])]},
        ["palindrome: r1c1 r1c2 r1c3"],
    ),
    (
        "a between line, whose ends stop at its circles",
        "Digits on a line lie strictly between those in its circles.",
        {
            "lines": [line(GREY, 2, [0.5, 0.9], [0.5, 1.5], [0.5, 2.1])],
            "overlays": [disc(0.5, column, 0.8, "#FFFFFF", GREY) for column in (0.5, 2.5)],
        },
        ["between: r1c1 r1c2 r1c3"],
    ),
    (
        "diagonals",
        "Digits do not repeat on the marked diagonals.",
        {"lines": [line("#34BBE6", 2, [0, 9], [9, 0]), line("#34BBE6", 2, [0, 0], [9, 9])]},
        ["diagonal-up", "diagonal-down"],
    ),
    (
        "arrows from a circle and a pill",
        "Digits on an arrow have the sum in its circle.",
        {
            "arrows": [line("#a1a1a1", 5, [0.5, 0.8], [0.5, 2.5]), line("#a1a1a1", 5, [3.8, 0.5], [4.5, 0.5])],
            "overlays": [
                disc(0.5, 0.5, 0.75, "#ffffff", "#a1a1a1", text=""),
                disc(3, 0.5, 0.75, "#ffffff", "#a1a1a1", height=1.75, text=""),
            ],
        },
        ["arrow: r1c1 | r1c2 r1c3", "arrow: r3c1 r4c1 | r5c1"],
    ),
    (
        "a little killer",
        "Digits on an indicated diagonal have the sum given.",
        {"arrows": [line("#000000", 2, [-0.2, 7.8], [-0.02, 7.98])], "overlays": [text_at(-0.5, 7.5, "6")]},
        ["little-killer 6: r1c9"],
    ),
    (
        "sandwiches",
        "Clues outside are sandwich sums.",
        {"overlays": [text_at(-0.5, 0.5, 12), text_at(1.5, -0.5, "0")]},
        [
            "sandwich 12: r1c1 r2c1 r3c1 r4c1 r5c1 r6c1 r7c1 r8c1 r9c1",
            "sandwich 0: r2c1 r2c2 r2c3 r2c4 r2c5 r2c6 r2c7 r2c8 r2c9",
        ],
    ),
    (
        "dots",
        "White dots: consecutive, or differing by the number. Black dots: ratio 1:2. Not all dots are given.",
        {
            "overlays": [
                disc(0.5, 1, 0.3, "#FFFFFF", "#000000", text=""),
                disc(1, 0.5, 0.3, "#FFFFFF", "#000000", text="3"),
                disc(3.5, 1, 0.3, "#000000", "#000000", text=""),
            ]
        },
        ["difference 1: r1c1 r1c2", "difference 3: r1c1 r2c1", "ratio 2: r4c1 r4c2"],
    ),
    (
        "X and V",
        "Cells with an X sum to 10, those with a V to 5. No negative constraint.",
        {"overlays": [text_at(0.5, 1, "X"), text_at(1, 0.5, "V")]},
        ["pair-sum 10: r1c1 r1c2", "pair-sum 5: r1c1 r2c1"],
    ),
    (
        "a quadruple",
        "Digits in a circle appear in the four cells around it.",
        {"overlays": [disc(1, 1, 0.7, "#FFFFFF", "#000000", text="1 2\n3")]},
        ["contains 1 2 3: r1c1 r1c2 r2c1 r2c2"],
    ),
    (
        "parities",
        "A grey circle is odd, a grey square even.",
        {"underlays": [disc(0.5, 0.5, 0.7, GREY, GREY), disc(1.5, 0.5, 0.7, GREY, GREY, rounded=False)]},
        ["odd: r1c1", "even: r2c1"],
    ),
    (
        "counting circles",
        "A digit in a circle says how many circles hold it.",
        {"underlays": [disc(0.5, column, 0.8, "#FFFFFF", "#000000") for column in (0.5, 1.5)]},
        ["counting-circles: r1c1 r1c2"],
    ),
    (
        "an extra region",
        "Grey regions hold each digit once.",
        {
            "underlays": [disc(0.5, 0.5, 1, "rgba(207, 207, 207, 0.95)", None, rounded=False)],
            "cages": [rules("Grey regions hold each digit once."), {"cells": [[0, 0]]}],
        },
        ["extra-region: r1c1"],
    ),
    (
        "two clones and a third",
        "Grey shapes are clones.",
        {
            "underlays": [
                disc(row + 0.5, column + 0.5, 1, GREY, GREY, rounded=False)
                for row, column in [(0, 0), (0, 1), (4, 4), (4, 5), (4, 4), (4, 5), (8, 7), (8, 8)]
            ]
        },
        ["clone: r1c1 r1c2 | r5c5 r5c6", "clone: r5c5 r5c6 | r9c8 r9c9"],
    ),
    (
        "maximums that touch, whose angles point outwards",
        "Shaded cells are greater than their neighbours.",
        {
            "underlays": [disc(0.5, column, 1, "#ccc", None, rounded=False) for column in (0.5, 1.5)],
            "lines": [
                line("#000000", 1, [0.89, 0.4], [0.94, 0.5], [0.89, 0.6]),
                line("#000000", 1, [0.4, 1.89], [0.5, 1.94], [0.6, 1.89]),
                line("#000000", 1, [0.89, 1.4], [0.94, 1.5], [0.89, 1.6]),
            ],
        },
        ["maximum: r1c1 | r1c2", "maximum: r1c2 | r1c1"],
    ),
]


@pytest.mark.parametrize(
    ("named", "drawn", "expected"), [case[1:] for case in SHAPES], ids=[case[0] for case in SHAPES]
)
def test_a_shape_is_read_when_the_rules_name_it(named: str, drawn: dict[str, Any], expected: list[str]) -> None:
    file = {"cages": [rules(named)]} | drawn
    shared = read(**file)
    assert shared.unknown == ()
    assert written(shared) == expected
    # the same drawing without a word about it
    file["cages"] = [rules("Normal rules.") if "value" in cage else cage for cage in file["cages"]]
    shared = read(**file)
    assert shared.unknown
    assert written(shared) == []


def test_cages_have_sums_unless_the_rules_give_them_another_meaning() -> None:
    def cages(text: str, **more: Any) -> ImportedPuzzle:
        return read(cages=[rules(text), {"cells": [[0, 0], [0, 1]], "value": "3"} | more])

    assert written(cages("Normal rules.", unique=True, sum=3)) == ["killer 3: r1c1 r1c2"]
    assert written(cages("Digits in cages have the sum given.")) == ["killer 3: r1c1 r1c2"]
    assert written(cages("Digits in a cage have the sum given. Digits may repeat in a cage.")) == ["sum 3: r1c1 r1c2"]
    assert written(cages("Killer cages.", unique=True, value=None)) == ["killer: r1c1 r1c2"]
    for shared in (
        cages("Cages show the product of their digits.", unique=True),
        cages("Normal rules."),
        cages("Digits in cages have the sum given.", outlineC="#000000"),
        cages("Digits in cages have the sum given.", value="3?"),
        read(cages=[rules("Cages are thermometers."), {"cells": [[0, 0]]}]),
    ):
        assert shared.unknown
        assert written(shared) == []


@pytest.mark.parametrize(
    "text",
    [
        "Cells a knight's move apart differ.",
        "Adjacent cells cannot be consecutive.",
        "All possible dots are given.",
        "Place the digits 0-8.",
        "Digits on arrows sum to the circle.",
        "Normal sudoku rules do NOT apply.",
    ],
)
def test_a_rule_that_the_file_does_not_state_is_named(text: str) -> None:
    (found,) = read(cages=[rules(text)]).unknown
    assert found.startswith("the rules text speaks of")


@pytest.mark.parametrize(
    "keys",
    [
        {"lines": [line("#67F067", 6, [0.5, 0.5], [0.5, 1.5])]},
        {"lines": [line(GREY, 16, [0.5, 0.5], [3.5, 1.5])]},
        {"overlays": [text_at(0.5, 0.5, "A")]},
        {"underlays": [disc(0.5, 0.5, 0.85, GREY, GREY)]},
        {"underlays": [disc(0.5, 0.5, 1, "#FF0000", None, rounded=False)]},
        {"arrows": [line("#a1a1a1", 5, [0.5, 0.8], [0.5, 2.5])]},
        {"triggereffect": [1]},
        {"metadata": {"antichess": True}},
    ],
)
def test_what_is_left_of_a_drawing_is_named(keys: dict[str, Any]) -> None:
    text = "Thermometers, red cells, palindromes and arrows that sum to circles."
    shared = read(**({"cages": [rules(text)]} | keys))
    assert written(shared) == []
    assert set(shared.unknown) > set(read(cages=[rules(text)]).unknown)


def test_the_text_around_a_puzzle_is_read_in_both_places_for_it() -> None:
    given = [f"{key}: {value}" for key, value in (("title", "T"), ("author", "A"), ("rules", "R"))]
    cages = [{"value": value} for value in (*given, "solution: 1234341221434321")]
    old = read(size=4, height=2, cages=cages, metaData={"antiknight": True})
    new = read(
        size=4,
        height=2,
        metadata={"title": "T", "author": "A", "rules": ["R"], "solution": "1234341221434321", "antiknight": True},
    )
    assert old == new
    assert (old.title, old.author, old.rules, written(old)) == ("T", "A", "R", ["anti-knight"])
    assert old.solution is not None


def test_cells_regions_and_boards() -> None:
    shared = read(size=4, height=2, clues="1...............")
    assert shared.puzzle.clues.rows[0] == (1, 0, 0, 0)
    assert shared.puzzle.ruleset.box == (2, 2)
    assert read(size=4, height=1).puzzle.ruleset.box is None
    open_board = {"size": 4, "height": 2, "regions": [], "cages": [rules("Sudoku without boxes.")]}
    assert read(**open_board).puzzle.ruleset.box is None
    assert not read(**open_board).unknown
    assert read(**(open_board | {"cages": [rules("Draw a loop.")]})).unknown
    jigsaw = [[[0, 0], [0, 1], [0, 2], [1, 0]], [[0, 3], [1, 1], [1, 2], [1, 3]]]
    shared = read(size=4, height=2, regions=jigsaw)
    assert written(shared) == ["regions: r1c1 r1c2 r1c3 r2c1 | r1c4 r2c2 r2c3 r2c4"]


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"cages": [{"cells": [[0, 9]], "value": "3"}]}, "cage 1: r1c10 is not on the board of 9x9"),
        ({"cages": [{"cells": [[0, 0]], "value": "10", "unique": True}]}, "cage 1: 1 different digits have a sum"),
        ({"cages": [{"cells": [], "value": "10"}]}, "cage 1 has no cells"),
        ({"cages": [{"cells": ["r1c1"]}]}, "cage 1: 'r1c1' is not a row and column"),
        ({"regions": [[[0, 0], [0, 1]]]}, "the board is 9x9, but its regions have 2 cells"),
        ({"regions": [[[0, c] for c in range(9)], [[1, 1]]]}, "the region of r2c2 has 1 cells, not 9"),
        ({"lines": [{"wayPoints": [[0.5, "a"]]}]}, "line 1: 'a' is not a length"),
        ({"overlays": [{"center": 3}]}, "overlay 1: 3 is not a row and column"),
        ({"cells": []}, "a file has 2 to 32 rows and columns, not 0 and 0"),
        ({"cells": [[1, 2], [3, 4]], "regions": []}, "the cell r1c1 is 1, not an object"),
    ],
)
def test_what_makes_no_sense_is_refused_with_its_place(keys: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as error:
        read(**keys)
    assert str(error.value).startswith(f"the SudokuPad link: {message}")


def test_zipped_json_is_read_as_it_was() -> None:
    file = sudokupad(size=4, height=2, clues="1..4")
    file |= {"title": "A 'c' {},[]", "a b": None, "lines": [{"color": "#FFFFFF", "thickness": -0.02, "x": True}]}
    file |= {"overlays": [{"text": "é\n\\", "rounded": False, "center": [1e-17, 2]}], "cages": []}
    assert load_zipped(zipped(file)) == load_zipped(json.dumps(file)) == file
    for text in ("{a:[1}", "{a:1", "{a:b}", "{a 1}", "{a:1}}", "{a:[1 2]}", "{:1}", "[" * 1000, "{a:" * 1000, "", "1"):
        with pytest.raises(UsageError):
            load_zipped(text)


def test_older_links_hold_plain_json() -> None:
    file = sudokupad(size=4, height=2, clues="1..4")
    expected = read_link(sudokupad_link(file))
    assert read_link(f"https://app.crackingthecryptic.com/sudoku/ctc{compress(json.dumps(file))}") == expected
    assert read_link(json.dumps(file)) == read_link(zipped(file)) == expected


def test_what_a_program_can_state_is_listed() -> None:
    tried = {rule.split(":")[0].split()[0] for *_, rules in SHAPES for rule in rules}
    assert {kind.text for kind in PROGRAMS["SudokuPad"]} == tried | {
        *("lines", "boxes", "regions", "killer", "sum", "minimum", "anti-knight", "anti-king")
    }
