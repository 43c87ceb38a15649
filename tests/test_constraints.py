"""Every named constraint: its primitives mean what it says in plain Python, its text form goes round, and what makes no
sense is refused."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import islice, product
from random import Random
from typing import Any

import pytest
from puzzles import are_connected, completions, partitions

from ringdoku import (
    Board,
    Grid,
    Objective,
    Puzzle,
    Ruleset,
    Session,
    UsageError,
    bound,
    certify,
    check,
    maximise,
    solutions,
)
from ringdoku.constraints.pairs import Successive
from ringdoku.constraints.registry import CONSTRAINTS, read_constraint
from ringdoku.constraints.sums import EqualSums, Killer
from ringdoku.constraints.unknown import Connected, UnknownRegions
from ringdoku.domain.constraint import Boxes, Constraint, Lines, codecs_of, write_constraint
from ringdoku.explanations.checker import check_step
from ringdoku.explanations.inferences import Inference, RuleTruth
from ringdoku.proofs.claim import claim_of_best
from ringdoku.proofs.verifying import verify

BASES = (
    Ruleset(Board(4, 4), (Lines(), Boxes(2, 2))),
    Ruleset(Board(5, 5), (Lines(),)),
    Ruleset(Board(6, 6), (Lines(), Boxes(2, 3))),
    Ruleset(Board(4, 4, 0, 3), (Lines(), Boxes(2, 2))),
    Ruleset(Board(3, 4), (Lines(),)),
    Ruleset(Board(2, 3, 0, 3), ()),
)
BACKENDS = ("search", "cadical195", "cpsat", "cpsat-alldifferent")
MOST_GRIDS = 24
"""Of the base rules and the clues."""
USUAL = [name for name in CONSTRAINTS if name not in ("unknown-regions", "connected-digits")]
"""The others need so many extra cells that they have tests of their own."""
SIMPLE = ("killer", "odd", "contains", "whisper", "extra-region", "sum")
FOUR = Board.square(4)


def some_solution(ruleset: Ruleset, random: Random) -> Grid | None:
    """One with a clue anywhere, or any."""
    board = ruleset.board
    digits = [board.blank] * board.cell_count
    digits[random.randrange(board.grid_count)] = random.choice(board.digits)
    session = Session("cadical195")
    given = (Grid(tuple(digits), board), Grid.blank(board))
    return next((found for clues in given if (found := session.solve(Puzzle(ruleset, clues)).grid)), None)


def around(ruleset: Ruleset, solution: Grid, random: Random) -> tuple[Puzzle, tuple[Grid, ...]]:
    """Digits of a grid as clues, as few as leave not too many grids, and those grids."""
    cells, digits = list(range(len(solution.digits))), list(solution.digits)
    random.shuffle(cells)
    found: tuple[Puzzle, tuple[Grid, ...]] = Puzzle(ruleset, solution), (solution,)
    for cell in cells:
        digits[cell] = ruleset.board.blank
        wider = Puzzle(ruleset, Grid(tuple(digits), ruleset.board))
        grids = tuple(islice(completions(wider), MOST_GRIDS + 1))
        if len(grids) > MOST_GRIDS:
            break
        found = wider, grids
    return found


def random_cells(board: Board, random: Random) -> tuple[int, ...]:
    """A line or column, either way, or cells anywhere."""
    cells, columns = range(board.grid_count), board.columns
    row, column = random.randrange(board.rows), random.randrange(columns)
    line = random.choice((cells[row * columns : (row + 1) * columns], cells[column::columns]))[
        :: random.choice((1, -1))
    ]
    return random.choice((tuple(line), tuple(random.sample(cells, random.randint(2, min(5, len(cells)))))))


def random_value(kind: str, board: Board, random: Random, size: int) -> Any:
    """A value for a field of that type; tuples of digits mostly have the size."""
    count, cells = random.randint(1, 3), range(board.grid_count)
    length = random.choice((2, 2, 3, size))
    digits = range(board.least - 1, board.least + board.order + 1)
    made: dict[str, Callable[[], Any]] = {
        "number": lambda: random.choice((random.randint(0, 4), random.randint(0, 12))),
        "number or nothing": lambda: random.choice((None, random.randint(0, 12))),
        "cell": lambda: random.choice(cells),
        "cells": lambda: random_cells(board, random),
        "sets of cells": lambda: tuple(tuple(random.sample(cells, length)) for _ in range(max(2, count))),
        "numbers": lambda: tuple(random.choices(digits, k=random.choice((size, 1, 2)))),
        "pairs of digits": lambda: frozenset(pair for pair in product(board.digits, repeat=2) if random.random() < 0.6),
        "edges state,digit,state": lambda: frozenset(
            (random.randrange(3), random.choice(board.digits), random.randrange(3)) for _ in range(4 * board.order)
        ),
        "cases": lambda: tuple(
            tuple(random_constraint(CONSTRAINTS[name], board, random) for name in random.choices(SIMPLE, k=some))
            for some in random.choices((1, 2), k=count)
        ),
    }
    return made[kind]()


def random_constraint(kind: type[Constraint], board: Board, random: Random) -> Constraint:
    """One that makes sense on the board. Raises `UsageError` where many tries do not find one."""
    for _ in range(400):
        size = random.randint(1, 5)
        values = {name: random_value(codec.called, board, random, size) for name, codec in codecs_of(kind).items()}
        if "factors" in values:
            values["factors"] = tuple(random.randint(-2, 2) for _ in values["cells"])
        if "exempt" in values and isinstance(values["exempt"][0], int):
            values["exempt"] = values["exempt"][: random.randrange(2)]
        with suppress(UsageError):
            made = kind(**values)
            Ruleset(board, (made,))
            return made
    raise UsageError(f"no {kind.text} on {board}")


@pytest.mark.parametrize("name", USUAL)
def test_all_ways_find_the_grids_that_keep_a_constraint(name: str) -> None:
    random, telling, tried = Random(name), 0, 0
    for base in random.sample(BASES, len(BASES)) * 2:
        try:
            made = random_constraint(CONSTRAINTS[name], base.board, random)
        except UsageError:
            continue
        ruleset = base.extended(made)
        # most grids near one that keeps it do not
        solution = some_solution(ruleset, random) or some_solution(base, random)
        assert solution is not None
        puzzle, grids = around(base, solution, random)
        extended = Puzzle(ruleset, puzzle.clues)
        kept = {grid for grid in grids if not check(extended, grid)}
        telling, tried = telling + (0 < len(kept) < len(grids)), tried + 1
        # CP-SAT is slow on many small puzzles
        for backend in BACKENDS if tried <= 1 else BACKENDS[:2]:
            found = list(solutions(extended, backend))
            told = (backend, str(base), write_constraint(made, base.board), extended.clues.digits)
            assert len(set(found)) == len(found), told
            assert set(found) == kept, told
    assert telling or name in ("lines", "boxes")


@pytest.mark.parametrize("name", USUAL)
def test_a_step_of_a_rule_is_accepted_just_where_it_follows(name: str) -> None:
    random = Random(name)
    for board in (Board(2, 3, 1, 4), Board(1, 5, 1, 5), Board(2, 3, 0, 4), Board.square(3)) * 2:
        try:
            rule = random_constraint(CONSTRAINTS[name], board, random)
        except (UsageError, ValueError):
            continue
        puzzle = Puzzle(Ruleset(board, (rule,)), Grid.blank(board))
        left = tuple(frozenset(random.choices(board.digits, k=3)) for _ in range(board.cell_count))
        if not [*rule.primitives(board)]:
            # houses are no rules for a step
            continue
        kept = [digits for digits in product(*left) if not check(puzzle, Grid(digits, board))]
        for cell in range(board.cell_count):
            for digit in left[cell]:
                follows = all(digits[cell] != digit for digits in kept)
                faults = check_step(puzzle, left, Inference((RuleTruth(rule),), ((cell, digit),)))
                assert (not faults) == follows, (write_constraint(rule, board), left, cell, digit)


NEGATIVE = Board(1, 4, -2, 3)


@pytest.mark.parametrize(
    ("rule", "board", "clues"),
    [
        *((name, Board.square(3), (1, 1)) for name in ("no-ties", "anti-knight", "dutch-flatmates")),
        # sums of negative digits may fall
        *((f"{name}: r1c1-r1c4", NEGATIVE, ()) for name in ("sandwich 0", "lunchbox 0", "x-sum 2")),
        # digits that the board has not
        ("pairs 0,1 1,2 4,3 3,9: r1c1-r1c3", Board(1, 3, 1, 3), ()),
    ],
)
def test_the_grids_of_a_small_board_are_found(rule: str, board: Board, clues: tuple[int, ...]) -> None:
    blank = (board.blank,) * (board.cell_count - len(clues))
    puzzle = Puzzle(Ruleset(board, (read_constraint(rule, board),)), Grid((*clues, *blank), board))
    every = (Grid((*clues, *chosen), board) for chosen in product(board.digits, repeat=len(blank)))
    kept = {grid for grid in every if not check(puzzle, grid)}
    for backend in ("auto", "search"):
        assert set(solutions(puzzle, backend)) == kept


@pytest.mark.parametrize("name", USUAL)
def test_text_goes_round(name: str) -> None:
    random, kind, made = Random(name), CONSTRAINTS[name], 0
    for board in (Board(4, 4, 0, 5, ("VA1", "VA2")), FOUR, Board(6, 6)):
        with suppress(UsageError):
            for _ in range(5):
                constraint = random_constraint(kind, board, random)
                made += 1
                assert read_constraint(write_constraint(constraint, board), board) == constraint
    assert made


# constraints that need many extra cells


def with_extra(board: Board, **counts: int) -> tuple[Board, dict[str, tuple[int, ...]]]:
    """The board with so many extra cells of each name, and which those are."""
    names = [f"{name}{number}" for name, count in counts.items() for number in range(count)]
    numbers = iter(range(board.grid_count, board.grid_count + len(names)))
    return replace(board, extra=tuple(names)), {
        name: tuple(next(numbers) for _ in range(count)) for name, count in counts.items()
    }


@pytest.mark.parametrize(("columns", "order", "size"), [(4, 4, 4), (4, 4, 2), (3, 4, 3), (4, 5, 2)])
def test_unknown_regions_are_connected_and_repeat_no_digit(columns: int, order: int, size: int) -> None:
    plain = Board(2, columns, 0, order - 1)
    count = plain.grid_count
    board, cells = with_extra(plain, label=count, step=count, join=len(list(plain.neighbours())))
    made = UnknownRegions(size, tuple(range(count)), *cells.values())
    assert read_constraint(write_constraint(made, board), board) == made
    base, ruleset = Ruleset(plain, (Lines(),)), Ruleset(board, (Lines(), made))
    cuts = list(partitions(frozenset(range(count)), size, plain))
    for seed in range(3):
        random = Random(seed)
        solution = some_solution(ruleset, random)
        assert solution is not None
        puzzle, grids = around(base, Grid(solution.digits[:count], plain), random)
        keep = [g.rows for g in grids if any(all(len({*g.at(part)}) == size for part in cut) for cut in cuts)]
        for backend in BACKENDS[: 2 if seed else 3]:
            every = solutions(Puzzle(ruleset, Grid(puzzle.clues.digits, board)), backend)
            assert sorted(grid.rows for grid in every) == sorted(keep)


@pytest.mark.parametrize("values", [(1,), (0, 2), (0, 1, 2, 3)])
def test_connected_digits(values: tuple[int, ...]) -> None:
    plain = Board(3, 3, 0, 3)
    board, cells = with_extra(plain, step=9, join=12)
    made = Connected(values, tuple(range(9)), cells["step"], cells["join"])
    assert read_constraint(write_constraint(made, board), board) == made
    random = Random(str(values))
    for _ in range(4):
        solution = Grid(tuple(random.choices(range(4), (4, 3, 1, 1), k=9)), plain)
        puzzle, grids = around(Ruleset(plain, ()), solution, random)
        kept = []
        for grid in grids:
            groups = [[cell for cell, digit in enumerate(grid.digits) if digit == value] for value in values]
            kept += [grid.digits] if all(are_connected(group, plain) for group in groups) else []
        for backend in BACKENDS[:3]:
            every = solutions(Puzzle(Ruleset(board, (made,)), Grid(puzzle.clues.digits, board)), backend)
            assert sorted(grid.digits[:9] for grid in every) == sorted(kept)


def test_extra_cells_of_regions_hold_what_they_say_and_a_sandwich_has_one_crust_of_each_sort() -> None:
    board, cells = with_extra(Board(2, 2, 1, 2), label=4, step=4, join=4)
    made = UnknownRegions(2, (0, 1, 2, 3), *cells.values())
    # the rows 1 2 and 2 1, cut into rows: joins are listed as neighbours are, right before down
    right = Grid((1, 2, 2, 1, 1, 1, 2, 2, 1, 2, 1, 2, 2, 1, 1, 2), board)
    assert made.holds(right)
    for cell in range(4, 16):
        assert not made.holds(Grid((*right.digits[:cell], 3 - right.digits[cell], *right.digits[cell + 1 :]), board))
    board = Board(1, 3, 1, 3)
    puzzle = Puzzle(Ruleset(board, (read_constraint("sandwich 2: r1c1-r1c3", board),)), Grid.blank(board))
    assert {grid.digits for grid in solutions(puzzle)} == {(1, 2, 3), (3, 2, 1)}
    assert check(puzzle, Grid((1, 2, 1), board))


# lines that return to a cell

RETURNING = ("r1c1 r1c1", "r1c1 r1c2 r1c1", "r1c1 r1c2 r1c2 r1c3 r1c1", "r1c2 r1c1 r1c3 r1c2 r1c1")
SMALL = (Board(1, 3, 1, 4), Board(1, 3, 0, 2))
OF_LINES = [name for name, kind in CONSTRAINTS.items() if ":" in kind.example and "{" not in kind.example]


def returning(name: str, board: Board) -> Iterator[Puzzle]:
    """The constraint with several numbers, on each line that returns to a cell, where that makes sense."""
    head, cells = CONSTRAINTS[name].example.split(":")
    heads = [head, *(f"{name} {number}" for number in (0, 2, 3, 5) if any(map(str.isdigit, head)))]
    for line, numbers in product(RETURNING, dict.fromkeys(heads)):
        # several lines, or single cells before the line
        for first in ("r1c1", line):
            groups = [first] * cells.count("|") + [line]
            with suppress(UsageError):
                rule = read_constraint(f"{numbers}: {' | '.join(groups)}", board)
                yield Puzzle(Ruleset(board, (rule,)), Grid.blank(board))


@pytest.mark.parametrize("name", OF_LINES)
def test_lines_that_return_to_a_cell_mean_what_they_say(name: str) -> None:
    for board in SMALL:
        every = [Grid(digits, board) for digits in product(board.digits, repeat=3)]
        for puzzle in dict.fromkeys(returning(name, board)):
            kept = {grid for grid in every if not check(puzzle, grid)}
            for backend in BACKENDS[:2]:
                found = list(solutions(puzzle, backend))
                assert (len(found), set(found)) == (len(kept), kept), (backend, puzzle)


@pytest.mark.parametrize("rule", ["extra-region: r1c1 r1c1", "rellik 2: r1c1 r1c1", "thermometer: r1c1 r1c2 r1c1"])
def test_a_house_that_returns_to_a_cell_is_refused_and_as_a_case_never_holds(rule: str) -> None:
    board = SMALL[0]
    with pytest.raises(UsageError, match="has r1c1 twice"):
        Ruleset(board, (read_constraint(rule, board),))
    either = read_constraint(f"either: {{ {rule} }} {{ odd: r1c1 }}", board)
    for backend in BACKENDS[:3]:
        found = set(solutions(Puzzle(Ruleset(board, (either,)), Grid.blank(board)), backend))
        assert {grid.digits for grid in found} == set(product((1, 3), board.digits, board.digits))


@pytest.mark.parametrize(
    ("text", "best"),
    [
        ("modular 2: r1c1 r1c2 r1c1", 11),
        ("modular 3: r1c1 r1c2 r1c1", None),
        ("every-pair 1,1 1,2 2,1: r1c2 r1c1 r1c1", 7),
        ("whisper 2: r1c1 r1c1 r1c2", None),
        ("zipper: r1c1 r1c2 r1c1", 10),
        ("slow-thermometer: r1c1 r1c2 r1c1", 12),
    ],
)
def test_lines_that_return_to_a_cell_are_proved(text: str, best: int | None) -> None:
    puzzle = Puzzle(Ruleset(SMALL[0], (read_constraint(text, SMALL[0]),)), Grid.blank(SMALL[0]))
    objective = Objective((1, 1, 1))
    result = maximise(puzzle, objective)
    assert result.score == best
    bounded = bound(puzzle, objective)
    assert bounded is None or best is None or bounded.value >= best
    proved = claim_of_best([result], 1, objective.sense)
    assert proved
    certificate = certify(puzzle, *proved, objective)
    assert len(verify(puzzle, certificate.proof, certificate.claim, objective)) == (best is not None)


# what makes no sense, or is too large

MANY_9 = " ".join(map(Board.square(9).cell_name, range(36)))
MANY_25 = " ".join(map(Board.square(25).cell_name, range(200)))
SILENT: Constraint = type("Silent", (Constraint,), {"hold": lambda *_: False})()


@pytest.mark.parametrize(
    ("board", "text", "complaint"),
    [
        (Board(1, 4, -1, 2), "rellik 1: r1c1 r1c2", "is at least 1, not 1"),
        (Board.square(9), f"sum-loop 300: {MANY_9}", "a sum of 300 is too large for a loop of 36 cells"),
        (Board.square(36), "anti-taxicab", "anti-taxicab is for boards of up to 25x25"),
        (Board(16, 16), "count-distinct: r9c9 | r1c1-r1c16", "digits of r9c9 is too large: a diagram of its 17"),
    ],
)
def test_rules_that_make_no_sense_are_refused(board: Board, text: str, complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        assert Ruleset(board, (read_constraint(text, board),)).rest


@pytest.mark.parametrize(("text", "count"), [(f"counting-circles: {MANY_25}", 25), (f"equality-cage: {MANY_25}", 2)])
def test_what_is_large_is_stated_in_seconds(text: str, count: int) -> None:
    large = Board.square(25)
    assert len(list(read_constraint(text, large).primitives(large))) == count


@pytest.mark.parametrize("rule", [Killer(8, ()), Successive(frozenset(), (0, 1)), EqualSums(((0, 1), ())), SILENT])
def test_rules_in_python_lack_nothing_either(rule: Constraint) -> None:
    with pytest.raises(UsageError, match=r"(cells|pairs of digits) are missing|Silent demands nothing"):
        Ruleset(FOUR, (rule,))
