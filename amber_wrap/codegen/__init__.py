"""Write a wrapper (the rules for reading one site's pages) as a Python file.

The file reads pages without Amber-Wrap. The input is a program: an object that has the
content of the file, i.e. the lists, columns and expressions by which the file reads
pages. The package `lowering` makes the program from a wrapper. The output is the text
of the file.

`python_source` converts data to Python literals, and `helper_library` copies the
functions that the file needs. `statements` writes the code that `render` fills into the
template. `build` checks that no text of a page became code in the file, and runs the
file on the sample pages. `other_languages` converts data to JSON, YAML, PHP and XML for
`export`.
"""
