"""Read the domain.toml of a domain, and the domain.toml of each domain that
it extends."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, NoReturn, TypeVar

from amber_wrap.domain.source_file import TomlFile, read_toml
from amber_wrap.errors import DomainError

T = TypeVar("T")

DATA: Final = Path(__file__).parent / "data"
BUILT_IN_DOMAINS: Final = ("real-estate", "used-cars", "products", "listing")
KEYS: Final = (
    "title",
    "extends",
    "without",
    "uses",
    "pivots",
    "disjoint",
    "thresholds",
    "types",
)


def own_domains(folder: Path | None) -> tuple[str, ...]:
    """Return the names of the domains in a project's folder, sorted."""
    files = folder.glob("[!.]*/domain.toml") if folder else ()
    return tuple(sorted(file.parent.name for file in files))


def domain_names(own: Path | None = None) -> tuple[str, ...]:
    """Return the names of all domains: the project's domains, then the built-in
    domains."""
    return tuple(dict.fromkeys((*own_domains(own), *BUILT_IN_DOMAINS)))


def find_domain(
    name_or_folder: str | Path, own: Path | None = None, start: Path = Path()
) -> Path:
    """Return the folder of a domain.

    A name is sought in the folder `own`, then among the built-in domains. A path is
    relative to `start`. Raise DomainError if there is no such domain.
    """
    names = domain_names(own)
    if name_or_folder in names:
        return _place(str(name_or_folder), own)
    folder = (start / name_or_folder).resolve()
    if folder.is_dir():
        return folder
    if folder.is_file():
        raise DomainError(
            f"{name_or_folder} is a file, but a domain is a folder: name a page with "
            "--sample"
        )
    if own and (own / name_or_folder).is_dir():
        return own / name_or_folder
    if (DATA / name_or_folder).is_dir():
        raise DomainError(
            f"{name_or_folder} is shared by domains, but is not a domain: list it "
            "in the 'uses' of your domain"
        )
    close = get_close_matches(str(name_or_folder), names, n=1)
    hint = f" (did you mean {close[0]!r}?)" if close else ""
    outside = (
        "" if own or close else " (your own domains are found only within a project)"
    )
    raise DomainError(
        f"there is no domain {str(name_or_folder)!r}{hint}: name a folder, or one of "
        f"{', '.join(names)}{outside}"
    )


def _place(name: str, own: Path | None) -> Path:
    return own / name if own and name in own_domains(own) else DATA / name


@dataclass(frozen=True, slots=True)
class Layer:
    """The domain.toml of one domain, with the domain's folder.

    `used` are further folders with patterns and gazetteers, named by the key `uses`.
    """

    folder: Path
    file: TomlFile
    used: tuple[Path, ...]

    @property
    def without(self) -> tuple[str, ...]:
        """The names of the inherited attribute types that the domain.toml drops."""
        return self.file.strings("without")

    def has(self, *keys: str) -> bool:
        """Return whether the file has a value or table at `keys`."""
        return self.file.has(*keys)


