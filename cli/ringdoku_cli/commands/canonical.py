"""`ringdoku canonical`: the canonical form of each puzzle, and lists without isomorphic puzzles."""

from collections.abc import Iterator
from functools import partial
from typing import Annotated

import ringdoku
from ringdoku.domain import InputError, RingdokuError, counted
from ringdoku.text import OUTPUTS, Entry, layout_named, puzzle_text
from ringdoku.text.stated import UNKNOWN
from ringdoku_cli.exits import Exit, note, printable, worst
from ringdoku_cli.inputs import Puzzles
from ringdoku_cli.options import Inputs, Output, choice, option
from ringdoku_cli.outputs import Answers
from ringdoku_cli.render import format_of, json_line

UNIQUE_HELP = "Print instead, as they were written, the puzzles that are isomorphic to no earlier one."
AUTOMORPHISMS_HELP = "Print beside each how many transformations leave it as it is."
FORMATS = (*OUTPUTS, "json")
FORMAT_HELP = f"The format of grids: {', '.join(FORMATS)}. Default: same, which is the format of the input."


def canonical(
    inputs: Inputs,
    output: Output,
    unique_only: Annotated[bool, option("--unique-only", UNIQUE_HELP)] = False,
    automorphisms: Annotated[bool, option("--automorphisms", AUTOMORPHISMS_HELP)] = False,
    output_format: Annotated[str | None, choice("--output-format", FORMATS, FORMAT_HELP)] = None,
) -> Exit:
    """Isomorphic puzzles become equal when digits, bands, rows of a band, stacks, columns of a stack and, where boxes
    are square, rows and columns are exchanged. The canonical form is the smallest of them, read row by row with 0 for
    a blank: the row-minlex form. A solution beside a puzzle on its line is transformed with it.

    Exit status: 0 all are printed, 2 malformed input, rules other than classic ones, or usage, 3 a large puzzle has too
    many symmetries, 130 interrupted.
    """
    form = format_of(output_format, output.output, FORMATS) or "same"
    number, seen, exit_code = 0, set[str](), Exit.OK
    writer = partial(_render, form, automorphisms, not unique_only)
    with inputs.puzzles() as puzzles, Answers(output.output, output.force, lambda _: writer, inputs.files) as answers:
        for entries in _batches(puzzles):
            for entry, found in zip(entries, ringdoku.canonical_many(entry.puzzle for entry in entries), strict=True):
                number += 1
                if found is None:
                    note(f"{entry.place}: too many symmetries: the canonical form is not known")
                    exit_code = Exit.UNKNOWN
                key = repr(found.form if found else entry)
                if not unique_only or key not in seen:
                    answers.write(number, entry, found, apart=True)
                if unique_only:
                    seen.add(key)
    if unique_only:
        note(f"{number - len(seen)} of {counted(number, 'puzzle')} left out, isomorphic to earlier ones")
    return worst(exit_code, puzzles.exit)


def _batches(puzzles: Puzzles) -> Iterator[list[Entry]]:
    """The puzzles in batches that are computed together. A batch ends early at an error or a pause of the input."""
    # imports numpy, which the help does not need
    from ringdoku.services.canonical import BATCH

    batch: list[Entry] = []
    try:
        for entry in puzzles:
            if entry.puzzle.ruleset.classic_box:
                batch.append(entry)
            else:
                puzzles.refuse(InputError(entry.place, f"{entry.puzzle.ruleset}", "the rules of classic sudoku"))
            if len(batch) == BATCH or not puzzles.ready():
                yield batch
                batch = []
    except RingdokuError:
        yield batch
        raise
    yield batch


def _render(form: str, symmetries: bool, to_form: bool, entry: Entry, found: "ringdoku.Canonical | None") -> str:
    """The puzzle, or its canonical form with `to_form`, and the solution on its line; the name is a comment."""
    puzzle, solution = entry.puzzle, entry.solution
    if to_form and found is None:
        return f"{UNKNOWN}\n"
    if to_form and found:
        puzzle, solution = found.form, solution and found.moved(solution)
    layout = layout_named(form, puzzle.ruleset, entry.layout)
    if layout.format == "json":
        grids = {"box": puzzle.ruleset.box, "grid": puzzle.clues.rows, "solution": solution and solution.rows}
        return json_line(entry, grids | {"automorphisms": found and found.automorphisms})
    words = " ".join([*([str(found.automorphisms)] if symmetries and found else []), printable(entry.name)]).strip()
    comment = [f"# {words}"] if words else []
    written = puzzle_text(puzzle, layout).rstrip("\n")
    if layout.format == "line":
        return " ".join([written, *([layout.render(solution, puzzle.ruleset)] if solution else []), *comment]) + "\n"
    return "\n".join([*comment, written]) + "\n"
