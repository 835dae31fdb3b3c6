"""Check the patterns of a domain: their parts must exist, and they must compile."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from amber_wrap.domain.pattern_file import Pattern, blank_fault, definitions
from amber_wrap.domain.schema import Gazetteer
from amber_wrap.domain.source_file import AT_ONCE, Problems, unknown
from amber_wrap.values.patterns import PART, compose, fault_of_parts


def check_domain_patterns(
    patterns: Mapping[str, Pattern],
    gazetteers: Mapping[str, Gazetteer],
    wanted: Iterable[str],
    problems: Problems = AT_ONCE,
) -> None:
    """Raise DomainError for a faulty pattern.

    A pattern is faulty if it has an unknown part, contains itself, or is no regular
    expression. `wanted` are the patterns that attribute types use. A wanted pattern
    is also faulty if it matches the empty text.
    """
    known = len(problems.found)
    for pattern in patterns.values():
        for kind, name in pattern.references:
            what, there = ("gazetteer", gazetteers) if kind else ("pattern", patterns)
            if name not in there:
                with problems.noted():
                    pattern.fail(unknown(what, name, sorted(there)))
    problems.settle(known)  # A pattern can't be composed if a part is missing,
    for pattern in patterns.values():
        with problems.noted():
            _check_circle(pattern, patterns, ())
    problems.settle(known)  # or if it contains itself.

    texts = definitions(patterns, gazetteers)
    if fault := fault_of_parts(texts):
        name, why = fault
        user = patterns.get(name) or next(iter(patterns.values()))
        with problems.noted():
            user.fail(f"{name!r} can't be composed: {why}")
    problems.settle(known)
    composed = {name: compose(name, texts) for name in patterns}
    wanted = tuple(wanted)
    parts = {part for pattern in patterns.values() for part in pattern.parts}
    for name in (*wanted, *(name for name in patterns if name not in parts)):
        if _fault(composed[name]):
            with problems.noted():
                _fail_at_origin(name, patterns, composed)
    problems.settle(known)
    for name in wanted:
        if re.search(composed[name], "", re.MULTILINE):
            with problems.noted():
                patterns[name].fail(
                    f"{name!r} matches the empty text: let it need a character"
                )


def fault_of(text: str) -> str | None:
    """Return what is wrong with a regular expression, or None.

    A reference to a pattern, such as `{name}`, is a fault.
    """
    if part := PART.search(text):
        return f"holds {part[0]}: it can't have parts, so write the expression out"
    if fault := blank_fault(text) or _fault(text):
        return fault
    if re.search(text, ""):
        return "matches the empty text: let it need a character"
    return None


def _check_circle(
    pattern: Pattern, patterns: Mapping[str, Pattern], users: tuple[str, ...]
) -> None:
    """Raise DomainError if a pattern contains itself.

    `users` are the names of the patterns around this pattern, the outermost first.
    """
    if pattern.name in users:
        cycle = " -> ".join((*users[users.index(pattern.name) :], pattern.name))
        message = f"{pattern.name!r} needs itself ({cycle}): break the circle"
        pattern.fail(message)
    for part in pattern.parts:
        _check_circle(patterns[part], patterns, (*users, pattern.name))


def _fault(expression: str) -> str | None:
    """Return what is wrong with a regular expression, or None."""
    try:
        compiled = re.compile(expression, re.MULTILINE)
    except (re.error, OverflowError, RecursionError) as error:
        reason = error.msg if isinstance(error, re.error) else error
        return f"is no regular expression: {reason}"
    if compiled.groups > len(compiled.groupindex.keys() & {"value"}):
        return "holds a capturing group: write (?:...), or (?P<value>...) for the value"
    return None


def _fail_at_origin(
    name: str, patterns: Mapping[str, Pattern], composed: Mapping[str, str]
) -> None:
    """Raise DomainError for an invalid pattern, at the line of the invalid part.

    If all parts are valid, the error names the line of the pattern itself.
    """
    for part in patterns[name].parts:
        _fail_at_origin(part, patterns, composed)
    if fault := _fault(composed[name]):
        patterns[name].fail(f"{name!r} {fault}")
