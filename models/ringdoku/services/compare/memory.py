"""What a process and its descendants use, from Linux's /proc; elsewhere nothing is known and nothing is found."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

PAGE_BYTES = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


def descendants(pid: int) -> list[int]:
    """The process itself and all below it."""
    found = [pid]
    for parent in found:
        with suppress(OSError):
            for thread in Path(f"/proc/{parent}/task").iterdir():
                with suppress(OSError):
                    found += map(int, (thread / "children").read_text().split())
    return found


def resident_mebibytes(pid: int) -> float:
    """Memory in use by a process and its descendants, in MiB; 0 where it cannot be known."""
    pages = 0
    for member in descendants(pid):
        with suppress(OSError, IndexError):
            pages += int(Path(f"/proc/{member}/statm").read_text().split()[1])
    return pages * PAGE_BYTES / 2**20
