"""Puzzle → CP-SAT model: `lower_to_cpsat` has an integer variable for each cell, and the solver's own constraints where
possible; `lower_to_boolean_cpsat` a Boolean for each candidate, and "exactly one" for every cell and every digit of a
unit; `lower_to_placements` a Boolean for each placement of a digit. The linear relaxation of Booleans is far stronger
than that of AllDifferent, if the solver uses all of it, which linearization level 2 asks for."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, compress, count, islice, product
from typing import Any, TypeAlias, assert_never

import numpy as np
from ortools.sat.python.cp_model import CpModel, IntVar, LinearExpr  # noqa: TID253 - this module itself is loaded on use

from ringdoku.deduction.propagation import Candidates, propagate
from ringdoku.domain import Grid, Objective, Puzzle, Ruleset, Sense, gains_of, is_by_cell
from ringdoku.domain.primitives import AllDifferent, Allowed, Count, Diagram, Linear, OneOf, Primitive, Relation
from ringdoku.domain.rows import rows_of
from ringdoku.duality.projection import Projection, projected
from ringdoku.limits import NEVER, Deadline
from ringdoku.sat.clauses import RuleClauses
from ringdoku.sat.formula import VarPool
from ringdoku.sat.rules import encode

MOST_PLACEMENTS = 6_000
"""The most placements of a digit; with more the linear relaxation takes longer than it saves."""

PLAIN = Projection(0, 1, (), ())
"""The projection of a model whose objective is the score itself."""

Literals: TypeAlias = dict[tuple[int, int], Any]
"""(cell, digit) → the Boolean variable of a candidate, or the sum of its placements' variables, in reading order."""


@dataclass(frozen=True)
class PuzzleCpSat:
    """A model whose solutions are a puzzle's, with a variable for each cell in `cells`, and the map back to grids."""

    puzzle: Puzzle
    model: CpModel
    cells: tuple[IntVar, ...]
    projection: Projection = PLAIN
    linearization_level: int = 1

    def decode(self, value: Callable[[IntVar], int]) -> Grid:
        """The solution under `value`, the method of that name of a solver or of a solution callback."""
        return Grid(tuple(map(value, self.cells)), self.puzzle.board)

    def exclude(self, grids: Iterable[Grid]) -> None:
        """Forbid these solutions."""
        excluded = [[*chain(*grid.rows)] for grid in grids]
        if excluded:
            self.model.add_forbidden_assignments(self.cells[: self.puzzle.board.grid_count], excluded)


def lower_to_cpsat(
    puzzle: Puzzle, weights: Sequence[int] = (), sense: Sense = Sense.MAXIMISE, deadline: Deadline = NEVER
) -> PuzzleCpSat:
    """The model with an integer for each cell; a clue is the domain of its variable. With weights, as an `Objective`
    has them, the score is a linear objective. Raises `TimeLimitError` at the deadline."""
    board, model = puzzle.board, CpModel()
    domain = (board.least, board.digits[-1])
    cells = tuple(
        model.new_int_var(*(domain if clue == board.blank else (clue, clue)), board.cell_name(cell))
        for cell, clue in enumerate(puzzle.clues.digits)
    )
    rules = _Rules(puzzle.ruleset, model, cells, deadline)
    for primitive in puzzle.ruleset.primitives:
        deadline.check()
        rules.add(primitive)
    if weights:
        _set_objective(model, rules.score(weights), sense)
    return PuzzleCpSat(puzzle, model, cells)


def _set_objective(model: CpModel, expression: Any, sense: Sense) -> None:
    if sense is Sense.MAXIMISE:
        model.maximize(expression)
    else:
        model.minimize(expression)


def _add_clauses(
    model: CpModel, literals: Literals, ruleset: Ruleset, primitives: Iterable[Primitive], deadline: Deadline
) -> None:
    """Add the clauses of primitives to the model."""
    board, variables = ruleset.board, [*literals.values()]
    pool, numbers = VarPool(len(variables)), dict(zip(literals, count(1), strict=False))
    numbered = [[numbers.get((cell, digit), 0) for digit in board.digits] for cell in range(board.cell_count)]
    clauses = RuleClauses(numbered, board.least, ruleset.peers, pool, deadline)
    encode(primitives, clauses)
    variables += [model.new_bool_var("") for _ in range(pool.num_vars - len(variables))]
    for clause in clauses.lists():
        model.add_bool_or([variables[lit - 1] if lit > 0 else ~variables[-lit - 1] for lit in clause])


