"""amber-wrap, but `induce` has a site's other pages as further samples.

    python benchmarks/use_both.py CORPUS COMMAND [ARGUMENT...]

CORPUS is a folder as `use` of the corpus is; its index tells which pages belong
together.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path


def arguments_of(folder: Path, words: Sequence[str]) -> list[str]:
    """The arguments of a call with the other pages behind the sample."""
    if words[0] != "induce":
        return list(words)
    lines = (folder / "index.jsonl").read_text("utf-8").splitlines()
    pages = [json.loads(line) for line in lines if line]
    sample = Path(words[1])
    others = (one["file"] for one in pages if one.get("sample") == sample.name)
    return [*words[:2], *(str(sample.with_name(one)) for one in others), *words[2:]]


if __name__ == "__main__":
    program = str(Path(sys.executable).with_name("amber-wrap"))
    os.execv(program, [program, *arguments_of(Path(sys.argv[1]), sys.argv[2:])])
