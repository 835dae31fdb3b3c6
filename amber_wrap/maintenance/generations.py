"""Find the generations of a wrapper: after a redesign, a site may need another wrapper.

`homes.py` is the first generation. `homes_2.py` and `homes_3.py` beside it are later
generations. A page is read by the generation whose contract, a set of checks, holds on
the page.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

NUMBERED: Final = re.compile(r"(.+)_([2-9]|[1-9][0-9]+)")


def generations(wrapper: Path) -> list[Path]:
    """Return the wrappers of all generations, the first generation first.

    `wrapper` is a wrapper of any generation. `homes_2.py` is a later generation only if
    `homes.py` exists.
    """
    first = wrapper
    numbered = NUMBERED.fullmatch(wrapper.stem)
    if numbered and wrapper.with_stem(numbered[1]).is_file():
        first = wrapper.with_stem(numbered[1])
    found = [first]
    while (following := _number(first, len(found) + 1)).is_file():
        found.append(following)
    return found


def next_generation(wrapper: Path) -> Path:
    """Return the path of a new wrapper after the existing generations, such as
    `homes_3.py`."""
    found = generations(wrapper)
    return _number(found[0], len(found) + 1)


def _number(first: Path, number: int) -> Path:
    return first.with_stem(f"{first.stem}_{number}")
