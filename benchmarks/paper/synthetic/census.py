"""Count the content and the noise of a corpus, in the figures of AMBER, section 6.1."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from amber_wrap.annotate.annotator import Annotation
from amber_wrap.annotate.locale import Locale, for_locale
from amber_wrap.annotate.run import annotate, annotators
from amber_wrap.dom.page import TEXT, NodeId, Page
from amber_wrap.dom.parse import parse
from amber_wrap.domain.loader import load_domain
from amber_wrap.domain.schema import Domain
from synthetic.vocabulary import listed_places

BRITISH: Final = Locale("en", "GB")
COUNTED: Final = ("price", "location")


@dataclass(frozen=True, slots=True)
class Census:
    """The figures of a domain of a corpus; shares are between 0 and 1."""

    pages: int
    sites: int
    records: int
    attributes: Mapping[str, int]
    """The number of values by attribute type."""
    sizes: Mapping[int, int]
    """How many pages have so many records."""
    head_or_tail: float
    """The share of pages with something before or behind the records of an area."""
    several_areas: float
    false: Mapping[str, Sequence[int]]
    """For price and location the number of false annotations on each page."""
    missed: Mapping[str, float]
    """The share of true prices and locations without a single annotation."""
    unlisted: float
    """The share of displayed towns and hamlets that are in no list."""

    def noisy(self, kind: str) -> float:
        """Return the share of pages with false annotations of a type."""
        return sum(map(bool, self.false[kind])) / self.pages

    def mean_false(self, kind: str) -> float:
        """Return how many false annotations of a type a page has on average."""
        return sum(self.false[kind]) / self.pages

    @property
    def figures(self) -> dict[str, str]:
        """The size and the noise of the domain, by the words that describe them."""
        counts = {
            "pages": self.pages,
            "sites": self.sites,
            "records": self.records,
            "attributes": sum(self.attributes.values()),
            "attribute types": len(self.attributes),
        }
        shares = {
            "pages with something at the head or tail of an area": self.head_or_tail,
            "pages with false annotations of prices": self.noisy("price"),
            "pages with false annotations of locations": self.noisy("location"),
            "locations without an annotation": self.missed["location"],
            "pages with several data areas": self.several_areas,
            "towns and hamlets that no list has": self.unlisted,
        }
        means = {f"false annotations of {kind}s a page": kind for kind in COUNTED}
        return {
            **{name: f"{number:,}" for name, number in counts.items()},
            **{name: f"{100 * share:.0f} %" for name, share in shares.items()},
            **{name: f"{self.mean_false(kind):.1f}" for name, kind in means.items()},
        }

    def __str__(self) -> str:
        types = [f"  {name} {n}" for name, n in sorted(self.attributes.items())]
        sizes = ", ".join(f"{n}: {self.sizes[n]}" for n in sorted(self.sizes))
        lines = [f"{name}: {figure}" for name, figure in self.figures.items()]
        return "\n".join([*lines, *types, f"records a page: {sizes}"])


def statistics(folder: Path, domain: str) -> Census:
    """Count what a domain of a corpus holds; its gold must have record nodes and
    XPaths.
    """
    known = for_locale(load_domain(domain), BRITISH)
    golds = [
        json.loads(path.read_text("utf-8"))
        for path in sorted((folder / "json" / domain).rglob("*.json"))
    ]
    counts: Counter[str] = Counter()
    places: Counter[bool] = Counter()
    false: dict[str, list[int]] = {kind: [] for kind in COUNTED}
    found: Counter[str] = Counter()
    framed = 0
    for gold in golds:
        page = parse((folder / "pages" / gold["page"]).read_bytes())
        areas = [area["records"] for area in gold["areas"]]
        records = [one for area in areas for one in area]
        counts.update(name for one in records for name in one["attributes"])
        places.update(_listed(records))
        framed += any(_is_framed(page, area) for area in areas)
        claims = _claims(page, known)
        for kind in COUNTED:
            wrong, hit = _judged(page, claims, records, kind)
            false[kind].append(wrong)
            found[kind] += hit
    sizes = Counter(
        sum(len(area["records"]) for area in gold["areas"]) for gold in golds
    )
    return Census(
        pages=len(golds),
        sites=len({gold["page"].rpartition("/")[0] for gold in golds}),
        records=sum(number * pages for number, pages in sizes.items()),
        attributes=counts,
        sizes=sizes,
        head_or_tail=framed / len(golds),
        several_areas=sum(len(gold["areas"]) > 1 for gold in golds) / len(golds),
        false=false,
        missed={kind: 1 - found[kind] / max(1, counts[kind]) for kind in COUNTED},
        unlisted=places[False] / max(1, places.total()),
    )


def _listed(records: Iterable[Mapping[str, Any]]) -> Iterator[bool]:
    """Yield for each town or hamlet in a location whether it is in some list."""
    for record in records:
        for kind, name in record["attributes"].get("location", {}).get("terms", ()):
            if kind in ("town", "hamlet"):
                yield name.casefold() in listed_places()


def _claims(page: Page, domain: Domain) -> tuple[Annotation, ...]:
    """Return the annotations of displayed texts, each text once.

    What an element says in several parts is news only if no part says it.
    """
    found = annotate(page, domain.schema, annotators(domain))
    claims = [one for one in found if one.source == TEXT]
    said = {(one.type, one.text, one.node) for one in claims if page.is_text(one.node)}
    return tuple(
        one
        for one in claims
        if page.is_text(one.node)
        or not any(
            (one.type, one.text, node) in said
            for node in range(one.node, one.node + page.size[one.node])
        )
    )


def _judged(
    page: Page,
    claims: Iterable[Annotation],
    records: Iterable[Mapping[str, Any]],
    kind: str,
) -> tuple[int, int]:
    """Count the false annotations of a type, and the values that have a true one."""
    values: list[tuple[NodeId, str]] = []
    for record in records:
        value = record["attributes"].get(kind)
        if value:
            [node] = page.select(value["xpath"])
            values.append((node, value["value"].casefold()))
    wrong, hit = 0, set[int]()
    for claim in claims:
        if claim.type != kind:
            continue
        true = {
            number
            for number, (node, text) in enumerate(values)
            if claim.text.casefold() in text
            and (page.contains(node, claim.node) or page.contains(claim.node, node))
        }
        hit |= true
        wrong += not true
    return wrong, len(hit)


def _is_framed(page: Page, records: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether something is displayed beside the records in their container."""
    nodes = [page.select(path)[0] for one in records for path in one["nodes"]]
    if len(nodes) < 2:
        return False
    container = page.parent[nodes[0]]
    while not all(page.contains(container, node) for node in nodes):
        container = page.parent[container]
    first, last = min(nodes), max(nodes)
    return any(
        (child + page.size[child] <= first or child > last) and _is_seen(page, child)
        for child in page.children(container)
        if not page.contains(child, last)
    )


def _is_seen(page: Page, node: NodeId) -> bool:
    if page.is_text(node):
        return True
    return page.text_length(node) > 0 or any(
        page.tag[one] == "img" for one in page.elements(node)
    )
