"""The command line of `apply`: what it prints, and its exit codes."""

# ruff: noqa: F811  Tests take imported fixtures.

from __future__ import annotations

import json
import re
from pathlib import Path

from test_cli import run  # noqa: F401

PAGES = Path(__file__).parent / "cases" / "pages"
SAMPLE = Path(__file__).parent / "golden" / "property-list" / "sample.html"


def test_apply_does_what_the_generated_file_does_without_running_it(run, tmp_path):
    run("induce", SAMPLE, "--domain", "real-estate")
    wrapper = tmp_path / "wrappers" / "sample.py"
    code, out, _ = run("apply", wrapper, SAMPLE, "--raw")
    assert code == 0
    assert json.loads(out.splitlines()[0])["price"].startswith("£")
    wrapper.write_text(wrapper.read_text() + "\nraise SystemExit('ran')\n")
    assert run("apply", wrapper, SAMPLE, "--raw")[1] == out


def test_apply_to_several_pages_names_them_and_survives_a_bad_one(run, tmp_path):
    run("induce", SAMPLE, "--domain", "real-estate")
    wrapper = tmp_path / "wrappers" / "sample.py"
    code, out, err = run("apply", wrapper, PAGES / "empty.html", SAMPLE)
    assert code == 0
    assert {json.loads(line)["_page"] for line in out.splitlines()} == {str(SAMPLE)}
    assert "empty.html: the page is empty" in err


def test_apply_without_records_is_1(run, tmp_path):
    run("induce", SAMPLE, "--domain", "real-estate")
    code, out, err = run(
        "apply", tmp_path / "wrappers" / "sample.py", PAGES / "article.html"
    )
    page = PAGES / "article.html"
    assert (code, out, err) == (1, "", f"amber-wrap: {page}: no records\n")


def test_apply_goes_on_behind_a_missing_page_but_says_so(run, tmp_path):
    run("induce", SAMPLE, "--domain", "real-estate")
    wrapper = tmp_path / "wrappers" / "sample.py"
    code, out, err = run("apply", wrapper, "absent.html", SAMPLE)
    assert code == 2
    assert json.loads(out.splitlines()[0])["_page"] == str(SAMPLE)
    assert err == "amber-wrap: cannot read absent.html: No such file or directory\n"


def test_apply_takes_generated_files_only(run, tmp_path):
    (tmp_path / "mine.py").write_text("x = 1\n")
    code, _, err = run("apply", "mine.py", SAMPLE)
    assert code == 2
    assert err.startswith("amber-wrap: ")
    assert err.count("\n") == 1


def test_a_wrapper_that_was_spoilt_by_hand_is_a_mistake_in_the_call(run, tmp_path):
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
