"""Exact cover (Knuth, "Dancing links", TAOCP 7.2.2.1), as Knuth's programs read it: a line with the items, then a line
for each option with the items that it covers. An item is a cell, or a digit in a house, and an option a digit in a
cell. Items behind | need not be covered: digits in houses of fewer cells. Lines that begin with | are comments.
"""

import re
from collections import defaultdict
from typing import BinaryIO

import numpy as np

from ringdoku.domain import AllDifferent, Board, Primitive, Status, UsageError
from ringdoku.domain.primitives import Allowed
from ringdoku.exports.answers import Reading, SolverOutput, grid_of_places
from ringdoku.exports.base import Metadata, Request, UnsupportedConstraintError, encoded
from ringdoku.exports.rows import lower_to_linear

OPTIONS = "options have numbers from 1 in their order, in literals: a row for each cell, a column for each digit"

_HOUSE = re.compile(r"house([0-9]+)_.*digit_(m?[0-9]+)")
_ITEM = re.compile(r"h[0-9]+d(m?[0-9]{1,4})")
_SOLUTION = re.compile(r"[0-9]+:.*")
_NONE = re.compile(r"Altogether 0 solutions.*|s UNSATISFIABLE|UNSAT(?:ISFIABLE)?")


def state(primitive: Primitive, board: Board) -> None:  # noqa: ARG001
    if not isinstance(primitive, (AllDifferent, Allowed)):
        raise UnsupportedConstraintError("an exact cover has cells, houses and allowed digits alone")


def write(request: Request, stream: BinaryIO) -> None:
    puzzle = request.puzzle
    if len(set[int]().union(*(house.cells for house in puzzle.ruleset.houses))) < puzzle.board.cell_count:
        raise UsageError("an exact cover is for rules in which every cell is in a house")
    linear = lower_to_linear(puzzle, request.encoding.presolve)
    items_of, primary, secondary, excluded = defaultdict[int, list[str]](list), list[str](), list[str](), set[int]()
    for row in linear.sums:
        # items have eight characters where that is possible, as Knuth's programs read them
        house = _HOUSE.fullmatch(row.name)
        name = f"h{house[1]}d{house[2]}" if house else row.name.removeprefix("cell_").replace("clue_", "=")
        variables = [variable for _, variable in row.terms]
        if row.total == 0:
            # digits that a cell may not hold
            excluded.update(variables)
            continue
        (primary if row.exactly else secondary).append(name)
        for variable in variables:
            items_of[variable].append(name)
    options = [variable for variable, _, _ in linear.places() if variable not in excluded]
    number_of = np.zeros(linear.num_vars + 1, dtype=np.int32)
    number_of[options] = range(1, len(options) + 1)
    metadata = Metadata(request.format_name, puzzle, None, len(options), number_of[linear.digits.literals], OPTIONS)
    houses = (f"| h{number}: {house.name}" for number, house in enumerate(puzzle.ruleset.houses, 1))
    items = " | ".join(filter(None, (" ".join(primary), " ".join(secondary))))
    covered = (" ".join(items_of[variable]) for variable in options)
    stream.writelines(encoded(metadata.lines("| "), houses, [items], covered))


def read(metadata: Metadata, output: SolverOutput) -> Reading:
    """The options of the last solution: a line for each with its items in any order, or their numbers. Raises
    `InputError` where there is neither an option nor the word that there is no solution."""
    board, status = metadata.puzzle.board, Status.UNKNOWN
    options = {} if metadata.literals is None else {int(n): at for at, n in np.ndenumerate(metadata.literals) if n}
    places: list[tuple[int, int, int]] = []
    for number, line in output.lines():
        words = line.partition("(")[0].split()
        if _NONE.fullmatch(line):
            status = Status.INFEASIBLE
        elif _SOLUTION.fullmatch(line):
            places = []
        elif all(map(str.isdecimal, words)):
            for word in words:
                if (place := options.get(int(word[:10]))) is None:
                    raise output.error(number, f"option {word[:10]}", f"1 to {metadata.num_vars}")
                places.append((number, place[0], board.least + place[1]))
        else:
            # the items of an option name its cell, and its digit once for each house
            cells = [cell for cell in map(board.named, words) if cell is not None]
            digits = [int(item[1].replace("m", "-")) for item in map(_ITEM.fullmatch, words) if item]
            places += zip([number], cells, digits, strict=False)
    if not places and status is Status.UNKNOWN:
        raise output.error(0, "no options", "the options of a solution, or their numbers")
    return Reading(Status.SATISFIABLE, grid_of_places(metadata, places, output)) if places else Reading(status)
