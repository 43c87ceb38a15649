"""Notebooks: what they show of our things, and that the one in `docs` shows what it stores."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from comparing import measured_results
from notebooks import executed, read

import ringdoku
from ringdoku import UsageError, constraints
from ringdoku.compare import plan, results
from ringdoku.domain.showing import Shown
from ringdoku.drawing.views import View

ROOT = Path(__file__).parents[1]
RULES, B4279 = ((ROOT / "fixtures" / f"{name}.in").read_text() for name in ("rules", "b4279"))
TEXT = "1...\n.2..\n..3.\n....\n"
NAMES = {name: getattr(door, name) for door in (constraints, ringdoku) for name in dir(door)}

THINGS: dict[str, Callable[[], Any]] = {
    "puzzle": lambda: ringdoku.parse(TEXT),
    "flat boxes": lambda: ringdoku.Puzzle.blank(6, (2, 3)),
    "rules": lambda: ringdoku.parse(RULES),
    "board": lambda: ringdoku.parse("board 2x3 digits 0-2 extra a\nsum 3: a r1c1\n0.2\n..1\n"),
    "grid": lambda: ringdoku.solve(RULES).grid,
    "wrong grid": lambda: ringdoku.Grid((1, 1, 2, 2)),
    "result": lambda: ringdoku.maximise(TEXT),
    "no solution": lambda: ringdoku.solve("11..\n....\n....\n....\n"),
    "explanation": lambda: ringdoku.explain(TEXT),
    "no explanation": lambda: ringdoku.explain("12....3...4....."),
    "step": lambda: ringdoku.explain(ringdoku.parse(B4279)).steps[0],
}


@pytest.mark.parametrize("name", THINGS)
def test_a_thing_shows_itself(name: str) -> None:
    """As text, as a picture that can stand beside others, and as Python that makes it again."""
    thing: Shown = THINGS[name]()
    bundle = thing._repr_mimebundle_()
    assert bundle["text/plain"] == str(thing)
    picture = bundle["image/svg+xml"]
    root = ElementTree.fromstring(picture)
    assert root[0].tag.endswith("title")
    assert root[0].text
    assert root.get("viewBox")
    # colours are its own, and nothing in it has an id or comes from elsewhere
    assert not re.search(r"currentColor| id=|href|<style|<script", picture)
    assert "\n" not in repr(thing)
    assert eval(repr(thing), NAMES) == thing


def test_a_comparison_is_a_table() -> None:
    found = measured_results()
    assert "<th>PAR-2 s</th>" in found._repr_html_()
    # it has outcomes of its own
    assert eval(repr(found), NAMES | vars(plan) | vars(results)) == found


def test_an_explanation_is_a_row_of_pictures_and_a_grid_of_other_rules_is_not_drawn_wrong() -> None:
    found = ringdoku.explain(B4279)
    assert list(found) == [found[number] for number in range(len(found))]
    assert [step.truths for step in found] == [made.truths for made in found.inferences]
    assert str(found).splitlines()[-1] == f"solved; {found.rating}"
    for step in (*found, *ringdoku.explain(ringdoku.parse(RULES), truths=2, cases=False)):
        assert "image/svg+xml" in step._repr_mimebundle_()
        assert eval(repr(step), NAMES) == step
    latin = ringdoku.Grid.of_rows([[1, 2, 3, 4], [2, 3, 4, 1], [3, 4, 1, 2], [4, 1, 2, 3]])
    assert "#b3261e" not in latin._repr_mimebundle_()["image/svg+xml"]


def test_a_view_is_saved_by_its_ending(tmp_path: Path) -> None:
    puzzle = ringdoku.parse(TEXT)
    view = View(puzzle, objective=ringdoku.ring_weights(puzzle.board))
    for ending, start in (("svg", b"<svg"), ("PNG", b"\x89PNG"), ("pdf", b"%PDF")):
        view.save(tmp_path / f"a.{ending}")
        assert (tmp_path / f"a.{ending}").read_bytes().startswith(start)
    # equal pictures are equal files
    view.save(tmp_path / "b.pdf")
    assert (tmp_path / "a.pdf").read_bytes() == (tmp_path / "b.pdf").read_bytes()
    for wrong in ("a.gif", "missing/a.svg"):
        with pytest.raises(UsageError):
            view.save(tmp_path / wrong)


@pytest.mark.parametrize(("name", "least"), [("tour", 5), ("lecture", 4)])
def test_a_notebook_shows_what_it_stores(name: str, least: int) -> None:
    stored = read(ROOT / "docs" / f"{name}.ipynb")
    pictures = 0
    for before, now in zip(stored["cells"], executed(stored)["cells"], strict=True):
        shown = [[_shown(output) for output in cell.get("outputs", [])] for cell in (before, now)]
        assert shown[0] == shown[1]
        pictures += sum(has_picture for _, has_picture in shown[0])
    assert pictures >= least


def _shown(output: dict[str, Any]) -> tuple[str, bool]:
    """The text of an output, and whether there is a picture beside it, which is not compared."""
    data = output.get("data", {})
    if picture := "".join(data.get("image/svg+xml", [])):
        ElementTree.fromstring(picture)
    return "".join(output.get("text", data.get("text/plain", []))), bool(picture)
