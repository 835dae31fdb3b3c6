"""Extract the records of a column of pages on Spark.

The extra `spark` (PySpark 4, Java 17) must be installed, on the executors too.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from amber_wrap.engine.output_rows import Row
from amber_wrap.errors import FileError
from amber_wrap.runtime.arrow_columns import ArrowColumns
from amber_wrap.runtime.input_pages import InputPage
from amber_wrap.runtime.outcomes import Tally, dead_letter, rows_of
from amber_wrap.runtime.outputs import PAGE_COLUMN
from amber_wrap.runtime.page_reader import Job, PageReading, read_job
from amber_wrap.runtime.supervisor import Supervisor

if TYPE_CHECKING:
    import pyarrow
    from pyspark.accumulators import Accumulator
    from pyspark.sql import DataFrame

ERROR_COLUMN = "_error"
"""The column with the error of a failed page, null in the rows of records."""
ERROR_PARTS = ("stage", "error", "message", "sha256")
"""The fields of an error, in the order of the column `_error`."""
SQL_TYPES: Final = {"string": "string", "double": "double", "list": "array<string>"}
"""The names of Spark's SQL types, by the names of Arrow's types."""
OUTPUT_ROWS = 4000
"""The number of records after which a batch of records is passed on to Spark."""
_SPARK_SETTINGS: Final = {
    # Pages are long rows, so batches must be small.
    "spark.sql.parquet.columnarReaderBatchSize": "128",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "128",
    # Otherwise Spark sorts the rows by whether the page failed before it writes them.
    "spark.sql.maxConcurrentOutputFileWriters": "2",
}
"""Settings of Spark for rows with whole pages, unless the user has set other values."""
SUPERVISORS: dict[str, Supervisor] = {}
"""The running pools of worker processes, by a digest of their job and deadline.

The pools are kept between Spark's tasks, because a worker takes 0.2 s to start.
"""


def apply_wrapper(
    df: DataFrame,
    wrapper: str | Path,
    html: str = "html",
    id: str = "",
    url: str = "",
    raw: bool = False,
    deadline: float = 20.0,
    memory: int = 1024,
) -> DataFrame:
    """Return a data frame with the records of the pages in the column `html` of `df`.

    `deadline` is the time limit for a page in seconds, and `memory` the limit of a
    worker in MiB. A failed page is a row with `_error`, and nulls in the columns of
    records. Raise FileError if a file can't be read or a column is missing, and
    WrapperError if a wrapper is invalid.
    """
    job = read_job(Path(wrapper), raw, memory)
    return _applied(df, _Task(job, html, id, url, deadline))


def _applied(df: DataFrame, task: _Task) -> DataFrame:
    """Return a data frame with the records that `task` reads in the pages of `df`.

    Raise FileError if an input column of the task is missing.
    """
    for name in task.input_columns:
        if name not in df.columns:
            names = ", ".join(df.columns)
            raise FileError(f"there is no column {name!r}: the columns are {names}")
    return df.select(*task.input_columns).mapInArrow(task, task.schema)


Tallies = dict[int, Tally]
"""A dict from the number of each partition to the counts of its pages.

