"""Convert data to JSON, YAML, PHP and XML source, for the templates of exported files.

The templates can print only values of the class `Written`.
"""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Final

from jinja2 import Environment

from amber_wrap.errors import WrapperError
from amber_wrap.lowering.helpers import template_environment

BREAKS: Final = re.compile("[\x7f-\x9f\u2028\u2029\ufeff]")
"""Matches characters that readers of YAML or PHP may drop, or read as line ends."""
CONTROL: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
"""Matches characters that XML doesn't allow."""
NOT_NAME: Final = re.compile("[^0-9A-Za-z]+")
"""Matches characters that the name of a class can't have."""
_DIGITS: Final = "0123456789"
"""The characters with which the name of a class can't begin."""


class Written(str):
    """Source text in JSON, YAML, PHP or XML, as opposed to data."""

    __slots__ = ()


def _quoted(value: object) -> Written:
    """Return a value as a JSON text, which is also valid YAML."""
    text = json.dumps(value, ensure_ascii=False)
    return Written(BREAKS.sub(lambda match: f"\\u{ord(match[0]):04x}", text))


def php(value: str) -> Written:
    """Return a text as a PHP string literal.

    The literal is in single quotes, in which PHP expands no variables.
    """
    return Written("'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'")


def xml(value: str) -> Written:
    """Return an XML attribute value in quotes.

    Raise WrapperError if XML can't represent a character of the value.
    """
    if CONTROL.search(value):
        raise WrapperError(f"XML can't represent {value!r}")
    for sign in "&<>\"'\n\r\t":
        value = value.replace(sign, f"&#{ord(sign)};")
    return Written(f'"{value}"')


def _content(value: str) -> Written:
    """Return a text with escapes, as the content of an XML element.

    Raise WrapperError if XML can't represent a character of the text.
    """
    return Written(xml(value)[1:-1])


def camel(name: str) -> Written:
    """Return a name as the name of a class, such as `NextPage` for "next page".

    The prefix `Page` is added to an empty name, and to a name that begins with a digit.
    """
    words = [word for word in NOT_NAME.split(name) if word]
    class_name = "".join(word[:1].upper() + word[1:] for word in words)
    if not class_name or class_name[0] in _DIGITS:
        class_name = f"Page{class_name}"
    return Written(class_name)


def fill(path: str, /, **values: object) -> str:
    """Return the text that a template gives for the values.

    `path` is the path of the template in the folder of templates. Raise WrapperError if
    the template prints a value that isn't `Written`.
    """
    return _environment().get_template(path).render(values)


@cache
def _environment() -> Environment:
    """Return the Jinja environment whose templates can print only `Written` values."""
    jinja = template_environment(Written, "not escaped")
    jinja.filters |= {"quoted": _quoted, "php": php, "xml": xml, "camel": camel}
    jinja.filters["content"] = _content
    return jinja
