"""Define attribute types (the types of values in records), and domains.

A domain is a kind of records, such as cars, with the types of their values.

The terms are those of the AMBER paper, section 2.2 (domain schema), section 4
(disjointness) and section 6.1 (thresholds).
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
    """A type of values in records, such as price, and how to recognise the values.

    If `regular`, nearly every record has a value. `patterns` and `gazetteers` name
    regular expressions and lists of terms. `annotators` name code that finds values.
    `names` are words in class tokens, for example "price". `labels` are texts directly
    before values, for example "Price:".

    `weak` names unreliable patterns, for example a pattern of bare numbers. A text that
    matches a weak pattern counts only if its element is like the elements of other
    values: at least half of the type's texts in elements with the same tag and classes
    must match no weak pattern. `short` names patterns that apply only inside a value of
    another type, for example half a postcode inside an address.

    If `whole`, a value is the whole text of an element, for example "Walton Street,
    Oxford". Otherwise a value is only the recognised part, for example "Oxford".
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
        """The keys of this type in a record: its name, then keys for parts of a value.

        For example, the keys of `price` are `price`, `price_currency` and
        `price_period`.
        """
        derived = DERIVED_KEYS.get(self.kind, ())
        return (self.name, *(derived_key(self.name, suffix) for suffix in derived))

    @property
    def is_recognised(self) -> bool:
        """Whether anything can recognise values of this type."""
        recognisers = (*self.patterns, *self.gazetteers, *self.annotators)
        return bool(recognisers or self.names or self.labels)

    @property
    def is_headline(self) -> bool:
        """Whether values of this type can be headlines of records."""
        return not HEADLINE_ANNOTATORS.isdisjoint(self.annotators)

    @property
    def readers(self) -> tuple[str, ...]:
        """The names of the patterns that may find a value of this type in a text.

        Patterns of annotators (code that finds values) are included, under names such
        as "annotator:vin".
        """
        return (*self.patterns, *map(annotator_pattern, self.annotators))


def key_owners(kinds: Mapping[str, ValueKind]) -> dict[str, str]:
    """Return the fields whose name is also the key for a part of another field's value.

    `kinds` maps the names of fields to kinds of values. For example, the currency of
    the field "price" is under the key "price_currency". If another field is called
    "price_currency", the result maps "price_currency" to "price".
    """
    return {
        key: name
        for name, kind in kinds.items()
        for key in AttributeType(name, kind).keys[1:]
        if key in kinds
    }


def annotator_pattern(name: str) -> str:
    """Return the name of the pattern of an annotator (code that finds values).

    For example, return "annotator:vin" for "vin".
    """
    return f"annotator:{name}"


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The thresholds (Theta) of AMBER, with the values of section 6.1 as defaults.

    An annotation is a text that may be a value of a type. A pivot node is an annotation
    of a type that each record has once. In a data area (a part of the page with one
    list), the depths of pivot nodes differ by at most `depth`. The distances between
    pivot nodes, in tree edges, differ by at most `distance`.

    A path is the position of an element in its record, and the support of a path is the
    share of records with an annotation at this path. A type is regular if nearly every
    record has a value, and optional otherwise. If a record has no annotation at a path,
    the element at the path may become a value if the support of the path is greater
    than `infer_regular` (or `infer_optional`). An annotation is kept if the support of
    its path is greater than `keep_regular` (or `keep_optional`).

    `noise_ratio` decides when learning from pages rejects a term. A record supports a
    term that is in its value, and opposes a term that was dropped in favour of another
    value. A term is rejected if the opposing records are at least `noise_ratio` times
    the supporting records.
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
    """The attribute types of a domain (kind of records), and constraints on the types.

    The types are in the order of the output. `pivots` are the names of types that each
    record should have once, the best first. No text is a value of both types of a pair
    in `disjoint`.
    """

    types: tuple[AttributeType, ...]
    pivots: tuple[str, ...]
    disjoint: tuple[tuple[str, str], ...] = ()

    def __getitem__(self, name: str) -> AttributeType:
        for kind in self.types:
            if kind.name == name:
                return kind
        raise KeyError(name)


@dataclass(frozen=True, slots=True)
class Gazetteer:
    """A list of terms that are values of an attribute type.

    `source` and `licence` say where the terms come from. `locales` are the languages
    and countries of the pages that the gazetteer is for, or () for all pages.

    A lower-case term matches in every casing. Any other term matches as written and in
    capitals. The town "Reading" thus differs from the verb "reading".
    """

    name: str
    terms: tuple[str, ...]
    source: str
    licence: str
    locales: tuple[str, ...] = ()


FAULT_LENGTH = 300
"""The most characters of an installed package's error that a message contains."""


@dataclass(frozen=True, slots=True)
class Plugin:
    """Code of an installed package that recognises values.

    `recognise` is a function that finds values in a text, or a class with the method
    `annotate(page, texts)`. `pattern` is the regular expression by which generated
    files recognise values, or None. `origin` is the entry point with the name and
    version of its package, for messages. `package` is the name of the package.
    """

    name: str
    origin: str
    package: str
    recognise: Any
    pattern: str | None = None

    def fail(self, fault: str, cause: Exception | None = None) -> NoReturn:
        """Raise DomainError with a message about a fault of this plugin."""
        raise DomainError(
            f"annotator {self.name!r} ({self.origin}) {shorten(fault, FAULT_LENGTH)}: "
            f"report this to the authors of {self.package}, or remove the annotator "
            "from the domain"
        ) from cause


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Domain:
    """A kind of records, such as cars, with the types of their values (schema).

    `patterns` maps names to regular expressions that find values. A regular expression
    may contain another pattern by name, as in `{name}`. A plugin finds values by Python
    code. The pattern of the plugin `vin` has the name `annotator:vin`.

    `locales` maps the name of a pattern, or `gazetteer:name`, to languages ("de") and
    countries ("de-AT"). A pattern or gazetteer (list of terms) that `locales` lacks is
    for all pages. On German pages, `name_de` replaces `name`.

    `extends` are the names of the domains that the domain extends, the nearest first.
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
        """Return the domain (kind of records) with some of its thresholds replaced.

        `changed` maps the names of thresholds (see `Thresholds`) to numbers. Raise
        SelectionError if the numbers are inconsistent.
        """
        if not changed:
            return self
        try:
            return replace(self, thresholds=replace(self.thresholds, **changed))
        except ValueError as error:
            raise SelectionError(str(error)) from error

    def is_kin(self, other: Domain) -> bool:
        """Return whether one of two domains (kinds of records) extends the other."""
        if self.name == other.name:
            return False
        return self.name in other.extends or other.name in self.extends
