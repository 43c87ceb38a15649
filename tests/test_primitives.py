"""Every kind of primitive, drawn with limits that cannot be kept too: encodings, rows, deduction and solvers mean by it
what it says."""

from functools import lru_cache
from itertools import product
from random import Random

import numpy as np
import pytest
from ortools.sat.python.cp_model import OPTIMAL, CpModel, CpSolver  # noqa: TID253 - the tests have it

from ringdoku import Board, Grid, Puzzle, Ruleset, Session, UsageError
from ringdoku.deduction.propagation import propagate
from ringdoku.domain import AllDifferent, Allowed, Count, Diagram, Linear, OneOf, Primitive, Relation, diagram, related
from ringdoku.domain.constraint import Constraint, Lines
from ringdoku.domain.rows import has_rows, rows_of
from ringdoku.exports.rows import LinearPuzzle, lower_to_linear

BASES = {"no houses": Ruleset(Board(1, 4, 0, 2), ())}
BASES |= {f"a house of {greatest}": Ruleset(Board(1, 4, -1, greatest), (Lines(),)) for greatest in (2, 3)}
KINDS = ("Allowed", "AllDifferent", "Linear", "Relation", "Count", "Diagram", "OneOf")
DRAWN = 6
CHOSEN: dict[str, list[Primitive]] = {
    "Count": [Count(((0, 1), (1, 1)), 4, 9), Count(((0, 1), (1, 1)), -3, -1)],
    "OneOf": [
        OneOf(((Count(((0, 1), (1, 1)), 4, 9),), (Count(((0, 1), (1, 1)), -3, -1),), (Allowed(2, frozenset({1})),))),
        OneOf(((Linear((0,), (2,), 2),), (Linear((1,), (1,), 0),))),
    ],
    # three cells of one factor, which may be a house, and one of another; and all of a house
    "Linear": [Linear((*range(4),), *more) for more in (((1, 1, 1, -2), 1), ((2,) * 4, 4), ((2,) * 4, 6))],
}
"""What drawing seldom meets."""


class Stated(Constraint):
    """A primitive as a rule of its own."""

    primitive: Primitive

    def holds(self, grid: Grid) -> bool:
        return means(self.primitive, grid.digits)

    def primitives(self, board: Board) -> tuple[Primitive]:  # noqa: ARG002  the same on every board
        return (self.primitive,)


def means(primitive: Primitive, digits: tuple[int, ...]) -> bool:
    """Its definition, word for word."""
    match primitive:
        case Allowed(cell, allowed):
            return digits[cell] in allowed
        case AllDifferent(cells):
            return len({digits[cell] for cell in cells}) == len(cells)
        case Linear(cells, coefficients, total):
            return sum(factor * digits[cell] for cell, factor in zip(cells, coefficients, strict=True)) == total
        case Relation(first, second, pairs):
            return (digits[first], digits[second]) in pairs
        case Count(candidates, least, greatest):
            return least <= sum(digits[cell] == digit for cell, digit in candidates) <= greatest
        case Diagram(cells, layers):
            states = {0}
            for cell, layer in zip(cells, layers, strict=True):
                states = {after for state, digit, after in layer if state in states and digit == digits[cell]}
            return bool(states)
        case OneOf(cases):
            return any(all(means(part, digits) for part in case) for case in cases)


def drawn(kind: str, board: Board, random: Random) -> Primitive:
    """One of the kind, on cells and with numbers of any sort."""
    cells = tuple(random.sample(range(board.cell_count), random.randint(2, board.cell_count)))
    pairs = [(one, other) for one in board.digits for other in board.digits]
    words = list(product(board.digits, repeat=len(cells)))
    match kind:
        case "Allowed":
            return Allowed(cells[0], frozenset(random.sample(board.digits, random.randrange(board.order))))
        case "AllDifferent":
            return AllDifferent(cells)
        case "Linear":
            cells = cells[: random.choice((0, 1, 2, 4, 4))]
            factors = random.choices((-2, -1, 1, 3), k=len(cells))
            alike = (random.choice((-2, -1, 1, 3)),) * len(cells)
            return Linear(cells, random.choice((tuple(factors), alike)), random.randint(-5, 6))
        case "Relation":
            return Relation(cells[0], cells[1], frozenset(random.sample(pairs, random.randrange(len(pairs)))))
        case "Count":
            candidates = list(product(cells, board.digits))
            some = tuple(random.sample(candidates, random.randint(1, len(candidates))))
            least = random.choice((0, 0, 1, 2, random.randint(0, len(some) + 1)))
            return Count(some, least, random.choice((least, least + 1, len(some), len(some) + 1)))
        case "Diagram":
            line = tuple(random.choices(cells, k=len(cells)))
            chosen = set(random.sample(words, random.randint(0, min(12, len(words)))))
            every, whole = [board.digits] * len(line), {" ".join(map(str, ("", *word))) for word in chosen}
            return diagram(line, every, "", lambda word, _, digit: f"{word} {digit}", whole.__contains__)
        case _:
            names = [random.choices(KINDS[:-1], k=random.randint(1, 2)) for _ in range(random.randint(1, 3))]
            return OneOf(tuple(tuple(drawn(name, board, random) for name in case) for case in names))


