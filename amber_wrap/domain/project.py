"""Read a project's configuration from amber-wrap.toml or pyproject.toml."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from amber_wrap.domain.domain_toml import find_domain
from amber_wrap.domain.source_file import TomlFile, read_toml
from amber_wrap.errors import DomainError

PROJECT_FILE: Final = "amber-wrap.toml"
PYPROJECT: Final = "pyproject.toml"
TABLE: Final = ("tool", "amber-wrap")
"""The keys of the table in pyproject.toml that configures a project."""
DOMAINS_FOLDER: Final = "domains"
"""The default folder of a project's domains, relative to the configuration file."""
_KEYS: Final = ("domains", "domain")
"""The keys that the configuration may have."""


@dataclass(frozen=True, slots=True)
class Project:
    """The configuration of a project, read from `file`.

    `domains` is the folder of the project's domains, which may be missing. `domain` is
    the folder of the default domain, None if no default is set.
    """

    file: Path
    domains: Path
    domain: Path | None = None


def find_project(folder: Path, with_default: bool = True) -> Project | None:
    """Return the project that a folder belongs to, or None.

    The configuration is in the folder or in the nearest folder above. Raise DomainError
    if the configuration is invalid, or if amber-wrap.toml and pyproject.toml of a
    folder both have a configuration. With `with_default`, raise DomainError if the
    default domain doesn't exist.
    """
    folder = folder.resolve()
    for ancestor in (folder, *folder.parents):
        project_file = _read_project_file(ancestor)
        pyproject = _read_pyproject(ancestor)
        if project_file and pyproject:
            message = (
                f"{PROJECT_FILE} beside this file also configures the project:"
                " keep one of the two"
            )
            pyproject.fail(message, *TABLE)
        if project_file:
            path = ancestor / PROJECT_FILE
            return _project(path, project_file, with_default=with_default)
        if pyproject:
            path = ancestor / PYPROJECT
            return _project(path, pyproject, *TABLE, with_default=with_default)
    return None


def _read_project_file(folder: Path) -> TomlFile | None:
    """Return the amber-wrap.toml of a folder, or None if the file can't be read."""
    path = folder / PROJECT_FILE
    return read_toml(folder, path) if os.access(path, os.R_OK) else None


def _read_pyproject(folder: Path) -> TomlFile | None:
    """Return the pyproject.toml of a folder.

    Return None if the file can't be read, or lacks the table `tool.amber-wrap`.
    """
    path = folder / PYPROJECT
    if not os.access(path, os.R_OK) or TABLE[1].encode() not in path.read_bytes():
        return None
    file = read_toml(folder, path)
    return file if file.has(*TABLE) else None


def _project(path: Path, file: TomlFile, *keys: str, with_default: bool) -> Project:
    """Return the project that the table at the path `keys` of a TOML file configures.

    `path` is the path of the file. Without `with_default`, the default domain is
    ignored. Raise DomainError if the configuration is invalid, or if a domain or folder
    that it names doesn't exist.
    """
    if not keys and file.has(*TABLE):
        file.fail(
            "this file only configures amber-wrap: delete the header of the table",
            *TABLE,
        )
    file.check_keys(_KEYS, *keys)
    name = file.get(DOMAINS_FOLDER, *keys, "domains")
    folder = (path.parent / name).resolve()
    if file.has(*keys, "domains") and not folder.is_dir():
        message = f"there is no folder {name!r}: create it, or name another"
        file.fail(message, *keys, "domains")
    domain = file.get("", *keys, "domain")
    if not domain or not with_default:
        return Project(path, folder)
    try:
        return Project(path, folder, find_domain(domain, folder, path.parent))
    except DomainError as error:
        file.fail(str(error), *keys, "domain")
