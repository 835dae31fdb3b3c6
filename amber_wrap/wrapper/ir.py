"""The wrapper: page-free rules, the compiler's intermediate representation.

How a wrapper is read (the interpreter and every generated file do the same):

* each node that `AreaRule.root` selects is a data area; each node that
  `AreaRule.record` selects from it starts a record, unless it is not displayed (a row
  for scripts to copy);
* the record's rows are its start and the siblings that follow, blank ones left out,
  up to `span` of them, the next start or the end;
* a field's value comes from the first of its locators that gives one: the first
  node that the locator's expression selects from the record's row `row`, whose
  `source` holds a text that the pattern matches; the value is the pattern's group
  `value` if it has one, else all that it matches;
* a record with fewer than `least` values is left out, and so is one that starts where
  a record of an earlier area rule does; the others come in document order.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from amber_wrap.dom.page import TEXT
from amber_wrap.domain.schema import AttributeType, ValueKind
from amber_wrap.errors import WrapperError

FORMAT = 1
"""The number of this representation: a wrapper of another number isn't read."""


@dataclass(frozen=True, slots=True)
class Locator:
    """One way to a value: `xpath` is relative to the record's row number `row`.

    `source` is one of `embedded.markup.read_node`; `pattern` names one of the
    wrapper's patterns, None takes the text as it is.
    """

    xpath: str
    source: str = TEXT
    pattern: str | None = None
    row: int = 0


@dataclass(frozen=True, slots=True)
class FieldRule:
    """How one attribute type is read from a record: its locators, best first."""

    name: str
    locators: tuple[Locator, ...]


@dataclass(frozen=True, slots=True)
class AreaRule:
    """One kind of data area: where it is, where its records start, what they hold.

    What holds fewer than `least` values, an advert say, is no record.
    """

    name: str
    root: str
    record: str
    span: int
    least: int
    fields: tuple[FieldRule, ...]


@dataclass(frozen=True, slots=True)
class Sample:
    """A page that the wrapper was induced from: its file name and SHA-256 (hex)."""

    name: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Wrapper:
    """All that a generated file knows.

    `fields` are the attribute types of the records with their kinds, in output order;
    `patterns` are (name, regular expression) pairs, sorted by name; in them `{name}`
    stands for another one.
    """

    domain: str
    samples: tuple[Sample, ...]
    fields: tuple[tuple[str, ValueKind], ...]
    patterns: tuple[tuple[str, str], ...]
    areas: tuple[AreaRule, ...]

    def __post_init__(self) -> None:
        for name, kind in self.fields:
            AttributeType(name, kind)
        names, patterns = dict(self.fields), dict(self.patterns)
        for area in self.areas:
            if area.span < 1:
                raise ValueError(f"area {area.name!r}: a record spans at least one row")
            if area.least < 1:
                raise ValueError(f"area {area.name!r}: a record has at least one value")
            for rule in area.fields:
                if rule.name not in names:
                    raise ValueError(f"area {area.name!r}: no field {rule.name!r}")
                for locator in rule.locators:
                    if locator.pattern is not None and locator.pattern not in patterns:
                        raise ValueError(
                            f"field {rule.name!r}: no pattern {locator.pattern!r}"
                        )
                    if not 0 <= locator.row < area.span:
                        raise ValueError(f"field {rule.name!r}: no row {locator.row}")


def to_data(wrapper: Wrapper) -> dict[str, Any]:
    """The wrapper as plain JSON values; `from_data` is its inverse."""
    return {
        "format": FORMAT,
        "domain": wrapper.domain,
        "samples": [asdict(sample) for sample in wrapper.samples],
        "fields": {name: kind.value for name, kind in wrapper.fields},
        "patterns": dict(wrapper.patterns),
        "areas": [
            {
                "name": area.name,
                "root": area.root,
                "record": area.record,
                "span": area.span,
                "least": area.least,
                "fields": {
                    rule.name: [asdict(locator) for locator in rule.locators]
                    for rule in area.fields
                },
            }
            for area in wrapper.areas
        ],
    }


def from_data(data: Mapping[str, Any]) -> Wrapper:
    """The wrapper that `to_data` gave; raises WrapperError for anything else."""
    try:
        if data["format"] != FORMAT:
            raise WrapperError(
                f"the wrapper has format {data['format']!r}, this version reads "
                f"{FORMAT}: induce it again"
            )
        return Wrapper(
            domain=data["domain"],
            samples=tuple(Sample(**sample) for sample in data["samples"]),
            fields=tuple((n, ValueKind(k)) for n, k in data["fields"].items()),
            patterns=tuple(sorted(data["patterns"].items())),
            areas=tuple(
                AreaRule(
                    name=area["name"],
                    root=area["root"],
                    record=area["record"],
                    span=area["span"],
                    least=area["least"],
                    fields=tuple(
                        FieldRule(name, tuple(Locator(**one) for one in locators))
                        for name, locators in area["fields"].items()
                    ),
                )
                for area in data["areas"]
            ),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise WrapperError(f"this is no wrapper: {error}") from error


def to_json(wrapper: Wrapper) -> str:
    """Canonical JSON: equal wrappers give equal text, and the other way round."""
    return json.dumps(to_data(wrapper), indent=1, ensure_ascii=True) + "\n"


def from_json(text: str) -> Wrapper:
    """The wrapper that `to_json` wrote; raises WrapperError for anything else."""
    try:
        data = json.loads(text)
    except ValueError as error:
        raise WrapperError(f"this is no wrapper: {error}") from error
    if not isinstance(data, dict):
        raise WrapperError("this is no wrapper: not a JSON object")
    return from_data(data)


def dump(wrapper: Wrapper) -> str:
    """The wrapper as text for people: one line per locator."""
    lines = [f"wrapper for {wrapper.domain}, from {len(wrapper.samples)} sample(s)"]
    for area in wrapper.areas:
        rows = "" if area.span == 1 else f", {area.span} rows each"
        lines += [f"area {area.name}: {area.root}", f"  record {area.record}{rows}"]
        for rule in area.fields:
            for rank, locator in enumerate(rule.locators):
                label = rule.name if rank == 0 else "  or"
                row = f" in row {locator.row}" if locator.row else ""
                pattern = f" ~ {locator.pattern}" if locator.pattern else ""
                lines.append(
                    f"    {label:14} {locator.xpath} {locator.source}{row}{pattern}"
                )
    return "\n".join(lines) + "\n"
