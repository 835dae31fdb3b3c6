"""Find the generations of a wrapper: a site's redesign may need a new one beside the
old.

`homes.py` is the first generation; `homes_2.py` and `homes_3.py` beside it are later
ones. A page is read by the generation whose contract it keeps.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

NUMBERED: Final = re.compile(r"(.+)_([2-9]|[1-9][0-9]+)")


def generations(wrapper: Path) -> list[Path]:
    """Return all wrappers of a site, the first generation first.

    `wrapper` is any of them. Generations are numbered without a gap. `homes_2.py` is
    the second generation of `homes.py` if that exists. Otherwise it is the first
    generation of a wrapper `homes_2`.
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
    """Return the path for a wrapper of the next generation."""
    found = generations(wrapper)
    return _number(found[0], len(found) + 1)


def _number(first: Path, number: int) -> Path:
    return first.with_stem(f"{first.stem}_{number}")
