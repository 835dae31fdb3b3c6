"""Test monitors of a wrapper: they fail on changed sites only."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from exported import columns, crawl, export, homes, require, results, site

from amber_wrap.domain.schema import ValueKind
from amber_wrap.export.target_list import target_called

SPIDER = """\
from homes_monitors import SETTINGS as MONITORS
from homes_spider import SETTINGS, HomesSpider as Base
import spidermon_settings


class OwnSpider(Base):
    name = "own"
    custom_settings = {
        **SETTINGS,
        **MONITORS,
        **{k: v for k, v in vars(spidermon_settings).items() if k.isupper()},
    }
"""


@pytest.fixture
def spider(tmp_path):
    require("scrapy", "spidermon")
    subject = homes()
    (tmp_path / "homes.py").write_text(subject.source, "utf-8")
    export("scrapy", subject, tmp_path)
    export("spidermon", subject, tmp_path)
    (tmp_path / "own_spider.py").write_text(SPIDER)
    return tmp_path / "own_spider.py"


def watched(spider, pages) -> tuple[int, str]:
    """Crawl a site: the number of items, and the log."""
    with site(pages) as (address, _):
        items, log = crawl(spider, "-a", f"url={address}/results?page=1")
    return len(items), log


def test_monitors_pass_on_an_unchanged_site(spider):
    items, log = watched(spider, results())
    assert items > 30
    assert "[Spidermon] 5 monitors in" in log
    assert "[Spidermon] OK" in log
    assert " ERROR: " not in log


def test_monitors_name_a_field_that_is_missing(spider):
    pages = {
        path: body.replace(b"address", b"div").replace(b"card__addr", b"x")
        for path, body in results().items()
    }
    items, log = watched(spider, pages)
    assert items > 30
    assert "FAILED (failures=1" in log
    assert "HomesItem/location (expected 0.6, got 0" in log


def test_monitors_fail_if_no_items_are_found(spider):
    pages = {
        path: re.sub(rb"/property/|/agents/|prop-", b"x", body)
        for path, body in results().items()
    }
    items, log = watched(spider, pages)
    assert items == 0
    assert "FAILED (failures=2" in log
    assert "Unable to find 'item_scraped_count' in job stats" in log


def test_monitors_fail_if_values_have_another_form(spider):
    """Replace prices by ones of a single digit in the same markup."""
    pages = {
        path: re.sub(rb"\d[\d,]*,000</strong>", b"9</strong>", body)
        for path, body in results().items()
    }
    assert pages != results()
    _, log = watched(spider, pages)
    assert "FAILED (failures=1" in log
    assert re.search(r"unlike those of the samples: price: [23]\d of \d+", log)


def test_the_schema_has_the_bounds_of_expected_values():
    program = columns("title", "price", kind=ValueKind.NUMBER)
    program = replace(
        program,
        expected={"title": (0.5, r"\d{1,3}(?:\.\d+)?"), "price": (0.7, "[0-9]")},
    )
    exported = target_called("spidermon").make(replace(homes(), program=program))
    assert [str(finding) for finding in exported.findings] == [
        "warning: price: the form [0-9] of numbers isn't checked [not-carried]"
    ]
    text = exported.files["homes_monitors.py"]
    assert '"minimum": 0, "exclusiveMaximum": 1000' in text
    assert '"HomesItem/title": 0.5' in text


def test_a_wrapper_without_expectations_is_reported():
    program = replace(columns("title"), expected={})
    exported = target_called("spidermon").make(replace(homes(), program=program))
    assert "nothing is monitored" in str(exported.findings[0])
