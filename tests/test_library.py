"""What people hold is accepted, what they get prints and becomes arrays, and a session is as the functions are."""

import ast
import doctest
import inspect
import json
import pickle
import threading
from collections.abc import Iterable
from importlib import import_module
from io import BytesIO
from pathlib import Path
from tempfile import NamedTemporaryFile, SpooledTemporaryFile, TemporaryFile
from typing import Any, BinaryIO, cast

import numpy as np
import pytest

import ringdoku
from ringdoku import Board, Grid, Objective, Puzzle, Ruleset, Sense, Session, constraints, ring_weights
from ringdoku.constraints import AntiKnight, Constraint, Either, House, Killer, Product, Thermometer
from ringdoku.constraints.registry import CONSTRAINTS
from ringdoku.domain import DimensionError, Linear, RingdokuError, UsageError
from ringdoku.drawing.views import View
from ringdoku.sat.options import EncodingOptions

TEXT, A_GRID = "1...\n.2..\n....\n...3\n", "a grid is a Grid, a text, or rows of digits, such as a NumPy array"
ROWS = [[1, 0, 0, 0], [0, 2, 0, 0], [0, 0, 0, 0], [0, 0, 0, 3]]
HELD: list[Any] = [TEXT, ROWS, np.array(ROWS), np.array(ROWS, dtype=np.uint8), tuple(map(tuple, ROWS))]


def test_the_tour_is_true() -> None:
    found = doctest.testmod(ringdoku)
    assert (found.failed, found.attempted > 8) == (0, True)


@pytest.mark.parametrize("held", HELD)
def test_a_puzzle_is_a_text_or_rows_too(held: Any) -> None:
    puzzle = ringdoku.parse(TEXT)
    assert ringdoku.count_solutions(held) == 6
    assert ringdoku.maximise(held).score == 250
    assert ringdoku.bound(held) == ringdoku.bound(puzzle)
    assert ringdoku.candidates(held) == ringdoku.candidates(puzzle)
    assert len(list(ringdoku.solutions(held))) == len(list(ringdoku.best_solutions(held, 9))) == 6


def test_an_objective_is_rows_too_cells_may_have_names_and_tables_be_floats() -> None:
    corner = np.zeros((4, 4), dtype=int)
    corner[0, 3] = 7
    for weights in (corner, corner.tolist(), Objective.of_rows(corner)):
        assert ringdoku.maximise(TEXT, weights).score == 28
        assert ringdoku.minimise(TEXT, weights).score == 7 * 2
        assert ringdoku.maximise(TEXT, Objective.of_rows(corner, Sense.MINIMISE)).score == 7 * 2
    thermometer, killer = cast(Any, (Thermometer, Killer))
    rules = Ruleset(Board.square(4), (thermometer(("r1c1", 1)), killer(3.0, ["r1c1", "r1c2"])))
    assert rules.constraints == (Thermometer((0, 1)), Killer(3, (0, 1)))
    either = Either(((killer(3, ("r1c1", "r1c2")),), (AntiKnight(),)))
    assert Ruleset(Board.square(4), (either,)).constraints == (Either(((Killer(3, (0, 1)),), (AntiKnight(),))),)
    pandas: Any = import_module("pandas")
    frame = pandas.DataFrame(np.diag([1.0, 2, 0, 3]))
    assert Grid(frame) == Grid(frame.to_numpy())
    assert ringdoku.solve(frame).grid == ringdoku.solve(frame.to_numpy()).grid == ringdoku.solve(TEXT).grid


