"""Test errors that hostile pages brought to light, each by one readable case."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from amber_wrap.cli.main import app
from amber_wrap.codegen.build import import_file
from amber_wrap.columns.elements_with_texts import leaf_elements
from amber_wrap.dom.parse import parse
from amber_wrap.engine.drift_check import check_page
from amber_wrap.engine.output_rows import to_rows
from amber_wrap.errors import AmberError
from amber_wrap.files import read_stored, read_wrapper
from amber_wrap.selectors.node_tests import LINK_PART
from amber_wrap.wrapper.stored_wrapper import line_at

LAMP = '<li class="lamp"><a href="/{0}">Lamp {0}</a> <b class="price">£{0}.50</b>{1}'


def page(last: str = "", head: str = "", count: int = 8) -> str:
    """Write a page of lamps, each with `last` behind it."""
    lamps = "".join(LAMP.format(at, last) for at in range(1, count + 1))
    return f"<html><head>{head}</head><body><ul>{lamps}</ul></body></html>"


@pytest.fixture
def wrapper(tmp_path: Path) -> Path:
    """Induce the wrapper of the lamps."""
    run("induce", save(tmp_path, page()), "-o", str(tmp_path / "lamps.py"))
    return tmp_path / "lamps.py"


def save(folder: Path, text: str) -> str:
    """Save a page, and return the name of its file."""
    path = folder / "page.html"
    path.write_text(text, "utf-8")
    return str(path)


def run(*words: str) -> str:
    """Run a command, which may refuse with a message, and return its output."""
    outcome = CliRunner().invoke(app, list(words))
    if isinstance(outcome.exception, AmberError):
        return str(outcome.exception)
    assert outcome.exception is None or isinstance(outcome.exception, SystemExit)
    return outcome.output


def test_several_documents_in_one_file_are_read_as_one_tree(
    wrapper: Path, tmp_path: Path
) -> None:
    """The parser makes a root of each document; expressions reach all of them."""
    twice = f"{page()}</body></html>{page(count=3)}"
    module = import_file(wrapper.read_text("utf-8"))
    read = to_rows(read_wrapper(str(wrapper)), parse(twice.encode()))
    assert len(read) == len(module.extract(twice)) == 11
    assert "11 records" in run("induce", save(tmp_path, twice), "-o", "-")


@pytest.mark.parametrize("name", ["onclick\x01", "\x01src", "href\x02"])
def test_a_view_shows_attributes_with_control_characters(
    name: str, wrapper: Path, tmp_path: Path
) -> None:
    odd = f"<i {name}='x'>\x01</i><script>1</script>\x02 y"
    saved = save(tmp_path, page() + odd)
    view = tmp_path / "view.html"
    assert "wrote" in run("explain", str(wrapper), saved, "--html", str(view))
    assert "onclick" not in view.read_text("utf-8")


def test_a_page_with_control_characters_in_a_tag_is_checked(wrapper: Path) -> None:
    odd = page().replace("<li ", "<li\x16 ")
    check_page(read_wrapper(str(wrapper)), parse(odd.encode()))


@pytest.mark.parametrize("charset", ["idna", "quopri", "hex", "undefined"])
def test_a_page_in_a_codec_is_exported(charset: str, tmp_path: Path) -> None:
    saved = save(tmp_path, page(head=f"<meta charset={charset}>"))
    wrapper_file = str(tmp_path / "lamps.py")
    run("induce", saved, "-o", wrapper_file)
    assert "scrapy" in run("export", wrapper_file, "--to", "scrapy")


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("--rename", "no column can be called 'as'"),
        ("--example", "as is a Python keyword"),
    ],
)
def test_a_keyword_is_refused_as_the_name_of_a_column(
    option: str, message: str, tmp_path: Path
) -> None:
    word = "price=as" if option == "--rename" else "as=Lamp 1"
    saved = save(tmp_path, page())
    assert message in run("induce", saved, "-o", str(tmp_path / "x.py"), option, word)


@pytest.mark.parametrize(
    ("patterns", "message"),
    [
        ({"price": "{amount}"}, "'price' is invalid: there is no pattern 'amount'"),
        ({"price": "{price}"}, "it is nested in more than 50 others"),
        (
            {"price": "{p}", "p": "x" * 20}
            | {f"p{'a' * at}": f"{{p{'a' * (at + 1)}}}" * 2 for at in range(24)}
            | {"p": "{pa}{pa}", f"p{'a' * 24}": "x"},
            "it has more than 250,000 characters",
        ),
    ],
)
def test_patterns_that_cannot_be_composed_are_refused(
    patterns: dict[str, str], message: str, wrapper: Path
) -> None:
    stored = wrapper.with_suffix(".json")
    data = json.loads(stored.read_text("utf-8"))
    data["patterns"] = patterns
    stored.write_text(json.dumps(data), "utf-8")
    with pytest.raises(AmberError, match=message):
        read_stored(str(wrapper))


def test_unknown_names_and_long_expressions_in_a_wrapper_are_refused(
    wrapper: Path,
) -> None:
    stored = wrapper.with_suffix(".json")
    text = stored.read_text("utf-8")
    for old, new, message in (
        (
            '"price": "money"',
            '"cost": "money"',
            "area 'results': unknown field 'price'",
        ),
        ('"pattern": "price"', '"pattern": "none"', "no pattern 'none'"),
        ('"root": "//', f'"root": "{"//a" * 2000}//', "an expression has 6,"),
        ('"root": "//', f'"root": "{"/a[." * 900}//', "not a path of a wrapper"),
    ):
        assert old in text
        stored.write_text(text.replace(old, new, 1), "utf-8")
        with pytest.raises(AmberError, match=message):
            read_stored(str(wrapper))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"span": 1', '"span": "one"'),
        ('"price": "money"', '"price": "coin"'),
        ('"source": "text"', '"source": 3'),
        ('"root": "//', '"root": "[[['),
        ('"xpath": "./', '"xpath": "[[['),
        ('"convert": "number"', '"convert": 3'),
        ('"price": "', '"price": "('),
        ('"price": "', '"price": "(?:x+)+'),
    ],
)
def test_an_error_in_a_foreign_wrapper_is_reported_with_its_line(
    old: str, new: str, wrapper: Path
) -> None:
    stored = wrapper.with_suffix(".json")
    text = stored.read_text("utf-8")
    assert old in text
    start = text.rindex(old) if "(" in new else text.index(old)
    stored.write_text(text[:start] + new + text[start + len(old) :], "utf-8")
    with pytest.raises(AmberError, match=r"\(line \d+ of the \.json\)$") as caught:
        read_stored(str(wrapper))
    line_number = re.search(r"line (\d+)", str(caught.value))
    line = text.count("\n", 0, start) + 1
    # In an expression it is that of what holds it.
    assert line_number
    assert int(line_number[1]) in (
        {line} if "[[[" not in new else {line, line - 1, line - 2}
    )


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("areas", 0, "least"), 0),
        (("areas", 0, "witness"), "//a[[["),
        (("areas", 0, "places", "class", "root"), "//a" * 2000),
        (("areas", 0, "places", "class", "record"), "[[["),
        (("areas", 0, "followed"), {"price": ["none"]}),
        (("areas", 0, "fields", "price", "class", 0, "pattern"), "none"),
        (("areas", 0, "fields", "price", "class", 0, "row"), 7),
        (("areas", 0, "fields", "price", "class", 0, "xpath"), "[[["),
        (("areas", 0, "fields", "price"), {}),
        (("frame",), ["[[["]),
        (("next_page",), "//a[[["),
        (("patterns", "number"), "(?:x+)+"),
        (("program", "lists", 0, "columns", 0, "reads", 0, "pattern"), "(?:x+)+"),
        (("program", "lists", 0, "columns", 0, "reads", 0, "pattern"), "x" * 300_000),
        (("program", "lists", 0, "columns", 0, "reads", 0, "xpath"), "[[["),
        (("program", "lists", 0, "columns", 0, "calendar", "forms"), ["("]),
        (("program", "lists", 0, "records", 0), "//li["),
        (("program", "expected", "price", 1), "(?:x|x)*y"),
        (("program", "next_page"), "//a["),
        (("program", "lists", 0, "columns", 0, "convert"), "os.system"),
        (("program", "text"), "../../README"),
        (("program", "lists", 0, "columns", 0, "name"), "class"),
        (("program", "keys", 0), "absent"),
        (("areas", 0, "fields", "price"), {"": []}),
        (("areas", 0, "places"), {",": {}}),
    ],
    ids=lambda one: "-".join(map(str, one)) if isinstance(one, tuple) else "",
)
def test_a_contradiction_in_a_foreign_wrapper_is_reported_with_its_line(
    path: tuple[str | int, ...], value: object, wrapper: Path
) -> None:
    stored = wrapper.with_suffix(".json")
    data = json.loads(stored.read_text("utf-8"))
    around = data
    for step in path[:-1]:
        around = around[step]
    around[path[-1]] = value
    text = json.dumps(data, indent=1)
    stored.write_text(text, "utf-8")
    with pytest.raises(AmberError, match=r"\(line \d+ of the \.json\)$") as caught:
        read_stored(str(wrapper))
    line = int(str(caught.value).rpartition("(line ")[2].split()[0])
    # A dictionary or list begins where its first wrong part may stand.
    within = json.dumps(value, indent=1).count("\n")
    first = line_at(text, path)
    assert first <= line <= first + within


@pytest.mark.parametrize("expression", ["[[", "1 + 1", ".//x:li", ".//li["])
def test_an_invalid_pinned_expression_is_refused(
    expression: str, wrapper: Path
) -> None:
    stored = wrapper.with_suffix(".json")
    data = json.loads(stored.read_text("utf-8"))
    (area,) = data["areas"]
    area["places"] = {"pinned": {"root": "/html", "record": expression}}
    area.pop("followed", None)
    stored.write_text(json.dumps(data), "utf-8")
    with pytest.raises(AmberError, match="this is not a wrapper"):
        read_stored(str(wrapper))


def test_an_agreement_beyond_all_values_is_checked_without_an_error(
    wrapper: Path,
) -> None:
    stored = wrapper.with_suffix(".json")
    data = json.loads(stored.read_text("utf-8"))
    agreement = data["contract"]["results"]["agreement"]
    agreement |= dict.fromkeys(data["fields"], 9.0)
    stored.write_text(json.dumps(data), "utf-8")
    check_page(read_wrapper(str(wrapper)), parse(page().encode()))


@pytest.mark.parametrize(
    ("last", "around"),
    [
        (f'<i class="{"St.0p/w|" * 900}">{{0}}</i>', ""),
        ("", "<blockquote>" * 450),
    ],
)
def test_induced_expressions_are_no_longer_than_wrappers_may_hold(
    last: str, around: str, tmp_path: Path
) -> None:
    item = f"<i><a href=/{{0}}>Lamp {{0}}</a> £{{0}}.50 {last}</i>"
    lamps = "".join(map(item.format, range(1, 9)))
    saved, wrapper_file = (
        save(tmp_path, f"{around}<i>{lamps}</i>"),
        str(tmp_path / "lamps.py"),
    )
    output = run("induce", saved, "-o", wrapper_file, "--domain", "products")
    assert "area results: 8 records" in output
    read_stored(wrapper_file)


def test_the_leaf_of_a_deep_record_is_found() -> None:
    deep = parse(f"<p>{'<x>' * 1500}a lamp".encode())
    (leaf,) = leaf_elements(deep, 0)
    assert deep.string(leaf) == "a lamp"


def test_the_number_of_parts_of_a_long_link_is_bounded() -> None:
    """If a part could be of any length, this test would take minutes."""
    target = "x" * 200_000
    assert LINK_PART.findall(f"/item/{target}") == ["/item/"]
    assert len(LINK_PART.findall(f"/item/{target}?page=2")) == 200
