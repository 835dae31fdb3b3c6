"""Write the folder of a new domain, with files to start from."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from string import Template
from typing import Final

from amber_wrap.domain.domain_folders import DATA, domain_names
from amber_wrap.domain.gazetteer_patterns import gazetteer_pattern
from amber_wrap.domain.loader import load_domain
from amber_wrap.domain.schema import AttributeType, Domain
from amber_wrap.domain.toml_and_text_files import unknown_name_message
from amber_wrap.errors import DomainError, FileError

_TEMPLATES: Final = Path(__file__).parent / "starter_files"

_COPIED_FILES: Final = ("patterns.toml", "gazetteers/statuses.txt")
"""The files of a new domain (kind of records) that are copied from this package."""

_MOST_RECOGNISERS: Final = 4
"""The most patterns and word lists that a comment names for an attribute type."""

_DOMAIN_NAME: Final = re.compile(r"[a-z][a-z0-9-]{0,40}")


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
