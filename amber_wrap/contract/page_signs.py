"""Record features of the samples, to recognise other pages that are incomplete or
empty.
"""

from __future__ import annotations

from collections.abc import Sequence

from amber_wrap.contract.thresholds import CONTRACT
from amber_wrap.dom.blocks import blocks
from amber_wrap.dom.ending import Ending
from amber_wrap.dom.page import Page
from amber_wrap.engine.ensemble import Found
from amber_wrap.engine.garbling import garbled
from amber_wrap.engine.notices import denials
from amber_wrap.wrapper.ir import Signs


def empty_texts(pages: Sequence[Page], empty: Sequence[Page]) -> tuple[str, ...]:
    """Return texts that all pages without results have and no sample has.

    `empty` are the pages without results. The first `CONTRACT.empty_texts` texts are
    returned, with collapsed whitespace. Return an empty tuple if `empty` is empty.
    """
    known = {text for page in pages for text in blocks(page.root)}
    texts = [dict.fromkeys(blocks(page.root)) for page in empty]
    shared = [
        text
        for text in (texts[0] if texts else ())
        if text not in known and all(text in one for one in texts)
    ]
    return tuple(shared[: CONTRACT.empty_texts])


def page_signs(pages: Sequence[Page], found: Sequence[list[Found]]) -> Signs:
    """Return features of the samples, to recognise other pages that are incomplete or
    empty.

    `found` are the records of each sample.
    """
    endings = [page.ending for page in pages]
    rows = [{row for one in records for row in one.rows} for records in found]
    return Signs(
        Ending(all(one.closed for one in endings), max(one.open for one in endings)),
        max(
            denials(blocks(page.root, records))
            for page, records in zip(pages, rows, strict=True)
        ),
        round(max(garbled(page.root) for page in pages), 3),
    )
