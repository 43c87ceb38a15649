"""Where answers go and how they look: files, JSON, drawings."""

import json
import re
import sys
from pathlib import Path
from unittest.mock import ANY
from xml.etree import ElementTree

import pytest
from conftest import FIXTURES, SCRIPT, Run, on_terminal

LINE = "1..4..1.2.4..3.."
SOLVED = "1234341221434321"
CONTRADICTORY = "11.............."
RULES = f"regions: aabb aabb ccdd ccdd\nkiller 3: r1c1 r1c2\nanti-king\n1...{'.' * 12}"
REASON = "ringdoku: <stdin>:{line}: the clues contradict each other: row 1 has 1 in r1c1, r1c2\n"
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
JSON_KEYS = ["name", "place", "box", "board", "rules"]
JSON_KEYS += ["status", "grid", "score", "bound", "backend", "word_of", "ground", "seconds"]


def test_a_file_is_written_whole_and_kept_unless_forced(ringdoku: Run, tmp_path: Path) -> None:
    ask = ("solve", "-o", "solutions.txt")
    done = ringdoku(*ask, input=f"{SOLVED}\n", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"solutions.txt": f"{SOLVED}\n"}
    refused = ringdoku(*ask, input=f"{LINE}\n", cwd=tmp_path)
    assert (refused.returncode, "--force" in refused.stderr) == (2, True)
    assert (tmp_path / "solutions.txt").read_text() == f"{SOLVED}\n"
    assert ringdoku(*ask, "--force", input=f"{'1' + '.' * 15}\n", cwd=tmp_path).returncode == 0
    assert (tmp_path / "solutions.txt").read_text() != f"{SOLVED}\n"
    missing = ringdoku("solve", "-o", tmp_path / "no" / "out", input=f"{SOLVED}\n")
    assert (missing.returncode, "cannot write" in missing.stderr) == (2, True)


@pytest.mark.parametrize(("text", "files"), [(f"{SOLVED}\n1x\n", {"out.partial": f"{SOLVED}\n"}), ("1x\n", {})])
def test_answers_before_an_error_are_kept(ringdoku_here: Run, tmp_path: Path, text: str, files: dict[str, str]) -> None:
    assert ringdoku_here("solve", "-o", "out", input=text, cwd=tmp_path).returncode == 2
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == files


