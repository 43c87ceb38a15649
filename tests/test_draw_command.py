"""`ringdoku draw`, and the endings of names that decide the format of every output."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from conftest import FIXTURES, Run

B4279 = str(FIXTURES / "b4279.in")
FOUR = "1...\n.2..\n..3.\n...4\n"
NONE = "12..\n..3.\n..4.\n....\n"
MAGIC = {"svg": b"<svg ", "png": b"\x89PNG", "pdf": b"%PDF"}


@pytest.fixture
def draw(ringdoku_here: Run, tmp_path: Path) -> Run:
    """Runs a command in a folder with a few inputs; `draw` if none is named."""
    for name, text in {"in": FOUR, "two": FOUR * 2, "three": FOUR * 3}.items():
        (tmp_path / f"{name}.txt").write_text(text)
    return lambda *asked, command="draw": ringdoku_here(command, *asked, cwd=tmp_path)


def words(path: Path) -> list[str]:
    """Every text of an SVG picture, its title and description first."""
    found = [part for part in ElementTree.parse(path).getroot().iter() if part.tag.rpartition("}")[2] != "svg"]
    return [part.text for part in found if part.text]


@pytest.mark.parametrize("form", MAGIC)
def test_the_ending_decides_the_format(form: str, draw: Run, tmp_path: Path) -> None:
    """Of each command that has an output; what cannot be drawn is refused."""
    for command in ("draw", "solve", "maximise", "candidates", "generate"):
        asked = ["--order", "4"] if command == "generate" else ["in.txt"]
        done = draw(*asked, "-o", f"{command}.{form}", command=command)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        assert (tmp_path / f"{command}.{form}").read_bytes().startswith(MAGIC[form])
    # letters that most machines have no typeface for
    done = draw(f"Title: 𐎀𐎁\n{FOUR}", "--caption", "title", "-o", f"lacking.{form}")
    assert done.stderr in ("", "ringdoku: no typeface here has 𐎀𐎁; draw an SVG, which leaves that to who shows it\n")
    for command in ("count", "explain", "export", "rate"):
        done = draw("in.txt", "-o", f"x.{form}", command=command)
        assert (done.returncode, "`ringdoku draw` does" in done.stderr) == (2, True)
    done = draw("in.txt", "two.txt", "three.txt", "-o", f"out/{{input}}.{form}", command="solve")
    assert (done.returncode, "a picture holds one grid" in done.stderr) == (2, True)
    assert (tmp_path / "out" / f"in.{form}").read_bytes().startswith(MAGIC[form])


def test_other_endings_decide_too(draw: Run, tmp_path: Path) -> None:
    for command in ("solve", "maximise", "count", "candidates", "check", "rate", "explain", "generate"):
        asked = ["--order", "4"] if command == "generate" else ["in.txt"]
        assert draw(*asked, "-o", f"{command}.json", command=command).returncode in (0, 1)
        assert (tmp_path / f"{command}.json").read_text().startswith('{"')
    assert draw("in.txt", "-o", "m.cnf", command="export").returncode == 0
    assert "p cnf" in (tmp_path / "m.cnf").read_text()
    draw("in.txt", "-o", "other.json", "--output-format", "line", command="solve")
    assert (tmp_path / "other.json").read_text().startswith("1")


def test_a_puzzle_is_drawn_unsolved_or_solved(draw: Run, tmp_path: Path) -> None:
    assert draw(FIXTURES / "target.in", "-o", "a.svg").returncode == 0
    title, description, *digits = words(tmp_path / "a.svg")
    assert title.endswith("target.in:1")
    assert description.startswith("row 1: blank blank 2 3 4 blank blank blank 6; row 2:")
    assert len(digits) == 25
    done = draw(B4279, "--solution", "-o", "b.svg")
    assert (done.stderr, len(words(tmp_path / "b.svg"))) == ("", 2 + 81)
    draw(FIXTURES / "rules.in", "-o", "c.svg", "--rings")
    assert words(tmp_path / "c.svg")[-1] == "thermometer; whisper 5; arrow; killer; ratio 2; sandwich"
    assert "#fce4cc" in (tmp_path / "c.svg").read_text()
    done = draw("in.txt", "--solution", "-o", "d.svg")
    assert (done.returncode, done.stderr) == (0, "ringdoku: in.txt:1: one of several solutions\n")
    assert words(tmp_path / "d.svg")[-1] == "one of several solutions"


def test_steps_candidates_and_marks_are_drawn(draw: Run, tmp_path: Path) -> None:
    done = draw(B4279, "--steps", "2-4", "-o", "s-{number}.svg")
    assert (done.returncode, done.stderr) == (0, "")
    assert {path.name for path in tmp_path.glob("s-*")} == {"s-1.svg", "s-2.svg", "s-3.svg"}
    assert "2. hidden single in a box (1 truth):" in " ".join(words(tmp_path / "s-1.svg")[2:])
    assert "<circle" in (tmp_path / "s-1.svg").read_text()
    assert draw(B4279, "--steps", "2-3", "-o", "s.pdf").returncode == 0
    assert (tmp_path / "s.pdf").read_bytes().count(b"/Type /Page ") == 2
    (tmp_path / "held.txt").write_text("1.1.\n.2..\n..3.\n...4\n")
    for number, asked in enumerate(("--candidates=simple", "--candidates=true", "--marks=held.txt")):
        assert draw("in.txt", asked, "-o", f"{number}.svg").stderr == ""
    simple, true = (words(tmp_path / f"{number}.svg") for number in (0, 1))
    assert simple[2:6] == ["1", "3", "4", "2"]
    assert len(true) <= len(simple)
    drawn = (tmp_path / "2.svg").read_text()
    # a digit of the player is blue, and red where it breaks a rule
    assert drawn.count('fill="#b3261e"') == 2
    assert 'fill="#111111" font-weight="bold">2<' in drawn


@pytest.mark.parametrize(
    ("caption", "below"),
    [
        ("none", "no solution"),
        ("title", "Ice, by B. Cold no solution"),
        (
            "rules",
            "Ice, by B. Cold no solution Digits 1 to 4, none twice in a row, a column or a box. "
            "Anti knight: no digit twice a knight's move of chess apart.",
        ),
    ],
)
def test_a_caption_is_title_and_rules_in_sentences(caption: str, below: str, draw: Run, tmp_path: Path) -> None:
    """What was found out stays."""
    given = [[{"value": int(digit), "given": True} if digit != "." else {} for digit in row] for row in NONE.split()]
    puzzle = {"size": 4, "title": "Ice", "author": "B. Cold", "antiknight": True, "grid": given}
    (tmp_path / "ice.json").write_text(json.dumps(puzzle))
    assert draw("ice.json", "--caption", caption, "-o", "a.svg").returncode == 0
    assert " ".join(words(tmp_path / "a.svg")[6:]) == below


def test_lines_under_puzzles_are_equally_large_and_no_page_has_one_puzzle(draw: Run, tmp_path: Path) -> None:
    (tmp_path / "seven.txt").write_text(FOUR + "1234\n3412\n2143\n432.\n" * 6)
    assert draw("seven.txt", "--sheet", "2x3", "--level", "-o", "p-{number}.svg").returncode == 0
    pages = [(tmp_path / f"p-{number}.svg").read_text() for number in (1, 2)]
    assert [page.count(" · easy") for page in pages] == [2 * 3, 2 * 3]
    assert len(set(re.findall('font-size="([^"]*)"[^>]*>[1-7] · ', "".join(pages)))) == 1


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize(("answers", "pages"), [("none", 2), ("foot", 2), ("end", 3), ("pages", 4)])
def test_sheets(paper: str, answers: str, pages: int, draw: Run, tmp_path: Path) -> None:
    asked = ["--sheet", "2x1", "--paper", paper, "--answers", answers, "--level"]
    done = draw("three.txt", *asked, "-o", "p-{number}.svg")
    assert done.returncode == 0
    assert done.stderr.count("one of several solutions") == (0 if answers == "none" else 3)
    assert len(list(tmp_path.glob("p-*.svg"))) == pages
    first = (tmp_path / "p-1.svg").read_text()
    assert ('width="210mm" height="297mm"' if paper == "a4" else 'width="215.9mm" height="279.4mm"') in first
    assert "1 · 4 clues · more than one solution" in first
    assert f"1 / {pages}" in first
    assert ("scale(-1)" in first) == (answers == "foot")
    assert ("Solutions" in words(tmp_path / f"p-{pages}.svg")) == (answers in ("end", "pages"))
    # a page lies on its side with more columns than rows
    draw("two.txt", "--sheet", "1x2", "--big", "-o", "p.svg")
    assert 'width="297mm" height="210mm"' in (tmp_path / "p.svg").read_text()


@pytest.mark.parametrize(("name", "files"), [("a.pdf", {"a.pdf"}), ("a{number}.svg", {"a1.svg", "a2.svg"})])
def test_several_puzzles_have_pages_or_files(draw: Run, tmp_path: Path, name: str, files: set[str]) -> None:
    assert draw("two.txt", "-o", name).returncode == 0
    assert {path.name for path in tmp_path.glob("a*")} == files
    (tmp_path / "wrong.txt").write_text("12x4\n")
    assert draw("in.txt", "wrong.txt", "--keep-going", "-o", f"b{name}").returncode == 2
    assert list(tmp_path.glob("b*"))
