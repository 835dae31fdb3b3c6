"""Change single decisions in the text of a spec, without changing other lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tomlkit

from amber_wrap.errors import SelectionError
from amber_wrap.spec.writer import detail_of, inline, spec_fields


def with_key(text: str, key: str, value: object) -> str:
    """Return the text of a spec with a top-level key set, or removed if the value is
    None."""
    document = tomlkit.parse(text)
    if value is None:
        document.pop(key, None)
    else:
        document[key] = _plain(value)
    return tomlkit.dumps(document)


def with_column(text: str, name: str, **details: object) -> str:
    """Return the text of a spec with details of a column set.

    A missing column is added. A detail is removed if its value is None. A new `xpath`
    removes the details `from`, `example` and `constant`. A new `example` removes
    `xpath` and `constant`.
    """
    document = tomlkit.parse(text)
    fields = spec_fields(document)
    value = dict(detail_of(fields, name))
    gone = {"xpath", "constant"} if details.get("example") else set()
    if details.get("xpath"):
        gone |= {"from", "example", "constant"}
    kept: dict[str, Any] = {one: it for one, it in value.items() if one not in gone}
    for key, detail in details.items():
        kept.pop(key, None)
        if detail is not None:
            kept[key] = _plain(detail)
    if set(kept) == {"from"} or (not kept and name in fields):
        fields[name] = kept.get("from", name)
    else:
        fields[name] = inline(kept)
    return tomlkit.dumps(document)


def _plain(value: object) -> Any:
    """Return a value in the form in which it is added to a TOML document.

    A text with double quotes, but without single quotes, becomes a TOML string. The
    string is in single quotes if all characters are printable. Any other value is
    returned unchanged.
    """
    if isinstance(value, str) and '"' in value and "'" not in value:
        return tomlkit.string(value, literal=value.isprintable())
    return value


def with_order(text: str, names: Sequence[str]) -> str:
    """Return the text of a spec with its columns in the order of `names`.

    Raise SelectionError if `names` aren't exactly the names of the columns.
    """
    document = tomlkit.parse(text)
    fields = spec_fields(document)
    if sorted(names) != sorted(fields):
        raise SelectionError("the order must name each column of the spec once")
    items = {name: fields[name] for name in names}
    for name in names:
        fields.remove(name)
    for name, value in items.items():
        fields.add(name, value)
    return tomlkit.dumps(document)
