"""Plots of results, and the errors where they cannot be drawn."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from comparing import measured_results

from ringdoku import UsageError
from ringdoku.compare.plan import Contender
from ringdoku.compare.plots import Chart, draw, inline_svg, styles
from ringdoku.compare.plots import save as save_picture
from ringdoku.compare.results import combine, load, save
from ringdoku.compare.summary import COUNTS, Measure

Runner = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.mark.parametrize("chart", list(Chart))
def test_every_kind_is_drawn_as_svg_and_png_always_the_same(chart: Chart, tmp_path: Path) -> None:
    """With names of any characters, some of which matplotlib would read as mathematics."""
    results, name = measured_results(), "cmd:caf\udce9 $\\frac$ $x\x1b[31m"
    runs = tuple(replace(one, backend=name) if one.backend == "search" else one for one in results.measurements)
    plan = replace(results.plan, contenders=(Contender(name), Contender("minisat22")))
    figure = draw(replace(results, plan=plan, measurements=runs), chart, [name, "minisat22"])
    for file in ("a.svg", "b.svg", "a.png"):
        save_picture(figure, tmp_path / file)
    words = " ".join(ElementTree.parse(tmp_path / "a.svg").getroot().itertext())
    assert chart.value in words if chart.value in COUNTS else "seconds" in words
    assert r"cmd:caf\udce9 $\frac$ $x\x1b[31m" in words
    assert (tmp_path / "a.svg").read_text() == (tmp_path / "b.svg").read_text()
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


def test_a_picture_in_a_page_takes_the_colour_of_its_text() -> None:
    svg = inline_svg(draw(measured_results(), Chart.CACTUS), "x")
    assert svg.startswith("<svg")
    assert "currentColor" in svg
    assert "#000000" not in svg


@pytest.mark.parametrize(
    ("chart", "names", "instance", "message"),
    [
        (Chart.SCATTER, ["nobody"], None, "no contender is called 'nobody'"),
        (Chart.BOUND, [], "nowhere", "nothing was recorded over time on 'nowhere'"),
        (Chart.CONFLICTS, [], None, "no backend of these results reports its conflicts"),
    ],
)
def test_what_is_not_there_is_not_drawn(chart: Chart, names: list[str], instance: str | None, message: str) -> None:
    results = measured_results()
    bare = tuple(replace(one, conflicts=None) for one in results.measurements)
    with pytest.raises(UsageError, match=message):
        draw(replace(results, measurements=bare), chart, names, instance)


def test_a_contender_has_one_colour_and_the_virtual_best_hides_none() -> None:
    results = measured_results()
    looks = styles(results)
    assert list(looks) == ["minisat22", "search"]
    # by another measure the other one is first
    slow = tuple(replace(one, solve_seconds=5.0 if one.backend == "minisat22" else 0.1) for one in results.measurements)
    for measure in Measure:
        figure = draw(replace(results, measurements=slow), Chart.CACTUS, measure=measure)
        best, *lines = figure.axes[0].lines
        colours = {line.get_label(): line.get_color() for line in lines}
        assert colours == {name: look["color"] for name, look in looks.items()}
        assert best.get_label() == "virtual best"
        assert best.get_alpha() < 0.5
        assert best.get_linewidth() > 2 * max(line.get_linewidth() for line in lines)


def test_plot_writes_the_picture_of_saved_results(ringdoku_here: Runner, tmp_path: Path) -> None:
    save(measured_results(), tmp_path / "r.json")
    ask = ("compare", tmp_path / "r.json", "--plot", tmp_path / "p.svg")
    found = ringdoku_here(*ask, "--kind", "bound")
    assert (found.returncode, found.stderr) == (0, "")
    assert "<svg" in (tmp_path / "p.svg").read_text()
    again = ringdoku_here(*ask)
    assert (again.returncode, "--force" in again.stderr) == (2, True)


def test_folders_of_results_are_drawn_together(ringdoku_here: Runner, tmp_path: Path) -> None:
    program = "cmd:solver --levels=1,2"
    results = measured_results()
    for number, name in enumerate(("search", program)):
        plan = replace(results.plan, contenders=(Contender(name), Contender("minisat22")))
        runs = tuple(replace(one, backend=name) if one.backend == "search" else one for one in results.measurements)
        (tmp_path / f"{number}").mkdir()
        save(replace(results, plan=plan, measurements=runs), tmp_path / f"{number}" / "results.json")
        (tmp_path / f"{number}" / "index.html").write_text("no results")
    table = ringdoku_here("compare", tmp_path)
    assert (table.returncode, table.stderr) == (0, "")
    assert {"search", "cmd:solver", "minisat22"} <= {line.split()[0] for line in table.stdout.splitlines() if line}
    drawn = ringdoku_here(
        *("compare", tmp_path / "0", tmp_path / "1", "--kind", "scatter", "--measure", "cpu"),
        *("--contenders", f"{program},minisat22", "--plot", tmp_path / "p.svg"),
    )
    assert (drawn.returncode, drawn.stderr) == (0, "")
    words = (tmp_path / "p.svg").read_text()
    assert f"{program}, seconds of the processor" in words
    assert "minisat22, seconds" in words
    once = load(tmp_path / "0" / "results.json")
    twice = combine([once, once])
    assert (len(twice.measurements), twice.plan.repeats) == (2 * len(once.measurements), 2)
    assert twice.plan.instances == once.plan.instances
    (tmp_path / "puzzle").write_text("1...............\n")
    mixed = ringdoku_here("compare", tmp_path / "0", tmp_path / "puzzle")
    assert (mixed.returncode, "there are no results in" in mixed.stderr) == (2, True)
    assert ringdoku_here("plot", tmp_path).stderr == "ringdoku: error: plot is now ringdoku compare FILE\n"


def test_the_saved_measurements_make_a_pandas_frame(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas", reason="comes with ortools")
    save(measured_results(), tmp_path / "r.json")
    frame = pandas.DataFrame(json.loads((tmp_path / "r.json").read_text())["measurements"])
    assert len(frame) == 4
    assert dict(frame.groupby("backend")["seconds"].max()) == {"minisat22": 0.04, "search": 1.0}
