"""How the commands end: exit codes, what is on which stream, and what happens to answers when a run is cut short."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ringdoku_cli.exits import Exit, worst

Run = Callable[..., subprocess.CompletedProcess[str]]

LINE = "1.....1...4....."
SOLVED = "1234341221434321"
CONTRADICTORY = "11.............."
REASON = "ringdoku: <stdin>:1: the clues contradict each other: row 1 has 1 in r1c1, r1c2\n"
NO_SOLUTION_WITHOUT_A_REPEAT = "123....4........"
MALFORMED = "1.............."
FULL_DISK = Path("/dev/full")


def test_the_best_so_far_comes_with_its_bound_on_standard_error(ringdoku_here: Run) -> None:
    done = ringdoku_here("maximise", "--backend", "search", "--time-limit", "3", input="." * 256)
    assert done.returncode == 3
    assert int(done.stdout) > 2000
    assert f"{done.stdout.strip()} is not proved best" in done.stderr


def test_an_order_without_square_boxes_needs_its_box(ringdoku_here: Run) -> None:
    blank = "......\n" * 6
    refused = ringdoku_here("solve", input=blank)
    assert refused.returncode == 2
    assert "--box 2x3" in refused.stderr
    assert ringdoku_here("solve", "--box", "2x3", input=blank).returncode == 0


def test_interrupted_quietly_with_the_answers_before_it(ringdoku_script: Path) -> None:
    with subprocess.Popen(
        [ringdoku_script, "solve", "--input-format", "line"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write(f"{SOLVED}\n")
        process.stdin.flush()
        # the answer is there although the input goes on
        assert process.stdout.readline() == f"{SOLVED}\n"
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 130
        assert process.stderr.read() == ""


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_a_file_is_kept_beside_the_old_one_when_stopped(
    ringdoku_script: Path, tmp_path: Path, stop: signal.Signals
) -> None:
    target = tmp_path / "solutions.txt"
    target.write_text("old\n")
    with subprocess.Popen(
        [ringdoku_script, "solve", "--input-format", "line", "--keep-going", "--force", "--output", target],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        assert process.stdin
        assert process.stderr
        process.stdin.write(f"{SOLVED}\n{MALFORMED}\n")
        process.stdin.flush()
        # the complaint about the second puzzle says that the first is answered
        assert "<stdin>:2" in process.stderr.readline()
        process.send_signal(stop)
        assert process.wait(timeout=60) == 128 + stop
        assert "solutions.txt.partial" in process.stderr.read()
    assert target.read_text() == "old\n"
    assert {path.name for path in tmp_path.iterdir()} == {"solutions.txt", "solutions.txt.partial"}
    assert (tmp_path / "solutions.txt.partial").read_text() == f"{SOLVED}\n"


LOADING = """
import sys
class Failing:
    def find_spec(self, name, path=None, target=None):
        if name == {package!r}:
            raise {error}
sys.meta_path.insert(0, Failing())
from ringdoku_cli.__main__ import main
sys.argv[1:] = ["solve"]
main()
"""
"""The program, where loading a package fails."""


@pytest.mark.parametrize("package", ["typer", "ringdoku.services"])
@pytest.mark.parametrize("error", ["KeyboardInterrupt", "RuntimeError('') from KeyboardInterrupt()"])
def test_interrupted_quietly_while_it_loads(package: str, error: str) -> None:
    program = LOADING.format(package=package, error=error)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


@pytest.mark.parametrize("package", ["typer", "pysat.solvers"])
@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        ("MemoryError", 3, "ringdoku: error: out of memory"),
        ("ImportError('x.so: failed to map segment from shared object')", 3, "ringdoku: error: out of memory"),
        ("OSError(12, 'Cannot allocate memory')", 3, "ringdoku: error: out of memory"),
        ("RuntimeError('half a package')", 4, "Traceback"),
    ],
)
def test_what_fails_while_it_loads_is_not_taken_for_no_solution(
    package: str, error: str, code: int, message: str
) -> None:
    program = LOADING.format(package=package, error=error)
    done = subprocess.run(
        [sys.executable, "-c", program], input="." * 81 + "\n", capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr.startswith(message)


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="how much memory a process has is not known here")
@pytest.mark.parametrize("room", [8, 60, 110])
def test_too_little_memory_is_not_taken_for_no_solution(room: int) -> None:
    program = f"""
