"""Answers with reasons: a solution step by step (`explain`), how hard it is (`rate`), why there is none (`why_none`) or
more than one (`why_several`), the bound on the score by linear programming (`bound`), why a score is best (`why_best`).
"""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from math import gcd

from ringdoku.constraints.digits import AllowedDigits, puzzle_of_candidates
from ringdoku.domain import Grid, Puzzle, Result, Status, TimeLimitError, counted, refuse, shortened, write_constraint
from ringdoku.domain.errors import DimensionError, DisagreementError, rows_of_numbers, whole_number
from ringdoku.domain.objective import Objective, gains_of
from ringdoku.domain.rows import rows_beside_units
from ringdoku.duality.bound import Bound, check_bound, reduced_costs
from ringdoku.explanations.explanation import Explanation, Rating, explain_steps
from ringdoku.explanations.graph import graph_of
from ringdoku.explanations.inferences import Candidate, Candidates
from ringdoku.explanations.path import Effort, Outcome, needed_steps, start_of
from ringdoku.explanations.search import MOST_TRUTHS
from ringdoku.limits import GRACE_SECONDS, Deadline, interrupts_held
from ringdoku.services.counting import candidates
from ringdoku.services.session import ObjectiveLike, PuzzleLike, Session, as_objective, as_puzzle

MOST_SOLUTIONS = 500
"""With more solutions it is not looked for the clues that would decide between them."""
STEP_SECONDS, CONFLICT_SECONDS = 10.0, 2.0
"""Time limits for the proof that a step has the fewest truths, and that a conflict is smallest."""


def explain(
    puzzle: PuzzleLike,
    time_limit: float | None = None,
    truths: int = MOST_TRUTHS,
    cases: bool = True,
    start: Candidates | None = None,
    fewest: bool = False,
    assume_unique: bool = False,
) -> Explanation:
    """The steps to the solution, each checked: the smallest set of truths first, no larger than `truths`, 0 for
    singles only, and then, with `cases`, case splits.

    They start from the candidates that the clues leave, or from those of them in `start`, a set of digits for each
    cell. If no solution has only these, they end in a contradiction; if several have, they stop when no step is left.
    `fewest`: each step is proved to have the fewest truths of cells, units and rules that refute any candidate; a step
    says so if the proof takes more than `STEP_SECONDS`. `assume_unique`: steps may rely on the solution being the only
    one, and then say so; no step does if there are several. At the time limit (seconds) the outcome is LIMIT, with the
    steps so far. Raises `UsageError` for `truths` out of range, and `DimensionError` for orders above 25.
    """
    truths = whole_number(truths, "numbers of truths")
    refuse(not 0 <= truths <= MOST_TRUTHS, f"a step has up to {MOST_TRUTHS} truths, or 0 for singles, not {truths}")
    deadline, puzzle = Deadline.asked(time_limit), as_puzzle(puzzle)
    begun = start_of(puzzle)
    if start is not None:
        given = list(map(frozenset, rows_of_numbers(start, "candidates")))
        refuse(len(given) != len(begun), f"candidates to start from are of {len(begun)} cells, not of {len(given)}")
        begun = tuple(map(frozenset.intersection, begun, given))
    try:
        solutions = up_to_two_solutions(puzzle, begun, time_limit)
    except TimeLimitError:
        return Explanation(puzzle, begun, (), Outcome.LIMIT)
    # a case split cannot refute any of several solutions
    no_second, proof_seconds = len(solutions) < 2, STEP_SECONDS if fewest else 0
    effort = Effort(truths, cases and no_second, solutions, deadline, proof_seconds, assume_unique and no_second)
    return explain_steps(puzzle, effort, begun)


def up_to_two_solutions(puzzle: Puzzle, start: Candidates, time_limit: float | None) -> tuple[Grid, ...]:
    """Two solutions of the puzzle that have only the candidates `start`; fewer if there are no more."""
    return tuple(islice(Session().solutions(with_candidates(puzzle, start), time_limit) if all(start) else (), 2))


def with_candidates(puzzle: Puzzle, start: Candidates) -> Puzzle:
    """The puzzle with its candidates restricted to `start`; the puzzle itself if its clues leave just these."""
    left = [tuple(sorted(digits)) for digits in start[: puzzle.board.grid_count]]
    return puzzle if start == start_of(puzzle) else puzzle_of_candidates(puzzle.ruleset, left)


