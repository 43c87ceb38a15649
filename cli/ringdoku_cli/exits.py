"""Exit codes, and which one wins when several apply."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """How a command ended, as the shell sees it."""

    OK = 0
    """Everything asked was answered; for `solve` and `check`, well."""
    NEGATIVE = 1
    """A puzzle has no solution (`solve`), or something is wrong with one (`check`)."""
    USAGE = 2
    """Wrong arguments, malformed input, an unreadable or unwritable file, a missing package, or a solver program that
    crashed or answered nonsense."""
    UNKNOWN = 3
    """A limit was reached before at least one puzzle was answered for good."""
    BUG = 4
    """Two ways of ours disagree, or the program failed unexpectedly: please report it."""
    SATISFIABLE = 10
    """A solution was found (`solve --competition` only)."""
    UNSATISFIABLE = 20
    """There is no solution (`solve --competition` only)."""
    HUNG_UP = 129
    """Stopped as its terminal was closed; the answers before it are kept."""
    INTERRUPTED = 130
    """Stopped by Ctrl-C; the answers before it are kept."""
    BROKEN_PIPE = 141
    """Whoever read standard output went away."""
    TERMINATED = 143
    """Stopped by SIGTERM; the answers before it are kept."""


_SEVERITY = (
    *(Exit.INTERRUPTED, Exit.BROKEN_PIPE, Exit.BUG, Exit.USAGE, Exit.UNKNOWN),
    *(Exit.NEGATIVE, Exit.UNSATISFIABLE, Exit.SATISFIABLE),
)


def worst(*exits: Exit) -> Exit:
    """The gravest: 130 before 141, 4, 2, 3, 1, 20, 10 and 0."""
    return next((grave for grave in _SEVERITY if grave in exits), Exit.OK)
