"""Make a domain folder with a store of lessons, and read its learned terms."""

from __future__ import annotations

import pytest
from learners import (
    DOMAIN,
    NOON,
    lesson,
    observed,
    write_lists,
)

from amber_wrap.domain.learned_lists import LEARNED_FOLDER, read_lists
from amber_wrap.learning.store import open_store

FIRST = lesson("acme", "1", observed("Headington", 4), observed("Offers", 1, 3))
SECOND = lesson("zeta", "1", observed("Headington", 2), observed("Botley", 5))


@pytest.fixture
def folder(tmp_path):
    """Make an empty domain folder."""
    path = tmp_path / "homes"
    path.mkdir()
    return path


@pytest.fixture
def store(folder):
    with open_store(folder / LEARNED_FOLDER) as opened:
        yield opened


def terms(folder):
    return read_lists(folder, DOMAIN.schema).terms.get("location", ())


def change(folder, name, old, new):
    """Replace a text in a list, as a reviewer does."""
    path = folder / LEARNED_FOLDER / name
    path.write_text(path.read_text().replace(old, new))


@pytest.fixture
def reviewed(folder, store):
    """Return the store of a domain that learned a place and a wrong term."""
    for site in ("acme", "zeta"):
        places = (observed("Headington"), observed("Viewings"))
        store.record(lesson(site, "1", *places), NOON)
    write_lists(store, folder)
    assert terms(folder) == ("Headington", "Viewings")
    return store
