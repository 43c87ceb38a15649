"""`ringdoku compare`: measure backends and encodings on the same puzzles, check their answers, and draw results."""

import shlex
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Annotated, TextIO

from ringdoku.compare.page import RESULTS, report_files, write_report
from ringdoku.compare.plan import ALL, Instance, Measurement, Plan, Task, contenders, split_names
from ringdoku.compare.plots import Chart, draw, require_contenders, save
from ringdoku.compare.results import combine, is_results, load, save_csv
from ringdoku.compare.results import save as save_results
from ringdoku.compare.run import compare as run_comparison
from ringdoku.compare.run import disagreements, environment, judged, programs_left
from ringdoku.compare.summary import HEADS, Measure, Results, Summary, legend, table
from ringdoku.domain import UsageError, perhaps, refuse
from ringdoku.drawing.files import check_picture
from ringdoku_cli.answering import Progress
from ringdoku_cli.exits import Exit, note, printable
from ringdoku_cli.inputs import files_of
from ringdoku_cli.options import Cluster, Force, Inputs, Panel, Seed, TimeLimit, argument, option
from ringdoku_cli.outputs import open_output, require_writable
from ringdoku_cli.render.terminal import table_lines, terminal_width, wrapped

INPUT_HELP = "Files of puzzles, folders of such files, or -. Or saved results (*.json), which are drawn together."
BACKENDS_HELP = "The backends, separated by commas, also cmd:PROGRAM; all means all installed that can do the task."
ENCODINGS_HELP = "Encodings of SAT solvers, separated by commas: own, or choices joined by +, such as minimal+product."
WARM_HELP = "Measure throughput: one process for all puzzles, and one solver where the encoding needs no clues."
MEMORY_HELP = "The memory limit of each process, in MiB."
JSON_HELP = "Save the results to FILE, during the run; --resume reads it."
CONTENDERS_HELP = "For scatter: the two contenders; by default the best two."
INSTANCE_HELP = "For bound: the puzzle; by default the one that took longest."
RESUME_HELP = "Continue the run of this results file; name its cmd: programs again with --backends."
REPORT_HELP = "Write a page with tables and plots to this folder, and the results, a CSV and PNGs beside it."
MEASURE_HELP = "The time that ranks: total of building, loading and solving, solve alone, or cpu, all of the processor."


@dataclass(frozen=True)
class Comparison(Inputs):
    """What is measured: backends and encodings, on which puzzles, for which task."""

    sources: Annotated[list[str] | None, argument("[INPUT]...", INPUT_HELP)] = None
    task: Annotated[Task, option("--task TASK", f"The question for each puzzle: {', '.join(Task)}.")] = Task.SOLVE
    backends: Annotated[list[str] | None, option("--backends NAMES", BACKENDS_HELP, show_default="all")] = None
    encodings: Annotated[list[str] | None, option("--encodings NAMES", ENCODINGS_HELP, show_default="own")] = None


@dataclass(frozen=True)
class Runs(Panel, title="Runs"):
    """How each run is measured."""

    time_limit: TimeLimit = Plan.time_limit
    memory_limit: Annotated[int | None, option("--memory-limit MIB", MEMORY_HELP, min=1)] = None
    repeat: Annotated[int, option("--repeat K", "Run each K times; the median counts.", min=1)] = 1
    jobs: Annotated[int, option("--jobs J", "How many processes run at a time.", min=1, max=256)] = 1
    cluster: Cluster = None
    seed: Seed = 0
    warm: Annotated[bool, option("--warm", WARM_HELP)] = False


@dataclass(frozen=True)
class Saving(Panel, title="Results"):
    """The files in which results are saved."""

    json_file: Annotated[Path | None, option("--json FILE", JSON_HELP)] = None
    resume: Annotated[Path | None, option("--resume FILE", RESUME_HELP)] = None
    csv_file: Annotated[Path | None, option("--csv FILE", "Write a table with one row for each measurement.")] = None
    report: Annotated[Path | None, option("--report DIR", REPORT_HELP)] = None
    force: Force = False


