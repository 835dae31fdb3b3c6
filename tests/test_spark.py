"""Test the workers on Spark: `local[2,2]`, Java 17."""

from __future__ import annotations

import os
import re
import shutil
import sys

import pytest
from gold_corpus import ROOT

from amber_wrap import cli
from amber_wrap.dom.decoding import decode
from amber_wrap.errors import FileError
from amber_wrap.runtime import spark as runtime_spark
from amber_wrap.runtime.input_pages import InputPage
from amber_wrap.runtime.page_reader import PageReader, read_job, tree_of
from amber_wrap.runtime.spark import apply_on_spark, apply_wrapper, result_columns

GOLDEN = ROOT / "tests" / "golden" / "property-list"
LISTS = ROOT / "tests" / "cases" / "codegen" / "lists"
WRAPPER = str(GOLDEN / "wrapper.py")
PAGE = sorted(GOLDEN.glob("*.html"))[0].read_bytes()
BOMB = b"<html><body " + b" ".join(b"a%d=1" % i for i in range(60_000)) + b">"

pytestmark = pytest.mark.slow


def missing() -> str:
    """Return which requirement of Spark is missing."""
    try:
        import pandas  # noqa: F401
        import pyarrow  # noqa: F401
        import pyspark  # noqa: F401
    except ImportError as error:
        return f'{error}: pip install "amber-wrap[spark]"'
    return "" if shutil.which("java") else "there is no Java"


@pytest.fixture(scope="module")
def local(tmp_path_factory):
    """Return the folder where Spark stores the results of stages."""
    return tmp_path_factory.mktemp("local")


@pytest.fixture(scope="module")
def spark(local):
    """Start a session on two cores, where each task may fail once."""
    if reason := missing():
        if os.environ.get("AMBER_CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local[2,2]").appName("tests")
    builder = builder.config("spark.local.dir", str(local))
    session = builder.config("spark.ui.enabled", "false").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


def expected(raw=False):
    ((_, wrapper),) = read_job(GOLDEN / "wrapper.py").wrappers
    return PageReader(wrapper, raw).read(tree_of(InputPage("", PAGE))).rows


def test_records_are_rows_with_columns_of_their_types(spark):
    pages = spark.createDataFrame(
        [("one", PAGE), ("two", PAGE)], "id string, html binary"
    )
    table = apply_wrapper(pages, WRAPPER, id="id")
    kinds = dict(table.dtypes)
    assert (kinds["price"], kinds["price_currency"]) == ("double", "string")
    rows = [row.asDict() for row in table.collect()]
    expected_rows = expected()
    assert [row["_page"] for row in rows] == ["one"] * len(expected_rows) + [
        "two"
    ] * len(expected_rows)
    for row, wanted in zip(rows, (*expected_rows, *expected_rows), strict=True):
        values = {name: value for name, value in row.items() if value is not None}
        values.pop("_page")
        assert values == {name: it for name, it in wanted.items() if it is not None}


def test_pages_as_texts_give_raw_values(spark):
    pages = spark.createDataFrame([(decode(PAGE),)], "page string")
    rows = apply_wrapper(pages, WRAPPER, html="page", raw=True).collect()
    assert [row["price"] for row in rows] == [row["price"] for row in expected(True)]
    assert rows[0]["_page"].endswith("#0")


@pytest.mark.parametrize("raw", [False, True])
def test_lists_of_texts_are_columns_of_arrays(spark, raw):
    pages = spark.createDataFrame(
        [((LISTS / "page.html").read_bytes(),)], "html binary"
    )
    table = apply_wrapper(pages, LISTS / "expected.py", raw=raw)
    assert dict(table.dtypes)["tags"] == "array<string>"
    tags = [row["tags"] for row in table.collect()]
    assert tags == [["one tag", "another"], None, ["a text"]]


def test_a_poison_page_is_one_row_with_an_error(spark):
    bodies = [PAGE, BOMB, None, PAGE]
    pages = spark.createDataFrame(
        [(str(i), body) for i, body in enumerate(bodies)], "id string, html binary"
    ).coalesce(1)
    rows = apply_wrapper(pages, WRAPPER, id="id", deadline=2.0).collect()
    failed = {row["_page"]: row["_error"]["error"] for row in rows if row["_error"]}
    assert failed == {"1": "timeout", "2": "page"}
    assert len(rows) == 2 * len(expected()) + 2


def test_a_missing_column_is_reported(spark):
    pages = spark.createDataFrame([(PAGE,)], "body binary")
    with pytest.raises(
        FileError, match="there is no column 'html': the columns are body"
    ):
        apply_wrapper(pages, WRAPPER)


