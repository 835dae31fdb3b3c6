"""Test the command line of `apply`: printed records, messages and exit codes."""

# ruff: noqa: F811  Tests take imported fixtures.

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

from test_cli import run  # noqa: F401

PAGES = Path(__file__).parent / "cases" / "pages"
SAMPLE = Path(__file__).parent / "golden" / "property-list" / "sample.html"


def test_apply_does_not_run_the_generated_file(run, tmp_path):
    run("induce", SAMPLE, "--domain", "real-estate")
    wrapper = tmp_path / "wrappers" / "sample.py"
    code, out, _ = run("apply", wrapper, SAMPLE, "--raw")
    assert code == 0
    assert json.loads(out.splitlines()[0])["price"].startswith("£")
    wrapper.write_text(wrapper.read_text() + "\nraise SystemExit('ran')\n")
    assert run("apply", wrapper, SAMPLE, "--raw")[1] == out


def test_apply_names_the_page_of_records_and_continues_after_a_bad_page(run, tmp_path):
    run("induce", SAMPLE, "--domain", "real-estate")
    wrapper = tmp_path / "wrappers" / "sample.py"
    code, out, err = run("apply", wrapper, PAGES / "empty.html", SAMPLE)
    assert code == 0
    assert {json.loads(line)["_page"] for line in out.splitlines()} == {str(SAMPLE)}
    assert "empty.html: the page is empty" in err


def test_apply_gives_exit_code_1_for_a_page_without_records(run, tmp_path):
    run("induce", SAMPLE, "--domain", "real-estate")
    code, out, err = run(
        "apply", tmp_path / "wrappers" / "sample.py", PAGES / "article.html"
    )
    page = PAGES / "article.html"
    assert (code, out, err) == (1, "", f"amber-wrap: {page}: no records\n")


def test_apply_reports_a_missing_page_and_reads_the_others(run, tmp_path):
    run("induce", SAMPLE, "--domain", "real-estate")
    wrapper = tmp_path / "wrappers" / "sample.py"
    code, out, err = run("apply", wrapper, "absent.html", SAMPLE)
    assert code == 2
    assert json.loads(out.splitlines()[0])["_page"] == str(SAMPLE)
    assert err == "amber-wrap: cannot read absent.html: No such file or directory\n"


def test_apply_refuses_a_file_that_was_not_generated(run, tmp_path):
    (tmp_path / "mine.py").write_text("x = 1\n")
    code, _, err = run("apply", "mine.py", SAMPLE)
    assert code == 2
    assert err.startswith("amber-wrap: ")
    assert err.count("\n") == 1


def test_an_invalid_wrapper_is_reported_with_the_line_of_its_json(run, tmp_path):
    run("induce", SAMPLE, "--domain", "real-estate")
    wrapper = tmp_path / "wrappers" / "sample.json"
    wrapper.write_text(
        re.sub(r'"root": .*', '"root": "count(//a)",', wrapper.read_text())
    )
    code, out, err = run("apply", wrapper, SAMPLE)
    assert (code, out) == (2, "")
    assert err == (
        "amber-wrap: this is not a wrapper: not a path of a wrapper: 'count(//a)' "
        "(line 32 of the .json)\n"
    )
    assert err.count("\n") == 1


def test_displayed_values_in_csv_have_the_columns_of_constants(run, tmp_path):
    run("induce", SAMPLE, "--domain", "real-estate")
    spec = tmp_path / "wrappers" / "sample.toml"
    with spec.open("a", encoding="utf-8") as file:
        file.write('broker = { constant = "Vale Homes" }\n')
    assert run("build", spec)[0] == 0
    wrapper = tmp_path / "wrappers" / "sample.py"
    table = tmp_path / "out.csv"
    assert run("apply", wrapper, SAMPLE, "--raw", "-o", table)[0] == 0
    rows = csv.DictReader(table.read_text("utf-8").splitlines())
    assert {row["broker"] for row in rows} == {"Vale Homes"}
