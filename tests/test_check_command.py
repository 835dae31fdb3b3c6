"""Test `amber-wrap check` and `--check` of generated files: messages, exit codes."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import command_runner

from amber_wrap import cli
from amber_wrap.annotate.annotate_page import annotate, annotators
from amber_wrap.codegen.build import build_file
from amber_wrap.codegen.build import import_file as build_module
from amber_wrap.contract.induction import with_contracts
from amber_wrap.dom.decoding import decode
from amber_wrap.dom.parse import parse
from amber_wrap.domain.loader import load_domain
from amber_wrap.domain.schema import ValueKind
from amber_wrap.engine.drift_check import check_page
from amber_wrap.engine.output_rows import records_on
from amber_wrap.files import read_wrapper
from amber_wrap.maintenance.annotator_check import check_with_annotators
from amber_wrap.pipeline import compile_wrapper
from amber_wrap.settings import Source
from amber_wrap.wrapper.ir import (
    AreaRule,
    FieldReading,
    FieldRule,
    Locator,
    RecordLocator,
    Wrapper,
)
from amber_wrap.wrapper.xpath_parser import parse_path

SAMPLE = Path(__file__).parent / "golden" / "property-list" / "sample.html"
OTHER = SAMPLE.with_name("other-1.html")
HOMES = decode(SAMPLE.read_bytes())
PRICELESS = HOMES.replace("£", "~")
BLANK = "<!doctype html><title>Moved</title><h1>We have moved</h1>"


@pytest.fixture(scope="module")
def wrapper(tmp_path_factory):
    """Induce a wrapper from a page of homes, and return the generated file."""
    folder = tmp_path_factory.mktemp("check")
    path = folder / "homes.py"
    arguments = ["induce", SAMPLE, "--domain", "real-estate", "-o", path]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["amber-wrap", *map(str, arguments)])
        with pytest.raises(SystemExit) as exit_:
            cli.main()
    assert not exit_.value.code
    return path


@pytest.fixture
def run(wrapper, monkeypatch, capsys, tmp_path):
    """Return a function that checks pages: (exit code, stdout, stderr).

    A page is a path or HTML.  `generated` runs the generated file instead.
    """
    monkeypatch.chdir(tmp_path)

    def paths(pages):
        for number, page in enumerate(pages):
            path = Path(page) if isinstance(page, Path) else Path(f"{number}.html")
            if not isinstance(page, Path):
                path.write_text(page, "utf-8")
            yield str(path)

    def command(*pages, options=()):
        run = command_runner(monkeypatch, capsys)
        return run("check", wrapper, *options, *paths(pages))

    def generated(*pages):
        process = subprocess.run(
            [sys.executable, wrapper, "--check", *paths(pages)],
            capture_output=True,
            text=True,
        )
        return process.returncode, process.stdout, process.stderr

    command.generated = generated
    return command


def test_pages_of_the_template_are_ok(run):
    assert run(SAMPLE) == (0, f"{SAMPLE}: OK, 13 records\n", "")
    assert run(OTHER)[0] == 0
    assert run.generated(SAMPLE, OTHER) == (0, "", "")


def test_check_reports_failing_clauses_in_words(run):
    code, out, err = run(PRICELESS)
    first, *clauses = out.splitlines()
    assert (code, first, err) == (1, "0.html: DEGRADED, 13 records", "")
    message = (
        "  price: 0 of 13 records have a value, but at least 77% on the samples [fill]"
    )
    assert message in clauses


def test_the_check_of_a_generated_file_reports_failures(run):
    code, out, err = run.generated(SAMPLE, PRICELESS, BLANK)
    assert (code, err) == (1, "")
    assert out.splitlines() == [
        "1.html: price: 0 of 13 records have one",
        "2.html: 0 records, 1 to 52 expected",
    ]


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["check", "homes", SAMPLE], f"{SAMPLE}: OK, 13 records"),
        (["apply", "homes", SAMPLE], '"price"'),
        (["heal", "homes", SAMPLE], "homes.py needs no healing"),
        (["feed", "homes", SAMPLE], '"items"'),
        (["export", "homes", "--to", "selectorlib", "-o", "x.yml"], "wrote x.yml"),
        (["explain", "homes", SAMPLE, "--html", "seen.html"], "wrote seen.html"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_commands_take_a_wrapper_by_its_name(
    command, message, wrapper, monkeypatch, capsys, tmp_path
):
    monkeypatch.chdir(tmp_path)
    Path("wrappers").mkdir()
    for suffix in (".py", ".json", ".toml"):
        shutil.copy(wrapper.with_suffix(suffix), "wrappers")
    monkeypatch.setattr(sys, "argv", ["amber-wrap", *map(str, command)])
    with pytest.raises(SystemExit):
        cli.main()
    assert message in "".join(capsys.readouterr())


def test_the_exit_code_is_that_of_the_worst_page(run):
    code, out, _ = run(SAMPLE, BLANK, PRICELESS)
    page_lines = [line for line in out.splitlines() if not line.startswith(" ")]
    assert code == 3
    assert [line.partition(": ")[2] for line in page_lines] == [
        "OK, 13 records",
        "BROKEN, 0 records",
        "DEGRADED, 13 records",
    ]


def test_a_missing_file_gives_exit_code_2_and_other_pages_are_checked(run):
    code, out, err = run(Path("nowhere.html"), BLANK)
    assert code == 2
    assert "BROKEN" in out
    assert "nowhere.html" in err


def test_an_empty_page_gives_exit_code_3(run):
    code, out, err = run("")
    assert (code, out) == (3, "")
    assert err.startswith("amber-wrap: 0.html: ")


def test_check_prints_a_json_object_for_each_page(run):
    code, out, _ = run(SAMPLE, PRICELESS, options=["--json"])
    first, second = map(json.loads, out.splitlines())
    assert code == 1
    assert first == {
        "page": str(SAMPLE),
        "status": "OK",
        "records": 13,
        "failed": [],
        "notes": [],
    }
    assert {"clause", "area", "field", "message"} == second["failed"][0].keys()


def test_check_refuses_an_unknown_domain(run):
    code, _, err = run(SAMPLE, options=["--domain", "nowhere"])
    assert code == 2
    assert "nowhere" in err


# --- the annotators' clause ---------------------------------------------------------


ROOMS = Wrapper(
    domain="real-estate",
    samples=(),
    fields=(("bedrooms", ValueKind.COUNT), ("bathrooms", ValueKind.COUNT)),
    patterns=(),
    areas=(
        AreaRule(
            name="results",
            places=(RecordLocator("tag", parse_path("//ul"), parse_path("./li")),),
            span=1,
            least=1,
            fields=tuple(
                FieldRule(
                    name, (FieldReading("class", (Locator(parse_path(f".//{tag}")),)),)
                )
                for name, tag in (("bedrooms", "b"), ("bathrooms", "i"))
            ),
        ),
    ),
)
"""A wrapper that reads two columns by their tags."""


def rooms(first, second):
    rows = (
        f"<li><b>{n % 4 + 2} {first}</b> <i>{n % 3 + 2} {second}</i>" for n in range(14)
    )
    return parse(f"<ul>{''.join(rows)}</ul>".encode())


def test_annotators_detect_columns_that_changed_places():
    domain = load_domain("real-estate")
    sample = rooms("bedrooms", "bathrooms")
    claims = annotate(sample, domain.schema, annotators(domain))
    records = records_on(ROOMS, sample.root)
    wrapper = with_contracts(ROOMS, [sample], [records], [claims])
    assert check_with_annotators(wrapper, sample, domain)["status"] == "OK"

    swapped = rooms("bathrooms", "bedrooms")
    assert check_page(wrapper, swapped)["status"] == "OK"
    report = check_with_annotators(wrapper, swapped, domain)
    assert report["status"] == "DEGRADED"
    assert [
        (failure["clause"], failure["message"]) for failure in report["failed"]
    ] == [
        (
            "recognised",
            "0 of 14 values are recognised as bedrooms, but at least 78% on the "
            "samples; 14 are recognised as bathrooms",
        ),
        (
            "recognised",
            "0 of 14 values are recognised as bathrooms, but at least 78% on the "
            "samples; 14 are recognised as bedrooms",
        ),
    ]


REDESIGN = SAMPLE.parents[2] / "cases" / "heal" / "a-table-instead-of-a-list"
EMPTIED = SAMPLE.parents[2] / "cases" / "heal" / "no-results"


def on_new_page(case):
    """Return the reports of both checks on a case's new page."""
    source, page = (
        Source(name, (case / name).read_bytes()) for name in ("sample.html", "new.html")
    )
    domain = load_domain("real-estate")
    old_wrapper = compile_wrapper([source], [domain]).wrapper
    changed = parse(page.body)
    return check_page(old_wrapper, changed), check_with_annotators(
        old_wrapper, changed, domain
    )


