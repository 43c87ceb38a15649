"""`ringdoku generate`: puzzles with properties that the user asks for, from a seed; and sets of tests for judges."""

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, TextIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from ringdoku import Board, Grid, Puzzle, Ruleset, Session, TimeLimitError, __version__, check, classic
from ringdoku.constraints.registry import shape_in, with_rules
from ringdoku.domain import InputError, Place, RuleError, UsageError, counted, plain_rules, refuse, refusing
from ringdoku.drawing import PICTURES
from ringdoku.explanations.explanation import LEVELS
from ringdoku.explanations.techniques import TECHNIQUES
from ringdoku.limits import Deadline
from ringdoku.services.placing import PLACED, REGIONS
from ringdoku.services.spec import SYMMETRIES, Generated, Solutions, Spec, span_of_levels
from ringdoku.text import FORMATS, Entry, layout_named, puzzle_text
from ringdoku.text.between import option_lines
from ringdoku.text.cells import MAX_SYMBOLS
from ringdoku.text.layout import grid_rows, rule_keys
from ringdoku_cli import options
from ringdoku_cli.answering import Progress
from ringdoku_cli.exits import Exit, note, worst
from ringdoku_cli.inputs import ARCHIVES, open_binary
from ringdoku_cli.options import Panel, Reading, choice, option
from ringdoku_cli.outputs import NUMBER, Answers, Writer, open_output
from ringdoku_cli.render import LINKS, draw_puzzle, format_of, link_to

TASKS = ("P1074", "solve")
LAYOUTS = ("flat", "problem", "polygon", "luogu", "hydro")
"""The layouts of packages for judges, repeated here since the module that writes them loads numpy and a solver."""

FORMS = (*FORMATS, *PICTURES, *LINKS)
CLUES_HELP = "From A to B clues, or just A. Without it, minimal puzzles."
SYMMETRY_HELP = f"Of the clues' cells: {', '.join(SYMMETRIES)}."
MINIMAL_HELP = "No clue (of --symmetry no group) and no constraint of --lay can be left out. The default for clues."
PATTERN_HELP = "Rows of . for a blank and X for a clue; clues stand just there."
SOLUTIONS_HELP = "1; 2+ for several; 0 for none, without two clues that break a rule."
LAY_HELP = f"Place such constraints over the solution: {', '.join((*PLACED, REGIONS))}. The option can be repeated."
FIX_HELP = "Add to a puzzle with several solutions the fewest clues, or constraints of --lay, that leave one."
FROM_HELP = "Puzzles with this solution: a filled grid, or a puzzle with just one solution."
KEEP_HELP = "The clues and rules of this puzzle stay in every puzzle."
SWAP_HELP = "With --from PUZZLE, those without N of its clues and with M others, such as 1,1; solutions may differ."
SWAP_FORM = "--swap is how many clues go and how many come, such as 1,1"
ALL_HELP = "With --from, all minimal puzzles, for small grids; with --swap, all neighbours. The time limit is for all."
LEVEL_HELP = f"How hard, from A to B, or just A, of: {', '.join(LEVELS)}. `ringdoku rate` tells the level."
TECHNIQUE_HELP = """A step has this name, of `ringdoku rate --techniques`; without --level no step takes more truths.
`explain` finds those of uniqueness with --assume-unique."""
JUDGE_HELP = f"Generate a set of --count tests for a judge, of the task {' or '.join(TASKS)}, into --out."
LAYOUT_HELP = "With --judge: flat, just 1.in and 1.out; or all files that Kattis (problem), Polygon, Luogu, Hydro take."
CASES_HELP = "With --judge: so many puzzles in each file, whose number is then its first line."
WEIGHTS_HELP = "With --judge P1074: n rows of n integers instead of the ring weights 6 + ring."
FORMAT_HELP = (
    f"The format of puzzles: {', '.join(FORMS)}. Default: the one that the name of --output ends in; else line, or "
    "spaced where digits have no characters. json and links have the solutions too."
)


