"""Fuzz the functions that read pages and stored wrappers, guided by coverage.

    pip install atheris        # No dependency of this project: Linux and macOS only.
    python benchmarks/fuzz.py page|json FOLDER [-max_total_time=600] [...]

FOLDER keeps the inputs that reach new code and the inputs that fail. Other arguments
are passed to libFuzzer. An input that is refused with a message doesn't fail. The exit
code is 0 if nothing failed.
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
    from amber_wrap.dom.parse import parse
    from amber_wrap.engine.drift_check import check_page
    from amber_wrap.engine.output_rows import to_rows
    from amber_wrap.errors import AmberError
    from amber_wrap.lowering.program import check_program, program_from_data
    from amber_wrap.wrapper.pattern_check import check_patterns
    from amber_wrap.wrapper.stored_wrapper import from_text, to_text

from hostile.generator import FAMILIES
from hostile.run import harmless, harmless_wrapper


def main() -> None:
    """Write seeds into the folder, and fuzz a target until libFuzzer ends."""
    if len(sys.argv) < 3 or sys.argv[1] not in TARGETS:
        sys.exit(__doc__)
    name, folder = sys.argv[1], Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    os.environ["AMBER_WRAP_CACHE"] = "off"
    stored = harmless_wrapper(folder)[".json"]
    for number, body in enumerate(SEEDS[name](stored)):
        (folder / f"seed-{number}").write_bytes(body)
    failure_prefix = f"-artifact_prefix={folder}/failed-"
    atheris.Setup(
        [sys.argv[0], str(folder), failure_prefix, *sys.argv[3:]], TARGETS[name](stored)
    )
    atheris.Fuzz()


def read_pages(stored: bytes) -> Callable[[bytes], None]:
    """Return a function to fuzz, which parses bytes as a page and reads the page.

    The page is read and checked with the wrapper `stored`.
    """
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
    """Return a function to fuzz, which loads bytes as a stored wrapper and reads a
    page.

    `stored` isn't used.
    """
    page = parse(harmless())

    def load(body: bytes) -> None:
        try:
            stored_wrapper = from_text(body)
            check_patterns(stored_wrapper.wrapper)
            if stored_wrapper.program:
                check_program(stored_wrapper.program)
                program_from_data(stored_wrapper.program)
            to_text(stored_wrapper)
            to_rows(stored_wrapper.wrapper, page)
            check_page(stored_wrapper.wrapper, page)
        except AmberError:
            return

    return load


def pages(stored: bytes) -> list[bytes]:
    """Return an ordinary page, and the beginning of a hostile page of each kind.

    `stored` isn't used.
    """
    makers = [
        make
        for name in ("structure", "encodings", "formats")
        for make in FAMILIES[name].values()
    ]
    cases = [make(Random(1)) for make in makers]
    return [harmless(), *((case.sample or case.page)[:4000] for case in cases)]


def wrappers(stored: bytes) -> list[bytes]:
    """Return the stored wrapper, the wrapper without its program, and changed
    wrappers."""
    data = json.loads(stored)
    del data["program"]
    cases = (make(Random(1)) for make in FAMILIES["stored wrappers"].values())
    changed_wrappers = [case.stored(stored) for case in cases if case.stored]
    return [stored, json.dumps(data).encode(), *changed_wrappers]


TARGETS = {"page": read_pages, "json": load_json}
"""The functions that make fuzz targets, by name."""
SEEDS = {"page": pages, "json": wrappers}
"""The functions that make the first inputs of each target."""


if __name__ == "__main__":
    main()
