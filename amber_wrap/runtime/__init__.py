"""Apply wrappers to many pages, and write the extracted records to files.

`bulk_run` does this on one computer, and `spark` on a Spark cluster:

- `inputs`, `warc_input`, `parquet_input` and `decompression` read `input_pages`,
- `page_reader` reads the records of one page,
- `supervisor` distributes the pages over processes, which `worker_process` defines,
- `outcomes` turns the results into rows and counts,
- `outputs`, `parquet_output` and `arrow_columns` write the rows,
- `journal` and `output_lock` make it possible to resume a killed run.
"""