def test_weights_of_digits_are_tables_or_counts() -> None:
    table = np.zeros((4, 4, 4), dtype=int)
    table[0, 3, 1] = table[1, 1, 0] = 5
    rows = table.reshape(16, 4)
    helds: list[Any] = [table, table.tolist(), rows, Objective.of_rows(table)]
    for held in (*helds, Objective(tuple(rows.reshape(-1).tolist()))):
        assert ringdoku.maximise(TEXT, held).score == 5
    board = Board.square(4)
    counting = Objective.counting(board, [3, 4], ("r1c3", 3, "r4c4"), Sense.MINIMISE)
    assert counting.score(Grid.of_rows([[0, 0, 3, 4], [3, 4, 0, 0], [0, 0, 0, 0], [0, 0, 0, 3]])) == 3
    with pytest.raises(UsageError, match="there is no digit 5 on a board of 4x4"):
        Objective.counting(board, [5], ["r4c1"])
    with pytest.raises(UsageError, match="a score counts cells of the grid, not x, y"):
        Objective.counting(Board(4, 4, 1, 4, ("x", "y")), [1], ["r1c1", "x", "y"])
    with pytest.raises(DimensionError, match="4x4 weights do not fit a board of 9x9"):
        ringdoku.maximise(ringdoku.Puzzle.blank(9), rows[:4])


def test_constraints_of_a_function_are_asked_elsewhere_and_editors_know_ours() -> None:
    class Twins(Constraint):
        # the annotation says nothing, and is not a name that can be looked up
        own_cells: "list[Unknown]"  # type: ignore[name-defined]  # noqa: F821
        more: "Unknown" = None  # type: ignore[name-defined]  # noqa: F821

        def __post_init__(self) -> None:
            object.__setattr__(self, "own_cells", self.own_cells[::-1])

        def houses(self, board: Board) -> Iterable[House]:  # noqa: ARG002
            return [House("the twins", tuple(self.own_cells))]

    asked = ringdoku.parse(TEXT).with_rules(Twins(["r1c2", "r4c3"]))
    assert str(asked.with_rules("anti-king")).startswith("twins: r4c3 r1c2\n")
    alone, other = ([result.grid for result in ringdoku.solve_many([asked] * 3, jobs=jobs)] for jobs in (1, 2))
    assert len({*alone, *other}) == 1
    tree = ast.parse(Path(str(constraints.__file__)).read_text())
    seen = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.names[0].name == "*"}
    assert seen == {kind.__module__ for kind in CONSTRAINTS.values()}
    assert {"Thermometer", "Boxes"} < set(dir(constraints))


def test_check_takes_what_people_hold() -> None:
    grid = ringdoku.solve(TEXT).grid
    assert grid is not None
    score = ring_weights(grid.board).score(grid)
    for held in (grid, str(grid), "".join(str(grid).split()), f"{score}\n{grid}", np.asarray(grid), grid.rows):
        assert ringdoku.check(TEXT, held) == []
        assert ringdoku.check(ROWS, held, claimed_score=score) == []
        assert len(ringdoku.check(TEXT, held, claimed_score=1)) == 1
    assert list(map(str, ringdoku.check(TEXT, f"7\n{grid}"))) == [f"the score is {score}, not 7"]
    assert list(map(str, ringdoku.check(TEXT, [[1, 2], [2, 1]]))) == ["the grid is 2x2, the puzzle 4x4"]
    rectangle = ringdoku.parse("board 2x3 digits 0-2\n. . .\n. . 0\n")
    assert ringdoku.check(rectangle, "1 2 0\n2 1 0") == ringdoku.check(rectangle, [[1, 2, 0], [2, 1, 0]]) != []


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (5, f"{A_GRID}: rows are given as a list, not as 5 (int)"),
        ([{1, 2}], f"{A_GRID}: the numbers of a row are given as a list, not as {{1, 2}} (set)"),
        ([[9] * 4] * 4, "a digit of a 4x4 grid is 0..4, not 9"),
        ("x", "<grid>:1:1: found 'x', expected a puzzle"),
        ("no solution", "<grid>: found 1 answer, 0 grids, expected one grid"),
        ("1234341221434321\n" * 2, "<grid>: found 2 answers, 2 grids, expected one grid"),
    ],
)
def test_check_refuses_anything_else(wrong: Any, message: str) -> None:
    with pytest.raises(ringdoku.RingdokuError) as caught:
        ringdoku.check(TEXT, wrong)
    assert str(caught.value) == message


