"""What the system knows about a domain: attribute types, pivots and thresholds.

AMBER, section 2.2 (domain schema), section 4 (disjointness), section 6.1 (the
thresholds of the evaluation).
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from textwrap import shorten
from typing import Any, NoReturn

from amber_wrap.errors import DomainError, SelectionError

TYPE_NAME = re.compile(r"[a-z][a-z0-9_]{0,40}", re.ASCII)
COLUMN_NAME = re.compile(r"[^\W\d_]\w{0,40}")
"""The name of a column, which a page may suggest: of letters of any script."""


class ValueKind(StrEnum):
    """How the displayed text of an attribute is read (`values.typed`)."""

    MONEY = "money"
    COUNT = "count"
    NUMBER = "number"
    QUANTITY = "quantity"
    YEAR = "year"
    DATE = "date"
    URL = "url"
    TEXT = "text"
    TEXTS = "texts"


CURRENCY_SUFFIX = "currency"
"""The suffix of the key for the ISO code of an amount."""
DERIVED_KEYS: Mapping[ValueKind, tuple[str, ...]] = {
    ValueKind.MONEY: (CURRENCY_SUFFIX, "period"),
    ValueKind.QUANTITY: ("unit",),
}
"""Suffixes of the extra keys that a value of this kind brings into a record."""


def derived_key(name: str, suffix: str) -> str:
    """Return an extra key of the type with this name."""
    return f"{name}_{suffix}"


FIGURES = frozenset(ValueKind) - {
    *(ValueKind.DATE, ValueKind.TEXT, ValueKind.TEXTS, ValueKind.URL)
}
"""The kinds that are read off a number."""
NUMBER = "number"
"""The pattern that reads the numbers of elements that bear a type's name."""


def no_type_name(name: str) -> str:
    """Return what to tell of a name that a type can't have."""
    return (
        f"{name!r} is no attribute type name: use lower-case ASCII letters, digits "
        "and underscores, a letter first, and no Python keyword"
    )


def is_column_name(name: str) -> bool:
    """Return whether a column may be called so; types of domains are ASCII only."""
    is_lower = name == name.lower()
    return (
        bool(COLUMN_NAME.fullmatch(name)) and is_lower and not keyword.iskeyword(name)
    )


@dataclass(frozen=True, slots=True)
class AttributeType:
    """An attribute type of a schema, and what recognises its values.

    `patterns`, `gazetteers` and `annotators` are names; the first two of the domain's
    own, the third of built-in annotators and plugins.  `names` are words by which
    authors call the type in class tokens and the like, `labels` whole texts that stand
    right before its values, where that is known.  What a pattern in `weak` matches in
    full says too little by itself: it counts where as much says more.  What a pattern
    in `short` matches counts in a value of a type that this one is part of.  A `whole`
    type's value is the whole text of the element that holds it ("Walton Street,
    Oxford"), else just the span that was recognised ("Oxford").
    """

    name: str
    kind: ValueKind
    regular: bool = False
    patterns: tuple[str, ...] = ()
    gazetteers: tuple[str, ...] = ()
    annotators: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    weak: tuple[str, ...] = ()
    short: tuple[str, ...] = ()
    whole: bool = False

    def __post_init__(self) -> None:
        if not is_column_name(self.name):
            raise ValueError(no_type_name(self.name))

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys that this type has in a record: its own, then the derived ones."""
        derived = DERIVED_KEYS.get(self.kind, ())
        return (self.name, *(derived_key(self.name, suffix) for suffix in derived))

    @property
    def is_recognised(self) -> bool:
        """Whether anything tells its values but their places."""
        by = self.patterns, self.gazetteers, self.annotators, self.names, self.labels
        return any(by)

    @property
    def readers(self) -> tuple[str, ...]:
        """The names of the patterns that may read a value, as far as there are such.

        What a plugin recognises, its pattern reads.
        """
        return (*self.patterns, *map(annotator_pattern, self.annotators))


def key_owners(kinds: Mapping[str, ValueKind]) -> dict[str, str]:
    """Return the fields that give an extra key of another field, each with that field:
    "price_currency" belongs to "price"."""
    return {
        key: name
        for name, kind in kinds.items()
        for key in AttributeType(name, kind).keys[1:]
        if key in kinds
    }


def annotator_pattern(name: str) -> str:
    """Return the name of the pattern that stands for an annotator."""
    return f"annotator:{name}"


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The Thetas of AMBER; the defaults are those of its evaluation (section 6.1).

    `depth` and `distance` count tree edges, the others are fractions of records.
    """

    depth: int = 1
    distance: int = 2
    infer_regular: float = 0.5
    infer_optional: float = 0.5
    keep_regular: float = 0.0
    keep_optional: float = 0.2
    noise_ratio: float = 1.5

    def __post_init__(self) -> None:
        if self.depth < 0 or self.distance < 0:
            raise ValueError("depth and distance must not be negative")
        if not (
            1
            >= self.infer_regular
            >= self.infer_optional
            >= self.keep_optional
            >= self.keep_regular
            >= 0
        ):
            raise ValueError(
                "the thresholds must satisfy 1 >= infer_regular >= infer_optional >= "
                "keep_optional >= keep_regular >= 0 (AMBER, section 3.5)"
            )
        if (
            self.infer_regular == self.keep_regular
            or self.infer_optional == self.keep_optional
        ):
            raise ValueError("infer must be greater than keep (AMBER, section 3.5)")


