"""Lowering: from a wrapper and its sample pages to a straight-line program.

Input: the rules of `wrapper.ir`, and the values that the interpreter (the package
`engine`) reads on the samples by these rules (`cases`). Output: a `program.Program`,
which `codegen` renders as Python. Each value is selected by an expression, matched by a
regular expression and converted by a helper, which is a function of the generated file.
Each step is the simplest one that gives the interpreter's values on all samples:
`figures`, `terms` and `dates` propose regular expressions, `fields` chooses among them.
"""
