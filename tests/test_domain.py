"""Ruleset, grids, puzzles and objectives: known facts, and what is refused."""

import math
import pickle
import re
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ringdoku import Grid, Objective, Puzzle, RingdokuError, Ruleset, Sense, TimeLimitError, UsageError, ring_weights
from ringdoku.domain import MAX_ORDER, Board, box_shapes, classic
from ringdoku.domain.errors import DimensionError, InputError, MissingPackageError, Place
from ringdoku.domain.objective import MAX_WEIGHT, gains_of

NINE = classic(9)
SIX = classic(6, (2, 3))
TWO_BY_FOUR = Objective.of_rows([[1, 2, 3, 4], [5, 6, 7, 8]])
EVERY_SHAPE = [classic(height * width, (height, width)) for height in range(1, 5) for width in range(1, 5)]


@pytest.mark.parametrize("ruleset", EVERY_SHAPE, ids=str)
def test_every_kind_of_unit_parts_the_board(ruleset: Ruleset) -> None:
    n = ruleset.order
    for units in (ruleset.houses[:n], ruleset.houses[n : 2 * n], ruleset.houses[2 * n :]):
        assert len(units) == n
        assert sorted(cell for unit in units for cell in unit.cells) == list(range(n * n))
    assert len(ruleset.units) == 3 * n
    assert len({unit.name for unit in ruleset.units}) == 3 * n
    for cell, units_of in enumerate(ruleset.units_of):
        assert list(units_of) == [number for number, unit in enumerate(ruleset.units) if cell in unit.cells]


def test_classic_boards_have_units_peers_boxes_and_ring_weights_as_said() -> None:
    assert len(NINE.units) == 27
    assert {len(NINE.peers(cell)) for cell in range(81)} == {20}
    assert NINE.peers(0) == {*range(1, 9), *range(9, 81, 9), 10, 11, 19, 20}
    assert [unit.cells for unit in SIX.houses[12:14]] == [(0, 1, 2, 6, 7, 8), (3, 4, 5, 9, 10, 11)]
    assert classic(6, (3, 2)).houses[12].cells == (0, 1, 6, 7, 12, 13)
    assert [unit.name for unit in SIX.houses[12:]] == [f"box {number}" for number in range(1, 7)]
    assert str(SIX) == "6x6 with 2x3 boxes"
    assert classic(9) is classic(9, (3, 3))
    assert classic(6, (3, 2)) != SIX
    assert box_shapes(12) == [(3, 4), (4, 3), (2, 6), (6, 2), (1, 12), (12, 1)]
    rings = ring_weights(NINE.board)
    assert (rings.weights[:9], rings.weights[36:45]) == ((6,) * 9, (6, 7, 8, 9, 10, 9, 8, 7, 6))
    assert [rings.weights.count(weight) for weight in range(6, 11)] == [32, 24, 16, 8, 1]
    assert set(ring_weights(SIX.board, Sense.MINIMISE).weights) == {6, 7, 8}
    tracemalloc.start()
    puzzle = Puzzle.blank(225)
    assert len(puzzle.ruleset.primitives) == 675
    assert puzzle.ruleset.units_of[-1] == (224, 449, 674)
    assert tracemalloc.get_traced_memory()[1] < 60e6 * (225 / 400) ** 2
    tracemalloc.stop()


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: classic(0), "between 1 and 1024 cells, not 0"),
        (lambda: classic(MAX_ORDER + 1), "between 1 and 1024 cells, not 1025"),
        (lambda: classic(32 * 33, (32, 33)), "a side of a board has between 1 and 1024 cells, not 1056"),
        (lambda: classic(6), "6 is not a square number, so its box shape must be given, for example 2x3 or 3x2"),
        (lambda: classic(6, (2, 2)), "a box of 2x2 has 4 cells, not 6"),
        (lambda: classic(6, (-2, -3)), "boxes of -2x-3 do not fill 6x6"),
        (lambda: Board(4, 4, 1021, 1025), "digits are between −1024 and 1024, not 1021..1025"),
        (lambda: Board(4, 4, -1025, 1), "a board has between 1 and 1024 digits"),
        (lambda: Grid(()), "a grid has n² digits, not 0"),
        (lambda: Grid((1, 2, 3)), "a grid has n² digits, not 3"),
        (lambda: Grid((1, 2, 3, 5)), "a digit of a 2x2 grid is 0..2, not 3"),
        (lambda: Grid((0, 0, 0, -1)), "a digit of a 2x2 grid is 0..2, not -1"),
        (lambda: Grid.of_rows([[1, 2, 3], [4]]), "row 1 has 3 numbers in a matrix of 2 rows"),
        (lambda: Puzzle.of_rows([[1, 2, 3], [4]]), "row 1 has 3 numbers in a matrix of 2 rows"),
        (lambda: Puzzle(NINE, Grid.blank(4)), "clues of a 4x4 board do not fit one of 9x9"),
        (lambda: Objective(()), "an objective has a weight for each cell, not none"),
        (lambda: Objective((1, MAX_WEIGHT + 1)), "a weight is between"),
        (lambda: Objective((1, -MAX_WEIGHT - 1)), "a weight is between"),
        (lambda: Objective.of_rows([[1, 2, 3], [4]]), "row 2 has 1 weights, row 1 has 3"),
        (lambda: TWO_BY_FOUR.fits(Board(4, 2)), "2x4 weights do not fit a board of 4x2 with digits 1-4, 8 cells"),
        (lambda: ring_weights(NINE.board).fits(SIX.board), "81 weights do not fit a board of 6x6, 36 cells"),
        (lambda: ring_weights(NINE.board).score(Grid.blank(4)), "81 weights do not fit a board of 4x4"),
    ],
)
def test_sizes_that_do_not_belong_together_are_refused(make: Callable[[], object], told: str) -> None:
    with pytest.raises(DimensionError, match=re.escape(told)):
        make()