@lru_cache
def cases(base: str, kind: str) -> list[tuple[Puzzle, Primitive, set[Grid], set[Grid]]]:
    """Puzzles with one primitive, the grids that keep it, and those that keep the houses alone."""
    ruleset, random = BASES[base], Random(f"{base} {kind}")
    board, found = ruleset.board, []
    every = [Grid(digits, board) for digits in product(board.digits, repeat=board.cell_count)]
    every = [
        grid for grid in every if all(len({grid.digits[c] for c in h.cells}) == len(h.cells) for h in ruleset.houses)
    ]
    for primitive in (*(drawn(kind, board, random) for _ in range(DRAWN)), *CHOSEN.get(kind, ())):
        puzzle = Puzzle(ruleset.extended(Stated(primitive)), Grid.blank(board))
        kept = {grid for grid in every if means(primitive, grid.digits)}
        found.append((puzzle, primitive, kept, set(every) - kept))
    assert any(kept for _, _, kept, _ in found)
    assert (kind == "AllDifferent" and ruleset.houses) or any(broken for _, _, _, broken in found)
    return found


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("base", BASES)
def test_solvers_find_what_keeps_a_primitive(base: str, kind: str) -> None:
    for backend, most in {"search": None, "cadical195": None, "cpsat": 1}.items():
        session = Session(backend)
        for puzzle, primitive, kept, _ in cases(base, kind)[:most]:
            assert set(session.solutions(puzzle)) == kept, (backend, primitive)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("base", BASES)
def test_rows_say_what_a_primitive_says(base: str, kind: str) -> None:
    for puzzle, primitive, kept, broken in cases(base, kind):
        rows = list(rows_of(primitive, puzzle.board))

        def keeps(grid: Grid) -> bool:
            totals = [sum(f for cell, digit, f in row.terms if grid.digits[cell] == digit) for row in rows]  # noqa: B023
            pairs = zip(rows, totals, strict=True)  # noqa: B023  called at once
            return all(total == row.total if row.exact else total <= row.total for row, total in pairs)

        assert all(map(keeps, kept)), primitive
        if has_rows(primitive):
            assert not any(map(keeps, broken)), primitive


def solutions_of_sums(lowered: LinearPuzzle) -> set[Grid]:
    """The grids of the 0-1 assignments that keep the sums, by CP-SAT."""
    found: set[Grid] = set()
    model, solver = CpModel(), CpSolver()
    variables = [model.new_bool_var("") for _ in range(lowered.num_vars)]
    for each in lowered.sums:
        total = sum(factor * variables[number - 1] for factor, number in each.terms)
        model.add(total == each.total if each.exactly else total <= each.total)
    solver.parameters.num_workers = 1
    while solver.solve(model) == OPTIMAL:
        true = [number for number, variable in enumerate(variables, 1) if solver.boolean_value(variable)]
        grid = lowered.digits.decode(true)
        assert grid not in found
        found.add(grid)
        # variables of rules may have several values for one grid
        clause = lowered.digits.blocking_clause(grid)
        assert clause is not None
        model.add_bool_or([variables[-literal - 1].negated() for literal in clause])
    return found


@pytest.mark.parametrize("kind", ["Linear", "Diagram", "OneOf"])
@pytest.mark.parametrize("base", BASES)
def test_sums_with_variables_of_their_own_say_what_a_primitive_says(base: str, kind: str) -> None:
    every = cases(base, kind)
    for puzzle, primitive, kept, _ in (*every[:2], *every[DRAWN:]):
        assert solutions_of_sums(lower_to_linear(puzzle, presolve=False)) == kept, primitive


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("base", BASES)
def test_deduction_loses_no_grid_and_sees_every_broken_one(base: str, kind: str) -> None:
    random = np.random.default_rng(1)
    for puzzle, primitive, kept, broken in cases(base, kind):
        cells, least = np.arange(puzzle.board.cell_count), puzzle.board.least
        for _ in range(4):
            within = random.random((puzzle.board.cell_count, puzzle.board.order)) < 0.7
            inside = [grid for grid in kept if within[cells, np.array(grid.digits) - least].all()]
            left = propagate(puzzle, within)
            assert left is not None or not inside, primitive
            if left is not None:
                assert (left <= within).all()
                assert all(left[cells, np.array(grid.digits) - least].all() for grid in inside), primitive
        for grid in [*sorted(kept, key=hash)[:10], *sorted(broken, key=hash)[:10]]:
            assert (propagate(Puzzle(puzzle.ruleset, grid)) is not None) == (grid in kept), primitive


def test_primitives_are_of_different_cells_of_the_board() -> None:
    with pytest.raises(ValueError, match="two different cells"):
        Relation(3, 3, frozenset({(1, 1)}))
    with pytest.raises(ValueError, match=r"the cells of a sum are different, not \(0, 0\)"):
        Linear((0, 0), (1, 1), 6)
    with pytest.raises(ValueError, match="2 cells of a sum have 1 coefficients"):
        Linear((0, 1), (1,), 6)
    with pytest.raises(ValueError, match="the candidates of a count are different"):
        Count(((0, 1), (0, 1)), 2, 2)
    for cell in (-1, 16):
        with pytest.raises(UsageError, match=rf"the primitives of stated are of the cells of 4x4, not \[{cell}\]"):
            Ruleset(Board.square(4), (Stated(Allowed(cell, frozenset({1}))),)).primitives  # noqa: B018
    assert related(3, 3, frozenset({(1, 1), (1, 2)})) == Allowed(3, frozenset({1}))
