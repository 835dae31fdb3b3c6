"""Turn a wrapper, rules for reading a site's pages, into the content of a Python file
that reads the same pages.

`lower` returns the content as a `program.Program`, from which `codegen` writes the
file.
"""
