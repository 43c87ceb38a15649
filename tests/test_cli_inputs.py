"""Several inputs, folders, patterns, and a puzzle as the argument itself."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]

FIRST, SECOND, NONE = "1234341221434321", "2143432112343412", "11.............."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tests").mkdir()
    for name, text in (("one.in", f"{FIRST}\n"), ("two.in", f"{NONE}\n{SECOND}\n"), (".hidden", "x\n")):
        (tmp_path / "tests" / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    "inputs", [("tests/one.in", "tests/two.in"), ("tests",), ("tests/*.in",), ("tests/o*", "tests")]
)
def test_inputs_are_answered_one_after_the_other(ringdoku_here: Run, folder: Path, inputs: tuple[str, ...]) -> None:
    done = ringdoku_here("solve", *inputs, cwd=folder)
    assert (done.returncode, done.stdout) == (1, f"{FIRST}\nno solution\n{SECOND}\n")
    assert done.stderr.startswith("ringdoku: tests/two.in:1: the clues contradict each other")
    assert ringdoku_here("count", *inputs, cwd=folder).stdout == "1\n0\n1\n"


def test_each_input_has_its_answers_in_a_file(ringdoku_here: Run, folder: Path) -> None:
    done = ringdoku_here("maximise", "tests", "-o", "answers/new/{input}.ans", cwd=folder)
    assert (done.returncode, done.stdout) == (0, "")
    assert (folder / "answers/new/one.ans").read_text() == "250\n"
    assert (folder / "answers/new/two.ans").read_text() == "-1\n250\n"
    done = ringdoku_here("maximise", "tests", "-o", "answers/new/{input}.ans", cwd=folder)
    assert (done.returncode, "one.ans exists; --force replaces it" in done.stderr) == (2, True)
    assert ringdoku_here("solve", "tests", "-o", "{input}-{number}.txt", cwd=folder).returncode == 1
    assert (folder / "two-3.txt").read_text() == f"{SECOND}\n"
    done = ringdoku_here("solve", "-", "-o", "answers/{input}.out", input=FIRST, cwd=folder)
    assert (folder / "answers/stdin.out").read_text() == f"{FIRST}\n"


def test_a_malformed_input_keeps_what_came_before(ringdoku_here: Run, folder: Path) -> None:
    (folder / "tests/bad.in").write_text("12x4341221434321\n")
    ask = ("solve", "tests/one.in", "tests/bad.in", "tests/two.in")
    done = ringdoku_here(*ask, cwd=folder)
    assert (done.returncode, done.stdout) == (2, f"{FIRST}\n")
    assert "tests/bad.in:1:3: found 'x'" in done.stderr
    assert ringdoku_here(*ask, "--keep-going", cwd=folder).stdout == f"{FIRST}\nno solution\n{SECOND}\n"
    done = ringdoku_here("solve", "tests/one.in", "nowhere", cwd=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "ringdoku: error: cannot read nowhere: No such file or directory\n"


@pytest.mark.parametrize(
    "text", ["1...............", "1.../..../..../....", "1... .... .... ....", "1...\n....\n....\n...."]
)
def test_a_puzzle_is_an_argument(ringdoku_here: Run, text: str) -> None:
    assert ringdoku_here("count", text).stdout == "72\n"


def test_several_puzzles_are_arguments_too(ringdoku_here: Run) -> None:
    assert ringdoku_here("count", "1...............", "." * 16).stdout == "72\n288\n"


def test_json_is_an_argument_damaged_or_not(ringdoku_here: Run) -> None:
    text = '{"grid": [[1, 0], [0, 0]], "box": [1, 2]}'
    assert ringdoku_here("count", text).stdout == "1\n"
    done = ringdoku_here("count", text[:-1])
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("ringdoku: error: <argument>:1:41: found text that is not JSON")


def test_of_an_argument_that_nobody_could_mean_the_beginning_is_shown(ringdoku_here: Run) -> None:
    done = ringdoku_here("solve", "abc " * 5000)
    assert done.returncode == 2
    assert done.stderr.startswith("ringdoku: error: cannot read abc abc")
    assert len(done.stderr) < 200


@pytest.mark.parametrize("text", ["abcdefgabcdefgab", "data/long/file/name", "1234", "...x............"])
def test_other_arguments_are_names_of_files(ringdoku_here: Run, text: str) -> None:
    done = ringdoku_here("solve", text)
    assert (done.returncode, done.stderr) == (2, f"ringdoku: error: cannot read {text}: No such file or directory\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("tests/one.in", "other/one.in", "-o", "x/{input}"), "two inputs are called one"),
        (("-o", "tests/one.in/{input}"), "cannot write to tests/one.in"),
    ],
)
def test_options_that_make_no_sense_are_refused(
    ringdoku_here: Run, folder: Path, arguments: tuple[str, ...], message: str
) -> None:
    (folder / "other").mkdir()
    (folder / "other/one.in").write_text(FIRST)
    done = ringdoku_here("solve", *arguments, cwd=folder)
    assert done.returncode == 2
    assert message in done.stderr