@dataclass(frozen=True, slots=True)
class Schema:
    """The attribute types of a domain, in output order, and the constraints on them.

    `pivots` are the names of candidate pivot types, best first; a pair in `disjoint`
    says that no value belongs to both types.
    """

    types: tuple[AttributeType, ...]
    pivots: tuple[str, ...]
    disjoint: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        keys = [key for kind in self.types for key in kind.keys]
        twice = sorted({key for key in keys if keys.count(key) > 1})
        if twice:
            raise ValueError(f"two types claim the record key {twice[0]!r}")
        names = {kind.name for kind in self.types}
        for name in (*self.pivots, *(name for pair in self.disjoint for name in pair)):
            if name not in names:
                raise ValueError(f"{name!r} is none of the types {sorted(names)}")
        if not self.pivots:
            raise ValueError("a schema needs at least one pivot type")
        for name in self.pivots:
            if not self[name].regular:
                raise ValueError(f"the pivot type {name!r} must be regular")

    def __getitem__(self, name: str) -> AttributeType:
        for kind in self.types:
            if kind.name == name:
                return kind
        raise KeyError(name)


@dataclass(frozen=True, slots=True)
class Gazetteer:
    """A list of terms.

    A term written in lower case stands for every casing of it; any other stands for
    itself and its ALL-CAPS form, so that the town Reading is not the verb.
    """

    name: str
    terms: tuple[str, ...]
    source: str
    licence: str
    locales: tuple[str, ...] = ()


FAULT_LENGTH = 300
"""Characters of what a plugin did wrong that are told."""


@dataclass(frozen=True, slots=True)
class Plugin:
    """A recogniser that an installed package registers.

    `recognise` is what it registers: a function of a text, or a class
    (`annotate.entry_points`).  `pattern` is the regular expression that stands for it
    where it isn't run, if it offers one.  `origin` is for people.
    """

    name: str
    origin: str
    package: str
    recognise: Any
    pattern: str | None = None

    def fail(self, fault: str, cause: Exception | None = None) -> NoReturn:
        """Raise the DomainError that says so of the plugin, and what to do."""
        raise DomainError(
            f"annotator {self.name!r} ({self.origin}) {shorten(fault, FAULT_LENGTH)}: "
            f"tell the authors of {self.package}, or take it out of the domain"
        ) from cause


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Domain:
    """A loaded domain: its schema and the recognisers that the schema names.

    `patterns` maps a name to a regular expression, to be compiled with `re.MULTILINE`
    when `values.patterns.compose` has filled in the parts.  `locales` maps a
    recogniser (a pattern, or `gazetteer:name`) to the languages ("de") and countries
    ("de-AT") that it is for; one that isn't there is for all.  What is called `name_de`
    is the German variant of `name`, and stands in for it on German pages.  The pattern
    of the plugin `vin` is called `annotator:vin`.  `extends` names the domains that it
    builds on, the nearest first.
    """

    name: str
    title: str
    schema: Schema
    thresholds: Thresholds = field(default_factory=Thresholds)
    patterns: Mapping[str, str] = field(default_factory=dict)
    gazetteers: Mapping[str, Gazetteer] = field(default_factory=dict)
    locales: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    plugins: Mapping[str, Plugin] = field(default_factory=dict)
    extends: tuple[str, ...] = ()

    def with_thresholds(self, changed: Mapping[str, Any]) -> Domain:
        """Return the domain with some thresholds changed, by their names.

        Raises SelectionError where they don't go together.
        """
        if not changed:
            return self
        try:
            return replace(self, thresholds=replace(self.thresholds, **changed))
        except ValueError as error:
            raise SelectionError(str(error)) from error

    def is_kin(self, other: Domain) -> bool:
        """Return whether one of the two extends the other; no domain is its own
        kin.
        """
        if self.name == other.name:
            return False
        return self.name in other.extends or other.name in self.extends