def rate(puzzle: PuzzleLike, time_limit: float | None = None) -> Rating:
    """How hard the steps of `explain` are, and the depth of trial and error. Raises as it does."""
    # loads a SAT solver
    from ringdoku.explanations.cases import CaseSplits

    deadline, puzzle = Deadline.asked(time_limit), as_puzzle(puzzle)
    found, graph = explain(puzzle, time_limit), graph_of(puzzle.ruleset)
    if found.outcome is not Outcome.SOLVED or graph.rules or puzzle.board.extra:
        return found.rating
    try:
        return replace(found.rating, trial_depth=CaseSplits(puzzle, graph.alive(found.start), deadline).trial_depth())
    except TimeLimitError:
        return replace(found.rating, outcome=Outcome.LIMIT)


def with_player_marks(puzzle: Puzzle, player: Puzzle) -> tuple[Puzzle, Candidates]:
    """The puzzle with a player's digits as clues, so that none of them needs a step; and the `start` for `explain`: the
    candidates that these leave, without those that the player's marks rule out. `player` has digits as clues and marks
    as `AllowedDigits`. Raises `DimensionError` for another board, `UsageError` for rules of its own."""
    if player.board != puzzle.board:
        raise DimensionError(f"marks of a {player.board} board do not fit one of {puzzle.board}")
    others = [rule for rule in player.ruleset.special if rule not in puzzle.ruleset.special]
    rules = [write_constraint(rule, puzzle.board) for rule in others if not isinstance(rule, AllowedDigits)]
    refuse(rules, f"marks are digits and candidates, and no rules such as {'; '.join(rules)}")
    blank, held = puzzle.board.blank, player.clues.digits
    clues = [digit if clue == blank else clue for clue, digit in zip(puzzle.clues.digits, held, strict=True)]
    puzzle = Puzzle(puzzle.ruleset, Grid(tuple(clues), puzzle.board))
    left = _left_by(player)
    return puzzle, tuple(digits & left.get(cell, digits) for cell, digits in enumerate(start_of(puzzle)))


def _left_by(player: Puzzle) -> dict[int, frozenset[int]]:
    """The digits that a player's marks and digits leave, for each cell that has some."""
    return {**player.ruleset.allowed, **{cell: frozenset((player.clues.digits[cell],)) for cell in player.clues.filled}}


def wrong_marks(puzzle: Puzzle, player: Puzzle, time_limit: float | None = None) -> dict[int, tuple[int, ...]]:
    """The cells in which a player has ruled out all digits that they have in a solution, with these digits; none for a
    puzzle without solutions. Raises `DimensionError` for another board, and `TimeLimitError` at the limit."""
    with_player_marks(puzzle, player)  # refuses another board
    left, known = _left_by(player), enumerate(candidates(puzzle, time_limit) or ())
    return {cell: digits for cell, digits in known if not left.get(cell, {*digits}) & {*digits}}


@dataclass(frozen=True)
class Refutation:
    """Why there is no solution: `puzzle` has only clues and rules that conflict, as few as possible if `smallest`;
    `explanation` ends in a contradiction, and later steps need each of its steps."""

    puzzle: Puzzle
    smallest: bool
    explanation: Explanation

    def sentence(self, name: Callable[[int], str] = str) -> tuple[str, str]:
        """A claim, and the clues and rules that it is about, without those of classic sudoku; `name` writes a digit."""
        fewest, (clues, rules) = ", the fewest there are" if self.smallest else "", part_texts(self.puzzle, name)
        parts = "; ".join([*([", ".join(clues)] if clues else []), *rules])
        return f"these conflict already{fewest}", parts or "the rules alone"


def part_texts(puzzle: Puzzle, name: Callable[[int], str] = str) -> tuple[list[str], list[str]]:
    """The clues, and the rules without those of classic sudoku, as texts; `name` writes a digit."""
    board, clues = puzzle.board, enumerate(puzzle.clues.digits)
    named = [f"{board.cell_name(cell)} = {name(digit)}" for cell, digit in clues if digit != board.blank]
    return named, [write_constraint(rule, board) for rule in puzzle.ruleset.special]


def why_none(puzzle: PuzzleLike, time_limit: float | None = None) -> Refutation | None:
    """Why a puzzle has no solution; None if it has one.

    Raises `TimeLimitError` at the limit when no conflict was found by then, and `DimensionError` for orders above 25.
    """
    # a formula and a solver, which nothing else here needs
    from ringdoku.explanations.small_sets import smallest_conflict

    deadline, puzzle = Deadline.asked(time_limit), as_puzzle(puzzle)
    # refuses large orders before the search for a conflict, which takes long for them
    start_of(puzzle)
    if (conflict := smallest_conflict(puzzle, deadline.within(CONFLICT_SECONDS), deadline)) is None:
        return None
    part, is_smallest = conflict
    found = explain_steps(part, Effort(deadline=deadline))
    if found.outcome is Outcome.CONTRADICTION:
        found = replace(found, inferences=needed_steps(graph_of(part.ruleset), found.start, found.inferences))
    return Refutation(part, is_smallest, found)


