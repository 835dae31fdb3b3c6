"""The one gate from data to code.

All that a template prints is `Code`, and only this module and `codegen.blocks` make
any.  Data become literals here, in ASCII alone, in the style that black leaves as it
is; no datum ever gets into a comment or a docstring.
"""

from __future__ import annotations

import keyword
import math
import re
from collections.abc import Iterator

from amber_wrap.domain.schema import TYPE_NAME
from amber_wrap.errors import WrapperError

LINE = 88
"""The length of a line, black's."""
INDENT = "    "
BREAKS = tuple(
    re.compile(where)
    for where in ("(?=[/|])", "(?<=, )", "(?<= )", r"(?<!\\)(?=\[)", r"(?<!\\)")
)
"""Where a long string is broken, the best place first."""


class Code(str):
    """Python source, as opposed to data."""

    __slots__ = ()


def code_only(value: object) -> Code:
    """What a template may print: code, and nothing else (Jinja's `finalize`)."""
    if not isinstance(value, Code):
        raise WrapperError(f"a template prints {value!r}, which is data, not code")
    return value


def identifier(name: str) -> Code:
    """The name of an attribute type; raises WrapperError for anything else."""
    if not TYPE_NAME.fullmatch(name) or keyword.iskeyword(name):
        raise WrapperError(f"{name!r} can't be a name in a generated file")
    return Code(name)


def assign(target: str, value: object) -> Code:
    """The statement that assigns a value; `target` may have a type annotation."""
    return Code(f"{target} = {literal(value, before=len(target) + 3)}")


def literal(value: object, indent: str = "", before: int = 0, after: int = 0) -> Code:
    """A literal of strings, numbers, booleans, None, tuples, lists and dicts.

    It begins in a line of the given indentation with `before` other characters in
    front of it, `after` behind.  Raises WrapperError for any other value.
    """
    line = _one_line(value)
    if len(indent) + before + len(line) + after <= LINE:
        return Code(line)
    inner = indent + INDENT
    match value:
        case str() if value:
            parts = (inner + part for part in _parts(value, LINE - len(inner)))
            return Code("\n".join(["(", *parts, f"{indent})"]))
        case dict() if value:
            items = [
                f"{key}: {literal(one, inner, len(key) + 2, after=1)}"
                for key, one in ((_one_line(key), one) for key, one in value.items())
            ]
            opening, closing = "{}"
        case list() | tuple() if value:
            items = [literal(one, inner, after=1) for one in value]
            opening, closing = "[]" if isinstance(value, list) else "()"
        case _:
            return Code(line)
    rows = [f"{inner}{item}," for item in items]
    return Code("\n".join([opening, *rows, indent + closing]))


def _one_line(value: object) -> str:
    """The literal without a line break."""
    match value:
        case str():
            return _string(value)
        case None | bool() | int():
            return repr(value)
        case float() if math.isfinite(value):
            return repr(value).replace("e+", "e")
        case list():
            return f"[{', '.join(map(_one_line, value))}]"
        case tuple():
            inner = ", ".join(map(_one_line, value))
            return f"({inner},)" if len(value) == 1 else f"({inner})"
        case dict():
            items = (
                f"{_one_line(key)}: {_one_line(one)}" for key, one in value.items()
            )
            return f"{{{', '.join(items)}}}"
    raise WrapperError(f"{value!r} has no literal")


def _string(text: str) -> str:
    """A string literal: raw if that spares backslashes, double quotes if possible."""
    quote = "'" if text.count('"') > text.count("'") else '"'
    # Black would turn the quotes round in r'\"'.
    awkward = quote in text or '\\"' in text or text.endswith("\\")
    if "\\" in text and text.isascii() and text.isprintable() and not awkward:
        return f"r{quote}{text}{quote}"
    if text.isascii() and text.isprintable():
        escaped = text.replace("\\", "\\\\")
    else:
        escaped = "".join(ascii(character)[1:-1] for character in text)
    return quote + escaped.replace(quote, f"\\{quote}") + quote


def _parts(text: str, width: int) -> Iterator[str]:
    """Literals of at most `width` columns that are the text when put together."""
    while text:
        end = min(len(text), width)
        while end > 1 and len(_string(text[:end])) > width:
            end -= 1
        if end < len(text):
            end = _break(text, end)
        yield _string(text[:end])
        text = text[end:]


def _break(text: str, end: int) -> int:
    """The best place to break the text: not behind `end`, not in the first half."""
    for break_ in BREAKS:
        places = [match.start() for match in break_.finditer(text[: end + 1])]
        if found := [place for place in places if end // 2 < place <= end]:
            return found[-1]
    return end
