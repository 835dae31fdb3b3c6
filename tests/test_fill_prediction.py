"""Test the prediction of how empty a column may be on another page."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import betabinom

from amber_wrap.contract.fill_prediction import least_fill, log_chance
from amber_wrap.contract.thresholds import CONTRACT

COUNTS = st.tuples(st.integers(0, 60), st.integers(0, 60)).map(sorted).map(tuple)


@pytest.mark.parametrize(
    ("samples", "least"),
    [
        ([(20, 20)], 0.25),  # Full on one page, a column may be far emptier elsewhere,
        ([(500, 500)], 0.4),  # however many records that page had,
        ([(20, 20)] * 3, 0.5),  # and less so the more pages are full.
        ([(19, 20)], 0.05),
        ([(10, 20)], 0.0),  # An optional column may be gone.
        ([(20, 20), (10, 20)], 0.05),
        ([], 0.0),
    ],
)
def test_least_fill_depends_on_the_fill_and_number_of_samples(samples, least):
    assert least_fill(samples) == least


@settings(deadline=None)
@given(COUNTS, st.floats(0.01, 0.99))
def test_log_chance_is_that_of_the_beta_binomial_distribution(count, mean):
    filled, records = count
    expected = betabinom.logpmf(filled, records, 3 * mean, 3 * (1 - mean))
    assert log_chance(filled, records, mean, 3.0) == pytest.approx(expected, abs=1e-6)


@settings(deadline=None)
@given(st.lists(COUNTS, max_size=3))
def test_least_fill_is_lower_for_rarer_alarms(samples):
    assert 0 <= least_fill(samples) <= least_fill(samples, CONTRACT.most_failures) <= 1
