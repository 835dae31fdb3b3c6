"""The tutorial, followed literally: its files written, its commands run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import venv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TUTORIAL = ROOT / "docs" / "tutorial.md"
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


def steps() -> Iterator[Step]:
    for block in BLOCK.finditer(TUTORIAL.read_text("utf-8")):
        mark = block["mark"] or ""
        if mark.startswith("file: "):
            yield Step("file", block["body"], mark.removeprefix("file: "))
        elif block["kind"] == "bash":
            yield Step("bash", block["body"], mark)
        else:
            yield Step("shown" if block["kind"] else "output", block["body"])


def follow(folder: Path, environment: dict[str, str], skip: str = "") -> None:
    """Do what the document says, in `folder`; what it shows must be printed."""
    (folder.parent / "amber-wrap").symlink_to(ROOT)
    printed = ""
    for step in steps():
        if step.kind == "file":
            path = folder / step.name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(step.body, "utf-8")
        elif step.kind == "bash" and step.name != skip:
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
    if shown.endswith(" ..."):
        return line.startswith(shown.removesuffix("..."))
    return line == shown


def variables(home: Path, programs: Path) -> dict[str, str]:
    who = {
        f"GIT_{role}_{key}": value
        for role in ("AUTHOR", "COMMITTER")
        for key, value in (("NAME", "Reader"), ("EMAIL", "reader@example.org"))
    }
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, **who, "HOME": str(home), "PATH": path}


def test_every_command_prints_what_the_tutorial_shows(tmp_path):
    folder, programs = tmp_path / "boats", tmp_path / "bin"
    folder.mkdir()
    programs.mkdir()
    run = "from amber_wrap.cli import main; main()"
    for name, options in (("python", ""), ("amber-wrap", f'-c "{run}" ')):
        script = f'#!/bin/sh\nexec "{sys.executable}" {options}"$@"\n'
        (programs / name).write_text(script)
        (programs / name).chmod(0o755)
    follow(folder, variables(tmp_path, programs), skip="install")


@pytest.mark.slow
def test_the_tutorial_works_in_a_fresh_environment(tmp_path):
    """With the package as a wheel has it; the dependencies come from here."""
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation"]
    subprocess.run(
        [*build, "--outdir", str(tmp_path), str(ROOT)], check=True, capture_output=True
    )
    (wheel,) = tmp_path.glob("*.whl")
    folder = tmp_path / "boats"
    folder.mkdir()
    venv.create(folder / ".venv", symlinks=True)
    programs = folder / ".venv" / "bin"
    pip = [sys.executable, "-m", "pip", "--python", str(programs / "python")]
    subprocess.run(
        [*pip, "install", "--no-deps", "--no-index", "-q", str(wheel)], check=True
    )
    site = next((folder / ".venv").glob("lib/python*/site-packages"))
    here = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sysconfig; print(sysconfig.get_path('purelib'))",
        ],
        check=True,
        capture_output=True,
        text=True,
    )
    (site / "dependencies.pth").write_text(here.stdout)
    follow(folder, variables(tmp_path, programs), skip="install")


def test_the_document_has_all_that_is_followed():
    found = list(steps())
    assert sum(step.kind == "bash" for step in found) >= 10
    assert sum(step.kind == "file" for step in found) >= 5
    assert [step.name for step in found if step.name == "install"] == ["install"]
