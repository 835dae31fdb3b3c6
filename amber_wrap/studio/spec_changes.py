"""Change the file of a person's decisions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from os.path import relpath
from pathlib import Path
from typing import Any, Final

import tomlkit

from amber_wrap.columns.assembly import ALL
from amber_wrap.domain.schema import COLUMN_NAME, ValueKind
from amber_wrap.errors import SelectionError
from amber_wrap.spec.writer import (
    Changes,
    inline_table,
    with_changes,
    with_column,
    with_key,
    with_order,
    with_spec_columns,
)

_READABLE_KINDS: Final = ("money", "number", "count", "quantity", "year", "date")
"""The kinds of values that can be read from the text of any element."""

_Step = Mapping[str, Any]
"""A change that a user made: `do` names the action, other keys are its parameters."""


def edited_spec(text: str, step: _Step, page: Path, spec: Path) -> str:
    """Return the text of the decisions file `spec` after the change `step`.

    The user makes the change while viewing `page`. Raise SelectionError for an invalid
    change.
    """
    action = STEPS.get(str(step.get("do")))
    if action is None:
        raise SelectionError(f"unknown step {step.get('do')!r}")
    if action is _samples:
        return _samples(text, step, page, spec)
    return action(text, step)


def _example(text: str, step: _Step) -> str:
    """Return the user's decisions (TOML) with a new column, defined by an example."""
    return with_column(text, column_name(step), example=text_value(step, "value"))


def _expression(text: str, step: _Step) -> str:
    """Return the user's decisions (TOML) with a new column, read by an expression.

    `step` has the column's name and XPath, and may have a pattern and a kind.
    """
    details: dict[str, object] = {
        "xpath": text_value(step, "xpath"),
        "pattern": text_value(step, "pattern", "") or None,
    }
    if (kind := text_value(step, "kind", "")) in _READABLE_KINDS:
        details["kind"] = kind
    return with_column(text, column_name(step), **details)


def _rename(text: str, step: _Step) -> str:
    """Return the user's decisions (TOML) with the column `step["name"]` renamed to
    `step["to"]`.
    """
    new_name = text_value(step, "to")
    if not COLUMN_NAME.fullmatch(new_name):
        raise SelectionError(_invalid_name(new_name))
    if new_name in tomlkit.parse(text).get("fields", {}):
        raise SelectionError(f"the column {new_name} already exists")
    return with_changes(text, Changes(renamed={text_value(step, "name"): new_name}))


def _drop(text: str, step: _Step) -> str:
    """Return the user's decisions (TOML) with the column `step["name"]` left out."""
    return with_changes(text, Changes(dropped=(text_value(step, "name"),)))


def _restore(text: str, step: _Step) -> str:
    """Return the user's decisions (TOML) with a column that had been dropped.

    Raise SelectionError if another column has the column's name.
    """
    restored_column = text_value(step, "name")
    if restored_column in tomlkit.parse(text).get("fields", {}):
        raise SelectionError(
            f"a column {restored_column} already exists: rename that column first"
        )
    dropped_columns = [
        column
        for column in tomlkit.parse(text).get("drop", ())
        if column != restored_column
    ]
    return with_spec_columns(
        with_key(text, "drop", dropped_columns or None),
        {restored_column: restored_column},
    )


def _kind(text: str, step: _Step) -> str:
    """Return the user's decisions (TOML) with another kind of value for a column.

    Raise SelectionError for an unknown kind.
    """
    value_kind = text_value(step, "kind")
    if value_kind not in tuple(ValueKind):
        raise SelectionError(
            f"unknown kind {value_kind!r}: use one of {', '.join(ValueKind)}"
        )
    return with_changes(text, Changes(kinds={text_value(step, "name"): value_kind}))


def _require(text: str, step: _Step) -> str:
    """Return the user's decisions (TOML) with a column made required or optional."""
    required = step.get("required")
    if required not in (True, False, None):
        raise SelectionError("`required` must be true, false or null")
    return with_column(text, text_value(step, "name"), required=required)


