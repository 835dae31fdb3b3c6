"""Test the messages of the ratchet for figures that fell, rose or stayed."""

from __future__ import annotations

import importlib
import json
import random
import shlex
import sys
import tomllib

import pytest
from gold_corpus import CORPUS, ROOT, write_golden

sys.path.insert(0, str(ROOT / "benchmarks"))

import pagination
import ratchet as script
import rows
import truths
import use
from rows import score

from amber_wrap.evaluation.gold import read_corpus

FIGURES = (
    "records_f1",
    "attributes_precision",
    "attributes_recall",
    "attributes_f1",
    "perfect",
)
AS_RECORDED = ["all figures are as recorded, within half a point"]


@pytest.fixture
def ratchet(monkeypatch, tmp_path):
    """Return the script, with a record and a corpus of its own."""
    monkeypatch.setattr(script, "RECORD", tmp_path / "record.toml")
    monkeypatch.setenv("AMBER_CORPUS", str(tmp_path / "corpus"))
    return script


def test_a_missing_corpus_is_reported_in_one_line(ratchet, monkeypatch, capsys):
    monkeypatch.setenv("AMBER_CORPUS", "nowhere")
    assert ratchet.main([]) == 0
    output = capsys.readouterr().out
    assert output.startswith("ratchet: there is no ")
    assert output.endswith("nowhere/gold, nothing is held\n")


@pytest.mark.slow
def test_recorded_figures_are_compared_with_a_new_measurement(
    ratchet, monkeypatch, tmp_path, capsys
):
    corpus = tmp_path / "corpus"
    write_golden(corpus / "gold", "forum-table", "listing")
    write_golden(corpus / "gold", "property-list", "real-estate")
    write_rows(corpus / "rows", "forum-table")
    monkeypatch.setattr(truths, "SECOND_ROUND", tmp_path / "second_round.txt")
    (tmp_path / "second_round.txt").write_text("listing/forum-table\nrows/other\n")
    assert ratchet.main(["--write", "-j", "1"]) == 0
    record = tomllib.loads((tmp_path / "record.toml").read_text("utf-8"))
    assert record["sizes"]["gold_pages"] == 6
    assert list(record["self"]["named"]) == [
        *("listing", "real-estate"),
        *("first", "second", "all"),
    ]
    assert record["self"]["named"]["second"] == dict.fromkeys(FIGURES, 1.0)
    assert record["rows"] == {
        role: {"all": {"records_f1": 0, "cells": 0, "exact": 0, "pages": 0}}
        for role in ("sample", "other")
    }
    capsys.readouterr()
    assert ratchet.main(["-j", "1"]) == 0
    output = capsys.readouterr().out.splitlines()
    assert (
        "  self.named.second: records_f1 1.000, attributes_precision 1.000, "
        "attributes_recall 1.000, attributes_f1 1.000, perfect 1.000"
    ) in output
    assert [line.partition(":")[0] for line in output if "left out" in line] == [
        "courts is left out",
        "use is left out",
        "pagination is left out",
    ]
    assert output[-1:] == AS_RECORDED


def found(value, figure="perfect"):
    """Return figures of which one has a value, while all others are 0.9."""
    figures = dict.fromkeys((*FIGURES, "left"), 0.9)
    ways = {name: {"all": dict(figures)} for name in ("named", "open")}
    return {
        "self": ways,
        "transfer": {**ways, "named": {"all": {**figures, figure: value}}},
    }


SIZES = {"gold_pages": 3, "gold_records": 59}
RECORD = {"sizes": SIZES, **found(0.9)}


@pytest.mark.parametrize("now", [0.895, 0.9, 0.905])
def test_a_difference_of_half_a_point_is_accepted(ratchet, now):
    assert ratchet.compare(RECORD, SIZES, found(now)) == (AS_RECORDED, False)


@pytest.mark.parametrize(
    ("figure", "value", "figures_text"),
    [("perfect", 0.8949, "0.8949 (-0.0051)"), ("left", 0.95, "0.9500 (+0.0500)")],
)
def test_more_than_half_a_point_worse_fails(ratchet, figure, value, figures_text):
    assert ratchet.compare(RECORD, SIZES, found(value, figure)) == (
        [
            f"worse: transfer.named.all.{figure}: 0.9000 -> {figures_text}",
            "1 are more than half a point worse",
        ],
        True,
    )


@pytest.mark.parametrize(
    ("figure", "value", "figures_text"),
    [("perfect", 0.91, "0.9100 (+0.0100)"), ("left", 0.85, "0.8500 (-0.0500)")],
)
def test_more_than_half_a_point_better_asks_for_recording(
    ratchet, figure, value, figures_text
):
    assert ratchet.compare(RECORD, SIZES, found(value, figure)) == (
        [
            f"better: transfer.named.all.{figure}: 0.9000 -> {figures_text}",
            "1 are better: record them with --write",
        ],
        False,
    )


