"""What a picture of results can show."""

from __future__ import annotations

from enum import Enum


class Kind(Enum):
    """What a picture shows."""

    CACTUS = "cactus"
    """For each contender, how many instances it solves within how much time."""
    SCATTER = "scatter"
    """Two contenders, one point an instance."""
    BOUND = "bound"
    """Best score and proved bound over time, on one instance."""
