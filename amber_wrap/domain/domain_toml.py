"""Read the domain.toml of a domain.

If the domain extends other domains, the domain.toml files of these are read, too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NoReturn, TypeVar

from amber_wrap.domain.domain_folders import (
    BUILT_IN_DOMAINS,
    DATA,
    domain_names,
    own_domains,
)
from amber_wrap.domain.toml_and_text_files import TomlFile, read_toml
from amber_wrap.errors import DomainError

T = TypeVar("T")

KEYS: Final = tuple(
    "title extends without uses pivots disjoint thresholds types".split()
)
"""The top-level keys that a domain.toml may have."""


@dataclass(frozen=True, slots=True)
class Layer:
    """The domain.toml of one domain, such as cars, and the domain's `folder`.

    `used` has the folders that the key `uses` lists, with further patterns and word
    lists.
    """

    folder: Path
    file: TomlFile
    used: tuple[Path, ...]

    @property
    def without(self) -> tuple[str, ...]:
        """The names of the inherited attribute types that the domain.toml drops."""
        return self.file.strings("without")


@dataclass(frozen=True, slots=True)
class Definition:
    """The domain.toml of a domain, and of the domains that it extends.

    The parameter `keys` of a method is the path to a setting, such as "types", "price".
    """

    layers: tuple[Layer, ...]
    """The domain.toml files: the domain's own file first, then those of extended
    domains.

    The first file that has a setting determines the setting.
    """

    @property
    def own_layer(self) -> Layer:
        """The domain.toml of the domain itself, not of a domain that it extends.

        A domain is a kind of records, such as cars.
        """
        return self.layers[0]

    def folders(self) -> tuple[Path, ...]:
        """Return the folders with patterns and word lists.

        The folders of extended domains come first.
        """
        folders: dict[Path, None] = {}
        for layer in reversed(self.layers):
            folders |= dict.fromkeys((*layer.used, layer.folder))
        return tuple(folders)

    def file_with(self, *keys: str) -> TomlFile:
        """Return the domain.toml that determines the setting at the path `keys`.

        It is the domain's own file, or else the file of the nearest extended domain
        with the setting. If no file has the setting, return the domain's own file.
        """
        for layer in self.layers:
            if layer.file.has(*keys):
                return layer.file
            if keys[0] == "types" and keys[1:2] and keys[1] in layer.without:
                break
        return self.own_layer.file

    def get(self, default: T, *keys: str) -> T:
        """Return the setting at the path `keys`, or the default if it is missing.

        Raise DomainError for a value of another type than the default's.
        """
        return self.file_with(*keys).get(default, *keys)

    def strings(self, *keys: str) -> tuple[str, ...]:
        """Return the list of texts at the path `keys`, or () if it is missing.

        Raise DomainError for a value that is no list of texts.
        """
        return self.file_with(*keys).strings(*keys)

    def fail(self, message: str, *keys: str) -> NoReturn:
        """Raise DomainError with the file and line of a setting, and a message.

        `keys` is the path to the setting.
        """
        self.file_with(*keys).fail(message, *keys)

    def check_known(
        self, noun: str, names: Iterable[str], known: Collection[str], *keys: str
    ) -> None:
        """Raise DomainError if one of the `names` in a setting isn't in `known`.

        `keys` is the path to the setting. The message has the `noun`, such as "type".
        """
        self.file_with(*keys).check_known(noun, names, known, *keys)

    def check_keys(self, allowed: Collection[str], *keys: str) -> None:
        """Raise DomainError for a key in the table at the path `keys` that isn't
        `allowed`.

        The table is checked in all domain.toml files.
        """
        for layer in self.layers:
            if layer.file.has(*keys):
                layer.file.check_keys(allowed, *keys)

    def table(self, *keys: str) -> dict[str, Any]:
        """Return the table at the path `keys`, merged from all domain.toml files.

        Raise DomainError if a domain.toml drops a type under `without`, but inherits no
        such type.
        """
        merged: dict[str, Any] = {}
        for layer in reversed(self.layers):
            if keys == ("types",):
                for name in layer.without:
                    layer.file.check_known("inherited type", [name], merged, "without")
                    del merged[name]
            merged |= layer.file.table(*keys)
        return merged

    def pivots(self) -> tuple[str, ...]:
        """Return the names of the types that each record has once, the best first.

        Return () if no domain.toml names such types.
        """
        dropped: set[str] = set()
        for layer in self.layers:
            if layer.file.has("pivots"):
                names = layer.file.strings("pivots")
                return tuple(name for name in names if name not in dropped)
            dropped.update(layer.without)
        return ()

    def disjoint(self) -> Iterator[tuple[TomlFile, Any]]:
        """Yield each pair of types that can't share a value, as `(file, pair)`.

        `pair` is the unchecked value in the domain.toml `file`.
        """
        dropped: set[str] = set()
        for layer in self.layers:
            for pair in layer.file.get(list[Any](), "disjoint"):
                names = set(map(str, pair)) if isinstance(pair, list) else set()
                if dropped.isdisjoint(names):
                    yield layer.file, pair
            dropped.update(layer.without)


def read_definition(folder: Path, project_domains: Path | None = None) -> Definition:
    """Return the domain.toml of a domain, and of each domain that it extends.

    `project_domains` is the folder of the project's own domains. Raise DomainError if a
    file is missing or malformed, or if a domain extends itself.
    """
    layers: list[Layer] = []
    while True:
        layer = _read_layer(folder, project_domains)
        layers.append(layer)
        name = layer.file.get("", "extends")
        if not name:
            return Definition(tuple(layers))
        folder = _base_folder(layer, name, project_domains)
        folders = [layer.folder for layer in layers]
        if folder in folders:
            cycle = (*folders[folders.index(folder) :], folder)
            names = " -> ".join(domain_folder.name for domain_folder in cycle)
            layer.file.fail(
                f"{folder.name!r} extends itself ({names}): break the cycle", "extends"
            )


def _read_layer(folder: Path, project_domains: Path | None) -> Layer:
    """Return the domain.toml of the domain in a folder.

    Raise DomainError if the file is missing, isn't TOML, or has an unknown key.
    """
    if not (folder / "domain.toml").is_file():
        raise DomainError(
            f"{folder.name}: this folder has no domain.toml: write one, or name a "
            f"built-in domain ({', '.join(BUILT_IN_DOMAINS)})"
        )
    file = read_toml(folder, folder / "domain.toml")
    for key, value in file.data.items():
        if key not in KEYS and isinstance(value, Mapping) and "kind" in value:
            file.fail(f"an attribute type is a table: write [types.{key}]", key)
    file.check_keys(KEYS)
    if file.strings("without") and not file.has("extends"):
        file.fail("nothing is inherited without 'extends': delete this", "without")
    return Layer(folder, file, tuple(_used_folders(file, folder, project_domains)))


def _base_folder(layer: Layer, name: str, project_domains: Path | None) -> Path:
    """Return the folder of the domain `name`, which the domain of `layer` extends.

    Raise DomainError if there is no domain of this name.
    """
    siblings = layer.folder.parent
    same_name_folders = [
        parent / name
        for parent in (siblings, project_domains, DATA)
        if parent and name in own_domains(parent)
    ]
    if not same_name_folders:
        known = {*own_domains(siblings), *domain_names(project_domains)}
        known.discard(layer.folder.name)
        layer.file.check_known("domain", [name], sorted(known), "extends")
    # A domain may have the name of the domain that it extends.
    others = (folder for folder in same_name_folders if folder != layer.folder)
    return next(others, same_name_folders[0])


def _used_folders(
    file: TomlFile, folder: Path, project_domains: Path | None
) -> Iterator[Path]:
    """Yield the folders with further patterns and word lists that a domain.toml uses.

    Raise DomainError for an unknown name.
    """
    for name in file.strings("uses"):
        candidates = [
            parent / name for parent in (folder.parent, project_domains, DATA) if parent
        ]
        used_folders = [path for path in candidates if path.is_dir()]
        if not used_folders:
            known = sorted(path.name for path in DATA.iterdir() if path.is_dir())
            file.check_known("folder", [name], known, "uses")
        yield used_folders[0]