@dataclass(frozen=True)
class Ambiguity:
    """Why a puzzle has several solutions: two of them, the `cells` in which solutions differ, and the `deciding` clues,
    each of which alone would leave one solution. `complete`: all solutions were looked at."""

    first: Grid
    second: Grid
    cells: tuple[int, ...]
    deciding: tuple[Candidate, ...]
    complete: bool

    def lines(self, name: Callable[[int], str] = str) -> Iterator[str]:
        """Sentences: where solutions differ, and which clues would decide between them; `name` writes a digit."""
        cell_name = self.first.board.cell_name
        least, cells = "" if self.complete else "at least ", shortened(" ".join(map(cell_name, self.cells)), 150)
        yield f"solutions differ in {least}{counted(len(self.cells), 'cell')}: {cells}"
        if not self.complete:
            yield "there are too many to say which clues would decide"
        elif self.deciding:
            clues = (f"{cell_name(cell)} = {name(digit)}" for cell, digit in self.deciding)
            yield f"one more clue would decide: {shortened(' or '.join(clues), 300)}"
        else:
            yield "no single clue would decide"


def why_several(puzzle: PuzzleLike, time_limit: float | None = None) -> Ambiguity | None:
    """Two solutions of a puzzle, where solutions differ, and clues that decide between them; None without a second one.

    With more than `MOST_SOLUTIONS` the deciding clues are not looked for. Raises `TimeLimitError` at the limit when
    fewer than two were found by then.
    """
    puzzle, found, complete = as_puzzle(puzzle), list[Grid](), False
    try:
        solutions = Session().solutions(puzzle, time_limit)
        found.extend(islice(solutions, MOST_SOLUTIONS))
        complete = next(solutions, None) is None
    except TimeLimitError:
        if len(found) < 2:
            raise
    if len(found) < 2:
        return None
    counts = [Counter(digits) for digits in zip(*(grid.digits for grid in found), strict=True)]
    different = tuple(cell for cell, count in enumerate(counts) if len(count) > 1)
    shown_once = [(cell, digit) for cell in different for digit, count in sorted(counts[cell].items()) if count == 1]
    return Ambiguity(found[0], found[1], different, tuple(shown_once) if complete else (), complete)


