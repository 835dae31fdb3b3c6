"""Define domains, and the types of the values in records (AMBER paper, section 2.2).

The paper describes types that can't share a value in section 4, and thresholds in
section 6.1.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from textwrap import shorten
from typing import Any, Final, NoReturn

from amber_wrap.errors import DomainError, SelectionError

TYPE_NAME = re.compile(r"[a-z][a-z0-9_]{0,40}", re.ASCII)
"""A pattern of the name of an attribute type (a type of values), such as "price"."""
COLUMN_NAME = re.compile(r"[^\W\d_]\w{0,40}")
"""A pattern of the name of a column of records.

The name may come from the page, so that letters of any script are allowed.
"""


class ValueKind(StrEnum):
    """The kind of a type's values, such as amounts of money.

    The folder `values` has a function for each kind, which converts displayed texts.
    """

    MONEY = "money"
    COUNT = "count"
    NUMBER = "number"
    QUANTITY = "quantity"
    YEAR = "year"
    DATE = "date"
    URL = "url"
    TEXT = "text"
    TEXTS = "texts"
    CURRENCY = "currency"


CURRENCY_SUFFIX = "currency"
"""The suffix of the record key for an amount's currency, as in "price_currency"."""
DERIVED_KEYS: Mapping[ValueKind, tuple[str, ...]] = {
    ValueKind.MONEY: (CURRENCY_SUFFIX, "period"),
    ValueKind.QUANTITY: ("unit",),
}
"""The suffixes of the record keys for further parts of a value, by the kind of value.

For example, "price_currency" is the currency of the amount of money "price".
"""


def derived_key(name: str, suffix: str) -> str:
    """Return the record key for a part of a field's value.

    For example, the key is "price_currency" for the field "price" and the suffix
    "currency".
    """
    return f"{name}_{suffix}"


COLUMN_KINDS = frozenset({ValueKind.TEXTS, ValueKind.CURRENCY})
"""The kinds of values that no attribute type in a domain.toml may have.

They are kinds of columns of records for which the domain.toml has no type.
"""
FIGURES = frozenset(map(ValueKind, "money count number quantity year".split()))
"""The kinds of values that are numbers."""
NUMBER = "number"
"""The name of the pattern that reads a number where markup or a label names a type.

An example is a number in an element with the class `card-price`.
"""


def no_type_name(name: str) -> str:
    """Return the error message for a name that an attribute type can't have."""
    return (
        f"{name!r} is not an attribute type name: use lower-case ASCII letters, digits "
        "and underscores, a letter first, and no Python keyword"
    )


def is_column_name(name: str) -> bool:
    """Return whether a text can be the name of a column of records.

    The name must match the expression `COLUMN_NAME`, be in lower case, and be no
    keyword of Python.
    """
    is_lower = name == name.lower()
    has_valid_characters = bool(COLUMN_NAME.fullmatch(name))
    return has_valid_characters and is_lower and not keyword.iskeyword(name)


IMAGE: Final = "image"
"""The name of the built-in code that finds images."""
IMAGE_ADDRESS: Final = (
    r"(?:url\(\s*[\"']?|^(?!.*url\())(?P<value>[^\s\"'()]*?[./][^\s\"')]*?)"
    r"(?=,?\s|,?$|[\"')])"
)
"""A regular expression for the address of an image in a style, such as
"background: url(a.jpg)", and for the first address in a `srcset`."""
HEADLINE_ANNOTATORS = frozenset({"headline-link", "headline"})
"""The names of the built-in code that finds the headlines of records."""


