"""Files of f-puzzles, SudokuPad and Penpa+ beyond the rules that each key or mark states."""

import json
from typing import Any

import pytest
from links import fpuzzles, fpuzzles_link, penpa_link, sudokupad, sudokupad_link, written, zipped

from ringdoku import Grid, Puzzle, Session, UsageError, classic
from ringdoku.constraints.lines import Renban
from ringdoku.constraints.sums import Killer
from ringdoku.domain import shortened
from ringdoku.domain.constraint import Boxes
from ringdoku.links import LINKS, ImportedPuzzle, read_link
from ringdoku.links.compression import compress, deflate
from ringdoku.links.sudokupad import load_zipped

SOLUTION = "1234341221434321"


def read_fpuzzles(**keys: Any) -> ImportedPuzzle:
    return read_link(fpuzzles_link(fpuzzles(**keys)))


def read_sudokupad(**keys: Any) -> ImportedPuzzle:
    return read_link(sudokupad_link(sudokupad(**keys)))


# f-puzzles


def test_a_whole_puzzle_is_solved_and_the_text_around_it_made_printable() -> None:
    shared = read_fpuzzles(size=4, title="A\x1b \ud83d\ude00\ud800", author="B", ruleset="C\r\nD", solution=[*SOLUTION])
    assert (shared.title, shared.author, shared.rules) == ("A  😀", "B", "C\nD")
    assert shared.solution is not None
    assert shared.solution.digits == tuple(map(int, SOLUTION))
    assert read_fpuzzles(size=4, solution="12343412.1434321").solution is None
    shared = read_fpuzzles(
        size=6,
        killercage=[{"cells": ["R1C1", "R1C2", "R2C1"], "value": "7"}, {"cells": ["R1C3", "R1C4"], "value": "7"}],
        thermometer=[{"lines": [["R3C1", "R3C2"]]}],
        arrow=[{"cells": ["R6C1"], "lines": [["R6C1", "R5C2", "R4C1"]]}],
        difference=[{"cells": ["R4C5", "R4C6"], "value": "2"}],
        clues="..3.....6......5.4................12",
        solution="123456456123231564564231312645645312",
    )
    (grid,) = Session("cadical195").solutions(shared.puzzle)
    assert grid == shared.solution


def test_cells_have_clues_pencil_marks_parities_and_regions() -> None:
    file = fpuzzles(size=4)
    file["grid"][0][0] |= {"value": 3, "given": 1}
    file["grid"][0][1] |= {"value": 4, "centerPencilMarks": [1]}
    file["grid"][0][2] |= {"givenPencilMarks": [2, 1], "parity": "Odd"}
    shared = read_link(fpuzzles_link(file))
    assert shared.puzzle.clues.rows[0] == (3, 0, 0, 0)
    assert written(shared) == ["allowed 1 2: r1c3", "odd: r1c3"]
    assert shared.puzzle.ruleset.box == (2, 2)
    # a region of another box's cells, and no region at all
    file["grid"][0][1]["region"], file["grid"][0][2]["region"] = 1, 0
    jigsaw = read_link(fpuzzles_link(file)).puzzle.ruleset
    assert jigsaw.box is None
    assert (0, 2, 4, 5) in [house.cells for house in jigsaw.houses]
    assert written(read_fpuzzles(size=4, grid=4 * [4 * [{"region": None}]])) == []


@pytest.mark.parametrize(
    ("size", "box"), [(4, (2, 2)), (6, (2, 3)), (7, None), (8, (2, 4)), (10, (2, 5)), (16, (4, 4))]
)
def test_a_size_has_its_usual_boxes(size: int, box: tuple[int, int] | None) -> None:
    ruleset = read_fpuzzles(size=size).puzzle.ruleset
    assert ruleset.box == box
    assert len([rule for rule in ruleset.constraints if isinstance(rule, Boxes)]) == (box is not None)


def test_pictures_of_typed_rules_are_no_further_rules() -> None:
    line = ["R1C1", "R1C2"]
    drawn = {
        "line": [{"lines": [line], "isNewConstraint": True}, {"lines": [line[::-1]], "fromConstraint": "Renban"}],
        "circle": [{"cells": ["R1C1"], "fromConstraint": "Slow Thermometer"}],
        "text": [{"cells": ["R0C3"], "value": "8", "fromConstraint": "X Sum"}],
        "cage": [{"cells": ["R5C5"], "fromConstraint": "Row Indexer"}, {"cells": ["R1C1"], "value": "title: T"}],
    }
    typed = {
        "renban": [{"lines": [line]}],
        "xsum": [{"cell": "R0C3", "value": "8"}],
        "rowindexer": [{"cells": ["R5C5"]}],
    }
    assert read_fpuzzles(**typed, **drawn).unknown == ()
    # the same pictures without the rules that they show, or without the line alone
    assert len(read_fpuzzles(**drawn).unknown) == 4
    assert read_fpuzzles(**typed | {"renban": []}, **drawn).unknown == (
        "2 elements are only drawn, not typed: line 1, line 2",
    )


