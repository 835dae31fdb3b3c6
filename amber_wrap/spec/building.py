"""Compile a wrapper's files from its spec, people's decisions, and its sample pages.

The files are the generated file `<name>.py` and its data `<name>.json`.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from os.path import relpath
from pathlib import Path

from amber_wrap.codegen.build import Built, build_file
from amber_wrap.columns.assembly import ALL
from amber_wrap.domain.schema import Domain
from amber_wrap.engine.output_rows import records_on
from amber_wrap.errors import (
    Diagnostic,
    FileError,
    PageError,
    SelectionError,
    WrapperError,
)
from amber_wrap.files import (
    WRAPPERS_FOLDER,
    difference,
    find_samples,
    read_saved_page,
    read_wrapper,
    stored_path,
)
from amber_wrap.generalise.user_decisions import UNHELD, inapplicable_decisions
from amber_wrap.maintenance.healing import heal_wrapper
from amber_wrap.passes.analysis import parse_samples
from amber_wrap.pipeline import Compilation, Watch, compile_wrapper
from amber_wrap.settings import Options, Source
from amber_wrap.spec.reader import SPEC_SUFFIX, Spec, line_of, read_spec
from amber_wrap.wrapper.ir import Sample, Wrapper
from amber_wrap.wrapper.stored_wrapper import to_text


@dataclass(frozen=True, slots=True)
class WrapperFiles:
    """The new texts of a wrapper's files, not yet written, and warnings or errors."""

    built: Built
    """The texts of the generated Python file and of its .json."""
    findings: tuple[Diagnostic, ...]
    """The messages for the user."""

    def first_change(self, path: Path) -> str:
        """Return a diff of the first file on the disk that differs from its new text.

        Return "" if no file differs. The generated file is at `path`, and the .json is
        beside it.
        """
        new_texts = {
            path: self.built.source,
            stored_path(path): to_text(self.built.stored),
        }
        for file, new_text in new_texts.items():
            old_text = file.read_text("utf-8") if file.exists() else ""
            if old_text != new_text:
                return f"{file}:\n{difference(old_text, new_text)}"
        return ""


def compile_samples(
    sources: Sequence[Source],
    domains: Sequence[Domain],
    domain: str,
    options: Options,
    watch: Watch = str,
) -> tuple[Compilation, WrapperFiles]:
    """Return all results of making a wrapper from sample pages, and its files.

    Raise PageError if a sample is no page, and NothingFoundError if no list is found.
    Raise SelectionError for an invalid option or decision, and WrapperError for an
    invalid pattern.
    """
    compilation = compile_wrapper(sources, domains, options, watch)
    domain_name = domain or compilation.analysis.domain.name
    command = induce_command(
        sources, domain_name, options, is_domain_chosen=len(domains) > 1
    )
    bodies = [source.saved.body for source in sources]
    built = build_file(compilation.wrapper, bodies, command, options.url)
    return compilation, WrapperFiles(built, compilation.diagnostics + built.findings)


def build_spec(spec: Spec, path: Path, domains: Sequence[Domain]) -> WrapperFiles:
    """Return the files of the wrapper that the spec at `path` describes.

    Raise SelectionError if a decision can't be fulfilled on the samples, and FileError
    for a missing sample. The errors of `compile_samples` are raised, too.
    """
    wrapper_files = try_spec(spec, path, domains)
    broken = [finding for finding in wrapper_files.findings if finding.code == UNHELD]
    if broken:
        messages = (
            f"{path}:{line_of(path, finding.where)}: {finding.where}: {finding.message}"
            for finding in broken
        )
        raise SelectionError(f"{'; '.join(messages)}: correct or delete the line")
    return wrapper_files


def try_spec(
    spec: Spec, path: Path, domains: Sequence[Domain], watch: Watch = str
) -> WrapperFiles:
    """Return the files of the wrapper that a spec describes, and messages for the user.

    A message names a decision that can't be fulfilled on the samples, such as a column
    without values. Raise FileError for a missing sample.
    """
    sources = read_samples(spec, path)
    if spec.after:
        return heal_to_spec(spec, path, sources, domains)
    _, wrapper_files = compile_samples(
        sources, domains, spec.domain, spec.options, watch
    )
    return wrapper_files


