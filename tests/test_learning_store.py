"""What learning keeps: nothing lost, nothing twice, and people have the last word."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import time
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from learners import (
    DOMAIN,
    NOON,
    fork,
    learn,
    lesson,
    nth_lesson,
    observed,
    write_lists,
)

from amber_wrap.domain.domain_toml import find_domain
from amber_wrap.domain.learned_lists import LEARNED_FOLDER, Lists, read_lists
from amber_wrap.errors import DomainError, FileError, LearningError
from amber_wrap.learning import database, provenance
from amber_wrap.learning.list_files import check_writable, copy_lists, review_line
from amber_wrap.learning.store import open_store, store_snapshot
from amber_wrap.learning.term_evidence import gather

FIRST = lesson("acme", "1", observed("Headington", 4), observed("Offers", 1, 3))
SECOND = lesson("zeta", "1", observed("Headington", 2), observed("Botley", 5))


@pytest.fixture
def folder(tmp_path):
    """A domain folder."""
    path = tmp_path / "homes"
    path.mkdir()
    return path


@pytest.fixture
def store(folder):
    with open_store(folder / LEARNED_FOLDER) as opened:
        yield opened


def terms(folder):
    return read_lists(folder, DOMAIN.schema).terms.get("location", ())


def rejected(folder):
    return read_lists(folder, DOMAIN.schema).rejected.get("location", ())


def content(folder):
    return {
        path.name: path.read_bytes() for path in (folder / LEARNED_FOLDER).iterdir()
    }


def test_lessons_come_back_as_they_were(store):
    empty = lesson("acme", "2")
    for one in (FIRST, SECOND, empty):
        store.record(one, NOON)
    assert set(store.lessons()) == {FIRST, SECOND, empty}


def test_a_page_that_is_learned_again_counts_once(store):
    store.record(FIRST, NOON)
    store.record(FIRST, NOON)
    assert store.lessons() == (FIRST,)
    elsewhere = replace(FIRST, site="copy", observations=(observed("Headington", 1),))
    store.record(elsewhere, NOON)
    assert store.lessons() == (elsewhere,)
    [evidence] = gather(store.lessons())
    assert (evidence.supporting, evidence.sites) == (1, ("copy",))


def test_a_lesson_is_kept_whole_or_not_at_all(store):
    store.record(FIRST, NOON)
    broken = replace(FIRST, observations=(observed("Botley"), observed("Cowley", -1)))
    with pytest.raises(LearningError, match="CHECK constraint failed"):
        store.record(broken, NOON)
    assert store.lessons() == (FIRST,)


@pytest.mark.parametrize(
    "term",
    [
        "",
        "\x1b[2J",
        "Ox\nford",
        "a\u202eb",
        "Ox\xa0ford",
        "\x9b1m",
        " Oxford",
        "a  b",
        "#",
    ],
)
def test_a_term_that_no_list_could_hold_is_refused(store, term):
    with pytest.raises(LearningError, match="can't be stored") as error:
        store.record(lesson("acme", "1", observed(term)), NOON)
    assert str(error.value).isprintable()
    assert store.lessons() == ()


@pytest.mark.parametrize(
    "wrong", [{"site": "a\x1b[1m"}, {"page": "a\nb.html"}, {"sha256": "ab"}]
)
def test_names_that_no_terminal_should_see_are_refused(store, wrong):
    with pytest.raises(LearningError):
        store.record(replace(FIRST, **wrong), NOON)


def test_a_newer_memory_is_left_alone(folder):
    with open_store(folder / LEARNED_FOLDER):
        pass
    connection = sqlite3.connect(folder / LEARNED_FOLDER / database.DATABASE_FILE)
    connection.execute("PRAGMA user_version = 2")
    connection.close()
    before = content(folder)
    for opening in (open_store, store_snapshot):
        with pytest.raises(LearningError) as error, opening(folder / LEARNED_FOLDER):
            pass
        assert str(error.value) == (
            "homes/learned/evidence.sqlite: a newer version of amber-wrap "
            "wrote this (format 2; this version reads 1): upgrade amber-wrap"
        )
    assert content(folder) == before


def test_a_database_of_another_program_is_left_alone(folder):
    (folder / LEARNED_FOLDER).mkdir()
    connection = sqlite3.connect(folder / LEARNED_FOLDER / database.DATABASE_FILE)
    connection.execute("CREATE TABLE bookmarks (url)")
    connection.close()
    before = content(folder)
    for opening in (open_store, store_snapshot):
        with pytest.raises(LearningError) as error, opening(folder / LEARNED_FOLDER):
            pass
        assert str(error.value) == (
            "homes/learned/evidence.sqlite: this is the database of another "
            "program: move it away"
        )
    assert content(folder) == before


@pytest.mark.parametrize(
    "damage",
    [
        lambda body: b"These are no pages of a database.\n" * 100,
        lambda body: body[: len(body) // 2],
        lambda body: body[:4096] + b"\xff" * 4096 + body[8192:],
    ],
    ids=["another format", "cut off", "overwritten"],
)
def test_a_damaged_memory_is_named(folder, damage):
    with open_store(folder / LEARNED_FOLDER) as store:
        store.record(FIRST, NOON)
    path = folder / LEARNED_FOLDER / database.DATABASE_FILE
    path.write_bytes(damage(path.read_bytes()))
    before = content(folder)
    for opening in (open_store, store_snapshot):
        with pytest.raises(LearningError) as error, opening(folder / LEARNED_FOLDER):
            pass
        assert str(error.value) == (
            "homes/learned/evidence.sqlite: not an SQLite file, or a damaged "
            "one: restore it, or delete it and learn from the pages again"
        )
    assert content(folder) == before


def test_a_memory_that_cannot_be_made_is_named(folder):
    (folder / LEARNED_FOLDER).write_text("")
    with pytest.raises(LearningError, match=r"homes/learned/evidence.sqlite: can't"):
        open_store(folder / LEARNED_FOLDER).__enter__()


def test_a_memory_that_may_not_be_written_is_named(folder):
    read_only = sqlite3.connect(":memory:")
    read_only.execute("PRAGMA query_only = 1")
    path = folder / LEARNED_FOLDER / database.DATABASE_FILE
    with pytest.raises(LearningError) as error, database.failures(path):
        read_only.execute("CREATE TABLE pages (name)")
    assert str(error.value) == (
        "homes/learned/evidence.sqlite: can't be written: make the file "
        "and its folder writable, or copy the domain to a writable folder"
    )


def test_another_learner_is_waited_for_but_not_for_ever(folder, store, monkeypatch):
    monkeypatch.setattr(database, "PATIENCE", 0.05)
    with (
        open_store(folder / LEARNED_FOLDER) as other,
        store.transaction(),
        pytest.raises(LearningError, match="another process has been writing"),
    ):
        other.record(FIRST, NOON)
    assert store.lessons() == ()


def test_a_snapshot_changes_nothing(folder):
    with store_snapshot(folder / LEARNED_FOLDER) as nothing:
        assert nothing.lessons() == ()
    assert not (folder / LEARNED_FOLDER).exists()
    with open_store(folder / LEARNED_FOLDER) as store:
        store.record(FIRST, NOON)
        with store_snapshot(folder / LEARNED_FOLDER) as busy:
            assert busy.lessons() == (FIRST,)
    before = content(folder)
    assert list(before) == [database.DATABASE_FILE]
    with store_snapshot(folder / LEARNED_FOLDER) as copy:
        copy.record(SECOND, NOON)
        assert len(copy.lessons()) == 2
    assert content(folder) == before


def test_lists_are_text_for_people(folder, store):
    for one in (FIRST, SECOND):
        store.record(one, NOON)
    write_lists(store, folder)
    assert (folder / LEARNED_FOLDER / "location.txt").read_text() == (
        "# source: learned by amber-wrap from 2 pages of 2 sites\n"
        "# licence: facts\n"
        "Headington\n"
    )
    assert rejected(folder) == ()


def test_a_list_that_stays_as_it_is_is_not_written_again(folder, store):
    for one in (FIRST, SECOND):
        store.record(one, NOON)
    write_lists(store, folder)
    before = (folder / LEARNED_FOLDER / "location.txt").stat()
    store.record(lesson("omega", "1", observed("Cowley")), NOON)
    write_lists(store, folder)
    assert (folder / LEARNED_FOLDER / "location.txt").stat() == before
    store.record(lesson("omega", "2", observed("Headington")), NOON)
    write_lists(store, folder)  # Its head tells of another page.
    assert (
        (folder / LEARNED_FOLDER / "location.txt")
        .read_text()
        .startswith("# source: learned by amber-wrap from 3 pages of 3 sites\n")
    )


def test_terms_of_the_domain_can_be_rejected(folder, store):
    for site in ("acme", "zeta"):
        store.record(lesson(site, "1", observed("Oxford", 0, 99)), NOON)
    write_lists(store, folder)
    assert (terms(folder), rejected(folder)) == ((), ("Oxford",))


def change(folder, name, old, new):
    """What a person does to a list in review."""
    path = folder / LEARNED_FOLDER / name
    path.write_text(path.read_text().replace(old, new))


@pytest.fixture
def reviewed(folder, store):
    """A domain that learned two places, one of which was never wanted."""
    for site in ("acme", "zeta"):
        places = (observed("Headington"), observed("Viewings"))
        store.record(lesson(site, "1", *places), NOON)
    write_lists(store, folder)
    assert terms(folder) == ("Headington", "Viewings")
    return store


def test_what_people_delete_is_not_learned_again(folder, reviewed):
    change(folder, "location.txt", "Viewings\n", "")
    for site in ("omega", "sigma"):
        places = (observed("VIEWINGS", 40), observed("Viewings", 40))
        reviewed.record(lesson(site, "1", *places), NOON)
        write_lists(reviewed, folder)
    assert terms(folder) == ("Headington",)


def test_what_people_add_is_not_rejected(folder, reviewed):
    change(folder, "location.txt", "Viewings\n", "Jericho\n")
    for site in ("omega", "sigma"):
        places = (observed("Jericho", 0, 9), observed("Headington", 0, 9))
        reviewed.record(lesson(site, "1", *places), NOON)
    write_lists(reviewed, folder)
    assert (terms(folder), rejected(folder)) == (("Jericho",), ("Headington",))


def test_what_people_no_longer_reject_is_not_rejected_again(folder, store):
    for site in ("acme", "zeta"):
        places = (observed("Oxford", 0, 99), observed("Reading", 0, 99))
        store.record(lesson(site, "1", *places), NOON)
    (folder / LEARNED_FOLDER / "location.txt").write_text(
        "# source: people\n# licence: facts\nJericho\n"
    )
    (folder / LEARNED_FOLDER / "location.rejected.txt").write_text(
        "# source: people\n# licence: facts\nOxford\n"
    )
    write_lists(store, folder)
    (folder / LEARNED_FOLDER / "location.rejected.txt").write_text(
        "# source: people\n# licence: facts\nFor sale\n"
    )
    write_lists(store, folder)
    assert (terms(folder), rejected(folder)) == (("Jericho",), ("For sale",))


def test_people_may_change_their_minds(folder, reviewed):
    change(folder, "location.txt", "Viewings\n", "")
    write_lists(reviewed, folder)
    change(folder, "location.txt", "Headington\n", "Headington\nViewings\n")
    for site in ("omega", "sigma"):
        reviewed.record(lesson(site, "1", observed("Viewings", 0, 9)), NOON)
    write_lists(reviewed, folder)
    assert terms(folder) == ("Headington", "Viewings")
    assert [(one.entry[2], one.kept) for one in reviewed.reviews()] == [
        ("Viewings", True)
    ]


def test_a_lost_list_is_written_again(folder, reviewed):
    (folder / LEARNED_FOLDER / "location.txt").unlink()
    write_lists(reviewed, folder)
    assert terms(folder) == ("Headington", "Viewings")
    assert reviewed.reviews() == ()


def test_a_new_memory_takes_the_lists_for_learned_ones(folder):
    (folder / LEARNED_FOLDER).mkdir()
    (folder / LEARNED_FOLDER / "location.txt").write_text(
        "# source: learned by amber-wrap from 2 pages of 2 sites\n# licence: facts\n"
        "Headington\nViewings\n"
    )
    with open_store(folder / LEARNED_FOLDER) as store:
        write_lists(store, folder)
        for site in ("acme", "zeta"):
            store.record(lesson(site, "1", observed("Viewings", 0, 4)), NOON)
        write_lists(store, folder)
    assert (terms(folder), rejected(folder)) == (("Headington",), ("Viewings",))


def test_a_list_that_is_wrong_is_named_with_its_line(folder, reviewed):
    change(folder, "location.txt", "Viewings", "Head\tington")
    with pytest.raises(DomainError, match=r"^homes/learned/location.txt:4: "):
        write_lists(reviewed, folder)


def test_a_term_has_one_spelling(folder, store):
    for site in ("acme", "zeta"):
        places = (observed("McDonald", 1), observed("Mcdonald", 1))
        store.record(lesson(site, "1", *places), NOON)
    write_lists(store, folder)
    assert terms(folder) == ("McDonald",)


def test_forgetting_a_site_lets_fall_what_stood_by_it(folder, reviewed):
    places = (observed("Headington"), observed("Botley"))
    for site in ("omega", "zeta"):
        reviewed.record(lesson(site, "2", *places), NOON)
    change(folder, "location.txt", "Viewings\n", "Viewings\nJericho\n")
    write_lists(reviewed, folder)
    assert terms(folder) == ("Botley", "Headington", "Jericho", "Viewings")
    with reviewed.transaction():
        gone = provenance.forget_site("zeta", DOMAIN, folder, reviewed, NOON)
    write_lists(reviewed, folder)
    assert gone.pages == ("zeta/1.html", "zeta/2.html")
    assert [term for *_, term in gone.dropped] == ["Botley", "Viewings"]
    assert terms(folder) == ("Headington", "Jericho")


def test_forgetting_ends_the_ban_on_terms_that_nobody_shows_any_more(folder, reviewed):
    change(folder, "location.txt", "Viewings\n", "")
    write_lists(reviewed, folder)
    for site in ("acme", "zeta"):
        with reviewed.transaction():
            provenance.forget_site(site, DOMAIN, folder, reviewed, NOON)
    for site in ("omega", "sigma"):
        reviewed.record(lesson(site, "1", observed("Viewings")), NOON)
    write_lists(reviewed, folder)
    assert terms(folder) == ("Viewings",)


def test_an_unknown_site_is_a_mistake(folder, reviewed):
    with pytest.raises(LearningError) as error, reviewed.transaction():
        provenance.forget_site("zetta", DOMAIN, folder, reviewed, NOON)
    assert str(error.value) == (
        "nothing was learned from the site 'zetta': did you mean 'zeta'? "
        "(known: acme, zeta)"
    )


def test_the_history_of_a_term(folder, reviewed):
    later = NOON + timedelta(days=1)
    reviewed.record(lesson("omega", "7", observed("VIEWINGS", 1, 2)), later)
    change(folder, "location.txt", "Viewings\n", "")
    with reviewed.transaction():
        told = provenance.term_history("viewings", DOMAIN, folder, reviewed, later)
    assert [
        (one.time[:10], one.site, one.observation.supporting, one.observation.opposing)
        for one in told.sightings
    ] == [
        ("2024-05-17", "acme", 1, 0),
        ("2024-05-17", "zeta", 1, 0),
        ("2024-05-18", "omega", 1, 2),
    ]
    assert told.listings == ()
    assert [(one.entry, one.kept) for one in told.reviews] == [
        (("location", "terms", "Viewings"), False)
    ]


def test_lists_are_copied_but_not_over_others(tmp_path):
    lists = Lists({"location": ("Botley",)}, {"location": ("Oxford",)})
    copy_lists(tmp_path / "new", lists, ())
    copy_lists(tmp_path / "new", lists, ())
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == [
        "location.rejected.txt",
        "location.txt",
    ]
    (tmp_path / "location.txt").write_text("A list of my own.\n")
    with pytest.raises(FileError, match="was not written by amber-wrap, and is not"):
        copy_lists(tmp_path, lists, ())
    assert (tmp_path / "location.txt").read_text() == "A list of my own.\n"


def test_built_in_domains_stay_as_they_are():
    with pytest.raises(LearningError) as error:
        check_writable(find_domain("real-estate"))
    assert str(error.value) == (
        "real-estate is built in and can't be changed: create a domain of "
        "your own with amber-wrap domain init NAME --like real-estate"
    )


needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")


@needs_fork
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_no_kill_loses_a_lesson(folder, seed):
    """Ten times twenty kills, each at a random point of a learner's work."""
    chance = random.Random(seed)
    acknowledged = 0
    for _ in range(20):
        reading, writing = os.pipe()
        numbers = range(acknowledged + 1, acknowledged + 1000)
        child = fork(
            lambda to=writing, numbers=numbers: learn(
                folder, seed, numbers, lambda number: os.write(to, b"%d\n" % number)
            )
        )
        os.close(writing)
        with os.fdopen(reading, "rb") as pipe:
            heard = [pipe.readline() for _ in range(chance.randrange(4))]
            time.sleep(chance.uniform(0, 0.015))
            os.kill(child, signal.SIGKILL)
            assert os.waitpid(child, 0)[1] == signal.SIGKILL
            heard += pipe.readlines()
        acknowledged += len(heard)
        with open_store(folder / LEARNED_FOLDER) as store:
            kept = {one.page: one for one in store.lessons()}
        numbers = [int(Path(page).stem) for page in kept]
        assert set(range(1, acknowledged + 1)) <= set(numbers)
        assert list(kept.values()) == [
            nth_lesson(seed, int(Path(page).stem)) for page in kept
        ]
        read_lists(folder, DOMAIN.schema)
    assert acknowledged
    with open_store(folder / LEARNED_FOLDER) as store:
        write_lists(store, folder)
        assert store.reviews() == ()
        expected = {one.term for one in gather(store.lessons()) if len(one.sites) >= 2}
    assert set(terms(folder)) == expected
    # What a killed writer left of a list is gone, too.
    left = {path.suffix or path.name for path in (folder / LEARNED_FOLDER).iterdir()}
    assert left == {".gitignore", ".sqlite", ".txt"}