@dataclass(frozen=True)
class Request:
    """How many puzzles to generate, and their properties."""

    count: Annotated[int | None, option("--count K", "How many puzzles; one without --all.", min=1)] = None
    clues: Annotated[str | None, option("--clues A-B", CLUES_HELP)] = None
    minimal: Annotated[bool, option("--minimal", MINIMAL_HELP)] = False
    symmetry: Annotated[str, choice("--symmetry", SYMMETRIES, SYMMETRY_HELP)] = "none"
    pattern: Annotated[str | None, option("--pattern FILE", PATTERN_HELP)] = None
    solutions: Annotated[str, choice("--solutions", [number.value for number in Solutions], SOLUTIONS_HELP)] = "1"
    order: Annotated[int | None, option("--order N", "Puzzles of N×N; 9×9 without it.", min=1)] = None
    lay: Annotated[list[str] | None, option("--lay CONSTRAINT", LAY_HELP)] = None
    level: Annotated[str | None, option("--level A-B", LEVEL_HELP)] = None
    technique: Annotated[str | None, choice("--technique", TECHNIQUES, TECHNIQUE_HELP)] = None
    tries: Annotated[int, option("--tries N", "Give a puzzle up after so many attempts.", min=1)] = Spec.tries
    time_limit: options.TimeLimit = None
    seed: Annotated[int, option("--seed NUMBER", "The same seed gives the same puzzles.", min=0)] = 0
    box: options.Box = None
    rules: options.Rules = None

    def read(self, path: str, flag: str) -> Entry:
        """The only puzzle of a file or an argument. Raises `UsageError` if there are more."""
        return Reading(box=self.box, rules=self.rules).single_puzzle(path, f"{flag} takes one")

    def spec(self, puzzle: Puzzle, solution: Grid | None) -> Spec:
        """The spec with the rules and clues of a puzzle. Raises `UsageError` for options that contradict each other."""
        return Spec(
            puzzle.ruleset,
            options.parse_clues(self.clues),
            self.minimal,
            self.symmetry,
            _pattern_cells(self.pattern, puzzle.board) if self.pattern else None,
            Solutions(self.solutions),
            tuple(self.lay or ()),
            self.level if self.level is None else span_of_levels(self.level),
            self.tries,
            solution,
            puzzle.clues,
            self.technique,
        )


