"""Texts and links of the Interactive Sudoku Solver: what each token means, and what is refused."""

import base64
import io
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from random import Random
from urllib.parse import quote

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from links import cases
from puzzles import are_connected, completions, partitions

from ringdoku import Grid, Session, UsageError
from ringdoku.constraints.logic import Language
from ringdoku.constraints.registry import write_board, write_rules
from ringdoku.domain import Board
from ringdoku.links import is_link, read_link
from ringdoku.links.iss import NAMES, read_iss
from ringdoku.text import Entry, read

SMALL = ".Shape~4x4"
TEXTS = [text for text, _ in cases("ISS")]


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


GIVEN = f"{SMALL}.~R1C1_1~R2C3_1_3~R2C3_2_3~R4C4_2_4"


def test_givens_of_one_digit_are_clues() -> None:
    # the others are cases in fixtures/links
    assert read_iss(GIVEN).clues == Grid((1, *[0] * 15))


@pytest.mark.parametrize(
    "text",
    [
        f"https://sigh.github.io/Interactive-Sudoku-Solver/?q={quote(GIVEN)}",
        f"https://sigh.github.io/Interactive-Sudoku-Solver/?q={GIVEN}&code=x#fragment",
        f"  {GIVEN.replace('.~', ' . ~ ')}\n",
        f"# a comment\n{GIVEN}\n# another",
        f"{SMALL}\n\n \n.~R1C1_1~R2C3_1_3~R2C3_2_3\n\n.~R4C4_2_4",
    ],
)
def test_every_form_of_a_text_is_the_same(text: str) -> None:
    assert read_iss(text) == read_iss(GIVEN)


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
        ("1" + "." * 15, "an ISS text starts with '.', not with '1'; clues are written .~R1C1_5~R1C2_3"),
        (".AntiKnight" * 20001, "more than 20000 tokens"),
    ],
)
def test_what_is_wrong_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        read_iss(text)


@given(st.text(".~_-RCVA1239abx0=\n #<", max_size=40) | st.lists(st.sampled_from(TEXTS)).map("".join))
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


def test_an_address_of_any_length_is_one() -> None:
    # some lengths are those of puzzles
    for count in range(12, 81):
        text = "".join(f".~R{cell // 9 + 1}C{cell % 9 + 1}_{(cell * 2 + cell // 9) % 9 + 1}" for cell in range(count))
        address = f"https://sigh.github.io/Interactive-Sudoku-Solver/?q={text}\n"
        (entry,) = read(io.BytesIO(address.encode()), "<address>")
        assert isinstance(entry, Entry)
        assert entry.puzzle.clues.filled_count == count


def test_packed_automata_accept_the_same_words() -> None:
    random = Random(1)
    for number in range(60):
        starts, states, segments = random.randint(1, 3), random.randint(4, 9), number % 3
        ends = {
            *range(starts, random.randint(starts, states - 1)),
            *random.sample(range(starts), random.randrange(starts)),
        }
        # symbol 3 stands between segments, which may be empty, and no digit is symbol 4
        symbols = random.randint(4 if segments else 3, 5)
        one_each = number % 2
        edges = {}
        for _ in range(20):
            state, symbol, after = random.randrange(states), random.randrange(symbols), random.randrange(states)
            edges[(state, symbol) if one_each else (state, symbol, after)] = (state, symbol, after)
        edges[states - 1, 0] = (states - 1, 0, states - 1)
        code = packed(starts, ends, edges.values(), symbols, counted=not one_each)
        parts = ([(0, 1, 2, 3)], [(0, 1), (2, 3)], [(), (0,), (), (1, 2), (3,), ()])[segments]
        names = "~".join(name for part in parts for name in ("-", *(f"R1C{cell + 1}" for cell in part)))[2:]
        language = language_of(f".Shape~1x4~0-2~Raw.NFA~{code}~{names}")
        for word in product(range(3), repeat=4):
            broken = [symbol for part in parts for symbol in (3, *(word[cell] for cell in part))][1:]
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


def keeps_connected(sizes: Mapping[str, int], grid: Grid) -> bool:
    """Whether for each text of digits some cells hold one of them, which are connected, and so many if it is not 0."""
    for values, size in sizes.items():
        cells = [cell for cell, digit in enumerate(grid.digits) if str(digit) in values]
        if not cells or len(cells) != (size or len(cells)) or not are_connected(cells, grid.board):
            return False
    return True


@pytest.mark.parametrize(
    ("text", "keeps"),
    [
        (
            ".Shape~2x4.NoBoxes.RegionSize~4.ChaosConstruction.ChaosArrow~R1C2~~CC2~CC3~CC4.ChaosCount~R2C1~1",
            keeps_chaos,
        ),
        (".Shape~4x4~0-4.~R1C1_4~R1C2_0~R2C4_0~R3C3_0.Doppelganger", keeps_doppelgangers),
        (".Shape~3x3~Raw.ConnectedValues~~1~3.ConnectedValues~~2~2", partial(keeps_connected, {"1": 3, "2": 2})),
        (".Shape~4x3~2~Raw.ConnectedValues~~1.ConnectedValues~~2", partial(keeps_connected, {"1": 0, "2": 0})),
        (".Shape~3x3~Raw.~R1C3_2.ConnectedValues~~1_3~4", partial(keeps_connected, {"13": 4})),
    ],
)
def test_texts_with_hidden_cells_have_the_right_solutions(text: str, keeps: Callable[[Grid], bool]) -> None:
    puzzle = read_iss(text)
    board = replace(puzzle.board, extra=())
    plain = read_iss(re.sub(r"\.(Chaos|Connected|Doppel)[^.]*", "", text))
    assert plain.board == board
    right = {grid.rows for grid in completions(plain) if keeps(grid)}
    for backend in ("search", "cadical195"):
        assert {grid.rows for grid in Session(backend).solutions(puzzle)} == right != set()


@pytest.mark.parametrize("pattern", [".*1.{30}2.*", "(.*1.{60}2.*|.*3.{50}4.*)"])
def test_an_expression_whose_automaton_grows_too_large_is_named(pattern: str) -> None:
    code = base64.urlsafe_b64encode(pattern.encode()).decode().rstrip("=")
    cells = "~".join(f"R{row}C{column}" for row in range(1, 10) for column in range(1, 10))
    puzzle = read_link(f".Regex~{code}~{cells}").puzzle
    with pytest.raises(UsageError, match="the language at r1c1 is too large: a diagram of its"):
        Session("cadical195").solve(puzzle, 3)
