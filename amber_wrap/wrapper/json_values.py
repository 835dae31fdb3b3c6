"""Convert a wrapper to plain JSON values and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final, TypeVar

from lxml import etree

from amber_wrap.dom.truncation import Ending
from amber_wrap.domain.schema import ValueKind
from amber_wrap.errors import WrapperError
from amber_wrap.wrapper import ir
from amber_wrap.wrapper.ir import FORMAT, PINNED, AreaRule, RuleError, Wrapper
from amber_wrap.wrapper.xpath import Path, Pinned, check_length
from amber_wrap.wrapper.xpath_parser import parse_expression, parse_path

T = TypeVar("T")
Key = TypeVar("Key", str, int)
_INVALID: Final = (LookupError, TypeError, ValueError, AttributeError, etree.XPathError)
"""The errors that may occur when invalid JSON values are converted."""
_EMPTY_PAGE: Final = etree.Element("html")
"""An empty page. Expressions are evaluated on it to find out whether they are valid."""


def wrapper_to_data(wrapper: Wrapper) -> dict[str, Any]:
    """Return a wrapper as plain JSON values."""
    return {
        "format": FORMAT,
        "domain": wrapper.domain,
        "samples": [asdict(sample) for sample in wrapper.samples],
        "fields": {name: kind.value for name, kind in wrapper.fields},
        "areas": [_area_data(area) for area in wrapper.areas],
        "contract": {
            area.name: asdict(area.contract) for area in wrapper.areas if area.contract
        },
        "frame": list(map(str, wrapper.frame)),
        "keys": list(wrapper.keys),
        "firsts": dict(wrapper.firsts),
        **_without_empty(
            {
                "dollars": dict(wrapper.dollars),
                "constants": dict(wrapper.constants),
                "renamed": dict(wrapper.renamed),
                "next_page": _next_page_data(wrapper.next_page),
                "urls": wrapper.urls,
                "signs": _signs_data(wrapper.signs) if wrapper.signs else None,
                "joins_cents": wrapper.joins_cents,
            }
        ),
        "patterns": dict(wrapper.patterns),
    }


def wrapper_from_data(data: Mapping[str, Any]) -> Wrapper:
    """Return the wrapper that `wrapper_to_data` converted to JSON values.

    Raise WrapperError if the values describe no wrapper.
    """
    try:
        contracts = {
            name: ir.Contract(**_frozen(contract))
            for name, contract in data["contract"].items()
        }
        return Wrapper(
            domain=data["domain"],
            samples=tuple(ir.Sample(**sample) for sample in data["samples"]),
            fields=tuple(
                (name, ValueKind(kind)) for name, kind in data["fields"].items()
            ),
            patterns=tuple(sorted(data["patterns"].items())),
            areas=_each(
                ("areas",),
                enumerate(data["areas"]),
                lambda _, area: _area_rule(area, contracts.get(area["name"])),
            ),
            frame=_each(
                ("frame",), enumerate(data["frame"]), lambda _, path: parse_path(path)
            ),
            keys=tuple(data["keys"]),
            firsts=tuple(data["firsts"].items()),
            dollars=tuple(data.get("dollars", {}).items()),
            constants=tuple(data.get("constants", {}).items()),
            renamed=tuple(data.get("renamed", {}).items()),
            next_page=(
                _member(data, "next_page", _next_page)
                if data.get("next_page")
                else None
            ),
            urls=data.get("urls", ""),
            signs=_signs(data["signs"]) if "signs" in data else None,
            joins_cents=data.get("joins_cents", False),
        )
    except RuleError as error:
        raise WrapperError(f"this is not a wrapper: {error}", error.path) from error
    except _INVALID as error:
        raise WrapperError(f"this is not a wrapper: {error}") from error


def _area_data(area: AreaRule) -> dict[str, Any]:
    """Return the rule for a list as JSON values.

    The conditions for its records (`contract`) are left out.
    """
    return {
        "name": area.name,
        "places": {
            locator.family: _record_locator_data(locator) for locator in area.places
        },
        "witness": str(area.witness or ""),
        "span": area.span,
        "least": area.least,
        "fields": {
            rule.name: {
                reading.family: list(map(_locator_data, reading.locators))
                for reading in rule.readings
            }
            for rule in area.fields
        },
        **_without_empty({"followed": dict(area.followed)}),
    }


def _without_empty(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return a dictionary without the keys whose values are empty or None."""
    return {key: value for key, value in data.items() if value}


def _record_locator_data(locator: ir.RecordLocator) -> dict[str, Any]:
    """Return the XPath expressions for records as JSON values, without their
    `family`.
    """
    data = {"root": str(locator.root), "record": str(locator.record)}
    if not locator.climb:
        return data
    return data | {"climb": locator.climb, "tag": locator.tag}


def _next_page_data(path: Path | Pinned | None) -> str | dict[str, str]:
    """Return the XPath expression for the link to the next page as a JSON value.

    The value is "" if `path` is None, and an object if a person wrote the expression.
    """
    if isinstance(path, Pinned):
        return {PINNED: str(path)}
    return str(path) if path else ""


