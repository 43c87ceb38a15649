"""Do the tests notice faults? `python benchmarks/mutate.py [COUNT] [--seed S] [--jobs J] [--whole] [-o FILE]`.

Makes COUNT random faults, one at a time, in a copy of the tree, in the modules that answers depend on. For each it runs
the test files that concern the module: first those that import it, then those that import something that imports it
and those in `ALL_WAYS`, quick files first. A fault is caught if a test fails (a hang fails by pytest's own time limit),
open if the limit for each fault passes first, and survives otherwise. FILE gets a JSON line for each fault, and a run
with the same FILE continues it.

Of 100 faults with seed 7 the tests catch 97. Those that were open: a digit without a place in `_narrow_sets` of
`deduction/rules.py` returns True (it deduces less, and the search finds the rest); the choice of rows in `_priced_rows`
of `lp_sat/costs.py`; and `<= 0` in `_wrong_signs` of `duality/bound.py`, since no price of 0 is written.

`benchmarks/faults.py` defines the faults and the code that is left alone.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from functools import cached_property
from pathlib import Path
from queue import SimpleQueue
from random import Random
from xml.etree import ElementTree

from faults import ROOT, Fault, Faults

SOURCES = ROOT / "models"
CORE = (
    "domain/*.py",
    "deduction/*.py",
    "duality/*.py",
    "sat/budget.py",
    "sat/triads.py",
    "sat/at_most_one/*.py",
    "sat/digits/*.py",
    "sat/rules/*.py",
    "lowering/*.py",
    "solvers/lp_sat/*.py",
)
COPIED = (
    "models",
    "cli",
    "tests",
    "benchmarks",
    "docs",
    "fixtures",
    "pyproject.toml",
    "README.md",
    "README.zh.md",
    "CHANGELOG.md",
    "LICENSE",
)
STATUSES = ("survived", "open", "caught")
FEW = 4
"""Files of the first portion: pytest reads all files of a portion before it runs a test."""
DISTANCE = 1
"""Imports from a test to the module, up to which the test concerns it."""
ALL_WAYS = (
    "test_backends_properties.py",
    "test_bound.py",
    "test_constraints.py",
    "test_exports_rules.py",
    "test_lp_sat.py",
    "test_primitives.py",
    "test_small_houses.py",
)
"""Tests that compare all ways to answers, and so concern every module; they come after the nearer ones."""

LINEAR, DIAGRAM, QUESTION = ("sat/rules/linear.py", "encodings/rules/diagram.py", "solvers/lp_sat/question.py")
HARMLESS = {
    (LINEAR, "linear.coefficients[place] > 0", "(linear.coefficients[place] >= 0)"): "no coefficient is 0",
    (
        LINEAR,
        "(least is None or total >= least) and (greatest is None or total <= greatest)",
        "(True)",
    ): "`step` has refused all other totals",
    ("deduction/sums.py", "len(found) <= MOST_SETS", "True"): "a limit on work",
    (DIAGRAM, "clauses.add([-variable, *(literals[digit] for digit in digits)])", "pass"): "redundant clauses",
    (
        DIAGRAM,
        "before and len(edges) < len(literals)",
        "(not (before and len(edges) < len(literals)))",
    ): "redundant clauses",
    (QUESTION, "self._solver.add_clause([-variable])", "pass"): "`ask` refuses what slips through",
    (
        "solvers/lp_sat/costs.py",
        "dear[neighbours_first] > 0",
        "(dear[neighbours_first] >= 0)",
    ): "costs of 0 change no budget",
}
"""Faults that survive and change no answer, and why: (end of the file's path, before, after)."""


class Suite:
    """The test files, and how far each is from each module, in imports."""

    def __init__(self) -> None:
        self._tests = {path.name: _imports(path) for path in sorted((ROOT / "tests").glob("test_*.py"))}
        self._modules = {
            ".".join(path.relative_to(SOURCES).with_suffix("").parts).removesuffix(".__init__"): path
            for path in SOURCES.rglob("*.py")
        }

    @cached_property
    def _imported_by(self) -> dict[str, set[str]]:
        found: defaultdict[str, set[str]] = defaultdict(set)
        for module, path in self._modules.items():
            for imported in _imports(path):
                found[imported].add(module)
        return found

    def concerned(self, file: str) -> list[tuple[int, str]]:
        """(distance, test file) of all tests, beyond `DISTANCE` 1 more for `ALL_WAYS` and 2 more for others."""
        module = ".".join((ROOT / file).relative_to(SOURCES).with_suffix("").parts).removesuffix(".__init__")
        distances, edge = {module: 0}, [module]
        for distance in range(1, DISTANCE + 1):
            # a package imports all that it has, and says nothing of what a test is about
            edge = [
                by
                for each in edge
                for by in self._imported_by[each]
                if by not in distances and self._modules[by].name != "__init__.py"
            ]
            distances |= dict.fromkeys(edge, distance)
        return [
            (
                min(
                    (distances[each] for each in imports if each in distances),
                    default=DISTANCE + 2 - (name in ALL_WAYS),
                ),
                name,
            )
            for name, imports in self._tests.items()
        ]


def _imports(path: Path) -> set[str]:
    """The modules of this project that a file imports anywhere, functions included."""
    found = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            # the registries name modules
            found.add(node.value.partition(":")[0])
    return {name for name in found if name.startswith("ringdoku.")}


class Copy:
    """A copy of the tree in which faults are made."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        for name in COPIED:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "report"))
            else:
                shutil.copy(ROOT / name, folder)
        path = os.pathsep.join(str(folder / name) for name in ("models", "cli", "tests"))
        self._environment = os.environ | {"PYTHONPATH": path}

    def run(self, tests: Sequence[str], limit: float, *options: str) -> tuple[str, str]:
        """How the tests ended, and the first that failed."""
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--tb=no", *options]
        process = subprocess.Popen(
            [*command, *(f"tests/{name}" for name in tests)],
            cwd=self._folder,
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

    def times(self, tests: Sequence[str], options: Sequence[str]) -> dict[str, float]:
        """Seconds of each test file without any fault. Ends the program where a test fails."""
        status, first = self.run(tests, 3600, "--junitxml=times.xml", *options)
        if status != "survived":
            sys.exit(f"without any fault: {first}")
        seconds = dict.fromkeys(tests, 0.0)
        for case in ElementTree.parse(self._folder / "times.xml").iter("testcase"):
            seconds[case.attrib["classname"].removeprefix("tests.") + ".py"] += float(case.attrib["time"])
        return seconds

    def try_fault(
        self, fault: Fault, portions: Sequence[Sequence[str]], limit: float, options: Sequence[str]
    ) -> tuple[str, str]:
        """`run` with the fault made, one portion of the tests after the other until one fails; undoes the fault."""
        path = self._folder / fault.file
        source = path.read_bytes()
        end = time.monotonic() + limit
        status, test = "survived", ""
        try:
            self._replace(path, fault.applied(source))
            for tests in filter(None, portions):
                status, test = self.run(tests, end - time.monotonic(), *options)
                if status != "survived":
                    break
            return status, test
        finally:
            self._replace(path, source)

    def _replace(self, path: Path, source: bytes) -> None:
        # Python compares bytecode with its source by second and size only, and a fault may change neither
        shutil.rmtree(path.parent / "__pycache__", ignore_errors=True)
        path.write_bytes(source)


def drawn(count: int, seed: int, modules: str) -> list[Fault]:
    """Faults in files whose name contains `modules`, each kind equally often, without those in `HARMLESS`."""
    paths = sorted({path for pattern in CORE for path in (SOURCES / "ringdoku").glob(pattern)})
    by_kind: defaultdict[str, list[Fault]] = defaultdict(list)
    for path in paths:
        if modules in str(path):
            for fault in Faults(path).found:
                by_kind[fault.kind].append(fault)
    random = Random(seed)
    found: list[Fault] = []
    for faults in by_kind.values():
        random.shuffle(faults)
    while len(found) < count and by_kind:
        kind = random.choice(sorted(by_kind))
        fault = by_kind[kind].pop()
        if (fault.file.removeprefix("models/ringdoku/"), fault.before, fault.after) not in HARMLESS:
            found.append(fault)
        if not by_kind[kind]:
            del by_kind[kind]
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", nargs="?", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="faults that are tried at the same time")
    parser.add_argument("--modules", default="", help="only files whose path contains this")
    parser.add_argument("--whole", action="store_true", help="after the tests that concern a module run all others")
    parser.add_argument("--limit", type=float, default=300.0, help="seconds for each fault")
    parser.add_argument("--deselect", action="append", default=[], metavar="TEST", help="a test that is not run")
    parser.add_argument("-o", "--output", type=Path, default=Path("faults.jsonl"), metavar="FILE")
    arguments = parser.parse_args()
    faults, suite = drawn(arguments.count, arguments.seed, arguments.modules), Suite()
    rows = [json.loads(line) for line in arguments.output.read_text().splitlines()] if arguments.output.exists() else []
    seconds: dict[str, float] = next((row["seconds"] for row in rows if "seconds" in row), {})
    done = {row["name"]: row for row in rows if "name" in row}
    concerned = {
        fault.file: [each for each in suite.concerned(fault.file) if arguments.whole or each[0] <= DISTANCE + 1]
        for fault in faults
    }
    options = [f"--deselect={test}" for test in arguments.deselect]
    with tempfile.TemporaryDirectory() as folder, arguments.output.open("a") as output:
        copies: SimpleQueue[Copy] = SimpleQueue()
        for number in range(arguments.jobs):
            copies.put(Copy(Path(folder) / str(number)))
        missing = sorted({name for each in concerned.values() for _, name in each} - seconds.keys())
        if missing:
            one = copies.get()
            seconds |= one.times(missing, options)
            copies.put(one)
            print(json.dumps({"seconds": seconds}), file=output, flush=True)

        def tried(fault: Fault) -> None:
            nearest = sorted(concerned[fault.file], key=lambda each: (each[0] > 0, seconds[each[1]]))
            names = [name for _, name in nearest]
            one = copies.get()
            status, test = one.try_fault(fault, [names[:FEW], names[FEW:]], arguments.limit, options)
            copies.put(one)
            done[fault.name] = {"name": fault.name, **asdict(fault), "status": status, "test": test}
            print(json.dumps(done[fault.name]), file=output, flush=True)
            print(f"{status:8} {fault.name}  {test}", flush=True)

        with ThreadPoolExecutor(arguments.jobs) as pool:
            list(pool.map(tried, [fault for fault in faults if fault.name not in done]))
    counts = Counter(done[fault.name]["status"] for fault in faults)
    print(f"\n{len(faults)} faults:", ", ".join(f"{counts[status]} {status}" for status in STATUSES))
    print("\n| status | file | line | kind | before | after |", "| --- | --- | --- | --- | --- | --- |", sep="\n")
    for fault in sorted(faults, key=lambda fault: STATUSES.index(done[fault.name]["status"])):
        before, after = (text.replace("|", "\\|").replace("\n", " ") for text in (fault.before, fault.after))
        print(f"| {done[fault.name]['status']} | {fault.file} | {fault.line} | {fault.kind} | `{before}` | `{after}` |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
