"""`ringdoku draw`, and the endings of names that decide the format of every output."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

FIXTURES = Path(__file__).parent.parent / "fixtures"
TARGET, RULES = FIXTURES / "target.in", FIXTURES / "rules.in"
FOUR = "1...\n.2..\n..3.\n...4\n"
TWO = "1.../..3./.2../...4\n12..34..........\n"
Ringdoku = Callable[..., subprocess.CompletedProcess[str]]
MAGIC = {"svg": b"<svg ", "png": b"\x89PNG", "pdf": b"%PDF"}


def words(path: Path) -> list[str]:
    """Every text of an SVG picture, its title and description first."""
    found = [part for part in ElementTree.parse(path).getroot().iter() if part.tag.rpartition("}")[2] != "svg"]
    return [part.text for part in found if part.text]


@pytest.mark.parametrize("form", MAGIC)
def test_the_ending_decides_the_format(form: str, ringdoku_here: Ringdoku, tmp_path: Path) -> None:
    """Of each command that has an output; what cannot be drawn is refused."""
    (tmp_path / "in.txt").write_text(FOUR)
    for number, command in enumerate(
        (
            ["draw", "in.txt"],
            ["solve", "in.txt"],
            ["maximise", "in.txt"],
            ["candidates", "in.txt"],
            ["generate", "--order", "4"],
        )
    ):
        done = ringdoku_here(*command, "-o", f"{number}.{form}", cwd=tmp_path)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        assert (tmp_path / f"{number}.{form}").read_bytes().startswith(MAGIC[form])
    for command in (["count", "in.txt"], ["explain", "in.txt"], ["export", "in.txt"], ["rate", "in.txt"]):
        done = ringdoku_here(*command, "-o", f"x.{form}", cwd=tmp_path)
        assert done.returncode == 2
        assert "`ringdoku draw` does" in done.stderr


def test_other_endings_decide_too(ringdoku_here: Ringdoku, tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text(FOUR)
    for command in ("solve", "maximise", "count", "candidates", "check", "rate", "explain", "generate"):
        asked = [command, *(["--order", "4"] if command == "generate" else ["in.txt"])]
        assert ringdoku_here(*asked, "-o", f"{command}.json", cwd=tmp_path).returncode in (0, 1)
        assert (tmp_path / f"{command}.json").read_text().startswith('{"')
    assert ringdoku_here("export", "in.txt", "-o", "m.cnf", cwd=tmp_path).returncode == 0
    assert "p cnf" in (tmp_path / "m.cnf").read_text()
    ringdoku_here("solve", "in.txt", "-o", "other.json", "--output-format", "line", cwd=tmp_path)
    assert (tmp_path / "other.json").read_text().startswith("1")


def test_a_puzzle_is_drawn_unsolved_or_solved(ringdoku_here: Ringdoku, tmp_path: Path) -> None:
    assert ringdoku_here("draw", TARGET, "-o", "a.svg", cwd=tmp_path).returncode == 0
    title, description, *digits = words(tmp_path / "a.svg")
    assert title.endswith("target.in:1")
    assert description.startswith("row 1: blank blank 2 3 4 blank blank blank 6; row 2:")
    assert len(digits) == 25
    ringdoku_here("draw", FIXTURES / "b4279.in", "--solution", "-o", "b.svg", cwd=tmp_path)
    assert len(words(tmp_path / "b.svg")) == 2 + 81
    ringdoku_here("draw", RULES, "-o", "c.svg", "--rings", cwd=tmp_path)
    assert words(tmp_path / "c.svg")[-1] == "thermometer; whisper 5; arrow; killer; ratio 2; sandwich"
    assert "#fce4cc" in (tmp_path / "c.svg").read_text()


def test_one_of_several_solutions_is_called_so(ringdoku_here: Ringdoku, tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text(FOUR)
    done = ringdoku_here("draw", "in.txt", "--solution", "-o", "a.svg", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "ringdoku: in.txt:1: one of several solutions\n")
    assert words(tmp_path / "a.svg")[-1] == "one of several solutions"
    done = ringdoku_here("draw", FIXTURES / "b4279.in", "--solution", "-o", "b.svg", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


def test_each_input_has_a_picture(ringdoku_here: Ringdoku, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(FOUR)
    (tmp_path / "b.txt").write_text(FOUR)
    (tmp_path / "two.txt").write_text(FOUR * 2)
    done = ringdoku_here("solve", "a.txt", "b.txt", "-o", "out/{input}.svg", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(words(tmp_path / "out" / "b.svg")) == 2 + 16
    done = ringdoku_here("solve", "two.txt", "-o", "out/{input}.png", cwd=tmp_path)
    assert (done.returncode, "a picture holds one grid" in done.stderr) == (2, True)


def test_candidates_and_marks(ringdoku_here: Ringdoku, tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("1...\n....\n....\n...4\n")
    (tmp_path / "marks.txt").write_text("1..." + "23.." + "." * 56)
    (tmp_path / "held.txt").write_text("12..\n1...\n....\n...4\n")
    ringdoku_here("draw", "in.txt", "--candidates", "simple", "-o", "a.svg", cwd=tmp_path)
    assert words(tmp_path / "a.svg")[2:6] == ["1", "2", "3", "4"]
    ringdoku_here("draw", "in.txt", "--candidates", "true", "-o", "b.svg", cwd=tmp_path)
    assert len(words(tmp_path / "b.svg")) <= len(words(tmp_path / "a.svg"))
    done = ringdoku_here("draw", "in.txt", "--marks", "held.txt", "-o", "c.svg", cwd=tmp_path)
    assert done.stderr == ""
    drawn = (tmp_path / "c.svg").read_text()
    # a digit of the player is blue, and red where it breaks a rule
    assert 'fill="#1f4e9e">2<' in drawn
    assert drawn.count('fill="#b3261e"') == 2


def test_a_puzzle_without_a_solution_says_so(ringdoku_here: Ringdoku, tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("12..\n..3.\n..4.\n....\n")
    (tmp_path / "plain.txt").write_text("11..\n....\n....\n....\n")
    assert ringdoku_here("draw", "in.txt", "-o", "unsolved.svg", cwd=tmp_path).returncode == 0
    assert "no solution" in words(tmp_path / "unsolved.svg")
    for number, asked in enumerate((["draw", "--solution"], ["solve"], ["candidates"], ["draw", "--steps", "all"])):
        done = ringdoku_here(asked[0], "in.txt", *asked[1:], "-o", f"{number}.svg", cwd=tmp_path)
        assert done.returncode == 1
        assert "no solution" in words(tmp_path / f"{number}.svg")
    assert ringdoku_here("draw", "plain.txt", "-o", "plain.svg", cwd=tmp_path).returncode == 0
    assert "no solution: row 1 has 1 in r1c1, r1c2" in " ".join(words(tmp_path / "plain.svg"))


def test_steps_have_a_picture_each(ringdoku_here: Ringdoku, tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text(FOUR)
    b4279 = FIXTURES / "b4279.in"
    done = ringdoku_here("draw", b4279, "--steps", "2-4", "-o", "s-{number}.svg", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert {path.name for path in tmp_path.glob("s-*")} == {"s-1.svg", "s-2.svg", "s-3.svg"}
    shown = " ".join(words(tmp_path / "s-1.svg")[2:])
    assert "2. hidden single in a box (1 truth):" in shown
    assert "<circle" in (tmp_path / "s-1.svg").read_text()
    assert ringdoku_here("draw", b4279, "--steps", "2-3", "-o", "s.pdf", cwd=tmp_path).returncode == 0
    assert (tmp_path / "s.pdf").read_bytes().count(b"/Type /Page ") == 2
    assert "names a file for each" in ringdoku_here("draw", b4279, "--steps", "2-3", "-o", "s.svg", cwd=tmp_path).stderr
    done = ringdoku_here("draw", b4279, "--steps", "900", "-o", "none.svg", cwd=tmp_path)
    assert done.returncode == 1
    assert "there is no step 900; there are" in done.stderr


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("answers", ["none", "end", "foot", "pages"])
def test_sheets(paper: str, answers: str, ringdoku_here: Ringdoku, tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text(FOUR * 3)
    ask = (
        "draw",
        "in.txt",
        "--sheet",
        "2x1",
        "--paper",
        paper,
        "--answers",
        answers,
        "--level",
        "-o",
        "p-{number}.svg",
    )
    done = ringdoku_here(*ask, cwd=tmp_path)
    assert done.returncode == 0
    assert done.stderr.count("one of several solutions") == (0 if answers == "none" else 3)
    pages = {"none": 2, "foot": 2, "end": 3, "pages": 4}[answers]
    assert len(list(tmp_path.glob("p-*.svg"))) == pages
    first = (tmp_path / "p-1.svg").read_text()
    assert ('width="210mm" height="297mm"' if paper == "a4" else 'width="215.9mm" height="279.4mm"') in first
    assert "1 · 4 clues · more than one solution" in first
    assert f"1 / {pages}" in first
    assert ("scale(-1)" in first) == (answers == "foot")
    last = words(tmp_path / f"p-{pages}.svg")
    assert ("Solutions" in last) == (answers in ("end", "pages"))


def test_a_page_lies_on_its_side_where_puzzles_are_larger_then(ringdoku_here: Ringdoku, tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text(FOUR * 2)
    ringdoku_here("draw", "in.txt", "--sheet", "1x2", "--big", "-o", "p.svg", cwd=tmp_path)
    assert 'width="297mm" height="210mm"' in (tmp_path / "p.svg").read_text()


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (["--sheet", "3"], "--sheet is ROWSxCOLUMNS"),
        (["--sheet", "40x40"], "leave no room"),
        (["--steps", "x"], "--steps is all, a number, or a span"),
        (["--steps", "9-3"], "--steps is all, a number, or a span"),
        (["--answers", "end"], "go with --sheet"),
        (["--solution", "--steps", "1"], "pictures of their own"),
        (["-o", "x.svg"], "exists; --force"),
        (["-o", "x.jpeg"], "ends in .svg, .png, .pdf"),
    ],
)
def test_what_cannot_be_drawn(asked: list[str], message: str, ringdoku_here: Ringdoku, tmp_path: Path) -> None:
    (tmp_path / "x.svg").write_text("old")
    done = ringdoku_here("draw", "-", *asked, input=FOUR, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


def test_several_puzzles_need_a_file_for_each_or_pages(ringdoku_here: Ringdoku, tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text(FOUR * 2)
    assert "--sheet 3x2" in ringdoku_here("draw", "in.txt", "-o", "a.svg", cwd=tmp_path).stderr
    assert ringdoku_here("draw", "in.txt", "-o", "a.pdf", cwd=tmp_path).returncode == 0
    assert ringdoku_here("draw", "in.txt", "-o", "a{number}.svg", cwd=tmp_path).returncode == 0
    assert {path.name for path in tmp_path.glob("a*")} == {"a.pdf", "a1.svg", "a2.svg"}
