"""What isn't the page that was asked for: cut, garbled, another one, no page at all."""

from __future__ import annotations

import bz2
import gzip
import html
import json
import re
import zlib
from random import Random

from hostile.case import Case, Family, listing, read

HEADS = (
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", b"%PDF-1.7\n%\xe2\xe3", b"PK\x03\x04", b"GIF89a",
    b"\xff\xd8\xff\xe0\0\x10JFIF", b"\x7fELF\x02\x01", b"BZh9", b"\x1f\x8b\x08",
    b"RIFF", b"SQLite format 3\0",
    b"WARC/1.0\r\nWARC-Type: response\r\n\r\n", b"HTTP/1.1 200 OK\r\n\r\n", b"PAR1",
    b"MIME-Version: 1.0\r\nContent-Type: multipart/related\r\n\r\n",
)  # fmt: skip
BOXES = (
    "<form><h2>Are you a robot?</h2><img src=c.png><input name=captcha></form>",
    "<form><label>Password<input type=password></label></form>",
    "<div class=error><h2>Something went wrong</h2><p>Try again later</p></div>",
    "<p>No results found</p>",
    "",
)


def cut(random: Random) -> Case:
    """A download that broke off."""
    page = listing(random, 12).encode()
    return read(page[: random.randrange(len(page))])


def learned_cut(random: Random) -> Case:
    """The same as the sample."""
    page = listing(random, 12).encode()
    return Case(page[: random.randrange(1, len(page))])


def boxed(random: Random) -> Case:
    """The frame of the page, with something else in place of the list."""
    box = random.choice(BOXES)
    return read(re.sub("<ul.*</ul>", box, listing(random)).encode())


def loading(random: Random) -> Case:
    """Texts, or digits, that never came."""
    page = listing(random)
    if random.random() < 0.5:
        page = re.sub(">[^<]+<", ">Loading...<", page)
    return read(re.sub("[0-9]", "0", page).encode())


def garbled(random: Random) -> Case:
    """UTF-8 read as Latin-1, once or several times."""
    text = listing(random, last="<p>Überraschung für größere Säle %d</p>")
    for _ in range(random.randrange(1, 4)):
        text = text.encode("utf-8").decode("latin-1")
    return random.choice([read, Case])(text.encode())


def packed(random: Random) -> Case:
    """The page, packed."""
    pack = random.choice([gzip.compress, zlib.compress, bz2.compress])
    body = pack(listing(random, random.choice([6, 300])).encode())
    return random.choice([read, Case])(body)


def other_formats(random: Random) -> Case:
    """A picture, an archive, a document; its head alone, or before a page."""
    head = random.choice(HEADS)
    behind = random.choice([b"", random.randbytes(900), listing(random).encode()])
    return random.choice([read, Case])(head + behind)


def data(random: Random) -> Case:
    """JSON, a feed, plain text, a script: records, but no HTML."""
    rows = [{"name": f"Lamp {at}", "price": f"£{at}.50"} for at in range(9)]
    text = random.choice(
        [
            json.dumps(rows),
            "\n".join(f"{one['name']}\t{one['price']}" for one in rows),
            "<rss><channel>"
            + "".join(f"<item><title>{one['name']}</title></item>" for one in rows)
            + "</channel></rss>",
            f"<script>window.data = {json.dumps(rows)}</script><div id=app></div>",
            f"<pre>{html.escape(listing(random))}</pre>",
            "\n\n".join(f"# {one['name']}\n* {one['price']}" for one in rows),
        ]
    )
    return random.choice([read, Case])(text.encode())


def twice(random: Random) -> Case:
    """Two pages in one file, one of them cut."""
    one, other = listing(random).encode(), listing(random).encode()
    return Case(one[: random.randrange(len(one))] + other)


def blank(random: Random) -> Case:
    """Nothing, or nothing to read."""
    some = [
        b"",
        b" ",
        b"\n" * 999,
        b"\0" * 99,
        b"<html></html>",
        b"<!DOCTYPE html>",
        b"<",
    ]
    return random.choice([read, Case])(random.choice(some))


KINDS: Family = {
    "cut": cut,
    "cut sample": learned_cut,
    "boxed": boxed,
    "loading": loading,
    "garbled": garbled,
    "packed": packed,
    "other formats": other_formats,
    "data": data,
    "twice": twice,
    "blank": blank,
}
