"""Puzzles and comparisons on a dask.distributed scheduler: as in one process, whatever happens to the workers."""

import os
import re
import select
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from threading import Thread

import pool_questions
import pytest
from comparing import EASY, plan, script
from conftest import Run
from pool_questions import Question, answered, awaited, interrupt_maximise, require_order, require_same_answers
from puzzles import ONE_SOLUTION, mixed_puzzles

import ringdoku
from ringdoku import MissingPackageError, Session, UsageError
from ringdoku.compare.plan import Instance
from ringdoku.compare.run import compare, descendants
from ringdoku.compare.summary import Results

pytest.importorskip("distributed", reason="needs the extra: pip install 'ringdoku[cluster]'")

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="finds processes in Linux's /proc"),
    # warnings of distributed itself
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning"),
]

Process = subprocess.Popen[bytes]


def start_scheduler(stack: ExitStack) -> tuple[str, subprocess.Popen[str]]:
    """Its address on the loopback interface. Killed when the stack is left."""
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0"]
    process = subprocess.Popen([*command, "--no-dashboard"], stderr=subprocess.PIPE, text=True)
    stack.enter_context(process)
    stack.callback(process.kill)
    assert process.stderr
    address = next(found[0] for line in process.stderr if (found := re.search(r"tcp://127\.0\.0\.1:\d+", line)))
    return address, process


