"""`ringdoku compare`: measures backends and encodings on the same puzzles, checks their answers, and draws results."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

import typer

from ringdoku.compare.contenders import ALL, contenders, split_names
from ringdoku.compare.plan import Instance, Plan, Task
from ringdoku.compare.plots import Chart
from ringdoku.compare.results import Results, combine, is_results, load
from ringdoku.compare.summary import Measure
from ringdoku.domain.errors import RuleError, UsageError
from ringdoku.domain.puzzle import Puzzle
from ringdoku.text import ReadOptions
from ringdoku.text.between import option_lines
from ringdoku_cli import options
from ringdoku_cli.exits import Exit
from ringdoku_cli.inputs import Puzzles, files_of
from ringdoku_cli.messages import note
from ringdoku_cli.outputs import open_output, require_absent

DEFAULT_TIME_LIMIT = 60.0


@dataclass(frozen=True)
class Measured:
    """What is measured."""

    sources: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="INPUT",
            show_default=False,
            help="Files of puzzles, or folders of such files. Or saved results (*.json), which are drawn together.",
        ),
    ] = None
    generate_recipes: Annotated[
        list[str] | None,
        typer.Option(
            "--generate",
            metavar="RECIPE",
            help="Generate puzzles from the seed, for example 20:clues=17..30,order=9; "
            "20:clues=minimal makes hard ones with one solution.",
        ),
    ] = None
    task: Annotated[
        Task,
        typer.Option(
            "--task", metavar="TASK", help=f"The question for each puzzle: {', '.join(task.value for task in Task)}."
        ),
    ] = Task.SOLVE
    backends: Annotated[
        list[str] | None,
        typer.Option(
            "--backends",
            metavar="NAMES",
            show_default="all",
            help="The backends to compare, separated by commas; all means every installed one that can do the task. "
            "After cmd: a comma ends the command only where cmd: or the name of a backend follows.",
        ),
    ] = None
    encodings: Annotated[
        list[str] | None,
        typer.Option(
            "--encodings",
            metavar="NAMES",
            show_default="own",
            help="Encodings for the SAT solvers, separated by commas: own, or choices joined by +, such as "
            "minimal+product.",
        ),
    ] = None
    input_format: options.InputFormat = None
    box: options.Box = None
    rules: options.Rules = None
    keep_going: options.KeepGoing = False

    @property
    def is_given(self) -> bool:
        """Whether there are puzzles, and not only a run to resume."""
        return bool(self.sources or self.generate_recipes)

    def arguments(self) -> tuple[str, ...]:
        """Those that name the puzzles, for a command that repeats the comparison."""
        pairs = [
            *(("--generate", recipe) for recipe in self.generate_recipes or ()),
            *(("--input-format", name) for name in (self.input_format,) if name),
            *(("--box", box) for box in (self.box,) if box),
            *(("--rule", rule) for rule in self.rules or ()),
        ]
        return (*(self.sources or ()), *(word for pair in pairs for word in pair))


@dataclass(frozen=True)
class Runs:
    """How it is measured."""

    PANEL: ClassVar[str] = "Runs"

    time_limit: options.TimeLimit = DEFAULT_TIME_LIMIT
    memory_limit: Annotated[
        int | None,
        typer.Option("--memory-limit", min=1, metavar="MIB", help="The memory limit of each process, in MiB."),
    ] = None
    repeat: Annotated[
        int, typer.Option("--repeat", min=1, metavar="K", help="Run each K times; the median counts.")
    ] = 1
    jobs: Annotated[int, typer.Option("--jobs", min=1, metavar="J", help="How many processes run at a time.")] = 1
    cluster: Annotated[
        str | None,
        typer.Option(
            "--cluster",
            metavar="ADDRESS",
            help="Run on the workers of this dask scheduler, for example tcp://host:8786.",
        ),
    ] = None
    seed: options.Seed = 0
    warm: Annotated[
        bool,
        typer.Option(
            "--warm",
            help="Use one process for all puzzles of a backend, and one solver wherever the encoding does without the "
            "clues, to measure its throughput.",
        ),
    ] = False


@dataclass(frozen=True)
class Saved:
    """Where results are saved."""

    PANEL: ClassVar[str] = "Results"

    json_file: Annotated[
        Path | None,
        typer.Option("--json", metavar="FILE", help="Save the results to FILE during the run; --resume reads it."),
    ] = None
    resume: Annotated[
        Path | None,
        typer.Option(
            "--resume",
            metavar="FILE",
            help="Continue the run of this results file; name its cmd: programs again with --backends.",
        ),
    ] = None
    csv_file: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write a table with one row for each measurement.")
    ] = None
    report: Annotated[
        Path | None,
        typer.Option(
            "--report",
            metavar="DIR",
            help="Write a page with tables and plots to this folder, and the results, a CSV and PNGs beside it.",
        ),
    ] = None
    force: Annotated[bool, typer.Option("--force", help="Let output files replace existing files.")] = False

    @property
    def file(self) -> Path | None:
        """Where the results are saved during the run."""
        return self.json_file or self.resume or (self.report / "results.json" if self.report else None)

    def require_report_absent(self, results: Results) -> None:
        """Raises `UsageError` for a file of the report that exists."""
        if self.report:
            from ringdoku.compare.page import report_files

            require_absent(report_files(results, self.report), self.force)
            self.report.mkdir(parents=True, exist_ok=True)


@dataclass(frozen=True)
class Drawn:
    """What is drawn of the results."""

    PANEL: ClassVar[str] = "Drawing"

    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Write a plot, as .svg, .png or .pdf.")
    ] = None
    kind: Annotated[
        Chart,
        typer.Option("--kind", metavar="KIND", help=f"The kind of plot: {', '.join(chart.value for chart in Chart)}."),
    ] = Chart.CACTUS
    contenders: Annotated[
        str,
        typer.Option("--contenders", metavar="A,B", help="For scatter: the two contenders; by default the best two."),
    ] = ""
    instance: Annotated[
        str | None,
        typer.Option("--instance", metavar="NAME", help="For bound: the puzzle; by default the one that took longest."),
    ] = None
    measure: Annotated[
        Measure,
        typer.Option(
            "--measure",
            metavar="TIME",
            help="The time for the table, PAR-2 and plots: total of building, loading and solving, solve alone, or "
            "cpu, the total of the processor.",
        ),
    ] = Measure.TOTAL


def compare(measured: Measured, runs: Runs, saved: Saved, drawn: Drawn) -> Exit:
    """Measure backends and encodings, or draw saved results.

    Their answers are checked against each other. Each run has a process of its own, which is killed at the limits.
    The seed shuffles the runs. A crash or a kill is a result like any other. Two answers that contradict each other
    end the comparison, and their puzzle is saved.

    Saved results as INPUT are printed as a table, or drawn with --plot and --report: several files together, and that
    of an interrupted run as far as it goes.

    Exit status: 0 all runs are measured, 2 malformed input or usage, 4 a wrong answer or a contradiction,
    130 interrupted.
    """
    if drawn.plot:
        from ringdoku.drawing.files import check_picture

        check_picture(str(drawn.plot))
    results_file = saved.file
    require_absent((saved.csv_file, drawn.plot), saved.force)
    if files := _results_in(measured.sources or []):
        results = combine(map(load, files))
        saved.require_report_absent(results)
        _show(results, saved, drawn, as_table=not (drawn.plot or saved.report or saved.csv_file))
        return Exit.OK
    require_absent((path for path in (saved.json_file, results_file) if path != saved.resume), saved.force)
    before, exit_code = _begun(measured, runs, saved.resume)
    saved.require_report_absent(before)
    _show(_measure(before, results_file, runs), saved, drawn)
    return exit_code


def _results_in(sources: Sequence[str]) -> list[Path]:
    """The files of results, also those in folders. Raises `UsageError` where something else is beside them."""
    found = {source: [path for path in map(Path, files_of([source])) if is_results(path)] for source in sources}
    if any(found.values()) and (others := [source for source, paths in found.items() if not paths]):
        raise UsageError(f"there are no results in {others[0]}, and puzzles cannot be measured beside saved results")
    return [path for paths in found.values() for path in paths]


def _show(results: Results, saved: Saved, drawn: Drawn, as_table: bool = True) -> None:
    from ringdoku_cli.render.comparison import render_summary

    if as_table:
        with open_output(None, force=False) as stream:
            stream.write(render_summary(results, stream, drawn.measure))
    if saved.csv_file:
        results.save_csv(saved.csv_file)
    if drawn.plot:
        from ringdoku.compare.plots import draw, save

        names = _contenders(drawn.contenders, results)
        save(draw(results, drawn.kind, names, drawn.instance, drawn.measure), drawn.plot)
    if saved.report:
        from ringdoku.compare.page import write_report

        note(f"the report is {write_report(results, saved.report, drawn.measure)}")


def _begun(measured: Measured, runs: Runs, resume: Path | None) -> tuple[Results, Exit]:
    """The results before the run, and the exit code of reading the puzzles."""
    from ringdoku.compare.run import begin

    before = load(resume) if resume and (resume.exists() or not measured.is_given) else None
    if before and not measured.is_given:
        _require_named(before, resume or Path(), _names(measured.backends))
        return before, Exit.OK
    instances, exit_code = _instances(measured, runs.seed)
    plan = Plan(
        measured.task,
        instances,
        contenders(measured.task, _names(measured.backends, ALL), _names(measured.encodings)),
        runs.repeat,
        runs.time_limit or DEFAULT_TIME_LIMIT,
        runs.memory_limit,
        runs.seed,
        runs.warm,
        measured.arguments(),
    )
    if before and before.plan != plan:
        raise UsageError(f"{resume} holds another comparison; to continue that one, give --resume alone")
    return before or begin(plan), exit_code


def _require_named(results: Results, path: Path, named: list[str]) -> None:
    """Raises `UsageError` for a program that only the results file names: the file may be somebody else's."""
    from ringdoku.compare.run import programs_left

    if unknown := [name for name in named if name not in {one.backend for one in results.plan.contenders}]:
        raise UsageError(f"{unknown[0]} is not among the backends of {path}, and --resume runs no others")
    if programs := [program for program in programs_left(results) if program not in named]:
        raise UsageError(f"{path} names programs; to run them, name them again: {_resume_command(path, programs)}")


