"""`amber-wrap apply` on many pages: files, reports, dead letters, kills."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest
from gold_corpus import ROOT
from rich.progress import Progress

from amber_wrap import cli

FORUM = ROOT / "tests" / "golden" / "forum-table"
HOUSES = ROOT / "tests" / "golden" / "property-list"
LISTS = ROOT / "tests" / "cases" / "codegen" / "lists"
PAGE = (FORUM / "sample.html").read_bytes()
BOMB = b"<html><body " + b" ".join(b"a%d=1" % i for i in range(60_000)) + b">"
ENDLESS = (sys.executable, "-c", "from amber_wrap.cli import main; main()")


@pytest.fixture
def run(monkeypatch, capsys, tmp_path):
    """Run `apply` in a folder with some pages: (exit code, stdout, stderr)."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pages").mkdir()
    for number in range(12):
        (tmp_path / "pages" / f"{number:02}.html").write_bytes(PAGE)

    def call(*words, stdin=b""):
        monkeypatch.setattr(sys, "argv", ["amber-wrap", "apply", *map(str, words)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        with pytest.raises(SystemExit) as exit_:
            cli.main()
        out, err = capsys.readouterr()
        return exit_.value.code or 0, out, err

    return call


def objects(path):
    return [json.loads(line) for line in Path(path).read_text("utf-8").splitlines()]


def test_a_folder_to_json_lines(run):
    code, out, err = run(FORUM / "wrapper.py", "pages", "-o", "out.jsonl", "-j", "2")
    assert (code, out) == (0, "")
    rows = objects("out.jsonl")
    pages = [row["_page"] for row in rows]
    assert pages == sorted(pages)
    assert len(set(pages)) == 12
    assert len(rows) % 12 == 0
    each = len(rows) // 12
    assert re.fullmatch(
        rf"pages     12 in \d\.\d s, \d+ a second\n"
        rf"records   {len(rows)}, {each}\.0 a page\n"
        r"filled    details_page 100\.0%, title 100\.0%, date [\d.]+%\n",
        err,
    )
    assert {path.name for path in Path().glob("out*")} == {"out.jsonl"}


def test_the_report_tells_no_period_that_no_record_has(run):
    Path("pages/00.html").write_bytes((HOUSES / "sample.html").read_bytes())
    code, _, err = run(HOUSES / "wrapper.py", "pages/00.html", "-o", "out.jsonl")
    assert code == 0
    assert "price_period" not in err
    assert "price_period" not in Path("out.jsonl").read_text("utf-8")
    filled = next(line for line in err.splitlines() if line.startswith("filled"))
    assert "price_currency" in filled.split()
    assert "empty" not in err


def test_the_same_to_stdout_and_to_csv(run):
    code, out, _ = run(FORUM / "wrapper.py", "pages", "--raw")
    assert code == 0
    rows = [json.loads(line) for line in out.splitlines()]
    assert run(FORUM / "wrapper.py", "pages", "--raw", "-o", "out.csv")[0] == 0
    with open("out.csv", encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file))
    assert table == [{k: v or "" for k, v in row.items()} for row in rows]


def test_parquet_is_one_file_in_the_end(run, monkeypatch):
    parquet = pytest.importorskip("pyarrow.parquet")
    from amber_wrap.runtime import bulk_run

    monkeypatch.setattr(bulk_run, "SAVE_SECONDS", 0.0)
    assert run(FORUM / "wrapper.py", "pages", "-o", "out.parquet")[0] == 0
    assert os.listdir("out.parquet") == ["part-000000-000011.parquet"]
    pages = parquet.read_table("out.parquet").column("_page").to_pylist()
    assert pages == sorted(pages)
    assert len(set(pages)) == 12


def test_poison_goes_to_the_dead_letters(run):
    Path("pages/05.html").write_bytes(BOMB)
    Path("pages/06.html").write_bytes(b"")
    words = (FORUM / "wrapper.py", "pages", "-o", "out.jsonl", "--deadline", "1")
    code, _, err = run(*words)
    assert code == 1  # Two of twelve pages are more than is tolerated.
    assert "errors    2 pages: timeout 1, page 1\n" in err
    hang, empty = objects("out.jsonl.dead.jsonl")
    assert (hang["_page"], hang["stage"], hang["error"]) == (
        *("pages/05.html", "extract"),
        "timeout",
    )
    assert len(hang["sha256"]) == 64
    assert empty["message"] == "the page is empty: save it again"
    assert len({row["_page"] for row in objects("out.jsonl")}) == 10
    os.remove("out.jsonl")
    os.remove("out.jsonl.dead.jsonl")
    assert run(*words, "--tolerate", "0.2")[0] == 0


@pytest.mark.parametrize("kind", ["folder", "list", "archives", "one member", "stdin"])
def test_the_bar_tells_how_far_a_run_is(run, monkeypatch, kind):
    names = sorted(map(str, Path("pages").iterdir()))
    inputs, stdin = ["pages"], b""
    if kind == "list":
        Path("list").write_text("\n".join(names))
        inputs = ["@list"]
    elif kind in ("archives", "one member"):
        pytest.importorskip("fastwarc")
        from test_runtime_inputs import record

        # More than a buffer, packed too.
        page = PAGE + b"<!--%s-->" % Random(0).randbytes(150_000).hex().encode()
        archives = {"a.warc": record(page) * 6, "b.warc": record(page) * 6}
        if kind == "one member":
            archives = {"a.warc.gz": gzip.compress(b"".join(archives.values()))}
        for name, body in archives.items():
            Path(name).write_bytes(body)
        inputs = list(archives)
    elif kind == "stdin":
        inputs, stdin = ["@-"], "\n".join(names).encode()
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    told = []
    update = Progress.update

    def recorded(self, task, **values):
        update(self, task, **values)
        told.append(self.tasks[task].percentage)

    monkeypatch.setattr(Progress, "update", recorded)
    words = (FORUM / "wrapper.py", *inputs, "-o", "out.jsonl")
    code, _, err = run(*words, stdin=stdin)
    assert code == 0
    assert re.search(r"12 pages, \d+ per second", err)
    assert told == sorted(told)
    assert len(told) == 12
    # Workers are given pages ahead, and what is read of the last one isn't known.
    last = {"folder": 100, "stdin": 0}.get(kind, 100 * 11 / 12)
    assert told[-1] == pytest.approx(last, abs=0.1 if kind == "list" else 3)


def test_pages_that_the_crawler_cut_are_counted(run):
    pytest.importorskip("fastwarc")
    from test_runtime_inputs import record

    cuts = [{}, {"cut": "length"}, {"cut": "length"}, {"cut": "time"}]
    Path("a.warc").write_bytes(b"".join(record(PAGE, **cut) for cut in cuts))
    code, _, err = run(FORUM / "wrapper.py", "a.warc", "-o", "out.jsonl")
    assert code == 0
    assert err.endswith("cut       3 by the crawler: length 2, time 1\n")
    assert len({row["_page"] for row in objects("out.jsonl")}) == 4


def test_on_stdout_failures_are_told_on_stderr(run):
    Path("pages/06.html").write_bytes(b"")
    _, _, err = run(FORUM / "wrapper.py", "pages")
    assert err.startswith("amber-wrap: pages/06.html: the page is empty: save")


def test_pages_that_break_the_contract_are_told_and_count(run):
    dateless = re.sub(rb"<span class=when>.*?</span>", b"", PAGE)
    for name in ("02", "03"):
        Path(f"pages/{name}.html").write_bytes(dateless)
    code, _, err = run(FORUM / "wrapper.py", "pages", "-o", "out.jsonl")
    assert code == 1
    assert re.search(r"contract  2 pages break it: .*date: fill 2", err)


def test_a_list_on_stdin(run):
    names = b"pages/03.html\npages/gone.html\npages/04.html\n"
    code, _, _ = run(FORUM / "wrapper.py", "@-", "-o", "out.jsonl", stdin=names)
    assert code == 1
    pages = list(dict.fromkeys(row["_page"] for row in objects("out.jsonl")))
    assert pages == ["pages/03.html", "pages/04.html"]
    assert objects("out.jsonl.dead.jsonl")[0]["error"] == "missing"


def test_several_wrappers_one_of_which_is_chosen_for_each_page(run):
    Path("wrappers").mkdir()
    for folder in (FORUM, HOUSES):
        for made in (folder / "wrapper.py", folder / "wrapper.json"):
            name = folder.name.replace("-", "_") + made.suffix
            shutil.copy(made, Path("wrappers", name))
    Path("pages/00.html").write_bytes((HOUSES / "sample.html").read_bytes())
    code, _, err = run("wrappers", "pages", "-o", "out.jsonl")
    assert code == 0
    chosen = {row["_page"]: row["_wrapper"] for row in objects("out.jsonl")}
    assert chosen.pop("pages/00.html") == "property_list.py"
    assert set(chosen.values()) == {"forum_table.py"}
    assert "wrappers  forum_table.py 11, property_list.py 1\n" in err
    assert run("--route", "wrappers", "pages", "-o", "out3.jsonl")[0] == 0
    assert Path("out3.jsonl").read_bytes() == Path("out.jsonl").read_bytes()
    Path("wrappers/routes.toml").write_text('[routes]\n"x" = "absent.py"\n')
    code, _, err = run("wrappers", "pages", "-o", "out2.jsonl")
    assert (code, err) == (
        2,
        "amber-wrap: a route names the unknown wrapper 'absent.py'\n",
    )


def test_what_is_a_list_for_one_of_several_wrappers_is_one_in_parquet(run):
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    Path("wrappers").mkdir()
    Path("wrappers/lists.py").touch()
    Path("wrappers/texts.py").touch()
    stored = (LISTS / "expected.json").read_text("utf-8")
    Path("wrappers/lists.json").write_text(stored)
    texts = stored.replace('"convert": "texts"', '"convert": ""')
    texts = texts.replace('"texts"', '"text"').replace('"items"', '"text"')
    Path("wrappers/texts.json").write_text(texts)
    routes = '"a$" = "lists.py"\n"b$" = "texts.py"\n'
    Path("wrappers/routes.toml").write_text(f"[routes]\n{routes}")
    html = (LISTS / "page.html").read_text("utf-8")
    pages = [{"html": html, "url": f"https://shop.example/{x}"} for x in "ab"]
    parquet.write_table(arrow.Table.from_pylist(pages), "pages.parquet")
    for name in ("out.jsonl", "out.parquet"):
        assert run("wrappers", "pages.parquet", "-o", name)[0] == 0
    lists = [["one tag", "another"], None, ["a text"]]
    shown = [row["tags"] for row in objects("out.jsonl")]
    assert shown == [*lists, "one tag, another", "none", "a text"]
    rows = parquet.read_table("out.parquet").to_pylist()
    shown = [row["tags"] for row in rows]
    assert shown == [*lists, ["one tag, another"], ["none"], ["a text"]]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--resume"], "--resume continues a file: name it with -o"),
        (["-j", "2", "--url", "https://a"], "--url is the address of a single page"),
        (["--engine", "spark"], "Spark writes a folder: name the folder with -o"),
        (["--engine", "spark", "-o", "x", "-j", "2"], "-j, --resume, --dead-letters"),
        (["-o", "there.jsonl"], "there.jsonl already exists: name another output, "),
        (["-o", "no/out.jsonl"], "cannot write no/out.jsonl: No such file"),
        (["-o", "x", "--dead-letters", "no/x"], "cannot write no/x: No such file"),
        (["-o", "x", "--dead-letters", "there.jsonl"], "there.jsonl already exists"),
        (["-o", "x", "--dead-letters", "x"], "records and dead letters can't both be"),
        (["-o", "pages", "--overwrite"], "cannot write pages: the path is a folder"),
        (
            ["-o", "x", "--dead-letters", "pages", "--overwrite"],
            "cannot write pages: the path is a folder",
        ),
        (["-o", "x", "--resume", "--overwrite"], "--resume continues an output, "),
    ],
)
def test_mistakes_in_the_call(run, words, message):
    Path("there.jsonl").write_text("")
    code, out, err = run(FORUM / "wrapper.py", "pages", *words)
    assert (code, out) == (2, "")
    assert err.startswith(f"amber-wrap: {message}")
    assert {path.name for path in Path().iterdir()} == {"pages", "there.jsonl"}


