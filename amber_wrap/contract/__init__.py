"""Induce the contract of a wrapper: properties of its samples that other pages must
share.

`induction` finds ranges of counts, shares of filled fields, and patterns of values.
`page_signs` finds elements that all pages have outside of the lists, and records
features of whole pages. `disagreement` compares several expressions for a field.
`recognised_values` counts the values that annotators recognise. `verification` compares
the wrapper's records with the records that induction found.
"""
