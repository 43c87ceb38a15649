"""`ringdoku encodings`: the encodings of the registries, with the sizes of their formulas."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Annotated

import typer

from ringdoku.domain.ruleset import Ruleset
from ringdoku_cli import options
from ringdoku_cli.exits import Exit
from ringdoku_cli.outputs import open_output
from ringdoku_cli.render.table import table_lines, wrapped
from ringdoku_cli.render.terminal import terminal_width

if TYPE_CHECKING:
    from ringdoku.sat.options import EncodingOptions


@dataclass(frozen=True)
class Row:
    """One choice, and the size of the whole formula, where the other choices are the textbook's."""

    choice: str
    name: str
    variables: int
    clauses: int
    reference: str


def encodings(
    order: Annotated[int, typer.Option("--order", metavar="N", min=1, help="The order of the board.")] = 9,
    box: options.Box = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object on each line instead of the table.")
    ] = False,
) -> Exit:
    """List the encodings: clause sets, digits, at-most-one, triads, and innies.

    Each row has the numbers of variables and clauses of a blank board's formula with that choice. The other choices
    are extended, direct and pairwise, without triads and innies. Innies add clauses to killers alone.
    """
    ruleset = options.classic_rules(order, options.parse_box(box))
    rows = _rows(ruleset)
    with open_output(None, force=False) as stream:
        stream.writelines(_records(rows) if as_json else _table(rows, ruleset, terminal_width(stream)))
        stream.flush()
    return Exit.OK


def _rows(ruleset: Ruleset) -> list[Row]:
    # the registries need numpy, which takes time to load
    from ringdoku.sat import triads
    from ringdoku.sat.at_most_one import AT_MOST_ONE
    from ringdoku.sat.digits import DIGITS
    from ringdoku.sat.options import CLAUSE_SET_REFERENCES, ClauseSet, EncodingOptions, formula_size

    def row(choice: str, name: str, chosen: EncodingOptions, reference: str) -> Row:
        return Row(choice, name, *formula_size(ruleset, chosen), reference)

    return [
        *(row("clause set", s.value, EncodingOptions(s), CLAUSE_SET_REFERENCES[s]) for s in ClauseSet),
        *(row("digits", d.name, EncodingOptions(digits=d.name), d.reference) for d in DIGITS.values()),
        *(row("at most one", a.name, EncodingOptions(at_most_one=a.name), a.reference) for a in AT_MOST_ONE.values()),
        row("triads", "triads", EncodingOptions(triads=True), triads.REFERENCE),
        row("innies", "innies", EncodingOptions(innies=True), "this project"),
    ]


def _records(rows: list[Row]) -> list[str]:
    import json

    return [json.dumps(asdict(row), ensure_ascii=False) + "\n" for row in rows]


def _table(rows: list[Row], ruleset: Ruleset, room: int | None) -> list[str]:
    cells = [(row.choice, row.name, str(row.variables), str(row.clauses), row.reference) for row in rows]
    heads = [field.name for field in fields(Row)]
    lines = table_lines(heads, cells, room, numbers=("variables", "clauses"), below=("reference", "choice"))
    return [f"{line}\n" for line in (*lines, "", *wrapped(f"Sizes are those of a blank {ruleset}.", room))]
