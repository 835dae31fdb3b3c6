"""The steps that induce (make) a wrapper from sample pages, as pure functions.

A wrapper has the rules for reading one site's pages. `analysis` finds lists of records
with attributes (typed values) on the sample pages. `generalisation` makes a wrapper
from the lists, and checks it. The module `pipeline` calls the functions in order.
"""
