"""Read a project's configuration, and write the folder of a new domain.

The configuration is in amber-wrap.toml or pyproject.toml.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import Final

from amber_wrap.domain.domain_folders import DATA, domain_names, find_domain
from amber_wrap.domain.gazetteers import gazetteer_pattern
from amber_wrap.domain.loader import load_domain
from amber_wrap.domain.schema import AttributeType, Domain
from amber_wrap.domain.toml_and_text_files import (
    TomlFile,
    read_toml,
    unknown_name_message,
)
from amber_wrap.errors import DomainError, FileError

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


_TEMPLATES: Final = Path(__file__).parent / "starter_files"
_COPIED_FILES: Final = ("patterns.toml", "gazetteers/statuses.txt")
"""The files of a new domain (kind of records) that are copied from this package."""
_MOST_RECOGNISERS: Final = 4
"""The most patterns and word lists that a comment names for an attribute type."""
_DOMAIN_NAME: Final = re.compile(r"[a-z][a-z0-9-]{0,40}")


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


def starter_files(
    name: str, like: str = "", project_domains: Path | None = None
) -> dict[str, str]:
    """Return the files of a new domain, as texts by path in the domain's folder.

    The new domain extends the domain `like`, if given. `project_domains` is the folder
    of the project's own domains. Raise DomainError if the new name is invalid, or
    `like` can't be loaded.
    """
    if not _DOMAIN_NAME.fullmatch(name):
        raise DomainError(
            f"{name!r} is not a domain name: use lower-case ASCII letters, digits "
            "and hyphens, a letter first"
        )
    if (DATA / name).is_dir():
        raise DomainError(f"{name!r} is built in: choose another name")
    names = domain_names(project_domains)
    if like and like not in names:
        raise DomainError(unknown_name_message("domain", like, names))
    copied_texts = {
        path: (_TEMPLATES / path).read_text("utf-8") for path in _COPIED_FILES
    }
    placeholders = {"name": name, "title": name.replace("-", " ").capitalize()}
    if like:
        placeholders |= _base_placeholders(load_domain(like, project_domains))
        placeholders["base"] = like
    template_name = "extending.toml" if like else "domain.toml"
    template = Template((_TEMPLATES / template_name).read_text("utf-8"))
    return {"domain.toml": template.substitute(placeholders), **copied_texts}


def _base_placeholders(base: Domain) -> dict[str, str]:
    """Return the values of two placeholders in the template of a domain.toml.

    The new domain extends `base`. The value of "pivots" lists the types that each
    record has once, and the value of "inherited" describes all types of `base`.
    """
    pivots = ", ".join(f'"{name}"' for name in base.schema.pivots)
    lines = [_type_line(kind, base) for kind in base.schema.types]
    return {"pivots": pivots, "inherited": "\n".join(lines)}


def _type_line(kind: AttributeType, domain: Domain) -> str:
    """Return a comment line about an attribute type, with its name and kind.

    The line also names the patterns, word lists and code that recognise the type's
    values, without those limited to a language.
    """
    local = domain.locales
    patterns = [name for name in kind.patterns if name not in local]
    gazetteers = [one for one in kind.gazetteers if gazetteer_pattern(one) not in local]
    recognisers = (*patterns, *gazetteers, *kind.annotators)
    listed = ", ".join(recognisers[:_MOST_RECOGNISERS])
    if len(recognisers) > _MOST_RECOGNISERS:
        listed += ", ..."
    return f"#   {kind.name:14} {kind.kind:9} {listed}".rstrip()


def write_domain_folder(folder: Path, files: Mapping[str, str]) -> None:
    """Write a new folder with files, whole or not at all.

    Raise FileError if the folder exists or can't be written.
    """
    if folder.exists():
        raise FileError(f"{folder} already exists: choose another name, or delete it")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
        try:
            for file_path, text in files.items():
                path = temporary / file_path
                path.parent.mkdir(exist_ok=True)
                path.write_text(text, "utf-8", newline="\n")
            temporary.chmod(0o755)
            os.rename(temporary, folder)
        except BaseException:
            shutil.rmtree(temporary, ignore_errors=True)
            raise
    except OSError as error:
        raise FileError(f"cannot write {folder}: {error.strerror}") from error
