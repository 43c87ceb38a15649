"""`ringdoku generate`: puzzles to a wish, from a seed."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import partial
from itertools import count as counter
from itertools import islice
from typing import Annotated, ClassVar, TextIO

import typer

from ringdoku.constraints.text import board_in, boxes_in, plain_rules, with_rules
from ringdoku.domain.board import Board
from ringdoku.domain.errors import InputError, Place, RuleError, UsageError
from ringdoku.domain.numbers import counted
from ringdoku.domain.result import Result, Status
from ringdoku.domain.ruleset import Ruleset
from ringdoku.drawing import PICTURES
from ringdoku.explanations.explanation import LEVELS
from ringdoku.services.placing import PLACED, REGIONS
from ringdoku.services.spec import HARDER, Generated, Solutions, Spec
from ringdoku.services.symmetries import SYMMETRIES
from ringdoku.text import FORMATS, Entry, layout_named, puzzle_text
from ringdoku.text.between import option_lines
from ringdoku.text.layout import grid_rows, rule_keys
from ringdoku_cli import options
from ringdoku_cli.exits import Exit
from ringdoku_cli.inputs import open_binary
from ringdoku_cli.judge_files import LAYOUTS, NAMES, files_of, require_free, table, write_files
from ringdoku_cli.messages import note
from ringdoku_cli.outputs import NUMBER, Writer, open_output
from ringdoku_cli.render import format_of

BLANKS = ".0_"
MOST_PUZZLES = 1_000_000
MOST_TESTS = 1000
TRIES = 1000
LARGEST_LINE = 61
"""The most digits that have a character each."""


@dataclass(frozen=True)
class Wished:
    """What puzzles are asked for."""

    count: Annotated[int, typer.Option("--count", min=1, max=MOST_PUZZLES, metavar="K", help="How many puzzles.")] = 1
    clues: Annotated[
        str | None,
        typer.Option("--clues", metavar="A-B", help="From A to B clues, or just A. Without it, minimal puzzles."),
    ] = None
    minimal: Annotated[
        bool,
        typer.Option("--minimal", help="No clue, and no constraint of --lay, can be left out. The default for clues."),
    ] = False
    symmetry: Annotated[
        str,
        options.choice("--symmetry", "symmetry", SYMMETRIES, f"Of the clues' cells: {', '.join(SYMMETRIES)}."),
    ] = "none"
    pattern: Annotated[
        str | None,
        typer.Option(
            "--pattern", metavar="FILE", help="Rows of . for a blank and X for a clue; clues stand just there."
        ),
    ] = None
    solutions: Annotated[
        str,
        options.choice(
            "--solutions",
            "number of solutions",
            [number.value for number in Solutions],
            "1; 2+ for several; 0 for none, without two clues that break a rule.",
        ),
    ] = "1"
    order: Annotated[int, typer.Option("--order", min=1, metavar="N", help="Puzzles of N×N.")] = 9
    lay: Annotated[
        list[str] | None,
        typer.Option(
            "--lay",
            metavar="CONSTRAINT",
            help=f"Place such constraints over the solution: {', '.join((*PLACED, REGIONS))}. "
            "The option can be repeated.",
        ),
    ] = None
    level: Annotated[
        str | None,
        typer.Option(
            "--level",
            metavar="A-B",
            help=f"How hard, from A to B, or just A, of: {', '.join(LEVELS)}. `ringdoku rate` tells the level.",
        ),
    ] = None
    tries: Annotated[
        int, typer.Option("--tries", min=1, metavar="N", help="Give a puzzle up after so many beginnings.")
    ] = TRIES
    time_limit: options.TimeLimit = None
    seed: Annotated[
        int, typer.Option("--seed", min=0, metavar="NUMBER", help="The same seed gives the same puzzles.")
    ] = 0
    box: options.Box = None
    rules: options.Rules = None

    @property
    def wish(self) -> Spec:
        """Raises `UsageError` for options that contradict each other."""
        least, most = _span(self.clues)
        ruleset = _ruleset(self.order, options.parse_box(self.box), self.rules or [])
        pattern = _cells(self.pattern, ruleset.board) if self.pattern else None
        return Spec(
            ruleset,
            least,
            most,
            self.minimal,
            self.symmetry,
            pattern,
            Solutions(self.solutions),
            tuple(self.lay or ()),
            _levels(self.level),
            self.tries,
        )


@dataclass(frozen=True)
class ForJudge:
    """A set of tests for a judge."""

    PANEL: ClassVar[str] = "Tests for a judge"

    judge: Annotated[
        str | None,
        options.choice(
            "--judge",
            "task",
            NAMES,
            f"Generate a set of --count tests for a judge, of the task {' or '.join(NAMES)}, into --out.",
        ),
    ] = None
    out: Annotated[
        str | None, typer.Option("--out", metavar="DIR", help="With --judge: a folder, or an archive .zip, to write.")
    ] = None
    layout: Annotated[
        str | None,
        options.choice(
            "--layout",
            "layout",
            LAYOUTS,
            "With --judge: flat, 1.in and 1.out, the default; or problem, with problem.yaml and data/secret.",
        ),
    ] = None


OutputFormat = Annotated[
    str | None,
    options.choice(
        "--output-format",
        "output format of generate",
        (*FORMATS, *PICTURES),
        f"The format of puzzles: {', '.join((*FORMATS, *PICTURES))}. Default: the one that the name of --output "
        "ends in; else line, or spaced where digits have no characters. json has the solutions too.",
    ),
]


def generate(wished: Wished, for_judge: ForJudge, output: options.Output, output_format: OutputFormat = None) -> Exit:
    """Generate puzzles, or a set of tests for a judge.

    Each has exactly one solution, which is proved, unless --solutions asks for others. Clues are taken away from a
    random solution in random order; the puzzles are no uniform sample of all there are. With --rule every puzzle has
    that rule. --lay draws constraints over the solution, and as few clues beside them as are needed, with --clues 0
    none; the rules are written above each puzzle.

    --level is the number of truths of the hardest step, as `ringdoku rate` counts them; singles: there are no other
    steps; cases: steps of at most 6 truths do not solve it. A puzzle of another level is thrown away. Unless --minimal,
    --clues or --pattern is given, one that is too hard may get clues back.

    A puzzle that cannot be had after --tries, or within --time-limit, is left out, and what was reached is said. With
    the same seed and options the same puzzles come in the same order, also for another --count, as long as no time
    limit is reached.

    --judge P1074 makes tests for the best score, 40 % with at least 30 clues, 80 % with 26, all with 24; --judge solve
    for any solution. They catch what wrong and slow programs do, every answer is proved by two ways, and a table says
    what each is for; `ringdoku judge` checks what programs answer.

    Exit status: 0 all were generated, 2 wrong usage, 3 at least one was not, 130 interrupted.
    """
    if for_judge.judge or for_judge.out or for_judge.layout:
        return _judge_set(wished, for_judge, output, output_format)
    wish = wished.wish
    text = "line" if wish.ruleset.order <= LARGEST_LINE else "spaced"
    name = format_of(output_format, output.output, (*FORMATS, *PICTURES)) or text
    if name in PICTURES and wished.count > 1 and NUMBER not in (output.output or ""):
        raise UsageError(f"a picture holds one puzzle; -o 'puzzle-{NUMBER}.{name}' names a file for each")
    written = text if name in PICTURES else name
    layout_named(written, wish.ruleset)
    exit_code = Exit.OK
    # it loads numpy and a solver
    from ringdoku.services.generator import make

    with output.answers(partial(_writer, name)) as answers:
        for number, made in enumerate(islice(make(wish, wished.seed, wished.time_limit), wished.count), 1):
            if made.puzzle is None:
                note(f"puzzle {number} was not found: {_reached(made)}")
                exit_code = Exit.UNKNOWN
                continue
            form = layout_named(written, made.puzzle.ruleset)
            status = Status.INFEASIBLE if made.solution is None else Status.SATISFIABLE
            about = f"seed {wished.seed} number {number}"
            entry = Entry(made.puzzle, form, Place("generated", number), made.solution, about)
            answers.begin(number, entry)
            answers.write(number, entry, Result(status, made.solution))
    return exit_code


def _judge_set(wished: Wished, for_judge: ForJudge, output: options.Output, output_format: str | None) -> Exit:
    """Writes the files, and prints the table of the tests."""
    task, out, count, seed, force = for_judge.judge, for_judge.out, wished.count, wished.seed, output.force
    if task is None:
        raise UsageError("--out and --layout go with --judge")
    if wished != Wished(count=count, seed=seed) or output_format or output.output:
        raise UsageError("--judge goes with --count, --seed, --out, --layout and --force alone")
    if out is None:
        raise UsageError("--judge needs --out, a folder or an archive .zip")
    require_free(out, force)
    if count > MOST_TESTS:
        raise UsageError(f"a set for a judge has at most {MOST_TESTS} tests, not {count}")
    from ringdoku.services.judge_sets import judge_set

    tests = list(judge_set(task, count, seed))
    write_files(out, list(files_of(task, tests, for_judge.layout or "flat", seed)), force)
    with open_output(None, force) as stream:
        stream.write(table(task, tests, seed))
    return Exit.OK


def _writer(name: str, stream: TextIO) -> Writer:
    if name in PICTURES:
        from ringdoku_cli.render.pictures import draw_puzzle

        return lambda entry, _: draw_puzzle(entry, name, stream)
    numbers = counter()
    return lambda entry, result: _shown(entry, name, result, first=next(numbers) == 0)


def _shown(entry: Entry, name: str, result: Result, first: bool) -> str:
    """A puzzle in a format, with the lines of its rules above it, and a blank line before all but the `first` where it
    has several lines."""
    puzzle, ruleset = entry.puzzle, entry.puzzle.ruleset
    if name == "json":
        record = {
            "name": entry.name,
            "box": ruleset.box and list(ruleset.box),
            **rule_keys(ruleset, None),
            "grid": grid_rows(puzzle.clues),
            "solution": result.grid and grid_rows(result.grid),
        }
        return json.dumps(record) + "\n"
    text = puzzle_text(puzzle, entry.layout)
    return text if first or text.count("\n") == 1 else f"\n{text}"


def _span(clues: str | None) -> tuple[int, int] | tuple[None, None]:
    if clues is None:
        return None, None
    found = re.fullmatch(r"([0-9]{1,7})(?:(?:-|\.\.)([0-9]{1,7}))?", clues)
    if not found:
        raise UsageError(f"--clues is a number or a span such as 24-30, not {clues!r}")
    return int(found[1]), int(found[2] or found[1])


def _levels(text: str | None) -> tuple[str, str] | None:
    if text is None:
        return None
    found = re.fullmatch(r"(\w+)(?:-(\w+))?", text)
    if not found:
        raise UsageError(f"--level is a level or a span such as 2-3, not {text!r}")
    return found[1], found[2] or found[1]


def _ruleset(order: int, box: tuple[int, int] | None, rules: list[str]) -> Ruleset:
    texts = option_lines(rules)
    try:
        board, shape = board_in(texts), boxes_in(texts)
        if board is None and shape is None:
            return with_rules(options.classic_rules(order, box), texts)
        return with_rules(plain_rules(board or Board.square(order), box or shape), texts)
    except RuleError as error:
        raise UsageError(f"--rule {error}") from None


def _cells(path: str, board: Board) -> frozenset[int]:
    """The cells of the marks in a file of rows, or of one line."""
    with open_binary(path) as stream:
        text = stream.read(board.grid_count * 8 + (1 << 16)).decode("utf-8", "replace")
    lines = [(number, "".join(line.split())) for number, line in enumerate(text.splitlines(), 1)]
    lines = [(number, line) for number, line in lines if line and not line.startswith("#")]
    if len(lines) == 1 and len(lines[0][1]) == board.grid_count:
        number, line = lines[0]
        lines = [(number, line[start : start + board.columns]) for start in range(0, board.grid_count, board.columns)]
    for number, line in lines:
        if len(line) != board.columns:
            raise InputError(
                Place(path, number), counted(len(line), "character"), f"{board.columns}, one for each cell"
            )
    if len(lines) != board.rows:
        raise InputError(Place(path), counted(len(lines), "row"), f"{board.rows}, for a board of {board}")
    marks = "".join(line for _, line in lines)
    return frozenset(cell for cell, mark in enumerate(marks) if mark not in BLANKS)


def _reached(made: Generated) -> str:
    why = "the time limit passed" if made.timed_out else "not to be had"
    nearest = "" if made.nearest is None else f"; the nearest had {counted(made.nearest, 'clue')}"
    missed = ", ".join(f"{made.missed[level]} {level}" for level in (*LEVELS, HARDER) if level in made.missed)
    levels = f"; levels: {missed}" if missed else ""
    return f"{why} after {counted(made.tries, 'beginning')}{nearest}{levels}"
