"""The size of the formula of a blank board, by the encodings' size formulas, without building it."""

from __future__ import annotations

from ringdoku.domain.ruleset import Ruleset
from ringdoku.encodings import triads
from ringdoku.encodings.at_most_one.registry import AT_MOST_ONE
from ringdoku.encodings.digits.registry import DIGITS
from ringdoku.encodings.options import ClauseSet, EncodingOptions


def formula_size(ruleset: Ruleset, options: EncodingOptions) -> tuple[int, int]:
    """Variables and clauses of the formula for no clues, exactly."""
    n, (height, width) = ruleset.order, ruleset.require_classic("a formula for sizes")
    digits, at_most = DIGITS[options.digits], AT_MOST_ONE[options.at_most_one]
    extended = options.clause_set is ClauseSet.EXTENDED
    cells_at_most = options.clause_set is not ClauseSet.MINIMAL and not digits.exclusive
    # (number of sets, literals in each, whether at least one, whether at most one)
    sets = [(n * n, n, True, cells_at_most), (3 * n * n, n, extended, True)]
    variables, clauses = n * n * digits.variables(n), n * n * digits.clauses(n)
    if options.triads:
        variables += triads.variables(ruleset)
        clauses += triads.clauses(ruleset)
        sets += [(2 * n * n, height, extended, True), (2 * n * n, width, extended, True)]
    for count, size, at_least_one, at_most_one in sets:
        variables += count * at_most.variables(size) * at_most_one
        clauses += count * (at_most.clauses(size) * at_most_one + at_least_one)
    return variables, clauses
