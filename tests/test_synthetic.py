"""Test the generated corpora of the paper's evaluation: truth, extent and noise."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections import Counter
from itertools import pairwise

import pytest
from gold_corpus import ROOT

from amber_wrap.dom.decoding import decode, parse_html
from amber_wrap.dom.displayed_texts import read_node
from amber_wrap.domain.loader import load_domain
from amber_wrap.evaluation.agreement import agreement_words
from amber_wrap.evaluation.gold import read_corpus, scored_types

sys.path.insert(0, str(ROOT / "benchmarks"))
sys.path.insert(0, str(ROOT / "benchmarks" / "paper"))

from synthetic.census import statistics
from synthetic.corpus import (
    LARGE,
    PAPER,
    Extent,
    page_counts,
    place_terms,
    write_corpus,
)
from synthetic.geography import hamlet
from synthetic.random_choices import listed_places, stream, styles
from synthetic.site import draw_site

DOMAINS = ("real-estate", "used-cars")
FOLDERS = [str(ROOT / "benchmarks" / "paper"), str(ROOT / "benchmarks")]
SEED = 5


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """Write sites of both domains, with at most two pages each."""
    folder = tmp_path_factory.mktemp("synthetic")
    for domain in DOMAINS:
        write_corpus(folder, domain, Extent(16, 30), SEED)
    return folder


def golds(folder):
    for path in sorted((folder / "json").rglob("*.json")):
        yield json.loads(path.read_text("utf-8"))


def digest(folder):
    """Hash the names and the bytes of all files in a folder."""
    files_hash = hashlib.sha256()
    for path in sorted(file for file in folder.rglob("*") if file.is_file()):
        files_hash.update(str(path.relative_to(folder)).encode() + path.read_bytes())
    return files_hash.hexdigest()


# The truth


def test_values_of_the_truth_are_displayed_at_their_xpath(corpus):
    """Each value is displayed at its XPath, below a top node of its record."""
    for gold in golds(corpus):
        body = (corpus / "pages" / gold["page"]).read_bytes()
        assert gold["sha256"] == hashlib.sha256(body).hexdigest()
        root = parse_html(decode(body))
        for record in (one for area in gold["areas"] for one in area["records"]):
            nodes = [node for path in record["nodes"] for node in root.xpath(path)]
            assert len(nodes) == len(record["nodes"]), gold["page"]
            for name, value in record["attributes"].items():
                [element] = root.xpath(value["xpath"])
                displayed = read_node(element, value["source"])
                assert agreement_words(value["value"]) in agreement_words(displayed), (
                    gold["page"],
                    name,
                )
                assert any(one in nodes for one in [element, *element.iterancestors()])


def test_no_node_belongs_to_two_records(corpus):
    for gold in golds(corpus):
        nodes = [
            n for area in gold["areas"] for r in area["records"] for n in r["nodes"]
        ]
        assert len(nodes) == len(set(nodes)), gold["page"]


def test_the_evaluation_reads_the_corpus_and_scores_its_types(corpus):
    read = read_corpus(corpus)
    for name in DOMAINS:
        pages = read.of_domain(name).pages
        used = {t for p in pages for a in p.areas for r in a.records for t in r}
        assert len(used) == {"real-estate": 9, "used-cars": 13}[name]
        scored = {kind.name for kind in scored_types(load_domain(name), pages)}
        assert used <= scored


def test_locations_list_the_places_in_their_text(corpus):
    locations = [
        record["attributes"]["location"]
        for gold in golds(corpus)
        for area in gold["areas"]
        for record in area["records"]
        if "location" in record["attributes"]
    ]
    for location in locations:
        assert location["terms"]
        assert all(
            agreement_words(name) in agreement_words(location["value"])
            for _, name in location["terms"]
        )
    towns, hamlets = (place_terms(corpus, (kind,)) for kind in ("town", "hamlet"))
    assert all(name.casefold() in listed_places() for name in towns)
    assert hamlets
    assert not any(name.casefold() in listed_places() for name in hamlets)
    assert towns | hamlets < place_terms(corpus)


def test_hamlets_are_in_no_gazetteer():
    rng = stream("hamlets")
    names = {hamlet(rng) for _ in range(2000)}
    assert len(names) > 1000
    assert not any(name.casefold() in listed_places() for name in names)


# Seeds


@pytest.mark.parametrize("domain", DOMAINS)
def test_a_site_does_not_depend_on_the_number_of_sites(domain, corpus, tmp_path):
    write_corpus(tmp_path, domain, Extent(3, 5), SEED)
    few = sorted(file for file in tmp_path.rglob("*") if file.is_file())
    assert len({file.parent for file in few}) == 6
    for path in few:
        assert path.read_bytes() == (corpus / path.relative_to(tmp_path)).read_bytes()


def test_the_same_seed_gives_the_same_bytes_in_any_process(tmp_path):
    """The order of sets differs with PYTHONHASHSEED."""
    digests = []
    for hashing, seed in (("1", 7), ("2", 7), ("2", 8)):
        folder = tmp_path / f"{hashing}-{seed}"
        code = (
            f"import sys; sys.path[:0] = {FOLDERS!r}; "
            "from pathlib import Path; from synthetic.corpus import *; "
            f"[write_corpus(Path({str(folder)!r}), one, Extent(4, 7), {seed}) "
            "for one in PAPER]"
        )
        environment = {**os.environ, "PYTHONHASHSEED": hashing}
        subprocess.run([sys.executable, "-c", code], check=True, env=environment)
        digests.append(digest(folder))
    assert digests[0] == digests[1] != digests[2]


# Extent and variety


def test_the_default_numbers_of_pages_are_those_of_the_paper():
    for extent in (*PAPER.values(), LARGE):
        counts = list(page_counts(extent))
        assert (len(counts), sum(counts)) == (extent.sites, extent.pages)
        assert max(counts) - min(counts) == 1


def test_each_site_has_a_template_of_its_own():
    sites = [draw_site(domain, SEED, rank) for domain in DOMAINS for rank in range(100)]
    assert {site.layout.form for site in sites} == set(styles()["layout"]["form"])
    templates = {
        repr((site.layout, site.card, site.frame, site.hand, site.trade))
        for site in sites
    }
    assert len(templates) == len(sites)
    cards = [site.card for site in sites]
    shapes = {
        repr((one_card.order, one_card.facts, one_card.nesting, one_card.heading_tag))
        for one_card in cards
    }
    assert len(shapes) == len(sites)


def test_sites_of_one_country_share_towns():
    """Many sites name the same towns, as agents of one county do."""
    shared = Counter(
        town.name
        for rank in range(100)
        for town in draw_site("real-estate", SEED, rank).region.towns[:10]
    )
    assert sum(sites > 1 for sites in shared.values()) > 0.25 * len(shared)
    assert max(shared.values()) < 15


@pytest.mark.parametrize("domain", DOMAINS)
def test_pages_have_the_noise_that_the_paper_states(corpus, domain):
    """Compare shares within the variation of a sample of 16 sites."""
    census = statistics(corpus, domain)
    false, shares = "pages with false annotations of", census.shares
    assert shares[f"{false} locations"] == 1.0
    assert 40 <= census.means["false annotations of locations a page"] <= 75
    assert 0.55 <= shares[f"{false} prices"] <= 0.85
    assert 14 <= census.means["false annotations of prices a page"] <= 32
    framed = shares["pages with something at the head or tail of an area"]
    assert 0.3 <= framed <= 0.7
    assert 0.05 <= shares["towns and hamlets that no list has"] <= 0.3
    pages = census.counts["pages"]
    assert 7 <= census.counts["records"] / pages <= 14
    common = sum(number for size, number in census.sizes.items() if 4 <= size <= 20)
    assert common >= 0.8 * pages


def test_optional_attributes_are_missing_in_single_records(corpus):
    """Records of a page lack attributes that other records of the page have."""
    partly = Counter(
        name
        for gold in golds(corpus)
        for area in gold["areas"]
        for record, next_record in pairwise(area["records"])
        for name in record["attributes"].keys() ^ next_record["attributes"].keys()
    )
    assert {"price", "bedrooms", "legal_status", "mileage", "colour"} <= partly.keys()
