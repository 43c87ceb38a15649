"""`ringdoku page` in a process of its own, and what tests ask of it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import closing
from email.message import Message
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from conftest import plain_environment


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

    def __enter__(self) -> Page:
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

    def begin(self, task: str, **fields: Any) -> str:
        """The name of a run that asks a question."""
        answer = self.ask("POST", "runs", json.dumps({"task": task, **fields}).encode())
        assert answer.status == 201, answer.text
        name: str = json.loads(answer.text)["id"]
        return name

    def events(self, name: str, after: int = 0) -> list[tuple[int, str, Any]]:
        """Number, kind and data of the events of a run, up to its end."""
        text = self.ask("GET", f"runs/{name}/events", Last_Event_ID=str(after)).text
        found = []
        for event in text.split("\n\n")[:-1]:
            number, kind, data = (line.partition(": ")[2] for line in event.split("\n"))
            found.append((int(number), kind, json.loads(data)))
        return found

    def answer(self, task: str, **fields: Any) -> Any:
        """The last event: its kind and its data."""
        _, kind, data = self.events(self.begin(task, **fields))[-1]
        return kind, data

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


def kill(process_id: int) -> None:
    os.kill(process_id, signal.SIGKILL)
