"""Lower a wrapper: turn it and its sample pages into the program of a generated file.

A wrapper is a set of rules for extracting records from the pages of a website. A
program is an object that has the content of the Python file to be generated.

The interpreter (package `engine`) reads the values of the sample pages by the wrapper.
The values become test cases (`sample_cases`). `number_patterns` and `date_patterns`
propose regular expressions. `field_lowering` chooses the simplest steps that give the
interpreter's values on all samples. A step is an XPath expression, a regular
expression, or a function that converts a text. `record_lowering` chooses the
expressions that select the records. `lower` puts the steps together. The output is a
`program.Program`, which `codegen` renders as a Python file.
"""
