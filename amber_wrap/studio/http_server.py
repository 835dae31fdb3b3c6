"""Serve the studio, a local web application, and refuse requests from other pages.

Requests are checked by their host, their origin, and a token in the address that the
command prints.
"""

from __future__ import annotations

import json
import secrets
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from amber_wrap.codegen.other_languages import fill
from amber_wrap.errors import AmberError, FileError
from amber_wrap.lowering.helpers import template
from amber_wrap.studio.api_calls import Studio
from amber_wrap.studio.page_view import framed_page

ADDRESS: Final = "127.0.0.1"
"""The address of the server, which only this machine can reach."""
MOST_BODY: Final = 1_000_000
"""The largest body of a request in bytes."""
API: Final = "/api/"
"""The start of the paths of API calls.

A request for such a path must have the studio's secret token. Other requests get only
the studio's own files, and pages at unguessable one-time addresses.
"""
_HEADERS: Final[Mapping[str, str]] = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""The HTTP headers that each response of the studio's server has."""
_DEFAULT_POLICY: Final = "default-src 'none'; frame-ancestors 'none'"
"""The content security policy (CSP) of a response that sets none.

The response may load nothing.
"""


def new_token() -> str:
    """Return a random token of 32 bytes, as text for a URL."""
    return secrets.token_urlsafe(32)


class TooLargeError(Exception):
    """The error for a request whose body is larger than `MOST_BODY`."""


@dataclass(frozen=True, slots=True)
class RequestGuard:
    """An ASGI application that refuses requests from other pages than the studio's
    own.
    """

    app: ASGIApp
    port: int
    """The port that a request must name in its header `Host`."""
    token: str = field(repr=False)
    """The token that calls of the API need."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass an HTTP request on to the application, or answer with an error response.

        Web sockets are ignored.
        """
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                add_headers(message)
            await send(message)

        if refused := self.refusal(scope):
            status, reason = refused
            await JSONResponse({"error": reason}, status)(
                scope, receive, send_with_headers
            )
            return
        body_size = 0

        async def receive_limited() -> Message:
            nonlocal body_size
            message = await receive()
            body_size += len(message.get("body", b""))
            if body_size > MOST_BODY:
                raise TooLargeError
            return message

        await self.app(scope, receive_limited, send_with_headers)

    def refusal(self, scope: Scope) -> tuple[int, str] | None:
        """Return the HTTP status and the reason for refusing a request.

        Return None if the request is allowed.
        """
        headers = Headers(scope=scope)
        own_host = f"{ADDRESS}:{self.port}"
        if headers.getlist("host") != [own_host]:
            return 421, f"the request is for another host than {own_host}"
        origin_headers = headers.getlist("origin")
        is_post = scope["method"] == "POST"
        if origin_headers != [f"http://{own_host}"] and (origin_headers or is_post):
            return 403, "the request comes from another page"
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            return 403, "the request comes from another site"
        if scope["method"] not in ("GET", "POST"):
            return 405, "only GET and POST are allowed"
        if scope["path"].startswith(API):
            authorization = headers.get("authorization", "").encode()
            if not secrets.compare_digest(
                authorization, f"Bearer {self.token}".encode()
            ):
                return 401, "the token is missing or wrong: open the printed address"
        if is_post:
            content_type = (
                headers.get("content-type", "").partition(";")[0].strip().lower()
            )
            if content_type != "application/json":
                return 415, "the content type must be application/json"
            content_length = headers.get("content-length", "0")
            if not content_length.isdecimal() or int(content_length) > MOST_BODY:
                return 413, "the request is too large"
        return None


def add_headers(message: Message) -> None:
    """Add security headers to the ASGI message that starts a response.

    A header that the message already has stays unchanged.
    """
    names = {name.lower() for name, _ in message["headers"]}
    headers = {"Content-Security-Policy": _DEFAULT_POLICY, **_HEADERS}
    message["headers"] = [
        *message["headers"],
        *(
            (name.encode(), value.encode())
            for name, value in headers.items()
            if name.lower().encode() not in names
        ),
    ]


