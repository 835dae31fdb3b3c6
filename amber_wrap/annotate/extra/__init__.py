"""Annotators that need the libraries of the optional dependencies `values`.

They are registered as entry points `amber_wrap.annotators`. An annotator runs for the
domains (kinds of records) that name it.
"""