def bound(puzzle: PuzzleLike, objective: ObjectiveLike | None = None, time_limit: float | None = None) -> Bound | None:
    """A bound on the score of every solution, with prices (dual values) that prove it and were checked. None: it is
    proved that there is no solution.

    The bound is the optimum of the linear relaxation, rounded to a whole number, or a little weaker for weights in the
    thousands, since prices have few digits. No solver has to be trusted, and none searches, so a puzzle without a
    solution may have a bound too. Objective and errors are as for `maximise`, with `DimensionError` above 256×256. At
    the time limit (seconds) the bound is weak. Raises `TimeLimitError` if the proof takes more than a second longer.
    """
    # these import numpy and a solver, which nothing else here needs
    with interrupts_held():
        import numpy as np

        from ringdoku.deduction.propagation import propagate
        from ringdoku.duality.prices import incidence, rounded_prices
        from ringdoku.duality.relaxation import relax, require_size

    puzzle = as_puzzle(puzzle)
    objective, deadline = as_objective(objective, puzzle), Deadline.asked(time_limit)
    late_deadline = Deadline(None if time_limit is None else time_limit + GRACE_SECONDS)
    require_size(puzzle.order)
    sign, board, found = objective.sense.sign, puzzle.board, incidence(puzzle.ruleset)
    if propagate(puzzle, deadline=late_deadline) is None:
        return None
    # the prices are for the candidates that clues leave in their own cells, without any deduction
    candidates = np.array([[clue in (board.blank, digit) for digit in board.digits] for clue in puzzle.clues.digits])
    gains = np.array(gains_of(objective.upwards().weights, board), dtype=np.int64)
    relaxation = relax(found, candidates, gains, deadline)
    if relaxation.is_infeasible:
        with suppress(TimeLimitError):
            if Session().solve(puzzle, deadline.left()).status is Status.INFEASIBLE:
                return None
    # such that people can add them up
    prices = rounded_prices(relaxation.prices, found, candidates, gains)
    of_cells, of_units, of_rows = prices.cell_prices.tolist(), prices.unit_prices.tolist(), prices.row_prices.tolist()
    common = sign * gcd(prices.denominator, *of_cells, *(price for row in of_units for price in row), *of_rows)
    proved = Bound(
        sign * prices.best_score,
        prices.denominator // abs(common),
        tuple(price // common for price in of_cells),
        {unit.name: tuple(p // common for p in row) for unit, row in zip(puzzle.ruleset.units, of_units, strict=True)},
        {row.name: price // common for row, price in zip(found.rows, of_rows, strict=True) if price},
    )
    late_deadline.check()
    if faults := check_bound(puzzle, objective, proved):
        raise DisagreementError(f"the prices prove no bound: {'; '.join(faults)}")
    return proved


@dataclass(frozen=True)
class Prices:
    """Why no score is better: `result` has the best grid, `bound` the prices that prove a bound, checked."""

    result: Result
    bound: Bound
    objective: Objective
    puzzle: Puzzle

    def lines(self) -> Iterator[str]:
        """Sentences: the prices, largest first, and what they prove."""
        result, bound, sign = self.result, self.bound, self.objective.sense.sign
        most, above = ("most", "above") if sign > 0 else ("least", "below")
        of_digit = f"{most} the prices of its cell, of its units for it, and of its rows"
        yield "Cells, units with a digit, and rows of rules have prices. In every solution a digit in a cell brings at"
        yield f"{of_digit}. So no score is {above} the sum of all:"
        totals = {row.name: row.total for row in rows_beside_units(self.puzzle.ruleset)}
        shares = {name: sum(each) for name, each in bound.unit_prices.items()}
        shares |= {name: totals[name] * price for name, price in bound.row_prices.items()}
        shares = {name: share for name, share in shares.items() if share} | {"all cells": sum(bound.cell_prices)}
        for name, share in sorted(shares.items(), key=lambda item: -item[1]):
            yield f"  {name} adds {_mixed_number(Fraction(share, bound.denominator))}"
        total = Fraction(sum(shares.values()), bound.denominator)
        yield f"  all together {_mixed_number(total)}: no score is {above} {bound.value}"
        if result.score is None:
            yield "No solution was found in the time."
        elif result.status is not Status.OPTIMAL:
            yield f"The best score found is {result.score}, which is not proved best in the time."
        elif result.score == bound.value:
            yield f"The best score is {result.score}: the bound is reached, so it is proved by the prices alone."
        else:
            better = result.score + sign
            others = f"the score {better} was" if better == bound.value else f"all from {better} to {bound.value} were"
            yield f"The best score is {result.score}: {others} ruled out by {result.ground}."

    def costs(self) -> Iterator[Fraction]:
        """The cost of each cell of the grid, in points ≥ 0. For a clue: how much worse the bound by the same prices is
        without it. For another digit of the best grid: its reduced cost, by which it falls short of its prices."""
        board, grid, sign = self.puzzle.board, self.result.grid, self.objective.sense.sign
        reduced = reduced_costs(self.puzzle, self.objective, self.bound)
        for cell, clue in enumerate(self.puzzle.clues.digits[: board.grid_count]):
            costs = [Fraction(sign * cost, self.bound.denominator) for cost in reduced[cell]]
            if clue != board.blank:
                yield max(Fraction(0), -min(costs))
            else:
                yield costs[grid.digits[cell] - board.least] if grid else Fraction(0)


def _mixed_number(value: Fraction) -> str:
    """The value as a mixed number, such as `61 1/8`."""
    whole, remainder = divmod(abs(value.numerator), value.denominator)
    parts = [str(whole)] * (whole > 0 or not remainder) + [f"{remainder}/{value.denominator}"] * (remainder > 0)
    return "-" * (value < 0) + " ".join(parts)


def why_best(
    puzzle: PuzzleLike, objective: ObjectiveLike | None = None, time_limit: float | None = None
) -> Prices | None:
    """The best score and the prices of its `bound`, each in the time limit; None if infeasible. Raises as both do."""
    puzzle = as_puzzle(puzzle)
    weights = as_objective(objective, puzzle)
    if (proved := bound(puzzle, weights, time_limit)) is None:
        return None
    result = Session().maximise(puzzle, weights, time_limit)
    return None if result.status is Status.INFEASIBLE else Prices(result, proved, weights, puzzle)
