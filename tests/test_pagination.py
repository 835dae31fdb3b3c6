"""The link to the next page: pages that have one, and what they have instead.

A case in cases/pagination/pages is a page, the href of its link (`next`, `older`), its
absolute `address`, the reasons (`why`), or what there is instead (`seen`).  The lists
beside them say what labels, arrows, names and addresses mean, a line each.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from amber_wrap.analysis.pagination.counters import step
from amber_wrap.analysis.pagination.labels import arrow, class_direction, direction
from amber_wrap.analysis.pagination.links import address_of, pagination
from amber_wrap.dom.parse import parse

CASES = Path(__file__).parent / "cases" / "pagination"
PAGES = sorted((CASES / "pages").glob("*.toml"))
NONE = "-"
KEYS = {"url", "html", "next", "older", "address", "why", "seen"}


def lines(name: str) -> list[list[str]]:
    found = (CASES / f"{name}.txt").read_text("utf-8").splitlines()
    return [
        line.rsplit(" | ", line.count(" | "))
        for line in found
        if line and not line.startswith("# ")
    ]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_pages(path: Path) -> None:
    case = tomllib.loads(path.read_text("utf-8"))
    assert set(case) <= KEYS
    assert ("next" in case) != ("seen" in case)
    page = parse(case["html"].encode(), case.get("url", ""))
    found = pagination(page)
    told = found.next.why if found.next else found.seen
    assert (found.next and found.next.href) == case.get("next"), told
    assert (found.older and found.older.href) == case.get("older")
    assert found.seen == case.get("seen", "")
    assert address_of(page, found.next) == case.get("address")
    if "why" in case:
        assert told == case["why"]


def test_labels() -> None:
    wrong = [
        f"{label}: {found}, not {wanted}"
        for label, wanted in lines("labels")
        if (found := direction(label) or NONE) != wanted
    ]
    assert not wrong, "\n".join(wrong)


def test_arrows() -> None:
    wrong = [
        f"{label}: {found}, not {wanted}"
        for label, wanted in lines("arrows")
        if (found := arrow(label) or NONE) != wanted
    ]
    assert not wrong, "\n".join(wrong)


def test_names() -> None:
    wrong = [
        f"{name}: {found}, not {wanted}"
        for name, wanted in lines("names")
        if (found := class_direction([name]) or NONE) != wanted
    ]
    assert not wrong, "\n".join(wrong)


def test_counters() -> None:
    wrong = []
    for own, other, wanted in lines("counters"):
        told = step(own, other)
        if (found := str(told.weight) if told else NONE) != wanted:
            wrong.append(f"{own} -> {other}: {found}, not {wanted}")
    assert not wrong, "\n".join(wrong)
