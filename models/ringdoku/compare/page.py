"""The report of results: a self-contained HTML page with tables, plots and puzzles, and beside it a CSV and the plots.

The page needs none of the other files. It has the tables and plots of every measure, and shows those of one.
"""

from __future__ import annotations

import html
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any
from urllib.parse import quote

from ringdoku.compare import plots
from ringdoku.compare.crosscheck import disagreements
from ringdoku.compare.figures import inline_svg, save
from ringdoku.compare.plan import Instance, Plan, Task, command_line
from ringdoku.compare.results import Results, write_whole
from ringdoku.compare.summary import COUNTS, EFFORT, RANKING, Measure, Summary, legend, legend_of_kinds, table
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
    folder.mkdir(parents=True, exist_ok=True)
    page = _Page(results, folder)
    problems = disagreements(results)
    sections = "\n".join(page.sections(problems, again))
    plan = results.plan
    about = f"{_count(len(page.summary.times), 'way')} to {plan.task.value} on {_count(len(plan.instances), 'puzzle')}"
    parts = files("ringdoku.compare") / "page_files"
    text = Template((parts / "page.html").read_text(encoding="utf-8")).substitute(
        title=html.escape(about),
        lead=html.escape(lead or _lead(plan, bool(problems))),
        measure=measure.value,
        choices="\n".join(_choice(each, each is measure) for each in Measure),
        style=(parts / "page.css").read_text(encoding="utf-8"),
        script=(parts / "page.js").read_text(encoding="utf-8"),
        sections=sections,
        # a name in the data must not end the script element
        data=json.dumps(page.data()).replace("<", "\\u003c"),
    )
    write_whole(folder / PAGE, [text])
    results.save_csv(folder / SHEET)
    return folder / PAGE


