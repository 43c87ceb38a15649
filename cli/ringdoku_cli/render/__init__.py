"""Answers as people and programs read them: grids in a text layout, drawings, pictures, scores, JSON, the lines of the
SAT Competition, and texts of the user's with named fields."""

import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from string import Formatter
from textwrap import wrap
from typing import TYPE_CHECKING, Any, TextIO, TypeAlias
from warnings import catch_warnings, simplefilter

from ringdoku import Objective, Result, Session, Status, TimeLimitError, UsageError
from ringdoku.domain import refuse
from ringdoku.drawing import PICTURES
from ringdoku.drawing.views import View, sentence_of
from ringdoku.text import OUTPUTS, Entry, layout_named
from ringdoku.text.layout import rule_keys
from ringdoku.text.stated import BY_THE_WORD_OF, NO_SOLUTION, UNKNOWN
from ringdoku_cli.exits import note, printable
from ringdoku_cli.outputs import NUMBER, Writer

if TYPE_CHECKING:
    from ringdoku.drawing.shapes import Scene

DRAWN = ("pretty", *PICTURES, "json")
"""They show a score together with its grid."""

OUTPUT_FORMATS = (*OUTPUTS, *DRAWN)
"""Every value of --output-format."""

TEXT_FORMATS = ("text", "json")
"""Those of answers without grids."""

LINKS = {
    "fpuzzles": "a link to f-puzzles, to change or solve it",
    "sudokupad": "a link to SudokuPad, to solve it",
    "penpa": "a link to Penpa+, with the solution if there is one",
    "iss": "a link to Interactive Sudoku Solver",
    "sudokuwiki": "what sudokuwiki.org's solver opens",
}
"""`ringdoku.links.LINKS`, which loads all constraints."""

COMPETITION = "competition"
"""The format of the SAT Competition, for `solve` alone."""

READY = {
    "case": "Case #{number}:\n{answer}",
    "scenario": "Scenario #{number}:\n{answer}\n",
    "solvable": "{solvable}",
    "unique": "{unique}",
    "solutions": "{solutions}",
}
"""Templates by name."""

FIELDS = ("number", "name", "answer", "grid", "score", "solvable", "unique", "solutions")
"""What may stand in braces. `answer` is what is printed without a template."""

Scored: TypeAlias = Callable[[Entry], Objective | None]
"""The objective of a puzzle whose question was for a best score."""


def format_of(asked: str | None, output: str | None, formats: Iterable[str] = TEXT_FORMATS) -> str | None:
    """The format that was asked for; else the one of `formats` that is the ending of the output's name; else None.
    Raises `UsageError` for the ending of a picture that is none of them."""
    ending = (output or "").rpartition(".")[2].lower()
    if asked or ending in formats:
        return asked or ending
    refuse(ending in PICTURES, f"{output} would be a picture, which this command does not draw; `ringdoku draw` does")
    return None


def link_to(program: str, entry: Entry) -> str:
    """The link of `LINKS` to a puzzle; a text of rules is made if there is none, and a solution is looked for, for 5
    seconds. Raises `UsageError` for another program, and for the first rule that the program does not have."""
    from ringdoku import links
    from ringdoku.drawing.picture import Picture

    refuse(program not in LINKS, f"there are links to {', '.join(LINKS)}, not to {program!a}")
    puzzle, write = entry.puzzle, links.LINKS[program]
    about = entry.about or "\n".join(Picture(puzzle.ruleset).sentences)
    shared = links.ImportedPuzzle(puzzle, entry.name, entry.author, about, entry.solution)
    link = write(shared)
    if entry.solution is None and program in links.WITH_SOLUTION:
        with suppress(TimeLimitError):
            found = list(islice(Session().solutions(puzzle, 5.0), 2))
            return write(replace(shared, solution=found[0])) if len(found) == 1 else link
    return link