@pytest.mark.parametrize("wrong", [5, None, 1.5, {(1, 2), (3, 4)}, [1, 2], b"1...", {"grid": ROWS}, object()])
def test_anything_else_is_refused_with_what_is_accepted(wrong: Any) -> None:
    refusal = "^{} is {}, or rows of {}, such as a NumPy array: (rows|the numbers of a row) are given as a list, not "
    for ask in (ringdoku.solve, ringdoku.maximise, ringdoku.candidates, ringdoku.count_solutions):
        with pytest.raises(UsageError, match=refusal.format("a puzzle", "a Puzzle, a text", "digits")):
            ask(wrong)
    if wrong is not None:
        with pytest.raises(UsageError, match=refusal.format("an objective", "an Objective", "weights")):
            ringdoku.maximise(TEXT, wrong)
    with pytest.raises(ringdoku.InputError):
        ringdoku.solve("1x..")
    for shape in ((3, 3), (2, 8), (8, 2, 4), (4, 5, 4)):
        with pytest.raises(ringdoku.DimensionError):
            ringdoku.maximise(TEXT, np.ones(shape, dtype=int))


def test_grids_are_rows_and_arrays_and_puzzles_and_results_print() -> None:
    grid = Grid.of_rows(ROWS)
    assert (len(grid), list(grid), grid[1], grid[1, 1]) == (4, [tuple(row) for row in ROWS], (0, 2, 0, 0), 2)
    assert np.array_equal(np.asarray(grid), ROWS)
    assert np.asarray(grid, dtype=np.int8).dtype == np.int8
    assert Grid.of_rows(np.asarray(grid)) == grid
    assert str(grid) == "1 . . .\n. 2 . .\n. . . .\n. . . 3"
    assert str(Grid((9, 10), ringdoku.Board(1, 2, 9, 10))) == " 9 10"
    assert eval(repr(grid), {"Grid": Grid, "Board": ringdoku.Board}) == grid
    assert np.asarray(Objective.of_rows([[1, 2], [3, 4]])).tolist() == [[1, 2], [3, 4]]
    assert np.asarray(Objective((1, 2, 3, 4))).tolist() == [1, 2, 3, 4]
    with pytest.raises(IndexError):
        grid[4]
    puzzle = ringdoku.parse(f"killer 3: r1c1 r1c2\n{TEXT}")
    assert str(puzzle).splitlines()[:3] == ["killer 3: r1c1 r1c2", "+-----+-----+", "| 1 . | . . |"]
    assert ringdoku.parse(str(puzzle)) == puzzle
    first, second, *_ = str(ringdoku.maximise(TEXT)).splitlines()
    assert first.startswith("optimal, score 250, bound 250, 0.")
    assert second.startswith("1 ")
    assert str(ringdoku.solve("11..\n....\n....\n....\n")).startswith("infeasible, 0.")


@pytest.mark.parametrize("format_name", ["line", "packed", "spaced", "boxed", "json"])
def test_many_puzzles_are_written_and_read(format_name: str) -> None:
    killer = ringdoku.parse(f"killer 3: r1c1 r1c2\n{TEXT}")
    for puzzles in ([ringdoku.parse(TEXT), Puzzle.blank(4)], [killer, killer], [Puzzle.blank(6, (3, 2))] * 2):
        assert list(ringdoku.read_puzzles(ringdoku.write_puzzles(puzzles, format_name))) == puzzles
    assert ringdoku.write_puzzles([]) == ""
    with pytest.raises(ringdoku.InputError, match="expected a puzzle"):
        list(ringdoku.read_puzzles(""))
    with pytest.raises(UsageError, match="there is no format 'x'"):
        ringdoku.write_puzzles([killer], "x")


def test_a_session_has_the_functions_with_their_names_arguments_and_defaults() -> None:
    settings = {"backend", "seed"}
    for name in ("solve", "maximise", "minimise", "best_solutions", "solutions", "count_solutions"):
        function = inspect.signature(getattr(ringdoku, name)).parameters
        method = inspect.signature(getattr(Session(), name)).parameters
        wanted = {key: value.default for key, value in function.items() if key not in settings}
        assert {key: value.default for key, value in method.items()} == wanted, name
        assert list(method) == list(wanted), name
    session = Session()
    assert session.maximise(TEXT).score == ringdoku.maximise(TEXT).score
    assert session.minimise(TEXT).score == ringdoku.minimise(TEXT).score
    assert session.count_solutions(TEXT, 2) == 2
    assert session.maximize(TEXT, ring_weights(ringdoku.parse(TEXT).board)).score == 250
    assert ringdoku.maximize is ringdoku.maximise
    again, other = (pickle.loads(pickle.dumps(Session("cadical195", seed=3))) for _ in range(2))
    assert (again.backend, again.seed, again is other) == ("cadical195", 3, False)


