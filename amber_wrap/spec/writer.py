"""Change the text of a wrapper's spec, and write the spec.

A change keeps the comments and the order of the spec.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.items import Item

from amber_wrap.atomic_write import write_atomically, writing
from amber_wrap.errors import SelectionError
from amber_wrap.spec.reader import Spec

HEADER = """\
Your decisions about this wrapper.  `amber-wrap build {name}` makes {name}.py and
{name}.json from this file.  docs/spec.md describes all keys.
"""
"""The comment at the start of a spec (a TOML file), without the signs "#"."""
FIELDS = """\
The columns in order: your name = "the name that induction gave".  Delete a line to
leave its column out.
"""
"""The comment in the table `fields` of a spec (a TOML file), without the signs "#"."""


@dataclass(frozen=True, slots=True)
class Changes:
    """The decisions about columns that a user gives on a command line."""

    renamed: Mapping[str, str] = field(default_factory=dict)
    """The new names of columns, by old name."""
    dropped: tuple[str, ...] = ()
    """The names of columns that are left out."""
    kinds: Mapping[str, str] = field(default_factory=dict)
    """The kinds of the columns' values, such as "number", by column name."""
    examples: Mapping[str, str] = field(default_factory=dict)
    """A text on the page that is the example value of a column, by column name."""

    def __bool__(self) -> bool:
        return bool(self.renamed or self.dropped or self.kinds or self.examples)


def header(name: str) -> str:
    """Return the comment at the start of the spec `<name>.toml`."""
    return "\n".join(f"# {line}" for line in HEADER.format(name=name).splitlines())


def skeleton(name: str) -> str:
    """Return the text of the spec `<name>.toml` before decisions are added."""
    fields = [f"# {line}" for line in FIELDS.splitlines()]
    return "\n".join([header(name), "samples = []", "", "[fields]", *fields, ""])


def with_options(text: str, spec: Spec) -> str:
    """Return the text of a spec with the samples, domain and options of `spec`.

    An empty or default option leaves the text as it is.
    """
    document = tomlkit.parse(text)
    options = spec.options
    samples = tomlkit.array()
    samples.extend(spec.samples)
    values: dict[str, object] = {
        "samples": samples,
        "after": spec.after,
        "domain": spec.domain,
        "url": options.url,
        "within": options.within,
        "without": options.without,
        "read": options.fields,
        "strategy": "" if options.strategy == "role" else options.strategy,
        "distance": "" if options.distance == "fast" else options.distance,
        "ascii-names": options.ascii_names,
        "empty": list(options.empty),
    }
    for key, value in values.items():
        if value and document.get(key) != value:
            document[key] = value
    return tomlkit.dumps(document)


def with_urls(text: str, urls: str) -> str:
    """Return the text of a spec with `urls`, a regular expression for page addresses.

    Return the text unchanged if `urls` is "".
    """
    return with_key(text, "urls", tomlkit.string(urls, literal=True)) if urls else text


def with_changes(text: str, changes: Changes, is_new: bool = False) -> str:
    """Return the text of a spec with decisions about columns from a command line.

    Raise SelectionError if a column to rename, to drop or to give a kind isn't in the
    spec. If `is_new`, don't raise the error.
    """
    document = tomlkit.parse(text)
    fields = spec_fields(document)

    def check_exists(name: str) -> None:
        if name not in fields and not is_new:
            listed = ", ".join(fields) or "none"
            raise SelectionError(
                f"there is no column {name} in the spec (columns: {listed})"
            )

    for old_name, new_name in changes.renamed.items():
        check_exists(old_name)
        value = fields.get(old_name, old_name)
        if not isinstance(value, str) and not value.keys() & {"from", *_OWN_KEYS}:
            value = inline_table({"from": old_name, **value})
        if old_name in fields:
            _replace_column(document, old_name, (new_name, value))
        else:
            fields.add(new_name, value)
        fields = spec_fields(document)
    for name in changes.dropped:
        check_exists(name)
        source = induction_name(name, fields.get(name, name))
        if source:
            document["drop"] = [*document.get("drop", ()), source]
        if name in fields:
            _replace_column(document, name, None)
        fields = spec_fields(document)
    for name, kind in changes.kinds.items():
        check_exists(name)
        fields[name] = column_table(fields, name, kind=kind)
    for name, example in changes.examples.items():
        fields[name] = column_table(fields, name, example=example)
    return tomlkit.dumps(document)


def with_spec_columns(
    text: str, columns: Mapping[str, str], in_order: bool = False
) -> str:
    """Return the text of a spec after adding the columns that it lacks.

    `columns` maps column names to automatic names. With `in_order`, all columns are
    sorted as in `columns`.
    """
    document = tomlkit.parse(text)
    fields = spec_fields(document)
    if in_order:
        added = {name: fields.get(name, source) for name, source in columns.items()}
        added |= {name: value for name, value in fields.items() if name not in added}
        for name in list(fields):
            fields.remove(name)
    else:
        added = {name: source for name, source in columns.items() if name not in fields}
    for name, value in added.items():
        fields.add(name, value)
    return tomlkit.dumps(document)


