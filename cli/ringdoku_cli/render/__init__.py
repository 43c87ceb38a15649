"""Answers as text: grids in a layout, drawings, pictures, scores, JSON, and templates of the user. `renderer` returns
the writer of a format; `label` and `json_line` are for all commands."""

import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import count, islice
from string import Formatter
from typing import TYPE_CHECKING, Any, TextIO
from warnings import catch_warnings, simplefilter

from ringdoku import Objective, Result, Session, Status, TimeLimitError, UsageError
from ringdoku.domain import refuse
from ringdoku.drawing import PICTURES
from ringdoku.drawing.views import View, sentence_of
from ringdoku.services.session import count_or_none
from ringdoku.text import OUTPUTS, Entry, layout_named
from ringdoku.text.layout import rule_keys
from ringdoku.text.stated import BY_THE_WORD_OF, NO_SOLUTION, UNKNOWN
from ringdoku_cli.exits import Exit, note, printable
from ringdoku_cli.outputs import NUMBER, Writer

if TYPE_CHECKING:
    from ringdoku.drawing.shapes import Scene

SCORED_FORMATS = ("pretty", *PICTURES, "json")
"""The formats that show a score together with its grid."""

OUTPUT_FORMATS = (*OUTPUTS, *SCORED_FORMATS)
"""Every value of --output-format."""

TEXT_FORMATS = ("text", "json")
"""The formats of answers without grids."""

LINKS = {
    "fpuzzles": "a link to f-puzzles, to change or solve it",
    "sudokupad": "a link to SudokuPad, to solve it",
    "penpa": "a link to Penpa+, with the solution if there is one",
    "iss": "a link to Interactive Sudoku Solver",
    "sudokuwiki": "what sudokuwiki.org's solver opens",
}
"""The names of `ringdoku.links.LINKS`, repeated here since that module loads all constraints."""

NAMED_TEMPLATES = {
    "case": "Case #{number}:\n{answer}",
    "scenario": "Scenario #{number}:\n{answer}\n",
    "solvable": "{solvable}",
    "unique": "{unique}",
    "solutions": "{solutions}",
}

FIELDS = ("number", "name", "answer", "grid", "score", "solvable", "unique", "solutions")
"""The fields of a template. `answer` is what is printed without a template."""


def format_of(requested: str | None, output: str | None, formats: Iterable[str] = TEXT_FORMATS) -> str | None:
    """The `requested` format; else the one of `formats` that is the suffix of the output's name; else None. Raises
    `UsageError` for the suffix of a picture that is not among them."""
    suffix = (output or "").rpartition(".")[2].lower()
    if requested or suffix in formats:
        return requested or suffix
    refuse(suffix in PICTURES, f"{output} would be a picture, which this command does not draw; `ringdoku draw` does")
    return None


def link_to(program: str, entry: Entry) -> str:
    """The link to a puzzle for a program of `LINKS`. What the entry lacks is added: our text of the rules, and the only
    solution, searched for 5 seconds. Raises `UsageError` for an unknown program, or a rule that the program lacks."""
    from ringdoku import links
    from ringdoku.drawing.picture import Picture

    refuse(program not in LINKS, f"there are links to {', '.join(LINKS)}, not to {program!a}")
    puzzle, write = entry.puzzle, links.LINKS[program]
    about = entry.about or "\n".join(Picture(puzzle.ruleset).sentences)
    imported = links.ImportedPuzzle(puzzle, entry.name, entry.author, about, entry.solution)
    link = write(imported)
    if entry.solution is None and program in links.WITH_SOLUTION:
        with suppress(TimeLimitError):
            found = list(islice(Session().solutions(puzzle, 5.0), 2))
            return write(replace(imported, solution=found[0])) if len(found) == 1 else link
    return link


