"""Extract the records of a page; COMMAND made this: edit it, or the .toml beside it."""

import json
import re
import sys
from collections import Counter
from functools import cache, partial
from pathlib import Path
from typing import Any, TypedDict, cast
from urllib.parse import urljoin

from lxml.etree import HTMLParser, XPath, _Element, fromstring
from parsel import Selector
from w3lib.encoding import html_to_unicode

COMMAND = "amber-wrap induce sample.html --domain used-cars"
regex = cache(re.compile)
MAKE_RE = (
    "[aA](?i:ston martin|lfa romeo|barth|lpina|cura|ixam|udi)|[bB](?i:entley|ugatti|uick|mw|yd)|[cC](?i:hevrolet)|Caterham|CATERHAM|[cC](?i:adillac|hrysler"
    "|itroen|itroën)|Chery|CHERY|Chevy|CHEVY|[cC](?i:upra)|DS Automobiles|DS AUTOMOBILES|[dD](?i:aihatsu)|Daimler|DAIMLER|[dD](?i:aewoo|atsun)|Dodge|DODGE"
    "|[dD](?i:acia)|DS|[fF](?i:errari)|Fisker|FISKER|Ford|FORD|[fF](?i:iat)|Great Wall|GREAT WALL|Genesis|GENESIS|Geely|GEELY|GMC|GWM|[hH](?i:yundai)|Holden"
    "|HOLDEN|Hummer|HUMMER|Haval|HAVAL|[hH](?i:onda)|[iI](?i:nfiniti)|Ineos|INEOS|[iI](?i:suzu|veco)|Jaecoo|JAECOO|Jaguar|JAGUAR|[jJ](?i:eep)"
    r"|[kK](?i:oenigsegg)|KGM|[kK](?i:ia)|[lL](?i:amborghini|and rover)|Leapmotor|LEAPMOTOR|Lynk \& Co|LYNK \& CO|Lincoln|LINCOLN|Ligier|LIGIER|[lL](?i:ancia)"
    r"|Lotus|LOTUS|Lucid|LUCID|[lL](?i:exus)|Lada|LADA|LDV|[mM](?i:ercedes\-benz|itsubishi)|Microcar|MICROCAR|[mM](?i:ahindra|aserati|ercedes)|McLaren|MCLAREN"
    "|Mercury|MERCURY|[mM](?i:aybach)|Morgan|MORGAN|Maxus|MAXUS|[mM](?i:azda)|Mini|MINI|MG|[nN](?i:issan)|[oO](?i:ldsmobile)|Omoda|OMODA|[oO](?i:pel)"
    r"|[pP](?i:olestar|erodua|eugeot|ontiac|orsche)|Proton|PROTON|[rR](?i:olls\-royce|enault)|Rivian|RIVIAN|Rover|ROVER|Ram|RAM|[sS](?i:sangyong)|Saturn|SATURN"
    "|[sS](?i:ubaru|uzuki)|Scion|SCION|Smart|SMART|[sS](?i:koda)|Seat|SEAT|[sS](?i:aab)|[tT](?i:oyota|esla)|Tata|TATA|TVR|[vV](?i:olkswagen|auxhall|olvo)|VW"
    "|[xX](?i:peng)|[zZ](?i:eekr)|[šŠ](?i:koda)"
)
PRICE_RE = r"(?:[$£€¥₹₽₺]|\b[A-Z]{3}|\bkr\.?) ?(\d[\d.,]*(?: ?[-–]\D{,5}\d)?)"
MODEL_RE = (
    r"(?<!\w)(?:"
    + MAKE_RE
    + ")(?: | [|/·•] )(?:(?!(?i:for|cars?|dealers?|used|new|parts|services?|vehicles?|models|approved|of|in|at|and|or|from|with|by|all|uk|usa|specials?|certified"
    r"|reviews?|finance|offers?|sales?|vans?|suvs?|ev)(?!\w)))((?:Model [A-Z3](?!\w)|(?:(?:(?=[A-Z])(?i:discovery sport|range rover sport|defender \d{2,3}"
    "|freelander 2|altea xl|golf (?:plus|sv))|(?=[A-Z])(?i:(?:grandland|crossland|mokka|aygo) x|(?:transit|tourneo) (?:custom|connect|courier)|ioniq [56])"
    r"|(?=[A-Z])(?i:mustang mach-e|(?:silverado|sierra) \d{4}|ds \d|grand (?:c4|c-max|scenic))))(?!\w)|(?:(?:(?:(?=[A-Z])(?i:model|grande?|santa|land|range "
    r"rover|range|town (?:&|and)|monte))) )?(?:(?!(?:19|20)\d\d(?!\w))(?:[A-Z]{1,3} \d{2,3}(?![\w.,]|-?\w)|[A-Z][\w-]+|[A-Za-z]{0,2}\d[\w-]*|[A-Z](?= "
    r"(?:(?:(?=[A-Z])(?i:series|class|klasse|serie|cross|cruiser|rover|picasso|tepee)))(?!\w)))))(?: (?:(?:(?=[A-Z])(?i:series|class|klasse|serie|cross|cruiser"
    r"|rover|picasso|tepee)))(?!\w))?)(?![.,]\d)"
)
MILEAGE_RE = r"(\d[\d.,]*(?: ?[-–] ?\d[\d.,]*)?) ?(?i:mi|miles?)(?![.\w])"
FUEL_TYPE_RE = (
    r"(?<!\w)(?:[bB](?i:iodiesel|i-fuel)|[cC](?i:ng)|[dD](?i:iesel hybrid|iesel)|[eE](?i:lectric/petrol|lectric|85)|[fF](?i:lexible fuel|lex fuel)"
    "|[gG](?i:asoline|as)|[hH](?i:ydrogen|ybrid)|[lL](?i:pg)|[mM](?i:ild hybrid)|[nN](?i:atural gas)|[pP](?i:etrol plug-in hybrid|etrol/electric|lug-in hybrid"
    r"|etrol hybrid|etrol))(?!\w)"
)
TRANSMISSION_RE = r"(?<!\w)(?:[aA](?i:utomanual|utomatic)|[cC](?i:vt)|[dD](?i:ual clutch|sg)|[mM](?i:anual)|[sS](?i:emi-automatic|emi auto|emi-auto)|[tT](?i:iptronic))(?!\w)"
ENGINE_SIZE_RE = (
    r"(\d[\d.,]*(?: ?[-–] ?\d[\d.,]*)?) ?(?i:l|lit(?:er|re)s?|ltr|л)(?![.\w])"
)
COLOUR_RE = (
    r"(?<!\w)(?:[aA](?i:nthracite)|[bB](?i:ritish racing green|lack metallic|lue metallic|urgundy|ronze|eige|lack|rown|lue)|[cC](?i:hampagne|harcoal|ream)"
    "|[dD](?i:ark green|ark blue|ark grey)|[gG](?i:reen metallic|rey metallic|unmetal grey|raphite|unmetal|reen|old|ray|rey)|[iI](?i:vory)|[jJ](?i:et black)"
    "|[lL](?i:ight blue)|[mM](?i:etallic bronze|etallic silver|etallic black|etallic green|etallic white|idnight black|etallic blue|etallic gold|etallic grey"
    "|idnight blue|etallic red|agenta|aroon)|[nN](?i:avy blue|avy)|[oO](?i:range)|[pP](?i:earl black|earl white|urple|ink)|[rR](?i:ed metallic|oyal blue|ed)"
    r"|[sS](?i:ilver metallic|ky blue|ilver)|[tT](?i:urquoise|eal|an)|[vV](?i:iolet)|[wW](?i:hite)|[yY](?i:ellow))(?!\w)"
)
DOORS_RE = r"(\d[\d.,]*(?: ?[-–] ?\d[\d.,]*)?) ?(?i:door)"
RECORDS = '//div[@class~="col-4"][.//a[contains(@href, "?from=")]] | //a[contains(@href, "?add=")]/ancestor::div[1]'
PRICE_PATHS = ['.//span[@class~="now"]', ".//article//div//span"]
NEXT_PAGE = '//a[@rel~="next"]/@href'
CURRENCIES = dict(re.findall(r"(\S+)=(\w+)", "$=USD £=GBP ¥=JPY €=EUR ₹=INR ₽=RUB"))
EXPECTED = {  # The least share of records with a value; its usual form.
    "price": (0.6, r"\d{1,9}(?:\.\d+)?"),
    "title": (0.6, ".{6,160}"),
    "make": (0.6, ".{1,40}"),
    "model": (0.6, ".{1,32}"),
    "year": (0.6, r"\d{1,8}(?:\.\d+)?"),
    "mileage": (0.6, r"\d{1,9}(?:\.\d+)?"),
    "fuel_type": (0.6, ".{1,32}"),
    "transmission": (0.6, ".{1,36}"),
    "engine_size": (0.2, r"\d{1,5}(?:\.\d+)?"),
    "colour": (0.05, ".{1,24}"),
    "doors": (0.6, r"\d{1,5}(?:\.\d+)?"),
    "location": (0.6, ".{4,112}"),
    "details_page": (0.2, ".+"),
    "image": (0.05, ".+"),
}


