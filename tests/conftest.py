"""What several test modules need."""

from __future__ import annotations

import os
import subprocess
import sysconfig
from collections.abc import Callable
from pathlib import Path

import pytest

SCRIPT = Path(sysconfig.get_path("scripts")) / "ringdoku"


@pytest.fixture(scope="session")
def ringdoku() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs the installed console script to its end; `env` is added to a plain environment."""

    def run(
        *arguments: str | Path,
        input: str = "",  # noqa: A002  as subprocess calls it
        env: dict[str, str] | None = None,
        cwd: Path | None = None,
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [SCRIPT, *arguments],
            input=input,
            env=plain_environment() | (env or {}),
            cwd=cwd,
            capture_output=True,
            encoding="utf-8",
            timeout=60,
            check=False,
        )

    return run


@pytest.fixture(scope="session")
def ringdoku_script() -> Path:
    """The console script that was installed with the library."""
    return SCRIPT


def plain_environment() -> dict[str, str]:
    """Without what changes colours or width."""
    dropped = ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "TERM")
    return {name: value for name, value in os.environ.items() if name not in dropped}
