"""Exit codes, and which of several is used."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """How a command ended, as the shell sees it."""

    OK = 0
    """Every question was answered; for `solve` with a solution, for `check` with "right"."""
    NEGATIVE = 1
    """A puzzle has no solution (`solve`), or it or its solution is wrong (`check`)."""
    USAGE = 2
    """Wrong arguments, malformed input, an unreadable or unwritable file, a missing package, or a solver program that
    crashed or answered nonsense."""
    UNKNOWN = 3
    """The time limit or the memory was not enough to answer every puzzle."""
    BUG = 4
    """Two of our own ways disagree, or there was an unexpected error: please report it."""
    SATISFIABLE = 10
    """A solution was found (`solve --output-format competition` only)."""
    UNSATISFIABLE = 20
    """There is no solution (`solve --output-format competition` only)."""
    ACCEPTED = 42
    """The output of a program is right (`judge --style kattis` only)."""
    REJECTED = 43
    """The output of a program is wrong (`judge --style kattis` only)."""
    HUNG_UP = 129
    """Stopped because the terminal was closed; the answers before that are kept."""
    INTERRUPTED = 130
    """Stopped by Ctrl-C; the answers before that are kept."""
    BROKEN_PIPE = 141
    """The reader of standard output, such as `head`, closed it."""
    TERMINATED = 143
    """Stopped by SIGTERM; the answers before that are kept."""


_SEVERITY = (
    *(Exit.INTERRUPTED, Exit.BROKEN_PIPE, Exit.BUG, Exit.USAGE, Exit.UNKNOWN),
    *(Exit.NEGATIVE, Exit.UNSATISFIABLE, Exit.SATISFIABLE),
)


def worst(*exits: Exit) -> Exit:
    """The most severe, in this order: 130, 141, 4, 2, 3, 1, 20, 10, 0."""
    return next((grave for grave in _SEVERITY if grave in exits), Exit.OK)
