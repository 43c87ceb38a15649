"""Links and texts of other programs through the commands."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

from links import fpuzzles_link

Run = Callable[..., subprocess.CompletedProcess[str]]

SOLVED = "1234\n3412\n2143\n4321\n"
ISS = ".Shape~4x4.Thermo~R1C1~R1C2~R1C3~R1C4.Cage~8~R2C1~R2C2~R3C2.~R2C1_3~R3C1_2~R4C4_1"
THERMOMETER = {
    "size": 4,
    "title": "Warm",
    "author": "Ann",
    "ruleset": "Digits rise along\nthe thermometer.",
    "grid": [[{} for _ in range(4)] for _ in range(4)],
    "thermometer": [{"lines": [["R1C1", "R1C2", "R1C3", "R1C4"]]}],
}
CLUES = {(1, 0): 3, (2, 0): 2, (3, 3): 1}
CLUED = THERMOMETER | {
    "grid": [
        [{"value": CLUES[row, column], "given": True} if (row, column) in CLUES else {} for column in range(4)]
        for row in range(4)
    ]
}


def test_a_link_is_read_from_a_file_standard_input_and_the_argument(ringdoku_here: Run, tmp_path: Path) -> None:
    file = tmp_path / "link.txt"
    for text in (fpuzzles_link(CLUED), ISS):
        file.write_text(f"\n{text}\n")
        for done in (ringdoku_here("solve", file), ringdoku_here("solve", input=text), ringdoku_here("solve", text)):
            assert (done.returncode, done.stdout, done.stderr) == (0, SOLVED, "")


def test_several_links_are_several_puzzles(ringdoku_here: Run) -> None:
    link = fpuzzles_link(CLUED)
    done = ringdoku_here("maximise", input=f"{link}\n{link}\n")
    assert done.returncode == 0
    assert len(set(done.stdout.split())) == 1
    assert len(done.stdout.split()) == 2


def test_what_is_drawn_only_is_refused_by_name_unless_ignored(ringdoku_here: Run) -> None:
    link = fpuzzles_link(CLUED | {"line": [{"lines": [["R2C1", "R2C2"]], "outlineC": "#67C266", "width": 0.4}]})
    done = ringdoku_here("solve", link)
    assert (done.returncode, done.stdout) == (2, "")
    assert "line" in done.stderr
    assert "--ignore" in done.stderr
    assert ringdoku_here("solve", link, "--ignore").stdout == SOLVED


def test_a_second_solution_hints_at_the_rules_text(ringdoku_here: Run) -> None:
    link = fpuzzles_link(THERMOMETER)
    done = ringdoku_here("solve", link)
    assert done.returncode == 0
    assert done.stderr == (
        "ringdoku: <argument>:1: more than one solution; the setter's rules text may say more than the file: "
        "Digits rise along the thermometer.\n"
    )
    checked = ringdoku_here("check", link, "--unique")
    assert (checked.returncode, checked.stderr) == (1, done.stderr)
    assert "Warm" in checked.stdout
    assert "Ann" in checked.stdout


def test_rules_can_be_added_to_a_link(ringdoku_here: Run) -> None:
    done = ringdoku_here("solve", ISS, "--rule", "diagonal")
    assert (done.returncode, done.stdout) == (1, "no solution\n")


def test_a_damaged_link_is_an_error_with_its_place(ringdoku_here: Run) -> None:
    link = fpuzzles_link(CLUED)
    for text in (
        link[: len(link) // 2],
        "https://f-puzzles.com/?id=abc",
        "https://example.org/x.html",
        ".Cage~5~R9C99",
    ):
        done = ringdoku_here("solve", input=text)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("ringdoku: error: <stdin>:1: ")
        assert done.stderr.count("\n") == 1
