"""Induce (make) the contract of a wrapper: properties that other pages must share.

A wrapper is a set of rules for extracting records from pages. The properties are those
of the sample pages from which the wrapper was made. `induction` finds ranges of counts,
shares of records with a value, patterns of values, and the order of the fields.
`fill_prediction` predicts the least share of records with a value on another page.
`page_signs` finds elements that are on all sample pages but in no list, and collects
features of whole pages. `verification` compares the records that a wrapper extracts
with the records that were found when the wrapper was made.
"""
