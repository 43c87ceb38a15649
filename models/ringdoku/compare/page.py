"""The report of results: a self-contained HTML page with tables, plots and puzzles, and beside it a CSV and the plots.
The page needs none of the other files. It has the tables and plots of every measure, and shows those of one."""

import json
from bisect import bisect_right
from collections.abc import Mapping
from itertools import accumulate
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ringdoku.compare import plots, summary
from ringdoku.compare.results import save, save_csv, write_whole
from ringdoku.compare.run import disagreements
from ringdoku.compare.summary import COUNTS, Measure, Results, Summary
from ringdoku.domain import Puzzle, counted, refusing
from ringdoku.drawing.views import View

PAGE, SHEET, RESULTS = "index.html", "results.csv", "results.json"


def report_files(folder: Path) -> list[Path]:
    """The files in the folder, if it is there, that `write_report` may replace."""
    return [folder / PAGE, folder / SHEET, folder / RESULTS, *folder.glob("*.png")] if folder.exists() else []


def write_report(results: Results, folder: Path, measure: Measure = Measure.TOTAL) -> Path:
    """Write the page, the results, these as CSV and the plots as PNG to `folder`, which is made; returns the page. It
    first shows the times of `measure`. Raises `UsageError` for a file that cannot be written."""
    from jinja2 import Environment, PackageLoader

    def plot(name: str, *how: Any) -> dict[str, str]:
        figure = plots.draw(results, *how)
        plots.save(figure, folder / f"{name}.png")
        return {"name": name, "svg": plots.inline_svg(figure, name)}

    with refusing(f"cannot make the folder {folder}"):
        folder.mkdir(parents=True, exist_ok=True)
    loader = PackageLoader("ringdoku.compare", "page_files")
    environment = Environment(loader=loader, autoescape=True, trim_blocks=True, keep_trailing_newline=True)
    summaries, looks = [Summary(results, each) for each in Measure], plots.styles(results)
    context = {
        "results": results,
        "summaries": summaries,
        "measure": measure,
        "looks": looks,
        "problems": disagreements(results),
        "puzzles": _puzzles(summaries[0]),
        "failures": _failures(results),
        "sheet": SHEET,
        "saved": RESULTS,
        # a name in the data must not end the script element
        "data": json.dumps(_data(summaries, looks)).replace("<", "\\u003c"),
    }
    environment.globals |= {"figures": summary, "plots": plots, "plot": plot, "counted": counted}
    text = environment.get_template("page.html").render(context).lstrip()
    write_whole(folder / PAGE, text.encode("utf-8", "surrogateescape"))
    save_csv(results, folder / SHEET)
    save(results, folder / RESULTS)
    return folder / PAGE


def _puzzles(found: Summary) -> Mapping[str, tuple[Puzzle, str]]:
    """The hardest puzzles and their pictures, by name: images, whose ids and styles are their own. They have at most
    20,000 cells, a hundred bytes each; the results file has the other puzzles."""
    puzzles = {one.name: one.puzzle for one in found.plan.instances}
    cells = list(accumulate(puzzles[name].board.cell_count for name in found.hardest))
    shown = {name: puzzles[name] for name in found.hardest[: bisect_right(cells, 20_000)]}
    return {name: (puzzle, quote(View(puzzle).svg(), safe=" ='/:;,()<>&!?.-")) for name, puzzle in shown.items()}


def _failures(results: Results) -> list[list[str]]:
    """Rows of contender, outcome, and number of runs without a final answer, with the last line that one printed."""
    found: dict[tuple[str, str], list[str]] = {}
    for one in results.measurements:
        if not one.outcome.is_final:
            found.setdefault((one.contender, one.outcome), []).append(one.stderr)
    return [[*key, str(len(texts)), *(texts[-1].strip().splitlines()[-1:] or [""])] for key, texts in found.items()]


def _data(summaries: list[Summary], looks: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The data of the page's plot of two contenders."""
    quantities: list[dict[str, Any]] = [
        {"key": each.measure, "label": each.label, "limit": each.limit, "values": _by_name(each.times)}
        for each in summaries
    ]
    counts = {name: _by_name(summaries[0].counts(name)) for name in COUNTS}
    quantities += [{"key": name, "label": name, "values": values} for name, values in counts.items() if values]
    return {"colours": {name: look["color"] for name, look in looks.items()}, "quantities": quantities}


def _by_name(table: Any) -> dict[str, dict[str, float]]:
    """Contender → instance → value, where there is one."""
    return {who: values.dropna().to_dict() for who, values in table.items()}
