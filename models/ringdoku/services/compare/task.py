"""What can be asked in a comparison."""

from __future__ import annotations

from enum import Enum

from ringdoku.backends.base import Ability


class Task(Enum):
    """What is asked of each puzzle."""

    SOLVE = "solve"
    """Any one solution."""
    MAXIMISE = "maximise"
    """A solution of best ring-weighted score."""
    UNIQUE = "unique"
    """Whether there is a second solution."""

    @property
    def ability(self) -> Ability:
        """What a backend needs for it."""
        return {Task.SOLVE: Ability.SATISFY, Task.MAXIMISE: Ability.OPTIMISE, Task.UNIQUE: Ability.ENUMERATE}[self]
