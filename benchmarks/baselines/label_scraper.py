"""autoscraper, a library that learns from values that a user gives, at work.

It needs an old beautifulsoup4, so it lives in a folder of its own, made on demand, and
runs in a process of its own: this file, run as a script.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

REQUIREMENTS = ("autoscraper==1.1.14", "beautifulsoup4==4.12.3")
"""With beautifulsoup4 4.13 and later the library finds nothing."""
LIMIT = 300
"""Seconds for the pages of a site."""

Rules = dict[str, list[list[list[str]]]]
"""By type: what each of its rules gives, page by page."""


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
    """What its rules give on each page; `wanted` has values of the first, the sample.

    One value for each type.  The library makes a rule for each place where it stands
    and leaves it to the user to pick one by eye.
    """
    question = json.dumps({"wanted": dict(wanted), "pages": list(pages)})
    try:
        done = subprocess.run(
            [sys.executable, __file__],
            input=question,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=LIMIT,
            env={**os.environ, "PYTHONPATH": str(folder), "PYTHONIOENCODING": "utf-8"},
        )
    except subprocess.TimeoutExpired as error:
        raise LabelScraperError(f"autoscraper: not done in {LIMIT} s") from error
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["it failed"])[-1]
        raise LabelScraperError(f"autoscraper: {reason}")
    rules: Rules = json.loads(done.stdout)
    return rules


def answer(question: Mapping[str, Any]) -> Rules:
    """What each rule that is learned from the first page gives on all."""
    from autoscraper import AutoScraper

    scraper = AutoScraper()
    wanted = {name: [value] for name, value in question["wanted"].items()}
    scraper.build(html=question["pages"][0], wanted_dict=wanted, url="")
    results = [
        scraper.get_result_similar(html=page, url="", grouped=True, keep_order=True)
        for page in question["pages"]
    ]
    found: Rules = {}
    for rule in scraper.stack_list:
        values = [
            [value for value in result.get(rule["stack_id"], []) if value]
            for result in results
        ]
        found.setdefault(rule["alias"], []).append(values)
    return found


if __name__ == "__main__":
    # The folder of this file holds modules of other names only.
    print(json.dumps(answer(json.load(sys.stdin))))
