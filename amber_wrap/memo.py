"""What was once found out about a value that never changes, a page or a domain."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

P = ParamSpec("P")
R = TypeVar("R")
Memo = dict[Any, dict[Any, Any]]
"""Results by function, and by the arguments beside the subject."""


class Remembering(Protocol):
    """What has a memo, which is forgotten with it."""

    @property
    def memo(self) -> Memo:
        """What is known of it."""


Subject = TypeVar("Subject", bound=Remembering)


def remembered(
    function: Callable[Concatenate[Subject, P], R],
) -> Callable[Concatenate[Subject, P], R]:
    """Call a function of a subject once for the same arguments.

    They must be hashable and given by position; the result must be a value.
    """

    @wraps(function)
    def known(subject: Subject, /, *args: P.args, **kwargs: P.kwargs) -> R:
        results = subject.memo.setdefault(function, {})
        result = results.get(args, results)
        if result is results:
            result = results[args] = function(subject, *args, **kwargs)
        return result  # type: ignore[no-any-return]

    return known


def forget_memo(subject: Remembering) -> None:
    """Drop what is known of a subject that nobody will ask for much more.

    Results may hold it: such circles would wait for the garbage collector, which knows
    nothing of the trees of lxml that hang on them.
    """
    subject.memo.clear()
