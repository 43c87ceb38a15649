"""Texts and links of the Interactive Sudoku Solver: what each token means, and what is refused."""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from itertools import product
from random import Random
from urllib.parse import quote

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from puzzles import completions
from regions import are_connected, partitions

from ringdoku import Grid, Session, UsageError
from ringdoku.constraints.logic import Language
from ringdoku.constraints.text import write_board, write_rules
from ringdoku.domain.board import Board
from ringdoku.domain.constraint import write_constraint
from ringdoku.links import PROGRAMS, is_link, read_link
from ringdoku.links.iss import NAMES, read_iss
from ringdoku.text import Entry, read

SMALL = ".Shape~4x4"
BASE = ["lines", "boxes 2x2"]


ODD_AND_EVEN = "1,2 1,4 2,1 2,3 3,2 3,4 4,1 4,3"


def packed(
    starts: int, ends: Collection[int], edges: Collection[tuple[int, int, int]], symbols: int, counted: bool = False
) -> str:
    """An automaton as ISS packs it; starts are numbered first, then ends, then the other states."""
    states = max(max(state, after) for state, _, after in edges) + 1
    width, bits = max(1, (states - 1).bit_length()), ""

    def put(number: int, size: int) -> None:
        nonlocal bits
        bits += f"{number:0{size}b}" if size else ""

    put(0 if counted else 1, 2)
    put(width - 1, 4)
    put(symbols - 1, 4)
    put(starts, width)
    put(len([end for end in ends if end >= starts]), width)
    put(sum(1 << end for end in ends if end < starts), starts)
    if counted:
        put(6, 4)
    for state in range(states):
        leaving = sorted((symbol, after) for one, symbol, after in edges if one == state)
        if counted:
            put(len(leaving), 6)
        else:
            put(sum(1 << symbol for symbol, _ in leaving), symbols)
        for symbol, after in leaving:
            put(symbol, (symbols - 1).bit_length() if counted else 0)
            put(after, width)
    bits += "0" * (-len(bits) % 8)
    data = bytes(int(bits[start : start + 8], 2) for start in range(0, len(bits), 8))
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


NFA = packed(1, [1], [(0, 0, 1), (1, 1, 0)], 4)


def rules(text: str) -> list[str]:
    """The constraints of a text, in our own text form."""
    puzzle = read_iss(text)
    return [write_constraint(constraint, puzzle.board) for constraint in puzzle.ruleset.constraints]


def clues(text: str) -> str:
    """The digits given, 0 for none."""
    return "".join(map(str, read_iss(text).clues.digits))


