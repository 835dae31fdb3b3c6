"""What a page says in place of a list: that there are no results, or why none is shown.

The words are data (`data/notices.toml`), by language; which one a page is in doesn't
matter: all are tried.
"""

import re
import tomllib
from collections.abc import Iterable
from functools import cache
from importlib import resources
from typing import Any, Final

from amber_wrap.dom.expressions import Node, xpath

# Words between a denial and what there is none of; and signs of a text that is read.
BETWEEN: Final = 4
_READ: Final = 2000
# Forms that ask who is there.
_FORMS: Final = {
    "captcha": '//*[contains(@class, "captcha") or contains(@id, "captcha")]'
    '|//iframe[contains(@src, "captcha")]',
    "login": '//input[@type="password"]',
}
# What a message says of what stands in place of a list.
_TOLD: Final = {
    "captcha": "it asks whether a human is there",
    "login": "it asks to log in",
    "error": "it tells of an error",
}


def denials(texts: Iterable[str]) -> int:
    """How many texts say that there are no results."""
    found = nothing()
    return sum(bool(found.search(one, 0, _READ)) for one in texts)


def gate(root: Node, texts: Iterable[str]) -> str:
    """What stands in place of a list, in words; "" where nothing says so."""
    listed = list(texts)
    for name, pattern in gates().items():
        said = any(pattern.search(one, 0, _READ) for one in listed)
        if said or (name in _FORMS and xpath(_FORMS[name])(root)):
            return _TOLD[name]
    return ""


@cache
def nothing() -> re.Pattern[str]:
    """What says in any language that there are no results."""
    ways = []
    for words in data()["nothing"].values():
        if "none" in words:
            none, things = words["none"], words["things"]
            ways.append(rf"\b(?:{none})\s(?:[^\s.!?]+\s){{0,{BETWEEN}}}?(?:{things})\b")
        if sayings := "|".join(words.get("sayings", ())):
            # Scripts without blanks between words have no bounds of words.
            bound = r"\b" if "none" in words else ""
            ways.append(f"{bound}(?:{sayings})")
    return re.compile("|".join(ways), re.I)


@cache
def gates() -> dict[str, re.Pattern[str]]:
    """What says why there is no list, by its name."""
    return {name: re.compile(one, re.I) for name, one in data()["gates"].items()}


@cache
def data() -> dict[str, Any]:
    """The words."""
    file = resources.files("amber_wrap.engine") / "data" / "notices.toml"
    return tomllib.loads(file.read_text("utf-8"))
