"""Lowering: from a wrapper and its samples to a straight-line program.

In come the rules of `wrapper.ir` and what they read on the samples (`cases`); out goes
a `program.Program`, which `codegen` renders.  Each value becomes select -> match ->
convert, each step the simplest that gives what the interpreter gives on all samples:
`figures`, `terms` and `dates` propose regular expressions, `fields` chooses.
"""
