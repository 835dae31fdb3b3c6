"""Documents and sessions: what a user types and sees, done again and compared."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(
    r"(?:^<!-- (?P<mark>[^>]+) -->\n)?^```(?P<kind>\w*)\n(?P<body>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Step:
    """A block of the document; `kind` is "bash", "output", "file" or "shown"."""

    kind: str
    body: str
    name: str = ""


def steps(document: Path) -> Iterator[Step]:
    """The blocks of a document that are followed or compared."""
    for block in BLOCK.finditer(document.read_text("utf-8")):
        mark = block["mark"] or ""
        if mark.startswith("file: "):
            yield Step("file", block["body"], mark.removeprefix("file: "))
        elif block["kind"] == "bash":
            yield Step("bash", block["body"], mark)
        else:
            yield Step("shown" if block["kind"] else "output", block["body"])


def follow(document: Path, folder: Path, environment: dict[str, str]) -> None:
    """Do what a document says, in `folder`; what it shows must be printed.

    What it says of the installation is done already.
    """
    (folder.parent / "amber-wrap").symlink_to(ROOT)
    printed = ""
    for step in steps(document):
        if step.kind == "file":
            path = folder / step.name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(step.body, "utf-8")
        elif step.kind == "bash" and step.name != "install":
            done = subprocess.run(
                ["bash", "-euo", "pipefail", "-c", step.body],
                cwd=folder,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
            printed = done.stdout
            assert done.returncode == 0, f"{step.body}\n{printed}"
        elif step.kind == "output":
            compare(step.body, printed)


def compare(shown: str, printed: str) -> None:
    """The lines stand there in this order: "..." alone is any lines, at an end any end.

    Without "..." between two lines the one follows the other, but for empty ones.
    """
    lines = [line.rstrip() for line in printed.splitlines() if line.strip()]
    position, is_next = 0, False
    for line in filter(None, shown.splitlines()):
        if line == "...":
            is_next = False
            continue
        found = [
            number
            for number in range(position, len(lines))
            if fits(line, lines[number])
        ]
        assert found, f"{line!r} is not in\n{printed}"
        assert not is_next or found[0] == position, (
            f"{line!r} is not behind {lines[position - 1]!r} in\n{printed}"
        )
        position, is_next = found[0] + 1, True


def fits(shown: str, line: str) -> bool:
    """Whether a line is the one that is shown, but for an end that is left out."""
    if shown.endswith(" ..."):
        return line.startswith(shown.removesuffix("..."))
    return line == shown


def variables(home: Path, programs: Path) -> dict[str, str]:
    """The environment of who follows a document."""
    who = {
        f"GIT_{role}_{key}": value
        for role in ("AUTHOR", "COMMITTER")
        for key, value in (("NAME", "Reader"), ("EMAIL", "reader@example.org"))
    }
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, **who, "HOME": str(home), "PATH": path}


def link_programs(programs: Path) -> None:
    """Write `python` and `amber-wrap`, those of this checkout, into a folder."""
    programs.mkdir()
    run = "from amber_wrap.cli import main; main()"
    for name, options in (("python", ""), ("amber-wrap", f'-c "{run}" ')):
        script = f'#!/bin/sh\nexec "{sys.executable}" {options}"$@"\n'
        (programs / name).write_text(script)
        (programs / name).chmod(0o755)


def session(text: str) -> list[tuple[str, str]]:
    """(command, what is printed) of each command of a session.txt."""
    return [
        (command, printed)
        for part in f"\n{text}".split("\n$ ")[1:]
        for command, _, printed in [f"{part}\n".partition("\n")]
    ]