@dataclass(frozen=True)
class Origin(Panel, title="From a puzzle or a solution"):
    """The puzzle or the solution from which puzzles are generated."""

    fix: Annotated[str | None, option("--fix PUZZLE", FIX_HELP)] = None
    grid: Annotated[str | None, option("--from GRID", FROM_HELP)] = None
    keep: Annotated[str | None, option("--keep PUZZLE", KEEP_HELP)] = None
    swap: Annotated[str | None, option("--swap N,M", SWAP_HELP)] = None
    all: Annotated[bool, option("--all", ALL_HELP)] = False

    def puzzles(self, request: Request) -> tuple[Ruleset, Iterator[Generated], Entry | None]:
        """The rules, as many puzzles as are asked for, and the puzzle of --fix. Raises `UsageError` for options that
        contradict each other, and `InputError` for a grid that is not a solution."""
        self._require_compatible(request)
        # imported here: they load numpy and a solver
        from ringdoku.services.generator import make
        from ringdoku.services.needs import made_unique, minimal_puzzles, neighbours

        effort, most = (request.seed, request.time_limit), request.count or (None if self.all else 1)
        if self.fix:
            original = request.read(self.fix, "--fix")
            puzzles = (made_unique(puzzle, request.lay or (), *effort) for puzzle in [original.puzzle])
            return original.puzzle.ruleset, puzzles, original
        if self.grid and self.swap:
            puzzle = request.read(self.grid, "--from").puzzle
            removed, added = options.parse_pair(self.swap, SWAP_FORM, ",", least=0) or (0, 0)
            return puzzle.ruleset, islice(neighbours(puzzle, removed, added, *effort), most), None
        puzzle, solution = self._puzzle_and_solution(request)
        spec = request.spec(puzzle, solution)
        if solution and self.all:
            return puzzle.ruleset, islice(minimal_puzzles(puzzle, solution, request.time_limit), most), None
        return puzzle.ruleset, islice(make(spec, *effort), most), None

    def _puzzle_and_solution(self, request: Request) -> tuple[Puzzle, Grid | None]:
        """The rules with the clues of --keep, and the solution of --from if given: a full grid, or that of a puzzle
        with exactly one. Raises `InputError` unless it solves the rules and has the clues."""
        puzzle = request.read(self.keep, "--keep").puzzle if self.keep else None
        if puzzle and not self.grid:
            return puzzle, None
        if not self.grid:
            ruleset = _ruleset_of(request)
            return Puzzle(ruleset, Grid.blank(ruleset.board)), None
        entry = request.read(self.grid, "--from")
        own = entry.puzzle
        puzzle = puzzle or Puzzle(own.ruleset, Grid.blank(own.board))
        found = [entry.solution or own.clues] if entry.solution or own.clues.is_full else []
        found = found or list(islice(Session().solutions(own, request.time_limit), 2))
        if len(found) != 1:
            problem = f"a puzzle with {'several solutions' if found else 'no solution'}"
            raise InputError(entry.place, problem, "a filled grid, or a puzzle with one solution")
        if faults := check(puzzle, found[0]):
            raise InputError(entry.place, str(faults[0]), "a solution")
        return puzzle, found[0]

    def _require_compatible(self, request: Request) -> None:
        """Raises `UsageError` for options that do not go together."""
        flag = "--fix" if self.fix else "--swap" if self.swap else "--all" if self.all else None
        refuse("" in (self.fix, self.grid, self.keep, self.swap), "the name of an input is empty; - is standard input")
        refuse(self != Origin() and request.order, "--order goes with no puzzle or grid: it has its own")
        refuse(self.fix and self != Origin(fix=self.fix), "--fix goes without --from, --keep, --swap and --all")
        refuse(flag in ("--swap", "--all") and not self.grid, f"{flag} goes with --from")
        refuse(self.swap and self.keep, "--swap goes without --keep: all clues but N of --from stay")
        shared = ("count", "seed", "time_limit", "box", "rules", *(["lay"] if self.fix else []))
        bare = Request(**{name: getattr(request, name) for name in shared})
        lay = "--lay, " if self.fix else ""
        refuse(flag and request != bare, f"{flag} goes with {lay}--count, --seed, --time-limit, --box and --rule alone")


@dataclass(frozen=True)
class ForJudge(Panel, title="Tests for a judge"):
    """The set of tests to generate for a judge, and where it goes."""

    judge: Annotated[str | None, choice("--judge", TASKS, JUDGE_HELP)] = None
    out: Annotated[str | None, option("--out DIR", "With --judge: a folder, or an archive .zip, to write.")] = None
    layout: Annotated[str | None, choice("--layout", LAYOUTS, LAYOUT_HELP)] = None
    cases: Annotated[int, option("--cases K", CASES_HELP, min=1)] = 1
    weights: Annotated[str | None, option("--weights FILE", WEIGHTS_HELP)] = None

    def target(self, force: bool) -> Path:
        """The folder or archive to write. Raises `UsageError` if it cannot be used."""
        out, wanted = self.out or "", "--judge needs --out, a folder or an archive .zip"
        refuse(not out, wanted)
        refuse(out == "-" or "{" in out or out.lower().endswith(ARCHIVES[1:]), f"{wanted}, not {out}")
        target = Path(out)
        refuse(target.is_file() and target.suffix.lower() != ".zip", f"{wanted}, not {out}, which is a file")
        is_taken = target.exists() and not force and (target.is_file() or any(target.iterdir()))
        refuse(is_taken, f"{out} exists and is not empty; --force writes there all the same")
        return target


OutputFormat = Annotated[str | None, choice("--output-format", FORMS, FORMAT_HELP)]


