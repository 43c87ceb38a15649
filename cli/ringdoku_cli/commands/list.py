"""`ringdoku list`: the backends, the encodings, or the constraints, from their registries."""

import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from ringdoku.domain import Puzzle, UsageError, perhaps, refuse
from ringdoku.domain.constraint import codecs_of
from ringdoku.solvers import registry
from ringdoku.solvers.registry import Ability
from ringdoku_cli.exits import Exit
from ringdoku_cli.options import Box, TextFormat, argument, option, parse_box
from ringdoku_cli.outputs import open_output
from ringdoku_cli.render.terminal import INDENT, table_lines, terminal_width, wrapped

if TYPE_CHECKING:
    from ringdoku.sat.options import EncodingOptions

BACKENDS, ENCODINGS, CONSTRAINTS = "backends", "encodings", "constraints"
Record = dict[str, Any]
Items = dict[str, tuple[Record, Sequence[str]]]
"""For each name the record for JSON, and the texts that show it: cells of a row, or paragraphs."""
Listing: TypeAlias = tuple[Items, Sequence[str], str]
"""The items; the heads of their table, empty if each is shown as a paragraph; and the text below."""


def list(  # noqa: A001  the name of the command
    what: Annotated[str, argument("WHAT", f"{BACKENDS}, {ENCODINGS} or {CONSTRAINTS}.")],
    name: Annotated[str | None, argument("[NAME]", "Just the one of this name.")] = None,
    order: Annotated[int | None, option("--order N", "For encodings: the order of the board, 9.", min=1)] = None,
    box: Box = None,
    output_format: TextFormat = None,
) -> Exit:
    """Backends: what each can do, the version of its package, or how to install it. Encodings: clause sets, digits,
    at-most-one, triads and innies; each with the numbers of variables and clauses of a blank board's formula with that
    choice, where the other choices are extended, direct and pairwise. Constraints: an example of each, what it demands,
    who else writes it; as JSON also which exports can say it.

    Exit status: 0 listed, 2 wrong usage.
    """
    refuse(what != ENCODINGS and (order or box), f"--order and --box go with {ENCODINGS}")
    lists: dict[str, Callable[[], Listing]] = {
        BACKENDS: _backends,
        ENCODINGS: partial(_encodings, order or 9, parse_box(box)),
        CONSTRAINTS: _constraints,
    }
    refuse(what not in lists, f"there is no list of {what!r}; there are: {', '.join(lists)}")
    items, heads, foot = lists[what]()
    if name and what == CONSTRAINTS:
        from ringdoku.constraints.registry import split_name

        name = split_name(name)[0] or name
    if name and name not in items:
        raise UsageError(f"{name!r} is not in the list{perhaps(name, items)}; there are: {', '.join(items)}")
    chosen = [items[name]] if name else items.values()
    with open_output(None, force=False) as stream:
        if output_format == "json":
            stream.writelines(json.dumps(record, ensure_ascii=False) + "\n" for record, _ in chosen)
        else:
            stream.write(_text([row for _, row in chosen], heads, "" if name else foot, terminal_width(stream)))
    return Exit.OK


def _text(rows: Sequence[Sequence[str]], heads: Sequence[str], foot: str, width: int | None) -> str:
    """A table, or paragraphs if there are no heads, for a terminal of `width` columns."""
    if heads:
        blocks = [table_lines(heads, rows, width, ("variables", "clauses"))]
    else:
        width = width or 80
        blocks = [
            [*wrapped(head, width), *(line for text in rest for line in wrapped(text, width, INDENT))]
            for head, *rest in rows
        ]
    blocks += [wrapped(foot, width)] if foot else []
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"


