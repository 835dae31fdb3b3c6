"""Advise a person to give a second sample if one page leaves questions open."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from amber_wrap.engine.ensemble import Found
from amber_wrap.errors import Diagnostic
from amber_wrap.generalise.thresholds import RULE
from amber_wrap.wrapper.ir import Wrapper

_MOST_LISTED: Final = 3
"""The greatest number of columns that a message names."""


def second_sample(
    wrapper: Wrapper, records: Sequence[Found], columns: Collection[str]
) -> Iterator[Diagnostic]:
    """Yield the advice to give a second sample, if a single sample leaves questions
    open.

    Few records leave questions open. One of the `columns` leaves a question open if few
    records have a value, or if all values are equal.
    """
    if len(wrapper.samples) > 1 or not records or not columns:
        return
    given = {
        name: shown
        for name in columns
        if (shown := [one.values[name].shown for one in records if name in one.values])
    }
    rare = [one for one in given if len(given[one]) <= max(1, RULE.rare * len(records))]
    constant = [
        one for one, shown in given.items() if one not in rare and len(set(shown)) == 1
    ]
    doubts = [
        f"there are {len(records)} records only" * (len(records) < RULE.few_records),
        _sentence(rare, "is in few records", "are in few records"),
        _sentence(
            constant, "is the same wherever it is", "are the same wherever they are"
        ),
    ]
    if any(doubts):
        sample = shlex.quote(wrapper.samples[0].name)
        yield Diagnostic(
            "info",
            "one-sample",
            f"one page can't show what is chance ({', '.join(filter(None, doubts))}): "
            f"a second one decides, amber-wrap induce {sample} ANOTHER",
        )


def _sentence(names: Sequence[str], one: str, more: str) -> str:
    """Return a statement on columns that names the first few columns, or "" without
    names.

    The statement ends with `one` for a single column, and with `more` for several
    columns.
    """
    if not names:
        return ""
    listed = ", ".join([*names[:_MOST_LISTED], *["..."] * (len(names) > _MOST_LISTED)])
    return f"{listed} {more if len(names) > 1 else one}"
