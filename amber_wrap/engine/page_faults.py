"""Recognise faults of a whole page: truncated HTML, garbled text, and placeholders."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from amber_wrap.dom.displayed_texts import text_of
from amber_wrap.dom.expressions import Node
from amber_wrap.dom.hidden_elements import UNSEEN
from amber_wrap.dom.truncation import Ending
from amber_wrap.engine.record_reading import FoundRecord
from amber_wrap.engine.thresholds import CHECK
from amber_wrap.wrapper.ir import Contract, Signs

# The characters of the bytes 80 to BF, which in UTF-8 only follow other bytes, in
# Latin-1 and in Windows-1252. The no-break space is left out: it may follow anything.
CONTINUATION: Final = "\x80-\x9f\xa1-\xbf" + bytes(
    byte for byte in range(0x80, 0xA0) if byte not in (0x81, 0x8D, 0x8F, 0x90, 0x9D)
).decode("cp1252")
# A character of several UTF-8 bytes, each decoded alone; and U+FFFD, which replaces an
# undecodable byte.
_GARBLED: Final = re.compile(
    f"[\xc2-\xdf][{CONTINUATION}]"
    f"|[\xe0-\xef][{CONTINUATION}]{{2}}"
    f"|[\xf0-\xf4][{CONTINUATION}]{{3}}"
    "|\ufffd"
)
_NOT_ASCII: Final = re.compile(r"[^\x00-\x7f\xa0]")


def garbled_share(root: Node) -> float:
    """Return the share (0 to 1) of a page's non-ASCII characters that look wrongly
    decoded.

    Return 0 if all displayed characters are ASCII.
    """
    texts = []
    for node in root.iter():
        if isinstance(node.tag, str) and node.tag not in UNSEEN:
            texts.append(node.text or "")
        texts.append(node.tail or "")
    page_text = "\n".join(filter(None, texts))
    not_ascii = len(_NOT_ASCII.findall(page_text))
    garbled = sum(map(len, _GARBLED.findall(page_text)))
    return garbled / not_ascii if not_ascii else 0.0


def is_truncated(signs: Signs, ending: Ending) -> bool:
    """Return whether the HTML of a page is cut off, unlike that of the sample pages.

    `ending` says how the HTML ends, and `signs` how the sample pages end. A page with
    the end tag of `body` or `html` isn't cut off.
    """
    if ending.closed:
        return False
    return signs.ending.closed or ending.open > signs.ending.open


def garbled_messages(signs: Signs, root: Node) -> Iterator[str]:
    """Yield a message for the user if a page has far more garbled text than the sample
    pages.

    Garbled text results from a wrong encoding.
    """
    share = garbled_share(root)
    if share > max(CHECK.garbled_share, 2 * signs.garbled):
        yield (
            f"the text is garbled: {share:.0%} of its non-ASCII characters look "
            'wrongly decoded, as in "Ã©" for "é"'
        )


# Texts that pages show while content is loading, without punctuation at the end.
LOADING_TEXTS: Final = frozenset(
    "loading|please wait|wait|laden|lädt|wird geladen|bitte warten|chargement"
    "|chargement en cours|cargando|carregando|caricamento|caricamento in corso"
    "|bezig met laden"
    "|ładowanie|načítání|laddar|laster|indlæser|ladataan|загрузка|завантаження"
    "|зареждане|yükleniyor|betöltés|se încarcă|učitavanje|nalaganje|kraunama|ielādē"
    "|laadimine|φόρτωση|読み込み中|加载中|載入中|로딩 중|n/a|null|undefined|nan|none"
    "|lorem ipsum|[object object]".split("|")
)


def placeholder_message(contract: Contract, records: list[FoundRecord]) -> str:
    """Return a message for the user if most fields have the same value in all records,
    else "".

    Only fields whose values differ on the sample pages count.
    """
    count = len(records)
    if count < CHECK.least_placeholders:
        return ""
    texts = displayed_texts(records)
    varied = {name: texts[name] for name in contract.varied if name in texts}
    only_text = {
        name: values[0]
        for name, values in varied.items()
        if len(values) >= CHECK.least_placeholders and len(set(values)) == 1
    }
    bare_texts = {text.casefold().strip(" .…!") for text in only_text.values()}
    is_loading = not bare_texts.isdisjoint(LOADING_TEXTS)
    are_few = len(only_text) < CHECK.equal_field_share * len(varied)
    if are_few or (len(only_text) < 2 and not is_loading):
        return ""
    names = ", ".join(only_text)
    first = next(iter(only_text.values()))
    return f"all {count} records have the same text, such as {names}: {first[:40]!r}"


def equal_digits_message(root: Node, records: list[FoundRecord]) -> str:
    """Return a message for the user if all digits in the records are the same digit,
    else "".

    If the records have too few digits, the digits of the whole page are compared.
    """
    row_texts = (text_of(row) for record in records for row in record.rows)
    digits = digits_of(row_texts)
    enough = max(CHECK.least_equal_digits, 2 * len(records))
    if len(records) >= CHECK.least_placeholders and len(digits) >= enough:
        if len(set(digits)) == 1:
            return f"all {len(digits)} digits of the records are {digits[0]}"
        return ""
    page_digits = digits_of([text_of(root)])
    if len(page_digits) >= 2 * CHECK.least_equal_digits and len(set(page_digits)) == 1:
        return f"all {len(page_digits)} digits of the page are {page_digits[0]}"
    return ""


def digits_of(texts: Iterable[str]) -> str:
    """Return all digits of the texts as one string, in order."""
    return "".join(filter(str.isdecimal, "".join(texts)))


def displayed_texts(records: Iterable[FoundRecord]) -> Mapping[str, list[str]]:
    """Return the displayed texts of the records' values, by field.

    Values that are read from HTML attributes are left out.
    """
    texts: dict[str, list[str]] = defaultdict(list)
    for record in records:
        for name, value in record.values.items():
            if not value.source.startswith("@"):
                texts[name].append(value.shown)
    return texts
