"""The server of the page, for this machine alone: the page itself, and questions with a stream of events for each.

Every address begins with a random token, other sites get no access (no CORS, no frames), and the page may load nothing
from elsewhere. Each question is answered by a process of its own, so that ending the process cancels it.
"""

import asyncio
import json
import os
import secrets
import socket
import webbrowser
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import aclosing, asynccontextmanager, closing, suppress
from functools import partial
from multiprocessing import Pipe
from multiprocessing.reduction import ForkingPickler
from threading import Thread
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.base import BaseHTTPMiddleware, RequestResponseEndpoint
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from ringdoku import UsageError
from ringdoku.limits import LOOK_SECONDS
from ringdoku.services.pool import Processes
from ringdoku_cli.exits import note
from ringdoku_cli.page import page_html
from ringdoku_cli.page.answers import Answerer, Event, answer, answer_event, load
from ringdoku_cli.page.live import ORIGINS, answer_live

HOST = "127.0.0.1"
MOST_AT_ONCE = 3
"""The most runs at the same time, each in a process, for all tabs together."""

HEADERS = {
    # the rest of the policy is in the page, where this directive is not allowed
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Runs(Processes):
    """The pool of processes that answer, with the solvers loaded, and the number of open runs."""

    def __init__(self) -> None:
        super().__init__(MOST_AT_ONCE, load)
        self.open, self.closed = 0, False

    async def events(self, question: object, answerer: Answerer = answer) -> AsyncGenerator[Event, None]:
        """The events of the answer to a question, as they come. Closing the iterator cancels the run."""
        here, there = Pipe(duplex=False)
        future = self.submit(partial(answer_event, answerer, question, bytes(ForkingPickler.dumps(there))))
        self.open += 1
        try:
            while not self.closed and (here.poll() or not future.done()):
                if here.poll():
                    yield "progress", here.recv()
                else:
                    await asyncio.sleep(LOOK_SECONDS)
            if not future.done():
                yield "error", {"text": "ringdoku has ended."}
            elif error := future.exception():
                text = f"The question failed: {self.failure(error)}. Ask again: a new process is ready."
                yield "error", {"text": text}
            else:
                yield future.result()
        finally:
            self.open -= 1
            # ends the process if it still works; another takes its place
            future.cancel()
            here.close()


def application(start: Mapping[str, Any], token: str, runs: Runs, ready: Callable[[], object]) -> Starlette:
    """The web application; the page starts with the data in `start`. `ready` is called once signals are handled."""

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        ready()
        yield

    async def guard(request: Request, respond_to: RequestResponseEndpoint) -> Response:
        """Refuse requests without the token, and add the headers to all responses."""
        if secrets.compare_digest(f"{request.scope['path']}/".split("/")[1].encode(), token.encode()):
            response = await respond_to(request)
        else:
            response = PlainTextResponse("Open the address that ringdoku printed: it has a token.\n", 403)
        response.headers.update(HEADERS)
        return response

    async def page(_: Request) -> Response:
        return HTMLResponse(page_html(start))

    async def ask(request: Request) -> Response:
        """Respond with a line of JSON for each event of a run; the run is cancelled when the connection closes."""
        try:
            question = await request.json()
        except (ClientDisconnect, ValueError, RecursionError):
            return PlainTextResponse("A question is JSON.", 400)
        if runs.open >= MOST_AT_ONCE:
            return PlainTextResponse("Too many questions at once: cancel one of them.", 429)
        lines = (json.dumps(event) + "\n" async for event in runs.events(question))
        return StreamingResponse(lines, media_type="application/x-ndjson")

    async def live(socket: WebSocket) -> None:
        """The live solver for other editors, at the address that their scripts use."""
        if not ORIGINS.fullmatch(socket.headers.get("origin", "")):
            await socket.close()
            return
        await socket.accept()
        running: asyncio.Task[None] | None = None
        async for text in socket.iter_text():
            if running:
                running.cancel()
            running = asyncio.create_task(respond(socket, text))
        if running:
            running.cancel()

    async def respond(socket: WebSocket, text: str) -> None:
        message: Any = None
        with suppress(ValueError, RecursionError):
            message = json.loads(text)
        message = {"nonce": None} | (message if isinstance(message, dict) else {})
        if message.get("command") == "cancel":
            await socket.send_json({"nonce": message["nonce"], "type": "canceled"})
            return
        async with aclosing(runs.events(message | {"ignore": start["ignore"]}, answer_live)) as events:
            async for kind, data in events:
                message_data = {"type": "invalid", "message": data["text"]} if kind == "error" else data
                await socket.send_json({"nonce": message["nonce"], **message_data})

    hosts = Middleware(TrustedHostMiddleware, allowed_hosts=[HOST, "localhost"])
    return Starlette(
        routes=[WebSocketRoute("/", live), Route(f"/{token}/", page), Route(f"/{token}/ask", ask, methods=["POST"])],
        middleware=[hosts, Middleware(BaseHTTPMiddleware, dispatch=guard)],
        lifespan=lifespan,
    )


def serve(start: Mapping[str, Any], port: int, browser: bool) -> None:
    """Serve the page until a signal ends it; port 0 is a free one. Raises `UsageError` for a port that is taken."""
    try:
        # listening starts here, so that an early browser waits and is not refused
        listener = socket.create_server((HOST, port))
    except OSError as error:
        why = os.strerror(error.errno or 0)
        raise UsageError(f"cannot listen on port {port}: {why}; --port 0 takes a free one") from None
    with listener, closing(Runs()) as runs:
        token = secrets.token_urlsafe(24)
        address = f"http://{HOST}:{listener.getsockname()[1]}/{token}/"

        def ready() -> None:
            print(address, flush=True)
            note("the page is open while this runs; Ctrl-C ends it")
            if browser:
                # in a thread, since `webbrowser` waits for some browsers
                Thread(target=webbrowser.open, args=(address,), daemon=True).start()

        app = application(start, token, runs, ready)
        config = uvicorn.Config(app, log_level="warning", access_log=False, timeout_graceful_shutdown=1)
        server = uvicorn.Server(config)
        handle_exit = server.handle_exit

        def end(number: int, frame: object) -> None:
            # the server waits for open responses, so all runs end first; a second call would print a traceback
            if not runs.closed:
                runs.closed = True
                handle_exit(number, frame)

        server.handle_exit = end
        server.run(sockets=[listener])
