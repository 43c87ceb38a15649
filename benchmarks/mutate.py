"""Do the tests notice faults? `python benchmarks/mutate.py [COUNT] [--seed S] [--jobs J] [-o FOLDER]`.

Makes COUNT random faults, one at a time, in a copy of the tree, in the modules that answers depend on. One run of all
tests with coverage.py (`pip install pytest-cov`) says which tests execute which lines. For each fault it runs the tests
that execute its line, quick ones first, or any line of its file where none does, as for what runs at import; with
--whole then all others, since coverage does not see what tests run in processes of their own. A fault is caught if a
test fails (a hang fails by pytest's own time limit), open if the limit for each fault passes first, and survives
otherwise. FOLDER gets a JSON line for each fault, and a run with the same FOLDER continues it.

Some that survive change no answer: limits on work, statistics, the choice of a way. Others want a test.

`benchmarks/faults.py` defines the faults and the code that is left alone.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from queue import SimpleQueue
from random import Random
from xml.etree import ElementTree

from faults import ROOT, Fault, Faults

SOURCES = ROOT / "models" / "ringdoku"
CORE = (
    "domain",
    "constraints",
    "deduction",
    "duality",
    "sat",
    "solvers",
    "proofs",
    "explanations",
    "exports",
    "links",
    "services",
)
"""Rooms whose faults would make answers wrong."""
WORDING = (
    "wording",
    "naming",
    "showing",
    "errors",
    "summary",
    "plots",
    "cluster",
    "interrupts",
    "programs",
    "external",
)
"""Parts of names of modules on which no grid, count, score or verdict depends."""
COPIED = (
    "models",
    "cli",
    "tests",
    "benchmarks",
    "docs",
    "fixtures",
    ".ci",
    "pyproject.toml",
    "README.md",
    "README.zh.md",
)
STATUSES = ("survived", "open", "caught")
FEW = 40
"""Tests of the first portion, the quickest ones that execute the line."""


def pytest_runtest_setup() -> None:
    """What this module does as a plugin of pytest, in the run with coverage: nothing is remembered from test to test,
    or a line that is executed once for many tests would belong to the first of them alone."""
    for name, module in list(sys.modules.items()):
        if name.startswith("ringdoku"):
            for value in list(vars(module).values()):
                if hasattr(value, "cache_clear"):
                    value.cache_clear()


class Copy:
    """A copy of the tree in which faults are made."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in COPIED:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(ROOT / name, folder)
        path = os.pathsep.join(str(folder / name) for name in ("models", "cli", "tests", "benchmarks"))
        self._environment = os.environ | {"PYTHONPATH": path, "RINGDOKU_LONG": "1"}

    def run(self, arguments: Sequence[str], limit: float) -> tuple[str, str]:
        """How a run of pytest ended, and the first test that failed."""
        process = subprocess.Popen(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=no", *arguments],
            cwd=self.folder,
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        try:
            output, _ = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            # the tests start processes of their own
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return "open", ""
        if process.returncode == 0:
            return "survived", ""
        failed = [line for line in output.splitlines() if line.startswith(("FAILED", "ERROR"))]
        return "caught", failed[0].split(" - ")[0] if failed else f"exit code {process.returncode}"

    def try_fault(self, fault: Fault, portions: Sequence[Sequence[str]], limit: float) -> tuple[str, str]:
        """`run` with the fault made, one portion of the tests after the other until one fails; undoes the fault."""
        path = self.folder / fault.file
        source = path.read_bytes()
        end = time.monotonic() + limit
        status, test = "survived", ""
        try:
            self._replace(path, fault.applied(source))
            for tests in filter(None, portions):
                status, test = self.run(["-x", *tests], end - time.monotonic())
                if status != "survived":
                    break
            return status, test
        finally:
            self._replace(path, source)

    def _replace(self, path: Path, source: bytes) -> None:
        # Python compares bytecode with its source by second and size only, and a fault may change neither
        shutil.rmtree(path.parent / "__pycache__", ignore_errors=True)
        path.write_bytes(source)


class Tests:
    """Which tests execute which line, and how long each takes, from one run of all."""

    def __init__(self, data: Path, times: Path) -> None:
        self.seconds: dict[str, float] = {}
        for case in ElementTree.parse(times).iter("testcase"):
            name = f"{case.attrib['classname'].replace('.', '/')}.py::{case.attrib['name']}"
            if {"failure", "error"} & {part.tag for part in case}:
                print(f"left out, since it fails without any fault: {name}")
            else:
                self.seconds[name] = float(case.attrib["time"])
        self._by_line: defaultdict[tuple[str, int], set[str]] = defaultdict(set)
        with sqlite3.connect(data) as database:
            from coverage.numbits import numbits_to_nums

            rows = database.execute(
                "SELECT path, context, numbits FROM line_bits JOIN file ON file_id = file.id "
                "JOIN context ON context_id = context.id"
            )
            for path, context, bits in rows:
                if (test := context.rpartition("|")[0]) in self.seconds:
                    file = path.partition("/models/")[2]
                    for line in numbits_to_nums(bits):
                        self._by_line[f"models/{file}", line].add(test)

    @classmethod
    def of(cls, copy: Copy, folder: Path) -> Tests:
        """Runs all tests, unless the folder has what they left."""
        data, times = folder / "coverage.sqlite", folder / "times.xml"
        if not data.exists():
            options = [
                "--cov=models/ringdoku",
                "--cov-context=test",
                "--cov-report=",
                f"--junitxml={times}",
                "-p",
                "mutate",
                "-n",
                "2",
            ]
            copy.run(options, 7200)
            shutil.copy(copy.folder / ".coverage", data)
        return cls(data, times)

    def executing(self, fault: Fault) -> list[str]:
        """The tests that execute a line of the fault, the quickest first; of what runs when a module is imported, and
        so belongs to no test or to the first, those that execute any line of the file."""
        lines = range(fault.line, fault.line + fault.before.count("\n") + 1)
        found = set().union(*(self._by_line[fault.file, line] for line in lines))
        if not found or not _is_in_function(fault):
            found = set().union(*(tests for (file, _), tests in self._by_line.items() if file == fault.file))
        return sorted(found, key=self.seconds.__getitem__)


def _is_in_function(fault: Fault) -> bool:
    """Whether the line of a fault belongs to the body of a function, not to its head or the module."""
    for node in ast.walk(ast.parse((ROOT / fault.file).read_text())):
        match node:
            case ast.FunctionDef(body=[first, *_]) | ast.Lambda(body=first):
                if first.lineno <= fault.line <= (node.end_lineno or first.lineno):
                    return True
    return False


def drawn(count: int, seed: int, modules: str) -> list[Fault]:
    """Faults in files whose name contains `modules`, each kind equally often."""
    by_kind: defaultdict[str, list[Fault]] = defaultdict(list)
    for path in sorted(path for room in CORE for path in (SOURCES / room).rglob("*.py")):
        if modules in str(path) and not any(word in path.stem for word in WORDING):
            for fault in Faults(path).found:
                by_kind[fault.kind].append(fault)
    random = Random(seed)
    found: list[Fault] = []
    for faults in by_kind.values():
        random.shuffle(faults)
    while len(found) < count and by_kind:
        kind = random.choice(sorted(by_kind))
        found.append(by_kind[kind].pop())
        if not by_kind[kind]:
            del by_kind[kind]
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", nargs="?", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="faults that are tried at the same time")
    parser.add_argument("--modules", default="", help="only files whose path contains this")
    parser.add_argument("--kinds", default="", help="only these kinds, with commas")
    parser.add_argument("--whole", action="store_true", help="after the tests that execute the line run all others")
    parser.add_argument("--limit", type=float, default=300.0, help="seconds for each fault")
    parser.add_argument("-o", "--output", type=Path, default=Path("faults"), metavar="FOLDER")
    arguments = parser.parse_args()
    arguments.output.mkdir(exist_ok=True)
    results = arguments.output / "faults.jsonl"
    rows = [json.loads(line) for line in results.read_text().splitlines()] if results.exists() else []
    done = {row["name"]: row for row in rows}
    faults = drawn(10**6 if arguments.kinds else arguments.count, arguments.seed, arguments.modules)
    if arguments.kinds:
        faults = [fault for fault in faults if fault.kind in arguments.kinds.split(",")][: arguments.count]
    with tempfile.TemporaryDirectory() as folder, results.open("a") as output:
        copies: SimpleQueue[Copy] = SimpleQueue()
        for number in range(arguments.jobs):
            copies.put(Copy(Path(folder) / str(number)))
        one = copies.get()
        tests = Tests.of(one, arguments.output.resolve())
        copies.put(one)

        def tried(fault: Fault, nearest: list[str]) -> None:
            one = copies.get()
            portions = [nearest[:FEW], nearest[FEW:], ["tests"] if arguments.whole or not nearest else []]
            status, test = one.try_fault(fault, portions, arguments.limit)
            copies.put(one)
            done[fault.name] = {"name": fault.name, **asdict(fault), "status": status, "test": test}
            print(json.dumps(done[fault.name]), file=output, flush=True)
            print(f"{status:8} {fault.name[:160]}  {test}", flush=True)

        untried = [fault for fault in faults if fault.name not in done]
        with ThreadPoolExecutor(arguments.jobs) as pool:
            # the tests are looked up in this thread: Python 3.11 can fail to parse in two at once
            list(pool.map(tried, untried, map(tests.executing, untried)))
    counts = Counter(done[fault.name]["status"] for fault in faults)
    print(f"\n{len(faults)} faults:", ", ".join(f"{counts[status]} {status}" for status in STATUSES))
    return 0


if __name__ == "__main__":
    sys.exit(main())