def renderer(
    name: str | None,
    output: TextIO,
    groups: bool = False,
    none: str | None = None,
    objective_of: Callable[[Entry], Objective | None] = lambda _: None,
) -> Writer:
    """The writer of results in a format of `OUTPUT_FORMATS`, or of scores alone for None, with characters and colours
    that `output` can show. It returns lines, or none if it writes bytes to the output itself.

    In a layout of grids the score comes first where there is an objective, and `none` is printed in place of "no
    solution". Blank lines separate answers where they separate puzzles in the layout, and with `groups` the answers of
    several puzzles.
    """
    if name == "pretty":
        from ringdoku_cli.render.terminal import pretty

        return lambda entry, result: pretty(entry, result, objective_of(entry), output=output)
    if name in PICTURES:
        return lambda entry, result: _render_picture(entry, result, objective_of(entry), name, output)
    if name == "json":
        return _render_json
    written = count()

    def render(entry: Entry, result: Result) -> str:
        ruleset = entry.puzzle.ruleset
        layout = layout_named(name, ruleset, entry.layout) if name else None
        text = "\n" if next(written) and ((groups and result.rank == 1) or (layout and layout.gap)) else ""
        if objective_of(entry) or not layout:
            text += score_line(result)
        elif result.status is Status.INFEASIBLE:
            text += f"{NO_SOLUTION}{attribution(result.word_of)}\n" if none is None else f"{none}\n"
        elif result.grid is None:
            text += f"{UNKNOWN}\n"
        return text + (f"{layout.render(result.grid, ruleset)}\n" if layout and result.grid else "")

    return render


def score_line(result: Result) -> str:
    """The score alone; -1 without a solution, as in NOIP 2009 "target sudoku" (Luogu P1074)."""
    without = "-1" if result.status is Status.INFEASIBLE else UNKNOWN
    return f"{without if result.score is None else result.score}\n"


def render_bound(_entry: Entry, result: Result) -> str:
    """The bound alone, without a solution too; -1 or `unknown` if there is no bound."""
    return score_line(result) if result.bound is None else f"{result.bound}\n"


_OWN_CHOICES = ("CP-SAT", "Ganak", "the solver")
"""Programs that we choose, not the user: plain answers do not mention that they rest on the word of one, JSON does."""


def attribution(word_of: str) -> str:
    """`, by the word of PROGRAM` for a statement that only a program of the user stands for; else nothing."""
    return f"{BY_THE_WORD_OF}{printable(word_of)}" if word_of and word_of not in _OWN_CHOICES else ""


def title_of(entry: Entry) -> str:
    """The name of a puzzle, or the place where it was read if it has none."""
    return entry.name or str(entry.place)


def label(entry: Entry) -> str:
    """The place where a puzzle was read, and its name, with which messages about it begin."""
    return printable(f"{entry.place} {entry.name}".rstrip())


def json_line(entry: Entry, record: dict[str, Any]) -> str:
    """A record about a puzzle, after its `name` and `place`, as one object on a line."""
    import json

    return json.dumps({"name": entry.name, "place": str(entry.place), **record}) + "\n"


def effort_of(result: Result) -> dict[str, Any]:
    """For JSON: the backend, what the answer rests on, and how long it took."""
    rests_on = {"word_of": result.word_of or None, "ground": result.ground or None}
    return {"backend": result.backend, **rests_on, "seconds": round(result.seconds, 6)}


def _render_json(entry: Entry, result: Result) -> str:
    """A line with always the same keys: `box` [height, width] or null; `board` as a text, null if it is n×n with 1..n;
    `rules` in our text form, empty if they are classic; `grid`, a list of rows, `score` and `bound`, null if there is
    none; `word_of` and `ground`, what a final answer rests on, as in `Result`; and `seconds` of wall-clock time. With
    extra cells also `extra`, their digits by their names."""
    ruleset = entry.puzzle.ruleset
    record = {
        "box": ruleset.box and list(ruleset.box),
        **rule_keys(ruleset, result.grid),
        "status": result.status.value,
        "grid": result.grid and result.grid.rows,
        "score": result.score,
        "bound": result.bound,
        **effort_of(result),
    }
    return json_line(entry, record)


