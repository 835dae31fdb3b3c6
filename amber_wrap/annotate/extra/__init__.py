"""Recognisers on top of libraries: what the optional extra `values` is for.

They are registered like those of any other package, in the entry-point group
`amber_wrap.annotators`, and run only where a domain names them.
"""
