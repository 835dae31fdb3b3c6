"""Estimate the quality of a wrapper on new pages.

A wrapper is induced from all samples but one, and tested on the remaining sample.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from amber_wrap.contract.verification import agreement
from amber_wrap.domain.schema import AttributeType, Domain
from amber_wrap.generalise.wrapper_rules import generalise
from amber_wrap.selectors.area_groups import Typed
from amber_wrap.wrapper.ir import Sample


@dataclass(frozen=True, slots=True)
class LeftOut:
    """The quality of a wrapper on one sample, where the other samples gave the wrapper.

    `name` is the name of the sample. `records` and `values` are F1 scores in [0, 1] for
    the records and for the values.
    """

    name: str
    records: float
    values: float


def leave_one_out(
    typed: Sequence[Typed],
    samples: Sequence[Sample],
    domain: Domain,
    kinds: Sequence[AttributeType] = (),
) -> Iterator[LeftOut]:
    """Yield, for each sample, the scores of a wrapper that is induced from the other
    samples.

    The records and attributes that the analysis found on the sample serve as the truth.
    A sample is skipped if the other samples have no records.
    """
    for i, (left_out, sample) in enumerate(zip(typed, samples, strict=True)):
        others = [*typed[:i], *typed[i + 1 :]]
        if not any(one.typing.record_count for one in others):
            continue
        names = [*samples[:i], *samples[i + 1 :]]
        wrapper = generalise(others, names, domain, kinds)
        found = agreement(wrapper, left_out.page, left_out.typing)
        yield LeftOut(sample.name, _f1(found.records), _f1(found.values))


def _f1(counts: tuple[int, int, int]) -> float:
    agreeing, extracted, typed = counts
    return 2 * agreeing / (extracted + typed) if extracted + typed else 1.0
