"""The verifier: a wrapper that can't work is refused, one that differs is reported."""

from __future__ import annotations

from dataclasses import replace

import pytest
from typed_pages import case_domain, typed_page

from amber_wrap.errors import Diagnostic, WrapperError
from amber_wrap.generalise.verify import check_expressions, verify
from amber_wrap.wrapper.ir import FORMAT, Place, Reading, Wrapper, from_data

WRAPPER = from_data(
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
    }
)
RED = "<li RECORD><b>[price £1] a day</b> <i>[town York]</i></li>"
DIFFERENCES = {
    "none": (f"{RED}<li RECORD><b>[price £2]</b></li>", []),
    "a value that is no text of its own": (
        f"{RED}<li RECORD><b>[price £2]</b> <i></i></li>",
        [],
    ),
    "records that the wrapper misses": (
        f"{RED}<p RECORD><b>[price £2]</b></p><p RECORD><b>[price £3]</b></p>",
        ["record-missed: 2 typed records not found"],
    ),
    "records that the typing has not": (
        f"<li><b>£2</b></li>{RED}",
        ["record-extra: 1 records beyond the typing"],
    ),
    "a value that the wrapper misses": (
        f"{RED}<li RECORD><b>[price £2]</b> <u>[town Bath]</u></li>",
        ["field-differs: town: 1 values missing"],
    ),
    "values that the typing has not": (
        f"{RED}<li RECORD><b>[price £2]</b> <i>new</i></li>"
        "<li RECORD><b>[price £3]</b> <i>new</i></li>",
        ["field-differs: town: 2 values beyond the typing"],
    ),
    "a value that is another": (
        "<li RECORD><b>£2</b> <b>[price £1]</b> <i>[town York]</i></li>",
        ["field-differs: price: 1 values different"],
    ),
    "a value of which the wrapper reads more": (
        "<li RECORD><b>[price £1]</b> <i>[town York], England</i></li>",
        ["field-differs: town: 1 values different"],
    ),
    "all at once": (
        f"{RED}<p RECORD><b>[price £2]</b></p><li><b>£3</b></li>"
        "<li RECORD><b>£4</b> <u>[town Bath]</u></li>"
        "<li RECORD><b>[price £5]</b> <i>Hove</i> <i>[town Ryde]</i></li>",
        [
            "record-missed: 1 typed records not found",
            "record-extra: 1 records beyond the typing",
            "field-differs: price: 1 values beyond the typing",
            "field-differs: town: 1 values different",
            "field-differs: town: 1 values missing",
        ],
    ),
}


@pytest.mark.parametrize(
    ("records", "findings"), DIFFERENCES.values(), ids=DIFFERENCES.keys()
)
def test_differences(records: str, findings: list[str]) -> None:
    html = f"<div><ul AREA>{records}</ul></div>"
    kinds = case_domain({"samples": [html]}).schema.types
    tree, typing = typed_page(html, kinds)
    assert list(verify(WRAPPER, tree.page, typing, "homes.html")) == [
        Diagnostic(
            "warning",
            code,
            f"the wrapper on its own sample: {message}",
            "homes.html",
        )
        for code, message in (one.split(": ", 1) for one in findings)
    ]


def test_what_can_work_is_accepted() -> None:
    check_expressions(WRAPPER)


def wrong(root: str = "//ul", record: str = "./li", field: str = "./b") -> Wrapper:
    (area,) = WRAPPER.areas
    price, town = area.fields
    (reading,) = price.readings
    (locator,) = reading.locators
    other = Reading("class", (locator, replace(locator, xpath=field)))
    fields = (replace(price, readings=(reading, other)), town)
    places = (*area.places, Place("class", root, record))
    return replace(WRAPPER, areas=(replace(area, places=places, fields=fields),))


@pytest.mark.parametrize("place", ["root", "record", "field"])
@pytest.mark.parametrize("xpath", ["//ul[", "", '@id="', './b["\x01"]'])
def test_a_wrong_xpath_is_refused(place: str, xpath: str) -> None:
    check_expressions(wrong(**{place: "//ul"}))
    with pytest.raises(WrapperError, match=r"^the XPath ") as caught:
        check_expressions(wrong(**{place: xpath}))
    assert repr(xpath) in str(caught.value)


@pytest.mark.parametrize(
    ("name", "pattern"),
    [("money", "£("), ("digits", "[0-"), ("digits", "*"), ("money", "(?P<1>£)")],
)
def test_a_wrong_pattern_is_refused(name: str, pattern: str) -> None:
    patterns = dict(WRAPPER.patterns) | {name: pattern}
    with pytest.raises(WrapperError, match=r"^the pattern '[a-z]+' is wrong: "):
        check_expressions(replace(WRAPPER, patterns=tuple(patterns.items())))