def renderer(name: str, output: TextIO, groups: bool = False, scores: Scored = lambda _: None) -> Writer:
    """Makes whole lines of a `Result` in this format, one of `OUTPUT_FORMATS`, with the characters and colours that
    `output` can show; none where it writes bytes to the output. Text has a blank line between `groups` of answers."""
    if name == "pretty":
        from ringdoku_cli.render.terminal import pretty

        return lambda entry, result: pretty(entry, result, scores(entry), output=output)
    if name in PICTURES:
        return lambda entry, result: _render_picture(entry, result, scores(entry), name, output)
    formats: dict[str, Writer] = {"json": _render_json, COMPETITION: _render_competition}
    return formats.get(name) or Text(name, groups, scores=scores)


@dataclass
class Text:
    """Renders in `layout`, a name of `ringdoku.text.OUTPUTS`, or the score alone without one; with an objective the
    score comes first. Blank lines separate the answers where they separate the puzzles, and with `groups` those of
    several puzzles. `none` is what to say instead of "no solution"."""

    layout: str | None
    groups: bool = False
    none: str | None = None
    scores: Scored = lambda _: None
    is_first: bool = field(default=True, init=False)

    def __call__(self, entry: Entry, result: Result) -> str:
        ruleset = entry.puzzle.ruleset
        layout = layout_named(self.layout, ruleset, entry.layout) if self.layout else None
        begins = self.groups and result.rank == 1
        text = "\n" if not self.is_first and (begins or (layout and layout.gap)) else ""
        self.is_first = False
        if self.scores(entry) or not layout:
            text += score_line(result)
        elif result.status is Status.INFEASIBLE:
            text += f"{NO_SOLUTION}{by_word(result.word_of)}\n" if self.none is None else f"{self.none}\n"
        elif result.grid is None:
            text += f"{UNKNOWN}\n"
        return text + (f"{layout.render(result.grid, ruleset)}\n" if layout and result.grid else "")


def score_line(result: Result) -> str:
    """The score alone; -1 without a solution, as in NOIP 2009 "target sudoku" (Luogu P1074)."""
    without = "-1" if result.status is Status.INFEASIBLE else UNKNOWN
    return f"{without if result.score is None else result.score}\n"


def render_bound(_entry: Entry, result: Result) -> str:
    """The bound alone, whatever is known of solutions."""
    return score_line(result) if result.bound is None else f"{result.bound}\n"


_UNNAMED = ("CP-SAT", "Ganak", "the solver")
"""Whose word an answer may rest on though the user named no program. JSON says so; plain answers stay as they are."""


def by_word(word_of: str) -> str:
    """What to write after a statement that rests on the word of a program that the user named; empty otherwise."""
    return f"{BY_THE_WORD_OF}{printable(word_of)}" if word_of and word_of not in _UNNAMED else ""


def title_of(entry: Entry) -> str:
    """The name of a puzzle, or where it was read."""
    return entry.name or str(entry.place)


def who(entry: Entry) -> str:
    """Where a puzzle was read, and its name."""
    return printable(f"{entry.place} {entry.name}".rstrip())


def json_line(entry: Entry, record: dict[str, Any]) -> str:
    """A record about a puzzle, after its `name` and `place`, as one object on a line."""
    import json

    return json.dumps({"name": entry.name, "place": str(entry.place), **record}) + "\n"


def effort_of(result: Result) -> dict[str, Any]:
    """Who answered, what the answer rests on, and how long it took."""
    rests_on = {"word_of": result.word_of or None, "ground": result.ground or None}
    return {"backend": result.backend, **rests_on, "seconds": round(result.seconds, 6)}


def _render_json(entry: Entry, result: Result) -> str:
    """Always with the same keys: `box` [height, width] or null, `board` as a text or null where it is n×n with 1..n,
    `rules` in our text form, none where they are classic, `grid` as a list of rows or null, null too for `score` and
    `bound` where there is none, `word_of` and `ground` (what a final answer rests on, as in `Result`), and `seconds` of
    wall-clock time; with extra cells also `extra`, their digits by their names."""
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


