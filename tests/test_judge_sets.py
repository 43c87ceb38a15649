"""Sets of tests for judges: what each is for holds, their answers are right, and the same seed gives the same bytes."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest
from conftest import FIXTURES, SCRIPT, Run, plain_environment

from ringdoku import DimensionError, Objective, __version__, best_solutions, count_solutions
from ringdoku.domain.checker import repeats
from ringdoku.services import judge_sets
from ringdoku.services.judge_package import LAYOUTS
from ringdoku.services.judge_sets import HARD, JUDGES, MOST_SOLUTIONS, SPANS, Task, judge_set, plain_search
from ringdoku_cli.commands import generate

made = cache(lambda *asked: list(judge_set(*asked)))
"""Sets of tests take seconds; each is made once."""


@pytest.fixture
def _makes_sets_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def known(task: Task, count: int, seed: int, *more: Any) -> Iterable[judge_sets.Test]:
        # of the sample only the first tests are asked for
        return made(task, count, seed) if seed >= 0 else judge_set(task, count, seed, *more)

    monkeypatch.setattr(judge_sets, "judge_set", known)


@pytest.mark.usefixtures("_makes_sets_once")
@pytest.mark.parametrize(
    ("task", "count", "seed", "digest"), [("P1074", 9, 5, "dfc54d335d40"), ("solve", 7, 0, "ceecf4771be2")]
)
def test_every_purpose_holds(ringdoku_here: Run, tmp_path: Path, task: str, count: int, seed: int, digest: str) -> None:
    assert set(JUDGES) == set(generate.TASKS)
    assert set(LAYOUTS) == set(generate.LAYOUTS)
    with pytest.raises(DimensionError, match="4 weights do not fit a board of 9x9"):
        Task("P1074", weights=Objective((1,) * 4))
    ask = ("--judge", task, "--count", f"{count}", "--seed", f"{seed}", "--out", tmp_path / "new")
    table = ringdoku_here("generate", *ask).stdout.replace(__version__, "VERSION")
    assert sha256(table.encode()).hexdigest()[:12] == digest
    tests = made(Task(task), count, seed)
    assert made.cache_info().hits
    purposes = (*JUDGES[task][: count - 1], JUDGES[task][-1])
    assert [test.purpose for test in tests] == [purpose.sentence for purpose in purposes]
    for number, test in enumerate(tests):
        puzzle = test.puzzle
        least = next(least for share, least, _ in SPANS if number < share * count)
        assert puzzle.clues.filled_count >= least
        if test.solutions < 100:
            assert test.solutions == count_solutions(puzzle, backend="search")
        assert next(repeats(puzzle, puzzle.clues), None) is None
        if test.solutions > MOST_SOLUTIONS:
            continue
        scores = [result.score for result in best_solutions(puzzle, test.best + 1)]
        if test.solutions:
            assert scores[: test.best] == [test.score] * test.best
            assert scores[test.best :] != [test.score]
        if "times as long" in test.purpose:
            most = 1 if task == "solve" else MOST_SOLUTIONS
            assert plain_search(puzzle, False, most)[0] > HARD * plain_search(puzzle, True, most)[0]


@pytest.mark.parametrize(("task", "layout"), [("P1074", "flat"), ("solve", "problem")])
def test_what_is_written_is_right(ringdoku_here: Run, tmp_path: Path, task: str, layout: str) -> None:
    # tests on this board are made at once
    ask = ("generate", "--judge", task, "--count", "3", "--order", "4", "--layout", layout)
    for name in ("one.zip", "two.zip", "folder"):
        done = ringdoku_here(*ask, "--out", tmp_path / name)
        assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    with ZipFile(tmp_path / "one.zip") as archive:
        names = archive.namelist()
        assert all((tmp_path / "folder" / name).read_bytes() == archive.read(name) for name in names)
    assert done.stdout == (tmp_path / "folder" / "tests.md").read_text()
    # full grids of so few cells are quickly tried
    assert "late.cpp |" not in done.stdout
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


DAMAGES = ((b"\n", b" \n"), (b"\n", b"\n\n"), (b"0", b"x"))
OTHERS = ("--cases", "2", "--order", "6", "--box", "2x3", "--rule", "diagonal", "--rule", "killer: r1c1 r2c4")


def _status(*command: object, stdin: bytes = b"") -> int:
    return subprocess.run([*map(str, command)], input=stdin, capture_output=True, check=False).returncode


def _passes(command: list[str | Path], source: Path, folder: Path) -> bool:
    with suppress(subprocess.TimeoutExpired):
        found = subprocess.run(command, input=source.read_bytes(), capture_output=True, check=True, timeout=3).stdout
        (folder / "out").write_bytes(found)
        return _status(folder / "checker", source, folder / "out", source.with_suffix(".out")) == 0
    return False


@pytest.mark.usefixtures("_makes_sets_once")
@pytest.mark.parametrize(
    ("task", "options", "wrong", "submitted"),
    [
        # those in C++ are compiled for the other task, and run above for both; one that is too slow is enough
        ("P1074", ("--count", "2", "--seed", "4"), b"1\n", "(first|rows|search).py"),
        ("solve", OTHERS, b"-1\n" * 2, "^(?!fewest|rows)"),
    ],
)
def test_validators_and_checkers_know_right_from_wrong(
    ringdoku_here: Run, tmp_path: Path, task: str, options: tuple[str, ...], wrong: bytes, submitted: str
) -> None:
    for layout in ("problem", "hydro", "luogu", "polygon"):
        done = ringdoku_here("generate", "--judge", task, *options, "--layout", layout, "--out", tmp_path / layout)
        assert (done.returncode, done.stderr) == (0, "")
    names = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.*")}
    assert {"luogu/config.yml", "luogu/statement.zh.md", "hydro/testdata/config.yaml"} <= names
    statements = [(tmp_path / f"luogu/statement.{code}.md").read_text("utf-8") for code in ("en", "zh")]
    assert [": (1, 1), (2, 4)" in text.replace("：", ": ") for text in statements] == [task == "solve"] * 2
    assert {f"{layout}/submissions/accepted/search.py" for layout in ("luogu", "hydro", "problem")} <= names
    tests = ElementTree.parse(tmp_path / "polygon/problem.xml").findall(".//test")
    assert len(tests) == len(list((tmp_path / "polygon/tests").glob("*.a"))) == (3 if task == "P1074" else 2)
    problem, data = tmp_path / "problem", tmp_path / "hydro/testdata"
    # those of Kattis need Python alone
    first = (data / "1.in").read_bytes()
    bad = [b"", first + b"0", *(first.replace(one, other, 1) for one, other in DAMAGES)]
    for text, status in [(first, 42), *((text, 43) for text in bad)]:
        assert _status(sys.executable, problem / "input_validators/validate.py", stdin=text) == status
    right = (data / "1.out").read_bytes()
    for text, status in ((right, 42), (wrong, 43), (right + b"1", 43), (right[:-3], 43), (b"", 43)):
        output = problem / "output_validators/validate.py"
        if output.exists():
            given = (problem / "data/secret/1.in", problem / "data/secret/1.ans", tmp_path)
            assert _status(sys.executable, output, *given, stdin=text) == status
    if shutil.which("g++") is None:
        pytest.skip("there is no g++ for the rest")
    for name in ("checker", "validator"):
        source = data / f"{name}.cpp"
        shutil.copy(FIXTURES / "testlib.h", source.parent)
        assert _status("g++", "-std=c++17", "-Wall", "-Werror", "-o", tmp_path / name, source) == 0
    for text, status in [(first, 0), *((text, 3) for text in bad)]:
        assert _status(tmp_path / "validator", stdin=text) == status
    for text, status in ((right, 0), (wrong, 1), (b"", 2)):
        (tmp_path / "out").write_bytes(text)
        assert _status(tmp_path / "checker", data / "1.in", tmp_path / "out", data / "1.out") == status
    # programs fail the tests that the table says, and see clues that contradict each other
    (data / "alike.in").write_bytes(re.sub(rb"(?<=[\d ])\d|\d(?=[\d ])", b"1", first))
    (data / "alike.out").write_bytes(b"-1\n" * (3 if task == "solve" else 1))
    table = [line.split(" | ") for line in (problem / "tests.md").read_text().splitlines() if line.startswith("| ")]
    for program in [*problem.glob("submissions/accepted/*"), *problem.glob("submissions/wrong_answer/*")]:
        command: list[str | Path] = [sys.executable, program]
        if program.suffix == ".cpp":
            command = [tmp_path / "program"]
            assert _status("g++", "-O2", "-o", *command, program) == 0
        failed = {source.stem for source in data.glob("*.in") if not _passes(command, source, tmp_path)}
        assert failed == {row[0].strip("| ") for row in table if program.name in row[7].split(", ")}
    verify = Path(sys.executable).with_name("verifyproblem")
    if not verify.exists():
        pytest.skip("problemtools is not installed")
    # Kattis' own program finds nothing wrong; statements are left out where there is no TeX, and Python stands for PyPy
    (tmp_path / "problemtools").mkdir()
    python = f"{{compile: '{sys.executable} -m py_compile {{files}}', run: '{sys.executable} \"{{mainfile}}\"'}}"
    (tmp_path / "problemtools/languages.yaml").write_text(f"python3: {python}\n")
    with_tex = ["statement"] * all(map(shutil.which, ("lualatex", "tidy")))
    parts = ["config", "validators", "data", "submissions", *with_tex]
    said = subprocess.run(
        [verify, problem, "--submission_filter", submitted, "--parts", *parts],
        capture_output=True,
        text=True,
        env={**plain_environment(), "XDG_CONFIG_HOME": str(tmp_path)},
        check=False,
    )
    assert "problem tested: 0 errors, 0 warnings" in said.stdout + said.stderr, said.stdout + said.stderr


@pytest.mark.parametrize("name", ["set.zip", "folder", "new"])
@pytest.mark.skipif(sys.platform == "win32", reason="has no limit on the size of files")
def test_on_a_full_disk_there_is_one_sentence_and_no_file(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    before = sorted(tmp_path.rglob("*"))

    def with_small_files() -> None:
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

    done = subprocess.run(
        [SCRIPT, "generate", "--judge", "P1074", "--count", "1", "--out", tmp_path / name],
        capture_output=True,
        text=True,
        env=plain_environment() | {"PYTHONDONTWRITEBYTECODE": "1"},
        check=False,
        preexec_fn=with_small_files,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"ringdoku: error: cannot write {tmp_path / name}: File too large\n"
    assert sorted(tmp_path.rglob("*")) == before
