"""`ringdoku count`: how many solutions each puzzle has."""

import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated

from ringdoku import Claim, Grid, Puzzle, Result, Session, Status, TimeLimitError, count_exactly
from ringdoku.domain import refuse
from ringdoku.services.counting import RUNS, estimates
from ringdoku.services.lines import ARRAYS
from ringdoku.solvers.registry import refutation_by
from ringdoku.text import Entry
from ringdoku.text.stated import UNKNOWN
from ringdoku_cli.answering import Job, Progress, answers_to_lines, enumeration
from ringdoku_cli.certificates import Certificates, Claimed
from ringdoku_cli.exits import Exit, note
from ringdoku_cli.options import AtMost, Inputs, Output, Solver, TextFormat, option
from ringdoku_cli.render import attribution, effort_of, format_of, json_line

EXACT_HELP = "Count without finding each solution, by Ganak: pip install 'ringdoku\\[count]'."
ESTIMATE_HELP = "About how many, from random parts of the search tree, and a 95 % interval."


@dataclass(frozen=True)
class CountResult(Result):
    """Infeasible if all solutions are counted. `count` is None if nothing is known of their number; `grids` if wanted;
    an estimate has its `interval`, and the number of `runs` that it is from."""

    count: int | None = None
    grids: tuple[Grid, ...] = ()
    interval: tuple[float, float] | None = None
    runs: int | None = None


def count(
    inputs: Inputs,
    solver: Solver,
    certificates: Certificates,
    output: Output,
    at_most: AtMost = None,
    exact: Annotated[bool, option("--exact", EXACT_HELP)] = False,
    estimate: Annotated[bool, option("--estimate", ESTIMATE_HELP)] = False,
    output_format: TextFormat = None,
) -> Exit:
    """The number is printed alone on a line. Solutions are found one by one, those of classic puzzles up to 9x9 some
    hundred thousand a second, and each is checked; a puzzle with many millions of them takes long. At --at-most, if
    there are more, and at the time limit it prints `at least` and how many were found. On a terminal a line shows how
    many were found so far.

    --exact counts more than can be found one by one, such as the 28,200,960 blank 6x6 grids, by the word of the model
    counter Ganak; at the time limit it prints `unknown`. --estimate prints about how many there are, also where no
    program can count them, and an interval that has their number with a probability of about 95 %; at the time limit
    a wider one.

    Exit status: 0 all counts are exact, even if there is no solution, or rest on the word of a named program, or are
    estimates as asked for; 2 malformed input or usage; 3 at least one puzzle has more solutions than were counted, or
    may have; 130 interrupted.
    """
    others = at_most or certificates.certificate or solver.backend != "auto"
    refuse(exact and others, "--exact counts by Ganak; leave --at-most, --certificate and --backend out")
    refuse(estimate and (exact or others), "--estimate goes without --exact, --at-most, --certificate and --backend")
    form, limit = format_of(output_format, output.output), solver.time_limit
    certificates.check(*inputs.files, output.output)
    query, backend = partial(_enumerate, at_most, bool(certificates.certificate), limit), ""
    if exact or estimate:
        query, backend = partial(_exact_or_estimated, estimate, limit, solver.seed), "sampling" if estimate else "ganak"
    unique = CountResult(Status.INFEASIBLE, backend=ARRAYS, ground=refutation_by(ARRAYS), count=1)
    # counting more may take so long that other puzzles should not wait for it
    is_short = not certificates.certificate and at_most is not None and at_most <= 100
    return Job(
        solver.session(exact=exact, estimate=estimate),
        query_of=lambda entry: partial(query, entry.puzzle),
        writer_on=lambda _: _json if form == "json" else lambda _, found: f"{_count_text(found)}\n",
        exit_of=partial(_exit_of, at_most),
        unknown=CountResult(Status.UNKNOWN, backend=backend),
        certificates=certificates,
        time_limit=limit,
        claim=_claim,
        answer_lines=partial(answers_to_lines, unique, query) if is_short else None,
    ).run(inputs, output)


def _enumerate(
    at_most: int | None, grids: bool, time_limit: float | None, puzzle: Puzzle, session: Session, progress: Progress
) -> Iterator[CountResult]:
    *found, last = enumeration(session, puzzle, at_most, time_limit, progress, grids=grids)
    found_grids = tuple(result.grid for result in found if result.grid)
    yield CountResult(**vars(last) | {"rank": 1}, count=last.rank - 1, grids=found_grids)


def _exact_or_estimated(
    estimate: bool, time_limit: float | None, seed: int, puzzle: Puzzle, _session: Session, progress: Progress
) -> Iterator[CountResult]:
    start, found = time.perf_counter(), CountResult(Status.UNKNOWN, runs=0)
    progress.latest = "counting"
    if estimate:
        with suppress(TimeLimitError):
            for runs, about in enumerate(estimates(puzzle, time_limit, seed), 2):
                found = CountResult(Status.INFEASIBLE, ground="complete enumeration", count=round(about.count))
                if not about.is_exact:
                    interval = (about.low, about.high)
                    found = replace(found, status=Status.UNKNOWN, ground="statistics", interval=interval, runs=runs)
                    progress.latest = f"{_count_text(found)} by {runs} of {RUNS} runs"
    else:
        found = CountResult(Status.INFEASIBLE, ground="the word of Ganak", count=count_exactly(puzzle, time_limit))
    yield replace(found, backend="sampling" if estimate else "ganak", seconds=time.perf_counter() - start)


def _exit_of(at_most: int | None, entry: Entry, found: CountResult) -> Exit:
    is_done, late = found.status.is_final or found.runs == RUNS, f"{entry.place}: the time limit passed"
    if not is_done and found.runs is not None:
        note(f"{late} {f'after {found.runs}' if found.runs else 'before 2'} of {RUNS} runs")
    elif not is_done and found.count not in (None, at_most):
        note(f"{late}; --exact counts without finding each solution")
    return Exit.OK if is_done else Exit.UNKNOWN


def _claim(_: Entry, counts: list[CountResult]) -> Claimed | str:
    (found,) = counts
    if not found.status.is_final:
        return "not all solutions were found"
    return Claim(found.count), found.grids, None


def _count_text(found: CountResult) -> str:
    """`288`, `at least 5` where there may be more, or `about 2.85e+07 (95 %: 2.80e+07 to 2.91e+07)`."""
    if found.count is None:
        return UNKNOWN
    if found.interval:
        low, high = found.interval
        return f"about {found.count:.3g} (95 %: {low:.3g} to {high:.3g})"
    return f"{found.count}{attribution(found.word_of)}" if found.status.is_final else f"at least {found.count}"


def _json(entry: Entry, found: CountResult) -> str:
    """`exact` is false if there may be more solutions than were counted; `solutions` is null if none were."""
    record = {"solutions": found.count, "exact": found.status.is_final, "interval": found.interval}
    return json_line(entry, record | effort_of(found))
