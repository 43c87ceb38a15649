"""Make the committed report again: `python benchmarks/make_report.py [--draw] [NAME...]`, about twelve minutes.

With `--draw` nothing is measured, and the pages and pictures are drawn from the saved results.

Each part is a folder of `benchmarks/report` with the results, the page, a CSV and the plots. The puzzles come from
the seeded generator; the hard ones are those of many minimal puzzles that cost a SAT solver most conflicts.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from ringdoku import Puzzle, Session
from ringdoku.compare.contenders import contenders
from ringdoku.compare.figures import save
from ringdoku.compare.page import write_report
from ringdoku.compare.plan import Instance, Plan, Task
from ringdoku.compare.plots import Chart, draw
from ringdoku.compare.results import Results, load
from ringdoku.compare.run import begin, compare
from ringdoku.compare.summary import Summary, table
from ringdoku.sat.at_most_one.registry import AT_MOST_ONE
from ringdoku.sat.digits.registry import DIGITS
from ringdoku.services.generate import Recipe, generate

REPORT = Path(__file__).parent / "report"

SOLVERS = ("cadical195", "glucose4", "minisat22")
"""One of each family; they meet every encoding."""

ENCODINGS = ("extended", "minimal", "efficient", "triads", "presolve", *list(DIGITS)[1:], *list(AT_MOST_ONE)[1:])


def solving(warm: bool) -> Plan:
    count = 20 if warm else 3
    instances = [*named("17 clues", Recipe.parse(f"{count}:clues=17")), *hard(count, 30 * count)]
    return Plan(
        Task.SOLVE, tuple(instances), contenders(Task.SOLVE), repeats=3 if warm else 1, time_limit=10.0, warm=warm
    )


def encodings(warm: bool) -> Plan:
    instances = hard(10 if warm else 4, 300)
    met = contenders(Task.SOLVE, SOLVERS, ENCODINGS)
    return Plan(Task.SOLVE, tuple(instances), met, repeats=2 if warm else 1, time_limit=10.0, warm=warm)


def maximising() -> Plan:
    instances = (one for clues in range(0, 31, 5) for one in named(f"{clues} clues", Recipe.parse(f"1:clues={clues}")))
    return Plan(Task.MAXIMISE, tuple(instances), contenders(Task.MAXIMISE), time_limit=10.0)


def maximising_large() -> Plan:
    recipes = {f"{share} %": Recipe.parse(f"1:clues={256 * share // 100},order=16") for share in (0, 10, 20, 30, 40)}
    instances = (one for name, recipe in recipes.items() for one in named(name, recipe))
    return Plan(Task.MAXIMISE, tuple(instances), contenders(Task.MAXIMISE), time_limit=10.0)


PARTS: Mapping[str, Callable[[], Plan]] = {
    "solve-9x9": lambda: solving(warm=False),
    "solve-9x9-warm": lambda: solving(warm=True),
    "encodings-9x9": lambda: encodings(warm=False),
    "encodings-9x9-warm": lambda: encodings(warm=True),
    "maximise-9x9": maximising,
    "maximise-16x16": maximising_large,
}


def named(name: str, recipe: Recipe) -> Iterator[Instance]:
    for number, puzzle in enumerate(generate(recipe), 1):
        yield Instance(f"{name} {number}" if recipe.count > 1 else name, puzzle)


def hard(count: int, out_of: int) -> list[Instance]:
    session = Session("minisat22")

    def conflicts(puzzle: Puzzle) -> float:
        return session.solve(puzzle).statistics["conflicts"]

    puzzles = sorted(generate(Recipe.parse(f"{out_of}:clues=minimal")), key=conflicts, reverse=True)
    return [Instance(f"hard {number}", puzzle) for number, puzzle in enumerate(puzzles[:count], 1)]


def make(name: str, measured: bool) -> Results:
    folder = REPORT / name
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "results.json"
    results = load(path) if measured else compare(begin(PARTS[name]()), path)
    write_report(results, folder, again=f"python benchmarks/make_report.py {name}")
    save(draw(results, Chart.CACTUS), folder / "cactus.svg")
    if results.plan.task is Task.MAXIMISE:
        save(draw(results, Chart.BOUND), folder / "bound.svg")
    return results


def main(arguments: list[str]) -> None:
    names = [argument for argument in arguments if argument != "--draw"]
    for name in names or PARTS:
        heads, rows = table(Summary(make(name, measured="--draw" in arguments)))
        print(f"\n### {name}\n")
        for line in (heads, ["---"] * len(heads), *rows):
            print(f"| {' | '.join(line)} |")


if __name__ == "__main__":
    main(sys.argv[1:])