MEANT = {
    # on 4×4 with boxes
    ".AllDifferent~R1C1~R2C2": ["extra-region: r1c1 r2c2"],
    ".Arrow~R1C1~R1C2~R1C3": ["arrow: r1c1 | r1c2 r1c3"],
    ".Between~R1C1~R1C2~R1C3": ["between: r1c1 r1c2 r1c3"],
    # an older code, with - and _ the other way
    ".Binary~-~_name~R1C1~R1C2": ["pairs 1,1 1,2 1,3 1,4 2,1 2,2: r1c1 r1c2"],
    ".BinaryX~apF~R1C1~R1C2~R2C1": [f"every-pair {ODD_AND_EVEN}: r1c1 r1c2 r2c1"],
    ".BlackDot~R1C1~R1C2": ["ratio 2: r1c1 r1c2"],
    ".Cage~5~R1C1~R1C2": ["killer 5: r1c1 r1c2"],
    ".Cage~~R1C1~R1C2": ["killer: r1c1 r1c2"],
    ".Cage~0~R1C1~R1C2": ["killer: r1c1 r1c2"],
    ".ContainAtLeast~1_1~R1C1~R1C2~R2C3": ["contains 1 1: r1c1 r1c2 r2c3"],
    ".ContainExact~1_2~R1C1~R1C2~R2C3": ["contains-exactly 1 2: r1c1 r1c2 r2c3"],
    ".CountDistinct~R1C1~R1C2~R2C3": ["count-distinct: r1c1 | r1c2 r2c3"],
    ".CountingCircles~R1C1~R1C2": ["counting-circles: r1c1 r1c2"],
    ".DoubleArrow~R1C1~R1C2~R1C3~R1C4": ["double-arrow: r1c1 r1c2 r1c3 r1c4"],
    ".EqualSum~R1C1~-~R2C2~R3C3": ["equal-sums: r1c1 | r2c2 r3c3"],
    ".EqualityCage~R1C1~R1C2": ["extra-region: r1c1 r1c2", "equality-cage: r1c1 r1c2"],
    ".GreaterThan~R1C1~R1C2~R2C1": ["greater: r1c1 r1c2", "greater: r1c1 r2c1"],
    ".Indexing~C~R1C2": ["indexer 2: r1c2 | r1c1 r1c2 r1c3 r1c4"],
    ".Indexing~R~R1C2": ["indexer 1: r1c2 | r1c2 r2c2 r3c2 r4c2"],
    ".Lockout~2~R1C1~R1C2~R1C3": ["lockout 2: r1c1 r1c2 r1c3"],
    ".LookAndSay~1203~R1C1~R1C2": ["contains-exactly 2: r1c1 r1c2", "allowed 1 2 4: r1c1 r1c2"],
    ".Lunchbox~3~R1C1~R1C2~R1C3": ["lunchbox 3: r1c1 r1c2 r1c3"],
    ".Modular~2~R1C1~R1C2": ["modular 2: r1c1 r1c2"],
    ".Modular~1~R1C1~R1C2": [],
    # from state 0, which is not an end, by 1 to state 1, which is one, and from there by 2 back
    f".NFA~{NFA}~_name~R1C1~R1C2": ["language 2 0,1,2 1,1,2 2,2,1: r1c1 r1c2"],
    ".Pair~_~R1C1~R1C2": ["pairs 1,1 1,2 1,3 1,4 2,1 2,2: r1c1 r1c2"],
    ".Pair~apF~_a~R1C1~R1C2~~R2C1~R2C2~_b~R3C1~R3C2": [
        f"pairs {ODD_AND_EVEN}: r1c1 r1c2",
        f"pairs {ODD_AND_EVEN}: r2c1 r2c2",
        f"pairs {ODD_AND_EVEN}: r3c1 r3c2",
    ],
    ".PairX~apF~_a~R1C1~R1C2": [f"every-pair {ODD_AND_EVEN}: r1c1 r1c2"],
    ".Palindrome~R1C1~R1C2~R2C3": ["palindrome: r1c1 r1c2 r2c3"],
    ".PillArrow~2~R1C2~R1C1~R2C1~R3C1": ["arrow: r1c1 r1c2 | r2c1 r3c1"],
    ".Quad~R1C2~1~1~2": ["contains 1 1 2: r1c2 r1c3 r2c2 r2c3"],
    # 1[23]*
    ".Regex~MVsyM10q~R1C1~R1C2~~R2C1": [
        "language 1 2 0,1,1 1,2,2 1,3,2 2,2,2 2,3,2: r1c1 r1c2",
        "language 1 2 0,1,1 1,2,2 1,3,2 2,2,2 2,3,2: r2c1",
    ],
    ".RegionSumLine~R1C1~R1C2~R1C3~R2C3~R2C2": ["equal-sums: r1c1 r1c2 | r1c3 r2c3 | r2c2"],
    ".RellikCage~3~R1C1~R1C2": ["rellik 3: r1c1 r1c2"],
    ".Renban~R1C1~R1C2": ["renban: r1c1 r1c2"],
    ".SameValues~2~R1C1~R1C2~R3C3~R3C4": ["same-digits: r1c1 r1c2 | r3c3 r3c4"],
    ".SameValues~3~R1C1~R2C3~R3C2": ["clone: r1c1 | r2c3 | r3c2"],
    ".SearchPriority~2~R1C1": [],
    ".Sum~5~R1C1~R1C1": ["sum 5: r1c1 r1c1"],
    ".Sum~0_=_1_-2~R1C1~R1C2": ["weighted-sum 0 1 -2: r1c1 r1c2"],
    ".SumLine~5~R1C1~R1C2": ["sum-line 5: r1c1 r1c2"],
    ".SumLine~5~R1C1~R1C2~R2C2~R2C1~LOOP": ["sum-loop 5: r1c1 r1c2 r2c2 r2c1"],
    ".Thermo~R1C1~R1C2": ["thermometer: r1c1 r1c2"],
    ".V~R1C1~R1C2": ["pair-sum 5: r1c1 r1c2"],
    ".ValueIndexing~R1C1~R2C1~R2C1~R2C2": ["value-indexing: r1c1 | r2c1 | r2c1 r2c2"],
    ".Whisper~R1C1~R1C2": ["whisper 5: r1c1 r1c2"],
    ".Whisper~2~R1C1~R1C2": ["whisper 2: r1c1 r1c2"],
    ".WhiteDot~R1C1~R1C2~R2C2": ["difference 1: r1c1 r1c2", "difference 1: r1c2 r2c2"],
    ".X~R1C1~R1C2": ["pair-sum 10: r1c1 r1c2"],
    ".Zipper~R1C1~R1C2~R1C3": ["zipper: r1c1 r1c2 r1c3"],
    ".FullRank~C1~~5": ["full-rank 5: r4c1 r3c1 r2c1 r1c1"],
    ".FullRank~R1~5~.FullRankTies~any": ["full-rank-with-ties 5: r1c1 r1c2 r1c3 r1c4"],
    ".FullRankTies~none": ["no-ties"],
    ".HiddenSkyscraper~R1~3~": ["hidden-skyscraper 3: r1c1 r1c2 r1c3 r1c4"],
    ".LittleKiller~9~R1C1": ["little-killer 9: r1c1 r2c2 r3c3 r4c4"],
    ".LittleKiller~9~R1C3": ["little-killer 9: r1c3 r2c2 r3c1"],
    ".LittleKiller~9~R3C4": ["little-killer 9: r3c4 r2c3 r1c2"],
    ".LittleKiller~9~R4C2": ["little-killer 9: r4c2 r3c3 r2c4"],
    ".NumberedRoom~C2~3~4": ["numbered-room 3: r1c2 r2c2 r3c2 r4c2", "numbered-room 4: r4c2 r3c2 r2c2 r1c2"],
    ".Sandwich~5~C2": ["sandwich 5: r1c2 r2c2 r3c2 r4c2"],
    ".Skyscraper~R1~~2": ["skyscraper 2: r1c4 r1c3 r1c2 r1c1"],
    ".XSum~R1~3~": ["x-sum 3: r1c1 r1c2 r1c3 r1c4"],
    ".AntiConsecutive": ["non-consecutive"],
    ".AntiKing": ["anti-king"],
    ".AntiKnight": ["anti-knight"],
    ".AntiTaxicab": ["anti-taxicab"],
    ".Diagonal~1": ["diagonal-up"],
    ".Diagonal~-1": ["diagonal-down"],
    ".DisjointSets": ["disjoint-groups 2x2"],
    ".RegionSameValues": [],
    ".StrictKropki.WhiteDot~R1C1~R1C2": [
        "difference 1: r1c1 r1c2",
        "no-difference 1: r1c1 r1c2",
        "no-ratio 2: r1c1 r1c2",
    ],
    ".StrictXV.X~R1C1~R1C2": ["pair-sum 10: r1c1 r1c2", "no-pair-sum 5 10: r1c1 r1c2"],
    # groups
    ".Or.Cage~3~R1C1~R1C2.And.~R1C1_1.~R2C2_3.End.End": [
        "either: { killer 3: r1c1 r1c2 } { allowed 1: r1c1; allowed 3: r2c2 }"
    ],
    ".And.Thermo~R1C1~R1C2.End": ["thermometer: r1c1 r1c2"],
    # the first, the fourth and the fifth cell, counted from R1C1
    ".Replicate~J.Cage~5~R1C1~R2C1.End": ["killer 5: r1c1 r2c1", "killer 5: r1c4 r2c4"],
    ".Replicate~R~R2C1.Cage~5~R1C1~R1C2.~R2C1_1_2.End": [
        "killer 5: r1c1 r1c2",
        "allowed 1 2: r2c1",
        "killer 5: r2c1 r2c2",
        "allowed 1 2: r3c1",
    ],
    ".Replicate~D.Replicate~R.Thermo~R1C1~R1C2.End.End": [
        "thermometer: r1c1 r1c2",
        "thermometer: r2c1 r2c2",
        "thermometer: r1c2 r1c3",
        "thermometer: r2c2 r2c3",
    ],
}