@dataclass(frozen=True, slots=True)
class Definition:
    """The domain.toml of a domain and of each domain that it extends, as layers.

    Each setting is read from the first layer that has it. The parameter `keys` of a
    method is the path to a setting, for example "types", "price".
    """

    layers: tuple[Layer, ...]

    @property
    def own(self) -> Layer:
        """The layer of the domain itself."""
        return self.layers[0]

    def folders(self) -> tuple[Path, ...]:
        """Return the folders with the patterns and gazetteers of all layers.

        Folders of extended domains come first. A recogniser overrides a
        recogniser of the same name in an earlier folder.
        """
        found: dict[Path, None] = {}
        for layer in reversed(self.layers):
            found |= dict.fromkeys((*layer.used, layer.folder))
        return tuple(found)

    def place(self, *keys: str) -> TomlFile:
        """Return the file that sets `keys`, or the domain's own file if none does."""
        for layer in self.layers:
            if layer.has(*keys):
                return layer.file
            if keys[0] == "types" and keys[1:2] and keys[1] in layer.without:
                break
        return self.own.file

    def get(self, default: T, *keys: str) -> T:
        """Return the value at `keys`, or the default if no layer sets the value.

        Raise DomainError for a value of another type than the default's.
        """
        return self.place(*keys).get(default, *keys)

    def strings(self, *keys: str) -> tuple[str, ...]:
        """Return the list of texts at `keys`, or () if no layer sets the list.

        Raise DomainError for a value that is no list of texts.
        """
        return self.place(*keys).strings(*keys)

    def fail(self, message: str, *keys: str) -> NoReturn:
        """Raise DomainError with a message about the line that sets `keys`."""
        self.place(*keys).fail(message, *keys)

    def check_known(
        self, what: str, names: Iterable[str], known: Collection[str], *keys: str
    ) -> None:
        """Raise DomainError for the first of the `names` that isn't in `known`.

        `what` is the noun for the names in the message, for example "type". The message
        begins with the file and the line that set `keys`.
        """
        self.place(*keys).check_known(what, names, known, *keys)

    def check_keys(self, allowed: Collection[str], *keys: str) -> None:
        """Raise DomainError for a key of the table at `keys` that isn't allowed."""
        for layer in self.layers:
            if layer.has(*keys):
                layer.file.check_keys(allowed, *keys)

    def table(self, *keys: str) -> dict[str, Any]:
        """Return the table at `keys`, merged from all layers.

        The settings of a domain override inherited settings. Raise DomainError if a
        domain drops a type that it doesn't inherit.
        """
        nothing: dict[str, Any] = {}
        found: dict[str, Any] = {}
        for layer in reversed(self.layers):
            if keys == ("types",):
                for name in layer.without:
                    layer.file.check_known("inherited type", [name], found, "without")
                    del found[name]
            found |= layer.file.get(nothing, *keys)
        return found

    def pivots(self) -> tuple[str, ...]:
        """Return the candidate pivot types of the first layer with the key `pivots`.

        Types that an earlier layer drops are left out.
        """
        dropped: set[str] = set()
        for layer in self.layers:
            if layer.has("pivots"):
                names = layer.file.strings("pivots")
                return tuple(name for name in names if name not in dropped)
            dropped.update(layer.without)
        return ()

    def disjoint(self) -> Iterator[tuple[TomlFile, Any]]:
        """Yield pairs of types that exclude each other, each as `(file, pair)`.

        The pairs are those under the key `disjoint` of each layer, and `file` is the
        layer's file. A pair is left out if an extending domain drops one of its types.
        """
        nothing: list[Any] = []
        dropped: set[str] = set()
        for layer in self.layers:
            for pair in layer.file.get(nothing, "disjoint"):
                if not (
                    isinstance(pair, list) and dropped.intersection(map(str, pair))
                ):
                    yield layer.file, pair
            dropped.update(layer.without)


def read_definition(folder: Path, own: Path | None = None) -> Definition:
    """Return the `Definition` of the domain in a folder.

    `own` is the folder of the project's domains. Raise DomainError if a file is missing
    or isn't TOML, or has an unknown key. Raise DomainError also if a domain extends
    itself.
    """
    layers: list[Layer] = []
    while True:
        layer = _read_layer(folder, own)
        layers.append(layer)
        name = layer.file.get("", "extends")
        if not name:
            return Definition(tuple(layers))
        folder = _base(layer, name, own)
        passed = [one.folder for one in layers]
        if folder in passed:
            circle = (*passed[passed.index(folder) :], folder)
            names = " -> ".join(one.name for one in circle)
            layer.file.fail(
                f"{folder.name!r} extends itself ({names}): break the cycle", "extends"
            )


def _read_layer(folder: Path, own: Path | None) -> Layer:
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
    return Layer(folder, file, tuple(_used(file, folder, own)))


def _base(layer: Layer, name: str, own: Path | None) -> Path:
    """Return the folder of the domain that a layer extends.

    Raise DomainError if there is no domain of this name.
    """
    siblings = layer.folder.parent
    places = [
        place / name
        for place in (siblings, own, DATA)
        if place and name in own_domains(place)
    ]
    # A domain may have the name of the domain that it extends.
    others = [place for place in places if place != layer.folder]
    if not places:
        known = {*own_domains(siblings), *own_domains(own), *BUILT_IN_DOMAINS}
        known.discard(layer.folder.name)
        layer.file.check_known("domain", [name], sorted(known), "extends")
    return (others or places)[0]


def _used(file: TomlFile, folder: Path, own: Path | None) -> Iterator[Path]:
    """Yield a folder for each name in the list `uses` of a domain.toml.

    A folder is sought beside the domain's `folder`, in the project's folder `own`, and
    among the built-in folders. Raise DomainError for an unknown name.
    """
    for name in file.strings("uses"):
        places = [place / name for place in (folder.parent, own, DATA) if place]
        there = [place for place in places if place.is_dir()]
        if not there:
            known = sorted(one.name for one in DATA.iterdir() if one.is_dir())
            file.check_known("folder", [name], known, "uses")
        yield there[0]
