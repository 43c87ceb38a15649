"""`ringdoku constraints`: the rules that a puzzle can have besides those of classic sudoku, from the registry."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer

from ringdoku.domain.board import Board
from ringdoku.domain.constraint import Constraint, codecs_of
from ringdoku.domain.errors import RuleError
from ringdoku_cli.exits import Exit
from ringdoku_cli.outputs import open_output
from ringdoku_cli.render.table import INDENT, wrapped
from ringdoku_cli.render.terminal import terminal_width

_ABOUT = (
    "A constraint is a line above a grid, or after --rule: its name, its numbers, a colon and its cells. r1c1-r1c4 is "
    "a straight run of cells; | separates sets of cells. JSON has them under the key rules. Every export format "
    "can say a constraint unless its entry names those that can."
)
_MORE = (
    "The line `no boxes` takes the boxes away, `no lines` rows and columns; regions replace boxes. `board 4x7 digits "
    "0-6` above a grid is for one that is not n×n with the digits 1 to n."
)
_WIDTH = 80
"""Of the list where it does not go to a terminal."""

_ORDERS = (4, 6, 9)
"""Of the boards that the examples are for."""


def constraints(
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a line instead of the list.")] = False,
) -> Exit:
    """List the constraints: an example of each, what it demands, who else writes it, and which exports can say it."""
    # they take longer to load than all other commands to start
    from ringdoku.constraints.registry import LISTED

    with open_output(None, force=False) as stream:
        kinds = list(LISTED.values())
        stream.writelines(_records(kinds) if as_json else _list(kinds, terminal_width(stream) or _WIDTH))
        stream.flush()
    return Exit.OK


def _exports_of(kind: type[Constraint]) -> tuple[str, ...]:
    """The export formats that can say the example of a constraint, on the least board that it is for."""
    from ringdoku.constraints.registry import read_constraint
    from ringdoku.exports import EXPORTS, can_state

    for board in map(Board.square, _ORDERS):
        try:
            constraint = read_constraint(kind.example, board)
        except RuleError:
            continue
        return tuple(name for name in EXPORTS if can_state(name, constraint, board))
    return ()


def _programs_of(kind: type[Constraint]) -> tuple[str, ...]:
    """The programs whose links and files can state a constraint."""
    from ringdoku.links import PROGRAMS

    return tuple(name for name, states in PROGRAMS.items() if kind in states)


def _origin(kind: type[Constraint]) -> str:
    """Other names of a constraint, and what can be read and exported with it; empty where there is nothing to say: no
    other name, read from our own formats alone, and said in all exports."""
    from ringdoku.constraints.registry import aliases_of
    from ringdoku.exports import EXPORTS

    aliases, programs, exports = aliases_of(kind.text), _programs_of(kind), _exports_of(kind)
    parts = [f"also called {', '.join(aliases)}"] if aliases else []
    parts += [f"read from {', '.join(programs)}"] if programs else []
    if len(exports) < len(EXPORTS):
        parts.append(f"exported to {', '.join(exports) or 'no format'}")
    return "; ".join(parts)


def _records(kinds: list[type[Constraint]]) -> Iterator[str]:
    import json

    from ringdoku.constraints.registry import aliases_of

    for kind in kinds:
        record = {
            "name": kind.text,
            "aliases": aliases_of(kind.text),
            "summary": kind.summary,
            "example": kind.example,
            "fields": {name: codec.called for name, codec in codecs_of(kind).items()},
            "read_from": _programs_of(kind),
            "exports": _exports_of(kind),
        }
        yield json.dumps(record) + "\n"


def _list(kinds: list[type[Constraint]], room: int) -> Iterator[str]:
    lines = wrapped(_ABOUT, room)
    for kind in kinds:
        lines += [
            "",
            *wrapped(kind.example, room),
            *wrapped(kind.summary, room, INDENT),
            *wrapped(_origin(kind), room, INDENT),
        ]
    return (f"{line}\n" for line in (*lines, "", *wrapped(_MORE, room)))
