"""Check whether the values that a wrapper reads still look like values of their types.

A site may replace a column with a similar one, such as prices with deposits. Such a
change is noticed by patterns and word lists of the types.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median_low

from amber_wrap.annotate.annotate_page import annotate, annotators
from amber_wrap.annotate.annotator import Annotation
from amber_wrap.annotate.locale import for_locale, locale_of
from amber_wrap.contract.comparison_with_analysis import (
    annotated_outside,
    recognised_share,
)
from amber_wrap.dom.page import Page
from amber_wrap.domain.schema import Domain
from amber_wrap.engine.confidence import wilson_interval
from amber_wrap.engine.contract_report import Clause, ContractReport
from amber_wrap.engine.drift_check import check_page
from amber_wrap.engine.output_rows import records_on
from amber_wrap.engine.thresholds import CHECK
from amber_wrap.wrapper.ir import Contract, Wrapper


def check_with_annotators(
    wrapper: Wrapper, page: Page, domain: Domain
) -> ContractReport:
    """Return a report on whether a wrapper still reads a page correctly.

    The page must meet the wrapper's conditions for pages. In addition, the patterns and
    word lists of `domain` must recognise the values as values of their types.
    """
    report = check_page(wrapper, page)
    local_domain = for_locale(domain, locale_of(page))
    new_names = {old_name: new_name for new_name, old_name in wrapper.renamed}
    annotations = [
        annotation._replace(type=new_names.get(annotation.type, annotation.type))
        for annotation in annotate(page, local_domain.schema, annotators(local_domain))
    ]
    if report["records"]:
        failed_checks = unrecognised_fields(wrapper, page, annotations)
        status = "DEGRADED" if report["status"] == "OK" else report["status"]
        notes = report["notes"]
    else:
        failed_checks = list(_missed_areas(wrapper, page, annotations))
        status = "BROKEN"
        notes = [str(diagnostic) for diagnostic in page.diagnostics]
    if not failed_checks:
        return report
    return {
        **report,
        "status": status,
        "failed": [*report["failed"], *failed_checks],
        "notes": notes,
    }


def _missed_areas(
    wrapper: Wrapper, page: Page, annotations: Sequence[Annotation]
) -> Iterator[Clause]:
    """Yield a failed check for each list that a wrapper seems to have missed.

    The page has no records, but has many texts of the types that records of the list
    usually have. `annotations` are texts that may be values of a type.
    """
    annotation_counts = annotated_outside(page, annotations)
    for area in wrapper.areas:
        contract = area.contract or Contract()
        usual_types = [
            name
            for name, least_share in contract.recognised.items()
            if min(least_share, contract.fill.get(name, 0.0)) > CHECK.usual_fill
        ]
        # Even a page that is read well has some annotations outside of records.
        surplus = {
            name: annotation_counts[name] - contract.claimed.get(name, 0)
            for name in usual_types
        }
        median = median_low(surplus.values() or [0])
        if median > max(1, contract.records[0] // 2):
            names = ", ".join(name for name in usual_types if surplus[name] >= median)
            message = f"no records, but {names} at least {median} times on the page"
            yield Clause(clause="complete", area=area.name, field="", message=message)


def unrecognised_fields(
    wrapper: Wrapper, page: Page, annotations: Sequence[Annotation]
) -> list[Clause]:
    """Return a failed check for each field whose values no longer look like its type.

    `annotations` are the texts on the page that look like values of a type. The wrapper
    has the share of such values on the sample pages. A check fails if the page's share
    is less than half of this share.
    """
    page_records = records_on(wrapper, page.root)
    failed_checks = []
    for area in wrapper.areas:
        least_shares = area.contract.recognised if area.contract else {}
        records = [record for record in page_records if record.area == area.name]
        shares = recognised_share(page, annotations, records)
        for name, (recognised, total, other_types) in shares.items():
            if wilson_interval(recognised, total)[1] >= least_shares.get(name, 0.0) / 2:
                continue
            message = (
                f"{recognised} of {total} values are recognised as {name}, but at "
                f"least {least_shares[name]:.0%} on the samples"
            )
            if other_types:
                other_type, count = other_types.most_common(1)[0]
                message += f"; {count} are recognised as {other_type}"
            failed_checks.append(
                Clause(clause="recognised", area=area.name, field=name, message=message)
            )
    return failed_checks