@dataclass(frozen=True)
class _Rules:
    """Adds primitives to a model of integer variables."""

    ruleset: Ruleset
    model: CpModel
    cells: tuple[IntVar, ...]
    deadline: Deadline
    _literals: dict[int, list[Any]] = field(default_factory=dict)

    def add(self, primitive: Primitive) -> None:
        model, cells = self.model, self.cells
        match primitive:
            case Allowed(cell, digits):
                model.add_allowed_assignments([cells[cell]], [(digit,) for digit in sorted(digits)])
            case AllDifferent(members):
                model.add_all_different(self._variables(members))
            case Linear(members, coefficients, total):
                model.add(LinearExpr.weighted_sum(self._variables(members), coefficients) == total)
            case Relation(first, second, pairs):
                model.add_allowed_assignments([cells[first], cells[second]], sorted(pairs))
            case Count(candidates, least, greatest):
                literals = [self._booleans_of(cell)[digit - self.ruleset.board.least] for cell, digit in candidates]
                model.add_linear_constraint(LinearExpr.sum(literals), least, greatest)
            case Diagram(members, layers) if all(layers):
                transitions, end = primitive.automaton()
                model.add_automaton(self._variables(members), 0, [end], transitions)
            case Diagram():
                model.add_bool_or([])
            case OneOf():
                keys = product(range(len(cells)), self.ruleset.board.digits)
                booleans = chain.from_iterable(map(self._booleans_of, range(len(cells))))
                _add_clauses(model, dict(zip(keys, booleans, strict=True)), self.ruleset, [primitive], self.deadline)
            case _:
                assert_never(primitive)

    def score(self, weights: Sequence[int]) -> Any:
        """The score as a linear expression."""
        board = self.ruleset.board
        if is_by_cell(weights, board):
            return LinearExpr.weighted_sum(self.cells[: len(weights)], weights)
        used = [(cell, gains) for cell, gains in enumerate(gains_of(weights, board)) if any(gains)]
        return _weighted_sum(term for cell, gains in used for term in zip(self._booleans_of(cell), gains, strict=True))

    def _variables(self, cells: Iterable[int]) -> list[IntVar]:
        return [self.cells[cell] for cell in cells]

    def _booleans_of(self, cell: int) -> list[Any]:
        """A Boolean "cell holds digit" for each digit, made when the cell is first used."""
        if cell not in self._literals:
            self._literals[cell] = [self.model.new_bool_var("") for _ in self.ruleset.board.digits]
            for digit, variable in zip(self.ruleset.board.digits, self._literals[cell], strict=True):
                self.model.add(self.cells[cell] == digit).only_enforce_if(variable)
                self.model.add(self.cells[cell] != digit).only_enforce_if(~variable)
        return self._literals[cell]


