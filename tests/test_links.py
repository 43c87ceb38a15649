import json
from collections import Counter
from copy import deepcopy
from itertools import product
from string import ascii_lowercase, ascii_uppercase
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from links import fpuzzles, fpuzzles_link, penpa_link, rules_again, sudokupad, sudokupad_link, zipped

from ringdoku import UsageError
from ringdoku.links import is_link, read_link
from ringdoku.links.compression import MAX_PACKED, compress, decompress
from ringdoku.links.shared import ImportedPuzzle

FILE = fpuzzles(
    size=4,
    clues="1..4",
    title="Tst ünd ûn",
    killercage=[{"cells": ["R2C1", "R2C2"], "value": "5"}],
    thermometer=[{"lines": [["R3C1", "R3C2"]]}],
    arrow=[{"cells": ["R4C4"], "lines": [["R4C4", "R4C3"]]}],
    quadruple=[{"cells": ["R1C1", "R1C2", "R2C1", "R2C2"], "values": [1]}],
    sandwichsum=[{"cell": "R0C4", "value": "5"}],
)
PACKED = compress(json.dumps(FILE))
GREY = {"backgroundColor": "#CFCFCF", "borderColor": "#CFCFCF"}
DRAWN = sudokupad(
    size=4,
    height=2,
    clues="1..4",
    cages=[
        {"value": "rules: Thermometers, cages that sum, diagonals once"},
        {"cells": [[1, 0]], "value": 3, "unique": True},
    ],
    lines=[{"color": "#CFCFCF", "thickness": 21, "wayPoints": [[0.5, 0.5], [0.5, 1.5]]}],
    underlays=[{"center": [0.5, 0.5], "width": 0.85, "height": 0.85, "rounded": True} | GREY],
)
PENPA = penpa_link({"number": {"18": ["1", 1, "1"]}, "lineE": {"75,83": 12}, "symbol": {"19": [3, "circle_L", 1]}})


@pytest.mark.parametrize(
    "link",
    [
        f"https://www.f-puzzles.com/?load={PACKED}",
        f"https://f-puzzles.com/?load={quote(PACKED)}",
        f"https://f-puzzles.com/?load={quote(quote(PACKED))}",
        f"HTTP://f-puzzles.com/?load={PACKED}&x=1",
        f"f-puzzles.com/?load={PACKED.replace('+', ' ')}\n",
        f"https://sudokupad.app/fpuzzles{PACKED}",
        f"https://sudokupad.app/fpuz{PACKED}?setting-nogrid=1",
        f"https://app.crackingthecryptic.com/sudoku/fpuzzles{quote(PACKED)}",
        f"https://app.crackingthecryptic.com/sudoku/?puzzleid=fpuzzles{PACKED}",
        f"https://www.sudokupad.app/?puzzleid=fpuz{PACKED}&theme=dark",
        f"fpuzzles{PACKED}",
        "\n".join(PACKED[start : start + 60] for start in range(0, len(PACKED), 60)),
        json.dumps(FILE),
        json.dumps(FILE, indent=1),
    ],
)
def test_every_form_of_a_puzzle_is_the_same(link: str) -> None:
    assert is_link(link)
    assert read_link(link) == read_link(fpuzzles_link(FILE))
    assert not read_link(link).unknown


@pytest.mark.parametrize(
    "text", ["", "1...\n.1..", "S<J<<O<<KJ^<<", '{"grid": [[1, 0], [0, 1]]}', "[]", "scl", "ctc", ".X..V"]
)
def test_other_texts_are_no_links(text: str) -> None:
    assert not is_link(text)
    with pytest.raises(UsageError, match="is not a link or file of a puzzle program"):
        read_link(text)


@settings(max_examples=25, deadline=None)
@given(st.text(max_size=20) | st.text("ab", max_size=60))
@example("")
@example("😀" * 20)
def test_texts_come_back_from_compression(text: str) -> None:
    packed = compress(text)
    assert decompress(packed) == text
    assert compress("hello") == "BYUwNmD2Q==="
    # the form for addresses
    assert decompress(packed.replace("/", "-").replace("=", "$")) == text


