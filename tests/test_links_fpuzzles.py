from __future__ import annotations

from typing import Any

import pytest
from links import fpuzzles, fpuzzles_link, written

from ringdoku import Session, UsageError
from ringdoku.domain.constraint import Boxes
from ringdoku.links import PROGRAMS, ImportedPuzzle, read_link

RULES: list[tuple[str, dict[str, Any], list[str]]] = [
    ("diagonals", {"diagonal+": True, "diagonal-": True}, ["diagonal-up", "diagonal-down"]),
    ("chess moves", {"antiknight": True, "antiking": True, "diagonal-": False}, ["anti-knight", "anti-king"]),
    ("disjoint groups", {"disjointgroups": True}, ["disjoint-groups 3x3"]),
    ("a cage", {"killercage": [{"cells": ["R1C1", "R1C2"], "value": "3"}]}, ["killer 3: r1c1 r1c2"]),
    (
        "cages without a sum",
        {"killercage": [{"cells": ["R1C1"]}, {"cells": ["R2C1"], "value": "0"}, {"cells": ["R3C1"], "value": "?"}]},
        ["killer: r1c1", "killer: r2c1", "killer: r3c1"],
    ),
    ("a cage of a number", {"killercage": [{"cells": ["R1C1", "R1C2"], "value": 3}]}, ["killer 3: r1c1 r1c2"]),
    (
        "little killers from all sides",
        {
            "littlekillersum": [
                {"cell": "R0C7", "cells": ["R1C8", "R2C9"], "direction": "DR", "value": "6"},
                {"cell": "R3C10", "direction": "UL", "value": "7"},
                {"cell": "R10C3", "direction": "UL", "value": "8"},
                {"cell": "R0C0", "direction": "DR", "value": ""},
                {"cell": "R7C0", "direction": "DR", "value": "9"},
                {"cell": "R0C4", "direction": "DL", "value": "11"},
                {"cell": "R4C0", "direction": "UR", "value": "12"},
                {"cell": "R10C6", "direction": "UR", "value": "13"},
                {"cell": "R6C10", "direction": "DL", "value": "14"},
            ]
        },
        [
            "little-killer 6: r1c8 r2c9",
            "little-killer 7: r2c9 r1c8",
            "little-killer 8: r9c2 r8c1",
            "little-killer 9: r8c1 r9c2",
            "little-killer 11: r1c3 r2c2 r3c1",
            "little-killer 12: r3c1 r2c2 r1c3",
            "little-killer 13: r9c7 r8c8 r7c9",
            "little-killer 14: r7c9 r8c8 r9c7",
        ],
    ),
    (
        "arrows, one from a pill",
        {
            "arrow": [
                {"cells": ["R5C3"], "lines": [["R5C3", "R6C3", "R7C3"], ["R5C3", "R4C4"], ["R5C3"]]},
                {"cells": ["R1C2", "R1C1"], "lines": [["R1C2", "R1C3"]]},
            ]
        },
        ["arrow: r5c3 | r6c3 r7c3", "arrow: r5c3 | r4c4", "arrow: r1c1 r1c2 | r1c3"],
    ),
    (
        "thermometers",
        {
            "thermometer": [{"lines": [["R1C1", "R1C2"], ["R1C1", "R2C1"], ["R5C5"]]}],
            "slowthermometer": [{"lines": [["R3C1", "R3C2"]]}],
        },
        ["thermometer: r1c1 r1c2", "thermometer: r1c1 r2c1", "slow-thermometer: r3c1 r3c2"],
    ),
    (
        "lines",
        {
            "palindrome": [{"lines": [["R1C1", "R1C2"]]}],
            "renban": [{"lines": [["R2C1", "R2C2"]]}],
            "nabner": [{"lines": [["R3C1", "R3C2"]]}],
            "betweenline": [{"lines": [["R4C1", "R4C2"]]}],
            "lockout": [{"lines": [["R5C1", "R5C2"]]}],
            "modularline": [{"lines": [["R6C1", "R6C2"]]}],
            "entropicline": [{"lines": [["R7C1", "R7C2"]]}],
            "zipperline": [{"lines": [["R8C1", "R8C2"]]}],
            "doublearrow": [{"lines": [["R9C1", "R9C2", "R9C3"]]}],
        },
        [
            "palindrome: r1c1 r1c2",
            "renban: r2c1 r2c2",
            "nabner: r3c1 r3c2",
            "between: r4c1 r4c2",
            "lockout 4: r5c1 r5c2",
            "modular 3: r6c1 r6c2",
            "entropic: r7c1 r7c2",
            "zipper: r8c1 r8c2",
            "double-arrow: r9c1 r9c2 r9c3",
        ],
    ),
    (
        "whispers",
        {"whispers": [{"lines": [["R1C1", "R1C2"]]}, {"lines": [["R2C1", "R2C2"]], "value": "4"}]},
        ["whisper 5: r1c1 r1c2", "whisper 4: r2c1 r2c2"],
    ),
    (
        "region sums, which start anew with each visit to a box",
        {"regionsumline": [{"lines": [["R3C1", "R4C1", "R4C2", "R3C2"], ["R1C1", "R1C2"]]}]},
        ["equal-sums: r3c1 | r4c1 r4c2 | r3c2"],
    ),
    (
        "dots and their usual numbers",
        {
            "difference": [{"cells": ["R1C1", "R1C2"]}, {"cells": ["R2C1", "R2C2"], "value": "3"}],
            "ratio": [{"cells": ["R3C1", "R3C2"], "value": ""}, {"cells": ["R4C1", "R4C2"], "value": "3"}],
        },
        ["difference 1: r1c1 r1c2", "difference 3: r2c1 r2c2", "ratio 2: r3c1 r3c2", "ratio 3: r4c1 r4c2"],
    ),
    (
        "X and V",
        {"xv": [{"cells": ["R1C1", "R1C2"], "value": v} if v else {"cells": ["R2C1", "R2C2"]} for v in ("X", "v", "")]},
        ["pair-sum 10: r1c1 r1c2", "pair-sum 5: r1c1 r1c2"],
    ),
    (
        "dots of both colours except pairs from the negative ratio and from nonconsecutive",
        {
            "negative": ["ratio", "xv"],
            "nonconsecutive": True,
            "difference": [{"cells": ["R1C2", "R1C1"]}],
            "ratio": [{"cells": ["R3C1", "R3C2"], "value": "3"}],
            "xv": [{"cells": ["R5C1", "R5C2"], "value": "X"}],
        },
        [
            "no-ratio 3: r1c1 r1c2 | r3c1 r3c2",
            "no-pair-sum 5 10: r5c1 r5c2",
            "non-consecutive: r1c1 r1c2 | r3c1 r3c2",
            "difference 1: r1c2 r1c1",
            "ratio 3: r3c1 r3c2",
            "pair-sum 10: r5c1 r5c2",
        ],
    ),
    ("a negative ratio without dots", {"negative": ["ratio"]}, ["no-ratio 2"]),
    (
        "clones",
        {"clone": [{"cells": ["R1C1", "R1C2"], "cloneCells": ["R5C5", "R5C6"]}]},
        ["clone: r1c1 r1c2 | r5c5 r5c6"],
    ),
    (
        "a quadruple",
        {"quadruple": [{"cells": ["R1C1", "R1C2", "R2C1", "R2C2"], "values": [1, 2, 2]}]},
        ["contains 1 2 2: r1c1 r1c2 r2c1 r2c2"],
    ),
    (
        "minimums that touch",
        {"minimum": [{"cell": "R3C8"}, {"cell": "R3C9"}], "maximum": [{"cell": "R4C9"}]},
        ["minimum: r3c8 | r3c9", "minimum: r3c9 | r3c8", "maximum: r4c9"],
    ),
    (
        "parity",
        {"odd": [{"cell": "R1C1"}, {"cell": "R1C2"}], "even": [{"cell": "R2C1"}]},
        ["odd: r1c1 r1c2", "even: r2c1"],
    ),
    (
        "clues from all sides",
        {
            "sandwichsum": [{"cell": "R0C4", "value": "0"}, {"cell": "R4C10", "value": "x"}],
            "xsum": [{"cell": "R10C1", "value": 6}],
            "skyscraper": [{"cell": "R1C0", "value": "3"}],
        },
        [
            "sandwich 0: r1c4 r2c4 r3c4 r4c4 r5c4 r6c4 r7c4 r8c4 r9c4",
            "x-sum 6: r9c1 r8c1 r7c1 r6c1 r5c1 r4c1 r3c1 r2c1 r1c1",
            "skyscraper 3: r1c1 r1c2 r1c3 r1c4 r1c5 r1c6 r1c7 r1c8 r1c9",
        ],
    ),
    ("an extra region", {"extraregion": [{"cells": ["R1C1", "R5C5"]}]}, ["extra-region: r1c1 r5c5"]),
    (
        "indexers",
        {key: [{"cells": ["R2C4"]}] for key in ("rowindexer", "columnindexer", "boxindexer")},
        [
            "indexer 2: r2c4 | r1c4 r2c4 r3c4 r4c4 r5c4 r6c4 r7c4 r8c4 r9c4",
            "indexer 4: r2c4 | r2c1 r2c2 r2c3 r2c4 r2c5 r2c6 r2c7 r2c8 r2c9",
            "indexer 4: r2c4 | r1c4 r1c5 r1c6 r2c4 r2c5 r2c6 r3c4 r3c5 r3c6",
        ],
    ),
]