def _backends() -> Listing:
    # imported here: it takes 20 ms
    from importlib.metadata import version

    items: Items = {}
    for entry in registry.BACKENDS.values():
        packages = [{"name": name, "version": version(name)} for name in entry.packages]
        record = {
            "name": entry.name,
            "summary": entry.summary,
            "abilities": [ability.value for ability in Ability if ability in entry.abilities],
            "packages": packages,
        }
        can = ("yes" if ability in entry.abilities else "-" for ability in Ability)
        has = ", ".join(" ".join(package.values()) for package in packages) or "no package"
        items[entry.name] = record, [entry.name, *can, entry.summary, has]
    solving, optimising = (registry.find("auto", ability).name for ability in (Ability.SATISFY, Ability.OPTIMISE))
    foot = (
        f"auto is {solving} to solve ({registry.DEFAULT_TO_SOLVE_BLANK} above order {registry.LARGEST_LIVE_ORDER} "
        f"with few clues and no rules but houses), and {optimising} to maximise."
    )
    return items, ("backend", *(ability.value for ability in Ability), "what it is", "package"), foot


def encoding_choices() -> Sequence[tuple[str, str, "EncodingOptions", str]]:
    """For each choice its kind, its name, the textbook encoding with this one choice changed, and its paper."""
    # the registries need numpy, which takes time to load
    from ringdoku.sat.at_most_one import AT_MOST_ONE
    from ringdoku.sat.digits import DIGITS, TRIADS_REFERENCE
    from ringdoku.sat.options import CLAUSE_SET_REFERENCES, ClauseSet, EncodingOptions

    choices = [("clause set", each.value, EncodingOptions(each), CLAUSE_SET_REFERENCES[each]) for each in ClauseSet]
    choices += [("digits", name, EncodingOptions(digits=name), each.reference) for name, each in DIGITS.items()]
    for name, each in AT_MOST_ONE.items():
        choices.append(("at most one", name, EncodingOptions(at_most_one=name), each.reference))
    choices.append(("triads", "triads", EncodingOptions(triads=True), TRIADS_REFERENCE))
    choices.append(("innies", "innies", EncodingOptions(innies=True), "this project"))
    return choices


def _encodings(order: int, box: tuple[int, int] | None) -> Listing:
    from ringdoku.lowering.cnf import lower_to_cnf

    puzzle = Puzzle.blank(order, box)
    # the clauses are counted, and the formulas of larger boards take long to build
    refuse(order > 36, f"encodings are listed with their sizes up to --order 36, not {order}")
    heads = ("choice", "name", "variables", "clauses", "reference")
    items: Items = {}
    for choice, name, chosen, reference in encoding_choices():
        formula = lower_to_cnf(puzzle, chosen).cnf
        record = (choice, name, formula.num_vars, formula.num_clauses, reference)
        items[name] = dict(zip(heads, record, strict=True)), [*map(str, record)]
    return items, heads, f"Sizes are those of a blank {puzzle.ruleset}."


ABOUT = (
    "A constraint is a line above a grid, or after --rule: its name, its numbers, a colon and its cells. r1c1-r1c4 is "
    "a straight run of cells; | separates sets of cells. JSON has them under the key rules. Every export format "
    "but dlx can say each of them. The line `no boxes` takes the boxes away, `no lines` rows and columns; regions "
    "replace boxes. `board 4x7 digits 0-6` above a grid is for one that is not n×n with the digits 1 to n."
)


def _constraints() -> Listing:
    # they take longer to load than all other commands to start
    from ringdoku.constraints.registry import ALIASES, LISTED
    from ringdoku.exports import EXPORTS
    from ringdoku.links import PROGRAMS

    items: Items = {}
    for kind in LISTED.values():
        record: Record = {
            "name": kind.text,
            "aliases": sorted(alias for alias, meant in ALIASES.items() if meant.partition(" ")[0] == kind.text),
            "summary": kind.summary,
            "example": kind.example,
            "fields": {name: codec.called for name, codec in codecs_of(kind).items()},
            "read_from": tuple(name for name, states in PROGRAMS.items() if kind in states),
            "exports": tuple(row.name for row in EXPORTS.values() if not row.houses_alone),
        }
        names_of = {"also called": record["aliases"], "read from": record["read_from"]}
        origin = "; ".join(f"{words} {', '.join(names)}" for words, names in names_of.items() if names)
        items[kind.text] = record, [kind.example, kind.summary, origin]
    return items, (), ABOUT
