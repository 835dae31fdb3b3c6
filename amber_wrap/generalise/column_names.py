"""Give the columns of a wrapper the names and the order that a person decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeVar

from amber_wrap.domain.schema import AttributeType, is_column_name, key_owners
from amber_wrap.engine.interpret import row_keys
from amber_wrap.errors import SelectionError
from amber_wrap.generalise.user_decisions import Decisions
from amber_wrap.wrapper.ir import Contract, Wrapper

T = TypeVar("T")


def with_names(wrapper: Wrapper, decisions: Decisions) -> Wrapper:
    """Return the wrapper with the names, the order, the constants and the required
    fields that a person decided.

    Raise SelectionError if a name is invalid, or if two columns have the same name.
    """
    for one in decisions.columns:
        if not is_column_name(one.name):
            raise SelectionError(
                f"no column can be called {one.name!r}: use lower-case letters, "
                "digits and underscores, a letter first, and no Python keyword"
            )
    kinds = dict(wrapper.fields)
    decided = {one.known_as: one for one in decisions.columns}
    constants = {
        one.name: one.constant for one in decisions.columns if one.constant is not None
    }
    others = () if decisions.closed else kinds
    order = (*decided, *others) if decisions.ordered else (*others, *decided)
    there = set(row_keys(wrapper))
    owners = {k: owner for k, owner in key_owners(kinds).items() if k not in decided}

    def called(name: str) -> str:
        if owner := owners.get(name):
            return called(owner) + name.removeprefix(owner)
        return decided[name].name if name in decided else name

    def keys_of(name: str) -> list[str]:
        """Return the output keys of a column, under the new name of the column.

        Return an empty list if no sample has the column.
        """
        if name in constants:
            return [name]
        names = (name, called(name)) if name in kinds else ()
        keys = (AttributeType(one, kinds[name]).keys for one in names)
        pairs = (one for one in zip(*keys, strict=True) if one[0] in there)
        return [new for old, new in pairs if old == name or old not in kinds]

    kept = [
        one
        for name in dict.fromkeys(order)
        if name not in owners and name not in decisions.dropped
        for one in (name, *(k for k, owner in owners.items() if owner == name))
        if one not in decisions.dropped
    ]
    keys = [key for name in kept for key in keys_of(name)]
    for key, count in Counter(keys).items():
        if count > 1:
            raise SelectionError(f"two columns are called {key}: rename one of them")
    # Dropped columns are read, too, because they help to distinguish records from
    # adverts.
    kept = [name for name in kept if name in kinds and name not in constants]
    # Columns that the samples lack come last, as in a spec that lists only existing
    # ones.
    kept.sort(key=lambda name: not keys_of(name))
    used = {*map(called, kept), *constants}
    read = [*kept, *(one for one in kinds if one not in kept and one not in used)]
    required = {one.name for one in decisions.columns if one.required}
    return replace(
        wrapper,
        fields=tuple((called(name), kinds[name]) for name in read),
        areas=tuple(
            replace(
                area,
                fields=tuple(
                    replace(rule, name=called(rule.name))
                    for rule in area.fields
                    if rule.name in read
                ),
                contract=area.contract
                and _contract(area.contract, called, set(kept), required),
            )
            for area in wrapper.areas
        ),
        keys=tuple(keys),
        firsts=tuple((called(name), one) for name, one in wrapper.firsts),
        dollars=tuple((called(name), one) for name, one in wrapper.dollars),
        constants=tuple(constants.items()),
        renamed=tuple(
            (one.name, one.source)
            for one in decisions.columns
            if one.source and one.source != one.name and one.source in kinds
        ),
    )


def _contract(
    contract: Contract,
    called: Callable[[str], str],
    kept: set[str],
    required: set[str],
) -> Contract:
    """Return the contract reduced to the columns in `kept`, with the columns renamed.

    A contract holds expected properties of records. `called` gives the new name of a
    column. `required` holds the new names of columns that must have a value in every
    record.
    """

    def of_kept(found: Mapping[str, T]) -> dict[str, T]:
        return _renamed({k: v for k, v in found.items() if k in kept}, called)

    return replace(
        contract,
        fill=of_kept(contract.fill) | dict.fromkeys(sorted(required), 1.0),
        shapes=of_kept(contract.shapes),
        distinct=of_kept(contract.distinct),
        order=tuple(called(name) for name in contract.order if name in kept),
        agreement=of_kept(contract.agreement),
        recognised=of_kept(contract.recognised),
        varied=tuple(sorted(called(one) for one in contract.varied if one in kept)),
        claimed=of_kept(contract.claimed),
        unread=of_kept(contract.unread),
        least_fill=of_kept(contract.least_fill),
    )


def _renamed(found: Mapping[str, T], called: Callable[[str], str]) -> dict[str, T]:
    """Return the mapping with its keys renamed by `called`."""
    return {called(name): one for name, one in found.items()}
