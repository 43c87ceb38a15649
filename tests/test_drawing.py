"""Pictures of puzzles: what is drawn where, what is said in words, and that nothing is left out."""

import re
from io import BytesIO, TextIOWrapper
from unittest.mock import patch
from xml.etree import ElementTree

import pytest
from conftest import FIXTURES

from ringdoku import Board, Grid, Puzzle, Ruleset, parse
from ringdoku.constraints.registry import CONSTRAINTS, read_constraint, with_rules
from ringdoku.domain import Place, Result, Status, plain_rules, write_constraint
from ringdoku.drawing.views import View
from ringdoku.text import Entry, layout_named
from ringdoku_cli.render.terminal import pretty as draw

SVG = "{http://www.w3.org/2000/svg}"
SIX = plain_rules(Board.square(6), (2, 3))
NINE = plain_rules(Board.square(9))


def rules(*lines: str, ruleset: Ruleset = SIX) -> Ruleset:
    return with_rules(ruleset, *lines)


def svg(ruleset: Ruleset, grid: Grid | None = None) -> ElementTree.Element:
    grid = grid or Grid.blank(ruleset.board)
    return ElementTree.fromstring(View(Puzzle(ruleset, grid)).svg())


def texts(picture: ElementTree.Element) -> list[str]:
    return ["".join(text.itertext()) for text in picture.iter(f"{SVG}text")]


def pretty(puzzle: Puzzle, room: int | None = None, grid: Grid | None = None) -> list[str]:
    """The drawing without its heading and its summary."""
    entry = Entry(puzzle, layout_named("spaced", puzzle.ruleset), Place("here", 1))
    result = Result(Status.SATISFIABLE if grid else Status.UNKNOWN, grid)
    output = TextIOWrapper(BytesIO(), "utf-8")
    with (
        patch.object(output, "isatty", return_value=room is not None),
        patch.dict("os.environ", {"NO_COLOR": "1", "COLUMNS": str(room)}),
    ):
        return draw(entry, result, output=output).splitlines()[1:-2]


@pytest.mark.parametrize("name", CONSTRAINTS)
def test_every_constraint_is_drawn_or_said(name: str) -> None:
    # groups of places need boxes as large as there are digits; ranks are those of whole lines
    base = plain_rules(Board.square(4)) if name in ("disjoint-groups", "full-rank", "full-rank-with-ties") else SIX
    board, blank = base.board, Grid.blank(base.board)
    constraint = read_constraint(CONSTRAINTS[name].example, board)
    ruleset = Ruleset(board, (*base.constraints, constraint))
    shown = View(Puzzle(ruleset, blank)).svg()
    words = " ".join(texts(ElementTree.fromstring(shown)))
    if name not in ("lines", "boxes", "regions"):
        assert constraint.text in words
    if not list(constraint.marks(board)):
        said = write_constraint(constraint, board).partition(" r")[0]
        assert name == "lines" or said in words
    # in a terminal a cage has letters, and everything else stands in words
    drawing = "\n".join(pretty(Puzzle(ruleset, blank)))
    assert name in ("lines", "boxes", "regions") or f"\n{name}" in drawing


def test_a_classic_puzzle_has_no_words_and_rules_without_marks_have() -> None:
    classic, other = (FIXTURES / "p1074-1.in").read_text(), "board 2x3\n3.2\n..1\n"
    for text, box in ((classic, "0 0 368 368"), (other, "0 0 128 88")):
        board, clues = parse(text).board, parse(text).clues
        picture = svg(parse(text).ruleset, clues)
        shown = [str(digit) for digit in clues.digits if digit != board.blank]
        assert (picture.get("viewBox"), texts(picture)) == (box, shown)
    ruleset = rules("no boxes", "no lines", "anti-knight", "killer 3: r1c1 r1c2", "whisper 2: r1c1 r2c1", "odd: r1c1")
    assert texts(svg(ruleset)) == ["3", "no lines; anti-knight; killer;", "whisper 2; odd"]
    # clues outside of several kinds look alike
    one = rules("sandwich 5: r1c1-r1c6", "sandwich 3: r2c1-r2c6", "little-killer 5: r1c2-r5c6")
    assert " ".join(texts(svg(one))).endswith("sandwich; little-killer")
    several = rules("sandwich 5: r1c1-r1c6", "x-sum 3: r2c1-r2c6")
    assert " ".join(texts(svg(several))).endswith("sandwich 5: r1c1-r1c6; x-sum 3: r2c1-r2c6")
    # so do cages
    cages = rules("killer 5: r1c1 r1c2", "killer 4: r3c1 r3c2", "sum 6: r5c1 r5c2")
    assert " ".join(texts(svg(cages))).endswith("killer; sum 6: r5c1 r5c2")


