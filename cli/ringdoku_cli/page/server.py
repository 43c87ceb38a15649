"""The server of the page: files, runs and their events, for this machine alone.

It listens on 127.0.0.1. Every address begins with a random token, the host has to be this machine, other sites get no
access (no CORS, no frames), and the page may load nothing from elsewhere. Nothing is written to disk.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import socket
import webbrowser
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.base import BaseHTTPMiddleware, RequestResponseEndpoint
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from ringdoku.domain.errors import UsageError
from ringdoku_cli.page.files import MODULES, STYLE, page_html, read_file
from ringdoku_cli.page.runs import Runs

HOST = "127.0.0.1"
NAMES = (HOST, "localhost")

MOST_POSTED = 2 << 20
"""Bytes of the largest question."""

TYPES = {".js": "text/javascript", ".css": "text/css"}

HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}


def application(start: Mapping[str, Any], token: str, runs: Runs, ready: Callable[[], object]) -> Starlette:
    """The page with its first puzzle in `start`; `ready` is called when it can be opened."""

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        runs.warm()
        # some browsers are waited for
        opening = asyncio.create_task(asyncio.to_thread(ready))
        yield
        runs.close()
        opening.cancel()

    async def guard(request: Request, answer: RequestResponseEndpoint) -> Response:
        """Answers nothing without the token, and adds the headers to all answers."""
        given = f"{request.scope['path']}/".split("/")[1]
        if secrets.compare_digest(given.encode(), token.encode()):
            response = await answer(request)
        else:
            response = PlainTextResponse("Open the address that ringdoku printed: it has a token.\n", 403)
        response.headers.update(HEADERS)
        return response

    async def page(_: Request) -> Response:
        return HTMLResponse(page_html(start))

    async def file(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in (*MODULES, STYLE):
            return PlainTextResponse("There is no such file.\n", 404)
        return Response(read_file(name), media_type=TYPES[name[name.rindex(".") :]])

    async def ask(request: Request) -> Response:
        """Answers with a line of JSON for each event of the run, which ends with the connection."""
        body = b""
        try:
            async for part in request.stream():
                body += part
                if len(body) > MOST_POSTED:
                    return PlainTextResponse(f"A question has at most {MOST_POSTED >> 20} MiB.", 413)
            question = json.loads(body)
        except ClientDisconnect:
            # nobody hears this answer
            return PlainTextResponse("The question ended early.", 400)
        except (ValueError, RecursionError):
            return PlainTextResponse("A question is JSON.", 400)
        if runs.is_full:
            return PlainTextResponse("Too many questions at once: cancel one of them.", 429)
        lines = (json.dumps(event) + "\n" async for event in runs.events(question))
        return StreamingResponse(lines, media_type="application/x-ndjson")

    return Starlette(
        routes=[
            Route(f"/{token}/", page),
            Route(f"/{token}/ask", ask, methods=["POST"]),
            Route(f"/{token}/{{name}}", file),
        ],
        middleware=[
            Middleware(TrustedHostMiddleware, allowed_hosts=list(NAMES)),
            Middleware(BaseHTTPMiddleware, dispatch=guard),
        ],
        lifespan=lifespan,
    )


def listen(port: int) -> socket.socket:
    """A socket on this machine; port 0 is any that is free. Raises `UsageError` for one that is taken."""
    listener = socket.socket()
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((HOST, port))
        # a browser that comes early is kept waiting, not refused
        listener.listen()
    except OSError as error:
        listener.close()
        raise UsageError(f"cannot listen on port {port}: {error.strerror}; --port 0 takes a free one") from None
    return listener


def serve(start: Mapping[str, Any], port: int, on_start: Callable[[str], object], browser: bool) -> None:
    """Serve the page until a signal ends it; `on_start` gets its address."""
    with listen(port) as listener:
        token = secrets.token_urlsafe(24)
        address = f"http://{HOST}:{listener.getsockname()[1]}/{token}/"

        def ready() -> None:
            on_start(address)
            if browser:
                webbrowser.open(address)

        runs = Runs()
        app = application(start, token, runs, ready)
        config = uvicorn.Config(app, log_level="warning", access_log=False, timeout_graceful_shutdown=1)
        server = uvicorn.Server(config)
        leave = server.handle_exit

        def end(number: int, frame: object) -> None:
            # it waits for all answers, and streams of events would go on
            runs.close()
            leave(number, frame)

        server.handle_exit = end
        server.run(sockets=[listener])
