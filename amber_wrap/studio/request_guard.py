"""Refuse requests to the local server that don't come from the studio's own page.

Any page on the web can send requests to 127.0.0.1, also by a host name that resolves to
this address.  The guard checks the headers of the host and the origin, and a token that
only the printed address contains.  Cookies aren't used, because browsers send cookies
to all ports of a host.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

ADDRESS: Final = "127.0.0.1"
"""The address of the server, which only this machine can reach."""
MOST_BODY: Final = 1_000_000
"""The largest body of a request in bytes."""
API: Final = "/api/"
"""The path prefix that needs the token.  Other paths show nothing of the folder."""
_HEADERS: Final[Mapping[str, str]] = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""The headers of each response."""
_CLOSED: Final = "default-src 'none'; frame-ancestors 'none'"
"""The policy (CSP) of a response that sets no policy: the response may load nothing."""


def new_token() -> str:
    """Return an unguessable token."""
    return secrets.token_urlsafe(32)


class TooLargeError(Exception):
    """The error for a request whose body is larger than `MOST_BODY`."""


@dataclass(frozen=True, slots=True)
class RequestGuard:
    """An ASGI application that passes on only requests from the studio's own page.

    Requests must be for `port`.  Calls of the API need the `token`.
    """

    app: ASGIApp
    port: int
    token: str = field(repr=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on to the application, or answer with an error response."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                add_headers(message)
            await send(message)

        if refused := self.refusal(scope):
            status, reason = refused
            await JSONResponse({"error": reason}, status)(scope, receive, sent)
            return
        read = 0

        async def received() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > MOST_BODY:
                raise TooLargeError
            return message

        await self.app(scope, received, sent)

    def refusal(self, scope: Scope) -> tuple[int, str] | None:
        """Return the status and the reason for refusing a request.

        Return None if the request is allowed.
        """
        headers = Headers(scope=scope)
        host = f"{ADDRESS}:{self.port}"
        if headers.getlist("host") != [host]:
            return 421, f"the request is for another host than {host}"
        origins = headers.getlist("origin")
        is_post = scope["method"] == "POST"
        if origins != [f"http://{host}"] and (origins or is_post):
            return 403, "the request comes from another page"
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            return 403, "the request comes from another site"
        if scope["method"] not in ("GET", "POST"):
            return 405, "only GET and POST are allowed"
        if scope["path"].startswith(API):
            given = headers.get("authorization", "").encode()
            if not secrets.compare_digest(given, f"Bearer {self.token}".encode()):
                return 401, "the token is missing or wrong: open the printed address"
        if is_post:
            kind = headers.get("content-type", "").partition(";")[0].strip().lower()
            if kind != "application/json":
                return 415, "the content type must be application/json"
            length = headers.get("content-length", "0")
            if not length.isdecimal() or int(length) > MOST_BODY:
                return 413, "the request is too large"
        return None


def add_headers(message: Message) -> None:
    """Add the common headers that a response doesn't have yet."""
    names = {name.lower() for name, _ in message["headers"]}
    headers = {"Content-Security-Policy": _CLOSED, **_HEADERS}
    message["headers"] = [
        *message["headers"],
        *(
            (name.encode(), value.encode())
            for name, value in headers.items()
            if name.lower().encode() not in names
        ),
    ]