class Record(TypedDict):  # A missing value is None.
    price: float | None
    price_currency: str | None
    title: str | None
    make: str | None
    model: str | None
    year: int | None
    mileage: float | None
    mileage_unit: str | None
    fuel_type: str | None
    transmission: str | None
    engine_size: float | None
    engine_size_unit: str | None
    colour: str | None
    doors: int | None
    location: str | None
    details_page: str | None
    image: str | None


def extract(page: str | bytes | Selector, url: str = "") -> list[Record]:
    """Return the records in document order; `url` makes their links absolute."""
    root = tree(page)
    url = base(root, url)
    rows = xpath(RECORDS)(root)
    if len({row.getparent() for row in rows}) > 1:
        held = Counter(node for row in rows for node in row.iterancestors())
        kept = {row for row in rows if held[row] < 2}  # Others hold several.
        rows = [it for it in rows if it in kept and kept.isdisjoint(it.iterancestors())]
    found = [record(row, url) for row in rows]
    return [rec for rec in found if [*map(rec.get, EXPECTED)].count(None) <= 8]


def record(row: _Element, url: str) -> Record:
    get = partial(find, row, {})
    price = number(get(*PRICE_PATHS, pattern=PRICE_RE))
    currency = get(*PRICE_PATHS, pattern="[$£¥€₹₽]")
    year = get(
        './/ul[@class~="spec"]', ".//article//ul//li", pattern=r"((?:19|20)\d\d)"
    )
    mileage = number(
        get('.//ul[@class~="spec"]', ".//article//ul//li", pattern=MILEAGE_RE)
    )
    engine_size = number(
        get('.//ul[@class~="spec"]', ".//article//ul//li", pattern=ENGINE_SIZE_RE)
    )
    doors = get('.//ul[@class~="spec"]', ".//article//ul//li", pattern=DOORS_RE)
    details_page = get('.//a[contains(@href, "?from=")]/@href', ".//h3//a/@href")
    return {
        "price": price,
        "price_currency": None if price is None else CURRENCIES.get(str(currency)),
        "title": get('.//a[contains(@href, "?from=")]', ".//h3//a"),
        "make": get(
            './/a[contains(@href, "?from=")]',
            './/*[@class~="car__name"]',
            pattern=MAKE_RE,
        ),
        "model": get(
            './/a[contains(@href, "?from=")]',
            './/*[@class~="car__name"]',
            pattern=MODEL_RE,
        ),
        "year": count(year),
        "mileage": mileage,
        "mileage_unit": None if mileage is None else "mi",
        "fuel_type": get(
            './/ul[@class~="spec"]', ".//article//ul//li", pattern=FUEL_TYPE_RE
        ),
        "transmission": get(
            './/ul[@class~="spec"]', ".//article//ul//li", pattern=TRANSMISSION_RE
        ),
        "engine_size": engine_size,
        "engine_size_unit": None if engine_size is None else "l",
        "colour": get('.//ul[@class~="spec"]', pattern=COLOUR_RE),
        "doors": count(doors),
        "location": get('.//span[@class~="town"]', ".//article//p//span"),
        "details_page": link(details_page, url),
        "image": link(get(".//img/@data-src", ".//img/@src"), url),
    }


