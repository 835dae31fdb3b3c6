"""Give the two sets of gold pages: the generated one, and the real one if any."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

import synthetic as generator
from corpus import gold_folder, shown
from runs import digest
from synthetic.corpus import Extent, write_corpus

from amber_wrap.evaluation.gold import Corpus, read_corpus

SYNTHETIC, REAL = "synthetic", "real"


@dataclass(frozen=True, slots=True)
class GoldSet:
    """Gold pages of the paper's domains; `about` says what they are."""

    name: str
    corpus: Corpus
    about: str


def synthetic(cache: Path, seed: int, sizes: Mapping[str, Extent]) -> GoldSet:
    """Return a generated set of so many sites of each domain, made where it is missing.

    Another generator, seed or size is another folder; a folder that is there is whole.
    """
    code = digest([Path(generator.__file__ or "").parent])[:12]
    size = "-".join(f"{one.sites}x{one.pages}" for one in sizes.values())
    folder = cache / f"synthetic-{code}-{seed}-{size}"
    if not folder.is_dir():
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache) as draft:
            made = Path(draft) / "corpus"
            for domain, one in sizes.items():
                write_corpus(made, domain, one, seed)
            os.replace(made, folder)
    corpus = read_corpus(folder)
    about = f"Generated (seed {seed}, generator `{code}`): {described(corpus)}"
    return GoldSet(SYNTHETIC, corpus, about)


def scaled(sites: int | None, sizes: Mapping[str, Extent]) -> dict[str, Extent]:
    """Return the sizes of a sample of so many sites of each domain, or of all."""
    return {
        domain: Extent(few, round(whole.pages * few / whole.sites))
        for domain, whole in sizes.items()
        for few in [min(whole.sites, sites or whole.sites)]
    }


def real(domains: Collection[str], sites: int | None = None) -> GoldSet | None:
    """Return the first so many sites of each domain of the real set, None where it is
    missing.
    """
    folder = gold_folder()
    if not folder.is_dir():
        return None
    whole = read_corpus(folder)
    names = {page.site for page in whole.pages if page.domain in domains}
    chosen = {
        site
        for domain in domains
        for site in sorted(one for one in names if one.startswith(f"{domain}/"))[:sites]
    }
    pages = tuple(page for page in whole.pages if page.site in chosen)
    corpus = Corpus(pages, whole.redesigns)
    return GoldSet(REAL, corpus, f"Real pages: {described(corpus)}")


def missing() -> str:
    """Return the message for a missing real set."""
    return f"there is no {shown(gold_folder())}: the real set is left out"


def described(corpus: Corpus) -> str:
    """Return how many sites, pages, records and attributes a corpus has, by domain."""
    return "; ".join(
        f"{domain} {_counted(corpus.of_domain(domain))}"
        for domain in dict.fromkeys(page.domain for page in corpus.pages)
    )


def _counted(corpus: Corpus) -> str:
    records = [
        one for page in corpus.pages for area in page.areas for one in area.records
    ]
    sites = len({page.site for page in corpus.pages})
    return (
        f"{sites} sites, {len(corpus.pages)} pages, {len(records):,} records, "
        f"{sum(map(len, records)):,} attributes"
    )
