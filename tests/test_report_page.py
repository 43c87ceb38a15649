"""The report page in a headless Chromium: no script fails and all is drawn, in narrow and dark windows too."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from comparing import measured_results, measurement

from ringdoku.compare.measurement import Outcome
from ringdoku.compare.page import report_files, write_report
from ringdoku.compare.summary import Measure

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")

QUIET = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"),
]

CATCH = """<script>
window.errors = [];
addEventListener("error", (event) => window.errors.push(String(event.message)));
</script>"""

LOOK = """<script>
addEventListener("load", () => {
  const page = document.querySelector("iframe").contentWindow, root = page.document.documentElement;
  const count = (selector) => page.document.querySelectorAll(selector).length;
  const before = count("#scatter circle");
  const select = page.document.getElementById("second");
  select.selectedIndex = 0;
  select.dispatchEvent(new page.Event("change"));
  const solve = page.document.querySelector("input[value=solve]");
  const shown = () => ["total", "solve", "cpu"].filter((name) => {
    const parts = [...page.document.querySelectorAll(`.by-${name}`)];
    return parts.length === 2 && parts.every((part) => part.getBoundingClientRect().height > 0);
  });
  const measures = [shown()];
  solve.click();
  measures.push(shown());
  const labels = [...page.document.querySelectorAll("#scatter text")].map((text) => text.textContent);
  const style = page.getComputedStyle(page.document.body);
  const drawn = [...page.document.querySelectorAll("svg")].filter((svg) => svg.getBoundingClientRect().height > 100);
  const facts = {
    errors: page.errors, measures, drawings: count(".puzzles img"),
    plots: drawn.length, points: [before, count("#scatter circle")], labels,
    overflow: root.scrollWidth - root.clientWidth, ground: style.backgroundColor, ink: style.color,
    axes: page.getComputedStyle(page.document.querySelector("figure svg text")).fill,
  };
  document.getElementById("facts").textContent = JSON.stringify(facts);
});
</script>"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a report."""
    folder = tmp_path_factory.mktemp("pages") / "report"
    write_report(measured_results(), folder)
    return folder


@pytest.fixture
def page(folder: Path) -> str:
    return (folder / "index.html").read_text(encoding="utf-8")


def seen(page: str, folder: Path, width: int, *options: str) -> dict[str, Any]:
    """What the browser finds in the page in a window so wide."""
    if CHROMIUM is None:
        pytest.skip("chromium is not installed")
    # a frame can be as narrow as a telephone, a window cannot
    frame = html.escape(page.replace("<head>", f"<head>{CATCH}", 1))
    outside = folder / "outside.html"
    outside.write_text(
        f'<meta charset="utf-8"><iframe srcdoc="{frame}" style="width:{width}px;height:900px;border:0"></iframe>'
        f'<pre id="facts"></pre>{LOOK}',
        encoding="utf-8",
    )
    profile = folder / f"profile-{width}-{len(options)}"
    command = [CHROMIUM, *QUIET, *options, f"--user-data-dir={profile}", "--dump-dom", outside.as_uri()]
    dom = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=60, check=True).stdout
    found = re.search(r'<pre id="facts">(.*?)</pre>', dom, re.DOTALL)
    assert found
    facts: dict[str, Any] = json.loads(html.unescape(found[1]))
    return facts


@pytest.mark.parametrize(
    ("width", "options", "ground"),
    [
        (1000, (), "rgb(255, 255, 255)"),
        (360, ("--blink-settings=preferredColorScheme=0",), "rgb(20, 23, 26)"),
    ],
    ids=["wide and light", "narrow and dark"],
)
def test_a_browser_shows_it(page: str, tmp_path: Path, width: int, options: tuple[str, ...], ground: str) -> None:
    facts = seen(page, tmp_path, width, *options)
    assert facts["errors"] == []
    # cactus, phases, three counts, two contenders, and a bound
    assert facts["plots"] == 7
    assert facts["points"] == [2, 2]
    assert facts["measures"] == [["total"], ["solve"]]
    assert facts["labels"].count("search, seconds of solving") == 2
    assert facts["drawings"] == 2
    assert facts["overflow"] == 0
    assert (facts["ground"], facts["axes"]) == (ground, facts["ink"])


def test_the_page_needs_nothing_else_and_says_how_to_do_it_again(page: str, folder: Path) -> None:
    assert re.findall(r"<(?:link|script[^>]* src)\b|@import", page) == []
    assert not re.search(r'src="(?!data:image/svg)', page)
    # only links lead to the files beside it
    beside = set(re.findall(r'<a href="([^"]*)"', page))
    assert set(re.findall(r'href="([^"#]*)"', page)) == beside
    assert beside | {"index.html"} == {path.name for path in folder.iterdir()}
    assert {"results.csv", "cactus-solve.png", "conflicts.png", "bound-1.png"} <= beside
    assert {folder / name for name in beside} | {folder / "index.html"} == set(report_files(folder))
    for words in (
        "ringdoku compare my.txt --task maximise --time-limit 10",
        "all answers agree",
        "open: 0 clues",
        "easy: 4 clues",
    ):
        assert words in page


def test_a_disagreement_is_the_first_thing_it_says_and_names_are_text(tmp_path: Path) -> None:
    name = "</script><script>alert(1)</script>&amp;"
    results = measured_results(name)
    lie = replace(measurement("open", "minisat22", outcome=Outcome.INFEASIBLE, grid=None), task="maximise", repeat=1)
    lie = replace(lie, instance=name)
    disagreeing = replace(results, measurements=(*results.measurements, lie))
    page = write_report(disagreeing, tmp_path, Measure.CPU).read_text(encoding="utf-8")
    assert '<body data-measure="cpu">' in page
    assert f"{html.escape(name)}: minisat22 says that there is no solution" in page
    assert page.index("ANSWERS DISAGREE") < page.index("Solved instances")
    assert "all answers agree" not in page
    assert "<script>alert" not in page