class _Page:
    """The sections of a page; each plot is written to the folder when its section is made."""

    def __init__(self, results: Results, folder: Path) -> None:
        self._results = results
        self._folder = folder
        self._summaries = {measure: Summary(results, measure) for measure in Measure}
        self.summary = self._summaries[Measure.TOTAL]
        self._looks = plots.styles(results)
        self._clues = {one.name: one.puzzle.clues.filled_count for one in results.plan.instances}

    def sections(self, problems: Sequence[str], again: str) -> Iterator[str]:
        results, summary = self._results, self.summary
        if problems:
            yield _section("ANSWERS DISAGREE", *(f"<p>{html.escape(problem)}</p>" for problem in problems))
        yield _section("Solved instances and times", *map(self._ranking, Measure))
        if any(row.solved for row in summary.rows):
            figure = self._figure(plots.phases(results), "phases", PHASES_CAPTION)
            table_of_effort = self._contenders(*table(summary, EFFORT, best=False))
            about = f"<p class='quiet'>{EFFORT_LEGEND} {legend_of_kinds(summary)}</p>"
            yield _section("Building, loading, solving", table_of_effort, about, figure)
        counted = [count for count in COUNTS if summary.counts(count)]
        if counted:
            figures = (self._figure(plots.work(results, count), count, WORK_CAPTION + count) for count in counted)
            yield _section("Work of the solvers", *figures)
        if len(summary.times) > 1:
            yield _section("Two contenders compared", SCATTER)
        if results.plan.task is Task.MAXIMISE and (names := plots.longest(results)):
            figures = (
                self._figure(plots.bound_over_time(results, name), f"bound-{number}", f"{name}: {BOUND_CAPTION}")
                for number, name in enumerate(names[:MOST_BOUND_PLOTS], 1)
            )
            yield _section("Bound over time, on the instances that took longest", *figures)
        yield _section("Every instance", *map(self._instance_table, Measure), self._drawings())
        yield _section("Failures", _failures(results))
        yield _section("Environment", _environment(results))
        yield _section("Command that repeats this", f"<pre>{html.escape(again or command_line(results.plan))}</pre>")
        yield _section("Files", f'<p>All measurements as a table: <a href="{SHEET}">{SHEET}</a>.</p>')

    def data(self) -> Mapping[str, Any]:
        """For the plot of two contenders: what can be compared, and the colours."""
        times = [
            {"key": measure.value, "label": plots.WORDS[measure], "limit": summary.limit, "values": summary.times}
            for measure, summary in self._summaries.items()
        ]
        counts = [{"key": name, "label": name, "values": self.summary.counts(name)} for name in COUNTS]
        colours = {name: look["color"] for name, look in self._looks.items()}
        return {"colours": colours, "quantities": [*times, *(count for count in counts if count["values"])]}

    def _ranking(self, measure: Measure) -> str:
        summary = self._summaries[measure]
        parts = [self._contenders(*table(summary, RANKING)), f"<p class='quiet'>{html.escape(legend(summary))}</p>"]
        if self._results.measurements:
            left = f" Only the best {plots.MOST_LINES} are drawn." if len(summary.rows) > plots.MOST_LINES else ""
            figure = plots.cactus(self._results, measure)
            parts.append(self._figure(figure, f"cactus-{measure.value}", CACTUS_CAPTION + left))
        return _measured(measure, *parts)

    def _contenders(self, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
        """A table with a contender in each row."""
        return _table(map(html.escape, heads), ([self._named(first), *map(html.escape, row)] for first, *row in rows))

    def _named(self, name: str) -> str:
        look = self._looks.get(name)
        # the lines of later contenders of a colour are dashed, and their marks hollow
        kind = (
            "" if look is None else f"color:{look['color']}" + (";background:none" if look["linestyle"] != "-" else "")
        )
        return f'<i style="{kind or "visibility:hidden"}"></i>{html.escape(name)}'

    def _instance_table(self, measure: Measure) -> str:
        summary = self._summaries[measure]
        names = list(summary.times)
        hardest = _hardest(summary)
        rows = []
        for instance in hardest[:MOST_INSTANCE_ROWS]:
            times = (summary.times[name].get(instance) for name in names)
            shown = ("" if time is None else "—" if time > summary.limit else f"{time:.3g}" for time in times)
            rows.append([html.escape(instance), str(self._clues[instance]), *shown])
        left = len(hardest) - len(rows)
        more = f"<p class='quiet'>The results file has {left} more.</p>" if left else ""
        about = f"{plots.WORDS[measure].capitalize()}, hardest first; — means not solved."
        return _measured(
            measure,
            f"<p class='quiet'>{about}</p>",
            _table(("instance", "clues", *map(self._named, names)), rows),
            more,
        )

    def _drawings(self) -> str:
        instances = {one.name: one for one in self._results.plan.instances}
        drawn, room = [], MOST_DRAWN_CELLS
        ordered = [instances[name] for name in _hardest(self.summary)]
        for instance in ordered:
            room -= instance.puzzle.board.cell_count
            if room < 0:
                break
            drawn.append(self._drawing(instance))
        left = len(ordered) - len(drawn)
        more = f"<p class='quiet'>{_count(left, 'more puzzle')}, too many or too large to draw.</p>" if left else ""
        return f"<h3>Puzzles, hardest first</h3><div class='puzzles'>{''.join(drawn)}</div>{more}"

    def _drawing(self, instance: Instance) -> str:
        """As an image, whose ids and style are its own."""
        svg = quote(View(instance.puzzle).svg(), safe=" ='/:;,()<>&!?.-")
        about = f"{html.escape(instance.name)}: {_count(self._clues[instance.name], 'clue')}"
        image = f"<img loading='lazy' alt='{about}' src=\"data:image/svg+xml,{html.escape(svg)}\">"
        return f"<figure>{image}<figcaption>{about}</figcaption></figure>\n"

    def _figure(self, figure: object, name: str, caption: str) -> str:
        path = self._folder / f"{name}.png"
        save(figure, path)
        words = f'{html.escape(caption)} <a href="{path.name}">PNG</a>'
        return f"<figure class='plot'>{inline_svg(figure, name)}<figcaption>{words}</figcaption></figure>"


CACTUS_CAPTION = "Seconds upwards, solved instances to the right: a line that is lower and reaches further is better."
PHASES_CAPTION = "Where the time of the answered runs goes."
WORK_CAPTION = "Instances solved to the right, and upwards within how many "
BOUND_CAPTION = "score solid, bound dashed."
EFFORT_LEGEND = (
    "Medians over the runs that were answered. Build: making the model. Load: handing it to the "
    "solver, or writing the file that a program reads. Solve: the solver's work. “In solve”: the backend does not tell "
    "the phase apart. Importing packages is in none of them. Memory: the largest peak of a process."
)
SCATTER = """<p><label>to the right: <select id="first"></select></label>
<label>upwards: <select id="second"></select></label>
<label>by: <select id="quantity"></select></label></p>
<figure><svg id="scatter" role="img" aria-label="two contenders, a point for each instance"></svg>
<figcaption>One point for each instance, in the colour of the contender that was better there: below the diagonal that
of the upward axis. The dotted lines are the time limit; unsolved instances are drawn at twice the limit.</figcaption>
</figure>"""


def _lead(plan: Plan, in_doubt: bool) -> str:
    processes = "One process answers all puzzles of a contender" if plan.warm else "Each run has a process of its own"
    memory = f" and {plan.memory_limit} MiB of memory" if plan.memory_limit else ""
    runs = "of one run" if plan.repeats == 1 else f"the median of {plan.repeats} runs"
    return f"Times are {runs}. {processes}, with a limit of {plan.time_limit:g} s{memory}. " + (
        "" if in_doubt else "Every grid was checked, and all answers agree."
    )


def _choice(measure: Measure, is_checked: bool) -> str:
    checked = " checked" if is_checked else ""
    return f'<label><input type="radio" name="measure" value="{measure.value}"{checked}> {MEASURES[measure]}</label>'


def _measured(measure: Measure, *parts: str) -> str:
    """What the page shows only where this measure is chosen."""
    return f'<div class="by-{measure.value}">{"".join(parts)}</div>'


def _hardest(summary: Summary) -> list[str]:
    return sorted(summary.virtual_best, key=lambda name: -summary.virtual_best[name])


def _failures(results: Results) -> str:
    failures = [one for one in results.measurements if not one.outcome.is_final]
    if not failures:
        return "<p>None.</p>"
    counts = Counter((one.contender, one.outcome.value) for one in failures)
    last_lines = {(one.contender, one.outcome.value): one.stderr.strip().splitlines()[-1:] for one in failures}
    rows = (
        [name, outcome, str(count), *(last_lines[name, outcome] or [""])] for (name, outcome), count in counts.items()
    )
    return _table(("contender", "outcome", "runs", "last line printed"), (map(html.escape, row) for row in rows))


def _environment(results: Results) -> str:
    facts = dict(results.environment)
    facts |= {f"{name} version": found or "missing" for name, found in facts.pop("packages", {}).items()}
    facts |= {"time limit": f"{results.plan.time_limit:g} s", "memory limit": f"{results.plan.memory_limit or 'none'}"}
    facts |= {"repeats": results.plan.repeats, "seed": results.plan.seed}
    pairs = (f"<dt>{html.escape(str(name))}</dt><dd>{html.escape(str(value))}</dd>" for name, value in facts.items())
    return f"<dl>{''.join(pairs)}</dl>"


def _section(title: str, *parts: str) -> str:
    return f"<section><h2>{html.escape(title)}</h2>\n" + "\n".join(parts) + "\n</section>"


def _table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table of cells that are HTML already."""
    head = "".join(f"<th>{text}</th>" for text in heads)
    body = "".join("<tr>" + "".join(f"<td>{text}</td>" for text in row) + "</tr>\n" for row in rows)
    return f"<div class='wide'><table><thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table></div>"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