def test_a_link_is_followed_and_a_device_is_not_replaced(ringdoku: Run, ringdoku_here: Run, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to("target")
    assert ringdoku_here("solve", "-o", link, input=f"{SOLVED}\n").returncode == 0
    assert (link.is_symlink(), (tmp_path / "target").read_text()) == (True, f"{SOLVED}\n")
    for asked in (["solve", "-o"], ["compare", SOLVED, "--backends", "search", "--csv"]):
        assert ringdoku_here(*asked, "/dev/null", input=f"{SOLVED}\n").returncode == 0
    assert ringdoku("solve", "-o", "/dev/stdout", input=f"{SOLVED}\n").stdout == f"{SOLVED}\n"
    assert Path("/dev/null").is_char_device()


def test_each_puzzle_has_a_file_where_the_name_has_a_number(ringdoku_here: Run, tmp_path: Path) -> None:
    two = f"{SOLVED}\n{LINE}\n"
    rows = [SOLVED[start : start + 4] for start in range(0, 16, 4)]
    text = "\n\n".join(["\n".join(rows)] * 2) + "\n"
    done = ringdoku_here("solve", "-o", "s-{number}.txt", input=text, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "")
    assert {path.name for path in tmp_path.iterdir()} == {"s-1.txt", "s-2.txt"}
    # as if each puzzle had been alone
    assert {(tmp_path / name).read_text() for name in ("s-1.txt", "s-2.txt")} == {"\n".join(rows) + "\n"}
    (tmp_path / "m-2.svg").write_text("old\n")
    asked = ("maximise", "-o", "m-{number}.svg", "--output-format", "svg", "--backend", "search")
    refused = ringdoku_here(*asked, input=two, cwd=tmp_path)
    assert (refused.returncode, refused.stderr) == (2, "ringdoku: error: m-2.svg exists; --force replaces it\n")
    assert (tmp_path / "m-2.svg").read_text() == "old\n"
    assert ringdoku_here(*asked, "--force", input=two, cwd=tmp_path).returncode == 0
    for name in ("m-1.svg", "m-2.svg"):
        assert ElementTree.parse(tmp_path / name).getroot().tag.endswith("svg")
    assert ringdoku_here("solve", "-o", "none-{number}.txt", input="1x\n", cwd=tmp_path).returncode == 2
    assert not list(tmp_path.glob("none*"))


def test_each_of_the_best_grids_has_a_file_where_the_name_has_a_rank(ringdoku_here: Run, tmp_path: Path) -> None:
    asked = ("maximise", "--top", "3", "--backend", "search")
    two = f"{LINE}\n{'.' * 16}\n"
    done = ringdoku_here(*asked, "--output-format", "svg", "-o", "b-{number}-{rank}.svg", input=two, cwd=tmp_path)
    assert done.returncode == 0
    # the first puzzle has one solution
    assert {path.name for path in tmp_path.iterdir()} == {f"b-{end}.svg" for end in ("1-1", "2-1", "2-2", "2-3")}
    together = ringdoku_here(*asked, "-o", "t-{number}.txt", input=two, cwd=tmp_path)
    assert together.returncode == 0
    assert [len((tmp_path / f"t-{number}.txt").read_text().splitlines()) for number in (1, 2)] == [1, 3]


def test_json_has_every_key_and_tells_a_score_of_minus_one_from_infeasible(ringdoku_here: Run, tmp_path: Path) -> None:
    done = ringdoku_here("solve", "--output-format", "json", input=f"{SOLVED}\n{CONTRADICTORY}\n")
    solved, without = map(json.loads, done.stdout.splitlines())
    assert list(solved) == list(without) == JSON_KEYS
    assert solved["grid"] == [[1, 2, 3, 4], [3, 4, 1, 2], [2, 1, 4, 3], [4, 3, 2, 1]]
    assert (solved["status"], solved["box"], solved["place"]) == ("satisfiable", [2, 2], "<stdin>:1")
    assert (solved["ground"], without["ground"]) == ("the grid", "a refutation by cadical195")
    assert solved["score"] is solved["bound"] is None
    assert solved["seconds"] >= 0
    assert solved["backend"]
    assert (without["status"], without["grid"]) == ("infeasible", None)
    weights = tmp_path / "weights.txt"
    # r1c1 − r1c2 is −1 at 1 and 2
    weights.write_text("1 -1 0 0\n" + "0 0 0 0\n" * 3)
    ask, text = ("maximise", "--weights", weights, "--backend", "search"), f"{SOLVED}\n{CONTRADICTORY}\n"
    plain = ringdoku_here(*ask, input=text)
    assert (plain.returncode, plain.stdout) == (0, "-1\n-1\n")
    assert plain.stderr == f"ringdoku: <stdin>:2: no solution; -1 stands for that\n{REASON.format(line=2)}"
    best, without = map(json.loads, ringdoku_here(*ask, "--output-format", "json", input=text).stdout.splitlines())
    assert [best[key] for key in JSON_KEYS[5:-1]] == ["optimal", ANY, -1, -1, "search", None, "a refutation by search"]
    assert (without["status"], without["score"], without["grid"]) == ("infeasible", None, None)


@pytest.mark.parametrize(
    ("flags", "text", "code", "answers"),
    [
        ((), "." * 16, 0, "4\n"),
        (("--minimise",), "." * 16, 0, "1\n"),
        (("--minimize",), "." * 16, 0, "1\n"),
        ((), f"{'.' * 16}\n{'.' * 81}\n{'.' * 16}\n", 2, "4\n"),
        (("--keep-going",), f"{'.' * 16}\n{'.' * 81}\n{'.' * 16}\n", 2, "4\n4\n"),
    ],
)
def test_weights_and_puzzles_of_another_order(
    ringdoku_here: Run, tmp_path: Path, flags: tuple[str, ...], text: str, code: int, answers: str
) -> None:
    weights = tmp_path / "weights.txt"
    weights.write_text("1 0 0 0\n" + "0 0 0 0\n" * 3)
    done = ringdoku_here("maximise", "--weights", weights, "--backend", "search", *flags, input=text)
    wrong = f"ringdoku: error: {weights}: found 4x4 weights, expected 9x9, the size of <stdin>:2\n"
    assert (done.returncode, done.stdout, done.stderr) == (code, answers, wrong if code else "")
    assert "the name of the file is empty" in ringdoku_here("maximise", "--weights", "", input=text).stderr


def test_a_drawing_marks_clues_and_rings_with_and_without_colours(ringdoku_here: Run) -> None:
    done = ringdoku_here("solve", "--output-format", "pretty", input=f"{LINE}\n")
    assert "\x1b" not in done.stdout
    assert done.stdout.splitlines()[:7] == [
        "<stdin>:1",
        "┌──────┬──────┐",
        "│ 1' 2 │ 3  4'│",
        "│ 3  4 │ 1' 2 │",
        "├──────┼──────┤",
        "│ 2' 1 │ 4' 3 │",
        "│ 4  3'│ 2  1 │",
    ]
    assert re.fullmatch(r"solved \(.*\); ' marks a clue", done.stdout.splitlines()[8])
    blank = ringdoku_here("solve", "--output-format", "pretty", input="." * 16)
    assert "marks" not in blank.stdout
    ask = ("solve", "--output-format", "pretty")
    forced = ringdoku_here(*ask, input=f"{LINE}\n", env={"FORCE_COLOR": "1"}).stdout
    assert "\x1b[1m 1 \x1b[0m" in forced
    assert "'" not in ESCAPE.sub("", forced)
    assert "marks" not in forced
    assert "\x1b" not in ringdoku_here(*ask, input=f"{LINE}\n", env={"FORCE_COLOR": "1", "NO_COLOR": "1"}).stdout
    target = FIXTURES / "p1074-1.in"
    forced = ringdoku_here("maximise", *ask[1:], target, env={"FORCE_COLOR": "1"}).stdout
    papers = re.findall(r"48;5;(\d+)m", forced)
    assert (len(papers), len(set(papers)), papers.count(papers[40])) == (81, 5, 1)
    assert papers[:9] == [papers[0]] * 9
    assert "score 2829, the best" in forced
    drawn = ringdoku_here(*ask, FIXTURES / "poj3076.in").stdout
    rows = [re.sub("[│' ]", "", line) for line in drawn.splitlines() if line.startswith("│")]
    assert rows == (FIXTURES / "poj3076.out").read_text().split()


def test_names_are_shown_but_cannot_act_upon_the_terminal_and_ascii_will_do(ringdoku_here: Run, ringdoku: Run) -> None:
    rows = "\n".join(SOLVED[start : start + 4] for start in range(0, 16, 4))
    drawn = ringdoku_here("solve", "--output-format", "pretty", input=f"Grid 01\n{rows}\n").stdout
    assert drawn.startswith("Grid 01\n")
    hostile = ringdoku_here("solve", "--keep-going", input=f"\x1b[31m[bold]\n{SOLVED}\n")
    assert "\x1b" not in hostile.stdout + hostile.stderr
    drawn = ringdoku("solve", "--output-format", "pretty", input=f"{LINE}\n", env={"PYTHONIOENCODING": "ascii"}).stdout
    assert drawn.isascii()
    assert "| 1' 2 | 3  4'|" in drawn


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are of Unix")
@pytest.mark.parametrize(
    ("text", "more", "code", "parts"),
    [
        (LINE, {}, 0, ("┌──────┬──────┐", "\x1b[1m 1 ")),
        (LINE, {"NO_COLOR": "1"}, 0, ("┌──────┬──────┐", " 1' 2 ")),
        (RULES, {"COLUMNS": "40"}, 1, ("┌────────┬────────┐", "\x1b[2ma", "  killer: a 3", "  anti-king")),
    ],
)
def test_a_terminal_gets_a_drawing(
    tmp_path: Path, text: str, more: dict[str, str], code: int, parts: tuple[str, ...]
) -> None:
    returned, drawn = on_terminal([SCRIPT, "solve"], tmp_path, f"{text}\n", **more)
    assert returned == code
    assert all(part in drawn for part in parts)
