"""Answer the browser's requests after `guard` has let them through."""

from __future__ import annotations

import json
import secrets
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from amber_wrap.codegen.gates import fill
from amber_wrap.errors import AmberError, FileError
from amber_wrap.lowering.helpers import template
from amber_wrap.studio.desk import Studio
from amber_wrap.studio.frame import framed_page
from amber_wrap.studio.guard import RequestGuard, TooLargeError

SHELL: Final = (
    "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'self'; "
    "connect-src 'self'; frame-src 'self'; img-src data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
"""What the studio's own page may load; `frame-src` keeps a framed page from leading
elsewhere, too."""
_PARTS: Final = {
    "studio.css": "text/css",
    **dict.fromkeys(
        (
            f"{one}.js"
            for one in "studio server pane side make focus passes terms".split()
        ),
        "text/javascript",
    ),
}
"""The files that the studio's page is made of."""
TICKETS: Final = 16
"""The number of frames that may wait to be fetched."""
_Call = Callable[[Studio, dict[str, Any]], Any]
"""A method that answers a request with JSON data."""


@dataclass(slots=True)
class Tickets:
    """One-time addresses of frames: a frame can't send a token."""

    _kept: OrderedDict[str, tuple[str, str]] = field(default_factory=OrderedDict)

    def add(self, html: str, policy: str) -> str:
        """Store a page under a new one-time address, and return the address's name."""
        name = secrets.token_urlsafe(24)
        self._kept[name] = html, policy
        while len(self._kept) > TICKETS:
            self._kept.popitem(last=False)
        return name

    def take(self, name: str) -> tuple[str, str] | None:
        """Return and forget the page under an address; None if it was taken already."""
        return self._kept.pop(name, None)


def application(studio: Studio, port: int, token: str) -> RequestGuard:
    """Return the studio of a folder as an ASGI application for a port."""
    tickets = Tickets()

    async def shell(request: Request) -> Response:
        nonce = secrets.token_urlsafe(18)
        text = fill("studio/studio.html.jinja", nonce=nonce)
        headers = {"Content-Security-Policy": SHELL.format(nonce=nonce)}
        return Response(text, media_type="text/html", headers=headers)

    async def part(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in _PARTS:
            return JSONResponse({"error": "there is no such file"}, 404)
        return Response(template(f"studio/{name}"), media_type=_PARTS[name])

    async def framed(request: Request) -> Response:
        found = tickets.take(request.path_params["name"])
        if found is None:
            return JSONResponse({"error": "this frame was shown already"}, 404)
        html, policy = found
        headers = {"Content-Security-Policy": policy}
        body = html.encode("utf-8", "replace")
        return Response(body, media_type="text/html", headers=headers)

    def look(studio: Studio, asked: dict[str, Any]) -> Any:
        found, data = studio.view(asked)
        marked = [node for rows in found.rows() for node in rows]
        marked += [node for node, _, _ in data["marks"]["values"]]
        return {**data, "frame": tickets.add(*framed_page(found.page, set(marked)))}

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        studio.jobs.close()

    calls: dict[str, _Call] = {
        "folder": Studio.folder_data,
        "view": look,
        "choose": Studio.choose,
        "predict": Studio.predict,
        "matches": Studio.matches,
        "induce": Studio.induce,
        "step": Studio.step,
        "keep": Studio.keep,
        "undo": Studio.undo,
        "redo": Studio.redo,
        "learn": Studio.learn,
        "term": Studio.term,
        "domain": Studio.begin_domain,
        "check": Studio.check,
        "explain": Studio.explain,
        "job": Studio.job,
        "cancel": Studio.cancel,
    }
    routes = [
        Route("/", shell),
        Route("/studio/{name}", part),
        Route("/frame/{name}", framed),
        *(
            Route(f"/api/{name}", answer(studio, call), methods=["POST"])
            for name, call in calls.items()
        ),
    ]
    return RequestGuard(Starlette(routes=routes, lifespan=lifespan), port, token)


def answer(studio: Studio, call: _Call) -> Callable[[Request], Awaitable[Response]]:
    """Return the endpoint that runs a call for each request, and reports its errors."""

    async def answered(request: Request) -> Response:
        try:
            asked = json.loads(await request.body())
        except TooLargeError:
            return JSONResponse({"error": "the request is too large"}, 413)
        except (ValueError, RecursionError):
            return JSONResponse({"error": "this is not JSON"}, 400)
        if not isinstance(asked, dict):
            return JSONResponse({"error": "a JSON object is expected"}, 400)
        try:
            found = await run_in_threadpool(call, studio, asked)
        except FileError as error:
            return JSONResponse({"error": str(error)}, 404)
        except AmberError as error:
            return JSONResponse({"error": str(error)}, 422)
        except (Exception, RecursionError) as error:
            told = f"internal error ({type(error).__name__}: {error}): please report it"
            return JSONResponse({"error": told}, 500)
        return JSONResponse(found)

    return answered
