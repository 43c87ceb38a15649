"""A comparison on a dask.distributed scheduler: a worker dies in mid-run, and every result arrives once."""

from __future__ import annotations

import os
import re
import select
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from threading import Thread

import pytest
from comparing import EASY, plan, script

from ringdoku import UsageError
from ringdoku.compare import run
from ringdoku.compare.plan import Instance
from ringdoku.compare.process import descendants
from ringdoku.compare.run import measure_on_cluster

pytest.importorskip("distributed", reason="needs the extra: pip install 'ringdoku[cluster]'")

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="finds processes in Linux's /proc"),
    # warnings of distributed itself
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning"),
]


@pytest.fixture
def scheduler() -> Iterator[str]:
    """The address of a scheduler on the loopback interface, with no worker yet."""
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0"]
    with subprocess.Popen([*command, "--no-dashboard"], stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr
        yield next(found[0] for line in process.stderr if (found := re.search(r"tcp://127\.0\.0\.1:\d+", line)))
        process.kill()


def start_worker(address: str, folder: Path, stack: ExitStack) -> subprocess.Popen[bytes]:
    """Killed when the stack is left."""
    command = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--no-nanny", "--no-dashboard"]
    process = subprocess.Popen(
        [*command, "--nthreads", "1", "--local-directory", str(folder)],
        env=os.environ | {"TMPDIR": str(folder)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    stack.enter_context(process)
    stack.callback(process.kill)
    return process


def test_every_result_arrives_once_though_a_worker_dies(scheduler: str, tmp_path: Path) -> None:
    gate, taken = tmp_path / "gate", tmp_path / "taken"
    os.mkfifo(gate)
    # the first one to run writes its process id and waits to be killed; all later ones answer
    waiting = script(
        tmp_path,
        "import os, signal\n"
        f"try: os.rename({str(gate)!r}, {str(taken)!r})\n"
        "except FileNotFoundError: print('s UNKNOWN')\n"
        f"else: open({str(taken)!r}, 'w').write(str(os.getpid())); signal.pause()",
    )
    pipe = os.open(gate, os.O_RDONLY | os.O_NONBLOCK)
    instances = tuple(Instance(f"p{number}", EASY) for number in range(4))
    one = plan("search", waiting, instances=instances, time_limit=60.0)
    killed: list[subprocess.Popen[bytes]] = []

    with ExitStack() as stack:
        workers = [start_worker(scheduler, tmp_path, stack) for _ in range(2)]

        def kill_the_busy_one() -> None:
            if select.select([pipe], [], [], 30)[0]:
                program = int(os.read(pipe, 20))
                killed.extend(worker for worker in workers if program in descendants(worker.pid))
                killed[0].kill()

        killer = Thread(target=kill_the_busy_one)
        killer.start()
        found = list(measure_on_cluster(one.batches(), scheduler))
        killer.join()
    os.close(pipe)
    assert len(killed) == 1
    assert Counter(measurement.key for measurement in found) == Counter(
        (instance.name, contender.backend, "", 0) for instance in instances for contender in one.contenders
    )
    outcomes = Counter((measurement.backend, measurement.outcome.value) for measurement in found)
    assert outcomes == {("search", "satisfiable"): 4, (waiting, "unknown"): 4}


def test_a_missing_scheduler_is_a_usage_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "CONNECT_SECONDS", 0.2)
    with pytest.raises(UsageError, match="no scheduler answers at"):
        list(measure_on_cluster(plan().batches(), "tcp://127.0.0.1:1"))
