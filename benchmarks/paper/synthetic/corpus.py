"""Write gold corpora of generated sites, in the format of docs/evaluation-format.md."""

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
    """How many sites and pages a corpus has."""

    sites: int
    pages: int


PAPER = {"real-estate": Extent(150, 281), "used-cars": Extent(100, 151)}
"""The corpora of AMBER, section 6.1."""
LARGE = Extent(500, 2215)
"""The real estate sites of AMBER, section 6.2."""
SEED = 2012


def write_corpus(folder: Path, domain: str, extent: Extent, seed: int = SEED) -> None:
    """Write the pages of so many sites and their gold.

    A site is the same whatever number is asked for.  Raises KeyError for a domain that
    the generator doesn't know.
    """
    for rank, count in enumerate(page_counts(extent)):
        site = draw_site(domain, seed, rank)
        for number in range(1, count + 1):
            name = f"{domain}/{site.name}/page-{number}"
            _write(folder, name, domain, make_page(site, number))


def page_counts(extent: Extent) -> Iterator[int]:
    """Yield how many pages each site has; those of a site don't depend on later ones,
    as long as there are as many pages to a site.
    """
    each = Fraction(extent.pages, extent.sites)
    for rank in range(extent.sites):
        yield int((rank + 1) * each) - int(rank * each)


def _write(folder: Path, name: str, domain: str, made: MadePage) -> None:
    gold = {
        "page": f"{name}.html",
        "sha256": hashlib.sha256(made.body).hexdigest(),
        "domain": domain,
        "synthetic": True,
        "unscored": list(made.unscored),
        "areas": [
            {"name": area, "records": [_record(one) for one in records]}
            for area, records in made.areas.items()
        ],
    }
    text = json.dumps(gold, ensure_ascii=False, indent=1) + "\n"
    for part, suffix, body in (
        ("pages", ".html", made.body),
        ("json", ".json", text.encode()),
    ):
        path = folder / part / f"{name}{suffix}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)


def _record(record: TrueRecord) -> dict[str, Any]:
    return {
        "nodes": record.nodes,
        "attributes": {name: _value(one) for name, one in record.values.items()},
    }


def _value(one: TrueValue) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "value": one.value.text,
        "xpath": one.xpath,
        "source": one.value.source,
    }
    if one.value.terms:
        shown["terms"] = [[term.kind, term.name] for term in one.value.terms]
    return shown


def place_terms(
    folder: Path, kinds: tuple[str, ...] = ("town", "county", "hamlet", "street")
) -> frozenset[str]:
    """Return the names in the locations that the records of a generated corpus show.

    `kinds` are of "town", "county", "hamlet" and "street"; hamlets are in no list.
    """
    return frozenset(
        name
        for path in sorted((folder / "json").rglob("*.json"))
        for area in json.loads(path.read_text("utf-8"))["areas"]
        for record in area["records"]
        for kind, name in record["attributes"].get("location", {}).get("terms", ())
        if kind in kinds
    )
