"""Convert a wrapper to plain JSON values and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final, TypeVar

from lxml import etree

from amber_wrap.dom.truncation import Ending
from amber_wrap.domain.schema import ValueKind
from amber_wrap.errors import WrapperError
from amber_wrap.wrapper.ir import (
    FORMAT,
    PINNED,
    AreaRule,
    Contract,
    FieldReading,
    FieldRule,
    Locator,
    RecordLocator,
    RuleError,
    Sample,
    Signs,
    Wrapper,
)
from amber_wrap.wrapper.xpath import LONGEST_EXPRESSION, Path, Pinned
from amber_wrap.wrapper.xpath_parser import parse_expression, parse_path

T = TypeVar("T")
Key = TypeVar("Key", str, int)
_INVALID: Final = (
    *(LookupError, TypeError, ValueError, AttributeError),
    etree.XPathError,
)
_NO_PAGE: Final = etree.Element("html")


def wrapper_to_data(wrapper: Wrapper) -> dict[str, Any]:
    """Return a wrapper as plain JSON values."""
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
                "least_fill": dict(contract.least_fill),
                "odd": contract.odd,
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
    """Return the wrapper from the JSON values of `wrapper_to_data`.

    Raise WrapperError for values that describe no wrapper.
    """
    try:
        if data["format"] != FORMAT:
            raise WrapperError(
                f"the wrapper has format {data['format']!r}, this version reads "
                f"{FORMAT}: induce it again"
            )
        contracts = dict(
            _each(
                ("contract",), data["contract"].items(), lambda n, c: (n, _contract(c))
            )
        )
        return Wrapper(
            domain=data["domain"],
            samples=tuple(Sample(**sample) for sample in data["samples"]),
            fields=tuple((n, ValueKind(k)) for n, k in data["fields"].items()),
            patterns=tuple(sorted(data["patterns"].items())),
            areas=tuple(
                _each(
                    ("areas",),
                    enumerate(data["areas"]),
                    lambda _, area: _area_rule(area, contracts.get(area["name"])),
                )
            ),
            frame=tuple(
                _each(("frame",), enumerate(data["frame"]), lambda _, x: parse_path(x))
            ),
            keys=tuple(data["keys"]),
            firsts=tuple(data["firsts"].items()),
            dollars=tuple(data.get("dollars", {}).items()),
            constants=tuple(data.get("constants", {}).items()),
            renamed=tuple(data.get("renamed", {}).items()),
            next_page=_member(data, "next_page", _next_page, ""),
            urls=data.get("urls", ""),
            signs=_member(data, "signs", _signs, None),
        )
    except RuleError as wrong:
        raise WrapperError(f"this is not a wrapper: {wrong}", wrong.path) from wrong
    except _INVALID as error:
        raise WrapperError(f"this is not a wrapper: {error}") from error


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


def _signs(data: Mapping[str, Any] | None) -> Signs | None:
    if data is None:
        return None
    ending = Ending(data["closed"], data["open"])
    empty = tuple(data.get("empty", ()))
    return Signs(ending, data["denials"], data["garbled"], empty)


def _area_rule(data: Mapping[str, Any], contract: Contract | None) -> AreaRule:
    return AreaRule(
        name=data["name"],
        places=tuple(_each(("places",), data["places"].items(), _place)),
        span=data["span"],
        least=data["least"],
        fields=tuple(_each(("fields",), data["fields"].items(), _field)),
        witness=_member(data, "witness", _witness),
        contract=contract,
        followed={name: tuple(some) for name, some in data.get("followed", {}).items()},
    )


def _each(
    path: tuple[str, ...],
    found: Iterable[tuple[Key, Any]],
    make: Callable[[Key, Any], T],
) -> Iterator[T]:
    """Yield the result of `make` for each pair of a key and a value in `found`.

    If `make` fails, raise WrapperError with the path of the wrong value. The path of
    the error begins with the keys in `path`, for example ("areas",).
    """
    for key, one in found:
        here: tuple[str | int, ...] = (*path, key)
        try:
            made = make(key, one)
        except WrapperError as wrong:
            raise WrapperError(str(wrong), here + wrong.path) from wrong
        except _INVALID as error:
            raise WrapperError(f"this is not a wrapper: {error}", here) from error
        yield made


def _member(
    data: Mapping[str, Any], key: str, make: Callable[[Any], T], default: Any = None
) -> T:
    """Return the result of `make` for `data[key]`.

    If `data` lacks the key, return the result of `make` for `default`. If `make` fails,
    raise WrapperError with the key.
    """
    found = [(key, data.get(key, default))]
    return next(_each((), found, lambda _, one: make(one)))


def _witness(text: str) -> Path | None:
    return parse_path(text) if text else None


def _place(family: str, data: Mapping[str, Any]) -> RecordLocator:
    make: Callable[[str], Path | Pinned] = _pinned if family == PINNED else parse_path
    return RecordLocator(
        family,
        _member(data, "root", parse_path),
        _member(data, "record", make),
        data.get("climb", 0),
        data.get("tag", "*"),
    )


def _field(name: str, data: Mapping[str, Any]) -> FieldRule:
    return FieldRule(name, tuple(_each((), data.items(), _reading)))


def _reading(family: str, data: Sequence[Mapping[str, Any]]) -> FieldReading:
    found = _each((), enumerate(data), lambda _, one: _locator(family, one))
    return FieldReading(family, tuple(found))


def _pinned(text: str) -> Pinned:
    if len(text) > LONGEST_EXPRESSION:
        raise ValueError(
            f"an expression has {len(text):,} characters, which is too long"
        )
    found = etree.XPath(text, regexp=False)(_NO_PAGE)
    if not isinstance(found, list):
        raise ValueError(f"an expression selects no elements: {text!r}")
    return Pinned(text)


def _locator_data(locator: Locator) -> dict[str, Any]:
    return {
        "xpath": str(locator.xpath),
        "source": locator.source,
        "pattern": locator.pattern,
        "row": locator.row,
    }


def _locator(family: str, data: Mapping[str, Any]) -> Locator:
    make = _pinned if family == PINNED else parse_expression
    others = {key: value for key, value in data.items() if key != "xpath"}
    return Locator(_member(data, "xpath", make), **others)


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
        least_fill=dict(data.get("least_fill", {})),
        odd=data.get("odd", 0),
    )
