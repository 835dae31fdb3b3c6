"""Test cuts: how the parts of texts around their values are learnt.

The `texts` of a case in cases/cuts mark values: `[own Berlin]` is a value of the type,
`[other 3 rooms]` is one of another type.  In a `headline` all of each text is a value,
too.  `before` and `after` are the delimiters to be learnt.  `heads` and `tails` are
texts that most texts share, without those that the `topic` of the page names.
`values` are the texts without the cut parts; `unseen` maps texts of other pages to
their values.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from case_pages import MARK, Case, cases
from hypothesis import given
from hypothesis import strategies as st

from amber_wrap.analysis.record_annotations import AnnotatedText, TextSpan
from amber_wrap.analysis.thresholds import ALIGNMENT
from amber_wrap.analysis.words_to_trim import (
    DELIMITER,
    LABEL,
    NO_CUT,
    Trimming,
    learn_cut,
)


@pytest.mark.parametrize("case", cases("cuts"))
def test_learn_cut_finds_the_delimiters_of_the_case(case: Case) -> None:
    assert learn_cut(texts_of(case), case.get("topic", "")) == Trimming(
        frozenset(case.get("before", ())),
        frozenset(case.get("after", ())),
        frozenset(case.get("heads", ())),
        frozenset(case.get("tails", ())),
    )


@pytest.mark.parametrize("case", cases("cuts"))
def test_cut_texts_are_the_values_of_the_case(case: Case) -> None:
    cut = learn_cut(texts_of(case), case.get("topic", ""))
    assert [value_of(cut, said.text) for said in texts_of(case)] == case["values"]
    unseen: dict[str, str] = case.get("unseen", {})
    assert {text: value_of(cut, text) for text in unseen} == unseen


@pytest.mark.parametrize(
    "unit", [" in ", " - ", " | ", "| ", ", ", "( ", ", - in | ", "in", " ", "in x - "]
)
@pytest.mark.parametrize(
    "cut",
    [
        Trimming(frozenset({" in ", " | "}), frozenset({" - ", ", ", " | "})),
        Trimming(frozenset({" - ", ", "}), frozenset({" ("})),
        Trimming(
            frozenset({" in "}),
            frozenset({" - "}),
            frozenset({"in x"}),
            frozenset({r"in \d[\d.,]* x"}),
        ),
    ],
)
def test_a_long_hostile_text_is_cut_without_backtracking(
    unit: str, cut: Trimming
) -> None:
    """Cut long texts: the test doesn't end if the pattern backtracks."""
    text = (unit * 20_000)[:20_000]
    for hostile in (text, f"{text}a", f"a{text}"):
        begin, end = cut.value_span(hostile)
        assert 0 <= begin < end <= len(hostile)


def test_an_empty_text_has_an_empty_value() -> None:
    assert Trimming(frozenset({" in "}), frozenset({" - "})).value_span("") == (0, 0)


def test_no_cut_leaves_a_text_unchanged() -> None:
    assert not NO_CUT
    assert Trimming.union([]) == NO_CUT
    assert NO_CUT.value_span("3er WG in Berlin") == (0, len("3er WG in Berlin"))


# --- what always holds ------------------------------------------------------------

