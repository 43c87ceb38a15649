"""Reads and writes files of results, in lines of JSON: the plan and the environment, then a measurement on each line,
which is on the disk before the next one begins.

    {"schema": "ringdoku-compare/3", "environment": {…}, "plan": {…}}
    {"instance": "puzzles.txt:1", "task": "solve", "backend": "search", …}
"""

import csv
import json
import os
from collections.abc import Iterable
from dataclasses import MISSING, fields, replace
from enum import Enum
from functools import cache
from io import StringIO
from itertools import starmap
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

from ringdoku.compare.plan import Contender, Instance, Measurement, Plan, grid_text
from ringdoku.compare.summary import Results
from ringdoku.domain import LARGEST_EXACT, InputError, Place, Puzzle, RingdokuError, refuse, refusing, shortened
from ringdoku.solvers.registry import Progress
from ringdoku.text import parse_one

SCHEMA = "ringdoku-compare/3"
_NAME = b'"schema": "ringdoku-compare/'


def save(results: Results, path: Path) -> None:
    """Write the file; one that was at `path` is replaced in one step."""
    head = {"schema": SCHEMA, "environment": dict(results.environment), "plan": results.plan.to_json()}
    records = (head, *(measurement.to_json() for measurement in results.measurements))
    write_whole(path, b"".join(json.dumps(record).encode() + b"\n" for record in records))


def append(measurement: Measurement, path: Path) -> None:
    """Add a measurement to the file, and return when it is on the disk."""
    with path.open("a", encoding="utf-8") as stream:
        stream.write(json.dumps(measurement.to_json()) + "\n")
        stream.flush()
        os.fsync(stream.fileno())


def save_csv(results: Results, path: Path) -> None:
    """Write one row for each measurement, with its puzzle but without its trajectory, which only JSON has. Text that a
    spreadsheet would read as a formula, as it begins with = + - @, a tab or a carriage return, gets an apostrophe."""
    names = [field.name for field in fields(Measurement) if field.name != "trajectory"]
    puzzles = {instance.name: instance.puzzle for instance in results.plan.instances}
    text = StringIO()
    writer = csv.DictWriter(text, [*names, "order", "box", "clues", "puzzle"], extrasaction="ignore")
    writer.writeheader()
    for measurement in results.measurements:
        puzzle, row = puzzles[measurement.instance], measurement.to_json()
        row |= {"order": puzzle.order, "clues": puzzle.clues.filled_count, "puzzle": grid_text(puzzle.clues)}
        row |= {"box": "{}x{}".format(*puzzle.ruleset.classic_box)} if puzzle.ruleset.classic_box else {}
        for key, cell in row.items():
            if isinstance(cell, str) and cell.startswith(("=", "+", "-", "@", "\t", "\r")):
                row[key] = f"'{cell}"
        writer.writerow(row)
    write_whole(path, text.getvalue().encode("utf-8", "surrogateescape"))


def write_whole(path: Path, data: bytes) -> None:
    """Write a file that appears only when it is complete; a device, such as /dev/stdout, is never replaced, nor a link.
    Raises `UsageError` when it cannot be written."""
    with refusing(f"cannot write {path}"):
        if path.exists() and not path.is_file():
            path.write_bytes(data)
            return
        path = Path(os.path.realpath(path))
        temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
        try:
            temporary.write_bytes(data)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)


def combine(many: Iterable[Results]) -> Results:
    """Join results of one task. Equal puzzles become one instance; contenders keep their names. Raises `UsageError`
    when the tasks differ, or when two puzzles have the same name."""
    parts = tuple(many)
    plans = [part.plan for part in parts]
    puzzles: dict[str, Puzzle] = {}
    measurements: dict[tuple[str, str, str, int], Measurement] = {}
    for part in parts:
        is_other = part.plan.task is not plans[0].task
        refuse(is_other, f"results of {plans[0].task} and {part.plan.task} do not go together")
        known = {puzzle: name for name, puzzle in puzzles.items()}
        names = {instance.name: known.get(instance.puzzle, instance.name) for instance in part.plan.instances}
        # a puzzle that files have twice keeps both names
        names |= {one.name: one.name for one in part.plan.instances if puzzles.get(one.name) == one.puzzle}
        for instance in part.plan.instances:
            name = names[instance.name]
            is_other = puzzles.setdefault(name, instance.puzzle) != instance.puzzle
            refuse(is_other, f"two different puzzles are called {name}")
        for measurement in part.measurements:
            moved = replace(measurement, instance=names[measurement.instance])
            while moved.key in measurements:
                moved = replace(moved, repeat=moved.repeat + 1)
            measurements[moved.key] = moved
    plan = replace(
        plans[0],
        instances=tuple(starmap(Instance, puzzles.items())),
        contenders=tuple(dict.fromkeys(who for plan in plans for who in plan.contenders)),
        repeats=max(1 + max((repeat for *_, repeat in measurements), default=0), plans[0].repeats),
        time_limit=min(plan.time_limit for plan in plans),
    )
    return Results(plan, parts[0].environment, tuple(measurements.values()))