A partition that Spark runs again is counted once."""


class _TalliesParam:
    """A Spark `AccumulatorParam` that collects the counts of tasks.

    The counts are a dict from a partition's number to the counts of its pages.
    """

    def zero(self, value: Tallies) -> Tallies:
        """Return an empty dict, to which Spark adds the counts of tasks."""
        return {}

    def addInPlace(self, known: Tallies, new: Tallies) -> Tallies:  # noqa: N802
        """Add a task's counts to the known counts, and return the known counts.

        Counts of a partition that was repeated replace the earlier counts.
        """
        known.update(new)
        return known


class _Task:
    """A function that Spark calls to turn batches of pages into batches of records.

    Spark sends the function to its executors, and each executor starts its own workers.
    """

    def __init__(
        self,
        job: Job,
        html: str,
        id: str,
        url: str,
        deadline: float,
        tallies: Accumulator[Tallies] | None = None,
    ) -> None:
        self._job, self._deadline, self._tallies = job, deadline, tallies
        self._html, self._id, self._url = html, id, url
        names = (name for name in (html, id, url) if name)
        self.input_columns = tuple(dict.fromkeys(names))
        self._key = hashlib.sha256(pickle.dumps((job, deadline))).hexdigest()

    @property
    def schema(self) -> str:
        """Return the columns of the result in the syntax of Spark's SQL."""
        columns = (
            f"`{column.name}` {SQL_TYPES[str(column.type).partition('<')[0]]}"
            for column in result_columns(self._job).schema
        )
        error = ", ".join(f"{name}: string" for name in ERROR_PARTS)
        return ", ".join([*columns, f"`{ERROR_COLUMN}` struct<{error}>"])

    def __call__(
        self, batches: Iterator[pyarrow.RecordBatch]
    ) -> Iterator[pyarrow.RecordBatch]:
        """Yield the rows of the result for the pages in the batches.

        A row has a record, or the error of a failed page.
        """
        from pyspark import TaskContext

        context = TaskContext.get()
        partition = context.partitionId() if context else 0
        columns = result_columns(self._job)
        pages = self._pages(batches, partition)
        rows: list[Row] = []
        errors: list[Row | None] = []
        tally = Tally()
        for outcome in self._supervisor().outcomes(pages):
            if self._tallies is not None:
                tally.add(outcome)
            if isinstance(outcome.reading, PageReading):
                rows += rows_of(outcome)
                errors += [None] * len(outcome.reading.rows)
            else:
                letter = dead_letter(outcome, outcome.reading)
                rows.append({PAGE_COLUMN: outcome.id})
                errors.append({name: letter[name] for name in ERROR_PARTS})
            if len(rows) >= OUTPUT_ROWS:
                yield _batch(columns, rows, errors)
                rows, errors = [], []
        yield _batch(columns, rows, errors)
        if self._tallies is not None:
            self._tallies.add({partition: tally})

    def _supervisor(self) -> Supervisor:
        """Return the pool of worker processes that all tasks of this job share.

        Each process of Spark has its own pool.
        """
        if self._key not in SUPERVISORS:
            SUPERVISORS[self._key] = Supervisor(self._job, 1, self._deadline, keep=True)
        return SUPERVISORS[self._key]

    def _pages(
        self, batches: Iterator[pyarrow.RecordBatch], partition: int
    ) -> Iterator[InputPage]:
        """Yield the pages of a partition, with an empty page for a null.

        Without a column of ids, the id of a page has the numbers of the partition and
        of the row, such as "3#17".
        """
        row_number = 0
        for batch in batches:
            htmls = batch.column(self._html)
            ids = batch.column(self._id) if self._id else None
            urls = batch.column(self._url) if self._url else None
            for i in range(batch.num_rows):
                html = htmls[i].as_py() or b""
                yield InputPage(
                    id=str(ids[i].as_py()) if ids else f"{partition}#{row_number}",
                    body=html.encode() if isinstance(html, str) else html,
                    url=(urls[i].as_py() or "") if urls else "",
                    # A text's declared encoding is that of its original bytes.
                    charset="utf-8" if isinstance(html, str) else "",
                )
                row_number += 1


def result_columns(job: Job) -> ArrowColumns:
    """Return the columns of records in the output of Spark.

    `job` has the extraction rules, which give the names of the fields.
    """
    return ArrowColumns((PAGE_COLUMN, *job.fields), job.column_types, "Spark")


def _batch(
    columns: ArrowColumns, rows: Sequence[Row], errors: Sequence[Row | None]
) -> pyarrow.RecordBatch:
    """Return an Arrow record batch with rows of the result.

    `errors` has the value of the column `_error` for each row.
    """
    import pyarrow

    error_type = pyarrow.struct([(name, pyarrow.string()) for name in ERROR_PARTS])
    return pyarrow.RecordBatch.from_arrays(
        [*columns.arrays(rows), pyarrow.array(errors, error_type)],
        schema=columns.schema.append(pyarrow.field(ERROR_COLUMN, error_type)),
    )


def apply_on_spark(
    job: Job,
    inputs: Sequence[str],
    output: str,
    master: str = "",
    html: str = "html",
    deadline: float = 20.0,
    overwrite: bool = False,
) -> Tally:
    """Extract the records of pages in Parquet files on a Spark cluster, and count them.

    The output is a folder of Parquet files, with the failed pages below `failed=true`.
    Raise FileError if Spark is missing, or if the output exists and `overwrite` isn't
    set.
    """
    try:
        from pyspark.sql import SparkSession, functions
    except ImportError as error:
        message = f'Spark is missing ({error}): pip install "amber-wrap[spark]"'
        raise FileError(message) from error
    if Path(output).exists() and not overwrite:
        raise FileError(
            f"{output} already exists: name another folder with -o, or overwrite it "
            "with --overwrite"
        )
    # On one machine the workers run this Python; a cluster may set another one.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.appName("amber-wrap")
    session = (builder.master(master) if master else builder).getOrCreate()
    user_settings = session.sparkContext.getConf()
    for name, value in _SPARK_SETTINGS.items():
        if not user_settings.contains(name):
            session.conf.set(name, value)
    pages = session.read.parquet(*inputs)
    id = "id" if "id" in pages.columns else ""
    url = "url" if "url" in pages.columns else ""
    tallies_param: Any = _TalliesParam()
    no_tallies: Tallies = {}
    tallies = session.sparkContext.accumulator(no_tallies, tallies_param)
    records = _applied(pages, _Task(job, html, id, url, deadline, tallies))
    is_failed = functions.col(ERROR_COLUMN).isNotNull()
    mode = "overwrite" if overwrite else "error"
    records.withColumn("failed", is_failed).write.partitionBy("failed").parquet(
        output, mode
    )
    return sum(tallies.value.values(), Tally())
