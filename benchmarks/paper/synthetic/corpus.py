"""Write the pages of generated sites, and their known records.

The format is that of docs/evaluation-format.md.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from synthetic.markup import TrueRecord, TrueValue
from synthetic.site import MadePage, draw_site, make_page


@dataclass(frozen=True, slots=True)
class Extent:
    """The number of sites in a corpus, and the number of pages."""

    sites: int
    pages: int


PAPER = {"real-estate": Extent(150, 281), "used-cars": Extent(100, 151)}
"""The number of sites and of pages in the AMBER paper (section 6.1), by domain."""
LARGE = Extent(500, 2215)
"""The number of real-estate sites and of pages in the AMBER paper (section 6.2)."""
SEED = 2012
"""The seed of the generated corpora on which results are published."""


def write_corpus(folder: Path, domain: str, extent: Extent, seed: int = SEED) -> None:
    """Write the pages of sites, and the files with their known records.

    A site's content doesn't depend on the number of sites. Raise KeyError for a domain
    that the generator doesn't know.
    """
    for rank, count in enumerate(page_counts(extent)):
        site = draw_site(domain, seed, rank)
        for number in range(1, count + 1):
            name = f"{domain}/{site.name}/page-{number}"
            _write_page(folder, name, domain, make_page(site, number))


def page_counts(extent: Extent) -> Iterator[int]:
    """Yield the number of pages of each site.

    It depends only on the site's number and on the mean number of pages per site.
    """
    pages_per_site = Fraction(extent.pages, extent.sites)
    for rank in range(extent.sites):
        yield int((rank + 1) * pages_per_site) - int(rank * pages_per_site)


def _write_page(folder: Path, name: str, domain: str, page: MadePage) -> None:
    """Write a page, and the file with its known records."""
    gold = {
        "page": f"{name}.html",
        "sha256": hashlib.sha256(page.body).hexdigest(),
        "domain": domain,
        "synthetic": True,
        "unscored": list(page.unscored),
        "areas": [
            {"name": area, "records": [_record_json(record) for record in records]}
            for area, records in page.areas.items()
        ],
    }
    text = json.dumps(gold, ensure_ascii=False, indent=1) + "\n"
    for folder_name, suffix, body in (
        ("pages", ".html", page.body),
        ("json", ".json", text.encode()),
    ):
        path = folder / folder_name / f"{name}{suffix}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)


def _record_json(record: TrueRecord) -> dict[str, Any]:
    """Return a record in the JSON format of files with known records."""
    return {
        "nodes": record.nodes,
        "attributes": {
            name: _value_json(true_value) for name, true_value in record.values.items()
        },
    }


def _value_json(true_value: TrueValue) -> dict[str, Any]:
    """Return a value in the JSON format of files with known records."""
    data: dict[str, Any] = {
        "value": true_value.value.text,
        "xpath": true_value.xpath,
        "source": true_value.value.source,
    }
    if true_value.value.terms:
        data["terms"] = [[term.kind, term.name] for term in true_value.value.terms]
    return data


def place_terms(
    folder: Path, kinds: tuple[str, ...] = ("town", "county", "hamlet", "street")
) -> frozenset[str]:
    """Return the place names in the known locations of a generated corpus.

    `kinds` says which names are returned: those of towns, counties, hamlets or streets.
    The package's place lists have no hamlets.
    """
    return frozenset(
        name
        for path in sorted((folder / "json").rglob("*.json"))
        for area in json.loads(path.read_text("utf-8"))["areas"]
        for record in area["records"]
        for kind, name in record["attributes"].get("location", {}).get("terms", ())
        if kind in kinds
    )
