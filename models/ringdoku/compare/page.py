"""One self-contained HTML page of results: tables, plots, the environment, and the command that repeats the run."""

from __future__ import annotations

import html
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from importlib.resources import files
from pathlib import Path
from string import Template

from ringdoku.compare import plots
from ringdoku.compare.crosscheck import disagreements
from ringdoku.compare.plan import Plan, Task, command_line
from ringdoku.compare.results import Results, write_whole
from ringdoku.compare.summary import Summary, table
from ringdoku.drawing.painter import require_matplotlib

MOST_BOUND_PLOTS = 6
MOST_INSTANCE_ROWS = 200
"""Rows of the table by instance; the results file has the others."""


def write_page(results: Results, path: Path, lead: str = "", again: str = "") -> None:
    """Write the page to `path`. `lead` is text for its top, and `again` the command that repeats the run, if not the
    plan's own.

    Raises `MissingPackageError` without matplotlib.
    """
    require_matplotlib()
    summary = Summary(results)
    plan = results.plan
    problems = disagreements(results)
    parts = (
        [_section("ANSWERS DISAGREE", *(f"<p>{html.escape(problem)}</p>" for problem in problems))] if problems else []
    )
    parts += [_section("Solved instances and times", _table(*table(summary)), _legend(summary))]
    if results.measurements:
        best = f" Only the best {plots.MOST_LINES} are drawn." if len(summary.rows) > plots.MOST_LINES else ""
        parts.append(_section("Cactus plot", _figure(plots.cactus(results), "cactus", CACTUS_CAPTION + best)))
    if len(summary.times) > 1:
        parts.append(_section("Two contenders compared", SCATTER))
    if plan.task is Task.MAXIMISE and (names := plots.longest(results)):
        figures = (
            _figure(plots.bound_over_time(results, name), f"bound{place}", f"{name}: score solid, bound dashed")
            for place, name in enumerate(names[:MOST_BOUND_PLOTS])
        )
        parts.append(_section("Bound over time, on the instances that took longest", *figures))
    parts += [
        _section("Every instance", _instance_table(summary)),
        _section("Failures", _failures(results)),
        _section("Environment", _environment(results)),
        _section("Command that repeats this", f"<pre>{html.escape(again or command_line(plan))}</pre>"),
    ]
    data = {"times": summary.times, "limit": summary.limit, "penalty": summary.penalty}
    folder = files("ringdoku.compare") / "page_files"
    text = Template((folder / "page.html").read_text(encoding="utf-8")).substitute(
        title=html.escape(
            f"{_count(len(summary.times), 'way')} to {plan.task.value} on {_count(len(plan.instances), 'puzzle')}"
        ),
        lead=html.escape(lead or _lead(plan, bool(problems))),
        style=(folder / "page.css").read_text(encoding="utf-8"),
        script=(folder / "page.js").read_text(encoding="utf-8"),
        sections="\n".join(part for part in parts if part),
        # a name in the data must not end the script element
        data=json.dumps(data).replace("<", "\\u003c"),
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, [text])


CACTUS_CAPTION = "Seconds upwards, solved instances to the right: a line that is lower and reaches further is better."
SCATTER = """<p><label>to the right: <select id="first"></select></label>
<label>upwards: <select id="second"></select></label></p>
<figure><svg id="scatter" role="img" aria-label="times of two contenders"></svg>
<figcaption>One point for each instance. Below the diagonal, the contender of the upward axis was faster. The dotted
lines are the time limit; instances that were not solved are drawn at twice the limit.</figcaption></figure>"""


def _lead(plan: Plan, in_doubt: bool) -> str:
    processes = "One process answers all puzzles of a backend" if plan.warm else "Each run has a process of its own"
    memory = f" and {plan.memory_limit} MiB of memory" if plan.memory_limit else ""
    runs = "of one run" if plan.repeats == 1 else f"the median of {plan.repeats} runs"
    return (
        f"Times are {runs} and include building the model. {processes}, with a limit of {plan.time_limit:g} s{memory}. "
        + ("" if in_doubt else "Every grid was checked, and all answers agree.")
    )


def _legend(summary: Summary) -> str:
    return (
        f"<p class='quiet'>PAR-2: mean seconds, where an instance that was not solved counts {summary.penalty:g}. "
        "Build: median time for making the model, which the other times include. Virtual best: on each instance the "
        "contender that was fastest there. Wins: on how many instances a contender was the fastest.</p>"
    )


def _instance_table(summary: Summary) -> str:
    names = list(summary.times)
    hardest = sorted(summary.virtual_best, key=lambda name: -summary.virtual_best[name])
    rows = []
    for instance in hardest[:MOST_INSTANCE_ROWS]:
        times = (summary.times[name].get(instance) for name in names)
        rows.append([instance, *("" if t is None else "—" if t > summary.limit else f"{t:.3g}" for t in times)])
    left = len(hardest) - len(rows)
    more = f"<p class='quiet'>The results file has {left} more.</p>" if left else ""
    legend = "<p class='quiet'>Seconds, hardest first; — means not solved.</p>"
    return legend + _table(("instance", *names), rows) + more


def _failures(results: Results) -> str:
    failures = [one for one in results.measurements if not one.outcome.is_final]
    if not failures:
        return "<p>None.</p>"
    counts = Counter((one.contender, one.outcome.value) for one in failures)
    last_lines = {(one.contender, one.outcome.value): one.stderr.strip().splitlines()[-1:] for one in failures}
    rows = [
        [name, outcome, str(count), *(last_lines[name, outcome] or [""])] for (name, outcome), count in counts.items()
    ]
    return _table(("contender", "outcome", "runs", "last line printed"), rows)


def _environment(results: Results) -> str:
    facts = dict(results.environment)
    facts |= {f"{name} version": found or "missing" for name, found in facts.pop("packages", {}).items()}
    facts |= {"time limit": f"{results.plan.time_limit:g} s", "memory limit": f"{results.plan.memory_limit or 'none'}"}
    facts |= {"repeats": results.plan.repeats, "seed": results.plan.seed}
    pairs = (f"<dt>{html.escape(str(name))}</dt><dd>{html.escape(str(value))}</dd>" for name, value in facts.items())
    return f"<dl>{''.join(pairs)}</dl>"


def _section(title: str, *parts: str) -> str:
    return f"<section><h2>{html.escape(title)}</h2>\n" + "\n".join(parts) + "\n</section>"


def _figure(figure: object, name: str, caption: str) -> str:
    return f"<figure>{plots.inline_svg(figure, name)}<figcaption>{html.escape(caption)}</figcaption></figure>"


def _table(heads: Iterable[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f"<th>{html.escape(text)}</th>" for text in heads)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(text)}</td>" for text in row) + "</tr>\n" for row in rows)
    return f"<div class='wide'><table><thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table></div>"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