@pytest.mark.parametrize("name", ["out.jsonl", "out.csv.gz", "out.parquet"])
def test_a_daily_run_writes_over_the_output_of_the_day_before(run, name):
    if name.endswith(".parquet"):
        pytest.importorskip("pyarrow")
    words = (FORUM / "wrapper.py", "-o", name)
    Path("bad.html").write_bytes(b"")
    assert run(*words, "pages", "bad.html", "--tolerate", "1")[0] == 0
    assert Path(f"{name}.dead.jsonl").exists()
    code, _, err = run(*words, "pages/03.html")
    assert (code, err) == (
        2,
        f"amber-wrap: {name} already exists: name another output, or overwrite it "
        "with --overwrite\n",
    )
    assert run(*words, "pages/03.html", "--overwrite")[0] == 0
    assert run(FORUM / "wrapper.py", "-o", f"new.{name}", "pages/03.html")[0] == 0
    files = [Path(name), Path(f"new.{name}")]
    if name.endswith(".parquet"):
        files = [next(path.iterdir()) for path in files]
    assert files[0].read_bytes() == files[1].read_bytes()
    assert len(list(Path().glob(f"{name}*"))) == 1


def test_a_run_that_was_cut_off_may_be_begun_anew(run, monkeypatch):
    from amber_wrap.runtime import bulk_run

    def killed(*_):
        raise RuntimeError("killed")

    with monkeypatch.context() as patch:
        patch.setattr(bulk_run.Journal, "end", killed)
        assert run(FORUM / "wrapper.py", "pages", "-o", "out.jsonl")[0] == 1
    code, _, err = run(FORUM / "wrapper.py", "pages", "-o", "out.jsonl")
    assert (code, err) == (
        2,
        "amber-wrap: out.jsonl is of an interrupted run: continue it with --resume, "
        "or start again with --overwrite\n",
    )
    words = ("pages/03.html", "-o", "out.jsonl", "--overwrite")
    assert run(FORUM / "wrapper.py", *words)[0] == 0
    assert {row["_page"] for row in objects("out.jsonl")} == {"pages/03.html"}
    assert not Path("out.jsonl.journal").exists()


