"""Count the records of a page that support or oppose terms (AMBER paper, section 4).

A term is a part of a value, such as the town in an address. A record supports a term
that its value contains. A record opposes a term that it displays only outside of its
value.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Final

from amber_wrap.analysis.extraction_typing import ExtractionTyping, Record
from amber_wrap.annotate.annotator import Annotation
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.domain.gazetteer_patterns import is_gazetteer
from amber_wrap.domain.learned_lists import learnable
from amber_wrap.domain.schema import Domain
from amber_wrap.learning.thresholds import LEARNING

_SEPARATORS: Final = re.compile(r"[,;|/·•●▪›»→()\[\]{}\"“”]| [-–—~:] |[–—]| {2,}|\n")
"""A pattern of the characters that separate the terms in a displayed value."""
_LABEL: Final = re.compile(r"^[^:]{1,25}: ?(?!//)")
"""A pattern of a label before a value, such as "City:".

"http:" before "//" isn't a label.
"""
_TERM: Final = re.compile(r"[^\W_](?:[^\W_]|[ '’.&-](?=[^ ]))*\.?")
"""A pattern of a term: letters, digits, and punctuation such as hyphens."""
_NUMBER: Final = re.compile(r"^\d[\w-]* |(?<=\w) \d[\w-]*$")
"""A pattern of a number that is the first or last word of a term."""


def split_terms(text: str) -> tuple[str, ...]:
    """Return the terms of a displayed value, in order, each once.

    The terms of "Town: Oxford, Walton Street" are "Oxford" and "Walton Street".
    """
    parts = (part.strip(" .:-") for part in _SEPARATORS.split(_LABEL.sub("", text)))
    return tuple(dict.fromkeys(filter(None, parts)))


def cut_out(text: str, cut_texts: Iterable[str]) -> str:
    """Return a text in which " | " replaces each occurrence of the `cut_texts`."""
    for cut_text in cut_texts:
        if cut_text:
            text = text.replace(cut_text, " | ")
    return text


def holds_term(text: str, term: str) -> bool:
    """Return whether a text holds a term as whole words, in any casing."""
    words = rf"(?<!\w){re.escape(term)}(?!\w)"
    return re.search(words, text, re.IGNORECASE) is not None


@dataclass(frozen=True, slots=True)
class TermVocabulary:
    """The rules for the spelling of new terms of a type. They follow from the terms in
    the type's word lists."""

    words: int = LEARNING.most_words
    """The most words of a term."""
    digits: bool = True
    """Whether a term may have digits."""
    capitalised: bool = False
    """Whether a term must not begin with a small letter."""
    lower: bool = False
    """Whether terms are put in lower case."""

    @classmethod
    def like(cls, terms: Iterable[str]) -> TermVocabulary:
        """Return the rules that most of the given terms follow. Without terms, return
        the default rules."""
        terms = tuple(terms)
        if not terms:
            return cls()
        enough = LEARNING.least_same_case_share * len(terms)
        return cls(
            words=max(LEARNING.most_words, *(len(term.split()) for term in terms)),
            digits=sum(map(_has_digit, terms)) > LEARNING.most_with_digits * len(terms),
            capitalised=sum(term[0].isupper() for term in terms) >= enough,
            lower=sum(term == term.lower() for term in terms) >= enough,
        )

    def learnable_terms(self, terms: Iterable[str]) -> Iterator[str]:
        """Yield the terms that may be added to the word lists.

        If the word lists have no numbers, "12 Walton Street" becomes "Walton Street".
        """
        for term in terms:
            bare = term if self.digits else _NUMBER.sub("", term)
            if self.admits(bare):
                yield self.spelling(bare)

    def admits(self, term: str) -> bool:
        """Return whether a term may be learned.

        Its length and its characters must be valid, and its spelling must be like that
        of the terms in the word lists.
        """
        return (
            2 <= len(term) <= LEARNING.longest_term
            and len(term.split()) <= self.words
            and any(c.isalpha() for c in term)
            and _TERM.fullmatch(term) is not None
            and (self.digits or not _has_digit(term))
            and not (self.capitalised and term[0].islower())
        )

    def spelling(self, term: str) -> str:
        """Return a term in the spelling of a word list, such as "Walton Street" for
        "WALTON STREET".
        """
        if self.lower:
            return term.lower()
        return " ".join(_title(term)) if _is_shouted(term) else term


def _is_shouted(term: str) -> bool:
    """Return whether a term is all in capitals and has more than three letters."""
    return term.isupper() and sum(c.isalpha() for c in term) > 3


def _title(term: str) -> Iterator[str]:
    """Yield the words of a term in title case: "Semi-Detached" and "House" for
    "SEMI-DETACHED HOUSE".
    """
    for word in term.split(" "):
        yield "-".join(part[:1] + part[1:].lower() for part in word.split("-"))


def _has_digit(term: str) -> bool:
    """Return whether a term has a digit."""
    return any(c.isdigit() for c in term)


_Key = tuple[str, str]
"""The key of a term: its attribute type, such as "city", and its text."""


@dataclass(frozen=True, slots=True, order=True)
class Observation:
    """Counts of the records on one page that support or oppose a term.

    For example, the term is "Oxford", and its type is `city`. A record supports the
    term if its city contains "Oxford". A record opposes the term if it has another
    city, but displays "Oxford" elsewhere.
    """

    type: str
    term: str
    supporting: int
    """The number of records whose value contains the term: freq+ in the AMBER paper."""
    opposing: int
    """The number of records that display the term outside of their value: freq-."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A page, with the numbers of its records that support or oppose terms."""

    page: str
    """The name of the page's file."""
    sha256: str
    """The digest of the file, in hexadecimal digits."""
    site: str
    """The name of the site that the page was saved from."""
    observations: tuple[Observation, ...]


