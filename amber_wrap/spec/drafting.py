"""Draft a spec from its old text, a command line, and the columns of a wrapper."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

from amber_wrap.files import read_rules, stored_path
from amber_wrap.settings import DEFAULTS, Options
from amber_wrap.spec.building import column_sources, sample_names
from amber_wrap.spec.reader import Spec, parse_spec, spec_text
from amber_wrap.spec.writer import (
    Changes,
    skeleton,
    with_changes,
    with_options,
    with_spec_columns,
    with_urls,
    write_spec,
)
from amber_wrap.wrapper.ir import Wrapper


def opened_spec(spec: Spec, path: Path, is_new: bool = False) -> Spec:
    """Return the spec, changed so that induction may add columns.

    `path` is the file of the spec. A column that a person deleted from the spec isn't
    added again. If the spec `is_new`, no column counts as deleted.
    """
    decisions = spec.options.decisions
    stored, deleted = stored_path(path), set[str]()
    if not is_new and stored.exists():
        wrapper = read_rules(str(stored))
        sources = dict(wrapper.renamed)
        read = {sources.get(name, name) for name, _ in wrapper.fields}
        deleted = read - {one.known_as for one in decisions.columns}
    decisions = replace(
        decisions,
        dropped=decisions.dropped | deleted,
        closed=False,
        ordered=not is_new,
    )
    if not (decisions.columns or decisions.dropped):
        decisions = replace(
            DEFAULTS.decisions,
            next_page=decisions.next_page,
            urls=decisions.urls,
            records=decisions.records,
        )
    return replace(spec, options=replace(spec.options, decisions=decisions))


def urls_of(url: str) -> str:
    """Return a regular expression for all addresses of the site of `url`, or "" if the
    address is unknown or invalid.
    """
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return ""
    host = re.escape(host.removeprefix("www.")).replace(r"\-", "-")
    return rf"^https?://(www\.)?{host}/" if host else ""


@dataclass(frozen=True, slots=True)
class Draft:
    """The text of a spec for a file at `path`, not written yet.

    `is_new` says that the draft didn't start from an existing spec.
    """

    path: Path
    text: str
    spec: Spec
    is_new: bool

    @classmethod
    def begin(
        cls,
        path: Path,
        is_kept: bool,
        samples: Sequence[str],
        domain: str,
        options: Options,
        changes: Changes,
        url: str = "",
    ) -> Draft:
        """Return a draft with the decisions of a command line.

        The draft starts from the spec at `path` if `is_kept`, otherwise from an empty
        spec. `url` is the address of a sample, "" if unknown. A new spec gets its
        pattern `urls` from this address. Raise DomainError for an invalid spec, and
        SelectionError for a column that the spec lacks.
        """
        is_new = not (is_kept and path.exists())
        text = skeleton(path.stem) if is_new else spec_text(path)
        names = sample_names(samples, path) if is_kept else tuple(samples)
        text = with_options(text, Spec(names, domain, options))
        text = with_urls(text, urls_of(url)) if is_new else text
        text = with_changes(text, changes, is_new)
        spec = opened_spec(parse_spec(text, path), path, is_new)
        return cls(path, text, spec, is_new)

    def finish(self, wrapper: Wrapper) -> None:
        """Add the columns of a wrapper to the draft, and write the spec.

        Raise FileError if the file can't be written.
        """
        text = with_spec_columns(self.text, column_sources(wrapper), self.is_new)
        write_spec(self.path, text)