OTHER_BOARDS = {
    ".Shape~4x4~0-4.RegionSameValues": (
        BASE,
        "same-digits: r1c1 r1c2 r1c3 r1c4 | r2c1 r2c2 r2c3 r2c4 | r3c1 r3c2 r3c3 r3c4 | r4c1 r4c2 r4c3 r4c4 | "
        "r1c1 r2c1 r3c1 r4c1 | r1c2 r2c2 r3c2 r4c2 | r1c3 r2c3 r3c3 r4c3 | r1c4 r2c4 r3c4 r4c4 | "
        "r1c1 r1c2 r2c1 r2c2 | r1c3 r1c4 r2c3 r2c4 | r3c1 r3c2 r4c1 r4c2 | r3c3 r3c4 r4c3 r4c4",
    ),
    # four digits of five: the crusts are those that stand there
    ".Shape~4x4~5.Sandwich~2~R1": (BASE, "lunchbox 2: r1c1 r1c2 r1c3 r1c4"),
    ".Entropic~R1C1~R1C2": (["lines", "boxes 3x3"], "entropic: r1c1 r1c2"),
    ".GlobalEntropy": (["lines", "boxes 3x3"], "global-entropy"),
    ".GlobalMod": (["lines", "boxes 3x3"], "global-mod"),
    ".DutchFlatmates": (["lines", "boxes 3x3"], "dutch-flatmates"),
    ".Windoku": (["lines", "boxes 3x3"], "windoku 3x3"),
    ".Shape~9x9.Windoku": (["lines", "boxes 3x3"], "windoku 3x3"),
    ".Shape~10x10.Whisper~3~RaCa~RAC9": (["lines", "boxes 2x5"], "whisper 3: r10c10 r10c9"),
    ".Shape~6x6.Cage~3~R1C1~R1C2": (["lines", "boxes 2x3"], "killer 3: r1c1 r1c2"),
    ".Shape~6x4~6.Cage~3~R1C1~R1C2": (["lines", "boxes 3x2"], "killer 3: r1c1 r1c2"),
    ".Shape~6x6~9.RegionSize~4.Cage~3~R1C1~R1C2": (["lines", "boxes 2x2"], "killer 3: r1c1 r1c2"),
    ".Shape~6x6.NoBoxes.Cage~3~R1C1~R1C2": (["lines"], "killer 3: r1c1 r1c2"),
    ".Shape~5x5.Cage~3~R1C1~R1C2": (["lines"], "killer 3: r1c1 r1c2"),
    ".Shape~2x3~5~Raw.Cage~3~R1C1~R2C3": ([], "killer 3: r1c1 r2c3"),
    ".Shape~2x3~~Raw.Cage~3~R1C1~R2C3": ([], "killer 3: r1c1 r2c3"),
    ".Shape~4x4.NoBoxes.Jigsaw~aaaabbbbccccdddd.RegionSumLine~R1C1~R1C2~R2C2": (
        ["lines", "regions: r1c1 r1c2 r1c3 r1c4 | r2c1 r2c2 r2c3 r2c4 | r3c1 r3c2 r3c3 r3c4 | r4c1 r4c2 r4c3 r4c4"],
        "equal-sums: r1c1 r1c2 | r2c2",
    ),
    ".Shape~4x4~0-3.Var~A~name~2.Var~B.Cage~3~VA1~VA2~VB": (BASE, "killer 3: VA1 VA2 VB"),
    ".Shape~4x4.Var~A~~2x2.GreaterThan~VA1~VA3": (BASE, "greater: VA1 VA3"),
    ".Shape~4x4.Var~A~~2x2.Replicate~C~VA1.Whisper~2~VA1~VA3.End": (BASE, "whisper 2: VA2 VA4"),
    ".Shape~12x12.PillArrow~2~R1C1~R1C2~R1C3": (["lines", "boxes 3x4"], "arrow: r1c1 r1c2 | r1c3"),
}


