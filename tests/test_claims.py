"""Test the texts at the places of a type, from which cuts are learnt.

In the pages of cases/claims every `li` is a record.  The domain recognises some towns,
addresses such as "12 Old Lane, Oxford", "2 beds", "£900", the names of football clubs,
and headlines.  `said` lists the texts of the records at each place with a value of
`type`.  Each text has the values of that type in it, and those of other types.
"""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from case_pages import Case, cases
from hypothesis import given
from hypothesis import strategies as st
from typed_pages import case_domain

from amber_wrap.analysis.record_annotations import (
    AnnotatedText,
    PlacedAnnotation,
    TextSpan,
    TypeClaims,
    ValuePlace,
    texts_at_paths,
)
from amber_wrap.analysis.relative_paths import Marks
from amber_wrap.annotate.annotate_page import annotate, annotators
from amber_wrap.dom.page import TEXT
from amber_wrap.dom.parse import parse

DOMAIN = case_domain(
    {
        "types": {
            "price": {"kind": "money", "patterns": ["price"]},
            "beds": {"kind": "count", "patterns": ["beds"]},
            "town": {"gazetteers": ["towns"], "whole": True},
            "address": {"patterns": ["address"], "whole": True},
            "club": {"patterns": ["club"]},
            "title": {"annotators": ["headline"], "whole": True},
        },
        "patterns": {
            "price": r"£\d+",
            "beds": r"\d+ beds",
            "address": r"^\d+ \w+ Lane, .+$",
            "club": r"\w+ Dons",
        },
        "gazetteers": {
            "towns": ["Oxford", "Iffley", "Cowley", "Witney", "Milton Keynes"]
        },
    }
)


@pytest.mark.parametrize("case", cases("claims"))
def test_texts_at_each_place_have_the_claims_of_the_case(case: Case) -> None:
    assert {
        place: [
            {
                "text": text.text,
                "own": [text.text[begin:end] for begin, end in text.type_spans],
                "others": [text.text[begin:end] for begin, end in text.other_spans],
            }
            for text in texts
        ]
        for place, texts in texts_of(case).items()
    } == case["said"]


def texts_of(case: Case) -> dict[str, list[AnnotatedText]]:
    """Return the texts at each place; a place is named like a CSS selector."""
    page = parse(case["html"].encode())
    records = [(record,) for record in page.select("//li")]
    places = Marks(page, records)
    place_of = [places.of_record(page, rows) for rows in records]
    claims = [
        [
            PlacedAnnotation(
                node, ValuePlace(paths[node], annotation.source), annotation
            )
            for annotation in annotate(page, DOMAIN.schema, annotators(DOMAIN))
            if (node := page.element(annotation.node)) in paths
        ]
        for paths in place_of
    ]
    kind = DOMAIN.schema[case["type"]]
    found = TypeClaims(page, kind, DOMAIN.schema, claims, claims)
    texts_of_paths = texts_at_paths(found)
    return {
        places.text(path) + ("" if source == TEXT else f" {source}"): texts
        for (path, source), texts in texts_of_paths.items()
    }


TEXT_OF_TEN = "0123456789"
SPANS = st.tuples(st.integers(0, 10), st.integers(0, 10)).filter(lambda s: s[0] < s[1])


@given(own=st.lists(SPANS, max_size=4), others=st.lists(SPANS, max_size=4), part=SPANS)
def test_a_part_of_a_text_has_the_claims_of_its_characters(
    own: list[TextSpan], others: list[TextSpan], part: TextSpan
) -> None:
    """Check that each character of a part has its claims in the whole text."""
    text = AnnotatedText(TEXT_OF_TEN, tuple(own), tuple(others))
    begin, end = part
    within = text.within(part)
    assert within.text == TEXT_OF_TEN[begin:end]
    assert covered(within.text, within.type_spans) == covered(text.text, own) & set(
        within.text
    )
    assert covered(within.text, within.other_spans) == (
        covered(text.text, others) & set(within.text)
    )
    assert text.within((0, 10)) == text
    assert (0, 10) not in text.inner_spans
    assert set(text.type_spans) - set(text.inner_spans) <= {(0, 10)}


def covered(text: str, spans: Iterable[TextSpan]) -> set[str]:
    return {c for begin, end in spans for c in text[begin:end]}
