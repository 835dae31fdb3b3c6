"""Load the annotators that other packages register as entry points."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from importlib.metadata import EntryPoint, entry_points
from textwrap import shorten
from typing import Final

from amber_wrap.domain.domain_toml import Definition
from amber_wrap.domain.pattern_file import plugin_pattern_fault
from amber_wrap.domain.recognisers import BUILT_IN_ANNOTATORS
from amber_wrap.domain.schema import (
    FAULT_LENGTH,
    AttributeType,
    Domain,
    Plugin,
    ValueKind,
    annotator_pattern,
)
from amber_wrap.domain.toml_and_text_files import Problems
from amber_wrap.errors import DomainError

ENTRY_POINT_GROUP: Final = "amber_wrap.annotators"

_OWN_PACKAGE: Final = "amber-wrap"
"""The name of the package that contains this module."""


def known_annotators(named: Iterable[str]) -> Collection[str]:
    """Return the names that a domain.toml may list under `annotators`.

    An annotator is code that finds values. If all `named` annotators are built in,
    installed packages aren't searched.
    """
    if set(named) <= set(BUILT_IN_ANNOTATORS):
        return BUILT_IN_ANNOTATORS
    return (*BUILT_IN_ANNOTATORS, *sorted(entry_points(group=ENTRY_POINT_GROUP).names))


def load_plugins(
    definition: Definition, types: Iterable[AttributeType], problems: Problems
) -> dict[str, Plugin]:
    """Return the plugins that attribute types list under `annotators`, by name.

    A plugin is code that finds values. Raise DomainError for a plugin that can't be
    used.
    """
    plugins: dict[str, Plugin] = {}
    for kind in types:
        for name in kind.annotators:
            if name in BUILT_IN_ANNOTATORS or name in plugins:
                continue
            with problems.collecting():
                try:
                    plugins[name] = load_plugin(name)
                except DomainError as error:
                    definition.fail(str(error), "types", kind.name, "annotators")
    return plugins


def load_plugin(name: str) -> Plugin:
    """Return the plugin that an installed package has registered under a name.

    Raise DomainError if several packages have registered the name, or if the plugin
    can't be imported or is malformed.
    """
    entries = sorted(entry_points(group=ENTRY_POINT_GROUP, name=name), key=_origin)
    if len(entries) > 1:
        raise DomainError(
            f"annotator {name!r} is registered {len(entries)} times, as "
            f"{' and as '.join(map(_origin, entries))}: uninstall all packages but "
            "one"
        )
    (entry,) = entries
    package = entry.dist.name if entry.dist else "its package"
    plugin = Plugin(name, _origin(entry), package, _imported(entry, package))
    recognise = plugin.recognise
    is_class = isinstance(recognise, type)
    if not callable(recognise) or (is_class and not hasattr(recognise, "annotate")):
        noun = "a class without annotate" if is_class else type(recognise).__name__
        plugin.fail(
            f"is not a recogniser but {noun}: use a function that takes a text, or a "
            "class with annotate(page, texts)"
        )
    pattern = getattr(recognise, "pattern", None)
    if pattern is None:
        return plugin
    if not isinstance(pattern, str):
        plugin.fail(f"has a pattern that is not a str but {type(pattern).__name__}")
    if fault := plugin_pattern_fault(pattern):
        plugin.fail(f"has a pattern that {fault}")
    return replace(plugin, pattern=pattern)


def _origin(entry: EntryPoint) -> str:
    """Return an entry point as text, for example "vin:find of vin-package 1.0"."""
    package = f"{entry.dist.name} {entry.dist.version}" if entry.dist else "?"
    return f"{entry.value} of {package}"


def _imported(entry: EntryPoint, package: str) -> object:
    """Return the object that an entry point names.

    Raise DomainError if the import fails.
    """
    try:
        return entry.load()
    except Exception as error:
        name = f"annotator {entry.name!r} ({_origin(entry)})"
        if package == _OWN_PACKAGE and isinstance(error, ModuleNotFoundError):
            library = (error.name or "").partition(".")[0]
            raise DomainError(
                f'{name} needs {library}: pip install "amber-wrap[values]"'
            ) from error
        reason = shorten(f"{type(error).__name__}: {error}", FAULT_LENGTH)
        raise DomainError(
            f"{name} can't be imported ({reason}): reinstall {package}, or remove "
            f"{entry.name!r} from the domain"
        ) from error


def with_plugins(domain: Domain, plugins: Mapping[str, Plugin]) -> Domain:
    """Return a domain with plugins and their patterns added.

    If a type is recognised only by plugins without a pattern, the type's values become
    whole texts of elements.
    """
    if not plugins:
        return domain
    patterns = {
        annotator_pattern(name): plugin.pattern
        for name, plugin in plugins.items()
        if plugin.pattern
    }
    types = tuple(
        replace(kind, whole=kind.whole or _lacks_patterns(kind, plugins))
        for kind in domain.schema.types
    )
    return replace(
        domain,
        schema=replace(domain.schema, types=types),
        patterns=dict(sorted({**domain.patterns, **patterns}.items())),
        plugins=plugins,
    )


def _lacks_patterns(kind: AttributeType, plugins: Mapping[str, Plugin]) -> bool:
    """Return whether a type's values are recognised only by plugins without a pattern.

    Return False for a type of URLs, and for a type with `names`, which are words in
    class names.
    """
    if kind.patterns or kind.gazetteers or kind.names or kind.kind is ValueKind.URL:
        return False
    type_plugins = [plugins.get(name) for name in kind.annotators]
    return bool(type_plugins) and all(
        plugin and plugin.pattern is None for plugin in type_plugins
    )
