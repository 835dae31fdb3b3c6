"""Test that invalid wrappers are refused, and differences from typings reported."""

from __future__ import annotations

from dataclasses import replace

import pytest
from typed_pages import case_domain, typed_page

from amber_wrap.contract.comparison_with_analysis import verify
from amber_wrap.errors import Diagnostic, WrapperError
from amber_wrap.wrapper.ir import FORMAT
from amber_wrap.wrapper.json_values import wrapper_from_data
from amber_wrap.wrapper.pattern_check import check_patterns

WRAPPER = wrapper_from_data(
    {
        "format": FORMAT,
        "domain": "case",
        "samples": [],
        "fields": {"price": "text", "town": "text"},
        "patterns": {"money": "£{digits}", "digits": "[0-9]+"},
        "areas": [
            {
                "name": "results",
                "places": {"tag": {"root": "//ul", "record": "./li"}},
                "witness": "",
                "span": 1,
                "least": 1,
                "fields": {
                    "price": {"tag": [{"xpath": "./b", "pattern": "money"}]},
                    "town": {"tag": [{"xpath": "./i"}]},
                },
            }
        ],
        "contract": {},
        "frame": [],
        "keys": [],
        "firsts": {},
    }
)
RED = "<li RECORD><b>[price £1] a day</b> <i>[town York]</i></li>"
EXTRA = (
    "record-extra: the wrapper reads 1 records that were not found on the page: if "
    "they are not records, leave out their part of the page (--without)"
)
MISSING = (
    "values found on the page are missing: a second sample may show how to tell them "
    "apart"
)
BEYOND = (
    "values come from records that show none: check them, and leave the field out if "
    "they are wrong (--fields)"
)
DIFFERENT = (
    "values differ from those found on the page: check them, and leave the field out "
    "if they are wrong (--fields)"
)
DIFFERENCES = {
    "none": (f"{RED}<li RECORD><b>[price £2]</b></li>", []),
    "a value that is no text of its own": (
        f"{RED}<li RECORD><b>[price £2]</b> <i></i></li>",
        [],
    ),
    "records that the wrapper misses": (
        f"{RED}<p RECORD><b>[price £2]</b></p><p RECORD><b>[price £3]</b></p>",
        [
            "record-missed: the wrapper misses 2 of 3 records found on the page: "
            "a second sample may show how to tell them apart"
        ],
    ),
    "records that the typing has not": (
        f"<li><b>£2</b></li>{RED}",
        [EXTRA],
    ),
    "a value that the wrapper misses": (
        f"{RED}<li RECORD><b>[price £2]</b> <u>[town Bath]</u></li>",
        [f"field-differs: town: 1 {MISSING}"],
    ),
    "values that the typing has not": (
        f"{RED}<li RECORD><b>[price £2]</b> <i>new</i></li>"
        "<li RECORD><b>[price £3]</b> <i>new</i></li>",
        [f"field-differs: town: 2 {BEYOND}"],
    ),
    "a value that is another": (
        "<li RECORD><b>£2</b> <b>[price £1]</b> <i>[town York]</i></li>",
        [f"field-differs: price: 1 {DIFFERENT}"],
    ),
    "a value of which the wrapper reads more": (
        "<li RECORD><b>[price £1]</b> <i>[town York], England</i></li>",
        [f"field-differs: town: 1 {DIFFERENT}"],
    ),
    "all at once": (
        f"{RED}<p RECORD><b>[price £2]</b></p><li><b>£3</b></li>"
        "<li RECORD><b>£4</b> <u>[town Bath]</u></li>"
        "<li RECORD><b>[price £5]</b> <i>Hove</i> <i>[town Ryde]</i></li>",
        [
            "record-missed: the wrapper misses 1 of 4 records found on the page: "
            "a second sample may show how to tell them apart",
            EXTRA,
            f"field-differs: price: 1 {BEYOND}",
            f"field-differs: town: 1 {DIFFERENT}",
            f"field-differs: town: 1 {MISSING}",
        ],
    ),
}


@pytest.mark.parametrize(
    ("records", "findings"), DIFFERENCES.values(), ids=DIFFERENCES.keys()
)
def test_differences_from_the_typing_are_reported(
    records: str, findings: list[str]
) -> None:
    html = f"<div><ul AREA>{records}</ul></div>"
    kinds = case_domain({"samples": [html]}).schema.types
    tree, typing = typed_page(html, kinds)
    assert list(verify(WRAPPER, tree.page, typing, "homes.html")) == [
        Diagnostic(
            "warning",
            code,
            message,
            "homes.html",
        )
        for code, message in (finding.split(": ", 1) for finding in findings)
    ]


def test_missing_values_of_a_field_left_out_are_a_detail() -> None:
    html = f"<div><ul AREA>{RED}<li RECORD><b>[price £2]</b></li></ul></div>"
    kinds = case_domain({"samples": [html]}).schema.types
    tree, typing = typed_page(html, kinds)
    (area,) = WRAPPER.areas
    without = replace(area, fields=area.fields[:1])
    wrapper = replace(WRAPPER, areas=(without,))
    (finding,) = verify(wrapper, tree.page, typing, "homes.html")
    assert (finding.level, finding.message) == ("detail", f"town: 1 {MISSING}")


def test_valid_patterns_are_accepted() -> None:
    check_patterns(WRAPPER)


@pytest.mark.parametrize(
    ("name", "pattern"),
    [("money", "£("), ("digits", "[0-"), ("digits", "*"), ("money", "(?P<1>£)")],
)
def test_an_invalid_pattern_is_refused(name: str, pattern: str) -> None:
    patterns = dict(WRAPPER.patterns) | {name: pattern}
    with pytest.raises(WrapperError, match=r"^the pattern '[a-z]+' is invalid: "):
        check_patterns(replace(WRAPPER, patterns=tuple(patterns.items())))