@dataclass(frozen=True)
class Drawing(Panel, title="Drawing"):
    """The plot of the results."""

    plot: Annotated[Path | None, option("--plot FILE", "Write a plot, as .svg, .png or .pdf.")] = None
    kind: Annotated[Chart, option("--kind KIND", f"The kind of plot: {', '.join(Chart)}.")] = Chart.CACTUS
    contenders: Annotated[str, option("--contenders A,B", CONTENDERS_HELP)] = ""
    instance: Annotated[str | None, option("--instance NAME", INSTANCE_HELP)] = None
    measure: Annotated[Measure, option("--measure TIME", MEASURE_HELP)] = Measure.TOTAL


def compare(comparison: Comparison, runs: Runs, saving: Saving, drawing: Drawing) -> Exit:
    """The answers are checked against each other. Each run has a process of its own, which is killed at the limits. The
    seed shuffles the runs. A crash or a kill is a result like any other, and so is a wrong answer: one that breaks the
    rules, or that a solution of another run contradicts.

    Saved results as INPUT are printed as a table, or drawn with --plot and --report: several files together, and that
    of an interrupted run as far as it goes.

    Exit status: 0 all runs are measured, 2 malformed input or usage, 4 a wrong answer or a contradiction,
    130 interrupted.
    """
    if drawing.plot:
        check_picture(str(drawing.plot))
    files = _result_paths(comparison.sources or [])
    earlier = report_files(saving.report) if saving.report else ()
    for path in (saving.csv_file, drawing.plot, saving.json_file, *earlier):
        if path not in (None, saving.resume):
            refuse(str(path) == "-", "tables, results and pictures need a file, not -")
            require_writable(str(path), saving.force)
    exit_code = Exit.OK
    if files:
        results = _combined_results(files, comparison, runs)
    else:
        with Progress(sys.stdout, "reading puzzles"):
            results, exit_code = _results_before_run(comparison, runs, saving.resume)
    names = _contenders_to_draw(drawing, results.plan)
    if saving.report:
        saving.report.mkdir(parents=True, exist_ok=True)
    if not files:
        results = _run_measurements(results, saving, runs)
    elif saving.json_file:
        save_results(results, saving.json_file)
    for problem in disagreements(results):
        note(f"WRONG ANSWER: {problem}")
        exit_code = Exit.BUG
    if not (files and (drawing.plot or saving.report or saving.csv_file)):
        with open_output(None, force=False) as stream:
            stream.write(render_summary(results, stream, drawing.measure))
    _write_files(results, saving, drawing, names)
    return exit_code


def _contenders_to_draw(drawing: Drawing, plan: Plan) -> list[str]:
    """The contenders to draw. Raises `UsageError` for one, or an instance, that is not in the plan."""
    known, instances = ([item.name for item in items] for items in (plan.contenders, plan.instances))
    names = split_names(drawing.contenders, {*known})
    require_contenders(names, known)
    refuse(not drawing.plot and drawing != Drawing(measure=drawing.measure), "a plot needs --plot FILE")
    refuse(drawing.kind is Chart.SCATTER and len(known) < 2, "a scatter plot needs two contenders")
    if (instance := drawing.instance) and instance not in instances:
        raise UsageError(f"no instance is called {instance!r}{perhaps(instance, instances)}")
    return names


def _write_files(results: Results, saving: Saving, drawing: Drawing, names: Sequence[str]) -> None:
    """Write the table, the plot and the report, if they are asked for."""
    if saving.csv_file:
        save_csv(results, saving.csv_file)
    if drawing.plot:
        save(draw(results, drawing.kind, names, drawing.instance or "", drawing.measure), drawing.plot)
    if saving.report:
        with Progress(sys.stdout, "drawing the report"):
            page = write_report(results, saving.report, drawing.measure)
        note(f"the report is {page}")


def _result_paths(sources: Sequence[str]) -> list[Path]:
    """The files of saved results, also those in folders. Raises `UsageError` if there are other inputs beside them."""
    found = {source: [path for path in map(Path, files_of([source])) if is_results(path)] for source in sources}
    if any(found.values()) and (others := [source for source, paths in found.items() if not paths]):
        raise UsageError(f"there are no results in {others[0]}, and puzzles cannot be measured beside saved results")
    return [path for paths in found.values() for path in paths]


def _combined_results(files: Sequence[Path], comparison: Comparison, runs: Runs) -> Results:
    """The results of all files as one, with answers that another run contradicts marked as wrong."""
    is_set = replace(comparison, sources=None) != Comparison() or runs != Runs()
    refuse(is_set, "saved results are as they were measured; leave options for that out")
    results = judged(combine(map(load, files)))
    refuse(not results.measurements, "nothing was measured yet; --resume goes on")
    if len(files) == 1 and len(results.measurements) < results.plan.size:
        note(f"{len(results.measurements)} of {results.plan.size} runs were measured")
    return results


