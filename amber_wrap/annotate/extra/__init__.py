"""Annotators that use further libraries, which the extra `values` installs.

They are registered like those of other packages, in the entry-point group
`amber_wrap.annotators`, and run only in domains that name them.
"""
