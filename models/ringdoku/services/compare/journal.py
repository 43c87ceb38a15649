"""The results file of a run in progress, which no end of the run can spoil."""

from __future__ import annotations

import json
import os
from pathlib import Path
from types import TracebackType
from typing import TextIO

from ringdoku.services.compare.measurement import Measurement
from ringdoku.services.compare.results import Results, write_whole


class Journal:
    """The results file of a run in progress; a context manager."""

    def __init__(self, path: Path, results: Results) -> None:
        """Starts a new journal that holds `results`, in place of whatever is at `path`."""
        lines = (json.dumps(line) + "\n" for line in (results.header(), *(m.to_json() for m in results.measurements)))
        write_whole(path, lines)
        self._stream: TextIO = path.open("a", encoding="utf-8")

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stream.close()

    def append(self, measurement: Measurement) -> None:
        """Returns when the measurement is on the disk."""
        self._stream.write(json.dumps(measurement.to_json()) + "\n")
        self._stream.flush()
        os.fsync(self._stream.fileno())