def read(**keys: Any) -> ImportedPuzzle:
    return read_link(fpuzzles_link(fpuzzles(**keys)))


@pytest.mark.parametrize(("keys", "rules"), [case[1:] for case in RULES], ids=[case[0] for case in RULES])
def test_a_key_becomes_its_rules(keys: dict[str, Any], rules: list[str]) -> None:
    shared = read(**keys)
    assert written(shared) == rules
    # the one value that says nothing we know
    assert len(shared.unknown) == ("sandwichsum" in keys)


def test_the_text_around_a_puzzle_is_kept_and_made_printable() -> None:
    solution = "1234341221434321"
    shared = read(size=4, title="A\x1b \ud83d\ude00\ud800", author="B", ruleset="C\r\nD", solution=list(solution))
    assert (shared.title, shared.author, shared.rules) == ("A  😀", "B", "C\nD")
    assert shared.solution is not None
    assert shared.solution.digits == tuple(map(int, solution))
    assert read(size=4, solution="12343412.1434321").solution is None


def test_cells_have_clues_pencil_marks_parities_and_regions() -> None:
    file = fpuzzles(size=4)
    file["grid"][0][0] |= {"value": 3, "given": True}
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
    file = fpuzzles(size=4)
    for row in file["grid"]:
        for cell in row:
            cell["region"] = None
    assert written(read_link(fpuzzles_link(file))) == []


