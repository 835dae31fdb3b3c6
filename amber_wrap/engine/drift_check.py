"""Check whether a page meets the conditions that the sample pages of a site meet."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import combinations
from math import ceil

from amber_wrap.dom.expressions import Node
from amber_wrap.dom.page import Page
from amber_wrap.dom.truncation import Ending, truncation_message
from amber_wrap.engine import page_faults
from amber_wrap.engine.confidence import chance_of_unseen, wilson_interval
from amber_wrap.engine.contract_report import (
    Clause,
    ContractFinding,
    ContractReport,
    PageStatus,
    count_known_shapes,
    regular_fields,
)
from amber_wrap.engine.empty_page import judge_empty
from amber_wrap.engine.locators import PatternCache, PatternLookup, record_rows
from amber_wrap.engine.missed_records import count_intruders, missed_in_area
from amber_wrap.engine.record_reading import (
    FoundRecord,
    family_basis,
    find_records,
    shown_values,
)
from amber_wrap.engine.thresholds import CHECK
from amber_wrap.engine.unread_texts import UnreadTexts
from amber_wrap.engine.votes_of_expressions import (
    ErrorEstimate,
    estimate_errors,
    position_pairs,
    value_positions,
)
from amber_wrap.wrapper.ir import AreaRule, Contract, FieldRule, Signs, Wrapper


def drift_report(
    wrapper: Wrapper, root: Node, patterns: PatternLookup, ending: Ending | None = None
) -> ContractReport:
    """Return a report on whether a page meets the conditions that a wrapper sets for
    pages.

    `root` is the page, and `ending` how its HTML ends. Without `ending`, the page isn't
    checked for truncation.
    """
    records = find_records(wrapper.areas, root, patterns)
    if not records:
        return judge_empty(wrapper, root, patterns, ending)
    counts = Counter(record.area for record in records)
    contracts = [(area, area.contract) for area in wrapper.areas if area.contract]
    # An area with surplus records likely has the records that another area misses.
    surplus = sum(
        max(0, counts[area.name] - contract.records[1]) for area, contract in contracts
    )
    findings: list[tuple[str, ContractFinding]] = []
    if wrapper.signs:
        usual_count = sum(contract.records[1] for _, contract in contracts)
        for finding in judge_page(wrapper.signs, root, records, usual_count, ending):
            findings.append(("", finding))
    for area, contract in contracts:
        for finding in judge_area(area, contract, records, surplus, root, patterns):
            findings.append((area.name, finding))
    likely_f1 = estimate_f1(sum(len(record.values) for record in records), findings)
    failed, notes = list[Clause](), list[str]()
    for area_name, finding in findings:
        clause, field, message, wrong, missing, is_sure = finding
        if is_sure or (likely_f1 < CHECK.least_f1 and wrong + missing):
            failed.append(
                Clause(clause=clause, area=area_name, field=field, message=message)
            )
        else:
            notes.append(f"{field}: {message}" if field else message)
    status: PageStatus = "DEGRADED" if failed else "OK"
    if likely_f1 < CHECK.broken_f1:
        status = "BROKEN"
    return ContractReport(
        status=status, records=len(records), failed=failed, notes=notes
    )


def judge_page(
    signs: Signs,
    root: Node,
    records: list[FoundRecord],
    usual_count: int,
    ending: Ending | None,
) -> Iterator[ContractFinding]:
    """Yield observations on faults of a whole page, such as truncation or wrong
    decoding.

    `usual_count` is the number of records on the largest sample page.
    """
    count = len(records)
    if ending and page_faults.is_truncated(signs, ending):
        values_per_record = sum(len(record.values) for record in records) / count
        missing = max(0, usual_count - count) * values_per_record
        message = truncation_message(count, usual_count)
        yield ContractFinding("ending", "", message, missing=missing, is_sure=True)
    for message in page_faults.garbled_messages(signs, root):
        yield ContractFinding("text", "", message, is_sure=True)
    if message := page_faults.equal_digits_message(root, records):
        yield ContractFinding("digits", "", message, is_sure=True)


def estimate_f1(value_count: int, findings: list[tuple[str, ContractFinding]]) -> float:
    """Return the estimated F1 (0 to 1) of the `value_count` values that were read from
    a page.

    `findings` has pairs of a list's name and an observation with numbers of wrong and
    missing values.
    """
    wrong: dict[tuple[str, str], float] = defaultdict(float)
    missing: dict[tuple[str, str], float] = defaultdict(float)
    for area, finding in findings:
        key = area, finding.field
        wrong[key] = max(wrong[key], finding.wrong)
        missing[key] = max(missing[key], finding.missing)
    right = max(0.0, value_count - sum(wrong.values()))
    return 2 * right / (2 * value_count + sum(missing.values()))


def judge_area(
    area: AreaRule,
    contract: Contract,
    all_records: list[FoundRecord],
    surplus: int,
    root: Node,
    patterns: PatternLookup,
) -> Iterator[ContractFinding]:
    """Yield observations on what has changed in the records and values of one list of a
    page.

    `surplus` is the number of records that other lists have in excess of the sample
    pages.
    """
    records = [record for record in all_records if record.area == area.name]
    missed = missed_in_area(area, root, records, all_records)
    intruders = count_intruders(contract, records)
    yield from judge_records(contract, len(records), missed, intruders, surplus)
    first_starts = {rows[0] for rows in record_rows(area.places[0], area.span, root)}
    if by_fallback := sum(record.rows[0] not in first_starts for record in records):
        message = f"{by_fallback} of {len(records)} records are found by a fallback"
        yield ContractFinding("way", "", message)
    usual_fields = regular_fields(contract)
    unread = UnreadTexts(contract, records)
    for rule in area.fields:
        errors = estimate_errors(rule, records, patterns)
        for finding in judge_field(contract, rule, records, errors, unread):
            yield finding
            if finding.clause == "fill":
                usual_fields.discard(rule.name)
    if message := page_faults.placeholder_message(contract, records):
        wrong = sum(len(record.values) for record in records)
        yield ContractFinding("placeholders", "", message, wrong=wrong, is_sure=True)
    usual_rules = [rule for rule in area.fields if rule.name in usual_fields]
    yield from judge_completeness(contract, usual_rules, records, unread)
    yield from judge_order(area, contract, records)


def judge_records(
    contract: Contract, count: int, missed: int, intruders: int, surplus: int
) -> Iterator[ContractFinding]:
    """Yield observations on missing and on wrong records of a list with `count`
    records.

    `missed` is the number of records that weren't found, and `intruders` the number of
    records unlike all others. `surplus` is the number of unexpected records in other
    lists.
    """
    values_per_record = sum(contract.fill.values())
    least, most = contract.records
    if not count and least > surplus:
        message = f"no records in this area, but at least {least} on the samples"
        missing = least * values_per_record
        is_sure = least >= CHECK.always_present
        yield ContractFinding("records", "", message, missing=missing, is_sure=is_sure)
    if count > CHECK.most_records_factor * most:
        message = f"{count} records, but at most {most} on the samples"
        wrong = (count - most) * values_per_record
        yield ContractFinding("records", "", message, wrong=wrong)
    # On the samples, too, elements outside of the records may look like records.
    usual_share = 1 - contract.alone
    if missed and wilson_interval(missed, count + missed)[0] > usual_share:
        message = f"{missed} elements look like records of this area, but are in none"
        missing = (missed - usual_share * (count + missed)) * values_per_record
        yield ContractFinding("complete", "", message, missing=missing, is_sure=True)
    if intruders > contract.odd:
        subject = f"{intruders} of {count} records"
        message = f"{subject} are unlike the others, and lack most values"
        excess = intruders - contract.odd
        wrong = excess * values_per_record
        is_new = wilson_interval(excess, count)[0] > CHECK.chance_share
        yield ContractFinding("complete", "", message, wrong=wrong, is_sure=is_new)


def judge_field(
    contract: Contract,
    rule: FieldRule,
    records: list[FoundRecord],
    errors: ErrorEstimate,
    unread: UnreadTexts,
) -> Iterator[ContractFinding]:
    """Yield observations on a field whose values differ from those on the sample pages.

    For example, values are missing too often, look different, or are all equal.
    `errors` has estimates for wrong values, and `unread` the texts that no field reads.
    """
    name = rule.name
    values = shown_values(name, records)
    total, filled, different = len(records), len(values), len(set(values))
    least_fill = contract.fill.get(name, 0.0)
    is_required = least_fill == 1
    has_too_few = wilson_interval(filled, total)[1] < least_fill
    if has_too_few or (is_required and filled < total):
        expected = ", but all must" if is_required else on_samples(least_fill)
        message = f"{filled} of {total} records have a value{expected}"
        lost = len(unread.lost(rule))
        # Columns without a known type that many records lack may be missing altogether.
        is_usual = (
            least_fill > CHECK.usual_fill or name in contract.recognised or is_required
        )
        missing = min(lost, least_fill * total - filled) if is_usual else 0.0
        is_gone = least_fill > CHECK.usual_fill and missing > least_fill * total / 2
        is_sure = is_gone or is_required
        yield ContractFinding("fill", name, message, missing=missing, is_sure=is_sure)
    odd = filled - count_known_shapes(contract, name, values)
    seen = ceil(least_fill * contract.records[1])
    is_chance = chance_of_unseen(odd, filled, seen) > CHECK.chance_probability
    if wilson_interval(odd, filled)[0] > CHECK.chance_share and not is_chance:
        message = f"{odd} of {filled} values look unlike those on the samples"
        yield ContractFinding("shape", name, message, wrong=odd)
    least_distinct = contract.distinct.get(name, 0.0)
    if wilson_interval(different, filled)[1] < least_distinct:
        expected = on_samples(least_distinct)
        message = f"{different} of {filled} values are distinct{expected}"
        yield ContractFinding("distinct", name, message, wrong=filled - different)
    if count := errors.by_fallback:
        message = f"{count} of {filled} values come from a fallback: check them"
        yield ContractFinding("way", name, message)
    usual_errors = (1 - contract.agreement.get(name, 1.0) + CHECK.chance_share) * total
    error_count = errors.wrong + errors.missing
    if error_count > max(0.0, usual_errors):
        excess_share = (error_count - usual_errors) / error_count
        subject = f"{ceil(error_count)} of {total} values"
        message = f"{subject} may be wrong: fallbacks give other values"
        wrong, missing = errors.wrong * excess_share, errors.missing * excess_share
        yield ContractFinding("agreement", name, message, wrong, missing)


def judge_completeness(
    contract: Contract,
    usual_rules: list[FieldRule],
    records: list[FoundRecord],
    unread: UnreadTexts,
) -> Iterator[ContractFinding]:
    """Yield an observation if more records are incomplete than on the sample pages.

    A record is incomplete if it seems to have lost the value of a field in
    `usual_rules`.
    """
    total = len(records)
    lost_values = Counter(index for rule in usual_rules for index in unread.lost(rule))
    complete, least_share = total - len(lost_values), contract.whole
    if wilson_interval(complete, total)[1] < least_share:
        expected = on_samples(least_share)
        message = f"{complete} of {total} records are complete{expected}"
        excess_share = (least_share * total - complete) / len(lost_values)
        missing = excess_share * lost_values.total()
        yield ContractFinding("whole", "", message, missing=missing)


def judge_order(
    area: AreaRule, contract: Contract, records: list[FoundRecord]
) -> Iterator[ContractFinding]:
    """Yield an observation for each pair of fields whose values have changed their
    order.

    The order has changed if it differs from the sample pages in most records.
    """
    rules = {rule.name: rule for rule in area.fields}
    ordered_rules = [rules[name] for name in contract.order if name in rules]
    positions_of_records = [value_positions(record) for record in records]
    for rule, next_rule in combinations(ordered_rules, 2):
        if not depend_on_position(contract, rule, next_rule):
            continue
        first, second = rule.name, next_rule.name
        pairs = position_pairs(positions_of_records, first, second)
        total = len(pairs)
        reordered = sum(position > next_position for position, next_position in pairs)
        if wilson_interval(reordered, total)[0] > 0.5:
            message = f"the value follows {second} in {reordered} of {total} records"
            yield ContractFinding("order", first, message, wrong=2 * reordered)


def depend_on_position(contract: Contract, first: FieldRule, second: FieldRule) -> bool:
    """Return whether two fields differ only in the position of their values.

    This is so if all these conditions hold:

    - the same regular expression reads both fields,
    - values of both fields have a common shape, such as "number 4" (`contract.shapes`),
    - an expression selects one of the fields by its position or surroundings.
    """
    readings = first.readings[0], second.readings[0]
    locators = [reading.locators[0] for reading in readings]
    if len({(locator.source, locator.pattern) for locator in locators}) > 1:
        return False
    first_shapes = set(contract.shapes.get(first.name, ()))
    if first_shapes.isdisjoint(contract.shapes.get(second.name, ())):
        return False
    return any(family_basis(reading.family) == "movable" for reading in readings)


def on_samples(least_share: float) -> str:
    """Return the end of a message that a share of records or values is too low.

    For example, the end is ", but at least 90% on the samples" for 0.9.
    """
    return f", but at least {least_share:.0%} on the samples"


def check_page(wrapper: Wrapper, page: Page) -> ContractReport:
    """Return a report on whether a page meets the conditions that a wrapper sets for
    pages.

    The parser's messages about faults of the HTML are added to the report.
    """
    patterns = PatternCache(dict(wrapper.patterns))
    report = drift_report(wrapper, page.root, patterns, page.ending)
    report["notes"] += [str(diagnostic) for diagnostic in page.diagnostics]
    return report