@dataclass(frozen=True, slots=True)
class Evidence:
    """Counts of the records on all pages that support or oppose a term.

    For example, the term is "Oxford", and its type is `city`. A record supports the
    term if its city contains "Oxford". A record opposes the term if it has another
    city, but displays "Oxford" elsewhere.
    """

    type: str
    term: str
    supporting: int = 0
    """The number of records whose value contains the term: ev(v, U) in the AMBER paper.
    """
    opposing: int = 0
    """The number of records that display the term outside of their value: ev(v, U-bar).
    """
    sites: tuple[str, ...] = ()
    """The names of the sites with supporting records."""
    pages: tuple[str, ...] = ()
    """The names of the pages with supporting records."""
    opposing_sites: tuple[str, ...] = ()
    """The names of the sites with opposing records."""
    opposing_pages: tuple[str, ...] = ()
    """The names of the pages with opposing records."""


def gather_evidence(lessons: Iterable[Lesson]) -> tuple[Evidence, ...]:
    """Return the numbers of records for each type and term, summed over all pages.

    "Oxford" and "OXFORD" are one term, in the casing that most records support.
    """
    by_term: dict[_Key, list[tuple[Lesson, Observation]]] = defaultdict(list)
    for lesson in lessons:
        for seen in lesson.observations:
            by_term[seen.type, seen.term.casefold()].append((lesson, seen))

    def casing(observations: Iterable[Observation]) -> str:
        votes: Counter[str] = Counter()
        for seen in observations:
            votes[seen.term] += seen.supporting
        return min(votes, key=lambda term: (-votes[term], term))

    evidence = []
    for (kind, _), pairs in sorted(by_term.items()):
        supporting = [lesson for lesson, seen in pairs if seen.supporting]
        opposing = [lesson for lesson, seen in pairs if seen.opposing]
        evidence.append(
            Evidence(
                type=kind,
                term=casing(seen for _, seen in pairs),
                supporting=sum(seen.supporting for _, seen in pairs),
                opposing=sum(seen.opposing for _, seen in pairs),
                sites=tuple(sorted({lesson.site for lesson in supporting})),
                pages=tuple(sorted({lesson.page for lesson in supporting})),
                opposing_sites=tuple(sorted({lesson.site for lesson in opposing})),
                opposing_pages=tuple(sorted({lesson.page for lesson in opposing})),
            )
        )
    return tuple(evidence)


def observe(
    page: Page,
    annotations: Sequence[Annotation],
    typing: ExtractionTyping,
    domain: Domain,
    vocabularies: Mapping[str, TermVocabulary],
) -> tuple[Observation, ...]:
    """Return the numbers of records on a page that support or oppose each term.

    A record supports a term that is a part of one of its values, such as the town in
    its address. A record opposes a term of a word list if it displays the term only
    outside of its value. This is section 4 of the AMBER paper.
    """
    supporting: Counter[_Key] = Counter()
    opposing: Counter[_Key] = Counter()
    pattern_annotations = sorted(
        (page.element(annotation.node), annotation)
        for annotation in annotations
        if annotation.recogniser in domain.patterns
    )
    for area in typing.areas:
        for record, attributes in zip(area.records, area.attributes, strict=True):
            in_record = tuple(_annotations_in(page, record, pattern_annotations))
            value_of_type = {
                attribute.type: attribute.text
                for attribute in attributes
                if attribute.type in vocabularies and attribute.text is not None
            }
            for kind, text in value_of_type.items():
                # The postcode behind a town is no part of the town's name.
                other_types = (a.matched for a in in_record if a.type != kind)
                terms = split_terms(cut_out(text, other_types))
                learnable_terms = vocabularies[kind].learnable_terms(terms)
                supporting.update((kind, term) for term in learnable_terms)
            opposing.update(
                {
                    (noise.type, vocabularies[noise.type].spelling(noise.text))
                    for noise in area.noise.get(record.start, ())
                    if noise.type in value_of_type
                    and is_gazetteer(noise.recogniser)
                    and not holds_term(value_of_type[noise.type], noise.text)
                }
            )
    return tuple(
        Observation(*key, supporting[key], opposing[key])
        for key in sorted(supporting.keys() | opposing.keys())
    )


def vocabularies(domain: Domain) -> dict[str, TermVocabulary]:
    """Return the rules for spelling new terms, by the name of the attribute type.

    Types that can't learn terms are left out.
    """
    return {
        kind.name: TermVocabulary.like(
            term for name in kind.gazetteers for term in domain.gazetteers[name].terms
        )
        for kind in learnable(domain.schema)
    }


def _annotations_in(
    page: Page, record: Record, annotations: Sequence[tuple[NodeId, Annotation]]
) -> Iterator[Annotation]:
    """Yield the annotations in a record, which are texts that may be values.

    `annotations` are pairs of an element and its annotation, sorted by element.
    """
    for node in record.nodes:
        first = bisect_left(annotations, node, key=itemgetter(0))
        end = bisect_left(annotations, node + page.size[node], key=itemgetter(0))
        for _, annotation in annotations[first:end]:
            yield annotation