def heal_to_spec(
    spec: Spec, path: Path, sources: Sequence[Source], domains: Sequence[Domain]
) -> WrapperFiles:
    """Return the files of an older wrapper after adapting it to changed pages.

    The spec names the older wrapper in `after`, and `sources` are the changed pages.
    Raise WrapperError if adapting fails or isn't necessary, and FileError if the older
    wrapper can't be read.
    """
    old_path = path.with_name(f"{spec.after}.py")
    old_wrapper = read_wrapper(str(old_path))
    old_samples = find_samples(old_wrapper.samples, old_path)
    healed = heal_wrapper(old_wrapper, old_samples, sources, domains, spec.options)
    if healed.wrapper is None or healed.kind == "fits":
        reasons = "; ".join(healed.reasons) or f"{old_path.name} reads these pages"
        raise WrapperError(f"{path}: no new generation after {spec.after}: {reasons}")
    command = heal_command(sources, path, old_path, spec.domain, spec.options)
    bodies = [source.saved.body for source in sources]
    built = build_file(healed.wrapper, bodies, command, spec.options.url)
    findings = broken_decisions(healed.wrapper, sources, spec.options)
    return WrapperFiles(built, tuple(findings) + built.findings)


def broken_decisions(
    wrapper: Wrapper, sources: Sequence[Source], options: Options
) -> Iterator[Diagnostic]:
    """Yield a message for each decision that can't be fulfilled on the samples.

    An example is the decision to read a column that has no values.
    """
    filled_names = {
        name: None
        for page in parse_samples(sources, options)
        for record in records_on(wrapper, page.root)
        for name in record.values
    }
    return inapplicable_decisions(options.decisions, wrapper, filled_names)


def read_samples(spec: Spec, path: Path) -> list[Source]:
    """Return the sample pages that the spec at `path` names.

    Raise FileError if a sample doesn't exist.
    """
    samples = []
    for name in spec.samples:
        sample_path = path.parent / name
        if not sample_path.is_file():
            raise FileError(
                f"{path}: the sample {name} is missing: save it there again"
            )
        samples.append(read_saved_page(str(sample_path)))
    return samples


def existing_samples(wrapper: Path) -> tuple[Source, ...]:
    """Return the sample pages of a generated file that still exist.

    The pages are in the order of the wrapper's samples. Raise FileError if a file can't
    be read, and WrapperError for an invalid wrapper.
    """
    samples = read_wrapper(str(wrapper)).samples
    spec = wrapper.with_suffix(SPEC_SUFFIX)
    return in_order(samples, (*find_samples(samples, wrapper), *spec_sources(spec)))


def spec_sources(path: Path) -> Iterator[Source]:
    """Yield the sample pages that a spec (a TOML file) names, if they exist.

    Yield nothing if the spec at `path` doesn't exist.
    """
    for name in read_spec(path).samples if path.is_file() else ():
        sample_path = path.parent / name
        if sample_path.is_file():
            yield read_saved_page(str(sample_path))


def in_order(
    samples: Iterable[Sample], sources: Iterable[Source]
) -> tuple[Source, ...]:
    """Return those sources that are among the samples, in the order of `samples`.

    Sources and samples are compared by their SHA-256 digests.
    """
    by_digest = {source.sha256: source for source in sources}
    return tuple(
        by_digest[sample.sha256] for sample in samples if sample.sha256 in by_digest
    )


def first_stated_address(sources: Sequence[Source]) -> str:
    """Return the address of the first page that states its address.

    Return "" if no page states its address.
    """
    for source in sources:
        with suppress(PageError):  # Parsing the page later reports its errors.
            if url := source.saved.url:
                return url
    return ""


def sample_names(samples: Sequence[str], path: Path) -> tuple[str, ...]:
    """Return the paths of `samples` relative to the folder of the file `path`."""
    folder = path.parent.resolve()
    return tuple(
        Path(relpath(Path(sample).resolve(), folder)).as_posix() for sample in samples
    )


