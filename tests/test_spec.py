"""Test that decisions in a spec survive build, induce and heal.

Errors in a spec are reported with file, line and remedy.
"""

from __future__ import annotations

import importlib.util
import shutil
import tomllib
from pathlib import Path

import pytest
from test_cli import run  # noqa: F401

from amber_wrap.files import read_wrapper
from amber_wrap.spec.reader import parse_spec
from amber_wrap.spec.writer import Changes, with_changes, with_spec_columns

PROJECT = Path(__file__).parents[1]
PAGES = PROJECT / "docs" / "maintenance"
COMMITTED = ("wrappers/rightmove.toml", "examples/watched-homes/homes.toml")
CASES = Path(__file__).parent / "cases" / "spec"
DECISIONS = sorted((CASES / "decisions").glob("*.toml"))
WRONG = sorted((CASES / "wrong").glob("*.toml"))


@pytest.fixture
def vale(run, tmp_path):  # noqa: F811
    """Return a folder with a wrapper and pages of a broker, also after a redesign."""
    for name in ("march", "april", "may"):
        shutil.copy(PAGES / f"{name}.html", tmp_path)
    code, _, err = run("induce", "march.html", "--domain", "real-estate")
    assert code == 0, err
    return tmp_path


def records(folder, page, name="march"):
    """Extract the records of a page by the generated file."""
    path = folder / "wrappers" / f"{name}.py"
    module_spec = importlib.util.spec_from_file_location("generated", path)
    module = importlib.util.module_from_spec(module_spec)
    module_spec.loader.exec_module(module)
    return module.extract((folder / page).read_bytes())


@pytest.mark.parametrize("name", COMMITTED)
def test_committed_wrappers_are_what_their_specs_say(name, run):  # noqa: F811
    """A change of patterns reaches them only by `amber-wrap build`."""
    path = PROJECT / name
    spec = tomllib.loads(path.read_text("utf-8"))
    if not all((path.parent / sample).exists() for sample in spec["samples"]):
        pytest.skip("the corpus is not beside the project")
    assert run("build", str(path), "--check")[0] == 0


@pytest.mark.parametrize("domain", [(), ("--domain", "real-estate")])
def test_a_build_leaves_a_newly_induced_wrapper_unchanged(vale, run, domain):  # noqa: F811
    for page in ("march", "april", "may"):
        assert run("induce", f"{page}.html", "-o", f"{page}.py", *domain)[0] == 0
        code, out, _ = run("build", page, "--check")
        assert (code, out) == (0, "")


def leads_to(folder, page):
    """Return the next page by the generated file."""
    path = folder / "wrappers" / "march.py"
    module_spec = importlib.util.spec_from_file_location("generated", path)
    module = importlib.util.module_from_spec(module_spec)
    module_spec.loader.exec_module(module)
    return module.next_page((folder / page).read_bytes())


def shown(rows, wanted):
    """Return the values of the first record for some keys, or "missing"."""
    return {key: rows[0].get(key, "missing") for key in wanted}


@pytest.mark.parametrize("path", DECISIONS, ids=lambda path: path.stem)
def test_a_decision_survives_build_induce_and_heal(path, vale, run):  # noqa: F811
    case = tomllib.loads(path.read_text("utf-8"))
    file = vale / "wrappers" / "march.toml"
    text = file.read_text("utf-8")
    for old, new in case.get("replace", {}).items():
        assert old in text
        text = text.replace(old, new)
    file.write_text(text + case.get("add", ""), "utf-8")

    code, _, err = run("build")
    assert code == 0, err
    march = records(vale, "march.html")
    assert shown(march, case["march"]) == case["march"]
    if "order" in case:
        assert list(march[0]) == case["order"]
    if "next" in case:
        assert leads_to(vale, "march.html") == case["next"]
    built = (vale / "wrappers" / "march.py").read_bytes()
    assert run("build", "--check")[0] == 0

    code, _, err = run("induce", "march.html")
    assert code == 0, err
    assert (vale / "wrappers" / "march.py").read_bytes() == built
    assert run("build", "--check")[0] == 0

    code, out, err = run("heal", "wrappers/march.py", "may.html", "--accept")
    assert code == 0, out + err
    assert shown(records(vale, "may.html"), case["may"]) == case["may"]
    assert shown(records(vale, "march.html"), case["march"]) == case["march"]
    if "next" in case:
        assert leads_to(vale, "may.html") == case["next"]
    assert run("build", "--check")[0] == 0
    for line in case.get("kept", ()):
        assert line in file.read_text("utf-8")


