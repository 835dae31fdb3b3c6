"""Find the folder of a domain by its name: in this package or in a project."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import Final

from amber_wrap.errors import DomainError

DATA: Final = Path(__file__).parent / "data"
"""The folder of the built-in domains (kinds of records), each a subfolder."""
BUILT_IN_DOMAINS: Final = ("real-estate", "used-cars", "products", "listing")
"""The names of the domains (kinds of records) in this package, most specific first."""


def own_domains(folder: Path | None) -> tuple[str, ...]:
    """Return the sorted names of the domains in the folder of a project, or () if there
    is no folder.
    """
    files = folder.glob("[!.]*/domain.toml") if folder else ()
    return tuple(sorted(file.parent.name for file in files))


def domain_names(project_domains: Path | None = None) -> tuple[str, ...]:
    """Return the names of a project's domains, then of the domains in this package."""
    return tuple(dict.fromkeys((*own_domains(project_domains), *BUILT_IN_DOMAINS)))


def find_domain(
    name_or_folder: str | Path,
    project_domains: Path | None = None,
    start: Path = Path(),
) -> Path:
    """Return the folder of a domain, which is given by its name or path.

    `project_domains` is the folder of the project's own domains. A relative path starts
    at `start`. Raise DomainError if there is no such domain.
    """
    names = domain_names(project_domains)
    if name_or_folder in names:
        name = str(name_or_folder)
        if project_domains and name in own_domains(project_domains):
            return project_domains / name
        return DATA / name
    folder = (start / name_or_folder).resolve()
    if folder.is_dir():
        return folder
    if folder.is_file():
        raise DomainError(
            f"{name_or_folder} is a file, but a domain is a folder: name a page with "
            "--sample"
        )
    if project_domains and (project_domains / name_or_folder).is_dir():
        return project_domains / name_or_folder
    if (DATA / name_or_folder).is_dir():
        raise DomainError(
            f"{name_or_folder} is shared by domains, but is not a domain: list it "
            "in the 'uses' of your domain"
        )
    close_names = get_close_matches(str(name_or_folder), names, n=1)
    hint = f" (did you mean {close_names[0]!r}?)" if close_names else ""
    outside = " (your own domains are found only within a project)"
    if project_domains or close_names:
        outside = ""
    raise DomainError(
        f"there is no domain {str(name_or_folder)!r}{hint}: name a folder, or one of "
        f"{', '.join(names)}{outside}"
    )
