"""Remembered results: computed once for a page or a domain, and freed with it."""

from __future__ import annotations

import gc

import pytest

from amber_wrap.cache import remembered


class Subject:
    """As pages and domains are: told from others by its identity."""


@pytest.fixture
def calls():
    return []


@pytest.fixture
def doubled(calls):
    @remembered
    def function(subject: Subject, number: int) -> list[int]:
        calls.append(number)
        if number < 0:
            raise ValueError("less than nothing")
        return [number, number]

    return function


def test_the_same_question_is_answered_once(doubled, calls):
    one = Subject()
    assert doubled(one, 2) is doubled(one, 2)
    assert doubled(one, 3) == [3, 3]
    assert calls == [2, 3]


def test_each_subject_has_answers_of_its_own(doubled, calls):
    one, other = Subject(), Subject()
    assert doubled(one, 2) is not doubled(other, 2)
    assert calls == [2, 2]


def test_an_error_is_no_answer(doubled, calls):
    one = Subject()
    for _ in range(2):
        with pytest.raises(ValueError, match="less than nothing"):
            doubled(one, -1)
    assert calls == [-1, -1]


def test_answers_go_with_their_subject():
    class Answer:
        pass

    def answers() -> int:
        return sum(isinstance(one, Answer) for one in gc.get_objects())

    answer = remembered(lambda subject: Answer())
    one, other = Subject(), Subject()
    answer(one), answer(other)
    gc.disable()  # It is not needed for that.
    try:
        assert answers() == 2
        del one
        assert answers() == 1
    finally:
        gc.enable()
