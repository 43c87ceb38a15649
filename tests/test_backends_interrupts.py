"""Every backend stops at its time limit and at Ctrl-C, again and again, and works on afterwards."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from ringdoku.backends.registry import BACKENDS

PROGRAM = Path(__file__).with_name("interrupted.py")


@pytest.mark.skipif(sys.platform == "win32", reason="SIGINT cannot be sent to another program")
@pytest.mark.parametrize("name", BACKENDS)
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
                program.wait(0.3)
            program.send_signal(signal.SIGINT)
            assert program.stdout.readline() == "interrupted\n"
        assert program.stdout.readline() == "afterwards satisfiable\n"
        assert program.wait() == 0
        rescue.cancel()
