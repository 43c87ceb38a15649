"""Carry out a plan, here or on a cluster: measure what is missing, save it, and check the answers against each other.

A worker of the pool gives each batch a process of its own, which ends at the limits with all that it started. That
needs a POSIX system. Memory is read from Linux's /proc; on other systems the process's own report is all that is known
of it. When a worker of a cluster dies, another one does its batch again; a batch that more workers died of than the
scheduler's `allowed-failures`, 3 by default, is an error.
"""

import os
import platform
import re
import signal
import sys
import tempfile
import time
import traceback
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache, partial
from importlib.metadata import version
from itertools import chain, islice
from pathlib import Path
from threading import Thread
from typing import Any

from ringdoku.compare.plan import Contender, Measurement, Outcome, Plan, Task, grid_of, grid_text, parse_encoding
from ringdoku.compare.results import append, save
from ringdoku.compare.summary import Results
from ringdoku.domain import DisagreementError, Grid, Puzzle, Result, RingdokuError, Status, ring_weights
from ringdoku.domain.checker import check_result
from ringdoku.domain.errors import TimeLimitError, WrongAnswerError, refuse
from ringdoku.limits import GRACE_SECONDS, LOOK_SECONDS, Deadline
from ringdoku.services.pool import END_SECONDS, Cluster, Processes, answers
from ringdoku.services.session import cores, require_count
from ringdoku.solvers.registry import EXTERNAL, Backend, Progress, Run, find

OUT_OF_MEMORY = re.compile("MemoryError(?:: ([0-9.]+) MiB)?|bad_alloc|out of memory|Cannot allocate memory")
"""One of these at the end of what a failed process printed means that it was refused memory, or used too much."""


def programs_left(results: Results) -> tuple[str, ...]:
    """The backends `cmd:PROGRAM` that `compare` would run for the missing measurements. A results file from somebody
    else may name any program, so let the user confirm these before you call `compare`."""
    backends = (who.backend for part, _ in results.plan.batches(results.done) for who in part.contenders)
    return tuple(dict.fromkeys(backend for backend in backends if backend.startswith(EXTERNAL)))


def compare(
    results: Results,
    path: Path | None = None,
    jobs: int = 1,
    cluster: str | None = None,
    on_measurement: Callable[[Measurement], object] = lambda _: None,
) -> Results:
    """The results with all their missing measurements made, and `judged`. With a `path` they are on the disk in the
    order of the plan, each as soon as it is made; those of a warm process together. `cluster` is the address of a
    dask.distributed scheduler to run on instead of `jobs` processes here; its workers need ringdoku and the solvers
    installed. Raises `UsageError` when a cluster gives a batch up."""
    posix = "comparisons need a POSIX system, to limit and end processes: Linux, macOS, or WSL on Windows"
    refuse(os.name != "posix", posix)
    require_count(jobs, "jobs")
    made = list(results.measurements)
    if path:
        save(results, path)
    with closing(Processes(jobs) if cluster is None else Cluster(cluster)) as pool:
        each = answers(pool, lambda batch: partial(measure, *batch), results.plan.batches(results.done))
        for measurement in chain.from_iterable(answer() for _, answer in each):
            made.append(measurement)
            if path:
                append(measurement, path)
            on_measurement(measurement)
    return judged(replace(results, measurements=tuple(made)))


def measure(part: Plan, repeat: int) -> list[Measurement]:
    """A measurement for each instance of a batch, in order. When the process fails, that is one measurement, and a
    new process takes the instances after it."""
    seconds, machine, made = part.time_limit + GRACE_SECONDS, environment()["cpu"], list[Measurement]()
    # temporary files of a solver that is killed go with the folder
    with (
        tempfile.TemporaryDirectory(prefix="ringdoku-compare-", ignore_cleanup_errors=True) as folder,
        closing(Processes(1)) as pool,
    ):
        printed, loaded, (who,) = Path(folder, "printed"), None, part.contenders
        for instance in part.instances:
            try:
                # who takes longer than so many seconds to load counts as crashed
                loaded = loaded or pool.submit(partial(_load, part, printed), 120.0).result()
                found, kept = pool.submit(partial(_ask, part, instance.puzzle), seconds).result(), loaded
            except Exception as error:
                late = Outcome.TIMEOUT if loaded and isinstance(error, TimeoutError) else Outcome.CRASHED
                found, kept = _failed(part, late, printed), None
            # times to microseconds
            known: dict[str, Any] = {
                name: round(value, 6) if isinstance(value, float) else value for name, value in found.items()
            }
            of = (instance.name, part.task, who.backend, who.encoding, repeat)
            made.append(Measurement(*of, **known, import_seconds=loaded, machine=machine))
            loaded = kept
    return made


