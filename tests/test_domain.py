"""Test domain folders: loading, refusals, and the values that patterns find."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from amber_wrap.annotate.annotate_page import annotate, annotators
from amber_wrap.annotate.locale import Locale, for_locale
from amber_wrap.dom.parse import parse
from amber_wrap.domain import loader
from amber_wrap.domain.gazetteer_patterns import as_regex, whole_words
from amber_wrap.domain.loader import built_in_domains, load_domain
from amber_wrap.domain.schema import Domain, Gazetteer, Thresholds, ValueKind
from amber_wrap.errors import DomainError
from amber_wrap.values.regular_expressions import compose

CASES = Path(__file__).parent / "cases"
BROKEN = sorted(path for path in (CASES / "domain").iterdir() if path.is_dir())
DATA = Path(loader.__file__).parent / "data"


def matches(domain: Domain, type_name: str, text: str) -> list[tuple[str, str]]:
    """Match the patterns of a type in a text: (displayed value, match), in order.

    Of overlapping matches the longest counts, as for annotations.
    """
    kind = domain.schema[type_name]
    expressions = [compose(name, domain.patterns) for name in kind.patterns] + [
        rf"(?<!\w)(?:{as_regex(domain.gazetteers[name])})(?!\w)"
        for name in kind.gazetteers
    ]
    all_matches = [
        match
        for expression in expressions
        for match in re.finditer(expression, text, re.MULTILINE)
    ]
    longest: list[re.Match[str]] = []
    for match in sorted(all_matches, key=lambda match: (-len(match[0]), match.start())):
        if not any(
            m.start() < match.end() and match.start() < m.end() for m in longest
        ):
            longest.append(match)
    return [
        (displayed(match), match[0]) for match in sorted(longest, key=re.Match.start)
    ]


def displayed(match: re.Match[str]) -> str:
    value = match["value"] if "value" in match.re.groupindex else match[0]
    assert value is not None, f"no value in the match {match[0]!r}"
    return value


load_cached = cache(load_domain)
LANGUAGES = sorted({path.suffixes[0][1:] for path in DATA.glob("*/patterns.*.toml")})


@cache
def load_for(name: str, language: str) -> Domain:
    """Return a built-in domain with its patterns for a language."""
    return for_locale(load_cached(name), Locale(language))


def pattern_cases() -> list[tuple[str, str, str, str, str]]:
    """Read the cases of all files; `real-estate.de.txt` is for German pages."""
    cases = []
    for path in sorted((CASES / "patterns").glob("*.txt")):
        for line in path.read_text("utf-8").splitlines():
            if line and not line.startswith("#"):
                columns = [column.strip() for column in line.split("|")]
                kind, text, values, matched = (*columns, "")[:4]
                cases.append((path.stem, kind, text, values, matched))
    return cases


def test_a_numeric_type_with_labels_only_is_recognised(tmp_path: Path) -> None:
    """Load a numeric type that has labels and no names."""
    (tmp_path / "domain.toml").write_text(
        'title = "Boats"\nuses = ["common"]\npivots = ["price"]\n'
        '[types.price]\nkind = "money"\nregular = true\npatterns = ["price"]\n'
        '[types.berths]\nkind = "count"\nlabels = ["Berths"]\n'
    )
    domain = load_domain(tmp_path)
    page = parse(b"<dl><dt>Berths</dt><dd>6</dd></dl>")
    annotations = annotate(page, domain.schema, annotators(domain))
    assert [(annotation.type, annotation.text) for annotation in annotations] == [
        ("berths", "6")
    ]


@pytest.mark.parametrize("folder", BROKEN, ids=lambda path: path.name)
def test_a_broken_domain_is_refused_with_a_reason(folder: Path) -> None:
    expected = (folder / "expected.txt").read_text("utf-8").strip()
    with pytest.raises(DomainError) as caught:
        load_domain(folder)
    assert str(caught.value) == expected


def test_the_error_for_an_unknown_domain_names_the_closest() -> None:
    with pytest.raises(DomainError) as caught:
        load_domain("real-estat")
    assert str(caught.value) == (
        "there is no domain 'real-estat' (did you mean 'real-estate'?): name a folder, "
        "or one of real-estate, used-cars, products, listing"
    )


def test_load_domain_reads_all_parts_of_a_folder(tmp_path: Path) -> None:
    """Load a folder with all that a domain may hold."""
    shared, folder = tmp_path / "shared", tmp_path / "bicycles"
    for path in (shared, folder):
        (path / "gazetteers").mkdir(parents=True)
    header = "# source: written by hand\n# a comment\n# licence: BSD-3-Clause\n\n"
    (shared / "gazetteers" / "makes.txt").write_text(header + "Trek\ngiant\n")
    (shared / "patterns.toml").write_text("digits = '[0-9]+'\nsign = '€'\n")
    (folder / "gazetteers" / "colours.txt").write_text(header + "red\ndark red\n")
    (folder / "patterns.toml").write_text(
        "sign = '£'\n"
        "price = ['{sign}(?P<value>{digits}{2,3})', '{digits} pounds']\n"
        "model = '{gazetteer:makes} (?P<value>[A-Z]+)'\n",
        encoding="utf-8",
    )
    (folder / "domain.toml").write_text(
        'uses = ["shared"]\n'
        'pivots = ["price"]\n'
        'disjoint = [["price", "model"]]\n'
        "[thresholds]\ndepth = 0\nkeep_optional = 0.1\n"
        '[types.price]\nkind = "money"\nregular = true\npatterns = ["price"]\n'
        '[types.model]\nkind = "text"\npatterns = ["model"]\nwhole = true\n'
        '[types.colour]\nkind = "text"\ngazetteers = ["colours"]\n'
        '[types.page]\nkind = "url"\nannotators = ["link"]\n'
    )
    domain = load_domain(folder)
    assert (domain.name, domain.title) == ("bicycles", "bicycles")
    assert domain.thresholds == Thresholds(depth=0, keep_optional=0.1)
    assert [kind.name for kind in domain.schema.types] == [
        "price",
        "model",
        "colour",
        "page",
    ]
    assert domain.schema.pivots == ("price",)
    assert domain.schema.disjoint == (("price", "model"),)
    assert domain.schema["price"].kind is ValueKind.MONEY
    assert domain.schema["price"].regular
    assert not domain.schema["model"].regular
    assert domain.schema["model"].whole
    assert domain.schema["page"].annotators == ("link",)
    assert domain.patterns == {
        "digits": "[0-9]+",
        "gazetteer:makes": "[gG](?i:iant)|Trek|TREK",
        "model": "{gazetteer:makes} (?P<value>[A-Z]+)",
        "price": "{sign}(?P<value>{digits}{2,3})|{digits} pounds",
        "sign": "£",
    }
    assert compose("price", domain.patterns) == (
        "(?:£)(?P<value>(?:[0-9]+){2,3})|(?:[0-9]+) pounds"
    )
    assert compose("model", domain.patterns) == (
        "(?:[gG](?i:iant)|Trek|TREK) (?P<value>[A-Z]+)"
    )
    assert domain.gazetteers == {
        "colours": Gazetteer(
            "colours", ("red", "dark red"), "written by hand", "BSD-3-Clause"
        )
    }


def test_load_domain_reads_the_variants_for_a_language(tmp_path: Path) -> None:
    """Load a language's file that overrides parts of other patterns."""
    folder = tmp_path / "homes"
    (folder / "gazetteers").mkdir(parents=True)
    header = "# source: written by hand\n# licence: BSD-3-Clause\n"
    (folder / "gazetteers" / "kinds.txt").write_text(header + "flat\n")
    (folder / "gazetteers" / "kinds.de.txt").write_text(
        header + "# locale: de, de-AT\nWohnung\n"
    )
    (folder / "patterns.toml").write_text(
        "word = 'rooms'\ncount = '[0-9]'\n"
        "rooms = '{count} {word}'\narea = '{count} m'\n"
    )
    (folder / "patterns.de.toml").write_text("word = 'Zimmer'\ncoded = 'Z[0-9]'\n")
    (folder / "domain.toml").write_text(
        'pivots = ["rooms"]\n'
        '[types.rooms]\nkind = "count"\nregular = true\n'
        'patterns = ["rooms", "coded"]\n'
        '[types.area]\nkind = "quantity"\npatterns = ["area"]\n'
        '[types.kind]\nkind = "text"\ngazetteers = ["kinds"]\n'
    )
    domain = load_domain(folder)
    assert domain.schema["rooms"].patterns == ("rooms", "rooms_de", "coded_de")
    assert domain.schema["area"].patterns == ("area",)
    assert domain.schema["kind"].gazetteers == ("kinds", "kinds_de")
    assert compose("rooms_de", domain.patterns) == "(?:[0-9]) (?:Zimmer)"
    assert domain.locales == {
        "coded_de": ("de",),
        "gazetteer:kinds_de": ("de", "de-AT"),
        "rooms_de": ("de",),
    }
    german = for_locale(domain, Locale("de")).schema
    assert german["rooms"].patterns == ("rooms_de", "coded_de")
    assert german["kind"].gazetteers == ("kinds_de",)
    english = for_locale(domain, Locale("en")).schema
    assert english["rooms"].patterns == ("rooms",)
    assert english["kind"].gazetteers == ("kinds",)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a dark red car", "dark red"),
        ("DARK RED", "DARK RED"),
        ("Reading", "Reading"),
        ("READING", "READING"),
        ("reading", None),
        ("Élan", "Élan"),
        ("RECORD", None),
        ("Land Rover", "Land Rover"),
        ("a 4x4 a-b", "4x4"),
        ("A-B", "A-B"),
    ],
)
def test_as_regex_matches_terms_also_in_capitals(text: str, found: str | None) -> None:
    terms = ("red", "dark red", "Reading", "élan", "land", "Land Rover", "4x4", "a-b")
    expression = as_regex(Gazetteer("things", terms, "", ""))
    match = re.search(rf"(?<!\w)(?:{expression})(?!\w)", text)
    assert (match and match[0]) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("an industrial unit", "industrial unit"),
        ("INDUSTRIAL", "INDUSTRIAL"),
        ("Industry", None),
        ("ein Élan", "Élan"),
        ("2-BED", "2-BED"),
        ("12-bed", None),
        ("İzmir", "İzmir"),
        ("STRASSE", None),
        ("a x", "x"),
    ],
)
def test_whole_words_matches_terms_in_any_case(text: str, found: str | None) -> None:
    """Match terms in any case; the longest wins."""
    terms = ("Industrial", "industrial unit", "élan", "2-bed", "İzmir", "straße", "x")
    match = re.search(whole_words(Gazetteer("things", terms, "", "")), text)
    assert (match and match[0]) == found


