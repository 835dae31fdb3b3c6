"""Define the systems that are compared: each learns extraction rules from one page.

Systems are in groups. The stored results of a group are used until a file of code
changes that the group depends on. Most groups depend on few files of this project's
package.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import expressions
import handwritten
import labelled
import own
from baselines import label_scraper, scoring
from expressions import ABSOLUTE, FULL_CLASS, INDEX_FREE
from runs import PACKAGE

from amber_wrap.evaluation.gold import GoldPage
from amber_wrap.lowering.helpers import template_folder
from examples import Rows

HERE = Path(__file__).resolve().parent
"""The folder of this benchmark."""
OURS = "amber-wrap"
"""The name of this project's generated file."""
APPLY = "amber-wrap apply"
"""The name of this project's wrapper as `amber-wrap apply` reads it."""
FIRST_ONLY = "amber-wrap apply, first ways only"
"""The name of this project's wrapper without fallback expressions.

Each field is read only by the first of its expressions.
"""
BY_HAND = "hand-written CSS"
"""The name of the handwritten CSS."""


Runner = Callable[[bytes], Rows]
"""A wrapper as a function that returns the records of a page.

It may raise AmberError or LabelScraperError.
"""
Learner = Callable[[bytes, GoldPage], Runner | None]
"""A function that learns a wrapper from a page and its known records.

It returns None if it can't learn a wrapper.
"""


@dataclass(frozen=True, slots=True)
class Group:
    """Systems by name, and the code that their results depend on.

    `sources` are files of the benchmarks. `package` are files and folders of this
    project's package.
    """

    systems: Mapping[str, Learner]
    sources: tuple[Path, ...]
    package: tuple[Path, ...] = tuple(
        PACKAGE / part
        for part in (
            "dom/decoding.py",
            "dom/displayed_texts.py",
            "evaluation",
            "domain",
        )
    )


def by_hand(body: bytes, gold: GoldPage) -> Runner | None:
    """Return the handwritten wrapper of the page's template, or None if there is
    none.
    """
    folder = gold.site.partition("/")[2]
    file = handwritten.CSS / gold.domain / f"{folder}.toml"
    return handwritten.load(gold.domain, folder) if file.exists() else None


def _beside(*names: str) -> tuple[Path, ...]:
    """Return the paths of files beside this module."""
    return tuple(HERE / name for name in names)


LEARNERS = ("expressions.py", "examples.py")
"""The modules that learn wrappers from known values."""
GROUPS = {
    "expressions": Group(
        {
            "absolute XPath": partial(expressions.learn, ABSOLUTE),
            "index-free path": partial(expressions.learn, INDEX_FREE),
            "full @class": partial(expressions.learn, FULL_CLASS),
        },
        (*_beside(*LEARNERS), Path(scoring.__file__)),
    ),
    "by hand": Group({BY_HAND: by_hand}, _beside("handwritten.py", "css")),
    "autoscraper": Group(
        {"autoscraper": labelled.learn},
        (*_beside("labelled.py", *LEARNERS), Path(label_scraper.__file__)),
    ),
    "own": Group(
        {
            FIRST_ONLY: own.without_fallbacks,
            APPLY: own.with_fallbacks,
            OURS: own.generated_file,
        },
        _beside("own.py"),
        (PACKAGE, Path(str(template_folder()))),
    ),
}
"""All groups of systems, by name."""
NAMES = tuple(name for group in GROUPS.values() for name in group.systems)
"""The names of all systems."""
BASELINES = tuple(name for name in NAMES if not name.startswith(OURS))
"""The names of the systems that aren't this project's."""