def test_threads_may_share_a_session() -> None:
    session = Session("search")
    entered, leave = threading.Event(), threading.Event()

    def wait(_: object) -> None:
        entered.set()
        leave.wait(20)

    thread = threading.Thread(target=lambda: session.maximise(TEXT, on_progress=wait))
    thread.start()
    assert entered.wait(20)
    try:
        assert session.maximise(TEXT).score == 250
    finally:
        leave.set()
        thread.join()
    grids = session.solutions(TEXT)
    next(grids)
    assert session.count_solutions(TEXT) == 6
    assert len(list(grids)) == 5
    assert pickle.loads(pickle.dumps(session)).count_solutions(TEXT) == 6


def test_a_constraint_that_nobody_could_check_is_refused() -> None:
    with pytest.raises(UsageError, match="Twins has `primitives` and no `holds`, so that no answer could be checked"):
        type("Twins", (Constraint,), {"primitives": lambda *_: ()})


ANYTHING: list[Any] = [None, -1, True, 2.5, "x", b"x", (), {}, [1, 2], [[None]], object, np.nan, 10**30, np.array(2.5)]
FOUR = Board.square(4)
CALLS: dict[str, tuple[Any, list[Any]]] = {
    "a puzzle": (ringdoku.solve, []),
    "a backend": (lambda value: ringdoku.solve(TEXT, value), []),
    "a seed": (lambda value: Session("cpsat", value), [-1, 10**30]),
    "jobs": (lambda value: Session(jobs=value), [None, 10**30]),
    "puzzles": (lambda value: list(ringdoku.solve_many(value)), [()]),
    "a text": (ringdoku.parse, []),
    "puzzles to write": (ringdoku.write_puzzles, [()]),
    "a text of puzzles": (lambda value: list(ringdoku.read_puzzles(value)), [b"x"]),
    "a box": (lambda value: ringdoku.parse(TEXT, value), [None, (), {}]),
    "rows of digits": (Puzzle.of_rows, []),
    "weights": (Objective, [[1, 2]]),
    "rows of weights": (Objective.of_rows, []),
    "rules": (lambda value: Ruleset(FOUR, value), [()]),
    "a board": (lambda value: Ruleset(value, ()), []),
    "the board of a grid": (lambda value: Grid((1,) * 16, value), [None]),
    "names of extra cells": (lambda value: Board(4, 4, 1, 4, value), [()]),
    "a number of truths": (lambda value: ringdoku.explain(TEXT, truths=value), []),
    "candidates": (lambda value: ringdoku.explain(TEXT, start=value), [None]),
    "digits of candidates": (lambda value: ringdoku.explain(TEXT, start=cast(Any, [[value]] * 16)), [-1, 10**30]),
    "a limit": (lambda value: list(ringdoku.solve_many(["1234341221434321"], time_limit=value)), [None, 2.5, 10**30]),
    "what is certified": (lambda value: ringdoku.certify(value, ringdoku.Claim(1)), []),
    "a claim": (lambda value: ringdoku.certify(ringdoku.parse(TEXT), value), []),
    "solutions": (lambda value: ringdoku.certify(TEXT, ringdoku.Claim(0), value), []),
    "words of a claim": (ringdoku.Claim.parse, []),
    "numbers of a claim": (ringdoku.Claim, [10**30]),
    "a proof": (lambda value: ringdoku.verify(ringdoku.parse(TEXT), value, ringdoku.Claim(1)), []),
    "a model": (lambda value: ringdoku.verify(ringdoku.parse(TEXT), [], ringdoku.Claim(1), None, value), [None]),
    "its objective": (lambda value: ringdoku.verify(ringdoku.parse(TEXT), [], ringdoku.Claim(1), value), [None]),
    "cells": (lambda value: Ruleset(FOUR, (Thermometer(value),)), [[1, 2]]),
    "a number of solutions": (lambda value: ringdoku.count_solutions(TEXT, value), [None, 10**30]),
    "levels": (lambda value: ringdoku.generate(4, level=value), [None]),
    "what is exported": (lambda value: ringdoku.exports.export(value, "cnf", BytesIO()), []),
    "a clause set": (EncodingOptions, []),
    "what is bounded": (lambda value: ringdoku.check_bound(value, ring_weights(FOUR), value), []),
    "what is shown": (View, []),
    "the grid of a view": (lambda value: View(ringdoku.parse(TEXT), value), [None]),
    "the total of a sum": (lambda value: Linear((0,), (1,), value), [-1, 10**30]),
    "primitives": (
        lambda value: Ruleset(FOUR, (type("Own", (Killer,), {"primitives": lambda *_: value})(3, (0, 1)),)).rest,
        [()],
    ),
    "a total": (lambda value: Ruleset(FOUR, (Product(value, (0, 1)),)), [-1, 10**30]),
}
"""Calls, and what of anything is right for them."""