def next_page(page: str | bytes | Selector, url: str = "") -> str | None:
    """Return the address of the next page; None on the last page."""
    root = tree(page)
    found = find(root, {}, NEXT_PAGE, pattern="^(?!#|javascript:).+")
    address = link(found, base(root, url))
    return None if address == url else address


def check(page: str | bytes | Selector) -> list[str]:
    """Return what is unexpected on a page."""
    records = [dict(rec) for rec in extract(page)]
    if not 0 < len(records) <= 56:
        return [f"{len(records)} records, 1 to 56 expected"]
    html = page.decode("latin-1") if isinstance(page, bytes) else page
    is_cut = isinstance(html, str) and not re.search(r"(?i)</(body|html)\s*>", html)
    wrong = [f"the page ends in the middle, after {len(records)} records"] * is_cut
    for name, (share, form) in EXPECTED.items():
        values = [str(rec[name]) for rec in records if rec[name] is not None]
        odd = [it for it in values if not re.fullmatch(form, it)]
        if len(values) < share * len(records):
            wrong.append(f"{name}: {len(values)} of {len(records)} records have one")
        elif 2 * len(odd) > len(values):
            wrong.append(f"{name}: {odd[0]!r} is unlike the samples")
    return wrong


def text(node: _Element | str) -> str:
    """Return the texts in an element, joined by blanks, or "" for a mere dash."""
    if not isinstance(node, str):
        node = " ".join(xpath(".//text()")(node)) if len(node) else node.text or ""
    line = " ".join(node.split())
    return line if line.strip("-./ \u2013\u2014") else ""