@needs_fork
def test_eight_learners_lose_nothing(folder):
    """Eight at once, a hundred terms each."""
    lessons = range(1, 21)
    children = [
        fork(lambda one=learner: learn(folder, one, lessons, lambda _: None))
        for learner in range(8)
    ]
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * 8
    with open_store(folder / LEARNED_FOLDER) as store:
        assert len(store.lessons()) == 160
        write_lists(store, folder)
        assert store.reviews() == ()
    assert set(terms(folder)) == {
        f"Learner {learner} town {number} {letter}"
        for learner in range(8)
        for number in lessons[:-1]
        for letter in "abcde"
    }


def test_a_line_that_a_person_writes_or_takes_out_stays_so(folder):
    path = review_line(folder, DOMAIN.schema, ("location", "terms", "Botley"), True)
    assert path == folder / LEARNED_FOLDER / "location.txt"
    assert path.read_text().startswith("# source: learned by amber-wrap, as people")
    review_line(folder, DOMAIN.schema, ("location", "rejected", "Botley"), True)
    found = read_lists(folder, DOMAIN.schema)
    assert found == Lists({"location": ()}, {"location": ("Botley",)})
    with open_store(folder / LEARNED_FOLDER) as store:
        for one in (FIRST, SECOND):
            store.record(one, NOON)
        write_lists(store, folder)
    found = read_lists(folder, DOMAIN.schema)
    assert found.rejected == {"location": ("Botley",)}
    assert "Botley" not in found.terms["location"]
    review_line(folder, DOMAIN.schema, ("location", "rejected", "Botley"), False)
    assert read_lists(folder, DOMAIN.schema).rejected == {"location": ()}


@pytest.mark.parametrize(
    "entry", [("price", "terms", "5"), ("location", "terms", "#x")]
)
def test_what_no_list_can_have_is_refused(folder, entry):
    with pytest.raises(LearningError, match="can't be listed as a"):
        review_line(folder, DOMAIN.schema, entry, True)
    assert not (folder / LEARNED_FOLDER).exists()
