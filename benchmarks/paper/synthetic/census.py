"""Count the records and the noise of generated pages, as the AMBER paper does.

Noise is all that may mislead a system, such as a text that looks like a price but is
none (section 6.1).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from amber_wrap.annotate.annotate_page import annotate, annotators
from amber_wrap.annotate.annotator import Annotation
from amber_wrap.annotate.locale import Locale, for_locale
from amber_wrap.dom.page import TEXT, NodeId, Page
from amber_wrap.dom.parse import parse
from amber_wrap.domain.loader import load_domain
from amber_wrap.domain.schema import Domain
from synthetic.random_choices import listed_places

BRITISH: Final = Locale("en", "GB")
"""The locale of generated pages."""
COUNTED: Final = ("price", "location")
"""The types whose annotations are counted."""

Placed = tuple[NodeId, str]
"""A node, and the text of an annotation or value at this node."""


@dataclass(frozen=True, slots=True)
class Census:
    """The figures that describe the pages of one domain, by their descriptions.

    `shares` are between 0 and 1. `means` are mean numbers on a page. `sizes` has the
    number of pages by their number of records.
    """

    counts: Mapping[str, int]
    shares: Mapping[str, float]
    means: Mapping[str, float]
    sizes: Mapping[int, int]

    @property
    def figures(self) -> dict[str, str]:
        """All figures as texts for a table, by their descriptions."""
        return {
            **{name: f"{number:,}" for name, number in self.counts.items()},
            **{name: f"{100 * share:.0f} %" for name, share in self.shares.items()},
            **{name: f"{mean:.1f}" for name, mean in self.means.items()},
        }


def statistics(folder: Path, domain: str) -> Census:
    """Return the figures of a domain of the corpus in a folder.

    The files of known records must have the nodes of records and the XPaths of values.
    """
    local_domain = for_locale(load_domain(domain), BRITISH)
    files = sorted((folder / "json" / domain).rglob("*.json"))
    golds = [json.loads(path.read_text("utf-8")) for path in files]
    counts: Counter[str] = Counter()
    place_counts: Counter[bool] = Counter()
    page_sizes: Counter[int] = Counter()
    false_counts: dict[str, list[int]] = {kind: [] for kind in COUNTED}
    found_counts: Counter[str] = Counter()
    framed_pages = pages_with_areas = 0
    for gold in golds:
        page = parse((folder / "pages" / gold["page"]).read_bytes())
        areas = [area["records"] for area in gold["areas"]]
        records = [record for area in areas for record in area]
        page_sizes[len(records)] += 1
        counts.update(name for record in records for name in record["attributes"])
        place_counts.update(_are_listed(records))
        framed_pages += any(_is_framed(page, area) for area in areas)
        pages_with_areas += len(areas) > 1
        claims = _displayed_claims(page, local_domain)
        for kind in COUNTED:
            own_claims = (claim for claim in claims if claim.type == kind)
            places = [(claim.node, claim.text.casefold()) for claim in own_claims]
            values = list(_true_values(page, records, kind))
            false_count, missed_count = judged(page, places, values)
            false_counts[kind].append(false_count)
            found_counts[kind] += len(values) - missed_count
    pages = len(golds)
    unlisted_share = place_counts[False] / max(1, place_counts.total())
    unannotated_share = 1 - found_counts["location"] / max(1, counts["location"])
    return Census(
        {
            "pages": pages,
            "sites": len({path.parent for path in files}),
            "records": sum(number * count for number, count in page_sizes.items()),
            "attributes": counts.total(),
            "attribute types": len(counts),
        },
        {
            "pages with something at the head or tail of an area": framed_pages / pages,
            **{
                f"pages with false annotations of {kind}s": sum(map(bool, figures))
                / pages
                for kind, figures in false_counts.items()
            },
            "locations without an annotation": unannotated_share,
            "pages with several data areas": pages_with_areas / pages,
            "towns and hamlets that no list has": unlisted_share,
        },
        {
            f"false annotations of {kind}s a page": sum(figures) / pages
            for kind, figures in false_counts.items()
        },
        page_sizes,
    )


def _are_listed(records: Iterable[Mapping[str, Any]]) -> Iterator[bool]:
    """Yield True for each town or hamlet of a location that is in the package's place
    lists.

    Yield False for the other towns and hamlets.
    """
    for record in records:
        for kind, name in record["attributes"].get("location", {}).get("terms", ()):
            if kind in ("town", "hamlet"):
                yield name.casefold() in listed_places()


def _displayed_claims(page: Page, domain: Domain) -> tuple[Annotation, ...]:
    """Return the annotations of displayed texts. An annotation is a text taken for a
    value.

    If an element and its text node have the same annotation, only that of the text node
    is returned.
    """
    annotations = annotate(page, domain.schema, annotators(domain))
    claims = [annotation for annotation in annotations if annotation.source == TEXT]
    text_claims = {
        (annotation.type, annotation.text, annotation.node)
        for annotation in claims
        if page.is_text(annotation.node)
    }
    return tuple(
        annotation
        for annotation in claims
        if page.is_text(annotation.node)
        or not any(
            (annotation.type, annotation.text, node) in text_claims
            for node in range(
                annotation.node, annotation.node + page.size[annotation.node]
            )
        )
    )


def _true_values(
    page: Page, records: Iterable[Mapping[str, Any]], kind: str
) -> Iterator[Placed]:
    """Yield the node and the casefolded text of each known value of the type `kind`."""
    for record in records:
        if value := record["attributes"].get(kind):
            [node] = page.select(value["xpath"])
            yield node, value["value"].casefold()


def judged(
    page: Page, claims: Sequence[Placed], values: Sequence[Placed]
) -> tuple[int, int]:
    """Return the number of false claims, and the number of missed values.

    A claim is a text that is taken for a value. It supports a known value if it is a
    part of it, and the node of one contains that of the other. A claim that supports no
    value is false. A value without such a claim is missed.
    """

    def marks(claim: Placed, value: Placed) -> bool:
        return claim[1] in value[1] and overlap(page, claim[0], value[0])

    false = sum(not any(marks(claim, value) for value in values) for claim in claims)
    missed = sum(not any(marks(claim, value) for claim in claims) for value in values)
    return false, missed


def overlap(page: Page, first: NodeId, second: NodeId) -> bool:
    """Return whether a node contains another node, or the other way round."""
    return page.contains(first, second) or page.contains(second, first)


def _is_framed(page: Page, records: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether something is displayed before or behind the records of a list.

    Only content in the element around the list counts. Return False for fewer than two
    records, because that element is then unknown.
    """
    nodes = [page.select(path)[0] for record in records for path in record["nodes"]]
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
    """Return whether a node shows a text or an image."""
    if page.is_text(node):
        return True
    return page.text_length(node) > 0 or any(
        page.tag[element] == "img" for element in page.elements(node)
    )
