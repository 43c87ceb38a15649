"""Plots of results, and the report page in a headless Chromium, in narrow and dark windows too."""

import html
import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from comparing import measured_results, measurement
from conftest import Run

from ringdoku import UsageError
from ringdoku.compare.page import report_files, write_report
from ringdoku.compare.plan import Contender, Outcome
from ringdoku.compare.plots import Chart, draw, styles
from ringdoku.compare.plots import save as save_picture
from ringdoku.compare.results import combine, load, save
from ringdoku.compare.summary import COUNTS, Measure


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a report."""
    folder = tmp_path_factory.mktemp("pages") / "report"
    write_report(measured_results(), folder)
    return folder


@pytest.mark.parametrize(
    ("width", "scheme", "ground"),
    [(1920, "light", "rgb(255, 255, 255)"), (740, "light", "rgb(255, 255, 255)"), (360, "dark", "rgb(20, 23, 26)")],
)
def test_a_browser_shows_it(browser: Any, folder: Path, width: int, scheme: str, ground: str) -> None:
    errors: list[str] = []
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto((folder / "index.html").as_uri())

    def of(selector: str, what: str) -> Any:
        return page.locator(selector).first.evaluate(what)

    def shown() -> list[str]:
        return [name for name in ("total", "solve", "cpu") if page.locator(f".by-{name}:visible").count() == 2]

    # cactus, phases, three counts, two contenders, and a bound
    assert page.locator("svg:visible").count() == 7
    assert (page.locator(".puzzles img").count(), page.locator("#scatter circle").count()) == (2, 2)
    assert shown() == ["total"]
    page.locator("input[value=solve]").click()
    assert shown() == ["solve"]
    page.locator("#second").select_option(index=0)
    labels = page.locator("#scatter text").all_text_contents()
    assert labels.count("search, seconds of solving") == 2
    assert page.locator("#scatter .limit").count() == 0
    wide = page.locator(".wide").evaluate_all("all => all.map(each => each.scrollWidth - each.clientWidth)")
    assert width == 360 or set(wide) == {0}
    # plots stand side by side where there is room
    places = page.locator("figure.plot:visible").evaluate_all("all => all.map(each => each.offsetLeft)")
    assert len(set(places)) == (4 if width == 1920 else 1)
    assert of("html", "root => root.scrollWidth - root.clientWidth") == 0
    assert of("body", "body => getComputedStyle(body).backgroundColor") == ground
    ink = of("body", "body => getComputedStyle(body).color")
    assert of("figure svg text", "text => getComputedStyle(text).fill") == ink
    assert errors == []


def test_the_page_needs_nothing_else_and_says_how_to_do_it_again(folder: Path) -> None:
    page = re.sub("</?span>", "", (folder / "index.html").read_text(encoding="utf-8"))
    assert re.findall(r"<(?:link|script[^>]* src)\b|@import", page) == []
    assert not re.search(r'src="(?!data:image/svg)', page)
    # only links lead to the files beside it
    beside = set(re.findall(r'<a href="([^"]*)"', page))
    assert set(re.findall(r'href="([^"#]*)"', page)) == beside
    assert beside | {"index.html"} == {path.name for path in folder.iterdir()}
    assert {"results.csv", "cactus-solve.png", "conflicts.png", "bound-1.png"} <= beside
    assert {folder / name for name in beside} | {folder / "index.html"} == set(report_files(folder))
    command = "ringdoku compare my.txt --task maximise"
    assert all(words in page for words in (command, "all answers agree", "open: 0 clues", "easy: 4 clues"))


def test_a_disagreement_is_the_first_thing_it_says_and_names_are_text(tmp_path: Path) -> None:
    name = "</script><script>alert(1)</script>&amp;"
    results = measured_results(name)
    lie = replace(measurement("open", "minisat22", outcome=Outcome.INFEASIBLE, grid=None), task="maximise", repeat=1)
    lie = replace(lie, instance=name)
    disagreeing = replace(results, measurements=(*results.measurements, lie))
    page = write_report(disagreeing, tmp_path, Measure.CPU).read_text(encoding="utf-8")
    assert '<body data-measure="cpu">' in page
    assert f"{html.escape(name)}: minisat22: it says that there is no solution" in page
    assert page.index("Wrong answers: 1") < page.index("Solved instances")
    assert "all answers agree" not in page
    assert "<script>alert" not in page


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


@pytest.mark.parametrize(
    ("chart", "names", "instance", "message"),
    [
        (Chart.SCATTER, ["nobody"], "", "no contender is called 'nobody'"),
        (Chart.BOUND, [], "nowhere", "nothing was recorded over time on 'nowhere'"),
        (Chart.CONFLICTS, [], "", "no backend of these results reports its conflicts"),
    ],
)
def test_what_is_not_there_is_not_drawn(chart: Chart, names: list[str], instance: str, message: str) -> None:
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


def test_a_scatter_plot_has_the_scale_of_its_times_and_phases_have_a_legend() -> None:
    results = measured_results()
    late = replace(results.measurements[0], seconds=None, outcome=Outcome.TIMEOUT)
    for runs, lines, end in ((results.measurements, 1, 1.5), ((late, *results.measurements[1:]), 3, 30)):
        (axes,) = draw(replace(results, measurements=runs), Chart.SCATTER).axes
        assert (len(axes.lines), axes.get_xlim()[1]) == (lines, end)
    (axes,) = draw(results, Chart.PHASES).axes
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["build", "load", "solve"]


def test_folders_of_results_are_drawn_together(ringdoku_here: Run, tmp_path: Path) -> None:
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
    assert (drawn.returncode, drawn.stderr) == (0, table.stderr)
    refused = ringdoku_here("compare", tmp_path / "0", "--plot", tmp_path / "p.svg")
    assert (refused.returncode, "--force" in refused.stderr) == (2, True)
    words = (tmp_path / "p.svg").read_text()
    assert f"{program}, seconds of the processor" in words
    assert "minisat22, seconds" in words
    once = load(tmp_path / "0" / "results.json")
    thrice = combine([once, once, once])
    assert (len(thrice.measurements), thrice.plan.repeats) == (3 * len(once.measurements), 3)
    assert thrice.plan.instances == once.plan.instances
    (tmp_path / "puzzle").write_text("1...............\n")
    mixed = ringdoku_here("compare", tmp_path / "0", tmp_path / "puzzle")
    assert (mixed.returncode, "there are no results in" in mixed.stderr) == (2, True)