@pytest.mark.parametrize("text", MEANT)
def test_a_token_means_constraints(text: str) -> None:
    assert rules(SMALL + text) == BASE + MEANT[text]


@pytest.mark.parametrize("text", OTHER_BOARDS)
def test_a_shape_and_regions_make_the_board(text: str) -> None:
    base, rule = OTHER_BOARDS[text]
    assert rules(text)[: len(base) + 1] == [*base, rule]


def test_every_token_is_tried() -> None:
    tried = set(re.findall(r"\.([A-Za-z]+)", " ".join((*MEANT, *OTHER_BOARDS))))
    solved = {"ChaosArrow", "ChaosConstruction", "ChaosCount", "ConnectedValues", "Doppelganger"}
    assert tried | solved == {*NAMES, "End"}


def test_what_a_text_can_state_is_listed() -> None:
    lines = [*(rule for rules in MEANT.values() for rule in rules), *(rule for _, rule in OTHER_BOARDS.values()), *BASE]
    tried = {rule.split(":")[0].split()[0] for rule in lines}
    of_extra_cells = {"unknown-regions", "connected-digits", "alike", "run-length", "regions"}
    assert {kind.text for kind in PROGRAMS["ISS"]} == tried | of_extra_cells


GIVEN = f"{SMALL}.~R1C1_1~R2C3_1_3~R2C3_2_3~R4C4_2_4"


