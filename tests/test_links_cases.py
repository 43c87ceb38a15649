"""What each program's files and texts mean: each case of `fixtures/links` is read as it says, or refused so.

A case is `=== ` and a text: a plain one, one of ISS, or an object with the keys of a file. Lines with `--> ` are its
rules in our text form, without rows, columns and boxes but for ISS, then `unknown: ` and `error: ` with words of the
message.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from links import cases, fpuzzles, fpuzzles_link, penpa_link, sudokupad, sudokupad_link, written

from ringdoku import Grid, Puzzle, Session, UsageError, classic
from ringdoku.constraints.registry import CONSTRAINTS, read_constraint
from ringdoku.domain.constraint import Boxes, Lines, write_constraint
from ringdoku.links import LINKS, PROGRAMS, ImportedPuzzle, read_link
from ringdoku.links.compression import decompress
from ringdoku.links.iss import NAMES, read_iss
from ringdoku.links.iss_writer import write_iss


def read_layer(rules: str, **layer: Any) -> ImportedPuzzle:
    """A Penpa+ file of 4×4: rows of points have 8, and the first cell is point 18."""
    return read_link(penpa_link(layer, rules=rules))


READERS: Mapping[str, Callable[[str], ImportedPuzzle]] = {
    "f-puzzles": lambda text: read_link(fpuzzles_link(fpuzzles(**json.loads(text)))),
    "SudokuPad": lambda text: read_link(sudokupad_link(sudokupad(**json.loads(text)))),
    "Penpa+": lambda text: read_layer(**json.loads(text)),
    "ISS": lambda text: ImportedPuzzle(read_iss(text)),
    "plain text": read_link,
    "sudokuwiki.org": read_link,
}


def said(program: str, text: str) -> list[str]:
    """What a text is read as, in the form of the cases."""
    try:
        shared = READERS[program](text)
    except UsageError as error:
        return [f"error: {error}"]
    ruleset = shared.puzzle.ruleset
    every = [write_constraint(rule, ruleset.board) for rule in ruleset.constraints]
    return [*(every if program == "ISS" else written(shared)), *(f"unknown: {sentence}" for sentence in shared.unknown)]


@pytest.mark.parametrize(
    ("program", "text", "expected"), [(program, *case) for program in READERS for case in cases(program)]
)
def test_a_case_is_read_as_it_says(program: str, text: str, expected: list[str]) -> None:
    found = said(program, text)
    assert len(found) == len(expected), found
    for line, words in zip(found, expected, strict=True):
        kind, _, part = words.partition(": ")
        assert line == words or (kind in ("error", "unknown") and line.startswith(kind) and part in line)


@pytest.mark.parametrize(
    ("program", "text"),
    [
        (program, text)
        for program in ("SudokuPad", "Penpa+")
        for text, expected in cases(program)
        if expected and not expected[0].startswith(("error", "unknown", "regions"))
    ],
)
def test_a_mark_is_not_read_when_the_rules_do_not_name_it(program: str, text: str) -> None:
    unnamed = re.sub(r'("rules":"|"rules: )[^"]*', r"\1Normal rules.", text)
    lines = said(program, unnamed)
    assert lines
    assert all(line.startswith("unknown: ") for line in lines)


@pytest.mark.parametrize(
    ("program", "others"),
    [
        ("f-puzzles", "lines boxes regions allowed diagonal windoku"),
        ("SudokuPad", "lines boxes regions killer sum minimum anti-knight anti-king"),
        ("Penpa+", "lines boxes diagonal"),
        ("ISS", "unknown-regions connected-digits diagonal"),
        ("plain text", "lines boxes"),
        ("sudokuwiki.org", "lines boxes diagonal"),
    ],
)
def test_what_a_program_can_state_is_listed(program: str, others: str) -> None:
    lines = [line for _, lines in cases(program) for line in lines if not line.startswith(("error", "unknown:"))]
    found = {re.split("[: ]", line)[0] for line in lines} | {*others.split()}
    assert {kind.text for kind in PROGRAMS[program]} == found, "STATES of the program, or fixtures/links, lacks a name"


def solutions(puzzle: Puzzle) -> set[Grid]:
    return set(Session("cadical195").solutions(puzzle))


def test_a_link_that_is_written_says_the_same_or_its_rule_is_refused() -> None:
    four, tried, refused, drawn, stated = classic(4), set(), set(), set(), Counter[str]()
    solution = Grid(tuple(map(int, "1234341221434321")))
    for kind in CONSTRAINTS.values():
        try:
            rules = four if kind in (Lines, Boxes) else four.extended(read_constraint(kind.example, four.board))
        except UsageError:
            continue
        tried.add(kind)
        shared = ImportedPuzzle(Puzzle(rules, solution.only({15})), "A title", "B", "Say\n“it”.", solution)
        again = read_link(LINKS["penpa"](shared))
        assert (again.title, again.author, again.solution) == (shared.title, shared.author, shared.solution)
        assert solutions(again.puzzle) == solutions(shared.puzzle)
        if again.rules != shared.rules:
            # the others are lines of the text, which are not for people alone
            drawn.add(kind)
        if kind.text in ("unknown-regions", "connected-digits", "one-region"):
            with pytest.raises(UsageError, match=f"ISS texts with the rule '{kind.text}' are read, not written"):
                LINKS["iss"](shared)
        else:
            assert solutions(read_link(LINKS["iss"](shared)).puzzle) == solutions(shared.puzzle)
        try:
            again = read_link(LINKS["fpuzzles"](shared))
            assert again == read_link(LINKS["sudokupad"](shared))
            assert replace(again, puzzle=shared.puzzle, unknown=()) == shared
        except UsageError:
            refused.add(kind)
            for name, program in (("fpuzzles", "f-puzzles"), ("sudokupad", "SudokuPad")):
                with pytest.raises(UsageError, match=f"^{program} cannot state the rule '{kind.text}"):
                    LINKS[name](shared)
    for rule, words in (
        ("odd: r1c1 r1c2", ".~R1C1_1_3~R1C2_1_3"),
        ("contains 1 2: r1c1 r1c2 r2c1 r2c2", ".Quad~R1C1~1~2"),
        ("maximum: r2c2", ".GreaterThan~R2C2~R1C2~R2C1~R2C3~R3C2"),
        ("minimum: r1c1", ".GreaterThan~R2C1~R1C2~R1C1"),
        ("minimum: r1c1 | r1c2 r2c1", ""),
        ("clone: r1c1 r1c2 | r1c1 r3c4", ".SameValues~2~R1C2~R3C4"),
        ("slow-thermometer: r1c1-r1c4", ".Pair~vzI~_slow-thermometer~R1C1~R1C2~R1C3~R1C4"),
    ):
        puzzle = Puzzle(four.extended(read_constraint(rule, four.board)), Grid.blank(4))
        assert write_iss(puzzle) == f".Shape~4x4~1-4{words}"
    pill = Puzzle(four.extended(read_constraint("arrow: r1c1 r1c2 | r1c3 r2c4", four.board)), Grid.blank(4))
    file = json.loads(decompress(LINKS["fpuzzles"](ImportedPuzzle(pill)).partition("load=")[2]))
    assert file["arrow"] == [{"cells": ["R1C1", "R1C2"], "lines": [["R1C2", "R1C3", "R2C4"]]}]
    # read by their words
    known = {"no-ratio", "no-pair-sum", "sum"}
    assert {kind.text for kind in refused & PROGRAMS["f-puzzles"]} == known
    assert tried - refused <= PROGRAMS["f-puzzles"]
    assert {kind.text for kind in drawn} == {kind.text for kind in PROGRAMS["Penpa+"]} - {"lines", "boxes", "regions"}
    for program, name in (("f-puzzles", "fpuzzles"), ("Penpa+", "penpa"), ("sudokuwiki.org", "sudokuwiki")):
        for text, _ in cases(program):
            with suppress(UsageError):
                shared = READERS[program](text)
                again = read_link(LINKS[name](shared))
                assert (set(written(again)), again.title) == (set(written(shared)), shared.title)
                stated[program] += 1
    assert stated == {"f-puzzles": 44, "Penpa+": 18, "sudokuwiki.org": 6}
    beyond = "f-puzzles has boards of 4x4 to 16x16 with digits from 1 and no extra cells, not 3x3"
    with pytest.raises(UsageError, match=beyond):
        LINKS["fpuzzles"](ImportedPuzzle(Puzzle.blank(3, (1, 3))))


def test_every_token_of_iss_is_tried() -> None:
    tried = re.findall(r"\.([A-Za-z]+)", " ".join(text for text, lines in cases("ISS") if "error" not in lines[0]))
    solved = {"ChaosArrow", "ChaosConstruction", "ChaosCount", "ConnectedValues", "Doppelganger"}
    assert {*tried} | solved == {*NAMES, "End"}
