"""How commands end: exit codes, what is on which stream, and what happens to answers when a run is cut short."""

import errno
import signal
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from conftest import SCRIPT, Run, running

from ringdoku.domain.errors import DisagreementError, InputError, MissingPackageError, Place, UsageError
from ringdoku_cli.exits import Exit, exit_code_of, note, printable, worst

LINE, SOLVED, MALFORMED = "1.....1...4.....", "1234341221434321", "1.............."
FULL_DISK = Path("/dev/full")
ERROR = "ringdoku: error: "
MISSING = MissingPackageError("ortools", "pip install ortools")
OF_MEMORY = f"{ERROR}out of memory\n"


def raising(error: BaseException) -> Exit:
    raise error


def cut_short() -> Exit:
    try:
        raise KeyboardInterrupt
    except KeyboardInterrupt:
        raise ImportError("half a package") from None


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (KeyboardInterrupt(), Exit.INTERRUPTED, ""),
        (KeyboardInterrupt(1), Exit.HUNG_UP, ""),
        (KeyboardInterrupt(15), Exit.TERMINATED, ""),
        (UsageError("that is not an order"), Exit.USAGE, f"{ERROR}that is not an order\n"),
        (InputError(Place("p.txt", 3, 5), "'x'", "1-9"), Exit.USAGE, f"{ERROR}p.txt:3:5: found 'x', expected 1-9\n"),
        (MISSING, Exit.USAGE, f"{ERROR}ortools is not installed; install it with: pip install ortools\n"),
        (OSError(5, "Input/output error"), Exit.USAGE, f"{ERROR}reading or writing failed: Input/output error\n"),
        (MemoryError(), Exit.UNKNOWN, OF_MEMORY),
        (DisagreementError("2829, or 2830"), Exit.BUG, f"{ERROR}WRONG ANSWER: 2829, or 2830; unless a program of you"),
        (ZeroDivisionError("division by zero"), Exit.BUG, "Traceback"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_can_happen(capsys: pytest.CaptureFixture[str], error: BaseException, code: Exit, message: str) -> None:
    assert exit_code_of(lambda: raising(error)) is code
    out, err = capsys.readouterr()
    assert (out, err.startswith(message), bool(err)) == ("", True, bool(message))
    assert ("please report it" in err) is (code is Exit.BUG)


def test_the_gravest_exit_code_wins_and_an_interrupt_is_one_whatever_it_turned_into() -> None:
    assert worst() is Exit.OK
    assert worst(Exit.OK, Exit.NEGATIVE, Exit.UNKNOWN) is Exit.UNKNOWN
    assert worst(Exit.USAGE, Exit.INTERRUPTED, Exit.UNKNOWN) is Exit.INTERRUPTED
    assert exit_code_of(cut_short) is Exit.INTERRUPTED


def test_nobody_is_told_where_the_terminal_was_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Closed(StringIO):
        def flush(self) -> None:
            raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(sys, "stderr", closed := Closed())
    note("the answers so far are in out.partial")
    assert closed.getvalue().startswith("ringdoku: the answers")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Grid 01 [bold]é", "Grid 01 [bold]é"),
        ("\x1b[31m\x07a\nb\rc\td\u202eabc\udce9", r"\x1b[31m\x07a\nb\rc\td\u202eabc\udce9"),
    ],
)
def test_text_from_a_file_cannot_act_upon_a_terminal(text: str, shown: str) -> None:
    assert printable(text) == shown


def program(code: str, text: str = "") -> tuple[int, str, str]:
    """How a program of Python ends, and what it writes."""
    asked = [sys.executable, "-c", code]
    done = subprocess.run(asked, input=text, capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGHUP")
@pytest.mark.parametrize(("before", "says"), [("SIG_DFL", "1"), ("SIG_IGN", "it goes on")])
def test_a_closed_terminal_stops_unless_that_was_ruled_out(before: str, says: str) -> None:
    code = f"""
import signal
from ringdoku_cli.exits import install_signal_handlers
signal.signal(signal.SIGHUP, signal.{before})
install_signal_handlers()
try:
    signal.raise_signal(signal.SIGHUP)
    print("it goes on")
except KeyboardInterrupt as stop:
    print(stop)
"""
    assert program(code) == (0, f"{says}\n", "")


@pytest.mark.skipif(sys.platform == "win32", reason="a program cannot send itself these signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_what_stops_a_run_is_not_lost_where_nothing_can_be_raised(number: int) -> None:
    # as in the callbacks by which Python gives up the locks of imports
    code = f"""
import os, signal, weakref
from ringdoku_cli.exits import install_signal_handlers
signal.signal(signal.SIGINT, signal.default_int_handler)
install_signal_handlers()
class Lock: pass
lock = Lock()
reference = weakref.ref(lock, lambda _: os.kill(os.getpid(), {int(number)}))
try:
    del lock
    while True: signal.pause()
except KeyboardInterrupt:
    print("stopped")
"""
    assert program(code) == (0, "stopped\n", "")


LOADING = """
import sys
class Failing:
    def find_spec(self, name, path=None, target=None):
        if name == {package!r}:
            raise {error}
sys.meta_path.insert(0, Failing())
from ringdoku_cli.__main__ import main
sys.argv[1:] = {command!r}.split()
main()
"""
"""A command, where loading a package fails."""


@pytest.mark.parametrize("package", ["typer", "pysat.solvers"])
@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        ("KeyboardInterrupt", 130, ""),
        ("RuntimeError('') from KeyboardInterrupt()", 130, ""),
        ("MemoryError", 3, OF_MEMORY),
        ("ImportError('x.so: failed to map segment from shared object')", 3, OF_MEMORY),
        ("OSError(12, 'Cannot allocate memory')", 3, OF_MEMORY),
        ("RuntimeError('half a package')", 4, "Traceback"),
    ],
)
def test_what_fails_at_loading_is_not_taken_for_no_solution(package: str, error: str, code: int, message: str) -> None:
    returned, out, err = program(LOADING.format(package=package, error=error, command="solve"), "." * 81 + "\n")
    assert (returned, out) == (code, "")
    assert message in err


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="how much memory a process has is not known here")
@pytest.mark.parametrize("room", [8, 60, 110])
def test_too_little_memory_is_not_taken_for_no_solution(room: int) -> None:
    code = f"""
import resource, sys
from pathlib import Path
size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize() + ({room} << 20)
resource.setrlimit(resource.RLIMIT_AS, (size, size))
from ringdoku_cli.__main__ import main
sys.argv[1:] = ["solve"]
main()
"""
    returned, out, err = program(code, f"{LINE}\n")
    assert (returned, err) in ((0, ""), (3, OF_MEMORY))
    assert (len(out) == len(f"{LINE}\n")) is (returned == 0)


