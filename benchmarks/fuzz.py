"""Fuzz what reads bytes of strangers, guided by coverage: pages, and stored wrappers.

    pip install atheris        # No dependency of this project: Linux and macOS only.
    python benchmarks/fuzz.py page|json FOLDER [-max_total_time=600] [...]

FOLDER keeps the inputs that reach new code, and what failed; other words go to
libFuzzer.  What the code refuses in words is no failure.  Exit 0 if nothing failed.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

try:
    import atheris
except ImportError:
    sys.exit(__doc__)

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

with atheris.instrument_imports(include=["amber_wrap"]):
    from amber_wrap.contract.verification import check_patterns
    from amber_wrap.dom.parse import parse
    from amber_wrap.engine.drift_check import check_page
    from amber_wrap.engine.interpret import to_rows
    from amber_wrap.errors import AmberError
    from amber_wrap.lowering.program import check_program, program_from_data
    from amber_wrap.wrapper.stored_wrapper import from_text, to_text

from hostile.generator import FAMILIES
from hostile.run import harmless, harmless_wrapper


def main() -> None:
    if len(sys.argv) < 3 or sys.argv[1] not in TARGETS:
        sys.exit(__doc__)
    name, folder = sys.argv[1], Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    os.environ["AMBER_WRAP_CACHE"] = "off"
    stored = harmless_wrapper(folder)[".json"]
    for number, body in enumerate(SEEDS[name](stored)):
        (folder / f"seed-{number}").write_bytes(body)
    failures = f"-artifact_prefix={folder}/failed-"
    atheris.Setup(
        [sys.argv[0], str(folder), failures, *sys.argv[3:]], TARGETS[name](stored)
    )
    atheris.Fuzz()


def read_pages(stored: bytes) -> Callable[[bytes], None]:
    """Bytes as a page, read and judged by a wrapper."""
    wrapper = from_text(stored).wrapper

    def read(body: bytes) -> None:
        try:
            page = parse(body)
        except AmberError:
            return
        for node in page.elements():
            page.string(node)
        to_rows(wrapper, page)
        check_page(wrapper, page)

    return read


def load_json(stored: bytes) -> Callable[[bytes], None]:
    """Bytes as a stored wrapper, which reads a page if it is one."""
    page = parse(harmless())

    def load(body: bytes) -> None:
        try:
            found = from_text(body)
            check_patterns(found.wrapper)
            if found.program:
                check_program(found.program)
                program_from_data(found.program)
            to_text(found)
            to_rows(found.wrapper, page)
            check_page(found.wrapper, page)
        except AmberError:
            return

    return load


def pages(stored: bytes) -> list[bytes]:
    """A page of each kind of the suite that has small ones."""
    kinds = [
        make
        for name in ("structure", "encodings", "formats")
        for make in FAMILIES[name].values()
    ]
    cases = [make(Random(1)) for make in kinds]
    return [harmless(), *((one.sample or one.page)[:4000] for one in cases)]


def wrappers(stored: bytes) -> list[bytes]:
    """A wrapper, one without its program, and some that somebody changed."""
    data = json.loads(stored)
    del data["program"]
    cases = (make(Random(1)) for make in FAMILIES["stored wrappers"].values())
    changed = [one.stored(stored) for one in cases if one.stored]
    return [stored, json.dumps(data).encode(), *changed]


TARGETS = {"page": read_pages, "json": load_json}
SEEDS = {"page": pages, "json": wrappers}


if __name__ == "__main__":
    main()
