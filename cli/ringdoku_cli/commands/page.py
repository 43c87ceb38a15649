"""`ringdoku page`: a local page to solve, maximise and explain a puzzle in a browser."""

from itertools import islice
from typing import Annotated, Any

from ringdoku import Session
from ringdoku.domain import refuse
from ringdoku.exports import EXPORTS
from ringdoku.solvers.registry import of_extra
from ringdoku_cli.exits import Exit
from ringdoku_cli.options import Force, Reading, TimeLimit, argument, option
from ringdoku_cli.outputs import open_output
from ringdoku_cli.page import page_html
from ringdoku_cli.page.answers import answer, json_text, puzzle_record
from ringdoku_cli.render import LINKS

SOURCE_HELP = "A file with a puzzle, a link, or a puzzle itself; - is standard input. Default: a blank grid."
OPEN_HELP = "Open the page in the browser, or only print its address."
STATIC_HELP = "Write a page that needs no server to FILE: the best grid, how score and bound met, and all steps."


def page(
    reading: Reading,
    source: Annotated[str | None, argument("[INPUT]", SOURCE_HELP)] = None,
    port: Annotated[int, option("--port N", "The port to listen on; 0 is any free one.", min=0, max=65535)] = 0,
    browser: Annotated[bool, option("--open/--no-open", OPEN_HELP)] = True,
    static: Annotated[str | None, option("--static FILE", STATIC_HELP)] = None,
    time_limit: TimeLimit = 60.0,
    force: Force = False,
) -> Exit:
    """Type a puzzle, paste or drop a text or a link. Watch the best score and the bound meet, paint weights by hand,
    ask for all candidates, hints, steps and uniqueness, download the picture or the model. The page is for this machine
    alone: it needs no network, and nothing is written to disk. Its address, on standard output, has a secret token.

    With --port 4545 it is the live solver that SudokuSolver's user script adds to f-puzzles: solve, check, count, true
    candidates, steps.

    With --static the time limit is for the best score and for the steps; a later change asks for no new answer.

    Exit status: 0 the file is written, 2 malformed input or usage, 130 ended by Ctrl-C.
    """
    with reading.open(".........\n" * 9 if source is None else source) as puzzles:
        first, *others = islice(puzzles, 2)
    notice = "The input holds several puzzles; this is the first." if others else ""
    start: dict[str, Any] = {"record": puzzle_record(first, notice), "limit": time_limit, "ignore": reading.ignore}
    refuse(static and others, "--static is for one puzzle, and the input holds several")
    if static is None:
        with of_extra("page", "the page"):
            from ringdoku_cli.page.server import serve

        exports = {form.name: form.summary for form in EXPORTS.values()}
        serve(start | {"exports": exports, "links": LINKS}, port, browser)
        return Exit.OK
    with open_output(static, force, useless_in_part=True) as stream:
        progress: list[dict[str, Any]] = []
        fields = {"puzzle": json_text(first.puzzle), "limit": time_limit}
        result, steps = (answer(fields | {"task": task}, Session(), progress.append) for task in ("maximise", "steps"))
        stream.write(page_html(start | {"finished": {"progress": progress, "result": result, "steps": steps}}))
    return Exit.OK
