"""A binary stream that is read in large parts, and says what of it was read and not given yet."""

from __future__ import annotations

from typing import BinaryIO

PART = 1 << 18
"""Bytes that are asked for at once; a pipe gives what it has."""


class Source:
    """What a reader asks of a stream; `held` and `skip` are for readers of many lines at once.

    `together`: about how many puzzles on lines of one kind come as one `Batch`, 0 for none. It may change any time.
    """

    def __init__(self, stream: BinaryIO, together: int = 0) -> None:
        self.together = together
        self._stream = stream
        self._read_some = getattr(stream, "read1", stream.read)
        self._part = b""
        self._at = 0
        self.given = 0
        """Bytes that were given."""

    @property
    def source(self) -> Source:
        """Itself. A stream that passes lines on names the source that they come from."""
        return self

    @property
    def held(self) -> memoryview:
        """What the next lines will come from."""
        return memoryview(self._part)[self._at :]

    @property
    def has_line(self) -> bool:
        """Whether the next line is held."""
        return self._part.find(b"\n", self._at) >= 0

    def hold(self, size: int) -> None:
        """Reads until so many bytes are held, or the input ends."""
        while len(self._part) - self._at < size and self._read_on():
            pass

    def skip(self, size: int) -> None:
        """So many bytes of `held` count as given."""
        self._at += size
        self.given += size

    def readline(self, size: int = -1) -> bytes:
        """The next line, or so many bytes of it."""
        searched = self._at
        while (end := self._part.find(b"\n", searched)) < 0 and not 0 <= size <= len(self._part) - self._at:
            before = len(self._part) - self._at
            if not self._read_on():
                break
            searched = self._at + before
        stop = len(self._part) if end < 0 else end + 1
        return self._take(stop if size < 0 else min(stop, self._at + size))

    def read(self, size: int) -> bytes:
        """So many bytes, or all until the end."""
        self.hold(size)
        return self._take(min(len(self._part), self._at + size))

    def seekable(self) -> bool:
        """Whether all of the input is there."""
        return self._stream.seekable()

    def fileno(self) -> int:
        """Raises `OSError` where the stream is no file of the operating system."""
        return self._stream.fileno()

    def close(self) -> None:
        self._stream.close()

    def _take(self, stop: int) -> bytes:
        taken = self._part[self._at : stop]
        self.skip(len(taken))
        return taken

    def _read_on(self) -> bool:
        # a terminal can be read on after its end of file
        part = self._read_some(PART)
        self._part = self._part[self._at :] + (part or b"")
        self._at = 0
        return bool(part)
