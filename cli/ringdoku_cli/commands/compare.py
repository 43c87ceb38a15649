"""`ringdoku compare`: measures backends and encodings on the same puzzles, and checks their answers."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ringdoku.compare.contenders import ALL, split_names
from ringdoku.compare.plan import Instance, Plan, Task
from ringdoku.compare.summary import Measure
from ringdoku.domain.errors import RuleError, UsageError
from ringdoku.domain.puzzle import Puzzle
from ringdoku.text import ReadOptions
from ringdoku.text.rules import option_lines
from ringdoku_cli import options
from ringdoku_cli.exits import Exit
from ringdoku_cli.inputs import Puzzles, files_of
from ringdoku_cli.messages import note
from ringdoku_cli.outputs import open_output, require_absent

if TYPE_CHECKING:
    from ringdoku.compare.results import Results

DEFAULT_TIME_LIMIT = 60.0

_TASKS = ", ".join(task.value for task in Task)

MeasuredTime = Annotated[
    Measure,
    typer.Option(
        "--measure",
        metavar="TIME",
        help="The time for the table, PAR-2 and plots: total of building, loading and solving, solve alone, or cpu, "
        "the total of the processor.",
    ),
]


def compare(
    sources: Annotated[
        list[str] | None,
        typer.Argument(metavar="INPUT", show_default=False, help="Files of puzzles, or folders of such files."),
    ] = None,
    generate_recipes: Annotated[
        list[str] | None,
        typer.Option(
            "--generate",
            metavar="RECIPE",
            help="Generate puzzles from the seed, for example 20:clues=17..30,order=9; "
            "20:clues=minimal makes hard ones with one solution.",
        ),
    ] = None,
    task: Annotated[
        Task, typer.Option("--task", metavar="TASK", help=f"The question for each puzzle: {_TASKS}.")
    ] = Task.SOLVE,
    backends: Annotated[
        list[str] | None,
        typer.Option(
            "--backends",
            metavar="NAMES",
            show_default="all",
            help="The backends to compare, separated by commas; all means every installed one that can do the task. "
            "After cmd: a comma ends the command only where cmd: or the name of a backend follows.",
        ),
    ] = None,
    encodings: Annotated[
        list[str] | None,
        typer.Option(
            "--encodings",
            metavar="NAMES",
            show_default="own",
            help="Encodings for the SAT solvers, separated by commas: own, or choices joined by +, such as "
            "minimal+product.",
        ),
    ] = None,
    time_limit: options.TimeLimit = DEFAULT_TIME_LIMIT,
    memory_limit: Annotated[
        int | None,
        typer.Option("--memory-limit", min=1, metavar="MIB", help="The memory limit of each process, in MiB."),
    ] = None,
    repeat: Annotated[
        int, typer.Option("--repeat", min=1, metavar="K", help="Run each K times; the median counts.")
    ] = 1,
    jobs: Annotated[int, typer.Option("--jobs", min=1, metavar="J", help="How many processes run at a time.")] = 1,
    cluster: Annotated[
        str | None,
        typer.Option(
            "--cluster",
            metavar="ADDRESS",
            help="Run on the workers of this dask scheduler, for example tcp://host:8786.",
        ),
    ] = None,
    seed: options.Seed = 0,
    warm: Annotated[
        bool,
        typer.Option(
            "--warm",
            help="Use one process for all puzzles of a backend, and one solver wherever the encoding does without the "
            "clues, to measure its throughput.",
        ),
    ] = False,
    input_format: options.InputFormat = None,
    box: options.Box = None,
    rules: options.Rules = None,
    keep_going: options.KeepGoing = False,
    json_file: Annotated[
        Path | None,
        typer.Option("--json", metavar="FILE", help="Save the results to FILE during the run; --resume reads it."),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(
            "--resume",
            metavar="FILE",
            help="Continue the run of this results file; name its cmd: programs again with --backends.",
        ),
    ] = None,
    csv_file: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write a table with one row for each measurement.")
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(
            "--report",
            metavar="DIR",
            help="Write a page with tables and plots to this folder, and the results, a CSV and PNGs beside it.",
        ),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Write the cactus plot, as .svg, .png or .pdf.")
    ] = None,
    measure: MeasuredTime = Measure.TOTAL,
    force: Annotated[bool, typer.Option("--force", help="Let output files replace existing files.")] = False,
) -> Exit:
    """Measure backends and encodings on the same puzzles.

    Their answers are checked against each other. Each run has a process of its own, which is killed at the limits.
    The seed shuffles the runs. A crash or a kill is a result like any other. Two answers that contradict each other
    end the comparison, and their puzzle is saved.

    Exit status: 0 all runs are measured, 2 malformed input or usage, 4 a wrong answer or a contradiction,
    130 interrupted.
    """
    from ringdoku.compare.contenders import contenders
    from ringdoku.compare.results import load
    from ringdoku.compare.run import begin
    from ringdoku_cli.render.comparison import render_summary

    if plot:
        from ringdoku.drawing.files import check_picture

        check_picture(str(plot))
    results_file = json_file or resume or (report / "results.json" if report else None)
    require_absent((path for path in (json_file, csv_file, plot, results_file) if path != resume), force)
    before, exit_code = None, Exit.OK
    if resume and (resume.exists() or not (sources or generate_recipes)):
        before = load(resume)
    if sources or generate_recipes or before is None:
        given = [*(rules or ())]
        instances, exit_code = _instances(
            sources or [], generate_recipes or [], seed, input_format, box, given, keep_going
        )
        plan = Plan(
            task,
            instances,
            contenders(task, _names(backends, ALL), _names(encodings)),
            repeat,
            time_limit or DEFAULT_TIME_LIMIT,
            memory_limit,
            seed,
            warm,
            _source_arguments(sources or [], generate_recipes or [], input_format, box, given),
        )
        if before and before.plan != plan:
            raise UsageError(f"{resume} holds another comparison; to continue that one, give --resume alone")
        before = before or begin(plan)
    elif resume:
        _require_named(before, resume, _names(backends))
    if report:
        from ringdoku.compare.page import report_files

        require_absent(report_files(before, report), force)
        report.mkdir(parents=True, exist_ok=True)
    results = _measure(before, results_file, jobs, cluster)
    with open_output(None, force=False) as stream:
        stream.write(render_summary(results, stream, measure))
    if csv_file:
        results.save_csv(csv_file)
    if plot:
        from ringdoku.compare.plots import cactus, save

        save(cactus(results, measure), plot)
    if report:
        from ringdoku.compare.page import write_report

        note(f"the report is {write_report(results, report, measure)}")
    return exit_code


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


def _measure(before: Results, path: Path | None, jobs: int, cluster: str | None) -> Results:
    from ringdoku.compare.run import compare, programs_left
    from ringdoku_cli.render.measuring import measuring

    try:
        with measuring(before) as show:
            return compare(before, path, jobs, cluster, show)
    except KeyboardInterrupt:
        again = path and f"continue with: {_resume_command(path, programs_left(before))}"
        note(again or "no measurement was saved; --json FILE saves them")
        raise


def _instances(
    sources: list[str],
    recipes: list[str],
    seed: int,
    input_format: str | None,
    box: str | None,
    rules: list[str],
    keep_going: bool,
) -> tuple[tuple[Instance, ...], Exit]:
    """The puzzles of the files, named by their places, and after them the generated ones."""
    from ringdoku.services.generate import Recipe, generate

    instances: list[Instance] = []
    exit_code = Exit.OK
    for path in files_of(sources) if sources else ():
        with Puzzles(path, ReadOptions(input_format, options.parse_box(box), rules=rules), keep_going) as puzzles:
            for entry in puzzles:
                place = f"{entry.place.file}:{entry.place.line}"
                instances.append(Instance(place, entry.puzzle))
        exit_code = max(exit_code, puzzles.exit)
    for recipe in recipes:
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


def _source_arguments(
    sources: list[str], recipes: list[str], input_format: str | None, box: str | None, rules: list[str]
) -> tuple[str, ...]:
    arguments = [*sources]
    for recipe in recipes:
        arguments += ["--generate", recipe]
    if input_format:
        arguments += ["--input-format", input_format]
    if box:
        arguments += ["--box", box]
    for rule in rules:
        arguments += ["--rule", rule]
    return tuple(arguments)