def is_results(path: Path) -> bool:
    """Whether a file begins as files of results do."""
    try:
        with path.open("rb") as stream:
            return _NAME in stream.read(100)
    except OSError:
        return False


def load(path: Path) -> Results:
    """The results in a file; a last line that was cut off is ignored. Raises `UsageError` for a file that cannot be
    read, and `InputError` for one that holds anything else."""
    with refusing(f"cannot read {path}"):
        data = path.read_bytes()
    line, expected = 1, f"results of schema {SCHEMA}"
    if _NAME in data[:100] and SCHEMA.encode() not in data[:100]:
        raise InputError(Place(str(path), line), "results of an older ringdoku", f"{expected}; measure again")
    try:
        head, *lines = data.decode().split("\n")[:-1] or [""]
        first = _object_of(head)
        environment, plan, measurements = first["environment"], _from_json(Plan, first["plan"], "plan"), []
        if first["schema"] != SCHEMA or not isinstance(environment.get("packages", {}), dict):
            raise ValueError("another schema, or no packages")
        for line, text in enumerate(lines, 2):  # noqa: B007  an error names it
            measurements.append(_from_json(Measurement, _object_of(text), "measurement"))
        results = Results(plan, environment, tuple(measurements))
        _check_runs(results)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError, RingdokuError) as error:
        found = f"something else ({shortened(str(error), 200)})"
        raise InputError(Place(str(path), line), found, expected) from None
    return results


def _object_of(text: str) -> Any:
    """The object on a line. Raises `ValueError`, also for characters that could not be written again."""
    record = json.loads(text)
    json.dumps(record, ensure_ascii=False).encode("utf-8", "surrogateescape")
    return record


def _check_runs(results: Results) -> None:
    """Raises `ValueError` for a measurement that is not in the plan, or that is there twice."""
    plan, done = results.plan, set()
    names = {(instance.name, contender.name) for instance in plan.instances for contender in plan.contenders}
    for one in results.measurements:
        is_planned = one.task == plan.task and (one.instance, one.contender) in names and 0 <= one.repeat < plan.repeats
        if not is_planned or one.key in done:
            raise ValueError(f"{one.contender} on {one.instance}, repeat {one.repeat} is not planned or there twice")
        done.add(one.key)


_WORDS = {str: "text", bool: "true or false", int: "an integer", float: "a number of at least 0"}
"""Types of fields as error messages name them."""
_hints = cache(get_type_hints)


def _from_json(hint: Any, value: Any, name: str) -> Any:
    """The value of a type from JSON; unknown fields of dataclasses are ignored. Raises `ValueError` with the field."""
    kind, *others = get_args(hint) or (hint,)
    if get_origin(hint) is tuple:
        return tuple(_from_json(kind, each, name) for each in value)
    if value is None and others:
        return value
    if kind is Puzzle:
        return parse_one(json.dumps({**value}))
    if kind is Progress:
        value = dict(zip(("seconds", "score", "bound"), value, strict=True))
    if kind in (Plan, Instance, Contender, Measurement, Progress):
        hints, known = _hints(kind), (each for each in fields(kind) if each.default is MISSING or each.name in value)
        return kind(**{each.name: _from_json(hints[each.name], value.get(each.name), each.name) for each in known})
    if issubclass(kind, Enum):
        return kind(value)
    return _scalar(kind, value, name)


def _scalar(kind: Any, value: Any, name: str) -> Any:
    is_right = type(value) is kind or (kind is float and type(value) is int)
    if is_right and kind in (int, float):
        # NaN fails the comparison
        is_right = (0 if kind is float else -LARGEST_EXACT) <= value <= LARGEST_EXACT
    if not is_right:
        raise ValueError(f"{name} is {value!r}, not {_WORDS[kind]}")
    return value