def test_givens_are_clues_where_one_digit_is_left() -> None:
    assert clues(GIVEN) == "1000003000000000"
    assert rules(GIVEN) == [*BASE, "allowed 2 4: r4c4"]
    # what contradicts itself has no solution
    assert rules(f"{SMALL}.~R1C1_1~R1C1_2") == [*BASE, "allowed 1: r1c1", "allowed 2: r1c1"]


@pytest.mark.parametrize(
    "text",
    [
        f"https://sigh.github.io/Interactive-Sudoku-Solver/?q={quote(GIVEN)}",
        f"https://sigh.github.io/Interactive-Sudoku-Solver/?q={GIVEN}&code=x#fragment",
        f"  {GIVEN.replace('.~', ' . ~ ')}\n",
        f"# a comment\n{GIVEN}\n# another",
        f"{SMALL}\n\n \n.~R1C1_1~R2C3_3\n\n.~R4C4_2_4",
        f"1... ..3. .... ....\n\n{SMALL}.~R4C4_2_4",
        "=100000300000000x".replace("x", "0") + "\n\n.~R4C4_2_4",
        "1 0 0 0 | 0 0 3 0\n- - -\n. . . . | . . . .\n\n.~R4C4_2_4".replace("0", "."),
    ],
)
def test_every_form_of_a_text_is_the_same(text: str) -> None:
    assert read_iss(text) == read_iss(GIVEN)


