"""The wrapper as plain JSON values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from amber_wrap.dom.ending import Ending
from amber_wrap.domain.schema import ValueKind
from amber_wrap.errors import WrapperError
from amber_wrap.wrapper.grammar import (
    LONGEST_EXPRESSION,
    parse_expression,
    parse_path,
)
from amber_wrap.wrapper.ir import (
    FORMAT,
    PINNED,
    AreaRule,
    Contract,
    FieldReading,
    FieldRule,
    Locator,
    RecordLocator,
    Sample,
    Signs,
    Wrapper,
)
from amber_wrap.wrapper.xpath import Path, Pinned


def wrapper_to_data(wrapper: Wrapper) -> dict[str, Any]:
    """The wrapper as plain JSON values; `wrapper_from_data` is its inverse."""
    return {
        "format": FORMAT,
        "domain": wrapper.domain,
        "samples": [asdict(sample) for sample in wrapper.samples],
        "fields": {name: kind.value for name, kind in wrapper.fields},
        "areas": [
            {
                "name": area.name,
                "places": {
                    one.family: {"root": str(one.root), "record": str(one.record)}
                    | ({"climb": one.climb, "tag": one.tag} if one.climb else {})
                    for one in area.places
                },
                "witness": str(area.witness or ""),
                "span": area.span,
                "least": area.least,
                "fields": {
                    rule.name: {
                        one.family: list(map(_locator_data, one.locators))
                        for one in rule.readings
                    }
                    for rule in area.fields
                },
            }
            | (
                {"followed": {name: list(some) for name, some in area.followed.items()}}
                if area.followed
                else {}
            )
            for area in wrapper.areas
        ],
        "contract": {
            area.name: {
                "records": list(contract.records),
                "alone": contract.alone,
                "whole": contract.whole,
                "fill": dict(contract.fill),
                "shapes": {name: list(some) for name, some in contract.shapes.items()},
                "distinct": dict(contract.distinct),
                "order": list(contract.order),
                "agreement": dict(contract.agreement),
                "recognised": dict(contract.recognised),
                "varied": list(contract.varied),
                "beside": contract.beside,
                "claimed": dict(contract.claimed),
                "unread": dict(contract.unread),
            }
            for area in wrapper.areas
            if (contract := area.contract)
        },
        "frame": list(map(str, wrapper.frame)),
        "keys": list(wrapper.keys),
        "firsts": dict(wrapper.firsts),
        **({"dollars": dict(wrapper.dollars)} if wrapper.dollars else {}),
        **({"constants": dict(wrapper.constants)} if wrapper.constants else {}),
        **({"renamed": dict(wrapper.renamed)} if wrapper.renamed else {}),
        **_next_page_data(wrapper.next_page),
        **({"urls": wrapper.urls} if wrapper.urls else {}),
        **({"signs": _signs_data(wrapper.signs)} if wrapper.signs else {}),
        "patterns": dict(wrapper.patterns),
    }


def wrapper_from_data(data: Mapping[str, Any]) -> Wrapper:
    """The wrapper that `wrapper_to_data` gave; raises WrapperError for all else."""
    try:
        if data["format"] != FORMAT:
            raise WrapperError(
                f"the wrapper has format {data['format']!r}, this version reads "
                f"{FORMAT}: induce it again"
            )
        contracts = data["contract"]
        return Wrapper(
            domain=data["domain"],
            samples=tuple(Sample(**sample) for sample in data["samples"]),
            fields=tuple((n, ValueKind(k)) for n, k in data["fields"].items()),
            patterns=tuple(sorted(data["patterns"].items())),
            areas=tuple(
                _area_rule(area, contracts.get(area["name"])) for area in data["areas"]
            ),
            frame=tuple(map(parse_path, data["frame"])),
            keys=tuple(data["keys"]),
            firsts=tuple(data["firsts"].items()),
            dollars=tuple(data.get("dollars", {}).items()),
            constants=tuple(data.get("constants", {}).items()),
            renamed=tuple(data.get("renamed", {}).items()),
            next_page=_next_page(data.get("next_page")),
            urls=data.get("urls", ""),
            signs=_signs(data["signs"]) if "signs" in data else None,
        )
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise WrapperError(f"this is no wrapper: {error}") from error


def _next_page_data(path: Path | Pinned | None) -> dict[str, Any]:
    if isinstance(path, Pinned):
        return {"next_page": {PINNED: str(path)}}
    return {"next_page": str(path)} if path else {}


def _next_page(data: str | Mapping[str, str] | None) -> Path | Pinned | None:
    if isinstance(data, Mapping):
        return _pinned(data[PINNED])
    return parse_path(data) if data else None


def _signs_data(signs: Signs) -> dict[str, Any]:
    return {
        "closed": signs.ending.closed,
        "open": signs.ending.open,
        "denials": signs.denials,
        "garbled": signs.garbled,
        **({"empty": list(signs.empty)} if signs.empty else {}),
    }


def _signs(data: Mapping[str, Any]) -> Signs:
    ending = Ending(data["closed"], data["open"])
    empty = tuple(data.get("empty", ()))
    return Signs(ending, data["denials"], data["garbled"], empty)


def _area_rule(data: Mapping[str, Any], contract: Mapping[str, Any] | None) -> AreaRule:
    return AreaRule(
        name=data["name"],
        places=tuple(
            RecordLocator(
                family,
                parse_path(one["root"]),
                _record(family, one["record"]),
                one.get("climb", 0),
                one.get("tag", "*"),
            )
            for family, one in data["places"].items()
        ),
        span=data["span"],
        least=data["least"],
        fields=tuple(
            FieldRule(
                name,
                tuple(
                    FieldReading(
                        family, tuple(_locator(family, one) for one in locators)
                    )
                    for family, locators in readings.items()
                ),
            )
            for name, readings in data["fields"].items()
        ),
        witness=parse_path(data["witness"]) if data["witness"] else None,
        contract=_contract(contract) if contract else None,
        followed={name: tuple(some) for name, some in data.get("followed", {}).items()},
    )


def _record(family: str, text: str) -> Path | Pinned:
    return _pinned(text) if family == PINNED else parse_path(text)


def _pinned(text: str) -> Pinned:
    if len(text) > LONGEST_EXPRESSION:
        raise ValueError(f"an expression has {len(text):,} characters: none is as long")
    return Pinned(text)


def _locator_data(locator: Locator) -> dict[str, Any]:
    return {
        "xpath": str(locator.xpath),
        "source": locator.source,
        "pattern": locator.pattern,
        "row": locator.row,
    }


def _locator(family: str, data: Mapping[str, Any]) -> Locator:
    xpath, others = data["xpath"], {k: v for k, v in data.items() if k != "xpath"}
    pinned = family == PINNED
    return Locator(_pinned(xpath) if pinned else parse_expression(xpath), **others)


def _contract(data: Mapping[str, Any]) -> Contract:
    low, high = data["records"]
    return Contract(
        records=(low, high),
        alone=data["alone"],
        whole=data["whole"],
        fill=dict(data["fill"]),
        shapes={name: tuple(some) for name, some in data["shapes"].items()},
        distinct=dict(data["distinct"]),
        order=tuple(data["order"]),
        agreement=dict(data["agreement"]),
        recognised=dict(data["recognised"]),
        varied=tuple(data.get("varied", ())),
        beside=data.get("beside", 0),
        claimed=dict(data.get("claimed", {})),
        unread=dict(data.get("unread", {})),
    )
