"""Annotators that need the libraries of the extra `values`.

The annotators are registered in the entry-point group `amber_wrap.annotators`. An
annotator runs only in domains that name it.
"""