def test_plain_parts() -> None:
    killer = "3<" + "." * 0 + "0" * 79
    assert rules(killer) == ["lines", "boxes 3x3", "killer 3: r1c1 r1c2", *(r for r in rules(killer)[3:])]
    regions = "aaaabbbbccccdddd"
    jigsaw = "regions: " + " | ".join(" ".join(f"r{row}c{column}" for column in range(1, 5)) for row in range(1, 5))
    assert rules(f"1...............{regions}") == ["lines", jigsaw]
    assert clues(f"1...............{regions}") == "1" + "0" * 15
    assert rules(regions + "\n\n.Cage~3~R1C1~R1C2") == ["lines", jigsaw, "killer 3: r1c1 r1c2"]
    candidates = "1.3" + ".2." + "123" * 7
    assert rules(candidates) == ["lines", "allowed 1 3: r1c1"]
    assert clues(candidates) == "020000000"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("1..............." + "aabb" * 2 + "ccdd" * 2, "regions"),
        ("aabb" * 2 + "ccdd" * 2, "regions"),
        ("1.34" + "1234" * 15, "allowed"),
        (".Windoku", "windoku"),
        ("..Cage~3~R1C1~R1C2\n\n.~R3C3_1", "killer"),
        (".~R1C1_1", "boxes"),
        (".Foo~3", None),
        # a grid of letters and dots, a full one, and digits that stand anywhere
        (".AB." * 64, "no link"),
        ("".join("ABCDEFGHIJKLMNOP"[row:] + "ABCDEFGHIJKLMNOP"[:row] for row in range(16)), "no link"),
        ("4321" * 16, "no link"),
        ("." * 64, "no link"),
    ],
)
def test_a_text_is_known_by_its_look(text: str, name: str | None) -> None:
    assert is_link(text) == (name != "no link")
    if name is None:
        with pytest.raises(UsageError, match=r"the ISS text: token 1, \.Foo~3: this token is unknown"):
            read_link(text)
    elif is_link(text):
        assert type(read_link(text).puzzle.ruleset.constraints[-1]).text == name
        # as an input, a line or a whole text
        (entry,) = read(io.BytesIO(text.encode()), "input")
        assert isinstance(entry, Entry)
        assert entry.puzzle == read_link(text).puzzle


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there is no puzzle in the text"),
        ("# nothing\n", "there is no puzzle in the text"),
        ("https://sigh.github.io/Interactive-Sudoku-Solver/", r"the link has no \?q="),
        ("Cage~3~R1C1", "starts with '.', not with 'Cage"),
        (".Cagge~3~R1C1", "token 1, .Cagge~3~R1C1: this token is unknown or not supported"),
        (".AntiKnight.cage~3~R1C1", "token 2, .cage~3~R1C1: this token is unknown"),
        (".Cage~x~R1C1", "token 1, .Cage~x~R1C1: the sum: 'x' is not a whole number"),
        (".Cage~3", "token 1, .Cage~3: there are no cells"),
        (".Cage~3~R1C0", "'R1C0' is not a cell of a board of 9x9"),
        (".Shape~4x4.Cage~3~R1C5", "token 2, .Cage~3~R1C5: 'R1C5' is not a cell of a board of 4x4"),
        (".Cage~3~VA1", "'VA1' is not a cell"),
        (".Cage~2~R1C1~R1C2", "2 different digits have a sum from 3 to 17, not 2"),
        (".Cage~١٢~R1C1~R1C2", "is not a whole number"),
        (".~R1C1_10", "digits of 9x9 are expected"),
        (".~R1C1", "digits of 9x9 are expected"),
        (".Shape~4", "a shape is written"),
        (".Shape~17x17", "at most 16"),
        (".Shape~9x9~8", "8 digits are too few"),
        (".Shape~9x9.Shape~4x4", "this contradicts token 1, .Shape~9x9"),
        ("1" + "." * 15 + "\n\n.Shape~9x9", "this contradicts"),
        (".Shape~4x4.Jigsaw~aaaabbbb", "a jigsaw has 16 letters, not 8"),
        (".Shape~4x4.Jigsaw~aaaaabbbbbcccccd", "regions have 5 and 5 cells, not 4"),
        (".Or.Cage~3~R1C1", "token 1, .Or: the group has no .End"),
        (".End", "there is no group to end"),
        (".Or.AntiKnight.End", "token 2, .AntiKnight: this cannot stand in a group"),
        (".And.StrictXV.End", "token 2, .StrictXV: this cannot stand in a group"),
        (".Or.End", "cases are missing"),
        (".Pair~~R1C1~R1C2", "pairs of digits are missing"),
        (".EqualSum", "cells are missing"),
        (".Or.WhiteDot~R1C1~R1C2.~R1C1_1.End.StrictKropki", "not defined where marks stand in an Or"),
        (".And" * 30, "more than 20 groups are nested"),
        (".Replicate~__________.Cage~3~R1C1~R1C2.End", "would be shifted off the board"),
        (".Replicate~AAAAAAAAAAAAAAAAAAAAAAB.~R1C1_1.End", "the last copy would be off the board"),
        (".AntiKnight" * 20001, "more than 20000 tokens"),
        (".AntiKnight~3", "token 1, .AntiKnight~3: it takes no arguments"),
        (".Replicate~!.~R1C1_1.End", "'!' is not a character of a code"),
        (".WhiteDot~R1C1~R3C3", "no two of the cells are neighbours"),
        (".Pair~" + "_" * 20 + "~R1C1~R1C2", "a pair of digits beyond"),
        (".PairX~C~R1C1~R1C2", "the same in both directions"),
        (".Regex~KA~R1C1", "found the end, expected"),
        (".Regex~!!~R1C1", "is not base64"),
        (".NFA~A~R1C1", "is not base64"),
        (".NFA~AA~R1C1", "the automaton ends too early"),
        (".NFA~____~R1C1", "format 3, which is unknown"),
        (".LittleKiller~3~R5C5", "no little killer starts at R5C5"),
        (".Skyscraper~R10~3~", "'R10' is not a row or column"),
        (".Skyscraper~R1~0~", "a clue is at least 1"),
        (".Diagonal~2", "a diagonal is 1"),
        (".Shape~4x4~0-3.AntiTaxicab", "for digits from 1"),
        (".Shape~4x4.GlobalEntropy", "for the digits 1-9"),
        (".Shape~4x4~4~Raw.Diagonal~1", "makes no sense on a raw board"),
        (".Sum~0_=_1~R1C1~R1C2", "a factor for each of the 2 cells"),
        (".SameValues~2~R1C1~R1C2~R1C3", "3 cells cannot be cut into 2 sets"),
        (".Var~a~~2", "capital letters"),
        (".Var~A~~999", "more than 1000 cells"),
        (".Var~A~~2.Var~A~~2", "there twice"),
        (".LookAndSay~1232~R1C1~R1C2", "counts a digit twice"),
        (".PillArrow~2~R1C1~R1C3~R1C4", "the cells of a pill follow each other"),
        (".ConnectedValues~~1_2~3", "supported for one digit"),
        (".ChaosConstruction.Thermo~CC1~CC2", "regions are not numbered"),
        (".ChaosConstruction.~CC1_1", "regions are not numbered"),
        (".ChaosArrow~R1C1", "there are no cells 'CC'"),
        (".Doppelganger", "doppelgängers are for boards"),
        (".~R1C1_1~" + "R1C2_1" * 30, "is not a whole number"),
        ("<" * 81, "the cage at r1c1 leads off the board"),
        ("><" + "0" * 79, "the cage at r1c1 leads round in a circle"),
        ("3x3::k:" + ":".join(["0"] * 80), "80 numbers"),
        ("3x3::k:" + ":".join(["257", "513", *["0"] * 79]), "a cage has two sums, 1 and 2"),
    ],
)
def test_what_is_wrong_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        read_iss(text)