def _failed(part: Plan, outcome: Outcome, printed: Path) -> dict[str, Any]:
    """What is known of a process that ended without an answer."""
    last, memory = "", None
    with suppress(FileNotFoundError):
        last = printed.read_bytes()[-4000:].decode(errors="replace")
    if outcome is Outcome.CRASHED and part.memory_limit and (found := OUT_OF_MEMORY.search(last)):
        outcome, memory = Outcome.MEMOUT, found[1] and float(found[1])
    return {"outcome": outcome, "memory": memory, "stderr": last}


def _load(part: Plan, printed: Path) -> float:
    """In the process, first: the seconds that it takes to load the solver."""
    import resource

    output = os.open(printed, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.environ["TMPDIR"] = tempfile.tempdir = str(printed.parent)
    if part.memory_limit is not None:
        # the limit counts memory in use, and solvers reserve more addresses than they use: 4 GiB more
        room = (part.memory_limit + 4096) << 20
        resource.setrlimit(resource.RLIMIT_AS, (room, room))
        Thread(target=_watch_memory, args=(part.memory_limit,), daemon=True).start()
    start = time.perf_counter()
    with _ending_at_errors():
        _opened(*part.contenders, part.warm)
    return round(time.perf_counter() - start, 6)


@cache
def _opened(contender: Contender, warm: bool) -> Backend:
    entry = find(contender.backend)
    entry.load()
    return entry.open(parse_encoding(contender.encoding), live=warm)


@contextmanager
def _ending_at_errors() -> Iterator[None]:
    """The process ends with the error as its last words: after one a solver may be in any state."""
    try:
        yield
    except Exception as error:
        # where a solver is missing or answers nonsense a traceback would add nothing
        words = [str(error)] if isinstance(error, RingdokuError) else traceback.format_exception(error)
        os.write(2, "".join(words).encode(errors="replace"))
        os._exit(1)


def _watch_memory(limit: int) -> None:
    """Ends the process when it and its descendants use more MiB than the limit; never where there is no /proc."""
    used = 0.0
    while used <= limit:
        time.sleep(LOOK_SECONDS)
        pages = 0
        for member in descendants(os.getpid()):
            with suppress(OSError, IndexError):
                pages += int(Path(f"/proc/{member}/statm").read_text().split()[1])
        used = pages * os.sysconf("SC_PAGE_SIZE") / 2**20
    os.write(2, f"MemoryError: {used:.6f} MiB are in use\n".encode())
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(END_SECONDS)
    os._exit(1)


def _ask(part: Plan, puzzle: Puzzle) -> dict[str, Any]:
    """In the process: what is measured of one question, by the fields of a measurement."""
    with _ending_at_errors():
        backend, task = _opened(*part.contenders, part.warm), part.task
        # the ruleset computes these once for all solvers, so they belong to the time of none
        _ = puzzle.ruleset.primitives, puzzle.ruleset.units_of
        steps: list[Progress] = []
        (cpu_start, _), start = _usage(), time.perf_counter()

        def on_progress(progress: Progress) -> None:
            if not steps or (steps[-1].score, steps[-1].bound) != (progress.score, progress.bound):
                steps.append(Progress(round(time.perf_counter() - start, 6), progress.score, progress.bound))

        run = Run(Deadline(part.time_limit), part.seed, on_progress)
        try:
            result, grids = _answer(backend, task, puzzle, run)
        except (DisagreementError, WrongAnswerError) as error:
            # the backend itself refused its solver's answer
            return {"outcome": Outcome.WRONG, "stderr": str(error), "trajectory": tuple(steps)}
        # those of a solver in a process of its own come with the result; a phase may be open until they are read
        facts = {**run.effort.statistics(), **result.statistics}
        seconds, (cpu_end, memory) = time.perf_counter() - start, _usage()
        outcome = Outcome(result.status)
        grid, second_grid, *_ = [*map(grid_text, grids), None, None]
        sizes = ("conflicts", "decisions", "propagations", "variables", "clauses", "build_seconds", "load_seconds")
        return {
            "outcome": outcome,
            "score": result.score,
            "bound": result.bound,
            "solutions": len(grids) if task is Task.UNIQUE and outcome.is_final else None,
            "grid": grid,
            "second_grid": second_grid,
            "solve_seconds": seconds - facts.get("build_seconds", 0) - facts.get("load_seconds", 0),
            "seconds": seconds,
            "cpu_seconds": cpu_end - cpu_start,
            "live": bool(facts["live"]) if "live" in facts else None,
            "memory": memory,
            "trajectory": tuple(steps),
            **{name: facts.get(name) for name in sizes},
        }


def _answer(backend: Backend, task: Task, puzzle: Puzzle, run: Run) -> tuple[Result, list[Grid]]:
    """The result, and the solutions that were found."""
    grids: list[Grid] = []
    try:
        match task:
            case Task.SOLVE:
                result = backend.solve(puzzle, run)
            case Task.MAXIMISE:
                result = backend.optimise(puzzle, ring_weights(puzzle.board), run)
            case Task.UNIQUE:
                with closing(backend.enumerate(puzzle, run)) as solutions:  # type: ignore[type-var]  # all are generators
                    grids += islice(solutions, 2)
                result = Result(Status.SATISFIABLE, grids[0]) if grids else Result(Status.INFEASIBLE)
    except TimeLimitError:
        # the limit came while the model was built, or between two solutions
        result = Result(Status.FEASIBLE, grids[0]) if grids else Result(Status.UNKNOWN)
    return result, grids or ([result.grid] if result.grid else [])


def descendants(pid: int) -> list[int]:
    """The process itself and all its descendants; the process alone where there is no /proc."""
    found = [pid]
    for parent in found:
        with suppress(OSError):
            for thread in Path(f"/proc/{parent}/task").iterdir():
                with suppress(OSError):
                    found += map(int, (thread / "children").read_text().split())
    return found


def _usage() -> tuple[float, float]:
    """The seconds of the processor and the peak in MiB that this process and its children used. On Linux `VmHWM` is
    exact, while `ru_maxrss` starts from the parent's size."""
    import resource

    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    own, children = (usage.ru_maxrss for usage in usages)
    with suppress(OSError, StopIteration):
        status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
        own = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:"))
    # macOS counts bytes, others KiB
    peak = max(own, children) / (2**20 if sys.platform == "darwin" else 2**10)
    return sum(usage.ru_utime + usage.ru_stime for usage in usages), peak


def judged(results: Results) -> Results:
    """The results, where answers that are wrong, or that a solution contradicts, say so, and in `stderr` why."""
    puzzles = {instance.name: instance.puzzle for instance in results.plan.instances}
    task, found = results.plan.task, defaultdict[str, list[Measurement]](list)
    alone = [_judged(one, _fault(puzzles[one.instance], one, task)) for one in results.measurements]
    for one in alone:
        if one.grid and one.outcome in map(str, Status):
            found[one.instance].append(one)
    return replace(results, measurements=tuple(_judged(one, _contradiction(one, found[one.instance])) for one in alone))


def disagreements(results: Results) -> list[str]:
    """Every wrong answer of some results, each once."""
    wrong = (one for one in judged(results).measurements if one.outcome is Outcome.WRONG)
    return list(dict.fromkeys(f"{one.instance}: {one.contender}: {one.stderr}" for one in wrong))


def _judged(one: Measurement, fault: str) -> Measurement:
    return replace(one, outcome=Outcome.WRONG, stderr=fault) if fault else one


def _contradiction(one: Measurement, found: Sequence[Measurement]) -> str:
    """What an answer says although there are solutions, which are right by themselves."""
    for run in found if one.outcome is not Outcome.WRONG else ():
        if one.outcome is Outcome.INFEASIBLE:
            return f"it says that there is no solution, {run.contender} found one"
        if one.solutions == 1 and {run.grid, run.second_grid} - {one.grid, None}:
            return f"it says that there is one solution, {run.contender} found another"
        if one.bound is not None and run.score is not None and run.score > one.bound:
            return f"it says that no score is better than {one.bound}, {run.contender} found {run.score}"
    return ""


def _fault(puzzle: Puzzle, one: Measurement, task: Task) -> str:
    """What is wrong with an answer by itself."""
    if one.outcome not in map(str, Status):
        return ""
    try:
        first, second = (grid_of(text, puzzle.board) if text else None for text in (one.grid, one.second_grid))
        result = Result(Status(one.outcome), first, one.score, one.bound, one.contender)
        check_result(puzzle, result, ring_weights(puzzle.board) if task is Task.MAXIMISE else None)
        if second:
            check_result(puzzle, Result(Status.SATISFIABLE, second, backend=one.contender))
    except (RingdokuError, ValueError) as error:
        return str(error)
    return "the same solution was given twice" if second and second == first else ""


def environment() -> dict[str, Any]:
    """The machine, system and versions, as a JSON object: enough to judge whether two results may be compared."""
    cpu, memory = platform.processor() or platform.machine(), None
    with suppress(OSError, StopIteration):
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        cpu = next(line for line in lines if line.startswith("model name")).partition(":")[2].strip()
    with suppress(OSError, ValueError, AttributeError):
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20
    return {
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "cpu": cpu,
        "cpus": cores(),
        "memory_mib": memory,
        "system": f"{platform.system()} {platform.release().partition('-')[0]} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "packages": {name: version(name) for name in ("ringdoku", "ortools", "python-sat", "numpy")},
    }
