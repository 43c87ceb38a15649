"""Every named constraint: its primitives mean what it says in plain Python, and its text form goes round."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import fields, replace
from functools import lru_cache
from random import Random
from typing import Any

import pytest
from puzzles import completions
from regions import are_connected, partitions

from ringdoku import Grid, Puzzle, Ruleset, check
from ringdoku.constraints.registry import CONSTRAINTS, read_constraint
from ringdoku.constraints.unknown import Connected, UnknownRegions
from ringdoku.domain.board import Board
from ringdoku.domain.constraint import Boxes, Constraint, Lines, write_constraint
from ringdoku.domain.errors import UsageError
from ringdoku.services.session import Session

BASES = {
    "4x4": Ruleset(Board(4, 4), (Lines(), Boxes(2, 2))),
    "5x5": Ruleset(Board(5, 5), (Lines(),)),
    "6x6": Ruleset(Board(6, 6), (Lines(), Boxes(2, 3))),
    "digits 0-3": Ruleset(Board(4, 4, 0, 3), (Lines(), Boxes(2, 2))),
    "3x4": Ruleset(Board(3, 4), (Lines(),)),
    "no rules": Ruleset(Board(2, 3, 0, 3), ()),
}

BACKENDS = ("search", "cadical195", "cpsat", "cpsat-alldifferent")
MOST_GRIDS = 24
"""Of the base rules and the clues."""

OF_EXTRA_CELLS = ("unknown-regions", "connected-digits")
"""They need so many extra cells that they have tests of their own."""

USUAL = [name for name in CONSTRAINTS if name not in OF_EXTRA_CELLS]

SIMPLE = ("killer", "odd", "contains", "whisper", "extra-region", "sum")


@lru_cache
def bases(name: str) -> tuple[tuple[Puzzle, tuple[Grid, ...]], ...]:
    """Clues for the base rules that leave a few grids, and those grids."""
    ruleset, random = BASES[name], Random(name)
    blank = Puzzle(ruleset, Grid.blank(ruleset.board))
    return tuple(around(ruleset, random_completion(blank, random), random) for _ in range(2))


def around(ruleset: Ruleset, solution: Grid, random: Random) -> tuple[Puzzle, tuple[Grid, ...]]:
    """Digits of a grid as clues, as few as leave not too many grids, and those grids."""
    cells, digits = list(range(len(solution.digits))), list(solution.digits)
    random.shuffle(cells)
    found: tuple[Puzzle, tuple[Grid, ...]] = Puzzle(ruleset, solution), (solution,)
    for cell in cells:
        digits[cell] = ruleset.board.blank
        wider = Puzzle(ruleset, Grid(tuple(digits), ruleset.board))
        grids = tuple(completions(wider))
        if len(grids) > MOST_GRIDS:
            break
        found = wider, grids
    return found


def random_completion(puzzle: Puzzle, random: Random) -> Grid:
    """Any grid that keeps the houses of a puzzle, digit by digit."""
    while True:
        digits: list[int] = []
        for cell in range(puzzle.board.cell_count):
            taken = {digits[peer] for peer in puzzle.ruleset.peers(cell) if peer < cell}
            left = [digit for digit in puzzle.board.digits if digit not in taken]
            if not left:
                break
            digits.append(random.choice(left))
        else:
            return Grid(tuple(digits), puzzle.board)


def random_cells(board: Board, random: Random) -> tuple[int, ...]:
    """A line or column, either way, or cells anywhere."""
    cells = range(board.grid_count)
    row, column = random.randrange(board.rows), random.randrange(board.columns)
    match random.randrange(4):
        case 0:
            found = cells[row * board.columns : (row + 1) * board.columns]
        case 1:
            found = cells[column :: board.columns]
        case _:
            return tuple(random.sample(cells, random.randint(2, min(5, len(cells)))))
    return tuple(found[:: random.choice((1, -1))])


def random_value(kind: str, board: Board, random: Random, size: int) -> Any:
    """A value for a field of that type; tuples of digits mostly have the size."""
    digits = range(board.least - 1, board.least + board.order + 1)
    match kind:
        case "int":
            return random.choice((random.randint(0, 4), random.randint(0, 12)))
        case "int | None":
            return random.choice((None, random.randint(0, 12)))
        case "Cell":
            return random.randrange(board.grid_count)
        case "Cells":
            return random_cells(board, random)
        case "Groups":
            length = random.choice((2, 2, 3, size))
            return tuple(tuple(random.sample(range(board.grid_count), length)) for _ in range(random.randint(1, 3)))
        case "Digits":
            return tuple(random.choice(digits) for _ in range(random.choice((size, 1, 2))))
        case "Pairs":
            return frozenset((a, b) for a in board.digits for b in board.digits if random.random() < 0.6)
        case "Edges":
            return frozenset(
                (random.randrange(3), random.choice(board.digits), random.randrange(3)) for _ in range(4 * board.order)
            )
        case "Cases":
            kinds = [[random.choice(SIMPLE) for _ in range(random.randint(1, 2))] for _ in range(random.randint(1, 3))]
            return tuple(tuple(random_constraint(CONSTRAINTS[name], board, random) for name in case) for case in kinds)
    raise AssertionError(kind)


def random_constraint(kind: type[Constraint], board: Board, random: Random) -> Constraint:
    """One that makes sense on the board. Raises `UsageError` where many tries do not find one."""
    for _ in range(400):
        size = random.randint(1, 5)
        wanted = fields(kind)  # type: ignore[arg-type]  # every constraint is a dataclass
        values = {field.name: random_value(str(field.type), board, random, size) for field in wanted}
        if "factors" in values:
            values["factors"] = tuple(random.randint(-2, 2) for _ in values["cells"])
        if "exempt" in values and isinstance(values["exempt"][0], int):
            values["exempt"] = values["exempt"][: random.randrange(2)]
        try:
            made = kind(**values)
            made.refuse(board)
            Ruleset(board, (made,))
        except UsageError:
            continue
        return made
    raise UsageError(f"no {kind.text} on {board}")


def telling(
    kind: type[Constraint], puzzle: Puzzle, grids: tuple[Grid, ...], random: Random
) -> tuple[Constraint, Puzzle, set[Grid]]:
    """A constraint that some of the grids keep and some do not, the puzzle with it, and those that keep it.

    Where that is hard to find, the puzzle is another one with the same base rules. Raises `UsageError` where no
    constraint of that kind makes sense.
    """

    def kept(made: Constraint, puzzle: Puzzle, grids: tuple[Grid, ...]) -> tuple[Constraint, Puzzle, set[Grid]]:
        extended = Puzzle(puzzle.ruleset.extended(made), puzzle.clues)
        return made, extended, {grid for grid in grids if not check(extended, grid)}

    for _ in range(8):
        found = kept(random_constraint(kind, puzzle.board, random), puzzle, grids)
        if 0 < len(found[2]) < len(grids):
            return found
    blank = Grid.blank(puzzle.board)
    for _ in range(3):
        made = random_constraint(kind, puzzle.board, random)
        solution = Session("cadical195").solve(Puzzle(puzzle.ruleset.extended(made), blank)).grid
        if solution is not None:
            return kept(made, *around(puzzle.ruleset, solution, random))
    return found


@pytest.mark.parametrize("name", USUAL)
def test_all_ways_find_the_grids_that_keep_a_constraint(name: str) -> None:
    random, some, tried = Random(name), 0, 0
    for base in random.sample(list(BASES), len(BASES)):
        # both puzzles of the first bases, one of each later
        for puzzle, grids in bases(base)[: 2 if tried <= 4 else 1]:
            try:
                made, extended, kept = telling(CONSTRAINTS[name], puzzle, grids, random)
            except UsageError:
                break
            some, tried = some + bool(kept), tried + 1
            # CP-SAT is slow on many small puzzles
            for backend in BACKENDS if tried <= 1 else BACKENDS[:2]:
                found = list(Session(backend).solutions(extended))
                told = (backend, base, write_constraint(made, puzzle.board), extended.clues.digits)
                assert len(set(found)) == len(found), told
                assert set(found) == kept, told
    assert some


@pytest.mark.parametrize("name", USUAL)
def test_text_goes_round(name: str) -> None:
    random, kind, made = Random(name), CONSTRAINTS[name], 0
    for board in (Board(4, 4, 0, 5, ("VA1", "VA2")), Board(4, 4), Board(6, 6)):
        with suppress(UsageError):
            for _ in range(5):
                constraint = random_constraint(kind, board, random)
                made += 1
                assert read_constraint(write_constraint(constraint, board), board) == constraint
    assert made
    # digits from 1 to 6 suit every example
    assert read_constraint(kind.example, Board(4, 4) if "rank" in name else Board(6, 6)).text == name


def test_every_constraint_is_tried() -> None:
    assert set(CONSTRAINTS) == {*USUAL, *OF_EXTRA_CELLS}


def with_extra(board: Board, **counts: int) -> tuple[Board, dict[str, tuple[int, ...]]]:
    """The board with so many extra cells of each name, and which those are."""
    extra = tuple(f"{name}{number}" for name, count in counts.items() for number in range(count))
    found, start = {}, board.grid_count
    for name, count in counts.items():
        found[name] = tuple(range(start, start + count))
        start += count
    return replace(board, extra=extra), found


@pytest.mark.parametrize(("columns", "order", "size"), [(4, 4, 4), (4, 4, 2), (3, 4, 3), (4, 5, 2)])
def test_unknown_regions_are_connected_and_repeat_no_digit(columns: int, order: int, size: int) -> None:
    plain = Board(2, columns, 0, order - 1)
    count = plain.grid_count
    digit_labels = count if columns == order else 0
    counts = {"label": count, "step": count, "join": len(list(plain.neighbours())), "row": digit_labels}
    board, cells = with_extra(plain, **counts)
    made = UnknownRegions(size, tuple(range(count)), *cells.values())
    assert read_constraint(write_constraint(made, board), board) == made
    base, cuts = Ruleset(plain, (Lines(),)), list(partitions(frozenset(range(count)), size, plain))

    def keeps(grid: Grid) -> bool:
        return any(all(len({*grid.at(part)}) == size for part in cut) for cut in cuts)

    for seed in range(3):
        random = Random(seed)
        solutions = (random_completion(Puzzle(base, Grid.blank(plain)), random) for _ in range(1000))
        puzzle, grids = around(base, next(filter(keeps, solutions)), random)
        clues = Grid(puzzle.clues.digits, board)
        extended = Puzzle(Ruleset(board, (Lines(), made)), clues)
        for backend in ("search", "cadical195", "cpsat"):
            found = [grid.rows for grid in Session(backend).solutions(extended)]
            assert sorted(found) == sorted(grid.rows for grid in grids if keeps(grid))


@pytest.mark.parametrize("values", [(1,), (0, 2), (0, 1, 2, 3)])
def test_connected_digits(values: tuple[int, ...]) -> None:
    plain = Board(3, 3, 0, 3)
    board, cells = with_extra(plain, step=9, join=12)
    made = Connected(values, tuple(range(9)), cells["step"], cells["join"])
    assert read_constraint(write_constraint(made, board), board) == made
    base = Ruleset(plain, ())
    random = Random(str(values))
    for _ in range(4):
        solution = Grid(tuple(random.choices(range(4), (4, 3, 1, 1), k=9)), plain)
        puzzle, grids = around(base, solution, random)
        kept = set()
        for grid in grids:
            groups = [[cell for cell, digit in enumerate(grid.digits) if digit == value] for value in values]
            if all(are_connected(group, plain) for group in groups):
                kept.add(grid.digits)
        clues = Grid(puzzle.clues.digits, board)
        for backend in ("search", "cadical195", "cpsat"):
            every = Session(backend).solutions(Puzzle(Ruleset(board, (made,)), clues))
            assert sorted(grid.digits[:9] for grid in every) == sorted(kept)


def test_extra_cells_of_regions_hold_what_they_say() -> None:
    board, cells = with_extra(Board(2, 2, 1, 2), label=4, step=4, join=4, row=4)
    made = UnknownRegions(2, (0, 1, 2, 3), *cells.values())
    # the rows 1 2 and 2 1, cut into rows: joins are listed as neighbours are, right before down
    right = Grid((1, 2, 2, 1, 1, 1, 2, 2, 1, 2, 1, 2, 2, 1, 1, 2, 1, 1, 2, 2), board)
    assert made.holds(right)
    for cell in range(4, 20):
        assert not made.holds(Grid((*right.digits[:cell], 3 - right.digits[cell], *right.digits[cell + 1 :]), board))
