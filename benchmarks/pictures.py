"""Make the pictures of the documents, in Chromium.

    python benchmarks/pictures.py

docs/report.png is `amber-wrap explain --html` on a page of the golden cases.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = ROOT / "tests" / "golden" / "property-list" / "sample.html"
WIDTH, HEIGHT = 1280, 720


def main() -> int:
    """Write the pictures; the exit code."""
    with TemporaryDirectory() as folder, sync_playwright() as running:
        report = Path(folder, "report.html")
        words = ("explain", str(SAMPLE), "--domain", "real-estate", "--html")
        command = Path(sys.executable).with_name("amber-wrap")
        subprocess.run([command, *words, report], check=True)
        browser = running.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=["--disable-gpu", *([] if os.geteuid() else ["--no-sandbox"])],
        )
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        page.goto(report.as_uri())
        page.wait_for_selector("body[data-ready=yes]")
        page.frame_locator("#page").locator("[data-amber-fields~=price]").first.hover()
        page.screenshot(path=ROOT / "docs" / "report.png")
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
