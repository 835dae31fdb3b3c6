"""Run autoscraper, a library that learns rules from values on a page.

autoscraper needs an old version of beautifulsoup4. Both are installed on demand in a
folder of their own, and used in a child process.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from multiprocessing import TimeoutError, get_context
from pathlib import Path
from typing import Any

REQUIREMENTS = ("autoscraper==1.1.14", "beautifulsoup4==4.12.3")
"""The versions to install.

With beautifulsoup4 4.13 and later, autoscraper finds nothing.
"""
LIMIT = 300
"""The greatest number of seconds to wait for a result of autoscraper."""

Rules = dict[str, list[list[list[str]]]]
"""The values found by rules: `rules["price"][i][j]` has those of rule i on page j."""
Model = dict[str, Any]
"""A rule in the form in which the library stores it."""


class LabelScraperError(Exception):
    """Raised if autoscraper isn't installed, or fails."""


def install(folder: Path) -> None:
    """Install autoscraper in a folder, unless the folder exists.

    If the installation is interrupted, the folder is missing, never incomplete. Raise
    LabelScraperError if pip fails.
    """
    if folder.is_dir():
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as draft:
        target = Path(draft) / "made"
        pip = [sys.executable, "-m", "pip", "install", "-q", "--target", str(target)]
        result = subprocess.run([*pip, *REQUIREMENTS], capture_output=True, text=True)
        if result.returncode:
            reason = (result.stderr.strip().splitlines() or ["pip failed"])[-1]
            raise LabelScraperError(f"autoscraper can't be installed: {reason}")
        target.rename(folder)


def scrape(
    folder: Path, wanted_values: Mapping[str, str], pages: Sequence[str]
) -> Rules:
    """Return the values that rules learned from the first page find on each page.

    `folder` is the folder in which autoscraper is installed. `wanted_values` has a
    value of each attribute type, such as "price", on the first page. Autoscraper learns
    several rules for a value that the page shows more than once.
    """
    service = Service(folder)
    try:
        rules = service.learn(wanted_values, pages[0])
        results = [service.apply(rules, page) for page in pages]
    finally:
        service.close()
    values_by_type: Rules = {}
    for rule_number, rule in enumerate(rules):
        values = [
            [value for value in result[rule_number] if value] for result in results
        ]
        values_by_type.setdefault(rule["alias"], []).append(values)
    return values_by_type


class Service:
    """A child process that runs autoscraper for many pages.

    The child process ends when its parent does.
    """

    def __init__(self, folder: Path) -> None:
        self._pool = get_context("spawn").Pool(1, import_from, (str(folder),))

    def learn(self, wanted_values: Mapping[str, str], page: str) -> list[Model]:
        """Return the rules that autoscraper learns from a page and a value of each
        type."""
        rules: list[Model] = self._ask(learn_rules, wanted_values, page)
        return rules

    def apply(self, rules: Sequence[Model], page: str) -> list[list[str]]:
        """Return the values that each rule finds on a page, in document order."""
        values: list[list[str]] = self._ask(apply_rules, rules, page)
        return values

    def close(self) -> None:
        """End the child process."""
        self._pool.terminate()
        self._pool.join()

    def _ask(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return the result of calling a function in the process of autoscraper.

        Raise LabelScraperError if the function fails, or takes more than `LIMIT`
        seconds.
        """
        try:
            answer = self._pool.apply_async(function, arguments)
        except ValueError as error:
            raise LabelScraperError("autoscraper: the process is gone") from error
        try:
            return answer.get(LIMIT)
        except TimeoutError as error:
            self.close()
            raise LabelScraperError(f"autoscraper: not done in {LIMIT} s") from error
        except Exception as error:
            message = f"autoscraper: {type(error).__name__}: {error}"
            raise LabelScraperError(message) from error


# --- in the process that has the library --------------------------------------------


def import_from(folder: str) -> None:
    """Make this process look for modules in a folder first."""
    sys.path.insert(0, folder)


def learn_rules(wanted_values: Mapping[str, str], page: str) -> list[Model]:
    """Return the rules that autoscraper learns from a page and a value of each type."""
    from autoscraper import AutoScraper

    scraper = AutoScraper()
    values = {name: [value] for name, value in wanted_values.items()}
    scraper.build(html=page, wanted_dict=values, url="")
    rules: list[Model] = scraper.stack_list
    return rules


def apply_rules(rules: Sequence[Model], page: str) -> list[list[str]]:
    """Return the values that each rule finds on a page."""
    from autoscraper import AutoScraper

    scraper = AutoScraper()
    scraper.stack_list = list(rules)
    result = scraper.get_result_similar(
        html=page, url="", grouped=True, keep_order=True
    )
    return [result.get(rule["stack_id"], []) for rule in rules]
