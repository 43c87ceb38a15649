"""The report of results: a self-contained HTML page with tables, plots and puzzles, and beside it a CSV and the plots.

The page needs none of the other files. It has the tables and plots of every measure, and shows those of one.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ringdoku.compare import plots
from ringdoku.compare.crosscheck import disagreements
from ringdoku.compare.plan import Instance, Task, command_line
from ringdoku.compare.results import Results, write_whole
from ringdoku.compare.summary import (
    COUNTS,
    EFFORT,
    RANKING,
    VIRTUAL_BEST,
    Measure,
    Summary,
    legend,
    legend_of_kinds,
    table,
)
from ringdoku.domain.numbers import counted
from ringdoku.drawing.views import View

PAGE, SHEET = "index.html", "results.csv"

MOST_BOUND_PLOTS = 6
MOST_INSTANCE_ROWS = 200
"""Rows of the table by instance; the results file has the others."""
MOST_DRAWN_CELLS = 20_000
"""Cells of all drawings, each of which takes a hundred bytes."""

MEASURES = {Measure.TOTAL: "building, loading and solving", Measure.SOLVE: "solving", Measure.CPU: "processor"}
"""The choices at the top of the page."""


def report_files(results: Results, folder: Path) -> list[Path]:
    """What `write_report` writes for these results when they are complete, or more."""
    bounds = [f"bound-{number}" for number in range(1, MOST_BOUND_PLOTS + 1)]
    names = [*(f"cactus-{measure.value}" for measure in Measure), "phases", *COUNTS]
    names += bounds if results.plan.task is Task.MAXIMISE else []
    return [folder / PAGE, folder / SHEET, *(folder / f"{name}.png" for name in names)]


def write_report(
    results: Results, folder: Path, measure: Measure = Measure.TOTAL, lead: str = "", again: str = ""
) -> Path:
    """Write the page, the measurements as CSV and the plots as PNG to `folder`, which is made; returns the page.

    The page first shows the times of `measure`. `lead` is text for its top, and `again` the command that repeats the
    run, if not the plan's own. Raises `UsageError` for a file that cannot be written.
    """
    from jinja2 import Environment

    folder.mkdir(parents=True, exist_ok=True)
    parts = files("ringdoku.compare") / "page_files"
    style, script, page = ((parts / f"page.{kind}").read_text(encoding="utf-8") for kind in ("css", "js", "html"))
    template = Environment(autoescape=True, trim_blocks=True, keep_trailing_newline=True).from_string(page)
    facts = _facts(results, folder) | {"measure": measure, "lead": lead, "style": style, "script": script}
    facts["again"] = again or command_line(results.plan)
    write_whole(folder / PAGE, [template.render(facts).lstrip()])
    results.save_csv(folder / SHEET)
    return folder / PAGE


def _facts(results: Results, folder: Path) -> dict[str, Any]:
    """All that the page shows; each plot is written to the folder."""
    plan = results.plan
    summaries = {measure: Summary(results, measure) for measure in Measure}
    summary = summaries[Measure.TOTAL]
    is_solved = any(row.solved for row in summary.rows)
    longest = plots.longest(results)[:MOST_BOUND_PLOTS] if plan.task is Task.MAXIMISE else []
    drawings = list(_drawings(results, summary))
    looks = plots.styles(results)

    def plot(figure: object, name: str) -> dict[str, str]:
        plots.save(figure, folder / f"{name}.png")
        return {"name": name, "svg": plots.inline_svg(figure, name)}

    def view(measure: Measure) -> dict[str, Any]:
        """What the page shows only where this measure is chosen."""
        of, hardest = summaries[measure], _hardest(summaries[measure])
        left = f" Only the best {plots.MOST_LINES} are drawn." if len(of.rows) > plots.MOST_LINES else ""
        cactus = plot(plots.cactus(results, measure), f"cactus-{measure.value}") if results.measurements else None
        return {
            "measure": measure,
            "choice": MEASURES[measure],
            "ranking": table(of, RANKING),
            "legend": legend(of),
            "cactus": cactus,
            "left": left,
            "words": plots.WORDS[measure],
            "instances": _instances(results, of, hardest[:MOST_INSTANCE_ROWS]),
            "more": len(hardest) - MOST_INSTANCE_ROWS,
        }

    ways = counted(len(summary.times), "way")
    return {
        "title": f"{ways} to {plan.task.value} on {counted(len(plan.instances), 'puzzle')}",
        "plan": plan,
        "problems": disagreements(results),
        "looks": looks,
        "virtual_best": VIRTUAL_BEST,
        "views": list(map(view, Measure)),
        "effort": table(summary, EFFORT, best=False),
        "kinds": legend_of_kinds(summary),
        "phases": plot(plots.phases(results), "phases") if is_solved else None,
        "counts": [plot(plots.work(results, count), count) for count in COUNTS if summary.counts(count)],
        "bounds": [
            (name, plot(plots.bound_over_time(results, name), f"bound-{number}"))
            for number, name in enumerate(longest, 1)
        ],
        "drawings": drawings,
        "undrawn": len(_hardest(summary)) - len(drawings),
        "failures": _failures(results),
        "environment": _environment(results),
        "sheet": SHEET,
        # a name in the data must not end the script element
        "data": json.dumps(_data(summaries, looks)).replace("<", "\\u003c"),
    }


def _data(summaries: dict[Measure, Summary], looks: Any) -> dict[str, Any]:
    """For the plot of two contenders: what can be compared, and the colours."""
    summary = summaries[Measure.TOTAL]
    times = [
        {"key": measure.value, "label": plots.WORDS[measure], "limit": of.limit, "values": of.times}
        for measure, of in summaries.items()
    ]
    counts = [{"key": name, "label": name, "values": summary.counts(name)} for name in COUNTS]
    quantities = [*times, *(count for count in counts if count["values"])]
    return {"colours": {name: look["color"] for name, look in looks.items()}, "quantities": quantities}


def _instances(results: Results, summary: Summary, names: list[str]) -> tuple[list[str], list[list[str]]]:
    """The table by instance."""
    clues = {one.name: one.puzzle.clues.filled_count for one in results.plan.instances}
    rows = []
    for instance in names:
        times = (of_instance.get(instance) for of_instance in summary.times.values())
        shown = ("" if time is None else "—" if time > summary.limit else f"{time:.3g}" for time in times)
        rows.append([instance, str(clues[instance]), *shown])
    return ["instance", "clues", *summary.times], rows


def _drawings(results: Results, summary: Summary) -> Iterator[dict[str, str]]:
    """Images, whose ids and styles are their own."""
    instances: dict[str, Instance] = {one.name: one for one in results.plan.instances}
    room = MOST_DRAWN_CELLS
    for name in _hardest(summary):
        puzzle = instances[name].puzzle
        room -= puzzle.board.cell_count
        if room < 0:
            return
        svg = quote(View(puzzle).svg(), safe=" ='/:;,()<>&!?.-")
        yield {"about": f"{name}: {counted(puzzle.clues.filled_count, 'clue')}", "svg": svg}


def _hardest(summary: Summary) -> list[str]:
    return sorted(summary.virtual_best, key=lambda name: -summary.virtual_best[name])


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
