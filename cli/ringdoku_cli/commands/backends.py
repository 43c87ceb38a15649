"""`ringdoku backends`: what there is to solve with, from the registry."""

from __future__ import annotations

from typing import Annotated

import typer

from ringdoku.backends.base import Ability
from ringdoku.backends.registry import BACKENDS, LARGEST_LIVE_ORDER, Entry, find
from ringdoku_cli.exits import Exit
from ringdoku_cli.outputs import open_output


def backends(
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line instead of the table.")] = False,
) -> Exit:
    """List the backends: what each can do, the version of its package, or how to install it."""
    with open_output(None, force=False) as stream:
        stream.writelines(_records() if as_json else _table())
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


def _table() -> list[str]:
    heads = ["backend", *(ability.value for ability in Ability), "package", "what it is"]
    rows = [heads, *(_row(entry) for entry in BACKENDS.values())]
    widths = [max(len(row[column]) for row in rows) for column in range(len(heads))]
    lines = ["  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    solving, optimising = find("auto", Ability.SATISFY).name, find("auto", Ability.OPTIMISE).name
    large = find("auto", Ability.SATISFY, order=LARGEST_LIVE_ORDER + 1).name
    border = f"{LARGEST_LIVE_ORDER}x{LARGEST_LIVE_ORDER}"
    auto = f"auto is {solving} to solve, {large} above {border}, and {optimising} to maximise."
    return [f"{line}\n" for line in (*lines, "", auto)]


def _row(entry: Entry) -> list[str]:
    packages = ", ".join(
        f"{package.distribution} {package.version}" if package.version else f"missing: {package.install}"
        for package in entry.packages
    )
    can = ("yes" if ability in entry.abilities else "-" for ability in Ability)
    return [entry.name, *can, packages or "none needed", entry.summary]
