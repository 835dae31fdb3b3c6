"""Report as text how a wrapper, which is a set of extraction rules, was made."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from statistics import fmean

from amber_wrap.columns.assembly import ALL, with_columns
from amber_wrap.domain.normal_form import BETWEEN_ITEMS
from amber_wrap.domain.schema import key_owners
from amber_wrap.engine.output_rows import ExtractedRecord, interpret
from amber_wrap.errors import Diagnostic
from amber_wrap.generalise.next_page_rule import NextPageRule
from amber_wrap.generalise.several_samples import LeftOut
from amber_wrap.lowering.program import Program
from amber_wrap.lowering.sample_cases import shortened
from amber_wrap.lowering.xpath_simplification import short
from amber_wrap.passes.analysis import Analysis
from amber_wrap.pipeline import Compilation
from amber_wrap.selectors.area_groups import TypedPage
from amber_wrap.values.regular_expressions import compose
from amber_wrap.values.texts import ITEM_END
from amber_wrap.wrapper.ir import AreaRule, Locator, Wrapper

SHOWN_RECORDS = 3
"""The number of records whose values the report shows."""
NAME_WIDTH, VALUE_WIDTH = 14, 28
"""The least width of a column of names, and the width of a value, in characters."""
LONGEST_PATTERN = 120
"""The most characters of a regular expression that the report shows."""


def induction_summary(compilation: Compilation) -> str:
    """Return the output of `induce`: the lists, the XPath expressions and the records.

    For each field, the output also has the number of records with a value.
    """
    page, wrapper = compilation.pages[0], compilation.wrapper
    records = interpret(wrapper, page)
    best_analysis = compilation.analysis
    domain = best_analysis.domain.name if best_analysis.pivot else str(best_analysis)
    summary_lines = [f"domain {domain}"]
    column_names = [name for name, _ in wrapper.fields if name in wrapper.keys]
    for area in wrapper.areas:
        area_records = [record for record in records if record.area == area.name]
        summary_lines += _area_lines(area, area_records, column_names)
    summary_lines += _onward_lines(compilation.next_page)
    first_area = wrapper.areas[0].name
    first_area_records = [record for record in records if record.area == first_area]
    summary_lines += ["", *_table(first_area_records[:SHOWN_RECORDS], column_names)]
    summary_lines += _left_out_lines(compilation.left_out)
    summary_lines += [
        str(finding) for finding in compilation.diagnostics if finding.level != "detail"
    ]
    return "\n".join(summary_lines) + "\n"


def columns_not_read(compilation: Compilation) -> Diagnostic | None:
    """Return a message with the number of columns that aren't read but could be read.

    The domain has no type for the values of these columns. Return None if there are no
    such columns.
    """
    best = compilation.analysis
    typed = list(map(TypedPage, compilation.pages, best.typings))
    types = best.domain.schema.types
    count = len({*with_columns(typed, types).kinds} - {*types})
    if not count:
        return None
    message = (
        f"up to {count} other columns are not read: use --fields {ALL} to add them"
    )
    return Diagnostic("info", "columns-not-read", message)


def _area_lines(
    area: AreaRule, records: Sequence[ExtractedRecord], column_names: Sequence[str]
) -> Iterator[str]:
    """Yield lines on a list of records and its fields, with their XPath expressions."""
    rows = "" if area.span == 1 else f" of {area.span} rows"
    yield f"area {area.name}: {len(records)} records{rows}"
    yield f"  {'area':{NAME_WIDTH}} {short(str(area.places[0].root))}"
    yield f"  {'record':{NAME_WIDTH}} {short(str(area.places[0].record))}"
    field_rules = [
        field_rule for field_rule in area.fields if field_rule.name in column_names
    ]
    width = _width(field_rule.name for field_rule in field_rules)
    for field_rule in field_rules:
        value_count = sum(field_rule.name in record.values for record in records)
        label = f"{field_rule.name:{width}} {value_count}/{len(records)}"
        for locator in field_rule.readings[0].locators:
            yield f"  {label:{width + 8}} {short(locator_text(locator))}"
            label = "  or"


def _onward_lines(onward: NextPageRule) -> Iterator[str]:
    """Yield a line with the XPath expression for the link to the next page.

    If there is no expression, the line has the reason. Yield nothing if the reason is
    unknown, too.
    """
    if onward.path:
        yield f"next page: {short(str(onward.path))}"
    elif onward.remark:
        yield f"next page: not followed: {onward.remark}"


def _left_out_lines(left_out: Sequence[LeftOut]) -> Iterator[str]:
    """Yield lines with the mean and the worst F1 scores of a leave-one-out test.

    The test reads each sample page with rules that were made from the other sample
    pages.
    """
    if not left_out:
        return
    yield "leave-one-out test, F1 of the wrapper from the other samples:"
    for kind, scores in (
        ("records", [(sample.records, sample.name) for sample in left_out]),
        ("values", [(sample.values, sample.name) for sample in left_out]),
    ):
        mean = fmean(score for score, _ in scores)
        worst, name = min(scores)
        yield f"  {kind:14} {mean:.3f}, worst {worst:.3f} ({name})"


def locator_text(locator: Locator) -> str:
    """Return the expression for a value as one line of text.

    The line has the XPath, the HTML attribute, and the name of the pattern, for example
    ".//a @href ~ number".
    """
    row = f"row {locator.row + 1}: " if locator.row else ""
    source = "" if locator.source == "text" else f" {locator.source}"
    pattern = f" ~ {locator.pattern}" if locator.pattern else ""
    return f"{row}{locator.xpath}{source}{pattern}"


def _table(
    records: Sequence[ExtractedRecord], column_names: Sequence[str]
) -> Iterator[str]:
    """Yield the lines of a table: a line for each field, with a cell for each record.

    Fields without values in these records are left out.
    """
    column_names = [
        column_name
        for column_name in column_names
        if any(column_name in record.values for record in records)
    ]
    width = _width(column_names)
    for column_name in column_names:
        column_values = (record.values.get(column_name) for record in records)
        table_cells = (
            table_cell(value.text if value else "-") for value in column_values
        )
        yield f"  {column_name:{width}} " + "  ".join(table_cells).rstrip()


def _width(names: Iterable[str]) -> int:
    """Return the width of a table column that holds the given names, in characters."""
    return max(NAME_WIDTH, *map(len, names), 0)


def table_cell(text: str) -> str:
    """Return the text of a table cell, cut or padded to `VALUE_WIDTH` characters."""
    text = text.replace(ITEM_END, BETWEEN_ITEMS)
    cut = text if len(text) <= VALUE_WIDTH else text[: VALUE_WIDTH - 1] + "…"
    return f"{cut:{VALUE_WIDTH}}"


def column_lines(compilation: Compilation) -> Iterator[str]:
    """Yield a line for each column of the records, with the reason for its name.

    Further lines show texts of the records that are in no column.
    """
    wrapper = compilation.wrapper
    records = interpret(wrapper, compilation.pages[0])
    reasons = column_reasons(compilation)
    names = [name for name, _ in wrapper.fields if name in wrapper.keys]
    width = _width(names)
    yield ""
    yield "columns, with the reasons for their names:"
    for name in names:
        texts = [
            record.values[name].text for record in records if name in record.values
        ]
        fill = f"{len(texts)}/{len(records)}"
        first = table_cell(texts[0] if texts else "")
        yield f"  {name:{width}} {fill:8} {first}  {reasons[name]}"
    field_names = {name for name, _ in wrapper.fields}
    unread = (
        "no expression gives the displayed text, or another column has the same values"
    )
    notes = [note for note in compilation.columns.notes if note.name not in field_names]
    if notes:
        yield ""
        yield "texts of records that are in no column:"
    for note in notes:
        reason = f"{note.name}: {unread}" if note.is_read else note.reason
        yield f"  {table_cell(note.text)}  {note.records}/{note.count}: {reason}"


def column_reasons(compilation: Compilation) -> dict[str, str]:
    """Return the reason for each column's name, such as "a type of cars"."""
    domain = compilation.analysis.domain.name
    notes = {note.name: note for note in compilation.columns.notes if note.is_read}
    origins = _value_origins(compilation.analysis)
    renamed = dict(compilation.wrapper.renamed)
    owners = key_owners(dict(compilation.wrapper.fields))
    reasons = {}
    for name, _ in compilation.wrapper.fields:
        source = renamed.get(name, name)
        if name in owners:
            reason = f"declared by an element beside {owners[name]}"
        elif source in notes:
            reason = notes[source].reason
        else:
            reason = f"a type of {domain}{origins.get(source, '')}"
        if source != name:
            reason = f"your name for {source}: {reason}"
        reasons[name] = reason
    return reasons


