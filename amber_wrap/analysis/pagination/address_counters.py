"""Compare the counters in the addresses of two pages.

A counter is the number of a page (`page=2`, `/page/2/`) or of a record (`start=20`).
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple
from urllib.parse import SplitResult, parse_qsl

from amber_wrap.analysis.thresholds import PAGING
from amber_wrap.dom.link_addresses import address_parts, host_of

PAGE_PARAMETER: Final = (
    r"p|pg|pn|pno|pag|(?!\w*(?:per|size|limit|count|total))\w*page\w*|\w*pagin\w*|seite\w*|str|stran\w*|stron\w*|sida|side"
    r"|sivu|oldal|sayfa|trang|halaman|lapa|puslapis"
)
"""Names of query parameters with a page number, in several languages. Names of page
sizes, such as "per_page", are excluded."""
RECORD_PARAMETER: Final = (
    r"\w*(?:start|offset|skip|first|from|begin|row|index)\w*|ofs|s|o|b"
)
"""Names of query parameters with the number of a record, such as "offset"."""


class AddressStep(NamedTuple):
    """A reason to believe that an address leads to the next page."""

    weight: int
    """2 for a strong reason, such as `page=3` after `page=2`, and 1 for a weak one."""
    reason: str


def counter_step(page_address: str, link_address: str) -> AddressStep | None:
    """Return a reason to believe that `link_address` leads to the page after
    `page_address`.

    An example is `page=3` after `page=2`. Return None if no page number or record
    number is higher by a likely step.
    """
    page_parts, link_parts = address_parts(page_address), address_parts(link_address)
    if host_of(page_address) != host_of(link_address):
        return None
    in_query = _step_in_query(page_parts, link_parts)
    return in_query or _step_in_path(page_parts.path, link_parts.path)


def page_number(address: str) -> int | None:
    """Return the page number in an address, for example 2 for `/offers?page=2`.

    Return None if the address has no page number.
    """
    parts = address_parts(address)
    for name, value in parse_qsl(parts.query):
        if (
            re.fullmatch(PAGE_PARAMETER, name.lower())
            and (number := _number(value)) is not None
        ):
            return number
    match = re.search(
        rf"[/_.,-](?:{PAGE_PARAMETER})[/_=,-]?(\d{{1,5}})(?:\.\w+)?/?$", parts.path
    )
    return int(match[1]) if match else None


def is_numbered_page(address: str) -> bool:
    """Return whether an address has a page number that isn't the number of an article.

    For example, return True for `/news?page=2`, and False for `/?p=12`, because
    addresses like the latter lead to articles in WordPress.
    """
    return page_number(address) is not None and "?p=" not in address


def _number(value: str) -> int | None:
    """Return the value of a query parameter as a number.

    Return None if the value isn't a number, or has too many digits to be the number of
    a page or record.
    """
    return (
        int(value)
        if value.isdecimal() and len(value) <= PAGING.most_counter_digits
        else None
    )


def _step_in_query(
    page_parts: SplitResult, link_parts: SplitResult
) -> AddressStep | None:
    """Return a reason in query parameters to believe that a link leads to the next
    page.

    An example is `page=3` after `page=2`. Return None if no page number or record
    number is higher by a likely step.
    """
    page_values = dict(parse_qsl(page_parts.query))
    link_values = dict(parse_qsl(link_parts.query))
    same_path = _plain(page_parts.path) == _plain(link_parts.path)
    weight = 2 if same_path else 1
    for name, value in link_values.items():
        page_counter, link_counter = _number(page_values.get(name, "")), _number(value)
        if link_counter is None:
            continue
        parameter = f"{name}={value}"
        is_new = name not in page_values
        is_next_number = page_counter is not None and link_counter == page_counter + 1
        word = re.split(r"[.\[:]", name.lower())[-1].rstrip("]")
        if re.fullmatch(PAGE_PARAMETER, word):
            if is_next_number:
                return AddressStep(weight, f"{parameter} follows {name}={page_counter}")
            if is_new and link_counter in (1, 2):
                reason = f"{parameter} follows the first page"
                return AddressStep(min(weight, link_counter), reason)
        elif re.fullmatch(RECORD_PARAMETER, word):
            if is_new and link_counter > 1:
                return AddressStep(weight, f"{parameter} follows the first page")
            if page_counter is not None and _may_be_page_size(
                page_counter, link_counter
            ):
                return AddressStep(weight, f"{parameter} follows {name}={page_counter}")
        elif is_next_number:
            is_only_difference = {**page_values, name: value} == link_values
            if is_only_difference and page_parts.path == link_parts.path:
                return AddressStep(1, f"{parameter} follows {name}={page_counter}")
    return None


def _plain(path: str) -> str:
    """Return a URL path without a final slash or a final file such as `/index.html`."""
    return re.sub(r"/(?:index\.\w+)?$", "", path)


def _may_be_page_size(first_number: int, second_number: int) -> bool:
    """Return whether the difference of two record numbers may be a page size."""
    size = second_number - first_number
    # Websites count records from 0 or from 1.
    return size > 0 and (first_number % size == 0 or (first_number - 1) % size == 0)


def _step_in_path(page_path: str, link_path: str) -> AddressStep | None:
    """Return a reason in URL paths to believe that a link leads to the next page.

    An example is `/offers/page/2` after `/offers`. Return None unless the path of the
    link has a higher number or an additional page number.
    """
    page_parts = re.split(r"(\d+)", page_path)
    link_parts = re.split(r"(\d+)", link_path)
    if page_parts[::2] == link_parts[::2]:
        changed = [
            i for i in range(1, len(page_parts), 2) if page_parts[i] != link_parts[i]
        ]
        if (
            len(changed) != 1
            or len(link_parts[changed[0]]) > PAGING.most_counter_digits
        ):
            return None
        [i] = changed
        page_counter, link_counter = int(page_parts[i]), int(link_parts[i])
        is_page = re.search(
            rf"(?:^|[/_.,-])(?:{PAGE_PARAMETER})[/_=,-]?$", page_parts[i - 1]
        )
        if link_counter == page_counter + 1:
            return AddressStep(2 if is_page else 1, f"{link_path} follows {page_path}")
        if (
            page_counter
            and not is_page
            and _may_be_page_size(page_counter, link_counter)
        ):
            return AddressStep(1, f"{link_path} follows {page_path}")
        return None
    first_page = re.sub(r"(?:/index)?\.\w{2,5}$|/index$", "", page_path).rstrip("/")
    if not link_path.startswith(first_page):
        return None
    match = re.fullmatch(
        rf"/?(?:index)?[/_.,;-]*(?P<word>{PAGE_PARAMETER})?[/_=,-]*(?P<n>\d{{1,5}})(?:\.\w+)?/?",
        link_path[len(first_page) :],
        re.IGNORECASE,
    )
    if match and (int(match["n"]) == 2 or (match["n"] == "1" and match["word"])):
        reason = f"{link_path} follows the first page, {page_path or '/'}"
        return AddressStep(int(match["n"]), reason)
    return None
