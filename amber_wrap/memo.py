"""Memoise pure functions of a page or a domain, as long as that object lives."""

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
    """Decorate a function to run once for the same subject and arguments.

    The subject is the first argument, and subjects are compared by identity.  The
    results are dropped when the subject is garbage-collected.  A result must not refer
    to its subject, which could never be collected then.  The other arguments must be
    hashable and positional.  The results must be immutable.
    """
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
