"""`ringdoku plot`: plots and the report page of saved results."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ringdoku.compare.plots import Chart
from ringdoku_cli.exits import Exit
from ringdoku_cli.messages import note
from ringdoku_cli.outputs import open_output, require_absent

_KINDS = ", ".join(chart.value for chart in Chart)


def plot(
    results_files: Annotated[
        list[Path], typer.Argument(metavar="RESULTS", help="Results files of `ringdoku compare`.")
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
        Path | None, typer.Option("--report", metavar="DIR", help="Write a page with tables and plots to this folder.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Let output files replace existing files.")] = False,
) -> Exit:
    """Draw saved results as a plot or a page, or print their table.

    Several files are drawn together. A file of an interrupted run is drawn as far as it goes.

    Exit status: 0 drawn, 2 malformed results or usage.
    """
    from ringdoku.compare.page import write_page
    from ringdoku.compare.plots import draw, save
    from ringdoku.compare.results import combine, load
    from ringdoku_cli.render.comparison import render_summary

    page = report / "index.html" if report else None
    require_absent((output, page), force)
    results = combine(map(load, results_files))
    if output:
        save(draw(results, kind, [name for name in contenders.split(",") if name], instance), output)
    if page:
        write_page(results, page)
        note(f"the report is {page}")
    if not output and not page:
        with open_output(None, force=False) as stream:
            stream.write(render_summary(results, stream))
    return Exit.OK