def test_built_in_domains_are_the_folders_with_a_domain_file() -> None:
    assert built_in_domains() == ("real-estate", "used-cars", "products", "listing")
    folders = {path.parent.name for path in DATA.glob("*/domain.toml")}
    assert folders == set(built_in_domains())


@pytest.mark.parametrize(
    ("name", "pivots", "types"),
    [
        (
            "real-estate",
            ("price",),
            "price location postcode bedrooms bathrooms receptions rooms living_area "
            "property_type legal_status details_page date image",
        ),
        (
            "used-cars",
            ("price",),
            "price title make model year mileage fuel_type transmission engine_size "
            "colour doors location details_page date image",
        ),
        ("products", ("price",), "price title details_page image rating date"),
        ("listing", ("details_page",), "details_page title date image"),
    ],
)
def test_built_in_domains_have_these_types_and_pivots(
    name: str, pivots: tuple[str, ...], types: str
) -> None:
    domain = load_domain(name)
    assert domain.name == name
    assert domain.schema.pivots == pivots
    assert [kind.name for kind in domain.schema.types] == types.split()
    for kind in domain.schema.types:
        assert kind.patterns or kind.gazetteers or kind.annotators
    assert all(g.source and g.licence for g in domain.gazetteers.values())


def test_gazetteers_of_built_in_domains_have_the_expected_sizes() -> None:
    for name in built_in_domains():
        for gazetteer in load_domain(name).gazetteers.values():
            if gazetteer.name == "us_places":
                assert len(gazetteer.terms) == 5000
            elif gazetteer.name.startswith(("places", "uk_towns")):
                assert 50 < len(gazetteer.terms) <= 2500
            else:
                assert 4 < len(gazetteer.terms) < 150


