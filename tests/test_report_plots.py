"""Plots of results, and the errors where they cannot be drawn."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from comparing import measured_results

from ringdoku import UsageError
from ringdoku.compare.plan import Contender
from ringdoku.compare.plots import Chart, draw, inline_svg, save
from ringdoku.compare.results import combine

pytest.importorskip("matplotlib", reason="needs the extra: pip install 'ringdoku[plot]'")

Runner = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.mark.parametrize("chart", list(Chart))
def test_every_kind_is_drawn_as_svg_and_png(chart: Chart, tmp_path: Path) -> None:
    figure = draw(measured_results(), chart)
    save(figure, tmp_path / "a.svg")
    save(figure, tmp_path / "a.png")
    words = " ".join(ElementTree.parse(tmp_path / "a.svg").getroot().itertext())
    assert "seconds" in words
    assert "search" in words
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


def test_equal_results_give_equal_pictures(tmp_path: Path) -> None:
    for name in ("a.svg", "b.svg"):
        save(draw(measured_results(), Chart.CACTUS), tmp_path / name)
    assert (tmp_path / "a.svg").read_text() == (tmp_path / "b.svg").read_text()


def test_a_picture_in_a_page_takes_the_colour_of_its_text() -> None:
    svg = inline_svg(draw(measured_results(), Chart.CACTUS), "x")
    assert svg.startswith("<svg")
    assert "currentColor" in svg
    assert "#000000" not in svg


@pytest.mark.parametrize(
    ("chart", "names", "instance"),
    [(Chart.SCATTER, ["nobody"], None), (Chart.BOUND, [], "nowhere")],
)
def test_what_is_not_there_is_not_drawn(chart: Chart, names: list[str], instance: str | None) -> None:
    with pytest.raises(UsageError):
        draw(measured_results(), chart, names, instance)


def test_results_of_several_runs_are_drawn_together() -> None:
    once = measured_results()
    twice = combine([once, once])
    assert len(twice.measurements) == 2 * len(once.measurements)
    assert twice.plan.instances == once.plan.instances
    assert twice.plan.repeats == 2


def test_plot_writes_the_picture_of_saved_results(ringdoku: Runner, tmp_path: Path) -> None:
    measured_results().save(tmp_path / "r.json")
    found = ringdoku("plot", tmp_path / "r.json", "--output", tmp_path / "p.svg", "--kind", "bound")
    assert (found.returncode, found.stderr) == (0, "")
    assert "<svg" in (tmp_path / "p.svg").read_text()
    again = ringdoku("plot", tmp_path / "r.json", "--output", tmp_path / "p.svg")
    assert again.returncode == 2
    assert "--force" in again.stderr


def test_without_matplotlib_the_error_names_the_install_command(tmp_path: Path) -> None:
    measured_results().save(tmp_path / "r.json")
    blocked = (
        "import sys; sys.modules['matplotlib'] = None; sys.modules['matplotlib.figure'] = None\n"
        f"sys.argv = ['ringdoku', 'plot', {str(tmp_path / 'r.json')!r}, '--output', {str(tmp_path / 'p.svg')!r}]\n"
        "from ringdoku_cli.app import main; main()"
    )
    found = subprocess.run([sys.executable, "-c", blocked], capture_output=True, text=True, check=False)
    assert found.returncode == 2
    assert "pip install 'ringdoku[plot]'" in found.stderr
    assert "Traceback" not in found.stderr


def test_names_are_drawn_as_they_are(tmp_path: Path) -> None:
    results = measured_results()
    name = r"cmd:solve $\frac$ $x"
    runs = tuple(replace(one, backend=name) if one.backend == "search" else one for one in results.measurements)
    plan = replace(results.plan, contenders=(Contender(name), Contender("minisat22")))
    for chart in Chart:
        save(draw(replace(results, plan=plan, measurements=runs), chart, [name, "minisat22"]), tmp_path / "a.svg")
        assert name in " ".join(ElementTree.parse(tmp_path / "a.svg").getroot().itertext())


def test_the_saved_measurements_make_a_pandas_frame(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas", reason="comes with ortools")
    measured_results().save(tmp_path / "r.json")
    frame = pandas.DataFrame(json.loads((tmp_path / "r.json").read_text())["measurements"])
    assert len(frame) == 4
    assert dict(frame.groupby("backend")["seconds"].max()) == {"minisat22": 0.04, "search": 1.0}
