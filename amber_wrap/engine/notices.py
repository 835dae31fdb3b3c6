"""Recognise notices in place of a list, such as "no results" or a request to log in.

The phrases are in `data/notices.toml`, by language. All phrases are tried, whatever the
language of the page.
"""

import re
import tomllib
from collections.abc import Iterable
from functools import cache
from importlib import resources
from typing import Any, Final

from amber_wrap.dom.expressions import Node, xpath
from amber_wrap.engine.thresholds import CHECK

# The number of characters of a text that are searched.
_READ: Final = 2000
# Expressions for forms in place of a list.
_FORMS: Final = {
    "captcha": '//*[contains(@class, "captcha") or contains(@id, "captcha")]'
    '|//iframe[contains(@src, "captcha")]',
    "login": '//input[@type="password"]',
}
# Messages about the content in place of a list.
_MESSAGES: Final = {
    "captcha": "it shows a captcha",
    "login": "it asks to log in",
    "error": "it shows an error message",
}


def denials(texts: Iterable[str]) -> int:
    """Return how many texts state that there are no results."""
    found = no_results_pattern()
    return sum(bool(found.search(one, 0, _READ)) for one in texts)


def list_replacement(root: Node, texts: Iterable[str]) -> str:
    """Return a message on what a page shows in place of a list, such as a login form.

    Return "" if nothing known replaces the list.
    """
    listed = list(texts)
    for name, pattern in gate_patterns().items():
        is_stated = any(pattern.search(one, 0, _READ) for one in listed)
        if is_stated or (name in _FORMS and xpath(_FORMS[name])(root)):
            return _MESSAGES[name]
    return ""


@cache
def no_results_pattern() -> re.Pattern[str]:
    """Return a pattern that matches "no results" in any of the known languages."""
    ways = []
    for words in data()["nothing"].values():
        if "none" in words:
            none, things = words["none"], words["things"]
            between = rf"(?:[^\s.!?]+\s){{0,{CHECK.words_between}}}?"
            ways.append(rf"\b(?:{none})\s{between}(?:{things})\b")
        if sayings := "|".join(words.get("sayings", ())):
            # `\b` finds no words in scripts without blanks.
            bound = r"\b" if "none" in words else ""
            ways.append(f"{bound}(?:{sayings})")
    return re.compile("|".join(ways), re.I)


@cache
def gate_patterns() -> dict[str, re.Pattern[str]]:
    """Return the patterns of notices that replace a list, by the kind of notice.

    The kinds are "captcha", "login" and "error".
    """
    return {name: re.compile(one, re.I) for name, one in data()["gates"].items()}


@cache
def data() -> dict[str, Any]:
    """Return the phrases from `data/notices.toml`."""
    file = resources.files("amber_wrap.engine") / "data" / "notices.toml"
    return tomllib.loads(file.read_text("utf-8"))
