"""Runs of the page: each question is answered by a process of its own, so that ending the process cancels it.

One process that has loaded the solvers waits for the next question. Several questions at once have a process each.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import secrets
import signal
import sys
from collections.abc import AsyncIterator

MOST_AT_ONCE = 6
"""Runs at the same time; all tabs together."""

KEPT_SECONDS = 30.0
"""For so long the events of a run that is done can be asked for again."""

LONGEST_EVENT = 64 << 20
"""Bytes of the longest event: a model that is exported."""

ALONE_SECONDS = 10.0
"""A run that nobody has listened to for so long is cancelled: its tab was closed."""


class TooManyRunsError(Exception):
    """`MOST_AT_ONCE` runs are not done."""


class Runs:
    """All runs, and the process that waits."""

    def __init__(self) -> None:
        self._runs: dict[str, Run] = {}
        self._waiting: _Worker | None = None
        self._closed = False
        self._loop: asyncio.AbstractEventLoop | None = None

    async def warm(self) -> None:
        """Have a process that waits."""
        self._loop = asyncio.get_running_loop()
        if self._waiting is None and not self._closed:
            worker = await _Worker.started()
            # meanwhile a run may have ended, or all
            if self._waiting is None and not self._closed:
                self._waiting = worker
            else:
                worker.end()

    async def start(self, question: str) -> Run:
        """A run that answers a question, one line of JSON. Raises `TooManyRunsError`."""
        if sum(not run.done for run in self._runs.values()) >= MOST_AT_ONCE:
            raise TooManyRunsError
        worker, self._waiting = self._waiting, None
        run = Run(worker if worker and worker.alive else await _Worker.started())
        self._runs[run.name] = run
        run.task = asyncio.create_task(self._answer(run, question))
        return run

    def find(self, name: str) -> Run | None:
        return self._runs.get(name)

    def cancel(self, run: Run) -> None:
        """End its process, if it is not done; then another one waits."""
        if not run.done:
            run.tell("error", {"text": "Cancelled.", "cancelled": True})
            run.worker.end()

    def close_soon(self) -> None:
        """`close` from a signal handler."""
        if self._loop:
            self._loop.call_soon_threadsafe(self.close)

    def close(self) -> None:
        """End all processes, and with them all streams of events."""
        self._closed = True
        for run in self._runs.values():
            if not run.done:
                run.tell("error", {"text": "ringdoku has ended."})
                run.worker.end()
        if self._waiting:
            self._waiting.end()

    async def _answer(self, run: Run, question: str) -> None:
        alone = asyncio.create_task(self._cancel_alone(run))
        answered = False
        async for kind, data in run.worker.answers(question):
            if not run.done:
                run.tell(kind, data)
                answered = run.done
        alone.cancel()
        asyncio.get_running_loop().call_later(KEPT_SECONDS, self._runs.pop, run.name, None)
        if not run.done:
            run.tell(
                "error",
                {"text": f"The process that computed {await run.worker.ending()}. Ask again: a new one is ready."},
            )
        if answered and self._waiting is None and not self._closed:
            self._waiting = run.worker
        else:
            run.worker.end()
            await self.warm()

    async def _cancel_alone(self, run: Run) -> None:
        idle = 0.0
        while idle < ALONE_SECONDS:
            await asyncio.sleep(1)
            idle = 0.0 if run.listeners else idle + 1
        self.cancel(run)


class Run:
    """One question and the events of its answer so far."""

    def __init__(self, worker: _Worker) -> None:
        self.name = secrets.token_urlsafe(12)
        self.worker = worker
        self.done = False
        self.listeners = 0
        self.task: asyncio.Task[None] | None = None
        self._events: list[tuple[str, str]] = []
        self._changed = asyncio.Event()

    def tell(self, kind: str, data: object) -> None:
        self._events.append((kind, json.dumps(data)))
        self.done = kind != "progress"
        self._changed.set()
        self._changed = asyncio.Event()

    async def follow(self, after: int) -> AsyncIterator[str]:
        """The events with numbers above `after`, from 1, as a stream of server-sent events, until the answer."""
        self.listeners += 1
        try:
            while True:
                changed = self._changed
                for kind, data in self._events[after:]:
                    after += 1
                    yield f"id: {after}\nevent: {kind}\ndata: {data}\n\n"
                if self.done and after >= len(self._events):
                    return
                await changed.wait()
        finally:
            self.listeners -= 1


class _Worker:
    """A process that answers one question after another."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def started(cls) -> _Worker:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "ringdoku_cli.page.worker"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=LONGEST_EVENT,
            # Ctrl-C comes to the server alone
            start_new_session=True,
        )
        return cls(process)

    @property
    def alive(self) -> bool:
        return self._process.returncode is None

    @property
    def process_id(self) -> int:
        return self._process.pid

    async def answers(self, question: str) -> AsyncIterator[tuple[str, object]]:
        """What it says of a question, up to the result, or up to its end."""
        assert self._process.stdin
        assert self._process.stdout
        # whoever reads sees that the process is gone
        with contextlib.suppress(ConnectionError):
            self._process.stdin.write(question.encode() + b"\n")
            await self._process.stdin.drain()
        try:
            while line := await self._process.stdout.readline():
                kind, data = json.loads(line)
                yield kind, data
                if kind != "progress":
                    return
        except ValueError:
            # longer than LONGEST_EVENT
            self.end()

    def end(self) -> None:
        """At once, with what it has started."""
        with contextlib.suppress(ProcessLookupError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()

    async def ending(self) -> str:
        code = await self._process.wait()
        return f"was killed by signal {-code}" if code < 0 else f"ended with {code}"