def start_worker(address: str, folder: Path, stack: ExitStack) -> Process:
    """Killed when the stack is left."""
    command = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--no-nanny", "--no-dashboard"]
    process = subprocess.Popen(
        [*command, "--nthreads", "1", "--local-directory", str(folder)],
        env=os.environ | {"TMPDIR": str(folder), "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    stack.enter_context(process)
    stack.callback(process.kill)
    return process


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    with ExitStack() as stack:
        yield start_scheduler(stack)[0]


@pytest.fixture(scope="module")
def _all_workers() -> Iterator[tuple[ExitStack, list[Process]]]:
    with ExitStack() as stack:
        yield stack, []


@pytest.fixture
def workers(scheduler: str, _all_workers: tuple[ExitStack, list[Process]], tmp_path: Path) -> list[Process]:
    """Two that live, of those of the tests before as far as they live."""
    stack, known = _all_workers
    known[:] = [each for each in known if each.poll() is None]
    known += (start_worker(scheduler, tmp_path, stack) for _ in range(2 - len(known)))
    return known


@pytest.fixture
def cluster(scheduler: str, workers: list[Process]) -> str:
    """The address of a scheduler with two workers."""
    assert workers
    return scheduler


def test_commands_answer_as_without_and_wait_for_none_behind(cluster: str, ringdoku_here: Run, tmp_path: Path) -> None:
    # test_pool has all of the commands, and their questions are the same here
    require_same_answers(ringdoku_here, (), ("--cluster", cluster), most=2)
    puzzles = tuple(mixed_puzzles(30))
    statuses = [found.status for found in ringdoku.solve_many(puzzles, cluster=cluster)]
    assert statuses == [found.status for found in Session().solve_many(puzzles)]
    require_order(tmp_path, cluster)


def test_a_worker_that_dies_costs_nothing_but_time(cluster: str, workers: list[Process], tmp_path: Path) -> None:
    questions: dict[int, Question] = {
        100: partial(pool_questions.kill_parent_once, tmp_path / "100"),
        400: pool_questions.die,
    }
    deaths: list[str] = []
    items = ((questions.get(number, pool_questions.echo), number) for number in range(500))
    assert list(answered(items, deaths, cluster=cluster)) == [-each if each == 400 else each for each in range(500)]
    assert sum(each.poll() is None for each in workers) == 1
    # the process on a worker; the question whose worker died went to the other one
    assert len(deaths) == 1
    assert re.search(r"^400: its process \d+ was killed by signal 9 on \S+$", deaths[0])


def test_errors_come_after_answers_before_them(cluster: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "only_here.py").write_text("def echo(value, _):\n    return value\n")
    monkeypatch.syspath_prepend(tmp_path)
    import only_here  # type: ignore[import-not-found]

    items = ((pool_questions.fail if number == 50 else pool_questions.echo, number) for number in range(60))
    found = answered(items, [], cluster=cluster)
    assert [next(found) for _ in range(50)] == list(range(50))
    with pytest.raises(UsageError, match=r"^no 50$"):
        next(found)
    with pytest.raises(UsageError, match=r"^a worker .*cannot run this .*No module named 'only_here'; it needs: pip "):
        next(answered(iter([(only_here.echo, 0)]), [], cluster=cluster))
    monkeypatch.setattr("importlib.metadata.version", lambda _: "0.0.1")
    with pytest.raises(UsageError, match=r"^a worker on \S+ has ringdoku \S+, and this is 0.0.1$"):
        next(answered(iter([(pool_questions.echo, 0)]), [], cluster=cluster))


def test_ctrl_c_frees_the_workers(cluster: str, workers: list[Process], tmp_path: Path) -> None:
    def busy() -> list[int]:
        """The processes of the workers that take processor time."""
        before = {child: seconds(child) for worker in workers for child in descendants(worker.pid)}
        time.sleep(0.5)
        return [child for child, spent in before.items() if seconds(child) - spent > 0.2]

    interrupt_maximise(tmp_path, "--cluster", cluster)
    awaited(lambda: not busy())


def seconds(process: int) -> float:
    """Of the processor; 0 where the process has ended."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_what_is_missing(scheduler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ringdoku_here: Run) -> None:
    with ExitStack() as stack:
        empty, process = start_scheduler(stack)
        for arguments, message in (
            (["solve", "--cluster", "tcp://127.0.0.1:1"], "no scheduler answers at tcp://127.0.0.1:1: Connection"),
            (["check", "--best", "--cluster", ""], "no scheduler answers at : missing port number in address ''"),
            (
                ["count", "--cluster", empty],
                f"the scheduler at {empty} has no workers; start one with: dask worker {empty}",
            ),
            (["solve", "--jobs", "2", "--cluster", empty], "a cluster decides itself how many jobs there are"),
            (["solve", "--all", "--cluster", empty], "--all follows one puzzle at a time; leave --cluster out"),
        ):
            found = ringdoku_here(*arguments, input=ONE_SOLUTION)
            assert (found.returncode, found.stdout, found.stderr.count("\n")) == (2, "", 1)
            assert found.stderr.startswith(f"ringdoku: error: {message}")
        with pytest.raises(UsageError, match="leave jobs out"):
            Session(jobs=2, cluster=empty).solve_many([ONE_SOLUTION])

        worker = start_worker(empty, tmp_path, stack)
        slow = partial(pool_questions.wait_for, tmp_path / "never")
        items = ((slow if number == 9 else pool_questions.echo, number) for number in range(10))
        some = answered(items, [], cluster=empty)
        assert [next(some) for _ in range(9)] == list(range(9))
        process.kill()
        with pytest.raises(UsageError, match=f"^the connection to the scheduler at {empty} was lost$"):
            next(some)
        assert worker.wait(30) is not None
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingPackageError, match=r"pip install 'ringdoku\[cluster\]'"):
        next(ringdoku.maximise_many([ONE_SOLUTION], cluster=scheduler))


def test_every_measurement_arrives_once_if_a_worker_dies(cluster: str, workers: list[Process], tmp_path: Path) -> None:
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
    killed: list[Process] = []

    def kill_the_busy_one() -> None:
        if select.select([pipe], [], [], 30)[0]:
            program = int(os.read(pipe, 20))
            killed.extend(worker for worker in workers if program in descendants(worker.pid))
            killed[0].kill()

    killer = Thread(target=kill_the_busy_one)
    killer.start()
    found = compare(Results(one, {}), cluster=cluster).measurements
    killer.join()
    os.close(pipe)
    assert len(killed) == 1
    assert Counter(measurement.key for measurement in found) == Counter(
        (instance.name, contender.backend, "", 0) for instance in instances for contender in one.contenders
    )
    outcomes = Counter((measurement.backend, measurement.outcome.value) for measurement in found)
    assert outcomes == {("search", "satisfiable"): 4, (waiting, "unknown"): 4}