@given(st.text(".~_-RCVA1239abx0=\n #<", max_size=40) | st.lists(st.sampled_from([*MEANT, *OTHER_BOARDS])).map("".join))
@example(".Shape~.Var~.RegionSize~.Jigsaw~.FullRankTies~")
@settings(deadline=None)
def test_any_text_is_read_or_refused(text: str) -> None:
    for broken in (text, text[: len(text) // 2], text.replace("~", "~~"), text.replace("R", "", 1)):
        assert_read_or_refused(broken)


@pytest.mark.parametrize("name", sorted(NAMES - {"Or", "And", "Replicate"}))
def test_a_token_with_any_arguments_is_read_or_refused(name: str) -> None:
    for words in product(("", "-1", "3", "R1C1", "R4C4~R3C4", "C", "_", "-"), repeat=2):
        for head in (SMALL, ".Shape~2x2~0-4.ChaosConstruction"):
            assert_read_or_refused(f"{head}.{name}~{'~'.join(words)}")


def assert_read_or_refused(text: str) -> None:
    """What is read has lines in our text form, and what is refused an error of one line."""
    try:
        ruleset = read_iss(text).ruleset
        said = (write_board(ruleset.board), *write_rules(ruleset))
    except UsageError as error:
        said = (str(error),)
    assert all(line and line.isprintable() for line in said)


def accepts(
    word: Sequence[int], ends: Collection[int], edges: Collection[tuple[int, int, int]], starts: int = 1
) -> bool:
    """Whether an automaton accepts a word."""
    states = set(range(starts))
    for digit in word:
        states = {after for state, label, after in edges if label == digit and state in states}
    return not states.isdisjoint(ends)


def language_of(text: str) -> Language | None:
    """The automaton that a text ends with; None for one without ends or edges."""
    try:
        language = read_iss(text).ruleset.constraints[-1]
    except UsageError:
        return None
    assert isinstance(language, Language)
    return language


def test_packed_automata_accept_the_same_words() -> None:
    random = Random(1)
    for number in range(60):
        starts, states, segments = random.randint(1, 3), random.randint(4, 9), number % 3
        ends = {
            *range(starts, random.randint(starts, states - 1)),
            *random.sample(range(starts), random.randrange(starts)),
        }
        symbols = 4 if segments else 3
        one_each = number % 2
        edges = {}
        for _ in range(20):
            state, symbol, after = random.randrange(states), random.randrange(symbols), random.randrange(states)
            edges[(state, symbol) if one_each else (state, symbol, after)] = (state, symbol, after)
        edges[states - 1, 0] = (states - 1, 0, states - 1)
        code = packed(starts, ends, edges.values(), symbols, counted=not one_each)
        every: list[list[Sequence[int]]] = [[(0, 1, 2, 3)], [(0, 1), (2, 3)], [(0,), (1, 2), (3,)]]
        cells = every[segments]
        names = "~-~".join("~".join(f"R1C{cell + 1}" for cell in part) for part in cells)
        language = language_of(f".Shape~1x4~0-2~Raw.NFA~{code}~{names}")
        for word in product(range(3), repeat=4):
            broken: list[int] = []
            for cell, digit in enumerate(word):
                # symbol 3 stands between segments
                broken += [3] if any(part[0] == cell for part in cells[1:]) else []
                broken.append(digit)
            found = language is not None and accepts(word, language.ends, language.edges)
            assert found == accepts(broken, ends, edges.values(), starts)


def random_pattern(random: Random, depth: int) -> str:
    """A regular expression over 1, 2 and 3."""

    def part() -> str:
        return random_pattern(random, depth - 1)

    match random.randrange(6 if depth else 3):
        case 0:
            return random.choice("123")
        case 1:
            return "."
        case 2:
            return random.choice(("[12]", "[^1]", "[1-2]", "[^2-3]"))
        case 3:
            return part() + part()
        case 4:
            return f"({part()}|{random.choice((part(), ''))})"
    return f"({part()})" + random.choice(("*", "+", "?", "{2}", "{1,2}", "{0,2}", "{2,}", "{0}", "*?"[:1]))


def test_regular_expressions_match_what_they_do_elsewhere() -> None:
    random = Random(2)
    for _ in range(150):
        pattern = random_pattern(random, 3)
        code = base64.urlsafe_b64encode(pattern.encode()).decode().rstrip("=")
        language = language_of(f".Shape~1x3.Regex~{code}~R1C1")
        for length in range(4):
            for word in product("123", repeat=length):
                matches = re.fullmatch(pattern, "".join(word)) is not None
                # an expression of the empty word alone is refused
                if language or word:
                    found = language is not None and accepts(tuple(map(int, word)), language.ends, language.edges)
                    assert found == matches, (pattern, word)


def keeps_chaos(grid: Grid) -> bool:
    """Whether 2×4 cells fall into two regions with all digits, which an arrow at r1c2 and a count at r2c1 see."""
    digits = grid.digits
    for cut in partitions(frozenset(range(8)), 4, Board(2, 4)):
        label = [next(number for number, part in enumerate(cut) if cell in part) for cell in range(8)]
        run = next((place for place, cell in enumerate((2, 3)) if label[cell] != label[1]), 2)
        around = sum(label[cell] == label[4] for cell in (0, 1, 4, 5))
        if all(len({*grid.at(part)}) == 4 for part in cut) and digits[1] == 1 + run and digits[4] + 1 == around:
            return True
    return False


def keeps_doppelgangers(grid: Grid) -> bool:
    """Whether the digits 0-4 are doppelgängers on 4×4."""
    kinds: list[list[Sequence[int]]] = [
        [range(4 * row, 4 * row + 4) for row in range(4)],
        [range(column, 16, 4) for column in range(4)],
        [(0, 1, 4, 5), (2, 3, 6, 7), (8, 9, 12, 13), (10, 11, 14, 15)],
    ]
    lacks = [[{*range(5)} - {*grid.at(region)} for region in kind] for kind in kinds]
    for kind in lacks:
        if any(len(digits) != 1 or 0 in digits for digits in kind) or len(set.union(*kind)) < 4:
            return False
    for cell, digit in enumerate(grid.digits):
        meeting = [
            kind[place]
            for kind, regions in zip(lacks, kinds, strict=True)
            for place in range(4)
            if cell in regions[place]
        ]
        if digit == 0 and len(set.union(*meeting)) < 3:
            return False
    return True


def keeps_connected(grid: Grid) -> bool:
    """Whether three ones and two twos are connected on 3×3."""
    cells = [[cell for cell, digit in enumerate(grid.digits) if digit == value] for value in (1, 2)]
    return [*map(len, cells)] == [3, 2] and all(are_connected(group, grid.board) for group in cells)


@pytest.mark.parametrize(
    ("text", "keeps"),
    [
        (
            ".Shape~2x4.NoBoxes.RegionSize~4.ChaosConstruction.ChaosArrow~R1C2~~CC2~CC3~CC4.ChaosCount~R2C1~1",
            keeps_chaos,
        ),
        (".Shape~4x4~0-4.~R1C1_4~R1C2_0~R2C4_0~R3C3_0.Doppelganger", keeps_doppelgangers),
        (".Shape~3x3~Raw.~R1C1_1~R3C3_3.ConnectedValues~~1~3.ConnectedValues~~2~2", keeps_connected),
    ],
)
def test_texts_with_hidden_cells_have_the_right_solutions(text: str, keeps: Callable[[Grid], bool]) -> None:
    puzzle = read_iss(text)
    board = replace(puzzle.board, extra=())
    plain = read_iss(re.sub(r"\.(Chaos|Connected|Doppel)[^.]*", "", text))
    assert plain.board == board
    right = {grid.rows for grid in completions(plain) if keeps(grid)}
    assert right
    for backend in ("search", "cadical195"):
        assert {grid.rows for grid in Session(backend).solutions(puzzle)} == right


@pytest.mark.parametrize("pattern", [".*1.{30}2.*", "(.*1.{60}2.*|.*3.{50}4.*)"])
def test_an_expression_whose_automaton_grows_too_large_is_named(pattern: str) -> None:
    code = base64.urlsafe_b64encode(pattern.encode()).decode().rstrip("=")
    cells = "~".join(f"R{row}C{column}" for row in range(1, 10) for column in range(1, 10))
    puzzle = read_link(f".Regex~{code}~{cells}").puzzle
    with pytest.raises(UsageError, match="the language at r1c1 is too large: a diagram of its"):
        Session("cadical195").solve(puzzle, 3)
