"""Results files: any other file is refused in one line, and names of any characters are written safely."""

import csv
import json
import sys
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from comparing import EASY, measured_results, measurement, plan, script
from conftest import Run

from ringdoku import InputError
from ringdoku.compare.plan import Instance, Measurement
from ringdoku.compare.results import load, save, save_csv
from ringdoku.compare.run import disagreements
from ringdoku.compare.summary import Results, Summary, table

REFUSED = "expected results of schema ringdoku-compare/3"
NOT_UTF8 = b"caf\xe9.txt".decode("utf-8", "surrogateescape")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        "nonsense",
        '{"schema": "ringdoku-compare/3", "environment": {}, "plan": {}}\n',
        "\x00",
        "[" * 200_000,
        '{"schema": ' + "[" * 200_000 + "\n",
        '{"schema": "ringdoku-compare/3"}\n' + "[" * 200_000 + "\n",
        "1" * 10_000 + "\n",
    ],
    ids=lambda text: repr(text[:30]),
)
def test_a_file_that_holds_no_results_is_refused(ringdoku_here: Run, tmp_path: Path, text: str) -> None:
    path = tmp_path / "bad.json"
    path.write_text(text)
    found = ringdoku_here("compare", "--resume", path)
    assert found.returncode == 2
    assert found.stderr.startswith(f"ringdoku: error: {path}:")
    assert REFUSED in found.stderr
    assert found.stderr.count("\n") == 1


WRONG: tuple[Any, ...] = (
    *(None, True, -1, 7, 0.5, "x", [], {}, [[]], [1, "x", None]),
    *(float("nan"), float("inf"), 10**400, "\ud800"),
)


def mutated(document: Any, part: Any) -> Iterator[str]:
    """The document as text, each time with another value in one place of the part or below it."""
    for key, value in list(part.items() if isinstance(part, dict) else enumerate(part)):
        for wrong in WRONG:
            part[key] = wrong
            yield "".join(f"{json.dumps(line)}\n" for line in document)
        part[key] = value
        if isinstance(value, dict | list):
            yield from mutated(document, value)


def test_every_field_of_another_type_is_refused_or_shown(tmp_path: Path) -> None:
    results = measured_results()
    results = replace(results, plan=replace(results.plan, memory_limit=100), measurements=results.measurements[1:2])
    save(results, tmp_path / "r.json")
    document = list(map(json.loads, (tmp_path / "r.json").read_text().splitlines()))
    record = document[1]
    record |= {field.name: 1 for field in fields(Measurement) if field.name not in record}
    record |= {"second_grid": record["grid"], "machine": "m", "stderr": "e"}
    refused = 0
    for text in mutated(document, document):
        (tmp_path / "r.json").write_text(text)
        found = problem = None
        try:
            found = load(tmp_path / "r.json")
        except InputError as error:
            problem = str(error)
        if found is None:
            assert REFUSED in str(problem)
            assert len(str(problem)) < 400
            refused += 1
        else:
            table(Summary(found))
            disagreements(found)
            save_csv(found, tmp_path / "r.csv")
            save(found, tmp_path / "again.json")
    assert refused > 500


def test_an_error_names_its_line_and_older_results_are_refused_by_name(tmp_path: Path) -> None:
    results = measured_results()
    path = tmp_path / "journal.json"
    save(results, path)
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:2], lines[2].replace('"seconds": ', '"seconds": -'), ""]))
    with pytest.raises(InputError, match=r"journal.json:3: .*\(seconds is -1.0, not a number of at least 0\)"):
        load(path)
    path.write_text("\n".join([*lines, lines[1], ""]))
    with pytest.raises(InputError, match=r"journal.json:6: .*repeat 0 is not planned or there twice"):
        load(path)
    path.write_text('{\n"schema": "ringdoku-compare/2", "measurements": []}')
    with pytest.raises(InputError, match=r"journal.json:1: found results of an older ringdoku, expected .*; measure"):
        load(path)


def test_no_cell_of_a_sheet_is_a_formula(tmp_path: Path) -> None:
    names = ("=1+1.txt:1", "+1.txt:1", "-1.txt:1", "@sum.txt:1", "\t=1.txt:1", "plain.txt:1")
    instances = tuple(Instance(name, EASY) for name in names)
    runs = tuple(replace(measurement(score=-5), instance=name) for name in names)
    save_csv(Results(plan("search", instances=instances), {}, runs), tmp_path / "r.csv")
    rows = list(csv.DictReader((tmp_path / "r.csv").read_text().splitlines()))
    assert [row["instance"] for row in rows] == [*(f"'{name}" for name in names[:-1]), names[-1]]
    assert {row["score"] for row in rows} == {"-5"}


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such file names")
def test_a_file_name_that_is_not_utf8_goes_everywhere(ringdoku: Run, ringdoku_here: Run, tmp_path: Path) -> None:
    (tmp_path / NOT_UTF8).write_text("1.....3..4.....2\n")
    liar = script(tmp_path, "import sys; print('s UNSATISFIABLE'); sys.exit(20)", f"solver-{NOT_UTF8}")
    outputs = ("--csv", "r.csv", "--report", "page", "--plot", "p.svg")
    found = ringdoku("compare", NOT_UTF8, "--backends", "search", *outputs, cwd=tmp_path)
    assert (found.returncode, found.stderr) == (0, "ringdoku: the report is page/index.html\n")
    for path in ("r.csv", "page/index.html"):
        assert NOT_UTF8 in (tmp_path / path).read_text(encoding="utf-8", errors="surrogateescape")
    assert load(tmp_path / "page" / "results.json").plan.instances[0].name == f"{NOT_UTF8}:1"
    # a disagreement over the puzzle is still reported
    found = ringdoku_here("compare", NOT_UTF8, "--backends", "search", "--backends", liar, cwd=tmp_path)
    assert found.returncode == 4
