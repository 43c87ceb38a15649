"""The report of results: a self-contained HTML page with tables, plots and puzzles, and beside it a CSV and the plots.

The page needs none of the other files. It has the tables and plots of every measure, and shows those of one.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping
from importlib.resources import files
from itertools import accumulate
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ringdoku.compare.crosscheck import disagreements
from ringdoku.compare.plan import command_line
from ringdoku.compare.plots import MOST_LINES, Chart, draw, inline_svg, longest, save, styles
from ringdoku.compare.results import save_csv, write_whole
from ringdoku.compare.summary import COUNTS, EFFORT, RANKING, VIRTUAL_BEST, Measure, Results, Summary, legend, table
from ringdoku.domain.numbers import counted
from ringdoku.domain.puzzle import Puzzle
from ringdoku.drawing.views import View

PAGE, SHEET = "index.html", "results.csv"

MOST_CELLS = 20_000
"""Of the puzzles that are listed and drawn; each cell takes a hundred bytes. The results file has the others."""


def report_files(folder: Path) -> list[Path]:
    """The files in the folder that `write_report` may replace."""
    return [folder / PAGE, folder / SHEET, *folder.glob("*.png")]


def write_report(results: Results, folder: Path, measure: Measure = Measure.TOTAL) -> Path:
    """Write the page, the measurements as CSV and the plots as PNG to `folder`, which is made; returns the page.

    The page first shows the times of `measure`. Raises `UsageError` for a file that cannot be written.
    """
    from jinja2 import Environment

    def plot(name: str, *how: Any) -> dict[str, str]:
        figure = draw(results, *how)
        save(figure, folder / f"{name}.png")
        return {"name": name, "svg": inline_svg(figure, name)}

    folder.mkdir(parents=True, exist_ok=True)
    parts = files("ringdoku.compare") / "page_files"
    style, script, page = ((parts / f"page.{kind}").read_text(encoding="utf-8") for kind in ("css", "js", "html"))
    environment = Environment(autoescape=True, trim_blocks=True, keep_trailing_newline=True)
    environment.globals |= {"counted": counted, "legend": legend, "plot": plot, "table": table}
    environment.globals |= {"Chart": Chart, "COUNTS": COUNTS, "EFFORT": EFFORT, "RANKING": RANKING}
    summaries = [Summary(results, each) for each in Measure]
    facts = {
        "plan": results.plan,
        "problems": disagreements(results),
        "summaries": summaries,
        "measure": measure,
        "looks": styles(results),
        "virtual_best": VIRTUAL_BEST,
        "most_lines": MOST_LINES,
        "longest": longest(results)[:6],
        "puzzles": _puzzles(summaries[0]),
        "failures": _failures(results),
        "environment": results.environment,
        "again": command_line(results.plan),
        "sheet": SHEET,
        # a name in the data must not end the script element
        "data": json.dumps(_data(summaries, styles(results))).replace("<", "\\u003c"),
    }
    text = environment.from_string(page).render(facts, style=style, script=script).lstrip()
    write_whole(folder / PAGE, text)
    save_csv(results, folder / SHEET)
    return folder / PAGE


def _puzzles(summary: Summary) -> Mapping[str, tuple[Puzzle, str]]:
    """The hardest puzzles and their pictures, by name: images, whose ids and styles are their own."""
    puzzles = {one.name: one.puzzle for one in summary.plan.instances}
    cells = list(accumulate(puzzles[name].board.cell_count for name in summary.hardest))
    shown = {name: puzzles[name] for name in summary.hardest[: bisect_right(cells, MOST_CELLS)]}
    return {name: (puzzle, quote(View(puzzle).svg(), safe=" ='/:;,()<>&!?.-")) for name, puzzle in shown.items()}


def _failures(results: Results) -> list[list[str]]:
    failures = [one for one in results.measurements if not one.outcome.is_final]
    counts = Counter((one.contender, one.outcome.value) for one in failures)
    last_lines = {(one.contender, one.outcome.value): one.stderr.strip().splitlines()[-1:] for one in failures}
    return [[*key, str(count), *(last_lines[key] or [""])] for key, count in counts.items()]


def _data(summaries: list[Summary], looks: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """For the plot of two contenders: what can be compared, and the colours."""
    quantities: list[dict[str, Any]] = [
        {"key": of.measure.value, "label": of.label, "limit": of.limit, "values": of.times} for of in summaries
    ]
    counts = {name: summaries[0].counts(name) for name in COUNTS}
    quantities += [{"key": name, "label": name, "values": values} for name, values in counts.items() if values]
    return {"colours": {name: look["color"] for name, look in looks.items()}, "quantities": quantities}
