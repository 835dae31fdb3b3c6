"""Make the names of columns unique by numbers, as in "price_2"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from amber_wrap.domain.schema import DERIVED_KEYS, AttributeType, ValueKind

UNNAMED = "text"
"""The start of the names of columns that the page has no name for, such as `text_1`."""


def distinct_names(
    columns: Sequence[Sequence[str]], taken: Collection[str]
) -> list[str]:
    """Return a unique name for each column, given its possible names in `columns`.

    The first name that no other column may have is taken. Without such a name, the
    first one is taken. If it is in `taken` or given to another column, a number is
    appended.
    """
    name_counts = Counter(name for names in columns for name in names)
    used = set(taken)
    chosen = []
    for names in columns:
        unshared = (name for name in names if name_counts[name] == 1)
        name = _unused_name(next(unshared, names[0]), used)
        used.add(name)
        chosen.append(name)
    return chosen


def names_with_free_keys(
    columns: Mapping[str, ValueKind], types: Iterable[AttributeType]
) -> dict[str, str]:
    """Return the new name of each column, by the old name.

    A number is appended to the old name if another column or a type in `types` uses one
    of its keys in the output, such as `price_currency`.
    """
    used_keys = {key for type_ in types for key in type_.keys}
    has_one_key = {name: kind not in DERIVED_KEYS for name, kind in columns.items()}
    new_names = {}
    for name in sorted(columns, key=lambda name: has_one_key[name]):
        new_name, number = name, 1
        keys = AttributeType(new_name, columns[name]).keys
        while not used_keys.isdisjoint(keys):
            number += 1
            new_name = f"{name}_{number}"
            keys = AttributeType(new_name, columns[name]).keys
        new_names[name] = new_name
        used_keys.update(keys)
    return new_names


def is_numbered(name: str, names: Collection[str]) -> bool:
    """Return whether a name consists of another name, "_" and a number, such as
    "text_2".

    The other name must be "text" (`UNNAMED`) or one of the `names`.
    """
    return unnumbered(name, names) != name


def unnumbered(name: str, names: Collection[str]) -> str:
    """Return a name without its number, such as "text" for "text_2".

    Return the name unchanged if `is_numbered` is False for it.
    """
    base, _, number = name.rpartition("_")
    has_number = number.isdecimal() and (base == UNNAMED or base in names)
    return base if has_number else name


def _unused_name(name: str, used: Collection[str]) -> str:
    """Return `name`, with a number appended if it is in `used`, as in "price_2".

    The name "text" always gets a number.
    """
    if name != UNNAMED and name not in used:
        return name
    number = 1 if name == UNNAMED else 2
    while f"{name}_{number}" in used:
        number += 1
    return f"{name}_{number}"
