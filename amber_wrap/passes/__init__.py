"""The steps of inducing a wrapper from sample pages, as functions from values to a
value.

`analysis` turns sample pages into extraction typings, that is lists of records with
attributes. `generalisation` turns the typings into a verified wrapper and findings. The
module `pipeline` calls the functions in order.
"""
