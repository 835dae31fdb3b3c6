"""Test annotators of other packages: loading, checks, and use in wrappers.

cases/annotators holds the package `boat-marks`, which docs/annotators.md shows, and
folders of case files.  The `module` of a case is the source of the package `hulls`.
The package registers `hull = "hulls:find"`, or what `registers` names.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import types
from collections.abc import Callable, Iterator
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from case_pages import CASES, Case, cases
from hypothesis import given, settings
from hypothesis import strategies as st

from amber_wrap.annotate.annotate_page import annotate, annotators
from amber_wrap.annotate.annotator import Texts
from amber_wrap.annotate.built_in_annotators import BUILT_IN_RECOGNISERS
from amber_wrap.annotate.locale import FUNCTION_WORDS
from amber_wrap.annotate.plugin_annotators import (
    LONGEST_SPAN,
    PluginAnnotator,
    SpanAnnotator,
)
from amber_wrap.codegen.build import build_file
from amber_wrap.dom.parse import parse
from amber_wrap.domain import plugins, recognisers
from amber_wrap.domain.loader import built_in_domains, load_domain
from amber_wrap.domain.plugins import load_plugin
from amber_wrap.domain.schema import Domain
from amber_wrap.engine.output_rows import to_rows
from amber_wrap.errors import DomainError
from amber_wrap.generalise.doubts import SPARSE
from amber_wrap.pipeline import compile_wrapper
from amber_wrap.report.domain_text import domain_description
from amber_wrap.settings import Source

FOLDER = CASES / "annotators"
VALUES = ("phone", "price", "uk-postcode", "written-date")
PAGE = "<ul><li>£1 and GB-1<li>£2 and GB-2<li>£3 and GB-3</ul>"
TYPES = """
pivots = ["price"]
[types.price]
kind = "money"
regular = true
patterns = ["price"]
[types.hull]
kind = "text"
annotators = ["hull"]
"""
PATTERNS = "price = '£(?P<value>[0-9]+)'\n"


# --- an installed package ---------------------------------------------------------


@pytest.fixture(scope="module")
def boat_marks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the package boat-marks, and return its folder."""
    folder = tmp_path_factory.mktemp("installed")
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index"]
    options = ["--no-build-isolation", "--target", str(folder)]
    source = str(FOLDER / "boat-marks")
    subprocess.run([*pip, *options, source], check=True, capture_output=True)
    return folder


def run(code: str, *arguments: str | Path, path: Path, cwd: Path) -> tuple[str, str]:
    """Run code in a new Python with `path` on its search path: (stdout, stderr)."""
    process = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(path)},
        capture_output=True,
        text=True,
    )
    assert process.returncode == 0, process.stderr
    return process.stdout, process.stderr


TOOL = "from amber_wrap.cli import main; main()"
ALONE = (
    "import runpy, sys; sys.modules |= dict(boat_marks=None, amber_wrap=None); "
    "sys.argv = sys.argv[1:]; runpy.run_path(sys.argv[0], run_name='__main__')"
)
"""Code that runs a generated file without boat_marks and amber_wrap."""


def test_an_installed_package_provides_annotators_to_a_domain(
    boat_marks: Path, tmp_path: Path
) -> None:
    """Follow an annotator from its entry point to the records of a generated file."""
    source = FOLDER / "boat-marks"
    command = ("induce", source / "sample.html", "--domain", source / "boats")
    _, log = run(TOOL, *command, "-o", "boats.py", path=boat_marks, cwd=tmp_path)
    assert "differs" not in log
    page = source / "other.html"
    expected = (source / "other.jsonl").read_text("utf-8")
    records, _ = run(ALONE, "boats.py", page, path=boat_marks, cwd=tmp_path)
    assert records == expected
    records, _ = run(TOOL, "apply", "boats.py", page, path=boat_marks, cwd=tmp_path)
    assert records == expected


def test_domain_show_names_the_package_of_an_annotator(
    boat_marks: Path, tmp_path: Path
) -> None:
    folder = FOLDER / "boat-marks" / "boats"
    description, _ = run(TOOL, "domain", "show", folder, path=boat_marks, cwd=tmp_path)
    origin = "boat_marks:hull_numbers of boat-marks 1.0"
    assert f"annotator hull-number ({origin})" in description


# --- packages that are made up for a case -------------------------------------------


