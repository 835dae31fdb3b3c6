"""Parse displayed text into typed values.

`typed` gives numbers, amounts of money and quantities, `dates` gives dates, and
`shapes` gives rough descriptions of texts. `patterns` composes regular expressions of
named ones. `ambiguity` finds expressions that take exponential time.
"""
