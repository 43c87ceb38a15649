"""Rules on the command line: added with --rule, checked, drawn, listed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import plain_environment
from links import fpuzzles_link

Run = Callable[..., subprocess.CompletedProcess[str]]

RECTANGLE = "board 2x3 digits 0-2\n0..\n..1\n"
SOLVED = "012\n201\n"
BLANK = "." * 16 + "\n"


def test_rules_are_added_to_every_puzzle(ringdoku_here: Run) -> None:
    ask = ("solve", "--backend", "search", "--rule", "Diagonal", "--rule", "killer 3: r1c1 r1c2")
    done = ringdoku_here(*ask, input=BLANK * 2)
    assert (done.returncode, done.stderr) == (0, "")
    for line in done.stdout.split():
        grid = [line[start : start + 4] for start in range(0, 16, 4)]
        assert {grid[0][0], grid[0][1]} == {"1", "2"}
        assert {grid[cell][cell] for cell in range(4)} == {grid[3 - cell][cell] for cell in range(4)} == set("1234")
    both = ringdoku_here(*ask, "--rule", "killer 3: r2c1 r2c2", input=BLANK)
    assert (both.returncode, both.stdout) == (1, "no solution\n")


def test_rules_change_the_best_score(ringdoku_here: Run) -> None:
    ask = ("maximise", "--backend", "search", "--rule", "no boxes", "--rule", "no lines")
    assert ringdoku_here(*ask, input=BLANK).stdout == f"{4 * (12 * 6 + 4 * 7)}\n"
    assert ringdoku_here(*ask, "--rule", "odd: r1c1", input=BLANK).stdout == f"{4 * (12 * 6 + 4 * 7) - 6}\n"


@pytest.mark.parametrize("command", ["solve", "maximise", "check", "export", "compare"])
def test_a_rule_that_is_none_is_an_error_of_the_option(command: str, ringdoku_here: Run, tmp_path: Path) -> None:
    more = {"export": ("--to", "cnf"), "compare": ("--backends", "search")}.get(command, ())
    puzzle = tmp_path / "p.txt"
    puzzle.write_text(BLANK)
    done = ringdoku_here(command, puzzle, *more, "--rule", "kiler 3: r1c1 r1c2")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "ringdoku: error: --rule 'kiler 3: r1c1 r1c2': no constraint is called 'kiler'; expected 'killer'\n"
    )
    done = ringdoku_here(command, puzzle, *more, "--rule", "killer 3: r1c1 r1c5")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--rule 'killer 3: r1c1 r1c5' is wrong ('r1c5' is not on a board of 4x4)" in done.stderr


def test_a_puzzle_that_a_rule_does_not_fit_counts_as_malformed(ringdoku_here: Run) -> None:
    text = f"1{'.' * 15}\n{'.' * 81}\n"
    done = ringdoku_here("solve", "--backend", "search", "--keep-going", "--rule", "odd: r9c9", input=text)
    assert done.returncode == 2
    assert len(done.stdout.split()) == 1
    assert "<stdin>:1: found a puzzle for which --rule 'odd: r9c9' is wrong" in done.stderr


@pytest.mark.parametrize("name", ["same", "line", "packed", "spaced", "boxed", "json"])
def test_solutions_of_any_board_are_written_and_checked(name: str, ringdoku_here: Run, tmp_path: Path) -> None:
    (tmp_path / "p.txt").write_text(RECTANGLE + "\n" + "no boxes\n" + BLANK)
    done = ringdoku_here("solve", "--backend", "search", "--output-format", name, "-o", "s.txt", "p.txt", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    checked = ringdoku_here("check", "p.txt", "--solution", "s.txt", cwd=tmp_path)
    assert checked.returncode == 0
    assert checked.stdout.count("right solution") == 2
    if name == "same":
        assert (tmp_path / "s.txt").read_text().startswith(SOLVED)
    if name == "json":
        record = json.loads((tmp_path / "s.txt").read_text().splitlines()[0])
        assert (record["board"], record["rules"], record["grid"]) == ("2x3 digits 0-2", [], [[0, 1, 2], [2, 0, 1]])
        # an answer is a puzzle too, with all of its rules
        again = ringdoku_here("check", "s.txt", cwd=tmp_path)
        assert again.stdout.count("right solution") == 2


def test_a_wrong_solution_is_named_by_its_rule(ringdoku_here: Run, tmp_path: Path) -> None:
    (tmp_path / "s.txt").write_text("021\n102\n")
    done = ringdoku_here("check", "-", "--solution", "s.txt", input="killer 1: r1c1 r1c2\n" + RECTANGLE, cwd=tmp_path)
    assert done.returncode == 1
    assert "wrong solution, a board of 2x3 with digits 0-2, no boxes, 1 constraint" in done.stdout
    assert "killer 1: r1c1 r1c2 does not hold" in done.stdout


def test_digits_of_extra_cells_are_checked_in_json_alone(ringdoku_here: Run, tmp_path: Path) -> None:
    puzzle = "board 2x2 extra a\nno boxes\nsum 3: a r1c1\n..\n.1\n"
    (tmp_path / "p.txt").write_text(puzzle)
    solved = ringdoku_here("solve", "p.txt", "--backend", "search", "--output-format", "json", cwd=tmp_path).stdout
    assert json.loads(solved)["extra"] == {"a": 2}
    (tmp_path / "s.txt").write_text(solved)
    assert "right solution" in ringdoku_here("check", "p.txt", "--solution", "s.txt", cwd=tmp_path).stdout
    (tmp_path / "s.txt").write_text("12\n21\n")
    done = ringdoku_here("check", "p.txt", "--solution", "s.txt", cwd=tmp_path)
    assert "s.txt:1: found no digits of the cells a, expected JSON, which has them under extra" in done.stderr


def test_weights_are_for_boards_of_their_shape(ringdoku_here: Run, tmp_path: Path) -> None:
    (tmp_path / "w.txt").write_text("1 0 0\n0 0 0\n")
    ask = ("maximise", "--weights", "w.txt", "--backend", "search")
    assert ringdoku_here(*ask, input=RECTANGLE, cwd=tmp_path).stdout == "0\n"
    turned = ringdoku_here(*ask, input="board 3x2 digits 0-2\n0.\n..\n..\n", cwd=tmp_path)
    assert turned.stderr == (
        "ringdoku: error: <stdin>:2: found a puzzle of 3x2 cells, expected 2x3 cells, as there are weights\n"
    )


def test_competition_output_numbers_the_candidates_of_any_board(ringdoku_here: Run) -> None:
    done = ringdoku_here("solve", "--output-format", "competition", "--backend", "search", input=RECTANGLE)
    assert "c variable = (row*3 + column)*3 + digit + 1\n" in done.stdout
    values = [int(word) for line in done.stdout.splitlines() if line.startswith("v") for word in line.split()[1:]]
    assert [value for value in values if value > 0] == [1, 5, 9, 12, 13, 17]


def test_a_verdict_shows_what_came_with_the_puzzle(ringdoku_here: Run) -> None:
    cells: list[list[dict[str, object]]] = [[{} for _ in range(4)] for _ in range(4)]
    words = {"title": "Two", "author": "Ann", "ruleset": "Normal rules. And more."}
    link = fpuzzles_link({"size": 4, "grid": cells, "diagonal+": True, **words})
    assert ringdoku_here("check", "--unique", link).stdout == (
        "<argument>:1 Two: well-formed, 0 clues, 1 constraint, more than one solution\n"
        "  by Ann\n"
        "  Normal rules. And more.\n"
        "  (These words may say more than the rules that were read.)\n"
    )
    record = json.loads(ringdoku_here("check", "--output-format", "json", link).stdout)
    assert (record["name"], record["author"], record["constraints"]) == ("Two", "Ann", 1)


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are of Unix")
def test_a_terminal_gets_a_drawing_of_any_rules(ringdoku_script: Path) -> None:
    import pty

    controller, terminal = pty.openpty()
    text = "regions: aabb aabb ccdd ccdd\nkiller 3: r1c1 r1c2\nanti-king\n1..." + "." * 12 + "\n"
    done = subprocess.run(
        [ringdoku_script, "solve", "--backend", "search"],
        input=text.encode(),
        stdout=terminal,
        env=plain_environment() | {"TERM": "xterm-256color", "COLUMNS": "40"},
        timeout=60,
        check=False,
    )
    os.close(terminal)
    drawn = os.read(controller, 65536).decode()
    os.close(controller)
    assert done.returncode == 1
    assert "┌────────┬────────┐" in drawn
    assert "\x1b[2ma" in drawn
    assert "  killer: a 3" in drawn
    assert "  anti-king" in drawn
