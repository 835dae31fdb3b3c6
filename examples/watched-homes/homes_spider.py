"""A spider that yields the records of the wrapper.

amber-wrap export wrote this file, and you can edit it.  Put the wrapper's file beside
scrapy.cfg, where Python finds it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import scrapy
from scrapy.http import Request
from twisted.python.failure import Failure

from homes import extract, next_page

START = "http://127.0.0.1:8021/page-1.html"
SETTINGS: dict[Any, Any] = {
    "ROBOTSTXT_OBEY": True,
    "DOWNLOAD_DELAY": 1,
    "AUTOTHROTTLE_ENABLED": True,
}


@dataclass
class HomesItem:
    """A record; a missing value is None."""

    price: float | None = None
    price_currency: str | None = None
    location: str | None = None
    postcode: str | None = None
    bedrooms: int | None = None
    bathrooms: float | None = None
    receptions: int | None = None
    living_area: float | None = None
    living_area_unit: str | None = None
    property_type: str | None = None
    legal_status: str | None = None
    details_page: str | None = None
    image: str | None = None


class HomesSpider(scrapy.Spider):
    """Yield the records of all result pages from one page on: -a url=https://..."""

    name = "homes"
    max_pages = 100  # The largest number of result pages that are read.
    follow_details = False  # If true, `parse_details` gets the page of each record.
    custom_settings = SETTINGS

    def __init__(self, url: str = START, **arguments: Any) -> None:
        super().__init__(**arguments)
        if not url:
            raise ValueError("give the address of a result page: -a url=https://...")
        self.start_urls = [url]
        self.read: set[str] = set()  # Scrapy doesn't filter repeats of the first page.

    def parse(self, response: Any, number: int = 1) -> Iterator[Any]:
        """Read a page of results, and follow its link to the next one."""
        records = extract(response.selector, response.url)
        if not records:
            self.logger.warning("no records on %s", response.url)
        for record in records:
            item = HomesItem(**record)
            address = item.details_page or ""
            if self.follow_details and address.startswith("http"):
                yield response.follow(
                    address,
                    self.parse_details,
                    errback=self.without_details,
                    cb_kwargs={"item": item},
                    dont_filter=True,  # Two records may share a page: both are kept.
                )
            else:
                yield item
        onward = next_page(response.selector, response.url)
        self.read.add(response.url)
        if not onward or not records or onward in self.read:
            return
        if number >= int(self.max_pages):
            self.logger.warning("stopped before %s: raise max_pages to go on", onward)
            return
        yield response.follow(onward, self.parse, cb_kwargs={"number": number + 1})

    def parse_details(self, response: Any, item: HomesItem) -> Iterator[Any]:
        """Complete an item from its own page: add the code that reads the page here."""
        yield item

    def without_details(self, failure: Failure) -> Iterator[Any]:
        """Keep an item whose own page can't be fetched."""
        request: Request = failure.request  # type: ignore[attr-defined]
        self.logger.warning("no details of %s: %s", request.url, failure.value)
        yield request.cb_kwargs["item"]