@dataclass(frozen=True, slots=True)
class AttributeType:
    """A type of values in records, such as price, and how to recognise the values."""

    name: str
    kind: ValueKind
    regular: bool = False
    """Whether nearly every record has a value of this type."""
    patterns: tuple[str, ...] = ()
    """The names of regular expressions for values of this type."""
    gazetteers: tuple[str, ...] = ()
    """The names of word lists with values of this type."""
    annotators: tuple[str, ...] = ()
    """The names of Python code that finds values of this type."""
    names: tuple[str, ...] = ()
    """Words, such as "price", in the class names of elements that have values of this
    type.
    """
    labels: tuple[str, ...] = ()
    """Texts, such as "Price:", directly before values of this type."""
    weak: tuple[str, ...] = ()
    """The names of unreliable patterns, such as a pattern of bare numbers."""
    short: tuple[str, ...] = ()
    """The names of patterns that apply only inside a value of another type."""
    whole: bool = False
    """Whether a value of this type is the whole text of an element, not only the
    recognised part.
    """

    def __post_init__(self) -> None:
        if not is_column_name(self.name):
            raise ValueError(no_type_name(self.name))

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of a record for values of this type: the type's name, then keys for
        parts of a value.

        For example, the keys of `price` are `price`, `price_currency` and
        `price_period`.
        """
        derived = DERIVED_KEYS.get(self.kind, ())
        return (self.name, *(derived_key(self.name, suffix) for suffix in derived))

    @property
    def is_recognised(self) -> bool:
        """Whether anything recognises this type: a pattern, list, code or markup."""
        recognisers = (*self.patterns, *self.gazetteers, *self.annotators)
        return bool(recognisers or self.names or self.labels)

    @property
    def is_headline(self) -> bool:
        """Whether values of this type can be headlines of records."""
        return not HEADLINE_ANNOTATORS.isdisjoint(self.annotators)

    @property
    def readers(self) -> tuple[str, ...]:
        """The names of the patterns that may find a value of this type in a text.

        The names of annotators' patterns, such as "annotator:vin", are included. An
        annotator is code.
        """
        return (*self.patterns, *map(annotator_pattern, self.annotators))


def key_owners(kinds: Mapping[str, ValueKind]) -> dict[str, str]:
    """Return a dict from the names of derived fields to the fields that they belong to.

    For example, "price_currency" maps to "price" if both are names of fields, and
    "price" is an amount of money.
    """
    return {
        key: name
        for name, kind in kinds.items()
        for key in AttributeType(name, kind).keys[1:]
        if key in kinds
    }


def annotator_pattern(name: str) -> str:
    """Return the name of the pattern of an annotator, which is code that finds values.

    For example, return "annotator:vin" for "vin".
    """
    return f"annotator:{name}"


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The thresholds of AMBER, with the defaults of the paper's section 6.1.

    The shares of records are from 0 to 1. A path leads from a record to an element.
    """

    depth: int = 1
    """The greatest difference in depth between the pivots of a list.

    A pivot is a value of the type that each record should have once.
    """
    distance: int = 2
    """The greatest difference between the distances of two pairs of pivots, in tree
    edges.

    A pivot is a value of the type that each record should have once.
    """
    infer_regular: float = 0.5
    """A missing value of a regular type is added at a path if more than this share of
    the records have a value at the path.
    """
    infer_optional: float = 0.5
    """A missing value of an optional type is added at a path if more than this share of
    the records have a value at the path.
    """
    keep_regular: float = 0.0
    """A value of a regular type is kept if more than this share of the records have a
    value at the same path.
    """
    keep_optional: float = 0.2
    """A value of an optional type is kept if more than this share of the records have a
    value at the same path.
    """
    noise_ratio: float = 1.5
    """A learned word is rejected if the number of records in which it is no value,
    divided by the number in which it is a value, is at least this number.
    """

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
    """The attribute types of a domain, in the order of the output."""

    types: tuple[AttributeType, ...]
    pivots: tuple[str, ...]
    """The names of the types that each record should have once, the best first."""
    disjoint: tuple[tuple[str, str], ...] = ()
    """The pairs of types that can't share a value."""

    def __getitem__(self, name: str) -> AttributeType:
        for kind in self.types:
            if kind.name == name:
                return kind
        raise KeyError(name)


@dataclass(frozen=True, slots=True)
class Gazetteer:
    """A list of words that are values of an attribute type.

    A word in lower case matches in any casing. Any other word matches as written or in
    capitals.
    """

    name: str
    terms: tuple[str, ...]
    source: str
    """A text that says where the words come from."""
    licence: str
    locales: tuple[str, ...] = ()
    """The languages and countries of the pages for which the list is used, or () for
    all pages.
    """


FAULT_LENGTH = 300
"""The most characters of an installed package's error that a message contains."""


@dataclass(frozen=True, slots=True)
class Plugin:
    """Code of an installed package that recognises values."""

    name: str
    origin: str
    """The entry point, and its package with the version, for messages."""
    package: str
    recognise: Any
    """A function that finds values in a text, or a class with `annotate(page, texts)`.
    """
    pattern: str | None = None
    """The regular expression by which generated files recognise values, or None."""

    def fail(self, fault: str, cause: Exception | None = None) -> NoReturn:
        """Raise DomainError with a message about a fault of this plugin."""
        raise DomainError(
            f"annotator {self.name!r} ({self.origin}) {shorten(fault, FAULT_LENGTH)}: "
            f"report this to the authors of {self.package}, or remove the annotator "
            "from the domain"
        ) from cause


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Domain:
    """A kind of records, such as cars, with the types of their values."""

    name: str
    title: str
    schema: Schema
    thresholds: Thresholds = field(default_factory=Thresholds)
    patterns: Mapping[str, str] = field(default_factory=dict)
    """The regular expressions for values, in which `{name}` stands for another pattern.
    """
    gazetteers: Mapping[str, Gazetteer] = field(default_factory=dict)
    locales: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The languages and countries, such as "de-AT", to which a pattern is limited."""
    plugins: Mapping[str, Plugin] = field(default_factory=dict)
    extends: tuple[str, ...] = ()
    """The names of the domains that this domain extends, the nearest first."""

    def with_thresholds(self, changed: Mapping[str, Any]) -> Domain:
        """Return the domain with some of its thresholds replaced.

        Raise SelectionError if the numbers are inconsistent.
        """
        if not changed:
            return self
        try:
            return replace(self, thresholds=replace(self.thresholds, **changed))
        except ValueError as error:
            raise SelectionError(str(error)) from error

    def is_kin(self, other: Domain) -> bool:
        """Return whether one of the two domains extends the other."""
        if self.name == other.name:
            return False
        return self.name in other.extends or other.name in self.extends
