"""Write a wrapper as a standalone Python file.

The input is a program: a description of the lists, columns and expressions of the file.
`lowering` makes the program from a wrapper. `python_source` converts data to Python
literals, and `helper_library` copies the helpers that the file needs. `variable_names`
names the constants and variables. `statements` writes the code that `render` fills into
the template. `injection_check` checks that no text of a page became code in the
file. `build` runs the file on the sample pages. `other_languages` converts data to
JSON, YAML, PHP and XML for `export`.
"""