@pytest.mark.parametrize(
    ("size", "box"), [(4, (2, 2)), (6, (2, 3)), (7, None), (8, (2, 4)), (10, (2, 5)), (16, (4, 4))]
)
def test_a_size_has_its_usual_boxes(size: int, box: tuple[int, int] | None) -> None:
    ruleset = read(size=size).puzzle.ruleset
    assert ruleset.box == box
    assert len([rule for rule in ruleset.constraints if isinstance(rule, Boxes)]) == (box is not None)


@pytest.mark.parametrize(
    ("keys", "sentence"),
    [
        ({"maxarrow": [{"cells": ["R1C1"]}]}, "the key 'maxarrow' is unknown"),
        ({"line": [{"lines": [["R1C1", "R1C2"]]}] * 2}, "2 elements are only drawn, not typed: line 1, line 2"),
        ({"cage": [{"cells": ["R1C1"], "value": "DR5"}]}, "an element is only drawn, not typed: cage 1"),
        ({"negative": ["sum"]}, "the negative rule 'sum' is unknown"),
        ({"xv": [{"cells": ["R1C1", "R1C2"], "value": "L"}]}, "xv 1 has the value 'L', neither X nor V"),
        ({"killercage": [{"cells": ["R1C1"], "value": "a"}]}, "killercage 1 has the value 'a', which is not a number"),
        ({"size": 8, "entropicline": [{"lines": [["R1C1", "R1C2"]]}]}, "entropicline 1: 8 digits cannot be cut"),
        ({"thermometer": [{"lines": [["R1C1", "R1C3"]]}]}, "thermometer 1 jumps from r1c1 to r1c3"),
        (
            {"arrow": [{"cells": ["R1C1"], "lines": [["R2C1", "R2C2"]]}]},
            "arrow 1 has a line that does not begin in its circle",
        ),
        (
            {"littlekillersum": [{"cell": "R0C7", "cells": ["R1C1"], "direction": "DR", "value": "6"}]},
            "littlekillersum 1 lists other cells",
        ),
    ],
)
def test_what_is_not_understood_is_named(keys: dict[str, Any], sentence: str) -> None:
    (found,) = read(**keys).unknown
    assert found.startswith(sentence)


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
    assert read(**typed, **drawn).unknown == ()
    # the same pictures without the rules that they show
    assert len(read(**drawn).unknown) == 4


