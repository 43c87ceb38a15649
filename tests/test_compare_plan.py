"""Plans: every run once, in shuffled order, and unchanged when written as JSON and read again."""

import re
from collections import Counter
from dataclasses import fields, replace
from pathlib import Path

import pytest
from comparing import EASY, plan
from puzzles import random_puzzle

from ringdoku import BackendError, Puzzle, UsageError, classic, parse
from ringdoku.compare.plan import (
    Contender,
    Instance,
    Measurement,
    Plan,
    Task,
    contenders,
    grid_of,
    grid_text,
    split_names,
)
from ringdoku.compare.results import load, save
from ringdoku.compare.summary import Results


def many(**changes: object) -> Plan:
    instances = tuple(Instance(f"p{number}", EASY) for number in range(20))
    return plan("search", "minisat22", instances=instances, repeats=3, **changes)


def runs(one: Plan, done: set[tuple[str, str, str, int]] | None = None) -> Counter[tuple[str, str, str, int]]:
    return Counter(
        (instance.name, part.contenders[0].backend, part.contenders[0].encoding, repeat)
        for part, repeat in one.batches(done or ())
        for instance in part.instances
    )


@pytest.mark.parametrize("warm", [False, True])
def test_every_run_is_in_the_plan_once_and_what_is_done_is_not_asked_again(warm: bool) -> None:
    found, done = runs(many(warm=warm)), {("p3", "search", "", 1), ("p4", "minisat22", "", 2)}
    assert len(found) == many().size == 120
    assert set(found.values()) == {1}
    assert found.keys() - runs(many(warm=warm), done).keys() == done
    assert {len(part.instances) for part, _ in many(warm=warm).batches()} == {20 if warm else 1}


def test_the_seed_shuffles_the_runs_so_that_those_of_a_backend_are_spread_over_the_whole_time() -> None:
    assert list(many(seed=1).batches()) == list(many(seed=1).batches())
    assert [part.instances for part, _ in many(seed=1).batches()] != [part.instances for part, _ in many().batches()]
    halves = Counter((place // 20, *part.contenders) for place, (part, _) in enumerate(many().batches()))
    assert len(halves) == 12
    assert min(halves.values()) >= 4


@pytest.mark.parametrize(
    "puzzle",
    [
        *map(random_puzzle, (classic(9), classic(6, (3, 2)), classic(16)), (30, 9, 90), "abc"),
        "diagonal\n" + "1..." * 4,
        "board 2x3 digits 0-2\n0.2\n...",
        "board 3x1 digits -1-1\nno lines\nsum 0: r1c1 r2c1\n-1\n0\n.",
        "board 2x2 extra a b\nno boxes\nsum 3: a b\n12\n..",
        "board 12x12\nno boxes\n" + "12 " + ". " * 11 + ("\n" + ". " * 12) * 11,
    ],
)
def test_a_plan_with_a_puzzle_of_any_rules_is_the_same_after_json(puzzle: str | Puzzle, tmp_path: Path) -> None:
    instance = Instance("x", parse(puzzle) if isinstance(puzzle, str) else puzzle)
    assert grid_of(grid_text(instance.puzzle.clues), instance.puzzle.board) == instance.puzzle.clues
    original = many(memory_limit=500, warm=True, task=Task.UNIQUE, command="ringdoku compare a.txt --box 2x2")
    original = replace(original, instances=(*original.instances, instance))
    save(Results(original, {}), tmp_path / "r.json")
    found = load(tmp_path / "r.json").plan
    assert (found, found.command) == (original, original.command)


@pytest.mark.parametrize(
    "changes",
    [
        *({"instances": ()}, {"instances": (Instance("a", EASY), Instance("a", EASY))}),
        *({"contenders": ()}, {"contenders": (Contender("search"), Contender("search"))}),
        *({"repeats": 0}, {"time_limit": 0.0}, {"time_limit": float("nan")}, {"memory_limit": 0}),
    ],
)
def test_a_plan_that_makes_no_sense_is_refused(changes: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        plan(**changes)


def test_contenders_can_do_the_task_and_only_sat_solvers_meet_every_encoding() -> None:
    assert {"search", "cpsat", "minisat22"} <= {one.backend for one in contenders(Task.SOLVE)}
    assert "minisat22" not in {one.backend for one in contenders(Task.MAXIMISE)}
    names = [one.name for one in contenders(Task.SOLVE, ["minisat22", "cpsat"], ["own", "minimal+product"])]
    assert names == ["minisat22", "minisat22/minimal+product", "cpsat"]
    # before anything runs
    with pytest.raises(BackendError, match="nosuchprogram"):
        contenders(Task.SOLVE, ["search", "cmd:nosuchprogram -q"])
    for name in ("nonsense", "minimal+", "minimal+extended", "order+log", "triads+triads"):
        with pytest.raises(UsageError):
            contenders(Task.SOLVE, ["minisat22"], [name])


def test_every_figure_of_a_measurement_is_documented() -> None:
    page = Path(__file__).parents[1] / "docs" / "comparing.md"
    documented = set(re.findall(r"`(\w+)`", page.read_text(encoding="utf-8")))
    assert {field.name for field in fields(Measurement)} <= documented


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("search, cpsat,", ["search", "cpsat"]),
        ("cmd:a --x=1,2,cmd:b,search", ["cmd:a --x=1,2", "cmd:b", "search"]),
        ("search,cmd:a 1,,2 ,all", ["search", "cmd:a 1,,2", "all"]),
        ('cmd:a "x,search",cpsat', ['cmd:a "x,search"', "cpsat"]),
        ("cmd:it's,cpsat", ["cmd:it's", "cpsat"]),
        ("", []),
    ],
)
def test_commands_with_commas_are_names_of_backends_too(text: str, names: list[str]) -> None:
    assert split_names(text) == names
    assert split_names(",".join(names)) == names
