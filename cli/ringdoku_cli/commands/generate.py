"""`ringdoku generate`: puzzles to a wish, from a seed; and sets of tests for judges."""

import json
from dataclasses import dataclass
from functools import partial
from itertools import count as counter
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, ClassVar, TextIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from ringdoku import Board, Grid, Ruleset, Sense, __version__, classic
from ringdoku.constraints.text import shape_in, with_rules
from ringdoku.domain import InputError, Place, RuleError, UsageError, counted, plain_rules
from ringdoku.drawing import PICTURES
from ringdoku.explanations.explanation import LEVELS
from ringdoku.services.placing import PLACED, REGIONS
from ringdoku.services.spec import SYMMETRIES, Solutions, Spec
from ringdoku.text import FORMATS, Entry, layout_named, puzzle_text
from ringdoku.text.between import option_lines
from ringdoku.text.cells import MAX_SYMBOLS
from ringdoku.text.layout import grid_rows, rule_keys
from ringdoku_cli import options
from ringdoku_cli.exits import Exit, note
from ringdoku_cli.inputs import open_binary, weights_from
from ringdoku_cli.options import choice, option, refuse
from ringdoku_cli.outputs import NUMBER, Answers, Writer, open_output
from ringdoku_cli.render import LINKS, draw_puzzle, format_of, link_to

TASKS = ("P1074", "solve")
LAYOUTS = ("flat", "problem", "polygon", "luogu", "hydro")
"""Of packages for judges; what makes them loads numpy and a solver."""

FORMS = (*FORMATS, *PICTURES, *LINKS)
CLUES_HELP = "From A to B clues, or just A. Without it, minimal puzzles."
SYMMETRY_HELP = f"Of the clues' cells: {', '.join(SYMMETRIES)}."
MINIMAL_HELP = "No clue, and no constraint of --lay, can be left out. The default for clues."
PATTERN_HELP = "Rows of . for a blank and X for a clue; clues stand just there."
SOLUTIONS_HELP = "1; 2+ for several; 0 for none, without two clues that break a rule."
LAY_HELP = f"Place such constraints over the solution: {', '.join((*PLACED, REGIONS))}. The option can be repeated."
LEVEL_HELP = f"How hard, from A to B, or just A, of: {', '.join(LEVELS)}. `ringdoku rate` tells the level."
JUDGE_HELP = f"Generate a set of --count tests for a judge, of the task {' or '.join(TASKS)}, into --out."
LAYOUT_HELP = (
    "With --judge: flat, 1.in and 1.out, the default; or with statements, validators, checkers and programs as Kattis "
    "(problem), Polygon, Luogu or Hydro take them."
)
CASES_HELP = "With --judge: so many puzzles in each file, whose number is then its first line."
WEIGHTS_HELP = "With --judge P1074: n rows of n integers instead of the ring weights 6 + ring."
FORMAT_HELP = (
    f"The format of puzzles: {', '.join(FORMS)}. Default: the one that the name of --output ends in; else line, or "
    "spaced where digits have no characters. json and links have the solutions too."
)


