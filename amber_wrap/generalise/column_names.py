"""Give the columns of a wrapper the names and the order that a person decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Any, TypeVar

from amber_wrap.domain.schema import AttributeType, is_column_name, key_owners
from amber_wrap.engine.output_rows import row_keys
from amber_wrap.errors import SelectionError
from amber_wrap.generalise.user_decisions import Decisions
from amber_wrap.wrapper.ir import Contract, Wrapper

T = TypeVar("T")


def with_names(wrapper: Wrapper, decisions: Decisions) -> Wrapper:
    """Return the wrapper with the names, order, constants and required columns that a
    person decided.

    Raise SelectionError if a name is invalid, or if two columns have the same name.
    """
    for decision in decisions.columns:
        if not is_column_name(decision.name):
            raise SelectionError(
                f"no column can be called {decision.name!r}: use lower-case letters, "
                "digits and underscores, a letter first, and no Python keyword"
            )
    kinds = dict(wrapper.fields)
    decided = {decision.known_as: decision for decision in decisions.columns}
    constants = {
        decision.name: decision.constant
        for decision in decisions.columns
        if decision.constant is not None
    }
    undecided = () if decisions.closed else kinds
    order = [*decided, *undecided] if decisions.ordered else [*undecided, *decided]
    sample_keys = set(row_keys(wrapper))
    owners = {
        name: owner for name, owner in key_owners(kinds).items() if name not in decided
    }

    def new_name(name: str) -> str:
        """Return the name that a person chose for a column, or else the old name.

        A column that belongs to another column is renamed with it: `price_currency`
        becomes `cost_currency` if `price` becomes `cost`.
        """
        if owner := owners.get(name):
            return new_name(owner) + name.removeprefix(owner)
        return decided[name].name if name in decided else name

    def keys_of(name: str) -> list[str]:
        """Return the keys that a column has in output records, such as `cost` and
        `cost_currency`.

        Return [] if no sample page has the column.
        """
        if name in constants:
            return [name]
        if name not in kinds:
            return []
        old_keys = AttributeType(name, kinds[name]).keys
        new_keys = AttributeType(new_name(name), kinds[name]).keys
        return [
            new
            for old, new in zip(old_keys, new_keys, strict=True)
            if old in sample_keys and (old == name or old not in kinds)
        ]

    listed = [
        field
        for name in dict.fromkeys(order)
        if name not in owners and name not in decisions.dropped
        for field in (name, *(one for one, owner in owners.items() if owner == name))
        if field not in decisions.dropped
    ]
    keys = [key for name in listed for key in keys_of(name)]
    for key, count in Counter(keys).items():
        if count > 1:
            raise SelectionError(f"two columns are called {key}: rename one of them")
    # Dropped columns are read, too, because they help to distinguish records from
    # adverts.
    listed = [name for name in listed if name in kinds and name not in constants]
    # Columns that the samples lack come last, as in a spec that lists only existing
    # ones.
    listed.sort(key=lambda name: not keys_of(name))
    used_names = {*map(new_name, listed), *constants}
    unlisted = [name for name in kinds if name not in listed and name not in used_names]
    read = [*listed, *unlisted]
    required = {decision.name for decision in decisions.columns if decision.required}
    return replace(
        wrapper,
        fields=tuple((new_name(name), kinds[name]) for name in read),
        areas=tuple(
            replace(
                area,
                fields=tuple(
                    replace(rule, name=new_name(rule.name))
                    for rule in area.fields
                    if rule.name in read
                ),
                contract=area.contract
                and _renamed_contract(area.contract, new_name, set(listed), required),
            )
            for area in wrapper.areas
        ),
        keys=tuple(keys),
        firsts=tuple((new_name(name), first) for name, first in wrapper.firsts),
        dollars=tuple((new_name(name), dollar) for name, dollar in wrapper.dollars),
        constants=tuple(constants.items()),
        renamed=tuple(
            (decision.name, decision.source)
            for decision in decisions.columns
            if decision.source
            and decision.source != decision.name
            and decision.source in kinds
        ),
    )


def _renamed_contract(
    contract: Contract,
    new_name: Callable[[str], str],
    listed: set[str],
    required: set[str],
) -> Contract:
    """Return the conditions that records must meet, with the new names of columns.

    `listed` has the old names of the columns that stay, and `required` the new names of
    columns that must have a value in every record.
    """

    def renamed(by_column: Mapping[str, T]) -> dict[str, T]:
        """Return the entries of `by_column` for columns in `listed`, under the new
        names.
        """
        return {
            new_name(name): expected
            for name, expected in by_column.items()
            if name in listed
        }

    conditions = {
        field.name: getattr(contract, field.name) for field in fields(contract)
    }
    by_column: dict[str, Any] = {
        name: renamed(condition)
        for name, condition in conditions.items()
        if isinstance(condition, Mapping)
    }
    by_column["fill"] |= dict.fromkeys(sorted(required), 1.0)
    return replace(
        contract,
        **by_column,
        order=tuple(renamed(dict.fromkeys(contract.order))),
        varied=tuple(sorted(renamed(dict.fromkeys(contract.varied)))),
    )
