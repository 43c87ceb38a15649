"""`ringdoku backends`: what there is to solve with, from the registry."""

from __future__ import annotations

from typing import Annotated

import typer

from ringdoku.backends.base import Ability
from ringdoku.backends.registry import BACKENDS, LARGEST_LIVE_ORDER, Entry, find
from ringdoku_cli.exits import Exit
from ringdoku_cli.outputs import open_output
from ringdoku_cli.render.terminal import terminal_width


def backends(
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line instead of the table.")] = False,
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
    """A row for each backend; where rows are wider than `room`, the texts at their ends stand below them."""
    rows = [_HEADS, *(_row(entry) for entry in BACKENDS.values())]
    lines = _aligned(rows)
    if room is not None and max(map(len, lines)) > room:
        short = _aligned([row[:_FIRST_TEXT] for row in rows])
        lines = [line for row, head in zip(rows, short, strict=True) for line in (head, *_below(row, room))]
    solving, optimising, proving = (
        find("auto", ability).name for ability in (Ability.SATISFY, Ability.OPTIMISE, Ability.PROOF)
    )
    large = find("auto", Ability.SATISFY, order=LARGEST_LIVE_ORDER + 1).name
    border = f"{LARGEST_LIVE_ORDER}x{LARGEST_LIVE_ORDER}"
    auto = (
        f"auto is {solving} to solve, {large} above {border};",
        f"    {optimising} to maximise; and {proving} to prove that there is no solution.",
    )
    return [f"{line}\n" for line in (*lines, "", *auto)]


_HEADS = ["backend", *(ability.value for ability in Ability), "package", "what it is"]
_FIRST_TEXT = _HEADS.index("package")


def _row(entry: Entry) -> list[str]:
    packages = ", ".join(
        f"{package.distribution} {package.version}" if package.version else f"missing: {package.install}"
        for package in entry.packages
    )
    can = ("yes" if ability in entry.abilities else "-" for ability in Ability)
    return [entry.name, *can, packages or "none needed", entry.summary]


def _aligned(rows: list[list[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def _below(row: list[str], room: int) -> list[str]:
    import textwrap

    text = "; ".join(reversed(row[_FIRST_TEXT:]))
    return textwrap.wrap(text, room, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False)
