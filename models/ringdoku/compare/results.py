"""The file that holds what was measured.

While a run lasts the file is a journal: a line of JSON for the plan and the environment, then one for each measurement,
which is on the disk before the next one begins. However the run ends, at most the line being written is lost. When the
run is complete, one JSON document takes the journal's place:

    {"schema": "ringdoku-compare/2", "complete": true, "environment": {…}, "plan": {…}, "measurements": [{…}, …]}

`plan` has the puzzles under `instances`; a measurement is a flat object, its fields those of `Measurement`, so that
`pandas.DataFrame(document["measurements"])` is a frame with one row a measurement.
"""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, replace
from io import StringIO
from itertools import starmap
from pathlib import Path
from typing import Any

from ringdoku.compare.json_fields import is_integer, is_text, read, shown
from ringdoku.compare.measurement import Measurement
from ringdoku.compare.plan import Instance, Plan
from ringdoku.compare.summary import Results
from ringdoku.domain.errors import InputError, Place, RingdokuError, UsageError
from ringdoku.domain.puzzle import Puzzle

SCHEMA = "ringdoku-compare/2"


def _header(results: Results) -> dict[str, Any]:
    return {"schema": SCHEMA, "environment": dict(results.environment), "plan": results.plan.to_json()}


def save(results: Results, path: Path) -> None:
    """Write one document to `path`, replacing any file there at once, with a measurement on each line, for people who
    read it or compare two files."""
    head = json.dumps(_header(results) | {"complete": results.is_complete})
    lines = ",\n".join(json.dumps(measurement.to_json()) for measurement in results.measurements)
    write_whole(path, "{\n" + head[1:-1] + ',\n"measurements": [\n' + lines + "\n]}\n")


def save_csv(results: Results, path: Path) -> None:
    """Write one row for each measurement, with its puzzle but without its trajectory, which only JSON has.

    Text that a spreadsheet would read as a formula, because it begins with = + - @, a tab or a carriage return,
    has an apostrophe before it; numbers stay numbers. Bytes of names that are not UTF-8 are written as they were.
    """
    names = [field.name for field in fields(Measurement) if field.name != "trajectory"]
    puzzles = {instance.name: instance.to_json() for instance in results.plan.instances}
    text = StringIO()
    writer = csv.DictWriter(text, [*names, "order", "box", "clues", "puzzle"], extrasaction="ignore")
    writer.writeheader()
    for measurement in results.measurements:
        row = puzzles[measurement.instance] | measurement.to_json()
        texts = {key: cell for key, cell in row.items() if isinstance(cell, str)}
        formulas = {key: f"'{cell}" for key, cell in texts.items() if cell.startswith(("=", "+", "-", "@", "\t", "\r"))}
        writer.writerow(row | formulas)
    write_whole(path, text.getvalue())


@contextmanager
def journal(path: Path, results: Results) -> Iterator[Callable[[Measurement], None]]:
    """Start the file of a run in progress, which holds `results`, and replaces any file at `path`. The function adds a
    measurement, and returns when it is on the disk."""
    records = (_header(results), *(measurement.to_json() for measurement in results.measurements))
    write_whole(path, "".join(json.dumps(record) + "\n" for record in records))
    with path.open("a", encoding="utf-8") as stream:

        def append(measurement: Measurement) -> None:
            stream.write(json.dumps(measurement.to_json()) + "\n")
            stream.flush()
            os.fsync(stream.fileno())

        yield append


