"""Test that the cache between runs is never wrong, needed or executed."""

from __future__ import annotations

import json
import os
import pickle
import sys
from pathlib import Path

import pytest

from amber_wrap import cache
from amber_wrap.annotate import gazetteer_annotator as word_index_module
from amber_wrap.annotate.annotator import Texts
from amber_wrap.annotate.gazetteer_annotator import GazetteerAnnotator, word_index
from amber_wrap.cache import cache_folder, cached
from amber_wrap.dom.parse import parse
from amber_wrap.domain.schema import Gazetteer
from amber_wrap.values.texts import lower_case

MADE = {"denis": "St. Denis\nLe-Denis", "": "+"}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Move the cache into a temporary folder, and return its path."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("AMBER_WRAP_CACHE", raising=False)
    word_index.cache_clear()
    return tmp_path / "amber-wrap"


class Maker:
    """Makes a value, and counts its calls."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self) -> dict[str, str]:
        self.calls += 1
        return dict(MADE)


def test_a_result_for_the_same_content_is_reused(folder: Path):
    make = Maker()
    assert [cached("kind 1", "a\nb", make) for _ in range(3)] == [MADE] * 3
    assert make.calls == 1
    assert len(list(folder.iterdir())) == 1


def test_other_contents_or_kinds_have_results_of_their_own(folder: Path):
    make = Maker()
    for kind, content in (("kind 1", "a"), ("kind 1", "b"), ("kind 2", "a")):
        cached(kind, content, make)
    assert make.calls == 3


def whole(value: object) -> bytes:
    """Return the bytes of a cache file with a value."""
    data = json.dumps(value).encode()
    return f"{cache._digest(data)}\n".encode() + data


@pytest.mark.parametrize(
    "damage",
    [
        lambda old: old[:-1],
        lambda old: old[: len(old) // 2],
        lambda old: old.replace(b"Le-", b"La-"),
        lambda old: b"",
        lambda old: b"\xff\xfe\n{}",
        lambda old: pickle.dumps(MADE),
        lambda old: old.partition(b"\n")[2],
        lambda old: whole([]),
        lambda old: whole({"denis": ["Le-Denis"]}),
        lambda old: whole({"denis": None}),
    ],
)
def test_a_damaged_or_foreign_cache_file_is_written_anew(folder: Path, damage):
    make = Maker()
    cached("kind 1", "a", make)
    (path,) = folder.iterdir()
    stored = path.read_bytes()
    assert damage(stored) != stored
    path.write_bytes(damage(stored))
    assert cached("kind 1", "a", make) == MADE
    assert make.calls == 2
    assert path.read_bytes() == stored


def test_the_cache_is_not_used_if_it_is_switched_off(
    folder: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("AMBER_WRAP_CACHE", "off")
    make = Maker()
    assert [cached("kind 1", "a", make) for _ in range(2)] == [MADE] * 2
    assert make.calls == 2
    assert not folder.exists()


def test_a_cache_folder_that_cannot_be_made_causes_no_error(folder: Path):
    folder.write_bytes(b"a file")
    assert cached("kind 1", "a", Maker()) == MADE
    assert folder.read_bytes() == b"a file"


def test_a_cache_folder_that_cannot_be_written_to_causes_no_error(
    folder: Path, monkeypatch: pytest.MonkeyPatch
):
    def fail(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    folder.mkdir()
    monkeypatch.setattr(os, "replace", fail)
    assert cached("kind 1", "a", Maker()) == MADE
    assert list(folder.iterdir()) == []


def test_nothing_is_cached_without_a_home_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    monkeypatch.chdir(tmp_path)
    assert cache_folder() is None
    assert cached("kind 1", "a", Maker()) == MADE
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("platform", "expected"),
    [("linux", ".cache/amber-wrap"), ("darwin", "Library/Caches/amber-wrap")],
)
def test_the_cache_folder_is_the_usual_one_of_the_platform(
    platform: str, expected: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(sys, "platform", platform)
    assert cache_folder() == tmp_path / expected


def test_the_oldest_files_are_removed_from_a_full_cache(
    folder: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(cache, "MOST_FILES", 2)
    for number in range(4):
        cached("kind 1", str(number), Maker())
        for age, path in enumerate(sorted(folder.iterdir(), key=os.path.getmtime)):
            os.utime(path, (100 * number + age, 100 * number + age))
    make = Maker()
    for number in (3, 2):
        cached("kind 1", str(number), make)
    assert (make.calls, len(list(folder.iterdir()))) == (0, 2)


def test_files_that_the_cache_did_not_write_are_never_removed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(cache, "MOST_FILES", 1)
    folder.mkdir()
    others = [folder / name for name in ("notes.json", "a.json.bak", "b.txt")]
    for path in others:
        path.write_text("mine")
    for content in "abc":
        cached("kind 1", content, Maker())
    assert all(path.read_text() == "mine" for path in others)
    assert len(list(folder.iterdir())) == len(others) + 1


@pytest.mark.parametrize(
    "index",
    [
        {"denis": "St. Denis", "": "+"},
        {"denis": "St. Denis\nLe-Denis", "": "+", "paris": "Paris"},
        {"saint": "St. Denis", "denis": "Le-Denis", "": "+"},
        {},
    ],
)
def test_a_stored_index_of_other_terms_is_made_anew(
    index: dict[str, str], folder: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(word_index_module, "LONG", 3)
    terms = ("St. Denis", "Le-Denis", "+")
    word_index(terms)
    (path,) = folder.iterdir()
    path.write_bytes(whole(index))
    word_index.cache_clear()
    assert word_index(terms) == MADE


def test_only_the_index_of_a_long_list_is_stored(
    folder: Path, monkeypatch: pytest.MonkeyPatch
):
    terms = ("St. Denis", "Le-Denis", "+")
    assert word_index(terms) == MADE
    assert not folder.exists()
    monkeypatch.setattr(word_index_module, "LONG", 3)
    page = parse(b"<p>St. Denis and Le-Denis +</p>")

    def claims() -> list[str]:
        word_index.cache_clear()
        gazetteer = Gazetteer("name", terms, "the test", "none")
        annotator = GazetteerAnnotator({"place": [gazetteer]})
        return [claim.text for claim in annotator.annotate(page, Texts(page))]

    first_claims = claims()
    assert sorted(first_claims) == ["+", "Le-Denis", "St. Denis"]
    assert len(list(folder.iterdir())) == 1
    monkeypatch.setattr(word_index_module, "_make_index", None)
    assert sorted(claims()) == sorted(first_claims)


def test_an_index_maps_lower_case_words_to_terms():
    """Pin the index: if it changes, raise the number in `_KIND`."""
    assert word_index_module._KIND.startswith("word index 1, Unicode ")
    assert word_index(("Weißenburg am See", "O2", "Bath-upon-Sea", "+ -", "Sea")) == {
        "weißenburg": "Weißenburg am See",
        "weissenburg": "Weißenburg am See",
        "o2": "O2",
        "bath": "Bath-upon-Sea",
        "": "+ -",
        "sea": "Sea",
    }


def test_lower_case_keeps_letters_and_digits_apart_from_signs():
    """Check that no letter or digit becomes a sign in lower case, and vice versa."""
    letters = map(chr, range(sys.maxunicode + 1))
    assert not [
        letter for letter in letters if lower_case(letter).isalnum() != letter.isalnum()
    ]
