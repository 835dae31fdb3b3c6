"""Annotators that need the libraries of the extra `values`.

The annotators are registered in the entry-point group `amber_wrap.annotators`. An
annotator runs only for domains (kinds of records, such as cars) whose description names
the annotator.
"""
