"""The steps that induce a wrapper from sample pages, as pure functions.

`analysis` finds lists of records with attributes on the samples. `generalisation`
induces a verified wrapper from the lists. The module `pipeline` calls the functions in
order.
"""
