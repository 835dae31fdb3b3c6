"""A page, and the name of its file, give no orders to the terminal that shows them."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = "".join(
    f"<li><a href='/{at}'>Lamp {at}\x1b]0;owned\x07\x9b31m</a> <b>£{at}.50</b></li>"
    for at in range(1, 9)
)
ORDERS = (b"\x1b]0;", b"\x1b[2J", b"\x07", b"\xc2\x9b")
"""Orders in the page and in the name of its file; bars give others."""


def shown(folder: Path, *words: str) -> bytes:
    """What a terminal gets that a command is run in."""
    own, other = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", "from amber_wrap.cli.main import main; main()", *words],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=other,
        stderr=other,
    ):
        os.close(other)
        parts = []
        try:
            while part := os.read(own, 4096):
                parts.append(part)
        except OSError:  # The other end is closed.
            pass
    os.close(own)
    return b"".join(parts)


@pytest.mark.parametrize(
    "words",
    [
        ("induce", "a\x1b[2J.html", "-o", "-"),
        ("explain", "a\x1b[2J.html"),
        ("apply", "lamps.py", "a\x1b[2J.html"),
        ("apply", "lamps.py", "a\x1b[2J.html", "-j", "1"),
        ("check", "lamps.py", "a\x1b[2J.html", "none\x1b[2J.html"),
    ],
    ids=lambda words: words[0],
)
def test_a_terminal_gets_no_orders(words: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "a\x1b[2J.html").write_text(f"<html><ul>{PAGE}</ul></html>", "utf-8")
    made = shown(tmp_path, "induce", "a\x1b[2J.html", "-o", "lamps.py")
    assert b"wrote lamps.py" in made
    found = shown(tmp_path, *words)
    assert b"Lamp" in found or b"\\u001b[2J.html" in found
    assert [one for one in ORDERS if one in found] == []
