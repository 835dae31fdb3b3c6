"""Test the pass `annotate`: the claims of annotators, and which claims are kept.

The marks in the `html` of a case are the values that its annotators find in the page
without marks.  `also` lists values that overlap others, which marks can't show.
`matched` lists the matched texts, where they are longer than the values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from case_pages import Case, annotated_page, cases
from hypothesis import given
from hypothesis import strategies as st
from typed_pages import case_domain

from amber_wrap.annotate.annotate_page import annotate, annotators, reconcile
from amber_wrap.annotate.annotator import READABLE_ATTRIBUTES, TEXT, Annotation, Texts
from amber_wrap.annotate.gazetteer_annotator import GazetteerAnnotator
from amber_wrap.annotate.locale import Locale, for_locale
from amber_wrap.annotate.pattern_annotator import PatternAnnotator
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.dom.parse import parse
from amber_wrap.domain.loader import load_domain
from amber_wrap.domain.schema import AttributeType, Gazetteer, Schema, ValueKind


@pytest.mark.parametrize("case", cases("annotate"))
def test_annotations_are_those_that_the_case_marks(case: Case) -> None:
    page, annotations = annotated(case)
    marked = {
        place(page, annotation)
        for annotation in annotated_page(case["html"]).annotations
    }
    places = {place(page, annotation): annotation for annotation in annotations}
    assert len(places) == len(annotations)
    assert {
        annotation: str(places[annotation])
        for annotation in places
        if annotation in marked
    } == {annotation: str(places.get(annotation)) for annotation in marked}
    also = [
        f"{annotation.type} {annotation.text}"
        for at, annotation in places.items()
        if at not in marked
    ]
    assert also == case.get("also", [])


@pytest.mark.parametrize("case", cases("annotate"))
def test_matches_may_be_longer_than_the_values(case: Case) -> None:
    _, annotations = annotated(case)
    assert [annotation.matched for annotation in annotations] == case.get(
        "matched", [annotation.text for annotation in annotations]
    )


@pytest.mark.parametrize("case", cases("annotate"))
def test_annotations_are_sorted_and_their_spans_hold_their_texts(case: Case) -> None:
    page, annotations = annotated(case)
    assert list(annotations) == sorted(annotations)
    for annotation in annotations:
        assert (
            text_at(page, annotation)[annotation.start : annotation.end]
            == annotation.text
        )
        assert annotation.text in annotation.matched


@pytest.mark.parametrize(
    ("row", "claims"),
    [
        (
            "<p>Bedrooms 2 Bathrooms 1 Receptions 3</p>",
            ["bedrooms 2", "bathrooms 1", "receptions 3"],
        ),
        (
            "<p>Bedrooms <i>Bathrooms</i> <b>1</b> <i>Receptions</i> <b>2</b></p>",
            ["bathrooms 1", "receptions 2"],
        ),
        ("<p>3 Bedrooms 2 Bathrooms 1</p>", ["bedrooms 3", "bathrooms 2"]),
    ],
)
def test_each_number_in_a_row_belongs_to_one_label(row: str, claims: list[str]) -> None:
    domain = for_locale(load_domain("real-estate"), Locale("en"))
    annotations = annotate(parse(row.encode()), domain.schema, annotators(domain))
    assert [
        f"{annotation.type} {annotation.text}" for annotation in annotations
    ] == claims


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("1 March 2026", ["date 1 March 2026"]),
        ("March 1, 2026", ["date March 1, 2026"]),
        ("March 2019", ["year 2019"]),
        ("03/2019", ["year 03/2019"]),
        ("Registered 12 March 2018", ["year 2018"]),
    ],
)
def test_the_year_within_a_date_is_not_a_model_year(
    text: str, claims: list[str]
) -> None:
    domain = for_locale(load_domain("used-cars"), Locale("en"))
    page = parse(f"<p>{text}</p>".encode())
    annotations = annotate(page, domain.schema, annotators(domain))
    assert [
        f"{annotation.type} {annotation.text}" for annotation in annotations
    ] == claims


def annotated(case: Case) -> tuple[Page, tuple[Annotation, ...]]:
    page, domain = annotated_page(case["html"]).page, case_domain(case)
    return page, annotate(page, domain.schema, annotators(domain))


def place(page: Page, annotation: Annotation) -> tuple[NodeId, str, int, str, str]:
    return (
        page.element(annotation.node),
        annotation.source,
        annotation.start,
        annotation.type,
        annotation.text,
    )


def text_at(page: Page, annotation: Annotation) -> str:
    if page.is_text(annotation.node):
        assert annotation.source == TEXT
        return page.text[annotation.node]
    return page.source_text(annotation.node, annotation.source)


# --- what always holds ------------------------------------------------------------

WORDS = ("a", "A b", "ab\tB", "é\u2028aİ", "İßb", "x", "SS-a", "&#11;", "", "12 b")


@st.composite
def pages(draw: st.DrawFn) -> Page:
    """Draw nested elements with texts and readable attributes."""
    words = st.sampled_from(WORDS)
    html, opened = "<body>", 0
    for tag in draw(st.lists(st.sampled_from(("p", "b", "div")), min_size=1)):
        name = draw(st.sampled_from((*READABLE_ATTRIBUTES, "class")))
        html += f'<{tag} {name}="{draw(words)}">{draw(words)}'
        opened += 1
        while opened and draw(st.booleans()):
            html += f"</{tag}>{draw(words)}"
            opened -= 1
    return parse(html.encode())


@given(page=pages())
def test_locate_returns_the_text_around_every_offset(page: Page) -> None:
    texts = Texts(page)
    located = set()
    for offset in range(len(texts.joined)):
        text, start, owners = texts.locate(offset)
        assert start <= offset <= start + len(text)
        assert f"\n{texts.joined}\n"[start:].startswith(f"\n{text}\n")
        for node, source in owners:
            assert text == page.text[node] or text == page.source_text(
                page.element(node), source
            )
        located |= set(owners)
    for number, (start, end) in enumerate(texts.spans):
        has_digit = any(map(str.isdecimal, texts.joined[start:end]))
        assert has_digit == (number < texts.numeric)
    assert located >= {(n, TEXT) for n in range(len(page)) if page.is_text(n)}
    assert located >= {
        (node, f"@{name}")
        for node in page.elements()
        for name, text in page.attributes[node].items()
        if name in READABLE_ATTRIBUTES and text.strip()
    }


EXPRESSIONS = (
    r"[^x]+",
    r"a[^b]*b|a",
    r"^a|B$",
    r"\ba",
    r"(?P<value>a) ?b",
    r"(?<![a-z])b|\n",
)


@given(page=pages(), expression=st.sampled_from(EXPRESSIONS))
def test_a_pattern_annotator_claims_every_match_in_each_text(
    page: Page, expression: str
) -> None:
    texts = Texts(page)
    expected = [
        (node, source, match[match.lastgroup or 0], match[0])
        for node, source, line in texts
        for match in re.finditer(expression, line)
    ]
    annotator = PatternAnnotator({"kind": ["name"]}, {"name": expression})
    claims = annotator.annotate(page, texts)
    assert sorted(
        (claim.node, claim.source, claim.text, claim.matched) for claim in claims
    ) == sorted(expected)


TERM = st.lists(
    st.text(st.sampled_from("abBSßİi2."), min_size=1, max_size=3),
    min_size=1,
    max_size=2,
)


@given(
    displayed=st.lists(TERM.map(" ".join), min_size=1, max_size=4),
    lists=st.lists(st.sets(TERM.map("-".join) | TERM.map(" ".join), max_size=4)),
)
def test_a_gazetteer_claims_the_longest_term_that_begins_at_a_place(
    displayed: list[str], lists: list[set[str]]
) -> None:
    page = parse("".join(f"<p>{text}</p>" for text in displayed).encode())
    texts = Texts(page)
    terms = {f"kind{i}": sorted(found) for i, found in enumerate(lists)}
    gazetteers = {
        kind: [Gazetteer("name", tuple(found), "the test", "none")]
        for kind, found in terms.items()
    }
    expected = [
        (node, source, start, kind, max(fitting, key=len))
        for node, source, line in texts
        for start in range(len(line))
        for kind, found in terms.items()
        if (fitting := list(words_at(line, start, found)))
    ]
    found = GazetteerAnnotator(gazetteers).annotate(page, texts)
    assert sorted(expected) == sorted(
        (claim.node, claim.source, claim.start, claim.type, claim.text)
        for claim in found
    )


def words_at(line: str, start: int, terms: list[str]) -> Iterator[str]:
    """Yield the words at a place that a term stands for."""
    for end in range(start + 1, len(line) + 1):
        word = line[start:end]
        whole = not any(
            line[i - 1 : i].isalnum() and line[i : i + 1].isalnum()
            for i in (start, end)
            if i
        )
        if whole and any(stands_for(term, word) for term in terms):
            yield word


def stands_for(term: str, word: str) -> bool:
    if term == term.lower():
        return lower(word) in (lower(term), lower(term.upper()))
    return word in (term, term.upper())


def lower(word: str) -> str:
    """Return a word in lower case, except letters whose lower-case form is longer."""
    return "".join(c.lower() if len(c.lower()) == 1 else c for c in word)


KINDS = tuple(AttributeType(name, ValueKind.TEXT, regular=True) for name in "abc")
CLAIMS = st.builds(
    lambda node, start, length, kind, more: Annotation(
        node,
        TEXT,
        start,
        start + length,
        kind,
        length * "x",
        (length + more) * "x",
        "name",
    ),
    st.integers(0, 1),
    st.integers(0, 9),
    st.integers(1, 5),
    st.sampled_from("abc"),
    st.integers(0, 3),
)


@given(
    claims=st.lists(CLAIMS, unique=True, max_size=12),
    disjoint=st.sets(st.sampled_from((("a", "b"), ("c", "a"), ("b", "c")))),
)
def test_exactly_the_annotations_that_contradict_better_ones_are_removed(
    claims: list[Annotation], disjoint: set[tuple[str, str]]
) -> None:
    schema = Schema(KINDS, pivots=("a",), disjoint=tuple(sorted(disjoint)))

    def contradict(one: Annotation, other: Annotation) -> bool:
        pair = one.type, other.type
        rivals = pair[0] == pair[1] or pair in disjoint or pair[::-1] in disjoint
        overlap = one.start < other.end and other.start < one.end
        return one.node == other.node and rivals and overlap

    def worth(one: Annotation) -> tuple[int, int]:
        return len(one.matched), -"abc".index(one.type)

    kept = reconcile(sorted(claims), schema)
    assert list(kept) == sorted(set(kept))
    for one in kept:
        assert not any(contradict(one, other) for other in kept if other != one)
    for one in set(claims) - set(kept):
        assert any(
            contradict(one, other) and worth(other) >= worth(one) for other in kept
        )