def _order(text: str, step: _Step) -> str:
    """Return the user's decisions (TOML) with columns sorted as in `step["names"]`."""
    column_names = step.get("names")
    if not isinstance(column_names, list) or not all(
        isinstance(name, str) for name in column_names
    ):
        raise SelectionError("`names` must be a list of column names")
    return with_order(text, column_names)


def _within(text: str, step: _Step) -> str:
    """Return the user's decisions (TOML) with a selector of the elements to search for
    records.
    """
    return with_key(text, "within", text_value(step, "selector"))


def _records(text: str, step: _Step) -> str:
    """Return the user's decisions (TOML) with an XPath expression for the records."""
    return with_key(text, "records", text_value(step, "xpath"))


def _next_page(text: str, step: _Step) -> str:
    """Return the user's decisions (TOML) with another XPath for the next page."""
    return with_key(text, "next_page", step.get("xpath") or False)


def _thresholds(text: str, step: _Step) -> str:
    """Return the user's decisions (TOML) with changed thresholds for finding records.

    A threshold of None is reset to its default. Raise SelectionError if a value is no
    number.
    """
    values = step.get("values")
    if not isinstance(values, dict) or not all(
        value is None or (isinstance(value, int | float) and value == value)
        for value in values.values()
    ):
        raise SelectionError("`values` must map names of thresholds to numbers")
    changed = dict(tomlkit.parse(text).get("thresholds", {})) | values
    thresholds = {
        str(name): value for name, value in changed.items() if value is not None
    }
    return with_key(
        text, "thresholds", inline_table(thresholds) if thresholds else None
    )


def _domain(text: str, step: _Step) -> str:
    """Return the user's decisions (TOML) with the domain called `step["name"]`.

    If no domain was set before, `read = "all"` is added, so that columns without a type
    of the domain are kept.
    """
    document = tomlkit.parse(text)
    if "domain" not in document and "read" not in document:
        text = with_key(text, "read", ALL)
    return with_key(text, "domain", text_value(step, "name"))


def _text(text: str, step: _Step) -> str:
    """Return the text that the user wrote to replace all decisions (TOML)."""
    return text_value(step, "text")


def _samples(text: str, step: _Step, page: Path, spec: Path) -> str:
    """Return the user's decisions (TOML) with `page` as a further sample page.

    If the page is a sample already, remove it from the samples.
    """
    sample_name = Path(relpath(page, spec.parent)).as_posix()
    old_samples = list(tomlkit.parse(text).get("samples", []))
    new_samples = [sample for sample in old_samples if sample != sample_name]
    if new_samples == old_samples:
        new_samples.append(sample_name)
    toml_array = tomlkit.array()
    toml_array.extend(new_samples)
    return with_key(text, "samples", toml_array)


STEPS: Final[Mapping[str, Callable[..., str]]] = {
    "example": _example,
    "expression": _expression,
    "rename": _rename,
    "drop": _drop,
    "restore": _restore,
    "kind": _kind,
    "require": _require,
    "order": _order,
    "within": _within,
    "records": _records,
    "next_page": _next_page,
    "sample": _samples,
    "thresholds": _thresholds,
    "domain": _domain,
    "text": _text,
}
"""The functions that change the user's decisions, by the value of `do` in a change."""


def text_value(step: _Step, key: str, default: str | None = None) -> str:
    """Return the text under a key of `step`, or `default` if the key is missing.

    Raise SelectionError if the value isn't text, or is blank without being the default.
    """
    value = step.get(key, default)
    if not isinstance(value, str) or not (value.strip() or value == default):
        raise SelectionError(f"`{key}` must be a text that isn't blank")
    return value


def column_name(step: _Step) -> str:
    """Return the name of the column that a change is about.

    Raise SelectionError if the name is missing or invalid.
    """
    name = text_value(step, "name")
    if not COLUMN_NAME.fullmatch(name):
        raise SelectionError(_invalid_name(name))
    return name


def _invalid_name(name: str) -> str:
    """Return the error message for a name that a column can't have."""
    return f"invalid name {name!r}: use a letter, then letters, digits and underscores"
