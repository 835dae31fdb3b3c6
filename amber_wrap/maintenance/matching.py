"""Match the lists and fields of an old wrapper to those of a new one."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from amber_wrap.annotate.element_labels import label_of
from amber_wrap.dom.page import Page
from amber_wrap.engine.output_rows import ExtractedRecord, interpret
from amber_wrap.maintenance.thresholds import HEALING
from amber_wrap.values.texts import shape_of
from amber_wrap.wrapper.ir import AreaRule, FieldRule, Locator, Wrapper

Verdict = Literal["kept", "moved", "reshaped", "lost", "gained"]
"""The change of a field from the old to the new wrapper (`FieldMatch.verdict`)."""


@dataclass(frozen=True, slots=True)
class KnownTexts:
    """The displayed values and the usual labels of each field on the old sample
    pages.
    """

    values: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """The displayed values, by the name of the field."""
    labels: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """The labels, such as "Price", that most values of a field have, by the field's
    name.
    """


@dataclass(frozen=True, slots=True)
class FieldMatch:
    """One field of a list, as the old wrapper and the new wrapper read it."""

    name: str
    old: FieldRule | None
    """The field's rule in the old wrapper, or None if only the new wrapper has the
    field.
    """
    new: FieldRule | None
    """The field's rule in the new wrapper, or None if only the old wrapper has the
    field.
    """
    old_count: int
    """The number of values that the old wrapper reads on the new pages."""
    new_count: int
    """The number of values that the new wrapper reads on the new pages."""
    expected_share: float
    """The share of records (0 to 1) in which the old wrapper expects a value."""
    known_shape_share: float
    """The share (0 to 1) of new values whose shape occurs among the old values. Texts
    of one kind and of similar length have the same shape. The kinds are links, numbers,
    words and mixed texts."""

    @property
    def verdict(self) -> Verdict:
        """The change of the field from the old to the new wrapper, in one word.

        The word is one of these:

        - "gained" if the old wrapper lacks the field,
        - "lost" if the new wrapper has no values,
        - "reshaped" if most values have another pattern of characters than before,
        - "kept" if the expressions are the same,
        - "moved" if the expressions are new.
        """
        if self.old is None:
            return "gained"
        if not self.new_count:
            return "lost"
        if self.known_shape_share < HEALING.least_continued_share:
            return "reshaped"
        return "kept" if best_locators(self.old) == best_locators(self.new) else "moved"


@dataclass(frozen=True, slots=True)
class AreaMatch:
    """A list of the old wrapper, and the list of the new wrapper with the same values.

    `old` or `new` is None for a list without a counterpart.
    """

    old: AreaRule | None
    """The list of the old wrapper, or None if only the new wrapper has the list."""
    new: AreaRule | None
    """The list of the new wrapper, or None if only the old wrapper has the list."""
    old_count: int
    """The number of records of the old list on the new pages."""
    new_count: int
    """The number of records of the new list on the new pages."""
    fields: tuple[FieldMatch, ...]
    known_value_count: int
    """The number of values of the new list that the old sample pages display, too."""
    fit: float
    """The share (0 to 1) of the old list's expected values that the new list has.

    If `old` is None, it is the greatest such share for any old list.
    """

    @property
    def is_kept(self) -> bool:
        """Whether the new list stays in the repaired wrapper.

        It stays if it is paired with an old list, or has nearly all expected values of
        one.
        """
        if self.new is None:
            return False
        return self.old is not None or self.fit >= HEALING.least_further_fit


def best_locators(rule: FieldRule | None) -> tuple[Locator, ...]:
    """Return the XPath expressions of a field that are tried first, or () without a
    rule.
    """
    return rule.readings[0].locators if rule else ()


def known_texts(wrapper: Wrapper, pages: Iterable[Page]) -> KnownTexts:
    """Return the values and labels of the fields that a wrapper reads on pages.

    A field that a person renamed is listed under both names.
    """
    old_names = dict(wrapper.renamed)
    values: dict[str, list[str]] = defaultdict(list)
    labels: dict[str, Counter[str]] = defaultdict(Counter)
    for page in pages:
        for record in interpret(wrapper, page):
            for name, value in record.values.items():
                label = label_of(page, value.node)
                for known_name in dict.fromkeys((name, old_names.get(name, name))):
                    values[known_name].append(value.text)
                    labels[known_name][label] += 1
    usual_labels = {
        name: frozenset(
            label
            for label, count in label_counts.items()
            if label and 2 * count > label_counts.total()
        )
        for name, label_counts in labels.items()
    }
    return KnownTexts(
        {name: frozenset(texts) for name, texts in values.items()},
        {name: texts for name, texts in usual_labels.items() if texts},
    )


def match_areas(
    old: Wrapper, new: Wrapper, pages: Sequence[Page], known: KnownTexts
) -> tuple[AreaMatch, ...]:
    """Pair the lists of an old wrapper with those of a new wrapper, the best pair
    first.

    A pair needs a new list with at least half of the old list's expected values on
    `pages`. Lists without a counterpart follow at the end, paired with None.
    """
    old_records = [record for page in pages for record in interpret(old, page)]
    new_records = [record for page in pages for record in interpret(new, page)]
    candidates = sorted(
        (
            match_pair(old_area, new_area, old_records, new_records, known)
            for old_area in old.areas
            for new_area in new.areas
        ),
        key=lambda candidate: (-candidate.fit, -candidate.known_value_count),
    )
    matches: list[AreaMatch] = []
    for candidate in candidates:
        is_taken = any(
            candidate.old is match.old or candidate.new is match.new
            for match in matches
        )
        if candidate.fit >= HEALING.least_continued_share and not is_taken:
            matches.append(candidate)
    for area in old.areas:
        if all(match.old is not area for match in matches):
            matches.append(match_pair(area, None, old_records, new_records, known))
    for area in new.areas:
        if all(match.new is not area for match in matches):
            fit = max(
                candidate.fit for candidate in candidates if candidate.new is area
            )
            match = match_pair(None, area, old_records, new_records, known)
            matches.append(replace(match, fit=fit))
    return tuple(matches)


def match_pair(
    old: AreaRule | None,
    new: AreaRule | None,
    old_records: Iterable[ExtractedRecord],
    new_records: Iterable[ExtractedRecord],
    known: KnownTexts,
) -> AreaMatch:
    """Compare a list of the old wrapper with a list of the new wrapper.

    `old` or `new` is None if a list has no counterpart. `old_records` are all records
    that the old wrapper reads on the new pages, and `new_records` those of the new
    wrapper. `known` has the values on the old sample pages.
    """
    old_area_records = [
        record for record in old_records if old and record.area == old.name
    ]
    new_area_records = [
        record for record in new_records if new and record.area == new.name
    ]
    old_rules = {rule.name: rule for rule in old.fields} if old else {}
    new_rules = {rule.name: rule for rule in new.fields} if new else {}
    contract = old.contract if old else None
    fields = []
    known_value_count = 0
    for name in dict.fromkeys((*old_rules, *new_rules)):
        texts = _texts(new_area_records, name)
        old_shapes = contract.shapes.get(name) if contract else None
        known_shapes = sum(
            old_shapes is None or shape_of(text) in old_shapes for text in texts
        )
        expected_share = 0.0
        if name in old_rules:
            expected_share = contract.fill.get(name, 0.0) if contract else 1.0
        fields.append(
            FieldMatch(
                name=name,
                old=old_rules.get(name),
                new=new_rules.get(name),
                old_count=len(_texts(old_area_records, name)),
                new_count=len(texts),
                expected_share=expected_share,
                known_shape_share=known_shapes / len(texts) if texts else 1.0,
            )
        )
        known_values = known.values.get(name, frozenset())
        known_value_count += sum(text in known_values for text in texts)
    return AreaMatch(
        old=old,
        new=new,
        old_count=len(old_area_records),
        new_count=len(new_area_records),
        fields=tuple(fields),
        known_value_count=known_value_count,
        fit=fit_of_fields(fields, len(new_area_records)),
    )


def fit_of_fields(fields: Iterable[FieldMatch], record_count: int) -> float:
    """Return the share (0 to 1) of an old list's expected values that a new list has.

    `fields` compares the fields of the two lists. `record_count` is the number of
    records in the new list. The values of a field count half if most look different
    from the old values. Return 0 if no values are expected.
    """
    expected = found = 0.0
    for field_match in fields:
        weight = (
            1.0
            if field_match.known_shape_share >= HEALING.least_continued_share
            else 0.5
        )
        filled_share = field_match.new_count / max(1, record_count)
        expected += field_match.expected_share
        found += weight * min(field_match.expected_share, filled_share)
    return found / expected if expected else 0.0


def _texts(records: Iterable[ExtractedRecord], name: str) -> list[str]:
    """Return the displayed values of the field `name` in records."""
    return [record.values[name].text for record in records if name in record.values]


def successors(
    old: Wrapper, new: Wrapper, pages: Iterable[Page], known: KnownTexts
) -> dict[str, str]:
    """Return the new names of renamed columns, by the old names.

    A column counts as renamed if most of its values are in `known` as values of the old
    column.
    """
    old_fields, new_fields = dict(old.fields), dict(new.fields)
    lost_columns = [
        name for name in old.keys if name in old_fields and name not in new_fields
    ]
    texts: dict[str, list[str]] = {
        name: [] for name in new.keys if name in new_fields and name not in old_fields
    }
    for page in pages if lost_columns and texts else ():
        for record in interpret(new, page):
            for name in texts.keys() & record.values.keys():
                texts[name].append(record.values[name].text)
    candidates = []
    for lost in lost_columns:
        known_values = known.values.get(lost, frozenset())
        for gained, gained_texts in texts.items():
            shared = [text for text in gained_texts if text in known_values]
            is_known = len(shared) >= HEALING.least_continued_share * len(gained_texts)
            if is_known and len(set(shared)) >= HEALING.least_different_values:
                candidates.append((-len(shared) / len(gained_texts), lost, gained))
    successor_names: dict[str, str] = {}
    for _, lost, gained in sorted(candidates):
        if lost not in successor_names and gained not in successor_names.values():
            successor_names[lost] = gained
    return successor_names
