"""`ringdoku list`: the backends, the encodings, or the constraints, from their registries."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from ringdoku.domain.board import Board
from ringdoku.domain.constraint import Constraint, codecs_of
from ringdoku.domain.errors import RuleError, UsageError
from ringdoku_cli import options
from ringdoku_cli.exits import Exit
from ringdoku_cli.outputs import open_output
from ringdoku_cli.render.table import INDENT, table_lines, terminal_width, wrapped

BACKENDS, ENCODINGS, CONSTRAINTS = "backends", "encodings", "constraints"


@dataclass(frozen=True)
class Listing:
    """What is listed: a record for each, and how they are printed. In a table, the columns of `below` move below the
    row where there is no room, and `foot` follows; a list without `heads` has a paragraph for each."""

    records: Sequence[dict[str, Any]]
    rows: Sequence[Sequence[str]]
    heads: Sequence[str] = ()
    numbers: Sequence[str] = ()
    below: Sequence[str] = ()
    about: str = ""
    foot: str = ""

    def only(self, name: str) -> Listing:
        """The one of this name. Raises `UsageError`."""
        names = [record["name"] for record in self.records]
        if name not in names:
            raise UsageError(f"{name!r} is not in the list; there are: {', '.join(names)}")
        chosen = [number for number, found in enumerate(names) if found == name]
        records, rows = [self.records[number] for number in chosen], [self.rows[number] for number in chosen]
        return Listing(records, rows, self.heads, self.numbers, self.below)

    def lines(self, room: int | None) -> Sequence[str]:
        """For a terminal of so many columns."""
        if self.heads:
            lines = table_lines(self.heads, self.rows, room, numbers=self.numbers, below=self.below)
        else:
            room = room or 80
            lines = wrapped(self.about, room) if self.about else []
            for head, *rest in self.rows:
                lines += [*([""] if lines else []), *wrapped(head, room)]
                lines += [line for text in rest for line in wrapped(text, room, INDENT)]
        return [*lines, "", *wrapped(self.foot, room)] if self.foot else lines


def list(  # noqa: A001  the name of the command
    what: Annotated[
        str, typer.Argument(metavar="WHAT", show_default=False, help=f"{BACKENDS}, {ENCODINGS} or {CONSTRAINTS}.")
    ],
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", show_default=False, help="Just the one of this name.")
    ] = None,
    order: Annotated[
        int | None, typer.Option("--order", metavar="N", min=1, help="For encodings: the order of the board, 9.")
    ] = None,
    box: options.Box = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object on each line instead of the list.")
    ] = False,
) -> Exit:
    """List the backends, the encodings or the constraints.

    Backends: what each can do, the version of its package, or how to install it. Encodings: clause sets, digits,
    at-most-one, triads and innies; each with the numbers of variables and clauses of a blank board's formula with that
    choice, where the other choices are extended, direct and pairwise. Constraints: an example of each, what it demands,
    who else writes it, and which exports can say it.

    Exit status: 0 listed, 2 wrong usage.
    """
    if what != ENCODINGS and (order or box):
        raise UsageError(f"--order and --box go with {ENCODINGS}")
    if what == ENCODINGS:
        found = _encodings(order or 9, options.parse_box(box))
    elif what in (BACKENDS, CONSTRAINTS):
        found = _backends() if what == BACKENDS else _constraints()
    else:
        raise UsageError(f"there is no list of {what!r}; there are: {BACKENDS}, {ENCODINGS}, {CONSTRAINTS}")
    if name is not None:
        found = found.only(name)
    with open_output(None, force=False) as stream:
        if as_json:
            stream.writelines(json.dumps(record, ensure_ascii=False) + "\n" for record in found.records)
        else:
            stream.writelines(f"{line}\n" for line in found.lines(terminal_width(stream)))
        stream.flush()
    return Exit.OK


def _backends() -> Listing:
    from ringdoku.solvers.base import Ability
    from ringdoku.solvers.registry import (
        BACKENDS,
        DEFAULT_TO_SOLVE_BLANK,
        DEFAULT_TO_SOLVE_RULES,
        LARGEST_LIVE_ORDER,
        Entry,
        find,
    )

    def record(entry: Entry) -> dict[str, Any]:
        return {
            "name": entry.name,
            "summary": entry.summary,
            "abilities": [ability.value for ability in Ability if ability in entry.abilities],
            "installed": not entry.missing,
            "packages": [
                {"name": package.distribution, "version": package.version, "install": package.install}
                for package in entry.packages
            ],
        }

    def row(entry: Entry) -> tuple[str, ...]:
        packages = ", ".join(
            f"{package.distribution} {package.version}" if package.version else f"missing: {package.install}"
            for package in entry.packages
        )
        can = ("yes" if ability in entry.abilities else "-" for ability in Ability)
        return entry.name, *can, entry.summary, packages or "no package"

    solving, optimising, proving = (
        find("auto", ability).name for ability in (Ability.SATISFY, Ability.OPTIMISE, Ability.PROOF)
    )
    foot = (
        f"auto is {solving} to solve ({DEFAULT_TO_SOLVE_RULES} with other rules than houses, {DEFAULT_TO_SOLVE_BLANK} "
        f"above order {LARGEST_LIVE_ORDER} with few clues), {optimising} to maximise, "
        f"and {proving} to prove that there is no solution."
    )
    heads = ("backend", *(ability.value for ability in Ability), "what it is", "package")
    entries = tuple(BACKENDS.values())
    return Listing(
        tuple(map(record, entries)), tuple(map(row, entries)), heads, below=("package", "what it is"), foot=foot
    )


def _encodings(order: int, box: tuple[int, int] | None) -> Listing:
    # the registries need numpy, which takes time to load
    from ringdoku.sat.at_most_one import AT_MOST_ONE
    from ringdoku.sat.digits import DIGITS, TRIADS_REFERENCE
    from ringdoku.sat.options import CLAUSE_SET_REFERENCES, ClauseSet, EncodingOptions, formula_size

    ruleset = options.classic_rules(order, box)
    choices = (
        *(("clause set", each.value, EncodingOptions(each), CLAUSE_SET_REFERENCES[each]) for each in ClauseSet),
        *(("digits", each.name, EncodingOptions(digits=each.name), each.reference) for each in DIGITS.values()),
        *(
            ("at most one", each.name, EncodingOptions(at_most_one=each.name), each.reference)
            for each in AT_MOST_ONE.values()
        ),
        ("triads", "triads", EncodingOptions(triads=True), TRIADS_REFERENCE),
        ("innies", "innies", EncodingOptions(innies=True), "this project"),
    )
    heads = ("choice", "name", "variables", "clauses", "reference")
    rows = [(choice, name, *formula_size(ruleset, chosen), reference) for choice, name, chosen, reference in choices]
    return Listing(
        [dict(zip(heads, row, strict=True)) for row in rows],
        [tuple(map(str, row)) for row in rows],
        heads,
        numbers=("variables", "clauses"),
        below=("reference", "choice"),
        foot=f"Sizes are those of a blank {ruleset}.",
    )


ABOUT = (
    "A constraint is a line above a grid, or after --rule: its name, its numbers, a colon and its cells. r1c1-r1c4 is "
    "a straight run of cells; | separates sets of cells. JSON has them under the key rules. Every export format "
    "can say a constraint unless its entry names those that can."
)
MORE = (
    "The line `no boxes` takes the boxes away, `no lines` rows and columns; regions replace boxes. `board 4x7 digits "
    "0-6` above a grid is for one that is not n×n with the digits 1 to n."
)
ORDERS = (4, 6, 9)
"""Of the boards that the examples of constraints are for."""


def _constraints() -> Listing:
    # they take longer to load than all other commands to start
    from ringdoku.constraints.registry import LISTED, aliases_of
    from ringdoku.links import PROGRAMS

    def record(kind: type[Constraint]) -> dict[str, Any]:
        return {
            "name": kind.text,
            "aliases": aliases_of(kind.text),
            "summary": kind.summary,
            "example": kind.example,
            "fields": {name: codec.called for name, codec in codecs_of(kind).items()},
            "read_from": tuple(name for name, states in PROGRAMS.items() if kind in states),
            "exports": _exports_of(kind),
        }

    records = tuple(map(record, LISTED.values()))
    rows = tuple((each["example"], each["summary"], _origin(each)) for each in records)
    return Listing(records, rows, about=ABOUT, foot=MORE)


def _exports_of(kind: type[Constraint]) -> tuple[str, ...]:
    """The export formats that can say the example of a constraint, on the least board that it is for."""
    from ringdoku.constraints.registry import read_constraint
    from ringdoku.exports import EXPORTS, can_state

    for board in map(Board.square, ORDERS):
        try:
            constraint = read_constraint(kind.example, board)
        except RuleError:
            continue
        return tuple(name for name in EXPORTS if can_state(name, constraint, board))
    return ()


def _origin(record: dict[str, Any]) -> str:
    """Other names of a constraint, and what can be read and exported with it; empty where there is nothing to say: no
    other name, read from our own formats alone, and said in all exports."""
    from ringdoku.exports import EXPORTS

    def named(words: str, names: Iterable[str]) -> str:
        return f"{words} {', '.join(names)}" if names else ""

    parts = [named("also called", record["aliases"]), named("read from", record["read_from"])]
    if len(record["exports"]) < len(EXPORTS):
        parts.append(named("exported to", record["exports"] or ("no format",)))
    return "; ".join(filter(None, parts))
