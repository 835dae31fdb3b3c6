"""Test `amber-wrap learn` on learned terms: review, export, forget, history."""

# ruff: noqa: F811  Tests take imported fixtures.

from __future__ import annotations

from pathlib import Path

from learn_runs import (  # noqa: F401
    HEAD,
    PLACES,
    WROTE,
    learned,
    page,
    project,
    run,
    save,
    tree,
)

from amber_wrap.domain.learned_lists import SOURCE


def test_a_term_that_a_person_deleted_is_not_learned_again(project, run):
    run("pages", "--write")
    path = project / "homes" / "learned" / "location.txt"
    path.write_text(path.read_text().replace("Botley", "Jericho"))
    save("omega/1.html", *PLACES, "Botley")
    _, out, _ = run("pages", "--write")
    assert learned(project) == ["Jericho"]
    assert "\n      1  people decided otherwise in review\n" in out
    assert (
        run("history", "botley")[1]
        .splitlines()[-1]
        .startswith("deleted from learned/location.txt in review, noticed 2")
    )


def test_a_term_may_be_moved_to_a_handwritten_list(project, run):
    run("pages", "--write")
    own = project / "homes" / "gazetteers" / "places.txt"
    own.write_text(own.read_text() + "\nBotley\n")
    head = f"# source: {SOURCE}\n# licence: facts\n"
    (project / "homes" / "learned" / "location.txt").write_text(f"{head}Cowley\n")
    run("pages", "--write")
    assert learned(project) == ["Cowley"]
    assert learned(project, "location.rejected.txt") == []
    # It is still a term: without it too few places of a page are known.
    own.write_text(f"{HEAD}Botley\nOxford\nAbingdon\nWantage\n")
    assert "  location  Didcot  2 " in run("pages")[1]


def test_export_writes_lost_lists_again(project, run):
    run("pages", "--write")
    folder = project / "homes" / "learned"
    before = (folder / "location.txt").read_bytes()
    (folder / "location.txt").unlink()
    assert run("export") == (0, "", WROTE)
    assert (folder / "location.txt").read_bytes() == before
    assert run("export", "--to", "copy") == (0, "", "wrote copy/location.txt\n")
    assert (project / "copy" / "location.txt").read_bytes() == before
    (project / "copy" / "location.txt").write_text("My own.\n")
    assert run("export", "--to", "copy") == (
        2,
        "",
        "amber-wrap: copy/location.txt was not written by amber-wrap, and "
        "is not overwritten: name another folder with --to\n",
    )


def test_forget_shows_the_terms_that_only_the_site_supports(project, run):
    run("pages", "--write")
    before = tree(project)
    message = (
        "homes: forget 1 page of zeta; this drops 1 term\n"
        "  learned/location.txt          Botley\n"
    )
    assert run("forget", "--site", "zeta") == (
        0,
        message,
        "amber-wrap: nothing was changed: use --write to change the lists\n",
    )
    assert tree(project) == before
    removed = "removed homes/learned/location.txt\n"
    assert run("forget", "--site", "zeta", "--write") == (0, message, removed)
    assert not (project / "homes" / "learned" / "location.txt").exists()
    assert run("forget", "--site", "zeta")[2] == (
        "amber-wrap: nothing was learned from the site 'zeta' (known: acme)\n"
    )


def test_forget_keeps_terms_that_other_sites_support(project, run):
    save("omega/1.html", *PLACES, "Cowley", "Botley")
    run("pages", "--write")
    assert run("forget", "--site", "omega", "--write") == (
        0,
        "homes: forget 1 page of omega; this drops 0 terms\n",
        WROTE,  # Its head named three sites before.
    )
    assert learned(project) == ["Botley"]


def test_history_lists_the_evidence_of_a_term(run):
    assert run("history", "Botley") == (
        1,
        "",
        "amber-wrap: nothing was learned about 'Botley'\n",
    )
    run("pages", "--write")
    code, out, _ = run("history", "BOTLEY")
    head, *pages, listed = out.splitlines()
    assert code == 0
    assert head.split() == "learned type term for against site page".split()
    assert [line.split()[2:] for line in pages] == [
        ["location", "Botley", "1", "0", "acme", "acme/1.html"],
        ["location", "Botley", "1", "0", "zeta", "zeta/1.html"],
    ]
    assert listed.startswith("listed in learned/location.txt since 2")
    assert run("history", "jericho")[1].splitlines()[-1] == (
        "location: Jericho: wait (on 1 of 2 sites needed)"
    )


def test_a_page_may_have_the_name_of_a_subcommand(run):
    Path("export").write_bytes(page(*PLACES, "Botley"))
    assert run("./export")[1].startswith("homes: 1 page of 1 site, ")


def head(project, name="location.txt"):
    """Read the first line of a learned list."""
    return (project / "homes" / "learned" / name).read_text().splitlines()[0]


def test_heads_of_lists_count_the_pages_learned_from(project, run):
    run("pages", "--write")
    assert head(project) == f"# source: {SOURCE} from 2 pages of 2 sites"
    save("omega/1.html", *PLACES, "Cowley", "Botley")
    assert WROTE in run("pages/omega/1.html", "--write")[2]
    assert learned(project) == ["Botley"]
    assert head(project) == f"# source: {SOURCE} from 3 pages of 3 sites"
    assert "wrote" not in run("pages", "--write")[2]


def test_lists_are_written_from_the_memory_after_a_killed_run(
    project, run, monkeypatch
):
    from amber_wrap.learning import list_files, session

    run("pages", "--write")
    save("omega/1.html", *PLACES, "Cowley", "Botley", "Jericho")

    def killed(*_, **__):
        raise KeyboardInterrupt

    # This run is killed after it wrote the memory, and before it writes the lists.
    with monkeypatch.context() as patch:
        patch.setattr(list_files.atomic_write, "write_atomically", killed)
        run("pages", "--write")
    assert learned(project) == ["Botley"]
    # This one is killed as soon as it has begun.
    with monkeypatch.context() as patch:
        patch.setattr(session, "learn_from_pages", killed)
        run("pages", "--write")
    assert learned(project) == ["Botley", "Jericho"]
    assert head(project) == f"# source: {SOURCE} from 3 pages of 3 sites"


def test_the_head_of_a_list_stays_if_the_memory_is_new(project, run):
    run("pages", "--write")
    before = tree(project / "homes" / "learned")
    (project / "homes" / "learned" / "evidence.sqlite").unlink()
    save("omega/1.html", *PLACES[:1], body=page("Oxford", "Abingdon"))
    run("pages/omega/1.html", "--write")
    path = project / "homes" / "learned" / "location.txt"
    assert path.read_bytes() == before[path]
