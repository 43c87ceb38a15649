"""A binary stream that is read in large parts, and that can be read again from its start while little was read."""

from __future__ import annotations

from typing import BinaryIO

PART = 1 << 18
"""Bytes that are asked for at once; a pipe gives what it has."""


class Source:
    """What a reader asks of a stream."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._read_some = getattr(stream, "read1", stream.read)
        self._part = b""
        self._at = 0
        self._kept = 0
        """The first bytes, up to so many, are kept to be read again."""
        self.given = 0
        """Bytes that were given."""

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
        parts = [self.held.tobytes()]
        missing = size - len(parts[0])
        while missing > 0 and (part := self._read_some(PART)):
            parts.append(part)
            missing -= len(part)
        if len(parts) > 1:
            self._part = self._part[: self._at] + b"".join(parts)

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

    def keep(self, size: int) -> None:
        """Keeps the first bytes, up to so many, from now on; 0 forgets them."""
        self._kept = size

    def rewind(self) -> bool:
        """Goes back to the start of the input; false where too much was read for that."""
        if self._at != self.given:
            return False
        self._at = self.given = 0
        return True

    def seekable(self) -> bool:
        """Whether all of the input is there, as in a file."""
        try:
            return self._stream.seekable()
        except (AttributeError, ValueError):
            return False

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
        if self.given > self._kept or self._at != self.given:
            self._part = self._part[self._at :]
            self._at = 0
        self._part += part or b""
        return bool(part)
