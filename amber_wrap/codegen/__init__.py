"""Write a wrapper as a standalone Python file.

The input is a program, which `lowering` makes of a wrapper: the lists, columns and
expressions of the file. `python_source` converts data to Python literals, and
`helper_library` copies the helpers that the file needs. `variable_names` names the
constants and variables. `statements` writes the code that `render` fills into the
template. `injection_check` compares syntax trees, so that no data becomes code. `build`
runs the file on the samples. `other_languages` converts data to JSON, YAML, PHP and XML
for `export`.
"""
