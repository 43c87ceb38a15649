"""Carries out a plan, here or on a cluster: measures what is missing, saves it, and checks the answers with each other.

A worker of the pool gives each batch a process of its own, which is killed at the limits with all that it started. That
needs a POSIX system. Memory is read from Linux's /proc; on other systems only the process's own report is known. When a
worker of a cluster dies, another one repeats its batch; it is an error if more workers die of a batch than the
scheduler's `allowed-failures`, 3 by default.
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
"""Found at the end of the output of a process that was refused memory, or used too much."""


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
    """The results with all missing measurements, and `judged`. With a `path` they are saved in the order of the plan,
    each as soon as it is made; those of a warm process together. `cluster` is the address of a dask.distributed
    scheduler to run on instead of `jobs` processes here; its workers need ringdoku and the solvers installed. Raises
    `UsageError` when a cluster gives a batch up."""
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
    """The measurement of each instance of a batch, in order. When the process fails, the measurement says so, and a new
    process takes the instances after it."""
    seconds, machine, made = part.time_limit + GRACE_SECONDS, environment()["cpu"], list[Measurement]()
    # temporary files of a solver that is killed go with the folder
    own_folder = tempfile.TemporaryDirectory(prefix="ringdoku-compare-", ignore_cleanup_errors=True)
    with own_folder as folder, closing(Processes(1)) as pool:
        printed, loaded, (who,) = Path(folder, "printed"), None, part.contenders
        for instance in part.instances:
            try:
                # a solver that takes longer than so many seconds to load counts as crashed
                loaded = loaded or pool.submit(partial(_load, part, printed), 120.0).result()
                found, stays = pool.submit(partial(_measure_answer, part, instance.puzzle), seconds).result(), True
            except Exception as error:
                outcome = Outcome.TIMEOUT if loaded and isinstance(error, TimeoutError) else Outcome.CRASHED
                found, stays = _failure(part, outcome, printed), False
            # times to microseconds
            found = {name: round(value, 6) if isinstance(value, float) else value for name, value in found.items()}
            run = (instance.name, part.task, who.backend, who.encoding, repeat)
            made.append(Measurement(*run, **found, import_seconds=loaded, machine=machine))
            loaded = loaded if stays else None
    return made


def _failure(part: Plan, outcome: Outcome, printed: Path) -> dict[str, Any]:
    """The fields of a measurement that are known of a process that ended without an answer."""
    last, memory = "", None
    with suppress(FileNotFoundError):
        last = printed.read_bytes()[-4000:].decode(errors="replace")
    if outcome is Outcome.CRASHED and part.memory_limit and (found := OUT_OF_MEMORY.search(last)):
        outcome, memory = Outcome.MEMOUT, found[1] and float(found[1])
    return {"outcome": outcome, "memory": memory, "stderr": last}


def _load(part: Plan, printed: Path) -> float:
    """In the process, first: load the solver, and return how many seconds that took."""
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
    with _exit_at_errors():
        _loaded_backend(*part.contenders, part.warm)
    return round(time.perf_counter() - start, 6)


@cache
def _loaded_backend(contender: Contender, warm: bool) -> Backend:
    entry = find(contender.backend)
    entry.load()
    return entry.open(parse_encoding(contender.encoding), live=warm)


@contextmanager
def _exit_at_errors() -> Iterator[None]:
    """At an error print it and end the process: after one a solver may be in any state."""
    try:
        yield
    except Exception as error:
        # where a solver is missing or answers nonsense a traceback would add nothing
        words = [str(error)] if isinstance(error, RingdokuError) else traceback.format_exception(error)
        os.write(2, "".join(words).encode(errors="replace"))
        os._exit(1)


def _watch_memory(limit: int) -> None:
    """End the process when it and its descendants use more MiB than the limit; never where there is no /proc."""
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


def _measure_answer(part: Plan, puzzle: Puzzle) -> dict[str, Any]:
    """In the process: answer one question, and return the fields of its measurement."""
    with _exit_at_errors():
        backend, task = _loaded_backend(*part.contenders, part.warm), part.task
        # the ruleset computes these once for all solvers, so they belong to the time of none
        _ = puzzle.ruleset.primitives, puzzle.ruleset.units_of
        steps: list[Progress] = []
        (cpu_start, _), start = _seconds_and_memory(), time.perf_counter()

        def on_progress(progress: Progress) -> None:
            if not steps or (steps[-1].score, steps[-1].bound) != (progress.score, progress.bound):
                steps.append(Progress(round(time.perf_counter() - start, 6), progress.score, progress.bound))

        run = Run(Deadline(part.time_limit), part.seed, on_progress if task is Task.MAXIMISE else None)
        try:
            result, grids = _result_and_grids(backend, task, puzzle, run)
        except (DisagreementError, WrongAnswerError) as error:
            # the backend itself refused its solver's answer
            return {"outcome": Outcome.WRONG, "stderr": str(error), "trajectory": tuple(steps)}
        # a solver in a process of its own has its facts in the result; to read statistics closes the open phase
        facts = {**run.effort.statistics(), **result.statistics}
        seconds, (cpu_end, memory) = time.perf_counter() - start, _seconds_and_memory()
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


def _result_and_grids(backend: Backend, task: Task, puzzle: Puzzle, run: Run) -> tuple[Result, list[Grid]]:
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
    """The ids of a process and all its descendants; of the process alone where there is no /proc."""
    found = [pid]
    for parent in found:
        with suppress(OSError):
            for thread in Path(f"/proc/{parent}/task").iterdir():
                with suppress(OSError):
                    found += map(int, (thread / "children").read_text().split())
    return found


def _seconds_and_memory() -> tuple[float, float]:
    """The processor seconds and the memory peak in MiB of this process and its children. On Linux `VmHWM` is exact,
    while `ru_maxrss` starts from the parent's size."""
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
    """The results, with the outcome WRONG and why in `stderr` for wrong answers and those that a solution refutes."""
    puzzles = {instance.name: instance.puzzle for instance in results.plan.instances}
    task, solved = results.plan.task, defaultdict[str, list[Measurement]](list)
    checked = [_with_fault(one, _fault(puzzles[one.instance], one, task)) for one in results.measurements]
    for one in checked:
        if one.grid and one.outcome in map(str, Status):
            solved[one.instance].append(one)
    measurements = (_with_fault(one, _contradiction(one, solved[one.instance])) for one in checked)
    return replace(results, measurements=tuple(measurements))


