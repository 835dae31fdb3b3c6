"""Build the page that the studio shows: a snapshot (`report.snapshot`) and one script.

The script reports the element under the pointer, and highlights elements.  The policy
(CSP) allows only this script, and no loading.  The page is in a sandbox, and can't send
requests to the studio's server.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection
from typing import Final

from amber_wrap.dom.page import NodeId, Page
from amber_wrap.lowering.helpers import template
from amber_wrap.report.snapshot import GONE, page_snapshot

_POLICY: Final = (
    "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'unsafe-inline'; "
    "img-src data:; form-action 'none'; base-uri 'none'"
)
SANDBOX: Final = "sandbox allow-scripts; frame-ancestors 'self'"
"""The part of the policy (CSP) that only an HTTP header can set."""


def framed_page(page: Page, found: Collection[NodeId]) -> tuple[str, str]:
    """Return the HTML of a page with numbered elements, and the page's policy (CSP).

    `found` are elements that are always shown, even in elements such as `template`.
    """
    nonce = secrets.token_urlsafe(18)
    policy = _POLICY.format(nonce=nonce)
    style, script = template("studio/frame.css"), template("studio/frame.js")
    head = f'<style>{style}</style><script nonce="{nonce}">{script}</script>'
    marks = {node: [node] for node in _shown(page, found)}
    return page_snapshot(page, marks, policy, head), f"{policy}; {SANDBOX}"


def _shown(page: Page, found: Collection[NodeId]) -> set[NodeId]:
    """Return the elements that the browser shows.

    An element such as `template` is shown only if `found` has the element.
    """
    gone: set[NodeId] = set()
    for node in page.elements():
        if page.tag[node] in GONE:
            gone.update(range(node, node + page.size[node]))
    return {one for one in page.elements() if one not in gone} | set(found)
