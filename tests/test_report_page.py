"""The report page in a headless Chromium: no script fails and all is drawn, in narrow and dark windows too."""

from __future__ import annotations

import html
import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pytest
from comparing import measured_results, measurement

from ringdoku.compare.measurement import Outcome
from ringdoku.compare.page import report_files, write_report
from ringdoku.compare.summary import Measure

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a report."""
    folder = tmp_path_factory.mktemp("pages") / "report"
    write_report(measured_results(), folder)
    return folder


@pytest.mark.skipif(CHROMIUM is None, reason="no browser: install chromium")
@pytest.mark.parametrize(
    ("width", "scheme", "ground"), [(1000, "light", "rgb(255, 255, 255)"), (360, "dark", "rgb(20, 23, 26)")]
)
def test_a_browser_shows_it(folder: Path, width: int, scheme: Literal["light", "dark"], ground: str) -> None:
    api = pytest.importorskip("playwright.sync_api", reason="needs the extra: pip install 'ringdoku[test]'")
    errors: list[str] = []
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
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
        assert of("html", "root => root.scrollWidth - root.clientWidth") == 0
        assert of("body", "body => getComputedStyle(body).backgroundColor") == ground
        ink = of("body", "body => getComputedStyle(body).color")
        assert of("figure svg text", "text => getComputedStyle(text).fill") == ink
        browser.close()
    assert errors == []


def test_the_page_needs_nothing_else_and_says_how_to_do_it_again(folder: Path) -> None:
    page = (folder / "index.html").read_text(encoding="utf-8")
    assert re.findall(r"<(?:link|script[^>]* src)\b|@import", page) == []
    assert not re.search(r'src="(?!data:image/svg)', page)
    # only links lead to the files beside it
    beside = set(re.findall(r'<a href="([^"]*)"', page))
    assert set(re.findall(r'href="([^"#]*)"', page)) == beside
    assert beside | {"index.html"} == {path.name for path in folder.iterdir()}
    assert {"results.csv", "cactus-solve.png", "conflicts.png", "bound-1.png"} <= beside
    assert {folder / name for name in beside} | {folder / "index.html"} == set(report_files(folder))
    command = "ringdoku compare my.txt --task maximise --time-limit 10"
    assert all(words in page for words in (command, "all answers agree", "open: 0 clues", "easy: 4 clues"))


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
