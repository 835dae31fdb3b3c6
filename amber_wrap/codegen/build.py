"""Build the generated file of a wrapper, and test the file.

The file must extract the same records from the sample pages as the wrapper.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from amber_wrap.codegen.render import render_program
from amber_wrap.dom.parse import parse
from amber_wrap.engine.interpret import Row, next_page_address, to_rows
from amber_wrap.errors import Diagnostic, WrapperError
from amber_wrap.lowering.lower import lower_wrapper
from amber_wrap.lowering.program import program_to_data
from amber_wrap.wrapper.ir import Wrapper
from amber_wrap.wrapper.stored_wrapper import StoredWrapper, digest_of

NEXT = "the next page"
"""The name of the next page's address in error messages, in place of a column."""


@dataclass(frozen=True, slots=True)
class Built:
    """A generated file, the data stored beside it, and findings for the user.

    The file was generated from a wrapper (the rules for reading one site's pages).
    `source` is the text of the file. `stored` has the wrapper, the command that made
    the file, and a description of the file's content. `findings` are diagnostics on
    parts of the wrapper that the file can't express.
    """

    source: str
    stored: StoredWrapper
    findings: tuple[Diagnostic, ...]


def build_file(
    wrapper: Wrapper, bodies: Sequence[bytes], command: str, url: str = ""
) -> Built:
    """Return the generated file of a wrapper, after a test on the sample pages.

    `bodies` are the bytes of the sample pages.  `command` is the command that generates
    the file, and is written into the file.  `url` is the address of the pages.  Equal
    input gives the same bytes.  Raise WrapperError if the wrapper extracts no records
    from a page, or if the file extracts other values than the wrapper.
    """
    pages = [parse(body, url) for body in bodies]
    lowered = lower_wrapper(wrapper, [page.root for page in pages])
    wrapper = lowered.wrapper
    source = render_program(lowered.program, command)
    module, keys = import_file(source), lowered.program.keys
    for sample, body, page in zip(wrapper.samples, bodies, pages, strict=True):
        prove(module.extract(body, url), to_rows(wrapper, page), keys, sample.name)
        if wrapper.next_page:
            extracted = {NEXT: module.next_page(body, url)}
            wanted: Row = {NEXT: next_page_address(wrapper, page)}
            prove([extracted], [wanted], [NEXT], sample.name)
    program = program_to_data(lowered.program)
    stored = StoredWrapper(wrapper, command, digest_of(source.encode()), program)
    return Built(source, stored, lowered.findings)


def import_file(source: str) -> ModuleType:
    """Run the source of a generated file, and return the module that the source
    defines."""
    module = ModuleType("generated")
    exec(compile(source, "<generated>", "exec"), module.__dict__)
    return module


def prove(
    extracted: Sequence[Row], wanted: Sequence[Row], keys: Sequence[str], name: str
) -> None:
    """Raise WrapperError unless a generated file extracts the same values as its
    wrapper.

    `extracted` are the records that the file extracts from a sample page. `wanted` are
    the records that the wrapper extracts from the page. Only the `keys` of the records
    are compared. `name` is the page's name. Raise WrapperError also if `wanted` is
    empty.
    """
    if not wanted:
        raise WrapperError(f"{name}: the wrapper reads no records from its own sample")
    if len(extracted) != len(wanted):
        raise WrapperError(
            f"{name}: the generated file reads {len(extracted)} records from its own "
            f"sample, not {len(wanted)}"
        )
    for record, wanted_record in zip(extracted, wanted, strict=True):
        for key in keys:
            value, wanted_value = record.get(key), wanted_record.get(key)
            if not prints_alike(value, wanted_value):
                raise WrapperError(
                    f"{name}: the generated file reads {key} {value!r} from its own "
                    f"sample, not {wanted_value!r}"
                )


def prints_alike(value: Any, other: Any) -> bool:
    """Return whether two values have the same JSON text.

    For example, 2 and 2.0 differ.
    """
    return json.dumps(value) == json.dumps(other)
