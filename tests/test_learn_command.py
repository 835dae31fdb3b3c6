"""Test what `amber-wrap learn` prints about pages, and the files that it writes."""

# ruff: noqa: F811  Tests take imported fixtures.

from __future__ import annotations

import json
import sys

import pytest
from learn_runs import (  # noqa: F401
    HEAD,
    PLACES,
    WROTE,
    learned,
    project,
    run,
    save,
    tree,
)

from amber_wrap.domain.learned_lists import SOURCE

WAITS = (
    "amber-wrap: 1 term waits for evidence from more sites: save more "
    "pages of each site, save pages of further sites, or use --sites 1 "
    "and review the added terms\n"
)


def test_a_dry_run_shows_all_decisions_and_writes_nothing(project, run):
    before = tree(project)
    code, out, err = run("pages")
    assert (code, err) == (
        0,
        "amber-wrap: nothing was written: use --write to change the lists\n",
    )
    assert out.splitlines() == [
        "homes: 2 pages of 2 sites, 2 rounds",
        "  sites: acme, zeta",
        "",
        "to add: 1",
        "  type      term    for  against  sites       pages                     "
        "because",
        "  location  Botley  2    0        acme, zeta  acme/1.html, zeta/1.html  "
        "a value in 2 records",
        "",
        "to reject: 0",
        "",
        "waiting: 1",
        "      1  on 1 of 2 sites needed",
    ]
    assert tree(project) == before


def test_write_applies_the_decisions_of_the_dry_run(project, run):
    _, dry_output, _ = run("pages")
    assert run("pages", "--write") == (0, dry_output, WROTE)
    assert (project / "homes" / "learned" / "location.txt").read_text() == (
        f"# source: {SOURCE} from 2 pages of 2 sites\n# licence: facts\nBotley\n"
    )
    assert sorted(path.name for path in (project / "homes" / "learned").iterdir()) == [
        ".gitignore",
        "evidence.sqlite",
        "location.txt",
    ]
    before = tree(project)
    code, out, err = run("pages", "--write")
    assert (code, err) == (0, WAITS)
    assert "to add: 0" in out
    list_files = {path: body for path, body in before.items() if path.suffix == ".txt"}
    assert {path: tree(project)[path] for path in list_files} == list_files


def test_gitignore_excludes_the_memory_unless_the_user_edits_it(project, run):
    ignore = project / "homes" / "learned" / ".gitignore"
    run("pages", "--write")
    assert ignore.read_text().splitlines()[1:] == ["evidence.sqlite*"]
    ignore.write_text("")
    run("export")
    assert ignore.read_text() == ""
    run("export", "--to", "copy")
    assert not (project / "copy" / ".gitignore").exists()


def test_learning_continues_with_the_evidence_of_earlier_runs(project, run):
    run("pages", "--write")
    save("omega/1.html", *PLACES, "Jericho")
    before = tree(project)
    code, out, _ = run("pages/omega")
    assert code == 0
    assert "  location  Jericho  2    0        omega, zeta  " in out
    assert tree(project) == before
    run("pages/omega", "--write")
    assert learned(project) == ["Botley", "Jericho"]


def test_the_json_has_all_decisions(run):
    code, out, _ = run("pages", "--json")
    report = json.loads(out)
    assert code == 0
    assert {key: report[key] for key in ("domain", "rounds", "pages", "sites")} == {
        "domain": "homes",
        "rounds": 2,
        "pages": 2,
        "sites": ["acme", "zeta"],
    }
    assert [entry["term"] for entry in report["added"]] == ["Botley"]
    assert report["added"][0]["evidence"]["pages"] == ["acme/1.html", "zeta/1.html"]
    assert [entry["term"] for entry in report["waiting"]] == ["Jericho"]
    assert (report["rejected"], report["skipped"]) == ([], [])


def test_continuous_learns_from_one_page_at_a_time(project, run):
    code, out, _ = run("pages", "--continuous", "--write")
    assert code == 0
    assert out.startswith("homes: 2 pages of 2 sites, 1 round\n")
    assert learned(project) == ["Botley"]


