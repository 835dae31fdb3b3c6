"""Test what the memory of learning stores, forgets and refuses, also after kills."""

# ruff: noqa: F811  Tests take imported fixtures.

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
from learning_folder import (  # noqa: F401
    FIRST,
    SECOND,
    change,
    folder,
    reviewed,
    store,
    terms,
)

from amber_wrap.domain.learned_lists import LEARNED_FOLDER, read_lists
from amber_wrap.errors import LearningError
from amber_wrap.learning import database
from amber_wrap.learning.forgotten_sites import forget_site
from amber_wrap.learning.store import open_store, store_snapshot
from amber_wrap.learning.term_evidence import gather_evidence
from amber_wrap.learning.term_history import term_history


def content(folder):
    return {
        path.name: path.read_bytes() for path in (folder / LEARNED_FOLDER).iterdir()
    }


def test_recorded_lessons_are_returned_unchanged(store):
    empty = lesson("acme", "2")
    for recorded in (FIRST, SECOND, empty):
        store.record(recorded, NOON)
    assert set(store.lessons()) == {FIRST, SECOND, empty}


def test_a_page_that_is_learned_again_counts_once(store):
    store.record(FIRST, NOON)
    store.record(FIRST, NOON)
    assert store.lessons() == (FIRST,)
    elsewhere = replace(FIRST, site="copy", observations=(observed("Headington", 1),))
    store.record(elsewhere, NOON)
    assert store.lessons() == (elsewhere,)
    [evidence] = gather_evidence(store.lessons())
    assert (evidence.supporting, evidence.sites) == (1, ("copy",))


def test_an_invalid_lesson_is_not_stored_in_part(store):
    store.record(FIRST, NOON)
    invalid = replace(FIRST, observations=(observed("Botley"), observed("Cowley", -1)))
    with pytest.raises(LearningError, match="CHECK constraint failed"):
        store.record(invalid, NOON)
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
def test_names_with_control_characters_and_short_hashes_are_refused(store, wrong):
    with pytest.raises(LearningError):
        store.record(replace(FIRST, **wrong), NOON)


def test_a_memory_of_a_newer_version_is_reported_and_not_changed(folder):
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


def test_a_database_of_another_program_is_reported_and_not_changed(folder):
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
def test_a_damaged_memory_is_reported_and_not_changed(folder, damage):
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


def test_a_memory_that_cannot_be_created_is_reported(folder):
    (folder / LEARNED_FOLDER).write_text("")
    with pytest.raises(LearningError, match=r"homes/learned/evidence.sqlite: can't"):
        open_store(folder / LEARNED_FOLDER).__enter__()


def test_a_memory_that_cannot_be_written_is_reported(folder):
    read_only = sqlite3.connect(":memory:")
    read_only.execute("PRAGMA query_only = 1")
    path = folder / LEARNED_FOLDER / database.DATABASE_FILE
    with pytest.raises(LearningError) as error, database.learning_errors(path):
        read_only.execute("CREATE TABLE pages (name)")
    assert str(error.value) == (
        "homes/learned/evidence.sqlite: can't be written: make the file "
        "and its folder writable, or copy the domain to a writable folder"
    )


def test_waiting_for_another_learner_ends_with_an_error(folder, store, monkeypatch):
    monkeypatch.setattr(database, "PATIENCE", 0.05)
    with (
        open_store(folder / LEARNED_FOLDER) as other,
        store.transaction(),
        pytest.raises(LearningError, match="another process has been writing"),
    ):
        other.record(FIRST, NOON)
    assert store.lessons() == ()


def test_a_snapshot_changes_no_file(folder):
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


def test_forgetting_a_site_drops_terms_that_lack_support_without_the_site(
    folder, reviewed
):
    places = (observed("Headington"), observed("Botley"))
    for site in ("omega", "zeta"):
        reviewed.record(lesson(site, "2", *places), NOON)
    change(folder, "location.txt", "Viewings\n", "Viewings\nJericho\n")
    write_lists(reviewed, folder)
    assert terms(folder) == ("Botley", "Headington", "Jericho", "Viewings")
    with reviewed.transaction():
        gone = forget_site("zeta", DOMAIN, folder, reviewed, NOON)
    write_lists(reviewed, folder)
    assert gone.pages == ("zeta/1.html", "zeta/2.html")
    assert [term for *_, term in gone.dropped] == ["Botley", "Viewings"]
    assert terms(folder) == ("Headington", "Jericho")


def test_a_deleted_term_may_be_learned_again_after_its_sites_are_forgotten(
    folder, reviewed
):
    change(folder, "location.txt", "Viewings\n", "")
    write_lists(reviewed, folder)
    for site in ("acme", "zeta"):
        with reviewed.transaction():
            forget_site(site, DOMAIN, folder, reviewed, NOON)
    for site in ("omega", "sigma"):
        reviewed.record(lesson(site, "1", observed("Viewings")), NOON)
    write_lists(reviewed, folder)
    assert terms(folder) == ("Viewings",)


def test_forgetting_an_unknown_site_is_an_error(folder, reviewed):
    with pytest.raises(LearningError) as error, reviewed.transaction():
        forget_site("zetta", DOMAIN, folder, reviewed, NOON)
    assert str(error.value) == (
        "nothing was learned from the site 'zetta': did you mean 'zeta'? "
        "(known: acme, zeta)"
    )


def test_the_history_of_a_term_has_its_observations_and_reviews(folder, reviewed):
    later = NOON + timedelta(days=1)
    reviewed.record(lesson("omega", "7", observed("VIEWINGS", 1, 2)), later)
    change(folder, "location.txt", "Viewings\n", "")
    with reviewed.transaction():
        history = term_history("viewings", DOMAIN, folder, reviewed, later)
    assert [
        (one.time[:10], one.site, one.observation.supporting, one.observation.opposing)
        for one in history.sightings
    ] == [
        ("2024-05-17", "acme", 1, 0),
        ("2024-05-17", "zeta", 1, 0),
        ("2024-05-18", "omega", 1, 2),
    ]
    assert history.listings == ()
    assert [(one.entry, one.kept) for one in history.reviews] == [
        (("location", "terms", "Viewings"), False)
    ]


needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")


@needs_fork
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_a_killed_learner_loses_no_acknowledged_lesson(folder, seed):
    """Kill a learner ten times twenty times, each at a random point of its work."""
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
        expected = {
            one.term for one in gather_evidence(store.lessons()) if len(one.sites) >= 2
        }
    assert set(terms(folder)) == expected
    # The part of a list that a killed writer left is removed, too.
    left = {path.suffix or path.name for path in (folder / LEARNED_FOLDER).iterdir()}
    assert left == {".gitignore", ".sqlite", ".txt"}


@needs_fork
def test_eight_learners_at_once_lose_no_lesson(folder):
    """Run eight learners at once, with a hundred terms each."""
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
