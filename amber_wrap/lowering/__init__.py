"""Lower a wrapper: turn it and its sample pages into a straight-line program.

The rules of the wrapper are in `wrapper.ir`.  The interpreter (package `engine`) reads
values on the samples by these rules, which gives the test cases (`cases`).  The output
is a `program.Program`, which `codegen` renders as Python.  The program selects a value
by an expression, matches it by a regular expression, and converts it by a helper, which
is a function of the generated file.  `figures`, `terms` and `dates` propose regular
expressions.  `fields` chooses the simplest steps that give the interpreter's values on
all samples.
"""
