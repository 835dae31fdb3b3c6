"""Test how lists of learned terms are written, and that people's edits stay."""

# ruff: noqa: F811  Tests take imported fixtures.

from __future__ import annotations

import pytest
from learners import (
    DOMAIN,
    NOON,
    lesson,
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

from amber_wrap.domain.domain_folders import find_domain
from amber_wrap.domain.learned_lists import LEARNED_FOLDER, LearnedLists, read_lists
from amber_wrap.errors import DomainError, FileError, LearningError
from amber_wrap.learning.list_files import check_writable, copy_lists, review_line
from amber_wrap.learning.store import open_store


def rejected(folder):
    return read_lists(folder, DOMAIN.schema).rejected.get("location", ())


def test_lists_are_written_as_text_files_with_a_source(folder, store):
    for lesson_of_page in (FIRST, SECOND):
        store.record(lesson_of_page, NOON)
    write_lists(store, folder)
    assert (folder / LEARNED_FOLDER / "location.txt").read_text() == (
        "# source: learned by amber-wrap from 2 pages of 2 sites\n"
        "# licence: facts\n"
        "Headington\n"
    )
    assert rejected(folder) == ()


def test_an_unchanged_list_is_not_written_again(folder, store):
    for lesson_of_page in (FIRST, SECOND):
        store.record(lesson_of_page, NOON)
    write_lists(store, folder)
    before = (folder / LEARNED_FOLDER / "location.txt").stat()
    store.record(lesson("omega", "1", observed("Cowley")), NOON)
    write_lists(store, folder)
    assert (folder / LEARNED_FOLDER / "location.txt").stat() == before
    store.record(lesson("omega", "2", observed("Headington")), NOON)
    write_lists(store, folder)  # Its head names another page.
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


def test_deleted_terms_are_not_learned_again(folder, reviewed):
    change(folder, "location.txt", "Viewings\n", "")
    for site in ("omega", "sigma"):
        places = (observed("VIEWINGS", 40), observed("Viewings", 40))
        reviewed.record(lesson(site, "1", *places), NOON)
        write_lists(reviewed, folder)
    assert terms(folder) == ("Headington",)


def test_added_terms_are_not_rejected(folder, reviewed):
    change(folder, "location.txt", "Viewings\n", "Jericho\n")
    for site in ("omega", "sigma"):
        places = (observed("Jericho", 0, 9), observed("Headington", 0, 9))
        reviewed.record(lesson(site, "1", *places), NOON)
    write_lists(reviewed, folder)
    assert (terms(folder), rejected(folder)) == (("Jericho",), ("Headington",))


def test_terms_deleted_from_the_rejected_are_not_rejected_again(folder, store):
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


def test_a_term_that_was_deleted_may_be_added_again(folder, reviewed):
    change(folder, "location.txt", "Viewings\n", "")
    write_lists(reviewed, folder)
    change(folder, "location.txt", "Headington\n", "Headington\nViewings\n")
    for site in ("omega", "sigma"):
        reviewed.record(lesson(site, "1", observed("Viewings", 0, 9)), NOON)
    write_lists(reviewed, folder)
    assert terms(folder) == ("Headington", "Viewings")
    assert [(review.entry[2], review.kept) for review in reviewed.reviews()] == [
        ("Viewings", True)
    ]


def test_a_lost_list_is_written_again(folder, reviewed):
    (folder / LEARNED_FOLDER / "location.txt").unlink()
    write_lists(reviewed, folder)
    assert terms(folder) == ("Headington", "Viewings")
    assert reviewed.reviews() == ()


def test_terms_of_lists_without_a_memory_may_be_rejected(folder):
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


def test_an_error_in_a_list_is_reported_with_its_line(folder, reviewed):
    change(folder, "location.txt", "Viewings", "Head\tington")
    with pytest.raises(DomainError, match=r"^homes/learned/location.txt:4: "):
        write_lists(reviewed, folder)


def test_a_term_is_listed_in_one_spelling(folder, store):
    for site in ("acme", "zeta"):
        places = (observed("McDonald", 1), observed("Mcdonald", 1))
        store.record(lesson(site, "1", *places), NOON)
    write_lists(store, folder)
    assert terms(folder) == ("McDonald",)


def test_lists_are_not_copied_over_other_files(tmp_path):
    lists = LearnedLists({"location": ("Botley",)}, {"location": ("Oxford",)})
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


def test_built_in_domains_cannot_be_written():
    with pytest.raises(LearningError) as error:
        check_writable(find_domain("real-estate"))
    assert str(error.value) == (
        "real-estate is built in and can't be changed: create a domain of "
        "your own with amber-wrap domain init NAME --like real-estate"
    )


def test_reviewed_lines_are_not_changed_by_learning(folder):
    path = review_line(folder, DOMAIN.schema, ("location", "terms", "Botley"), True)
    assert path == folder / LEARNED_FOLDER / "location.txt"
    assert path.read_text().startswith("# source: learned by amber-wrap, as people")
    review_line(folder, DOMAIN.schema, ("location", "rejected", "Botley"), True)
    lists = read_lists(folder, DOMAIN.schema)
    assert lists == LearnedLists({"location": ()}, {"location": ("Botley",)})
    with open_store(folder / LEARNED_FOLDER) as store:
        for lesson_of_page in (FIRST, SECOND):
            store.record(lesson_of_page, NOON)
        write_lists(store, folder)
    lists = read_lists(folder, DOMAIN.schema)
    assert lists.rejected == {"location": ("Botley",)}
    assert "Botley" not in lists.terms["location"]
    review_line(folder, DOMAIN.schema, ("location", "rejected", "Botley"), False)
    assert read_lists(folder, DOMAIN.schema).rejected == {"location": ()}


@pytest.mark.parametrize(
    "entry", [("price", "terms", "5"), ("location", "terms", "#x")]
)
def test_terms_that_no_list_can_have_are_refused(folder, entry):
    with pytest.raises(LearningError, match="can't be listed as a"):
        review_line(folder, DOMAIN.schema, entry, True)
    assert not (folder / LEARNED_FOLDER).exists()
