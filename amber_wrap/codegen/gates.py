"""The gates from data to the languages of targets: JSON, YAML, PHP and XML.

Templates print nothing that didn't come through one of them, as Python goes through
`codegen.literals`.
"""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Final

from jinja2 import Environment, FunctionLoader, StrictUndefined

from amber_wrap.errors import WrapperError
from amber_wrap.lowering.helpers import template

BREAKS: Final = re.compile("[\x7f-\x9f\u2028\u2029\ufeff]")
"""What YAML or PHP readers may take for the end of a line, or drop."""
CONTROL: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
"""What XML has no way to write."""
NOT_NAME: Final = re.compile("[^0-9A-Za-z]+")
_DIGITS: Final = "0123456789"


class Written(str):
    """Text in the language of a target, as opposed to data."""

    __slots__ = ()


def _quoted(value: object) -> Written:
    """Return a value as JSON, which is YAML as well."""
    text = json.dumps(value, ensure_ascii=False)
    return Written(BREAKS.sub(lambda one: f"\\u{ord(one[0]):04x}", text))


def php(value: str) -> Written:
    """Return a string of PHP in single quotes: nothing in it has a meaning."""
    return Written("'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'")


def xml(value: str) -> Written:
    """Return the value of an attribute of XML, in quotes; raises WrapperError."""
    if CONTROL.search(value):
        raise WrapperError(f"XML has no way to write {value!r}")
    for sign in "&<>\"'\n\r\t":
        value = value.replace(sign, f"&#{ord(sign)};")
    return Written(f'"{value}"')


def _content(value: str) -> Written:
    """Return the text of an element of XML; raises WrapperError."""
    return Written(xml(value)[1:-1])


def camel(name: str) -> Written:
    """Return a name of a class, of the letters of a name."""
    words = "".join(one[:1].upper() + one[1:] for one in NOT_NAME.split(name) if one)
    return Written(words if words[:1] not in ("", *_DIGITS) else f"Page{words}")


def fill(path: str, /, **values: object) -> str:
    """Return the text that a template makes of values; raises WrapperError for
    data.
    """
    return _environment().get_template(path).render(values)


@cache
def _environment() -> Environment:
    """Jinja, set up so that a template prints only what went through a gate."""
    jinja = Environment(
        loader=FunctionLoader(template),
        finalize=written_only,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    jinja.filters |= {"quoted": _quoted, "php": php, "xml": xml, "camel": camel}
    jinja.filters["content"] = _content
    return jinja


def written_only(value: object) -> Written:
    """Return what a template may print (Jinja's `finalize`)."""
    if not isinstance(value, Written):
        raise WrapperError(f"a template prints {value!r}, which is data")
    return value
