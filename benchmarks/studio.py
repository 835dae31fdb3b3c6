"""Measure how long `amber-wrap studio` takes to open a long page, and to predict.

    python benchmarks/studio.py

The studio shows pages in a browser. After a click on an element, it predicts the values
of a column with such elements. The measured page has 1,000 records in 2 MB. The exit
code is 1 if a time exceeds the bound that the studio promises. The time of the bare
page in the same browser is printed, too, to tell a slow machine from a slow studio.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from made_pages import homes
from playwright.sync_api import Browser, Page, sync_playwright
from timing import timed

AMBER_WRAP = Path(sys.executable).with_name("amber-wrap")
"""The path of the command `amber-wrap`."""


@contextmanager
def chromium() -> Iterator[Browser]:
    """Yield a Chromium browser, which is closed at the end."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=["--disable-gpu", *([] if os.geteuid() else ["--no-sandbox"])],
        )
        yield browser
        browser.close()


@contextmanager
def studio_of(folder: Path) -> Iterator[str]:
    """Yield the address of `amber-wrap studio`, which shows the pages in a folder.

    The studio is stopped at the end of the `with` block.
    """
    command = (AMBER_WRAP, "studio", folder)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout
            yield server.stdout.readline().strip()
        finally:
            server.terminate()


OPENING, PREDICTION = 3.0, 0.3
"""The two greatest times in seconds: to open the page, and to predict after a click."""
RECORDS, TEXT_LENGTH = 1_000, 1_650
"""The number of records of the long page, and the length of each record's text.

With these numbers, the page has 2 MB.
"""
ROUNDS = 5
"""The number of clicks whose median time counts."""
wall_seconds = partial(timed, clock=time.perf_counter)
"""Return the seconds that a call takes in real time, not in CPU time."""


def opened(tab: Page, name: str) -> None:
    """Open a page in the studio, and wait until the marked elements are painted.

    `tab` is the browser's tab with the studio. `name` is the name of the page.
    """
    tab.evaluate("document.getElementById('frame-0').removeAttribute('data-ready')")
    tab.locator("#page-list button", has_text=name).click()
    tab.wait_for_selector("#frame-0[data-ready=yes]")
    tab.locator("#message", has_text=f"{name}: ").wait_for()


def predicted(tab: Page, number: int) -> float:
    """Return the seconds from a click on a price until the prediction is shown."""
    target = tab.frames[1].locator(".price").nth(number)
    target.scroll_into_view_if_needed()
    target.hover()
    former_turn = int(tab.locator("#choice").get_attribute("data-turn") or 0)

    def click_and_wait() -> None:
        target.click()
        tab.wait_for_selector(f"#choice[data-turn='{former_turn + 1}']")

    return wall_seconds(click_and_wait)


def main() -> int:
    """Measure the times of the studio, and print them.

    Return 1 if a time exceeds its bound, otherwise 0.
    """
    with TemporaryDirectory() as folder_name:
        folder = Path(folder_name)
        (folder / "short.html").write_bytes(homes(210))
        (folder / "long.html").write_bytes(homes(RECORDS, text_length=TEXT_LENGTH))
        command = (AMBER_WRAP, "induce", "short.html", "-o", "wrappers/short.py")
        subprocess.run(command, check=True, cwd=folder, stderr=subprocess.DEVNULL)
        with studio_of(folder) as address, chromium() as browser:
            tab = browser.new_page(viewport={"width": 1280, "height": 800})
            long_page = folder / "long.html"
            bare_seconds = wall_seconds(
                lambda: tab.goto(long_page.as_uri(), wait_until="load")
            )
            tab.goto(address)
            tab.wait_for_selector("#frame-0[data-ready=yes]")
            opened(tab, "short.html")
            opening_seconds = wall_seconds(lambda: opened(tab, "long.html"))
            second_opening_seconds = wall_seconds(lambda: opened(tab, "long.html"))
            title = tab.locator("#title-0").inner_text()
            prediction_times = [predicted(tab, number) for number in range(ROUNDS)]
        size = long_page.stat().st_size
    prediction_seconds = median(prediction_times)
    print(f"{title}; {size / 1e6:.1f} MB")
    print(f"bare page in the browser   {bare_seconds:6.2f} s")
    print(
        f"opened in the studio       {opening_seconds:6.2f} s  "
        f"{opening_seconds / bare_seconds:.1f} x bare"
    )
    print(f"opened once more           {second_opening_seconds:6.2f} s")
    click_times = " ".join(f"{seconds:.2f}" for seconds in prediction_times)
    print(
        f"click to prediction        {prediction_seconds:6.2f} s  "
        f"(median of {click_times})"
    )
    return int(opening_seconds > OPENING or prediction_seconds > PREDICTION)


if __name__ == "__main__":
    sys.exit(main())