def test_a_corpus_of_another_size_fails(ratchet):
    assert ratchet.compare(RECORD, SIZES | {"gold_records": 60}, found(0.9)) == (
        [
            "59 gold records are recorded, the corpus has 60: look at the figures and "
            "record them with --write"
        ],
        True,
    )


def test_the_committed_record_has_all_figures():
    committed = tomllib.loads(script.RECORD.read_text("utf-8"))
    for mode in ("self", "transfer"):
        for way in script.WAYS:
            assert set(committed[mode][way]) >= {"real-estate", "second", "all"}
    for role in (rows.SAMPLE, rows.OTHER):
        assert set(committed["rows"][role]) == {"first", "second", "all"}
        assert set(committed["courts"][role]) == {"all"}
    assert set(committed["use"]["open"]["all"]) == set(use.FIGURES)
    assert set(committed["pagination"]) == {"known", "unknown"}


@pytest.mark.skipif(
    not (CORPUS / "gold").is_dir(), reason="the corpus is not here (AMBER_CORPUS)"
)
def test_the_sites_of_the_second_round_are_in_the_corpus():
    names = truths.SECOND_ROUND.read_text("utf-8").split()
    there = {page.site for page in read_corpus(CORPUS / "gold").pages}
    there |= {f"rows/{site[0].site}" for site in rows.read(CORPUS / "rows")}
    assert set(names) <= there
    assert len(set(names)) == len(names)


# Rows


def counted(wanted, records):
    """Count rows found and cells shown; records are texts of their values."""
    value_records = [
        {str(i): text for i, text in enumerate(record.split("|"))} for record in records
    ]
    count, missed = score([row.split("|") for row in wanted], value_records)
    names = ("right", "cells", "shown", "exact")
    return *(count[name] for name in names), len(missed)


@pytest.mark.parametrize(
    ("wanted", "records", "found"),
    [
        (["Red house|£900"], ["Red House|£ 900"], (1, 2, 2, 2, 0)),
        (["Red house|£900|2 beds"], ["Red house for £900"], (1, 3, 2, 0, 0)),
        (["Red house|£900|2 beds"], ["Red house"], (0, 0, 0, 0, 1)),
        (["Red house|£9"], ["Red house"], (1, 1, 1, 1, 0)),
        (["Red house", "Blue house"], ["Red house, Blue house"], (0, 0, 0, 0, 2)),
        (["Red house", "Blue house"], ["Blue house", "Red house"], (2, 2, 2, 2, 0)),
        (["a" * 60 + "b"], ["a" * 60 + "c"], (1, 1, 1, 1, 0)),
        (["Red|£900|Buy", "Blue|£800|Buy"], ["Red|£900", "Blue|£800"], (2, 6, 4, 4, 0)),
        (
            [f"{one}|Buy now" for one in ("Red house", "Old barn", "Mill", "Shed")],
            ["Red house", "Old barn", "Mill", "Ruin|Buy now"],
            (3, 3, 3, 3, 1),
        ),
        (["same", "same"], ["same"], (1, 1, 1, 1, 1)),
    ],
    ids=[
        *("equal", "contained", "half", "short", "merged", "any-order", "long"),
        *("few-rows-have-no-labels", "labels", "one-record-for-one-row"),
    ],
)
def test_rows_and_cells_that_records_show_are_counted(wanted, records, found):
    assert counted(wanted, records) == found


def test_names_of_fields_count_as_shown_cells():
    count, _ = score([["Genre: Pop", "Label"]], [{"genre": "Pop", "tags": ["Label"]}])
    assert (count["right"], count["shown"], count["exact"]) == (1, 2, 1)


@pytest.mark.skipif(
    not (CORPUS.parent / "tools" / "score_rows.py").is_file(),
    reason="the corpus and its scoring script are not here (AMBER_CORPUS)",
)
@pytest.mark.parametrize("folder", ["rows", "courts"])
def test_counts_equal_those_of_the_corpus_tools(folder, monkeypatch):
    """Count records made of each site's first rows by many kinds of mistakes."""
    monkeypatch.syspath_prepend(CORPUS.parent / "tools")
    tool = importlib.import_module("score_rows")
    for page, *_ in rows.read(CORPUS / folder):
        wanted = page.rows[:30]
        records = list(mistaken(wanted, random.Random(page.site)))
        count, _ = score(wanted, records)
        theirs, _ = tool.score_page(wanted, records)
        names = ("gold", "out", "ok", "cells", "cells_ok", "exact")
        mine = ("gold", "given", "right", "cells", "shown", "exact")
        assert tuple(count[name] for name in mine) == tuple(
            theirs[name] for name in names
        ), page.site


def mistaken(wanted, chance):
    """Make records as a bad wrapper gives them: cells missing, named, joined; two rows
    in one record, records twice, out of order."""
    texts = [list(row) for row in wanted for _ in range(chance.choice([0, 1, 1, 1, 2]))]
    for row in texts:
        if chance.random() < 0.1:
            row += chance.choice(wanted)
    if chance.random() < 0.5:
        chance.shuffle(texts)
    for row in texts:
        left_cells = [cell for cell in row if chance.random() < 0.8]
        words = (cell.partition(" ") for cell in left_cells)
        yield {
            "_page": "a.html",
            "tags": left_cells[2:],
            **{chance.choice(["title", first]): rest for first, _, rest in words},
            **dict(zip("abc", left_cells, strict=False)),
        }