def test_pages_of_one_site_teach_no_term(run):
    code, out, err = run("pages", "--site", "acme.example")
    assert code == 0
    assert "to add: 0" in out
    assert "\n      2  on 1 of 2 sites needed\n" in out
    assert err == (
        "amber-wrap: all pages are from one site, 'acme.example', which is "
        "not enough: save the pages of each site in a folder of its own, "
        "or name the site with --site; use --sites 1 to learn from one "
        "site\n"
    )


def test_sites_sets_the_number_of_sites_that_must_agree(project, run):
    code, out, err = run("pages", "--sites", "3")
    waits = WAITS.replace("1 term waits", "2 terms wait")
    assert (code, err) == (0, waits.replace("--sites 1", "--sites 2"))
    assert out.splitlines()[-3:] == [
        "waiting: 2",
        "      1  on 2 of 3 sites needed",
        "      1  on 1 of 3 sites needed",
    ]
    code, out, err = run("pages", "--sites", "1", "--write")
    assert (code, err) == (0, WROTE)
    assert "waiting: 0\n" in out
    assert learned(project) == ["Botley", "Jericho"]
    # What was learned so stays where more are asked for again.
    assert run("pages", "--write")[0] == 0
    assert run("export")[0] == 0
    assert learned(project) == ["Botley", "Jericho"]


def test_one_site_is_enough_with_sites_1(project, run):
    assert run("pages", "--site", "acme", "--sites", "1", "--write")[2] == WROTE
    assert learned(project) == ["Botley", "Jericho"]


def test_forget_counts_with_the_number_of_sites_that_must_agree(project, run):
    run("pages", "--sites", "1", "--write")
    message = "homes: forget 1 page of acme; this drops {}\n"
    words = ("forget", "--site", "acme")
    assert run(*words)[1].startswith(message.format("1 term"))
    assert run(*words, "--sites", "1")[1] == message.format("0 terms")


def test_zero_sites_are_refused(run):
    code, _, err = run("pages", "--sites", "0")
    assert code == 2
    assert "--sites" in err


def test_two_copies_of_a_page_count_once(run):
    save("copy/1.html", *PLACES, "Botley")
    code, out, _ = run("pages/acme", "pages/copy")
    assert code == 0
    assert out.startswith("homes: 1 page of 1 site, ")
    assert "to add: 0" in out


def test_pages_are_read_from_files_folders_globs_and_names_on_stdin(run):
    save("zeta/2.HTM", *PLACES, "Jericho")
    save("zeta/2_files/advert.html", *PLACES, "Cowley")
    save("zeta/notes.txt", body=b"not a page")
    names = b"pages/acme/1.html\n\npages/zeta\n"
    _, expected, _ = run("pages")
    assert expected.startswith("homes: 3 pages of 2 sites, ")
    assert run("-", stdin=names)[1] == expected
    assert run("pages/*/*.[hH]*")[1] == expected
    assert run("pages/acme", "pages/zeta", "pages/zeta/1.html")[1] == expected


def test_unusable_pages_are_named_and_skipped(project, run):
    save("acme/empty.html", body=b" ")
    save("acme/essay.html", body=b"<p>No home is for sale.</p>")
    code, out, err = run("pages", "missing.html", "--write")
    assert code == 2
    assert out.startswith("homes: 2 pages of 2 sites, ")
    assert err.splitlines() == [
        "amber-wrap: cannot read missing.html: No such file or directory",
        "amber-wrap: acme/empty.html: the page is empty: save it again",
        "amber-wrap: acme/essay.html: no records",
        WROTE.rstrip(),
    ]
    assert learned(project) == ["Botley"]


