"""The file that holds what was measured.

While a run lasts it is a journal: a line of JSON for the plan and the environment, then one for each measurement, which
is on the disk before the next one begins. When the run is complete, one JSON document takes the journal's place:

    {"schema": "ringdoku-compare/2", "complete": true, "environment": {…}, "plan": {…}, "measurements": [{…}, …]}
"""

import csv
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import MISSING, fields, is_dataclass, replace
from enum import Enum
from functools import cache
from io import StringIO
from itertools import starmap
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

from ringdoku.compare.plan import Instance, Measurement, Plan, grid_of
from ringdoku.compare.summary import Results
from ringdoku.domain import LARGEST_EXACT, InputError, Place, Puzzle, RingdokuError, UsageError, classic, plain_rules

SCHEMA = "ringdoku-compare/2"


def _header(results: Results) -> dict[str, Any]:
    return {"schema": SCHEMA, "environment": dict(results.environment), "plan": results.plan.to_json()}


def save(results: Results, path: Path) -> None:
    """Write one document to `path`, replacing any file there at once, with a measurement on each line."""
    head = json.dumps(_header(results) | {"complete": results.is_complete})
    lines = ",\n".join(json.dumps(measurement.to_json()) for measurement in results.measurements)
    write_whole(path, ("{\n" + head[1:-1] + ',\n"measurements": [\n' + lines + "\n]}\n").encode())


def save_csv(results: Results, path: Path) -> None:
    """Write one row for each measurement, with its puzzle but without its trajectory, which only JSON has. Text that a
    spreadsheet would read as a formula, because it begins with = + - @, a tab or a carriage return, has an apostrophe
    before it; numbers stay numbers."""
    names = [field.name for field in fields(Measurement) if field.name != "trajectory"]
    puzzles = {instance.name: instance.to_json() for instance in results.plan.instances}
    text = StringIO()
    writer = csv.DictWriter(text, [*names, "order", "box", "clues", "puzzle"], extrasaction="ignore")
    writer.writeheader()
    for measurement in results.measurements:
        row = puzzles[measurement.instance] | measurement.to_json()
        for key, cell in row.items():
            if isinstance(cell, str) and cell.startswith(("=", "+", "-", "@", "\t", "\r")):
                row[key] = f"'{cell}"
        writer.writerow(row)
    write_whole(path, text.getvalue().encode("utf-8", "surrogateescape"))


@contextmanager
def journal(path: Path, results: Results) -> Iterator[Callable[[Measurement], None]]:
    """Start the file of a run in progress, which holds `results`, and replaces any file at `path`. The function adds a
    measurement, and returns when it is on the disk."""
    records = (_header(results), *(measurement.to_json() for measurement in results.measurements))
    write_whole(path, b"".join(json.dumps(record).encode() + b"\n" for record in records))
    with path.open("a", encoding="utf-8") as stream:

        def append(measurement: Measurement) -> None:
            stream.write(json.dumps(measurement.to_json()) + "\n")
            stream.flush()
            os.fsync(stream.fileno())

        yield append


