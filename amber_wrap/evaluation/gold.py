"""Read saved pages with the records that a careful reader found on them.

Such known records are called gold. The format is in `docs/evaluation-format.md`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeVar

from amber_wrap.domain.schema import FIGURES, AttributeType, Domain
from amber_wrap.domain.toml_and_text_files import unknown_name_message
from amber_wrap.errors import GoldError

T = TypeVar("T")

_SUFFIXES: Final = (".html", ".htm")
"""The suffixes of saved pages."""
_TYPE_NAMES: Final[Mapping[type, str]] = {
    str: "a text in quotes",
    list: "a list",
    dict: "an object",
}
"""The names of JSON values in error messages, by Python type."""


@dataclass(frozen=True, slots=True, eq=False)
class GoldRecord(Mapping[str, str]):
    """The values of one record, as a careful reader saw them on a page.

    The mapping has the displayed text of each attribute type, such as "£1,200" for
    "price".
    """

    displayed: Mapping[str, str]
    """The displayed text of each attribute type, such as "£1,200" for "price"."""
    also: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Other texts that are right values, too, by attribute type."""
    optional: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Values that count neither as right nor as wrong, by attribute type."""

    def __getitem__(self, name: str) -> str:
        return self.displayed[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.displayed)

    def __len__(self) -> int:
        return len(self.displayed)

    def right_values(self, name: str) -> tuple[str, ...]:
        """Return all right values of the attribute type `name`, the displayed value
        first.
        """
        return (self.displayed[name], *self.also.get(name, ()))


@dataclass(frozen=True, slots=True)
class GoldArea:
    """A list of records on a page, as a careful reader saw it."""

    name: str
    """The reader's name for the list, by default "area 1" and so on."""
    records: tuple[GoldRecord, ...]
    """The records in document order."""


@dataclass(frozen=True, slots=True)
class GoldPage:
    """A page whose records are known."""

    name: str
    """The name of the page, in the form "domain/template/page"."""
    path: Path
    """The file of the page."""
    domain: str
    """The kind of records on the page, such as "cars"."""
    areas: tuple[GoldArea, ...]
    """The known lists of records on the page."""
    unscored: frozenset[str] = frozenset()
    """The attribute types without a score, because readers can't agree on their values.
    """

    @property
    def site(self) -> str:
        """The name of the page's site: "domain/template", without the page."""
        return self.name.rpartition("/")[0]


@dataclass(frozen=True, slots=True)
class Corpus:
    """The pages of a folder whose records are known, sorted by site and name.

    `redesigns` are the names of the sites that use several page layouts.
    """

    pages: tuple[GoldPage, ...]
    redesigns: frozenset[str] = frozenset()

    def of_domain(self, name: str) -> Corpus:
        """Return the corpus with only the pages of the domain `name`.

        Raise GoldError if there is no page of this domain.
        """
        pages = tuple(page for page in self.pages if page.domain == name)
        if not pages:
            known = ", ".join(sorted({page.domain for page in self.pages}))
            raise GoldError(
                f"no gold page has the domain {name!r} (known domains: {known})"
            )
        return Corpus(pages, self.redesigns)


def read_corpus(folder: Path) -> Corpus:
    """Return the pages in a folder whose records are known.

    Raise GoldError if the folder has no known records, or if a file is missing,
    unreadable or malformed.
    """
    gold_files = sorted((folder / "json").rglob("*.json"))
    if not gold_files:
        raise GoldError(
            f"{folder}: no gold: the folder has no json/<domain>/<template>/<page>.json"
        )
    redesigns = folder / "redesigns.txt"
    sites = _read_text(folder, redesigns).split() if redesigns.exists() else ()
    pages = tuple(_GoldFile(folder, gold_path).page() for gold_path in gold_files)
    return Corpus(pages, frozenset(sites))


def scored_types(
    domain: Domain, pages: Iterable[GoldPage]
) -> tuple[AttributeType, ...]:
    """Return the attribute types whose values count in the score of the given pages.

    A type counts if the known records have a value of the type. Types of numbers, such
    as prices, always count. Raise GoldError if a known record has a type that the
    domain lacks.
    """
    known_types = [kind.name for kind in domain.schema.types]
    types_in_gold: set[str] = set()
    for page in pages:
        records = [record for area in page.areas for record in area.records]
        for name in {name for rec in records for name in (*rec, *rec.optional)}:
            if name not in known_types:
                noun = f"attribute type of {domain.name}"
                message = unknown_name_message(noun, name, known_types)
                raise GoldError(f"json/{page.name}.json: {message}")
        types_in_gold.update(*records)
    return tuple(
        kind
        for kind in domain.schema.types
        if kind.kind in FIGURES or kind.name in types_in_gold
    )