@pytest.mark.parametrize(
    "sentence",
    [
        "In each 2x2 area there is an even and an odd digit",
        "Normal sudoku rules apply, and each digit occupies each position in a box",
        "The cages have the same total",
        "Digits may not repeat along an arrow",
        "Cages that touch have a digit in common",
        "Each cage has an odd digit",
        "Digits along an arrow sum to its circle and ascend from the tip",
        "Exactly one box is a magic square, in which each row and column has the same sum",
    ],
)
def test_sentences_that_are_not_about_rules_of_the_file_are_named(sentence: str) -> None:
    usual = "Normal sudoku rules apply, i.e. place 1-4 once in each row, column and box. You may not like it. "
    about = "Arrows show sums (in any way). Digits in cages sum to the total, e.g. r1c1 is at most 3. "
    marks: dict[str, Any] = {"size": 4, "killercage": [{"cells": ["R1C1", "R1C2"], "value": "4"}]}
    marks["arrow"] = [{"cells": ["R2C1"], "lines": [["R2C1", "R2C2"]]}]
    assert read_fpuzzles(ruleset=f"{usual}{about}Not all clues are given.", **marks).unknown == ()
    assert read_fpuzzles(ruleset=f"{usual}{about}{sentence}.", **marks).unknown == (
        f"the rules text says {shortened(sentence, 80)!r}, which is not understood",
    )


def test_colours_count_when_the_rules_speak_of_them_and_no_rule_is_typed() -> None:
    file = fpuzzles(size=4, ruleset="Shaded areas.")
    file["grid"][0][0]["c"], file["grid"][3][3]["cArray"] = "#A8A8A8", ["#FFFFFF"]
    (found,) = read_link(fpuzzles_link(file)).unknown
    assert "'#A8A8A8' in r1c1" in found
    assert read_link(fpuzzles_link(file | {"extraregion": [{"cells": ["R1C1"]}]})).unknown == ()
    assert read_link(fpuzzles_link(file | {"ruleset": "Normal rules."})).unknown == ()


# SudokuPad


def rules(text: str) -> dict[str, str]:
    return {"value": f"rules: {text}"}


def test_a_cage_without_repeats_needs_no_words() -> None:
    def cages(text: str, **more: Any) -> list[str]:
        return written(read_sudokupad(cages=[rules(text), {"cells": [[0, 0], [0, 1]], "value": "3"} | more]))

    assert cages("Normal rules.", unique=True, sum=3) == ["killer 3: r1c1 r1c2"]
    assert cages("Killer cages.", unique=True, value=None) == ["killer: r1c1 r1c2"]


def test_the_text_around_a_puzzle_is_read_in_both_places_for_it() -> None:
    given = {"title": "T", "author": "A", "rules": "R", "solution": SOLUTION}
    cages = [{"value": f"{key}: {value}"} for key, value in given.items()]
    old = read_sudokupad(size=4, height=2, cages=cages, metaData={"antiknight": True})
    # the first of two counts
    again = [{"value": f"{key}: Z"} for key in ("title", "author")]
    new = read_sudokupad(size=4, height=2, cages=again, metadata=given | {"rules": ["R"], "antiknight": True})
    assert old == new
    assert (old.title, old.author, old.rules, written(old)) == ("T", "A", "R", ["anti-knight"])
    assert old.solution is not None


def test_cells_regions_and_boards() -> None:
    shared = read_sudokupad(size=4, height=2, clues="1...............")
    assert shared.puzzle.clues.rows[0] == (1, 0, 0, 0)
    assert shared.puzzle.ruleset.box == (2, 2)
    assert read_sudokupad(size=4, height=1).puzzle.ruleset.box is None
    open_board = {"size": 4, "height": 2, "regions": [], "cages": [rules("Sudoku without boxes.")]}
    assert read_sudokupad(**open_board).puzzle.ruleset.box is None
    assert not read_sudokupad(**open_board).unknown
    assert read_sudokupad(**(open_board | {"cages": [rules("Draw a loop.")]})).unknown
    jigsaw = [[[0, 0], [0, 1], [0, 2], [1, 0]], [[0, 3], [1, 1], [1, 2], [1, 3]]]
    shared = read_sudokupad(size=4, height=2, regions=jigsaw)
    assert written(shared) == ["regions: r1c1 r1c2 r1c3 r2c1 | r1c4 r2c2 r2c3 r2c4"]


def test_zipped_json_and_the_plain_json_of_older_links_are_read_as_they_were() -> None:
    file = sudokupad(size=4, height=2, clues="1..4")
    file |= {"title": "A 'c' {},[]", "a b": None, "lines": [{"color": "#FFFFFF", "thickness": -0.02, "x": True}]}
    file |= {"overlays": [{"text": "é\n\\", "rounded": False, "center": [1e-17, 2]}], "cages": []}
    assert load_zipped(zipped(file)) == load_zipped(json.dumps(file)) == file
    for text in ("{a:[1}", "{a:1", "{a:b}", "{a 1}", "{a:1}}", "{a:[1 2]}", "{:1}", "[" * 1000, "{a:" * 1000, "", "1"):
        with pytest.raises(UsageError):
            load_zipped(text)
    file = sudokupad(size=4, height=2, clues="1..4")
    expected = read_link(sudokupad_link(file))
    assert read_link(f"https://app.crackingthecryptic.com/sudoku/ctc{compress(json.dumps(file))}") == expected
    assert read_link(json.dumps(file)) == read_link(zipped(file)) == expected


