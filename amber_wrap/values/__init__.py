"""Parse displayed text into typed values.

`typed` gives numbers, amounts of money and quantities. `dates` gives dates.
`text_shapes` gives rough descriptions of texts. `patterns` composes regular expressions
from named patterns. `exponential_patterns` finds expressions that take exponential
time.
"""
