"""Decode the bytes of a page, and parse the text into an lxml tree."""

from __future__ import annotations

from lxml import etree
from w3lib.encoding import html_to_unicode


def decode(body: bytes, charset: str = "") -> str:
    """Return the decoded text of a page.

    The encoding is taken from the byte order mark, or else from `charset` (the HTTP
    header), or else from the page's own declaration. If the encoding garbles the text,
    UTF-8 or Windows-1252 is used instead.
    """
    return _decode(body, charset)[1]


def _decode(body: bytes, charset: str = "") -> tuple[bool, str]:
    """Return whether a page is UTF-8 without invalid bytes, and the page's decoded
    text.

    `charset` is the encoding in the HTTP header, "" if unknown.
    """
    content_type = f"text/html; charset={charset}" if charset else None
    try:
        encoding, text = html_to_unicode(content_type, body, "utf-8")
    except (LookupError, ValueError):  # Codecs such as "base64" decode no text.
        encoding = text = ""
    # A text without tags was decoded wrongly, as UTF-16 for example.
    is_lost = "<" not in text or (encoding == "utf-8" and "\ufffd" in text)
    if encoding == "utf-8" and not is_lost:
        return True, text
    texts = (
        body.decode("utf-8-sig", "replace"),
        body.decode("cp1252", "replace") if is_lost else text,
    )
    # The right encoding gives the shorter text, because other encodings read each UTF-8
    # character as several. Undecodable bytes count twice.
    return False, min(texts, key=lambda text: len(text) + text.count("\ufffd"))


def html_parser() -> etree.HTMLParser:
    """Return an HTML parser that makes the same trees as parsel's parser."""
    # `collect_ids=False` saves a tenth of the time. No expression uses `id()`.
    return etree.HTMLParser(
        recover=True, encoding="utf8", huge_tree=True, collect_ids=False
    )


def parse_html(
    page: str | bytes, parser: etree.HTMLParser | None = None
) -> etree._Element:
    """Return the root element of a page's lxml tree.

    The tree equals the tree of `parsel.Selector`. `parser` must be made by
    `html_parser`. A blank page gives an empty `html` element.
    """
    parser = parser or html_parser()
    root = etree.fromstring(to_utf8(page) or b"<html/>", parser=parser)
    if root is None:
        return etree.fromstring(b"<html/>", parser=parser)
    # If a page holds several documents, "//" must reach all of them.
    root.extend(list(root.itersiblings("*")))
    return root


def to_utf8(page: str | bytes) -> bytes:
    """Return a page as UTF-8 bytes, without null characters and without surrounding
    white space.
    """
    if isinstance(page, bytes):
        is_utf8, text = _decode(page)
        body = page.strip().replace(b"\x00", b"")
        # A page that begins and ends with a tag has no byte order mark, and no white
        # space around it that only `str.strip` removes.
        if is_utf8 and body[:1] + body[-1:] == b"<>":
            return body
        page = text
    return page.strip().replace("\x00", "").encode("utf8", "replace")
