"""Make the pictures in the documentation, with Chromium.

    python benchmarks/pictures.py

docs/report.png shows the report of `amber-wrap explain --html` on a sample page.
docs/studio.png shows the same page in `amber-wrap studio`.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from corpus import ROOT
from playwright.sync_api import Browser
from studio import AMBER_WRAP, chromium, studio_of

SAMPLE = ROOT / "tests" / "golden" / "property-list" / "sample.html"
"""The page in the pictures."""
WIDTH, HEIGHT = 1280, 720
"""The size of the browser's window in pixels."""
TO_THE_TOP = "one => window.scrollTo(0, scrollY + one.getBoundingClientRect().top - 8)"
"""A JavaScript function that scrolls until an element is at the top of the window."""


def main() -> int:
    """Write the pictures, and return the exit code."""
    with TemporaryDirectory() as folder, chromium() as browser:
        report = Path(folder, "report.html")
        arguments = ("explain", str(SAMPLE), "--domain", "real-estate", "--html")
        subprocess.run([AMBER_WRAP, *arguments, report], check=True)
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        page.goto(report.as_uri())
        page.wait_for_selector("body[data-ready=yes]")
        inner = page.frame_locator("#page")
        inner.locator("[data-amber-area]").first.evaluate(TO_THE_TOP)
        inner.locator("[data-amber-fields~=price]").first.hover()
        page.screenshot(path=ROOT / "docs" / "report.png")
        studio(browser, Path(folder))
    return 0


def studio(browser: Browser, folder: Path) -> None:
    """Write the picture of the studio, with pages that are copied into a folder."""
    folder = folder / "homes"
    folder.mkdir()
    for name in ("sample", "other-1", "other-2"):
        shutil.copy(SAMPLE.with_name(f"{name}.html"), folder)
    arguments = ("induce", "sample.html", "--domain", "real-estate")
    subprocess.run([AMBER_WRAP, *arguments], check=True, cwd=folder)
    with studio_of(folder) as address:
        page = browser.new_page(viewport={"width": WIDTH, "height": 900})
        page.goto(address)
        page.wait_for_selector("#frame-0[data-ready=yes]")
        page.locator("#page-list button", has_text="sample.html").click()
        page.locator("#message", has_text="sample.html: 13 records").wait_for()
        page.get_by_role("button", name="Check all pages").click()
        page.locator("#message", has_text="3 pages checked").wait_for()
        page.get_by_role("tab", name="Fields").click()
        inner = page.frame_locator("#frame-0")
        inner.locator("h2 a").first.click()
        page.wait_for_selector("#choice[data-turn='1']")
        page.get_by_label("This is").fill("headline")
        page.get_by_label("This is").blur()
        page.wait_for_timeout(500)
        inner.locator("[data-amber-area]").first.evaluate(TO_THE_TOP)
        page.mouse.move(0, 0)
        page.screenshot(path=ROOT / "docs" / "studio.png")


if __name__ == "__main__":
    sys.exit(main())
