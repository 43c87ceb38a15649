"""`ringdoku plot`: pictures and the report page, drawn again from saved results."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ringdoku.compare.plots import Chart
from ringdoku_cli.exits import Exit
from ringdoku_cli.messages import note
from ringdoku_cli.outputs import open_output, require_absent


def plot(
    results_files: Annotated[list[Path], typer.Argument(metavar="RESULTS...", help="Results files of `compare`.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", "--plot", metavar="FILE", help="The picture, as .svg or .png.")
    ] = None,
    kind: Annotated[Chart, typer.Option("--kind", help="What the picture shows.")] = Chart.CACTUS,
    contenders: Annotated[
        str, typer.Option("--contenders", metavar="A,B", help="For scatter: which two; the best two when not said.")
    ] = "",
    instance: Annotated[
        str | None,
        typer.Option("--instance", metavar="NAME", help="For bound: which puzzle; the longest when not said."),
    ] = None,
    report: Annotated[
        Path | None, typer.Option("--report", metavar="DIR", help="The page with tables and plots.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Let output files replace files that exist.")] = False,
) -> Exit:
    """Draw saved results again, several files together; without a picture or report asked for, show the table.

    A results file may be one of an interrupted run: what was measured is drawn.

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