@dataclass(frozen=True)
class BooleanCpSat:
    """A model whose solutions are a puzzle's, with a Boolean in `literals` for each candidate, and the map back to
    grids. If it has an objective, that is the projected one."""

    puzzle: Puzzle
    model: CpModel
    literals: Literals
    projection: Projection
    linearization_level: int = 2

    def decode(self, value: Callable[[Any], int]) -> Grid:
        """The solution under `value`, the method of that name of a solver or of a solution callback."""
        board = self.puzzle.board
        digits = [board.blank] * board.cell_count
        for (cell, digit), variable in self.literals.items():
            if value(variable):
                digits[cell] = digit
        return Grid(tuple(digits), board)

    def exclude(self, grids: Iterable[Grid]) -> None:
        """Forbid these solutions."""
        for grid in grids:
            places = list(enumerate(grid.digits[: self.puzzle.board.grid_count]))
            chosen = [self.literals[place] for place in places if place in self.literals]
            if len(chosen) == len(places):
                self.model.add(LinearExpr.sum(chosen) < len(chosen))

    def at_most(self, high: int) -> None:
        """Allow only solutions that score at most `high`."""
        self.model.add(self.objective_value() <= (high - self.projection.constant) // self.projection.step)

    def objective_value(self) -> Any:
        """The value of the model's objective, as a linear expression."""
        gains, least = gains_of(self.projection.coefficients, self.puzzle.board), self.puzzle.board.least
        return _weighted_sum((var, gains[cell][digit - least]) for (cell, digit), var in self.literals.items())


def lower_to_boolean_cpsat(
    puzzle: Puzzle, objective: Objective | None = None, within: "Candidates | None" = None, deadline: Deadline = NEVER
) -> BooleanCpSat:
    """The model with a Boolean for each candidate that propagation leaves, or each candidate `within` (cells, digits).
    Raises `TimeLimitError` at the deadline."""
    model, board = CpModel(), puzzle.board
    candidates = propagate(puzzle, deadline=deadline) if within is None else within
    if candidates is None:
        # "exactly one" of no variables makes the model infeasible too
        candidates = np.zeros((board.cell_count, board.order), dtype=bool)
    literals: Literals = {}
    for cell, row in enumerate(candidates.tolist()):
        deadline.check()
        possible = {(cell, digit): model.new_bool_var("") for digit in compress(board.digits, row)}
        model.add_exactly_one(possible.values())
        literals |= possible
    for house in puzzle.ruleset.houses:
        deadline.check()
        add = model.add_exactly_one if len(house.cells) == board.order else model.add_at_most_one
        for digit in board.digits:
            add(literals[cell, digit] for cell in house.cells if (cell, digit) in literals)
    if puzzle.ruleset.rest:
        _add_boolean_rules(model, puzzle.ruleset, literals, deadline)
    lowered = BooleanCpSat(puzzle, model, literals, projected(puzzle, objective) if objective else PLAIN)
    if objective:
        _set_objective(model, lowered.objective_value(), objective.sense)
    return lowered


def lower_to_placements(
    puzzle: Puzzle, objective: Objective, candidates: Candidates, deadline: Deadline
) -> BooleanCpSat | None:
    """A model with a variable for each *placement* of a digit, the cells that it has in a solution: one in each unit
    and no two that are peers. A candidate is the sum of its placements, and the linear relaxation is stronger (Dantzig
    and Wolfe, "Decomposition principle for linear programs", 1960). None for rules that relate different digits, and
    where a digit has too many placements. Raises `TimeLimitError` at the deadline."""
    model, board, ruleset = CpModel(), puzzle.board, puzzle.ruleset
    units = [frozenset(unit.cells) for unit in ruleset.units]
    if ruleset.rest or len(frozenset().union(*units)) < board.cell_count:
        return None
    using = {(cell, board.digits[digit]): list[IntVar]() for cell, digit in np.argwhere(candidates).tolist()}
    for digit in board.digits:
        deadline.check()
        allowed = frozenset(cell for cell, other in using if other == digit)
        placements = list(islice(_placements(units, ruleset.peers, allowed), MOST_PLACEMENTS + 1))
        if len(placements) > MOST_PLACEMENTS:
            return None
        variables = [model.new_bool_var("") for _ in placements]
        model.add_exactly_one(variables)
        for variable, cells in zip(variables, placements, strict=True):
            for cell in cells:
                using[cell, digit].append(variable)
    for cell in range(board.cell_count):
        model.add_exactly_one(chain.from_iterable(using.get((cell, digit), ()) for digit in board.digits))
    literals = {candidate: LinearExpr.sum(variables) for candidate, variables in using.items()}
    lowered = BooleanCpSat(puzzle, model, literals, projected(puzzle, objective))
    _set_objective(model, lowered.objective_value(), objective.sense)
    return lowered


def _placements(
    units: Sequence[frozenset[int]], peers: Callable[[int], frozenset[int]], allowed: frozenset[int]
) -> Iterator[list[int]]:
    """Every set of allowed cells of which each unit has one and no two are peers."""
    if not units:
        yield []
        return
    for cell in sorted(units[0] & allowed):
        others = [unit for unit in units if cell not in unit]
        yield from ([cell, *cells] for cells in _placements(others, peers, allowed - peers(cell)))


def _weighted_sum(terms: Iterable[tuple[Any, int]]) -> Any:
    """Σ factor·variable over terms (variable, factor)."""
    used = [(variable, factor) for variable, factor in terms if factor]
    return LinearExpr.weighted_sum([variable for variable, _ in used], [factor for _, factor in used])


def _add_boolean_rules(model: CpModel, ruleset: Ruleset, literals: Literals, deadline: Deadline) -> None:
    """Sums and counts are linear constraints. All primitives but counts are clauses too, which propagate more."""
    for primitive in ruleset.rest:
        deadline.check()
        for row in rows_of(primitive, ruleset.board) if isinstance(primitive, Linear | Count) else ():
            total = _weighted_sum((literals[term[:2]], term[2]) for term in row.terms if term[:2] in literals)
            model.add(total == row.total if row.exact else total <= row.total)
    rest = [primitive for primitive in ruleset.rest if not isinstance(primitive, Count)]
    _add_clauses(model, literals, ruleset, rest, deadline)
