"""Apply wrappers to many pages: read the pages, extract records, write the records.

A wrapper has the rules for reading one site's pages. `bulk_run` applies the wrappers of
a run to all pages, locks the outputs, and can resume a killed run.

Reading pages: `inputs` finds the files that a user names. `warc_input` and
`parquet_input` read files of many pages. `decompression` unpacks files. `input_pages`
has the classes for pages and for the errors of reading.

Extracting records: `supervisor` gives pages to worker processes. `worker_process`
starts a worker process, and has the code that the process runs. `page_reader` reads the
records of a page. `outcomes` turns the records into rows of output, and counts them.

Writing records: `outputs` writes JSON Lines and CSV, and `parquet_output` writes
Parquet. `spark` applies wrappers on a Spark cluster.
"""