Install = Callable[[Case], Domain]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Install the packages of a case on the search path, and return its domain."""

    def put(case: Case) -> Domain:
        registered = case.get("registers", {"hull": "hulls:find"})
        for package in case.get("packages", ["hulls 1.0"]):
            name, _, version = package.partition(" ")
            folder = tmp_path / name
            info = folder / f"{name}-{version}.dist-info"
            info.mkdir(parents=True)
            head = ("Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}", "")
            (info / "METADATA").write_text("\n".join(head))
            lines = [
                f"{recogniser} = {target}" for recogniser, target in registered.items()
            ]
            (info / "entry_points.txt").write_text(
                "\n".join([f"[{plugins.ENTRY_POINT_GROUP}]", *lines, ""])
            )
            (folder / f"{name}.py").write_text(case["module"], encoding="utf-8")
            monkeypatch.syspath_prepend(folder)
        folder = tmp_path / "boats"
        folder.mkdir()
        (folder / "domain.toml").write_text(case.get("domain", TYPES).lstrip())
        (folder / "patterns.toml").write_text(
            case.get("patterns", PATTERNS), encoding="utf-8"
        )
        return load_domain(folder)

    yield put
    sys.modules.pop("hulls", None)


def claims(domain: Domain, html: str) -> list[tuple[str, str]]:
    """Annotate a page: the (type, value) of each annotation."""
    page = parse(html.encode())
    annotations = annotate(page, domain.schema, annotators(domain))
    return [(annotation.type, annotation.text) for annotation in annotations]


@pytest.mark.parametrize("case", cases("annotators/broken"))
def test_the_error_for_a_broken_annotator_names_the_annotator(
    case: Case, install: Install
) -> None:
    with pytest.raises(DomainError) as caught:
        claims(install(case), case.get("html", PAGE))
    assert str(caught.value) == case["error"]
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("page", ["sample", "other"])
@pytest.mark.parametrize("case", cases("annotators/bridge"))
def test_a_wrapper_reads_the_values_that_an_annotator_finds(
    case: Case, page: str, install: Install
) -> None:
    """Interpret and generate the wrapper of a sample, and apply it to two pages."""
    domain = install(case)
    sources = [Source("sample.html", case["sample"].encode())]
    compilation = compile_wrapper(sources, [domain])
    assert {finding.code for finding in compilation.diagnostics} <= {SPARSE}
    body = case[page].encode()
    rows = to_rows(compilation.wrapper, parse(body), raw=True)
    assert [row["hull"] or "" for row in rows] == case[f"on_{page}"]
    module = types.ModuleType("generated")
    sample = case["sample"].encode()
    built = build_file(compilation.wrapper, [sample], "amber-wrap induce")
    exec(built.source, module.__dict__)
    assert module.extract(body) == to_rows(compilation.wrapper, parse(body))


def test_only_annotators_that_a_domain_names_are_imported(install: Install) -> None:
    case = {
        "module": "def find(text):\n    yield 0, 1\n",
        "registers": {"hull": "hulls:find", "keel": "there_is_none:find"},
    }
    domain = install(case)
    assert list(domain.plugins) == ["hull"]
    assert "annotator hull (hulls:find of hulls 1.0)" in domain_description(domain)


def test_domains_may_name_exactly_the_built_in_annotators() -> None:
    assert tuple(BUILT_IN_RECOGNISERS) == recognisers.BUILT_IN_ANNOTATORS


def test_built_in_domains_load_without_searching_for_plugins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(**_: Any) -> None:
        raise AssertionError("packages were looked at")

    monkeypatch.setattr(plugins, "entry_points", refuse)
    for name in built_in_domains():
        assert load_domain(name).plugins == {}


# --- functions of a text ------------------------------------------------------------


def test_a_span_function_gets_each_text_once_and_cut_to_a_limit() -> None:
    texts = []

    def find(text: str) -> list[tuple[int, int]]:
        texts.append(text)
        return [(0, len(text))]

    long = "word " * 100
    page = parse(f"<p>Call us<p title='A title'>Call us<p>{long}".encode())
    annotations = list(SpanAnnotator("kind", "name", find).annotate(page, Texts(page)))
    assert texts == ["Call us", "A title", long[: LONGEST_SPAN - 1].rstrip()]
    # A match that reaches the cut may continue behind it.
    assert [annotation.text for annotation in annotations] == [
        "Call us",
        "A title",
        "Call us",
    ]


def test_a_page_without_text_has_no_annotations() -> None:
    page = parse(b"<p></p>")
    annotator = SpanAnnotator("kind", "name", lambda text: [(0, len(text))])
    assert list(annotator.annotate(page, Texts(page))) == []


# --- the extra `values` -------------------------------------------------------------


def value_cases(name: str) -> list[tuple[str, ...]]:
    """Read lines `lang | text | value ; value` of a file as (lang, text, values)."""
    lines = (FOLDER / "values" / f"{name}.txt").read_text("utf-8").splitlines()
    return [
        tuple(column.strip() for column in line.split("|"))
        for line in lines
        if line and not line.startswith("#")
    ]


plugin = cache(load_plugin)


def found_in(name: str, lang: str, text: str) -> list[str]:
    """Return the values that an annotator finds in a text; `lang` may be empty."""
    words = FUNCTION_WORDS.get(lang.partition("-")[0], "")
    page = parse(f'<html lang="{lang}"><p>{words}</p><p>{text}</p></html>'.encode())
    annotations = PluginAnnotator("kind", plugin(name)).annotate(page, Texts(page))
    return [
        annotation.text for annotation in annotations if page.is_text(annotation.node)
    ]


@pytest.mark.parametrize(
    ("name", "lang", "text", "expected"),
    [
        pytest.param(name, *case, id=f"{name}: {' | '.join(case)}")
        for name in VALUES
        for case in value_cases(name)
    ],
)
def test_annotators_of_the_extra_values_find_the_values_of_the_case(
    name: str, lang: str, text: str, expected: str
) -> None:
    assert " ; ".join(found_in(name, lang, text)) == expected


@pytest.mark.parametrize("name", VALUES)
def test_the_error_for_a_missing_library_names_its_extra(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = next(
        iter(metadata.entry_points(group=plugins.ENTRY_POINT_GROUP, name=name))
    )
    library = {
        "phone": "phonenumbers",
        "price": "price_parser",
        "uk-postcode": "uk_postcodes_parsing",
        "written-date": "dateparser",
    }[name]
    for module in [one for one in sys.modules if one.partition(".")[0] == library]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.delitem(sys.modules, entry.module, raising=False)
    with pytest.raises(DomainError) as caught:
        load_plugin(name)
    version = metadata.version("amber-wrap")
    assert str(caught.value) == (
        f"annotator {name!r} ({entry.value} of amber-wrap {version}) needs {library}: "
        'pip install "amber-wrap[values]"'
    )


PARTS = (
    *("0", "3", "20 7946 0000", "+44", "(0)", "£", "1,200", "EUR", "OX2 6AA", "-", " "),
    *("März", "May", "2024", ".", "mars", "\uff11\uff12", "\u0660", "x" * 260),
)


@settings(max_examples=40, deadline=None)
@given(
    name=st.sampled_from(VALUES),
    lang=st.sampled_from(("", "en", "en-GB", "de-AT", "fr", "xx")),
    parts=st.lists(st.sampled_from(PARTS), max_size=12),
)
def test_annotators_of_the_extra_values_give_the_same_again_on_any_text(
    name: str, lang: str, parts: list[str]
) -> None:
    """Check that annotators raise no exception and keep no state between texts."""
    first = found_in(name, lang, " ".join(parts))
    found_in(name, "it", "12 maggio 2024, 06 698 12345, 12 €")
    assert found_in(name, lang, " ".join(parts)) == first


@pytest.mark.parametrize("name", VALUES)
def test_the_pattern_of_a_plugin_matches_what_its_annotator_finds_first(
    name: str,
) -> None:
    expression = re.compile(plugin(name).pattern or "(?!)")
    for _, text, expected in value_cases(name):
        if expected:
            match = expression.search(text)
            assert match, text
            assert match[0] == expected.split(" ; ")[0]


# --- the documentation --------------------------------------------------------------


def test_code_blocks_of_the_documentation_are_from_the_package_boat_marks() -> None:
    text = (CASES.parents[1] / "docs" / "annotators.md").read_text("utf-8")
    folder = FOLDER / "boat-marks"
    files = ("boat_marks.py", "pyproject.toml", "boats/domain.toml")
    package = "".join((folder / name).read_text("utf-8") for name in files)
    blocks = re.findall(r"```(?:python|toml)\n(.*?)```", text, re.DOTALL)
    assert len(blocks) == 4
    for block in blocks:
        assert block in package


def test_the_documentation_lists_the_annotators_of_the_extra_values() -> None:
    text = (CASES.parents[1] / "docs" / "annotators.md").read_text("utf-8")
    registered = metadata.entry_points(group=plugins.ENTRY_POINT_GROUP)
    own = {
        entry_point.name
        for entry_point in registered
        if entry_point.dist and entry_point.dist.name == "amber-wrap"
    }
    assert own == set(VALUES)
    assert (
        set(re.findall(r"^\| `([\w-]+)` \| [^|]+ \| [a-z]", text, re.MULTILINE)) == own
    )