PAGE_POLICY: Final = (
    "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'self'; "
    "connect-src 'self'; frame-src 'self'; img-src data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
"""The content security policy (CSP) of the studio's own page.

Because of `frame-src`, a framed page can't open another site.
"""
_PAGE_FILES: Final = {
    "studio.css": "text/css",
    **dict.fromkeys(
        (
            f"{script}.js"
            for script in "studio server pane side make focus passes terms".split()
        ),
        "text/javascript",
    ),
}
"""The files of the studio's page, with their media types."""
TICKETS: Final = 16
"""The largest number of pages that are kept until a frame fetches them."""
_Call = Callable[[Studio, dict[str, Any]], Any]
"""A function from the studio and the JSON data of a request to the JSON answer."""


@dataclass(slots=True)
class Tickets:
    """The pages that the browser will fetch into frames, by one-time address.

    The addresses are unguessable, because a frame can't send the API's token.
    """

    _pages: OrderedDict[str, tuple[str, str]] = field(default_factory=OrderedDict)
    """The HTML and the policy (CSP) of each page that wasn't fetched yet.

    A key is the last part of the page's one-time address.
    """

    def add(self, html: str, policy: str) -> str:
        """Store a page and its policy (CSP), and return the page's random name.

        The name is the last part of the page's one-time address.
        """
        name = secrets.token_urlsafe(24)
        self._pages[name] = html, policy
        while len(self._pages) > TICKETS:
            self._pages.popitem(last=False)
        return name

    def take(self, name: str) -> tuple[str, str] | None:
        """Remove the page called `name`, and return its HTML and policy (CSP).

        Return None if there is no such page, as at the second call.
        """
        return self._pages.pop(name, None)


def application(studio: Studio, port: int, token: str) -> RequestGuard:
    """Return the ASGI application that serves the page and the API of a studio.

    The application refuses requests for other ports than `port`, and API calls without
    `token`.
    """
    tickets = Tickets()

    async def studio_page(request: Request) -> Response:
        nonce = secrets.token_urlsafe(18)
        text = fill("studio/studio.html.jinja", nonce=nonce)
        headers = {"Content-Security-Policy": PAGE_POLICY.format(nonce=nonce)}
        return Response(text, media_type="text/html", headers=headers)

    async def page_file(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in _PAGE_FILES:
            return JSONResponse({"error": "there is no such file"}, 404)
        return Response(template(f"studio/{name}"), media_type=_PAGE_FILES[name])

    async def frame(request: Request) -> Response:
        page = tickets.take(request.path_params["name"])
        if page is None:
            return JSONResponse({"error": "this frame was already shown"}, 404)
        html, policy = page
        headers = {"Content-Security-Policy": policy}
        body = html.encode("utf-8", "replace")
        return Response(body, media_type="text/html", headers=headers)

    def view(studio: Studio, data: dict[str, Any]) -> Any:
        opened, view_data = studio.view(data)
        marked = {node for rows in opened.rows() for node in rows}
        marked |= {node for node, _, _ in view_data["marks"]["values"]}
        html, policy = framed_page(opened.page, marked)
        return {**view_data, "frame": tickets.add(html, policy)}

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        studio.jobs.close()

    calls: dict[str, _Call] = {
        "folder": Studio.folder_data,
        "view": view,
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
        Route("/", studio_page),
        Route("/studio/{name}", page_file),
        Route("/frame/{name}", frame),
        *(
            Route(f"/api/{name}", api_endpoint(studio, call), methods=["POST"])
            for name, call in calls.items()
        ),
    ]
    return RequestGuard(Starlette(routes=routes, lifespan=lifespan), port, token)


def api_endpoint(
    studio: Studio, call: _Call
) -> Callable[[Request], Awaitable[Response]]:
    """Return the HTTP endpoint of an API call, which answers POST requests.

    If `call` raises an error, the answer has the error message.
    """

    async def endpoint(request: Request) -> Response:
        try:
            data = json.loads(await request.body())
        except TooLargeError:
            return JSONResponse({"error": "the request is too large"}, 413)
        except (ValueError, RecursionError):
            return JSONResponse({"error": "the request is not JSON"}, 400)
        if not isinstance(data, dict):
            return JSONResponse({"error": "a JSON object is expected"}, 400)
        try:
            result = await run_in_threadpool(call, studio, data)
        except FileError as error:
            return JSONResponse({"error": str(error)}, 404)
        except AmberError as error:
            return JSONResponse({"error": str(error)}, 422)
        except (Exception, RecursionError) as error:
            message = (
                f"internal error ({type(error).__name__}: {error}): please report it"
            )
            return JSONResponse({"error": message}, 500)
        return JSONResponse(result)

    return endpoint