def test_pages_in_parquet_give_records_in_parquet(spark, tmp_path):
    source, target = str(tmp_path / "pages"), str(tmp_path / "records")
    columns = "html binary, url string"
    rows = [(PAGE, "https://a.example/list/"), (b"", "https://b.example/")]
    spark.createDataFrame(rows, columns).write.parquet(source)
    job = read_job(GOLDEN / "wrapper.py")
    tally = apply_on_spark(job, [source], target)
    assert (tally.pages, tally.records, tally.failed) == (2, len(expected()), 1)
    assert tally.filled["price"] == sum(1 for row in expected() if row["price"])
    table = spark.read.parquet(target)
    links = [row["details_page"] for row in table.collect() if not row["_error"]]
    assert all(link.startswith("https://a.example/") for link in links)
    assert {path.name for path in (tmp_path / "records").glob("failed=*")} == {
        "failed=false",
        "failed=true",
    }
    with pytest.raises(FileError, match="already exists: name another folder"):
        apply_on_spark(job, [source], target)
    assert apply_on_spark(job, [source], target, overwrite=True).pages == 2
    assert spark.read.parquet(target).count() == len(expected()) + 1


@pytest.mark.parametrize("fault", ["none", "early", "late", "lost"])
def test_tasks_that_run_again_count_once(spark, local, tmp_path, monkeypatch, fault):
    """Tasks fail before or after their work, or their result is lost."""
    source, marks = str(tmp_path / "pages"), tmp_path / "marks"
    marks.mkdir()
    rows = [(PAGE,)] * 11 + [(b"",)]
    spark.createDataFrame(rows, "html binary").repartition(3).write.parquet(source)
    applied = runtime_spark._applied

    def marked(batches):
        from pyspark import TaskContext

        context = TaskContext.get()
        (marks / f"{context.partitionId()}-{context.taskAttemptId()}").touch()
        yield from batches

    def failing(batches):
        from pyspark import TaskContext

        is_first = TaskContext.get().attemptNumber() == 0
        if fault == "early" and is_first:
            raise RuntimeError("early")
        yield from batches
        if fault == "late" and is_first:
            raise RuntimeError("late")
        if fault == "lost" and not (tmp_path / "done").exists():
            (tmp_path / "done").touch()
            for path in local.rglob("shuffle_*"):
                path.unlink()

    def faulty(df, task):
        table = applied(df.mapInArrow(marked, df.schema), task)
        if fault == "lost":
            # More tasks than run at once: later ones miss what the first removes.
            table = table.repartition(6)
        return table.mapInArrow(failing, table.schema)

    monkeypatch.setattr(runtime_spark, "_applied", faulty)
    tally = apply_on_spark(
        read_job(GOLDEN / "wrapper.py"), [source], str(tmp_path / "records")
    )
    attempts = [mark.name.partition("-")[0] for mark in marks.iterdir()]
    assert (len(attempts) > len(set(attempts))) == (fault != "none")
    assert (tally.pages, tally.failed) == (12, 1)
    assert tally.records == 11 * len(expected())
    table = spark.read.parquet(str(tmp_path / "records"))
    assert table.count() == tally.records + tally.failed


def test_more_errors_than_tolerated_fail_the_run_on_spark(
    spark, tmp_path, monkeypatch, capsys
):
    source, target = str(tmp_path / "pages"), str(tmp_path / "records")
    pages = spark.createDataFrame([(PAGE,)] * 9 + [(b"",)], "html binary")
    pages.write.parquet(source)
    words = ["apply", "--engine", "spark", WRAPPER, source, "-o", target]

    def run(*more):
        monkeypatch.setattr(sys, "argv", ["amber-wrap", *words, *more])
        with pytest.raises(SystemExit) as exit_:
            cli.main()
        return exit_.value.code or 0, capsys.readouterr().err

    code, err = run("--tolerate", "0.05")
    assert code == 1
    assert re.search(r"pages     10 in [\d.]+ s, \d+ a second\n", err)
    assert f"records   {9 * len(expected())}, " in err
    assert "errors    1 pages: page 1\n" in err
    assert run("--tolerate", "0.2")[0] == 2
    assert run("--tolerate", "0.2", "--overwrite")[0] == 0


def test_columns_have_the_types_of_fields_or_are_strings_if_raw():
    def types(raw):
        schema = result_columns(read_job(GOLDEN / "wrapper.py", raw)).schema
        return {column.name: str(column.type) for column in schema}

    assert types(False)["price"] == "double"
    assert set(types(True).values()) == {"string"}