@pytest.mark.parametrize("path", WRONG, ids=lambda path: path.stem)
def test_an_error_in_a_spec_is_reported_with_line_and_remedy(path, vale, run):  # noqa: F811
    case = tomllib.loads(path.read_text("utf-8"))
    file = vale / "wrappers" / "march.toml"
    before = (vale / "wrappers" / "march.py").read_bytes()
    file.write_text(case["spec"], "utf-8")
    code, _, err = run("build")
    assert (code, err) == (1, f"amber-wrap: {case['message']}\n")
    assert (vale / "wrappers" / "march.py").read_bytes() == before


def test_a_new_generation_is_built_from_its_own_spec(vale, run):  # noqa: F811
    shutil.copy(PAGES / "june.html", vale)
    run("induce", "march.html", "--rename", "price=asking")
    code, out, err = run("heal", "wrappers/march.py", "june.html", "--accept")
    assert code == 0, out + err
    text = (vale / "wrappers" / "march_2.toml").read_text("utf-8")
    assert "`amber-wrap build march_2` makes march_2.py" in text
    assert 'after = "march"' in text
    assert 'asking = "price"' in text
    assert records(vale, "june.html", "march_2")[0]["asking"]
    assert run("build", "--check")[0] == 0


def test_a_spec_with_next_page_false_gives_a_file_without_next_page(vale, run):  # noqa: F811
    page = vale / "march.html"
    link = '<a rel="next" href="?page=2">Next</a></footer>'
    page.write_text(page.read_text("utf-8").replace("</footer>", link), "utf-8")
    assert run("induce", "march.html", "-o", "wrappers/march.py")[0] == 0
    assert leads_to(vale, "march.html") == "?page=2"
    file = vale / "wrappers" / "march.toml"
    text = file.read_text("utf-8")
    file.write_text(text.replace("[fields]", "next_page = false\n[fields]"), "utf-8")
    assert run("build")[0] == 0
    assert "def next_page" not in file.with_suffix(".py").read_text("utf-8")


def test_a_new_spec_has_a_pattern_for_the_addresses_of_its_pages(vale, run):  # noqa: F811
    url = "https://www.vale-homes.example/sale?page=1"
    code, _, err = run("induce", "march.html", "-o", "wrappers/new.py", "--url", url)
    assert code == 0, err
    spec = tomllib.loads((vale / "wrappers" / "new.toml").read_text("utf-8"))
    assert spec["urls"] == r"^https?://(www\.)?vale-homes\.example/"
    assert read_wrapper("wrappers/new.py").urls == spec["urls"]
    assert run("build", "--check")[0] == 0


TITLES = "On walls,Of mending,Slow reading,Why ships float,What moss knows".split(",")
SPEAKERS = "Ada Byron,Max Born,Emmy Noether,Kurt Otto,Lise Meitner".split(",")


def talks(head: str, item: str, order: range) -> str:
    """Write a page of talks, with {n}, {title} and {who} in each item."""
    items = "".join(item.format(n=n, title=TITLES[n], who=SPEAKERS[n]) for n in order)
    return f"<body><h1>Talks</h1>{head}{items}</body>"


def test_a_column_with_another_label_after_a_redesign_keeps_its_name(
    run,  # noqa: F811
    tmp_path,
):
    before = (
        '<li class="talk"><h3><a href="/t/{n}">{title}</a></h3>'
        '<p class="speaker">{who}</p></li>'
    )
    after = (
        '<tr class="row"><td><a class="go" href="/talk/{n}"><b>{title}</b></a></td>'
        '<td><i class="presenter">{who}</i></td></tr>'
    )
    old = talks('<ul class="talks">', before, range(5))
    new = talks('<table class="list">', after, range(4, -1, -1))
    (tmp_path / "old.html").write_text(old, "utf-8")
    (tmp_path / "new.html").write_text(new, "utf-8")
    words = ("-o", "wrappers/talks.py", "--rename", "speaker=who")
    assert run("induce", "old.html", *words)[0] == 0
    file = tmp_path / "wrappers" / "talks.toml"
    text = file.read_text("utf-8").replace('speaker"', 'speaker"  # Mine.')
    file.write_text(text, "utf-8")
    code, out, err = run("heal", "wrappers/talks.py", "new.html", "--accept")
    assert code == 0, out + err
    assert "who: has the same values as text_1 of the new page" in out
    assert "who is kept: it is the new column text_1" in err
    spec = (tmp_path / "wrappers" / "talks_2.toml").read_text("utf-8")
    assert 'who = "text_1"  # Mine.' in spec
    assert records(tmp_path, "new.html", "talks_2")[0]["who"] == SPEAKERS[4]
    assert run("build", "--check")[0] == 0


