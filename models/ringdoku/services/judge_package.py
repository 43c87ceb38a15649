"""Packages that judges take: a set of tests with statements, validators, checkers and sample programs.

The texts are templates in the folder `packages`. Their variables are the order `n`, `box` (height, width), the `houses`
whose cells differ, the `rules` besides rows, columns and boxes, each with the cells of its houses, the `weights`
in rows, whether the `best` score is asked for, the number of `cases` in a file, and the `least` number of clues.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple
from uuid import NAMESPACE_URL, uuid5

from ringdoku.domain import Grid, Lines, Puzzle, Ruleset, counted
from ringdoku.domain.checker import check
from ringdoku.services.judge_sets import MOST_NODES, MOST_SOLUTIONS, Task, Test, plain_search
from ringdoku.services.session import Session

SECONDS, MEGABYTES = 2, 256
"""The limits of the packages. The right program takes a tenth of a second in C++, in Python a third, in PyPy half."""


class Program(NamedTuple):
    """A submission: verdict, file, template, description, settings of the template, which tests catch it, its task."""

    verdict: str
    name: str
    template: str
    about: str
    settings: Mapping[str, Any]
    caught_by: Callable[[Test], bool] = lambda _: False
    task: str | None = None


VERBATIM = {"begin": "\\begin{verbatim}", "end": "\\end{verbatim}"}
"""What stands around the weights in TeX."""
ACCEPTED, WRONG, SLOW = "accepted", "wrong_answer", "time_limit_exceeded"


def _first_is_worse(test: Test) -> bool:
    return test.by_fewest[1] not in (None, test.score)


def _latin_is_wrong(test: Test) -> bool:
    """Whether a program that knows only rows and columns answers wrongly."""
    task, puzzle = test.task, Puzzle(Ruleset(test.puzzle.board, (Lines(),)), test.puzzle.clues)
    if task.name == "P1074":
        return Session().maximise(puzzle, task.objective).score != test.score
    return any(check(test.puzzle, Grid(digits, puzzle.board)) for digits in plain_search(puzzle, True, 1)[1])


def _is_sparse(test: Test) -> bool:
    clues = test.puzzle.clues
    return float(clues.order) ** (clues.board.cell_count - clues.filled_count) > 1e12


_FIRST, _FEWEST = "Takes the first solution for the best.", "Goes to the cell with the fewest candidates."
PROGRAMS = (
    Program(ACCEPTED, "search.cpp", "search.cpp", _FEWEST, {}),
    Program(ACCEPTED, "search.py", "search.py", _FEWEST, {}, task="P1074"),
    Program(ACCEPTED, "search.py", "plain.py", _FEWEST, {"fewest": True}, task="solve"),
    Program(WRONG, "first.cpp", "search.cpp", _FIRST, {"first": True}, _first_is_worse, "P1074"),
    Program(WRONG, "first.py", "plain.py", _FIRST, {"first": True, "fewest": True}, _first_is_worse, "P1074"),
    Program(WRONG, "latin.cpp", "search.cpp", "Knows rows and columns alone.", {"latin": True}, _latin_is_wrong),
    Program(SLOW, "rows.py", "plain.py", "Row by row.", {}, lambda test: test.by_rows[0] >= MOST_NODES),
    Program(SLOW, "fewest.py", "plain.py", _FEWEST, {"fewest": True}, lambda t: t.by_fewest[0] >= MOST_NODES, "P1074"),
    Program(SLOW, "late.cpp", "search.cpp", "Looks at the rules when the grid is full.", {"late": True}, _is_sparse),
)
"""A package has all accepted programs, and those wrong and slow ones that one of its tests catches."""


class Package:
    """Files of tests and a sample, with `cases` puzzles each; `about` is their origin. Equal tests give equal bytes."""

    def __init__(self, task: Task, tests: Sequence[Test], sample: Sequence[Test], about: str, cases: int = 1) -> None:
        from jinja2 import Environment, PackageLoader

        loader = PackageLoader("ringdoku.services", "packages")
        self._environment = Environment(loader=loader, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True)
        ruleset = task.ruleset
        self.task, self.cases, self._tests = task, cases, tests
        self._sample = [sample]
        self._secret = [tests[start : start + cases] for start in range(0, len(tests), cases)]
        of_task = [program for program in PROGRAMS if program.task in (None, task.name)]
        self._caught = {program.name: list(map(program.caught_by, tests)) for program in of_task}
        self._programs = [each for each in of_task if each.verdict == ACCEPTED or any(self._caught[each.name])]
        board, rows = ruleset.board, ruleset.board.in_rows(task.objective.weights)
        width = max(len(str(weight)) for row in rows for weight in row)
        self.context = {
            "n": board.order,
            "box": ruleset.box,
            "rules": [(rule, [house.cells for house in rule.houses(board)]) for rule in ruleset.special],
            "houses": [list(house.cells) for house in ruleset.houses if len(house.cells) > 1],
            "weights": rows,
            "weight_rows": "\n".join(" ".join(f"{weight:{width}}" for weight in row) for row in rows),
            "best": task.name == "P1074",
            "cases": cases,
            "least": min(test.puzzle.clues.filled_count for test in (*tests, *sample)),
            "seconds": SECONDS,
            "megabytes": MEGABYTES,
        }
        size = f" of {cases} puzzles" if cases > 1 else ""
        self._summary = f"{self._title('en')}: {counted(len(self._secret), 'test')}{size}, {about}"
        self.uuid = str(uuid5(NAMESPACE_URL, f"{self._summary} {self.context}"))

    def flat(self) -> dict[str, str]:
        """`1.in` and `1.out`, and so on."""
        return self._test_files(self._secret, ("{}.in", "{}.out"))

    def problem(self) -> dict[str, str]:
        """A package for Kattis, in the legacy problem package format."""
        found = self._test_files(self._secret, ("data/secret/{}.in", "data/secret/{}.ans"), len(str(len(self._secret))))
        found |= self._test_files(self._sample, ("data/sample/{}.in", "data/sample/{}.ans"))
        found |= {
            "problem.yaml": self._render("problem.yaml", uuid=self.uuid),
            "problem_statement/problem.en.tex": self._render("problem.tex", **VERBATIM),
            "attachments/statement.zh.md": self._markdown("zh"),
            "input_validators/validate.py": self._render("input.py"),
        }
        if not self.context["best"]:
            found["output_validators/validate.py"] = self._render("output.py")
        return found | self._submissions()

    def polygon(self) -> dict[str, str]:
        """A package for Codeforces' Polygon; its first test is the sample."""
        tests = [*self._sample, *self._secret]
        width = max(len(str(len(tests))), 2)
        found = self._test_files(tests, ("tests/{}", "tests/{}.a"), width)
        for language, code in (("english", "en"), ("chinese", "zh")):
            for section in ("name", "legend", "input", "output"):
                text = self._render("section.tex", code=code, section=section, **VERBATIM)
                found[f"statement-sections/{language}/{section}.tex"] = text
        files = {f"solutions/{each.name}": self._source(each) for each in self._programs}
        # `latin` may be too slow as well as wrong: rows and columns alone have many more solutions
        tags = ["rejected" if "latin" in each.settings else each.verdict.replace("_", "-") for each in self._programs]
        languages = ["cpp.g++17" if name.endswith("cpp") else "python.3" for name in files]
        programs = list(zip(files, ["main", *tags[1:]], languages, strict=True))
        names = {"short": f"ringdoku-{self.uuid[:8]}"} | {f"name_{code}": self._title(code) for code in ("en", "zh")}
        found |= files
        found["problem.xml"] = self._render("problem.xml", tests=tests, programs=programs, width=width, **names)
        found |= {f"files/{name}": self._render(name) for name in ("checker.cpp", "validator.cpp")}
        return found | {"tests.md": self.table(len(self._sample))}

    def luogu(self) -> dict[str, str]:
        """An archive of data for Luogu, with the score of each test; its checker, and statements to paste."""
        found = self.flat() | {"config.yml": self._render("config.yml", count=len(self._secret))} | self._submissions()
        found |= {f"statement.{code}.md": self._markdown(code) for code in ("en", "zh")}
        return found | {name: self._render(name) for name in ("checker.cpp", "validator.cpp")}

    def hydro(self) -> dict[str, str]:
        found = self._test_files(self._secret, ("testdata/{}.in", "testdata/{}.out")) | self._submissions()
        found["problem.yaml"] = f"title: {self._title('zh')}\ntag:\n  - sudoku\n"
        found["testdata/config.yaml"] = self._render("config.yaml")
        found |= {"problem.md": self._markdown("en"), "problem_zh.md": self._markdown("zh")}
        return found | {f"testdata/{name}": self._render(name) for name in ("checker.cpp", "validator.cpp")}

    def table(self, before: int = 0) -> str:
        """A Markdown table: the purpose of each test and which programs it catches. `before` other tests come first."""
        programs = [program for program in self._programs if program.verdict != ACCEPTED]
        caught = ([each.name for each in programs if self._caught[each.name][n]] for n in range(len(self._tests)))
        tests = list(zip(self._tests, map(", ".join, caught), strict=True))
        verdicts = {program.verdict for program in programs}
        without = [word for word, kind in (("wrong", WRONG), ("slow", SLOW)) if kind not in verdicts]
        more = {"most_nodes": MOST_NODES, "most_solutions": MOST_SOLUTIONS, "without": without}
        return self._render("tests.md", about=self._summary, programs=programs, tests=tests, before=before, **more)

    def _submissions(self) -> dict[str, str]:
        return {f"submissions/{each.verdict}/{each.name}": self._source(each) for each in self._programs}

    def _source(self, program: Program) -> str:
        lines = [list(house.cells) for house in Lines().houses(self.task.ruleset.board)]
        return self._render(program.template, about=program.about, lines=lines, **program.settings)

    def _render(self, template: str, **more: Any) -> str:
        return self._environment.get_template(f"{template}.txt").render(self.context | more)

    def _title(self, code: str) -> str:
        return self._render("section.tex", code=code, section="name").strip()

    def _markdown(self, code: str) -> str:
        """The statement in Markdown, with the sample."""
        sample = self._test_files(self._sample, ("input1", "output1")).items()
        return self._render("problem.md", code=code, sample=sample, begin="```", end="```")

    def _test_files(self, groups: Sequence[Sequence[Test]], names: tuple[str, str], width: int = 1) -> dict[str, str]:
        """Inputs and outputs of tests by file name; `names` are the patterns of both, `{}` for the number, from 1."""
        found: dict[str, str] = {}
        for number, tests in enumerate(groups, 1):
            head = f"{self.cases}\n" if self.cases > 1 else ""
            written, answered = (name.format(f"{number:0{width}}") for name in names)
            found[written] = head + "".join(self._digit_rows(test.puzzle.clues) for test in tests)
            found[answered] = "".join(map(self._answer, tests))
        return found

    def _answer(self, test: Test) -> str:
        if test.grid is None or test.score is None:
            return "-1\n"
        return f"{test.score}\n" if self.context["best"] else self._digit_rows(test.grid)

    def _digit_rows(self, grid: Grid) -> str:
        return "".join((" " if self.context["best"] else "").join(map(str, row)) + "\n" for row in grid.rows)


LAYOUTS: Mapping[str, Callable[[Package], dict[str, str]]] = {
    layout.__name__: layout for layout in (Package.flat, Package.problem, Package.polygon, Package.luogu, Package.hydro)
}
"""The text of each file by its name, for the systems that take such a package."""