def _results_before_run(comparison: Comparison, runs: Runs, resume: Path | None) -> tuple[Results, Exit]:
    """The results to start from, those of --resume or none, and the exit code of reading the puzzles."""
    earlier = load(resume) if resume and (resume.exists() or not comparison.sources) else None
    backends, encodings = _split_all(comparison.backends), _split_all(comparison.encodings)
    if earlier and not comparison.sources:
        is_set = replace(comparison, backends=None) != Comparison()
        refuse(is_set, f"--resume measures what {resume} says; of that, only programs are named again, by --backends")
        _require_programs_named(earlier, resume, backends)
        planned = vars(earlier.plan) | {"repeat": earlier.plan.repeats}
        for name in ("time_limit", "memory_limit", "repeat", "seed", "warm"):
            is_other = getattr(runs, name) not in (getattr(Runs, name), planned[name])
            refuse(is_other, f"--resume measures as {resume} says; leave --{name.replace('_', '-')} out")
        return earlier, Exit.OK
    instances, exit_code = tuple[Instance, ...](), Exit.OK
    if comparison.sources:
        with comparison.puzzles() as puzzles:
            instances = tuple(
                Instance(f"{(at := entry.place).file}:{number if at.file == '<argument>' else at.line}", entry.puzzle)
                for number, entry in enumerate(puzzles, 1)  # arguments are all in line 1
            )
        exit_code = puzzles.exit
    runners = contenders(comparison.task, [ALL] if comparison.backends is None else backends, encodings)
    how = (runs.repeat, runs.time_limit or Plan.time_limit, runs.memory_limit, runs.seed, runs.warm)
    plan = Plan(comparison.task, instances, runners, *how, shlex.join(["ringdoku", *sys.argv[1:]]))
    if earlier and earlier.plan != plan:
        raise UsageError(f"{resume} holds another comparison; to continue that one, give --resume alone")
    return earlier or Results(plan, environment()), exit_code


def _split_all(values: list[str] | None) -> list[str]:
    return [name for value in values or () for name in split_names(value)]


def _require_programs_named(earlier: Results, path: Path | None, named: list[str]) -> None:
    """Raises `UsageError` for a program that only the results file names, since the file may be somebody else's."""
    if unknown := [name for name in named if name not in {one.backend for one in earlier.plan.contenders}]:
        raise UsageError(f"{unknown[0]} is not among the backends of {path}, and --resume runs no others")
    if {*(programs := programs_left(earlier))} - {*named}:
        raise UsageError(f"{path} names programs; to run them, name them again: {_resume_command(path, programs)}")


def _resume_command(path: Path | None, programs: Iterable[str]) -> str:
    named = (word for program in programs for word in ("--backends", program))
    return shlex.join(["ringdoku", "compare", "--resume", str(path), *named])


def _run_measurements(earlier: Results, saving: Saving, runs: Runs) -> Results:
    path = saving.json_file or saving.resume or (saving.report / RESULTS if saving.report else None)
    done, size = len(earlier.measurements), earlier.plan.size
    numbers = count(done + 1)
    with Progress(sys.stdout, f"{done} of {size} runs measured, the next have begun") as progress:

        def show(run: Measurement) -> None:
            progress.latest = printable(f"{next(numbers)} of {size}, {run.contender} on {run.instance}: {run.outcome}")

        try:
            return run_comparison(earlier, path, runs.jobs, runs.cluster, show)
        except KeyboardInterrupt:
            again = path and f"continue with: {_resume_command(path, programs_left(earlier))}"
            note(again or "no measurement was saved; --json FILE saves them")
            raise


def render_summary(results: Results, stream: TextIO, measure: Measure = Measure.TOTAL) -> str:
    """The table of results and its legend, in lines that fit a terminal."""
    summary, width = Summary(results, measure), terminal_width(stream)
    heads, rows = table(summary)
    numbers = set(HEADS) - {"contender", "failures"}
    cells = [[printable(cell) for cell in row] for row in rows]
    return "\n".join([*table_lines(heads, cells, width, numbers), "", *wrapped(legend(summary), width), ""])