def bomb(codes: int) -> str:
    """Packed text in which each code is one character longer than the one before."""
    bits = "00" + f"{ord('a'):08b}"[::-1]
    for code in range(4, codes):
        bits += f"{code:0{max(3, code.bit_length())}b}"[::-1]
    digits = f"{ascii_uppercase}{ascii_lowercase}0123456789+/"
    return "".join(digits[int(bits[place : place + 6].ljust(6, "0"), 2)] for place in range(0, len(bits), 6))


@pytest.mark.parametrize(
    ("packed", "message"),
    [
        (PACKED[:200], "the link's data stops after 200 characters without its end: it is cut off"),
        ("", "stops after 0 characters"),
        (f"{PACKED[:50]}*{PACKED[51:]}", "character 51 of the link's data is '\\*', which is not base64"),
        ("A" * (MAX_PACKED + 1), f"has at most {MAX_PACKED} characters"),
        (bomb(3000), "unpacks to more than 4000000 characters"),
    ],
)
def test_packed_text_that_cannot_be_read_is_refused(packed: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        decompress(packed)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 10_000_000,
        '{"grid":[[{' + "[" * 1_000_000,
        '{"cells":[[{}' + "[" * 1_000_000,
        '{"grid": [[{}]], "size": ' + "1" * 10_000 + "}",
        "fpuzzles" + compress('{"grid":[[{' + '{"a":' * 100_000),
        "scl" + compress("{ce:[[{" + "{a:" * 100_000),
    ],
)
def test_nesting_and_endless_numbers_are_refused(text: str) -> None:
    with pytest.raises(UsageError):
        read_link(text)


# links and files with something changed are read or refused in one line

JUNK: list[Any] = [None, True, 0, -1, 2.5, 10**12, float("nan"), [], [[]], {}, ["R1C1"], [[0]]]
JUNK += ["", "?", "R1C1", "R9C9", "12", "\ud800"]


def _places(value: Any, place: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    below = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place, *(found for key, entry in below for found in _places(entry, (*place, key)))]


def _changed(file: Any, place: tuple[Any, ...], junk: Any, remove: bool) -> Any:
    file = deepcopy(file)
    inside = file
    for key in place[:-1]:
        inside = inside[key]
    if remove:
        del inside[place[-1]]
    else:
        inside[place[-1]] = junk
    return file


def _read_or_refused(text: str) -> ImportedPuzzle | None:
    """None where it is refused. What is said is a line, and what is read has a text of ours with the same meaning."""
    is_link(text)
    shared = None
    try:
        shared = read_link(text)
        said = shared.unknown
    except UsageError as error:
        said = (str(error),)
    assert all(sentence and sentence.isprintable() for sentence in said)
    if shared:
        assert rules_again(shared.puzzle.ruleset) == shared.puzzle.ruleset
    return shared


@pytest.mark.parametrize("file", [FILE, DRAWN], ids=["fpuzzles", "sudokupad"])
def test_changed_files_are_read_or_refused(file: dict[str, Any]) -> None:
    whole = read_link(json.dumps(file))
    kinds = Counter[str]()
    places = [place for place in _places(file) if place]
    changes = [*product(places, JUNK, [False]), *product(places, [None], [True])]
    # every place, and every kind of junk
    for place, junk, remove in changes[::7]:
        changed = _changed(file, place, junk, remove)
        shared = _read_or_refused(json.dumps(changed))
        if file is DRAWN:
            _read_or_refused(zipped(changed))
        kind = "refused" if shared is None else "in part" if shared.unknown else "whole"
        kinds[kind if shared is None or shared.puzzle != whole.puzzle else "the same puzzle"] += 1
    assert len(kinds) == 4, kinds


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from([fpuzzles_link(FILE), sudokupad_link(DRAWN), PENPA, json.dumps(FILE), zipped(DRAWN)]),
    st.floats(0, 1),
    st.sampled_from(["", "A", "/", "%", "é", "'", "{", "]", "&", "#", "\x00", "//"]),
    st.integers(0, 40),
)
def test_changed_texts_are_read_or_refused(link: str, part: float, junk: str, cut: int) -> None:
    place = int(part * len(link))
    _read_or_refused(link[:place] + junk + link[place + cut :])
    # the end is not missed without a word, unless nothing of it counts
    begun = _read_or_refused(link[:place])
    assert begun is None or begun.puzzle == read_link(link).puzzle or begun.unknown
