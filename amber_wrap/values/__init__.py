"""Parse displayed text into typed values.

Comes in: displayed text. Goes out: numbers, amounts and quantities (`typed`), dates
(`dates`), and the shapes of values (`shapes`). `patterns` composes regular expressions
of named ones; `ambiguity` finds those that take exponential time.
"""
