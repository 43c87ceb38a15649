"""`ringdoku constraints`: the rules that a puzzle can have besides those of classic sudoku, from the registry."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Annotated

import typer

from ringdoku.domain.constraint import Constraint
from ringdoku_cli.exits import Exit
from ringdoku_cli.outputs import open_output
from ringdoku_cli.render.table import INDENT, wrapped
from ringdoku_cli.render.terminal import terminal_width

_ABOUT = (
    "A constraint is a line above a grid, or after --rule: its name, its numbers, a colon and its cells. r1c1-r1c4 is "
    "a straight run of cells; | separates sets of cells."
)
_MORE = (
    "The line `no boxes` takes the boxes away, `no lines` rows and columns; regions replace boxes. `board 4x7 digits "
    "0-6` above a grid is for one that is not n×n with the digits 1 to n."
)
_WIDTH = 80
"""Of the list where it does not go to a terminal."""

_FIELDS = {
    "int": "number",
    "int | None": "number or nothing",
    "Cell": "cell",
    "Cells": "cells",
    "Groups": "sets of cells",
    "Digits": "numbers",
    "Pairs": "pairs of digits",
    "Edges": "state,digit,state",
    "Cases": "cases",
}


def constraints(
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a line instead of the list.")] = False,
) -> Exit:
    """List the constraints: an example of each, and what it demands."""
    # they take longer to load than all other commands to start
    from ringdoku.constraints.registry import CONSTRAINTS

    with open_output(None, force=False) as stream:
        kinds = list(CONSTRAINTS.values())
        stream.writelines(_records(kinds) if as_json else _list(kinds, terminal_width(stream) or _WIDTH))
        stream.flush()
    return Exit.OK


def _records(kinds: list[type[Constraint]]) -> Iterator[str]:
    import json

    for kind in kinds:
        record = {
            "name": kind.text,
            "summary": kind.summary,
            "example": kind.example,
            "fields": {field.name: _FIELDS[str(field.type)] for field in fields(kind)},  # type: ignore[arg-type]
        }
        yield json.dumps(record) + "\n"


def _list(kinds: list[type[Constraint]], room: int) -> Iterator[str]:
    lines = wrapped(_ABOUT, room)
    for kind in kinds:
        lines += ["", *wrapped(kind.example, room), *wrapped(kind.summary, room, INDENT)]
    return (f"{line}\n" for line in (*lines, "", *wrapped(_MORE, room)))
