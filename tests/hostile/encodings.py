"""Bytes that lie about what they are: charsets, marks, broken and forbidden signs."""

from __future__ import annotations

from random import Random

from hostile.case import Case, Family, learned, listing, read

LABELS = (
    "utf-8 utf8 latin1 iso-8859-15 windows-1251 shift_jis euc-jp gb2312 gb18030 big5 "
    "euc-kr koi8-r utf-16 utf-16le utf-16be utf-7 utf-32 x-user-defined ebcdic cp037 "
    "hex rot13 base64 bz2 zlib quopri uu idna punycode undefined unicode_escape mbcs "
    "raw_unicode_escape string_escape none \0 ü utf-8;utf-16 ' \" replacement "
    "iso-2022-jp"
).split(" ")
CODECS = (
    "utf-8 latin-1 cp1252 utf-16 utf-16le utf-32 utf-7 shift_jis gb18030 big5 cp037 "
    "iso2022_jp koi8-r utf-8-sig euc_kr"
).split()
MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\xff\xfe\0\0", b"+/v8-")
SIGNS = (
    "é", "日本", "цена", "\0", "\x01", "\x1b[31m", "\x7f", "\x85", "\u2028", "\ufeff",
    "\ufffd", "\ufffe", "\U0001f600", "\u202e", "e\u0301" * 9, "a" + "\u0300" * 200,
    "\ud800", "\udfff", "\U0010ffff", "\xad", "\u200b", "\u3000", "١٢٣", "½", "²", "Ⅻ",
    "&#0;", "&#xD800;", "&#x110000;", "&#128;", "&#xFFFFFFFFF;", "&nosuch;", "&amp;lt;",
)  # fmt: skip


def declared(random: Random) -> Case:
    """A charset is declared, and another one used."""
    label = random.choice(LABELS)
    head = random.choice(
        [
            f'<meta charset="{label}">',
            f"<meta charset={label}>",
            f'<meta http-equiv="Content-Type" content="text/html; charset={label}">',
        ]
    )
    page = listing(random, head=head, last=f"<i>{random.choice(SIGNS[:3])}</i>")
    if random.random() < 0.2:
        page = f'<?xml version="1.0" encoding="{label}"?>{page}'
    body = page.encode(random.choice(CODECS), "replace")
    return Case(body) if random.random() < 0.7 else read(body)


def marked(random: Random) -> Case:
    """A byte order mark, of the encoding or of another one."""
    body = listing(random).encode(random.choice(CODECS), "replace")
    return Case(random.choice(MARKS) + body)


def signs(random: Random) -> Case:
    """Signs that some layer can't write, in texts, links and classes."""
    sign, other = random.choices(SIGNS, k=2)
    shown = f'<b class="x{other}"><a href="/{sign}">{other}%d{sign}</a></b>'
    return learned(listing(random, first=shown, head=f"<title>{sign}</title>"))


def as_values(random: Random) -> Case:
    """The same where values and labels are: before a price, in a label."""
    sign, other = random.choices(SIGNS, k=2)
    shown = f"<dl><dt>{sign} Size{sign}:<dd>{other}%d{other}</dl>"
    return learned(listing(random, last=shown).replace("£", f"£{sign}"))


def flipped(random: Random) -> Case:
    """Some bytes are others."""
    body = bytearray(listing(random, last="<i>déjà vu</i>").encode())
    for _ in range(random.choice([1, 3, 20, 200])):
        body[random.randrange(len(body))] = random.randrange(256)
    return Case(bytes(body)) if random.random() < 0.5 else read(bytes(body))


def zeros(random: Random) -> Case:
    """Zeros among the bytes: few, or one in each other place."""
    body = listing(random).encode()
    step = random.choice([2, 50, 500])
    return Case(
        b"\0".join(body[at : at + step - 1] for at in range(0, len(body), step - 1))
    )


def bytes_only(random: Random) -> Case:
    """Bytes by chance, some of them between tags."""
    body = random.randbytes(random.choice([1, 10, 1000, 20000]))
    return Case(random.choice([b"", b"<html><p>", b"<li>" * 9]) + body)


KINDS: Family = {
    "declared": declared,
    "marked": marked,
    "signs": signs,
    "as values": as_values,
    "flipped": flipped,
    "zeros": zeros,
    "bytes": bytes_only,
}
