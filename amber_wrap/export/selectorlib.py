"""Export XPath expressions and CSS selectors to selectorlib."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from amber_wrap.codegen.other_languages import Written, fill
from amber_wrap.export.plain_xpath import selection
from amber_wrap.export.selectors_and_patterns import (
    pattern_losses,
    source_losses,
    untyped,
)
from amber_wrap.export.target import Exported, ExportTarget, Subject


def selectorlib(subject: Subject) -> Exported:
    """Return the YAML file of a selectorlib extractor.

    The result also has warnings on what selectorlib can't express.
    """
    main_list, findings = selection(subject.program)
    yaml_fields: list[Mapping[str, Any]] = []
    for column in main_list.fields:
        attribute = column.alternatives[0].attribute
        yaml_fields.append(
            {
                "name": column.name,
                "xpath": column.elements,
                "attribute": attribute,
                "type": Written("Attribute" if attribute else "Text"),
                "several": column.several,
            }
        )
        findings += [*source_losses(column), *pattern_losses(column, "selectorlib")]
    selectorlib_yaml = fill(
        "selectorlib/selectors.yml.jinja", records=main_list.records, fields=yaml_fields
    )
    losses = (*findings, *untyped(subject.program, "selectorlib"))
    return Exported({f"{subject.name}.yml": selectorlib_yaml}, losses)


SELECTORLIB = ExportTarget("selectorlib", "a selectorlib extractor, YAML", selectorlib)