def generate(
    request: Request, origin: Origin, for_judge: ForJudge, output: options.Output, output_format: OutputFormat = None
) -> Exit:
    """Each puzzle has exactly one solution, which is proved, unless --solutions asks for others. Clues are taken away
    from a random solution in random order; the puzzles are no uniform sample of all there are. With --rule every puzzle
    has that rule. --lay draws constraints over the solution, and as few clues beside them as are needed, with --clues 0
    none; the rules are written above each puzzle.

    --level is the number of truths of the hardest step, as `ringdoku rate` counts them; singles: there are no other
    steps; cases: steps of at most 6 truths do not solve it. A puzzle of another level is thrown away. Unless --minimal,
    --clues or --pattern is given, one that is too hard may get clues back.

    A puzzle that is not found after --tries, or within --time-limit, is left out, with a note on what was reached. The
    same seed and options give the same puzzles in the same order, also for another --count, as long as no time limit is
    reached.

    --judge P1074 makes tests for the best score, 40 % with at least 30 clues, 80 % with 26, all with 24; --judge solve
    for any solution. They catch what wrong and slow programs do, every answer is proved by two ways, and a table says
    what each is for; `ringdoku judge` checks what programs answer.

    Exit status: 0 all were generated, 2 wrong usage, 3 at least one was not, 130 interrupted.
    """
    if for_judge != ForJudge():
        refuse(origin != Origin(), "--judge makes its own puzzles, without --fix, --from, --keep, --swap and --all")
        return _judge_set(request, for_judge, output, output_format)
    try:
        ruleset, puzzles, original = origin.puzzles(request)
    except TimeLimitError:
        note("the time limit passed before the solution of --from was known")
        return Exit.UNKNOWN
    text = "line" if ruleset.order <= MAX_SYMBOLS else "spaced"
    name = format_of(output_format, output.output, FORMS) or text
    asked = request.count or 1
    one_file = name in PICTURES and (asked > 1 or origin.all) and NUMBER not in (output.output or "")
    refuse(one_file, f"a picture holds one puzzle; -o 'puzzle-{NUMBER}.{name}' names a file for each")
    layout = text if name in PICTURES or name in LINKS else name
    layout_named(layout, ruleset)  # refuses boards that it cannot write, before any work
    number, exit_code = 0, Exit.OK
    with Answers(output.output, output.force, partial(_writer_on, name)) as answers:
        try:
            for number, generated in enumerate(puzzles, 1):
                about = f"seed {request.seed} number {number}"
                exit_code = worst(exit_code, _write(answers, number, generated, layout, about, original))
        except TimeLimitError:
            note(f"the time limit passed after {counted(number, 'puzzle')}; there may be more")
            return Exit.UNKNOWN
    if number < asked and (number == 0 or not origin.all):
        note(f"there are no more than {counted(number, 'puzzle')}")
        return Exit.OK if origin.all else Exit.UNKNOWN
    return exit_code


def _write(answers: Answers, number: int, made: Generated, layout: str, name: str, source: Entry | None) -> Exit:
    if made.remark:
        note(f"puzzle {number}{'' if made.puzzle else ' was not found'}: {made.remark}")
    if made.puzzle is not None:
        puzzle, place = made.puzzle, Place("generated", number)
        entry = Entry(puzzle, layout_named(layout, puzzle.ruleset), place, made.solution, name)
        if source:
            same = puzzle.ruleset == source.puzzle.ruleset  # with other rules the author's text would be incomplete
            entry = replace(entry, name=source.name or name, author=source.author, about=source.about if same else "")
        answers.write(number, entry, made.solution, apart=True)
    return Exit.OK if made.puzzle is not None and made.complete else Exit.UNKNOWN


def _writer_on(name: str, stream: TextIO) -> Writer:
    """The writer of puzzles, each with its rules above it."""
    if name in PICTURES:
        return lambda entry, _: draw_puzzle(entry, name, stream)
    if name in LINKS:
        return lambda entry, _: f"{link_to(name, entry)}\n"
    if name == "json":
        return _json_line
    return lambda entry, _: puzzle_text(entry.puzzle, entry.layout)


def _json_line(entry: Entry, solution: Grid | None) -> str:
    ruleset = entry.puzzle.ruleset
    record = {
        "name": entry.name,
        "box": ruleset.box and list(ruleset.box),
        **rule_keys(ruleset, None),
        "grid": grid_rows(entry.puzzle.clues),
        "solution": solution and grid_rows(solution),
    }
    return json.dumps(record) + "\n"


