"""The steps beyond the paper, and the system without each of them.

A step is left out by a change of the strategy, or of a name in a module of the package.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from variants import Change, everywhere

from amber_wrap.analysis import path_scores as standing
from amber_wrap.analysis import relative_paths as places
from amber_wrap.analysis import segment as records
from amber_wrap.analysis import value_trimming as cuts
from amber_wrap.analysis.extraction_typing import Segmentation
from amber_wrap.analysis.list_selection import ListChoice
from amber_wrap.annotate import locale
from amber_wrap.annotate.annotator import Annotation, Annotator
from amber_wrap.annotate.gazetteers import GazetteerAnnotator
from amber_wrap.annotate.locale import UNKNOWN, Locale
from amber_wrap.annotate.names import NAMING
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.domain.schema import Domain, Schema
from amber_wrap.selectors import record_locators as starts
from amber_wrap.selectors.area_groups import Group
from amber_wrap.selectors.node_tests import NodeTests
from amber_wrap.selectors.xpath_candidates import Paths
from amber_wrap.strategies import STRATEGIES, pivot_nodes
from amber_wrap.wrapper.ir import AreaRule, FieldRule, RecordLocator
from amber_wrap.wrapper.xpath import is_quotable

T = TypeVar("T")

ROLE = STRATEGIES["role"]
NOTHING = re.compile("(?!)")


@dataclass(frozen=True, slots=True)
class Step:
    """Something that the default strategy does: what, and the system without it."""

    name: str
    about: str
    without: tuple[Change, ...]


# --- what stands in for a step --------------------------------------------------


def strategy(**fields: Any) -> tuple[Change, ...]:
    """The default strategy with other passes."""
    return (
        Change(
            "amber_wrap.passes.analysis",
            "STRATEGIES",
            {"role": replace(ROLE, **fields)},
        ),
    )


def manner(**fields: Any) -> tuple[Change, ...]:
    """The default strategy with another manner of alignment."""
    return strategy(manner=replace(ROLE.manner, **fields))


def change(owner: str, name: str, value: object) -> tuple[Change, ...]:
    """What else a name of a module of the package is, wherever it is imported."""
    return everywhere(f"amber_wrap.{owner}", name, value)


def nothing(*_: object) -> tuple[()]:
    return ()


def tokens_alone(*values: str | None) -> tuple[str, ...]:
    """What the markup says of an element, labels left out."""
    return tuple(one for said in values[: len(NAMING)] for one in (said or "").split())


def no_lines(*_: object) -> dict[object, str]:
    return {}


def no_marks(*_: object) -> frozenset[str]:
    return frozenset()


def no(*_: object) -> bool:
    return False


def as_claimed(page: Page, kind: object, schema: object, claims: T, *_: object) -> T:
    return claims


def longest(page: Page, annotated: object, found: Sequence[Segmentation]) -> ListChoice:
    """The candidate that displays most: they come in this order."""
    return ListChoice(tuple(found[:1]), 1.0)


def first_pivots(annotations: Iterable[Annotation], schema: Schema) -> Iterator[NodeId]:
    return pivot_nodes(annotations, schema, schema.pivots[0])


def none(*_: object) -> None:
    return None


def no_annotator(*_: object) -> Annotator:
    return GazetteerAnnotator({})


def unknown_locale(page: Page) -> Locale:
    return UNKNOWN


def english(page: Page) -> Locale:
    return Locale("en")


def without_places(domain: Domain, told: Locale) -> Domain:
    local = locale.for_locale(domain, told)
    types = tuple(
        replace(kind, gazetteers=()) if kind.name == "location" else kind
        for kind in local.schema.types
    )
    return replace(local, schema=replace(local.schema, types=types))


def near_place(group: Group, pages: Sequence[Page], paths: Paths) -> RecordLocator:
    return starts._expressions(group, pages, paths, deep=False)


def any_number_of_values(**parts: Any) -> AreaRule:
    return AreaRule(**parts | {"least": 1})


def first_ways(
    places: Sequence[RecordLocator], fields: Sequence[FieldRule], **parts: Any
) -> AreaRule:
    first = tuple(replace(one, readings=one.readings[:1]) for one in fields)
    return AreaRule(places=tuple(places[:1]), fields=first, **parts | {"witness": None})


def any_word(vocabulary: NodeTests, word: str) -> bool:
    return is_quotable(word)


# --- the steps, by the points of the task ---------------------------------------

STEPS: Mapping[str, Sequence[Step]] = {
    "Structure": (
        Step(
            "candidates",
            "elements that look or stand alike are lists, too, whatever they hold",
            change("analysis.candidates", "like_elements", nothing),
        ),
        Step(
            "roles",
            "so are records of several siblings that hold pivots of one role",
            change("analysis.identify_by_role", "identify_by_role", nothing),
        ),
        Step(
            "selection",
            "a fitted model chooses among them; without, the one that displays most",
            strategy(select=longest),
        ),
        Step(
            "asides",
            "what the page calls a sidebar, a menu, an advert is less likely a result",
            change("analysis.boilerplate", "ASIDES", frozenset()),
        ),
        Step(
            "stripes",
            "class tokens of every second record are no marks",
            change("analysis.relative_paths", "stripes", no_marks),
        ),
        Step(
            "fillers",
            "siblings without text are left out of records, some records are short",
            change("analysis.segment", "segment_without_fillers", records.segment),
        ),
    ),
    "Records without the pivot": (
        Step(
            "pivots",
            "any type may mark the records, not the price alone",
            change("strategies", "nodes_of_all_types", first_pivots),
        ),
    ),
    "Values": (
        Step(
            "composed",
            "small elements of several parts are read as one text",
            change("annotate.annotator", "_composed", nothing),
        ),
        Step(
            "cuts",
            "whole texts are cut off where other things are said",
            manner(learn_cut=cuts.no_cut),
        ),
        Step(
            "lines",
            "of texts of several lines, or with a badge, only a part is meant",
            change("analysis.line_values", "line_sources", no_lines),
        ),
        Step(
            "gathered",
            "neighbours that together are the value are read where they stand together",
            change("analysis.record_annotations", "gathered", as_claimed),
        ),
        Step(
            "presumed",
            "texts at a place are values though lists know but a few of them",
            manner(presumes=False),
        ),
    ),
    "Languages": (
        Step(
            "locale",
            "the page tells its language; without, all languages' recognisers work",
            change("passes.analysis", "locale_of", unknown_locale),
        ),
        Step(
            "languages",
            "patterns and lists of other languages than English",
            change("passes.analysis", "locale_of", english),
        ),
        Step(
            "gazetteers",
            "lists of places; without, patterns and names in the markup remain",
            change("passes.analysis", "for_locale", without_places),
        ),
    ),
    "Carrying over": (
        Step(
            "marks",
            "places in records are told by class tokens, not by counting siblings",
            manner(places=places.TagPaths),
        ),
        Step(
            "holds",
            "records may be told by what they hold, not by tag and marks alone",
            change("selectors.record_locators", "_held", nothing),
        ),
        Step(
            "deep",
            "records whose parents nothing tells are sought anywhere in the area",
            change("selectors.record_locators", "_first", near_place),
        ),
        Step(
            "least",
            "what has less than half of the poorest record's values is none",
            change("generalise.rules", "AreaRule", any_number_of_values),
        ),
        Step(
            "locators",
            "a field may be sought at several places, one after the other",
            change("selectors.field_rules", "MAX_LOCATORS", 1)
            + change("selectors.field_rules", "MAX_OTHERS", 1),
        ),
        Step(
            "ensemble",
            "where the first way to records or values fails, others are taken",
            change("generalise.rules", "AreaRule", first_ways),
        ),
        Step(
            "vocabulary",
            "no expression quotes an extracted value",
            change("selectors.node_tests:NodeTests", "allows", any_word),
        ),
        Step(
            "vetoes",
            "nor numbers; names that builds, states and looks give are last resorts",
            change("selectors.node_tests", "veto", none),
        ),
    ),
    "The paper's A1-A3": (
        Step(
            "standing",
            "of several places the one that its values fill, and vary in; without, A1",
            manner(choice=standing.first),
        ),
    ),
    "Evidence of the page itself": (
        Step(
            "names",
            'what the markup calls by its type: class="price", itemprop',
            change("annotate.run", "NameAnnotator", no_annotator),
        ),
        Step(
            "icons",
            "numbers beside an icon or under a tooltip that names their type",
            change("annotate.names", "icons", nothing)
            + change("annotate.names", "LABELLING", ())
            + change("annotate.names", "_tokens_said", tokens_alone),
        ),
        Step(
            "titles",
            'elements and parts of links that are called a title: class="title"',
            change("annotate.builtin", "TITLE_MARK", NOTHING),
        ),
        Step(
            "attributes",
            "values in datetime, content, title, alt and aria-label",
            change("annotate.annotator", "READABLE_ATTRIBUTES", ()),
        ),
        Step(
            "hidden",
            "elements that aren't displayed have no links and images, either",
            change("dom.page:Page", "is_hidden", no)
            + change("dom.page:Page", "is_within_hidden", no),
        ),
    ),
}
"""The steps under the headings of the table."""