@dataclass(frozen=True)
class Wished:
    """What puzzles are asked for."""

    count: Annotated[int, option("--count K", "How many puzzles.", min=1)] = 1
    clues: Annotated[str | None, option("--clues A-B", CLUES_HELP)] = None
    minimal: Annotated[bool, option("--minimal", MINIMAL_HELP)] = False
    symmetry: Annotated[str, choice("--symmetry", "symmetry", SYMMETRIES, SYMMETRY_HELP)] = "none"
    pattern: Annotated[str | None, option("--pattern FILE", PATTERN_HELP)] = None
    solutions: Annotated[
        str, choice("--solutions", "number of solutions", [number.value for number in Solutions], SOLUTIONS_HELP)
    ] = "1"
    order: Annotated[int, option("--order N", "Puzzles of N×N.", min=1)] = 9
    lay: Annotated[list[str] | None, option("--lay CONSTRAINT", LAY_HELP)] = None
    level: Annotated[str | None, option("--level A-B", LEVEL_HELP)] = None
    tries: Annotated[int, option("--tries N", "Give a puzzle up after so many beginnings.", min=1)] = Spec.tries
    time_limit: options.TimeLimit = None
    seed: Annotated[int, option("--seed NUMBER", "The same seed gives the same puzzles.", min=0)] = 0
    box: options.Box = None
    rules: options.Rules = None

    def spec(self) -> Spec:
        """Raises `UsageError` for options that contradict each other."""
        levels = options.parse_span("--level is a level or a span such as 2-3", r"(\w+)(?:-(\w+))?", self.level)
        ruleset = _ruleset(self.order, options.parse_box(self.box), self.rules or [])
        return Spec(
            ruleset,
            options.parse_clues(self.clues),
            self.minimal,
            self.symmetry,
            _cells(self.pattern, ruleset.board) if self.pattern else None,
            Solutions(self.solutions),
            tuple(self.lay or ()),
            levels,
            self.tries,
        )


@dataclass(frozen=True)
class ForJudge:
    """A set of tests for a judge."""

    PANEL: ClassVar[str] = "Tests for a judge"

    judge: Annotated[str | None, choice("--judge", "task", TASKS, JUDGE_HELP)] = None
    out: Annotated[str | None, option("--out DIR", "With --judge: a folder, or an archive .zip, to write.")] = None
    layout: Annotated[str | None, choice("--layout", "layout", LAYOUTS, LAYOUT_HELP)] = None
    cases: Annotated[int, option("--cases K", CASES_HELP, min=1)] = 1
    weights: Annotated[str | None, option("--weights FILE", WEIGHTS_HELP)] = None


OutputFormat = Annotated[str | None, choice("--output-format", "output format of generate", FORMS, FORMAT_HELP)]


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
    if for_judge != ForJudge():
        return _judge_set(wished, for_judge, output, output_format)
    spec = wished.spec()
    text = "line" if spec.ruleset.order <= MAX_SYMBOLS else "spaced"
    name = format_of(output_format, output.output, FORMS) or text
    one_file = name in PICTURES and wished.count > 1 and NUMBER not in (output.output or "")
    refuse(one_file, f"a picture holds one puzzle; -o 'puzzle-{NUMBER}.{name}' names a file for each")
    written = text if name in PICTURES or name in LINKS else name
    layout_named(written, spec.ruleset)
    exit_code = Exit.OK
    # it loads numpy and a solver
    from ringdoku.services.generator import make

    with Answers(output.output, output.force, partial(_writer, name)) as answers:
        for number, made in enumerate(islice(make(spec, wished.seed, wished.time_limit), wished.count), 1):
            if made.puzzle is None:
                note(f"puzzle {number} was not found: {made.missing}")
                exit_code = Exit.UNKNOWN
                continue
            form = layout_named(written, made.puzzle.ruleset)
            about = f"seed {wished.seed} number {number}"
            entry = Entry(made.puzzle, form, Place("generated", number), made.solution, about)
            answers.write(number, entry, made.solution)
    return exit_code


def _writer(name: str, stream: TextIO) -> Writer:
    """Writes a puzzle with the lines of its rules above it, and a blank line before all but the first where it has
    several lines."""
    if name in PICTURES:
        return lambda entry, _: draw_puzzle(entry, name, stream)
    if name in LINKS:
        return lambda entry, _: f"{link_to(name, entry.puzzle, entry.name, '', '', entry.solution)}\n"
    if name == "json":
        return _record
    numbers = counter()

    def text(entry: Entry, _: object) -> str:
        written = puzzle_text(entry.puzzle, entry.layout)
        return written if next(numbers) == 0 or written.count("\n") == 1 else f"\n{written}"

    return text


