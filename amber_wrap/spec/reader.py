"""Parse a wrapper's spec: the samples, options and columns that people decided on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from amber_wrap.annotate.examples import Example
from amber_wrap.dom.tree_edit import DISTANCES
from amber_wrap.domain.schema import COLUMN_NAME, ValueKind
from amber_wrap.domain.toml_and_text_files import (
    SourceFile,
    TomlFile,
    parse_toml,
    read_domain_file,
)
from amber_wrap.errors import SelectionError
from amber_wrap.generalise.user_decisions import (
    ColumnDecision,
    Decisions,
    full_xpath,
    value_pattern,
)
from amber_wrap.settings import DEFAULTS, Options
from amber_wrap.strategies import STRATEGIES
from amber_wrap.wrapper.ir import Constant

SPEC_SUFFIX = ".toml"
_KEYS = (
    *"samples after domain url within without read strategy distance".split(),
    *"ascii-names urls next_page records drop fields empty thresholds".split(),
)
"""The top-level keys that a spec (a TOML file) may have."""
COLUMN_KEYS = ("from", "kind", "required", "constant", "example", "xpath", "pattern")
"""The keys that the table of a column in a spec (a TOML file) may have."""
CONSTANT_TYPES = get_args(Constant)
"""The Python types of a value that a person may add to all records."""
_ATTRIBUTE_THRESHOLDS = tuple(
    "infer_regular infer_optional keep_regular keep_optional".split()
)
"""The names of the AMBER paper's thresholds for finding the values of records."""
_AREA_THRESHOLDS = ("depth", "distance")
"""The names of the AMBER paper's thresholds for finding the lists of a page."""


@dataclass(frozen=True, slots=True)
class Spec:
    """The decisions of people about a wrapper, read from a TOML file."""

    samples: tuple[str, ...]
    """The paths of the sample pages, relative to the folder of the file."""
    domain: str = ""
    """The name of the domain, or "" to choose the domain that suits the samples best.
    """
    options: Options = DEFAULTS
    """The command-line options, and the decisions about columns."""
    after: str = ""
    """The name of the older wrapper that was adapted to make this wrapper, "" for none.
    """


def spec_path(path: Path) -> Path:
    """Return the path of the TOML file with a person's decisions about a wrapper.

    `path` is the wrapper's generated file, which is beside the TOML file.
    """
    return path.with_suffix(SPEC_SUFFIX)


def read_spec(path: Path) -> Spec:
    """Return the decisions about a wrapper in its spec, a TOML file.

    Raise DomainError if the file can't be read or is invalid.
    """
    return parse_spec(spec_text(path), path)


def spec_text(path: Path) -> str:
    """Return the text of a spec, the TOML file with the decisions about a wrapper.

    Raise DomainError if the file can't be read.
    """
    return read_domain_file(path.parent.resolve(), path.resolve()).text


def line_of(path: Path, column: str) -> int:
    """Return the number, from 1, of a column's line in the spec `path`.

    If the column is missing, return the line of the table `fields`. If the table is
    missing, return 1.
    """
    source = read_domain_file(path.parent.resolve(), path.resolve())
    return parse_toml(source).line_of("fields", column)


def parse_spec(text: str, path: Path) -> Spec:
    """Return the decisions about a wrapper in the text of the spec `path`.

    Raise DomainError for an invalid text.
    """
    folder = path.parent.resolve().name
    file = parse_toml(SourceFile(f"{folder}/{path.name}", text))
    file.check_keys(_KEYS)
    samples = file.strings("samples")
    if not samples:
        file.fail(
            'no sample: name saved pages, as in samples = ["page.html"]', "samples"
        )
    strategy, distance = file.get("role", "strategy"), file.get("fast", "distance")
    file.check_known("strategy", [strategy], tuple(STRATEGIES), "strategy")
    file.check_known("distance", [distance], tuple(DISTANCES), "distance")
    columns = tuple(_columns(file))
    _check_sources(file, columns)
    decisions = Decisions(
        columns,
        dropped=frozenset(file.strings("drop")),
        closed=True,
        next_page=_next_page(file),
        urls=_urls(file),
        records=_records(file),
    )
    options = Options(
        url=file.get("", "url"),
        strategy=strategy,
        distance=distance,
        within=file.get("", "within"),
        without=file.get("", "without"),
        fields=file.get("", "read"),
        examples=tuple(_examples(file)),
        ascii_names=file.get(False, "ascii-names"),
        decisions=decisions,
        empty=tuple(file.strings("empty")),
        thresholds=tuple(_thresholds(file)),
    )
    after = file.get("", "after")
    if after and not path.with_name(f"{after}.json").is_file():
        file.fail(f"there is no wrapper {after} beside this file", "after")
    return Spec(samples, file.get("", "domain"), options, after)


def spec_thresholds(strategy: str) -> tuple[str, ...]:
    """Return the names of the thresholds that a spec (a TOML file) may set.

    `strategy` is the name of the method that finds the lists of a page.
    """
    if strategy == "role":
        return _ATTRIBUTE_THRESHOLDS
    return (*_ATTRIBUTE_THRESHOLDS, *_AREA_THRESHOLDS)


def _next_page(file: TomlFile) -> str | None:
    """Return the XPath expression of a spec for the link to the next page.

    Return "" if the spec has `next_page = false`, and None if the spec has no such key.
    Raise DomainError for any other value.
    """
    expression = file.data.get("next_page")
    if expression is None:
        return None
    if expression is False:
        return ""
    if not (isinstance(expression, str) and expression.startswith("/")):
        file.fail(
            "next_page must be an XPath 1.0 expression that begins with /, in quotes, "
            "or false",
            "next_page",
        )
    return _checked_xpath(file, "next_page", expression)