def test_a_page_without_records_is_reported(run):
    save("acme/essay.html", body=b"<p>No home is for sale.</p>")
    code, _, err = run("pages/acme/essay.html")
    assert (code, err) == (1, "amber-wrap: acme/essay.html: no records\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["missing.html"], "cannot read missing.html: No such file or directory"),
        (
            ["homes"],
            "homes: no page (.html, .htm, .xhtml, .mhtml, .mht) in this folder",
        ),
        (
            ["pages", "--types", "locaton"],
            "unknown type with a gazetteer 'locaton': did you mean 'location'? (known: "
            "location)",
        ),
        (
            ["forget", "--site", "acne"],
            "nothing was learned from the site 'acne' (known: none)",
        ),
    ],
)
def test_a_mistake_in_the_call_is_reported_in_one_line(run, words, message):
    assert run(*words) == (2, "", f"amber-wrap: {message}\n")


def test_built_in_domains_are_not_changed(run):
    code, out, _ = run("pages", domain="real-estate")
    assert code == 0
    assert out.startswith("real-estate: 2 pages of 2 sites, ")
    message = (
        "amber-wrap: real-estate is built in and can't be changed: create "
        "a domain of your own with amber-wrap domain init NAME --like "
        "real-estate\n"
    )
    for words in (
        ["pages", "--write"],
        ["export"],
        ["forget", "--site", "acme", "--write"],
    ):
        assert run(*words, domain="real-estate") == (2, "", message)


def test_a_domain_without_lists_cannot_learn(run):
    assert run("pages", domain="listing") == (
        2,
        "",
        "amber-wrap: listing: no type of this domain has a gazetteer: add "
        "a gazetteer to the type that should be learned\n",
    )


def test_a_domain_must_be_named(project, run, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["amber-wrap", "learn", "pages"])
    message = (
        "amber-wrap: no domain given: name one with --domain{}, or set a "
        'default: domain = "NAME" in amber-wrap.toml\n'
    )
    assert run("pages", domain="")[2] == message.format("")
    (project / "amber-wrap.toml").write_text('domains = "."\n')
    assert run("pages", domain="")[2] == message.format(" (yours: homes)")


def test_types_names_the_types_whose_terms_are_learned(project, run):
    domain = project / "homes" / "domain.toml"
    kinds = '\n[types.kind]\nkind = "text"\ngazetteers = ["kinds"]\n'
    domain.write_text(domain.read_text() + kinds)
    (project / "homes" / "gazetteers" / "kinds.txt").write_text(HEAD + "flat\n")
    run("pages", "--write", "--types", "kind")
    assert learned(project) == []
    run("pages", "--write", "--types", "kind, location")
    assert learned(project) == ["Botley"]


def test_a_terminal_gets_a_progress_bar_on_stderr(run, monkeypatch):
    _, plain, _ = run("pages")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    code, out, err = run("pages")
    assert (code, out) == (0, plain)
    assert "100%" in err


def test_max_rounds_bounds_the_rounds(run):
    _, out, _ = run("pages", "--max-rounds", "1")
    assert out.startswith("homes: 2 pages of 2 sites, 1 round\n")


def test_a_renamed_type_keeps_its_terms_when_its_list_is_renamed(project, run):
    run("pages", "--write")
    domain = project / "homes" / "domain.toml"
    domain.write_text(domain.read_text().replace("types.location", "types.town"))
    assert "unknown type with a gazetteer 'location'" in run("pages")[2]
    folder = project / "homes" / "learned"
    (folder / "location.txt").rename(folder / "town.txt")
    assert run("pages", "--write")[0] == 0
    assert learned(project) == []
    assert learned(project, "town.txt") == ["Botley"]


def test_names_of_pages_are_printed_without_control_characters(project, run):
    save(
        "evil\x1b[2J\x9b/1\u202e.html", *PLACES, "Jericho", "x" * 99, "\x1b]0;pwned\x07"
    )
    save("long/" + "y" * 200 + ".html", *PLACES, "Jericho", "Cowley\x9b31m")
    for words in (["pages"], ["pages", "--json"]):
        code, out, err = run(*words)
        assert code == 0
        assert all(line.isprintable() for line in (out + err).splitlines())
    assert "evil\\x1b[2J\\x9b" in run("pages")[1]
    assert max(map(len, run("pages")[1].splitlines())) < 250