@pytest.mark.parametrize(
    ("lines", "right", "down"),
    [
        ([], 0, 0),
        (["sandwich 5: r1c1-r1c6"], 28, 0),
        (["sandwich 5: r1c6-r1c1", "sandwich 5: r1c1-r6c1"], 28, 28),
        # two clues at one place, the second further away
        (["sandwich 5: r1c1-r6c1", "sandwich 6: r1c1-r6c1"], 0, 56),
        (["little-killer 5: r1c2-r5c6"], 0, 28),
        (["little-killer 5: r1c1-r6c6"], 28, 28),
        # no line from the border: the number is in the cell
        (["sandwich 5: r2c2-r2c5"], 0, 0),
    ],
)
def test_the_picture_grows_by_a_margin_for_clues_outside(lines: list[str], right: int, down: int) -> None:
    words = 19 * bool(lines)
    assert svg(rules(*lines)).get("viewBox") == f"0 0 {248 + right} {248 + down + words}"


@pytest.mark.parametrize("case", (FIXTURES / "drawings.txt").read_text().split("\n\n")[1:])
@pytest.mark.filterwarnings("ignore:.*lines that jump")
def test_drawings_of_a_terminal(case: str) -> None:
    text, _, drawing = case.partition("-->\n")
    assert pretty(parse(text)) == drawing.splitlines()


def test_digits_words_and_letters_of_rules_are_told_apart() -> None:
    cells = "r1c1 r1c2 r2c1 r2c2"
    for digits, label in (("1 2", ">1 2<"), ("1 12", ">1 12<")):
        ruleset = with_rules(plain_rules(Board.square(16)), f"contains {digits}: {cells}")
        assert label in Puzzle(ruleset, Grid.blank(16)).svg()
    lines = ("whisper 2: r1c1-r1c3", "whisper 3: r3c1-r3c3", "equal-sums: r4c1 r4c2 | r4c3 | r6c1")
    drawn = View(Puzzle(rules(*lines), Grid.blank(6))).svg()
    # one line, and a disc for what is apart
    assert (drawn.count("#8bc9f0"), drawn.count("<circle"), "whisper 3: r3c1-r3c3" in drawn) == (3, 1, True)
    ruleset = rules("allowed 1 2: r1c1", "either: { odd: r1c1 } { even: r1c1 }")
    picture = View(Puzzle(ruleset, Grid.blank(6))).svg()
    assert not re.search("<(?!/|svg|title|desc|rect|text|path|circle)", picture)
    assert "12" in texts(svg(ruleset))
    rule = "whisper 1: r1c1-r1c3 r2c4-r4c6 r1c1"
    wrapped = pretty(Puzzle(rules(rule), Grid.blank(6)), room=25)[10:]
    assert " ".join(part.strip() for part in wrapped) == rule
    assert all(part.startswith("  ") and len(part) <= 25 for part in wrapped)
    cages = rules(*(f"killer: {NINE.board.cell_name(cell)}" for cell in range(60)), ruleset=NINE)
    *drawing, named = pretty(Puzzle(cages, Grid.blank(9)))[:14]
    assert "Z" in "".join(drawing)
    assert named.endswith("Y, Z")
    # the others are said
    assert len(pretty(Puzzle(cages, Grid.blank(9)))) == 14 + 60 - 52