# Penpa+: rows of points have 8 for a board of 4x4, whose first cell is point 18, and whose first corner is 73


def test_a_puzzle_with_boxes_is_solved() -> None:
    clues = {str(place): [digit, 1, "1"] for place, digit in ((18, "1"), (19, "2"), (20, "3"), (26, "3"), (28, "1"))}
    clues |= {"34": ["2", 1, "1"], "35": ["1", 1, "10"]}
    cross = {f"{75 + 8 * step},{83 + 8 * step}": 2 for step in range(4)}
    cross |= {f"{89 + step},{90 + step}": 21 for step in range(4)}
    layer = {"number": clues, "lineE": cross}
    shared = read_link(penpa_link(layer, title="Puzzle, zipped", rules="Rules,\nA = B", solution=SOLUTION))
    assert (shared.title, shared.author, shared.rules, shared.unknown) == ("Puzzle, zipped", "A", "Rules,\nA = B", ())
    assert shared.puzzle.ruleset.box == (2, 2)
    (grid,) = Session("cadical195").solutions(shared.puzzle)
    assert grid == shared.solution


def test_letters_in_a_margin_name_rows_a_square_is_a_sudoku_when_it_says_so_and_cages_have_sides() -> None:
    # with a margin rows of points have 9; the first cell is at 30
    label = {"number": {"29": ["A", 1, "1"]}, "symbol": {"29": [5, "arrow_Short", 1]}}
    assert read_link(penpa_link(label, margin=1)).unknown == ()
    assert read_link(penpa_link({"number": {"29": ["7", 1, "1"]}}, margin=1)).unknown
    assert read_link(penpa_link(label, margin=1, rules="Letters outside are sums.")).unknown
    assert read_link(penpa_link({}, kind="square")).unknown
    assert not read_link(penpa_link({}, kind="square", title="Some Sudoku")).unknown
    boxes = "no regions are drawn, of which the rules text speaks"
    assert read_link(penpa_link({}, rules="Normal sudoku rules apply.")).unknown == (boxes,)
    assert not read_link(penpa_link({}, rules="There are no boxes.")).unknown
    sides_of_two_cells = ("328,329", "329,331", "331,361", "361,363", "362,363", "360,362", "330,360", "328,330")
    cage = {"killercages": [[18, 26]], "cage": dict.fromkeys(sides_of_two_cells, 10), "number": {"20": ["X", 1, "1"]}}
    assert read_link(penpa_link(cage, rules="Killer")).unknown == ("the text 'X' is drawn, without a type",)
    crossed = {"killercages": [[18, 26], [18, 19]], "numberS": {"328": ["5", 1]}}
    overlap = "a small number stands where cages overlap"
    assert read_link(penpa_link(crossed, rules="Killer")).unknown[0] == overlap


def test_lines_of_our_text_form_among_the_words_are_rules_with_their_pictures() -> None:
    text = "Some rules.\nrenban: r1c1 r1c2\nrenban: r1c2-r1c3\nclone: r2c1 | r3c3\nkiller 9: r9c9"
    layer = {"line": {"18,19": 3}, "surface": {"26": 3, "36": 1}}
    shared = read_link(penpa_link(layer, rules=text))
    assert (shared.rules, shared.unknown) == ("Some rules.\nrenban: r1c2-r1c3\nkiller 9: r9c9", ())
    assert written(shared) == ["renban: r1c1 r1c2", "clone: r2c1 | r3c3"]
    assert read_link(penpa_link({"line": {"19,20": 3}}, rules=text)).unknown
    four = classic(4).extended(Renban((0, 1)), Killer(7, (4, 5)))
    again = read_link(LINKS["penpa"](ImportedPuzzle(Puzzle(four, Grid.blank(4)), rules="Normal rules.")))
    assert again.rules == "Normal rules.\nKiller rules: the digits differ and have the sum, if one is given."
    assert {*written(again)} == {"renban: r1c1 r1c2", "killer 7: r2c1 r2c2"}


@pytest.mark.parametrize(
    ("link", "message"),
    [
        (f"m=solve&p={deflate('hex,9,9')}", "the file has 1 lines, not 6 or more"),
        (f"m=solve&p={deflate('hex,9,9' + 6 * chr(10))}", "the grid is of the type 'hex', not square or sudoku"),
        (f"m=solve&p={deflate('square,4,4' + 5 * chr(10) + '[18,2,6,2]')}", "the cells are no square of up to 32x32"),
        (penpa_link({})[:-8], "the link's data"),
        ("m=solve&p=*", "the link's data is not base64"),
        ("https://swaroopg92.github.io/penpa-edit/", "there is no puzzle in the address"),
    ],
)
def test_a_damaged_penpa_link_is_refused(link: str, message: str) -> None:
    with pytest.raises(UsageError) as error:
        read_link(link)
    assert str(error.value).startswith(f"the Penpa+ link: {message}")
