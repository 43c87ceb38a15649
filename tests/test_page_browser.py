"""`ringdoku page` in a real browser: keys, pointer, events, errors, access, and one page in a file."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import FIXTURES
from links import fpuzzles, fpuzzles_link
from pages import LONG, Page

from ringdoku.links import read_link

pytest.importorskip("starlette", reason="needs the extra: pip install 'ringdoku[page]'")
sync_api = pytest.importorskip("playwright.sync_api", reason="needs the extra: pip install 'ringdoku[test]'")

PASTE = """text => {
  const radio = document.querySelector("[type=radio]"), clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  radio.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
}"""


@pytest.fixture(scope="module")
def served() -> Iterator[Page]:
    with Page(FIXTURES / "p1074-1.in") as page:
        yield page


Open = Callable[..., Any]


@pytest.fixture
def tab(browser: Any, served: Page) -> Iterator[Open]:
    """Opens a tab, with any settings; at the end no script of it may have failed."""
    contexts, errors = [], []

    def opened(address: str = "", **settings: Any) -> Any:
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}} | settings)
        context.set_default_timeout(15_000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        page.goto(address or served.address)
        page.locator("[data-cell='0']").wait_for()
        return page

    yield opened
    for context in contexts:
        context.close()
    # a question that is refused is an error of the console too
    assert [error for error in errors if "429" not in error] == []


def cell(page: Any, place: str) -> Any:
    row, column = map(int, re.findall("[0-9]+", place))
    return page.get_by_role("gridcell", name=re.compile(f"^row {row} column {column},"))


def label(page: Any, place: str) -> str:
    text: str = cell(page, place).get_attribute("aria-label")
    return text.partition(", ")[2]


def status(page: Any, text: str) -> None:
    sync_api.expect(page.get_by_role("status")).to_contain_text(text, timeout=30_000)


def press(page: Any, keys: str) -> None:
    for key in keys.split():
        page.keyboard.press(key)


def click(page: Any, button: str, *told: str) -> None:
    """Presses a button once for each status that then comes, or once."""
    for text in told or ("",):
        page.get_by_role("button", name=button, exact=True).click()
        status(page, text)


def selected(page: Any) -> int:
    found: int = page.locator("[aria-selected=true]").count()
    return found


def test_typing_marks_and_undoing(tab: Open) -> None:
    page = tab()
    marks = "empty, corner marks 4 6, centre marks 2 8"
    for keys, place, shown in (
        ("", "r1c1", "7, clue"),
        ("ArrowRight 5", "r1c2", "5"),
        ("d 2 Shift+Digit4 s", "r1c3", "2"),
        ("Shift+Digit6 Shift+Digit4 Control+Digit8 Control+Digit2", "r2c3", marks),
        ("Backspace", "r2c3", "empty"),
        ("Control+z", "r2c3", marks),
        ("Control+y [ ]", "r2c3", "empty"),
        ("x 7 c 9 v 3 Space 4", "r2c3", "4, orange"),
    ):
        press(page, keys)
        assert label(page, place) == shown
    for keys, count in (("Home Shift+End", 2), ("Control+Home Shift+ArrowDown Shift+ArrowRight", 3), ("Escape", 1)):
        press(page, keys)
        assert selected(page) == count
    assert page.locator("#grid [tabindex='0']").count() == 1
    press(page, "Control+Home 1")
    status(page, "That is a clue")
    press(page, "ArrowRight 7")
    assert [label(page, place) for place in ("r1c2", "r1c1")] == ["7, repeated", "7, clue, repeated"]
    cell(page, "r1c1").dblclick()
    assert selected(page) == page.locator("[aria-label*=', 7']").count() > 2
    page.get_by_role("radio", name="Clues").check()
    cell(page, "r9c1").click()
    for button, shown in (("digit 6", "6, clue"), ("Erase", "empty")):
        page.get_by_role("button", name=button).click()
        assert label(page, "r9c1") == shown


def test_the_best_score_with_its_events_arriving(tab: Open) -> None:
    page = tab()
    click(page, "Best score", "Best score 2829, proved")
    assert page.locator("#figures dd").all_text_contents()[:3] == ["2829", "2829", "0"]
    rows = page.locator("#table tr")
    assert rows.count() >= 2
    assert rows.first.locator("td").all_text_contents()[1:] == ["2829", "2829", "0"]
    chart = page.locator("#chart svg")
    assert chart.get_attribute("aria-label") == "Score 2829, bound 2829; the table has the steps"
    assert chart.locator("path.score, path.bound").count() == 2
    assert label(page, "r1c2").endswith(", answer")
    press(page, "Escape")
    assert label(page, "r1c2") == "empty"
    click(page, "Why best?")
    page.get_by_text("no score is above").first.wait_for()
    assert page.locator("#legend").is_visible()
    assert re.fullmatch("7, clue, costs [1-9][0-9]*", label(page, "r1c1"))
    assert label(page, "r1c2").endswith(", answer")
    page.get_by_role("radio", name="Weights").check()
    assert (page.locator("#legend").is_visible(), page.locator("#board.priced").count()) == (False, 0)


def test_weights_are_painted_and_the_best_grid_follows(tab: Open) -> None:
    page = tab()
    page.get_by_role("radio", name="Weights").check()
    click(page, "Chess board", "Best score 626, proved")
    assert label(page, "r1c2").endswith(", answer, weight 1")
    page.get_by_label("Brush").fill("9")
    first, last = (cell(page, place).bounding_box() for place in ("r9c5", "r9c7"))
    page.mouse.move(first["x"] + 9, first["y"] + 9)
    page.mouse.down()
    page.mouse.move(last["x"] + 9, last["y"] + 9, steps=8)
    page.mouse.up()
    assert [label(page, f"r9c{column}").rpartition(" ")[2] for column in (4, 5, 6, 7)] == ["1", "9", "9", "9"]
    sync_api.expect(page.get_by_role("status")).not_to_contain_text("626")
    status(page, "proved")
    cell(page, "r9c7").press("+")
    assert label(page, "r9c7").endswith("weight 10")
    cell(page, "r9c1").press("7")
    page.reload()
    page.get_by_role("radio", name="Weights").check()
    assert [label(page, f"r9c{column}").rpartition(" ")[2] for column in (1, 2, 7)] == ["7", "1", "10"]


def test_a_long_run_is_cancelled_in_one_tab_and_another_goes_on(tab: Open) -> None:
    one, other = tab(), tab()
    one.evaluate(PASTE, f"thermometer: r1c1-r1c9\nthermometer: r2c1-r9c1\n{LONG['puzzle']}")
    one.locator("[data-cell='624']").wait_for()
    one.get_by_role("button", name="Best score").click()
    one.locator("#figures").get_by_text("searching").wait_for()
    # the best grid so far
    one.locator("[data-cell='624'][aria-label$=', answer']").wait_for()
    click(other, "Solve", "Solved")
    click(one, "Cancel", "Cancelled.")
    assert one.locator("[aria-label$=', answer']").count() == 625
    one.get_by_role("radio", name="Clues").check()
    one.get_by_role("button", name="Best score").click()
    one.locator("#figures").get_by_text("searching").wait_for()
    cell(one, "r1c1").press("p")
    assert label(one, "r1c1") == "P, clue"
    status(one, "Cancelled.")
    assert one.locator("[aria-label$=', answer']").count() == 0


def test_hints_candidates_steps_and_uniqueness(tab: Open) -> None:
    page = tab()
    cell(page, "r1c1").press("?")
    status(page, "Look at box 4.")
    for text in ("Technique: hidden single in a box", "Box 4 has a place for 8.", "r4c1 is 8"):
        press(page, "?")
        status(page, text)
    assert label(page, "r4c1") == "8, answer, in the step"
    click(page, "Do it")
    assert label(page, "r4c1") == "8"
    cell(page, "r4c2").press("8")
    click(page, "Hint", "r4c2 is wrong: look at it again.")
    click(page, "All candidates", "Each digit shown is in some solution")
    assert [label(page, place) for place in ("r1c3", "r4c2")] == ["empty, candidates 4 8", "6, answer"]
    click(page, "Unique?", "There is more than one solution.")
    click(page, "Show the other one")
    click(page, "Steps")
    page.get_by_role("heading", name="Step 1 of").wait_for()
    page.get_by_role("button", name="Next").press("Enter")
    page.get_by_role("heading", name="Step 2 of").wait_for()
    sync_api.expect(page.get_by_role("button", name="Next")).to_be_focused()


def test_a_puzzle_is_played_to_its_end_and_kept(tab: Open) -> None:
    clues, page = "1.....3..2.....4", tab()
    page.evaluate(PASTE, clues)
    status(page, "Opened.")
    assert page.get_by_role("radio", name="Play").is_checked()
    for place, digit in enumerate("1342243142133114"):
        if clues[place] == ".":
            page.locator(f"[data-cell='{place}']").press(digit)
    status(page, "something is wrong")
    click(page, "Check", "1 cell is wrong.")
    assert label(page, "r4c3") == "1, repeated"
    cell(page, "r4c3").press("2")
    status(page, "Solved in 0:")
    status(page, "with 1 check.")
    page.reload()
    sync_api.expect(cell(page, "r4c3")).to_have_attribute("aria-label", re.compile("column 3, 2"))
    click(page, "Restart", "Undo brings it back")
    assert label(page, "r4c3") == "empty"
    click(page, "Undo")
    assert label(page, "r4c3") == "2"
    page.get_by_role("button", name="Light or dark").click()
    assert page.evaluate("document.documentElement.className") == "dark"
    page.emulate_media(media="print")
    assert [page.locator(each).is_visible() for each in ("#board", "header", "#right")] == [True, False, False]


def test_a_new_puzzle_and_a_blank_one(tab: Open) -> None:
    page = tab()
    click(page, "New…")
    page.get_by_label("Kind").select_option("6×6")
    page.get_by_label("Level").select_option("easy")
    click(page, "Make it", "Opened.")
    assert page.locator("#title").inner_text() == "6×6, easy"
    assert page.locator("[data-cell]").count() == 36
    click(page, "New…")
    page.get_by_label("Size").select_option("4×4")
    click(page, "Blank grid", "Opened.")
    assert page.locator("#notice").inner_text().startswith("Type the clues of a puzzle")
    assert page.get_by_role("radio", name="Clues").is_checked()


def test_links_are_pasted_and_what_is_wrong_is_said(tab: Open) -> None:
    page = tab()
    title, about = "<img src=x onerror=alert(1)><script>alert(2)</script>", "<b>Normal</b> rules"
    lines = [{"lines": [["R4C1", "R3C1", "R2C1"]]}]
    link = fpuzzles_link(fpuzzles(4, "1...", title=title, author="A & B", ruleset=about, thermometer=lines))
    page.evaluate(PASTE, link)
    status(page, "Opened.")
    assert page.locator("#title").inner_text() == f"{title} by A & B"
    assert page.locator("#about li").all_text_contents() == ["Thermometer: the digits rise from the first cell on."]
    assert page.locator("#words").inner_text() == about
    assert page.locator("#title *, #words *, main img:not(#backdrop, #night)").count() == 0
    assert page.evaluate("[...document.images].every((image) => image.complete && image.naturalWidth > 100)")
    page.evaluate(PASTE, "12x4\n3...\n")
    page.get_by_role("alert").get_by_text("text:1:3: found").wait_for()
    assert label(page, "r1c1") == "1, clue"
    page.evaluate(PASTE, fpuzzles_link(fpuzzles(4, "2...", customrule=[{"cells": ["R1C1"]}])))
    click(page, "Open it without those rules", "Opened.")
    assert label(page, "r1c1") == "2, clue"
    click(page, "Open…")
    opening = page.get_by_role("dialog").get_by_role("button", name="Open", exact=True)
    text = page.get_by_label("A puzzle, a link")
    text.fill("board 4x4 digits 0-3\n0123\n..x.\n....\n....\n")
    opening.click()
    page.get_by_role("dialog").get_by_text("text:3:3: found 'x'").wait_for()
    assert text.evaluate("one => one.value.slice(one.selectionStart, one.selectionEnd)") == "..x."
    text.fill("board 4x4 digits 0-3\n0123\n....\n....\n....\n")
    opening.click()
    status(page, "Opened.")
    assert label(page, "r1c4") == "3, clue"
    page.get_by_text("Share, save, settings").click()
    page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    click(page, "Copy link")
    page.get_by_text("SudokuPad has boards of 4x4 to 16x16 with digits from 1").first.wait_for()
    page.evaluate(PASTE, "Title: Two\nthermometer: r1c1-r1c3\n12..\n....\n....\n....\n")
    status(page, "Opened.")
    page.get_by_label("Program of the link").select_option("penpa")
    click(page, "Copy link")
    status(page, "The puzzle is copied as a link to Penpa+")
    assert page.evaluate("window.copied").startswith("https://swaroopg92.github.io/penpa-edit/")
    copied = read_link(page.evaluate("window.copied"))
    assert (copied.title, str(copied.puzzle).splitlines()[0]) == ("Two", "thermometer: r1c1 r1c2 r1c3")
    page.get_by_label("Format of the model").select_option("opb")
    for button, name, start in (("Download SVG", "sudoku.svg", "<svg"), ("Export model", "sudoku.opb", "* #variable=")):
        with page.expect_download() as saved:
            click(page, button)
        assert saved.value.suggested_filename == name
        assert Path(saved.value.path()).read_text().startswith(start)


def test_white_and_black_dots_mean_the_same_by_day_and_by_night(tab: Open) -> None:
    page = tab(color_scheme="dark")
    page.evaluate(PASTE, "difference 1: r1c1 r1c2\nratio 2: r2c1 r2c2\n" + "....\n" * 4)
    status(page, "Opened.")
    seen = page.evaluate(
        """() => Promise.all(["backdrop", "night"].map(async (id) => {
          const image = document.getElementById(id);
          await image.decode();
          const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight).getContext("2d");
          canvas.drawImage(image, 0, 0);
          return [image.checkVisibility(), ...[24, 64].map((y) => canvas.getImageData(44, y, 1, 1).data[0])];
        }))"""
    )
    assert seen == [[False, 255, 0], [True, 0, 255]]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_and_a_telephone_is_wide_enough(tab: Open, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="pip install 'ringdoku[test]'").Axe()
    # axe is a script from elsewhere
    narrow = {"width": 360, "height": 740}
    page = tab(color_scheme=scheme, viewport=narrow, bypass_csp=True, reduced_motion="reduce")

    def look() -> None:
        found = axe.run(page).response
        assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found["violations"]] == []
        assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0

    page.locator("#saving summary").click()
    click(page, "Best score", "proved")
    look()
    click(page, "Why best?", "The best score is")
    look()
    if scheme == "dark":
        return
    page.get_by_role("radio", name="Weights").check()
    look()
    page.get_by_role("radio", name="Play").check()
    cell(page, "r1c2").press("7")
    click(page, "Open…")
    look()
    small = page.evaluate(
        """() => [...document.querySelectorAll("button, select, summary, .button, .segments label")]
        .filter((one) => one.offsetParent && !one.closest("#saving summary"))
        .map((one) => [one.textContent, one.getBoundingClientRect()])
        .filter(([_, box]) => box.width < 44 || box.height < 40).map(([text]) => text)"""
    )
    assert small == []
    assert page.evaluate("getComputedStyle(document.querySelector('button')).transitionDuration") in ("0s", "")


def test_the_grid_reads_as_rows_of_labelled_cells(tab: Open) -> None:
    page = tab()
    page.evaluate(PASTE, "1.......3..2....")
    status(page, "Opened.")
    first, *others = (line.strip() for line in page.get_by_role("grid").aria_snapshot().splitlines())
    cells = [line for line in others if line.startswith("- gridcell")]
    assert (first, len(others) - len(cells), len(cells)) == ('- grid "Sudoku, 4 by 4":', 4, 16)
    assert cells[0].startswith('- gridcell "row 1 column 1, 1, clue" [selected]')
    assert cells[8].startswith('- gridcell "row 3 column 1, 3, clue"')


def test_the_page_in_a_file_needs_no_server(tab: Open, ringdoku_here: Any, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    assert ringdoku_here("page", FIXTURES / "b4279.in", "--static", file).returncode == 0
    page = tab(file.as_uri())
    assert page.locator("#figures dd").all_text_contents()[:3] == ["2848", "2848", "0"]
    assert page.get_by_role("button", name="Solve").count() == 0
    assert label(page, "r1c3").endswith(", answer")
    click(page, "Steps")
    click(page, "Last")
    page.get_by_role("heading", name="Step").wait_for()
    click(page, "Hide")
    cell(page, "r1c3").press("9")
    assert label(page, "r1c3").startswith("9")