def test_extra_cells_stand_in_words_and_cages_that_touch_have_lines_of_their_own() -> None:
    puzzle = parse("board 1x2 extra a b\nsum 3: a r1c1\n. .\n")
    assert pretty(puzzle, grid=Grid((1, 2, 2, 1), puzzle.board))[3:] == ["sum 3: a r1c1", "a = 2, b = 1"]
    assert "sum 3: a" in puzzle.svg()
    names = " ".join(f"cell{number}" for number in range(50))
    rule, extra = pretty(parse(f"board 1x2 extra {names}\nsum 99: {names}\n1 2\n"))[3:]
    assert (rule[:20], len(rule)) == ("sum 99: cell0 cell1 ", 201)
    assert extra == "50 extra cells; JSON output has the digits"
    ring = "killer: r3c3 r3c4 r3c5 r4c3 r4c5 r5c3 r5c4 r5c5"
    paths = svg(rules("killer: r1c1 r2c2", ring, ruleset=NINE)).iter(f"{SVG}path")
    apart, around = [path.get("d", "").split(" Z") for path in paths if path.get("stroke-dasharray")]
    assert apart[0] == "M7.2 7.2 L40.8 7.2 L40.8 40.8 L7.2 40.8"
    assert apart[1] == " M47.2 47.2 L80.8 47.2 L80.8 80.8 L47.2 80.8"
    assert around[0] == "M87.2 87.2 L200.8 87.2 L200.8 200.8 L87.2 200.8"
    corners = {"120.8 120.8", "120.8 167.2", "167.2 120.8", "167.2 167.2"}
    assert {*around[1].removeprefix(" M").split(" L")} == corners


@pytest.mark.parametrize(
    ("lines", "bridges", "widths"),
    [
        (("renban: r1c1-r1c4", "whisper 2: r2c1-r2c4"), 0, [7.2, 7.2]),
        (("renban: r2c1-r2c4", "whisper 2: r1c2-r4c2"), 1, [7.2, 7.2]),
        # at a corner of four cells, and where lines have the same colour
        (("palindrome: r1c1-r2c2", "palindrome: r1c2 r2c1"), 1, [7.2, 7.2]),
        # the thin line is above the thick one
        (("arrow: r1c1 | r1c2-r1c4", "thermometer: r3c3-r1c3"), 1, [12, 2.4]),
        # lines that begin together, and those that branch
        (("renban: r1c1-r1c3", "whisper 2: r1c1-r3c1"), 0, [7.2, 7.2]),
        (("thermometer: r1c1-r1c3", "thermometer: r1c1 r1c2 r2c2"), 0, [12, 12]),
        # along a line of another colour
        (("renban: r1c1-r1c3", "whisper 2: r1c2-r1c4"), 0, [7.2, 3.6]),
    ],
)
def test_lines_that_cross_or_go_together_can_be_told_apart(lines: list[str], bridges: int, widths: list[float]) -> None:
    paths = [path for path in svg(rules(*lines)).iter(f"{SVG}path") if path.get("d", "")[-1] != "Z"]
    white, coloured = ([path for path in paths if (path.get("stroke") == "#ffffff") == is_white] for is_white in (1, 0))
    assert [float(path.get("stroke-width", 1)) for path in coloured] == widths
    assert [float(path.get("stroke-width", 1)) for path in white] == [widths[-1] + 4] * bridges


def test_a_bulb_and_the_line_of_a_cage_leave_its_sum_free() -> None:
    picture = svg(rules("killer 10: r1c1 r1c2", "slow-thermometer: r1c1-r3c1", "slow-thermometer: r1c3-r3c3"))
    assert [circle.get("r") for circle in picture.iter(f"{SVG}circle")] == ["11.2", "16"]
    (cage,) = [path.get("d") for path in picture.iter(f"{SVG}path") if path.get("stroke-dasharray")]
    assert cage == "M19.8 7.2 L80.8 7.2 L80.8 40.8 L7.2 40.8 L7.2 15.5"