def _record(entry: Entry, solution: Grid | None) -> str:
    ruleset = entry.puzzle.ruleset
    record = {
        "name": entry.name,
        "box": ruleset.box and list(ruleset.box),
        **rule_keys(ruleset, None),
        "grid": grid_rows(entry.puzzle.clues),
        "solution": solution and grid_rows(solution),
    }
    return json.dumps(record) + "\n"


def _ruleset(order: int, box: tuple[int, int] | None, rules: list[str]) -> Ruleset:
    texts = option_lines(rules)
    try:
        board, shape = shape_in(texts)
        if board is None and shape is None:
            return with_rules(classic(order, box), texts)
        return with_rules(plain_rules(board or Board.square(order), box or shape), texts)
    except RuleError as error:
        raise UsageError(f"--rule {error}") from None


def _cells(path: str, board: Board) -> frozenset[int]:
    """The cells of the marks in a file, row after row."""
    with open_binary(path) as stream:
        lines = stream.read(board.grid_count * 8 + (1 << 16)).decode("utf-8", "replace").splitlines()
    marks = "".join("".join(line.split()) for line in lines if not line.lstrip().startswith("#"))
    if len(marks) != board.grid_count:
        raise InputError(Place(path), counted(len(marks), "character"), f"{board.grid_count}, one for each cell")
    return frozenset(cell for cell, mark in enumerate(marks) if mark not in ".0_")


def _judge_set(wished: Wished, for_judge: ForJudge, output: options.Output, output_format: str | None) -> Exit:
    """Writes the files, and prints the table of the tests."""
    name, out, count = for_judge.judge, for_judge.out, wished.count
    if name is None:
        raise UsageError("--out, --layout, --cases and --weights go with --judge")
    also = Wished(count=count, seed=wished.seed, order=wished.order, box=wished.box, rules=wished.rules)
    others = wished != also or output_format or output.output
    refuse(others, "--judge goes with --count, --seed, --order, --box, --rule, --force and its own options alone")
    refuse(name == "solve" and for_judge.weights, "--weights goes with --judge P1074")
    if not out:
        raise UsageError("--judge needs --out, a folder or an archive .zip")
    target = Path(out)
    is_taken = target.exists() and not output.force and (target.is_file() or any(target.iterdir()))
    refuse(is_taken, f"{out} exists and is not empty; --force writes there all the same")
    from ringdoku.services.judge_package import LAYOUTS as FILES
    from ringdoku.services.judge_package import Package
    from ringdoku.services.judge_sets import Task, judge_set

    ruleset = _ruleset(wished.order, options.parse_box(wished.box), wished.rules or [])
    weights = weights_from(for_judge.weights, Sense.MAXIMISE) if for_judge.weights else None
    task, cases = Task(name, ruleset, weights), for_judge.cases
    # another seed for the sample, so that it is no secret test
    sample = list(judge_set(task, cases, -1 - wished.seed))
    tests = list(judge_set(task, count * cases, wished.seed))
    package = Package(task, tests, sample, f"seed {wished.seed}, ringdoku {__version__}", cases)
    files = FILES[for_judge.layout or "flat"](package) | {"tests.md": package.table()}
    try:
        _write_files(target, files)
    except OSError as error:
        raise UsageError(f"cannot write {out}: {error.strerror or error}") from None
    with open_output(None, output.force) as stream:
        stream.write(files["tests.md"])
    return Exit.OK


def _write_files(target: Path, files: dict[str, str]) -> None:
    """Into a folder, or into an archive if the name ends in `.zip`: all of them or, where they cannot be written,
    none."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=".", dir=target.parent) as made:
        if target.suffix == ".zip":
            part = Path(made, "part")
            with ZipFile(part, "w", ZIP_DEFLATED) as archive:
                for name, text in files.items():
                    # without a time of its own, so that the same tests are the same bytes
                    info = ZipInfo(name)
                    info.external_attr = 0o644 << 16
                    archive.writestr(info, text, ZIP_DEFLATED)
            part.replace(target)
            return
        for name, text in files.items():
            file = Path(made, name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8", newline="\n")
        for name in files:
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            Path(made, name).replace(target / name)
