"""Every backend stops at its time limit and at Ctrl-C, again and again, and works on afterwards."""

import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from ringdoku.limits import NEVER, run_interruptibly
from ringdoku.solvers.registry import BACKENDS

PROGRAM = Path(__file__).with_name("interrupted.py")

ALIKE = {
    *("glucose3", "glucose42", "gluecard3", "gluecard4", "minicard"),
    *("minisat-gh", "maplechrono", "maplecm", "mergesat3"),
}
"""Solvers of PySAT that are interrupted as MiniSat 2.2 and Glucose 4 are, by the same code of ours."""


@pytest.mark.skipif(sys.platform == "win32", reason="SIGINT cannot be sent to another program")
@pytest.mark.parametrize("name", [name for name in BACKENDS if name not in ALIKE])
def test_time_limit_and_ctrl_c(name: str) -> None:
    with subprocess.Popen([sys.executable, PROGRAM, name], stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        # whatever goes wrong, reading comes to an end
        rescue = threading.Timer(60, program.kill)
        rescue.daemon = True
        rescue.start()
        assert program.stdout.readline().split() in (["limited", "unknown"], ["limited", "feasible"])
        for _ in range(2):
            assert program.stdout.readline() == "asking\n"
            # long enough for the solver itself to be at work
            with pytest.raises(subprocess.TimeoutExpired):
                program.wait(0.15)
            program.send_signal(signal.SIGINT)
            assert program.stdout.readline() == "interrupted\n"
        assert program.stdout.readline() == "afterwards satisfiable\n"
        assert program.wait() == 0
        rescue.cancel()


def test_no_thread_works_on_after_ctrl_c_at_its_start(monkeypatch: pytest.MonkeyPatch) -> None:
    start, told, begun, ended = threading.Thread.start, threading.Event(), list[int](), list[int]()

    def work() -> None:
        begun.append(1)
        told.wait(10)
        ended.append(1)

    def interrupted(thread: threading.Thread) -> None:
        start(thread)
        raise KeyboardInterrupt

    for _ in range(20):
        told.clear()
        with monkeypatch.context() as patch:
            patch.setattr(threading.Thread, "start", interrupted)
            with pytest.raises(KeyboardInterrupt):
                run_interruptibly(work, told.set, NEVER)
        # a solver may be deleted now
        assert begun == ended
    assert run_interruptibly(lambda: 5, told.set, NEVER) == 5


IMPORTING = """
import os, signal, sys
from ringdoku import Puzzle, bound, maximise, ring_weights

class Loading:
    def find_spec(self, name, path=None, target=None):
        if name.startswith("ortools."):
            try:
                os.kill(os.getpid(), signal.SIGINT)
                for _ in range(1000):
                    pass
            except KeyboardInterrupt:
                print("dropped, as C++ does")

signal.signal(signal.SIGINT, signal.default_int_handler)
sys.meta_path.insert(0, Loading())
try:
    print({question})
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="SIGINT cannot be sent to another program")
@pytest.mark.parametrize("question", ["bound(Puzzle.blank(4))", "maximise(Puzzle.blank(4), backend='cpsat')"])
def test_ctrl_c_while_or_tools_loads_is_not_dropped(question: str) -> None:
    program = IMPORTING.format(question=question)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout, done.stderr) == ("interrupted\n", "")


def test_a_program_ends_in_peace_with_questions_open() -> None:
    program = """
from ringdoku import Puzzle, Session
from ringdoku.solvers.registry import Ability
from ringdoku.solvers.registry import BACKENDS
from ringdoku.limits import NEVER, run_interruptibly
sessions = [Session(entry.name) for entry in BACKENDS.values() if Ability.ENUMERATE in entry.abilities]
for session in sessions:
    session.solve(Puzzle.blank(4))
enumerations = [session.solutions(Puzzle.blank(9)) for session in sessions]
print(sum(next(grids).is_full for grids in enumerations) == len(sessions))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout, done.stderr, done.returncode) == ("True\n", "", 0)