def test_the_page_of_a_record_and_empty_fields_are_no_values():
    count, _ = score(
        [["Red house"]], [{"_page": "Red house", "title": None, "tags": []}]
    )
    assert (count["right"], count["given"], count["good"]) == (0, 1, 0)


def write_rows(folder, template):
    """Write pages of a golden case as a site of rows, of which none is wanted."""
    (folder / "pages").mkdir(parents=True)
    lines = []
    for name, role in (("other-1", "other"), ("sample", "sample")):
        page = ROOT / "tests" / "golden" / template / f"{name}.html"
        (folder / "pages" / page.name).write_bytes(page.read_bytes())
        lines.append({"file": page.name, "site": "forum", "role": role, "rows": []})
    (folder / "index.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")


def test_a_folder_of_rows_is_measured_page_by_page(tmp_path):
    write_rows(tmp_path, "forum-table")
    results = list(rows.measure(rows.read(tmp_path)))
    assert [result.page.role for result in results] == ["sample", "other"]
    assert min(result.count["given"] for result in results) > 10


# Use


class Script:
    """Stand in for the script that scores `use`, and give its arguments as counts."""

    @staticmethod
    def truth(path, page):
        return f"{path.name} {page['role']}"

    @staticmethod
    def work(task):
        job, sample, others, truths = task
        assert truths["a-1.html"] == "a-1.html sample"
        return [sample["file"], len(others), *shlex.split(job.induce_args)]

    @staticmethod
    def report(result, errors):
        print("a line")
        return {"pages": 2, "exact": len(result) - 1, "left": 3, "wanted": result[1]}


def test_use_is_scored_with_a_second_sample(tmp_path, monkeypatch, capsys):
    pages = [
        {"file": "a-1.html", "role": "sample"},
        {"file": "a-2.html", "role": "other", "sample": "a-1.html"},
        {"file": "b-1.html", "role": "sample"},
    ]
    (tmp_path / "index.jsonl").write_text("\n".join(map(json.dumps, pages)), "utf-8")
    samples = use.samples_of(tmp_path)
    assert samples == [pages[:2], pages[2:]]
    monkeypatch.setattr(use, "scorer", lambda corpus: Script)
    counts = use.counted(tmp_path, samples[0], from_all_pages=True)
    assert counts == {"pages": 2, "exact": 2, "left": 3, "wanted": 1}
    assert use.measure(tmp_path, samples[:1], 1) == {
        **dict.fromkeys(use.FIGURES, 0.0),
        **{"exact": 0.5, "left": 1.5},
    }
    assert capsys.readouterr().out == ""


# Pagination


@pytest.fixture
def labelled(tmp_path):
    """Write pages: one right, one wrong, one whose link is none, one without a link."""
    (tmp_path / "pages").mkdir()
    link = "<p>a</p><a href='?page=2'>Next</a>"
    lines = []
    for name, html, wanted in (
        ("a", link, ["https://a.example/?page=2"]),
        ("b", link, ["?page=3", "?page=4"]),
        ("c", link, []),
        ("d", "<p>a</p>", []),
    ):
        (tmp_path / "pages" / name).write_text(html, "utf-8")
        known = {"file": name, "site": "a", "next": wanted}
        known |= {"url": "https://a.example/", "prev": []}
        lines.append(known | {"pages": ["?page=2"] * (name == "c")})
    (tmp_path / "index.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    return tmp_path


@pytest.mark.parametrize("with_url", [True, False])
def test_a_next_page_is_judged_by_its_address(labelled, with_url):
    judged = list(pagination.measure(labelled, with_url))
    assert [case.file for case, is_right in judged if is_right] == ["a", "d"]
    assert pagination.shares(judged) == {"right": 0.5, "given": 0.5}
    assert pagination.figures_of(judged) == {
        "a next page": (1, 2),
        "a paginator, no next page": (0, 1),
        "no paginator": (1, 1),
    }


@pytest.mark.skipif(
    not (CORPUS / "pagination").is_dir(), reason="the corpus is not here (AMBER_CORPUS)"
)
@pytest.mark.slow
def test_the_table_of_the_document_is_up_to_date(tmp_path, monkeypatch):
    copy = tmp_path / "pagination.md"
    copy.write_text(pagination.DOCUMENT.read_text("utf-8"), "utf-8")
    monkeypatch.setattr(pagination, "DOCUMENT", copy)
    monkeypatch.setenv("AMBER_CORPUS", str(CORPUS))
    assert pagination.main(["--write"]) == 0
    committed = (ROOT / "docs" / "pagination.md").read_text("utf-8")
    assert copy.read_text("utf-8") == committed
