"""The systems that are compared: each learns a wrapper of one page.

Systems are in groups.  The results of a group are kept as long as its own sources stay
the same: those of other systems don't depend on this project's code.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol, runtime_checkable

import expressions
import handwritten
import labelled
import own
from baselines import label_scraper, truth
from expressions import ABSOLUTE, FULL_CLASS, INDEX_FREE
from runs import PACKAGE
from targets import Rows

from amber_wrap.evaluation.gold import GoldPage
from amber_wrap.lowering.helpers import template_folder

HERE = Path(__file__).resolve().parent
OURS = "amber-wrap"
"""The generated file."""
APPLY = "amber-wrap apply"
FIRST_ONLY = "amber-wrap apply, first ways only"
BY_HAND = "hand-written CSS"


class Runner(Protocol):
    """A wrapper at work."""

    def __call__(self, body: bytes) -> Rows:
        """Return the records of a page; raises AmberError or LabelScraperError."""
        ...


@runtime_checkable
class TypedRunner(Runner, Protocol):
    """A wrapper that gives values in other forms than a page displays them.

    `displayed` are the records of its sample as displayed.
    """

    displayed: Rows

    def expected(self, rows: Rows) -> Rows:
        """Return what the wrapper should give of a page that displays these records."""
        ...


@dataclass(frozen=True, slots=True)
class System:
    """A system that learns a wrapper from a page and its gold, or finds none."""

    name: str
    learn: Callable[[bytes, GoldPage], Runner | None]


@dataclass(frozen=True, slots=True)
class Group:
    """Systems, and the files of code that their results depend on."""

    systems: tuple[System, ...]
    sources: tuple[Path, ...]
    package: tuple[Path, ...] = tuple(
        PACKAGE / one for one in ("dom/markup.py", "evaluation", "domain")
    )


def by_hand(body: bytes, gold: GoldPage) -> Runner | None:
    """Return the handwritten wrapper of the page's template, or None."""
    folder = gold.site.partition("/")[2]
    if not (handwritten.CSS / gold.domain / f"{folder}.toml").exists():
        return None
    return handwritten.load(gold.domain, folder)


def _beside(*names: str) -> tuple[Path, ...]:
    return tuple(HERE / name for name in names)


LEARNERS = ("expressions.py", "excerpts.py", "targets.py")
GROUPS = {
    "expressions": Group(
        (
            System("absolute XPath", partial(expressions.learn, ABSOLUTE)),
            System("index-free path", partial(expressions.learn, INDEX_FREE)),
            System("full @class", partial(expressions.learn, FULL_CLASS)),
        ),
        (*_beside(*LEARNERS), Path(truth.__file__)),
    ),
    "by hand": Group((System(BY_HAND, by_hand),), _beside("handwritten.py", "css")),
    "autoscraper": Group(
        (System("autoscraper", labelled.learn),),
        (*_beside("labelled.py", *LEARNERS), Path(label_scraper.__file__)),
    ),
    "own": Group(
        (
            System(FIRST_ONLY, own.without_fallbacks),
            System(APPLY, own.with_fallbacks),
            System(OURS, own.generated_file),
        ),
        _beside("own.py"),
        (PACKAGE, Path(str(template_folder()))),
    ),
}
NAMES = tuple(one.name for group in GROUPS.values() for one in group.systems)
BASELINES = tuple(one for one in NAMES if not one.startswith(OURS))
