"""Show how an old wrapper differs from a new one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from amber_wrap.maintenance.matching import AreaMatch, FieldMatch, best_locators
from amber_wrap.report.text_report import locator_text
from amber_wrap.wrapper.ir import FieldRule


def diff_lines(matches: Iterable[AreaMatch]) -> Iterator[str]:
    """Yield the lines of a diff between old and new XPath expressions.

    The diff has the expressions of all lists in `matches`, and of their fields.
    """
    for match in matches:
        if match.old is None and not match.is_kept:
            yield f"left out: {match.new_count} records of something else"
            yield from _place_lines(match)
        else:
            yield from _area_lines(match)


def _area_lines(match: AreaMatch) -> Iterator[str]:
    """Yield the diff of one list, after a line with its old and new record counts."""
    area = match.old or match.new
    name = area.name if area else ""
    known_values = ""
    if match.known_value_count:
        noun = "value" if match.known_value_count == 1 else "values"
        known_values = f", {match.known_value_count} known {noun}"
    verdict = ""
    if match.new is None:
        verdict = ", lost"
    elif match.old is None:
        verdict = ", gained"
    counts = f"{match.old_count} -> {match.new_count} records"
    yield f"area {name}: {counts}{known_values}{verdict}"
    yield from _place_lines(match)
    for field_match in match.fields:
        yield from _field_lines(field_match)


def _place_lines(match: AreaMatch) -> Iterator[str]:
    """Yield the diff of the old and new XPath expressions that select the records of a
    list.

    The expressions for the elements around the records come first.
    """
    old_place = match.old.places[0] if match.old else None
    new_place = match.new.places[0] if match.new else None
    old_area = [str(old_place.root)] if old_place else []
    new_area = [str(new_place.root)] if new_place else []
    yield from _changed_lines(f"{'area':14} ", old_area, new_area)
    old_record = [str(old_place.record)] if old_place else []
    new_record = [str(new_place.record)] if new_place else []
    yield from _changed_lines(f"{'record':14} ", old_record, new_record)


def _field_lines(match: FieldMatch) -> Iterator[str]:
    """Yield the diff of one field, after a line with its old and new value counts."""
    verdict = "" if match.verdict == "kept" else f", {match.verdict}"
    yield f"  {match.name:14} {match.old_count} -> {match.new_count} values{verdict}"
    yield from _changed_lines("", _expressions(match.old), _expressions(match.new))


def _expressions(rule: FieldRule | None) -> list[str]:
    """Return the texts of a field's XPath expressions that are tried first.

    Return [] without a rule.
    """
    return [locator_text(locator) for locator in best_locators(rule)]


def _changed_lines(label: str, old: list[str], new: list[str]) -> Iterator[str]:
    """Yield a line for each removed expression, then one for each added expression.

    `label` precedes the expression in each line.
    """
    yield from (f"-   {label}{xpath}" for xpath in old if xpath not in new)
    yield from (f"+   {label}{xpath}" for xpath in new if xpath not in old)
