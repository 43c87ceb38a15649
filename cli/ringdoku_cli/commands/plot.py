"""`ringdoku plot`: plots and the report page of saved results."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ringdoku.compare.plots import Chart
from ringdoku.compare.results import Results
from ringdoku.compare.summary import Measure
from ringdoku.domain.errors import UsageError
from ringdoku_cli.commands.compare import MeasuredTime
from ringdoku_cli.exits import Exit
from ringdoku_cli.inputs import files_of
from ringdoku_cli.messages import note
from ringdoku_cli.outputs import open_output, require_absent

_KINDS = ", ".join(chart.value for chart in Chart)


def plot(
    results_files: Annotated[
        list[str],
        typer.Argument(metavar="RESULTS", help="Results files of `ringdoku compare`, or folders of such *.json files."),
    ],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", "--plot", metavar="FILE", help="Write the plot, as .svg, .png or .pdf."),
    ] = None,
    kind: Annotated[Chart, typer.Option("--kind", metavar="KIND", help=f"The kind of plot: {_KINDS}.")] = Chart.CACTUS,
    contenders: Annotated[
        str,
        typer.Option("--contenders", metavar="A,B", help="For scatter: the two contenders; by default the best two."),
    ] = "",
    instance: Annotated[
        str | None,
        typer.Option("--instance", metavar="NAME", help="For bound: the puzzle; by default the one that took longest."),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(
            "--report",
            metavar="DIR",
            help="Write a page with tables and plots to this folder, and a CSV and PNGs beside it.",
        ),
    ] = None,
    measure: MeasuredTime = Measure.TOTAL,
    force: Annotated[bool, typer.Option("--force", help="Let output files replace existing files.")] = False,
) -> Exit:
    """Draw saved results as a plot or a page, or print their table.

    Several files are drawn together. A file of an interrupted run is drawn as far as it goes.

    Exit status: 0 drawn, 2 malformed results or usage.
    """
    from ringdoku.compare.page import report_files, write_report
    from ringdoku.compare.plots import draw
    from ringdoku.compare.results import combine, load
    from ringdoku_cli.render.comparison import render_summary

    require_absent((output,), force)
    results = combine(map(load, _results_files(results_files)))
    if report:
        require_absent(report_files(results, report), force)
    if output:
        from ringdoku.compare.plots import save

        save(draw(results, kind, _names(contenders, results), instance, measure), output)
    if report:
        note(f"the report is {write_report(results, report, measure)}")
    if not output and not report:
        with open_output(None, force=False) as stream:
            stream.write(render_summary(results, stream, measure))
    return Exit.OK


def _results_files(sources: list[str]) -> list[Path]:
    """The files, and those of folders that end in .json. Raises `UsageError` for a folder without any."""
    found: list[Path] = []
    for source in sources:
        files = list(map(Path, files_of([source])))
        if Path(source).is_dir() and not (files := [path for path in files if path.suffix == ".json"]):
            raise UsageError(f"there are no results (*.json) in the folder {source}")
        found += files
    return found


def _names(text: str, results: Results) -> list[str]:
    """Contenders separated by commas; the command of a program may have commas itself."""
    known = {contender.name for contender in results.plan.contenders}
    pieces, names = text.split(","), []
    while pieces:
        length = next((end for end in range(len(pieces), 1, -1) if ",".join(pieces[:end]) in known), 1)
        names.append(",".join(pieces[:length]))
        pieces = pieces[length:]
    return [name for name in names if name]
