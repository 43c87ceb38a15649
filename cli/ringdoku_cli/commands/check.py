"""`ringdoku check`: whether a puzzle is well-formed or has one solution, and whether a grid is its solution."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, islice, takewhile, zip_longest
from typing import TYPE_CHECKING, Annotated, Any

from ringdoku import Board, Claim, Grid, InputError, Objective, Place, Puzzle, Session, TimeLimitError, UsageError
from ringdoku.domain import Lines, Result, Ruleset, Status, checker, counted, refuse, word_in
from ringdoku.limits import Deadline
from ringdoku.services.lines import ARRAYS
from ringdoku.services.session import with_extra_digits
from ringdoku.solvers.registry import refutation_by
from ringdoku.text import Entry, StatedAnswer, answer_in_alphabet, layout_named, or_raise, puzzle_text, read_stated
from ringdoku_cli.answering import Job, Progress, answers_to_lines
from ringdoku_cli.certificates import Certificates, Claimed
from ringdoku_cli.exits import Exit, printable
from ringdoku_cli.inputs import answers_beside, inline_puzzle, input_name, open_binary, source_name
from ringdoku_cli.options import Inputs, Output, Scores, Solver, TextFormat, option, parse_box, parse_clues
from ringdoku_cli.render import attribution, format_of, json_line, label

if TYPE_CHECKING:
    from ringdoku.services.needs import Needs

NONE, ONE, MANY = "no solution", "exactly one solution", "more than one solution"
UNCOUNTED = "unknown number of solutions"
"""The number of solutions, as far as uniqueness needs it; `UNCOUNTED` at the time limit."""
NONE_CLAIMED, NO_ANSWER_CLAIMED, SCORE_CLAIMED = "no solution claimed", "no answer claimed", "score {} claimed"
NOTHING_TO_CHECK = "no answer to check"
"""Placeholders for the grid in a verdict: what was claimed instead of one, or that --best has nothing to check."""
BEST, NOT_BEST, NOT_PROVED = "the best", "not the best", "not proved best"
"""The grade of a claimed best score."""
MINIMALITY = {True: "minimal", False: "not minimal", None: "not known whether minimal"}
SOLUTION_HELP = "Answers in the order of all puzzles: a filled grid for each, its score above it, or the score alone."
STRICT_HELP = "Let a file have just the puzzles, as we write them in its format, and at most their number above them."
MINIMAL_HELP = "As --unique, and list clues and rules that can go, one at a time, and a smallest sufficient set."
BEST_HELP = "Check whether the score is the best one, and -1 whether there is no solution."


@dataclass(frozen=True)
class Findings:
    """What was found out about a puzzle. `count` is one of the four texts above, None without --unique; `ground` is
    what it rests on, as in `Result`. `optimum` is unknown without --best, and `needs` None without --minimal."""

    count: str | None = None
    grids: tuple[Grid, ...] = ()
    ground: str = ""
    optimum: Result = field(default_factory=lambda: Result(Status.UNKNOWN))
    needs: "Needs | None" = None


Record = dict[str, Any]
"""The verdict on a puzzle, as JSON has it."""


@dataclass(frozen=True)
class Options:
    """What is checked, and how it is printed."""

    solution: Annotated[str | None, option("--solution FILE", SOLUTION_HELP)] = None
    unique: Annotated[bool, option("--unique", "Check whether there is exactly one solution.")] = False
    minimal: Annotated[bool, option("--minimal", MINIMAL_HELP)] = False
    best: Annotated[bool, option("--best", BEST_HELP)] = False
    strict: Annotated[bool, option("--strict", STRICT_HELP)] = False
    clues: Annotated[str | None, option("--clues A-B", "With --strict: from A to B clues, or just A.")] = None
    output_format: TextFormat = None


@dataclass(frozen=True)
class Check:
    """The query for a puzzle: its number of solutions, and its best score, as the options ask. `answer` is a grid that
    should be its solution, `stated` the entry in the file of --solution."""

    entry: Entry
    answer: Grid | None
    stated: StatedAnswer | None
    objective: Objective
    options: Options
    time_limit: float | None

    def __call__(self, session: Session, progress: Progress) -> Iterator[Findings]:
        puzzle, deadline = self.entry.puzzle, Deadline.asked(self.time_limit)
        (found,) = _count_to_2(self.time_limit, puzzle, session) if self.options.unique else [Findings()]
        if self.options.minimal and found.count == ONE:
            # imported here: it loads a solver
            from ringdoku.services.needs import needs

            with suppress(TimeLimitError):
                for known in needs(puzzle, deadline.left()):
                    found = replace(found, needs=known)
                    progress.latest = "; ".join((ONE, *_what_can_go(self.verdict(found))))
        if self.options.best and (self.answer or self.stated):
            found = replace(found, optimum=session.maximise(puzzle, self.objective, self.time_limit))
        yield found

    def verdict(self, found: Findings) -> Record:
        entry, puzzle, count, best, fault = self.entry, self.entry.puzzle, found.count, None, None
        faults, score, stand_in = self._compare_answer(found.optimum)
        if self.options.best and stand_in not in (NO_ANSWER_CLAIMED, NOTHING_TO_CHECK):
            best, fault = _grade(score, found.optimum, self.objective)
        for_clues = f"well-formed, {counted(puzzle.clues.filled_count, 'clue')}", "contradictory clues"
        right, wrong = ("right solution", "wrong solution") if self.answer else for_clues
        parts = [wrong if faults else right, *_rule_differences(puzzle.ruleset)]
        if best == BEST and stand_in == NONE_CLAIMED:
            # the answer is right that there is no solution: contradictory clues are not its fault
            faults = []
        parts += [stand_in.format(score)] if stand_in else [] if score is None else [f"score {score}"]
        parts += filter(None, (best, count and f"{count}{attribution(word_in(found.ground))}"))
        if fault:
            faults.append(f"{self.stated.place}: {fault}" if self.stated else fault)
        needs = self._redundancy(found)
        parts += [MINIMALITY[needs["minimal"]]] if needs else []
        return {
            "author": entry.author,
            "about": entry.about,
            "good": _is_right(faults, count, stand_in, best, needs),
            "verdict": ", ".join(parts),
            "clues": puzzle.clues.filled_count,
            "constraints": len(puzzle.ruleset.special),
            "faults": faults,
            "score": score,
            "best": best,
            "solutions": count,
            "word_of": word_in(found.ground) or None,
            "ground": "; ".join(filter(None, (found.ground, found.optimum.ground))) or None,
            **needs,
        }

    def _redundancy(self, found: Findings) -> Record:
        """With --minimal, the clues and rules that can go, and those that are enough, as texts; None if not known."""
        needs, name = found.needs, partial(self.entry.layout.name, self.entry.puzzle.board)
        if not self.options.minimal or found.count != ONE:
            return {}
        if needs is None:
            return dict.fromkeys(("minimal", "spare", "undecided", "enough", "smallest"))
        from ringdoku.services.explaining import part_texts

        parts = {key: list(chain(*part_texts(getattr(needs, key), name))) for key in ("spare", "undecided", "enough")}
        minimal = False if parts["spare"] else None if parts["undecided"] else True
        return {"minimal": minimal, **parts, "smallest": needs.smallest}

    def _compare_answer(self, optimum: Result) -> tuple[list[str], int | None, str | None]:
        """The faults of the answer, or of the clues if there is none; the score; and what stands in place of a grid."""
        answer, stated, objective = self.answer, self.stated, self.objective
        puzzle, name = self.entry.puzzle, partial(self.entry.layout.name, self.entry.puzzle.board)
        claimed = stated.score if stated else None
        found = checker.check(puzzle, answer, objective, claimed) if answer else checker.repeats(puzzle, puzzle.clues)
        faults = [fault.sentence(name) for fault in found]
        if answer and answer.is_full and answer.board == puzzle.board:
            return faults, objective.score(answer), None
        if answer or stated is None:
            return faults, None, NOTHING_TO_CHECK if self.options.best else None
        return faults, *self._claimed_score(stated, optimum)

    def _claimed_score(self, stated: StatedAnswer, optimum: Result) -> tuple[int | None, str]:
        """The score that is claimed without a grid, and what stands in place of the grid."""
        # with weights below 0, a puzzle with a solution may have this score
        may_score = self.options.best and min(self.objective.weights) < 0 and optimum.status is not Status.INFEASIBLE
        if stated.is_minus_one and may_score:
            return -1, SCORE_CLAIMED
        if stated.infeasible:
            return stated.score, NONE_CLAIMED
        if stated.score is None:
            return None, NO_ANSWER_CLAIMED
        return stated.score, SCORE_CLAIMED if self.options.best else f"{SCORE_CLAIMED}, not compared without --best"


def check(
    inputs: Inputs, options: Options, scores: Scores, solver: Solver, certificates: Certificates, output: Output
) -> Exit:
    """A grid is checked as a solution when it comes from --solution or the second column of CSV input, or when the
    puzzle itself has no blanks: each broken unit and each changed clue is named, and the score is printed. Otherwise
    the clues are checked for contradictions.

    Where N.out or N.ans is an input beside N.in, as in a folder of tests, it is its --solution.

    --solution takes what solve and maximise --grid write. A number above a grid is a score to check; give the
    --weights that it was made with. `no solution`, `unknown`, -1 without a grid, and JSON whose grid is null stand in
    place of a grid, as a score alone does. Only contradictory clues, --unique or --best show that there is no solution;
    only --best shows whether a score without a grid is right.

    --minimal says whether every clue and rule, rows, columns and boxes aside, is needed for the one solution. If not,
    it lists those that can go, one at a time, and a smallest set that is enough; at the time limit and after Ctrl-C
    what is known by then, with the smallest set found so far.

    Exit status: 0 all is right, 1 something is wrong or not minimal, 2 malformed input or usage, 3 --unique, --minimal
    or --best reached the time limit, or there was no grid to check, 130 interrupted.
    """
    options = replace(options, unique=options.unique or options.minimal)
    inputs, answers = _with_answers(inputs, options.solution)
    inputs.require_one_standard_input(*inputs.files, options.solution, scores.weights)
    mismatch = "--keep-going cannot go with --solution: answers could be matched to the wrong puzzles"
    refuse(answers and inputs.keep_going, mismatch)
    refuse(certificates.certificate and not options.unique, "--certificate goes with --unique")
    refuse(scores.minimise and not options.best, "--minimise goes with --best")
    refuse(options.clues and not options.strict, "--clues goes with --strict")
    if options.strict:
        _require_strict(inputs, parse_clues(options.clues))
    certificates.check(*inputs.files, *answers.values(), output.output)
    form, limit = format_of(options.output_format, output.output), solver.time_limit
    below_0 = scores.from_file is not None and min(scores.from_file.weights) < 0
    stated = _Answers({source_name(file): answer for file, answer in answers.items()}, parse_box(inputs.box), below_0)
    more = any((options.minimal, options.best, answers, scores.weights, certificates.certificate))
    is_plain, unique = options.unique and not more, Findings(ONE, ground=refutation_by(ARRAYS))
    exit_code = Job(
        solver.session(alone=not (options.unique or options.best)),
        query_of=lambda entry: Check(entry, *stated.answer_to(entry), scores.objective_of(entry), options, limit),
        writer_on=lambda _: json_line if form == "json" else _text,
        exit_of=lambda _, record: {True: Exit.OK, False: Exit.NEGATIVE, None: Exit.UNKNOWN}[record["good"]],
        unknown=Findings(UNCOUNTED if options.unique else None),
        finish=Check.verdict,
        certificates=certificates,
        time_limit=limit,
        claim=_claim,
        answer_lines=partial(answers_to_lines, unique, partial(_count_to_2, limit)) if is_plain else None,
        verify=False,
    ).run(inputs, output)
    stated.require_end()
    return exit_code


def _with_answers(inputs: Inputs, solution: str | None) -> tuple[Inputs, dict[str, str]]:
    """The inputs that hold puzzles, and for each of them that has answers the file of these."""
    if solution:
        return inputs, dict.fromkeys(inputs.files, solution)
    named = inputs.sources or []
    answers = answers_beside([file for file in inputs.files if file not in named]) | answers_beside(named, named)
    return replace(inputs, sources=[file for file in inputs.files if file not in answers.values()]), answers


class _Answers:
    """The answers that files state, read in step with the puzzles. `paths` maps the names of inputs to their files."""

    def __init__(self, paths: Mapping[str, str], shape: tuple[int, int] | None, below_0: bool) -> None:
        self._paths, self._shape, self._below_0 = paths, shape, below_0
        self._path: str | None = None
        self._answers: Iterator[StatedAnswer] = iter(())
        self._board: Board | None = None

    def answer_to(self, entry: Entry) -> tuple[Grid | None, StatedAnswer | None]:
        """The next answer of the file, else the one that came with the puzzle: a grid, and the entry of the file."""
        self._board, path = entry.puzzle.board, self._paths.get(entry.place.file)
        if path != self._path:
            self.require_end()
            self._path, self._answers = path, self._read(path) if path else iter(())
        if path is None:
            return entry.solution or (entry.puzzle.clues if entry.puzzle.clues.is_full else None), None
        stated = next(self._answers, None)
        if stated is None:
            raise UsageError(f"{path} holds no solution for the puzzle at {entry.place}")
        grid = answer_in_alphabet(entry, stated.entry) if stated.entry else None
        return grid and with_extra_digits(grid, entry.puzzle), stated

    def _read(self, path: str) -> Iterator[StatedAnswer]:
        with open_binary(path) as stream:
            yield from or_raise(read_stated(stream, input_name(path), self._shape, lambda: self._board, self._below_0))

    def require_end(self) -> None:
        """Raises `UsageError` if the file has more answers than puzzles."""
        refuse(next(self._answers, None), f"{self._path} holds more solutions than there are puzzles")


def _require_strict(inputs: Inputs, clues: tuple[int, int] | None) -> None:
    """Raises `InputError` at the first character that differs from what we would write for the puzzles of a file."""
    for file in inputs.files:
        refuse(inline_puzzle(file), "--strict is for files and standard input, not for a puzzle as an argument")
        # cached, since a pipe can be read only once
        with open_binary(file) as stream:
            inputs.cached_bytes[file] = data = stream.read()
        entries = list(inputs.open(file))
        lines = [line for entry in entries for line in _strict_text(entry).splitlines(keepends=True)]
        found = data.decode("utf-8", "replace").splitlines(keepends=True)
        if found[:1] == [f"{len(entries)}\n"] != lines[:1]:
            lines = [*found[:1], *lines]
        for number, (line, right) in enumerate(zip_longest(found, lines, fillvalue=""), 1):
            if line != right:
                same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(line, right, strict=False)))
                place = Place(input_name(file), number, same + 1)
                raise InputError(place, repr(line), repr(right) if right else "the end")
        for entry in entries:
            count, (least, most) = entry.puzzle.clues.filled_count, clues or (0, entry.puzzle.board.cell_count)
            if not least <= count <= most:
                raise InputError(entry.place, counted(count, "clue"), f"{least} to {most}")


def _strict_text(entry: Entry) -> str:
    """The text of a puzzle in the plain layout of its format, with its own symbols."""
    layout = entry.layout
    plain = replace(layout_named(layout.format, entry.puzzle.ruleset), symbols=layout.symbols, blank=layout.blank)
    return "\n" * layout.gap + puzzle_text(entry.puzzle, plain)


def _claim(_: Entry, answers: list[Findings]) -> Claimed | str:
    (found,) = answers
    if found.count in (NONE, ONE):
        return Claim(len(found.grids)), found.grids, None
    return found.count or UNCOUNTED


def _text(entry: Entry, record: Record) -> str:
    """A line with the verdict; indented lines for faults and what can go; the author and rules that came with it."""
    about = [f"by {entry.author}"] if entry.author else []
    about += [line for line in entry.about.splitlines() if line.strip()]
    if entry.about and record["solutions"] == MANY:
        about.append("(These words may say more than the rules that were read.)")
    lines = [f"{label(entry)}: {record['verdict']}", *record["faults"], *_what_can_go(record), *map(printable, about)]
    return "\n  ".join(lines) + "\n"


def _what_can_go(record: Record) -> Iterator[str]:
    if record.get("undecided"):
        yield f"unknown whether these can go: {'; '.join(record['undecided'])}"
    if record.get("spare"):
        yield f"can go, one at a time: {'; '.join(record['spare'])}"
        total = f"of {record['clues'] + record['constraints']}: {'; '.join(record['enough'])}"
        proved = "a smallest sufficient set" if record["smallest"] else "a sufficient set, not proved smallest"
        yield f"{proved}, {len(record['enough'])} {total}"


def _is_right(
    faults: list[str], count: str | None, stand_in: str | None, best: str | None, needs: Record
) -> bool | None:
    """Whether the checked puzzle or answer is right; None if that is not known."""
    if faults or count in (NONE, MANY) or (stand_in == NONE_CLAIMED and count == ONE):
        return False
    if (stand_in and best != BEST) or count == UNCOUNTED or best == NOT_PROVED or not needs.get("smallest", True):
        return None
    return not needs or bool(needs["minimal"])


def _rule_differences(ruleset: Ruleset) -> Iterator[str]:
    """How the rules differ from those of classic sudoku, in words."""
    if not ruleset.board.is_plain:
        yield f"a board of {ruleset.board}"
    if Lines() not in ruleset.constraints:
        yield "no lines"
    if ruleset.box is None:
        yield "no boxes"
    if ruleset.special:
        yield counted(len(ruleset.special), "constraint")


def _count_to_2(time_limit: float | None, puzzle: Puzzle, session: Session, *_: Progress) -> Iterator[Findings]:
    try:
        grids = tuple(islice(session.solutions(puzzle, time_limit), 2))
    except TimeLimitError:
        yield Findings(UNCOUNTED)
    else:
        yield Findings((NONE, ONE, MANY)[len(grids)], grids, "two grids" if len(grids) == 2 else session.ground)


def _grade(score: int | None, result: Result, objective: Objective) -> tuple[str, str | None]:
    """The grade of a score, or of the claim that there is no solution (None), and what is wrong with it."""
    best, better, fault = result.score, objective.sense.better, None
    none_found = result.status is Status.INFEASIBLE
    if (score is None and none_found) or (result.status is Status.OPTIMAL and score == best):
        return BEST, None
    if none_found:
        fault = "there is no solution"
    elif score is None:
        fault = None if best is None else f"there is a solution with the score {best}"
    elif result.status is Status.OPTIMAL:
        fault = f"the best score is {best}, not {score}"
    elif best is not None and better(best, score):
        fault = f"the score {best} is better than {score}"
    elif result.bound is not None and better(score, result.bound):
        fault = f"no score is better than {result.bound}, so none is {score}"
    return NOT_BEST if fault else NOT_PROVED, fault
