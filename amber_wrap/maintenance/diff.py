"""Print what healing changed: the expressions before and after."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from amber_wrap.maintenance.matching import AreaMatch, FieldMatch, ways
from amber_wrap.report.text_report import expression
from amber_wrap.wrapper.ir import AreaRule, FieldRule


def diff(matches: Iterable[AreaMatch]) -> Iterator[str]:
    """Yield a diff of the XPath expressions of all areas and fields, line by line."""
    for match in matches:
        if match.old is None and not match.stays:
            yield f"left out: {match.after} records of something else"
            yield from _place_lines(match)
        else:
            yield from _area_lines(match)


def _area_lines(match: AreaMatch) -> Iterator[str]:
    """Yield the diff of one area, after a line with the numbers of records."""
    area = match.old or match.new
    name = area.name if area else ""
    what = ", lost" if match.new is None else ", gained" if match.old is None else ""
    count = match.shared
    shared = f", {count} known value{'s' * (count != 1)}" if count else ""
    yield f"area {name}: {match.before} -> {match.after} records{shared}{what}"
    yield from _place_lines(match)
    for field in match.fields:
        yield from _field_lines(field)


def _place_lines(match: AreaMatch) -> Iterator[str]:
    for label, old, new in _places(match.old, match.new):
        yield from _changed(f"{label:14} ", old, new)


def _places(
    old: AreaRule | None, new: AreaRule | None
) -> Iterator[tuple[str, list[str], list[str]]]:
    before, after = ([area.places[0]] if area else [] for area in (old, new))
    yield "area", [str(one.root) for one in before], [str(one.root) for one in after]
    yield (
        "record",
        [str(one.record) for one in before],
        [str(one.record) for one in after],
    )


def _field_lines(match: FieldMatch) -> Iterator[str]:
    what = "" if match.verdict == "kept" else f", {match.verdict}"
    yield f"  {match.name:14} {match.before} -> {match.after} values{what}"
    yield from _changed("", _expressions(match.old), _expressions(match.new))


def _expressions(rule: FieldRule | None) -> list[str]:
    return [expression(locator) for locator in ways(rule)]


def _changed(label: str, old: list[str], new: list[str]) -> Iterator[str]:
    """Yield a line for each removed expression, then a line for each added
    expression."""
    yield from (f"-   {label}{one}" for one in old if one not in new)
    yield from (f"+   {label}{one}" for one in new if one not in old)