def _render_picture(entry: Entry, result: Result, objective: Objective | None, form: str, output: TextIO) -> str:
    """A picture of the grid, or of the clues alone if there is none."""
    message = {"caption" if result.grid else "alarm": printable(sentence_of(result))}
    return draw_puzzle(entry, form, output, grid=result.grid, objective=objective, **message)


def draw_puzzle(entry: Entry, form: str, output: TextIO, **more: Any) -> str:
    """Write a picture of the puzzle with `more` fields of `View`. Returns no text, as a `Writer` that wrote bytes."""
    from ringdoku.drawing.drawer import scene_of

    view = View(entry.puzzle, symbols=entry.layout.symbols, title=title_of(entry), **more)
    write_picture([scene_of(view)], form, output)
    return ""


def write_picture(scenes: Sequence["Scene"], form: str, output: TextIO) -> None:
    """Write scenes to the output. Raises `UsageError` if it is a terminal, or a file that has a picture already."""
    from ringdoku.drawing.files import picture_file

    refuse(form != "svg" and output.isatty(), f"{form} is not for a terminal; -o FILE.{form} names a file")
    if output is not sys.stdout and output.seekable() and output.tell():
        raise UsageError(f"a picture holds one grid; -o 'grid-{NUMBER}.{form}' names a file for each")
    with catch_warnings(record=True) as warnings:
        simplefilter("always")
        picture = picture_file(scenes, form)
    for warning in warnings:
        note(warning.message)
    output.flush()
    output.buffer.write(picture)


def with_template(
    template: str, render: Writer, session: Session, time_limit: float | None, limits: set[Exit], scored: bool = False
) -> Writer:
    """A writer that puts the text of `render`, and other fields, into a template: a text in which `\\n` ends a line, or
    a name in `NAMED_TEMPLATES`. It adds the exit code to `limits` where a count reached the time limit. Raises
    `UsageError` for an unknown field, and for a template without any."""
    text = NAMED_TEMPLATES.get(template, template.replace("\\n", "\n"))
    fields = FIELDS if scored else [field for field in FIELDS if field != "score"]
    try:
        parts = [(field, spec or how) for _, field, spec, how in Formatter().parse(text) if field is not None]
        shaped = " with a format"
        wrong = next((f"no field is {{{f}}}{shaped * bool(more)}" for f, more in parts if f not in fields or more), "")
        problem = wrong or ("" if parts else "it has no field in braces")
    except ValueError as error:
        problem = str(error)
    choices = f"fields are {', '.join(fields)}; names are {', '.join(NAMED_TEMPLATES)}; a brace itself is {{{{ or }}}}"
    refuse(problem, f"--template {template!r}: {problem}; {choices}")
    number = 0

    def show(entry: Entry, result: Result) -> str:
        nonlocal number
        number += result.rank == 1
        counted = partial(count_or_none, session, entry.puzzle, time_limit=time_limit)
        # functions, since counting solutions takes time and only some fields are needed
        values: dict[str, Callable[[], object]] = {
            "number": lambda: number,
            "name": lambda: printable(entry.name),
            "answer": lambda: render(entry, result).strip("\n"),
            "grid": lambda: entry.layout.render(result.grid, entry.puzzle.ruleset) if result.grid else "",
            "score": lambda: score_line(result).strip(),
            "solvable": lambda: "Yes" if result.grid else "No" if result.status.is_final else UNKNOWN,
            "unique": lambda: {None: UNKNOWN, 1: "Yes"}.get(counted(2), "No"),
            "solutions": lambda: UNKNOWN if (found := counted(None)) is None else found,
        }
        shown = {field: values[field]() for field in dict(parts)}
        limits.update([Exit.UNKNOWN] * (UNKNOWN in (shown.get("unique"), shown.get("solutions"))))
        return text.format_map(shown) + "\n"

    return show
