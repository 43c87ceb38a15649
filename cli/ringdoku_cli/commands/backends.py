"""`ringdoku backends`: the table of backends, from the registry."""

from __future__ import annotations

from typing import Annotated

import typer

from ringdoku.solvers.base import Ability
from ringdoku.solvers.registry import (
    BACKENDS,
    DEFAULT_TO_SOLVE_BLANK,
    DEFAULT_TO_SOLVE_RULES,
    LARGEST_LIVE_ORDER,
    Entry,
    find,
)
from ringdoku_cli.exits import Exit
from ringdoku_cli.outputs import open_output
from ringdoku_cli.render.table import table_lines, wrapped
from ringdoku_cli.render.terminal import terminal_width


def backends(
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object on each line instead of the table.")
    ] = False,
) -> Exit:
    """List the backends: what each can do, the version of its package, or how to install it."""
    with open_output(None, force=False) as stream:
        stream.writelines(_records() if as_json else _table(terminal_width(stream)))
        stream.flush()
    return Exit.OK


def _records() -> list[str]:
    import json

    return [
        json.dumps(
            {
                "name": entry.name,
                "summary": entry.summary,
                "abilities": [ability.value for ability in Ability if ability in entry.abilities],
                "installed": not entry.missing,
                "packages": [
                    {"name": package.distribution, "version": package.version, "install": package.install}
                    for package in entry.packages
                ],
            }
        )
        + "\n"
        for entry in BACKENDS.values()
    ]


def _table(room: int | None) -> list[str]:
    rows = [_row(entry) for entry in BACKENDS.values()]
    lines = table_lines(_HEADS, rows, room, below=("package", "what it is"))
    solving, optimising, proving = (
        find("auto", ability).name for ability in (Ability.SATISFY, Ability.OPTIMISE, Ability.PROOF)
    )
    auto = (
        f"auto is {solving} to solve ({DEFAULT_TO_SOLVE_RULES} with other rules than houses,",
        f"{DEFAULT_TO_SOLVE_BLANK} above order {LARGEST_LIVE_ORDER} with few clues),",
        f"{optimising} to maximise, and {proving} to prove that there is no solution.",
    )
    return [f"{line}\n" for line in (*lines, "", *(wrapped(" ".join(auto), room)))]


_HEADS = ["backend", *(ability.value for ability in Ability), "what it is", "package"]


def _row(entry: Entry) -> list[str]:
    packages = ", ".join(
        f"{package.distribution} {package.version}" if package.version else f"missing: {package.install}"
        for package in entry.packages
    )
    can = ("yes" if ability in entry.abilities else "-" for ability in Ability)
    return [entry.name, *can, entry.summary, packages or "no package"]
