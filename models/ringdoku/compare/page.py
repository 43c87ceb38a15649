"""One self-contained HTML page of some results: tables, pictures, what it was measured on, how to do it again."""

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

MOST_BOUND_PLOTS = 6
MOST_INSTANCE_ROWS = 200
"""Rows of the table by instance; the results file has all."""


def write_page(results: Results, path: Path, lead: str = "", again: str = "") -> None:
    """The page at `path`, with plain text for its top and the command that makes it again, where they are given.

    Raises `MissingPackageError` without matplotlib.
    """
    plots.require_matplotlib()
    summary = Summary(results)
    plan = results.plan
    problems = disagreements(results)
    parts = (
        [_section("ANSWERS DISAGREE", *(f"<p>{html.escape(problem)}</p>" for problem in problems))] if problems else []
    )
    parts += [_section("Who solved how many, how fast", _table(*table(summary)), _legend(summary))]
    if results.measurements:
        best = f" The best {plots.MOST_LINES} are drawn." if len(summary.rows) > plots.MOST_LINES else ""
        parts.append(_section("Cactus plot", _figure(plots.cactus(results), "cactus", CACTUS_CAPTION + best)))
    if len(summary.times) > 1:
        parts.append(_section("Any two against each other", SCATTER))
    if plan.task is Task.MAXIMISE and (names := plots.longest(results)):
        figures = (
            _figure(plots.bound_over_time(results, name), f"bound{place}", f"{name}: score solid, bound dashed")
            for place, name in enumerate(names[:MOST_BOUND_PLOTS])
        )
        parts.append(_section("Bound over time, where it took longest", *figures))
    parts += [
        _section("Every instance", _instance_table(summary)),
        _section("Failures", _failures(results)),
        _section("What it was measured on", _environment(results)),
        _section("How to do it again", f"<pre>{html.escape(again or command_line(plan))}</pre>"),
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


CACTUS_CAPTION = "Time up, instances solved to the right: who is lower and reaches further is better."
SCATTER = """<p><label>across <select id="first"></select></label> <label>up <select id="second"></select></label></p>
<figure><svg id="scatter" role="img" aria-label="times of two contenders"></svg>
<figcaption>One point an instance. Below the diagonal the one that goes up was faster; the dotted lines are the time
limit, and what was not solved is drawn at twice the limit.</figcaption></figure>"""


def _lead(plan: Plan, in_doubt: bool) -> str:
    how = "one process for all puzzles of a backend" if plan.warm else "a process of its own for every run"
    memory = f", {plan.memory_limit} MiB of memory" if plan.memory_limit else ""
    runs = "one run" if plan.repeats == 1 else f"the median of {plan.repeats} runs"
    return f"Time is {runs}, building and solving, with {how}; limits: {plan.time_limit:g} s{memory}. " + (
        "" if in_doubt else "Every grid was checked, and all answers agree."
    )


def _legend(summary: Summary) -> str:
    return (
        f"<p class='quiet'>PAR-2: mean seconds, with {summary.penalty:g} for what was not solved. Build: median time "
        "for making the model, a part of the others. The virtual best is whoever was fastest on each instance; wins "
        "counts how often that was.</p>"
    )


def _instance_table(summary: Summary) -> str:
    names = list(summary.times)
    hardest = sorted(summary.virtual_best, key=lambda name: -summary.virtual_best[name])
    rows = []
    for instance in hardest[:MOST_INSTANCE_ROWS]:
        times = (summary.times[name].get(instance) for name in names)
        rows.append([instance, *("" if t is None else "—" if t > summary.limit else f"{t:.3g}" for t in times)])
    left = len(hardest) - len(rows)
    more = f"<p class='quiet'>and {left} more, in the results file</p>" if left else ""
    return "<p class='quiet'>Seconds, hardest first; — is not solved.</p>" + _table(("instance", *names), rows) + more


def _failures(results: Results) -> str:
    failures = [one for one in results.measurements if not one.outcome.is_final]
    if not failures:
        return "<p>None.</p>"
    counts = Counter((one.contender, one.outcome.value) for one in failures)
    last_words = {(one.contender, one.outcome.value): one.stderr.strip().splitlines()[-1:] for one in failures}
    rows = [
        [name, outcome, str(count), *(last_words[name, outcome] or [""])] for (name, outcome), count in counts.items()
    ]
    return _table(("contender", "outcome", "runs", "last words"), rows)


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
