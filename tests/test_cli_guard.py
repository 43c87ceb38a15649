"""Each way that a command can end has its exit code, and none but a bug a traceback."""

from __future__ import annotations

import errno
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from ringdoku.domain.errors import DisagreementError, InputError, MissingPackageError, Place, UsageError
from ringdoku_cli.exits import Exit, Stopped, heed_signals, outcome
from ringdoku_cli.messages import note, printable


def raising(error: BaseException) -> Exit:
    raise error


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (KeyboardInterrupt(), Exit.INTERRUPTED, ""),
        (Stopped(1), Exit.HUNG_UP, ""),
        (Stopped(15), Exit.TERMINATED, ""),
        (UsageError("that is not an order"), Exit.USAGE, "ringdoku: error: that is not an order\n"),
        (
            InputError(Place("p.txt", 3, 5), "'x'", "1-9"),
            Exit.USAGE,
            "ringdoku: error: p.txt:3:5: found 'x', expected 1-9\n",
        ),
        (
            MissingPackageError("ortools", "pip install ortools"),
            Exit.USAGE,
            "ringdoku: error: ortools is not installed; install it with: pip install ortools\n",
        ),
        (
            OSError(5, "Input/output error"),
            Exit.USAGE,
            "ringdoku: error: reading or writing failed: Input/output error\n",
        ),
        (MemoryError(), Exit.UNKNOWN, "ringdoku: error: out of memory\n"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_can_happen_to_a_user(
    capsys: pytest.CaptureFixture[str], error: BaseException, code: Exit, message: str
) -> None:
    assert outcome(lambda: raising(error)) is code
    assert capsys.readouterr() == ("", message)


def test_what_an_interrupt_turned_into_is_an_interrupt(capsys: pytest.CaptureFixture[str]) -> None:
    def cut_short() -> Exit:
        try:
            raising(KeyboardInterrupt())
        except KeyboardInterrupt:
            raise ImportError("half a package") from None
        return Exit.OK

    assert outcome(cut_short) is Exit.INTERRUPTED
    assert capsys.readouterr() == ("", "")


@pytest.fixture
def hang_up() -> Iterator[signal.Signals]:
    """SIGHUP, with which a test may do what it likes."""
    before = {number: signal.getsignal(number) for number in (signal.SIGHUP, signal.SIGTERM)}
    hook = sys.unraisablehook
    yield signal.SIGHUP
    sys.unraisablehook = hook
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGHUP")
def test_a_closed_terminal_stops_unless_that_was_ruled_out(hang_up: signal.Signals) -> None:
    signal.signal(hang_up, signal.SIG_DFL)
    heed_signals()
    with pytest.raises(Stopped):
        signal.raise_signal(hang_up)
    signal.signal(hang_up, signal.SIG_IGN)
    heed_signals()
    assert signal.getsignal(hang_up) is signal.SIG_IGN


def test_nobody_is_told_where_the_terminal_was_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Closed:
        told = ""

        def write(self, text: str) -> None:
            self.told += text
            raise OSError(errno.EIO, "Input/output error")

    closed = Closed()
    monkeypatch.setattr(sys, "stderr", closed)
    note("the answers so far are in out.partial")
    assert closed.told.startswith("ringdoku: the answers")


def test_a_disagreement_is_loud(capsys: pytest.CaptureFixture[str]) -> None:
    assert outcome(lambda: raising(DisagreementError("one says 2829, another 2830"))) is Exit.BUG
    text = capsys.readouterr().err
    assert "WRONG ANSWER: one says 2829, another 2830" in text
    assert "please report it" in text


def test_an_unexpected_error_is_not_taken_for_no_solution(capsys: pytest.CaptureFixture[str]) -> None:
    assert outcome(lambda: raising(ZeroDivisionError("division by zero"))) is Exit.BUG
    text = capsys.readouterr().err
    assert "Traceback" in text
    assert "please report it" in text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Grid 01 [bold]é", "Grid 01 [bold]é"),
        ("\x1b[31m\x07", r"\x1b[31m\x07"),
        ("a\nb\rc\td", r"a\nb\rc\td"),
        ("\u202eabc", r"\u202eabc"),
        ("\udce9", r"\udce9"),
    ],
)
def test_text_from_a_file_cannot_act_upon_a_terminal(text: str, shown: str) -> None:
    assert printable(text) == shown


@pytest.mark.skipif(sys.platform == "win32", reason="a program cannot send itself these signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_what_stops_a_run_is_not_lost_where_nothing_can_be_raised(number: int) -> None:
    # as in the callbacks by which Python gives up the locks of imports
    program = f"""
import os, signal, weakref
from ringdoku_cli.exits import heed_signals
signal.signal(signal.SIGINT, signal.default_int_handler)
heed_signals()
class Lock: pass
lock = Lock()
reference = weakref.ref(lock, lambda _: os.kill(os.getpid(), {int(number)}))
try:
    del lock
    while True: signal.pause()
except KeyboardInterrupt:
    print("stopped")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=30, check=False)
    assert (done.stdout, done.stderr) == ("stopped\n", "")
