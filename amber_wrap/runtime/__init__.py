"""Apply wrappers to many pages, and write the extracted records to files.

`bulk_run` does this on one computer, and `spark` on a Spark cluster.
"""
