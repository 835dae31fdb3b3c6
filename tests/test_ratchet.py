"""The ratchet: what it tells of a figure that fell, rose or stayed."""

from __future__ import annotations

import json
import sys
import tomllib

import pytest
from gold_corpus import ROOT, write_golden

sys.path.insert(0, str(ROOT / "benchmarks"))

import ratchet as script
import rows

FIGURES = (
    "records_f1",
    "attributes_precision",
    "attributes_recall",
    "attributes_f1",
    "perfect",
)


@pytest.fixture
def ratchet(monkeypatch, tmp_path):
    """The script, with a record and a corpus of its own, on which all is right."""
    monkeypatch.setattr(script, "RECORD", tmp_path / "record.toml")
    monkeypatch.setenv("AMBER_CORPUS", str(tmp_path))
    return script


def test_without_a_corpus_one_line_says_so(ratchet, monkeypatch, capsys):
    monkeypatch.setenv("AMBER_CORPUS", "nowhere")
    assert ratchet.main([]) == 0
    told = capsys.readouterr().out
    assert told.startswith("ratchet: there is no ")
    assert told.endswith("nowhere/gold, nothing is held\n")


def test_what_was_recorded_is_held(ratchet, tmp_path, capsys):
    write_golden(tmp_path / "gold", "forum-table", "listing")
    assert ratchet.main(["--write", "-j", "1"]) == 0
    record = tomllib.loads((tmp_path / "record.toml").read_text("utf-8"))
    assert (record["pages"], record["records"]) == (3, 59)
    assert record["self"]["named"]["listing"] == dict.fromkeys(FIGURES, 1.0)
    capsys.readouterr()
    assert ratchet.main(["-j", "1"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0] == (
        "self, domain named: records_f1 1.000, attributes_precision 1.000, "
        "attributes_recall 1.000, attributes_f1 1.000, perfect 1.000"
    )
    assert told[4:] == ["all figures are as recorded, within half a point"]


def record(value):
    """A record in which one figure has a value, all others are 0.9."""
    figures = dict.fromkeys(FIGURES, 0.9)
    domains = {name: {"all": dict(figures)} for name in ("named", "open")}
    one = {**domains, "named": {"all": {**figures, "perfect": value}}}
    return {"pages": 3, "records": 59, "self": domains, "transfer": one}


@pytest.mark.parametrize("now", [0.895, 0.9, 0.905])
def test_half_a_point_is_nothing(ratchet, now):
    told = ["all figures are as recorded, within half a point"]
    assert ratchet.compare(record(0.9), record(now)) == (told, False)


def test_more_than_half_a_point_down_fails(ratchet):
    assert ratchet.compare(record(0.9), record(0.8949)) == (
        [
            "fell: transfer, domain named, all, perfect: 0.9000 -> 0.8949 (-0.0051)",
            "1 fell more than half a point",
        ],
        True,
    )


def test_more_than_half_a_point_up_is_worth_recording(ratchet):
    assert ratchet.compare(record(0.9), record(0.91)) == (
        [
            "rose: transfer, domain named, all, perfect: 0.9000 -> 0.9100 (+0.0100)",
            "1 rose: record them with --write",
        ],
        False,
    )


def test_another_corpus_has_to_be_recorded(ratchet):
    more = record(0.9) | {"records": 60}
    assert ratchet.compare(record(0.9), more) == (
        [
            "59 records are recorded, the corpus has 60: look at the figures and "
            "record them with --write"
        ],
        True,
    )


def test_the_committed_record_is_whole(ratchet):
    committed = tomllib.loads((ROOT / "benchmarks" / "record.toml").read_text("utf-8"))
    for mode, domain in ratchet.RUNS:
        assert set(committed[mode][domain]) >= {"all", "real-estate", "listing"}
    assert set(committed["rows"]["open"]) == {"sample", "other"}


def row_page(*wanted, role="sample"):
    """A page whose rows these are, with a space between cells."""
    cells = tuple(tuple(row.split("|")) for row in wanted)
    return rows.RowPage(ROOT / "none.htm", "site", role, cells)


def counted(page, *records):
    """Rows found, and shares of cells; records are texts of their values."""
    given = [{str(i): one for i, one in enumerate(it.split("|"))} for it in records]
    count, missed = rows.score(page, given)
    return count.found, count.cells, count.shown, count.exact, len(missed)


@pytest.mark.parametrize(
    ("wanted", "records", "found"),
    [
        (["Red house|£900"], ["Red House|£ 900"], (1, 2, 2, 2, 0)),
        (["Red house|£900|2 beds"], ["Red house for £900"], (1, 3, 2, 0, 0)),
        (["Red house|£900|2 beds"], ["Red house"], (0, 0, 0, 0, 1)),
        (["Red house|£9"], ["Red house"], (1, 1, 1, 1, 0)),
        (["Red house", "Blue house"], ["Red house, Blue house"], (0, 0, 0, 0, 2)),
        (["Red house", "Blue house"], ["Blue house", "Red house"], (1, 1, 1, 1, 1)),
        (["a" * 60 + "b"], ["a" * 60 + "c"], (1, 1, 1, 1, 0)),
    ],
    ids=["equal", "contained", "half", "short", "merged", "order", "long"],
)
def test_rows_that_records_show(wanted, records, found):
    assert counted(row_page(*wanted), *records) == found


def test_what_is_told_of_a_record_is_no_value_of_it():
    page = row_page("Red house")
    count, _ = rows.score(page, [{"_page": "Red house", "title": None, "tags": []}])
    assert (count.found, count.given, count.good) == (0, 1, 0)


def test_the_rows_of_a_folder(tmp_path):
    write_golden(tmp_path / "gold", "forum-table", "listing")
    pages = sorted((tmp_path / "gold" / "pages").rglob("*.html"))
    folder = tmp_path / "rows"
    (folder / "pages").mkdir(parents=True)
    lines = []
    for path, role in zip(pages, ["other", "sample"], strict=False):
        (folder / "pages" / path.name).write_bytes(path.read_bytes())
        lines.append({"file": path.name, "site": "forum", "role": role, "rows": []})
    (folder / "index.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    counts = {page.role: count for page, count, _, _ in rows.run(folder, "for", 1)}
    assert list(counts) == ["sample", "other"]
    assert min(count.given for count in counts.values()) > 10
    assert rows.measure(folder, 1)["other"]["records_f1"] == 0