def write_whole(path: Path, text: str) -> None:
    """Write a file that appears when it is complete. Bytes of names that are not UTF-8 are written as they were.

    Raises `UsageError` when the file cannot be written.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with temporary.open("w", newline="", encoding="utf-8", errors="surrogateescape") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(path)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from None
    finally:
        temporary.unlink(missing_ok=True)


def combine(many: Iterable[Results]) -> Results:
    """Join results of one task. Equal puzzles become one instance; contenders keep their names.

    Raises `UsageError` when the tasks differ, or when two puzzles have the same name.
    """
    together = tuple(many)
    plans = [one.plan for one in together]
    puzzles: dict[str, Puzzle] = {}
    measurements: dict[tuple[str, str, str, int], Measurement] = {}
    for one in together:
        if one.plan.task is not plans[0].task:
            raise UsageError(f"results of {plans[0].task.value} and {one.plan.task.value} do not go together")
        names = {puzzle: name for name, puzzle in puzzles.items()}
        renamed = {instance.name: names.get(instance.puzzle, instance.name) for instance in one.plan.instances}
        for instance in one.plan.instances:
            name = renamed[instance.name]
            if puzzles.setdefault(name, instance.puzzle) != instance.puzzle:
                raise UsageError(f"two different puzzles are called {name}")
        for measurement in one.measurements:
            moved = replace(measurement, instance=renamed[measurement.instance])
            while moved.key in measurements:
                moved = replace(moved, repeat=moved.repeat + 1)
            measurements[moved.key] = moved
    plan = replace(
        plans[0],
        instances=tuple(starmap(Instance, puzzles.items())),
        contenders=tuple(dict.fromkeys(who for plan in plans for who in plan.contenders)),
        repeats=1 + max((measurement.repeat for measurement in measurements.values()), default=0),
        time_limit=max(plan.time_limit for plan in plans),
    )
    return Results(plan, together[0].environment, tuple(measurements.values()))


def is_results(path: Path) -> bool:
    """Whether a file begins as results do."""
    try:
        with path.open("rb") as stream:
            return b'"schema": "ringdoku-compare/' in stream.read(100)
    except OSError:
        return False


def load(path: Path) -> Results:
    """The results in a document or a journal, without a last line of a journal that was cut off.

    Raises `UsageError` for a file that cannot be read, and `InputError` for one that holds anything else.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    line = 1
    try:
        text = data.decode()
        lines = text.split("\n")[:-1]
        whole = json.loads(text if text.startswith("{\n") else (lines or [""])[0])
        if not isinstance(whole, dict) or whole.get("schema") != SCHEMA:
            raise ValueError(f"{shown(whole)} has another schema")
        measurements = list(read(tuple[Measurement, ...], whole.get("measurements", []), "measurements"))
        if "measurements" not in whole:
            for line, record in enumerate(lines[1:], 2):  # noqa: B007  an error names it
                measurements.append(read(Measurement, json.loads(record)))
        results = Results(read(Plan, whole.get("plan")), _environment_of(whole), tuple(measurements))
        _check_runs(results)
    except (ValueError, RecursionError, RingdokuError) as error:
        why = "brackets nested too deeply" if isinstance(error, RecursionError) else f"something else ({error})"
        raise InputError(Place(str(path), line), why, f"results of schema {SCHEMA}") from None
    return results


def _environment_of(record: Mapping[str, Any]) -> dict[str, Any]:
    """Text and integers by name, with the packages' versions in an object of their own. Raises `ValueError`."""
    environment: Any = record.get("environment")
    packages = environment.get("packages", {}) if isinstance(environment, dict) else None
    if not isinstance(packages, dict):
        raise ValueError(f"environment is {shown(environment)}, not an object with packages as an object")
    for name, fact in {**environment, "packages": None, **packages}.items():
        if not is_text(name) or not (fact is None or is_text(fact) or is_integer(fact)):
            raise ValueError(f"{shown(name)} in environment is {shown(fact)}, neither text nor an integer")
    return dict(environment)


def _check_runs(results: Results) -> None:
    """Raises `ValueError` for a measurement that is not in the plan, or that is there twice."""
    plan, done = results.plan, set()
    instances = {instance.name for instance in plan.instances}
    contenders = {contender.name for contender in plan.contenders}
    for one in results.measurements:
        run = f"{one.contender} on {one.instance}, repeat {one.repeat}"
        asked = one.instance in instances and one.contender in contenders and one.task == plan.task.value
        if not asked or not 0 <= one.repeat < plan.repeats:
            raise ValueError(f"{run} is not in the plan")
        if one.key in done:
            raise ValueError(f"{run} is there twice")
        done.add(one.key)