@pytest.mark.parametrize(
    ("name", "kind", "text", "values", "matched"),
    [pytest.param(*case, id=" | ".join(case[:3])) for case in pattern_cases()],
)
def test_patterns_find_the_values_of_the_case(
    name: str, kind: str, text: str, values: str, matched: str
) -> None:
    domain, _, language = name.partition(".")
    matched_values = matches(load_for(domain, language or "en"), kind, text)
    assert " ; ".join(value for value, _ in matched_values) == values
    if matched:
        assert [whole for _, whole in matched_values] == [matched]


def test_patterns_match_within_one_line_only() -> None:
    """Compare matches in texts joined by line ends with those in each text alone."""
    for language in ("en", *LANGUAGES):
        texts = [
            text
            for name, _, text, _, _ in pattern_cases()
            if name.partition(".")[2] in ("", language)
        ]
        for name in built_in_domains():
            for pattern, compiled in compiled_patterns(load_for(name, language)):
                alone = [
                    match[0] for text in texts for match in compiled.finditer(text)
                ]
                joined = [match[0] for match in compiled.finditer("\n".join(texts))]
                assert joined == alone, (language, pattern)


def compiled_patterns(domain: Domain) -> Iterator[tuple[str, re.Pattern[str]]]:
    """Yield the patterns that recognise values, not their parts."""
    for kind in domain.schema.types:
        for name in kind.patterns:
            yield name, re.compile(compose(name, domain.patterns), re.MULTILINE)


HOSTILE = [
    (bit * 30_000)[:30_000]
    for bit in (
        "1",
        "1,",
        "1 ",
        "1,234.",
        "£1 - ",
        "A",
        "Aa ",
        "A1 ",
        "bed: ",
        "12 Walton ",
        "rue de ",
        "ford ",
        "May 1",
        " ",
    )
]


@pytest.mark.parametrize("language", ["en", *LANGUAGES])
@pytest.mark.slow
def test_patterns_match_hostile_texts_in_linear_time(language: str) -> None:
    """Measure that all patterns together take a fifth of a second a text at most."""
    patterns = {
        compiled
        for name in built_in_domains()
        for _, compiled in compiled_patterns(load_for(name, language))
    }
    started = time.process_time()
    for compiled in patterns:
        for text in HOSTILE:
            for _ in compiled.finditer(text):
                pass
    assert time.process_time() - started < 3


def test_built_in_domains_pass_the_checks_of_load_domain(tmp_path: Path) -> None:
    """Load copies of the built-in domains, which aren't checked at each start."""
    shutil.copytree(DATA, tmp_path / "data")
    for name in built_in_domains():
        load_domain(tmp_path / "data" / name)