def test_colours_count_when_the_rules_speak_of_them_and_no_rule_is_typed() -> None:
    file = fpuzzles(size=4, ruleset="Shaded cells hold primes.")
    file["grid"][0][0]["c"], file["grid"][3][3]["cArray"] = "#A8A8A8", ["#FFFFFF"]
    (found,) = read_link(fpuzzles_link(file)).unknown
    assert "'#A8A8A8' in r1c1" in found
    assert read_link(fpuzzles_link(file | {"extraregion": [{"cells": ["R1C1"]}]})).unknown == ()
    assert read_link(fpuzzles_link(file | {"ruleset": "Normal rules."})).unknown == ()


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"killercage": [{"cells": ["R1C1", "R10C1"]}]}, "killercage 1: R10C1 is not on a board of 9x9"),
        ({"killercage": [{"cells": []}]}, "killercage 1 has no cells, not one or more"),
        ({"killercage": [{"cells": ["R1C1", "R1C2"], "value": "18"}]}, "killercage 1: 2 different digits have a sum"),
        ({"killercage": [{"cells": ["R1C1"] * 2}]}, "killercage 1: a cage has each cell once"),
        ({"killercage": "R1C1"}, "killercage is 'R1C1', not a list"),
        ({"killercage": ["R1C1"]}, "killercage 1 is 'R1C1', not an object"),
        ({"killercage": [{"cells": ["A1"]}]}, "killercage 1: 'A1' is not a cell, such as R1C1"),
        ({"sandwichsum": [{"cell": "R0C1", "value": "36"}]}, "sandwichsum 1: 36 is out of reach, which is 0 to 35"),
        ({"sandwichsum": [{"cell": "R0C0", "value": "5"}]}, "sandwichsum 1: R0C0 is not a place beside the board"),
        ({"skyscraper": [{"cell": "R1C1", "value": "5"}]}, "skyscraper 1: R1C1 is not a place beside the board"),
        ({"littlekillersum": [{"cell": "R0C1", "direction": "U", "value": "5"}]}, "littlekillersum 1: the direction"),
        ({"thermometer": [{"lines": [["R1C1", "R1C2", "R1C1"]]}]}, "thermometer 1 comes back to a cell"),
        ({"difference": [{"cells": ["R1C1"]}]}, "difference 1 has 1 cells, not 2"),
        ({"clone": [{"cells": ["R1C1"], "cloneCells": ["R2C1", "R2C2"]}]}, "clone 1: clones have the same number"),
        ({"quadruple": [{"cells": ["R1C1"], "values": ["x"]}]}, "quadruple 1: 'x' is not a whole number"),
        ({"antiknight": "yes"}, "antiknight is 'yes', not true or false"),
        ({"size": 3}, "the size is 3, not one of 4 to 16"),
    ],
)
def test_what_makes_no_sense_is_refused_with_its_place(keys: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as error:
        read(**keys)
    assert str(error.value).startswith(f"the f-puzzles link: {message}")


def test_broken_grids_are_refused() -> None:
    short, wrong, strange = fpuzzles(size=4), fpuzzles(size=4), fpuzzles(size=4)
    short["grid"].pop()
    wrong["grid"][0][0] = {"value": 5, "given": True}
    strange["grid"][0][0] = {"region": 1}
    for file, message in (
        (short, "the grid is not 4 rows of 4 cells"),
        (wrong, "the cell r1c1: 5 is not a digit of a board of 4x4"),
        (strange, "the region of r1c1 has 5 cells, not 4"),
    ):
        with pytest.raises(UsageError, match=message):
            read_link(fpuzzles_link(file))


def test_a_whole_puzzle_is_solved() -> None:
    solution = "123456456123231564564231312645645312"
    shared = read(
        size=6,
        killercage=[{"cells": ["R1C1", "R1C2", "R2C1"], "value": "7"}, {"cells": ["R1C3", "R1C4"], "value": "7"}],
        thermometer=[{"lines": [["R3C1", "R3C2"]]}],
        arrow=[{"cells": ["R6C1"], "lines": [["R6C1", "R5C2", "R4C1"]]}],
        difference=[{"cells": ["R4C5", "R4C6"], "value": "2"}],
        grid=fpuzzles(size=6, clues="..3.....6......5.4................12")["grid"],
        solution=solution,
    )
    (grid,) = Session("cadical195").solutions(shared.puzzle)
    assert grid == shared.solution


def test_what_a_program_can_state_is_listed() -> None:
    tried = {rule.split(":")[0].split()[0] for *_, rules in RULES for rule in rules}
    assert {kind.text for kind in PROGRAMS["f-puzzles"]} == tried | {"lines", "boxes", "regions", "allowed"}