def test_options_of_induce_are_written_into_the_spec(vale, run):  # noqa: F811
    file = vale / "wrappers" / "march.toml"
    file.write_text(file.read_text("utf-8") + "# mine\n", "utf-8")
    code, _, err = run(
        *("induce", "march.html", "--rename", "price=asking", "--drop", "postcode"),
        *("--kind", "bedrooms=text", "--example", "street=Mill Lane, Wantage"),
    )
    assert code == 0, err
    text = file.read_text("utf-8")
    for line in (
        'drop = ["postcode"]',
        'asking = "price"',
        'bedrooms = {kind = "text"}',
        'street = {example = "Mill Lane, Wantage"}',
        "# mine",
    ):
        assert line in text
    first = records(vale, "march.html")[0]
    assert (first["asking"], first["bedrooms"]) == (285000, "3")
    assert first["street"] == "Mill Lane, Wantage"
    assert "postcode" not in first


def test_build_check_shows_changes_and_writes_nothing(vale, run):  # noqa: F811
    file = vale / "wrappers" / "march.toml"
    text = file.read_text("utf-8").replace("price = ", "asking = ")
    file.write_text(text, "utf-8")
    before = (vale / "wrappers" / "march.py").read_bytes()
    code, out, err = run("build", "--check")
    assert (code, err) == (1, "wrappers/march.py: would change\n")
    assert '-        "price": price,\n' in out
    assert (vale / "wrappers" / "march.py").read_bytes() == before


def test_a_build_overwrites_changes_by_hand_only_with_force(vale, run):  # noqa: F811
    path = vale / "wrappers" / "march.py"
    path.write_text(path.read_text("utf-8") + "# by hand\n", "utf-8")
    code, _, err = run("build")
    assert code == 1
    assert "march.py was changed by hand after generation" in err
    assert run("build", "--force")[0] == 0
    assert "# by hand" not in path.read_text("utf-8")


def test_a_required_column_that_is_missing_is_reported(vale, run):  # noqa: F811
    file = vale / "wrappers" / "march.toml"
    text = file.read_text("utf-8")
    text = text.replace('price = "price"', "price = { required = true }")
    file.write_text(text, "utf-8")
    assert run("build")[0] == 0
    page = (vale / "april.html").read_text("utf-8")
    at = page.index('<p class="cost">')
    end = page.index("</p>", at)
    (vale / "april.html").write_text(page[:at] + page[end + 4 :], "utf-8")
    code, out, _ = run("check", "wrappers/march.py", "april.html")
    assert code != 0
    assert "price" in out
    assert '"price": (1.0, ' in (vale / "wrappers" / "march.py").read_text("utf-8")


def test_renaming_an_unknown_column_is_an_error(vale, run):  # noqa: F811
    code, _, err = run("induce", "march.html", "--rename", "prize=asking")
    assert code == 2
    assert err.startswith(
        "amber-wrap: there is no column prize in the spec (columns: price"
    )


def test_a_build_without_a_spec_is_an_error(run):  # noqa: F811
    message = (
        "amber-wrap: there is no spec in wrappers/: amber-wrap induce writes one\n"
    )
    assert run("build") == (2, "", message)


def test_a_missing_sample_is_reported(vale, run):  # noqa: F811
    (vale / "march.html").unlink()
    message = (
        "amber-wrap: wrappers/march.toml: the sample ../march.html is "
        "missing: save it there again\n"
    )
    assert run("build") == (1, "", message)


def test_comments_stay_when_a_column_is_renamed():
    text = 'samples = ["a.html"]\n\n[fields]\nprice = "price"  # a month\n# mine\n'
    changed = with_changes(text, Changes(renamed={"price": "rent"}))
    assert changed == text.replace("price = ", "rent = ")


def test_new_columns_of_a_spec_come_last():
    text = 'samples = ["a.html"]\n\n[fields]\nb = "b"\n'
    assert with_spec_columns(text, {"a": "a", "b": "b"}) == text + 'a = "a"\n'
    names = [
        column.name
        for column in parse_spec(text, Path("x.toml")).options.decisions.columns
    ]
    assert names == ["b"]
