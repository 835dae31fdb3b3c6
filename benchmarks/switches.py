"""The steps of induction that can be switched off one by one: see `ablation.py`."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from types import CodeType, FunctionType
from typing import Any, NamedTuple

PACKAGES = ("analysis", "annotate", "columns", "generalise", "selectors")
LEFT_OUT = ("analysis.features", "analysis.pagination", "generalise.next_page_rule")
"""The features that models are fitted with, and the search for the next page."""
NOTHING = {
    "bool": ("False", "True"),
    "float": ("0.0", "1.0"),
    "int": ("0",),
    "str": ('""',),
    "Iterator": ("iter(())",),
    "list": ("[]",),
    "set": ("set()",),
    "frozenset": ("frozenset()",),
    "Mapping": ("{}",),
    "dict": ("{}",),
    **dict.fromkeys(("Iterable", "Sequence", "Collection", "tuple"), ("()",)),
}
"""The constants that a switched-off function may return, by the type of its result."""


class Step(NamedTuple):
    """A function, and the Python expression that its calls are replaced by."""

    function: FunctionType
    instead: str

    def __str__(self) -> str:
        module = self.function.__module__.removeprefix("amber_wrap.")
        return f"{module}.{self.function.__name__} = {self.instead}"

    def without(self) -> FunctionType:
        """Return the function switched off."""
        parameters = [
            one.replace(annotation=one.empty, default=one.empty)
            for one in inspect.signature(self.function).parameters.values()
        ]
        names = inspect.Signature(parameters)
        made = defined(f"def step{names}: return {self.instead}", "step")
        return like(self.function, made.__code__)

    def switch_off(self) -> None:
        """Switch the function off in this process, wherever it is referred to."""
        self.function.__code__ = self.without().__code__


def steps() -> Iterator[Step]:
    """Yield the steps of all packages: each function without closure, and each constant
    or argument that has the type of its result.
    """
    for package in PACKAGES:
        folder = importlib.import_module(f"amber_wrap.{package}")
        for one in pkgutil.walk_packages(folder.__path__, f"{folder.__name__}."):
            if not any(part in one.name for part in LEFT_OUT):
                for value in vars(importlib.import_module(one.name)).values():
                    function = inspect.unwrap(value) if callable(value) else None
                    if (
                        isinstance(function, FunctionType)
                        and function.__module__ == one.name
                        and not function.__closure__
                        and function.__name__.isidentifier()
                    ):
                        yield from map(partial(Step, function), results(function))


def results(function: FunctionType) -> Sequence[str]:
    """Return the expressions that may replace a call of a function."""
    types = dict(function.__annotations__)
    result = types.pop("return", "")
    alike = [name for name, one in types.items() if one == result]
    if alike and result not in ("bool", "int", "float"):
        return alike[:1]
    if result.endswith("| None"):
        return ["None"]
    return NOTHING.get(result.partition("[")[0], ())


def watch(every: Sequence[Step], effective: set[Step]) -> None:
    """Let functions note in `effective` the steps whose results aren't theirs."""
    by_function: dict[FunctionType, list[Step]] = defaultdict(list)
    for one in every:
        by_function[one.function].append(one)
    for function, mine in by_function.items():
        _watch(function, {one: one.without() for one in mine}, effective)


def _watch(
    function: FunctionType,
    mine: dict[Step, FunctionType],
    effective: set[Step],
) -> None:
    own = like(function, function.__code__)

    def watched(*args: Any, **kwargs: Any) -> Any:
        result = own(*args, **kwargs)
        is_lazy = hasattr(result, "__next__")
        result = list(result) if is_lazy else result
        for step, without in mine.items():
            if step not in effective and differ(result, without(*args, **kwargs)):
                effective.add(step)
        return iter(result) if is_lazy else result

    name = f"_watched_{function.__name__}"
    function.__globals__[name] = watched
    source = f"def step(*args, **kwargs): return {name}(*args, **kwargs)"
    function.__code__ = defined(source, "step").__code__
    function.__defaults__ = function.__kwdefaults__ = None


def like(function: FunctionType, code: CodeType) -> FunctionType:
    """Return a function with the defaults of another one, and other code."""
    name, defaults = function.__name__, function.__defaults__
    made = FunctionType(code, function.__globals__, name, defaults)
    made.__kwdefaults__ = function.__kwdefaults__
    return made


def differ(result: Any, other: Any) -> bool:
    """Return whether two results differ: empty collections are equal."""
    other = list(other) if hasattr(other, "__next__") else other
    if hasattr(result, "__len__") and hasattr(other, "__len__"):
        return bool((len(result) or len(other)) and result != other)
    return bool(result != other)


def defined(source: str, name: str) -> Any:
    """Return what a source defines."""
    made: dict[str, Any] = {}
    exec(source, made)
    return made[name]
