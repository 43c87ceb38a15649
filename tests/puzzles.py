"""Puzzles for tests of the library: known ones, and generated ones with and without a solution."""

from collections.abc import Collection, Iterator
from itertools import combinations
from random import Random

from ringdoku import Board, Grid, Objective, Puzzle, Ruleset, Sense, classic, ring_weights
from ringdoku.domain import pattern_solution
from ringdoku.services.generator import shuffled

P1074 = {
    "700900001100005900000200080005020003000000648413000000007002090201060804080504012": 2829,
    "000702453900008000740005010195080000070000025030579108000601000060900001000000006": 2852,
}
"""The samples of NOIP 2009 P1074 and their best scores."""

ONE_SOLUTION = "000000010400000000020000000000050407008000300001090000300400200050100000000806000"
NO_SOLUTION = "700008000006970040904000003607000800000300000020000160009020000000010200000740010"
"""No clue contradicts another, and singles alone do not show that there is no solution."""

RELAXED = "065900008000000000009030007000074600000803000030000085000040030000090760700060042"
"""No solution, but the linear program has one."""

GEOMETRIES = tuple(classic(height * width, (height, width)) for height, width in ((2, 2), (2, 3), (3, 2), (3, 3)))


def puzzle(line: str, box: tuple[int, int] | None = None) -> Puzzle:
    """From n² digits, 0 for blank."""
    clues = Grid(tuple(map(int, line)))
    return Puzzle(classic(clues.order, box), clues)


def random_solution(ruleset: Ruleset, seed: object) -> Grid:
    return shuffled(ruleset, pattern_solution(ruleset), Random(f"{seed}"))


def keep_clues(ruleset: Ruleset, solution: Grid, count: int, random: Random) -> Puzzle:
    """`count` digits of the solution, in random cells."""
    return Puzzle(ruleset, solution.only(set(random.sample(range(ruleset.board.cell_count), count))))


def traded(ruleset: Ruleset, solution: Grid, random: Random) -> Grid:
    """The solution after two rows of each band traded their digits in some columns, as few as leave all rows whole,
    and shuffled: a shifted pattern is none any more, so that solvers have to search."""
    rows = [list(row) for row in solution.rows]
    height, _ = ruleset.require_classic("trading digits")
    # a band of one row has nobody to trade with
    for band in range(0, ruleset.order, height) if height > 1 else ():
        one, other = random.sample(rows[band : band + height], 2)
        columns = [random.randrange(ruleset.order)]
        while (column := one.index(other[columns[-1]])) != columns[0]:
            columns.append(column)
        for column in columns:
            one[column], other[column] = other[column], one[column]
    return shuffled(ruleset, Grid.of_rows(rows), random)


def random_puzzle(ruleset: Ruleset, clues: int, seed: object, wrong: int = 0) -> Puzzle:
    """So many digits of a random solution; `wrong` of them changed, after which there is hardly a solution left."""
    random = Random(f"{seed}")
    kept = keep_clues(ruleset, shuffled(ruleset, pattern_solution(ruleset), random), clues, random)
    digits = list(kept.clues.digits)
    for cell in random.sample([cell for cell, digit in enumerate(digits) if digit], wrong):
        digits[cell] = digits[cell] % ruleset.order + 1
    return Puzzle(ruleset, Grid(tuple(digits)))


def searched_puzzle(order: int, clues: int, seed: object) -> Puzzle:
    """The same where the solution is no shifted pattern, so that solvers have to search."""
    ruleset, random = classic(order), Random(f"{seed}")
    return keep_clues(ruleset, traded(ruleset, pattern_solution(ruleset), random), clues, random)


def mixed_puzzles(least_clues: int = 0) -> Iterator[Puzzle]:
    """Of every ruleset above, with from few to half of the cells given, every second with wrong clues."""
    for ruleset in GEOMETRIES:
        most = min(40, ruleset.board.cell_count // 2)
        # an objective makes a nearly blank 9×9 grid hard
        least = least_clues if ruleset.order == 9 else 0
        for number in range(12):
            clues = least + (most - least) * number // 11
            yield random_puzzle(ruleset, clues, f"{ruleset} {number}", wrong=min(clues, number % 2 * 2))


def objectives(ruleset: Ruleset, seed: object) -> Iterator[Objective]:
    """Ring weights one way, random ones, negative ones too, the other way, and random ones for each digit."""
    random = Random(f"{seed}")
    sense, other = random.sample(list(Sense), 2)
    yield ring_weights(ruleset.board, sense)
    yield Objective(tuple(random.randint(-9, 9) for _ in range(ruleset.board.cell_count)), other)
    yield Objective(tuple(random.randint(-9, 9) for _ in range(ruleset.board.cell_count * ruleset.order)), sense)


def completions(puzzle: Puzzle) -> Iterator[Grid]:
    """Every grid that keeps the houses of a puzzle and its clues, by trying."""
    board, peers = puzzle.board, [puzzle.ruleset.peers(cell) for cell in range(puzzle.board.cell_count)]
    digits = list(puzzle.clues.digits)
    opened = [cell for cell, digit in enumerate(digits) if digit == board.blank]

    def fill(number: int) -> Iterator[Grid]:
        if number == len(opened):
            yield Grid(tuple(digits), board)
            return
        cell = opened[number]
        taken = {digits[peer] for peer in peers[cell]}
        for digit in {*board.digits} - taken:
            digits[cell] = digit
            yield from fill(number + 1)
        digits[cell] = board.blank

    return fill(0)


def are_connected(cells: Collection[int], board: Board) -> bool:
    """Whether steps over edges lead from any of the cells to all others."""
    reached = set(list(cells)[:1])
    for _ in cells:
        reached |= {other for pair in board.neighbours() for other in pair if reached & set(pair)} & set(cells)
    return reached == set(cells)


def partitions(cells: frozenset[int], size: int, board: Board) -> Iterator[list[tuple[int, ...]]]:
    """All ways to cut cells into connected sets of a size."""
    if not cells:
        yield []
        return
    first = min(cells)
    for others in combinations(sorted(cells - {first}), size - 1):
        part = (first, *others)
        if are_connected(part, board):
            for rest in partitions(cells - set(part), size, board):
                yield [part, *rest]