def column_sources(wrapper: Wrapper) -> dict[str, str]:
    """Return the automatic name of each column in a wrapper's output, by column name.

    For example, return `{"rent": "price"}` if a person renamed the only column `price`
    to `rent`.
    """
    induction_names = dict(wrapper.renamed)
    return {
        name: induction_names.get(name, name)
        for name, _ in wrapper.fields
        if name in wrapper.keys
    }


def find_specs(names: Sequence[str], folder: Path) -> list[Path]:
    """Return the paths of the specs with the given names.

    Without names, return the paths of all specs in the project at `folder`. Raise
    FileError if there is no spec.
    """
    if not names:
        paths = sorted((folder / WRAPPERS_FOLDER).glob(f"*{SPEC_SUFFIX}"))
        if not paths:
            raise FileError(
                f"there is no spec in {WRAPPERS_FOLDER}/: amber-wrap induce writes one"
            )
        return paths
    return [find_spec(name, folder) for name in names]


def find_spec(name: str, folder: Path) -> Path:
    """Return the path of the spec of a wrapper.

    `name` is the wrapper's name, or the path of one of its files. Raise FileError if
    the spec is neither beside this file nor in the project at `folder`.
    """
    beside_file = Path(name).with_suffix(SPEC_SUFFIX)
    in_project = folder / WRAPPERS_FOLDER / f"{name}{SPEC_SUFFIX}"
    for path in (beside_file, in_project):
        if path.is_file():
            return path
    raise FileError(f"there is no spec {in_project} or {beside_file}")


# --- the command lines that make a wrapper again ----------------------------------


_CommandOptions = Mapping[str, str | bool | Sequence[str]]
"""The values of the options of a command, by the names of the options."""


def induce_command(
    sources: Sequence[Source],
    domain: str,
    options: Options,
    is_domain_chosen: bool = False,
) -> str:
    """Return the command `amber-wrap induce` that makes a wrapper again.

    `sources` are the wrapper's sample pages. If the domain was chosen among several
    domains, the command reads all fields unless `options.fields` is set.
    """
    command_options: _CommandOptions = {
        **_page_options(domain, options),
        "strategy": "" if options.strategy == "role" else options.strategy,
        "distance": "" if options.distance == "fast" else options.distance,
        "fields": options.fields or (ALL if is_domain_chosen else ""),
        "example": [f"{example.name}={example.value}" for example in options.examples],
        "ascii-names": options.ascii_names,
    }
    sample_names = [source.name for source in sources]
    return command_line("induce", sample_names, command_options)


def heal_command(
    sources: Sequence[Source],
    path: Path,
    old_path: Path,
    domain: str,
    options: Options,
) -> str:
    """Return the command `amber-wrap heal` that adapts an old wrapper again.

    The command reads the wrapper at `old_path` and the pages `sources`, and writes the
    wrapper at `path`.
    """
    output = path.with_suffix(".py").name
    arguments = [old_path.name, *(source.name for source in sources), "--accept"]
    command_options = {"output": output, **_page_options(domain, options)}
    return command_line("heal", arguments, command_options)


def _page_options(domain: str, options: Options) -> dict[str, str]:
    """Return the command-line options that all commands for making a wrapper have.

    Only the last part of the path `domain` is used, such as "homes" of "/a/homes".
    """
    return {
        "domain": Path(domain).name if domain.startswith("/") else domain,
        "url": options.url,
        "within": options.within,
        "without": options.without,
    }


def command_line(
    command: str, arguments: Sequence[str], options: _CommandOptions
) -> str:
    """Return a command line of amber-wrap, quoted for a shell.

    An option with a list is written once for each item. An empty or False option is
    left out.
    """
    words, flags = ["amber-wrap", command, *arguments], []
    for name, value in options.items():
        if isinstance(value, bool):
            flags += [f"--{name}"] if value else []
            continue
        for text in [value] if isinstance(value, str) else value:
            if text:
                words += [f"--{name}", text]
    return shlex.join([*words, *flags])
