"""Pages made to hurt: a few of each kind here, a thousand in the slow run.

`hostile.generator` draws them; what one did once, by its number, is done again with
`PYTHONPATH=tests python -m hostile.campaign NUMBER`.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hostile.campaign import Drawn, campaign
from hostile.generator import KINDS, case, kinds
from hostile.run import TooLong, limited, run

SOME, MANY = 48, 1000
"""Cases of the ordinary run, and of the slow one."""


@pytest.mark.parametrize(
    "drawn", list(kinds(SOME)), ids=lambda it: "-".join(map(str, it))
)
def test_a_hostile_page_is_read_or_refused(drawn: Drawn, tmp_path: Path) -> None:
    assert run(case(*drawn), tmp_path).failures == ()


@pytest.mark.slow
def test_a_thousand_hostile_pages_are_read_or_refused() -> None:
    reports = list(campaign(kinds(MANY, SOME), os.cpu_count() or 1))
    assert [str(one) for one in reports if one.outcome.failures] == []
    assert {(one.family, one.kind) for one in reports} == set(KINDS)
    # A wrapper is learned from enough pages: the others test little.
    assert sum(one.outcome.is_learned for one in reports) > MANY / 3


def test_the_same_number_is_the_same_page() -> None:
    drawn = list(kinds(3 * len(KINDS)))
    assert [case(*one).sample for one in drawn] == [case(*one).sample for one in drawn]


def test_what_takes_too_long_is_stopped() -> None:
    def stall() -> None:
        while True:
            pass

    with pytest.raises(TooLong), limited(0.1):
        stall()
