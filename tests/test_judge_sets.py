"""Sets of tests for judges: what each is for holds, their answers are right, and the same seed gives the same bytes."""

import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest
from conftest import Run, plain_environment

from ringdoku import best_solutions, count_solutions
from ringdoku.domain.checker import repeats
from ringdoku.services.judge_sets import HARD, JUDGES, judge_set, plain_search
from ringdoku_cli.commands.generate import NAMES


def test_every_purpose_holds_and_clues_are_as_in_the_original() -> None:
    assert set(NAMES) == set(JUDGES)
    tests = list(judge_set("P1074", 9, 3))
    clues = [test.puzzle.clues.filled_count for test in tests]
    assert min(clues[:4]) >= 30
    assert min(clues[4:8]) >= 26
    assert min(clues) >= 24
    assert {test.purpose for test in tests} == {purpose.sentence for purpose in JUDGES["P1074"]}
    for test in tests:
        puzzle = test.puzzle
        if test.solutions < 100:
            assert test.solutions == count_solutions(puzzle, backend="search")
        assert next(repeats(puzzle, puzzle.clues), None) is None
        scores = [result.score for result in best_solutions(puzzle, test.best + 1)]
        if test.solutions:
            assert scores[: test.best] == [test.score] * test.best
            assert scores[test.best :] != [test.score]
        if "hard" in test.purpose or "longer" in test.purpose:
            assert plain_search(puzzle, fewest=False)[0] > HARD * plain_search(puzzle, fewest=True)[0]


@pytest.mark.parametrize(("task", "layout"), [("P1074", "flat"), ("solve", "problem")])
def test_what_is_written_is_right_and_stays_the_same(
    ringdoku_here: Run, tmp_path: Path, task: str, layout: str
) -> None:
    ask = ("generate", "--judge", task, "--count", "3", "--seed", "4", "--layout", layout)
    for name in ("one.zip", "two.zip", "folder"):
        done = ringdoku_here(*ask, "--out", tmp_path / name)
        assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    with ZipFile(tmp_path / "one.zip") as archive:
        names = archive.namelist()
        assert all((tmp_path / "folder" / name).read_bytes() == archive.read(name) for name in names)
    assert done.stdout == (tmp_path / "folder" / "tests.md").read_text()
    below, suffix = ("", "out") if layout == "flat" else ("data/secret/", "ans")
    for number in (1, 2, 3):
        test = tmp_path / "folder" / f"{below}{number}"
        judged = ringdoku_here(
            *("judge", test.with_suffix(".in"), test.with_suffix(f".{suffix}")),
            *("--task", "maximise" if task == "P1074" else "solve"),
        )
        assert (judged.returncode, judged.stderr) == (0, "ok 1 puzzle\n")
    assert ("problem.yaml" in names) == (layout == "problem")
    refused = ringdoku_here(*ask, "--out", tmp_path / "folder")
    assert (refused.returncode, "--force writes there all the same" in refused.stderr) == (2, True)


@pytest.mark.parametrize("name", ["set.zip", "folder", "new"])
@pytest.mark.skipif(sys.platform == "win32", reason="has no limit on the size of files")
def test_on_a_full_disk_there_is_one_sentence_and_no_file(ringdoku_script: Path, tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    before = sorted(tmp_path.rglob("*"))

    def with_small_files() -> None:
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

    done = subprocess.run(
        [ringdoku_script, "generate", "--judge", "P1074", "--count", "1", "--out", tmp_path / name],
        capture_output=True,
        text=True,
        env=plain_environment(),
        check=False,
        preexec_fn=with_small_files,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"ringdoku: error: cannot write {tmp_path / name}: File too large\n"
    assert sorted(tmp_path.rglob("*")) == before
