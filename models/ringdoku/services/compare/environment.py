"""What a result was measured on: machine, system, versions. Enough to judge whether two results may be compared."""

from __future__ import annotations

import os
import platform
from contextlib import suppress
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

PACKAGES = ("ringdoku", "ortools", "python-sat", "numpy")


def environment() -> dict[str, Any]:
    """A flat object fit for JSON."""
    return {
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "cpu": _cpu_name(),
        "cpus": _usable_cpus(),
        "memory_mib": _memory_mebibytes(),
        "system": f"{platform.system()} {platform.release().partition('-')[0]} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "packages": {name: _version(name) for name in PACKAGES},
    }


def _cpu_name() -> str:
    with suppress(OSError, StopIteration):
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        return next(line for line in lines if line.startswith("model name")).partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _usable_cpus() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _memory_mebibytes() -> int | None:
    with suppress(OSError, ValueError, AttributeError):
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20
    return None


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