WEAK, STRONG = (" - ", ", ", " (", " in ", " : "), (" | ", " • ")
DELIMITERS = WEAK + STRONG
WORDS = st.sampled_from(("Berlin", "3 rooms", "York", "12", "Ü", "new", "x.y", "m²"))


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Draw words with delimiters between them, as a page displays them."""
    first, rest = (
        draw(WORDS),
        draw(st.lists(st.tuples(st.sampled_from(DELIMITERS), WORDS), max_size=6)),
    )
    return first + "".join(delimiter + word for delimiter, word in rest)


@st.composite
def said(draw: st.DrawFn) -> AnnotatedText:
    """Draw a text with values of the type and of others."""
    text = draw(texts())
    own: list[TextSpan] = []
    others: list[TextSpan] = []
    for word in re.finditer(r"\w+", text):
        draw(st.sampled_from((own, others, []))).append(word.span())
    return AnnotatedText(text, tuple(own), tuple(others))


CUTS = st.builds(
    Trimming,
    st.frozensets(st.sampled_from(DELIMITERS)),
    st.frozensets(st.sampled_from(DELIMITERS)),
)


@given(cut=CUTS, text=texts())
def test_cut_values_are_between_delimiters(cut: Trimming, text: str) -> None:
    begin, end = cut.value_span(text)
    assert 0 <= begin < end <= len(text)
    assert begin == 0 or text[:begin].endswith(tuple(cut.delimiters_before))
    assert end == len(text) or text[end:].startswith(tuple(cut.delimiters_after))
    assert text[begin:end] == text[begin:end].strip()
    match = re.search(cut.pattern, text)
    assert match
    assert match["value"] == text[begin:end]
    assert match.re.groups == 1


@given(delimiter=st.sampled_from(DELIMITERS), text=texts())
def test_a_delimiter_cuts_at_its_first_or_last_occurrence(
    delimiter: str, text: str
) -> None:
    """Cut before the value at the first one; behind it at the last, or first sign."""
    before = Trimming(delimiters_before=frozenset({delimiter}))
    assert value_of(before, text) == text.split(delimiter, 1)[-1]
    after = Trimming(delimiters_after=frozenset({delimiter}))
    split = text.split if delimiter in STRONG else text.rsplit
    assert value_of(after, text) == split(delimiter, 1)[0]


@given(one=CUTS, other=CUTS, third=CUTS)
def test_a_union_of_cuts_behaves_like_a_union_of_sets(
    one: Trimming, other: Trimming, third: Trimming
) -> None:
    both = Trimming.union([one, other])
    assert both == Trimming.union([other, one])
    assert both == Trimming.union([one, other, both])
    assert Trimming.union([both, third]) == Trimming.union(
        [one, Trimming.union([other, third])]
    )
    assert bool(both) == (bool(one) or bool(other))


@given(annotated_texts=st.lists(said(), max_size=12), data=st.data())
def test_learnt_delimiters_occur_in_enough_texts_in_any_order(
    annotated_texts: list[AnnotatedText], data: st.DataObject
) -> None:
    cut = learn_cut(annotated_texts)
    assert cut == learn_cut(data.draw(st.permutations(annotated_texts)))
    for delimiter in cut.delimiters_before | cut.delimiters_after:
        holding = [text for text in annotated_texts if delimiter in text.text]
        assert len(holding) >= ALIGNMENT.least_texts
        assert DELIMITER.search(holding[0].text)


@given(annotated_texts=st.lists(said(), min_size=3, max_size=8))
def test_only_a_label_is_learnt_from_texts_without_other_values(
    annotated_texts: list[AnnotatedText],
) -> None:
    cut = learn_cut(
        [AnnotatedText(text.text, text.type_spans, ()) for text in annotated_texts]
    )
    labels = {
        match and match[0]
        for match in (LABEL.match(text.text) for text in annotated_texts)
    }
    assert cut == NO_CUT or (
        len(labels) == 1 and None not in labels and not cut.delimiters_after
    )


def test_a_label_of_one_letter_is_learnt() -> None:
    annotated_texts = [AnnotatedText("Ü : Berlin", ((4, 10),), ())] * 3
    assert learn_cut(annotated_texts) == Trimming(delimiters_before=frozenset({" : "}))


# --- from a case to texts -----------------------------------------------------------


def texts_of(case: Case) -> list[AnnotatedText]:
    return [shown_text(marked, case.get("headline", False)) for marked in case["texts"]]


def shown_text(marked: str, headline: bool) -> AnnotatedText:
    """Remove the marks from a text, and keep their spans."""
    spans: dict[str, list[TextSpan]] = {"own": [], "other": []}
    text, end = "", 0
    for mark in MARK.finditer(marked):
        text += marked[end : mark.start()]
        spans[mark[1]].append((len(text), len(text) + len(mark[2])))
        text, end = text + mark[2], mark.end()
    text += marked[end:]
    own: Sequence[TextSpan] = [(0, len(text))] if headline else spans["own"]
    return AnnotatedText(text, tuple(own), tuple(spans["other"]))


def value_of(cut: Trimming, text: str) -> str:
    begin, end = cut.value_span(text)
    return text[begin:end]