def test_the_best_so_far_comes_with_its_bound_on_standard_error(ringdoku_here: Run) -> None:
    done = ringdoku_here("maximise", "--backend", "search", "--time-limit", "3", input="." * 256)
    assert done.returncode == 3
    assert int(done.stdout) > 2000
    assert f"{done.stdout.strip()} is not proved best" in done.stderr


def test_interrupted_quietly_with_the_answers_before_it_and_a_reader_may_go_away() -> None:
    ask = (SCRIPT, "solve", "--input-format", "line")
    with running(*ask, text=f"{SOLVED}\n") as (process, _, out, err):
        # the answer is there although the input goes on
        assert out.readline() == f"{SOLVED}\n"
        process.send_signal(signal.SIGINT)
        assert (process.wait(timeout=60), err.read()) == (130, "")
    with running(*ask, text=f"{SOLVED}\n") as (process, put, out, err):
        assert out.readline() == f"{SOLVED}\n"
        out.close()
        put.write(f"{SOLVED}\n")
        put.close()
        assert (process.wait(timeout=60), err.read()) == (141, "")


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_a_file_is_kept_when_stopped(tmp_path: Path, stop: signal.Signals) -> None:
    target = tmp_path / "solutions.txt"
    target.write_text("old\n")
    ask = ("solve", "--input-format", "line", "--keep-going", "--force", "--output", target)
    with running(SCRIPT, *ask, text=f"{SOLVED}\n") as (process, put, _, err):
        put.write(f"{MALFORMED}\n")
        put.flush()
        # the complaint about the second puzzle says that the first is answered
        assert "<stdin>:2" in err.readline()
        process.send_signal(stop)
        assert process.wait(timeout=60) == 128 + stop
        assert "solutions.txt.partial" in err.read()
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {
        "solutions.txt": "old\n",
        "solutions.txt.partial": f"{SOLVED}\n",
    }


@pytest.mark.skipif(not FULL_DISK.exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("arguments", [["solve"], ["rate", "--techniques"], ["--help"], ["--version"]])
def test_a_full_disk_is_reported_in_one_line(arguments: list[str]) -> None:
    with FULL_DISK.open("w") as full:
        ask: list[str | Path] = [SCRIPT, *arguments]
        done = subprocess.run(
            ask, input=f"{SOLVED}\n", stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False
        )
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith(ERROR)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no ulimit")
def test_a_disk_that_fills_up_leaves_a_file_that_is_named(tmp_path: Path) -> None:
    (tmp_path / "puzzles.txt").write_text(f"{SOLVED}\n" * 200)
    (tmp_path / "out").write_text("old\n")
    (tmp_path / "blank.txt").write_text("." * 81)
    limited = ["bash", "-c", 'ulimit -f 1; export PYTHONDONTWRITEBYTECODE=1; exec "$@"', "bash", str(SCRIPT)]

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        asked = [*limited, *arguments]
        return subprocess.run(asked, cwd=tmp_path, capture_output=True, encoding="utf-8", timeout=60, check=False)

    done = run("solve", "puzzles.txt", "-o", "out", "--force")
    assert (done.returncode, done.stdout) == (2, "")
    said, error = done.stderr.splitlines()
    assert said == f"ringdoku: the answers so far are in {tmp_path / 'out.partial'}; the last one may be cut short"
    assert error.startswith(f"{ERROR}reading or writing failed: ")
    assert (tmp_path / "out").read_text() == "old\n"
    assert f"{SOLVED}\n" * 200 > (tmp_path / "out.partial").read_text() > f"{SOLVED}\n"
    # half a model is none
    assert run("export", "blank.txt", "--to", "cnf", "-o", "model").returncode == 2
    assert {path.name for path in tmp_path.iterdir()} == {"puzzles.txt", "blank.txt", "out", "out.partial"}


@pytest.mark.parametrize(
    ("package", "command", "extra"),
    [
        ("pyganak", "count --exact", "count"),
        ("starlette", "page --no-open", "page"),
        ("uvicorn", "page --no-open", "page"),
    ],
)
def test_what_needs_an_extra_names_it(package: str, command: str, extra: str) -> None:
    absent = f"ModuleNotFoundError('No module named {package}', name={package!r})"
    code, printed, said = program(LOADING.format(package=package, error=absent, command=command), f"{LINE}\n")
    assert (code, printed) == (2, "")
    assert said.endswith(f"install it with: pip install 'ringdoku[{extra}]'\n")
