"""The garbage collector at rest while many small objects are made that will all be used."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_collection() -> Iterator[None]:
    """Nothing is collected meanwhile; also a decorator.

    Each thousand new lists makes Python look for cycles among them and, now and then, among all that there is. While
    clauses are made this took a fifth of the time and found nothing.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