def _resume_command(path: Path, programs: Iterable[str]) -> str:
    named = (word for program in programs for word in ("--backends", program))
    return shlex.join(["ringdoku", "compare", "--resume", str(path), *named])


def _measure(before: Results, path: Path | None, runs: Runs) -> Results:
    from ringdoku.compare.run import compare, programs_left
    from ringdoku_cli.render.comparison import measuring

    try:
        with measuring(before) as show:
            return compare(before, path, runs.jobs, runs.cluster, show)
    except KeyboardInterrupt:
        again = path and f"continue with: {_resume_command(path, programs_left(before))}"
        note(again or "no measurement was saved; --json FILE saves them")
        raise


def _instances(measured: Measured, seed: int) -> tuple[tuple[Instance, ...], Exit]:
    """The puzzles of the files, named by their places, and after them the generated ones."""
    from ringdoku.services.generate import Recipe, generate

    instances: list[Instance] = []
    exit_code, rules = Exit.OK, measured.rules or []
    how = ReadOptions(measured.input_format, options.parse_box(measured.box), rules=rules)
    for path in files_of(measured.sources) if measured.sources else ():
        with Puzzles(path, how, measured.keep_going) as puzzles:
            instances += (Instance(f"{entry.place.file}:{entry.place.line}", entry.puzzle) for entry in puzzles)
        exit_code = max(exit_code, puzzles.exit)
    for recipe in measured.generate_recipes or ():
        made = generate(Recipe.parse(recipe), seed)
        instances += (Instance(f"{recipe}#{number}", _with(puzzle, rules)) for number, puzzle in enumerate(made, 1))
    return tuple(instances), exit_code


def _with(puzzle: Puzzle, rules: list[str]) -> Puzzle:
    """A generated puzzle with the rules of the option."""
    if not rules:
        return puzzle
    from ringdoku.constraints.text import with_rules

    try:
        return Puzzle(with_rules(puzzle.ruleset, option_lines(rules)), puzzle.clues)
    except RuleError as error:
        raise UsageError(f"--rule {error}") from None


def _names(values: list[str] | None, *default: str) -> list[str]:
    """Names separated by commas."""
    return list(default) if values is None else [name for value in values for name in split_names(value)]


def _contenders(text: str, results: Results) -> list[str]:
    """Contenders separated by commas; the command of a program may have commas itself."""
    known = {contender.name for contender in results.plan.contenders}
    pieces, names = text.split(","), []
    while pieces:
        length = next((end for end in range(len(pieces), 1, -1) if ",".join(pieces[:end]) in known), 1)
        names.append(",".join(pieces[:length]))
        pieces = pieces[length:]
    return [name for name in names if name]