def test_a_wrapper_without_pages_is_a_mistake_in_the_call(run):
    code, out, err = run(FORUM / "wrapper.py")
    assert (code, out) == (2, "")
    assert re.fullmatch(
        r"amber-wrap: no input: name the pages that .* should read\n", err
    )


def started(*words):
    """The command as a process of its own."""
    return subprocess.Popen(
        [*ENDLESS, "apply", *map(str, words)],
        stderr=subprocess.DEVNULL,
        # In the background of a shell Ctrl-C is ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


@pytest.mark.skipif(os.name != "posix", reason="kills by signal")
def test_a_run_that_is_killed_goes_on_and_ends_the_same(run, monkeypatch):
    for number in range(12, 400):
        Path(f"pages/{number:03}.html").write_bytes(PAGE)
    assert run(FORUM / "wrapper.py", "pages", "-o", "whole.jsonl")[0] == 0
    words = (FORUM / "wrapper.py", "pages", "-o", "out.jsonl", "-j", "1")
    kills = 0
    for _ in range(3):
        process = started(*words, "--resume")
        until = time.monotonic() + 30
        while not Path("out.jsonl.journal").exists() and time.monotonic() < until:
            time.sleep(0.01)
        time.sleep(0.4)
        kills += process.poll() is None
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert kills
    if Path("out.jsonl.journal").exists():
        code, _, err = run(*words)
        assert code == 2
        assert "is of an interrupted run: continue it with --resume" in err
        code, _, err = run(HOUSES / "wrapper.py", *words[1:], "--resume")
        assert code == 2
        assert "is of a run with other wrappers, inputs or options" in err
    assert run(*words, "--resume")[0] == 0
    assert Path("out.jsonl").read_bytes() == Path("whole.jsonl").read_bytes()
    code, _, err = run(*words, "--resume")
    assert (code, err) == (
        0,
        "amber-wrap: out.jsonl is finished: there is nothing to resume; "
        "for a new run name another file with -o, or overwrite this one "
        "with --overwrite\n",
    )


def test_a_run_that_is_killed_before_its_first_page_is_not_whole(run, monkeypatch):
    from amber_wrap.runtime import bulk_run

    def killed(*_):
        raise RuntimeError("killed")

    words = (FORUM / "wrapper.py", "pages", "-o", "out.csv")
    with monkeypatch.context() as patch:
        patch.setattr(bulk_run, "_run", killed)
        assert run(*words)[0] == 1
    assert Path("out.csv").exists()
    assert run(*words, "--resume")[0] == 0
    with open("out.csv", encoding="utf-8", newline="") as file:
        assert len({row["_page"] for row in csv.DictReader(file)}) == 12
    assert run(*words)[0] == 2
    assert not Path("out.csv.journal").exists()


def test_inputs_that_changed_are_not_gone_on_with(run, monkeypatch):
    from amber_wrap.runtime import bulk_run

    monkeypatch.setattr(bulk_run, "SAVE_SECONDS", 0.0)

    def killed(self):
        raise RuntimeError("killed")

    monkeypatch.setattr(bulk_run.Journal, "end", killed)
    assert run(FORUM / "wrapper.py", "pages", "-o", "out.jsonl")[0] == 1
    os.rename("pages/11.html", "pages/99.html")
    code, _, err = run_again("--resume")
    assert code == 2
    assert "page 12 of the inputs was pages/11.html, and now is pages/99.html" in err


def run_again(*words):
    """The command in the working directory, as a process."""
    found = subprocess.run(
        [*ENDLESS, "apply", FORUM / "wrapper.py", "pages", "-o", "out.jsonl", *words],
        capture_output=True,
        text=True,
        check=False,
    )
    return found.returncode, found.stdout, found.stderr


def test_a_page_alone_may_be_compressed(run):
    for name, pack in (
        ("p.html.gz", gzip.compress),
        ("p", gzip.compress),
        ("q", bytes),
    ):
        Path(name).write_bytes(pack(PAGE))
    [(first, *outputs)] = [
        [run(FORUM / "wrapper.py", one)[:2] for one in ("p.html.gz", "p", "q")]
    ]
    assert first[0] == 0
    assert outputs == [first, first]


@pytest.mark.parametrize("hurt", ["flipped", "address"])
def test_what_is_lost_of_an_archive_is_told_and_counts(run, hurt):
    pytest.importorskip("fastwarc")
    from test_runtime_inputs import record

    noise = [Random(i).randbytes(2_000).hex().encode() for i in range(40)]
    records = [record(PAGE + b"<!--%s-->" % one) for one in noise]
    members = [gzip.compress(one) for one in records]
    if hurt == "flipped":
        half = len(members[3]) // 2
        members[3] = members[3][:half] + b"\xff\0\xff" + members[3][half + 3 :]
    else:
        url = "http://a.example/" + "a" * 2_000_000
        members[3] = gzip.compress(record(PAGE, url=url))
    Path("a.warc.gz").write_bytes(b"".join(members))
    words = (FORUM / "wrapper.py", "a.warc.gz", "--overwrite", "-o", "out.jsonl")
    code, _, err = run(*words)
    assert code == 0  # One of forty.
    assert len({row["_page"] for row in objects("out.jsonl")}) == 39
    lost = len(members[3])
    size = Path("a.warc.gz").stat().st_size
    share = (
        f"lost      {lost:,} bytes that can't be read, {lost / size:.1%} of the inputs"
    )
    assert share in err
    [letter] = objects("out.jsonl.dead.jsonl")
    assert letter["_page"] == f"a.warc.gz#{sum(map(len, members[:3]))}"
    assert letter["message"].endswith(f"{lost:,} bytes up to the next record are lost")
    assert run(*words, "--tolerate", "0.01")[0] == 1


def test_an_archive_whose_rest_is_lost_is_no_success(run):
    pytest.importorskip("fastwarc")
    from test_runtime_inputs import record

    noise = [Random(i).randbytes(3_000).hex().encode() for i in range(40)]
    body = gzip.compress(b"".join(record(PAGE + b"<!--%s-->" % one) for one in noise))
    half = len(body) // 2
    Path("a.warc.gz").write_bytes(body[:half] + b"\xff\0\xff" + body[half + 3 :])
    words = (FORUM / "wrapper.py", "a.warc.gz", "-o", "out.jsonl")
    code, _, err = run(*words, "--tolerate", "0.3")
    # As pages count there is one error of some twenty.
    assert code == 1
    assert (
        f"lost      {len(body):,} bytes that can't be read, 100.0% of the inputs" in err
    )


def test_rows_that_are_no_text_are_dead_letters(run):
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    from test_runtime_inputs import wrong_text

    pages = arrow.table({"html": wrong_text(PAGE, b"\xff\xfe<p>", PAGE)})
    parquet.write_table(pages, "a.parquet")
    code, _, err = run(FORUM / "wrapper.py", "a.parquet", "-o", "out.jsonl")
    assert code == 1
    assert "errors    1 pages: corrupt 1\n" in err
    [letter] = objects("out.jsonl.dead.jsonl")
    assert letter["_page"] == "a.parquet#1"
    assert len({row["_page"] for row in objects("out.jsonl")}) == 2


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes are those of POSIX")
@pytest.mark.parametrize("inputs", ["pages", "pages/*", "@list"])
def test_a_pipe_among_pages_is_a_dead_letter(run, inputs):
    os.remove("pages/06.html")
    os.mkfifo("pages/06.html")
    Path("list").write_bytes(b"\0".join(sorted(map(bytes, Path("pages").iterdir()))))
    code, _, _ = run(FORUM / "wrapper.py", inputs, "-o", "out.jsonl")
    assert code == 1
    [letter] = objects("out.jsonl.dead.jsonl")
    assert letter["_page"] == "pages/06.html"
    assert letter["message"] == "the path is a pipe or a device, not a file"
    assert len({row["_page"] for row in objects("out.jsonl")}) == 11


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes are those of POSIX")
def test_a_pipe_that_was_named_itself_can_be_waited_for_no_longer(run):
    os.mkfifo("pipe")
    process = started(FORUM / "wrapper.py", "pipe", "-o", "out.jsonl")
    until = time.monotonic() + 30
    while not Path("out.jsonl").exists() and time.monotonic() < until:
        time.sleep(0.05)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    assert process.wait(30) == 128 + signal.SIGINT


NAMES = ["out.jsonl", "out.csv.gz", "out.parquet"]


@pytest.mark.skipif(os.name != "posix", reason="locks of POSIX")
@pytest.mark.parametrize("words", [[], ["--resume"], ["--overwrite"]])
@pytest.mark.parametrize("name", NAMES)
def test_a_second_run_into_one_output_is_refused(run, monkeypatch, name, words):
    if name.endswith(".parquet"):
        pytest.importorskip("pyarrow")
    from amber_wrap.runtime import bulk_run

    first = bulk_run._run
    seen = []

    def meanwhile(*values):
        # Another process: the lock is that of one.
        command = [*ENDLESS, "apply", FORUM / "wrapper.py", "pages", "-o", name, *words]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        seen.append((done.returncode, done.stderr))
        return first(*values)

    monkeypatch.setattr(bulk_run, "_run", meanwhile)
    assert run(FORUM / "wrapper.py", "pages", "-o", name)[0] == 0
    message = (
        f"amber-wrap: another run is writing to {name}: wait until it has ended, or "
        "name another output\n"
    )
    assert seen == [(2, message)]
    monkeypatch.setattr(bulk_run, "_run", first)
    assert run(FORUM / "wrapper.py", "pages", "-o", f"again.{name}")[0] == 0
    files = [Path(name), Path(f"again.{name}")]
    if name.endswith(".parquet"):
        files = [next(path.iterdir()) for path in files]
    # When a compressed file is flushed depends on the clock.
    read = gzip.decompress if name.endswith(".gz") else bytes
    assert read(files[0].read_bytes()) == read(files[1].read_bytes())
    assert not list(Path().glob("*.lock"))


@pytest.mark.skipif(os.name != "posix", reason="locks of POSIX")
def test_a_lock_dies_with_its_process(run):
    Path("pages/05.html").write_bytes(BOMB * 4)
    process = started(FORUM / "wrapper.py", "pages", "-o", "out.jsonl")
    until = time.monotonic() + 30
    while not Path("out.jsonl").exists() and time.monotonic() < until:
        time.sleep(0.05)
    process.kill()
    process.wait()
    assert Path("out.jsonl.lock").exists()
    Path("pages/05.html").write_bytes(PAGE)
    assert run(FORUM / "wrapper.py", "pages", "-o", "out.jsonl", "--resume")[0] == 0
    assert {path.name for path in Path().glob("*out*")} == {"out.jsonl"}


@pytest.mark.parametrize("how", ["removed", "replaced"])
@pytest.mark.parametrize("name", NAMES)
def test_an_output_that_is_removed_meanwhile_is_no_success(run, monkeypatch, name, how):
    if name.endswith(".parquet"):
        pytest.importorskip("pyarrow")
    from amber_wrap.runtime import bulk_run

    real = bulk_run.rows_of

    def removing(outcome):
        if outcome.id == "pages/06.html":
            if os.path.isdir(name):
                shutil.rmtree(name)
            else:
                os.remove(name)
            if how == "replaced":
                Path(name).mkdir() if name.endswith("t") else Path(name).touch()
        return real(outcome)

    monkeypatch.setattr(bulk_run, "SAVE_SECONDS", 0.0)
    monkeypatch.setattr(bulk_run, "rows_of", removing)
    code, _, err = run(FORUM / "wrapper.py", "pages", "-o", name)
    assert code == 2
    if name.endswith(".parquet"):
        told = (
            f"{name} lacks some of the" if how == "replaced" else f"cannot write {name}"
        )
    else:
        told = f"{name} was removed or replaced while it was written"
    assert err.startswith(f"amber-wrap: {told}")
