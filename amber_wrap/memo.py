"""Results of pure functions of a page or a domain, kept as long as that lives."""

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
    """Call a function of a subject once for the same arguments.

    A subject is told from others by its identity.  Results go when it goes: none may
    hold it.  The arguments beside it must be hashable and given by position; the result
    must be a value.
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