def test_annotators_detect_records_that_no_expression_selects():
    without, report = on_new_page(REDESIGN)
    assert (without["status"], without["records"]) == ("BROKEN", 0)
    assert [failure["clause"] for failure in without["failed"]] == ["nothing"]
    assert (report["status"], report["records"]) == ("BROKEN", 0)
    clause = report["failed"][-1]
    assert clause["clause"] == "complete"
    assert clause["message"].startswith("no records, but price, location")
    assert not report["notes"]


def test_annotators_accept_a_page_without_results():
    without, report = on_new_page(EMPTIED)
    assert without["status"] == report["status"] == "OK"
    assert report["notes"] == ["no records, and nothing on the page looks like one"]


def test_check_notes_values_that_come_from_a_fallback(wrapper):
    rules = read_wrapper(str(wrapper))
    assert check_page(rules, parse(HOMES.encode()))["notes"] == []
    changed = HOMES.replace("<address", "<p").replace("</address", "</p")
    report = check_page(rules, parse(changed.encode()))
    assert (report["status"], report["records"]) == ("OK", 13)
    note = "location: 13 of 13 values come from a fallback: check them"
    assert note in report["notes"]


# --- losses that say nothing of themselves --------------------------------------------


def test_check_reports_a_page_that_ends_in_the_middle(run):
    middle = HOMES.index("<li", len(HOMES) // 2)
    code, out, _ = run(HOMES[:middle])
    first, second, *_ = out.splitlines()
    count = int(first.removeprefix("0.html: DEGRADED, ").removesuffix(" records"))
    assert (code, 0 < count < 13) == (1, True)
    message = f"  the page ends in the middle: {count} of about 13 records [ending]"
    assert second == message


def test_a_page_that_asks_to_log_in_is_not_a_page_without_results(run):
    box = "<p>Please sign in to continue.</p>"
    code, out, _ = run(re.sub(r'(?s)<ul class="results" id="list">.*</ul>', box, HOMES))
    assert code == 3
    assert "  no records, and the page asks to log in [nothing]" in out.splitlines()


def test_check_accepts_a_page_that_was_given_with_empty(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("homes.html").write_text(HOMES, "utf-8")
    notice = "<p>The moors are quiet today.</p>"
    empty = re.sub(r'(?s)<ul class="results" id="list">.*</ul>', notice, HOMES)
    Path("none.html").write_text(empty, "utf-8")

    def command(*arguments):
        monkeypatch.setattr(sys, "argv", ["amber-wrap", *arguments])
        with pytest.raises(SystemExit) as exit_:
            cli.main()
        return exit_.value.code or 0, capsys.readouterr()

    induce = ("induce", "homes.html", "--domain", "real-estate", "-o", "homes.py")
    assert command(*induce)[0] == 0
    code, output = command("check", "homes.py", "none.html")
    message = (
        "  no records, and the page doesn't state that there are no results [nothing]"
    )
    assert (code, output.out.splitlines()[1:]) == (3, [message])

    assert command(*induce, "--empty", "none.html")[0] == 0
    assert command("check", "homes.py", "none.html", "homes.html")[0] == 0
    assert "The moors are quiet today." in Path("homes.toml").read_text("utf-8")
    Path("none.html").unlink()
    code, output = command("build", "homes.toml", "--check")
    assert (code, output.out) == (0, "")


def test_an_empty_page_whose_texts_all_samples_have_is_refused(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    Path("homes.html").write_text(HOMES, "utf-8")
    arguments = ["induce", "homes.html", "--empty", "homes.html", "-o", "homes.py"]
    monkeypatch.setattr(sys, "argv", ["amber-wrap", *arguments])
    with pytest.raises(SystemExit) as exit_:
        cli.main()
    assert exit_.value.code
    assert (
        "--empty homes.html: the samples have all its texts, too"
        in capsys.readouterr().err
    )


def test_the_check_of_a_generated_file_detects_a_page_that_is_cut():
    whole = f"{HOMES}</body></html>".encode()
    compilation = compile_wrapper(
        [Source("sample", whole)], [load_domain("real-estate")]
    )
    file = build_module(build_file(compilation.wrapper, [whole], "test").source)
    middle = whole[: whole.index(b"<li", len(whole) // 2)]
    assert file.check(whole) == file.check(whole.decode()) == []
    for page in (middle, middle.decode("utf-8", "ignore")):
        first, *_ = file.check(page)
        assert first.startswith("the page ends in the middle, after ")