def without_column(text: str, name: str) -> str:
    """Return the text of a spec (a TOML file) without the line of a column."""
    document = tomlkit.parse(text)
    _replace_column(document, name, None)
    return tomlkit.dumps(document)


def with_source(text: str, name: str, source: str) -> str:
    """Return the text of a spec (a TOML file) with another automatic name for a column.

    The automatic name (`source`) is the name before a person renamed the column.
    """
    document = tomlkit.parse(text)
    old_value = spec_fields(document).get(name, name)
    new_value: Any = source
    if not isinstance(old_value, str):
        new_value = inline_table({**old_value, "from": source})
    _replace_column(document, name, (name, new_value))
    return tomlkit.dumps(document)


_OWN_KEYS = ("xpath", "constant")
"""The keys by which a person defines a column that wasn't found automatically."""


def induction_name(name: str, value: Any) -> str:
    """Return the automatic name of a column, whose entry in a spec is `name = value`.

    For `rent = "price"`, the automatic name is "price". Return "" for a column that a
    person defined by an XPath expression or a constant.
    """
    if isinstance(value, str):
        return str(value)
    if any(key in value for key in _OWN_KEYS):
        return ""
    return str(value.get("from", name))


def write_spec(path: Path, text: str) -> None:
    """Write the text of a spec (a TOML file) into a file, as a whole or not at all.

    Raise FileError if the file can't be written.
    """
    with writing(path):
        write_atomically(path.resolve(), text)


def spec_fields(document: tomlkit.TOMLDocument) -> Any:
    """Return the table `fields` of a spec (TOML), after adding a missing table."""
    if "fields" not in document:
        document.add("fields", tomlkit.table())
    return document["fields"]


def column_table(fields: Any, name: str, **details: str) -> Any:
    """Return the table of the column `name` in `fields`, with the keys in `details`
    set.

    If the column's value is a text, as in `rent = "price"`, the table is `{from =
    "price"}`.
    """
    value = fields.get(name, name)
    if isinstance(value, str):
        value = {} if value == name else {"from": str(value)}
    return inline_table({**value, **details})


def inline_table(values: Mapping[str, Any]) -> Any:
    """Return a TOML table that is written on one line."""
    table = tomlkit.inline_table()
    table.update(values)
    return table


def _replace_column(
    document: tomlkit.TOMLDocument, name: str, new_column: tuple[str, object] | None
) -> None:
    """Replace the column `name` of a spec by `new_column`, a pair of name and value.

    If `new_column` is None, remove the column.
    """
    table = tomlkit.table()
    for key, item in spec_fields(document).value.body:
        if key is None:
            table.add(item)
        elif key.key != name:
            table.add(key, item)
        elif new_column is not None:
            new_name, new_value = new_column
            table.add(new_name, _with_comment(new_value, item))
    document["fields"] = table


def _with_comment(value: object, commented: Item) -> Item:
    """Return a value as a TOML item, with the comment of the item `commented`."""
    item = tomlkit.item(value)
    item.trivia.comment_ws = commented.trivia.comment_ws
    item.trivia.comment = commented.trivia.comment
    return item


def with_key(text: str, key: str, value: object) -> str:
    """Return the text of a spec (a TOML file) with a top-level key set.

    If the value is None, the key is removed.
    """
    document = tomlkit.parse(text)
    if value is None:
        document.pop(key, None)
    else:
        document[key] = _toml_value(value)
    return tomlkit.dumps(document)


def with_column(text: str, name: str, **details: object) -> str:
    """Return the text of a spec after setting details of a column, such as
    `xpath=".//b"`.

    A detail that is None is removed. If `xpath` or `example` is set, other definitions
    of the column are removed, too.
    """
    document = tomlkit.parse(text)
    fields = spec_fields(document)
    old_table = column_table(fields, name)
    removed = set(details)
    if details.get("example"):
        removed |= {"xpath", "constant"}
    if details.get("xpath"):
        removed |= {"from", "example", "constant"}
    table = {key: value for key, value in old_table.items() if key not in removed}
    table |= {key: _toml_value(v) for key, v in details.items() if v is not None}
    if set(table) == {"from"} or (not table and name in fields):
        fields[name] = table.get("from", name)
    else:
        fields[name] = inline_table(table)
    return tomlkit.dumps(document)


def _toml_value(value: object) -> Any:
    """Return a value for a TOML document.

    A text with double quotes is put in single quotes.
    """
    if isinstance(value, str) and '"' in value and "'" not in value:
        return tomlkit.string(value, literal=value.isprintable())
    return value


def with_order(text: str, names: Sequence[str]) -> str:
    """Return the text of a spec (a TOML file) with the columns in the order of `names`.

    Raise SelectionError if `names` aren't exactly the names of the columns.
    """
    document = tomlkit.parse(text)
    fields = spec_fields(document)
    if sorted(names) != sorted(fields):
        raise SelectionError("the order must name each column of the spec once")
    values = {name: fields[name] for name in names}
    for name in names:
        fields.remove(name)
    for name, value in values.items():
        fields.add(name, value)
    return tomlkit.dumps(document)