def _ruleset_of(request: Request) -> Ruleset:
    order, box, texts = request.order or 9, options.parse_box(request.box), option_lines(request.rules or [])
    try:
        board, shape = shape_in(texts)
        # the regions of --lay replace these
        shape = () if shape is None and REGIONS in (request.lay or ()) else shape
        is_other = board and request.order not in (None, board.order)
        refuse(is_other, f"--order {request.order} is not the size of the board that a rule states")
        if board is None and shape is None:
            return with_rules(classic(order, box), *texts)
        return with_rules(plain_rules(board or Board.square(order), box or shape), *texts)
    except RuleError as error:
        raise UsageError(f"--rule {error}") from None


def _pattern_cells(path: str, board: Board) -> frozenset[int]:
    """The cells of the clues in a pattern file, which has a character for each cell, row by row."""
    with open_binary(path) as stream:
        lines = stream.read(board.grid_count * 8 + (1 << 16)).decode("utf-8", "replace").splitlines()
    marks = "".join("".join(line.split()) for line in lines if not line.lstrip().startswith("#"))
    if len(marks) != board.grid_count:
        raise InputError(Place(path), counted(len(marks), "character"), f"{board.grid_count}, one for each cell")
    return frozenset(cell for cell, mark in enumerate(marks) if mark not in ".0_")


def _judge_set(request: Request, for_judge: ForJudge, output: options.Output, output_format: str | None) -> Exit:
    """Write the files of a set of tests for a judge, and print the table of the tests."""
    name, count = for_judge.judge, request.count or 1
    if name is None:
        raise UsageError("--out, --layout, --cases and --weights go with --judge")
    shared = ("count", "seed", "time_limit", "order", "box", "rules")
    bare = Request(**{name: getattr(request, name) for name in shared})
    has_others = request != bare or output_format or output.output
    allowed = "--count, --seed, --time-limit, --order, --box, --rule, --force and its own options"
    refuse(has_others, f"--judge goes with {allowed} alone")
    refuse(name == "solve" and for_judge.weights, "--weights goes with --judge P1074")
    refuse(for_judge.layout == "luogu" and count > 100, "the layout luogu shares 100 points, so it has up to 100 tests")
    target = for_judge.target(output.force)
    from ringdoku.services import judge_package
    from ringdoku.services.judge_sets import Task, Test, judge_set

    task, cases = Task(name, _ruleset_of(request), options.Scores(for_judge.weights).from_file), for_judge.cases
    deadline, tests = Deadline.asked(request.time_limit), list[Test]()
    try:
        with Progress(sys.stdout, "making tests"):
            # from another seed, so that it is no secret test; the last test is left out: it is for slow programs
            sample = list(islice(judge_set(task, cases + 1, -1 - request.seed, deadline), cases))
            tests.extend(judge_set(task, count * cases, request.seed, deadline, note))
    except TimeLimitError:
        note(f"the time limit passed after {counted(len(tests), 'test')}; nothing was written")
        return Exit.UNKNOWN
    package = judge_package.Package(task, tests, sample, f"seed {request.seed}, ringdoku {__version__}", cases)
    files = judge_package.LAYOUTS[for_judge.layout or "flat"](package)
    files.setdefault("tests.md", package.table())
    if for_judge.layout == "problem" and not re.fullmatch("[a-z0-9]+", target.stem):
        note(f"Kattis takes no package of the name {target.stem}: it has letters a-z and digits alone")
    with refusing(f"cannot write {target}"):
        _write_files(target, files)
    others = [file for file in target.rglob("*") if file.is_file() and file.relative_to(target).as_posix() not in files]
    if others:
        note(f"{target} holds {counted(len(others), 'other file')} too, such as {min(others)}")
    with open_output(None, output.force) as stream:
        stream.write(files["tests.md"])
    return Exit.OK


def _write_files(target: Path, files: dict[str, str]) -> None:
    """Write all files, or none on an error, into a folder, or an archive if the name ends in `.zip`."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=".", dir=target.parent) as made:
        if target.suffix.lower() == ".zip":
            part = Path(made, "part")
            with ZipFile(part, "w", ZIP_DEFLATED) as archive:
                for name, text in files.items():
                    # without a time stamp, so that the same tests give the same bytes
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