def _next_page(data: str | Mapping[str, str]) -> Path | Pinned:
    """Return the XPath expression for the link to the next page, from its JSON
    value.
    """
    return _pinned(data[PINNED]) if isinstance(data, Mapping) else parse_path(data)


def _signs_data(signs: ir.Signs) -> dict[str, Any]:
    """Return, as JSON values, the features by which incomplete and empty pages are
    recognised.
    """
    return {
        "closed": signs.ending.closed,
        "open": signs.ending.open,
        "denials": signs.denials,
        "garbled": signs.garbled,
        **_without_empty({"empty": list(signs.empty)}),
    }


def _signs(data: Mapping[str, Any]) -> ir.Signs:
    """Return the features by which incomplete and empty pages are recognised, from JSON
    values.
    """
    ending = Ending(data["closed"], data["open"])
    empty = tuple(data.get("empty", ()))
    return ir.Signs(ending, data["denials"], data["garbled"], empty)


def _area_rule(data: Mapping[str, Any], contract: ir.Contract | None) -> AreaRule:
    """Return the rule for a list from JSON values.

    `contract` has the conditions for the list's records, or is None.
    """
    return AreaRule(
        name=data["name"],
        places=_each(("places",), data["places"].items(), _record_locator),
        span=data["span"],
        least=data["least"],
        fields=_each(
            ("fields",),
            data["fields"].items(),
            lambda name, ways: ir.FieldRule(name, _each((), ways.items(), _reading)),
        ),
        witness=_member(data, "witness", parse_path) if data["witness"] else None,
        contract=contract,
        followed=_frozen(data.get("followed", {})),
    )


def _frozen(value: Any) -> Any:
    """Return a JSON value with tuples in place of lists."""
    if isinstance(value, dict):
        return {key: _frozen(item) for key, item in value.items()}
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def _each(
    path: tuple[str, ...],
    items: Iterable[tuple[Key, Any]],
    convert: Callable[[Key, Any], T],
) -> tuple[T, ...]:
    """Return the result of `convert` for each pair (key, value) in `items`.

    If `convert` fails, raise WrapperError with the path of the faulty value: the keys
    in `path`, and the key of the pair.
    """
    converted = []
    for key, value in items:
        value_path: tuple[str | int, ...] = (*path, key)
        try:
            converted.append(convert(key, value))
        except WrapperError as error:
            raise WrapperError(str(error), value_path + error.path) from error
        except _INVALID as error:
            raise WrapperError(f"this is not a wrapper: {error}", value_path) from error
    return tuple(converted)


def _member(data: Mapping[str, Any], key: str, convert: Callable[[Any], T]) -> T:
    """Return the result of `convert` for the value `data[key]`.

    If `convert` fails, raise WrapperError with `key` as the path of the faulty value.
    """
    return _each((), [(key, data[key])], lambda _, value: convert(value))[0]


def _record_locator(family: str, data: Mapping[str, Any]) -> ir.RecordLocator:
    """Return the XPath expressions for records from JSON values.

    `family` is the kind of feature that the expressions test, such as "class".
    """
    parse: Callable[[str], Path | Pinned] = _pinned if family == PINNED else parse_path
    return ir.RecordLocator(
        family,
        _member(data, "root", parse_path),
        _member(data, "record", parse),
        data.get("climb", 0),
        data.get("tag", "*"),
    )


def _reading(family: str, data: Sequence[Mapping[str, Any]]) -> ir.FieldReading:
    """Return a group of alternative XPath expressions for a field, from JSON values.

    `family` is the kind of feature that the expressions test, such as "class".
    """
    locators = _each((), enumerate(data), lambda _, values: _locator(family, values))
    return ir.FieldReading(family, locators)


def _pinned(text: str) -> Pinned:
    """Return a text as an XPath expression that a person wrote.

    Raise one of the exceptions in `_INVALID` if the text is too long or isn't XPath.
    Raise one, too, for an expression that selects no nodes, such as `count(//a)`.
    """
    check_length(text)
    selected = etree.XPath(text, regexp=False)(_EMPTY_PAGE)
    if not isinstance(selected, list):
        raise ValueError(f"an expression selects no elements: {text!r}")
    return Pinned(text)


def _locator_data(locator: ir.Locator) -> dict[str, Any]:
    """Return the XPath expression for a value, and its pattern, as JSON values."""
    return {
        "xpath": str(locator.xpath),
        "source": locator.source,
        "pattern": locator.pattern,
        "row": locator.row,
    }


def _locator(family: str, data: Mapping[str, Any]) -> ir.Locator:
    """Return the XPath expression for a value, and how to read the value, from JSON
    values.

    If `family` says that a person wrote the expression, it isn't parsed into steps.
    """
    parse = _pinned if family == PINNED else parse_expression
    other_arguments = {key: value for key, value in data.items() if key != "xpath"}
    return ir.Locator(_member(data, "xpath", parse), **other_arguments)
