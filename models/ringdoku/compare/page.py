"""The report of results: a self-contained HTML page with tables, plots and puzzles, and beside it a CSV and the plots.

The page needs none of the other files. It has the tables and plots of every measure, and shows those of one.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections import Counter
from importlib.resources import files
from itertools import accumulate
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ringdoku.compare.contenders import Task
from ringdoku.compare.crosscheck import disagreements
from ringdoku.compare.plan import command_line
from ringdoku.compare.plots import MOST_LINES, Chart, draw, inline_svg, longest, save, styles
from ringdoku.compare.results import save_csv, write_whole
from ringdoku.compare.summary import (
    COUNTS,
    EFFORT,
    RANKING,
    VIRTUAL_BEST,
    Measure,
    Results,
    Summary,
    legend,
    table,
)
from ringdoku.domain.numbers import counted
from ringdoku.domain.puzzle import Puzzle
from ringdoku.drawing.views import View

PAGE, SHEET = "index.html", "results.csv"

MOST_BOUND_PLOTS = 6
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

    folder.mkdir(parents=True, exist_ok=True)
    parts = files("ringdoku.compare") / "page_files"
    style, script, page = ((parts / f"page.{kind}").read_text(encoding="utf-8") for kind in ("css", "js", "html"))
    template = Environment(autoescape=True, trim_blocks=True, keep_trailing_newline=True).from_string(page)
    facts = _facts(results, folder)
    write_whole(folder / PAGE, template.render(facts, measure=measure, style=style, script=script).lstrip())
    save_csv(results, folder / SHEET)
    return folder / PAGE


def _facts(results: Results, folder: Path) -> dict[str, Any]:
    """All that the page shows; each plot is written to the folder."""
    plan, looks = results.plan, styles(results)
    summaries = {measure: Summary(results, measure) for measure in Measure}
    summary = summaries[Measure.TOTAL]
    shown = _hardest(summary)

    def plot(name: str, *how: Any) -> dict[str, str]:
        figure = draw(results, *how)
        save(figure, folder / f"{name}.png")
        return {"name": name, "svg": inline_svg(figure, name)}

    def view(measure: Measure) -> dict[str, Any]:
        """What the page shows only where this measure is chosen."""
        of = summaries[measure]
        cactus = (f"cactus-{measure.value}", Chart.CACTUS, (), None, measure)
        return {
            "measure": measure,
            "about": of.about,
            "ranking": table(of, RANKING),
            "legend": legend(of),
            "cactus": plot(*cactus) if results.measurements else None,
            "left": f" Only the best {MOST_LINES} are drawn." if len(of.rows) > MOST_LINES else "",
            "instances": _instances(of, shown),
        }

    ways, puzzles = counted(len(summary.times), "way"), counted(len(plan.instances), "puzzle")
    recorded = longest(results)[:MOST_BOUND_PLOTS] if plan.task is Task.MAXIMISE else []
    return {
        "title": f"{ways} to {plan.task.value} on {puzzles}",
        "plan": plan,
        "problems": disagreements(results),
        "looks": looks,
        "virtual_best": VIRTUAL_BEST,
        "views": list(map(view, Measure)),
        "effort": table(summary, EFFORT, best=False),
        "phases": plot("phases", Chart.PHASES) if any(row["count"] for row in summary.rows) else None,
        "counts": [plot(count, Chart(count)) for count in COUNTS if summary.counts(count)],
        "bounds": [(name, plot(f"bound-{place}", Chart.BOUND, (), name)) for place, name in enumerate(recorded, 1)],
        "drawings": [_drawing(name, puzzle) for name, puzzle in shown.items()],
        "more": len(summary.hardest) - len(shown),
        "failures": _failures(results),
        "environment": _environment(results),
        "again": command_line(plan),
        "sheet": SHEET,
        # a name in the data must not end the script element
        "data": json.dumps(_data(summaries, looks)).replace("<", "\\u003c"),
    }


def _data(summaries: dict[Measure, Summary], looks: Any) -> dict[str, Any]:
    """For the plot of two contenders: what can be compared, and the colours."""
    quantities: list[dict[str, Any]] = [
        {"key": measure.value, "label": of.about.label, "limit": of.limit, "values": of.times}
        for measure, of in summaries.items()
    ]
    counts = {name: summaries[Measure.TOTAL].counts(name) for name in COUNTS}
    quantities += [{"key": name, "label": name, "values": values} for name, values in counts.items() if values]
    return {"colours": {name: look["color"] for name, look in looks.items()}, "quantities": quantities}


def _hardest(summary: Summary) -> dict[str, Puzzle]:
    """The puzzles that the page shows, by name: the hardest ones."""
    puzzles = {one.name: one.puzzle for one in summary.plan.instances}
    cells = list(accumulate(puzzles[name].board.cell_count for name in summary.hardest))
    return {name: puzzles[name] for name in summary.hardest[: bisect_right(cells, MOST_CELLS)]}


def _instances(summary: Summary, shown: dict[str, Puzzle]) -> tuple[list[str], list[list[str]]]:
    """The table by instance."""
    rows = []
    for name in (name for name in summary.hardest if name in shown):
        times = (of_instance.get(name) for of_instance in summary.times.values())
        texts = ("" if time is None else "—" if time > summary.limit else f"{time:.3g}" for time in times)
        rows.append([name, str(shown[name].clues.filled_count), *texts])
    return ["instance", "clues", *summary.times], rows


def _drawing(name: str, puzzle: Puzzle) -> dict[str, str]:
    """An image, whose ids and styles are its own."""
    svg = quote(View(puzzle).svg(), safe=" ='/:;,()<>&!?.-")
    return {"about": f"{name}: {counted(puzzle.clues.filled_count, 'clue')}", "svg": svg}


def _failures(results: Results) -> list[list[str]]:
    failures = [one for one in results.measurements if not one.outcome.is_final]
    counts = Counter((one.contender, one.outcome.value) for one in failures)
    last_lines = {(one.contender, one.outcome.value): one.stderr.strip().splitlines()[-1:] for one in failures}
    return [[*key, str(count), *(last_lines[key] or [""])] for key, count in counts.items()]


def _environment(results: Results) -> dict[str, object]:
    plan, facts = results.plan, dict(results.environment)
    facts |= {f"{name} version": found or "missing" for name, found in facts.pop("packages", {}).items()}
    facts |= {"time limit": f"{plan.time_limit:g} s", "memory limit": f"{plan.memory_limit or 'none'}"}
    return facts | {"repeats": plan.repeats, "seed": plan.seed}
