"""Draft the spec of a wrapper from its old spec, a command line and the columns.

If the wrapper was adapted to changed pages, the old spec is the spec of the earlier
wrapper.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from amber_wrap.dom.link_addresses import host_of
from amber_wrap.domain.schema import Domain
from amber_wrap.files import (
    STDIN,
    read_saved_page,
    read_wrapper,
    stored_path,
    write_wrapper,
)
from amber_wrap.maintenance.healing import Healing
from amber_wrap.settings import DEFAULTS, Options, Source
from amber_wrap.spec.building import (
    broken_decisions,
    build_spec,
    column_sources,
    in_order,
    sample_names,
    spec_sources,
)
from amber_wrap.spec.reader import Spec, parse_spec, read_spec, spec_path, spec_text
from amber_wrap.spec.writer import (
    Changes,
    header,
    skeleton,
    with_changes,
    with_options,
    with_source,
    with_spec_columns,
    with_urls,
    without_column,
    write_spec,
)
from amber_wrap.wrapper.ir import Sample, Wrapper


def opened_spec(spec: Spec, path: Path, is_new: bool = False) -> Spec:
    """Return a spec that allows new columns when the wrapper is made again.

    A column that a person deleted from the file `path` isn't allowed, unless `is_new`
    is set.
    """
    decisions = spec.options.decisions
    stored_file, deleted = stored_path(path), set[str]()
    if not is_new and stored_file.exists():
        wrapper = read_wrapper(str(stored_file))
        induction_names = dict(wrapper.renamed)
        read_names = {induction_names.get(name, name) for name, _ in wrapper.fields}
        deleted = read_names - {column.known_as for column in decisions.columns}
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


def site_pattern(url: str) -> str:
    """Return a regular expression for all addresses of the site of `url`.

    Return "" if `url` is "" or invalid.
    """
    host = re.escape(host_of(url)).replace(r"\-", "-")
    return rf"^https?://(www\.)?{host}/" if host else ""


@dataclass(frozen=True, slots=True)
class Draft:
    """The text of a spec before it is written into its file."""

    path: Path
    """The file of the spec."""
    text: str
    spec: Spec
    """The decisions that the text has."""
    is_new: bool
    """Whether the draft didn't start from an existing spec."""

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
        """Return a draft of a spec with the decisions of a command line.

        If `is_kept`, the draft also keeps the decisions in the file `path`. Raise
        DomainError if the spec is invalid, and SelectionError if a column to change
        isn't in the spec.
        """
        is_new = not (is_kept and path.exists())
        text = skeleton(path.stem) if is_new else spec_text(path)
        names = sample_names(samples, path) if is_kept else tuple(samples)
        text = with_options(text, Spec(names, domain, options))
        if is_new:
            text = with_urls(text, site_pattern(url))
        text = with_changes(text, changes, is_new)
        spec = opened_spec(parse_spec(text, path), path, is_new)
        return cls(path, text, spec, is_new)

    def finish(self, wrapper: Wrapper) -> None:
        """Add the columns of a wrapper to the draft, and write the draft into its file.

        Raise FileError if the file can't be written.
        """
        text = with_spec_columns(self.text, column_sources(wrapper), self.is_new)
        write_spec(self.path, text)


@dataclass(frozen=True, slots=True)
class HealedSpec:
    """The options for adapting a wrapper to changed pages.

    The options come from the wrapper's spec and a command line.
    """

    path: Path
    """The file of the spec."""
    domain: str
    """The name of the domain."""
    options: Options
    exists: bool
    """Whether the wrapper has a spec, the TOML file with a person's decisions."""

    @classmethod
    def of(
        cls, wrapper: Path, domain: str, url: str, within: str, without: str
    ) -> HealedSpec:
        """Return the options for adapting the generated file `wrapper` to new pages.

        An option that is "" is taken from the wrapper's spec. Raise DomainError for an
        invalid spec.
        """
        path = spec_path(wrapper)
        spec = opened_spec(read_spec(path), path) if path.exists() else Spec(())
        options = replace(
            spec.options,
            url=url or spec.options.url,
            within=within or spec.options.within,
            without=without or spec.options.without,
        )
        return cls(path, domain or spec.domain, options, path.exists())

    def available_samples(
        self, read_sources: Iterable[Source], samples: Iterable[Sample]
    ) -> tuple[Source, ...]:
        """Return the available samples of the earlier wrapper, in the given order.

        A sample is available if it is in `read_sources`, or in a file that the spec
        names.
        """
        return in_order(samples, (*spec_sources(self.path), *read_sources))

    def write(
        self,
        target: Path,
        pages: Sequence[str],
        healed: Healing,
        domains: Sequence[Domain],
    ) -> Iterator[str]:
        """Write the spec of the adapted wrapper, and yield messages for the user.

        `target` is the path of the adapted generated file. Do nothing if the old
        wrapper had no spec, if adapting it failed, or if a page came from stdin.
        """
        if not self.exists or STDIN in pages or healed.wrapper is None:
            return
        path = spec_path(target)
        used_digests = {source.sha256 for source in healed.sources}
        used = [page for page in pages if read_saved_page(page).sha256 in used_digests]
        names = sample_names(used, target)
        spec = Spec(names, self.domain, self.options, self.path.stem)
        if healed.kind == "same generation":
            samples = (*read_spec(self.path).samples, *names)
            spec = replace(spec, samples=samples, after="")
        text = with_options(spec_text(self.path), spec)
        text = text.replace(header(self.path.stem), header(path.stem), 1)
        columns = column_sources(healed.wrapper)
        for finding in broken_decisions(healed.wrapper, healed.sources, self.options):
            column = finding.where
            if successor := healed.successors.get(column):
                text = with_source(text, column, columns.pop(successor))
                yield f"{column} is kept: it is the new column {successor}"
            else:
                text = without_column(text, column)
                yield f"{column} is not in {path.name}: {finding.message}"
        text = with_spec_columns(text, columns)
        write_spec(path, text)
        if spec.after:
            # Without the columns that are left out, the order may differ.
            wrapper_files = build_spec(read_spec(path), path, domains)
            write_wrapper(target, wrapper_files.built, force=True)
        yield f"wrote {path}"