def tree(page: str | bytes | Selector) -> _Element:
    """Return the root element of a page."""
    if isinstance(page, Selector):
        return cast("_Element", page.root)
    if isinstance(page, bytes):
        try:
            enc, text = html_to_unicode(None, page, "utf-8")
        except (LookupError, ValueError):  # No codec of texts.
            enc = text = ""
        if enc != "utf-8" or "<" not in text or "\ufffd" in text:
            utf8, old = (page.decode(it, "replace") for it in ("utf-8-sig", "cp1252"))
            old = text if enc != "utf-8" and "<" in text else old
            enc, text = "", min(utf8, old, key=lambda it: len(it) + it.count("\ufffd"))
        page = page.strip()
        page = page if enc == "utf-8" and page[:1] + page[-1:] == b"<>" else text
    if isinstance(page, str):
        page = page.strip().encode("utf8", "replace")
    parser = HTMLParser(encoding="utf8", huge_tree=True, collect_ids=False)
    root = fromstring(page.replace(b"\0", b"") or "<html/>", parser)
    return fromstring("<html/>", parser) if root is None else root


def base(root: _Element, url: str) -> str:
    """Return the base address for the relative links of a page."""
    hrefs = [node.get("href", "").strip() for node in root.iter("base")]
    try:
        return urljoin(url, next(filter(None, hrefs), ""))
    except ValueError:
        return url


@cache
def xpath(path: str) -> Any:
    """Return a compiled XPath, in which `@class~="x"` tests for a word, as in CSS."""
    step = r'//([\w*-]+)\[(contains\(|)@([\w-]+)((?:~?=|, )"[^"]*"\)?)\](?!\[)'
    path = re.sub(step, r"/descendant::\1/@\3[\2.\4]/parent::*", path)  # Faster.
    word = r'contains(\1,"\2") and contains(concat(" ",normalize-space(\1)," ")," \2 ")'
    path = re.sub(r'(@[\w-]+|\.)~="(.*?)"', word, path)
    return XPath(path, smart_strings=False, regexp=False)


def find(row: Any, seen: dict[Any, Any], *ways: str, pattern: str = "") -> str | None:
    """Return the first text at the XPaths `ways`, or the first match of `pattern`."""
    for path in map(xpath, ways):
        for it in seen[path] if path in seen else seen.setdefault(path, path(row)):
            line: str = seen[it] if it in seen else seen.setdefault(it, text(it))
            match = regex(pattern).search(line[:4096]) if line and pattern else None
            if match or (line and not pattern):
                return (match[match.lastindex or 0] or line).strip() if match else line
    return None


def number(text: str | None, factor: int = 1) -> float | None:
    """Return a number: 1250 for "1.250" or "1,250", and None for a range."""
    digits = regex(r"[ '\u2019\u066c]|\D+$").sub("", (text or "")[:4096])
    form = r"((?!0\D)\d{1,3}([.,])(?:\d\d\d?\2)*\d{3}|[\d.,]*?)(?:[.,\u066b](\d+))?"
    if not digits or not (match := regex(form).fullmatch(digits)):
        return None
    whole, part = match[1].replace(",", "").replace(".", ""), match[3]
    value = round(float(f"{whole}.{part}") * factor, 6) if part else int(whole) * factor
    return value if value % 1 else int(value)


def count(text: str | None) -> int | None:
    """Return a whole number: 3 for "3", and 0 for a word (bedrooms of a "studio")."""
    digits = regex(r"[ .,'\u2019\u066c]").sub("", (text or "")[:4096])
    return int(digits) if digits.isdecimal() else 0 if digits.isalpha() else None


def link(text: str | None, url: str) -> str | None:
    """Return the address of a link, absolute if the page has the address `url`."""
    try:
        return urljoin(url, text) if url and text and text[0] != "#" else text
    except ValueError:
        return text


if __name__ == "__main__":  # Print JSON Lines; with --check, messages.
    lines: list[str] = []
    try:
        for name in (arg for arg in sys.argv[1:] if arg != "--check"):
            page = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
            if "--check" in sys.argv:
                lines += [f"{name}: {message}" for message in check(page)]
            else:
                lines += [json.dumps(rec, ensure_ascii=False) for rec in extract(page)]
        with open(1, "w", encoding="utf-8", errors="surrogateescape") as out:
            out.writelines(f"{line}\n" for line in lines)
    except OSError as error:
        print(f"{error.filename or '-'}: {error.strerror}", file=sys.stderr)
        sys.exit(2)
    sys.exit(bool(lines) == ("--check" in sys.argv))