@pytest.mark.parametrize("name", ["", "1A", "A B", "é", "r1c1", "A-1", 31 * "A"])
def test_names_of_extra_cells_that_are_refused(name: str) -> None:
    with pytest.raises(UsageError, match=re.escape(f"begins with a letter, not {name!r}")):
        Board(4, 4, extra=(name,))
    with pytest.raises(UsageError, match="the names of extra cells are different, not A A"):
        Board(4, 4, extra=("A", "A"))


@pytest.mark.parametrize(
    ("kind", "arguments"),
    [
        (Grid, [(1.5, 0, 0, 0)]),
        (Grid, [(math.nan,) * 16]),
        (Grid, ["12x4" * 4]),
        (Grid, [5]),
        (Grid, [[[1, "a"], [2, 1]]]),
        (Grid, [[[1], 2]]),
        (Grid.blank(4).__getitem__, ["a"]),
        (Grid.blank(4).__getitem__, [(slice(None), 0)]),
        (Puzzle, ["1342243142133124", Grid.blank(4)]),
        (Grid.blank, [-3]),
        (Objective, [(0.5,) * 81]),
        (Objective, [(1,) * 81, "minimise"]),
        (classic, [5, (2.5, 2)]),
        (classic, [6, (2,)]),
        (classic, [6, 6]),
        (classic, [9.5]),
        (Puzzle.of_rows, [["1..4", "....", "....", "...."]]),
    ],
)
def test_what_is_no_whole_number_or_of_another_shape_is_refused(kind: Callable[..., Any], arguments: list[Any]) -> None:
    with pytest.raises(UsageError):
        kind(*arguments)


@pytest.mark.parametrize("place", [(0, 9), (0, -1), (9, 0), (-1, 0)])
def test_places_off_the_board_are_no_places(place: tuple[int, int]) -> None:
    with pytest.raises(IndexError):
        Grid.blank(9)[place]
    with pytest.raises(IndexError):
        NINE.board.ring(81 if sum(place) > 0 else -1)
    for ask in (NINE.peers, NINE.board.cell_name):
        with pytest.raises(IndexError):
            ask(81 if sum(place) > 0 else -1)


@pytest.mark.parametrize(
    "error",
    [
        InputError(Place("here", 1, 2), "this", "that"),
        MissingPackageError("that", "pip install that"),
        TimeLimitError(),
        DimensionError("too large"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_errors_come_whole_from_another_process(error: RingdokuError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), vars(again)) == (type(error), str(error), vars(error))


def test_a_grid_takes_what_people_hold() -> None:
    from_zero = Grid((-1, 0, 1, -1), Board(2, 2, 0, 1))
    assert Grid(str(from_zero), from_zero.board) == from_zero  # type: ignore[arg-type]
    grid = Grid((1, 3, 4, 2, 2, 4, 3, 1, 4, 2, 1, 3, 3, 1, 2, 4))
    for held in (
        "1342243142133124",
        "1 342 2431 4213 3124",
        "1342\n2431\n4213\n3124",
        str(grid),
        np.asarray(grid),
        grid.rows,
    ):
        assert (Grid(held), hash(Grid(held))) == (grid, hash(grid))  # type: ignore[arg-type]
        assert {type(digit) for digit in Grid(held).digits} == {int}  # type: ignore[arg-type]
    wide = Puzzle.blank(16).clues
    assert Grid(str(wide)) == wide  # type: ignore[arg-type]


def test_a_grid_tells_its_digits_and_scores_and_extra_cells_are_beside_it() -> None:
    board = Board(1, 2, extra=("A", "B"))
    assert (board.cell_count, board.grid_count) == (4, 2)
    assert board.in_rows("abcd") == [["a", "b"]]
    assert board.beside("abcd") == {"A": "c", "B": "d"}
    assert [board.named(name) for name in ("r1c2", "B", "r1c3", "C")] == [1, 3, None, None]
    assert gains_of((5, 6), board) == [(5, 10), (6, 12), (0, 0), (0, 0)]
    assert Grid((1, 2, 1, 1), board).rows == Grid((1, 2, 2, 2), board).rows == ((1, 2),)
    assert Grid((1, 2), board) == Grid((1, 2, 0, 0), board)
    grid = Grid.of_rows([[1, 2, 3, 4], [3, 4, 1, 2], [0, 0, 0, 3], [4, 3, 2, 1]])
    assert (grid.order, grid.is_full, grid.filled_count, grid.rows[2]) == (4, False, 13, (0, 0, 0, 3))
    assert (grid[0, 3], grid[2, 3], grid[3, 0], grid[-1]) == (4, 3, 4, (4, 3, 2, 1))
    assert Objective.of_rows([[1, -2], [3, 10**9]]).score(Grid((2, 1, 0, 2))) == 2 - 2 + 2 * 10**9
    assert TWO_BY_FOUR.score(Grid((1,) * 8, Board(2, 4))) == 36