import resource, sys
from pathlib import Path
size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize() + ({room} << 20)
resource.setrlimit(resource.RLIMIT_AS, (size, size))
from ringdoku_cli.__main__ import main
sys.argv[1:] = ["solve"]
main()
"""
    done = subprocess.run(
        [sys.executable, "-c", program], input=f"{LINE}\n", capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) in ((0, ""), (3, "ringdoku: error: out of memory\n"))
    assert (len(done.stdout) == len(f"{LINE}\n")) is (done.returncode == 0)


def test_a_reader_that_goes_away_is_no_error(ringdoku_script: Path) -> None:
    with subprocess.Popen(
        [ringdoku_script, "solve", "--input-format", "line"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write(f"{SOLVED}\n")
        process.stdin.flush()
        assert process.stdout.readline() == f"{SOLVED}\n"
        process.stdout.close()
        process.stdin.write(f"{SOLVED}\n")
        process.stdin.close()
        assert process.wait(timeout=60) == 141
        assert process.stderr.read() == ""


@pytest.mark.skipif(not FULL_DISK.exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("arguments", [["solve"], ["--help"], ["--version"]])
def test_a_full_disk_is_reported_in_one_line(ringdoku_script: Path, arguments: list[str]) -> None:
    with FULL_DISK.open("w") as full:
        done = subprocess.run(
            [ringdoku_script, *arguments],
            input=f"{SOLVED}\n",
            stdout=full,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            timeout=60,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.startswith("ringdoku: error: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.skipif(sys.platform == "win32", reason="there is no ulimit")
def test_a_disk_that_fills_up_leaves_a_file_that_is_named(ringdoku_script: Path, tmp_path: Path) -> None:
    (tmp_path / "puzzles.txt").write_text(f"{SOLVED}\n" * 200)
    (tmp_path / "out").write_text("old\n")
    limited = ["bash", "-c", 'ulimit -f 1; export PYTHONDONTWRITEBYTECODE=1; exec "$@"', "bash", str(ringdoku_script)]

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*limited, *arguments], cwd=tmp_path, capture_output=True, encoding="utf-8", timeout=60, check=False
        )

    done = run("solve", "puzzles.txt", "-o", "out", "--force")
    assert (done.returncode, done.stdout) == (2, "")
    said, error = done.stderr.splitlines()
    assert said == f"ringdoku: the answers so far are in {tmp_path / 'out.partial'}; the last one may be cut short"
    assert error.startswith("ringdoku: error: reading or writing failed: ")
    assert (tmp_path / "out").read_text() == "old\n"
    assert f"{SOLVED}\n" * 200 > (tmp_path / "out.partial").read_text() > f"{SOLVED}\n"
    (tmp_path / "blank.txt").write_text("." * 81)
    # half a model is none
    assert run("export", "blank.txt", "--to", "cnf", "-o", "model").returncode == 2
    assert {path.name for path in tmp_path.iterdir()} == {"puzzles.txt", "blank.txt", "out", "out.partial"}


def test_the_gravest_exit_code_wins() -> None:
    assert worst() is Exit.OK
    assert worst(Exit.OK, Exit.NEGATIVE, Exit.UNKNOWN) is Exit.UNKNOWN
    assert worst(Exit.UNKNOWN, Exit.USAGE) is Exit.USAGE
    assert worst(Exit.USAGE, Exit.INTERRUPTED) is Exit.INTERRUPTED
