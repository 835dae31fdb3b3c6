"""Parse displayed text into typed values.

`typed` gives numbers, amounts of money and quantities. `dates` gives dates. `shapes`
gives rough descriptions of texts. `patterns` composes regular expressions from named
patterns. `ambiguity` finds expressions that take exponential time.
"""
