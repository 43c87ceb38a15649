"""Batches on the workers of a dask.distributed scheduler. When one of those dies its batch is done again by another.

A batch that more workers died of than the scheduler's `allowed-failures`, 3 by default, is an error.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from ringdoku.domain.errors import MissingPackageError, UsageError
from ringdoku.services.compare.environment import environment
from ringdoku.services.compare.measurement import Measurement
from ringdoku.services.compare.plan import Batch
from ringdoku.services.compare.process import measure

CONNECT_SECONDS = 10


def measure_on_cluster(batches: Iterable[Batch], address: str) -> Iterator[Measurement]:
    """Measurements as they arrive, each once; to leave early cancels the rest.

    The workers need ringdoku and the solvers installed. Raises `MissingPackageError` without dask.distributed and
    `UsageError` when the scheduler cannot be reached or gives a batch up.
    """
    try:
        import distributed
    except ImportError:
        raise MissingPackageError("dask.distributed", "pip install 'ringdoku[cluster]'") from None
    try:
        client = distributed.Client(address, timeout=CONNECT_SECONDS)
    except (OSError, ValueError) as error:
        raise UsageError(f"no scheduler answers at {address}: {error}") from None
    with client:
        futures: list[Any] = [client.submit(measure_all, batch, pure=False) for batch in batches]
        try:
            for future in distributed.as_completed(futures):
                if future.status == "error":
                    raise UsageError(f"a cluster worker failed: {future.exception()}")
                yield from future.result()
                future.release()
        finally:
            client.cancel(futures, force=True)


def measure_all(batch: Batch) -> list[Measurement]:
    """What a cluster's worker runs."""
    machine = environment()["cpu"]
    return [replace(measurement, machine=machine) for measurement in measure(batch)]
