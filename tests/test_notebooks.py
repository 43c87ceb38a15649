"""Notebooks: what they show of our things, and that the one in `docs` shows what it stores."""

from __future__ import annotations

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
from ringdoku.compare import measurement, plan, results
from ringdoku.domain.showing import Shown
from ringdoku.drawing.views import View

ROOT = Path(__file__).parents[1]
TOUR = ROOT / "docs" / "tour.ipynb"
RULES, B4279 = ((ROOT / "fixtures" / f"{name}.in").read_text() for name in ("rules", "b4279"))
TEXT = "1...\n.2..\n..3.\n....\n"
NAMES = {
    **{name: getattr(constraints, name) for name in constraints.__all__},
    **vars(ringdoku),
    **vars(plan),
    **vars(measurement),
    **vars(results),
}


THINGS: dict[str, Callable[[], Any]] = {
    "puzzle": lambda: ringdoku.parse(TEXT),
    "flat boxes": lambda: ringdoku.Puzzle.blank(6, (2, 3)),
    "rules": lambda: ringdoku.parse(RULES),
    "board": lambda: ringdoku.parse("board 2x3 digits 0-2 extra a\nsum 3: a r1c1\n0.2\n..1\n"),
    "grid": lambda: ringdoku.solve(RULES).grid,
    "wrong grid": lambda: ringdoku.Grid((1, 1, 2, 2)),
    "result": lambda: ringdoku.maximise(TEXT),
    "no solution": lambda: ringdoku.solve("11..\n....\n....\n....\n"),
    "comparison": measured_results,
    "explanation": lambda: ringdoku.explain(TEXT),
    "no explanation": lambda: ringdoku.explain("12....3...4....."),
    "step": lambda: ringdoku.explain(ringdoku.parse(B4279)).steps[0],
}


@pytest.mark.parametrize("name", THINGS)
def test_a_thing_shows_itself(name: str) -> None:
    """As text, as a picture that can stand beside others, in rich, and as Python that makes it again."""
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
    assert list(thing._repr_mimebundle_(include={"text/plain"})) == ["text/plain"]
    assert list(thing._repr_mimebundle_(exclude={"text/plain"})) == ["image/svg+xml"]
    assert str(thing.__rich__())
    assert "\n" not in repr(thing)
    # a comparison has outcomes of its own
    names = NAMES if name == "comparison" else NAMES | vars(ringdoku)
    assert eval(repr(thing), names) == thing


def test_an_explanation_is_a_row_of_steps_with_pictures() -> None:
    found = ringdoku.explain(B4279)
    assert list(found) == [found[number] for number in range(len(found))]
    assert all("image/svg+xml" in step._repr_mimebundle_() for step in found)
    assert [step.truths for step in found] == [made.truths for made in found.inferences]
    assert str(found).splitlines()[-1] == f"solved; {ringdoku.rate(B4279)}"


def test_steps_evaluate_back() -> None:
    for text in (B4279, RULES):
        found = ringdoku.explain(ringdoku.parse(text), truths=2, cases=False)
        assert found.steps
        for step in (*found.steps, *found.inferences):
            assert eval(repr(step), NAMES) == step


def test_a_grid_is_not_drawn_wrong_by_rules_that_it_need_not_keep() -> None:
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


def outputs(notebook: dict[str, Any]) -> list[list[dict[str, Any]]]:
    return [cell["outputs"] for cell in notebook["cells"] if cell["cell_type"] == "code"]


def test_the_tour_shows_what_it_stores() -> None:
    stored = read(TOUR)
    for before, now in zip(outputs(stored), outputs(executed(stored)), strict=True):
        assert [_texts(one) for one in now] == [_texts(one) for one in before]
        for one, other in zip(before, now, strict=True):
            drawn = ["".join(output.get("data", {}).get("image/svg+xml", [])) for output in (one, other)]
            assert bool(drawn[0]) == bool(drawn[1])
            assert all(ElementTree.fromstring(picture) is not None for picture in drawn if picture)
    pictures = [one for cell in outputs(stored) for one in cell if "image/svg+xml" in one.get("data", {})]
    assert len(pictures) >= 5


def _texts(output: dict[str, Any]) -> str:
    return "".join(output.get("text", output.get("data", {}).get("text/plain", [])))
