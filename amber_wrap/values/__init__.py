"""Parse displayed text into typed values.

`typed` gives numbers, amounts of money and quantities. `dates` gives dates.
`text_shapes` gives rough descriptions of texts. `regular_expressions` composes regular
expressions from named patterns, and finds expressions that take exponential time.
"""