@pytest.mark.parametrize("what", CALLS)
def test_whatever_a_caller_gives_is_an_error_of_the_library(what: str) -> None:
    call, right = CALLS[what]
    for value in (value for value in ANYTHING if repr(value) not in map(repr, right)):
        with pytest.raises(RingdokuError):
            call(value)


def test_a_model_goes_to_any_stream_of_bytes_and_to_no_other() -> None:
    puzzle = ringdoku.parse(TEXT)
    with TemporaryFile() as plain, NamedTemporaryFile() as named, SpooledTemporaryFile() as spooled:
        for stream in cast(list[BinaryIO], [BytesIO(), plain, named, spooled]):
            ringdoku.exports.export(puzzle, "cnf", stream)
            assert stream.tell()
    with NamedTemporaryFile("w") as text, pytest.raises(UsageError, match=r"a stream of bytes, such as BytesIO\(\)"):
        ringdoku.exports.export(puzzle, "cnf", cast(BinaryIO, text))


def test_rules_are_added_and_puzzles_generated(tmp_path: Path) -> None:
    text, thermometer = "thermometer: r1c1-r1c3", Thermometer(tuple(np.arange(3)))
    lined = ringdoku.parse(f"{text}\nanti-king\n{TEXT}")
    assert ringdoku.parse(TEXT).with_rules(text, "anti-king") == lined
    assert repr(Puzzle.of_rows(ROWS, rules=[thermometer]).ruleset.constraints[-1]) == "Thermometer(cells=(0, 1, 2))"
    assert ringdoku.parse(TEXT).with_rules("no boxes").ruleset.box is None
    made = ringdoku.generate(4, symmetry="half-turn", level="singles", seed=5)
    assert made == ringdoku.generate(ringdoku.classic(4), symmetry="half-turn", level=("singles", "singles"), seed=5)
    assert (ringdoku.count_solutions(made, 2), ringdoku.rate(made).level) == (1, "singles")
    assert [ringdoku.generate(4, clues=clues).clues.filled_count for clues in ((9, 9), 9)] == [9, 9]
    with pytest.raises(RingdokuError, match="no such puzzle was found: "):
        ringdoku.generate(4, clues=1)
    made.save(tmp_path / "made.svg")
    assert (tmp_path / "made.svg").read_text().strip() == made.svg().strip()


def test_a_result_is_plain_data() -> None:
    best, none = ringdoku.maximise(TEXT), ringdoku.solve("11" + "." * 14)
    assert (best.solved, best.status == "optimal", str(best.status)) == (True, True, "optimal")
    assert (none.solved, none.status == "infeasible") == (False, True)
    assert best.grid is not None
    record = json.loads(json.dumps(best.to_dict()))
    assert (record["status"], record["score"], record["grid"][0]) == ("optimal", best.score, list(best.grid.rows[0]))
    assert none.to_dict()["grid"] is None
