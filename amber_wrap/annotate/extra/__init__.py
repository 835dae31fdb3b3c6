"""Annotators that need the libraries of the optional dependencies `values`.

They run for the domains that name them, and are registered as entry points
`amber_wrap.annotators`.
"""