def _checked_xpath(file: TomlFile, key: str, expression: str) -> str:
    """Return an XPath expression of a spec, after checking and standardising it.

    `key` is the key of the expression in the spec, for the error message. Raise
    DomainError if the expression is invalid.
    """
    try:
        return full_xpath(ColumnDecision(key, xpath=expression))
    except SelectionError as error:
        file.fail(str(error), key)


def _records(file: TomlFile) -> str:
    """Return the XPath expression for records from a spec (TOML file), or "".

    Raise DomainError if the expression is invalid.
    """
    expression = file.get("", "records")
    if expression and not expression.startswith(("/", "(/")):
        file.fail(
            "records must be an XPath 1.0 expression that begins with / or (/",
            "records",
        )
    _checked_xpath(file, "records", expression or "/")
    return expression


def _thresholds(file: TomlFile) -> Iterator[tuple[str, float]]:
    """Yield (name, value) for each threshold that a person set in a spec (TOML file).

    Raise DomainError for an unknown threshold, or for a value that is no number.
    """
    file.check_keys(spec_thresholds(file.get("role", "strategy")), "thresholds")
    for name, value in file.table("thresholds").items():
        if isinstance(value, bool) or not isinstance(value, int | float):
            file.fail(f"{name!r} must be a number", "thresholds", name)
        yield name, value


def _urls(file: TomlFile) -> str:
    """Return the regular expression for the addresses of pages from a spec, or "".

    Raise DomainError for an invalid expression.
    """
    pattern = file.get("", "urls")
    try:
        re.compile(pattern)
    except re.error as error:
        file.fail(f"{pattern!r} is not a regular expression: {error}", "urls")
    return pattern


def _columns(file: TomlFile) -> Iterator[ColumnDecision]:
    """Yield a person's decisions about columns, from the table `fields` of a TOML file.

    Raise DomainError for an invalid name or value.
    """
    for name, value in file.table("fields").items():
        if not COLUMN_NAME.fullmatch(name):
            file.fail(
                f"{name!r} is not a valid name: use at most 41 letters, digits and "
                "underscores, beginning with a letter",
                "fields",
                name,
            )
        if isinstance(value, str):
            yield ColumnDecision(name, value)
        elif isinstance(value, dict):
            yield _column(file, name)
        else:
            file.fail(
                f"{name} must be the name that induction gave, in quotes, or a table, "
                "as in { constant = 3 }",
                "fields",
                name,
            )


def _column(file: TomlFile, name: str) -> ColumnDecision:
    """Return a person's decision about a column, from its table in `fields`.

    Raise DomainError for invalid keys or values.
    """
    table = ("fields", name)
    file.check_keys(COLUMN_KEYS, *table)
    keys = set(file.data["fields"][name])
    kind, constant = file.get("", *table, "kind"), None
    if kind:
        file.check_known("kind", [kind], tuple(ValueKind), *table, "kind")
    if "constant" in keys:
        constant = file.data["fields"][name]["constant"]
        if keys != {"constant"}:
            wrong_key = min(keys - {"constant"})
            file.fail(
                f"{name} is a constant: delete its {wrong_key}", *table, wrong_key
            )
        if not isinstance(constant, CONSTANT_TYPES):
            file.fail(
                f"the constant of {name} must be a text in quotes, a number, true or "
                "false",
                *table,
            )
    if "xpath" in keys and (wrong_keys := keys & {"from", "example"}):
        wrong_key = min(wrong_keys)
        file.fail(
            f"{name} has an xpath of its own: delete its {wrong_key}",
            *table,
            wrong_key,
        )
    is_induced = keys.isdisjoint({"xpath", "constant"})
    decision = ColumnDecision(
        name,
        source=file.get(name, *table, "from") if is_induced else "",
        kind=ValueKind(kind) if kind else None,
        required=file.get(False, *table, "required") if "required" in keys else None,
        constant=constant,
        xpath=file.get("", *table, "xpath"),
        pattern=file.get("", *table, "pattern"),
    )
    try:
        if decision.xpath:
            full_xpath(decision)
        if decision.pattern:
            value_pattern(decision)
    except SelectionError as error:
        file.fail(str(error), *table)
    return decision


def _check_sources(file: TomlFile, columns: tuple[ColumnDecision, ...]) -> None:
    """Raise DomainError if the automatic name of a column is in a spec twice.

    For example, the name may be in two lines of `fields`, or in `fields` and in `drop`.
    """
    name_of_source: dict[str, str] = {}
    for column in columns:
        source = column.source
        if source in name_of_source:
            file.fail(
                f"{source} is already {name_of_source[source]}: delete one of the "
                "lines",
                "fields",
                column.name,
            )
        if source:
            name_of_source[source] = column.name
    for name in file.strings("drop"):
        if name in name_of_source:
            file.fail(f"{name} is also in [fields]: delete it there or here", "drop")


def _examples(file: TomlFile) -> Iterator[Example]:
    """Yield the example values of columns, which a user picked on a page.

    The examples are in the table `fields` of a spec.
    """
    for name, value in file.table("fields").items():
        if isinstance(value, dict) and "example" in value:
            example = file.get("", "fields", name, "example")
            yield Example(file.get(name, "fields", name, "from"), example)
