"""`ringdoku page` in a process of its own, and what tests ask of it."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from email.message import Message
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from conftest import plain_environment

LONG: dict[str, Any] = {
    "puzzle": json.dumps({"grid": [[0] * 25] * 25}),
    "weights": [1 + cell * cell % 97 for cell in range(625)],
}
"""A best score that takes longer than any test."""


class Answer(NamedTuple):
    """What the server said."""

    status: int
    headers: Message
    text: str


class Page:
    """A server with its address; a context manager that ends it as Ctrl-C does."""

    def __init__(self, *arguments: str | Path) -> None:
        command = [sys.executable, "-m", "ringdoku_cli", "page", "--no-open", *map(str, arguments)]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=plain_environment()
        )
        assert self.process.stdout
        self.address = self.process.stdout.readline().strip()
        parts = urlsplit(self.address)
        self.host, self.path = parts.netloc, parts.path

    def __enter__(self) -> "Page":
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> tuple[int, str]:
        """Exit status and standard error."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        try:
            _, errors = self.process.communicate(timeout=20)
        finally:
            self.process.kill()
        return self.process.returncode, errors

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str) -> Answer:
        """The answer to a request; a path without `/` before it is below the token."""
        target = path if path.startswith(("/", "*")) else self.path + path
        with closing(HTTPConnection(self.host, timeout=30)) as connection:
            connection.request(method, target, body, {name.replace("_", "-"): value for name, value in headers.items()})
            got = connection.getresponse()
            return Answer(got.status, got.headers, got.read().decode())

    @contextmanager
    def begin(self, task: str, **fields: Any) -> Iterator[Iterator[tuple[str, Any]]]:
        """Asks a question: kind and data of the events, as they come. To leave the context cancels the run."""
        with closing(HTTPConnection(self.host, timeout=30)) as connection:
            connection.request("POST", f"{self.path}ask", json.dumps({"task": task, **fields}))
            with connection.getresponse() as response:
                yield (tuple(json.loads(line)) for line in response)

    def answer(self, task: str, **fields: Any) -> Any:
        """The last event: its kind and its data."""
        with self.begin(task, **fields) as events:
            return list(events)[-1]

    def workers(self) -> list[int]:
        """The process numbers of its workers."""
        found = []
        for status in Path("/proc").glob("[0-9]*/stat"):
            try:
                text = status.read_text()
            except OSError:
                continue
            state, parent = text.rpartition(")")[2].split()[:2]
            if int(parent) == self.process.pid and state != "Z":
                found.append(int(status.parent.name))
        return found
