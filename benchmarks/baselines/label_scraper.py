"""Run autoscraper, a library that learns from values that a user gives.

It needs an old beautifulsoup4, so it lives in a folder of its own, made on demand, and
runs in a process of its own.
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
"""With beautifulsoup4 4.13 and later the library finds nothing."""
LIMIT = 300
"""Seconds for an answer."""

Rules = dict[str, list[list[list[str]]]]
"""By type: the values that each of its rules gives, page by page."""
Model = dict[str, Any]
"""A rule as the library saves it."""


class LabelScraperError(Exception):
    """autoscraper isn't there, or failed."""


def install(folder: Path) -> None:
    """Put autoscraper into a folder, unless it is there; whole or not at all."""
    if folder.is_dir():
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as draft:
        made = Path(draft) / "made"
        pip = [sys.executable, "-m", "pip", "install", "-q", "--target", str(made)]
        done = subprocess.run([*pip, *REQUIREMENTS], capture_output=True, text=True)
        if done.returncode:
            reason = (done.stderr.strip().splitlines() or ["pip failed"])[-1]
            raise LabelScraperError(f"autoscraper can't be installed: {reason}")
        made.rename(folder)


def scrape(folder: Path, wanted: Mapping[str, str], pages: Sequence[str]) -> Rules:
    """Return what the rules learned from the first page give on each page.

    `wanted` has one value of each type, of the first page.  The library makes a rule
    for each place where it stands and leaves it to the user to pick one by eye.
    """
    service = Service(folder)
    try:
        rules = service.learn(wanted, pages[0])
        results = [service.apply(rules, page) for page in pages]
    finally:
        service.close()
    found: Rules = {}
    for number, rule in enumerate(rules):
        values = [[value for value in result[number] if value] for result in results]
        found.setdefault(rule["alias"], []).append(values)
    return found


class Service:
    """A process that stays, for many pages; it ends with this one."""

    def __init__(self, folder: Path) -> None:
        self._pool = get_context("spawn").Pool(1, import_from, (str(folder),))

    def learn(self, wanted: Mapping[str, str], page: str) -> list[Model]:
        """Return the rules for the wanted values, in the form in which the library
        saves them.
        """
        rules: list[Model] = self._ask(learned, wanted, page)
        return rules

    def apply(self, rules: Sequence[Model], page: str) -> list[list[str]]:
        """Return the values that each rule gives on a page, in document order."""
        values: list[list[str]] = self._ask(given, rules, page)
        return values

    def close(self) -> None:
        """End the process."""
        self._pool.terminate()
        self._pool.join()

    def _ask(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return the answer; raise LabelScraperError where the library fails or is too
        slow.
        """
        try:
            asked = self._pool.apply_async(function, arguments)
        except ValueError as error:
            raise LabelScraperError("autoscraper: the process is gone") from error
        try:
            return asked.get(LIMIT)
        except TimeoutError as error:
            self.close()
            raise LabelScraperError(f"autoscraper: not done in {LIMIT} s") from error
        except Exception as error:
            told = f"autoscraper: {type(error).__name__}: {error}"
            raise LabelScraperError(told) from error


# --- in the process that has the library --------------------------------------------


def import_from(folder: str) -> None:
    """Let this process find modules in a folder first."""
    sys.path.insert(0, folder)


def learned(wanted: Mapping[str, str], page: str) -> list[Model]:
    """Return the library's rules for a value of each type."""
    from autoscraper import AutoScraper

    scraper = AutoScraper()
    values = {name: [value] for name, value in wanted.items()}
    scraper.build(html=page, wanted_dict=values, url="")
    rules: list[Model] = scraper.stack_list
    return rules


def given(rules: Sequence[Model], page: str) -> list[list[str]]:
    """Return the values that each rule gives on a page."""
    from autoscraper import AutoScraper

    scraper = AutoScraper()
    scraper.stack_list = list(rules)
    result = scraper.get_result_similar(
        html=page, url="", grouped=True, keep_order=True
    )
    return [result.get(rule["stack_id"], []) for rule in rules]