def _value_origins(analysis: Analysis) -> dict[str, str]:
    """Return a dict from each type to a text that says how its values were found.

    For example, ": price_pattern 12, position 2" says that the pattern `price_pattern`
    found 12 values, and that 2 were found by their position in the record.
    """
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for typing in analysis.typings:
        for area in typing.areas:
            for attribute in chain.from_iterable(area.attributes):
                counts[attribute.type][attribute.recogniser or "position"] += 1
    return {
        name: ": " + ", ".join(f"{origin} {n}" for origin, n in count.most_common())
        for name, count in counts.items()
    }


def pattern_loss_lines(wrapper: Wrapper, program: Program) -> Iterator[str]:
    """Yield lines on fields whose regular expression is simpler in the generated file.

    `wrapper` has the full expressions, and `program` describes the generated file.
    """
    losses = list(_pattern_losses(wrapper, program))
    if losses:
        yield ""
        yield "patterns of the generated file that match less than the wrapper's:"
    width = max((len(field) for field, *_ in losses), default=0)
    for field, pattern, name, length in losses:
        pattern = pattern or "the whole text"
        if len(pattern) > LONGEST_PATTERN:
            pattern = f"{pattern[:LONGEST_PATTERN]}…"
        yield f"  {field:{width}}  {pattern}"
        yield f"  {'':{width}}  instead of {name} ({length:,} characters)"


def _pattern_losses(
    wrapper: Wrapper, program: Program
) -> Iterator[tuple[str, str, str, int]]:
    """Yield (field, simple pattern, name, length) for each field whose regular
    expression is simpler in the program.

    `name` and `length` describe the full regular expression in the wrapper.
    """
    patterns = dict(wrapper.patterns)
    for area, page_list in zip(wrapper.areas, program.lists, strict=True):
        rules = {rule.name: rule for rule in area.fields}
        for column in page_list.columns:
            full_patterns = {
                locator.pattern: compose(locator.pattern, patterns)
                for reading in area.followed_readings(rules[column.name])
                for locator in reading.locators
                if locator.pattern
            }
            copied = {shortened(pattern) for pattern in full_patterns.values()}
            for pattern in dict.fromkeys(read.pattern for read in column.reads):
                if full_patterns and pattern not in copied:
                    name, full_pattern = next(iter(full_patterns.items()))
                    yield column.name, pattern, name, len(full_pattern)