def _render_competition(entry: Entry, result: Result) -> str:
    """The `c`, `s` and `v` lines. Variable cell·n + place, cells from 0, says that the cell has the digit at the place,
    from 1."""
    board = entry.puzzle.board
    n, from_one = board.order, 1 - board.least
    digit = f"digit {'+' if from_one > 0 else '-'} {abs(from_one)}" if from_one else "digit"
    answer = {Status.SATISFIABLE: "SATISFIABLE", Status.INFEASIBLE: "UNSATISFIABLE"}.get(result.status, "UNKNOWN")
    lines = [
        f"c {who(entry)}",
        f"c backend {result.backend}, {result.seconds:.6f} s",
        "c a variable is true when its cell holds its digit; row and column are from 0",
        f"c variable = (row*{board.columns} + column)*{n} + {digit}",
    ]
    if result.word_of:
        lines.append(f"c no proof was checked: the answer is the word of {printable(result.word_of)}")
    lines.append(f"s {answer}")
    if result.grid is not None:
        held = {cell * n + board.digits.index(digit) + 1 for cell, digit in enumerate(result.grid.digits)}
        literals = [var if var in held else -var for var in range(1, n * len(result.grid.digits) + 1)]
        lines += wrap(" ".join(map(str, [*literals, 0])), 78, initial_indent="v ", subsequent_indent="v ")
    return "".join(f"{line}\n" for line in lines)


def _render_picture(entry: Entry, result: Result, objective: Objective | None, form: str, output: TextIO) -> str:
    """The grid, or the clues alone where there is none."""
    said = {"caption" if result.grid else "alarm": printable(sentence_of(result))}
    return draw_puzzle(entry, form, output, grid=result.grid, objective=objective, **said)


def draw_puzzle(entry: Entry, form: str, output: TextIO, **more: Any) -> str:
    """The puzzle with `more` that a `View` has; as text nothing is left to write."""
    from ringdoku.drawing.drawer import scene_of

    view = View(entry.puzzle, symbols=entry.layout.symbols, title=title_of(entry), **more)
    write_picture([scene_of(view)], form, output)
    return ""


def write_picture(scenes: Sequence["Scene"], form: str, output: TextIO) -> None:
    """Raises `UsageError` where the bytes would go to a terminal, or to a file that has a picture already."""
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
    template: str, render: Writer, session: Session, time_limit: float | None, scored: bool = False
) -> Writer:
    """`render` with its text in a template, or one of `READY` by its name; `\\n` in it is the end of a line. Raises
    `UsageError` for a field that is not in `FIELDS`, and for a text without any."""
    text = READY.get(template, template.replace("\\n", "\n"))
    fields = FIELDS if scored else [field for field in FIELDS if field != "score"]
    try:
        parts = [(field, spec or how) for _, field, spec, how in Formatter().parse(text) if field is not None]
        wrong = next((f"no field is {{{field}}}" for field, more in parts if field not in fields or more), "")
        problem = wrong or ("" if parts else "it has no field in braces")
    except ValueError as error:
        problem = str(error)
    known = f"fields are {', '.join(fields)}; names are {', '.join(READY)}; a brace itself is {{{{ or }}}}"
    refuse(problem, f"--template {template!r}: {problem}; {known}")
    number = 0

    def count(entry: Entry, at_most: int | None) -> int | None:
        with suppress(TimeLimitError):
            return session.count_solutions(entry.puzzle, at_most, time_limit)
        return None

    def show(entry: Entry, result: Result) -> str:
        nonlocal number
        number += result.rank == 1
        # made where they are asked for: to count solutions takes time
        values: dict[str, Callable[[], object]] = {
            "number": lambda: number,
            "name": lambda: printable(entry.name),
            "answer": lambda: render(entry, result).strip("\n"),
            "grid": lambda: entry.layout.render(result.grid, entry.puzzle.ruleset) if result.grid else "",
            "score": lambda: score_line(result).strip(),
            "solvable": lambda: "Yes" if result.grid else "No" if result.status.is_final else UNKNOWN,
            "unique": lambda: {None: UNKNOWN, 1: "Yes"}.get(count(entry, 2), "No"),
            "solutions": lambda: UNKNOWN if (found := count(entry, None)) is None else found,
        }
        return text.format_map({field: values[field]() for field in dict(parts)}) + "\n"

    return show
