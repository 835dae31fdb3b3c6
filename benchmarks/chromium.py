"""Start Chromium, and the studio on a folder of pages."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

AMBER_WRAP = Path(sys.executable).with_name("amber-wrap")


@contextmanager
def chromium() -> Iterator[Browser]:
    """Give a browser, which is closed at the end."""
    with sync_playwright() as running:
        browser = running.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=["--disable-gpu", *([] if os.geteuid() else ["--no-sandbox"])],
        )
        yield browser
        browser.close()


@contextmanager
def studio_of(folder: Path) -> Iterator[str]:
    """Give the address of `amber-wrap studio` on a folder, which ends at the end."""
    words = (AMBER_WRAP, "studio", folder)
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as serving:
        try:
            assert serving.stdout
            yield serving.stdout.readline().strip()
        finally:
            serving.terminate()
