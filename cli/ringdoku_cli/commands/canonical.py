"""`ringdoku canonical`: the canonical form of each puzzle, and lists without isomorphic puzzles."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from ringdoku import Canonical, InputError, RingdokuError, canonical_many
from ringdoku.domain import counted
from ringdoku.services.canonical import TOGETHER
from ringdoku.text import OUTPUTS, Entry, layout_named, puzzle_text
from ringdoku_cli import options
from ringdoku_cli.exits import Exit, note
from ringdoku_cli.inputs import Puzzles
from ringdoku_cli.outputs import Answers
from ringdoku_cli.render import format_of, json_line

UNIQUE_HELP = "Print instead, as they were written, the puzzles that are isomorphic to no earlier one."
AUTOMORPHISMS_HELP = "Print beside each how many transformations leave it as it is."
FORMAT_HELP = f"The format of grids: {', '.join(OUTPUTS)}. Default: same, which is the format of the input."


@dataclass(frozen=True)
class Printed:
    """What is printed of each puzzle."""

    unique_only: Annotated[bool, options.option("--unique-only", UNIQUE_HELP)] = False
    automorphisms: Annotated[bool, options.option("--automorphisms", AUTOMORPHISMS_HELP)] = False
    output_format: Annotated[str | None, options.choice("--output-format", "format of grids", OUTPUTS, FORMAT_HELP)] = (
        None
    )
    as_json: options.Json = False


def canonical(inputs: options.Inputs, printed: Printed, output: options.Output) -> Exit:
    """Print each puzzle's canonical form, or drop isomorphic puzzles.

    Isomorphic puzzles become equal when digits, bands, rows of a band, stacks, columns of a stack and, where boxes are
    square, rows and columns are exchanged. The form is the first of them, read row by row with 0 for a blank: the
    row-minlex form. A solution that stands beside a puzzle on its line goes with it.

    Exit status: 0 all are printed, 2 malformed input, rules other than classic ones, or usage, 130 interrupted.
    """
    as_json = printed.as_json or format_of(None, output.output, ("json",)) == "json"
    number, seen = 0, set[str]()

    def write(entry: Entry, found: Canonical) -> str:
        return _text(printed, as_json, entry, found, number == 1)

    with inputs.puzzles() as puzzles, Answers(output.output, output.force, lambda _: write, inputs.files) as answers:
        for entries in _parts(puzzles):
            for entry, found in zip(entries, canonical_many(entry.puzzle for entry in entries), strict=True):
                number += 1
                form = f"{found.form.ruleset} {''.join(map(chr, found.form.clues.digits))}"
                if not printed.unique_only or form not in seen:
                    answers.write(number, entry, found)
                if printed.unique_only:
                    seen.add(form)
    if printed.unique_only:
        note(f"{number - len(seen)} of {counted(number, 'puzzle')} left out, isomorphic to earlier ones")
    return puzzles.exit


def _parts(puzzles: Puzzles) -> Iterator[list[Entry]]:
    """As many puzzles as are worked on together, or as there are before an error or a pause of the input."""
    part: list[Entry] = []
    try:
        for entry in puzzles:
            if entry.puzzle.ruleset.classic_box is None:
                raise InputError(entry.place, f"{entry.puzzle.ruleset}", "the rules of classic sudoku")
            part.append(entry)
            if len(part) == TOGETHER or not puzzles.ready():
                yield part
                part = []
    except RingdokuError:
        yield part
        raise
    yield part


def _text(printed: Printed, as_json: bool, entry: Entry, found: Canonical, is_first: bool) -> str:
    """The form, or the puzzle where forms are only compared, in the layout of the input."""
    puzzle, solution = found.form, entry.solution and found.moved(entry.solution)
    if printed.unique_only:
        puzzle, solution = entry.puzzle, entry.solution
    layout = layout_named(printed.output_format or "same", puzzle.ruleset, entry.layout)
    if as_json or layout.format == "json":
        grids = {"box": puzzle.ruleset.box, "grid": puzzle.clues.rows, "solution": solution and solution.rows}
        return json_line(entry, grids | {key: value for key, value in vars(found).items() if key != "form"})
    parts = [puzzle_text(puzzle, layout).rstrip("\n")]
    if layout.format != "line":
        parts += [f"# {found.automorphisms}"] if printed.automorphisms else []
        return "\n" * (layout.gap and not is_first) + "\n".join(parts) + "\n"
    parts += [layout.render(solution, puzzle.ruleset)] if solution else []
    parts += [str(found.automorphisms)] if printed.automorphisms else []
    parts += [f"# {entry.name}"] if entry.name and printed.unique_only else []
    return " ".join(parts) + "\n"