class _GoldFile:
    """A reader of one JSON file with the known records of a page.

    Its methods raise GoldError for a malformed file. The parameter `place` tells where
    a fault is, such as "area 1, record 2".
    """

    def __init__(self, folder: Path, path: Path) -> None:
        self._folder = folder
        self._relative = path.relative_to(folder / "json").with_suffix("")
        self._file_name = path.relative_to(folder).as_posix()
        try:
            self._data: Any = json.loads(_read_text(folder, path))
        except ValueError as error:
            raise self._error(f"the file is not JSON: {error}") from error

    def page(self) -> GoldPage:
        """Return the page that the JSON file describes, with its known records.

        Raise GoldError if the file is malformed, or if there is no saved page.
        """
        if len(self._relative.parts) != 3:
            raise self._error(
                "the file is at the wrong depth: gold files are "
                "json/<domain>/<template>/<page>.json"
            )
        data, check = self._checked("the gold", self._data, dict), self._checked
        unscored = check("'unscored'", data.get("unscored", []), list)
        name, path = self._relative.as_posix(), self._path_of_page()
        domain = check("'domain'", data.get("domain", self._relative.parts[0]), str)
        areas = tuple(self._areas(check("'areas'", data.get("areas"), list)))
        types = frozenset(check("a type in 'unscored'", it, str) for it in unscored)
        return GoldPage(name, path, domain, areas, types)

    def _path_of_page(self) -> Path:
        """Return the path of the saved page, or raise GoldError if there is no page."""
        base = self._folder / "pages" / self._relative
        for suffix in _SUFFIXES:
            path = base.with_name(base.name + suffix)
            if path.is_file():
                return path
        raise self._error(f"pages/{self._relative.as_posix()}.html is missing")

    def _areas(self, areas: list[Any]) -> Iterator[GoldArea]:
        """Yield the lists of records that the JSON list `areas` describes."""
        for number, area_data in enumerate(areas, start=1):
            place = f"area {number}"
            area = self._checked(place, area_data, dict)
            name = self._checked(f"{place}: 'name'", area.get("name", place), str)
            records = self._checked(f"{place}: 'records'", area.get("records"), list)
            if not records:
                raise self._error(f"{place}: no records: leave the area out")
            yield GoldArea(name, tuple(self._records(place, records)))

    def _records(self, area: str, records: list[Any]) -> Iterator[GoldRecord]:
        """Yield the records that the JSON list `records` describes.

        `area` names the list in error messages, for example "area 1".
        """
        for number, record_data in enumerate(records, start=1):
            place = f"{area}, record {number}"
            gold_record = self._checked(place, record_data, dict)
            attributes = gold_record.get("attributes")
            attributes = self._checked(f"{place}: 'attributes'", attributes, dict)
            optional = gold_record.get("optional", {})
            optional = self._checked(f"{place}: 'optional'", optional, dict)
            displayed: dict[str, str] = {}
            also: dict[str, tuple[str, ...]] = {}
            for name, value in attributes.items():
                where = f"{place}: {name!r}"
                displayed[name], *others = self._right_values(where, value)
                if others:
                    also[name] = tuple(others)
            optional_values = {
                name: tuple(self._values(f"{place}: optional {name!r}", values))
                for name, values in optional.items()
            }
            yield GoldRecord(displayed, also, optional_values)

    def _right_values(self, place: str, value: Any) -> Iterator[str]:
        """Yield the displayed value of a record's field, then other right values.

        Raise GoldError unless `value` is a text or `{"value": text, "also": [text,
        ...]}`.
        """
        displayed, also = value, []
        if isinstance(value, dict):
            displayed, also = value.get("value"), value.get("also", [])
        yield self._value(f"{place}: its value", displayed)
        yield from self._values(f"{place}: 'also'", also)

    def _values(self, place: str, values: Any) -> Iterator[str]:
        """Yield the texts in the JSON list `values`.

        Raise GoldError if an item is blank or no text. `place` tells where the list is
        in the file.
        """
        for value in self._checked(place, values, list):
            yield self._value(f"{place}: a value", value)

    def _value(self, place: str, value: Any) -> str:
        """Return `value` if it is a text that isn't blank.

        Raise GoldError for any other value. `place` tells where the value is in the
        file.
        """
        text = self._checked(place, value, str)
        if not text.strip():
            raise self._error(f"{place} is empty: leave it out")
        return text

    def _checked(self, place: str, value: Any, kind: type[T]) -> T:
        """Return `value` if it has the Python type `kind`.

        Raise GoldError for any other value. `place` tells where the value is in the
        file.
        """
        if not isinstance(value, kind):
            raise self._error(f"{place} must be {_TYPE_NAMES[kind]}")
        return value

    def _error(self, message: str) -> GoldError:
        """Return the error for this file, with `message` as the reason."""
        return GoldError(f"{self._file_name}: {message}")


def _read_text(folder: Path, path: Path) -> str:
    """Return the text of a file, or raise GoldError if it can't be read as UTF-8.

    `folder` is the folder of all pages and known records.
    """
    try:
        return path.read_text("utf-8-sig")
    except (UnicodeDecodeError, OSError) as error:
        reason = "the file is not UTF-8: save it as UTF-8"
        if isinstance(error, OSError):
            reason = f"can't be read: {error.strerror}"
        raise GoldError(f"{path.relative_to(folder).as_posix()}: {reason}") from error
