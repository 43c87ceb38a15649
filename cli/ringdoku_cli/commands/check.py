"""`ringdoku check`: whether a puzzle is well-formed or has one solution, and whether a grid is its solution."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, islice, takewhile, zip_longest
from typing import TYPE_CHECKING, Annotated, Any

from ringdoku import Board, Claim, Grid, InputError, Objective, Place, Puzzle, Session, TimeLimitError, UsageError
from ringdoku.domain import Lines, Result, Ruleset, Status, counted, refuse, word_in
from ringdoku.domain.checker import check as check_grid
from ringdoku.domain.checker import repeats
from ringdoku.limits import Deadline
from ringdoku.services.lines import ARRAYS
from ringdoku.solvers.registry import refutation_by
from ringdoku.text import Entry, StatedAnswer, answer_in_alphabet, layout_named, or_raise, read_stated
from ringdoku.text.layout import FORMAT_NAMES, puzzle_text
from ringdoku_cli.answering import Job, Progress, unless_only
from ringdoku_cli.certificates import Certified, Claimed
from ringdoku_cli.exits import Exit, printable
from ringdoku_cli.inputs import answers_beside, as_text, input_name, open_binary, source_name
from ringdoku_cli.options import Inputs, Output, Scores, Solver, TextFormat, option, parse_box, parse_clues
from ringdoku_cli.render import by_word, format_of, json_line, who

if TYPE_CHECKING:
    from ringdoku.services.needs import Needs

NONE, ONE, MANY = "no solution", "exactly one solution", "more than one solution"
UNCOUNTED = "unknown number of solutions"
"""How many solutions there are, as far as it matters for uniqueness; uncounted at the time limit."""
NONE_CLAIMED, NO_ANSWER_CLAIMED, SCORE_CLAIMED = "no solution claimed", "no answer claimed", "score {} claimed"
NOTHING_TO_CHECK = "no answer to check"
"""What a claim has in place of a grid; nothing, where --best has no claim at all."""
BEST, NOT_BEST, NOT_PROVED = "the best", "not the best", "not proved best"
"""What was found out about an answer to the question for the best score."""
MINIMALITY = {True: "minimal", False: "not minimal", None: "not known whether minimal"}
SOLUTION_HELP = "Answers in the order of all puzzles: a filled grid for each, its score above it, or the score alone."
STRICT_HELP = "Let a file have just the puzzles, as we write them in its format, and at most their number above them."
MINIMAL_HELP = "As --unique, and list clues and rules that can go, one at a time, and a smallest sufficient set."
BEST_HELP = "Check whether the score is the best one, and -1 whether there is no solution."


@dataclass(frozen=True)
class Searched:
    """What a solver said of a puzzle: `count` is None without --unique, and `optimum` unknown without --best. `ground`
    is what the count rests on, as in `Result`."""

    count: str | None = None
    grids: tuple[Grid, ...] = ()
    ground: str = ""
    optimum: Result = field(default_factory=lambda: Result(Status.UNKNOWN))
    needs: "Needs | None" = None


Record = dict[str, Any]
"""What is said of a puzzle, as JSON has it."""


@dataclass(frozen=True)
class Asked:
    """What is asked of each puzzle, and how it is printed."""

    solution: Annotated[str | None, option("--solution FILE", SOLUTION_HELP)] = None
    unique: Annotated[bool, option("--unique", "Check whether there is exactly one solution.")] = False
    minimal: Annotated[bool, option("--minimal", MINIMAL_HELP)] = False
    best: Annotated[bool, option("--best", BEST_HELP)] = False
    strict: Annotated[bool, option("--strict", STRICT_HELP)] = False
    clues: Annotated[str | None, option("--clues A-B", "With --strict: from A to B clues, or just A.")] = None
    output_format: TextFormat = None


@dataclass(frozen=True)
class Check:
    """What is asked of a puzzle: how many solutions it has, and the best score, both if wanted. `answer` is a grid that
    is said to be its solution, `stated` what the file of --solution says."""

    entry: Entry
    answer: Grid | None
    stated: StatedAnswer | None
    objective: Objective
    asked: Asked
    time_limit: float | None

    def __call__(self, session: Session, progress: Progress) -> Iterator[Searched]:
        puzzle, deadline = self.entry.puzzle, Deadline.asked(self.time_limit)
        (found,) = _count(self.time_limit, puzzle, session) if self.asked.unique else [Searched()]
        if self.asked.minimal and found.count == ONE:
            # it loads a solver
            from ringdoku.services.needs import needs

            with suppress(TimeLimitError):
                for known in needs(puzzle, deadline.left()):
                    found = replace(found, needs=known)
                    progress.latest = "; ".join((ONE, *_what_can_go(self.verdict(found))))
        if self.asked.best and (self.answer or self.stated):
            found = replace(found, optimum=session.maximise(puzzle, self.objective, self.time_limit))
        yield found

    def verdict(self, found: Searched) -> Record:
        entry, puzzle, count, best, fault = self.entry, self.entry.puzzle, found.count, None, None
        faults, score, absence = self._compared(found.optimum)
        if self.asked.best and absence not in (NO_ANSWER_CLAIMED, NOTHING_TO_CHECK):
            best, fault = _graded(score, found.optimum, self.objective)
        clues = counted(puzzle.clues.filled_count, "clue")
        right, wrong = f"well-formed, {clues}", "contradictory clues"
        if self.answer:
            right, wrong = "right solution", "wrong solution"
        parts = [wrong if faults else right, *_rules(puzzle.ruleset)]
        if best == BEST and absence == NONE_CLAIMED:
            # there is no solution: that the clues contradict each other is no fault of the answer
            faults = []
        parts += [absence.format(score)] if absence else [] if score is None else [f"score {score}"]
        parts += filter(None, (best, count and f"{count}{by_word(word_in(found.ground))}"))
        if fault:
            faults.append(f"{self.stated.place}: {fault}" if self.stated else fault)
        needed = self._needed(found)
        parts += [MINIMALITY[needed["minimal"]]] if needed else []
        return {
            "author": entry.author,
            "about": entry.about,
            "good": _good(faults, count, absence, best, needed),
            "verdict": ", ".join(parts),
            "clues": puzzle.clues.filled_count,
            "constraints": len(puzzle.ruleset.special),
            "faults": faults,
            "score": score,
            "best": best,
            "solutions": count,
            "word_of": word_in(found.ground) or None,
            "ground": "; ".join(filter(None, (found.ground, found.optimum.ground))) or None,
            **needed,
        }

    def _needed(self, found: Searched) -> Record:
        """With --minimal, what can go and what is enough, each clue and rule as a text; None where it is not known."""
        needs, name = found.needs, partial(self.entry.layout.name, self.entry.puzzle.board)
        if not self.asked.minimal or found.count != ONE:
            return {}
        if needs is None:
            return dict.fromkeys(("minimal", "spare", "undecided", "enough", "smallest"))
        from ringdoku.services.explaining import part_texts

        parts = {key: list(chain(*part_texts(getattr(needs, key), name))) for key in ("spare", "undecided", "enough")}
        minimal = False if parts["spare"] else None if parts["undecided"] else True
        return {"minimal": minimal, **parts, "smallest": needs.smallest}

    def _compared(self, optimum: Result) -> tuple[list[str], int | None, str | None]:
        """What is wrong with the answer, or without one with the clues; the score; and what stands for an answer."""
        answer, stated, objective = self.answer, self.stated, self.objective
        puzzle, name = self.entry.puzzle, partial(self.entry.layout.name, self.entry.puzzle.board)
        claimed = stated.score if stated else None
        found = check_grid(puzzle, answer, objective, claimed) if answer else repeats(puzzle, puzzle.clues)
        faults = [fault.sentence(name) for fault in found]
        if answer and answer.is_full and answer.board == puzzle.board:
            return faults, objective.score(answer), None
        if answer or stated is None:
            return faults, None, NOTHING_TO_CHECK if self.asked.best else None
        return faults, *self._claimed(stated, optimum)

    def _claimed(self, stated: StatedAnswer, optimum: Result) -> tuple[int | None, str]:
        """The score that is said without a grid, and what stands for an answer."""
        # with weights below 0, a puzzle with a solution may have this score
        may_score = self.asked.best and min(self.objective.weights) < 0 and optimum.status is not Status.INFEASIBLE
        if stated.is_minus_one and may_score:
            return -1, SCORE_CLAIMED
        if stated.infeasible:
            return stated.score, NONE_CLAIMED
        if stated.score is None:
            return None, NO_ANSWER_CLAIMED
        return stated.score, SCORE_CLAIMED if self.asked.best else f"{SCORE_CLAIMED}, not compared without --best"


def check(inputs: Inputs, asked: Asked, scores: Scores, solver: Solver, certified: Certified, output: Output) -> Exit:
    """A grid is checked as a solution when it comes from --solution or the second column of CSV input, or when the
    puzzle itself has no blanks: each broken unit and each changed clue is named, and the score is printed. Otherwise
    the clues are checked for contradictions.

    Where N.out or N.ans is an input beside N.in, as in a folder of tests, it is its --solution.

    --solution takes what solve and maximise --grid write. A number above a grid is a score to check; give the
    --weights that it was made with. `no solution`, `unknown`, -1 without a grid, and JSON whose grid is null stand in
    place of a grid, as a score alone does. Only contradictory clues, --unique or --best show that there is no solution;
    only --best shows whether a score without a grid is right.

    --minimal says whether every clue and rule, rows, columns and boxes aside, is needed for the one solution. If not,
    it lists those of which each can go alone, and a set of the fewest that are enough: at the time limit and Ctrl-C
    what is known by then, the fewest that were found, not proved smallest.

    Exit status: 0 all is right, 1 something is wrong or not minimal, 2 malformed input or usage, 3 --unique, --minimal
    or --best reached the time limit, or there was no grid to check, 130 interrupted.
    """
    asked = replace(asked, unique=asked.unique or asked.minimal)
    inputs, answers = _with_answers(inputs, asked.solution)
    inputs.require_one_standard_input(*inputs.files, asked.solution, scores.weights)
    wrongly_paired = "--keep-going cannot go with --solution: answers could be matched to the wrong puzzles"
    refuse(answers and inputs.keep_going, wrongly_paired)
    refuse(certified.certificate and not asked.unique, "--certificate goes with --unique")
    refuse(scores.minimise and not asked.best, "--minimise goes with --best")
    refuse(asked.clues and not asked.strict, "--clues goes with --strict")
    if asked.strict:
        _require_strict(inputs, parse_clues(asked.clues))
    certified.check(*inputs.files, *answers.values(), output.output)
    form = format_of(asked.output_format, output.output)
    below_0 = scores.given is not None and min(scores.given.weights) < 0
    stated = _Stated({source_name(file): answer for file, answer in answers.items()}, parse_box(inputs.box), below_0)

    more = any((asked.minimal, asked.best, answers, scores.weights, certified.certificate))
    exit_code = Job(
        solver.session(),
        lambda entry: Check(entry, *stated.answer_to(entry), scores.of(entry), asked, solver.time_limit),
        lambda _: json_line if form == "json" else _text,
        lambda _, record: {True: Exit.OK, False: Exit.NEGATIVE, None: Exit.UNKNOWN}[record["good"]],
        lost=Searched(UNCOUNTED if asked.unique else None),
        alone=not (asked.unique or asked.best),
        finish=Check.verdict,
        certified=certified,
        time_limit=solver.time_limit,
        claim=_claim,
        lines=partial(unless_only, Searched(ONE, ground=refutation_by(ARRAYS)), partial(_count, solver.time_limit))
        if asked.unique and not more
        else None,
        verify=False,
    ).run(inputs, output)
    stated.require_end()
    return exit_code


def _with_answers(inputs: Inputs, solution: str | None) -> tuple[Inputs, dict[str, str]]:
    """The inputs that are puzzles, and for each that has answers the file of these."""
    if solution:
        return inputs, dict.fromkeys(inputs.files, solution)
    named = inputs.sources or []
    answers = answers_beside([file for file in inputs.files if file not in named]) | answers_beside(named, named)
    return replace(inputs, sources=[file for file in inputs.files if file not in answers.values()]), answers


class _Stated:
    """What files say that the answers are: `paths` has for the name of an input the file of its answers."""

    def __init__(self, paths: Mapping[str, str], shape: tuple[int, int] | None, below_0: bool) -> None:
        self._paths, self._shape, self._below_0 = paths, shape, below_0
        self._path: str | None = None
        self._answers: Iterator[StatedAnswer] = iter(())
        self._board: Board | None = None

    def answer_to(self, entry: Entry) -> tuple[Grid | None, StatedAnswer | None]:
        """The next one of the file, else the one that came with the puzzle."""
        self._board, path = entry.puzzle.board, self._paths.get(entry.place.file)
        if path != self._path:
            self.require_end()
            self._path, self._answers = path, self._read(path) if path else iter(())
        if path is None:
            return entry.solution or (entry.puzzle.clues if entry.puzzle.clues.is_full else None), None
        said = next(self._answers, None)
        if said is None:
            raise UsageError(f"{path} holds no solution for the puzzle at {entry.place}")
        return answer_in_alphabet(entry, said.entry) if said.entry else None, said

    def _read(self, path: str) -> Iterator[StatedAnswer]:
        with open_binary(path) as stream:
            yield from or_raise(read_stated(stream, input_name(path), self._shape, lambda: self._board, self._below_0))

    def require_end(self) -> None:
        """Raises `UsageError` where the file has more answers."""
        refuse(next(self._answers, None), f"{self._path} holds more solutions than there are puzzles")


def _require_strict(inputs: Inputs, clues: tuple[int, int] | None) -> None:
    """Raises `InputError` at the first place where a file is not what we would write of its puzzles."""
    for file in inputs.files:
        refuse(as_text(file), "--strict is for files and standard input, not for a puzzle as an argument")
        # once for all: a pipe has it only once
        with open_binary(file) as stream:
            inputs.held[file] = data = stream.read()
        entries = list(inputs.open(file))
        lines = [line for entry in entries for line in _written(entry).splitlines(keepends=True)]
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


def _written(entry: Entry) -> str:
    """A puzzle in the plain layout of its format, with the symbols that it has."""
    layout, ruleset = entry.layout, entry.puzzle.ruleset
    plain = layout_named(layout.format, ruleset) if layout.format in FORMAT_NAMES else layout
    plain = replace(plain, symbols=layout.symbols, blank=layout.blank)
    return "\n" * layout.gap + puzzle_text(entry.puzzle, plain)


def _claim(_: Entry, answers: list[Searched]) -> Claimed | str:
    (found,) = answers
    if found.count in (NONE, ONE):
        return Claimed(Claim(len(found.grids)), found.grids, word_of=word_in(found.ground))
    return found.count or UNCOUNTED


def _text(entry: Entry, record: Record) -> str:
    """A line for the puzzle, an indented line for each fault, and its author and rules where they came with it."""
    about = [f"by {entry.author}"] if entry.author else []
    about += [line for line in entry.about.splitlines() if line.strip()]
    if entry.about and record["solutions"] == MANY:
        about.append("(These words may say more than the rules that were read.)")
    lines = [f"{who(entry)}: {record['verdict']}", *record["faults"], *_what_can_go(record), *map(printable, about)]
    return "\n  ".join(lines) + "\n"


def _what_can_go(record: Record) -> Iterator[str]:
    if record.get("undecided"):
        yield f"unknown whether these can go: {'; '.join(record['undecided'])}"
    if record.get("spare"):
        yield f"can go, one at a time: {'; '.join(record['spare'])}"
        of = f"of {record['clues'] + record['constraints']}: {'; '.join(record['enough'])}"
        proved = "a smallest sufficient set" if record["smallest"] else "a sufficient set, not proved smallest"
        yield f"{proved}, {len(record['enough'])} {of}"


def _good(faults: list[str], count: str | None, absence: str | None, best: str | None, needed: Record) -> bool | None:
    """None where the check came to no result."""
    if faults or count in (NONE, MANY) or (absence == NONE_CLAIMED and count == ONE):
        return False
    if (absence and best != BEST) or count == UNCOUNTED or best == NOT_PROVED or not needed.get("smallest", True):
        return None
    return not needed or bool(needed["minimal"])


def _rules(ruleset: Ruleset) -> Iterator[str]:
    """In what the rules differ from those of classic sudoku."""
    if not ruleset.board.is_plain:
        yield f"a board of {ruleset.board}"
    if Lines() not in ruleset.constraints:
        yield "no lines"
    if ruleset.box is None:
        yield "no boxes"
    if ruleset.special:
        yield counted(len(ruleset.special), "constraint")


def _count(time_limit: float | None, puzzle: Puzzle, session: Session, *_: Progress) -> Iterator[Searched]:
    try:
        grids = tuple(islice(session.solutions(puzzle, time_limit), 2))
    except TimeLimitError:
        yield Searched(UNCOUNTED)
    else:
        yield Searched((NONE, ONE, MANY)[len(grids)], grids, "two grids" if len(grids) == 2 else session.ground)


def _graded(score: int | None, result: Result, objective: Objective) -> tuple[str, str | None]:
    """What the best score says of a score, or of the claim that there is no solution (None), and what is wrong."""
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
