"""Pages on which a scraper loses records in silence, made of real ones.

Each function makes of a page, its bytes and the elements of its records, the bytes of
another one.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from lxml import etree

from amber_wrap.annotate.locale import locale_of
from amber_wrap.dom.markup import UNSEEN, decode
from amber_wrap.dom.parse import parse

UTF8_MARK = b"\xef\xbb\xbf"
"""What says that a page is UTF-8, whatever it declares."""
CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
CUTS = (0.25, 0.5, 0.75, 0.9)
SAID = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
BOXES, NOTHING = SAID["boxes"], SAID["nothing"]
"""What stands in place of a list; by language how pages say that there is nothing."""


def cut(page: bytes, share: float) -> bytes:
    """A download that broke off."""
    return page[: int(share * len(page))]


def loading(page: bytes) -> bytes:
    """A page of placeholders: every text is one."""
    return with_changed_texts(page, lambda text: "Loading..." if text.strip() else text)


def zeros(page: bytes) -> bytes:
    """A page of figures that never came: every digit is 0."""
    return with_changed_texts(page, lambda text: re.sub(r"\d", "0", text))


def mojibake(page: bytes) -> bytes:
    """UTF-8 that was read as Latin-1 and written again."""
    return UTF8_MARK + decode(page).encode().decode("latin-1").encode()


def without_list(page: bytes, rows: Sequence[str], instead: str) -> bytes:
    """The site's own frame with something in place of the list.

    `rows` are the XPaths of its records' rows; those of an area stand together.
    """
    root = parse(page).root
    elements = [one for path in rows for one in root.xpath(path)]
    first, *_ = elements
    box = etree.fromstring(f"<div>{instead}</div>", etree.HTMLParser())[0][0]
    first.addprevious(box)
    for one in elements:
        if (above := one.getparent()) is not None:
            above.remove(one)
    return written(root)


def boxed(page: bytes, rows: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """A captcha, a login, an error in place of the list."""
    for name, box in BOXES.items():
        yield name, without_list(page, rows, box)


def emptied(page: bytes, rows: Sequence[str]) -> Iterator[bytes]:
    """Honest pages without results, in the page's language."""
    said = NOTHING.get(locale_of(parse(page)).language, NOTHING["en"])
    for one in said:
        yield without_list(page, rows, f"<p>{one}</p>")


def with_changed_texts(page: bytes, change: Callable[[str], str]) -> bytes:
    """A page with other texts; what isn't displayed stays."""
    root = parse(page).root

    def changed(text: str | None) -> str | None:
        return CONTROLS.sub("", change(text)) if text else text

    for one in root.iter():
        if any(above.tag in UNSEEN for above in one.iterancestors()):
            continue
        if one is not root:
            one.tail = changed(one.tail)
        if isinstance(one.tag, str) and one.tag not in UNSEEN:
            one.text = changed(one.text)
    return written(root)


def written(root: etree._Element) -> bytes:
    """A tree as UTF-8."""
    return UTF8_MARK + etree.tostring(root, encoding="utf-8", method="html")
