"""Compose regular expressions from named patterns."""

import re
from collections.abc import Mapping
from typing import Final

# What stands for another pattern; a quantifier such as {2,3} begins with a digit.
PART: Final = re.compile(r"\{([a-z][a-z_:-]*)\}")
# So much of a text is searched for a value: what a pattern costs has a bound.
SEARCHED: Final = 4096


def compose(name: str, patterns: Mapping[str, str]) -> str:
    """Return a pattern as one regular expression, with references to other patterns
    replaced."""
    return PART.sub(lambda part: f"(?:{compose(part[1], patterns)})", patterns[name])
