"""Memoise functions of an object, such as a page, as long as the object lives."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar
from weakref import ref

P = ParamSpec("P")
R = TypeVar("R")
Subject = TypeVar("Subject")


def remembered(
    function: Callable[Concatenate[Subject, P], R],
) -> Callable[Concatenate[Subject, P], R]:
    """Decorate a function to run only once for the same arguments.

    The first argument is the subject, for example a page.  Subjects are compared by
    identity.  When the subject is garbage-collected, its results are dropped.  A result
    must be immutable and must not refer to its subject.  The other arguments must be
    hashable and positional.
    """
    # A result that refers to its subject would keep the subject alive.
    known: dict[ref[Subject], dict[Any, R]] = {}

    @wraps(function)
    def found(subject: Subject, /, *args: P.args, **kwargs: P.kwargs) -> R:
        results = known.get(ref(subject))
        if results is None:
            results = known[ref(subject, known.pop)] = {}
        try:
            return results[args]
        except KeyError:
            result = results[args] = function(subject, *args, **kwargs)
            return result

    return found
