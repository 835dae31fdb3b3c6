"""Read the configuration of a project."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from amber_wrap.domain.domain_folders import domain_names, find_domain
from amber_wrap.domain.loader import load_domain
from amber_wrap.domain.schema import Domain
from amber_wrap.domain.toml_and_text_files import TomlFile, read_toml
from amber_wrap.errors import DomainError

PROJECT_FILE: Final = "amber-wrap.toml"

PYPROJECT: Final = "pyproject.toml"

TABLE: Final = ("tool", "amber-wrap")
"""The keys of the table in pyproject.toml that configures a project."""

DOMAINS_FOLDER: Final = "domains"
"""The default folder of a project's domains (kinds of records).

The path is relative to the configuration file.
"""

_KEYS: Final = ("domains", "domain")
"""The keys that a project's configuration may have."""


@dataclass(frozen=True, slots=True)
class Project:
    """The configuration of a project."""

    file: Path
    domains: Path
    """The folder of the project's own domains, which may be missing."""
    domain: Path | None = None
    """The folder of the default domain, None if no default is set."""


def find_project(folder: Path, with_default: bool = True) -> Project | None:
    """Return the project with its configuration in a folder or the nearest folder
    above.

    Return None if there is no configuration. Raise DomainError if the configuration is
    invalid. If `with_default` is false, the default domain is neither read nor checked.
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


def domains_to_try(name: str, folder: Path) -> list[Domain]:
    """Return the domains among which the compiler chooses, for the project of a folder.

    If `name` is given, the only choice is the domain called `name`. Otherwise, it is
    the project's default domain. Without a default, all domains are returned. Raise
    DomainError if a domain can't be loaded.
    """
    project = find_project(folder)
    own_folder = project.domains if project else None
    if chosen_name := name or (project and project.domain):
        return [load_domain(chosen_name, own_folder)]
    names = domain_names(own_folder)
    return [load_domain(known_name, own_folder) for known_name in names]


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
    """Return the project that a table of a TOML file configures.

    `keys` is the path to the table. Raise DomainError if the configuration is invalid,
    or names a missing folder.
    """
    if not keys and file.has(*TABLE):
        message = "this file only configures amber-wrap: delete the header of the table"
        file.fail(message, *TABLE)
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
