"""That a puzzle of houses alone has no other solutions, by trying digits: where few will do, a SAT solver takes longer
to load."""

from __future__ import annotations

from collections.abc import Iterable

from ringdoku.deduction.masks import mask_board, propagated_masks
from ringdoku.deduction.rules import Masks
from ringdoku.domain.errors import DisagreementError
from ringdoku.domain.grid import Grid
from ringdoku.domain.puzzle import Puzzle
from ringdoku.limits import Deadline

MOST_GUESSES = 20
"""Nearly all minimal 9×9 puzzles need fewer, and half need none."""


def refuted_by_guesses(puzzle: Puzzle, listed: Iterable[Grid], deadline: Deadline) -> list[str] | None:
    """The proof, in the DRUP format, that no solutions but `listed` exist; None where it takes too many guesses.

    Each step follows by unit propagation from the puzzle, a clause against each of the solutions that are listed, and
    the steps before. Raises `DisagreementError` where there is another solution.
    """
    board, n, least = mask_board(puzzle.ruleset), puzzle.order, puzzle.board.least
    known = [[1 << digit - least for digit in grid.digits] for grid in listed]
    steps: list[str] = []
    guesses = 0

    def refute(masks: Masks, guessed: str) -> bool:
        nonlocal guesses
        while True:
            unsure = [cell for cell, mask in enumerate(masks) if mask & (mask - 1)]
            if not unsure:
                if masks not in known:
                    raise DisagreementError("there is a solution that a certificate was to exclude")
                break
            guesses += 1
            if guesses > MOST_GUESSES:
                return False
            cell = min(unsure, key=lambda cell: masks[cell].bit_count())
            # what no solution has is refuted sooner
            wrong = masks[cell]
            for solution in known:
                wrong &= ~solution[cell]
            digit = wrong or masks[cell]
            digit &= -digit
            tried, also = masks.copy(), f"{guessed}-{cell * n + digit.bit_length()} "
            tried[cell] = digit
            if board.settle(tried, [cell], deadline):
                if not refute(tried, also):
                    return False
            else:
                steps.append(f"{also}0")
            masks[cell] ^= digit
            decided = [] if masks[cell] & (masks[cell] - 1) else [cell]
            if not board.settle(masks, decided, deadline):
                break
        steps.append(f"{guessed}0")
        return True

    masks = propagated_masks(puzzle, None, deadline)
    return steps if masks is None or refute(masks, "") else None