def disagreements(results: Results) -> list[str]:
    """A line for each wrong answer of some results, equal ones once."""
    wrong = (one for one in judged(results).measurements if one.outcome is Outcome.WRONG)
    return list(dict.fromkeys(f"{one.instance}: {one.contender}: {one.stderr}" for one in wrong))


def _with_fault(run: Measurement, fault: str) -> Measurement:
    return replace(run, outcome=Outcome.WRONG, stderr=fault) if fault else run


def _contradiction(run: Measurement, solved: Sequence[Measurement]) -> str:
    """How one of the `solved` runs, whose grids are right, contradicts an answer; empty if none does."""
    for other in solved if run.outcome is not Outcome.WRONG else ():
        if run.outcome is Outcome.INFEASIBLE:
            return f"it says that there is no solution, {other.contender} found one"
        if run.solutions == 1 and {other.grid, other.second_grid} - {run.grid, None}:
            return f"it says that there is one solution, {other.contender} found another"
        if run.bound is not None and other.score is not None and other.score > run.bound:
            return f"it says that no score is better than {run.bound}, {other.contender} found {other.score}"
    return ""


def _fault(puzzle: Puzzle, run: Measurement, task: Task) -> str:
    """What is wrong with an answer by itself; empty if nothing is."""
    if run.outcome not in map(str, Status):
        return ""
    try:
        first, second = (grid_of(text, puzzle.board) if text else None for text in (run.grid, run.second_grid))
        result = Result(Status(run.outcome), first, run.score, run.bound, run.contender)
        check_result(puzzle, result, ring_weights(puzzle.board) if task is Task.MAXIMISE else None)
        if second:
            check_result(puzzle, Result(Status.SATISFIABLE, second, backend=run.contender))
    except (RingdokuError, ValueError) as error:
        return str(error)
    return "the same solution was given twice" if second and second == first else ""


def environment() -> dict[str, Any]:
    """The machine, the system and the versions, as a JSON object, to judge whether two results may be compared."""
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