def write_whole(path: Path, data: bytes) -> None:
    """Write a file that appears when it is complete. Raises `UsageError` when it cannot be written."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with temporary.open("wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(path)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from None
    finally:
        temporary.unlink(missing_ok=True)


def combine(many: Iterable[Results]) -> Results:
    """Join results of one task. Equal puzzles become one instance; contenders keep their names. Raises `UsageError`
    when the tasks differ, or when two puzzles have the same name."""
    together = tuple(many)
    plans = [one.plan for one in together]
    puzzles: dict[str, Puzzle] = {}
    measurements: dict[tuple[str, str, str, int], Measurement] = {}
    for one in together:
        if one.plan.task is not plans[0].task:
            raise UsageError(f"results of {plans[0].task.value} and {one.plan.task.value} do not go together")
        known = {puzzle: name for name, puzzle in puzzles.items()}
        names = {instance.name: known.get(instance.puzzle, instance.name) for instance in one.plan.instances}
        for instance in one.plan.instances:
            name = names[instance.name]
            if puzzles.setdefault(name, instance.puzzle) != instance.puzzle:
                raise UsageError(f"two different puzzles are called {name}")
        for measurement in one.measurements:
            moved = replace(measurement, instance=names[measurement.instance])
            while moved.key in measurements:
                moved = replace(moved, repeat=moved.repeat + 1)
            measurements[moved.key] = moved
    plan = replace(
        plans[0],
        instances=tuple(starmap(Instance, puzzles.items())),
        contenders=tuple(dict.fromkeys(who for plan in plans for who in plan.contenders)),
        repeats=1 + max((repeat for *_, repeat in measurements), default=0),
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
    """The results in a document or a journal, without a last line of a journal that was cut off. Raises `UsageError`
    for a file that cannot be read, and `InputError` for one that holds anything else."""
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
            raise ValueError(f"{whole!r} has another schema")
        environment = whole.get("environment")
        if not isinstance(environment, dict) or not isinstance(environment.get("packages", {}), dict):
            raise ValueError(f"environment is {environment!r}, not an object with packages as an object")
        _refuse_unwritable(environment)
        measurements = list(read(tuple[Measurement, ...], whole.get("measurements", []), "measurements"))
        if "measurements" not in whole:
            for line, record in enumerate(lines[1:], 2):  # noqa: B007  an error names it
                measurements.append(read(Measurement, json.loads(record)))
        results = Results(read(Plan, whole.get("plan")), environment, tuple(measurements))
        _check_runs(results)
    except (ValueError, RecursionError, RingdokuError) as error:
        found = str(error) if len(str(error)) <= 200 else f"{str(error)[:200]}…"
        why = "brackets nested too deeply" if isinstance(error, RecursionError) else f"something else ({found})"
        raise InputError(Place(str(path), line), why, f"results of schema {SCHEMA}") from None
    return results


def _refuse_unwritable(value: object) -> None:
    """Raises `ValueError` for text that cannot be written; bytes that are not UTF-8, as in names of files, can."""
    json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogateescape")


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


_WORDS = {str: "text", bool: "true or false", int: "an integer", float: "a number of at least 0"}
"""Types of fields as error messages name them."""

_hints = cache(get_type_hints)


def _is_a(kind: type, value: object) -> bool:
    if isinstance(value, bool | str) or kind in (bool, str):
        return type(value) is kind
    if kind is int:
        return isinstance(value, int) and abs(value) <= LARGEST_EXACT
    # NaN fails the comparison
    return isinstance(value, int | float) and 0 <= value <= LARGEST_EXACT


def read(kind: Any, value: object, name: str = "") -> Any:
    """The value as one of this type: a dataclass, whose fields are an object, or a list in their order; a tuple of a
    type; a member of an Enum; text, a number, true or false; or one of these or None. Other fields
    are passed over. Raises `ValueError`, which names the field."""
    choices = get_args(kind)
    if type(None) in choices:
        return None if value is None else read(choices[0], value, name)
    if get_origin(kind) is tuple:
        if not isinstance(value, list):
            raise ValueError(f"{name} is {value!r}, not a list")
        return tuple(read(choices[0], each, name) for each in value)
    if is_dataclass(kind):
        return read_instance(value) if kind is Instance else _record(kind, value)
    if issubclass(kind, Enum):
        return kind(value)
    if not _is_a(kind, value):
        raise ValueError(f"{name} is {value!r}, not {_WORDS[kind]}")
    _refuse_unwritable(value)
    return value


def _record(kind: Any, value: object) -> object:
    known, hints = {field.name: field for field in fields(kind)}, _hints(kind)
    needed = [name for name, field in known.items() if field.default is MISSING]
    record = dict(zip(needed, value, strict=False)) if isinstance(value, list) and len(value) == len(needed) else value
    if not isinstance(record, dict):
        raise ValueError(f"{value!r} is not an object")
    for name in needed:
        if name not in record:
            raise ValueError(f"no field {name}")
    return kind(**{name: read(hints[name], record[name], name) for name in known if name in record})


def read_instance(record: object) -> Instance:
    """The inverse of `Instance.to_json`. Raises `ValueError` or a `RingdokuError` for a record of another shape."""
    if not isinstance(record, dict):
        raise ValueError(f"{record!r} is not a puzzle")
    name, clues = (read(str, record.get(key), key) for key in ("name", "puzzle"))
    if "board" in record:
        from ringdoku.constraints.text import read_board, shape_in, with_rules

        lines = read(tuple[str, ...], record.get("rules", []), "rules")
        board = read_board(read(str, record["board"], "board"))
        ruleset = with_rules(plain_rules(board, shape_in(lines)[1]), lines)
    else:
        box = re.fullmatch(r"([0-9]{1,4})x([0-9]{1,4})", read(str, record.get("box"), "box"))
        if not box:
            raise ValueError(f"box is {record['box']!r}, not HEIGHTxWIDTH")
        ruleset = classic(int(box[1]) * int(box[2]), (int(box[1]), int(box[2])))
    return Instance(name, Puzzle(ruleset, grid_of(clues, ruleset.board)))
